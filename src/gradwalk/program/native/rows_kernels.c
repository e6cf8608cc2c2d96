/* The rows over arrays; compiled once for each kind of processor, under the name in LEVEL. This file includes itself once
 * for each kind of number: start reading at "A kernel".
 */

#ifndef REAL /* ── Once ───────────────────────────────────────────────────────────────────────────── */

#include "rows.h"
#include "vectors.h"

/* The last numbers of an array, where they are fewer than a vector has: filled up with the first of them, since what
 * lies behind may be something that a function does slowly. */
#if VL == 8
static inline D
load_some(const double *in, int count)
{
    return (D)_mm512_mask_loadu_pd(_mm512_set1_pd(in[0]), (__mmask8)((1u << count) - 1), in);
}

static inline void
store_some(double *out, D x, int count)
{
    _mm512_mask_storeu_pd(out, (__mmask8)((1u << count) - 1), (__m512d)x);
}
#else
static KEEP_OUT D
load_some(const double *in, int count)
{
    double some[VL];
    for (int k = 0; k < VL; k++) {
        some[k] = in[k < count ? k : 0];
    }
    return d_load(some);
}

static KEEP_OUT void
store_some(double *out, D x, int count)
{
    double some[VL];
    d_store(some, x);
    for (int k = 0; k < count; k++) {
        out[k] = some[k];
    }
}
#endif

/* Numbers i … of an operand of a function. */
static inline D
some_of(const double *in, int i, int count, bool still)
{
    return still ? d_set(in[0]) : count - i >= VL ? d_load(in + i) : load_some(in + i, count - i);
}

#define CALLS
#define T D
#define OVER(name) vector_##name
#define WORD(name) d_##name
#include "vector_rows.h"

/* Run a row of doubles over floats. */
static KEEP_OUT void
widen(Row row, int operands, float *out, const void *x, const void *y, const void *z, int still, int count)
{
    enum { PART = 64 };
    const void *given[3] = {x, y, z};
    double wide[3][PART];
    for (int i = 0; i < count; i += PART) {
        int part = count - i < PART ? count - i : PART;
        for (int k = 0; k < operands; k++) {
            for (int j = 0; j < part; j++) {
                wide[k][j] = still >> k & 1 ? *(const double *)given[k] : (double)((const float *)given[k])[i + j];
            }
        }
        row(wide[0], wide[0], wide[1], wide[2], 0, part);
        for (int j = 0; j < part; j++) {
            out[i + j] = (float)wide[0][j];
        }
    }
}

