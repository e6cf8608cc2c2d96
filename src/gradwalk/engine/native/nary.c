/* Operations over lists: dot, linear, sum, softmax and their kin, the twin of engine/nary.py.
 *
 * nary.py is the specification: the same sums in the same order, to the last bit, the same graph, the
 * same errors. Two ways lead to it:
 *
 *     plainly   every operand is a Value in a slab (or, for a dot, a number): no Python code can run
 *               while they are read, and the results share a Block
 *     at large  subclasses, constants, numbers of other types, switches that are on: operands are
 *               read one by one from a list of our own, since Python code may run in between, and
 *               each result gets its edges by the one door of operators.c
 *
 * Start reading at `nary_dot`, then `soften`.
 */
#include "engine.h"
#include "numbers.h"

static const char *const KIND_NAMES[KINDS] = {
    [DOT] = "dot",
    [SUM] = "sum",
    [MEAN] = "mean",
    [LOGSUMEXP] = "logsumexp",
    [SOFTMAX] = "softmax",
    [LOG_SOFTMAX] = "log_softmax",
    [CROSS_ENTROPY] = "cross_entropy",
    [RMSNORM] = "rmsnorm",
    [LAYERNORM] = "layernorm",
};

/* Give every kind its operation code. */
int
install_kinds(Engine *engine)
{
    for (int kind = 0; kind < KINDS; kind++) {
        int code = OP_FIRST_KIND + kind;
        PyObject *symbol = PyUnicode_InternFromString(KIND_NAMES[kind]);
        PyObject *number = symbol ? PyLong_FromLong(code) : NULL;
        int status = number ? PyDict_SetItem(engine->codes, symbol, number) : -1;
        Py_XDECREF(number);
        Py_XSETREF(engine->symbols[code], symbol);
        if (status < 0) {
            return -1;
        }
    }
    return 0;
}

/* ── Arguments, with the words of a Python function ─────────────────────────────────────────── */

typedef struct {
    const char *name;
    int required, total;
    const char *parameters[3];
} Signature;

static int
complain_of_missing(const Signature *signature, PyObject *const *taken)
{
    const char *missing[3];
    int count = 0;
    for (int index = 0; index < signature->required; index++) {
        if (!taken[index]) {
            missing[count++] = signature->parameters[index];
        }
    }
    if (count == 1) {
        PyErr_Format(PyExc_TypeError, "%s() missing 1 required positional argument: '%s'",
                     signature->name, missing[0]);
    }
    else if (count == 2) {
        PyErr_Format(PyExc_TypeError, "%s() missing 2 required positional arguments: '%s' and '%s'",
                     signature->name, missing[0], missing[1]);
    }
    return count ? -1 : 0;
}

static int
take_arguments(const Signature *signature, PyObject *const *args, Py_ssize_t count,
               PyObject *names, PyObject **taken)
{
    if (count > signature->total) {
        if (signature->required < signature->total) {
            PyErr_Format(PyExc_TypeError,
                         "%s() takes from %d to %d positional arguments but %zd were given",
                         signature->name, signature->required, signature->total, count);
        }
        else {
            PyErr_Format(PyExc_TypeError, "%s() takes %d positional argument%s but %zd were given",
                         signature->name, signature->total, signature->total == 1 ? "" : "s", count);
        }
        return -1;
    }
    for (Py_ssize_t index = 0; index < signature->total; index++) {
        taken[index] = index < count ? args[index] : NULL;
    }
    for (Py_ssize_t index = 0; names && index < PyTuple_GET_SIZE(names); index++) {
        PyObject *name = PyTuple_GET_ITEM(names, index);
        int place = 0;
        while (place < signature->total &&
               PyUnicode_CompareWithASCIIString(name, signature->parameters[place]) != 0) {
            place++;
        }
        if (place == signature->total) {
            PyErr_Format(PyExc_TypeError, "%s() got an unexpected keyword argument '%U'",
                         signature->name, name);
            return -1;
        }
        if (taken[place]) {
            PyErr_Format(PyExc_TypeError, "%s() got multiple values for argument '%U'",
                         signature->name, name);
            return -1;
        }
        taken[place] = args[count + index];
    }
    return complain_of_missing(signature, taken);
}

