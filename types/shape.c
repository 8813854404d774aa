// See shape.h. Every function walks the levels of its operands from the outermost inwards; dims of
// one level never meet dims of another.
#include "types/shape.h"

#include "support/bug.h"

#include <string.h>

static ShapeFit shape_fits(const Type *type) {
    return (ShapeFit){.why = type == NULL ? SHAPE_TOO_LARGE : SHAPE_OK, .type = type};
}

static ShapeFit shape_fails(ShapeWhy why, unsigned level, unsigned dim, uint32_t left,
                            uint32_t right) {
    return (ShapeFit){.why = why, .level = level, .dim = dim, .left = left, .right = right};
}

static Root greater_root(Root a, Root b) {
    return a > b ? a : b;
}

const Type *shape_with_dims(TypeTable *types, const Type *type, size_t rank, const uint32_t *dims) {
    return rank == 0 ? type->base : type_tensor(types, type->base, rank, dims);
}

static ShapeFit broadcast_at(TypeTable *types, const Type *left, const Type *right,
                             unsigned level) {
    Root root = greater_root(left->root, right->root);
    if (type_is_scalar(left)) {
        return shape_fits(type_with_root(types, right, root));
    }
    if (type_is_scalar(right)) {
        return shape_fits(type_with_root(types, left, root));
    }
    unsigned rank = left->rank > right->rank ? left->rank : right->rank;
    uint32_t dims[TYPE_RANK_LIMIT];
    // The rightmost pair that disagrees is reported: alignment begins there.
    for (unsigned k = 1; k <= rank; k++) {
        uint32_t a = k <= left->rank ? left->dims[left->rank - k] : 1;
        uint32_t b = k <= right->rank ? right->dims[right->rank - k] : 1;
        if (a != b && a != 1 && b != 1) {
            return shape_fails(SHAPE_LENGTHS, level, rank - k, a, b);
        }
        dims[rank - k] = a == 1 ? b : a;
    }
    ShapeFit base = broadcast_at(types, left->base, right->base, level + 1);
    if (base.why != SHAPE_OK) {
        return base;
    }
    return shape_fits(type_tensor(types, base.type, rank, dims));
}

ShapeFit shape_broadcast(TypeTable *types, const Type *left, const Type *right) {
    return broadcast_at(types, left, right, 0);
}

const Type *shape_promoted(const Type *left, const Type *right) {
    const Type *a = left;
    const Type *b = right;
    for (; type_is_tensor(a) && type_is_tensor(b); a = a->base, b = b->base) {
        if (a->rank < b->rank) {
            return left;
        }
        if (a->rank > b->rank) {
            return right;
        }
    }
    return NULL;
}

const Type *shape_deeper(const Type *left, const Type *right) {
    return right->depth > left->depth ? right : left;
}

const Type *shape_with_levels(TypeTable *types, const Type *type, const Type *deepest) {
    if (type->depth == deepest->depth) {
        return type;
    }
    uint32_t ones[TYPE_RANK_LIMIT];
    for (uint32_t k = 0; k < deepest->rank; k++) {
        ones[k] = 1;
    }
    const Type *inner = shape_with_levels(types, type, deepest->base);
    return type_tensor(types, inner, deepest->rank, ones);
}

// Equal dims on every level; on success the result is `left` with the greater root.
ShapeFit shape_common(TypeTable *types, const Type *left, const Type *right) {
    const Type *a = left;
    const Type *b = right;
    for (unsigned level = 0;; level++, a = a->base, b = b->base) {
        if (type_is_scalar(a) && type_is_scalar(b)) {
            return shape_fits(type_with_root(types, left, greater_root(a->root, b->root)));
        }
        if (type_is_scalar(a) || type_is_scalar(b)) {
            return shape_fails(SHAPE_DEPTHS, level, 0, left->depth, right->depth);
        }
        if (a->rank != b->rank) {
            return shape_fails(SHAPE_RANKS, level, 0, a->rank, b->rank);
        }
        for (unsigned d = 0; d < a->rank; d++) {
            if (a->dims[d] != b->dims[d]) {
                return shape_fails(SHAPE_LENGTHS, level, d, a->dims[d], b->dims[d]);
            }
        }
    }
}

