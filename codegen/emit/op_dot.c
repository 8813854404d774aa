// Products of vectors and matrices (L5.5): the last dim of the left operand times the first of the
// right. What ends in a vector or a scalar along the terms (v·v, M·v) adds them in lanes; what
// keeps the right operand's columns (M·M, v·M) adds them in order, so that lanes can run along the
// columns.
#include "codegen/emit/op_dot.h"

#include "codegen/emit/element.h"
#include "codegen/emit/estimate.h"
#include "codegen/emit/index.h"
#include "codegen/emit/lane_sum.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/loop.h"
#include "codegen/emit/op_map.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"

typedef struct Dot {
    const TirExpr *expr;
    Index outer; // the position in the result, by dims
} Dot;

// Term `term` of both operands, and, with `lanes`, those that follow it.
static void dot_indices(Gen *gen, const Dot *dot, LLVMValueRef term, unsigned lanes, Index *left,
                        Index *right) {
    const Type *left_type = dot->expr->dot.left->type;
    const Type *right_type = dot->expr->dot.right->type;
    size_t kept_left = left_type->flat_rank - 1u;
    LLVMValueRef *at = ARENA_ARRAY(gen->arena, LLVMValueRef, 4);
    int64_t *steps = ARENA_ARRAY(gen->arena, int64_t, 4);
    bool moves = dot->outer.lanes > 1;
    *left = (Index){.at = at, .lanes = moves ? dot->outer.lanes : lanes, .steps = steps};
    *right = (Index){.at = at + 2, .lanes = left->lanes, .steps = steps + 2};
    if (kept_left == 1) {
        at[0] = dot->outer.at[0];
        steps[0] = moves ? dot->outer.steps[0] : 0;
    }
    at[kept_left] = at[2] = term;
    steps[kept_left] = steps[2] = moves || lanes == 1 ? 0 : 1;
    if (right_type->flat_rank == 2) {
        at[3] = dot->outer.at[kept_left];
        steps[3] = moves ? dot->outer.steps[kept_left] : 0;
    }
}

static void add_term(Gen *gen, void *data, const LLVMValueRef *at, LLVMValueRef *carried) {
    const Dot *dot = data;
    Index left, right;
    dot_indices(gen, dot, at[0], 1, &left, &right);
    LLVMValueRef values[] = {element(gen, dot->expr->dot.left, left),
                             element(gen, dot->expr->dot.right, right), carried[0]};
    lanes_match(gen, values, 3);
    carried[0] = op_multiply_add(gen, dot->expr->type->root, values[0], values[1], values[2]);
}

typedef struct LaneDot {
    Dot dot;
    bool left_has_lanes, right_has_lanes;
} LaneDot;

static LLVMValueRef dot_operand(Gen *gen, const LaneDot *lane, bool is_left, LLVMValueRef position,
                                unsigned lanes) {
    const TirExpr *expr = lane->dot.expr;
    const TirExpr *operand = is_left ? expr->dot.left : expr->dot.right;
    bool at_once = is_left ? lane->left_has_lanes : lane->right_has_lanes;
    LLVMValueRef values[LANES_LIMIT];
    unsigned pieces = at_once ? 1 : lanes;
    for (unsigned i = 0; i < pieces; i++) {
        Index left, right;
        LLVMValueRef term = gen_index_add(gen, position, gen_i64(gen, i));
        dot_indices(gen, &lane->dot, term, lanes / pieces, &left, &right);
        values[i] = element(gen, operand, is_left ? left : right);
    }
    return pieces == 1 ? lanes_splat(gen, values[0], lanes) : lanes_collect(gen, values, lanes);
}

static LLVMValueRef add_lanes(Gen *gen, void *data, LLVMValueRef position, unsigned lanes,
                              LLVMValueRef so_far) {
    const LaneDot *lane = data;
    LLVMValueRef left = dot_operand(gen, lane, true, position, lanes);
    LLVMValueRef right = dot_operand(gen, lane, false, position, lanes);
    return op_multiply_add(gen, lane->dot.expr->type->root, left, right, so_far);
}

static LLVMValueRef join_lanes(Gen *gen, void *data, LLVMValueRef a, LLVMValueRef b) {
    const LaneDot *lane = data;
    return op_add(gen, lane->dot.expr->type->root, a, b);
}

static uint32_t term_count(const TirExpr *expr) {
    return expr->dot.right->type->dims[0];
}

bool op_dot_takes_lanes(Gen *gen, const TirExpr *expr) {
    bool keeps_order = expr->type->root == ROOT_REAL && gen->options->fp == FP_STRICT;
    return !keeps_order && expr->dot.right->type->flat_rank == 1 &&
           lane_sum_pays(gen, term_count(expr), expr->type->root);
}

LLVMValueRef op_dot(Gen *gen, const TirExpr *expr, Index index) {
    Root root = expr->type->root;
    uint32_t terms = term_count(expr);
    Dot dot = {expr, index_spread(gen, expr->type, index)};
    LLVMValueRef zero = root == ROOT_REAL ? gen_real(gen, -0.0) : gen_i32(gen, 0);
    if (!op_dot_takes_lanes(gen, expr)) {
        uint64_t cost = element_cost(expr->dot.left) + element_cost(expr->dot.right);
        LLVMValueRef sum = lanes_splat(gen, zero, index.lanes);
        LoopSpace space = {.dims = &terms, .rank = 1, .unrolled = terms * cost <= 64};
        loop_nest(gen, space, &sum, 1, add_term, &dot);
        return sum;
    }
    CHECK(index.lanes == 1);
    int64_t left_steps[2] = {0};
    left_steps[expr->dot.left->type->flat_rank - 1] = 1;
    int64_t right_steps[] = {1};
    LaneDot lane = {dot, element_has_lanes(gen, expr->dot.left, left_steps),
                    element_has_lanes(gen, expr->dot.right, right_steps)};
    LaneSum sum = {
        .count = terms,
        .lanes = lanes_full(gen, root),
        .neutral = zero,
        .add = add_lanes,
        .join = join_lanes,
        .data = &lane,
    };
    return lane_sum(gen, &sum);
}
