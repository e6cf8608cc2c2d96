/* Blocks: the inputs of an operation over lists, kept once for all its results.
 *
 * Sixteen results of a softmax have the same sixteen inputs, and the rows of W·x the same x. So the
 * inputs and the recorded numbers are kept once, in a Block, and a result is a WIDE node that knows
 * its Block and its slot there. A dot has two Blocks, for x and for its own w. Local gradients are
 * not stored but computed from those numbers, in the arithmetic order of nary.py. Parameters, and
 * numbers among the inputs of a dot, become nodes when someone looks: `unpack` then gives the node
 * an Extension.
 *
 * The Blocks of a dot serve other dots over the same list (every token of a document, every sample
 * of a batch), as long as the list has the same items and no data was assigned since: `find_recent`.
 * Freed Blocks are kept by size, because a training loop asks for the same sizes at every step.
 * Start reading at `block_edge`, then `push_wide`.
 */
#include "engine.h"

#include <math.h>

#ifdef GRADWALK_TEST_HOOKS
#define SPARE_BYTES ((size_t)0) /* so that every allocation can fail, and sanitizers see every use */
#else
#define SPARE_BYTES ((size_t)32 << 20)
#endif

/* ── Memory ─────────────────────────────────────────────────────────────────────────────────── */

/* Sizes are rounded up to a multiple of 64, and above 512 to a quarter of a power of two. */
static size_t
round_up(size_t bytes, size_t *rounded)
{
    if (bytes <= 512) {
        *rounded = (bytes + 63) & ~(size_t)63;
        return *rounded / 64;
    }
    size_t power = 9;
    while ((bytes - 1) >> (power + 1)) {
        power++;
    }
    size_t quarter = ((bytes - 1) >> (power - 2)) & 3;
    *rounded = (quarter + 5) << (power - 2);
    return 9 + (power - 9) * 4 + quarter;
}

/* Return a Block that has one owner, the caller, and no inputs yet: all are NULL. */
Block *
new_block(Engine *engine, Kind kind, Py_ssize_t count)
{
    size_t rounded;
    if (count > PY_SSIZE_T_MAX / 64) {
        PyErr_NoMemory();
        return NULL;
    }
    size_t bytes = sizeof(Block) + (size_t)count * (sizeof(Value *) + sizeof(double));
    size_t size_class = round_up(bytes, &rounded);
    Block *block = size_class < BLOCK_CLASSES ? engine->spare[size_class] : NULL;
    if (block) {
        engine->spare[size_class] = block->next;
        engine->spare_bytes -= rounded;
    }
    else {
        block = PyMem_Malloc(rounded);
        if (!block || !packable(block)) {
            PyMem_Free(block);
            PyErr_NoMemory();
            return NULL;
        }
    }
    block->owners = 1;
    block->kind = kind;
    block->whole = block->leaves = true;
    block->size_class = size_class;
    block->count = count;
    block->scanned = 0;
    block->scale = block->bend = block->share = block->epsilon = 0.0;
    memset(block->inputs, 0, (size_t)count * sizeof(Value *));
    return block;
}

static inline size_t
recent_place(const PyObject *list)
{
    return (size_t)((uint64_t)(uintptr_t)list * UINT64_C(0x9E3779B97F4A7C15) >> (64 - RECENT_BITS));
}

/* Give the memory back. The inputs are the caller's business. */
void
free_block(Engine *engine, Block *block)
{
    if (block->kind == DOT && block->list) {
        Block **place = &engine->recent[recent_place(block->list)];
        *place = *place == block ? NULL : *place;
    }
    size_t size_class = block->size_class, rounded;
    if (size_class < BLOCK_CLASSES) {
        rounded = size_class <= 8 ? size_class * 64
                                  : ((size_class - 9) % 4 + 5) << ((size_class - 9) / 4 + 7);
        if (engine->spare_bytes + rounded <= SPARE_BYTES) {
            block->next = engine->spare[size_class];
            engine->spare[size_class] = block;
            engine->spare_bytes += rounded;
            return;
        }
    }
    PyMem_Free(block);
}

void
free_spare_blocks(Engine *engine)
{
    for (int size_class = 0; size_class < BLOCK_CLASSES; size_class++) {
        Block *block;
        while ((block = engine->spare[size_class])) {
            engine->spare[size_class] = block->next;
            PyMem_Free(block);
        }
    }
    engine->spare_bytes = 0;
}

/* Return a Block that was read from this list and would be read the same now, with one owner more. */
Block *
find_recent(const Engine *engine, const PyObject *list, PyObject *const *items, Py_ssize_t count)
{
    Block *block = engine->recent[recent_place(list)];
    if (block && block->list == list && block->count == count &&
        block->written == engine->writes &&
        memcmp(block->inputs, items, (size_t)count * sizeof(Value *)) == 0) {
        block->owners++;
        return block;
    }
    return NULL;
}

void
keep_recent(Engine *engine, Block *block, const PyObject *list)
{
    block->list = list;
    block->written = engine->writes;
    engine->recent[recent_place(list)] = block;
}

void
leave_block(Engine *engine, Block *block)
{
    if (--block->owners > 0) {
        return;
    }
    for (Py_ssize_t index = 0; index < block->count; index++) {
        Py_XDECREF(block->inputs[index]);
    }
    free_block(engine, block);
}

/* Drop what a WIDE node holds. */
void
leave_blocks(Engine *engine, Block *block, Block *own)
{
    leave_block(engine, block);
    if (own) {
        leave_block(engine, own);
    }
}

/* ── Edges ──────────────────────────────────────────────────────────────────────────────────── */

