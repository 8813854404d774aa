// The memory of a program's state.
#ifndef TML_RUNTIME_RUN_PROGRAM_MEMORY_H
#define TML_RUNTIME_RUN_PROGRAM_MEMORY_H

#include <stddef.h>

// Zeroed pages, 64-aligned, reserved but not yet present. NULL, with errno, when there are none.
void *tml_memory_map(size_t bytes);
void tml_memory_unmap(void *memory, size_t bytes);

#endif
