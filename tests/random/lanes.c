// Loops over elements whose turns may run side by side (tir/lanes_loop.h), or nearly so: scalars of
// a turn, loops and branches inside, and elements at the loop's variable.
#include "tests/random/loops.h"

#include <stdio.h>

enum { SCALARS = 24, WINDOW_MOST = 40, COLUMNS_MOST = 38 };

typedef struct Loop {
    Fuzz *fuzz;
    char reals[FUZZ_NAME], ints[FUZZ_NAME],
        rows[FUZZ_NAME];    // what is written: two vectors, three rows
    char series[FUZZ_NAME]; // read only, by parts that begin at the loop's variable
    char table[FUZZ_NAME];  // read only: a row for each turn
    unsigned columns;
    char total[FUZZ_NAME], count_of[FUZZ_NAME],
        totals[FUZZ_NAME];                  // what turns add to: a real, an int, three reals
    char best[FUZZ_NAME], place[FUZZ_NAME]; // a real that turns compare with, and its turn
    char index[FUZZ_NAME];
    int start; // of the loop's variable: where its element is number 0
    struct {
        char name[FUZZ_NAME];
        FuzzRoot root;
        bool is_read_only;
    } scalars[SCALARS];
    unsigned count;
    unsigned inner;   // loops around the statement at hand
    bool counts_last; // the innermost of them, where `continue` would go on forever
} Loop;

static void expr(Loop *loop, FuzzRoot root, int fuel);

static unsigned below(Loop *loop, unsigned limit) {
    return fuzz_below(loop->fuzz, limit);
}

static void text(Loop *loop, const char *words) {
    fuzz_text(loop->fuzz, words);
}

// One time in some hundred the element is a neighbour's, which is another turn's.
static void element(Loop *loop, const char *array, bool has_rows) {
    Buffer *out = loop->fuzz->out;
    buffer_format(out, "%s[", array);
    if (has_rows) {
        buffer_format(out, "%u, ", below(loop, 3));
    }
    bool is_outside = below(loop, 150) == 0 && loop->fuzz->risk > 0;
    int shift = -loop->start + is_outside;
    buffer_text(out, loop->index);
    if (shift != 0) {
        buffer_format(out, " %c %d", shift < 0 ? '-' : '+', shift < 0 ? -shift : shift);
    }
    text(loop, "]");
}

static void leaf(Loop *loop, FuzzRoot root) {
    for (unsigned tries = 0; tries < 4 && loop->count > 0; tries++) {
        unsigned k = below(loop, loop->count);
        if (loop->scalars[k].root == root) {
            text(loop, loop->scalars[k].name);
            return;
        }
    }
    if (root == FUZZ_BOOL) {
        text(loop, below(loop, 2) == 0 ? "true" : "false");
    } else if (below(loop, 2) == 0) {
        bool has_rows = root == FUZZ_INT && below(loop, 2) == 0;
        element(loop,
                root == FUZZ_REAL ? loop->reals
                : has_rows        ? loop->rows
                                  : loop->ints,
                has_rows);
    } else {
        fuzz_scalar_literal(loop->fuzz, root, PREC_ATOM);
    }
}

static void call(Loop *loop, const char *name, FuzzRoot root, unsigned count, int fuel) {
    text(loop, name);
    for (unsigned i = 0; i < count; i++) {
        text(loop, i == 0 ? "(" : ", ");
        expr(loop, root, fuel - 1);
    }
    text(loop, ")");
}

static void binary(Loop *loop, FuzzRoot root, const char *operator, int fuel) {
    text(loop, "(");
    expr(loop, root, fuel - 1);
    text(loop, operator);
    expr(loop, root, fuel - 1);
    text(loop, ")");
}

// What a part of the series comes to. All its values, and sums of them, are exact.
static void window(Loop *loop) {
    static const char *const functions[] = {"sum", "max", "min"};
    Buffer *out = loop->fuzz->out;
    unsigned length = 1 + below(loop, WINDOW_MOST);
    unsigned kind = below(loop, 4);
    if (kind < 3) {
        buffer_format(out, "%s(", functions[kind]);
    } else {
        buffer_format(out, "(%s[:%u] .* ", loop->series, length);
    }
    buffer_format(out, "%s[%s - %d:%s - %d + %u])", loop->series, loop->index, loop->start,
                  loop->index, loop->start, length);
}

