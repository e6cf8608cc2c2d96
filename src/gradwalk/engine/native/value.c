/* The type: constructor, attributes, comparisons, copies.
 *
 * Every text and every error is the reference's (engine/reference.py). Start reading at
 * `construct`, then at `value_spec`, which lists everything.
 */
#include "engine.h"

#include <math.h>

/* Raise `exception`: "<expected>, not <type>: <repr>". Returns NULL. */
PyObject *
type_error(PyObject *exception, const char *expected, PyObject *thing)
{
    PyObject *kind = PyType_GetName(Py_TYPE(thing));
    if (kind) {
        PyErr_Format(exception, "%s, not %U: %.40R", expected, kind, thing);
        Py_DECREF(kind);
    }
    return NULL;
}

/* Read a real number or raise OperandError: "<what> a real number, not str: '3'". */
int
need_real(Engine *engine, const char *expected, PyObject *number, double *out)
{
    int known = read_real(engine, number, out);
    if (known == 0) {
        type_error(engine->operand_error, expected, number);
    }
    return known > 0 ? 0 : -1;
}

/* Return the inputs as a tuple of Values, or NULL with OperandError. */
static PyObject *
need_inputs(Engine *engine, PyObject *children)
{
    PyObject *inputs = PySequence_Tuple(children);
    if (!inputs) {
        return NULL;
    }
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(inputs); index++) {
        PyObject *input = PyTuple_GET_ITEM(inputs, index);
        if (!is_value(engine, input)) {
            type_error(engine->operand_error, "an input is a Value", input);
            Py_DECREF(inputs);
            return NULL;
        }
    }
    return inputs;
}

/* Return local gradients, one for each of `count` inputs, as a tuple of floats. */
static PyObject *
need_local_grads(Engine *engine, PyObject *numbers, Py_ssize_t count)
{
    if (PyTuple_GET_SIZE(numbers) != count) {
        PyErr_Format(engine->operand_error, "%zd inputs need as many local gradients, not %.40R",
                     count, numbers);
        return NULL;
    }
    PyObject *local_grads = PyTuple_New(count);
    for (Py_ssize_t index = 0; local_grads && index < count; index++) {
        double number;
        PyObject *local = NULL;
        if (need_real(engine, "a local gradient is a real number", PyTuple_GET_ITEM(numbers, index),
                      &number) == 0) {
            local = PyFloat_FromDouble(number);
        }
        if (!local) {
            Py_CLEAR(local_grads);
            break;
        }
        PyTuple_SET_ITEM(local_grads, index, local);
    }
    return local_grads;
}

/* Return a label as a plain str: one of a subclass could lead back to its node, unseen by the
 * garbage collector.
 */
static PyObject *
need_label(Engine *engine, PyObject *label)
{
    if (!PyUnicode_Check(label)) {
        return type_error(engine->operand_error, "a label is a str", label);
    }
    if (PyUnicode_AsUTF8(label) == NULL) {
        if (PyErr_ExceptionMatches(PyExc_UnicodeEncodeError)) {
            PyErr_Clear();
            PyErr_Format(engine->operand_error, "no file can hold half of a surrogate pair, as in the label %.40R",
                         label);
        }
        return NULL;
    }
    return PyUnicode_FromObject(label);
}

static PyObject *
need_symbol(Engine *engine, PyObject *symbol)
{
    if (!PyUnicode_Check(symbol)) {
        return type_error(engine->operand_error, "an _op is a str", symbol);
    }
    return PyUnicode_FromObject(symbol);
}

/* ── Construction ───────────────────────────────────────────────────────────────────────────── */

enum { DATA, CHILDREN, OP, LABEL, PARAMETERS };
static const char *const PARAMETER_NAMES[] = {"data", "_children", "_op", "label", NULL};

/* Return whether a node with these inputs may live in a slab: see the invariants in engine.h. */
static bool
fits_slab(PyObject *inputs, bool opaque)
{
    Py_ssize_t count = PyTuple_GET_SIZE(inputs);
    if (opaque && count > 0) {
        return false; /* about to be given a _backward that leads back to it */
    }
    for (Py_ssize_t index = 0; index < count; index++) {
        if (!(((Value *)PyTuple_GET_ITEM(inputs, index))->left & IN_SLAB)) {
            return false;
        }
    }
    return true;
}

/* Value(data, _children=(), _op='', label=''): fill `node`, or make one when it is NULL.
 * Returns a new reference either way.
 */
