/* What records: + - * / ** and unary minus, the rows of the table as methods, and the modes.
 *
 * The graph is the reference's to the node: a - b is a + (b * -1) and a / b is a * b**-1, the outer
 * node carrying the derived symbol. Where b**-2 leaves the doubles, a / b is one node. Start reading at `record`, the one door, then `value_add`.
 */
#include "engine.h"
#include "rows.h"

enum {
#define EVERY(name, symbol, arity) ROW_##name,
#include "operations.h"
    ROW_COUNT
};

#define CODE(name) (OP_FIRST_ROW + ROW_##name)

typedef struct {
    const char *name, *symbol;
    int arity;
    UnaryRow unary;
    BinaryRow binary;
    TernaryRow ternary;
} Row;

static const Row ROWS[] = {
#define UNARY(name, symbol, ...) {#name, symbol, 1, row_##name, NULL, NULL},
#define BINARY(name, symbol, ...) {#name, symbol, 2, NULL, row_##name, NULL},
#define TERNARY(name, symbol, ...) {#name, symbol, 3, NULL, NULL, row_##name},
#define DERIVED(name, symbol, arity, adjoint) {#name, symbol, arity, NULL, NULL, NULL},
#include "operations.h"
};

/* ── Modes ──────────────────────────────────────────────────────────────────────────────────── */

/* Return whether a Value's number may be read in this way; raise where a function is being recorded,
 * whose program would hold the number for good. Only asked while a mode is on.
 */
bool
may_read(const Engine *engine, const char *what)
{
    PyObject *answer = PyObject_CallFunction(engine->modes_forbid, "s", what);
    Py_XDECREF(answer);
    return answer != NULL;
}

/* Return ", made at file:line", or "" where no line was kept. */
PyObject *
made_at(const Value *node)
{
    PyObject *line = node->left & EXTENDED ? extension_of(node)->line : NULL;
    if (!line || !PyTuple_Check(line) || PyTuple_GET_SIZE(line) != 2) {
        return PyUnicode_FromString("");
    }
    Py_INCREF(line); /* its parts are asked for their texts, and may give the node another line */
    PyObject *text = PyUnicode_FromFormat(", made at %S:%S", PyTuple_GET_ITEM(line, 0),
                                          PyTuple_GET_ITEM(line, 1));
    Py_DECREF(line);
    return text;
}

/* Raise AnomalyError. Takes over the reference to `message`, which may be NULL after another error. */
void
raise_anomaly(const Engine *engine, const Value *node, PyObject *symbol, PyObject *message)
{
    PyObject *line = node->left & EXTENDED ? extension_of(node)->line : NULL;
    line = Py_NewRef(line ? line : Py_None);
    PyObject *error =
        message ? PyObject_CallFunctionObjArgs(engine->anomaly_error, message, symbol, line, NULL)
                : NULL;
    if (error) {
        PyErr_SetObject(engine->anomaly_error, error);
    }
    Py_XDECREF(error);
    Py_DECREF(line);
    Py_XDECREF(message);
}

static void
raise_forward_anomaly(Engine *engine, Value *node, int made_as)
{
    PyObject *operands = NULL, *data = NULL, *place = NULL, *name = NULL, *numbers = NULL;
    PyObject *symbol =
        Py_NewRef(made_as == OP_NONE ? symbol_of(engine, node) : engine->symbols[made_as]);
    Py_ssize_t count = count_inputs(node);
    if (!(numbers = PyList_New(0))) {
        goto fail;
    }
    for (Py_ssize_t index = 0; index < count; index++) {
        Value *input = edge_at(node, index).input;
        PyObject *number = PyFloat_FromDouble(input ? input->data : locals_of(node)->right);
        PyObject *text = number ? PyObject_Repr(number) : NULL;
        Py_XDECREF(number);
        if (!text || PyList_Append(numbers, text) < 0) {
            Py_XDECREF(text);
            goto fail;
        }
        Py_DECREF(text);
    }
    PyObject *comma = PyUnicode_FromString(", ");
    if (!comma) {
        goto fail;
    }
    operands = PyUnicode_Join(comma, numbers);
    Py_DECREF(comma);
    if (!operands || !(data = PyFloat_FromDouble(node->data)) || !(place = made_at(node))) {
        goto fail; /* before the attribute below: looking it up may clear an error */
    }
    name = engine->rows[made_as] ? PyObject_GetAttrString(engine->rows[made_as], "name")
                                 : Py_NewRef(symbol);
    if (!name) {
        goto fail;
    }
    raise_anomaly(engine, node, symbol,
                  PyUnicode_FromFormat("%U(%U) is %R%U", name, operands, data, place));
fail:
    Py_XDECREF(operands);
    Py_XDECREF(data);
    Py_XDECREF(place);
    Py_XDECREF(name);
    Py_XDECREF(numbers);
    Py_DECREF(symbol);
}

/* Return the switches on recording that are on in this thread and task, or -1. */
int
modes_here(Engine *engine)
{
    if (!engine->active) {
        return 0;
    }
    PyObject *current = PyObject_CallNoArgs(engine->modes_current);
    if (!current) {
        return -1;
    }
    long flags = PyLong_AsLong(current);
    Py_DECREF(current);
    return flags == -1 && PyErr_Occurred() ? -1 : (int)flags & ~STRICT;
}

