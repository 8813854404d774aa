// Products of vectors and matrices (L5.5): the last dim of the left operand times the first of the
// right, terms added in order.
#include "codegen/element.h"
#include "codegen/loop.h"

typedef struct Dot {
    const TirExpr *expr;
    const LLVMValueRef *outer;
} Dot;

static void dot_term(Gen *gen, void *data, const LLVMValueRef *at, LLVMValueRef *carried) {
    const Dot *dot = data;
    const TirExpr *left = dot->expr->dot.left;
    const TirExpr *right = dot->expr->dot.right;
    size_t kept_left = left->type->flat_rank - 1u;
    LLVMValueRef *left_at = ARENA_ARRAY(gen->arena, LLVMValueRef, left->type->flat_rank);
    LLVMValueRef *right_at = ARENA_ARRAY(gen->arena, LLVMValueRef, right->type->flat_rank);
    for (size_t k = 0; k < kept_left; k++) {
        left_at[k] = dot->outer[k];
    }
    left_at[kept_left] = at[0];
    right_at[0] = at[0];
    for (size_t k = 1; k < right->type->flat_rank; k++) {
        right_at[k] = dot->outer[kept_left + k - 1];
    }
    Root root = dot->expr->type->root;
    LLVMValueRef product = op_mul(gen, root, element(gen, left, index_at(left_at)),
                                  element(gen, right, index_at(right_at)));
    carried[0] = op_add(gen, root, carried[0], product);
}

LLVMValueRef op_dot(Gen *gen, const TirExpr *expr, Index index) {
    uint32_t terms = expr->dot.right->type->dims[0];
    Dot dot = {expr, index_dims(gen, expr->type, index)};
    uint64_t cost = element_cost(expr->dot.left) + element_cost(expr->dot.right);
    LLVMValueRef sum = expr->type->root == ROOT_REAL ? gen_real(gen, -0.0) : gen_i32(gen, 0);
    LoopSpace space = {.dims = &terms, .rank = 1, .unrolled = terms * cost <= 64};
    loop_nest(gen, space, &sum, 1, dot_term, &dot);
    return sum;
}
