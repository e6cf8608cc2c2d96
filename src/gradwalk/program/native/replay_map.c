/* Many scenarios of a Replay: see replay.h. Start reading at replay_map. */

#include "replay.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MOST_PLANS = 8 };

/* Return a plan for these shared slots that is not in use, or NULL with an exception. */
static Plan *
plan_for(Replay *self, const uint8_t *shared, bool gradient, bool sums)
{
    Plan **link = &self->plans;
    int count = 0;
    for (Plan *plan = self->plans; plan != NULL; link = &plan->next, plan = plan->next, count++) {
        if (!plan->busy && plan->gradient == gradient && plan->sums == sums &&
            memcmp(plan->shared, shared, (size_t)self->slots) == 0) {
            *link = plan->next;
            plan->next = self->plans;
            self->plans = plan;
            return plan;
        }
        if (count >= MOST_PLANS && plan->next == NULL && !plan->busy) { /* the longest unused */
            *link = NULL;
            lanes_free(plan->lanes);
            free(plan);
            break;
        }
    }
    if (need_stages(self) < 0) {
        return NULL;
    }
    Plan *plan = malloc(sizeof *plan + (size_t)self->slots + 1);
    if (plan == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    memcpy(plan->shared, shared, (size_t)self->slots);
    plan->gradient = gradient;
    plan->sums = sums;
    plan->busy = false;
    plan->lanes = lanes_new(self->stage[gradient ? ADJOINT : CHAINS], shared, self->wrt, sums, self->float32);
    if (plan->lanes == NULL) {
        free(plan);
        PyErr_NoMemory();
        return NULL;
    }
    plan->next = self->plans;
    self->plans = plan;
    return plan;
}

/* One call of lanes_run. */
typedef struct {
    Watch watch; /* first, so that hear_signals finds the job */
    Lanes *lanes;
    const char *const *base;
    const int64_t *stride;
    int64_t count;
    double *outputs, *grads, *totals;
    int threads;
    int status;
    PyThreadState *state; /* of the caller, while it works without the GIL */
    int64_t listened;     /* when it last checked for signals, in nanoseconds */
} Job;

enum { SILENCE = 40000000 }; /* nanoseconds without a look */

static int64_t
nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Take the GIL from time to time and run signal handlers. A handler that raises ends the job. */
static void
hear_signals(Watch *watch)
{
    Job *job = (Job *)(void *)watch;
    int64_t now = nanoseconds();
    if (now - job->listened < SILENCE || watch->stop) {
        return;
    }
    PyEval_RestoreThread(job->state);
    if (PyErr_CheckSignals() < 0) {
        watch->stop = 1;
    }
    job->state = PyEval_SaveThread();
    job->listened = nanoseconds();
}

/* Run a job without the GIL. 0, or -1 with an exception from a signal's handler. */
static int
run_watched(Job *job)
{
    job->watch.listen = hear_signals;
    job->listened = nanoseconds();
    job->state = PyEval_SaveThread();
    job->status = lanes_run(job->lanes, job->base, job->stride, job->count, job->outputs, job->grads,
                            job->totals, job->threads, &job->watch);
    PyEval_RestoreThread(job->state);
    return job->watch.stop ? -1 : 0;
}

/* Run one scenario through the lanes, which support both precisions. */
int
run_in_single_precision(Replay *self, bool gradient, const Segments *segments, double *outputs,
                        double *gradients)
{
    Arena memory = {NULL};
    size_t slots = (size_t)self->slots;
    double *numbers = arena_take(&memory, slots, sizeof *numbers, 0);
    const char **base = arena_take(&memory, slots, sizeof *base, ANY_BYTE);
    int64_t *stride = arena_take(&memory, slots, sizeof *stride, ANY_BYTE);
    uint8_t *shared = arena_take(&memory, slots, 1, 0); /* none: shared values would be computed in double precision */
    int status = -1;
    if (memory.failed) {
        PyErr_NoMemory();
        goto end;
    }
    copy_segments(segments, numbers);
    for (int32_t s = 0; s < self->slots; s++) {
        base[s] = (const char *)(numbers + s);
        stride[s] = sizeof *numbers;
    }
    Plan *plan = plan_for(self, shared, gradient, false);
    if (plan == NULL) {
        goto end;
    }
    status = lanes_run(plan->lanes, base, stride, 1, outputs, gradient ? gradients : NULL, NULL, 1, NULL);
    if (status != LANES_DONE) {
        PyErr_NoMemory();
    }
end:
    arena_end(&memory);
    return status;
}

/* The place in its buffer of each slot, checked against the buffer's length, and its stride. The run goes by what is
 * written here: a thread without the GIL may change the caller's arrays at any time, so each entry is read once. */
static int
find_slots(Replay *self, Py_buffer *buffers, Py_ssize_t buffer_count, const volatile int32_t *wheres,
           const volatile int64_t *offsets, const volatile int64_t *strides, int64_t count, const char **base,
           int64_t *stride, uint8_t *shared)
{
    for (int32_t s = 0; s < self->slots; s++) {
        int32_t where = wheres[s];
        int64_t offset = offsets[s];
        stride[s] = strides[s];
        if (where < 0 || where >= buffer_count) {
            PyErr_Format(PyExc_ValueError, "slot %d is in buffer %d of %zd", (int)s, (int)where, buffer_count);
            return -1;
        }
        int64_t length = buffers[where].len, last = count > 0 ? count - 1 : 0;
        bool inside = offset >= 0 && stride[s] >= 0 && offset <= length - 8 &&
                      (stride[s] == 0 || last <= (length - 8 - offset) / stride[s]);
        if (!inside && count > 0) {
            PyErr_Format(PyExc_ValueError, "slot %d lies outside its buffer", (int)s);
            return -1;
        }
        base[s] = (const char *)buffers[where].buf + (inside ? offset : 0);
        shared[s] = stride[s] == 0;
    }
    return 0;
}

/* Whether two buffers have bytes in common. */
static bool
overlap(const Py_buffer *a, const Py_buffer *b)
{
    uintptr_t x = (uintptr_t)a->buf, y = (uintptr_t)b->buf;
    return x < y + (size_t)b->len && y < x + (size_t)a->len && a->len > 0 && b->len > 0;
}

/* Scenarios are read while others are written, so outputs must not overlap inputs. */
static int
check_apart(const Py_buffer *buffers, Py_ssize_t buffer_count, const Py_buffer *written, int count)
{
    for (int k = 0; k < count; k++) {
        for (Py_ssize_t b = 0; b < buffer_count; b++) {
            if (overlap(&written[k], &buffers[b])) {
                PyErr_SetString(PyExc_ValueError, "map cannot write into a buffer that it reads");
                return -1;
            }
        }
        for (int other = 0; other < k; other++) {
            if (overlap(&written[k], &written[other])) {
                PyErr_SetString(PyExc_ValueError, "outputs, grads and sums have memory in common");
                return -1;
            }
        }
    }
    return 0;
}

static const long long MOST_SCENARIOS = 1LL << 31; /* times 8 bytes, times MOST_ITEMS: no overflow */

PyObject *
replay_map(PyObject *object, PyObject *args)
{
    Replay *self = (Replay *)object;
    enum { WHERE, OFFSET, STRIDE, OUTPUTS, GRADS, SUMS, VIEWS };
    static const char *const fields[VIEWS] = {"where", "offset", "stride", "outputs", "grads", "sums"};
    PyObject *buffer_list, *objects[VIEWS];
    long long count;
    int threads;
    if (!PyArg_ParseTuple(args, "OOOOLOOOi:map", &buffer_list, &objects[WHERE], &objects[OFFSET], &objects[STRIDE],
                          &count, &objects[OUTPUTS], &objects[GRADS], &objects[SUMS], &threads)) {
        return NULL;
    }
    if (count < 0 || threads < 1) {
        PyErr_SetString(PyExc_ValueError, "map takes a count from 0 on and at least one thread");
        return NULL;
    }
    if (count > MOST_SCENARIOS) {
        PyErr_Format(PyExc_ValueError, "map takes at most %lld scenarios at once", MOST_SCENARIOS);
        return NULL;
    }
    bool with_grads = objects[GRADS] != Py_None, with_sums = objects[SUMS] != Py_None;
    bool gradient = (with_grads || with_sums) && self->wrt_count > 0;
    PyObject *items = PySequence_Tuple(buffer_list); /* a list could change while its buffers are taken */
    if (items == NULL) {
        return NULL;
    }
    Py_ssize_t buffer_count = PyTuple_GET_SIZE(items), held = 0, slots = self->slots;
    Py_buffer *buffers = PyMem_Calloc((size_t)buffer_count + 1, sizeof *buffers), views[VIEWS] = {{0}};
    Arena memory = {NULL};
    const char **base = arena_take(&memory, (size_t)slots, sizeof *base, ANY_BYTE);
    int64_t *own_stride = arena_take(&memory, (size_t)slots, sizeof *own_stride, ANY_BYTE);
    uint8_t *shared = arena_take(&memory, (size_t)slots, 1, ANY_BYTE);
    PyObject *result = NULL;
    if (buffers == NULL || memory.failed) {
        PyErr_NoMemory();
        goto end;
    }
    for (; held < buffer_count; held++) {
        if (PyObject_GetBuffer(PyTuple_GET_ITEM(items, held), &buffers[held], PyBUF_C_CONTIGUOUS) < 0) {
            goto end;
        }
    }
    if (!hold_arrays(objects, views, fields, "iqq", OUTPUTS)) {
        goto end;
    }
    if (views[WHERE].len != 4 * slots || views[OFFSET].len != 8 * slots || views[STRIDE].len != 8 * slots) {
        PyErr_Format(PyExc_ValueError, "where, offset and stride have one entry for each of the %zd slots", slots);
        goto end;
    }
    const Py_ssize_t room[VIEWS] = {
        [OUTPUTS] = (Py_ssize_t)count * self->outputs, [GRADS] = (Py_ssize_t)count * self->wrt_count, [SUMS] = self->wrt_count,
    };
    for (int k = OUTPUTS; k < VIEWS; k++) {
        bool wanted = k == OUTPUTS || objects[k] != Py_None;
        if (wanted && doubles_of(objects[k], &views[k], fields[k], room[k], true) < 0) {
            goto end;
        }
    }
    if (check_apart(buffers, buffer_count, &views[OUTPUTS], VIEWS - OUTPUTS) < 0 ||
        find_slots(self, buffers, buffer_count, views[WHERE].buf, views[OFFSET].buf, views[STRIDE].buf, count, base,
                   own_stride, shared) < 0) {
        goto end;
    }
    Plan *plan = plan_for(self, shared, gradient, with_sums && gradient);
    if (plan == NULL) {
        goto end;
    }
    Job job = {.lanes = plan->lanes,
               .base = base,
               .stride = own_stride,
               .count = count,
               .outputs = views[OUTPUTS].buf,
               .grads = with_grads && gradient ? views[GRADS].buf : NULL,
               .totals = with_sums && gradient ? views[SUMS].buf : NULL,
               .threads = threads};
    plan->busy = true;
    int interrupted = run_watched(&job);
    plan->busy = false;
    if (interrupted < 0) {
        goto end;
    }
    if (job.status != LANES_DONE) {
        PyErr_NoMemory();
    }
    else {
        result = Py_NewRef(Py_None);
    }
end:
    while (held > 0) {
        PyBuffer_Release(&buffers[--held]);
    }
    PyMem_Free(buffers);
    arena_end(&memory);
    release_arrays(views, VIEWS);
    Py_DECREF(items);
    return result;
}
