/* What a Replay is made of, for people to look at: see replay.h. */

#include "replay.h"

#include <stdlib.h>
#include <string.h>

/* A stage as (codes, starts, args, numbers, origins, results, outputs, forward): bytes, then two counts. */
PyObject *
replay_stage(PyObject *object, PyObject *name)
{
    Replay *self = (Replay *)object;
    const char *wanted = PyUnicode_AsUTF8(name);
    if (wanted == NULL || need_stages(self) < 0) {
        return NULL;
    }
    for (int k = 0; k < STAGE_COUNT; k++) {
        const Ir *ir = self->stage[k];
        if (ir != NULL && strcmp(stage_names[k], wanted) == 0) {
            Py_ssize_t n = ir->count;
            return Py_BuildValue("(y#y#y#y#y#y#ii)", (const char *)ir->code, n, (const char *)ir->start,
                                 (n + 1) * 4, (const char *)ir->arg, (Py_ssize_t)ir->arg_count * 4,
                                 (const char *)ir->number, n * 8, (const char *)ir->origin, n * 4,
                                 (const char *)ir->result, (Py_ssize_t)ir->result_count * 4,
                                 (int)ir->outputs, (int)ir->forward);
        }
    }
    PyErr_Format(PyExc_ValueError, "there is no stage %R", name);
    return NULL;
}

/* The (code, number of operands) of each listed instruction of a block. */
static PyObject *
listed_instructions(const Nest *block, const int32_t *at)
{
    PyObject *rows = PyList_New(block->J);
    for (int32_t k = 0; rows != NULL && k < block->J; k++) {
        int code = at[0], count = at[1];
        PyObject *row = Py_BuildValue("(ii)", code, count);
        if (row == NULL) {
            Py_CLEAR(rows);
            break;
        }
        PyList_SET_ITEM(rows, k, row);
        at += 2 + count + (code == PICK || is_partial(code));
    }
    return rows;
}

/* What is executed for one scenario: a list of (code, row, more, I, J, K, listed), `listed` None or a list.
 * The plan that a run would make is made now where there is none yet. */
PyObject *
replay_blocks(PyObject *object, PyObject *with_gradient)
{
    Replay *self = (Replay *)object;
    int gradient = PyObject_IsTrue(with_gradient);
    if (gradient < 0 || need_stages(self) < 0) {
        return NULL;
    }
    const Ir *ir = self->stage[gradient ? ADJOINT : CHAINS];
    if (ir == NULL) {
        PyErr_SetString(PyExc_ValueError, "there is nothing to differentiate by");
        return NULL;
    }
    Single **plan = gradient ? &self->gradient : &self->forward;
    if (*plan == NULL && (*plan = single_new(ir)) == NULL) {
        return PyErr_NoMemory();
    }
    int32_t count = single_block_count(*plan);
    PyObject *rows = PyList_New(count);
    for (int32_t k = 0; rows != NULL && k < count; k++) {
        const Nest *block = &single_blocks(*plan)[k];
        PyObject *listed = block->listed ? listed_instructions(block, single_list(*plan) + block->list)
                                         : Py_NewRef(Py_None);
        PyObject *row = listed == NULL ? NULL
                                       : Py_BuildValue("(iiiiiiN)", (int)block->code, (int)block->row,
                                                       (int)block->more, (int)block->I, (int)block->J,
                                                       (int)block->K, listed);
        if (row == NULL) {
            Py_CLEAR(rows);
            break;
        }
        PyList_SET_ITEM(rows, k, row);
    }
    return rows;
}

