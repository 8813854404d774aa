// See shape_explain.h. The table shows one column per aligned dim; levels are separated by `|`.
#include "sema/shape_explain.h"

#include "support/buffer.h"
#include "support/bug.h"

#include <string.h>

const char *shape_explain(Arena *arena, const ShapeFit *fit, bool strict) {
    switch (fit->why) {
    case SHAPE_LENGTHS:
        return arena_format(arena,
                            strict ? "%u and %u differ" : "%u and %u differ and neither is 1",
                            fit->left, fit->right);
    case SHAPE_RANKS:
        return arena_format(arena, "%u %s against %u", fit->left,
                            fit->left == 1 ? "dimension" : "dimensions", fit->right);
    case SHAPE_DEPTHS: return "one side has tensors here, the other scalars";
    case SHAPE_ROOTS: return "the scalars do not fit";
    case SHAPE_TOO_LARGE: return "the result would be too large";
    case SHAPE_BOUNDS:
        return arena_format(arena, "%lld is outside 0 to %u", (long long)fit->index, fit->left - 1);
    case SHAPE_EMPTY: return "the range selects nothing";
    case SHAPE_COUNT: return arena_format(arena, "%u given, %u needed", fit->left, fit->right);
    case SHAPE_OK:
    case SHAPE_OPERAND: break;
    }
    UNREACHABLE();
}

// The type at `level` of a type, or NULL when it ends above.
static const Type *at_level(const Type *type, unsigned level) {
    while (type != NULL && type_is_tensor(type) && level > 0) {
        type = type->base;
        level--;
    }
    return type != NULL && type_is_tensor(type) ? type : NULL;
}

static unsigned rank_at(const Type *type, unsigned level) {
    const Type *at = at_level(type, level);
    return at == NULL ? 0 : at->rank;
}

enum { COLUMN_WIDTH = 4 };

static void table_row(Buffer *out, const char *name, size_t name_width, const Type *type,
                      const Type *other) {
    buffer_format(out, "%-*s", (int)name_width, name);
    unsigned depth = type->depth > other->depth ? type->depth : other->depth;
    for (unsigned level = 0; level < depth; level++) {
        unsigned rank = rank_at(type, level);
        unsigned columns = rank > rank_at(other, level) ? rank : rank_at(other, level);
        if (level > 0) {
            buffer_text(out, "  |");
        }
        for (unsigned d = 0; d < columns; d++) {
            if (d + rank < columns) {
                buffer_repeat(out, ' ', COLUMN_WIDTH);
            } else {
                buffer_format(out, "%*u", COLUMN_WIDTH,
                              at_level(type, level)->dims[d + rank - columns]);
            }
        }
    }
}

const char *shape_table(Arena *arena, const ShapeFit *fit, const char *left_name, const Type *left,
                        const char *right_name, const Type *right, const char *reason) {
    size_t width = 3;
    width = strlen(left_name) > width ? strlen(left_name) : width;
    width = strlen(right_name) > width ? strlen(right_name) : width;
    Buffer out = {0};
    buffer_format(&out, "%-*s", (int)width, "dim");
    unsigned depth = left->depth > right->depth ? left->depth : right->depth;
    for (unsigned level = 0; level < depth; level++) {
        unsigned a = rank_at(left, level);
        unsigned b = rank_at(right, level);
        if (level > 0) {
            buffer_text(&out, "  |");
        }
        for (unsigned d = 0; d < (a > b ? a : b); d++) {
            bool wrong = fit->why == SHAPE_LENGTHS && fit->level == level && fit->dim == d;
            buffer_format(&out, wrong ? "%*u*" : "%*u", wrong ? COLUMN_WIDTH - 1 : COLUMN_WIDTH, d);
        }
    }
    buffer_text(&out, "\n");
    table_row(&out, left_name, width, left, right);
    buffer_text(&out, "\n");
    table_row(&out, right_name, width, right, left);
    buffer_format(&out, "    <- %s", reason);
    const char *text = arena_copy_text(arena, out.data, out.len);
    buffer_free(&out);
    return text;
}

static DiagShape shape_data(Arena *arena, const char *name, const Type *type) {
    uint16_t *ranks = ARENA_ARRAY(arena, uint16_t, type->depth);
    DiagShape shape = {name, type->depth, ranks, type->dims};
    for (size_t level = 0; level < shape.level_count; level++, type = type->base) {
        ranks[level] = type->rank;
    }
    return shape;
}

