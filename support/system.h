// What only some systems have: system.c where there are processes and links, wasi.c where a module
// of WebAssembly has neither.
#ifndef TMLC_SUPPORT_SYSTEM_H
#define TMLC_SUPPORT_SYSTEM_H

#include "support/arena.h"

#include <stdbool.h>

// The absolute path of an existing file, without links; NULL where there is none.
const char *system_real_path(Arena *arena, const char *path);
// Whether there is a process with this number, as far as can be told.
bool system_has_process(long id);
// From now on a pipe that nobody reads is a write that fails.
void system_ignore_closed_pipes(void);

#endif
