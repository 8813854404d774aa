// Preloaded into a program, makes one of its calls of the C library fail.
//
// FAULT_SET   "memory": malloc, calloc, realloc, aligned_alloc; "pages": mmap; "files": what files
//             are used with; "names": link and rename; "slow": no call fails, but rename() takes
//             its time
// FAULT_AT    which call of the set, from 1; 0: none
// FAULT_ON    not empty: those after it fail, too
// FAULT_HOW   the errno of the failure; 0: reads and writes take one byte, other calls do not fail;
//             for "slow" microseconds
// FAULT_MARK  a file that gets the name of the function that failed or, when none did and the
//             program ends by exit(), the number of calls
//
// Programs that this one starts are left alone, and so is standard error, where the message goes.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef enum Set { SET_NONE, SET_MEMORY, SET_PAGES, SET_FILES, SET_NAMES, SET_SLOW } Set;

static Set chosen;
static unsigned long fail_at;
static bool goes_on;
static int how;
static const char *mark;
static atomic_ulong calls;
static bool has_failed;

// The system calls themselves: nothing here may be counted.
static void leave_mark(const char *text) {
    int fd = (int)syscall(SYS_openat, AT_FDCWD, mark, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    syscall(SYS_write, fd, text, strlen(text));
    syscall(SYS_close, fd);
}

static Set set_of(const char *name) {
    return strcmp(name, "memory") == 0  ? SET_MEMORY
           : strcmp(name, "pages") == 0 ? SET_PAGES
           : strcmp(name, "names") == 0 ? SET_NAMES
           : strcmp(name, "slow") == 0  ? SET_SLOW
                                        : SET_FILES;
}

static const char *variable(const char *name) {
    const char *value = getenv(name);
    return value == NULL ? "" : value;
}

__attribute__((constructor)) static void start(void) {
    chosen = set_of(variable("FAULT_SET"));
    fail_at = strtoul(variable("FAULT_AT"), NULL, 10);
    how = (int)strtol(variable("FAULT_HOW"), NULL, 10);
    goes_on = *variable("FAULT_ON") != '\0';
    unsetenv("LD_PRELOAD");
    mark = variable("FAULT_MARK");
}

__attribute__((destructor)) static void stop(void) {
    if (!has_failed) {
        char text[32];
        snprintf(text, sizeof(text), "%lu", atomic_load(&calls));
        leave_mark(text);
    }
}

// Whether this call is the one.
static bool is_chosen(Set set, const char *name) {
    if (set != chosen) {
        return false;
    }
    unsigned long number = atomic_fetch_add(&calls, 1) + 1;
    if (number != fail_at && !(goes_on && fail_at != 0 && number > fail_at)) {
        return false;
    }
    if (!has_failed) {
        has_failed = true;
        leave_mark(name);
    }
    return true;
}

static bool fails(Set set, const char *name) {
    bool failure = is_chosen(set, name) && how != 0;
    if (failure) {
        errno = how;
    }
    return failure;
}

// The C library's own function of the same name.
#define NEXT(name)                                                     \
    static __typeof__(name) *next;                                     \
    if (next == NULL) {                                                \
        next = (__typeof__(name) *)(uintptr_t)dlsym(RTLD_NEXT, #name); \
    }

// Memory.

// What the C library calls its own. NOLINTBEGIN(bugprone-reserved-identifier)
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
ssize_t __read_chk(int fd, void *data, size_t bytes, size_t room);
// NOLINTEND(bugprone-reserved-identifier)

void *malloc(size_t bytes) {
    return fails(SET_MEMORY, "malloc") ? NULL : __libc_malloc(bytes);
}

void *calloc(size_t count, size_t bytes) {
    return fails(SET_MEMORY, "calloc") ? NULL : __libc_calloc(count, bytes);
}

void *realloc(void *old, size_t bytes) {
    return fails(SET_MEMORY, "realloc") ? NULL : __libc_realloc(old, bytes);
}

void *aligned_alloc(size_t alignment, size_t bytes) {
    return fails(SET_MEMORY, "aligned_alloc") ? NULL : __libc_memalign(alignment, bytes);
}

void *mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset) {
    NEXT(mmap)
    return fails(SET_PAGES, "mmap") ? MAP_FAILED : next(at, bytes, protection, flags, fd, offset);
}

// Files.

// A function whose failure is -1.
#define FILE_FUNCTION(name, parameters, ...)                     \
    int name parameters {                                        \
        NEXT(name)                                               \
        return fails(SET_FILES, #name) ? -1 : next(__VA_ARGS__); \
    }

FILE_FUNCTION(unlink, (const char *path), path)
FILE_FUNCTION(stat, (const char *path, struct stat *status), path, status)
FILE_FUNCTION(fstat, (int fd, struct stat *status), fd, status)
FILE_FUNCTION(fchmod, (int fd, mode_t mode), fd, mode)
FILE_FUNCTION(ftruncate, (int fd, off_t size), fd, size)
FILE_FUNCTION(fsync, (int fd), fd)
FILE_FUNCTION(flock, (int fd, int operation), fd, operation)
FILE_FUNCTION(dup, (int fd), fd)

int link(const char *from, const char *to) {
    NEXT(link)
    return fails(SET_FILES, "link") || fails(SET_NAMES, "link") ? -1 : next(from, to);
}

int rename(const char *from, const char *to) {
    NEXT(rename)
    if (chosen == SET_SLOW) {
        usleep((useconds_t)how);
    }
    return fails(SET_FILES, "rename") || fails(SET_NAMES, "rename") ? -1 : next(from, to);
}

// The descriptor is gone in either case, as Linux has it.
int close(int fd) {
    NEXT(close)
    bool failure = fails(SET_FILES, "close");
    int number = errno;
    int result = next(fd);
    errno = failure ? number : errno;
    return failure ? -1 : result;
}

int open(const char *path, int flags, ...) {
    NEXT(open)
    va_list arguments;
    va_start(arguments, flags);
    mode_t mode = va_arg(arguments, mode_t);
    va_end(arguments);
    return fails(SET_FILES, "open") ? -1 : next(path, flags, mode);
}

// -1: fails; otherwise how many of the bytes to transfer.
static ssize_t transfer(const char *name, size_t bytes) {
    if (!is_chosen(SET_FILES, name)) {
        return (ssize_t)bytes;
    }
    errno = how;
    return how != 0 ? -1 : bytes > 0;
}

ssize_t read(int fd, void *data, size_t bytes) {
    NEXT(read)
    ssize_t part = transfer("read", bytes);
    return part < 0 ? -1 : next(fd, data, (size_t)part);
}

// What read() is under _FORTIFY_SOURCE.
ssize_t __read_chk(int fd, void *data, size_t bytes,
                   size_t room) { // NOLINT(bugprone-reserved-identifier)
    return bytes > room ? -1 : read(fd, data, bytes);
}

ssize_t write(int fd, const void *data, size_t bytes) {
    NEXT(write)
    ssize_t part = fd == STDERR_FILENO ? (ssize_t)bytes : transfer("write", bytes);
    return part < 0 ? -1 : next(fd, data, (size_t)part);
}

ssize_t pwrite(int fd, const void *data, size_t bytes, off_t at) {
    NEXT(pwrite)
    ssize_t part = transfer("pwrite", bytes);
    return part < 0 ? -1 : next(fd, data, (size_t)part, at);
}
