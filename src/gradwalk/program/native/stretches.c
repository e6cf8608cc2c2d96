/* Planning and running a rolled program: see stretches.h.
 *
 *     1. find the values that are read outside of their iteration, and give each a place in v
 *     2. write a body for each piece; what all iterations compute alike goes into a stretch before it
 *     3. differentiate each body by those of its reads that depend on wanted inputs
 */

#include "stretches.h"

#include "single.h"

#include <math.h>
#include <string.h>

enum {
    RESTING = 1 << 14, /* numbers that stay allocated between runs */
    MOST_KEPT = 1 << 23 /* values kept for the gradient; where there are more, they are computed again */
};

typedef struct {
    int32_t to, from; /* places in v */
} Copy;

typedef struct {
    int32_t here;        /* in the memory of a body */
    int32_t first, step; /* in v or c */
} Move;

typedef struct {
    int32_t to, count;     /* places in v */
    const double *numbers; /* NULL: all are `number` */
    double number;
} Preset;

typedef struct {
    Ir *body;
    Single *forward, *back;
    int32_t count, reads, writes, first; /* value j of iteration k is v[first + k·writes + j] */
    Stride *read;                        /* by slot of the body */
    bool *reads_active, *writes_active;  /* whether each depends on a wanted input */
    int32_t *gradient_of;                /* the reads whose gradients `back` computes */
    int32_t gradients;
    int32_t kept, first_kept; /* values that each iteration keeps for its gradient, and where in v they begin */
    Move *moving; /* from v to the slots: the reads that change with the iteration */
    Move *adding; /* from the backward body to c: the gradients of reads */
    int32_t movings;
    Copy *copy; /* into the rows before the first */
    int32_t copies;
} Stretch;

struct Stretches {
    Arena memory;               /* of what it points to, but v and c */
    Stretch *stretch;
    int32_t count, slots;
    int32_t size, kept;         /* v has `size` numbers with gradients in c, and then `kept` without */
    Array presets;              /* Presets: consts that are read by their place */
    int32_t *result; /* places in v */
    double *seeds;
    int32_t outputs;
    int32_t *wrt;
    int32_t wrt_count;
    double *v, *c; /* during a run */
};

/* ── Where values lie ───────────────────────────────────────────────────────────────────────── */

typedef struct {
    Arena memory;
    const Rolled *r;
    Stretches *all;
    int32_t *column;     /* by instruction of a body: its place in a row, or of a const its place in v; -1: none */
    int32_t *writes;     /* by piece */
    int32_t *rows_back;  /* by piece: rows before the first */
    int32_t *first;      /* by piece */
    int32_t *back_of;    /* by instruction of a body: how many rows before the first it is read in */
    bool irregular;
} Layout;

static bool
is_failed(const Layout *l)
{
    return l->memory.failed || l->all->memory.failed;
}

/* How the operand of a piece is read. */
enum { INSIDE, CARRIED, OUTSIDE };

static int
kind_of(const Rolled *r, const Piece *piece, Stride operand, int32_t *at, int32_t *back)
{
    if (operand.first >= piece->start) {
        *at = operand.first - piece->start;
        return INSIDE;
    }
    if (piece->count > 1 && operand.step == piece->length) {
        int32_t far = piece->start - operand.first;
        *back = (far + piece->length - 1) / piece->length;
        *at = operand.first - piece->start + *back * piece->length;
        int code = r->code[piece->body + *at];
        if (*back < piece->count && code != INPUT && code != CONST) {
            return CARRIED;
        }
    }
    return OUTSIDE;
}

/* Whether an operand is a const in every iteration, with one number or with many. */
enum { NO_NUMBER, ONE_NUMBER, NUMBERS };

static int
numbers_read(const Rolled *r, const Piece *piece, Stride operand, double *number)
{
    int found = ONE_NUMBER;
    for (int32_t n = 0; n < (operand.step == 0 ? 1 : piece->count); n++) {
        int32_t k, at;
        const Piece *to = rolled_find(r, operand.first + n * operand.step, &k, &at);
        if (r->code[to->body + at] != CONST) {
            return NO_NUMBER;
        }
        double mine = rolled_number(r, to->body + at, k);
        *number = n == 0 ? mine : *number;
        found = memcmp(&mine, number, sizeof mine) != 0 ? NUMBERS : found;
    }
    return found;
}

