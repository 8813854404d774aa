// The one place where a failed allocation is noticed.
#include "support/memory.h"

#include "runtime/abi/exit_status.h"
#include "support/cleanup.h"

#include <stdlib.h>
#include <unistd.h>

// Libraries call this in the middle of what they do, and nothing here may need memory: what exit()
// would run, such as their destructors, is left out.
void memory_failed(void) {
    static const char message[] = "tmlc: error: out of memory\n";
    ssize_t written = write(STDERR_FILENO, message, sizeof(message) - 1);
    (void)written; // there is nobody else to tell
    cleanup_run();
    _exit(EXIT_WORLD);
}

void *memory_zeroed(size_t bytes) {
    void *memory = calloc(bytes == 0 ? 1 : bytes, 1);
    if (memory == NULL) {
        memory_failed();
    }
    return memory;
}

void *memory_resize(void *old, size_t bytes) {
    void *memory = realloc(old, bytes == 0 ? 1 : bytes);
    if (memory == NULL) {
        memory_failed();
    }
    return memory;
}

size_t memory_product(size_t count, size_t size) {
    size_t product;
    if (__builtin_mul_overflow(count, size, &product)) {
        memory_failed();
    }
    return product;
}
