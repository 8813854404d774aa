// The options that all files of a project have: `tmlc.json` in the folder of a file, or above it.
//
//   {"options": ["--real=f32", "-Dn.dt=0.01"]}
#ifndef TMLC_SUPPORT_PROJECT_H
#define TMLC_SUPPORT_PROJECT_H

#include "support/arena.h"
#include "support/buffer.h"

#include <stdbool.h>

#define PROJECT_FILE "tmlc.json"

typedef struct Project {
    const char *path; // NULL: there is none
    TextList options;
    const char *text; // of the file
} Project;

// Finds and reads the project of the file at `path`, which need not exist; "-" lies in the present
// folder. The search ends at the folder that holds `.git`. False when it cannot be read or is not
// as above: *error says so, with its place. Texts are from the arena.
__attribute__((warn_unused_result)) bool project_read(Arena *arena, const char *path,
                                                      Project *project, Buffer *error);
// Appends `FILE:LINE:COLUMN: ` of an option.
void project_place(const Project *project, size_t option, Buffer *out);

#endif
