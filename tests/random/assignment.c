// Assignments (L6): to variables, elements and slices, whole and in parts, of what overlaps them.
#include "tests/random/generator.h"

#include <stdio.h>

static bool is_assignable(const FuzzVar *var, const FuzzType *type) {
    (void)type;
    return !var->is_read_only;
}

void fuzz_note_write(Fuzz *fuzz, const FuzzVar *var) {
    if (fuzz->function && var->is_global) {
        fuzz->function->is_pure = false;
    }
}

FuzzType fuzz_place(Fuzz *fuzz, const FuzzVar *var) {
    fuzz_note_write(fuzz, var);
    fuzz_indent(fuzz);
    fuzz_text(fuzz, var->name);
    return var->type.depth > 0 && fuzz_percent(fuzz, 55) ? fuzz_brackets(fuzz, &var->type, true, 2)
                                                         : var->type;
}

void fuzz_assign(Fuzz *fuzz, int fuel) {
    const FuzzVar *var = fuzz_find_var(fuzz, is_assignable, NULL);
    if (var) {
        FuzzType type = fuzz_place(fuzz, var);
        fuzz_text(fuzz, " = ");
        fuzz_assignable(fuzz, &type, fuel);
        fuzz_text(fuzz, "\n");
    }
}

void fuzz_assign_with_operator(Fuzz *fuzz, int fuel) {
    static const char *const bitwise[] = {"&", "^", "|", "<<", ">>"};
    static const char *const arithmetic[] = {"+", "-", "*", "/", "%"};
    size_t start = fuzz->out->len;
    const FuzzVar *var = fuzz_find_var(fuzz, is_assignable, NULL);
    if (!var) {
        return;
    }
    FuzzType type = fuzz_place(fuzz, var);
    if (type.root == FUZZ_BOOL) {
        fuzz->out->data[fuzz->out->len = start] = '\0';
        return;
    }
    bool is_bitwise = type.root == FUZZ_UINT && fuzz_percent(fuzz, 40);
    const char *op = (is_bitwise ? bitwise : arithmetic)[fuzz_below(fuzz, 5)];
    buffer_format(fuzz->out, " %s= ", op);
    // The right side may not be of more dims than the left one.
    FuzzType value = type;
    if (fuzz_percent(fuzz, 40)) {
        value.depth = 0;
    }
    if (type.root == FUZZ_UINT && value.depth == 0 && fuzz_percent(fuzz, 30)) {
        buffer_format(fuzz->out, "%u\n", 1 + fuzz_below(fuzz, 9)); // L2.7
        return;
    }
    if (op[0] == '/' || op[0] == '%') {
        fuzz_divisor(fuzz, &value, fuel);
    } else {
        if (!is_bitwise && fuzz_percent(fuzz, 30)) {
            value.root = (FuzzRoot)(FUZZ_UINT + fuzz_below(fuzz, type.root));
        }
        fuzz_argument(fuzz, &value, fuel);
    }
    fuzz_text(fuzz, "\n");
}

// name = e, with a new line.
static void assign_text(Fuzz *fuzz, const char *name, const FuzzType *type, int fuel) {
    fuzz_indent(fuzz);
    buffer_format(fuzz->out, "%s = ", name);
    fuzz_assignable(fuzz, type, fuel);
    fuzz_text(fuzz, "\n");
}

// Element by element, or in two halves.
static void assign_parts(Fuzz *fuzz, const FuzzVar *var, int fuel) {
    FuzzType part = fuzz_base(&var->type);
    unsigned length = var->type.levels[0].dims[0];
    char name[2 * FUZZ_NAME];
    if (length == 1 || fuzz_percent(fuzz, 50)) {
        char index[FUZZ_NAME] = {0};
        fuzz_new_name(fuzz, 'i', index);
        fuzz_line(fuzz, "for %s = 0:%u:", index, length);
        fuzz->indent++;
        snprintf(name, sizeof(name), "%s[%s]", var->name, index);
        assign_text(fuzz, name, &part, fuzz->loop_depth > 1 ? 0 : fuel);
        fuzz->indent--;
        fuzz_line(fuzz, "end");
        return;
    }
    unsigned middle = 1 + fuzz_below(fuzz, length - 1);
    FuzzLevel level = {1, {middle}};
    FuzzType half = fuzz_tensor_of(&part, &level);
    snprintf(name, sizeof(name), "%s[:%u]", var->name, middle);
    assign_text(fuzz, name, &half, fuel);
    level.dims[0] = length - middle;
    half = fuzz_tensor_of(&part, &level);
    snprintf(name, sizeof(name), "%s[%u:]", var->name, middle);
    assign_text(fuzz, name, &half, fuel);
}

void fuzz_assign_whole(Fuzz *fuzz, const FuzzVar *var, int fuel) {
    unsigned kind = fuzz_below(fuzz, 10);
    if (kind < 2) {
        fuzz_indent(fuzz);
        fuzz_text(fuzz, "if ");
        fuzz_condition(fuzz, 2);
        fuzz->indent++;
        assign_text(fuzz, var->name, &var->type, fuel);
        fuzz->indent--;
        fuzz_line(fuzz, "else:");
        fuzz->indent++;
        assign_text(fuzz, var->name, &var->type, fuel);
        fuzz->indent--;
        fuzz_line(fuzz, "end");
    } else if (kind < 5 && var->type.depth > 0 && var->type.levels[0].rank == 1) {
        assign_parts(fuzz, var, fuel);
    } else {
        const FuzzVar *state =
            fuzz_percent(fuzz, 40) ? fuzz_find_var(fuzz, fuzz_has_type, &var->type) : NULL;
        if (state && state != var) {
            fuzz_line(fuzz, "%s = %s", var->name, state->name);
        } else {
            assign_text(fuzz, var->name, &var->type, fuel);
        }
    }
}
