// Reading and replacing files.
//
// Note [Staged files]
// A file is written under a temporary name in the folder where it will stand, then renamed, so it
// appears whole or not at all. Temporary files must also go when a signal or exit() ends the
// process; only global data can tell a signal handler which these are. That is the `staged` table,
// the one mutable global of the compiler: fixed slots, each claimed and released by one atomic
// operation, so that the handler may read it at any time and threads do not need a lock.
#include "support/file.h"

#include "support/bug.h"
#include "support/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FIRST_READ = 64 * 1024, MOST_BYTES = INT32_MAX };

static bool fail(const char **error, int number) {
    *error = strerror(number);
    return false;
}

static bool read_all(int fd, size_t expected, char **data, size_t *len, const char **error) {
    size_t capacity = expected + 1; // one more, to see the end without growing
    char *bytes = memory_resize(NULL, capacity + 1);
    size_t used = 0;
    for (;;) {
        ssize_t got = read(fd, bytes + used, capacity - used);
        if (got == 0) {
            break;
        }
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0 || used + (size_t)got > MOST_BYTES) {
            int number = got < 0 ? errno : EFBIG;
            free(bytes);
            return fail(error, number);
        }
        used += (size_t)got;
        if (used == capacity) {
            capacity *= 2;
            bytes = memory_resize(bytes, capacity + 1);
        }
    }
    bytes[used] = '\0';
    *data = bytes;
    *len = used;
    return true;
}

bool file_read(const char *path, char **data, size_t *len, const char **error) {
    bool standard_input = strcmp(path, "-") == 0;
    int fd = standard_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return fail(error, errno);
    }
    struct stat status;
    bool known = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    bool too_large = known && status.st_size > MOST_BYTES;
    bool done = too_large
                    ? fail(error, EFBIG)
                    : read_all(fd, known ? (size_t)status.st_size : FIRST_READ, data, len, error);
    if (!standard_input) {
        close(fd);
    }
    return done;
}

enum { STAGED_SLOTS = 16, SLOT_FREE = 0, SLOT_CLAIMED, SLOT_READY };

typedef struct StagedFile {
    atomic_int state;
    pid_t owner; // a forked child must not remove its parent's files
    char path[PATH_MAX];
} StagedFile;

static StagedFile staged[STAGED_SLOTS]; // see Note [Staged files]

static const int ending_signals[] = {SIGHUP,  SIGINT,  SIGQUIT, SIGPIPE,
                                     SIGTERM, SIGABRT, SIGXCPU, SIGXFSZ};
enum { ENDING_SIGNALS = sizeof(ending_signals) / sizeof(ending_signals[0]) };

void file_remove_staged(void) {
    for (size_t i = 0; i < STAGED_SLOTS; i++) {
        if (atomic_load(&staged[i].state) == SLOT_READY && staged[i].owner == getpid()) {
            unlink(staged[i].path);
        }
    }
}

// Installed with SA_RESETHAND: the signal raised again does what it does without us.
static void handle_signal(int number) {
    file_remove_staged();
    raise(number);
}