/* Do what no_grad and its kin ask for; `made_as` is the operation before a derived one renamed it.
 * Takes over the reference to `node`.
 */
static Value *
obey(Engine *engine, Value *node, int made_as)
{
    int flags = modes_here(engine);
    if (flags < 0) {
        goto fail;
    }
    if (flags & LINES) {
        PyObject *line = PyObject_CallNoArgs(engine->modes_calling_line);
        if (!line) {
            goto fail;
        }
        Extension *extension = extend(engine, node);
        if (!extension) {
            Py_DECREF(line);
            goto fail;
        }
        Py_XSETREF(extension->line, line);
    }
    if (flags & SCOPES) {
        PyObject *scope = PyObject_CallNoArgs(engine->modes_current_scope);
        Extension *extension = scope ? extend(engine, node) : NULL;
        if (!extension) {
            Py_XDECREF(scope);
            goto fail;
        }
        Py_XSETREF(extension->scope, scope);
    }
    if (flags & ANOMALY && !isfinite(node->data)) {
        raise_forward_anomaly(engine, node, made_as);
        goto fail;
    }
    if (flags & NO_GRAD) {
        strip(node);
    }
    return node;
fail:
    Py_DECREF(node);
    return NULL;
}

/* ── The one door ───────────────────────────────────────────────────────────────────────────── */

/* Return a new node with one or two inputs; `right` is NULL for one, or for CONSTANT among `flags`,
 * where `right_local` is the number. `known_as` is its operation's code.
 */
static inline Value *
record(Engine *engine, double data, int made_as, int known_as, uint64_t flags, Value *left,
       Value *right, double left_local, double right_local)
{
    Value *node;
    Locals *locals;
    if (LIKELY(left->left & (right ? right->left : IN_SLAB) & IN_SLAB)) {
        if (UNLIKELY(!(node = take_node(engine)))) {
            return NULL;
        }
        flags |= left->left & ADDRESS_MASK ? IN_SLAB : IN_SLAB | ON_LEAF;
        locals = slab_locals(node);
    }
    else {
        if (!(node = take_loose_node(engine))) {
            return NULL;
        }
        locals = locals_of(node);
    }
    node->data = data;
    node->grad = 0.0;
    node->left = packed(Py_NewRef(left)) | OPERATION(known_as) | flags;
    node->right = (Value *)Py_XNewRef(right);
    locals->left = left_local;
    locals->right = right_local;
    return UNLIKELY(engine->active) ? obey(engine, node, made_as) : node;
}

/* The same with any number of inputs. `edges` are borrowed. */
Value *
record_edges(Engine *engine, double data, int code, PyObject *symbol, const Edge *edges,
             Py_ssize_t count)
{
    PyObject *inputs = NULL, *local_grads = NULL;
    Value *node = NULL;
    if (count == 1 || count == 2) {
        if (code != OP_NONE) {
            return record(engine, data, code, code, 0, edges[0].input,
                          count > 1 ? edges[1].input : NULL, edges[0].local,
                          count > 1 ? edges[1].local : 0.0);
        }
    }
    if (!(inputs = PyTuple_New(count)) || !(local_grads = PyTuple_New(count))) {
        goto fail;
    }
    bool in_slab = true;
    for (Py_ssize_t index = 0; index < count; index++) {
        PyObject *local = PyFloat_FromDouble(edges[index].local);
        if (!local) {
            goto fail;
        }
        PyTuple_SET_ITEM(local_grads, index, local);
        PyTuple_SET_ITEM(inputs, index, Py_NewRef(edges[index].input));
        in_slab = in_slab && edges[index].input->left & IN_SLAB;
    }
    node = in_slab ? make_leaf(engine, data, OP_NONE) : take_loose_node(engine);
    if (!node) {
        goto fail;
    }
    node->data = data;
    if (fill(engine, node, inputs, local_grads, symbol, engine->empty, false) < 0) {
        Py_CLEAR(node);
        goto fail;
    }
    if (engine->active) {
        node = obey(engine, node, code);
    }
fail:
    Py_XDECREF(inputs);
    Py_XDECREF(local_grads);
    return node;
}

/* ── Operands ───────────────────────────────────────────────────────────────────────────────── */

bool
is_value(const Engine *engine, PyObject *thing)
{
    return is_exact(thing) || PyObject_TypeCheck(thing, engine->type);
}

/* Read a real number as ops.real does: 1 when it is one, 0 when not, -1 on an error. */
int
read_real(Engine *engine, PyObject *number, double *out)
{
    if (LIKELY(PyFloat_CheckExact(number))) {
        *out = PyFloat_AS_DOUBLE(number);
        return 1;
    }
    if (PyLong_CheckExact(number)) {
        *out = PyLong_AsDouble(number);
        if (LIKELY(*out != -1.0 || !PyErr_Occurred())) {
            return 1;
        }
        PyErr_Clear(); /* beyond the doubles: the Python row decides */
    }
    if (Py_TYPE(number) == engine->recorded) {
        return 0; /* half of what a model records stands beside a Value: it is not asked each time */
    }
    PyObject *answer = PyObject_CallOneArg(engine->ops_real, number);
    if (!answer) {
        return -1;
    }
    int known = answer != Py_None;
    if (!known && engine->active && PyObject_HasAttrString((PyObject *)Py_TYPE(number), "_records")) {
        Py_XSETREF(engine->recorded, (PyTypeObject *)Py_NewRef(Py_TYPE(number)));
    }
    if (known) {
        *out = PyFloat_AsDouble(answer);
        if (*out == -1.0 && PyErr_Occurred()) {
            known = -1;
        }
    }
    Py_DECREF(answer);
    return known;
}

