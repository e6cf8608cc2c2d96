/* The steps of a plan over one block of scenarios; compiled once for each kind of processor, under
 * the name in LEVEL. Start reading at "The interpreter": this file includes itself once for each
 * kind of number.
 *
 * The accumulator is A0 … A7, vectors in registers across steps. A step reads all its operands before
 * it stores, so a slot may be written by the step that reads it last.
 */

#ifndef REAL /* ── Once ───────────────────────────────────────────────────────────────────────────── */

#include "lanes.h"
#include "vmath.h"

#define JOIN_(a, b) a##_##b
#define JOIN(a, b) JOIN_(a, b)

#ifndef LEVEL
#define LEVEL base
#endif
#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)

extern const Functions JOIN(functions, LEVEL);
#define APPLY JOIN(functions, LEVEL).apply

enum { CHUNK = VL == 8 ? 4 : 2 }; /* vectors of each of LANES_ABREAST sums that fit into the registers */
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

/* The address of an input for one lane. Lanes after the last scenario repeat it. */
static inline const char *
input_at(const Block *block, uint32_t slot, int lane)
{
    int64_t scenario = block->first + (lane < block->valid ? lane : block->valid - 1);
    return block->base[slot] + scenario * block->stride[slot];
}

/* Whether eight inputs are side by side in memory. If so, squares of them are transposed in registers. */
static inline bool
side_by_side(const Block *block, uint32_t slot)
{
    for (int k = 1; k < 8; k++) {
        if (block->base[slot + (uint32_t)k] != block->base[slot] + 8 * k ||
            block->stride[slot + (uint32_t)k] != block->stride[slot]) {
            return false;
        }
    }
    return true;
}

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


/* ── The vector of the accumulator, as the steps name it: doubles, or floats ──────────────────── */

typedef D V_double;
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
typedef float V_float;
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
#define v_root(x) OF(root, REAL)(x)
#define WIDE OF(WIDE, REAL)
#define LANES (LANES_VECTORS * WIDE)
#define NAME(name) OF(name, REAL)

#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#define EACH_OF(E) ONE(0, E) ONE(1, E) ONE(2, E) ONE(3, E) ONE(4, E) ONE(5, E) ONE(6, E) ONE(7, E)
#define ADD_UP(E) ((E(0) + (E(2) + (E(4) + E(6)))) + (E(1) + (E(3) + (E(5) + E(7)))))

/* Operands: vector j of a slot; in the expressions of LANES_SIMPLE, of the vector at hand. */
#define AT(p, j) (*(const V *)((p) + (j) * sizeof(V)))
#define X AT(x, j)
#define Y AT(y, j)
#define S v_set(uniform[step->a])
#define T v_set(uniform[step->b])
#define ROW_OVER(name) OF(name, REAL)
#define ONE(k, E) \
    { \
        enum { j = k }; \
        const V A = A##k; \
        (void)A; \
        N##k = E; \
    }

/* ── Each kind of number ─────────────────────────────────────────────────────────────────────── */

#define SELF "lanes_kernels.c"
#define REAL double
#include SELF
#undef REAL
#define REAL float
#define SINGLE
#include SELF
#undef REAL

const Level JOIN(lanes_level, LEVEL) = {
    .name = TEXT(LEVEL),
    .width = {WIDE_double, WIDE_float},
    .run = {run_double, run_float},
};

#else /* ── The interpreter ───────────────────────────────────────────────────────────────────────── */

static inline V
NAME(root)(V x) /* x ** 0.5: inf at -inf, 0 at -0 */
{
    return v_select(v_eq(v_abs(x), v_set(INFINITY)), v_set(INFINITY), v_sqrt(x + v_set(0)));
}

#undef T
#define T V
#define OVER(name) OF(name, REAL)
#define WORD(name) v_##name
#include "vector_rows.h"
#define T v_set(uniform[step->b])

/* total += the lanes of x */
static inline void
NAME(gather)(double *total, V x)
{
#ifdef SINGLE
    REAL lane[WIDE];
    memcpy(lane, &x, sizeof lane);
    for (int k = 0; k < WIDE; k++) {
        total[k] += (double)lane[k];
    }
#else
    d_store(total, d_load(total) + x);
#endif
}

static KEEP_OUT void
NAME(read_input)(const Block *block, uint32_t slot, REAL *to)
{
    for (int lane = 0; lane < LANES; lane++) {
        double x;
        memcpy(&x, input_at(block, slot, lane), sizeof x);
        to[lane] = (REAL)x;
    }
}

