/* From a program to a plan of steps over lanes, and running one. Start reading at lanes_new.
 *
 *     demand   what is needed by lane, what only summed over the scenarios     (backward)
 *     nodes    what is computed by lane: sums of products, other operations, totals, results
 *     delay    which nodes wait until their first consumer                      (backward)
 *     emit     nodes to steps; the accumulator hands values from step to step
 *     assign   slots by liveness, and the final steps
 */

#ifdef __linux__
#define _GNU_SOURCE /* sched_getcpu, cpu_set_t */
#endif

#include "lanes.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#if defined(__unix__) || defined(__APPLE__)
#define THREADS 1
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>
#else
#define THREADS 0
#endif
#ifdef __linux__
#include <sched.h>
#endif

/* ── Levels ─────────────────────────────────────────────────────────────────────────────────── */

static const Level *chosen_level;
static int chosen_size;

static const Level *
find_level(const char *name)
{
#ifdef GRADWALK_X86
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
        (name == NULL || strcmp(name, "avx512") == 0)) {
        return &lanes_level_avx512;
    }
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
        (name == NULL || strcmp(name, "avx2") == 0)) {
        return &lanes_level_avx2;
    }
#endif
    return name == NULL || strcmp(name, "base") == 0 ? &lanes_level_base : NULL;
}

const Level *
lanes_level(void)
{
    if (chosen_level == NULL) {
        chosen_level = find_level(NULL);
    }
    return chosen_level;
}

bool
lanes_choose(const char *level, int vectors)
{
    const Level *found = find_level(level);
    if (found == NULL || (vectors != 0 && vectors != 2 && vectors != 4 && vectors != 8)) {
        return false;
    }
    chosen_level = found;
    chosen_size = vectors;
    return true;
}

void
lanes_function(int function, const double *in, double *out, int count)
{
    lanes_level()->function(function, in, out, count);
}

void
lanes_power(const double *x, const double *y, double *out, int count)
{
    lanes_level()->pow(x, y, out, count);
}

double
lanes_row(int code, int which, double x, double y, double z)
{
    double by[3] = {0.0, 0.0, 0.0}, value = scalar_row(code, x, y, z, by);
    return which == 0 ? value : by[which - 1];
}

/* ── The plan ───────────────────────────────────────────────────────────────────────────────── */

typedef struct Worker Worker;

/* A uniform number: of a value; or, where that is -1, of two uniform numbers before it, the product;
 * or, where these are -1 too, a constant. */
typedef struct {
    int32_t value, left, right;
    double number;
} Uniform;

struct Lanes {
    const Ir *ir;
    const Level *level;
    BlockRun run;
    int single;              /* 1: float32 */
    int32_t width, lanes;
    int32_t step_count, slot_count, table_count;
    Step *steps;
    int32_t *table;
    int32_t uniform_count;
    Uniform *uniform;
    int32_t once_count;      /* the instructions to compute once, in order */
    int32_t *once;
    int32_t spread_count;    /* slots that hold a uniform number in all lanes: slot k holds spread[k] */
    int32_t *spread;
    /* totals */
    bool sums;
    int32_t total_count;
    int32_t *total_of;       /* by value: its number among the totals, or -1 */
    int32_t *product_of;     /* by operand: the total that holds this operand times the next, or -1 */
    bool strips;             /* there is such a total */
    uint8_t *factored;       /* by value: 1 when its uniform factors count in one */
    uint8_t *need;           /* by value: NEED_* */
    int32_t late_count;      /* the values whose total is wanted, in order */
    int32_t *late;
    uint8_t *result_kind;    /* by result: RESULT_* */
    int32_t varying;
    Worker *idle;
#if THREADS
    pthread_mutex_t lock;
#endif
};

enum { NEED_LANE = 1, NEED_TOTAL = 2, UNIFORM = 4 };
enum { RESULT_LANE, RESULT_UNIFORM, RESULT_TOTAL };

/* ── Growing arrays ─────────────────────────────────────────────────────────────────────────── */

typedef struct {
    void *items;
    int32_t count, room;
} Array;

/* Room for `more` items at the end; NULL without memory. The count is raised. */
static void *
array_add(Array *array, int32_t more, size_t size)
{
    if (more > INT32_MAX / 4 || array->count > INT32_MAX / 4 - more) {
        return NULL;
    }
    if (array->count + more > array->room) {
        int32_t room = (array->count + more) * 2 + 64;
        void *grown = realloc(array->items, (size_t)room * size);
        if (grown == NULL) {
            return NULL;
        }
        array->items = grown;
        array->room = room;
    }
    void *at = (char *)array->items + (size_t)array->count * size;
    array->count += more;
    return at;
}

/* ── Building ───────────────────────────────────────────────────────────────────────────────── */

/* An operand: a node, or ~number of a uniform number. */
enum { NOTHING = INT32_MAX };

typedef struct {
    int32_t a, b; /* operands; b is NOTHING in a term that is no product */
    int32_t sign;
} Term;

enum { LINEAR, OPERATION, TOTAL, PRODUCT_TOTAL, PICK_TOTAL, RESULT };

typedef struct {
    uint8_t kind, code;
    bool lazy, done;
    uint8_t cheap;        /* not 0: rather made again than kept, while `reach` lasts */
    int32_t reach;        /* the position until which its operands are there anyway */
    int32_t made;         /* the step after which it was made last */
    int32_t first, count; /* terms of LINEAR, else operands */
    int32_t extra;        /* instruction of OPERATION, total, result */
    int32_t uses;         /* by nodes */
} Node;

/* Something to be placed right after value `after`. */
typedef struct {
    int32_t next;
    int32_t kind; /* LINEAR: a part of a long sum */
    int32_t total;
    int32_t a, b; /* values; of a part: first term and count */
    int32_t value;
} Item;

typedef struct {
    uint32_t step;
    int32_t a, b, c;
} Raw;

typedef struct {
    Lanes *plan;
    const Ir *ir;
    bool failed;
    int32_t *ref;          /* by value: its operand form */
    int32_t *number_of;    /* by value: its uniform number or -1 */
    int32_t *last_use;     /* by value, then by node */
    int32_t *item_head;    /* by value */
    int32_t *bare;         /* by value: it without uniform factors; one total serves all products of these */
    int32_t *split;        /* by value: the node of the last part of its sum, or -1 */
    int32_t *product;      /* of pairs of values with a total: three each, in a table by hash */
    size_t product_mask;
    Array items, nodes, terms, operands, raws, tables, kinds;
    Array uniform, spread;
    struct { int32_t left, right, number; } folded[64]; /* products made lately */
    int32_t *lane_uses;    /* by value: reads by lane */
    Array parts;           /* Terms of parts, in values */
    int32_t *spread_of;    /* by uniform number: its slot or -1; grows */
    int32_t spread_room;
    int32_t *position;     /* by node: where it is emitted */
    int32_t node_count;
    int32_t *group;        /* by input slot: the first of its eight, or -1 */
    int32_t *input_node;   /* by input slot, or -1 */
    int32_t held;          /* the node in the accumulator, or -1 */
    Array stack;
    Array flat;            /* terms of the node at hand */
} Builder;

static inline Node *
node_at(Builder *b, int32_t n)
{
    return (Node *)b->nodes.items + n;
}

static inline Term *
term_at(Builder *b, int32_t t)
{
    return (Term *)b->terms.items + t;
}

static inline int32_t
operand_at(Builder *b, int32_t k)
{
    return ((int32_t *)b->operands.items)[k];
}

static int32_t
add_uniform(Builder *b, Uniform uniform)
{
    Uniform *at = array_add(&b->uniform, 1, sizeof *at);
    if (at == NULL) {
        b->failed = true;
        return 0;
    }
    *at = uniform;
    return b->uniform.count - 1;
}

/* The uniform number of value `value`, or of a constant when value is -1. */
static int32_t
uniform_number(Builder *b, int32_t value, double number)
{
    if (value < 0) {
        return add_uniform(b, (Uniform){-1, -1, -1, number});
    }
    if (b->number_of[value] < 0) {
        b->number_of[value] = add_uniform(b, (Uniform){value, -1, -1, 0.0});
    }
    return b->number_of[value];
}

static int32_t
uniform_product(Builder *b, int32_t left, int32_t right)
{
    size_t at = ((size_t)left * 31 + (size_t)right) % 64;
    if (b->folded[at].number == 0 || b->folded[at].left != left || b->folded[at].right != right) {
        b->folded[at].left = left;
        b->folded[at].right = right;
        b->folded[at].number = add_uniform(b, (Uniform){-1, left, right, 0.0});
    }
    return b->folded[at].number;
}

static int32_t
ref_of(Builder *b, int32_t value)
{
    if (b->plan->need[value] & UNIFORM) {
        return ~uniform_number(b, value, 0.0);
    }
    return b->ref[value];
}

/* ── Demand ─────────────────────────────────────────────────────────────────────────────────── */

static void
add_item(Builder *b, int kind, int32_t after, int32_t total, int32_t x, int32_t y, int32_t value)
{
    Item *item = array_add(&b->items, 1, sizeof *item);
    if (item == NULL) {
        b->failed = true;
        return;
    }
    *item = (Item){b->item_head[after], kind, total, x, y, value};
    b->item_head[after] = b->items.count - 1;
}

static int32_t
total_number(Builder *b, int32_t value)
{
    if (b->plan->total_of[value] < 0) {
        b->plan->total_of[value] = b->plan->total_count++;
    }
    return b->plan->total_of[value];
}

/* One step from x = u·y, u uniform, to y; -1 when x is not so. `by` is where u is, and how it counts. */
typedef struct {
    int32_t value;
    enum { TIMES, OVER, MINUS } how;
} Factor;

static int32_t
without_factor(const Ir *ir, const uint8_t *need, int32_t x, Factor *by)
{
    const int32_t *arg = operands(ir, x);
    *by = (Factor){-1, TIMES};
    switch (ir->code[x]) {
    case C_mul:
    case DOT:
    case PULL:
        if (operand_count(ir, x) == 2) {
            for (int k = 0; k < 2; k++) {
                if (need[arg[k]] & UNIFORM) {
                    by->value = arg[k];
                    return arg[1 - k];
                }
            }
        }
        return -1;
    case C_div:
    case DRAW:
        by->value = arg[1];
        by->how = OVER;
        return need[arg[1]] & UNIFORM ? arg[0] : -1;
    case C_neg:
        by->how = MINUS;
        return arg[0];
    default:
        return -1;
    }
}


/* The total of the products of x and y, both without uniform factors. */
static int32_t
product_total(Builder *b, int32_t x, int32_t y)
{
    if (x > y) {
        int32_t other = x;
        x = y;
        y = other;
    }
    uint64_t hash = ((uint64_t)(uint32_t)x << 32 | (uint32_t)y) * UINT64_C(0x9E3779B97F4A7C15);
    size_t at = (size_t)(hash >> 20) & b->product_mask;
    for (; b->product[3 * at] >= 0; at = (at + 1) & b->product_mask) {
        if (b->product[3 * at] == x && b->product[3 * at + 1] == y) {
            return b->product[3 * at + 2];
        }
    }
    int32_t total = b->plan->total_count++;
    b->product[3 * at] = x;
    b->product[3 * at + 1] = y;
    b->product[3 * at + 2] = total;
    b->plan->need[x] |= NEED_LANE;
    b->plan->need[y] |= NEED_LANE;
    add_item(b, PRODUCT_TOTAL, y, total, x, y, -1);
    return total;
}

