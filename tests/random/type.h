// Types as the generator sees them. The rules of the language are written down here once more, so
// that what the checker computes is compared with something that it does not share.
#ifndef TMLC_TESTS_RANDOM_TYPE_H
#define TMLC_TESTS_RANDOM_TYPE_H

#include "support/buffer.h"

#include <stdbool.h>

// In the order of inference (L2.4).
typedef enum FuzzRoot { FUZZ_BOOL, FUZZ_UINT, FUZZ_INT, FUZZ_REAL } FuzzRoot;

enum {
    FUZZ_DEPTH = 4,
    FUZZ_RANK = 4,
    FUZZ_SIZE_N = 1 << 24, // dims of this and greater value are size parameters
    FUZZ_SIZE_M,
    FUZZ_SIZE_COUNT = 2,
};

typedef struct FuzzLevel {
    unsigned rank;
    unsigned dims[FUZZ_RANK];
} FuzzLevel;

// depth 0 is a scalar; levels[0] is the outermost one.
typedef struct FuzzType {
    FuzzRoot root;
    unsigned depth;
    FuzzLevel levels[FUZZ_DEPTH];
} FuzzType;

FuzzType fuzz_scalar(FuzzRoot root);
FuzzType fuzz_vector(FuzzRoot root, unsigned length);
FuzzType fuzz_matrix(FuzzRoot root, unsigned rows, unsigned cols);
FuzzType fuzz_with_root(const FuzzType *type, FuzzRoot root);
// The type of the elements; `type` is not a scalar.
FuzzType fuzz_base(const FuzzType *type);
// tensor<base, dims...>; base has room for one more level.
FuzzType fuzz_tensor_of(const FuzzType *base, const FuzzLevel *outer);

bool fuzz_same_shape(const FuzzType *a, const FuzzType *b);
bool fuzz_equal(const FuzzType *a, const FuzzType *b);
// Can `from` be assigned to `to`, roots aside (L6.1)?
bool fuzz_fits(const FuzzType *from, const FuzzType *to);
bool fuzz_is_size(unsigned dim);
// Without size parameters?
bool fuzz_is_concrete(const FuzzType *type);
// Scalars of one level, and of the type; a size parameter counts as 4.
unsigned fuzz_level_numel(const FuzzLevel *level);
unsigned fuzz_numel(const FuzzType *type);

void fuzz_dim_text(unsigned dim, Buffer *out);
void fuzz_type_text(const FuzzType *type, Buffer *out);

#endif
