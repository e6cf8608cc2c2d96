/* From the nodes of a plan to its steps: see lanes_plan.h. Start reading at lanes_emit, then lanes_assign.
 *
 *     emit     nodes to steps; the accumulator hands values from step to step
 *     assign   slots by liveness, and the final steps
 */

#include "lanes_plan.h"

#include <string.h>

/* ── Emit ───────────────────────────────────────────────────────────────────────────────────── */

enum { STALE = 40, SLACK = 24 }; /* in steps, in nodes */

/* Whether node x must be computed (again) before a consumer at `position` can read it. */
static bool
missing(Builder *b, int32_t x, int32_t position)
{
    const Node *node = node_at(b, x);
    int32_t beyond = node->from_inputs ? SLACK : 0;
    return !node->done || (node->cheap && x != b->held && position - node->reach <= beyond &&
                           b->raws.count - node->made > STALE);
}

void
lanes_step_operands(uint32_t step, char kind[3])
{
    static const char *const names[] = {
#define STEP(name, expression) #name, #name,
        LANES_SIMPLE(STEP)
#include "lanes_rows.h"
#undef STEP
    };
    kind[0] = kind[1] = kind[2] = '-';
    if (step < STEP_STORE) {
        const char *name = names[step], *end = name + strlen(name), *at = end;
        while (at[-1] == 'v' || at[-1] == 's') {
            at--;
        }
        for (int k = 0; k < 2 && at + k < end; k++) {
            kind[k] = at[k];
        }
        return;
    }
    switch (step) {
    case STEP_CALL2:
    case STEP_SUM1v:
    case STEP_SUM2v:
        kind[1] = 'v';
        break;
    case STEP_CALL3:
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
    Raw *raw = lanes_grow(&b->raws, 1, sizeof *raw);
    if (raw == NULL) {
        b->failed = true;
        return;
    }
    *raw = (Raw){step, x, y, z};
    char kind[3];
    lanes_step_operands(step, kind);
    if (kind[0] == 's') {
        raw->a = ~x;
    }
    if (kind[1] == 's') {
        raw->b = ~y;
    }
}

/* The steps of one operation are in the order v, s or vv, vs, sv, ss. Each is followed by its twin that stores. */
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

/* Return a node that holds a uniform number in all lanes. These nodes come after all others. */
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
        int32_t *at = lanes_grow(&b->spread, 1, sizeof *at);
        if (at == NULL) {
            b->failed = true;
            return 0;
        }
        *at = number;
        b->spread_of[number] = b->spread.count - 1;
    }
    return b->node_count + b->spread_of[number];
}

/* Add an entry to the table: the slot of a node, or a plain number. */
static int32_t
put_table(Builder *b, int32_t item, bool node)
{
    int32_t *at = lanes_grow(&b->tables, 1, sizeof *at);
    uint8_t *kind = lanes_grow(&b->kinds, 1, 1);
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

/* Begin a sum with the value in the accumulator, if a term uses it. Returns whether one does. */
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

/* Emit the sum of the terms in `flat`. from_0: it starts at 0.0, so it is never -0.0. */
static void
emit_linear(Builder *b, bool from_0)
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
    if (from_0) {
        put1(b, STEP_ADDv, ~lanes_uniform(b, -1, 0.0));
    }
}

static void
emit_one(Builder *b, uint32_t step, int32_t x)
{
    load(b, x);
    put(b, step, 0, 0, 0);
}

/* Emit step(x, y), or reversed(y, x). Both take the accumulator as their first operand. */
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

