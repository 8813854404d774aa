// The first line of a CSV file of steps, which names its columns.
#ifndef TML_RUNTIME_FILE_CSV_HEADER_H
#define TML_RUNTIME_FILE_CSV_HEADER_H

#include "runtime/file/csv_text.h"
#include "runtime/simulate/columns.h"

// Reads the line, which names each of `columns` once, in any order, and puts in their place those
// of the file in its order. Columns with other names have no terminal there: a note lists them, or,
// when `strict`, the first is wrong. False with a message kept; `columns` are still to be freed.
bool tml_csv_read_header(CsvText *csv, Columns *columns, bool strict);

#endif
