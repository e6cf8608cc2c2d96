/* The sort and the reverse walk: backward(), topological_order(), outdated() and Buffers.
 *
 * The sort is the reference's: depth first, with a stack of (node, next input), so the order of
 * visits and of accumulation is the same to the last bit. Start reading at `sort`, then `backward`.
 *
 * Four sorts of one kind:
 *     PLAIN    for most graphs: leaves are left out, since nothing is pushed from them. The walk
 *              behind it cannot fail, so no gradient of a leaf ever needs to go back.
 *     ENTIRE   leaves as well: where a hook or a watch may fail, or the graph is so large that a
 *              Ctrl-C may come before its end.
 *     LISTED   for Python to see: numbers kept inside nodes become nodes and get their places.
 *     READ     to look at every node; no grad and no node changes.
 *
 * What can go wrong on the way, and what is done about it:
 * - No memory, or an exception from a hook: every grad goes back to what it was (`undo`).
 * - Ctrl-C: undo, let the handler run, and start again if it did not raise. No Python code ever
 *   runs while nodes are MARKED, so nothing can see or disturb a half-done sort.
 * - Hooks: the walk is `careful`. It unmarks and holds every node first; after that Python code may
 *   do as it likes.
 */
#include "engine.h"

#include <math.h>

#define PERIOD ((Py_ssize_t)1 << 18)         /* nodes between two looks for Ctrl-C: a few ms */
#define CAREFUL_PERIOD ((Py_ssize_t)1 << 10) /* the same where the walk is careful */
#define PLAIN_LIMIT ((Py_ssize_t)1 << 20)    /* nodes a walk may have that looks for no signal */
#define KEPT_ROOM ((Py_ssize_t)1 << 20)      /* entries the engine keeps between calls */
#define AHEAD 6                              /* nodes that the walk fetches before it needs them */
/* Nodes lie in the order in which they were made. Below one are its inputs, where the sort goes down to;
 * above it, when it is done, begins what its consumers were made from beside it.
 */
#define BELOW 4
#define ABOVE 64

typedef enum { PLAIN, ENTIRE, LISTED, READ } Purpose;

#define CLEARS(purpose) ((purpose) == PLAIN || (purpose) == ENTIRE) /* sets inner grads to 0 */

/* UNFIT: a PLAIN sort has met a hook, or too many nodes. */
typedef enum { FAILED = -1, DONE, INTERRUPTED, UNFIT } Outcome;

/* ── Scratch ────────────────────────────────────────────────────────────────────────────────── */

void
scratch_free(Scratch *scratch)
{
    PyMem_RawFree(scratch->order);
    PyMem_RawFree(scratch->before);
    PyMem_RawFree(scratch->stack);
    memset(scratch, 0, sizeof(Scratch));
}

static int
grow(void **memory, Py_ssize_t *room, size_t entry)
{
    Py_ssize_t wanted = *room ? *room + *room / 2 + 64 : 1024;
    void *larger = PyMem_RawRealloc(*memory, (size_t)wanted * entry);
    if (!larger) {
        PyErr_NoMemory();
        return -1;
    }
    *memory = larger;
    *room = wanted;
    return 0;
}

static inline bool
is_plus_zero(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof(bits));
    return bits == 0;
}

/* Make room for one more entry where there is none. */
static inline int
reserve_visit(Scratch *scratch)
{
    return LIKELY(scratch->count < scratch->room)
               ? 0
               : grow((void **)&scratch->order, &scratch->room, sizeof(Value *));
}

static inline int
reserve_frame(Scratch *scratch)
{
    return LIKELY(scratch->depth < scratch->stack_room)
               ? 0
               : grow((void **)&scratch->stack, &scratch->stack_room, sizeof(Frame));
}

/* Remember the node's grad, for `undo`: no need in a graph that was just made, where all are 0. */
static int
remember(Scratch *scratch, Value *node)
{
    if (is_plus_zero(node->grad)) {
        return 0;
    }
    if (scratch->before_count == scratch->before_room &&
        grow((void **)&scratch->before, &scratch->before_room, sizeof(Before)) < 0) {
        return -1;
    }
    scratch->before[scratch->before_count++] = (Before){node, node->grad};
    return 0;
}

static void
unmark(Scratch *scratch)
{
    for (Py_ssize_t index = 0; index < scratch->count; index++) {
        scratch->order[index]->left &= ~MARKED;
    }
    while (scratch->depth > 0) {
        scratch->stack[--scratch->depth].node->left &= ~MARKED;
    }
}

