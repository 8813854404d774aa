// The heap of the process, whose pages the system gives one by one where they are first written: an
// interrupt for each, which can be a tenth of a short compilation (docs/decisions/static-llvm.md).
#ifndef TMLC_SUPPORT_HEAP_H
#define TMLC_SUPPORT_HEAP_H

#include <stddef.h>

// The next `bytes` that are allocated take pages that are there already, and what is freed stays
// for what comes. A system that cannot do so goes on as ever.
void heap_expect(size_t bytes);

#endif
