// Facts that the table of a type does not say: sizes and products of its dims, and its text, which
// is the same as in the compiler's messages.
#include "runtime/abi/type.h"

#include <stdio.h>
#include <string.h>

const char *tml_root_text(tml_root root) {
    static const char *const texts[] = {"bool", "uint", "int", "real"};
    return texts[root];
}

size_t tml_scalar_bytes(const tml_type *type) {
    switch ((tml_root)type->root) {
    case TML_BOOL: return 1;
    case TML_UINT: return 4;
    case TML_INT: return 4;
    case TML_REAL: return type->real_bytes;
    }
    __builtin_unreachable();
}

uint64_t tml_dims_product(const uint32_t *dims, size_t first, size_t end) {
    uint64_t product = 1;
    for (size_t i = first; i < end; i++) {
        product *= dims[i];
    }
    return product;
}

uint64_t tml_type_numel(const tml_type *type) {
    return tml_dims_product(type->dims, 0, type->flat_rank);
}

// Appends to `text`, or leaves it ending in "..." when there is no room.
static void append(char text[TML_TYPE_TEXT_BYTES], size_t *used, const char *part) {
    size_t len = strlen(part);
    if (*used + len < TML_TYPE_TEXT_BYTES) {
        memcpy(text + *used, part, len + 1);
        *used += len;
    } else if (*used < TML_TYPE_TEXT_BYTES) {
        size_t room = TML_TYPE_TEXT_BYTES - sizeof "...";
        memcpy(text + (*used < room ? *used : room), "...", sizeof "...");
        *used = TML_TYPE_TEXT_BYTES;
    }
}

const char *tml_type_text(char text[TML_TYPE_TEXT_BYTES], const tml_type *type) {
    size_t used = 0;
    for (size_t level = 0; level < type->depth; level++) {
        append(text, &used, "tensor<");
    }
    append(text, &used, tml_root_text((tml_root)type->root));
    // The innermost level closes first.
    size_t end = type->flat_rank;
    for (size_t level = type->depth; level-- > 0;) {
        size_t first = end - type->level_ranks[level];
        for (size_t i = first; i < end; i++) {
            char dim[16];
            snprintf(dim, sizeof dim, ", %u", type->dims[i]);
            append(text, &used, dim);
        }
        append(text, &used, ">");
        end = first;
    }
    return text;
}