/* Give every node of the order the grad that it had. */
static void
undo(Scratch *scratch)
{
    for (Py_ssize_t index = 0; index < scratch->count; index++) {
        scratch->order[index]->grad = 0.0;
    }
    for (Py_ssize_t index = 0; index < scratch->before_count; index++) {
        scratch->before[index].node->grad = scratch->before[index].grad;
    }
}

/* undo and unmark in one pass, for an answer to Ctrl-C without delay. */
static void
retreat(Scratch *scratch)
{
    for (Py_ssize_t index = 0; index < scratch->count; index++) {
        Value *node = scratch->order[index];
        if (index + AHEAD < scratch->count) {
            PREFETCH(scratch->order[index + AHEAD]);
        }
        node->grad = 0.0;
        node->left &= ~MARKED;
    }
    scratch->count = 0;
    undo(scratch);
    unmark(scratch);
}

/* ── The sort ───────────────────────────────────────────────────────────────────────────────── */

/* Whether the sort has still to go there. */
static inline bool
is_new(const Value *input, Purpose purpose)
{
    return !(input->left & MARKED) && (purpose != PLAIN || has_inputs(input));
}

/* Return the next new input of a WIDE node, `*next` being the place behind it. A Block whose inputs
 * were all met, for this node or another, has none; nor has one of leaves where leaves are left out.
 */
static inline Value *
scan_blocks(Engine *engine, const Value *node, Py_ssize_t *next, Purpose purpose)
{
    Block *block = block_of(node), *own = node->own;
    bool met = block->scanned == engine->sorts;
    bool own_met = !own || own->scanned == engine->sorts ||
                   (purpose == PLAIN && own->leaves && !engine->regrown);
    if (met && own_met) {
        return NULL;
    }
    if (own) { /* w0 x0 w1 x1 … */
        for (Py_ssize_t place = *next; place < 2 * block->count; place++) {
            if (place % 2 ? met : own_met) {
                continue;
            }
            Value *input = (place % 2 ? block : own)->inputs[place / 2];
            if (input && is_new(input, purpose)) {
                *next = place + 1;
                return input;
            }
        }
        own->scanned = engine->sorts;
    }
    else {
        for (Py_ssize_t place = *next; place < block->count; place++) {
            if (is_new(block->inputs[place], purpose)) {
                *next = place + 1;
                return block->inputs[place];
            }
        }
    }
    block->scanned = engine->sorts;
    *next = PY_SSIZE_T_MAX;
    return NULL;
}

/* Return the next new input of a node that has any number of them, `*next` being the place behind it. */
static inline Value *
scan_inputs(Engine *engine, const Value *node, Py_ssize_t *next, Purpose purpose)
{
    if (node->left & WIDE) {
        return scan_blocks(engine, node, next, purpose);
    }
    const Extension *extension = extension_of(node);
    while (*next < extension->count) {
        Value *input = extension->edges[(*next)++].input;
        if (is_new(input, purpose)) {
            return input;
        }
    }
    return NULL;
}

/* The same for all nodes. `leaf` is ON_LEAF where that flag tells what to leave out, or 0. */
static INLINE Value *
next_input(Engine *engine, const Value *node, Py_ssize_t *next, Purpose purpose, uint64_t leaf)
{
    if (UNLIKELY(node->left & (EXTENDED | WIDE))) {
        return scan_inputs(engine, node, next, purpose);
    }
    if (*next == 0) {
        *next = 1;
        Value *input = left_of(node->left);
        /* PLAIN comes to no node without inputs. */
        if ((purpose == PLAIN || input) && !(node->left & leaf) && is_new(input, purpose)) {
            return input;
        }
    }
    if (*next == 1) {
        *next = 2;
        Value *input = node->right;
        if (input && is_new(input, purpose)) {
            return input;
        }
    }
    return NULL;
}

/* Fill scratch->order, inputs before consumers; every node in it is left MARKED.
 *
 * But for LISTED and READ, interior grads are set to 0 on the way, and `*hooked` tells whether a node is
 * OPAQUE. After anything but DONE no node is marked and the grads are as they were.
 *
 * `node` is the one under way and `next` its next input; the stack holds those that wait for it.
 */
