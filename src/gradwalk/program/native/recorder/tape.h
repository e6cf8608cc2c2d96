/* Recording: Traced and Tape, twins of those in trace.py. */
#ifndef GRADWALK_TAPE_H
#define GRADWALK_TAPE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <stdbool.h>
#include <stdint.h>

/* Ids by a 64-bit key: the bits of a number, or an address. */
typedef struct {
    uint64_t word;
    int32_t next; /* id + 1, 0 where empty */
} Entry;

typedef struct {
    Entry *entries;
    size_t mask;
    int32_t count;
} Table;

/* The Python objects that recording needs, per interpreter. */
typedef struct {
    PyObject *traced_type, *tape_type;
    PyObject *value_type; /* engine.Value */
    PyObject *constant;   /* engine.CONST, the operation of a Value that does not vary */
    PyObject *codes;      /* ir.CODE: by name */
    PyObject *ours;       /* tape.OURS: how the names of our own modules begin */
    PyObject *array;      /* array.array */
    PyObject *children_name, *op_name, *module_name, *name_name; /* "_children", "_op", "__name__", "name" */
    PyObject *reach_name, *getter_name; /* "reach", "fget" */
    PyObject *originals, *replacements; /* lists: functions that are replaced during a recording, and their replacements */
    Table replaced;                     /* their places in these lists, by address */
    bool selects[256];                  /* whether a code passes nothing to what it did not take */
    void *spare;                                     /* the memory of a few dead values, for reuse */
    int spare_count, spare_most;
} Recorder;

Recorder *recorder_in(PyObject *module); /* module.c: a part of its state */
int recorder_begin(PyObject *module, Recorder *recorder);
int recorder_traverse(Recorder *recorder, visitproc visit, void *arg);
void recorder_clear(Recorder *recorder);

/* Functions of the module: method(op) and function(code, otherwise). */
PyObject *recorder_method(Recorder *recorder, PyObject *op);
PyObject *recorder_function(PyObject *args);

#endif
