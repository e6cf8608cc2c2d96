/* The loops over blocks, compiled once for each kind of processor. */

#include "single.h"
#pragma GCC diagnostic ignored "-Wunused-function"
#include "vmath.h"

#include <string.h>

#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)

#define WIDE 8
#if defined(__GNUC__) || defined(__clang__)
typedef double Wide __attribute__((vector_size(8 * WIDE), aligned(8), may_alias));
static inline Wide
load(const double *p)
{
    return *(const Wide *)p;
}
static inline Wide
all(double x)
{
    return (Wide){x, x, x, x, x, x, x, x};
}
#else
#error "a compiler with vector extensions is needed"
#endif

static inline void
store_some(double *p, Wide x, int count, bool more)
{
    if (more) {
        for (int k = 0; k < count; k++) {
            p[k] += x[k];
        }
    }
    else if (count == WIDE) {
        *(Wide *)p = x;
    }
    else {
        for (int k = 0; k < count; k++) {
            p[k] = x[k];
        }
    }
}

/* ── Matrix products ────────────────────────────────────────────────────────────────────────── */

/* out[i,j] = Σ_k x[i,k] · y[k,j]: y runs with j, x stands still. Four i and two vectors of j at once. */
static inline __attribute__((always_inline)) void
product_tile(double *out, const double *x, int32_t xi, int32_t xk, const double *y, int32_t yi, int32_t yk,
             int rows, int32_t J, int32_t K, bool more)
{
    for (int32_t j = 0; j < J; j += 2 * WIDE) {
        Wide sum[4][2];
        bool two = J - j > WIDE;
        for (int r = 0; r < rows; r++) {
            sum[r][0] = sum[r][1] = all(0.0);
        }
        if (yi == 0 && two) {
            for (int32_t k = 0; k < K; k++) {
                Wide left = load(y + (ptrdiff_t)k * yk + j), right = load(y + (ptrdiff_t)k * yk + j + WIDE);
                for (int r = 0; r < rows; r++) {
                    Wide factor = all(x[(ptrdiff_t)r * xi + (ptrdiff_t)k * xk]);
                    sum[r][0] += factor * left;
                    sum[r][1] += factor * right;
                }
            }
        }
        else if (two) {
            for (int32_t k = 0; k < K; k++) {
                for (int r = 0; r < rows; r++) {
                    const double *at = y + (ptrdiff_t)r * yi + (ptrdiff_t)k * yk + j;
                    Wide factor = all(x[(ptrdiff_t)r * xi + (ptrdiff_t)k * xk]);
                    sum[r][0] += factor * load(at);
                    sum[r][1] += factor * load(at + WIDE);
                }
            }
        }
        else {
            for (int32_t k = 0; k < K; k++) {
                for (int r = 0; r < rows; r++) {
                    const double *at = y + (ptrdiff_t)r * yi + (ptrdiff_t)k * yk + j;
                    sum[r][0] += all(x[(ptrdiff_t)r * xi + (ptrdiff_t)k * xk]) * load(at);
                }
            }
        }
        int left_count = J - j < WIDE ? (int)(J - j) : WIDE;
        int right_count = J - j - WIDE < WIDE ? (int)(J - j - WIDE) : WIDE;
        for (int r = 0; r < rows; r++) {
            store_some(out + (ptrdiff_t)r * J + j, sum[r][0], left_count, more);
            if (two) {
                store_some(out + (ptrdiff_t)r * J + j + WIDE, sum[r][1], right_count, more);
            }
        }
    }
}

static void
product(double *out, const double *x, int32_t xi, int32_t xk, const double *y, int32_t yi, int32_t yk,
        int32_t I, int32_t J, int32_t K, bool more)
{
    int32_t i = 0;
    for (; i + 4 <= I; i += 4) {
        product_tile(out + (ptrdiff_t)i * J, x + (ptrdiff_t)i * xi, xi, xk, y + (ptrdiff_t)i * yi, yi, yk, 4, J,
                     K, more);
    }
    for (; i + 2 <= I; i += 2) {
        product_tile(out + (ptrdiff_t)i * J, x + (ptrdiff_t)i * xi, xi, xk, y + (ptrdiff_t)i * yi, yi, yk, 2, J,
                     K, more);
    }
    for (; i < I; i++) {
        product_tile(out + (ptrdiff_t)i * J, x + (ptrdiff_t)i * xi, xi, xk, y + (ptrdiff_t)i * yi, yi, yk, 1, J,
                     K, more);
    }
}