const DiagAlignment *shape_alignment(Arena *arena, const ShapeFit *fit, const char *left_name,
                                     const Type *left, const char *right_name, const Type *right) {
    DiagAlignment *alignment = ARENA_NEW(arena, DiagAlignment);
    bool one_pair = fit->why == SHAPE_LENGTHS;
    bool one_level = one_pair || fit->why == SHAPE_RANKS || fit->why == SHAPE_DEPTHS;
    alignment->left = shape_data(arena, left_name, left);
    alignment->right = shape_data(arena, right_name, right);
    alignment->level = one_level ? (int)fit->level : -1;
    alignment->dim = one_pair ? (int)fit->dim : -1;
    return alignment;
}

// Two rows of texts under the numbers of their columns, which are as wide as the widest text needs.
typedef struct TextTable {
    const char *names[2];
    const char **cells[2]; // "" where a row has nothing
    size_t columns;
    int wrong; // the column that is marked, or -1
    const char *reason;
} TextTable;

static const char **empty_cells(Arena *arena, size_t columns) {
    const char **cells = ARENA_ARRAY(arena, const char *, columns);
    for (size_t d = 0; d < columns; d++) {
        cells[d] = "";
    }
    return cells;
}

static void text_row(Buffer *out, const char *name, int name_width, const char **cells,
                     size_t columns, int width) {
    buffer_format(out, "%-*s", name_width, name);
    while (columns > 0 && cells[columns - 1][0] == '\0') {
        columns--;
    }
    for (size_t d = 0; d < columns; d++) {
        buffer_format(out, "%*s", width, cells[d]);
    }
}

static const char *text_table(Arena *arena, const TextTable *table) {
    int width = COLUMN_WIDTH;
    int name_width = (int)strlen("dim");
    for (int row = 0; row < 2; row++) {
        int len = (int)strlen(table->names[row]);
        name_width = len > name_width ? len : name_width;
        for (size_t d = 0; d < table->columns; d++) {
            int needed = (int)strlen(table->cells[row][d]) + 2;
            width = needed > width ? needed : width;
        }
    }
    const char **numbers = ARENA_ARRAY(arena, const char *, table->columns);
    for (size_t d = 0; d < table->columns; d++) {
        numbers[d] = arena_format(arena, (int)d == table->wrong ? "%zu*" : "%zu", d);
    }
    Buffer out = {0};
    text_row(&out, "dim", name_width, numbers, table->columns, width);
    for (int row = 0; row < 2; row++) {
        buffer_text(&out, "\n");
        text_row(&out, table->names[row], name_width, table->cells[row], table->columns, width);
    }
    buffer_format(&out, "    <- %s", table->reason);
    const char *text = arena_copy_text(arena, out.data, out.len);
    buffer_free(&out);
    return text;
}

const char *shape_index_table(Arena *arena, const char *name, const Type *type,
                              const char *const *indices, size_t count, int wrong,
                              const char *reason) {
    size_t columns = count > type->rank ? count : type->rank;
    TextTable table = {
        .names = {name, "index"}, .columns = columns, .wrong = wrong, .reason = reason};
    table.cells[0] = empty_cells(arena, columns);
    table.cells[1] = empty_cells(arena, columns);
    for (size_t d = 0; d < type->rank; d++) {
        table.cells[0][d] = arena_format(arena, "%u", type->dims[d]);
    }
    for (size_t d = 0; d < count; d++) {
        table.cells[1][d] = indices[d];
    }
    return text_table(arena, &table);
}

const char *shape_dot_table(Arena *arena, const char *left_name, const Type *left,
                            const char *right_name, const Type *right) {
    size_t meet = left->rank - 1U;
    uint32_t a = left->dims[meet];
    uint32_t b = right->dims[0];
    TextTable table = {.names = {left_name, right_name},
                       .columns = meet + right->rank,
                       .wrong = (int)meet,
                       .reason = arena_format(arena, "%u and %u differ", a, b)};
    table.cells[0] = empty_cells(arena, table.columns);
    table.cells[1] = empty_cells(arena, table.columns);
    for (size_t d = 0; d < left->rank; d++) {
        table.cells[0][d] = arena_format(arena, "%u", left->dims[d]);
    }
    for (size_t d = 0; d < right->rank; d++) {
        table.cells[1][meet + d] = arena_format(arena, "%u", right->dims[d]);
    }
    return text_table(arena, &table);
}
