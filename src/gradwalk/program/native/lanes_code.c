/* Machine code for the steps of a plan. Start reading at lanes_code_new, then emit_segment.
 *
 * The interpreter of lanes_kernels.c reads one or two slots from memory in each step. Code keeps them in registers. It
 * does the same operations on each lane in the same order, so results are equal bit by bit.
 *
 *     segment   a few dozen steps, as a loop over a block. One pass does `wide` vectors of each slot. Values pass from
 *               step to step in registers, and between segments in slots.
 *     loop      segments that are run again and again. Slots that move from round to round have a pointer of their own.
 *     stretch   segments and loops in a row, or steps that the interpreter runs because there is no code for them
 *
 * The next read of each slot is known. When registers run out, the one whose next read is farthest away is freed.
 */

#include "lanes_code.h"
#include "lanes_loops.h"

#if LANES_CODE

#include "x86.h"

#include <string.h>
#include <sys/mman.h>

enum {
    GROUPS = 8,          /* of the processor's registers; group g is the registers g, g + GROUPS, … */
    BLOCKS = GROUPS - 1, /* registers of slots: a group each; those of the last group hold a uniform number in all lanes */
    REGISTERS = BLOCKS + 4, /* at most */
    SCRATCH = 15,        /* of AVX2, the last one: what a comparison finds */
    LENGTH = 24,         /* steps of a segment, about */
    NEARBY = 64,         /* a slot that is read again within so many steps is better not cut off from its read */
    MOST_SUMS = 32,      /* in a segment */
    MOST_STEPS = 400000, /* of a plan: more would not fit into the caches */
    LEAST_STEPS = 16,    /* of a stretch, on average: shorter ones lose more between stretches than they gain */
    NEVER = INT32_MAX,
};

typedef struct {
    int32_t code; /* where its code begins, or 0 */
    int32_t step; /* where its steps begin */
} Stretch;

struct LanesCode {
    Arena kept;                 /* of both arrays */
    Array stretches, steps;
    uint8_t *memory;
    size_t bytes;
    int lanes;
};

/* Constants, in front of the code; for AVX2 each in all lanes. */
static const uint64_t pool[8] = {
    0x3FF0000000000000, 0x8000000000000000, 0x7FFFFFFFFFFFFFFF, 0x7FF0000000000000, 0, 0x3FE0000000000000,
    0xBFF0000000000000, 0xFFF0000000000000,
};
enum { ONE, SIGN, MAGNITUDE, INFINITE, ZERO, HALF, MINUS_ONE, MINUS_INFINITE };


/* An AHEAD of a loop. */
typedef struct {
    int64_t input, lane; /* the input's number times 8; the first scenario, from the block's first on */
} Fetch;

typedef struct {
    Arena memory;
    Code code;
    const Lanes *plan;
    int vector;            /* bytes */
    int wide;              /* vectors of a slot that one pass of a segment holds in registers */
    int registers;         /* of slots and of uniform numbers */
    /* RAX points so many bytes into the slots, R15 to those that move in a loop: most distances fit into a byte. */
    int32_t bias, moving_bias;
    int inputs;            /* INPUTS_* */
    int32_t begin, end;    /* steps of the segment */
    /* by step and operand, by entry of the table: the step that reads the slot or uniform number next */
    int32_t (*next)[4]; /* of out, x, y and z */
    int32_t *last;         /* by step: the last read of the slot that it stores */
    int32_t *crossing;     /* by step: slots in use before it that are read again soon */
    int32_t *soonest, *latest; /* by variable, while these are found: its reads after the step at hand */
    /* A variable is a slot, or slot_count + number for a uniform number. */
    int8_t *where;         /* by variable: its register, or -1 */
    uint8_t *in_memory;    /* by variable: memory holds it, too */
    int32_t held[REGISTERS], next_read[REGISTERS]; /* by register: the variable, or -1; when it is read */
    bool pinned[REGISTERS];
    int made;              /* the register of a result that is no slot yet, or -1 */
    int sums;
    int32_t sum_total[MOST_SUMS];
    /* loops */
    LoopFinder *finder;
    int32_t *plain, *plain_of; /* the numbers of all steps but AHEAD; by step: its place among these */
    const StepLoop *loop;  /* the one that is emitted, or NULL */
    uint8_t *moves;        /* by variable: whether it is a slot that moves in this loop */
    int32_t fetches, fetched; /* AHEADs in a round of it; of these, already emitted */
} Emitter;

/* What must be true of right code. Where it is not, there is no code, and the interpreter runs the steps. */
static void
must(Emitter *e, bool is_true)
{
    e->code.failed = e->code.failed || !is_true;
}

/* ── Variables in registers ─────────────────────────────────────────────────────────────────── */

static X86Operand
constant(const Emitter *e, int k)
{
    return (X86Operand){X86_POOL, 0, (e->code.vex ? e->vector : 8) * k, !e->code.vex};
}

static int32_t
variable_of(const Emitter *e, int32_t operand)
{
    return operand >= 0 ? operand : e->plan->slot_count + ~operand;
}

/* The processor's register with vector j. */
static int
vector(int reg, int j)
{
    return reg < BLOCKS ? reg + j * GROUPS : BLOCKS + (reg - BLOCKS) * GROUPS;
}

static bool
is_number(const Emitter *e, int32_t variable)
{
    return variable >= e->plan->slot_count;
}

/* Vector j of a variable in memory. */
static X86Operand
at(const Emitter *e, int32_t variable, int j)
{
    int32_t number = variable - e->plan->slot_count, bytes = (variable * LANES_VECTORS + j) * e->vector;
    if (number >= 0) {
        return e->code.vex ? x86_memory(RSI, e->vector * number) : x86_number(RSI, 8 * number);
    }
    return e->moves[variable] ? x86_memory(R15, bytes - e->moving_bias) : x86_memory(RAX, bytes - e->bias);
}

static void
fill(Emitter *e, int reg, int32_t variable)
{
    for (int j = 0; j < (reg < BLOCKS ? e->wide : 1); j++) {
        X86Operand from = at(e, variable, j);
        x86_vector(&e->code, from.spread ? X86_SPREAD : X86_LOAD, vector(reg, j), 0, from);
    }
}

static void
store(Emitter *e, int reg, int32_t variable)
{
    for (int j = 0; j < e->wide; j++) {
        x86_vector(&e->code, X86_STORE, vector(reg, j), 0, at(e, variable, j));
    }
}

static void
forget(Emitter *e, int reg)
{
    if (e->held[reg] >= 0) {
        e->where[e->held[reg]] = -1;
        e->held[reg] = -1;
    }
}

static bool
is_free(const Emitter *e, int reg)
{
    return e->held[reg] < 0 && reg != e->made && !e->pinned[reg];
}

