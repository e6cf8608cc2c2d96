/* The native engine's structures, and the few functions that must be inline. Map of the folder:
 *
 *     rows.h     the operations: value and partial derivatives, twin of gradwalk/ops.py
 *     engine.h   Value, Extension, Slab, Engine; how a node packs its parts   (start reading here)
 *     slab.c     memory for nodes: carved in address order, given back slab by slab
 *     nodes.c    a node's parts: giving it inputs, the Extension, and the end of a graph
 *     operators.c  what records: + - * / **, the rows as methods, the modes
 *     walk.c     the sort and the reverse walk: backward(), topological_order(), Buffers
 *     value.c    the type: constructor, attributes, comparisons, copies
 *     module.c   the module: checks the rows against ops.TABLE, builds the type, fills the Engine
 *
 * Invariants:
 * - A node is 72 bytes. Its operation and flags live in the upper 16 bits of the first input's
 *   address, which no user-space pointer uses (`packable` refuses one that does).
 * - A node in a slab has no GC header. It may do without because it can only lead to other nodes in
 *   slabs, made before it, so no cycle passes through it. Whatever could close a cycle has a header
 *   (`value_is_gc`): instances of subclasses, nodes made to be given a `_backward`, and every node
 *   with such an input.
 * - A plain number on the right is kept inside its consumer (CONSTANT) and becomes a node of its own
 *   when someone looks (`materialise`). Its local gradient is 0, so only 0 * inf could reach it:
 *   POISONED remembers that.
 * - Nothing recurses over a graph, and no Python code runs while a node is MARKED.
 */
#ifndef GRADWALK_ENGINE_H
#define GRADWALK_ENGINE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <stdint.h>
#include <structmember.h>

#if defined(__GNUC__) || defined(__clang__)
#define LIKELY(x) __builtin_expect(!!(x), 1)
#define UNLIKELY(x) __builtin_expect(!!(x), 0)
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define LIKELY(x) (x)
#define UNLIKELY(x) (x)
#define PREFETCH(address) ((void)(address))
#endif

typedef struct Value Value;
typedef struct Engine Engine;

void value_dealloc(PyObject *self);

struct Value {
    PyObject_HEAD
    PyObject *weakrefs;
    union {
        double data;
        Value *next_dead; /* while a graph is being freed */
    };
    double grad;
    uint64_t left; /* the first input or the Extension, and operation and flags: see below */
    Value *right;  /* the second input */
    double left_local, right_local; /* d self / d input; right_local is the number when CONSTANT */
};

/* The parts few nodes have, and the inputs of those that have any of them. */
typedef struct {
    Value *input;
    double local;
} Edge;

typedef struct {
    PyObject *symbol; /* an _op outside the table */
    PyObject *label;
    PyObject *line;
    PyObject *scope;
    PyObject *custom; /* the _backward that was assigned */
    Py_ssize_t count;
    Edge edges[];
} Extension;

/* ── left: 48 bits of address, 8 of operation, 8 of flags ───────────────────────────────────── */

#define ADDRESS_BITS 48
#define ADDRESS_MASK ((UINT64_C(1) << ADDRESS_BITS) - 1)
#define OPERATION(code) ((uint64_t)(code) << ADDRESS_BITS)
#define OPERATION_MASK OPERATION(0xFF)
#define IN_SLAB (UINT64_C(1) << 56)
#define CONSTANT (UINT64_C(1) << 57) /* the second input is a number, in right_local */
#define EXTENDED (UINT64_C(1) << 58) /* the address is that of an Extension */
#define OPAQUE (UINT64_C(1) << 59)   /* _local_grads is None: _backward pushes */
#define MARKED (UINT64_C(1) << 60)   /* met by the sort in progress */
#define POISONED (UINT64_C(1) << 61) /* the CONSTANT's grad is nan */
#define UNUSUAL (EXTENDED | OPAQUE)

static inline bool
packable(const void *address)
{
    return ((uint64_t)(uintptr_t)address & ~ADDRESS_MASK) == 0;
}

