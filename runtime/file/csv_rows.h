// A CSV file with a header and one row per step: RFC 4180 with LF or CRLF, an optional byte order
// mark, white space around cells, and blank lines at the end.
#ifndef TML_RUNTIME_FILE_CSV_ROWS_H
#define TML_RUNTIME_FILE_CSV_ROWS_H

#include "runtime/file/csv_header.h"
#include "runtime/file/text_reader.h"
#include "runtime/simulate/columns.h"

typedef struct CsvRows CsvRows;

// Reads the header (csv_header.h); `columns` are the reader's from now on. `stride` is the distance
// of rows in memory. NULL after saying what is wrong.
CsvRows *tml_csv_rows_open(int fd, const char *name, Columns columns, size_t stride,
                           OtherColumns others);
void tml_csv_rows_close(CsvRows *rows);

// As tml_source_read.
size_t tml_csv_rows_read(CsvRows *rows, size_t limit, bool all, char *inputs);
bool tml_csv_rows_report_failure(const CsvRows *rows);
// Of the byte that is read next.
Position tml_csv_rows_position(CsvRows *rows);
// From now on the place of a scalar's cell in the last row is known.
void tml_csv_rows_watch(CsvRows *rows, const tml_variable *scalar);
Position tml_csv_rows_place(const CsvRows *rows);
// Those of the file; other ones have no terminal.
const Columns *tml_csv_rows_columns(const CsvRows *rows);
// To keep a message about a row that can be read and is wrong.
TextReader *tml_csv_rows_text(CsvRows *rows);
// Whether reading more may wait for another process.
bool tml_csv_rows_would_wait(const CsvRows *rows);

#endif
