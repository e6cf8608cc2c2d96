/* Arguments in, results out, without Python in between: what structure.py calls a Spec, walked in C. */
#ifndef GRADWALK_STRUCTURE_H
#define GRADWALK_STRUCTURE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>

/* Write the numbers of `thing`, whose structure is `spec`, from *to on, and move *to behind them. False where it
 * is another structure, where there is no room up to `end`, or where only Python knows: a Value, a dataclass, a
 * subclass of float. It runs no code of the user's, so nothing can come between it and the run. */
bool structure_read(PyObject *spec, PyObject *thing, double **to, const double *end);

/* Return `spec` with the numbers from *from on in it, and move *from behind them; NULL with an exception, as where
 * it takes more numbers than there are up to `end`. `array(numbers, shape)` makes an array from a bytearray. Not for
 * dataclasses: see structure.is_plain. */
PyObject *structure_build(PyObject *spec, const double **from, const double *end, PyObject *array);

#endif