/* Note that a value is read from outside its iteration. */
static void
touch(Layout *l, int32_t id)
{
    int32_t k, at;
    const Piece *piece = rolled_find(l->r, id, &k, &at);
    int32_t b = piece->body + at;
    if (l->r->code[b] != INPUT && l->column[b] < 0) {
        l->column[b] = 0;
    }
}

static void
touch_all(Layout *l, const Piece *piece, Stride operand)
{
    int32_t k, at;
    const Piece *to = rolled_find(l->r, operand.first, &k, &at);
    int32_t last = operand.first + (piece->count - 1) * operand.step;
    double number;
    if (numbers_read(l->r, piece, operand, &number) != NO_NUMBER) {
        return; /* preset_numbers gives each reader its own */
    }
    bool one = operand.step % to->length == 0 && last >= to->start && last < to->start + to->length * to->count;
    for (int32_t n = 0; n < (one ? 1 : piece->count); n++) {
        touch(l, operand.first + n * operand.step);
    }
}

static void
find_columns(Layout *l, const int32_t *result, int32_t outputs)
{
    const Rolled *r = l->r;
    for (int32_t p = 0; p < r->piece_count; p++) {
        const Piece *piece = &r->piece[p];
        for (int32_t b = piece->body; b < piece->body + piece->length; b++) {
            for (int32_t o = r->begin[b]; o < r->begin[b + 1]; o++) {
                Stride operand = r->operand[o];
                int32_t at, back;
                switch (kind_of(r, piece, operand, &at, &back)) {
                case INSIDE:
                    if (r->code[piece->body + at] == CONST && r->step[piece->body + at] >= 0) {
                        l->column[piece->body + at] = 0;
                    }
                    break;
                case CARRIED:
                    l->column[piece->body + at] = 0;
                    if (l->back_of[piece->body + at] < back) {
                        l->back_of[piece->body + at] = back;
                    }
                    for (int32_t n = 1; n <= back; n++) {
                        touch(l, piece->start - n * piece->length + at);
                    }
                    break;
                case OUTSIDE:
                    touch_all(l, piece, operand);
                    break;
                }
            }
        }
    }
    for (int32_t k = 0; k < outputs; k++) {
        touch(l, result[k]);
    }
}

/* Give places in v to a const, one for each iteration. */
static int32_t
add_preset(Layout *l, int64_t size, int32_t count, const double *numbers, double number)
{
    Preset *preset = array_add(&l->all->memory, &l->all->presets, 1, sizeof *preset);
    if (preset != NULL) {
        *preset = (Preset){(int32_t)size, count, numbers, number};
    }
    return (int32_t)size;
}

static void
lay_out(Layout *l)
{
    const Rolled *r = l->r;
    int64_t size = l->all->slots;
    for (int32_t p = 0; p < r->piece_count; p++) {
        const Piece *piece = &r->piece[p];
        for (int32_t b = piece->body; b < piece->body + piece->length; b++) {
            if (l->column[b] >= 0 && r->code[b] != CONST) {
                l->column[b] = l->writes[p]++;
                l->rows_back[p] = l->back_of[b] > l->rows_back[p] ? l->back_of[b] : l->rows_back[p];
            }
        }
        l->first[p] = (int32_t)(size + (int64_t)l->rows_back[p] * l->writes[p]);
        size += ((int64_t)l->rows_back[p] + piece->count) * l->writes[p];
        for (int32_t b = piece->body; b < piece->body + piece->length && size <= INT32_MAX / 8; b++) {
            if (l->column[b] >= 0 && r->code[b] == CONST) {
                const double *numbers = r->step[b] >= 0 ? r->numbers + r->step[b] : NULL;
                l->column[b] = add_preset(l, size, piece->count, numbers, r->number[b]);
                size += piece->count;
            }
        }
        if (size > INT32_MAX / 8) {
            l->irregular = true;
            return;
        }
    }
    l->all->size = (int32_t)size;
}

/* The place of a value in v. */
static int32_t
locate(const Layout *l, int32_t id)
{
    int32_t k, at;
    const Piece *piece = rolled_find(l->r, id, &k, &at);
    int32_t b = piece->body + at, p = (int32_t)(piece - l->r->piece);
    switch (l->r->code[b]) {
    case INPUT:
        return (int32_t)rolled_number(l->r, b, k);
    case CONST:
        return l->column[b] + k;
    default:
        return l->first[p] + k * l->writes[p] + l->column[b];
    }
}

