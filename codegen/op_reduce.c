// Reductions: loops that carry what was combined so far. Terms are combined in row-major order, so
// the bits never depend on the level of optimisation.
#include "codegen/element.h"
#include "codegen/loop.h"

#include <math.h>

// What changes nothing: the value before the first term. -0.0 + x is x for every x.
static LLVMValueRef neutral(Gen *gen, TirReduction op, Root root) {
    bool is_real = root == ROOT_REAL;
    switch (op) {
    case TIR_REDUCE_SUM: return is_real ? gen_real(gen, -0.0) : gen_i32(gen, 0);
    case TIR_REDUCE_PROD: return is_real ? gen_real(gen, 1) : gen_i32(gen, 1);
    case TIR_REDUCE_MIN:
    case TIR_REDUCE_ARGMIN:
        return is_real ? gen_real(gen, (double)INFINITY)
                       : gen_i32(gen, root == ROOT_INT ? INT32_MAX : UINT32_MAX);
    case TIR_REDUCE_MAX:
    case TIR_REDUCE_ARGMAX:
        return is_real ? gen_real(gen, -(double)INFINITY)
                       : gen_i32(gen, root == ROOT_INT ? INT32_MIN : 0);
    case TIR_REDUCE_ALL: return gen_i1(gen, true);
    case TIR_REDUCE_ANY: return gen_i1(gen, false);
    }
    UNREACHABLE();
}

// argmin and argmax: whether `value` is better than `best`, that is strictly beyond it, or the
// first nan.
static LLVMValueRef is_better(Gen *gen, bool is_max, Root root, LLVMValueRef value,
                              LLVMValueRef best) {
    LLVMBuilderRef builder = gen->builder;
    if (root != ROOT_REAL) {
        LLVMIntPredicate above = root == ROOT_INT ? LLVMIntSGT : LLVMIntUGT;
        LLVMIntPredicate below = root == ROOT_INT ? LLVMIntSLT : LLVMIntULT;
        return LLVMBuildICmp(builder, is_max ? above : below, value, best, "");
    }
    LLVMValueRef beyond =
        LLVMBuildFCmp(builder, is_max ? LLVMRealUGT : LLVMRealULT, value, best, "");
    LLVMValueRef best_is_number = LLVMBuildFCmp(builder, LLVMRealORD, best, best, "");
    return LLVMBuildAnd(builder, beyond, best_is_number, "");
}

typedef struct Reduction {
    const TirExpr *expr;
    const LLVMValueRef *outer; // the position in the result, one per its flat dim
} Reduction;

// The operand's position: the result's dims with the reduced ones put in at `axis`.
static Index operand_index(Gen *gen, const Reduction *reduction, const LLVMValueRef *inner) {
    const TirExpr *expr = reduction->expr;
    size_t rank = expr->reduce.operand->type->flat_rank;
    size_t axis = expr->reduce.axis;
    size_t end = axis + expr->reduce.axis_count;
    LLVMValueRef *at = ARENA_ARRAY(gen->arena, LLVMValueRef, rank);
    for (size_t k = 0; k < rank; k++) {
        at[k] = k < axis  ? reduction->outer[k]
                : k < end ? inner[k - axis]
                          : reduction->outer[k - expr->reduce.axis_count];
    }
    return index_at(at);
}

// carried[0] is what was combined so far; of argmin and argmax carried[1] is its position and
// carried[2] the position at hand.
static void reduce_term(Gen *gen, void *data, const LLVMValueRef *at, LLVMValueRef *carried) {
    const Reduction *reduction = data;
    const TirExpr *operand = reduction->expr->reduce.operand;
    Root root = operand->type->root;
    LLVMValueRef value = element(gen, operand, operand_index(gen, reduction, at));
    LLVMValueRef so_far = carried[0];
    TirReduction op = reduction->expr->reduce.op;
    switch (op) {
    case TIR_REDUCE_SUM: carried[0] = op_add(gen, root, so_far, value); return;
    case TIR_REDUCE_PROD: carried[0] = op_mul(gen, root, so_far, value); return;
    case TIR_REDUCE_MIN: carried[0] = op_min_max(gen, false, root, so_far, value); return;
    case TIR_REDUCE_MAX: carried[0] = op_min_max(gen, true, root, so_far, value); return;
    case TIR_REDUCE_ALL: carried[0] = LLVMBuildAnd(gen->builder, so_far, value, ""); return;
    case TIR_REDUCE_ANY: carried[0] = LLVMBuildOr(gen->builder, so_far, value, ""); return;
    case TIR_REDUCE_ARGMIN:
    case TIR_REDUCE_ARGMAX: {
        LLVMValueRef better = is_better(gen, op == TIR_REDUCE_ARGMAX, root, value, so_far);
        carried[0] = LLVMBuildSelect(gen->builder, better, value, so_far, "");
        carried[1] = LLVMBuildSelect(gen->builder, better, carried[2], carried[1], "");
        carried[2] = LLVMBuildAdd(gen->builder, carried[2], gen_i32(gen, 1), "");
        return;
    }
    }
    UNREACHABLE();
}

LLVMValueRef op_reduce(Gen *gen, const TirExpr *expr, Index index) {
    const TirExpr *operand = expr->reduce.operand;
    TirReduction op = expr->reduce.op;
    bool is_arg = op == TIR_REDUCE_ARGMIN || op == TIR_REDUCE_ARGMAX;
    LLVMValueRef carried[] = {neutral(gen, op, operand->type->root), gen_i32(gen, 0),
                              gen_i32(gen, 0)};
    Reduction reduction = {expr, index_dims(gen, expr->type, index)};
    LoopSpace space = {
        .dims = operand->type->dims + expr->reduce.axis,
        .rank = expr->reduce.axis_count,
        .unrolled = element_unrolls(operand, operand->type->numel / expr->type->numel),
    };
    loop_nest(gen, space, carried, is_arg ? 3 : 1, reduce_term, &reduction);
    return is_arg ? carried[1] : carried[0];
}