static INLINE Outcome
sort(Scratch *scratch, Value *root, Engine *engine, Purpose purpose, bool *hooked)
{
    Value *node = root;
    Py_ssize_t next = 0, patience = PERIOD;
    Outcome outcome = FAILED;
    scratch->count = scratch->before_count = scratch->depth = 0;
    root->left |= MARKED;
    engine->sorts++;
    *hooked = false;
    for (;;) {
        if (purpose == LISTED && next == 0 && materialise(engine, node) < 0) {
            goto fail;
        }
        Value *input = next_input(engine, node, &next, purpose, 0);
        if (input && has_inputs(input)) { /* it comes first; `node` waits */
            if (reserve_frame(scratch) < 0) {
                goto fail;
            }
            if (UNLIKELY(--patience == 0)) {
                patience = PERIOD;
                if (PyOS_InterruptOccurred()) {
                    outcome = INTERRUPTED;
                    goto fail;
                }
            }
            scratch->stack[scratch->depth++] = (Frame){node, next};
            input->left |= MARKED;
            node = input;
            next = 0;
            continue;
        }
        Value *ready = input ? input : node; /* a leaf is done at once */
        if (reserve_visit(scratch) < 0 || (CLEARS(purpose) && remember(scratch, ready) < 0)) {
            goto fail;
        }
        scratch->order[scratch->count++] = ready;
        if (input) {
            input->left |= MARKED;
            continue;
        }
        if (CLEARS(purpose) && has_inputs(node)) {
            *hooked |= (node->left & OPAQUE) != 0;
            if (!engine->keeps_interior) {
                node->grad = 0.0;
            }
        }
        if (scratch->depth == 0) {
            return DONE;
        }
        Frame frame = scratch->stack[--scratch->depth];
        node = frame.node;
        next = frame.next;
    }
fail:
    node->left &= ~MARKED; /* the one node that is neither in the order nor on the stack */
    if (!CLEARS(purpose)) {
        unmark(scratch);
    }
    else {
        retreat(scratch);
    }
    return outcome;
}

/* ── The same for most graphs ───────────────────────────────────────────────────────────────── */

/* Where the order and the stack end, and where to look up from the work: every PERIOD entries, and
 * when there is no more room.
 */
typedef struct {
    Value **order, **order_limit;
    Frame *stack, *stack_limit;
} Ends;

static inline Py_ssize_t
next_limit(Py_ssize_t count, Py_ssize_t room)
{
    return room - count > PERIOD ? count + PERIOD : room;
}

static inline Ends
ends_of(const Scratch *scratch)
{
    return (Ends){
        scratch->order + scratch->count,
        scratch->order + next_limit(scratch->count, scratch->room),
        scratch->stack + scratch->depth,
        scratch->stack + next_limit(scratch->depth, scratch->stack_room),
    };
}

static inline void
keep_ends(Scratch *scratch, Ends ends)
{
    scratch->count = ends.order - scratch->order;
    scratch->depth = ends.stack - scratch->stack;
}

static Outcome
look_up(Scratch *scratch)
{
    if (reserve_visit(scratch) < 0 || reserve_frame(scratch) < 0) {
        return FAILED;
    }
    if (PyOS_InterruptOccurred()) {
        return INTERRUPTED;
    }
    return scratch->count + scratch->depth > PLAIN_LIMIT ? UNFIT : DONE;
}

/* Whether there is nothing to do for a new node: its inputs are known to be leaves or met, and its grad is
 * 0. So it is with most products of a parameter.
 */
static inline bool
is_closed(const Value *node, uint64_t leaf)
{
    return node->left & leaf && !(node->left & (EXTENDED | WIDE | OPAQUE)) &&
           (!node->right || node->right->left & MARKED) && is_plus_zero(node->grad);
}

/* The PLAIN sort, with the order of `sort` but for the leaves, which are left out. What is rare stands
 * apart, so that the rest fits into registers.
 */