/* The steps over many scenarios, as text: of the plan used last, or else of one that shares no slot. */
PyObject *
replay_lanes(PyObject *object, PyObject *unused)
{
    (void)unused;
    Replay *self = (Replay *)object;
    if (need_stages(self) < 0) {
        return NULL;
    }
    Lanes *lanes = self->plans != NULL ? self->plans->lanes : NULL;
    Lanes *own = NULL;
    if (lanes == NULL) {
        uint8_t *shared = calloc((size_t)self->slots + 1, 1);
        const Ir *ir = self->stage[self->wrt_count > 0 ? ADJOINT : CHAINS];
        own = lanes = shared ? lanes_new(ir, shared, self->wrt, false, self->float32) : NULL;
        free(shared);
        if (lanes == NULL) {
            return PyErr_NoMemory();
        }
    }
    size_t length = lanes_text(lanes, NULL, 0);
    char *text = malloc(length + 1);
    PyObject *result = NULL;
    if (text == NULL) {
        PyErr_NoMemory();
    }
    else {
        lanes_text(lanes, text, length + 1);
        result = PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "replace");
    }
    free(text);
    lanes_free(own);
    return result;
}

PyObject *
replay_stages(PyObject *object, void *closure)
{
    (void)closure;
    Replay *self = (Replay *)object;
    if (need_stages(self) < 0) {
        return NULL;
    }
    PyObject *names = PyList_New(0);
    for (int k = 0; names != NULL && k < STAGE_COUNT; k++) {
        if (self->stage[k] != NULL) {
            PyObject *name = PyUnicode_FromString(stage_names[k]);
            if (name == NULL || PyList_Append(names, name) < 0) {
                Py_CLEAR(names);
            }
            Py_XDECREF(name);
        }
    }
    if (names == NULL) {
        return NULL;
    }
    PyObject *result = PyList_AsTuple(names);
    Py_DECREF(names);
    return result;
}

/* Add rows of names and sizes, up to a NULL. Returns 0, or -1 with an exception. */
typedef struct {
    const char *name;
    int64_t size;
} Size;

static int
add_sizes(PyObject *sizes, const Size *row)
{
    int status = 0;
    for (; row->name != NULL && status == 0; row++) {
        PyObject *number = PyLong_FromLongLong(row->size);
        status = number == NULL ? -1 : PyDict_SetItemString(sizes, row->name, number);
        Py_XDECREF(number);
    }
    return status;
}

PyObject *
replay_sizes(PyObject *object, void *closure)
{
    (void)closure;
    Replay *self = (Replay *)object;
    PyObject *sizes = PyDict_New();
    if (sizes == NULL) {
        return NULL;
    }
    int status = add_sizes(sizes, (Size[]){{"recorded", self->recorded}, {NULL, 0}});
    for (int k = 0; k < STAGE_COUNT && status == 0; k++) {
        if (self->stage[k] != NULL) {
            status = add_sizes(sizes, (Size[]){{stage_names[k], self->stage[k]->count}, {NULL, 0}});
        }
    }
    if (self->forward != NULL && status == 0) {
        status = add_sizes(sizes, (Size[]){{"blocks", single_block_count(self->forward)},
                                           {"bytes", (int64_t)single_bytes(self->forward)}, {NULL, 0}});
    }
    if (self->gradient != NULL && status == 0) {
        status = add_sizes(sizes, (Size[]){{"gradient blocks", single_block_count(self->gradient)},
                                           {"gradient bytes", (int64_t)single_bytes(self->gradient)}, {NULL, 0}});
    }
    if (self->stretches != NULL && status == 0) {
        size_t bytes = rolled_bytes(self->rolled->rolled) + stretches_bytes(self->stretches);
        status = add_sizes(sizes, (Size[]){{"rolled", self->rolled->rolled->body_count},
                                           {"rolled blocks", stretches_block_count(self->stretches)},
                                           {"rolled bytes", (int64_t)bytes}, {NULL, 0}});
    }
    if (self->plans != NULL && status == 0) {
        LanesSizes lanes = lanes_sizes(self->plans->lanes);
        status = add_sizes(sizes, (Size[]){{"lanes", lanes.lanes}, {"lane steps", lanes.steps}, {"lane slots", lanes.slots},
                                           {"lane bytes", lanes.bytes}, {"lane code", lanes.code}, {NULL, 0}});
    }
    if (status < 0) {
        Py_CLEAR(sizes);
    }
    return sizes;
}
