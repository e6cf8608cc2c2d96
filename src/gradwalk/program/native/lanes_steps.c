/* From the nodes of a plan to its steps: see lanes_plan.h. Start reading at lanes_emit, then lanes_assign.
 *
 *     emit     nodes to steps
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
    return !node->done || (node->cheap && position - node->reach <= beyond &&
                           b->raws.count - node->made > STALE);
}

static void
put(Builder *b, int32_t step, int32_t out, int32_t x, int32_t y, int32_t z)
{
    Step *raw = array_add(&b->memory, &b->raws, 1, sizeof *raw);
    if (raw == NULL) {
        return;
    }
    *raw = (Step){.step = (int16_t)step, .out = out, .x = x, .y = y, .z = z};
}

/* Add an entry to the table. */
static int32_t
put_table(Builder *b, int32_t item)
{
    int32_t *at = array_add(&b->plan->memory, &b->tables, 1, sizeof *at);
    if (at == NULL) {
        return 0;
    }
    *at = item;
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

/* Begin sum n with any of its terms. */
static int32_t
begin_sum(Builder *b, int32_t n)
{
    Term *flat = flat_terms(b);
    int32_t at = find_flat(b, false, 1), other;
    if (at < 0) {
        at = find_flat(b, true, 1);
    }
    if (at < 0) {
        at = find_flat(b, true, 0);
    }
    Term term = flat[at >= 0 ? at : 0];
    drop_flat(b, at >= 0 ? at : 0);
    if (term.b != NOTHING) {
        put(b, C_mul, n, term.a, term.b, 0);
    }
    else if (term.sign < 0) {
        put(b, C_neg, n, term.a, 0, 0);
        return n;
    }
    else if ((other = find_flat(b, false, 0)) >= 0) {
        put(b, flat[other].sign < 0 ? C_sub : C_add, n, term.a, flat[other].a, 0);
        drop_flat(b, other);
    }
    else {
        return term.a;
    }
    if (term.sign < 0) {
        put(b, C_neg, n, n, 0, 0);
    }
    return n;
}

/* Emit node n, the sum of the terms in `flat`. from_0: it starts at 0.0, so it is never -0.0. */
static void
emit_linear(Builder *b, int32_t n, bool from_0)
{
    int32_t sum = begin_sum(b, n);
    const Term *flat = flat_terms(b);
    int32_t count = b->flat.count;
    for (int32_t k = 0; k < count && !is_failed(b); k++) { /* products first: they run together */
        if (flat[k].b == NOTHING) {
            continue;
        }
        put(b, flat[k].sign < 0 ? LESS_PRODUCT : ADD_PRODUCT, n, flat[k].a, flat[k].b, sum);
        sum = n;
    }
    for (int32_t k = 0; k < count && !is_failed(b); k++) {
        if (flat[k].b == NOTHING) {
            put(b, flat[k].sign < 0 ? C_sub : C_add, n, sum, flat[k].a, 0);
            sum = n;
        }
    }
    if (from_0 || sum != n) {
        put(b, from_0 ? C_add : COPY, n, sum, from_0 ? ~lanes_uniform(b, -1, 0.0) : 0, 0);
    }
}

static void
emit_input(Builder *b, int32_t n, int32_t slot)
{
    int32_t first = b->group[slot], at = b->tables.count;
    if (first < 0) {
        put(b, STEP_IN, n, 0, slot, 0);
        return;
    }
    for (int32_t k = 0; k < 8; k++) {
        int32_t member = b->input_node[first + k];
        put_table(b, member);
        node_at(b, member)->done = true;
    }
    put(b, STEP_INS, 0, 0, first, at);
}

static void
emit_operation(Builder *b, int32_t n)
{
    const Node node = *node_at(b, n);
    const int32_t *ref = (const int32_t *)b->operands.items + node.first;
    int32_t at = b->tables.count;
    int code = node.code, count = node.count;
    switch (code) {
    case LARGEST:
        put(b, count == 1 ? COPY : C_maximum, n, ref[0], count == 1 ? 0 : ref[1], 0);
        for (int k = 2; k < count; k++) {
            put(b, C_maximum, n, n, ref[k], 0);
        }
        return;
    case TAKE:
        for (int k = 1; k < count; k++) {
            put_table(b, ref[k]);
        }
        put(b, STEP_TAKE, n, ref[0], at, count - 1);
        return;
    case PICK:
        for (int k = 0; k < count; k++) {
            put_table(b, ref[k]);
        }
        put(b, STEP_PICK, n, ~lanes_uniform(b, -1, b->ir->number[node.extra]), at, count / 2);
        return;
    default:
        if (is_partial(code)) {
            code = row_of((int)b->ir->number[node.extra], 1 + code - PARTIAL0);
            ref++;
        }
        count = row_info[code].operands;
        put(b, code, n, ref[0], count > 1 ? ref[1] : 0, count > 2 ? ref[2] : 0);
    }
}

/* Put the totals that wait. */
static void
put_sums(Builder *b)
{
    Sums *sums = &b->sums;
    const int32_t *columns = sums->columns.items, *totals = sums->totals.items;
    int32_t at = b->tables.count;
    for (int32_t k = 0; k < sums->rows && sums->rows > 1; k++) {
        put_table(b, sums->row[k]);
    }
    for (int32_t k = 0; k < sums->columns.count; k++) {
        if (sums->rows == 1) {
            put(b, STEP_SUM2, totals[k], sums->row[0], columns[k], 0);
        }
        else {
            put_table(b, columns[k]);
        }
    }
    for (int32_t k = 0; k < sums->totals.count && sums->rows > 1; k++) {
        put_table(b, totals[k]);
    }
    if (sums->rows > 1) {
        put(b, STEP_SUMS, 0, sums->rows, at, sums->columns.count);
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
    int32_t *columns = same ? sums->columns.items : array_add(&b->memory, &sums->columns, count, sizeof *columns);
    int32_t *totals = array_add(&b->memory, &sums->totals, count, sizeof *totals);
    if (columns == NULL || totals == NULL) {
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
        put_table(b, term_at(b, node->first + t)->a);
    }
    for (int32_t t = 0; t < node->count; t++) {
        for (int32_t k = 0; k < count; k++) {
            put_table(b, term_at(b, node_at(b, made[k])->first + t)->b);
        }
    }
    for (int32_t k = 0; k < count; k++) {
        put_table(b, made[k]);
        node_at(b, made[k])->done = true;
    }
    put(b, STEP_PRODUCTS, 0, count, at, node->count);
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
    int32_t at = b->tables.count;
    if (node->kind == TOTAL) {
        put(b, STEP_SUM, node->extra, ref[0], 0, 0);
    }
    else if (node->kind == PRODUCT_TOTAL) {
        put(b, STEP_SUM2, node->extra, ref[0], ref[1], 0);
    }
    else {
        put_table(b, 1);
        put_table(b, node->extra);
        put(b, STEP_SUMPICKS, (int32_t)((Uniform *)b->uniform.items)[~ref[2]].number, ref[0], ref[1], at);
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
    for (int32_t k = 0; k < node->count && !is_failed(b); k++) {
        Term *at = array_add(&b->memory, &b->flat, 1, sizeof *at);
        if (at == NULL) {
            return;
        }
        *at = *term_at(b, node->first + k);
    }
    for (int32_t k = 0; k < b->flat.count && !is_failed(b);) {
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
            Term *at = t == 0 ? flat_terms(b) + k : array_add(&b->memory, &b->flat, 1, sizeof *at);
            if (at == NULL) {
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
    Frame *frame = array_add(&b->memory, &b->stack, 1, sizeof *frame);
    if (frame == NULL) {
        return;
    }
    *frame = (Frame){root, -1, 0, 0};
    while (b->stack.count > 0 && !is_failed(b)) {
        frame = (Frame *)b->stack.items + b->stack.count - 1;
        int32_t n = frame->node;
        Node *node = node_at(b, n);
        if (frame->cursor < 0) { /* on entry */
            frame->cursor = 0;
            frame->first = pending->count;
            if (node->kind == LINEAR) {
                flatten(b, n, position);
                Term *at = array_add(&b->memory, pending, b->flat.count, sizeof *at);
                if (is_failed(b)) {
                    return;
                }
                memcpy(at, b->flat.items, (size_t)b->flat.count * sizeof *at);
                frame->count = b->flat.count;
            }
        }
        int32_t wait = -1;
        if (node->kind == LINEAR) {
            /* The second round computes the sums that only this node reads. */
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
            frame = array_add(&b->memory, &b->stack, 1, sizeof *frame);
            if (frame == NULL) {
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
                array_add(&b->memory, &b->flat, frame->count, sizeof(Term));
            }
            memcpy(b->flat.items, (Term *)pending->items + frame->first,
                   (size_t)frame->count * sizeof(Term));
            b->flat.count = frame->count;
            emit_linear(b, n, is_written(b, node) && (node->code == SUM || node->code == DOT));
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
            put(b, STEP_OUT, node->extra, operand_at(b, node->first), 0, 0);
            break;
        default:
            emit_total(b, n);
            break;
        }
        node_at(b, n)->done = true;
        if (!grouped && (node->kind == LINEAR || node->kind == OPERATION)) {
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
    for (int32_t n = 0; n < b->node_count && !is_failed(b); n++) {
        Node *node = node_at(b, n);
        if (!node->lazy && !node->done) {
            emit_from(b, n, &pending);
        }
    }
    if (!is_failed(b)) {
        put_sums(b);
    }
}

/* ── What a step reads and writes ───────────────────────────────────────────────────────────── */

int
lanes_step_reads(int32_t step)
{
    static const int8_t reads[] = {
#define STEP(name, reads, writes) reads,
        LANES_OTHER(STEP)
#undef STEP
    };
    return step < ROW_COUNT ? row_info[step].operands : reads[step - ROW_COUNT];
}

bool
lanes_step_writes(int32_t step)
{
    static const bool writes[] = {
#define STEP(name, reads, writes) writes,
        LANES_OTHER(STEP)
#undef STEP
    };
    return step < ROW_COUNT || writes[step - ROW_COUNT];
}

int32_t
lanes_table_written(const Step *step, int32_t *from)
{
    bool products = step->step == STEP_PRODUCTS;
    *from = products ? step->y + step->z * (1 + step->x) : step->z;
    return products ? step->x : step->step == STEP_INS ? 8 : 0;
}

int32_t
lanes_table_read(const Step *step, int32_t *from)
{
    *from = step->y;
    switch (step->step) {
    case STEP_PICK:
        return 2 * step->z;
    case STEP_TAKE:
        return step->z;
    case STEP_PRODUCTS:
        return step->z * (1 + step->x);
    case STEP_SUMS:
        return step->x + step->z;
    default:
        return 0;
    }
}

/* ── Assign ─────────────────────────────────────────────────────────────────────────────────── */

enum { POLL_EVERY = 20000 };
enum { ABREAST = 8 };         /* scenarios of one AHEAD */
enum { AHEAD_BY = 256 };      /* steps from an AHEAD to the INS that reads what it fetched, at least */

typedef struct {
    uint8_t *live;   /* by node: read later, before it is written again */
    uint8_t *table_last; /* by entry of the table: a slot that is not read after this */
    int32_t *slot;
    int32_t *spare;  /* slots that are free, as a heap: none is lower than that at half its place */
    int32_t spares, slots;
} Slots;

static bool
first_seen(Slots *s, int32_t n)
{
    bool seen = n < 0 || s->live[n];
    if (n >= 0) {
        s->live[n] = 1;
    }
    return !seen;
}

/* Backward: mark last reads; steps whose result nobody reads become POLL, to be dropped. */
static void
find_last(Builder *b, Slots *s)
{
    Step *raws = b->raws.items;
    const int32_t *table = b->tables.items;
    for (int32_t k = b->raws.count - 1; k >= 0; k--) {
        Step *raw = &raws[k];
        const int32_t operand[3] = {raw->x, raw->y, raw->z};
        int32_t from, many = lanes_table_written(raw, &from);
        for (int32_t t = from; t < from + many; t++) { /* live values get a slot; the others share a spare one */
            s->table_last[t] = !s->live[table[t]];
            s->live[table[t]] = 0;
        }
        if (lanes_step_writes(raw->step)) {
            if (!s->live[raw->out]) {
                raw->step = STEP_POLL;
                continue;
            }
            s->live[raw->out] = 0;
        }
        for (int o = 0; o < lanes_step_reads(raw->step); o++) {
            raw->form |= (int16_t)(first_seen(s, operand[o]) << o);
        }
        many = lanes_table_read(raw, &from);
        for (int32_t t = from; t < from + many; t++) {
            s->table_last[t] = first_seen(s, table[t]);
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

/* The slot of an operand, which is freed if it is read for the last time. A uniform number stays as it is. */
static void
place_read(Builder *b, Slots *s, int32_t *operand, bool last)
{
    if (*operand >= 0) {
        *operand = s->slot[*operand];
        b->memory.failed = b->memory.failed || *operand < 0;
        if (last && !is_failed(b)) {
            slot_free(s, *operand);
        }
    }
}

/* Forward: free what is read for the last time, then place what is written. Fails where steps read what none has
 * written, which would be a fault of lanes_emit. */
static void
place_slots(Builder *b, Slots *s)
{
    Step *raws = b->raws.items;
    int32_t *table = b->tables.items;
    for (int32_t k = 0; k < b->raws.count && !is_failed(b); k++) {
        Step *raw = &raws[k];
        int32_t *operand[3] = {&raw->x, &raw->y, &raw->z};
        for (int o = 0; o < lanes_step_reads(raw->step); o++) {
            place_read(b, s, operand[o], raw->form >> o & 1);
        }
        int32_t from, many = lanes_table_read(raw, &from);
        for (int32_t t = from; t < from + many; t++) {
            place_read(b, s, &table[t], s->table_last[t]);
        }
        if (lanes_step_writes(raw->step)) {
            raw->out = s->slot[raw->out] = slot_new(s);
        }
        many = lanes_table_written(raw, &from);
        for (int32_t t = from; t < from + many; t++) {
            s->slot[table[t]] = slot_new(s);
            table[t] = s->slot[table[t]];
        }
        for (int32_t t = from; t < from + many; t++) {
            if (s->table_last[t]) {
                slot_free(s, table[t]);
            }
        }
    }
}

/* Make one step of the picks from k on that read the same two slots and whose places follow each other. Returns how many
 * there are. */
static int32_t
join_picks(Builder *b, Step *raw, int32_t k, int32_t kept)
{
    const Step *raws = b->raws.items;
    int32_t run = 1, at = b->tables.count;
    while (k + run < kept && raws[k + run].step == STEP_SUMPICKS && raws[k + run].out == raw->out + run &&
           raws[k + run].x == raw->x && raws[k + run].y == raw->y) {
        run++;
    }
    int32_t *joined = run > 1 ? array_add(&b->plan->memory, &b->tables, 1 + run, sizeof *joined) : NULL;
    if (joined == NULL) {
        return 1;
    }
    joined[0] = run;
    for (int32_t j = 0; j < run; j++) {
        joined[1 + j] = ((int32_t *)b->tables.items)[raws[k + j].z + 1];
    }
    raw->z = at;
    return run;
}

/* Drop what nobody reads, and join picks. Returns how many steps are left. */
static int32_t
join_steps(Builder *b)
{
    Step *raws = b->raws.items;
    int32_t kept = 0, count = 0;
    for (int32_t k = 0; k < b->raws.count; k++) {
        if (raws[k].step != STEP_POLL) {
            raws[kept++] = raws[k];
        }
    }
    for (int32_t k = 0, run; k < kept; k += run) {
        Step raw = raws[k];
        run = raw.step == STEP_SUMPICKS ? join_picks(b, &raw, k, kept) : 1;
        raws[count++] = raw;
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
    const Step *raws = b->raws.items;
    int32_t groups = 0, lanes = b->plan->lanes;
    for (int32_t k = 0; k < count; k++) {
        groups += raws[k].step == STEP_INS;
    }
    int32_t fetches = groups * (lanes / ABREAST), n = fetches;
    Fetch *fetch = arena_take(&b->memory, (size_t)fetches, sizeof *fetch, ANY_BYTE);
    double next = count, apart = (double)count / (fetches + 1);
    for (int32_t k = count - 1; fetch != NULL && k >= 0; k--) {
        if (raws[k].step != STEP_INS) {
            continue;
        }
        for (int32_t lane = lanes - ABREAST; lane >= 0; lane -= ABREAST) {
            next -= apart;
            next = next < k - AHEAD_BY ? next : k - AHEAD_BY;
            double least = -count;
            fetch[--n] = (Fetch){(int32_t)(next > least ? next : least), raws[k].y, lane};
        }
    }
    *fetch_count = fetches;
    return fetch;
}

/* The form of a row with these kinds of operands, or FORM_CALL. */
static int
form_of(int row, char x, char y, char z)
{
    static const struct {
        int16_t row;
        char x, y, z;
    } forms[] = {
#define FORM(row, kx, ky, kz, value) {row, #kx[0], #ky[0], #kz[0]},
        LANES_FORMS
#undef FORM
    };
    static const int16_t first[ROW_COUNT] = {
#define FIRST(row, operands, value) [row] = FORM_##row##_mmm,
        LANES_HOT(FIRST)
    };
    for (int form = first[row]; form != FORM_CALL && form < FORM_SUM_A && forms[form / 2].row == row; form += 2) {
        if (forms[form / 2].x == x && forms[form / 2].y == y && forms[form / 2].z == z) {
            return form; /* these are odd: each is followed by its twin */
        }
    }
    return FORM_CALL;
}

static void
swap_factors(Step *step)
{
    int32_t x = step->x;
    step->x = step->y;
    step->y = x;
    step->form = (step->form & 4) | (step->form & 1) << 1 | (step->form & 2) >> 1;
}

/* Choose the form of each step. The row of step `row` is in registers; `stored`: it is read from memory, too. */
static void
find_forms(const Lanes *plan)
{
    Step *row = NULL;
    bool stored = false;
    for (Step *step = plan->steps, *end = step + plan->step_count; step < end; step++) {
        bool products = step->step >= ADD_PRODUCT && step->step <= LESS_PRODUCT, sum = step->step == STEP_SUM2;
        if ((products && step->x < 0) || ((products || sum) && row != NULL && step->y == row->out)) {
            swap_factors(step);
        }
        const int32_t operand[3] = {step->x, step->y, step->z};
        int count = lanes_step_reads(step->step), last = step->form, form = FORM_CALL, held = -1;
        char kind[3] = {'m', 'm', 'm'};
        for (int o = 0; o < count; o++) {
            kind[o] = operand[o] < 0 ? 's' : 'm';
        }
        for (int o = 0; o < count && row != NULL && held < 0; o++) {
            if (operand[o] == row->out) {
                char was = kind[o];
                kind[o] = 'A';
                form = step->step == STEP_SUM    ? FORM_SUM_A
                       : step->step == STEP_SUM2 ? FORM_SUM2_A
                       : step->step < ROW_COUNT  ? form_of(step->step, kind[0], kind[1], kind[2])
                                                 : FORM_CALL;
                kind[o] = was;
                held = form != FORM_CALL ? o : -1;
            }
        }
        for (int o = 0; o < count && row != NULL; o++) {
            stored = stored || (operand[o] == row->out && o != held);
        }
        if (held >= 0 && !stored && (last >> held & 1)) {
            row->form++;
        }
        if (step->step >= ROW_COUNT) {
            step->form = (int16_t)(held >= 0 ? form : FORM_OTHER + step->step - ROW_COUNT);
            row = held >= 0 || step->step == STEP_AHEAD || step->step == STEP_SUM || step->step == STEP_SUM2 ? row : NULL;
            continue;
        }
        step->form = (int16_t)(held >= 0 ? form : form_of(step->step, kind[0], kind[1], kind[2]));
        row = step->form == FORM_CALL ? NULL : step;
        stored = false;
    }
}

/* The steps as they run: with the fetches, and with a look at the signals now and then. */
static void
put_steps(Builder *b)
{
    Lanes *plan = b->plan;
    const Step *raws = b->raws.items;
    int32_t count = join_steps(b), fetches = 0, put = 0;
    Fetch *fetch = plan_fetches(b, count, &fetches);
    plan->steps = arena_take(&plan->memory, (size_t)count + (size_t)count / POLL_EVERY + (size_t)fetches + 1,
                             sizeof *plan->steps, ANY_BYTE);
    if (is_failed(b)) {
        return;
    }
    int32_t now = 0, later = 0; /* of the fetches: for this block, for the next */
    while (now < fetches && fetch[now].at < 0) {
        now++;
    }
    int32_t early = now;
    for (int32_t k = 0; k < count; k++) {
        for (; now < fetches && fetch[now].at <= k; now++) {
            plan->steps[put++] = (Step){.step = STEP_AHEAD, .y = fetch[now].input, .z = fetch[now].lane};
        }
        for (; later < early && fetch[later].at + count <= k; later++) {
            int32_t lane = fetch[later].lane + plan->lanes;
            plan->steps[put++] = (Step){.step = STEP_AHEAD, .y = fetch[later].input, .z = lane};
        }
        plan->steps[put++] = raws[k];
        if (k % POLL_EVERY == POLL_EVERY - 1) {
            plan->steps[put++] = (Step){.step = STEP_POLL};
        }
    }
    plan->steps[put++] = (Step){.step = STEP_END};
    plan->step_count = put;
    find_forms(plan);
}

void
lanes_assign(Builder *b)
{
    Slots s = {
        .live = arena_take(&b->memory, (size_t)b->node_count, 1, 0),
        .table_last = arena_take(&b->memory, (size_t)b->tables.count, 1, 0),
        .slot = arena_take(&b->memory, (size_t)b->node_count, sizeof *s.slot, 0xFF),
        .spare = arena_take(&b->memory, (size_t)b->node_count, sizeof *s.spare, ANY_BYTE),
    };
    if (!is_failed(b)) {
        find_last(b, &s);
        place_slots(b, &s);
        b->plan->slot_count = s.slots;
    }
    if (!is_failed(b)) {
        put_steps(b);
    }
}
