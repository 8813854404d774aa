// A branch whose sides compute the same but for one scalar, which the optimiser may make one value
// of. What its condition says of an index, a divisor or a real holds on one side only.
#include "tests/random/generator.h"

#include <stdio.h>

enum { LENGTH_MOST = 12, VALUE_TEXT = 4 * FUZZ_NAME };

enum { FORM_ELEMENT, FORM_TERM, FORM_WHOLE, FORM_QUOTIENT, FORM_REMAINDER, FORM_COUNT };

typedef struct Sides {
    Fuzz *fuzz;
    unsigned length;
    char array[FUZZ_NAME], index[FUZZ_NAME], real[FUZZ_NAME], target[FUZZ_NAME];
    char leaves[2][FUZZ_NAME];
    unsigned form; // of the value
} Sides;

// An int that is mostly an index of the array, or a real, which no optimiser knows.
static void declare(Sides *sides, FuzzRoot root, char name[FUZZ_NAME]) {
    Fuzz *fuzz = sides->fuzz;
    FuzzType type = fuzz_scalar(root);
    fuzz_new_name(fuzz, 'v', name);
    fuzz_indent(fuzz);
    buffer_format(fuzz->out, "%s %s = (", root == FUZZ_INT ? "int" : "real", name);
    fuzz_argument(fuzz, &type, 2);
    buffer_format(fuzz->out, ") %% %u\n", sides->length + (fuzz_percent(fuzz, 15) ? 1 : 0));
    fuzz_add_var(fuzz, name, &type);
}

static void condition(Sides *sides) {
    Fuzz *fuzz = sides->fuzz;
    const char *index = sides->index, *real = sides->real;
    switch (fuzz_below(fuzz, 5)) {
    case 0: fuzz_line(fuzz, "if %s >= 0 and %s < %u:", index, index, sides->length); break;
    case 1: fuzz_line(fuzz, "if not (%s < 0 or %s > %u):", index, index, sides->length - 1); break;
    case 2: fuzz_line(fuzz, "if %s > -2.0 and %s < 9.5:", real, real); break;
    case 3: fuzz_line(fuzz, "if %s > 0:", index); break;
    default: fuzz_line(fuzz, "if %s > %s:", sides->leaves[0], sides->leaves[1]); break;
    }
}

static void set(const Sides *sides, const char *leaf) {
    const char *index = sides->index;
    char value[VALUE_TEXT];
    switch (sides->form) {
    case FORM_ELEMENT:
        snprintf(value, sizeof(value), "%s[%s] + %s", sides->array, index, leaf);
        break;
    case FORM_TERM:
        snprintf(value, sizeof(value), "%s - %s[%s] * 2", leaf, sides->array, index);
        break;
    case FORM_WHOLE: snprintf(value, sizeof(value), "int(%s) + %s", sides->real, leaf); break;
    case FORM_QUOTIENT: snprintf(value, sizeof(value), "%s / %s", leaf, index); break;
    default: snprintf(value, sizeof(value), "%s %% 3 + %s", index, leaf); break;
    }
    fuzz_line(sides->fuzz, "    %s = %s", sides->target, value);
}

void fuzz_sides(Fuzz *fuzz) {
    Sides sides = {.fuzz = fuzz,
                   .length = 2 + fuzz_below(fuzz, LENGTH_MOST - 1),
                   .form = fuzz_below(fuzz, FORM_COUNT)};
    FuzzType array = fuzz_vector(FUZZ_INT, sides.length), scalar = fuzz_scalar(FUZZ_INT);
    char value[VALUE_TEXT];
    snprintf(value, sizeof(value), "iota(%u) * 5 %% 7 - %u", sides.length, fuzz_below(fuzz, 4));
    fuzz_declare_value(fuzz, sides.array, &array, value);
    declare(&sides, FUZZ_INT, sides.index);
    declare(&sides, FUZZ_REAL, sides.real);
    declare(&sides, FUZZ_INT, sides.leaves[0]);
    declare(&sides, FUZZ_INT, sides.leaves[1]);
    fuzz_declare_value(fuzz, sides.target, &scalar, "0");
    condition(&sides);
    set(&sides, sides.leaves[0]);
    fuzz_line(fuzz, "else:");
    set(&sides, sides.leaves[fuzz_percent(fuzz, 90) ? 1 : 0]);
    fuzz_line(fuzz, "end");
}
