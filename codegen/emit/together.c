// op_reduce and op_dot find the values by their expressions.
#include "codegen/emit/together.h"

#include "codegen/emit/debug_info.h"
#include "codegen/emit/index.h"
#include "codegen/emit/lane_fold.h"
#include "codegen/emit/op_dot.h"
#include "codegen/emit/op_reduce.h"
#include "codegen/gen.h"
#include "codegen/plan/together.h"
#include "support/table.h"

size_t together_begin(Gen *gen, const TirBlock *block, size_t number) {
    TogetherPlan plan = together_plan(&gen->facts, block, number);
    if (plan.count == 0 || gen->masked != NULL) {
        return 0;
    }
    debug_place(gen, block->items[number]->span);
    table_clear(&gen->indices);
    LaneFold folds[TOGETHER_LIMIT];
    for (size_t i = 0; i < plan.count; i++) {
        const TirExpr *expr = plan.terms[i];
        index_prepare(gen, expr);
        Index index = index_scalar(gen);
        const LaneFold *noting = plan.nans_of[i] == i ? NULL : &folds[plan.nans_of[i]];
        folds[i] = expr->kind == EXPR_DOT ? op_dot_fold(gen, expr, index)
                                          : op_reduce_fold(gen, expr, index, noting);
    }
    LLVMValueRef results[TOGETHER_LIMIT];
    lane_fold(gen, folds, plan.count, plan.ways, results);
    for (size_t i = 0; i < plan.count; i++) {
        table_set(gen->arena, &gen->reduced, plan.terms[i], results[i]);
    }
    return plan.statements;
}
