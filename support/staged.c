// Writing files under temporary names, then renaming them.
//
// Note [All or none]
// Before a file is replaced it gets a second name, and when a later one cannot be replaced it comes
// back by that; where the disk refuses this too, it keeps the second name. Signals wait meanwhile.
// Two compilers that write the same object and header take turns: each holds a lock on the folder
// of its first file, which leaves nothing behind. Whoever holds it for longer than renaming takes
// is no compiler (`flock . make`), so waiting has an end; where folders cannot be locked it has no
// beginning.
#include "support/staged.h"

#include "support/cleanup.h"
#include "support/file.h"
#include "support/memory.h"
#include "support/path.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static bool fail(const char **error, int number) {
    *error = strerror(number);
    return false;
}

// Forgets the temporary name, which nothing stands under any more.
static void release(StagedFile *file) {
    atomic_store(&cleanup_find(file->temporary)->state, CLEANUP_FREE);
    free(file->temporary);
    file->temporary = NULL;
}

void staged_discard(StagedFile *file) {
    unlink(file->temporary);
    release(file);
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

// Creates a file with a new name in the folder of `target` and writes the name to `slot`. Returns
// the descriptor, or -1 with errno set.
static int create_beside(const char *target, CleanupSlot *slot) {
    static atomic_uint serial;
    for (;;) {
        int len =
            snprintf(slot->path, sizeof(slot->path), "%.*s.tmlc-%ld-%u", (int)path_folder(target),
                     target, (long)getpid(), atomic_fetch_add(&serial, 1));
        if (len < 0 || (size_t)len >= sizeof(slot->path)) {
            errno = ENAMETOOLONG;
            return -1;
        }
        int fd = file_open(slot->path, O_WRONLY | O_CREAT | O_EXCL);
        if (fd >= 0 || errno != EEXIST) {
            return fd;
        }
    }
}

// A signal waits until the new file is in the table.
static int create_in_slot(const char *target, CleanupSlot *slot) {
    sigset_t old;
    cleanup_block_signals(&old);
    int fd = create_beside(target, slot);
    int number = errno;
    slot->owner = getpid();
    atomic_store(&slot->state, fd >= 0 ? CLEANUP_READY : CLEANUP_FREE);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = number;
    return fd;
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

bool staged_create(StagedFile *file, const char *path, const char *data, size_t len,
                   const char **error) {
    char *target;
    if (!find_target(path, &target, error)) {
        return false;
    }
    CleanupSlot *slot = cleanup_claim();
    if (slot == NULL) {
        free(target);
        return fail(error, EMFILE);
    }
    int fd = create_in_slot(target, slot);
    free(target);
    if (fd < 0) {
        return fail(error, errno);
    }
    size_t size = strlen(slot->path) + 1;
    *file = (StagedFile){path, memcpy(memory_resize(NULL, size), slot->path, size)};
    bool written = write_all(fd, data, len);
    int number = errno;
    if (close(fd) != 0 && errno != EINTR && written) {
        written = false;
        number = errno;
    }
    if (!written) {
        staged_discard(file);
        return fail(error, number);
    }
    return true;
}

typedef struct Change {
    char *target;
    char *old; // the second name of what stood there
    bool is_kept;
    bool is_gone; // it stands under its first name no more
} Change;

// A descriptor that holds the lock when there is one; see Note [All or none].
static int lock_folder(const char *path) {
    enum { ATTEMPTS = 1000, NANOSECONDS = 1000 * 1000 };
    size_t len = path_folder(path);
    char *folder = memory_zeroed(len + 2);
    memcpy(folder, len == 0 ? "." : path, len == 0 ? 1 : len);
    int fd = file_open(folder, O_RDONLY | O_DIRECTORY);
    free(folder);
    for (int i = 0; fd >= 0 && i < ATTEMPTS && flock(fd, LOCK_EX | LOCK_NB) != 0; i++) {
        if (errno != EWOULDBLOCK && errno != EINTR) {
            break;
        }
        nanosleep(&(struct timespec){.tv_nsec = NANOSECONDS}, NULL);
    }
    return fd;
}

// Fills in what will be changed. Returns for how many files that could be told before one failed.
static size_t find_changes(const StagedFile *files, Change *changes, size_t count,
                           const char **error) {
    size_t found = 0;
    while (found < count && find_target(files[found].path, &changes[found].target, error)) {
        size_t size = strlen(files[found].temporary) + sizeof(".old");
        changes[found].old = memory_resize(NULL, size);
        snprintf(changes[found].old, size, "%s.old", files[found].temporary);
        found++;
    }
    return found;
}

// File systems without links lose the file for a moment.
static bool keep_old(Change *change) {
    change->is_kept = link(change->target, change->old) == 0;
    if (change->is_kept || errno == ENOENT) {
        return true;
    }
    change->is_kept = errno != EEXIST && rename(change->target, change->old) == 0;
    change->is_gone = change->is_kept;
    return change->is_kept;
}

// Puts back what stood there.
static void undo_change(const Change *change, const char **error) {
    if (!change->is_kept) {
        unlink(change->target);
    } else if (!change->is_gone) {
        unlink(change->old);
    } else if (rename(change->old, change->target) != 0) {
        *error = "no file can be given its name; what stood there before is in `.tmlc-*.old`";
    }
}

// What is renamed last needs no way back.
static bool make_change(const StagedFile *file, Change *change, bool is_last, const char **error) {
    bool can_undo = is_last || keep_old(change);
    if (can_undo && rename(file->temporary, change->target) == 0) {
        change->is_gone = true;
        return true;
    }
    fail(error, errno);
    if (change->is_kept) {
        undo_change(change, error);
    }
    return false;
}

// Renames all or none. Returns how many were renamed before one failed.
static size_t make_changes(const StagedFile *files, Change *changes, size_t count,
                           const char **error) {
    size_t done = 0;
    while (done < count && make_change(&files[done], &changes[done], done + 1 == count, error)) {
        done++;
    }
    for (size_t i = done; i-- > 0;) {
        if (done < count) {
            undo_change(&changes[i], error);
        } else if (changes[i].is_kept) {
            unlink(changes[i].old);
        }
    }
    return done;
}

bool staged_commit(StagedFile *files, size_t count, size_t *failed, const char **error) {
    Change *changes = memory_zeroed(memory_product(count, sizeof(Change)));
    int lock = count > 1 ? lock_folder(files[0].temporary) : -1;
    sigset_t old;
    cleanup_block_signals(&old);
    *failed = find_changes(files, changes, count, error);
    if (*failed == count) {
        *failed = make_changes(files, changes, count, error);
    }
    bool committed = *failed == count;
    for (size_t i = 0; i < count; i++) {
        if (committed) {
            release(&files[i]);
        } else {
            staged_discard(&files[i]);
        }
        free(changes[i].target);
        free(changes[i].old);
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (lock >= 0) {
        close(lock);
    }
    free(changes);
    return committed;
}