static inline uint64_t
packed(const void *address)
{
    return (uint64_t)(uintptr_t)address;
}

static inline Value *
left_of(uint64_t left)
{
    return (Value *)(uintptr_t)(left & ADDRESS_MASK);
}

static inline Extension *
extension_of(const Value *node)
{
    return (Extension *)(uintptr_t)(node->left & ADDRESS_MASK);
}

static inline int
operation_of(const Value *node)
{
    return (int)(node->left >> ADDRESS_BITS & 0xFF);
}

static inline bool
has_inputs(const Value *node)
{
    return node->left & EXTENDED ? extension_of(node)->count > 0 : left_of(node->left) != NULL;
}

/* ── Slabs ──────────────────────────────────────────────────────────────────────────────────── */

#define SLAB_BYTES ((size_t)1 << 18)
#define SLAB_WORDS 57
#define SLAB_ROOM 3632 /* nodes; a static assert in slab.c keeps these two right */

typedef struct Slab Slab;
struct Slab {
    Engine *engine;
    Slab *previous, *next; /* in the list of vacant or of partial slabs */
    Slab **list;           /* that list's head, or NULL */
    uint32_t free_count;
    uint32_t alarm;  /* the free_count at which to look for the slab's place */
    uint32_t cursor; /* the next word to carve, while it is the current slab */
    uint64_t free[SLAB_WORDS]; /* one bit a node */
};

static inline Slab *
slab_of(const Value *node)
{
    return (Slab *)((uintptr_t)node & ~(uintptr_t)(SLAB_BYTES - 1));
}

/* ── The engine: the module's state, one for each interpreter ───────────────────────────────── */

enum { OP_NONE, OP_CONST, OP_FIRST_ROW };

#define MOST_OPERATIONS 256

typedef struct {
    Value *node;
    double before; /* its grad, to go back to when the walk fails */
} Visit;

typedef struct {
    Value *node;
    Py_ssize_t next;
} Frame;

typedef struct {
    Visit *order;
    Py_ssize_t count, room;
    Frame *stack;
    Py_ssize_t depth, stack_room;
    bool busy;
} Scratch;

typedef struct {
    PyObject_HEAD
    Scratch scratch;
} Buffers;

struct Engine {
    /* What every operation reads. */
    uint64_t free_mask; /* nodes not yet handed out of the word being carved */
    Value *free_base;   /* the node of its lowest bit */
    PyTypeObject *type;
    long active; /* modes.active */
    PyObject *name_data, *name_grad;

    Slab *current;
    Slab *vacant, *partial;
    size_t vacant_count;
    Value *dead; /* nodes waiting to be freed */
    bool draining;
    bool warned; /* GradientDroppedWarning is given once */

    Scratch scratch;
    PyTypeObject *buffers_type;
    PyObject *symbols[MOST_OPERATIONS]; /* by operation code; owned */
    PyObject *rows[MOST_OPERATIONS];    /* the Op; owned, NULL for '' and const */
    int operation_count;
    PyObject *codes; /* symbol -> operation code */
    PyMethodDef *methods;
    PyObject *docs; /* keeps the methods' texts */

    PyObject *ops_real;
    PyObject *modes_current, *modes_calling_line, *modes_current_scope;
    PyObject *operand_error, *backward_error, *anomaly_error, *gradient_dropped;
    PyObject *name_real, *name_value, *name_partials, *name_derived, *name_backward, *empty;
};

/* slab.c */
int slab_refill(Engine *engine);
void slab_alarm(Slab *slab);
bool slab_is_idle(const Engine *engine);
void slab_release_all(Engine *engine);
#ifdef GRADWALK_TEST_HOOKS
extern long slab_fail_after; /* slabs that may still be made; -1 for no limit */
#endif

/* walk.c */
void scratch_free(Scratch *scratch);
PyObject *value_backward(PyObject *self, PyObject *const *args, Py_ssize_t count, PyObject *names);
PyObject *topological_order(PyObject *module, PyObject *root);
void push(Value *node);
extern PyType_Spec buffers_spec;