/* The register to free next: a free one, or the one that is read last; -1 if all are in use now. */
static int
farthest(const Emitter *e, bool number)
{
    int best = -1;
    for (int r = number ? BLOCKS : 0; r < (number ? e->registers : BLOCKS); r++) {
        if (is_free(e, r)) {
            return r;
        }
        if (!e->pinned[r] && r != e->made && (best < 0 || e->next_read[r] > e->next_read[best])) {
            best = r;
        }
    }
    return best;
}

/* A register, pinned until the end of the step. */
static int
take(Emitter *e, bool number)
{
    int r = farthest(e, number);
    must(e, r >= 0);
    r = r >= 0 ? r : number ? BLOCKS : 0;
    int32_t variable = e->held[r];
    if (variable >= 0 && !e->in_memory[variable]) {
        store(e, r, variable);
        e->in_memory[variable] = 1;
    }
    forget(e, r);
    e->pinned[r] = true;
    return r;
}

/* An operand of a step: in a register, or (-1) in memory. What is no slot yet is no variable: -1. */
typedef struct {
    int reg;
    int32_t variable;
} Place;

static Place
place(Emitter *e, int32_t variable, int32_t next)
{
    int r = e->where[variable];
    if (r < 0 && next < e->end) {
        int other = farthest(e, is_number(e, variable));
        if (other >= 0 && (is_free(e, other) || e->next_read[other] > next)) {
            r = take(e, is_number(e, variable));
            fill(e, r, variable);
            e->held[r] = variable;
            e->where[variable] = (int8_t)r;
        }
    }
    if (r >= 0) {
        e->pinned[r] = true;
        e->next_read[r] = next;
    }
    else {
        must(e, e->in_memory[variable]);
    }
    return (Place){r, variable};
}

static X86Operand
operand(const Emitter *e, Place p, int j)
{
    return p.reg >= 0 ? x86_register(vector(p.reg, j)) : at(e, p.variable, j);
}

static void
into_register(Emitter *e, Place *p)
{
    if (p->reg < 0) {
        p->reg = take(e, is_number(e, p->variable) && farthest(e, true) >= 0);
        fill(e, p->reg, p->variable);
    }
}

/* Unpin all registers but `kept`. Free those that this segment does not read again. */
static void
release(Emitter *e, int kept)
{
    for (int r = 0; r < e->registers; r++) {
        e->pinned[r] = e->pinned[r] && r == kept;
        if (r != kept && e->held[r] >= 0 &&
            (e->next_read[r] == NEVER || (e->next_read[r] >= e->end && e->in_memory[e->held[r]]))) {
            forget(e, r);
        }
    }
}

/* The register of a result that is written when its operands have been read; that of `kept` stays as it is. */
static int
result(Emitter *e, int kept)
{
    release(e, kept);
    return take(e, false);
}

static void
finish(Emitter *e, int reg)
{
    e->made = reg;
    release(e, -1);
}

/* A copy of an operand in a register that may change. */
static int
copy(Emitter *e, Place p)
{
    int r = take(e, false);
    if (p.reg < 0) {
        fill(e, r, p.variable);
    }
    for (int j = 0; j < e->wide && p.reg >= 0; j++) {
        x86_vector(&e->code, X86_LOAD, vector(r, j), 0, operand(e, p, j));
    }
    return r;
}

/* ── Steps ──────────────────────────────────────────────────────────────────────────────────── */

static void
swap(Place *x, Place *y)
{
    Place z = *x;
    *x = *y;
    *y = z;
}

static void
emit_two(Emitter *e, X86 what, Place x, Place y)
{
    if (x.reg < 0 && y.reg >= 0 && (what == X86_ADD || what == X86_MUL)) {
        swap(&x, &y);
    }
    if (x.reg < 0 && is_number(e, x.variable)) {
        into_register(e, &x);
    }
    int r = x.reg >= 0 ? result(e, -1) : copy(e, x);
    x.reg = x.reg >= 0 ? x.reg : r;
    for (int j = 0; j < e->wide; j++) {
        x86_vector(&e->code, what, vector(r, j), vector(x.reg, j), operand(e, y, j));
    }
    finish(e, r);
}

/* ADD_PRODUCT or LESS_PRODUCT: z + x·y or z - x·y, with the product rounded by itself. */
static void
emit_product(Emitter *e, int how, Place x, Place y, Place z)
{
    if (how == LESS_PRODUCT) {
        into_register(e, &z);
    }
    if (x.reg < 0) {
        swap(&x, &y);
    }
    if (x.reg < 0 && is_number(e, y.variable)) {
        swap(&x, &y);
        into_register(e, &x);
    }
    int r;
    if (x.reg >= 0) {
        r = result(e, z.reg);
    }
    else {
        r = x.reg = take(e, false);
        fill(e, r, x.variable);
    }
    for (int j = 0; j < e->wide; j++) {
        x86_vector(&e->code, X86_MUL, vector(r, j), vector(x.reg, j), operand(e, y, j));
    }
    for (int j = 0; j < e->wide; j++) {
        if (how == LESS_PRODUCT) {
            x86_vector(&e->code, X86_SUB, vector(r, j), vector(z.reg, j), x86_register(vector(r, j)));
        }
        else {
            x86_vector(&e->code, X86_ADD, vector(r, j), vector(r, j), operand(e, z, j));
        }
    }
    finish(e, r);
}

/* Where x compares with y, for where_mask: in a mask of each vector's own, so that one need not wait for the other; or,
 * for AVX2, in SCRATCH. */
static void
compare(Emitter *e, Place x, int how, X86Operand y, int j)
{
    if (e->code.vex) {
        x86_vex(&e->code, X86_COMPARE, SCRATCH, vector(x.reg, j), y, how);
    }
    else {
        x86_masked(&e->code, X86_COMPARE, 2 + j, vector(x.reg, j), y, 0, false, how);
    }
}

/* Value x where vector j was last found to compare; elsewhere 0 or, with `keep`, what was there. */
static void
where_mask(Emitter *e, int reg, X86Operand x, int j, bool keep)
{
    int r = vector(reg, j);
    if (!e->code.vex) {
        x86_masked(&e->code, x.spread ? X86_SPREAD : X86_LOAD, r, 0, x, 2 + j, !keep, -1);
    }
    else if (keep) {
        x86_vex(&e->code, X86_BLEND, r, r, x, SCRATCH << 4);
    }
    else {
        x86_vex(&e->code, X86_AND, r, SCRATCH, x, -1);
    }
}

/* 1 where x compares with y, else 0. */
static void
emit_compare(Emitter *e, int how, Place x, Place y)
{
    into_register(e, &x);
    int r = result(e, -1);
    for (int j = 0; j < e->wide; j++) {
        compare(e, x, how, operand(e, y, j), j);
        where_mask(e, r, constant(e, ONE), j, false);
    }
    finish(e, r);
}

