// The first line of a CSV file of steps, or of the properties of runs, which names its columns.
#ifndef TML_RUNTIME_FILE_CSV_HEADER_H
#define TML_RUNTIME_FILE_CSV_HEADER_H

#include "runtime/file/csv_text.h"
#include "runtime/simulate/columns.h"

// What is done with columns that are not asked for.
typedef struct OtherColumns {
    const tml_model *model; // those of its other inputs are passed over
    bool refused;           // the first of those that no input has is wrong
    bool noted;             // otherwise: a note lists them
    bool picked;            // the columns were named on the command line
    bool may_lack_defaults; // columns of inputs with a default may be missing
} OtherColumns;

// Reads the line, which names each of `columns` once, in any order, an input with a default whole
// or not at all, and puts in their place those of the file in its order; other ones have no
// terminal there. False with a message kept; `columns` are still to be freed.
bool tml_csv_read_header(CsvText *csv, Columns *columns, OtherColumns others);

#endif