/* The first step of each row that is pasted into the kernels, plus 1, then those of its derivatives; 0: it has none. */
static const uint16_t row_steps[CODE_COUNT][4] = {
#define UNARY(name, symbol, value, by_x, form, adjoint) \
    IF_CHEAP_##form([C_##name] = {1 + STEP_##name##_, IF_SLOPES_##adjoint(1 + STEP_by_x_##name##_)}, )
#define BINARY(name, symbol, value, by_x, by_y, form, adjoint) \
    IF_CHEAP_##form([C_##name] = {1 + STEP_##name##_v, \
                                  IF_SLOPES_##adjoint(1 + STEP_by_x_##name##_v, 1 + STEP_by_y_##name##_v)}, )
#define TERNARY(name, symbol, value, by_x, by_y, by_z, form, adjoint) \
    IF_CHEAP_##form([C_##name] = {1 + STEP_##name##_vv, \
                                  IF_SLOPES_##adjoint(1 + STEP_by_x_##name##_vv, 1 + STEP_by_y_##name##_vv, \
                                                      1 + STEP_by_z_##name##_vv)}, )
#include OPERATIONS
};

enum { REVERSED = 4 }; /* from NAME_v to R_NAME_v */

/* Row `row`, or its derivative which - 1, of these operands. */
static void
emit_row(Builder *b, int row, int which, const int32_t *ref)
{
    int count = code_arity[row], function = which == 0 ? function_of(row) : derivative_of(row, which - 1);
    if (row_steps[row][which] != 0) {
        uint32_t step = row_steps[row][which] - 1u;
        if (count == 1) {
            emit_one(b, step, ref[0]);
        }
        else if (count == 2) {
            emit_two(b, step, step + REVERSED, ref[0], ref[1]);
        }
        else {
            load(b, ref[0]);
            put2(b, step, ref[1], ref[2]);
        }
    }
    else if (function >= 0) {
        int32_t y = count > 1 ? vector_of(b, ref[1]) : 0, z = count > 2 ? vector_of(b, ref[2]) : 0;
        load(b, ref[0]);
        put(b, count == 1 ? STEP_CALL : count == 2 ? STEP_CALL2 : STEP_CALL3, function, y, z);
    }
    else {
        int32_t at = b->tables.count;
        for (int k = 0; k < 3; k++) {
            put_table(b, vector_of(b, ref[k < count ? k : 0]), true);
        }
        put(b, STEP_ROW, row, at, which);
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
    switch (code) {
    case SQUARE:
        emit_one(b, STEP_SQUARE, ref[0]);
        return;
    case ROOT:
        emit_one(b, STEP_ROOT, ref[0]);
        return;
    case INVERSE:
        emit_one(b, STEP_INVERSE, ref[0]);
        return;
    case INVERSE_ROOT:
        emit_one(b, STEP_INVERSE_ROOT, ref[0]);
        return;
    case C_div:
    case DRAW:
        emit_two(b, STEP_DIVv, STEP_RDIVv, ref[0], ref[1]);
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
    case LARGEST:
        load(b, ref[0]);
        for (int k = 1; k < count; k++) {
            put1(b, STEP_maximum_v, ref[k]);
        }
        return;
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
        int32_t place = lanes_uniform(b, -1, b->ir->number[node.extra]);
        put1(b, STEP_LOADv, ~lanes_uniform(b, -1, 0.0));
        for (int k = 0; k < count; k += 2) {
            put(b, STEP_PICK, vector_of(b, ref[k]), vector_of(b, ref[k + 1]), place);
        }
        return;
    }
    case PARTIAL0:
    case PARTIAL1:
    case PARTIAL2:
        emit_row(b, (int)b->ir->number[node.extra], 1 + code - PARTIAL0, ref + 1);
        return;
    default:
        emit_row(b, code, 0, ref);
        return;
    }
}

