/* The operations in C: one row each, the twin of a row of gradwalk/ops.py.
 *
 * A row is a function that returns the value and stores one partial derivative for each operand.
 * It makes the same libm calls in the same arithmetic order as the Python row, so that both engines
 * agree to the last bit; tests/native holds every row to that. A Python row without a C row still
 * works, by calling Python, so a new operation may start there.
 *
 * To add one: write the function below its neighbours, then its line in GRADWALK_ROWS.
 * Start reading at GRADWALK_ROWS, at the end.
 */
#ifndef GRADWALK_ROWS_H
#define GRADWALK_ROWS_H

#include "numbers.h"

typedef double (*UnaryRow)(double x, double *by_x);
typedef double (*BinaryRow)(double x, double y, double *by_x, double *by_y);
typedef double (*TernaryRow)(double x, double y, double z, double *by_x, double *by_y,
                             double *by_z);

/* ── Rows ───────────────────────────────────────────────────────────────────────────────────── */

static double
row_add(double x, double y, double *by_x, double *by_y)
{
    *by_x = 1.0;
    *by_y = 1.0;
    return x + y;
}

static double
row_mul(double x, double y, double *by_x, double *by_y)
{
    *by_x = y;
    *by_y = x;
    return x * y;
}

/* Where the power is not a normal double its product with y may be: it is taken by halves. */
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

static double
row_pow(double x, double y, double *by_x, double *by_y)
{
    double out = power(x, y);
    *by_x = pow_by_base(x, y);
    *by_y = pow_by_exponent(x, y, out);
    return out;
}

static double
row_abs(double x, double *by_x)
{
    *by_x = sign(x);
    return fabs(x);
}

static double
row_sqrt(double x, double *by_x)
{
    double out = tame(x, sqrt(x));
    *by_x = divide(0.5, out);
    return out;
}

static double
row_exp(double x, double *by_x)
{
    return *by_x = exp(x);
}

static double
row_expm1(double x, double *by_x)
{
    *by_x = exp(x);
    return expm1(x);
}

static double
row_log(double x, double *by_x)
{
    *by_x = divide(1.0, x);
    return logarithm(x);
}

static double
row_log1p(double x, double *by_x)
{
    *by_x = divide(1.0, 1.0 + x);
    if (x > -1.0) {
        return log1p(x);
    }
    return x == -1.0 ? -INFINITY : (double)NAN;
}

static double
row_sin(double x, double *by_x)
{
    *by_x = tame(x, cos(x));
    return tame(x, sin(x));
}

static double
row_cos(double x, double *by_x)
{
    *by_x = -tame(x, sin(x));
    return tame(x, cos(x));
}

static double
row_tan(double x, double *by_x)
{
    double out = tame(x, tan(x));
    *by_x = 1.0 + out * out;
    return out;
}

static double
row_asin(double x, double *by_x)
{
    double square = (1.0 - x) * (1.0 + x);
    *by_x = divide(1.0, tame(square, sqrt(square)));
    return tame(x, asin(x));
}

static double
row_acos(double x, double *by_x)
{
    double square = (1.0 - x) * (1.0 + x);
    *by_x = divide(-1.0, tame(square, sqrt(square)));
    return tame(x, acos(x));
}

static double
row_atan(double x, double *by_x)
{
    *by_x = fabs(x) <= MOST_PLAIN ? divide(1.0, 1.0 + x * x) : divide(divide(1.0, x), x);
    return atan(x);
}

static double
row_atan2(double y, double x, double *by_y, double *by_x)
{
    double distance = length(y, x), half = 1.0;
    if (x == 0.0 && y == 0.0) {
        *by_y = 0.0;
        *by_x = 0.0;
        return angle(y, x);
    }
    if (isinf(distance) && isfinite(x) && isfinite(y)) {
        half = 0.5;
        distance = length(y * half, x * half);
    }
    *by_y = divide(divide(x * half, distance), distance) * half;
    *by_x = -(divide(divide(y * half, distance), distance) * half);
    return angle(y, x);
}

static double
row_sinh(double x, double *by_x)
{
    *by_x = cosh(x);
    return sinh(x);
}

static double
row_cosh(double x, double *by_x)
{
    *by_x = sinh(x);
    return cosh(x);
}

