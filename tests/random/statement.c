// Statements (L6, L8).
#include "tests/random/loops.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void fuzz_indent(Fuzz *fuzz) {
    buffer_repeat(fuzz->out, ' ', 4 * (size_t)fuzz->indent);
}

void fuzz_line(Fuzz *fuzz, const char *format, ...) {
    char text[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    fuzz_indent(fuzz);
    buffer_format(fuzz->out, "%s\n", text);
}

// Variables.

void fuzz_new_name(Fuzz *fuzz, char letter, char name[FUZZ_NAME]) {
    snprintf(name, FUZZ_NAME, "%c%u", letter, fuzz->name_count++);
}

FuzzVar *fuzz_add_var(Fuzz *fuzz, const char *name, const FuzzType *type) {
    FuzzVar *var = &fuzz->vars[fuzz->var_count++];
    *var = (FuzzVar){.type = *type};
    memcpy(var->name, name, FUZZ_NAME);
    return var;
}

// In a function with the size parameter `n`, that name is no namespace (L10.1).
static bool is_visible(const Fuzz *fuzz, const FuzzVar *var) {
    return !var->is_hidden && !(fuzz->has_sizes && strncmp(var->name, "n.", 2) == 0);
}

const FuzzVar *fuzz_find_var(Fuzz *fuzz, FuzzVarTest *wanted, const FuzzType *type) {
    unsigned found = 0;
    const FuzzVar *result = NULL;
    for (unsigned i = 0; i < fuzz->var_count; i++) {
        const FuzzVar *var = &fuzz->vars[i];
        if (is_visible(fuzz, var) && wanted(var, type)) {
            found++;
            result = fuzz_below(fuzz, found) == 0 ? var : result;
        }
    }
    return result;
}

// Ends a scope: the variables declared since `count` are gone, those that they hid are back.
static void close_scope(Fuzz *fuzz, unsigned count) {
    while (fuzz->var_count > count) {
        const FuzzVar *gone = &fuzz->vars[--fuzz->var_count];
        for (unsigned k = fuzz->var_count; k-- > 0;) {
            if (strcmp(fuzz->vars[k].name, gone->name) == 0) {
                fuzz->vars[k].is_hidden = false;
                break;
            }
        }
    }
    fuzz_drop_families(fuzz);
}

static bool has_room(const Fuzz *fuzz) {
    return fuzz->var_count + 8 < FUZZ_VARS;
}

void fuzz_declare_as(Fuzz *fuzz, const FuzzType *type, bool is_global, int fuel) {
    char name[FUZZ_NAME] = {0};
    fuzz_new_name(fuzz, is_global ? 'g' : 'v', name);
    fuzz_indent(fuzz);
    if (fuzz_percent(fuzz, 50)) {
        fuzz_write_type(fuzz, type);
        buffer_format(fuzz->out, " %s = ", name);
        fuzz_assignable(fuzz, type, fuel);
    } else {
        buffer_format(fuzz->out, "%s = ", name);
        fuzz_argument(fuzz, type, fuel);
    }
    fuzz_text(fuzz, "\n");
    fuzz_add_var(fuzz, name, type)->is_global = is_global;
}

void fuzz_declare_value(Fuzz *fuzz, char name[FUZZ_NAME], const FuzzType *type, const char *value) {
    fuzz_new_name(fuzz, 'v', name);
    fuzz_indent(fuzz);
    fuzz_type_text(type, fuzz->out);
    buffer_format(fuzz->out, " %s = %s\n", name, value);
    fuzz_add_var(fuzz, name, type);
}

void fuzz_declare(Fuzz *fuzz, bool is_global, int fuel) {
    if (!has_room(fuzz)) {
        return;
    }
    FuzzType type = fuzz_random_type(fuzz);
    if (fuzz->var_count > 0 && fuzz_percent(fuzz, 30)) {
        type = fuzz->vars[fuzz_below(fuzz, fuzz->var_count)].type;
    }
    if (fuzz->has_sizes && fuzz_percent(fuzz, 60)) {
        type = fuzz->function->params[fuzz_below(fuzz, fuzz->function->param_count)];
        type.root = fuzz_random_root(fuzz);
    }
    fuzz_declare_as(fuzz, &type, is_global, fuel);
}

// A variable of an inner scope that hides one of an outer scope (L3.2). `first` is where the inner
// scope began.
static void shadow(Fuzz *fuzz, unsigned first, int fuel) {
    if (first == 0 || !has_room(fuzz)) {
        return;
    }
    FuzzVar *outer = &fuzz->vars[fuzz_below(fuzz, first)];
    // Terminals cannot be declared here, and members of families are alike.
    if (outer->is_hidden || outer->is_read_only || strpbrk(outer->name, "._{")) {
        return;
    }
    outer->is_hidden = true;
    FuzzType type = fuzz_random_type(fuzz);
    fuzz_indent(fuzz);
    fuzz_write_type(fuzz, &type);
    buffer_format(fuzz->out, " %s = ", outer->name);
    fuzz_assignable(fuzz, &type, fuel);
    fuzz_text(fuzz, "\n");
    char name[FUZZ_NAME];
    memcpy(name, outer->name, FUZZ_NAME);
    fuzz_add_var(fuzz, name, &type);
}

// Blocks.

void fuzz_condition(Fuzz *fuzz, int fuel) {
    FuzzType type = fuzz_scalar(FUZZ_BOOL);
    fuzz_argument(fuzz, &type, fuel);
    fuzz_text(fuzz, ":\n");
}

static void block(Fuzz *fuzz, unsigned count, int depth) {
    unsigned first = fuzz->var_count;
    fuzz->indent++;
    if (fuzz_percent(fuzz, 8)) {
        shadow(fuzz, first, 2);
    }
    fuzz_statements(fuzz, count, depth);
    fuzz->indent--;
    close_scope(fuzz, first);
}

static void branch(Fuzz *fuzz, int depth) {
    fuzz_indent(fuzz);
    fuzz_text(fuzz, "if ");
    fuzz_condition(fuzz, 3);
    block(fuzz, 1 + fuzz_below(fuzz, 3), depth - 1);
    while (fuzz_percent(fuzz, 25)) {
        fuzz_indent(fuzz);
        fuzz_text(fuzz, "elseif ");
        fuzz_condition(fuzz, 2);
        block(fuzz, 1 + fuzz_below(fuzz, 2), depth - 1);
    }
    if (fuzz_percent(fuzz, 50)) {
        fuzz_line(fuzz, "else:");
        block(fuzz, 1 + fuzz_below(fuzz, 3), depth - 1);
    }
    fuzz_line(fuzz, "end");
}

static void while_loop(Fuzz *fuzz, int depth) {
    char name[FUZZ_NAME] = {0};
    fuzz_new_name(fuzz, 'w', name);
    FuzzType type = fuzz_scalar(FUZZ_INT);
    fuzz_line(fuzz, "%s = 0", name);
    fuzz_add_var(fuzz, name, &type)->is_read_only = true;
    fuzz_indent(fuzz);
    buffer_format(fuzz->out, "while %s < %u", name, 1 + fuzz_below(fuzz, 4));
    if (fuzz_percent(fuzz, 50)) {
        FuzzType boolean = fuzz_scalar(FUZZ_BOOL);
        fuzz_text(fuzz, " and ");
        fuzz_expr(fuzz, &boolean, 2, PREC_NOT);
    }
    fuzz_text(fuzz, ":\n");
    fuzz->indent++;
    fuzz_line(fuzz, "%s += 1", name);
    fuzz->indent--;
    fuzz->loop_depth++;
    block(fuzz, 1 + fuzz_below(fuzz, 4), depth - 1);
    fuzz->loop_depth--;
    fuzz_line(fuzz, "end");
}

// The header's range, written and as what the variable's values are between. The bounds of a loop
// that may run away are held within a few steps.
static void loop_range(Fuzz *fuzz, FuzzVar *var) {
    int first = (int)fuzz_below(fuzz, 3);
    int last = first + (int)fuzz_below(fuzz, 4);
    unsigned kind = fuzz_below(fuzz, 10);
    if (fuzz_percent(fuzz, 3)) {
        // Just before the last value that the variable can have.
        var->is_loop = false;
        fuzz_text(fuzz, fuzz_percent(fuzz, 50) ? "2147483644:2147483647:2"
                                               : "-2147483645:-2147483648:-2");
        return;
    }
    if (fuzz->has_sizes && kind < 4) {
        var->size = FUZZ_SIZE_N;
        fuzz_text(fuzz, "0:n");
        return;
    }
    var->first = first;
    var->last = last;
    if (kind < 6) {
        buffer_format(fuzz->out, fuzz_percent(fuzz, 15) ? "%du:%du" : "%d:%d", first, last + 1);
    } else if (kind == 6) {
        int step = 1 + (int)fuzz_below(fuzz, 3);
        buffer_format(fuzz->out, "%d:%d:%d", first, last + 1, step);
    } else if (kind == 7) {
        int step = 1 + (int)fuzz_below(fuzz, 3);
        buffer_format(fuzz->out, "%d:%d:%d", last, first - 1, -step);
    } else {
        FuzzType bound = fuzz_scalar(FUZZ_INT);
        var->is_loop = false;
        fuzz_text(fuzz, "clamp(");
        fuzz_argument(fuzz, &bound, 1);
        fuzz_text(fuzz, ", -2, 2):clamp(");
        fuzz_argument(fuzz, &bound, 1);
        fuzz_text(fuzz, ", -2, 4)");
        if (kind == 9) {
            fuzz_text(fuzz, ":");
            // A step of zero traps, unless it is constant.
            const FuzzVar *step =
                fuzz_percent(fuzz, fuzz->risk) ? fuzz_find_var(fuzz, fuzz_has_type, &bound) : NULL;
            if (step) {
                buffer_format(fuzz->out, "clamp(%s, -2, 2)", step->name);
            } else {
                fuzz_text(fuzz, "2 * clamp(");
                fuzz_argument(fuzz, &bound, 1);
                fuzz_text(fuzz, ", -1, 1) + 1");
            }
        }
    }
}

static void for_loop(Fuzz *fuzz, int depth) {
    char name[FUZZ_NAME] = {0};
    fuzz_new_name(fuzz, 'i', name);
    FuzzVar var = {.type = fuzz_scalar(FUZZ_INT), .is_read_only = true, .is_loop = true};
    memcpy(var.name, name, FUZZ_NAME);
    fuzz_indent(fuzz);
    buffer_format(fuzz->out, "for %s = ", name);
    loop_range(fuzz, &var);
    fuzz_text(fuzz, ":\n");
    unsigned count = fuzz->var_count;
    *fuzz_add_var(fuzz, name, &var.type) = var;
    fuzz->loop_depth++;
    block(fuzz, 1 + fuzz_below(fuzz, 4), depth - 1);
    fuzz->loop_depth--;
    fuzz->var_count = count;
    fuzz_line(fuzz, "end");
}

// Leaves the loop or the function, under a condition.
static void leave(Fuzz *fuzz) {
    bool returns = fuzz->function && fuzz_percent(fuzz, 50);
    if (!returns && fuzz->loop_depth == 0) {
        return;
    }
    fuzz_indent(fuzz);
    fuzz_text(fuzz, "if ");
    fuzz_condition(fuzz, 2);
    fuzz->indent++;
    fuzz_indent(fuzz);
    if (!returns) {
        fuzz_text(fuzz, fuzz_percent(fuzz, 50) ? "break" : "continue");
    } else if (fuzz->function->has_result) {
        fuzz_return(fuzz, fuzz->function, 2);
    } else {
        fuzz_text(fuzz, "return");
    }
    fuzz_text(fuzz, "\n");
    fuzz->indent--;
    fuzz_line(fuzz, "end");
}

// Calls, printing and other effects.

static void call(Fuzz *fuzz) {
    for (unsigned i = fuzz->function_count; i-- > 0 && fuzz->loop_depth < 2;) {
        const FuzzFunction *function = &fuzz->functions[i];
        if (!function->has_result && fuzz_percent(fuzz, 60)) {
            unsigned sizes[FUZZ_SIZE_COUNT] = {0};
            size_t start = fuzz->out->len;
            fuzz_indent(fuzz);
            if (!fuzz_call(fuzz, function, sizes, 2)) {
                fuzz->out->data[fuzz->out->len = start] = '\0';
                return;
            }
            fuzz_note_call(fuzz, function);
            fuzz_text(fuzz, "\n");
            return;
        }
    }
}

// x = f(...), with x among what f reads and writes where it can be.
static void assign_call(Fuzz *fuzz) {
    for (unsigned i = fuzz->function_count; i-- > 0 && fuzz->loop_depth < 2;) {
        const FuzzFunction *function = &fuzz->functions[i];
        const FuzzVar *var = fuzz_find_var(fuzz, fuzz_has_type, &function->result);
        if (function->has_result && function->more_count == 0 &&
            fuzz_is_concrete(&function->result) && var && !var->is_read_only) {
            unsigned sizes[FUZZ_SIZE_COUNT] = {0};
            size_t start = fuzz->out->len;
            fuzz_indent(fuzz);
            buffer_format(fuzz->out, "%s = ", var->name);
            if (!fuzz_call(fuzz, function, sizes, 2)) {
                fuzz->out->data[fuzz->out->len = start] = '\0';
                return;
            }
            fuzz_note_write(fuzz, var);
            fuzz_note_call(fuzz, function);
            fuzz_text(fuzz, "\n");
            return;
        }
    }
}

// Some that may fail have no text: the trap shows the condition and the values that it compares.
static void assertion(Fuzz *fuzz) {
    FuzzType boolean = fuzz_scalar(FUZZ_BOOL);
    bool is_risky = fuzz_percent(fuzz, 2 * fuzz->risk);
    bool has_text = !is_risky || fuzz_percent(fuzz, 30);
    fuzz_text(fuzz, "assert(");
    if (has_text) {
        fuzz_expr(fuzz, &boolean, 2, PREC_AND);
        fuzz_text(fuzz, is_risky ? ", \"held\"" : " or true, \"always\"");
    } else {
        fuzz_relation(fuzz, &boolean, 2, PREC_ANY);
    }
}

// A signal is named after its type, so that those with one name have one type (L10.11).
static void show_debug(Fuzz *fuzz, const FuzzType *type) {
    Buffer name = {0};
    fuzz_type_text(type, &name);
    for (size_t i = 0; i < name.len; i++) {
        name.data[i] = (char)(isalnum((unsigned char)name.data[i]) ? name.data[i] : '_');
    }
    buffer_format(fuzz->out, "debug(\"d%u_%s\", ", fuzz_below(fuzz, 3), name.data);
    buffer_free(&name);
    fuzz->index_depth++; // no side effects in it
    fuzz_argument(fuzz, type, 3);
    fuzz->index_depth--;
    fuzz_text(fuzz, fuzz_percent(fuzz, 30) ? ", \"a text\"" : "");
}

static void effect(Fuzz *fuzz) {
    FuzzType type = fuzz_random_type(fuzz);
    if (fuzz->function) {
        fuzz->function->is_pure = false;
    }
    fuzz_indent(fuzz);
    if (fuzz->is_component && fuzz_is_concrete(&type) && fuzz_percent(fuzz, 60)) {
        show_debug(fuzz, &type);
    } else if (!fuzz->is_component && !fuzz->is_macro && fuzz_percent(fuzz, 15)) {
        buffer_format(fuzz->out, "output(\"o%u\", ", fuzz->output_count++);
        fuzz_argument(fuzz, &type, 2);
    } else if (fuzz->is_component || fuzz_percent(fuzz, 25)) {
        assertion(fuzz);
    } else {
        fuzz_text(fuzz, fuzz_percent(fuzz, 30) ? "print(\"here\", " : "print(");
        fuzz_argument(fuzz, &type, 3);
        if (fuzz_percent(fuzz, 30)) {
            FuzzType scalar = fuzz_scalar(fuzz_random_root(fuzz));
            fuzz_text(fuzz, ", ");
            fuzz_argument(fuzz, &scalar, 3);
        }
    }
    fuzz_text(fuzz, ")\n");
}

void fuzz_print_vars(Fuzz *fuzz, unsigned first) {
    for (unsigned i = first; i < fuzz->var_count; i++) {
        fuzz_line(fuzz, "print(\"%s\", %s)", fuzz->vars[i].name, fuzz->vars[i].name);
    }
}

static void statement(Fuzz *fuzz, int depth) {
    unsigned kind = fuzz_below(fuzz, 100);
    int fuel = 1 + (int)fuzz_below(fuzz, 4);
    bool runs_once = !fuzz->function && fuzz->indent == fuzz->base_indent;
    if (depth > 0 && fuzz_percent(fuzz, 4)) {
        fuzz_macro(fuzz, depth);
    } else if (fuzz->is_component && fuzz_percent(fuzz, 5)) {
        fuzz_optional(fuzz, depth);
    } else if (fuzz_percent(fuzz, 2)) {
        fuzz_declare_family(fuzz, false, fuel);
    } else if (fuzz->inputs && runs_once && fuzz_percent(fuzz, 6)) {
        FuzzType type = fuzz_random_type(fuzz);
        fuzz_input(fuzz, &type);
    } else if (fuzz->function_count > 0 && fuzz_percent(fuzz, 8)) {
        fuzz_assign_effect(fuzz);
    } else if (fuzz->function_count > 0 && fuzz_percent(fuzz, 5)) {
        fuzz_assign_results(fuzz, !fuzz->is_macro && has_room(fuzz));
    } else if (!fuzz->is_macro && fuzz->loop_depth == 0 && has_room(fuzz) &&
               fuzz_percent(fuzz, 3)) {
        fuzz_lanes(fuzz);
    } else if (!fuzz->is_macro && fuzz->loop_depth == 0 && has_room(fuzz) &&
               fuzz_percent(fuzz, 4)) {
        fuzz_elements(fuzz);
    } else if (!fuzz->is_macro && fuzz->loop_depth == 0 && has_room(fuzz) &&
               fuzz_percent(fuzz, 3)) {
        fuzz_pairs(fuzz);
    } else if (!fuzz->is_macro && fuzz->loop_depth == 0 && has_room(fuzz) &&
               fuzz_percent(fuzz, 2)) {
        fuzz_neighbours(fuzz);
    } else if (!fuzz->is_macro && fuzz->loop_depth == 0 && has_room(fuzz) &&
               fuzz_percent(fuzz, 3)) {
        (fuzz_percent(fuzz, 50) ? fuzz_changed : fuzz_moved)(fuzz);
    } else if (!fuzz->is_macro && has_room(fuzz) && fuzz_percent(fuzz, 4)) {
        (fuzz_percent(fuzz, 50) ? fuzz_limits : fuzz_sides)(fuzz);
    } else if (kind < 22) {
        fuzz_declare(fuzz, false, fuel);
    } else if (kind < 45) {
        fuzz_assign(fuzz, fuel);
    } else if (kind < 57) {
        fuzz_assign_with_operator(fuzz, fuel);
    } else if (kind < 64) {
        fuzz_overlap(fuzz);
    } else if (kind < 69) {
        effect(fuzz);
    } else if (kind < 72) {
        call(fuzz);
    } else if (kind < 75) {
        assign_call(fuzz);
    } else if (kind < 79) {
        leave(fuzz);
    } else if (kind < 80) {
        fuzz_line(fuzz, "pass");
    } else if (depth > 0 && kind < 88) {
        branch(fuzz, depth);
    } else if (depth > 0 && kind < 96 && fuzz->loop_depth < 2 && has_room(fuzz)) {
        for_loop(fuzz, depth);
    } else if (depth > 0 && fuzz->loop_depth < 2 && has_room(fuzz)) {
        while_loop(fuzz, depth);
    }
}

void fuzz_plain_statement(Fuzz *fuzz, int depth) {
    int fuel = 1 + (int)fuzz_below(fuzz, 3);
    switch (fuzz_below(fuzz, depth > 0 && fuzz->loop_depth < 2 && has_room(fuzz) ? 6 : 4)) {
    case 0: fuzz_assign_with_operator(fuzz, fuel); return;
    case 1: fuzz_overlap(fuzz); return;
    case 4: branch(fuzz, depth); return;
    case 5: for_loop(fuzz, depth); return;
    default: fuzz_assign(fuzz, fuel); return;
    }
}

void fuzz_statements(Fuzz *fuzz, unsigned count, int depth) {
    for (unsigned i = 0; i < count && fuzz->out->len < 12000; i++) {
        statement(fuzz, depth);
    }
}
