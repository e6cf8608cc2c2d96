/* A node's parts: where it lives, its inputs, its Extension; and the end of a graph.
 *
 * Most nodes are filled by `record` in operators.c and never come here before they die. What comes
 * here: nodes with more than two inputs, a label, a line, a `_backward` or an `_op` of their own.
 * Start reading at `fill`, then at `value_dealloc`.
 */
#include "engine.h"

#include <math.h>

#define DRAIN_PERIOD ((Py_ssize_t)1 << 18) /* nodes freed between two looks for Ctrl-C: a few ms */
#define DRAIN_PART ((Py_ssize_t)1 << 15)   /* nodes freed at a time after one has come */

/* The engine by way of the type, for nodes that do not live in a slab; NULL when the interpreter,
 * on its way out, has taken the module from the type before the last instance of a subclass died.
 */
Engine *
engine_of_kin(PyTypeObject *type)
{
    while (type->tp_dealloc != value_dealloc) {
        type = type->tp_base;
    }
    PyObject *module = ((PyHeapTypeObject *)type)->ht_module;
    return module ? PyModule_GetState(module) : NULL;
}

/* ── Making nodes ───────────────────────────────────────────────────────────────────────────── */

/* Return a node with a GC header, all parts 0, tracked. */
Value *
take_loose_node(Engine *engine)
{
    Value *node = (Value *)engine->type->tp_alloc(engine->type, 0);
    if (node && !packable(node)) {
        Py_DECREF(node);
        PyErr_NoMemory();
        return NULL;
    }
    return node;
}

Value *
make_leaf(Engine *engine, double data, int operation)
{
    Value *node = take_node(engine);
    if (node) {
        node->data = data;
        node->grad = 0.0;
        node->left = OPERATION(operation) | IN_SLAB;
        node->right = NULL;
        node->left_local = node->right_local = 0.0;
    }
    return node;
}

/* Turn the number kept inside `node` into a node of its own, the second input; of a WIDE node, all. */
int
materialise(Engine *engine, Value *node)
{
    if (node->left & WIDE) {
        const Block *block = block_of(node);
        bool complete = block->kind == DOT ? block->whole && node->own->whole
                                           : !parameters_of(block->kind);
        return complete || unpack(engine, node) ? 0 : -1;
    }
    if (!(node->left & CONSTANT)) {
        return 0;
    }
    Value *number = make_leaf(engine, node->right_local, OP_CONST);
    if (!number) {
        return -1;
    }
    if (node->left & POISONED) {
        number->grad = NAN;
    }
    node->right = number;
    node->right_local = 0.0;
    node->left &= ~(CONSTANT | POISONED);
    return 0;
}

Extension *
new_extension(Py_ssize_t count)
{
    Extension *extension = PyMem_Calloc(1, sizeof(Extension) + (size_t)count * sizeof(Edge));
    if (!extension || !packable(extension)) {
        PyMem_Free(extension);
        PyErr_NoMemory();
        return NULL;
    }
    extension->count = count;
    return extension;
}

/* Return the node's Extension, made when it has none. */
Extension *
extend(Engine *engine, Value *node)
{
    if (node->left & EXTENDED) {
        return extension_of(node);
    }
    if (node->left & WIDE) {
        return unpack(engine, node);
    }
    if (materialise(engine, node) < 0) {
        return NULL;
    }
    Py_ssize_t count = count_inputs(node);
    Extension *extension = new_extension(count);
    if (!extension) {
        return NULL;
    }
    for (Py_ssize_t index = 0; index < count; index++) {
        extension->edges[index] = edge_at(node, index);
    }
    node->left = (node->left & ~ADDRESS_MASK) | packed(extension) | EXTENDED;
    node->right = NULL;
    return extension;
}

/* Return the code of a symbol of the table, 0 for any other and for '', or -1. */
static int
find_code(Engine *engine, PyObject *symbol)
{
    PyObject *code = PyDict_GetItemWithError(engine->codes, symbol);
    if (!code) {
        return PyErr_Occurred() ? -1 : OP_NONE;
    }
    return (int)PyLong_AsLong(code);
}