/* ── Reading plainly ────────────────────────────────────────────────────────────────────────── */

/* A list or tuple as it lies in memory; `items` is NULL for anything else. */
typedef struct {
    PyObject *const *items;
    Py_ssize_t count;
} Items;

static inline Items
items_of(PyObject *sequence)
{
    if (PyList_CheckExact(sequence)) {
        return (Items){((PyListObject *)sequence)->ob_item, PyList_GET_SIZE(sequence)};
    }
    if (PyTuple_CheckExact(sequence)) {
        return (Items){((PyTupleObject *)sequence)->ob_item, PyTuple_GET_SIZE(sequence)};
    }
    return (Items){NULL, -1};
}

/* Whether a Block may hold it. A constant may not: its local gradients would have to be 0. */
static inline bool
is_plain(const Engine *engine, PyObject *thing)
{
    return Py_TYPE(thing) == engine->type && ((Value *)thing)->left & IN_SLAB &&
           operation_of((Value *)thing) != OP_CONST;
}

/* Read a number of a kind whose reading runs no Python code. */
static bool
read_plain_number(PyObject *thing, double *number)
{
    if (PyFloat_CheckExact(thing)) {
        *number = PyFloat_AS_DOUBLE(thing);
        return true;
    }
    if (!PyLong_CheckExact(thing)) {
        return false;
    }
    int overflow;
    long long whole = PyLong_AsLongLongAndOverflow(thing, &overflow);
    *number = (double)whole;
    return !overflow && whole < (1LL << 53) && whole > -(1LL << 53);
}

/* Return the Block of one list of a dot, numbers among its Values or not; NULL without an exception
 * where the list has to be read at large.
 */
static inline Block *
read_dot_list(Engine *engine, const PyObject *list, Items from)
{
    if (from.count <= 0) {
        return NULL;
    }
    Block *block = find_recent(engine, list, from.items, from.count);
    if (block) {
        return block;
    }
    block = new_block(engine, DOT, from.count);
    if (!block) {
        return NULL;
    }
    double *numbers = numbers_of(block);
    uint64_t parts = 0;
    block->list = NULL;
    for (Py_ssize_t index = 0; index < from.count; index++) {
        PyObject *thing = from.items[index];
        if (LIKELY(is_plain(engine, thing))) {
            Value *value = (Value *)Py_NewRef(thing);
            block->inputs[index] = value;
            numbers[index] = value->data;
            parts |= value->left;
        }
        else if (read_plain_number(thing, &numbers[index])) {
            block->whole = false;
        }
        else {
            leave_block(engine, block);
            return NULL;
        }
    }
    block->leaves = !(parts & ADDRESS_MASK);
    if (block->whole) {
        keep_recent(engine, block, list);
    }
    return block;
}

/* Read a list of Values for any kind but DOT. Returns NULL without an exception where the list has to
 * be read at large.
 */
static Block *
read_plainly(Engine *engine, Kind kind, PyObject *x)
{
    Items list = items_of(x);
    if (list.count <= 0) {
        return NULL;
    }
    for (Py_ssize_t index = 0; index < list.count; index++) {
        if (!is_plain(engine, list.items[index])) {
            return NULL;
        }
    }
    Block *block = new_block(engine, kind, list.count);
    if (block) {
        double *numbers = numbers_of(block);
        for (Py_ssize_t index = 0; index < list.count; index++) {
            block->inputs[index] = (Value *)Py_NewRef(list.items[index]);
            numbers[index] = block->inputs[index]->data;
        }
    }
    return block;
}

/* ── Reading at large ───────────────────────────────────────────────────────────────────────── */