/* The two operands of a binary slot, at least one of which is a Value. */
typedef struct {
    Engine *engine;
    Value *x, *y; /* borrowed; NULL where it is the number */
    double number;
} Pair;

/* Return 1 for a pair to compute with, 0 for NotImplemented, -1 on an error. */
static int
read_pair(PyObject *x, PyObject *y, Pair *pair)
{
    PyTypeObject *type = Py_TYPE(x);
    while (type && type->tp_dealloc != value_dealloc) {
        type = type->tp_base;
    }
    bool left_is_value = type != NULL;
    pair->engine = left_is_value ? engine_of((Value *)x) : engine_of((Value *)y);
    pair->x = left_is_value ? (Value *)x : NULL;
    pair->y = !left_is_value || is_value(pair->engine, y) ? (Value *)y : NULL;
    if (pair->x && pair->y) {
        return 1;
    }
    return read_real(pair->engine, pair->x ? y : x, &pair->number);
}

static inline double
local_towards(const Value *input, double partial)
{
    return operation_of(input) == OP_CONST ? 0.0 : partial;
}

/* ── + * ** and what derives from them ──────────────────────────────────────────────────────── */

/* Whether `record` of these two has nothing to do but to write a node: Values in slabs, one more free
 * place, no mode. The operators that a program is made of ask first, and are short where it is so.
 */
static inline bool
are_ready(PyObject *x, PyObject *y)
{
    if (Py_TYPE(x) != Py_TYPE(y) || !is_exact(x) ||
        !(((Value *)x)->left & ((Value *)y)->left & IN_SLAB)) {
        return false;
    }
    const Engine *engine = slab_of((Value *)x)->engine;
    return engine->free != engine->free_end && !engine->active;
}

static APART PyObject *
add_pair(PyObject *x, PyObject *y)
{
    Pair pair;
    int known = read_pair(x, y, &pair);
    if (known <= 0) {
        return known ? NULL : Py_NewRef(Py_NotImplemented);
    }
    Value *left = pair.x ? pair.x : pair.y;
    if (pair.x && pair.y) {
        return (PyObject *)record(pair.engine, left->data + pair.y->data, CODE(add), CODE(add), 0,
                                  left, pair.y, 1.0, 1.0);
    }
    return (PyObject *)record(pair.engine, left->data + pair.number, CODE(add), CODE(add), CONSTANT,
                              left, NULL, 1.0, pair.number);
}

PyObject *
value_add(PyObject *x, PyObject *y)
{
    if (LIKELY(are_ready(x, y))) {
        Value *left = (Value *)x, *right = (Value *)y;
        Engine *engine = slab_of(left)->engine;
        return (PyObject *)record(engine, left->data + right->data, CODE(add), CODE(add), 0, left,
                                  right, 1.0, 1.0);
    }
    return add_pair(x, y);
}

static APART PyObject *
multiply_pair(PyObject *x, PyObject *y)
{
    Pair pair;
    int known = read_pair(x, y, &pair);
    if (known <= 0) {
        return known ? NULL : Py_NewRef(Py_NotImplemented);
    }
    Value *left = pair.x ? pair.x : pair.y;
    if (pair.x && pair.y) {
        return (PyObject *)record(pair.engine, left->data * pair.y->data, CODE(mul), CODE(mul), 0,
                                  left, pair.y, pair.y->data, left->data);
    }
    return (PyObject *)record(pair.engine, left->data * pair.number, CODE(mul), CODE(mul), CONSTANT,
                              left, NULL, pair.number, pair.number);
}

PyObject *
value_multiply(PyObject *x, PyObject *y)
{
    if (LIKELY(are_ready(x, y))) {
        Value *left = (Value *)x, *right = (Value *)y;
        Engine *engine = slab_of(left)->engine;
        return (PyObject *)record(engine, left->data * right->data, CODE(mul), CODE(mul), 0, left,
                                  right, right->data, left->data);
    }
    return multiply_pair(x, y);
}

static Value *
negate(Engine *engine, Value *x)
{
    return record(engine, x->data * -1.0, CODE(mul), CODE(neg), CONSTANT, x, NULL,
                  local_towards(x, -1.0), -1.0);
}

PyObject *
value_negative(PyObject *self)
{
    return (PyObject *)negate(engine_of((Value *)self), (Value *)self);
}

PyObject *
value_subtract(PyObject *x, PyObject *y)
{
    Pair pair;
    int known = read_pair(x, y, &pair);
    if (known <= 0) {
        return known ? NULL : Py_NewRef(Py_NotImplemented);
    }
    Engine *engine = pair.engine;
    Value *number = NULL, *minus = NULL, *out = NULL;
    if ((!pair.x || !pair.y) && !(number = make_leaf(engine, pair.number, OP_CONST))) {
        goto fail;
    }
    Value *left = pair.x ? pair.x : number;
    minus = negate(engine, pair.y ? pair.y : number);
    if (minus) {
        out = record(engine, left->data + minus->data, CODE(add), CODE(sub), 0, left, minus,
                     left == number ? 0.0 : 1.0, 1.0);
    }
fail:
    Py_XDECREF(number);
    Py_XDECREF(minus);
    return (PyObject *)out;
}

