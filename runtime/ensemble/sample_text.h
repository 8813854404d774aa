// Random properties as the command line has them: `r~uniform(0.9, 1.1)`, `gain[1]~normal(2, 0.1)`.
#ifndef TML_RUNTIME_ENSEMBLE_SAMPLE_TEXT_H
#define TML_RUNTIME_ENSEMBLE_SAMPLE_TEXT_H

#include "runtime/run/options.h"

// Adds what an argument of --sample says: the scalar that it names, or all of the property. False
// after saying what is wrong.
bool tml_sample_add(Options *options, const char *text);

// "uniform", and so on.
extern const char *const tml_distribution_names[3];

#endif
