/* Choosing rows by their form: IF_KIND_##form(…) is … for the forms of that kind, and nothing for the others. The forms
 * are explained in operations.h. */
#ifndef GRADWALK_FORMS_H
#define GRADWALK_FORMS_H

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
