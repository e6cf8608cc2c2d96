/* The steps of a plan over one block of scenarios; compiled once for each kind of processor, under
 * the name in LEVEL. Start reading at "The interpreter": this file includes itself once for each
 * kind of number. The rows are functions of rows_kernels.c.
 *
 * A step reads all its operands before it writes, vector by vector or as a whole, so a slot may be written by the step
 * that reads it last.
 */

#ifndef REAL /* ── Once ───────────────────────────────────────────────────────────────────────────── */

#include "lanes.h"
#include "vectors.h"

extern const Rows JOIN(rows, LEVEL);

enum { CHUNK = VL == 8 ? 4 : 2 }; /* vectors of each of LANES_ABREAST sums that fit into the registers */
#define LANES (LANES_VECTORS * WIDE)
#if VECTORS
#define ALIGNED __attribute__((aligned(64)))
#else
#define ALIGNED
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

#undef T
#define T V
#define OVER(name) OF(name, REAL)
#define WORD(name) v_##name
#include "vector_rows.h"

#define SLOT(k) (memory + (size_t)(k) * (LANES * sizeof(REAL)))

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
    if (block->valid == LANES && block->stride[slot] == sizeof(double)) { /* scenarios side by side */
        const char *from = block->base[slot] + block->first * (int64_t)sizeof(double);
        for (int lane = 0; lane < LANES; lane++) {
            double x;
            memcpy(&x, from + lane * sizeof x, sizeof x);
            to[lane] = (REAL)x;
        }
        return;
    }
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

/* The numbers of an operand: a slot, or `room` filled with a uniform number. */
static const REAL *
NAME(numbers)(const Block *block, int32_t operand, REAL *room)
{
    const char *memory = block->memory;
    if (operand >= 0) {
        return (const REAL *)SLOT(operand);
    }
    for (int lane = 0; lane < LANES; lane++) {
        room[lane] = (REAL)block->uniform[~operand];
    }
    return room;
}

static KEEP_OUT void
NAME(take)(const Block *block, const Step *step, REAL *out)
{
    REAL room[LANES];
    const REAL *slots = (const REAL *)block->memory, *index = NAME(numbers)(block, step->x, room);
    const int32_t *table = block->table + step->y;
    for (int lane = 0; lane < LANES; lane++) {
        int32_t entry = table[nearest_entry((double)index[lane], step->z)];
        out[lane] = entry < 0 ? (REAL)block->uniform[~entry] : slots[(size_t)entry * LANES + (size_t)lane];
    }
}

static KEEP_OUT void
NAME(pick)(const Block *block, const Step *step, REAL *out)
{
    REAL room[2][LANES] ALIGNED;
    V sum[LANES_VECTORS];
    const V place = v_set(block->uniform[~step->x]);
    UNROLL for (int j = 0; j < LANES_VECTORS; j++) {
        sum[j] = v_set(0);
    }
    for (const int32_t *at = block->table + step->y, *end = at + 2 * step->z; at != end; at += 2) {
        const REAL *index = NAME(numbers)(block, at[0], room[0]), *given = NAME(numbers)(block, at[1], room[1]);
        UNROLL for (int j = 0; j < LANES_VECTORS; j++) {
            sum[j] += v_select(v_eq(v_trunc(AT(index, j)), place), AT(given, j), v_set(0));
        }
    }
    memcpy(out, sum, sizeof sum);
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
        if (i > (REAL)-(1 << 30) && i < (REAL)(1 << 30)) { /* a guard refuses the others, and nan */
            uint32_t k = (uint32_t)(int32_t)i - first;
            if (k < count) {
                block->totals[(size_t)total[k] * WIDE + (size_t)(lane % WIDE)] += (double)number[lane];
            }
        }
    }
}

/* Several sums of products of the same slots with uniform numbers: each slot is read once for all sums. CHUNK vectors
 * are done at a time, so that the sums stay in registers. A sum may overwrite the slot of an operand. */