static PyObject *
construct(Engine *engine, Value *node, PyObject *const arguments[PARAMETERS])
{
    double data;
    PyObject *inputs = NULL, *local_grads = NULL, *symbol = NULL, *label = NULL;
    Value *out = NULL;
    if (need_real(engine, "Value takes a real number", arguments[DATA], &data) < 0) {
        return NULL;
    }
    inputs = arguments[CHILDREN] ? need_inputs(engine, arguments[CHILDREN]) : PyTuple_New(0);
    if (!inputs) {
        goto fail;
    }
    PyObject *op = arguments[OP];
    bool opaque = false;
    if (op && PyTuple_Check(op)) {
        if (!(local_grads = need_local_grads(engine, op, PyTuple_GET_SIZE(inputs)))) {
            goto fail;
        }
        symbol = Py_NewRef(engine->empty);
    }
    else if (op && !PyUnicode_Check(op)) {
        type_error(engine->operand_error,
                   "the third argument is the operation's name or a tuple of local gradients", op);
        goto fail;
    }
    else {
        symbol = op ? PyUnicode_FromObject(op) : Py_NewRef(engine->empty);
        opaque = PyTuple_GET_SIZE(inputs) > 0;
        if (!opaque && !(local_grads = PyTuple_New(0))) {
            goto fail;
        }
    }
    label = arguments[LABEL] ? need_label(engine, arguments[LABEL]) : Py_NewRef(engine->empty);
    if (!label || !symbol) {
        goto fail;
    }
    int status;
    if (node) {
        out = (Value *)Py_NewRef(node);
        status = refill(engine, out, inputs, local_grads, symbol, label, false);
    }
    else {
        out = fits_slab(inputs, opaque) ? make_leaf(engine, data, OP_NONE) : take_loose_node(engine);
        status = out ? fill(engine, out, inputs, local_grads, symbol, label, false) : -1;
    }
    if (status < 0) {
        Py_CLEAR(out);
    }
    else {
        out->data = data;
        out->grad = 0.0;
    }
fail:
    Py_XDECREF(inputs);
    Py_XDECREF(local_grads);
    Py_XDECREF(symbol);
    Py_XDECREF(label);
    return (PyObject *)out;
}

/* Put one argument in its place; -1 with TypeError when there is no such place, or it is taken. */
static int
place_named(PyObject *arguments[PARAMETERS], PyObject *name, PyObject *argument)
{
    for (int index = 0; index < PARAMETERS; index++) {
        if (PyUnicode_CompareWithASCIIString(name, PARAMETER_NAMES[index]) == 0) {
            if (arguments[index]) {
                PyErr_Format(PyExc_TypeError, "Value() got multiple values for argument '%U'", name);
                return -1;
            }
            arguments[index] = argument;
            return 0;
        }
    }
    PyErr_Format(PyExc_TypeError, "Value() got an unexpected keyword argument '%U'", name);
    return -1;
}

static int
check_arguments(PyObject *const arguments[PARAMETERS], Py_ssize_t count)
{
    if (count > PARAMETERS) {
        PyErr_Format(PyExc_TypeError, "Value() takes from 1 to 4 arguments but %zd were given",
                     count);
        return -1;
    }
    if (arguments && !arguments[DATA]) {
        PyErr_SetString(PyExc_TypeError, "Value() missing 1 required positional argument: 'data'");
        return -1;
    }
    return 0;
}

/* Value(...) itself, without the detour by __new__ and __init__. */
PyObject *
value_vectorcall(PyObject *type, PyObject *const *args, size_t flags, PyObject *names)
{
    Engine *engine = PyType_GetModuleState((PyTypeObject *)type);
    Py_ssize_t count = PyVectorcall_NARGS(flags);
    if (LIKELY(count == 1 && !names && PyFloat_CheckExact(args[0]))) {
        return (PyObject *)make_leaf(engine, PyFloat_AS_DOUBLE(args[0]), OP_NONE);
    }
    PyObject *arguments[PARAMETERS] = {NULL};
    if (check_arguments(NULL, count) < 0) {
        return NULL;
    }
    for (Py_ssize_t index = 0; index < count; index++) {
        arguments[index] = args[index];
    }
    for (Py_ssize_t index = 0; names && index < PyTuple_GET_SIZE(names); index++) {
        if (place_named(arguments, PyTuple_GET_ITEM(names, index), args[count + index]) < 0) {
            return NULL;
        }
    }
    if (check_arguments(arguments, 0) < 0) {
        return NULL;
    }
    return construct(engine, NULL, arguments);
}

/* For subclasses, which may have an __init__ that takes something else; and for copies. */
static PyObject *
value_new(PyTypeObject *type, PyObject *Py_UNUSED(args), PyObject *Py_UNUSED(kwargs))
{
    PyObject *self = type->tp_alloc(type, 0);
    if (self && !packable(self)) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    return self;
}

