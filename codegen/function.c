// Signatures, frames and calls. A frame's arrays and scalars are allocas of the entry block, so
// that mem2reg finds all of them; addresses in the state are computed there too, once.
#include "codegen/function.h"

#include "codegen/debug_info.h"
#include "codegen/element.h"
#include "codegen/stmt.h"
#include "codegen/trap.h"

enum { FUNCTION_FIRST_PARAM = 1 }; // after the state

static LLVMTypeRef function_type(Gen *gen, const TirFunction *function) {
    LLVMTypeRef *params = ARENA_ARRAY(gen->arena, LLVMTypeRef, function->param_count + 2);
    unsigned count = 0;
    params[count++] = gen->pointer;
    for (size_t i = 0; i < function->param_count; i++) {
        const Type *type = function->params[i]->type;
        params[count++] = type_is_scalar(type) ? gen_scalar_type(gen, type->root) : gen->pointer;
    }
    if (function->result != NULL) {
        params[count++] = gen->pointer;
    }
    return LLVMFunctionType(gen->i32, params, count, false);
}

// What callers guarantee about a pointer to a value: it is there, and nothing else reaches it while
// the function writes (opt_alias). Hosts that call exported functions align scalars only.
static void describe_pointer(Gen *gen, LLVMValueRef value, unsigned param, const TirFunction *of,
                             const Type *type, bool read_only) {
    LLVMAttributeIndex at = param + 1;
    uint64_t align = of->exported ? gen_root_bytes(gen, type->root) : gen_type_align(gen, type);
    LLVMAddAttributeAtIndex(value, at, gen_attribute(gen, "noalias", 0));
    LLVMAddAttributeAtIndex(value, at, gen_attribute(gen, "nocapture", 0));
    LLVMAddAttributeAtIndex(value, at, gen_attribute(gen, "align", align));
    LLVMAddAttributeAtIndex(value, at,
                            gen_attribute(gen, "dereferenceable", gen_type_bytes(gen, type)));
    if (read_only) {
        LLVMAddAttributeAtIndex(value, at, gen_attribute(gen, "readonly", 0));
    }
}

static void describe_params(Gen *gen, LLVMValueRef value, const TirFunction *function) {
    unsigned param = 0;
    LLVMAttributeIndex state = param + 1;
    LLVMAddAttributeAtIndex(value, state, gen_attribute(gen, "noundef", 0));
    LLVMAddAttributeAtIndex(value, state, gen_attribute(gen, "align", gen->layout.align));
    LLVMAddAttributeAtIndex(value, state, gen_attribute(gen, "dereferenceable", gen->layout.bytes));
    for (size_t i = 0; i < function->param_count; i++) {
        param = FUNCTION_FIRST_PARAM + (unsigned)i;
        const Type *type = function->params[i]->type;
        if (type_is_tensor(type)) {
            describe_pointer(gen, value, param, function, type, true);
        } else if (type->root == ROOT_BOOL) {
            LLVMAddAttributeAtIndex(value, param + 1, gen_attribute(gen, "zeroext", 0));
        }
    }
    if (function->result != NULL) {
        describe_pointer(gen, value, param + 1, function, function->result->type, false);
    }
}

static const char *function_symbol(Gen *gen, const TirFunction *function) {
    if (!function->exported) {
        return arena_format(gen->arena, "fn.%s", function->symbol);
    }
    bool is_init = function == gen->program->init;
    return arena_format(gen->arena, is_init ? "%s_%s" : "%s_fn_%s", gen->prefix, function->symbol);
}

void function_declare(Gen *gen, const TirFunction *function) {
    const char *symbol = function_symbol(gen, function);
    LLVMValueRef value = LLVMAddFunction(gen->module, symbol, function_type(gen, function));
    if (!function->exported) {
        LLVMSetLinkage(value, LLVMInternalLinkage);
    }
    gen_function_attribute(gen, value, "nounwind", 0);
    if (gen->options->debug) {
        gen_function_attribute(gen, value, "uwtable", 2);
    }
    describe_params(gen, value, function);
    pointer_map_set(gen->arena, &gen->functions, function, value);
}

// An alloca of the entry block.
static LLVMValueRef frame_slot(Gen *gen, const Type *type) {
    LLVMTypeRef memory =
        type_is_scalar(type) ? gen_memory_type(gen, type->root) : gen_array_type(gen, type);
    LLVMValueRef slot = LLVMBuildAlloca(gen->at_entry, memory, "");
    LLVMSetAlignment(slot, gen_type_align(gen, type));
    return slot;
}

LLVMValueRef function_temporary(Gen *gen, const Type *type) {
    return frame_slot(gen, type);
}

static LLVMValueRef state_address(Gen *gen, uint64_t offset) {
    LLVMValueRef bytes = gen_i64(gen, (int64_t)offset);
    return LLVMBuildInBoundsGEP2(gen->at_entry, gen->i8, gen->state, &bytes, 1, "");
}

