// The files that a simulation writes, row by row.
//
// They are written in place, so that rows can be read while the model runs. A regular file always
// holds whole rows: writes end with rows (unless one is larger than the buffer), what a failed
// write leaves of a row is cut off again, and the header of a .npy file counts the rows that are
// there.
#ifndef TML_RUNTIME_SIMULATE_OUTPUT_H
#define TML_RUNTIME_SIMULATE_OUTPUT_H

#include "runtime/run/options.h"
#include "runtime/run/progress.h"
#include "runtime/simulate/columns.h"

#include <sys/types.h>

// Bytes that follow one another in a row of a .npy file and where they come from.
typedef struct Field {
    Place place;
    size_t offset, bytes;
} Field;

typedef struct Sink {
    const tml_model *model;
    const char *command;
    const char *path;             // NULL for standard output
    const tml_variable *terminal; // whose type the rows of a .npy file have; NULL: they are records
    Progress *progress;           // ended before anything is said; may be NULL
    int fd;                       // -1 before tml_sink_open
    bool regular, npy;
    bool has_state;        // some columns are of the state
    bool created, started; // the file; by tml_sink_start
    bool failed;
    Columns columns;     // of CSV and of records; from malloc
    Field *fields;       // of .npy
    size_t field_count;  // of .npy
    size_t header_bytes; // of .npy
    size_t row_bytes;    // of .npy
    off_t start;         // where in a regular file our first byte stands,
    off_t written;       // the next one will,
    off_t whole;         // and the last whole row that was written ends
    size_t used;         // bytes in the buffer
    size_t row_end;      // of them, up to the last whole row
    char *buffer;
} Sink;

// Gets what is needed without touching the file; the columns are the sink's from now on. A .npy
// file holds the `terminal`'s values, or without one records with a field for each variable. The
// functions that return bool say what failed before they return false, each sink at most once.
bool tml_sink_prepare(Sink *sink, const Options *options, const char *path,
                      const tml_variable *terminal, Columns columns);
// Creates or opens the file, which keeps what it has until tml_sink_start.
bool tml_sink_open(Sink *sink);
// Empties the file and writes its header.
bool tml_sink_start(Sink *sink);
// Writes the steps first, first + every, ... of those before `end`.
bool tml_sink_write(Sink *sink, const Rows *rows, size_t first, size_t end, size_t every);
// Hands all whole rows to the system.
bool tml_sink_flush(Sink *sink);
// Flushes and closes, and removes a file that was created and never started.
bool tml_sink_close(Sink *sink);

#endif
