/* Running a plan: blocks of scenarios, on threads, and what is done on their sums. Start reading at lanes_run.
 */

#ifdef __linux__
#define _GNU_SOURCE /* sched_getcpu, cpu_set_t */
#endif

#include "lanes_code.h"

#include <stdio.h>
#include <string.h>

#if THREADS
#include <stdatomic.h>
#include <time.h>
#endif
#ifdef __linux__
#include <sched.h>
#endif

/* ── Levels ─────────────────────────────────────────────────────────────────────────────────── */

PROCESSOR_DECLARE(Level, lanes_level);

static enum { WHERE_IT_PAYS, ALWAYS, NOT } chosen_code;

const Level *
lanes_level(int level)
{
    static const Level *const table[PROCESSOR_LEVELS] = PROCESSOR_TABLE(lanes_level);
    return table[level];
}

bool
lanes_choose(const char *level)
{
    char name[16];
    const char *code = level != NULL ? strstr(level, " code") : NULL;
    snprintf(name, sizeof name, "%.*s", code != NULL ? (int)(code - level) : 0, level != NULL ? level : "");
    if ((code != NULL && !LANES_CODE) || !processor_choose(code != NULL ? name : level)) {
        return false;
    }
    chosen_code = code != NULL ? ALWAYS : level != NULL ? NOT : WHERE_IT_PAYS;
    return true;
}

/* ── Running ────────────────────────────────────────────────────────────────────────────────── */

enum { AT_ONCE = 1 << 22 }; /* gradients that may be held beside the results */

/* The memory of one thread; the plan keeps it between runs. */
struct Worker {
    Worker *next;
    void *block;      /* of `memory` and `totals`, as allocated */
    char *memory;
    double *totals;   /* a vector each */
    uint8_t *bad;
    int64_t *row;     /* scenarios to be done again */
    int32_t row_count, row_room;
    bool listens;     /* it is the caller's own thread */
};

static void
worker_free(Worker *worker)
{
    if (worker != NULL) {
        free(worker->block);
        free(worker->bad);
        free(worker->row);
        free(worker);
    }
}

static size_t
slot_bytes(const Lanes *plan)
{
    return (size_t)plan->slot_count * (size_t)plan->lanes * (plan->single ? 4 : 8);
}

