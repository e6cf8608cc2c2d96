/* The module gradwalk.engine._native: builds the type, fills the Engine, and hands both out.
 *
 * Nothing is shared between interpreters: all state is in the Engine, the module's state. On a
 * free-threaded Python the module asks for the lock, because a node's parts change together.
 * Start reading at `module_exec`.
 */
#include "engine.h"

/* constant(number): the number as a node tagged const, or None when it is not a real number. */
static PyObject *
constant(PyObject *module, PyObject *number)
{
    Engine *engine = PyModule_GetState(module);
    double data;
    int known = read_real(engine, number, &data);
    if (known <= 0) {
        return known ? NULL : Py_NewRef(Py_None);
    }
    return (PyObject *)make_leaf(engine, data, OP_CONST);
}

/* modes.py tells how many switches are on, in all threads together. */
static PyObject *
set_active(PyObject *module, PyObject *active)
{
    Py_ssize_t count = PySet_Size(active);
    if (count == -1 && PyErr_Occurred()) {
        return NULL;
    }
    ((Engine *)PyModule_GetState(module))->active = count;
    Py_RETURN_NONE;
}

/* For a script that runs on this Value in place of its own: see engine/reference.py. */
static PyObject *
keep_interior_grads(PyObject *module, PyObject *on)
{
    int truth = PyObject_IsTrue(on);
    if (truth < 0) {
        return NULL;
    }
    ((Engine *)PyModule_GetState(module))->keeps_interior = truth;
    Py_RETURN_NONE;
}

#ifdef GRADWALK_TEST_HOOKS
/* Let `count` more slabs be made, then none; -1 for no limit. */
static PyObject *
fail_slabs_after(PyObject *Py_UNUSED(module), PyObject *count)
{
    slab_fail_after = PyLong_AsLong(count);
    return PyErr_Occurred() ? NULL : Py_NewRef(Py_None);
}
#endif

static PyMethodDef module_functions[] = {
    {"topological_order", topological_order, METH_O,
     "topological_order($module, root, /)\n--\n\n"
     "Return the nodes below and including `root`, inputs before consumers, each once."},
    {"outdated", outdated, METH_O,
     "outdated($module, root, /)\n--\n\n"
     "Return a node below `root` that the data of its inputs would no longer give, or None."},
    {"constant", constant, METH_O,
     "constant($module, number, /)\n--\n\n"
     "Return a plain number as a node tagged const, or None when it is not a real number.\n\n"
     "It does not vary, so the local gradient towards it is 0."},
    {"record", (PyCFunction)(void (*)(void))record_list, METH_FASTCALL,
     "record($module, data, op, inputs, local_grads, /)\n--\n\n"
     "Return the node that an operation over a list makes, with local gradient 0 to constants."},
    {"keep_interior_grads", keep_interior_grads, METH_O,
     "keep_interior_grads($module, on, /)\n--\n\n"
     "Let backward() add to gradients of inner nodes, as micrograd's does, or start them at 0."},
    {"_set_active", set_active, METH_O, NULL},
#ifdef GRADWALK_TEST_HOOKS
    {"_fail_slabs_after", fail_slabs_after, METH_O, NULL},
#endif
    {NULL, NULL, 0, NULL},
};

/* Fetch module.name, a new reference. */
static PyObject *
fetch(const char *module_name, const char *name)
{
    PyObject *module = PyImport_ImportModule(module_name);
    PyObject *thing = module ? PyObject_GetAttrString(module, name) : NULL;
    Py_XDECREF(module);
    return thing;
}

static int
set_from(PyObject *type, const char *attribute, const char *module_name, const char *name)
{
    PyObject *thing = fetch(module_name, name);
    int status = thing ? PyObject_SetAttrString(type, attribute, thing) : -1;
    Py_XDECREF(thing);
    return status;
}