/* How the rows of each form are computed: KIND(row, operands, value). CORE rows are in ROWS_CORE. */
#define VALUE_CORE(name, count, ...)
#define VALUE_CHEAP(name, count, ...) EXACT(C_##name, count, NAME(row_##name)(__VA_ARGS__))
#define VALUE_VECTOR(name, count, ...) FUNCTION(C_##name, count, vector_row_##name(__VA_ARGS__))
#define VALUE_TUNED(name, count, ...) FUNCTION(C_##name, count, d_##name(__VA_ARGS__))
#define VALUE_TUNED_SLOPE VALUE_TUNED
#define VALUE_TUNED_BOTH VALUE_TUNED
#define VALUE_SCALAR(name, count, ...) EACH(C_##name, count, scalar_row(C_##name, x, y, z))
#define VALUE_SCALAR_SLOPE VALUE_SCALAR
#define SLOPE_CORE(side, name, which, count, ...) SLOPE_SCALAR(side, name, which, count, )
#define SLOPE_CHEAP(side, name, which, count, ...) EXACT(by_##side##_##name, count, NAME(by_##side##_##name)(__VA_ARGS__))
#define SLOPE_VECTOR(side, name, which, count, ...) \
    FUNCTION(by_##side##_##name, count, vector_by_##side##_##name(__VA_ARGS__))
#define SLOPE_TUNED(side, name, which, count, ...) FUNCTION(by_##side##_##name, count, SLOPE_OF_##count(side, name)(__VA_ARGS__))
#define SLOPE_OF_1(side, name) d_by_##name
#define SLOPE_OF_2(side, name) d_by_##side##_##name
#define SLOPE_TUNED_SLOPE SLOPE_TUNED
#define SLOPE_TUNED_BOTH SLOPE_TUNED
#define SLOPE_SCALAR(side, name, which, count, ...) \
    EACH(by_##side##_##name, count, scalar_partial(C_##name, which, x, y, z))
#define SLOPE_SCALAR_SLOPE SLOPE_SCALAR

#define SELF "rows_kernels.c"
#define REAL double
#include SELF
#undef REAL
#define REAL float
#define SINGLE
#include SELF
#undef REAL

const Rows JOIN(rows, LEVEL) = {.row = {table_double, table_float}};

#else /* ── A kernel ──────────────────────────────────────────────────────────────────────────────── */

#undef T
#define T V
#define OVER(name) OF(name, REAL)
#define WORD(name) v_##name
#include "vector_rows.h"

#define KERNEL(row) NAME(kernel_##row)
#define OPERANDS void *out, const void *px, const void *py, const void *pz, int still, int count
#define UNUSED (void)px, (void)py, (void)pz, (void)still

#define ALL(p, bit) (still & bit ? v_set(*(const double *)p) : v_set(0))
#define OPERAND(p, bit) (still & bit ? p##_all : *(const V_ANY *)((const REAL *)p + i))
#define ALL_1 const V px_all = ALL(px, 1);
#define ALL_2 ALL_1 const V py_all = ALL(py, 2);
#define ALL_3 ALL_2 const V pz_all = ALL(pz, 4);
#define EACH_1 const V x = OPERAND(px, 1);
#define EACH_2 EACH_1 const V y = OPERAND(py, 2);
#define EACH_3 EACH_2 const V z = OPERAND(pz, 4);
#define CASE(row, which) \
    case which: \
        NAME(loop_##row)(out, px, py, pz, which, count); \
        break;
#define CASES_1(row) CASE(row, 0) CASE(row, 1)
#define CASES_2(row) CASES_1(row) CASE(row, 2) CASE(row, 3)
#define CASES_3(row) CASES_2(row) CASE(row, 4) CASE(row, 5) CASE(row, 6) CASE(row, 7)

/* Which operands are still is known to the compiler. */
#define EXACT(row, operands, value) \
    static INLINE void NAME(loop_##row)(void *out, const void *px, const void *py, const void *pz, const int still, \
                                        int count) \
    { \
        UNUSED; \
        ALL_##operands \
        for (int i = 0; i < count; i += WIDE) { \
            EACH_##operands \
            *(V_ANY *)((REAL *)out + i) = value; \
        } \
    } \
    static void KERNEL(row)(OPERANDS) \
    { \
        switch (still) { \
            CASES_##operands(row) \
        } \
    }

#ifdef SINGLE
#define WIDENED(row, operands) \
    static void KERNEL(row)(OPERANDS) { widen(kernel_##row##_double, operands, out, px, py, pz, still, count); }
#define FUNCTION(row, operands, value) WIDENED(row, operands)
#define EACH(row, operands, value) WIDENED(row, operands)
#else
#define SOME_1 const D x = some_of(px, i, count, still & 1);
#define SOME_2 SOME_1 const D y = some_of(py, i, count, still & 2);
#define SOME_3 SOME_2 const D z = some_of(pz, i, count, still & 4);
#define FUNCTION(row, operands, value) \
    static void KERNEL(row)(OPERANDS) \
    { \
        UNUSED; \
        for (int i = 0; i < count; i += VL) { \
            SOME_##operands \
            const D found = value; \
            if (count - i >= VL) { \
                d_store((double *)out + i, found); \
            } \
            else { \
                store_some((double *)out + i, found, count - i); \
            } \
        } \
    }
#define ONE(p, bit) ((const double *)p)[still & bit ? 0 : i]
#define ONE_1 const double x = ONE(px, 1), y = 0.0, z = 0.0;
#define ONE_2 const double x = ONE(px, 1), y = ONE(py, 2), z = 0.0;
#define ONE_3 const double x = ONE(px, 1), y = ONE(py, 2), z = ONE(pz, 4);
#define EACH(row, operands, value) \
    static void KERNEL(row)(OPERANDS) \
    { \
        UNUSED; \
        for (int i = 0; i < count; i++) { \
            ONE_##operands \
            ((double *)out)[i] = value; \
        } \
    }
#endif

ROWS_CORE(EXACT)
#define UNARY(name, symbol, value, by_x, form, adjoint) VALUE_##form(name, 1, x) SLOPE_##form(x, name, 0, 1, x)
#define BINARY(name, symbol, value, by_x, by_y, form, adjoint) \
    VALUE_##form(name, 2, x, y) SLOPE_##form(x, name, 0, 2, x, y) SLOPE_##form(y, name, 1, 2, x, y)
#define TERNARY(name, symbol, value, by_x, by_y, by_z, form, adjoint) \
    VALUE_##form(name, 3, x, y, z) SLOPE_##form(x, name, 0, 3, x, y, z) SLOPE_##form(y, name, 1, 3, x, y, z) \
        SLOPE_##form(z, name, 2, 3, x, y, z)
#include OPERATIONS

#define CORE_ROW(row, operands, value) [row] = KERNEL(row),
static const Row NAME(table)[ROW_COUNT] = {
    ROWS_CORE(CORE_ROW)
#define ENTRY(form, row) ENTRY_##form(row)
#define ENTRY_CORE(row)
#define ENTRY_CHEAP(row) [row] = KERNEL(row),
#define ENTRY_VECTOR ENTRY_CHEAP
#define ENTRY_TUNED ENTRY_CHEAP
#define ENTRY_TUNED_SLOPE ENTRY_CHEAP
#define ENTRY_TUNED_BOTH ENTRY_CHEAP
#define ENTRY_SCALAR ENTRY_CHEAP
#define ENTRY_SCALAR_SLOPE ENTRY_CHEAP
#define SLOPE(row) [row] = KERNEL(row),
#define UNARY(name, symbol, value, by_x, form, adjoint) ENTRY(form, C_##name) SLOPE(by_x_##name)
#define BINARY(name, symbol, value, by_x, by_y, form, adjoint) \
    ENTRY(form, C_##name) SLOPE(by_x_##name) SLOPE(by_y_##name)
#define TERNARY(name, symbol, value, by_x, by_y, by_z, form, adjoint) \
    ENTRY(form, C_##name) SLOPE(by_x_##name) SLOPE(by_y_##name) SLOPE(by_z_##name)
#include OPERATIONS
};

#undef KERNEL
#undef FUNCTION
#undef EACH

#endif
