/* Finding loops in a recorded program: see rolled.h.
 *
 *     1. if three instructions in a row appear three times at one distance, there may be a loop of that length
 *     2. the loop is followed forwards and backwards, as long as each operand moves by its step
 *     3. of all places where its iterations could begin, the one is taken that hands on the fewest values
 *     4. if three equal small loops stand at one distance, there may be a loop around them
 */

#include "rolled.h"

#include <string.h>

enum {
    FEWEST = 4,     /* iterations */
    FAR = 64,       /* shapes treat longer distances as equal */
    MOST_BACK = 8,  /* a value may be read so many iterations later */
    MOST_LOOPS = 256,
    WINDOWS = 1 << 16,
    REMEMBERED = 16 /* small loops that may be the inside of a larger one */
};

typedef struct {
    int32_t start, length, count;
} Span;

typedef struct {
    uint64_t shape;
    int32_t at, apart;
} Window;

typedef struct {
    Arena memory;
    const Ir *ir;
    const int64_t *place;
    int32_t least;
    Window *window;
    int32_t *live; /* room for `live_room` positions of a body */
    int32_t live_room;
    Span found[MOST_LOOPS];
    int32_t found_count;
} Search;

/* ── The search ─────────────────────────────────────────────────────────────────────────────── */

static uint64_t
mixed(uint64_t hash, uint64_t with)
{
    return (hash ^ with) * 0x9E3779B97F4A7C15u + (hash >> 29);
}

/* A hash that an instruction usually shares with the same instruction of other iterations. */
static uint64_t
shape_of(const Ir *ir, int32_t i)
{
    uint64_t hash = mixed(ir->code[i], (uint64_t)operand_count(ir, i) + 77);
    for (int32_t k = ir->start[i]; k < ir->start[i + 1]; k++) {
        int32_t back = i - ir->arg[k];
        hash = mixed(hash, (uint64_t)(back < FAR ? back : FAR));
    }
    return hash;
}

/* Whether instruction i repeats the one an iteration before, and its operands moved as far as they did there. */
static inline bool
keeps_steps(const Search *s, int32_t i, int32_t length)
{
    const Ir *ir = s->ir;
    int32_t j = i - length, h = j - length;
    if (ir->code[i] != ir->code[j] || ir->code[i] != ir->code[h] || s->place[i] != s->place[j] ||
        s->place[i] != s->place[h]) {
        return false;
    }
    int count = operand_count(ir, i);
    if (count != operand_count(ir, j) || count != operand_count(ir, h)) {
        return false;
    }
    const int32_t *x = operands(ir, i), *y = operands(ir, j), *z = operands(ir, h);
    for (int k = 0; k < count; k++) {
        if (x[k] - y[k] != y[k] - z[k]) {
            return false;
        }
    }
    return ir->code[i] != INPUT || ir->number[i] - ir->number[j] == ir->number[j] - ir->number[h];
}

/* Return the place in [start, start + length) at which the fewest values are still to be read. */
static int32_t
narrowest(Search *s, int32_t start, int32_t length)
{
    const Ir *ir = s->ir;
    if (s->live_room < 2 * length) {
        int32_t *grown = arena_grow(&s->memory, s->live, 2 * (size_t)length * sizeof *grown);
        if (grown == NULL) {
            return start;
        }
        s->live = grown;
        s->live_room = 2 * length;
    }
    int32_t *last = s->live, *change = s->live + length; /* how far away the last reader of each position is */
    memset(s->live, 0, 2 * (size_t)length * sizeof *s->live);
    for (int32_t i = start + length; i < start + 2 * length; i++) {
        for (int32_t k = ir->start[i]; k < ir->start[i + 1]; k++) {
            int32_t id = ir->arg[k];
            bool moves = ir->arg[k - ir->start[i] + ir->start[i - length]] == id - length;
            if (moves && i - id < MOST_BACK * length) {
                int32_t at = ((id - start) % length + length) % length;
                last[at] = i - id > last[at] ? i - id : last[at];
            }
        }
    }
    int32_t alive = 0;
    for (int32_t at = 0; at < length; at++) { /* a value is alive from the next position to its last reader */
        alive += last[at] / length;
        int32_t rest = last[at] % length;
        if (rest > 0) {
            change[(at + 1) % length]++;
            change[(at + rest + 1) % length]--;
            alive += at + rest >= length; /* then it is alive at position 0 of the next iteration */
        }
    }
    int32_t best = 0, fewest = INT32_MAX;
    for (int32_t at = 0; at < length; at++) {
        alive += at > 0 ? change[at] : 0;
        if (alive < fewest) {
            fewest = alive;
            best = at;
        }
    }
    return start + best;
}

