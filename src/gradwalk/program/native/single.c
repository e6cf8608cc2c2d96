/* From a program to blocks: see single.h.
 *
 *     1. the level of a value is one more than the highest of its operands
 *     2. instructions are sorted by level, code and what they stand for; a value's position in memory follows
 *     3. runs of instructions whose operands lie at regular distances become blocks
 */

#include "single.h"

#include "processor.h"

#include <string.h>

typedef struct {
    int32_t from, to, length;
} Run;

struct Single {
    Arena memory;  /* of what it points to */
    Array blocks;  /* Nests */
    Array list;
    double *v;     /* all values; the slots come first */
    double *spare; /* for kernels that rearrange an operand */
    int32_t value_count, slots, outputs, result_count;
    int32_t *result; /* positions */
    Run *run;        /* the positions of the gradients, as runs of memory to copy */
    int32_t run_count;
    size_t spare_count;
    const SingleKernels *kernels;
};

#define PAD 64 /* kernels read and write whole vectors, which may reach past the end */

static inline Nest *
nest_at(const Single *plan, int32_t k)
{
    return (Nest *)plan->blocks.items + k;
}

static Nest *
add_nest(Single *plan)
{
    Nest *block = array_add(&plan->memory, &plan->blocks, 1, sizeof *block);
    if (block != NULL) {
        *block = (Nest){.I = 1, .J = 1, .K = 1};
    }
    return block;
}

static void
add_listed(Single *plan, int32_t item)
{
    int32_t *at = array_add(&plan->memory, &plan->list, 1, sizeof *at);
    if (at != NULL) {
        *at = item;
    }
}

/* ── Order ──────────────────────────────────────────────────────────────────────────────────── */

typedef struct {
    Arena memory;   /* while blocks are made */
    Arena kept;     /* for `position` */
    const Ir *ir;
    int32_t *ids;   /* what is computed, in order of execution */
    int32_t count;
    int32_t *level;
    int32_t *position; /* of each value in v */
} Order;

/* Sort ids by key, keys below `bound`; equal keys keep their order. */
static void
sort_by(Order *order, int32_t *spare, const int32_t *key, int32_t bound)
{
    int32_t *begin = arena_take(&order->memory, (size_t)bound + 1, sizeof *begin, 0), *ids = order->ids;
    if (begin == NULL) {
        return;
    }
    for (int32_t k = 0; k < order->count; k++) {
        begin[key[ids[k]] + 1]++;
    }
    for (int32_t k = 0; k < bound; k++) {
        begin[k + 1] += begin[k];
    }
    for (int32_t k = 0; k < order->count; k++) {
        spare[begin[key[ids[k]]]++] = ids[k];
    }
    memcpy(ids, spare, (size_t)order->count * sizeof *ids);
}

/* Levels counted from the inputs: a value is computed as soon as its operands are known. */
static int32_t
level_early(const Ir *ir, int32_t *level)
{
    int32_t deepest = 0;
    for (int32_t i = 0; i < ir->count; i++) {
        level[i] = 0;
        for (int32_t k = ir->start[i]; k < ir->start[i + 1]; k++) {
            int32_t below = level[ir->arg[k]];
            level[i] = below >= level[i] ? below + 1 : level[i];
        }
        deepest = level[i] > deepest ? level[i] : deepest;
    }
    return deepest;
}

/* Levels counted back from the results: a value is computed just before it is needed. */
static int32_t
level_late(const Ir *ir, int32_t *level)
{
    int32_t deepest = 0;
    memset(level, 0, (size_t)ir->count * sizeof *level);
    for (int32_t i = ir->count - 1; i >= 0; i--) {
        for (int32_t k = ir->start[i]; k < ir->start[i + 1]; k++) {
            int32_t *below = &level[ir->arg[k]];
            *below = level[i] >= *below ? level[i] + 1 : *below;
        }
        deepest = level[i] > deepest ? level[i] : deepest;
    }
    for (int32_t i = 0; i < ir->count; i++) {
        level[i] = deepest - level[i];
    }
    return deepest;
}

/* The order of execution: by level, by code, then by place. The place of a forward instruction is its place in the
 * recording. An instruction of the adjoint has the place of the value whose gradient it computes. */
