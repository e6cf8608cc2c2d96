/* What a step of each optimiser does to one parameter, or to arrays of them. The formulas are those of
 * gradwalk/optim.py, operation by operation, so every loop in C and in Python gives the same bits. Both
 * extensions include this file: the engine moves Values (steps.c), the replay arrays (optimisers.c).
 *
 * Moments below 2^-960 become 0. Otherwise, after some thousand steps without a gradient, they would be
 * subnormal and make every step twice as slow; and what is left can be `divided` exactly.
 * Compile it without contraction of multiply-adds.
 */
#ifndef GRADWALK_OPTIMISER_LOOPS_H
#define GRADWALK_OPTIMISER_LOOPS_H

#include <math.h>
#include <stddef.h>

#define SMALLEST_MOMENT 0x1p-960

static inline double
flush(double number)
{
    return fabs(number) < SMALLEST_MOMENT ? 0.0 : number;
}

static inline double
sgd_moved(double data, double grad, double rate, double decay)
{
    return data - rate * (grad + decay * data);
}

static inline double
momentum_moved(double data, double grad, double *velocity, double rate, double momentum, double decay,
               int nesterov)
{
    grad += decay * data;
    *velocity = flush(momentum * *velocity + grad);
    return data - rate * (nesterov ? grad + momentum * *velocity : *velocity);
}

/* The numbers of one step of Adam. `kept` is what AdamW's decay leaves of a parameter, 1 for Adam. */
typedef struct {
    double rate, beta1, beta2, epsilon, bias_correction1, bias_correction2, kept;
} AdamStep;

/* x / divisor, rounded once. With the inverse of the divisor at hand, a product, its exact remainder and one
 * correction give the same bits as a division (Markstein), and several times faster. The remainder is exact
 * for every moment that is not flushed; of an infinite quotient there is none. */
static inline double
divided(double x, double divisor, double inverse)
{
#if defined(__FMA__) || defined(__FP_FAST_FMA) || defined(__aarch64__)
    double quotient = x * inverse;
    double corrected = fma(fma(-quotient, divisor, x), inverse, quotient);
    return fabs(quotient) < INFINITY ? corrected : quotient;
#else
    (void)inverse;
    return x / divisor;
#endif
}

static inline void
adam_moved(const AdamStep *step, size_t count, double *restrict data, const double *restrict grads,
           double *restrict means, double *restrict squares)
{
    double beta1 = step->beta1, beta2 = step->beta2, rest1 = 1.0 - beta1, rest2 = 1.0 - beta2;
    double rate = step->rate, epsilon = step->epsilon, kept = step->kept;
    double correction1 = step->bias_correction1, correction2 = step->bias_correction2;
    double inverse1 = 1.0 / correction1, inverse2 = 1.0 / correction2;
    for (size_t i = 0; i < count; i++) {
        double grad = grads[i];
        double mean = flush(beta1 * means[i] + rest1 * grad);
        double square = flush(beta2 * squares[i] + rest2 * (grad * grad));
        means[i] = mean;
        squares[i] = square;
        mean = divided(mean, correction1, inverse1);
        square = divided(square, correction2, inverse2);
        data[i] = data[i] * kept - rate * mean / (sqrt(square) + epsilon);
    }
}

#endif
