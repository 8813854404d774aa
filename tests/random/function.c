// Functions (L9), with size parameters and without.
#include "tests/random/generator.h"

#include <string.h>

static FuzzType random_param(Fuzz *fuzz, bool has_sizes) {
    FuzzType type = fuzz_random_type(fuzz);
    if (fuzz->var_count > 0 && fuzz_percent(fuzz, 50)) {
        type = fuzz->vars[fuzz_below(fuzz, fuzz->var_count)].type;
    }
    if (has_sizes) {
        unsigned sizes[] = {FUZZ_SIZE_N, FUZZ_SIZE_N, FUZZ_SIZE_M, 1 + fuzz_below(fuzz, 3)};
        type.depth = 1;
        type.levels[0].rank = 1 + fuzz_below(fuzz, 2);
        type.levels[0].dims[0] = sizes[fuzz_below(fuzz, 4)];
        type.levels[0].dims[1] = sizes[fuzz_below(fuzz, 4)];
    }
    return type;
}

static bool has_size(const FuzzFunction *function, unsigned size) {
    for (unsigned i = 0; i < function->param_count; i++) {
        const FuzzType *type = &function->params[i];
        for (unsigned k = 0; type->depth > 0 && k < type->levels[0].rank; k++) {
            if (type->levels[0].dims[k] == size) {
                return true;
            }
        }
    }
    return false;
}

// Sizes that no parameter has become plain lengths.
static void settle_sizes(FuzzFunction *function, FuzzType *type) {
    for (unsigned k = 0; type->depth > 0 && k < type->levels[0].rank; k++) {
        unsigned *dim = &type->levels[0].dims[k];
        if (fuzz_is_size(*dim) && !has_size(function, *dim)) {
            *dim = 2;
        }
    }
}

static void random_signature(Fuzz *fuzz, FuzzFunction *function, bool has_sizes) {
    *function = (FuzzFunction){.is_pure = true, .has_result = fuzz_percent(fuzz, 80)};
    fuzz_new_name(fuzz, 'f', function->name);
    function->param_count = has_sizes ? 1 + fuzz_below(fuzz, 3) : fuzz_below(fuzz, FUZZ_PARAMS);
    for (unsigned i = 0; i < function->param_count; i++) {
        function->params[i] = random_param(fuzz, has_sizes && (i == 0 || fuzz_percent(fuzz, 70)));
    }
    if (has_sizes) {
        function->params[0].levels[0].dims[0] = FUZZ_SIZE_N;
    }
    function->result = random_param(fuzz, has_sizes && fuzz_percent(fuzz, 60));
    settle_sizes(function, &function->result);
    fuzz_random_interface(fuzz, function);
}

void fuzz_begin_function(Fuzz *fuzz, FuzzFunction *function) {
    fuzz->function = function;
    buffer_format(fuzz->out, "fn %s(", function->name);
    for (unsigned i = 0; i < function->param_count; i++) {
        char name[FUZZ_NAME] = {0};
        fuzz_new_name(fuzz, 'p', name);
        fuzz_text(fuzz, i > 0 ? ", " : "");
        fuzz_text(fuzz, function->is_var[i] ? "var " : "");
        fuzz_write_type(fuzz, &function->params[i]);
        buffer_format(fuzz->out, " %s", name);
        memcpy(function->param_names[i], name, FUZZ_NAME);
        if (i >= function->default_from) {
            fuzz_text(fuzz, " = ");
            fuzz_scalar_literal(fuzz, function->params[i].root, PREC_ANY);
        }
        fuzz_add_var(fuzz, name, &function->params[i]);
    }
    fuzz_text(fuzz, ")");
    if (function->has_result) {
        fuzz_text(fuzz, " ");
        fuzz_write_type(fuzz, &function->result);
        for (unsigned i = 0; i < function->more_count; i++) {
            fuzz_text(fuzz, ", ");
            fuzz_write_type(fuzz, &function->more[i]);
        }
    }
    fuzz_text(fuzz, ":\n");
    fuzz->indent++;
}

void fuzz_end_function(Fuzz *fuzz, const FuzzFunction *function, unsigned first) {
    fuzz->indent--;
    fuzz_text(fuzz, "end\n");
    fuzz->function = NULL;
    fuzz->has_sizes = false;
    fuzz->var_count = first;
    fuzz_drop_families(fuzz);
    fuzz->functions[fuzz->function_count++] = *function;
}

void fuzz_write_function(Fuzz *fuzz) {
    bool has_sizes = fuzz_percent(fuzz, 35);
    unsigned first = fuzz->var_count;
    FuzzFunction function;
    random_signature(fuzz, &function, has_sizes);
    fuzz->has_sizes = has_sizes;
    fuzz_begin_function(fuzz, &function);
    fuzz_statements(fuzz, 2 + fuzz_below(fuzz, 5), 2);
    if (function.has_result) {
        fuzz_indent(fuzz);
        fuzz_return(fuzz, &function, 3);
        fuzz_text(fuzz, "\n");
    }
    fuzz_end_function(fuzz, &function, first);
}
