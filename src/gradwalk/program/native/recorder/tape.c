/* Recording: appends an instruction for each operation on a Traced. trace.py is the specification: both write the same
 * program, to the last byte. The rare cases are in recording/recorder.py. It gives Traced more methods, and its
 * subclass of Tape has `foreign`, `reject`, `complete`, `reach`, `inherited` and `refuse`, which are called from here.
 *
 * Start reading at `append`, then `binary`; `operand` lists what else than a Traced an operation takes.
 *
 * - A Python operator is called directly by the user's frame, so the current frame has the line. If frames of our own
 *   Python code are in between, `emit` looks for the user's frame.
 * - The garbage collector does not track a Traced, because scanning tens of thousands of them would be slow. It refers
 *   only to its tape. `close` drops everything that a tape refers to, and recorder.py closes every tape, so no cycle
 *   is left. A subclass made in Python would be tracked, so there is none.
 * - A tape belongs to the thread that records. The GIL guards it: the module does not declare support for builds
 *   without the GIL, so such a build turns the GIL on.
 */

#include "tape.h"

#include "../ir.h"

#include <stddef.h>
#include <string.h>
#include <structmember.h>

enum { MOST = INT32_MAX / 8 }; /* of anything, as in replay.c */

/* ── Tables of ids by a word: the bits of a number, an address ──────────────────────────────── */

static inline Entry *
entry_of(const Table *table, uint64_t word)
{
    uint64_t hash = word * UINT64_C(0x9E3779B97F4A7C15);
    size_t at = (size_t)(hash >> 32) & table->mask;
    while (table->entries[at].next != 0 && table->entries[at].word != word) {
        at = (at + 1) & table->mask;
    }
    return &table->entries[at];
}

/* The id, or -1. */
static inline int32_t
table_find(const Table *table, uint64_t word)
{
    return table->entries == NULL ? -1 : entry_of(table, word)->next - 1;
}

/* Make room for one more, so that `table_put` cannot fail. */
static int
table_reserve(Table *table)
{
    if (table->entries != NULL && (size_t)table->count * 2 < table->mask) {
        return 0;
    }
    size_t room = table->entries == NULL ? 64 : (table->mask + 1) * 2;
    Table wider = {calloc(room, sizeof(Entry)), room - 1, table->count};
    if (wider.entries == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t k = 0; table->entries != NULL && k <= table->mask; k++) {
        if (table->entries[k].next != 0) {
            *entry_of(&wider, table->entries[k].word) = table->entries[k];
        }
    }
    free(table->entries);
    *table = wider;
    return 0;
}

static void
table_put(Table *table, uint64_t word, int32_t id)
{
    Entry *entry = entry_of(table, word);
    table->count += entry->next == 0;
    *entry = (Entry){word, id + 1};
}

static void
table_free(Table *table)
{
    free(table->entries);
    *table = (Table){NULL, 0, 0};
}

/* ── The two types ──────────────────────────────────────────────────────────────────────────── */

typedef struct {
    int32_t which, lasti; /* which code object, -1 for none, and how far into it */
} Place;

typedef struct {
    int32_t id;
    double number;
} Source;

typedef struct {
    PyObject_HEAD
    Recorder *recorder;   /* lives as long as the type does */
    PyObject *parameters; /* a list of Values; NULL once ended */
    PyObject *objects;    /* a list of code objects; NULL once ended */
    PyObject *last[2];    /* the two code objects seen last, and their places; borrowed */
    int32_t last_which[2];
    int32_t slots;
    int once; /* it lives for one call: values are computed at once, lines are not kept, guards are not left */
    long long questions, most_questions; /* how many it may still answer then, and at all */
    int32_t count, room;
    uint8_t *code;
    Place *place;
    int32_t *start; /* where the operands of each instruction begin */
    double *value;  /* of the first `valued` instructions, and of all constants */
    int32_t valued;
    int32_t input_count;
    double *input; /* the numbers of the arguments */
    int32_t arg_count, arg_room;
    int32_t *arg;
    int32_t source_count, source_room; /* constants and inputs, in order */
    Source *source;
    int32_t kept_count, kept_room; /* Values, so that no address is used twice */
    PyObject **kept;
    Table constants, known, by_code; /* by bits, by the address of a Value, of a code object */
    PyObject *reached;               /* a list: what was called, then what is done about it; NULL once ended */
    Table reach;                     /* places in it, by address and kind */
    int32_t depth;                   /* of calls that were followed */
    int watched;                     /* `computed` is told of operators and functions of math, and may raise */
} Tape;

typedef struct {
    PyObject_HEAD
    Tape *tape;
    int32_t id;
} Traced;

static void traced_dealloc(PyObject *object);

static inline bool
is_traced(PyObject *thing)
{
    return Py_TYPE(thing)->tp_dealloc == traced_dealloc; /* the type has no subtypes */
}

static inline bool
has_ended(const Tape *tape)
{
    return tape->objects == NULL;
}

/* Raise as record.Tape.refuse says. */
static int
refuse(Tape *tape, const char *what)
{
    PyObject *error = PyObject_CallMethod((PyObject *)tape, "refuse", "s", what);
    if (error != NULL) {
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
        Py_DECREF(error);
    }
    return -1;
}

/* Make room for `more` items in the array that `block` points to. */
static int
reserve(void *block, int32_t count, int32_t *room, int32_t more, size_t size)
{
    if (count > MOST - more) {
        PyErr_SetString(PyExc_MemoryError, "a recording cannot have that many instructions or operands");
        return -1;
    }
    int32_t wider = *room > 0 ? *room : 512;
    while (wider < count + more) {
        wider *= 2;
    }
    void *array;
    memcpy(&array, block, sizeof array);
    array = realloc(array, (size_t)wider * size);
    if (array == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    memcpy(block, &array, sizeof array);
    *room = wider;
    return 0;
}

#define RESERVE(block, count, room, more) \
    ((count) + (more) <= (room) ? 0 : reserve(&(block), count, &(room), more, sizeof *(block)))

/* Make room for an instruction with `count` operands; raises if the recording has ended. No Python code may run
 * between this call and the write, because it could append an instruction. So frames and methods are looked up
 * before. */
static int
reserve_instruction(Tape *tape, int32_t operands)
{
    if (has_ended(tape)) {
        return refuse(tape, "");
    }
    if (tape->count == tape->room) {
        int32_t room[4]; /* the smallest counts */
        for (int k = 0; k < 4; k++) {
            room[k] = tape->room;
        }
        if (reserve(&tape->code, tape->count, &room[0], 1, sizeof *tape->code) < 0 ||
            reserve(&tape->place, tape->count, &room[1], 1, sizeof *tape->place) < 0 ||
            reserve(&tape->start, tape->count, &room[2], 1, sizeof *tape->start) < 0 ||
            reserve(&tape->value, tape->count, &room[3], 1, sizeof *tape->value) < 0) {
            return -1;
        }
        tape->room = room[0];
    }
    return RESERVE(tape->arg, tape->arg_count, tape->arg_room, operands);
}

/* ── Places ─────────────────────────────────────────────────────────────────────────────────── */

/* Return the place of a code object in the list of known ones, adding it if it is new; -1 with an error. */
static int32_t
which_code(Tape *tape, PyObject *code)
{
    if (code == tape->last[0]) {
        return tape->last_which[0];
    }
    if (code == tape->last[1]) { /* sum(a * b for …) takes turns between two */
        return tape->last_which[1];
    }
    int32_t which = table_find(&tape->by_code, (uint64_t)(uintptr_t)code);
    if (which < 0) {
        which = (int32_t)PyList_GET_SIZE(tape->objects);
        if (table_reserve(&tape->by_code) < 0 || PyList_Append(tape->objects, code) < 0) {
            return -1;
        }
        table_put(&tape->by_code, (uint64_t)(uintptr_t)code, which);
    }
    tape->last[1] = tape->last[0];
    tape->last_which[1] = tape->last_which[0];
    tape->last[0] = code;
    tape->last_which[0] = which;
    return which;
}

static inline int
place_of(Tape *tape, PyFrameObject *frame, Place *place)
{
    *place = (Place){-1, 0};
    if (has_ended(tape)) {
        return refuse(tape, "");
    }
    if (frame == NULL || tape->once) { /* called by no Python at all, or nobody will ask */
        return 0;
    }
    PyCodeObject *code = PyFrame_GetCode(frame);
    place->which = which_code(tape, (PyObject *)code);
    Py_DECREF(code); /* the tape has it */
    place->lasti = PyFrame_GetLasti(frame);
    return place->which < 0 ? -1 : 0;
}

/* Whether a frame belongs to gradwalk itself, by the name of its module; -1 on an error. */
static int
is_ours(const Recorder *recorder, PyFrameObject *frame)
{
    PyObject *globals = PyFrame_GetGlobals(frame);
    PyObject *name = globals != NULL && PyDict_Check(globals)
                         ? PyDict_GetItemWithError(globals, recorder->module_name)
                         : NULL;
    int found = name == NULL && PyErr_Occurred() ? -1 : 0;
    if (name != NULL && PyUnicode_Check(name)) {
        for (Py_ssize_t k = 0; found == 0 && k < PyTuple_GET_SIZE(recorder->ours); k++) {
            found = (int)PyUnicode_Tailmatch(name, PyTuple_GET_ITEM(recorder->ours, k), 0, PY_SSIZE_T_MAX, -1);
        }
    }
    Py_XDECREF(globals);
    return found;
}

/* Return the nearest frame of user code, and its place. */
static int
user_place(Tape *tape, Place *place)
{
    if (tape->once) {
        return place_of(tape, NULL, place);
    }
    PyFrameObject *frame = (PyFrameObject *)Py_XNewRef((PyObject *)PyEval_GetFrame());
    while (frame != NULL) {
        PyFrameObject *back = PyFrame_GetBack(frame);
        int ours = back != NULL ? is_ours(tape->recorder, frame) : PyErr_Occurred() ? -1 : 0;
        if (ours <= 0) {
            Py_XDECREF(back);
            if (ours < 0) {
                Py_DECREF(frame);
                return -1;
            }
            break;
        }
        Py_DECREF(frame);
        frame = back;
    }
    int status = place_of(tape, frame, place);
    Py_XDECREF(frame);
    return status;
}

/* ── Instructions ───────────────────────────────────────────────────────────────────────────── */

/* Most recorded values live for one operation only, so the memory of a few is reused. */
enum { MOST_SPARE = 200 };

static inline Traced *
new_traced(Tape *tape, int32_t id)
{
    Recorder *recorder = tape->recorder;
    PyTypeObject *type = (PyTypeObject *)recorder->traced_type;
    Traced *value = recorder->spare;
    if (value != NULL) {
        recorder->spare = value->tape;
        recorder->spare_count--;
        PyObject_Init((PyObject *)value, type);
    }
    else {
        value = PyObject_New(Traced, type);
        if (value == NULL) {
            return NULL;
        }
    }
    value->tape = (Tape *)Py_NewRef((PyObject *)tape);
    value->id = id;
    return value;
}

static void
traced_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    Traced *value = (Traced *)object;
    Tape *tape = value->tape;
    Recorder *recorder = tape->recorder;
    if (recorder->spare_count < recorder->spare_most) {
        value->tape = recorder->spare;
        recorder->spare = value;
        recorder->spare_count++;
    }
    else {
        PyObject_Free(object);
    }
    Py_DECREF((PyObject *)tape);
    Py_DECREF(type);
}

