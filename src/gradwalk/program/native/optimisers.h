/* Functions of the module: one step of an optimiser, in place. */
#ifndef GRADWALK_OPTIMISERS_H
#define GRADWALK_OPTIMISERS_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

PyObject *module_sgd(PyObject *module, PyObject *args);
PyObject *module_momentum(PyObject *module, PyObject *args);
PyObject *module_adam(PyObject *module, PyObject *const *args, Py_ssize_t count);

#endif
