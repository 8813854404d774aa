// What --help prints.
#ifndef TML_RUNTIME_RUN_HELP_H
#define TML_RUNTIME_RUN_HELP_H

#include "runtime/file/writer.h"
#include "runtime/run/options.h"

void tml_help_write(Writer *out, const Options *options);

#endif
