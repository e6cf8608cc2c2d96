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
 * a list of steps, run for each block of scenarios, over slots of `lanes` numbers. Where only the sum over scenarios of a value is
 * wanted, what is linear in it is done once, on the sum, at the end.
 */
#ifndef GRADWALK_LANES_H
#define GRADWALK_LANES_H

#include "rows.h"

typedef struct Lanes Lanes;

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

enum { LANES_DONE = 0, LANES_NO_MEMORY = -1, LANES_STOPPED = -2 };

/* Run `count` scenarios. Slot s of scenario i is the double at base[s] + i·stride[s].
 * outputs: count × outputs. grads: count × gradients, or NULL. totals: gradients, or NULL; needs a
 * plan with `sums`, and then holds the sums for shared slots, while grads holds the rest: what is
 * not theirs is left as it was.
 * The calling thread works, too, and calls `listen` between blocks; when the watch's `stop` is not 0,
 * all end soon, and the answer is LANES_STOPPED. The numbers do not depend on `threads`. */
int lanes_run(Lanes *plan, const char *const *base, const int64_t *stride, int64_t count,
              double *outputs, double *grads, double *totals, int threads, Watch *watch);

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
 * A step reads rows of numbers, one per scenario of the block, and writes one: slot `out`. Its operands x, y and z are
 * slots, or ~n for uniform number n. The first steps are the rows of rows.h. The others: how many of x, y and z are
 * operands, and whether `out` is a slot. The entries of a table are operands, too, except where it is said. */
#define LANES_OTHER(STEP) \
    STEP(PICK, 1, true)      /* Σ of the second of the z pairs at table y whose first, made whole, is x */ \
    STEP(TAKE, 1, true)      /* entry x of the z entries at table y, or the nearest one */ \
    STEP(PRODUCTS, 0, false) /* x slots = sums of z products; table y: z slots, x uniform numbers for each, the x slots */ \
    STEP(SUM, 1, false)      /* total `out` += x */ \
    STEP(SUM2, 2, false)     /* total `out` += x·y */ \
    STEP(SUMS, 0, false)     /* table y: x slots, z slots, x × z numbers of totals: each += the product of its slots */ \
    STEP(SUMPICKS, 2, false) /* total i - `out` += y, where i is x; table z: how many totals, then their numbers */ \
    STEP(IN, 0, true)        /* input y of the scenarios */ \
    STEP(INS, 0, false)      /* the eight slots at table z = inputs from y on */ \
    STEP(AHEAD, 0, false)    /* input y of scenarios z … z + 7 will be wanted soon */ \
    STEP(OUT, 1, false)      /* result `out` of the scenarios = x */ \
    STEP(POLL, 0, false)     /* ends when *stop */ \
    STEP(END, 0, false)

enum {
    STEP_BEFORE = ROW_COUNT - 1,
#define STEP(name, reads, writes) STEP_##name,
    LANES_OTHER(STEP)
#undef STEP
    STEP_COUNT
};

enum { LANES_ABREAST = 4 }; /* at most: sums of PRODUCTS, rows of SUMS */

/* The interpreter keeps the last row in registers, and has hot rows in several forms: whether each operand is that row
 * (A), a slot (m) or a uniform number (s). Of x and y of a ternary row, which multiplies them, x is the one in registers
 * and y the uniform number. The twin of each form, one higher, does not store what only the next step reads. */
#define FORMS_1(FORM, row, value) FORM(row, m, m, m, value) FORM(row, A, m, m, value)
#define FORMS_2(FORM, row, value) \
    FORM(row, m, m, m, value) FORM(row, m, s, m, value) FORM(row, s, m, m, value) FORM(row, A, m, m, value) \
    FORM(row, A, s, m, value) FORM(row, m, A, m, value) FORM(row, s, A, m, value)
#define FORMS_3(FORM, row, value) \
    FORM(row, m, m, m, value) FORM(row, m, s, m, value) FORM(row, m, m, s, value) FORM(row, m, s, s, value) \
    FORM(row, m, m, A, value) FORM(row, m, s, A, value) FORM(row, A, m, m, value) FORM(row, A, s, m, value) \
    FORM(row, A, m, s, value) FORM(row, A, s, s, value)
#define LANES_HOT(ROW) \
    ROWS_HOT(ROW) \
    ROW(C_maximum, 2, NAME(row_maximum)(x, y)) \
    ROW(C_minimum, 2, NAME(row_minimum)(x, y)) \
    ROW(by_x_maximum, 2, NAME(by_x_maximum)(x, y)) \
    ROW(by_y_maximum, 2, NAME(by_y_maximum)(x, y)) \
    ROW(GATE, 2, v_select(v_lt(v_set(0), y), x, v_set(0))) \
    ROW(C_relu, 1, NAME(row_relu)(x)) \
    ROW(C_sqrt, 1, NAME(row_sqrt)(x))
#define HOT_FORMS(row, operands, value) FORMS_##operands(FORM, row, value)
#define LANES_FORMS LANES_HOT(HOT_FORMS)

enum {
    FORM_CALL, /* of a row: its kernel in rows_kernels.c */
#define FORM(row, kx, ky, kz, value) FORM_##row##_##kx##ky##kz, FORM_##row##_##kx##ky##kz##_kept,
    LANES_FORMS
#undef FORM
    FORM_SUM_A, FORM_SUM2_A, /* A: x is the row in registers */
    FORM_OTHER /* of LANES_OTHER, in that order */
};

typedef struct {
    int16_t step, form; /* until it has a form: bit k: operand k is read for the last time */
    int32_t out, x, y, z;
} Step;

/* One block of scenarios, as a kernel sees it. */
typedef struct {
    const Step *steps;
    char *memory;            /* slot s is at s · lanes numbers */
    const double *uniform;
    const double *spread;    /* the same for machine code: see lanes_code_lanes */
    const int32_t *table;
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

#endif
