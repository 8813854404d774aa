// See new.h. The files are those of driver/new/, with the name in place of @NAME@; the compiler has
// them inside.
#include "driver/new.h"

#include "codegen/unit/layout.h"
#include "driver/describe/header.h"
#include "support/staged.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Template {
    const char *path; // in the folder; NULL: NAME.tml
    const char *text;
} Template;

static const char component_text[] = {
#include "new_component.inc"
    '\0'};
static const char input_text[] = {
#include "new_input.inc"
    '\0'};
static const char host_text[] = {
#include "new_host.inc"
    '\0'};
static const char lists_text[] = {
#include "new_CMakeLists.inc"
    '\0'};
static const char readme_text[] = {
#include "new_README.inc"
    '\0'};

static const Template templates[] = {{NULL, component_text},
                                     {"input.csv", input_text},
                                     {"host.c", host_text},
                                     {"CMakeLists.txt", lists_text},
                                     {"README.md", readme_text}};

enum { TEMPLATE_COUNT = sizeof templates / sizeof templates[0] };

static void fill(Buffer *out, const char *text, const char *name) {
    static const char mark[] = "@NAME@";
    for (const char *found; (found = strstr(text, mark)) != NULL; text = found + strlen(mark)) {
        buffer_append(out, text, (size_t)(found - text));
        buffer_text(out, name);
    }
    buffer_text(out, text);
}

static void print_path(Buffer *out, const char *name, const char *path) {
    buffer_format(out, "%s/%s%s", name, path == NULL ? name : path, path == NULL ? ".tml" : "");
}

// Fills the folder, which is empty. False with *error.
static bool write_files(const char *name, const char **error) {
    StagedFile files[TEMPLATE_COUNT];
    Buffer paths[TEMPLATE_COUNT] = {0};
    size_t count = 0;
    bool good = true;
    for (; good && count < TEMPLATE_COUNT; count += good) {
        Buffer text = {0};
        fill(&text, templates[count].text, name);
        print_path(&paths[count], name, templates[count].path);
        good = staged_create(&files[count], paths[count].data, text.data, text.len, error);
        buffer_free(&text);
    }
    size_t failed = 0;
    if (good) {
        good = staged_commit(files, count, &failed, error);
    } else {
        for (size_t k = 0; k < count; k++) {
            staged_discard(&files[k]);
        }
    }
    for (size_t k = 0; k < TEMPLATE_COUNT; k++) {
        buffer_free(&paths[k]);
    }
    return good;
}

// Names of the model in C begin with it, and those of the runtime with `tml`.
static bool is_name(const char *name) {
    return layout_is_name(name) && strcmp(name, "tml") != 0;
}

static bool has_header_of_c(const char *name) {
    Buffer header = {0};
    buffer_format(&header, "%s.h", name);
    bool is_one = header_hides_one_of_c(header.data);
    buffer_free(&header);
    return is_one;
}

// Of targets that CMake has in every project (its policy CMP0037).
static bool is_target_of_cmake(const char *name) {
    static const char *const targets[] = {
        "all",        "ALL_BUILD", "help",       "install",        "INSTALL",
        "preinstall", "clean",     "edit_cache", "rebuild_cache",  "test",
        "RUN_TESTS",  "package",   "PACKAGE",    "package_source", "ZERO_CHECK",
    };
    for (size_t k = 0; k < sizeof targets / sizeof targets[0]; k++) {
        if (strcmp(targets[k], name) == 0) {
            return true;
        }
    }
    return false;
}

static ExitStatus make_folder(const char *name, Buffer *out) {
    if (mkdir(name, 0777) != 0) {
        bool exists = errno == EEXIST;
        buffer_format(out, "cannot make `%s`: %s", name,
                      exists ? "it is there already" : strerror(errno));
        return exists ? EXIT_USAGE : EXIT_WORLD;
    }
    const char *error = NULL;
    if (!write_files(name, &error)) {
        rmdir(name);
        buffer_format(out, "cannot fill `%s`: %s", name, error);
        return EXIT_WORLD;
    }
    buffer_format(out, "made %s; its README.md says how to build and run it, first:\n", name);
    buffer_format(out, "  cd %s && tmlc %s.tml -o %s && ./%s --in input.csv\n", name, name, name,
                  name);
    return EXIT_OK;
}

ExitStatus new_project(const char *name, Buffer *out) {
    if (!is_name(name)) {
        buffer_format(out,
                      "`new` takes a name of letters, digits and `_`, which begins what it is "
                      "called in C, not `%s`",
                      name);
        return EXIT_USAGE;
    }
    if (has_header_of_c(name)) {
        buffer_format(out, "the header of `%s` would be called as one of C; give another name",
                      name);
        return EXIT_USAGE;
    }
    if (is_target_of_cmake(name)) {
        buffer_format(out, "CMake has a target `%s` of its own; give another name", name);
        return EXIT_USAGE;
    }
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before); // a signal would leave an empty folder
    ExitStatus status = make_folder(name, out);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return status;
}