static Value *
raise_to_number(Engine *engine, Value *base, double exponent)
{
    double local = operation_of(base) == OP_CONST ? 0.0 : pow_by_base(base->data, exponent);
    return record(engine, power(base->data, exponent), CODE(pow), CODE(pow), CONSTANT, base, NULL,
                  local, exponent);
}

static Value *
raise_to_value(Engine *engine, Value *base, Value *exponent)
{
    double by_base, by_exponent;
    double data = row_pow(base->data, exponent->data, &by_base, &by_exponent);
    return record(engine, data, CODE(pow), CODE(pow), 0, base, exponent,
                  local_towards(base, by_base), local_towards(exponent, by_exponent));
}

PyObject *
value_power(PyObject *x, PyObject *y, PyObject *modulus)
{
    Pair pair;
    int known = modulus == Py_None ? read_pair(x, y, &pair) : 0;
    if (known <= 0) {
        return known ? NULL : Py_NewRef(Py_NotImplemented);
    }
    if (!pair.y) {
        return (PyObject *)raise_to_number(pair.engine, pair.x, pair.number);
    }
    Value *number = pair.x ? NULL : make_leaf(pair.engine, pair.number, OP_CONST);
    if (!pair.x && !number) {
        return NULL;
    }
    Value *out = raise_to_value(pair.engine, pair.x ? pair.x : number, pair.y);
    Py_XDECREF(number);
    return (PyObject *)out;
}

/* One division, where y**-1 or y**-2 leaves the normal doubles. */
static APART Value *
divide_at_once(Engine *engine, Value *x, Value *y)
{
    double out = x->data / y->data;
    return record(engine, out, CODE(div), CODE(div), 0, x, y, local_towards(x, 1.0 / y->data),
                  local_towards(y, -1.0 * (out / y->data)));
}

PyObject *
value_divide(PyObject *x, PyObject *y)
{
    Pair pair;
    int known = read_pair(x, y, &pair);
    if (known <= 0) {
        return known ? NULL : Py_NewRef(Py_NotImplemented);
    }
    Engine *engine = pair.engine;
    Value *number = NULL, *inverse = NULL, *out = NULL;
    if ((!pair.x || !pair.y) && !(number = make_leaf(engine, pair.number, OP_CONST))) {
        goto fail;
    }
    Value *left = pair.x ? pair.x : number, *right = pair.y ? pair.y : number;
    if (UNLIKELY(!divides_plainly(right->data))) {
        out = divide_at_once(engine, left, right);
    }
    else if ((inverse = raise_to_number(engine, right, -1.0))) {
        out = record(engine, left->data * inverse->data, CODE(mul), CODE(div), 0, left, inverse,
                     left == number ? 0.0 : inverse->data, left->data);
    }
fail:
    Py_XDECREF(number);
    Py_XDECREF(inverse);
    return (PyObject *)out;
}

static PyObject *
record_pair(PyObject *x, PyObject *y, int code, BinaryRow row)
{
    Pair pair;
    int known = read_pair(x, y, &pair);
    if (known <= 0) {
        return known ? NULL : Py_NewRef(Py_NotImplemented);
    }
    Value *number = NULL, *out = NULL;
    if ((!pair.x || !pair.y) && !(number = make_leaf(pair.engine, pair.number, OP_CONST))) {
        return NULL;
    }
    Value *left = pair.x ? pair.x : number, *right = pair.y ? pair.y : number;
    double by_left, by_right, data = row(left->data, right->data, &by_left, &by_right);
    out = record(pair.engine, data, code, code, 0, left, right, local_towards(left, by_left),
                 local_towards(right, by_right));
    Py_XDECREF(number);
    return (PyObject *)out;
}

PyObject *
value_floor_divide(PyObject *x, PyObject *y)
{
    return record_pair(x, y, CODE(floordiv), row_floordiv);
}

PyObject *
value_remainder(PyObject *x, PyObject *y)
{
    return record_pair(x, y, CODE(mod), row_mod);
}

PyObject *
value_divmod(PyObject *x, PyObject *y)
{
    PyObject *whole = value_floor_divide(x, y), *pair = NULL;
    if (!whole || whole == Py_NotImplemented) {
        return whole;
    }
    PyObject *rest = value_remainder(x, y);
    if (rest) {
        pair = PyTuple_Pack(2, whole, rest);
    }
    Py_DECREF(whole);
    Py_XDECREF(rest);
    return pair;
}

PyObject *
value_positive(PyObject *self)
{
    return Py_NewRef(self);
}

/* ── Numbers that were set later ────────────────────────────────────────────────────────────── */

static bool
is_same(double x, double y)
{
    return x == y || (isnan(x) && isnan(y));
}

/* Whether a row of the table would give another value or other local gradients for the data that the
 * inputs have now. The local gradients of + and - do not depend on data, and a product's own data is
 * read by no rule.
 */
