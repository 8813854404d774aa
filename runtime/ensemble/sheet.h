// Results of all runs as a table: CSV, or NumPy's .npy.
#ifndef TML_RUNTIME_ENSEMBLE_SHEET_H
#define TML_RUNTIME_ENSEMBLE_SHEET_H

#include "runtime/ensemble/table.h"

// Writes what an --out asks for, or all to standard output (`output` is NULL), whole or not at all.
// False after saying what is wrong.
bool tml_sheet_write(const Table *table, const Binding *output);
// Before the first run: whether the file has room for the names of all that it holds.
bool tml_sheet_fits(const Plan *plan, const Binding *output);

#endif
