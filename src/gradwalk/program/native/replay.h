/* Replay, the type that runs a recorded program: twin of interpreter.Replay. Map of its files:
 *
 *     replay.c             making one, and running one scenario               (start reading here)
 *     replay_map.c         many scenarios: plans, buffers, threads and signals
 *     replay_inspection.c  what the passes and the plans look like, for people
 *     module.c             the module _replay, which holds the type and the recorder
 */
#ifndef GRADWALK_REPLAY_H
#define GRADWALK_REPLAY_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "buffers.h"
#include "lanes.h"
#include "recorder/tape.h"
#include "single.h"

typedef struct {
    PyObject *program_error;
    PyTypeObject *replay_type;
    Recorder recorder;
} State;

enum { TIDY, CHAINS, ADJOINT, STAGE_COUNT };
extern const char *const stage_names[STAGE_COUNT];

typedef struct {
    PyObject_HEAD
    Ir *stage[STAGE_COUNT]; /* ADJOINT is NULL when there is nothing to differentiate by */
    Ir *careful;            /* of pass_careful; NULL until needed */
    Single *forward, *gradient;
    struct Plan *plans; /* for many scenarios, the last used first */
    int32_t *wrt;
    int32_t wrt_count, slots, outputs, recorded; /* counts */
    double *calls; /* the slots of the last single runs, a ring of calls_kept rows; NULL: not kept */
    int64_t calls_kept, calls_made;
    bool float32;
} Replay;

/* A plan for many scenarios is made for one choice of the slots they share. */
typedef struct Plan {
    struct Plan *next;
    Lanes *lanes;
    bool gradient, sums, busy;
    uint8_t shared[]; /* by slot */
} Plan;

/* The segments of one call, held until the run is over. A buffer's own code, which could even run this program, is
 * called only before the copy and after the run. */
enum { FEW = 8 };
typedef struct {
    PyObject *items;
    Py_ssize_t count;
    Py_buffer few[FEW], *views;
} Segments;

/* module.c */
State *state_of_type(PyTypeObject *type);

/* replay.c */
extern PyType_Spec replay_spec;
int run_flat(Replay *self, bool gradient, const double *slots, double *outputs, double *gradients);
void copy_segments(const Segments *segments, double *slots);

/* replay_map.c */
int run_in_single_precision(Replay *self, bool gradient, const Segments *segments, double *outputs,
                            double *gradients);
PyObject *replay_map(PyObject *object, PyObject *args);

/* replay_inspection.c */
PyObject *replay_sizes(PyObject *object, void *closure);
PyObject *replay_stage(PyObject *object, PyObject *name);
PyObject *replay_blocks(PyObject *object, PyObject *with_gradient);
PyObject *replay_stages(PyObject *object, void *closure);
PyObject *replay_lanes(PyObject *object, PyObject *unused);

#endif
