// See project.h.
#include "support/project.h"

#include "support/file.h"
#include "support/path.h"
#include "support/system.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// The folder of a file, without links and with a slash at its end.
static const char *folder_of(Arena *arena, const char *path) {
    size_t len = strcmp(path, "-") == 0 ? 0 : path_folder(path);
    const char *written = len == 0 ? "." : arena_copy_text(arena, path, len);
    const char *real = system_real_path(arena, written);
    return real == NULL ? NULL : arena_format(arena, "%s/", real);
}

// The nearest file of a project from `folder` upwards, if it is only a link that leads nowhere;
// NULL when there is none.
static const char *find(Arena *arena, const char *folder) {
    struct stat status;
    char *at = arena_copy_text(arena, folder, strlen(folder));
    for (;;) {
        const char *path = arena_format(arena, "%s" PROJECT_FILE, at);
        if (lstat(path, &status) == 0) {
            return path;
        }
        bool is_top = access(arena_format(arena, "%s.git", at), F_OK) == 0;
        size_t len = strlen(at);
        while (len > 0 && at[len - 1] == '/') {
            len--;
        }
        at[len] = '\0';
        at[path_folder(at)] = '\0';
        if (is_top || at[0] == '\0') {
            return NULL;
        }
    }
}

// Appends the place of byte `at` of the text.
static void place_of_byte(const Project *project, size_t at, Buffer *out) {
    size_t line = 1, column = 1;
    for (size_t i = 0; i < at; i++) {
        bool is_end = project->text[i] == '\n';
        line += is_end;
        column = is_end ? 1 : column + (((unsigned char)project->text[i] & 0xC0) != 0x80);
    }
    buffer_format(out, "%s:%zu:%zu: ", project->path, line, column);
}

// Appends the place of a text in the file, as it is mostly written; else of the file's start.
static void place_of_text(const Project *project, const char *text, Buffer *out) {
    Buffer quoted = {0};
    buffer_format(&quoted, "\"%s\"", text);
    const char *found = strstr(project->text, quoted.data);
    place_of_byte(project, found == NULL ? 0 : (size_t)(found - project->text), out);
    buffer_free(&quoted);
}

void project_place(const Project *project, size_t option, Buffer *out) {
    place_of_text(project, project->options.items[option], out);
}

static bool take_options(Arena *arena, Project *project, const json_t *root, Buffer *error) {
    const char *key;
    json_t *value;
    if (!json_is_object(root)) {
        place_of_byte(project, 0, error);
        buffer_text(error, "a project is an object: {\"options\": [...]}");
        return false;
    }
    json_object_foreach((json_t *)root, key, value) {
        if (strcmp(key, "options") != 0 || !json_is_array(value)) {
            place_of_text(project, key, error);
            buffer_format(error,
                          strcmp(key, "options") == 0 ? "`%s` is a list of texts"
                                                      : "a project has no `%s`",
                          key);
            return false;
        }
        for (size_t i = 0; i < json_array_size(value); i++) {
            const char *text = json_string_value(json_array_get(value, i));
            if (text == NULL) {
                place_of_text(project, key, error);
                buffer_format(error, "option %zu is no text", i + 1);
                return false;
            }
            const char *option = arena_copy_text(arena, text, strlen(text));
            LIST_PUSH(arena, &project->options, option);
        }
    }
    return true;
}

bool project_read(Arena *arena, const char *path, Project *project, Buffer *error) {
    *project = (Project){0};
    const char *folder = folder_of(arena, path);
    project->path = folder == NULL ? NULL : find(arena, folder);
    if (project->path == NULL) {
        return true;
    }
    char *text = NULL;
    size_t len = 0;
    const char *why = NULL;
    struct stat status;
    bool is_pipe =
        stat(project->path, &status) == 0 && S_ISFIFO(status.st_mode); // nobody may write
    if (is_pipe || !file_read(project->path, &text, &len, &why)) {
        why = is_pipe ? "it is a pipe" : why;
        buffer_format(error, "cannot read `%s`: %s", project->path, why);
        return false;
    }
    project->text = arena_copy_text(arena, text, len);
    json_error_t wrong;
    json_t *root = json_loadb(text, len, JSON_REJECT_DUPLICATES, &wrong);
    free(text);
    if (root == NULL) {
        place_of_byte(project, (size_t)wrong.position, error);
        buffer_text(error, wrong.text);
        return false;
    }
    bool is_good = take_options(arena, project, root, error);
    json_decref(root);
    return is_good;
}
