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
