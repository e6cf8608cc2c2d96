/* The rows: what is computed number by number, over any count of numbers. One set of kernels for a block of one
 * scenario and for a block of scenarios; rows_kernels.c is compiled once per level.
 *
 * The number of a row is its code of ir.h. After the codes come what only the lanes have, and the derivatives of
 * operations.h.
 */
#ifndef GRADWALK_ROWS_H
#define GRADWALK_ROWS_H

#include "ir.h"

/* The arithmetic of the passes: row, operands, and its value over vectors x, y and z. First what most programs do most. */
#define ROWS_HOT(ROW) \
    ROW(C_add, 2, x + y) \
    ROW(C_mul, 2, x * y) \
    ROW(C_neg, 1, -x) \
    ROW(C_sub, 2, x - y) \
    ROW(C_div, 2, x / y) \
    ROW(SQUARE, 1, x * x) \
    ROW(CHOOSE, 2, v_select(v_ne(x, v_set(0)), y, v_set(0))) \
    ROW(DRAW, 2, x / y) \
    ROW(ADD_PRODUCT, 3, z + x * y) \
    ROW(LESS_PRODUCT, 3, z - x * y)
#define ROWS_CORE(ROW) \
    ROWS_HOT(ROW) \
    ROW(LT, 2, v_one(v_lt(x, y))) \
    ROW(LE, 2, v_one(v_le(x, y))) \
    ROW(GT, 2, v_one(v_lt(y, x))) \
    ROW(GE, 2, v_one(v_le(y, x))) \
    ROW(EQ, 2, v_one(v_eq(x, y))) \
    ROW(NE, 2, v_one(v_ne(x, y))) \
    ROW(ROOT, 1, v_root(x)) \
    ROW(INVERSE, 1, v_set(1) / x) \
    ROW(INVERSE_ROOT, 1, v_set(1) / v_root(x)) \
    ROW(GATE, 2, v_select(v_lt(v_set(0), y), x, v_set(0))) \
    ROW(REFUSE, 2, v_select(v_ne(x, v_set(0)), v_set(0), y)) \
    ROW(COPY, 1, x)

enum {
    COPY = CODE_COUNT, /* x */
    ADD_PRODUCT,       /* x, y, z: z + x·y, with the product rounded by itself */
    LESS_PRODUCT,      /* z - x·y */
#define UNARY(name, symbol, value, by_x, form, adjoint) by_x_##name,
#define BINARY(name, symbol, value, by_x, by_y, form, adjoint) by_x_##name, by_y_##name,
#define TERNARY(name, symbol, value, by_x, by_y, by_z, form, adjoint) by_x_##name, by_y_##name, by_z_##name,
#include OPERATIONS
    ROW_COUNT
};

const char *row_name(int row);   /* "exp", "copy", "by_x_exp", … */
int row_of(int code, int which); /* which: 0 the value, 1 … its derivative by that operand */

/* How the numbers of a row are made: by the operations of scalar.c, so with the same bits; by a vector function with
 * digits of its own; by scalar.c. */
enum { ROW_EXACT, ROW_FUNCTION, ROW_SCALAR };
typedef struct {
    uint8_t operands, form;
} RowInfo;
extern const RowInfo row_info[ROW_COUNT];

/* Compute `count` numbers, whole vectors of them: what lies behind `out` is overwritten by rows of the form ROW_EXACT.
 * Bit k of `still`: operand k is one double for all. `out` may be an operand. */
typedef void (*Row)(void *out, const void *x, const void *y, const void *z, int still, int count);

typedef struct {
    const Row *row[2]; /* over doubles, over floats: ROW_COUNT of each */
} Rows;

const Rows *rows(void); /* of the level in use */

#endif
