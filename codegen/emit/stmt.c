// Control flow. A statement after `break`, `continue` or `return` in the same block is never
// reached and not generated.
#include "codegen/emit/stmt.h"

#include "codegen/emit/both_ways.h"
#include "codegen/emit/call.h"
#include "codegen/emit/calls.h"
#include "codegen/emit/debug_info.h"
#include "codegen/emit/effect.h"
#include "codegen/emit/element.h"
#include "codegen/emit/frame.h"
#include "codegen/emit/limit.h"
#include "codegen/emit/loop.h"
#include "codegen/emit/masked.h"
#include "codegen/emit/search.h"
#include "codegen/emit/seek.h"
#include "codegen/emit/set.h"
#include "codegen/emit/split_for.h"
#include "codegen/emit/together.h"
#include "codegen/emit/trap.h"
#include "codegen/emit/types.h"
#include "codegen/emit/window.h"
#include "codegen/gen.h"
#include "codegen/plan/split.h"
#include "support/table.h"
#include "tir/copying.h"
#include "tir/lanes_body.h"
#include "tir/same.h"
#include "tir/uses.h"
#include "tir/visit.h"
#include "types/shape.h"

// A few turns of a long straight body, which fill a vector.
enum { TURNS_LEAST = 4, TURNS_MOST = 16, BODY_LEAST = 24 };
enum { CHOICES_MOST = 48 }; // branches of a loop

// Whether all that a block does is to take a bound from `middle`, as `low = middle + 1`.
static bool takes_bound(const TirBlock *block, const TirVar *middle) {
    for (size_t i = 0; i < block->count; i++) {
        const TirStmt *set = block->items[i];
        int64_t offset;
        if (!tir_sets_whole(set) || tir_index_var(set->set.value, &offset) != middle) {
            return false;
        }
    }
    return block->count > 0;
}

// Whether it halves what is searched, by a comparison of the element in the middle: one half is as
// likely as the other, so that a branch would be foreseen half of the time. A table of 17 knots
// takes 0.55 of the time by choices where values come in any order; where they are sorted, which
// the processor foresees, 1.9 times as long, which is as long as in any other order.
static bool halves(const TirStmt *branch) {
    const TirExpr *condition = branch->branch.condition;
    bool compares = condition->kind == EXPR_MAP && tir_op_arity(condition->map.op) == 2;
    for (unsigned i = 0; compares && i < 2; i++) {
        const TirExpr *element = condition->map.args[i];
        bool is_element = element->kind == EXPR_VIEW && type_is_scalar(element->type) &&
                          element->view.operand->type->flat_rank == 1 &&
                          element->view.axes[0].index != NULL;
        int64_t offset;
        const TirVar *middle =
            is_element ? tir_index_var(element->view.axes[0].index, &offset) : NULL;
        if (middle != NULL && takes_bound(&branch->branch.then, middle) &&
            takes_bound(&branch->branch.otherwise, middle)) {
            return true;
        }
    }
    return false;
}

static void stmt_if(Gen *gen, const TirStmt *stmt) {
    if (branch_is_left_out(&gen->facts, stmt)) {
        stmt_block(gen, &stmt->branch.otherwise);
        return;
    }
    LLVMValueRef condition = element_scalar(gen, stmt->branch.condition);
    limit_branch(gen, condition, stmt);
    bool has_otherwise = stmt->branch.otherwise.count != 0;
    LLVMBasicBlockRef then = gen_block(gen, "then");
    LLVMBasicBlockRef otherwise = has_otherwise ? gen_block(gen, "else") : NULL;
    LLVMBasicBlockRef end = gen_block(gen, "end");
    LLVMValueRef branch =
        LLVMBuildCondBr(gen->builder, condition, then, has_otherwise ? otherwise : end);
    if (gen->loop != NULL && halves(stmt)) {
        gen_expect_both(gen, branch);
    }
    gen_enter(gen, then);
    stmt_block(gen, &stmt->branch.then);
    gen_jump(gen, end);
    if (has_otherwise) {
        gen_enter(gen, otherwise);
        stmt_block(gen, &stmt->branch.otherwise);
        gen_jump(gen, end);
    }
    gen_enter(gen, end);
}

