// The one place where a failed allocation is noticed.
#include "support/memory.h"

#include <stdio.h>
#include <stdlib.h>

enum { EXIT_WORLD_FAILED = 3 };

void memory_failed(void) {
    fputs("tmlc: out of memory\n", stderr);
    exit(EXIT_WORLD_FAILED);
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
