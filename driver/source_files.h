// The files that a command is to work on, and those that a compilation has read.
#ifndef TMLC_DRIVER_SOURCE_FILES_H
#define TMLC_DRIVER_SOURCE_FILES_H

#include "driver/compile.h"

// Appends the path, or, of a folder, all `.tml` files below it in the order of their names; what is
// hidden, by a dot, stays so. What cannot be read is said on standard error: then it is EXIT_WORLD.
ExitStatus source_files(Arena *arena, const char *path, TextList *files);

// False of standard input, the texts of options and the library, which are sources too.
bool source_is_file(const SourceFile *source);
// Whether the file at `path` is one that was read: by any name, or by a link. `but` is left out,
// and may be NULL.
bool source_files_have(const SourceMap *sources, const SourceFile *but, const char *path);

#endif
