// The time of a step: the model's own where it has a `dt`, which --dt may repeat but not change.
#include "runtime/abi/type.h"
#include "runtime/run/given.h"
#include "runtime/run/report.h"
#include "runtime/run/variables.h"

#include <math.h>

// The model's `p.dt` or `n.dt`, where that is a number above 0; else 0.
static double dt_of(const Options *options, tml_role role, const char *name,
                    const tml_variable **found) {
    const tml_variable *variable = tml_model_variable(options->model, role, name, 4);
    bool is_number = variable && variable->type && variable->type->depth == 0 &&
                     variable->type->root != TML_BOOL;
    if (!is_number) {
        return 0;
    }
    const char *params = options->params;
    double dt = tml_scalar_load(variable->type,
                                role == TML_PARAM ? params + variable->offset : variable->value);
    if (!(dt > 0) || !isfinite(dt)) {
        return 0;
    }
    *found = variable;
    return dt;
}

// What asks for the time of a step, or NULL.
static const char *needs_time(const Options *options) {
    const Bindings *inputs = &options->bindings[TML_INPUT];
    for (size_t i = 0; i < inputs->count; i++) {
        const Binding *binding = &inputs->items[i];
        if (binding->kind == BINDING_WAVE && tml_wave_needs_time(&binding->wave)) {
            return tml_wave_name(&binding->wave);
        }
    }
    return NULL;
}

bool tml_options_settle_time(Options *options) {
    static const struct {
        tml_role role;
        const char *name;
    } places[] = {{TML_PARAM, "p.dt"}, {TML_CONSTANT, "p.dt"}, {TML_CONSTANT, "n.dt"}};
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