/* y where x compares with 0, else 0. */
static void
emit_choose(Emitter *e, int how, Place x, Place y)
{
    into_register(e, &x);
    int r = result(e, -1);
    for (int j = 0; j < e->wide; j++) {
        compare(e, x, how, constant(e, ZERO), j);
        where_mask(e, r, operand(e, y, j), j, false);
    }
    finish(e, r);
}

/* Whether an operand is a constant other than 0 and nan. */
static bool
is_plain_constant(const Emitter *e, Place p)
{
    if (p.variable < 0 || !is_number(e, p.variable)) {
        return false;
    }
    const Ir *ir = e->plan->ir;
    Uniform u = e->plan->uniform[p.variable - e->plan->slot_count];
    double x = u.value < 0 ? u.number : ir->code[u.value] == CONST ? ir->number[u.value] : 0.0;
    return x < 0 || x > 0;
}

/* The processor's own maximum is y where x is nan; the row's is x. With a constant as the first it is the row's, too. */
static void
emit_extreme(Emitter *e, X86 what, Place x, Place y)
{
    if (is_plain_constant(e, y)) {
        swap(&x, &y);
    }
    bool constant = is_plain_constant(e, x);
    into_register(e, &x);
    int r = take(e, false);
    for (int j = 0; j < e->wide; j++) {
        if (!constant) {
            compare(e, x, X86_UNORDERED, operand(e, x, j), j);
        }
        x86_vector(&e->code, what, vector(r, j), vector(x.reg, j), operand(e, y, j));
        if (!constant) {
            where_mask(e, r, operand(e, x, j), j, true);
        }
    }
    finish(e, r);
}

/* 1 where x compares with y, 0.5 where they are equal, else 0. */
static void
emit_slope(Emitter *e, int how, Place x, Place y)
{
    into_register(e, &x);
    int r = take(e, false);
    for (int j = 0; j < e->wide; j++) {
        compare(e, x, X86_EQ, operand(e, y, j), j);
        where_mask(e, r, constant(e, HALF), j, false);
        compare(e, x, how, operand(e, y, j), j);
        where_mask(e, r, constant(e, ONE), j, true);
    }
    finish(e, r);
}

/* y where x is not 0, else z. */
static void
emit_where(Emitter *e, Place x, Place y, Place z)
{
    into_register(e, &x);
    int r = copy(e, z);
    for (int j = 0; j < e->wide; j++) {
        compare(e, x, X86_NEU, constant(e, ZERO), j);
        where_mask(e, r, operand(e, y, j), j, true);
    }
    finish(e, r);
}

/* x, but y where it is less than y, and z where it is greater than z. */
static void
emit_clip(Emitter *e, Place x, Place y, Place z)
{
    into_register(e, &x);
    int r = take(e, false);
    for (int j = 0; j < e->wide; j++) {
        x86_vector(&e->code, X86_LOAD, vector(r, j), 0, operand(e, x, j));
        compare(e, x, X86_LT, operand(e, y, j), j);
        where_mask(e, r, operand(e, y, j), j, true);
        compare(e, x, X86_GT, operand(e, z, j), j);
        where_mask(e, r, operand(e, z, j), j, true);
    }
    finish(e, r);
}

/* 1 where x is greater than 0, -1 where it is less, else x. */
static void
emit_sign(Emitter *e, Place x)
{
    into_register(e, &x);
    int r = take(e, false);
    for (int j = 0; j < e->wide; j++) {
        x86_vector(&e->code, X86_LOAD, vector(r, j), 0, operand(e, x, j));
        compare(e, x, X86_GT, constant(e, ZERO), j);
        where_mask(e, r, constant(e, ONE), j, true);
        compare(e, x, X86_LT, constant(e, ZERO), j);
        where_mask(e, r, constant(e, MINUS_ONE), j, true);
    }
    finish(e, r);
}

/* An instruction with x as its last operand, or as its second with a constant as the last. */
static void
emit_one(Emitter *e, X86 what, Place x, int number, int last)
{
    if (number >= 0) {
        into_register(e, &x);
    }
    int r = result(e, -1);
    for (int j = 0; j < e->wide; j++) {
        x86_last(&e->code, what, vector(r, j), number >= 0 ? vector(x.reg, j) : 0,
                 number >= 0 ? constant(e, number) : operand(e, x, j), last);
    }
    finish(e, r);
}

/* x ** 0.5: see v_root in vectors.h. */
static void
emit_root(Emitter *e, Place x)
{
    into_register(e, &x);
    int r = take(e, false);
    for (int j = 0; j < e->wide; j++) {
        compare(e, x, X86_EQ, constant(e, MINUS_INFINITE), j);
        x86_vector(&e->code, X86_ADD, vector(r, j), vector(x.reg, j), constant(e, ZERO));
        x86_vector(&e->code, X86_SQRT, vector(r, j), 0, x86_register(vector(r, j)));
        where_mask(e, r, constant(e, INFINITE), j, true);
    }
    finish(e, r);
}

static void
emit_inverse(Emitter *e, Place x)
{
    int r = take(e, false);
    for (int j = 0; j < e->wide; j++) {
        x86_vector(&e->code, X86_SPREAD, vector(r, j), 0, constant(e, ONE));
        x86_vector(&e->code, X86_DIV, vector(r, j), vector(r, j), operand(e, x, j));
    }
    finish(e, r);
}

/* total += x·y, or x. The vectors of even number are added to one row beside the slots, those of odd number to the
 * other, from the last pass to the first, as the kernels' ADD_UP does. Each row is -0.0 before: see clear_sums. */
static void
emit_sum(Emitter *e, int32_t total, Place x, const Place *y)
{
    if (x.reg < 0 && y != NULL) {
        into_register(e, &x);
    }
    int r = take(e, false);
    for (int j = 0; j < e->wide; j++) {
        if (y != NULL) {
            x86_vector(&e->code, X86_MUL, vector(r, j), vector(x.reg, j), operand(e, *y, j));
        }
        else {
            x86_vector(&e->code, X86_LOAD, vector(r, j), 0, operand(e, x, j));
        }
    }
    for (int j = e->wide - 1; j >= 0; j--) {
        int32_t row = (2 * e->sums + j % 2) * e->vector;
        X86Operand before = j >= e->wide - 2 ? x86_memory(R8, row) : x86_register(vector(r, j + 2));
        x86_vector(&e->code, X86_ADD, vector(r, j), vector(r, j), before);
        if (j < 2) {
            x86_vector(&e->code, X86_STORE, vector(r, j), 0, x86_memory(R8, row));
        }
    }
    e->sum_total[e->sums++] = total;
    release(e, -1);
}

