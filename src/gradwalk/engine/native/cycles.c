/* Reference cycles through a node that has no GC header.
 *
 * Such a node is not part of a cycle when it is made. But what it is given later may lead back to it,
 * and Python's garbage collector cannot see the node: a `_backward`, as micrograd's closures do, other
 * inputs, by `_children` or a second `__init__`, or an attribute that the user adds. So the engine
 * keeps a list of the nodes in slabs that have been given any of these, and looks for dead ones among
 * them before every full collection, and whenever their number has doubled.
 *
 * The search is the collector's own, on a part of the heap: from the listed nodes it goes along all
 * references and counts, for everything it meets, the references that come from inside. What has more
 * than those is alive, and so is all that it leads to. The rest is garbage, and taking from its listed
 * nodes what they were given undoes the cycles. Types, modules, frames and the globals of functions are
 * not entered: what they lead to has references from outside then, and stays. Memory alone limits the
 * search; without it, it is left for the next collection.
 *
 * Start reading at `collect_cycles`.
 */
#include "engine.h"

#define FIRST_LOOK 1000 /* listed nodes before the first search outside a full collection */

/* ── The list ───────────────────────────────────────────────────────────────────────────────── */

static PyObject *collect_cycles(PyObject *reference, PyObject *const *args, Py_ssize_t count);

static PyMethodDef collect_definition = {
    "collect_cycles", (PyCFunction)(void (*)(void))collect_cycles, METH_FASTCALL,
    "What gc calls before and after each collection."};

/* Let gc call `collect_cycles` from now on; what it keeps for that holds the module weakly. */
static int
listen_to_collector(Engine *engine)
{
    PyObject *gc = PyImport_ImportModule("gc");
    PyObject *callbacks = gc ? PyObject_GetAttrString(gc, "callbacks") : NULL;
    PyObject *module = ((PyHeapTypeObject *)engine->type)->ht_module;
    PyObject *reference = callbacks ? PyWeakref_NewRef(module, NULL) : NULL;
    PyObject *collect = reference ? PyCFunction_New(&collect_definition, reference) : NULL;
    PyObject *answer = collect ? PyObject_CallMethod(callbacks, "append", "O", collect) : NULL;
    Py_XDECREF(gc);
    Py_XDECREF(callbacks);
    Py_XDECREF(reference);
    Py_XDECREF(collect);
    Py_XDECREF(answer);
    return answer ? 0 : -1;
}

/* Make room for one more node on the list. Python code may run, at the first time. */
int
reserve_listed(Engine *engine)
{
    Listed *listed = &engine->listed;
    if (!listed->listening) {
        if (listen_to_collector(engine) < 0) {
            return -1;
        }
        listed->listening = true;
        listed->threshold = FIRST_LOOK;
    }
    if (listed->count == listed->room) {
        Py_ssize_t room = listed->room ? 2 * listed->room : 64;
        Value **nodes = PyMem_RawRealloc(listed->nodes, (size_t)room * sizeof(Value *));
        if (!nodes) {
            PyErr_NoMemory();
            return -1;
        }
        listed->nodes = nodes;
        listed->room = room;
    }
    return 0;
}

/* Add a slab node that has an Extension to the list, if memory allows. */
void
list_node(Engine *engine, Value *node)
{
    Listed *listed = &engine->listed;
    Extension *extension = extension_of(node);
    if (node->left & IN_SLAB && !extension->place) {
        listed->nodes[listed->count++] = node;
        extension->place = listed->count;
    }
}

/* Take the owner of an Extension off the list; the last one on it takes its place. */
void
unlist_node(Engine *engine, Extension *extension)
{
    Listed *listed = &engine->listed;
    if (!extension->place) {
        return;
    }
    Value *last = listed->nodes[--listed->count];
    if (extension->place <= listed->count) { /* else the owner was the last */
        listed->nodes[extension->place - 1] = last;
        extension_of(last)->place = extension->place;
    }
    extension->place = 0;
}

/* ── What is met: objects and Blocks, by address ────────────────────────────────────────────── */

typedef struct {
    void *thing;
    size_t is_block : 1, alive : 1;
    size_t inside : 8 * sizeof(size_t) - 2; /* references that come from what was met */
} Entry;

