// Calls whose results and places matter: of functions with several results (L9.5), with parameters
// that are copied back (L9.6), with defaults and names (L9.4).
#include "tests/random/generator.h"

#include <stddef.h>
#include <string.h>

// Declarations.

bool fuzz_writes_places(const FuzzFunction *function) {
    for (unsigned i = 0; i < function->param_count; i++) {
        if (function->is_var[i]) {
            return true;
        }
    }
    return false;
}

// A scalar or a vector, often of a variable that there is.
static FuzzType place_type(Fuzz *fuzz) {
    if (fuzz->var_count > 0 && fuzz_percent(fuzz, 60)) {
        return fuzz->vars[fuzz_below(fuzz, fuzz->var_count)].type;
    }
    return fuzz_percent(fuzz, 50) ? fuzz_scalar(fuzz_random_number(fuzz)) : fuzz_random_type(fuzz);
}

void fuzz_random_interface(Fuzz *fuzz, FuzzFunction *function) {
    function->default_from = function->param_count;
    for (unsigned i = 0; i < function->param_count; i++) {
        if (fuzz_is_concrete(&function->params[i]) && fuzz_percent(fuzz, 35)) {
            function->params[i] = place_type(fuzz);
            function->is_var[i] = true;
        }
    }
    while (function->default_from > 0 && fuzz_percent(fuzz, 30) &&
           !function->is_var[function->default_from - 1] &&
           fuzz_is_concrete(&function->params[function->default_from - 1])) {
        function->default_from--;
    }
    if (function->has_result && fuzz_percent(fuzz, 25)) {
        function->more_count = 1 + fuzz_below(fuzz, FUZZ_MORE);
        for (unsigned i = 0; i < function->more_count; i++) {
            function->more[i] = place_type(fuzz);
        }
    }
}

// Places.

// Variables that one call gives away already.
typedef struct FuzzPlaces {
    const FuzzVar *vars[FUZZ_PARAMS];
    unsigned count;
} FuzzPlaces;

// Whether one of the two is any of a family, `v1{k}`, and the other may be that one, `v1_0`.
static bool may_be_one(const char *name, const char *other) {
    size_t len = strcspn(name, "{_");
    bool is_any = name[len] == '{' || other[strcspn(other, "{_")] == '{';
    return is_any && len == strcspn(other, "{_") && strncmp(name, other, len) == 0;
}

static bool is_taken(const FuzzPlaces *places, const FuzzVar *var) {
    bool taken = var->is_read_only || var->role != FUZZ_PLAIN;
    for (unsigned i = 0; i < places->count; i++) {
        taken = taken || places->vars[i] == var || may_be_one(places->vars[i]->name, var->name);
    }
    return taken;
}

static bool has_row(const FuzzVar *var, const FuzzType *type) {
    const FuzzLevel *level = &var->type.levels[0];
    return var->type.depth == 1 && var->type.root == type->root && level->rank == 2 &&
           type->depth == 1 && type->levels[0].rank == 1 &&
           type->levels[0].dims[0] == level->dims[1];
}

static bool has_element(const FuzzVar *var, const FuzzType *type) {
    return type->depth == 0 && var->type.depth == 1 && var->type.root == type->root;
}

static const FuzzVar *find_place(Fuzz *fuzz, FuzzVarTest *wanted, const FuzzType *type,
                                 const FuzzPlaces *places) {
    enum { TRIES = 4 };
    for (unsigned i = 0; i < TRIES; i++) {
        const FuzzVar *var = fuzz_find_var(fuzz, wanted, type);
        if (var != NULL && !is_taken(places, var)) {
            return var;
        }
    }
    return NULL;
}

static void write_element(Fuzz *fuzz, const FuzzVar *var, bool is_row) {
    const FuzzLevel *level = &var->type.levels[0];
    buffer_format(fuzz->out, "%s[", var->name);
    fuzz->index_depth++;
    for (unsigned k = 0; k < level->rank; k++) {
        fuzz_text(fuzz, k > 0 ? ", " : "");
        if (is_row && k == 1) {
            fuzz_text(fuzz, ":");
        } else {
            fuzz_index(fuzz, level->dims[k], 1);
        }
    }
    fuzz->index_depth--;
    fuzz_text(fuzz, "]");
}