/* The result of step k becomes a slot. */
static void
emit_result(Emitter *e, int32_t k)
{
    int r = e->made;
    int32_t slot = e->plan->steps[k].out;
    e->made = -1;
    if (e->where[slot] >= 0) {
        forget(e, e->where[slot]);
    }
    e->held[r] = slot;
    e->where[slot] = (int8_t)r;
    e->next_read[r] = e->next[k][0];
    e->in_memory[slot] = e->last[k] >= e->end;
    if (e->in_memory[slot]) {
        store(e, r, slot);
    }
}

/* R10, a scenario, becomes the address of its input, and R9 the distance to the next scenario's. The number of the input
 * is `input` and, if it is not NULL, an eighth of `more`. */
static void
emit_address(Code *code, int32_t input, const X86Operand *more)
{
    int32_t entry = 8 * input;
    x86_scalar(code, X86_MOVE, R9, x86_memory(RCX, offsetof(Block, stride)));
    x86_scalar(code, X86_MOVE, R11, x86_memory(RCX, offsetof(Block, base)));
    if (more != NULL) {
        x86_scalar(code, X86_PLUS, R9, *more);
        x86_scalar(code, X86_PLUS, R11, *more);
    }
    x86_scalar(code, X86_MOVE, R9, x86_memory(R9, entry));
    x86_scalar(code, X86_TIMES, R10, x86_register(R9));
    x86_scalar(code, X86_PLUS, R10, x86_memory(R11, entry));
}

/* R10 = the block's first scenario and what the pass is done with: one for each vector, or for each number. */
static void
emit_pass(Emitter *e, int bytes)
{
    uint8_t shift = bytes == 64 ? 6 : bytes == 32 ? 5 : 3;
    const uint8_t divide[] = {0x49, 0xC1, 0xEA, shift}; /* r10 >>= shift */
    x86_scalar(&e->code, X86_ADDRESS, R10, x86_memory(RAX, -e->bias));
    x86_scalar(&e->code, X86_MINUS, R10, x86_register(RDI));
    x86_bytes(&e->code, divide, sizeof divide);
    x86_scalar(&e->code, X86_PLUS, R10, x86_memory(RCX, offsetof(Block, first)));
}

/* R10, a scenario, becomes the distance of its number from that of scenario 0, where scenarios are side by side. */
static void
emit_distance(Code *code)
{
    for (int k = 0; k < 3; k++) {
        x86_scalar(code, X86_PLUS, R10, x86_register(R10));
    }
}

/* R11 = the address of an input, R10 bytes from scenario 0 on; see emit_address. */
static void
emit_column(Code *code, int32_t input, const X86Operand *more)
{
    x86_scalar(code, X86_MOVE, R11, x86_memory(RCX, offsetof(Block, base)));
    if (more != NULL) {
        x86_scalar(code, X86_PLUS, R11, *more);
    }
    x86_scalar(code, X86_MOVE, R11, x86_memory(R11, 8 * input));
    x86_scalar(code, X86_PLUS, R11, x86_register(R10));
}

enum { CACHE_LINE = 64 };

/* What an AHEAD fetches: eight scenarios; or, where scenarios are side by side, as many lines of the inputs from this one
 * on, so that those of an INS fetch all that it reads. */
static Fetch
fetch_of(const Emitter *e, const Step *step)
{
    int32_t lanes = e->plan->lanes, lane = step->z % lanes;
    if (e->inputs != INPUTS_COLUMNS) {
        return (Fetch){8 * (int64_t)step->y, step->z};
    }
    return (Fetch){8 * (int64_t)(step->y + lane / 8 * CACHE_LINE / lanes), step->z - lane};
}

/* Fetch into the cache: each pass does its share. `step` says what; or, if it is NULL, in a loop, the table that R14
 * points to. */
static void
emit_ahead(Emitter *e, const Step *step)
{
    Code *code = &e->code;
    Fetch fetch = step != NULL ? fetch_of(e, step) : (Fetch){0, 0};
    X86Operand input = x86_memory(R14, (int32_t)sizeof(Fetch) * e->fetched), *more = step != NULL ? NULL : &input;
    int32_t first = (int32_t)fetch.input / 8;
    bool columns = e->inputs == INPUTS_COLUMNS;
    emit_pass(e, columns ? 8 : e->vector);
    if (step != NULL) {
        x86_scalar(code, X86_ADDRESS, R10, x86_memory(R10, (int32_t)fetch.lane));
    }
    else {
        x86_scalar(code, X86_PLUS, R10, x86_memory(R14, input.offset + (int32_t)offsetof(Fetch, lane)));
        e->fetched++;
    }
    if (columns) {
        emit_distance(code);
        for (int32_t k = 0, bytes = e->wide * e->vector; k < CACHE_LINE / e->plan->lanes; k++) {
            emit_column(code, first + k, more);
            for (int32_t line = 0; line < bytes; line += CACHE_LINE) {
                x86_scalar(code, X86_FETCH, 2, x86_memory(R11, line));
            }
        }
        return;
    }
    emit_address(code, first, more);
    for (int k = 0; k < e->wide; k++) {
        x86_scalar(code, X86_FETCH, 2, x86_memory(R10, 0));
        x86_scalar(code, X86_PLUS, R10, x86_register(R9));
    }
}

/* Eight numbers of four scenarios each, from R10 on, become vector j of eight slots. */
static void
emit_turn_four(Emitter *e, const int32_t *to, int j)
{
    Code *code = &e->code;
    for (int k = 0; k < 4; k++) {
        x86_vector(code, X86_LOAD_ANY, k, 0, x86_memory(R10, 0));
        x86_vector(code, X86_LOAD_ANY, 4 + k, 0, x86_memory(R10, 32));
        x86_scalar(code, X86_PLUS, R10, x86_register(R9));
    }
    for (int k = 0; k < 8; k++) {
        x86_vector(code, k % 2 ? X86_UNPACK_HIGH : X86_UNPACK_LOW, 8 + k, k & ~1, x86_register(k | 1));
    }
    for (int k = 0; k < 8; k++) { /* 0 and 1 with 2 and 3; 4 and 5 with 6 and 7 */
        x86_last(code, X86_HALVES, k, 8 + (k & 5), x86_register(8 + (k & 5) + 2), k & 2 ? 0x31 : 0x20);
        x86_vector(code, X86_STORE, k, 0, at(e, to[k], j));
    }
}

