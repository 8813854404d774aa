// What system.c, stack.c and cleanup.c have, for WebAssembly: one thread, no signals, no links that
// could be told from files, and no other process. Nothing is written there, so nothing is staged.
#include "support/cleanup.h"
#include "support/path.h"
#include "support/stack.h"
#include "support/system.h"

void stack_run(void (*run)(void *data), void *data) {
    run(data);
}

void stack_watch(void) {}

// The stack lies below everything else (--stack-first), down to address 0.
size_t stack_room(void) {
    return (size_t)__builtin_frame_address(0);
}

// The engine has a stack of its own, which cannot be asked about.
uintptr_t stack_floor(void) {
    enum { SHARE = 4 };
    return (uintptr_t)__builtin_frame_address(0) - stack_room() / SHARE;
}

void cleanup_run(void) {}

const char *system_real_path(Arena *arena, const char *path) {
    char folder[PATH_MAX];
    if (access(path, F_OK) != 0) {
        return NULL;
    }
    if (path[0] == '/' || getcwd(folder, sizeof(folder)) == NULL) {
        return path_normal(arena, path);
    }
    return path_normal(arena, arena_format(arena, "%s/%s", folder, path));
}

bool system_has_process(long id) {
    (void)id;
    return true;
}

void system_ignore_closed_pipes(void) {}
