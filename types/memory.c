#include "types/memory.h"

#include "support/bug.h"

unsigned root_bytes(Root root, bool single) {
    switch (root) {
    case ROOT_BOOL: return 1;
    case ROOT_UINT:
    case ROOT_INT: return 4;
    case ROOT_REAL: return single ? 4 : 8;
    case ROOT_CHAR:
    case ROOT_STR: break;
    }
    UNREACHABLE();
}

uint64_t type_bytes(const Type *type, bool single) {
    return type->numel * root_bytes(type->root, single);
}

unsigned type_alignment(const Type *type, bool single) {
    return type_bytes(type, single) >= CACHE_LINE ? CACHE_LINE : root_bytes(type->root, single);
}

uint64_t align_up(uint64_t offset, uint64_t alignment) {
    uint64_t end;
    if (__builtin_add_overflow(offset, alignment - 1, &end)) {
        BUG("the variables of a program pass 2^64 bytes");
    }
    return end / alignment * alignment;
}
