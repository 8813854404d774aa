// Indices that read what the statements around them write: an index is asked for before its
// statement writes anything, and in each turn of a loop anew.
#include "tests/random/loops.h"

#include <stdio.h>

enum { LENGTH_LEAST = 4, COLUMNS_MOST = 5 };

typedef struct Moved {
    Fuzz *fuzz;
    unsigned length, columns;
    char places[FUZZ_NAME];              // ints that are indices of the others
    char to[FUZZ_NAME], from[FUZZ_NAME]; // of reals or ints
    char rows[FUZZ_NAME];                // a matrix of the same
    char i[FUZZ_NAME], j[FUZZ_NAME];
} Moved;

typedef char Index[8 * FUZZ_NAME];

// One of a vector's elements. `turn` is the variable of a loop around, or NULL.
static void place(Moved *moved, const char *turn, Index out) {
    Fuzz *fuzz = moved->fuzz;
    const char *p = moved->places;
    unsigned at = fuzz_below(fuzz, moved->length), most = moved->length - 1;
    switch (fuzz_below(fuzz, turn == NULL ? 4 : 6)) {
    case 0: snprintf(out, sizeof(Index), "%s[%u]", p, at); break;
    case 1: snprintf(out, sizeof(Index), "clamp(int(%s[%u]), 0, %u)", moved->to, at, most); break;
    case 2: snprintf(out, sizeof(Index), "%s[%s[%u]]", p, p, at); break;
    case 3:
        snprintf(out, sizeof(Index), "clamp(int(%s[%u, %u]), 0, %u)", moved->rows, at,
                 fuzz_below(fuzz, moved->columns), most);
        break;
    case 4: snprintf(out, sizeof(Index), "%s[%s]", p, turn); break;
    default: snprintf(out, sizeof(Index), "clamp(int(%s[%s]), 0, %u)", moved->to, turn, most);
    }
}

// A place, or just the turn.
static void any_place(Moved *moved, const char *turn, Index out) {
    if (fuzz_percent(moved->fuzz, 40)) {
        snprintf(out, sizeof(Index), "%s", turn);
    } else {
        place(moved, turn, out);
    }
}

static void write_place(Moved *moved) {
    Fuzz *fuzz = moved->fuzz;
    const char *p = moved->places, *i = moved->i;
    Index at;
    any_place(moved, i, at);
    if (fuzz_percent(fuzz, 50)) {
        fuzz_line(fuzz, "%s[%s] = %s", p, at, i);
    } else {
        fuzz_line(fuzz, "%s[%s] = (%s * %u + %s[%u]) %% %u", p, at, i, 1 + fuzz_below(fuzz, 5), p,
                  fuzz_below(fuzz, moved->length), moved->length);
    }
}

static void write_element(Moved *moved) {
    Fuzz *fuzz = moved->fuzz;
    const char *to = moved->to, *i = moved->i;
    Index at, other;
    any_place(moved, i, at);
    place(moved, i, other);
    switch (fuzz_below(fuzz, 5)) {
    case 0: fuzz_line(fuzz, "%s[%s] = %s[%s]", to, at, moved->from, other); break;
    case 1: fuzz_line(fuzz, "%s[%s] = %s[%s] - %s[%s]", to, at, to, other, moved->from, i); break;
    case 2: fuzz_line(fuzz, "%s[%s] += %s[%s]", to, at, moved->from, i); break;
    case 3: fuzz_line(fuzz, "%s[%s] = %s[%s] + %s[%s]", to, at, to, at, moved->from, i); break;
    default: fuzz_line(fuzz, "%s[%s] = %u", to, at, fuzz_below(fuzz, moved->length)); break;
    }
}