/* The same with eight scenarios. */
static void
emit_turn_eight(Emitter *e, const int32_t *to, int j)
{
    Code *code = &e->code;
    for (int k = 0; k < 8; k++) {
        x86_vector(code, X86_LOAD_ANY, k, 0, x86_memory(R10, 0));
        x86_scalar(code, X86_PLUS, R10, x86_register(R9));
    }
    for (int k = 0; k < 8; k++) {
        x86_vector(code, k % 2 ? X86_UNPACK_HIGH : X86_UNPACK_LOW, 8 + k, k & ~1, x86_register(k | 1));
    }
    for (int k = 0; k < 8; k++) { /* 0, 1 with 2, 3; 4, 5 with 6, 7 */
        x86_last(code, X86_SHUFFLE, k, 8 + (k & 5), x86_register(8 + (k | 2)), k & 2 ? 0xDD : 0x88);
    }
    for (int k = 0; k < 8; k++) {
        x86_last(code, X86_SHUFFLE, 8 + k, k & 3, x86_register(k | 4), k & 4 ? 0xDD : 0x88);
        x86_vector(code, X86_STORE, 8 + k, 0, at(e, to[k], j));
    }
}

/* The eight inputs of each scenario are side by side: see side_by_side in lanes_kernels.c and turn; or the scenarios of
 * each input are. Before it, nothing is in registers. */
static void
emit_inputs(Emitter *e, const Step *step)
{
    Code *code = &e->code;
    const int32_t *to = e->plan->table + step->z;
    const X86Operand rounds = x86_register(RBP), *more = e->loop != NULL ? &rounds : NULL;
    emit_pass(e, 8);
    if (e->inputs == INPUTS_COLUMNS) {
        emit_distance(code);
        for (int k = 0; k < 8; k++) {
            emit_column(code, step->y + k, more);
            for (int j = 0; j < e->wide; j++) {
                x86_vector(code, X86_LOAD_ANY, j, 0, x86_memory(R11, j * e->vector));
                x86_vector(code, X86_STORE, j, 0, at(e, to[k], j));
            }
        }
        return;
    }
    emit_address(code, step->y, more);
    for (int j = 0; j < e->wide; j++) {
        if (code->vex) {
            emit_turn_four(e, to, j);
        }
        else {
            emit_turn_eight(e, to, j);
        }
    }
}

/* Emit step k, or only say whether there is code for it. */
static bool
emit_step(Emitter *e, int32_t k, bool dry)
{
    const Step *step = &e->plan->steps[k];
    const int32_t given[3] = {step->x, step->y, step->z};
    Place place_of[3] = {{-1, -1}, {-1, -1}, {-1, -1}};
    for (int o = 0; o < lanes_step_reads(step->step) && !dry; o++) {
        place_of[o] = place(e, variable_of(e, given[o]), e->next[k][1 + o]);
    }
    Place X = place_of[0], Y = place_of[1], Z = place_of[2];
#define DO(emit) \
    if (!dry) { \
        emit; \
    } \
    break
    switch (step->step) {
    case COPY: DO(finish(e, copy(e, X)));
    case C_add: DO(emit_two(e, X86_ADD, X, Y));
    case C_sub: DO(emit_two(e, X86_SUB, X, Y));
    case C_mul: DO(emit_two(e, X86_MUL, X, Y));
    case C_div: case DRAW: DO(emit_two(e, X86_DIV, X, Y));
    case ADD_PRODUCT: case LESS_PRODUCT: DO(emit_product(e, step->step, X, Y, Z));
    case C_neg: DO(emit_one(e, X86_XOR, X, SIGN, -1));
    case SQUARE: DO(emit_two(e, X86_MUL, X, X));
    case ROOT: DO(emit_root(e, X));
    case INVERSE: DO(emit_inverse(e, X));
    case INVERSE_ROOT: DO(emit_root(e, X); emit_inverse(e, (Place){e->made, -1}));
    case LT: DO(emit_compare(e, X86_LT, X, Y));
    case LE: DO(emit_compare(e, X86_LE, X, Y));
    case GT: DO(emit_compare(e, X86_GT, X, Y));
    case GE: DO(emit_compare(e, X86_GE, X, Y));
    case EQ: DO(emit_compare(e, X86_EQ, X, Y));
    case NE: DO(emit_compare(e, X86_NEU, X, Y));
    case GATE: DO(emit_choose(e, X86_GT, Y, X));
    case CHOOSE: DO(emit_choose(e, X86_NEU, X, Y));
    case REFUSE: DO(emit_choose(e, X86_EQ, X, Y));
    case C_abs: DO(emit_one(e, X86_AND, X, MAGNITUDE, -1));
    case C_sign: case by_x_abs: DO(emit_sign(e, X));
    case C_sqrt: DO(emit_one(e, X86_SQRT, X, -1, -1));
    case C_floor: DO(emit_one(e, X86_ROUND, X, -1, X86_DOWN));
    case C_relu: DO(emit_choose(e, X86_NLEU, X, X));
    case C_maximum: DO(emit_extreme(e, X86_MAX, X, Y));
    case C_minimum: DO(emit_extreme(e, X86_MIN, X, Y));
    case by_x_maximum: case by_y_minimum: DO(emit_slope(e, X86_GT, X, Y));
    case by_y_maximum: case by_x_minimum: DO(emit_slope(e, X86_LT, X, Y));
    case C_where: DO(emit_where(e, X, Y, Z));
    case C_clip: DO(emit_clip(e, X, Y, Z));
    case STEP_SUM: DO(emit_sum(e, step->out, X, NULL));
    case STEP_SUM2: DO(emit_sum(e, step->out, X, &Y));
    case STEP_AHEAD: DO(emit_ahead(e, step));
    case STEP_INS: /* done at the end of its segment */
        return e->inputs != INPUTS_ANYWHERE;
    default:
        return false;
    }
    if (!dry && lanes_step_writes(step->step)) {
        emit_result(e, k);
    }
    return true;
}

/* ── Segments ───────────────────────────────────────────────────────────────────────────────── */

/* What the interpreter or INS writes is in memory. */
static void
note_written(Emitter *e, const Step *step)
{
    if (lanes_step_writes(step->step)) {
        e->in_memory[step->out] = 1;
    }
    int32_t from, count = lanes_table_written(step, &from);
    for (int32_t t = from; t < from + count; t++) {
        e->in_memory[e->plan->table[t]] = 1;
    }
}

/* The mean of the slots that the segment reads or writes: of those that move, or of the others. */
static int32_t
middle_slot(const Emitter *e, bool moving)
{
    int64_t sum = 0, count = 0;
    for (int32_t k = e->begin; k < e->end; k++) {
        const Step *step = &e->plan->steps[k];
        const int32_t operand[4] = {step->out, step->x, step->y, step->z};
        for (int o = !lanes_step_writes(step->step); o <= lanes_step_reads(step->step); o++) {
            if (operand[o] >= 0 && e->moves[operand[o]] == moving) {
                sum += operand[o];
                count++;
            }
        }
    }
    return count == 0 ? 0 : (int32_t)(sum / count);
}

