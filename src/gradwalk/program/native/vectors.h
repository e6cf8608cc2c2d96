/* The vectors of a level under one name, for kernels that are compiled over doubles and over floats: a file defines REAL
 * as double or float, and gets V, v_set, v_lt, … and WIDE, the numbers in a vector. NAME(f) is f_double or f_float.
 */
#ifndef GRADWALK_VECTORS_H
#define GRADWALK_VECTORS_H

#pragma GCC diagnostic ignored "-Wunused-function"
#include "vmath.h"

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)

#ifndef LEVEL
#define LEVEL base
#endif
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

#if VECTORS
#define INLINE inline __attribute__((always_inline))
#else
#define INLINE inline
#endif
#if defined(__clang__)
#define UNROLL _Pragma("unroll")
#elif defined(__GNUC__)
#define UNROLL _Pragma("GCC unroll 8")
#else
#define UNROLL
#endif

#if VECTORS
/* Numbers of a and b, by their places in both together. */
typedef int64_t Places4 __attribute__((vector_size(32)));
#ifdef __clang__
#define SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#define SHUFFLE_4 SHUFFLE
#else
#define SHUFFLE(a, b, ...) __builtin_shuffle(a, b, (L){__VA_ARGS__})
#define SHUFFLE_4(a, b, ...) __builtin_shuffle(a, b, (Places4){__VA_ARGS__})
#endif
#endif

/* Turn VL rows into columns. */
#if VL == 8
static inline void
turn(D row[8])
{
    __m512d a[8], b[8];
    for (int k = 0; k < 8; k += 2) {
        a[k] = _mm512_unpacklo_pd((__m512d)row[k], (__m512d)row[k + 1]);
        a[k + 1] = _mm512_unpackhi_pd((__m512d)row[k], (__m512d)row[k + 1]);
    }
    for (int k = 0; k < 2; k++) {
        for (int h = 0; h < 8; h += 4) { /* 128-bit parts of four rows */
            b[h + k] = _mm512_shuffle_f64x2(a[h + k], a[h + k + 2], 0x88);
            b[h + k + 2] = _mm512_shuffle_f64x2(a[h + k], a[h + k + 2], 0xDD);
        }
    }
    for (int k = 0; k < 4; k++) {
        __m512d even = _mm512_shuffle_f64x2(b[k], b[k + 4], 0x88);
        __m512d odd = _mm512_shuffle_f64x2(b[k], b[k + 4], 0xDD);
        row[k] = (D)even;
        row[k + 4] = (D)odd;
    }
}
#elif VL == 4
static inline void
turn(D row[4])
{
    __m256d a = _mm256_unpacklo_pd((__m256d)row[0], (__m256d)row[1]);
    __m256d b = _mm256_unpackhi_pd((__m256d)row[0], (__m256d)row[1]);
    __m256d c = _mm256_unpacklo_pd((__m256d)row[2], (__m256d)row[3]);
    __m256d d = _mm256_unpackhi_pd((__m256d)row[2], (__m256d)row[3]);
    row[0] = (D)_mm256_permute2f128_pd(a, c, 0x20);
    row[1] = (D)_mm256_permute2f128_pd(b, d, 0x20);
    row[2] = (D)_mm256_permute2f128_pd(a, c, 0x31);
    row[3] = (D)_mm256_permute2f128_pd(b, d, 0x31);
}
#else
static inline void
turn(D *row)
{
#if VECTORS
    D low = {row[0][0], row[1][0]}, high = {row[0][1], row[1][1]};
    row[0] = low;
    row[1] = high;
#else
    (void)row;
#endif
}
#endif

typedef D V_double;
#if VECTORS
typedef D V_any_double __attribute__((aligned(8))); /* the same at any address of a number */
#else
typedef D V_any_double;
#endif
typedef M M_double;
#define set_double d_set
#define lt_double d_lt
#define le_double d_le
#define eq_double d_eq
#define ne_double d_ne
#define select_double d_select
#define or_double m_or
#define and_double m_and
#define sqrt_double d_sqrt
#define abs_double d_abs
#define floor_double d_floor
#define trunc_double d_trunc
#define WIDE_double VL

