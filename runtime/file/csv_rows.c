// Cells are parsed where they lie in the buffer. A byte that no number has follows the buffer's
// last one, so the fast path looks for no end; whatever it does not take, or what runs into the end
// of the buffer, is cut out as a token first.
#include "runtime/file/csv_rows.h"

#include "runtime/abi/type.h"
#include "runtime/text/parse_number.h"
#include "runtime/text/scalar_text.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 16, MESSAGE_BYTES = 512 };

// How the text of a cell was.
typedef enum CellEnd {
    CELL_FOLLOWS, // a comma and another cell
    CELL_LAST,    // of its line
    CELL_WRONG    // a message says why
} CellEnd;

struct CsvRows {
    int fd;
    const char *name;
    int error; // errno of a failed read
    bool ended;
    bool failed; // `message` says why
    char message[MESSAGE_BYTES];
    uint64_t line;          // of `next`
    uint64_t dropped;       // characters of the line that have left the buffer
    const char *line_start; // in the buffer, or its beginning when some have left
    char *next, *end;
    size_t stride;
    Columns columns; // in the order of the file once the header is read
    Token cell;
    char buffer[BUFFER_BYTES + 1];
};

static uint64_t count_characters(const char *from, const char *to) {
    uint64_t count = 0;
    for (; from < to; from++) {
        count += ((unsigned char)*from & 0xC0) != 0x80; // not within a UTF-8 character
    }
    return count;
}

static Position position_of(const CsvRows *csv, const char *place) {
    return (Position){csv->line, csv->dropped + count_characters(csv->line_start, place) + 1};
}

Position csv_rows_position(const CsvRows *csv) {
    return position_of(csv, csv->next);
}

__attribute__((format(printf, 3, 4))) static void fail(CsvRows *csv, Position position,
                                                       const char *format, ...) {
    if (csv->failed) {
        return;
    }
    csv->failed = true;
    int used = snprintf(csv->message, MESSAGE_BYTES,
                        "%llu:%llu: error: ", (unsigned long long)position.line,
                        (unsigned long long)position.column);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(csv->message + used, MESSAGE_BYTES - (size_t)used, format, arguments);
    va_end(arguments);
}

bool csv_rows_report_failure(const CsvRows *csv) {
    if (csv->error != 0) {
        fprintf(stderr, "%s: error: cannot read: %s\n", csv->name, strerror(csv->error));
    } else if (csv->failed) {
        fprintf(stderr, "%s:%s\n", csv->name, csv->message);
    }
    return csv->error != 0 || csv->failed;
}

// Reads more behind what the buffer has from `next` on. False when there is no more.
static bool refill(CsvRows *csv) {
    if (csv->ended) {
        return false;
    }
    if (csv->next > csv->buffer) {
        csv->dropped += count_characters(csv->line_start, csv->next);
        memmove(csv->buffer, csv->next, (size_t)(csv->end - csv->next));
        csv->end -= csv->next - csv->buffer;
        csv->next = csv->buffer;
        csv->line_start = csv->buffer;
    }
    ssize_t count;
    while ((count = read(csv->fd, csv->end, (size_t)(csv->buffer + BUFFER_BYTES - csv->end))) < 0) {
        if (errno == EAGAIN) { // a descriptor that we inherited may be non-blocking
            poll(&(struct pollfd){.fd = csv->fd, .events = POLLIN}, 1, -1);
        } else if (errno != EINTR) {
            csv->error = errno;
            break;
        }
    }
    csv->ended = count <= 0;
    csv->end += count > 0 ? count : 0;
    *csv->end = '\0';
    return !csv->ended;
}

// The next byte, or -1.
static int peek(CsvRows *csv) {
    if (csv->next == csv->end && !refill(csv)) {
        return -1;
    }
    return (unsigned char)*csv->next;
}

static void skip_blanks(CsvRows *csv) {
    int c = peek(csv);
    while (c == ' ' || c == '\t' || c == '\r') {
        csv->next++;
        c = peek(csv);
    }
}

static bool is_cell_end(int c) {
    return c == ',' || c == '\n' || c == -1;
}

static void start_line(CsvRows *csv) {
    csv->line++;
    csv->dropped = 0;
    csv->line_start = csv->next;
}

// The text between quotes, where two quotes mean one. A cell does not go beyond its line.
static bool read_quoted(CsvRows *csv) {
    csv->next++;
    for (;;) {
        int c = peek(csv);
        if (c == -1 || c == '\n') {
            fail(csv, csv->cell.position, "a quoted cell does not end in its line");
            return false;
        }
        csv->next++;
        if (c == '"') {
            if (peek(csv) != '"') {
                break;
            }
            csv->next++;
        }
        tml_token_add(&csv->cell, c);
    }
    skip_blanks(csv);
    if (!is_cell_end(peek(csv))) {
        fail(csv, csv_rows_position(csv), "text follows the quote that ends a cell");
        return false;
    }
    return true;
}

