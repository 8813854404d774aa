// Numbers are parsed where they lie in the buffer. A byte that no number has follows the buffer's
// last one, so the fast path looks for no end; whatever it does not take, or what runs into the end
// of the buffer, is cut out as a token first.
#include "runtime/file/csv_text.h"

#include "runtime/file/formats.h"
#include "runtime/text/scalar_text.h"

#include <stdlib.h>
#include <string.h>

void tml_csv_text_init(CsvText *csv, int fd, const char *name) {
    TextReader *text = &csv->text;
    tml_reader_init(text, fd, name);
    csv->quotes_span_lines = false;
    csv->other_comma = '\0';
    while (text->end - text->next < 3 && tml_reader_refill(text)) {
    }
    if (text->end - text->next >= 3 && memcmp(text->next, "\xEF\xBB\xBF", 3) == 0) {
        text->next += 3;
        text->count_from = text->next;
    }
    const char *known = tml_known_content(text->next, (size_t)(text->end - text->next));
    if (known) {
        tml_reader_fail(text, (Position){1, 1}, "%s", known);
    }
}

static void skip_blanks(CsvText *csv) {
    int c = tml_reader_peek(&csv->text);
    while (c == ' ' || c == '\t' || c == '\r') {
        csv->text.next++;
        c = tml_reader_peek(&csv->text);
    }
}

static bool at_cell_end(CsvText *csv) {
    int c = tml_reader_peek(&csv->text);
    return c == ',' || c == '\n' || c == TML_READER_END;
}

bool tml_csv_take_separator(CsvText *csv) {
    return tml_reader_next(&csv->text) == ',';
}

// The text between quotes, where two quotes mean one.
static void read_quoted(CsvText *csv) {
    csv->text.next++;
    for (;;) {
        int c = tml_reader_peek(&csv->text);
        if (c == TML_READER_END || (c == '\n' && !csv->quotes_span_lines)) {
            tml_reader_fail(&csv->text, csv->cell.position, "a quoted cell does not end%s",
                            csv->quotes_span_lines ? "" : " in its line");
            return;
        }
        tml_reader_next(&csv->text);
        if (c == '"') {
            if (tml_reader_peek(&csv->text) != '"') {
                break;
            }
            csv->text.next++;
        }
        tml_token_add(&csv->cell, c);
    }
    skip_blanks(csv);
    if (!at_cell_end(csv)) {
        tml_reader_fail(&csv->text, tml_reader_position(&csv->text),
                        "text follows the quote that ends a cell");
    }
}

// What may be meant to separate columns in the text of a cell: also a blank between two numbers.
static char other_comma_in(const char *cell) {
    const char *other = strpbrk(cell, ";\t");
    if (other) {
        return *other;
    }
    char *end, *last;
    (void)strtod(cell, &end);
    const char *next = end + strspn(end, " ");
    (void)strtod(next, &last);
    return end > cell && next > end && last > next ? ' ' : '\0';
}

bool tml_csv_read_token(CsvText *csv) {
    skip_blanks(csv);
    tml_token_start(&csv->cell, tml_reader_position(&csv->text));
    if (tml_reader_peek(&csv->text) == '"') {
        read_quoted(csv);
    }
    while (!at_cell_end(csv)) {
        tml_token_add(&csv->cell, *csv->text.next++);
    }
    tml_token_finish(&csv->cell);
    char other = other_comma_in(csv->cell.text);
    csv->other_comma = other ? other : csv->other_comma;
    return !csv->text.failed && csv->text.error == 0;
}

void tml_csv_fail_other_comma(CsvText *csv, Position position) {
    // Where semicolons separate, commas may be decimal points.
    const char *what = csv->other_comma == '\t'  ? "a tab"
                       : csv->other_comma == ' ' ? "a blank"
                                                 : "`;`";
    const char *cure = csv->other_comma == '\t'  ? "tr '\\t' ','"
                       : csv->other_comma == ' ' ? "tr -s ' ' ','"
                                                 : "sed 's/,/./g; s/;/,/g'";
    tml_reader_fail(&csv->text, position,
                    "%s separates the columns, which commas must; `%s` makes it so", what, cure);
}

void tml_csv_store_token(CsvText *csv, const tml_type *type, const Column *column, char *place) {
    char name[COLUMN_NAME_BYTES] = "", quote[TML_QUOTE_BYTES];
    const Token *cell = &csv->cell;
    const char *wrong = cell->len > 0 ? tml_scalar_parse(type, cell, place) : "is empty";
    if (!wrong) {
        return;
    }
    if (strpbrk(cell->text, ";\t")) {
        tml_csv_fail_other_comma(csv, cell->position);
        return;
    }
    if (column) {
        tml_model_column_name(name, column);
    }
    const char *in = column ? " in column " : "";
    if (cell->len > 0) {
        tml_reader_fail(&csv->text, cell->position, "%s%s%s %s", tml_token_quote(quote, cell), in,
                        name, wrong);
    } else if (column) {
        tml_reader_fail(&csv->text, cell->position, "the cell of column %s %s", name, wrong);
    } else {
        tml_reader_fail(&csv->text, cell->position, "a cell %s", wrong);
    }
}

bool tml_csv_read_scalar(CsvText *csv, const tml_type *type, const Column *column, char *place) {
    const char *after = tml_parse_number(type, csv->text.next, place);
    if (after && after < csv->text.end) {
        if (*after == ',') {
            csv->text.next = (char *)after + 1;
            return true;
        }
        after += *after == '\r' && after[1] == '\n';
        if (*after == '\n') {
            csv->text.next = (char *)after + 1;
            tml_reader_start_line(&csv->text);
            return false;
        }
    }
    if (tml_csv_read_token(csv)) {
        tml_csv_store_token(csv, type, column, place);
    }
    return tml_csv_take_separator(csv);
}

bool tml_csv_at_row(CsvText *csv) {
    int c = tml_reader_peek(&csv->text);
    if (c != '\n' && c != '\r' && c != ' ' && c != '\t' && c != TML_READER_END) {
        return true;
    }
    Position start = tml_reader_position(&csv->text);
    bool blank = false;
    while (tml_reader_peek(&csv->text) != TML_READER_END) {
        skip_blanks(csv);
        if (tml_reader_peek(&csv->text) != '\n' && tml_reader_peek(&csv->text) != TML_READER_END) {
            if (blank) {
                tml_reader_fail(&csv->text, start, "a blank line before the end of the file");
            }
            return !blank;
        }
        blank = true;
        tml_csv_take_separator(csv);
    }
    return false;
}
