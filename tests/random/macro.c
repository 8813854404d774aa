// Macros (L10.7): repeated and chosen statements, and families of variables.
#include "tests/random/generator.h"

#include <stdio.h>
#include <string.h>

// The variable of a family with this index; NULL when it is gone.
static FuzzVar *member(Fuzz *fuzz, const FuzzFamily *family, unsigned index) {
    char name[2 * FUZZ_NAME];
    snprintf(name, sizeof(name), "%s_%u", family->name, index);
    for (unsigned i = fuzz->var_count; i-- > 0;) {
        if (strcmp(fuzz->vars[i].name, name) == 0) {
            return &fuzz->vars[i];
        }
    }
    return NULL;
}

void fuzz_drop_families(Fuzz *fuzz) {
    unsigned kept = 0;
    for (unsigned i = 0; i < fuzz->family_count; i++) {
        if (member(fuzz, &fuzz->families[i], 0)) {
            fuzz->families[kept++] = fuzz->families[i];
        }
    }
    fuzz->family_count = kept;
}

// `macro for k = ...:` over 0 to count - 1, in some order.
static void header(Fuzz *fuzz, char name[FUZZ_NAME], unsigned count) {
    fuzz_new_name(fuzz, 'k', name);
    if (fuzz_percent(fuzz, 20)) {
        fuzz_line(fuzz, "macro for %s = %d:-1:-1:", name, (int)count - 1);
    } else {
        fuzz_line(fuzz, "macro for %s = 0:%u:", name, count);
    }
    fuzz->indent++;
}

static void footer(Fuzz *fuzz) {
    fuzz->indent--;
    fuzz_line(fuzz, "end");
}

// Room for one more family?
static bool has_room(const Fuzz *fuzz) {
    return fuzz->family_count < FUZZ_FAMILIES && fuzz->var_count + 12 < FUZZ_VARS;
}

// Adds the variables of a family; the result is the first.
static FuzzVar *add_family(Fuzz *fuzz, const char *name, const FuzzType *type, unsigned count) {
    FuzzFamily *family = &fuzz->families[fuzz->family_count++];
    *family = (FuzzFamily){.count = count};
    memcpy(family->name, name, FUZZ_NAME);
    FuzzVar *first = &fuzz->vars[fuzz->var_count];
    for (unsigned i = 0; i < count; i++) {
        char whole[FUZZ_NAME] = {0};
        snprintf(whole, sizeof(whole), "%.9s_%u", name, i % 10);
        fuzz_add_var(fuzz, whole, type);
    }
    return first;
}

void fuzz_declare_family(Fuzz *fuzz, bool is_global, int fuel) {
    if (!has_room(fuzz)) {
        return;
    }
    FuzzType type = fuzz_random_type(fuzz);
    unsigned count = 1 + fuzz_below(fuzz, 3);
    char name[FUZZ_NAME] = {0};
    fuzz_new_name(fuzz, is_global ? 'g' : 'v', name);
    char index[FUZZ_NAME];
    header(fuzz, index, count);
    fuzz_indent(fuzz);
    if (fuzz_percent(fuzz, 50)) {
        fuzz_type_text(&type, fuzz->out);
        fuzz_text(fuzz, " ");
    }
    buffer_format(fuzz->out, "%s{%s} = ", name, index);
    bool counts = type.root >= FUZZ_INT && fuzz_percent(fuzz, 60);
    fuzz_expr(fuzz, &type, fuel, counts ? PREC_SUM : PREC_ANY);
    buffer_format(fuzz->out, counts ? " + %s\n" : "\n", index);
    footer(fuzz);
    FuzzVar *vars = add_family(fuzz, name, &type, count);
    for (unsigned i = 0; i < count; i++) {
        vars[i].is_global = is_global;
    }
}

