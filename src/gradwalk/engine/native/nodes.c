/* A node's parts: where it lives, its inputs, its Extension; and the end of a graph.
 *
 * Most nodes are filled by `record` in operators.c and never come here before they die. Nodes with
 * more than two inputs, a label, a line, a `_backward`, an `_op` or attributes of their own come here.
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
        *slab_locals(node) = (Locals){.left = 0.0, .right = 0.0};
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
    Value *number = make_leaf(engine, locals_of(node)->right, OP_CONST);
    if (!number) {
        return -1;
    }
    if (node->left & POISONED) {
        number->grad = NAN;
    }
    node->right = number;
    locals_of(node)->right = 0.0;
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

/* Drop the parts that are not inputs, and the Extension itself. Python code may run. */
static void
release_extension(Extension *extension)
{
    Py_XDECREF(extension->symbol);
    Py_XDECREF(extension->label);
    Py_XDECREF(extension->line);
    Py_XDECREF(extension->scope);
    Py_XDECREF(extension->custom);
    Py_XDECREF(extension->attributes);
    PyMem_Free(extension);
}

/* Drop an Extension that its node has left behind, and all that it holds. */
void
free_extension(Engine *engine, Extension *extension)
{
    unlist_node(engine, extension);
    for (Py_ssize_t index = 0; index < extension->count; index++) {
        Py_DECREF(extension->edges[index].input);
    }
    release_extension(extension);
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
 * `inputs` is a tuple of Values, `local_grads` a tuple of as many floats, or NULL for None. `extended`
 * asks for an Extension where the node could do without. On failure the node is as it was.
 */
int
fill(Engine *engine, Value *node, PyObject *inputs, PyObject *local_grads, PyObject *symbol,
     PyObject *label, bool extended)
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
    if (count > 2 || odd_symbol || labelled || extended) {
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

/* Give a node new parts in place of those it has; the attributes that the user added stay, and with
 * `keeps_all` line, scope and `_backward` too. On failure the node is as it was.
 */
int
refill(Engine *engine, Value *node, PyObject *inputs, PyObject *local_grads, PyObject *symbol,
       PyObject *label, bool keeps_all)
{
    bool regrows = node->left & IN_SLAB && PyTuple_GET_SIZE(inputs) > 0;
    if (regrows && reserve_listed(engine) < 0) { /* Python code may run, so this comes first */
        return -1;
    }
    Extension *before = node->left & EXTENDED ? extension_of(node) : NULL, *after = NULL;
    bool keeps = before && (before->attributes ||
                            (keeps_all && (before->line || before->scope || before->custom)));
    bool was_leaf = !has_inputs(node), was_listed = before && before->place;
    uint64_t left = node->left;
    Value *right = node->right;
    node->left = left & IN_SLAB;
    node->right = NULL;
    if (fill(engine, node, inputs, local_grads, symbol, label, keeps || regrows) < 0) {
        node->left = left;
        node->right = right;
        return -1;
    }
    after = node->left & EXTENDED ? extension_of(node) : NULL;
    if (keeps) {
        after->attributes = before->attributes;
        before->attributes = NULL;
    }
    if (keeps && keeps_all) {
        after->line = before->line;
        after->scope = before->scope;
        after->custom = before->custom;
        before->line = before->scope = before->custom = NULL;
    }
    if (before) {
        unlist_node(engine, before);
    }
    if (after && (regrows || (was_listed && keeps))) {
        after->regrown = regrows;
        list_node(engine, node);
    }
    engine->regrown |= regrows && was_leaf;
    engine->writes++;
    if (left & WIDE) { /* from here on Python code may run */
        leave_blocks(engine, (Block *)(uintptr_t)(left & ADDRESS_MASK), (Block *)right);
    }
    else if (before) {
        free_extension(engine, before);
    }
    else {
        Py_XDECREF(left_of(left));
        Py_XDECREF(right);
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
        return block_edge(block_of(node), node->own, slab_locals(node)->slot, index);
    }
    if (index == 0) {
        return (Edge){left_of(node->left), locals_of(node)->left};
    }
    return (Edge){node->right, node->left & CONSTANT ? 0.0 : locals_of(node)->right};
}

/* A WIDE node has to be unpacked before. */
void
set_edge(Value *node, Py_ssize_t index, double local)
{
    if (node->left & EXTENDED) {
        extension_of(node)->edges[index].local = local;
    }
    else if (index == 0) {
        locals_of(node)->left = local;
    }
    else {
        locals_of(node)->right = local;
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

/* The dict of attributes that the user added, or NULL. Borrowed. */
PyObject *
attributes_of(const Value *node)
{
    return node->left & EXTENDED ? extension_of(node)->attributes : NULL;
}

/* Make it a leaf without a name. Data, grad, label, line and attributes stay. The caller holds it. */
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
        Py_CLEAR(extension_of(node)->symbol);
        /* Asked for anew each time: what an input runs when it dies may give the node another one. */
        while (node->left & EXTENDED && extension_of(node)->count > 0) {
            Extension *extension = extension_of(node);
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
        Py_VISIT(extension->attributes);
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
    if (node->left & EXTENDED) {
        Py_CLEAR(extension_of(node)->attributes);
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
    unlist_node(engine, extension);
    for (Py_ssize_t index = 0; index < extension->count; index++) {
        engine->dead = drop(engine, engine->dead, extension->edges[index].input);
    }
    release_extension(extension);
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
        release_extension(extension_of(node));
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
