/* The type Rolled: Python keeps one in place of the arrays of a long program. See replay.h and rolled.h. */

#include "replay.h"

PyObject *
module_roll(PyObject *module, PyObject *args)
{
    State *state = PyModule_GetState(module);
    enum { FIELDS = 6 };
    static const char *const fields[FIELDS] = {"codes", "starts", "args", "numbers", "outputs", "places"};
    static const char kinds[] = "Biidii";
    PyObject *objects[FIELDS], *result = NULL;
    int slots, least;
    if (!PyArg_ParseTuple(args, "OOOOOiOi:roll", &objects[0], &objects[1], &objects[2], &objects[3], &objects[4],
                          &slots, &objects[5], &least)) {
        return NULL;
    }
    Py_buffer views[FIELDS] = {{0}};
    if (!hold_arrays(objects, views, fields, kinds, FIELDS)) {
        goto end;
    }
    Ir recorded;
    if (read_program(state, &views[0], &views[1], &views[2], &views[3], &views[4], slots, NULL, &recorded) < 0) {
        goto end;
    }
    if (views[5].len != 8 * (Py_ssize_t)recorded.count) {
        PyErr_SetString(state->program_error, "there are two integers of places for each instruction");
        goto end;
    }
    bool failed;
    Rolled *rolled = rolled_new(&recorded, views[5].buf, least, &failed);
    if (failed) {
        PyErr_NoMemory();
        goto end;
    }
    if (rolled == NULL) {
        result = Py_NewRef(Py_None);
        goto end;
    }
    result = state->rolled_type->tp_alloc(state->rolled_type, 0);
    if (result == NULL) {
        rolled_free(rolled);
        goto end;
    }
    ((RolledObject *)result)->rolled = rolled;
end:
    release_arrays(views, FIELDS);
    return result;
}

static void
rolled_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    rolled_free(((RolledObject *)object)->rolled);
    type->tp_free(object);
    Py_DECREF(type);
}

static PyObject *
rolled_written(PyObject *object, PyObject *Py_UNUSED(unused))
{
    const Rolled *rolled = ((RolledObject *)object)->rolled;
    Py_ssize_t count = rolled->count, sizes[4] = {count, (count + 1) * 4, (Py_ssize_t)rolled->arg_count * 4, count * 8};
    PyObject *part[4] = {NULL}, *result = NULL;
    int made = 0;
    while (made < 4 && (part[made] = PyBytes_FromStringAndSize(NULL, sizes[made])) != NULL) {
        made++;
    }
    if (made == 4) {
        rolled_write(rolled, (uint8_t *)PyBytes_AS_STRING(part[0]), (int32_t *)PyBytes_AS_STRING(part[1]),
                     (int32_t *)PyBytes_AS_STRING(part[2]), (double *)PyBytes_AS_STRING(part[3]));
        result = PyTuple_Pack(4, part[0], part[1], part[2], part[3]);
    }
    while (made > 0) {
        Py_DECREF(part[--made]);
    }
    return result;
}

static PyObject *
rolled_get_places(PyObject *object, PyObject *Py_UNUSED(unused))
{
    const Rolled *rolled = ((RolledObject *)object)->rolled;
    PyObject *places = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)rolled->count * 8);
    if (places != NULL) {
        rolled_places(rolled, (int64_t *)PyBytes_AS_STRING(places));
    }
    return places;
}

/* For people and for tests: (first instruction, length of the body, iterations) of each piece. */
static PyObject *
rolled_get_pieces(PyObject *object, void *Py_UNUSED(closure))
{
    const Rolled *rolled = ((RolledObject *)object)->rolled;
    PyObject *rows = PyList_New(rolled->piece_count);
    for (int32_t p = 0; rows != NULL && p < rolled->piece_count; p++) {
        const Piece *piece = &rolled->piece[p];
        PyObject *row = Py_BuildValue("(iii)", (int)piece->start, (int)piece->length, (int)piece->count);
        if (row == NULL) {
            Py_CLEAR(rows);
            break;
        }
        PyList_SET_ITEM(rows, p, row);
    }
    return rows;
}

static PyObject *
rolled_get_codes(PyObject *object, void *Py_UNUSED(closure))
{
    const Rolled *rolled = ((RolledObject *)object)->rolled;
    return PyBytes_FromStringAndSize((const char *)rolled->code, rolled->body_count);
}

static PyObject *
rolled_get_bytes(PyObject *object, void *Py_UNUSED(closure))
{
    return PyLong_FromSize_t(rolled_bytes(((RolledObject *)object)->rolled));
}

static PyMethodDef rolled_methods[] = {
    {"written", rolled_written, METH_NOARGS,
     "written()\n--\n\nReturn the program written out: codes, starts, args and numbers, as bytes."},
    {"places", rolled_get_places, METH_NOARGS, "places()\n--\n\nReturn the places of all instructions, as bytes."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef rolled_getset[] = {
    {"pieces", rolled_get_pieces, NULL, "the first instruction, the length and the iterations of each piece", NULL},
    {"codes", rolled_get_codes, NULL, "the codes of all pieces, each piece once", NULL},
    {"bytes", rolled_get_bytes, NULL, "the memory it takes", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot rolled_slots[] = {
    {Py_tp_dealloc, rolled_dealloc},
    {Py_tp_methods, rolled_methods},
    {Py_tp_getset, rolled_getset},
    {Py_tp_doc, "A recorded program with its loops rolled up."},
    {0, NULL},
};

PyType_Spec rolled_spec = {
    .name = "gradwalk.program._replay.Rolled",
    .basicsize = sizeof(RolledObject),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = rolled_slots,
};