/* Value i is wanted only as a sum: pass that on where i is linear. false: it must be computed. */
static bool
demand_total(Builder *b, int32_t i)
{
    const Ir *ir = b->ir;
    uint8_t *need = b->plan->need;
    const int32_t *arg = operands(ir, i);
    int count = operand_count(ir, i);
    switch (ir->code[i]) {
    case C_add:
    case C_sub:
    case C_neg:
    case SUM:
        for (int k = 0; k < count; k++) {
            need[arg[k]] |= NEED_TOTAL;
        }
        return true;
    case C_mul:
    case DOT:
    case PULL:
        for (int k = 0; k < count; k += 2) {
            int32_t x = arg[k], y = arg[k + 1];
            if (need[y] & UNIFORM) {
                need[x] |= NEED_TOTAL;
            }
            else if (need[x] & UNIFORM) {
                need[y] |= NEED_TOTAL;
            }
            else {
                int32_t bare_x = b->bare[x], bare_y = b->bare[y];
                if (bare_x == x && bare_y == y) { /* one total for all of these that i has */
                    need[x] |= NEED_LANE;
                    need[y] |= NEED_LANE;
                    add_item(b, PRODUCT_TOTAL, x > y ? x : y, total_number(b, i), x, y, i);
                }
                else {
                    b->plan->product_of[ir->start[i] + k] = product_total(b, bare_x, bare_y);
                    b->plan->strips = true;
                }
            }
        }
        return true;
    case C_div:
    case DRAW:
    case GATE:
        if (need[arg[1]] & UNIFORM) {
            need[arg[0]] |= NEED_TOTAL;
            return true;
        }
        return false;
    case CHOOSE:
    case REFUSE:
        if (need[arg[0]] & UNIFORM) {
            need[arg[1]] |= NEED_TOTAL;
            return true;
        }
        return false;
    case PICK:
        for (int k = 0; k < count; k += 2) {
            int32_t index = arg[k], g = arg[k + 1];
            if (need[index] & UNIFORM) {
                need[g] |= NEED_TOTAL;
            }
            else {
                need[index] |= NEED_LANE;
                if (!(need[g] & UNIFORM)) {
                    need[g] |= NEED_LANE;
                }
                add_item(b, PICK_TOTAL, index > g ? index : g, total_number(b, i), index, g, i);
            }
        }
        return true;
    default:
        return false;
    }
}

static void
demand(Builder *b, const uint8_t *shared, const int32_t *gradient_slot)
{
    const Ir *ir = b->ir;
    Lanes *plan = b->plan;
    uint8_t *need = plan->need;
    for (int32_t i = 0; i < ir->count; i++) {
        bool uniform = ir->code[i] != INPUT || shared[(int32_t)ir->number[i]];
        for (int32_t k = ir->start[i]; k < ir->start[i + 1] && uniform; k++) {
            uniform = need[ir->arg[k]] & UNIFORM;
        }
        need[i] = uniform ? UNIFORM : 0;
        Factor by;
        int32_t inner = uniform ? -1 : without_factor(ir, need, i, &by);
        b->bare[i] = inner >= 0 ? b->bare[inner] : i;
    }
    for (int32_t r = 0; r < ir->result_count; r++) {
        int32_t value = ir->result[r];
        bool total = plan->sums && r >= ir->outputs && shared[gradient_slot[r - ir->outputs]];
        plan->result_kind[r] = total ? RESULT_TOTAL
                               : need[value] & UNIFORM ? RESULT_UNIFORM
                                                       : RESULT_LANE;
        need[value] |= total ? NEED_TOTAL : NEED_LANE;
    }
    for (int32_t i = ir->count - 1; i >= 0 && !b->failed; i--) {
        if ((need[i] & UNIFORM) || !(need[i] & (NEED_LANE | NEED_TOTAL))) {
            continue;
        }
        if ((need[i] & NEED_LANE) || !demand_total(b, i)) {
            if (need[i] & NEED_TOTAL) {
                need[i] |= NEED_LANE;
                add_item(b, TOTAL, i, total_number(b, i), i, i, i);
            }
            for (int32_t k = ir->start[i]; k < ir->start[i + 1]; k++) {
                need[ir->arg[k]] |= NEED_LANE;
            }
        }
    }
}

/* ── Nodes ──────────────────────────────────────────────────────────────────────────────────── */

static Node *
add_node(Builder *b, int kind, int code, int32_t extra)
{
    Node *node = array_add(&b->nodes, 1, sizeof *node);
    if (node == NULL) {
        b->failed = true;
        return NULL;
    }
    *node = (Node){.kind = (uint8_t)kind, .code = (uint8_t)code, .extra = extra,
                   .first = kind == LINEAR ? b->terms.count : b->operands.count};
    return node;
}

static void
add_operand(Builder *b, int32_t ref)
{
    int32_t *at = array_add(&b->operands, 1, sizeof *at);
    if (at == NULL) {
        b->failed = true;
        return;
    }
    *at = ref;
    node_at(b, b->nodes.count - 1)->count++;
}

static void
add_term(Builder *b, int32_t x, int32_t y, int32_t sign)
{
    Term *term = array_add(&b->terms, 1, sizeof *term);
    if (term == NULL) {
        b->failed = true;
        return;
    }
    if (y != NOTHING && x < 0) { /* the vector first */
        int32_t other = x;
        x = y;
        y = other;
    }
    while (x >= 0 && y < 0) { /* (z·u)·v is z·(u·v), where nobody else wants z·u */
        const Node *inner = node_at(b, x);
        if (inner->kind != LINEAR || inner->count != 1 || inner->extra < 0 || b->lane_uses[inner->extra] != 1) {
            break;
        }
        Term only = *term_at(b, inner->first);
        if (only.b >= 0 && only.b != NOTHING) {
            break;
        }
        x = only.a;
        y = only.b == NOTHING ? y : ~uniform_product(b, ~only.b, ~y);
        sign *= only.sign;
    }
    term = term_at(b, b->terms.count - 1);
    *term = (Term){x, y, sign};
    node_at(b, b->nodes.count - 1)->count++;
}

static bool
is_linear(int code)
{
    return code == C_add || code == C_sub || code == C_neg || code == C_mul || code == SUM ||
           code == DOT || code == PULL;
}

/* The terms of value i, in values. */
static int
value_terms(const Ir *ir, int32_t i, int k, Term *term)
{
    const int32_t *arg = operands(ir, i);
    switch (ir->code[i]) {
    case C_mul:
    case DOT:
    case PULL:
        *term = (Term){arg[k], arg[k + 1], 1};
        return k + 2;
    case C_neg:
        *term = (Term){arg[k], NOTHING, -1};
        return k + 1;
    case C_sub:
        *term = (Term){arg[k], NOTHING, k == 0 ? 1 : -1};
        return k + 1;
    default:
        *term = (Term){arg[k], NOTHING, 1};
        return k + 1;
    }
}

static int
by_readiness(const void *left, const void *right)
{
    const Term *x = left, *y = right;
    int32_t a = x->b != NOTHING && x->b > x->a ? x->b : x->a;
    int32_t b = y->b != NOTHING && y->b > y->a ? y->b : y->a;
    return a < b ? -1 : a > b ? 1 : x->a < y->a ? -1 : x->a > y->a;
}

enum { PART = 8, LONG = 16, FAR = 64 };

/* A long sum that keeps values alive for its sake alone is made in parts, as its terms come. */
static void
split_sum(Builder *b, int32_t i)
{
    const Ir *ir = b->ir;
    const uint8_t *need = b->plan->need;
    int count = operand_count(ir, i), terms = 0, kept = 0;
    for (int k = 0; k < count; k++) {
        int32_t x = operands(ir, i)[k];
        kept += !(need[x] & UNIFORM) && b->last_use[x] == i && i - x > FAR;
    }
    if (kept <= PART) {
        return;
    }
    int32_t first = b->parts.count;
    for (int k = 0; k < count;) {
        Term *term = array_add(&b->parts, 1, sizeof *term);
        if (term == NULL) {
            b->failed = true;
            return;
        }
        k = value_terms(ir, i, k, term);
        terms++;
    }
    Term *part = (Term *)b->parts.items + first;
    qsort(part, (size_t)terms, sizeof *part, by_readiness);
    for (int k = 0; k + PART < terms; k += PART) {
        Term last = part[k + PART - 1];
        int32_t after = last.b != NOTHING && last.b > last.a ? last.b : last.a;
        add_item(b, LINEAR, after, 0, first + k, PART, i);
    }
    b->split[i] = first; /* for now: where its terms are */
}

static void
node_items(Builder *b, int32_t value, int32_t *part_node, Array *order)
{
    order->count = 0;
    for (int32_t k = b->item_head[value]; k >= 0; k = ((Item *)b->items.items)[k].next) {
        int32_t *at = array_add(order, 1, sizeof *at);
        if (at == NULL) {
            b->failed = true;
            return;
        }
        *at = k;
    }
    while (order->count > 0 && !b->failed) { /* as they were added */
        Item item = ((Item *)b->items.items)[((int32_t *)order->items)[--order->count]];
        if (item.kind == LINEAR) {
            if (add_node(b, LINEAR, SUM, -1) == NULL) {
                return;
            }
            if (part_node[item.value] >= 0) {
                add_term(b, part_node[item.value], NOTHING, 1);
            }
            for (int32_t k = 0; k < item.b && !b->failed; k++) {
                Term term = ((Term *)b->parts.items)[item.a + k];
                int32_t y = term.b == NOTHING ? NOTHING : ref_of(b, term.b);
                add_term(b, ref_of(b, term.a), y, term.sign);
            }
            part_node[item.value] = b->nodes.count - 1;
        }
        else {
            if (add_node(b, item.kind, 0, item.total) == NULL) {
                return;
            }
            add_operand(b, ref_of(b, item.a));
            if (item.kind != TOTAL) {
                add_operand(b, ref_of(b, item.b));
            }
            if (item.kind == PICK_TOTAL) {
                add_operand(b, ~uniform_number(b, -1, b->ir->number[item.value]));
            }
        }
    }
}

static void
value_node(Builder *b, int32_t i, const int32_t *part_node)
{
    const Ir *ir = b->ir;
    int code = ir->code[i], count = operand_count(ir, i);
    if (code == INPUT) {
        int32_t slot = (int32_t)ir->number[i];
        if (b->input_node[slot] >= 0) {
            b->ref[i] = b->input_node[slot];
            return;
        }
        b->input_node[slot] = b->nodes.count;
    }
    b->ref[i] = b->nodes.count;
    if (is_linear(code)) {
        if (add_node(b, LINEAR, code, i) == NULL) {
            return;
        }
        if (part_node[i] >= 0) {
            add_term(b, part_node[i], NOTHING, 1);
            int32_t first = b->split[i];
            int terms = code == C_mul || code == DOT || code == PULL ? count / 2 : count;
            for (int k = (terms - 1) / PART * PART; k < terms && !b->failed; k++) {
                Term term = ((Term *)b->parts.items)[first + k];
                int32_t y = term.b == NOTHING ? NOTHING : ref_of(b, term.b);
                add_term(b, ref_of(b, term.a), y, term.sign);
            }
            return;
        }
        for (int k = 0; k < count && !b->failed;) {
            Term term;
            k = value_terms(ir, i, k, &term);
            int32_t x = ref_of(b, term.a), y = term.b == NOTHING ? NOTHING : ref_of(b, term.b);
            if (code == C_add && term.a == operands(ir, i)[1] && k == 1) { /* x + x */
                add_term(b, x, ~uniform_number(b, -1, 2.0), 1);
                return;
            }
            add_term(b, x, y, term.sign);
        }
        return;
    }
    if (add_node(b, OPERATION, code, i) != NULL) {
        for (int k = 0; k < count && !b->failed; k++) {
            add_operand(b, ref_of(b, operands(ir, i)[k]));
        }
    }
}