static int
value_init(PyObject *self, PyObject *args, PyObject *kwargs)
{
    PyObject *arguments[PARAMETERS] = {NULL};
    Py_ssize_t count = PyTuple_GET_SIZE(args);
    if (check_arguments(NULL, count) < 0) {
        return -1;
    }
    for (Py_ssize_t index = 0; index < count; index++) {
        arguments[index] = PyTuple_GET_ITEM(args, index);
    }
    PyObject *name, *argument;
    Py_ssize_t position = 0;
    while (kwargs && PyDict_Next(kwargs, &position, &name, &argument)) {
        if (place_named(arguments, name, argument) < 0) {
            return -1;
        }
    }
    if (check_arguments(arguments, 0) < 0) {
        return -1;
    }
    PyObject *same = construct(engine_of((Value *)self), (Value *)self, arguments);
    Py_XDECREF(same);
    return same ? 0 : -1;
}

/* ── Attributes ─────────────────────────────────────────────────────────────────────────────── */

static int
cannot_delete(const char *name)
{
    PyErr_Format(PyExc_AttributeError, "a Value keeps its %s: it cannot be deleted", name);
    return -1;
}

/* The closure is the attribute's name where Python asks, and NULL where we do. */
static bool
refused(const Engine *engine, const char *what)
{
    return UNLIKELY(engine->active) && what && !may_read(engine, what);
}

static PyObject *
get_data(PyObject *self, void *closure)
{
    if (refused(engine_of((Value *)self), closure)) {
        return NULL;
    }
    return PyFloat_FromDouble(((Value *)self)->data);
}

static int
set_data(PyObject *self, PyObject *number, void *closure)
{
    Value *node = (Value *)self;
    double data;
    if (!number) {
        return cannot_delete("data");
    }
    Engine *engine = engine_of(node);
    if (refused(engine, closure)) {
        return -1;
    }
    if (need_real(engine, "data is a real number", number, &data) < 0) {
        return -1;
    }
    node->data = data;
    engine->writes++;
    return 0;
}

static PyObject *
get_grad(PyObject *self, void *closure)
{
    if (refused(engine_of((Value *)self), closure)) {
        return NULL;
    }
    return PyFloat_FromDouble(((Value *)self)->grad);
}

static int
set_grad(PyObject *self, PyObject *number, void *closure)
{
    Value *node = (Value *)self;
    double grad;
    if (!number) {
        return cannot_delete("grad");
    }
    if (refused(engine_of(node), closure)) {
        return -1;
    }
    if (need_real(engine_of(node), "grad is a real number", number, &grad) < 0) {
        return -1;
    }
    node->grad = grad;
    return 0;
}

static PyObject *
get_label(PyObject *self, void *Py_UNUSED(closure))
{
    Value *node = (Value *)self;
    PyObject *label = node->left & EXTENDED ? extension_of(node)->label : NULL;
    return Py_NewRef(label ? label : engine_of(node)->empty);
}

static int
set_label(PyObject *self, PyObject *label, void *Py_UNUSED(closure))
{
    Value *node = (Value *)self;
    Engine *engine = engine_of(node);
    if (!label) {
        return cannot_delete("label");
    }
    if (!(label = need_label(engine, label))) {
        return -1;
    }
    Extension *extension = extend(engine, node);
    if (!extension) {
        Py_DECREF(label);
        return -1;
    }
    Py_XSETREF(extension->label, label);
    return 0;
}

static PyObject *
get_op(PyObject *self, void *Py_UNUSED(closure))
{
    Value *node = (Value *)self;
    return Py_NewRef(symbol_of(engine_of(node), node));
}

static int
set_op(PyObject *self, PyObject *symbol, void *Py_UNUSED(closure))
{
    Value *node = (Value *)self;
    Engine *engine = engine_of(node);
    if (!symbol) {
        return cannot_delete("_op");
    }
    if (!(symbol = need_symbol(engine, symbol))) {
        return -1;
    }
    int status = set_symbol(engine, node, symbol);
    Py_DECREF(symbol);
    return status;
}

/* Return an empty tuple with a place for each input. Making it may collect garbage, and a finaliser may give the node other
 * inputs. */
static PyObject *
tuple_for_inputs(const Value *node)
{
    PyObject *tuple = PyTuple_New(count_inputs(node));
    while (tuple && PyTuple_GET_SIZE(tuple) != count_inputs(node)) {
        Py_SETREF(tuple, PyTuple_New(count_inputs(node)));
    }
    return tuple;
}

static PyObject *
get_children(PyObject *self, void *Py_UNUSED(closure))
{
    Value *node = (Value *)self;
    PyObject *children = tuple_for_inputs(node);
    if (children && materialise(engine_of(node), node) < 0) {
        Py_CLEAR(children);
    }
    for (Py_ssize_t index = 0; children && index < PyTuple_GET_SIZE(children); index++) {
        PyTuple_SET_ITEM(children, index, Py_NewRef(edge_at(node, index).input));
    }
    return children;
}

