/* Choosing rows by their form: IF_KIND_##form(…) is … for the forms of that kind, and nothing for the others. The forms
 * are explained in operations.h. */
#ifndef GRADWALK_FORMS_H
#define GRADWALK_FORMS_H

/* Rows that are pasted into the kernels. */
#define IF_CHEAP_CORE(...)
#define IF_CHEAP_SCALAR(...)
#define IF_CHEAP_SCALAR_SLOPE(...)
#define IF_CHEAP_VECTOR(...)
#define IF_CHEAP_CHEAP(...) __VA_ARGS__
#define IF_CHEAP_TUNED(...)
#define IF_CHEAP_TUNED_SLOPE(...)
#define IF_CHEAP_TUNED_BOTH(...)

/* Rows whose expressions are compiled over vectors, to be called. */
#define IF_VECTOR_CORE(...)
#define IF_VECTOR_SCALAR(...)
#define IF_VECTOR_SCALAR_SLOPE(...)
#define IF_VECTOR_VECTOR(...) __VA_ARGS__
#define IF_VECTOR_CHEAP(...)
#define IF_VECTOR_TUNED(...)
#define IF_VECTOR_TUNED_SLOPE(...)
#define IF_VECTOR_TUNED_BOTH(...)

/* Rows that have functions: see functions.h. */
#define IF_FUNCTION_CORE(...)
#define IF_FUNCTION_SCALAR(...)
#define IF_FUNCTION_SCALAR_SLOPE(...)
#define IF_FUNCTION_VECTOR(...) __VA_ARGS__
#define IF_FUNCTION_CHEAP(...)
#define IF_FUNCTION_TUNED(...) __VA_ARGS__
#define IF_FUNCTION_TUNED_SLOPE(...) __VA_ARGS__
#define IF_FUNCTION_TUNED_BOTH(...) __VA_ARGS__

/* IF_SLOPES_##adjoint(…) is … for rows whose adjoint needs the row's derivatives. */
#define IF_SLOPES_PARTIALS(...) __VA_ARGS__
#define IF_SLOPES_CHOSEN(...) __VA_ARGS__
#define IF_SLOPES_NOTHING(...)
#define IF_SLOPES_GATES(...)
#define IF_SLOPES_OWN(...)
#define IF_SLOPES_PULLS(partial) IF_SLOPES_NOTHING
#define IF_SLOPES_DRAWS(divisor) IF_SLOPES_NOTHING

#endif