/* Return how many iterations from `start` on, at most `count`, read only their own values, those of iterations just
 * before, and what comes before the loop. */
static int32_t
closed(const Search *s, int32_t start, int32_t length, int32_t count)
{
    const Ir *ir = s->ir;
    for (int32_t i = start; i < start + length; i++) {
        for (int32_t k = ir->start[i]; k < ir->start[i + 1] && count > 1; k++) {
            int32_t id = ir->arg[k], step = ir->arg[k - ir->start[i] + ir->start[i + length]] - id;
            if (step == length && id >= start - MOST_BACK * length) {
                continue; /* of this iteration or of one just before */
            }
            if (id >= start) {
                return 0;
            }
            if (step > 0 && count - 1 > (start - 1 - id) / step) {
                count = (start - 1 - id) / step + 1;
            }
        }
    }
    return count;
}

/* Return the loop of that length that instruction i is in, and where it ends; count 0: none. */
static Span
span_around(Search *s, int32_t i, int32_t length, int32_t begin, int32_t *until)
{
    Span none = {i, length, 0};
    int32_t low = i, high = i;
    *until = i;
    if (i - 2 * length < begin || length > s->ir->count / FEWEST) {
        return none;
    }
    while (high < s->ir->count && keeps_steps(s, high, length)) {
        high++;
    }
    *until = high;
    if (high == i) {
        return none;
    }
    while (low - 1 - 2 * length >= begin && keeps_steps(s, low - 1, length)) {
        low--;
    }
    int32_t start = low - 2 * length;
    if (high - start < 3 * length) {
        return none;
    }
    start = narrowest(s, start, length);
    int32_t count = (high - start) / length;
    int32_t whole = count > 2 ? closed(s, start, length, count) : 0;
    if (whole == 0 && count > 3) { /* the first iteration may compute what all others read */
        start += length;
        whole = closed(s, start, length, count - 1);
    }
    return (Span){start, length, whole};
}

static bool
is_large(const Search *s, Span span)
{
    return span.count >= FEWEST && (int64_t)span.count * span.length >= s->least;
}

static void
search(Search *s)
{
    const Ir *ir = s->ir;
    Span small[REMEMBERED];
    int32_t small_count = 0, begin = 0, tried = 0, tried_until = 0, around = 0, around_until = 0;
    uint64_t before = 0, last = 0;
    for (int32_t i = 0; i < ir->count && !s->memory.failed && s->found_count < MOST_LOOPS; i++) {
        uint64_t shape = shape_of(ir, i), window = mixed(mixed(before, last), shape);
        before = last;
        last = shape;
        Window *seen = &s->window[(window >> 40) & (WINDOWS - 1)];
        bool again = seen->shape == window && seen->at >= begin;
        int32_t apart = again ? i - seen->at : 0;
        bool suggested = again && apart == seen->apart && !(apart == tried && i < tried_until);
        *seen = (Window){window, i, apart};
        if (!suggested) {
            continue;
        }
        tried = apart;
        Span span = span_around(s, i, apart, begin, &tried_until);
        if (!is_large(s, span) && span.count >= 3) {
            Span *same[2] = {NULL, NULL};
            for (int32_t k = small_count - 1; k >= 0 && same[1] == NULL; k--) {
                if (small[k].length == span.length && small[k].count == span.count) {
                    same[same[0] != NULL] = &small[k];
                }
            }
            int32_t length = same[0] != NULL ? span.start - same[0]->start : 0;
            if (same[1] != NULL && same[0]->start - same[1]->start == length && length > 0 &&
                !(length == around && span.start < around_until)) {
                around = length;
                Span outer = span_around(s, span.start, length, begin, &around_until);
                span = is_large(s, outer) ? outer : span;
            }
            if (!is_large(s, span)) {
                if (small_count == REMEMBERED) {
                    memmove(small, small + 1, sizeof small - sizeof *small);
                    small_count--;
                }
                small[small_count++] = span;
                i = tried_until > i ? tried_until : i;
                before = last = 0;
                continue;
            }
        }
        if (is_large(s, span)) {
            s->found[s->found_count++] = span;
            begin = span.start + span.count * span.length;
            i = begin - 1 > i ? begin - 1 : i;
            before = last = 0;
            small_count = 0;
        }
    }
}

