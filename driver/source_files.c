// See source_files.h.
#include "driver/source_files.h"

#include "sema/library/library.h"
#include "support/file.h"
#include "support/folder.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Found {
    Arena *arena;
    TextList *files;
    ExitStatus status;
} Found;

static bool take_file(void *data, const char *path) {
    const Found *found = data;
    LIST_PUSH(found->arena, found->files, arena_copy_text(found->arena, path, strlen(path)));
    return true;
}

static void tell(void *data, const char *path, const char *why) {
    Found *found = data;
    fprintf(stderr, "tmlc: error: cannot read `%s`: %s\n", path, why);
    found->status = EXIT_WORLD;
}

ExitStatus source_files(Arena *arena, const char *path, TextList *files) {
    struct stat status;
    if (stat(path, &status) == 0 && S_ISDIR(status.st_mode)) {
        Found found = {arena, files, EXIT_OK};
        folder_walk(path, &(FolderVisitor){take_file, tell, &found});
        return found.status;
    }
    LIST_PUSH(arena, files, path);
    return EXIT_OK;
}

bool source_is_file(const SourceFile *source) {
    const char *path = source->path;
    return strcmp(path, "<stdin>") != 0 && strcmp(path, "-D") != 0 && strcmp(path, "--with") != 0 &&
           !library_is_file(source);
}

bool source_files_have(const SourceMap *sources, const SourceFile *but, const char *path) {
    for (uint32_t i = 0; i < sources_count(sources); i++) {
        const SourceFile *source = sources_file(sources, i);
        if (source != but && source_is_file(source) && file_same(source->path, path)) {
            return true;
        }
    }
    return false;
}