bool
is_outdated(const Value *node)
{
    int code = operation_of(node);
    Py_ssize_t count = count_inputs(node);
    if (node->left & (WIDE | OPAQUE) || count < 1 || count > 3 || code < OP_FIRST_ROW ||
        code >= OP_FIRST_ROW + ROW_COUNT || code == CODE(add) || code == CODE(sub) ||
        code == CODE(neg)) {
        return false;
    }
    double x[3] = {0.0}, by[3] = {0.0}, out = node->data;
    Edge edges[3];
    for (Py_ssize_t index = 0; index < count; index++) {
        edges[index] = edge_at(node, index);
        Value *input = edges[index].input;
        x[index] = input ? input->data : locals_of(node)->right;
    }
    const Row *row = &ROWS[code - OP_FIRST_ROW];
    if (row->arity != count) {
        return false; /* made by hand */
    }
    if (row->unary) {
        out = row->unary(x[0], &by[0]);
    }
    else if (code == CODE(mul) || (code == CODE(div) && (is_same(edges[0].local, x[1]) ||
                                                         is_same(edges[1].local, x[0])))) {
        by[0] = x[1];
        by[1] = x[0];
    }
    else if (row->binary) {
        out = row->binary(x[0], x[1], &by[0], &by[1]);
    }
    else if (row->ternary) {
        out = row->ternary(x[0], x[1], x[2], &by[0], &by[1], &by[2]);
    }
    else { /* div, at once */
        by[0] = 1.0 / x[1];
        by[1] = -1.0 * (x[0] / x[1] / x[1]);
    }
    bool differs = !is_same(out, node->data);
    for (Py_ssize_t index = 0; index < count; index++) {
        Value *input = edges[index].input;
        differs |= input && operation_of(input) != OP_CONST && !is_same(by[index], edges[index].local);
    }
    return differs;
}

/* ── Rows ───────────────────────────────────────────────────────────────────────────────────── */

static PyObject *
apply_unary(Engine *engine, int code, Value *x)
{
    double by_x;
    double data = ROWS[code - OP_FIRST_ROW].unary(x->data, &by_x);
    return (PyObject *)record(engine, data, code, code, 0, x, NULL, local_towards(x, by_x), 0.0);
}

/* Read an operand of `op`: a Value, or a number as a node. Returns a new reference. */
static Value *
read_operand(Engine *engine, PyObject *op, PyObject *operand)
{
    if (is_value(engine, operand)) {
        return (Value *)Py_NewRef(operand);
    }
    double number;
    int known = read_real(engine, operand, &number);
    if (known < 0) {
        return NULL;
    }
    if (!known) { /* raises, with the words of the Python engine */
        PyObject *answer = PyObject_CallMethodOneArg(op, engine->name_real, operand);
        if (!answer) {
            return NULL;
        }
        number = PyFloat_AsDouble(answer);
        Py_DECREF(answer);
        if (number == -1.0 && PyErr_Occurred()) {
            return NULL;
        }
    }
    return make_leaf(engine, number, OP_CONST);
}

/* Fill in the partials of a row that is written in Python only. */
static int
apply_in_python(Engine *engine, PyObject *op, Edge *edges, Py_ssize_t count, double *data)
{
    int status = -1;
    PyObject *numbers = NULL, *value = NULL, *out = NULL, *partials = NULL, *arguments = NULL;
    if (!(numbers = PyTuple_New(count))) {
        goto fail;
    }
    for (Py_ssize_t index = 0; index < count; index++) {
        PyObject *number = PyFloat_FromDouble(edges[index].input->data);
        if (!number) {
            goto fail;
        }
        PyTuple_SET_ITEM(numbers, index, number);
    }
    if (!(value = PyObject_GetAttr(op, engine->name_value)) ||
        !(out = PyObject_CallObject(value, numbers)) ||
        !(partials = PyObject_GetAttr(op, engine->name_partials))) {
        goto fail;
    }
    *data = PyFloat_AsDouble(out);
    if (*data == -1.0 && PyErr_Occurred()) {
        goto fail;
    }
    if (!PyTuple_Check(partials) || PyTuple_GET_SIZE(partials) != count) {
        PyErr_Format(PyExc_ValueError, "%R needs a partial for each of its %zd operands", op, count);
        goto fail;
    }
    if (!(arguments = PyTuple_New(count + 1))) {
        goto fail;
    }
    PyTuple_SET_ITEM(arguments, 0, Py_NewRef(out));
    for (Py_ssize_t index = 0; index < count; index++) {
        PyTuple_SET_ITEM(arguments, index + 1, Py_NewRef(PyTuple_GET_ITEM(numbers, index)));
    }
    for (Py_ssize_t index = 0; index < count; index++) {
        edges[index].local = 0.0;
        if (operation_of(edges[index].input) == OP_CONST) {
            continue;
        }
        PyObject *partial = PyObject_CallObject(PyTuple_GET_ITEM(partials, index), arguments);
        if (!partial) {
            goto fail;
        }
        edges[index].local = PyFloat_AsDouble(partial);
        Py_DECREF(partial);
        if (edges[index].local == -1.0 && PyErr_Occurred()) {
            goto fail;
        }
    }
    status = 0;
fail:
    Py_XDECREF(numbers);
    Py_XDECREF(value);
    Py_XDECREF(out);
    Py_XDECREF(partials);
    Py_XDECREF(arguments);
    return status;
}