ShapeFit shape_same(TypeTable *types, const Type *left, const Type *right) {
    if (type_is_scalar(left) || type_is_scalar(right)) {
        return shape_broadcast(types, left, right);
    }
    return shape_common(types, left, right);
}

ShapeFit shape_assign(const Type *target, const Type *source, bool any_root) {
    const Type *a = target;
    const Type *b = source;
    for (unsigned level = 0; type_is_tensor(b); level++, a = a->base, b = b->base) {
        if (type_is_scalar(a)) {
            return shape_fails(SHAPE_DEPTHS, level, 0, target->depth, source->depth);
        }
        if (b->rank > a->rank) {
            return shape_fails(SHAPE_RANKS, level, 0, a->rank, b->rank);
        }
        for (unsigned k = 1; k <= b->rank; k++) {
            uint32_t to = a->dims[a->rank - k];
            uint32_t from = b->dims[b->rank - k];
            if (from != to && from != 1) {
                return shape_fails(SHAPE_LENGTHS, level, a->rank - k, to, from);
            }
        }
    }
    if (!any_root && source->root > target->root) {
        return shape_fails(SHAPE_ROOTS, 0, 0, 0, 0);
    }
    return shape_fits(target);
}

static bool is_dot_operand(const Type *type) {
    return type_is_scalar(type) || (type->depth == 1 && type->rank <= 2);
}

ShapeFit shape_dot(TypeTable *types, const Type *left, const Type *right) {
    if (!is_dot_operand(left) || !is_dot_operand(right)) {
        return shape_fails(SHAPE_OPERAND, 0, 0, is_dot_operand(left) ? 1 : 0, 0);
    }
    if (type_is_scalar(left) || type_is_scalar(right)) {
        return shape_broadcast(types, left, right);
    }
    uint32_t inner_left = left->dims[left->rank - 1];
    uint32_t inner_right = right->dims[0];
    if (inner_left != inner_right) {
        return shape_fails(SHAPE_LENGTHS, 0, left->rank - 1U, inner_left, inner_right);
    }
    uint32_t dims[2];
    size_t rank = 0;
    if (left->rank == 2) {
        dims[rank++] = left->dims[0];
    }
    if (right->rank == 2) {
        dims[rank++] = right->dims[1];
    }
    const Type *scalar = type_scalar(types, greater_root(left->root, right->root));
    return shape_fits(rank == 0 ? scalar : type_tensor(types, scalar, rank, dims));
}

ShapeFit shape_transpose(TypeTable *types, const Type *type) {
    if (type_is_scalar(type) || type->rank != 2) {
        return shape_fails(SHAPE_OPERAND, 0, 0, 0, 0);
    }
    uint32_t dims[2] = {type->dims[1], type->dims[0]};
    return shape_fits(type_tensor(types, type->base, 2, dims));
}

bool shape_is_vector(const Type *type) {
    return type->depth == 1 && type->rank == 1;
}

bool shape_is_matrix(const Type *type) {
    return type->depth == 1 && type->rank == 2;
}

bool shape_is_square(const Type *type) {
    return shape_is_matrix(type) && type->dims[0] == type->dims[1];
}

ShapeFit shape_outer(TypeTable *types, const Type *left, const Type *right) {
    CHECK(shape_is_vector(left) && shape_is_vector(right));
    uint32_t dims[2] = {left->dims[0], right->dims[0]};
    const Type *scalar = type_scalar(types, greater_root(left->root, right->root));
    return shape_fits(type_tensor(types, scalar, 2, dims));
}

const Type *shape_diagonal(TypeTable *types, const Type *matrix) {
    CHECK(shape_is_matrix(matrix));
    uint32_t rows = matrix->dims[0];
    uint32_t columns = matrix->dims[1];
    uint32_t length = rows < columns ? rows : columns;
    return type_tensor(types, matrix->base, 1, &length);
}

