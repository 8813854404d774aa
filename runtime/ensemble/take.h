// The options of many runs.
#ifndef TML_RUNTIME_ENSEMBLE_TAKE_H
#define TML_RUNTIME_ENSEMBLE_TAKE_H

#include "runtime/run/options.h"

// Each takes the value of its option. False after saying what is wrong.
bool tml_take_runs(Options *options, const char *text);
bool tml_take_params(Options *options, const char *path);
bool tml_take_sample(Options *options, const char *text);
bool tml_take_seed(Options *options, const char *text);
bool tml_take_threads(Options *options, const char *text);
bool tml_take_keep(Options *options, const char *text);
bool tml_take_shard(Options *options, const char *text);
bool tml_take_chunk(Options *options, const char *text);
bool tml_take_strict(Options *options, const char *value);

// After all options: what must hold among them, and the shard that schedulers say.
bool tml_ensemble_settle(Options *options);

#endif