static INLINE void
NAME(products_of)(const Block *block, const Step *step, const int sums)
{
    char *const memory = block->memory;
    const int32_t *from = block->table + step->y, *number = from + step->z, *to = number + sums * step->z;
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
                const V factor = v_set(block->uniform[~at[r]]);
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
    switch (step->x) {
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
    const int32_t rows = step->x, columns = step->z;
    const int32_t *row = block->table + step->y, *column = row + rows, *total = column + columns;
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

/* A step that is not hot, and changes no row in registers. Returns whether the steps end. */
static KEEP_OUT bool
NAME(other)(Block *block, const Step *step)
{
    char *const memory = block->memory;
    const Step s = *step;
    REAL *out = (REAL *)SLOT(s.out), room[2][LANES];
    switch (s.step) {
    case STEP_PICK: NAME(pick)(block, step, out); break;
    case STEP_TAKE: NAME(take)(block, step, out); break;
    case STEP_PRODUCTS: NAME(products)(block, step); break;
    case STEP_SUMS: NAME(sums)(block, step); break;
    case STEP_SUMPICKS:
        NAME(sum_picks)(block, NAME(numbers)(block, s.x, room[0]), NAME(numbers)(block, s.y, room[1]),
                        block->table + s.z + 1, (uint32_t)s.out, (uint32_t)block->table[s.z]);
        break;
    case STEP_IN: NAME(read_input)(block, (uint32_t)s.y, out); break;
    case STEP_INS: NAME(read_inputs)(block, (uint32_t)s.y, block->table + s.z); break;
    case STEP_OUT: NAME(write_result)(block, (uint32_t)s.out, NAME(numbers)(block, s.x, room[0])); break;
    case STEP_POLL: return *block->stop != 0;
    default: return true;
    }
    return false;
}

static int
NAME(run)(Block *block)
{
    const Step *step = block->steps;
    char *const memory = block->memory;
    const double *const uniform = block->uniform;
    const Row *const kernel = JOIN(rows, LEVEL).row[sizeof(REAL) == sizeof(float)];
    const bool whole = block->valid == LANES;
    REAL room[LANES] ALIGNED; /* the row in registers, for what wants it in memory */
    static const void *const labels[] = {
        [FORM_CALL] = &&L_CALL, [FORM_SUM_A] = &&L_SUM_A, [FORM_SUM2_A] = &&L_SUM2_A,
#define FORM(row, kx, ky, kz, value) \
    [FORM_##row##_##kx##ky##kz] = &&L_##row##_##kx##ky##kz, \
    [FORM_##row##_##kx##ky##kz##_kept] = &&L_##row##_##kx##ky##kz##_kept,
        LANES_FORMS
#undef FORM
#define STEP(name, reads, writes) \
    [FORM_OTHER + STEP_##name - ROW_COUNT] = STEP_##name == STEP_AHEAD  ? &&L_AHEAD \
                                             : STEP_##name == STEP_SUM  ? &&L_SUM \
                                             : STEP_##name == STEP_SUM2 ? &&L_SUM2 \
                                                                        : &&L_OTHER,
        LANES_OTHER(STEP)
#undef STEP
    };
#define EACH(DO) DO(0) DO(1) DO(2) DO(3) DO(4) DO(5) DO(6) DO(7)
#define DECLARE(j) V A##j = v_set(0);
#define CLEAR(j) A##j = v_set(0); /* nobody reads it: so the compiler need not keep it over a call */
    EACH(DECLARE)
#define NEXT \
    step++; \
    goto *labels[step->form]

    goto *labels[step->form];

#define FROM_m(p) const char *const p##_at = SLOT(step->p);
#define FROM_s(p) const V p##_all = v_set(uniform[~step->p]);
#define FROM_A(p)
#define VALUE_m(p, j) AT(p##_at, j)
#define VALUE_s(p, j) p##_all
#define VALUE_A(p, j) A##j
#define STORE(j) *(V *)(out + (j) * sizeof(V)) = A##j;
#define ONE(j, kx, ky, kz, value) \
    { \
        const V x = VALUE_##kx(x, j), y = VALUE_##ky(y, j), z = VALUE_##kz(z, j); \
        (void)x, (void)y, (void)z; \
        A##j = value; \
    }
#define COMPUTE(kx, ky, kz, value) \
    FROM_##kx(x) FROM_##ky(y) FROM_##kz(z) \
    ONE(0, kx, ky, kz, value) ONE(1, kx, ky, kz, value) ONE(2, kx, ky, kz, value) ONE(3, kx, ky, kz, value) \
    ONE(4, kx, ky, kz, value) ONE(5, kx, ky, kz, value) ONE(6, kx, ky, kz, value) ONE(7, kx, ky, kz, value)
#define FORM(row, kx, ky, kz, value) \
    L_##row##_##kx##ky##kz: { \
        COMPUTE(kx, ky, kz, value) \
        char *const out = SLOT(step->out); \
        EACH(STORE) \
        NEXT; \
    } \
    L_##row##_##kx##ky##kz##_kept: { \
        COMPUTE(kx, ky, kz, value) \
        NEXT; \
    }
    LANES_FORMS
#undef FORM

L_CALL: {
        const int32_t x = step->x, y = step->y, z = step->z;
#define OPERAND(k) (k < 0 ? (const void *)(uniform + ~k) : (const void *)SLOT(k))
        kernel[step->step](SLOT(step->out), OPERAND(x), OPERAND(y), OPERAND(z), (x < 0) | (y < 0) << 1 | (z < 0) << 2,
                           LANES);
#undef OPERAND
        EACH(CLEAR)
        NEXT;
    }
L_AHEAD: {
#if VECTORS
        if (whole) {
            const int64_t stride = block->stride[step->y];
            const char *at = block->base[step->y] + (block->first + step->z) * stride;
            const int lane = step->z % LANES, lines = LANES / 8; /* of an input; of two the processor fetches the second */
            for (int k = lane; k < lane + 8; k++, at += stride) {
                if (stride == sizeof(double) && lines > 2) {
                    at = block->base[step->y + k / lines] + (block->first + step->z - lane + k % lines * 8) * stride;
                }
                __builtin_prefetch(at, 0, 2);
            }
        }
#endif
        NEXT;
    }
/* The vectors of even number, and those of odd number; from the last to the first, as lanes_code.c does. */
#define ADD_UP(E) ((E(0) + (E(2) + (E(4) + E(6)))) + (E(1) + (E(3) + (E(5) + E(7)))))
#define TERM(j) AT(x, j)
#define PRODUCT(j) AT(x, j) * AT(y, j)
#define TERM_A(j) A##j
#define PRODUCT_A(j) A##j * AT(y, j)
#define SPILL(j) ((V *)room)[j] = A##j;
#define TOTAL (block->totals + (size_t)step->out * WIDE)
L_SUM: {
        const char *x = SLOT(step->x);
        if (whole) {
            NAME(gather)(TOTAL, ADD_UP(TERM));
        }
        else {
            NAME(sum_some)(block, TOTAL, (const REAL *)x, NULL);
        }
        NEXT;
    }
L_SUM2: {
        const char *x = SLOT(step->x), *y = SLOT(step->y);
        if (whole) {
            NAME(gather)(TOTAL, ADD_UP(PRODUCT));
        }
        else {
            NAME(sum_some)(block, TOTAL, (const REAL *)x, (const REAL *)y);
        }
        NEXT;
    }
L_SUM_A:
    if (whole) {
        NAME(gather)(TOTAL, ADD_UP(TERM_A));
    }
    else {
        EACH(SPILL)
        NAME(sum_some)(block, TOTAL, room, NULL);
    }
    NEXT;
L_SUM2_A: {
        const char *y = SLOT(step->y);
        if (whole) {
            NAME(gather)(TOTAL, ADD_UP(PRODUCT_A));
        }
        else {
            EACH(SPILL)
            NAME(sum_some)(block, TOTAL, room, (const REAL *)y);
        }
        NEXT;
    }
L_OTHER:
    if (NAME(other)(block, step)) {
        return step->step == STEP_POLL ? LANES_STOPPED : 0;
    }
    EACH(CLEAR)
    NEXT;
}

#undef SLOT
#undef ADD_UP
#undef TERM
#undef PRODUCT
#undef TERM_A
#undef PRODUCT_A
#undef SPILL
#undef TOTAL
#undef EACH
#undef DECLARE
#undef CLEAR
#undef NEXT
#undef FROM_m
#undef FROM_s
#undef FROM_A
#undef VALUE_m
#undef VALUE_s
#undef VALUE_A
#undef STORE
#undef ONE
#undef COMPUTE

#endif