static CellEnd take_separator(CsvRows *csv) {
    if (peek(csv) == ',') {
        csv->next++;
        return CELL_FOLLOWS;
    }
    if (peek(csv) == '\n') {
        csv->next++;
        start_line(csv);
    }
    return CELL_LAST;
}

// Cuts the next cell out as a token; the separator stays.
static bool read_token(CsvRows *csv) {
    skip_blanks(csv);
    tml_token_start(&csv->cell, csv_rows_position(csv));
    if (peek(csv) == '"' && !read_quoted(csv)) {
        return false;
    }
    for (int c = peek(csv); !is_cell_end(c); c = peek(csv)) {
        tml_token_add(&csv->cell, c);
        csv->next++;
    }
    tml_token_finish(&csv->cell);
    return csv->error == 0;
}

// "`m[0][1]`" and the like for messages.
#define COLUMN_FORMAT "`%s%s`"
#define COLUMN_ARGUMENTS(column, indices) \
    (column)->terminal->name, model_column_indices(indices, column)

// Reads a cell as a token and stores it.
static CellEnd read_unusual(CsvRows *csv, const Column *column, char *place) {
    char indices[COLUMN_INDEX_BYTES], quote[TML_QUOTE_BYTES];
    if (!read_token(csv)) {
        return CELL_WRONG;
    }
    const Token *cell = &csv->cell;
    if (cell->len == 0) {
        fail(csv, cell->position, "the cell of column " COLUMN_FORMAT " is empty",
             COLUMN_ARGUMENTS(column, indices));
        return CELL_WRONG;
    }
    const char *wrong = tml_scalar_parse(column->terminal->type, cell, place);
    if (wrong) {
        fail(csv, cell->position, "%s in column " COLUMN_FORMAT " %s", tml_token_quote(quote, cell),
             COLUMN_ARGUMENTS(column, indices), wrong);
        return CELL_WRONG;
    }
    return take_separator(csv);
}

static inline CellEnd read_cell(CsvRows *csv, const Column *column, char *place) {
    const char *after = tml_parse_number(column->terminal->type, csv->next, place);
    if (after && after < csv->end) {
        if (*after == ',') {
            csv->next = (char *)after + 1;
            return CELL_FOLLOWS;
        }
        if (*after == '\r' && after[1] == '\n') {
            after++;
        }
        if (*after == '\n') {
            csv->next = (char *)after + 1;
            start_line(csv);
            return CELL_LAST;
        }
    }
    return read_unusual(csv, column, place);
}

// Counts the cells of a line that has too many.
static void fail_long_row(CsvRows *csv, Position start) {
    size_t count = csv->columns.count;
    do {
        count++;
        if (!read_token(csv)) {
            return;
        }
    } while (take_separator(csv) == CELL_FOLLOWS);
    fail(csv, start, "the row has %zu cells, the header has %zu column%s", count,
         csv->columns.count, csv->columns.count == 1 ? "" : "s");
}

static bool read_row(CsvRows *csv, char *row) {
    char indices[COLUMN_INDEX_BYTES];
    size_t count = csv->columns.count;
    Position start = {csv->line, 1};
    for (size_t i = 0; i < count; i++) {
        const Column *column = &csv->columns.items[i];
        CellEnd end = read_cell(csv, column, row + column->offset);
        if (end == CELL_WRONG) {
            return false;
        }
        if (end == CELL_LAST && i + 1 < count) {
            fail(csv, start, "the row ends before column " COLUMN_FORMAT ": %zu of %zu cells",
                 COLUMN_ARGUMENTS(column + 1, indices), i + 1, count);
            return false;
        }
        if (end == CELL_FOLLOWS && i + 1 == count) {
            fail_long_row(csv, start);
            return false;
        }
    }
    return csv->error == 0; // the last row may be torn
}

// Whether a row starts at `next`. Blank lines may only stand at the end.
static bool at_row(CsvRows *csv) {
    int c = peek(csv);
    if (c != '\n' && c != '\r' && c != ' ' && c != '\t' && c != -1) {
        return true;
    }
    Position start = csv_rows_position(csv);
    bool blank = false;
    while (peek(csv) != -1) {
        skip_blanks(csv);
        if (peek(csv) != '\n' && peek(csv) != -1) {
            if (blank) {
                fail(csv, start, "a blank line before the end of the file");
            }
            return !blank;
        }
        blank = true;
        take_separator(csv);
    }
    return false;
}

size_t csv_rows_read(CsvRows *csv, size_t limit, bool all, char *inputs) {
    size_t count = 0;
    while (count < limit && !csv->failed && csv->error == 0) {
        if (!all && count > 0 && csv->next == csv->end) {
            break;
        }
        if (!at_row(csv) || !read_row(csv, inputs + count * csv->stride)) {
            break;
        }
        count++;
    }
    return count;
}

