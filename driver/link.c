// Linking through the system's C compiler. The runtime is found relative to this program's own
// file, so a tree that was installed or moved keeps working.
#include "driver/link.h"

#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// Where the runtime's archives stand, seen from the folder of the tmlc binary: installed, and in
// the build tree.
static const char *const runtime_folders[] = {"../lib/tmlc", "../runtime"};

typedef struct Arguments {
    char **items;
    size_t count, capacity;
} Arguments;

static void add_argument(Arena *arena, Arguments *arguments, const char *text) {
    char *copy = arena_copy_text(arena, text, strlen(text));
    LIST_PUSH(arena, arguments, copy);
}

static void add_words(Arena *arena, Arguments *arguments, const char *words) {
    for (const char *word = words; *word;) {
        size_t len = strcspn(word, " ");
        if (len > 0) {
            char *copy = arena_copy_text(arena, word, len);
            LIST_PUSH(arena, arguments, copy);
        }
        word += len + (word[len] == ' ');
    }
}

// The folder with the runtime, or NULL with *error.
static const char *find_runtime(Arena *arena, const char **error) {
    char self[4096];
    ssize_t len = readlink("/proc/self/exe", self, sizeof(self) - 1);
    if (len <= 0) {
        *error = "cannot find the compiler's own file through /proc/self/exe";
        return NULL;
    }
    self[len] = '\0';
    *strrchr(self, '/') = '\0';
    for (size_t i = 0; i < sizeof(runtime_folders) / sizeof(runtime_folders[0]); i++) {
        const char *folder = arena_format(arena, "%s/%s", self, runtime_folders[i]);
        if (access(arena_format(arena, "%s/libtmlrt.a", folder), R_OK) == 0) {
            return folder;
        }
    }
    *error = arena_format(arena, "cannot find the runtime `libtmlrt.a` in `%s/%s` or `%s/%s`", self,
                          runtime_folders[0], self, runtime_folders[1]);
    return NULL;
}

static void print_command(const Arguments *arguments) {
    for (size_t i = 0; i + 1 < arguments->count; i++) {
        fprintf(stderr, "%s%s", i == 0 ? "" : " ", arguments->items[i]);
    }
    fputc('\n', stderr);
}

// Runs a command whose last argument is NULL and waits for it.
static bool run_command(Arena *arena, const Arguments *arguments, const char **error) {
    const char *name = arguments->items[0];
    // The linker gets the default action for SIGPIPE back, which tmlc ignores.
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    pid_t child = 0;
    int failure = posix_spawnp(&child, name, NULL, &attributes, arguments->items, environ);
    posix_spawnattr_destroy(&attributes);
    if (failure != 0) {
        *error = arena_format(arena, "cannot run the linker `%s`: %s", name, strerror(failure));
        return false;
    }
    int status = 0;
    if (waitpid(child, &status, 0) != child) {
        *error = arena_format(arena, "lost the linker `%s`", name);
        return false;
    }
    if (WIFSIGNALED(status)) {
        *error =
            arena_format(arena, "the linker `%s` was ended by signal %d", name, WTERMSIG(status));
        return false;
    }
    if (WEXITSTATUS(status) != 0) {
        *error = arena_format(arena, "the linker `%s` failed with exit status %d", name,
                              WEXITSTATUS(status));
        return false;
    }
    return true;
}

bool link_program(Arena *arena, const char *object, const char *output, bool verbose,
                  const char **error) {
    const char *runtime = find_runtime(arena, error);
    if (!runtime) {
        return false;
    }
    const char *compiler = getenv("TMLC_CC");
    Arguments arguments = {0};
    add_words(arena, &arguments, compiler ? compiler : "");
    if (arguments.count == 0) {
        add_words(arena, &arguments, TMLC_DEFAULT_CC);
    }
    add_argument(arena, &arguments, "-o");
    add_argument(arena, &arguments, output);
    add_argument(arena, &arguments, object);
    add_argument(arena, &arguments, arena_format(arena, "%s/libtmlmain.a", runtime));
    add_argument(arena, &arguments, arena_format(arena, "%s/libtmlrt.a", runtime));
    add_argument(arena, &arguments, "-lm");
    LIST_PUSH(arena, &arguments, NULL);
    if (verbose) {
        print_command(&arguments);
    }
    return run_command(arena, &arguments, error);
}