static Outcome
sort_plainly(Scratch *scratch, Value *root, Engine *engine)
{
    Outcome outcome = FAILED;
    Value *node = root, *input;
    Py_ssize_t next = 0;
    uint64_t seen = root->left, leaf = engine->regrown ? 0 : ON_LEAF;
    scratch->count = scratch->before_count = scratch->depth = 0;
    engine->sorts++;
    if (!has_inputs(root)) {
        return DONE;
    }
    root->left |= MARKED;
    Ends ends = ends_of(scratch);
    for (;;) {
        while ((input = next_input(engine, node, &next, PLAIN, leaf))) { /* comes before `node` */
            if (is_closed(input, leaf) && ends.order != ends.order_limit) {
                *ends.order++ = input;
                input->left |= MARKED;
                continue;
            }
            if (UNLIKELY(ends.stack == ends.stack_limit)) {
                keep_ends(scratch, ends);
                if ((outcome = look_up(scratch)) != DONE) {
                    goto fail;
                }
                ends = ends_of(scratch);
            }
            *ends.stack++ = (Frame){node, next};
            seen |= input->left;
            input->left |= MARKED;
            node = input;
            next = 0;
            PREFETCH((char *)&input->left - BELOW * NODE_BYTES);
        }
        if (UNLIKELY(ends.order == ends.order_limit)) {
            keep_ends(scratch, ends);
            if ((outcome = look_up(scratch)) != DONE) {
                goto fail;
            }
            ends = ends_of(scratch);
        }
        if (UNLIKELY(!is_plus_zero(node->grad))) {
            if (remember(scratch, node) < 0) {
                keep_ends(scratch, ends);
                outcome = FAILED;
                goto fail;
            }
            if (!engine->keeps_interior) {
                node->grad = 0.0;
            }
        }
        *ends.order++ = node;
        PREFETCH((char *)&node->left + ABOVE * NODE_BYTES);
        if (ends.stack == scratch->stack) {
            break;
        }
        Frame frame = *--ends.stack;
        node = frame.node;
        next = frame.next;
    }
    keep_ends(scratch, ends);
    if (seen & OPAQUE) {
        retreat(scratch);
        return UNFIT;
    }
    return DONE;
fail:
    node->left &= ~MARKED; /* the one node that is neither in the order nor on the stack */
    retreat(scratch);
    return outcome;
}

/* Let the handler of a Ctrl-C that was noticed run; -1 when it raises. */
static int
answer_interrupt(void)
{
    PyErr_SetInterrupt();
    return PyErr_CheckSignals();
}

/* ── The walk ───────────────────────────────────────────────────────────────────────────────── */

/* Whether a local gradient of 0 means that nothing passes, though 0 times this gradient would be nan:
 * the gradient is not finite, and the operation selects.
 */
static APART bool
is_stopped(Value *node)
{
    return !isfinite(node->grad) && engine_of(node)->selects[operation_of(node)];
}

/* Pass a node's gradient on to its inputs, along the recorded local gradients. */
void
push(Value *node)
{
    if (node->left & WIDE) {
        push_wide(node, node->grad);
        return;
    }
    bool chosen_only = is_stopped(node);
    Py_ssize_t count = count_inputs(node);
    for (Py_ssize_t index = 0; index < count; index++) {
        Edge edge = edge_at(node, index);
        if (edge.input && !(chosen_only && edge.local == 0.0)) {
            edge.input->grad += edge.local * node->grad;
        }
    }
}

/* Whether a number kept inside the node has nan for a gradient: 0 times what is not finite. */
bool
is_poisoned(Value *node)
{
    return node->left & (CONSTANT | WIDE) && !isfinite(node->grad) && !is_stopped(node);
}

/* Let nodes remember that the numbers kept inside them have nan for a gradient. */
static void
poison(Scratch *scratch)
{
    for (Py_ssize_t index = 0; index < scratch->count; index++) {
        Value *node = scratch->order[index];
        if (is_poisoned(node)) {
            node->left |= POISONED;
        }
    }
}

/* Whether a number is neither 0 nor inf nor nan, by one comparison: doubled, the bits of 0 are 0, and
 * those of inf are the least of what is not finite.
 */
static inline bool
is_ordinary(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof(bits));
    return 2 * bits - 1 < 2 * UINT64_C(0x7FF0000000000000) - 1;
}

/* Walk a graph without hooks, unmarking it on the way. Only `looking` for Ctrl-C can it end early;
 * then no node is marked and the grads are as they were before the sort.
 */
