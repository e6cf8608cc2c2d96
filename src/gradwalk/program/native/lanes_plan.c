/* From a program to the nodes of a plan: see lanes_plan.h. Start reading at lanes_new.
 *
 *     demand   what is needed by lane, what only summed over the scenarios     (backward)
 *     nodes    what is computed by lane: sums of products, other operations, totals, results
 *     delay    which nodes wait until their first consumer                      (backward)
 *     kin      which nodes are rows of one matrix, to be computed together
 *     once     what is computed once, and what is linear in the sums
 */

#include "lanes_plan.h"
#include "processor.h"

#include <string.h>

static int32_t *
integers(Builder *b, int32_t count, int byte)
{
    return arena_take(&b->memory, (size_t)count, sizeof(int32_t), byte);
}

static int32_t
add_uniform(Builder *b, Uniform uniform)
{
    Uniform *at = array_add(&b->plan->memory, &b->uniform, 1, sizeof *at);
    if (at == NULL) {
        return 0;
    }
    *at = uniform;
    return b->uniform.count - 1;
}

int32_t
lanes_uniform(Builder *b, int32_t value, double number)
{
    if (value < 0) {
        uint64_t bits;
        memcpy(&bits, &number, sizeof bits);
        int32_t *known = &b->constants[(bits * 0x9E3779B97F4A7C15u) >> 58]; /* of 64 */
        const Uniform *all = b->uniform.items;
        if (*known > 0 && memcmp(&all[*known - 1].number, &number, sizeof number) == 0) {
            return *known - 1;
        }
        int32_t added = add_uniform(b, (Uniform){-1, number});
        *known = is_failed(b) ? 0 : added + 1;
        return added;
    }
    if (b->number_of[value] < 0) {
        b->number_of[value] = add_uniform(b, (Uniform){value, 0.0});
    }
    return b->number_of[value];
}

static int32_t
ref_of(Builder *b, int32_t value)
{
    if (b->plan->need[value] & UNIFORM) {
        return ~lanes_uniform(b, value, 0.0);
    }
    return b->ref[value];
}

/* ── Demand ─────────────────────────────────────────────────────────────────────────────────── */

static void
add_item(Builder *b, int kind, int32_t after, int32_t total, int32_t x, int32_t y, int32_t value)
{
    Item *item = array_add(&b->memory, &b->items, 1, sizeof *item);
    if (item == NULL) {
        return;
    }
    *item = (Item){b->item_head[after], kind, total, x, y, value};
    b->item_head[after] = b->items.count - 1;
}

/* Note that `reader`, or a result if it is -1, needs the total of a value. If one sum alone needs it, once, the value is
 * summed right into the total of that sum. */
static void
need_total(Builder *b, int32_t value, int32_t reader)
{
    enum { SEVERAL = -2 };
    bool first = !(b->plan->need[value] & NEED_TOTAL);
    int32_t into = reader < 0 ? SEVERAL : b->into[reader] >= 0 ? b->into[reader] : reader;
    b->into[value] = first ? into : SEVERAL;
    b->plan->need[value] |= NEED_TOTAL;
}

static int32_t
total_number(Builder *b, int32_t value)
{
    if (b->plan->total_of[value] < 0) {
        b->plan->total_of[value] = b->plan->total_count++;
    }
    return b->plan->total_of[value];
}