/* Return an operand as a Value, a number as a constant; or NULL with the error of nary.py. */
static Value *
read_operand(Engine *engine, Kind kind, PyObject *operand)
{
    double number;
    if (is_value(engine, operand)) {
        return (Value *)Py_NewRef(operand);
    }
    int known = read_real(engine, operand, &number);
    if (known == 0) {
        char expected[64];
        PyOS_snprintf(expected, sizeof(expected), "%s takes Values or real numbers",
                      KIND_NAMES[kind]);
        type_error(engine->operand_error, expected, operand);
    }
    return known > 0 ? make_leaf(engine, number, OP_CONST) : NULL;
}

/* Read any iterable for any kind but DOT. */
static Block *
read_at_large(Engine *engine, Kind kind, PyObject *x)
{
    PyObject *list = PySequence_List(x); /* ours: no one else can change it */
    if (!list) {
        return NULL;
    }
    Py_ssize_t count = PyList_GET_SIZE(list);
    Block *block = new_block(engine, kind, count);
    for (Py_ssize_t index = 0; block && index < count; index++) {
        block->inputs[index] = read_operand(engine, kind, PyList_GET_ITEM(list, index));
        if (!block->inputs[index]) {
            leave_block(engine, block);
            block = NULL;
        }
    }
    Py_DECREF(list);
    if (!block) {
        return NULL;
    }
    for (Py_ssize_t index = 0; index < count; index++) {
        numbers_of(block)[index] = block->inputs[index]->data;
    }
    if (count == 0 && kind != SUM) {
        PyErr_Format(engine->operand_error, "%s takes at least one input, got an empty list",
                     KIND_NAMES[kind]);
        leave_block(engine, block);
        return NULL;
    }
    return block;
}

/* ── Results ────────────────────────────────────────────────────────────────────────────────── */

typedef enum { SHARED, SILENT, BY_EDGES } Manner;

/* How results are made: they share the Block, record nothing, or pass the one door. */
static Manner
manner_of(int flags, bool plain)
{
    return flags == NO_GRAD ? SILENT : flags == 0 && plain ? SHARED : BY_EDGES;
}

static Value *
record_by_edges(Engine *engine, const Block *block, const Block *own, Py_ssize_t slot, double data)
{
    Py_ssize_t count = count_edges(block);
    Value *parameters[2] = {NULL, NULL}, *node = NULL;
    Edge *edges = PyMem_Calloc((size_t)count + 1, sizeof(Edge));
    if (!edges) {
        PyErr_NoMemory();
        return NULL;
    }
    for (Py_ssize_t index = 0; index < count; index++) {
        edges[index] = block_edge(block, own, slot, index);
        if (!edges[index].input) {
            int place = (int)(index - block->count);
            double number = parameter_at(block, slot, place);
            if (!(parameters[place] = make_leaf(engine, number, OP_CONST))) {
                goto fail;
            }
            edges[index].input = parameters[place];
        }
        if (operation_of(edges[index].input) == OP_CONST) {
            edges[index].local = 0.0;
        }
    }
    int code = OP_FIRST_KIND + (int)block->kind;
    node = record_edges(engine, data, code, engine->symbols[code], edges, count);
fail:
    Py_XDECREF(parameters[0]);
    Py_XDECREF(parameters[1]);
    PyMem_Free(edges);
    return node;
}

/* Return a result; `own` is the Block of w for a DOT. A SHARED one becomes an owner of both. */
static inline Value *
make_result(Engine *engine, Manner manner, Block *block, Block *own, Py_ssize_t slot, double data)
{
    if (manner == BY_EDGES) {
        return record_by_edges(engine, block, own, slot, data);
    }
    Value *node = take_node(engine);
    if (UNLIKELY(!node)) {
        return NULL;
    }
    node->data = data;
    node->grad = 0.0;
    node->left = IN_SLAB;
    node->right = NULL;
    Locals *locals = slab_locals(node);
    locals->left = locals->right = 0.0;
    if (manner == SHARED) {
        node->left |= packed(block) | OPERATION(OP_FIRST_KIND + block->kind) | WIDE;
        locals->slot = slot;
        block->owners++;
        if (own) {
            node->own = own;
            own->owners++;
        }
    }
    return node;
}

/* ── dot and linear ─────────────────────────────────────────────────────────────────────────── */

