/* Functions over a vector of doubles: portable vector code, right at nan, ±inf, ±0, subnormals and
 * huge arguments. All are within 2 units in the last place; docs/accuracy.md has the table.
 *
 * D is the vector, L its integers of the same size, M the truth of a comparison, Pair a number in two
 * parts. What is rare in a function (huge angles, powers of negative numbers) is done lane by lane by
 * the C library. Compilers without vector extensions get vectors of one number, and scalar.c takes
 * these for single numbers.
 *
 * No accuracy rests on fused multiply-adds: d_mad rounds once or twice, as the processor can, and is
 * there for speed. Only d_rest is exact, in one of two ways. A compiler may contract the rest or not.
 */
#ifndef GRADWALK_VMATH_H
#define GRADWALK_VMATH_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if (defined(__GNUC__) || defined(__clang__)) && !defined(GRADWALK_PLAIN)
#define VECTORS 1
#if defined(__AVX512F__) && defined(__AVX512DQ__)
#include <immintrin.h>
#define VL 8
#elif defined(__AVX2__)
#include <immintrin.h>
#define VL 4
#else
#ifdef __SSE2__
#include <emmintrin.h>
#endif
#define VL 2
#endif
typedef double D __attribute__((vector_size(VL * 8), may_alias));
typedef int64_t L __attribute__((vector_size(VL * 8), may_alias));
typedef uint64_t UL __attribute__((vector_size(VL * 8), may_alias));
#define KEEP_OUT __attribute__((noinline))
#else
#define VECTORS 0
#define VL 1
typedef double D;
typedef int64_t L;
typedef uint64_t UL;
#define KEEP_OUT
#endif

/* ── What the rest is made of ────────────────────────────────────────────────────────────────── */

static inline D
d_set(double x)
{
#if VECTORS
    return x - (D){0};
#else
    return x;
#endif
}

static inline L
l_set(int64_t x)
{
#if VECTORS
    return x - (L){0};
#else
    return x;
#endif
}

static inline L
bits(D x)
{
    L y;
    memcpy(&y, &x, sizeof y);
    return y;
}

static inline D
number(L x)
{
    D y;
    memcpy(&y, &x, sizeof y);
    return y;
}

static inline D
d_load(const double *p)
{
    D x;
    memcpy(&x, p, sizeof x);
    return x;
}

static inline void
d_store(double *p, D x)
{
    memcpy(p, &x, sizeof x);
}

#if VL == 8
typedef __mmask8 M;
#define d_lt(x, y) _mm512_cmp_pd_mask((__m512d)(x), (__m512d)(y), _CMP_LT_OQ)
#define d_le(x, y) _mm512_cmp_pd_mask((__m512d)(x), (__m512d)(y), _CMP_LE_OQ)
#define d_eq(x, y) _mm512_cmp_pd_mask((__m512d)(x), (__m512d)(y), _CMP_EQ_OQ)
#define d_ne(x, y) _mm512_cmp_pd_mask((__m512d)(x), (__m512d)(y), _CMP_NEQ_UQ)
#define d_select(m, x, y) ((D)_mm512_mask_blend_pd(m, (__m512d)(y), (__m512d)(x)))
#define m_or(a, b) ((M)((a) | (b)))
#define m_and(a, b) ((M)((a) & (b)))
#define m_not(a) ((M)_knot_mask8(a))
#define m_any(a) ((a) > 0)
#define m_lane(a, k) (((a) >> (k)) & 1)
#define d_sqrt(x) ((D)_mm512_sqrt_pd((__m512d)(x)))
#define d_floor(x) ((D)_mm512_roundscale_pd((__m512d)(x), _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC))
#define d_trunc(x) ((D)_mm512_roundscale_pd((__m512d)(x), _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC))
#define d_min(x, y) ((D)_mm512_min_pd((__m512d)(x), (__m512d)(y)))
#define d_max(x, y) ((D)_mm512_max_pd((__m512d)(x), (__m512d)(y)))
#elif VECTORS
typedef L M;
#define d_lt(x, y) ((M)((x) < (y)))
#define d_le(x, y) ((M)((x) <= (y)))
#define d_eq(x, y) ((M)((x) == (y)))
#define d_ne(x, y) ((M)((x) != (y)))
#define m_or(a, b) ((a) | (b))
#define m_and(a, b) ((a) & (b))
#define m_not(a) (~(a))
#define m_lane(a, k) ((a)[k] != 0)
static inline bool
m_any(M a)
{
    int64_t any = 0;
    for (int k = 0; k < VL; k++) {
        any |= a[k];
    }
    return any != 0;
}
static inline D
d_sqrt(D x)
{
#if VL == 4
    return (D)_mm256_sqrt_pd((__m256d)x);
#elif defined(__SSE2__)
    return (D)_mm_sqrt_pd((__m128d)x);
#else
    for (int k = 0; k < VL; k++) {
        x[k] = sqrt(x[k]);
    }
    return x;
#endif
}
#if VL == 4
#define d_select(m, x, y) ((D)_mm256_blendv_pd((__m256d)(y), (__m256d)(x), (__m256d)(m)))
#define d_floor(x) ((D)_mm256_floor_pd((__m256d)(x)))
#define d_trunc(x) ((D)_mm256_round_pd((__m256d)(x), _MM_FROUND_TO_ZERO | _MM_FROUND_NO_EXC))
#define d_min(x, y) ((D)_mm256_min_pd((__m256d)(x), (__m256d)(y)))
#define d_max(x, y) ((D)_mm256_max_pd((__m256d)(x), (__m256d)(y)))
#else
#define d_select(m, x, y) number((bits(x) & (m)) | (bits(y) & ~(m)))
static inline D
d_floor(D x)
{
    for (int k = 0; k < VL; k++) {
        x[k] = floor(x[k]);
    }
    return x;
}
static inline D
d_trunc(D x)
{
    for (int k = 0; k < VL; k++) {
        x[k] = trunc(x[k]);
    }
    return x;
}
#define d_min(x, y) d_select(d_lt(x, y), x, y) /* the second when one is nan, as the processors do */
#define d_max(x, y) d_select(d_lt(y, x), x, y)
#endif
#else
typedef int M;
#define d_lt(x, y) ((x) < (y))
#define d_le(x, y) ((x) <= (y))
#define d_eq(x, y) ((x) == (y))
#define d_ne(x, y) ((x) != (y))
#define d_select(m, x, y) ((m) ? (x) : (y))
#define m_or(a, b) ((a) || (b))
#define m_and(a, b) ((a) && (b))
#define m_not(a) (!(a))
#define m_any(a) (a)
#define m_lane(a, k) (a)
#define d_sqrt(x) sqrt(x)
#define d_floor(x) floor(x)
#define d_trunc(x) trunc(x)
#define d_min(x, y) ((x) < (y) ? (x) : (y))
#define d_max(x, y) ((x) > (y) ? (x) : (y))
#endif

#define d_or m_or
#define d_and m_and

#define ABS_BITS INT64_C(0x7FFFFFFFFFFFFFFF)
#define SIGN_BIT INT64_MIN

static inline D
d_abs(D x)
{
    return number(bits(x) & l_set(ABS_BITS));
}

static inline D
d_copysign(D x, D sign)
{
    return number((bits(x) & l_set(ABS_BITS)) | (bits(sign) & l_set(SIGN_BIT)));
}

static inline double
d_lane(D x, int k)
{
    double lane[VL];
    d_store(lane, x);
    return lane[k];
}

