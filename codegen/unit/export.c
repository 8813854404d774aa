// Functions of the source that hosts may call: tml_status PREFIX_fn_NAME([state,] args..., result).
// Scalars go by value (a bool as a byte), arrays as pointers to their first scalar; results are
// written through pointers, and so are in-out parameters.
#include "codegen/unit/entry.h"

#include "codegen/emit/call.h"
#include "codegen/emit/calls.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "codegen/unit/host_function.h"
#include "codegen/unit/layout.h"
#include "codegen/unit/overlap.h"

static HostParam pointer_param(Gen *gen, const char *name, const Type *type, bool read_only) {
    return (HostParam){name, gen->pointer, gen_type_bytes(gen, type),
                       gen_root_bytes(gen, type->root), read_only};
}

static unsigned describe_params(Gen *gen, const TirFunction *function, bool has_state,
                                HostParam *params) {
    unsigned count = 0;
    if (has_state) {
        params[count++] = host_state_param(gen);
    }
    for (size_t i = 0; i < function->param_count; i++) {
        const TirVar *var = function->params[i];
        bool is_inout = var->role == VAR_INOUT;
        params[count++] = type_is_tensor(var->type) || is_inout
                              ? pointer_param(gen, var->name->text, var->type, !is_inout)
                              : (HostParam){.name = var->name->text,
                                            .type = gen_memory_type(gen, var->type->root)};
    }
    for (size_t i = 0; i < function->results.count; i++) {
        params[count++] = pointer_param(gen, "result", function->results.items[i]->type, false);
    }
    return count;
}

static void export_function(Gen *gen, const TirFunction *function, bool has_state) {
    size_t most = function->param_count + function->results.count + 1;
    HostParam *params = ARENA_ARRAY(gen->arena, HostParam, most);
    unsigned count = describe_params(gen, function, has_state, params);
    const char *name = arena_format(gen->arena, "fn_%s", function->name->text);
    LLVMValueRef wrapper = host_function_begin(gen, name, function, params, count);

    overlap_refuse(gen, params, count);
    LLVMValueRef null = LLVMConstNull(gen->pointer);
    GenContext at = {.state = has_state ? LLVMGetParam(wrapper, 0) : null,
                     .params = null,
                     .inputs = null,
                     .outputs = null};
    LLVMValueRef *args = ARENA_ARRAY(gen->arena, LLVMValueRef, CALL_CONTEXT_LIMIT + most);
    unsigned arg_count = call_context_args(gen, &at, args);
    for (unsigned i = has_state; i < count; i++) {
        LLVMValueRef value = LLVMGetParam(wrapper, i);
        bool is_bool = params[i].type == gen->i8; // any byte but 0 is true
        args[arg_count++] = is_bool ? LLVMBuildIsNotNull(gen->builder, value, "") : value;
    }
    LLVMBuildRet(gen->builder, call_value(gen, function, args, arg_count));
}

void export_functions(Gen *gen) {
    for (size_t i = 0; i < gen->program->functions.count; i++) {
        const TirFunction *function = gen->program->functions.items[i];
        bool needs_state = layout_needs_state(function);
        if (function->exported && (gen->is_embedded || !needs_state)) {
            export_function(gen, function, needs_state);
        }
    }
}