#define INLINE_OPERANDS 4

static PyObject *
apply_row(Engine *engine, PyObject *op, int code, PyObject *const *operands, Py_ssize_t count)
{
    const Row *row = code >= OP_FIRST_ROW && code < OP_FIRST_ROW + ROW_COUNT
                         ? &ROWS[code - OP_FIRST_ROW]
                         : NULL;
    if (row && row->arity != count) {
        row = NULL; /* Python's row says what is wrong */
    }
    if (row && row->unary && is_value(engine, operands[0])) {
        return apply_unary(engine, code, (Value *)operands[0]);
    }
    if (row && row->binary && is_value(engine, operands[0]) && PyFloat_CheckExact(operands[1])) {
        Value *x = (Value *)operands[0];
        double number = PyFloat_AS_DOUBLE(operands[1]), by_x, by_number;
        double data = row->binary(x->data, number, &by_x, &by_number);
        return (PyObject *)record(engine, data, code, code, CONSTANT, x, NULL,
                                  local_towards(x, by_x), number);
    }
    Edge inline_edges[INLINE_OPERANDS], *edges = inline_edges;
    Py_ssize_t read = 0;
    Value *out = NULL;
    PyObject *symbol = NULL;
    double data;
    if (count > INLINE_OPERANDS && !(edges = PyMem_Calloc((size_t)count, sizeof(Edge)))) {
        return PyErr_NoMemory();
    }
    for (; read < count; read++) {
        edges[read].local = 0.0;
        if (!(edges[read].input = read_operand(engine, op, operands[read]))) {
            goto fail;
        }
    }
    if (!row || !(row->unary || row->binary || row->ternary)) {
        if (apply_in_python(engine, op, edges, count, &data) < 0) {
            goto fail;
        }
    }
    else {
        double x = edges[0].input->data;
        double *by = &edges[0].local;
        if (row->unary) {
            data = row->unary(x, by);
        }
        else if (row->binary) {
            data = row->binary(x, edges[1].input->data, by, &edges[1].local);
        }
        else {
            data = row->ternary(x, edges[1].input->data, edges[2].input->data, by, &edges[1].local,
                                &edges[2].local);
        }
        for (Py_ssize_t index = 0; index < count; index++) {
            edges[index].local = local_towards(edges[index].input, edges[index].local);
        }
    }
    symbol = code == OP_NONE ? PyObject_GetAttrString(op, "symbol")
                             : Py_NewRef(engine->symbols[code]);
    if (symbol && !PyUnicode_Check(symbol)) {
        PyErr_Format(PyExc_TypeError, "the symbol of %R is not a str", op);
        goto fail;
    }
    if (symbol) {
        out = record_edges(engine, data, code, symbol, edges, count);
    }
fail:
    while (read > 0) {
        Py_DECREF(edges[--read].input);
    }
    Py_XDECREF(symbol);
    if (edges != inline_edges) {
        PyMem_Free(edges);
    }
    return (PyObject *)out;
}

/* record(data, op, inputs, local_grads): the node of an operation over a list. */
PyObject *
record_list(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    Engine *engine = PyModule_GetState(module);
    PyObject *inputs = NULL, *local_grads = NULL, *out = NULL;
    Edge *edges = NULL;
    double data;
    if (count != 4 || !PyUnicode_Check(args[1])) {
        PyErr_SetString(PyExc_TypeError, "record takes data, op, inputs and local gradients");
        return NULL;
    }
    data = PyFloat_AsDouble(args[0]);
    if (data == -1.0 && PyErr_Occurred()) {
        return NULL;
    }
    if (!(inputs = PySequence_Tuple(args[2])) || !(local_grads = PySequence_Tuple(args[3]))) {
        goto fail;
    }
    Py_ssize_t length = PyTuple_GET_SIZE(inputs);
    if (PyTuple_GET_SIZE(local_grads) != length) {
        PyErr_Format(PyExc_ValueError, "%zd inputs need as many local gradients, not %zd", length,
                     PyTuple_GET_SIZE(local_grads));
        goto fail;
    }
    if (!(edges = PyMem_Calloc((size_t)length + 1, sizeof(Edge)))) {
        PyErr_NoMemory();
        goto fail;
    }
    for (Py_ssize_t index = 0; index < length; index++) {
        PyObject *input = PyTuple_GET_ITEM(inputs, index);
        if (!is_value(engine, input)) {
            type_error(engine->operand_error, "an input is a Value", input);
            goto fail;
        }
        double local = PyFloat_AsDouble(PyTuple_GET_ITEM(local_grads, index));
        if (local == -1.0 && PyErr_Occurred()) {
            goto fail;
        }
        edges[index] = (Edge){(Value *)input, local_towards((Value *)input, local)};
    }
    out = (PyObject *)record_edges(engine, data, OP_NONE, args[1], edges, length);
fail:
    Py_XDECREF(inputs);
    Py_XDECREF(local_grads);
    PyMem_Free(edges);
    return out;
}