/* f of the lanes where m holds, the given result of the others. */
static KEEP_OUT D
d_rare(M m, D x, D result, double (*f)(double))
{
    double in[VL], out[VL];
    d_store(in, x);
    d_store(out, result);
    for (int k = 0; k < VL; k++) {
        if (m_lane(m, k)) {
            out[k] = f(in[k]);
        }
    }
    return d_load(out);
}

/* f of every lane: for functions of the C library that have no vector form. */
static inline D
d_each(double (*f)(double), D x)
{
    double lane[VL];
    d_store(lane, x);
    for (int k = 0; k < VL; k++) {
        lane[k] = f(lane[k]);
    }
    return d_load(lane);
}

static inline D
d_each_of_two(double (*f)(double, double), D x, D y)
{
    double lane[VL], other[VL];
    d_store(lane, x);
    d_store(other, y);
    for (int k = 0; k < VL; k++) {
        lane[k] = f(lane[k], other[k]);
    }
    return d_load(lane);
}

#define SHIFTER 6755399441055744.0 /* 1.5 · 2**52: adding it rounds to a whole number */

#if VL == 8 || (VL == 4 && defined(__FMA__)) || defined(__FP_FAST_FMA)
#define FUSED 1
#else
#define FUSED 0
#endif

/* x·y + z, in one rounding where the processor can. */
static inline D
d_mad(D x, D y, D z)
{
#if VL == 8
    return (D)_mm512_fmadd_pd((__m512d)x, (__m512d)y, (__m512d)z);
#elif VL == 4 && defined(__FMA__)
    return (D)_mm256_fmadd_pd((__m256d)x, (__m256d)y, (__m256d)z);
#elif FUSED && VECTORS
    for (int k = 0; k < VL; k++) {
        z[k] = __builtin_fma(x[k], y[k], z[k]);
    }
    return z;
#elif FUSED
    return fma(x, y, z);
#else
    return x * y + z;
#endif
}

/* x·y - product, exactly; by Dekker's splitting |x| and |y| must stay below 1e300. */
static inline D
d_rest(D x, D y, D product)
{
#if FUSED
    return d_mad(x, y, -product);
#else
    D a = x * d_set(134217729.0), b = y * d_set(134217729.0);
    a = a - (a - x);
    b = b - (b - y);
    return ((a * b - product) + a * (y - b) + (x - a) * b) + (x - a) * (y - b);
#endif
}

/* Σ c[k]·x**k, the even and the odd terms apart, which halves the wait. */
static inline D
d_poly(const double *c, int count, D x)
{
    D x2 = x * x;
    int last = count - 1;
    D high = d_set(c[last]), low = d_set(c[last - 1]);
    for (int k = last - 2; k >= 1; k -= 2) {
        high = d_mad(high, x2, d_set(c[k]));
        low = d_mad(low, x2, d_set(c[k - 1]));
    }
    return last % 2 ? d_mad(x, high, low) : d_mad(x, low, d_mad(high, x2, d_set(c[0])));
}

#define POLY(terms, x) d_poly(terms, (int)(sizeof(terms) / sizeof *(terms)), x)

/* ── Numbers in two parts ────────────────────────────────────────────────────────────────────────
 *
 * high + low, low about a unit of high or less: some 100 bits. Not for huge numbers: see d_rest. */

typedef struct {
    D high, low;
} Pair;

static inline D
pair_value(Pair x)
{
    return x.high + x.low;
}

/* x + y where |x| ≥ |y|, or x = 0. */
static inline Pair
pair_quick_sum(D x, D y)
{
    D sum = x + y;
    return (Pair){sum, y - (sum - x)};
}

static inline Pair
pair_sum(D x, D y)
{
    D sum = x + y, y_part = sum - x;
    return (Pair){sum, (x - (sum - y_part)) + (y - y_part)};
}

static inline Pair
pair_add(Pair x, Pair y)
{
    Pair sum = pair_sum(x.high, y.high);
    return pair_quick_sum(sum.high, sum.low + (x.low + y.low));
}

static inline Pair
pair_product(D x, D y)
{
    D product = x * y;
    return (Pair){product, d_rest(x, y, product)};
}

static inline Pair
pair_mul(Pair x, Pair y)
{
    Pair product = pair_product(x.high, y.high);
    product.low = product.low + d_mad(x.high, y.low, x.low * y.high);
    return product;
}

static inline Pair
pair_div(Pair x, Pair y)
{
    D quotient = x.high / y.high;
    Pair product = pair_product(quotient, y.high);
    D rest = ((x.high - product.high) - product.low) + (x.low - quotient * y.low);
    return (Pair){quotient, rest / y.high};
}

static inline Pair
pair_set(double high, double low)
{
    return (Pair){d_set(high), d_set(low)};
}

static inline Pair
pair_of(D x)
{
    return (Pair){x, d_set(0.0)};
}

/* ── exp ────────────────────────────────────────────────────────────────────────────────────── */

#define LOG2_E 1.4426950408889634
#define LN2_HIGH 6.93147180369123816490e-01 /* 32 bits: times a whole number is exact */
#define LN2_LOW 1.90821492927058770002e-10

/* The whole number that adding SHIFTER made; anything for nan, which stays nan in what follows. */
static inline L
whole_part(D shifted)
{
    return (L)((UL)bits(shifted) - (UL)bits(d_set(SHIFTER)));
}

static inline D
power_of_2(L n)
{
    return number((L)(((UL)n + (UL)l_set(1023)) << 52));
}

/* x · 2**n, rounded once; n whole, -2044 ≤ n ≤ 2046. */
static inline D
d_scale(D x, D n)
{
#if VL == 8
    return (D)_mm512_scalef_pd((__m512d)x, (__m512d)n);
#else
    L whole = whole_part(n + d_set(SHIFTER));
    L half = (L)((((UL)whole + (UL)l_set(4096)) >> 1) - (UL)l_set(2048));
    L rest = (L)((UL)whole - (UL)half);
    return x * power_of_2(half) * power_of_2(rest);
#endif
}

/* (e**r - 1 - r) / r² for |r| ≤ ln 2 / 2. */
static inline D
exp_tail(D r)
{
    D r2 = r * r, r4 = r2 * r2;
    D a = d_mad(r, d_set(1.0 / 6), d_set(0.5));
    D b = d_mad(r, d_set(1.0 / 120), d_set(1.0 / 24));
    D c = d_mad(r, d_set(1.0 / 5040), d_set(1.0 / 720));
    D d = d_mad(r, d_set(1.0 / 362880), d_set(1.0 / 40320));
    D e = d_mad(r, d_set(1.0 / 39916800), d_set(1.0 / 3628800));
    D f = d_mad(r, d_set(1.0 / 6227020800.0), d_set(1.0 / 479001600));
    return d_mad(r4, d_mad(r4, d_mad(r2, f, e), d_mad(r2, d, c)), d_mad(r2, b, a));
}

