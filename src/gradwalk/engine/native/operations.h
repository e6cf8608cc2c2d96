/* The operations in C: one row per operation, the twin of a row of gradwalk/ops.py.
 *
 * To add an operation, write one row here, at the same place in the order as in ops.py. Everything
 * else in C is made from the rows: codes, names, the eager engine, the recorder's methods, the
 * adjoint, the kernels for single calls and for `map`. Importing the modules compares the rows with ops.py.
 *
 *     UNARY(name, symbol, value, by_x, form, adjoint)
 *     BINARY(name, symbol, value, by_x, by_y, form, adjoint)
 *     TERNARY(name, symbol, value, by_x, by_y, by_z, form, adjoint)
 *     DERIVED(name, symbol, arity, adjoint)      recorded as other operations; only its name is needed
 *
 * `value` is an expression over the operands x, y, z. The derivatives may also use `out`, the value. They make
 * the same calls in the same order as the Python row, so that both engines agree to the last bit.
 *
 * `form` says how a compiled program computes the row over many numbers:
 *
 *     SCALAR       one number at a time. Any C expression will do.
 *     VECTOR       a vector at a time, from the same expressions. They may use + - * / and the words below.
 *     CHEAP        like VECTOR, and pasted into the kernels themselves: only for a few processor instructions.
 *     TUNED        a vector at a time, by hand-written functions of vmath.h: d_NAME and d_by_NAME, or of two
 *                  operands d_by_x_NAME and d_by_y_NAME. Single numbers use the expressions.
 *     TUNED_SLOPE  like TUNED, but single numbers take their derivative from vmath.h, too: it has more digits.
 *     TUNED_BOTH   like TUNED, but single numbers take value and derivative from vmath.h.
 *     SCALAR_SLOPE like SCALAR, but compiled programs take the derivatives from scalar.c: they have more digits.
 *     CORE         the arithmetic that passes and kernels know by name.
 *
 * Words that have a meaning for numbers and for vectors: less, at_most, equal, unequal (comparisons); either, both
 * (of comparisons); choose(condition, a, b); sign, divide(a, b), tame(x, result), power(x, y), sigmoid, fabs, sqrt,
 * floor, exp, expm1, exp2, log, log1p, log2, log10, cbrt, sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh,
 * asinh, acosh, atanh, erf, erfc, hypot. `tame` and `divide` are explained in numbers.h.
 *
 * `adjoint` says how the gradient of a compiled program passes through the row, g being the incoming gradient:
 *
 *     PARTIALS     each operand gets g times its derivative: right for every row that does not select
 *     CHOSEN       the same, but a derivative of 0 stops even an infinite g: for rows that `selects` in ops.py
 *     NOTHING      no operand gets anything
 *     PULLS(p)     x gets g · p. DRAWS(p): x gets g / p. These are for instructions that the program may share:
 *                  OUT, X, CALLED(row) = row(x), NEGATED(p), TWICE(p)
 *     GATES        x gets g where x > 0
 *     OWN          passes.c has a function spread_NAME
 *
 * This file is included many times. The including file defines the row macros that it needs; those that it does not
 * define expand to nothing, and all are undefined at the end. EVERY(name, symbol, arity) stands for all four.
 */

#ifdef EVERY
#define UNARY(name, symbol, value, by_x, form, adjoint) EVERY(name, symbol, 1)
#define BINARY(name, symbol, value, by_x, by_y, form, adjoint) EVERY(name, symbol, 2)
#define TERNARY(name, symbol, value, by_x, by_y, by_z, form, adjoint) EVERY(name, symbol, 3)
#define DERIVED(name, symbol, arity, adjoint) EVERY(name, symbol, arity)
#endif
#ifndef UNARY
#define UNARY(name, symbol, value, by_x, form, adjoint)
#endif
#ifndef BINARY
#define BINARY(name, symbol, value, by_x, by_y, form, adjoint)
#endif
#ifndef TERNARY
#define TERNARY(name, symbol, value, by_x, by_y, by_z, form, adjoint)
#endif
#ifndef DERIVED
#define DERIVED(name, symbol, arity, adjoint)
#endif