/* Put the totals that wait. */
static void
put_sums(Builder *b)
{
    Sums *sums = &b->sums;
    const int32_t *columns = sums->columns.items, *totals = sums->totals.items;
    if (sums->rows == 1) {
        load(b, sums->row[0]);
        for (int32_t k = 0; k < sums->columns.count; k++) {
            put(b, STEP_SUM2v, totals[k], columns[k], 0);
        }
    }
    else if (sums->rows > 1) {
        int32_t at = b->tables.count;
        for (int32_t k = 0; k < sums->rows; k++) {
            put_table(b, sums->row[k], true);
        }
        for (int32_t k = 0; k < sums->columns.count; k++) {
            put_table(b, columns[k], true);
        }
        for (int32_t k = 0; k < sums->totals.count; k++) {
            put_table(b, totals[k], false);
        }
        put(b, STEP_SUMS, at, sums->columns.count, sums->rows);
    }
    sums->rows = sums->columns.count = sums->totals.count = 0;
}

/* Add a row of totals, whose last node is n. It waits for further rows over the same columns. */
static void
add_row(Builder *b, int32_t n)
{
    Sums *sums = &b->sums;
    int32_t count = node_at(b, n)->next, first = n + 1 - count;
    const int32_t *column = sums->columns.items;
    bool same = sums->rows > 0 && sums->rows < LANES_ABREAST && sums->columns.count == count;
    for (int32_t k = 0; k < count && same; k++) {
        same = column[k] == operand_at(b, node_at(b, first + k)->first + 1);
    }
    if (!same) {
        put_sums(b);
    }
    int32_t *columns = same ? sums->columns.items : lanes_grow(&sums->columns, count, sizeof *columns);
    int32_t *totals = lanes_grow(&sums->totals, count, sizeof *totals);
    if (columns == NULL || totals == NULL) {
        b->failed = true;
        return;
    }
    for (int32_t k = 0; k < count; k++) {
        columns[k] = operand_at(b, node_at(b, first + k)->first + 1);
        totals[k] = node_at(b, first + k)->extra;
    }
    sums->row[sums->rows++] = operand_at(b, node_at(b, n)->first);
}

/* Emit node n together with its kin that are not computed yet. They share their operands, which are therefore known. */
static bool
emit_products(Builder *b, int32_t n)
{
    int32_t made[LANES_ABREAST] = {n}, count = 1;
    for (int32_t k = node_at(b, n)->kin; k >= 0 && count < LANES_ABREAST; k = node_at(b, k)->next) {
        if (k != n && !node_at(b, k)->done) {
            made[count++] = k;
        }
    }
    if (count == 1) {
        return false;
    }
    const Node *node = node_at(b, n);
    int32_t at = b->tables.count;
    for (int32_t t = 0; t < node->count; t++) {
        put_table(b, term_at(b, node->first + t)->a, true);
    }
    for (int32_t t = 0; t < node->count; t++) {
        for (int32_t k = 0; k < count; k++) {
            put_table(b, ~term_at(b, node_at(b, made[k])->first + t)->b, false);
        }
    }
    for (int32_t k = 0; k < count; k++) {
        put_table(b, made[k], true);
        node_at(b, made[k])->done = true;
    }
    put(b, STEP_PRODUCTS, at, node->count, count);
    for (int32_t k = 0; k < count; k++) {
        node_at(b, made[k])->made = b->raws.count;
    }
    return true;
}

static void
emit_total(Builder *b, int32_t n)
{
    const Node *node = node_at(b, n);
    const int32_t *ref = (const int32_t *)b->operands.items + node->first;
    if (node->kin >= 0) {
        if (node->next >= 0) {
            add_row(b, n);
        }
        return;
    }
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
        put_table(b, vector_of(b, ref[0]), true);
        put_table(b, vector_of(b, ref[1]), true);
        put_table(b, node->extra, false);
        put(b, STEP_SUMPICKS, at, (int32_t)((Uniform *)b->uniform.items)[~ref[2]].number, 1);
    }
}

enum { ABSORB = 1 << 20 };

/* Whether a node computes an instruction of the user, whose order of terms must be kept. A part of a long sum has no
 * instruction of its own, so its order is free. */
static bool
is_written(const Builder *b, const Node *node)
{
    return !b->ir->fast && node->extra >= 0 && node->extra < b->ir->forward;
}

