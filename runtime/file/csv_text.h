// The cells of a CSV text: RFC 4180 with LF or CRLF, an optional byte order mark, white space
// around cells, and blank lines at the end. What the lines mean is said by csv_value.c, for one
// value, and csv_rows.c, for the steps of a simulation.
#ifndef TML_RUNTIME_FILE_CSV_TEXT_H
#define TML_RUNTIME_FILE_CSV_TEXT_H

#include "runtime/file/text_reader.h"
#include "runtime/simulate/columns.h"

enum { CSV_BUFFER_BYTES = 1 << 16, CSV_MESSAGE_BYTES = 512 };

typedef struct CsvText {
    int fd;
    const char *name;
    bool quotes_span_lines; // a cell in quotes may have several
    bool ended;
    int error;              // errno of a failed read
    bool failed;            // `message` says why
    bool has_other_commas;  // a cell has a semicolon or tab, which may be meant to separate
    uint64_t line;          // of `next`
    uint64_t dropped;       // characters of the line that have left the buffer
    const char *line_start; // in the buffer, or its beginning when some have left
    char *next, *end;
    Token cell; // the last one that was cut out
    char message[CSV_MESSAGE_BYTES];
    char buffer[CSV_BUFFER_BYTES + 1];
} CsvText;

// Skips a byte order mark.
void tml_csv_text_init(CsvText *csv, int fd, const char *name);

// Keeps a message, unless there is one already; reading may go on.
__attribute__((format(printf, 3, 4))) void tml_csv_fail(CsvText *csv, Position position,
                                                        const char *format, ...);
// Says why reading failed, if it did. Returns whether it did.
bool tml_csv_text_report_failure(const CsvText *csv);

// Of the next byte.
Position tml_csv_text_position(const CsvText *csv);
// The next byte, or -1.
int tml_csv_peek(CsvText *csv);
// Whether a line with cells follows. False at the end, and after a message about a blank line
// before it.
bool tml_csv_at_row(CsvText *csv);

// Cuts the next cell out as a token; the separator stays. False when anything has failed so far.
bool tml_csv_read_token(CsvText *csv);
// After a cell: takes what separates it from the next. False when it is the last of its line.
bool tml_csv_take_separator(CsvText *csv);
// Stores the token as a scalar of the type, or keeps a message that it is none; `column` is for the
// message and may be NULL.
void tml_csv_store_token(CsvText *csv, const tml_type *type, const Column *column, char *place);
// All three for the next cell, fast for plain numbers. Returns as tml_csv_take_separator.
bool tml_csv_read_scalar(CsvText *csv, const tml_type *type, const Column *column, char *place);

#endif
