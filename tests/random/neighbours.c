// Loops over the elements of a matrix and, in them, over tables of where neighbours lie: edges are
// kept out by conditions, by limits, by remainders, or by the bounds of the loops.
#include "tests/random/loops.h"

#include <stdio.h>

enum { REACH = 2, TABLE_MOST = 9 };

typedef struct Neighbours {
    Fuzz *fuzz;
    unsigned rows, columns, turns;
    bool is_inside; // the loops over elements leave out edges
    char from[FUZZ_NAME], to[FUZZ_NAME];
    char down[FUZZ_NAME], along[FUZZ_NAME]; // tables
    char i[FUZZ_NAME], j[FUZZ_NAME], k[FUZZ_NAME];
} Neighbours;

static void declare_table(Neighbours *loops, char name[FUZZ_NAME]) {
    Fuzz *fuzz = loops->fuzz;
    FuzzType type = fuzz_vector(FUZZ_INT, loops->turns);
    char value[8 * TABLE_MOST];
    int length = 0;
    for (unsigned k = 0; k < loops->turns; k++) {
        int offset = (int)fuzz_below(fuzz, 2 * REACH + 1) - REACH;
        length += snprintf(value + length, sizeof(value) - (size_t)length, "%s%d",
                           k == 0 ? "[" : ", ", offset);
    }
    snprintf(value + length, sizeof(value) - (size_t)length, "]");
    fuzz_declare_value(fuzz, name, &type, value);
}

// What is done with the element of a neighbour, at `row` and `column`.
static void use(Neighbours *loops, const char *row, const char *column) {
    Fuzz *fuzz = loops->fuzz;
    const char *to = loops->to, *i = loops->i, *j = loops->j;
    const char *from = fuzz_percent(fuzz, 80) ? loops->from : to; // in place, in the loops' order
    switch (fuzz_below(fuzz, 5)) {
    case 0:
        fuzz_line(fuzz, "%s[%s, %s] = max(%s[%s, %s], %s[%s, %s])", to, i, j, to, i, j, from, row,
                  column);
        break;
    case 1:
        fuzz_line(fuzz, "%s[%s, %s] -= %s[%s, %s] * %s[%s]", to, i, j, from, row, column,
                  loops->down, loops->k);
        break;
    case 2:
        fuzz_line(fuzz, "if %s[%s, %s] > %s[%s, %s]:", from, row, column, loops->from, i, j);
        fuzz_line(fuzz, "    %s[%s, %s] += %u", to, i, j, 1 + fuzz_below(fuzz, 3));
        fuzz_line(fuzz, "end");
        break;
    default: fuzz_line(fuzz, "%s[%s, %s] += %s[%s, %s]", to, i, j, from, row, column); break;
    }
}

static void turn(Neighbours *loops) {
    Fuzz *fuzz = loops->fuzz;
    char row[4 * FUZZ_NAME], column[4 * FUZZ_NAME], a[FUZZ_NAME], b[FUZZ_NAME];
    snprintf(row, sizeof(row), "%s + %s[%s]", loops->i, loops->down, loops->k);
    snprintf(column, sizeof(column), "%s + %s[%s]", loops->j, loops->along, loops->k);
    if (loops->is_inside) {
        use(loops, row, column);
        return;
    }
    fuzz_new_name(fuzz, 'a', a);
    fuzz_new_name(fuzz, 'b', b);
    switch (fuzz_below(fuzz, 4)) {
    case 0:
        fuzz_line(fuzz, "%s = (%s + %u) %% %u", a, row, loops->rows, loops->rows);
        fuzz_line(fuzz, "%s = (%s + %u) %% %u", b, column, loops->columns, loops->columns);
        use(loops, a, b);
        break;
    case 1:
        fuzz_line(fuzz, "%s = max(0, min(%u, %s))", a, loops->rows - 1, row);
        fuzz_line(fuzz, "%s = clamp(%s, 0, %u)", b, column, loops->columns - 1);
        use(loops, a, b);
        break;
    default:
        fuzz_line(fuzz, "%s = %s", a, row);
        fuzz_line(fuzz, "%s = %s", b, column);
        fuzz_line(fuzz, "if %s >= 0 and %s < %u and not (%s < 0 or %s >= %u):", a, a, loops->rows,
                  b, b, loops->columns);
        fuzz->indent++;
        use(loops, a, b);
        fuzz->indent--;
        fuzz_line(fuzz, "end");
        break;
    }
}

static void open_loop(Neighbours *loops, char counter[FUZZ_NAME], unsigned length) {
    unsigned edge = loops->is_inside ? REACH : 0;
    fuzz_new_name(loops->fuzz, 'i', counter);
    fuzz_line(loops->fuzz, "for %s = %u:%u:", counter, edge, length - edge);
    loops->fuzz->indent++;
}

void fuzz_neighbours(Fuzz *fuzz) {
    Neighbours loops = {.fuzz = fuzz, .is_inside = fuzz_percent(fuzz, 40)};
    loops.rows = 2 * REACH + 1 + fuzz_below(fuzz, 6);
    loops.columns = 2 * REACH + 1 + fuzz_below(fuzz, 20);
    loops.turns = 1 + fuzz_below(fuzz, TABLE_MOST);
    FuzzRoot root = fuzz_percent(fuzz, 50) ? FUZZ_INT : FUZZ_REAL;
    FuzzType type = fuzz_matrix(root, loops.rows, loops.columns);
    char value[64];
    snprintf(value, sizeof(value), "reshape(iota(%u) * 7 %% 11 - %u, %u, %u)",
             loops.rows * loops.columns, fuzz_below(fuzz, 9), loops.rows, loops.columns);
    fuzz_declare_value(fuzz, loops.from, &type, value);
    fuzz_declare_value(fuzz, loops.to, &type, fuzz_percent(fuzz, 50) ? loops.from : "0");
    declare_table(&loops, loops.down);
    declare_table(&loops, loops.along);
    if (fuzz_percent(fuzz, 10)) { // no table of constants
        fuzz_line(fuzz, "%s[%u] = 0", loops.along, fuzz_below(fuzz, loops.turns));
    }
    open_loop(&loops, loops.i, loops.rows);
    open_loop(&loops, loops.j, loops.columns);
    fuzz_new_name(fuzz, 'k', loops.k);
    fuzz_line(fuzz, fuzz_percent(fuzz, 80) ? "for %s = 0:%u:" : "for %s = -1 + %u:-1:-1:", loops.k,
              loops.turns);
    fuzz->indent++;
    turn(&loops);
    for (unsigned level = 0; level < 3; level++) {
        fuzz->indent--;
        fuzz_line(fuzz, "end");
    }
}
