// The command line of a produced program.
#ifndef TML_RUNTIME_RUN_OPTIONS_H
#define TML_RUNTIME_RUN_OPTIONS_H

#include "runtime/run/host.h"

typedef enum OptionsResult { OPTIONS_RUN, OPTIONS_HELP, OPTIONS_WRONG } OptionsResult;

// Reads argv[1..argc) into host->files. Every input port needs a file. OPTIONS_WRONG after saying
// what is wrong on standard error.
OptionsResult tml_options_parse(tml_host *host, int argc, char **argv);
// What --help prints.
void tml_options_help(tml_host *host);

#endif