/* The places in v of what an operand reads in all iterations; irregular if they are not at one distance. */
static Stride
locate_all(Layout *l, const Piece *piece, Stride operand)
{
    int32_t first = locate(l, operand.first);
    if (piece->count == 1 || operand.step == 0) {
        return (Stride){first, 0};
    }
    int32_t step = locate(l, operand.first + operand.step) - first;
    for (int32_t k = 2; k < piece->count; k++) {
        if (locate(l, operand.first + k * operand.step) != first + k * step) {
            l->irregular = true;
        }
    }
    return (Stride){first, step};
}

/* ── Bodies ─────────────────────────────────────────────────────────────────────────────────── */

static int32_t *
integers(Arena *memory, int32_t count, int byte)
{
    return arena_take(memory, (size_t)count, sizeof(int32_t), byte);
}

/* A body being written. */
typedef struct {
    Ir *ir;
    Stride *read;
    int32_t *id;    /* of each read: its instruction */
    int32_t *table; /* finds a read by its place */
    int32_t reads, mask;
} Body;

static void
body_begin(Layout *l, Body *body, int32_t operands_, bool fast)
{
    memset(body, 0, sizeof *body);
    body->mask = 15;
    while (body->mask < 2 * operands_ + 2) {
        body->mask = 2 * body->mask + 1;
    }
    body->ir = ir_new(operands_ + 16, 2 * operands_ + 16);
    body->read = arena_take(&l->all->memory, (size_t)operands_ + 1, sizeof *body->read, ANY_BYTE);
    body->id = arena_take(&l->memory, (size_t)operands_ + 1, sizeof *body->id, ANY_BYTE);
    body->table = arena_take(&l->memory, (size_t)body->mask, sizeof *body->table, 0xFF);
    l->memory.failed = l->memory.failed || body->ir == NULL;
    if (body->ir != NULL) {
        body->ir->fast = fast;
    }
}

static int32_t
body_add(Layout *l, Body *body, int code, const int32_t *arg, int count, double number)
{
    int32_t id = ir_add(body->ir, code, arg, count, number);
    if (id < 0) {
        l->memory.failed = true;
        return 0;
    }
    body->ir->origin[id] = id;
    return id;
}

/* The instruction that reads these places of v. */
static int32_t
body_read(Layout *l, Body *body, Stride at)
{
    uint32_t h = ((uint32_t)at.first * 2654435761u ^ (uint32_t)at.step * 40503u);
    for (h = (h >> 7) & (uint32_t)body->mask; body->table[h] >= 0; h = (h + 1) & (uint32_t)body->mask) {
        Stride *other = &body->read[body->table[h]];
        if (other->first == at.first && other->step == at.step) {
            return body->id[body->table[h]];
        }
    }
    int32_t slot = body->reads++;
    body->table[h] = slot;
    body->read[slot] = at;
    body->id[slot] = body_add(l, body, INPUT, NULL, 0, slot);
    return body->id[slot];
}

/* Make a stretch of a body that is complete; its results are its writes. */
static void
stretch_of(Layout *l, Body *body, const int32_t *result, int32_t writes, int32_t first, int32_t count)
{
    Stretch *stretch = &l->all->stretch[l->all->count];
    memset(stretch, 0, sizeof *stretch);
    body->ir->slots = body->reads;
    body->ir->forward = body->ir->count;
    l->memory.failed = l->memory.failed || ir_set_results(body->ir, result, writes, writes) < 0;
    stretch->body = body->ir;
    stretch->read = body->read;
    stretch->reads = body->reads;
    stretch->writes = writes;
    stretch->first = first;
    stretch->count = count;
    body->ir = NULL;
    l->all->count++;
}

/* Whether an instruction gives the same in every iteration, because all its operands do. */
static bool
is_invariant(const Layout *l, const Piece *piece, const bool *invariant, int32_t b)
{
    const Rolled *r = l->r;
    if (piece->count == 1 || r->code[b] == INPUT || r->code[b] == CONST) {
        return false;
    }
    for (int32_t o = r->begin[b]; o < r->begin[b + 1]; o++) {
        Stride operand = r->operand[o];
        int32_t at, back;
        int kind = kind_of(r, piece, operand, &at, &back);
        bool same = kind == OUTSIDE && operand.step == 0;
        if (kind == INSIDE) {
            int32_t step = r->step[piece->body + at], code = r->code[piece->body + at];
            same = code == CONST ? step < 0 : code == INPUT ? step == 0 : invariant[at];
        }
        if (!same) {
            return false;
        }
    }
    return true;
}

