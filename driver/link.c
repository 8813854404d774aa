// Linking through the system's C compiler. The runtime is found relative to this program's own
// file, so a tree that was installed or moved keeps working.
#include "driver/link.h"

#include "driver/command.h"

#include <string.h>
#include <unistd.h>

// Where the runtime's archives stand, seen from the folder of the tmlc binary: installed, and in
// the build tree.
static const char *const runtime_folders[] = {"../lib/tmlc", "../runtime"};

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

// An object exports its table under a name of its own; the main knows one name.
static void add_runtime(Arena *arena, SystemCommand *command, const char *runtime,
                        const char *model) {
    command_add(arena, command, arena_format(arena, "-Wl,--defsym=tml_model_descriptor=%s", model));
    command_add(arena, command, arena_format(arena, "%s/libtmlmain.a", runtime));
    command_add(arena, command, arena_format(arena, "%s/libtmlrt.a", runtime));
}

bool link_object(Arena *arena, const char *object, const char *output, const LinkOptions *options,
                 const char **error) {
    const char *runtime = options->is_shared ? "" : find_runtime(arena, error);
    if (!runtime) {
        return false;
    }
    SystemCommand command = command_create(arena, "linker", "TMLC_CC", TMLC_DEFAULT_CC);
    if (options->is_shared) {
        command_add(arena, &command, "-shared");
        command_add(arena, &command, "-Wl,-z,text"); // code that needs no relocation
        command_add(arena, &command, "-Wl,--as-needed");
    }
    // Nothing that the loader has written stays writable, whatever the system's default is.
    command_add(arena, &command, "-Wl,-z,relro,-z,now,-z,noexecstack");
    command_add(arena, &command, "-o");
    command_add(arena, &command, output);
    command_add(arena, &command, object);
    if (options->also != NULL) {
        command_add(arena, &command, options->also);
    }
    if (!options->is_shared) {
        add_runtime(arena, &command, runtime, options->model);
    }
    command_add(arena, &command, "-lm");
    if (!options->is_shared) {
        command_add(arena, &command, "-lpthread");
    }
    return command_run(arena, &command, options->verbose, error);
}