static void
make_nodes(Builder *b)
{
    const Ir *ir = b->ir;
    const uint8_t *need = b->plan->need;
    for (int32_t i = 0; i < ir->count; i++) {
        b->last_use[i] = i;
        if ((need[i] & (UNIFORM | NEED_LANE)) == NEED_LANE) {
            for (int32_t k = ir->start[i]; k < ir->start[i + 1]; k++) {
                b->last_use[ir->arg[k]] = i;
                b->lane_uses[ir->arg[k]]++;
            }
        }
        for (int32_t k = b->item_head[i]; k >= 0; k = ((Item *)b->items.items)[k].next) {
            b->lane_uses[((Item *)b->items.items)[k].a]++;
            b->lane_uses[((Item *)b->items.items)[k].b]++;
        }
    }
    for (int32_t r = 0; r < ir->result_count; r++) {
        b->lane_uses[ir->result[r]] += 2; /* needed by itself */
    }
    for (int32_t i = 0; i < ir->count && !b->failed; i++) {
        b->split[i] = -1;
        if ((need[i] & (UNIFORM | NEED_LANE)) == NEED_LANE && is_linear(ir->code[i]) &&
            operand_count(ir, i) >= LONG) {
            split_sum(b, i);
        }
    }
    int32_t *part_node = malloc(((size_t)ir->count + 1) * sizeof *part_node);
    int32_t *result_head = malloc(((size_t)ir->count + 1) * sizeof *result_head);
    int32_t *result_next = malloc(((size_t)ir->result_count + 1) * sizeof *result_next);
    Array order = {0};
    if (!part_node || !result_head || !result_next) {
        b->failed = true;
    }
    else {
        memset(part_node, 0xFF, ((size_t)ir->count + 1) * sizeof *part_node);
        memset(result_head, 0xFF, ((size_t)ir->count + 1) * sizeof *result_head);
        for (int32_t r = 0; r < ir->result_count; r++) {
            if (b->plan->result_kind[r] == RESULT_LANE) {
                result_next[r] = result_head[ir->result[r]];
                result_head[ir->result[r]] = r;
            }
        }
    }
    for (int32_t i = 0; i < ir->count && !b->failed; i++) {
        if ((need[i] & (UNIFORM | NEED_LANE)) == NEED_LANE) {
            value_node(b, i, part_node);
            b->plan->varying++;
            for (int32_t r = result_head[i]; r >= 0 && !b->failed; r = result_next[r]) {
                if (add_node(b, RESULT, 0, r) != NULL) {
                    add_operand(b, b->ref[i]);
                }
            }
        }
        if (!b->failed) {
            node_items(b, i, part_node, &order);
        }
    }
    free(part_node);
    free(result_head);
    free(result_next);
    free(order.items);
}

/* ── Delay ──────────────────────────────────────────────────────────────────────────────────── */

/* Calls `visit` with each node that node n reads. */
#define FOR_OPERANDS(b, node, x, DO) \
    do { \
        if ((node)->kind == LINEAR) { \
            for (int32_t k_ = 0; k_ < (node)->count; k_++) { \
                Term t_ = *term_at(b, (node)->first + k_); \
                if (t_.a >= 0) { \
                    int32_t x = t_.a; \
                    DO \
                } \
                if (t_.b >= 0 && t_.b != NOTHING) { \
                    int32_t x = t_.b; \
                    DO \
                } \
            } \
        } \
        else { \
            for (int32_t k_ = 0; k_ < (node)->count; k_++) { \
                int32_t x = operand_at(b, (node)->first + k_); \
                if (x >= 0) { \
                    DO \
                } \
            } \
        } \
    } while (0)

enum { NEAR = 24, STALE = 40, CHEAP_TERMS = 2, CHEAP_DEPTH = 2 };

/* What is linear in one vector, or in inputs, is made again when it is wanted long after, if its
 * operands are still there: a slot less, and no more to read. */
static void
find_cheap(Builder *b, const int32_t *last_use)
{
    for (int32_t n = 0; n < b->node_count; n++) {
        Node *node = node_at(b, n);
        node->reach = last_use[n];
        if (node->kind == LINEAR && node->count <= CHEAP_TERMS) {
            int32_t reach = INT32_MAX;
            int vectors = 0, inputs = 0, depth = 0;
            FOR_OPERANDS(b, node, x, {
                const Node *operand = node_at(b, x);
                reach = operand->reach < reach ? operand->reach : reach;
                depth = operand->cheap > depth ? operand->cheap : depth;
                inputs += operand->kind == OPERATION && operand->code == INPUT;
                vectors++;
            });
            if ((vectors == 1 || vectors == inputs) && depth < CHEAP_DEPTH) {
                node->cheap = (uint8_t)(depth + 1);
                node->reach = reach;
            }
        }
    }
}

/* Whether node x has to be made before a consumer at `position` can read it. */
static bool
missing(Builder *b, int32_t x, int32_t position)
{
    const Node *node = node_at(b, x);
    return !node->done || (node->cheap && x != b->held && node->reach >= position &&
                           b->raws.count - node->made > STALE);
}

/* A node waits for its first consumer when that keeps no more alive than now: then it is often
 * still in the accumulator when it is read. Inputs always wait. */
static void
delay(Builder *b)
{
    int32_t count = b->node_count;
    int32_t *first_use = malloc(((size_t)count + 1) * sizeof *first_use);
    int32_t *last_use = malloc(((size_t)count + 1) * sizeof *last_use);
    b->position = malloc(((size_t)count + 1) * sizeof *b->position);
    if (!first_use || !last_use || !b->position) {
        b->failed = true;
    }
    else {
        for (int32_t n = 0; n < count; n++) {
            first_use[n] = INT32_MAX;
            last_use[n] = -1;
        }
        for (int32_t n = count - 1; n >= 0; n--) {
            Node *node = node_at(b, n);
            int32_t at = n;
            if (node->kind == LINEAR || node->kind == OPERATION) {
                int32_t until = first_use[n];
                if (until == INT32_MAX) { /* what read it was written in other terms */
                    node->done = true;
                    b->position[n] = n;
                    continue;
                }
                bool input = node->kind == OPERATION && node->code == INPUT;
                int extended = 0;
                FOR_OPERANDS(b, node, x, extended += last_use[x] < until;);
                if (input || extended <= 1 || until - n < NEAR) {
                    node->lazy = true;
                    at = until;
                }
            }
            b->position[n] = at;
            FOR_OPERANDS(b, node, x, {
                if (at < first_use[x]) {
                    first_use[x] = at;
                }
                if (at > last_use[x]) {
                    last_use[x] = at;
                }
                node_at(b, x)->uses++;
            });
        }
        find_cheap(b, last_use);
    }
    free(first_use);
    free(last_use);
}

/* ── Emit ───────────────────────────────────────────────────────────────────────────────────── */

/* Whether a, b, c of a step are slots: 'v'. */
static void
step_operands(uint32_t step, char kind[3])
{
    static const char *const names[] = {
#define STEP(name, expression) #name, #name,
        LANES_SIMPLE(STEP)
#undef STEP
    };
    kind[0] = kind[1] = kind[2] = '-';
    if (step < STEP_STORE) {
        const char *name = names[step];
        int at = 0;
        for (; *name; name++) {
            if (*name >= 'a') {
                kind[at++] = *name;
            }
        }
        return;
    }
    switch (step) {
    case STEP_POW:
    case STEP_SUM1v:
    case STEP_SUM2v:
        kind[1] = 'v';
        break;
    case STEP_SUM3v:
        kind[1] = kind[2] = 'v';
        break;
    case STEP_TAKE:
        kind[0] = 'v';
        break;
    case STEP_PICK:
        kind[0] = kind[1] = 'v';
        break;
    default:
        break;
    }
}

static void
put(Builder *b, uint32_t step, int32_t x, int32_t y, int32_t z)
{
    Raw *raw = array_add(&b->raws, 1, sizeof *raw);
    if (raw == NULL) {
        b->failed = true;
        return;
    }
    *raw = (Raw){step, x, y, z};
    char kind[3];
    step_operands(step, kind);
    if (kind[0] == 's') {
        raw->a = ~x;
    }
    if (kind[1] == 's') {
        raw->b = ~y;
    }
}

/* The steps of one operation stand in the order v, s; or vv, vs, sv, ss; each has a twin. */
static void
put1(Builder *b, uint32_t step, int32_t x)
{
    put(b, step + (x < 0 ? 2 : 0), x, 0, 0);
}

static void
put2(Builder *b, uint32_t step, int32_t x, int32_t y)
{
    put(b, step + (x < 0 ? 4 : 0) + (y < 0 ? 2 : 0), x, y, 0);
}

static void
load(Builder *b, int32_t ref)
{
    if (ref < 0 || b->held != ref) {
        put1(b, STEP_LOADv, ref);
        b->held = ref < 0 ? -1 : ref;
    }
}

/* A node for a uniform number in all lanes; these come after the other nodes. */
static int32_t
vector_of(Builder *b, int32_t ref)
{
    if (ref >= 0) {
        return ref;
    }
    int32_t number = ~ref;
    if (number >= b->spread_room) {
        int32_t room = b->uniform.count * 2 + 64;
        int32_t *grown = realloc(b->spread_of, (size_t)room * sizeof *grown);
        if (grown == NULL) {
            b->failed = true;
            return 0;
        }
        memset(grown + b->spread_room, 0xFF, (size_t)(room - b->spread_room) * sizeof *grown);
        b->spread_of = grown;
        b->spread_room = room;
    }
    if (b->spread_of[number] < 0) {
        int32_t *at = array_add(&b->spread, 1, sizeof *at);
        if (at == NULL) {
            b->failed = true;
            return 0;
        }
        *at = number;
        b->spread_of[number] = b->spread.count - 1;
    }
    return b->node_count + b->spread_of[number];
}

/* An entry of the table: a slot (of a node), or something as it is. */
static int32_t
put_table(Builder *b, int32_t item, bool node)
{
    int32_t *at = array_add(&b->tables, 1, sizeof *at);
    uint8_t *kind = array_add(&b->kinds, 1, 1);
    if (at == NULL || kind == NULL) {
        b->failed = true;
        return 0;
    }
    *at = item;
    *kind = node;
    return b->tables.count - 1;
}

static Term *
flat_terms(Builder *b)
{
    return b->flat.items;
}

static void
drop_flat(Builder *b, int32_t k)
{
    Term *flat = flat_terms(b);
    memmove(flat + k, flat + k + 1, (size_t)(b->flat.count - k - 1) * sizeof *flat);
    b->flat.count--;
}

static int32_t
find_flat(Builder *b, bool product, int sign)
{
    Term *flat = flat_terms(b);
    for (int32_t k = 0; k < b->flat.count; k++) {
        if ((flat[k].b != NOTHING) == product && (sign == 0 || flat[k].sign == sign)) {
            return k;
        }
    }
    return -1;
}

/* Begin a sum from what the accumulator holds. true: done. */
static bool
begin_held(Builder *b)
{
    Term *flat = flat_terms(b);
    int32_t held = b->held, unit = -1, product = -1;
    if (held < 0) {
        return false;
    }
    for (int32_t k = 0; k < b->flat.count && k < 64; k++) {
        if (flat[k].b == NOTHING) {
            unit = flat[k].a == held && unit < 0 ? k : unit;
        }
        else if (flat[k].a == held || flat[k].b == held) {
            product = product < 0 ? k : product;
        }
    }
    if (unit >= 0) {
        int32_t sign = flat[unit].sign;
        drop_flat(b, unit);
        if (sign > 0) {
            return true;
        }
        int32_t other = find_flat(b, false, 1);
        if (other >= 0) {
            put1(b, STEP_RSUBv, flat[other].a);
            drop_flat(b, other);
        }
        else {
            put(b, STEP_NEG, 0, 0, 0);
        }
        return true;
    }
    if (product < 0) {
        return false;
    }
    Term term = flat[product];
    drop_flat(b, product);
    int32_t with = term.a == held ? term.b : term.a;
    if (with == held) {
        put(b, STEP_SQUARE, 0, 0, 0);
        if (term.sign < 0) {
            put(b, STEP_NEG, 0, 0, 0);
        }
        return true;
    }
    int32_t other = find_flat(b, false, term.sign > 0 ? 0 : 1);
    if (other >= 0) {
        uint32_t step = term.sign < 0              ? STEP_NMADDvv
                        : flat[other].sign > 0 ? STEP_MADDvv
                                               : STEP_MSUBvv;
        put2(b, step, with, flat[other].a);
        drop_flat(b, other);
        return true;
    }
    put1(b, STEP_MULv, with);
    if (term.sign < 0) {
        put(b, STEP_NEG, 0, 0, 0);
    }
    return true;
}