/* Record a row that stands for others: compute it with the operators. */
static PyObject *
apply_derived(Engine *engine, PyObject *op, PyObject *const *operands, Py_ssize_t count)
{
    if (op == engine->rows[CODE(neg)] && count == 1) {
        return PyNumber_Negative(operands[0]);
    }
    if (op == engine->rows[CODE(sub)] && count == 2) {
        return PyNumber_Subtract(operands[0], operands[1]);
    }
    if (op == engine->rows[CODE(div)] && count == 2) {
        return PyNumber_TrueDivide(operands[0], operands[1]);
    }
    return PyErr_Format(PyExc_TypeError, "no rule derives %R from %zd operands", op, count);
}

/* Value._apply(op, operands): a classmethod where the reference has a staticmethod, called alike. */
PyObject *
value_apply(PyObject *type, PyObject *const *args, Py_ssize_t count)
{
    if (count != 2 || !PyTuple_Check(args[1])) {
        PyErr_SetString(PyExc_TypeError, "_apply takes a row of the table and a tuple of operands");
        return NULL;
    }
    Engine *engine = engine_of_kin((PyTypeObject *)type);
    PyObject *op = args[0];
    PyObject *const *operands = &PyTuple_GET_ITEM(args[1], 0);
    Py_ssize_t operand_count = PyTuple_GET_SIZE(args[1]);
    int code = OP_FIRST_ROW;
    while (code < engine->operation_count && engine->rows[code] != op) {
        code++;
    }
    bool derived = code == CODE(neg) || code == CODE(sub) || code == CODE(div);
    if (code == engine->operation_count) {
        code = OP_NONE;
        PyObject *answer = PyObject_GetAttr(op, engine->name_derived);
        if (!answer) {
            return NULL;
        }
        int truth = PyObject_IsTrue(answer);
        Py_DECREF(answer);
        if (truth < 0) {
            return NULL;
        }
        derived = truth;
    }
    if (derived) {
        return apply_derived(engine, op, operands, operand_count);
    }
    return apply_row(engine, op, code, operands, operand_count);
}

/* A row as a method: `self` is the first operand. */
static PyObject *
call_row(PyObject *self, int code, PyObject *const *others, Py_ssize_t count)
{
    Engine *engine = engine_of((Value *)self);
    const Row *row = &ROWS[code - OP_FIRST_ROW];
    if (LIKELY(count == 0 && row->unary)) {
        return apply_unary(engine, code, (Value *)self);
    }
    PyObject *operands[INLINE_OPERANDS + 1] = {self};
    if (count + 1 == row->arity) {
        for (Py_ssize_t index = 0; index < count; index++) {
            operands[index + 1] = others[index];
        }
        return apply_row(engine, engine->rows[code], code, operands, count + 1);
    }
    /* Defaults and complaints are the Python row's. */
    PyObject *arguments = PyTuple_New(count + 1);
    if (!arguments) {
        return NULL;
    }
    PyTuple_SET_ITEM(arguments, 0, Py_NewRef(self));
    for (Py_ssize_t index = 0; index < count; index++) {
        PyTuple_SET_ITEM(arguments, index + 1, Py_NewRef(others[index]));
    }
    PyObject *out = PyObject_CallObject(engine->rows[code], arguments);
    Py_DECREF(arguments);
    return out;
}

#define METHOD(name, ...)                                                                     \
    static PyObject *method_##name(PyObject *self, PyObject *const *others, Py_ssize_t count) \
    {                                                                                         \
        return call_row(self, CODE(name), others, count);                                     \
    }
#define UNARY METHOD
#define BINARY METHOD
#define TERNARY METHOD
#include "operations.h"
#undef METHOD

typedef PyObject *(*FastMethod)(PyObject *, PyObject *const *, Py_ssize_t);

static const FastMethod METHODS[] = {
#define METHOD(name, ...) method_##name,
#define UNARY METHOD
#define BINARY METHOD
#define TERNARY METHOD
#define DERIVED(name, symbol, arity, adjoint) NULL,
#include "operations.h"
#undef METHOD
};

PyObject *
value_absolute(PyObject *self)
{
    return apply_unary(engine_of((Value *)self), CODE(abs), (Value *)self);
}

PyObject *
value_floor(PyObject *self, PyObject *Py_UNUSED(unused))
{
    return apply_unary(engine_of((Value *)self), CODE(floor), (Value *)self);
}

/* ── At import: the rows of both languages, side by side ────────────────────────────────────── */

/* Return the text of a str attribute, borrowed from a string that `engine->docs` keeps. */
static const char *
kept_text(Engine *engine, PyObject *text)
{
    if (!text || PyList_Append(engine->docs, text) < 0) {
        return NULL;
    }
    return PyUnicode_AsUTF8(text);
}

/* Return what calls a row that is written in Python only: functools.partialmethod(op). */
static PyObject *
method_in_python(PyObject *op)
{
    PyObject *functools = PyImport_ImportModule("functools");
    PyObject *method =
        functools ? PyObject_CallMethod(functools, "partialmethod", "O", op) : NULL;
    Py_XDECREF(functools);
    return method;
}

