/* Between the files of the lanes; lanes.h is what others see.
 *
 *     lanes_plan.c   from a program to nodes: what is computed by lane, once, or on sums   (start reading here)
 *     lanes_steps.c  from nodes to steps and their slots
 *     lanes.c        running the steps, on threads
 */
#ifndef GRADWALK_LANES_PLAN_H
#define GRADWALK_LANES_PLAN_H

#include "lanes.h"

#if defined(__unix__) || defined(__APPLE__)
#define THREADS 1
#include <pthread.h>
typedef struct {
    pthread_mutex_t mutex;
    pthread_cond_t ended;
} Lock;
#define lock_begin(lock) (pthread_mutex_init(&(lock)->mutex, NULL), pthread_cond_init(&(lock)->ended, NULL))
#define lock_end(lock) (pthread_mutex_destroy(&(lock)->mutex), pthread_cond_destroy(&(lock)->ended))
#define lock_take(lock) pthread_mutex_lock(&(lock)->mutex)
#define lock_give(lock) pthread_mutex_unlock(&(lock)->mutex)
#else
#define THREADS 0
typedef char Lock; /* there is one thread */
#define lock_begin(lock) (void)(lock)
#define lock_end lock_begin
#define lock_take lock_begin
#define lock_give lock_begin
#endif

/* ── The plan ───────────────────────────────────────────────────────────────────────────────── */

typedef struct Worker Worker;

/* A uniform number: that of a value, or a constant if `value` is -1. */
typedef struct {
    int32_t value;
    double number;
} Uniform;

struct Lanes {
    Arena memory;            /* of what it points to */
    const Ir *ir;
    const Level *level;
    BlockRun run;
    int single;              /* 1: float32 */
    int32_t width, lanes;
    int32_t step_count, slot_count, table_count;
    Step *steps;
    int32_t *table;
    int32_t uniform_count;
    Uniform *uniform;
    int32_t once_count;      /* the instructions to compute once, in order */
    int32_t *once;
    /* totals */
    bool sums;
    int32_t total_count;
    int32_t *total_of;       /* by value: its number among the totals, or -1 */
    uint8_t *need;           /* by value: NEED_* */
    int32_t late_count;      /* the values whose total is wanted, in order */
    int32_t *late;
    uint8_t *is_sum;         /* for each of these: 1 if it equals the sum over the scenarios */
    uint8_t *result_kind;    /* by result: RESULT_* */
    int32_t varying;
    uint8_t *shared;         /* by slot */
    bool is_careful;         /* whether it runs a program of pass_careful, whose results are final */
    struct LanesCode *code[3]; /* machine code, by INPUTS_*. Made when first needed, under the lock */
    bool tried[3];           /* whether that was tried */
    Ir *careful_ir;          /* these two are made when first needed, under the lock */
    Lanes *careful;
    Worker *idle;
    Lock lock;
};

enum { NEED_LANE = 1, NEED_TOTAL = 2, UNIFORM = 4 };
enum { RESULT_LANE, RESULT_UNIFORM, RESULT_TOTAL };

/* ── While it is made ───────────────────────────────────────────────────────────────────────── */

/* An operand: a node, or ~number of a uniform number. */
enum { NOTHING = INT32_MAX };

typedef struct {
    int32_t a, b; /* operands; b is NOTHING in a term that is no product */
    int32_t sign;
} Term;

enum { LINEAR, OPERATION, TOTAL, PRODUCT_TOTAL, PICK_TOTAL, RESULT };

typedef struct {
    uint8_t kind, code;
    bool lazy, done;
    bool from_inputs;     /* cheap, and computed from inputs only */
    uint8_t cheap;        /* not 0: recompute it rather than keep it, as long as `reach` allows */
    int32_t reach;        /* the position up to which its operands stay in slots anyway */
    int32_t made;         /* the step after which it was made last */
    int32_t first, count; /* terms of LINEAR, else operands */
    int32_t extra;        /* instruction of OPERATION and LINEAR (a part of a sum: -1), total, result */
    int32_t uses;         /* by nodes */
    int32_t kin, next;    /* of a sum of products with uniform numbers: the first one over the same nodes, or -1,
                           * and the next; of a total in a row: how many the row has, at its last */
} Node;

/* Several sums of products that share their second factors, as the rows of a matrix product do: one step computes all. */
typedef struct {
    int32_t rows, row[LANES_ABREAST];
    Array columns, totals; /* of the totals: one for each column, row after row */
} Sums;

/* Something to be placed right after value `after`. */
typedef struct {
    int32_t next;
    int32_t kind; /* LINEAR: a part of a long sum */
    int32_t total;
    int32_t a, b; /* values; of a part: first term and count */
    int32_t value;
} Item;

typedef struct {
    Lanes *plan;
    const Ir *ir;
    Arena memory;          /* of all below but tables and uniform, which are the plan's */
    int32_t *ref;          /* by value: its operand form */
    int32_t *number_of;    /* by value: its uniform number or -1 */
    int32_t *last_use;     /* by value, then by node */
    int32_t *item_head;    /* by value */
    int32_t *into;         /* by value: the sum whose total it is added to, or negative: it has its own */
    int32_t *split;        /* by value: the node of the last part of its sum, or -1 */
    Array items, nodes, terms, operands, raws, tables;
    Array uniform;
    int32_t constants[64]; /* by hash: 1 + the uniform number of a constant, or 0 */
    int32_t *lane_uses;    /* by value: reads by lane */
    Array parts;           /* Terms of parts, in values */
    int32_t *position;     /* by node: where it is emitted */
    int32_t node_count;
    int32_t *group;        /* by input slot: the first of its eight, or -1 */
    int32_t *input_node;   /* by input slot, or -1 */
    Array stack;
    Array flat;            /* terms of the node at hand */
    Sums sums;             /* totals that wait for further rows */
} Builder;

static inline bool
is_failed(const Builder *b)
{
    return b->memory.failed || b->plan->memory.failed;
}

static inline Node *
node_at(Builder *b, int32_t n)
{
    return (Node *)b->nodes.items + n;
}

static inline Term *
term_at(Builder *b, int32_t t)
{
    return (Term *)b->terms.items + t;
}

static inline int32_t
operand_at(Builder *b, int32_t k)
{
    return ((int32_t *)b->operands.items)[k];
}

/* The uniform number of value `value`, or of a constant when value is -1. */
int32_t lanes_uniform(Builder *b, int32_t value, double number);

/* lanes_steps.c: how many of x, y and z of a step are operands, and whether it writes slot `out`. */
int lanes_step_reads(int32_t step);
bool lanes_step_writes(int32_t step);

/* lanes_steps.c: return how many slots in the table a step writes, or how many operands it reads, and where these begin. */
int32_t lanes_table_written(const Step *step, int32_t *from);
int32_t lanes_table_read(const Step *step, int32_t *from);

/* lanes_steps.c: the nodes as steps, then slots for them. */
void lanes_emit(Builder *b);
void lanes_assign(Builder *b);

#endif
