/* A recorded program with its loops rolled up again, for programs with too many instructions to keep one by one.
 *
 * A piece is a body of instructions that follow each other, done `count` times. In iteration k every operand is
 * first + k·step, and so is the slot of every input. What lies between loops are pieces of one iteration. Each operand
 * was compared with this rule when the loop was found, so that `rolled_write` gives back the recorded program.
 */
#ifndef GRADWALK_ROLLED_H
#define GRADWALK_ROLLED_H

#include "ir.h"

typedef struct {
    int32_t first, step; /* in iteration k: first + k·step */
} Stride;

typedef struct {
    int32_t start, length, count; /* its ids are start + k·length + at */
    int32_t body;                 /* its first instruction in the arrays below */
} Piece;

typedef struct {
    Piece *piece;
    int32_t piece_count, body_count, operand_total;
    uint8_t *code;
    int32_t *begin;    /* instruction b of a body has the operands begin[b] to begin[b + 1] */
    Stride *operand;   /* ids */
    double *number;    /* as in an Ir, in iteration 0 */
    int32_t *step;     /* of an input: the slot's. Of a const: where `numbers` has one for each iteration, or -1 */
    double *numbers;
    int32_t number_count;
    int64_t *place;    /* where it was recorded, one for all iterations */
    int32_t count, arg_count, slots; /* of the program, written out */
} Rolled;

/* Find the loops of `least` instructions or more. Returns NULL with *failed where there is no memory, and without
 * where loops are less than three quarters of the program. `place` has a number for each instruction. */
Rolled *rolled_new(const Ir *ir, const int64_t *place, int32_t least, bool *failed);
void rolled_free(Rolled *rolled);
size_t rolled_bytes(const Rolled *rolled);

/* The program again: arrays of `count`, count + 1, arg_count and `count`. */
void rolled_write(const Rolled *rolled, uint8_t *code, int32_t *start, int32_t *arg, double *number);
void rolled_places(const Rolled *rolled, int64_t *place);

/* The piece of an id, and its iteration. */
const Piece *rolled_find(const Rolled *rolled, int32_t id, int32_t *iteration, int32_t *at);

#endif