static void loop_body(Gen *gen, const TirBlock *body, LLVMBasicBlockRef next,
                      LLVMBasicBlockRef after) {
    GenLoop loop = {.next = next, .after = after, .outer = gen->loop};
    gen->loop = &loop;
    stmt_block(gen, body);
    gen->loop = loop.outer;
    gen_jump(gen, next);
}

static void stmt_while(Gen *gen, const TirStmt *stmt) {
    LLVMBasicBlockRef test = gen_block(gen, "while");
    LLVMBasicBlockRef body = gen_block(gen, "do");
    LLVMBasicBlockRef after = gen_block(gen, "end");
    LLVMBuildBr(gen->builder, test);
    gen_enter(gen, test);
    stmt_block(gen, &stmt->while_loop.before);
    debug_place(gen, stmt->span);
    table_clear(&gen->indices);
    LLVMValueRef condition = element_scalar(gen, stmt->while_loop.condition);
    LLVMBuildCondBr(gen->builder, condition, body, after);
    gen_enter(gen, body);
    loop_body(gen, &stmt->while_loop.body, test, after);
    gen_enter(gen, after);
}

// Whether a loop at `value` has another turn: value < last going up, value > last going down.
static LLVMValueRef for_goes_on(Gen *gen, LLVMValueRef value, LLVMValueRef last,
                                LLVMValueRef goes_up) {
    LLVMValueRef below = LLVMBuildICmp(gen->builder, LLVMIntSLT, value, last, "");
    LLVMValueRef above = LLVMBuildICmp(gen->builder, LLVMIntSGT, value, last, "");
    return LLVMBuildSelect(gen->builder, goes_up, below, above, "");
}

static bool has_constant_turns(const TirStmt *loop) {
    return loop->for_loop.first->kind == EXPR_CONST && loop->for_loop.last->kind == EXPR_CONST &&
           loop->for_loop.step->kind == EXPR_CONST;
}

// Whether the turns side by side are vectors for LLVM, which would write them out before it looks:
// the last stage of a transform of 16 numbers takes 0.75 of the time.
static bool has_vector(const Gen *gen, const TirStmt *stmt) {
    const TirBlock *body = &stmt->for_loop.body;
    bool is_run = gen->options->batch > 0;
    if (!gen->target.has->vectors || is_run || !has_constant_turns(stmt) ||
        body->count < BODY_LEAST) {
        return false;
    }
    for (size_t i = 0; i < body->count; i++) {
        const TirStmt *set = body->items[i];
        if (set->kind != STMT_SET || !type_is_scalar(set->set.place->type)) {
            return false;
        }
    }
    int64_t turns = shape_range_count(stmt->for_loop.first->data[0].integer,
                                      stmt->for_loop.last->data[0].integer,
                                      stmt->for_loop.step->data[0].integer);
    return turns >= TURNS_LEAST && turns <= TURNS_MOST && turns % TURNS_LEAST == 0;
}

static void count_choices(const TirExpr *expr, void *data) {
    unsigned *count = data;
    *count += tir_is_short_circuit(expr);
    if (*count <= CHOICES_MOST) {
        tir_read_operands(expr, count_choices, data);
    }
}

static bool has_many_choices(TirStmt *stmt, void *data) {
    unsigned *count = data;
    *count += stmt->kind == STMT_IF;
    tir_read_values(stmt, count_choices, count);
    return *count > CHOICES_MOST;
}