/* Return the number of an instruction on one or two numbers that is computed often; false for any other. */
static inline bool
is_common(int code, double x, double y, double *value)
{
    switch (code) {
    case C_add:
        *value = x + y;
        return true;
    case C_sub:
        *value = x - y;
        return true;
    case C_mul:
        *value = x * y;
        return true;
    case LT:
        *value = x < y;
        return true;
    case GT:
        *value = x > y;
        return true;
    default:
        return false;
    }
}

static inline int32_t
operand_count_of(const Tape *tape, int32_t i)
{
    return (i + 1 < tape->count ? tape->start[i + 1] : tape->arg_count) - tape->start[i];
}

/* The number of an instruction, by the rows of the eager engine: the very numbers that Python computes. */
static double
computed_value(const Tape *tape, int32_t i)
{
    int code = tape->code[i];
    const int32_t *arg = tape->arg + tape->start[i];
    int32_t count = operand_count_of(tape, i);
    if (code == C_sub || code == C_div || code == C_neg || code >= LT) { /* no rows of the eager engine */
        return scalar_apply(code, arg, count, 0.0, tape->value);
    }
    double by[3], x[3] = {0.0, 0.0, 0.0};
    for (int32_t k = 0; k < count; k++) {
        x[k] = tape->value[arg[k]];
    }
    return scalar_eager(code, x[0], x[1], x[2], by);
}

/* Compute the numbers of all instructions so far. That of an input is its slot until then. */
static int
compute_all(Tape *tape)
{
    while (tape->valued < tape->count) {
        int32_t i = tape->valued;
        int code = tape->code[i];
        if (code == INPUT) {
            double slot = tape->value[i], number;
            if (slot < (double)tape->input_count) {
                number = tape->input[(int32_t)slot];
            }
            else {
                PyObject *read = PyObject_CallMethod((PyObject *)tape, "_read", "d", slot);
                number = read == NULL ? -1.0 : PyFloat_AsDouble(read);
                Py_XDECREF(read);
                if (number == -1.0 && PyErr_Occurred()) {
                    return -1;
                }
                if (has_ended(tape)) {
                    return refuse(tape, "");
                }
                if (tape->valued > i) { /* reading it asked for numbers, too */
                    continue;
                }
            }
            tape->value[i] = number;
        }
        else if (code != CONST) {
            tape->value[i] = computed_value(tape, i);
        }
        tape->valued = i + 1;
    }
    return 0;
}

/* Append an instruction for this place and return its value. */
static inline PyObject *
append_at(Tape *tape, int code, const int32_t *ids, int32_t operands, Place place)
{
    Traced *value = new_traced(tape, tape->count);
    if (value == NULL) {
        return NULL;
    }
    tape->code[tape->count] = (uint8_t)code;
    tape->place[tape->count] = place;
    tape->start[tape->count++] = tape->arg_count;
    for (int32_t k = 0; k < operands; k++) {
        tape->arg[tape->arg_count++] = ids[k];
    }
    if (tape->once) {
        int32_t id = tape->count - 1;
        if (operands == 2 && tape->valued == id &&
            is_common(code, tape->value[ids[0]], tape->value[ids[1]], &tape->value[id])) {
            tape->valued = tape->count;
        }
        else if (compute_all(tape) < 0) {
            Py_CLEAR(value);
        }
    }
    return (PyObject *)value;
}

/* Tell the tape of an operator or a function of math, where it watches: inside a `try`, Python may raise here. */
static PyObject *
watched(Tape *tape, PyObject *value)
{
    if (tape->watched && value != NULL) {
        PyObject *done = PyObject_CallMethod((PyObject *)tape, "computed", "i", ((Traced *)value)->id);
        if (done == NULL) {
            Py_CLEAR(value);
        }
        Py_XDECREF(done);
    }
    return value;
}

/* Append an instruction for the line of the current frame. */
static inline PyObject *
append(Tape *tape, int code, const int32_t *ids, int32_t operands)
{
    Place place = {-1, 0};
    if ((!tape->once && place_of(tape, PyEval_GetFrame(), &place) < 0) || reserve_instruction(tape, operands) < 0) {
        return NULL;
    }
    return append_at(tape, code, ids, operands, place);
}

static int
reserve_source(Tape *tape)
{
    return reserve_instruction(tape, 0) < 0 ? -1 : RESERVE(tape->source, tape->source_count, tape->source_room, 1);
}

/* Append a const or an input, for which there is room; return its id. */
static int32_t
put_source(Tape *tape, int code, double number)
{
    tape->source[tape->source_count++] = (Source){tape->count, number};
    tape->code[tape->count] = (uint8_t)code;
    tape->place[tape->count] = (Place){-1, 0};
    tape->start[tape->count] = tape->arg_count;
    tape->value[tape->count] = number;
    tape->valued += code == CONST && tape->valued == tape->count;
    return tape->count++;
}

/* ── Operands ───────────────────────────────────────────────────────────────────────────────── */

/* Return the const of a number, or -1. Numbers are compared by their bits: 0.0 and -0.0 differ, and a nan equals
 * itself. */
static int32_t
constant(Tape *tape, double number)
{
    if (tape->once) {
        return reserve_source(tape) < 0 ? -1 : put_source(tape, CONST, number);
    }
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    int32_t id = table_find(&tape->constants, bits);
    if (id < 0) {
        if (table_reserve(&tape->constants) < 0 || reserve_source(tape) < 0) {
            return -1;
        }
        id = put_source(tape, CONST, number);
        table_put(&tape->constants, bits, id);
    }
    return id;
}

static int
reserve_value(Tape *tape)
{
    return table_reserve(&tape->known) < 0 ? -1 : RESERVE(tape->kept, tape->kept_count, tape->kept_room, 1);
}

/* Remember the instruction of a Value, for which there is room. */
static void
put_value(Tape *tape, PyObject *value, int32_t id)
{
    tape->kept[tape->kept_count++] = Py_NewRef(value);
    table_put(&tape->known, (uint64_t)(uintptr_t)value, id);
}

/* Whether a thing is a Value that is a leaf and not a constant: 1, 0, or -1 on an error. */
static int
is_parameter(const Recorder *recorder, PyObject *thing)
{
    int found = PyObject_IsInstance(thing, recorder->value_type);
    if (found <= 0) {
        return found;
    }
    PyObject *children = PyObject_GetAttr(thing, recorder->children_name);
    int computed = children == NULL ? -1 : PyObject_IsTrue(children);
    Py_XDECREF(children);
    if (computed != 0) {
        return computed < 0 ? -1 : 0;
    }
    PyObject *op = PyObject_GetAttr(thing, recorder->op_name);
    int fixed = op == NULL ? -1 : PyObject_RichCompareBool(op, recorder->constant, Py_EQ);
    Py_XDECREF(op);
    return fixed < 0 ? -1 : !fixed;
}

static int32_t
parameter(Tape *tape, PyObject *leaf)
{
    if (has_ended(tape)) {
        return refuse(tape, "");
    }
    if (reserve_value(tape) < 0 || reserve_source(tape) < 0 || PyList_Append(tape->parameters, leaf) < 0) {
        return -1;
    }
    double slot = (double)tape->slots + (double)PyList_GET_SIZE(tape->parameters) - 1.0;
    int32_t id = put_source(tape, INPUT, slot);
    put_value(tape, leaf, id);
    return id;
}

