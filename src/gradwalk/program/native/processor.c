#include "processor.h"

#include <string.h>
#if GRADWALK_LEVELS > 1
#include <cpuid.h>
#endif

const char *const processor_names[PROCESSOR_LEVELS] = {"base", "avx2", "avx512"};

static int chosen = -1;

/* Both the processor and the operating system must know the wide registers. __builtin_cpu_supports would tell, but
 * clang needs a library for it that clang-cl does not link. */
static int
of_this_processor(void)
{
#if GRADWALK_LEVELS > 1
    const unsigned wide = bit_AVX512F | bit_AVX512DQ | bit_AVX512VL | bit_AVX512BW;
    unsigned a, b, c, d, fma, saved, rest;
    if (!__get_cpuid(1, &a, &b, &fma, &d) || !(fma & bit_OSXSAVE) || !(fma & bit_FMA) ||
        !__get_cpuid_count(7, 0, &a, &b, &c, &d) || !(b & bit_AVX2)) {
        return PROCESSOR_BASE;
    }
    __asm__("xgetbv" : "=a"(saved), "=d"(rest) : "c"(0)); /* the registers that the system saves */
    if ((saved & 0x06) == 0x06) {
        return (b & wide) == wide && (saved & 0xe6) == 0xe6 ? PROCESSOR_AVX512 : PROCESSOR_AVX2;
    }
#endif
    return PROCESSOR_BASE;
}

bool
processor_has(int level)
{
    return level <= of_this_processor() && (GRADWALK_LEVELS >> level & 1);
}

int
processor_best(void)
{
    int level = PROCESSOR_LEVELS - 1;
    while (level >= 0 && !processor_has(level)) {
        level--;
    }
    return level;
}

int
processor_level(void)
{
    if (chosen < 0) {
        chosen = processor_best();
    }
    return chosen;
}

bool
processor_choose(const char *name)
{
    int level = processor_best();
    while (name != NULL && level >= 0 && !(strcmp(name, processor_names[level]) == 0 && processor_has(level))) {
        level--;
    }
    if (level < 0) {
        return false;
    }
    chosen = level;
    return true;
}