LLVMValueRef function_var_address(Gen *gen, const TirVar *var) {
    LLVMValueRef address = pointer_map_get(&gen->vars, var);
    if (address != NULL) {
        return address;
    }
    switch (var->storage) {
    case STORAGE_NONE:
    case STORAGE_REGISTER:
    case STORAGE_STACK: address = frame_slot(gen, var->type); break;
    case STORAGE_STATE: address = state_address(gen, gen->layout.globals_at + var->offset); break;
    case STORAGE_SCRATCH: address = state_address(gen, gen->layout.scratch_at + var->offset); break;
    case STORAGE_INPUTS:
    case STORAGE_OUTPUTS:
    case STORAGE_PARAMS:
    case STORAGE_ARGUMENT: BUG("an argument without a pointer");
    }
    if (var->name != NULL) {
        LLVMSetValueName2(address, var->name->text, var->name->len);
    }
    pointer_map_set(gen->arena, &gen->vars, var, address);
    debug_variable(gen, var, address, 0);
    return address;
}

// Arrays stay where the caller has them; scalars get a slot like any variable.
static void bind_params(Gen *gen, const TirFunction *function) {
    unsigned param = FUNCTION_FIRST_PARAM;
    for (size_t i = 0; i < function->param_count; i++, param++) {
        const TirVar *var = function->params[i];
        LLVMValueRef value = LLVMGetParam(gen->value, param);
        LLVMSetValueName2(value, var->name->text, var->name->len);
        LLVMValueRef address = value;
        if (type_is_scalar(var->type)) {
            address = frame_slot(gen, var->type);
            gen_store(gen, var->type->root, value, address);
        }
        pointer_map_set(gen->arena, &gen->vars, var, address);
        debug_variable(gen, var, address, (unsigned)i + 1);
    }
    if (function->result == NULL) {
        return;
    }
    gen->result = LLVMGetParam(gen->value, param);
    LLVMSetValueName2(gen->result, "result", 6);
    if (type_is_tensor(function->result->type)) {
        pointer_map_set(gen->arena, &gen->vars, function->result, gen->result);
    }
}

static void return_ok(Gen *gen, const TirFunction *function) {
    if (function->result != NULL && type_is_scalar(function->result->type)) {
        Root root = function->result->type->root;
        LLVMValueRef address = function_var_address(gen, function->result);
        gen_store(gen, root, gen_load(gen, root, address, 1), gen->result);
    }
    LLVMBuildRet(gen->builder, gen_i32(gen, TML_OK));
}

void function_define(Gen *gen, const TirFunction *function) {
    gen->function = function;
    gen->value = pointer_map_get(&gen->functions, function);
    gen->state = LLVMGetParam(gen->value, 0);
    gen->result = NULL;
    gen->loop = NULL;
    pointer_map_clear(&gen->vars);
    pointer_map_clear(&gen->wides);
    LLVMSetValueName2(gen->state, "state", 5);

    LLVMBasicBlockRef entry = gen_block(gen, "entry");
    LLVMBasicBlockRef body = gen_block(gen, "body");
    gen->leave = gen_block(gen, "leave");
    LLVMPositionBuilderAtEnd(gen->at_entry, entry);
    gen_enter(gen, body);
    debug_function(gen, function);
    bind_params(gen, function);
    stmt_block(gen, &function->body);
    gen_jump(gen, gen->leave);
    gen_enter(gen, gen->leave);
    return_ok(gen, function);
    debug_end_function(gen, LLVMBuildBr(gen->at_entry, body));
}

void function_call(Gen *gen, const TirStmt *call) {
    const TirFunction *callee = call->call.function;
    LLVMValueRef *args = ARENA_ARRAY(gen->arena, LLVMValueRef, call->call.arg_count + 2);
    unsigned count = 0;
    args[count++] = gen->state;
    for (size_t i = 0; i < call->call.arg_count; i++) {
        const TirExpr *arg = call->call.args[i];
        args[count++] = type_is_scalar(arg->type) ? element_scalar(gen, arg)
                                                  : function_var_address(gen, arg->var);
    }
    // A scalar's own slot is never passed on, so that it can become a register.
    const TirVar *result = call->call.result;
    LLVMValueRef temporary = NULL;
    if (callee->result != NULL) {
        if (result == NULL || type_is_scalar(result->type)) {
            args[count++] = temporary = function_temporary(gen, callee->result->type);
        } else {
            args[count++] = function_var_address(gen, result);
        }
    }
    LLVMValueRef function = pointer_map_get(&gen->functions, callee);
    CHECK(function != NULL);
    LLVMValueRef status =
        LLVMBuildCall2(gen->builder, LLVMGlobalGetValueType(function), function, args, count, "");
    trap_propagate(gen, status);
    if (result != NULL && temporary != NULL) {
        Root root = result->type->root;
        gen_store(gen, root, gen_load(gen, root, temporary, 1), function_var_address(gen, result));
    }
}
