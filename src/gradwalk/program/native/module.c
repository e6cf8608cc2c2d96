/* The module _replay: Replay, twin of interpreter.Replay, and the functions that optimisers.c and tape.c have. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "buffers.h"
#include "lanes.h"
#include "optimisers.h"
#include "processor.h"
#include "single.h"
#include "structure.h"
#include "tape.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
    PyObject *program_error;
    PyTypeObject *replay_type;
    Recorder recorder;
} State;

enum { TIDY, CHAINS, ADJOINT, STAGE_COUNT };
static const char *const stage_names[STAGE_COUNT] = {"tidy", "chains", "adjoint"};

typedef struct {
    PyObject_HEAD
    Ir *stage[STAGE_COUNT]; /* ADJOINT is NULL when there is nothing to differentiate by */
    Ir *careful;            /* of pass_careful; NULL until needed */
    Single *forward, *gradient;
    struct Plan *plans; /* for many scenarios, the last used first */
    int32_t *wrt;
    int32_t wrt_count, slots, outputs, recorded; /* counts */
    bool float32;
} Replay;

/* A plan for many scenarios is made for one choice of the slots they share. */
typedef struct Plan {
    struct Plan *next;
    Lanes *lanes;
    bool gradient, sums, busy;
    uint8_t shared[]; /* by slot */
} Plan;

/* ── Making one ─────────────────────────────────────────────────────────────────────────────── */

static State *
state_of_type(PyTypeObject *type)
{
    return PyType_GetModuleState(type);
}

Recorder *
recorder_in(PyObject *module)
{
    return &((State *)PyModule_GetState(module))->recorder;
}

static void
replay_dealloc(PyObject *object)
{
    Replay *self = (Replay *)object;
    PyTypeObject *type = Py_TYPE(object);
    for (int k = 0; k < STAGE_COUNT; k++) {
        ir_free(self->stage[k]);
    }
    ir_free(self->careful);
    single_free(self->forward);
    single_free(self->gradient);
    while (self->plans != NULL) {
        Plan *next = self->plans->next;
        lanes_free(self->plans->lanes);
        free(self->plans);
        self->plans = next;
    }
    free(self->wrt);
    type->tp_free(object);
    Py_DECREF(type);
}

enum { MOST_ITEMS = INT32_MAX / 8 }; /* of anything: sums of a few of these are numbers too */

/* Read a program where it lies. It is to be used before any Python runs, which could change it. */
static int
read_program(State *state, Py_buffer *codes, Py_buffer *starts, Py_buffer *args, Py_buffer *numbers,
             Py_buffer *outputs, int slots, Py_buffer *slot_of, Ir *ir)
{
    Py_ssize_t count = codes->len, arg_count = args->len / 4, output_count = outputs->len / 4;
    Py_ssize_t own_slots = slot_of != NULL ? slot_of->len / 4 : slots;
    if (slots < 0) {
        PyErr_Format(state->program_error, "slots is a count, not %d", slots);
        return -1;
    }
    if (count > MOST_ITEMS || arg_count > MOST_ITEMS || output_count > MOST_ITEMS || slots > MOST_ITEMS ||
        own_slots > MOST_ITEMS) {
        PyErr_SetString(state->program_error, "the program is too large");
        return -1;
    }
    if (output_count == 0) {
        PyErr_SetString(state->program_error, "a program has at least one output");
        return -1;
    }
    if (starts->len != (count + 1) * 4 || numbers->len != count * 8) {
        PyErr_SetString(state->program_error, "the program's arrays do not fit each other");
        return -1;
    }
    *ir = (Ir){
        .count = (int32_t)count,
        .forward = (int32_t)count,
        .arg_count = (int32_t)arg_count,
        .code = codes->buf,
        .start = starts->buf,
        .arg = args->buf,
        .number = numbers->buf,
        .result = outputs->buf,
        .result_count = (int32_t)output_count,
        .outputs = (int32_t)output_count,
        .slots = (int32_t)own_slots,
        .slot_of = slot_of != NULL ? slot_of->buf : NULL,
    };
    int32_t where;
    const char *wrong = NULL;
    for (int32_t i = 0; i < ir->count && wrong == NULL; i++) {
        if (ir->code[i] > LAST_RECORDED) {
            wrong = "has a code that cannot be recorded";
            where = i;
        }
    }
    wrong = wrong ? wrong : ir_check(ir, &where);
    if (wrong != NULL) {
        if (where >= 0) {
            PyErr_Format(state->program_error, "instruction %d %s", (int)where, wrong);
        }
        else {
            PyErr_SetString(state->program_error, wrong);
        }
        return -1;
    }
    for (int32_t k = 0; ir->slot_of != NULL && k < ir->slots; k++) {
        if (ir->slot_of[k] < 0 || ir->slot_of[k] >= slots) {
            PyErr_Format(state->program_error, "there is no slot %d", (int)ir->slot_of[k]);
            return -1;
        }
    }
    ir->slots = slots;
    return 0;
}