static inline D
d_exp(D x)
{
    x = d_min(d_set(710.0), x);
    x = d_max(d_set(-746.0), x);
#if VL == 8
    /* 2**(n/16) from a table in two registers, r within ln 2 / 32 */
    const __m512d low8 = {1.0, 1.0442737824274138, 1.0905077326652577, 1.1387886347566916,
                          1.189207115002721, 1.241857812073484, 1.2968395546510096, 1.3542555469368927};
    const __m512d high8 = {1.4142135623730951, 1.4768261459394993, 1.5422108254079407, 1.6104903319492543,
                           1.681792830507429, 1.7562521603732995, 1.8340080864093424, 1.9152065613971474};
    D shifted = d_mad(x, d_set(16 * LOG2_E), d_set(SHIFTER));
    D n = shifted - d_set(SHIFTER);
    D r = d_mad(n, d_set(-LN2_HIGH / 16), x);
    r = d_mad(n, d_set(-LN2_LOW / 16), r);
    D power = (D)_mm512_permutex2var_pd(low8, (__m512i)bits(shifted), high8);
    D r2 = r * r;
    D p = d_mad(r2, d_mad(r2, d_mad(r, d_set(1.0 / 5040), d_set(1.0 / 720)),
                          d_mad(r, d_set(1.0 / 120), d_set(1.0 / 24))),
                d_mad(r, d_set(1.0 / 6), d_set(0.5)));
    p = d_mad(r2, p, r);
    return (D)_mm512_scalef_pd((__m512d)d_mad(power, p, power), (__m512d)(n * d_set(1.0 / 16)));
#else
    D shifted = d_mad(x, d_set(LOG2_E), d_set(SHIFTER));
    D n = shifted - d_set(SHIFTER);
    D high = d_mad(n, d_set(-LN2_HIGH), x);
    D r = d_mad(n, d_set(-LN2_LOW), high);
    D p = d_set(1.0) + d_mad(r * r, exp_tail(r), r);
    L whole = whole_part(shifted);
    L half = (L)((((UL)whole + (UL)l_set(4096)) >> 1) - (UL)l_set(2048));
    L rest = (L)((UL)whole - (UL)half);
    return p * power_of_2(half) * power_of_2(rest);
#endif
}

/* e**(x + low) = (high + low) · 2**n to some 57 bits; |x| ≤ 1400, |low| small beside it. What is to be
 * multiplied by it is multiplied before 2**n, which may round to a subnormal number. */
static inline Pair
exp_pair(D x, D low, D *n)
{
    *n = d_mad(x, d_set(LOG2_E), d_set(SHIFTER)) - d_set(SHIFTER);
    D high = d_mad(*n, d_set(-LN2_HIGH), x);
    D small = *n * d_set(LN2_LOW);
    Pair r = pair_quick_sum(high, -small);
    r = pair_sum(r.high, r.low + low); /* where r is near 0, low may be the larger */
    D q = d_mad(r.high * r.high, exp_tail(r.high), d_mad(r.high, r.low, r.low));
    Pair s = pair_quick_sum(r.high, q);
    Pair p = pair_quick_sum(d_set(1.0), s.high);
    return (Pair){p.high, p.low + s.low};
}

/* e**x with 57 bits before its rounding, for what is made of it. */
static inline D
exp_near(D x)
{
    D n;
    x = d_min(d_set(710.0), x);
    Pair e = exp_pair(d_max(d_set(-746.0), x), d_set(0.0), &n);
    return d_scale(pair_value(e), n);
}

static inline D
d_expm1(D x)
{
    D y = d_max(d_set(-50.0), d_min(d_set(50.0), x));
    D shifted = d_mad(y, d_set(LOG2_E), d_set(SHIFTER));
    D n = shifted - d_set(SHIFTER);
    D high = d_mad(n, d_set(-LN2_HIGH), y);
    D small = n * d_set(LN2_LOW);
    D r = high - small;
    D rest = (high - r) - small; /* what r lost */
    D p = r + d_mad(r * r, exp_tail(r), rest);
    D power = power_of_2(whole_part(shifted));
    D result = d_mad(power, p, power - d_set(1.0));
    result = d_select(d_eq(x, d_set(0.0)), x, result);
    M large = d_lt(d_set(45.0), x);
    return m_any(large) ? d_select(large, d_exp(x), result) : result;
}

static inline D
d_exp2(D x)
{
    D n, more;
    D y = d_max(d_set(-1100.0), d_min(d_set(1100.0), x));
    n = (y + d_set(SHIFTER)) - d_set(SHIFTER);
    Pair p = pair_product(y - n, d_set(0.6931471805599453));
    p.low = d_mad(y - n, d_set(2.3190468138462996e-17), p.low);
    Pair e = exp_pair(p.high, p.low, &more);
    return d_scale(pair_value(e), n + more);
}

/* ── log ────────────────────────────────────────────────────────────────────────────────────── */

/* x = 2**k · (1 + f) for positive normal x, 1 + f within a factor √2 of 1. */
static inline void
split_log(D x, D *k, D *f)
{
    UL u = (UL)bits(x) + (UL)l_set(0x3FF0000000000000 - 0x3FE6A09E667F3BCD);
    L exponent = (L)(u >> 52);
    L mantissa = (L)(u & (UL)l_set(0x000FFFFFFFFFFFFF)) + l_set(0x3FE6A09E667F3BCD);
    *k = number(exponent + l_set(0x4330000000000000)) - d_set(4503599627370496.0 + 1023.0);
    *f = number(mantissa) - d_set(1.0);
}

/* The same for subnormal x, too. */
static inline void
split_any(D x, D *k, D *f)
{
    M tiny = d_lt(x, d_set(2.2250738585072014e-308));
    x = d_select(tiny, x * d_set(18014398509481984.0), x);
    split_log(x, k, f);
    *k = *k - d_select(tiny, d_set(54.0), d_set(0.0));
}

/* log(1 + f) = f - (half - tail), half = f²/2; |f| < 0.42. */
static inline void
log_parts(D f, D *half, D *tail)
{
    D s = f / (d_set(2.0) + f);
    D z = s * s, w = z * z;
    D even = w * d_mad(w, d_mad(w, d_set(1.531383769920937332e-01), d_set(2.222219843214978396e-01)),
                       d_set(3.999999999940941908e-01));
    D odd = d_mad(w, d_set(1.479819860511658591e-01), d_set(1.818357216161805012e-01));
    odd = d_mad(w, d_mad(w, odd, d_set(2.857142874366239149e-01)), d_set(6.666666666666735130e-01));
    *half = d_set(0.5) * f * f;
    *tail = s * (*half + d_mad(z, odd, even));
}

static inline D
log_normal(D x, D more, double shift) /* log(x · 2**shift) + more, x positive and finite */
{
    D k, f, half, tail;
    split_any(x, &k, &f);
    k = k + d_set(shift);
    log_parts(f, &half, &tail);
    return d_mad(k, d_set(LN2_HIGH), f - (half - (tail + d_mad(k, d_set(LN2_LOW), more))));
}

static inline D
log_special(D x, D result)
{
    result = d_select(d_lt(x, d_set(INFINITY)), result, x); /* inf, nan */
    result = d_select(d_eq(x, d_set(0.0)), d_set(-INFINITY), result);
    return d_select(d_lt(x, d_set(0.0)), d_set(NAN), result);
}

static inline D
d_log(D x)
{
    return log_special(x, log_normal(x, d_set(0.0), 0.0));
}

/* log(1 + x + low), x > -1. */
static inline D
log1p_more(D x, D low)
{
    D u = d_set(1.0) + x;
    D lost = d_select(d_lt(d_set(1.0), x), d_set(1.0) - (u - x), x - (u - d_set(1.0)));
    return log_special(u, log_normal(u, (lost + low) / u, 0.0));
}

static inline D
d_log1p(D x)
{
    M tiny = d_lt(d_abs(x), d_set(1.1102230246251565e-16));
    return d_select(tiny, x, log1p_more(x, d_set(0.0)));
}

/* log(1 + f) to 67 bits and more, |f| < 0.42: 2s + 2/3·s³ + …, s = f / (2 + f). */
static const double log_terms[] = {
    0.4, 0.28571428571428564, 0.2222222222222843, 0.18181818179657014, 0.15384615761157389,
    0.1333329653543724, 0.11766813077591133, 0.10456328242945438, 0.10762415597972005,
};

