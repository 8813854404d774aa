// What feeds a simulation, row by row: files, and what is computed.
#ifndef TML_RUNTIME_SIMULATE_INPUT_H
#define TML_RUNTIME_SIMULATE_INPUT_H

#include "runtime/file/csv_rows.h"
#include "runtime/file/npy_read.h"
#include "runtime/run/options.h"
#include "runtime/simulate/time_rows.h"

typedef struct Source {
    const char *name; // in messages
    int fd;           // -1: it is no file
    bool waits;       // reading may wait for another process: what there is goes on at once
    const Wave *wave; // NULL: a file
    CsvRows *csv;     // of CSV; NULL: a .npy file or a wave
    TimeRows *timed;  // its rows are taken by time; NULL: a row is a step
    NpyReader npy;
    const tml_variable *terminal; // of a .npy file or a wave
    tml_variable renamed;         // the terminal under the name that its column has
    tml_variable time;            // the column of --time
    size_t stride;                // of the inputs
    double dt;
    uint64_t step; // that a wave gives next
} Source;

// Opens the file and reads its header. False after saying what is wrong.
bool tml_source_open(Source *source, const Options *options, const Binding *binding);
void tml_source_close(Source *source);
// Sources that depend on the time of a step begin with this one. Before any is read.
void tml_source_start(Source *source, uint64_t step);

// Stores how many rows the file has if that is known. A wave never ends.
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
