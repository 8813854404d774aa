// Pages come from the system when they are first touched: of a large state only what is used costs.
#include "runtime/run/host.h"
#include "runtime/run/report.h"

#include <errno.h>
#include <sys/mman.h>

// From here on a missing page table walk pays for a huge page.
static const size_t huge_page_threshold = (size_t)4 << 20;

void *tml_memory_map(const char *command, size_t bytes) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *memory = mmap(NULL, bytes > 0 ? bytes : 1, PROT_READ | PROT_WRITE, flags, -1, 0);
    if (memory == MAP_FAILED) {
        tml_report(command, "cannot get %zu bytes of memory: %s", bytes, strerror(errno));
        return NULL;
    }
    if (bytes > huge_page_threshold) {
        madvise(memory, bytes, MADV_HUGEPAGE); // only advice: kernels without huge pages refuse
    }
    return memory;
}

void tml_memory_unmap(void *memory, size_t bytes) {
    if (memory) {
        munmap(memory, bytes > 0 ? bytes : 1);
    }
}