static inline double
multiply_out(const double *w, const double *x, Py_ssize_t count)
{
    double total = 0.0;
    for (Py_ssize_t index = 0; index < count; index++) {
        total += w[index] * x[index];
    }
    return total;
}

/* Return w·x for an x that is read and a list w; NULL without an exception where w cannot be read
 * plainly.
 */
static inline Value *
dot_plainly(Engine *engine, Manner manner, PyObject *w, Block *x)
{
    Items items = items_of(w);
    Block *own = items.count == x->count ? read_dot_list(engine, w, items) : NULL;
    if (!own) {
        return NULL;
    }
    double total = multiply_out(numbers_of(own), numbers_of(x), x->count);
    Value *node = make_result(engine, manner, x, own, 0, total);
    leave_block(engine, own);
    return node;
}

static bool
same_length(Engine *engine, PyObject *w, PyObject *x)
{
    Py_ssize_t count = PyObject_Size(w), other = count < 0 ? -1 : PyObject_Size(x);
    if (count < 0 || other < 0) {
        return false;
    }
    if (count != other) {
        PyErr_Format(engine->operand_error, "dot takes two lists of one length, not %zd and %zd",
                     count, other);
    }
    return count == other;
}

/* Return the dot of any two sequences. */
static Value *
dot_at_large(Engine *engine, int flags, PyObject *w, PyObject *x)
{
    PyObject *lists[2] = {NULL, NULL};
    Block *sides[2] = {NULL, NULL};
    Value *node = NULL;
    if (!same_length(engine, w, x) || !(lists[0] = PySequence_List(w)) ||
        !(lists[1] = PySequence_List(x))) {
        goto fail;
    }
    Py_ssize_t count = PyList_GET_SIZE(lists[0]), other = PyList_GET_SIZE(lists[1]);
    if (count != other) { /* it was not as long as it said */
        PyErr_Format(PyExc_ValueError, "zip() argument 2 is %s than argument 1",
                     other < count ? "shorter" : "longer");
        goto fail;
    }
    for (int side = 0; side < 2; side++) {
        if (!(sides[side] = new_block(engine, DOT, count))) {
            goto fail;
        }
        sides[side]->list = NULL;
    }
    for (Py_ssize_t place = 0; place < 2 * count; place++) {
        PyObject *operand = PyList_GET_ITEM(lists[place % 2], place / 2);
        Value *input = read_operand(engine, DOT, operand);
        if (!input) {
            goto fail;
        }
        sides[place % 2]->inputs[place / 2] = input;
    }
    for (Py_ssize_t place = 0; place < 2 * count; place++) {
        Block *side = sides[place % 2];
        numbers_of(side)[place / 2] = side->inputs[place / 2]->data;
    }
    double total = multiply_out(numbers_of(sides[0]), numbers_of(sides[1]), count);
    node = make_result(engine, manner_of(flags, false), sides[1], sides[0], 0, total);
fail:
    Py_XDECREF(lists[0]);
    Py_XDECREF(lists[1]);
    for (int side = 0; side < 2; side++) {
        if (sides[side]) {
            leave_block(engine, sides[side]);
        }
    }
    return node;
}

/* dot(w, x) */
static PyObject *
nary_dot(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const Signature signature = {"dot", 2, 2, {"w", "x"}};
    Engine *engine = PyModule_GetState(module);
    PyObject *taken[3];
    int flags;
    if (take_arguments(&signature, args, count, names, taken) < 0 ||
        (flags = modes_here(engine)) < 0) {
        return NULL;
    }
    Manner manner = manner_of(flags, true);
    if (manner != BY_EDGES) {
        Block *x = read_dot_list(engine, taken[1], items_of(taken[1]));
        Value *node = x ? dot_plainly(engine, manner, taken[0], x) : NULL;
        if (x) {
            leave_block(engine, x);
        }
        if (node || PyErr_Occurred()) {
            return (PyObject *)node;
        }
    }
    return (PyObject *)dot_at_large(engine, flags, taken[0], taken[1]);
}