static void
make_order(const Ir *ir, Order *order, bool late)
{
    size_t n = (size_t)ir->count;
    order->ir = ir;
    order->ids = arena_take(&order->memory, n, sizeof *order->ids, ANY_BYTE);
    order->level = arena_take(&order->memory, n, sizeof *order->level, ANY_BYTE);
    order->position = arena_take(&order->kept, n, sizeof *order->position, ANY_BYTE);
    int32_t *key = arena_take(&order->memory, n, sizeof *key, 0);
    int32_t *code = arena_take(&order->memory, n, sizeof *code, ANY_BYTE);
    int32_t *spare = arena_take(&order->memory, n, sizeof *spare, ANY_BYTE);
    if (order->memory.failed || order->kept.failed) {
        return;
    }
    for (int32_t i = 0; i < ir->count; i++) {
        code[i] = ir->code[i];
    }
    int32_t deepest = late ? level_late(ir, order->level) : level_early(ir, order->level);
    for (int phase = 0; phase < 2 && !order->memory.failed; phase++) { /* first the values alone, then all */
        int32_t constants = order->count = 0;
        for (int32_t i = 0; i < ir->count; i++) {
            if (ir->code[i] == INPUT) {
                order->position[i] = (int32_t)ir->number[i];
            }
            else if (ir->code[i] == CONST) {
                order->position[i] = ir->slots + constants++;
            }
            else if (phase == 1 || i < ir->forward) {
                order->ids[order->count++] = i;
            }
            if (phase == 1 && i >= ir->forward && operand_count(ir, i) > 0) {
                int32_t stands_for = ir->adjoint_of[i] >= 0 ? ir->adjoint_of[i] : operands(ir, i)[0];
                key[i] = stands_for < ir->forward ? order->position[stands_for] : key[stands_for];
            }
            else {
                key[i] = i;
            }
        }
        sort_by(order, spare, key, ir->count + ir->slots + 1);
        sort_by(order, spare, code, CODE_COUNT);
        sort_by(order, spare, order->level, deepest + 1);
        for (int32_t k = 0; k < order->count && !order->memory.failed; k++) {
            order->position[order->ids[k]] = ir->slots + constants + k;
        }
    }
}

/* ── Blocks ─────────────────────────────────────────────────────────────────────────────────── */

enum { MOST_PARTS = 6 };

/* One instruction as walkers over k. A part ends where the distance between operands changes. */
typedef struct {
    int32_t parts;              /* 0: too irregular */
    int32_t length[MOST_PARTS]; /* of k in each part */
    Walker x[MOST_PARTS], y[MOST_PARTS];
} Row;

static bool
is_reduction(int code)
{
    return code == DOT || code == PULL || code == SUM || code == LARGEST || code == PICK || code == TAKE;
}

/* The operands of a reduction: term k has the ids x[k·dx] and, if y is not NULL, y[k·dy]. For TAKE, y is the index,
 * the same for all k. */
typedef struct {
    const int32_t *position, *x, *y;
    int32_t dx, dy;
} Terms;

static Terms
terms_of(const Order *order, int32_t i)
{
    const int32_t *arg = operands(order->ir, i);
    int code = order->ir->code[i];
    if (code == SUM || code == LARGEST) {
        return (Terms){order->position, arg, NULL, 1, 0};
    }
    if (code == TAKE) {
        return (Terms){order->position, arg + 1, arg, 1, 0};
    }
    return (Terms){order->position, arg, arg + 1, 2, 2};
}

static inline void
term(const Terms *terms, int32_t k, int32_t *x, int32_t *y)
{
    *x = terms->position[terms->x[(ptrdiff_t)k * terms->dx]];
    *y = terms->y != NULL ? terms->position[terms->y[(ptrdiff_t)k * terms->dy]] : 0;
}

static int32_t
term_count(const Ir *ir, int32_t i)
{
    int count = operand_count(ir, i), code = ir->code[i];
    return code == SUM || code == LARGEST ? count : code == TAKE ? count - 1 : count / 2;
}

/* Set the steps of both walkers, which are at term k. Return how many terms these steps describe. After k steps a
 * walker is at base + k·dk + k·(k - 1)/2·bend. */
