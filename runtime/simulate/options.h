// The command line of a simulation.
#ifndef TML_RUNTIME_SIMULATE_OPTIONS_H
#define TML_RUNTIME_SIMULATE_OPTIONS_H

#include "runtime/abi/model.h"

#include <stdbool.h>

// FILE or NAME=FILE after --in or --out.
typedef struct Binding {
    const tml_variable *terminal; // NULL: all of the direction
    const char *path;
} Binding;

typedef struct ModelOptions {
    const tml_model *model;
    const char *command; // as it was called, for messages
    size_t input_count, output_count;
    Binding *inputs, *outputs;
    void *params;     // the defaults, changed by --set
    bool *set;        // for each variable whether --set has changed it
    bool has_steps;   // whether --steps is given
    uint64_t steps;   // UINT64_MAX without --steps
    uint64_t every;   // 1 without --every
    const char *plot; // or NULL
} ModelOptions;

typedef enum ModelOptionsResult {
    MODEL_OPTIONS_RUN,
    MODEL_OPTIONS_HELP,
    MODEL_OPTIONS_WRONG, // after saying what is wrong
    MODEL_OPTIONS_MEMORY // there is none; said as well
} ModelOptionsResult;

// Every result wants model_options_free.
ModelOptionsResult model_options_parse(ModelOptions *options, const tml_model *model,
                                       const char *command, int argc, char **argv);
void model_options_free(ModelOptions *options);

#endif