/* Keep a pass's result when it is one and is sound. */
static int
keep(State *state, Replay *self, int stage, Ir *ir)
{
    if (ir == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    self->stage[stage] = ir;
    int32_t where;
    const char *wrong = ir_check(ir, &where);
    if (wrong != NULL) {
        PyErr_Format(state->program_error, "after the pass %s: instruction %d %s", stage_names[stage],
                     (int)where, wrong);
        return -1;
    }
    return PyErr_CheckSignals();
}

static int
compile_stages(State *state, Replay *self, const Ir *recorded, const double *seeds)
{
    Scratch scratch = {NULL, 0, NULL, 0};
    int status = -1;
    if (keep(state, self, TIDY, pass_tidy(recorded, &scratch)) < 0 ||
        keep(state, self, CHAINS, pass_chains(self->stage[TIDY], &scratch)) < 0) {
        goto end;
    }
    if (self->wrt_count > 0) {
        Ir *raw = pass_adjoint(self->stage[CHAINS], seeds, self->wrt, self->wrt_count, &scratch);
        Ir *tidied = raw ? pass_tidy(raw, &scratch) : NULL;
        ir_free(raw);
        if (keep(state, self, ADJOINT, tidied) < 0) {
            goto end;
        }
    }
    status = 0;
end:
    scratch_free(&scratch);
    return status;
}

static PyObject *
replay_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    static char *keywords[] = {"codes", "starts", "args",  "numbers", "outputs", "slots",
                               "wrt",   "seeds",  "float32", "slot_of", "fast", NULL};
    enum { FIELDS = 8, SLOT_OF = 7 };
    PyObject *objects[FIELDS] = {NULL};
    int slots, float32 = 0, fast = 0;
    if (!PyArg_ParseTupleAndKeywords(args, names, "OOOOOiOO|pOp:Replay", keywords, &objects[0], &objects[1],
                                     &objects[2], &objects[3], &objects[4], &slots, &objects[5], &objects[6],
                                     &float32, &objects[SLOT_OF], &fast)) {
        return NULL;
    }
    static const char *const fields[FIELDS] = {"codes",   "starts", "args",  "numbers",
                                               "outputs", "wrt",    "seeds", "slot_of"};
    static const char kinds[] = "Biidiidi";
    bool moved = objects[SLOT_OF] != NULL && objects[SLOT_OF] != Py_None;
    Py_buffer views[FIELDS];
    int held = 0;
    Replay *self = NULL;
    State *state = state_of_type(type);
    for (; held < (moved ? FIELDS : SLOT_OF); held++) {
        char kind = kinds[held];
        if (numbers_of(objects[held], &views[held], fields[held], kind, kind == 'B' ? 1 : kind == 'i' ? 4 : 8,
                       false) < 0) {
            goto end;
        }
    }
    self = (Replay *)type->tp_alloc(type, 0);
    if (self == NULL) {
        goto end;
    }
    self->float32 = float32;
    self->slots = slots;
    Ir recorded;
    if (read_program(state, &views[0], &views[1], &views[2], &views[3], &views[4], slots,
                     moved ? &views[SLOT_OF] : NULL, &recorded) < 0) {
        goto fail;
    }
    recorded.fast = fast;
    self->outputs = recorded.outputs;
    self->recorded = recorded.count;
    if (views[5].len / 4 > MOST_ITEMS) {
        PyErr_SetString(state->program_error, "there are too many inputs to differentiate by");
        goto fail;
    }
    self->wrt_count = (int32_t)(views[5].len / 4);
    self->wrt = malloc((size_t)views[5].len + 4);
    if (self->wrt == NULL) {
        PyErr_NoMemory();
        goto fail;
    }
    memcpy(self->wrt, views[5].buf, (size_t)views[5].len);
    for (int32_t k = 0; k < self->wrt_count; k++) {
        if (self->wrt[k] < 0 || self->wrt[k] >= slots) {
            PyErr_Format(state->program_error, "there is no input %d to differentiate by", (int)self->wrt[k]);
            goto fail;
        }
    }
    if (views[6].len != 8 * (Py_ssize_t)self->outputs) {
        PyErr_SetString(state->program_error, "there is one seed for each output");
        goto fail;
    }
    if (compile_stages(state, self, &recorded, views[6].buf) < 0) {
        goto fail;
    }
    goto end;
fail:
    Py_CLEAR(self);
end:
    while (held > 0) {
        PyBuffer_Release(&views[--held]);
    }
    return (PyObject *)self;
}

/* ── One scenario ───────────────────────────────────────────────────────────────────────────── */

/* The segments that a caller gave, held until the run is over: what a buffer's own code does when it is
 * taken or released, a run of this program even, cannot come between the copy and the run. */
enum { FEW = 8 };
typedef struct {
    PyObject *items;
    Py_ssize_t count;
    Py_buffer few[FEW], *views;
} Segments;

static void
drop_segments(Segments *segments)
{
    while (segments->count > 0) {
        PyBuffer_Release(&segments->views[--segments->count]);
    }
    if (segments->views != segments->few) {
        PyMem_Free(segments->views);
    }
    Py_DECREF(segments->items);
}

static int
hold_segments(const Replay *self, PyObject *given, Segments *segments)
{
    segments->count = 0;
    segments->views = segments->few;
    segments->items = PySequence_Tuple(given);
    if (segments->items == NULL) {
        return -1;
    }
    Py_ssize_t count = PyTuple_GET_SIZE(segments->items), numbers = 0;
    if (count > FEW) {
        segments->views = PyMem_Malloc((size_t)count * sizeof *segments->views);
        if (segments->views == NULL) {
            PyErr_NoMemory();
            goto fail;
        }
    }
    for (; segments->count < count; segments->count++) {
        Py_buffer *view = &segments->views[segments->count];
        if (doubles_of(PyTuple_GET_ITEM(segments->items, segments->count), view, "a segment", -1, false) < 0) {
            goto fail;
        }
        numbers += view->len / (Py_ssize_t)sizeof(double);
    }
    if (numbers != self->slots) {
        PyErr_Format(PyExc_ValueError, "the segments hold %zd numbers, the program takes %d", numbers,
                     (int)self->slots);
        goto fail;
    }
    return 0;
fail:
    drop_segments(segments);
    return -1;
}

