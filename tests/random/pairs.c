// Loops over pairs of rows of one matrix, which may be the same row: all turns of the inner loop
// read and write one, beside others that move.
#include "tests/random/loops.h"

#include <stdio.h>

typedef struct Pairs {
    Fuzz *fuzz;
    unsigned rows, columns;
    char matrix[FUZZ_NAME], outer[FUZZ_NAME], inner[FUZZ_NAME];
} Pairs;

// The row of one of the loops, or one that is always the same.
static const char *row(Pairs *pairs, char number[FUZZ_NAME]) {
    switch (fuzz_below(pairs->fuzz, 5)) {
    case 0: snprintf(number, FUZZ_NAME, "%u", fuzz_below(pairs->fuzz, pairs->rows)); return number;
    case 1:
    case 2: return pairs->outer;
    default: return pairs->inner;
    }
}

static void statement(Pairs *pairs) {
    Fuzz *fuzz = pairs->fuzz;
    const char *name = pairs->matrix;
    char first[FUZZ_NAME], second[FUZZ_NAME];
    const char *to = row(pairs, first), *from = row(pairs, second);
    unsigned column = fuzz_below(fuzz, pairs->columns), other = fuzz_below(fuzz, pairs->columns);
    const char *sign = fuzz_percent(fuzz, 50) ? "+" : "-";
    switch (fuzz_below(fuzz, 8)) {
    case 0:
        fuzz_line(fuzz, "%s[%s, %u] %s= %s[%s, %u]", name, to, column, sign, name, from, other);
        break;
    case 1: fuzz_line(fuzz, "%s[%s, :] %s= %s[%s, %u]", name, to, sign, name, from, other); break;
    case 2: fuzz_line(fuzz, "%s[%s, :] = %s[%s, ::-1] %s 1", name, to, name, from, sign); break;
    case 3: fuzz_line(fuzz, "%s[%s, :] = %s * 3 - %u", name, to, pairs->inner, other); break;
    case 4: fuzz_line(fuzz, "%s[%s, %u] = %s", name, to, column, pairs->outer); break;
    case 5:
        fuzz_line(fuzz, "if %s[%s, %u] > %s[%s, %u]:", name, to, column, name, from, other);
        fuzz_line(fuzz, "    %s[%s, :] %s= %s[%s, :]", name, from, sign, name, to);
        fuzz_line(fuzz, "end");
        break;
    default: fuzz_line(fuzz, "%s[%s, :] %s= %s[%s, :]", name, to, sign, name, from); break;
    }
}

static void open_inner(Pairs *pairs) {
    Fuzz *fuzz = pairs->fuzz;
    const char *i = pairs->outer, *j = pairs->inner;
    unsigned n = pairs->rows;
    switch (fuzz_below(fuzz, 8)) {
    case 0: fuzz_line(fuzz, "for %s = %s + 1:%u:", j, i, n); break;
    case 1: fuzz_line(fuzz, "for %s = 0:%s + 1:", j, i); break;
    case 2: fuzz_line(fuzz, "for %s = %s:%u:", j, i, n); break;
    case 3: fuzz_line(fuzz, "for %s = %s - 1:-1:-1:", j, i); break;
    case 4: fuzz_line(fuzz, "for %s = %u:%s:-1:", j, n - 1, i); break;
    case 5: fuzz_line(fuzz, "for %s = 1:%u:", j, n); break;
    default: fuzz_line(fuzz, "for %s = 0:%s:", j, i); break;
    }
    fuzz->indent++;
}

void fuzz_pairs(Fuzz *fuzz) {
    Pairs pairs = {.fuzz = fuzz, .rows = 3 + fuzz_below(fuzz, 8)};
    pairs.columns = 1 + fuzz_below(fuzz, 9);
    FuzzRoot root = fuzz_percent(fuzz, 50) ? FUZZ_INT : FUZZ_REAL;
    FuzzType type = fuzz_matrix(root, pairs.rows, pairs.columns);
    char value[64];
    snprintf(value, sizeof(value), "reshape(iota(%u) * 7 %% 11 - %u, %u, %u)",
             pairs.rows * pairs.columns, fuzz_below(fuzz, 9), pairs.rows, pairs.columns);
    fuzz_declare_value(fuzz, pairs.matrix, &type, value);
    fuzz_new_name(fuzz, 'i', pairs.outer);
    fuzz_new_name(fuzz, 'i', pairs.inner);
    fuzz_line(fuzz, "for %s = 0:%u:", pairs.outer, pairs.rows);
    fuzz->indent++;
    for (unsigned loops = 1 + fuzz_below(fuzz, 2); loops > 0; loops--) {
        open_inner(&pairs);
        for (unsigned count = 1 + fuzz_below(fuzz, 4); count > 0; count--) {
            statement(&pairs);
        }
        fuzz->indent--;
        fuzz_line(fuzz, "end");
    }
    fuzz->indent--;
    fuzz_line(fuzz, "end");
}