/* Give places in v to the numbers of a const operand, one for each iteration. */
static Stride
preset_numbers(Layout *l, const Piece *piece, Stride operand)
{
    Stretches *all = l->all;
    double *numbers = arena_take(&all->memory, (size_t)piece->count, sizeof *numbers, ANY_BYTE);
    for (int32_t n = 0; n < piece->count && numbers != NULL; n++) {
        int32_t k, at;
        const Piece *to = rolled_find(l->r, operand.first + n * operand.step, &k, &at);
        numbers[n] = rolled_number(l->r, to->body + at, k);
    }
    int32_t first = add_preset(l, all->size, piece->count, numbers, 0.0);
    all->size += piece->count;
    return (Stride){first, 1};
}

/* A value of the same iteration; inputs and consts are added where they are read. */
static int32_t
inside_of(Layout *l, const Piece *piece, Body *body, const int32_t *local, int32_t at)
{
    const Rolled *r = l->r;
    int32_t b = piece->body + at;
    if (r->code[b] == INPUT) {
        return body_read(l, body, (Stride){(int32_t)r->number[b], r->step[b]});
    }
    if (r->code[b] == CONST && r->step[b] >= 0) {
        return body_read(l, body, (Stride){l->column[b], 1});
    }
    return r->code[b] == CONST ? body_add(l, body, CONST, NULL, 0, r->number[b]) : local[at];
}

static int32_t
operand_of(Layout *l, const Piece *piece, int32_t p, Body *body, const int32_t *local, Stride operand)
{
    int32_t at = 0, back = 0;
    double number = 0.0;
    switch (kind_of(l->r, piece, operand, &at, &back)) {
    case INSIDE:
        return inside_of(l, piece, body, local, at);
    case CARRIED: {
        int32_t row = l->writes[p];
        return body_read(l, body, (Stride){l->first[p] - back * row + l->column[piece->body + at], row});
    }
    default:
        switch (numbers_read(l->r, piece, operand, &number)) {
        case ONE_NUMBER:
            return body_add(l, body, CONST, NULL, 0, number);
        case NUMBERS:
            return body_read(l, body, preset_numbers(l, piece, operand));
        default:
            return body_read(l, body, locate_all(l, piece, operand));
        }
    }
}

/* List what has to be copied into the rows before the first. */
static void
write_copies(Layout *l, int32_t p, Stretch *stretch)
{
    const Piece *piece = &l->r->piece[p];
    int32_t count = 0;
    for (int32_t b = piece->body; b < piece->body + piece->length; b++) {
        count += l->back_of[b];
    }
    stretch->copy = arena_take(&l->all->memory, (size_t)count, sizeof *stretch->copy, ANY_BYTE);
    for (int32_t at = 0; at < piece->length && stretch->copy != NULL; at++) {
        int32_t b = piece->body + at;
        for (int32_t back = 1; back <= l->back_of[b]; back++) {
            int32_t id = piece->start - back * piece->length + at;
            stretch->copy[stretch->copies++] =
                (Copy){l->first[p] - back * l->writes[p] + l->column[b], locate(l, id)};
        }
    }
}

static int32_t
add_instruction(Layout *l, const Piece *piece, int32_t p, Body *body, const int32_t *local, int32_t *arg, int32_t b)
{
    const Rolled *r = l->r;
    int32_t count = r->begin[b + 1] - r->begin[b];
    for (int32_t k = 0; k < count; k++) {
        arg[k] = operand_of(l, piece, p, body, local, r->operand[r->begin[b] + k]);
    }
    return body_add(l, body, r->code[b], arg, count, r->number[b]);
}

