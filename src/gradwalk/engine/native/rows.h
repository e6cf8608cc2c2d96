/* The rows of operations.h as functions over numbers: row_NAME returns the value and stores one derivative per
 * operand. A Python row without a C row still works, by calling Python. */
#ifndef GRADWALK_ROWS_H
#define GRADWALK_ROWS_H

#include "gamma.h"
#include "numbers.h"

typedef double (*UnaryRow)(double x, double *by_x);
typedef double (*BinaryRow)(double x, double y, double *by_x, double *by_y);
typedef double (*TernaryRow)(double x, double y, double z, double *by_x, double *by_y,
                             double *by_z);

/* The words of the rows, for numbers. */
#define less(a, b) ((a) < (b))
#define at_most(a, b) ((a) <= (b))
#define equal(a, b) ((a) == (b))
#define unequal(a, b) ((a) != (b))
#define either(p, q) ((p) || (q))
#define both(p, q) ((p) && (q))
#define choose(condition, a, b) ((condition) ? (a) : (b))

#define UNARY(name, symbol, value, slope_x, form, adjoint) \
    static double row_##name(double x, double *by_x)       \
    {                                                      \
        const double out = value;                          \
        *by_x = slope_x;                                   \
        return out;                                        \
    }
#define BINARY(name, symbol, value, slope_x, slope_y, form, adjoint)            \
    static double row_##name(double x, double y, double *by_x, double *by_y) \
    {                                                                           \
        const double out = value;                                               \
        *by_x = slope_x;                                                        \
        *by_y = slope_y;                                                        \
        return out;                                                             \
    }
#define TERNARY(name, symbol, value, slope_x, slope_y, slope_z, form, adjoint)                       \
    static double row_##name(double x, double y, double z, double *by_x, double *by_y, double *by_z) \
    {                                                                                                \
        const double out = value;                                                                    \
        *by_x = slope_x;                                                                             \
        *by_y = slope_y;                                                                             \
        *by_z = slope_z;                                                                             \
        return out;                                                                                  \
    }
#include "operations.h"

#undef less
#undef at_most
#undef equal
#undef unequal
#undef either
#undef both
#undef choose

#endif
