/* Loops among the steps of a plan. A recorded loop is written out, and so is its plan. lanes_code.c writes code for one
 * round, and runs it once per round.
 *
 * The steps of all rounds are the same. A slot that they use is the same in all rounds, or moves by `slots` from each
 * round to the next. The inputs of INS move by `inputs`.
 */
#ifndef GRADWALK_LANES_LOOPS_H
#define GRADWALK_LANES_LOOPS_H

#include "lanes_plan.h"

/* Steps are counted without AHEAD, which may be anywhere. */
typedef struct {
    int32_t begin, period, count; /* the first step; the steps of a round; the rounds */
    int32_t slots, inputs;
} StepLoop;

typedef struct LoopFinder LoopFinder;

/* `plain` has the number of each step that is no AHEAD. NULL without memory. */
LoopFinder *lanes_loops_new(Arena *memory, const Lanes *plan, const int32_t *plain);

/* Find the first loop in the steps begin … end - 1, or return false. */
bool lanes_loops_next(LoopFinder *finder, int32_t begin, int32_t end, StepLoop *loop);

/* Set moves[slot] to `value` for the slots of the first round that move. */
void lanes_loops_mark(const LoopFinder *finder, const StepLoop *loop, uint8_t *moves, uint8_t value);

#endif
