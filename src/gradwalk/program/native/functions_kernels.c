/* Functions over arrays, a vector at a time; compiled once for each kind of processor, under the name in LEVEL. */

#include "functions.h"
#pragma GCC diagnostic ignored "-Wunused-function"
#include "vmath.h"

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)
#ifndef LEVEL
#define LEVEL base
#endif

/* The last numbers of an array, where they are fewer than a vector has: filled up with the first of them, since what
 * lies behind may be something that a function does slowly. */
static inline D
load_some(const double *in, int count)
{
#if VL == 8
    return (D)_mm512_mask_loadu_pd(_mm512_set1_pd(in[0]), (__mmask8)((1u << count) - 1), in);
#else
    double some[VL];
    for (int k = 0; k < VL; k++) {
        some[k] = in[k < count ? k : 0];
    }
    return d_load(some);
#endif
}

static inline void
store_some(double *out, D x, int count)
{
#if VL == 8
    _mm512_mask_storeu_pd(out, (__mmask8)((1u << count) - 1), (__m512d)x);
#else
    double some[VL];
    d_store(some, x);
    for (int k = 0; k < count; k++) {
        out[k] = some[k];
    }
#endif
}

#define CALLS
#define T D
#define OVER(name) vector_##name
#define WORD(name) d_##name
#include "vector_rows.h"

/* What computes the rows of each form. */
#define VALUE_OF_VECTOR(name) vector_row_##name
#define VALUE_OF_TUNED(name) d_##name
#define VALUE_OF_TUNED_SLOPE(name) d_##name
#define VALUE_OF_TUNED_BOTH(name) d_##name
#define SLOPE_OF_VECTOR(name) vector_by_x_##name
#define SLOPE_OF_TUNED(name) d_by_##name
#define SLOPE_OF_TUNED_SLOPE(name) d_by_##name
#define SLOPE_OF_TUNED_BOTH(name) d_by_##name
#define SLOPES_OF_VECTOR(which, name) vector_by_##which##_##name
#define SLOPES_OF_TUNED(which, name) d_by_##which##_##name
#define SLOPES_OF_TUNED_SLOPE(which, name) d_by_##which##_##name

#define CASE_1(function, compute) \
    case FUNCTION_##function: \
        for (; i + VL <= count; i += VL) { \
            d_store(out + i, compute(d_load(x + i))); \
        } \
        if (i < count) { \
            store_some(out + i, compute(load_some(x + i, count - i)), count - i); \
        } \
        break;
#define CASE_2(function, compute) \
    case FUNCTION_##function: \
        for (; i + VL <= count; i += VL) { \
            d_store(out + i, compute(d_load(x + i), d_load(y + i))); \
        } \
        if (i < count) { \
            int rest = count - i; \
            store_some(out + i, compute(load_some(x + i, rest), load_some(y + i, rest)), rest); \
        } \
        break;
#define CASE_3(function, compute) \
    case FUNCTION_##function: \
        for (; i + VL <= count; i += VL) { \
            d_store(out + i, compute(d_load(x + i), d_load(y + i), d_load(z + i))); \
        } \
        if (i < count) { \
            int rest = count - i; \
            D result = compute(load_some(x + i, rest), load_some(y + i, rest), load_some(z + i, rest)); \
            store_some(out + i, result, rest); \
        } \
        break;

static void
apply(int function, const double *x, const double *y, const double *z, double *out, int count)
{
    (void)z; /* no row with three operands needs it yet */
    int i = 0;
    switch (function) {
#define UNARY(name, symbol, value, by_x, form, adjoint) \
    IF_FUNCTION_##form(CASE_1(name, VALUE_OF_##form(name)) CASE_1(by_x_##name, SLOPE_OF_##form(name)))
#define BINARY(name, symbol, value, by_x, by_y, form, adjoint) \
    IF_FUNCTION_##form(CASE_2(name, VALUE_OF_##form(name)) CASE_2(by_x_##name, SLOPES_OF_##form(x, name)) \
                  CASE_2(by_y_##name, SLOPES_OF_##form(y, name)))
#define TERNARY(name, symbol, value, by_x, by_y, by_z, form, adjoint) \
    IF_FUNCTION_##form(CASE_3(name, VALUE_OF_##form(name)) CASE_3(by_x_##name, SLOPES_OF_##form(x, name)) \
                  CASE_3(by_y_##name, SLOPES_OF_##form(y, name)) CASE_3(by_z_##name, SLOPES_OF_##form(z, name)))
#include OPERATIONS
    default:
        break;
    }
}

const Functions JOIN(functions, LEVEL) = {.apply = apply};