static void
write_piece(Layout *l, int32_t p, bool fast)
{
    const Rolled *r = l->r;
    const Piece *piece = &r->piece[p];
    int32_t end = piece->body + piece->length, operands_ = r->begin[end] - r->begin[piece->body], moved = 0;
    bool *invariant = arena_take(&l->memory, (size_t)piece->length, sizeof *invariant, 0);
    int32_t *local = integers(&l->memory, piece->length, ANY_BYTE), *arg = integers(&l->memory, operands_, ANY_BYTE);
    int32_t *result = integers(&l->memory, piece->length, ANY_BYTE);
    Body hoisted, body;
    body_begin(l, &body, operands_ + piece->length, fast);
    for (int32_t b = piece->body; b < end && !is_failed(l); b++) {
        invariant[b - piece->body] = is_invariant(l, piece, invariant, b);
        moved += invariant[b - piece->body];
    }
    if (moved > 0) { /* a stretch of one iteration; each of its values has a place in v */
        int32_t first = l->all->size, n = 0;
        body_begin(l, &hoisted, operands_ + piece->length, fast);
        for (int32_t at = 0; at < piece->length && !is_failed(l); at++) {
            if (invariant[at]) {
                local[at] = result[n++] = add_instruction(l, piece, p, &hoisted, local, arg, piece->body + at);
            }
        }
        l->all->size += moved;
        if (!is_failed(l)) {
            stretch_of(l, &hoisted, result, moved, first, 1);
        }
        for (int32_t at = 0; at < piece->length && !is_failed(l); at++) {
            if (invariant[at]) {
                local[at] = body_read(l, &body, (Stride){first++, 0});
            }
        }
        ir_free(hoisted.ir);
    }
    int32_t written = 0;
    for (int32_t at = 0; at < piece->length && !is_failed(l); at++) {
        int32_t b = piece->body + at;
        if (r->code[b] == CONST || r->code[b] == INPUT) {
            continue;
        }
        if (!invariant[at]) {
            local[at] = add_instruction(l, piece, p, &body, local, arg, b);
        }
        if (l->column[b] >= 0) {
            result[written++] = local[at];
        }
    }
    if (!is_failed(l) && written > 0) {
        stretch_of(l, &body, result, written, l->first[p], piece->count);
        write_copies(l, p, &l->all->stretch[l->all->count - 1]);
    }
    ir_free(body.ir);
}

/* ── Gradients ──────────────────────────────────────────────────────────────────────────────── */

/* Find the writes that depend on active reads; return whether there are more than before. */
static bool
spread_active(Stretch *stretch, bool *active)
{
    const Ir *ir = stretch->body;
    for (int32_t i = 0; i < ir->count; i++) {
        active[i] = ir->code[i] == INPUT && stretch->reads_active[(int32_t)ir->number[i]];
        for (int32_t k = ir->start[i]; k < ir->start[i + 1]; k++) {
            active[i] = active[i] || active[ir->arg[k]];
        }
    }
    bool more = false;
    for (int32_t j = 0; j < stretch->writes; j++) {
        if (active[ir->result[j]] && !stretch->writes_active[j]) {
            stretch->writes_active[j] = more = true;
        }
    }
    return more;
}

/* Find which reads and writes depend on a wanted input. `is_active` has a byte for each number of v. */
static void
find_active(Stretches *all, uint8_t *is_active, Arena *memory)
{
    for (int32_t s = 0; s < all->count; s++) {
        Stretch *stretch = &all->stretch[s];
        bool *active = arena_take(memory, (size_t)stretch->body->count, 1, ANY_BYTE);
        stretch->reads_active = arena_take(&all->memory, (size_t)stretch->reads, sizeof(bool), 0);
        stretch->writes_active = arena_take(&all->memory, (size_t)stretch->writes, sizeof(bool), 0);
        if (memory->failed || all->memory.failed) {
            return;
        }
        for (int32_t k = 0; k < stretch->copies; k++) {
            const Copy *copy = &stretch->copy[k];
            int32_t column = (copy->to - stretch->first) % stretch->writes;
            column += column < 0 ? stretch->writes : 0;
            is_active[copy->to] = is_active[copy->from];
            stretch->writes_active[column] = stretch->writes_active[column] || is_active[copy->from];
        }
        do {
            int32_t begin = stretch->first, end = stretch->first + stretch->count * stretch->writes;
            for (int32_t m = 0; m < stretch->reads; m++) {
                Stride read = stretch->read[m];
                bool *is = &stretch->reads_active[m];
                for (int32_t k = 0; k < (read.step ? stretch->count : 1) && !*is; k++) {
                    int32_t at = read.first + k * read.step;
                    *is = at < begin || at >= end ? is_active[at] : stretch->writes_active[(at - begin) % stretch->writes];
                }
            }
        } while (spread_active(stretch, active));
        for (int32_t k = 0; k < stretch->count; k++) {
            for (int32_t j = 0; j < stretch->writes; j++) {
                is_active[stretch->first + k * stretch->writes + j] = stretch->writes_active[j];
            }
        }
    }
}

/* Copy all instructions of a program. An instruction that has a slot in `kept` becomes an input. */
static bool
copy_instructions(Ir *to, const Ir *from, const int32_t *kept)
{
    for (int32_t i = 0; i < from->count; i++) {
        bool read = kept != NULL && kept[i] >= 0;
        int32_t id = read ? ir_add(to, INPUT, NULL, 0, kept[i])
                          : ir_add(to, from->code[i], operands(from, i), operand_count(from, i), from->number[i]);
        if (id < 0) {
            return false;
        }
        to->origin[id] = from->origin[i];
        to->adjoint_of[id] = from->adjoint_of[i];
    }
    to->slots = from->slots;
    to->forward = from->forward;
    to->fast = from->fast;
    return true;
}

