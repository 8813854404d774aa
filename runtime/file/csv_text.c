// Numbers are parsed where they lie in the buffer. A byte that no number has follows the buffer's
// last one, so the fast path looks for no end; whatever it does not take, or what runs into the end
// of the buffer, is cut out as a token first.
#include "runtime/file/csv_text.h"

#include "runtime/file/open_file.h"
#include "runtime/text/parse_number.h"
#include "runtime/text/scalar_text.h"

#include <stdarg.h>
#include <stdio.h>

static uint64_t count_characters(const char *from, const char *to) {
    uint64_t count = 0;
    for (; from < to; from++) {
        count += ((unsigned char)*from & 0xC0) != 0x80; // not within a UTF-8 character
    }
    return count;
}

Position tml_csv_text_position(const CsvText *csv) {
    return (Position){csv->line, csv->dropped + count_characters(csv->line_start, csv->next) + 1};
}

void tml_csv_fail(CsvText *csv, Position position, const char *format, ...) {
    if (csv->failed) {
        return;
    }
    csv->failed = true;
    int used = snprintf(csv->message, CSV_MESSAGE_BYTES,
                        "%llu:%llu: error: ", (unsigned long long)position.line,
                        (unsigned long long)position.column);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(csv->message + used, CSV_MESSAGE_BYTES - (size_t)used, format, arguments);
    va_end(arguments);
}

bool tml_csv_text_report_failure(const CsvText *csv) {
    if (csv->error != 0) {
        fprintf(stderr, "%s: error: cannot read: %s\n", csv->name, strerror(csv->error));
    } else if (csv->failed) {
        fprintf(stderr, "%s:%s\n", csv->name, csv->message);
    }
    return csv->error != 0 || csv->failed;
}

// Reads more behind what the buffer has from `next` on. False when there is no more.
static bool refill(CsvText *csv) {
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
    size_t room = (size_t)(csv->buffer + CSV_BUFFER_BYTES - csv->end);
    size_t count = tml_read_some(csv->fd, csv->end, room, &csv->error);
    csv->ended = count == 0;
    csv->end += count;
    *csv->end = '\0';
    return !csv->ended;
}

int tml_csv_peek(CsvText *csv) {
    if (csv->next == csv->end && !refill(csv)) {
        return -1;
    }
    return (unsigned char)*csv->next;
}

static void start_line(CsvText *csv) {
    csv->line++;
    csv->dropped = 0;
    csv->line_start = csv->next;
}

void tml_csv_text_init(CsvText *csv, int fd, const char *name) {
    csv->fd = fd;
    csv->name = name;
    csv->error = 0;
    csv->quotes_span_lines = csv->ended = csv->failed = csv->has_other_commas = false;
    csv->line = 0;
    csv->next = csv->end = csv->buffer;
    start_line(csv);
    while (csv->end - csv->next < 3 && refill(csv)) {
    }
    if (csv->end - csv->next >= 3 && memcmp(csv->next, "\xEF\xBB\xBF", 3) == 0) {
        csv->next += 3;
        csv->line_start = csv->next;
    }
}

static void skip_blanks(CsvText *csv) {
    int c = tml_csv_peek(csv);
    while (c == ' ' || c == '\t' || c == '\r') {
        csv->next++;
        c = tml_csv_peek(csv);
    }
}

static bool at_cell_end(CsvText *csv) {
    int c = tml_csv_peek(csv);
    return c == ',' || c == '\n' || c == -1;
}

bool tml_csv_take_separator(CsvText *csv) {
    int c = tml_csv_peek(csv);
    csv->next += c != -1;
    if (c == '\n') {
        start_line(csv);
    }
    return c == ',';
}

// The text between quotes, where two quotes mean one.
static void read_quoted(CsvText *csv) {
    csv->next++;
    for (;;) {
        int c = tml_csv_peek(csv);
        if (c == -1 || (c == '\n' && !csv->quotes_span_lines)) {
            tml_csv_fail(csv, csv->cell.position, "a quoted cell does not end%s",
                         csv->quotes_span_lines ? "" : " in its line");
            return;
        }
        csv->next++;
        if (c == '\n') {
            start_line(csv);
        }
        if (c == '"') {
            if (tml_csv_peek(csv) != '"') {
                break;
            }
            csv->next++;
        }
        tml_token_add(&csv->cell, c);
    }
    skip_blanks(csv);
    if (!at_cell_end(csv)) {
        tml_csv_fail(csv, tml_csv_text_position(csv), "text follows the quote that ends a cell");
    }
}

bool tml_csv_read_token(CsvText *csv) {
    skip_blanks(csv);
    tml_token_start(&csv->cell, tml_csv_text_position(csv));
    if (tml_csv_peek(csv) == '"') {
        read_quoted(csv);
    }
    while (!at_cell_end(csv)) {
        tml_token_add(&csv->cell, *csv->next++);
    }
    tml_token_finish(&csv->cell);
    csv->has_other_commas |= strpbrk(csv->cell.text, ";\t") != NULL;
    return !csv->failed && csv->error == 0;
}

void tml_csv_store_token(CsvText *csv, const tml_type *type, const Column *column, char *place) {
    char name[COLUMN_NAME_BYTES] = "", quote[TML_QUOTE_BYTES];
    const Token *cell = &csv->cell;
    const char *wrong = cell->len > 0 ? tml_scalar_parse(type, cell, place) : "is empty";
    if (!wrong) {
        return;
    }
    if (column) {
        tml_model_column_name(name, column);
    }
    const char *in = column ? " in column " : "";
    if (cell->len > 0) {
        tml_csv_fail(csv, cell->position, "%s%s%s %s", tml_token_quote(quote, cell), in, name,
                     wrong);
    } else if (column) {
        tml_csv_fail(csv, cell->position, "the cell of column %s %s", name, wrong);
    } else {
        tml_csv_fail(csv, cell->position, "a cell %s", wrong);
    }
}

bool tml_csv_read_scalar(CsvText *csv, const tml_type *type, const Column *column, char *place) {
    const char *after = tml_parse_number(type, csv->next, place);
    if (after && after < csv->end) {
        if (*after == ',') {
            csv->next = (char *)after + 1;
            return true;
        }
        after += *after == '\r' && after[1] == '\n';
        if (*after == '\n') {
            csv->next = (char *)after + 1;
            start_line(csv);
            return false;
        }
    }
    if (tml_csv_read_token(csv)) {
        tml_csv_store_token(csv, type, column, place);
    }
    return tml_csv_take_separator(csv);
}

bool tml_csv_at_row(CsvText *csv) {
    int c = tml_csv_peek(csv);
    if (c != '\n' && c != '\r' && c != ' ' && c != '\t' && c != -1) {
        return true;
    }
    Position start = tml_csv_text_position(csv);
    bool blank = false;
    while (tml_csv_peek(csv) != -1) {
        skip_blanks(csv);
        if (tml_csv_peek(csv) != '\n' && tml_csv_peek(csv) != -1) {
            if (blank) {
                tml_csv_fail(csv, start, "a blank line before the end of the file");
            }
            return !blank;
        }
        blank = true;
        tml_csv_take_separator(csv);
    }
    return false;
}