/* Eight inputs at once: each row of them is in one or two cache lines. */
static KEEP_OUT void
NAME(read_inputs)(const Block *block, uint32_t slot, const int32_t *to)
{
    REAL *slots = (REAL *)block->memory;
#ifndef SINGLE
    if (block->valid == LANES && side_by_side(block, slot)) {
        int64_t stride = block->stride[slot];
        const char *at = block->base[slot] + block->first * stride;
        for (int lane = 0; lane < LANES; lane += VL, at += VL * stride) {
            for (int part = 0; part < 8; part += VL) {
                D row[VL];
                for (int k = 0; k < VL; k++) {
                    memcpy(&row[k], at + k * stride + 8 * part, sizeof row[k]);
                }
                turn(row);
                for (int k = 0; k < VL; k++) {
                    d_store(slots + (size_t)to[part + k] * LANES + lane, row[k]);
                }
            }
        }
        return;
    }
#endif
    for (int k = 0; k < 8; k++) {
        NAME(read_input)(block, slot + (uint32_t)k, slots + (size_t)to[k] * LANES);
    }
}

static KEEP_OUT void
NAME(write_result)(Block *block, uint32_t r, const REAL *from)
{
    double *to = block->result[r];
    if (to == NULL) {
        return;
    }
    int64_t stride = block->result_stride[r];
    to += block->first * stride;
    for (int lane = 0; lane < block->valid; lane++) {
        to[lane * stride] = (double)from[lane];
    }
    if ((int32_t)r >= block->outputs) {
        for (int lane = 0; lane < block->valid; lane++) {
            if (from[lane] - from[lane] != 0 && !block->bad[lane]) { /* nan or infinite */
                block->bad[lane] = 1;
                block->bad_count++;
            }
        }
    }
}

/* x = the function of x, and of y and z where they are not NULL. */
static KEEP_OUT void
NAME(call)(int function, REAL *x, const REAL *y, const REAL *z)
{
#ifdef SINGLE
    double wide[3][LANES < VL ? VL : LANES];
    const REAL *const operand[3] = {x, y, z};
    for (int k = 0; k < 3 && operand[k] != NULL; k++) {
        for (int lane = 0; lane < LANES; lane++) {
            wide[k][lane] = (double)operand[k][lane];
        }
    }
    APPLY(function, wide[0], wide[1], wide[2], wide[0], LANES);
    for (int lane = 0; lane < LANES; lane++) {
        x[lane] = (REAL)wide[0][lane];
    }
#else
    APPLY(function, x, y, z, x, LANES);
#endif
}

static KEEP_OUT void
NAME(call_row)(const Block *block, Step step, REAL *out)
{
    const REAL *slots = (const REAL *)block->memory;
    const int32_t *table = block->table + step.b;
    const REAL *x = slots + (size_t)table[0] * LANES;
    const REAL *y = slots + (size_t)table[1] * LANES;
    const REAL *z = slots + (size_t)table[2] * LANES;
    for (int lane = 0; lane < LANES; lane++) {
        out[lane] = (REAL)lanes_row((int)step.a, (int)step.c, (double)x[lane], (double)y[lane],
                                    (double)z[lane]);
    }
}

static KEEP_OUT void
NAME(take)(Block *block, const Step *step, REAL *out)
{
    const REAL *slots = (const REAL *)block->memory;
    const REAL *index = slots + (size_t)step->a * LANES;
    const int32_t *table = block->table + step->b;
    for (int lane = 0; lane < LANES; lane++) {
        double i = (double)index[lane];
        if (i > -1.0 && i < (double)step->c) {
            int32_t entry = table[(int32_t)i];
            out[lane] = entry < 0 ? (REAL)block->uniform[~entry] : slots[(size_t)entry * LANES + lane];
        }
        else {
            out[lane] = 0;
            int32_t place = table[step->c]; /* the instruction, for messages */
            if (lane < block->valid &&
                (block->fault_lane < 0 || lane < block->fault_lane ||
                 (lane == block->fault_lane && place < block->fault_step))) {
                block->fault_lane = lane;
                block->fault_step = place;
            }
        }
    }
}

/* Add to a total in a block that is not full: only its scenarios count. */
static KEEP_OUT void
NAME(sum_some)(const Block *block, double *total, const REAL *x, const REAL *y)
{
    for (int lane = 0; lane < block->valid; lane++) {
        total[lane % WIDE] += (double)(y != NULL ? x[lane] * y[lane] : x[lane]);
    }
}

