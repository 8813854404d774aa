// The command `tmlc fmt`: files in the layout of format/format.h.
#ifndef TMLC_DRIVER_FORMAT_H
#define TMLC_DRIVER_FORMAT_H

#include "driver/options.h"
#include "runtime/abi/exit_status.h"

// Brings files, and all `.tml` files in folders, into their layout; without any, standard input to
// standard output. Says on standard error what went wrong. With --check EXIT_ERRORS when a file is
// not in its layout, without when one does not parse.
ExitStatus format_inputs(const Options *options, RenderOptions render);

#endif
