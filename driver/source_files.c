// See source_files.h.
#include "driver/source_files.h"

#include "support/path.h"

#include <errno.h>
#include <fts.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static ExitStatus fail(const char *path, const char *why) {
    fprintf(stderr, "tmlc: error: cannot read `%s`: %s\n", path, why);
    return EXIT_WORLD;
}

static int by_name(const FTSENT **a, const FTSENT **b) {
    return strcmp((*a)->fts_name, (*b)->fts_name);
}

static ExitStatus walk_folder(Arena *arena, const char *path, TextList *files) {
    ExitStatus status = EXIT_OK;
    char *const roots[] = {arena_copy_text(arena, path, strlen(path)), NULL};
    FTS *walk = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, by_name);
    for (FTSENT *entry; walk != NULL && (entry = fts_read(walk)) != NULL;) {
        bool is_hidden = entry->fts_level > 0 && entry->fts_name[0] == '.';
        if (entry->fts_info == FTS_D && is_hidden) {
            fts_set(walk, entry, FTS_SKIP);
        } else if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR) {
            status = fail(entry->fts_path, strerror(entry->fts_errno));
        } else if (entry->fts_info == FTS_F && !is_hidden &&
                   strcmp(path_suffix(entry->fts_name), ".tml") == 0) {
            const char *file = arena_copy_text(arena, entry->fts_path, entry->fts_pathlen);
            LIST_PUSH(arena, files, file);
        }
    }
    return walk == NULL || fts_close(walk) != 0 ? fail(path, strerror(errno)) : status;
}

ExitStatus source_files(Arena *arena, const char *path, TextList *files) {
    struct stat status;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        return walk_folder(arena, path, files);
    }
    LIST_PUSH(arena, files, path);
    return EXIT_OK;
}
