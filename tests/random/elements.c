// Loops that write and read elements at several indices: branches whose sides write different
// elements, sums and extremes that go into one, and conditions that keep an index or a divisor
// inside. What passes make of all turns at once has to be what they do one after the other.
#include "tests/random/loops.h"

#include <stdio.h>

enum { COLUMNS = 3 };

typedef struct Loop {
    Fuzz *fuzz;
    char vectors[2][FUZZ_NAME], rows[FUZZ_NAME], flags[FUZZ_NAME]; // ints, and bools
    char sum[FUZZ_NAME], near[FUZZ_NAME], far[FUZZ_NAME]; // ints: an index, and what may be none
    char index[FUZZ_NAME];
    unsigned length;
    bool is_guarded; // `far` is an index here
} Loop;

static unsigned below(const Loop *loop, unsigned limit) {
    return fuzz_below(loop->fuzz, limit);
}

static void text(const Loop *loop, const char *words) {
    fuzz_text(loop->fuzz, words);
}

static void position(const Loop *loop) {
    Buffer *out = loop->fuzz->out;
    switch (below(loop, 12)) {
    case 0: buffer_format(out, "%u - %s", loop->length - 1, loop->index); return;
    case 1: buffer_format(out, "(%s * 3 + 1) %% %u", loop->index, loop->length); return;
    case 2: buffer_format(out, "max(%s - 1, 0)", loop->index); return;
    case 3: buffer_format(out, "%u", below(loop, loop->length)); return;
    case 4:
    case 5: buffer_text(out, loop->is_guarded ? loop->far : loop->index); return;
    default: buffer_text(out, loop->index); return;
    }
}

// The same in all turns.
static void fixed_position(const Loop *loop) {
    if (loop->is_guarded && below(loop, 2) == 0) {
        text(loop, loop->far);
    } else if (below(loop, 3) == 0) {
        buffer_format(loop->fuzz->out, "(%s + 1) %% %u", loop->near, loop->length);
    } else {
        text(loop, loop->near);
    }
}

// `array` is the number of a vector, or else the matrix is meant.
static void element_at(const Loop *loop, unsigned array, void (*write)(const Loop *)) {
    bool is_vector = array < 2;
    buffer_format(loop->fuzz->out, "%s[", is_vector ? loop->vectors[array] : loop->rows);
    write(loop);
    if (!is_vector) {
        buffer_format(loop->fuzz->out, ", %u", below(loop, COLUMNS));
    }
    text(loop, "]");
}

static void element_of(const Loop *loop, unsigned array) {
    element_at(loop, array, position);
}

static void element(const Loop *loop) {
    element_of(loop, below(loop, 3));
}

// Of a whole vector: few of them, so that the same ones come again.
static void statistic(const Loop *loop) {
    const char *name = loop->vectors[below(loop, 2)];
    switch (below(loop, 3)) {
    case 0: buffer_format(loop->fuzz->out, "sum(%s)", name); return;
    case 1: buffer_format(loop->fuzz->out, "max(%s)", name); return;
    default:
        buffer_format(loop->fuzz->out, "sum(%s * %s)", loop->vectors[0], loop->vectors[1]);
        return;
    }
}

static void value(const Loop *loop, int fuel) {
    static const char *const operators[] = {" + ", " - ", " * "};
    unsigned kind = below(loop, fuel > 0 ? 9 : 5);
    if (kind < 3) {
        element(loop);
    } else if (kind == 3) {
        text(loop, loop->sum);
    } else if (kind == 4 && below(loop, 3) == 0) {
        statistic(loop);
    } else if (kind == 4) {
        buffer_format(loop->fuzz->out, "%u", below(loop, 9));
    } else if (kind < 7) {
        text(loop, "(");
        value(loop, fuel - 1);
        text(loop, operators[below(loop, 3)]);
        value(loop, fuel - 1);
        text(loop, ")");
    } else {
        text(loop, below(loop, 2) == 0 ? "min(" : "max(");
        value(loop, fuel - 1);
        text(loop, ", ");
        value(loop, fuel - 1);
        text(loop, ")");
    }
}

