/* Loops among the steps of a plan: see lanes_loops.h. Start reading at lanes_loops_next.
 *
 * Where a few steps are seen again, the distance may be the period of a loop, or a part of it: inputs are read for
 * several rounds at once, and slots can take turns. So multiples of the distance are tried, too. A try compares every
 * round with the first one, operand by operand.
 */

#include "lanes_loops.h"

#include <string.h>

enum {
    WINDOW = 8,     /* steps that must be seen again before a loop is tried */
    LONGEST = 2048, /* steps of a round */
    MULTIPLES = 6,
    LEAST_ROUNDS = 4,
    LEAST_STEPS = 384, /* of all rounds: a shorter loop may be a part of the rounds of a longer one */
    TABLE = 4096,
};

enum { UNKNOWN, FIXED, MOVING }; /* slots */

struct LoopFinder {
    const Lanes *plan;
    const int32_t *plain;
    int32_t seen[TABLE];      /* by hash of WINDOW steps: where they were seen last */
    int32_t fails[LONGEST + 1]; /* by period: a try that begins before this step ends at the same difference */
    /* while a loop is tried */
    uint8_t *slot;            /* by slot: whether it moves, if it is one of the first round */
    int32_t *touched, touched_count; /* these slots */
};

static const Step *
step_at(const LoopFinder *f, int32_t k)
{
    return &f->plan->steps[f->plain[k]];
}

typedef struct {
    enum { SAME, SLOT, INPUTS_FROM, WHATEVER } kind;
    int32_t number;
} Operand;

/* Where in the table the entries of a step are, both read and written. */
static int32_t
entries(const Step *step, int32_t *from)
{
    int32_t count = lanes_table_written(step, from);
    return count > 0 ? count : lanes_table_read(step, from);
}

/* Operand n of a step: out, x, y, z, then its entries in the table. */
static Operand
operand(const LoopFinder *f, const Step *step, int32_t n, int32_t from)
{
    const int32_t given[4] = {step->out, step->x, step->y, step->z};
    Operand found = {SAME, n < 4 ? given[n] : f->plan->table[from + n - 4]};
    int32_t at, reads = lanes_step_reads(step->step);
    bool entry = n >= 4 || (n == 0 ? lanes_step_writes(step->step) : n <= reads);
    if (entry) {
        found.kind = found.number >= 0 ? SLOT : SAME;
    }
    else if (step->step == STEP_INS && n >= 2) {
        found.kind = n == 2 ? INPUTS_FROM : WHATEVER;
    }
    else if (n == 2 && lanes_table_written(step, &at) + lanes_table_read(step, &at) > 0) {
        found.kind = WHATEVER; /* where its entries are */
    }
    return found;
}

/* Compare an operand of the first round with the number that it has in a later round. Returns whether the loop can have
 * both. The second round (1) decides what moves. */
static bool
agree(LoopFinder *f, Operand first, int32_t then, int32_t round, StepLoop *loop)
{
    int32_t by = then - first.number;
    switch (first.kind) {
    case SLOT:
        if (then < 0) {
            return false;
        }
        if (round == 1) {
            uint8_t is = by == 0 ? FIXED : MOVING, was = f->slot[first.number];
            if (loop->slots == 0) {
                loop->slots = by;
            }
            if (was == UNKNOWN) {
                f->slot[first.number] = is;
                f->touched[f->touched_count++] = first.number;
            }
            return (was == UNKNOWN || was == is) && (is == FIXED || by == loop->slots);
        }
        return by == (f->slot[first.number] == MOVING ? round * loop->slots : 0);
    case INPUTS_FROM:
        if (round == 1 && loop->inputs == 0) {
            loop->inputs = by;
        }
        return by == round * loop->inputs;
    case WHATEVER:
        return true;
    default:
        return by == 0;
    }
}