static void
copy_segments(const Segments *segments, double *slots)
{
    for (Py_ssize_t k = 0; k < segments->count; k++) {
        const Py_buffer *view = &segments->views[k];
        if (view->len > 0) {
            memcpy(slots, view->buf, (size_t)view->len);
            slots += view->len / (Py_ssize_t)sizeof(double);
        }
    }
}

/* Raise for the TAKE that the flat interpreter stumbles over: `instruction` says which was recorded. */
static void
raise_index(const Ir *ir, int32_t i, const double *values)
{
    char *index = PyOS_double_to_string(values[operands(ir, i)[0]], 'r', 0, Py_DTSF_ADD_DOT_0, NULL);
    PyObject *error = PyObject_CallFunction(
        PyExc_IndexError, "N",
        PyUnicode_FromFormat("take: index %s of a table of %d", index ? index : "?", operand_count(ir, i) - 1));
    PyMem_Free(index);
    if (error != NULL) {
        PyObject *instruction = PyLong_FromLong(ir->origin[i]);
        if (instruction != NULL) {
            PyObject_SetAttrString(error, "instruction", instruction);
            Py_DECREF(instruction);
        }
        PyErr_SetObject(PyExc_IndexError, error);
        Py_DECREF(error);
    }
}

/* By the flat interpreter: after a fast run that stumbled, or gave a nan. */
static int
run_flat(Replay *self, bool gradient, const double *slots, double *outputs, double *gradients)
{
    if (gradient && self->careful == NULL) {
        self->careful = pass_careful(self->stage[ADJOINT], NULL);
        if (self->careful == NULL) {
            PyErr_NoMemory();
            return -1;
        }
    }
    const Ir *ir = gradient ? self->careful : self->stage[CHAINS];
    double *values = malloc(((size_t)ir->count + 1) * sizeof *values);
    if (values == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    int32_t bad = flat_run(ir, slots, values);
    if (bad >= 0) {
        raise_index(ir, bad, values);
        free(values);
        return -1;
    }
    for (int32_t k = 0; k < ir->result_count; k++) {
        double number = values[ir->result[k]];
        if (k < ir->outputs) {
            outputs[k] = number;
        }
        else {
            gradients[k - ir->outputs] = number;
        }
    }
    free(values);
    return 0;
}

static int run_in_single_precision(Replay *self, bool gradient, const Segments *segments, double *outputs,
                                   double *gradients);

/* The plan for one scenario, made when first needed; NULL with MemoryError. */
static Single *
single_plan(Replay *self, bool gradient)
{
    Single **plan = gradient ? &self->gradient : &self->forward;
    if (*plan == NULL) {
        *plan = single_new(self->stage[gradient ? ADJOINT : CHAINS]);
        if (*plan == NULL) {
            PyErr_NoMemory();
        }
    }
    return *plan;
}

/* Run a plan whose slots are filled. */
static int
run_filled(Replay *self, bool gradient, Single *plan, double *outputs, double *gradients)
{
    if (single_run(plan) && single_results(plan, outputs, gradients)) {
        return 0;
    }
    return run_flat(self, gradient, single_slots(plan), outputs, gradients);
}

static int
run_in_double_precision(Replay *self, bool gradient, const Segments *segments, double *outputs,
                        double *gradients)
{
    Single *plan = single_plan(self, gradient);
    if (plan == NULL) {
        return -1;
    }
    copy_segments(segments, single_slots(plan));
    return run_filled(self, gradient, plan, outputs, gradients);
}

static int
run_single(Replay *self, bool gradient, PyObject *given, double *outputs, double *gradients)
{
    Segments segments;
    if (hold_segments(self, given, &segments) < 0) {
        return -1;
    }
    int status = self->float32 ? run_in_single_precision(self, gradient, &segments, outputs, gradients)
                               : run_in_double_precision(self, gradient, &segments, outputs, gradients);
    drop_segments(&segments);
    return status;
}

static PyObject *
replay_value(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    Replay *self = (Replay *)object;
    if (count != 2) {
        PyErr_SetString(PyExc_TypeError, "value takes segments and outputs");
        return NULL;
    }
    Py_buffer outputs;
    if (doubles_of(args[1], &outputs, "outputs", self->outputs, true) < 0) {
        return NULL;
    }
    int status = run_single(self, false, args[0], outputs.buf, NULL);
    PyBuffer_Release(&outputs);
    return status < 0 ? NULL : Py_NewRef(Py_None);
}

static PyObject *
replay_value_and_grad(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    Replay *self = (Replay *)object;
    if (count != 3) {
        PyErr_SetString(PyExc_TypeError, "value_and_grad takes segments, outputs and grads");
        return NULL;
    }
    Py_buffer outputs, grads;
    if (doubles_of(args[1], &outputs, "outputs", self->outputs, true) < 0) {
        return NULL;
    }
    if (doubles_of(args[2], &grads, "grads", self->wrt_count, true) < 0) {
        PyBuffer_Release(&outputs);
        return NULL;
    }
    int status = run_single(self, self->wrt_count > 0, args[0], outputs.buf, grads.buf);
    PyBuffer_Release(&outputs);
    PyBuffer_Release(&grads);
    return status < 0 ? NULL : Py_NewRef(Py_None);
}

/* Run on arguments of this structure. 1, 0 where they are of another one, -1 with an exception. */
static int
run_on_arguments(Replay *self, bool gradient, PyObject *specs, PyObject *args, double *outputs,
                 double *gradients)
{
    if (self->float32 || !PyTuple_CheckExact(specs) || !PyTuple_CheckExact(args) ||
        PyTuple_GET_SIZE(specs) != PyTuple_GET_SIZE(args)) {
        return 0;
    }
    Single *plan = single_plan(self, gradient);
    if (plan == NULL) {
        return -1;
    }
    double *to = single_slots(plan), *end = to + self->slots;
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(specs); k++) {
        if (!structure_read(PyTuple_GET_ITEM(specs, k), PyTuple_GET_ITEM(args, k), &to, end)) {
            return 0;
        }
    }
    if (to != end) { /* captured Values fill the rest */
        return 0;
    }
    return run_filled(self, gradient, plan, outputs, gradients) < 0 ? -1 : 1;
}