static void comparison(const Loop *loop) {
    static const char *const relations[] = {" < ", " <= ", " > ", " >= ", " == ", " != "};
    value(loop, 1);
    text(loop, relations[below(loop, 6)]);
    value(loop, 1);
}

// No division by zero, as `and` and `or` are.
static void guarded_division(const Loop *loop) {
    bool is_and = below(loop, 2) == 0;
    unsigned array = below(loop, 2);
    const char *name = loop->vectors[array];
    buffer_format(loop->fuzz->out, "%s[%s] %s 0 %s %u %c %s[%s] > %u", name, loop->index,
                  is_and ? "!=" : "==", is_and ? "and" : "or", 1 + below(loop, 20),
                  below(loop, 2) == 0 ? '/' : '%', name, loop->index, below(loop, 5));
}

static void guard(Loop *loop) {
    if (below(loop, 2) == 0) {
        comparison(loop);
        text(loop, " and ");
    }
    buffer_format(loop->fuzz->out, "%s >= 0 and %s < %u", loop->far, loop->far, loop->length);
    loop->is_guarded = true;
    if (below(loop, 3) == 0) {
        text(loop, " and ");
        comparison(loop);
    }
}

static void flag(const Loop *loop) {
    fuzz_indent(loop->fuzz);
    buffer_format(loop->fuzz->out, "%s[%s] = ", loop->flags, loop->index);
    if (below(loop, 2) == 0) {
        guarded_division(loop);
    } else {
        comparison(loop);
        text(loop, below(loop, 2) == 0 ? " and " : " or ");
        comparison(loop);
    }
    text(loop, "\n");
}

static void assignment(const Loop *loop) {
    static const char *const reductions[] = {" += ", " = max(", " = min("};
    unsigned array = below(loop, 3);
    if (below(loop, 6) == 0) {
        flag(loop);
        return;
    }
    fuzz_indent(loop->fuzz);
    if (below(loop, 4) == 0) {
        unsigned kind = below(loop, 3);
        buffer_format(loop->fuzz->out, "%s%s", loop->sum, reductions[kind]);
        if (kind > 0) {
            buffer_format(loop->fuzz->out, "%s, ", loop->sum);
        }
        value(loop, 2);
        text(loop, kind > 0 ? ")\n" : "\n");
        return;
    }
    element_of(loop, array);
    switch (below(loop, 4)) {
    case 0: text(loop, " += "); break;
    case 1:
        text(loop, " = ");
        element_of(loop, array);
        text(loop, " + ");
        break;
    default: text(loop, " = "); break;
    }
    value(loop, 2);
    text(loop, "\n");
}

// An element becomes what it or another one is, and what all turns bring to that.
static void reduction(const Loop *loop) {
    unsigned array = below(loop, 3);
    bool is_sum = below(loop, 2) == 0;
    fuzz_indent(loop->fuzz);
    element_at(loop, array, fixed_position);
    text(loop, is_sum ? " = " : below(loop, 2) == 0 ? " = max(" : " = min(");
    element_at(loop, array, fixed_position);
    text(loop, is_sum ? " + " : ", ");
    value(loop, 1);
    text(loop, is_sum ? "\n" : ")\n");
}

// Both sides write one element of one array.
static void pair(const Loop *loop) {
    unsigned array = below(loop, 3);
    for (unsigned side = 0; side < 2; side++) {
        loop->fuzz->indent++;
        fuzz_indent(loop->fuzz);
        element_of(loop, array);
        text(loop, " = ");
        value(loop, 1);
        text(loop, "\n");
        loop->fuzz->indent--;
        if (side == 0) {
            fuzz_line(loop->fuzz, "else:");
        }
    }
}

