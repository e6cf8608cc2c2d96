/* Building and checking a program. */

#include "ir.h"

#include <string.h>

#ifdef GRADWALK_TEST_HOOKS
#undef malloc
#undef calloc
#undef realloc
#undef free
#include <stdatomic.h>

static atomic_llong memory_left = -1, memory_failures, memory_blocks;

static bool
memory_fails(void)
{
    if (atomic_load(&memory_left) < 0) {
        return false;
    }
    if (atomic_fetch_sub(&memory_left, 1) > 0) {
        return false;
    }
    atomic_store(&memory_left, 0);
    if (atomic_fetch_sub(&memory_failures, 1) <= 1) {
        atomic_store(&memory_left, -1);
    }
    return true;
}

void *
memory_new(size_t bytes, bool clear)
{
    void *block = memory_fails() ? NULL : clear ? calloc(1, bytes) : malloc(bytes);
    memory_blocks += block != NULL;
    return block;
}

void *
memory_grow(void *block, size_t bytes)
{
    void *grown = memory_fails() ? NULL : realloc(block, bytes);
    memory_blocks += block == NULL && grown != NULL;
    return grown;
}

void
memory_free(void *block)
{
    memory_blocks -= block != NULL;
    free(block);
}

void
memory_fail(long long after, long long times)
{
    memory_failures = times;
    memory_left = after;
}

long long
memory_live(void)
{
    return memory_blocks;
}

#define malloc(bytes) memory_new(bytes, false)
#define calloc(count, size) memory_new((count) * (size), true)
#define realloc(block, bytes) memory_grow(block, bytes)
#define free(block) memory_free(block)
#endif

/* ── Memory ─────────────────────────────────────────────────────────────────────────────────── */

/* In front of what is taken. */
struct ArenaBlock {
    struct ArenaBlock *before, *after;
};

void *
arena_take(Arena *arena, size_t count, size_t size, int byte)
{
    size_t bytes = sizeof(struct ArenaBlock) + (count + 1) * size;
    struct ArenaBlock *block = byte == 0 ? calloc(1, bytes) : malloc(bytes);
    if (block == NULL) {
        arena->failed = true;
        return NULL;
    }
    if (byte > 0) {
        memset(block + 1, byte, (count + 1) * size);
    }
    *block = (struct ArenaBlock){arena->last, NULL};
    if (arena->last != NULL) {
        arena->last->after = block;
    }
    arena->last = block;
    return block + 1;
}

void *
arena_grow(Arena *arena, void *old, size_t bytes)
{
    if (old == NULL) {
        return arena_take(arena, bytes, 1, ANY_BYTE);
    }
    struct ArenaBlock *block = realloc((struct ArenaBlock *)old - 1, sizeof *block + bytes);
    if (block == NULL) {
        arena->failed = true;
        return NULL;
    }
    if (block->before != NULL) {
        block->before->after = block;
    }
    *(block->after != NULL ? &block->after->before : &arena->last) = block;
    return block + 1;
}

void
arena_end(Arena *arena)
{
    while (arena->last != NULL) {
        struct ArenaBlock *block = arena->last;
        arena->last = block->before;
        free(block);
    }
}

void *
array_add(Arena *arena, Array *array, int32_t more, size_t size)
{
    bool fits = more <= INT32_MAX / 4 && array->count <= INT32_MAX / 4 - more;
    if (fits && array->count + more > array->room) {
        int32_t room = (array->count + more) * 2 + 64;
        void *grown = arena_grow(arena, array->items, (size_t)room * size);
        array->items = grown != NULL ? grown : array->items;
        array->room = grown != NULL ? room : array->room;
        fits = grown != NULL;
    }
    arena->failed = arena->failed || !fits;
    void *at = fits ? (char *)array->items + (size_t)array->count * size : NULL;
    array->count += fits ? more : 0;
    return at;
}

/* ── Programs ───────────────────────────────────────────────────────────────────────────────── */

const char *const code_names[CODE_COUNT] = {
    [CONST] = "const",
    [INPUT] = "input",
#define EVERY(name, symbol, arity) [C_##name] = #name,
#include OPERATIONS
    [LT] = "lt", [LE] = "le", [GT] = "gt", [GE] = "ge", [EQ] = "eq", [NE] = "ne",
    [TAKE] = "take",
    [SUM] = "sum",
    [DOT] = "dot",
    [SQUARE] = "square",
    [ROOT] = "root",
    [INVERSE] = "inverse",
    [INVERSE_ROOT] = "inverse_root",
    [LARGEST] = "largest",
    [GATE] = "gate",
    [CHOOSE] = "choose",
    [REFUSE] = "refuse",
    [PICK] = "pick",
    [PULL] = "pull",
    [DRAW] = "draw",
    [PARTIAL0] = "partial0",
    [PARTIAL1] = "partial1",
    [PARTIAL2] = "partial2",
};

