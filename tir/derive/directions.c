// Types and index maps of changes. Products of matrices have at most two axes each, so there the
// axis of directions joins that of rows or columns.
#include "tir/derive/directions.h"

#include "support/bug.h"

#include <string.h>

const Type *directions_type(const Directions *directions, const Type *type) {
    if (directions->count == 0) {
        return type;
    }
    size_t rank = type->flat_rank;
    uint32_t *dims = ARENA_ARRAY(directions->tir->arena, uint32_t, rank + 1);
    for (size_t k = 0; k < rank; k++) {
        dims[k] = type->dims[k];
    }
    dims[rank] = directions->count;
    return type_flat(directions->tir->types, type->root, rank + 1, dims);
}

TirExpr *directions_stretch(const Directions *directions, TirExpr *value) {
    Tir *tir = directions->tir;
    if (directions->count == 0) {
        return value;
    }
    size_t rank = value->type->flat_rank;
    TirAxis *axes = ARENA_ARRAY(tir->arena, TirAxis, rank + 1);
    for (size_t k = 0; k < rank; k++) {
        axes[k] = (TirAxis){.axis = (int32_t)k, .step = 1};
    }
    return tir_view(tir, directions_type(directions, value->type), value, axes, value->span);
}

TirExpr *directions_zero(const Directions *directions, const Type *type, Span span) {
    Tir *tir = directions->tir;
    return tir_view(tir, directions_type(directions, type), tir_const_real(tir, 0, span), NULL,
                    span);
}

TirExpr *directions_view(const Directions *directions, const Type *type, TirExpr *change,
                         const TirAxis *axes, Span span) {
    Tir *tir = directions->tir;
    if (directions->count == 0) {
        return tir_view(tir, type, change, axes, span);
    }
    size_t rank = change->type->flat_rank - 1U;
    TirAxis *all = ARENA_ARRAY(tir->arena, TirAxis, rank + 1);
    for (size_t k = 0; k < rank; k++) {
        all[k] = axes[k];
    }
    all[rank] = (TirAxis){.axis = (int32_t)type->flat_rank, .step = 1};
    return tir_view(tir, directions_type(directions, type), change, all, span);
}

TirExpr *directions_rotate(Tir *tir, TirExpr *expr, uint32_t first, uint32_t count, bool to_left) {
    uint32_t rank = expr->type->flat_rank;
    TirAxis *axes = ARENA_ARRAY(tir->arena, TirAxis, rank);
    uint32_t *dims = ARENA_ARRAY(tir->arena, uint32_t, rank);
    for (uint32_t k = 0; k < rank; k++) {
        uint32_t by = to_left ? count - 1 : 1;
        uint32_t at = k < first || k >= first + count ? k : first + (k - first + by) % count;
        axes[k] = (TirAxis){.axis = (int32_t)at, .step = 1};
        dims[at] = expr->type->dims[k];
    }
    const Type *type = type_flat(tir->types, expr->type->root, rank, dims);
    return tir_view(tir, type, expr, axes, expr->span);
}

static TirExpr *reshaped(Tir *tir, TirExpr *expr, size_t rank, const uint32_t *dims) {
    return tir_reshape(tir, type_flat(tir->types, expr->type->root, rank, dims), expr, expr->span);
}

// Each element by itself, as all directions are to begin with.
static bool is_identity(const TirExpr *change) {
    const Type *type = change->type;
    if (change->kind != EXPR_CONST || type->flat_rank != 2 || type->dims[0] != type->dims[1]) {
        return false;
    }
    for (uint32_t i = 0; i < type->numel; i++) {
        if (change->data[i].real != (i % (type->dims[0] + 1) == 0 ? 1 : 0)) {
            return false;
        }
    }
    return true;
}

