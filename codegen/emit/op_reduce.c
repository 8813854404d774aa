// Reductions, as plan/terms.c says: terms are combined in lanes (lane_sum.h), or in row-major
// order, one after the other.
#include "codegen/emit/op_reduce.h"

#include "codegen/emit/arg_lanes.h"
#include "codegen/emit/calls.h"
#include "codegen/emit/element.h"
#include "codegen/emit/extent.h"
#include "codegen/emit/frame.h"
#include "codegen/emit/index.h"
#include "codegen/emit/lane_sum.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/loop.h"
#include "codegen/emit/masked_value.h"
#include "codegen/emit/op_map.h"
#include "codegen/emit/op_min_max.h"
#include "codegen/emit/term_tree.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "codegen/plan/terms.h"
#include "support/table.h"
#include "tir/visit.h"

#include <math.h>

// What changes nothing: the value before the first term.
static LLVMValueRef neutral(Gen *gen, TirReduction op, Root root) {
    bool is_real = root == ROOT_REAL;
    switch (op) {
    case REDUCE_SUM: return op_no_sum(gen, root);
    case REDUCE_PROD: return is_real ? gen_real(gen, 1) : gen_i32(gen, 1);
    case REDUCE_MIN:
    case REDUCE_ARGMIN:
        return is_real ? gen_real(gen, (double)INFINITY)
                       : gen_i32(gen, root == ROOT_INT ? INT32_MAX : UINT32_MAX);
    case REDUCE_MAX:
    case REDUCE_ARGMAX:
        return is_real ? gen_real(gen, -(double)INFINITY)
                       : gen_i32(gen, root == ROOT_INT ? INT32_MIN : 0);
    case REDUCE_ALL: return gen_i1(gen, true);
    case REDUCE_ANY: return gen_i1(gen, false);
    }
    UNREACHABLE();
}

static LLVMValueRef combined(Gen *gen, const TirExpr *expr, LLVMValueRef a, LLVMValueRef b) {
    Root root = expr->reduce.operand->type->root;
    switch (expr->reduce.op) {
    case REDUCE_SUM: return op_add(gen, root, a, b);
    case REDUCE_PROD: return op_mul(gen, root, a, b);
    case REDUCE_MIN: return op_min_max(gen, false, root, a, b);
    case REDUCE_MAX: return op_min_max(gen, true, root, a, b);
    case REDUCE_ALL: return LLVMBuildAnd(gen->builder, a, b, "");
    case REDUCE_ANY: return LLVMBuildOr(gen->builder, a, b, "");
    case REDUCE_ARGMIN:
    case REDUCE_ARGMAX: BUG("positions are not combined");
    }
    UNREACHABLE();
}

typedef struct Reduction {
    const TirExpr *expr;
    Index outer; // the position in the result, by dims
} Reduction;

// The operand's position: the result's dims with the reduced ones put in at `axis`.
static Index operand_index(Gen *gen, const Reduction *reduction, const LLVMValueRef *inner) {
    const TirExpr *expr = reduction->expr;
    const Index *outer = &reduction->outer;
    size_t rank = expr->reduce.operand->type->flat_rank;
    size_t axis = expr->reduce.axis;
    size_t end = axis + expr->reduce.axis_count;
    LLVMValueRef *at = ARENA_ARRAY(gen->arena, LLVMValueRef, rank);
    int64_t *steps = ARENA_ARRAY(gen->arena, int64_t, rank);
    for (size_t k = 0; k < rank; k++) {
        bool is_inner = k >= axis && k < end;
        size_t from = k < axis ? k : k - expr->reduce.axis_count;
        at[k] = is_inner ? inner[k - axis] : outer->at[from];
        steps[k] = is_inner || outer->lanes == 1 ? 0 : outer->steps[from];
    }
    return (Index){.at = at, .lanes = outer->lanes, .steps = steps};
}

// carried[0] is what was combined so far; of argmin and argmax carried[1] is its position and
// carried[2] the position at hand.
static void add_term(Gen *gen, void *data, const LLVMValueRef *at, LLVMValueRef *carried) {
    const Reduction *reduction = data;
    const TirExpr *expr = reduction->expr;
    const TirExpr *operand = expr->reduce.operand;
    LLVMValueRef value = element(gen, operand, operand_index(gen, reduction, at));
    value = lanes_like(gen, value, carried[0]);
    if (!tir_finds_place(expr)) {
        carried[0] = combined(gen, expr, carried[0], value);
        return;
    }
    LLVMValueRef better = arg_is_better(gen, expr->reduce.op == REDUCE_ARGMAX, operand->type->root,
                                        value, carried[0]);
    LLVMValueRef position = lanes_like(gen, carried[2], carried[1]);
    carried[0] = LLVMBuildSelect(gen->builder, better, value, carried[0], "");
    carried[1] = LLVMBuildSelect(gen->builder, better, position, carried[1], "");
    carried[2] = LLVMBuildAdd(gen->builder, carried[2], gen_i32(gen, 1), "");
}

