/* The native engine's structures, and the few functions that must be inline. Map of the folder:
 *
 *     operations.h  the table of operations, twin of gradwalk/ops.py: a new operation is one row there
 *     numbers.h  pow, log and their kin as Python's, without exceptions
 *     gamma.h    the gamma function and its derivatives
 *     rows.h     the operations as functions: value and derivatives of one
 *     engine.h   Value, Extension, Slab, Engine; how a node packs its parts   (start reading here)
 *     slab.c     memory for nodes: carved in address order, given back slab by slab
 *     nodes.c    a node's parts: giving it inputs, the Extension, and the end of a graph
 *     blocks.c   inputs that the results of one operation over lists share
 *     cycles.c   garbage that Python's collector cannot see, through a node without a GC header
 *     operators.c  what records: + - * / **, the rows as methods, the modes
 *     nary.c     operations over lists: dot, linear, softmax, twin of engine/nary.py
 *     steps.c    the loops of the optimisers, twin of gradwalk/optim.py
 *     walk.c     the sort and the reverse walk: backward(), topological_order(), outdated(), Buffers
 *     value.c    the type: constructor, attributes, comparisons, copies
 *     module.c   the module: checks the rows against ops.TABLE, builds the type, fills the Engine
 *
 * Invariants:
 * - A node is 72 bytes. Its operation and flags live in the upper 16 bits of the first input's
 *   address, which no user-space pointer uses (`packable` refuses one that does).
 * - A node in a slab has no GC header. Where a header would be, in the two words before the object, it
 *   keeps its Locals. Python 3.14 and later may write to these words when the last reference has gone:
 *   it puts off freeing when the C stack is short, and goes by the type, not by `value_is_gc`. A dead
 *   node needs its Locals no more, so nothing is lost.
 * - A node in a slab may do without a header because it can only lead to other nodes in slabs, made
 *   before it, so no cycle passes through it. Whatever is made to close a cycle has a header
 *   (`value_is_gc`): instances of subclasses, nodes made to be given a `_backward`, and every node
 *   with such an input. A node in a slab that is later given a `_backward`, inputs or attributes of
 *   its own is on a list: cycles.c.
 * - A plain number on the right is kept inside its consumer (CONSTANT) and becomes a node of its own
 *   when someone looks (`materialise`). Its local gradient is 0, so only 0 * inf could reach it:
 *   POISONED remembers that.
 * - A WIDE node is in a slab, and so is everything its Block leads to. Whoever gives such a node a
 *   part that a Block has no place for unpacks it first: it then has an Extension like any other.
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
#define INLINE inline __attribute__((always_inline)) /* for arguments that fold a loop's branches */
#define APART __attribute__((noinline)) /* for what is rare, so that the rest needs few registers */
#else
#define LIKELY(x) (x)
#define UNLIKELY(x) (x)
#define PREFETCH(address) ((void)(address))
#define INLINE inline
#define APART
#endif

typedef struct Value Value;
typedef struct Block Block;
typedef struct Engine Engine;

void value_dealloc(PyObject *self);

struct Value {
    PyObject_HEAD
    uint64_t left; /* the first input or the Extension, and operation and flags: see below */
    union {
        double data;
        Value *next_dead; /* while a graph is being freed */
    };
    double grad;
    union {
        Value *right; /* the second input */
        Block *own;   /* the w of a DOT, when WIDE */
    };
    PyObject *weakrefs; /* last, and NULL in a free node, so that making and walking let it be */
};

/* d self / d input, for a node without an Extension: before the object in a slab, behind it elsewhere. */
typedef struct {
    double left;
    union {
        double right;    /* the number itself when CONSTANT */
        Py_ssize_t slot; /* which of the Block's results it is, when WIDE */
    };
} Locals;

#define NODE_BYTES (sizeof(Locals) + sizeof(Value))

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
    PyObject *attributes; /* a dict: attributes that the user added */
    bool regrown;     /* in a slab, and given its inputs after it was made */
    Py_ssize_t place; /* in Engine.listed, plus 1; or 0 */
    Py_ssize_t count;
    Edge edges[];
} Extension;