static void
begin_fresh(Builder *b)
{
    Term *flat = flat_terms(b);
    int32_t plus = find_flat(b, false, 1);
    if (plus >= 0) {
        int32_t x = flat[plus].a;
        drop_flat(b, plus);
        int32_t other = find_flat(b, false, 0);
        if (other >= 0) {
            int32_t y = flat[other].a;
            bool minus = flat[other].sign < 0;
            drop_flat(b, other);
            if (x < 0 && y < 0) {
                put1(b, STEP_LOADv, x);
                put1(b, minus ? STEP_SUBv : STEP_ADDv, y);
            }
            else if (minus) {
                put2(b, STEP_SUB2vv, x, y);
            }
            else {
                put2(b, STEP_ADD2vv, x < 0 ? y : x, x < 0 ? x : y);
            }
            return;
        }
        put1(b, STEP_LOADv, x);
        return;
    }
    int32_t product = find_flat(b, true, 1);
    if (product < 0) {
        product = find_flat(b, true, 0);
    }
    int32_t at = product >= 0 ? product : 0;
    Term term = flat[at];
    drop_flat(b, at);
    if (product >= 0) {
        put2(b, STEP_MUL2vv, term.a < 0 ? vector_of(b, term.a) : term.a, term.b);
    }
    else {
        put1(b, STEP_LOADv, term.a);
    }
    if (term.sign < 0) {
        put(b, STEP_NEG, 0, 0, 0);
    }
}

static void
emit_linear(Builder *b)
{
    if (!begin_held(b)) {
        begin_fresh(b);
    }
    Term *flat = flat_terms(b);
    for (int pass = 0; pass < 2; pass++) { /* products first: they run together */
        for (int32_t k = 0; k < b->flat.count && !b->failed; k++) {
            Term term = flat[k];
            if ((term.b != NOTHING) != (pass == 0)) {
                continue;
            }
            if (pass == 0) {
                put2(b, term.sign > 0 ? STEP_FMAvv : STEP_FNMAvv,
                     term.a < 0 ? vector_of(b, term.a) : term.a, term.b);
            }
            else {
                put1(b, term.sign > 0 ? STEP_ADDv : STEP_SUBv, term.a);
            }
        }
    }
}

/* A = step(x, y), or reversed(y, x); both take the accumulator first. */
static void
emit_two(Builder *b, uint32_t step, uint32_t reversed, int32_t x, int32_t y)
{
    if (x < 0 || (b->held == y && y >= 0 && b->held != x)) {
        load(b, y);
        put1(b, reversed, x);
    }
    else {
        load(b, x);
        put1(b, step, y);
    }
}

static void
emit_row(Builder *b, int row, int which, const int32_t *ref, int count)
{
    int32_t at = b->tables.count;
    for (int k = 0; k < 3; k++) {
        put_table(b, vector_of(b, ref[k < count ? k : 0]), true);
    }
    put(b, STEP_ROW, row, at, which);
}

static int
function_of(int code)
{
    switch (code) {
    case C_exp: return FUNCTION_exp;
    case C_expm1: return FUNCTION_expm1;
    case C_log: return FUNCTION_log;
    case C_log1p: return FUNCTION_log1p;
    case C_sin: return FUNCTION_sin;
    case C_cos: return FUNCTION_cos;
    case C_tan: return FUNCTION_tan;
    case C_atan: return FUNCTION_atan;
    case C_sinh: return FUNCTION_sinh;
    case C_cosh: return FUNCTION_cosh;
    case C_tanh: return FUNCTION_tanh;
    case C_sigmoid: return FUNCTION_sigmoid;
    case C_softplus: return FUNCTION_softplus;
    case C_silu: return FUNCTION_silu;
    case C_gelu: return FUNCTION_gelu;
    case C_erf: return FUNCTION_erf;
    case C_erfc: return FUNCTION_erfc;
    default: return -1;
    }
}

static int
derivative_of(int row)
{
    switch (row) {
    case C_exp: return FUNCTION_exp;
    case C_expm1: return FUNCTION_by_expm1;
    case C_log1p: return FUNCTION_by_log1p;
    case C_tan: return FUNCTION_by_tan;
    case C_atan: return FUNCTION_by_atan;
    case C_sinh: return FUNCTION_cosh;
    case C_cosh: return FUNCTION_sinh;
    case C_tanh: return FUNCTION_by_tanh;
    case C_sigmoid: return FUNCTION_by_sigmoid;
    case C_softplus: return FUNCTION_by_softplus;
    case C_silu: return FUNCTION_by_silu;
    case C_gelu: return FUNCTION_by_gelu;
    case C_erf: return FUNCTION_by_erf;
    case C_erfc: return FUNCTION_by_erfc;
    default: return -1;
    }
}

static int
simple_of(int code)
{
    switch (code) {
    case C_abs: return STEP_ABS;
    case C_sqrt: return STEP_SQRT;
    case C_relu: return STEP_RELU;
    case C_sign: return STEP_SIGN;
    case C_floor: return STEP_FLOOR;
    case SQUARE: return STEP_SQUARE;
    case ROOT: return STEP_ROOT;
    case INVERSE: return STEP_INVERSE;
    case INVERSE_ROOT: return STEP_INVERSE_ROOT;
    default: return -1;
    }
}

static void
emit_partial(Builder *b, int row, int which, const int32_t *ref, int count)
{
    int function = which == 0 ? derivative_of(row) : -1;
    if (row == C_maximum || row == C_minimum) {
        bool first = (which == 0) == (row == C_maximum);
        emit_two(b, STEP_ABOVEv, STEP_RABOVEv, ref[first ? 0 : 1], ref[first ? 1 : 0]);
    }
    else if (row == C_abs) {
        load(b, ref[0]);
        put(b, STEP_SIGN, 0, 0, 0);
    }
    else if (function >= 0) {
        load(b, ref[0]);
        put(b, STEP_CALL, function, 0, 0);
    }
    else {
        emit_row(b, row, 1 + which, ref, count);
    }
}

static void
emit_input(Builder *b, int32_t n, int32_t slot)
{
    int32_t first = b->group[slot];
    if (first < 0) {
        put(b, STEP_IN, slot, 0, 0);
        b->held = n;
        return;
    }
    int32_t at = b->tables.count;
    for (int32_t k = 0; k < 8; k++) {
        int32_t member = b->input_node[first + k];
        put_table(b, member, true);
        node_at(b, member)->done = true;
    }
    put(b, STEP_INS, first, at, 0);
}

static void
emit_operation(Builder *b, int32_t n)
{
    const Node node = *node_at(b, n);
    const int32_t *ref = (const int32_t *)b->operands.items + node.first;
    int code = node.code, count = node.count;
    int simple = simple_of(code), function = function_of(code);
    if (simple >= 0) {
        load(b, ref[0]);
        put(b, (uint32_t)simple, 0, 0, 0);
        return;
    }
    if (function >= 0) {
        load(b, ref[0]);
        put(b, STEP_CALL, function, 0, 0);
        return;
    }
    switch (code) {
    case C_div:
    case DRAW:
        emit_two(b, STEP_DIVv, STEP_RDIVv, ref[0], ref[1]);
        return;
    case C_maximum:
        emit_two(b, STEP_MAXv, STEP_RMAXv, ref[0], ref[1]);
        return;
    case C_minimum:
        emit_two(b, STEP_MINv, STEP_RMINv, ref[0], ref[1]);
        return;
    case LT:
        emit_two(b, STEP_LTv, STEP_GTv, ref[0], ref[1]);
        return;
    case LE:
        emit_two(b, STEP_LEv, STEP_GEv, ref[0], ref[1]);
        return;
    case GT:
        emit_two(b, STEP_GTv, STEP_LTv, ref[0], ref[1]);
        return;
    case GE:
        emit_two(b, STEP_GEv, STEP_LEv, ref[0], ref[1]);
        return;
    case EQ:
        emit_two(b, STEP_EQv, STEP_EQv, ref[0], ref[1]);
        return;
    case NE:
        emit_two(b, STEP_NEv, STEP_NEv, ref[0], ref[1]);
        return;
    case GATE:
    case CHOOSE:
    case REFUSE: {
        int32_t g = ref[code == GATE ? 0 : 1], condition = ref[code == GATE ? 1 : 0];
        uint32_t step = code == GATE ? STEP_GATEv : code == CHOOSE ? STEP_CHOOSEv : STEP_REFUSEv;
        if (b->held == g && g >= 0 && condition >= 0) {
            put(b, step, condition, 0, 0);
        }
        else {
            load(b, condition);
            put1(b, step + 2, g); /* its reverse is the next */
        }
        return;
    }
    case C_where:
        load(b, ref[0]);
        put2(b, STEP_WHEREvv, ref[1], ref[2]);
        return;
    case C_clip:
        load(b, ref[0]);
        if (ref[1] < 0 && ref[2] < 0) {
            put(b, STEP_CLIPss, ref[1], ref[2], 0);
        }
        else {
            put(b, STEP_CLIPvv, vector_of(b, ref[1]), vector_of(b, ref[2]), 0);
        }
        return;
    case C_leaky_relu:
        load(b, ref[0]);
        put1(b, STEP_LEAKYv, ref[1]);
        return;
    case LARGEST:
        load(b, ref[0]);
        for (int k = 1; k < count; k++) {
            put1(b, STEP_MAXv, ref[k]);
        }
        return;
    case C_pow: {
        int32_t power = vector_of(b, ref[1]);
        load(b, ref[0]);
        put(b, STEP_POW, 0, power, 0);
        return;
    }
    case TAKE: {
        int32_t at = b->tables.count;
        for (int k = 1; k < count; k++) {
            put_table(b, ref[k], ref[k] >= 0);
        }
        put_table(b, node.extra, false);
        put(b, STEP_TAKE, vector_of(b, ref[0]), at, count - 1);
        return;
    }
    case PICK: {
        int32_t place = uniform_number(b, -1, b->ir->number[node.extra]);
        put1(b, STEP_LOADv, ~uniform_number(b, -1, 0.0));
        for (int k = 0; k < count; k += 2) {
            put(b, STEP_PICK, vector_of(b, ref[k]), vector_of(b, ref[k + 1]), place);
        }
        return;
    }
    case PARTIAL0:
    case PARTIAL1:
        emit_partial(b, (int)b->ir->number[node.extra], code - PARTIAL0, ref + 1, count - 1);
        return;
    default:
        emit_row(b, code, 0, ref, count);
        return;
    }
}

