/* The loops over blocks, compiled once for each kind of processor. */

#include "rows.h"
#include "single.h"
#include "vectors.h"

#include <string.h>

#if !VECTORS
#error "a compiler with vector extensions is needed"
#endif

/* The numbers of the blocks are in order of execution: after a block come numbers that later blocks compute, then
 * PAD. So kernels may read and store whole vectors past the end of their block. Where a block adds to earlier sums
 * (`more`), or has already written the numbers after the end, they store exactly `count` numbers. */
enum { OVER = 0, EXACT = 1, MORE = 2 }; /* how to store: whole vectors past the end, exactly `count` numbers, or added to the old numbers */

/* The first `count` numbers of x, then those of y. */
static INLINE D
first_of(D x, D y, int32_t count)
{
#if VL == 8
    return d_select((M)(count < VL ? (1u << (count > 0 ? count : 0)) - 1 : 0xFF), x, y);
#elif VL == 4
    return d_select((M)((L){0, 1, 2, 3} < l_set(count)), x, y);
#else
    return d_select((M)((L){0, 1} < l_set(count)), x, y);
#endif
}

static INLINE void
put(double *p, D x, int32_t count, int how)
{
    if (how == MORE) {
        x += d_load(p);
    }
    if (how == OVER || count >= VL) {
        d_store(p, x);
    }
    else {
#if VL == 8
        _mm512_mask_storeu_pd(p, (__mmask8)((1u << count) - 1), (__m512d)x);
#else
        d_store(p, first_of(x, d_load(p), count));
#endif
    }
}

/* ── Matrix products ────────────────────────────────────────────────────────────────────────── */

/* The rows and vectors of a product that are summed at once: as many as fit into the registers. */
#if VL == 8 || VL == 4
enum { ROWS = 4, ABREAST = 2 };
#elif defined(__aarch64__)
enum { ROWS = 4, ABREAST = 4 };
#else
enum { ROWS = 2, ABREAST = 4 };
#endif
enum { REARRANGED = 4 }; /* with at least this many rows it pays to transpose a matrix first */

/* out[r,c] = Σ_k x[r,k] · y[r,k,c], `rows` × `vectors`, both known to the compiler; level: y has no r. */
static INLINE void
tile(double *out, int32_t J, const double *x, ptrdiff_t xi, ptrdiff_t xk, const double *y, ptrdiff_t yi,
     ptrdiff_t yk, int32_t K, int32_t left, int how, const int rows, const int vectors, const bool level)
{
    D sum[4][4];
    UNROLL for (int r = 0; r < rows; r++) {
        UNROLL for (int c = 0; c < vectors; c++) {
            sum[r][c] = d_set(0.0);
        }
    }
    for (int32_t k = 0; k < K; k++, x += xk, y += yk) {
        UNROLL for (int r = 0; r < rows; r++) {
            const D factor = d_set(x[r * xi]);
            UNROLL for (int c = 0; c < vectors; c++) {
                sum[r][c] += factor * d_load(y + (level ? 0 : r * yi) + c * VL);
            }
        }
    }
    UNROLL for (int r = 0; r < rows; r++) {
        UNROLL for (int c = 0; c < vectors; c++) {
            if (how == OVER || left > c * VL) {
                put(out + (ptrdiff_t)r * J + c * VL, sum[r][c], left - c * VL, how);
            }
        }
    }
}

/* All columns of `rows` rows. */
static INLINE void
rows_of(double *out, const double *x, int32_t xi, int32_t xk, const double *y, int32_t yi, int32_t yk, int32_t J,
        int32_t K, int how, const int rows, const bool level)
{
    int32_t j = 0;
    for (; J - j > ABREAST / 2 * VL; j += ABREAST * VL) {
        tile(out + j, J, x, xi, xk, y + j, yi, yk, K, J - j, how, rows, ABREAST, level);
    }
    if (j < J) {
        tile(out + j, J, x, xi, xk, y + j, yi, yk, K, J - j, how, rows, ABREAST / 2, level);
    }
}

