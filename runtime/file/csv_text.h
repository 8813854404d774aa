// The cells of a CSV text: RFC 4180 with LF or CRLF, an optional byte order mark, white space
// around cells, and blank lines at the end. What the lines mean is said by csv_value.c, for one
// value, and csv_rows.c, for the steps of a simulation.
#ifndef TML_RUNTIME_FILE_CSV_TEXT_H
#define TML_RUNTIME_FILE_CSV_TEXT_H

#include "runtime/file/text_reader.h"
#include "runtime/simulate/columns.h"

typedef struct CsvText {
    TextReader text;
    bool quotes_span_lines; // a cell in quotes may have several
    char other_comma; // a semicolon, tab or blank in a cell that may be meant to separate, or 0
    Token cell;       // the last one that was cut out
} CsvText;

// Skips a byte order mark. Tells by their first bytes files that are no text.
void tml_csv_text_init(CsvText *csv, int fd, const char *name);

// Whether a line with cells follows. False at the end, and after a message about a blank line
// before it.
bool tml_csv_at_row(CsvText *csv);

// Cuts the next cell out as a token; the separator stays. False when anything has failed so far.
bool tml_csv_read_token(CsvText *csv);
// After a cell: takes what separates it from the next. False when it is the last of its line.
bool tml_csv_take_separator(CsvText *csv);
// Keeps a message that columns are separated by `other_comma`, at the place.
void tml_csv_fail_other_comma(CsvText *csv, Position position);
// Stores the token as a scalar of the type, or keeps a message that it is none; `column` is for the
// message and may be NULL.
void tml_csv_store_token(CsvText *csv, const tml_type *type, const Column *column, char *place);
// All three for the next cell, fast for plain numbers. Returns as tml_csv_take_separator.
bool tml_csv_read_scalar(CsvText *csv, const tml_type *type, const Column *column, char *place);

#endif
