/* Which function computes a row, and its names: from the table of operations. */

#include "functions.h"

#include "processor.h"

const char *const function_names[FUNCTION_COUNT] = {
#define UNARY(name, symbol, value, by_x, form, adjoint) IF_FUNCTION_##form(#name, "by_x_" #name, )
#define BINARY(name, symbol, value, by_x, by_y, form, adjoint) IF_FUNCTION_##form(#name, "by_x_" #name, "by_y_" #name, )
#define TERNARY(name, symbol, value, by_x, by_y, by_z, form, adjoint) \
    IF_FUNCTION_##form(#name, "by_x_" #name, "by_y_" #name, "by_z_" #name, )
#include OPERATIONS
};

int
function_of(int code)
{
    static const int16_t known[CODE_COUNT] = {
#define UNARY(name, symbol, value, by_x, form, adjoint) IF_FUNCTION_##form([C_##name] = 1 + FUNCTION_##name, )
#define BINARY(name, symbol, value, by_x, by_y, form, adjoint) IF_FUNCTION_##form([C_##name] = 1 + FUNCTION_##name, )
#define TERNARY(name, symbol, value, by_x, by_y, by_z, form, adjoint) IF_FUNCTION_##form([C_##name] = 1 + FUNCTION_##name, )
#include OPERATIONS
    };
    return known[code] - 1;
}

int
derivative_of(int row, int which)
{
    int function = function_of(row);
    return function < 0 ? -1 : function + 1 + which; /* they follow the row itself */
}

PROCESSOR_DECLARE(Functions, functions);

const Functions *
functions(void)
{
    static const Functions *const table[PROCESSOR_LEVELS] = PROCESSOR_TABLE(functions);
    return table[processor_level()];
}