const int8_t code_arity[CODE_COUNT] = {
    [CONST] = 0,
    [INPUT] = 0,
#define EVERY(name, symbol, arity) [C_##name] = arity,
#include OPERATIONS
    [LT] = 2, [LE] = 2, [GT] = 2, [GE] = 2, [EQ] = 2, [NE] = 2,
    [TAKE] = ONE_AND_ANY,
    [SUM] = ANY,
    [DOT] = PAIRS,
    [SQUARE] = 1,
    [ROOT] = 1,
    [INVERSE] = 1,
    [INVERSE_ROOT] = 1,
    [LARGEST] = ANY,
    [GATE] = 2,
    [CHOOSE] = 2,
    [REFUSE] = 2,
    [PICK] = PAIRS,
    [PULL] = PAIRS,
    [DRAW] = 2,
    [PARTIAL0] = ONE_AND_ANY,
    [PARTIAL1] = ONE_AND_ANY,
    [PARTIAL2] = ONE_AND_ANY,
};

Ir *
ir_new(int32_t room, int32_t arg_room)
{
    Ir *ir = calloc(1, sizeof *ir);
    if (ir == NULL) {
        return NULL;
    }
    ir->room = room < 16 ? 16 : room;
    ir->arg_room = arg_room < 16 ? 16 : arg_room;
    ir->code = malloc((size_t)ir->room);
    ir->start = malloc(((size_t)ir->room + 1) * sizeof *ir->start);
    ir->number = malloc((size_t)ir->room * sizeof *ir->number);
    ir->origin = malloc((size_t)ir->room * sizeof *ir->origin);
    ir->adjoint_of = malloc((size_t)ir->room * sizeof *ir->adjoint_of);
    ir->arg = malloc((size_t)ir->arg_room * sizeof *ir->arg);
    if (!ir->code || !ir->start || !ir->number || !ir->origin || !ir->adjoint_of || !ir->arg) {
        ir_free(ir);
        return NULL;
    }
    ir->start[0] = 0;
    return ir;
}

void
ir_free(Ir *ir)
{
    if (ir != NULL) {
        free(ir->code);
        free(ir->start);
        free(ir->number);
        free(ir->origin);
        free(ir->adjoint_of);
        free(ir->arg);
        free(ir->result);
        free(ir);
    }
}

static bool
grow(void *pointer, size_t count, size_t size)
{
    void **array = pointer;
    void *grown = realloc(*array, count * size);
    if (grown == NULL) {
        return false;
    }
    *array = grown;
    return true;
}

bool
ir_reserve(Ir *ir, int count)
{
    if (ir->count == ir->room) {
        size_t room = (size_t)ir->room * 2;
        if (room > INT32_MAX / 2 || !grow(&ir->code, room, 1) ||
            !grow(&ir->start, room + 1, sizeof *ir->start) ||
            !grow(&ir->number, room, sizeof *ir->number) ||
            !grow(&ir->origin, room, sizeof *ir->origin) ||
            !grow(&ir->adjoint_of, room, sizeof *ir->adjoint_of)) {
            return false;
        }
        ir->room = (int32_t)room;
    }
    if (ir->arg_count + (int64_t)count > ir->arg_room) {
        size_t room = ((size_t)ir->arg_count + (size_t)count) * 2;
        if (room > INT32_MAX / 2 || !grow(&ir->arg, room, sizeof *ir->arg)) {
            return false;
        }
        ir->arg_room = (int32_t)room;
    }
    return true;
}

extern inline int32_t ir_add(Ir *ir, int code, const int32_t *arg, int count, double number);

int
ir_set_results(Ir *ir, const int32_t *result, int32_t count, int32_t outputs)
{
    int32_t *copy = malloc(((size_t)count + 1) * sizeof *copy);
    if (copy == NULL) {
        return -1;
    }
    memcpy(copy, result, (size_t)count * sizeof *copy);
    free(ir->result);
    ir->result = copy;
    ir->result_count = count;
    ir->outputs = outputs;
    return 0;
}

static const char *
check_instruction(const Ir *ir, int32_t i)
{
    int code = ir->code[i];
    if (code >= CODE_COUNT) {
        return "has no such code";
    }
    int count = operand_count(ir, i), arity = code_arity[code];
    if (arity >= 0 ? count != arity
                   : count < 1 || (arity == PAIRS && count % 2) || (arity == ONE_AND_ANY && count < 2)) {
        return "has a wrong number of operands";
    }
    for (int k = 0; k < count; k++) {
        int32_t operand = operands(ir, i)[k];
        if (operand < 0 || operand >= i) {
            return "has an operand that is not before it";
        }
    }
    double number = ir->number[i];
    if (code == INPUT && !(number >= 0 && number < ir->slots && number == (int32_t)number)) {
        return "reads an input that is not there";
    }
    return NULL;
}

const char *
ir_check(const Ir *ir, int32_t *where)
{
    *where = -1;
    if (ir->start[0] != 0 || ir->start[ir->count] != ir->arg_count) {
        return "the operands do not fill their array";
    }
    for (int32_t i = 0; i < ir->count; i++) {
        if (ir->start[i + 1] < ir->start[i] || ir->start[i + 1] > ir->arg_count) {
            *where = i;
            return "has operands outside their array";
        }
    }
    for (int32_t i = 0; i < ir->count; i++) {
        const char *wrong = check_instruction(ir, i);
        if (wrong != NULL) {
            *where = i;
            return wrong;
        }
    }
    for (int32_t k = 0; k < ir->result_count; k++) {
        if (ir->result[k] < 0 || ir->result[k] >= ir->count) {
            return "a result is not one of the values";
        }
    }
    return NULL;
}