/* Find the instruction of an operand. Returns 1, or 0 if it cannot be an operand, or -1 on an error. */
static int
operand(Tape *tape, PyObject *thing, int32_t *id)
{
    if (is_traced(thing)) {
        if (((Traced *)thing)->tape == tape) {
            *id = ((Traced *)thing)->id;
            return 1;
        }
    }
    else if (PyFloat_CheckExact(thing)) {
        *id = constant(tape, PyFloat_AS_DOUBLE(thing));
        return *id < 0 ? -1 : 1;
    }
    else if (PyLong_CheckExact(thing)) {
        double number = PyLong_AsDouble(thing);
        if (number != -1.0 || !PyErr_Occurred()) {
            *id = constant(tape, number);
            return *id < 0 ? -1 : 1;
        }
        PyErr_Clear(); /* beyond the doubles: `foreign` decides */
    }
    else {
        *id = table_find(&tape->known, (uint64_t)(uintptr_t)thing);
        if (*id >= 0) {
            return 1;
        }
        int found = is_parameter(tape->recorder, thing);
        if (found != 0) {
            *id = found < 0 ? -1 : parameter(tape, thing);
            return *id < 0 ? -1 : 1;
        }
    }
    PyObject *answer = PyObject_CallMethod((PyObject *)tape, "foreign", "(O)", thing);
    if (answer == NULL) {
        return -1;
    }
    int known = answer != Py_None;
    if (known) {
        long number = PyLong_AsLong(answer);
        *id = (int32_t)number;
        if (number < 0 || number >= tape->count) {
            if (!PyErr_Occurred()) {
                PyErr_SetString(PyExc_IndexError, "foreign gave an instruction that there is not");
            }
            known = -1;
        }
    }
    Py_DECREF(answer);
    return known;
}

/* The same, but raise if it cannot be an operand; `name` is the operation in the error. */
static int
need_operand(Tape *tape, const char *name, PyObject *thing, int32_t *id)
{
    int known = operand(tape, thing, id);
    if (known == 0) {
        PyObject *error = PyObject_CallMethod((PyObject *)tape, "reject", "sO", name, thing);
        if (error != NULL) {
            PyErr_SetObject((PyObject *)Py_TYPE(error), error);
            Py_DECREF(error);
        }
    }
    return known > 0 ? 0 : -1;
}

enum { FEW = 64 };

/* Append an instruction for the user's current line. Reading an operand can run any Python code, which can append
 * instructions and change the list. */
static PyObject *
emit(Tape *tape, int code, PyObject *given, const char *name)
{
    PyObject *items = PySequence_Tuple(given);
    if (items == NULL) {
        return NULL;
    }
    int32_t few[FEW], *ids = few;
    PyObject *value = NULL;
    Py_ssize_t count = PyTuple_GET_SIZE(items);
    if (count > FEW) {
        ids = count > MOST ? NULL : malloc((size_t)count * sizeof *ids);
        if (ids == NULL) {
            PyErr_NoMemory();
            goto end;
        }
    }
    if (code_arity[code] >= 0 && count != code_arity[code]) {
        PyErr_Format(PyExc_ValueError, "%s has %d operands, not %zd", code_names[code], code_arity[code], count);
        goto end;
    }
    for (Py_ssize_t k = 0; k < count; k++) {
        if (need_operand(tape, *name ? name : code_names[code], PyTuple_GET_ITEM(items, k), &ids[k]) < 0) {
            goto end;
        }
    }
    Place place;
    if (user_place(tape, &place) < 0 || reserve_instruction(tape, (int32_t)count) < 0) {
        goto end;
    }
    value = append_at(tape, code, ids, (int32_t)count, place);
end:
    if (ids != few) {
        free(ids);
    }
    Py_DECREF(items);
    return value;
}

/* ── Traced ─────────────────────────────────────────────────────────────────────────────────── */

static inline PyObject *
unary(PyObject *x, int code)
{
    return append(((Traced *)x)->tape, code, &((Traced *)x)->id, 1);
}

/* An operator, or its reflection: either operand may be the Traced. */
static inline PyObject *
binary(PyObject *x, PyObject *y, int code)
{
    int32_t ids[2];
    Tape *tape;
    int known;
    if (is_traced(x)) {
        tape = ((Traced *)x)->tape;
        ids[0] = ((Traced *)x)->id;
        known = operand(tape, y, &ids[1]);
    }
    else if (is_traced(y)) {
        tape = ((Traced *)y)->tape;
        ids[1] = ((Traced *)y)->id;
        known = operand(tape, x, &ids[0]);
    }
    else {
        Py_RETURN_NOTIMPLEMENTED;
    }
    if (known <= 0) {
        return known < 0 ? NULL : Py_NewRef(Py_NotImplemented);
    }
    return watched(tape, append(tape, code, ids, 2));
}

static PyObject *
traced_add(PyObject *x, PyObject *y)
{
    return binary(x, y, C_add);
}

static PyObject *
traced_subtract(PyObject *x, PyObject *y)
{
    return binary(x, y, C_sub);
}

static PyObject *
traced_multiply(PyObject *x, PyObject *y)
{
    return binary(x, y, C_mul);
}

static PyObject *
traced_divide(PyObject *x, PyObject *y)
{
    return binary(x, y, C_div);
}

static PyObject *
traced_floor_divide(PyObject *x, PyObject *y)
{
    return binary(x, y, C_floordiv);
}

static PyObject *
traced_remainder(PyObject *x, PyObject *y)
{
    return binary(x, y, C_mod);
}

static PyObject *
traced_power(PyObject *x, PyObject *y, PyObject *modulus)
{
    if (modulus != Py_None) {
        Py_RETURN_NOTIMPLEMENTED;
    }
    return binary(x, y, C_pow);
}

static PyObject *
traced_negative(PyObject *x)
{
    return unary(x, C_neg);
}

static PyObject *
traced_absolute(PyObject *x)
{
    return unary(x, C_abs);
}

static PyObject *
traced_compare(PyObject *x, PyObject *y, int op)
{
    static const uint8_t codes[] = {[Py_LT] = LT, [Py_LE] = LE, [Py_EQ] = EQ, [Py_NE] = NE, [Py_GT] = GT, [Py_GE] = GE};
    return binary(x, y, codes[op]);
}

/* Record a row as a method. Missing operands get their defaults. */
static PyObject *
by_row(PyObject *object, PyObject *const *others, Py_ssize_t count, int code)
{
    Tape *tape = ((Traced *)object)->tape;
    if (count + 1 == code_arity[code]) {
        int32_t ids[3] = {((Traced *)object)->id};
        for (Py_ssize_t k = 0; k < count; k++) {
            if (need_operand(tape, code_names[code], others[k], &ids[1 + k]) < 0) {
                return NULL;
            }
        }
        return append(tape, code, ids, code_arity[code]);
    }
    PyObject *given = PyTuple_New(count + 1), *whole = NULL, *value = NULL;
    if (given != NULL) {
        PyTuple_SET_ITEM(given, 0, Py_NewRef(object));
        for (Py_ssize_t k = 0; k < count; k++) {
            PyTuple_SET_ITEM(given, 1 + k, Py_NewRef(others[k]));
        }
        whole = PyObject_CallMethod((PyObject *)tape, "complete", "iO", code, given);
    }
    if (whole != NULL && (!PyTuple_Check(whole) || PyTuple_GET_SIZE(whole) != code_arity[code])) {
        PyErr_Format(PyExc_TypeError, "complete gave the wrong number of operands for %s", code_names[code]);
    }
    else if (whole != NULL) {
        PyObject *const *items = &PyTuple_GET_ITEM(whole, 0);
        value = by_row(object, items + 1, PyTuple_GET_SIZE(whole) - 1, code);
    }
    Py_XDECREF(given);
    Py_XDECREF(whole);
    return value;
}