static void real_expr(Loop *loop, int fuel) {
    static const char *const operators[] = {" + ", " - ", " * ", " / "};
    static const char *const functions[] = {"abs", "floor", "sqrt", "-"};
    if (below(loop, 8) == 0) {
        window(loop);
        return;
    }
    switch (below(loop, 4)) {
    case 0: call(loop, functions[below(loop, 4)], FUZZ_REAL, 1, fuel); return;
    case 1: call(loop, below(loop, 2) == 0 ? "min" : "max", FUZZ_REAL, 2, fuel); return;
    default: binary(loop, FUZZ_REAL, operators[below(loop, 4)], fuel); return;
    }
}

static void int_expr(Loop *loop, int fuel) {
    static const char *const operators[] = {" + ", " - ", " * "};
    switch (below(loop, 6)) {
    case 0: call(loop, "int", FUZZ_REAL, 1, fuel); return;
    case 1: call(loop, below(loop, 2) == 0 ? "min" : "max", FUZZ_INT, 2, fuel); return;
    case 2:
        text(loop, "(");
        expr(loop, FUZZ_INT, fuel - 1);
        buffer_format(loop->fuzz->out, " %c %u)", below(loop, 2) == 0 ? '/' : '%',
                      1 + below(loop, 9));
        return;
    default: binary(loop, FUZZ_INT, operators[below(loop, 3)], fuel); return;
    }
}

