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

#define OVER(function) \
    for (; i + VL <= count; i += VL) { \
        d_store(out + i, d_##function(d_load(in + i))); \
    } \
    if (i < count) { \
        store_some(out + i, d_##function(load_some(in + i, count - i)), count - i); \
    } \
    break;

static void
apply(int function, const double *in, double *out, int count)
{
    int i = 0;
    switch (function) {
#define ROW(name, slope) \
    case FUNCTION_##name: \
        OVER(name) \
    case FUNCTION_by_##name: \
        OVER(slope)
#define BARE(name) \
    case FUNCTION_##name: \
        OVER(name)
        VECTOR_ROWS(ROW, BARE)
    default:
        break;
    }
}

static D
power_of(int which, D x, D y)
{
    return which == 0 ? d_pow(x, y) : which == 1 ? d_pow_by_base(x, y) : d_pow_by_exponent(x, y);
}

static void
apply_pow(int which, const double *x, const double *y, double *out, int count)
{
    int i = 0;
    for (; i + VL <= count; i += VL) {
        d_store(out + i, power_of(which, d_load(x + i), d_load(y + i)));
    }
    if (i < count) {
        D result = power_of(which, load_some(x + i, count - i), load_some(y + i, count - i));
        store_some(out + i, result, count - i);
    }
}

const Functions JOIN(functions, LEVEL) = {.apply = apply, .pow = apply_pow};
