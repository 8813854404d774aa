// All inputs are read before the first run, which every run needs again.
#include "runtime/ensemble/plan.h"

#include "runtime/abi/type.h"
#include "runtime/ensemble/params_file.h"
#include "runtime/run/report.h"
#include "runtime/run/variables.h"
#include "runtime/simulate/feed.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_STEPS = 1024 };

static bool fail_memory(const Plan *plan) {
    tml_report(plan->options->command, "cannot get memory");
    return false;
}

// Makes room for more steps, in which what no source gives has its value.
static bool reserve(Plan *plan, uint64_t steps) {
    size_t bytes = plan->model->inputs_bytes;
    if (steps <= plan->inputs_capacity) {
        return true;
    }
    uint64_t more = 2 * (uint64_t)plan->inputs_capacity;
    more = more > steps ? more : steps;
    char *grown = more <= SIZE_MAX / 2 / bytes ? realloc(plan->inputs, more * bytes) : NULL;
    if (!grown) {
        return fail_memory(plan);
    }
    for (size_t i = plan->inputs_capacity; i < more; i++) {
        memcpy(grown + i * bytes, plan->options->inputs, bytes);
    }
    plan->inputs = grown;
    plan->inputs_capacity = more;
    return true;
}

static bool read_steps(Plan *plan, Feed *feed) {
    const Options *options = plan->options;
    size_t bytes = plan->model->inputs_bytes;
    while (plan->steps < options->steps) {
        uint64_t left = options->steps - plan->steps;
        uint64_t room =
            plan->inputs_capacity > plan->steps ? plan->inputs_capacity - plan->steps : 0;
        room = room > 0 ? room : plan->steps > FIRST_STEPS ? plan->steps : FIRST_STEPS;
        uint64_t limit = left < room ? left : room;
        if (!reserve(plan, plan->steps + limit)) {
            return false;
        }
        char *at = plan->inputs + plan->steps * bytes;
        size_t count = feed->count > 0 ? tml_feed_read(feed, limit, at) : limit;
        plan->steps += count;
        if (feed->ended) {
            return plan->steps == options->steps || tml_feed_check_end(feed, plan->steps, at);
        }
    }
    return true;
}

static bool read_inputs(Plan *plan) {
    Feed feed = {0};
    bool done = tml_feed_open(&feed, plan->options) && reserve(plan, 1) && read_steps(plan, &feed);
    tml_feed_close(&feed);
    return done;
}

static bool has_part(const Plan *plan, const tml_variable *variable) {
    const Bindings *outputs = &plan->options->bindings[TML_OUTPUT];
    if (variable->role == TML_PARAM) {
        return plan->varies[variable - plan->model->variables];
    }
    bool wanted = variable->role == TML_OUTPUT && outputs->count == 0;
    for (size_t i = 0; i < outputs->count && variable->role == TML_OUTPUT; i++) {
        const tml_variable *terminal = outputs->items[i].terminal;
        wanted |= !terminal || terminal == variable;
    }
    return wanted;
}

static void add_parts(Plan *plan, tml_role role) {
    for (size_t i = 0; i < plan->model->variable_count; i++) {
        const tml_variable *variable = &plan->model->variables[i];
        if (variable->role == (uint8_t)role && has_part(plan, variable)) {
            bool all = role == TML_OUTPUT && plan->options->ensemble.keep == TML_KEEP_ALL;
            plan->parts[plan->part_count++] = (Part){.variable = variable,
                                                     .numel = tml_type_numel(variable->type),
                                                     .steps = all ? plan->steps : 1,
                                                     .space = role == TML_PARAM ? "p." : ""};
        }
    }
}

bool tml_plan_make(Plan *plan, const Options *options) {
    const tml_model *model = options->model;
    const Ensemble *ensemble = &options->ensemble;
    *plan = (Plan){.options = options, .model = model, .runs = ensemble->runs};
    plan->varies = calloc(model->variable_count + 1, sizeof *plan->varies);
    plan->parts = calloc(model->variable_count + 1, sizeof *plan->parts);
    if (!plan->varies || !plan->parts) {
        return fail_memory(plan);
    }
    if (tml_model_count(model, TML_OUTPUT) == 0) {
        tml_report(options->command, "this model has no outputs that could be kept");
        return false;
    }
    plan->params = options->params;
    if (ensemble->params) {
        if (!tml_params_read(options, &plan->rows, &plan->runs, plan->varies)) {
            return false;
        }
        plan->params = plan->rows;
        plan->params_stride = model->params_bytes;
    }
    for (size_t i = 0; i < ensemble->sample_count; i++) {
        plan->varies[ensemble->samples[i].property - model->variables] = true;
    }
    if (!read_inputs(plan)) {
        return false;
    }
    add_parts(plan, TML_PARAM);
    if (plan->part_count == 0 && plan->runs > 1) {
        tml_report(options->command, "note: all runs are the same: `--sample` or `--params` gives "
                                     "them different properties");
    }
    add_parts(plan, TML_OUTPUT);
    return true;
}

void tml_plan_free(Plan *plan) {
    free(plan->inputs);
    free(plan->rows);
    free(plan->varies);
    free(plan->parts);
}