static bool
steps_agree(LoopFinder *f, int32_t first, int32_t then, int32_t round, StepLoop *loop)
{
    const Step *x = step_at(f, first), *y = step_at(f, then);
    int32_t x_from, y_from;
    if (x->step != y->step) {
        return false;
    }
    int32_t count = entries(x, &x_from);
    if (count != entries(y, &y_from)) {
        return false;
    }
    for (int32_t n = 0; n < 4 + count; n++) {
        if (!agree(f, operand(f, x, n, x_from), operand(f, y, n, y_from).number, round, loop)) {
            return false;
        }
    }
    return true;
}

/* How many rounds there are before a slot that moves reaches one that does not. From there on, code could hold the same
 * slot in two registers. */
static int32_t
rounds_apart(const LoopFinder *f, const StepLoop *loop)
{
    int32_t rounds = loop->count;
    for (int32_t t = 0; t < f->touched_count; t++) {
        int32_t slot = f->touched[t];
        for (int32_t r = 1; r < rounds && f->slot[slot] == MOVING; r++) {
            if (f->slot[slot + r * loop->slots] == FIXED) {
                rounds = r;
            }
        }
    }
    return rounds;
}

static bool
try_loop(LoopFinder *f, int32_t begin, int32_t end, int32_t period, StepLoop *loop)
{
    if (begin < f->fails[period]) {
        return false;
    }
    *loop = (StepLoop){.begin = begin, .period = period, .count = 1};
    int32_t k = begin + period;
    while (k < end && steps_agree(f, begin + (k - begin) % period, k, (k - begin) / period, loop)) {
        k++;
    }
    loop->count = (k - begin) / period;
    if (loop->count >= LEAST_ROUNDS) {
        loop->count = rounds_apart(f, loop);
    }
    while (f->touched_count > 0) {
        f->slot[f->touched[--f->touched_count]] = UNKNOWN;
    }
    if (loop->count < LEAST_ROUNDS || loop->count * period < LEAST_STEPS) {
        f->fails[period] = k - period + 1;
        return false;
    }
    return true;
}

static uint32_t
hash_at(const LoopFinder *f, int32_t k)
{
    uint32_t hash = 0;
    for (int32_t j = k; j < k + WINDOW; j++) {
        hash = (hash ^ step_at(f, j)->step) * 0x9E3779B1u;
    }
    return hash >> 20;
}

bool
lanes_loops_next(LoopFinder *f, int32_t begin, int32_t end, StepLoop *loop)
{
    for (int32_t k = begin; k + WINDOW <= end; k++) {
        uint32_t hash = hash_at(f, k);
        int32_t before = f->seen[hash];
        f->seen[hash] = k;
        if (before < begin || before >= k) {
            continue;
        }
        for (int32_t m = 1, period; m <= MULTIPLES && (period = m * (k - before)) <= LONGEST; m++) {
            if (try_loop(f, before, end, period, loop)) {
                return true;
            }
        }
    }
    return false;
}

void
lanes_loops_mark(const LoopFinder *f, const StepLoop *loop, uint8_t *moves, uint8_t value)
{
    for (int32_t k = loop->begin; k < loop->begin + loop->period; k++) {
        const Step *x = step_at(f, k), *y = step_at(f, k + loop->period);
        int32_t x_from, y_from, count = entries(x, &x_from);
        entries(y, &y_from);
        for (int32_t n = 0; n < 4 + count; n++) {
            Operand first = operand(f, x, n, x_from);
            if (first.kind == SLOT && operand(f, y, n, y_from).number != first.number) {
                moves[first.number] = value;
            }
        }
    }
}

LoopFinder *
lanes_loops_new(Arena *memory, const Lanes *plan, const int32_t *plain)
{
    LoopFinder *f = arena_take(memory, 1, sizeof *f, 0);
    uint8_t *slot = arena_take(memory, (size_t)plan->slot_count, 1, 0);
    int32_t *touched = arena_take(memory, (size_t)plan->slot_count, sizeof *touched, ANY_BYTE);
    if (memory->failed) {
        return NULL;
    }
    f->plan = plan;
    f->plain = plain;
    f->slot = slot;
    f->touched = touched;
    memset(f->seen, 0xFF, sizeof f->seen);
    return f;
}
