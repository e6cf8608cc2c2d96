/* The kinds of processors ("levels") that *_kernels.c are compiled for, and which of them is in use.
 *
 * Each level has two sets of kernels. The exact one rounds every operation by itself. The fast one may fuse a
 * multiplication with the addition behind it, and serves programs that are `fast`.
 */
#ifndef GRADWALK_PROCESSOR_H
#define GRADWALK_PROCESSOR_H

#include <stdbool.h>

enum {
    PROCESSOR_BASE,
#ifdef GRADWALK_X86
    PROCESSOR_AVX2,
    PROCESSOR_AVX512,
#endif
    PROCESSOR_LEVELS
};

extern const char *const processor_names[PROCESSOR_LEVELS];

int processor_best(void);  /* the highest level that this processor has */
int processor_level(void); /* the level in use, for single calls and for `map`; the best one unless another was chosen */
/* Use the level of this name from now on, or the best one for NULL. Returns false if there is no such level or the
 * processor lacks it. */
bool processor_choose(const char *name);

/* A table of kernels with one row per level: the exact kernels and the fast ones. Levels without fused multiply-adds
 * use the exact kernels for both. */
#ifdef GRADWALK_X86
#define PROCESSOR_TABLE(name)                                    \
    {                                                            \
        {&name##_base, &name##_base},                            \
        {&name##_avx2, &name##_avx2_fast},                       \
        {&name##_avx512, &name##_avx512_fast},                   \
    }
#define PROCESSOR_DECLARE(type, name) \
    extern const type name##_base, name##_avx2, name##_avx2_fast, name##_avx512, name##_avx512_fast
#else
#define PROCESSOR_TABLE(name) {{&name##_base, &name##_base}}
#define PROCESSOR_DECLARE(type, name) extern const type name##_base
#endif

#endif