enum { SOME = 64 }; /* numbers that need no memory of their own */

static PyObject *
replay_call(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    Replay *self = (Replay *)object;
    if (count != 4) {
        PyErr_SetString(PyExc_TypeError, "call takes structures, arguments, the result's structure and array");
        return NULL;
    }
    double few[SOME], *outputs = self->outputs <= SOME ? few : malloc((size_t)self->outputs * sizeof *outputs);
    if (outputs == NULL) {
        return PyErr_NoMemory();
    }
    PyObject *result = NULL;
    int status = run_on_arguments(self, false, args[0], args[1], outputs, NULL);
    if (status == 0) {
        result = Py_NewRef(Py_NotImplemented);
    }
    else if (status > 0) {
        const double *from = outputs;
        result = structure_build(args[2], &from, outputs + self->outputs, args[3]);
    }
    if (outputs != few) {
        free(outputs);
    }
    return result;
}

static PyObject *
replay_call_with_gradient(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    Replay *self = (Replay *)object;
    if (count != 4 || self->outputs != 1) {
        PyErr_SetString(PyExc_TypeError, "call_with_gradient takes structures, arguments, the structure of the "
                                         "gradients and array, and is for one output");
        return NULL;
    }
    double few[SOME], value;
    double *grads = self->wrt_count <= SOME ? few : malloc((size_t)self->wrt_count * sizeof *grads);
    if (grads == NULL) {
        return PyErr_NoMemory();
    }
    PyObject *result = NULL;
    int status = run_on_arguments(self, self->wrt_count > 0, args[0], args[1], &value, grads);
    if (status == 0) {
        result = Py_NewRef(Py_NotImplemented);
    }
    else if (status > 0) {
        const double *from = grads;
        PyObject *by_name = structure_build(args[2], &from, grads + self->wrt_count, args[3]);
        result = by_name == NULL ? NULL : Py_BuildValue("dN", value, by_name);
    }
    if (grads != few) {
        free(grads);
    }
    return result;
}

/* ── Many scenarios ─────────────────────────────────────────────────────────────────────────── */

enum { MOST_PLANS = 8 };

/* A plan for these shared slots that nobody is using, or NULL with MemoryError. */
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
    LanesFault fault;
    int status;
    PyThreadState *state; /* of the caller, while it works without the GIL */
    int64_t listened;     /* nanoseconds, when it last had a look at the signals */
} Job;

enum { SILENCE = 40000000 }; /* nanoseconds without a look */

static int64_t
nanoseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

/* Take the GIL now and then for the handlers of signals; one that raises ends the job. */
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
                            job->totals, job->threads, &job->watch, &job->fault);
    PyEval_RestoreThread(job->state);
    return job->watch.stop ? -1 : 0;
}

/* Raise for the scenario whose index is out of range, by running it alone. */
static void
raise_fault(Replay *self, const Job *job, bool gradient)
{
    double *slots = malloc(((size_t)self->slots + 1) * sizeof *slots);
    double nothing;
    double *outputs = malloc(((size_t)self->outputs + (size_t)self->wrt_count + 1) * sizeof *outputs);
    if (slots == NULL || outputs == NULL) {
        PyErr_NoMemory();
    }
    else {
        for (int32_t s = 0; s < self->slots; s++) {
            memcpy(&nothing, job->base[s] + job->fault.scenario * job->stride[s], sizeof nothing);
            slots[s] = nothing;
        }
        if (run_flat(self, gradient, slots, outputs, outputs + self->outputs) == 0) {
            PyErr_SetString(PyExc_IndexError, "take: an index is out of range");
        }
        else {
            PyObject *type, *error, *trace;
            PyErr_Fetch(&type, &error, &trace);
            PyErr_NormalizeException(&type, &error, &trace);
            PyObject *scenario = PyLong_FromLongLong(job->fault.scenario);
            if (scenario != NULL && error != NULL) {
                PyObject_SetAttrString(error, "scenario", scenario);
            }
            Py_XDECREF(scenario);
            PyErr_Restore(type, error, trace);
        }
    }
    free(slots);
    free(outputs);
}

