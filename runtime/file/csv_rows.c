// The header is read first and tells where each cell of a row goes. A row that is wrong is told
// when the rows before it have been taken.
#include "runtime/file/csv_rows.h"

#include "runtime/abi/type.h"
#include "runtime/file/csv_text.h"
#include "runtime/run/report.h"
#include "runtime/text/scalar_text.h"

#include <stdio.h>
#include <stdlib.h>

struct CsvRows {
    size_t stride;
    Columns columns; // in the order of the file once the header is read
    CsvText csv;
};

// Counts the cells of a line that has too many.
static void fail_long_row(CsvRows *rows, Position start) {
    size_t expected = rows->columns.count, count = expected;
    do {
        count++;
        if (!tml_csv_read_token(&rows->csv)) {
            return;
        }
    } while (tml_csv_take_separator(&rows->csv));
    tml_reader_fail(&rows->csv.text, start, "the row has %zu cells, the header has %zu column%s",
                    count, expected, expected == 1 ? "" : "s");
}

static bool read_row(CsvRows *rows, char *row) {
    char name[COLUMN_NAME_BYTES];
    size_t count = rows->columns.count;
    Position start = {rows->csv.text.line, 1};
    bool more = true;
    for (size_t i = 0; i < count && !rows->csv.text.failed; i++) {
        const Column *column = &rows->columns.items[i];
        if (!more) {
            tml_reader_fail(&rows->csv.text, start,
                            "the row ends before column %s: %zu of %zu cells",
                            tml_model_column_name(name, column), i, count);
            return false;
        }
        more =
            tml_csv_read_scalar(&rows->csv, column->terminal->type, column, row + column->offset);
    }
    if (more && !rows->csv.text.failed) {
        fail_long_row(rows, start);
    }
    return !rows->csv.text.failed && rows->csv.text.error == 0; // the last row may be torn
}

size_t tml_csv_rows_read(CsvRows *rows, size_t limit, bool all, char *inputs) {
    size_t count = 0;
    while (count < limit && !rows->csv.text.failed && rows->csv.text.error == 0) {
        if (!all && count > 0 && rows->csv.text.next == rows->csv.text.end) {
            break;
        }
        if (!tml_csv_at_row(&rows->csv) || !read_row(rows, inputs + count * rows->stride)) {
            break;
        }
        count++;
    }
    return count;
}

bool tml_csv_rows_report_failure(const CsvRows *rows) {
    return tml_reader_report_failure(&rows->csv.text);
}

Position tml_csv_rows_position(CsvRows *rows) {
    return tml_reader_position(&rows->csv.text);
}

static void fail_unknown_column(CsvText *csv, const Columns *columns) {
    char quote[TML_QUOTE_BYTES];
    const Token *cell = &csv->cell;
    tml_token_quote(quote, cell);
    if (cell->len == 0) {
        tml_reader_fail(&csv->text, cell->position, "a column has no name");
        return;
    }
    if (tml_scalar_is_number(cell)) {
        tml_reader_fail(&csv->text, cell->position,
                        "the first line names the columns, found the number %s", quote);
        return;
    }
    if (cell->len <= TML_TOKEN_LIMIT && memchr(cell->text, '\0', cell->len)) {
        tml_reader_fail(&csv->text, cell->position, "the column name %s has a NUL byte", quote);
        return;
    }
    for (size_t i = 0; i < columns->count; i++) {
        const Column *column = &columns->items[i];
        size_t len = strlen(column->terminal->name);
        if (strncmp(column->terminal->name, cell->text, len) == 0 &&
            (cell->text[len] == '\0' || cell->text[len] == '[')) {
            char type[TML_TYPE_TEXT_BYTES], name[COLUMN_NAME_BYTES];
            tml_reader_fail(&csv->text, cell->position,
                            "no column %s: the input `%s` is %s, its first column is %s", quote,
                            column->terminal->name, tml_type_text(type, column->terminal->type),
                            tml_model_column_name(name, column));
            return;
        }
    }
    tml_reader_fail(&csv->text, cell->position, "no input is named %s", quote);
}

// The column that the cell of a header names, put where the file has it. NULL after a message.
static const Column *take_column(CsvText *csv, const Columns *columns, bool *taken, size_t guess) {
    char quote[TML_QUOTE_BYTES];
    const Token *cell = &csv->cell;
    size_t found = cell->len <= TML_TOKEN_LIMIT
                       ? tml_model_find_column(columns, cell->text, cell->len, guess)
                       : columns->count;
    if (found == columns->count) {
        fail_unknown_column(csv, columns);
        return NULL;
    }
    if (taken[found]) {
        tml_reader_fail(&csv->text, cell->position, "the column %s is given twice",
                        tml_token_quote(quote, cell));
        return NULL;
    }
    taken[found] = true;
    return &columns->items[found];
}

static void fail_missing_columns(CsvText *csv, const Columns *columns, const bool *taken) {
    char name[COLUMN_NAME_BYTES];
    size_t first = 0, more = 0;
    while (taken[first]) {
        first++;
    }
    for (size_t i = first + 1; i < columns->count; i++) {
        more += !taken[i];
    }
    char text[64] = "";
    if (more > 0) {
        snprintf(text, sizeof text, ", and %zu more", more);
    }
    tml_reader_fail(&csv->text, (Position){1, 1}, "the column %s is missing%s",
                    tml_model_column_name(name, &columns->items[first]), text);
}

// Fills `ordered` in the order of the file.
static bool read_columns(CsvText *csv, const Columns *columns, bool *taken, Columns *ordered) {
    bool more = true;
    size_t guess = 0;
    if (tml_reader_peek(&csv->text) == TML_READER_END) {
        tml_reader_fail(&csv->text, (Position){1, 1},
                        "the file is empty; its first line names the columns");
        return false;
    }
    while (more) {
        if (!tml_csv_read_token(csv)) {
            return false;
        }
        const Column *column = take_column(csv, columns, taken, guess);
        if (!column) {
            return false;
        }
        guess = (size_t)(column - columns->items) + 1;
        ordered->items[ordered->count++] = *column;
        more = tml_csv_take_separator(csv);
    }
    if (ordered->count < columns->count) {
        fail_missing_columns(csv, columns, taken);
    }
    return !csv->text.failed && csv->text.error == 0;
}

static bool read_header(CsvRows *rows) {
    Columns columns = rows->columns;
    bool *taken = calloc(columns.count + 1, sizeof *taken);
    Columns ordered = {.items = calloc(columns.count + 1, sizeof *ordered.items)};
    bool done = false;
    if (taken && ordered.items) {
        done = read_columns(&rows->csv, &columns, taken, &ordered);
    } else {
        tml_reader_fail(&rows->csv.text, (Position){1, 1}, "cannot get memory");
    }
    free(taken);
    free(columns.items);
    rows->columns = ordered;
    return done;
}

CsvRows *tml_csv_rows_open(int fd, const char *name, Columns columns, size_t stride) {
    CsvRows *rows = columns.items ? malloc(sizeof *rows) : NULL;
    if (!rows) {
        free(columns.items);
        tml_report_file(name, "cannot get memory");
        return NULL;
    }
    rows->stride = stride;
    rows->columns = columns;
    tml_csv_text_init(&rows->csv, fd, name);
    if (!read_header(rows)) {
        tml_csv_rows_report_failure(rows);
        tml_csv_rows_close(rows);
        return NULL;
    }
    return rows;
}

void tml_csv_rows_close(CsvRows *rows) {
    free(rows->columns.items);
    free(rows);
}