/* Return the list of results, or NULL; without an exception where it cannot be done plainly. */
static PyObject *
linear_plainly(Engine *engine, Manner manner, PyObject *matrix, PyObject *x)
{
    Items rows = items_of(matrix);
    PyObject *results = rows.count > 0 ? PyList_New(rows.count) : NULL;
    if (!results) {
        return NULL;
    }
    rows = items_of(matrix); /* again: making a list may run the garbage collector */
    Block *block = NULL;
    Py_ssize_t done = 0;
    if (rows.count == PyList_GET_SIZE(results)) {
        block = read_dot_list(engine, x, items_of(x));
    }
    while (block && done < rows.count) {
        Value *node = dot_plainly(engine, manner, rows.items[done], block);
        if (!node) {
            break;
        }
        PyList_SET_ITEM(results, done++, (PyObject *)node);
    }
    if (!block || done < rows.count) {
        Py_CLEAR(results);
    }
    if (block) {
        leave_block(engine, block);
    }
    return results;
}

static PyObject *
linear_at_large(Engine *engine, int flags, PyObject *matrix, PyObject *x)
{
    PyObject *results = PySequence_List(matrix); /* rows, each giving place to its result */
    for (Py_ssize_t index = 0; results && index < PyList_GET_SIZE(results); index++) {
        Value *node = dot_at_large(engine, flags, PyList_GET_ITEM(results, index), x);
        if (!node) {
            Py_CLEAR(results);
            break;
        }
        PyList_SetItem(results, index, (PyObject *)node);
    }
    return results;
}

/* Put row + bias in the place of every row. */
static int
add_biases(Engine *engine, PyObject *rows, PyObject *biases)
{
    Py_ssize_t count = PyList_GET_SIZE(rows), other = PyObject_Size(biases);
    if (other < 0) {
        return -1;
    }
    if (count != other) {
        PyErr_Format(engine->operand_error, "linear takes a bias for each row: %zd, not %zd", count,
                     other);
        return -1;
    }
    PyObject *list = PySequence_List(biases);
    int status = list ? 0 : -1;
    if (list && PyList_GET_SIZE(list) != count) {
        PyErr_Format(PyExc_ValueError, "zip() argument 2 is %s than argument 1",
                     PyList_GET_SIZE(list) < count ? "shorter" : "longer");
        status = -1;
    }
    for (Py_ssize_t index = 0; status == 0 && index < count; index++) {
        PyObject *row = Py_NewRef(PyList_GET_ITEM(rows, index));
        PyObject *sum = PyNumber_Add(row, PyList_GET_ITEM(list, index));
        Py_DECREF(row);
        status = sum ? PyList_SetItem(rows, index, sum) : -1;
    }
    Py_XDECREF(list);
    return status;
}

/* linear(W, x, b=None) */
static PyObject *
nary_linear(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const Signature signature = {"linear", 2, 3, {"W", "x", "b"}};
    Engine *engine = PyModule_GetState(module);
    PyObject *taken[3], *results = NULL;
    int flags;
    if (take_arguments(&signature, args, count, names, taken) < 0 ||
        (flags = modes_here(engine)) < 0) {
        return NULL;
    }
    Manner manner = manner_of(flags, true);
    if (manner != BY_EDGES) {
        results = linear_plainly(engine, manner, taken[0], taken[1]);
    }
    if (!results && !PyErr_Occurred()) {
        results = linear_at_large(engine, flags, taken[0], taken[1]);
    }
    if (results && taken[2] && taken[2] != Py_None && add_biases(engine, results, taken[2]) < 0) {
        Py_CLEAR(results);
    }
    return results;
}

/* ── One list, one result ───────────────────────────────────────────────────────────────────── */

static inline double
total_of(const double *numbers, Py_ssize_t count)
{
    double total = 0.0;
    for (Py_ssize_t index = 0; index < count; index++) {
        total += numbers[index];
    }
    return total;
}

static double
largest_of(const double *numbers, Py_ssize_t count)
{
    double largest = numbers[0];
    for (Py_ssize_t index = 0; index < count; index++) {
        largest = largest > numbers[index] || largest != largest ? largest : numbers[index];
    }
    return largest;
}