static INLINE void
product_by(double *out, const double *x, int32_t xi, int32_t xk, const double *y, int32_t yi, int32_t yk,
           int32_t I, int32_t J, int32_t K, int how, const bool level)
{
    for (; I >= ROWS; I -= ROWS, out += (ptrdiff_t)ROWS * J, x += (ptrdiff_t)ROWS * xi, y += (ptrdiff_t)ROWS * yi) {
        rows_of(out, x, xi, xk, y, yi, yk, J, K, how, ROWS, level);
    }
    switch (I) {
    case 3: rows_of(out, x, xi, xk, y, yi, yk, J, K, how, 3, level); break;
    case 2: rows_of(out, x, xi, xk, y, yi, yk, J, K, how, 2, level); break;
    case 1: rows_of(out, x, xi, xk, y, yi, yk, J, K, how, 1, level); break;
    default: break;
    }
}

/* out[i,j] = Σ_k x[i,k] · y[i,k,j]: y moves with j, x does not. */
static KEEP_OUT void
product(double *out, const double *x, int32_t xi, int32_t xk, const double *y, int32_t yi, int32_t yk,
        int32_t I, int32_t J, int32_t K, bool more)
{
    /* with several tiles a row, the end of one row is stored after the beginning of the next */
    int how = more ? MORE : J > ABREAST * VL ? EXACT : OVER;
    if (yi == 0) {
        product_by(out, x, xi, xk, y, 0, yk, I, J, K, how, true);
    }
    else {
        product_by(out, x, xi, xk, y, yi, yk, I, J, K, how, false);
    }
}

/* Copy y[j,k] so that j runs fastest. */
static void
rearrange(double *to, const double *y, int32_t dj, int32_t dk, int32_t J, int32_t K)
{
    int32_t j = 0;
    if (dk == 1) {
        for (; j + VL <= J; j += VL) {
            int32_t k = 0;
            for (; k + VL <= K; k += VL) {
                D row[VL];
                UNROLL for (int r = 0; r < VL; r++) {
                    row[r] = d_load(y + (ptrdiff_t)(j + r) * dj + k);
                }
                turn(row);
                UNROLL for (int r = 0; r < VL; r++) {
                    d_store(to + (ptrdiff_t)(k + r) * J + j, row[r]);
                }
            }
            for (; k < K; k++) {
                for (int32_t i = j; i < j + VL; i++) {
                    to[(ptrdiff_t)k * J + i] = y[(ptrdiff_t)i * dj + k];
                }
            }
        }
    }
    for (; j < J; j++) {
        for (int32_t k = 0; k < K; k++) {
            to[(ptrdiff_t)k * J + j] = y[(ptrdiff_t)j * dj + (ptrdiff_t)k * dk];
        }
    }
}

/* Sums over neighbours are the same on every level: the terms are added in EIGHT sums, term k to sum k % EIGHT. */
enum { EIGHT = 8, PARTS = EIGHT / VL };

