/* Making a Replay, and running one scenario: see replay.h. */

#include "replay.h"

#include "structure.h"

#include <stdlib.h>
#include <string.h>

const char *const stage_names[STAGE_COUNT] = {"tidy", "chains", "adjoint"};

/* ── Making one ─────────────────────────────────────────────────────────────────────────────── */

static void
replay_dealloc(PyObject *object)
{
    Replay *self = (Replay *)object;
    PyTypeObject *type = Py_TYPE(object);
    for (int k = 0; k < STAGE_COUNT; k++) {
        ir_free(self->stage[k]);
    }
    single_free(self->forward);
    single_free(self->gradient);
    single_free(self->careful);
    stretches_free(self->stretches);
    Py_XDECREF(self->rolled);
    while (self->plans != NULL) {
        Plan *next = self->plans->next;
        lanes_free(self->plans->lanes);
        free(self->plans);
        self->plans = next;
    }
    free(self->wrt);
    free(self->result);
    free(self->seeds);
    free(self->calls);
    type->tp_free(object);
    Py_DECREF(type);
}

/* Read a program in place, without a copy. Use it before any Python code runs, which could change it. */
int
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

/* Check the result of a pass, which then belongs to `made`, and let signal handlers run. */
static int
keep(State *state, Ir **made, int stage, Ir *ir)
{
    if (ir == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    made[stage] = ir;
    int32_t where;
    const char *wrong = ir_check(ir, &where);
    if (wrong != NULL) {
        PyErr_Format(state->program_error, "after the pass %s: instruction %d %s", stage_names[stage],
                     (int)where, wrong);
        return -1;
    }
    return PyErr_CheckSignals();
}

/* Make all stages, then publish them at once. A signal handler or a finaliser may call this replay between two passes,
 * and so may another thread while the handler sleeps. The stages published first stay: plans refer to them. */
static int
compile_stages(State *state, Replay *self, const Ir *recorded)
{
    Scratch scratch = {NULL, 0, NULL, 0};
    Ir *made[STAGE_COUNT] = {NULL};
    int status = -1;
    if (keep(state, made, TIDY, pass_tidy(recorded, &scratch)) < 0 ||
        keep(state, made, CHAINS, pass_chains(made[TIDY], &scratch)) < 0) {
        goto end;
    }
    if (self->wrt_count > 0) {
        int32_t refused;
        Ir *raw = pass_adjoint(made[CHAINS], self->seeds, self->wrt, self->wrt_count, &scratch, &refused);
        if (refused >= 0) {
            PyErr_Format(state->program_error, "instruction %d, %s, has no derivative", (int)refused,
                         code_names[made[CHAINS]->code[refused]]);
            goto end;
        }
        Ir *tidied = raw ? pass_tidy(raw, &scratch) : NULL;
        ir_free(raw);
        if (keep(state, made, ADJOINT, tidied) < 0) {
            goto end;
        }
    }
    if (self->stage[TIDY] == NULL) {
        memcpy(self->stage, made, sizeof made);
        memset(made, 0, sizeof made);
    }
    status = 0;
end:
    for (int k = 0; k < STAGE_COUNT; k++) {
        ir_free(made[k]);
    }
    scratch_free(&scratch);
    return status;
}

/* Compile a program that was kept rolled: write it out first. Python code may run. */
int
need_stages(Replay *self)
{
    if (self->stage[TIDY] != NULL) {
        return 0;
    }
    const Rolled *rolled = self->rolled->rolled;
    Arena memory = {NULL};
    size_t count = (size_t)rolled->count;
    Ir recorded = {
        .count = rolled->count,
        .forward = rolled->count,
        .arg_count = rolled->arg_count,
        .code = arena_take(&memory, count, 1, ANY_BYTE),
        .start = arena_take(&memory, count, sizeof *recorded.start, ANY_BYTE),
        .arg = arena_take(&memory, (size_t)rolled->arg_count, sizeof *recorded.arg, ANY_BYTE),
        .number = arena_take(&memory, count, sizeof *recorded.number, ANY_BYTE),
        .result = self->result,
        .result_count = self->outputs,
        .outputs = self->outputs,
        .slots = self->slots,
        .fast = self->fast,
    };
    int status = -1;
    if (memory.failed) {
        PyErr_NoMemory();
    }
    else {
        rolled_write(rolled, recorded.code, recorded.start, recorded.arg, recorded.number);
        status = compile_stages(state_of_type(Py_TYPE(self)), self, &recorded);
    }
    arena_end(&memory);
    return status;
}

/* Keep what the gradients are by, the seeds and the results, checked. */
static int
keep_wanted(State *state, Replay *self, const Py_buffer *wrt, const Py_buffer *seeds, const Py_buffer *outputs)
{
    if (wrt->len / 4 > MOST_ITEMS) {
        PyErr_SetString(state->program_error, "there are too many inputs to differentiate by");
        return -1;
    }
    if (seeds->len != 2 * outputs->len) {
        PyErr_SetString(state->program_error, "there is one seed for each output");
        return -1;
    }
    self->wrt_count = (int32_t)(wrt->len / 4);
    self->outputs = (int32_t)(outputs->len / 4);
    self->wrt = malloc((size_t)wrt->len + 4);
    self->result = malloc((size_t)outputs->len + 4);
    self->seeds = malloc((size_t)seeds->len + 8);
    if (self->wrt == NULL || self->result == NULL || self->seeds == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    memcpy(self->wrt, wrt->buf, (size_t)wrt->len);
    memcpy(self->result, outputs->buf, (size_t)outputs->len);
    memcpy(self->seeds, seeds->buf, (size_t)seeds->len);
    for (int32_t k = 0; k < self->wrt_count; k++) {
        if (self->wrt[k] < 0 || self->wrt[k] >= self->slots) {
            PyErr_Format(state->program_error, "there is no input %d to differentiate by", (int)self->wrt[k]);
            return -1;
        }
    }
    return 0;
}

/* A rolled program takes the place of codes, starts, args and numbers, and has slots of its own. */
static int
keep_rolled(State *state, Replay *self, PyObject *rolled)
{
    self->rolled = (RolledObject *)Py_NewRef(rolled);
    const Rolled *program = self->rolled->rolled;
    self->recorded = program->count;
    if (self->slots != program->slots || self->outputs < 1) {
        PyErr_SetString(state->program_error, "a rolled program has its own slots, and at least one output");
        return -1;
    }
    for (int32_t k = 0; k < self->outputs; k++) {
        if (self->result[k] < 0 || self->result[k] >= program->count) {
            PyErr_Format(state->program_error, "there is no instruction %d", (int)self->result[k]);
            return -1;
        }
    }
    return self->float32 ? need_stages(self) : 0;
}

static PyObject *
replay_new(PyTypeObject *type, PyObject *args, PyObject *names)
{
    static char *keywords[] = {"codes", "starts",  "args",    "numbers", "outputs", "slots", "wrt",
                               "seeds", "float32", "slot_of", "fast",    "guarded", NULL};
    enum { FIELDS = 8, OUTPUTS = 4, WRT, SEEDS, SLOT_OF };
    PyObject *objects[FIELDS] = {NULL};
    int slots, float32 = 0, fast = 0, guarded = 0;
    if (!PyArg_ParseTupleAndKeywords(args, names, "OOOOOiOO|pOpp:Replay", keywords, &objects[0], &objects[1],
                                     &objects[2], &objects[3], &objects[OUTPUTS], &slots, &objects[WRT],
                                     &objects[SEEDS], &float32, &objects[SLOT_OF], &fast, &guarded)) {
        return NULL;
    }
    static const char *const fields[FIELDS] = {"codes",   "starts", "args",  "numbers",
                                               "outputs", "wrt",    "seeds", "slot_of"};
    static const char kinds[] = "Biidiidi";
    State *state = state_of_type(type);
    bool moved = objects[SLOT_OF] != NULL && objects[SLOT_OF] != Py_None;
    bool is_rolled = Py_IS_TYPE(objects[0], state->rolled_type) && !moved;
    Py_buffer views[FIELDS] = {{0}};
    int first = is_rolled ? OUTPUTS : 0, count = (moved ? FIELDS : SLOT_OF) - first;
    Replay *self = NULL;
    if (!hold_arrays(objects + first, views + first, fields + first, kinds + first, count)) {
        goto end;
    }
    self = (Replay *)type->tp_alloc(type, 0);
    if (self == NULL) {
        goto end;
    }
    self->float32 = float32;
    self->fast = fast;
    self->guarded = guarded;
    self->slots = slots;
    int status = 0;
    Ir recorded = {0};
    if (!is_rolled) {
        status = read_program(state, &views[0], &views[1], &views[2], &views[3], &views[OUTPUTS], slots,
                              moved ? &views[SLOT_OF] : NULL, &recorded);
        recorded.fast = fast;
        self->recorded = recorded.count;
    }
    if (status == 0) {
        status = keep_wanted(state, self, &views[WRT], &views[SEEDS], &views[OUTPUTS]);
    }
    if (status == 0) {
        status = is_rolled ? keep_rolled(state, self, objects[0]) : compile_stages(state, self, &recorded);
    }
    if (status < 0) {
        Py_CLEAR(self);
    }
end:
    release_arrays(views, FIELDS);
    return (PyObject *)self;
}

/* ── One scenario ───────────────────────────────────────────────────────────────────────────── */

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

void
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

/* Compute the gradients of one scenario by the careful program, because the plain one gave a nan or an inf. Python code
 * may run before it, so `slots` are no plan's. */
static int
run_carefully(Replay *self, const double *slots, double *gradients)
{
    if (self->careful == NULL && need_stages(self) < 0) {
        return -1;
    }
    if (self->careful == NULL) { /* asked again: Python code has run */
        Ir *careful = pass_careful(self->stage[ADJOINT], NULL);
        self->careful = careful != NULL ? single_new(careful) : NULL;
        ir_free(careful);
    }
    double *outputs = self->careful != NULL ? malloc((size_t)self->outputs * sizeof *outputs) : NULL;
    if (outputs == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    memcpy(single_slots(self->careful), slots, (size_t)self->slots * sizeof *slots);
    single_run(self->careful);
    single_results(self->careful, outputs, gradients);
    free(outputs);
    return 0;
}

/* Plan one scenario, if that was not done; return where its slots are to be written, or NULL with an exception. */
static double *
slots_of_plan(Replay *self, bool gradient)
{
    if (self->rolled != NULL && self->stretches == NULL && !self->is_irregular) {
        bool failed;
        self->stretches = stretches_new(self->rolled->rolled, self->result, self->seeds, self->outputs, self->wrt,
                                        self->wrt_count, self->fast, &failed);
        self->is_irregular = self->stretches == NULL && !failed;
    }
    if (self->rolled != NULL && !self->is_irregular) {
        double *slots = self->stretches != NULL ? stretches_slots(self->stretches) : NULL;
        return slots != NULL ? slots : (double *)PyErr_NoMemory();
    }
    Single **plan = gradient ? &self->gradient : &self->forward;
    if (*plan == NULL && need_stages(self) < 0) {
        return NULL;
    }
    if (*plan == NULL) { /* asked again: Python code has run */
        *plan = single_new(self->stage[gradient ? ADJOINT : CHAINS]);
    }
    return *plan != NULL ? single_slots(*plan) : (double *)PyErr_NoMemory();
}

/* Run the plan whose slots are filled. */
static int
run_filled(Replay *self, bool gradient, const double *slots, double *outputs, double *gradients)
{
    bool is_fine;
    if (self->stretches != NULL) {
        is_fine = stretches_run(self->stretches, outputs, gradient ? gradients : NULL);
    }
    else {
        Single *plan = gradient ? self->gradient : self->forward;
        single_run(plan);
        is_fine = single_results(plan, outputs, gradients);
    }
    int status = 0;
    double *own = NULL; /* run_carefully may run Python code that runs this plan */
    if (!is_fine) {
        own = malloc(((size_t)self->slots + 1) * sizeof *own);
        if (own == NULL) {
            PyErr_NoMemory();
            status = -1;
        }
        else {
            memcpy(own, slots, (size_t)self->slots * sizeof *own);
            slots = own;
            status = run_carefully(self, slots, gradients);
        }
    }
    bool counts = !self->guarded || outputs[self->outputs - 1] == 0.0;
    if (status == 0 && self->calls != NULL && counts) {
        double *row = self->calls + (self->calls_made++ % self->calls_kept) * self->slots;
        memcpy(row, slots, (size_t)self->slots * sizeof *row);
    }
    free(own);
    if (self->stretches != NULL) {
        stretches_rest(self->stretches);
    }
    return status;
}

static int
run_in_double_precision(Replay *self, bool gradient, const Segments *segments, double *outputs,
                        double *gradients)
{
    double *slots = slots_of_plan(self, gradient);
    if (slots == NULL) {
        return -1;
    }
    copy_segments(segments, slots);
    return run_filled(self, gradient, slots, outputs, gradients);
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

/* Whether a method has as many arguments as it takes. */
static bool
has_arguments(Py_ssize_t count, Py_ssize_t wanted, const char *takes)
{
    if (count != wanted) {
        PyErr_SetString(PyExc_TypeError, takes);
    }
    return count == wanted;
}

static PyObject *
run_into(Replay *self, PyObject *segments, PyObject *outputs_object, PyObject *grads_object)
{
    Py_buffer outputs, grads = {0};
    if (doubles_of(outputs_object, &outputs, "outputs", self->outputs, true) < 0) {
        return NULL;
    }
    int status = -1;
    if (grads_object == NULL || doubles_of(grads_object, &grads, "grads", self->wrt_count, true) == 0) {
        status = run_single(self, grads_object != NULL && self->wrt_count > 0, segments, outputs.buf, grads.buf);
    }
    PyBuffer_Release(&outputs);
    PyBuffer_Release(&grads); /* nothing, where none was taken */
    return status < 0 ? NULL : Py_NewRef(Py_None);
}

static PyObject *
replay_value(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    return has_arguments(count, 2, "value takes segments and outputs")
               ? run_into((Replay *)object, args[0], args[1], NULL)
               : NULL;
}

static PyObject *
replay_value_and_grad(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    return has_arguments(count, 3, "value_and_grad takes segments, outputs and grads")
               ? run_into((Replay *)object, args[0], args[1], args[2])
               : NULL;
}

static PyObject *
replay_keep_calls(PyObject *object, PyObject *most)
{
    Replay *self = (Replay *)object;
    Py_ssize_t rows = PyNumber_AsSsize_t(most, PyExc_OverflowError);
    if (rows == -1 && PyErr_Occurred()) {
        return NULL;
    }
    if (rows < 1 || rows > MOST_ITEMS || (self->slots > 0 && rows > MOST_ITEMS / self->slots)) {
        PyErr_Format(PyExc_ValueError, "keep_calls takes a count of rows, not %zd", rows);
        return NULL;
    }
    double *calls = malloc(((size_t)rows * (size_t)self->slots + 1) * sizeof *calls);
    if (calls == NULL) {
        return PyErr_NoMemory();
    }
    free(self->calls);
    self->calls = calls;
    self->calls_kept = rows;
    self->calls_made = 0;
    Py_RETURN_NONE;
}

static PyObject *
replay_calls(PyObject *object, void *Py_UNUSED(closure))
{
    Replay *self = (Replay *)object;
    int64_t rows = self->calls_made < self->calls_kept ? self->calls_made : self->calls_kept;
    Py_ssize_t size = (Py_ssize_t)rows * self->slots * (Py_ssize_t)sizeof(double);
    long long made = self->calls_made;
    /* Copied first: making the tuple may collect garbage, and a finaliser may call keep_calls. */
    PyObject *kept = PyBytes_FromStringAndSize(size > 0 ? (const char *)self->calls : "", size);
    return kept == NULL ? NULL : Py_BuildValue("LN", made, kept);
}

/* Run on Python arguments and the `captured` numbers, which fill the last slots. Returns 1, or 0 if the arguments do not
 * match the structure or a guard fails, or -1 with an exception. */
static int
run_on_arguments(Replay *self, bool gradient, PyObject *specs, PyObject *args, const Py_buffer *captured,
                 double *outputs, double *gradients)
{
    if (self->float32 || !PyTuple_CheckExact(specs) || !PyTuple_CheckExact(args) ||
        PyTuple_GET_SIZE(specs) != PyTuple_GET_SIZE(args)) {
        return 0;
    }
    double *slots = slots_of_plan(self, gradient);
    if (slots == NULL) {
        return -1;
    }
    double *to = slots, *end = to + self->slots; /* from here on no Python code runs: see structure.h */
    for (Py_ssize_t k = 0; k < PyTuple_GET_SIZE(specs); k++) {
        if (!structure_read(PyTuple_GET_ITEM(specs, k), PyTuple_GET_ITEM(args, k), &to, end)) {
            return 0;
        }
    }
    if ((end - to) * (Py_ssize_t)sizeof *to != (captured != NULL ? captured->len : 0)) {
        return 0;
    }
    if (captured != NULL) {
        memcpy(to, captured->buf, (size_t)captured->len);
    }
    if (run_filled(self, gradient, slots, outputs, gradients) < 0) {
        return -1;
    }
    return !self->guarded || outputs[self->outputs - 1] == 0.0;
}

enum { SOME = 64 }; /* numbers that need no memory of their own */

/* Return the result, or the value and its gradients by name; NotImplemented where run_on_arguments returns 0. */
static PyObject *
built(Replay *self, bool gradient, PyObject *const *args)
{
    size_t outputs = (size_t)self->outputs, count = outputs + (gradient ? (size_t)self->wrt_count : 0);
    double few[SOME], *numbers = count <= SOME ? few : malloc(count * sizeof *numbers);
    if (numbers == NULL) {
        return PyErr_NoMemory();
    }
    PyObject *result = NULL;
    int status = run_on_arguments(self, gradient && self->wrt_count > 0, args[0], args[1], NULL, numbers,
                                  numbers + outputs);
    if (status == 0) {
        result = Py_NewRef(Py_NotImplemented);
    }
    else if (status > 0) {
        const double *from = numbers + (gradient ? outputs : 0);
        result = structure_build(args[2], &from, numbers + count - (gradient ? 0 : self->guarded), args[3]);
        if (result != NULL && gradient) {
            result = Py_BuildValue("dN", numbers[0], result);
        }
    }
    if (numbers != few) {
        free(numbers);
    }
    return result;
}

static PyObject *
replay_call(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    return has_arguments(count, 4, "call takes structures, arguments, the result's structure and array")
               ? built((Replay *)object, false, args)
               : NULL;
}

/* Whether there is one output that gradients are of. */
static bool
has_one_output(const Replay *self)
{
    if (self->outputs != 1 + self->guarded) {
        PyErr_SetString(PyExc_TypeError, "a gradient is of one output");
        return false;
    }
    return true;
}

static PyObject *
replay_call_with_gradient(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    return has_arguments(count, 4, "call_with_gradient takes structures, arguments, the structure of the gradients and "
                                   "array") &&
                   has_one_output((Replay *)object)
               ? built((Replay *)object, true, args)
               : NULL;
}

static PyObject *
replay_call_into(PyObject *object, PyObject *const *args, Py_ssize_t count)
{
    Replay *self = (Replay *)object;
    if (!has_arguments(count, 4, "call_into takes structures, arguments, captured numbers and grads") ||
        !has_one_output(self)) {
        return NULL;
    }
    Py_buffer captured, grads;
    if (doubles_of(args[2], &captured, "captured", -1, false) < 0) {
        return NULL;
    }
    if (doubles_of(args[3], &grads, "grads", self->wrt_count, true) < 0) {
        PyBuffer_Release(&captured);
        return NULL;
    }
    double outputs[2];
    int status = run_on_arguments(self, self->wrt_count > 0, args[0], args[1], &captured, outputs, grads.buf);
    PyBuffer_Release(&captured);
    PyBuffer_Release(&grads);
    return status < 0 ? NULL : status == 0 ? Py_NewRef(Py_NotImplemented) : PyFloat_FromDouble(outputs[0]);
}

/* ── The type ───────────────────────────────────────────────────────────────────────────────── */

static PyMethodDef replay_methods[] = {
    {"value", (PyCFunction)(void (*)(void))replay_value, METH_FASTCALL,
     "value(segments, outputs)\n--\n\nCompute the outputs."},
    {"value_and_grad", (PyCFunction)(void (*)(void))replay_value_and_grad, METH_FASTCALL,
     "value_and_grad(segments, outputs, grads)\n--\n\nCompute the outputs and the gradients."},
    {"call", (PyCFunction)(void (*)(void))replay_call, METH_FASTCALL,
     "call(specs, arguments, result, array)\n--\n\n"
     "Return the result for these arguments; NotImplemented where they are of another structure, or a guard fails."},
    {"call_with_gradient", (PyCFunction)(void (*)(void))replay_call_with_gradient, METH_FASTCALL,
     "call_with_gradient(specs, arguments, gradients, array)\n--\n\n"
     "Return the value and its gradients; NotImplemented where `call` returns it."},
    {"call_into", (PyCFunction)(void (*)(void))replay_call_into, METH_FASTCALL,
     "call_into(specs, arguments, captured, grads)\n--\n\n"
     "Return the value and write its gradients; NotImplemented where `call` returns it."},
    {"map", replay_map, METH_VARARGS,
     "map(buffers, where, offset, stride, count, outputs, grads, sums, threads)\n--\n\n"
     "Run many scenarios; threads share them, and do not change the numbers."},
    {"stage", replay_stage, METH_O,
     "stage(name)\n--\n\nReturn the program after a pass: codes, starts, args, numbers, origins, results, "
     "outputs, forward."},
    {"blocks", replay_blocks, METH_O,
     "blocks(gradient)\n--\n\nReturn what is executed: code, row, more, I, J, K, listed; one row a block."},
    {"keep_calls", replay_keep_calls, METH_O,
     "keep_calls(most)\n--\n\nKeep the slots of the last runs of one scenario, so many at most."},
    {"lanes", replay_lanes, METH_NOARGS, "lanes()\n--\n\nReturn the steps over many scenarios, as text."},
    {NULL, NULL, 0, NULL},
};

static PyGetSetDef replay_getset[] = {
    {"calls", replay_calls, NULL, "how many runs there were since keep_calls, and the rows that are kept", NULL},
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

PyType_Spec replay_spec = {
    .name = "gradwalk.program._replay.Replay",
    .basicsize = sizeof(Replay),
    .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_IMMUTABLETYPE,
    .slots = replay_slots,
};