static void fail_unknown_column(CsvRows *csv, const Columns *columns) {
    char quote[TML_QUOTE_BYTES];
    const Token *cell = &csv->cell;
    tml_token_quote(quote, cell);
    if (cell->len == 0) {
        fail(csv, cell->position, "a column has no name");
        return;
    }
    if (tml_scalar_is_number(cell)) {
        fail(csv, cell->position, "the first line names the columns, found the number %s", quote);
        return;
    }
    if (cell->len <= TML_TOKEN_LIMIT && memchr(cell->text, '\0', cell->len)) {
        fail(csv, cell->position, "the column name %s has a NUL byte", quote);
        return;
    }
    for (size_t i = 0; i < columns->count; i++) {
        const Column *column = &columns->items[i];
        size_t len = strlen(column->terminal->name);
        if (strncmp(column->terminal->name, cell->text, len) == 0 &&
            (cell->text[len] == '\0' || cell->text[len] == '[')) {
            char type[TML_TYPE_TEXT_BYTES], indices[COLUMN_INDEX_BYTES];
            fail(csv, cell->position,
                 "no column %s: the input `%s` is %s, its first column is " COLUMN_FORMAT, quote,
                 column->terminal->name, tml_type_text(type, column->terminal->type),
                 COLUMN_ARGUMENTS(column, indices));
            return;
        }
    }
    fail(csv, cell->position, "no input is named %s", quote);
}

// The column that the cell of a header names, put where the file has it. NULL after a message.
static const Column *take_column(CsvRows *csv, const Columns *columns, bool *taken, size_t guess) {
    char quote[TML_QUOTE_BYTES];
    const Token *cell = &csv->cell;
    size_t found = cell->len <= TML_TOKEN_LIMIT
                       ? model_find_column(columns, cell->text, cell->len, guess)
                       : columns->count;
    if (found == columns->count) {
        fail_unknown_column(csv, columns);
        return NULL;
    }
    if (taken[found]) {
        fail(csv, cell->position, "the column %s is given twice", tml_token_quote(quote, cell));
        return NULL;
    }
    taken[found] = true;
    return &columns->items[found];
}

static void fail_missing_columns(CsvRows *csv, const Columns *columns, const bool *taken) {
    char indices[COLUMN_INDEX_BYTES];
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
    fail(csv, (Position){1, 1}, "the column " COLUMN_FORMAT " is missing%s",
         COLUMN_ARGUMENTS(&columns->items[first], indices), text);
}

// Fills `ordered` in the order of the file.
static bool read_columns(CsvRows *csv, const Columns *columns, bool *taken, Columns *ordered) {
    CellEnd end = CELL_FOLLOWS;
    size_t guess = 0;
    if (peek(csv) == -1) {
        fail(csv, (Position){1, 1}, "the file is empty; its first line names the columns");
        return false;
    }
    while (end == CELL_FOLLOWS) {
        if (!read_token(csv)) {
            return false;
        }
        const Column *column = take_column(csv, columns, taken, guess);
        if (!column) {
            return false;
        }
        guess = (size_t)(column - columns->items) + 1;
        ordered->items[ordered->count++] = *column;
        end = take_separator(csv);
    }
    if (ordered->count < columns->count) {
        fail_missing_columns(csv, columns, taken);
    }
    return !csv->failed && csv->error == 0;
}

static void skip_byte_order_mark(CsvRows *csv) {
    while (csv->end - csv->next < 3 && refill(csv)) {
    }
    if (csv->end - csv->next >= 3 && memcmp(csv->next, "\xEF\xBB\xBF", 3) == 0) {
        csv->next += 3;
        csv->line_start = csv->next;
    }
}

static bool read_header(CsvRows *csv) {
    Columns columns = csv->columns;
    bool *taken = calloc(columns.count + 1, sizeof *taken);
    Columns ordered = {.items = calloc(columns.count + 1, sizeof *ordered.items)};
    bool done = false;
    if (taken && ordered.items) {
        skip_byte_order_mark(csv);
        done = read_columns(csv, &columns, taken, &ordered);
    } else {
        fail(csv, (Position){1, 1}, "cannot get memory");
    }
    free(taken);
    free(columns.items);
    csv->columns = ordered;
    return done;
}

CsvRows *csv_rows_open(int fd, const char *name, Columns columns, size_t stride) {
    CsvRows *csv = columns.items ? malloc(sizeof *csv) : NULL;
    if (!csv) {
        free(columns.items);
        fprintf(stderr, "%s: error: cannot get memory\n", name);
        return NULL;
    }
    csv->fd = fd;
    csv->name = name;
    csv->error = 0;
    csv->ended = csv->failed = false;
    csv->line = 1;
    csv->dropped = 0;
    csv->line_start = csv->next = csv->end = csv->buffer;
    csv->stride = stride;
    csv->columns = columns;
    if (!read_header(csv)) {
        csv_rows_report_failure(csv);
        csv_rows_close(csv);
        return NULL;
    }
    return csv;
}

void csv_rows_close(CsvRows *csv) {
    free(csv->columns.items);
    free(csv);
}
