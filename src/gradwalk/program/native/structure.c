#include "structure.h"

#include <string.h>

/* A spec is "n", or a tuple that starts with the name of its kind. The first letter tells the kinds apart. */
static Py_UCS4
kind_of(PyObject *spec)
{
    PyObject *name = PyTuple_CheckExact(spec) && PyTuple_GET_SIZE(spec) >= 2 ? PyTuple_GET_ITEM(spec, 0) : spec;
    return PyUnicode_CheckExact(name) && PyUnicode_GET_LENGTH(name) > 0 ? PyUnicode_READ_CHAR(name, 0) : 0;
}

static PyObject *
parts_of(PyObject *spec)
{
    return PyTuple_GET_ITEM(spec, PyTuple_GET_SIZE(spec) - 1);
}

/* ── Reading ────────────────────────────────────────────────────────────────────────────────── */

/* Whether it is numpy's own type of this name. Python code can name a class as it likes, but its types are mutable. */
static bool
is_of_numpy(PyObject *thing, const char *name)
{
    const PyTypeObject *type = Py_TYPE(thing);
    return strcmp(type->tp_name, name) == 0 && type->tp_flags & Py_TPFLAGS_IMMUTABLETYPE;
}

static bool
read_number(PyObject *thing, double *to)
{
    if (PyFloat_CheckExact(thing) || (PyFloat_Check(thing) && is_of_numpy(thing, "numpy.float64"))) {
        *to = PyFloat_AS_DOUBLE(thing);
        return true;
    }
    if (!PyLong_CheckExact(thing)) {
        return false;
    }
    *to = PyLong_AsDouble(thing);
    if (*to == -1.0 && PyErr_Occurred()) { /* beyond the doubles */
        PyErr_Clear();
        return false;
    }
    return true;
}

static bool
read_items(PyObject *parts, PyObject *const *items, Py_ssize_t count, double **to, const double *end)
{
    if (PyLong_CheckExact(parts)) {
        if (PyLong_AsSsize_t(parts) != count || count > end - *to) {
            PyErr_Clear();
            return false;
        }
        for (Py_ssize_t k = 0; k < count; k++) {
            if (!read_number(items[k], (*to)++)) {
                return false;
            }
        }
        return true;
    }
    if (!PyTuple_CheckExact(parts) || PyTuple_GET_SIZE(parts) != count) {
        return false;
    }
    for (Py_ssize_t k = 0; k < count; k++) {
        if (!structure_read(PyTuple_GET_ITEM(parts, k), items[k], to, end)) {
            return false;
        }
    }
    return true;
}

static bool
is_same_text(PyObject *a, PyObject *b)
{
    return a == b || (PyUnicode_CheckExact(a) && PyUnicode_CheckExact(b) && PyUnicode_Compare(a, b) == 0);
}

static bool
read_dict(PyObject *spec, PyObject *thing, double **to, const double *end)
{
    PyObject *keys = PyTuple_GET_ITEM(spec, 1), *parts = parts_of(spec);
    Py_ssize_t count = PyTuple_CheckExact(keys) ? PyTuple_GET_SIZE(keys) : -1, at = 0;
    if (!PyDict_CheckExact(thing) || PyDict_GET_SIZE(thing) != count || !PyTuple_CheckExact(parts) ||
        PyTuple_GET_SIZE(parts) != count) {
        return false;
    }
    PyObject *key, *item;
    for (Py_ssize_t k = 0; k < count && PyDict_Next(thing, &at, &key, &item); k++) {
        if (!is_same_text(key, PyTuple_GET_ITEM(keys, k)) ||
            !structure_read(PyTuple_GET_ITEM(parts, k), item, to, end)) {
            return false;
        }
    }
    return true;
}

/* Whether it is a plain numpy array of contiguous doubles. Python converts everything else. */
static bool
read_array(PyObject *shape, PyObject *thing, double **to, const double *end)
{
    Py_buffer view;
    if (!is_of_numpy(thing, "numpy.ndarray") || !PyTuple_CheckExact(shape)) {
        return false;
    }
    if (PyObject_GetBuffer(thing, &view, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS) < 0) {
        PyErr_Clear();
        return false;
    }
    bool fits = view.ndim == PyTuple_GET_SIZE(shape) && view.format != NULL && strcmp(view.format, "d") == 0 &&
                view.len / (Py_ssize_t)sizeof(double) <= end - *to;
    for (int k = 0; fits && k < view.ndim; k++) {
        PyObject *length = PyTuple_GET_ITEM(shape, k);
        fits = PyLong_CheckExact(length) && PyLong_AsSsize_t(length) == view.shape[k];
        PyErr_Clear();
    }
    if (fits && view.len > 0) {
        memcpy(*to, view.buf, (size_t)view.len);
        *to += view.len / (Py_ssize_t)sizeof(double);
    }
    PyBuffer_Release(&view);
    return fits;
}

static bool
read_parts(PyObject *spec, PyObject *thing, double **to, const double *end)
{
    switch (kind_of(spec)) {
    case 'l':
        return PyList_CheckExact(thing) &&
               read_items(parts_of(spec), ((PyListObject *)thing)->ob_item, PyList_GET_SIZE(thing), to, end);
    case 't':
        return PyTuple_CheckExact(thing) &&
               read_items(parts_of(spec), ((PyTupleObject *)thing)->ob_item, PyTuple_GET_SIZE(thing), to, end);
    case 'd':
        return read_dict(spec, thing, to, end);
    case 'a':
        return read_array(parts_of(spec), thing, to, end);
    case 'i':
        return is_same_text(thing, parts_of(spec));
    default:
        return false;
    }
}