/* One scenario by way of the lanes, which have both precisions. */
static int
run_in_single_precision(Replay *self, bool gradient, const Segments *segments, double *outputs,
                        double *gradients)
{
    size_t slots = (size_t)self->slots + 1;
    double *numbers = calloc(slots, sizeof *numbers);
    const char **base = malloc(slots * sizeof *base);
    int64_t *stride = malloc(slots * sizeof *stride);
    uint8_t *shared = calloc(slots, 1); /* none: what is shared is computed in double precision */
    int status = -1;
    if (!numbers || !base || !stride || !shared) {
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
    Job job = {.base = base, .stride = stride};
    switch (lanes_run(plan->lanes, base, stride, 1, outputs, gradient ? gradients : NULL, NULL, 1,
                      &job.watch, &job.fault)) {
    case LANES_DONE:
        status = 0;
        break;
    case LANES_BAD_INDEX:
        raise_fault(self, &job, gradient);
        break;
    default:
        PyErr_NoMemory();
    }
end:
    free(numbers);
    free(base);
    free(stride);
    free(shared);
    return status;
}

/* The place in its buffer of each slot, checked against the buffer's length. */
static int
find_slots(Replay *self, Py_buffer *buffers, Py_ssize_t buffer_count, const int32_t *where, const int64_t *offset,
           const int64_t *stride, int64_t count, const char **base, uint8_t *shared)
{
    for (int32_t s = 0; s < self->slots; s++) {
        if (where[s] < 0 || where[s] >= buffer_count) {
            PyErr_Format(PyExc_ValueError, "slot %d is in buffer %d of %zd", (int)s, (int)where[s], buffer_count);
            return -1;
        }
        int64_t length = buffers[where[s]].len, last = count > 0 ? count - 1 : 0;
        bool inside = offset[s] >= 0 && stride[s] >= 0 && offset[s] <= length - 8 &&
                      (stride[s] == 0 || last <= (length - 8 - offset[s]) / stride[s]);
        if (!inside && count > 0) {
            PyErr_Format(PyExc_ValueError, "slot %d lies outside its buffer", (int)s);
            return -1;
        }
        base[s] = (const char *)buffers[where[s]].buf + (inside ? offset[s] : 0);
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

/* Scenarios are read while others are written: what is written must lie apart. */
static int
check_apart(const Py_buffer *buffers, Py_ssize_t buffer_count, Py_buffer *const *written, int count)
{
    for (int k = 0; k < count; k++) {
        for (Py_ssize_t b = 0; b < buffer_count; b++) {
            if (overlap(written[k], &buffers[b])) {
                PyErr_SetString(PyExc_ValueError, "map cannot write into a buffer that it reads");
                return -1;
            }
        }
        for (int other = 0; other < k; other++) {
            if (overlap(written[k], written[other])) {
                PyErr_SetString(PyExc_ValueError, "outputs, grads and sums have memory in common");
                return -1;
            }
        }
    }
    return 0;
}

static const long long MOST_SCENARIOS = 1LL << 31; /* times 8 bytes, times MOST_ITEMS: no overflow */

static PyObject *
replay_map(PyObject *object, PyObject *args)
{
    Replay *self = (Replay *)object;
    PyObject *buffer_list, *where_object, *offset_object, *stride_object, *outputs_object, *grads_object, *sums_object;
    long long count;
    int threads;
    if (!PyArg_ParseTuple(args, "OOOOLOOOi:map", &buffer_list, &where_object, &offset_object, &stride_object, &count,
                          &outputs_object, &grads_object, &sums_object, &threads)) {
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
    bool with_grads = grads_object != Py_None, with_sums = sums_object != Py_None;
    bool gradient = (with_grads || with_sums) && self->wrt_count > 0;
    PyObject *items = PySequence_Tuple(buffer_list); /* a list could change while its buffers are taken */
    if (items == NULL) {
        return NULL;
    }
    Py_ssize_t buffer_count = PyTuple_GET_SIZE(items), held = 0;
    Py_buffer *buffers = PyMem_Calloc((size_t)buffer_count + 1, sizeof *buffers);
    Py_buffer where, offset, stride, outputs, grads, sums;
    int views = 0; /* of the six above */
    const char **base = malloc(((size_t)self->slots + 1) * sizeof *base);
    uint8_t *shared = malloc((size_t)self->slots + 1);
    PyObject *result = NULL;
    if (buffers == NULL || base == NULL || shared == NULL) {
        PyErr_NoMemory();
        goto end;
    }
    for (; held < buffer_count; held++) {
        if (PyObject_GetBuffer(PyTuple_GET_ITEM(items, held), &buffers[held], PyBUF_C_CONTIGUOUS) < 0) {
            goto end;
        }
    }
    if (numbers_of(where_object, &where, "where", 'i', 4, false) < 0) {
        goto end;
    }
    views = 1;
    if (numbers_of(offset_object, &offset, "offset", 'q', 8, false) < 0) {
        goto end;
    }
    views = 2;
    if (numbers_of(stride_object, &stride, "stride", 'q', 8, false) < 0) {
        goto end;
    }
    views = 3;
    if (where.len != 4 * (Py_ssize_t)self->slots || offset.len != 8 * (Py_ssize_t)self->slots ||
        stride.len != 8 * (Py_ssize_t)self->slots) {
        PyErr_Format(PyExc_ValueError, "where, offset and stride have one entry for each of the %d slots",
                     (int)self->slots);
        goto end;
    }
    if (doubles_of(outputs_object, &outputs, "outputs", (Py_ssize_t)count * self->outputs, true) < 0) {
        goto end;
    }
    views = 4;
    if (with_grads) {
        if (doubles_of(grads_object, &grads, "grads", (Py_ssize_t)count * self->wrt_count, true) < 0) {
            goto end;
        }
        views |= 8;
    }
    if (with_sums) {
        if (doubles_of(sums_object, &sums, "sums", self->wrt_count, true) < 0) {
            goto end;
        }
        views |= 16;
    }
    Py_buffer *written[3] = {&outputs};
    int written_count = 1;
    if (with_grads) {
        written[written_count++] = &grads;
    }
    if (with_sums) {
        written[written_count++] = &sums;
    }
    if (check_apart(buffers, buffer_count, written, written_count) < 0) {
        goto end;
    }
    if (find_slots(self, buffers, buffer_count, where.buf, offset.buf, stride.buf, count, base, shared) < 0) {
        goto end;
    }
    Plan *plan = plan_for(self, shared, gradient, with_sums && gradient);
    if (plan == NULL) {
        goto end;
    }
    Job job = {.lanes = plan->lanes,
               .base = base,
               .stride = stride.buf,
               .count = count,
               .outputs = outputs.buf,
               .grads = with_grads && gradient ? grads.buf : NULL,
               .totals = with_sums && gradient ? sums.buf : NULL,
               .threads = threads};
    plan->busy = true;
    int interrupted = run_watched(&job);
    plan->busy = false;
    if (interrupted < 0) {
        goto end;
    }
    if (job.status == LANES_BAD_INDEX) {
        raise_fault(self, &job, gradient);
    }
    else if (job.status != LANES_DONE) {
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
    free(base);
    free(shared);
    Py_buffer *first[] = {&where, &offset, &stride, &outputs};
    for (int k = 0; k < (views & 7); k++) {
        PyBuffer_Release(first[k]);
    }
    if (views & 8) {
        PyBuffer_Release(&grads);
    }
    if (views & 16) {
        PyBuffer_Release(&sums);
    }
    Py_DECREF(items);
    return result;
}

/* ── What there is to see ───────────────────────────────────────────────────────────────────── */

/* A stage as (codes, starts, args, numbers, origins, results, outputs, forward): bytes, then two counts. */
static PyObject *
replay_stage(PyObject *object, PyObject *name)
{
    Replay *self = (Replay *)object;
    const char *wanted = PyUnicode_AsUTF8(name);
    if (wanted == NULL) {
        return NULL;
    }
    for (int k = 0; k < STAGE_COUNT; k++) {
        const Ir *ir = self->stage[k];
        if (ir != NULL && strcmp(stage_names[k], wanted) == 0) {
            Py_ssize_t n = ir->count;
            return Py_BuildValue("(y#y#y#y#y#y#ii)", (const char *)ir->code, n, (const char *)ir->start,
                                 (n + 1) * 4, (const char *)ir->arg, (Py_ssize_t)ir->arg_count * 4,
                                 (const char *)ir->number, n * 8, (const char *)ir->origin, n * 4,
                                 (const char *)ir->result, (Py_ssize_t)ir->result_count * 4,
                                 (int)ir->outputs, (int)ir->forward);
        }
    }
    PyErr_Format(PyExc_ValueError, "there is no stage %R", name);
    return NULL;
}

/* The (code, number of operands) of each listed instruction of a block. */
static PyObject *
listed_instructions(const Nest *block, const int32_t *at)
{
    PyObject *rows = PyList_New(block->J);
    for (int32_t k = 0; rows != NULL && k < block->J; k++) {
        int code = at[0], count = at[1];
        PyObject *row = Py_BuildValue("(ii)", code, count);
        if (row == NULL) {
            Py_CLEAR(rows);
            break;
        }
        PyList_SET_ITEM(rows, k, row);
        at += 2 + count + (code == PICK || is_partial(code));
    }
    return rows;
}

/* What is executed for one scenario: a list of (code, row, more, I, J, K, listed), `listed` None or a list.
 * The plan that a run would make is made now where there is none yet. */
static PyObject *
replay_blocks(PyObject *object, PyObject *with_gradient)
{
    Replay *self = (Replay *)object;
    int gradient = PyObject_IsTrue(with_gradient);
    if (gradient < 0) {
        return NULL;
    }
    const Ir *ir = self->stage[gradient ? ADJOINT : CHAINS];
    if (ir == NULL) {
        PyErr_SetString(PyExc_ValueError, "there is nothing to differentiate by");
        return NULL;
    }
    Single **plan = gradient ? &self->gradient : &self->forward;
    if (*plan == NULL && (*plan = single_new(ir)) == NULL) {
        return PyErr_NoMemory();
    }
    int32_t count = single_block_count(*plan);
    PyObject *rows = PyList_New(count);
    for (int32_t k = 0; rows != NULL && k < count; k++) {
        const Nest *block = &single_blocks(*plan)[k];
        PyObject *listed = block->listed ? listed_instructions(block, single_list(*plan) + block->list)
                                         : Py_NewRef(Py_None);
        PyObject *row = listed == NULL ? NULL
                                       : Py_BuildValue("(iiiiiiN)", (int)block->code, (int)block->row,
                                                       (int)block->more, (int)block->I, (int)block->J,
                                                       (int)block->K, listed);
        if (row == NULL) {
            Py_CLEAR(rows);
            break;
        }
        PyList_SET_ITEM(rows, k, row);
    }
    return rows;
}

/* The steps over many scenarios, as text: of the plan used last, or else of one that shares no slot. */
static PyObject *
replay_lanes(PyObject *object, PyObject *unused)
{
    (void)unused;
    Replay *self = (Replay *)object;
    Lanes *lanes = self->plans != NULL ? self->plans->lanes : NULL;
    Lanes *own = NULL;
    if (lanes == NULL) {
        uint8_t *shared = calloc((size_t)self->slots + 1, 1);
        const Ir *ir = self->stage[self->wrt_count > 0 ? ADJOINT : CHAINS];
        own = lanes = shared ? lanes_new(ir, shared, self->wrt, false, self->float32) : NULL;
        free(shared);
        if (lanes == NULL) {
            return PyErr_NoMemory();
        }
    }
    size_t length = lanes_text(lanes, NULL, 0);
    char *text = malloc(length + 1);
    PyObject *result = NULL;
    if (text == NULL) {
        PyErr_NoMemory();
    }
    else {
        lanes_text(lanes, text, length + 1);
        result = PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "replace");
    }
    free(text);
    lanes_free(own);
    return result;
}

static PyObject *
replay_stages(PyObject *object, void *closure)
{
    (void)closure;
    Replay *self = (Replay *)object;
    PyObject *names = PyList_New(0);
    for (int k = 0; names != NULL && k < STAGE_COUNT; k++) {
        if (self->stage[k] != NULL) {
            PyObject *name = PyUnicode_FromString(stage_names[k]);
            if (name == NULL || PyList_Append(names, name) < 0) {
                Py_CLEAR(names);
            }
            Py_XDECREF(name);
        }
    }
    if (names == NULL) {
        return NULL;
    }
    PyObject *result = PyList_AsTuple(names);
    Py_DECREF(names);
    return result;
}

static int
set_size(PyObject *sizes, const char *name, size_t size)
{
    PyObject *number = PyLong_FromSize_t(size);
    int status = number == NULL ? -1 : PyDict_SetItemString(sizes, name, number);
    Py_XDECREF(number);
    return status;
}

static PyObject *
replay_sizes(PyObject *object, void *closure)
{
    (void)closure;
    Replay *self = (Replay *)object;
    PyObject *sizes = PyDict_New();
    if (sizes == NULL) {
        return NULL;
    }
    int status = set_size(sizes, "recorded", (size_t)self->recorded);
    for (int k = 0; k < STAGE_COUNT && status == 0; k++) {
        if (self->stage[k] != NULL) {
            status = set_size(sizes, stage_names[k], (size_t)self->stage[k]->count);
        }
    }
    if (self->forward != NULL && status == 0) {
        status = set_size(sizes, "blocks", (size_t)single_block_count(self->forward)) < 0 ||
                         set_size(sizes, "bytes", single_bytes(self->forward)) < 0
                     ? -1
                     : 0;
    }
    if (self->gradient != NULL && status == 0) {
        status = set_size(sizes, "gradient blocks", (size_t)single_block_count(self->gradient)) < 0 ||
                         set_size(sizes, "gradient bytes", single_bytes(self->gradient)) < 0
                     ? -1
                     : 0;
    }
    if (self->plans != NULL && status == 0) {
        LanesSizes lanes = lanes_sizes(self->plans->lanes);
        status = set_size(sizes, "lanes", (size_t)lanes.lanes) < 0 ||
                         set_size(sizes, "lane steps", (size_t)lanes.steps) < 0 ||
                         set_size(sizes, "lane slots", (size_t)lanes.slots) < 0 ||
                         set_size(sizes, "lane bytes", (size_t)lanes.bytes) < 0
                     ? -1
                     : 0;
    }
    if (status < 0) {
        Py_CLEAR(sizes);
    }
    return sizes;
}

/* ── Functions of the module ────────────────────────────────────────────────────────────────── */

/* Use the kernels of this level for programs made from now on; name NULL: the best. */
static int
choose_kernels(const char *name)
{
    if (processor_choose(name)) {
        return 0;
    }
    PyObject *names = PyUnicode_FromString(processor_names[PROCESSOR_BASE]);
    for (int level = PROCESSOR_BASE + 1; names != NULL && level <= processor_best(); level++) {
        Py_SETREF(names, PyUnicode_FromFormat("%U, %s", names, processor_names[level]));
    }
    if (names != NULL) {
        PyErr_Format(PyExc_ValueError, "there are no kernels %s for this processor; it has %U", name, names);
        Py_DECREF(names);
    }
    return -1;
}

/* Choose the kernels by name; return the name of those in use. */
static PyObject *
module_kernels(PyObject *module, PyObject *args)
{
    (void)module;
    const char *name = NULL;
    if (!PyArg_ParseTuple(args, "|z:kernels", &name) ||
        (PyTuple_GET_SIZE(args) && choose_kernels(name) < 0)) {
        return NULL;
    }
    return PyUnicode_FromString(processor_names[processor_level()]);
}

static PyObject *
module_method(PyObject *module, PyObject *op)
{
    return recorder_method(recorder_in(module), op);
}

static PyObject *
module_function(PyObject *module, PyObject *args)
{
    (void)module;
    return recorder_function(args);
}

#ifdef GRADWALK_TEST_HOOKS
static PyObject *
module_fail_memory(PyObject *module, PyObject *args)
{
    (void)module;
    long long after, times;
    if (!PyArg_ParseTuple(args, "LL:_fail_memory", &after, &times)) {
        return NULL;
    }
    memory_fail(after, times);
    Py_RETURN_NONE;
}

static PyObject *
module_live_memory(PyObject *module, PyObject *unused)
{
    (void)module;
    (void)unused;
    return PyLong_FromLongLong(memory_live());
}
#endif

/* ── The module ─────────────────────────────────────────────────────────────────────────────── */

static PyMethodDef replay_methods[] = {
    {"value", (PyCFunction)(void (*)(void))replay_value, METH_FASTCALL,
     "value(segments, outputs)\n--\n\nCompute the outputs."},
    {"value_and_grad", (PyCFunction)(void (*)(void))replay_value_and_grad, METH_FASTCALL,
     "value_and_grad(segments, outputs, grads)\n--\n\nCompute the outputs and the gradients."},
    {"call", (PyCFunction)(void (*)(void))replay_call, METH_FASTCALL,
     "call(specs, arguments, result, array)\n--\n\n"
     "Return the result for these arguments; NotImplemented where they are of another structure."},
    {"call_with_gradient", (PyCFunction)(void (*)(void))replay_call_with_gradient, METH_FASTCALL,
     "call_with_gradient(specs, arguments, gradients, array)\n--\n\n"
     "Return the value and its gradients; NotImplemented where the arguments are of another structure."},
    {"map", replay_map, METH_VARARGS,
     "map(buffers, where, offset, stride, count, outputs, grads, sums, threads)\n--\n\n"
     "Run many scenarios; threads share them, and do not change the numbers."},
    {"stage", replay_stage, METH_O,
     "stage(name)\n--\n\nReturn the program after a pass: codes, starts, args, numbers, origins, results, "
     "outputs, forward."},
    {"blocks", replay_blocks, METH_O,
     "blocks(gradient)\n--\n\nReturn what is executed: code, row, more, I, J, K, listed; one row a block."},
    {"lanes", replay_lanes, METH_NOARGS, "lanes()\n--\n\nReturn the steps over many scenarios, as text."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef replay_getset[] = {
    {"stages", replay_stages, NULL, "the names of the passes", NULL},
    {"sizes", replay_sizes, NULL, "instructions after each pass, blocks and bytes", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyType_Slot replay_slots[] = {
    {Py_tp_new, replay_new},
    {Py_tp_dealloc, replay_dealloc},
    {Py_tp_methods, replay_methods},
    {Py_tp_getset, replay_getset},
    {Py_tp_doc, "A recorded program, ready to run."},
    {0, NULL},
};

static PyType_Spec replay_spec = {
    .name = "gradwalk.program._replay.Replay",
    .basicsize = sizeof(Replay),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = replay_slots,
};

static PyMethodDef module_methods[] = {
    {"adam", (PyCFunction)(void (*)(void))module_adam, METH_FASTCALL,
     "adam(params, grads, mean, square, rate, beta1, beta2, epsilon, bias_correction1, bias_correction2, kept)\n"
     "--\n\nOne step of Adam, or of AdamW when kept is not 1."},
    {"sgd", module_sgd, METH_VARARGS, "sgd(params, grads, rate, decay)\n--\n\nOne step down the gradient."},
    {"momentum", module_momentum, METH_VARARGS,
     "momentum(params, grads, velocity, rate, momentum, nesterov, decay)\n--\n\nOne step with momentum."},
    {"method", module_method, METH_O, "method(op)\n--\n\nReturn a row as a method of Traced."},
    {"function", module_function, METH_VARARGS,
     "function(code, otherwise)\n--\n\n"
     "Return a function that records a Traced and hands anything else to `otherwise`."},
#ifdef GRADWALK_TEST_HOOKS
    {"_fail_memory", module_fail_memory, METH_VARARGS,
     "_fail_memory(after, times)\n--\n\nLet so many allocations succeed, then so many fail."},
    {"_live_memory", module_live_memory, METH_NOARGS, "_live_memory()\n--\n\nCount the blocks in use."},
#endif
    {"kernels", module_kernels, METH_VARARGS,
     "kernels([name])\n--\n\n"
     "Return the level of the kernels in use: base, avx2 or avx512. A name chooses another level for programs made "
     "from now on, None the best."},
    {NULL, NULL, 0, NULL},
};

/* A tuple of names as an attribute of the module. */
static int
add_names(PyObject *module, const char *attribute, const char *const *names, int count)
{
    PyObject *tuple = PyTuple_New(count);
    for (int k = 0; tuple != NULL && k < count; k++) {
        PyObject *name = PyUnicode_FromString(names[k]);
        if (name == NULL) {
            Py_CLEAR(tuple);
            break;
        }
        PyTuple_SET_ITEM(tuple, k, name);
    }
    int status = tuple == NULL ? -1 : PyModule_AddObjectRef(module, attribute, tuple);
    Py_XDECREF(tuple);
    return status;
}

static int
module_exec(PyObject *module)
{
    State *state = PyModule_GetState(module);
    PyObject *errors = PyImport_ImportModule("gradwalk.errors");
    if (errors == NULL) {
        return -1;
    }
    state->program_error = PyObject_GetAttrString(errors, "ProgramError");
    Py_DECREF(errors);
    if (state->program_error == NULL) {
        return -1;
    }
    state->replay_type = (PyTypeObject *)PyType_FromModuleAndSpec(module, &replay_spec, NULL);
    if (state->replay_type == NULL || PyModule_AddType(module, state->replay_type) < 0 ||
        recorder_begin(module, &state->recorder) < 0) {
        return -1;
    }
    int recorded = LAST_RECORDED + 1;
    return add_names(module, "CODES", code_names, recorded) < 0 ||
                   add_names(module, "MADE", code_names + recorded, CODE_COUNT - recorded) < 0 ||
                   add_names(module, "FUNCTIONS", function_names, FUNCTION_COUNT) < 0
               ? -1
               : 0;
}

static int
module_traverse(PyObject *module, visitproc visit, void *arg)
{
    State *state = PyModule_GetState(module);
    Py_VISIT(state->program_error);
    Py_VISIT(state->replay_type);
    return recorder_traverse(&state->recorder, visit, arg);
}

static int
module_clear(PyObject *module)
{
    State *state = PyModule_GetState(module);
    Py_CLEAR(state->program_error);
    Py_CLEAR(state->replay_type);
    recorder_clear(&state->recorder);
    return 0;
}

static void
module_free(void *module)
{
    module_clear(module);
}

static PyModuleDef_Slot module_slots[] = {
    {Py_mod_exec, module_exec},
    {0, NULL},
};

static PyModuleDef module_def = {
    PyModuleDef_HEAD_INIT,
    .m_name = "gradwalk.program._replay",
    .m_doc = "Runs recorded programs. Use gradwalk.compile.",
    .m_size = sizeof(State),
    .m_methods = module_methods,
    .m_slots = module_slots,
    .m_traverse = module_traverse,
    .m_clear = module_clear,
    .m_free = module_free,
};

PyMODINIT_FUNC
PyInit__replay(void)
{
    return PyModuleDef_Init(&module_def);
}
