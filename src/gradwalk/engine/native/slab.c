/* Memory for nodes: slabs of 256 KB, carved in address order.
 *
 * A free list handed out last in, first out scrambles addresses, and a training loop is twice as
 * slow after a thousand steps. Here each slab keeps one bit a node; the engine takes the bits a
 * word (64 nodes) at a time, lowest first, and sweeps a slab from its first word to its last.
 * However a graph was freed, the next one is laid out in order.
 *
 * Where a slab can be:
 *     current   being carved; `cursor` is the next word
 *     vacant    holds no node; up to RETAINED of them are kept, the rest go back to the system
 *     partial   at least an eighth is free; carved again before the system is asked for more
 *     unlisted  nearly full; `alarm` says when freeing has made it worth a place on a list
 *
 * A slab that holds nodes, or is current, holds a reference to the type on their behalf.
 */
#include "engine.h"

#include <stdlib.h>
#ifdef _WIN32
#include <malloc.h>
#endif

#define RETAINED ((size_t)(64 << 20) / SLAB_BYTES)
#define PARTIAL (SLAB_ROOM / 8)
#define NEVER UINT32_MAX

_Static_assert(sizeof(Slab) + SLAB_ROOM * sizeof(Value) <= SLAB_BYTES || sizeof(Value) > 72,
               "the nodes of a slab fit into it");
_Static_assert(SLAB_ROOM <= SLAB_WORDS * 64, "every node of a slab has its bit");

#ifdef GRADWALK_TEST_HOOKS
long slab_fail_after = -1;
#endif

/* The one place where memory for slabs comes from. */
static void *
aligned_memory(void)
{
#ifdef GRADWALK_TEST_HOOKS
    if (slab_fail_after == 0) {
        return NULL;
    }
    if (slab_fail_after > 0) {
        slab_fail_after--;
    }
#endif
#ifdef _WIN32
    return _aligned_malloc(SLAB_BYTES, SLAB_BYTES);
#else
    return aligned_alloc(SLAB_BYTES, SLAB_BYTES);
#endif
}

static void
free_aligned(void *memory)
{
#ifdef _WIN32
    _aligned_free(memory);
#else
    free(memory);
#endif
}

/* How many nodes of this build's size fit: 3,632 of 72 bytes, fewer where the header is bigger. */
static uint32_t
slab_room(void)
{
    size_t room = (SLAB_BYTES - sizeof(Slab)) / sizeof(Value);
    return (uint32_t)(room < SLAB_ROOM ? room : SLAB_ROOM);
}

static void
enlist(Slab *slab, Slab **list)
{
    slab->list = list;
    slab->previous = NULL;
    slab->next = *list;
    if (*list) {
        (*list)->previous = slab;
    }
    *list = slab;
}

static void
delist(Slab *slab)
{
    if (!slab->list) {
        return;
    }
    if (slab->previous) {
        slab->previous->next = slab->next;
    }
    else {
        *slab->list = slab->next;
    }
    if (slab->next) {
        slab->next->previous = slab->previous;
    }
    slab->list = NULL;
}

static Slab *
slab_new(Engine *engine)
{
    Slab *slab = aligned_memory();
    if (!slab || !packable((char *)slab + SLAB_BYTES)) {
        free_aligned(slab);
        PyErr_NoMemory();
        return NULL;
    }
    memset(slab, 0, sizeof(Slab));
    slab->engine = engine;
    slab->free_count = slab_room();
    for (uint32_t index = 0; index < slab->free_count; index++) {
        slab->free[index / 64] |= UINT64_C(1) << index % 64;
    }
    return slab;
}

/* Find the place of a slab that is not current, after its free_count has changed. */
static void
place(Slab *slab)
{
    Engine *engine = slab->engine;
    uint32_t room = slab_room();
    if (slab->free_count == room) {
        delist(slab);
        slab->alarm = NEVER;
        if (engine->vacant_count < RETAINED) {
            engine->vacant_count++;
            enlist(slab, &engine->vacant);
        }
        else {
            free_aligned(slab);
        }
        Py_DECREF(engine->type); /* last: it may take the engine with it */
    }
    else if (slab->free_count >= PARTIAL) {
        if (!slab->list) {
            enlist(slab, &engine->partial);
        }
        slab->alarm = room;
    }
    else {
        slab->alarm = PARTIAL;
    }
}

void
slab_alarm(Slab *slab)
{
    place(slab);
}

static Slab *
next_slab(Engine *engine)
{
    Slab *slab;
    if ((slab = engine->vacant)) {
        delist(slab);
        engine->vacant_count--;
        Py_INCREF(engine->type);
    }
    else if ((slab = engine->partial)) {
        delist(slab);
    }
    else if ((slab = slab_new(engine))) {
        Py_INCREF(engine->type);
    }
    return slab;
}

/* Give the engine its next word to carve; -1 with MemoryError when there is none. */
int
slab_refill(Engine *engine)
{
    for (;;) {
        Slab *slab = engine->current;
        if (slab) {
            while (slab->cursor < SLAB_WORDS) {
                uint32_t word = slab->cursor++;
                uint64_t mask = slab->free[word];
                if (mask) {
                    slab->free[word] = 0;
                    for (uint64_t rest = mask; rest; rest &= rest - 1) {
                        slab->free_count--;
                    }
                    engine->free_mask = mask;
                    engine->free_base = (Value *)(slab + 1) + (size_t)word * 64;
                    return 0;
                }
            }
            if (slab->free_count >= slab_room() / 2) { /* freed behind the cursor: sweep it again */
                slab->cursor = 0;
                continue;
            }
            engine->current = NULL;
            place(slab);
        }
        slab = next_slab(engine);
        if (!slab) {
            return -1;
        }
        slab->cursor = 0;
        slab->alarm = NEVER;
        engine->current = slab;
    }
}

/* Whether the current slab holds no node, so that its reference to the type is the engine's own. */
bool
slab_is_idle(const Engine *engine)
{
    if (!engine->current) {
        return false;
    }
    uint32_t unused = engine->current->free_count;
    for (uint64_t rest = engine->free_mask; rest; rest &= rest - 1) {
        unused++;
    }
    return unused == slab_room();
}

/* Give back every slab without nodes. One with nodes stays: they hold the type, it the engine. */
void
slab_release_all(Engine *engine)
{
    Slab *slab;
    while ((slab = engine->vacant)) {
        delist(slab);
        free_aligned(slab);
    }
    engine->vacant_count = 0;
    if (slab_is_idle(engine)) {
        free_aligned(engine->current);
        engine->current = NULL;
        engine->free_mask = 0;
        Py_DECREF(engine->type);
    }
}
