// See documents.h. The program lies in `bin`, its documents in `share/doc/tmlc/docs` beside it.
#include "driver/documents.h"

#include "support/path.h"

#include <limits.h>
#include <unistd.h>

const char *documents_folder(Arena *arena) {
    char self[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
    if (len < 0) {
        return NULL;
    }
    self[len] = '\0';
    self[path_folder(self)] = '\0';
    const char *folder = path_normal(arena, arena_format(arena, "%s../share/doc/tmlc/docs/", self));
    return access(arena_format(arena, "%sdiagnostics.md", folder), R_OK) == 0 ? folder : NULL;
}