static int
fetch_words(Engine *engine)
{
    const struct {
        PyObject **place;
        const char *text;
    } names[] = {
        {&engine->name_data, "data"},         {&engine->name_grad, "grad"},
        {&engine->name_real, "real"},         {&engine->name_value, "value"},
        {&engine->name_partials, "partials"}, {&engine->name_derived, "derived"},
        {&engine->name_backward, "_backward"}, {&engine->name_nary, "nary"},
        {&engine->empty, ""},                 {&engine->symbols[OP_NONE], ""},
        {&engine->symbols[OP_CONST], "const"},
    };
    for (size_t index = 0; index < Py_ARRAY_LENGTH(names); index++) {
        if (!(*names[index].place = PyUnicode_InternFromString(names[index].text))) {
            return -1;
        }
    }
    const struct {
        PyObject **place;
        const char *module_name, *name;
    } things[] = {
        {&engine->ops_real, "gradwalk.ops", "real"},
        {&engine->modes_current, "gradwalk.engine.modes", "current"},
        {&engine->modes_calling_line, "gradwalk.engine.modes", "calling_line"},
        {&engine->modes_forbid, "gradwalk.engine.modes", "forbid"},
        {&engine->modes_compared, "gradwalk.engine.modes", "compared"},
        {&engine->modes_recorder, "gradwalk.engine.modes", "recorder"},
        {&engine->modes_leave_graph, "gradwalk.engine.modes", "leave_graph"},
        {&engine->modes_current_scope, "gradwalk.engine.modes", "current_scope"},
        {&engine->operand_error, "gradwalk.errors", "OperandError"},
        {&engine->backward_error, "gradwalk.errors", "BackwardError"},
        {&engine->anomaly_error, "gradwalk.errors", "AnomalyError"},
    };
    for (size_t index = 0; index < Py_ARRAY_LENGTH(things); index++) {
        *things[index].place = fetch(things[index].module_name, things[index].name);
        if (!*things[index].place) {
            return -1;
        }
    }
    engine->docs = PyList_New(0);
    engine->codes = PyDict_New();
    PyObject *code = engine->codes && engine->docs ? PyLong_FromLong(OP_CONST) : NULL;
    int status = code ? PyDict_SetItem(engine->codes, engine->symbols[OP_CONST], code) : -1;
    Py_XDECREF(code);
    return status;
}

/* Make a type whose name in error texts is that of a Python class: without its module. */
static PyTypeObject *
make_type(PyObject *module, PyType_Spec *spec)
{
    PyObject *type = PyType_FromModuleAndSpec(module, spec, NULL);
    PyObject *name = type ? PyType_GetName((PyTypeObject *)type) : NULL;
    if (!name || PyObject_SetAttrString(type, "__name__", name) < 0 ||
        PyModule_AddObjectRef(module, PyUnicode_AsUTF8(name), type) < 0) {
        Py_CLEAR(type);
    }
    Py_XDECREF(name);
    return (PyTypeObject *)type;
}

/* Ask modes.py to tell us about its switches. */
static int
listen_to_modes(PyObject *module)
{
    PyObject *listen = fetch("gradwalk.engine.modes", "listen");
    PyObject *tell = listen ? PyObject_GetAttrString(module, "_set_active") : NULL;
    PyObject *answer = tell ? PyObject_CallOneArg(listen, tell) : NULL;
    Py_XDECREF(listen);
    Py_XDECREF(tell);
    Py_XDECREF(answer);
    return answer ? 0 : -1;
}

/* Let Python compare names: `_CODES` is {symbol: code}, `_FLAGS` {switch: flag}. */
static int
add_codes(PyObject *module, const Engine *engine)
{
    PyObject *codes = PyDict_Copy(engine->codes);
    PyObject *flags = Py_BuildValue("{si,si,si,si,si}", "NO_GRAD", NO_GRAD, "ANOMALY", ANOMALY,
                                    "LINES", LINES, "SCOPES", SCOPES, "STRICT", STRICT);
    int status = codes && flags && PyModule_AddObjectRef(module, "_CODES", codes) == 0 &&
                         PyModule_AddObjectRef(module, "_FLAGS", flags) == 0
                     ? 0
                     : -1;
    Py_XDECREF(codes);
    Py_XDECREF(flags);
    return status;
}

static int
module_exec(PyObject *module)
{
    Engine *engine = PyModule_GetState(module);
    PyObject *table = NULL, *method = NULL;
    int status = -1;
    if (fetch_words(engine) < 0) {
        goto fail;
    }
    if (!(engine->type = make_type(module, &value_spec)) ||
        !(engine->buffers_type = make_type(module, &buffers_spec))) {
        goto fail;
    }
    table = fetch("gradwalk.ops", "TABLE");
    method = fetch("gradwalk.engine.reference", "_method");
    if (!table || !method || install_rows(engine, table, method) < 0 ||
        install_kinds(engine) < 0 || PyModule_AddFunctions(module, nary_functions) < 0 ||
        PyModule_AddFunctions(module, step_functions) < 0) {
        goto fail;
    }
    PyObject *type = (PyObject *)engine->type;
    if (set_from(type, "__copy__", "gradwalk.engine.copying", "copy") < 0 ||
        set_from(type, "__deepcopy__", "gradwalk.engine.copying", "deepcopy") < 0 ||
        set_from(type, "__reduce_ex__", "gradwalk.engine.copying", "reduce") < 0 ||
        listen_to_modes(module) < 0) {
        goto fail;
    }
    if (add_codes(module, engine) < 0) {
        goto fail;
    }
    engine->type->tp_vectorcall = value_vectorcall;
    status = 0;
fail:
    Py_XDECREF(table);
    Py_XDECREF(method);
    return status;
}

