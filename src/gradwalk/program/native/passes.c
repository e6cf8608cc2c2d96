/* The passes: each reads one program and writes another.
 *
 *     tidy     folds constants, writes special forms (x**2, x/2), shares equal instructions, drops dead ones
 *     chains   the products among the terms of a sum become a dot
 *     adjoint  appends the gradients: the adjoint of a value is the sum over its consumers of their
 *              adjoint times the local derivative, which is a dot again
 *
 * The contract: every operation that the user wrote is performed, in the written order, with its own rounding.
 * Only SUM and DOT, which the user wrote as reductions, and the adjoint's own sums may be added up in another order.
 * So tidy rewrites an instruction only where the result has the same bits. A program that is `fast` gives up this
 * contract: constants are gathered, x / c becomes x · (1 / c), and chains of + and - become sums and dots.
 */

#include "ir.h"

#include <string.h>

/* ── A writer: adds instructions to `to`, and remembers where each of `from` went ────────────── */

typedef struct {
    int32_t next; /* id + 1, or 0 for an empty entry, so that a new table needs no initialisation */
    uint32_t tag; /* a part of the hash: entries with another tag need no comparison */
} Known;

enum { LINE = 8 }; /* entries that lie in one line of the cache */

typedef struct {
    Arena memory;
    const Ir *from;
    Ir *to;
    int32_t *went;   /* from id -> to id */
    Known *table;    /* of all instructions, to find equal ones, in lines */
    size_t mask;     /* of the number of a line */
    int32_t *spare;  /* room for operands */
    int spare_room;
    int32_t origin, adjoint_of; /* for what is added now */
    Scratch *scratch;           /* whose memory the table and `went` are */
    Scratch own;
} Writer;

void
scratch_free(Scratch *scratch)
{
    free(scratch->table);
    free(scratch->went);
    *scratch = (Scratch){NULL, 0, NULL, 0};
}

/* Return a block of at least `bytes` bytes, reusing the old one if it is large enough; NULL without memory. */
static void *
scratch_block(void **block, size_t *room, size_t bytes, bool clear)
{
    if (bytes > *room) {
        free(*block);
        *room = 0;
        *block = clear ? calloc(bytes, 1) : malloc(bytes);
        *room = *block != NULL ? bytes : 0;
    }
    else if (clear) {
        memset(*block, 0, bytes);
    }
    return *block;
}

static void
writer_end(Writer *w)
{
    scratch_free(&w->own);
    arena_end(&w->memory);
}

/* Begin a pass that writes at most 1 + `more` instructions per instruction read. The table starts with room for
 * `quarters` quarters of them. It uses the memory of `scratch`, if there is one. */
static bool
writer_begin(Writer *w, const Ir *from, size_t more, size_t quarters, Scratch *scratch)
{
    memset(w, 0, sizeof *w);
    w->from = from;
    w->origin = w->adjoint_of = -1;
    w->scratch = scratch != NULL ? scratch : &w->own;
    size_t room = (size_t)from->count * (1 + more) + 64, lines = 16;
    while (lines * LINE * 4 < 2 * room * quarters) {
        lines *= 2;
    }
    w->mask = lines - 1;
    w->to = ir_new((int32_t)(room < INT32_MAX / 2 ? room : INT32_MAX / 2),
                   (int32_t)(from->arg_count + (int64_t)from->arg_count * (int64_t)more < INT32_MAX / 2
                                 ? from->arg_count + from->arg_count * (int32_t)more
                                 : INT32_MAX / 2));
    w->went = scratch_block(&w->scratch->went, &w->scratch->went_bytes,
                            ((size_t)from->count + 1) * sizeof *w->went, false);
    w->table = scratch_block(&w->scratch->table, &w->scratch->table_bytes, lines * LINE * sizeof *w->table, true);
    w->spare_room = 64;
    w->spare = arena_take(&w->memory, 64, sizeof *w->spare, ANY_BYTE);
    if (!w->to || !w->went || !w->table || !w->spare) {
        ir_free(w->to);
        writer_end(w);
        return false;
    }
    w->to->slots = from->slots;
    w->to->fast = from->fast;
    return true;
}

static int32_t *
writer_spare(Writer *w, int count)
{
    if (count > w->spare_room) {
        int32_t *grown = arena_grow(&w->memory, w->spare, (size_t)count * 2 * sizeof *grown);
        w->spare = grown != NULL ? grown : w->spare;
        w->spare_room = grown != NULL ? count * 2 : w->spare_room;
    }
    return w->spare;
}

static uint64_t
mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
    return hash ^ (hash >> 29);
}