// Whether LLVM is not to make vectors of the loop: of few turns these are slow, unless sums may be
// reordered and it is known how few, and of many branches it makes one block, in which its time
// grows with the square.
static bool stays_scalar(const Gen *gen, TirStmt *stmt) {
    bool is_sum = gen->options->fp == FP_FAST && has_constant_turns(stmt);
    if (gen->options->opt_level == 0 || (stmt->for_loop.is_brief && !is_sum)) {
        return true;
    }
    unsigned count = 0; // up to where they are too many
    return tir_any_stmt(&stmt->for_loop.body, has_many_choices, &count);
}

// The address of what the loops would copy first becomes that of their copy.
static void place_part(Gen *gen, const TirStmt *loop, const TirStmt *set) {
    for (; loop->kind == STMT_FOR; loop = loop->for_loop.body.items[0]) {
        const TirVar *counter = loop->for_loop.var;
        table_set(gen->arena, &gen->wides, counter, gen_i64(gen, 0));
        gen_store(gen, ROOT_INT, gen_i32(gen, 0), frame_var_address(gen, counter));
    }
    table_clear(&gen->indices);
    const TirExpr *value = set->set.value;
    index_prepare(gen, value);
    LLVMValueRef zeros[TYPE_FLAT_LIMIT];
    for (size_t k = 0; k < value->type->flat_rank; k++) {
        zeros[k] = gen_i64(gen, 0);
    }
    LLVMValueRef address = index_address(gen, value, index_at(zeros)).pointer;
    table_set(gen->arena, &gen->vars, tir_place_var(set->set.place), address);
}

// Whether it adds terms to what the place has, or multiplies that by factors.
static bool is_total(const TirStmt *set) {
    const TirExpr *value = set->set.value;
    bool is_product = value->kind == EXPR_MAP && value->map.op == OP_MUL;
    while (value->kind == EXPR_MAP && tir_op_is_sum(value->map.op) &&
           (value->map.op == OP_MUL) == is_product) {
        TirExpr *const *args = value->map.args;
        bool is_right = value->map.op != OP_SUB && tir_same_value(set->set.place, args[1]);
        if (is_right || tir_same_value(set->set.place, args[0])) {
            return true;
        }
        value = args[0];
    }
    return false;
}

// Of what a loop adds up LLVM makes vectors if it may regroup the terms. Elsewhere it is worse than
// what is written: it computes with what turns before give first, and all else waits for that.
static void stmt_set(Gen *gen, const TirStmt *set) {
    if (tir_part_set(set) != NULL) {
        place_part(gen, set, set);
        return;
    }
    gen->regroups = type_is_scalar(set->set.place->type) && is_total(set);
    set_place(gen, set);
    gen->regroups = false;
}

// Counts in i64, where no int can overflow.
static void stmt_for(Gen *gen, TirStmt *stmt) {
    const TirStmt *part = tir_part_set(stmt);
    if (part != NULL) {
        place_part(gen, stmt, part);
        return;
    }
    bool searches = search_is_one(gen, stmt);
    if ((!searches && masked_for(gen, stmt)) || split_for(gen, stmt)) {
        return;
    }
    LLVMBuilderRef builder = gen->builder;
    LLVMValueRef first = element_wide(gen, stmt->for_loop.first);
    LLVMValueRef last = element_wide(gen, stmt->for_loop.last);
    LLVMValueRef step = element_wide(gen, stmt->for_loop.step);
    LLVMValueRef zero = gen_i64(gen, 0);
    trap_unless(gen, LLVMBuildICmp(builder, LLVMIntNE, step, zero, ""),
                (TrapSite){.code = TML_E_STEP, .span = stmt->for_loop.step_span});
    LLVMValueRef goes_up = LLVMBuildICmp(builder, LLVMIntSGT, step, zero, "");
    first = seek_turn(gen, stmt, first, last);

    LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
    LLVMBasicBlockRef test = gen_block(gen, "for");
    LLVMBasicBlockRef body = gen_block(gen, "do");
    LLVMBasicBlockRef next = gen_block(gen, "next");
    LLVMBasicBlockRef after = gen_block(gen, "end");
    LLVMBuildBr(builder, test);
    gen_enter(gen, test);
    LLVMValueRef value = LLVMBuildPhi(builder, gen->i64, "");
    LLVMAddIncoming(value, &first, &before, 1);
    LLVMBuildCondBr(builder, for_goes_on(gen, value, last, goes_up), body, after);

    gen_enter(gen, body);
    const TirVar *var = stmt->for_loop.var;
    table_set(gen->arena, &gen->wides, var, value);
    gen_store(gen, ROOT_INT, LLVMBuildTrunc(builder, value, gen->i32, ""),
              frame_var_address(gen, var));
    loop_body(gen, &stmt->for_loop.body, next, after);

    gen_enter(gen, next);
    debug_place(gen, stmt->span);
    LLVMValueRef following = LLVMBuildNSWAdd(builder, value, step, "");
    LLVMAddIncoming(value, &following, &next, 1);
    LLVMValueRef again = LLVMBuildBr(builder, test);
    if (stmt->for_loop.is_rare) {
        loop_keep_as_it_is(gen, again);
    } else if (has_vector(gen, stmt)) {
        loop_keep_turns(gen, again);
    } else if (searches || stays_scalar(gen, stmt)) {
        loop_keep_scalars(gen, again);
    }
    gen_enter(gen, after);
}

