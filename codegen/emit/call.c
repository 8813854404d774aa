// Arguments are the context, the parameters, then where the results go. In-out parameters are
// pointers, as results are.
#include "codegen/emit/call.h"

#include "codegen/emit/element.h"
#include "codegen/emit/frame.h"
#include "codegen/emit/trap.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "support/table.h"

#include <string.h>

unsigned call_context_count(const Gen *gen) {
    return gen->program->symbol != NULL              ? CALL_CONTEXT_LIMIT
           : gen->program->kind == PROGRAM_COMPONENT ? CALL_CONTEXT_LIMIT - 1
                                                     : 1;
}

unsigned call_context_args(Gen *gen, const GenContext *at, LLVMValueRef *args) {
    LLVMValueRef context[] = {at->state, at->params, at->inputs, at->outputs, at->host};
    unsigned count = call_context_count(gen);
    memcpy(args, context, count * sizeof(*args));
    return count;
}

LLVMValueRef call_value(Gen *gen, const TirFunction *function, LLVMValueRef *args, unsigned count) {
    LLVMValueRef value = table_get(&gen->functions, function);
    CHECK(value != NULL);
    return LLVMBuildCall2(gen->builder, LLVMGlobalGetValueType(value), value, args, count, "");
}

// Where the callee writes the variable. A scalar's own slot is never passed on, so that it can
// become a register.
static LLVMValueRef result_address(Gen *gen, const TirVar *var) {
    return type_is_scalar(var->type) ? frame_slot(gen, var->type) : frame_var_address(gen, var);
}

static LLVMValueRef inout_address(Gen *gen, const TirVar *var) {
    LLVMValueRef address = result_address(gen, var);
    if (type_is_scalar(var->type)) {
        Root root = var->type->root;
        gen_store(gen, root, gen_load(gen, root, frame_var_address(gen, var), 1), address);
    }
    return address;
}

// The variable gets what the callee left at that address.
static void take_back(Gen *gen, const TirVar *var, LLVMValueRef address) {
    if (type_is_scalar(var->type)) {
        Root root = var->type->root;
        gen_store(gen, root, gen_load(gen, root, address, 1), frame_var_address(gen, var));
    }
}

static LLVMValueRef part_of(Gen *gen, LLVMValueRef base, uint64_t offset) {
    LLVMValueRef bytes = gen_i64(gen, (int64_t)offset);
    return LLVMBuildInBoundsGEP2(gen->builder, gen->i8, base, &bytes, 1, "");
}

// Runs a function of an instance on its part of the state and the params.
static void run_instance(Gen *gen, const TirInstance *instance, TirPhase phase) {
    const TirFunction *function = tir_phase_function(instance->component, phase);
    if (function == NULL) {
        return;
    }
    LLVMValueRef args[CALL_CONTEXT_LIMIT] = {
        part_of(gen, gen->at.state, gen->layout.globals_at + instance->state_at),
        part_of(gen, gen->at.params, instance->params_at),
        part_of(gen, gen->at.state, gen->layout.globals_at + instance->inputs_at),
        part_of(gen, gen->at.state, gen->layout.globals_at + instance->outputs_at),
        gen->at.host,
    };
    LLVMValueRef status = call_value(gen, function, args, CALL_CONTEXT_LIMIT);
    trap_propagate_call(gen, table_get(&gen->functions, function), status);
}

void call_stmt(Gen *gen, const TirStmt *call) {
    const TirFunction *callee = call->call.function;
    if (callee->instance != NULL) {
        run_instance(gen, callee->instance, callee->phase);
        return;
    }
    size_t result_count = call->call.results.count;
    LLVMValueRef *args = ARENA_ARRAY(gen->arena, LLVMValueRef,
                                     CALL_CONTEXT_LIMIT + call->call.arg_count + result_count);
    unsigned count = call_context_args(gen, &gen->at, args);
    unsigned first = count;
    for (size_t i = 0; i < call->call.arg_count; i++) {
        const TirExpr *arg = call->call.args[i];
        bool is_inout = callee->params[i]->role == VAR_INOUT;
        args[count++] = is_inout                    ? inout_address(gen, arg->var)
                        : type_is_scalar(arg->type) ? element_scalar(gen, arg)
                        : arg->kind == EXPR_CONST   ? element_const_table(gen, arg)
                                                    : frame_var_address(gen, arg->var);
    }
    for (size_t i = 0; i < result_count; i++) {
        args[count++] = result_address(gen, call->call.results.items[i]);
    }
    LLVMValueRef status = call_value(gen, callee, args, count);
    trap_propagate_call(gen, table_get(&gen->functions, callee), status);
    for (size_t i = 0; i < call->call.arg_count; i++) {
        if (callee->params[i]->role == VAR_INOUT) {
            take_back(gen, call->call.args[i]->var, args[first + i]);
        }
    }
    for (size_t i = 0; i < result_count; i++) {
        take_back(gen, call->call.results.items[i], args[first + call->call.arg_count + i]);
    }
}
