/* The module _replay: the type Replay, the recorder, the optimisers, and the choice of kernels. */

#include "replay.h"

#include "rows.h"
#include "lanes.h"
#include "optimisers.h"
#include "processor.h"
#include "structure.h"

State *
state_of_type(PyTypeObject *type)
{
    return PyType_GetModuleState(type);
}

Recorder *
recorder_in(PyObject *module)
{
    return &((State *)PyModule_GetState(module))->recorder;
}

/* ── Functions of the module ────────────────────────────────────────────────────────────────── */

/* Use the kernels of this level for programs made from now on; name NULL: the best. */
static int
choose_kernels(const char *name)
{
    if (processor_choose(name)) {
        return 0;
    }
    PyObject *names = PyUnicode_FromString("");
    for (int level = PROCESSOR_BASE; names != NULL && level < PROCESSOR_LEVELS; level++) {
        if (processor_has(level)) {
            Py_SETREF(names, PyUnicode_FromFormat("%U %s", names, processor_names[level]));
        }
    }
    if (names != NULL) {
        PyErr_Format(PyExc_ValueError, "this build has no kernels %s for this processor; it has:%U", name, names);
        Py_DECREF(names);
    }
    return -1;
}

/* Choose the kernels by name; return the name of those in use. */
static PyObject *
module_kernels(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name = NULL;
    if (!PyArg_ParseTuple(args, "|z:kernels", &name) ||
        (PyTuple_GET_SIZE(args) && choose_kernels(name) < 0)) {
        return NULL;
    }
    return PyUnicode_FromString(processor_names[processor_level()]);
}

static PyObject *
module_method(PyObject *module, PyObject *op)
{
    return recorder_method(recorder_in(module), op);
}

static PyObject *
module_function(PyObject *module, PyObject *args)
{
    (void)module;
    return recorder_function(args);
}

/* Write the numbers of a structure to a buffer that they fill; say whether that could be done. */
static PyObject *
module_read(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *spec, *thing, *numbers;
    Py_buffer view;
    if (!PyArg_ParseTuple(args, "OOO:read", &spec, &thing, &numbers) ||
        doubles_of(numbers, &view, "numbers", -1, true) < 0) {
        return NULL;
    }
    double *to = view.buf, *end = to + view.len / (Py_ssize_t)sizeof(double);
    bool is_read = structure_read(spec, thing, &to, end) && to == end;
    PyBuffer_Release(&view);
    return PyBool_FromLong(is_read);
}

static PyObject *
module_build(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *spec, *numbers, *array;
    Py_buffer view;
    if (!PyArg_ParseTuple(args, "OOO:build", &spec, &numbers, &array) ||
        doubles_of(numbers, &view, "numbers", -1, false) < 0) {
        return NULL;
    }
    const double *from = view.buf;
    PyObject *built = structure_build(spec, &from, from + view.len / (Py_ssize_t)sizeof(double), array);
    PyBuffer_Release(&view);
    return built;
}

#ifdef GRADWALK_TEST_HOOKS
static PyObject *
module_fail_memory(PyObject *module, PyObject *args)
{
    (void)module;
    long long after, times;
    if (!PyArg_ParseTuple(args, "LL:_fail_memory", &after, &times)) {
        return NULL;
    }
    memory_fail(after, times);
    Py_RETURN_NONE;
}

static PyObject *
module_live_memory(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return PyLong_FromLongLong(memory_live());
}
#endif

/* ── The module ─────────────────────────────────────────────────────────────────────────────── */

static PyMethodDef module_methods[] = {
    {"adam", (PyCFunction)(void (*)(void))module_adam, METH_FASTCALL,
     "adam(params, grads, mean, square, rate, beta1, beta2, epsilon, bias_correction1, bias_correction2, kept)\n"
     "--\n\nOne step of Adam, or of AdamW when kept is not 1."},
    {"sgd", module_sgd, METH_VARARGS, "sgd(params, grads, rate, decay)\n--\n\nOne step down the gradient."},
    {"momentum", module_momentum, METH_VARARGS,
     "momentum(params, grads, velocity, rate, momentum, nesterov, decay)\n--\n\nOne step with momentum."},
    {"method", module_method, METH_O, "method(op)\n--\n\nReturn a row as a method of Traced."},
    {"function", module_function, METH_VARARGS,
     "function(code, otherwise)\n--\n\n"
     "Return a function that records a Traced and hands anything else to `otherwise`."},
    {"read", module_read, METH_VARARGS,
     "read(spec, thing, numbers)\n--\n\n"
     "Fill `numbers` with those of a thing that has this structure; say whether that could be done."},
    {"roll", module_roll, METH_VARARGS,
     "roll(codes, starts, args, numbers, outputs, slots, places, least)\n--\n\n"
     "Return the program with its loops of `least` instructions or more rolled up, or None if it has few of them. "
     "`places` has two integers for each instruction."},
    {"build", module_build, METH_VARARGS,
     "build(spec, numbers, array)\n--\n\nReturn a structure with these numbers in it."},
#ifdef GRADWALK_TEST_HOOKS
    {"_fail_memory", module_fail_memory, METH_VARARGS,
     "_fail_memory(after, times)\n--\n\nLet so many allocations succeed, then so many fail."},
    {"_live_memory", module_live_memory, METH_NOARGS, "_live_memory()\n--\n\nCount the blocks in use."},
#endif
    {"kernels", module_kernels, METH_VARARGS,
     "kernels([name])\n--\n\n"
     "Return the level of the kernels in use: base, avx2 or avx512. A name chooses another level for programs made "
     "from now on, None the best."},
    {NULL, NULL, 0, NULL},
};