#define EVERY(name, symbol, arity)                                                          \
    static PyObject *method_##name(PyObject *self, PyObject *const *args, Py_ssize_t count) \
    {                                                                                       \
        return by_row(self, args, count, C_##name);                                         \
    }
#include "../../../engine/native/operations.h"

static PyMethodDef row_methods[] = {
#define EVERY(name, symbol, arity) \
    [C_##name] = {#name, (PyCFunction)(void (*)(void))method_##name, METH_FASTCALL, NULL},
#include "../../../engine/native/operations.h"
};

/* The code of a row, or -1. */
static int
code_of(const Recorder *recorder, PyObject *op)
{
    PyObject *name = PyObject_GetAttr(op, recorder->name_name);
    PyObject *code = name == NULL ? NULL : PyObject_GetItem(recorder->codes, name);
    Py_XDECREF(name);
    long number = code == NULL ? -1 : PyLong_AsLong(code);
    Py_XDECREF(code);
    if (number >= 0 && (number >= (long)(sizeof row_methods / sizeof *row_methods) ||
                        row_methods[number].ml_name == NULL)) {
        PyErr_Format(PyExc_ValueError, "%R is not a row of the table", op);
        return -1;
    }
    return (int)number;
}

PyObject *
recorder_method(Recorder *recorder, PyObject *op)
{
    int code = code_of(recorder, op);
    return code < 0 ? NULL : PyDescr_NewMethod((PyTypeObject *)recorder->traced_type, &row_methods[code]);
}

/* Record the call if the argument is a Traced, else call `otherwise`. `self` is (code, otherwise). */
static PyObject *
call_function(PyObject *self, PyObject *x)
{
    if (is_traced(x)) {
        return watched(((Traced *)x)->tape, unary(x, (int)PyLong_AsLong(PyTuple_GET_ITEM(self, 0))));
    }
    return PyObject_CallOneArg(PyTuple_GET_ITEM(self, 1), x);
}

PyObject *
recorder_function(PyObject *args)
{
    static PyMethodDef definition = {"function", call_function, METH_O, NULL};
    int code;
    PyObject *otherwise;
    if (!PyArg_ParseTuple(args, "iO:function", &code, &otherwise)) {
        return NULL;
    }
    if (code < 0 || code > LAST_RECORDED || code_arity[code] != 1) {
        PyErr_Format(PyExc_ValueError, "%d is not the code of an operation on one number", code);
        return NULL;
    }
    PyObject *self = Py_BuildValue("(iO)", code, otherwise);
    PyObject *function = self == NULL ? NULL : PyCFunction_New(&definition, self);
    Py_XDECREF(self);
    return function;
}

/* Traced._apply(op, operands): record one row of the table, for the user's line. */
static PyObject *
traced_apply(PyObject *unused, PyObject *const *args, Py_ssize_t count)
{
    (void)unused;
    if (count != 2 || !PyTuple_Check(args[1])) {
        PyErr_SetString(PyExc_TypeError, "_apply takes a row of the table and a tuple of operands");
        return NULL;
    }
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(args[1]); k++) {
        PyObject *item = PyTuple_GET_ITEM(args[1], k);
        if (is_traced(item)) {
            Tape *tape = ((Traced *)item)->tape;
            int code = code_of(tape->recorder, args[0]);
            return code < 0 ? NULL : emit(tape, code, args[1], "");
        }
    }
    PyErr_SetString(PyExc_TypeError, "_apply needs a recorded value among the operands");
    return NULL;
}

static PyMethodDef traced_methods[] = {
    {"_apply", (PyCFunction)(void (*)(void))traced_apply, METH_FASTCALL | METH_STATIC,
     "_apply(op, operands)\n--\n\nRecord one row of the table, for the user's line."},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef traced_members[] = {
    {"_tape", T_OBJECT_EX, offsetof(Traced, tape), READONLY, "the recording it belongs to"},
    {"_id", T_INT, offsetof(Traced, id), READONLY, "its instruction"},
    {NULL, 0, 0, 0, NULL},
};

/* What isinstance asks, after the type itself: recorder.py says which class of numbers it is. */
static PyObject *
traced_class(PyObject *self, void *unused)
{
    (void)unused;
    return PyObject_CallMethod(self, "_kind", NULL);
}

static PyGetSetDef traced_getset[] = {
    {"__class__", traced_class, NULL, "the class of the number that it stands for", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

/* Its truth, which a replay must answer alike; a tape that lives for one call has none. */
static int
traced_bool(PyObject *self)
{
    Tape *tape = ((Traced *)self)->tape;
    if (tape->once && !has_ended(tape)) {
        int32_t id = ((Traced *)self)->id;
        if (--tape->questions < 0) { /* a loop without end */
            PyObject *answer = PyObject_CallMethod((PyObject *)tape, "endless", "L", tape->most_questions);
            Py_XDECREF(answer);
            return -1;
        }
        return id >= tape->valued && compute_all(tape) < 0 ? -1 : tape->value[id] != 0.0;
    }
    PyObject *answer = PyObject_CallMethod((PyObject *)tape, "observe", "O", self);
    int found = answer == NULL ? -1 : PyObject_IsTrue(answer);
    Py_XDECREF(answer);
    return found;
}

static PyType_Slot traced_slots[] = {
    {Py_nb_bool, traced_bool},
    {Py_tp_dealloc, traced_dealloc},
    {Py_tp_richcompare, traced_compare},
    {Py_tp_methods, traced_methods},
    {Py_tp_members, traced_members},
    {Py_tp_getset, traced_getset},
    {Py_nb_add, traced_add},
    {Py_nb_subtract, traced_subtract},
    {Py_nb_multiply, traced_multiply},
    {Py_nb_true_divide, traced_divide},
    {Py_nb_floor_divide, traced_floor_divide},
    {Py_nb_remainder, traced_remainder},
    {Py_nb_power, traced_power},
    {Py_nb_negative, traced_negative},
    {Py_nb_absolute, traced_absolute},
    {Py_tp_doc, "A number of a function that is being recorded."},
    {0, NULL},
};

static PyType_Spec traced_spec = {
    .name = "gradwalk.program._replay.Traced",
    .basicsize = sizeof(Traced),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .slots = traced_slots,
};

/* ── Tape ───────────────────────────────────────────────────────────────────────────────────── */

static void
free_instructions(Tape *self)
{
    self->count = self->room = self->valued = self->input_count = 0;
    self->arg_count = self->arg_room = 0;
    self->source_count = self->source_room = 0;
    free(self->code);
    free(self->place);
    free(self->start);
    free(self->value);
    free(self->input);
    free(self->arg);
    free(self->source);
    self->code = NULL;
    self->place = NULL;
    self->start = NULL;
    self->value = NULL;
    self->input = NULL;
    self->arg = NULL;
    self->source = NULL;
}

/* Drop everything. Values that outlive the tape keep it alive, but it refuses to record. What lives for one call keeps
 * its instructions, for the gradient. */
static int
tape_end(PyObject *object)
{
    Tape *self = (Tape *)object;
    PyObject **kept = self->kept;
    int32_t kept_count = self->kept_count;
    self->kept = NULL;
    self->kept_count = self->kept_room = 0;
    /* Dropping a reference may run code, to which the tape must have ended: all fields are empty before the first. */
    PyObject *reached = self->reached, *objects = self->objects, *parameters = self->parameters;
    self->reached = self->objects = self->parameters = NULL;
    self->last[0] = self->last[1] = NULL;
    if (!self->once) {
        free_instructions(self);
    }
    table_free(&self->constants);
    table_free(&self->known);
    table_free(&self->by_code);
    table_free(&self->reach);
    Py_XDECREF(reached);
    Py_XDECREF(objects);
    Py_XDECREF(parameters);
    for (int32_t k = 0; k < kept_count; k++) {
        Py_DECREF(kept[k]);
    }
    free(kept);
    return 0;
}

static int
tape_traverse(PyObject *object, visitproc visit, void *arg)
{
    Tape *self = (Tape *)object;
    Py_VISIT(Py_TYPE(object));
    Py_VISIT(self->parameters);
    Py_VISIT(self->objects);
    Py_VISIT(self->reached);
    for (int32_t k = 0; k < self->kept_count; k++) {
        Py_VISIT(self->kept[k]);
    }
    return 0;
}

static void
tape_dealloc(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    PyObject_GC_UnTrack(object);
    tape_end(object);
    free_instructions((Tape *)object);
    type->tp_free(object);
    Py_DECREF(type);
}

static Recorder *recorder_of(PyTypeObject *type);

static PyObject *
tape_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    (void)args; /* they are __init__'s */
    (void)names;
    Recorder *recorder = recorder_of(type);
    Tape *self = recorder == NULL ? NULL : (Tape *)type->tp_alloc(type, 0);
    if (self == NULL) {
        return NULL;
    }
    self->recorder = recorder;
    self->parameters = PyList_New(0);
    self->objects = PyList_New(0);
    self->reached = PyList_New(0);
    if (self->parameters == NULL || self->objects == NULL || self->reached == NULL) {
        Py_CLEAR(self);
    }
    return (PyObject *)self;
}

static int
tape_init(PyObject *object, PyObject *args, PyObject *names)
{
    static char *keywords[] = {"slots", NULL};
    int slots;
    if (!PyArg_ParseTupleAndKeywords(args, names, "i:Tape", keywords, &slots)) {
        return -1;
    }
    ((Tape *)object)->slots = slots;
    return 0;
}

/* Return the id if there is such an instruction, else -1 with an error. */
static int32_t
instruction(Tape *tape, PyObject *id)
{
    long number = PyLong_AsLong(id);
    if (number == -1 && PyErr_Occurred()) {
        return -1;
    }
    if (number < 0 || number >= tape->count) {
        PyErr_Format(PyExc_IndexError, "there is no instruction %ld", number);
        return -1;
    }
    return (int32_t)number;
}

static PyObject *
tape_traced(PyObject *object, PyObject *given)
{
    Tape *self = (Tape *)object;
    int32_t id = instruction(self, given);
    return id < 0 ? NULL : (PyObject *)new_traced(self, id);
}

static PyObject *
tape_code(PyObject *object, PyObject *given)
{
    Tape *self = (Tape *)object;
    if (has_ended(self)) {
        refuse(self, "");
        return NULL;
    }
    int32_t id = instruction(self, given);
    return id < 0 ? NULL : PyLong_FromLong(self->code[id]);
}

static PyObject *
tape_emit(PyObject *object, PyObject *args)
{
    int code;
    PyObject *operands;
    const char *name = "";
    if (!PyArg_ParseTuple(args, "iO|s:emit", &code, &operands, &name)) {
        return NULL;
    }
    if (code <= INPUT || code > LAST_RECORDED) {
        PyErr_Format(PyExc_ValueError, "%d is not the code of an operation", code);
        return NULL;
    }
    return emit((Tape *)object, code, operands, name);
}

static PyObject *
id_or_none(int32_t id)
{
    if (id < 0) {
        Py_RETURN_NONE;
    }
    return PyLong_FromLong(id);
}

static PyObject *
tape_source(PyObject *object, PyObject *args)
{
    int code;
    double number;
    if (!PyArg_ParseTuple(args, "id:source", &code, &number)) {
        return NULL;
    }
    if (code != CONST && code != INPUT) {
        PyErr_Format(PyExc_ValueError, "%d is not the code of a const or an input", code);
        return NULL;
    }
    Tape *self = (Tape *)object;
    return reserve_source(self) < 0 ? NULL : PyLong_FromLong(put_source(self, code, number));
}

static PyObject *
tape_constant(PyObject *object, PyObject *given)
{
    double number = PyFloat_AsDouble(given);
    if (number == -1.0 && PyErr_Occurred()) {
        return NULL;
    }
    int32_t id = constant((Tape *)object, number);
    return id < 0 ? NULL : PyLong_FromLong(id);
}

static PyObject *
tape_operand(PyObject *object, PyObject *thing)
{
    int32_t id;
    int known = operand((Tape *)object, thing, &id);
    return known < 0 ? NULL : id_or_none(known ? id : -1);
}

static PyObject *
tape_find(PyObject *object, PyObject *value)
{
    return id_or_none(table_find(&((Tape *)object)->known, (uint64_t)(uintptr_t)value));
}

static PyObject *
tape_keep(PyObject *object, PyObject *args)
{
    PyObject *value;
    int id;
    Tape *self = (Tape *)object;
    if (!PyArg_ParseTuple(args, "Oi:keep", &value, &id)) {
        return NULL;
    }
    if (id < 0 || id >= self->count) {
        PyErr_Format(PyExc_IndexError, "there is no instruction %d", id);
        return NULL;
    }
    if (reserve_value(self) < 0) {
        return NULL;
    }
    put_value(self, value, id);
    Py_RETURN_NONE;
}

static PyObject *
tape_settle(PyObject *object, PyObject *given)
{
    Tape *self = (Tape *)object;
    long begin = PyLong_AsLong(given);
    if (begin == -1 && PyErr_Occurred()) {
        return NULL;
    }
    Place place;
    if (user_place(self, &place) < 0) {
        return NULL;
    }
    for (long i = begin < 0 ? 0 : begin; i < self->count; i++) {
        if (self->place[i].which >= 0) {
            self->place[i] = place;
        }
    }
    Py_RETURN_NONE;
}

/* Return a new array.array of zeros, and a view to fill it. The caller releases the view. */
static PyObject *
zeros(const Recorder *recorder, const char *kind, Py_ssize_t count, Py_buffer *view)
{
    PyObject *one = PyObject_CallFunction(recorder->array, "s[i]", kind, 0);
    PyObject *made = one == NULL ? NULL : PySequence_Repeat(one, count);
    Py_XDECREF(one);
    if (made != NULL && PyObject_GetBuffer(made, view, PyBUF_WRITABLE) < 0) {
        Py_CLEAR(made);
    }
    return made;
}

static PyObject *
tape_arrays(PyObject *object, PyObject *unused)
{
    (void)unused;
    Tape *self = (Tape *)object;
    if (has_ended(self) && !self->once) {
        refuse(self, "");
        return NULL;
    }
    enum { STARTS, ARGS, NUMBERS, PLACES, ARRAYS };
    static const char *const kinds[ARRAYS] = {"i", "i", "d", "i"};
    int32_t count = self->count, arg_count = self->arg_count;
    Py_ssize_t sizes[ARRAYS] = {(Py_ssize_t)count + 1, arg_count, count, 2 * (Py_ssize_t)count};
    PyObject *arrays[ARRAYS] = {NULL}, *codes = NULL, *result = NULL;
    Py_buffer views[ARRAYS];
    int made = 0;
    for (; made < ARRAYS; made++) {
        arrays[made] = zeros(self->recorder, kinds[made], sizes[made], &views[made]);
        if (arrays[made] == NULL) {
            goto fail;
        }
    }
    if (has_ended(self) && !self->once) { /* making objects can run anything; what it recorded is left out */
        refuse(self, "");
        goto fail;
    }
    int32_t *start = views[STARTS].buf;
    if (count > 0) {
        memcpy(start, self->start, (size_t)count * sizeof *start);
    }
    start[count] = arg_count;
    double *number = views[NUMBERS].buf;
    for (int32_t k = 0; k < self->source_count; k++) {
        if (self->source[k].id < count) {
            number[self->source[k].id] = self->source[k].number;
        }
    }
    if (count > 0) {
        memcpy(views[PLACES].buf, self->place, (size_t)count * sizeof *self->place);
    }
    if (arg_count > 0) {
        memcpy(views[ARGS].buf, self->arg, (size_t)arg_count * sizeof *self->arg);
    }
    codes = PyBytes_FromStringAndSize((const char *)self->code, count);
    if (codes != NULL) {
        PyObject *objects = self->objects == NULL ? PyList_New(0) : Py_NewRef(self->objects); /* making the tuple may collect garbage, and that end the tape */
        result = Py_BuildValue("OOOONO", codes, arrays[STARTS], arrays[ARGS], arrays[NUMBERS], objects, arrays[PLACES]);
    }
fail:
    while (made > 0) {
        PyBuffer_Release(&views[--made]);
        Py_DECREF(arrays[made]);
    }
    Py_XDECREF(codes);
    return result;
}

/* The same, for a tape that has not ended, or that lives for one call. */
static int32_t
known_id(Tape *tape, PyObject *id)
{
    return has_ended(tape) && !tape->once ? refuse(tape, "") : instruction(tape, id);
}

static PyObject *
tape_number(PyObject *object, PyObject *given)
{
    Tape *self = (Tape *)object;
    if (has_ended(self)) {
        refuse(self, "");
        return NULL;
    }
    int32_t id = known_id(self, given);
    return id < 0 || (id >= self->valued && compute_all(self) < 0) ? NULL : PyFloat_FromDouble(self->value[id]);
}

static PyObject *
tape_operands(PyObject *object, PyObject *given)
{
    Tape *self = (Tape *)object;
    int32_t id = known_id(self, given);
    if (id < 0) {
        return NULL;
    }
    int32_t count = operand_count_of(self, id);
    PyObject *ids = PyTuple_New(count);
    for (int32_t k = 0; ids != NULL && k < count; k++) {
        PyObject *one = PyLong_FromLong(self->arg[self->start[id] + k]);
        if (one == NULL) {
            Py_CLEAR(ids);
            break;
        }
        PyTuple_SET_ITEM(ids, k, one);
    }
    return ids;
}

/* One step backwards: what an instruction that receives `grad` hands to its operands. A gradient of exactly 0 passes
 * nothing on, nor does a selection pass anything to what it did not take. */
static void
pass_on(const Tape *tape, int32_t i, double *grads)
{
    int code = tape->code[i];
    const int32_t *arg = tape->arg + tape->start[i];
    int32_t count = operand_count_of(tape, i);
    double grad = grads[i], by[3] = {0.0, 0.0, 0.0}, x[3] = {0.0, 0.0, 0.0};
    for (int32_t k = 0; k < count && k < 3; k++) {
        x[k] = tape->value[arg[k]];
    }
    if (code == C_div) {
        by[0] = 1.0 / x[1];
        by[1] = -(tape->value[i] / x[1]);
        count = x[0] == 0.0 && isfinite(grad) ? 1 : 2; /* it is x * y**-1, and that power has received 0 */
    }
    else if (code == C_sub || code == C_neg) {
        by[0] = code == C_sub ? 1.0 : -1.0;
        by[1] = -1.0;
    }
    else if (code < LT) {
        scalar_eager(code, x[0], x[1], x[2], by);
    }
    bool selects = tape->recorder->selects[code];
    for (int32_t k = 0; k < count; k++) {
        double local = code < LT     ? by[k]
                       : code == SUM ? 1.0
                       : code == DOT ? tape->value[arg[k ^ 1]]
                       : code == TAKE ? k == 1 + nearest_entry(x[0], count - 1)
                                      : 0.0;
        if (tape->code[arg[k]] != CONST && !(selects && local == 0.0)) {
            grads[arg[k]] += local * grad;
        }
    }
}

/* gradient(output, slots, grads): write the gradient of an instruction by these slots. */
static PyObject *
tape_gradient(PyObject *object, PyObject *args)
{
    Tape *self = (Tape *)object;
    PyObject *output;
    Py_buffer slots, grads;
    if (!PyArg_ParseTuple(args, "Oy*w*:gradient", &output, &slots, &grads)) {
        return NULL;
    }
    int32_t id = known_id(self, output);
    double *all = NULL;
    PyObject *result = NULL;
    Py_ssize_t wanted = slots.len / (Py_ssize_t)sizeof(int32_t);
    if (id < 0 || (!has_ended(self) && compute_all(self) < 0)) {
        goto end;
    }
    if (grads.len != wanted * (Py_ssize_t)sizeof(double)) {
        PyErr_SetString(PyExc_ValueError, "gradient takes as many numbers as slots");
        goto end;
    }
    int32_t inputs = 0;
    for (int32_t n = 0; n < self->source_count; n++) {
        if (self->code[self->source[n].id] == INPUT && self->source[n].number >= (double)inputs) {
            inputs = (int32_t)self->source[n].number + 1;
        }
    }
    all = calloc((size_t)id + 1 + (size_t)inputs, sizeof *all);
    if (all == NULL) {
        PyErr_NoMemory();
        goto end;
    }
    all[id] = 1.0;
    for (int32_t i = id; i >= 0; i--) {
        if (all[i] != 0.0 && self->code[i] != INPUT && self->code[i] != CONST) {
            pass_on(self, i, all);
        }
    }
    double *by_slot = all + id + 1, *grad = grads.buf;
    for (int32_t n = 0; n < self->source_count && self->source[n].id <= id; n++) {
        if (self->code[self->source[n].id] == INPUT) {
            by_slot[(int32_t)self->source[n].number] += all[self->source[n].id];
        }
    }
    for (Py_ssize_t k = 0; k < wanted; k++) {
        int32_t slot = ((const int32_t *)slots.buf)[k];
        grad[k] = slot >= 0 && slot < inputs ? by_slot[slot] : 0.0;
    }
    result = Py_NewRef(Py_None);
end:
    free(all);
    PyBuffer_Release(&slots);
    PyBuffer_Release(&grads);
    return result;
}

static PyObject *
tape_close(PyObject *object, PyObject *unused)
{
    (void)unused;
    tape_end(object);
    Py_RETURN_NONE;
}

static PyObject *
tape_count(PyObject *object, void *closure)
{
    (void)closure;
    return PyLong_FromLong(((Tape *)object)->count);
}

static PyObject *
tape_ended(PyObject *object, void *closure)
{
    (void)closure;
    return PyBool_FromLong(has_ended((Tape *)object));
}

/* begin(inputs, questions): take the numbers of the arguments; with questions it lives for one call. */
static PyObject *
tape_begin(PyObject *object, PyObject *args)
{
    Tape *self = (Tape *)object;
    Py_buffer inputs;
    long long questions;
    if (!PyArg_ParseTuple(args, "y*L:begin", &inputs, &questions)) {
        return NULL;
    }
    double *numbers = malloc((size_t)inputs.len + 1);
    if (numbers == NULL) {
        PyErr_NoMemory();
    }
    else {
        memcpy(numbers, inputs.buf, (size_t)inputs.len);
        free(self->input);
        self->input = numbers;
        self->input_count = (int32_t)(inputs.len / (Py_ssize_t)sizeof *numbers);
        self->once = questions > 0;
        self->questions = self->most_questions = questions;
    }
    PyBuffer_Release(&inputs);
    return numbers == NULL ? NULL : Py_NewRef(Py_None);
}

static PyMethodDef tape_methods[] = {
    {"traced", tape_traced, METH_O, "traced(id)\n--\n\nReturn the value of an instruction."},
    {"code", tape_code, METH_O, "code(id)\n--\n\nReturn the code of an instruction."},
    {"emit", tape_emit, METH_VARARGS,
     "emit(code, operands, name='')\n--\n\nAppend an instruction for the user's line, whoever called."},
    {"source", tape_source, METH_VARARGS, "source(code, number)\n--\n\nAppend a const or an input."},
    {"constant", tape_constant, METH_O, "constant(number)\n--\n\nReturn the instruction of a const."},
    {"operand", tape_operand, METH_O,
     "operand(thing)\n--\n\nReturn the instruction of whatever stands in an operation; None for what may not."},
    {"find", tape_find, METH_O, "find(value)\n--\n\nReturn the instruction of a Value that was met before."},
    {"keep", tape_keep, METH_VARARGS, "keep(value, id)\n--\n\nRemember the instruction of a Value."},
    {"settle", tape_settle, METH_O,
     "settle(begin)\n--\n\nGive all instructions from `begin` on to the user's one line."},
    {"begin", tape_begin, METH_VARARGS,
     "begin(inputs, questions)\n--\n\nTake the numbers of the arguments. With questions it lives for one call."},
    {"number", tape_number, METH_O, "number(id)\n--\n\nReturn the number that an instruction has here."},
    {"operands", tape_operands, METH_O, "operands(id)\n--\n\nReturn the instructions that one reads."},
    {"gradient", tape_gradient, METH_VARARGS,
     "gradient(output, slots, grads)\n--\n\nWrite the gradient of an instruction by these slots."},
    {"arrays", tape_arrays, METH_NOARGS,
     "arrays()\n--\n\nReturn the program's codes, starts, args and numbers, and where it was recorded."},
    {"close", tape_close, METH_NOARGS, "close()\n--\n\nNo value of this recording can be used any more."},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef tape_members[] = {
    {"slots", T_INT, offsetof(Tape, slots), READONLY, "how many the arguments have"},
    {"once", T_INT, offsetof(Tape, once), READONLY, "whether it lives for one call"},
    {"watched", T_INT, offsetof(Tape, watched), 0, "whether `computed` is told of operators and functions of math"},
    {"parameters", T_OBJECT, offsetof(Tape, parameters), READONLY, "the Values met on the way"},
    {NULL, 0, 0, 0, NULL},
};

static PyGetSetDef tape_getset[] = {
    {"count", tape_count, NULL, "how many instructions there are", NULL},
    {"ended", tape_ended, NULL, "whether it was closed", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot tape_slots[] = {
    {Py_tp_new, tape_new},
    {Py_tp_init, tape_init},
    {Py_tp_dealloc, tape_dealloc},
    {Py_tp_traverse, tape_traverse},
    {Py_tp_clear, tape_end},
    {Py_tp_methods, tape_methods},
    {Py_tp_members, tape_members},
    {Py_tp_getset, tape_getset},
    {Py_tp_doc, "The instructions recorded so far."},
    {0, NULL},
};

static PyType_Spec tape_spec = {
    .name = "gradwalk.program._replay.Tape",
    .basicsize = sizeof(Tape),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .slots = tape_slots,
};

/* ── Calls ──────────────────────────────────────────────────────────────────────────────────── */

#ifdef _MSC_VER
#define PER_THREAD __declspec(thread)
#else
#define PER_THREAD _Thread_local
#endif

static PER_THREAD Tape *current; /* the tape that this thread records on; borrowed from the caller that set it */

enum { DEEPEST = 4000 }; /* unlike a call in Python, a call that is followed needs room on the C stack */

/* The key of a callee on a tape: its code object, its type, or the type that it is a method of. */
enum { BY_CODE, BY_CLASS, BY_TYPE, BY_SELF };

/* The array is the caller's, perhaps a tuple's: the callee may not overwrite any of it, so there is no ARGUMENTS_OFFSET. */
static inline PyObject *
call_as_it_is(PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    return PyObject_Vectorcall(args[0], args + 1, (size_t)(count - 1), names);
}

/* Call with `self` in the place of the callee. */
static PyObject *
call_with_self(PyObject *function, PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    enum { ENOUGH = 8 };
    PyObject *few[ENOUGH], **own = few, *result = NULL;
    size_t all = (size_t)count + (names == NULL ? 0 : (size_t)PyTuple_GET_SIZE(names));
    if (all > ENOUGH && (own = PyMem_Malloc(all * sizeof *own)) == NULL) {
        return PyErr_NoMemory();
    }
    memcpy(own, args, all * sizeof *own);
    own[0] = self;
    result = PyObject_Vectorcall(function, own, (size_t)count, names);
    if (own != few) {
        PyMem_Free(own);
    }
    return result;
}

/* Return the function that replaces this one during a recording, or NULL; borrowed. */
static inline PyObject *
replacement_of(const Recorder *recorder, PyObject *callee)
{
    int32_t at = table_find(&recorder->replaced, (uint64_t)(uintptr_t)callee);
    return at < 0 ? NULL : PyList_GET_ITEM(recorder->replacements, at);
}

/* Return the answer of Tape.reach for a callee, asked once per `key`, or NULL on an error. Asking runs Python code, which
 * may give the callee another key or end the recording. */
static PyObject *
reached(Tape *tape, PyObject *callee, PyObject *key, int kind)
{
    uint64_t word = (uint64_t)(uintptr_t)key * 4 + (uint64_t)kind;
    int32_t at = table_find(&tape->reach, word);
    if (at >= 0) {
        return Py_NewRef(PyList_GET_ITEM(tape->reached, at + 1));
    }
    Py_INCREF(key);
    PyObject *answer = PyObject_CallMethodOneArg((PyObject *)tape, tape->recorder->reach_name, callee);
    if (answer != NULL && has_ended(tape)) {
        refuse(tape, "");
        Py_CLEAR(answer);
    }
    if (answer != NULL) {
        at = (int32_t)PyList_GET_SIZE(tape->reached);
        if (table_reserve(&tape->reach) < 0 || PyList_Append(tape->reached, key) < 0 ||
            PyList_Append(tape->reached, answer) < 0) {
            Py_CLEAR(answer);
        }
        else {
            table_put(&tape->reach, word, at);
        }
    }
    Py_DECREF(key);
    return answer;
}

/* A function like this one, with other code. */
static PyObject *
with_code(PyObject *function, PyObject *code)
{
    PyObject *made = PyFunction_NewWithQualName(code, PyFunction_GET_GLOBALS(function),
                                                ((PyFunctionObject *)function)->func_qualname);
    PyObject *defaults = PyFunction_GET_DEFAULTS(function), *named = PyFunction_GET_KW_DEFAULTS(function),
             *closure = PyFunction_GET_CLOSURE(function);
    if (made != NULL && ((defaults != NULL && PyFunction_SetDefaults(made, defaults) < 0) ||
                         (named != NULL && PyFunction_SetKwDefaults(made, named) < 0) ||
                         (closure != NULL && PyFunction_SetClosure(made, closure) < 0))) {
        Py_CLEAR(made);
    }
    return made;
}

/* Call a Python function, or a method's function with its instance. If the call is followed, its rewritten code runs.
 * args[0] is the callee. */
static PyObject *
call_function_of_python(Tape *tape, PyObject *function, PyObject *self, PyObject *const *args, Py_ssize_t count,
                        PyObject *names)
{
    PyObject *answer = reached(tape, function, PyFunction_GET_CODE(function), BY_CODE);
    if (answer == NULL) {
        return NULL;
    }
    if (answer == Py_None) {
        Py_DECREF(answer);
        return call_as_it_is(args, count, names);
    }
    if (tape->depth >= DEEPEST) {
        PyErr_Format(PyExc_RecursionError, "calls nest more than %d deep while a function is recorded", DEEPEST);
        Py_DECREF(answer);
        return NULL;
    }
    PyObject *made, *result;
    tape->depth++;
    if (PyCode_Check(answer)) {
        made = with_code(function, answer);
    }
    else { /* what makes the function to be called */
        made = PyObject_CallOneArg(answer, function);
    }
    Py_DECREF(answer);
    if (made == NULL) {
        result = NULL;
    }
    else if (self == NULL) {
        result = PyObject_Vectorcall(made, args + 1, (size_t)(count - 1), names);
    }
    else {
        result = call_with_self(made, self, args, count, names);
    }
    Py_XDECREF(made);
    tape->depth--;
    return result;
}

/* Call on a tape that records. */
static PyObject *
call_on_tape(Tape *tape, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    PyObject *callee = args[0];
    PyTypeObject *type = Py_TYPE(callee);
    if (type == &PyFunction_Type) {
        return call_function_of_python(tape, callee, NULL, args, count, names);
    }
    if (type == &PyMethod_Type && Py_IS_TYPE(PyMethod_GET_FUNCTION(callee), &PyFunction_Type)) {
        return call_function_of_python(tape, PyMethod_GET_FUNCTION(callee), PyMethod_GET_SELF(callee), args, count,
                                       names);
    }
    PyObject *other = replacement_of(tape->recorder, callee);
    if (other != NULL) {
        Py_INCREF(other);
        PyObject *result = PyObject_Vectorcall(other, args + 1, (size_t)(count - 1), names);
        Py_DECREF(other);
        return result;
    }
    PyObject *key = (PyObject *)type;
    int kind = BY_TYPE;
    if (type == &PyCFunction_Type) {
        PyObject *self = PyCFunction_GET_SELF(callee);
        bool is_plain = self == NULL || PyModule_CheckExact(self);
        if (!is_plain && PyList_CheckExact(self)) { /* of a list's own methods, sort alone has a form */
            is_plain = strcmp(((PyCFunctionObject *)callee)->m_ml->ml_name, "sort") != 0;
        }
        if (is_plain) {
            return call_as_it_is(args, count, names);
        }
        key = PyType_Check(self) ? self : (PyObject *)Py_TYPE(self);
        kind = BY_SELF;
    }
    else if (type == &PyMethod_Type) { /* of something that is no function of Python's */
        key = (PyObject *)Py_TYPE(PyMethod_GET_SELF(callee));
        kind = BY_SELF;
    }
    else if (PyType_Check(callee)) {
        if (!(((PyTypeObject *)callee)->tp_flags & Py_TPFLAGS_HEAPTYPE)) {
            return call_as_it_is(args, count, names);
        }
        key = callee;
        kind = BY_CLASS;
    }
    PyObject *answer = reached(tape, callee, key, kind);
    if (answer == NULL) {
        return NULL;
    }
    PyObject *result = answer == Py_None ? call_as_it_is(args, count, names)
                                         : PyObject_Vectorcall(answer, args, (size_t)count, names);
    Py_DECREF(answer);
    return result;
}

/* call(callee, *args, **names): rewritten code calls this in place of every callee. */
static PyObject *
recorded_call(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    (void)module;
    if (count < 1) {
        PyErr_SetString(PyExc_TypeError, "call takes what is to be called");
        return NULL;
    }
    if (current == NULL || has_ended(current)) {
        return call_as_it_is(args, count, names);
    }
    Tape *tape = (Tape *)Py_NewRef((PyObject *)current); /* the callee may set another */
    PyObject *result = call_on_tape(tape, args, count, names);
    Py_DECREF((PyObject *)tape);
    return result;
}

/* attribute(object, name): a property of a user's class is a call, too. */
static PyObject *
recorded_attribute(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (count != 2) {
        PyErr_SetString(PyExc_TypeError, "attribute takes an object and a name");
        return NULL;
    }
    PyObject *object = args[0], *name = args[1];
    PyTypeObject *type = Py_TYPE(object);
    if (current != NULL && type == &PySuper_Type) {
        return PyObject_CallMethod((PyObject *)current, "inherited", "OO", object, name);
    }
    if (current == NULL || !(type->tp_flags & Py_TPFLAGS_HEAPTYPE) || type->tp_getattro != PyObject_GenericGetAttr) {
        return PyObject_GetAttr(object, name);
    }
    PyObject *found = _PyType_Lookup(type, name); /* borrowed */
    if (found == NULL || !Py_IS_TYPE(found, &PyProperty_Type)) {
        return PyObject_GetAttr(object, name);
    }
    Py_INCREF(found);
    PyObject *getter = PyObject_GetAttr(found, current->recorder->getter_name), *result = NULL;
    Py_DECREF(found);
    if (getter != NULL && Py_IS_TYPE(getter, &PyFunction_Type)) {
        PyObject *both[] = {getter, object};
        result = recorded_call(module, both, 2, NULL);
    }
    else if (getter != NULL) {
        result = PyObject_GetAttr(object, name);
    }
    Py_XDECREF(getter);
    return result;
}

static PyObject *
plain_sum(PyObject *items, PyObject *start)
{
    PyObject *builtins = PyEval_GetBuiltins(); /* borrowed */
    PyObject *function = builtins == NULL ? NULL : PyMapping_GetItemString(builtins, "sum");
    PyObject *result = function == NULL ? NULL : start == NULL
                                            ? PyObject_CallOneArg(function, items)
                                            : PyObject_CallFunctionObjArgs(function, items, start, NULL);
    Py_XDECREF(function);
    return result;
}

/* Whether a number adds nothing to a sum, which starts at 0.0: the integer 0, or 0.0, but not -0.0. */
static bool
is_nothing(PyObject *number)
{
    if (PyFloat_CheckExact(number)) {
        static const double zero = 0.0;
        double value = PyFloat_AS_DOUBLE(number);
        return memcmp(&value, &zero, sizeof zero) == 0;
    }
    return PyLong_CheckExact(number) && PyObject_IsTrue(number) == 0;
}

/* sum(x, start=0): one instruction if any term is a recorded value. */
static PyObject *
recorded_sum(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    (void)module;
    PyObject *start = count > 1 ? args[1] : NULL;
    Py_ssize_t named = names == NULL ? 0 : PyTuple_GET_SIZE(names);
    if (count == 1 && named == 1 && PyUnicode_CompareWithASCIIString(PyTuple_GET_ITEM(names, 0), "start") == 0) {
        start = args[1];
        named = 0;
    }
    if (count < 1 || count > 2 || named > 0) {
        PyErr_SetString(PyExc_TypeError, "sum() takes an iterable and start=0");
        return NULL;
    }
    PyObject *items = PySequence_Tuple(args[0]), *result = NULL;
    if (items == NULL) {
        return NULL;
    }
    Tape *tape = (Tape *)Py_XNewRef((PyObject *)current); /* reading an operand may set another */
    Py_ssize_t terms = PyTuple_GET_SIZE(items);
    bool recorded = start != NULL && is_traced(start), fit = true;
    for (Py_ssize_t k = 0; tape != NULL && fit && k < terms; k++) {
        PyObject *item = PyTuple_GET_ITEM(items, k);
        if (is_traced(item)) {
            recorded = true;
        }
        else if (!PyFloat_CheckExact(item) && !PyLong_CheckExact(item)) {
            int is_value = PyObject_IsInstance(item, tape->recorder->value_type);
            if (is_value < 0) {
                goto end;
            }
            recorded = recorded || is_value;
            int32_t id;
            int known = is_value ? 1 : operand(tape, item, &id);
            if (known < 0) {
                goto end;
            }
            fit = known > 0;
        }
    }
    if (tape == NULL || has_ended(tape) || !recorded || !fit) {
        result = plain_sum(items, start);
        goto end;
    }
    if (start != NULL && !is_nothing(start)) {
        PyObject *more = PyTuple_Pack(1, start), *longer = more == NULL ? NULL : PySequence_Concat(more, items);
        Py_XDECREF(more);
        if (longer == NULL) {
            goto end;
        }
        Py_SETREF(items, longer);
    }
    if (PyTuple_GET_SIZE(items) == 1) { /* 0 + x, which is no reduction and has the sign of a sum */
        PyObject *both = Py_BuildValue("(dO)", 0.0, PyTuple_GET_ITEM(items, 0));
        if (both == NULL) {
            goto end;
        }
        Py_SETREF(items, both);
        result = emit(tape, C_add, items, "sum");
        goto end;
    }
    result = emit(tape, SUM, items, "sum");
end:
    Py_XDECREF((PyObject *)tape);
    Py_DECREF(items);
    return result;
}

/* recording(tape, function): call a function while this thread records on a tape. No interrupt comes between. */
static PyObject *
call_recording(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    if (count != 2 || !PyObject_TypeCheck(args[0], (PyTypeObject *)recorder_in(module)->tape_type)) {
        PyErr_SetString(PyExc_TypeError, "recording takes a Tape and a function");
        return NULL;
    }
    Tape *before = current;
    current = (Tape *)args[0];
    PyObject *result = PyObject_CallNoArgs(args[1]);
    current = before;
    return result;
}

/* replace(original, replacement): call the replacement instead of the original during a recording. */
static PyObject *
add_replacement(PyObject *module, PyObject *args)
{
    PyObject *original, *replacement;
    if (!PyArg_ParseTuple(args, "OO:replace", &original, &replacement)) {
        return NULL;
    }
    Recorder *recorder = recorder_in(module);
    int32_t at = (int32_t)PyList_GET_SIZE(recorder->replacements);
    if (table_reserve(&recorder->replaced) < 0 || PyList_Append(recorder->originals, original) < 0 ||
        PyList_Append(recorder->replacements, replacement) < 0) {
        return NULL;
    }
    table_put(&recorder->replaced, (uint64_t)(uintptr_t)original, at);
    Py_RETURN_NONE;
}

/* replacement(original): return the replacement of a function, or None. */
static PyObject *
find_replacement(PyObject *module, PyObject *original)
{
    PyObject *found = replacement_of(recorder_in(module), original);
    return Py_NewRef(found == NULL ? Py_None : found);
}

/* Say whether a list or a dict has the contents of its copy, by identity; any other kind has not. */
static bool
has_contents(PyObject *thing, PyObject *parts)
{
    if (PyList_Check(thing) && PyList_Check(parts)) {
        Py_ssize_t count = PyList_GET_SIZE(thing);
        if (count != PyList_GET_SIZE(parts)) {
            return false;
        }
        for (Py_ssize_t i = 0; i < count; i++) {
            if (PyList_GET_ITEM(thing, i) != PyList_GET_ITEM(parts, i)) {
                return false;
            }
        }
        return true;
    }
    if (!PyDict_Check(thing) || !PyDict_Check(parts) || PyDict_Size(thing) != PyDict_Size(parts)) {
        return false;
    }
    Py_ssize_t mine = 0, others = 0;
    PyObject *key, *value, *other_key, *other;
    while (PyDict_Next(thing, &mine, &key, &value)) {
        if (!PyDict_Next(parts, &others, &other_key, &other) || key != other_key || value != other) {
            return false;
        }
    }
    return true;
}

/* same(names, parts, tables, missing): compare what is outside of a function by identity, see outside.py. */
static PyObject *
same_outside(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    if (count != 4 || !PyList_Check(args[0]) || !PyList_Check(args[1]) || !PyList_Check(args[2])) {
        PyErr_SetString(PyExc_TypeError, "same takes three lists and what is missing");
        return NULL;
    }
    for (int k = 0; k < 2; k++) {
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(args[k]); i++) {
            PyObject *held = PyList_GET_ITEM(args[k], i), *found;
            PyObject *owner = PyTuple_GET_ITEM(held, 0), *name = PyTuple_GET_ITEM(held, 1);
            if (k == 0) {
                found = Py_XNewRef(PyDict_GetItemWithError(owner, name));
            } else {
                found = PyObject_GetAttr(owner, name);
            }
            if (found == NULL && PyErr_Occurred()) {
                if (!PyErr_ExceptionMatches(PyExc_AttributeError) && !PyErr_ExceptionMatches(PyExc_ValueError)) {
                    return NULL;
                }
                PyErr_Clear();
            }
            bool is_same = (found == NULL ? args[3] : found) == PyTuple_GET_ITEM(held, 2);
            Py_XDECREF(found);
            if (!is_same) {
                Py_RETURN_FALSE;
            }
        }
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(args[2]); i++) {
        PyObject *held = PyList_GET_ITEM(args[2], i);
        if (!has_contents(PyTuple_GET_ITEM(held, 0), PyTuple_GET_ITEM(held, 1))) {
            Py_RETURN_FALSE;
        }
    }
    Py_RETURN_TRUE;
}

static PyMethodDef functions[] = {
    {"call", (PyCFunction)(void (*)(void))recorded_call, METH_FASTCALL | METH_KEYWORDS,
     "call(callee, /, *args, **named)\n--\n\nCall it as the recording wants it called."},
    {"attribute", (PyCFunction)(void (*)(void))recorded_attribute, METH_FASTCALL,
     "attribute(thing, name, /)\n--\n\nReturn an attribute; a property is called by `call`."},
    {"sum", (PyCFunction)(void (*)(void))recorded_sum, METH_FASTCALL | METH_KEYWORDS,
     "sum(x, /, start=0)\n--\n\nThe builtin, which is one instruction of recorded values."},
    {"recording", (PyCFunction)(void (*)(void))call_recording, METH_FASTCALL,
     "recording(tape, function, /)\n--\n\nCall a function while this thread records on a tape."},
    {"replace", add_replacement, METH_VARARGS,
     "replace(original, replacement, /)\n--\n\nCall the second in the place of the first while recording."},
    {"replacement", find_replacement, METH_O, "replacement(original, /)\n--\n\nReturn what stands for it, or None."},
    {"same", (PyCFunction)(void (*)(void))same_outside, METH_FASTCALL,
     "same(names, parts, tables, missing, /)\n--\n\nSay whether all these are the very things that they were."},
    {NULL, NULL, 0, NULL},
};

/* ── The module's part ──────────────────────────────────────────────────────────────────────── */

static PyObject *
fetch(const char *module_name, const char *name)
{
    PyObject *module = PyImport_ImportModule(module_name);
    PyObject *thing = module == NULL ? NULL : PyObject_GetAttrString(module, name);
    Py_XDECREF(module);
    return thing;
}

/* The part of the module's state that a subclass of Tape was made with. */
static Recorder *
recorder_of(PyTypeObject *type)
{
    while (type != NULL && type->tp_dealloc != tape_dealloc) {
        type = type->tp_base;
    }
    PyObject *module = type == NULL ? NULL : PyType_GetModule(type);
    return module == NULL ? NULL : recorder_in(module);
}

/* Note the codes that pass nothing to what they did not take. */
static int
learn_selecting(Recorder *recorder)
{
    PyObject *codes = fetch("gradwalk.program.ir", "SELECTING");
    int status = -1;
    if (codes != NULL && PyBytes_Check(codes)) {
        for (Py_ssize_t k = 0; k < PyBytes_GET_SIZE(codes); k++) {
            recorder->selects[(uint8_t)PyBytes_AS_STRING(codes)[k]] = true;
        }
        status = 0;
    }
    else if (codes != NULL) {
        PyErr_SetString(PyExc_TypeError, "SELECTING is bytes");
    }
    Py_XDECREF(codes);
    return status;
}

int
recorder_begin(PyObject *module, Recorder *recorder)
{
#ifndef GRADWALK_TEST_HOOKS /* test builds allocate each value separately, so that allocations can fail and leaks show */
    recorder->spare_most = MOST_SPARE;
#endif
    if (!(recorder->value_type = fetch("gradwalk.engine", "Value")) ||
        !(recorder->constant = fetch("gradwalk.engine", "CONST")) ||
        !(recorder->codes = fetch("gradwalk.program.ir", "CODE")) ||
        !(recorder->ours = fetch("gradwalk.program.trace", "OURS")) ||
        !(recorder->array = fetch("array", "array")) || learn_selecting(recorder) < 0 ||
        !(recorder->children_name = PyUnicode_InternFromString("_children")) ||
        !(recorder->op_name = PyUnicode_InternFromString("_op")) ||
        !(recorder->module_name = PyUnicode_InternFromString("__name__")) ||
        !(recorder->name_name = PyUnicode_InternFromString("name")) ||
        !(recorder->reach_name = PyUnicode_InternFromString("reach")) ||
        !(recorder->getter_name = PyUnicode_InternFromString("fget")) ||
        !(recorder->originals = PyList_New(0)) || !(recorder->replacements = PyList_New(0)) ||
        !(recorder->traced_type = PyType_FromModuleAndSpec(module, &traced_spec, NULL)) ||
        !(recorder->tape_type = PyType_FromModuleAndSpec(module, &tape_spec, NULL))) {
        return -1;
    }
    if (!PyTuple_Check(recorder->ours)) {
        PyErr_SetString(PyExc_TypeError, "OURS is a tuple");
        return -1;
    }
    return PyModule_AddFunctions(module, functions) < 0 ||
                   PyModule_AddType(module, (PyTypeObject *)recorder->traced_type) < 0 ||
                   PyModule_AddType(module, (PyTypeObject *)recorder->tape_type) < 0
               ? -1
               : 0;
}

#define REFERENCES(DO)          \
    DO(recorder->traced_type)   \
    DO(recorder->tape_type)     \
    DO(recorder->value_type)    \
    DO(recorder->constant)      \
    DO(recorder->codes)         \
    DO(recorder->ours)          \
    DO(recorder->array)         \
    DO(recorder->children_name) \
    DO(recorder->op_name)       \
    DO(recorder->module_name)   \
    DO(recorder->name_name)     \
    DO(recorder->reach_name)    \
    DO(recorder->getter_name)   \
    DO(recorder->originals)     \
    DO(recorder->replacements)

int
recorder_traverse(Recorder *recorder, visitproc visit, void *arg)
{
#define VISIT(thing) Py_VISIT(thing);
    REFERENCES(VISIT)
#undef VISIT
    return 0;
}

void
recorder_clear(Recorder *recorder)
{
#define CLEAR(thing) Py_CLEAR(thing);
    REFERENCES(CLEAR)
#undef CLEAR
    table_free(&recorder->replaced);
    recorder->spare_most = 0;
    while (recorder->spare != NULL) {
        Traced *value = recorder->spare;
        recorder->spare = value->tape;
        PyObject_Free(value);
    }
}
