/* The rows of the operation table that vmath.h computes over vectors. One line here gives an operation its code, its
 * vector form in single calls and over lanes, and its name in the tests.
 *
 *     ROW(name, slope)   d_name(x) is the value, d_slope(x) the derivative
 *     BARE(name)         the adjoint writes the derivative out itself
 *
 * An operation without a line here is computed one number at a time, by scalar.c. functions_kernels.c runs these, and
 * is compiled once for each kind of processor.
 */
#ifndef GRADWALK_FUNCTIONS_H
#define GRADWALK_FUNCTIONS_H

#include "ir.h"

#define VECTOR_ROWS(ROW, BARE) \
    ROW(exp, exp) \
    ROW(expm1, by_expm1) \
    ROW(exp2, by_exp2) \
    BARE(log) \
    ROW(log1p, by_log1p) \
    ROW(log2, by_log2) \
    ROW(log10, by_log10) \
    ROW(cbrt, by_cbrt) \
    BARE(sin) \
    BARE(cos) \
    ROW(tan, by_tan) \
    ROW(atan, by_atan) \
    ROW(sinh, cosh) \
    ROW(cosh, sinh) \
    ROW(tanh, by_tanh) \
    ROW(asinh, by_asinh) \
    ROW(acosh, by_acosh) \
    ROW(atanh, by_atanh) \
    ROW(sigmoid, by_sigmoid) \
    ROW(softplus, by_softplus) \
    ROW(silu, by_silu) \
    ROW(gelu, by_gelu) \
    ROW(erf, by_erf) \
    ROW(erfc, by_erfc)

enum {
#define ROW(name, slope) FUNCTION_##name, FUNCTION_by_##name,
#define BARE(name) FUNCTION_##name,
    VECTOR_ROWS(ROW, BARE)
#undef ROW
#undef BARE
    FUNCTION_COUNT
};

extern const char *const function_names[FUNCTION_COUNT]; /* "exp", "by_exp", … */
int function_of(int code);  /* the function that computes this code, or -1 */
int derivative_of(int row); /* the function that computes the derivative of this row, or -1 */

/* The functions of one level of kernels. */
typedef struct {
    void (*apply)(int function, const double *in, double *out, int count); /* `in` may be `out` */
    /* x ** y; which 1: its derivative by x, 2: by y. `out` may be either. */
    void (*pow)(int which, const double *x, const double *y, double *out, int count);
} Functions;

const Functions *functions(void); /* of the level in use, exact */

#endif