static void install_cleanup(void) {
    atexit(file_remove_staged);
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

static void block_signals(sigset_t *old) {
    sigset_t ending;
    sigemptyset(&ending);
    for (size_t i = 0; i < ENDING_SIGNALS; i++) {
        sigaddset(&ending, ending_signals[i]);
    }
    pthread_sigmask(SIG_BLOCK, &ending, old);
}

static StagedFile *claim_slot(void) {
    for (size_t i = 0; i < STAGED_SLOTS; i++) {
        int free_state = SLOT_FREE;
        if (atomic_compare_exchange_strong(&staged[i].state, &free_state, SLOT_CLAIMED)) {
            return &staged[i];
        }
    }
    return NULL;
}

static StagedFile *find_slot(const char *temporary) {
    for (size_t i = 0; i < STAGED_SLOTS; i++) {
        if (atomic_load(&staged[i].state) == SLOT_READY && strcmp(staged[i].path, temporary) == 0) {
            return &staged[i];
        }
    }
    return NULL;
}

// Creates a file with a new name in the folder of `target` and writes the name to `slot`. Returns
// the descriptor, or -1 with errno set.
static int create_beside(const char *target, unsigned mode, StagedFile *slot) {
    static atomic_uint serial;
    const char *slash = strrchr(target, '/');
    size_t folder = slash == NULL ? 0 : (size_t)(slash - target) + 1;
    for (;;) {
        int len = snprintf(slot->path, sizeof(slot->path), "%.*s.tmlc-%ld-%u", (int)folder, target,
                           (long)getpid(), atomic_fetch_add(&serial, 1));
        if (len < 0 || (size_t)len >= sizeof(slot->path)) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int fd = open(slot->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (fd >= 0 || errno != EEXIST) {
            return fd;
        }
    }
}

// What will be replaced: `path`, or the file that it links to. The caller frees *target.
static bool find_target(const char *path, char **target, const char **error) {
    struct stat status;
    if (stat(path, &status) == 0) {
        if (!S_ISREG(status.st_mode)) {
            *error = "is not a regular file";
            return false;
        }
        if (access(path, W_OK) != 0) {
            return fail(error, errno);
        }
        *target = realpath(path, NULL);
    } else if (errno != ENOENT) {
        return fail(error, errno);
    } else if (lstat(path, &status) == 0) {
        *error = "is a link to a file that does not exist";
        return false;
    } else {
        *target = strdup(path);
    }
    return *target != NULL || fail(error, errno);
}

static StagedFile *stage(const char *path, unsigned mode, int *fd, const char **error) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, install_cleanup);
    char *target;
    if (!find_target(path, &target, error)) {
        return NULL;
    }
    StagedFile *slot = claim_slot();
    if (slot == NULL) {
        free(target);
        fail(error, EMFILE);
        return NULL;
    }
    // A signal waits until the new file is in the table.
    sigset_t old;
    block_signals(&old);
    *fd = create_beside(target, mode, slot);
    int number = errno;
    slot->owner = getpid();
    atomic_store(&slot->state, *fd >= 0 ? SLOT_READY : SLOT_FREE);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    free(target);
    if (*fd < 0) {
        fail(error, number);
        return NULL;
    }
    return slot;
}

static void slot_discard(StagedFile *slot) {
    unlink(slot->path);
    atomic_store(&slot->state, SLOT_FREE);
}

static bool slot_commit(StagedFile *slot, const char *path, const char **error) {
    char *target;
    if (!find_target(path, &target, error)) {
        slot_discard(slot);
        return false;
    }
    bool renamed = rename(slot->path, target) == 0;
    int number = errno;
    free(target);
    if (!renamed) {
        slot_discard(slot);
        return fail(error, number);
    }
    atomic_store(&slot->state, SLOT_FREE);
    return true;
}

bool file_stage(const char *path, char **temporary, const char **error) {
    int fd;
    StagedFile *slot = stage(path, 0666, &fd, error);
    if (slot == NULL) {
        return false;
    }
    close(fd);
    size_t size = strlen(slot->path) + 1;
    *temporary = memcpy(memory_resize(NULL, size), slot->path, size);
    return true;
}

bool file_commit(char *temporary, const char *path, const char **error) {
    StagedFile *slot = find_slot(temporary);
    CHECK(slot != NULL);
    free(temporary);
    return slot_commit(slot, path, error);
}

void file_discard(char *temporary) {
    StagedFile *slot = find_slot(temporary);
    CHECK(slot != NULL);
    free(temporary);
    slot_discard(slot);
}

static bool write_all(int fd, const char *data, size_t len) {
    while (len > 0) {
        ssize_t put = write(fd, data, len);
        if (put < 0 && errno == EINTR) {
            continue;
        }
        if (put < 0) {
            return false;
        }
        data += put;
        len -= (size_t)put;
    }
    return true;
}

bool file_write(const char *path, const char *data, size_t len, unsigned mode, const char **error) {
    int fd;
    StagedFile *slot = stage(path, mode, &fd, error);
    if (slot == NULL) {
        return false;
    }
    bool written = write_all(fd, data, len);
    int number = errno;
    if (close(fd) != 0 && written) {
        written = false;
        number = errno;
    }
    if (!written) {
        slot_discard(slot);
        return fail(error, number);
    }
    return slot_commit(slot, path, error);
}
