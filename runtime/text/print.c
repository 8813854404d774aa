// A literal is written from a view that goes down a level for each element; print.h says where
// lines, separators and comments stand.
#include "runtime/text/print.h"

#include "runtime/abi/type.h"
#include "runtime/text/format_scalar.h"

// The part of a value at one level: a tensor whose elements are the levels below, or, below the
// last level, a scalar.
typedef struct View {
    const tml_type *type;
    size_t level;
    size_t first_dim; // of this level, among the flat dims
    const char *data;
} View;

static size_t view_rank(const View *view) {
    return view->type->level_ranks[view->level];
}

static const uint32_t *view_dims(const View *view) {
    return view->type->dims + view->first_dim;
}

static size_t view_element_bytes(const View *view) {
    size_t below = view->first_dim + view_rank(view);
    return tml_dims_product(view->type->dims, below, view->type->flat_rank) *
           tml_scalar_bytes(view->type);
}

static View view_element(const View *view, uint64_t index) {
    return (View){
        .type = view->type,
        .level = view->level + 1,
        .first_dim = view->first_dim + view_rank(view),
        .data = view->data + index * view_element_bytes(view),
    };
}

static void write_decimal(Writer *out, int64_t value) {
    char text[TML_REAL_TEXT_BYTES];
    tml_write_bytes(out, text, tml_format_integer(text, value));
}

void tml_write_scalar(Writer *out, const tml_type *type, const void *data, ScalarStyle style) {
    char text[TML_REAL_TEXT_BYTES];
    if (style == SCALAR_TML && type->root == TML_BOOL) {
        tml_write_text(out, *(const uint8_t *)data != 0 ? "true" : "false");
        return;
    }
    tml_write_bytes(out, text, tml_format_scalar(text, type, data));
    if (style == SCALAR_TML && type->root == TML_UINT) {
        tml_write_char(out, 'u');
    }
}

// How the elements of a literal are laid out.
typedef struct Layout {
    size_t rank; // 1 to 3
    uint64_t pages, rows, columns;
    bool lines; // a line per row
} Layout;

static Layout layout_of(size_t rank, const uint32_t *dims, bool lines) {
    return (Layout){
        .rank = rank,
        .pages = rank == 3 ? dims[0] : 1,
        .rows = rank >= 2 ? dims[rank - 2] : 1,
        .columns = dims[rank - 1],
        .lines = lines,
    };
}

static void write_one_line(Writer *out, const View *view);

// `first` is the index of the first element in the view.
static void write_row(Writer *out, const View *view, uint64_t first, uint64_t count) {
    for (uint64_t i = 0; i < count; i++) {
        if (i > 0) {
            tml_write_text(out, ", ");
        }
        View element = view_element(view, first + i);
        write_one_line(out, &element);
    }
}

static void write_literal(Writer *out, const View *view, uint64_t first, Layout layout) {
    tml_write_char(out, '[');
    for (uint64_t page = 0; page < layout.pages; page++) {
        if (page > 0) {
            tml_write_text(out, layout.lines ? "\n |\n " : " | ");
        }
        for (uint64_t row = 0; row < layout.rows; row++) {
            if (row > 0) {
                tml_write_text(out, layout.lines ? ";\n " : "; ");
            }
            write_row(out, view, first, layout.columns);
            first += layout.columns;
        }
    }
    if (layout.rank == 2 && layout.rows == 1) {
        tml_write_char(out, ';');
    }
    if (layout.rank == 3 && layout.pages == 1) {
        tml_write_text(out, " |");
    }
    tml_write_char(out, ']');
}

static void write_reshape(Writer *out, const View *view) {
    size_t rank = view_rank(view);
    const uint32_t *dims = view_dims(view);
    tml_write_text(out, "reshape([");
    write_row(out, view, 0, tml_dims_product(dims, 0, rank));
    tml_write_char(out, ']');
    for (size_t i = 0; i < rank; i++) {
        tml_write_text(out, ", ");
        write_decimal(out, dims[i]);
    }
    tml_write_char(out, ')');
}

static void write_one_line(Writer *out, const View *view) {
    if (view->level == view->type->depth) {
        tml_write_scalar(out, view->type, view->data, SCALAR_TML);
    } else if (view_rank(view) > 3) {
        write_reshape(out, view);
    } else {
        write_literal(out, view, 0, layout_of(view_rank(view), view_dims(view), false));
    }
}

// "# [0, 1, :, :]" for the matrix that is number `matrix`, counted row by row.
static void write_matrix_comment(Writer *out, const View *view, uint64_t matrix) {
    const uint32_t *dims = view_dims(view);
    size_t leading = view_rank(view) - 2;
    tml_write_text(out, "# [");
    for (size_t i = 0; i < leading; i++) {
        uint64_t index = matrix / tml_dims_product(dims, i + 1, leading) % dims[i];
        write_decimal(out, (int64_t)index);
        tml_write_text(out, ", ");
    }
    tml_write_text(out, ":, :]\n");
}

static void write_matrices(Writer *out, const View *view) {
    size_t rank = view_rank(view);
    const uint32_t *dims = view_dims(view);
    Layout layout = layout_of(2, dims + rank - 2, true);
    uint64_t count = tml_dims_product(dims, 0, rank - 2);
    for (uint64_t matrix = 0; matrix < count; matrix++) {
        if (matrix > 0) {
            tml_write_char(out, '\n');
        }
        write_matrix_comment(out, view, matrix);
        write_literal(out, view, matrix * layout.rows * layout.columns, layout);
    }
}

void tml_write_value(Writer *out, const tml_type *type, const void *data) {
    View view = {.type = type, .data = data};
    if (type->depth == 0) {
        tml_write_scalar(out, type, data, SCALAR_TML);
    } else if (view_rank(&view) > 3) {
        write_matrices(out, &view);
    } else {
        write_literal(out, &view, 0, layout_of(view_rank(&view), view_dims(&view), true));
    }
}

void tml_write_literal(Writer *out, const tml_type *type, const void *data) {
    if (type->depth > 0 && type->level_ranks[0] > 3) {
        tml_write_value_line(out, type, data);
    } else {
        tml_write_value(out, type, data);
    }
    tml_write_char(out, '\n');
}

void tml_write_value_line(Writer *out, const tml_type *type, const void *data) {
    View view = {.type = type, .data = data};
    write_one_line(out, &view);
}

bool tml_value_is_multiline(const tml_type *type) {
    if (type->depth == 0) {
        return false;
    }
    size_t rank = type->level_ranks[0];
    return rank > 3 || (rank > 1 && tml_dims_product(type->dims, 0, rank - 1) > 1);
}
