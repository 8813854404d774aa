// When things happen: short functions that stand in indices (L7.1) or change what their callers
// read, and assignments that depend on the order of both (L5.8, L9.1).
#include "tests/random/generator.h"

void fuzz_note_call(Fuzz *fuzz, const FuzzFunction *function) {
    if (fuzz->function && !function->is_pure) {
        fuzz->function->is_pure = false;
    }
}

// One of the functions that are meant for this, or NULL.
static const FuzzFunction *find_function(Fuzz *fuzz, bool changes, unsigned range) {
    unsigned found = 0;
    const FuzzFunction *result = NULL;
    for (unsigned i = 0; i < fuzz->function_count; i++) {
        const FuzzFunction *function = &fuzz->functions[i];
        bool fits = changes ? !function->is_pure && function->is_short
                            : function->range > 0 && function->range <= range;
        if (fits) {
            found++;
            result = fuzz_below(fuzz, found) == 0 ? function : result;
        }
    }
    return result;
}

bool fuzz_index_call(Fuzz *fuzz, unsigned dim, int fuel) {
    const FuzzFunction *function =
        fuzz->is_file_level || fuzz_is_size(dim) ? NULL : find_function(fuzz, false, dim);
    if (!function) {
        return false;
    }
    unsigned sizes[FUZZ_SIZE_COUNT] = {0};
    unsigned spare = dim - function->range;
    bool counts_down = fuzz_percent(fuzz, 15);
    if (counts_down) {
        buffer_format(fuzz->out, "%u - ", dim - 1);
    }
    fuzz_call(fuzz, function, sizes, fuel > 1 ? 1 : fuel);
    if (!counts_down && spare > 0 && fuzz_percent(fuzz, 30)) {
        buffer_format(fuzz->out, " + %u", spare);
    }
    return true;
}

// An element of a variable where one is found, so that results depend on what others change.
static void element(Fuzz *fuzz, const FuzzType *type, int fuel) {
    enum { TRIES = 6 };
    for (unsigned i = 0; i < TRIES; i++) {
        if (fuzz_element_of_var(fuzz, type, fuel, PREC_ANY)) {
            return;
        }
    }
    fuzz_argument(fuzz, type, fuel);
}

static void random_params(Fuzz *fuzz, FuzzFunction *function) {
    function->param_count = function->default_from = fuzz_below(fuzz, 3);
    for (unsigned i = 0; i < function->param_count; i++) {
        function->params[i] = fuzz_scalar(fuzz_percent(fuzz, 70) ? FUZZ_INT : FUZZ_UINT);
        if (fuzz_percent(fuzz, 15)) {
            function->params[i] = fuzz_random_type(fuzz);
        }
    }
}

static void return_index(Fuzz *fuzz, const FuzzFunction *function) {
    bool is_uint = function->result.root == FUZZ_UINT;
    fuzz_indent(fuzz);
    fuzz_text(fuzz, is_uint ? "return uint(" : "return ");
    if (fuzz_percent(fuzz, 50)) {
        FuzzType type = fuzz_scalar(FUZZ_INT);
        fuzz_text(fuzz, "clamp(");
        element(fuzz, &type, 1);
        buffer_format(fuzz->out, ", 0, %u)", function->range - 1);
    } else {
        fuzz_computed_index(fuzz, function->range, 2);
    }
    fuzz_text(fuzz, is_uint ? ")\n" : "\n");
}

static void write_index_function(Fuzz *fuzz) {
    FuzzFunction function = {.is_pure = true, .is_short = true, .has_result = true};
    unsigned first = fuzz->var_count;
    fuzz_new_name(fuzz, 'h', function.name);
    random_params(fuzz, &function);
    function.range = 1 + fuzz_below(fuzz, 4);
    function.result = fuzz_scalar(fuzz_percent(fuzz, 50) ? FUZZ_INT : FUZZ_UINT);
    fuzz_begin_function(fuzz, &function);
    fuzz->index_depth++; // no side effects in all of it
    if (fuzz_percent(fuzz, 30)) {
        fuzz_declare(fuzz, false, 1);
    }
    if (fuzz_percent(fuzz, 30)) {
        fuzz_indent(fuzz);
        fuzz_text(fuzz, "if ");
        fuzz_condition(fuzz, 2);
        fuzz->indent++;
        return_index(fuzz, &function);
        fuzz->indent--;
        fuzz_line(fuzz, "end");
    }
    return_index(fuzz, &function);
    fuzz->index_depth--;
    fuzz_end_function(fuzz, &function, first);
}