static inline Pair
log_pair(D f)
{
    D sum = d_set(2.0) + f, sum_low = f - (sum - d_set(2.0));
    D inverse = d_set(1.0) / sum;
    D s = f * inverse;
    Pair product = pair_product(s, sum);
    D s_low = (((f - product.high) - product.low) - s * sum_low) * inverse;
    Pair square = pair_product(s, s);
    square.low = d_mad(s + s, s_low, square.low);
    Pair cube = pair_product(s, square.high);
    cube.low = cube.low + d_mad(s, square.low, s_low * square.high);
    Pair term = pair_mul(cube, pair_set(0.6666666666666666, 3.700743415417188e-17));
    D rest = cube.high * square.high * POLY(log_terms, square.high);
    Pair total = pair_quick_sum(s + s, term.high);
    return pair_quick_sum(total.high, total.low + ((term.low + (s_low + s_low)) + rest));
}

static inline D
d_log2(D x)
{
    D k, f;
    split_any(x, &k, &f);
    Pair part = pair_mul(log_pair(f), pair_set(LOG2_E, 2.0355273740931033e-17));
    Pair total = pair_quick_sum(k, part.high);
    return log_special(x, total.high + (total.low + part.low));
}

static inline D
d_log10(D x)
{
    D k, f;
    split_any(x, &k, &f);
    Pair part = pair_mul(log_pair(f), pair_set(0.4342944819032518, 1.098319650216765e-17));
    Pair whole = pair_product(k, d_set(0.3010299956639812));
    whole.low = d_mad(k, d_set(-2.8037281277851704e-18), whole.low);
    return log_special(x, pair_value(pair_add(whole, part)));
}

/* ── pow ────────────────────────────────────────────────────────────────────────────────────── */

static inline double
plain_power(double x, double y)
{
    double result = pow(x, y);
    return isnan(result) ? (isnan(x) ? x : isnan(y) ? y : (double)NAN) : result;
}

/* log x of a positive x. */
static inline Pair
whole_log_pair(D x)
{
    D k, f;
    split_any(x, &k, &f);
    Pair part = log_pair(f);
    Pair total = pair_quick_sum(k * d_set(LN2_HIGH), part.high);
    return pair_quick_sum(total.high, total.low + d_mad(k, d_set(LN2_LOW), part.low));
}

/* f of the lanes where m does not hold, the given result of the others. */
static KEEP_OUT D
d_rare_of_two(M m, D x, D y, D result, double (*f)(double, double))
{
    double base[VL], power[VL], out[VL];
    d_store(base, x);
    d_store(power, y);
    d_store(out, result);
    for (int lane = 0; lane < VL; lane++) {
        if (!m_lane(m, lane)) {
            out[lane] = f(base[lane], power[lane]);
        }
    }
    return d_load(out);
}

/* Where x is positive, and y not so large that its product with log x is hard to round. */
static inline M
is_plain_power(D x, D y)
{
    M plain = m_and(d_lt(d_set(0.0), x), d_lt(x, d_set(INFINITY)));
    return m_and(plain, d_lt(d_abs(y), d_set(1e100)));
}

static inline D
d_pow(D x, D y)
{
    M plain = is_plain_power(x, y);
    Pair log_x = whole_log_pair(d_select(plain, x, d_set(1.0)));
    Pair product = pair_product(y, log_x.high);
    product.low = d_mad(y, log_x.low, product.low);
    plain = m_and(plain, d_lt(d_abs(product.high), d_set(745.0)));
    D n, zero = d_set(0.0);
    Pair e = exp_pair(d_select(plain, product.high, zero), d_select(plain, product.low, zero), &n);
    D result = d_scale(pair_value(e), n);
    return m_any(m_not(plain)) ? d_rare_of_two(plain, x, y, result, plain_power) : result;
}

/* The cube root of |x| = m · 2**(3·third), 1 ≤ m < 8: high + low times 2**third. */
static const double cbrt_terms[] = {
    0.5092481335492415, 0.7117423866025924, -0.2939541180848237, 0.08307903547963541, -0.010102212336338642,
};

static inline Pair
cbrt_pair(D x, D *m, D *third)
{
    D y = d_abs(x);
    M tiny = d_lt(y, d_set(2.2250738585072014e-308));
    y = d_select(tiny, y * d_set(18014398509481984.0), y);
    L exponent = (L)((UL)bits(y) >> 52);
    D k = number(exponent + l_set(0x4330000000000000)) - d_set(4503599627370496.0 + 1023.0);
    D f = number((bits(y) & l_set(0x000FFFFFFFFFFFFF)) | l_set(0x3FF0000000000000));
    *third = d_floor((k + d_set(0.5)) * d_set(1.0 / 3));
    D left = k - d_set(3.0) * *third; /* 0, 1 or 2 */
    M one = d_eq(left, d_set(1.0)), two = d_eq(left, d_set(2.0));
    *m = f * d_select(two, d_set(4.0), d_select(one, d_set(2.0), d_set(1.0)));
    D root = d_select(two, d_set(1.5874010519681996), d_select(one, d_set(1.2599210498948732), d_set(1.0)));
    root = root * POLY(cbrt_terms, f);
    D cube = root * root * root;
    root = root * (cube + (*m + *m)) / ((cube + cube) + *m); /* Halley: three times the digits */
    Pair square = pair_product(root, root);
    Pair product = pair_product(root, square.high);
    D rest = ((*m - product.high) - product.low) - root * square.low;
    *third = *third - d_select(tiny, d_set(18.0), d_set(0.0));
    return (Pair){root, rest / (d_set(3.0) * square.high)};
}

static inline M
is_zero_or_not_finite(D x)
{
    return m_or(d_eq(x, d_set(0.0)), m_not(d_lt(d_abs(x), d_set(INFINITY))));
}

static inline D
d_cbrt(D x)
{
    D m, third;
    Pair root = cbrt_pair(x, &m, &third);
    D result = d_copysign(d_scale(pair_value(root), third), x);
    return d_select(is_zero_or_not_finite(x), x, result);
}

/* ── sin, cos, tan, atan ─────────────────────────────────────────────────────────────────────── */

#define ANGLE_LIMIT 1.0e6

/* x = n · π/2 + high + low. */
static inline L
quarter(D x, D *high, D *low)
{
    D shifted = d_mad(x, d_set(0.6366197723675814), d_set(SHIFTER));
    D n = shifted - d_set(SHIFTER);
    D a = d_mad(n, d_set(-1.57079632673412561417e+00), x);
    D t = n * d_set(6.07710050630396597660e-11);
    D r = a - t;
    D rest = d_mad(n, d_set(-2.02226624879595063154e-21), (a - r) - t);
    *high = r + rest;
    *low = (r - *high) + rest;
    return bits(shifted);
}

/* sin(x + low), |x| ≤ π/4. */
static inline Pair
sin_pair(D x, D low)
{
    D z = x * x, v = z * x;
    D r = d_mad(z, d_set(1.58969099521155010221e-10), d_set(-2.50507602534068634195e-08));
    r = d_mad(z, d_mad(z, r, d_set(2.75573137070700676789e-06)), d_set(-1.98412698298579493134e-04));
    r = d_mad(z, r, d_set(8.33333333332248946124e-03));
    D more = d_mad(z, d_mad(v, r, d_set(-0.5) * low), low);
    more = d_mad(v, d_set(-1.66666666666666324348e-01), more);
    D sum = x + more;
    return (Pair){sum, (x - sum) + more};
}