static PyObject *
get_local_grads(PyObject *self, void *Py_UNUSED(closure))
{
    Value *node = (Value *)self;
    if (node->left & OPAQUE) {
        Py_RETURN_NONE;
    }
    PyObject *local_grads = tuple_for_inputs(node);
    for (Py_ssize_t index = 0; local_grads && index < PyTuple_GET_SIZE(local_grads); index++) {
        PyObject *local = PyFloat_FromDouble(edge_at(node, index).local);
        if (!local) {
            Py_CLEAR(local_grads);
            break;
        }
        PyTuple_SET_ITEM(local_grads, index, local);
    }
    return local_grads;
}

/* Assigning other inputs keeps the local gradients, so there must be as many; () cuts the graph. */
static int
set_children(PyObject *self, PyObject *children, void *Py_UNUSED(closure))
{
    Value *node = (Value *)self;
    Engine *engine = engine_of(node);
    int status = -1;
    PyObject *inputs = NULL, *local_grads = NULL, *label = NULL, *symbol = NULL;
    if (!children) {
        return cannot_delete("_children");
    }
    if (!(inputs = need_inputs(engine, children)) || !(label = get_label(self, NULL)) ||
        !(symbol = get_op(self, NULL)) || !(local_grads = get_local_grads(self, NULL))) {
        goto fail;
    }
    if (local_grads == Py_None) {
        Py_CLEAR(local_grads);
    }
    else if (PyTuple_GET_SIZE(inputs) == 0) {
        Py_SETREF(local_grads, PyTuple_New(0));
    }
    else {
        Py_SETREF(local_grads, need_local_grads(engine, local_grads, PyTuple_GET_SIZE(inputs)));
    }
    if (!local_grads && PyErr_Occurred()) {
        goto fail;
    }
    status = refill(engine, node, inputs, local_grads, symbol, label, true);
fail:
    Py_XDECREF(inputs);
    Py_XDECREF(local_grads);
    Py_XDECREF(label);
    Py_XDECREF(symbol);
    return status;
}

static int
set_local_grads(PyObject *self, PyObject *numbers, void *Py_UNUSED(closure))
{
    Value *node = (Value *)self;
    Engine *engine = engine_of(node);
    if (!numbers) {
        return cannot_delete("_local_grads");
    }
    if (numbers == Py_None) {
        node->left |= OPAQUE;
        return 0;
    }
    if (!PyTuple_Check(numbers)) {
        type_error(engine->operand_error, "_local_grads is a tuple of real numbers or None", numbers);
        return -1;
    }
    PyObject *local_grads = need_local_grads(engine, numbers, count_inputs(node));
    if (!local_grads) {
        return -1;
    }
    /* Reading the numbers may have run Python code, which may have changed the inputs. */
    Py_ssize_t count = count_inputs(node);
    if (count != PyTuple_GET_SIZE(local_grads)) {
        PyErr_Format(engine->operand_error, "%zd inputs need as many local gradients, not %.40R",
                     count, numbers);
        Py_DECREF(local_grads);
        return -1;
    }
    if (node->left & WIDE ? !unpack(engine, node) : materialise(engine, node) < 0) {
        Py_DECREF(local_grads);
        return -1;
    }
    for (Py_ssize_t index = 0; index < PyTuple_GET_SIZE(local_grads); index++) {
        set_edge(node, index, PyFloat_AS_DOUBLE(PyTuple_GET_ITEM(local_grads, index)));
    }
    node->left &= ~OPAQUE;
    Py_DECREF(local_grads);
    return 0;
}

static PyObject *
get_prev(PyObject *self, void *Py_UNUSED(closure))
{
    PyObject *children = get_children(self, NULL);
    PyObject *prev = children ? PySet_New(children) : NULL;
    Py_XDECREF(children);
    return prev;
}

static PyObject *
push_recorded(PyObject *self, PyObject *Py_UNUSED(unused))
{
    Value *node = (Value *)self;
    if (!(node->left & OPAQUE)) {
        push(node);
        if (is_poisoned(node)) {
            node->left |= POISONED;
        }
    }
    Py_RETURN_NONE;
}

static PyMethodDef push_definition = {"_backward", push_recorded, METH_NOARGS, NULL};