/* Turn numbers into their softmax; return log Σ exp. Both are nan where the largest is infinite. */
static double
share_out(double *numbers, Py_ssize_t count)
{
    double largest = largest_of(numbers, count);
    for (Py_ssize_t index = 0; index < count; index++) {
        numbers[index] = exp(numbers[index] - largest);
    }
    double total = total_of(numbers, count);
    double inverse = largest == -INFINITY ? (double)NAN : power(total, -1.0); /* as PyTorch has it */
    for (Py_ssize_t index = 0; index < count; index++) {
        numbers[index] *= inverse;
    }
    return logarithm(total) + largest;
}

/* Read the operands of any kind but DOT; `*manner` is how its results are to be made. */
static Block *
read_list(Engine *engine, Kind kind, PyObject *x, Manner *manner)
{
    int flags = modes_here(engine);
    if (flags < 0) {
        return NULL;
    }
    Block *block = NULL;
    *manner = manner_of(flags, true);
    if (*manner != BY_EDGES) {
        block = read_plainly(engine, kind, x);
    }
    if (!block && !PyErr_Occurred()) {
        *manner = manner_of(flags, false);
        block = read_at_large(engine, kind, x);
    }
    return block;
}

static PyObject *
finish(Engine *engine, Manner manner, Block *block, Py_ssize_t slot, double data)
{
    Value *node = make_result(engine, manner, block, NULL, slot, data);
    leave_block(engine, block);
    return (PyObject *)node;
}

/* sum(x), mean(x), logsumexp(x) */
static PyObject *
reduce(Kind kind, PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    const Signature signature = {KIND_NAMES[kind], 1, 1, {"x"}};
    Engine *engine = PyModule_GetState(module);
    PyObject *taken[3];
    Manner manner;
    if (take_arguments(&signature, args, count, names, taken) < 0) {
        return NULL;
    }
    Block *block = read_list(engine, kind, taken[0], &manner);
    if (!block) {
        return NULL;
    }
    double data;
    if (kind == LOGSUMEXP) {
        double *numbers = numbers_of(block), largest = largest_of(numbers, block->count);
        if (isinf(largest)) { /* no share is known, but the value is */
            data = largest;
            for (Py_ssize_t index = 0; index < block->count; index++) {
                numbers[index] = numbers[index] == largest ? (double)NAN : 0.0;
            }
        }
        else {
            data = share_out(numbers, block->count);
        }
    }
    else {
        data = total_of(numbers_of(block), block->count);
    }
    if (kind == MEAN) {
        block->share = power((double)block->count, -1.0);
        data *= block->share;
    }
    return finish(engine, manner, block, 0, data);
}

/* A function of the module by one that several kinds share. */
#define OF_KIND(name, shared, kind)                                                                          \
    static PyObject *nary_##name(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names) \
    {                                                                                                        \
        return shared(kind, module, args, count, names);                                                     \
    }

OF_KIND(sum, reduce, SUM)
OF_KIND(mean, reduce, MEAN)
OF_KIND(logsumexp, reduce, LOGSUMEXP)

/* cross_entropy(logits, target) */
static PyObject *
nary_cross_entropy(PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    static const Signature signature = {"cross_entropy", 2, 2, {"logits", "target"}};
    Engine *engine = PyModule_GetState(module);
    PyObject *taken[3];
    Manner manner;
    if (take_arguments(&signature, args, count, names, taken) < 0) {
        return NULL;
    }
    Block *block = read_list(engine, CROSS_ENTROPY, taken[0], &manner);
    if (!block) {
        return NULL;
    }
    int overflow = 1;
    long long target = PyLong_Check(taken[1]) ? PyLong_AsLongLongAndOverflow(taken[1], &overflow) : 0;
    if (overflow || target < 0 || target >= block->count) {
        PyErr_Format(engine->operand_error,
                     "the target of cross_entropy is an index from 0 to %zd, not %R",
                     block->count - 1, taken[1]);
        leave_block(engine, block);
        return NULL;
    }
    double data = share_out(numbers_of(block), block->count) - block->inputs[target]->data;
    return finish(engine, manner, block, (Py_ssize_t)target, data);
}