#if VECTORS
#define WIDE_float (2 * VL)
typedef float V_float __attribute__((vector_size(VL * 8), may_alias));
typedef V_float V_any_float __attribute__((aligned(4)));
typedef int32_t I_float __attribute__((vector_size(VL * 8), may_alias));
#define set_float(x) ((float)(x) - (V_float){0})
#if VL == 8
typedef __mmask16 M_float;
#define lt_float(x, y) _mm512_cmp_ps_mask((__m512)(x), (__m512)(y), _CMP_LT_OQ)
#define le_float(x, y) _mm512_cmp_ps_mask((__m512)(x), (__m512)(y), _CMP_LE_OQ)
#define eq_float(x, y) _mm512_cmp_ps_mask((__m512)(x), (__m512)(y), _CMP_EQ_OQ)
#define ne_float(x, y) _mm512_cmp_ps_mask((__m512)(x), (__m512)(y), _CMP_NEQ_UQ)
#define select_float(m, x, y) ((V_float)_mm512_mask_blend_ps(m, (__m512)(y), (__m512)(x)))
#define or_float(a, b) ((M_float)((a) | (b)))
#define and_float(a, b) ((M_float)((a) & (b)))
#define sqrt_float(x) ((V_float)_mm512_sqrt_ps((__m512)(x)))
#define floor_float(x) \
    ((V_float)_mm512_roundscale_ps((__m512)(x), _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC))
#define trunc_float(x) \
    ((V_float)_mm512_roundscale_ps((__m512)(x), _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC))
#else
typedef I_float M_float;
#define lt_float(x, y) ((I_float)((x) < (y)))
#define le_float(x, y) ((I_float)((x) <= (y)))
#define eq_float(x, y) ((I_float)((x) == (y)))
#define ne_float(x, y) ((I_float)((x) != (y)))
#define or_float(a, b) ((a) | (b))
#define and_float(a, b) ((a) & (b))
#define select_float(m, x, y) \
    ((V_float)(((I_float)(V_float)(x) & (m)) | ((I_float)(V_float)(y) & ~(m))))
#define EACH_FLOAT(name, f) \
    static inline V_float name(V_float x) \
    { \
        for (int k = 0; k < WIDE_float; k++) { \
            x[k] = f(x[k]); \
        } \
        return x; \
    }
#if VL == 4
#define sqrt_float(x) ((V_float)_mm256_sqrt_ps((__m256)(x)))
#elif defined(__SSE2__)
#define sqrt_float(x) ((V_float)_mm_sqrt_ps((__m128)(x)))
#else
EACH_FLOAT(sqrt_float, sqrtf)
#endif
EACH_FLOAT(floor_float, floorf)
EACH_FLOAT(trunc_float, truncf)
#endif
#define abs_float(x) ((V_float)((I_float)(x) & (I_float)(0x7FFFFFFF - (I_float){0})))
#else
#define WIDE_float 1
typedef float V_float, V_any_float;
typedef int M_float;
#define set_float(x) ((float)(x))
#define lt_float d_lt
#define le_float d_le
#define eq_float d_eq
#define ne_float d_ne
#define select_float(m, x, y) ((m) ? (float)(x) : (float)(y))
#define or_float m_or
#define and_float m_and
#define sqrt_float sqrtf
#define abs_float fabsf
#define floor_float floorf
#define trunc_float truncf
#endif

#define OF_(name, real) name##_##real
#define OF(name, real) OF_(name, real)
#define V OF(V, REAL)
#define V_ANY OF(V_any, REAL)
#define v_set(x) OF(set, REAL)(x)
#define v_lt(x, y) OF(lt, REAL)(x, y)
#define v_le(x, y) OF(le, REAL)(x, y)
#define v_eq(x, y) OF(eq, REAL)(x, y)
#define v_ne(x, y) OF(ne, REAL)(x, y)
#define v_or(x, y) OF(or, REAL)(x, y)
#define v_and(x, y) OF(and, REAL)(x, y)
#define v_select(m, x, y) OF(select, REAL)(m, x, y)
#define v_sqrt(x) OF(sqrt, REAL)(x)
#define v_abs(x) OF(abs, REAL)(x)
#define v_floor(x) OF(floor, REAL)(x)
#define v_trunc(x) OF(trunc, REAL)(x)
#define v_one(m) v_select(m, v_set(1), v_set(0))
#define WIDE OF(WIDE, REAL)
#define NAME(name) OF(name, REAL)
/* x ** 0.5: inf at -inf, 0 at -0 */
#define v_root(x) v_select(v_eq(x, v_set(-INFINITY)), v_set(INFINITY), v_sqrt((x) + v_set(0)))
#define AT(p, j) (*(const V *)((const char *)(p) + (j) * sizeof(V))) /* vector j */

#endif
