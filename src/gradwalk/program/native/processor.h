/* The kinds of processors ("levels") that *_kernels.c are compiled for, and which of them is in use. */
#ifndef GRADWALK_PROCESSOR_H
#define GRADWALK_PROCESSOR_H

#include <stdbool.h>
#include <stddef.h>

enum { PROCESSOR_BASE, PROCESSOR_AVX2, PROCESSOR_AVX512, PROCESSOR_LEVELS };

/* The levels that this build has: a bit for each. */
#ifndef GRADWALK_LEVELS
#define GRADWALK_LEVELS 1
#endif

extern const char *const processor_names[PROCESSOR_LEVELS];

bool processor_has(int level); /* it was compiled, and this processor can run it */
int processor_best(void);      /* the highest level that it has, or -1 */
int processor_level(void); /* the level in use, for single calls and for `map`; the best one unless another was chosen */
/* Use the level of this name from now on, or the best one for NULL. Returns false if there is no such level or the
 * processor lacks it. */
bool processor_choose(const char *name);

/* A table of kernels with one row per level, NULL where the level was not compiled. */
#if GRADWALK_LEVELS & 1
#define PROCESSOR_BASE_ROW(name) &name##_base
#else
#define PROCESSOR_BASE_ROW(name) NULL
#endif
#if GRADWALK_LEVELS & 2
#define PROCESSOR_AVX2_ROW(name) &name##_avx2
#else
#define PROCESSOR_AVX2_ROW(name) NULL
#endif
#if GRADWALK_LEVELS & 4
#define PROCESSOR_AVX512_ROW(name) &name##_avx512
#else
#define PROCESSOR_AVX512_ROW(name) NULL
#endif
#define PROCESSOR_TABLE(name) {PROCESSOR_BASE_ROW(name), PROCESSOR_AVX2_ROW(name), PROCESSOR_AVX512_ROW(name)}
#define PROCESSOR_DECLARE(type, name) extern const type name##_base, name##_avx2, name##_avx512

#endif
