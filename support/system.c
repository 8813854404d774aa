// See system.h.
#include "support/system.h"

#include "support/memory.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

const char *system_real_path(Arena *arena, const char *path) {
    char *real = realpath(path, NULL);
    if (real == NULL && errno == ENOMEM) {
        memory_failed();
    }
    const char *result = real == NULL ? NULL : arena_copy_text(arena, real, strlen(real));
    free(real);
    return result;
}

bool system_has_process(long id) {
    return kill((pid_t)id, 0) == 0 || errno != ESRCH;
}

void system_ignore_closed_pipes(void) {
    signal(SIGPIPE, SIG_IGN);
}