/* Add up the eight sums of each of VL rows. */
static INLINE D
totals_of(D sum[VL][PARTS])
{
#if VL == 8
    D pair[4], four[2];
    UNROLL for (int r = 0; r < 4; r++) {
        D a = sum[2 * r][0], b = sum[2 * r + 1][0];
        pair[r] = SHUFFLE(a, b, 0, 8, 2, 10, 4, 12, 6, 14) + SHUFFLE(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
    }
    UNROLL for (int r = 0; r < 2; r++) {
        D a = pair[2 * r], b = pair[2 * r + 1];
        four[r] = SHUFFLE(a, b, 0, 1, 4, 5, 8, 9, 12, 13) + SHUFFLE(a, b, 2, 3, 6, 7, 10, 11, 14, 15);
    }
    return SHUFFLE(four[0], four[1], 0, 1, 4, 5, 8, 9, 12, 13) +
           SHUFFLE(four[0], four[1], 2, 3, 6, 7, 10, 11, 14, 15);
#elif VL == 4
    D four[2];
    UNROLL for (int p = 0; p < 2; p++) {
        D a = SHUFFLE(sum[0][p], sum[1][p], 0, 4, 2, 6) + SHUFFLE(sum[0][p], sum[1][p], 1, 5, 3, 7);
        D b = SHUFFLE(sum[2][p], sum[3][p], 0, 4, 2, 6) + SHUFFLE(sum[2][p], sum[3][p], 1, 5, 3, 7);
        four[p] = SHUFFLE(a, b, 0, 1, 4, 5) + SHUFFLE(a, b, 2, 3, 6, 7);
    }
    return four[0] + four[1];
#else
    D pair[4];
    UNROLL for (int p = 0; p < 4; p++) {
        pair[p] = SHUFFLE(sum[0][p], sum[1][p], 0, 2) + SHUFFLE(sum[0][p], sum[1][p], 1, 3);
    }
    return (pair[0] + pair[1]) + (pair[2] + pair[3]);
#endif
}

static INLINE D
terms_at(const double *x, const double *y, int32_t k, const bool plain)
{
    D terms = d_load(y + k);
    if (!plain) {
        terms *= d_load(x + k);
    }
    return terms;
}

/* One long sum: in four times eight, because each addition waits for the one before it. */
static KEEP_OUT double
long_sum(const double *x, const double *y, int32_t K, const bool plain)
{
    D sum[4][PARTS];
    UNROLL for (int r = 0; r < 4 * PARTS; r++) {
        sum[r / PARTS][r % PARTS] = d_set(0.0);
    }
    int32_t k = 0;
    for (; k + 4 * EIGHT <= K; k += 4 * EIGHT) {
        UNROLL for (int r = 0; r < 4 * PARTS; r++) {
            sum[r / PARTS][r % PARTS] += terms_at(x, y, k + r * VL, plain);
        }
    }
    for (; k + EIGHT <= K; k += EIGHT) {
        UNROLL for (int p = 0; p < PARTS; p++) {
            sum[0][p] += terms_at(x, y, k + p * VL, plain);
        }
    }
    double whole[EIGHT];
    UNROLL for (int p = 0; p < PARTS; p++) {
        if (k < K) {
            sum[1][p] += first_of(terms_at(x, y, k + p * VL, plain), d_set(0.0), K - k - p * VL);
        }
        d_store(whole + p * VL, (sum[0][p] + sum[1][p]) + (sum[2][p] + sum[3][p]));
    }
    return ((whole[0] + whole[4]) + (whole[2] + whole[6])) + ((whole[1] + whole[5]) + (whole[3] + whole[7]));
}

/* out[j] = Σ_k x[j,k] · y[j,k], with k contiguous in both: VL of j at once. still: x does not move with j; plain:
 * there is no x. */
static INLINE void
dots_of(double *out, const double *x, ptrdiff_t xj, const double *y, ptrdiff_t yj, int32_t J, int32_t K, int how,
        const bool still, const bool plain)
{
    int32_t j = 0, rest = J % EIGHT, least = K > 8 * EIGHT ? EIGHT : EIGHT / 2; /* rather one by one than many for nobody */
    for (int32_t end = rest >= least ? J : J - rest; j < end; j += VL) {
        D sum[VL][PARTS];
        const double *p[VL], *q[VL];
        UNROLL for (int r = 0; r < VL; r++) {
            ptrdiff_t at = j + r < J ? j + r : J - 1; /* the results after the last one are not used */
            p[r] = x + (still ? 0 : at * xj);
            q[r] = y + at * yj;
        }
        UNROLL for (int r = 0; r < EIGHT; r++) {
            sum[r / PARTS][r % PARTS] = d_set(0.0);
        }
        int32_t k = 0;
        for (; k + EIGHT <= K; k += EIGHT) {
            UNROLL for (int r = 0; r < EIGHT; r++) {
                sum[r / PARTS][r % PARTS] += terms_at(p[r / PARTS], q[r / PARTS], k + r % PARTS * VL, plain);
            }
        }
        if (k < K) {
            UNROLL for (int r = 0; r < EIGHT; r++) {
                D terms = terms_at(p[r / PARTS], q[r / PARTS], k + r % PARTS * VL, plain);
                sum[r / PARTS][r % PARTS] += first_of(terms, d_set(0.0), K - k - r % PARTS * VL);
            }
        }
        put(out + j, totals_of(sum), J - j, how);
    }
    j = j < J ? j : J;
    for (; j < J; j++) {
        double sum = long_sum(x + (still ? 0 : j * xj), y + j * yj, K, plain);
        out[j] = how == MORE ? out[j] + sum : sum;
    }
}

/* The same where K is at most 4. */
static INLINE void
dots_of_few(double *out, const double *x, ptrdiff_t xj, const double *y, ptrdiff_t yj, int32_t J, int32_t K, int how)
{
#if VL >= 4
    typedef double Few __attribute__((vector_size(32), aligned(8), may_alias));
    typedef int64_t FewPlaces __attribute__((vector_size(32)));
    const FewPlaces before = (FewPlaces){0, 1, 2, 3} < (FewPlaces)((FewPlaces){0} + K);
    for (int32_t j = 0; j < J; j += 4) {
        Few a[4];
        UNROLL for (int r = 0; r < 4; r++) {
            ptrdiff_t at = j + r < J ? j + r : J - 1;
            Few terms = *(const Few *)(x + at * xj) * *(const Few *)(y + at * yj);
            a[r] = (Few)((FewPlaces)terms & before);
        }
        Few b = SHUFFLE_4(a[0], a[1], 0, 4, 2, 6) + SHUFFLE_4(a[0], a[1], 1, 5, 3, 7);
        Few c = SHUFFLE_4(a[2], a[3], 0, 4, 2, 6) + SHUFFLE_4(a[2], a[3], 1, 5, 3, 7);
        Few sum = SHUFFLE_4(b, c, 0, 1, 4, 5) + SHUFFLE_4(b, c, 2, 3, 6, 7) + (Few){0.0}; /* never -0.0 */
        double *to = out + j;
        if (how == MORE) {
            sum += *(const Few *)to;
        }
        if (how == OVER || J - j >= 4) {
            *(Few *)to = sum;
            continue;
        }
        for (int32_t r = 0; r < J - j; r++) {
            to[r] = sum[r];
        }
    }
#else
    for (int32_t j = 0; j < J; j++) {
        double term[4] = {0.0};
        for (int32_t k = 0; k < K; k++) {
            term[k] = x[j * xj + k] * y[j * yj + k];
        }
        double sum = (term[0] + term[1]) + (term[2] + term[3]) + 0.0; /* never -0.0 */
        out[j] = how == MORE ? sum + out[j] : sum;
    }
#endif
}

/* Dots whose operands lie at growing distances: up to VL of j at once where they are side by side. */
static void
run_bent(const Nest *b, double *v)
{
    for (int32_t i = 0; i < b->I; i++) {
        double *out = v + b->out + (ptrdiff_t)i * b->J;
        bool beside = b->x.dj == 0 && b->y.dj == 1;
        for (int32_t j = 0; j < b->J; j += beside ? VL : 1) {
            const double *x = v + b->x.base + (ptrdiff_t)i * b->x.di + (ptrdiff_t)j * b->x.dj;
            const double *y = v + b->y.base + (ptrdiff_t)i * b->y.di + (ptrdiff_t)j * b->y.dj;
            ptrdiff_t dx = b->x.dk + (ptrdiff_t)i * b->x.twist, dy = b->y.dk + (ptrdiff_t)i * b->y.twist;
            if (beside) {
                D sum = d_set(0.0);
                for (int32_t k = 0; k < b->K; k++, x += dx, y += dy, dx += b->x.bend, dy += b->y.bend) {
                    sum += d_set(x[0]) * d_load(y);
                }
                put(out + j, sum, b->J - j, b->more ? MORE : OVER);
                continue;
            }
            double total = 0.0;
            for (int32_t k = 0; k < b->K; k++, x += dx, y += dy, dx += b->x.bend, dy += b->y.bend) {
                total += x[0] * y[0];
            }
            out[j] = b->more ? out[j] + total : total;
        }
    }
}

static void
run_dot(const Nest *b, double *v, double *spare, size_t spare_count)
{
    if (b->x.bend || b->y.bend || b->x.twist || b->y.twist) {
        run_bent(b, v);
        return;
    }
    double *out = v + b->out;
    const double *x = v + b->x.base, *y = v + b->y.base;
    int32_t I = b->I, J = b->J, K = b->K;
    if (b->x.dj == 0 && b->y.dj == 1) {
        product(out, x, b->x.di, b->x.dk, y, b->y.di, b->y.dk, I, J, K, b->more);
        return;
    }
    bool close = b->x.dk == 1 && b->y.dk == 1;
    if (b->x.dj == 0 && b->y.di == 0 && I >= (close ? REARRANGED : 2) && (size_t)K * (size_t)J <= spare_count) {
        rearrange(spare, y, b->y.dj, b->y.dk, J, K);
        product(out, x, b->x.di, b->x.dk, spare, 0, J, I, J, K, b->more);
        return;
    }
    int how = b->more ? MORE : OVER;
    for (int32_t i = 0; i < I; i++, out += J, x += b->x.di, y += b->y.di) {
        if (close && K <= 4) {
            dots_of_few(out, x, b->x.dj, y, b->y.dj, J, K, how);
        }
        else if (close && b->x.dj == 0) {
            dots_of(out, x, 0, y, b->y.dj, J, K, how, true, false);
        }
        else if (close) {
            dots_of(out, x, b->x.dj, y, b->y.dj, J, K, how, false, false);
        }
        else {
            for (int32_t j = 0; j < J; j++) {
                const double *p = x + (ptrdiff_t)j * b->x.dj, *q = y + (ptrdiff_t)j * b->y.dj;
                double total = 0.0;
                for (int32_t k = 0; k < K; k++) {
                    total += p[(ptrdiff_t)k * b->x.dk] * q[(ptrdiff_t)k * b->y.dk];
                }
                out[j] = b->more ? out[j] + total : total;
            }
        }
    }
}

static void
run_sum(const Nest *b, double *v)
{
    int how = b->more ? MORE : OVER;
    double *out = v + b->out;
    const double *x = v + b->x.base;
    for (int32_t i = 0; i < b->I; i++, out += b->J, x += b->x.di) {
        if (b->x.dj == 1) {
            for (int32_t j = 0; j < b->J; j += VL) {
                const double *p = x + j;
                D sum = d_set(0.0) + d_load(p);
                for (int32_t k = 1; k < b->K; k++) {
                    p += b->x.dk;
                    sum += d_load(p);
                }
                put(out + j, sum, b->J - j, how);
            }
            continue;
        }
        if (b->x.dk == 1 && b->K >= EIGHT) {
            dots_of(out, x, 0, x, b->x.dj, b->J, b->K, how, true, true);
            continue;
        }
        for (int32_t j = 0; j < b->J; j++) {
            const double *p = x + (ptrdiff_t)j * b->x.dj;
            double total = (b->more ? out[j] : 0.0) + p[0];
            for (int32_t k = 1; k < b->K; k++) {
                total += p[(ptrdiff_t)k * b->x.dk];
            }
            out[j] = total;
        }
    }
}

static inline double
larger(double x, double y)
{
    return x > y || x != x ? x : y;
}

static void
run_largest(const Nest *b, double *v)
{
    for (int32_t i = 0; i < b->I; i++) {
        for (int32_t j = 0; j < b->J; j++) {
            double *to = v + b->out + (ptrdiff_t)i * b->J + j;
            const double *p = v + b->x.base + (ptrdiff_t)i * b->x.di + (ptrdiff_t)j * b->x.dj;
            double largest = b->more ? larger(*to, p[0]) : p[0];
            for (int32_t k = 1; k < b->K; k++) {
                largest = larger(largest, p[(ptrdiff_t)k * b->x.dk]);
            }
            *to = largest;
        }
    }
}

static void
run_take(const Nest *b, double *v)
{
    double *out = v + b->out;
    for (int32_t i = 0; i < b->I; i++, out += b->J) {
        const double *x = v + b->x.base + (ptrdiff_t)i * b->x.di, *y = v + b->y.base + (ptrdiff_t)i * b->y.di;
        bool row = b->x.dj == 1 && b->y.dj == 0; /* the index does not move with j: a row of a table */
        for (int32_t j = 0; j < b->J; j += row ? VL : 1) {
            int32_t place = nearest_entry(y[(ptrdiff_t)j * b->y.dj], b->K);
            const double *from = x + (ptrdiff_t)j * b->x.dj + (ptrdiff_t)place * b->x.dk;
            if (row) {
                d_store(out + j, d_load(from));
            }
            else {
                out[j] = *from;
            }
        }
    }
}

static inline int32_t
index_of(double number)
{
    return number > -1.0 && number < INT32_MAX ? (int32_t)number : -1;
}

/* The gradient of a table, by rows. The index is the same for all rows, so each k adds to at most one row. */
static void
pick_rows(const Nest *b, double *v)
{
    double *out = v + b->out;
    if (!b->more) {
        memset(out, 0, (size_t)b->I * (size_t)b->J * sizeof *out);
    }
    for (int32_t k = 0; k < b->K; k++) {
        int64_t i = (int64_t)index_of(v[b->x.base + (ptrdiff_t)k * b->x.dk]) - b->z.base;
        if (i >= 0 && i < b->I) {
            const double *y = v + b->y.base + (ptrdiff_t)k * b->y.dk;
            for (int32_t j = 0; j < b->J; j++) {
                out[i * b->J + j] += y[(ptrdiff_t)j * b->y.dj];
            }
        }
    }
}

static void
run_pick(const Nest *b, double *v)
{
    if (b->x.di == 0 && b->x.dj == 0 && b->y.di == 0 && b->z.di == 1 && b->z.dj == 0) {
        pick_rows(b, v);
        return;
    }
    bool rising = b->x.dj == 0 && b->z.dj == 1; /* the place moves with j and the index does not, so at most one j matches */
    for (int32_t i = 0; i < b->I; i++) {
        double *out = v + b->out + (ptrdiff_t)i * b->J;
        const double *x = v + b->x.base + (ptrdiff_t)i * b->x.di, *y = v + b->y.base + (ptrdiff_t)i * b->y.di;
        if (!b->more) {
            memset(out, 0, (size_t)b->J * sizeof *out);
        }
        for (int32_t k = 0; k < b->K; k++) {
            const double *p = x + (ptrdiff_t)k * b->x.dk, *q = y + (ptrdiff_t)k * b->y.dk;
            if (rising) {
                int64_t j = (int64_t)index_of(p[0]) - (b->z.base + i * b->z.di);
                if (j >= 0 && j < b->J) {
                    out[j] += q[j * b->y.dj];
                }
                continue;
            }
            for (int32_t j = 0; j < b->J; j++) {
                if (index_of(p[(ptrdiff_t)j * b->x.dj]) == b->z.base + i * b->z.di + j * b->z.dj) {
                    out[j] += q[(ptrdiff_t)j * b->y.dj];
                }
            }
        }
    }
}

/* ── One operation on each ──────────────────────────────────────────────────────────────────── */

static inline double
one(int code, int row, double x, double y, double z)
{
    static const int32_t place[3] = {0, 1, 2};
    double values[3] = {x, y, z};
    return is_partial(code) ? scalar_partial(row, code - PARTIAL0, x, y, z)
                            : scalar_apply(code, place, code_arity[code], 0.0, values);
}

extern const Rows JOIN(rows, LEVEL);

enum { PART = 64 };

/* Part of an operand for a row: where it lies, or gathered in `room`. It is still where it does not move. */
static inline const double *
operand(const double *from, ptrdiff_t step, int32_t count, double *room)
{
    if (step > 1 || step < 0) {
        for (int32_t j = 0; j < count; j++) {
            room[j] = from[j * step];
        }
        from = room;
    }
    return from;
}

/* Compute I × J numbers, each from the operands at its place. Functions of several operands, and functions of numbers
 * that do not lie side by side, take them one by one. */
static void
run_each(const Nest *b, double *v)
{
    int row = is_partial(b->code) ? row_of(b->row, 1 + b->code - PARTIAL0) : b->code;
    int count = row_info[row].operands, form = row_info[row].form, still = (b->x.dj == 0) | (count > 1 && b->y.dj == 0) << 1 | (count > 2 && b->z.dj == 0) << 2;
    bool beside = b->x.dj == 1 && count == 1 && row < CODE_COUNT;
    Row kernel = form == ROW_EXACT || (form == ROW_FUNCTION && beside) ? JOIN(rows, LEVEL).row[0][row] : NULL;
    bool gathered = b->x.dj >> 1 || (count > 1 && b->y.dj >> 1) || (count > 2 && b->z.dj >> 1);
    double *out = v + b->out, room[3][PART];
    const double *x = v + b->x.base, *y = v + b->y.base, *z = v + b->z.base;
    for (int32_t i = 0; i < b->I; i++, out += b->J, x += b->x.di, y += b->y.di, z += b->z.di) {
        if (kernel != NULL && !gathered) {
            kernel(out, x, y, z, still, b->J);
            continue;
        }
        for (int32_t j = 0; j < b->J && kernel != NULL; j += PART) {
            int32_t part = b->J - j < PART ? b->J - j : PART;
            const double *p = operand(x + (ptrdiff_t)j * b->x.dj, b->x.dj, part, room[0]);
            const double *q = count > 1 ? operand(y + (ptrdiff_t)j * b->y.dj, b->y.dj, part, room[1]) : NULL;
            const double *r = count > 2 ? operand(z + (ptrdiff_t)j * b->z.dj, b->z.dj, part, room[2]) : NULL;
            kernel(out + j, p, q, r, still, part);
        }
        for (int32_t j = 0; j < b->J && kernel == NULL; j++) {
            out[j] = one(b->code, b->row, x[(ptrdiff_t)j * b->x.dj], y[(ptrdiff_t)j * b->y.dj],
                         z[(ptrdiff_t)j * b->z.dj]);
        }
    }
}

/* ── Irregular instructions ─────────────────────────────────────────────────────────────────── */

static void
run_list(const Nest *b, const int32_t *list, double *v)
{
    const int32_t *p = list + b->list;
    double *out = v + b->out;
    for (int32_t j = 0; j < b->J; j++, out++) {
        int code = p[0];
        int32_t count = p[1];
        const int32_t *arg = p + 2;
        p = arg + count;
        switch (code) {
        case C_add: *out = v[arg[0]] + v[arg[1]]; break;
        case C_sub: *out = v[arg[0]] - v[arg[1]]; break;
        case C_mul: *out = v[arg[0]] * v[arg[1]]; break;
        case C_div: case DRAW: *out = v[arg[0]] / v[arg[1]]; break;
        case C_neg: *out = -v[arg[0]]; break;
        case SQUARE: *out = v[arg[0]] * v[arg[0]]; break;
        default: {
            double number = code == PICK || is_partial(code) ? *p++ : 0.0;
            *out = scalar_apply(code, arg, count, number, v);
        }
        }
    }
}

static void
run(const Nest *blocks, int32_t count, const int32_t *list, double *v, double *spare, size_t spare_count)
{
    for (const Nest *b = blocks; b < blocks + count; b++) {
        if (b->listed) {
            run_list(b, list, v);
            continue;
        }
        switch (b->code) {
        case DOT:
        case PULL:
            run_dot(b, v, spare, spare_count);
            break;
        case SUM:
            run_sum(b, v);
            break;
        case LARGEST:
            run_largest(b, v);
            break;
        case TAKE:
            run_take(b, v);
            break;
        case PICK:
            run_pick(b, v);
            break;
        default:
            run_each(b, v);
        }
    }
}

/* ── Adam ───────────────────────────────────────────────────────────────────────────────────── */

static void
adam(double *restrict p, const double *restrict g, double *restrict mean, double *restrict square, size_t n,
     const AdamStep *step)
{
    adam_moved(step, n, p, g, mean, square);
}

/* Copy; return whether there is a nan, or an inf. */
static bool
copy(double *restrict to, const double *restrict from, size_t count)
{
    D sum = d_set(0.0), twin = d_set(0.0);
    size_t k = 0;
    for (; k + 2 * VL <= count; k += 2 * VL) {
        D x = d_load(from + k), y = d_load(from + k + VL);
        d_store(to + k, x);
        d_store(to + k + VL, y);
        sum += x * 0.0;
        twin += y * 0.0;
    }
    double total = 0.0;
    for (; k < count; k++) {
        to[k] = from[k];
        total += from[k] * 0.0;
    }
    sum += twin;
    for (int lane = 0; lane < VL; lane++) {
        total += sum[lane];
    }
    return total != total;
}

const SingleKernels JOIN(single_kernels, LEVEL) = {
    .name = TEXT(LEVEL),
    .run = run,
    .adam = adam,
    .copy = copy,
};