static inline Pair
cos_pair(D x, D low)
{
    D z = x * x;
    D r = d_mad(z, d_set(-1.13596475577881948265e-11), d_set(2.08757232129817482790e-09));
    r = d_mad(z, d_mad(z, r, d_set(-2.75573143513906633035e-07)), d_set(2.48015872894767294178e-05));
    r = z * d_mad(z, d_mad(z, r, d_set(-1.38888888888741095749e-03)), d_set(4.16666666666666019037e-02));
    D half = d_set(0.5) * z;
    D w = d_set(1.0) - half;
    D more = ((d_set(1.0) - w) - half) + (z * r - x * low);
    D sum = w + more;
    return (Pair){sum, (w - sum) + more};
}

static inline D
odd_select(L n, D odd, D even)
{
    M m = d_ne(number((n & l_set(1)) << 52), d_set(0.0));
    return d_select(m, odd, even);
}

static inline D
sin_shifted(D x, int64_t shift, double (*plain)(double))
{
    D high, low;
    L n = (L)((UL)quarter(x, &high, &low) + (UL)l_set(shift));
    D result = odd_select(n, cos_pair(high, low).high, sin_pair(high, low).high);
    result = number(bits(result) ^ (L)((UL)(n & l_set(2)) << 62));
    M rare = m_not(d_lt(d_abs(x), d_set(ANGLE_LIMIT)));
    return m_any(rare) ? d_rare(rare, x, result, plain) : result;
}

static inline D
d_sin(D x)
{
    return d_select(d_eq(x, d_set(0.0)), x, sin_shifted(x, 0, sin));
}

static inline D
d_cos(D x)
{
    return sin_shifted(x, 1, cos);
}

static inline D
d_tan(D x)
{
    D high, low;
    L n = quarter(x, &high, &low);
    Pair s = sin_pair(high, low), c = cos_pair(high, low);
    Pair over = {odd_select(n, -c.high, s.high), odd_select(n, -c.low, s.low)};
    Pair under = {odd_select(n, s.high, c.high), odd_select(n, s.low, c.low)};
    D inverse = d_set(1.0) / under.high;
    D result = over.high * inverse;
    /* What over - result · under leaves: without it, the error is 2.04 ulp where nothing is fused. */
    D product = result * under.high;
    D rest = (over.high - product) - d_rest(result, under.high, product);
    result = result + (rest + (over.low - result * under.low)) * inverse;
    result = d_select(d_eq(x, d_set(0.0)), x, result);
    M rare = m_not(d_lt(d_abs(x), d_set(ANGLE_LIMIT)));
    return m_any(rare) ? d_rare(rare, x, result, tan) : result;
}

static inline D
d_atan(D x)
{
    D y = d_abs(x);
    M large = d_lt(d_set(2.414213562373095), y), middle = d_lt(d_set(0.66), y);
    D top = d_select(large, d_set(-1.0), d_select(middle, y - d_set(1.0), y));
    D bottom = d_select(large, y, d_select(middle, y + d_set(1.0), d_set(1.0)));
    D base = d_select(large, d_set(1.5707963267948966), d_select(middle, d_set(0.7853981633974483), d_set(0.0)));
    D more = d_select(large, d_set(6.123233995736766e-17), d_select(middle, d_set(3.061616997868383e-17), d_set(0.0)));
    D t = top / bottom;
    D z = t * t;
    D p = d_mad(z, d_set(-8.750608600031904122785e-1), d_set(-1.615753718733365076637e1));
    p = d_mad(z, d_mad(z, p, d_set(-7.500855792314704667340e1)), d_set(-1.228866684490136173410e2));
    p = d_mad(z, p, d_set(-6.485021904942025371773e1));
    D q = d_mad(z, d_set(2.485846490142306297962e1) + z, d_set(1.650270098316988542046e2));
    q = d_mad(z, d_mad(z, q, d_set(4.328810604912902668951e2)), d_set(4.853903996359136964868e2));
    q = d_mad(z, q, d_set(1.945506571482613964425e2));
    D result = base + (t + (t * (z * p / q) + more));
    return d_copysign(result, x);
}

/* ── Hyperbolic functions and their like ─────────────────────────────────────────────────────── */

static const double sinh_terms[] = {
    0.16666666666666666, 0.008333333333333333, 0.00019841269841269773, 2.755731922404061e-06,
    2.5052108363972185e-08, 1.6059048410081293e-10, 7.646624280324513e-13, 2.8445596736423237e-15,
};

/* (e**y ± e**-y) / 2 for y ≥ 0, sign ±1. */
static inline D
half_of_both(D y, double sign)
{
    D n;
    Pair e = exp_pair(d_min(d_set(720.0), y), d_set(0.0), &n);
    D other = power_of_2(whole_part(d_max(d_set(-1000.0), d_set(-2.0) * n) + d_set(SHIFTER))) / e.high;
    Pair sum = pair_quick_sum(e.high, d_set(sign) * other); /* other ≤ high but for y near 0 */
    return d_scale(sum.high + (sum.low + e.low), n - d_set(1.0));
}

static inline D
d_sinh(D x)
{
    D y = d_abs(x);
    D z = y * y;
    D result = d_mad(y * z, POLY(sinh_terms, z), y);
    M large = m_not(d_lt(y, d_set(1.0))); /* nan comes here too */
    if (m_any(large)) {
        result = d_select(large, half_of_both(y, -1.0), result);
    }
    return d_copysign(result, x);
}

static inline D
d_cosh(D x)
{
    return half_of_both(d_abs(x), 1.0);
}

static inline D
d_tanh(D x)
{
    D y = d_abs(x);
    D t = d_expm1(d_set(2.0) * d_min(d_set(30.0), y)); /* the second stays when nan */
    return d_copysign(t / (t + d_set(2.0)), x);
}

#define BEYOND_2 1073741824.0 /* 2**30: from here on asinh and acosh are log(2x) */

static inline D
d_asinh(D x)
{
    D y = d_min(d_set(BEYOND_2), d_abs(x));
    D z = y * y;
    D more = z / (d_set(1.0) + d_sqrt(d_set(1.0) + z));
    Pair sum = pair_quick_sum(y, more);
    D result = log1p_more(sum.high, sum.low);
    result = d_select(d_lt(y, d_set(1e-9)), y, result);
    M far = m_not(d_lt(d_abs(x), d_set(BEYOND_2)));
    if (m_any(far)) {
        D y_far = d_abs(x);
        result = d_select(far, log_special(y_far, log_normal(y_far, d_set(0.0), 1.0)), result);
    }
    return d_copysign(result, x);
}

static inline D
d_acosh(D x)
{
    D y = d_min(d_set(BEYOND_2), x);
    D t = y - d_set(1.0), t_low = (y - t) - d_set(1.0); /* low is 0 where t is exact */
    Pair factor = pair_sum(t, d_set(2.0));
    Pair square = pair_product(t, factor.high);
    square.low = square.low + d_mad(t, factor.low, t_low * factor.high) + t_low * t;
    D root = d_sqrt(square.high);
    D safe = d_select(d_lt(d_set(0.0), root), root, d_set(1.0));
    D root_low = (square.low - d_rest(safe, safe, square.high)) / (safe + safe);
    root_low = d_select(d_lt(d_set(0.0), root), root_low, d_set(0.0));
    Pair sum = pair_sum(t, root);
    D result = log1p_more(sum.high, sum.low + (t_low + root_low));
    M far = m_not(d_lt(x, d_set(BEYOND_2)));
    if (m_any(far)) {
        result = d_select(far, log_special(x, log_normal(x, d_set(0.0), 1.0)), result);
    }
    return d_select(d_lt(x, d_set(1.0)), d_set(NAN), result);
}