static bool is_changeable_global(const FuzzVar *var, const FuzzType *type) {
    (void)type;
    return var->is_global && !var->is_read_only;
}

static bool is_changeable(const FuzzVar *var, const FuzzType *type) {
    (void)type;
    return !var->is_read_only;
}

// Its changes are of what is there already, so that each call shows.
static void change_global(Fuzz *fuzz, const FuzzVar *var) {
    FuzzType type = fuzz_place(fuzz, var);
    FuzzType value = type;
    if (type.root == FUZZ_BOOL) {
        fuzz_text(fuzz, " = not ");
        fuzz_expr(fuzz, &value, 1, PREC_NOT);
    } else {
        static const char *const operators[] = {" += ", " -= ", " *= ", " = 1 - "};
        unsigned op = fuzz_below(fuzz, type.root == FUZZ_UINT ? 3 : 4);
        fuzz_text(fuzz, operators[op]);
        value.depth = fuzz_percent(fuzz, 50) ? 0 : value.depth;
        fuzz_expr(fuzz, op == 3 ? &type : &value, 1, PREC_PRODUCT);
    }
    fuzz_text(fuzz, "\n");
}

static void write_changer(Fuzz *fuzz) {
    FuzzFunction function = {.is_pure = true, .is_short = true, .has_result = true};
    unsigned first = fuzz->var_count;
    if (!fuzz_find_var(fuzz, is_changeable_global, NULL)) {
        return;
    }
    fuzz_new_name(fuzz, 'c', function.name);
    random_params(fuzz, &function);
    function.result = fuzz_scalar(fuzz_random_number(fuzz));
    fuzz_begin_function(fuzz, &function);
    for (unsigned i = 1 + fuzz_below(fuzz, 2); i > 0; i--) {
        change_global(fuzz, fuzz_find_var(fuzz, is_changeable_global, NULL));
    }
    fuzz_indent(fuzz);
    fuzz_text(fuzz, "return ");
    element(fuzz, &function.result, 1);
    fuzz_text(fuzz, "\n");
    fuzz_end_function(fuzz, &function, first);
}

void fuzz_write_short_functions(Fuzz *fuzz) {
    for (unsigned i = fuzz_below(fuzz, 3); i > 0; i--) {
        if (fuzz->function_count + 4 < FUZZ_FUNCTIONS) {
            (fuzz_percent(fuzz, 60) ? write_index_function : write_changer)(fuzz);
        }
    }
}

// The right side: the call, converted to the type, beside something that it may change.
static void changing_value(Fuzz *fuzz, const FuzzFunction *function, const FuzzType *type) {
    unsigned sizes[FUZZ_SIZE_COUNT] = {0};
    bool is_sum = type->root != FUZZ_BOOL && fuzz_percent(fuzz, 40);
    bool is_first = fuzz_percent(fuzz, 50);
    if (is_sum && is_first) {
        fuzz_expr(fuzz, type, 1, PREC_SUM);
        fuzz_text(fuzz, " + ");
    }
    fuzz_type_text(type, fuzz->out);
    fuzz_text(fuzz, "(");
    fuzz_call(fuzz, function, sizes, 2);
    fuzz_text(fuzz, ")");
    if (is_sum && !is_first) {
        fuzz_text(fuzz, " - ");
        fuzz_expr(fuzz, type, 1, PREC_PRODUCT);
    }
}

void fuzz_assign_effect(Fuzz *fuzz) {
    static const char *const operators[] = {" += ", " -= ", " *= ", " = ", " = "};
    const FuzzFunction *function = find_function(fuzz, true, 0);
    const FuzzVar *var = fuzz_percent(fuzz, 75) ? fuzz_find_var(fuzz, is_changeable_global, NULL)
                                                : fuzz_find_var(fuzz, is_changeable, NULL);
    if (!function || !var) {
        return;
    }
    FuzzType type = fuzz_place(fuzz, var);
    fuzz_text(fuzz, type.root == FUZZ_BOOL ? " = " : operators[fuzz_below(fuzz, 5)]);
    changing_value(fuzz, function, &type);
    fuzz_text(fuzz, "\n");
    fuzz_note_call(fuzz, function);
}