static void
emit_total(Builder *b, const Node *node)
{
    const int32_t *ref = (const int32_t *)b->operands.items + node->first;
    if (node->kind == TOTAL) {
        if (b->held == ref[0]) {
            put(b, STEP_SUMv, node->extra, 0, 0);
        }
        else {
            put(b, STEP_SUM1v, node->extra, ref[0], 0);
        }
    }
    else if (node->kind == PRODUCT_TOTAL) {
        if (b->held >= 0 && (b->held == ref[0] || b->held == ref[1])) {
            put(b, STEP_SUM2v, node->extra, b->held == ref[0] ? ref[1] : ref[0], 0);
        }
        else {
            put(b, STEP_SUM3v, node->extra, ref[0], ref[1]);
        }
    }
    else {
        int32_t at = b->tables.count;
        put_table(b, node->extra, false);
        put_table(b, vector_of(b, ref[0]), true);
        put_table(b, vector_of(b, ref[1]), true);
        put_table(b, ~ref[2], false);
        put(b, STEP_SUMPICK, at, 0, 0);
    }
}

enum { ABSORB = 1 << 20 };

/* The terms of node n into `flat`: those of lazy sums that only n reads, and of sums that are made
 * again, in their place. */
static void
flatten(Builder *b, int32_t n, int32_t position)
{
    b->flat.count = 0;
    Node *node = node_at(b, n);
    const bool outer_cheap = node->cheap;
    for (int32_t k = 0; k < node->count && !b->failed; k++) {
        Term *at = array_add(&b->flat, 1, sizeof *at);
        if (at == NULL) {
            b->failed = true;
            return;
        }
        *at = *term_at(b, node->first + k);
    }
    for (int32_t k = 0; k < b->flat.count && !b->failed;) {
        Term term = flat_terms(b)[k];
        Node *inner = term.b == NOTHING && term.a >= 0 ? node_at(b, term.a) : NULL;
        bool alone = inner != NULL && inner->kind == LINEAR && inner->lazy && !inner->done && inner->uses == 1;
        bool again = inner != NULL && inner->done && missing(b, term.a, position);
        /* what may be made again must find its operands in slots, or made again too */
        if ((!alone && !again) || (alone && outer_cheap && !inner->cheap) || b->flat.count > ABSORB) {
            k++;
            continue;
        }
        inner->done = true;
        inner->made = again ? inner->made : -2 * STALE;
        for (int32_t t = 0; t < inner->count; t++) {
            Term *at = t == 0 ? flat_terms(b) + k : array_add(&b->flat, 1, sizeof *at);
            if (at == NULL) {
                b->failed = true;
                return;
            }
            *at = *term_at(b, inner->first + t);
            at->sign *= term.sign;
        }
    }
}

typedef struct {
    int32_t node, cursor, first, count; /* of `first`: the terms in `pending` */
} Frame;

/* Emit node n after all it waits for. */
static void
emit_from(Builder *b, int32_t root, Array *pending)
{
    int32_t position = root;
    Frame *frame = array_add(&b->stack, 1, sizeof *frame);
    if (frame == NULL) {
        b->failed = true;
        return;
    }
    *frame = (Frame){root, -1, 0, 0};
    while (b->stack.count > 0 && !b->failed) {
        frame = (Frame *)b->stack.items + b->stack.count - 1;
        int32_t n = frame->node;
        Node *node = node_at(b, n);
        if (frame->cursor < 0) { /* on entry */
            frame->cursor = 0;
            frame->first = pending->count;
            if (node->kind == LINEAR) {
                flatten(b, n, position);
                Term *at = array_add(pending, b->flat.count, sizeof *at);
                if (at == NULL || b->failed) {
                    b->failed = true;
                    return;
                }
                memcpy(at, b->flat.items, (size_t)b->flat.count * sizeof *at);
                frame->count = b->flat.count;
            }
        }
        int32_t wait = -1;
        if (node->kind == LINEAR) {
            for (; frame->cursor < 2 * frame->count && wait < 0; frame->cursor++) {
                Term term = ((Term *)pending->items)[frame->first + frame->cursor / 2];
                int32_t x = frame->cursor % 2 ? term.b : term.a;
                if (x >= 0 && x != NOTHING && missing(b, x, position)) {
                    wait = x;
                }
            }
        }
        else {
            for (; frame->cursor < node->count && wait < 0; frame->cursor++) {
                int32_t x = operand_at(b, node->first + frame->cursor);
                if (x >= 0 && missing(b, x, position)) {
                    wait = x;
                }
            }
        }
        if (wait >= 0) {
            frame = array_add(&b->stack, 1, sizeof *frame);
            if (frame == NULL) {
                b->failed = true;
                return;
            }
            *frame = (Frame){wait, -1, 0, 0};
            continue;
        }
        bool grouped = false;
        switch (node->kind) {
        case LINEAR:
            b->flat.count = 0;
            if (frame->count > b->flat.room) {
                array_add(&b->flat, frame->count, sizeof(Term));
            }
            memcpy(b->flat.items, (Term *)pending->items + frame->first,
                   (size_t)frame->count * sizeof(Term));
            b->flat.count = frame->count;
            emit_linear(b);
            break;
        case OPERATION:
            if (node->code == INPUT) {
                int32_t slot = (int32_t)b->ir->number[node->extra];
                grouped = b->group[slot] >= 0;
                emit_input(b, n, slot);
            }
            else {
                emit_operation(b, n);
            }
            break;
        case RESULT:
            load(b, operand_at(b, node->first));
            put(b, STEP_OUT, node->extra, 0, 0);
            break;
        default:
            emit_total(b, node);
            break;
        }
        node_at(b, n)->done = true;
        if (!grouped && (node->kind == LINEAR || node->kind == OPERATION)) {
            b->held = n;
            put(b, STEP_STORE, 0, 0, n); /* dropped when nobody reads it */
            node_at(b, n)->made = b->raws.count;
        }
        pending->count = frame->first;
        b->stack.count--;
    }
}

static void
emit(Builder *b)
{
    Array pending = {0};
    b->held = -1;
    for (int32_t s = 0; s + 7 < b->ir->slots; s++) {
        int k = 0;
        while (k < 8 && b->input_node[s + k] >= 0) {
            k++;
        }
        if (k == 8) {
            for (k = 0; k < 8; k++) {
                b->group[s + k] = s;
            }
            s += 7;
        }
    }
    for (int32_t n = 0; n < b->node_count && !b->failed; n++) {
        Node *node = node_at(b, n);
        if (!node->lazy && !node->done) {
            emit_from(b, n, &pending);
        }
    }
    free(pending.items);
}

/* ── Assign ─────────────────────────────────────────────────────────────────────────────────── */

/* Where in `table` the operands of a raw step are. */
static int32_t
table_operands(const Raw *raw, int32_t *from)
{
    switch (raw->step) {
    case STEP_ROW:
        *from = raw->b;
        return 3;
    case STEP_TAKE:
        *from = raw->b;
        return raw->c;
    case STEP_SUMPICK:
        *from = raw->a;
        return 4;
    default:
        *from = 0;
        return 0;
    }
}

enum { POLL_EVERY = 20000 };
enum { AHEAD = 16, AHEAD_EVERY = 4, AHEAD_MOST = 8 }; /* inputs; steps: few at once, or the requests queue up */
enum { IS_SLOT = 1, LAST_READ = 2 }; /* of an entry of the table */

typedef struct {
    uint8_t *live;   /* by node: read later, before it is written again */
    uint8_t *last;   /* by raw step: bit k: operand k is read for the last time */
    int32_t *slot, *spare;
    int32_t spares, slots;
} Slots;

static bool
first_seen(Slots *s, int32_t n)
{
    bool seen = s->live[n];
    s->live[n] = 1;
    return !seen;
}

/* Backward: mark last reads; stores that nobody reads become POLL, to be dropped. */
static void
find_last(Builder *b, Slots *s)
{
    Raw *raws = b->raws.items;
    uint8_t *kinds = b->kinds.items;
    const int32_t *table = b->tables.items;
    for (int32_t k = b->raws.count - 1; k >= 0; k--) {
        Raw *raw = &raws[k];
        if (raw->step == STEP_STORE) {
            if (!s->live[raw->c]) {
                raw->step = STEP_POLL;
            }
            s->live[raw->c] = 0;
            continue;
        }
        if (raw->step == STEP_INS) { /* live members get a slot; the others share what is spare */
            for (int32_t t = raw->b; t < raw->b + 8; t++) {
                kinds[t] = s->live[table[t]] ? IS_SLOT : IS_SLOT | LAST_READ;
                s->live[table[t]] = 0;
            }
            continue;
        }
        char kind[3];
        step_operands(raw->step, kind);
        const int32_t operand[3] = {raw->a, raw->b, raw->c};
        for (int o = 0; o < 3; o++) {
            if (kind[o] == 'v' && first_seen(s, operand[o])) {
                s->last[k] |= (uint8_t)(1 << o);
            }
        }
        int32_t from, many = table_operands(raw, &from);
        for (int32_t t = from; t < from + many; t++) {
            if (kinds[t] && first_seen(s, table[t])) {
                kinds[t] |= LAST_READ;
            }
        }
    }
}

static int32_t
slot_new(Slots *s)
{
    return s->spares > 0 ? s->spare[--s->spares] : s->slots++;
}

/* Forward: free what is read for the last time, then place what is written. */
static void
place_slots(Builder *b, Slots *s)
{
    Raw *raws = b->raws.items;
    uint8_t *kinds = b->kinds.items;
    int32_t *table = b->tables.items;
    for (int32_t k = 0; k < b->raws.count; k++) {
        Raw *raw = &raws[k];
        if (raw->step == STEP_STORE) {
            raw->c = s->slot[raw->c] = slot_new(s);
            continue;
        }
        if (raw->step == STEP_INS) {
            for (int32_t t = raw->b; t < raw->b + 8; t++) {
                s->slot[table[t]] = slot_new(s);
                table[t] = s->slot[table[t]];
            }
            for (int32_t t = raw->b; t < raw->b + 8; t++) {
                if (kinds[t] & LAST_READ) {
                    s->spare[s->spares++] = table[t];
                }
            }
            continue;
        }
        char kind[3];
        step_operands(raw->step, kind);
        int32_t *operand[3] = {&raw->a, &raw->b, &raw->c};
        for (int o = 0; o < 3; o++) {
            if (kind[o] == 'v') {
                bool spread = *operand[o] >= b->node_count;
                *operand[o] = s->slot[*operand[o]];
                assert(*operand[o] >= 0);
                if ((s->last[k] >> o & 1) && !spread) {
                    s->spare[s->spares++] = *operand[o];
                }
            }
        }
        int32_t from, many = table_operands(raw, &from);
        for (int32_t t = from; t < from + many; t++) {
            if (kinds[t]) {
                bool spread = table[t] >= b->node_count;
                table[t] = s->slot[table[t]];
                if ((kinds[t] & LAST_READ) && !spread) {
                    s->spare[s->spares++] = table[t];
                }
            }
        }
    }
}

