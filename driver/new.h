// `tmlc new NAME`: a component to begin with, and what builds and runs it.
#ifndef TMLC_DRIVER_NEW_H
#define TMLC_DRIVER_NEW_H

#include "runtime/abi/exit_status.h"
#include "support/buffer.h"

// Makes the folder `name` with all its files, or nothing. *out takes what comes next, or what is
// wrong, one line without a newline.
ExitStatus new_project(const char *name, Buffer *out);

#endif