TirExpr *directions_dot_right(const Directions *directions, const Type *type, TirExpr *left,
                              TirExpr *change) {
    Tir *tir = directions->tir;
    const Type *all = directions_type(directions, type);
    if (directions->count == 0) {
        return tir_dot(tir, type, left, change, left->span);
    }
    if (is_identity(change)) {
        return tir_reshape(tir, all, left, left->span);
    }
    uint32_t terms = change->type->dims[0];
    uint32_t columns = change->type->numel / terms;
    TirExpr *right = reshaped(tir, change, 2, (uint32_t[]){terms, columns});
    uint32_t dims[] = {left->type->dims[0], columns};
    size_t rank = left->type->flat_rank;
    const Type *flat = type_flat(tir->types, type->root, rank, rank == 1 ? &dims[1] : dims);
    return tir_reshape(tir, all, tir_dot(tir, flat, left, right, left->span), left->span);
}

// The sum of products over the terms, where directions lie side by side as they are.
static TirExpr *sum_of_terms(const Directions *directions, const Type *type, TirExpr *change,
                             TirExpr *right) {
    Tir *tir = directions->tir;
    uint32_t rows = change->type->flat_rank - 2U, columns = right->type->flat_rank - 1U;
    uint32_t dims[4], rank = 0;
    TirAxis left_axes[3], right_axes[2];
    for (uint32_t k = 0; k < rows; k++) {
        left_axes[k] = (TirAxis){.axis = (int32_t)rank, .step = 1};
        dims[rank++] = change->type->dims[k];
    }
    left_axes[rows] = right_axes[0] = (TirAxis){.axis = (int32_t)rank, .step = 1};
    dims[rank++] = right->type->dims[0];
    for (uint32_t k = 0; k < columns; k++) {
        right_axes[1 + k] = (TirAxis){.axis = (int32_t)rank, .step = 1};
        dims[rank++] = right->type->dims[1 + k];
    }
    left_axes[rows + 1] = (TirAxis){.axis = (int32_t)rank, .step = 1};
    dims[rank++] = directions->count;
    const Type *all = type_flat(tir->types, ROOT_REAL, rank, dims);
    Span span = change->span;
    TirExpr *product = tir_map(tir, OP_MUL, all, tir_view(tir, all, change, left_axes, span),
                               tir_view(tir, all, right, right_axes, span), NULL, span);
    return tir_reduce(tir, REDUCE_SUM, directions_type(directions, type), product, rows, 1, span);
}

// Up to so many columns it takes less to read the change again for each than to turn it.
enum { COLUMNS_OF_SUMS = 4 };

TirExpr *directions_dot_left(const Directions *directions, const Type *type, TirExpr *change,
                             TirExpr *right) {
    Tir *tir = directions->tir;
    if (directions->count == 0) {
        return tir_dot(tir, type, change, right, change->span);
    }
    if (right->type->numel / right->type->dims[0] <= COLUMNS_OF_SUMS) {
        return sum_of_terms(directions, type, change, right);
    }
    // The terms become the last axis: [rows, directions, terms] or [directions, terms].
    uint32_t rank = change->type->flat_rank;
    TirExpr *turned = directions_rotate(tir, change, rank - 2, 2, true);
    uint32_t terms = right->type->dims[0];
    uint32_t rows = change->type->numel / terms;
    TirExpr *left = reshaped(tir, turned, 2, (uint32_t[]){rows, terms});
    uint32_t dims[4] = {rows};
    size_t columns = right->type->flat_rank == 2;
    if (columns > 0) {
        dims[1] = right->type->dims[1];
    }
    TirExpr *dot = tir_dot(tir, type_flat(tir->types, type->root, 1 + columns, dims), left, right,
                           change->span);
    // [rows * directions, columns] as [rows, directions, columns], and the directions to the end.
    size_t at = 0;
    if (rank == 3) {
        dims[at++] = change->type->dims[0];
    }
    dims[at++] = directions->count;
    if (columns > 0) {
        dims[at++] = right->type->dims[1];
    }
    TirExpr *apart = reshaped(tir, dot, at, dims);
    return columns == 0 ? apart : directions_rotate(tir, apart, (uint32_t)at - 2, 2, true);
}