static INLINE Outcome
walk_plainly(Scratch *scratch, bool looking)
{
    bool all_finite = true;
    Value **order = scratch->order;
    for (Py_ssize_t index = scratch->count - 1; index >= 0; index--) {
        Value *node = order[index];
        if (index >= AHEAD) {
            PREFETCH(&order[index - AHEAD]->left);
        }
        if (looking && UNLIKELY(index % PERIOD == 0) && PyOS_InterruptOccurred()) {
            retreat(scratch);
            return INTERRUPTED;
        }
        uint64_t left = node->left;
        node->left = left & ~MARKED;
        Value *first = left_of(left);
        double incoming = node->grad;
        if (!is_ordinary(incoming)) {
            if (incoming == 0.0) {
                continue;
            }
            all_finite = false;
            push(node); /* knows what selects */
            continue;
        }
        if (UNLIKELY(left & (EXTENDED | WIDE) || !(left & IN_SLAB))) {
            if (left & WIDE) {
                push_wide(node, incoming);
            }
            else {
                push(node);
            }
            continue;
        }
        if (looking && !first) {
            continue;
        }
        const Locals *locals = slab_locals(node);
        first->grad += locals->left * incoming;
        if (node->right) {
            node->right->grad += locals->right * incoming;
        }
    }
    if (!all_finite) {
        poison(scratch);
    }
    return DONE;
}

/* Call node._backward(), as the reference does: a subclass may have its own. */
static int
call_backward(const Engine *engine, Value *node)
{
    if (is_exact((PyObject *)node) &&
        (!(node->left & EXTENDED) || !extension_of(node)->custom)) {
        if (!(node->left & OPAQUE)) {
            push(node);
        }
        return 0;
    }
    PyObject *result = PyObject_CallMethodNoArgs((PyObject *)node, engine->name_backward);
    Py_XDECREF(result);
    return result ? 0 : -1;
}

/* Raise AnomalyError when the walk through `node` left an input a gradient that is not finite. */
static int
check_inputs(Engine *engine, Value *node)
{
    double grad = 0.0;
    Py_ssize_t count = count_inputs(node);
    for (Py_ssize_t index = 0; index < count && isfinite(grad); index++) {
        Value *input = edge_at(node, index).input;
        bool poisoned = node->left & POISONED || is_poisoned(node);
        grad = input ? input->grad : poisoned ? (double)NAN : 0.0;
    }
    if (isfinite(grad)) {
        return 0;
    }
    PyObject *symbol = Py_NewRef(symbol_of(engine, node)), *message = NULL;
    PyObject *number = PyFloat_FromDouble(grad), *place = number ? made_at(node) : NULL;
    if (number && place && PyUnicode_GET_LENGTH(symbol) > 0) {
        message = PyUnicode_FromFormat("backward through %U gives an input the gradient %R%U",
                                       symbol, number, place);
    }
    else if (number && place) {
        message = PyUnicode_FromFormat("backward through a node gives an input the gradient %R%U",
                                       number, place);
    }
    raise_anomaly(engine, node, symbol, message);
    Py_XDECREF(number);
    Py_XDECREF(place);
    Py_DECREF(symbol);
    return -1;
}

/* Walk a graph while Python code may run: from hooks, from signal handlers. */
static int
walk_carefully(Engine *engine, Scratch *scratch, bool watching)
{
    int status = 0;
    for (Py_ssize_t index = 0; index < scratch->count; index++) {
        Py_INCREF(scratch->order[index]);
    }
    for (Py_ssize_t index = scratch->count - 1; index >= 0 && status == 0; index--) {
        Value *node = scratch->order[index];
        if (index % CAREFUL_PERIOD == 0) {
            status = PyErr_CheckSignals();
            if (status < 0) {
                break;
            }
        }
        if (node->grad == 0.0 || !has_inputs(node)) {
            continue;
        }
        if (watching) {
            status = call_backward(engine, node);
            if (status == 0) {
                status = check_inputs(engine, node);
            }
        }
        else if (node->left & OPAQUE) {
            status = call_backward(engine, node);
        }
        else {
            push(node);
        }
    }
    if (status < 0) {
        undo(scratch);
    }
    else {
        poison(scratch);
    }
    Py_ssize_t held = scratch->count;
    scratch->count = 0; /* dropping may run Python code, which may ask for Buffers.order */
    while (held > 0) {
        Py_DECREF(scratch->order[--held]);
    }
    return status;
}

