#include "functions.h"

#include "processor.h"

const char *const function_names[FUNCTION_COUNT] = {
#define ROW(name, slope) #name, "by_" #name,
#define BARE(name) #name,
    VECTOR_ROWS(ROW, BARE)
#undef ROW
#undef BARE
};

int
function_of(int code)
{
    static const int8_t known[CODE_COUNT] = {
#define ROW(name, slope) [C_##name] = 1 + FUNCTION_##name,
#define BARE(name) [C_##name] = 1 + FUNCTION_##name,
        VECTOR_ROWS(ROW, BARE)
#undef ROW
#undef BARE
    };
    return known[code] - 1;
}

int
derivative_of(int row)
{
    static const int8_t known[CODE_COUNT] = {
#define ROW(name, slope) [C_##name] = 1 + FUNCTION_by_##name,
#define BARE(name)
        VECTOR_ROWS(ROW, BARE)
#undef ROW
#undef BARE
    };
    return known[row] - 1;
}

PROCESSOR_DECLARE(Functions, functions);

const Functions *
functions(void)
{
    static const Functions *const table[PROCESSOR_LEVELS][2] = PROCESSOR_TABLE(functions);
    return table[processor_level()][0];
}
