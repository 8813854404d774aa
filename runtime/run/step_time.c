// The time of a step: the model's own where it has a `dt`, which --dt may repeat but not change.
#include "runtime/abi/type.h"
#include "runtime/file/formats.h"
#include "runtime/run/given.h"
#include "runtime/run/report.h"
#include "runtime/run/variables.h"
#include "runtime/text/format_scalar.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// The model's `n.dt` or `p.dt`, where that is a number above 0; else 0.
static double dt_of(const Options *options, tml_role role, const char *name,
                    const tml_variable **found) {
    const tml_variable *variable = tml_model_variable(options->model, role, name, 4);
    bool is_number = variable && variable->type && variable->type->depth == 0 &&
                     variable->type->root != TML_BOOL;
    if (!is_number) {
        return 0;
    }
    const char *params = options->params;
    const void *value = role == TML_PARAM ? params + variable->offset : variable->value;
    double dt = tml_scalar_load(variable->type, value);
    if (variable->type->real_bytes == sizeof(float)) { // 0.1 is meant, not the single next to it
        char text[TML_REAL_TEXT_BYTES + 1];
        text[tml_format_scalar(text, variable->type, value)] = '\0';
        dt = strtod(text, NULL);
    }
    if (!(dt > 0) || !isfinite(dt)) {
        return 0;
    }
    *found = variable;
    return dt;
}

// What asks for the time of a step, or NULL.
static const char *needs_time(const Options *options) {
    if (options->time) {
        return "--time";
    }
    if (options->until.needs_time) {
        return "--until";
    }
    const Bindings *inputs = &options->bindings[TML_INPUT];
    for (size_t i = 0; i < inputs->count; i++) {
        const Binding *binding = &inputs->items[i];
        if (binding->kind == BINDING_WAVE && tml_wave_needs_time(&binding->wave)) {
            return tml_wave_name(&binding->wave);
        }
    }
    return NULL;
}

static bool is_csv(const Binding *binding) {
    return binding->kind == BINDING_FILE && !tml_path_is_npy(binding->path);
}

// --time and --interpolate go with files that have rows by time.
static bool time_column_fits(const Options *options) {
    const Bindings *inputs = &options->bindings[TML_INPUT];
    const char *command = options->command, *time = options->time;
    bool any = false;
    if (!time) {
        if (options->interpolate) {
            tml_report(command, "`--interpolate` needs `--time COLUMN`");
        }
        return !options->interpolate;
    }
    for (size_t i = 0; i < inputs->count; i++) {
        const Binding *binding = &inputs->items[i];
        const char *own = binding->column     ? binding->column
                          : binding->terminal ? binding->terminal->name
                                              : NULL;
        bool is_input =
            own ? strcmp(own, time) == 0
                : tml_model_variable(options->model, TML_INPUT, time, strlen(time)) != NULL;
        if (is_csv(binding) && is_input) {
            tml_report(command, "`--time`: the column `%s` is an input", time);
            return false;
        }
        any |= is_csv(binding);
    }
    if (!any) {
        tml_report(command, "`--time` takes rows of CSV files; no input comes from one");
    }
    return any;
}

bool tml_options_settle_time(Options *options) {
    if (!time_column_fits(options)) {
        return false;
    }
    static const struct {
        tml_role role;
        const char *name;
    } places[] = {{TML_CONSTANT, "n.dt"}, {TML_PARAM, "p.dt"}, {TML_CONSTANT, "p.dt"}};
    const tml_variable *found = NULL;
    double dt = 0;
    for (size_t i = 0; i < sizeof places / sizeof places[0] && dt == 0; i++) {
        dt = dt_of(options, places[i].role, places[i].name, &found);
    }
    if (found && options->dt != 0 && options->dt != dt) {
        tml_report(options->command,
                   "`--dt` is %g, the model has `%s.dt` = %g; `%s %s.dt=%g` gives it another",
                   options->dt, found->space, dt, found->role == TML_PARAM ? "--set" : "tmlc -D",
                   found->space, options->dt);
        return false;
    }
    options->dt = found ? dt : options->dt;
    const char *what = options->dt == 0 ? needs_time(options) : NULL;
    if (what) {
        tml_report(options->command,
                   "`%s` needs the time of a step: give `--dt SECONDS`, or the model a constant "
                   "`n.dt`",
                   what);
    }
    return !what;
}
