/* Machine code for a plan, where the processor and the system allow it: see lanes_code.c. */
#ifndef GRADWALK_LANES_CODE_H
#define GRADWALK_LANES_CODE_H

#include "lanes_plan.h"
#include "processor.h"

#if GRADWALK_LEVELS & 6 && defined(__unix__)
#define LANES_CODE 1
#else
#define LANES_CODE 0
#endif

typedef struct LanesCode LanesCode;

/* How the eight inputs of each INS lie in memory: side by side, or each with its scenarios side by side. */
enum { INPUTS_ANYWHERE, INPUTS_ROWS, INPUTS_COLUMNS, INPUTS_KINDS };

#if LANES_CODE

/* Code for the steps of a plan, for runs whose inputs lie so. NULL if this processor or this kind of number has none, if it would not pay (`always` makes it all the same), if the
 * system allows no new code, or without memory: then the interpreter gives the same numbers. */
LanesCode *lanes_code_new(const Lanes *plan, int inputs, bool always);
void lanes_code_free(LanesCode *code);
size_t lanes_code_bytes(const LanesCode *code); /* 0 for NULL */

/* How often each uniform number stands in Block.spread: once, or in each lane. */
int lanes_code_lanes(const LanesCode *code);

/* Run a whole block; `interpret` runs the steps without code. */
int lanes_code_run(const LanesCode *code, Block *block, BlockRun interpret);

#else

#define lanes_code_new(plan, inputs, always) NULL
#define lanes_code_free(code)
#define lanes_code_bytes(code) ((size_t)0)
#define lanes_code_lanes(code) 1
#define lanes_code_run(code, block, interpret) interpret(block)

#endif

#endif
