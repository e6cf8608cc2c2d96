/* Functions over a vector of doubles: portable vector code, right at nan, ±inf, ±0, subnormals and
 * huge arguments. Most are within 2 units in the last place; tests/native/test_lanes.py prints a table.
 *
 * D is the vector, L its integers of the same size, M the truth of a comparison. What is rare in a
 * function (huge angles, powers of negative numbers) is done lane by lane by the C library.
 * Compilers without vector extensions get vectors of one number.
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

#define SHIFTER 6755399441055744.0 /* 1.5 · 2**52: adding it rounds to a whole number */

/* ── exp ────────────────────────────────────────────────────────────────────────────────────── */

#define LOG2_E 1.4426950408889634
#define LN2_HIGH 6.93147180369123816490e-01 /* 32 bits: times a whole number is exact */
#define LN2_LOW 1.90821492927058770002e-10

/* x · 2**n, n whole, -2044 ≤ n ≤ 2046. */
static inline D
d_scale(D x, L n)
{
#if VL == 8
    return (D)_mm512_scalef_pd((__m512d)x, _mm512_cvtepi64_pd((__m512i)n));
#else
    L half = (L)((UL)(n + l_set(4096)) >> 1) - l_set(2048);
    L rest = n - half;
    return x * number((half + l_set(1023)) << 52) * number((rest + l_set(1023)) << 52);
#endif
}

/* (e**r - 1 - r) / r² for |r| ≤ ln 2 / 2. */
static inline D
exp_tail(D r)
{
    D r2 = r * r, r4 = r2 * r2;
    D a = d_set(0.5) + r * d_set(1.0 / 6);
    D b = d_set(1.0 / 24) + r * d_set(1.0 / 120);
    D c = d_set(1.0 / 720) + r * d_set(1.0 / 5040);
    D d = d_set(1.0 / 40320) + r * d_set(1.0 / 362880);
    D e = d_set(1.0 / 3628800) + r * d_set(1.0 / 39916800);
    D f = d_set(1.0 / 479001600) + r * d_set(1.0 / 6227020800.0);
    return (a + r2 * b) + r4 * ((c + r2 * d) + r4 * (e + r2 * f));
}

/* e**(x + low), |low| small beside x. */
static inline D
exp_of(D x, D low)
{
    x = d_min(d_set(710.0), x);
    x = d_max(d_set(-746.0), x);
#if VL == 8
    /* 2**(n/16) from a table in two registers, r within ln 2 / 32 */
    const __m512d low8 = {1.0, 1.0442737824274138, 1.0905077326652577, 1.1387886347566916,
                          1.189207115002721, 1.241857812073484, 1.2968395546510096, 1.3542555469368927};
    const __m512d high8 = {1.4142135623730951, 1.4768261459394993, 1.5422108254079407, 1.6104903319492543,
                           1.681792830507429, 1.7562521603732995, 1.8340080864093424, 1.9152065613971474};
    D shifted = x * d_set(16 * LOG2_E) + d_set(SHIFTER);
    D n = shifted - d_set(SHIFTER);
    D r = x - n * d_set(LN2_HIGH / 16);
    r = r - n * d_set(LN2_LOW / 16) + low;
    D power = (D)_mm512_permutex2var_pd(low8, (__m512i)bits(shifted), high8);
    D r2 = r * r;
    D p = r + r2 * ((d_set(0.5) + r * d_set(1.0 / 6)) +
                    r2 * ((d_set(1.0 / 24) + r * d_set(1.0 / 120)) +
                          r2 * (d_set(1.0 / 720) + r * d_set(1.0 / 5040))));
    return (D)_mm512_scalef_pd((__m512d)(power + power * p), (__m512d)(n * d_set(1.0 / 16)));
#else
    D shifted = x * d_set(LOG2_E) + d_set(SHIFTER);
    D n = shifted - d_set(SHIFTER);
    D high = x - n * d_set(LN2_HIGH);
    D r = high - n * d_set(LN2_LOW) + low;
    D p = d_set(1.0) + (r + r * r * exp_tail(r));
    return d_scale(p, bits(shifted) - bits(d_set(SHIFTER)));
#endif
}

static inline D
d_exp(D x)
{
    return exp_of(x, d_set(0.0));
}

