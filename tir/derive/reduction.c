// Index maps of reductions in three axes: those before, the reduced ones, those behind.
#include "tir/derive/reduction.h"

TirExpr *reduction_in_three(Tir *tir, const TirExpr *reduce, TirExpr *operand,
                            uint32_t directions) {
    const Type *from = reduce->reduce.operand->type;
    uint32_t dims[4] = {1, 1, 1, directions};
    for (uint32_t k = 0; k < from->flat_rank; k++) {
        bool is_before = k < reduce->reduce.axis;
        bool is_behind = k >= reduce->reduce.axis + reduce->reduce.axis_count;
        dims[is_before ? 0 : is_behind ? 2 : 1] *= from->dims[k];
    }
    bool has_directions = operand->type->numel != from->numel;
    const Type *type = type_flat(tir->types, operand->type->root, has_directions ? 4 : 3, dims);
    return tir_reshape(tir, type, operand, operand->span);
}

TirExpr *reduction_positions(Tir *tir, const TirExpr *reduce, TirExpr *values) {
    TirReduction op = reduce->reduce.op == REDUCE_MIN ? REDUCE_ARGMIN : REDUCE_ARGMAX;
    uint32_t dims[] = {values->type->dims[0], values->type->dims[2]};
    const Type *ints = type_flat(tir->types, ROOT_INT, 2, dims);
    return tir_reduce(tir, op, ints, values, 1, 1, reduce->span);
}

TirExpr *reduction_is_chosen(Tir *tir, const Type *values, TirExpr *positions) {
    Span span = positions->span;
    const Type *ints = type_with_root(tir->types, values, ROOT_INT);
    const Type *line = type_flat(tir->types, ROOT_INT, 1, &values->dims[1]);
    TirAxis outer[] = {{.axis = 0, .step = 1}, {.axis = 2, .step = 1}};
    TirAxis middle[] = {{.axis = 1, .step = 1}};
    return tir_map(tir, OP_EQ, type_with_root(tir->types, values, ROOT_BOOL),
                   tir_view(tir, ints, tir_iota(tir, line, span), middle, span),
                   tir_view(tir, ints, positions, outer, span), NULL, span);
}

TirExpr *reduction_slice(Tir *tir, TirVar *all, TirVar *counter) {
    Span span = all->span;
    TirAxis axes[] = {{.axis = 0, .step = 1},
                      {.axis = -1, .index = tir_read(tir, counter, span), .unchecked = true},
                      {.axis = 1, .step = 1},
                      {.axis = 2, .step = 1}};
    const Type *type = all->type;
    uint32_t dims[] = {type->dims[0], type->dims[2], type->flat_rank > 3 ? type->dims[3] : 0};
    return tir_view(tir, type_flat(tir->types, type->root, type->flat_rank - 1U, dims),
                    tir_read(tir, all, span), axes, span);
}
