// Products of vectors and matrices (L5.5): the last dim of the left operand times the first of the
// right. plan/terms.c says which add their terms in lanes.
#include "codegen/emit/op_dot.h"

#include "codegen/emit/chains.h"
#include "codegen/emit/element.h"
#include "codegen/emit/index.h"
#include "codegen/emit/lane_sum.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/matrix_vector.h"
#include "codegen/emit/op_map.h"
#include "codegen/emit/term_tree.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "codegen/plan/terms.h"
#include "support/table.h"

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

static void add_term(Gen *gen, void *data, LLVMValueRef term, LLVMValueRef *sums) {
    const Dot *dot = data;
    Index left, right;
    dot_indices(gen, dot, term, 1, &left, &right);
    LLVMValueRef values[] = {element(gen, dot->expr->dot.left, left),
                             element(gen, dot->expr->dot.right, right), sums[0]};
    lanes_match(gen, values, 3);
    sums[0] = op_multiply_add(gen, dot->expr->type->root, values[0], values[1], values[2]);
}

typedef struct LaneDot {
    Dot dot;
    TermsPlan plan;
} LaneDot;

static LLVMValueRef dot_operand(Gen *gen, const LaneDot *lane, bool is_left, LLVMValueRef position,
                                unsigned lanes) {
    const TirExpr *expr = lane->dot.expr;
    const TirExpr *operand = is_left ? expr->dot.left : expr->dot.right;
    bool at_once = lane->plan.reads[is_left ? 0 : 1] == TERMS_STEP;
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

static LLVMValueRef add_lanes(Gen *gen, const void *data, LLVMValueRef position, unsigned lanes,
                              LLVMValueRef so_far) {
    const LaneDot *lane = data;
    LLVMValueRef left = dot_operand(gen, lane, true, position, lanes);
    LLVMValueRef right = dot_operand(gen, lane, false, position, lanes);
    return op_multiply_add(gen, lane->dot.expr->type->root, left, right, so_far);
}

static LLVMValueRef join_lanes(Gen *gen, const void *data, LLVMValueRef a, LLVMValueRef b) {
    const LaneDot *lane = data;
    return op_add(gen, lane->dot.expr->type->root, a, b);
}

LaneFold op_dot_fold(Gen *gen, const TirExpr *expr, Index index) {
    LaneSum *sum = ARENA_NEW(gen->arena, LaneSum);
    LaneDot *lane = ARENA_NEW(gen->arena, LaneDot);
    *lane = (LaneDot){{expr, index_spread(gen, expr->type, index)}, terms_plan(&gen->facts, expr)};
    *sum = (LaneSum){
        .plan = lane->plan,
        .neutral = op_no_sum(gen, expr->type->root),
        .add = add_lanes,
        .join = join_lanes,
        .data = lane,
    };
    return lane_sum(sum);
}

static LLVMValueRef add_item(Gen *gen, const void *data, uint64_t number, LLVMValueRef so_far) {
    const TirExpr *expr = data;
    LLVMValueRef values[] = {
        element(gen, expr->dot.left->literal.items[number], index_scalar(gen)),
        element(gen, expr->dot.right->literal.items[number], index_scalar(gen)),
        so_far == NULL ? op_no_sum(gen, expr->type->root) : so_far,
    };
    lanes_match(gen, values, 3);
    return op_multiply_add(gen, expr->type->root, values[0], values[1], values[2]);
}

static LLVMValueRef join_items(Gen *gen, const void *data, LLVMValueRef a, LLVMValueRef b) {
    const TirExpr *expr = data;
    return op_add(gen, expr->type->root, a, b);
}

LLVMValueRef op_dot(Gen *gen, const TirExpr *expr, Index index) {
    LLVMValueRef known = table_get(&gen->reduced, expr);
    if (known != NULL) {
        return known;
    }
    TermsPlan plan = terms_plan(&gen->facts, expr);
    if (expr->dot.left->kind == EXPR_LITERAL) { // of scalars (tir/spread_element.c)
        TermTree tree = {&plan, add_item, join_items, expr};
        return term_tree(gen, &tree);
    }
    if (index.lanes > 1 && terms_take_rows(&gen->facts, expr)) {
        index = index_spread(gen, expr->type, index);
        if (index.steps[0] != 0) {
            return matrix_vector(gen, expr, index, &plan);
        }
        index.lanes = 1; // the same in all of them
    }
    if (!plan.in_lanes) {
        Dot dot = {expr, index_spread(gen, expr->type, index)};
        LLVMValueRef sums[2] = {lanes_splat(gen, op_no_sum(gen, expr->type->root), index.lanes)};
        Chains chains = {plan.chains, plan.count, plan.unrolled, add_term, &dot};
        chains_sum(gen, &chains, sums, 1);
        return sums[0];
    }
    CHECK(index.lanes == 1);
    LaneFold fold = op_dot_fold(gen, expr, index);
    LLVMValueRef result;
    lane_fold(gen, &fold, 1, fold.plan->ways, &result);
    return result;
}