/* Add each scenario's number to the total that its index says, or to none: total k is for the index first + k. */
static KEEP_OUT void
NAME(sum_picks)(const Block *block, const REAL *index, const REAL *number, const int32_t *total, uint32_t first,
                uint32_t count)
{
    for (int lane = 0; lane < block->valid; lane++) {
        REAL i = index[lane];
        if (i > (REAL)-(1 << 30) && i < (REAL)(1 << 30)) { /* TAKE refuses the others later, and nan */
            uint32_t k = (uint32_t)(int32_t)i - first;
            if (k < count) {
                block->totals[(size_t)total[k] * WIDE + (size_t)(lane % WIDE)] += (double)number[lane];
            }
        }
    }
}

#define SLOT(k) (memory + (size_t)(k) * (LANES * sizeof(REAL)))

/* Several sums of products of the same slots with uniform numbers: each slot is read once for all sums. CHUNK vectors
 * are done at a time, so that the sums stay in registers. A sum may overwrite the slot of an operand. */
static INLINE void
NAME(products_of)(const Block *block, const Step *step, const int sums)
{
    char *const memory = block->memory;
    const int32_t *from = block->table + step->a, *number = from + step->b, *to = number + sums * step->b;
    for (int j = 0; j < LANES_VECTORS; j += CHUNK) {
        V sum[LANES_ABREAST][CHUNK];
        UNROLL for (int r = 0; r < sums; r++) {
            UNROLL for (int k = 0; k < CHUNK; k++) {
                sum[r][k] = v_set(0);
            }
        }
        const int32_t *at = number;
        for (const int32_t *slot = from; slot < number; slot++, at += sums) {
            const char *x = SLOT(*slot);
            UNROLL for (int r = 0; r < sums; r++) {
                const V factor = v_set(block->uniform[at[r]]);
                UNROLL for (int k = 0; k < CHUNK; k++) {
                    sum[r][k] += AT(x, j + k) * factor;
                }
            }
        }
        UNROLL for (int r = 0; r < sums; r++) {
            UNROLL for (int k = 0; k < CHUNK; k++) {
                *(V *)(SLOT(to[r]) + (size_t)(j + k) * sizeof(V)) = sum[r][k];
            }
        }
    }
}

static KEEP_OUT void
NAME(products)(const Block *block, const Step *step)
{
    switch (step->c) {
    case 4: NAME(products_of)(block, step, 4); break;
    case 3: NAME(products_of)(block, step, 3); break;
    default: NAME(products_of)(block, step, 2); break;
    }
}

/* Totals of the products of `rows` slots with `columns` others. */
static INLINE void
NAME(sums_of)(const Block *block, const int32_t *row, const int32_t *column, const int32_t *total, int32_t step,
              const int rows, const int columns)
{
    const char *const memory = block->memory;
    V sum[LANES_ABREAST][LANES_ABREAST];
    UNROLL for (int r = 0; r < rows; r++) {
        UNROLL for (int c = 0; c < columns; c++) {
            sum[r][c] = v_set(0);
        }
    }
    for (int j = 0; j < LANES_VECTORS; j++) {
        UNROLL for (int c = 0; c < columns; c++) {
            const V y = AT(SLOT(column[c]), j);
            UNROLL for (int r = 0; r < rows; r++) {
                sum[r][c] += AT(SLOT(row[r]), j) * y;
            }
        }
    }
    UNROLL for (int r = 0; r < rows; r++) {
        UNROLL for (int c = 0; c < columns; c++) {
            NAME(gather)(block->totals + (size_t)total[r * step + c] * WIDE, sum[r][c]);
        }
    }
}

static KEEP_OUT void
NAME(sums)(const Block *block, const Step *step)
{
    const char *const memory = block->memory;
    const int32_t rows = (int32_t)step->c, columns = (int32_t)step->b;
    const int32_t *row = block->table + step->a, *column = row + rows, *total = column + columns;
    int32_t c = 0;
    if (block->valid < LANES) {
        for (int32_t r = 0; r < rows; r++) {
            for (c = 0; c < columns; c++) {
                NAME(sum_some)(block, block->totals + (size_t)total[r * columns + c] * WIDE,
                               (const REAL *)SLOT(row[r]), (const REAL *)SLOT(column[c]));
            }
        }
        return;
    }
#define ROWS(count) \
    case count: \
        for (; c + CHUNK <= columns; c += CHUNK) { \
            NAME(sums_of)(block, row, column + c, total + c, columns, count, CHUNK); \
        } \
        for (; c < columns; c++) { \
            NAME(sums_of)(block, row, column + c, total + c, columns, count, 1); \
        } \
        break;
    switch (rows) {
        ROWS(4)
        ROWS(3)
        ROWS(2)
    default:
        break;
    }
#undef ROWS
}

