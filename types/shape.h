// The shape algebra: every rule of the language that compares or combines dims, as pure functions
// on types. Each answers with a type, or with why there is none, as data; the checker compares dims
// nowhere else (tests/lint/tree.sh). Messages are made from the answer by types/shape_explain.h.
#ifndef TMLC_TYPES_SHAPE_H
#define TMLC_TYPES_SHAPE_H

#include "types/type.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum ShapeWhy {
    SHAPE_OK,
    SHAPE_LENGTHS,   // two lengths that must agree do not: left, right at level, dim
    SHAPE_RANKS,     // a level has `left` dims on one side and `right` on the other
    SHAPE_DEPTHS,    // one side goes on at `level` where the other has scalars
    SHAPE_ROOTS,     // the shapes fit, the scalars at the bottom do not
    SHAPE_OPERAND,   // an operand of a form that the operation does not take (left: which, 0 or 1)
    SHAPE_TOO_LARGE, // the result passes a limit of L2.2
    SHAPE_BOUNDS,    // position `index` is outside a dim of length `left`
    SHAPE_EMPTY,     // a range without elements
    SHAPE_COUNT,     // `left` indices where `right` are needed
} ShapeWhy;

typedef struct ShapeFit {
    ShapeWhy why;
    const Type *type; // the result when why is SHAPE_OK, else NULL
    unsigned level;   // of the disagreement, 0 outermost
    unsigned dim;     // counted from the left in the longer operand's dims of that level
    uint32_t left;
    uint32_t right;
    int64_t index;
} ShapeFit;

// L5.2: arithmetic. The root of the result is the greater of the two.
ShapeFit shape_broadcast(TypeTable *types, const Type *left, const Type *right);
// L5.7: of two types that broadcast, the one with fewer dims on the outermost level where tensors
// have unequal ranks; NULL where there is none.
const Type *shape_promoted(const Type *left, const Type *right);
// The one that has more levels.
const Type *shape_deeper(const Type *left, const Type *right);
// The type with the levels that `deepest` has around it, of one element each.
const Type *shape_with_levels(TypeTable *types, const Type *type, const Type *deepest);
// L5.4: strict. Like shape_broadcast, but one operand is a scalar or all dims are equal.
ShapeFit shape_same(TypeTable *types, const Type *left, const Type *right);
// L6.1: source to target; the result is `target`. Only the shape when `any_root` (casts).
ShapeFit shape_assign(const Type *target, const Type *source, bool any_root);
// L2.3: the type that elements of one literal have in common; no scalar spreads.
ShapeFit shape_common(TypeTable *types, const Type *left, const Type *right);
// L5.5: dot product and transpose.
ShapeFit shape_dot(TypeTable *types, const Type *left, const Type *right);
ShapeFit shape_transpose(TypeTable *types, const Type *type);
// Vectors and matrices of scalars, and the operations of L11 on them: outer takes vectors, diagonal
// a matrix, solve a square matrix and as many rows.
bool shape_is_vector(const Type *type);
bool shape_is_matrix(const Type *type);
bool shape_is_square(const Type *type);
ShapeFit shape_outer(TypeTable *types, const Type *left, const Type *right);
const Type *shape_diagonal(TypeTable *types, const Type *matrix);
ShapeFit shape_solve(const Type *matrix, const Type *right);
// Whether `dim` is one of the own dims.
bool shape_has_dim(const Type *type, int64_t dim);
// L11 concat: the dims but `axis` are equal, the bases have a common type.
ShapeFit shape_concat(TypeTable *types, const Type *left, const Type *right, unsigned axis);
// L11 narrow: the outermost dims of length 1 go away.
const Type *shape_narrow(TypeTable *types, const Type *type);
// The last dim of the innermost level with another length; NULL when that is too large.
const Type *shape_with_last(TypeTable *types, const Type *type, uint64_t length);
// The scalars replaced by `base`; NULL when that is too large.
const Type *shape_with_base(TypeTable *types, const Type *type, const Type *base);
// Whether the innermost level is a vector of two.
bool shape_has_pairs(const Type *type);
// L11 reductions: the innermost tensor becomes a scalar, or, `above` (with `!`), the level above it
// goes where there is one. *axis and *count are the flat axes that go.
const Type *shape_reduce(TypeTable *types, const Type *type, bool above, uint32_t *axis,
                         uint32_t *count);

// L11 broadcast_in_dim and align: dim i of `type` lies along dim positions[i] of a result of `rank`
// dims. lengths gives these, or is NULL where each has the length of what lies there, or 1.
// On SHAPE_OPERAND, `dim` is the position that is wrong: not above the one before, or not below
// rank.
ShapeFit shape_place(TypeTable *types, const Type *type, size_t rank, const uint32_t *lengths,
                     const int64_t *positions, size_t position_count);
// L11 reshape: other own dims with as many elements (SHAPE_LENGTHS tells both counts).
ShapeFit shape_reshape(TypeTable *types, const Type *type, size_t rank, const uint32_t *dims);
// L11 permute: result dim i is dim order[i]; SHAPE_OPERAND when that is no permutation.
ShapeFit shape_permute(TypeTable *types, const Type *type, const int64_t *order, size_t count);
// L11 nest and unnest: the last `count` own dims become a level of their own; two levels become
// one.
ShapeFit shape_nest(TypeTable *types, const Type *type, int64_t count);
ShapeFit shape_unnest(TypeTable *types, const Type *type);

// The outermost dims replaced by `dims` over the same base; the base itself for rank 0.
// NULL when a limit is passed.
const Type *shape_with_dims(TypeTable *types, const Type *type, size_t rank, const uint32_t *dims);

// Where each flat dim of `source` lies in the flat dims of `target`, level by level, right-aligned,
// for types that shape_broadcast, shape_same or shape_assign found to fit. A dim of length 1 over a
// longer one is stretched: axes[d] is -1.
void shape_axes(const Type *source, const Type *target, int32_t *axes);

// Whether `type` has more levels than `other`.
bool shape_is_deeper(const Type *type, const Type *other);

// Whether own dim `dim` of `source` has length 1 where dim `at` of `target` is longer.
bool shape_is_stretched(const Type *source, size_t dim, const Type *target, size_t at);

// Whether its outermost level is a vector of that length: of an array of instances one each
// (L15.1).
bool shape_is_vector_of(const Type *type, uint32_t length);

// The number of elements of first, first + step, ... before last; step is not 0.
int64_t shape_range_count(int64_t first, int64_t last, int64_t step);

// Whether some of the indices from `least` to `most` are outside of a dim of that length, and the
// one of both ends that is.
bool shape_is_outside(uint32_t length, int64_t least, int64_t most, int64_t *outside);

// One index in a bracket (L7). For ranges absent parts are told by the flags; when shape_index has
// accepted it, start, step and len say what it selects (step 0 on a dim of length 1).
typedef struct ShapeIndex {
    bool is_range;
    bool is_constant; // a scalar index with a known position: start
    bool has_first, has_last, has_step;
    int64_t start;
    int64_t last;
    int64_t step;
    uint32_t len;
} ShapeIndex;

// `count` indices on the first `count` = rank dims of a tensor. As a target, a bounded range on a
// dim of length 1 keeps length 1 (L7.6). On failure `dim` is the index that is wrong.
ShapeFit shape_index(TypeTable *types, const Type *type, ShapeIndex *indices, size_t count,
                     bool as_target);
// The type as a vector of its elements, row by row (L7.3).
const Type *shape_elements(TypeTable *types, const Type *type);

#endif