static int32_t
follow(const Terms *terms, bool may_bend, int32_t k, int32_t n, Walker *wx, Walker *wy)
{
    int32_t x[2], y[2], length = 0;
    for (; length < 2 && k + 1 + length < n; length++) {
        term(terms, k + 1 + length, &x[length], &y[length]);
    }
    if (length == 0) {
        return 1;
    }
    wx->dk = x[0] - wx->base;
    wy->dk = y[0] - wy->base;
    /* any three places fit some bend, so a repeated term does not count as the start of one */
    bool bends = may_bend && length == 2 && (wx->dk != 0 || wy->dk != 0);
    for (int bent = bends; bent >= 0; bent--) {
        wx->bend = bent ? x[1] - x[0] - wx->dk : 0;
        wy->bend = bent ? y[1] - y[0] - wy->dk : 0;
        int64_t step_x = (int64_t)wx->dk + wx->bend, step_y = (int64_t)wy->dk + wy->bend;
        int64_t at_x = x[0] + step_x, at_y = y[0] + step_y;
        int32_t reached = 2;
        for (; k + reached < n; reached++) {
            int32_t next_x, next_y;
            term(terms, k + reached, &next_x, &next_y);
            if (next_x != at_x || next_y != at_y) {
                break;
            }
            at_x += step_x += wx->bend;
            at_y += step_y += wy->bend;
        }
        if (!bent || reached > 3 || (reached == 3 && k + 3 == n)) {
            return reached;
        }
    }
    return 1;
}

static void
read_row(const Order *order, int32_t i, Row *row)
{
    int code = order->ir->code[i];
    row->parts = 0;
    if (!is_reduction(code)) {
        const int32_t *arg = operands(order->ir, i);
        int count = operand_count(order->ir, i);
        int skip = is_partial(code); /* the row's own value is not needed */
        row->parts = 1;
        row->length[0] = 1;
        row->x[0] = (Walker){.base = order->position[arg[skip]]};
        row->y[0] = (Walker){.base = count > 1 + skip ? order->position[arg[1 + skip]] : 0};
        return;
    }
    int32_t n = term_count(order->ir, i), k = 0;
    Terms terms = terms_of(order, i);
    while (k < n) {
        if (row->parts == MOST_PARTS || (code == TAKE && row->parts == 1)) {
            row->parts = 0;
            return;
        }
        int32_t x, y;
        term(&terms, k, &x, &y);
        Walker wx = {.base = x}, wy = {.base = y};
        int32_t length = follow(&terms, code == DOT || code == PULL, k, n, &wx, &wy);
        row->x[row->parts] = wx;
        row->y[row->parts] = wy;
        row->length[row->parts++] = length;
        k += length;
    }
}

/* The place of the third operand of an instruction with three, else 0. */
static int32_t
third_place(const Order *order, int32_t i)
{
    int code = order->ir->code[i], third = is_partial(code) ? 3 : 2;
    return !is_reduction(code) && operand_count(order->ir, i) > third
               ? order->position[operands(order->ir, i)[third]]
               : 0;
}

static bool
alike(const Row *a, const Row *b)
{
    if (a->parts != b->parts) {
        return false;
    }
    for (int32_t p = 0; p < a->parts; p++) {
        if (a->length[p] != b->length[p] || a->x[p].dk != b->x[p].dk || a->y[p].dk != b->y[p].dk ||
            a->x[p].bend != b->x[p].bend || a->y[p].bend != b->y[p].bend) {
            return false;
        }
    }
    return true;
}

typedef struct {
    int32_t x, y, z;
} Base;

static inline bool
steps(const Base *a, const Base *b, const Base *by)
{
    return b->x - a->x == by->x && b->y - a->y == by->y && b->z - a->z == by->z;
}

static inline Base
between(const Base *a, const Base *b)
{
    return (Base){b->x - a->x, b->y - a->y, b->z - a->z};
}

/* Find the largest I × J nest that starts at the first of n bases. */
static void
find_nest(const Base *base, int32_t n, int32_t *I, int32_t *J, Base *di, Base *dj)
{
    *I = *J = 1;
    *di = *dj = (Base){0, 0, 0};
    if (n < 2) {
        return;
    }
    *dj = between(&base[0], &base[1]);
    int32_t j = 2;
    while (j < n && steps(&base[j - 1], &base[j], dj)) {
        j++;
    }
    *J = j;
    if (2 * j > n) {
        return;
    }
    *di = between(&base[0], &base[j]);
    int32_t i = 1;
    while ((i + 1) * j <= n && steps(&base[(i - 1) * j], &base[i * j], di)) {
        bool same = true;
        for (int32_t k = 1; k < j && same; k++) {
            same = steps(&base[i * j + k - 1], &base[i * j + k], dj);
        }
        if (!same) {
            break;
        }
        i++;
    }
    while (i > 1 && i * j < n && steps(&base[i * j - 1], &base[i * j], dj)) {
        i--; /* this row is the beginning of a longer one */
    }
    *I = i;
}

