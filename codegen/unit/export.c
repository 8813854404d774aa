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

// i1 overlap(a, b, from, length): whether the memory of two pointers has a byte in common. A
// function that is taken in late: most passes find nothing in it, and its instructions in every
// function that hosts may call took them a tenth of their time.
static void define_overlap(Gen *gen, LLVMTypeRef type) {
    gen->overlap = LLVMAddFunction(gen->module, "overlap", type);
    LLVMSetLinkage(gen->overlap, LLVMInternalLinkage);
    gen_take_in_late(gen, gen->overlap);
    gen_own_function(gen, gen->overlap);

    LLVMBuilderRef builder = LLVMCreateBuilderInContext(gen->llvm);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(gen->llvm, gen->overlap, ""));
    LLVMValueRef at[2];
    for (unsigned i = 0; i < 2; i++) {
        at[i] = LLVMBuildPtrToInt(builder, LLVMGetParam(gen->overlap, i), gen->size, "");
    }
    LLVMValueRef distance = LLVMBuildSub(builder, at[0], at[1], "");
    LLVMValueRef begin = LLVMBuildAdd(builder, distance, LLVMGetParam(gen->overlap, 2), "");
    LLVMBuildRet(builder, LLVMBuildICmp(builder, LLVMIntULT, begin, LLVMGetParam(gen->overlap, 3),
                                        "overlap"));
    LLVMDisposeBuilder(builder);
}

// `a` begins less than `a_bytes` before `b`, or less than `b_bytes` behind it.
static LLVMValueRef overlap(Gen *gen, LLVMValueRef a, uint64_t a_bytes, LLVMValueRef b,
                            uint64_t b_bytes) {
    LLVMTypeRef types[] = {gen->pointer, gen->pointer, gen->size, gen->size};
    LLVMTypeRef type = LLVMFunctionType(gen->i1, types, 4, false);
    if (gen->overlap == NULL) {
        define_overlap(gen, type);
    }
    LLVMValueRef args[] = {a, b, LLVMConstInt(gen->size, a_bytes - 1, false),
                           LLVMConstInt(gen->size, a_bytes + b_bytes - 1, false)};
    return LLVMBuildCall2(gen->builder, type, gen->overlap, args, 4, "");
}

// What is written overlaps nothing else: the code relies on it.
static void check_overlaps(Gen *gen, const HostParam *params, unsigned count) {
    LLVMValueRef any = NULL;
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = 0; k < i; k++) {
            if (params[i].type == gen->pointer && params[k].type == gen->pointer &&
                (!params[i].read_only || !params[k].read_only)) {
                LLVMValueRef one = overlap(gen, LLVMGetParam(gen->value, i), params[i].bytes,
                                           LLVMGetParam(gen->value, k), params[k].bytes);
                any = any == NULL ? one : LLVMBuildOr(gen->builder, any, one, "");
            }
        }
    }
    if (any != NULL) {
        host_function_refuse(gen, any, true);
    }
}

static void export_function(Gen *gen, const TirFunction *function, bool has_state) {
    size_t most = function->param_count + function->results.count + 1;
    HostParam *params = ARENA_ARRAY(gen->arena, HostParam, most);
    unsigned count = describe_params(gen, function, has_state, params);
    const char *name = arena_format(gen->arena, "fn_%s", function->name->text);
    LLVMValueRef wrapper = host_function_begin(gen, name, function, params, count);

    check_overlaps(gen, params, count);
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