static int
backward(Engine *engine, Value *root, double seed, Scratch *scratch)
{
    bool plain = true;
    for (;;) {
        int flags = modes_here(engine);
        if (flags < 0) {
            return -1;
        }
        bool watching = flags & ANOMALY, hooked = false;
        Outcome outcome = plain && !watching ? sort_plainly(scratch, root, engine)
                                             : sort(scratch, root, engine, ENTIRE, &hooked);
        if (outcome == FAILED) {
            return -1;
        }
        if (outcome == UNFIT) {
            plain = false;
            continue;
        }
        if (outcome == DONE) {
            root->grad = engine->keeps_interior ? seed : root->grad + seed;
            if (hooked || watching) {
                unmark(scratch);
                return walk_carefully(engine, scratch, watching);
            }
            outcome = plain ? walk_plainly(scratch, false) : walk_plainly(scratch, true);
        }
        if (outcome == DONE) {
            return 0;
        }
        if (answer_interrupt() < 0) {
            return -1;
        }
    }
}

/* ── To Python ──────────────────────────────────────────────────────────────────────────────── */

/* backward(create_graph=True): the sweep that writes nodes is in Python, above both engines. */
static PyObject *
backward_as_graph(PyObject *root, double seed)
{
    PyObject *module = PyImport_ImportModule("gradwalk.sweeps");
    if (!module) {
        return NULL;
    }
    PyObject *result = PyObject_CallMethod(module, "backward_as_graph", "Od", root, seed);
    Py_DECREF(module);
    return result;
}

/* value.backward(buffers=None, *, gradient=1.0, create_graph=False) */
PyObject *
value_backward(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names)
{
    Value *root = (Value *)self;
    Engine *engine = engine_of(root);
    Scratch *scratch = &engine->scratch, own = {0};
    PyObject *buffers = count ? args[0] : Py_None;
    PyObject *gradient = NULL;
    int as_graph = 0;
    bool fits = count <= 1;
    for (Py_ssize_t i = 0; names && fits && i < PyTuple_GET_SIZE(names); i++) {
        PyObject *name = PyTuple_GET_ITEM(names, i);
        if (!count && PyUnicode_CompareWithASCIIString(name, "buffers") == 0) {
            buffers = args[count + i];
        }
        else if (PyUnicode_CompareWithASCIIString(name, "gradient") == 0) {
            gradient = args[count + i];
        }
        else if (PyUnicode_CompareWithASCIIString(name, "create_graph") == 0) {
            as_graph = PyObject_IsTrue(args[count + i]);
            if (as_graph < 0) {
                return NULL;
            }
        }
        else {
            fits = false;
        }
    }
    if (!fits) {
        PyErr_SetString(PyExc_TypeError,
                        "backward() takes one argument at most, buffers, and gradient and "
                        "create_graph by name");
        return NULL;
    }
    if (engine->active && !may_read(engine, "backward()")) {
        return NULL;
    }
    double seed = 1.0;
    if (gradient && need_real(engine, "gradient is a real number", gradient, &seed) < 0) {
        return NULL;
    }
    if (as_graph) {
        return backward_as_graph(self, seed);
    }
    if (buffers != Py_None) {
        if (!PyObject_TypeCheck(buffers, engine->buffers_type)) {
            PyObject *kind = PyType_GetName(Py_TYPE(buffers));
            if (kind) {
                PyErr_Format(engine->operand_error, "backward takes Buffers or nothing, not %U",
                             kind);
                Py_DECREF(kind);
            }
            return NULL;
        }
        scratch = &((Buffers *)buffers)->scratch;
        if (scratch->busy) {
            PyErr_SetString(engine->backward_error,
                            "these Buffers are in use by a backward() that has not returned");
            return NULL;
        }
    }
    else if (scratch->busy) { /* from inside another backward */
        scratch = &own;
    }
    scratch->busy = true;
    int status = backward(engine, root, seed, scratch);
    scratch->busy = false;
    scratch->count = scratch->depth = 0;
    if (scratch == &own ||
        (scratch == &engine->scratch &&
         (scratch->room > KEPT_ROOM || scratch->before_room > KEPT_ROOM ||
          scratch->stack_room > KEPT_ROOM))) {
        scratch_free(scratch);
    }
    if (status < 0) {
        return NULL;
    }
    Py_RETURN_NONE;
}

/* Unmark and hold every node of the order; when a Ctrl-C comes in between, hold none. */
static Outcome
hold_all(Scratch *scratch)
{
    for (Py_ssize_t index = 0; index < scratch->count; index++) {
        if (UNLIKELY((index + 1) % PERIOD == 0) && PyOS_InterruptOccurred()) {
            unmark(scratch);
            while (index > 0) {
                Py_DECREF(scratch->order[--index]);
            }
            return INTERRUPTED;
        }
        scratch->order[index]->left &= ~MARKED;
        Py_INCREF(scratch->order[index]);
    }
    return DONE;
}

