#include "buffers.h"

#include <string.h>

int
numbers_of(PyObject *thing, Py_buffer *view, const char *name, char kind, Py_ssize_t size, bool writable)
{
    int flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | (writable ? PyBUF_WRITABLE : 0);
    if (PyObject_GetBuffer(thing, view, flags) < 0) {
        return -1;
    }
    const char *format = view->format != NULL ? view->format : "B";
    while (*format == '@' || *format == '=' || *format == '<') {
        format++;
    }
    bool bytes = strcmp(format, "B") == 0 || strcmp(format, "b") == 0;
    bool right = format[0] == kind && format[1] == 0 && view->itemsize == size;
    if (!right && (kind == 'q' || kind == 'i')) { /* a long is one of the two, by the system */
        right = strcmp(format, "l") == 0 && view->itemsize == size;
    }
    if ((!right && !(bytes && !writable)) || view->len % size) {
        PyErr_Format(PyExc_TypeError, "%s is a contiguous buffer of '%c', not of '%s'", name, kind,
                     view->format ? view->format : "B");
        PyBuffer_Release(view);
        return -1;
    }
    if (view->len > 0 && (uintptr_t)view->buf % (size_t)size) {
        PyErr_Format(PyExc_ValueError, "%s does not begin at a multiple of %zd bytes", name, size);
        PyBuffer_Release(view);
        return -1;
    }
    return 0;
}

int
doubles_of(PyObject *thing, Py_buffer *view, const char *name, Py_ssize_t count, bool writable)
{
    if (numbers_of(thing, view, name, 'd', sizeof(double), writable) < 0) {
        return -1;
    }
    if (count >= 0 && view->len != count * (Py_ssize_t)sizeof(double)) {
        PyErr_Format(PyExc_ValueError, "%s has room for %zd numbers, not %zd", name,
                     view->len / (Py_ssize_t)sizeof(double), count);
        PyBuffer_Release(view);
        return -1;
    }
    return 0;
}

bool
hold_arrays(PyObject *const *things, Py_buffer *views, const char *const *names, const char *kinds, int count)
{
    for (int k = 0; k < count; k++) {
        int size = kinds[k] == 'B' ? 1 : kinds[k] == 'i' ? 4 : 8;
        if (numbers_of(things[k], &views[k], names[k], kinds[k], size, false) < 0) {
            return false;
        }
    }
    return true;
}

void
release_arrays(Py_buffer *views, int count)
{
    for (int k = 0; k < count; k++) {
        PyBuffer_Release(&views[k]);
    }
}