static Ir *
passed(const Ir *ir)
{
    Ir *tidy = pass_tidy(ir, NULL), *chains = tidy ? pass_chains(tidy, NULL) : NULL;
    ir_free(tidy);
    return chains;
}

static Single *
planned(const Ir *ir)
{
    Ir *tidy = pass_tidy(ir, NULL);
    Single *plan = tidy ? single_new(tidy) : NULL;
    ir_free(tidy);
    return plan;
}

/* Give a slot in `kept` to each value of the forward body that the backward body reads. */
static void
choose_kept(Stretches *all, Stretch *stretch, const Ir *adjoint, int32_t *kept)
{
    int64_t count = 0;
    memset(kept, 0xFF, (size_t)adjoint->count * sizeof *kept);
    for (int32_t i = adjoint->forward; i < adjoint->count; i++) {
        for (int32_t k = adjoint->start[i]; k < adjoint->start[i + 1]; k++) {
            int32_t id = adjoint->arg[k], code = adjoint->code[id];
            if (id < adjoint->forward && code != INPUT && code != CONST && kept[id] < 0) {
                kept[id] = adjoint->slots + (int32_t)count++;
            }
        }
    }
    if (all->kept + count * stretch->count > MOST_KEPT) {
        memset(kept, 0xFF, (size_t)adjoint->count * sizeof *kept);
        count = 0;
    }
    stretch->kept = (int32_t)count;
    stretch->first_kept = all->size + all->kept;
    all->kept += stretch->kept * stretch->count;
}

/* Plan a stretch forwards and backwards. The gradients of its writes are inputs behind its reads. */
static void
plan_both_ways(Stretches *all, Stretch *stretch, Arena *memory)
{
    Ir *forward = passed(stretch->body), *adjoint = NULL, *back = NULL;
    int32_t writes = stretch->writes, refused; /* none: it is as recorded */
    if (forward != NULL) {
        adjoint = pass_adjoint(forward, NULL, stretch->gradient_of, stretch->gradients, NULL, &refused);
    }
    back = adjoint ? ir_new(adjoint->count, adjoint->arg_count) : NULL;
    memory->failed = memory->failed || back == NULL;
    int32_t *kept = back ? integers(memory, adjoint->count, ANY_BYTE) : NULL;
    int32_t *result = back ? integers(memory, adjoint->count + writes, ANY_BYTE) : NULL;
    if (memory->failed) {
        goto end;
    }
    choose_kept(all, stretch, adjoint, kept);
    memory->failed = !copy_instructions(back, adjoint, kept) ||
                     ir_set_results(back, adjoint->result + writes, stretch->gradients, 0) < 0;
    back->slots += stretch->kept;
    memcpy(result, forward->result, (size_t)writes * sizeof *result);
    for (int32_t i = 0; i < adjoint->forward; i++) { /* the same ids */
        if (kept[i] >= 0) {
            result[writes + kept[i] - adjoint->slots] = i;
        }
    }
    memory->failed = memory->failed || ir_set_results(forward, result, writes + stretch->kept, writes) < 0;
    stretch->back = memory->failed ? NULL : planned(back);
    stretch->forward = memory->failed ? NULL : planned(forward);
    memory->failed = stretch->forward == NULL || stretch->back == NULL;
    for (int32_t n = 0; n < stretch->gradients && !memory->failed; n++) {
        Stride read = stretch->read[stretch->gradient_of[n]];
        stretch->adding[n] = (Move){single_positions(stretch->back)[n], read.first, read.step};
    }
end:
    ir_free(forward);
    ir_free(adjoint);
    ir_free(back);
}

static void
plan_stretch(Stretches *all, Stretch *stretch, bool gradient, Arena *memory)
{
    stretch->gradient_of = integers(&all->memory, stretch->reads, ANY_BYTE);
    stretch->moving = arena_take(&all->memory, (size_t)stretch->reads, sizeof *stretch->moving, ANY_BYTE);
    stretch->adding = arena_take(&all->memory, (size_t)stretch->reads, sizeof *stretch->adding, ANY_BYTE);
    for (int32_t m = 0; m < stretch->reads && !all->memory.failed; m++) {
        if (stretch->read[m].step != 0) {
            stretch->moving[stretch->movings++] = (Move){m, stretch->read[m].first, stretch->read[m].step};
        }
        if (gradient && stretch->reads_active[m]) {
            stretch->gradient_of[stretch->gradients++] = m;
        }
    }
    if (stretch->gradients > 0) {
        plan_both_ways(all, stretch, memory);
    }
    else if (!all->memory.failed) {
        Ir *body = passed(stretch->body);
        stretch->forward = body ? single_new(body) : NULL;
        memory->failed = stretch->forward == NULL;
        ir_free(body);
    }
}