static inline D
d_atanh(D x)
{
    D y = d_abs(x);
    D rest = d_set(1.0) - y;
    D twice = y + y;
    Pair near_0 = pair_quick_sum(twice, twice * y / rest);
    M near = d_lt(y, d_set(0.5));
    D inner = d_select(near, near_0.high, twice / rest);
    D low = d_select(near, near_0.low, d_set(0.0));
    D result = d_set(0.5) * log1p_more(inner, low);
    result = d_select(d_lt(y, d_set(1e-9)), y, result);
    result = d_select(d_eq(y, d_set(1.0)), d_set(INFINITY), result);
    return d_select(d_lt(d_set(1.0), y), d_set(NAN), d_copysign(result, x));
}

static inline D
d_sigmoid(D x)
{
    D e = exp_near(-d_abs(x));
    return d_select(d_le(d_set(0.0), x), d_set(1.0), e) / (d_set(1.0) + e);
}

static inline D
d_softplus(D x)
{
    D most = d_select(d_le(x, d_set(0.0)), d_set(0.0), x);
    return most + d_log1p(exp_near(-d_abs(x)));
}

/* e**-y of y ≥ 0 as e · 2**n, and 1 + e**-y. */
typedef struct {
    Pair e, sum, scaled;
    D n;
} Fading;

static inline Fading
fading(D y)
{
    Fading to;
    to.e = exp_pair(-d_min(d_set(800.0), y), d_set(0.0), &to.n);
    to.scaled = (Pair){d_scale(to.e.high, to.n), d_scale(to.e.low, to.n)};
    to.sum = pair_quick_sum(d_set(1.0), to.scaled.high);
    to.sum.low = to.sum.low + to.scaled.low;
    return to;
}

static inline D
d_silu(D x)
{
    D y = d_min(d_set(800.0), d_abs(x));
    Fading f = fading(y);
    M left = d_lt(x, d_set(0.0));
    Pair e = {d_select(left, -f.e.high, d_set(1.0)), d_select(left, -f.e.low, d_set(0.0))};
    Pair result = pair_div(pair_mul(pair_of(y), e), f.sum);
    D scaled = d_scale(pair_value(result), d_select(left, f.n, d_set(0.0)));
    scaled = d_select(d_eq(x, d_set(0.0)), x, scaled);
    return d_select(d_lt(d_set(50.0), x), x, scaled);
}

/* ── erf, erfc, gelu ─────────────────────────────────────────────────────────────────────────────
 *
 * Chebyshev interpolants: (erf(x)/x - 2/√π)/x² in x² for |x| ≤ 1; e**(x²)·erfc(x)·(1 + 2x) in
 * (x - 3)/(x + 3) for 0.47 ≤ x ≤ 29, beyond which erfc is 0. The first term of the second stands
 * apart. */

static const double erf_terms[] = {
    -0.37612638903183754, 0.11283791670955111, -0.026866170645123838, 0.005223977625303518,
    -0.0008548327010033328, 0.00012055332214716276, -1.4925622504489842e-05, 1.6461446656928561e-06,
    -1.6355118610877705e-07, 1.4692484859133263e-08, -1.1500357159785296e-09, 6.174097221305255e-11,
};
#define ERFC_TERM_0 1.2530080582697296
static const double erfc_terms[] = {
    -0.1356211061245812, -0.04756229435345119, 0.12964515870276264,
    -0.1192736634152738, 0.06830802734392251, -0.02377051491967251, 0.0025293918167175267,
    0.0018886903739247921, -0.0007798322755501674, -0.00010515991919433415, 0.00012509935682793514,
    4.950084169125043e-06, -2.010052476012451e-05, -7.334871420711228e-07, 3.4721419766886157e-06,
    3.6125935810523034e-07, -6.158669418339006e-07, -1.4838336755700145e-07, 1.0054579547406384e-07,
    4.8892546831605527e-08, -1.1965402481454916e-08, -1.3367979744033353e-08, 1.9567895327293326e-10,
    2.898780154668824e-09, 2.024892564795144e-10, -3.8587939596148534e-10,
};
#define TWO_BY_ROOT_PI 1.1283791670955126
#define TWO_BY_ROOT_PI_REST 1.533545961316588e-17
#define BY_ROOT_TAU 0.3989422804014327 /* 1/√(2π), the normal density at 0 */
#define BY_ROOT_TAU_REST -2.49232720227773e-17

/* erfc(x) · e**(x²), x ≥ 0.47. */
static inline Pair
erfc_ratio(Pair x)
{
    D t = (x.high - d_set(3.0)) / (x.high + d_set(3.0));
    Pair top = pair_quick_sum(d_set(ERFC_TERM_0), t * POLY(erfc_terms, t));
    Pair bottom = pair_sum(x.high + x.high, d_set(1.0));
    bottom.low = bottom.low + (x.low + x.low);
    return pair_div(top, bottom);
}

/* e**(-factor · y²), factor 1 or ½, as a pair times 2**n. */
static inline Pair
bell_pair(D y, double factor, D *n)
{
    Pair square = pair_product(y, y);
    return exp_pair(square.high * d_set(-factor), square.low * d_set(-factor), n);
}

/* erfc of x ≥ 0.47, or nan. */
static inline D
erfc_far(D x)
{
    D n;
    x = d_min(d_set(28.0), x);
    Pair e = bell_pair(x, 1.0, &n);
    return d_scale(pair_value(pair_mul(e, erfc_ratio(pair_of(x)))), n);
}

/* erf of |x| ≤ 1; low is not small. */
static inline Pair
erf_near(D x)
{
    Pair a = pair_product(x, d_set(TWO_BY_ROOT_PI));
    D z = x * x;
    a.low = d_mad(x, d_mad(z, POLY(erf_terms, z), d_set(TWO_BY_ROOT_PI_REST)), a.low);
    return a;
}

static inline D
d_erf(D x)
{
    D y = d_abs(x);
    M far = m_not(d_le(y, d_set(1.0)));
    D result = pair_value(erf_near(d_min(d_set(1.0), y)));
    if (m_any(far)) {
        result = d_select(far, d_set(1.0) - erfc_far(d_max(d_set(0.5), y)), result);
    }
    return d_copysign(result, x);
}

static inline D
d_erfc(D x)
{
    D y = d_abs(x);
    Pair a = erf_near(d_copysign(d_min(d_set(0.5), y), x));
    Pair rest = pair_quick_sum(d_set(1.0), -a.high);
    D near = rest.high + (rest.low - a.low);
    M close = d_lt(y, d_set(0.5));
    if (!m_any(m_not(close))) {
        return near;
    }
    D far = erfc_far(d_max(d_set(0.5), y));
    far = d_select(d_lt(x, d_set(0.0)), d_set(2.0) - far, far);
    return d_select(close, near, far);
}

#define V_ROOT_HALF 0.7071067811865476
#define V_ROOT_HALF_REST -4.833646656726457e-17
#define NORMAL_FAR 0.7 /* erfc_ratio serves from here on: 0.7 / √2 > 0.47 */

/* The normal distribution at |x| ≤ 0.7. */
static inline Pair
normal_near(D x)
{
    Pair a = pair_product(x, d_set(BY_ROOT_TAU));
    D z = d_set(0.5) * x * x;
    D more = d_mad(z * POLY(erf_terms, z), d_set(0.35355339059327379), d_set(BY_ROOT_TAU_REST));
    Pair sum = pair_quick_sum(d_set(0.5), a.high);
    return pair_quick_sum(sum.high, sum.low + d_mad(x, more, a.low));
}

