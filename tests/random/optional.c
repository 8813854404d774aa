// Optional terminals (L10.5, L10.6). They are hidden, so that nothing else reads them.
#include "tests/random/generator.h"

#include <stdio.h>

void fuzz_declare_optional(Fuzz *fuzz) {
    for (unsigned i = fuzz_below(fuzz, 3); i > 0; i--) {
        bool is_output = fuzz_percent(fuzz, 30);
        FuzzType type = fuzz_random_type(fuzz);
        char name[FUZZ_NAME] = {0};
        char full[FUZZ_NAME] = {0};
        fuzz_new_name(fuzz, 'o', name);
        snprintf(full, sizeof(full), "t.%.8s", name);
        buffer_format(fuzz->out, "optional %s ", is_output ? "out" : "in");
        fuzz_type_text(&type, fuzz->out);
        buffer_format(fuzz->out, " %s\n", full);
        FuzzVar *var = fuzz_add_var(fuzz, full, &type);
        var->role = is_output ? FUZZ_OPTIONAL_OUTPUT : FUZZ_OPTIONAL_INPUT;
        var->is_global = true;
        var->is_hidden = true;
        var->is_read_only = true;
        if (fuzz_percent(fuzz, 50)) {
            buffer_format(fuzz->connected, "%s,", full);
        }
    }
}

// One of the optional inputs, or NULL.
static FuzzVar *find_input(Fuzz *fuzz) {
    unsigned found = 0;
    FuzzVar *result = NULL;
    for (unsigned i = 0; i < fuzz->var_count; i++) {
        FuzzVar *var = &fuzz->vars[i];
        if (var->role == FUZZ_OPTIONAL_INPUT && var->is_hidden) {
            found++;
            result = fuzz_below(fuzz, found) == 0 ? var : result;
        }
    }
    return result;
}

static void guard(Fuzz *fuzz, FuzzVar *var, int depth) {
    bool is_absent = fuzz_percent(fuzz, 30);
    char name[FUZZ_NAME] = {0};
    fuzz_line(fuzz, is_absent ? "not exists %s:" : "exists %s:", var->name);
    for (int branch = 0; branch < 2; branch++) {
        bool is_there = (branch == 0) != is_absent;
        fuzz->indent++;
        if (is_there) { // a guarded name must be used
            fuzz_new_name(fuzz, 'v', name);
            fuzz_line(fuzz, "%s = %s", name, var->name);
            var->is_hidden = false;
        }
        for (unsigned i = 1 + fuzz_below(fuzz, 2); i > 0; i--) {
            fuzz_plain_statement(fuzz, depth - 1);
        }
        var->is_hidden = true;
        fuzz->indent--;
        if (branch == 0) {
            fuzz_line(fuzz, "else:");
        }
    }
    fuzz_line(fuzz, "end");
}

// v = t.o? + e and the like: what is left without the operand has the same type.
static void operand(Fuzz *fuzz, const FuzzVar *var) {
    static const char *const after[] = {"%s? + ", "%s? * "};
    static const char *const before[] = {" + %s?", " - %s?", " * %s?"};
    const FuzzType *type = &var->type;
    char name[FUZZ_NAME] = {0};
    fuzz_new_name(fuzz, 'v', name);
    fuzz_indent(fuzz);
    buffer_format(fuzz->out, "%s = ", name);
    char text[2 * FUZZ_NAME] = "";
    bool is_first = fuzz_percent(fuzz, 40);
    unsigned kind = fuzz_below(fuzz, 3);
    if (fuzz_percent(fuzz, 30)) {
        snprintf(text, sizeof(text), "%s ?: ", var->name);
        is_first = true;
    } else if (type->root == FUZZ_BOOL) {
        is_first = kind > 0;
        snprintf(text, sizeof(text), is_first ? "%s? and " : " or %s?", var->name);
    } else if (type->root == FUZZ_UINT && kind == 2) {
        snprintf(text, sizeof(text), is_first ? "%s? | " : " << %s?", var->name);
    } else if (is_first) {
        snprintf(text, sizeof(text), after[kind % 2], var->name);
    } else {
        snprintf(text, sizeof(text), before[kind], var->name);
    }
    fuzz_text(fuzz, is_first ? text : "");
    fuzz_expr(fuzz, type, 2, PREC_ATOM);
    fuzz_text(fuzz, is_first ? "\n" : text);
    fuzz_text(fuzz, is_first ? "" : "\n");
    fuzz_add_var(fuzz, name, type);
}

void fuzz_optional(Fuzz *fuzz, int depth) {
    FuzzVar *var = find_input(fuzz);
    if (!var || fuzz->is_file_level || fuzz->var_count + 8 >= FUZZ_VARS) {
        return;
    }
    if (depth > 0 && fuzz_percent(fuzz, 50)) {
        guard(fuzz, var, depth);
    } else {
        operand(fuzz, var);
    }
}

void fuzz_assign_optional(Fuzz *fuzz) {
    for (unsigned i = 0; i < fuzz->var_count; i++) {
        const FuzzVar *var = &fuzz->vars[i];
        if (var->role == FUZZ_OPTIONAL_OUTPUT) {
            fuzz_indent(fuzz);
            buffer_format(fuzz->out, "%s? = ", var->name);
            fuzz_assignable(fuzz, &var->type, 3);
            fuzz_text(fuzz, "\n");
        }
    }
}