/* nodes.c */
Engine *engine_of_kin(PyTypeObject *type);
Value *take_loose_node(Engine *engine);
Value *make_leaf(Engine *engine, double data, int operation);
Extension *extend(Engine *engine, Value *node);
int materialise(Engine *engine, Value *node);
int fill(Engine *engine, Value *node, PyObject *inputs, PyObject *local_grads, PyObject *symbol,
         PyObject *label);
void strip(Value *node);
Py_ssize_t count_inputs(const Value *node);
Edge edge_at(const Value *node, Py_ssize_t index);
void set_edge(Value *node, Py_ssize_t index, double local);
PyObject *symbol_of(const Engine *engine, const Value *node);
int set_symbol(Engine *engine, Value *node, PyObject *symbol);
int value_traverse(PyObject *self, visitproc visit, void *arg);
int value_clear(PyObject *self);
int value_is_gc(PyObject *self);

/* operators.c */
PyObject *value_add(PyObject *x, PyObject *y);
PyObject *value_subtract(PyObject *x, PyObject *y);
PyObject *value_multiply(PyObject *x, PyObject *y);
PyObject *value_divide(PyObject *x, PyObject *y);
PyObject *value_power(PyObject *x, PyObject *y, PyObject *modulus);
PyObject *value_negative(PyObject *self);
PyObject *value_positive(PyObject *self);
PyObject *value_absolute(PyObject *self);
bool is_value(const Engine *engine, PyObject *thing);
int read_real(const Engine *engine, PyObject *number, double *out);
PyObject *made_at(const Value *node);
PyObject *record_list(PyObject *module, PyObject *const *args, Py_ssize_t count);
PyObject *value_apply(PyObject *type, PyObject *const *args, Py_ssize_t count);
PyObject *value_floor(PyObject *self, PyObject *unused);
int install_rows(Engine *engine, PyObject *table, PyObject *python_method);

/* value.c */
extern PyType_Spec value_spec;
PyObject *value_vectorcall(PyObject *type, PyObject *const *args, size_t flags, PyObject *names);
PyObject *type_error(PyObject *exception, const char *expected, PyObject *thing);

/* Whether it is a Value itself and no subclass: no other type has this function there. */
static inline bool
is_exact(PyObject *thing)
{
    return Py_TYPE(thing)->tp_dealloc == value_dealloc;
}

static inline Engine *
engine_of(Value *node)
{
    return LIKELY(node->left & IN_SLAB) ? slab_of(node)->engine : engine_of_kin(Py_TYPE(node));
}

/* ── Memory of one node in a slab ───────────────────────────────────────────────────────────── */

static inline int
lowest_bit(uint64_t mask)
{
#if defined(__GNUC__) || defined(__clang__)
    return __builtin_ctzll(mask);
#else
    int bit = 0;
    while (!(mask >> bit & 1)) {
        bit++;
    }
    return bit;
#endif
}

/* Return room for a node, header set, or NULL with MemoryError. */
static inline Value *
take_node(Engine *engine)
{
    if (UNLIKELY(!engine->free_mask) && slab_refill(engine) < 0) {
        return NULL;
    }
    uint64_t mask = engine->free_mask;
    Value *node = engine->free_base + lowest_bit(mask);
    engine->free_mask = mask & (mask - 1);
#if defined(Py_REF_DEBUG) || defined(Py_TRACE_REFS) || defined(Py_GIL_DISABLED)
    PyObject_Init((PyObject *)node, engine->type);
    Py_DECREF(engine->type); /* the slab holds the type for all its nodes */
#else
    Py_SET_REFCNT((PyObject *)node, 1);
    Py_SET_TYPE((PyObject *)node, engine->type);
#endif
    node->weakrefs = NULL;
    return node;
}

static inline void
return_node(Value *node)
{
    Slab *slab = slab_of(node);
    size_t index = (size_t)((char *)node - (char *)(slab + 1)) / sizeof(Value);
    slab->free[index / 64] |= UINT64_C(1) << index % 64;
    if (UNLIKELY(++slab->free_count == slab->alarm)) {
        slab_alarm(slab);
    }
}

#endif
