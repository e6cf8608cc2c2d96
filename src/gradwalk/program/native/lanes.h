/* Many scenarios of one program at a time: the public part first, then what a plan is made of.
 *
 *     lanes_plan.c     from a program to a plan; lanes_steps.c: its steps; lanes_plan.h: what these share
 *     lanes.c          running one, on threads
 *     lanes_code.c     machine code for the steps, where the processor has AVX2 or AVX-512
 *     lanes_loops.c    loops among the steps, for that code
 *     lanes_kernels.c  the steps over a block of lanes, compiled once for each kind of processor
 *     vmath.h          exp, log, sin … over a vector
 *
 * A plan has three parts. What depends only on shared slots is computed once (uniform). The rest is
 * a list of steps, run for each block of scenarios: an accumulator of `lanes` numbers that stays in
 * registers, and slots of as many numbers in memory. Where only the sum over scenarios of a value is
 * wanted, what is linear in it is done once, on the sum, at the end.
 */
#ifndef GRADWALK_LANES_H
#define GRADWALK_LANES_H

#include "functions.h"

typedef struct Lanes Lanes;

typedef struct {
    int64_t scenario;
    int32_t instruction;
} LanesFault;

/* A plan for `ir`, which must outlive it. shared[s]: slot s is the same in all scenarios.
 * gradient_slot[g]: the slot that result outputs + g is the gradient of. sums: for shared slots,
 * only the sum of the gradient over the scenarios is wanted. NULL when there is no memory. */
Lanes *lanes_new(const Ir *ir, const uint8_t *shared, const int32_t *gradient_slot, bool sums,
                 bool float32);
void lanes_free(Lanes *plan);

/* How the caller hears of signals while it works. */
typedef struct Watch {
    volatile int stop;
    void (*listen)(struct Watch *); /* NULL for what is over at once */
} Watch;

enum { LANES_DONE = 0, LANES_BAD_INDEX = 1, LANES_NO_MEMORY = -1, LANES_STOPPED = -2 };

/* Run `count` scenarios. Slot s of scenario i is the double at base[s] + i·stride[s].
 * outputs: count × outputs. grads: count × gradients, or NULL. totals: gradients, or NULL; needs a
 * plan with `sums`, and then holds the sums for shared slots, while grads holds the rest: what is
 * not theirs is left as it was. LANES_BAD_INDEX: `where` tells the first scenario and its TAKE.
 * The calling thread works, too, and calls `listen` between blocks; when the watch's `stop` is not 0,
 * all end soon, and the answer is LANES_STOPPED. The numbers do not depend on `threads`. */
int lanes_run(Lanes *plan, const char *const *base, const int64_t *stride, int64_t count,
              double *outputs, double *grads, double *totals, int threads, Watch *watch,
              LanesFault *where);

typedef struct {
    int64_t steps;        /* of a block */
    int64_t slots;        /* in memory */
    int64_t lanes;        /* scenarios of a block */
    int64_t bytes;        /* of slots, for one thread */
    int64_t plan_bytes;   /* of the plan itself, with its code */
    int64_t code;         /* bytes of machine code; 0 before the first run for which it pays */
    int64_t uniform;      /* instructions computed once */
    int64_t varying;      /* instructions computed for each block */
    int64_t totals;       /* sums kept over the scenarios */
    const char *level;    /* kind of processor */
} LanesSizes;
LanesSizes lanes_sizes(const Lanes *plan);

/* The steps as text, one a line, into `room` bytes, ended by 0; returns the bytes it takes in all. */
size_t lanes_text(const Lanes *plan, char *to, size_t room);

/* For tests: use this kind of processor ("base", "avx2", "avx512"; or "avx2 code", "avx512 code": machine code, even where
 * it does not pay) in plans made from now on. false when this machine cannot. */