/* ── One list, as many results ──────────────────────────────────────────────────────────────── */

/* Return `block->count` results. `numbers` is what the local gradients are made of; a result's data is
 * that number times `factor`, and for a log softmax the input less `offset`.
 */
static PyObject *
make_results(Engine *engine, Manner manner, Block *block, double factor, double offset)
{
    PyObject *results = PyList_New(block->count);
    const double *numbers = numbers_of(block);
    for (Py_ssize_t slot = 0; results && slot < block->count; slot++) {
        double data = numbers[slot] * factor;
        if (block->kind == LOG_SOFTMAX) {
            data = block->inputs[slot]->data - offset;
        }
        Value *node = make_result(engine, manner, block, NULL, slot, data);
        if (!node) {
            Py_CLEAR(results);
            break;
        }
        PyList_SET_ITEM(results, slot, (PyObject *)node);
    }
    leave_block(engine, block);
    return results;
}

/* softmax(x), log_softmax(x) */
static PyObject *
soften(Kind kind, PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    const Signature signature = {KIND_NAMES[kind], 1, 1, {"x"}};
    Engine *engine = PyModule_GetState(module);
    PyObject *taken[3];
    Manner manner;
    if (take_arguments(&signature, args, count, names, taken) < 0) {
        return NULL;
    }
    Block *block = read_list(engine, kind, taken[0], &manner);
    if (!block) {
        return NULL;
    }
    double offset = share_out(numbers_of(block), block->count);
    return make_results(engine, manner, block, 1.0, offset);
}

OF_KIND(softmax, soften, SOFTMAX)
OF_KIND(log_softmax, soften, LOG_SOFTMAX)

/* rmsnorm(x, epsilon=1e-5), layernorm(x, epsilon=1e-5) */
static PyObject *
normalise(Kind kind, PyObject *module, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    const Signature signature = {KIND_NAMES[kind], 1, 2, {"x", "epsilon"}};
    Engine *engine = PyModule_GetState(module);
    PyObject *taken[3];
    Manner manner;
    double epsilon = 1e-5;
    if (take_arguments(&signature, args, count, names, taken) < 0) {
        return NULL;
    }
    int known = taken[1] ? read_real(engine, taken[1], &epsilon) : 1;
    if (known <= 0) {
        char expected[64];
        PyOS_snprintf(expected, sizeof(expected), "the epsilon of %s is a real number",
                      KIND_NAMES[kind]);
        return known < 0 ? NULL : type_error(engine->operand_error, expected, taken[1]);
    }
    Block *block = read_list(engine, kind, taken[0], &manner);
    if (!block) {
        return NULL;
    }
    double *numbers = numbers_of(block), square = 0.0;
    double share = power((double)block->count, -1.0);
    if (kind == LAYERNORM) {
        double middle = total_of(numbers, block->count) * share;
        for (Py_ssize_t index = 0; index < block->count; index++) {
            numbers[index] -= middle;
        }
    }
    for (Py_ssize_t index = 0; index < block->count; index++) {
        square += numbers[index] * numbers[index];
    }
    block->share = share;
    block->epsilon = epsilon;
    block->scale = power(square * share + epsilon, -0.5);
    block->bend = block->scale * block->scale * block->scale * share;
    double factor = block->scale;
    if (!isnormal(block->bend)) { /* the products may be among the doubles though this is not */
        for (Py_ssize_t index = 0; index < block->count; index++) {
            numbers[index] *= factor;
        }
        block->bend = block->scale * share;
        factor = 1.0;
    }
    return make_results(engine, manner, block, factor, 0.0);
}

OF_KIND(rmsnorm, normalise, RMSNORM)
OF_KIND(layernorm, normalise, LAYERNORM)

/* ── To Python ──────────────────────────────────────────────────────────────────────────────── */

/* Hand the call to the recording where a function is being recorded (gradwalk.program): true, and
 * what came of it in *made. Asked only while a mode is on. */
