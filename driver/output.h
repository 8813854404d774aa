// Writes what was compiled: text, objects and executables, each whole or not at all.
#ifndef TMLC_DRIVER_OUTPUT_H
#define TMLC_DRIVER_OUTPUT_H

#include "driver/compile.h"
#include "driver/options.h"

// Writes every kind that the options ask for. What fails goes to compilation->error: mistakes in
// the program text have been found before.
ExitStatus output_write(Compilation *compilation, const Options *options);

// Writes all of data[0..len) to standard output. A full disk is EXIT_WORLD and *error a static
// text; so is a pipe whose reader has read enough, with nothing to say: *error is NULL.
ExitStatus output_print(const char *data, size_t len, const char **error);

#endif