/* ── The pieces ─────────────────────────────────────────────────────────────────────────────── */

void
rolled_free(Rolled *rolled)
{
    if (rolled != NULL) {
        arena_end(&rolled->memory);
        free(rolled);
    }
}

/* Whether a const has different numbers in some iterations, by their bits: -0 is not 0. */
static bool
varies(const Ir *ir, int32_t i, Span span)
{
    for (int32_t k = 1; k < span.count; k++) {
        if (memcmp(&ir->number[i], &ir->number[i + k * span.length], sizeof *ir->number) != 0) {
            return true;
        }
    }
    return false;
}

static void
add_piece(Rolled *r, const Search *s, Span span)
{
    const Ir *ir = s->ir;
    r->piece[r->piece_count++] = (Piece){span.start, span.length, span.count, r->body_count};
    for (int32_t i = span.start; i < span.start + span.length; i++) {
        int32_t b = r->body_count++;
        bool once = span.count == 1;
        r->code[b] = ir->code[i];
        r->number[b] = ir->number[i];
        r->place[b] = s->place[i];
        r->step[b] = ir->code[i] == CONST ? -1 : 0;
        if (ir->code[i] == INPUT && !once) {
            r->step[b] = (int32_t)(ir->number[i + span.length] - ir->number[i]);
        }
        else if (ir->code[i] == CONST && varies(ir, i, span)) {
            r->step[b] = r->number_count;
            for (int32_t k = 0; k < span.count; k++) {
                r->numbers[r->number_count++] = ir->number[i + k * span.length];
            }
        }
        for (int32_t k = ir->start[i]; k < ir->start[i + 1]; k++) {
            int32_t id = ir->arg[k], next = once ? id : ir->arg[k - ir->start[i] + ir->start[i + span.length]];
            r->operand[r->operand_total++] = (Stride){id, next - id};
        }
        r->begin[b + 1] = r->operand_total;
    }
}

/* Room for the pieces: the bodies, and the numbers of consts that vary. */
static void
reserve(Rolled *r, const Search *s)
{
    int64_t bodies = s->ir->count, operands_ = s->ir->arg_count, numbers = 0;
    for (int32_t f = 0; f < s->found_count; f++) {
        Span span = s->found[f];
        int32_t end = span.start + span.length * span.count, next = span.start + span.length;
        bodies -= end - next;
        operands_ -= s->ir->start[end] - s->ir->start[next];
        for (int32_t i = span.start; i < next; i++) {
            numbers += s->ir->code[i] == CONST && varies(s->ir, i, span) ? span.count : 0;
        }
    }
    size_t b = (size_t)bodies;
    r->piece = arena_take(&r->memory, 2 * (size_t)s->found_count, sizeof *r->piece, ANY_BYTE);
    r->code = arena_take(&r->memory, b, 1, ANY_BYTE);
    r->begin = arena_take(&r->memory, b, sizeof *r->begin, 0);
    r->operand = arena_take(&r->memory, (size_t)operands_, sizeof *r->operand, ANY_BYTE);
    r->number = arena_take(&r->memory, b, sizeof *r->number, ANY_BYTE);
    r->step = arena_take(&r->memory, b, sizeof *r->step, ANY_BYTE);
    r->place = arena_take(&r->memory, b, sizeof *r->place, ANY_BYTE);
    r->numbers = arena_take(&r->memory, (size_t)numbers, sizeof *r->numbers, ANY_BYTE);
}