static size_t
round_up(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static Worker *
worker_new(const Lanes *plan)
{
    Worker *worker = calloc(1, sizeof *worker);
    if (worker == NULL) {
        return NULL;
    }
    size_t slots = round_up(slot_bytes(plan));
    size_t totals = round_up((size_t)plan->total_count * (size_t)plan->width * sizeof(double));
    worker->block = malloc(slots + totals + 64);
    worker->bad = calloc((size_t)plan->lanes, 1);
    int64_t rows = AT_ONCE / (plan->ir->result_count + 1) + 1;
    worker->row_room = (int32_t)(rows < plan->lanes ? rows : plan->lanes);
    worker->row = malloc((size_t)worker->row_room * sizeof *worker->row);
    if (worker->block == NULL || worker->bad == NULL || worker->row == NULL) {
        worker_free(worker);
        return NULL;
    }
    worker->memory = (char *)(((uintptr_t)worker->block + 63) / 64 * 64);
    worker->totals = (double *)(void *)(worker->memory + slots);
    return worker;
}

static Worker *
worker_take(Lanes *plan)
{
    lock_take(&plan->lock);
    Worker *worker = plan->idle;
    if (worker != NULL) {
        plan->idle = worker->next;
    }
    lock_give(&plan->lock);
    return worker != NULL ? worker : worker_new(plan);
}

static void
worker_give(Lanes *plan, Worker *worker)
{
    lock_take(&plan->lock);
    worker->next = plan->idle;
    plan->idle = worker;
    lock_give(&plan->lock);
}

void
lanes_free(Lanes *plan)
{
    if (plan == NULL) {
        return;
    }
    while (plan->idle != NULL) {
        Worker *worker = plan->idle;
        plan->idle = worker->next;
        worker_free(worker);
    }
    arena_end(&plan->memory);
    for (int kind = 0; kind < INPUTS_KINDS; kind++) {
        lanes_code_free(plan->code[kind]);
    }
    lanes_free(plan->careful);
    ir_free(plan->careful_ir);
    lock_end(&plan->lock);
    free(plan);
}

LanesSizes
lanes_sizes(const Lanes *plan)
{
    int64_t code = 0;
    for (int kind = 0; kind < INPUTS_KINDS; kind++) {
        code += (int64_t)lanes_code_bytes(plan->code[kind]);
    }
    return (LanesSizes){
        .steps = plan->step_count,
        .slots = plan->slot_count,
        .lanes = plan->lanes,
        .bytes = (int64_t)slot_bytes(plan),
        .plan_bytes = (int64_t)(sizeof *plan + (size_t)plan->step_count * sizeof(Step) +
                                (size_t)plan->table_count * sizeof(int32_t) +
                                (size_t)plan->uniform_count * sizeof(Uniform) +
                                (size_t)plan->ir->count * (3 * sizeof(int32_t) + 1)) +
                      code,
        .code = code,
        .uniform = plan->once_count,
        .varying = plan->varying,
        .totals = plan->total_count,
        .level = plan->level->name,
    };
}

size_t
lanes_text(const Lanes *plan, char *to, size_t room)
{
    static const char *const names[] = {
#define STEP(name, reads, writes) #name,
        LANES_OTHER(STEP)
#undef STEP
    };
    size_t used = 0;
    for (int32_t k = 0; k < plan->step_count; k++) {
        const Step *step = &plan->steps[k];
        int wrote = snprintf(used < room ? to + used : NULL, used < room ? room - used : 0,
                             "%d %s %d %d %d %d\n", k,
                             step->step < ROW_COUNT ? row_name(step->step) : names[step->step - ROW_COUNT], step->out,
                             step->x, step->y, step->z);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
    return used;
}

/* One call of lanes_run. */
typedef struct {
    Lanes *plan;
    const LanesCode *code; /* for whole blocks, or NULL */
    const char *const *base;
    const int64_t *stride;
    int64_t count, chunk, chunks; /* scenarios; scenarios of a chunk */
    double *outputs, *grads;
    double **result;
    int64_t *result_stride;
    double *uniform, *spread;
    bool careful;      /* every scenario by the careful plan */
    double *sums;      /* chunks × (totals, gradients that the careful plan gave, scenarios that it ran) */
    int32_t sum_count;
    double left;       /* scenarios that the careful plan did not run */
    int threads;
    Watch *watch;
    Lock lock;
#if THREADS
    atomic_int helping; /* threads beside the caller's that have not ended */
    atomic_llong next;
    atomic_int status;
#else
    long long next;
    int status;
#endif
} Run;

/* Check for signals; only on the caller's thread. */
static bool
heard_stop(const Run *run)
{
    if (run->watch->listen != NULL) {
        run->watch->listen(run->watch);
    }
    return run->watch->stop != 0;
}

static bool
is_stopped(const Run *run, const Worker *worker)
{
    return worker->listens ? heard_stop(run) : run->watch->stop != 0;
}

/* Return the careful plan, in which a gradient of 0 passes nothing on; NULL without memory. */
static Lanes *
careful_plan(Lanes *plan)
{
    lock_take(&plan->lock);
    if (plan->careful_ir == NULL) {
        plan->careful_ir = pass_careful(plan->ir, NULL);
    }
    if (plan->careful == NULL && plan->careful_ir != NULL) {
        plan->careful = lanes_new(plan->careful_ir, plan->shared, NULL, false, plan->single);
        if (plan->careful != NULL) {
            plan->careful->is_careful = true;
        }
    }
    lock_give(&plan->lock);
    return plan->careful;
}

/* Recompute the gradients of `count` scenarios with the careful plan. `row` lists the scenarios; if it is NULL, they
 * start at `first`. Returns 0 or a status. */
static int
differentiate_carefully(const Run *run, const int64_t *row, int64_t first, int64_t count, double *grads)
{
    const Ir *ir = run->plan->ir;
    size_t slots = (size_t)ir->slots, copied = row != NULL ? slots * (size_t)count : 0;
    Lanes *careful = careful_plan(run->plan);
    const char **base = malloc((slots + 1) * sizeof *base);
    int64_t *stride = malloc((slots + 1) * sizeof *stride);
    double *outputs = malloc(((size_t)count * (size_t)ir->outputs + copied + 1) * sizeof *outputs);
    int status = LANES_NO_MEMORY;
    if (careful != NULL && base != NULL && stride != NULL && outputs != NULL) {
        double *rows = outputs + count * ir->outputs;
        for (int32_t s = 0; s < ir->slots; s++) {
            bool copy = row != NULL && run->stride[s] != 0;
            for (int64_t k = 0; k < count && copy; k++) {
                memcpy(&rows[k * ir->slots + s], run->base[s] + row[k] * run->stride[s], sizeof(double));
            }
            base[s] = copy ? (const char *)&rows[s] : run->base[s] + first * run->stride[s];
            stride[s] = copy ? (int64_t)(slots * sizeof(double)) : run->stride[s];
        }
        status = lanes_run(careful, base, stride, count, outputs, grads, NULL, 1, NULL);
    }
    free(base);
    free(stride);
    free(outputs);
    return status;
}

/* Recompute the gradients that are not finite, of the bad scenarios that `worker` has collected. */
static int
redo_rows(Run *run, Worker *worker)
{
    const Lanes *plan = run->plan;
    const Ir *ir = plan->ir;
    int64_t gradients = ir->result_count - ir->outputs, count = worker->row_count;
    worker->row_count = 0;
    if (count == 0 || is_stopped(run, worker)) {
        return count == 0 ? LANES_DONE : LANES_STOPPED;
    }
    double *grads = calloc((size_t)(count * gradients), sizeof *grads);
    int status = grads == NULL ? LANES_NO_MEMORY : differentiate_carefully(run, worker->row, 0, count, grads);
    for (int64_t k = 0; k < count && status == LANES_DONE; k++) {
        for (int32_t r = ir->outputs; r < ir->result_count; r++) {
            if (run->result[r] != NULL && plan->result_kind[r] == RESULT_LANE) {
                double *to = run->result[r] + worker->row[k] * run->result_stride[r];
                *to = isfinite(*to) ? *to : grads[k * gradients + (r - ir->outputs)];
            }
        }
    }
    free(grads);
    return status;
}

/* Recompute the gradients of a block of scenarios, and add them to the sums of the chunk. */
static int
redo_totals(Run *run, const Worker *worker, int64_t chunk, int64_t first, int64_t end)
{
    const Lanes *plan = run->plan;
    const Ir *ir = plan->ir;
    int64_t gradients = ir->result_count - ir->outputs, most = AT_ONCE / (gradients + 1) + 1;
    double *direct = run->sums + chunk * run->sum_count + plan->total_count;
    end = end < first + plan->lanes ? end : first + plan->lanes;
    direct[gradients] += (double)(end - first);
    most = most < end - first ? most : end - first;
    double *grads = calloc((size_t)(most * gradients), sizeof *grads);
    int status = grads == NULL ? LANES_NO_MEMORY : LANES_DONE;
    for (int64_t i = first; i < end && status == LANES_DONE; i += most) {
        int64_t count = most < end - i ? most : end - i;
        status = is_stopped(run, worker) ? LANES_STOPPED : differentiate_carefully(run, NULL, i, count, grads);
        for (int64_t k = 0; k < count && status == LANES_DONE; k++) {
            for (int32_t r = ir->outputs; r < ir->result_count; r++) {
                if (plan->result_kind[r] == RESULT_TOTAL) {
                    direct[r - ir->outputs] += grads[k * gradients + (r - ir->outputs)];
                }
            }
        }
    }
    free(grads);
    return status;
}

/* Collect the bad scenarios of a block, and recompute them once they fill a block. */
static int
put_aside(Run *run, Worker *worker, int64_t first, int32_t valid)
{
    int status = LANES_DONE;
    for (int32_t lane = 0; lane < valid && status == LANES_DONE; lane++) {
        if (worker->bad[lane]) {
            worker->row[worker->row_count++] = first + lane;
        }
        if (worker->row_count == worker->row_room) {
            status = redo_rows(run, worker);
        }
    }
    return status;
}

static int
run_block(Run *run, Worker *worker, int64_t first, int64_t end)
{
    Lanes *plan = run->plan;
    Block block = {
        .steps = plan->steps,
        .memory = worker->memory,
        .uniform = run->uniform,
        .spread = run->spread,
        .table = plan->table,
        .totals = worker->totals,
        .base = run->base,
        .stride = run->stride,
        .first = first,
        .valid = (int32_t)(end - first < plan->lanes ? end - first : plan->lanes),
        .result = run->result,
        .result_stride = run->result_stride,
        .outputs = plan->ir->outputs,
        .bad = worker->bad,
        .stop = &run->watch->stop,
    };
    bool coded = run->code != NULL && block.valid == plan->lanes;
    int status = coded ? lanes_code_run(run->code, &block, plan->run) : plan->run(&block);
    if (block.bad_count > 0) {
        if (status == 0 && !plan->is_careful) {
            status = put_aside(run, worker, first, block.valid);
        }
        memset(worker->bad, 0, (size_t)plan->lanes);
    }
    return status;
}

/* Add the totals to the sums of the chunk. If one is not finite, add nothing and return false. */
static bool
add_totals(const Run *run, const Worker *worker, double *sums)
{
    const Lanes *plan = run->plan;
    int width = plan->width;
    bool finite = true;
    for (int32_t k = 0; k < plan->total_count; k++) {
        double sum = 0.0;
        for (int lane = 0; lane < width; lane++) {
            sum += worker->totals[(size_t)k * (size_t)width + (size_t)lane];
        }
        finite = finite && isfinite(sum);
        worker->totals[(size_t)k * (size_t)width] = sum;
    }
    for (int32_t k = 0; k < plan->total_count && finite; k++) {
        sums[k] += worker->totals[(size_t)k * (size_t)width];
    }
    return finite;
}

static void
clear_totals(const Lanes *plan, Worker *worker)
{
    memset(worker->totals, 0, (size_t)plan->total_count * (size_t)plan->width * sizeof(double));
}

static int
run_chunk(Run *run, Worker *worker, int64_t chunk)
{
    Lanes *plan = run->plan;
    int64_t first = chunk * run->chunk;
    int64_t end = first + run->chunk < run->count ? first + run->chunk : run->count;
    int status = 0;
    if (run->careful) {
        for (int64_t i = first; i < end && status == 0; i += plan->lanes) {
            status = redo_totals(run, worker, chunk, i, end);
        }
        return status;
    }
    clear_totals(plan, worker);
    for (int64_t i = first; i < end && status == 0; i += plan->lanes) {
        status = is_stopped(run, worker) ? LANES_STOPPED : run_block(run, worker, i, end);
    }
    double *sums = run->sums + chunk * run->sum_count;
    if (status == 0 && plan->total_count > 0 && !add_totals(run, worker, sums)) {
        /* A total is not finite, from 0·inf or a true nan or inf. Find the blocks, and recompute those with the
         * careful plan. */
        worker->row_count = 0; /* they are found once more */
        for (int64_t i = first; i < end && status == 0; i += plan->lanes) {
            clear_totals(plan, worker);
            status = is_stopped(run, worker) ? LANES_STOPPED : run_block(run, worker, i, end);
            if (status == 0 && !add_totals(run, worker, sums)) {
                status = redo_totals(run, worker, chunk, i, end);
            }
        }
    }
    return status == 0 ? redo_rows(run, worker) : status;
}

/* Take some chunks in a row, because a block fetches the first inputs of the block after it. Toward the end they are
 * fewer, so that all threads end at about the same time. Returns how many; 0: there are none left. */
static int64_t
take_chunks(Run *run, int64_t *first)
{
    int64_t left = run->chunks - run->next, many = left / (2 * run->threads);
    many = many < 1 ? 1 : many;
#if THREADS
    *first = atomic_fetch_add(&run->next, many);
#else
    *first = run->next;
    run->next += many;
#endif
    left = run->chunks - *first;
    return many < left ? many : left > 0 ? left : 0;
}

static void
work(Run *run, bool listens)
{
    Worker *worker = worker_take(run->plan);
    if (worker == NULL) {
        run->status = LANES_NO_MEMORY;
        return;
    }
    worker->listens = listens;
    worker->row_count = 0;
    int64_t chunk, many;
    while (run->status == 0 && (many = take_chunks(run, &chunk)) > 0) {
        for (int64_t end = chunk + many; chunk < end && run->status == 0; chunk++) {
            int status = run_chunk(run, worker, chunk);
            if (status != 0) {
                run->status = status;
            }
        }
    }
    worker_give(run->plan, worker);
}

#if THREADS
/* A thread beside the one that called. */
typedef struct {
    Run *run;
    pthread_t thread;
    int number;    /* from 1 on */
    int processor; /* where its maker ran, or -1 */
} Helper;

/* A new thread may start on its creator's processor and wait there for milliseconds while another processor is idle.
 * So it moves once to a processor of its own. After that the system may place it anywhere. */
static void
move_over(const Helper *helper)
{
#ifdef __linux__
    cpu_set_t all, own;
    int at = helper->processor;
    if (at < 0 || at >= CPU_SETSIZE || sched_getaffinity(0, sizeof all, &all) != 0 || !CPU_ISSET(at, &all) ||
        helper->number >= CPU_COUNT(&all)) {
        return;
    }
    for (int left = helper->number; left > 0; left -= CPU_ISSET(at, &all) != 0) {
        at = (at + 1) % CPU_SETSIZE;
    }
    CPU_ZERO(&own);
    CPU_SET(at, &own);
    if (sched_setaffinity(0, sizeof own, &own) == 0) {
        sched_setaffinity(0, sizeof all, &all);
    }
#else
    (void)helper;
#endif
}

static void *
help(void *argument)
{
    Helper *helper = argument;
    Run *run = helper->run;
    move_over(helper);
    work(run, false);
    lock_take(&run->lock);
    run->helping--;
    pthread_cond_signal(&run->lock.ended);
    lock_give(&run->lock);
    return NULL;
}

/* Wait until the helpers have ended; the caller goes on listening. */
static void
await_helpers(Run *run)
{
    for (int spin = 0; spin < 10000 && run->helping > 0; spin++) {
        /* they usually end together with the caller, and being woken takes longer than this loop */
    }
    lock_take(&run->lock);
    while (run->helping > 0) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += 20000000;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        if (pthread_cond_timedwait(&run->lock.ended, &run->lock.mutex, &until) != 0) {
            lock_give(&run->lock);
            heard_stop(run);
            lock_take(&run->lock);
        }
    }
    lock_give(&run->lock);
}
#endif

static int
run_all(Run *run, int threads)
{
    run->next = 0;
    run->status = 0;
    run->threads = threads < 1 ? 1 : threads;
    memset(run->sums, 0, (size_t)run->chunks * (size_t)run->sum_count * sizeof(double));
#if THREADS
    enum { MOST = 256 };
    Helper helper[MOST];
    int started = 0, wanted = threads < MOST ? threads : MOST, processor = -1;
    if (wanted > run->chunks) {
        wanted = (int)run->chunks;
    }
#ifdef __linux__
    processor = wanted > 1 ? sched_getcpu() : -1;
#endif
    for (; started < wanted - 1; started++) {
        helper[started] = (Helper){.run = run, .number = started + 1, .processor = processor};
        run->helping++;
        if (pthread_create(&helper[started].thread, NULL, help, &helper[started]) != 0) {
            run->helping--;
            break;
        }
    }
    work(run, true);
    await_helpers(run);
    for (int k = 0; k < started; k++) {
        pthread_join(helper[k].thread, NULL);
    }
#else
    work(run, true);
#endif
    return run->status;
}

static inline double
scaled(double gradient, double by)
{
    return gradient == 0.0 ? 0.0 : gradient * by;
}

/* Σ of value x over the scenarios that the careful plan did not run: its total, or so many times the uniform value. */
static double
total_at(const Run *run, const double *values, int32_t x)
{
    return run->plan->need[x] & UNIFORM ? scaled(run->left, values[x]) : values[x];
}

/* Return the total of value i from the totals of its operands and the uniform values; `sum` is the part that was
 * summed per scenario. */
static double
late_total(const Run *run, const double *values, int32_t i, double sum)
{
    const Lanes *plan = run->plan;
    const Ir *ir = plan->ir;
    const int32_t *arg = operands(ir, i);
    int count = operand_count(ir, i), code = ir->code[i];
    switch (code) {
    case C_sub:
        return total_at(run, values, arg[0]) - total_at(run, values, arg[1]);
    case C_neg:
        return -total_at(run, values, arg[0]);
    case C_mul:
    case DOT:
    case PULL:
        for (int k = 0; k < count; k += 2) {
            int32_t x = arg[k], y = arg[k + 1];
            if (plan->need[y] & UNIFORM) {
                sum += scaled(total_at(run, values, x), values[y]);
            }
            else if (plan->need[x] & UNIFORM) {
                sum += scaled(total_at(run, values, y), values[x]);
            }
        }
        return sum;
    case C_div:
    case DRAW: {
        double total = total_at(run, values, arg[0]);
        return total == 0.0 ? 0.0 : total / values[arg[1]];
    }
    case GATE:
        return values[arg[1]] > 0.0 ? total_at(run, values, arg[0]) : 0.0;
    case CHOOSE:
        return values[arg[0]] != 0.0 ? total_at(run, values, arg[1]) : 0.0;
    case REFUSE:
        return values[arg[0]] != 0.0 ? 0.0 : total_at(run, values, arg[1]);
    case PICK:
        for (int k = 0; k < count; k += 2) {
            if ((plan->need[arg[k]] & UNIFORM) && trunc(values[arg[k]]) == ir->number[i]) {
                sum += total_at(run, values, arg[k + 1]);
            }
        }
        return sum;
    default: /* add, sum */
        for (int k = 0; k < count; k++) {
            sum += total_at(run, values, arg[k]);
        }
        return sum;
    }
}

/* Add up the chunks in order, then compute all values that are linear in the sums. Returns false if one is not
 * finite. */
static bool
finish_totals(Run *run, double *values, double *totals)
{
    const Lanes *plan = run->plan;
    const Ir *ir = plan->ir;
    double *all = run->sums;
    for (int64_t chunk = 1; chunk < run->chunks; chunk++) {
        for (int32_t k = 0; k < run->sum_count; k++) {
            all[k] += run->sums[chunk * run->sum_count + k];
        }
    }
    run->left = (double)run->count - all[run->sum_count - 1];
    bool finite = true;
    for (int32_t k = 0; k < plan->late_count; k++) {
        int32_t i = plan->late[k];
        double sum = plan->total_of[i] >= 0 ? all[plan->total_of[i]] : 0.0;
        values[i] = plan->is_sum[k] ? sum : late_total(run, values, i, sum);
    }
    for (int32_t r = ir->outputs; r < ir->result_count; r++) {
        if (plan->result_kind[r] == RESULT_TOTAL) {
            double total = total_at(run, values, ir->result[r]);
            finite = finite && isfinite(total);
            total += all[plan->total_count + (r - ir->outputs)]; /* careful already */
            totals[r - ir->outputs] = total;
        }
    }
    return finite;
}

/* Compute the values that are the same in all scenarios. */
static void
run_once(const Run *run, double *values)
{
    const Lanes *plan = run->plan;
    const Ir *ir = plan->ir;
    for (int32_t k = 0; k < plan->once_count; k++) {
        int32_t i = plan->once[k];
        if (ir->code[i] == INPUT) {
            memcpy(&values[i], run->base[(int32_t)ir->number[i]], sizeof(double));
        }
    }
    scalar_run(ir, plan->once, plan->once_count, values);
    for (int32_t k = 0; k < plan->uniform_count; k++) {
        Uniform uniform = plan->uniform[k];
        run->uniform[k] = uniform.value >= 0 ? values[uniform.value] : uniform.number;
    }
    int64_t lanes = run->spread != run->uniform ? lanes_code_lanes(run->code) : 0;
    for (int64_t k = 0; k < plan->uniform_count * lanes; k++) {
        run->spread[k] = run->uniform[k / lanes];
    }
}

/* Room for the uniform numbers as machine code wants them: each in all lanes, for AVX2. */
static double *
spread_of(const Run *run, Arena *memory)
{
    size_t lanes = run->code != NULL ? (size_t)lanes_code_lanes(run->code) : 1;
    if (lanes == 1) {
        return run->uniform;
    }
    void *room = arena_take(memory, (size_t)run->plan->uniform_count * lanes + 8, sizeof(double), ANY_BYTE);
    return (double *)(void *)(((uintptr_t)room + 63) / 64 * 64);
}

/* Where a gradient that all scenarios share is not finite, take the careful one. 0, or a status. */
static int
mend_uniform(const Run *run, double *values)
{
    const Lanes *plan = run->plan;
    const Ir *ir = plan->ir;
    bool finite = true;
    for (int32_t r = ir->outputs; r < ir->result_count; r++) {
        finite = finite && (plan->result_kind[r] != RESULT_UNIFORM || isfinite(values[ir->result[r]]));
    }
    if (finite || plan->is_careful) {
        return LANES_DONE;
    }
    double *grads = calloc((size_t)(ir->result_count - ir->outputs), sizeof *grads);
    int status = grads == NULL ? LANES_NO_MEMORY : differentiate_carefully(run, NULL, 0, 1, grads);
    for (int32_t r = ir->outputs; r < ir->result_count && status == LANES_DONE; r++) {
        if (plan->result_kind[r] == RESULT_UNIFORM) {
            values[ir->result[r]] = grads[r - ir->outputs];
        }
    }
    free(grads);
    return status;
}

static void
place_results(Run *run, const double *values)
{
    const Lanes *plan = run->plan;
    const Ir *ir = plan->ir;
    int32_t gradients = ir->result_count - ir->outputs;
    for (int32_t r = 0; r < ir->result_count; r++) {
        bool gradient = r >= ir->outputs;
        double *to = gradient ? run->grads : run->outputs;
        run->result_stride[r] = gradient ? gradients : ir->outputs;
        run->result[r] = to == NULL || plan->result_kind[r] == RESULT_TOTAL
                             ? NULL
                             : to + (gradient ? r - ir->outputs : r);
        if (run->result[r] != NULL && plan->result_kind[r] == RESULT_UNIFORM) {
            double x = values[ir->result[r]];
            for (int64_t i = 0; i < run->count && (i % 65536 || !heard_stop(run)); i++) {
                run->result[r][i * run->result_stride[r]] = x;
            }
        }
    }
}

/* The chunks depend only on the number of scenarios, so that sums are the same for any number of threads. */
static void
cut(Run *run)
{
    int64_t lanes = run->plan->lanes;
    int64_t blocks = (run->count + lanes - 1) / lanes;
    int64_t most = run->sum_count > 1024 ? 64 : 256;
    int64_t each = (blocks + most - 1) / most;
    run->chunk = each * lanes;
    run->chunks = (run->count + run->chunk - 1) / run->chunk;
}

static int
kind_of_inputs(const Run *run)
{
    const Lanes *plan = run->plan;
    bool rows = true, columns = true;
    for (int32_t k = 0; k < plan->step_count && (rows || columns); k++) {
        for (int32_t a = plan->steps[k].y, i = 0; plan->steps[k].step == STEP_INS && i < 8; i++) {
            rows = rows && run->base[a + i] == run->base[a] + 8 * i && run->stride[a + i] == run->stride[a];
            columns = columns && run->stride[a + i] == sizeof(double);
        }
    }
    return rows ? INPUTS_ROWS : columns ? INPUTS_COLUMNS : INPUTS_ANYWHERE;
}

enum { CODE_PAYS = 64 }; /* from so many blocks on: to write the code takes as long as 50, to run it saves a third */

/* The code for this run, or NULL. */
static const LanesCode *
find_code(const Run *run)
{
    Lanes *plan = run->plan;
    if (chosen_code == NOT || (chosen_code == WHERE_IT_PAYS && run->count < CODE_PAYS * plan->lanes)) {
        return NULL;
    }
    int kind = kind_of_inputs(run);
    lock_take(&plan->lock);
    if (!plan->tried[kind]) {
        plan->tried[kind] = true;
        plan->code[kind] = lanes_code_new(plan, kind, chosen_code == ALWAYS);
    }
    const LanesCode *code = plan->code[kind];
    lock_give(&plan->lock);
    return code;
}

int
lanes_run(Lanes *plan, const char *const *base, const int64_t *stride, int64_t count, double *outputs,
          double *grads, double *totals, int threads, Watch *watch)
{
    const Ir *ir = plan->ir;
    static Watch never; /* stops nothing */
    Run run = {.plan = plan, .base = base, .stride = stride, .count = count,
               .outputs = outputs, .grads = grads, .watch = watch != NULL ? watch : &never};
    run.sum_count = plan->sums ? plan->total_count + (ir->result_count - ir->outputs) + 1 : 0;
    int status = LANES_NO_MEMORY;
    if (totals != NULL && plan->sums) {
        for (int32_t r = ir->outputs; r < ir->result_count && count == 0; r++) {
            totals[r - ir->outputs] = plan->result_kind[r] == RESULT_TOTAL ? 0.0 : totals[r - ir->outputs];
        }
    }
    if (count <= 0) {
        return LANES_DONE;
    }
    cut(&run);
    run.code = find_code(&run);
    lock_begin(&run.lock);
    Arena memory = {NULL};
    double *values = arena_take(&memory, (size_t)ir->count, sizeof *values, ANY_BYTE);
    run.uniform = arena_take(&memory, (size_t)plan->uniform_count, sizeof *run.uniform, ANY_BYTE);
    run.result = arena_take(&memory, (size_t)ir->result_count, sizeof *run.result, ANY_BYTE);
    run.result_stride = arena_take(&memory, (size_t)ir->result_count, sizeof *run.result_stride, ANY_BYTE);
    run.sums = arena_take(&memory, (size_t)run.chunks * (size_t)run.sum_count, sizeof *run.sums, ANY_BYTE);
    run.spread = spread_of(&run, &memory);
    if (memory.failed) {
        goto end;
    }
    run_once(&run, values);
    status = mend_uniform(&run, values);
    if (status != LANES_DONE) {
        goto end;
    }
    place_results(&run, values);
    status = run_all(&run, threads);
    if (status == LANES_DONE && plan->sums && totals != NULL && !finish_totals(&run, values, totals)) {
        /* an inf or nan that only the sums caused: sum the careful gradients of each scenario */
        run.careful = true;
        status = run_all(&run, threads);
        if (status == LANES_DONE) {
            finish_totals(&run, values, totals);
        }
    }
end:
    arena_end(&memory);
    lock_end(&run.lock);
    return status;
}
