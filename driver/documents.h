// The documents that are installed with the program.
#ifndef TMLC_DRIVER_DOCUMENTS_H
#define TMLC_DRIVER_DOCUMENTS_H

#include "support/arena.h"

// The folder of the pages, with a slash at its end; NULL where the program is not installed with
// them.
const char *documents_folder(Arena *arena);

#endif
