// What the command line says of many runs.
#ifndef TML_RUNTIME_ENSEMBLE_SETTINGS_H
#define TML_RUNTIME_ENSEMBLE_SETTINGS_H

#include "runtime/batch/batch.h"

#include <stdbool.h>

typedef struct Ensemble {
    const char *given;  // the first of its options on the command line, or NULL
    uint64_t runs;      // of --runs; 0: not given
    const char *params; // the file, or NULL
    size_t sample_count;
    tml_sample *samples; // one for each scalar, from malloc
    uint64_t seed;
    uint64_t threads; // 0: not given
    tml_keep keep;
    uint64_t shard, shards; // from 1; 0: not given
    const char *shard_from; // what has said so, for messages
    uint64_t chunk;         // runs; 0: not given
    bool strict;
} Ensemble;

#endif