static LLVMValueRef reduce_in_order(Gen *gen, Reduction *reduction, bool unrolled) {
    const TirExpr *expr = reduction->expr;
    const Type *from = expr->reduce.operand->type;
    unsigned lanes = reduction->outer.lanes;
    LLVMValueRef carried[] = {
        lanes_splat(gen, neutral(gen, expr->reduce.op, from->root), lanes),
        lanes_splat(gen, gen_i32(gen, 0), lanes),
        gen_i32(gen, 0),
    };
    LoopSpace space = {
        .dims = from->dims + expr->reduce.axis,
        .rank = expr->reduce.axis_count,
        .unrolled = unrolled,
    };
    loop_nest(gen, space, carried, tir_finds_place(expr) ? 3 : 1, add_term, reduction);
    return tir_finds_place(expr) ? carried[1] : carried[0];
}

typedef struct LaneReduction {
    Reduction reduction;
    TermsPlan plan;
} LaneReduction;

static LLVMValueRef flat_terms(Gen *gen, const LaneReduction *lane, LLVMValueRef position,
                               unsigned lanes) {
    const TirExpr *expr = lane->reduction.expr;
    Position outer = index_position(gen, expr->type, lane->reduction.outer);
    LLVMValueRef first = gen_index_mul(gen, outer.first, lane->plan.count);
    Index index = {.linear = gen_index_add(gen, first, position), .lanes = lanes, .step = 1};
    return element(gen, expr->reduce.operand, index);
}

// The reduced dims at a row-major position of theirs.
static Index term_index(Gen *gen, const LaneReduction *lane, LLVMValueRef position) {
    const TirExpr *expr = lane->reduction.expr;
    Type reduced = {
        .flat_rank = (uint16_t)expr->reduce.axis_count,
        .dims = expr->reduce.operand->type->dims + expr->reduce.axis,
    };
    Index inner = index_spread(gen, &reduced, index_linear(position));
    return operand_index(gen, &lane->reduction, inner.at);
}

static LLVMValueRef terms_of_row(Gen *gen, const LaneReduction *lane, LLVMValueRef position,
                                 unsigned lanes) {
    const TirExpr *expr = lane->reduction.expr;
    const TirExpr *operand = expr->reduce.operand;
    Index index = term_index(gen, lane, position);
    int64_t *steps = ARENA_ARRAY(gen->arena, int64_t, operand->type->flat_rank);
    steps[expr->reduce.axis + expr->reduce.axis_count - 1] = 1;
    return element(gen, operand, (Index){.at = index.at, .lanes = lanes, .steps = steps});
}

static LLVMValueRef single_terms(Gen *gen, const LaneReduction *lane, LLVMValueRef position,
                                 unsigned lanes) {
    LLVMValueRef values[LANES_LIMIT];
    for (unsigned i = 0; i < lanes; i++) {
        LLVMValueRef term = gen_index_add(gen, position, gen_i64(gen, i));
        values[i] = element(gen, lane->reduction.expr->reduce.operand, term_index(gen, lane, term));
    }
    return lanes_collect(gen, values, lanes);
}

// The last terms of a row and the first ones of the next, put together in memory; `in_row` of the
// row's are before the first one. Bools have no memory of their own size.
static LLVMValueRef terms_of_two_rows(Gen *gen, const LaneReduction *lane, LLVMValueRef position,
                                      LLVMValueRef in_row, unsigned lanes) {
    Root root = lane->reduction.expr->reduce.operand->type->root;
    if (root == ROOT_BOOL) {
        return single_terms(gen, lane, position, lanes);
    }
    LLVMValueRef row = gen_i64(gen, (int64_t)lane->plan.row);
    LLVMValueRef left = LLVMBuildSub(gen->builder, row, in_row, "");
    LLVMValueRef next = gen_index_add(gen, position, left);
    LLVMValueRef end = LLVMBuildSub(gen->builder, next, gen_i64(gen, lanes), "");
    LLVMValueRef terms[] = {lanes_splat(gen, terms_of_row(gen, lane, end, lanes), lanes),
                            lanes_splat(gen, terms_of_row(gen, lane, next, lanes), lanes)};
    LLVMValueRef memory = frame_elements(gen, root, 2 * lanes);
    for (unsigned i = 0; i < 2; i++) {
        Position at = {gen_i64(gen, (int64_t)i * lanes), 1};
        index_store(gen, root, terms[i], index_element(gen, root, memory, at), lanes);
    }
    Position at = {LLVMBuildSub(gen->builder, gen_i64(gen, lanes), left, ""), 1};
    return index_load(gen, root, index_element(gen, root, memory, at), lanes);
}