Rolled *
rolled_new(const Ir *ir, const int64_t *place, int32_t least, bool *failed)
{
    Search *s = calloc(1, sizeof *s);
    Rolled *r = calloc(1, sizeof *r);
    *failed = s == NULL || r == NULL;
    int64_t inside = 0;
    if (!*failed) {
        s->ir = ir;
        s->place = place;
        s->least = least;
        s->window = arena_take(&s->memory, WINDOWS, sizeof *s->window, 0);
        search(s);
        for (int32_t f = 0; f < s->found_count; f++) {
            inside += (int64_t)s->found[f].length * s->found[f].count;
        }
        *failed = s->memory.failed;
    }
    bool worth = !*failed && inside > 0 && 2 * inside >= (int64_t)ir->count;
    if (worth) {
        reserve(r, s);
        *failed = r->memory.failed;
    }
    if (worth && !*failed) {
        int32_t end = 0;
        for (int32_t f = 0; f < s->found_count; f++) {
            if (s->found[f].start > end) {
                add_piece(r, s, (Span){end, s->found[f].start - end, 1});
            }
            add_piece(r, s, s->found[f]);
            end = s->found[f].start + s->found[f].length * s->found[f].count;
        }
        if (ir->count > end) {
            add_piece(r, s, (Span){end, ir->count - end, 1});
        }
        r->count = ir->count;
        r->arg_count = ir->arg_count;
        r->slots = ir->slots;
    }
    if (s != NULL) {
        arena_end(&s->memory);
    }
    free(s);
    if (!worth || *failed) {
        rolled_free(r);
        return NULL;
    }
    return r;
}

size_t
rolled_bytes(const Rolled *r)
{
    size_t body = sizeof *r->code + sizeof *r->begin + sizeof *r->number + sizeof *r->step + sizeof *r->place;
    return sizeof *r + (size_t)r->piece_count * sizeof *r->piece + (size_t)r->body_count * body +
           (size_t)r->operand_total * sizeof *r->operand + (size_t)r->number_count * sizeof *r->numbers;
}

/* ── Written out again ──────────────────────────────────────────────────────────────────────── */

void
rolled_write(const Rolled *r, uint8_t *code, int32_t *start, int32_t *arg, double *number)
{
    int32_t i = 0, args = 0;
    start[0] = 0;
    for (int32_t p = 0; p < r->piece_count; p++) {
        const Piece *piece = &r->piece[p];
        for (int32_t k = 0; k < piece->count; k++) {
            for (int32_t b = piece->body; b < piece->body + piece->length; b++) {
                code[i] = r->code[b];
                number[i] = rolled_number(r, b, k);
                for (int32_t o = r->begin[b]; o < r->begin[b + 1]; o++) {
                    arg[args++] = r->operand[o].first + k * r->operand[o].step;
                }
                start[++i] = args;
            }
        }
    }
}

void
rolled_places(const Rolled *r, int64_t *place)
{
    for (int32_t p = 0; p < r->piece_count; p++) {
        const Piece *piece = &r->piece[p];
        for (int32_t k = 0; k < piece->count; k++) {
            memcpy(place, r->place + piece->body, (size_t)piece->length * sizeof *place);
            place += piece->length;
        }
    }
}

const Piece *
rolled_find(const Rolled *r, int32_t id, int32_t *iteration, int32_t *at)
{
    int32_t low = 0, high = r->piece_count;
    while (high - low > 1) {
        int32_t middle = (low + high) / 2;
        *(r->piece[middle].start <= id ? &low : &high) = middle;
    }
    const Piece *piece = &r->piece[low];
    *iteration = (id - piece->start) / piece->length;
    *at = (id - piece->start) % piece->length;
    return piece;
}
