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
    static const char *const fields[4] = {"params", "grads", "mean", "square"};
    Py_buffer views[4];
    int held = 0;
    for (; held < 4; held++) {
        Py_ssize_t length = held ? views[0].len / 8 : -1;
        if (doubles_of(args[1 + held], &views[held], fields[held], length, held != 1) < 0) {
            break;
        }
    }
    bool fine = held == 4 && count_step(args[0]) == 0;
    if (fine) {
        AdamStep step = {number[RATE],        number[BETA1],       number[BETA2], number[EPSILON],
                         number[CORRECTION1], number[CORRECTION2], number[KEPT]};
        single_kernels()->adam(views[0].buf, views[1].buf, views[2].buf, views[3].buf,
                             (size_t)views[0].len / sizeof(double), &step);
    }
    while (held > 0) {
        PyBuffer_Release(&views[--held]);
    }
    return fine ? Py_NewRef(Py_None) : NULL;
}

PyObject *
module_sgd(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *counter, *params, *grads;
    double rate, decay;
    Py_buffer p, g;
    if (!PyArg_ParseTuple(args, "OOOdd:sgd", &counter, &params, &grads, &rate, &decay) ||
        doubles_of(params, &p, "params", -1, true) < 0) {
        return NULL;
    }
    if (doubles_of(grads, &g, "grads", p.len / 8, false) < 0) {
        PyBuffer_Release(&p);
        return NULL;
    }
    double *x = p.buf;
    const double *gradient = g.buf;
    bool fine = count_step(counter) == 0;
    for (Py_ssize_t k = 0; fine && k < p.len / 8; k++) {
        x[k] = sgd_moved(x[k], gradient[k], rate, decay);
    }
    PyBuffer_Release(&p);
    PyBuffer_Release(&g);
    return fine ? Py_NewRef(Py_None) : NULL;
}

PyObject *
module_momentum(PyObject *module, PyObject *args)
{
    (void)module;
    PyObject *counter, *params, *grads, *velocities;
    double rate, momentum, decay;
    int nesterov;
    Py_buffer p, g, w;
    if (!PyArg_ParseTuple(args, "OOOOddpd:momentum", &counter, &params, &grads, &velocities, &rate, &momentum, &nesterov,
                          &decay) ||
        doubles_of(params, &p, "params", -1, true) < 0) {
        return NULL;
    }
    if (doubles_of(grads, &g, "grads", p.len / 8, false) < 0) {
        PyBuffer_Release(&p);
        return NULL;
    }
    if (doubles_of(velocities, &w, "velocity", p.len / 8, true) < 0) {
        PyBuffer_Release(&p);
        PyBuffer_Release(&g);
        return NULL;
    }
    double *x = p.buf, *velocity = w.buf;
    const double *gradient = g.buf;
    bool fine = count_step(counter) == 0;
    for (Py_ssize_t k = 0; fine && k < p.len / 8; k++) {
        x[k] = momentum_moved(x[k], gradient[k], &velocity[k], rate, momentum, decay, nesterov);
    }
    PyBuffer_Release(&p);
    PyBuffer_Release(&g);
    PyBuffer_Release(&w);
    return fine ? Py_NewRef(Py_None) : NULL;
}