/* ── Blocks: the inputs of an operation over lists, kept once for all its results ───────────── */

typedef enum {
    DOT, /* inputs w0 x0 w1 x1 …, from two Blocks */
    SUM,
    MEAN,
    LOGSUMEXP,
    SOFTMAX,
    LOG_SOFTMAX,
    CROSS_ENTROPY,
    RMSNORM,
    LAYERNORM,
    KINDS
} Kind;

struct Block {
    union {
        Py_ssize_t owners; /* the nodes that share it */
        Block *next;       /* while it is spare */
    };
    Kind kind;
    bool whole;  /* no input is a number */
    bool leaves; /* every input was a leaf without parts when it was read */
    size_t size_class;
    Py_ssize_t count;
    uint64_t scanned; /* the sort that has met all its inputs */
    union {
        struct { /* DOT */
            const PyObject *list; /* whose items the inputs are: an address, no reference */
            uint64_t written;     /* Engine.writes when they were read */
        };
        struct { /* the others: names as in nary.py */
            double scale, bend, share, epsilon;
        };
    };
    Value *inputs[]; /* NULL where it is a number, which only DOT allows; then `count` doubles */
};

/* What the local gradients are made of: data for DOT and the norms, shares for the softmaxes. */
static inline double *
numbers_of(const Block *block)
{
    return (double *)(block->inputs + block->count);
}

/* ── left: 48 bits of address, 8 of operation, 8 of flags ───────────────────────────────────── */

#define ADDRESS_BITS 48
#define ADDRESS_MASK ((UINT64_C(1) << ADDRESS_BITS) - 1)
#define OPERATION(code) ((uint64_t)(code) << ADDRESS_BITS)
#define OPERATION_MASK OPERATION(0xFF)
#define IN_SLAB (UINT64_C(1) << 56)
#define CONSTANT (UINT64_C(1) << 57) /* the second input is a number, in Locals.right */
#define EXTENDED (UINT64_C(1) << 58) /* the address is that of an Extension */
#define OPAQUE (UINT64_C(1) << 59)   /* _local_grads is None: _backward pushes */
#define MARKED (UINT64_C(1) << 60)   /* met by the sort in progress */
#define POISONED (UINT64_C(1) << 61) /* the grad of the numbers kept inside is nan */
#define WIDE (UINT64_C(1) << 62)     /* the address is that of a Block */
#define ON_LEAF (UINT64_C(1) << 63)  /* the first input was a leaf in a slab: see Engine.regrown */

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

static inline Block *
block_of(const Value *node)
{
    return (Block *)(uintptr_t)(node->left & ADDRESS_MASK);
}

/* Of a node in a slab, where a WIDE one always is. */
static inline Locals *
slab_locals(const Value *node)
{
    return (Locals *)(uintptr_t)node - 1;
}