static PyObject *
get_backward(PyObject *self, void *Py_UNUSED(closure))
{
    Value *node = (Value *)self;
    PyObject *custom = node->left & EXTENDED ? extension_of(node)->custom : NULL;
    if (custom) {
        Py_INCREF(custom);
        int truth = PyObject_IsTrue(custom);
        if (truth > 0) {
            return custom;
        }
        Py_DECREF(custom);
        if (truth < 0) {
            return NULL;
        }
    }
    return PyCFunction_New(&push_definition, self);
}

/* Return the Extension of a node that is about to be given what may lead back to it. */
static Extension *
extend_listed(Engine *engine, Value *node)
{
    if (node->left & IN_SLAB && reserve_listed(engine) < 0) { /* first: Python code may run */
        return NULL;
    }
    Extension *extension = extend(engine, node);
    if (extension) {
        list_node(engine, node);
    }
    return extension;
}

static int
set_custom(PyObject *self, PyObject *custom, void *Py_UNUSED(closure))
{
    Value *node = (Value *)self;
    if (!custom) {
        return cannot_delete("_custom");
    }
    Engine *engine = engine_of(node);
    Extension *extension = extend_listed(engine, node);
    if (!extension) {
        return -1;
    }
    Py_XSETREF(extension->custom, Py_NewRef(custom));
    return 0;
}

static int
set_backward(PyObject *self, PyObject *custom, void *closure)
{
    if (set_custom(self, custom, closure) < 0) {
        return -1;
    }
    ((Value *)self)->left |= OPAQUE;
    return 0;
}

static PyObject *
get_custom(PyObject *self, void *Py_UNUSED(closure))
{
    Value *node = (Value *)self;
    PyObject *custom = node->left & EXTENDED ? extension_of(node)->custom : NULL;
    if (!custom) {
        PyErr_SetString(PyExc_AttributeError, "_custom");
    }
    return Py_XNewRef(custom);
}

static PyObject *
get_line(PyObject *self, void *Py_UNUSED(closure))
{
    Value *node = (Value *)self;
    PyObject *line = node->left & EXTENDED ? extension_of(node)->line : NULL;
    if (!line) {
        PyErr_SetString(PyExc_AttributeError, "_line");
    }
    return Py_XNewRef(line);
}

static int
set_line(PyObject *self, PyObject *line, void *Py_UNUSED(closure))
{
    Value *node = (Value *)self;
    Extension *extension = extend(engine_of(node), node);
    if (!extension) {
        return -1;
    }
    Py_XSETREF(extension->line, Py_XNewRef(line));
    return 0;
}

static PyObject *
get_scope(PyObject *self, void *Py_UNUSED(closure))
{
    Value *node = (Value *)self;
    PyObject *scope = node->left & EXTENDED ? extension_of(node)->scope : NULL;
    if (!scope) {
        PyErr_SetString(PyExc_AttributeError, "_scope");
    }
    return Py_XNewRef(scope);
}

static int
set_scope(PyObject *self, PyObject *scope, void *Py_UNUSED(closure))
{
    Value *node = (Value *)self;
    Extension *extension = extend(engine_of(node), node);
    if (!extension) {
        return -1;
    }
    Py_XSETREF(extension->scope, Py_XNewRef(scope));
    return 0;
}

/* ── Attributes that the user adds ──────────────────────────────────────────────────────────────
 * They are in a dict that hangs from the Extension, so a node without any pays nothing. Instances of a
 * subclass without __slots__ have a dict of Python's own.
 */

static bool
has_own_dict(const PyTypeObject *type)
{
    return type->tp_dictoffset != 0 || type->tp_flags & Py_TPFLAGS_MANAGED_DICT;
}

/* Return the dict, made when there is none. Borrowed. */
static PyObject *
need_attributes(Value *node)
{
    Engine *engine = engine_of(node);
    PyObject *attributes = attributes_of(node);
    if (attributes) {
        return attributes;
    }
    if (!(attributes = PyDict_New())) { /* may run the garbage collector, so this comes first */
        return NULL;
    }
    Extension *extension = extend_listed(engine, node);
    if (!extension || extension->attributes) {
        Py_DECREF(attributes);
        return extension ? extension->attributes : NULL;
    }
    return extension->attributes = attributes;
}

/* v.__dict__ */
static PyObject *
get_dict(PyObject *self, void *Py_UNUSED(closure))
{
    return Py_XNewRef(need_attributes((Value *)self));
}

static int
set_dict(PyObject *self, PyObject *attributes, void *Py_UNUSED(closure))
{
    Value *node = (Value *)self;
    if (!attributes) {
        return cannot_delete("__dict__");
    }
    if (!PyDict_Check(attributes)) {
        PyObject *kind = PyType_GetName(Py_TYPE(attributes));
        if (kind) {
            PyErr_Format(PyExc_TypeError, "__dict__ must be set to a dictionary, not a '%U'", kind);
            Py_DECREF(kind);
        }
        return -1;
    }
    Extension *extension = extend_listed(engine_of(node), node);
    if (!extension) {
        return -1;
    }
    Py_XSETREF(extension->attributes, Py_NewRef(attributes));
    return 0;
}

