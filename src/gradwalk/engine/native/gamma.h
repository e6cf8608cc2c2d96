/* The gamma function and its derivatives: the same steps as in gradwalk/ops.py, which explains them. */
#ifndef GRADWALK_GAMMA_H
#define GRADWALK_GAMMA_H

#include "numbers.h"

#define PI 3.141592653589793
#define ROOT_TAU 2.5066282746310007
#define ROOT_TAU_REST -1.8328579980459167e-16
#define HALF_LOG_TAU 0.9189385332046728
#define DIGAMMA_ZERO 0.46163214496836236
#define DIGAMMA_ZERO_REST -1.5522348162858677e-17
#define COUNT_OF(table) ((int)(sizeof(table) / sizeof(table)[0]))

static const double BERNOULLI[] = {
    1.0 / 6.0, -1.0 / 30.0, 1.0 / 42.0, -1.0 / 30.0, 5.0 / 66.0, -691.0 / 2730.0, 7.0 / 6.0, -3617.0 / 510.0,
};

static const double LGAMMA[] = {
    2.760390862919285e-07, 1.120129975111828e-07, 4.854598902919292e-08, -7.05481421384969e-07,
    9.75857680957378e-07, -1.9163118630153526e-06, 4.38945038046016e-06, -9.471111834877157e-06,
    2.0500748418879063e-05, -4.492145730911986e-05, 9.94586563110572e-05, -0.00022315519070297175,
    0.0005096694212741989, -0.0011927538890680867, 0.002890510335476359, -0.007385551029293381,
    0.02058080842769018, -0.06735230105319123, 0.32246703342411376, 0.42278433509846713,
};

static const double DIGAMMA[] = {
    -0.00017312261802727394, 0.00025968482126430747, -0.00015148586836773365, 0.0002272331660987376,
    -0.0004821990530566789, 0.0007233266279287554, -0.0010376374098418604, 0.0015566317474486838,
    -0.002345267632540769, 0.003519006401502276, -0.005279964873257405, 0.007926944646403797,
    -0.011908218001568644, 0.0179072524394512, -0.02697579675613825, 0.04076083381242074,
    -0.061922133273064534, 0.09498872445494122, -0.14840492305390884, 0.2405424842407742, -0.4236274212814605,
    0.951055876031833,
};

static inline double
stirling(double x)
{
    double power = 1.0 / x, square = power * power, total = 0.0, k = 2.0;
    for (int i = 0; i < COUNT_OF(BERNOULLI); i++) {
        total += BERNOULLI[i] / (k * (k - 1.0)) * power;
        power *= square;
        k += 2.0;
    }
    return total;
}

static inline double
sine_of_half_turns(double x)
{
    double rest = fmod(x, 2.0), sign = 1.0;
    if (rest >= 1.0) {
        rest -= 1.0;
        sign = -1.0;
    }
    if (rest > 0.5) {
        rest = 1.0 - rest;
    }
    return sign * sin(PI * rest);
}

static inline double
gamma_of_positive(double x)
{
    double y = x, factor = 1.0;
    if (x > 172.0) {
        return INFINITY;
    }
    if (x <= 23.0 && x == floor(x)) {
        while (y > 2.0) {
            y -= 1.0;
            factor *= y;
        }
        return factor;
    }
    double steps = 0.0, lost = 0.0, rest = 0.0;
    while (y < 12.0) {
        double product = factor * y;
        rest -= (product_rest(factor, y, product) + factor * lost) / product;
        factor = product;
        steps += 1.0;
        y = x + steps;
        lost = x - (y - steps);
    }
    if (y > 140.0) {
        factor = 0x1p-64;
        while (y > 140.0) {
            y -= 1.0;
            double product = factor * y;
            rest += product_rest(factor, y, product) / product;
            factor = product;
        }
    }
    double high = pow(y, y - 0.5), low = exp(-y), small = high * low;
    rest += product_rest(high, low, small) / small;
    double scaled = small * ROOT_TAU;
    rest += product_rest(small, ROOT_TAU, scaled) / scaled + ROOT_TAU_REST / ROOT_TAU;
    double more = expm1(stirling(y));
    if (x < 12.0) {
        double out = scaled / factor;
        rest += lost * (log(y) - 0.5 / y) - product_rest(out, factor, scaled) / scaled;
        return out + out * (more + rest + more * rest);
    }
    if (x <= 140.0) {
        return scaled + scaled * (more + rest);
    }
    double out = scaled * factor;
    rest += product_rest(scaled, factor, out) / out;
    return (out + out * (more + rest)) * 0x1p64;
}

static inline double
gamma_of_negative(double x)
{
    if (isinf(x) || x == floor(x)) {
        return NAN;
    }
    double sine = sine_of_half_turns(x);
    if (x > 200.0) {
        return -0.0 * sine;
    }
    if (x <= 170.0) {
        return divide(-PI, x * sine) / gamma_of_positive(x);
    }
    double y = x, out = divide(-PI, x * sine) / gamma_of_positive(x - 40.0);
    while (y > x - 40.0) {
        y -= 1.0;
        out /= y;
    }
    return out;
}

