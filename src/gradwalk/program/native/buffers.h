/* Python's arrays, read and written in place. */
#ifndef GRADWALK_BUFFERS_H
#define GRADWALK_BUFFERS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>

/* Fill `view` with a contiguous buffer of numbers of one kind: 'd', 'i', 'q' or 'B'. Returns 0, or -1 with an
 * exception that names it `name`. */
int numbers_of(PyObject *thing, Py_buffer *view, const char *name, char kind, Py_ssize_t size, bool writable);

/* The same for `count` doubles, or for any number of doubles if `count` is -1. */
int doubles_of(PyObject *thing, Py_buffer *view, const char *name, Py_ssize_t count, bool writable);

/* Take the buffers of some arrays of these kinds. False with an exception; `views` are zeros before, and what was taken
 * is released all the same. */
bool hold_arrays(PyObject *const *things, Py_buffer *views, const char *const *names, const char *kinds, int count);
void release_arrays(Py_buffer *views, int count);

#endif
