/* The program in C: straight-line, each instruction writes one value, whose id is its position.
 * Map of the folder:
 *
 *     ir.h         Ir: the instructions as plain arrays; the codes     (start reading here)
 *     ir.c         building and checking one
 *     scalar.c     the value of one instruction
 *     passes.c     tidy (constants, equal instructions, dead ones), chains to dots, the adjoint
 *     single.c     one scenario at a time: levels, groups, blocks, matrix products
 *     rolled.c     a long recording as its loops; stretches.c runs one scenario of it, body by body
 *     lanes*.c     many scenarios at a time: the instructions over lanes, on threads
 *     rows.h       what is computed number by number, over any count of numbers: one set of kernels for both of these
 *     vmath.h      exp, log, sin … over a vector, written by hand
 *     vector_rows.h the table of operations as vector functions; vectors.h: vectors of doubles and of floats
 *     *_kernels.c  loops over numbers, compiled once per kind of processor
 *     processor.c  which kind this one is, and which kernels are in use: the one place that chooses
 *     replay.h     the Python type that runs a program, in replay*.c; module.c: the module
 *     structure.c  arguments and results; buffers.c: Python's arrays; optimisers.c: sgd, momentum and adam
 *     recorder/    recording: Traced and Tape. It only writes programs, and shares nothing but the codes
 *
 * The operations themselves are rows of ../../engine/native/operations.h. Codes, kernels and adjoints are made from
 * these rows, so a new operation needs no line in this folder.
 *
 * Invariants, held by `ir_check` after every pass:
 * - an operand's id is smaller than its instruction's;
 * - the number of operands is what the code takes;
 * - nothing recurses, and every pass is linear in operands.
 *
 * The adjoint is made of ordinary instructions. Those that multiply by an incoming gradient are
 * PULL and DRAW: a gradient of 0 passes nothing on, so 0·inf is 0 in them, as in the eager engine.
 * Fast executors multiply plainly there; when a gradient comes out nan, the scenario is run again
 * by the program of `pass_careful`, in which both are written out with CHOOSE.
 */
#ifndef GRADWALK_IR_H
#define GRADWALK_IR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "../../engine/native/numbers.h"

#define OPERATIONS "../../engine/native/operations.h" /* the table: one row per operation */

/* The rows of ops.TABLE keep their order: ir.CODES in Python is this list up to DOT. */
enum {
    CONST, /* number */
    INPUT, /* number is its slot */
#define EVERY(name, symbol, arity) C_##name,
#include OPERATIONS
    LT, LE, GT, GE, EQ, NE, /* 1 or 0 */
    TAKE,   /* index, t0, t1, …: the one at that index, or the nearest one; a guard says which indices count */
    SUM,    /* x0, x1, …: 0.0 + x0 + x1 …, in any order */
    DOT,    /* a0, b0, a1, b1, …: 0.0 + a0·b0 + …, in any order */
    LAST_RECORDED = DOT,

    /* made by passes */
    SQUARE,       /* x·x */
    ROOT,         /* x ** 0.5, which is not sqrt at -inf and -0 */
    INVERSE,      /* 1 / x */
    INVERSE_ROOT, /* x ** -0.5 */
    LARGEST,      /* x0, x1, …: maximum of many */
    GATE,         /* g, x: g where x > 0, else 0 */
    CHOOSE,       /* condition, g: g where condition != 0, else 0 */
    REFUSE,       /* condition, g: 0 where condition != 0, else g */
    PICK,         /* i0, g0, i1, g1, …: Σ g where i is `number`: the adjoint of TAKE */
    PULL,         /* g0, p0, g1, p1, …: Σ g·p */
    DRAW,         /* g, x: g / x; to y of q = x / y it is pulled by a neg of q with `number` 1 */
    PARTIAL0,     /* out, x…: the row's derivative by its first operand; `number` is the row's code */
    PARTIAL1,
    PARTIAL2,
    CODE_COUNT
};

typedef struct {
    int32_t count, room;
    int32_t arg_count, arg_room;
    uint8_t *code;
    int32_t *start; /* count + 1 */
    int32_t *arg;
    double *number;
    int32_t *origin;     /* the recorded instruction it comes from, for messages; NULL: itself */
    int32_t *adjoint_of; /* the value whose gradient it holds a part of, or -1; NULL: none does */
    int32_t *result;     /* the values wanted: first the outputs, then the gradients */
    int32_t result_count, outputs;
    int32_t slots;
    const int32_t *slot_of; /* of a recorded program: where its slots lie; NULL: where they are */
    int32_t forward; /* the instructions from here on are the adjoint's */
    bool fast;       /* may be computed in another order than written: see passes.c */
} Ir;

static inline bool
is_partial(int code)
{
    return code >= PARTIAL0 && code <= PARTIAL2;
}