/* The second item of a run of two often starts a longer run. Take a run of two only if it starts a nest. */
static void
choose_nest(const Base *base, int32_t n, int32_t *I, int32_t *J, Base *di, Base *dj)
{
    find_nest(base, n, I, J, di, dj);
    if (*J == 2 && *I == 1 && n > 2) {
        int32_t I2, J2;
        Base di2, dj2;
        find_nest(base + 1, n - 1, &I2, &J2, &di2, &dj2);
        if (I2 * J2 > 2) {
            *J = 1;
        }
    }
}

/* List one instruction: its code, the number of operands, their positions and, for PICK and the derivatives, its
 * number. */
static void
list_row(Single *plan, const Order *order, int32_t i)
{
    int code = order->ir->code[i];
    add_listed(plan, code);
    add_listed(plan, operand_count(order->ir, i));
    for (int k = 0; k < operand_count(order->ir, i) && !plan->memory.failed; k++) {
        add_listed(plan, order->position[operands(order->ir, i)[k]]);
    }
    if (code == PICK || is_partial(code)) {
        add_listed(plan, (int32_t)order->ir->number[i]);
    }
}

/* Blocks for instructions ids[0..n) of one level and code, whose rows are alike. */
static void
block_stretch(Single *plan, const Order *order, const int32_t *ids, const Row *rows, int32_t n,
              Base *base)
{
    const Ir *ir = order->ir;
    int code = ir->code[ids[0]];
    int32_t first_block = plan->blocks.count, first_list = plan->list.count;
    int32_t parts = rows[0].parts, row_code = (int32_t)ir->number[ids[0]];
    int64_t terms = 0;
    for (int32_t p = 0; p < parts && !plan->memory.failed; p++) {
        for (int32_t r = 0; r < n; r++) {
            base[r].x = rows[r].x[p].base;
            base[r].y = rows[r].y[p].base;
            base[r].z = code == PICK ? (int32_t)ir->number[ids[r]] : third_place(order, ids[r]);
        }
        terms += (int64_t)rows[0].length[p] * n;
        for (int32_t r = 0; r < n && !plan->memory.failed;) {
            int32_t I, J;
            Base di, dj;
            choose_nest(base + r, n - r, &I, &J, &di, &dj);
            if (J == 1) {
                I = 1;
            }
            Nest *block = add_nest(plan);
            if (block == NULL) {
                return;
            }
            block->code = (uint8_t)code;
            block->row = (uint8_t)row_code;
            block->more = p > 0;
            block->out = order->position[ids[r]];
            block->I = I;
            block->J = J;
            block->K = rows[r].length[p];
            block->x = (Walker){base[r].x, di.x, dj.x, rows[r].x[p].dk, rows[r].x[p].bend, 0};
            block->y = (Walker){base[r].y, di.y, dj.y, rows[r].y[p].dk, rows[r].y[p].bend, 0};
            block->z = (Walker){.base = base[r].z, .di = di.z, .dj = dj.z};
            r += I * J;
        }
    }
    int64_t blocks = plan->blocks.count - first_block;
    if (parts == 0 || 12 * blocks > 2 * terms + n) { /* nanoseconds, about */
        plan->blocks.count = first_block;
        bool goes_on = first_block > 0 && nest_at(plan, first_block - 1)->listed;
        Nest *block = goes_on ? nest_at(plan, first_block - 1) : add_nest(plan);
        if (block == NULL) {
            return;
        }
        if (!goes_on) {
            block->listed = true;
            block->out = order->position[ids[0]];
            block->J = 0;
            block->list = first_list;
        }
        block->J += n;
        for (int32_t r = 0; r < n && !plan->memory.failed; r++) {
            list_row(plan, order, ids[r]);
        }
    }
}

/* Whether the sums b and c differ only in their positions, by `by`, as rows of one block do. */
static bool
rows_of_one(const Nest *b, const Nest *c, Walker by[2])
{
    by[0] = (Walker){.di = c->x.base - b->x.base, .twist = c->x.dk - b->x.dk};
    by[1] = (Walker){.di = c->y.base - b->y.base, .twist = c->y.dk - b->y.dk};
    return b->code == c->code && (b->code == DOT || b->code == PULL) && !b->listed && !c->listed &&
           b->more == c->more && b->I == 1 && c->I == 1 && b->J == c->J && b->K == c->K && c->out == b->out + b->J &&
           b->x.dj == c->x.dj && b->y.dj == c->y.dj && b->x.bend == c->x.bend && b->y.bend == c->y.bend;
}

