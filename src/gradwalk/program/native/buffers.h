/* Arrays of Python's, read and written where they lie. */
#ifndef GRADWALK_BUFFERS_H
#define GRADWALK_BUFFERS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>

/* Fill `view` with a contiguous buffer of this kind of number: 'd', 'i', 'q' or 'B'. 0, or -1 with an exception
 * that calls it `name`. */
int numbers_of(PyObject *thing, Py_buffer *view, const char *name, char kind, Py_ssize_t size, bool writable);

/* The same for so many doubles; any number of them when `count` is -1. */
int doubles_of(PyObject *thing, Py_buffer *view, const char *name, Py_ssize_t count, bool writable);

#endif
