// A real between limits, written in many ways, of the same number more than once: a nan, or a zero
// of the other sign, passes some of them and is caught by others.
#include "tests/random/generator.h"

#include <stdio.h>

static const char *const numbers[] = {"5.0", "-1.0", "0.0", "1e10", "3.0"};

static const char *pick(Fuzz *fuzz) {
    return numbers[fuzz_below(fuzz, sizeof(numbers) / sizeof(numbers[0]))];
}

typedef struct Limit {
    const char *name, *number;
    bool is_upper;
} Limit;

static const char *compared(const Limit *limit, bool is_beyond, bool is_strict) {
    static const char *const strict[] = {"<", ">"};
    static const char *const loose[] = {"<=", ">="};
    return (is_strict ? strict : loose)[limit->is_upper == is_beyond];
}

// `if not (v < 5.0): v = 5.0`, and with the two sides exchanged.
static void branch(Fuzz *fuzz, const Limit *limit) {
    const char *name = limit->name, *number = limit->number;
    bool is_strict = fuzz_percent(fuzz, 50);
    const char *beyond = compared(limit, true, is_strict);
    const char *within = compared(limit, false, is_strict);
    switch (fuzz_below(fuzz, 4)) {
    case 0: fuzz_line(fuzz, "if %s %s %s:", name, beyond, number); break;
    case 1: fuzz_line(fuzz, "if not (%s %s %s):", name, within, number); break;
    case 2: fuzz_line(fuzz, "if not (%s %s %s):", number, beyond, name); break;
    default:
        fuzz_line(fuzz, "if %s %s %s:", name, within, number);
        fuzz_line(fuzz, "    pass");
        fuzz_line(fuzz, "else:");
        break;
    }
    fuzz_line(fuzz, "    %s = %s", name, number);
    fuzz_line(fuzz, "end");
}

// What comes into one of two by a comparison that is kept, or by a value that is there before.
static void by_another(Fuzz *fuzz, const Limit *limit) {
    const char *name = limit->name, *number = limit->number;
    const char *within = compared(limit, false, fuzz_percent(fuzz, 50));
    char other[FUZZ_NAME];
    FuzzType type = fuzz_scalar(fuzz_percent(fuzz, 50) ? FUZZ_BOOL : FUZZ_REAL);
    if (type.root == FUZZ_BOOL) {
        char test[64];
        snprintf(test, sizeof(test), "%s %s %s", name, within, number);
        fuzz_declare_value(fuzz, other, &type, test);
        fuzz_line(fuzz, "if not %s:", other);
        fuzz_line(fuzz, "    %s = %s", name, number);
    } else {
        fuzz_declare_value(fuzz, other, &type, number);
        fuzz_line(fuzz, "if %s %s %s:", name, within, number);
        fuzz_line(fuzz, "    %s = %s", other, name);
    }
    fuzz_line(fuzz, "end");
    if (type.root == FUZZ_REAL) {
        fuzz_line(fuzz, "%s = %s", name, other);
    }
}

static void value(Fuzz *fuzz, const Limit *limit) {
    const char *name = limit->name, *number = limit->number;
    bool is_strict = fuzz_percent(fuzz, 50);
    switch (fuzz_below(fuzz, 4)) {
    case 0:
        fuzz_line(fuzz, "%s = select(%s %s %s, %s, %s)", name, name,
                  compared(limit, true, is_strict), number, number, name);
        break;
    case 1:
        fuzz_line(fuzz, "%s = select(%s %s %s, %s, %s)", name, name,
                  compared(limit, false, is_strict), number, name, number);
        break;
    case 2:
        fuzz_line(fuzz, "%s = select(not (%s %s %s), %s, %s)", name, name,
                  compared(limit, false, is_strict), number, number, name);
        break;
    default:
        fuzz_line(fuzz, "%s = %s(%s, %s)", name, limit->is_upper ? "min" : "max", name, number);
        break;
    }
}

// A nan or a zero that LLVM does not know to be one, or anything.
static void declare(Fuzz *fuzz, char name[FUZZ_NAME]) {
    FuzzType type = fuzz_scalar(FUZZ_REAL);
    static const char *const heads[] = {"", "asin(2.0 + abs(", "0.0 * -(1.0 + abs("};
    unsigned kind = fuzz_below(fuzz, 3);
    fuzz_new_name(fuzz, 'v', name);
    fuzz_indent(fuzz);
    buffer_format(fuzz->out, "real %s = %s", name, heads[kind]);
    (kind > 0 ? fuzz_argument : fuzz_assignable)(fuzz, &type, 2);
    fuzz_text(fuzz, kind > 0 ? "))\n" : "\n");
    fuzz_add_var(fuzz, name, &type);
}

void fuzz_limits(Fuzz *fuzz) {
    char name[FUZZ_NAME] = {0};
    declare(fuzz, name);
    Limit limit = {.name = name, .number = pick(fuzz), .is_upper = fuzz_percent(fuzz, 50)};
    for (unsigned count = 2 + fuzz_below(fuzz, 3); count > 0; count--) {
        unsigned kind = fuzz_below(fuzz, 10);
        (kind < 5 ? branch : kind < 8 ? value : by_another)(fuzz, &limit);
        if (fuzz_percent(fuzz, 10)) {
            limit.number = pick(fuzz);
        }
    }
}
