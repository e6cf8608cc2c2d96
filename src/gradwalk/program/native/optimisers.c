/* The optimisers over arrays. The formulas are in engine/native/optimiser_loops.h. */

#include "buffers.h"
#include "single.h"

#include "optimisers.h"

/* Count a step before its move: nothing can come between them in one call into C. */
static int
count_step(PyObject *counter)
{
    Py_buffer view;
    if (doubles_of(counter, &view, "counter", 1, true) < 0) {
        return -1;
    }
    ((double *)view.buf)[0] += 1.0;
    PyBuffer_Release(&view);
    return 0;
}

/* Hold arrays of one length, which stand behind the counter of steps, and count one. All but the gradients are written. */
static bool
hold(PyObject *const *things, const char *const *fields, Py_buffer *views, int count)
{
    for (int k = 0; k < count; k++) {
        Py_ssize_t length = k > 0 ? views[0].len / 8 : -1;
        if (doubles_of(things[1 + k], &views[k], fields[k], length, k != 1) < 0) {
            return false;
        }
    }
    return count_step(things[0]) == 0;
}

static PyObject *
released(Py_buffer *views, int count, bool fine)
{
    release_arrays(views, count);
    return fine ? Py_NewRef(Py_None) : NULL;
}

PyObject *
module_adam(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    enum { RATE, BETA1, BETA2, EPSILON, CORRECTION1, CORRECTION2, KEPT, NUMBERS };
    if (count != 5 + NUMBERS) {
        PyErr_Format(PyExc_TypeError, "adam takes five arrays and seven numbers, not %zd arguments", count);
        return NULL;
    }
    double number[NUMBERS];
    for (Py_ssize_t k = 0; k < NUMBERS; k++) {
        number[k] = PyFloat_AsDouble(args[5 + k]);
        if (number[k] == -1.0 && PyErr_Occurred()) {
            return NULL;
        }
    }
    static const char *const fields[] = {"params", "grads", "mean", "square"};
    Py_buffer views[4] = {{0}};
    bool fine = hold(args, fields, views, 4);
    if (fine) {
        AdamStep step = {number[RATE],        number[BETA1],       number[BETA2], number[EPSILON],
                         number[CORRECTION1], number[CORRECTION2], number[KEPT]};
        single_kernels()->adam(views[0].buf, views[1].buf, views[2].buf, views[3].buf,
                               (size_t)views[0].len / sizeof(double), &step);
    }
    return released(views, 4, fine);
}

PyObject *
module_sgd(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *things[3];
    double rate, decay;
    if (!PyArg_ParseTuple(args, "OOOdd:sgd", &things[0], &things[1], &things[2], &rate, &decay)) {
        return NULL;
    }
    static const char *const fields[] = {"params", "grads"};
    Py_buffer views[2] = {{0}};
    bool fine = hold(things, fields, views, 2);
    double *x = views[0].buf;
    const double *gradient = views[1].buf;
    for (Py_ssize_t k = 0; fine && k < views[0].len / 8; k++) {
        x[k] = sgd_moved(x[k], gradient[k], rate, decay);
    }
    return released(views, 2, fine);
}

PyObject *
module_momentum(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *things[4];
    double rate, momentum, decay;
    int nesterov;
    if (!PyArg_ParseTuple(args, "OOOOddpd:momentum", &things[0], &things[1], &things[2], &things[3], &rate, &momentum,
                          &nesterov, &decay)) {
        return NULL;
    }
    static const char *const fields[] = {"params", "grads", "velocity"};
    Py_buffer views[3] = {{0}};
    bool fine = hold(things, fields, views, 3);
    double *x = views[0].buf, *velocity = views[2].buf;
    const double *gradient = views[1].buf;
    for (Py_ssize_t k = 0; fine && k < views[0].len / 8; k++) {
        x[k] = momentum_moved(x[k], gradient[k], &velocity[k], rate, momentum, decay, nesterov);
    }
    return released(views, 3, fine);
}
