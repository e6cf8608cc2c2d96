/* Arguments to numbers and numbers to results, in C. A `spec` is a Spec of structure.py. */
#ifndef GRADWALK_STRUCTURE_H
#define GRADWALK_STRUCTURE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>

/* Write the numbers of `thing`, which has the structure `spec`, to *to, and advance *to. Returns false if the
 * structure differs, if they do not fit before `end`, or if only Python can read it: a Value, a dataclass, a subclass
 * of float. No Python code runs, unless it returns false: the error that it drops may have made Python collect garbage. */
bool structure_read(PyObject *spec, PyObject *thing, double **to, const double *end);

/* Build the result of `spec` from the numbers at *from, and advance *from. Returns NULL with an exception, for
 * example if there are too few numbers before `end`. `array(numbers, shape)` makes an array from a bytearray. Does
 * not build dataclasses: see structure.is_plain. */
PyObject *structure_build(PyObject *spec, const double **from, const double *end, PyObject *array);

#endif
