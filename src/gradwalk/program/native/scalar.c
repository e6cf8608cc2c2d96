/* What one instruction computes. */

#include "ir.h"

#include "../../engine/native/rows.h"
#ifndef GRADWALK_PLAIN
#define GRADWALK_PLAIN /* one number at a time */
#endif
#include "vmath.h"

double
scalar_eager(int code, double x, double y, double z, double by[3])
{
    switch (code) {
#define UNARY(name, ...) \
    case C_##name: \
        return row_##name(x, &by[0]);
#define BINARY(name, ...) \
    case C_##name: \
        return row_##name(x, y, &by[0], &by[1]);
#define TERNARY(name, ...) \
    case C_##name: \
        return row_##name(x, y, z, &by[0], &by[1], &by[2]);
#include OPERATIONS
    default:
        return NAN;
    }
}

/* The forms whose values, or derivatives, come from somewhere else: see operations.h, and docs/accuracy.md for the
 * digits that this gains. */
#define VALUE_SCALAR(name)
#define VALUE_SCALAR_SLOPE(name)
#define VALUE_VECTOR(name)
#define VALUE_CHEAP(name)
#define VALUE_CORE(name)
#define VALUE_TUNED(name)
#define VALUE_TUNED_SLOPE(name)
#define VALUE_TUNED_BOTH(name) \
    case C_##name: \
        return d_##name(x);
#define SLOPE_SCALAR(name)
#define SLOPE_VECTOR(name)
#define SLOPE_CHEAP(name)
#define SLOPE_CORE(name)
#define SLOPE_TUNED(name)
#define SLOPE_TUNED_SLOPE(name) \
    case C_##name: \
        return d_by_##name(x);
#define SLOPE_TUNED_BOTH(name) SLOPE_TUNED_SLOPE(name)
#define SLOPES_SCALAR(name)
#define SLOPES_VECTOR(name)
#define SLOPES_CHEAP(name)
#define SLOPES_CORE(name)
#define SLOPES_TUNED(name)
#define SLOPES_TUNED_SLOPE(name) \
    case C_##name: \
        return which == 0 ? d_by_x_##name(x, y) : d_by_y_##name(x, y);
#define SLOPES_SCALAR_SLOPE(name) \
    case C_##name: \
        if (isfinite(x) && isfinite(y) && (x != 0.0 || y != 0.0)) { \
            return slope_##name(which, x, y); \
        } \
        break;

double
scalar_row(int code, double x, double y, double z)
{
    double by[3];
    switch (code) {
#define UNARY(name, symbol, value, by_x, form, adjoint) VALUE_##form(name)
#include OPERATIONS
    default:
        return scalar_eager(code, x, y, z, by);
    }
}

/* part / whole · 2**-power, where `whole` belongs to numbers that were divided by 2**shift. */
static double
share(double part, int shift, Pair whole, int power)
{
    double near = shift != 0 ? ldexp(part, -shift) : part;
    if (shift > 0 && fabs(near) < 1e-280) { /* much smaller than the other number: it may have lost digits */
        return ldexp(pair_value(pair_div(pair_of(part), whole)), -power);
    }
    double quotient = pair_value(pair_div(pair_of(near), whole));
    return shift != 0 ? ldexp(quotient, shift - power) : quotient;
}

/* part / hypot(x, y), or its square: the derivatives of hypot and of atan2. */
static double
by_length(double part, double x, double y, bool squared)
{
    double larger = fmax(fabs(x), fabs(y)), smaller = fmin(fabs(x), fabs(y));
    int shift = 0;
    if (larger > 1e140 || smaller < 1e-140) {
        frexp(larger, &shift);
        x = ldexp(x, -shift);
        y = ldexp(y, -shift);
    }
    Pair square = pair_add(pair_product(x, x), pair_product(y, y));
    if (squared) {
        return share(part, shift, square, 2 * shift);
    }
    double root = sqrt(square.high);
    return share(part, shift, (Pair){root, (square.low - d_rest(root, root, square.high)) / (root + root)}, shift);
}

static double
slope_hypot(int which, double x, double y)
{
    return by_length(which == 0 ? x : y, x, y, false);
}

static double
slope_atan2(int which, double x, double y)
{
    return by_length(which == 0 ? y : -x, x, y, true);
}

double
scalar_partial(int code, int which, double x, double y, double z)
{
    double by[3] = {0.0, 0.0, 0.0};
    switch (code) {
#define UNARY(name, symbol, value, by_x, form, adjoint) SLOPE_##form(name)
#define BINARY(name, symbol, value, by_x, by_y, form, adjoint) SLOPES_##form(name)
#include OPERATIONS
    default:
        break;
    }
    scalar_eager(code, x, y, z, by);
    return by[which];
}

static double
scalar_root(double x)
{
    return isinf(x) ? INFINITY : sqrt(x + 0.0);
}

double
scalar_apply(int code, const int32_t *arg, int count, double number, const double *values)
{
    double x = count > 0 ? values[arg[0]] : 0.0;
    double y = count > 1 ? values[arg[1]] : 0.0;
    switch (code) {
    case CONST:
        return number;
    case C_add:
        return x + y;
    case C_sub:
        return x - y;
    case C_mul:
        return x * y;
    case C_div:
    case DRAW:
        return x / y;
    case C_neg:
        return -x;
    case LT:
        return x < y;
    case LE:
        return x <= y;
    case GT:
        return x > y;
    case GE:
        return x >= y;
    case EQ:
        return x == y;
    case NE:
        return x != y;
    case TAKE:
        return values[arg[1 + nearest_entry(x, count - 1)]];
    case SUM: {
        double total = 0.0;
        for (int k = 0; k < count; k++) {
            total += values[arg[k]];
        }
        return total;
    }
    case DOT:
    case PULL: {
        double total = 0.0;
        for (int k = 0; k < count; k += 2) {
            total += values[arg[k]] * values[arg[k + 1]];
        }
        return total;
    }
    case SQUARE:
        return x * x;
    case ROOT:
        return scalar_root(x);
    case INVERSE:
        return 1.0 / x;
    case INVERSE_ROOT:
        return 1.0 / scalar_root(x);
    case LARGEST: {
        double largest = x;
        for (int k = 1; k < count; k++) {
            double other = values[arg[k]];
            largest = largest > other || largest != largest ? largest : other;
        }
        return largest;
    }
    case GATE:
        return y > 0.0 ? x : 0.0;
    case CHOOSE:
        return x != 0.0 ? y : 0.0;
    case REFUSE:
        return x != 0.0 ? 0.0 : y;
    case PICK: {
        double total = 0.0;
        for (int k = 0; k < count; k += 2) {
            if (trunc(values[arg[k]]) == number) {
                total += values[arg[k + 1]];
            }
        }
        return total;
    }
    case PARTIAL0:
    case PARTIAL1:
    case PARTIAL2:
        return scalar_partial((int)number, code - PARTIAL0, y, count > 2 ? values[arg[2]] : 0.0,
                              count > 3 ? values[arg[3]] : 0.0);
    default:
        return scalar_row(code, x, y, count > 2 ? values[arg[2]] : 0.0);
    }
}

void
scalar_run(const Ir *ir, const int32_t *ids, int32_t count, double *values)
{
    for (int32_t k = 0; k < count; k++) {
        int32_t i = ids[k];
        if (ir->code[i] != INPUT) {
            values[i] = scalar_apply(ir->code[i], operands(ir, i), operand_count(ir, i), ir->number[i], values);
        }
    }
}
