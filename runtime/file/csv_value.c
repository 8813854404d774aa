// One value as CSV: formats.h says how its dims are lines and cells. A first line without any
// number is a header. What is wrong with a cell is told only once the line's end has shown that the
// line is no header, is one of the value's, and has the right number of cells. Scalars are those of
// data files: no `u`, bool as 0 or 1.
#include "runtime/abi/type.h"
#include "runtime/file/csv_text.h"
#include "runtime/file/formats.h"
#include "runtime/run/report.h"
#include "runtime/text/print.h"
#include "runtime/text/scalar_text.h"

#include <stdlib.h>

typedef struct Table {
    CsvText *csv;
    const tml_type *type;
    char *data;
    uint64_t rows, columns; // expected
    bool is_vector;         // and no line has told yet whether it is a row or a column
    uint64_t row;           // lines with cells so far, without the header
    bool has_header;
} Table;

// What one line had.
typedef struct Line {
    Position start;
    uint64_t cells;
    bool has_number; // a cell is a number; told of the first line alone
} Line;

// A row has the elements of the last dim.
static uint64_t row_count(const tml_type *type) {
    return tml_dims_product(type->dims, 0, type->flat_rank > 0 ? type->flat_rank - 1u : 0);
}

// Reads a line and its end. Cells beyond the expected rows and columns are only counted.
static Line read_line(Table *table) {
    CsvText *csv = table->csv;
    Line line = {.start = {csv->text.line, 1}};
    csv->other_comma = '\0';
    for (bool more = true; more; line.cells++) {
        bool is_expected = table->row < table->rows && line.cells < table->columns;
        uint64_t index = table->row * table->columns + line.cells;
        char *place = table->data + (is_expected ? index : 0) * tml_scalar_bytes(table->type);
        if (is_expected && line.start.line > 1) {
            more = tml_csv_read_scalar(csv, table->type, NULL, place);
            continue;
        }
        tml_csv_read_token(csv);
        line.has_number |= tml_scalar_is_number(&csv->cell);
        if (is_expected) {
            tml_csv_store_token(csv, table->type, NULL, place);
        }
        more = tml_csv_take_separator(csv);
    }
    return line;
}

// The first line of a vector tells whether the vector is a row or a column.
static void choose_vector_layout(Table *table, const Line *line) {
    uint64_t numel = tml_type_numel(table->type);
    if (table->is_vector && line->cells == 1) {
        table->rows = numel;
        table->columns = 1;
    }
    table->is_vector = table->is_vector && line->cells != 1 && line->cells != numel;
}

static const char *plural(uint64_t count) {
    return count == 1 ? "" : "s";
}

static void fail_columns(const Table *table, const Line *line) {
    char type[TML_TYPE_TEXT_BYTES];
    tml_type_text(type, table->type);
    unsigned long long expected = table->columns, found = line->cells;
    table->csv->text.failed = false; // a cell may have, too
    if (table->csv->other_comma != '\0') {
        tml_csv_fail_other_comma(table->csv, line->start);
    } else if (table->is_vector) {
        tml_reader_fail(&table->csv->text, line->start,
                        "expected one row of %llu columns or one column for %s, found %llu columns",
                        expected, type, found);
    } else {
        tml_reader_fail(&table->csv->text, line->start, "expected %llu column%s for %s, found %llu",
                        expected, plural(expected), type, found);
    }
}

static void fail_rows(const Table *table) {
    if (table->row == 0 && table->csv->other_comma != '\0') { // `1;2` looks like a header
        tml_csv_fail_other_comma(table->csv, (Position){1, 1});
        return;
    }
    char type[TML_TYPE_TEXT_BYTES];
    unsigned long long rows = table->rows, columns = table->columns, found = table->row;
    tml_reader_fail(&table->csv->text, tml_reader_position(&table->csv->text),
                    "expected %llu row%s of %llu column%s for %s, found %llu row%s%s", rows,
                    plural(rows), columns, plural(columns), tml_type_text(type, table->type), found,
                    plural(found), table->has_header ? " after the header" : "");
}

static void read_lines(Table *table) {
    CsvText *csv = table->csv;
    while (!csv->text.failed && tml_csv_at_row(csv)) {
        Line line = read_line(table);
        if (line.start.line == 1 && !line.has_number) {
            table->has_header = true;
            csv->text.failed = false;
            continue;
        }
        if (table->row >= table->rows) {
            csv->text.failed = false;
        } else {
            choose_vector_layout(table, &line);
            if (line.cells != table->columns) {
                fail_columns(table, &line);
            }
        }
        table->row++;
    }
}

bool tml_csv_read(CsvText *csv, const tml_type *type, void *data) {
    uint64_t rows = row_count(type);
    Table table = {.csv = csv,
                   .type = type,
                   .data = data,
                   .rows = rows,
                   .columns = tml_type_numel(type) / rows,
                   .is_vector = type->flat_rank == 1};
    csv->quotes_span_lines = true;
    read_lines(&table);
    if (table.row != table.rows) {
        fail_rows(&table);
    }
    return !tml_reader_report_failure(&csv->text);
}

void tml_csv_write(Writer *out, const tml_type *type, const void *data) {
    const char *scalar = data;
    uint64_t numel = tml_type_numel(type), columns = numel / row_count(type);
    for (uint64_t i = 1; i <= numel; i++, scalar += tml_scalar_bytes(type)) {
        tml_write_scalar(out, type, scalar, SCALAR_DATA);
        tml_write_char(out, i % columns == 0 ? '\n' : ',');
    }
}