static double
row_tanh(double x, double *by_x)
{
    double out = tanh(x);
    if (fabs(out) < 0.9) {
        *by_x = 1.0 - out * out;
    }
    else {
        double e = exp(x > 0.0 ? x * -2.0 : x * 2.0);
        *by_x = divide(4.0 * e, (1.0 + e) * (1.0 + e));
    }
    return out;
}

static double
row_sigmoid(double x, double *by_x)
{
    double out = sigmoid(x);
    *by_x = out * sigmoid(-x);
    return out;
}

static double
row_softplus(double x, double *by_x)
{
    *by_x = sigmoid(x);
    return (x > 0.0 ? x : x <= 0.0 ? 0.0 : x) + log1p(exp(-fabs(x)));
}

static double
row_relu(double x, double *by_x)
{
    *by_x = x > 0.0 ? 1.0 : 0.0;
    return x <= 0.0 ? 0.0 : x;
}

static double
row_leaky_relu(double x, double slope, double *by_x, double *by_slope)
{
    *by_x = x > 0.0 ? 1.0 : slope;
    *by_slope = x > 0.0 ? 0.0 : x;
    return x > 0.0 ? x : slope * x;
}

static double
row_silu(double x, double *by_x)
{
    double out;
    if (x < -700.0) {
        double half = exp(0.5 * x);
        out = half != 0.0 ? x * half * half : -0.0;
    }
    else {
        out = x * sigmoid(x);
    }
    double tail = sigmoid(-x);
    *by_x = sigmoid(x) + (tail > 0.0 ? out * tail : 0.0);
    return out;
}

static double
row_gelu(double x, double *by_x)
{
    double bell = ROOT_TAU_INVERSE * exp(x * x * -0.5);
    *by_x = 0.5 * erfc(x * -ROOT_HALF) + (bell > 0.0 ? x * bell : 0.0);
    double t = -x * ROOT_HALF;
    if (-30.0 < t && t < 30.0) {
        double rest = product_rest(-x, ROOT_HALF, t) - x * ROOT_HALF_REST;
        return 0.5 * x * (erfc(t) - TWO_OVER_ROOT_PI * exp(-t * t) * rest);
    }
    return x > 0.0 ? x : x < 0.0 ? -0.0 : x;
}

static double
row_erf(double x, double *by_x)
{
    *by_x = TWO_OVER_ROOT_PI * exp(-(x * x));
    return erf(x);
}

static double
row_erfc(double x, double *by_x)
{
    *by_x = -TWO_OVER_ROOT_PI * exp(-(x * x));
    return erfc(x);
}

static double
row_maximum(double x, double y, double *by_x, double *by_y)
{
    double tie = x == y ? 0.5 : 0.0;
    *by_x = x > y ? 1.0 : tie;
    *by_y = y > x ? 1.0 : tie;
    return x > y || x != x ? x : y;
}

static double
row_minimum(double x, double y, double *by_x, double *by_y)
{
    double tie = x == y ? 0.5 : 0.0;
    *by_x = x < y ? 1.0 : tie;
    *by_y = y < x ? 1.0 : tie;
    return x < y || x != x ? x : y;
}

static double
row_where(double condition, double x, double y, double *by_condition, double *by_x, double *by_y)
{
    *by_condition = 0.0;
    *by_x = condition != 0.0 ? 1.0 : 0.0;
    *by_y = condition != 0.0 ? 0.0 : 1.0;
    return condition != 0.0 ? x : y;
}

static double
row_clip(double x, double low, double high, double *by_x, double *by_low, double *by_high)
{
    *by_x = x > high || x < low ? 0.0 : 1.0;
    *by_low = x < low && !(x > high) ? 1.0 : 0.0;
    *by_high = x > high ? 1.0 : 0.0;
    return x > high ? high : x < low ? low : x;
}

static double
row_hypot(double x, double y, double *by_x, double *by_y)
{
    double out = length(x, y), distance = out;
    if (out == 0.0) {
        *by_x = *by_y = 0.0;
        return out;
    }
    if (!isnormal(out) && isfinite(x) && isfinite(y)) {
        double scale = out > 1.0 ? 0.5 : 0x1p600;
        x *= scale;
        y *= scale;
        distance = length(x, y);
    }
    *by_x = divide(x, distance);
    *by_y = divide(y, distance);
    return out;
}

static double
row_floor(double x, double *by_x)
{
    *by_x = 0.0;
    return floor(x);
}

