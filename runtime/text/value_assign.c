// A literal that has its own type goes to a place of another as the compiler would assign it: every
// element of the place has a stride into the literal, 0 where the literal repeats.
#include "runtime/abi/type.h"
#include "runtime/text/value_text.h"

#include <string.h>

// Where the element of `from` lies that goes to each element of `to`: one stride for each flat dim
// of `to`, 0 where `from` is repeated. False when L6.1 does not allow the assignment.
static bool align_dims(const tml_type *to, const tml_type *from, uint64_t strides[VALUE_DIMS]) {
    if (from->depth > to->depth) {
        return false;
    }
    size_t to_first = 0, from_first = 0;
    for (size_t level = 0; level < to->depth; level++) {
        size_t rank = to->level_ranks[level];
        size_t from_rank = level < from->depth ? from->level_ranks[level] : 0;
        if (from_rank > rank) {
            return false;
        }
        for (size_t i = 0; i < rank; i++) {
            strides[to_first + i] = 0;
            if (i < rank - from_rank) {
                continue;
            }
            size_t at = from_first + i - (rank - from_rank);
            if (from->dims[at] == to->dims[to_first + i]) {
                strides[to_first + i] = tml_dims_product(from->dims, at + 1, from->flat_rank);
            } else if (from->dims[at] != 1) {
                return false;
            }
        }
        to_first += rank;
        from_first += from_rank;
    }
    return true;
}

// Whether every scalar goes to the root by L2.6 or L2.7.
static bool root_fits(tml_root to, const Value *value) {
    if (value->type.root <= to) {
        return true;
    }
    bool fits = value->type.root == TML_INT && to == TML_UINT;
    for (size_t i = 0; i < value->count; i++) {
        fits = fits && value->scalars[i] >= 0;
    }
    return fits;
}

static void fill(const tml_type *to, char *place, const Value *value,
                 const uint64_t strides[VALUE_DIMS]) {
    uint64_t numel = tml_type_numel(to);
    for (uint64_t i = 0; i < numel; i++) {
        uint64_t rest = i, from = 0;
        for (size_t dim = to->flat_rank; dim-- > 0;) {
            from += rest % to->dims[dim] * strides[dim];
            rest /= to->dims[dim];
        }
        tml_scalar_store(to, place, value->scalars[from]);
        place += tml_scalar_bytes(to);
    }
}

bool tml_value_assign(const Value *value, const tml_type *type, void *data) {
    uint64_t strides[VALUE_DIMS] = {0};
    if (!align_dims(type, &value->type, strides) || !root_fits((tml_root)type->root, value)) {
        return false;
    }
    fill(type, data, value, strides);
    return true;
}
