/* The optimisers over lists of Values. The formulas are in optimiser_loops.h.
 *
 * A step moves all parameters and counts itself, or touches nothing and returns False: then something odd
 * was met, and the Python loop takes the step, with its errors. `scale_grads` and `clear_grads` work from
 * the first Value on, as long as nothing odd is met, and return how many they have done. No Python code
 * runs inside a loop, hence nothing can change the list under it, and no signal arrives.
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

/* What a step works on: Values that may all be touched directly, a counter of one number, and memory of a
 * number for each Value. */
typedef struct {
    Engine *engine;
    PyObject *values;
    Py_ssize_t count;
    Memory counter, memory[2];
} Step;

/* Returns 1 where C can take the whole step, 0 where it is Python's, and -1 on an error. */
static int
begin_step(Step *step, PyObject *module, PyObject *const *args, int memories, double *numbers, int total)
{
    *step = (Step){.engine = PyModule_GetState(module), .values = args[0], .count = PyList_GET_SIZE(args[0])};
    int known = read_numbers(args + 2 + memories, total, numbers) ? borrow(args[1], &step->counter) : 0;
    for (int i = 0; known > 0 && i < memories; i++) {
        known = borrow(args[2 + i], &step->memory[i]);
        if (known > 0 && step->memory[i].count < step->count) {
            known = 0;
        }
    }
    if (known > 0 && (step->counter.count != 1 || PyList_GET_SIZE(step->values) != step->count)) {
        known = 0;
    }
    for (Py_ssize_t i = 0; known > 0 && i < step->count; i++) {
        known = is_plain_at(step->engine, step->values, i);
    }
    return known;
}

static PyObject *
end_step(Step *step, int known)
{
    if (known > 0) {
        step->engine->writes++;
        step->counter.numbers[0] += 1.0;
    }
    give_back(&step->counter);
    give_back(&step->memory[0]);
    give_back(&step->memory[1]);
    return known < 0 ? NULL : PyBool_FromLong(known);
}

/* sgd(parameters, counter, rate, decay) */
static PyObject *
step_sgd(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    double numbers[2];
    Step step;
    if (check_call("sgd", args, count, 4) < 0) {
        return NULL;
    }
    int known = begin_step(&step, module, args, 0, numbers, 2);
    for (Py_ssize_t done = 0; known > 0 && done < step.count; done++) {
        Value *value = value_at(step.values, done);
        value->data = sgd_moved(value->data, value->grad, numbers[0], numbers[1]);
    }
    return end_step(&step, known);
}

/* momentum(parameters, counter, velocity, rate, momentum, decay, nesterov) */
static PyObject *
step_momentum(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    double numbers[3];
    Step step;
    if (check_call("momentum", args, count, 7) < 0) {
        return NULL;
    }
    int nesterov = PyObject_IsTrue(args[6]);
    if (nesterov < 0) {
        return NULL;
    }
    int known = begin_step(&step, module, args, 1, numbers, 3);
    for (Py_ssize_t done = 0; known > 0 && done < step.count; done++) {
        Value *value = value_at(step.values, done);
        value->data = momentum_moved(value->data, value->grad, &step.memory[0].numbers[done], numbers[0],
                                     numbers[1], numbers[2], nesterov);
    }
    return end_step(&step, known);
}

/* adam(parameters, counter, means, squares, rate, beta1, beta2, epsilon, bias_correction1, bias_correction2, kept) */
static PyObject *
step_adam(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    enum { RATE, BETA1, BETA2, EPSILON, CORRECTION1, CORRECTION2, KEPT, NUMBERS };
    double number[NUMBERS], data[CHUNK], grads[CHUNK];
    Step step;
    if (check_call("adam", args, count, 4 + NUMBERS) < 0) {
        return NULL;
    }
    int known = begin_step(&step, module, args, 2, number, NUMBERS);
    AdamStep adam = {number[RATE],        number[BETA1],       number[BETA2], number[EPSILON],
                     number[CORRECTION1], number[CORRECTION2], number[KEPT]};
    for (Py_ssize_t done = 0, size; known > 0 && done < step.count; done += size) {
        size = step.count - done < CHUNK ? step.count - done : CHUNK;
        for (Py_ssize_t index = 0; index < size; index++) {
            data[index] = value_at(step.values, done + index)->data;
            grads[index] = value_at(step.values, done + index)->grad;
        }
        adam_moved(&adam, (size_t)size, data, grads, step.memory[0].numbers + done, step.memory[1].numbers + done);
        for (Py_ssize_t index = 0; index < size; index++) {
            value_at(step.values, done + index)->data = data[index];
        }
    }
    return end_step(&step, known);
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
    STEP(sgd, "($module, parameters, counter, rate, decay, /)\n--\n\nReturn whether all were moved."),
    STEP(momentum, "($module, parameters, counter, velocity, rate, momentum, decay, nesterov, /)\n--\n\n"
                   "Return whether all were moved."),
    STEP(adam, "($module, parameters, counter, means, squares, rate, beta1, beta2, epsilon, bias_correction1, "
               "bias_correction2, kept, /)\n--\n\nReturn whether all were moved."),
    STEP(scale_grads, "($module, values, share, /)\n--\n\nReturn how many were scaled."),
    STEP(clear_grads, "($module, values, /)\n--\n\nReturn how many were cleared."),
    {NULL, NULL, 0, NULL},
};
