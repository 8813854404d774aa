// The turns of a vector ask their condition together, as they would where no mask holds any back
// (masked.h). Where one of them leaves the loop, the plain loop finds out which: it goes on from
// the first of them.
#include "codegen/emit/seek.h"

#include "codegen/emit/calls.h"
#include "codegen/emit/index.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/masked_plan.h"
#include "codegen/emit/masked_value.h"
#include "codegen/emit/types.h"
#include "tir/lanes_body.h"
#include "tir/visit.h"

enum { TURNS_FROM = 16 };

typedef struct Test {
    const LanesBody *body;
    bool holds;
} Test;

// What each turn can be asked before it is known that it runs, with the bits of a scalar.
static void test_expr(const TirExpr *expr, void *data) {
    Test *test = data;
    bool is_view = expr->kind == EXPR_VIEW;
    bool is_plain = expr->kind == EXPR_CONST || expr->kind == EXPR_VAR ||
                    expr->kind == EXPR_CONVERT ||
                    (expr->kind == EXPR_MAP && !tir_op_is_function(expr->map.op));
    test->holds = test->holds && (is_view || is_plain);
    if (!is_view) {
        test->holds = test->holds && type_is_scalar(expr->type);
        tir_read_operands(expr, test_expr, data);
        return;
    }
    int64_t step;
    test->holds = test->holds && type_is_scalar(expr->type) &&
                  expr->view.operand->kind == EXPR_VAR &&
                  lanes_step(test->body, NULL, expr, &step) && step >= 0 && step <= 1;
    for (size_t k = 0; k < expr->view.operand->type->flat_rank; k++) {
        const TirAxis *axis = &expr->view.axes[k];
        test->holds = test->holds && (axis->index == NULL || axis->is_free);
    }
}

static bool leaves(const TirBlock *block) {
    TirStmtKind last = block->count == 0 ? STMT_SET : block->items[block->count - 1]->kind;
    return last == STMT_BREAK || last == STMT_RETURN;
}

static bool has_many_turns(LLVMValueRef count) {
    return LLVMIsAConstantInt(count) == NULL || LLVMConstIntGetSExtValue(count) >= TURNS_FROM;
}

static bool is_seek(const TirStmt *loop, const LanesBody *body) {
    const TirExpr *step = loop->for_loop.step;
    const TirStmt *branch = loop->for_loop.body.items[0];
    if (step->kind != EXPR_CONST || step->data[0].integer != 1 || loop->for_loop.body.count != 1 ||
        branch->kind != STMT_IF || branch->branch.otherwise.count > 0 ||
        !leaves(&branch->branch.then) || tir_may_trap(branch->branch.condition) ||
        !lanes_varies(body, branch->branch.condition)) {
        return false;
    }
    Test test = {.body = body, .holds = true};
    test_expr(branch->branch.condition, &test);
    return test.holds;
}

// Whether the condition holds for any turn from masked->counter on.
static LLVMValueRef any_leaves(Gen *gen, const TirExpr *condition) {
    Masked *masked = gen->masked;
    LLVMValueRef found = NULL;
    for (masked->part = 0; masked->part < masked->parts; masked->part++) {
        LLVMValueRef here = masked_lanes(gen, condition);
        found = found == NULL ? here : LLVMBuildOr(gen->builder, found, here, "");
    }
    return lanes_any(gen, found);
}

LLVMValueRef seek_turn(Gen *gen, TirStmt *loop, LLVMValueRef first, LLVMValueRef last) {
    LLVMBuilderRef builder = gen->builder;
    if (!gen->target.has->vectors || gen->options->opt_level < 2 || gen->facts.small ||
        loop->for_loop.body.count == 0) {
        return first;
    }
    Masked masked = {
        .loop = loop, .body = lanes_body(gen->arena, loop), .is_full = true, .last = last};
    LLVMValueRef count = LLVMBuildNSWSub(builder, last, first, "");
    if (!has_many_turns(count) || !is_seek(loop, &masked.body)) {
        return first;
    }
    masked_plan(gen, &masked, count);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
    LLVMBasicBlockRef test = gen_block(gen, "seek");
    LLVMBasicBlockRef body = gen_block(gen, "do");
    LLVMBasicBlockRef after = gen_block(gen, "end");
    LLVMBuildBr(builder, test);
    gen_enter(gen, test);
    masked.counter = LLVMBuildPhi(builder, gen->i64, "");
    LLVMAddIncoming(masked.counter, &first, &before, 1);
    LLVMValueRef at_once = gen_i64(gen, (int64_t)masked.parts * masked.lanes);
    LLVMValueRef next = LLVMBuildNSWAdd(builder, masked.counter, at_once, "");
    LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntSLE, next, last, ""), body, after);
    gen_enter(gen, body);
    for (unsigned part = 0; part < masked.parts; part++) {
        masked.turns.of[part] = LLVMConstAllOnes(LLVMVectorType(gen->i1, masked.lanes));
    }
    gen->masked = &masked;
    LLVMValueRef any = any_leaves(gen, loop->for_loop.body.items[0]->branch.condition);
    gen->masked = NULL;
    LLVMBasicBlockRef end = LLVMGetInsertBlock(builder);
    LLVMAddIncoming(masked.counter, &next, &end, 1);
    LLVMBuildCondBr(builder, any, after, test);
    gen_enter(gen, after);
    return masked.counter;
}