FuzzVar *fuzz_terminal_family(Fuzz *fuzz, const char *head) {
    if (!has_room(fuzz)) {
        return NULL;
    }
    FuzzType type = fuzz_random_type(fuzz);
    unsigned count = 1 + fuzz_below(fuzz, 3);
    char name[FUZZ_NAME] = {0};
    char full[FUZZ_NAME] = {0};
    fuzz_new_name(fuzz, 'm', name);
    snprintf(full, sizeof(full), "t.%.8s", name);
    char index[FUZZ_NAME];
    header(fuzz, index, count);
    fuzz_indent(fuzz);
    buffer_format(fuzz->out, "%s ", head);
    fuzz_type_text(&type, fuzz->out);
    buffer_format(fuzz->out, " %s{%s}\n", full, index);
    footer(fuzz);
    return add_family(fuzz, full, &type, count);
}

// `name{index}` as a variable; it may be used as all its members may.
static void add_indexed(Fuzz *fuzz, const FuzzFamily *family, const char *index, unsigned count) {
    FuzzVar indexed = *member(fuzz, family, 0);
    snprintf(indexed.name, sizeof(indexed.name), "%.8s{%.5s}", family->name, index);
    for (unsigned i = 1; i < count; i++) {
        const FuzzVar *var = member(fuzz, family, i);
        indexed.is_hidden |= var->is_hidden;
        indexed.is_read_only |= var->is_read_only;
    }
    *fuzz_add_var(fuzz, indexed.name, &indexed.type) = indexed;
}

// Statements over the families that have at least `count` members.
static void repeat(Fuzz *fuzz, unsigned count, int depth) {
    char index[FUZZ_NAME];
    header(fuzz, index, count);
    unsigned first = fuzz->var_count;
    for (unsigned i = 0; i < fuzz->family_count && fuzz->var_count + 8 < FUZZ_VARS; i++) {
        if (fuzz->families[i].count >= count) {
            add_indexed(fuzz, &fuzz->families[i], index, count);
        }
    }
    for (unsigned i = 1 + fuzz_below(fuzz, 2); i > 0; i--) {
        fuzz_plain_statement(fuzz, depth - 1);
    }
    fuzz->var_count = first;
    footer(fuzz);
}

// Of a branch that goes, only the syntax counts.
static void gone_statement(Fuzz *fuzz, int depth) {
    static const char *const wrong[] = {"unknown_name = 1 + true", "x = nowhere(1, [2])[3]",
                                        "x = [1, 2] + [1, 2, 3]"};
    if (fuzz_percent(fuzz, 50)) {
        fuzz_line(fuzz, "%s", wrong[fuzz_below(fuzz, 3)]);
    } else {
        fuzz_plain_statement(fuzz, depth - 1);
    }
}

static void choose(Fuzz *fuzz, int depth) {
    bool holds = fuzz_percent(fuzz, 50);
    fuzz_line(fuzz, "macro if %s:",
              holds                    ? fuzz_percent(fuzz, 50) ? "true" : "2 + 1 > 2"
              : fuzz_percent(fuzz, 50) ? "false"
                                       : "[1, 2].len != 2u");
    fuzz->indent++;
    (holds ? fuzz_plain_statement : gone_statement)(fuzz, depth - 1);
    fuzz->indent--;
    if (fuzz_percent(fuzz, 60)) {
        fuzz_line(fuzz, "else:");
        fuzz->indent++;
        (holds ? gone_statement : fuzz_plain_statement)(fuzz, depth - 1);
        fuzz->indent--;
    }
    fuzz_line(fuzz, "end");
}

void fuzz_macro(Fuzz *fuzz, int depth) {
    bool was_macro = fuzz->is_macro;
    fuzz->is_macro = true;
    if (fuzz_percent(fuzz, 30)) {
        choose(fuzz, depth);
    } else {
        unsigned count = 1 + fuzz_below(fuzz, 3);
        if (fuzz->family_count > 0 && fuzz_percent(fuzz, 80)) {
            count = fuzz->families[fuzz_below(fuzz, fuzz->family_count)].count;
        }
        repeat(fuzz, count, depth);
    }
    fuzz->is_macro = was_macro;
}
