/* Memory for nodes: slabs of 256 KB, carved in address order.
 *
 * A free list handed out last in, first out scrambles addresses, and a training loop is twice as
 * slow after a thousand steps. Here a free node is one without a type, and the engine sweeps a slab
 * from its first node to its last, taking the free ones a run at a time: all of it where the slab
 * is vacant, as most are when a graph has died. However a graph was freed, the next one is laid out
 * in order.
 *
 * Where a slab can be:
 *     current   being carved; `cursor` is behind the run that the engine has
 *     vacant    holds no node; up to RETAINED of them are kept, the rest go back to the system
 *     partial   at least an eighth is free; carved again before the system is asked for more
 *     unlisted  nearly full; `alarm` says when freeing has made it worth a place on a list
 *
 * A slab that holds nodes, or is current, holds a reference to the type on their behalf.
 */
#include "engine.h"

#ifdef _WIN32
#include <malloc.h>
#else
#include <sys/mman.h>
#ifndef MAP_POPULATE
#define MAP_POPULATE 0
#endif
#endif

#define RETAINED ((size_t)(64 << 20) / SLAB_BYTES)
#define PARTIAL (SLAB_ROOM / 8)
#define NEVER UINT32_MAX

/* ── Memory from the system ─────────────────────────────────────────────────────────────────── */

#ifdef GRADWALK_TEST_HOOKS
long slab_fail_after = -1;

static bool
must_fail(void)
{
    bool fails = slab_fail_after == 0;
    slab_fail_after -= slab_fail_after > 0;
    return fails;
}
#else
#define must_fail() false
#endif

#ifdef _WIN32

static void *
aligned_memory(void)
{
    void *memory = _aligned_malloc(SLAB_BYTES, SLAB_BYTES);
    return memory ? memset(memory, 0, SLAB_BYTES) : NULL;
}

#define free_aligned(memory) _aligned_free(memory)

#else

/* All of it will be written soon, so its pages come at once where the system knows how. One by one they
 * are a fifth of the time to make a large graph.
 */
static char *
map(size_t size)
{
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE;
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, flags, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* Not from malloc, whose notes about each slab would take up two pages beside it. Once a slab is aligned,
 * the next mostly comes to lie beside it and is, too.
 */
static void *
aligned_memory(void)
{
    char *memory = map(SLAB_BYTES);
    if (!memory || (uintptr_t)memory % SLAB_BYTES == 0) {
        return memory;
    }
    munmap(memory, SLAB_BYTES);
    if (!(memory = map(2 * SLAB_BYTES))) {
        return NULL;
    }
    size_t before = SLAB_BYTES - (uintptr_t)memory % SLAB_BYTES, behind = SLAB_BYTES - before;
    munmap(memory, before);
    if (behind > 0) {
        munmap(memory + before + SLAB_BYTES, behind);
    }
    return memory + before;
}

static void
free_aligned(void *memory)
{
    if (memory) {
        munmap(memory, SLAB_BYTES);
    }
}

#endif

/* ── Lists of slabs ─────────────────────────────────────────────────────────────────────────── */

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

/* ── A slab's way through them ──────────────────────────────────────────────────────────────── */

static Slab *
slab_new(Engine *engine)
{
    Slab *slab = must_fail() ? NULL : aligned_memory();
    if (!slab || !packable((char *)slab + SLAB_BYTES)) {
        free_aligned(slab);
        PyErr_NoMemory();
        return NULL;
    }
    slab->engine = engine; /* the rest is 0 */
    slab->free_count = SLAB_ROOM;
    return slab;
}

/* Find the place of a slab that is not current, after its free_count has changed. */
static void
place(Slab *slab)
{
    Engine *engine = slab->engine;
    if (slab->free_count == SLAB_ROOM) {
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
        slab->alarm = SLAB_ROOM;
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

/* Give the engine the next run of free nodes of its slab; false when the sweep is at its end. */
static bool
carve(Engine *engine, Slab *slab)
{
    Value *first = (Value *)((char *)(slab + 1) + sizeof(Locals));
    uint32_t begin = slab->cursor, end = SLAB_ROOM;
    if (slab->free_count < SLAB_ROOM) { /* else all are free, and may never have been set */
        while (begin < SLAB_ROOM && Py_TYPE((PyObject *)node_behind(first, begin))) {
            begin++;
        }
        end = begin;
        while (end < SLAB_ROOM && !Py_TYPE((PyObject *)node_behind(first, end))) {
            end++;
        }
    }
    slab->cursor = end;
    slab->free_count -= end - begin;
    engine->free = node_behind(first, begin);
    engine->free_end = node_behind(first, end);
    return begin < end;
}

/* Give the engine its next run of nodes to carve; -1 with MemoryError when there is none. */
int
slab_refill(Engine *engine)
{
    for (;;) {
        Slab *slab = engine->current;
        if (slab) {
            if (carve(engine, slab)) {
                return 0;
            }
            if (slab->free_count >= SLAB_ROOM / 2) { /* freed behind the cursor: sweep it again */
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
    size_t uncarved = ((uintptr_t)engine->free_end - (uintptr_t)engine->free) / NODE_BYTES;
    return engine->current->free_count + uncarved == SLAB_ROOM;
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
        engine->free = engine->free_end = NULL;
        Py_DECREF(engine->type);
    }
}
