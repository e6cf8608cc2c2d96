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

#endif
