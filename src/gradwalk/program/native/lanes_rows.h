/* The steps of the rows that are pasted into the kernels: those of the form CHEAP in operations.h. Included many times,
 * with STEP(name, expression) as for LANES_SIMPLE in lanes.h, which explains A, X, Y, S and T.
 *
 * A row of one operand has the step NAME_, a row of two NAME_v and NAME_s (A is the first operand), R_NAME_v and
 * R_NAME_s (A is the second), a row of three NAME_vv, NAME_vs, NAME_sv and NAME_ss. The derivatives have the same
 * steps, named by_x_NAME_ and so on; rows whose adjoint needs no derivative have none.
 */

#define STEPS_1(name, function) STEP(name##_, ROW_OVER(function)(A))
#define STEPS_2(name, function)                  \
    STEP(name##_v, ROW_OVER(function)(A, X))     \
    STEP(name##_s, ROW_OVER(function)(A, S))     \
    STEP(R_##name##_v, ROW_OVER(function)(X, A)) \
    STEP(R_##name##_s, ROW_OVER(function)(S, A))
#define STEPS_3(name, function)                    \
    STEP(name##_vv, ROW_OVER(function)(A, X, Y))   \
    STEP(name##_vs, ROW_OVER(function)(A, X, T))   \
    STEP(name##_sv, ROW_OVER(function)(A, S, Y))   \
    STEP(name##_ss, ROW_OVER(function)(A, S, T))

#define UNARY(name, symbol, value, by_x, form, adjoint) \
    IF_CHEAP_##form(STEPS_1(name, row_##name) IF_SLOPES_##adjoint(STEPS_1(by_x_##name, by_x_##name)))
#define BINARY(name, symbol, value, by_x, by_y, form, adjoint)                                               \
    IF_CHEAP_##form(STEPS_2(name, row_##name) IF_SLOPES_##adjoint(STEPS_2(by_x_##name, by_x_##name)          \
                                                                      STEPS_2(by_y_##name, by_y_##name)))
#define TERNARY(name, symbol, value, by_x, by_y, by_z, form, adjoint)                                        \
    IF_CHEAP_##form(STEPS_3(name, row_##name) IF_SLOPES_##adjoint(                                           \
        STEPS_3(by_x_##name, by_x_##name) STEPS_3(by_y_##name, by_y_##name) STEPS_3(by_z_##name, by_z_##name)))
#include OPERATIONS

#undef STEPS_1
#undef STEPS_2
#undef STEPS_3
