// A value is a literal of its own type (value_text.h) and goes to the property as the compiler
// would assign it (L6): missing levels and dims, and those of 1, repeat; scalars convert where
// nothing is lost.
#include "runtime/abi/type.h"
#include "runtime/run/options.h"
#include "runtime/run/report.h"
#include "runtime/run/variables.h"
#include "runtime/text/value_text.h"

#include <string.h>

// Where the element of `from` lies that goes to each element of `to`: one stride for each flat dim
// of `to`, 0 where `from` is repeated. False when L6.1 does not allow the assignment.
static bool align_dims(const tml_type *to, const tml_type *from, uint64_t strides[VALUE_DIMS]) {
    if (from->depth > to->depth) {
        return false;
    }
    size_t to_first = 0, from_first = 0;
    for (size_t level = 0; level < to->depth; level++) {
        size_t rank = to->level_ranks[level];
        size_t from_rank = level < from->depth ? from->level_ranks[level] : 0;
        if (from_rank > rank) {
            return false;
        }
        for (size_t i = 0; i < rank; i++) {
            strides[to_first + i] = 0;
            if (i < rank - from_rank) {
                continue;
            }
            size_t at = from_first + i - (rank - from_rank);
            if (from->dims[at] == to->dims[to_first + i]) {
                strides[to_first + i] = tml_dims_product(from->dims, at + 1, from->flat_rank);
            } else if (from->dims[at] != 1) {
                return false;
            }
        }
        to_first += rank;
        from_first += from_rank;
    }
    return true;
}

// Whether every scalar goes to the root by L2.6 or L2.7.
static bool root_fits(tml_root to, const Value *value) {
    if (value->type.root <= to) {
        return true;
    }
    bool fits = value->type.root == TML_INT && to == TML_UINT;
    for (size_t i = 0; i < value->count; i++) {
        fits = fits && value->scalars[i] >= 0;
    }
    return fits;
}

static void fill(const tml_type *to, char *place, const Value *value,
                 const uint64_t strides[VALUE_DIMS]) {
    uint64_t numel = tml_type_numel(to);
    for (uint64_t i = 0; i < numel; i++) {
        uint64_t rest = i, from = 0;
        for (size_t dim = to->flat_rank; dim-- > 0;) {
            from += rest % to->dims[dim] * strides[dim];
            rest /= to->dims[dim];
        }
        tml_scalar_store(to, place, value->scalars[from]);
        place += tml_scalar_bytes(to);
    }
}

static bool assign(Options *options, const tml_variable *property, Value *value) {
    uint64_t strides[VALUE_DIMS] = {0};
    if (!align_dims(property->type, &value->type, strides) ||
        !root_fits((tml_root)property->type->root, value)) {
        char to[TML_TYPE_TEXT_BYTES], from[TML_TYPE_TEXT_BYTES];
        tml_report(options->command, "`--set %s`: the property is %s, the value is %s",
                   property->name, tml_type_text(to, property->type),
                   tml_type_text(from, &value->type));
        return false;
    }
    fill(property->type, (char *)options->params + property->offset, value, strides);
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
    if (!done) {
        tml_report(options->command, "`--set %s`: %s", property->name, value.wrong);
    }
    done = done && assign(options, property, &value);
    tml_value_free(&value);
    return done;
}
