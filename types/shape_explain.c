// See shape_explain.h. Words and tables from a ShapeFit alone: nothing is compared again. A table
// shows one column per aligned dim, right-aligned level by level; levels are separated by `|`.
#include "types/shape_explain.h"

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

enum { ROW_LIMIT = 3 };

typedef struct TableRow {
    const char *name;
    const char **cells; // "" where the row has nothing
} TableRow;

// Rows of texts under the numbers of their dims, in columns as wide as the widest text needs.
typedef struct Table {
    Arena *arena;
    size_t columns;
    const char **heads;
    bool *begins_level; // columns with a bar to their left
    TableRow rows[ROW_LIMIT];
    size_t row_count;
    const char *reason; // beside the last row, or NULL
} Table;

static Table create_table(Arena *arena, size_t columns) {
    Table table = {.arena = arena, .columns = columns};
    table.heads = ARENA_ARRAY(arena, const char *, columns);
    table.begins_level = ARENA_ARRAY(arena, bool, columns);
    for (size_t d = 0; d < columns; d++) {
        table.heads[d] = arena_format(arena, "%zu", d);
    }
    return table;
}

static void mark_column(Table *table, size_t column) {
    table->heads[column] = arena_format(table->arena, "%s*", table->heads[column]);
}

// Adds an empty row; the caller sets its cells.
static const char **add_row(Table *table, const char *name) {
    CHECK(table->row_count < ROW_LIMIT);
    const char **cells = ARENA_ARRAY(table->arena, const char *, table->columns);
    for (size_t d = 0; d < table->columns; d++) {
        cells[d] = "";
    }
    table->rows[table->row_count++] = (TableRow){name, cells};
    return cells;
}

static void set_lengths(const Table *table, const char **cells, const uint32_t *lengths,
                        size_t count) {
    for (size_t d = 0; d < count; d++) {
        cells[d] = arena_format(table->arena, "%u", lengths[d]);
    }
}

static void print_row(Buffer *out, const Table *table, const char *name, int name_width,
                      const char **cells, int width) {
    size_t columns = table->columns;
    while (columns > 0 && cells[columns - 1][0] == '\0') {
        columns--;
    }
    buffer_format(out, "%-*s", columns == 0 ? 0 : name_width, name);
    for (size_t d = 0; d < columns; d++) {
        buffer_format(out, "%s%*s", table->begins_level[d] ? "  |" : "", width, cells[d]);
    }
}

static const char *print_table(const Table *table) {
    int width = 4;
    int name_width = (int)strlen("dim");
    for (size_t row = 0; row < table->row_count; row++) {
        int len = (int)strlen(table->rows[row].name);
        name_width = len > name_width ? len : name_width;
        for (size_t d = 0; d < table->columns; d++) {
            int needed = (int)strlen(table->rows[row].cells[d]) + 2;
            width = needed > width ? needed : width;
        }
    }
    Buffer out = {0};
    print_row(&out, table, "dim", name_width, table->heads, width);
    for (size_t row = 0; row < table->row_count; row++) {
        buffer_text(&out, "\n");
        print_row(&out, table, table->rows[row].name, name_width, table->rows[row].cells, width);
    }
    if (table->reason != NULL) {
        buffer_format(&out, "    <- %s", table->reason);
    }
    const char *text = arena_copy_text(table->arena, out.data, out.len);
    buffer_free(&out);
    return text;
}

// The type at `level` of a type, or NULL when it ends above.
static const Type *at_level(const Type *type, unsigned level) {
    while (type_is_tensor(type) && level > 0) {
        type = type->base;
        level--;
    }
    return type_is_tensor(type) ? type : NULL;
}

static unsigned rank_at(const Type *type, unsigned level) {
    const Type *at = at_level(type, level);
    return at == NULL ? 0 : at->rank;
}

// How many columns the dims of two types need at `level`.
static unsigned columns_at(const Type *left, const Type *right, unsigned level) {
    unsigned a = rank_at(left, level);
    unsigned b = rank_at(right, level);
    return a > b ? a : b;
}

