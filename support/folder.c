// See folder.h. A path is no longer than the system takes, which bounds the recursion.
#include "support/folder.h"

#include "support/memory.h"
#include "support/path.h"
#include "support/suggest.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool walk(const char *folder, const FolderVisitor *visitor);

static void fail(const FolderVisitor *visitor, const char *path) {
    if (visitor->fail != NULL) {
        visitor->fail(visitor->data, path, strerror(errno));
    }
}

static bool visit(const char *path, const FolderVisitor *visitor) {
    struct stat status;
    if (lstat(path, &status) != 0) {
        fail(visitor, path);
        return true;
    }
    if (S_ISDIR(status.st_mode)) {
        return walk(path, visitor);
    }
    bool is_source = S_ISREG(status.st_mode) && strcmp(path_suffix(path), ".tml") == 0;
    return !is_source || visitor->take(visitor->data, path);
}

static bool visit_entry(const char *folder, const char *name, const FolderVisitor *visitor) {
    size_t len = strlen(folder);
    const char *slash = len > 0 && folder[len - 1] == '/' ? "" : "/";
    size_t size = len + strlen(name) + 2;
    char *path = memory_resize(NULL, size);
    snprintf(path, size, "%s%s%s", folder, slash, name);
    bool goes_on = visit(path, visitor);
    free(path);
    return goes_on;
}

static int is_shown(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

// False when the walk is over.
static bool walk(const char *folder, const FolderVisitor *visitor) {
    struct dirent **entries;
    int count = scandir(folder, &entries, is_shown, alphasort);
    if (count < 0) {
        if (errno == ENOMEM) {
            memory_failed();
        }
        fail(visitor, folder);
        return true;
    }
    bool goes_on = true;
    for (int i = 0; i < count; i++) {
        goes_on = goes_on && visit_entry(folder, entries[i]->d_name, visitor);
        free(entries[i]);
    }
    free(entries);
    return goes_on;
}

void folder_walk(const char *folder, const FolderVisitor *visitor) {
    walk(folder, visitor);
}

static int is_source(const struct dirent *entry) {
    return is_shown(entry) && strcmp(path_suffix(entry->d_name), ".tml") == 0;
}

const char *folder_nearest(Arena *arena, const char *path) {
    size_t len = path_folder(path);
    const char *folder = len == 0 ? "." : arena_copy_text(arena, path, len);
    const char *base = path_base(path);
    struct dirent **entries;
    int count = scandir(folder, &entries, is_source, alphasort);
    if (count < 0) {
        return NULL;
    }
    const char *wrong = arena_copy_text(arena, base, (size_t)(path_suffix(base) - base));
    const char *same = NULL;
    Suggestion suggestion = suggestion_for_word(wrong, strlen(wrong));
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        if (strcmp(name, base) != 0) {
            const char *stem = arena_copy_text(arena, name, strlen(name) - strlen(".tml"));
            suggestion_try(&suggestion, stem);
            same = strcmp(stem, wrong) == 0 ? stem : same;
        }
        free(entries[i]);
    }
    free(entries);
    const char *nearest = same != NULL ? same : suggestion.nearest;
    return nearest == NULL ? NULL : arena_format(arena, "%s.tml", nearest);
}
