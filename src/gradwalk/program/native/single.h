/* One scenario at a time. The instructions of one level and code, in the order of what they stand for,
 * become blocks: nested loops over values that lie at regular distances. A block of dots is a matrix product.
 */
#ifndef GRADWALK_SINGLE_H
#define GRADWALK_SINGLE_H

#include "../../engine/native/optimiser_loops.h"
#include "ir.h"

/* out[i·J + j] = code over k < K of the operands x, y, z, each at base + i·di + j·dj + k·dk. In dots, dk may grow by
 * `bend` with each k (the rows of a triangle) and by `twist` with each i (triangles side by side). */
typedef struct {
    int32_t base, di, dj, dk, bend, twist;
} Walker;

typedef struct {
    uint8_t code;
    uint8_t row;       /* of a partial derivative: the row's code */
    bool more;         /* add to the values already there: a further part of the same sums */
    bool listed;       /* irregular: J instructions of any code, one after the other, from `list` on */
    int32_t out, I, J, K;
    Walker x, y, z;    /* z.base of PICK is the place picked, not a position */
    int32_t list;
} Nest;

typedef struct {
    const char *name;
    /* Run all blocks on v. */
    void (*run)(const Nest *nests, int32_t count, const int32_t *list, double *v, double *spare, size_t spare_count);
    /* Copy; true when there is a nan or an inf. */
    bool (*copy)(double *to, const double *from, size_t count);
    void (*adam)(double *p, const double *g, double *mean, double *square, size_t n, const AdamStep *step);
} SingleKernels;

/* Those of the level in use. */
const SingleKernels *single_kernels(void);

typedef struct Single Single;
Single *single_new(const Ir *ir);
void single_free(Single *plan);
double *single_slots(Single *plan);
void single_run(Single *plan);
/* false when a gradient is nan or inf. */
bool single_results(const Single *plan, double *outputs, double *gradients);
int32_t single_block_count(const Single *plan);
size_t single_bytes(const Single *plan);
/* Where each result lies, counted from single_slots. */
const int32_t *single_positions(const Single *plan);
const Nest *single_blocks(const Single *plan); /* to look at: single_block_count of them */
const int32_t *single_list(const Single *plan);

#endif