/* ── Making and freeing ─────────────────────────────────────────────────────────────────────── */

static void
plan_all(Stretches *all, Arena *memory)
{
    bool gradient = all->wrt_count > 0;
    if (gradient) {
        uint8_t *is_active = arena_take(memory, (size_t)all->size, 1, 0);
        for (int32_t k = 0; k < all->wrt_count && is_active != NULL; k++) {
            is_active[all->wrt[k]] = 1;
        }
        if (is_active != NULL) {
            find_active(all, is_active, memory);
        }
    }
    for (int32_t s = 0; s < all->count && !memory->failed && !all->memory.failed; s++) {
        Stretch *stretch = &all->stretch[s];
        plan_stretch(all, stretch, gradient, memory);
        ir_free(stretch->body);
        stretch->body = NULL;
    }
}

Stretches *
stretches_new(const Rolled *r, const int32_t *result, const double *seeds, int32_t outputs, const int32_t *wrt,
              int32_t wrt_count, bool fast, bool *failed)
{
    Stretches *all = calloc(1, sizeof *all);
    *failed = all == NULL;
    if (*failed) {
        return NULL;
    }
    Layout l = {.r = r, .all = all};
    l.column = integers(&l.memory, r->body_count, 0xFF);
    l.back_of = integers(&l.memory, r->body_count, 0);
    l.writes = integers(&l.memory, r->piece_count, 0);
    l.rows_back = integers(&l.memory, r->piece_count, 0);
    l.first = integers(&l.memory, r->piece_count, 0);
    all->slots = r->slots;
    all->outputs = outputs;
    all->wrt_count = wrt_count;
    all->stretch = arena_take(&all->memory, 2 * (size_t)r->piece_count, sizeof *all->stretch, 0);
    all->result = integers(&all->memory, outputs, 0);
    all->seeds = arena_take(&all->memory, (size_t)outputs, sizeof *all->seeds, ANY_BYTE);
    all->wrt = integers(&all->memory, wrt_count, 0);
    if (!is_failed(&l)) {
        memcpy(all->seeds, seeds, (size_t)outputs * sizeof *seeds);
        memcpy(all->wrt, wrt, (size_t)wrt_count * sizeof *wrt);
        find_columns(&l, result, outputs);
        lay_out(&l);
    }
    for (int32_t p = 0; p < r->piece_count && !is_failed(&l) && !l.irregular; p++) {
        write_piece(&l, p, fast);
    }
    for (int32_t k = 0; k < outputs && !is_failed(&l) && !l.irregular; k++) {
        all->result[k] = locate(&l, result[k]);
    }
    if (!is_failed(&l) && !l.irregular) {
        plan_all(all, &l.memory);
    }
    *failed = is_failed(&l);
    arena_end(&l.memory);
    if (*failed || l.irregular) {
        stretches_free(all);
        return NULL;
    }
    return all;
}

void
stretches_free(Stretches *all)
{
    if (all == NULL) {
        return;
    }
    for (int32_t s = 0; s < all->count; s++) {
        Stretch *stretch = &all->stretch[s];
        ir_free(stretch->body);
        single_free(stretch->forward);
        single_free(stretch->back);
    }
    arena_end(&all->memory);
    free(all->v);
    free(all->c);
    free(all);
}

/* ── Running ────────────────────────────────────────────────────────────────────────────────── */

double *
stretches_slots(Stretches *all)
{
    size_t size = (size_t)all->size + 1;
    all->v = all->v ? all->v : malloc((size + (size_t)all->kept) * sizeof *all->v);
    all->c = all->c ? all->c : malloc(size * sizeof *all->c);
    return all->c ? all->v : NULL;
}

void
stretches_rest(Stretches *all)
{
    if (all->size + all->kept > RESTING) {
        free(all->v);
        free(all->c);
        all->v = all->c = NULL;
    }
}

