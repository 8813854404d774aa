// Types by their flat dims, for tests that make expressions by hand.
#ifndef TMLC_TESTS_UNIT_FLAT_TYPE_H
#define TMLC_TESTS_UNIT_FLAT_TYPE_H

#include "types/type.h"

// A type with these flat dims in as few levels as they fit in: the scalar when `rank` is 0. NULL
// when there are too many scalars.
static inline const Type *type_flat(TypeTable *types, Root root, size_t rank,
                                    const uint32_t *dims) {
    if (rank == 0) {
        return type_scalar(types, root);
    }
    // More flat dims than one tensor may have need levels after all.
    size_t own = rank < TYPE_RANK_LIMIT ? rank : TYPE_RANK_LIMIT;
    const Type *base = type_flat(types, root, rank - own, dims + own);
    return base == NULL ? NULL : type_tensor(types, base, own, dims);
}

#endif
