/* One scenario of a rolled program: each piece is planned once and run as often as it has iterations.
 *
 * All values that one iteration hands to another, or to another piece, lie in one array of numbers, `v`:
 *
 *     the slots | for each piece its rows, a row of `writes` values for each iteration | numbers of consts that vary
 *
 * A body reads v[first + k·step] in iteration k, so that a value carried over from the iteration before is an ordinary
 * read, a row back. The rows before the first hold copies of what the first iterations read instead.
 *
 * The gradient walks the pieces and their iterations backwards. `c` holds a gradient for each number of v. The
 * backward body reads what the forward one reads, computes it again, and turns the gradients of its writes into
 * those of its reads, which are added to `c`.
 */
#ifndef GRADWALK_STRETCHES_H
#define GRADWALK_STRETCHES_H

#include "rolled.h"

typedef struct Stretches Stretches;

/* `rolled` must outlive it. Returns NULL with *failed where there is no memory, and without where the values that one
 * operand reads do not lie at a regular distance. */
Stretches *stretches_new(const Rolled *rolled, const int32_t *result, const double *seeds, int32_t outputs,
                         const int32_t *wrt, int32_t wrt_count, bool fast, bool *failed);
void stretches_free(Stretches *all);
double *stretches_slots(Stretches *all); /* to be filled before a run; NULL without memory */
/* false where a gradient is nan or inf, or an index is out of range. */
bool stretches_run(Stretches *all, double *outputs, double *gradients);
void stretches_rest(Stretches *all); /* free what only a run needs, where it is much */
size_t stretches_bytes(const Stretches *all);
int32_t stretches_block_count(const Stretches *all);

#endif