/* Whether the terms of `inner` may replace their sum among the terms of `outer`. */
static bool
may_merge(const Builder *b, const Node *outer, const Node *inner)
{
    if (inner->count == 1) {
        return true; /* a product or a negated term: the number of terms stays the same */
    }
    bool reduction = outer->code == SUM || outer->code == DOT;
    return !is_written(b, inner) && (!is_written(b, outer) || reduction);
}

/* A sum that waits for node `outer`, its only reader. */
static bool
waits_for(const Node *outer, const Node *inner)
{
    /* A node that may be recomputed needs operands that are in slots or are recomputed too. */
    return inner->kind == LINEAR && inner->lazy && !inner->done && inner->uses == 1 && inner->kin < 0 &&
           !(outer->cheap && !inner->cheap);
}

/* Collect the terms of node n in `flat`. A lazy sum that only n reads, and a sum that is recomputed, is replaced by
 * its terms. */
static void
flatten(Builder *b, int32_t n, int32_t position)
{
    b->flat.count = 0;
    Node *node = node_at(b, n);
    for (int32_t k = 0; k < node->count && !b->failed; k++) {
        Term *at = lanes_grow(&b->flat, 1, sizeof *at);
        if (at == NULL) {
            b->failed = true;
            return;
        }
        *at = *term_at(b, node->first + k);
    }
    for (int32_t k = 0; k < b->flat.count && !b->failed;) {
        Term term = flat_terms(b)[k];
        Node *inner = term.b == NOTHING && term.a >= 0 ? node_at(b, term.a) : NULL;
        bool alone = inner != NULL && waits_for(node, inner);
        bool again = inner != NULL && inner->kind == LINEAR && inner->done && missing(b, term.a, position);
        if ((!alone && !again) || b->flat.count > ABSORB || !may_merge(b, node, inner)) {
            k++;
            continue;
        }
        inner->done = true;
        inner->made = again ? inner->made : -2 * STALE;
        for (int32_t t = 0; t < inner->count; t++) {
            Term *at = t == 0 ? flat_terms(b) + k : lanes_grow(&b->flat, 1, sizeof *at);
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
    Frame *frame = lanes_grow(&b->stack, 1, sizeof *frame);
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
                Term *at = lanes_grow(pending, b->flat.count, sizeof *at);
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
            /* The second round computes the sums that only this node reads. The last one is then in the accumulator. */
            for (; frame->cursor < 4 * frame->count && wait < 0; frame->cursor++) {
                bool first_round = frame->cursor < 2 * frame->count;
                Term term = ((Term *)pending->items)[frame->first + frame->cursor % (2 * frame->count) / 2];
                int32_t x = frame->cursor % 2 ? term.b : term.a;
                if (x >= 0 && x != NOTHING && missing(b, x, position) &&
                    !(first_round && term.b == NOTHING && waits_for(node, node_at(b, x)))) {
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
            frame = lanes_grow(&b->stack, 1, sizeof *frame);
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
            if (node->kin >= 0 && emit_products(b, n)) {
                grouped = true;
                break;
            }
            b->flat.count = 0;
            if (frame->count > b->flat.room) {
                lanes_grow(&b->flat, frame->count, sizeof(Term));
            }
            memcpy(b->flat.items, (Term *)pending->items + frame->first,
                   (size_t)frame->count * sizeof(Term));
            b->flat.count = frame->count;
            emit_linear(b, is_written(b, node) && (node->code == SUM || node->code == DOT));
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
            emit_total(b, n);
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

void
lanes_emit(Builder *b)
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
    if (!b->failed) {
        put_sums(b);
    }
    free(pending.items);
}

/* ── Assign ─────────────────────────────────────────────────────────────────────────────────── */

static Step
as_step(const Raw *raw)
{
    return (Step){raw->step, (uint32_t)raw->a, (uint32_t)raw->b, (uint32_t)raw->c};
}

bool
lanes_step_stores(const Step *step)
{
    return step->step == STEP_STORE || (step->step < STEP_STORE && step->step & 1);
}

int32_t
lanes_table_written(const Step *step, int32_t *from)
{
    bool products = step->step == STEP_PRODUCTS;
    *from = (int32_t)(products ? step->a + step->b * (1 + step->c) : step->b);
    return products ? (int32_t)step->c : step->step == STEP_INS ? 8 : 0;
}

int32_t
lanes_table_read(const Step *step, int32_t *from)
{
    uint32_t count = 0;
    *from = (int32_t)step->a;
    switch (step->step) {
    case STEP_ROW:
    case STEP_TAKE:
        *from = (int32_t)step->b;
        count = step->step == STEP_ROW ? 3 : step->c;
        break;
    case STEP_SUMPICKS:
        count = 2;
        break;
    case STEP_PRODUCTS:
        count = step->b;
        break;
    case STEP_SUMS:
        count = step->b + step->c;
        break;
    case STEP_FMASvv:
    case STEP_FMASvs:
    case STEP_SUM2S:
        count = 2 * step->b;
        break;
    default:
        break;
    }
    return (int32_t)count;
}

bool
lanes_table_is_slot(const Step *step, const int32_t *table, int32_t t)
{
    switch (step->step) {
    case STEP_TAKE:
        return table[t] >= 0;
    case STEP_SUM2S:
        return (t - (int32_t)step->a) % 2 == 1;
    case STEP_FMASvs:
        return (t - (int32_t)step->a) % 2 == 0;
    default:
        return true;
    }
}

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
    case STEP_SUMPICKS:
        *from = raw->a;
        return 2;
    case STEP_PRODUCTS:
        *from = raw->a;
        return raw->b;
    case STEP_SUMS:
        *from = raw->a;
        return raw->b + raw->c;
    default:
        *from = 0;
        return 0;
    }
}

enum { POLL_EVERY = 20000 };
enum { ABREAST = 8 };         /* scenarios of one AHEAD */
enum { AHEAD_BY = 256 };      /* steps from an AHEAD to the INS that reads what it fetched, at least */
enum { IS_SLOT = 1, LAST_READ = 2 }; /* of an entry of the table */

typedef struct {
    uint8_t *live;   /* by node: read later, before it is written again */
    uint8_t *last;   /* by raw step: bit k: operand k is read for the last time */
    int32_t *slot;
    int32_t *spare;  /* slots that are free, as a heap: none is lower than that at half its place */
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
        const Step step = as_step(raw);
        int32_t from, many = lanes_table_written(&step, &from);
        for (int32_t t = from; t < from + many; t++) { /* live values get a slot; the others share a spare one */
            kinds[t] = s->live[table[t]] ? IS_SLOT : IS_SLOT | LAST_READ;
            s->live[table[t]] = 0;
        }
        char kind[3];
        lanes_step_operands(raw->step, kind);
        const int32_t operand[3] = {raw->a, raw->b, raw->c};
        for (int o = 0; o < 3; o++) {
            if (kind[o] == 'v' && first_seen(s, operand[o])) {
                s->last[k] |= (uint8_t)(1 << o);
            }
        }
        many = table_operands(raw, &from);
        for (int32_t t = from; t < from + many; t++) {
            if (kinds[t] && first_seen(s, table[t])) {
                kinds[t] |= LAST_READ;
            }
        }
    }
}

static void
slot_free(Slots *s, int32_t slot)
{
    int32_t at = s->spares++;
    for (int32_t up; at > 0 && s->spare[up = (at - 1) / 2] > slot; at = up) {
        s->spare[at] = s->spare[up];
    }
    s->spare[at] = slot;
}

/* The lowest slot that is free. In a loop the slots of each round are then those of the round before, all moved by the
 * same distance, and lanes_loops.c finds it. */
static int32_t
slot_new(Slots *s)
{
    if (s->spares == 0) {
        return s->slots++;
    }
    int32_t lowest = s->spare[0], last = s->spare[--s->spares], at = 0;
    for (int32_t down; (down = 2 * at + 1) < s->spares; at = down) {
        down += down + 1 < s->spares && s->spare[down + 1] < s->spare[down];
        if (s->spare[down] >= last) {
            break;
        }
        s->spare[at] = s->spare[down];
    }
    s->spare[at] = last;
    return lowest;
}

/* Forward: free what is read for the last time, then place what is written. Fails where steps read what none has
 * stored, which would be a fault of lanes_emit. */
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
        char kind[3];
        lanes_step_operands(raw->step, kind);
        int32_t *operand[3] = {&raw->a, &raw->b, &raw->c};
        for (int o = 0; o < 3; o++) {
            if (kind[o] == 'v') {
                bool spread = *operand[o] >= b->node_count;
                *operand[o] = s->slot[*operand[o]];
                if (*operand[o] < 0) {
                    b->failed = true;
                    return;
                }
                if ((s->last[k] >> o & 1) && !spread) {
                    slot_free(s, *operand[o]);
                }
            }
        }
        int32_t from, many = table_operands(raw, &from);
        for (int32_t t = from; t < from + many; t++) {
            if (kinds[t]) {
                bool spread = table[t] >= b->node_count;
                table[t] = s->slot[table[t]];
                if (table[t] < 0) {
                    b->failed = true;
                    return;
                }
                if ((kinds[t] & LAST_READ) && !spread) {
                    slot_free(s, table[t]);
                }
            }
        }
        const Step step = as_step(raw);
        many = lanes_table_written(&step, &from);
        for (int32_t t = from; t < from + many; t++) {
            s->slot[table[t]] = slot_new(s);
            table[t] = s->slot[table[t]];
        }
        for (int32_t t = from; t < from + many; t++) {
            if (kinds[t] & LAST_READ) {
                slot_free(s, table[t]);
            }
        }
    }
}

