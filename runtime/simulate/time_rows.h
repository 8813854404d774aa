// The rows of a CSV file taken by time: step k has those at k * dt. Rows are a step early or late
// when they are so by less than a billionth of a step.
#ifndef TML_RUNTIME_SIMULATE_TIME_ROWS_H
#define TML_RUNTIME_SIMULATE_TIME_ROWS_H

#include "runtime/file/csv_rows.h"

typedef struct TimeRows TimeRows;

// One of the columns of `csv` is a real scalar called `time`, stored behind a struct of inputs of
// `bytes`; rows have tml_time_rows_stride(bytes). The others hold their values until the next row,
// or real ones go to it on a line. NULL without memory.
TimeRows *tml_time_rows_open(CsvRows *csv, const tml_variable *time, size_t bytes, double dt,
                             bool interpolate);
// Begins with this step instead of step 0.
void tml_time_rows_start(TimeRows *rows, uint64_t step);
void tml_time_rows_close(TimeRows *rows); // which may be NULL; `csv` stays
size_t tml_time_rows_stride(size_t bytes);

// As tml_source_read; the file ends with the last step that is not after its last row.
size_t tml_time_rows_read(TimeRows *rows, size_t limit, bool all, char *inputs);

#endif
