/* What Python's math does, without its exceptions: for the rows and for the operations over lists. */
#ifndef GRADWALK_NUMBERS_H
#define GRADWALK_NUMBERS_H

#include <math.h>
#include <stdbool.h>

/* Outside the domain the answer is the plain nan; a nan that came in stays the one it was. */
static inline double
tame(double x, double result)
{
    return isnan(result) && !isnan(x) ? (double)NAN : result;
}

static inline double
divide(double x, double y)
{
    if (y != 0.0) {
        return x / y;
    }
    if (x != x || x == 0.0) {
        return NAN;
    }
    return copysign(INFINITY, x) * copysign(1.0, y);
}

/* From 2**-511 to 2**511 both y**-1 and y**-2 are normal doubles, and x / y is x * y**-1. */
#define LEAST_PLAIN 0x1p-511
#define MOST_PLAIN 0x1p511

static inline bool
divides_plainly(double y)
{
    double size = fabs(y);
    return !((size > MOST_PLAIN && size < INFINITY) || (size < LEAST_PLAIN && size != 0.0));
}

static inline double
power(double x, double y)
{
    double result = pow(x, y);
    if (isnan(result)) {
        return isnan(x) ? x : isnan(y) ? y : (double)NAN;
    }
    return result;
}

static inline double
logarithm(double x)
{
    if (x > 0.0) {
        return log(x);
    }
    return x < 0.0 || x != x ? (double)NAN : -INFINITY;
}

static inline double
sigmoid(double x)
{
    if (x >= 0.0) {
        return 1.0 / (1.0 + exp(-x));
    }
    double e = exp(x);
    return e / (1.0 + e);
}

static inline double
sign(double x)
{
    return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x;
}

static inline double
length(double x, double y)
{
    if (isinf(x) || isinf(y)) {
        return INFINITY;
    }
    return isnan(x) || isnan(y) ? (double)NAN : hypot(x, y);
}

static inline double
angle(double y, double x)
{
    return isnan(x) || isnan(y) ? (double)NAN : atan2(y, x);
}

/* x // y and x % y as Python computes them, but without an error at y = 0. */
static inline double
floor_divide(double x, double y)
{
    if (y == 0.0) {
        return divide(x, y);
    }
    double rest = fmod(x, y), quotient = (x - rest) / y;
    if (rest != 0.0 && (y < 0.0) != (rest < 0.0)) {
        quotient -= 1.0;
    }
    if (quotient == 0.0) {
        return copysign(0.0, x / y);
    }
    double whole = floor(quotient);
    return quotient - whole > 0.5 ? whole + 1.0 : whole;
}

static inline double
modulo(double x, double y)
{
    if (y == 0.0) {
        return (double)NAN;
    }
    double rest = fmod(x, y);
    if (rest == 0.0) {
        return copysign(0.0, y);
    }
    return (y < 0.0) != (rest < 0.0) ? rest + y : rest;
}

#define TWO_OVER_ROOT_PI 1.1283791670955126
#define ROOT_HALF 0.7071067811865476
#define ROOT_HALF_REST -4.833646656726457e-17
#define ROOT_TAU_INVERSE 0.3989422804014327
#define LN_2 0.6931471805599453
#define LOG2_OF_E 1.4426950408889634
#define LOG10_OF_E 0.4342944819032518

/* x·y − product, exactly (Dekker's splitting). */
static inline double
product_rest(double x, double y, double product)
{
    double a = 134217729.0 * x;
    a -= a - x;
    double b = 134217729.0 * y;
    b -= b - y;
    return ((a * b - product) + a * (y - b) + (x - a) * b) + (x - a) * (y - b);
}

/* ── Values and derivatives of rows that take more than one expression ──────────────────────────── */

static inline double
root_of(double x)
{
    return tame(x, sqrt(x));
}

/* Where the power is not a normal double its product with y may be one: multiply by halves of the power. */
static inline double
pow_by_base(double x, double y)
{
    if (x == 0.0 && y == 0.0) {
        return 0.0;
    }
    double lower = power(x, y - 1.0);
    if (!isnormal(lower) && x != 0.0 && isfinite(x)) {
        double half = power(fabs(x), (y - 1.0) * 0.5);
        return isnan(lower) ? lower : copysign(1.0, lower) * (y * half) * half;
    }
    return y * lower;
}