static unsigned greater_depth(const Type *left, const Type *right) {
    return left->depth > right->depth ? left->depth : right->depth;
}

// The dims of `type`, right-aligned on each level in the columns for `left` and `right`.
static void add_level_row(Table *table, const char *name, const Type *type, const Type *left,
                          const Type *right) {
    const char **cells = add_row(table, name);
    size_t column = 0;
    for (unsigned level = 0; level < type->depth; level++) {
        const Type *at = at_level(type, level);
        column += columns_at(left, right, level);
        set_lengths(table, cells + column - at->rank, at->dims, at->rank);
    }
}

// A table for two types and, later, what becomes of them: one column per aligned dim.
static Table create_level_table(Arena *arena, const char *left_name, const Type *left,
                                const char *right_name, const Type *right) {
    size_t columns = 0;
    for (unsigned level = 0; level < greater_depth(left, right); level++) {
        columns += columns_at(left, right, level);
    }
    Table table = create_table(arena, columns);
    size_t column = 0;
    for (unsigned level = 0; level < greater_depth(left, right); level++) {
        table.begins_level[column] = level > 0;
        for (unsigned d = 0; d < columns_at(left, right, level); d++) {
            table.heads[column++] = arena_format(arena, "%u", d);
        }
    }
    add_level_row(&table, left_name, left, left, right);
    add_level_row(&table, right_name, right, left, right);
    return table;
}

const char *shape_table(Arena *arena, const ShapeFit *fit, const char *left_name, const Type *left,
                        const char *right_name, const Type *right, const char *reason) {
    Table table = create_level_table(arena, left_name, left, right_name, right);
    if (fit->why == SHAPE_LENGTHS) {
        size_t column = fit->dim;
        for (unsigned level = 0; level < fit->level; level++) {
            column += columns_at(left, right, level);
        }
        mark_column(&table, column);
    }
    table.reason = reason;
    return print_table(&table);
}

// As shape_table, of operands that fit, with the result below them unless it is NULL.
static const char *result_table(Arena *arena, const char *left_name, const Type *left,
                                const char *right_name, const Type *right, const Type *result) {
    Table table = create_level_table(arena, left_name, left, right_name, right);
    if (result != NULL) {
        add_level_row(&table, "result", result, left, right);
    }
    return print_table(&table);
}

const char *shape_index_table(Arena *arena, const char *name, const Type *type,
                              const char *const *indices, size_t count, int wrong,
                              const char *reason) {
    Table table = create_table(arena, count > type->rank ? count : type->rank);
    set_lengths(&table, add_row(&table, name), type->dims, type->rank);
    const char **cells = add_row(&table, "index");
    for (size_t d = 0; d < count; d++) {
        cells[d] = indices[d];
    }
    if (wrong >= 0) {
        mark_column(&table, (size_t)wrong);
    }
    table.reason = reason;
    return print_table(&table);
}

const char *shape_dot_table(Arena *arena, const char *left_name, const Type *left,
                            const char *right_name, const Type *right, const Type *result) {
    size_t meet = left->rank - 1U;
    Table table = create_table(arena, meet + right->rank);
    set_lengths(&table, add_row(&table, left_name), left->dims, left->rank);
    set_lengths(&table, add_row(&table, right_name) + meet, right->dims, right->rank);
    if (result != NULL) {
        const char **cells = add_row(&table, "result");
        set_lengths(&table, cells, left->dims, meet);
        set_lengths(&table, cells + meet + 1, right->dims + 1, right->rank - 1U);
    } else {
        mark_column(&table, meet);
        table.reason = arena_format(arena, "%u and %u differ", left->dims[meet], right->dims[0]);
    }
    return print_table(&table);
}

const char *shape_fitting_table(Arena *arena, bool is_dot, const char *left_name, const Type *left,
                                const char *right_name, const Type *right, const Type *result) {
    if (left->rank == 0 && right->rank == 0) {
        return NULL;
    }
    return is_dot && left->rank > 0 && right->rank > 0
               ? shape_dot_table(arena, left_name, left, right_name, right, result)
               : result_table(arena, left_name, left, right_name, right, result);
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
