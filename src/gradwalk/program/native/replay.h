/* Replay, the type that runs a recorded program: twin of interpreter.Replay. Map of its files:
 *
 *     replay.c             making one, and running one scenario               (start reading here)
 *     replay_map.c         many scenarios: plans, buffers, threads and signals
 *     replay_rolled.c      the type Rolled, a long program with its loops rolled up, of which a Replay can be made
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
#include "stretches.h"

typedef struct {
    PyObject *program_error;
    PyTypeObject *replay_type, *rolled_type;
    Recorder recorder;
} State;

enum { TIDY, CHAINS, ADJOINT, STAGE_COUNT };
extern const char *const stage_names[STAGE_COUNT];

typedef struct {
    PyObject_HEAD
    Rolled *rolled;
} RolledObject;

typedef struct {
    PyObject_HEAD
    Ir *stage[STAGE_COUNT]; /* of a rolled program made when needed; ADJOINT is NULL when there is nothing to
                               differentiate by */
    RolledObject *rolled;   /* what it was made of, or NULL */
    Stretches *stretches;   /* runs one scenario of it; NULL until needed */
    bool is_irregular;      /* no stretches can be made of it */
    Single *forward, *gradient, *careful; /* plans; the last is of pass_careful. NULL until needed */
    struct Plan *plans; /* for many scenarios, the last used first */
    int32_t *wrt, *result; /* the results as recorded */
    double *seeds;
    int32_t wrt_count, slots, outputs, recorded; /* counts */
    double *calls; /* the slots of the last single runs, a ring of calls_kept rows; NULL: not kept */
    int64_t calls_kept, calls_made;
    bool float32, fast;
    bool guarded; /* the last output is the verdict: 0, or which guard has failed */
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
enum { MOST_ITEMS = INT32_MAX / 8 }; /* the limit of every count, so that sums of a few counts do not overflow */
int read_program(State *state, Py_buffer *codes, Py_buffer *starts, Py_buffer *args, Py_buffer *numbers,
                 Py_buffer *outputs, int slots, Py_buffer *slot_of, Ir *ir);
int need_stages(Replay *self); /* -1 with an exception */
void copy_segments(const Segments *segments, double *slots);

/* replay_map.c */
int run_in_single_precision(Replay *self, bool gradient, const Segments *segments, double *outputs,
                            double *gradients);
PyObject *replay_map(PyObject *object, PyObject *args);

/* replay_rolled.c */
extern PyType_Spec rolled_spec;
PyObject *module_roll(PyObject *module, PyObject *args);

/* replay_inspection.c */
PyObject *replay_sizes(PyObject *object, void *closure);
PyObject *replay_stage(PyObject *object, PyObject *name);
PyObject *replay_blocks(PyObject *object, PyObject *with_gradient);
PyObject *replay_stages(PyObject *object, void *closure);
PyObject *replay_lanes(PyObject *object, PyObject *unused);

#endif