PyObject *
topological_order(PyObject *module, PyObject *root)
{
    Engine *engine = PyModule_GetState(module);
    if (!is_value(engine, root)) {
        return type_error(engine->operand_error, "topological_order takes a Value", root);
    }
    Scratch scratch = {0};
    PyObject *order = NULL;
    bool hooked;
    for (;;) {
        Outcome outcome = sort(&scratch, (Value *)root, engine, LISTED, &hooked);
        if (outcome == DONE) {
            outcome = hold_all(&scratch); /* making a list may run the garbage collector */
        }
        if (outcome == DONE) {
            break;
        }
        if (outcome == FAILED || answer_interrupt() < 0) {
            goto fail;
        }
    }
    order = PyList_New(scratch.count);
    for (Py_ssize_t index = 0; index < scratch.count; index++) {
        if (order) {
            PyList_SET_ITEM(order, index, (PyObject *)scratch.order[index]);
        }
        else {
            Py_DECREF(scratch.order[index]);
        }
    }
fail:
    scratch_free(&scratch);
    return order;
}

PyObject *
outdated(PyObject *module, PyObject *root)
{
    Engine *engine = PyModule_GetState(module);
    if (!is_value(engine, root)) {
        return type_error(engine->operand_error, "outdated takes a Value", root);
    }
    Scratch scratch = {0};
    Value *found = NULL;
    bool hooked;
    for (;;) {
        Outcome outcome = sort(&scratch, (Value *)root, engine, READ, &hooked);
        if (outcome == DONE) {
            break;
        }
        if (outcome == FAILED || answer_interrupt() < 0) {
            scratch_free(&scratch);
            return NULL;
        }
    }
    for (Py_ssize_t index = 0; index < scratch.count && !found; index++) {
        if (is_outdated(scratch.order[index])) {
            found = scratch.order[index];
        }
    }
    unmark(&scratch);
    PyObject *answer = Py_NewRef(found ? (PyObject *)found : Py_None);
    scratch_free(&scratch);
    return answer;
}

static void
buffers_dealloc(PyObject *self)
{
    PyTypeObject *type = Py_TYPE(self);
    scratch_free(&((Buffers *)self)->scratch);
    type->tp_free(self);
    Py_DECREF(type);
}

/* The nodes of the backward in progress; empty at all other times. */
static PyObject *
buffers_order(PyObject *self, void *Py_UNUSED(closure))
{
    Scratch *scratch = &((Buffers *)self)->scratch;
    PyObject *order = PyList_New(scratch->count);
    /* Making a list may run the garbage collector; a finaliser that waits lets another thread end the walk. */
    while (order && PyList_GET_SIZE(order) != scratch->count) {
        Py_SETREF(order, PyList_New(scratch->count));
    }
    for (Py_ssize_t index = 0; order && index < scratch->count; index++) {
        PyList_SET_ITEM(order, index, Py_NewRef(scratch->order[index]));
    }
    return order;
}

static PyObject *
buffers_visited(PyObject *self, void *closure)
{
    PyObject *order = buffers_order(self, closure);
    PyObject *visited = order ? PySet_New(order) : NULL;
    Py_XDECREF(order);
    return visited;
}

static PyObject *
buffers_stack(PyObject *Py_UNUSED(self), void *Py_UNUSED(closure))
{
    return PyList_New(0); /* no Python code runs while it holds anything */
}

static PyGetSetDef buffers_attributes[] = {
    {"order", buffers_order, NULL, "The nodes, inputs before consumers.", NULL},
    {"visited", buffers_visited, NULL, "The nodes met.", NULL},
    {"stack", buffers_stack, NULL, "The nodes under way, each with its next input.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

PyDoc_STRVAR(buffers_doc,
             "The sort's lists, kept between calls: `root.backward(buffers)` in a training loop.\n\n"
             "One backward at a time may use them; they hold no node after it.");

static PyType_Slot buffers_slots[] = {
    {Py_tp_doc, (void *)buffers_doc},
    {Py_tp_new, PyType_GenericNew},
    {Py_tp_dealloc, buffers_dealloc},
    {Py_tp_getset, buffers_attributes},
    {0, NULL},
};

PyType_Spec buffers_spec = {
    .name = "gradwalk.Buffers",
    .basicsize = sizeof(Buffers),
    .flags = Py_TPFLAGS_DEFAULT,
    .slots = buffers_slots,
};