static inline double
gamma_of(double x)
{
    if (x != x || x == INFINITY) {
        return x;
    }
    if (-1e-17 < x && x < 1e-17) {
        return divide(1.0, x);
    }
    return x < 0.0 ? gamma_of_negative(-x) : gamma_of_positive(x);
}

static inline double
lgamma_from_2(double t)
{
    double total = 0.0;
    for (int i = 0; i < COUNT_OF(LGAMMA); i++) {
        total = total * t + LGAMMA[i];
    }
    return total * t;
}

static inline double
lgamma_of_positive(double x)
{
    if (x < 0.5) {
        return lgamma_from_2(x) - log1p(x) - log(x);
    }
    if (x < 1.25) {
        return lgamma_from_2(x - 1.0) - log1p(x - 1.0);
    }
    if (x < 8.0) {
        double y = x, factor = 1.0, rest = 0.0;
        while (y >= 2.5) {
            y -= 1.0;
            double product = factor * y;
            rest = rest * y + product_rest(factor, y, product);
            factor = product;
        }
        return lgamma_from_2(y - 2.0) + (log(factor) + rest / factor);
    }
    double less = log(x) - 1.0;
    if (x > 1e17) {
        return x * less;
    }
    double main = (x - 0.5) * less;
    double rest = product_rest(x - 0.5, less, main) + (HALF_LOG_TAU - 0.5 + stirling(x));
    return main + rest;
}

static inline double
lgamma_of(double x)
{
    if (x != x) {
        return x;
    }
    if ((x <= 0.0 && x == floor(x)) || x == INFINITY) {
        return INFINITY;
    }
    if (x > 0.0) {
        return lgamma_of_positive(x);
    }
    if (x > -1e-17) {
        return -log(-x);
    }
    return log(PI / fabs(x * sine_of_half_turns(-x))) - lgamma_of_positive(-x);
}

static inline double
digamma_from_1(double t)
{
    double total = 0.0;
    for (int i = 0; i < COUNT_OF(DIGAMMA); i++) {
        total = total * (t - 0.5) + DIGAMMA[i];
    }
    return ((t - DIGAMMA_ZERO) - DIGAMMA_ZERO_REST) * total;
}

static inline double
digamma_of_positive(double x)
{
    if (x < 1.0) {
        return digamma_from_1(x) - 1.0 / x;
    }
    double total = 0.0;
    if (x < 12.0) {
        double y = x;
        while (y >= 2.0) {
            y -= 1.0;
            total += 1.0 / y;
        }
        return total + digamma_from_1(y - 1.0);
    }
    double square = 1.0 / (x * x), power = square, k = 2.0;
    for (int i = 0; i < COUNT_OF(BERNOULLI); i++) {
        total += BERNOULLI[i] / k * power;
        power *= square;
        k += 2.0;
    }
    return log(x) - (0.5 / x + total);
}

static inline double
digamma_of(double x)
{
    if (x != x || x == INFINITY) {
        return x;
    }
    if (x == 0.0) {
        return divide(-1.0, x);
    }
    if (x > 0.0) {
        return digamma_of_positive(x);
    }
    if (x == floor(x)) {
        return NAN;
    }
    double rest = fmod(-x, 1.0), turned = PI / tan(PI * (rest > 0.5 ? rest - 1.0 : rest));
    return (x > -1.0 ? digamma_from_1(-x) : digamma_of_positive(-x) - 1.0 / x) + turned;
}

static inline double
polygamma_of(double order, double x)
{
    if (order == 0.0) {
        return digamma_of(x);
    }
    if (x != x || !(1.0 <= order && order <= 100.0) || order != floor(order) || x < -1000.0) {
        return NAN;
    }
    double sign = fmod(order, 2.0) == 1.0 ? 1.0 : -1.0;
    if (x <= 0.0 && x == floor(x)) {
        return sign > 0.0 ? INFINITY : (double)NAN;
    }
    double factorial = 1.0, steps = 0.0;
    for (double k = 2.0; k <= order; k += 1.0) {
        factorial *= k;
    }
    while (x + steps < 12.0 + 2.0 * order) {
        steps += 1.0;
    }
    double y = x + steps, square = 1.0 / y / y, rising = 0.5 * (order + 1.0) * square, tail = 0.0, k = 2.0;
    for (int i = 0; i < COUNT_OF(BERNOULLI); i++) {
        tail += BERNOULLI[i] * rising;
        rising *= (order + k) * (order + k + 1.0) / ((k + 1.0) * (k + 2.0)) * square;
        k += 2.0;
    }
    tail = 1.0 / order + (0.5 / y + tail);
    if (steps == 0.0) {
        double half = power(y, -0.5 * order);
        return sign * (factorial * half * tail) * half;
    }
    double total = power(y, -order) * tail;
    while (steps > 0.0) {
        steps -= 1.0;
        total += power(x + steps, -order - 1.0);
    }
    return sign * factorial * total;
}

#endif