/* A tuple of names as an attribute of the module. */
static int
add_names(PyObject *module, const char *attribute, const char *const *names, int count)
{
    PyObject *tuple = PyTuple_New(count);
    for (int k = 0; tuple != NULL && k < count; k++) {
        PyObject *name = PyUnicode_FromString(names[k]);
        if (name == NULL) {
            Py_CLEAR(tuple);
            break;
        }
        PyTuple_SET_ITEM(tuple, k, name);
    }
    int status = tuple == NULL ? -1 : PyModule_AddObjectRef(module, attribute, tuple);
    Py_XDECREF(tuple);
    return status;
}

static int
module_exec(PyObject *module)
{
    State *state = PyModule_GetState(module);
    if (processor_best() < 0) {
        PyErr_SetString(PyExc_ImportError, "gradwalk was compiled for another processor than this one; install it again "
                                           "with GRADWALK_LEVELS=all, or set GRADWALK_BACKEND=python");
        return -1;
    }
    PyObject *errors = PyImport_ImportModule("gradwalk.errors");
    if (errors == NULL) {
        return -1;
    }
    state->program_error = PyObject_GetAttrString(errors, "ProgramError");
    Py_DECREF(errors);
    if (state->program_error == NULL) {
        return -1;
    }
    state->replay_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &replay_spec, NULL);
    state->rolled_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &rolled_spec, NULL);
    if (state->replay_type == NULL || state->rolled_type == NULL ||
        PyModule_AddType(module, state->replay_type) < 0 || PyModule_AddType(module, state->rolled_type) < 0 ||
        recorder_begin(module, &state->recorder) < 0) {
        return -1;
    }
    int recorded = LAST_RECORDED + 1;
    return add_names(module, "CODES", code_names, recorded) < 0 ||
                   add_names(module, "MADE", code_names + recorded, CODE_COUNT - recorded) < 0
               ? -1
               : 0;
}

static int
module_traverse(PyObject *module, visitproc visit, void *arg)
{
    State *state = PyModule_GetState(module);
    Py_VISIT(state->program_error);
    Py_VISIT(state->replay_type);
    Py_VISIT(state->rolled_type);
    return recorder_traverse(&state->recorder, visit, arg);
}

static int
module_clear(PyObject *module)
{
    State *state = PyModule_GetState(module);
    Py_CLEAR(state->program_error);
    Py_CLEAR(state->replay_type);
    Py_CLEAR(state->rolled_type);
    recorder_clear(&state->recorder);
    return 0;
}

static void
module_free(void *module)
{
    module_clear(module);
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, module_exec},
    {0, NULL},
};

static PyModuleDef module_def = {
    PyModuleDef_HEAD_INIT,
    .m_name = "gradwalk.program._replay",
    .m_doc = "Runs recorded programs. Use gradwalk.compile.",
    .m_size = sizeof(State),
    .m_methods = module_methods,
    .m_slots = module_slots,
    .m_traverse = module_traverse,
    .m_clear = module_clear,
    .m_free = module_free,
};

PyMODINIT_FUNC
PyInit__replay(void)
{
    return PyModuleDef_Init(&module_def);
}

/* The C without Python around it, for tests/native, which has their names in the same order. All else is hidden. */
__attribute__((visibility("default"))) void (*const tested_functions[])(void);
#define TESTED(name) (void (*)(void)) name
void (*const tested_functions[])(void) = {
    TESTED(ir_new),       TESTED(ir_free),      TESTED(ir_add),      TESTED(ir_set_results),
    TESTED(ir_check),     TESTED(scalar_run),   TESTED(pass_tidy),   TESTED(pass_chains),
    TESTED(pass_adjoint), TESTED(pass_careful), TESTED(lanes_new),   TESTED(lanes_free),
    TESTED(lanes_run),    TESTED(lanes_sizes),  TESTED(lanes_text),  TESTED(lanes_choose),
    TESTED(row_of),      TESTED(rows),
};
