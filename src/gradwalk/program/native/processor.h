/* The kinds of processors that *_kernels.c are compiled for, and which of them this one is. */
#ifndef GRADWALK_PROCESSOR_H
#define GRADWALK_PROCESSOR_H

enum {
    PROCESSOR_BASE,
#ifdef GRADWALK_X86
    PROCESSOR_AVX2,
    PROCESSOR_AVX512,
#endif
    PROCESSOR_LEVELS
};

/* The level of this name: "base", "avx2", "avx512", or the best for NULL; -1 when this processor has it not. */
int processor_level(const char *name);

#endif