/* Give a node that has none its inputs, local gradients, _op and label.
 *
 * `inputs` is a tuple of Values, `local_grads` a tuple of as many floats, or NULL for None.
 * On failure the node is as it was.
 */
int
fill(Engine *engine, Value *node, PyObject *inputs, PyObject *local_grads, PyObject *symbol,
     PyObject *label)
{
    Py_ssize_t count = PyTuple_GET_SIZE(inputs);
    int code = find_code(engine, symbol);
    if (code < 0) {
        return -1;
    }
    bool odd_symbol = code == OP_NONE && PyUnicode_GET_LENGTH(symbol) > 0;
    bool labelled = PyUnicode_GET_LENGTH(label) > 0;
    uint64_t left = (node->left & IN_SLAB) | OPERATION(code);
    if (!local_grads) {
        left |= OPAQUE;
    }
    if (count > 2 || odd_symbol || labelled) {
        Extension *extension = new_extension(count);
        if (!extension) {
            return -1;
        }
        extension->symbol = odd_symbol ? Py_NewRef(symbol) : NULL;
        extension->label = labelled ? Py_NewRef(label) : NULL;
        left |= packed(extension) | EXTENDED;
    }
    else if (count > 0) {
        left |= packed(PyTuple_GET_ITEM(inputs, 0));
        node->right = count > 1 ? (Value *)PyTuple_GET_ITEM(inputs, 1) : NULL;
    }
    node->left = left;
    for (Py_ssize_t index = 0; index < count; index++) {
        PyObject *input = Py_NewRef(PyTuple_GET_ITEM(inputs, index));
        if (left & EXTENDED) {
            extension_of(node)->edges[index].input = (Value *)input;
        }
        if (local_grads) {
            set_edge(node, index, PyFloat_AS_DOUBLE(PyTuple_GET_ITEM(local_grads, index)));
        }
    }
    return 0;
}

/* ── Reading and writing parts ──────────────────────────────────────────────────────────────── */

Py_ssize_t
count_inputs(const Value *node)
{
    if (node->left & EXTENDED) {
        return extension_of(node)->count;
    }
    if (node->left & WIDE) {
        return count_edges(block_of(node));
    }
    if (!left_of(node->left)) {
        return 0;
    }
    return node->right || node->left & CONSTANT ? 2 : 1;
}

/* The input is NULL where it is a number kept inside: materialise first to avoid that. */
Edge
edge_at(const Value *node, Py_ssize_t index)
{
    if (node->left & EXTENDED) {
        return extension_of(node)->edges[index];
    }
    if (node->left & WIDE) {
        return block_edge(block_of(node), node->own, node->slot, index);
    }
    if (index == 0) {
        return (Edge){left_of(node->left), node->left_local};
    }
    return (Edge){node->right, node->left & CONSTANT ? 0.0 : node->right_local};
}

/* A WIDE node has to be unpacked before. */
void
set_edge(Value *node, Py_ssize_t index, double local)
{
    if (node->left & EXTENDED) {
        extension_of(node)->edges[index].local = local;
    }
    else if (index == 0) {
        node->left_local = local;
    }
    else {
        node->right_local = local;
    }
}

/* Borrowed. */
PyObject *
symbol_of(const Engine *engine, const Value *node)
{
    if (node->left & EXTENDED && extension_of(node)->symbol) {
        return extension_of(node)->symbol;
    }
    return engine->symbols[operation_of(node)];
}

int
set_symbol(Engine *engine, Value *node, PyObject *symbol)
{
    int code = find_code(engine, symbol);
    if (code < 0) {
        return -1;
    }
    bool odd_symbol = code == OP_NONE && PyUnicode_GET_LENGTH(symbol) > 0;
    Extension *extension = node->left & EXTENDED ? extension_of(node) : NULL;
    if (odd_symbol && !extension && !(extension = extend(engine, node))) {
        return -1;
    }
    node->left = (node->left & ~OPERATION_MASK) | OPERATION(code);
    engine->writes++; /* it may have become a constant */
    if (extension) {
        Py_XSETREF(extension->symbol, odd_symbol ? Py_NewRef(symbol) : NULL);
    }
    return 0;
}