ShapeFit shape_solve(const Type *matrix, const Type *right) {
    CHECK(shape_is_square(matrix));
    if (!shape_is_vector(right) && !shape_is_matrix(right)) {
        return shape_fails(SHAPE_OPERAND, 0, 0, 1, 0);
    }
    uint32_t rows = matrix->dims[0];
    if (rows != right->dims[0]) {
        return shape_fails(SHAPE_LENGTHS, 0, 0, rows, right->dims[0]);
    }
    return shape_fits(right);
}

bool shape_has_dim(const Type *type, int64_t dim) {
    return dim >= 0 && dim < type->rank;
}

ShapeFit shape_concat(TypeTable *types, const Type *left, const Type *right, unsigned axis) {
    if (type_is_scalar(left) || type_is_scalar(right)) {
        return shape_fails(SHAPE_OPERAND, 0, 0, type_is_scalar(left) ? 0 : 1, 0);
    }
    if (left->rank != right->rank) {
        return shape_fails(SHAPE_RANKS, 0, 0, left->rank, right->rank);
    }
    uint32_t dims[TYPE_RANK_LIMIT];
    for (unsigned d = 0; d < left->rank; d++) {
        dims[d] = left->dims[d];
        if (d == axis) {
            if (left->dims[d] > TYPE_SCALARS_LIMIT - right->dims[d]) {
                return shape_fails(SHAPE_TOO_LARGE, 0, d, left->dims[d], right->dims[d]);
            }
            dims[d] += right->dims[d];
        } else if (left->dims[d] != right->dims[d]) {
            return shape_fails(SHAPE_LENGTHS, 0, d, left->dims[d], right->dims[d]);
        }
    }
    ShapeFit base = shape_common(types, left->base, right->base);
    if (base.why != SHAPE_OK) {
        base.level++;
        return base;
    }
    return shape_fits(type_tensor(types, base.type, left->rank, dims));
}

const Type *shape_with_last(TypeTable *types, const Type *type, uint64_t length) {
    uint32_t dims[TYPE_RANK_LIMIT];
    memcpy(dims, type->dims, type->rank * sizeof(dims[0]));
    const Type *base = type->base;
    if (type_is_tensor(base)) {
        base = shape_with_last(types, base, length);
    } else if (length > TYPE_SCALARS_LIMIT) {
        return NULL;
    } else {
        dims[type->rank - 1] = (uint32_t)length;
    }
    return base == NULL ? NULL : type_tensor(types, base, type->rank, dims);
}

const Type *shape_with_base(TypeTable *types, const Type *type, const Type *base) {
    if (type_is_scalar(type)) {
        return base;
    }
    base = shape_with_base(types, type->base, base);
    return base == NULL ? NULL : type_tensor(types, base, type->rank, type->dims);
}

bool shape_has_pairs(const Type *type) {
    while (type_is_tensor(type) && type_is_tensor(type->base)) {
        type = type->base;
    }
    return type_is_tensor(type) && type->rank == 1 && type->dims[0] == 2;
}

const Type *shape_narrow(TypeTable *types, const Type *type) {
    if (type_is_scalar(type)) {
        return type;
    }
    uint32_t dims[TYPE_RANK_LIMIT];
    size_t rank = 0;
    for (unsigned d = 0; d < type->rank; d++) {
        if (type->dims[d] != 1) {
            dims[rank++] = type->dims[d];
        }
    }
    return shape_with_dims(types, type, rank, dims);
}

// `type` without its level `level`; flat axes from *axis on are those of that level.
static const Type *without_level(TypeTable *types, const Type *type, unsigned level, uint32_t *axis,
                                 uint32_t *count) {
    if (level == 0) {
        *count = type->rank;
        return type->base;
    }
    *axis += type->rank;
    const Type *base = without_level(types, type->base, level - 1, axis, count);
    return type_tensor(types, base, type->rank, type->dims);
}

const Type *shape_reduce(TypeTable *types, const Type *type, bool above, uint32_t *axis,
                         uint32_t *count) {
    *axis = 0;
    *count = 0;
    unsigned level = type->depth - (above && type->depth > 1 ? 2U : 1U);
    return type_is_scalar(type) ? type : without_level(types, type, level, axis, count);
}