// Of one row, or, less often, of two.
static LLVMValueRef terms_of_rows(Gen *gen, const LaneReduction *lane, LLVMValueRef position,
                                  unsigned lanes) {
    LLVMBasicBlockRef one = gen_block(gen, "row");
    LLVMBasicBlockRef two = gen_block(gen, "rows");
    LLVMBasicBlockRef done = gen_block(gen, "terms");
    LLVMValueRef row = gen_i64(gen, (int64_t)lane->plan.row);
    LLVMValueRef in_row = LLVMBuildURem(gen->builder, position, row, "");
    LLVMValueRef last = gen_i64(gen, (int64_t)lane->plan.row - lanes);
    LLVMBuildCondBr(gen->builder, LLVMBuildICmp(gen->builder, LLVMIntULE, in_row, last, ""), one,
                    two);
    gen_enter(gen, one);
    LLVMValueRef values[2];
    LLVMBasicBlockRef blocks[2];
    values[0] = lanes_splat(gen, terms_of_row(gen, lane, position, lanes), lanes);
    blocks[0] = LLVMGetInsertBlock(gen->builder);
    LLVMBuildBr(gen->builder, done);
    gen_enter(gen, two);
    values[1] = terms_of_two_rows(gen, lane, position, in_row, lanes);
    blocks[1] = LLVMGetInsertBlock(gen->builder);
    LLVMBuildBr(gen->builder, done);
    gen_enter(gen, done);
    LLVMValueRef terms = LLVMBuildPhi(gen->builder, LLVMTypeOf(values[0]), "");
    LLVMAddIncoming(terms, values, blocks, 2);
    return terms;
}

static LLVMValueRef terms_at(Gen *gen, const LaneReduction *lane, LLVMValueRef position,
                             unsigned lanes) {
    switch (lane->plan.reads[0]) {
    case TERMS_FLAT: return flat_terms(gen, lane, position, lanes);
    case TERMS_STEP: return terms_of_row(gen, lane, position, lanes);
    case TERMS_ROWS: return terms_of_rows(gen, lane, position, lanes);
    case TERMS_SINGLE: return single_terms(gen, lane, position, lanes);
    }
    UNREACHABLE();
}

static LLVMValueRef add_lanes(Gen *gen, const void *data, LLVMValueRef position, unsigned lanes,
                              LLVMValueRef so_far) {
    const LaneReduction *lane = data;
    LLVMValueRef terms = lanes_splat(gen, terms_at(gen, lane, position, lanes), lanes);
    return combined(gen, lane->reduction.expr, so_far, terms);
}

static LLVMValueRef join_lanes(Gen *gen, const void *data, LLVMValueRef a, LLVMValueRef b) {
    const LaneReduction *lane = data;
    return combined(gen, lane->reduction.expr, a, b);
}

static LLVMValueRef read_term(Gen *gen, const void *data, const LLVMValueRef *at) {
    const Reduction *reduction = data;
    return element(gen, reduction->expr->reduce.operand, operand_index(gen, reduction, at));
}

static bool finds_greatest(const TirExpr *expr) {
    return expr->reduce.op == REDUCE_MAX || expr->reduce.op == REDUCE_ARGMAX;
}

static LLVMValueRef best_in_order(Gen *gen, const Reduction *reduction, bool unrolled) {
    const TirExpr *expr = reduction->expr;
    const TirExpr *operand = expr->reduce.operand;
    ExtentOrder order = {
        .extent = {finds_greatest(expr), extent_has_signs(gen, operand), reduction->outer.lanes},
        .space = {.dims = operand->type->dims + expr->reduce.axis,
                  .rank = expr->reduce.axis_count,
                  .unrolled = unrolled},
        .term = read_term,
        .data = reduction,
    };
    return extent_in_order(gen, &order);
}

