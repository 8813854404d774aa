// What an ensemble is made of, before its first run: steps with their inputs, parameters, and what
// is kept of each run.
#ifndef TML_RUNTIME_ENSEMBLE_PLAN_H
#define TML_RUNTIME_ENSEMBLE_PLAN_H

#include "runtime/run/options.h"

// A property that varies, or an output: doubles of each run, as the store, files and tables have
// them.
typedef struct Part {
    const tml_variable *variable;
    uint64_t numel;    // scalars of the variable
    uint64_t steps;    // that are kept of it: 1, or all of an output
    const char *space; // "p." or "", before its name
} Part;

typedef struct Plan {
    const Options *options;
    const tml_model *model;
    uint64_t runs, steps;
    char *inputs; // structs, one for each step
    size_t inputs_capacity;
    const char *params; // of all runs, or one struct for all
    size_t params_stride;
    char *rows;   // of --params: a struct for each run, or NULL
    bool *varies; // for each variable: whether it is a property that runs have different values of
    size_t part_count;
    Part *parts; // properties that vary, then outputs, as the source has them
} Plan;

// False after saying what is wrong. Either way tml_plan_free must follow.
bool tml_plan_make(Plan *plan, const Options *options);
void tml_plan_free(Plan *plan);

static inline bool part_is_output(const Part *part) {
    return part->variable->role == TML_OUTPUT;
}

static inline uint64_t part_scalars(const Part *part) {
    return part->numel * part->steps;
}

#endif