bool lanes_choose(const char *level);
/* ── Steps ───────────────────────────────────────────────────────────────────────────────────────
 *
 * A is the accumulator, X and Y the vectors in slots a and b, S and T the uniform numbers a and b.
 * Each of LANES_SIMPLE, and of lanes_rows.h, has a twin, one higher, that also stores A into slot c. The letters at the
 * end of a name say what a and b are: v, a slot; s, a uniform number. */

#define LANES_SIMPLE(STEP) \
    STEP(LOADv, X) \
    STEP(LOADs, S) \
    STEP(ADDv, A + X) \
    STEP(ADDs, A + S) \
    STEP(SUBv, A - X) \
    STEP(SUBs, A - S) \
    STEP(RSUBv, X - A) \
    STEP(RSUBs, S - A) \
    STEP(MULv, A * X) \
    STEP(MULs, A * S) \
    STEP(ADD2vv, X + Y) \
    STEP(ADD2vs, X + T) \
    STEP(SUB2vv, X - Y) \
    STEP(SUB2vs, X - T) \
    STEP(SUB2sv, S - Y) \
    STEP(MUL2vv, X * Y) \
    STEP(MUL2vs, X * T) \
    STEP(FMAvv, A + X * Y) \
    STEP(FMAvs, A + X * T) \
    STEP(FNMAvv, A - X * Y) \
    STEP(FNMAvs, A - X * T) \
    STEP(MADDvv, A * X + Y) \
    STEP(MADDvs, A * X + T) \
    STEP(MADDsv, A * S + Y) \
    STEP(MADDss, A * S + T) \
    STEP(MSUBvv, A * X - Y) \
    STEP(MSUBvs, A * X - T) \
    STEP(MSUBsv, A * S - Y) \
    STEP(MSUBss, A * S - T) \
    STEP(NMADDvv, Y - A * X) \
    STEP(NMADDvs, T - A * X) \
    STEP(NMADDsv, Y - A * S) \
    STEP(NMADDss, T - A * S) \
    STEP(NEG, -A) \
    STEP(SQUARE, A * A) \
    STEP(ROOT, v_root(A)) \
    STEP(INVERSE, v_set(1) / A) \
    STEP(INVERSE_ROOT, v_set(1) / v_root(A)) \
    STEP(DIVv, A / X) \
    STEP(DIVs, A / S) \
    STEP(RDIVv, X / A) \
    STEP(RDIVs, S / A) \
    STEP(LTv, v_one(v_lt(A, X))) \
    STEP(LTs, v_one(v_lt(A, S))) \
    STEP(LEv, v_one(v_le(A, X))) \
    STEP(LEs, v_one(v_le(A, S))) \
    STEP(GTv, v_one(v_lt(X, A))) \
    STEP(GTs, v_one(v_lt(S, A))) \
    STEP(GEv, v_one(v_le(X, A))) \
    STEP(GEs, v_one(v_le(S, A))) \
    STEP(EQv, v_one(v_eq(A, X))) \
    STEP(EQs, v_one(v_eq(A, S))) \
    STEP(NEv, v_one(v_ne(A, X))) \
    STEP(NEs, v_one(v_ne(A, S))) \
    STEP(GATEv, v_select(v_lt(v_set(0), X), A, v_set(0))) \
    STEP(RGATEv, v_select(v_lt(v_set(0), A), X, v_set(0))) \
    STEP(RGATEs, v_select(v_lt(v_set(0), A), S, v_set(0))) \
    STEP(CHOOSEv, v_select(v_ne(X, v_set(0)), A, v_set(0))) \
    STEP(RCHOOSEv, v_select(v_ne(A, v_set(0)), X, v_set(0))) \
    STEP(RCHOOSEs, v_select(v_ne(A, v_set(0)), S, v_set(0))) \
    STEP(REFUSEv, v_select(v_ne(X, v_set(0)), v_set(0), A)) \
    STEP(RREFUSEv, v_select(v_ne(A, v_set(0)), v_set(0), X)) \
    STEP(RREFUSEs, v_select(v_ne(A, v_set(0)), v_set(0), S))

