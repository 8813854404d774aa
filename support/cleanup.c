// Temporary files must also go when a signal or exit() ends the process; only global data can tell
// a signal handler which these are. Slots are fixed, each claimed and released by one atomic
// operation, so that the handler may read them at any time and threads do not need a lock.
#include "support/cleanup.h"

#include "support/bug.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 16 };

static CleanupSlot slots[SLOTS];

static const int ending_signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE,
                                     SIGTERM, SIGABRT, SIGXCPU, SIGXFSZ};
enum { ENDING_SIGNALS = sizeof(ending_signals) / sizeof(ending_signals[0]) };

void cleanup_run(void) {
    for (size_t i = 0; i < SLOTS; i++) {
        if (atomic_load(&slots[i].state) == CLEANUP_READY && slots[i].owner == getpid()) {
            unlink(slots[i].path);
        }
    }
}

// Installed with SA_RESETHAND: the signal raised again does what it does without us.
static void handle_signal(int number) {
    cleanup_run();
    raise(number);
}

static void install_cleanup(void) {
    atexit(cleanup_run);
    for (size_t i = 0; i < ENDING_SIGNALS; i++) {
        struct sigaction old;
        if (sigaction(ending_signals[i], NULL, &old) != 0 || old.sa_handler != SIG_DFL) {
            continue; // ignored, as under nohup, or taken by the program that we are a part of
        }
        struct sigaction action = {.sa_handler = handle_signal, .sa_flags = (int)SA_RESETHAND};
        sigemptyset(&action.sa_mask);
        sigaction(ending_signals[i], &action, NULL);
    }
}

void cleanup_block_signals(sigset_t *old) {
    sigset_t ending;
    sigemptyset(&ending);
    for (size_t i = 0; i < ENDING_SIGNALS; i++) {
        sigaddset(&ending, ending_signals[i]);
    }
    pthread_sigmask(SIG_BLOCK, &ending, old);
}

CleanupSlot *cleanup_claim(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install_cleanup);
    for (size_t i = 0; i < SLOTS; i++) {
        int free_state = CLEANUP_FREE;
        if (atomic_compare_exchange_strong(&slots[i].state, &free_state, CLEANUP_CLAIMED)) {
            return &slots[i];
        }
    }
    return NULL;
}

CleanupSlot *cleanup_find(const char *temporary) {
    for (size_t i = 0; i < SLOTS; i++) {
        if (atomic_load(&slots[i].state) == CLEANUP_READY &&
            strcmp(slots[i].path, temporary) == 0) {
            return &slots[i];
        }
    }
    UNREACHABLE();
}
