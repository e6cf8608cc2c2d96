/* One scenario of a rolled program: each piece is planned once and run as often as it has iterations.
 *
 * A stretch is a piece that can be run. Values that another iteration or another piece reads are its writes. They are
 * stored in one array of numbers, `v`:
 *
 *     the slots | the rows of each stretch: one row for each iteration | the numbers of consts that vary
 *
 * In iteration k a body reads v[first + k·step]. A value of the iteration before is one row back, and is read like any
 * other. The first iterations have no rows before them, so there are copies of what they read.
 *
 * The gradient is computed piece by piece and iteration by iteration, from the last to the first. `c` has a gradient
 * for each number of v. The backward body takes the gradients of the writes and adds to those of the reads. It also
 * needs some values of the forward body, which are kept behind the numbers that have gradients.
 */
#ifndef GRADWALK_STRETCHES_H
#define GRADWALK_STRETCHES_H

#include "rolled.h"

typedef struct Stretches Stretches;

/* `rolled` must not be freed before the stretches are. Returns NULL if the values that an operand reads do not lie at
 * one distance in v, or, with *failed set, if there is no memory. */
Stretches *stretches_new(const Rolled *rolled, const int32_t *result, const double *seeds, int32_t outputs,
                         const int32_t *wrt, int32_t wrt_count, bool fast, bool *failed);
void stretches_free(Stretches *all);
double *stretches_slots(Stretches *all); /* to be filled before a run; NULL without memory */
/* Returns false if a gradient is nan or inf. */
bool stretches_run(Stretches *all, double *outputs, double *gradients);
void stretches_rest(Stretches *all); /* free the memory of a run, if it is large */
size_t stretches_bytes(const Stretches *all);
int32_t stretches_block_count(const Stretches *all);

#endif