static inline double
pow_by_exponent(double x, double y, double out)
{
    if (x == 0.0 && y >= 0.0) {
        return 0.0;
    }
    if (!isnormal(out) && 0.0 < x && x < INFINITY) {
        double half = power(x, y * 0.5);
        return half * logarithm(x) * half;
    }
    return out * logarithm(x);
}

static inline double
slope_of_atan(double x)
{
    return fabs(x) <= MOST_PLAIN ? divide(1.0, 1.0 + x * x) : divide(divide(1.0, x), x);
}

/* The derivative of atan2(y, x) by y: x / (x² + y²). */
static inline double
angle_by_first(double y, double x)
{
    double distance = length(y, x), half = 1.0;
    if (x == 0.0 && y == 0.0) {
        return 0.0;
    }
    if (isinf(distance) && isfinite(x) && isfinite(y)) {
        half = 0.5;
        distance = length(y * half, x * half);
    }
    return divide(divide(x * half, distance), distance) * half;
}

/* The derivative of atan2(y, x) by x. */
static inline double
angle_by_second(double y, double x)
{
    return x == 0.0 && y == 0.0 ? 0.0 : -angle_by_first(x, y);
}

/* Near ±1 the difference 1 - out² loses its digits; 4e / (1 + e)² with e = exp(-2|x|) keeps them. */
static inline double
slope_of_tanh(double x, double out)
{
    if (fabs(out) < 0.9) {
        return 1.0 - out * out;
    }
    double e = exp(x > 0.0 ? x * -2.0 : x * 2.0);
    return divide(4.0 * e, (1.0 + e) * (1.0 + e));
}

static inline double
silu(double x)
{
    if (x < -700.0) { /* the sigmoid is exp(x) here, too close to 0 to keep its digits */
        double half = exp(0.5 * x);
        return half != 0.0 ? x * half * half : -0.0;
    }
    return x * sigmoid(x);
}

static inline double
slope_of_silu(double x, double out)
{
    double tail = sigmoid(-x);
    return sigmoid(x) + (tail > 0.0 ? out * tail : 0.0);
}

/* erfc keeps the digits of the left tail; the second term corrects the rounding of x/√2. */
static inline double
gelu(double x)
{
    double t = -x * ROOT_HALF;
    if (-30.0 < t && t < 30.0) {
        double rest = product_rest(-x, ROOT_HALF, t) - x * ROOT_HALF_REST;
        return 0.5 * x * (erfc(t) - TWO_OVER_ROOT_PI * exp(-t * t) * rest);
    }
    return x > 0.0 ? x : x < 0.0 ? -0.0 : x;
}

/* exp(-rate·x²). The exponent is in two parts: rounding x² to one double would change the result by x² ulp. */
static inline double
bell(double x, double rate)
{
    double split = x * 134217729.0;
    double high = split - (split - x);
    return exp(high * high * -rate) * exp((x - high) * (x + high) * -rate);
}

/* Beyond 64 the slopes below are flat, and inf · 0 would be nan. */
static inline double
within_64(double x)
{
    return x > 64.0 ? 64.0 : x < -64.0 ? -64.0 : x;
}

static inline double
slope_of_erf(double x)
{
    return TWO_OVER_ROOT_PI * bell(within_64(x), 1.0);
}

static inline double
slope_of_gelu(double x)
{
    x = within_64(x);
    return 0.5 * erfc(x * -ROOT_HALF) + x * (ROOT_TAU_INVERSE * bell(x, 0.5));
}

/* x / out, where out = hypot(x, y) may have left the normal doubles. */
static inline double
share_of_length(double x, double y, double out)
{
    if (out == 0.0) {
        return 0.0;
    }
    if (!isnormal(out) && isfinite(x) && isfinite(y)) {
        double scale = out > 1.0 ? 0.5 : 0x1p600;
        return divide(x * scale, length(x * scale, y * scale));
    }
    return divide(x, out);
}

static inline double
inverse_tanh(double x)
{
    if (-1.0 < x && x < 1.0) {
        return atanh(x);
    }
    return fabs(x) == 1.0 ? copysign(INFINITY, x) : (double)NAN;
}

#endif
