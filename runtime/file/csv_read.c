// CSV, RFC 4180 with LF or CRLF, an optional byte order mark, and white space around cells. Cells
// are parsed as they come; nothing but the current cell is kept.
#include "runtime/abi/type.h"
#include "runtime/file/formats.h"
#include "runtime/text/scalar_text.h"

#include <stdio.h>
#include <stdlib.h>

enum { MESSAGE_BYTES = 256 };

// The first cell of a line that cannot be read. It is only told once the line's end has shown that
// the line is no header and has the right number of cells.
typedef struct Problem {
    bool exists;
    Position position;
    char text[MESSAGE_BYTES];
} Problem;

typedef struct CsvReader {
    TextReader text;
    const tml_type *type;
    char *data;
    uint64_t numel;
    uint64_t rows, columns; // expected
    bool is_vector;         // and no line has told yet whether it is a row or a column
    uint64_t row;           // lines with cells so far, without the header
    bool has_header;
    Token cell;
} CsvReader;

// What one line had.
typedef struct Line {
    Position start;
    uint64_t cells;
    bool has_number; // a cell is a number; told of the first line alone
    bool blank;      // nothing but white space
    bool separator;  // a cell has a semicolon or tab, which may be meant to separate
    Problem problem;
} Line;

static void problem_set(Problem *problem, Position position, const char *what, const char *wrong) {
    if (!problem->exists) {
        problem->exists = true;
        problem->position = position;
        snprintf(problem->text, MESSAGE_BYTES, "%s %s", what, wrong);
    }
}

static void skip_blanks(TextReader *text) {
    int c = tml_reader_peek(text);
    while (c == ' ' || c == '\t' || c == '\r') {
        tml_reader_next(text);
        c = tml_reader_peek(text);
    }
}

static bool at_cell_end(TextReader *text) {
    int c = tml_reader_peek(text);
    return c == ',' || c == '\n' || c == TML_READER_END;
}

// The text between quotes, where two quotes mean one.
static void read_quoted(CsvReader *csv, Problem *problem) {
    TextReader *text = &csv->text;
    Position start = text->position;
    tml_reader_next(text);
    for (;;) {
        int c = tml_reader_next(text);
        if (c == TML_READER_END) {
            problem_set(problem, start, "a quoted cell", "does not end");
            return;
        }
        if (c == '"') {
            if (tml_reader_peek(text) != '"') {
                break;
            }
            tml_reader_next(text);
        }
        tml_token_add(&csv->cell, c);
    }
    skip_blanks(text);
    if (!at_cell_end(text)) {
        problem_set(problem, text->position, "text", "follows the quote that ends a cell");
    }
}

// Reads one cell into csv->cell, up to the comma or line end after it.
static void read_cell(CsvReader *csv, Problem *problem) {
    TextReader *text = &csv->text;
    skip_blanks(text);
    tml_token_start(&csv->cell, text->position);
    if (tml_reader_peek(text) == '"') {
        read_quoted(csv, problem);
    }
    while (!at_cell_end(text)) {
        tml_token_add(&csv->cell, tml_reader_next(text));
    }
    tml_token_finish(&csv->cell);
}

// Stores the current cell as element `index`, or says why not.
static void store_cell(CsvReader *csv, uint64_t index, Problem *problem) {
    const Token *cell = &csv->cell;
    if (cell->len == 0) {
        problem_set(problem, cell->position, "a cell", "is empty");
        return;
    }
    char *scalar = csv->data + index * tml_scalar_bytes(csv->type);
    const char *wrong = tml_scalar_parse(csv->type, cell, scalar);
    if (wrong) {
        char quote[TML_QUOTE_BYTES];
        problem_set(problem, cell->position, tml_token_quote(quote, cell), wrong);
    }
}

// Reads a line and its end. Cells beyond the expected rows and columns are only counted.
static void read_line(CsvReader *csv, Line *line) {
    TextReader *text = &csv->text;
    bool is_first = text->position.line == 1;
    line->start = text->position;
    line->cells = 0;
    line->has_number = line->separator = false;
    line->problem.exists = false;
    skip_blanks(text);
    line->blank = at_cell_end(text) && tml_reader_peek(text) != ',';
    do {
        read_cell(csv, &line->problem);
        if (csv->row < csv->rows && line->cells < csv->columns) {
            store_cell(csv, csv->row * csv->columns + line->cells, &line->problem);
        }
        if (is_first && !line->has_number) {
            line->has_number = tml_scalar_is_number(&csv->cell);
        }
        line->separator |= strpbrk(csv->cell.text, ";\t") != NULL;
        line->cells++;
    } while (tml_reader_next(text) == ',');
}