/* The normal distribution at -y divided by e**(-y²/2), y ≥ 0.7. */
static inline Pair
normal_ratio(D y)
{
    Pair ratio = erfc_ratio(pair_mul(pair_of(y), pair_set(V_ROOT_HALF, V_ROOT_HALF_REST)));
    return (Pair){d_set(0.5) * ratio.high, d_set(0.5) * ratio.low};
}

static inline D
d_gelu(D x)
{
    D y = d_abs(x), n;
    D inner = d_copysign(d_min(d_set(NORMAL_FAR), y), x);
    D result = pair_value(pair_mul(pair_of(inner), normal_near(inner)));
    M far = m_not(d_lt(y, d_set(NORMAL_FAR)));
    if (m_any(far)) {
        D outer = d_max(d_set(NORMAL_FAR), d_min(d_set(39.0), y));
        Pair tail = pair_mul(bell_pair(outer, 0.5, &n), normal_ratio(outer));
        D left = d_scale(-pair_value(pair_mul(pair_of(outer), tail)), n);
        Pair rest = pair_quick_sum(d_set(1.0), -d_scale(pair_value(tail), n));
        D right = pair_value(pair_mul(pair_of(outer), rest));
        right = d_select(d_lt(d_set(9.0), x), x, right);
        result = d_select(far, d_select(d_lt(x, d_set(0.0)), left, right), result);
    }
    return d_select(d_eq(x, d_set(0.0)), x, result);
}

/* ── Derivatives of rows ─────────────────────────────────────────────────────────────────────── */

static inline D
d_by_expm1(D x)
{
    return d_exp(x);
}

static inline D
d_by_exp2(D x)
{
    D n, more;
    D y = d_max(d_set(-1100.0), d_min(d_set(1100.0), x));
    n = (y + d_set(SHIFTER)) - d_set(SHIFTER);
    Pair p = pair_product(y - n, d_set(0.6931471805599453));
    p.low = d_mad(y - n, d_set(2.3190468138462996e-17), p.low);
    Pair e = exp_pair(p.high, p.low, &more);
    e = pair_mul(e, pair_set(0.6931471805599453, 2.3190468138462996e-17));
    return d_scale(pair_value(e), n + more);
}

static inline D
d_by_log1p(D x)
{
    return d_set(1.0) / (d_set(1.0) + x);
}

static inline D
d_by_log2(D x)
{
    return d_set(LOG2_E) / x;
}

static inline D
d_by_log10(D x)
{
    return d_set(0.4342944819032518) / x;
}

static inline D
d_by_cbrt(D x)
{
    D m, third;
    Pair root = cbrt_pair(x, &m, &third);
    D result = pair_value(pair_div(root, pair_product(d_set(3.0), m)));
    result = d_scale(result, d_set(-2.0) * third);
    return d_select(is_zero_or_not_finite(x), d_set(1.0) / d_abs(x), result);
}

static inline double
plain_pow_by_base(double x, double y)
{
    if (x == 0.0 && y == 0.0) {
        return 0.0;
    }
    if (x < 0.0 && isfinite(x) && isfinite(y) && trunc(y) == y) { /* as of -x, but for the sign */
        double slope = plain_pow_by_base(-x, y);
        return fmod(y, 2.0) == 0.0 ? -slope : slope;
    }
    double lower = plain_power(x, y - 1.0);
    if (isinf(lower) && x != 0.0 && isfinite(x)) { /* the product may be a double: take it by halves */
        double half = plain_power(x, (y - 1.0) * 0.5);
        return y * half * half;
    }
    return y * lower;
}

static inline double
plain_pow_by_exponent(double x, double y)
{
    if (x == 0.0 && y >= 0.0) {
        return 0.0;
    }
    double log_x = x > 0.0 ? log(x) : x == 0.0 ? -INFINITY : (double)NAN;
    return plain_power(x, y) * log_x;
}

/* y · x**(y - 1); y - 1 in two parts, and the factor y = m·2**k before the power of 2. */
static inline D
d_pow_by_base(D x, D y)
{
    D size = d_abs(x);
    M whole = m_and(d_eq(d_trunc(y), y), d_lt(x, d_set(0.0)));
    M plain = is_plain_power(d_select(whole, size, x), y);
    plain = m_and(plain, d_le(d_set(1e-300), d_abs(y)));
    Pair log_x = whole_log_pair(d_select(plain, size, d_set(1.0)));
    Pair power = pair_sum(y, d_set(-1.0));
    Pair product = pair_product(power.high, log_x.high);
    product.low = product.low + d_mad(power.high, log_x.low, power.low * log_x.high);
    plain = m_and(plain, d_lt(d_abs(product.high), d_set(1000.0)));
    D n, zero = d_set(0.0);
    Pair e = exp_pair(d_select(plain, product.high, zero), d_select(plain, product.low, zero), &n);
    L exponent = (L)((UL)(bits(y) & l_set(0x7FF0000000000000)) >> 52);
    D k = number(exponent + l_set(0x4330000000000000)) - d_set(4503599627370496.0 + 1023.0);
    D m = number((bits(y) & l_set(0x000FFFFFFFFFFFFF)) | l_set(0x3FF0000000000000));
    D half = d_set(0.5) * y;
    M even = m_and(whole, d_eq(d_trunc(half), half));
    m = d_copysign(m, d_select(even, -y, y));
    D shift = d_max(d_set(-2044.0), d_min(d_set(2046.0), n + k));
    D result = d_scale(pair_value(pair_mul(e, pair_of(m))), shift);
    return m_any(m_not(plain)) ? d_rare_of_two(plain, x, y, result, plain_pow_by_base) : result;
}

/* x**y · log x, the factor before the power of 2. */
static inline D
d_pow_by_exponent(D x, D y)
{
    M plain = is_plain_power(x, y);
    Pair log_x = whole_log_pair(d_select(plain, x, d_set(1.0)));
    Pair product = pair_product(y, log_x.high);
    product.low = d_mad(y, log_x.low, product.low);
    plain = m_and(plain, d_lt(d_abs(product.high), d_set(1000.0)));
    D n, zero = d_set(0.0);
    Pair e = exp_pair(d_select(plain, product.high, zero), d_select(plain, product.low, zero), &n);
    D result = d_scale(pair_value(pair_mul(e, log_x)), n);
    return m_any(m_not(plain)) ? d_rare_of_two(plain, x, y, result, plain_pow_by_exponent) : result;
}

/* 1 / (c + low)², c a cosine. */
static inline D
inverse_square(Pair c)
{
    Pair square = pair_mul(c, c);
    D inverse = d_set(1.0) / square.high;
    return inverse - inverse * (inverse * square.low);
}

static inline double
plain_by_tan(double x)
{
    long double c = cosl(x); /* more digits than a double where there are any: its error counts twice */
    return (double)(1.0L / (c * c));
}

static inline D
d_by_tan(D x)
{
    D high, low;
    L n = quarter(x, &high, &low);
    Pair s = sin_pair(high, low), c = cos_pair(high, low);
    Pair chosen = {odd_select(n, s.high, c.high), odd_select(n, s.low, c.low)};
    D result = inverse_square(chosen);
    M rare = m_not(d_lt(d_abs(x), d_set(ANGLE_LIMIT)));
    return m_any(rare) ? d_rare(rare, x, result, plain_by_tan) : result;
}

static inline D
d_by_atan(D x)
{
    D y = d_abs(x);
    D near = d_set(1.0) / (d_set(1.0) + y * y);
    return d_select(d_lt(d_set(1e9), y), d_set(1.0) / y / y, near);
}