typedef struct {
    Entry *entries;
    Py_ssize_t count, room;
    Py_ssize_t *table; /* places in `entries`, plus 1 */
    size_t mask;
    const PyObject *skipped[2]; /* the globals and builtins of the function being visited */
    bool marking;               /* the second pass: spread life, where the first counts */
    Py_ssize_t *alive, alive_count;
    bool failed;
} Search;

static size_t
hash_address(const void *thing)
{
    return (size_t)((uint64_t)(uintptr_t)thing * UINT64_C(0x9E3779B97F4A7C15) >> 20);
}

/* Return the place in the table where the thing is or belongs. */
static Py_ssize_t *
find_place(const Search *search, const void *thing)
{
    size_t at = hash_address(thing) & search->mask;
    while (search->table[at] && search->entries[search->table[at] - 1].thing != thing) {
        at = (at + 1) & search->mask;
    }
    return &search->table[at];
}

static int
widen(Search *search)
{
    Py_ssize_t room = search->room ? 2 * search->room : 1024;
    Entry *entries = PyMem_RawRealloc(search->entries, (size_t)room * sizeof(Entry));
    if (!entries) {
        return -1;
    }
    search->entries = entries;
    Py_ssize_t *table = PyMem_RawCalloc((size_t)room * 2, sizeof(Py_ssize_t));
    if (!table) {
        return -1;
    }
    PyMem_RawFree(search->table);
    search->table = table;
    search->mask = (size_t)room * 2 - 1;
    search->room = room;
    for (Py_ssize_t index = 0; index < search->count; index++) {
        *find_place(search, search->entries[index].thing) = index + 1;
    }
    return 0;
}

/* Meet a thing: count the reference, or spread life to it. */
static void
meet(Search *search, void *thing, bool is_block, unsigned references)
{
    if (search->failed) {
        return;
    }
    if (search->marking) {
        Py_ssize_t index = *find_place(search, thing) - 1;
        if (index >= 0 && !search->entries[index].alive) {
            search->entries[index].alive = true;
            search->alive[search->alive_count++] = index;
        }
        return;
    }
    if (search->count == search->room && widen(search) < 0) {
        search->failed = true;
        return;
    }
    Py_ssize_t *place = find_place(search, thing);
    if (!*place) {
        search->entries[search->count] = (Entry){thing, is_block, 0, 0};
        *place = ++search->count;
    }
    search->entries[*place - 1].inside += references;
}

static bool
is_slab_node(PyObject *object)
{
    return is_exact(object) && ((Value *)object)->left & IN_SLAB;
}

static int
visit(PyObject *object, void *arg)
{
    Search *search = arg;
    if (object == search->skipped[0] || object == search->skipped[1]) {
        return 0;
    }
    if (is_slab_node(object) ||
        (PyObject_IS_GC(object) && !PyType_Check(object) && !PyModule_Check(object) &&
         !PyFrame_Check(object) && !PyGen_Check(object) && !PyCoro_CheckExact(object))) {
        meet(search, object, false, 1);
    }
    return 0;
}

static void
visit_inputs(Search *search, Value *const *inputs, Py_ssize_t count)
{
    for (Py_ssize_t index = 0; index < count; index++) {
        if (inputs[index]) {
            visit((PyObject *)inputs[index], search);
        }
    }
}

/* Go along all references of one entry. */
static void
visit_entry(Search *search, Entry entry)
{
    if (entry.is_block) {
        const Block *block = entry.thing;
        visit_inputs(search, block->inputs, block->count);
        return;
    }
    PyObject *object = entry.thing;
    if (!is_slab_node(object)) {
        if (PyFunction_Check(object)) {
            search->skipped[0] = PyFunction_GET_GLOBALS(object);
            search->skipped[1] = ((PyFunctionObject *)object)->func_builtins;
        }
        Py_TYPE(object)->tp_traverse(object, visit, search);
        search->skipped[0] = search->skipped[1] = NULL;
        return;
    }
    Value *node = entry.thing;
    if (node->left & WIDE) {
        meet(search, block_of(node), true, 1);
        if (node->own) {
            meet(search, node->own, true, 1);
        }
    }
    else if (node->left & EXTENDED) {
        const Extension *extension = extension_of(node);
        for (Py_ssize_t index = 0; index < extension->count; index++) {
            visit((PyObject *)extension->edges[index].input, search);
        }
        if (extension->custom) {
            visit(extension->custom, search);
        }
        if (extension->attributes) {
            visit(extension->attributes, search);
        }
    }
    else {
        Value *inputs[2] = {left_of(node->left), node->right};
        visit_inputs(search, inputs, 2);
    }
}