/* The dict, or None where there is none: `copying` asks, and must not make one. */
static PyObject *
get_attributes(PyObject *self, void *Py_UNUSED(closure))
{
    if (has_own_dict(Py_TYPE(self))) {
        return PyObject_GenericGetDict(self, NULL);
    }
    PyObject *attributes = attributes_of((Value *)self);
    return Py_NewRef(attributes ? attributes : Py_None);
}

static int
set_attribute(PyObject *self, PyObject *name, PyObject *thing)
{
    PyTypeObject *type = Py_TYPE(self);
    if (has_own_dict(type) || !PyUnicode_Check(name)) {
        return PyObject_GenericSetAttr(self, name, thing);
    }
    PyObject *descriptor = _PyType_Lookup(type, name);
    if ((descriptor && Py_TYPE(descriptor)->tp_descr_set) ||
        (!thing && !attributes_of((Value *)self))) {
        return PyObject_GenericSetAttr(self, name, thing);
    }
    PyObject *attributes = need_attributes((Value *)self);
    if (!attributes) {
        return -1;
    }
    Py_INCREF(attributes);
    int status = _PyObject_GenericSetAttrWithDict(self, name, thing, attributes);
    Py_DECREF(attributes);
    return status;
}

/* data and grad first: they are most of what a training loop reads. */
static PyObject *
value_getattro(PyObject *self, PyObject *name)
{
    Value *node = (Value *)self;
    if (LIKELY(node->left & IN_SLAB)) {
        const Engine *engine = slab_of(node)->engine;
        if (name == engine->name_data) {
            return refused(engine, ".data") ? NULL : PyFloat_FromDouble(node->data);
        }
        if (name == engine->name_grad) {
            return refused(engine, ".grad") ? NULL : PyFloat_FromDouble(node->grad);
        }
    }
    PyObject *attributes = attributes_of(node);
    if (UNLIKELY(attributes != NULL)) {
        Py_INCREF(attributes);
        PyObject *attribute = _PyObject_GenericGetAttrWithDict(self, name, attributes, 0);
        Py_DECREF(attributes);
        return attribute;
    }
    return PyObject_GenericGetAttr(self, name);
}

static int
value_setattro(PyObject *self, PyObject *name, PyObject *thing)
{
    Value *node = (Value *)self;
    if (LIKELY(node->left & IN_SLAB && thing)) {
        Engine *engine = slab_of(node)->engine;
        if (name == engine->name_data) {
            return set_data(self, thing, ".data");
        }
        if (name == engine->name_grad) {
            return set_grad(self, thing, ".grad");
        }
    }
    return set_attribute(self, name, thing);
}

/* ── A number among numbers ─────────────────────────────────────────────────────────────────── */

static PyObject *
value_compare(PyObject *self, PyObject *other, int how)
{
    Engine *engine = engine_of((Value *)self);
    double x = ((Value *)self)->data, y;
    if (UNLIKELY(engine->active)) { /* a function that is being recorded gets a condition */
        static const char *const names[] = {"lt", "le", "eq", "ne", "gt", "ge"};
        PyObject *answer =
            PyObject_CallFunction(engine->modes_compared, "sOO", names[how], self, other);
        if (answer != Py_None) {
            return answer;
        }
        Py_DECREF(answer);
    }
    if (is_value(engine, other)) {
        y = ((Value *)other)->data;
    }
    else {
        int known = read_real(engine, other, &y);
        if (known <= 0) {
            return known ? NULL : Py_NewRef(Py_NotImplemented);
        }
    }
    Py_RETURN_RICHCOMPARE(x, y, how);
}

static Py_hash_t
value_hash(PyObject *self)
{
    return PyBaseObject_Type.tp_hash(self);
}

static int
value_bool(PyObject *self)
{
    if (refused(engine_of((Value *)self), "bool()")) {
        return -1;
    }
    return ((Value *)self)->data != 0.0;
}

/* Whether the number may go where no gradient follows: modes.py warns, or raises. */
static bool
may_leave(const Engine *engine, const char *what)
{
    if (refused(engine, what)) {
        return false;
    }
    PyObject *answer = PyObject_CallFunction(engine->modes_leave_graph, "s", what);
    Py_XDECREF(answer);
    return answer != NULL;
}

static PyObject *
value_float(PyObject *self)
{
    if (!may_leave(engine_of((Value *)self), "float()")) {
        return NULL;
    }
    return PyFloat_FromDouble(((Value *)self)->data);
}

