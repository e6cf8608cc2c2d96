/* The rows of operations.h over one type of vector: row_NAME and by_x_NAME, by_y_NAME, by_z_NAME, inline.
 *
 * The file that includes this one defines
 *     T            the type of the vector
 *     OVER(name)   the full name of a function for this type
 *     WORD(name)   the type's own set, lt, le, eq, ne, or, and, select, sqrt, abs, floor
 * It gets the rows of the form CHEAP; or, where it defines CALLS, those of the form VECTOR, which may also call the
 * functions of vmath.h. T, OVER, WORD, CALLS and all words are undefined again at the end.
 */

#ifndef IF_CHEAP_CORE /* IF_KIND_##form(…) is … for the rows of that kind, and nothing for the others */
/* Rows of a few processor instructions. */
#define IF_CHEAP_CORE(...)
#define IF_CHEAP_SCALAR(...)
#define IF_CHEAP_SCALAR_SLOPE(...)
#define IF_CHEAP_VECTOR(...)
#define IF_CHEAP_CHEAP(...) __VA_ARGS__
#define IF_CHEAP_TUNED(...)
#define IF_CHEAP_TUNED_SLOPE(...)
#define IF_CHEAP_TUNED_BOTH(...)

/* Rows whose expressions call the functions of vmath.h. */
#define IF_VECTOR_CORE(...)
#define IF_VECTOR_SCALAR(...)
#define IF_VECTOR_SCALAR_SLOPE(...)
#define IF_VECTOR_VECTOR(...) __VA_ARGS__
#define IF_VECTOR_CHEAP(...)
#define IF_VECTOR_TUNED(...)
#define IF_VECTOR_TUNED_SLOPE(...)
#define IF_VECTOR_TUNED_BOTH(...)
#endif

static inline T
OVER(same)(T x)
{
    return x;
}

static inline T
OVER(spread)(double x)
{
    return WORD(set)(x);
}

/* A number in an expression stands for a vector of it. */
#define V_OF(a) _Generic((a), T: OVER(same), default: OVER(spread))(a)

#define less(a, b) WORD(lt)(V_OF(a), V_OF(b))
#define at_most(a, b) WORD(le)(V_OF(a), V_OF(b))
#define equal(a, b) WORD(eq)(V_OF(a), V_OF(b))
#define unequal(a, b) WORD(ne)(V_OF(a), V_OF(b))
#define either(p, q) WORD(or)(p, q)
#define both(p, q) WORD(and)(p, q)
#define choose(condition, a, b) WORD(select)(condition, V_OF(a), V_OF(b))
#define sign(x) choose(less(0.0, x), 1.0, choose(less(x, 0.0), -1.0, x))
#define divide(a, b) (V_OF(a) / V_OF(b))
#define tame(x, result) (result)
#define fabs(x) WORD(abs)(V_OF(x))
#define sqrt(x) WORD(sqrt)(V_OF(x))
#define floor(x) WORD(floor)(V_OF(x))
#ifdef CALLS
#define power(x, y) d_pow(V_OF(x), V_OF(y))
#define sigmoid(x) d_sigmoid(V_OF(x))
#define exp(x) d_exp(V_OF(x))
#define expm1(x) d_expm1(V_OF(x))
#define exp2(x) d_exp2(V_OF(x))
#define log(x) d_log(V_OF(x))
#define log1p(x) d_log1p(V_OF(x))
#define log2(x) d_log2(V_OF(x))
#define log10(x) d_log10(V_OF(x))
#define cbrt(x) d_cbrt(V_OF(x))
#define sin(x) d_sin(V_OF(x))
#define cos(x) d_cos(V_OF(x))
#define tan(x) d_tan(V_OF(x))
#define atan(x) d_atan(V_OF(x))
#define sinh(x) d_sinh(V_OF(x))
#define cosh(x) d_cosh(V_OF(x))
#define tanh(x) d_tanh(V_OF(x))
#define asinh(x) d_asinh(V_OF(x))
#define acosh(x) d_acosh(V_OF(x))
#define atanh(x) d_atanh(V_OF(x))
#define erf(x) d_erf(V_OF(x))
#define erfc(x) d_erfc(V_OF(x))
#define asin(x) d_each((asin), V_OF(x)) /* the C library's, one lane at a time */
#define acos(x) d_each((acos), V_OF(x))
#define atan2(y, x) d_each_of_two((atan2), V_OF(y), V_OF(x))
#define hypot(x, y) d_each_of_two((hypot), V_OF(x), V_OF(y))
#endif

#define DEFINE(name, parameters, expression)                \
    static inline T OVER(name) parameters                   \
    {                                                       \
        return V_OF(expression);                            \
    }
#define ROW_1(name, value, by_x)                            \
    DEFINE(row_##name, (T x), value)                        \
    static inline T OVER(by_x_##name)(T x)                  \
    {                                                       \
        const T out = OVER(row_##name)(x);                  \
        (void)out;                                          \
        return V_OF(by_x);                                  \
    }
#define SLOPE_2(name, which, slope)                         \
    static inline T OVER(by_##which##_##name)(T x, T y)     \
    {                                                       \
        const T out = OVER(row_##name)(x, y);               \
        (void)out;                                          \
        return V_OF(slope);                                 \
    }
#define ROW_2(name, value, by_x, by_y)                      \
    DEFINE(row_##name, (T x, T y), value)                   \
    SLOPE_2(name, x, by_x)                                  \
    SLOPE_2(name, y, by_y)
#define SLOPE_3(name, which, slope)                         \
    static inline T OVER(by_##which##_##name)(T x, T y, T z) \
    {                                                       \
        const T out = OVER(row_##name)(x, y, z);            \
        (void)out;                                          \
        return V_OF(slope);                                 \
    }
#define ROW_3(name, value, by_x, by_y, by_z)                \
    DEFINE(row_##name, (T x, T y, T z), value)              \
    SLOPE_3(name, x, by_x)                                  \
    SLOPE_3(name, y, by_y)                                  \
    SLOPE_3(name, z, by_z)

#ifdef CALLS
#define TAKE(form) IF_VECTOR_##form
#else
#define TAKE(form) IF_CHEAP_##form
#endif
#define UNARY(name, symbol, value, by_x, form, adjoint) TAKE(form)(ROW_1(name, value, by_x))
#define BINARY(name, symbol, value, by_x, by_y, form, adjoint) TAKE(form)(ROW_2(name, value, by_x, by_y))
#define TERNARY(name, symbol, value, by_x, by_y, by_z, form, adjoint) TAKE(form)(ROW_3(name, value, by_x, by_y, by_z))
#include OPERATIONS

#undef V_OF
#undef less
#undef at_most
#undef equal
#undef unequal
#undef either
#undef both
#undef choose
#undef sign
#undef divide
#undef tame
#undef fabs
#undef sqrt
#undef floor
#undef power
#undef sigmoid
#undef exp
#undef expm1
#undef exp2
#undef log
#undef log1p
#undef log2
#undef log10
#undef cbrt
#undef sin
#undef cos
#undef tan
#undef atan
#undef sinh
#undef cosh
#undef tanh
#undef asinh
#undef acosh
#undef atanh
#undef erf
#undef erfc
#undef asin
#undef acos
#undef atan2
#undef hypot
#undef DEFINE
#undef ROW_1
#undef SLOPE_2
#undef ROW_2
#undef SLOPE_3
#undef ROW_3
#undef TAKE
#undef CALLS
#undef T
#undef OVER
#undef WORD
