// The sources below a folder.
#ifndef TMLC_SUPPORT_FOLDER_H
#define TMLC_SUPPORT_FOLDER_H

#include "support/arena.h"

#include <stdbool.h>

typedef struct FolderVisitor {
    // Takes a file; false ends the walk.
    bool (*take)(void *data, const char *path);
    // A folder, or what lies in one, that cannot be read, and why. NULL: nobody asks.
    void (*fail)(void *data, const char *path, const char *why);
    void *data;
} FolderVisitor;

// Shows all `*.tml` below `folder`, by their names in each folder. Hidden files and folders and
// links are left out.
void folder_walk(const char *folder, const FolderVisitor *visitor);

// The name of the source nearest to that of `path` in the folder where it would lie; NULL when none
// is near. A lacking suffix is no difference.
const char *folder_nearest(Arena *arena, const char *path);

#endif