/* Emit step k of a loop, and the AHEADs that are due: these are spread evenly over a round. */
static void
emit_in_loop(Emitter *e, int32_t k)
{
    if (e->plan->steps[k].step == STEP_AHEAD) {
        return;
    }
    int64_t done = e->plain_of[k] - e->loop->begin;
    while (e->fetched < e->fetches && 2 * done * e->fetches >= (2 * e->fetched + 1) * (int64_t)e->loop->period) {
        emit_ahead(e, NULL);
    }
    emit_step(e, k, false);
}

static bool
is_sum(const Step *step)
{
    return step->step == STEP_SUM || step->step == STEP_SUM2;
}

/* Rows of -0.0 for the sums of the segment: what is added to it stays as it is. */
static void
clear_sums(Emitter *e)
{
    int sums = 0;
    for (int32_t k = e->begin; k < e->end; k++) {
        sums += is_sum(&e->plan->steps[k]);
    }
    if (sums > 0) {
        x86_vector(&e->code, X86_SPREAD, 0, 0, constant(e, SIGN));
    }
    for (int row = 0; row < 2 * sums; row++) {
        x86_vector(&e->code, X86_STORE, 0, 0, x86_memory(R8, row * e->vector));
    }
}

static void
emit_segment(Emitter *e, int32_t begin, int32_t end)
{
    const Lanes *plan = e->plan;
    Code *code = &e->code;
    e->begin = begin;
    e->end = end;
    e->sums = 0;
    e->made = -1;
    for (int r = 0; r < e->registers; r++) {
        e->held[r] = -1;
        e->pinned[r] = false;
    }
    e->bias = middle_slot(e, false) * LANES_VECTORS * e->vector;
    x86_scalar(code, X86_ADDRESS, RAX, x86_memory(RDI, e->bias + (LANES_VECTORS - e->wide) * e->vector));
    if (e->loop != NULL) {
        e->moving_bias = middle_slot(e, true) * LANES_VECTORS * e->vector;
        x86_scalar(code, X86_ADDRESS, R15, x86_memory(RBX, e->moving_bias + (LANES_VECTORS - e->wide) * e->vector));
    }
    clear_sums(e);
    size_t loop = code->count;
    for (int32_t k = begin; k < end; k++) {
        if (e->loop != NULL) {
            emit_in_loop(e, k);
        }
        else {
            emit_step(e, k, false);
        }
    }
    for (int r = 0; r < e->registers; r++) {
        must(e, e->held[r] < 0 || e->in_memory[e->held[r]] || e->next_read[r] == NEVER);
        forget(e, r);
    }
    if (plan->steps[end - 1].step == STEP_INS) {
        emit_inputs(e, &plan->steps[end - 1]);
        note_written(e, &plan->steps[end - 1]);
    }
    uint8_t jump[6] = {0x0F, 0x83};
    x86_scalar(code, X86_ADDRESS, RAX, x86_memory(RAX, -e->wide * e->vector));
    if (e->loop != NULL) {
        x86_scalar(code, X86_ADDRESS, R15, x86_memory(R15, -e->wide * e->vector));
    }
    x86_scalar(code, X86_ADDRESS, R10, x86_memory(RAX, -e->bias));
    x86_scalar(code, X86_COMPARE_ADDRESS, R10, x86_register(RDI));
    x86_little(jump + 2, (int32_t)loop - (int32_t)code->count - 6);
    x86_bytes(code, jump, sizeof jump);
    for (int s = 0; s < e->sums; s++) {
        X86Operand total = x86_memory(RDX, e->sum_total[s] * e->vector);
        x86_vector(code, X86_LOAD, s % GROUPS, 0, x86_memory(R8, 2 * s * e->vector));
        x86_vector(code, X86_ADD, s % GROUPS, s % GROUPS, x86_memory(R8, (2 * s + 1) * e->vector));
        x86_vector(code, X86_ADD, s % GROUPS, s % GROUPS, total);
        x86_vector(code, X86_STORE, s % GROUPS, 0, total);
    }
}

/* Where the segment that begins at `begin` ends: between half and three halves of LENGTH, where the fewest slots that
 * are in use are read again. `most`: where its stretch ends. */
static int32_t
segment_end(const Emitter *e, int32_t begin, int32_t most)
{
    int sums = 0;
    int32_t best = -1;
    for (int32_t k = begin; k < most && k - begin < LENGTH * 3 / 2; k++) {
        if (e->plan->steps[k].step == STEP_INS) {
            return k + 1;
        }
        sums += is_sum(&e->plan->steps[k]);
        if (sums > MOST_SUMS) {
            return best > 0 ? best : k;
        }
        if (k - begin >= LENGTH / 2 && (best < 0 || e->crossing[k] <= e->crossing[best])) {
            best = k;
        }
    }
    return best < 0 || most - begin <= LENGTH ? most : best;
}

static void
emit_segments(Emitter *e, int32_t begin, int32_t end)
{
    for (int32_t k = begin, next; k < end; k = next) {
        next = segment_end(e, k, end);
        emit_segment(e, k, next);
    }
}

/* ── Loops ──────────────────────────────────────────────────────────────────────────────────── */

/* Let a loop begin where it is cut best: after INS, or where the fewest values in use are read again. This can cost two
 * rounds. */
static void
cut_loop(const Emitter *e, StepLoop *loop)
{
    int32_t best = loop->begin, least = NEVER;
    for (int32_t p = loop->begin; p < loop->begin + loop->period; p++) {
        int32_t k = e->plain[p], crossing = e->crossing[k];
        if (p > 0 && e->plan->steps[e->plain[p - 1]].step == STEP_INS) {
            crossing = -1;
        }
        if (crossing < least) {
            least = crossing;
            best = p;
        }
    }
    loop->count -= best > loop->begin;
    loop->begin = best;
}

/* The fetches of a loop, in the order of the steps, the same number for each round. If they cannot be divided evenly,
 * some are made twice. */
static void
emit_fetches(Emitter *e, int32_t begin, int32_t end)
{
    int64_t all = (end - begin) - (e->plain_of[end] - e->plain_of[begin]), rounds = e->loop->count;
    e->fetches = (int32_t)((all + rounds - 1) / rounds);
    int64_t put = 0, seen = 0, most = e->fetches * rounds;
    for (int32_t k = begin; k < end; k++) {
        const Step *step = &e->plan->steps[k];
        if (step->step == STEP_AHEAD) {
            const Fetch fetch = fetch_of(e, step);
            for (seen++; put * all < seen * most; put++) {
                x86_bytes(&e->code, (const uint8_t *)&fetch, sizeof fetch);
            }
        }
    }
}

