/* The optimisers over lists of Values. The formulas are in optimiser_loops.h.
 *
 * Each function moves parameters from the first on, as long as they are Values themselves and nothing
 * odd is met, and returns how many it has moved: the Python loop goes on from there, with its errors.
 * So there is nothing to check before and nothing to undo. No Python code runs inside a loop, hence
 * nothing can change the list under it.
 * Start reading at `step_adam`.
 */
#include "engine.h"
#include "optimiser_loops.h"

#define CHUNK 64 /* parameters whose numbers are gathered into arrays, for the compiler to vectorise */

/* Read `count` numbers that are floats or small ints; false for any other. */
static bool
read_numbers(PyObject *const *args, Py_ssize_t count, double *numbers)
{
    for (Py_ssize_t index = 0; index < count; index++) {
        if (PyFloat_CheckExact(args[index])) {
            numbers[index] = PyFloat_AS_DOUBLE(args[index]);
            continue;
        }
        int overflow = 1;
        long whole = PyLong_CheckExact(args[index]) ? PyLong_AsLongAndOverflow(args[index], &overflow)
                                                    : 0;
        if (overflow || whole > 1 << 30 || whole < -(1 << 30)) {
            return false;
        }
        numbers[index] = (double)whole;
    }
    return true;
}

/* Whether `name` was called with as many arguments as it takes, a list first. */
static int
check_call(const char *name, PyObject *const *args, Py_ssize_t count, Py_ssize_t wanted)
{
    if (count != wanted || !PyList_Check(args[0])) {
        PyErr_Format(PyExc_TypeError, "%s takes a list and %zd more", name, wanted - 1);
        return -1;
    }
    return 0;
}

/* Whether the list's next entry is a Value whose parts may be touched directly. */
static inline bool
is_plain_at(const Engine *engine, PyObject *list, Py_ssize_t index)
{
    return index < PyList_GET_SIZE(list) &&
           Py_TYPE(PyList_GET_ITEM(list, index)) == engine->type;
}

static inline Value *
value_at(PyObject *list, Py_ssize_t index)
{
    return (Value *)PyList_GET_ITEM(list, index);
}

/* An array of doubles, borrowed from its owner until `give_back`. */
typedef struct {
    Py_buffer view;
    double *numbers;
    Py_ssize_t count;
} Memory;

/* Returns 1 for an array of doubles, 0 for anything else, and -1 on an error. */
static int
borrow(PyObject *array, Memory *memory)
{
    memory->numbers = NULL;
    memory->count = 0;
    if (!PyObject_CheckBuffer(array)) {
        return 0;
    }
    if (PyObject_GetBuffer(array, &memory->view, PyBUF_CONTIG | PyBUF_FORMAT) < 0) {
        return -1;
    }
    if (!memory->view.format || strcmp(memory->view.format, "d") != 0) {
        PyBuffer_Release(&memory->view);
        return 0;
    }
    memory->numbers = memory->view.buf;
    memory->count = memory->view.len / (Py_ssize_t)sizeof(double);
    return 1;
}

static void
give_back(Memory *memory)
{
    if (memory->numbers) {
        PyBuffer_Release(&memory->view);
    }
}

/* sgd(parameters, rate, decay) */
static PyObject *
step_sgd(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    Engine *engine = PyModule_GetState(module);
    double numbers[2];
    if (check_call("sgd", args, count, 3) < 0) {
        return NULL;
    }
    if (!read_numbers(args + 1, 2, numbers)) {
        return PyLong_FromLong(0);
    }
    double rate = numbers[0], decay = numbers[1];
    Py_ssize_t done = 0;
    engine->writes++;
    for (; is_plain_at(engine, args[0], done); done++) {
        Value *value = value_at(args[0], done);
        value->data = sgd_moved(value->data, value->grad, rate, decay);
    }
    return PyLong_FromSsize_t(done);
}