static void
assign(Builder *b)
{
    Lanes *plan = b->plan;
    int32_t all = b->node_count + b->spread.count;
    Slots s = {.slots = b->spread.count};
    s.live = calloc((size_t)all + 1, 1);
    s.last = calloc((size_t)b->raws.count + 1, 1);
    s.slot = malloc(((size_t)all + 1) * sizeof *s.slot);
    s.spare = malloc(((size_t)all + 1) * sizeof *s.spare);
    if (!s.live || !s.last || !s.slot || !s.spare) {
        b->failed = true;
        goto end;
    }
    for (int32_t n = 0; n < all; n++) {
        s.slot[n] = n >= b->node_count ? n - b->node_count : -1;
    }
    find_last(b, &s);
    place_slots(b, &s);
    Raw *raws = b->raws.items;
    int32_t kept = 0;
    for (int32_t k = 0; k < b->raws.count; k++) {
        if (raws[k].step != STEP_POLL) {
            raws[kept++] = raws[k];
        }
    }
    int32_t slots = s.slots;
    plan->slot_count = slots;
    plan->steps = malloc(((size_t)kept + (size_t)kept / POLL_EVERY + (size_t)kept / AHEAD_EVERY + 2) *
                         sizeof *plan->steps);
    if (plan->steps == NULL) {
        b->failed = true;
        goto end;
    }
    int32_t count = 0, since = 0, until_ahead = AHEAD_EVERY;
    int32_t ahead[AHEAD_MOST], ahead_lane = 0; /* inputs to be fetched, the first from this lane on */
    int aheads = 0;
    for (int32_t k = 0; k < kept;) {
        Raw raw = raws[k];
        int32_t run = 1;
        if (raw.step == STEP_FMAvv || raw.step == STEP_FMAvs || raw.step == STEP_SUM2v) {
            while (k + run < kept && raws[k + run].step == raw.step) {
                run++;
            }
            if (run > 1) {
                int32_t at = b->tables.count;
                for (int32_t j = k; j < k + run; j++) {
                    int32_t *entry = array_add(&b->tables, 2, sizeof *entry);
                    if (entry == NULL) {
                        b->failed = true;
                        goto end;
                    }
                    entry[0] = raws[j].a;
                    entry[1] = raws[j].b;
                }
                uint32_t step = raw.step == STEP_FMAvv   ? STEP_FMASvv
                                : raw.step == STEP_FMAvs ? STEP_FMASvs
                                                         : STEP_SUM2S;
                raw = (Raw){step, at, run, 0};
            }
        }
        if (raw.step < STEP_STORE && k + run < kept && raws[k + run].step == STEP_STORE) {
            raw.step++;
            raw.c = raws[k + run].c;
            run++;
        }
        plan->steps[count++] = (Step){raw.step, (uint32_t)raw.a, (uint32_t)raw.b, (uint32_t)raw.c};
        k += run;
        if (raw.step == STEP_INS) {
            if (raw.a + AHEAD < b->ir->slots && aheads < AHEAD_MOST) {
                ahead[aheads++] = raw.a + AHEAD;
            }
        }
        if (--until_ahead == 0) {
            until_ahead = AHEAD_EVERY;
            if (aheads > 0) {
                plan->steps[count++] = (Step){STEP_AHEAD, (uint32_t)ahead[0], (uint32_t)ahead_lane, 0};
                ahead_lane += 8;
                if (ahead_lane == 64) {
                    ahead_lane = 0;
                    memmove(ahead, ahead + 1, (size_t)--aheads * sizeof *ahead);
                }
            }
        }
        if (++since == POLL_EVERY) {
            plan->steps[count++] = (Step){STEP_POLL, 0, 0, 0};
            since = 0;
        }
    }
    plan->steps[count++] = (Step){STEP_END, 0, 0, 0};
    plan->step_count = count;
end:
    free(s.live);
    free(s.last);
    free(s.slot);
    free(s.spare);
}

/* ── What is computed once ──────────────────────────────────────────────────────────────────── */

static void
want_factors(const Lanes *plan, int32_t x, uint8_t *wanted)
{
    Factor by;
    while (!plan->factored[x]) {
        plan->factored[x] = 1;
        int32_t inner = without_factor(plan->ir, plan->need, x, &by);
        if (by.value >= 0 && inner >= 0) {
            wanted[by.value] = 1;
        }
        x = inner >= 0 ? inner : x;
    }
}

static void
find_once(Builder *b)
{
    const Ir *ir = b->ir;
    Lanes *plan = b->plan;
    uint8_t *wanted = calloc((size_t)ir->count + 1, 1);
    plan->once = malloc(((size_t)ir->count + 1) * sizeof *plan->once);
    plan->late = malloc(((size_t)ir->count + 1) * sizeof *plan->late);
    plan->factored = calloc((size_t)ir->count + 1, 1);
    if (wanted == NULL || plan->once == NULL || plan->late == NULL || plan->factored == NULL) {
        b->failed = true;
        free(wanted);
        return;
    }
    for (int32_t k = 0; k < plan->uniform_count; k++) {
        if (plan->uniform[k].value >= 0) {
            wanted[plan->uniform[k].value] = 1;
        }
    }
    for (int32_t r = 0; r < ir->result_count; r++) {
        if (plan->need[ir->result[r]] & UNIFORM) {
            wanted[ir->result[r]] = 1;
        }
    }
    for (int32_t i = 0; i < ir->count; i++) {
        if (!(plan->need[i] & UNIFORM) && (plan->need[i] & NEED_TOTAL)) {
            plan->late[plan->late_count++] = i;
            for (int32_t k = ir->start[i]; k < ir->start[i + 1]; k++) {
                wanted[ir->arg[k]] |= (plan->need[ir->arg[k]] & UNIFORM) != 0;
                if (plan->product_of[k] >= 0) {
                    want_factors(plan, ir->arg[k], wanted);
                    want_factors(plan, ir->arg[k + 1], wanted);
                }
            }
        }
    }
    for (int32_t i = ir->count - 1; i >= 0; i--) {
        if (wanted[i]) {
            for (int32_t k = ir->start[i]; k < ir->start[i + 1]; k++) {
                wanted[ir->arg[k]] = 1;
            }
        }
    }
    for (int32_t i = 0; i < ir->count; i++) {
        if (wanted[i]) {
            plan->once[plan->once_count++] = i;
        }
    }
    free(wanted);
}

/* ── lanes_new ──────────────────────────────────────────────────────────────────────────────── */

enum { CACHE = 4096 * 1024 };

/* As many lanes as keep the slots in the caches of one core; a little beyond the second one still
 * pays, since most of what is far away is read once. */
static void
choose_size(Lanes *plan)
{
    static const int sizes[SIZES] = {8, 4, 2};
    int real = plan->single ? 4 : 8, width = plan->level->width[plan->single], k = 0;
    if (chosen_size != 0) {
        while (sizes[k] != chosen_size) {
            k++;
        }
    }
    else {
        while (k + 1 < SIZES && (int64_t)plan->slot_count * sizes[k] * width * real > CACHE) {
            k++;
        }
    }
    plan->run = plan->level->run[plan->single][k];
    plan->width = width;
    plan->lanes = sizes[k] * width;
}

Lanes *
lanes_new(const Ir *ir, const uint8_t *shared, const int32_t *gradient_slot, bool sums, bool float32)
{
    Lanes *plan = calloc(1, sizeof *plan);
    if (plan == NULL) {
        return NULL;
    }
#if THREADS
    pthread_mutex_init(&plan->lock, NULL);
#endif
    size_t count = (size_t)ir->count + 1, slots = (size_t)ir->slots + 1;
    plan->ir = ir;
    plan->sums = sums;
    plan->single = float32;
    plan->level = lanes_level();
    plan->need = calloc(count, 1);
    plan->total_of = malloc(count * sizeof *plan->total_of);
    plan->result_kind = calloc((size_t)ir->result_count + 1, 1);
    Builder b = {.plan = plan, .ir = ir};
    size_t pairs = 64;
    while (sums && pairs < (size_t)ir->arg_count + 64) { /* at most half full */
        pairs *= 2;
    }
    b.product_mask = pairs - 1;
    b.product = malloc(3 * pairs * sizeof *b.product);
    plan->product_of = malloc(((size_t)ir->arg_count + 1) * sizeof *plan->product_of);
    b.ref = calloc(count, sizeof *b.ref);
    b.number_of = malloc(count * sizeof *b.number_of);
    b.last_use = malloc(count * sizeof *b.last_use);
    b.item_head = malloc(count * sizeof *b.item_head);
    b.bare = malloc(count * sizeof *b.bare);
    b.split = malloc(count * sizeof *b.split);
    b.lane_uses = calloc(count, sizeof *b.lane_uses);
    b.group = malloc(slots * sizeof *b.group);
    b.input_node = malloc(slots * sizeof *b.input_node);
    if (!plan->need || !plan->total_of || !plan->result_kind || !b.ref || !b.number_of || !b.last_use ||
        !b.item_head || !b.bare || !b.split || !b.lane_uses || !b.product || !plan->product_of || !b.group || !b.input_node) {
        b.failed = true;
    }
    if (!b.failed) {
        memset(plan->total_of, 0xFF, count * sizeof *plan->total_of);
        memset(plan->product_of, 0xFF, ((size_t)ir->arg_count + 1) * sizeof *plan->product_of);
        memset(b.product, 0xFF, 3 * pairs * sizeof *b.product);
        memset(b.number_of, 0xFF, count * sizeof *b.number_of);
        memset(b.item_head, 0xFF, count * sizeof *b.item_head);
        memset(b.group, 0xFF, slots * sizeof *b.group);
        memset(b.input_node, 0xFF, slots * sizeof *b.input_node);
        demand(&b, shared, gradient_slot);
    }
    if (!b.failed) {
        make_nodes(&b);
        b.node_count = b.nodes.count;
    }
    if (!b.failed) {
        delay(&b);
    }
    if (!b.failed) {
        emit(&b);
    }
    if (!b.failed) {
        assign(&b);
    }
    plan->table = b.tables.items;
    plan->table_count = b.tables.count;
    plan->uniform = b.uniform.items;
    plan->uniform_count = b.uniform.count;
    plan->spread = b.spread.items;
    plan->spread_count = b.spread.count;
    if (!b.failed) {
        find_once(&b);
        choose_size(plan);
    }
    free(b.ref);
    free(b.number_of);
    free(b.last_use);
    free(b.item_head);
    free(b.bare);
    free(b.split);
    free(b.lane_uses);
    free(b.product);
    free(b.group);
    free(b.input_node);
    free(b.items.items);
    free(b.nodes.items);
    free(b.terms.items);
    free(b.operands.items);
    free(b.raws.items);
    free(b.kinds.items);
    free(b.parts.items);
    free(b.spread_of);
    free(b.position);
    free(b.stack.items);
    free(b.flat.items);
    if (b.failed) {
        lanes_free(plan);
        return NULL;
    }
    return plan;
}

/* ── Running ────────────────────────────────────────────────────────────────────────────────── */

/* What one thread works with; kept by the plan between runs. */
struct Worker {
    Worker *next;
    void *block;      /* of `memory` and `totals`, as allocated */
    char *memory;
    double *totals;   /* a vector each */
    uint8_t *bad;
    double *slots, *values; /* of the flat interpreter; NULL until needed */
    bool listens;           /* it is the caller's own thread */
};

static void
worker_free(Worker *worker)
{
    if (worker != NULL) {
        free(worker->block);
        free(worker->bad);
        free(worker->slots);
        free(worker->values);
        free(worker);
    }
}

static size_t
slot_bytes(const Lanes *plan)
{
    return (size_t)plan->slot_count * (size_t)plan->lanes * (plan->single ? 4 : 8);
}