/* Only the sum of value i over the scenarios is needed. If i is linear in its operands, ask for their sums instead.
 * Returns false if i must be computed per scenario. */
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
            need_total(b, arg[k], ir->code[i] == C_add || ir->code[i] == SUM ? i : -1);
        }
        return true;
    case C_mul:
    case DOT:
    case PULL:
        for (int k = 0; k < count; k += 2) {
            int32_t x = arg[k], y = arg[k + 1];
            if (need[y] & UNIFORM) {
                need_total(b, x, -1);
            }
            else if (need[x] & UNIFORM) {
                need_total(b, y, -1);
            }
            else {
                need[x] |= NEED_LANE;
                need[y] |= NEED_LANE;
                add_item(b, PRODUCT_TOTAL, x > y ? x : y, total_number(b, i), x, y, i);
            }
        }
        return true;
    case C_div:
    case DRAW:
    case GATE:
        if (need[arg[1]] & UNIFORM) {
            need_total(b, arg[0], -1);
            return true;
        }
        return false;
    case CHOOSE:
    case REFUSE:
        if (need[arg[0]] & UNIFORM) {
            need_total(b, arg[1], -1);
            return true;
        }
        return false;
    case PICK:
        for (int k = 0; k < count; k += 2) {
            int32_t index = arg[k], g = arg[k + 1];
            if (need[index] & UNIFORM) {
                need_total(b, g, -1);
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
    }
    for (int32_t r = 0; r < ir->result_count; r++) {
        int32_t value = ir->result[r];
        bool total = plan->sums && r >= ir->outputs && shared[gradient_slot[r - ir->outputs]];
        plan->result_kind[r] = total ? RESULT_TOTAL
                               : need[value] & UNIFORM ? RESULT_UNIFORM
                                                       : RESULT_LANE;
        if (total) {
            need_total(b, value, -1);
        }
        else {
            need[value] |= NEED_LANE;
        }
    }
    for (int32_t i = ir->count - 1; i >= 0 && !is_failed(b); i--) {
        if ((need[i] & UNIFORM) || !(need[i] & (NEED_LANE | NEED_TOTAL))) {
            continue;
        }
        if ((need[i] & NEED_LANE) || !demand_total(b, i)) {
            if (need[i] & NEED_TOTAL) {
                need[i] |= NEED_LANE;
                add_item(b, TOTAL, i, total_number(b, b->into[i] >= 0 ? b->into[i] : i), i, i, i);
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
    Node *node = array_add(&b->memory, &b->nodes, 1, sizeof *node);
    if (node == NULL) {
        return NULL;
    }
    *node = (Node){.kind = (uint8_t)kind, .code = (uint8_t)code, .extra = extra, .kin = -1, .next = -1,
                   .first = kind == LINEAR ? b->terms.count : b->operands.count};
    return node;
}

static void
add_operand(Builder *b, int32_t ref)
{
    int32_t *at = array_add(&b->memory, &b->operands, 1, sizeof *at);
    if (at == NULL) {
        return;
    }
    *at = ref;
    node_at(b, b->nodes.count - 1)->count++;
}

static void
add_term(Builder *b, int32_t x, int32_t y, int32_t sign)
{
    Term *term = array_add(&b->memory, &b->terms, 1, sizeof *term);
    if (term == NULL) {
        return;
    }
    if (y != NOTHING && x < 0) { /* the vector first */
        int32_t other = x;
        x = y;
        y = other;
    }
    while (x >= 0 && y < 0) { /* (-z)·v is -(z·v); where nobody else wants the inner */
        const Node *inner = node_at(b, x);
        if (inner->kind != LINEAR || inner->count != 1 || inner->extra < 0 || b->lane_uses[inner->extra] != 1) {
            break;
        }
        Term only = *term_at(b, inner->first);
        if (only.b != NOTHING) {
            break;
        }
        x = only.a;
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

/* A long sum whose terms have no other reader is computed in parts, as soon as its terms are known. */
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
        Term *term = array_add(&b->memory, &b->parts, 1, sizeof *term);
        if (term == NULL) {
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
        int32_t *at = array_add(&b->memory, order, 1, sizeof *at);
        if (at == NULL) {
            return;
        }
        *at = k;
    }
    while (order->count > 0 && !is_failed(b)) { /* as they were added */
        Item item = ((Item *)b->items.items)[((int32_t *)order->items)[--order->count]];
        if (item.kind == LINEAR) {
            if (add_node(b, LINEAR, SUM, -1) == NULL) {
                return;
            }
            if (part_node[item.value] >= 0) {
                add_term(b, part_node[item.value], NOTHING, 1);
            }
            for (int32_t k = 0; k < item.b && !is_failed(b); k++) {
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
                add_operand(b, ~lanes_uniform(b, -1, b->ir->number[item.value]));
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
            for (int k = (terms - 1) / PART * PART; k < terms && !is_failed(b); k++) {
                Term term = ((Term *)b->parts.items)[first + k];
                int32_t y = term.b == NOTHING ? NOTHING : ref_of(b, term.b);
                add_term(b, ref_of(b, term.a), y, term.sign);
            }
            return;
        }
        for (int k = 0; k < count && !is_failed(b);) {
            Term term;
            k = value_terms(ir, i, k, &term);
            int32_t x = ref_of(b, term.a), y = term.b == NOTHING ? NOTHING : ref_of(b, term.b);
            if (code == C_add && term.a == operands(ir, i)[1] && k == 1) { /* x + x */
                add_term(b, x, ~lanes_uniform(b, -1, 2.0), 1);
                return;
            }
            add_term(b, x, y, term.sign);
        }
        return;
    }
    if (add_node(b, OPERATION, code, i) != NULL) {
        for (int k = 0; k < count && !is_failed(b); k++) {
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
    for (int32_t i = 0; i < ir->count && !is_failed(b); i++) {
        b->split[i] = -1;
        if ((need[i] & (UNIFORM | NEED_LANE)) == NEED_LANE && is_linear(ir->code[i]) &&
            operand_count(ir, i) >= LONG) {
            split_sum(b, i);
        }
    }
    int32_t *part_node = integers(b, ir->count, 0xFF), *result_head = integers(b, ir->count, 0xFF);
    int32_t *result_next = integers(b, ir->result_count, ANY_BYTE);
    Array order = {0};
    for (int32_t r = 0; r < ir->result_count && !is_failed(b); r++) {
        if (b->plan->result_kind[r] == RESULT_LANE) {
            result_next[r] = result_head[ir->result[r]];
            result_head[ir->result[r]] = r;
        }
    }
    for (int32_t i = 0; i < ir->count && !is_failed(b); i++) {
        if ((need[i] & (UNIFORM | NEED_LANE)) == NEED_LANE) {
            value_node(b, i, part_node);
            b->plan->varying++;
            for (int32_t r = result_head[i]; r >= 0 && !is_failed(b); r = result_next[r]) {
                if (add_node(b, RESULT, 0, r) != NULL) {
                    add_operand(b, b->ref[i]);
                }
            }
        }
        if (!is_failed(b)) {
            node_items(b, i, part_node, &order);
        }
    }
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

enum { UNUSED = 0x7F7F7F7F }; /* a first use, of equal bytes */
enum { NEAR = 6, CHEAP_TERMS = 2, CHEAP_DEPTH = 2, FEW_USES = 6 };

/* Operations that take a processor as long as an addition. */
static bool
is_quick(int code)
{
    return code == C_maximum || code == C_minimum || code == C_relu || code == C_abs || code == C_floor ||
           (code >= LT && code <= NE);
}

/* A node that is computed in a few instructions from one vector, or from inputs, is recomputed if it is needed much
 * later and its operands are still in slots. This saves a slot and reads no more memory. */
static void
find_cheap(Builder *b, const int32_t *last_use)
{
    for (int32_t n = 0; n < b->node_count; n++) {
        Node *node = node_at(b, n);
        node->reach = last_use[n];
        if ((node->kind == LINEAR && node->count <= CHEAP_TERMS) ||
            (node->kind == OPERATION && is_quick(node->code) && node->uses <= FEW_USES)) {
            int32_t reach = INT32_MAX;
            int vectors = 0, inputs = 0, depth = 0;
            FOR_OPERANDS(b, node, x, {
                const Node *operand = node_at(b, x);
                reach = operand->reach < reach ? operand->reach : reach;
                depth = operand->cheap > depth ? operand->cheap : depth;
                inputs += operand->from_inputs || (operand->kind == OPERATION && operand->code == INPUT);
                vectors++;
            });
            if ((vectors == 1 || vectors == inputs) && depth < CHEAP_DEPTH) {
                node->cheap = (uint8_t)(depth + 1);
                node->reach = reach;
                node->from_inputs = vectors == inputs;
            }
        }
    }
}

/* A node is computed just before its first consumer if that keeps no more values alive. Then it is often still in a
 * register. Inputs always wait. */
static void
delay(Builder *b)
{
    int32_t count = b->node_count;
    int32_t *first_use = integers(b, count, 0x7F), *last_use = integers(b, count, 0xFF);
    b->position = integers(b, count, ANY_BYTE);
    if (is_failed(b)) {
        return;
    }
    for (int32_t n = count - 1; n >= 0; n--) {
        Node *node = node_at(b, n);
        int32_t at = n;
        if (node->kind == LINEAR || node->kind == OPERATION) {
            int32_t until = first_use[n];
            if (until == UNUSED) { /* what read it was written in other terms */
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

/* ── Kin ────────────────────────────────────────────────────────────────────────────────────── */

enum { LEAST_TERMS = 4, LEAST_COLUMNS = 4, RECENT = 8 };

/* Whether a node is a sum of products of nodes with uniform numbers, and nothing else. */
static bool
is_products(Builder *b, const Node *node)
{
    bool so = node->kind == LINEAR && node->count >= LEAST_TERMS;
    for (int32_t k = 0; k < node->count && so; k++) {
        const Term *term = term_at(b, node->first + k);
        so = term->a >= 0 && term->b < 0 && term->sign > 0;
    }
    return so;
}

static bool
same_nodes(Builder *b, const Node *x, const Node *y)
{
    bool same = x->count == y->count;
    for (int32_t k = 0; k < x->count && same; k++) {
        same = term_at(b, x->first + k)->a == term_at(b, y->first + k)->a;
    }
    return same;
}

/* Link sums of products over the same nodes: the rows of a matrix times a vector. */
static void
find_kin(Builder *b)
{
    int32_t first[RECENT], last[RECENT]; /* of the families met lately */
    int32_t met = 0;
    for (int32_t n = 0; n < b->node_count; n++) {
        Node *node = node_at(b, n);
        if (!is_products(b, node)) {
            continue;
        }
        int32_t family = 0, recent = met < RECENT ? met : RECENT;
        while (family < recent && !same_nodes(b, node_at(b, first[family]), node)) {
            family++;
        }
        if (family < recent) {
            node->kin = node_at(b, first[family])->kin = first[family];
            node_at(b, last[family])->next = n;
            last[family] = n;
        }
        else {
            first[met % RECENT] = last[met % RECENT] = n;
            met++;
        }
    }
}

static bool
reads(Builder *b, int32_t n, int32_t x)
{
    const Node *node = node_at(b, n);
    return node->kind == PRODUCT_TOTAL && (operand_at(b, node->first) == x || operand_at(b, node->first + 1) == x);
}

/* Find runs of totals whose products share a node: a row. Reorder the operands so that this node comes first. */
static void
find_rows(Builder *b)
{
    int32_t *operand = b->operands.items;
    for (int32_t n = 0, end; n < b->node_count; n = end) {
        end = n + 1;
        if (node_at(b, n)->kind != PRODUCT_TOTAL) {
            continue;
        }
        int32_t row = operand_at(b, node_at(b, n)->first), other = operand_at(b, node_at(b, n)->first + 1);
        for (; end < b->node_count && reads(b, end, row); end++) {
        }
        if (end - n < LEAST_COLUMNS) {
            row = other;
            for (end = n + 1; end < b->node_count && reads(b, end, row); end++) {
            }
        }
        if (end - n < LEAST_COLUMNS) {
            end = n + 1;
            continue;
        }
        for (int32_t k = n; k < end; k++) {
            int32_t *pair = operand + node_at(b, k)->first;
            pair[1] = pair[0] == row ? pair[1] : pair[0];
            pair[0] = row;
            node_at(b, k)->kin = n;
        }
        node_at(b, end - 1)->next = end - n;
    }
}

/* ── What is computed once ──────────────────────────────────────────────────────────────────── */

static void
find_once(Builder *b)
{
    const Ir *ir = b->ir;
    Lanes *plan = b->plan;
    size_t count = (size_t)ir->count;
    uint8_t *wanted = arena_take(&b->memory, count, 1, 0);
    plan->once = arena_take(&plan->memory, count, sizeof *plan->once, ANY_BYTE);
    plan->late = arena_take(&plan->memory, count, sizeof *plan->late, ANY_BYTE);
    plan->is_sum = arena_take(&plan->memory, count, 1, ANY_BYTE);
    if (is_failed(b)) {
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
            bool products = ir->code[i] == C_mul || ir->code[i] == DOT || ir->code[i] == PULL;
            bool is_sum = products || (plan->need[i] & NEED_LANE);
            for (int32_t k = ir->start[i]; k < ir->start[i + 1]; k++) {
                bool uniform = plan->need[ir->arg[k]] & UNIFORM;
                wanted[ir->arg[k]] |= uniform;
                is_sum = is_sum && ((plan->need[i] & NEED_LANE) || !uniform);
            }
            plan->late[plan->late_count] = i;
            plan->is_sum[plan->late_count++] = is_sum;
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
}

/* ── lanes_new ──────────────────────────────────────────────────────────────────────────────── */

Lanes *
lanes_new(const Ir *ir, const uint8_t *shared, const int32_t *gradient_slot, bool sums, bool float32)
{
    Lanes *plan = calloc(1, sizeof *plan);
    if (plan == NULL) {
        return NULL;
    }
    lock_begin(&plan->lock);
    size_t count = (size_t)ir->count;
    plan->ir = ir;
    plan->sums = sums;
    plan->single = float32;
    plan->level = lanes_level(processor_level());
    plan->run = plan->level->run[float32];
    plan->width = plan->level->width[float32];
    plan->lanes = LANES_VECTORS * plan->width;
    plan->need = arena_take(&plan->memory, count, 1, 0);
    plan->total_of = arena_take(&plan->memory, count, sizeof *plan->total_of, 0xFF);
    plan->result_kind = arena_take(&plan->memory, (size_t)ir->result_count, 1, 0);
    plan->shared = arena_take(&plan->memory, (size_t)ir->slots, 1, 0);
    Builder b = {.plan = plan, .ir = ir};
    b.ref = integers(&b, ir->count, 0);
    b.number_of = integers(&b, ir->count, 0xFF);
    b.last_use = integers(&b, ir->count, ANY_BYTE);
    b.item_head = integers(&b, ir->count, 0xFF);
    b.into = integers(&b, ir->count, 0xFF);
    b.split = integers(&b, ir->count, ANY_BYTE);
    b.lane_uses = integers(&b, ir->count, 0);
    b.group = integers(&b, ir->slots, 0xFF);
    b.input_node = integers(&b, ir->slots, 0xFF);
    if (!is_failed(&b)) {
        memcpy(plan->shared, shared, (size_t)ir->slots);
        demand(&b, shared, gradient_slot);
    }
    if (!is_failed(&b)) {
        make_nodes(&b);
        b.node_count = b.nodes.count;
    }
    if (!is_failed(&b)) {
        delay(&b);
    }
    if (!is_failed(&b)) {
        find_kin(&b);
        find_rows(&b);
        lanes_emit(&b);
    }
    if (!is_failed(&b)) {
        lanes_assign(&b);
    }
    plan->table = b.tables.items;
    plan->table_count = b.tables.count;
    plan->uniform = b.uniform.items;
    plan->uniform_count = b.uniform.count;
    if (!is_failed(&b)) {
        find_once(&b);
    }
    bool failed = is_failed(&b);
    arena_end(&b.memory);
    if (failed) {
        lanes_free(plan);
        return NULL;
    }
    return plan;
}