/* Make it a leaf without a name: what stays is data, grad, label and line. */
void
strip(Value *node)
{
    uint64_t left = node->left;
    Value *right = node->right;
    node->left &= ~(OPERATION_MASK | CONSTANT | POISONED | OPAQUE | WIDE | ON_LEAF);
    node->right = NULL;
    if (left & WIDE) {
        node->left &= ~ADDRESS_MASK;
        leave_blocks(engine_of(node), (Block *)(uintptr_t)(left & ADDRESS_MASK), (Block *)right);
    }
    else if (left & EXTENDED) {
        Extension *extension = extension_of(node);
        Py_CLEAR(extension->symbol);
        while (extension->count > 0) {
            Py_DECREF(extension->edges[--extension->count].input);
        }
    }
    else {
        node->left &= ~ADDRESS_MASK;
        Py_XDECREF(left_of(left));
        Py_XDECREF(right);
    }
}

/* ── The cyclic garbage collector, for the nodes it knows ───────────────────────────────────── */

int
value_is_gc(PyObject *self)
{
    return !(((Value *)self)->left & IN_SLAB);
}

int
value_traverse(PyObject *self, visitproc visit, void *arg)
{
    Value *node = (Value *)self;
    if (!is_exact(self)) {
        Py_VISIT(Py_TYPE(self)); /* a class may lead to its instances; Value itself leads to none, */
    } /* and as it is not visited, it and the engine outlive every node */
    if (node->left & EXTENDED) {
        Extension *extension = extension_of(node);
        for (Py_ssize_t index = 0; index < extension->count; index++) {
            Py_VISIT(extension->edges[index].input);
        }
        Py_VISIT(extension->custom);
    }
    else {
        Py_VISIT(left_of(node->left));
        Py_VISIT(node->right);
    }
    return 0;
}

int
value_clear(PyObject *self)
{
    Value *node = (Value *)self;
    if (node->left & EXTENDED) {
        Py_CLEAR(extension_of(node)->custom);
    }
    strip(node);
    return 0;
}

/* ── The end of a graph ─────────────────────────────────────────────────────────────────────── */

/* Drop one reference and return the list of the dead. A node that dies of it joins that list instead of
 * being freed from here. `dead` is engine->dead, held in a register.
 */
static inline Value *
drop(Engine *engine, Value *dead, Value *node)
{
    if (Py_REFCNT(node) != 1) {
        Py_DECREF(node);
        return dead;
    }
    if (UNLIKELY(!is_exact((PyObject *)node))) {
        engine->dead = dead;
        Py_DECREF(node); /* may run Python code */
        return engine->dead;
    }
#ifdef Py_REF_DEBUG
    Py_INCREF(node); /* keeps the interpreter's total right, which Py_SET_REFCNT does not know */
    Py_DECREF(node);
#endif
    Py_SET_REFCNT((PyObject *)node, 0);
    if (UNLIKELY(!(node->left & IN_SLAB))) {
        PyObject_GC_UnTrack(node);
    }
    node->next_dead = dead;
    return node;
}

/* leave_block, with nodes that die of it on the list. */
static inline void
drop_block(Engine *engine, Block *block)
{
    if (--block->owners > 0) {
        return;
    }
    for (Py_ssize_t index = 0; index < block->count; index++) {
        if (block->inputs[index]) {
            engine->dead = drop(engine, engine->dead, block->inputs[index]);
        }
    }
    free_block(engine, block);
}

static void
drop_extension(Engine *engine, Extension *extension)
{
    unlist_hooked(engine, extension);
    for (Py_ssize_t index = 0; index < extension->count; index++) {
        engine->dead = drop(engine, engine->dead, extension->edges[index].input);
    }
    Py_XDECREF(extension->symbol);
    Py_XDECREF(extension->label);
    Py_XDECREF(extension->line);
    Py_XDECREF(extension->scope);
    Py_XDECREF(extension->custom);
    PyMem_Free(extension);
}