/* How many constants stand behind the inputs. */
int
parameters_of(Kind kind)
{
    switch (kind) {
    case SOFTMAX:
    case LOG_SOFTMAX:
    case CROSS_ENTROPY:
        return 1; /* the slot */
    case RMSNORM:
    case LAYERNORM:
        return 2; /* epsilon, the slot */
    default:
        return 0;
    }
}

double
parameter_at(const Block *block, Py_ssize_t slot, int index)
{
    return index == parameters_of(block->kind) - 1 ? (double)slot : block->epsilon;
}

Py_ssize_t
count_edges(const Block *block)
{
    return block->kind == DOT ? 2 * block->count : block->count + parameters_of(block->kind);
}

/* Return one edge of the result at `slot`; its input is NULL where that is a number. */
Edge
block_edge(const Block *block, const Block *own, Py_ssize_t slot, Py_ssize_t index)
{
    const double *numbers = numbers_of(block);
    if (block->kind == DOT) {
        const Block *side = index % 2 ? block : own, *other = index % 2 ? own : block;
        Value *input = side->inputs[index / 2];
        return (Edge){input, input ? numbers_of(other)[index / 2] : 0.0};
    }
    if (index >= block->count) {
        return (Edge){NULL, 0.0};
    }
    double same = index == slot ? 1.0 : 0.0, local = 0.0;
    switch (block->kind) {
    case SUM:
        local = 1.0;
        break;
    case MEAN:
        local = block->share;
        break;
    case LOGSUMEXP:
        local = numbers[index];
        break;
    case SOFTMAX:
        local = numbers[slot] * (same - numbers[index]);
        break;
    case LOG_SOFTMAX:
        local = same - numbers[index];
        break;
    case CROSS_ENTROPY:
        local = numbers[index] - same;
        break;
    case RMSNORM:
        local = block->scale * same - numbers[slot] * numbers[index] * block->bend;
        break;
    case LAYERNORM:
        local = block->scale * (same - block->share) - numbers[slot] * numbers[index] * block->bend;
        break;
    default:
        break;
    }
    return (Edge){block->inputs[index], local};
}

/* Add local * incoming to every input, in order: the tight loops of the walk. */
void
push_wide(const Value *node, double incoming)
{
    const Block *block = block_of(node);
    Py_ssize_t count = block->count, slot = slab_locals(node)->slot;
    Value *const *inputs = block->inputs;
    const double *numbers = numbers_of(block);
    switch (block->kind) {
    case DOT: {
        Value *const *others = node->own->inputs;
        const double *other_numbers = numbers_of(node->own);
        if (block->whole && node->own->whole) {
            for (Py_ssize_t index = 0; index < count; index++) {
                others[index]->grad += numbers[index] * incoming;
                inputs[index]->grad += other_numbers[index] * incoming;
            }
            return;
        }
        for (Py_ssize_t index = 0; index < count; index++) {
            if (others[index]) {
                others[index]->grad += numbers[index] * incoming;
            }
            if (inputs[index]) {
                inputs[index]->grad += other_numbers[index] * incoming;
            }
        }
        return;
    }
    case SUM:
        for (Py_ssize_t index = 0; index < count; index++) {
            inputs[index]->grad += incoming;
        }
        return;
    case SOFTMAX: {
        double own = numbers[slot];
        for (Py_ssize_t index = 0; index < count; index++) {
            double same = index == slot ? 1.0 : 0.0;
            inputs[index]->grad += own * (same - numbers[index]) * incoming;
        }
        return;
    }
    case RMSNORM: {
        double own = numbers[slot], scale = block->scale, bend = block->bend;
        double other = scale * 0.0; /* nan where the scale is infinite, as in nary.py */
        for (Py_ssize_t index = 0; index < count; index++) {
            double local = (index == slot ? scale : other) - own * numbers[index] * bend;
            inputs[index]->grad += local * incoming;
        }
        return;
    }
    default:
        for (Py_ssize_t index = 0; index < count; index++) {
            Edge edge = block_edge(block, NULL, slot, index);
            edge.input->grad += edge.local * incoming;
        }
    }
}

/* ── A WIDE node as one like any other ──────────────────────────────────────────────────────── */

/* Give the node an Extension with all its edges, numbers and parameters as nodes. */
Extension *
unpack(Engine *engine, Value *node)
{
    Block *block = block_of(node), *own = node->own;
    Py_ssize_t slot = slab_locals(node)->slot, count = count_edges(block), done = 0;
    Extension *extension = new_extension(count);
    if (!extension) {
        return NULL;
    }
    for (; done < count; done++) {
        Edge edge = block_edge(block, own, slot, done);
        if (edge.input) {
            Py_INCREF(edge.input);
        }
        else {
            double number;
            if (block->kind == DOT) {
                number = numbers_of(done % 2 ? block : own)[done / 2];
            }
            else {
                number = parameter_at(block, slot, (int)(done - block->count));
            }
            edge.input = make_leaf(engine, number, OP_CONST);
            if (!edge.input) {
                goto fail;
            }
            if (node->left & POISONED) {
                edge.input->grad = NAN;
            }
        }
        extension->edges[done] = edge;
    }
    node->left = (node->left & ~(ADDRESS_MASK | WIDE | POISONED)) | packed(extension) | EXTENDED;
    node->right = NULL;
    slab_locals(node)->right = 0.0;
    leave_blocks(engine, block, own); /* frees no node: the Extension holds what it held */
    return extension;
fail:
    while (done > 0) {
        Py_DECREF(extension->edges[--done].input);
    }
    PyMem_Free(extension);
    return NULL;
}
