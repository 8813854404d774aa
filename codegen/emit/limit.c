// LLVM 19 makes one limit of `u > 5 ? 5 : u` and a second one behind it, `u <= 5 ? u : 5`, though a
// nan passes the first and not the second, once it knows the limit as a number. So it does not see
// with what a comparison is that gives a nan the other side. Limits that a nan passes stay as they
// are: they become one instruction.
#include "codegen/emit/limit.h"

#include "codegen/emit/calls.h"
#include "tir/same.h"

// What is negated; NULL: nothing is.
static LLVMValueRef negated(LLVMValueRef value) {
    bool is_not =
        LLVMIsABinaryOperator(value) != NULL && LLVMGetInstructionOpcode(value) == LLVMXor;
    return is_not ? LLVMGetOperand(value, 0) : NULL;
}

static void hide_side(Gen *gen, LLVMValueRef comparison) {
    if (gen->options->opt_level == 0 || LLVMIsAFCmpInst(comparison) == NULL) {
        return;
    }
    LLVMBasicBlockRef block = LLVMGetInsertBlock(gen->builder);
    LLVMValueRef side = LLVMGetOperand(comparison, 1);
    LLVMTypeRef type = LLVMTypeOf(side);
    LLVMPositionBuilderBefore(gen->builder, comparison);
    LLVMValueRef hidden = gen_intrinsic(gen, "llvm.arithmetic.fence", &type, 1, &side, 1);
    LLVMSetOperand(comparison, 1, hidden);
    LLVMPositionBuilderAtEnd(gen->builder, block);
}

static bool compares_two(const TirExpr *expr) {
    return expr->kind == EXPR_MAP && tir_op_arity(expr->map.op) == 2;
}

// Whether a statement of the block gives one of the two sides.
static bool gives_side(const TirExpr *comparison, const TirBlock *block) {
    for (size_t i = 0; i < block->count && compares_two(comparison); i++) {
        const TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_SET && (tir_same_value(stmt->set.value, comparison->map.args[0]) ||
                                       tir_same_value(stmt->set.value, comparison->map.args[1]))) {
            return true;
        }
    }
    return false;
}

// Whether the block gives another place one of the two, which stays in memory: `y = 5.0` before it
// may be the other.
static bool takes_over(const TirExpr *comparison, const TirBlock *block) {
    for (unsigned side = 0; side < 2 && compares_two(comparison); side++) {
        const TirExpr *value = comparison->map.args[side];
        bool stays = value->kind == EXPR_VIEW ||
                     (value->kind == EXPR_VAR && value->var->storage != STORAGE_REGISTER);
        for (size_t i = 0; i < block->count && stays; i++) {
            const TirStmt *stmt = block->items[i];
            if (stmt->kind == STMT_SET && tir_same_value(stmt->set.value, value) &&
                !tir_same_value(stmt->set.place, comparison->map.args[1 - side])) {
                return true;
            }
        }
    }
    return false;
}

void limit_branch(Gen *gen, LLVMValueRef condition, const TirStmt *branch) {
    const TirExpr *expr = branch->branch.condition;
    bool is_not = expr->kind == EXPR_MAP && expr->map.op == OP_NOT;
    const TirExpr *compared = is_not ? expr->map.args[0] : expr;
    LLVMValueRef comparison = is_not ? negated(condition) : condition;
    const TirBlock *then = &branch->branch.then, *otherwise = &branch->branch.otherwise;
    if (comparison != NULL && (gives_side(compared, is_not ? then : otherwise) ||
                               takes_over(compared, is_not ? otherwise : then))) {
        hide_side(gen, comparison);
    }
}

LLVMValueRef limit_select(Gen *gen, LLVMValueRef condition, LLVMValueRef yes, LLVMValueRef no) {
    LLVMValueRef of_not = negated(condition);
    LLVMValueRef comparison = of_not != NULL ? of_not : condition;
    LLVMValueRef for_nan = of_not != NULL ? yes : no;
    if (LLVMIsConstant(for_nan) && LLVMIsAFCmpInst(comparison) != NULL &&
        (for_nan == LLVMGetOperand(comparison, 0) || for_nan == LLVMGetOperand(comparison, 1))) {
        hide_side(gen, comparison);
    }
    return LLVMBuildSelect(gen->builder, condition, yes, no, "");
}