/* Count all references, then spread life from what is held from outside. */
static void
run(Search *search, const Listed *listed)
{
    for (Py_ssize_t index = 0; index < listed->count; index++) {
        meet(search, listed->nodes[index], false, 0);
    }
    for (Py_ssize_t index = 0; index < search->count && !search->failed; index++) {
        visit_entry(search, search->entries[index]);
    }
    if (search->failed) {
        return;
    }
    search->alive = PyMem_RawMalloc((size_t)search->count * sizeof(Py_ssize_t));
    if (!search->alive) {
        search->failed = true;
        return;
    }
    search->marking = true;
    for (Py_ssize_t index = 0; index < search->count; index++) {
        Entry *entry = &search->entries[index];
        Py_ssize_t references = entry->is_block ? ((Block *)entry->thing)->owners
                                                : Py_REFCNT((PyObject *)entry->thing);
        if ((size_t)references > entry->inside) {
            entry->alive = true;
            search->alive[search->alive_count++] = index;
        }
    }
    while (search->alive_count > 0) {
        visit_entry(search, search->entries[search->alive[--search->alive_count]]);
    }
}

/* Take from a node what it was given after it was made. Python code may run. */
static void
undo_cycles(Engine *engine, Value *node)
{
    if (node->left & EXTENDED) {
        unlist_node(engine, extension_of(node));
        Py_CLEAR(extension_of(node)->custom);
    }
    if (node->left & EXTENDED) {
        Py_CLEAR(extension_of(node)->attributes);
    }
    if (node->left & EXTENDED && extension_of(node)->regrown) {
        strip(node);
    }
}

/* Undo the cycles of every listed node that nothing outside leads to. */
static void
search_and_undo(Engine *engine)
{
    Listed *listed = &engine->listed;
    Search search = {0};
    Py_ssize_t count = 0;
    Value **garbage = PyMem_RawMalloc((size_t)listed->count * sizeof(Value *));
    if (!garbage) {
        return; /* another time */
    }
    run(&search, listed);
    for (Py_ssize_t index = 0; index < listed->count && !search.failed; index++) {
        Value *node = listed->nodes[index];
        if (!search.entries[*find_place(&search, node) - 1].alive) {
            garbage[count++] = (Value *)Py_NewRef(node);
        }
    }
    PyMem_RawFree(search.entries);
    PyMem_RawFree(search.table);
    PyMem_RawFree(search.alive);
    listed->threshold = 2 * (listed->count - count) + FIRST_LOOK;
    for (Py_ssize_t index = 0; index < count; index++) { /* from here on Python code may run */
        undo_cycles(engine, garbage[index]);
    }
    for (Py_ssize_t index = 0; index < count; index++) {
        Py_DECREF(garbage[index]);
    }
    PyMem_RawFree(garbage);
}

/* A search reads reference counts. In free-threaded Python these are not all there is to know. */
#ifdef Py_GIL_DISABLED
enum { CAN_SEARCH = 0 };
#else
enum { CAN_SEARCH = 1 };
#endif

/* collect_cycles(phase, info), for an engine that may be gone. */
static PyObject *
collect_cycles(PyObject *reference, PyObject *const *args, Py_ssize_t count)
{
    if (count != 2 || !PyUnicode_Check(args[0]) || !PyDict_Check(args[1])) {
        PyErr_SetString(PyExc_TypeError, "collect_cycles takes what gc.callbacks are called with");
        return NULL;
    }
    PyObject *module = PyObject_CallNoArgs(reference);
    if (!module || module == Py_None) {
        return module;
    }
    Engine *engine = PyModule_GetState(module);
    Listed *listed = &engine->listed;
    bool dying = engine->draining || engine->dead; /* then listed nodes may be dead already */
    if (CAN_SEARCH && engine->type && listed->count > 0 && !listed->searching && !dying &&
        PyUnicode_CompareWithASCIIString(args[0], "start") == 0) {
        PyObject *generation = PyDict_GetItemString(args[1], "generation");
        bool full = generation && PyLong_Check(generation) && PyLong_AsLong(generation) == 2;
        if (full || listed->count >= listed->threshold) {
            listed->searching = true;
            search_and_undo(engine);
            listed->searching = false;
        }
    }
    Py_DECREF(module);
    Py_RETURN_NONE;
}
