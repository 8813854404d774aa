// How values lie in memory: scalars row-major, one after the other, in the machine's own byte
// order. `single` says that reals are IEEE single.
#ifndef TMLC_TYPES_MEMORY_H
#define TMLC_TYPES_MEMORY_H

#include "types/type.h"

// What arrays of at least this many bytes are aligned to in memory that is ours, as are the parts
// of a program's state.
enum { CACHE_LINE = 64 };

// Of one scalar that can be computed with; it is aligned to as many.
unsigned root_bytes(Root root, bool single);
uint64_t type_bytes(const Type *type, bool single);
unsigned type_alignment(const Type *type, bool single);
// The first multiple of `alignment` from `offset` on.
uint64_t align_up(uint64_t offset, uint64_t alignment);

#endif