static inline int
operand_count(const Ir *ir, int32_t i)
{
    return ir->start[i + 1] - ir->start[i];
}

static inline const int32_t *
operands(const Ir *ir, int32_t i)
{
    return ir->arg + ir->start[i];
}

/* ir.c. With test hooks, every allocation of the folder counts, and any can be made to fail. */
#ifdef GRADWALK_TEST_HOOKS
void *memory_new(size_t bytes, bool clear);
void *memory_grow(void *block, size_t bytes);
void memory_free(void *block);
void memory_fail(long long after, long long times); /* `after` more succeed; after -1: all do */
long long memory_live(void);                        /* blocks that are not freed */
#define malloc(bytes) memory_new(bytes, false)
#define calloc(count, size) memory_new((count) * (size), true)
#define realloc(block, bytes) memory_grow(block, bytes)
#define free(block) memory_free(block)
#endif

/* Memory that is freed all at once. What has no memory is NULL, and `failed` is set. */
typedef struct {
    struct ArenaBlock *last;
    bool failed;
} Arena;
enum { ANY_BYTE = -1 };
void *arena_take(Arena *arena, size_t count, size_t size, int byte); /* of this byte; never empty */
void *arena_grow(Arena *arena, void *block, size_t bytes);           /* block NULL: a new one */
void arena_end(Arena *arena);

typedef struct {
    void *items;
    int32_t count, room;
} Array;
void *array_add(Arena *arena, Array *array, int32_t more, size_t size); /* room for `more` items at the end */

extern const char *const code_names[CODE_COUNT];
enum { ANY = -1, PAIRS = -2, ONE_AND_ANY = -3 }; /* at least one of each */
extern const int8_t code_arity[CODE_COUNT];      /* operands, or one of these */
Ir *ir_new(int32_t room, int32_t arg_room); /* NULL when there is no memory */
void ir_free(Ir *ir);
bool ir_reserve(Ir *ir, int count); /* room for one more instruction with so many operands */
int ir_set_results(Ir *ir, const int32_t *result, int32_t count, int32_t outputs);
const char *ir_check(const Ir *ir, int32_t *where); /* NULL, or what is wrong */

/* Add an instruction; return its id, or -1 without memory. */
inline int32_t
ir_add(Ir *ir, int code, const int32_t *arg, int count, double number)
{
    if ((ir->count == ir->room || count > ir->arg_room - ir->arg_count) && !ir_reserve(ir, count)) {
        return -1;
    }
    int32_t i = ir->count++;
    ir->code[i] = (uint8_t)code;
    ir->number[i] = number;
    ir->origin[i] = -1;
    ir->adjoint_of[i] = -1;
    for (int k = 0; k < count; k++) {
        ir->arg[ir->arg_count + k] = arg[k];
    }
    ir->arg_count += count;
    ir->start[i + 1] = ir->arg_count;
    return i;
}

/* scalar.c */
/* A row as the eager engine computes it: its value, and its partial derivatives into `by`. */
double scalar_eager(int code, double x, double y, double z, double by[3]);
double scalar_row(int code, double x, double y, double z);
double scalar_partial(int row, int which, double x, double y, double z);
/* The value of an instruction with operands at these places among `values`. */
double scalar_apply(int code, const int32_t *arg, int count, double number, const double *values);
/* Compute these instructions, one after the other. The inputs among them have their values already. */
void scalar_run(const Ir *ir, const int32_t *ids, int32_t count, double *values);

/* Which of `count` entries a TAKE with this index takes: the nearest one, and the first for nan. */
static inline int32_t
nearest_entry(double index, int32_t count)
{
    double last = count - 1, least = index > 0.0 ? index : 0.0; /* compiled without a branch */
    return (int32_t)(least < last ? least : last);
}

/* Memory that passes hand on to each other: fresh memory costs more than what is done with it. */
typedef struct {
    void *table;
    size_t table_bytes;
    void *went;
    size_t went_bytes;
} Scratch;
void scratch_free(Scratch *scratch);

/* passes.c: each returns a new Ir, or NULL without memory. `scratch` may be NULL. The first takes a program without
 * `origin` and `adjoint_of`, as it is recorded. */
Ir *pass_tidy(const Ir *ir, Scratch *scratch);
Ir *pass_chains(const Ir *ir, Scratch *scratch);
/* The gradient of Σ seed · output; where `seeds` is NULL, those are inputs, behind those of the program.
 * NULL also for a program with an instruction on the way to an input that has no derivative: *refused is its id, or -1. */
Ir *pass_adjoint(const Ir *ir, const double *seeds, const int32_t *wrt, int32_t wrt_count, Scratch *scratch,
                 int32_t *refused);
Ir *pass_careful(const Ir *ir, Scratch *scratch); /* an adjoint in which a gradient of 0 passes nothing on */

#endif
