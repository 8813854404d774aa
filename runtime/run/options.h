// The command line of an executable: what its one main has read of it.
#ifndef TML_RUNTIME_RUN_OPTIONS_H
#define TML_RUNTIME_RUN_OPTIONS_H

#include "runtime/abi/model.h"
#include "runtime/ensemble/settings.h"
#include "runtime/file/writer.h"
#include "runtime/simulate/columns.h"
#include "runtime/simulate/condition.h"
#include "runtime/simulate/panels.h"
#include "runtime/simulate/wave.h"

#include <stdbool.h>

// What --in or --out gives: FILE or NAME=FILE; inputs of components may come from elsewhere.
// Programs have names only.
typedef struct Binding {
    const tml_variable *terminal; // NULL: all of the direction
    const char *path;             // or the text of what is no file
    enum { BINDING_FILE, BINDING_WAVE, BINDING_VALUE } kind;
    Wave wave;          // of BINDING_WAVE
    const char *column; // of a CSV file, that holds the terminal under this name; or NULL
    char *file;         // the path, from malloc, where it is a part of the argument; or NULL
} Binding;

typedef struct Bindings {
    size_t count;
    Binding *items;
} Bindings;

typedef struct Options {
    const tml_model *model;
    const char *command;         // as it was called, for messages
    Bindings bindings[2];        // by TML_INPUT, TML_OUTPUT
    void *params;                // the defaults, changed by --set
    void *inputs;                // of a component: the defaults, changed by values of --in
    bool *set;                   // for each variable whether --set has changed it
    bool has_steps;              // whether --steps is given
    uint64_t steps;              // UINT64_MAX without --steps
    Condition until;             // of --until
    bool has_until;              // whether it is given
    uint64_t every;              // 1 without --every
    double dt;                   // seconds of a step; 0: not known
    const char *time;            // the column of CSV by which rows are taken, or NULL
    bool interpolate;            // between these rows
    const char *plot;            // the file, or NULL
    char *plot_default;          // where --plot has signals and no file; from malloc
    Columns groups[PANEL_LIMIT]; // of --plot: the signals of each panel
    size_t group_count;
    Columns watch;                       // of --watch
    const char *trace;                   // or NULL
    bool describes, describes_as_json;   // --describe, --describe=json
    const char *save_state, *from_state; // or NULL
    const char *linearize;               // of --linearize, or NULL
    Ensemble ensemble;                   // of --runs and what belongs to it
    bool strict_columns;                 // columns of CSV that no input has are wrong
} Options;

static inline bool options_are_of_program(const Options *options) {
    return options->model->kind == TML_PROGRAM;
}

// Whether an --in gives this input alone; a file without a name has the others.
bool tml_input_is_named(const Options *options, const tml_variable *terminal);

// --set: assigns a value, written as a TML literal, to a tunable property by L6. False after saying
// what is wrong on standard error.
bool tml_model_set(Options *options, const char *assignment);
// What --help, --describe and --describe=json print.
void tml_help_write(Writer *out, const Options *options);
void tml_description_write(Writer *out, const Options *options);
void tml_description_write_json(Writer *out, const Options *options);

#endif
