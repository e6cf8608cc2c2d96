/* A recorded program with its loops rolled up again, for programs with too many instructions to keep one by one.
 *
 * A piece is a loop: a body of instructions that is repeated `count` times. In iteration k, the id of every operand is
 * first + k·step, and so is the slot of every input. The code between two loops is a piece with one iteration. When a
 * loop is found, every operand of every iteration is compared with this rule. So `rolled_write` gives back the
 * recorded program.
 */
#ifndef GRADWALK_ROLLED_H
#define GRADWALK_ROLLED_H

#include "ir.h"

typedef struct {
    int32_t first, step; /* in iteration k: first + k·step */
} Stride;

typedef struct {
    int32_t start, length, count; /* instruction `at` of iteration k has the id start + k·length + at */
    int32_t body;                 /* where its body begins in the arrays of Rolled */
} Piece;

typedef struct {
    Arena memory; /* of what it points to */
    Piece *piece;
    int32_t piece_count, body_count, operand_total;
    uint8_t *code;
    int32_t *begin;    /* instruction b of the bodies has the operands begin[b] to begin[b + 1] */
    Stride *operand;   /* ids */
    double *number;    /* the number of an Ir, in iteration 0 */
    int32_t *step;     /* of an input: how far its slot moves. Of a const: where its numbers begin, or -1: has one */
    double *numbers;
    int32_t number_count;
    int64_t *place;    /* where it was recorded, one for all iterations */
    int32_t count, arg_count, slots; /* of the program, written out */
} Rolled;

/* Find the loops that have `least` instructions or more in all their iterations. `place` says where each instruction
 * was recorded. Returns NULL if loops make up less than half of the program, or, with *failed set, if there
 * is no memory. */
Rolled *rolled_new(const Ir *ir, const int64_t *place, int32_t least, bool *failed);
void rolled_free(Rolled *rolled);
size_t rolled_bytes(const Rolled *rolled);

/* Write the program out again. The arrays have room for count, count + 1, arg_count and count items. */
void rolled_write(const Rolled *rolled, uint8_t *code, int32_t *start, int32_t *arg, double *number);
void rolled_places(const Rolled *rolled, int64_t *place);

/* Find the piece that an id belongs to, in which iteration it is, and at which place of the body. */
const Piece *rolled_find(const Rolled *rolled, int32_t id, int32_t *iteration, int32_t *at);

/* The number of a const, or the slot of an input, in an iteration; b counts in the arrays of Rolled. */
static inline double
rolled_number(const Rolled *rolled, int32_t b, int32_t iteration)
{
    if (rolled->code[b] == INPUT) {
        return rolled->number[b] + (double)iteration * rolled->step[b];
    }
    bool varies = rolled->code[b] == CONST && rolled->step[b] >= 0;
    return varies ? rolled->numbers[rolled->step[b] + iteration] : rolled->number[b];
}

#endif
