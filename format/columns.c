// See columns.h. A column of numbers stands at their points; others begin below each other.
#include "format/columns.h"

#include <string.h>

typedef struct Cell {
    size_t first, end; // its pieces
    uint32_t width;
    uint32_t point; // of a number: the characters before its point
    bool is_number; // perhaps with a sign
} Cell;

typedef struct Grid {
    Arena *arena;
    Pieces *pieces;
    size_t open;
    size_t columns; // 0 before the first row ended
    LIST_OF(Cell) cells;
} Grid;

// The digits before the point, or before the exponent; those of other bases have neither.
static uint32_t point_of(Slice number) {
    bool is_decimal = number.len < 2 || strchr("xb", number.data[1]) == NULL;
    size_t at = 0;
    while (at < number.len && !(is_decimal && strchr(".eE", number.data[at]) != NULL)) {
        at++;
    }
    return (uint32_t)at;
}

static Cell cell_of(const Pieces *pieces, size_t first, size_t end) {
    Cell cell = {.first = first, .end = end};
    for (size_t i = first; i < end; i++) {
        cell.width += piece_width(&pieces->items[i]) + (i > first ? pieces->items[i].blanks : 0);
    }
    bool has_sign = pieces->items[first].is_unary;
    const Piece *number = &pieces->items[first + has_sign];
    cell.is_number = end - first == 1U + has_sign &&
                     (number->kind == TOKEN_INTEGER_LITERAL || number->kind == TOKEN_REAL_LITERAL);
    cell.point = cell.is_number ? has_sign + point_of(number->text) : 0;
    return cell;
}

// Reads the cells; false when the literal is not one row a line with rows of one length.
static bool read_cells(Grid *grid) {
    const Pieces *pieces = grid->pieces;
    size_t close = pieces->items[grid->open].partner;
    uint32_t inside = pieces->items[grid->open].depth + 1;
    bool begins_row = true;
    size_t in_row = 0, rows = 0;
    for (size_t i = grid->open + 1; i < close;) {
        if (pieces->items[i].is_comment) {
            i++;
            continue;
        }
        bool breaks = pieces->items[i].breaks;
        if (begins_row ? rows > 0 && !breaks : breaks) {
            return false;
        }
        size_t end = i;
        while (end < close && !(pieces->items[end].depth == inside &&
                                (pieces->items[end].kind == TOKEN_COMMA ||
                                 pieces->items[end].kind == TOKEN_SEMICOLON ||
                                 pieces->items[end].kind == TOKEN_PAGE_BAR))) {
            if (pieces->items[end].is_comment || (end > i && pieces->items[end].breaks)) {
                if (pieces_next_token(pieces, end) != close) {
                    return false;
                }
                break;
            }
            end++;
        }
        if (end == i) {
            return false; // nothing but a separator
        }
        Cell cell = cell_of(pieces, i, end);
        LIST_PUSH(grid->arena, &grid->cells, cell);
        in_row++;
        end = pieces_next_token(pieces, end);
        begins_row = end == close || pieces->items[end].kind != TOKEN_COMMA;
        if (end < close && pieces->items[end].breaks) {
            return false; // a separator that begins a line
        }
        if (begins_row) {
            if (grid->columns != 0 && in_row != grid->columns) {
                return false;
            }
            grid->columns = in_row;
            in_row = 0;
            rows++;
        }
        i = end + 1;
    }
    return rows > 1;
}

static uint32_t greater(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static void align_column(Grid *grid, size_t column) {
    bool are_numbers = true;
    uint32_t point = 0;
    for (size_t i = column; i < grid->cells.count; i += grid->columns) {
        are_numbers = are_numbers && grid->cells.items[i].is_number;
        point = greater(point, grid->cells.items[i].point);
    }
    uint32_t width = 0;
    for (size_t i = column; i < grid->cells.count; i += grid->columns) {
        const Cell *cell = &grid->cells.items[i];
        width = greater(width, cell->width + (are_numbers ? point - cell->point : 0));
    }
    for (size_t i = column; i < grid->cells.count; i += grid->columns) {
        const Cell *cell = &grid->cells.items[i];
        uint32_t lead = are_numbers ? point - cell->point : 0;
        grid->pieces->items[cell->first].blanks += lead;
        if (column + 1 < grid->columns) {
            const Cell *next = cell + 1;
            grid->pieces->items[next->first].blanks += width - lead - cell->width;
        }
    }
}

static void align_literal(Arena *arena, Pieces *pieces, size_t open) {
    Grid grid = {.arena = arena, .pieces = pieces, .open = open};
    if (!read_cells(&grid)) {
        return;
    }
    for (size_t column = 0; column < grid.columns; column++) {
        align_column(&grid, column);
    }
    for (size_t i = open + 1; i < pieces->items[open].partner; i++) {
        pieces->items[i].is_aligned = true;
    }
}

void columns_align(Arena *arena, Pieces *pieces) {
    for (size_t i = 0; i < pieces->count; i++) {
        const Piece *piece = &pieces->items[i];
        if (piece->kind == TOKEN_OPEN_BRACKET && piece->partner > i && !piece->is_verbatim &&
            !piece->is_aligned) {
            align_literal(arena, pieces, i);
        }
    }
}
