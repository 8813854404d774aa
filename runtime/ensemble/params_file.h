// Files of tunable properties: a header that names some of them, and a row for each run.
#ifndef TML_RUNTIME_ENSEMBLE_PARAMS_FILE_H
#define TML_RUNTIME_ENSEMBLE_PARAMS_FILE_H

#include "runtime/run/options.h"

// Reads --params into an array from malloc of structs of parameters, in which properties without a
// column have their value. `runs` is how many are wanted, 0 for all, and becomes how many there
// are; `varies` is set for each variable that has a column. False after saying what is wrong.
bool tml_params_read(const Options *options, char **rows, uint64_t *runs, bool *varies);

#endif
