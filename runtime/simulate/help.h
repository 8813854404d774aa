// What a simulation's --help prints.
#ifndef TML_RUNTIME_SIMULATE_HELP_H
#define TML_RUNTIME_SIMULATE_HELP_H

#include "runtime/abi/model.h"
#include "runtime/file/writer.h"

void model_help(Writer *out, const tml_model *model, const char *command);

#endif