/* A value that is read after the segment in any round must be stored in all rounds. */
static void
join_last_reads(Emitter *e)
{
    const StepLoop *loop = e->loop;
    for (int32_t p = loop->begin; p < loop->begin + loop->period; p++) {
        int32_t *last = &e->last[e->plain[p]];
        bool stores = lanes_step_writes(e->plan->steps[e->plain[p]].step);
        for (int32_t r = 1; r < loop->count && stores; r++) {
            int32_t then = e->last[e->plain[p + r * loop->period]];
            if (then >= 0) {
                then = e->plain[e->plain_of[then] - r * loop->period];
                *last = then > *last ? then : *last;
            }
        }
    }
}

/* In a loop these registers change from round to round:
 *
 *     RBX   points to the slots that move
 *     RBP   8 times the number of inputs that the rounds before have read
 *     R12   the number of rounds that are left
 *     R14   points to the fetches of the round
 */
static void
emit_loop(Emitter *e, const StepLoop *loop)
{
    static const uint8_t clear_rbp[] = {0x31, 0xED}, count_down[] = {0x49, 0xFF, 0xCC}; /* R12 */
    Code *code = &e->code;
    uint8_t over[5] = {0xE9}, rounds[6] = {0x41, 0xBC}, again[6] = {0x0F, 0x85};
    int32_t begin = e->plain[loop->begin], period_end = e->plain[loop->begin + loop->period - 1] + 1;
    int32_t end = e->plain[loop->begin + loop->period * loop->count - 1] + 1;
    e->loop = loop;
    e->fetched = 0;
    lanes_loops_mark(e->finder, loop, e->moves, 1);
    join_last_reads(e);
    size_t jump = code->count;
    x86_bytes(code, over, sizeof over);
    int32_t table = (int32_t)code->count;
    emit_fetches(e, begin, end);
    if (!code->failed) {
        x86_little(code->bytes + jump + 1, (int32_t)code->count - table);
    }
    x86_scalar(code, X86_ADDRESS, R14, (X86Operand){X86_POOL, 0, table, false});
    x86_scalar(code, X86_MOVE, RBX, x86_register(RDI));
    x86_bytes(code, clear_rbp, sizeof clear_rbp);
    x86_little(rounds + 2, loop->count);
    x86_bytes(code, rounds, sizeof rounds);
    size_t top = code->count;
    emit_segments(e, begin, period_end);
    x86_scalar(code, X86_ADDRESS, RBX, x86_memory(RBX, loop->slots * LANES_VECTORS * e->vector));
    x86_scalar(code, X86_ADDRESS, RBP, x86_memory(RBP, 8 * loop->inputs));
    x86_scalar(code, X86_ADDRESS, R14, x86_memory(R14, (int32_t)sizeof(Fetch) * e->fetches));
    x86_bytes(code, count_down, sizeof count_down);
    x86_little(again + 2, (int32_t)top - (int32_t)code->count - 6);
    x86_bytes(code, again, sizeof again);
    lanes_loops_mark(e->finder, loop, e->moves, 0);
    /* What was noted is true of the first round. After a loop, as after a segment, memory holds all that is read. */
    memset(e->in_memory, 1, (size_t)e->plan->slot_count);
    e->loop = NULL;
}

/* The steps begin … end - 1, which all have code. */
static void
emit_stretch(Emitter *e, int32_t begin, int32_t end)
{
    /* Save rbx, rbp, r12, r14 and r15, which are the caller's. At the end restore them, and return by vzeroupper, ret. */
    static const uint8_t enter[] = {0x53, 0x55, 0x41, 0x54, 0x41, 0x56, 0x41, 0x57};
    static const uint8_t leave[] = {0x41, 0x5F, 0x41, 0x5E, 0x41, 0x5C, 0x5D, 0x5B, 0xC5, 0xF8, 0x77, 0xC3};
    StepLoop loop;
    x86_bytes(&e->code, enter, sizeof enter);
    for (int32_t p = e->plain_of[begin], plain_end = e->plain_of[end];
         lanes_loops_next(e->finder, p, plain_end, &loop); p = loop.begin + loop.period * loop.count) {
        cut_loop(e, &loop);
        emit_segments(e, begin, e->plain[loop.begin]);
        emit_loop(e, &loop);
        begin = e->plain[loop.begin + loop.period * loop.count - 1] + 1;
    }
    emit_segments(e, begin, end);
    x86_bytes(&e->code, leave, sizeof leave);
}

/* ── Reads and writes ───────────────────────────────────────────────────────────────────────── */

static void
note_read(Emitter *e, int32_t k, int32_t variable, int32_t *next)
{
    int32_t then = e->soonest[variable];
    if (next != NULL) {
        *next = then;
    }
    if (then == NEVER) {
        e->latest[variable] = k;
    }
    else if (then - k < NEARBY && then > k && variable < e->plan->slot_count) {
        e->crossing[k + 1]++;
        e->crossing[then + 1]--;
    }
    e->soonest[variable] = k;
}

static void
note_write(Emitter *e, int32_t k, int32_t slot, int32_t *next)
{
    int32_t then = e->soonest[slot];
    if (next != NULL) {
        *next = then;
        e->last[k] = then == NEVER ? -1 : e->latest[slot];
    }
    if (then - k < NEARBY && then != NEVER) {
        e->crossing[k + 1]++;
        e->crossing[then + 1]--;
    }
    e->soonest[slot] = NEVER;
}

/* Walk backward over all steps, and note for each operand when it is read next. emit_step reads them in the order x, y,
 * z. */
static void
find_reads(Emitter *e)
{
    const Lanes *plan = e->plan;
    const int32_t *table = plan->table;
    for (int32_t k = plan->step_count - 1; k >= 0; k--) {
        const Step *step = &plan->steps[k];
        const int32_t operand[3] = {step->x, step->y, step->z};
        int32_t from, count = lanes_table_written(step, &from);
        for (int32_t t = from; t < from + count; t++) {
            note_write(e, k, table[t], NULL);
        }
        if (lanes_step_writes(step->step)) {
            note_write(e, k, step->out, &e->next[k][0]);
        }
        count = lanes_table_read(step, &from);
        for (int32_t t = from + count - 1; t >= from; t--) {
            note_read(e, k, variable_of(e, table[t]), NULL);
        }
        for (int o = lanes_step_reads(step->step) - 1; o >= 0; o--) {
            note_read(e, k, variable_of(e, operand[o]), &e->next[k][1 + o]);
        }
    }
    for (int32_t k = 1; k <= plan->step_count; k++) {
        e->crossing[k] += e->crossing[k - 1];
    }
}

/* ── Public ─────────────────────────────────────────────────────────────────────────────────── */