/* momentum(parameters, velocity, rate, momentum, decay, nesterov) */
static PyObject *
step_momentum(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    Engine *engine = PyModule_GetState(module);
    double numbers[3];
    Memory velocity;
    if (check_call("momentum", args, count, 6) < 0) {
        return NULL;
    }
    int nesterov = PyObject_IsTrue(args[5]);
    int known = nesterov < 0 ? -1 : borrow(args[1], &velocity);
    if (known <= 0 || !read_numbers(args + 2, 3, numbers)) {
        if (known > 0) {
            give_back(&velocity);
        }
        return known < 0 ? NULL : PyLong_FromLong(0);
    }
    double rate = numbers[0], momentum = numbers[1], decay = numbers[2];
    Py_ssize_t done = 0;
    engine->writes++;
    for (; done < velocity.count && is_plain_at(engine, args[0], done); done++) {
        Value *value = value_at(args[0], done);
        value->data = momentum_moved(value->data, value->grad, &velocity.numbers[done], rate, momentum,
                                     decay, nesterov);
    }
    give_back(&velocity);
    return PyLong_FromSsize_t(done);
}

/* adam(parameters, means, squares, rate, beta1, beta2, epsilon, bias_correction1, bias_correction2, kept) */
static PyObject *
step_adam(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    enum { RATE, BETA1, BETA2, EPSILON, CORRECTION1, CORRECTION2, KEPT, NUMBERS };
    Engine *engine = PyModule_GetState(module);
    double number[NUMBERS], data[CHUNK], grads[CHUNK];
    Memory means = {.numbers = NULL}, squares = {.numbers = NULL};
    if (check_call("adam", args, count, 3 + NUMBERS) < 0) {
        return NULL;
    }
    Py_ssize_t done = 0;
    int known = borrow(args[1], &means);
    if (known > 0) {
        known = borrow(args[2], &squares);
    }
    if (known > 0 && read_numbers(args + 3, NUMBERS, number)) {
        AdamStep step = {number[RATE],        number[BETA1],       number[BETA2], number[EPSILON],
                         number[CORRECTION1], number[CORRECTION2], number[KEPT]};
        Py_ssize_t total = means.count < squares.count ? means.count : squares.count;
        engine->writes++;
        for (;;) {
            Py_ssize_t size = 0;
            while (size < CHUNK && done + size < total && is_plain_at(engine, args[0], done + size)) {
                Value *value = value_at(args[0], done + size);
                data[size] = value->data;
                grads[size] = value->grad;
                size++;
            }
            if (size == 0) {
                break;
            }
            adam_moved(&step, (size_t)size, data, grads, means.numbers + done, squares.numbers + done);
            for (Py_ssize_t index = 0; index < size; index++) {
                value_at(args[0], done + index)->data = data[index];
            }
            done += size;
        }
    }
    give_back(&squares);
    give_back(&means);
    return known < 0 ? NULL : PyLong_FromSsize_t(done);
}

/* scale_grads(parameters, share) */
static PyObject *
step_scale_grads(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    Engine *engine = PyModule_GetState(module);
    double share;
    if (check_call("scale_grads", args, count, 2) < 0) {
        return NULL;
    }
    if (!read_numbers(args + 1, 1, &share)) {
        return PyLong_FromLong(0);
    }
    Py_ssize_t done = 0;
    for (; is_plain_at(engine, args[0], done); done++) {
        value_at(args[0], done)->grad *= share;
    }
    return PyLong_FromSsize_t(done);
}

/* clear_grads(values) */
static PyObject *
step_clear_grads(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    Engine *engine = PyModule_GetState(module);
    if (check_call("clear_grads", args, count, 1) < 0) {
        return NULL;
    }
    Py_ssize_t done = 0;
    for (; is_plain_at(engine, args[0], done); done++) {
        value_at(args[0], done)->grad = 0.0;
    }
    return PyLong_FromSsize_t(done);
}

#define STEP(name, text) \
    {#name, (PyCFunction)(void (*)(void))step_##name, METH_FASTCALL, #name text}

PyMethodDef step_functions[] = {
    STEP(sgd, "($module, parameters, rate, decay, /)\n--\n\nReturn how many were moved."),
    STEP(momentum, "($module, parameters, velocity, rate, momentum, decay, nesterov, /)\n--\n\n"
                   "Return how many were moved."),
    STEP(adam, "($module, parameters, means, squares, rate, beta1, beta2, epsilon, bias_correction1, "
               "bias_correction2, kept, /)\n--\n\nReturn how many were moved."),
    STEP(scale_grads, "($module, values, share, /)\n--\n\nReturn how many were scaled."),
    STEP(clear_grads, "($module, values, /)\n--\n\nReturn how many were cleared."),
    {NULL, NULL, 0, NULL},
};