bool
structure_read(PyObject *spec, PyObject *thing, double **to, const double *end)
{
    if (!PyTuple_CheckExact(spec)) {
        return kind_of(spec) == 'n' && *to < end && read_number(thing, (*to)++);
    }
    if (Py_EnterRecursiveCall(" in the structure of an argument") != 0) {
        PyErr_Clear();
        return false;
    }
    bool is_read = read_parts(spec, thing, to, end);
    Py_LeaveRecursiveCall();
    return is_read;
}

/* ── Building ───────────────────────────────────────────────────────────────────────────────── */

/* Raise for a spec that no recording makes. */
static PyObject *
malformed(void)
{
    PyErr_SetString(PyExc_TypeError, "the structure does not fit the numbers, or only Python can build it");
    return NULL;
}

static PyObject *
build_items(PyObject *parts, bool is_list, const double **from, const double *end, PyObject *array)
{
    bool numbers = PyLong_CheckExact(parts);
    if (!numbers && !PyTuple_CheckExact(parts)) {
        return malformed();
    }
    Py_ssize_t count = numbers ? PyLong_AsSsize_t(parts) : PyTuple_GET_SIZE(parts);
    if (count < 0 || (numbers && count > end - *from)) {
        PyErr_Clear();
        return malformed();
    }
    PyObject *made = is_list ? PyList_New(count) : PyTuple_New(count);
    for (Py_ssize_t k = 0; made != NULL && k < count; k++) {
        PyObject *item = numbers ? PyFloat_FromDouble(*(*from)++)
                                 : structure_build(PyTuple_GET_ITEM(parts, k), from, end, array);
        if (item == NULL) {
            Py_CLEAR(made);
        }
        else if (is_list) {
            PyList_SET_ITEM(made, k, item);
        }
        else {
            PyTuple_SET_ITEM(made, k, item);
        }
    }
    return made;
}

static PyObject *
build_dict(PyObject *keys, PyObject *parts, const double **from, const double *end, PyObject *array)
{
    if (!PyTuple_CheckExact(keys) || !PyTuple_CheckExact(parts) || PyTuple_GET_SIZE(keys) != PyTuple_GET_SIZE(parts)) {
        return malformed();
    }
    PyObject *made = PyDict_New();
    for (Py_ssize_t k = 0; made != NULL && k < PyTuple_GET_SIZE(keys); k++) {
        PyObject *item = structure_build(PyTuple_GET_ITEM(parts, k), from, end, array);
        if (item == NULL || PyDict_SetItem(made, PyTuple_GET_ITEM(keys, k), item) < 0) {
            Py_CLEAR(made);
        }
        Py_XDECREF(item);
    }
    return made;
}

static PyObject *
build_array(PyObject *shape, const double **from, const double *end, PyObject *array)
{
    Py_ssize_t count = 1, room = end - *from;
    bool is_shape = PyTuple_CheckExact(shape);
    for (Py_ssize_t k = 0; is_shape && k < PyTuple_GET_SIZE(shape); k++) {
        PyObject *item = PyTuple_GET_ITEM(shape, k);
        Py_ssize_t length = PyLong_CheckExact(item) ? PyLong_AsSsize_t(item) : -1;
        is_shape = length == 0 || (length > 0 && count <= room / length);
        count *= is_shape ? length : 0;
    }
    if (!is_shape || count > room) {
        PyErr_Clear();
        return malformed();
    }
    PyObject *numbers = PyByteArray_FromStringAndSize((const char *)*from, count * (Py_ssize_t)sizeof(double));
    if (numbers == NULL) {
        return NULL;
    }
    *from += count;
    PyObject *made = PyObject_CallFunctionObjArgs(array, numbers, shape, NULL);
    Py_DECREF(numbers);
    return made;
}

static PyObject *
build_parts(PyObject *spec, const double **from, const double *end, PyObject *array)
{
    PyObject *parts = PyTuple_GET_SIZE(spec) >= 2 ? parts_of(spec) : NULL;
    switch (parts != NULL ? kind_of(spec) : 0) {
    case 'l':
        return build_items(parts, true, from, end, array);
    case 't':
        return build_items(parts, false, from, end, array);
    case 'd':
        return build_dict(PyTuple_GET_ITEM(spec, 1), parts, from, end, array);
    case 'a':
        return build_array(parts, from, end, array);
    case 'i':
        return Py_NewRef(parts);
    default:
        return malformed();
    }
}

PyObject *
structure_build(PyObject *spec, const double **from, const double *end, PyObject *array)
{
    if (!PyTuple_CheckExact(spec)) {
        return kind_of(spec) == 'n' && *from < end ? PyFloat_FromDouble(*(*from)++) : malformed();
    }
    if (Py_EnterRecursiveCall(" in the structure of a result") != 0) {
        return NULL;
    }
    PyObject *made = build_parts(spec, from, end, array);
    Py_LeaveRecursiveCall();
    return made;
}
