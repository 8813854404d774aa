// A store of many runs: a folder in the format Zarr 2, without compression. Each output, each
// property that varies and the faults (`run.fault`) are an array with a file for some runs that
// follow one another, a chunk. A chunk is written beside its place and renamed, so it is whole or
// not there, and reads as nan then. Processes that make different chunks share nothing but the
// folder.
#ifndef TML_RUNTIME_ENSEMBLE_STORE_H
#define TML_RUNTIME_ENSEMBLE_STORE_H

#include "runtime/ensemble/table.h"

typedef struct Store {
    const Plan *plan;
    char *path;             // without a slash behind it
    uint64_t chunk, chunks; // runs in one, all but the last; how many
    char *name;             // room for a path in the folder
    size_t name_bytes;
} Store;

// Says how the runs are cut into chunks; nothing is made. False after saying what is wrong. Either
// way tml_store_close must follow.
bool tml_store_plan(Store *store, const Plan *plan, const char *path);
// Makes the folder, or checks that the one that is there is of the same runs. False after saying
// what is wrong.
bool tml_store_open(Store *store);
void tml_store_close(Store *store);
// Whether the folder may be changed: a store that is complete is read where it may not.
bool tml_store_is_writable(Store *store);
// Whether all of the chunk is there.
bool tml_store_has(Store *store, uint64_t chunk);
// Writes the chunk from the first rows of the table. False after saying what is wrong.
bool tml_store_write(Store *store, uint64_t chunk, const Table *table);
// Reads the faults of a chunk that is there. False after saying what is wrong.
bool tml_store_read_faults(Store *store, uint64_t chunk, tml_fault *faults);
// The path of a file in the folder, until the next call of any of these functions.
const char *tml_store_file(Store *store, const char *array, const char *file);

static inline uint64_t tml_store_runs(const Store *store, uint64_t chunk) {
    uint64_t left = store->plan->runs - chunk * store->chunk;
    return left < store->chunk ? left : store->chunk;
}

#endif