/* Make one step of the picks from k on that read the same two slots and whose places follow each other. Returns how many
 * there are. */
static int32_t
join_picks(Builder *b, Raw *raw, int32_t k, int32_t kept)
{
    const Raw *raws = b->raws.items;
    int32_t run = 1, at = b->tables.count;
    const int32_t *table = b->tables.items;
    while (k + run < kept && raws[k + run].step == STEP_SUMPICKS && raws[k + run].b == raw->b + run &&
           memcmp(table + raws[k + run].a, table + raw->a, 2 * sizeof *table) == 0) {
        run++;
    }
    int32_t *joined = run > 1 ? lanes_grow(&b->tables, 2 + run, sizeof *joined) : NULL;
    if (joined == NULL) {
        return 1;
    }
    table = b->tables.items;
    memcpy(joined, table + raw->a, 2 * sizeof *joined);
    for (int32_t j = 0; j < run; j++) {
        joined[2 + j] = table[raws[k + j].a + 2];
    }
    *raw = (Raw){STEP_SUMPICKS, at, raw->b, run};
    return run;
}

/* Put the raw steps in their final form into plan->steps: runs of products or of picks become one step, and a store
 * becomes part of the step before it. Returns their number, or -1 without memory. */
static int32_t
join_steps(Builder *b)
{
    Raw *raws = b->raws.items;
    int32_t kept = 0, count = 0;
    for (int32_t k = 0; k < b->raws.count; k++) {
        if (raws[k].step != STEP_POLL) {
            raws[kept++] = raws[k];
        }
    }
    for (int32_t k = 0; k < kept; count++) {
        Raw raw = raws[k];
        int32_t run = 1;
        if (raw.step == STEP_FMAvv || raw.step == STEP_FMAvs || raw.step == STEP_SUM2v) {
            while (k + run < kept && raws[k + run].step == raw.step) {
                run++;
            }
            if (run > 1) {
                int32_t at = b->tables.count;
                for (int32_t j = k; j < k + run; j++) {
                    int32_t *entry = lanes_grow(&b->tables, 2, sizeof *entry);
                    if (entry == NULL) {
                        return -1;
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
        else if (raw.step == STEP_SUMPICKS) {
            run = join_picks(b, &raw, k, kept);
        }
        if (raw.step < STEP_STORE && k + run < kept && raws[k + run].step == STEP_STORE) {
            raw.step++;
            raw.c = raws[k + run].c;
            run++;
        }
        raws[count] = raw;
        k += run;
    }
    return count;
}

/* When to fetch the inputs that each INS reads. The fetches are spread evenly over all steps, because a processor can
 * wait for a few only, and other reads wait with them. Those of the first INS are made by the block before. */
typedef struct {
    int32_t at;       /* the step before which it is made; negative: in the block before */
    int32_t input, lane;
} Fetch;

static Fetch *
plan_fetches(Builder *b, int32_t count, int32_t *fetch_count)
{
    const Raw *raws = b->raws.items;
    int32_t groups = 0, lanes = b->plan->lanes;
    for (int32_t k = 0; k < count; k++) {
        groups += raws[k].step == STEP_INS;
    }
    int32_t fetches = groups * (lanes / ABREAST), n = fetches;
    Fetch *fetch = malloc(((size_t)fetches + 1) * sizeof *fetch);
    double next = count, apart = (double)count / (fetches + 1);
    for (int32_t k = count - 1; fetch != NULL && k >= 0; k--) {
        if (raws[k].step != STEP_INS) {
            continue;
        }
        for (int32_t lane = lanes - ABREAST; lane >= 0; lane -= ABREAST) {
            next -= apart;
            next = next < k - AHEAD_BY ? next : k - AHEAD_BY;
            double least = -count;
            fetch[--n] = (Fetch){(int32_t)(next > least ? next : least), raws[k].a, lane};
        }
    }
    *fetch_count = fetches;
    return fetch;
}

/* The steps as they run: with the fetches, and with a look at the signals now and then. */
static void
put_steps(Builder *b)
{
    Lanes *plan = b->plan;
    const Raw *raws = b->raws.items;
    int32_t count = join_steps(b), fetches = 0, put = 0;
    Fetch *fetch = count < 0 ? NULL : plan_fetches(b, count, &fetches);
    plan->steps = fetch == NULL ? NULL : malloc(((size_t)count + (size_t)count / POLL_EVERY + (size_t)fetches + 2) *
                                                sizeof *plan->steps);
    if (plan->steps == NULL) {
        free(fetch);
        b->failed = true;
        return;
    }
    int32_t now = 0, later = 0; /* of the fetches: for this block, for the next */
    while (now < fetches && fetch[now].at < 0) {
        now++;
    }
    int32_t early = now;
    for (int32_t k = 0; k < count; k++) {
        for (; now < fetches && fetch[now].at <= k; now++) {
            plan->steps[put++] = (Step){STEP_AHEAD, (uint32_t)fetch[now].input, (uint32_t)fetch[now].lane, 0};
        }
        for (; later < early && fetch[later].at + count <= k; later++) {
            uint32_t lane = (uint32_t)(fetch[later].lane + plan->lanes);
            plan->steps[put++] = (Step){STEP_AHEAD, (uint32_t)fetch[later].input, lane, 0};
        }
        plan->steps[put++] = as_step(&raws[k]);
        if (k % POLL_EVERY == POLL_EVERY - 1) {
            plan->steps[put++] = (Step){STEP_POLL, 0, 0, 0};
        }
    }
    plan->steps[put++] = (Step){STEP_END, 0, 0, 0};
    plan->step_count = put;
    free(fetch);
}

void
lanes_assign(Builder *b)
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
    if (b->failed) {
        goto end;
    }
    plan->slot_count = s.slots;
    put_steps(b);
end:
    free(s.live);
    free(s.last);
    free(s.slot);
    free(s.spare);
}