#define LANES_OTHER(STEP) \
    STEP(STORE)   /* slot c = A */ \
    STEP(CALL)    /* A = function a of A */ \
    STEP(CALL2)   /* A = function a of A and Y */ \
    STEP(CALL3)   /* A = function a of A, Y and slot c */ \
    STEP(ROW)     /* A = row a, or derivative c - 1 of it, of the slots at table b; one lane at a time */ \
    STEP(TAKE)    /* A = entry X of the c entries at table b */ \
    STEP(PICK)    /* A += Y where X is uniform number c */ \
    STEP(FMASvv)  /* A += Σ of b products of slots at table a */ \
    STEP(FMASvs)  /* A += Σ of b products of slots and uniform numbers at table a */ \
    STEP(PRODUCTS) /* c slots = sums of b products; table a: b slots, c uniform numbers for each, the c slots */ \
    STEP(SUMv)    /* total a += A */ \
    STEP(SUM1v)   /* total a += Y */ \
    STEP(SUM2v)   /* total a += A·Y */ \
    STEP(SUM3v)   /* total a += Y·(slot c) */ \
    STEP(SUM2S)   /* b times at table a: total += A·slot */ \
    STEP(SUMS)    /* table a: c slots, b slots, c × b totals: each += the product of its slots */ \
    STEP(SUMPICKS) /* table a: slot i, slot g, c totals: total i - b += g */ \
    STEP(IN)      /* A = slot a of the scenarios */ \
    STEP(INS)     /* slots at table b = eight inputs from a on */ \
    STEP(AHEAD)   /* input a of scenarios b … b + 7 will be wanted soon */ \
    STEP(OUT)     /* result a of the scenarios = A */ \
    STEP(POLL)    /* ends when *stop */ \
    STEP(END)

enum {
#define STEP(name, expression) STEP_##name, STEP_##name##_st,
    LANES_SIMPLE(STEP)
#include "lanes_rows.h"
#undef STEP
#define STEP(name) STEP_##name,
    LANES_OTHER(STEP)
#undef STEP
    STEP_COUNT
};

enum { LANES_ABREAST = 4 }; /* at most: sums of PRODUCTS, rows of SUMS */

typedef struct {
    uint32_t step;
    uint32_t a, b, c;
} Step;

/* One block of scenarios, as a kernel sees it. */
typedef struct {
    const Step *steps;
    char *memory;            /* slot s is at s · lanes numbers */
    const double *uniform;
    const double *spread;    /* the same for machine code: see lanes_code_lanes */
    const int32_t *table;    /* lists of slots and of uniform numbers, which are stored as ~number */
    double *totals;          /* a vector each */
    const char *const *base;
    const int64_t *stride;
    int64_t first;           /* scenario */
    int32_t valid;           /* scenarios; the lanes after these repeat the last */
    double *const *result;   /* where result r of scenario 0 goes, or NULL */
    const int64_t *result_stride;
    int32_t outputs;         /* results from here on are gradients: nan or inf makes the scenario bad */
    uint8_t *bad;            /* by lane */
    int32_t bad_count;
    int32_t fault_lane, fault_step; /* the first bad TAKE; -1 */
    const volatile int *stop;
} Block;

enum { LANES_VECTORS = 8 }; /* of a block */
typedef int (*BlockRun)(Block *block); /* 0, or LANES_STOPPED */

typedef struct {
    const char *name;
    int width[2];              /* numbers in a vector: float64, float32 */
    BlockRun run[2];
} Level;

const Level *lanes_level(int level); /* of this kind of processor; NULL if it was not compiled */

/* lanes.c: the rows, one lane at a time, for what is rare. which: 0 the value, 1 … a partial. */
double lanes_row(int code, int which, double x, double y, double z);

#endif
