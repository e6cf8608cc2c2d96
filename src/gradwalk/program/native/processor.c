#include "processor.h"

#include <stddef.h>
#include <string.h>

const char *const processor_names[PROCESSOR_LEVELS] = {
    "base",
#ifdef GRADWALK_X86
    "avx2",
    "avx512",
#endif
};

static int chosen = -1;

int
processor_best(void)
{
#ifdef GRADWALK_X86
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                       __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")
                   ? PROCESSOR_AVX512
                   : PROCESSOR_AVX2;
    }
#endif
    return PROCESSOR_BASE;
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
    int best = processor_best(), level = name == NULL ? best : 0;
    while (name != NULL && level <= best && strcmp(name, processor_names[level]) != 0) {
        level++;
    }
    if (level > best) {
        return false;
    }
    chosen = level;
    return true;
}