static void assignments(Loop *loop) {
    loop->fuzz->indent++;
    for (unsigned i = 1 + below(loop, 3) / 2; i > 0; i--) {
        assignment(loop);
    }
    loop->fuzz->indent--;
}

static void branch(Loop *loop) {
    bool was_guarded = loop->is_guarded;
    fuzz_indent(loop->fuzz);
    text(loop, "if ");
    if (below(loop, 4) == 0) {
        comparison(loop);
        text(loop, ":\n");
        pair(loop);
        fuzz_line(loop->fuzz, "end");
        return;
    }
    switch (below(loop, 4)) {
    case 0: guarded_division(loop); break;
    case 1: comparison(loop); break;
    default: guard(loop); break;
    }
    text(loop, ":\n");
    assignments(loop);
    loop->is_guarded = was_guarded;
    if (below(loop, 3) == 0) {
        fuzz_line(loop->fuzz, "else:");
        assignments(loop);
    }
    fuzz_line(loop->fuzz, "end");
}

static void run(Loop *loop) {
    Fuzz *fuzz = loop->fuzz;
    if (fuzz_percent(fuzz, 20)) {
        fuzz_line(fuzz, "for %s = %u:-1:-1:", loop->index, loop->length - 1);
    } else {
        fuzz_line(fuzz, "for %s = %u:%u:", loop->index, fuzz_below(fuzz, 2), loop->length);
    }
    fuzz->indent++;
    for (unsigned i = 1 + fuzz_below(fuzz, 4) / 3; i > 0; i--) {
        switch (fuzz_below(fuzz, 6)) {
        case 0: reduction(loop); break;
        case 1: assignment(loop); break;
        default: branch(loop); break;
        }
    }
    fuzz->indent--;
    fuzz_line(fuzz, "end");
}

void fuzz_elements(Fuzz *fuzz) {
    Loop loop = {.fuzz = fuzz, .length = 4 + fuzz_below(fuzz, 20)};
    char first[64];
    FuzzType vector = fuzz_vector(FUZZ_INT, loop.length);
    for (unsigned i = 0; i < 2; i++) {
        snprintf(first, sizeof(first), "iota(%u) * %u %% 11 - %u", loop.length,
                 3 + fuzz_below(fuzz, 5), fuzz_below(fuzz, 9));
        fuzz_declare_value(fuzz, loop.vectors[i], &vector, first);
    }
    FuzzType matrix = fuzz_matrix(FUZZ_INT, loop.length, COLUMNS);
    fuzz_declare_value(fuzz, loop.rows, &matrix, "2");
    FuzzType flags = fuzz_vector(FUZZ_BOOL, loop.length);
    fuzz_declare_value(fuzz, loop.flags, &flags, "false");
    FuzzType scalar = fuzz_scalar(FUZZ_INT);
    fuzz_declare_value(fuzz, loop.sum, &scalar, "0");
    snprintf(first, sizeof(first), "%s[%u] * %u", loop.vectors[0], fuzz_below(fuzz, loop.length),
             fuzz_percent(fuzz, 60) ? 1 : 300000000);
    fuzz_declare_value(fuzz, loop.far, &scalar, first);
    snprintf(first, sizeof(first), "%s[%u] %% %u", loop.vectors[1], fuzz_below(fuzz, loop.length),
             loop.length);
    fuzz_declare_value(fuzz, loop.near, &scalar, first);
    fuzz_line(fuzz, "%s = clamp(%s, 0, %u)", loop.near, loop.near, loop.length - 1);
    fuzz_new_name(fuzz, 'i', loop.index);
    loop.is_guarded = fuzz_percent(fuzz, 25);
    if (loop.is_guarded) {
        fuzz_line(fuzz, "if %s >= 0 and %s < %u:", loop.far, loop.far, loop.length);
        fuzz->indent++;
    }
    run(&loop);
    if (loop.is_guarded) {
        fuzz->indent--;
        fuzz_line(fuzz, "end");
    }
}