// Of the matrix: along a row, in a loop of its own or as a whole.
static void write_row(Moved *moved) {
    Fuzz *fuzz = moved->fuzz;
    const char *rows = moved->rows, *j = moved->j;
    Index at, other;
    any_place(moved, moved->i, at);
    place(moved, moved->i, other);
    if (fuzz_percent(fuzz, 30)) {
        fuzz_line(fuzz, "%s[%s, :] = %s[%s, :]", rows, at, rows, other);
        return;
    }
    fuzz_line(fuzz, "for %s = 0:%u:", j, moved->columns);
    fuzz->indent++;
    switch (fuzz_below(fuzz, 3)) {
    case 0: fuzz_line(fuzz, "%s[%s, %s] = %s[%s, %s]", rows, at, j, rows, other, j); break;
    case 1: fuzz_line(fuzz, "%s[%s, %s] -= %s[%s]", rows, at, j, moved->from, other); break;
    default:
        fuzz_line(fuzz, "%s[%s, %s] = %s[%s, %s] + %s[%s]", rows, at, j, rows, at, j, moved->to,
                  other);
        break;
    }
    fuzz->indent--;
    fuzz_line(fuzz, "end");
}

static void turns(Moved *moved) {
    Fuzz *fuzz = moved->fuzz;
    fuzz_line(fuzz, "for %s = 0:%u:", moved->i, moved->length - fuzz_below(fuzz, 2));
    fuzz->indent++;
    for (unsigned count = 1 + fuzz_below(fuzz, 3); count > 0; count--) {
        unsigned kind = fuzz_below(fuzz, 7);
        (kind < 2 ? write_place : kind < 5 ? write_element : write_row)(moved);
    }
    fuzz->indent--;
    fuzz_line(fuzz, "end");
}

// Statements about whole arrays.
static void wholes(Moved *moved) {
    Fuzz *fuzz = moved->fuzz;
    const char *to = moved->to, *from = moved->from, *rows = moved->rows;
    for (unsigned count = 1 + fuzz_below(fuzz, 3); count > 0; count--) {
        Index at;
        place(moved, NULL, at);
        unsigned column = fuzz_below(fuzz, moved->columns), shift = fuzz_below(fuzz, 3);
        switch (fuzz_below(fuzz, 6)) {
        case 0: fuzz_line(fuzz, "%s[:, %u] = %s - %s[%s]", rows, column, to, from, at); break;
        case 1: fuzz_line(fuzz, "%s = %s - %s[%s]", to, from, to, at); break;
        case 2:
            fuzz_line(fuzz, "%s[%u:] = %s[:%u] + %s[%s]", to, shift, to, moved->length - shift, to,
                      at);
            break;
        case 3:
            fuzz_line(fuzz, "%s = %s[%s, %u] + %s[:, %u]", to, rows, at, column, rows, column);
            break;
        case 4:
            fuzz_line(fuzz, "%s[%s, :] = %s[%u] - %s[%s, :]", rows, at, to, shift, rows, at);
            break;
        default:
            fuzz_line(fuzz, "%s = stack(1, %s - %s[%s], %s + 1)[:, %u]", to, from, to, at, to,
                      fuzz_below(fuzz, 2));
            break;
        }
    }
}

void fuzz_moved(Fuzz *fuzz) {
    Moved moved = {.fuzz = fuzz,
                   .length = LENGTH_LEAST + fuzz_below(fuzz, 30),
                   .columns = 1 + fuzz_below(fuzz, COLUMNS_MOST)};
    FuzzType type = fuzz_vector(FUZZ_INT, moved.length);
    char value[64];
    snprintf(value, sizeof(value), "iota(%u) * %u %% %u", moved.length, 1 + fuzz_below(fuzz, 9),
             moved.length);
    fuzz_declare_value(fuzz, moved.places, &type, value);
    type.root = fuzz_percent(fuzz, 50) ? FUZZ_INT : FUZZ_REAL;
    fuzz_declare_value(fuzz, moved.from, &type, value);
    fuzz_declare_value(fuzz, moved.to, &type, "1");
    FuzzType matrix = fuzz_matrix(type.root, moved.length, moved.columns);
    fuzz_declare_value(fuzz, moved.rows, &matrix, "2");
    fuzz_new_name(fuzz, 'i', moved.i);
    fuzz_new_name(fuzz, 'j', moved.j);
    for (unsigned count = 1 + fuzz_below(fuzz, 3); count > 0; count--) {
        (fuzz_percent(fuzz, 70) ? turns : wholes)(&moved);
    }
}
