// --describe=json: all that is known of a model's variables, for other programs. The keys are those
// of the description that the compiler prints (docs/embedding.md), where both have them.
#include "runtime/abi/type.h"
#include "runtime/run/options.h"
#include "runtime/text/format_scalar.h"

#include <math.h>
#include <stdio.h>

static void write_key(Writer *out, const char *key) {
    tml_write_text(out, ", ");
    tml_write_json(out, key);
    tml_write_text(out, ": ");
}

static void write_text(Writer *out, const char *key, const char *text) {
    write_key(out, key);
    tml_write_json(out, text);
}

static void write_count(Writer *out, const char *key, uint64_t count) {
    char text[32];
    snprintf(text, sizeof text, "%llu", (unsigned long long)count);
    write_key(out, key);
    tml_write_text(out, text);
}

static void write_truth(Writer *out, const char *key, bool truth) {
    write_key(out, key);
    tml_write_text(out, truth ? "true" : "false");
}

// tensor<tensor<real, 3>, 2> is [[2], [3]].
static void write_dims(Writer *out, const tml_type *type) {
    write_key(out, "dims");
    tml_write_char(out, '[');
    for (size_t level = 0, at = 0; level < type->depth; level++) {
        tml_write_text(out, level > 0 ? ", [" : "[");
        for (size_t i = 0; i < type->level_ranks[level]; i++, at++) {
            char dim[16];
            snprintf(dim, sizeof dim, "%s%u", i > 0 ? ", " : "", type->dims[at]);
            tml_write_text(out, dim);
        }
        tml_write_char(out, ']');
    }
    tml_write_char(out, ']');
}

// JSON has no numbers for nan and the infinities: they are texts.
static void write_scalar(Writer *out, const tml_type *type, const char *data) {
    char text[TML_REAL_TEXT_BYTES + 1];
    double value = tml_scalar_load(type, data);
    if (type->root == TML_BOOL) {
        tml_write_text(out, value != 0 ? "true" : "false");
        return;
    }
    text[tml_format_scalar(text, type, data)] = '\0';
    if (isfinite(value)) {
        tml_write_text(out, text);
    } else {
        tml_write_json(out, text);
    }
}

// Row by row; a scalar stands alone.
static void write_value(Writer *out, const tml_variable *variable) {
    const tml_type *type = variable->type;
    write_key(out, "value");
    if (!type) {
        tml_write_json(out, variable->value);
        return;
    }
    uint64_t numel = tml_type_numel(type);
    tml_write_text(out, type->flat_rank > 0 ? "[" : "");
    for (uint64_t i = 0; i < numel; i++) {
        tml_write_text(out, i > 0 ? ", " : "");
        write_scalar(out, type, (const char *)variable->value + i * tml_scalar_bytes(type));
    }
    tml_write_text(out, type->flat_rank > 0 ? "]" : "");
}

static void write_type(Writer *out, const tml_type *type) {
    char text[TML_TYPE_TEXT_BYTES];
    write_text(out, "type", type ? tml_type_text(text, type) : "str");
    write_text(out, "root", type ? tml_root_text((tml_root)type->root) : "str");
    if (type) {
        write_dims(out, type);
    }
}

static void write_variable(Writer *out, const tml_variable *variable) {
    static const char *const roles[] = {"input",    "output",   "tunable",
                                        "constant", "variable", "debug"};
    bool is_terminal = variable->role == TML_INPUT || variable->role == TML_OUTPUT;
    bool is_constant = variable->role == TML_CONSTANT;
    tml_write_text(out, "    {\"role\": ");
    tml_write_json(out, roles[variable->role]);
    write_text(out, "space", variable->space);
    write_text(out, "name", variable->name);
    write_type(out, variable->type);
    if (!is_constant) {
        write_count(out, "offset", variable->offset);
        write_count(out, "bytes",
                    tml_type_numel(variable->type) * tml_scalar_bytes(variable->type));
    }
    if (is_terminal) {
        write_truth(out, "feedthrough", variable->feedthrough);
        write_truth(out, "optional", variable->optional);
    }
    if (variable->role == TML_DEBUG) {
        write_text(out, "text", variable->value ? variable->value : "");
    } else if (variable->value) {
        write_value(out, variable);
    }
    write_truth(out, "set", variable->role == TML_PARAM);
    write_truth(out, "watch", variable->role != TML_PARAM && !is_constant);
    tml_write_char(out, '}');
}

void tml_description_write_json(Writer *out, const Options *options) {
    const tml_model *model = options->model;
    char layout[32];
    snprintf(layout, sizeof layout, "%016llx", (unsigned long long)model->layout);
    tml_write_text(out, "{\n  \"version\": 1");
    write_text(out, "name", model->name);
    write_text(out, "layout", layout);
    write_count(out, "inputs_bytes", model->inputs_bytes);
    write_count(out, "outputs_bytes", model->outputs_bytes);
    write_count(out, "params_bytes", model->params_bytes);
    write_count(out, "state_bytes", model->state_bytes);
    tml_write_text(out, ",\n  \"variables\": [");
    for (size_t i = 0; i < model->variable_count; i++) {
        tml_write_text(out, i > 0 ? ",\n" : "\n");
        write_variable(out, &model->variables[i]);
    }
    tml_write_text(out, "\n  ]\n}\n");
}