static inline Locals *
locals_of(const Value *node)
{
    return node->left & IN_SLAB ? slab_locals(node) : (Locals *)(uintptr_t)(node + 1);
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
#define SLAB_ROOM ((uint32_t)((SLAB_BYTES - sizeof(Slab)) / NODE_BYTES))

typedef struct Slab Slab;
struct Slab {
    Engine *engine;
    Slab *previous, *next; /* in the list of vacant or of partial slabs */
    Slab **list;           /* that list's head, or NULL */
    uint32_t free_count;
    uint32_t alarm;  /* the free_count at which to look for the slab's place */
    uint32_t cursor; /* the next node to carve, while it is the current slab */
};

static inline Slab *
slab_of(const Value *node)
{
    return (Slab *)((uintptr_t)node & ~(uintptr_t)(SLAB_BYTES - 1));
}

/* The node so many places behind this one. */
static inline Value *
node_behind(const Value *node, Py_ssize_t count)
{
    return (Value *)((uintptr_t)node + (uintptr_t)count * NODE_BYTES);
}

/* ── The engine: the module's state, one for each interpreter ───────────────────────────────── */

enum { NO_GRAD = 1, ANOMALY = 2, LINES = 4, SCOPES = 8, STRICT = 32 }; /* the switches, as in modes.py */

enum { OP_NONE, OP_CONST, OP_FIRST_ROW };

#define MOST_OPERATIONS 256
#define OP_FIRST_KIND (MOST_OPERATIONS - KINDS) /* those over lists stand at the end */
#define BLOCK_CLASSES 64
#define RECENT_BITS 11

typedef struct {
    Value *node;
    double grad;
} Before;

typedef struct {
    Value *node;
    Py_ssize_t next;
} Frame;

typedef struct {
    Value **order;
    Py_ssize_t count, room;
    Before *before; /* the grads that were not 0, to go back to when the walk fails */
    Py_ssize_t before_count, before_room;
    Frame *stack;
    Py_ssize_t depth, stack_room;
    bool busy;
} Scratch;

typedef struct {
    PyObject_HEAD
    Scratch scratch;
} Buffers;

/* The nodes in slabs that may be part of a cycle: see cycles.c. */
typedef struct {
    Value **nodes; /* no owner: a node that dies takes itself off */
    Py_ssize_t count, room;
    Py_ssize_t threshold; /* the count at which to search again */
    bool listening, searching;
} Listed;

struct Engine {
    /* What every operation reads. */
    Value *free, *free_end; /* what is left of the run of free nodes being carved */
    PyTypeObject *type;
    Py_ssize_t active; /* how many are in modes.active */
    PyObject *name_data, *name_grad;

    Slab *current;
    Slab *vacant, *partial;
    size_t vacant_count;
    Value *dead; /* nodes waiting to be freed */
    bool draining;

    uint64_t sorts; /* how many were begun: see Block.scanned */
    bool keeps_interior; /* backward() adds to the gradients of inner nodes: see keep_interior_grads */
    bool regrown;   /* a leaf in a slab was given inputs: Block.leaves and ON_LEAF may not be true */
    uint64_t writes; /* how often data or a name was assigned: see Block.written */
    Block *recent[1 << RECENT_BITS]; /* by the address of the list they were read from; no owner */
    Block *spare[BLOCK_CLASSES];
    size_t spare_bytes;

    Listed listed;

    Scratch scratch;
    PyTypeObject *buffers_type;
    PyObject *symbols[MOST_OPERATIONS]; /* by operation code; owned */
    PyObject *rows[MOST_OPERATIONS];    /* the Op; owned, NULL for '' and const */
    bool selects[MOST_OPERATIONS];      /* a local gradient of 0 stops even an infinite one */
    int operation_count;
    PyObject *codes; /* symbol -> operation code */
    PyMethodDef *methods;
    PyObject *docs; /* keeps the methods' texts */

    PyObject *ops_real;
    PyTypeObject *recorded; /* of values of a function that is being recorded; NULL until one is met */
    PyObject *modes_current, *modes_calling_line, *modes_current_scope;
    PyObject *modes_forbid, *modes_compared, *modes_recorder, *modes_leave_graph;
    PyObject *operand_error, *backward_error, *anomaly_error;
    PyObject *name_real, *name_value, *name_partials, *name_derived, *name_backward, *name_nary, *empty;
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
PyObject *outdated(PyObject *module, PyObject *root);
void push(Value *node);
bool is_poisoned(Value *node);
extern PyType_Spec buffers_spec;

/* blocks.c */
Block *new_block(Engine *engine, Kind kind, Py_ssize_t count);
void free_block(Engine *engine, Block *block);
void free_spare_blocks(Engine *engine);
Block *find_recent(const Engine *engine, const PyObject *list, PyObject *const *items,
                   Py_ssize_t count);
void keep_recent(Engine *engine, Block *block, const PyObject *list);
void leave_block(Engine *engine, Block *block);
void leave_blocks(Engine *engine, Block *block, Block *own);
int parameters_of(Kind kind);
double parameter_at(const Block *block, Py_ssize_t slot, int index);
Py_ssize_t count_edges(const Block *block);
Edge block_edge(const Block *block, const Block *own, Py_ssize_t slot, Py_ssize_t index);
void push_wide(const Value *node, double incoming);
Extension *unpack(Engine *engine, Value *node);

/* cycles.c */
int reserve_listed(Engine *engine);
void list_node(Engine *engine, Value *node);
void unlist_node(Engine *engine, Extension *extension);

/* nodes.c */
Engine *engine_of_kin(PyTypeObject *type);
Value *take_loose_node(Engine *engine);
Value *make_leaf(Engine *engine, double data, int operation);
Extension *new_extension(Py_ssize_t count);
void free_extension(Engine *engine, Extension *extension);
PyObject *attributes_of(const Value *node);
Extension *extend(Engine *engine, Value *node);
int materialise(Engine *engine, Value *node);
int fill(Engine *engine, Value *node, PyObject *inputs, PyObject *local_grads, PyObject *symbol,
         PyObject *label, bool extended);
int refill(Engine *engine, Value *node, PyObject *inputs, PyObject *local_grads, PyObject *symbol,
           PyObject *label, bool keeps_all);
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
bool is_outdated(const Value *node);
PyObject *value_add(PyObject *x, PyObject *y);
PyObject *value_subtract(PyObject *x, PyObject *y);
PyObject *value_multiply(PyObject *x, PyObject *y);
PyObject *value_divide(PyObject *x, PyObject *y);
PyObject *value_power(PyObject *x, PyObject *y, PyObject *modulus);
PyObject *value_floor_divide(PyObject *x, PyObject *y);
PyObject *value_remainder(PyObject *x, PyObject *y);
PyObject *value_divmod(PyObject *x, PyObject *y);
PyObject *value_negative(PyObject *self);
PyObject *value_positive(PyObject *self);
PyObject *value_absolute(PyObject *self);
bool is_value(const Engine *engine, PyObject *thing);
int read_real(Engine *engine, PyObject *number, double *out);
int need_real(Engine *engine, const char *expected, PyObject *number, double *out);
bool may_read(const Engine *engine, const char *what);
PyObject *made_at(const Value *node);
void raise_anomaly(const Engine *engine, const Value *node, PyObject *symbol, PyObject *message);
int modes_here(Engine *engine);
Value *record_edges(Engine *engine, double data, int code, PyObject *symbol, const Edge *edges,
                    Py_ssize_t count);
PyObject *record_list(PyObject *module, PyObject *const *args, Py_ssize_t count);
PyObject *value_apply(PyObject *type, PyObject *const *args, Py_ssize_t count);
PyObject *value_floor(PyObject *self, PyObject *unused);
int install_rows(Engine *engine, PyObject *table, PyObject *python_method);

/* nary.c */
extern PyMethodDef nary_functions[];
int install_kinds(Engine *engine);

/* steps.c */
extern PyMethodDef step_functions[];

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

/* Return room for a node, header set, or NULL with MemoryError. */
static inline Value *
take_node(Engine *engine)
{
    if (UNLIKELY(engine->free == engine->free_end) && slab_refill(engine) < 0) {
        return NULL;
    }
    Value *node = engine->free;
    engine->free = node_behind(node, 1);
    PyTypeObject *type = engine->type;
#if defined(Py_REF_DEBUG) || defined(Py_TRACE_REFS) || defined(Py_GIL_DISABLED)
    PyObject_Init((PyObject *)node, type);
    Py_DECREF(type); /* the slab holds the type for all its nodes */
#else
    Py_SET_REFCNT((PyObject *)node, 1);
    Py_SET_TYPE((PyObject *)node, type);
#endif
    return node;
}

/* A free node has no type, by which slab.c finds it, no reference and no weak one. */
static inline void
return_node(Value *node)
{
    Slab *slab = slab_of(node);
    Py_SET_TYPE((PyObject *)node, NULL);
    if (UNLIKELY(++slab->free_count == slab->alarm)) {
        slab_alarm(slab);
    }
}

#endif