// Blank lines may only stand at the end.
static bool skip_blank_lines(CsvReader *csv, Position first) {
    while (tml_reader_peek(&csv->text) != TML_READER_END) {
        skip_blanks(&csv->text);
        int c = tml_reader_next(&csv->text);
        if (c != '\n' && c != TML_READER_END) {
            tml_reader_report(&csv->text, first, "a blank line before the end of the file");
            return false;
        }
    }
    return true;
}

// The first line of a vector tells whether the vector is a row or a column.
static void choose_vector_layout(CsvReader *csv, const Line *line) {
    if (csv->is_vector && line->cells == 1) {
        csv->rows = csv->numel;
        csv->columns = 1;
    }
    csv->is_vector = csv->is_vector && line->cells != 1 && line->cells != csv->numel;
}

static const char *plural(uint64_t count) {
    return count == 1 ? "" : "s";
}

static void report_columns(const CsvReader *csv, const Line *line) {
    char type[TML_TYPE_TEXT_BYTES];
    tml_type_text(type, csv->type);
    const char *hint = line->separator ? " (commas separate columns)" : "";
    unsigned long long expected = csv->columns, found = line->cells;
    if (csv->is_vector) {
        tml_reader_report(&csv->text, line->start,
                          "expected one row of %llu columns or one column for %s, found %llu "
                          "columns%s",
                          expected, type, found, hint);
    } else {
        tml_reader_report(&csv->text, line->start, "expected %llu column%s for %s, found %llu%s",
                          expected, plural(expected), type, found, hint);
    }
}

static bool accept_line(CsvReader *csv, const Line *line) {
    choose_vector_layout(csv, line);
    if (line->cells != csv->columns) {
        report_columns(csv, line);
        return false;
    }
    if (line->problem.exists) {
        tml_reader_report(&csv->text, line->problem.position, "%s", line->problem.text);
        return false;
    }
    return true;
}

static bool read_lines(CsvReader *csv) {
    Line line;
    while (tml_reader_peek(&csv->text) != TML_READER_END) {
        read_line(csv, &line);
        if (csv->text.error != 0) {
            return false; // the line may be torn
        }
        if (line.blank) {
            return skip_blank_lines(csv, line.start);
        }
        if (line.start.line == 1 && !line.has_number) {
            csv->has_header = true;
            continue;
        }
        if (csv->row < csv->rows && !accept_line(csv, &line)) {
            return false;
        }
        csv->row++;
    }
    return true;
}

static void report_rows(const CsvReader *csv) {
    char type[TML_TYPE_TEXT_BYTES];
    unsigned long long rows = csv->rows, columns = csv->columns, found = csv->row;
    tml_reader_report(&csv->text, csv->text.position,
                      "expected %llu row%s of %llu column%s for %s, found %llu row%s%s", rows,
                      plural(rows), columns, plural(columns), tml_type_text(type, csv->type), found,
                      plural(found), csv->has_header ? " after the header" : "");
}

static bool read_value(CsvReader *csv) {
    bool done = read_lines(csv);
    if (tml_reader_report_failure(&csv->text)) {
        return false;
    }
    if (done && csv->row != csv->rows) {
        report_rows(csv);
        return false;
    }
    return done;
}

static void skip_byte_order_mark(TextReader *text) {
    if (tml_reader_peek(text) == 0xEF && text->end >= 3 &&
        memcmp(text->bytes, "\xEF\xBB\xBF", 3) == 0) {
        text->next = 3;
    }
}

bool tml_csv_read(int fd, const char *path, const tml_type *type, void *data) {
    CsvReader *csv = malloc(sizeof *csv);
    if (!csv) {
        fprintf(stderr, "%s: error: cannot get memory\n", path);
        return false;
    }
    size_t last = type->flat_rank > 0 ? type->flat_rank - 1u : 0;
    tml_reader_init(&csv->text, fd, path);
    csv->type = type;
    csv->data = data;
    csv->numel = tml_type_numel(type);
    csv->rows = tml_dims_product(type->dims, 0, last);
    csv->columns = tml_dims_product(type->dims, last, type->flat_rank);
    csv->is_vector = type->flat_rank == 1;
    csv->row = 0;
    csv->has_header = false;
    skip_byte_order_mark(&csv->text);
    bool done = read_value(csv);
    free(csv);
    return done;
}