static bool
handed_over(Engine *engine, const char *name, PyObject *const *args, Py_ssize_t count, PyObject *names,
            PyObject **made)
{
    PyObject *recorder = PyObject_CallNoArgs(engine->modes_recorder);
    if (recorder == Py_None) {
        Py_DECREF(recorder);
        return false;
    }
    *made = NULL;
    PyObject *method = recorder ? PyObject_GetAttr(recorder, engine->name_nary) : NULL;
    PyObject *operands = method ? PyTuple_New(1 + count) : NULL;
    PyObject *text = operands ? PyUnicode_FromString(name) : NULL;
    PyObject *named = text && names ? PyDict_New() : NULL;
    if (text) {
        PyTuple_SET_ITEM(operands, 0, text);
        for (Py_ssize_t index = 0; index < count; index++) {
            PyTuple_SET_ITEM(operands, 1 + index, Py_NewRef(args[index]));
        }
        bool failed = names && named == NULL;
        for (Py_ssize_t index = 0; !failed && names && index < PyTuple_GET_SIZE(names); index++) {
            failed = PyDict_SetItem(named, PyTuple_GET_ITEM(names, index), args[count + index]) < 0;
        }
        *made = failed ? NULL : PyObject_Call(method, operands, named);
    }
    Py_XDECREF(named);
    Py_XDECREF(operands);
    Py_XDECREF(method);
    Py_XDECREF(recorder);
    return true;
}

#define RECORDABLE(name)                                                                           \
    static PyObject *call_##name(PyObject *module, PyObject *const *args, Py_ssize_t count,        \
                                 PyObject *names)                                                  \
    {                                                                                              \
        Engine *engine = PyModule_GetState(module);                                                \
        PyObject *made;                                                                            \
        if (UNLIKELY(engine->active) && handed_over(engine, #name, args, count, names, &made)) {   \
            return made;                                                                           \
        }                                                                                          \
        return nary_##name(module, args, count, names);                                            \
    }
RECORDABLE(dot)
RECORDABLE(linear)
RECORDABLE(sum)
RECORDABLE(mean)
RECORDABLE(logsumexp)
RECORDABLE(softmax)
RECORDABLE(log_softmax)
RECORDABLE(cross_entropy)
RECORDABLE(rmsnorm)
RECORDABLE(layernorm)

#define FUNCTION(name, text)                                                            \
    {                                                                                   \
        #name, (PyCFunction)(void (*)(void))call_##name, METH_FASTCALL | METH_KEYWORDS, \
            #name text                                                                  \
    }

PyMethodDef nary_functions[] = {
    FUNCTION(dot, "($module, /, w, x)\n--\n\nReturn w₀x₀ + w₁x₁ + … as one node."),
    FUNCTION(linear, "($module, /, W, x, b=None)\n--\n\n"
                     "Return W·x, or W·x + b: one dot for each row of W."),
    FUNCTION(sum, "($module, /, x)\n--\n\nReturn x₀ + x₁ + … as one node."),
    FUNCTION(mean, "($module, /, x)\n--\n\nReturn the mean as one node."),
    FUNCTION(logsumexp, "($module, /, x)\n--\n\n"
                        "Return log(exp(x₀) + exp(x₁) + …) as one node, without overflow."),
    FUNCTION(softmax, "($module, /, x)\n--\n\nReturn exp(xᵢ) / Σ exp(xⱼ), one node for each i."),
    FUNCTION(log_softmax, "($module, /, x)\n--\n\n"
                          "Return xᵢ - logsumexp(x), one node for each i."),
    FUNCTION(cross_entropy, "($module, /, logits, target)\n--\n\n"
                            "Return -log softmax(logits)[target] as one node."),
    FUNCTION(rmsnorm, "($module, /, x, epsilon=1e-05)\n--\n\n"
                      "Return xᵢ / sqrt(mean(x²) + epsilon), one node for each i."),
    FUNCTION(layernorm, "($module, /, x, epsilon=1e-05)\n--\n\n"
                        "Return (xᵢ - mean) / sqrt(variance + epsilon), one node for each i."),
    {NULL, NULL, 0, NULL},
};