BINARY(add, "+", x + y, 1.0, 1.0, CORE, OWN)
BINARY(mul, "*", x * y, y, x, CORE, OWN)
BINARY(pow, "**", power(x, y), pow_by_base(x, y), pow_by_exponent(x, y, out), TUNED_SLOPE, OWN)
DERIVED(neg, "neg", 1, OWN)
DERIVED(sub, "-", 2, OWN)
DERIVED(div, "/", 2, OWN)
UNARY(abs, "abs", fabs(x), sign(x), CHEAP, PARTIALS)
UNARY(sqrt, "sqrt", tame(x, sqrt(x)), divide(0.5, out), CHEAP, DRAWS(TWICE(OUT)))
UNARY(exp, "exp", exp(x), out, TUNED, PULLS(OUT))
UNARY(expm1, "expm1", expm1(x), exp(x), TUNED, PARTIALS)
UNARY(log, "log", logarithm(x), divide(1.0, x), TUNED, DRAWS(X))
UNARY(log1p, "log1p", x > -1.0 ? log1p(x) : x == -1.0 ? -INFINITY : (double)NAN, divide(1.0, 1.0 + x), TUNED, PARTIALS)
UNARY(sin, "sin", tame(x, sin(x)), tame(x, cos(x)), TUNED, PULLS(CALLED(cos)))
UNARY(cos, "cos", tame(x, cos(x)), -tame(x, sin(x)), TUNED, PULLS(NEGATED(CALLED(sin))))
UNARY(tan, "tan", tame(x, tan(x)), 1.0 + out * out, TUNED_SLOPE, PARTIALS)
UNARY(asin, "asin", tame(x, asin(x)), divide(1.0, root_of((1.0 - x) * (1.0 + x))), SCALAR, PARTIALS)
UNARY(acos, "acos", tame(x, acos(x)), divide(-1.0, root_of((1.0 - x) * (1.0 + x))), SCALAR, PARTIALS)
UNARY(atan, "atan", atan(x), slope_of_atan(x), TUNED_SLOPE, PARTIALS)
BINARY(atan2, "atan2", angle(x, y), angle_by_first(x, y), angle_by_second(x, y), SCALAR_SLOPE, PARTIALS)
UNARY(sinh, "sinh", sinh(x), cosh(x), TUNED, PARTIALS)
UNARY(cosh, "cosh", cosh(x), sinh(x), TUNED, PARTIALS)
UNARY(tanh, "tanh", tanh(x), slope_of_tanh(x, out), TUNED_SLOPE, PARTIALS)
UNARY(sigmoid, "sigmoid", sigmoid(x), out * sigmoid(-x), TUNED_SLOPE, PARTIALS)
UNARY(softplus, "softplus", (x > 0.0 ? x : x <= 0.0 ? 0.0 : x) + log1p(exp(-fabs(x))), sigmoid(x), TUNED, PARTIALS)
UNARY(relu, "relu", choose(at_most(x, 0.0), 0.0, x), choose(less(0.0, x), 1.0, 0.0), CHEAP, GATES)
BINARY(leaky_relu, "leaky_relu", choose(less(0.0, x), x, y * x), choose(less(0.0, x), 1.0, y),
       choose(less(0.0, x), 0.0, x), CHEAP, CHOSEN)
UNARY(silu, "silu", silu(x), slope_of_silu(x, out), TUNED_BOTH, PARTIALS)
UNARY(gelu, "gelu", gelu(x), slope_of_gelu(x), TUNED_BOTH, PARTIALS)
UNARY(erf, "erf", erf(x), slope_of_erf(x), TUNED_SLOPE, PARTIALS)
UNARY(erfc, "erfc", erfc(x), -slope_of_erf(x), TUNED_BOTH, PARTIALS)
BINARY(maximum, "maximum", choose(either(less(y, x), unequal(x, x)), x, y),
       choose(less(y, x), 1.0, choose(equal(x, y), 0.5, 0.0)), choose(less(x, y), 1.0, choose(equal(x, y), 0.5, 0.0)),
       CHEAP, CHOSEN)
BINARY(minimum, "minimum", choose(either(less(x, y), unequal(x, x)), x, y),
       choose(less(x, y), 1.0, choose(equal(x, y), 0.5, 0.0)), choose(less(y, x), 1.0, choose(equal(x, y), 0.5, 0.0)),
       CHEAP, CHOSEN)
TERNARY(where, "where", choose(unequal(x, 0.0), y, z), 0.0, choose(unequal(x, 0.0), 1.0, 0.0),
        choose(unequal(x, 0.0), 0.0, 1.0), CHEAP, OWN)
TERNARY(clip, "clip", choose(less(z, x), z, choose(less(x, y), y, x)),
        choose(either(less(z, x), less(x, y)), 0.0, 1.0), choose(less(z, x), 0.0, choose(less(x, y), 1.0, 0.0)),
        choose(less(z, x), 1.0, 0.0), CHEAP, OWN)
BINARY(hypot, "hypot", length(x, y), share_of_length(x, y, out), share_of_length(y, x, out), SCALAR_SLOPE, PARTIALS)
UNARY(floor, "floor", floor(x), 0.0, CHEAP, NOTHING)
UNARY(sign, "sign", sign(x), 0.0, CHEAP, NOTHING)
UNARY(log2, "log2", x > 0.0 ? log2(x) : logarithm(x), divide(LOG2_OF_E, x), TUNED_SLOPE, PARTIALS)
UNARY(log10, "log10", x > 0.0 ? log10(x) : logarithm(x), divide(LOG10_OF_E, x), TUNED_SLOPE, PARTIALS)
UNARY(exp2, "exp2", exp2(x), out * LN_2, TUNED_SLOPE, PARTIALS)
UNARY(cbrt, "cbrt", cbrt(x), divide(1.0, 3.0 * (out * out)), TUNED_BOTH, PARTIALS)
UNARY(asinh, "asinh", asinh(x), divide(1.0, length(1.0, x)), TUNED_SLOPE, PARTIALS)
UNARY(acosh, "acosh", tame(x, acosh(x)), divide(1.0, root_of(x - 1.0) * root_of(x + 1.0)), TUNED_BOTH, PARTIALS)
UNARY(atanh, "atanh", inverse_tanh(x), divide(1.0, (1.0 - x) * (1.0 + x)), TUNED_SLOPE, PARTIALS)
BINARY(floordiv, "//", floor_divide(x, y), 0.0, 0.0, SCALAR, NOTHING)
BINARY(mod, "%", modulo(x, y), 1.0, floor_divide(x, y) * -1.0, SCALAR, OWN)
UNARY(gamma, "gamma", gamma_of(x), out * digamma_of(x), SCALAR, PARTIALS)
UNARY(lgamma, "lgamma", lgamma_of(x), digamma_of(x), SCALAR, PARTIALS)
UNARY(digamma, "digamma", digamma_of(x), polygamma_of(1.0, x), SCALAR, PARTIALS)
BINARY(polygamma, "polygamma", polygamma_of(x, y), 0.0, polygamma_of(x + 1.0, y), SCALAR, PARTIALS)

#undef EVERY
#undef UNARY
#undef BINARY
#undef TERNARY
#undef DERIVED