static LLVMValueRef read_terms(Gen *gen, const void *data, LLVMValueRef position, unsigned lanes) {
    return terms_at(gen, data, position, lanes);
}

LaneFold op_reduce_fold(Gen *gen, const TirExpr *expr, Index index, const LaneFold *noting) {
    CHECK(!tir_finds_place(expr));
    LaneReduction *lane = ARENA_NEW(gen->arena, LaneReduction);
    *lane = (LaneReduction){{expr, index_spread(gen, expr->type, index)},
                            terms_plan(&gen->facts, expr)};
    if (lane->plan.nans_aside) {
        ExtentLanes *extent = ARENA_NEW(gen->arena, ExtentLanes);
        *extent = (ExtentLanes){
            .plan = lane->plan,
            .is_max = finds_greatest(expr),
            .has_signs = extent_has_signs(gen, expr->reduce.operand),
            .terms = read_terms,
            .data = lane,
            .nans = noting != NULL ? ((const ExtentLanes *)noting->data)->nans
                                   : ARENA_NEW(gen->arena, LLVMValueRef),
            .notes_nans = noting == NULL,
        };
        return extent_lanes(extent);
    }
    LaneSum *sum = ARENA_NEW(gen->arena, LaneSum);
    *sum = (LaneSum){
        .plan = lane->plan,
        .neutral = neutral(gen, expr->reduce.op, expr->reduce.operand->type->root),
        .add = add_lanes,
        .join = join_lanes,
        .data = lane,
    };
    return lane_sum(sum);
}

static LLVMValueRef item_at(Gen *gen, const TirExpr *expr, uint64_t number) {
    return element(gen, expr->reduce.operand->literal.items[number], index_scalar(gen));
}

static LLVMValueRef add_item(Gen *gen, const void *data, uint64_t number, LLVMValueRef so_far) {
    LLVMValueRef values[] = {so_far, item_at(gen, data, number)};
    if (so_far == NULL) {
        return values[1];
    }
    lanes_match(gen, values, 2);
    return combined(gen, data, values[0], values[1]);
}

static LLVMValueRef join_items(Gen *gen, const void *data, LLVMValueRef a, LLVMValueRef b) {
    return combined(gen, data, a, b);
}

static LLVMValueRef read_item(Gen *gen, const void *data, const LLVMValueRef *at) {
    return item_at(gen, data, LLVMConstIntGetZExtValue(at[0]));
}

// Of an array of scalars, as turns that run side by side have it (tir/spread_element.c).
static LLVMValueRef reduce_items(Gen *gen, const TirExpr *expr) {
    const TirExpr *items = expr->reduce.operand;
    TermsPlan plan = terms_plan(&gen->facts, expr);
    if (plan.nans_aside) {
        unsigned lanes = gen->masked == NULL ? 1 : gen->masked->lanes;
        ExtentOrder order = {
            .extent = {finds_greatest(expr), extent_has_signs(gen, items), lanes},
            .space = {.dims = items->type->dims, .rank = 1, .unrolled = true},
            .is_straight = true,
            .term = read_item,
            .data = expr,
        };
        return extent_in_order(gen, &order);
    }
    TermTree tree = {&plan, add_item, join_items, expr};
    return term_tree(gen, &tree);
}

LLVMValueRef op_reduce(Gen *gen, const TirExpr *expr, Index index) {
    LLVMValueRef known = table_get(&gen->reduced, expr);
    if (known != NULL) {
        return known;
    }
    if (expr->reduce.operand->kind == EXPR_LITERAL) {
        return reduce_items(gen, expr);
    }
    Reduction reduction = {expr, index_spread(gen, expr->type, index)};
    TermsPlan plan = terms_plan(&gen->facts, expr);
    if (!plan.in_lanes) {
        return plan.nans_aside ? best_in_order(gen, &reduction, plan.unrolled)
                               : reduce_in_order(gen, &reduction, plan.unrolled);
    }
    CHECK(index.lanes == 1);
    if (tir_finds_place(expr)) {
        Root root = expr->reduce.operand->type->root;
        LaneReduction lane = {reduction, plan};
        ArgSearch search = {
            .is_max = finds_greatest(expr),
            .root = root,
            .plan = plan,
            .neutral = neutral(gen, expr->reduce.op, root),
            .terms = read_terms,
            .data = &lane,
        };
        return arg_in_lanes(gen, &search);
    }
    LaneFold fold = op_reduce_fold(gen, expr, index, NULL);
    LLVMValueRef result;
    lane_fold(gen, &fold, 1, fold.plan->ways, &result);
    return result;
}