static inline double
across(Wide x)
{
    return ((x[0] + x[4]) + (x[2] + x[6])) + ((x[1] + x[5]) + (x[3] + x[7]));
}

static inline double
dot_close(const double *x, const double *y, int32_t K)
{
    Wide sum = all(0.0);
    int32_t k = 0;
    for (; k + WIDE <= K; k += WIDE) {
        sum += load(x + k) * load(y + k);
    }
    double total = k ? across(sum) : 0.0;
    for (; k < K; k++) {
        total += x[k] * y[k];
    }
    return total;
}

#if defined(__clang__)
#define MERGE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
typedef long long Places __attribute__((vector_size(8 * WIDE)));
#define MERGE(a, b, ...) __builtin_shuffle(a, b, (Places){__VA_ARGS__})
#endif

/* Turn eight rows of eight numbers into eight columns. */
static inline void
transpose(double *to, ptrdiff_t to_step, const double *from, ptrdiff_t from_step)
{
    Wide a[8], b[8];
    for (int r = 0; r < 8; r++) {
        a[r] = load(from + r * from_step);
    }
    for (int r = 0; r < 8; r += 2) {
        b[r] = MERGE(a[r], a[r + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        b[r + 1] = MERGE(a[r], a[r + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int r = 0; r < 8; r += 4) {
        for (int c = 0; c < 2; c++) {
            a[r + c] = MERGE(b[r + c], b[r + c + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            a[r + c + 2] = MERGE(b[r + c], b[r + c + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    }
    for (int c = 0; c < 4; c++) {
        *(Wide *)(to + c * to_step) = MERGE(a[c], a[c + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        *(Wide *)(to + (c + 4) * to_step) = MERGE(a[c], a[c + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

/* Copy y[j,k] so that j runs fastest. */
static void
rearrange(double *to, const double *y, int32_t dj, int32_t dk, int32_t J, int32_t K)
{
    int32_t j = 0;
    if (dk == 1) {
        for (; j + 8 <= J; j += 8) {
            int32_t k = 0;
            for (; k + 8 <= K; k += 8) {
                transpose(to + (ptrdiff_t)k * J + j, J, y + (ptrdiff_t)j * dj + k, dj);
            }
            for (; k < K; k++) {
                for (int32_t i = j; i < j + 8; i++) {
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

/* Dots whose operands lie at growing distances: up to eight j at once where they are side by side. */
static void
run_bent(const Nest *b, double *v)
{
    for (int32_t i = 0; i < b->I; i++) {
        double *out = v + b->out + (ptrdiff_t)i * b->J;
        bool beside = b->x.dj == 0 && b->y.dj == 1;
        for (int32_t j = 0; j < b->J; j += beside ? WIDE : 1) {
            const double *x = v + b->x.base + (ptrdiff_t)i * b->x.di + (ptrdiff_t)j * b->x.dj;
            const double *y = v + b->y.base + (ptrdiff_t)i * b->y.di + (ptrdiff_t)j * b->y.dj;
            ptrdiff_t dx = b->x.dk, dy = b->y.dk;
            Wide sum = all(0.0);
            double total = 0.0;
            for (int32_t k = 0; k < b->K; k++, x += dx, y += dy, dx += b->x.bend, dy += b->y.bend) {
                if (beside) {
                    sum += all(x[0]) * load(y);
                }
                else {
                    total += x[0] * y[0];
                }
            }
            if (beside) {
                store_some(out + j, sum, b->J - j < WIDE ? (int)(b->J - j) : WIDE, b->more);
            }
            else {
                out[j] = b->more ? out[j] + total : total;
            }
        }
    }
}

static void
run_dot(const Nest *b, double *v, double *spare, size_t spare_count)
{
    if (b->x.bend || b->y.bend) {
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
    if (b->x.dj == 0 && b->y.di == 0 && I >= 2 && (size_t)K * (size_t)J <= spare_count) {
        rearrange(spare, y, b->y.dj, b->y.dk, J, K);
        product(out, x, b->x.di, b->x.dk, spare, 0, J, I, J, K, b->more);
        return;
    }
    bool close = b->x.dk == 1 && b->y.dk == 1 && K >= WIDE;
    for (int32_t i = 0; i < I; i++) {
        for (int32_t j = 0; j < J; j++) {
            const double *p = x + (ptrdiff_t)i * b->x.di + (ptrdiff_t)j * b->x.dj;
            const double *q = y + (ptrdiff_t)i * b->y.di + (ptrdiff_t)j * b->y.dj;
            double total = 0.0;
            if (close) {
                total = dot_close(p, q, K);
            }
            else {
                for (int32_t k = 0; k < K; k++) {
                    total += p[(ptrdiff_t)k * b->x.dk] * q[(ptrdiff_t)k * b->y.dk];
                }
            }
            double *to = out + (ptrdiff_t)i * J + j;
            *to = b->more ? *to + total : total;
        }
    }
}

static void
run_sum(const Nest *b, double *v)
{
    for (int32_t i = 0; i < b->I; i++) {
        double *out = v + b->out + (ptrdiff_t)i * b->J;
        const double *x = v + b->x.base + (ptrdiff_t)i * b->x.di;
        if (b->x.dj == 1 && b->J >= 4) {
            for (int32_t k = 0; k < b->K; k++, x += b->x.dk) {
                if (k == 0 && !b->more) {
                    memcpy(out, x, (size_t)b->J * sizeof *out);
                    continue;
                }
                for (int32_t j = 0; j < b->J; j++) {
                    out[j] += x[j];
                }
            }
            continue;
        }
        for (int32_t j = 0; j < b->J; j++) {
            const double *p = x + (ptrdiff_t)j * b->x.dj;
            double total = b->more ? out[j] + p[0] : p[0];
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

static bool
run_take(const Nest *b, double *v)
{
    for (int32_t i = 0; i < b->I; i++) {
        for (int32_t j = 0; j < b->J; j++) {
            double index = v[b->y.base + (ptrdiff_t)i * b->y.di + (ptrdiff_t)j * b->y.dj];
            if (!(index > -1.0 && index < b->K)) {
                return false;
            }
            v[b->out + (ptrdiff_t)i * b->J + j] = v[b->x.base + (ptrdiff_t)i * b->x.di +
                                                    (ptrdiff_t)j * b->x.dj + (ptrdiff_t)(int32_t)index * b->x.dk];
        }
    }
    return true;
}

/* A PICK may run before the TAKE that refuses its index. */
static inline int32_t
index_of(double number)
{
    return number > -1.0 && number < INT32_MAX ? (int32_t)number : -1;
}

static void
run_pick(const Nest *b, double *v)
{
    bool level = b->x.dj == 0 && b->z.dj == 0; /* the index and the place do not move with j */
    bool rising = b->x.dj == 0 && b->z.dj == 1; /* the place does: one j at most is it */
    for (int32_t i = 0; i < b->I; i++) {
        double *out = v + b->out + (ptrdiff_t)i * b->J;
        const double *x = v + b->x.base + (ptrdiff_t)i * b->x.di, *y = v + b->y.base + (ptrdiff_t)i * b->y.di;
        if (!b->more) {
            memset(out, 0, (size_t)b->J * sizeof *out);
        }
        for (int32_t k = 0; k < b->K; k++) {
            const double *p = x + (ptrdiff_t)k * b->x.dk, *q = y + (ptrdiff_t)k * b->y.dk;
            if (rising) {
                int32_t j = index_of(p[0]) - (b->z.base + i * b->z.di);
                if (j >= 0 && j < b->J) {
                    out[j] += q[(ptrdiff_t)j * b->y.dj];
                }
                continue;
            }
            if (level) {
                if (index_of(p[0]) == b->z.base + i * b->z.di) {
                    for (int32_t j = 0; j < b->J; j++) {
                        out[j] += q[(ptrdiff_t)j * b->y.dj];
                    }
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
root(double x)
{
    return x == -INFINITY ? INFINITY : sqrt(x + 0.0);
}

#define EACH(expression)                                                                      \
    do {                                                                                      \
        if (xj == 1 && yj == 1) {                                                             \
            for (int32_t j = 0; j < n; j++) {                                                 \
                double x = px[j], y = py[j];                                                  \
                (void)x, (void)y;                                                             \
                out[j] = (expression);                                                        \
            }                                                                                 \
        }                                                                                     \
        else if (xj == 1 && yj == 0) {                                                        \
            double y = py[0];                                                                 \
            (void)y;                                                                          \
            for (int32_t j = 0; j < n; j++) {                                                 \
                double x = px[j];                                                             \
                (void)x;                                                                      \
                out[j] = (expression);                                                        \
            }                                                                                 \
        }                                                                                     \
        else {                                                                                \
            for (int32_t j = 0; j < n; j++) {                                                 \
                double x = px[(ptrdiff_t)j * xj], y = py[(ptrdiff_t)j * yj];                  \
                (void)x, (void)y;                                                             \
                out[j] = (expression);                                                        \
            }                                                                                 \
        }                                                                                     \
    } while (0)

static inline double
one(int code, int row, double x, double y, double z)
{
    int32_t start[2] = {0, code_arity[code] >= 0 ? code_arity[code] : 3}, place[3] = {0, 1, 2};
    double values[3] = {x, y, z}, number = row;
    if (code == PARTIAL0 || code == PARTIAL1) {
        return scalar_partial(row, code - PARTIAL0, x, y);
    }
    uint8_t byte = (uint8_t)code;
    Ir program = {.count = 1, .code = &byte, .start = start, .arg = place, .number = &number};
    bool bad = false;
    return scalar_compute(&program, 0, values, false, &bad);
}

/* Functions that vmath.h has over vectors; those of numbers that lie close go by it. */
#define VECTOR_FUNCTIONS(F) \
    F(exp) F(expm1) F(log) F(log1p) F(sin) F(cos) F(tan) F(atan) F(sinh) F(cosh) F(tanh) F(sigmoid) \
    F(softplus) F(silu) F(gelu) F(erf) F(erfc)

#define OVER_ALL(name)                                                             \
    static void name##_all(double *out, const double *x, int32_t n)                \
    {                                                                              \
        int32_t j = 0;                                                             \
        for (; j + VL <= n; j += VL) {                                             \
            d_store(out + j, d_##name(d_load(x + j)));                             \
        }                                                                          \
        if (j < n) { /* the rest, in a vector that is filled up */                 \
            double rest[VL] = {0};                                                 \
            memcpy(rest, x + j, (size_t)(n - j) * sizeof *rest);                   \
            d_store(rest, d_##name(d_load(rest)));                                 \
            memcpy(out + j, rest, (size_t)(n - j) * sizeof *rest);                 \
        }                                                                          \
    }
VECTOR_FUNCTIONS(OVER_ALL)

static void
run_each(const Nest *b, double *restrict out, const double *px, const double *py, const double *pz)
{
    int32_t n = b->J, xj = b->x.dj, yj = b->y.dj;
    switch (b->code) {
    case C_add: EACH(x + y); return;
    case C_sub: EACH(x - y); return;
    case C_mul: EACH(x * y); return;
    case C_div: EACH(x / y); return;
    case C_neg: EACH(-x); return;
    case SQUARE: EACH(x * x); return;
    case INVERSE: EACH(1.0 / x); return;
    case ROOT: EACH(root(x)); return;
    case INVERSE_ROOT: EACH(1.0 / root(x)); return;
    case DRAW: EACH(x / y); return;
    case GATE: EACH(y > 0.0 ? x : 0.0); return;
    case CHOOSE: EACH(x != 0.0 ? y : 0.0); return;
    case REFUSE: EACH(x != 0.0 ? 0.0 : y); return;
    case C_relu: EACH(x <= 0.0 ? 0.0 : x); return;
    case C_floor: EACH(floor(x)); return;
    case C_abs: EACH(fabs(x)); return;
    case C_sqrt: EACH(sqrt(x)); return;
    case C_minimum: EACH(x < y || x != x ? x : y); return;
    case LT: EACH(x < y ? 1.0 : 0.0); return;
    case LE: EACH(x <= y ? 1.0 : 0.0); return;
    case GT: EACH(x > y ? 1.0 : 0.0); return;
    case GE: EACH(x >= y ? 1.0 : 0.0); return;
    case EQ: EACH(x == y ? 1.0 : 0.0); return;
    case NE: EACH(x != y ? 1.0 : 0.0); return;
    case C_maximum: EACH(larger(x, y)); return;
#define CASE(name)                      \
    case C_##name:                      \
        if (xj == 1) {                  \
            name##_all(out, px, n);     \
            return;                     \
        }                               \
        break;
        VECTOR_FUNCTIONS(CASE)
    default:
        break;
    }
    for (int32_t j = 0; j < n; j++) {
        out[j] = one(b->code, b->row, px[(ptrdiff_t)j * xj], py[(ptrdiff_t)j * yj], pz[(ptrdiff_t)j * b->z.dj]);
    }
}

/* ── Irregular instructions ─────────────────────────────────────────────────────────────────── */

static bool
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
        case SUM: {
            double total = v[arg[0]];
            for (int32_t k = 1; k < count; k++) {
                total += v[arg[k]];
            }
            *out = total;
            break;
        }
        case DOT:
        case PULL: {
            double total = v[arg[0]] * v[arg[1]];
            for (int32_t k = 2; k < count; k += 2) {
                total += v[arg[k]] * v[arg[k + 1]];
            }
            *out = total;
            break;
        }
        case LARGEST: {
            double largest = v[arg[0]];
            for (int32_t k = 1; k < count; k++) {
                largest = larger(largest, v[arg[k]]);
            }
            *out = largest;
            break;
        }
        case PICK: {
            double total = 0.0;
            for (int32_t k = 0; k < count; k += 2) {
                total += index_of(v[arg[k]]) == *p ? v[arg[k + 1]] : 0.0;
            }
            *out = total;
            p++;
            break;
        }
        case TAKE: {
            double index = v[arg[0]];
            if (!(index > -1.0 && index < count - 1)) {
                return false;
            }
            *out = v[arg[1 + (int32_t)index]];
            break;
        }
        case PARTIAL0:
        case PARTIAL1:
            *out = scalar_partial(*p++, code - PARTIAL0, v[arg[1]], count > 2 ? v[arg[2]] : 0.0);
            break;
        default:
            *out = one(code, 0, v[arg[0]], count > 1 ? v[arg[1]] : 0.0, count > 2 ? v[arg[2]] : 0.0);
        }
    }
    return true;
}

static bool
run(const Nest *blocks, int32_t count, const int32_t *list, double *v, double *spare, size_t spare_count)
{
    for (const Nest *b = blocks; b < blocks + count; b++) {
        if (b->listed) {
            if (!run_list(b, list, v)) {
                return false;
            }
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
            if (!run_take(b, v)) {
                return false;
            }
            break;
        case PICK:
            run_pick(b, v);
            break;
        default:
            for (int32_t i = 0; i < b->I; i++) {
                run_each(b, v + b->out + (ptrdiff_t)i * b->J, v + b->x.base + (ptrdiff_t)i * b->x.di,
                         v + b->y.base + (ptrdiff_t)i * b->y.di, v + b->z.base + (ptrdiff_t)i * b->z.di);
            }
        }
    }
    return true;
}

/* ── Adam ───────────────────────────────────────────────────────────────────────────────────── */

#define TINY 2.2250738585072014e-308 /* the smallest normal double: below it, arithmetic is slow */

static void
adam(double *restrict p, const double *restrict g, double *restrict mean, double *restrict square, size_t n, double rate, double beta1, double beta2,
     double epsilon, double lack1, double lack2, double decay)
{
    double kept = 1.0 - rate * decay, rest1 = 1.0 - beta1, rest2 = 1.0 - beta2;
    double factor = rate / lack1, inverse = 1.0 / lack2;
    for (size_t i = 0; i < n; i++) {
        double m = beta1 * mean[i] + rest1 * g[i];
        double s = beta2 * square[i] + rest2 * (g[i] * g[i]);
        m = fabs(m) < TINY ? 0.0 : m;
        s = s < TINY ? 0.0 : s;
        mean[i] = m;
        square[i] = s;
        p[i] = p[i] * kept - factor * m / (sqrt(s * inverse) + epsilon);
    }
}

/* Whether there is a nan, or an inf. */
static bool
any_wild(const double *numbers, size_t count)
{
    Wide sum = all(0.0);
    size_t k = 0;
    for (; k + WIDE <= count; k += WIDE) {
        sum += load(numbers + k) * 0.0;
    }
    double total = across(sum);
    for (; k < count; k++) {
        total += numbers[k] * 0.0;
    }
    return total != total;
}

const SingleKernels JOIN(single_kernels_, LEVEL) = {
#define TEXT2(x) #x
#define TEXT(x) TEXT2(x)
    .name = TEXT(LEVEL),
    .run = run,
    .adam = adam,
    .any_wild = any_wild,
};
