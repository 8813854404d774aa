// The files that a command is to work on.
#ifndef TMLC_DRIVER_SOURCE_FILES_H
#define TMLC_DRIVER_SOURCE_FILES_H

#include "driver/compile.h"

// Appends the path, or, of a folder, all `.tml` files below it in the order of their names; what is
// hidden, by a dot, stays so. What cannot be read is said on standard error: then it is EXIT_WORLD.
ExitStatus source_files(Arena *arena, const char *path, TextList *files);

#endif