static uint64_t
number_bits(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

/* What is looked for in the table. */
typedef struct {
    int code, count;
    const int32_t *arg;
    double number;
    uint64_t hash;
    size_t line, then; /* the line to search first, and the second one */
} Sought;

/* Most instructions directly follow their newest operand. So the newest operand chooses the first line to search, and
 * long programs walk through the table in memory order. Inputs are kept in order from the end of the table. If that
 * line is full (for example, one value times a column of weights), the average of the first two operands chooses the
 * second line, and after that the hash does. */
static Sought
sought(int code, const int32_t *arg, int count, double number)
{
    uint64_t hash = mix((uint64_t)code, number_bits(number));
    int32_t newest = 0;
    for (int k = 0; k < count; k++) { /* Two per round, read one by one: they were stored as single ints, and a wider load would have to wait for them. */
        uint64_t word = (uint64_t)arg[k];
        newest = arg[k] > newest ? arg[k] : newest;
        if (++k < count) {
            word += (uint64_t)arg[k] * UINT64_C(0xFF51AFD7ED558CCD);
            newest = arg[k] > newest ? arg[k] : newest;
        }
        hash = mix(hash, word);
    }
    size_t line = count            ? (size_t)newest / (LINE / 2)
                  : code == INPUT ? ~((size_t)number / (LINE / 2))
                                  : (size_t)(hash >> 32);
    size_t then = count > 1 ? ((size_t)arg[0] + (size_t)arg[1]) / LINE : (size_t)(hash >> 32);
    return (Sought){code, count, arg, number, hash, line, then};
}

static bool
is_it(const Ir *to, int32_t i, const Sought *what)
{
    return to->code[i] == what->code && number_bits(to->number[i]) == number_bits(what->number) &&
           operand_count(to, i) == what->count &&
           (what->count == 0 || memcmp(operands(to, i), what->arg, (size_t)what->count * sizeof *what->arg) == 0);
}

/* Return the entry of an instruction, or the empty entry where it belongs. At most half of the table is in use, so
 * the search ends. */
static Known *
entry_of(Known *table, size_t mask, const Ir *to, const Sought *what)
{
    size_t line = what->line & mask, next = what->then & mask, further = what->hash >> 32;
    for (;; line = next, next = further++ & mask) {
        Known *entry = table + line * LINE;
        for (int k = 0; k < LINE; k++, entry++) {
            if (entry->next == 0 ||
                (entry->tag == (uint32_t)what->hash && is_it(to, entry->next - 1, what))) {
                return entry;
            }
        }
    }
}

/* Enter all instructions of `to` into the empty table. */
static void
fill_table(Writer *w)
{
    const Ir *to = w->to;
    for (int32_t i = 0; i < to->count; i++) {
        Sought what = sought(to->code[i], operands(to, i), operand_count(to, i), to->number[i]);
        *entry_of(w->table, w->mask, to, &what) = (Known){i + 1, (uint32_t)what.hash};
    }
}

/* Make a table for twice as many. */
static void
widen_table(Writer *w)
{
    size_t lines = (w->mask + 1) * 2;
    w->table = scratch_block(&w->scratch->table, &w->scratch->table_bytes, lines * LINE * sizeof *w->table, true);
    if (w->table == NULL) {
        w->memory.failed = true;
        return;
    }
    w->mask = lines - 1;
    fill_table(w);
}

/* Return the id of an instruction, adding it if there is no equal one. After a failure it returns 0, which is always
 * a valid id. */
static int32_t
put(Writer *w, int code, const int32_t *arg, int count, double number)
{
    if (w->memory.failed) {
        return 0;
    }
    Ir *to = w->to;
    if ((size_t)to->count * 2 >= (w->mask + 1) * LINE) {
        widen_table(w);
        if (w->memory.failed) {
            return 0;
        }
    }
    Sought what = sought(code, arg, count, number);
    Known *entry = entry_of(w->table, w->mask, to, &what);
    if (entry->next) {
        return entry->next - 1;
    }
    int32_t i = ir_add(to, code, arg, count, number);
    if (i < 0) {
        w->memory.failed = true;
        return 0;
    }
    to->origin[i] = w->origin;
    to->adjoint_of[i] = w->adjoint_of;
    *entry = (Known){i + 1, (uint32_t)what.hash};
    return i;
}

static int32_t
put_const(Writer *w, double number)
{
    return put(w, CONST, NULL, 0, number);
}

static int32_t
put1(Writer *w, int code, int32_t x)
{
    return put(w, code, &x, 1, 0.0);
}

static int32_t
put2(Writer *w, int code, int32_t x, int32_t y)
{
    int32_t arg[2] = {x, y};
    return put(w, code, arg, 2, 0.0);
}

/* Drop the instructions that no result needs. */
static void
drop_dead(Ir *ir, Arena *memory)
{
    int32_t *went = arena_take(memory, (size_t)ir->count, sizeof *went, 0);
    if (went == NULL) {
        return;
    }
    for (int32_t k = 0; k < ir->result_count; k++) {
        went[ir->result[k]] = 1;
    }
    for (int32_t i = ir->count - 1; i >= 0; i--) {
        if (went[i]) {
            for (int32_t k = ir->start[i]; k < ir->start[i + 1]; k++) {
                went[ir->arg[k]] = 1;
            }
        }
    }
    int32_t kept = 0, arg = 0, forward = 0;
    for (int32_t i = 0; i < ir->count; i++) {
        if (!went[i]) {
            went[i] = -1;
            continue;
        }
        int32_t begin = ir->start[i], end = ir->start[i + 1];
        ir->code[kept] = ir->code[i];
        ir->number[kept] = ir->number[i];
        ir->origin[kept] = ir->origin[i];
        ir->adjoint_of[kept] = ir->adjoint_of[i];
        ir->start[kept] = arg;
        for (int32_t k = begin; k < end; k++) {
            ir->arg[arg++] = went[ir->arg[k]];
        }
        went[i] = kept++;
        forward += i < ir->forward;
    }
    ir->start[kept] = arg;
    ir->count = kept;
    ir->forward = forward;
    ir->arg_count = arg;
    for (int32_t i = 0; i < kept; i++) {
        if (ir->adjoint_of[i] >= 0) {
            ir->adjoint_of[i] = went[ir->adjoint_of[i]];
        }
    }
    for (int32_t k = 0; k < ir->result_count; k++) {
        ir->result[k] = went[ir->result[k]];
    }
}

/* End a pass: translate the ids of the results, and drop dead instructions. */
static Ir *
finish(Writer *w)
{
    Ir *to = w->to;
    const Ir *from = w->from;
    if (!w->memory.failed && to->result == NULL) {
        w->memory.failed = ir_set_results(to, from->result, from->result_count, from->outputs) < 0;
        for (int32_t k = 0; !w->memory.failed && k < to->result_count; k++) {
            to->result[k] = w->went[to->result[k]];
        }
    }
    if (!w->memory.failed) {
        drop_dead(to, &w->memory);
    }
    bool failed = w->memory.failed;
    writer_end(w);
    if (failed) {
        ir_free(to);
    }
    return failed ? NULL : to;
}

/* ── Tidy ───────────────────────────────────────────────────────────────────────────────────── */

static inline bool
is_const(const Ir *ir, int32_t i)
{
    return ir->code[i] == CONST;
}

static inline bool
is_number(const Ir *ir, int32_t i, double number)
{
    return ir->code[i] == CONST && ir->number[i] == number;
}

static inline bool
invertible(double number)
{
    return isnormal(number) && isnormal(1.0 / number);
}

/* x / number and x · (1 / number) have the same bits for every x. */
static inline bool
is_power_of_two(double number)
{
    int exponent;
    return invertible(number) && fabs(frexp(number, &exponent)) == 0.5;
}

static int32_t tidy_mul(Writer *w, int32_t x, int32_t y);

static int32_t
tidy_neg(Writer *w, int32_t x)
{
    Ir *to = w->to;
    if (is_const(to, x)) {
        return put_const(w, -to->number[x]);
    }
    if (to->code[x] == C_neg) {
        return operands(to, x)[0];
    }
    if (to->code[x] == C_mul && is_const(to, operands(to, x)[1])) {
        int32_t inner = operands(to, x)[0];
        return tidy_mul(w, inner, put_const(w, -to->number[operands(to, x)[1]]));
    }
    return put1(w, C_neg, x);
}

/* Adding -0.0 changes nothing. Adding 0.0 does: -0.0 + 0.0 is 0.0, and 1 / x tells the two apart. */
static inline bool
is_minus_zero(const Ir *ir, int32_t i)
{
    return ir->code[i] == CONST && number_bits(ir->number[i]) == number_bits(-0.0);
}

static inline bool
is_plus_zero(const Ir *ir, int32_t i)
{
    return ir->code[i] == CONST && number_bits(ir->number[i]) == 0;
}

static int32_t
tidy_add(Writer *w, int32_t x, int32_t y)
{
    Ir *to = w->to;
    if (is_minus_zero(to, x)) {
        return y;
    }
    if (is_minus_zero(to, y)) {
        return x;
    }
    if (to->code[y] == C_neg) {
        return put2(w, C_sub, x, operands(to, y)[0]);
    }
    if (to->code[x] == C_neg) {
        return put2(w, C_sub, y, operands(to, x)[0]);
    }
    return put2(w, C_add, x, y);
}

static int32_t
tidy_sub(Writer *w, int32_t x, int32_t y)
{
    Ir *to = w->to;
    if (is_plus_zero(to, y)) {
        return x;
    }
    if (is_minus_zero(to, x)) {
        return tidy_neg(w, y);
    }
    if (to->code[y] == C_neg) {
        return put2(w, C_add, x, operands(to, y)[0]);
    }
    return put2(w, C_sub, x, y);
}

/* A constant goes to the right. */
static int32_t
tidy_mul(Writer *w, int32_t x, int32_t y)
{
    Ir *to = w->to;
    if (is_const(to, x)) {
        int32_t other = x;
        x = y;
        y = other;
    }
    if (is_const(to, y)) {
        double number = to->number[y];
        if (number == 1.0) {
            return x;
        }
        if (number == -1.0) {
            return tidy_neg(w, x);
        }
        if (to->code[x] == C_neg) {
            return put2(w, C_mul, operands(to, x)[0], put_const(w, -number));
        }
        if (to->fast && to->code[x] == C_mul && is_const(to, operands(to, x)[1])) {
            double both = number * to->number[operands(to, x)[1]];
            if (isnormal(both)) {
                int32_t inner = operands(to, x)[0];
                return tidy_mul(w, inner, put_const(w, both));
            }
        }
    }
    return x == y ? put1(w, SQUARE, x) : put2(w, C_mul, x, y);
}

static int32_t
tidy_div(Writer *w, int32_t x, int32_t y)
{
    Ir *to = w->to;
    if (is_const(to, y) && (to->fast ? invertible(to->number[y]) : is_power_of_two(to->number[y]))) {
        return tidy_mul(w, x, put_const(w, 1.0 / to->number[y]));
    }
    if (is_number(to, x, 1.0)) {
        return put1(w, INVERSE, y);
    }
    if (to->fast && to->code[y] == INVERSE_ROOT) {
        return put2(w, C_mul, x, put1(w, ROOT, operands(to, y)[0]));
    }
    return put2(w, C_div, x, y);
}

static int32_t
tidy_pow(Writer *w, int32_t x, int32_t y)
{
    Ir *to = w->to;
    if (is_const(to, y)) {
        double n = to->number[y];
        if (n == 0.0) {
            return put_const(w, 1.0);
        }
        if (n == 1.0) {
            return x;
        }
        if (n == 2.0) {
            return put1(w, SQUARE, x);
        }
        if (n == 3.0) {
            return put2(w, C_mul, put1(w, SQUARE, x), x);
        }
        if (n == -1.0) {
            return put1(w, INVERSE, x);
        }
        if (n == -2.0) {
            return put1(w, SQUARE, put1(w, INVERSE, x));
        }
        if (n == 0.5) {
            return put1(w, ROOT, x);
        }
        if (n == -0.5) {
            return put1(w, INVERSE_ROOT, x);
        }
    }
    return put2(w, C_pow, x, y);
}

/* A gradient is a PULL, a sum of products. A single product with a finite constant is a plain multiplication. */
static int32_t
tidy_pull(Writer *w, const int32_t *arg, int count)
{
    if (count == 2 && is_const(w->to, arg[1]) && isfinite(w->to->number[arg[1]])) {
        return tidy_mul(w, arg[0], arg[1]);
    }
    return put(w, PULL, arg, count, 0.0);
}

/* A sum starts at 0.0, as Python's does, so zeros among its terms change nothing. `exact`: the sum is the user's, and
 * a single term gets that 0.0 added, which turns -0.0 into 0.0. */
static int32_t
tidy_sum(Writer *w, int32_t *arg, int count, bool exact)
{
    int kept = 0;
    for (int k = 0; k < count; k++) {
        if (!is_number(w->to, arg[k], 0.0)) {
            arg[kept++] = arg[k];
        }
    }
    if (kept == 0) {
        return put_const(w, 0.0);
    }
    if (kept == 1) {
        return exact ? put2(w, C_add, arg[0], put_const(w, 0.0)) : arg[0];
    }
    return kept == 2 && !exact ? tidy_add(w, arg[0], arg[1]) : put(w, SUM, arg, kept, 0.0);
}

static int32_t
tidy_where(Writer *w, const int32_t *arg)
{
    const Ir *to = w->to;
    if (is_const(to, arg[0])) {
        return to->number[arg[0]] != 0.0 ? arg[1] : arg[2];
    }
    if (arg[1] == arg[2]) {
        return arg[1];
    }
    if (to->code[arg[0]] == EQ && is_number(to, operands(to, arg[0])[1], 0.0)) { /* not x: the other way round */
        const int32_t turned[3] = {operands(to, arg[0])[0], arg[2], arg[1]};
        return put(w, C_where, turned, 3, 0.0);
    }
    return put(w, C_where, arg, 3, 0.0);
}

static int32_t
tidy_one(Writer *w, int32_t i)
{
    const Ir *from = w->from;
    Ir *to = w->to;
    int code = from->code[i], count = operand_count(from, i);
    /* Only constants and inputs keep their number. In all others it is 0.0, so that equal instructions compare equal. */
    double number = 0.0;
    if (code == CONST || code > LAST_RECORDED || (code == C_neg && i >= from->forward)) {
        number = from->number[i];
    }
    else if (code == INPUT) {
        int32_t slot = (int32_t)from->number[i];
        number = from->slot_of != NULL ? from->slot_of[slot] : slot;
    }
    int32_t *arg = writer_spare(w, count);
    if (w->memory.failed) {
        return 0;
    }
    bool constant = code != INPUT && code != CONST;
    for (int k = 0; k < count; k++) {
        arg[k] = w->went[operands(from, i)[k]];
        constant = constant && is_const(to, arg[k]);
    }
    if (constant) {
        double values[3];
        if (count <= 3 && code != TAKE) { /* fold: compute it now */
            static const int32_t places[3] = {0, 1, 2};
            for (int k = 0; k < count; k++) {
                values[k] = to->number[arg[k]];
            }
            if ((code == PULL || code == DRAW) && values[0] == 0.0) {
                return put_const(w, 0.0);
            }
            return put_const(w, scalar_apply(code, places, count, number, values));
        }
    }
    bool exact = !to->fast && i < from->forward;
    switch (code) {
    case C_add:
        return tidy_add(w, arg[0], arg[1]);
    case C_sub:
        return tidy_sub(w, arg[0], arg[1]);
    case C_mul:
        return tidy_mul(w, arg[0], arg[1]);
    case C_neg:
        return number == 0.0 ? tidy_neg(w, arg[0]) : put(w, code, arg, 1, number);
    case C_div:
        return tidy_div(w, arg[0], arg[1]);
    case C_pow:
        return tidy_pow(w, arg[0], arg[1]);
    case C_where:
        return tidy_where(w, arg);
    case SUM:
        return tidy_sum(w, arg, count, exact);
    case DOT:
        if (count == 2) {
            int32_t product = tidy_mul(w, arg[0], arg[1]);
            return tidy_sum(w, &product, 1, exact);
        }
        break;
    case PULL:
        return tidy_pull(w, arg, count);
    case DRAW:
        if (is_const(to, arg[1]) && invertible(to->number[arg[1]])) {
            return tidy_mul(w, arg[0], put_const(w, 1.0 / to->number[arg[1]]));
        }
        break;
    case TAKE:
        if (is_const(to, arg[0])) {
            return arg[1 + nearest_entry(to->number[arg[0]], count - 1)];
        }
        break;
    default:
        break;
    }
    return put(w, code, arg, count, number);
}

Ir *
pass_tidy(const Ir *ir, Scratch *scratch)
{
    Writer w;
    if (!writer_begin(&w, ir, 0, 4, scratch)) {
        return NULL;
    }
    for (int32_t i = 0; i < ir->count && !w.memory.failed; i++) {
        if (i == ir->forward) {
            w.to->forward = w.to->count;
        }
        w.origin = ir->origin != NULL ? ir->origin[i] : i;
        w.adjoint_of = ir->adjoint_of != NULL && ir->adjoint_of[i] >= 0 ? w.went[ir->adjoint_of[i]] : -1;
        w.went[i] = tidy_one(&w, i);
    }
    if (ir->forward >= ir->count) {
        w.to->forward = w.to->count;
    }
    return finish(&w);
}

/* ── Chains ─────────────────────────────────────────────────────────────────────────────────── */

static int32_t *
count_uses(Writer *w)
{
    const Ir *ir = w->from;
    int32_t *uses = arena_take(&w->memory, (size_t)ir->count, sizeof *uses, 0);
    for (int32_t k = 0; k < ir->arg_count && uses != NULL; k++) {
        uses[ir->arg[k]]++;
    }
    for (int32_t k = 0; k < ir->result_count && uses != NULL; k++) {
        uses[ir->result[k]] += 2; /* a result is needed by itself */
    }
    return uses;
}

typedef struct {
    int32_t *items;
    int32_t count, room;
} List;

static void
list_push(Writer *w, List *list, int32_t item)
{
    if (list->count == list->room) {
        int32_t room = list->room ? list->room * 2 : 64;
        int32_t *grown = arena_grow(&w->memory, list->items, (size_t)room * sizeof *grown);
        if (grown == NULL) {
            return;
        }
        list->items = grown;
        list->room = room;
    }
    list->items[list->count++] = item;
}

/* Whether an instruction is part of a chain: a sum or, in a fast program, any addition, subtraction or negation. */
static bool
is_link(const Ir *ir, int32_t i)
{
    int code = ir->code[i];
    return code == SUM || (ir->fast && (code == C_add || code == C_sub || code == C_neg));
}

/* Its derivative is 0. */
static bool
is_flat(int code)
{
    return code == C_floor || code == C_sign;
}

/* Whether a term becomes a pair of a dot. A dot that is a term of a sum stays whole unless the program is fast. */
static bool
is_product(const Ir *ir, int32_t i)
{
    int code = ir->code[i];
    return code == C_mul || code == SQUARE || (ir->fast && code == DOT);
}

/* Whether the chain of `link` absorbs its operand x, which has no other reader. The terms of a sum stay whole. */
static bool
takes_in(const Ir *ir, int32_t link, int32_t x, const int32_t *uses)
{
    return uses[x] == 1 && is_link(ir, link) && (is_product(ir, x) || (ir->fast && is_link(ir, x)));
}

static bool
is_reduction(const Ir *ir, int32_t i)
{
    return ir->code[i] == SUM || ir->code[i] == DOT;
}

/* Add the terms in `plain` and the pairs in `pairs`; -1 when there are none. */
static int32_t
put_total(Writer *w, List *plain, List *pairs)
{
    const Ir *to = w->to;
    if (pairs->count == 2) {
        list_push(w, plain, tidy_mul(w, pairs->items[0], pairs->items[1]));
    }
    else if (pairs->count > 2) {
        list_push(w, plain, put(w, DOT, pairs->items, pairs->count, 0.0));
    }
    if (w->memory.failed || plain->count == 0) {
        return -1;
    }
    int32_t *term = plain->items;
    if (plain->count > 2 ||
        (plain->count == 2 && !to->fast && !is_reduction(to, term[0]) && !is_reduction(to, term[1]))) {
        return put(w, SUM, term, plain->count, 0.0);
    }
    return plain->count == 1 ? term[0] : put2(w, C_add, term[0], term[1]); /* a reduction is never -0.0 */
}

typedef struct {
    List stack, plain[2], pairs[2]; /* [1] is what is taken away */
} Chain;

/* Drop the 0.0 that a fast sum starts with if two or more terms remain. A fast sum may be reordered anyway, which can
 * change the sign of a zero. With one other term the sum stays exact. */
static void
drop_zeros(Writer *w, Chain *chain)
{
    int32_t others = (chain->pairs[0].count + chain->pairs[1].count) / 2;
    for (int side = 0; side < 2; side++) {
        for (int32_t k = 0; k < chain->plain[side].count; k++) {
            others += !is_number(w->to, chain->plain[side].items[k], 0.0);
        }
    }
    for (int side = 0; side < 2 && others > 1; side++) {
        List *plain = &chain->plain[side];
        int32_t kept = 0;
        for (int32_t k = 0; k < plain->count; k++) {
            if (!is_number(w->to, plain->items[k], 0.0)) {
                plain->items[kept++] = plain->items[k];
            }
        }
        plain->count = kept;
    }
}

/* Unroll the chain that ends in i. A term is on the stack as 2·id, plus 1 if it is subtracted. */
static int32_t
put_chain(Writer *w, int32_t i, const int32_t *uses, Chain *chain)
{
    const Ir *from = w->from;
    for (int side = 0; side < 2; side++) {
        chain->plain[side].count = chain->pairs[side].count = 0;
    }
    chain->stack.count = 0;
    list_push(w, &chain->stack, 2 * i);
    while (chain->stack.count > 0 && !w->memory.failed) {
        int32_t top = chain->stack.items[--chain->stack.count];
        int32_t t = top / 2, side = top % 2;
        int code = from->code[t], count = operand_count(from, t);
        const int32_t *arg = operands(from, t);
        if (t == i || (from->fast && is_link(from, t) && uses[t] == 1)) {
            for (int k = count - 1; k >= 0; k--) { /* so that the first comes off first */
                bool away = code == C_neg || (code == C_sub && k == 1);
                list_push(w, &chain->stack, 2 * arg[k] + (away ? 1 - side : side));
            }
        }
        else if (is_product(from, t) && uses[t] == 1) {
            for (int k = 0; k < count; k++) {
                list_push(w, &chain->pairs[side], w->went[arg[k]]);
            }
            if (code == SQUARE) {
                list_push(w, &chain->pairs[side], w->went[arg[0]]);
            }
        }
        else {
            list_push(w, &chain->plain[side], w->went[t]);
        }
    }
    if (from->fast) {
        drop_zeros(w, chain);
    }
    int32_t plus = put_total(w, &chain->plain[0], &chain->pairs[0]);
    int32_t minus = put_total(w, &chain->plain[1], &chain->pairs[1]);
    if (minus < 0) {
        return plus < 0 ? 0 : plus;
    }
    return plus < 0 ? put1(w, C_neg, minus) : put2(w, C_sub, plus, minus);
}

/* maximum(maximum(a, b), c) becomes one LARGEST if no gradient flows through it. */
static int32_t
put_largest(Writer *w, int32_t i, const int32_t *uses, Chain *chain)
{
    const Ir *from = w->from;
    List *stack = &chain->stack, *terms = &chain->plain[0];
    stack->count = terms->count = 0;
    list_push(w, stack, operands(from, i)[0]);
    while (stack->count > 0 && !w->memory.failed) {
        int32_t t = stack->items[--stack->count];
        if (from->code[t] == C_maximum && uses[t] == 1) {
            list_push(w, stack, operands(from, t)[1]);
            list_push(w, stack, operands(from, t)[0]);
        }
        else {
            list_push(w, terms, w->went[t]);
        }
    }
    if (w->memory.failed) {
        return 0;
    }
    if (terms->count == 1) {
        return put1(w, from->code[i], terms->items[0]);
    }
    int32_t largest = put(w, LARGEST, terms->items, terms->count, 0.0);
    return put1(w, from->code[i], largest);
}

Ir *
pass_chains(const Ir *ir, Scratch *scratch)
{
    Writer w;
    if (!writer_begin(&w, ir, 0, 1, scratch)) {
        return NULL;
    }
    Chain chain;
    memset(&chain, 0, sizeof chain);
    int32_t *uses = count_uses(&w);
    uint8_t *inside = arena_take(&w.memory, (size_t)ir->count, 1, 0); /* its only consumer takes it in */
    for (int32_t i = 0; i < ir->count && !w.memory.failed; i++) {
        int code = ir->code[i];
        for (int32_t k = ir->start[i]; k < ir->start[i + 1]; k++) {
            int32_t x = ir->arg[k];
            if (takes_in(ir, i, x, uses) ||
                (uses[x] == 1 && (is_flat(code) || code == C_maximum) && ir->code[x] == C_maximum)) {
                inside[x] = 1;
            }
        }
    }
    /* A chain of maxima that gradients flow through keeps its parts. */
    for (int32_t i = ir->count - 1; i >= 0 && !w.memory.failed; i--) {
        if (ir->code[i] == C_maximum && !inside[i]) {
            for (int k = 0; k < 2; k++) {
                int32_t x = operands(ir, i)[k];
                if (ir->code[x] == C_maximum) {
                    inside[x] = 0;
                }
            }
        }
    }
    for (int32_t i = 0; i < ir->count && !w.memory.failed; i++) {
        w.origin = ir->origin[i];
        w.adjoint_of = -1;
        if (inside[i]) {
            w.went[i] = 0; /* nobody asks */
        }
        else if (is_link(ir, i)) {
            w.went[i] = put_chain(&w, i, uses, &chain);
        }
        else if (is_flat(ir->code[i])) {
            w.went[i] = put_largest(&w, i, uses, &chain);
        }
        else {
            int count = operand_count(ir, i);
            int32_t *arg = writer_spare(&w, count);
            for (int k = 0; k < count && !w.memory.failed; k++) {
                arg[k] = w.went[operands(ir, i)[k]];
            }
            w.went[i] = put(&w, ir->code[i], arg, count, ir->number[i]);
        }
    }
    w.to->forward = w.to->count;
    return finish(&w);
}

/* ── The adjoint ────────────────────────────────────────────────────────────────────────────── */

typedef struct {
    int32_t next, gradient;
    int32_t partial; /* -1 stands for a derivative of 1; -2 - i for 1 where value i, an index, equals `place`, else 0 */
    int32_t place;
} Share;

typedef struct {
    Writer w;
    int32_t *head; /* by value: the shares of its gradient, first consumer first */
    bool *active;  /* by value: whether it depends on an input of the gradient */
    Share *share;
    int32_t count, room;
    List plain, pairs, picks;
    int32_t refused; /* the instruction that has no derivative, or -1 */
} Adjoint;

static void
give(Adjoint *a, int32_t to, int32_t gradient, int32_t partial)
{
    if (!a->active[to] || a->w.memory.failed) {
        return;
    }
    if (a->count == a->room) {
        int32_t room = a->room < INT32_MAX / 2 ? a->room * 2 : 0;
        Share *grown = room > 0 ? arena_grow(&a->w.memory, a->share, (size_t)room * sizeof *grown) : NULL;
        if (grown == NULL) {
            a->w.memory.failed = true;
            return;
        }
        a->share = grown;
        a->room = room;
    }
    a->share[a->count] = (Share){a->head[to], gradient, partial, 0};
    a->head[to] = a->count++;
}

static void
put_picks(Adjoint *a, int32_t place)
{
    if (!a->w.memory.failed) {
        list_push(&a->w, &a->plain, put(&a->w, PICK, a->picks.items, a->picks.count, place));
        a->picks.count = 0;
    }
}

/* The gradient of value i, from all its shares. */
static int32_t
gather(Adjoint *a, int32_t i)
{
    a->plain.count = a->pairs.count = a->picks.count = 0;
    a->w.adjoint_of = i;
    int32_t place = 0; /* the place of the picks collected so far; most values are in one table only */
    for (int32_t s = a->head[i]; s >= 0 && !a->w.memory.failed; s = a->share[s].next) {
        Share share = a->share[s];
        if (share.partial == -1) {
            list_push(&a->w, &a->plain, share.gradient);
        }
        else if (share.partial >= 0) {
            list_push(&a->w, &a->pairs, share.gradient);
            list_push(&a->w, &a->pairs, share.partial);
        }
        else {
            if (a->picks.count && share.place != place) {
                put_picks(a, place);
            }
            place = share.place;
            list_push(&a->w, &a->picks, -2 - share.partial);
            list_push(&a->w, &a->picks, share.gradient);
        }
    }
    if (a->picks.count) {
        put_picks(a, place);
    }
    if (a->w.memory.failed) {
        return 0;
    }
    if (a->pairs.count) {
        list_push(&a->w, &a->plain, tidy_pull(&a->w, a->pairs.items, a->pairs.count));
    }
    if (a->w.memory.failed) {
        return 0;
    }
    if (a->plain.count > 2) {
        return put(&a->w, SUM, a->plain.items, a->plain.count, 0.0);
    }
    return a->plain.count == 1 ? a->plain.items[0]
                               : put2(&a->w, C_add, a->plain.items[0], a->plain.items[1]);
}

/* Add an instruction of a local derivative, which does not contain the gradient. */
static int32_t
local(Adjoint *a, int code, int32_t x, int32_t y)
{
    a->w.adjoint_of = -1;
    return y < 0 ? put1(&a->w, code, x) : put2(&a->w, code, x, y);
}

/* Add an instruction that is a part of the gradient of `to`. */
static int32_t
carry(Adjoint *a, int32_t to, int code, int32_t x, int32_t y)
{
    if (!a->active[to]) {
        return 0;
    }
    a->w.adjoint_of = to;
    return y < 0 ? put1(&a->w, code, x) : put2(&a->w, code, x, y);
}

static int32_t
times(Adjoint *a, int32_t x, double number)
{
    a->w.adjoint_of = -1;
    return tidy_mul(&a->w, x, put_const(&a->w, number));
}

/* By the row's own derivatives. `chooses`: a derivative of 0 stops even an infinite gradient. */
static void
spread_row(Adjoint *a, int32_t i, int32_t g, bool chooses)
{
    int code = a->w.to->code[i], count = operand_count(a->w.to, i);
    int32_t arg[4] = {i, -1, -1, -1};
    for (int k = 0; k < count; k++) {
        arg[1 + k] = operands(a->w.to, i)[k];
    }
    for (int k = count - 1; k >= 0; k--) {
        int32_t to = arg[1 + k];
        if (a->active[to]) {
            a->w.adjoint_of = -1;
            int32_t partial = put(&a->w, PARTIAL0 + k, arg, 1 + count, code);
            give(a, to, chooses ? carry(a, to, CHOOSE, partial, g) : g, partial);
        }
    }
}

/* ── The rows whose gradient takes more than one line; x, y, z are the operands of i ──────────── */

static void
spread_add(Adjoint *a, int32_t i, int32_t g, int32_t x, int32_t y, int32_t z)
{
    (void)i, (void)z;
    give(a, y, g, -1);
    give(a, x, g, -1);
}

static void
spread_sub(Adjoint *a, int32_t i, int32_t g, int32_t x, int32_t y, int32_t z)
{
    (void)i, (void)z;
    give(a, y, carry(a, y, C_neg, g, -1), -1);
    give(a, x, g, -1);
}

static void
spread_neg(Adjoint *a, int32_t i, int32_t g, int32_t x, int32_t y, int32_t z)
{
    (void)i, (void)y, (void)z;
    give(a, x, carry(a, x, C_neg, g, -1), -1);
}

static void
spread_mul(Adjoint *a, int32_t i, int32_t g, int32_t x, int32_t y, int32_t z)
{
    (void)i, (void)z;
    give(a, y, g, x);
    give(a, x, g, y);
}

static void
spread_div(Adjoint *a, int32_t i, int32_t g, int32_t x, int32_t y, int32_t z)
{
    (void)z;
    if (a->active[y]) { /* g / y may be below the doubles where g·(-q / y) is not; quotients by one y share 1 / y */
        a->w.adjoint_of = -1;
        int32_t slope = put2(&a->w, C_mul, i, put2(&a->w, C_div, put_const(&a->w, 1.0), y));
        give(a, y, g, put(&a->w, C_neg, &slope, 1, 1.0)); /* the 1.0 marks it for pass_careful */
    }
    give(a, x, carry(a, x, DRAW, g, y), -1);
}

static void
spread_mod(Adjoint *a, int32_t i, int32_t g, int32_t x, int32_t y, int32_t z)
{
    (void)z;
    if (a->active[y]) {
        int32_t arg[3] = {i, x, y};
        a->w.adjoint_of = -1;
        give(a, y, g, put(&a->w, PARTIAL1, arg, 3, C_mod));
    }
    give(a, x, g, -1);
}

static void
spread_pow(Adjoint *a, int32_t i, int32_t g, int32_t x, int32_t y, int32_t z)
{
    (void)z;
    Ir *to = a->w.to;
    double n = is_const(to, y) ? to->number[y] : 0.0;
    if (is_const(to, y) && n - (n - 1.0) == 1.0) { /* otherwise n - 1 is rounded, and the power magnifies the error */
        a->w.adjoint_of = -1;
        give(a, x, g, times(a, tidy_pow(&a->w, x, put_const(&a->w, n - 1.0)), n));
        return;
    }
    spread_row(a, i, g, false);
}

static void
spread_where(Adjoint *a, int32_t i, int32_t g, int32_t x, int32_t y, int32_t z)
{
    (void)i;
    give(a, z, carry(a, z, REFUSE, x, g), -1);
    give(a, y, carry(a, y, CHOOSE, x, g), -1);
}

static void
spread_clip(Adjoint *a, int32_t i, int32_t g, int32_t x, int32_t y, int32_t z)
{
    (void)i;
    int32_t above = local(a, GT, x, z), below = local(a, LT, x, y);
    int32_t refused = carry(a, a->active[x] ? x : y, REFUSE, above, g);
    give(a, z, carry(a, z, CHOOSE, above, g), -1);
    give(a, y, carry(a, y, CHOOSE, below, refused), -1);
    give(a, x, carry(a, x, REFUSE, below, refused), -1);
}

static void
spread_take(Adjoint *a, int32_t i, int32_t g)
{
    for (int k = operand_count(a->w.to, i) - 1; k >= 1 && !a->w.memory.failed; k--) {
        int32_t entry = operands(a->w.to, i)[k];
        if (a->active[entry]) {
            give(a, entry, g, -2 - operands(a->w.to, i)[0]);
            if (!a->w.memory.failed) {
                a->share[a->count - 1].place = k - 1;
            }
        }
    }
}

/* What the words of the column `adjoint` in operations.h do; x, y, z are the operands of i. */
#define SPREADS_PARTIALS(name) spread_row(a, i, g, false)
#define SPREADS_CHOSEN(name) spread_row(a, i, g, true)
#define SPREADS_NOTHING(name)
#define SPREADS_OWN(name) spread_##name(a, i, g, x, y, z)
#define SPREADS_GATES(name) give(a, x, carry(a, x, GATE, g, x), -1)
#define SPREADS_PULLS(partial) give(a, x, g, partial) SPREADS_NOTHING
#define SPREADS_DRAWS(divisor) give(a, x, carry(a, x, DRAW, g, divisor), -1) SPREADS_NOTHING
#define OUT i
#define X x
#define CALLED(name) local(a, C_##name, x, -1)
#define NEGATED(p) local(a, C_neg, p, -1)
#define TWICE(p) local(a, C_add, p, p)

/* Hand the gradient g of value i on to its operands, the last first. */
static void
spread(Adjoint *a, int32_t i, int32_t g)
{
    Ir *to = a->w.to;
    int code = to->code[i], count = operand_count(to, i);
    int32_t x = count > 0 ? operands(to, i)[0] : -1;
    int32_t y = count > 1 ? operands(to, i)[1] : -1;
    int32_t z = count > 2 ? operands(to, i)[2] : -1;
    switch (code) {
#define SPREADS(name, adjoint)           \
    case C_##name:                       \
        SPREADS_##adjoint(name);         \
        return;
#define UNARY(name, symbol, value, by_x, form, adjoint) SPREADS(name, adjoint)
#define BINARY(name, symbol, value, by_x, by_y, form, adjoint) SPREADS(name, adjoint)
#define TERNARY(name, symbol, value, by_x, by_y, by_z, form, adjoint) SPREADS(name, adjoint)
#define DERIVED(name, symbol, arity, adjoint) SPREADS(name, adjoint)
#include OPERATIONS
    case SQUARE:
        give(a, x, g, local(a, C_add, x, x));
        return;
    case INVERSE:
        give(a, x, g, local(a, C_neg, local(a, SQUARE, i, -1), -1));
        return;
    case ROOT:
        SPREADS_DRAWS(TWICE(OUT))(sqrt);
        return;
    case INVERSE_ROOT:
        give(a, x, g, times(a, local(a, C_mul, local(a, SQUARE, i, -1), i), -0.5));
        return;
    case SUM:
        for (int k = count - 1; k >= 0; k--) {
            give(a, operands(a->w.to, i)[k], g, -1);
        }
        return;
    case DOT:
        for (int k = count - 2; k >= 0; k -= 2) {
            const int32_t *pair = operands(a->w.to, i) + k;
            give(a, pair[1], g, pair[0]);
            give(a, pair[0], g, pair[1]);
        }
        return;
    case TAKE:
        spread_take(a, i, g);
        return;
    case INPUT: /* has no operand */
        return;
    case LT:
    case LE:
    case GT:
    case GE:
    case EQ:
    case NE: /* constant between their jumps */
        return;
    default: /* the adjoint's own codes, which no program to differentiate has */
        a->refused = i;
        a->w.memory.failed = true;
    }
}

Ir *
pass_adjoint(const Ir *ir, const double *seeds, const int32_t *wrt, int32_t wrt_count, Scratch *scratch,
             int32_t *refused)
{
    Adjoint a;
    memset(&a, 0, sizeof a);
    *refused = a.refused = -1;
    if (!writer_begin(&a.w, ir, 2, 4, scratch)) {
        return NULL;
    }
    Arena *memory = &a.w.memory;
    size_t count = (size_t)ir->count, slots = (size_t)ir->slots;
    a.room = ir->arg_count < INT32_MAX / 4 ? 2 * ir->arg_count + 64 : INT32_MAX / 2;
    a.share = arena_take(memory, (size_t)a.room, sizeof *a.share, ANY_BYTE);
    a.head = arena_take(memory, count, sizeof *a.head, 0xFF);
    a.active = arena_take(memory, count, sizeof *a.active, 0);
    int32_t *input = arena_take(memory, slots, sizeof *input, 0xFF);
    int32_t *result = arena_take(memory, (size_t)ir->outputs + (size_t)wrt_count, sizeof *result, ANY_BYTE);
    bool *wanted = arena_take(memory, slots, sizeof *wanted, 0);
    for (int32_t k = 0; k < wrt_count && !a.w.memory.failed; k++) {
        wanted[wrt[k]] = true;
    }
    for (int32_t i = 0; i < ir->count && !a.w.memory.failed; i++) { /* the same ids: equals were shared */
        int32_t id = ir_add(a.w.to, ir->code[i], operands(ir, i), operand_count(ir, i), ir->number[i]);
        if (id < 0) {
            a.w.memory.failed = true;
            break;
        }
        a.w.to->origin[i] = ir->origin[i];
        int code = ir->code[i];
        if (code == INPUT) {
            int32_t slot = (int32_t)ir->number[i];
            a.active[i] = wanted[slot];
            input[slot] = i;
        }
        for (int k = 0; k < operand_count(ir, i); k++) {
            a.active[i] = a.active[i] || a.active[operands(ir, i)[k]];
        }
    }
    if (!a.w.memory.failed) {
        fill_table(&a.w); /* so that `put` finds the copied instructions */
    }
    a.w.to->forward = a.w.to->count;
    a.w.to->slots += seeds != NULL ? 0 : ir->outputs;
    for (int32_t k = ir->outputs - 1; k >= 0 && !a.w.memory.failed; k--) {
        result[k] = ir->result[k];
        if (a.active[ir->result[k]] && (seeds == NULL || seeds[k] != 0.0)) {
            a.w.adjoint_of = ir->result[k];
            int32_t seed = seeds != NULL ? put_const(&a.w, seeds[k]) : put(&a.w, INPUT, NULL, 0, ir->slots + k);
            give(&a, ir->result[k], seed, -1);
        }
    }
    int32_t *gradient = a.w.went; /* this pass has no other use for it */
    for (int32_t i = ir->count - 1; i >= 0 && !a.w.memory.failed; i--) {
        gradient[i] = -1;
        if (a.active[i] && a.head[i] >= 0) {
            a.w.origin = ir->origin[i];
            gradient[i] = gather(&a, i);
            if (!a.w.memory.failed) {
                spread(&a, i, gradient[i]);
            }
        }
    }
    for (int32_t k = 0; k < wrt_count && !a.w.memory.failed; k++) {
        int32_t i = input[wrt[k]];
        a.w.adjoint_of = -1;
        result[ir->outputs + k] = i >= 0 && gradient[i] >= 0 ? gradient[i] : put_const(&a.w, 0.0);
    }
    if (!a.w.memory.failed) {
        a.w.memory.failed = ir_set_results(a.w.to, result, ir->outputs + wrt_count, ir->outputs) < 0;
    }
    *refused = a.refused;
    return finish(&a.w);
}

/* ── Carefully ──────────────────────────────────────────────────────────────────────────────── */

/* `part` where the gradient is not 0, else 0. */
static int32_t
passed_on(Writer *w, int32_t gradient, int32_t part)
{
    if (is_const(w->to, gradient)) {
        return w->to->number[gradient] != 0.0 ? part : put_const(w, 0.0);
    }
    return put2(w, CHOOSE, gradient, part);
}

/* The product of one pair of a PULL. For q = x / y with gradient g, y gets g·(-q / y), if that is finite. The eager engine records x /
 * y as x·y⁻¹, and that power passes nothing on if its own gradient, g·x, is 0. This does the same. */
static int32_t
careful_product(Writer *w, const int32_t *pair)
{
    const Ir *from = w->from;
    int32_t g = w->went[pair[0]], p = w->went[pair[1]];
    if (is_const(w->to, p) && isfinite(w->to->number[p])) {
        return tidy_mul(w, g, p);
    }
    int32_t product = put2(w, C_mul, g, p);
    if (from->code[pair[1]] == C_neg && from->number[pair[1]] != 0.0) {
        int32_t slope = operands(from, pair[1])[0];
        int32_t quotient = from->code[slope] == C_mul ? operands(from, slope)[0] : slope;
        if (quotient != slope && from->code[quotient] == C_div) {
            /* q / y may be beyond the doubles where (g / y)·(-q) is not */
            int32_t share = put2(w, C_div, g, w->went[operands(from, quotient)[1]]);
            int32_t other = put2(w, C_mul, share, put1(w, C_neg, w->went[quotient]));
            int32_t fits = put2(w, LT, put1(w, C_abs, product), put_const(w, INFINITY));
            int32_t choice[3] = {fits, product, other};
            product = put(w, C_where, choice, 3, 0.0);
            product = passed_on(w, put2(w, C_mul, w->went[operands(from, quotient)[0]], g), product);
        }
    }
    return passed_on(w, g, product);
}

Ir *
pass_careful(const Ir *ir, Scratch *scratch)
{
    Writer w;
    List terms = {0};
    if (!writer_begin(&w, ir, 1, 4, scratch)) {
        return NULL;
    }
    for (int32_t i = 0; i < ir->count && !w.memory.failed; i++) {
        int code = ir->code[i], count = operand_count(ir, i);
        const int32_t *from = operands(ir, i);
        w.origin = ir->origin[i];
        w.to->forward = i <= ir->forward ? w.to->count : w.to->forward;
        if (code == PULL) {
            terms.count = 0;
            for (int k = 0; k < count && !w.memory.failed; k += 2) {
                list_push(&w, &terms, careful_product(&w, from + k));
            }
            w.went[i] = terms.count == 1 ? terms.items[0] : put(&w, SUM, terms.items, terms.count, 0.0);
        }
        else if (code == DRAW) {
            int32_t g = w.went[from[0]];
            w.went[i] = passed_on(&w, g, put2(&w, C_div, g, w.went[from[1]]));
        }
        else {
            int32_t *arg = writer_spare(&w, count);
            for (int k = 0; k < count && !w.memory.failed; k++) {
                arg[k] = w.went[from[k]];
            }
            w.went[i] = put(&w, code, arg, count, ir->number[i]);
        }
    }
    w.to->forward = ir->forward >= ir->count ? w.to->count : w.to->forward;
    return finish(&w);
}
