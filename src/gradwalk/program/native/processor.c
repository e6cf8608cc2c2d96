#include "processor.h"

#include <stddef.h>
#include <string.h>

int
processor_level(const char *name)
{
    static const char *const names[] = {"base", "avx2", "avx512"};
    int best = PROCESSOR_BASE;
#ifdef GRADWALK_X86
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
        best = PROCESSOR_AVX2;
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw")) {
            best = PROCESSOR_AVX512;
        }
    }
#endif
    for (int level = 0; level <= best && name != NULL; level++) {
        if (strcmp(name, names[level]) == 0) {
            return level;
        }
    }
    return name == NULL ? best : -1;
}
