// A file is written beside its place and renamed, so that it is whole or as it was, with the mode
// of what it replaces and through symbolic links. What is no regular file, or is our own standard
// output or error, is written to in place. One file is written at a time, and what a signal leaves
// of it unfinished goes with the process: only global data can tell a handler which that is.
#include "runtime/file/whole_file.h"

#include "runtime/file/open_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const int ending_signals[] = {SIGHUP, SIGINT, SIGTERM};
enum { ENDING_SIGNALS = sizeof ending_signals / sizeof ending_signals[0] };

static const char *_Atomic unfinished;           // NULL: none
static struct sigaction actions[ENDING_SIGNALS]; // that the signals have without us

// The signal raised again does what it does without us.
static void handle_signal(int number) {
    const char *part = atomic_load(&unfinished);
    if (part) {
        unlink(part);
    }
    for (size_t i = 0; i < ENDING_SIGNALS; i++) {
        if (ending_signals[i] == number) {
            sigaction(number, &actions[i], NULL);
        }
    }
    raise(number);
}

// Until `part` is NULL, it is removed when a signal ends the process. What is ignored, as under
// nohup, ends nothing.
static void watch_signals(const char *part) {
    struct sigaction action = {.sa_handler = handle_signal};
    sigemptyset(&action.sa_mask);
    atomic_store(&unfinished, part);
    for (size_t i = 0; i < ENDING_SIGNALS; i++) {
        if (!part) {
            sigaction(ending_signals[i], &actions[i], NULL);
        } else if (sigaction(ending_signals[i], NULL, &actions[i]) == 0 &&
                   actions[i].sa_handler != SIG_IGN) {
            sigaction(ending_signals[i], &action, NULL);
        }
    }
}

// Writes the content and closes `fd`. Returns errno of what failed, or 0.
static int write_and_close(int fd, WholeFileContent *content, const void *data) {
    Writer out;
    tml_writer_init(&out, fd);
    content(&out, data);
    tml_writer_flush(&out);
    if (close(fd) != 0 && errno != EINTR && out.error == 0) { // interrupted, it is closed too
        return errno;
    }
    return out.error;
}

int tml_create_beside(const char *path, char *name, size_t size) {
    enum { ATTEMPTS = 100 };
    int fd = -1;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
        snprintf(name, size, "%s.%ld-%d.part", path, (long)getpid(), attempt);
        fd = tml_open(name, O_WRONLY | O_CREAT | O_EXCL);
        if (fd >= 0 || errno != EEXIST) {
            break;
        }
    }
    return fd;
}

// No signal comes between the file and the watch over it.
static int create_watched(const char *path, char *part, size_t size) {
    sigset_t ending, old;
    sigemptyset(&ending);
    for (size_t i = 0; i < ENDING_SIGNALS; i++) {
        sigaddset(&ending, ending_signals[i]);
    }
    pthread_sigmask(SIG_BLOCK, &ending, &old);
    int fd = tml_create_beside(path, part, size);
    int error = errno;
    if (fd >= 0) {
        watch_signals(part);
    }
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    errno = error;
    return fd;
}

// `old` is what stands at `path`, or NULL.
static int replace(const char *path, const struct stat *old, WholeFileContent *content,
                   const void *data) {
    size_t size = strlen(path) + 64;
    char *part = malloc(size);
    if (!part) {
        return ENOMEM;
    }
    int error = 0;
    int fd = create_watched(path, part, size);
    if (fd < 0) {
        error = errno;
        free(part);
        return error;
    }
    if (old && fchmod(fd, old->st_mode & 07777) != 0) {
        error = errno;
        close(fd);
    } else {
        error = write_and_close(fd, content, data);
    }
    if (error == 0 && rename(part, path) != 0) {
        error = errno;
    }
    if (error != 0) {
        unlink(part);
    }
    watch_signals(NULL);
    free(part);
    return error;
}

static int append(int stream, WholeFileContent *content, const void *data) {
    int fd = dup(stream);
    return fd < 0 ? errno : write_and_close(fd, content, data);
}

static int write_in_place(const char *path, WholeFileContent *content, const void *data) {
    int fd = tml_open(path, O_WRONLY);
    return fd < 0 ? errno : write_and_close(fd, content, data);
}

// What a symbolic link leads to is replaced, not the link.
static int replace_target(const char *path, const struct stat *old, WholeFileContent *content,
                          const void *data) {
    char *target = realpath(path, NULL);
    int error = target ? replace(target, old, content, data) : errno;
    free(target);
    return error;
}

int tml_write_whole(const char *path, WholeFileContent *content, const void *data) {
    struct stat old;
    if (strcmp(path, "-") == 0) {
        return append(STDOUT_FILENO, content, data);
    }
    if (stat(path, &old) != 0) {
        return errno == ENOENT ? replace(path, NULL, content, data) : errno;
    }
    int stream = tml_standard_stream(&old);
    if (stream >= 0) {
        return append(stream, content, data);
    }
    return S_ISREG(old.st_mode) ? replace_target(path, &old, content, data)
                                : write_in_place(path, content, data);
}