static inline D
d_expm1(D x)
{
    D y = d_max(d_set(-50.0), d_min(d_set(50.0), x));
    D shifted = y * d_set(LOG2_E) + d_set(SHIFTER);
    D n = shifted - d_set(SHIFTER);
    D high = y - n * d_set(LN2_HIGH);
    D r = high - n * d_set(LN2_LOW);
    D rest = (high - r) - n * d_set(LN2_LOW); /* what r lost */
    D p = r + (rest + r * r * exp_tail(r));
    L whole = bits(shifted) - bits(d_set(SHIFTER));
    D power = number((whole + l_set(1023)) << 52);
    D result = power * p + (power - d_set(1.0));
    result = d_select(d_eq(x, d_set(0.0)), x, result);
    M large = d_lt(d_set(45.0), x);
    return m_any(large) ? d_select(large, d_exp(x), result) : result;
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

/* log(1 + f) = f - (half - tail), half = f²/2; |f| < 0.42. */
static inline void
log_parts(D f, D *half, D *tail)
{
    D s = f / (d_set(2.0) + f);
    D z = s * s, w = z * z;
    D even = w * (d_set(3.999999999940941908e-01) +
                  w * (d_set(2.222219843214978396e-01) + w * d_set(1.531383769920937332e-01)));
    D odd = z * (d_set(6.666666666666735130e-01) +
                 w * (d_set(2.857142874366239149e-01) +
                      w * (d_set(1.818357216161805012e-01) + w * d_set(1.479819860511658591e-01))));
    *half = d_set(0.5) * f * f;
    *tail = s * (*half + (even + odd));
}

static inline D
log_normal(D x, D more) /* log x + more, x positive and finite */
{
    M tiny = d_lt(x, d_set(2.2250738585072014e-308));
    x = d_select(tiny, x * d_set(18014398509481984.0), x);
    D k, f, half, tail;
    split_log(x, &k, &f);
    k = k - d_select(tiny, d_set(54.0), d_set(0.0));
    log_parts(f, &half, &tail);
    return k * d_set(LN2_HIGH) - ((half - (tail + (k * d_set(LN2_LOW) + more))) - f);
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
    return log_special(x, log_normal(x, d_set(0.0)));
}

static inline D
d_log1p(D x)
{
    D u = d_set(1.0) + x;
    D lost = d_select(d_lt(d_set(1.0), x), d_set(1.0) - (u - x), x - (u - d_set(1.0)));
    D result = log_special(u, log_normal(u, lost / u));
    M tiny = d_lt(d_abs(x), d_set(1.1102230246251565e-16));
    return d_select(tiny, x, result);
}

/* ── pow ────────────────────────────────────────────────────────────────────────────────────── */

static inline double
plain_power(double x, double y)
{
    double result = pow(x, y);
    return isnan(result) ? (isnan(x) ? x : isnan(y) ? y : (double)NAN) : result;
}

static inline D
d_fma(D x, D y, D z)
{
#if VL == 8
    return (D)_mm512_fmadd_pd((__m512d)x, (__m512d)y, (__m512d)z);
#elif VL == 4 && defined(__FMA__)
    return (D)_mm256_fmadd_pd((__m256d)x, (__m256d)y, (__m256d)z);
#else
    return x * y + z;
#endif
}

/* x·y - product, exactly. */
static inline D
d_rest(D x, D y, D product)
{
#if VL == 8 || (VL == 4 && defined(__FMA__))
    return d_fma(x, y, -product);
#else
    D a = x * d_set(134217729.0), b = y * d_set(134217729.0);
    a = a - (a - x);
    b = b - (b - y);
    return ((a * b - product) + a * (y - b) + (x - a) * b) + (x - a) * (y - b);
#endif
}

/* The logarithm in two parts, then exp of the product: within 2 units up to |y log x| about 20, and
 * growing with it: 1e-14 at the ends of the range. */
static inline D
d_pow(D x, D y)
{
    D k, f, half, tail;
    M plain = m_and(d_le(d_set(2.2250738585072014e-308), x), d_lt(x, d_set(INFINITY)));
    plain = m_and(plain, d_lt(d_abs(y), d_set(1e100)));
    D safe = d_select(plain, x, d_set(1.0));
    split_log(safe, &k, &f);
    log_parts(f, &half, &tail);
    /* half = f²/2 loses half_low; k·high is exact */
    D half_low = d_rest(d_set(0.5) * f, f, half);
    D a = k * d_set(LN2_HIGH);
    D b = a + f;
    D b_low = d_select(d_lt(d_abs(a), d_abs(f)), (f - b) + a, (a - b) + f);
    D c = b - half;
    D c_low = (b - c) - half;
    D d = c + tail;
    D d_low = (c - d) + tail;
    D low = ((b_low + c_low) + (d_low - half_low)) + k * d_set(LN2_LOW);
    D high = d + low;
    low = (d - high) + low;
    D product = y * high;
    D product_low = d_rest(y, high, product) + y * low;
    plain = m_and(plain, d_lt(d_abs(product), d_set(745.0)));
    D result = exp_of(d_select(plain, product, d_set(0.0)), d_select(plain, product_low, d_set(0.0)));
    if (m_any(m_not(plain))) {
        double base[VL], power[VL], out[VL];
        d_store(base, x);
        d_store(power, y);
        d_store(out, result);
        for (int lane = 0; lane < VL; lane++) {
            if (!m_lane(plain, lane)) {
                out[lane] = plain_power(base[lane], power[lane]);
            }
        }
        result = d_load(out);
    }
    return result;
}

/* ── sin, cos, tan, atan ─────────────────────────────────────────────────────────────────────── */

#define ANGLE_LIMIT 1.0e6

/* x = n · π/2 + high + low. */
static inline L
quarter(D x, D *high, D *low)
{
    D shifted = x * d_set(0.6366197723675814) + d_set(SHIFTER);
    D n = shifted - d_set(SHIFTER);
    D a = x - n * d_set(1.57079632673412561417e+00);
    D t = n * d_set(6.07710050630396597660e-11);
    D r = a - t;
    D rest = ((a - r) - t) - n * d_set(2.02226624879595063154e-21);
    *high = r + rest;
    *low = (r - *high) + rest;
    return bits(shifted);
}

static inline D
sin_near(D x, D low)
{
    D z = x * x, v = z * x;
    D r = d_set(8.33333333332248946124e-03) +
          z * (d_set(-1.98412698298579493134e-04) +
               z * (d_set(2.75573137070700676789e-06) +
                    z * (d_set(-2.50507602534068634195e-08) + z * d_set(1.58969099521155010221e-10))));
    return x - ((z * (d_set(0.5) * low - v * r) - low) - v * d_set(-1.66666666666666324348e-01));
}

static inline D
cos_near(D x, D low)
{
    D z = x * x;
    D r = z * (d_set(4.16666666666666019037e-02) +
               z * (d_set(-1.38888888888741095749e-03) +
                    z * (d_set(2.48015872894767294178e-05) +
                         z * (d_set(-2.75573143513906633035e-07) +
                              z * (d_set(2.08757232129817482790e-09) +
                                   z * d_set(-1.13596475577881948265e-11))))));
    D half = d_set(0.5) * z;
    D w = d_set(1.0) - half;
    return w + (((d_set(1.0) - w) - half) + (z * r - x * low));
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
    L n = quarter(x, &high, &low) + l_set(shift);
    D result = odd_select(n, cos_near(high, low), sin_near(high, low));
    result = number(bits(result) ^ ((n & l_set(2)) << 62));
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
    D s = sin_near(high, low), c = cos_near(high, low);
    D result = odd_select(n, -c, s) / odd_select(n, s, c);
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
    D p = d_set(-6.485021904942025371773e1) +
          z * (d_set(-1.228866684490136173410e2) +
               z * (d_set(-7.500855792314704667340e1) +
                    z * (d_set(-1.615753718733365076637e1) + z * d_set(-8.750608600031904122785e-1))));
    D q = d_set(1.945506571482613964425e2) +
          z * (d_set(4.853903996359136964868e2) +
               z * (d_set(4.328810604912902668951e2) +
                    z * (d_set(1.650270098316988542046e2) + z * (d_set(2.485846490142306297962e1) + z))));
    D result = base + (t + (t * (z * p / q) + more));
    return d_copysign(result, x);
}

/* ── Hyperbolic functions and their like ─────────────────────────────────────────────────────── */

static inline D
d_sinh(D x)
{
    D y = d_abs(x);
    D t = d_expm1(d_min(d_set(30.0), y));
    D result = d_set(0.5) * (t + t / (t + d_set(1.0)));
    M large = m_not(d_lt(y, d_set(22.0))); /* nan comes here too */
    if (m_any(large)) {
        D half = d_exp(d_set(0.5) * y);
        result = d_select(large, d_set(0.5) * half * half, result);
    }
    return d_copysign(result, x);
}

static inline D
d_cosh(D x)
{
    D y = d_abs(x);
    D half = d_exp(d_set(0.5) * y);
    D e = d_exp(y);
    D result = d_set(0.5) * e + d_set(0.5) / e;
    return d_select(d_lt(y, d_set(700.0)), result, d_set(0.5) * half * half);
}

static inline D
d_tanh(D x)
{
    D y = d_abs(x);
    D t = d_expm1(d_set(2.0) * d_min(d_set(30.0), y)); /* the second stays when nan */
    return d_copysign(t / (t + d_set(2.0)), x);
}

static inline D
d_sigmoid(D x)
{
    D e = d_exp(-d_abs(x));
    return d_select(d_le(d_set(0.0), x), d_set(1.0), e) / (d_set(1.0) + e);
}

static inline D
d_softplus(D x)
{
    D most = d_select(d_le(x, d_set(0.0)), d_set(0.0), x);
    return most + d_log1p(d_exp(-d_abs(x)));
}

static inline D
d_silu(D x)
{
    D result = x * d_sigmoid(x);
    M far = d_lt(x, d_set(-700.0));
    if (m_any(far)) {
        D half = d_exp(d_set(0.5) * x);
        D tiny = d_select(d_eq(half, d_set(0.0)), d_set(-0.0), x * half * half);
        result = d_select(far, tiny, result);
    }
    return result;
}

/* ── erf, erfc, gelu ─────────────────────────────────────────────────────────────────────────────
 *
 * Chebyshev interpolants: erf(x)/x in x² for |x| ≤ 1; e**(x²)·erfc(x)·(1 + 2x) in (x - 3)/(x + 3) for
 * 1/2 ≤ x ≤ 28, beyond which erfc is 0. */

static const double erf_terms[] = {
    1.1283791670955126, -0.3761263890318375, 0.11283791670954879, -0.026866170645076792,
    0.0052239776248180145, -0.000854832698083379, 0.0001205533111164271, -1.4925595266831182e-05,
    1.6461000484121368e-06, -1.6350312701054695e-07, 1.4659775274047436e-08,
    -1.1372848856791674e-09, 5.957176147748911e-11,
};
static const double erfc_terms[] = {
    1.2530080582697296, -0.1356211061245812, -0.0475622943534507, 0.12964515870276203,
    -0.11927366341531179, 0.06830802734394434, -0.02377051491853638, 0.002529391816335117,
    0.0018886903564002055, -0.0007798322714918795, -0.00010515976008945177,
    0.00012509932758636072, 4.9491714476033325e-06, -2.0100376113106087e-05,
    -7.300550882569987e-07, 3.471616676593574e-06, 3.52693258412998e-07, -6.146346341425417e-07,
    -1.3432312409451292e-07, 9.877438074940672e-08, 3.42329907978226e-08, -1.0659628807393203e-08,
    -4.325370719107278e-09,
};

/* Σ c[k]·x**k, the even and the odd terms apart, which halves the wait. */
static inline D
d_poly(const double *c, int count, D x)
{
    D x2 = x * x;
    int last = count - 1;
    D high = d_set(c[last]), low = d_set(c[last - 1]);
    for (int k = last - 2; k >= 1; k -= 2) {
        high = high * x2 + d_set(c[k]);
        low = low * x2 + d_set(c[k - 1]);
    }
    return last % 2 ? low + x * high : high * x2 + d_set(c[0]) + x * low;
}

#define ERF_COUNT ((int)(sizeof erf_terms / sizeof *erf_terms))
#define ERFC_COUNT ((int)(sizeof erfc_terms / sizeof *erfc_terms))

/* erfc of x ≥ 1/2, or nan. */
static inline D
erfc_far(D x)
{
    x = d_min(d_set(28.0), x);
    D square = x * x;
    D e = exp_of(-square, -d_rest(x, x, square));
    D t = (x - d_set(3.0)) / (x + d_set(3.0));
    return e * (d_poly(erfc_terms, ERFC_COUNT, t) / (d_set(1.0) + d_set(2.0) * x));
}

static inline D
d_erf(D x)
{
    D y = d_abs(x);
    M far = m_not(d_le(y, d_set(1.0)));
    D near_x = d_min(d_set(1.0), y);
    D result = near_x * d_poly(erf_terms, ERF_COUNT, near_x * near_x);
    if (m_any(far)) {
        result = d_select(far, d_set(1.0) - erfc_far(d_max(d_set(0.5), y)), result);
    }
    return d_copysign(result, x);
}

static inline D
d_erfc(D x)
{
    D y = d_abs(x);
    D near_x = d_min(d_set(1.0), y);
    D close = d_copysign(near_x * d_poly(erf_terms, ERF_COUNT, near_x * near_x), x);
    D far = erfc_far(d_max(d_set(0.5), y));
    far = d_select(d_lt(x, d_set(0.0)), d_set(2.0) - far, far);
    return d_select(d_lt(y, d_set(0.5)), d_set(1.0) - close, far);
}

#define V_TWO_OVER_ROOT_PI 1.1283791670955126
#define V_ROOT_HALF 0.7071067811865476
#define V_ROOT_HALF_REST -4.833646656726457e-17
#define V_ROOT_TAU_INVERSE 0.3989422804014327

static inline D
d_gelu(D x)
{
    D t = -x * d_set(V_ROOT_HALF);
    D rest = d_rest(-x, d_set(V_ROOT_HALF), t) - x * d_set(V_ROOT_HALF_REST);
    D result = d_set(0.5) * x * (d_erfc(t) - d_set(V_TWO_OVER_ROOT_PI) * d_exp(-t * t) * rest);
    D beyond = d_select(d_lt(d_set(0.0), x), x, d_select(d_lt(x, d_set(0.0)), d_set(-0.0), x));
    return d_select(d_lt(d_abs(t), d_set(30.0)), result, beyond);
}

/* ── Derivatives of rows, as engine/native/rows.h has them ───────────────────────────────────── */

static inline D
d_by_expm1(D x)
{
    return d_exp(x);
}

static inline D
d_by_log1p(D x)
{
    return d_set(1.0) / (d_set(1.0) + x);
}

static inline D
d_by_tan(D x)
{
    D out = d_tan(x);
    return d_set(1.0) + out * out;
}

static inline D
d_by_atan(D x)
{
    return d_set(1.0) / (d_set(1.0) + x * x);
}

static inline D
d_by_tanh(D x)
{
    D out = d_tanh(x);
    D e = d_exp(d_set(-2.0) * d_abs(x));
    D sum = d_set(1.0) + e;
    return d_select(d_lt(d_abs(out), d_set(0.9)), d_set(1.0) - out * out, d_set(4.0) * e / (sum * sum));
}

static inline D
d_by_sigmoid(D x)
{
    D e = d_exp(-d_abs(x));
    D sum = d_set(1.0) + e;
    return e / (sum * sum);
}

static inline D
d_by_softplus(D x)
{
    return d_sigmoid(x);
}

static inline D
d_by_silu(D x)
{
    D rest = d_sigmoid(-x);
    return d_sigmoid(x) + d_select(d_eq(rest, d_set(0.0)), d_set(0.0), d_silu(x) * rest);
}

static inline D
d_by_gelu(D x)
{
    D bell = d_set(V_ROOT_TAU_INVERSE) * d_exp(x * x * d_set(-0.5));
    D more = d_select(d_eq(bell, d_set(0.0)), d_set(0.0), x * bell);
    return d_set(0.5) * d_erfc(x * d_set(-V_ROOT_HALF)) + more;
}

static inline D
d_by_erf(D x)
{
    return d_set(V_TWO_OVER_ROOT_PI) * d_exp(-(x * x));
}

static inline D
d_by_erfc(D x)
{
    return d_set(-V_TWO_OVER_ROOT_PI) * d_exp(-(x * x));
}

#endif
