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

static void add_fmi(Arena *arena, SystemCommand *command, const char *runtime,
                    const LinkOptions *options) {
    const LinkFmi *fmi = &options->fmi;
    command_add(arena, command, "-s");
    command_add(arena, command, "-Wl,-Bsymbolic"); // its own functions, whatever else is loaded
    if (!fmi->is_source) {
        command_add(arena, command, options->also);
        command_add(arena, command, "-Wl,--whole-archive");
        command_add(arena, command, arena_format(arena, "%s/libtmlfmi%u.a", runtime, fmi->version));
        command_add(arena, command, "-Wl,--no-whole-archive");
        return;
    }
    command_add(arena, command, arena_format(arena, "-Wl,--defsym=%s=%s", fmi->table, fmi->model));
    static const char *const words[] = {"-O2", "-fPIC", "-fvisibility=hidden", "-xc"};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        command_add(arena, command, words[i]);
    }
    command_add(arena, command, options->also);
    command_add(arena, command, "-xnone");
}

bool link_object(Arena *arena, const char *object, const char *output, const LinkOptions *options,
                 const char **error) {
    const LinkFmi *fmi = &options->fmi;
    bool needs_runtime =
        !options->is_shared || options->is_program || (fmi->version > 0 && !fmi->is_source);
    const char *runtime = needs_runtime ? find_runtime(arena, error) : "";
    if (!runtime) {
        return false;
    }
    SystemCommand command = fmi->is_source
                                ? command_create(arena, "compiler", fmi->variable, fmi->compiler)
                                : command_create(arena, "linker", "TMLC_CC", TMLC_DEFAULT_CC);
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
    if (fmi->version > 0) {
        add_fmi(arena, &command, runtime, options);
    } else if (options->also != NULL) {
        command_add(arena, &command, options->also);
    }
    if (!options->is_shared) {
        add_runtime(arena, &command, runtime, options->model);
    } else if (options->is_program) {
        command_add(arena, &command, arena_format(arena, "%s/libtmlrt.a", runtime));
        command_add(arena, &command, "-Wl,--exclude-libs,ALL"); // it stays the library's own
    }
    command_add(arena, &command, "-lm");
    if (!options->is_shared || options->is_program) {
        command_add(arena, &command, "-lpthread");
    }
    return command_run(arena, &command, options->verbose, error);
}
