// What is changed between where it gets a value and where that is used: variables that a branch
// begins and branches in it change, copies that are written before a loop goes on from them.
#include "tests/random/loops.h"

#include <stdio.h>

enum { LAG_MOST = 3 };

typedef struct Changed {
    Fuzz *fuzz;
    unsigned length;
    char from[FUZZ_NAME], to[FUZZ_NAME], counts[FUZZ_NAME]; // two of reals or ints, and ints
    char index[FUZZ_NAME], own[FUZZ_NAME];
} Changed;

static void condition(Changed *changed, const char *word) {
    Fuzz *fuzz = changed->fuzz;
    const char *i = changed->index;
    switch (fuzz_below(fuzz, 4)) {
    case 0:
        fuzz_line(fuzz, "%s %s %% %u == %u:", word, i, 2 + fuzz_below(fuzz, 3),
                  fuzz_below(fuzz, 2));
        break;
    case 1: fuzz_line(fuzz, "%s %s > %u:", word, i, fuzz_below(fuzz, changed->length)); break;
    case 2: fuzz_line(fuzz, "%s %s[%s] > %s[%s]:", word, changed->from, i, changed->to, i); break;
    default: fuzz_line(fuzz, "%s %s[%s] > %u:", word, changed->from, i, fuzz_below(fuzz, 4)); break;
    }
    fuzz->indent++;
}

static void close(Changed *changed) {
    changed->fuzz->indent--;
    fuzz_line(changed->fuzz, "end");
}

static void set_own(Changed *changed) {
    Fuzz *fuzz = changed->fuzz;
    const char *own = changed->own;
    switch (fuzz_below(fuzz, 4)) {
    case 0: fuzz_line(fuzz, "%s = %s[%s]", own, changed->from, changed->index); break;
    case 1: fuzz_line(fuzz, "%s += %u", own, 1 + fuzz_below(fuzz, 3)); break;
    case 2: fuzz_line(fuzz, "%s = %s * 2 - %s[%s]", own, own, changed->to, changed->index); break;
    default: fuzz_line(fuzz, "%s = %u", own, fuzz_below(fuzz, 9)); break;
    }
}

static void set_element(Changed *changed) {
    Fuzz *fuzz = changed->fuzz;
    const char *i = changed->index;
    switch (fuzz_below(fuzz, 4)) {
    case 0: fuzz_line(fuzz, "%s[%s] += %u", changed->counts, i, 1 + fuzz_below(fuzz, 3)); break;
    case 1: fuzz_line(fuzz, "%s[%s] = %u", changed->to, i, fuzz_below(fuzz, 9)); break;
    case 2: fuzz_line(fuzz, "%s[%s] = %s", changed->to, i, changed->own); break;
    default: fuzz_line(fuzz, "%s[%s] -= %s", changed->to, i, changed->own); break;
    }
}

// What a branch does that has a variable for itself.
static void branch(Changed *changed, unsigned depth) {
    Fuzz *fuzz = changed->fuzz;
    for (unsigned count = 1 + fuzz_below(fuzz, 3); count > 0; count--) {
        unsigned kind = fuzz_below(fuzz, 6);
        if (kind < 2 || (kind < 4 && depth == 0)) {
            set_own(changed);
        } else if (kind >= 4) {
            set_element(changed);
        } else {
            condition(changed, "if");
            branch(changed, depth - 1);
            if (fuzz_percent(fuzz, 50)) {
                fuzz->indent--;
                fuzz_line(fuzz, "else:");
                fuzz->indent++;
                branch(changed, depth - 1);
            }
            close(changed);
        }
    }
}

static void begin_own(Changed *changed) {
    fuzz_line(changed->fuzz, "%s = %s[%s]", changed->own, changed->from, changed->index);
    branch(changed, 2);
    set_element(changed);
}

static void branches(Changed *changed) {
    Fuzz *fuzz = changed->fuzz;
    fuzz_new_name(fuzz, 's', changed->own);
    fuzz_line(fuzz, "for %s = 0:%u:", changed->index, changed->length);
    fuzz->indent++;
    condition(changed, "if");
    begin_own(changed);
    if (fuzz_percent(fuzz, 50)) {
        fuzz->indent--;
        fuzz_line(fuzz, "else:");
        fuzz->indent++;
        if (fuzz_percent(fuzz, 50)) {
            fuzz_new_name(fuzz, 's', changed->own);
        }
        begin_own(changed);
    }
    close(changed);
    close(changed);
}

// One that writes some of the copy, or of what it was copied from.
static void write_some(Changed *changed) {
    Fuzz *fuzz = changed->fuzz;
    const char *name = fuzz_percent(fuzz, 70) ? changed->to : changed->from;
    unsigned at = fuzz_below(fuzz, fuzz_percent(fuzz, 50) ? LAG_MOST + 1 : changed->length);
    unsigned end = at + 1 + fuzz_below(fuzz, changed->length - at);
    switch (fuzz_below(fuzz, 4)) {
    case 0: fuzz_line(fuzz, "%s[%u:%u] = %u", name, at, end, fuzz_below(fuzz, 90)); break;
    case 1: fuzz_line(fuzz, "%s[%u:%u] += %s[%u:%u]", name, at, end, changed->from, at, end); break;
    default: fuzz_line(fuzz, "%s[%u] = %u", name, at, fuzz_below(fuzz, 90)); break;
    }
}

// y = x, y[5] = 7, for i = 1:n: y[i] = y[i] - y[i - 1]
static void go_on(Changed *changed) {
    Fuzz *fuzz = changed->fuzz;
    const char *to = changed->to, *i = changed->index;
    fuzz_line(fuzz, "%s = %s", to, changed->from);
    for (unsigned count = fuzz_below(fuzz, 3); count > 0; count--) {
        write_some(changed);
    }
    unsigned lag = 1 + fuzz_below(fuzz, LAG_MOST);
    unsigned first = lag + fuzz_below(fuzz, 2);
    fuzz_line(fuzz, "for %s = %u:%u:", i, first, changed->length - fuzz_below(fuzz, 2));
    fuzz->indent++;
    const char *old = fuzz_percent(fuzz, 80) ? to : changed->from;
    fuzz_line(fuzz, "%s[%s] = %s[%s] %s %s[%s - %u]", to, i, old, i,
              fuzz_percent(fuzz, 50) ? "+" : "-", to, i, lag);
    close(changed);
}

void fuzz_changed(Fuzz *fuzz) {
    Changed changed = {.fuzz = fuzz, .length = LAG_MOST + 5 + fuzz_below(fuzz, 40)};
    FuzzType type = fuzz_vector(fuzz_percent(fuzz, 50) ? FUZZ_INT : FUZZ_REAL, changed.length);
    char value[64];
    snprintf(value, sizeof(value), "iota(%u) * 7 %% 11 - %u", changed.length, fuzz_below(fuzz, 9));
    fuzz_declare_value(fuzz, changed.from, &type, value);
    fuzz_declare_value(fuzz, changed.to, &type, "1");
    type.root = FUZZ_INT;
    fuzz_declare_value(fuzz, changed.counts, &type, "0");
    fuzz_new_name(fuzz, 'i', changed.index);
    (fuzz_percent(fuzz, 60) ? branches : go_on)(&changed);
}