// A place of that type which is none of `taken`: a variable, an element, a row.
static bool write_place(Fuzz *fuzz, const FuzzType *type, FuzzPlaces *taken) {
    const FuzzVar *whole = find_place(fuzz, fuzz_has_type, type, taken);
    const FuzzVar *row = find_place(fuzz, has_row, type, taken);
    const FuzzVar *from = row != NULL ? row : find_place(fuzz, has_element, type, taken);
    bool is_part = from != NULL && (whole == NULL || fuzz_percent(fuzz, 40));
    const FuzzVar *var = is_part ? from : whole;
    if (var == NULL) {
        return false;
    }
    taken->vars[taken->count++] = var;
    fuzz_note_write(fuzz, var);
    if (is_part) {
        write_element(fuzz, var, row != NULL);
    } else {
        fuzz_text(fuzz, var->name);
    }
    return true;
}

bool fuzz_choose_places(Fuzz *fuzz, const FuzzFunction *function, Buffer *places) {
    FuzzPlaces taken = {0};
    Buffer *out = fuzz->out;
    bool ok = true;
    for (unsigned i = 0; i < function->param_count && ok; i++) {
        if (function->is_var[i]) {
            fuzz->out = &places[i];
            ok = fuzz->index_depth == 0 && !fuzz->is_file_level &&
                 write_place(fuzz, &function->params[i], &taken);
        }
    }
    fuzz->out = out;
    return ok;
}

// Several results.

void fuzz_return(Fuzz *fuzz, const FuzzFunction *function, int fuel) {
    fuzz_text(fuzz, "return ");
    fuzz_assignable(fuzz, &function->result, fuel);
    for (unsigned i = 0; i < function->more_count; i++) {
        fuzz_text(fuzz, ", ");
        fuzz_assignable(fuzz, &function->more[i], fuel);
    }
}

// A target for a value of that type. `name` is that of a new variable, or empty.
static void write_target(Fuzz *fuzz, const FuzzType *type, char name[FUZZ_NAME], bool may_declare) {
    FuzzPlaces none = {0};
    name[0] = '\0';
    if (fuzz_percent(fuzz, 60) && write_place(fuzz, type, &none)) {
        return;
    }
    if (!may_declare || fuzz_percent(fuzz, 30)) {
        fuzz_text(fuzz, "_");
        return;
    }
    fuzz_new_name(fuzz, 'v', name);
    fuzz_text(fuzz, name);
}

void fuzz_assign_results(Fuzz *fuzz, bool may_declare) {
    unsigned start = fuzz_below(fuzz, fuzz->function_count);
    for (unsigned i = 0; i < fuzz->function_count; i++) {
        const FuzzFunction *function = &fuzz->functions[(start + i) % fuzz->function_count];
        if (function->more_count == 0 || (!function->is_short && fuzz->loop_depth > 1)) {
            continue;
        }
        char names[1 + FUZZ_MORE][FUZZ_NAME] = {{0}};
        FuzzType types[1 + FUZZ_MORE];
        unsigned sizes[FUZZ_SIZE_COUNT] = {1 + fuzz_below(fuzz, 3), 1 + fuzz_below(fuzz, 3)};
        size_t begin = fuzz->out->len;
        fuzz_indent(fuzz);
        for (unsigned k = 0; k <= function->more_count; k++) {
            types[k] = fuzz_with_sizes(k == 0 ? &function->result : &function->more[k - 1], sizes);
            fuzz_text(fuzz, k > 0 ? ", " : "");
            write_target(fuzz, &types[k], names[k], may_declare);
        }
        fuzz_text(fuzz, " = ");
        if (!fuzz_call(fuzz, function, sizes, 2)) {
            fuzz->out->data[fuzz->out->len = begin] = '\0';
            return;
        }
        fuzz_text(fuzz, "\n");
        fuzz_note_call(fuzz, function);
        for (unsigned k = 0; k <= function->more_count; k++) {
            if (names[k][0] != '\0') {
                fuzz_add_var(fuzz, names[k], &types[k]);
            }
        }
        return;
    }
}