/* 1/√square, or 1/y for y beyond 1e9, where it is the same. */
static inline D
inverse_root(Pair square, D y)
{
    D result = d_set(1.0) / d_sqrt(square.high);
    D share = square.low / square.high; /* nan at the pole, where nothing is to be mended */
    result = result - d_select(d_lt(d_abs(share), d_set(1.0)), d_set(0.5) * result * share, d_set(0.0));
    return d_select(d_lt(d_set(1e9), y), d_set(1.0) / y, result);
}

static inline D
d_by_asinh(D x)
{
    D y = d_abs(x);
    return inverse_root(pair_add(pair_set(1.0, 0.0), pair_product(d_min(d_set(1e9), y), d_min(d_set(1e9), y))), y);
}

static inline D
d_by_acosh(D x)
{
    D y = d_min(d_set(1e9), x);
    Pair square = pair_mul(pair_sum(y, d_set(-1.0)), pair_sum(y, d_set(1.0)));
    return d_select(d_lt(x, d_set(1.0)), d_set(NAN), inverse_root(square, x));
}

static inline D
d_by_atanh(D x)
{
    D y = d_abs(x);
    D near = d_set(1.0) - y * y;
    return d_set(1.0) / d_select(d_lt(y, d_set(0.5)), near, (d_set(1.0) - y) * (d_set(1.0) + y));
}

/* e**-y / (1 + e**-y)² · 2**more, y ≥ 0. */
static inline D
logistic_slope(D y, double more)
{
    Fading f = fading(y);
    return d_scale(pair_value(pair_div(f.e, pair_mul(f.sum, f.sum))), f.n + d_set(more));
}

static inline D
d_by_tanh(D x)
{
    return logistic_slope(d_set(2.0) * d_abs(x), 2.0);
}

static inline D
d_by_sigmoid(D x)
{
    return logistic_slope(d_abs(x), 0.0);
}

static inline D
d_by_softplus(D x)
{
    return d_sigmoid(x);
}

/* Near its zero a slope is (x - zero) times a polynomial. */
static inline D
near_zero(const double *terms, int count, D x, double zero, double zero_rest)
{
    Pair offset = pair_sum(x, d_set(-zero));
    offset.low = offset.low - d_set(zero_rest);
    offset = pair_quick_sum(offset.high, offset.low);
    Pair factor = pair_quick_sum(d_set(terms[0]), offset.high * d_poly(terms + 1, count - 1, offset.high));
    return pair_value(pair_mul(offset, factor));
}
#define NEAR_ZERO(terms, x, zero, rest) near_zero(terms, (int)(sizeof(terms) / sizeof *(terms)), x, zero, rest)

#define SILU_ZERO -1.2784645427610737
#define SILU_ZERO_REST -1.0946994183093437e-16
static const double silu_slope_terms[] = {
    0.2178117057198001, 0.1466487969969469, 0.018874814223782312, -0.01522265522318803,
    -0.006606589138356696, 0.00012662741008107644, 0.0007985218818397856, 0.0001857072436141427,
    -4.090534237357507e-05, -2.973354227497679e-05, -2.942631908136393e-06, 2.3460306648300566e-06,
    8.599698106652652e-07, -3.052190193496202e-08, -9.26694366772873e-08, -1.8823514137116374e-08,
    4.636506242389141e-09, 2.7481523528519514e-09, 1.8209966385534933e-10,
};
#define GELU_ZERO -0.7517915246935645
#define GELU_ZERO_REST 1.4956759177009883e-17
static const double gelu_slope_terms[] = {
    0.4314939923140469, 0.388284982990552, -0.018199676398671087, -0.11400823329722166,
    -0.014771522148243704, 0.01942167983818459, 0.004539228379049475, -0.0022395380678381575,
    -0.0007448268346543867, 0.00018633973991632845, 8.615936931268253e-05, -1.1214290293262794e-05,
    -7.74686877812524e-06, 4.322096514790001e-07, 5.58437901706764e-07,
};

/* Left of 0: e·(1 - y + e) / (1 + e)², right of it (1 + e + y·e) / (1 + e)²; y = |x|, e = e**-y. */
static inline D
d_by_silu(D x)
{
    D y = d_min(d_set(800.0), d_abs(x));
    Fading f = fading(y);
    M left = d_lt(x, d_set(0.0));
    Pair less = pair_add(pair_sum(d_set(1.0), -y), f.scaled);
    Pair more = pair_add(f.sum, pair_mul(pair_of(y), f.scaled));
    less = pair_mul(less, f.e);
    Pair top = {d_select(left, less.high, more.high), d_select(left, less.low, more.low)};
    Pair result = pair_div(top, pair_mul(f.sum, f.sum));
    D scaled = d_scale(pair_value(result), d_select(left, f.n, d_set(0.0)));
    scaled = d_select(d_lt(x, d_set(-799.0)), d_set(0.0), scaled);
    M close = d_lt(d_abs(x - d_set(SILU_ZERO)), d_set(0.4));
    return d_select(close, NEAR_ZERO(silu_slope_terms, x, SILU_ZERO, SILU_ZERO_REST), scaled);
}

/* Right of 0.7: 1 + e·(y·p - r), left of -0.7 minus the second term; e = e**(-y²/2), p the density
 * at 0, r the distribution at -y over e. Between: the distribution plus x times the density. */
static inline D
d_by_gelu(D x)
{
    D y = d_abs(x), n;
    Pair density = pair_set(BY_ROOT_TAU, BY_ROOT_TAU_REST);
    D inner = d_copysign(d_min(d_set(NORMAL_FAR), y), x);
    Pair bell = pair_mul(bell_pair(inner, 0.5, &n), density); /* n is 0 */
    D result = pair_value(pair_add(normal_near(inner), pair_mul(pair_of(inner), bell)));
    M far = m_not(d_lt(y, d_set(NORMAL_FAR)));
    if (m_any(far)) {
        D outer = d_max(d_set(NORMAL_FAR), d_min(d_set(39.5), y));
        Pair ratio = normal_ratio(outer);
        Pair more = pair_add(pair_mul(pair_of(outer), density), (Pair){-ratio.high, -ratio.low});
        more = pair_mul(bell_pair(outer, 0.5, &n), more);
        D scaled = d_scale(pair_value(more), n);
        D left = d_select(d_lt(x, d_set(-39.0)), d_set(0.0), -scaled);
        result = d_select(far, d_select(d_lt(x, d_set(0.0)), left, d_set(1.0) + scaled), result);
    }
    M close = d_lt(d_abs(x - d_set(GELU_ZERO)), d_set(0.3));
    return d_select(close, NEAR_ZERO(gelu_slope_terms, x, GELU_ZERO, GELU_ZERO_REST), result);
}

static inline D
d_by_erf(D x)
{
    D n;
    Pair e = bell_pair(d_min(d_set(28.0), d_abs(x)), 1.0, &n);
    e = pair_mul(e, pair_set(TWO_BY_ROOT_PI, TWO_BY_ROOT_PI_REST));
    return d_scale(pair_value(e), n);
}

static inline D
d_by_erfc(D x)
{
    return -d_by_erf(x);
}

static inline D
d_by_cos(D x)
{
    return -d_sin(x);
}

static inline D
d_by_log(D x)
{
    return d_set(1.0) / x;
}

#define d_by_exp d_exp
#define d_by_sin d_cos
#define d_by_sinh d_cosh
#define d_by_cosh d_sinh
#define d_by_x_pow d_pow_by_base
#define d_by_y_pow d_pow_by_exponent

#endif
