// The files that are removed when the process ends before they have got their names.
#ifndef TMLC_SUPPORT_CLEANUP_H
#define TMLC_SUPPORT_CLEANUP_H

#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/types.h>
#include <unistd.h>

enum { CLEANUP_FREE = 0, CLEANUP_CLAIMED, CLEANUP_READY };

typedef struct CleanupSlot {
    atomic_int state; // the file is removed while it is CLEANUP_READY
    pid_t owner;      // a forked child must not remove its parent's files
    char path[PATH_MAX];
} CleanupSlot;

// A slot that nobody else has, to be filled and made ready; NULL when all are in use.
CleanupSlot *cleanup_claim(void);
// The ready slot of a path.
CleanupSlot *cleanup_find(const char *path);
// Signals that end the process wait until the mask is set back to *old.
void cleanup_block_signals(sigset_t *old);
// Removes the files now: for ways to end that run no atexit function. Safe in a signal handler.
void cleanup_run(void);

#endif