// Without optimisation the time for a block grows with the square of its length.
static void split_block(Gen *gen) {
    if (gen->options->opt_level == 0) {
        LLVMBasicBlockRef block = gen_block(gen, "");
        gen_jump(gen, block);
        gen_enter(gen, block);
    }
}

static void stmt_one(Gen *gen, TirStmt *stmt) {
    if (table_get(&gen->left_out, stmt) != NULL) {
        return;
    }
    split_block(gen);
    table_clear(&gen->indices);
    debug_place(gen, stmt->span);
    switch (stmt->kind) {
    case STMT_SET: stmt_set(gen, stmt); return;
    case STMT_NEST: set_nest(gen, stmt); return;
    case STMT_CALL: call_stmt(gen, stmt); return;
    case STMT_IF: stmt_if(gen, stmt); return;
    case STMT_FOR: stmt_for(gen, stmt); return;
    case STMT_WHILE: stmt_while(gen, stmt); return;
    case STMT_BREAK: gen_jump(gen, gen->loop->after); return;
    case STMT_CONTINUE: gen_jump(gen, gen->loop->next); return;
    case STMT_RETURN: gen_jump(gen, gen->leave); return;
    case STMT_PRINT: effect_print(gen, stmt); return;
    case STMT_INPUT: effect_input(gen, stmt); return;
    case STMT_OUTPUT: effect_output(gen, stmt); return;
    case STMT_ASSERT: effect_assert(gen, stmt); return;
    }
    UNREACHABLE();
}

static void stmt_window(Gen *gen, const TirBlock *block, size_t first, const WindowPlan *plan) {
    for (size_t i = first; i < first + plan->count; i++) {
        if (window_is_aside(plan, block->items[i])) {
            stmt_one(gen, block->items[i]);
        }
    }
    window_emit(gen, plan);
}

void stmt_block(Gen *gen, const TirBlock *block) {
    size_t end = 0; // of the statements whose reductions are computed
    for (size_t i = 0; i < block->count && gen_block_is_open(gen); i++) {
        WindowPlan window;
        if (i >= end && gen->masked == NULL && plan_window(&gen->facts, block, i, &window)) {
            table_clear(&gen->reduced);
            stmt_window(gen, block, i, &window);
            i += window.count - 1;
            continue;
        }
        if (i >= end) {
            table_clear(&gen->reduced);
            end = i + together_begin(gen, block, i);
        }
        if (both_ways_set(gen, block, i)) {
            i++;
            continue;
        }
        stmt_one(gen, block->items[i]);
    }
    table_clear(&gen->reduced);
}