static void bool_expr(Loop *loop, int fuel) {
    static const char *const relations[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
    switch (below(loop, 5)) {
    case 0: call(loop, "not ", FUZZ_BOOL, 1, fuel); return;
    case 1: binary(loop, FUZZ_BOOL, below(loop, 2) == 0 ? " and " : " or ", fuel); return;
    case 2: binary(loop, FUZZ_INT, relations[below(loop, 6)], fuel); return;
    default: binary(loop, FUZZ_REAL, relations[below(loop, 6)], fuel); return;
    }
}

static void expr(Loop *loop, FuzzRoot root, int fuel) {
    if (fuel <= 0 || below(loop, 4) == 0) {
        leaf(loop, root);
    } else if (below(loop, 8) == 0) {
        text(loop, "select(");
        expr(loop, FUZZ_BOOL, fuel - 1);
        text(loop, ", ");
        expr(loop, root, fuel - 1);
        text(loop, ", ");
        expr(loop, root, fuel - 1);
        text(loop, ")");
    } else if (root == FUZZ_REAL) {
        real_expr(loop, fuel);
    } else if (root == FUZZ_INT) {
        int_expr(loop, fuel);
    } else {
        bool_expr(loop, fuel);
    }
}

static const char *add_scalar(Loop *loop, FuzzRoot root, bool is_read_only, char letter) {
    if (loop->count == SCALARS) {
        return NULL;
    }
    char *name = loop->scalars[loop->count].name;
    fuzz_new_name(loop->fuzz, letter, name);
    loop->scalars[loop->count].root = root;
    loop->scalars[loop->count].is_read_only = is_read_only;
    loop->count++;
    return name;
}

static void assign(Loop *loop, FuzzRoot root) {
    text(loop, " = ");
    expr(loop, root, 3);
    text(loop, "\n");
}

static void declare(Loop *loop) {
    static const char *const words[] = {"bool", "uint", "int", "real"};
    FuzzRoot root = below(loop, 5) == 0 ? FUZZ_BOOL : below(loop, 2) == 0 ? FUZZ_INT : FUZZ_REAL;
    if (loop->count == SCALARS) {
        return;
    }
    fuzz_indent(loop->fuzz);
    char name[FUZZ_NAME];
    fuzz_new_name(loop->fuzz, 's', name);
    buffer_format(loop->fuzz->out, "%s %s", words[root], name);
    assign(loop, root);
    snprintf(loop->scalars[loop->count].name, FUZZ_NAME, "%s", name);
    loop->scalars[loop->count].root = root;
    loop->scalars[loop->count].is_read_only = false;
    loop->count++;
}

static void set(Loop *loop) {
    fuzz_indent(loop->fuzz);
    unsigned k = below(loop, loop->count + 2);
    if (k < loop->count && !loop->scalars[k].is_read_only) {
        text(loop, loop->scalars[k].name);
        assign(loop, loop->scalars[k].root);
        return;
    }
    unsigned kind = below(loop, 3);
    element(loop, kind == 0 ? loop->reals : kind == 1 ? loop->ints : loop->rows, kind == 2);
    assign(loop, kind == 0 ? FUZZ_REAL : FUZZ_INT);
}

// To what the turn before has left; in another order the sum would round otherwise.
static void add(Loop *loop) {
    static const char *const operators[] = {"+=", "+=", "-=", "*="};
    Buffer *out = loop->fuzz->out;
    unsigned kind = below(loop, 8);
    FuzzRoot root = kind == 0 ? FUZZ_INT : FUZZ_REAL;
    fuzz_indent(loop->fuzz);
    if (kind == 1) { // from the right
        buffer_format(out, "%s = 0.1 * ", loop->total);
        expr(loop, root, 3);
        buffer_format(out, " + %s\n", loop->total);
        return;
    }
    if (kind < 5) {
        text(loop, kind == 0 ? loop->count_of : loop->total);
    } else {
        text(loop, loop->totals);
    }
    if (kind == 5 || kind == 6) {
        buffer_format(out, "[%u]", below(loop, 3));
    }
    buffer_format(out, " %s %s", operators[below(loop, 4)], root == FUZZ_INT ? "" : "0.1 * ");
    expr(loop, root, 3);
    if (kind == 7) {
        buffer_format(out, " * %s[%s - %d, :3]", loop->table, loop->index, loop->start);
    }
    text(loop, "\n");
}

// What is the greatest so far, or the least, and where it was.
static void keep(Loop *loop) {
    static const char *const relations[] = {" < ", " <= ", " > ", " >= "};
    Buffer value = {0};
    Buffer *out = loop->fuzz->out;
    loop->fuzz->out = &value;
    expr(loop, FUZZ_REAL, 3);
    loop->fuzz->out = out;
    bool is_turned = below(loop, 2) == 0;
    fuzz_indent(loop->fuzz);
    buffer_format(out, "if %s%s%s:\n", is_turned ? loop->best : value.data,
                  relations[below(loop, 4)], is_turned ? value.data : loop->best);
    fuzz_indent(loop->fuzz);
    buffer_format(out, "    %s = %s\n", loop->best, value.data); // longer than fuzz_line takes
    if (below(loop, 3) > 0) {
        fuzz_line(loop->fuzz, "    %s = %s", loop->place, loop->index);
    }
    fuzz_line(loop->fuzz, "end");
    buffer_free(&value);
}

// One of these: what is added up, what is counted, or a scalar of the turn; NULL: there is none.
static const char *taken(Loop *loop, unsigned kind, FuzzRoot *root) {
    *root = kind == 0 ? FUZZ_REAL : FUZZ_INT;
    if (kind < 2) {
        return kind == 0 ? loop->total : loop->count_of;
    }
    for (unsigned k = 0; k < loop->count; k++) {
        if (!loop->scalars[k].is_read_only) {
            *root = loop->scalars[k].root;
            return loop->scalars[k].name;
        }
    }
    return NULL;
}

static void side(Loop *loop, unsigned kinds) {
    static const char *const operators[] = {"+=", "-=", "="};
    for (unsigned kind = 0; kind < 3; kind++) {
        FuzzRoot root;
        const char *name = (kinds >> kind & 1) != 0 ? taken(loop, kind, &root) : NULL;
        if (name != NULL) {
            bool is_set = root == FUZZ_BOOL || kind == 2;
            fuzz_indent(loop->fuzz);
            buffer_format(loop->fuzz->out, "    %s %s ", name,
                          operators[is_set ? 2 : below(loop, 2)]);
            expr(loop, root, below(loop, 3) == 0 ? 2 : 0);
            text(loop, "\n");
        }
    }
}

// Both sides give the same scalars values.
static void both_sides(Loop *loop) {
    unsigned kinds = below(loop, 4) == 0 ? 1 + below(loop, 2) : 3 + 4 * below(loop, 2);
    fuzz_indent(loop->fuzz);
    text(loop, "if ");
    expr(loop, FUZZ_BOOL, 2);
    text(loop, ":\n");
    side(loop, kinds);
    fuzz_line(loop->fuzz, "else:");
    side(loop, kinds);
    fuzz_line(loop->fuzz, "end");
}

static void statements(Loop *loop, unsigned count, int depth);

static void block(Loop *loop, unsigned count, int depth, bool jumps) {
    unsigned scalars = loop->count;
    loop->fuzz->indent++;
    statements(loop, count, depth);
    if (jumps && (loop->inner > 0 || below(loop, 3) == 0)) {
        bool is_break = loop->counts_last || (loop->inner > 0 && below(loop, 2) == 0);
        fuzz_line(loop->fuzz, is_break ? "break" : "continue");
    }
    loop->fuzz->indent--;
    loop->count = scalars;
}

static void branch(Loop *loop, int depth) {
    fuzz_indent(loop->fuzz);
    text(loop, "if ");
    expr(loop, FUZZ_BOOL, 3);
    text(loop, ":\n");
    block(loop, 1 + below(loop, 3), depth - 1, below(loop, 3) == 0);
    if (below(loop, 2) == 0) {
        fuzz_line(loop->fuzz, "else:");
        block(loop, 1 + below(loop, 2), depth - 1, below(loop, 5) == 0);
    }
    fuzz_line(loop->fuzz, "end");
}

// A bound of what is counted, and mostly something else, in any order.
static void while_line(Loop *loop, const char *counter) {
    unsigned bound = 1 + below(loop, 6);
    unsigned kind = below(loop, 4);
    char condition[64];
    if (kind < 2) {
        snprintf(condition, sizeof(condition), kind == 0 ? "%s < %u" : "%s <= %u", counter, bound);
    } else {
        snprintf(condition, sizeof(condition), kind == 2 ? "%u > %s" : "%u >= %s", bound, counter);
    }
    unsigned order = below(loop, 6);
    fuzz_indent(loop->fuzz);
    buffer_format(loop->fuzz->out, "while %s", order < 4 ? condition : "");
    if (order > 0) {
        text(loop, order < 4 ? " and " : "");
        expr(loop, FUZZ_BOOL, 3);
    }
    buffer_format(loop->fuzz->out, "%s%s:\n", order < 4 ? "" : " and ", order < 4 ? "" : condition);
}

static void inner_loop(Loop *loop, int depth) {
    unsigned scalars = loop->count;
    bool is_while = below(loop, 3) > 0;
    bool counts_last = below(loop, 2) == 0;
    int step = 1 + (int)below(loop, 3) / 2;
    const char *counter = add_scalar(loop, FUZZ_INT, true, 'c');
    if (counter == NULL) {
        return;
    }
    if (is_while) {
        fuzz_line(loop->fuzz, "%s = %d", counter, (int)below(loop, 3) - 1);
        while_line(loop, counter);
        if (!counts_last) {
            fuzz_line(loop->fuzz, "    %s += %d", counter, step);
        }
    } else {
        bool is_down = below(loop, 3) == 0;
        fuzz_line(loop->fuzz, is_down ? "for %s = 3:%d:-1:" : "for %s = 0:%d:", counter,
                  (int)below(loop, 4) - (is_down ? 1 : 0));
    }
    bool outer_counts_last = loop->counts_last;
    loop->counts_last = is_while && counts_last;
    loop->inner++;
    block(loop, 1 + below(loop, 3), depth - 1, false);
    loop->inner--;
    loop->counts_last = outer_counts_last;
    if (is_while && counts_last) {
        fuzz_line(loop->fuzz, "    %s += %d", counter, step);
    }
    fuzz_line(loop->fuzz, "end");
    loop->count = is_while ? loop->count : scalars;
}

static void statements(Loop *loop, unsigned count, int depth) {
    for (unsigned i = 0; i < count; i++) {
        unsigned kind = below(loop, depth > 0 ? 10 : 6);
        if (kind < 2) {
            declare(loop);
        } else if (below(loop, 12) == 0) {
            add(loop);
        } else if (below(loop, 6) == 0) {
            both_sides(loop);
        } else if (kind < 6) {
            set(loop);
        } else if (kind < 8) {
            branch(loop, depth);
        } else {
            inner_loop(loop, depth);
        }
    }
}

// One of what windows come to, of which turns may run side by side.
static void set_by_windows(Loop *loop) {
    static const char *const operators[] = {" + ", " - ", " * ", " / "};
    fuzz_indent(loop->fuzz);
    element(loop, loop->reals, false);
    text(loop, " = ");
    window(loop);
    while (below(loop, 2) == 0) {
        text(loop, operators[below(loop, 4)]);
        if (below(loop, 2) == 0) {
            window(loop);
        } else {
            leaf(loop, FUZZ_REAL);
        }
    }
    text(loop, "\n");
}

// An element of the turn's row, in a column that a loop inside counts, or beside it.
static void of_row(Loop *loop, const char *column) {
    static const char *const shifts[] = {"", "", " - 1", " + 1"};
    buffer_format(loop->fuzz->out, "%s[%s - %d, %s%s]", loop->table, loop->index, loop->start,
                  column, shifts[below(loop, 4)]);
}

static void row_statement(Loop *loop, const char *sum, const char *column) {
    static const char *const operators[] = {" + ", " - ", " * "};
    bool is_extreme = below(loop, 4) == 0;
    fuzz_indent(loop->fuzz);
    if (is_extreme) {
        buffer_format(loop->fuzz->out, "if %s %c ", sum, below(loop, 2) == 0 ? '<' : '>');
        of_row(loop, column);
        text(loop, ":\n    ");
        fuzz_indent(loop->fuzz);
    }
    buffer_format(loop->fuzz->out, "%s %s ", sum,
                  is_extreme            ? "="
                  : below(loop, 2) == 0 ? "+="
                                        : "-=");
    of_row(loop, column);
    while (below(loop, 2) == 0) {
        text(loop, operators[below(loop, 3)]);
        if (below(loop, 2) == 0) {
            of_row(loop, column);
        } else {
            buffer_format(loop->fuzz->out, "%s[%s]", loop->series, column);
        }
    }
    text(loop, "\n");
    if (is_extreme) {
        fuzz_line(loop->fuzz, "end");
    }
}

// A loop along the turn's row.
static void walk_row(Loop *loop) {
    char column[FUZZ_NAME];
    fuzz_new_name(loop->fuzz, 'c', column);
    const char *sum = add_scalar(loop, FUZZ_REAL, false, 's');
    if (sum == NULL) {
        return;
    }
    fuzz_line(loop->fuzz, "%s = %s", sum, below(loop, 2) == 0 ? "0.0" : "-1.5");
    fuzz_line(loop->fuzz, "for %s = 1:%u:", column, loop->columns - 1);
    loop->fuzz->indent++;
    for (unsigned count = 1 + below(loop, 2); count > 0; count--) {
        row_statement(loop, sum, column);
    }
    if (below(loop, 3) == 0) {
        fuzz_indent(loop->fuzz);
        text(loop, sum);
        assign(loop, FUZZ_REAL);
    }
    loop->fuzz->indent--;
    fuzz_line(loop->fuzz, "end");
    fuzz_indent(loop->fuzz);
    element(loop, loop->reals, false);
    buffer_format(loop->fuzz->out, " = %s\n", sum);
}

// Turns that add to scalars, some of them only where a condition holds, or keep the greatest.
static void add_up(Loop *loop) {
    for (unsigned count = below(loop, 3); count > 0; count--) {
        declare(loop);
    }
    if (below(loop, 3) == 0) {
        keep(loop);
    }
    for (unsigned count = 1 + below(loop, 3); count > 0; count--) {
        bool has_branch = below(loop, 3) == 0;
        if (has_branch) {
            fuzz_indent(loop->fuzz);
            text(loop, "if ");
            expr(loop, FUZZ_BOOL, 3);
            text(loop, ":\n");
            loop->fuzz->indent++;
        }
        add(loop);
        if (has_branch && below(loop, 4) == 0) {
            fuzz_line(loop->fuzz, "continue");
        }
        if (has_branch) {
            loop->fuzz->indent--;
        }
        if (has_branch && below(loop, 2) == 0) {
            fuzz_line(loop->fuzz, "else:");
            loop->fuzz->indent++;
            add(loop);
            loop->fuzz->indent--;
        }
        if (has_branch) {
            fuzz_line(loop->fuzz, "end");
        }
    }
}

static void declare_totals(Loop *loop) {
    FuzzType type = fuzz_scalar(FUZZ_REAL);
    fuzz_declare_value(loop->fuzz, loop->total, &type, below(loop, 2) == 0 ? "-0.0" : "0.25");
    type = fuzz_scalar(FUZZ_INT);
    fuzz_declare_value(loop->fuzz, loop->count_of, &type, "3");
    type = fuzz_vector(FUZZ_REAL, 3);
    fuzz_declare_value(loop->fuzz, loop->totals, &type, "[-0.0, 1.0, 0.5]");
    type = fuzz_scalar(FUZZ_REAL);
    fuzz_declare_value(loop->fuzz, loop->best, &type, below(loop, 2) == 0 ? "-0.0" : "nan");
    type = fuzz_scalar(FUZZ_INT);
    fuzz_declare_value(loop->fuzz, loop->place, &type, "-1");
}

void fuzz_lanes(Fuzz *fuzz) {
    Loop loop = {.fuzz = fuzz, .start = (int)fuzz_below(fuzz, 3) - 1};
    unsigned length = 7 + fuzz_below(fuzz, 30);
    char value[64];
    FuzzType type = fuzz_vector(FUZZ_REAL, length);
    snprintf(value, sizeof(value), "iota(%u) * 0.75 - %u.5", length, fuzz_below(fuzz, 9));
    fuzz_declare_value(fuzz, loop.reals, &type, value);
    type = fuzz_vector(FUZZ_INT, length);
    snprintf(value, sizeof(value), "iota(%u) * 7 %% 11 - %u", length, fuzz_below(fuzz, 9));
    fuzz_declare_value(fuzz, loop.ints, &type, value);
    type = fuzz_matrix(FUZZ_INT, 3, length);
    fuzz_declare_value(fuzz, loop.rows, &type, "1");
    type = fuzz_vector(FUZZ_REAL, length + WINDOW_MOST);
    snprintf(value, sizeof(value), "iota(%u) * 7 %% 11 * 0.5 - %u", length + WINDOW_MOST,
             fuzz_below(fuzz, 9));
    fuzz_declare_value(fuzz, loop.series, &type, value);
    loop.columns = 3 + fuzz_below(fuzz, COLUMNS_MOST - 2);
    type = fuzz_matrix(FUZZ_REAL, length, loop.columns);
    snprintf(value, sizeof(value), "reshape(iota(%u) * 7 %% 23 * 0.25 - 2, %u, %u)",
             length * loop.columns, length, loop.columns);
    fuzz_declare_value(fuzz, loop.table, &type, value);
    declare_totals(&loop);
    fuzz_new_name(fuzz, 'i', loop.index);
    int end = loop.start + (int)length - (int)fuzz_below(fuzz, 2);
    fuzz_line(fuzz, "for %s = %d:%d:", loop.index, loop.start, end);
    snprintf(loop.scalars[0].name, FUZZ_NAME, "%s", loop.index);
    loop.scalars[0].root = FUZZ_INT;
    loop.scalars[0].is_read_only = true;
    loop.count = 1;
    fuzz->indent++;
    unsigned kind = fuzz_below(fuzz, 12);
    if (kind < 2) {
        set_by_windows(&loop);
    } else if (kind >= 8) {
        add_up(&loop);
    } else if (kind < 4) {
        walk_row(&loop);
    } else {
        statements(&loop, 2 + fuzz_below(fuzz, 3), 3);
        inner_loop(&loop, 2);
        statements(&loop, 1 + fuzz_below(fuzz, 3), 1);
    }
    fuzz->indent--;
    fuzz_line(fuzz, "end");
}