static void
add_stretch(LanesCode *made, Stretch stretch)
{
    Stretch *at = array_add(&made->kept, &made->stretches, 1, sizeof *at);
    if (at != NULL) {
        *at = stretch;
    }
}

/* A stretch for the interpreter. */
static void
add_steps(LanesCode *made, Emitter *e, int32_t begin, int32_t end)
{
    add_stretch(made, (Stretch){0, made->steps.count});
    Step *to = array_add(&made->kept, &made->steps, end - begin + 1, sizeof *to);
    for (int32_t k = begin; k < end && to != NULL; k++) {
        *to++ = e->plan->steps[k];
        note_written(e, &e->plan->steps[k]);
    }
    if (to != NULL) {
        *to = e->plan->steps[e->plan->step_count - 1];
    }
}

/* Emit all stretches. */
static void
emit_all(Emitter *e, LanesCode *made)
{
    int32_t count = e->plan->step_count - 1; /* without END */
    for (size_t k = 0; k < sizeof pool / sizeof *pool; k++) {
        for (int lane = 0; lane < (e->code.vex ? e->vector / 8 : 1); lane++) {
            x86_bytes(&e->code, (const uint8_t *)&pool[k], sizeof pool[k]);
        }
    }
    for (int32_t k = 0, end; k < count; k = end) {
        bool known = emit_step(e, k, true);
        for (end = k + 1; end < count && emit_step(e, end, true) == known; end++) {
        }
        if (!known) {
            add_steps(made, e, k, end);
            continue;
        }
        add_stretch(made, (Stretch){(int32_t)e->code.count, 0});
        emit_stretch(e, k, end);
    }
}

/* Copy the code to pages of its own. They can be written first and run afterwards, never both. */
static bool
map_code(LanesCode *made, const Code *code)
{
    made->bytes = code->count;
    void *memory = mmap(NULL, code->count, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        return false;
    }
    made->memory = memory;
    memcpy(memory, code->bytes, code->count);
    return mprotect(memory, code->count, PROT_READ | PROT_EXEC) == 0;
}

/* Memory for the emitter. */
static bool
emitter_init(Emitter *e)
{
    const Lanes *plan = e->plan;
    size_t steps = (size_t)plan->step_count + 2, variables = (size_t)plan->slot_count + (size_t)plan->uniform_count + 1;
    e->next = arena_take(&e->memory, steps, sizeof *e->next, ANY_BYTE);
    e->last = arena_take(&e->memory, steps, sizeof *e->last, ANY_BYTE);
    e->crossing = arena_take(&e->memory, steps, sizeof *e->crossing, 0);
    e->where = arena_take(&e->memory, variables, 1, 0xFF);
    e->in_memory = arena_take(&e->memory, variables, 1, 1);
    e->soonest = arena_take(&e->memory, variables, sizeof *e->soonest, ANY_BYTE);
    e->latest = arena_take(&e->memory, variables, sizeof *e->latest, ANY_BYTE);
    e->plain = arena_take(&e->memory, steps, sizeof *e->plain, ANY_BYTE);
    e->plain_of = arena_take(&e->memory, steps, sizeof *e->plain_of, ANY_BYTE);
    e->moves = arena_take(&e->memory, variables, 1, 0);
    if (e->memory.failed) {
        return false;
    }
    int32_t count = 0;
    for (int32_t k = 0; k < plan->step_count; k++) {
        e->plain_of[k] = count;
        e->plain[count] = k;
        count += plan->steps[k].step != STEP_AHEAD;
    }
    e->finder = lanes_loops_new(&e->memory, plan, e->plain);
    for (size_t v = 0; v < variables; v++) {
        e->soonest[v] = NEVER;
    }
    return e->finder != NULL;
}

/* Whether each distance in the memory of a block fits into the 32 bits that an instruction has for it. */
static bool
distances_fit(const Lanes *plan)
{
    int64_t slots = (int64_t)plan->slot_count * plan->lanes, totals = (int64_t)plan->total_count * plan->width;
    int64_t most = INT32_MAX / 8;
    return slots < most && totals < most && plan->uniform_count * (int64_t)plan->width < most && plan->ir->slots < most;
}

LanesCode *
lanes_code_new(const Lanes *plan, int inputs, bool always)
{
    LanesCode *made = calloc(1, sizeof *made);
    bool known = plan->level == lanes_level(PROCESSOR_AVX2) || plan->level == lanes_level(PROCESSOR_AVX512);
    if (made == NULL || plan->single || !known || plan->step_count > MOST_STEPS ||
        !distances_fit(plan)) {
        free(made);
        return NULL;
    }
    bool vex = plan->level == lanes_level(PROCESSOR_AVX2);
    Emitter e = {.plan = plan, .inputs = inputs, .code.vex = vex, .vector = 8 * plan->width, .wide = vex ? 2 : 4,
                 .registers = BLOCKS + (vex ? 1 : 4)};
    made->lanes = vex ? plan->width : 1;
    bool good = emitter_init(&e);
    if (good) {
        find_reads(&e);
        emit_all(&e, made);
        good = !e.code.failed && !made->kept.failed &&
               (always || made->stretches.count < plan->step_count / LEAST_STEPS) && map_code(made, &e.code);
    }
    arena_end(&e.memory);
    free(e.code.bytes);
    if (!good) {
        lanes_code_free(made);
    }
    return good ? made : NULL;
}

void
lanes_code_free(LanesCode *code)
{
    if (code != NULL) {
        if (code->memory != NULL) {
            munmap(code->memory, code->bytes);
        }
        arena_end(&code->kept);
        free(code);
    }
}

size_t
lanes_code_bytes(const LanesCode *code)
{
    return code == NULL ? 0
                        : sizeof *code + code->bytes + (size_t)code->stretches.count * sizeof(Stretch) +
                              (size_t)code->steps.count * sizeof(Step);
}

int
lanes_code_lanes(const LanesCode *code)
{
    return code->lanes;
}

int
lanes_code_run(const LanesCode *code, Block *block, BlockRun interpret)
{
    typedef void (*Run)(char *memory, const double *spread, double *totals, Block *block, double *sums);
    double sums[MOST_SUMS * 2 * 8] __attribute__((aligned(64)));
    int status = 0;
    const Stretch *stretch = code->stretches.items, *end = stretch + code->stretches.count;
    for (; stretch != end && status == 0; stretch++) {
        if (stretch->code != 0) {
            Run run;
            const uint8_t *at = code->memory + stretch->code;
            memcpy(&run, &at, sizeof run);
            run(block->memory, block->spread, block->totals, block, sums);
        }
        else {
            block->steps = (const Step *)code->steps.items + stretch->step;
            status = interpret(block);
        }
    }
    return status;
}

#endif
