// What a simulation's --help prints.
#ifndef TML_RUNTIME_MODEL_HELP_H
#define TML_RUNTIME_MODEL_HELP_H

#include "runtime/model.h"
#include "runtime/writer.h"

void model_help(Writer *out, const tml_model *model, const char *command);

#endif