static int
NAME(run)(Block *block)
{
    const Step *step = block->steps;
    char *const memory = block->memory;
    const double *const uniform = block->uniform;
    const int32_t *const table = block->table;
    double *const totals = block->totals;
    const bool whole = block->valid == LANES;
    REAL spare[LANES] /* a copy of the accumulator for functions that need it in memory */
#if VECTORS
        __attribute__((aligned(64)))
#endif
        ;
#define SPILL(j) ((V *)spare)[j] = A##j;
#define UNSPILL(j) A##j = ((const V *)spare)[j];
#define CLEAR(j) A##j = v_set(0);
#define STORE(j) *(V *)(z + (j) * sizeof(V)) = A##j;
#define OPERANDS \
    const char *x = SLOT(step->a), *y = SLOT(step->b); \
    (void)x; \
    (void)y;
#define DECLARE(j) V A##j;
    EACH(DECLARE)
    EACH(CLEAR)

#if VECTORS
    static const void *const labels[STEP_COUNT] = {
#define STEP(name, expression) [STEP_##name] = &&L_##name, [STEP_##name##_st] = &&L_##name##_st,
        LANES_SIMPLE(STEP)
#include "lanes_rows.h"
#undef STEP
#define STEP(name) [STEP_##name] = &&L_##name,
        LANES_OTHER(STEP)
#undef STEP
    };
#define BEGIN goto *labels[step->step];
#define CASE(name) L_##name
#define NEXT \
    step++; \
    goto *labels[step->step]
#define FINISH
#else
#define BEGIN for (;;) { switch (step->step) {
#define CASE(name) case STEP_##name
#define NEXT step++; break
#define FINISH default: return 0; } }
#endif

    BEGIN

    /* a and b are slots or uniform numbers. The compiler drops the loads that an expression does not use. */
#define NEW(j) V N##j;
#define KEEP(j) A##j = N##j;
#define COMPUTE(expression) \
    OPERANDS \
    EACH(NEW) \
    EACH_OF(expression) \
    EACH(KEEP)
#define STEP(name, expression) \
    CASE(name): { \
        COMPUTE(expression) \
        NEXT; \
    } \
    CASE(name##_st): { \
        COMPUTE(expression) \
        char *z = SLOT(step->c); \
        EACH(STORE) \
        NEXT; \
    }
    LANES_SIMPLE(STEP)
#include "lanes_rows.h"
#undef STEP

    CASE(STORE): {
        char *z = SLOT(step->c);
        EACH(STORE)
        NEXT;
    }
    CASE(CALL): {
        EACH(SPILL)
        NAME(call)((int)step->a, spare, NULL, NULL);
        EACH(UNSPILL)
        NEXT;
    }
    CASE(CALL2): {
        EACH(SPILL)
        NAME(call)((int)step->a, spare, (const REAL *)SLOT(step->b), NULL);
        EACH(UNSPILL)
        NEXT;
    }
    CASE(CALL3): {
        EACH(SPILL)
        NAME(call)((int)step->a, spare, (const REAL *)SLOT(step->b), (const REAL *)SLOT(step->c));
        EACH(UNSPILL)
        NEXT;
    }
    CASE(ROW): {
        NAME(call_row)(block, *step, spare);
        EACH(UNSPILL)
        NEXT;
    }
    CASE(TAKE): {
        NAME(take)(block, step, spare);
        EACH(UNSPILL)
        NEXT;
    }
    CASE(PICK): {
        OPERANDS
        const V place = v_set(uniform[step->c]);
#define DO(j) A##j += v_select(v_eq(v_trunc(AT(x, j)), place), AT(y, j), v_set(0));
        EACH(DO)
#undef DO
        NEXT;
    }
    CASE(FMASvv): {
        const int32_t *at = table + step->a, *end = at + 2 * step->b;
        do {
            const char *x = SLOT(at[0]), *y = SLOT(at[1]);
#define DO(j) A##j += AT(x, j) * AT(y, j);
            EACH(DO)
            at += 2;
        } while (at != end);
        NEXT;
    }
    CASE(FMASvs): {
        const int32_t *at = table + step->a, *end = at + 2 * step->b;
        do {
            const char *x = SLOT(at[0]);
            const V y = v_set(uniform[at[1]]);
#undef DO
#define DO(j) A##j += AT(x, j) * y;
            EACH(DO)
#undef DO
            at += 2;
        } while (at != end);
        NEXT;
    }
    CASE(PRODUCTS): {
        NAME(products)(block, step);
        NEXT;
    }
    CASE(SUMS): {
        NAME(sums)(block, step);
        NEXT;
    }
    CASE(SUMv): {
        double *total = totals + (size_t)step->a * WIDE;
        if (whole) {
#define TERM(j) A##j
            NAME(gather)(total, ADD_UP(TERM));
#undef TERM
        }
        else {
            EACH(SPILL)
            NAME(sum_some)(block, total, spare, NULL);
        }
        NEXT;
    }
    CASE(SUM1v): {
        double *total = totals + (size_t)step->a * WIDE;
        const char *y = SLOT(step->b);
        if (whole) {
#define TERM(j) AT(y, j)
            NAME(gather)(total, ADD_UP(TERM));
#undef TERM
        }
        else {
            NAME(sum_some)(block, total, (const REAL *)y, NULL);
        }
        NEXT;
    }
    CASE(SUM2v): {
        double *total = totals + (size_t)step->a * WIDE;
        const char *y = SLOT(step->b);
        if (whole) {
#define TERM(j) A##j * AT(y, j)
            NAME(gather)(total, ADD_UP(TERM));
        }
        else {
            EACH(SPILL)
            NAME(sum_some)(block, total, spare, (const REAL *)y);
        }
        NEXT;
    }
    CASE(SUM3v): {
        double *total = totals + (size_t)step->a * WIDE;
        const char *x = SLOT(step->c), *y = SLOT(step->b);
        if (whole) {
#undef TERM
#define TERM(j) AT(x, j) * AT(y, j)
            NAME(gather)(total, ADD_UP(TERM));
#undef TERM
        }
        else {
            NAME(sum_some)(block, total, (const REAL *)x, (const REAL *)y);
        }
        NEXT;
    }
    CASE(SUM2S): {
        const int32_t *at = table + step->a, *end = at + 2 * step->b;
        if (whole) {
            do {
                const char *y = SLOT(at[1]);
#define TERM(j) A##j * AT(y, j)
                NAME(gather)(totals + (size_t)at[0] * WIDE, ADD_UP(TERM));
#undef TERM
                at += 2;
            } while (at != end);
        }
        else {
            EACH(SPILL)
            for (; at != end; at += 2) {
                NAME(sum_some)(block, totals + (size_t)at[0] * WIDE, spare, (const REAL *)SLOT(at[1]));
            }
        }
        NEXT;
    }
    CASE(SUMPICKS): {
        const int32_t *at = table + step->a;
        NAME(sum_picks)(block, (const REAL *)SLOT(at[0]), (const REAL *)SLOT(at[1]), at + 2, step->b, step->c);
        NEXT;
    }
    CASE(IN): {
        NAME(read_input)(block, step->a, spare);
        EACH(UNSPILL)
        NEXT;
    }
    CASE(INS): {
        NAME(read_inputs)(block, step->a, table + step->b);
        NEXT;
    }
    CASE(AHEAD): {
#if VECTORS
        if (whole) {
            const int64_t stride = block->stride[step->a];
            const char *at = block->base[step->a] + (block->first + step->b) * stride;
            for (int k = 0; k < 8; k++) {
                __builtin_prefetch(at + k * stride, 0, 2);
            }
        }
#endif
        NEXT;
    }
    CASE(OUT): {
        EACH(SPILL)
        NAME(write_result)(block, step->a, spare);
        NEXT;
    }
    CASE(POLL): {
        if (*block->stop) {
            return LANES_STOPPED;
        }
        NEXT;
    }
    CASE(END): {
        return 0;
    }

    FINISH
}

#undef NEW
#undef KEEP
#undef COMPUTE
#undef BEGIN
#undef CASE
#undef NEXT
#undef FINISH
#undef SLOT
#undef SPILL
#undef UNSPILL
#undef CLEAR
#undef STORE
#undef OPERANDS
#undef DECLARE

#endif