/* Join blocks of one row each whose distances change from row to row, such as the triangles of the heads of an
 * attention. */
static void
join_rows(Single *plan)
{
    int32_t kept = 0;
    for (int32_t k = 0; k < plan->blocks.count;) {
        Nest *block = nest_at(plan, kept++);
        int32_t first = k++;
        *block = *nest_at(plan, first);
        Walker by[2], next[2];
        if (k == plan->blocks.count || !rows_of_one(block, nest_at(plan, k), by)) {
            continue;
        }
        for (; k < plan->blocks.count && rows_of_one(nest_at(plan, k - 1), nest_at(plan, k), next) &&
               memcmp(by, next, sizeof by) == 0;
             k++) {
        }
        block->I = k - first;
        block->x.di = by[0].di;
        block->y.di = by[1].di;
        block->x.twist = by[0].twist;
        block->y.twist = by[1].twist;
    }
    plan->blocks.count = kept;
}

static void
make_blocks(Single *plan, Order *order)
{
    const Ir *ir = order->ir;
    int32_t widest = 1;
    for (int32_t begin = 0, end; begin < order->count; begin = end) {
        int32_t first = order->ids[begin];
        for (end = begin + 1; end < order->count && order->level[order->ids[end]] == order->level[first] &&
                              ir->code[order->ids[end]] == ir->code[first];
             end++) {
        }
        widest = end - begin > widest ? end - begin : widest;
    }
    Row *rows = arena_take(&order->memory, (size_t)widest, sizeof *rows, ANY_BYTE);
    Base *base = arena_take(&order->memory, (size_t)widest, sizeof *base, ANY_BYTE);
    plan->memory.failed = plan->memory.failed || order->memory.failed;
    for (int32_t begin = 0, end; begin < order->count && !plan->memory.failed; begin = end) {
        int32_t first = order->ids[begin];
        int code = ir->code[first];
        read_row(order, first, &rows[0]);
        for (end = begin + 1; end < order->count; end++) {
            int32_t i = order->ids[end];
            if (order->level[i] != order->level[first] || ir->code[i] != code ||
                (is_partial(code) && ir->number[i] != ir->number[first])) {
                break;
            }
            read_row(order, i, &rows[end - begin]);
            if (!alike(&rows[0], &rows[end - begin])) {
                break;
            }
        }
        block_stretch(plan, order, order->ids + begin, rows, end - begin, base);
    }
    join_rows(plan);
}

/* ── The plan ───────────────────────────────────────────────────────────────────────────────── */

/* So many numbers, all 0, at a multiple of 64 bytes. */
static double *
zeros(Single *plan, size_t count)
{
    void *room = arena_take(&plan->memory, count + PAD + 8, sizeof(double), 0);
    return (double *)(void *)(((uintptr_t)room + 63) / 64 * 64);
}

/* If one operand of a dot does not move with j, make it x. A dot of one pair becomes a product. */
static void
turn(Nest *block)
{
    if ((block->code == DOT || block->code == PULL) && !block->listed && block->K == 1 && !block->more) {
        block->code = C_mul;
    }
    if ((block->code == DOT || block->code == PULL) && !block->listed && block->x.dj != 0 &&
        block->y.dj == 0) {
        Walker other = block->x;
        block->x = block->y;
        block->y = other;
    }
}

/* The blocks of a program in one of both orders. */
static Single *
plan_new(const Ir *ir, Order *order, bool late)
{
    Single *plan = calloc(1, sizeof *plan);
    if (plan != NULL) {
        make_order(ir, order, late);
        plan->memory.failed = order->memory.failed || order->kept.failed;
    }
    if (plan != NULL && !plan->memory.failed) {
        make_blocks(plan, order);
    }
    arena_end(&order->memory);
    return plan;
}

