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
