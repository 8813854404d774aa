// Arguments are the context, the parameters, then where the result goes.
#include "codegen/emit/call.h"

#include "codegen/emit/element.h"
#include "codegen/emit/frame.h"
#include "codegen/emit/trap.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "support/table.h"

#include <string.h>

unsigned call_context_count(const Gen *gen) {
    return gen->program->kind == PROGRAM_COMPONENT ? CALL_CONTEXT_LIMIT : 1;
}

unsigned call_context_args(Gen *gen, const GenContext *at, LLVMValueRef *args) {
    LLVMValueRef context[] = {at->state, at->params, at->inputs, at->outputs};
    unsigned count = call_context_count(gen);
    memcpy(args, context, count * sizeof(*args));
    return count;
}

LLVMValueRef call_value(Gen *gen, const TirFunction *function, LLVMValueRef *args, unsigned count) {
    LLVMValueRef value = table_get(&gen->functions, function);
    CHECK(value != NULL);
    return LLVMBuildCall2(gen->builder, LLVMGlobalGetValueType(value), value, args, count, "");
}

void call_stmt(Gen *gen, const TirStmt *call) {
    const TirFunction *callee = call->call.function;
    LLVMValueRef *args =
        ARENA_ARRAY(gen->arena, LLVMValueRef, CALL_CONTEXT_LIMIT + call->call.arg_count + 1);
    unsigned count = call_context_args(gen, &gen->at, args);
    for (size_t i = 0; i < call->call.arg_count; i++) {
        const TirExpr *arg = call->call.args[i];
        args[count++] = type_is_scalar(arg->type) ? element_scalar(gen, arg)
                        : arg->kind == EXPR_CONST ? element_const_table(gen, arg)
                                                  : frame_var_address(gen, arg->var);
    }
    // A scalar's own slot is never passed on, so that it can become a register.
    const TirVar *result = call->call.result;
    LLVMValueRef temporary = NULL;
    if (callee->result != NULL) {
        if (result == NULL || type_is_scalar(result->type)) {
            args[count++] = temporary = frame_slot(gen, callee->result->type);
        } else {
            args[count++] = frame_var_address(gen, result);
        }
    }
    LLVMValueRef status = call_value(gen, callee, args, count);
    trap_propagate_call(gen, table_get(&gen->functions, callee), status);
    if (result != NULL && temporary != NULL) {
        Root root = result->type->root;
        gen_store(gen, root, gen_load(gen, root, temporary, 1), frame_var_address(gen, result));
    }
}
