// See heap.h.
#include "support/heap.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

// One heap for all threads, for large blocks too, which grows by steps and does not shrink.
static void choose_one_heap(int step) {
    enum { LARGE = 32 * 1024 * 1024 }; // glibc takes no larger ones from a heap
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_MMAP_THRESHOLD, LARGE);
    mallopt(M_TRIM_THRESHOLD, 2 * LARGE);
    mallopt(M_TOP_PAD, step);
}

void heap_expect(size_t bytes) {
    choose_one_heap((int)bytes / 4);
    void *room = malloc(bytes);
    if (room == NULL) {
        return;
    }
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)room;
    uintptr_t first = (start + page - 1) / page * page, end = (start + bytes) / page * page;
    if (first < end) {
        madvise((void *)first, end - first, MADV_POPULATE_WRITE);
    }
    free(room);
}
