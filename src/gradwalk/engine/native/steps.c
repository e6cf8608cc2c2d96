/* The loops of the optimisers, the twin of gradwalk/optim.py, which is the specification.
 *
 * Each function moves parameters from the first on, as long as they are Values themselves and nothing
 * odd is met, and returns how many it has moved: the Python loop goes on from there, with its errors.
 * So there is nothing to check before and nothing to undo. No Python code runs inside a loop, hence
 * nothing can change the list under it.
 *
 * What an optimiser remembers that is smaller than any normal double becomes 0: after some thousand
 * steps without a gradient such numbers would make every step twice as slow.
 * Start reading at `step_adam`.
 */
#include "engine.h"

#include <float.h>
#include <math.h>

#define CHUNK 64 /* parameters whose numbers are gathered into arrays, for the compiler to vectorise */

static inline double
flush(double number)
{
    return fabs(number) < DBL_MIN ? 0.0 : number;
}

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
        value->data -= rate * (value->grad + decay * value->data);
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
        double grad = value->grad + decay * value->data;
        double speed = flush(momentum * velocity.numbers[done] + grad);
        velocity.numbers[done] = speed;
        value->data -= rate * (nesterov ? grad + momentum * speed : speed);
    }
    give_back(&velocity);
    return PyLong_FromSsize_t(done);
}

/* What one step of Adam needs to know. */
typedef struct {
    double rate, beta1, beta2, lack1, lack2, epsilon;
} AdamStep;

/* Compute the moves of `count` parameters; false where Python would raise, with nothing changed. */
static bool
adam_chunk(const AdamStep *step, Py_ssize_t count, const double *restrict grads,
           const double *restrict old_means, const double *restrict old_squares,
           double *restrict means, double *restrict squares, double *restrict moves)
{
    double beta1 = step->beta1, beta2 = step->beta2, rest1 = 1 - beta1, rest2 = 1 - beta2;
    double lack1 = step->lack1, lack2 = step->lack2, rate = step->rate, epsilon = step->epsilon;
    int zeros = 0;
    for (Py_ssize_t index = 0; index < count; index++) {
        double grad = grads[index];
        means[index] = flush(beta1 * old_means[index] + rest1 * grad);
        squares[index] = flush(beta2 * old_squares[index] + rest2 * (grad * grad));
    }
    for (Py_ssize_t index = 0; index < count; index++) {
        moves[index] = rate * (means[index] / lack1) / (sqrt(squares[index] / lack2) + epsilon);
    }
    for (Py_ssize_t index = 0; index < count; index++) { /* apart: the loop above is vectorised */
        zeros |= epsilon > 0.0 ? squares[index] < 0.0 : squares[index] <= 0.0;
    }
    return !zeros;
}

/* adam(parameters, means, squares, rate, beta1, beta2, lack1, lack2, epsilon) */
static PyObject *
step_adam(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    Engine *engine = PyModule_GetState(module);
    double numbers[6], grads[CHUNK], new_means[CHUNK], new_squares[CHUNK], moves[CHUNK];
    Memory means = {.numbers = NULL}, squares = {.numbers = NULL};
    if (check_call("adam", args, count, 9) < 0) {
        return NULL;
    }
    Py_ssize_t done = 0;
    int known = borrow(args[1], &means);
    if (known > 0) {
        known = borrow(args[2], &squares);
    }
    if (known > 0 && read_numbers(args + 3, 6, numbers) && numbers[3] > 0.0 && numbers[4] > 0.0 &&
        numbers[5] >= 0.0) {
        AdamStep step = {numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]};
        Py_ssize_t total = means.count < squares.count ? means.count : squares.count;
        engine->writes++;
        for (;;) {
            Py_ssize_t size = 0;
            while (size < CHUNK && done + size < total &&
                   is_plain_at(engine, args[0], done + size)) {
                grads[size] = value_at(args[0], done + size)->grad;
                size++;
            }
            if (size == 0) {
                break;
            }
            if (!adam_chunk(&step, size, grads, means.numbers + done, squares.numbers + done,
                            new_means, new_squares, moves)) {
                break;
            }
            memcpy(means.numbers + done, new_means, (size_t)size * sizeof(double));
            memcpy(squares.numbers + done, new_squares, (size_t)size * sizeof(double));
            for (Py_ssize_t index = 0; index < size; index++) {
                value_at(args[0], done + index)->data -= moves[index];
            }
            done += size;
        }
    }
    give_back(&squares);
    give_back(&means);
    return known < 0 ? NULL : PyLong_FromSsize_t(done);
}

/* scale_data(parameters, share) and scale_grads(parameters, share) */
static PyObject *
scale(PyObject *module, PyObject *const *args, Py_ssize_t count, const char *name, bool grads)
{
    Engine *engine = PyModule_GetState(module);
    double share;
    if (check_call(name, args, count, 2) < 0) {
        return NULL;
    }
    if (!read_numbers(args + 1, 1, &share)) {
        return PyLong_FromLong(0);
    }
    Py_ssize_t done = 0;
    engine->writes += !grads;
    for (; is_plain_at(engine, args[0], done); done++) {
        Value *value = value_at(args[0], done);
        double *number = grads ? &value->grad : &value->data;
        *number *= share;
    }
    return PyLong_FromSsize_t(done);
}

static PyObject *
step_scale_data(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    return scale(module, args, count, "scale_data", false);
}

static PyObject *
step_scale_grads(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    return scale(module, args, count, "scale_grads", true);
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
    STEP(adam, "($module, parameters, means, squares, rate, beta1, beta2, lack1, lack2, epsilon, /)"
               "\n--\n\nReturn how many were moved."),
    STEP(scale_data, "($module, values, share, /)\n--\n\nReturn how many were scaled."),
    STEP(scale_grads, "($module, values, share, /)\n--\n\nReturn how many were scaled."),
    STEP(clear_grads, "($module, values, /)\n--\n\nReturn how many were cleared."),
    {NULL, NULL, 0, NULL},
};
