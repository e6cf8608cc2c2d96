/* What is known of each row, from the table of operations. */

#include "rows.h"

#include "processor.h"

enum { FIRST_SLOPE = LESS_PRODUCT + 1 };

static const struct {
    int code, which;
    const char *name;
} slopes[ROW_COUNT - FIRST_SLOPE] = {
#define SLOPE(side, name, which) [by_##side##_##name - FIRST_SLOPE] = {C_##name, which, "by_" #side "_" #name},
#define UNARY(name, symbol, value, by_x, form, adjoint) SLOPE(x, name, 1)
#define BINARY(name, symbol, value, by_x, by_y, form, adjoint) SLOPE(x, name, 1) SLOPE(y, name, 2)
#define TERNARY(name, symbol, value, by_x, by_y, by_z, form, adjoint) \
    SLOPE(x, name, 1) SLOPE(y, name, 2) SLOPE(z, name, 3)
#include OPERATIONS
};

const char *
row_name(int row)
{
    static const char *const own[] = {"copy", "add_product", "less_product"};
    return row < COPY ? code_names[row] : row < FIRST_SLOPE ? own[row - COPY] : slopes[row - FIRST_SLOPE].name;
}

int
row_of(int code, int which)
{
    static const int16_t first[CODE_COUNT] = {
#define UNARY(name, symbol, value, by_x, form, adjoint) [C_##name] = by_x_##name,
#define BINARY(name, symbol, value, by_x, by_y, form, adjoint) [C_##name] = by_x_##name,
#define TERNARY(name, symbol, value, by_x, by_y, by_z, form, adjoint) [C_##name] = by_x_##name,
#include OPERATIONS
    };
    return which == 0 ? code : first[code] + which - 1; /* they follow each other */
}

enum {
    CORE = ROW_SCALAR, SCALAR = ROW_SCALAR, SCALAR_SLOPE = ROW_SCALAR, CHEAP = ROW_EXACT, VECTOR = ROW_FUNCTION,
    TUNED = ROW_FUNCTION, TUNED_SLOPE = ROW_FUNCTION, TUNED_BOTH = ROW_FUNCTION,
};

const RowInfo row_info[ROW_COUNT] = {
#define CORE_ROW(row, operands, value) [row] = {operands, ROW_EXACT},
    ROWS_CORE(CORE_ROW)
#define VALUE(form, row, operands) VALUE_##form(row, operands, form)
#define VALUE_CORE(row, operands, form) /* said already */
#define VALUE_SCALAR(row, operands, form) [row] = {operands, form},
#define VALUE_SCALAR_SLOPE VALUE_SCALAR
#define VALUE_CHEAP VALUE_SCALAR
#define VALUE_VECTOR VALUE_SCALAR
#define VALUE_TUNED VALUE_SCALAR
#define VALUE_TUNED_SLOPE VALUE_SCALAR
#define VALUE_TUNED_BOTH VALUE_SCALAR
#define UNARY(name, symbol, value, by_x, form, adjoint) VALUE(form, C_##name, 1) [by_x_##name] = {1, form},
#define BINARY(name, symbol, value, by_x, by_y, form, adjoint) \
    VALUE(form, C_##name, 2) [by_x_##name] = {2, form}, [by_y_##name] = {2, form},
#define TERNARY(name, symbol, value, by_x, by_y, by_z, form, adjoint) \
    VALUE(form, C_##name, 3) [by_x_##name] = {3, form}, [by_y_##name] = {3, form}, [by_z_##name] = {3, form},
#include OPERATIONS
};

PROCESSOR_DECLARE(Rows, rows);

const Rows *
rows(void)
{
    static const Rows *const table[PROCESSOR_LEVELS] = PROCESSOR_TABLE(rows);
    return table[processor_level()];
}
