// Results depend on the model, its parameters, inputs and samples, and on what is kept; not on
// threads and shards. What is long is told by a hash.
#include "runtime/ensemble/attributes.h"

#include "runtime/abi/type.h"
#include "runtime/ensemble/sample_text.h"
#include "runtime/run/report.h"
#include "runtime/simulate/columns.h"
#include "runtime/text/format_scalar.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static void add(Text *text, const char *format, ...) {
    va_list arguments;
    if (text->used >= sizeof text->bytes) {
        return;
    }
    va_start(arguments, format);
    text->used += (size_t)vsnprintf(text->bytes + text->used, sizeof text->bytes - text->used,
                                    format, arguments);
    va_end(arguments);
}

static bool fits(const Text *text, const Plan *plan) {
    if (text->used >= sizeof text->bytes) {
        tml_report(plan->options->command,
                   "a store has no room for so many random properties or dims");
    }
    return text->used < sizeof text->bytes;
}

static uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t count) {
    const unsigned char *at = bytes;
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ at[i]) * 0x100000001b3U;
    }
    return hash;
}

static const uint64_t hash_start = 0xcbf29ce484222325U;

// Of structs that follow one another: the members, without what lies between them.
static uint64_t hash_structs(const tml_model *model, tml_role role, const char *structs,
                             size_t bytes, uint64_t count) {
    uint64_t hash = hash_start;
    for (uint64_t k = 0; k < count; k++) {
        for (size_t i = 0; i < model->variable_count; i++) {
            const tml_variable *variable = &model->variables[i];
            if (variable->role == (uint8_t)role && variable->type) {
                hash =
                    hash_bytes(hash, structs + k * bytes + variable->offset,
                               tml_type_numel(variable->type) * tml_scalar_bytes(variable->type));
            }
        }
    }
    return hash;
}

static void add_sample(Text *text, const tml_sample *sample) {
    char indices[COLUMN_INDEX_BYTES], a[TML_REAL_TEXT_BYTES], b[TML_REAL_TEXT_BYTES];
    const Column column = {.terminal = sample->property, .element = sample->element};
    tml_format_real(a, sample->a, 8);
    tml_format_real(b, sample->b, 8);
    add(text, "\"%s%s~%s(%s, %s)\"", sample->property->name,
        tml_model_column_indices(indices, &column), tml_distribution_names[sample->distribution], a,
        b);
}

bool tml_attributes_text(Text *text, const Plan *plan, uint64_t chunk) {
    static const char *const keeps[] = {[TML_KEEP_LAST] = "last",
                                        [TML_KEEP_ALL] = "all",
                                        [TML_KEEP_MAX] = "max",
                                        [TML_KEEP_MEAN] = "mean",
                                        [TML_KEEP_RMS] = "rms"};
    const tml_model *model = plan->model;
    const Ensemble *ensemble = &plan->options->ensemble;
    text->used = 0;
    add(text, "{\n    \"model\": \"%016llx\",\n", (unsigned long long)model->code);
    add(text, "    \"runs\": %llu,\n", (unsigned long long)plan->runs);
    add(text, "    \"steps\": %llu,\n", (unsigned long long)plan->steps);
    add(text, "    \"keep\": \"%s\",\n", keeps[ensemble->keep]);
    add(text, "    \"chunk\": %llu,\n", (unsigned long long)chunk);
    add(text, "    \"seed\": %llu,\n", (unsigned long long)ensemble->seed);
    add(text, "    \"samples\": [");
    for (size_t i = 0; i < ensemble->sample_count; i++) {
        add(text, i > 0 ? ", " : "");
        add_sample(text, &ensemble->samples[i]);
    }
    add(text, "],\n    \"properties\": \"%016llx\",\n",
        (unsigned long long)hash_structs(model, TML_PARAM, plan->params, model->params_bytes,
                                         plan->rows ? plan->runs : 1));
    add(text, "    \"inputs\": \"%016llx\"\n}\n",
        (unsigned long long)hash_structs(model, TML_INPUT, plan->inputs, model->inputs_bytes,
                                         plan->steps));
    return fits(text, plan);
}

static void add_dims(Text *text, uint64_t first, const Plan *plan, const Part *part,
                     uint64_t least) {
    add(text, "[%llu", (unsigned long long)first);
    if (part_is_output(part) && plan->options->ensemble.keep == TML_KEEP_ALL) {
        add(text, ", %llu", (unsigned long long)(part->steps > least ? part->steps : least));
    }
    for (size_t i = 0; i < part->variable->type->flat_rank; i++) {
        uint64_t dim = part->variable->type->dims[i];
        add(text, ", %llu", (unsigned long long)(dim > least ? dim : least));
    }
    add(text, "],\n");
}

static void add_rest(Text *text) {
    add(text, "    \"order\": \"C\",\n    \"compressor\": null,\n    \"filters\": null,\n"
              "    \"zarr_format\": 2\n}\n");
}

bool tml_array_text(Text *text, const Plan *plan, const Part *part, uint64_t chunk) {
    text->used = 0;
    add(text, "{\n    \"shape\": ");
    add_dims(text, plan->runs, plan, part, 0);
    add(text, "    \"chunks\": ");
    add_dims(text, chunk, plan, part, 1);
    add(text, "    \"dtype\": \"<f8\",\n    \"fill_value\": \"NaN\",\n");
    add_rest(text);
    return fits(text, plan);
}

// As tml_fault lies in memory; the value of those that are not there is 0, in base 64.
bool tml_fault_array_text(Text *text, const Plan *plan, uint64_t chunk) {
    _Static_assert(sizeof(tml_fault) == 40, "as the dtype says");
    text->used = 0;
    add(text, "{\n    \"shape\": [%llu],\n    \"chunks\": [%llu],\n",
        (unsigned long long)plan->runs, (unsigned long long)chunk);
    add(text, "    \"dtype\": [[\"code\", \"<i4\"], [\"file\", \"<u4\"], [\"line\", \"<u4\"], "
              "[\"column\", \"<u4\"], [\"index\", \"<i8\"], [\"length\", \"<u8\"], "
              "[\"step\", \"<u8\"]],\n");
    add(text, "    \"fill_value\": \"%.*s==\",\n", 54,
        "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    add_rest(text);
    return fits(text, plan);
}

enum { LINE_BYTES = 200 };

// Without blanks before it and the comma behind it.
static const char *bare_line(char text[LINE_BYTES], const char *line) {
    line += strspn(line, " ");
    size_t len = strcspn(line, "\n");
    len -= len > 0 && line[len - 1] == ',';
    snprintf(text, LINE_BYTES, "%.*s", (int)len, line);
    return text;
}

bool tml_attributes_equal(const char *path, const Text *wanted, const char *found) {
    const char *mine = wanted->bytes;
    while (*mine != '\0' && *found != '\0') {
        size_t len = strcspn(mine, "\n"), other = strcspn(found, "\n");
        if (len != other || strncmp(mine, found, len) != 0) {
            break;
        }
        mine += len + (mine[len] != '\0');
        found += other + (found[other] != '\0');
    }
    if (*mine == '\0' && *found == '\0') {
        return true;
    }
    char here[LINE_BYTES], there[LINE_BYTES];
    return tml_report_file(path,
                           "the store has other runs: %s there, %s here; give another name, or "
                           "remove it",
                           bare_line(there, found), bare_line(here, mine));
}