static int
module_traverse(PyObject *module, visitproc visit, void *arg)
{
    Engine *engine = PyModule_GetState(module);
    Py_VISIT(engine->type);
    if (engine->type && slab_is_idle(engine)) {
        Py_VISIT(engine->type); /* the reference of a slab without nodes is ours too */
    }
    Py_VISIT(engine->buffers_type);
    for (int code = 0; code < MOST_OPERATIONS; code++) {
        Py_VISIT(engine->rows[code]);
    }
    Py_VISIT(engine->ops_real);
    Py_VISIT(engine->recorded);
    Py_VISIT(engine->modes_current);
    Py_VISIT(engine->modes_calling_line);
    Py_VISIT(engine->modes_forbid);
    Py_VISIT(engine->modes_recorder);
    Py_VISIT(engine->modes_compared);
    Py_VISIT(engine->modes_current_scope);
    Py_VISIT(engine->operand_error);
    Py_VISIT(engine->backward_error);
    Py_VISIT(engine->anomaly_error);
    Py_VISIT(engine->modes_leave_graph);
    return 0;
}

static int
module_clear(PyObject *module)
{
    Engine *engine = PyModule_GetState(module);
    if (engine->type) {
        slab_release_all(engine);
    }
    free_spare_blocks(engine);
    for (int code = 0; code < MOST_OPERATIONS; code++) {
        Py_CLEAR(engine->rows[code]);
        Py_CLEAR(engine->symbols[code]);
    }
    Py_CLEAR(engine->buffers_type);
    Py_CLEAR(engine->ops_real);
    Py_CLEAR(engine->recorded);
    Py_CLEAR(engine->modes_current);
    Py_CLEAR(engine->modes_calling_line);
    Py_CLEAR(engine->modes_forbid);
    Py_CLEAR(engine->modes_recorder);
    Py_CLEAR(engine->modes_compared);
    Py_CLEAR(engine->modes_current_scope);
    Py_CLEAR(engine->operand_error);
    Py_CLEAR(engine->backward_error);
    Py_CLEAR(engine->anomaly_error);
    Py_CLEAR(engine->modes_leave_graph);
    Py_CLEAR(engine->name_data);
    Py_CLEAR(engine->name_grad);
    Py_CLEAR(engine->name_real);
    Py_CLEAR(engine->name_value);
    Py_CLEAR(engine->name_partials);
    Py_CLEAR(engine->name_derived);
    Py_CLEAR(engine->name_backward);
    Py_CLEAR(engine->name_nary);
    Py_CLEAR(engine->empty);
    Py_CLEAR(engine->codes);
    Py_CLEAR(engine->type);
    return 0;
}

static void
module_free(void *module)
{
    Engine *engine = PyModule_GetState(module);
    module_clear(module);
    Py_CLEAR(engine->docs);
    scratch_free(&engine->scratch);
    PyMem_RawFree(engine->listed.nodes);
    engine->listed = (Listed){0};
    PyMem_Free(engine->methods);
    engine->methods = NULL;
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, module_exec},
#if PY_VERSION_HEX >= 0x030C0000
    {Py_mod_multiple_interpreters, Py_MOD_PER_INTERPRETER_GIL_SUPPORTED},
#endif
#if PY_VERSION_HEX >= 0x030D0000
    {Py_mod_gil, Py_MOD_GIL_USED},
#endif
    {0, NULL},
};

static PyModuleDef module_definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "gradwalk.engine._native",
    .m_doc = "The engine in C: the same Value as in `reference`, bit for bit.",
    .m_size = sizeof(Engine),
    .m_methods = module_functions,
    .m_slots = module_slots,
    .m_traverse = module_traverse,
    .m_clear = module_clear,
    .m_free = module_free,
};

PyMODINIT_FUNC
PyInit__native(void)
{
    return PyModuleDef_Init(&module_definition);
}
