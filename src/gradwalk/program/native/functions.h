/* The rows that are computed a vector at a time: those of the forms VECTOR and TUNED in operations.h. Each is a
 * function, and so is each of its derivatives. functions_kernels.c runs them, and is compiled once per level.
 */
#ifndef GRADWALK_FUNCTIONS_H
#define GRADWALK_FUNCTIONS_H

#include "forms.h"
#include "ir.h"

enum {
#define UNARY(name, symbol, value, by_x, form, adjoint) IF_FUNCTION_##form(FUNCTION_##name, FUNCTION_by_x_##name, )
#define BINARY(name, symbol, value, by_x, by_y, form, adjoint) \
    IF_FUNCTION_##form(FUNCTION_##name, FUNCTION_by_x_##name, FUNCTION_by_y_##name, )
#define TERNARY(name, symbol, value, by_x, by_y, by_z, form, adjoint) \
    IF_FUNCTION_##form(FUNCTION_##name, FUNCTION_by_x_##name, FUNCTION_by_y_##name, FUNCTION_by_z_##name, )
#include OPERATIONS
    FUNCTION_COUNT
};

extern const char *const function_names[FUNCTION_COUNT]; /* "exp", "by_x_exp", … */
int function_of(int code);             /* the function that computes this row, or -1 */
int derivative_of(int row, int which); /* the function that computes its derivative by this operand, or -1 */

/* The functions of one level of kernels. */
typedef struct {
    /* y and z are NULL where the function has fewer operands. `out` may be any of them. */
    void (*apply)(int function, const double *x, const double *y, const double *z, double *out, int count);
} Functions;

const Functions *functions(void); /* of the level in use */

#endif