bool shape_is_deeper(const Type *type, const Type *other) {
    return type->depth > other->depth;
}

bool shape_is_stretched(const Type *source, size_t dim, const Type *target, size_t at) {
    return source->dims[dim] == 1 && target->dims[at] != 1;
}

void shape_axes(const Type *source, const Type *target, int32_t *axes) {
    const Type *a = source;
    const Type *b = target;
    int32_t offset = 0;
    for (size_t flat = 0; type_is_tensor(a); a = a->base, b = b->base) {
        CHECK(type_is_tensor(b) && a->rank <= b->rank);
        int32_t shift = offset + (int32_t)b->rank - (int32_t)a->rank;
        for (int32_t d = 0; d < (int32_t)a->rank; d++) {
            int32_t at = (int32_t)b->rank - (int32_t)a->rank + d;
            bool stretched = shape_is_stretched(a, (size_t)d, b, (size_t)at);
            axes[flat++] = stretched ? -1 : shift + d;
        }
        offset += (int32_t)b->rank;
    }
}

ShapeFit shape_place(TypeTable *types, const Type *type, size_t rank, const uint32_t *lengths,
                     const int64_t *positions, size_t position_count) {
    if (position_count != type->rank || rank > TYPE_RANK_LIMIT) {
        return shape_fails(SHAPE_COUNT, 0, 0, (uint32_t)position_count, type->rank);
    }
    for (unsigned d = 0; d < type->rank; d++) {
        int64_t at = positions[d];
        if (at < 0 || at >= (int64_t)rank || (d > 0 && at <= positions[d - 1])) {
            return (ShapeFit){.why = SHAPE_OPERAND, .dim = d, .index = at};
        }
    }
    uint32_t dims[TYPE_RANK_LIMIT];
    for (size_t d = 0; d < rank; d++) {
        dims[d] = lengths == NULL ? 1 : lengths[d];
    }
    for (unsigned d = 0; d < type->rank; d++) {
        int64_t at = positions[d];
        if (lengths == NULL) {
            dims[at] = type->dims[d];
        } else if (type->dims[d] != 1 && type->dims[d] != dims[at]) {
            return shape_fails(SHAPE_LENGTHS, 0, d, type->dims[d], dims[at]);
        }
    }
    const Type *base = type_is_scalar(type) ? type : type->base;
    return shape_fits(type_tensor(types, base, rank, dims));
}

ShapeFit shape_reshape(TypeTable *types, const Type *type, size_t rank, const uint32_t *dims) {
    const Type *base = type_is_scalar(type) ? type : type->base;
    const Type *result = type_tensor(types, base, rank, dims);
    if (result != NULL && result->numel != type->numel) {
        return shape_fails(SHAPE_LENGTHS, 0, 0, type->numel / base->numel,
                           result->numel / base->numel);
    }
    return shape_fits(result);
}

ShapeFit shape_permute(TypeTable *types, const Type *type, const int64_t *order, size_t count) {
    if (type_is_scalar(type) || count != type->rank) {
        return shape_fails(SHAPE_COUNT, 0, 0, (uint32_t)count, type->rank);
    }
    uint32_t dims[TYPE_RANK_LIMIT];
    bool used[TYPE_RANK_LIMIT] = {false};
    for (unsigned d = 0; d < type->rank; d++) {
        if (order[d] < 0 || order[d] >= type->rank || used[order[d]]) {
            return (ShapeFit){.why = SHAPE_OPERAND, .dim = d, .index = order[d]};
        }
        used[order[d]] = true;
        dims[d] = type->dims[order[d]];
    }
    return shape_fits(type_tensor(types, type->base, type->rank, dims));
}

ShapeFit shape_nest(TypeTable *types, const Type *type, int64_t count) {
    if (type_is_scalar(type) || count < 1 || count >= type->rank) {
        return (ShapeFit){.why = SHAPE_OPERAND, .left = type->rank, .index = count};
    }
    size_t outer = type->rank - (size_t)count;
    const Type *base = type_tensor(types, type->base, (size_t)count, type->dims + outer);
    return shape_fits(base == NULL ? NULL : type_tensor(types, base, outer, type->dims));
}

