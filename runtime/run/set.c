// --set: a value is a literal of its own type (value_text.h) and goes to the property as the
// compiler would assign it. What is fixed, unknown or given twice has a message of its own.
#include "runtime/abi/type.h"
#include "runtime/run/options.h"
#include "runtime/run/report.h"
#include "runtime/run/variables.h"
#include "runtime/text/value_text.h"

#include <string.h>

static bool assign(Options *options, const tml_variable *property, Value *value) {
    if (!tml_value_assign(value, property->type, (char *)options->params + property->offset)) {
        char to[TML_TYPE_TEXT_BYTES], from[TML_TYPE_TEXT_BYTES];
        tml_report(options->command, "`--set %s`: the property is %s, the value is %s%s",
                   property->name, tml_type_text(to, property->type),
                   tml_type_text(from, &value->type), tml_value_hint(property->type, &value->type));
        return false;
    }
    return true;
}

static void report_unknown(const Options *options, const char *name, size_t len) {
    const tml_model *model = options->model;
    const tml_variable *constant = tml_model_variable(model, TML_CONSTANT, name, len);
    if (constant) {
        tml_report(
            options->command,
            "`%s.%s` is fixed when the model is compiled; only tunable properties can be set",
            constant->space, constant->name);
        return;
    }
    const char *bracket = memchr(name, '[', len);
    const tml_variable *whole =
        bracket ? tml_model_variable(model, TML_PARAM, name, (size_t)(bracket - name)) : NULL;
    if (whole) {
        tml_report(options->command, "`--set` sets all of `%s`, as in `--set '%s=[1.0, 2.0]'`",
                   whole->name, whole->name);
        return;
    }
    const char *nearest = tml_model_nearest_variable(model, TML_PARAM, name, len);
    if (nearest) {
        tml_report(options->command,
                   "this model has no tunable property `%.*s`; did you mean `%s`?", (int)len, name,
                   nearest);
    } else {
        tml_report(options->command, "this model has no tunable property `%.*s`; see `%s --help`",
                   (int)len, name, options->command);
    }
}

bool tml_model_set(Options *options, const char *assignment) {
    const char *equals = strchr(assignment, '=');
    if (!equals || equals == assignment) {
        tml_report(options->command, "`--set` needs NAME=VALUE, found `%s`", assignment);
        return false;
    }
    size_t len = (size_t)(equals - assignment);
    const tml_variable *property = tml_model_variable(options->model, TML_PARAM, assignment, len);
    if (!property || !property->type) {
        report_unknown(options, assignment, len);
        return false;
    }
    bool *is_set = &options->set[property - options->model->variables];
    if (*is_set) {
        tml_report(options->command, "`--set %s` is given twice", property->name);
        return false;
    }
    *is_set = true;
    Value value;
    bool done = tml_value_read(&value, equals + 1, property->type->real_bytes);
    bool is_bool = property->type->root == TML_BOOL && property->type->depth == 0;
    bool is_number = done ? value.type.root != TML_BOOL : strstr(value.wrong, "number") != NULL;
    if (is_bool && is_number) {
        tml_report(options->command, "`--set %s`: `%.40s` is neither `true` nor `false`",
                   property->name, equals + 1);
        done = false;
    } else if (!done) {
        tml_report(options->command, "`--set %s`: %s", property->name, value.wrong);
    }
    done = done && assign(options, property, &value);
    tml_value_free(&value);
    return done;
}