/* What it takes to run them. */
static void
complete(Single *plan, const Ir *ir, const Order *order)
{
    int32_t constants = 0;
    for (int32_t i = 0; i < ir->count; i++) {
        constants += ir->code[i] == CONST;
    }
    plan->kernels = single_kernels();
    plan->slots = ir->slots;
    plan->value_count = ir->slots + constants + order->count;
    plan->outputs = ir->outputs;
    plan->result_count = ir->result_count;
    for (int32_t b = 0; b < plan->blocks.count; b++) {
        Nest *block = nest_at(plan, b);
        turn(block);
        size_t need = (size_t)block->K * ((size_t)block->J + 8);
        plan->spare_count = need > plan->spare_count ? need : plan->spare_count;
    }
    plan->spare_count = plan->spare_count < ((size_t)1 << 20) ? plan->spare_count : (size_t)1 << 20;
    plan->v = zeros(plan, (size_t)plan->value_count);
    plan->spare = zeros(plan, plan->spare_count);
    plan->result = arena_take(&plan->memory, (size_t)ir->result_count, sizeof *plan->result, ANY_BYTE);
    plan->run = arena_take(&plan->memory, (size_t)ir->result_count, sizeof *plan->run, ANY_BYTE);
    if (plan->memory.failed) {
        return;
    }
    for (int32_t i = 0; i < ir->count; i++) {
        if (ir->code[i] == CONST) {
            plan->v[order->position[i]] = ir->number[i];
        }
    }
    for (int32_t k = 0; k < ir->result_count; k++) {
        plan->result[k] = order->position[ir->result[k]];
    }
    for (int32_t k = ir->outputs; k < ir->result_count; k++) {
        Run *last = plan->run_count ? &plan->run[plan->run_count - 1] : NULL;
        if (last != NULL && plan->result[k] == last->from + last->length) {
            last->length++;
        }
        else {
            plan->run[plan->run_count++] = (Run){plan->result[k], k - ir->outputs, 1};
        }
    }
}

/* Try both kinds of levels, and keep the one that makes fewer blocks. */
Single *
single_new(const Ir *ir)
{
    Order order[2] = {{.ir = ir}, {.ir = ir}};
    Single *plan[2] = {plan_new(ir, &order[0], false), plan_new(ir, &order[1], true)}, *made = NULL;
    if (plan[0] != NULL && plan[1] != NULL && !plan[0]->memory.failed && !plan[1]->memory.failed) {
        bool late = plan[1]->blocks.count < plan[0]->blocks.count;
        complete(plan[late], ir, &order[late]);
        made = plan[late]->memory.failed ? NULL : plan[late];
    }
    for (int late = 0; late < 2; late++) {
        arena_end(&order[late].kept);
        if (plan[late] != made) {
            single_free(plan[late]);
        }
    }
    return made;
}

void
single_free(Single *plan)
{
    if (plan != NULL) {
        arena_end(&plan->memory);
        free(plan);
    }
}

double *
single_slots(Single *plan)
{
    return plan->v;
}

void
single_run(Single *plan)
{
    plan->kernels->run(plan->blocks.items, plan->blocks.count, plan->list.items, plan->v, plan->spare,
                       plan->spare_count);
}

bool
single_results(const Single *plan, double *outputs, double *gradients)
{
    bool wild = false;
    double sum = 0.0;
    for (int32_t k = 0; k < plan->outputs; k++) {
        outputs[k] = plan->v[plan->result[k]];
    }
    for (int32_t r = 0; r < plan->run_count; r++) {
        const Run *run = &plan->run[r];
        const double *from = plan->v + run->from;
        double *to = gradients + run->to;
        if (run->length >= 16) {
            wild |= plan->kernels->copy(to, from, (size_t)run->length);
            continue;
        }
        for (int32_t k = 0; k < run->length; k++) {
            to[k] = from[k];
            sum += from[k] * 0.0; /* nan where this is nan or inf */
        }
    }
    return !wild && sum == 0.0;
}

int32_t
single_block_count(const Single *plan)
{
    return plan->blocks.count;
}

const int32_t *
single_positions(const Single *plan)
{
    return plan->result;
}

const Nest *
single_blocks(const Single *plan)
{
    return plan->blocks.items;
}

const int32_t *
single_list(const Single *plan)
{
    return plan->list.items;
}

size_t
single_bytes(const Single *plan)
{
    return ((size_t)plan->value_count + plan->spare_count) * sizeof(double) +
           (size_t)plan->blocks.count * sizeof(Nest) + (size_t)plan->list.count * sizeof(int32_t);
}

/* ── Which kernels ──────────────────────────────────────────────────────────────────────────── */

PROCESSOR_DECLARE(SingleKernels, single_kernels);

const SingleKernels *
single_kernels(void)
{
    static const SingleKernels *const table[PROCESSOR_LEVELS] = PROCESSOR_TABLE(single_kernels);
    return table[processor_level()];
}