static PyObject *
value_int(PyObject *self)
{
    if (!may_leave(engine_of((Value *)self), "int()")) {
        return NULL;
    }
    return PyLong_FromDouble(((Value *)self)->data);
}

static PyObject *
value_format(PyObject *self, PyObject *spec)
{
    if (!PyUnicode_Check(spec)) {
        PyErr_SetString(PyExc_TypeError, "__format__ takes a str");
        return NULL;
    }
    if (PyUnicode_GET_LENGTH(spec) == 0) {
        return PyObject_Repr(self);
    }
    if (refused(engine_of((Value *)self), "a format")) {
        return NULL;
    }
    PyObject *data = PyFloat_FromDouble(((Value *)self)->data);
    PyObject *text = data ? PyObject_Format(data, spec) : NULL;
    Py_XDECREF(data);
    return text;
}

static PyObject *
value_repr(PyObject *self)
{
    PyObject *text = NULL;
    PyObject *data = get_data(self, NULL), *grad = get_grad(self, NULL);
    PyObject *label = get_label(self, NULL);
    if (data && grad && label) {
        text = PyUnicode_GET_LENGTH(label) > 0
                   ? PyUnicode_FromFormat("Value(data=%R, grad=%R, label=%R)", data, grad, label)
                   : PyUnicode_FromFormat("Value(data=%R, grad=%R)", data, grad);
    }
    Py_XDECREF(data);
    Py_XDECREF(grad);
    Py_XDECREF(label);
    return text;
}

static PyObject *
value_item(PyObject *self, PyObject *Py_UNUSED(unused))
{
    if (refused(engine_of((Value *)self), ".item()")) {
        return NULL;
    }
    return PyFloat_FromDouble(((Value *)self)->data);
}

static PyObject *
value_detach(PyObject *self, PyObject *Py_UNUSED(unused))
{
    Value *node = (Value *)self;
    if (refused(engine_of(node), "detach()")) {
        return NULL;
    }
    return (PyObject *)make_leaf(engine_of(node), node->data, OP_NONE);
}

/* ── Copies ─────────────────────────────────────────────────────────────────────────────────── */

/* cls._restore((data, grad, label, _op, _children, _local_grads)): what `copying` kept of a node. */
static PyObject *
value_restore(PyObject *type, PyObject *state)
{
    Engine *engine = engine_of_kin((PyTypeObject *)type);
    double data, grad;
    PyObject *inputs = NULL, *local_grads = NULL, *symbol = NULL, *label = NULL;
    Value *node = NULL;
    if (!PyTuple_Check(state) || PyTuple_GET_SIZE(state) != 6) {
        PyErr_SetString(PyExc_TypeError, "_restore takes the six parts of a node");
        return NULL;
    }
    PyObject *kept = PyTuple_GET_ITEM(state, 5);
    if (need_real(engine, "data is a real number", PyTuple_GET_ITEM(state, 0), &data) < 0 ||
        need_real(engine, "grad is a real number", PyTuple_GET_ITEM(state, 1), &grad) < 0 ||
        !(label = need_label(engine, PyTuple_GET_ITEM(state, 2))) ||
        !(symbol = need_symbol(engine, PyTuple_GET_ITEM(state, 3))) ||
        !(inputs = need_inputs(engine, PyTuple_GET_ITEM(state, 4)))) {
        goto fail;
    }
    if (kept != Py_None) {
        if (!PyTuple_Check(kept)) {
            type_error(engine->operand_error, "_local_grads is a tuple of real numbers or None",
                       kept);
            goto fail;
        }
        if (!(local_grads = need_local_grads(engine, kept, PyTuple_GET_SIZE(inputs)))) {
            goto fail;
        }
    }
    if ((PyTypeObject *)type == engine->type && fits_slab(inputs, !local_grads)) {
        node = make_leaf(engine, data, OP_NONE);
    }
    else {
        node = (Value *)value_new((PyTypeObject *)type, NULL, NULL);
    }
    if (node && fill(engine, node, inputs, local_grads, symbol, label, false) < 0) {
        Py_CLEAR(node);
    }
    if (node) {
        node->data = data;
        node->grad = grad;
    }
fail:
    Py_XDECREF(inputs);
    Py_XDECREF(local_grads);
    Py_XDECREF(symbol);
    Py_XDECREF(label);
    return (PyObject *)node;
}

/* ── The list of everything ─────────────────────────────────────────────────────────────────── */

