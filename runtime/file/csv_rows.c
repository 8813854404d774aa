// The header is read first and tells where each cell of a row goes. A row that is wrong is told
// when the rows before it have been taken.
#include "runtime/file/csv_rows.h"

#include "runtime/file/csv_text.h"
#include "runtime/run/report.h"

#include <stdlib.h>

struct CsvRows {
    size_t stride;
    Columns columns;            // as tml_csv_read_header leaves them
    const tml_variable *placed; // the scalar whose cell
    Position place;             // stands there in the last row
    CsvText csv;
};

static void fail_cell_count(CsvRows *rows, Position start, size_t found) {
    size_t expected = rows->columns.count;
    tml_reader_fail(&rows->csv.text, start, "the row has %zu cell%s, the header has %zu column%s",
                    found, found == 1 ? "" : "s", expected, expected == 1 ? "" : "s");
}

// Counts the cells of a line that has too many.
static void fail_long_row(CsvRows *rows, Position start) {
    size_t count = rows->columns.count;
    do {
        count++;
        if (!tml_csv_read_token(&rows->csv)) {
            return;
        }
    } while (tml_csv_take_separator(&rows->csv));
    fail_cell_count(rows, start, count);
}

// Of `count` cells.
static void fail_short_row(CsvRows *rows, Position start, size_t count) {
    char name[COLUMN_NAME_BYTES];
    const Column *column = &rows->columns.items[count];
    size_t expected = rows->columns.count;
    if (column->terminal) {
        tml_reader_fail(&rows->csv.text, start, "the row ends before column %s: %zu of %zu cells",
                        tml_model_column_name(name, column), count, expected);
    } else {
        fail_cell_count(rows, start, count);
    }
}

// Of a column that is not read.
static bool skip_cell(CsvText *csv) {
    tml_csv_read_token(csv);
    return tml_csv_take_separator(csv);
}

static bool read_row(CsvRows *rows, char *row) {
    size_t count = rows->columns.count;
    Position start = {rows->csv.text.line, 1};
    bool more = true;
    for (size_t i = 0; i < count && !rows->csv.text.failed; i++) {
        const Column *column = &rows->columns.items[i];
        if (!more) {
            fail_short_row(rows, start, i);
            return false;
        }
        if (rows->placed && column->terminal == rows->placed) {
            rows->place = tml_reader_position(&rows->csv.text);
        }
        more = column->terminal ? tml_csv_read_scalar(&rows->csv, column->terminal->type, column,
                                                      row + column->offset)
                                : skip_cell(&rows->csv);
    }
    if (more && !rows->csv.text.failed) {
        fail_long_row(rows, start);
    }
    return !rows->csv.text.failed && rows->csv.text.error == 0; // the last row may be torn
}

bool tml_csv_rows_would_wait(const CsvRows *rows) {
    return rows->csv.text.next == rows->csv.text.end;
}

size_t tml_csv_rows_read(CsvRows *rows, size_t limit, bool all, char *inputs) {
    size_t count = 0;
    while (count < limit && !rows->csv.text.failed && rows->csv.text.error == 0) {
        if (!all && count > 0 && tml_csv_rows_would_wait(rows)) {
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

void tml_csv_rows_watch(CsvRows *rows, const tml_variable *scalar) {
    rows->placed = scalar;
}

Position tml_csv_rows_place(const CsvRows *rows) {
    return rows->place;
}

const Columns *tml_csv_rows_columns(const CsvRows *rows) {
    return &rows->columns;
}

TextReader *tml_csv_rows_text(CsvRows *rows) {
    return &rows->csv.text;
}

Position tml_csv_rows_position(CsvRows *rows) {
    return tml_reader_position(&rows->csv.text);
}

CsvRows *tml_csv_rows_open(int fd, const char *name, Columns columns, size_t stride,
                           OtherColumns others) {
    CsvRows *rows = columns.items ? malloc(sizeof *rows) : NULL;
    if (!rows) {
        free(columns.items);
        tml_report_file(name, "cannot get memory");
        return NULL;
    }
    rows->stride = stride;
    rows->columns = columns;
    rows->placed = NULL;
    tml_csv_text_init(&rows->csv, fd, name);
    if (!tml_csv_read_header(&rows->csv, &rows->columns, others)) {
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
