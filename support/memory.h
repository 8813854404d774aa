// Heap memory that cannot be missing: running out of it ends the process with exit status 3.
#ifndef TMLC_SUPPORT_MEMORY_H
#define TMLC_SUPPORT_MEMORY_H

#include <stddef.h>

// Zeroed memory; the caller frees it.
void *memory_zeroed(size_t bytes);
// realloc: `old` may be NULL, the new bytes are not set.
void *memory_resize(void *old, size_t bytes);
// count * size, or the end of the process when that does not fit.
size_t memory_product(size_t count, size_t size);
// Says so, removes staged files and ends the process; for libraries that report a failed allocation
// to us.
_Noreturn void memory_failed(void);

#endif