/* Free a node whose engine is gone already. */
static void
bury_alone(Value *node)
{
    PyTypeObject *kind = Py_TYPE(node);
    if (node->weakrefs) {
        PyObject_ClearWeakRefs((PyObject *)node);
    }
    strip(node);
    if (node->left & EXTENDED) {
        Extension *extension = extension_of(node);
        Py_XDECREF(extension->label);
        Py_XDECREF(extension->line);
        Py_XDECREF(extension->scope);
        Py_XDECREF(extension->custom);
        PyMem_Free(extension);
    }
    kind->tp_free(node);
    Py_DECREF(kind);
}

static int drain_later(void *engine);

/* Drop all that a node holds, where that is more than two inputs. Python code may run. */
static void
drop_parts(Engine *engine, Value *node)
{
    if (node->weakrefs) {
        PyObject_ClearWeakRefs((PyObject *)node);
        node->weakrefs = NULL;
    }
    if (node->left & WIDE) {
        drop_block(engine, block_of(node));
        if (node->own) {
            drop_block(engine, node->own);
        }
    }
    else if (node->left & EXTENDED) {
        drop_extension(engine, extension_of(node));
    }
}

/* Free the nodes on the list, and those that die of it. Weak references, `__del__` and `_backward`
 * functions may run Python code from inside; the nodes they drop join the list.
 *
 * A Ctrl-C cannot raise from here. So the rest of a large graph is put off, a part at a time, and the
 * interpreter gets to answer.
 */
static void
drain(Engine *engine, Py_ssize_t period)
{
    Value *node, *dead = engine->dead;
    Py_ssize_t patience = period;
    PyTypeObject *type = (PyTypeObject *)Py_NewRef(engine->type);
    engine->draining = true;
    while ((node = dead)) {
        if (UNLIKELY(--patience == 0)) {
            patience = period;
            bool resumed = period < DRAIN_PERIOD;
            if (resumed || PyOS_InterruptOccurred()) {
                if (!resumed) {
                    PyErr_SetInterrupt();
                }
                if (Py_AddPendingCall(drain_later, engine) == 0) {
                    break;
                }
            }
        }
        dead = node->next_dead;
        uint64_t left = node->left;
        if (UNLIKELY(node->weakrefs || left & (EXTENDED | WIDE))) {
            engine->dead = dead;
            drop_parts(engine, node);
            dead = engine->dead;
        }
        if (!(left & (EXTENDED | WIDE)) && left_of(left)) {
            dead = drop(engine, dead, left_of(left));
            if (node->right) {
                dead = drop(engine, dead, node->right);
            }
        }
        if (LIKELY(left & IN_SLAB)) {
            return_node(node);
        }
        else {
            engine->dead = dead;
            PyTypeObject *kind = Py_TYPE(node);
            kind->tp_free(node);
            Py_DECREF(kind);
            dead = engine->dead;
        }
    }
    engine->dead = dead;
    engine->draining = false;
    Py_DECREF(type); /* last: it may take the engine with it */
}

/* A call that the interpreter makes between two of its instructions. The nodes still on the list keep
 * the type and with it the engine.
 */
static int
drain_later(void *engine)
{
    if (((Engine *)engine)->dead && !((Engine *)engine)->draining) {
        drain(engine, DRAIN_PART);
    }
    return 0;
}

void
value_dealloc(PyObject *self)
{
    Value *node = (Value *)self;
    Engine *engine = engine_of(node);
    if (!(node->left & IN_SLAB)) {
        PyObject_GC_UnTrack(self); /* a subclass's dealloc has tracked it again */
        if (UNLIKELY(!engine || !engine->type)) {
            bury_alone(node);
            return;
        }
    }
    node->next_dead = engine->dead;
    engine->dead = node;
    if (!engine->draining) {
        drain(engine, DRAIN_PERIOD);
    }
}
