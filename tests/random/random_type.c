// Random types.
#include "tests/random/generator.h"

FuzzRoot fuzz_random_root(Fuzz *fuzz) {
    static const FuzzRoot roots[] = {FUZZ_BOOL, FUZZ_UINT, FUZZ_UINT, FUZZ_INT,
                                     FUZZ_INT,  FUZZ_REAL, FUZZ_REAL, FUZZ_REAL};
    return roots[fuzz_below(fuzz, 8)];
}

FuzzRoot fuzz_random_number(Fuzz *fuzz) {
    return (FuzzRoot)(FUZZ_UINT + fuzz_below(fuzz, 3));
}

unsigned fuzz_random_dim(Fuzz *fuzz) {
    // Long dims are about as many as a vector has lanes, or as a tile of a product has rows.
    static const unsigned dims[] = {1, 1, 2, 2, 3, 3, 4, 4, 5, 7};
    static const unsigned long_dims[] = {7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 40, 64, 65, 70, 100};
    return fuzz->is_large && fuzz_percent(fuzz, 60) ? long_dims[fuzz_below(fuzz, 15)]
                                                    : dims[fuzz_below(fuzz, 10)];
}

FuzzLevel fuzz_random_level(Fuzz *fuzz, unsigned max_rank, unsigned numel) {
    static const unsigned ranks[] = {1, 1, 1, 1, 2, 2, 2, 2, 3, 4};
    FuzzLevel level = {.rank = ranks[fuzz_below(fuzz, 10)]};
    level.rank = level.rank > max_rank ? max_rank : level.rank;
    for (unsigned k = 0; k < level.rank; k++) {
        unsigned dim = fuzz_random_dim(fuzz);
        level.dims[k] = dim <= numel ? dim : 1;
        numel /= level.dims[k];
    }
    return level;
}

// Two or three levels of short vectors: what fits into the registers of a machine, unrolled.
FuzzType fuzz_deep_shape(Fuzz *fuzz) {
    static const unsigned dims[] = {2, 3, 3, 3, 4, 4};
    FuzzType type = {.depth = fuzz_percent(fuzz, 30) ? 2 : 3};
    for (unsigned i = 0; i < type.depth; i++) {
        type.levels[i] = (FuzzLevel){1, {dims[fuzz_below(fuzz, 6)]}};
    }
    return type;
}

FuzzType fuzz_random_type(Fuzz *fuzz) {
    if (fuzz->is_deep && fuzz_percent(fuzz, 50)) {
        return fuzz_with_root(&fuzz->deep, fuzz_random_root(fuzz));
    }
    FuzzType type = {.root = fuzz_random_root(fuzz)};
    unsigned numel = fuzz->numel;
    type.depth = fuzz_percent(fuzz, 30) ? 0 : 1;
    while (type.depth > 0 && type.depth < FUZZ_DEPTH - 1 && fuzz_percent(fuzz, 20)) {
        type.depth++;
    }
    for (unsigned i = 0; i < type.depth; i++) {
        type.levels[i] = fuzz_random_level(fuzz, FUZZ_RANK, numel);
        numel /= fuzz_level_numel(&type.levels[i]);
    }
    return type;
}
