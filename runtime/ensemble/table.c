// Outputs go straight to their places; properties are read from the parameters that runs had.
#include "runtime/ensemble/table.h"

#include "runtime/abi/type.h"
#include "runtime/run/report.h"

#include <stdlib.h>

static bool fail_memory(const Table *table, double bytes, const char *help) {
    tml_report(table->plan->options->command,
               "cannot get the memory for the results, %.3g GB; keep less, or %s", bytes * 1e-9,
               help);
    return false;
}

bool tml_table_make(Table *table, const Plan *plan, uint64_t capacity, const char *help) {
    *table = (Table){.plan = plan, .capacity = capacity};
    table->data = calloc(plan->part_count + 1, sizeof *table->data);
    table->outputs = calloc(plan->part_count + 1, sizeof *table->outputs);
    size_t bytes = plan->model->params_bytes + sizeof *table->faults;
    bool fits = capacity <= SIZE_MAX / 2 / bytes;
    table->faults = fits ? calloc(capacity, sizeof *table->faults) : NULL;
    table->params = fits ? calloc(capacity, plan->model->params_bytes + 1) : NULL;
    if (!table->data || !table->outputs || !table->faults || !table->params) {
        return fail_memory(table, (double)capacity * (double)bytes, help);
    }
    for (size_t i = 0; i < plan->part_count; i++) {
        uint64_t scalars = part_scalars(&plan->parts[i]);
        fits = capacity <= SIZE_MAX / 2 / sizeof(double) / (scalars + 1);
        table->data[i] = fits ? calloc(capacity * scalars + 1, sizeof(double)) : NULL;
        if (!table->data[i]) {
            return fail_memory(table, (double)capacity * (double)scalars * sizeof(double), help);
        }
    }
    return true;
}

void tml_table_free(Table *table) {
    for (size_t i = 0; table->data && i < table->plan->part_count; i++) {
        free(table->data[i]);
    }
    free(table->data);
    free(table->outputs);
    free(table->faults);
    free(table->params);
}

static void read_properties(Table *table, size_t part, uint64_t count, uint64_t at) {
    const Part *property = &table->plan->parts[part];
    const tml_type *type = property->variable->type;
    size_t bytes = tml_scalar_bytes(type);
    for (uint64_t run = at; run < at + count; run++) {
        const char *values =
            table->params + run * table->plan->model->params_bytes + property->variable->offset;
        double *row = table->data[part] + run * property->numel;
        for (uint64_t i = 0; i < property->numel; i++) {
            row[i] = tml_scalar_load(type, values + i * bytes);
        }
    }
}

bool tml_table_run(Table *table, uint64_t first, uint64_t count, uint64_t at) {
    const Plan *plan = table->plan;
    const Ensemble *ensemble = &plan->options->ensemble;
    size_t outputs = 0;
    for (size_t i = 0; i < plan->part_count; i++) {
        const Part *part = &plan->parts[i];
        uint64_t scalars = part_scalars(part);
        if (part_is_output(part)) {
            table->outputs[outputs++] = (tml_batch_output){.variable = part->variable,
                                                           .data = table->data[i] + at * scalars,
                                                           .stride = scalars};
        }
    }
    tml_batch batch = {.model = plan->model,
                       .first = first,
                       .runs = count,
                       .steps = plan->steps,
                       .params = plan->params + first * plan->params_stride,
                       .params_stride = plan->params_stride,
                       .samples = ensemble->samples,
                       .sample_count = ensemble->sample_count,
                       .seed = ensemble->seed,
                       .inputs = plan->inputs,
                       .keep = ensemble->keep,
                       .threads = (uint32_t)ensemble->threads,
                       .outputs = table->outputs,
                       .output_count = outputs,
                       .used_params = table->params + at * plan->model->params_bytes,
                       .faults = table->faults + at};
    if (tml_batch_run(&batch) != TML_OK) {
        tml_report(plan->options->command, "cannot get memory");
        return false;
    }
    for (size_t i = 0; i < plan->part_count && !part_is_output(&plan->parts[i]); i++) {
        read_properties(table, i, count, at);
    }
    return true;
}
