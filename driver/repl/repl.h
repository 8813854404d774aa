// `tmlc repl`: statements, expressions and commands from a prompt or a pipe (docs/repl.md).
#ifndef TMLC_DRIVER_REPL_REPL_H
#define TMLC_DRIVER_REPL_REPL_H

#include "driver/options.h"

// Loads the files of the command line, then reads entries until the end. From a pipe the status is
// that of the worst entry; at a terminal people have seen their mistakes.
ExitStatus repl_run(const Options *options, RenderOptions render);

#endif