/* Fill the slots of a body for its first iteration, and for iteration k those that change. */
static void
gather(const Stretch *stretch, const double *v, double *slots)
{
    for (int32_t m = 0; m < stretch->reads; m++) {
        slots[m] = v[stretch->read[m].first];
    }
}

static inline void
gather_moving(const Stretch *stretch, const double *v, double *slots, int32_t k)
{
    for (int32_t n = 0; n < stretch->movings; n++) {
        Move move = stretch->moving[n];
        slots[move.here] = v[move.first + k * move.step];
    }
}

static void
run_forward(const Stretch *stretch, double *v)
{
    double *slots = single_slots(stretch->forward);
    const int32_t *position = single_positions(stretch->forward);
    for (int32_t k = 0; k < stretch->copies; k++) {
        v[stretch->copy[k].to] = v[stretch->copy[k].from];
    }
    gather(stretch, v, slots);
    for (int32_t k = 0; k < stretch->count; k++) {
        gather_moving(stretch, v, slots, k);
        single_run(stretch->forward);
        double *to = v + stretch->first + k * stretch->writes, *kept = v + stretch->first_kept + k * stretch->kept;
        for (int32_t j = 0; j < stretch->writes; j++) {
            to[j] = slots[position[j]];
        }
        for (int32_t j = 0; j < stretch->kept; j++) {
            kept[j] = slots[position[stretch->writes + j]];
        }
    }
}

static void
run_backward(const Stretch *stretch, const double *v, double *c)
{
    if (stretch->back == NULL) {
        return;
    }
    double *slots = single_slots(stretch->back);
    gather(stretch, v, slots);
    for (int32_t k = stretch->count - 1; k >= 0; k--) {
        gather_moving(stretch, v, slots, k);
        double *given = slots + stretch->reads;
        memcpy(given, c + stretch->first + k * stretch->writes, (size_t)stretch->writes * sizeof *given);
        memcpy(given + stretch->writes, v + stretch->first_kept + k * stretch->kept, (size_t)stretch->kept * sizeof *given);
        single_run(stretch->back);
        for (int32_t n = 0; n < stretch->gradients; n++) {
            Move move = stretch->adding[n];
            c[move.first + k * move.step] += slots[move.here];
        }
    }
    for (int32_t k = stretch->copies - 1; k >= 0; k--) {
        c[stretch->copy[k].from] += c[stretch->copy[k].to];
    }
}

bool
stretches_run(Stretches *all, double *outputs, double *gradients)
{
    for (int32_t k = 0; k < all->presets.count; k++) {
        const Preset *preset = (const Preset *)all->presets.items + k;
        for (int32_t n = 0; n < preset->count; n++) {
            all->v[preset->to + n] = preset->numbers ? preset->numbers[n] : preset->number;
        }
    }
    for (int32_t s = 0; s < all->count; s++) {
        run_forward(&all->stretch[s], all->v);
    }
    for (int32_t k = 0; k < all->outputs; k++) {
        outputs[k] = all->v[all->result[k]];
    }
    if (gradients == NULL || all->wrt_count == 0) {
        return true;
    }
    memset(all->c, 0, (size_t)all->size * sizeof *all->c);
    for (int32_t k = 0; k < all->outputs; k++) {
        all->c[all->result[k]] += all->seeds[k];
    }
    for (int32_t s = all->count - 1; s >= 0; s--) {
        run_backward(&all->stretch[s], all->v, all->c);
    }
    bool finite = true;
    for (int32_t k = 0; k < all->wrt_count; k++) {
        gradients[k] = all->c[all->wrt[k]];
        finite = finite && isfinite(gradients[k]);
    }
    return finite;
}

size_t
stretches_bytes(const Stretches *all)
{
    size_t bytes = sizeof *all + (size_t)all->presets.count * sizeof(Preset);
    for (int32_t s = 0; s < all->count; s++) {
        const Stretch *stretch = &all->stretch[s];
        bytes += sizeof *stretch + (size_t)stretch->reads * (sizeof *stretch->read + sizeof *stretch->gradient_of + 1) +
                 (size_t)stretch->copies * sizeof *stretch->copy + single_bytes(stretch->forward) +
                 (stretch->back ? single_bytes(stretch->back) : 0);
    }
    return bytes;
}

int32_t
stretches_block_count(const Stretches *all)
{
    int32_t blocks = 0;
    for (int32_t s = 0; s < all->count; s++) {
        const Stretch *stretch = &all->stretch[s];
        blocks += single_block_count(stretch->forward) + (stretch->back ? single_block_count(stretch->back) : 0);
    }
    return blocks;
}
