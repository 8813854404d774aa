// The files that feed a simulation, read row by row.
#ifndef TML_RUNTIME_SIMULATE_INPUT_H
#define TML_RUNTIME_SIMULATE_INPUT_H

#include "runtime/file/csv_rows.h"
#include "runtime/file/npy_read.h"
#include "runtime/run/options.h"

// One file.
typedef struct Source {
    const char *name; // in messages
    int fd;
    bool waits;   // reading may wait for another process: what there is goes on at once
    CsvRows *csv; // NULL: the file is .npy
    NpyReader npy;
    size_t offset; // of the terminal of a .npy file, in the inputs
} Source;

// Opens the file and reads its header. False after saying what is wrong.
bool tml_source_open(Source *source, const Options *options, const Binding *binding);
void tml_source_close(Source *source);

// Stores how many rows the file has if that is known.
bool tml_source_row_count(const Source *source, uint64_t *count);
// Reads up to `limit` rows into an array of inputs structs and returns how many: fewer at the end
// of the file, before a row that is wrong, and, unless `all`, when more would have to be waited
// for; at least one if there is one.
size_t tml_source_read(Source *source, size_t limit, bool all, char *inputs);
// Says why tml_source_read stopped short when the file is wrong or cannot be read. False when the
// file is right and has ended.
bool tml_source_report_failure(const Source *source);
// Where the file ends: "NAME:LINE:COLUMN" or "NAME", for messages. Returns `text`.
enum { SOURCE_PLACE_BYTES = 512 };
const char *tml_source_place(const Source *source, char text[SOURCE_PLACE_BYTES]);

#endif