static double
row_sign(double x, double *by_x)
{
    *by_x = 0.0;
    return sign(x);
}

static double
row_log2(double x, double *by_x)
{
    *by_x = divide(LOG2_OF_E, x);
    if (x > 0.0) {
        return log2(x);
    }
    return x < 0.0 || x != x ? (double)NAN : -INFINITY;
}

static double
row_log10(double x, double *by_x)
{
    *by_x = divide(LOG10_OF_E, x);
    if (x > 0.0) {
        return log10(x);
    }
    return x < 0.0 || x != x ? (double)NAN : -INFINITY;
}

static double
row_exp2(double x, double *by_x)
{
    double out = exp2(x);
    *by_x = out * LN_2;
    return out;
}

static double
row_cbrt(double x, double *by_x)
{
    double out = cbrt(x);
    *by_x = divide(1.0, 3.0 * (out * out));
    return out;
}

static double
row_asinh(double x, double *by_x)
{
    *by_x = divide(1.0, length(1.0, x));
    return asinh(x);
}

static double
row_acosh(double x, double *by_x)
{
    double less = x - 1.0, more = x + 1.0;
    *by_x = divide(1.0, tame(less, sqrt(less)) * tame(more, sqrt(more)));
    return tame(x, acosh(x));
}

static double
row_atanh(double x, double *by_x)
{
    *by_x = divide(1.0, (1.0 - x) * (1.0 + x));
    if (-1.0 < x && x < 1.0) {
        return atanh(x);
    }
    return fabs(x) == 1.0 ? copysign(INFINITY, x) : (double)NAN;
}

static double
row_floordiv(double x, double y, double *by_x, double *by_y)
{
    *by_x = 0.0;
    *by_y = 0.0;
    return floor_divide(x, y);
}

static double
row_mod(double x, double y, double *by_x, double *by_y)
{
    *by_x = 1.0;
    *by_y = floor_divide(x, y) * -1.0;
    return modulo(x, y);
}

/* name, symbol. DERIVED rows are recorded as the operations they stand for, so they only name. */
#define GRADWALK_ROWS(UNARY, BINARY, TERNARY, DERIVED) \
    BINARY(add, "+")                                   \
    BINARY(mul, "*")                                   \
    BINARY(pow, "**")                                  \
    DERIVED(neg, "neg", 1)                             \
    DERIVED(sub, "-", 2)                               \
    DERIVED(div, "/", 2)                               \
    UNARY(abs, "abs")                                  \
    UNARY(sqrt, "sqrt")                                \
    UNARY(exp, "exp")                                  \
    UNARY(expm1, "expm1")                              \
    UNARY(log, "log")                                  \
    UNARY(log1p, "log1p")                              \
    UNARY(sin, "sin")                                  \
    UNARY(cos, "cos")                                  \
    UNARY(tan, "tan")                                  \
    UNARY(asin, "asin")                                \
    UNARY(acos, "acos")                                \
    UNARY(atan, "atan")                                \
    BINARY(atan2, "atan2")                             \
    UNARY(sinh, "sinh")                                \
    UNARY(cosh, "cosh")                                \
    UNARY(tanh, "tanh")                                \
    UNARY(sigmoid, "sigmoid")                          \
    UNARY(softplus, "softplus")                        \
    UNARY(relu, "relu")                                \
    BINARY(leaky_relu, "leaky_relu")                   \
    UNARY(silu, "silu")                                \
    UNARY(gelu, "gelu")                                \
    UNARY(erf, "erf")                                  \
    UNARY(erfc, "erfc")                                \
    BINARY(maximum, "maximum")                         \
    BINARY(minimum, "minimum")                         \
    TERNARY(where, "where")                            \
    TERNARY(clip, "clip")                              \
    BINARY(hypot, "hypot")                             \
    UNARY(floor, "floor")                              \
    UNARY(sign, "sign")                                \
    UNARY(log2, "log2")                                \
    UNARY(log10, "log10")                              \
    UNARY(exp2, "exp2")                                \
    UNARY(cbrt, "cbrt")                                \
    UNARY(asinh, "asinh")                              \
    UNARY(acosh, "acosh")                              \
    UNARY(atanh, "atanh")                              \
    BINARY(floordiv, "//")                             \
    BINARY(mod, "%")

#endif