static size_t
round_up(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static Worker *
worker_new(const Lanes *plan)
{
    Worker *worker = calloc(1, sizeof *worker);
    if (worker == NULL) {
        return NULL;
    }
    size_t slots = round_up(slot_bytes(plan));
    size_t totals = round_up((size_t)plan->total_count * (size_t)plan->width * sizeof(double));
    worker->block = malloc(slots + totals + 64);
    worker->bad = calloc((size_t)plan->lanes, 1);
    if (worker->block == NULL || worker->bad == NULL) {
        worker_free(worker);
        return NULL;
    }
    worker->memory = (char *)(((uintptr_t)worker->block + 63) / 64 * 64);
    worker->totals = (double *)(void *)(worker->memory + slots);
    return worker;
}

static Worker *
worker_take(Lanes *plan)
{
#if THREADS
    pthread_mutex_lock(&plan->lock);
#endif
    Worker *worker = plan->idle;
    if (worker != NULL) {
        plan->idle = worker->next;
    }
#if THREADS
    pthread_mutex_unlock(&plan->lock);
#endif
    return worker != NULL ? worker : worker_new(plan);
}

static void
worker_give(Lanes *plan, Worker *worker)
{
#if THREADS
    pthread_mutex_lock(&plan->lock);
#endif
    worker->next = plan->idle;
    plan->idle = worker;
#if THREADS
    pthread_mutex_unlock(&plan->lock);
#endif
}

void
lanes_free(Lanes *plan)
{
    if (plan == NULL) {
        return;
    }
    while (plan->idle != NULL) {
        Worker *worker = plan->idle;
        plan->idle = worker->next;
        worker_free(worker);
    }
    free(plan->steps);
    free(plan->table);
    free(plan->uniform);
    free(plan->once);
    free(plan->spread);
    free(plan->total_of);
    free(plan->product_of);
    free(plan->factored);
    free(plan->need);
    free(plan->late);
    free(plan->result_kind);
#if THREADS
    pthread_mutex_destroy(&plan->lock);
#endif
    free(plan);
}

LanesSizes
lanes_sizes(const Lanes *plan)
{
    return (LanesSizes){
        .steps = plan->step_count,
        .slots = plan->slot_count,
        .lanes = plan->lanes,
        .bytes = (int64_t)slot_bytes(plan),
        .plan_bytes = (int64_t)(sizeof *plan + (size_t)plan->step_count * sizeof(Step) +
                                (size_t)plan->table_count * sizeof(int32_t) +
                                (size_t)plan->uniform_count * sizeof(Uniform) +
                                (size_t)plan->ir->count * (3 * sizeof(int32_t) + 1)),
        .uniform = plan->once_count,
        .varying = plan->varying,
        .totals = plan->total_count,
        .level = plan->level->name,
    };
}

size_t
lanes_text(const Lanes *plan, char *to, size_t room)
{
    static const char *const names[STEP_COUNT] = {
#define STEP(name, expression) #name, #name " store",
        LANES_SIMPLE(STEP)
#undef STEP
#define STEP(name) #name,
        LANES_OTHER(STEP)
#undef STEP
    };
    size_t used = 0;
    for (int32_t k = 0; k < plan->step_count; k++) {
        const Step *step = &plan->steps[k];
        int wrote = snprintf(used < room ? to + used : NULL, used < room ? room - used : 0,
                             "%d %s %u %u %u\n", k, names[step->step], step->a, step->b, step->c);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    return used;
}

/* One call of lanes_run. */
typedef struct {
    Lanes *plan;
    const char *const *base;
    const int64_t *stride;
    int64_t count, chunk, chunks; /* scenarios; scenarios of a chunk */
    double *outputs, *grads;
    double **result;
    int64_t *result_stride;
    double *uniform;
    bool careful;      /* every scenario by the flat interpreter */
    double *factors;   /* by value: see find_factors */
    double *sums;      /* chunks × (totals, then gradients that the flat interpreter gave) */
    int32_t sum_count;
    Watch *watch;
#if THREADS
    pthread_mutex_t lock;
    pthread_cond_t ended;
    atomic_int helping; /* threads beside the caller's that have not ended */
    atomic_llong next;
    atomic_llong fault_chunk; /* chunks after it need not run */
    atomic_int status;
#else
    long long next, fault_chunk;
    int status;
#endif
    LanesFault fault;
} Run;

/* The first fault counts, whatever thread finds it. */
static void
report_fault(Run *run, int64_t chunk, int64_t scenario, int32_t instruction)
{
#if THREADS
    pthread_mutex_lock(&run->lock);
#endif
    if (run->fault.scenario < 0 || scenario < run->fault.scenario) {
        run->fault = (LanesFault){scenario, instruction};
        run->fault_chunk = chunk;
    }
#if THREADS
    pthread_mutex_unlock(&run->lock);
#endif
}

/* In the caller's own thread: have a look at the signals. */
static bool
heard_stop(const Run *run)
{
    if (run->watch->listen != NULL) {
        run->watch->listen(run->watch);
    }
    return run->watch->stop != 0;
}

static bool
is_stopped(const Run *run, const Worker *worker)
{
    return worker->listens ? heard_stop(run) : run->watch->stop != 0;
}

/* Scenario i by the flat interpreter. 0, or a status. */
static int
run_flat(Run *run, Worker *worker, int64_t chunk, int64_t i)
{
    const Ir *ir = run->plan->ir;
    if (worker->slots == NULL) {
        worker->slots = malloc(((size_t)ir->slots + 1) * sizeof(double));
        worker->values = malloc(((size_t)ir->count + 1) * sizeof(double));
        if (worker->slots == NULL || worker->values == NULL) {
            free(worker->slots);
            free(worker->values);
            worker->slots = worker->values = NULL;
            return LANES_NO_MEMORY;
        }
    }
    for (int32_t s = 0; s < ir->slots; s++) {
        memcpy(&worker->slots[s], run->base[s] + i * run->stride[s], sizeof(double));
    }
    int32_t bad = flat_run(ir, worker->slots, worker->values, true);
    if (bad >= 0) {
        report_fault(run, chunk, i, bad);
    }
    return 0;
}

/* The gradients of scenario i from the flat interpreter: by lane, and into the sums of the chunk. */
static int
redo(Run *run, Worker *worker, int64_t chunk, int64_t i, bool lanes, bool totals)
{
    const Lanes *plan = run->plan;
    const Ir *ir = plan->ir;
    int status = run_flat(run, worker, chunk, i);
    if (status != 0) {
        return status;
    }
    double *direct = run->sums + chunk * run->sum_count + plan->total_count;
    for (int32_t r = ir->outputs; r < ir->result_count; r++) {
        double gradient = worker->values[ir->result[r]];
        if (plan->result_kind[r] == RESULT_TOTAL) {
            if (totals) {
                direct[r - ir->outputs] += gradient;
            }
        }
        else if (lanes && run->result[r] != NULL) {
            run->result[r][i * run->result_stride[r]] = gradient;
        }
    }
    return 0;
}

static int
run_block(Run *run, Worker *worker, int64_t chunk, int64_t first, int64_t end)
{
    Lanes *plan = run->plan;
    Block block = {
        .steps = plan->steps,
        .memory = worker->memory,
        .uniform = run->uniform,
        .table = plan->table,
        .totals = worker->totals,
        .base = run->base,
        .stride = run->stride,
        .first = first,
        .valid = (int32_t)(end - first < plan->lanes ? end - first : plan->lanes),
        .result = run->result,
        .result_stride = run->result_stride,
        .outputs = plan->ir->outputs,
        .bad = worker->bad,
        .fault_lane = -1,
        .stop = &run->watch->stop,
    };
    int status = plan->run(&block);
    if (block.fault_lane >= 0) {
        report_fault(run, chunk, first + block.fault_lane, block.fault_step);
    }
    if (block.bad_count > 0) {
        for (int32_t lane = 0; lane < block.valid; lane++) {
            if (worker->bad[lane] && status == 0) {
                status = is_stopped(run, worker) ? LANES_STOPPED : redo(run, worker, chunk, first + lane, true, false);
            }
        }
        memset(worker->bad, 0, (size_t)plan->lanes);
    }
    return status;
}

/* Add the totals to the sums of the chunk; false when one is not finite, and then adds nothing. */
static bool
add_totals(const Run *run, const Worker *worker, double *sums)
{
    const Lanes *plan = run->plan;
    int width = plan->width;
    bool finite = true;
    for (int32_t k = 0; k < plan->total_count; k++) {
        double sum = 0.0;
        for (int lane = 0; lane < width; lane++) {
            sum += worker->totals[(size_t)k * (size_t)width + (size_t)lane];
        }
        finite = finite && isfinite(sum);
        worker->totals[(size_t)k * (size_t)width] = sum;
    }
    for (int32_t k = 0; k < plan->total_count && finite; k++) {
        sums[k] += worker->totals[(size_t)k * (size_t)width];
    }
    return finite;
}

static void
clear_totals(const Lanes *plan, Worker *worker)
{
    memset(worker->totals, 0, (size_t)plan->total_count * (size_t)plan->width * sizeof(double));
}

static int
run_chunk(Run *run, Worker *worker, int64_t chunk)
{
    Lanes *plan = run->plan;
    int64_t first = chunk * run->chunk;
    int64_t end = first + run->chunk < run->count ? first + run->chunk : run->count;
    int status = 0;
    if (run->careful) {
        for (int64_t i = first; i < end && status == 0; i++) {
            status = is_stopped(run, worker) ? LANES_STOPPED : redo(run, worker, chunk, i, false, true);
        }
        return status;
    }
    clear_totals(plan, worker);
    for (int64_t i = first; i < end && status == 0; i += plan->lanes) {
        status = is_stopped(run, worker) ? LANES_STOPPED : run_block(run, worker, chunk, i, end);
    }
    double *sums = run->sums + chunk * run->sum_count;
    if (status != 0 || plan->total_count == 0 || add_totals(run, worker, sums)) {
        return status;
    }
    /* Somewhere 0·inf, or a true nan or inf: find the blocks, and do those carefully. */
    for (int64_t i = first; i < end && status == 0; i += plan->lanes) {
        clear_totals(plan, worker);
        status = is_stopped(run, worker) ? LANES_STOPPED : run_block(run, worker, chunk, i, end);
        if (status == 0 && !add_totals(run, worker, sums)) {
            for (int64_t k = i; k < end && k < i + plan->lanes && status == 0; k++) {
                status = is_stopped(run, worker) ? LANES_STOPPED : redo(run, worker, chunk, k, false, true);
            }
        }
    }
    return status;
}

static void
spread_uniform(const Run *run, Worker *worker)
{
    const Lanes *plan = run->plan;
    for (int32_t k = 0; k < plan->spread_count; k++) {
        double x = run->uniform[plan->spread[k]];
        for (int32_t lane = 0; lane < plan->lanes; lane++) {
            size_t at = (size_t)k * (size_t)plan->lanes + (size_t)lane;
            if (plan->single) {
                ((float *)(void *)worker->memory)[at] = (float)x;
            }
            else {
                ((double *)(void *)worker->memory)[at] = x;
            }
        }
    }
}

static void
work(Run *run, bool listens)
{
    Worker *worker = worker_take(run->plan);
    if (worker == NULL) {
        run->status = LANES_NO_MEMORY;
        return;
    }
    worker->listens = listens;
    spread_uniform(run, worker);
    while (run->status == 0) {
#if THREADS
        int64_t chunk = atomic_fetch_add(&run->next, 1);
#else
        int64_t chunk = run->next++;
#endif
        if (chunk >= run->chunks || chunk > run->fault_chunk) {
            break;
        }
        int status = run_chunk(run, worker, chunk);
        if (status != 0) {
            run->status = status;
        }
    }
    worker_give(run->plan, worker);
}

#if THREADS
/* A thread beside the one that called. */
typedef struct {
    Run *run;
    pthread_t thread;
    int number;    /* from 1 on */
    int processor; /* where its maker ran, or -1 */
} Helper;

/* A new thread may begin on its maker's processor and wait there for milliseconds while another one idles.
 * So it moves once to one of its own; from then on the system places it as it likes. */
static void
move_over(const Helper *helper)
{
#ifdef __linux__
    cpu_set_t all, own;
    int at = helper->processor;
    if (at < 0 || at >= CPU_SETSIZE || sched_getaffinity(0, sizeof all, &all) != 0 || !CPU_ISSET(at, &all) ||
        helper->number >= CPU_COUNT(&all)) {
        return;
    }
    for (int left = helper->number; left > 0; left -= CPU_ISSET(at, &all) != 0) {
        at = (at + 1) % CPU_SETSIZE;
    }
    CPU_ZERO(&own);
    CPU_SET(at, &own);
    if (sched_setaffinity(0, sizeof own, &own) == 0) {
        sched_setaffinity(0, sizeof all, &all);
    }
#else
    (void)helper;
#endif
}

static void *
help(void *argument)
{
    Helper *helper = argument;
    Run *run = helper->run;
    move_over(helper);
    work(run, false);
    pthread_mutex_lock(&run->lock);
    run->helping--;
    pthread_cond_signal(&run->ended);
    pthread_mutex_unlock(&run->lock);
    return NULL;
}

/* Wait until the helpers have ended; the caller goes on listening. */
static void
await_helpers(Run *run)
{
    for (int spin = 0; spin < 10000 && run->helping > 0; spin++) {
        /* they mostly end with the caller, and to be woken takes longer than this */
    }
    pthread_mutex_lock(&run->lock);
    while (run->helping > 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 20000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        if (pthread_cond_timedwait(&run->ended, &run->lock, &until) != 0) {
            pthread_mutex_unlock(&run->lock);
            heard_stop(run);
            pthread_mutex_lock(&run->lock);
        }
    }
    pthread_mutex_unlock(&run->lock);
}
#endif

static int
run_all(Run *run, int threads)
{
    run->next = 0;
    run->status = 0;
    run->fault_chunk = INT64_MAX;
    run->fault = (LanesFault){-1, -1};
    memset(run->sums, 0, (size_t)run->chunks * (size_t)run->sum_count * sizeof(double));
#if THREADS
    enum { MOST = 256 };
    Helper helper[MOST];
    int started = 0, wanted = threads < MOST ? threads : MOST, processor = -1;
    if (wanted > run->chunks) {
        wanted = (int)run->chunks;
    }
#ifdef __linux__
    processor = wanted > 1 ? sched_getcpu() : -1;
#endif
    for (; started < wanted - 1; started++) {
        helper[started] = (Helper){.run = run, .number = started + 1, .processor = processor};
        run->helping++;
        if (pthread_create(&helper[started].thread, NULL, help, &helper[started]) != 0) {
            run->helping--;
            break;
        }
    }
    work(run, true);
    await_helpers(run);
    for (int k = 0; k < started; k++) {
        pthread_join(helper[k].thread, NULL);
    }
#else
    (void)threads;
    work(run, true);
#endif
    return run->fault.scenario >= 0 ? LANES_BAD_INDEX : run->status;
}

/* Σ over the scenarios of value x: its total, or so many times the uniform value. */
static double
total_at(const Run *run, const double *values, int32_t x)
{
    return run->plan->need[x] & UNIFORM ? (double)run->count * values[x] : values[x];
}

static inline double
scaled(double gradient, double by)
{
    return gradient == 0.0 ? 0.0 : gradient * by;
}

/* Fill in, by value, what it is times its `bare`. */
static void
find_factors(const Lanes *plan, const double *values, double *factors)
{
    for (int32_t i = 0; i < plan->ir->count; i++) {
        if (!plan->factored[i]) {
            continue;
        }
        Factor by;
        int32_t inner = without_factor(plan->ir, plan->need, i, &by);
        factors[i] = inner < 0            ? 1.0
                     : by.how == MINUS    ? -factors[inner]
                     : by.how == OVER     ? factors[inner] / values[by.value]
                                          : factors[inner] * values[by.value];
    }
}

/* The total of value i, of which total operands and uniform ones are known; `sum` was kept for it. */
static double
late_total(const Run *run, const double *values, int32_t i, double sum)
{
    const Lanes *plan = run->plan;
    const Ir *ir = plan->ir;
    const int32_t *arg = operands(ir, i);
    int count = operand_count(ir, i), code = ir->code[i];
    if (plan->need[i] & NEED_LANE) {
        return sum;
    }
    switch (code) {
    case C_sub:
        return total_at(run, values, arg[0]) - total_at(run, values, arg[1]);
    case C_neg:
        return -total_at(run, values, arg[0]);
    case C_mul:
    case DOT:
    case PULL:
        for (int k = 0; k < count; k += 2) {
            int32_t x = arg[k], y = arg[k + 1];
            if (plan->need[y] & UNIFORM) {
                sum += scaled(total_at(run, values, x), values[y]);
            }
            else if (plan->need[x] & UNIFORM) {
                sum += scaled(total_at(run, values, y), values[x]);
            }
            else if (plan->product_of[ir->start[i] + k] >= 0) {
                double total = run->sums[plan->product_of[ir->start[i] + k]];
                sum += scaled(total, run->factors[x] * run->factors[y]);
            }
        }
        return sum;
    case C_div:
    case DRAW: {
        double total = total_at(run, values, arg[0]);
        return total == 0.0 ? 0.0 : total / values[arg[1]];
    }
    case GATE:
        return values[arg[1]] > 0.0 ? total_at(run, values, arg[0]) : 0.0;
    case CHOOSE:
        return values[arg[0]] != 0.0 ? total_at(run, values, arg[1]) : 0.0;
    case REFUSE:
        return values[arg[0]] != 0.0 ? 0.0 : total_at(run, values, arg[1]);
    case PICK:
        for (int k = 0; k < count; k += 2) {
            if ((plan->need[arg[k]] & UNIFORM) && trunc(values[arg[k]]) == ir->number[i]) {
                sum += total_at(run, values, arg[k + 1]);
            }
        }
        return sum;
    default: /* add, sum */
        for (int k = 0; k < count; k++) {
            sum += total_at(run, values, arg[k]);
        }
        return sum;
    }
}

/* Add the chunks in their order, then what is linear in the sums. false: not finite. */
static bool
finish_totals(Run *run, double *values, double *totals)
{
    const Lanes *plan = run->plan;
    const Ir *ir = plan->ir;
    double *all = run->sums;
    for (int64_t chunk = 1; chunk < run->chunks; chunk++) {
        for (int32_t k = 0; k < run->sum_count; k++) {
            all[k] += run->sums[chunk * run->sum_count + k];
        }
    }
    bool finite = true;
    for (int32_t k = 0; k < plan->late_count; k++) {
        int32_t i = plan->late[k];
        values[i] = late_total(run, values, i, plan->total_of[i] >= 0 ? all[plan->total_of[i]] : 0.0);
    }
    for (int32_t r = ir->outputs; r < ir->result_count; r++) {
        if (plan->result_kind[r] == RESULT_TOTAL) {
            double total = run->careful ? 0.0 : total_at(run, values, ir->result[r]);
            finite = finite && isfinite(total);
            total += all[plan->total_count + (r - ir->outputs)]; /* careful already */
            totals[r - ir->outputs] = total;
        }
    }
    return finite;
}

/* Compute what is the same in all scenarios. -1, or the TAKE that failed. */
static int32_t
run_once(const Run *run, double *values)
{
    const Lanes *plan = run->plan;
    const Ir *ir = plan->ir;
    for (int32_t k = 0; k < plan->once_count; k++) {
        int32_t i = plan->once[k];
        bool bad_index = false;
        if (ir->code[i] == INPUT) {
            memcpy(&values[i], run->base[(int32_t)ir->number[i]], sizeof(double));
        }
        else {
            values[i] = scalar_compute(ir, i, values, true, &bad_index);
        }
        if (bad_index) {
            return i;
        }
    }
    for (int32_t k = 0; k < plan->uniform_count; k++) {
        Uniform uniform = plan->uniform[k];
        run->uniform[k] = uniform.value >= 0  ? values[uniform.value]
                          : uniform.left >= 0 ? run->uniform[uniform.left] * run->uniform[uniform.right]
                                              : uniform.number;
    }
    return -1;
}

static void
place_results(Run *run, const double *values)
{
    const Lanes *plan = run->plan;
    const Ir *ir = plan->ir;
    int32_t gradients = ir->result_count - ir->outputs;
    for (int32_t r = 0; r < ir->result_count; r++) {
        bool gradient = r >= ir->outputs;
        double *to = gradient ? run->grads : run->outputs;
        run->result_stride[r] = gradient ? gradients : ir->outputs;
        run->result[r] = to == NULL || plan->result_kind[r] == RESULT_TOTAL
                             ? NULL
                             : to + (gradient ? r - ir->outputs : r);
        if (run->result[r] != NULL && plan->result_kind[r] == RESULT_UNIFORM) {
            double x = values[ir->result[r]];
            for (int64_t i = 0; i < run->count && (i % 65536 || !heard_stop(run)); i++) {
                run->result[r][i * run->result_stride[r]] = x;
            }
        }
    }
}

/* Scenarios are cut into chunks by their number alone, so that sums are the same for any threads. */
static void
cut(Run *run)
{
    int64_t lanes = run->plan->lanes;
    int64_t blocks = (run->count + lanes - 1) / lanes;
    int64_t most = run->sum_count > 1024 ? 64 : 256;
    int64_t each = (blocks + most - 1) / most;
    run->chunk = each * lanes;
    run->chunks = (run->count + run->chunk - 1) / run->chunk;
}

int
lanes_run(Lanes *plan, const char *const *base, const int64_t *stride, int64_t count, double *outputs,
          double *grads, double *totals, int threads, Watch *watch, LanesFault *where)
{
    const Ir *ir = plan->ir;
    static Watch never; /* stops nothing */
    Run run = {.plan = plan, .base = base, .stride = stride, .count = count,
               .outputs = outputs, .grads = grads, .watch = watch != NULL ? watch : &never};
    run.sum_count = plan->sums ? plan->total_count + (ir->result_count - ir->outputs) : 0;
    int status = LANES_NO_MEMORY;
    if (totals != NULL && plan->sums) {
        for (int32_t r = ir->outputs; r < ir->result_count && count == 0; r++) {
            totals[r - ir->outputs] = plan->result_kind[r] == RESULT_TOTAL ? 0.0 : totals[r - ir->outputs];
        }
    }
    if (count <= 0) {
        return LANES_DONE;
    }
    cut(&run);
#if THREADS
    pthread_mutex_init(&run.lock, NULL);
    pthread_cond_init(&run.ended, NULL);
#endif
    double *values = malloc(((size_t)ir->count + 1) * sizeof *values);
    run.uniform = malloc(((size_t)plan->uniform_count + 1) * sizeof *run.uniform);
    run.result = malloc(((size_t)ir->result_count + 1) * sizeof *run.result);
    run.result_stride = malloc(((size_t)ir->result_count + 1) * sizeof *run.result_stride);
    run.sums = malloc(((size_t)run.chunks * (size_t)run.sum_count + 1) * sizeof *run.sums);
    run.factors = plan->strips ? malloc(((size_t)ir->count + 1) * sizeof *run.factors) : NULL;
    if (!values || !run.uniform || !run.result || !run.result_stride || !run.sums ||
        (plan->strips && !run.factors)) {
        goto end;
    }
    run.fault = (LanesFault){-1, -1};
    int32_t bad = run_once(&run, values);
    if (bad >= 0) {
        run.fault = (LanesFault){0, bad};
        status = LANES_BAD_INDEX;
        goto end;
    }
    if (run.factors != NULL) {
        find_factors(plan, values, run.factors);
    }
    place_results(&run, values);
    status = run_all(&run, threads);
    if (status == LANES_DONE && plan->sums && totals != NULL && !finish_totals(&run, values, totals)) {
        /* inf or nan that came from the sums alone: sum what each scenario gives */
        run.careful = true;
        status = run_all(&run, threads);
        if (status == LANES_DONE) {
            finish_totals(&run, values, totals);
        }
    }
end:
    if (status == LANES_BAD_INDEX && where != NULL) {
        *where = run.fault;
    }
    free(values);
    free(run.uniform);
    free(run.result);
    free(run.result_stride);
    free(run.sums);
    free(run.factors);
#if THREADS
    pthread_mutex_destroy(&run.lock);
    pthread_cond_destroy(&run.ended);
#endif
    return status;
}
