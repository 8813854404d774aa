// A component that is run step by step from the prompt, in the reference evaluator, and what its
// terminals had in each step.
#ifndef TMLC_DRIVER_REPL_STEPPER_H
#define TMLC_DRIVER_REPL_STEPPER_H

#include "driver/repl/session.h"

typedef struct Stepper Stepper;

// Takes the compilation of a component over.
Stepper *stepper_create(Compilation *compilation, bool (*stop)(void *data));
void stepper_free(Stepper *stepper);

// Whether the file at `path` is a source of it.
bool stepper_reads(const Stepper *stepper, const char *path);
// The input or tunable property `t.u`, `p.k`, or by its name alone; NULL.
const TirInterface *stepper_settable(const Stepper *stepper, Slice name);
// How its type is spelled.
const char *stepper_type(const Stepper *stepper, const TirInterface *item);
void stepper_set(Stepper *stepper, const TirInterface *item, const TirScalar *scalars);

// Goes back to the state before the first step; properties and inputs stay.
bool stepper_reset(Stepper *stepper, const Session *session, Reply *reply);
// Runs `count` steps, and prints the outputs of the last one. What traps is begun anew.
bool stepper_run(Stepper *stepper, uint64_t count, const Session *session, Reply *reply);

// The terminal's values of all steps, the step first, as numbers (caller frees); its scalars per
// step in *width, how many steps in *count. NULL when there is no terminal of that name.
double *stepper_history(const Stepper *stepper, Slice name, uint32_t *width, uint64_t *count);
// Its terminals and properties, a line each.
void stepper_list(const Stepper *stepper, Buffer *out);
void stepper_names(const Stepper *stepper, void (*take)(void *data, const char *name), void *data);

#endif