ShapeFit shape_unnest(TypeTable *types, const Type *type) {
    if (type->depth < 2) {
        return (ShapeFit){.why = SHAPE_OPERAND};
    }
    size_t rank = (size_t)type->rank + type->base->rank;
    return shape_fits(type_tensor(types, type->base->base, rank, type->dims));
}

bool shape_is_vector_of(const Type *type, uint32_t length) {
    return type_is_tensor(type) && type->rank == 1 && type->dims[0] == length;
}

int64_t shape_range_count(int64_t first, int64_t last, int64_t step) {
    CHECK(step != 0);
    int64_t distance = step > 0 ? last - first : first - last;
    int64_t stride = step > 0 ? step : -step;
    return distance <= 0 ? 0 : (distance + stride - 1) / stride;
}

bool shape_is_outside(uint32_t length, int64_t least, int64_t most, int64_t *outside) {
    *outside = least < 0 ? least : most;
    return least < 0 || most >= length;
}

// Completes a range on a dim of length `length`. False, with *fit set, when it selects nothing or
// something outside.
static bool resolve_range(ShapeIndex *index, uint32_t length, bool as_target, ShapeFit *fit) {
    if (!index->has_step) {
        index->step = 1;
    }
    bool down = index->step < 0;
    // The end that is left out lies at 0 or before it whatever the length; the other one does not.
    bool bounded = down ? index->has_first : index->has_last;
    if (!index->has_first) {
        index->start = down ? (int64_t)length - 1 : 0;
    }
    if (!index->has_last) {
        index->last = down ? -1 : (int64_t)length;
    }
    int64_t count = shape_range_count(index->start, index->last, index->step);
    if (count == 0) {
        *fit = (ShapeFit){.why = SHAPE_EMPTY, .left = length};
        return false;
    }
    if (length == 1 && bounded) {
        index->start = 0;
        index->step = 0;
        count = as_target ? 1 : count;
        if (count > TYPE_SCALARS_LIMIT) {
            *fit = (ShapeFit){.why = SHAPE_TOO_LARGE};
            return false;
        }
        index->len = (uint32_t)count;
        return true;
    }
    int64_t end = index->start + (count - 1) * index->step;
    int64_t outside;
    if (shape_is_outside(length, down ? end : index->start, down ? index->start : end, &outside)) {
        *fit = (ShapeFit){.why = SHAPE_BOUNDS, .left = length, .index = outside};
        return false;
    }
    index->len = (uint32_t)count;
    return true;
}

ShapeFit shape_index(TypeTable *types, const Type *type, ShapeIndex *indices, size_t count,
                     bool as_target) {
    if (count != type->rank) {
        return shape_fails(SHAPE_COUNT, 0, 0, (uint32_t)count, type->rank);
    }
    uint32_t dims[TYPE_RANK_LIMIT];
    size_t rank = 0;
    for (unsigned d = 0; d < type->rank; d++) {
        ShapeIndex *index = &indices[d];
        uint32_t length = type->dims[d];
        int64_t outside;
        if (index->is_range) {
            ShapeFit fit;
            if (!resolve_range(index, length, as_target, &fit)) {
                fit.dim = d;
                return fit;
            }
            dims[rank++] = index->len;
        } else if (length == 1) {
            index->is_constant = true;
            index->start = 0;
        } else if (index->is_constant &&
                   shape_is_outside(length, index->start, index->start, &outside)) {
            return (ShapeFit){.why = SHAPE_BOUNDS, .dim = d, .left = length, .index = outside};
        }
    }
    return shape_fits(shape_with_dims(types, type, rank, dims));
}

const Type *shape_elements(TypeTable *types, const Type *type) {
    uint32_t count = 1;
    for (unsigned d = 0; d < type->rank; d++) {
        count *= type->dims[d];
    }
    return type_tensor(types, type->base, 1, &count);
}