/* Make Value.name and its aliases call the row. */
static int
install_method(Engine *engine, PyObject *op, int code, PyObject *python_method)
{
    int status = -1;
    PyObject *method = NULL, *aliases = NULL, *words = NULL, *name = NULL, *docs = NULL;
    if (!(method = PyObject_CallOneArg(python_method, op)) ||
        !(name = PyObject_GetAttrString(op, "name")) ||
        !(aliases = PyObject_GetAttrString(op, "aliases")) ||
        !(words = PySequence_Tuple(aliases))) {
        goto fail;
    }
    if (code < OP_FIRST_ROW + ROW_COUNT) {
        PyMethodDef *definition = &engine->methods[code - OP_FIRST_ROW];
        if (!(docs = PyObject_GetAttrString(method, "__doc__"))) {
            goto fail;
        }
        definition->ml_name = kept_text(engine, name);
        definition->ml_doc = kept_text(engine, docs);
        definition->ml_meth = (PyCFunction)(void (*)(void))METHODS[code - OP_FIRST_ROW];
        definition->ml_flags = METH_FASTCALL;
        if (!definition->ml_name || !definition->ml_doc) {
            goto fail;
        }
        Py_SETREF(method, PyDescr_NewMethod(engine->type, definition));
        if (!method) {
            goto fail;
        }
    }
    else {
        Py_SETREF(method, method_in_python(op));
        if (!method) {
            goto fail;
        }
    }
    if (PyObject_SetAttr((PyObject *)engine->type, name, method) < 0) {
        goto fail;
    }
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(words); index++) {
        if (PyObject_SetAttr((PyObject *)engine->type, PyTuple_GET_ITEM(words, index), method) < 0) {
            goto fail;
        }
    }
    status = 0;
fail:
    Py_XDECREF(method);
    Py_XDECREF(aliases);
    Py_XDECREF(words);
    Py_XDECREF(name);
    Py_XDECREF(docs);
    return status;
}

static int
adopt_row(Engine *engine, PyObject *op, PyObject *name, PyObject *symbol, bool is_method,
          bool selects, long arity, PyObject *python_method)
{
    int code = OP_FIRST_ROW;
    while (code < OP_FIRST_ROW + ROW_COUNT &&
           PyUnicode_CompareWithASCIIString(name, ROWS[code - OP_FIRST_ROW].name) != 0) {
        code++;
    }
    if (code == OP_FIRST_ROW + ROW_COUNT) {
        code = engine->operation_count; /* a row in Python only */
        if (code == OP_FIRST_KIND) {
            PyErr_SetString(PyExc_ImportError, "the operation table has more rows than fit a byte");
            return -1;
        }
        engine->operation_count++;
    }
    else {
        const Row *row = &ROWS[code - OP_FIRST_ROW];
        if (row->arity != arity || PyUnicode_CompareWithASCIIString(symbol, row->symbol) != 0) {
            PyErr_Format(PyExc_ImportError,
                         "the row %s differs between operations.h (%s, %d operands) and ops.py "
                         "(%U, %ld operands)",
                         row->name, row->symbol, row->arity, symbol, arity);
            return -1;
        }
    }
    PyObject *number = PyLong_FromLong(code);
    if (!number || PyDict_SetItem(engine->codes, symbol, number) < 0) {
        Py_XDECREF(number);
        return -1;
    }
    Py_DECREF(number);
    Py_XSETREF(engine->symbols[code], Py_NewRef(symbol));
    Py_XSETREF(engine->rows[code], Py_NewRef(op));
    engine->selects[code] = selects;
    return is_method ? install_method(engine, op, code, python_method) : 0;
}

/* Match the rows of C to those of `table` by name; a row of C that Python lacks is an error. */
int
install_rows(Engine *engine, PyObject *table, PyObject *python_method)
{
    engine->operation_count = OP_FIRST_ROW + ROW_COUNT;
    engine->methods = PyMem_Calloc(ROW_COUNT, sizeof(PyMethodDef));
    if (!engine->methods) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(table); index++) {
        PyObject *op = PyTuple_GET_ITEM(table, index);
        PyObject *name = PyObject_GetAttrString(op, "name");
        PyObject *symbol = PyObject_GetAttrString(op, "symbol");
        PyObject *is_method = PyObject_GetAttrString(op, "is_method");
        PyObject *selects = PyObject_GetAttrString(op, "selects");
        PyObject *arity = PyObject_GetAttrString(op, "arity");
        int status = -1;
        if (name && symbol && is_method && selects && arity) {
            if (PyUnicode_Check(name) && PyUnicode_Check(symbol) && PyLong_Check(arity)) {
                status = adopt_row(engine, op, name, symbol, is_method == Py_True,
                                   selects == Py_True, PyLong_AsLong(arity), python_method);
            }
            else {
                PyErr_SetString(PyExc_ImportError, "a row of ops.TABLE is not one");
            }
        }
        Py_XDECREF(name);
        Py_XDECREF(symbol);
        Py_XDECREF(is_method);
        Py_XDECREF(selects);
        Py_XDECREF(arity);
        if (status < 0) {
            return -1;
        }
    }
    for (int code = OP_FIRST_ROW; code < OP_FIRST_ROW + ROW_COUNT; code++) {
        if (!engine->rows[code]) {
            PyErr_Format(PyExc_ImportError, "rows.h has the row %s, which ops.TABLE lacks",
                         ROWS[code - OP_FIRST_ROW].name);
            return -1;
        }
    }
    return 0;
}