PyDoc_STRVAR(value_doc,
             "A number that remembers how it was computed.\n\n"
             ">>> a, b, c = Value(2.0), Value(-3.0), Value(10.0)\n"
             ">>> f = (a + b) * c\n"
             ">>> f.backward()\n"
             ">>> f.data, a.grad, b.grad, c.grad\n"
             "(-10.0, 10.0, 10.0, -1.0)\n\n"
             "`_children` are the inputs in order (`a * a` has two), `_local_grads` one number for "
             "each.\nBoth are those of the recorded point: changing `.data` later does not change "
             "what was computed.");

static PyMethodDef value_methods[] = {
    {"backward", (PyCFunction)(void (*)(void))value_backward, METH_FASTCALL | METH_KEYWORDS,
     "backward($self, /, buffers=None, *, gradient=1.0, create_graph=False)\n--\n\n"
     "Fill `.grad` of every node below: d self / d node, times `gradient`.\n\n"
     "Interior gradients start at 0, leaves accumulate over calls. Either the whole walk happens\n"
     "or, when it is interrupted or raises, no gradient changes.\n\n"
     "With `create_graph`, the gradients of the leaves are computed as Values and returned in a\n"
     "dict by leaf, to be differentiated again. `.grad` of the leaves has their numbers."},
    {"item", value_item, METH_NOARGS,
     "item($self, /)\n--\n\n"
     "Return the number, as PyTorch and numpy call it: the same as `.data`."},
    {"detach", value_detach, METH_NOARGS,
     "detach($self, /)\n--\n\nReturn a leaf with the same data: gradients stop there."},
    {"_apply", (PyCFunction)(void (*)(void))value_apply, METH_FASTCALL | METH_CLASS,
     "Record one row of the table: its value, and a local gradient for each operand."},
    {"_restore", value_restore, METH_O | METH_CLASS,
     "Make a node from what `copying` kept of one."},
    {"__format__", value_format, METH_O, NULL},
    {"__floor__", value_floor, METH_NOARGS, NULL},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef value_attributes[] = {
    {"data", get_data, set_data, "The number.", ".data"},
    {"grad", get_grad, set_grad, "d root / d self, after root.backward().", ".grad"},
    {"label", get_label, set_label, "A name for pictures and reports.", NULL},
    {"_op", get_op, set_op, "The symbol of the operation that made it.", NULL},
    {"_children", get_children, set_children, "The inputs, in order.", NULL},
    {"_local_grads", get_local_grads, set_local_grads,
     "d self / d input for each input; None where a _backward function pushes.", NULL},
    {"_prev", get_prev, NULL, "The inputs as a set, micrograd's name for them.", NULL},
    {"_backward", get_backward, set_backward,
     "Push this node's gradient one step back, to its inputs.", NULL},
    {"_custom", get_custom, set_custom, "The _backward that was assigned.", NULL},
    {"_line", get_line, set_line, "File and line that made it, under source_lines().", NULL},
    {"_scope", get_scope, set_scope, "Names of the scopes it was made in, under scope().", NULL},
    {"__dict__", get_dict, set_dict, "The attributes that were added to this one.", NULL},
    {"_attributes", get_attributes, NULL, "The same, or None where there are none.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMemberDef value_members[] = {
    {"__weaklistoffset__", T_PYSSIZET, offsetof(Value, weakrefs), READONLY, NULL},
    {NULL, 0, 0, 0, NULL},
};

static PyType_Slot value_slots[] = {
    {Py_tp_doc, (void *)value_doc},
    {Py_tp_new, value_new},
    {Py_tp_init, value_init},
    {Py_tp_dealloc, value_dealloc},
    {Py_tp_traverse, value_traverse},
    {Py_tp_clear, value_clear},
    {Py_tp_is_gc, value_is_gc},
    {Py_tp_getattro, value_getattro},
    {Py_tp_setattro, value_setattro},
    {Py_tp_richcompare, value_compare},
    {Py_tp_hash, value_hash},
    {Py_tp_repr, value_repr},
    {Py_tp_methods, value_methods},
    {Py_tp_getset, value_attributes},
    {Py_tp_members, value_members},
    {Py_nb_bool, value_bool},
    {Py_nb_float, value_float},
    {Py_nb_int, value_int},
    {Py_nb_add, value_add},
    {Py_nb_subtract, value_subtract},
    {Py_nb_multiply, value_multiply},
    {Py_nb_true_divide, value_divide},
    {Py_nb_power, value_power},
    {Py_nb_floor_divide, value_floor_divide},
    {Py_nb_remainder, value_remainder},
    {Py_nb_divmod, value_divmod},
    {Py_nb_negative, value_negative},
    {Py_nb_positive, value_positive},
    {Py_nb_absolute, value_absolute},
    {0, NULL},
};

PyType_Spec value_spec = {
    .name = "gradwalk.Value",
    .basicsize = NODE_BYTES,
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .slots = value_slots,
};
