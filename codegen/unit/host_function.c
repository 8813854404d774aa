// See host_function.h. Parameters get the attributes that a caller in C keeps (no aliases, C's
// alignment, null or all bytes there) and no more. A function that is begun here has its check for
// null pointers already, and the builder stands where the wrapped call goes.
#include "codegen/unit/host_function.h"

#include "codegen/emit/calls.h"
#include "codegen/emit/debug_info.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "codegen/unit/layout.h"
#include "codegen/unit/link_name.h"
#include "runtime/abi/model.h"

#include <string.h>

HostParam host_state_param(Gen *gen) {
    return (HostParam){"state", gen->pointer, gen->layout.bytes, gen->layout.align, false};
}

HostParam host_struct_param(Gen *gen, TirInterfaceKind kind) {
    StructLayout layout = layout_struct(gen->program, kind);
    const char *name = kind == INTERFACE_INPUT    ? "inputs"
                       : kind == INTERFACE_OUTPUT ? "outputs"
                                                  : "params";
    return (HostParam){name, gen->pointer, layout.bytes, layout.align, kind != INTERFACE_OUTPUT};
}

// A caller of C promises no more than this: nobody extends a bool for it, say.
static void describe(Gen *gen, LLVMValueRef function, unsigned number, const HostParam *param) {
    if (param->type != gen->pointer) {
        return;
    }
    gen_param_attribute(gen, function, number, "noalias", 0);
    gen_param_attribute(gen, function, number, "nocapture", 0);
    gen_param_attribute(gen, function, number, "align", param->align);
    if (param->bytes != 0) {
        gen_param_attribute(gen, function, number, "dereferenceable_or_null", param->bytes);
    }
    if (param->read_only) {
        gen_param_attribute(gen, function, number, "readonly", 0);
    }
}

void host_function_refuse(Gen *gen, LLVMValueRef condition, bool when) {
    LLVMBasicBlockRef refused = gen_block(gen, "refused");
    LLVMBasicBlockRef body = gen_block(gen, "body");
    LLVMBuildCondBr(gen->builder, condition, when ? refused : body, when ? body : refused);
    gen_enter(gen, refused);
    LLVMBuildRet(gen->builder, gen_i32(gen, TML_E_ARG));
    gen_enter(gen, body);
}

static void check_pointers(Gen *gen, const HostParam *params, unsigned count) {
    LLVMValueRef all_there = NULL;
    for (unsigned i = 0; i < count; i++) {
        if (params[i].type == gen->pointer) {
            LLVMValueRef there =
                LLVMBuildIsNotNull(gen->builder, LLVMGetParam(gen->value, i), "there");
            all_there =
                all_there == NULL ? there : LLVMBuildAnd(gen->builder, all_there, there, "");
        }
    }
    if (all_there != NULL) {
        host_function_refuse(gen, all_there, false);
    }
}

LLVMValueRef host_function_begin_unchecked(Gen *gen, const char *name, const TirFunction *wrapped,
                                           const HostParam *params, unsigned count) {
    LLVMTypeRef *types = ARENA_ARRAY(gen->arena, LLVMTypeRef, count + 1);
    for (unsigned i = 0; i < count; i++) {
        types[i] = params[i].type;
    }
    LLVMTypeRef type = LLVMFunctionType(gen->i32, types, count, false);
    const char *host_name = arena_format(gen->arena, "%s_%s", gen->prefix, name);
    const char *symbol = link_name(gen->arena, host_name, gen->hash);
    LLVMValueRef function = LLVMAddFunction(gen->module, symbol, type);
    gen_own_function(gen, function);
    // Some ABIs (RISC-V's) want a 32-bit result extended.
    LLVMAddAttributeAtIndex(function, LLVMAttributeReturnIndex, gen_attribute(gen, "signext", 0));
    for (unsigned i = 0; i < count; i++) {
        describe(gen, function, i, &params[i]);
        LLVMSetValueName2(LLVMGetParam(function, i), params[i].name, strlen(params[i].name));
    }
    gen->value = function;
    gen_enter(gen, gen_block(gen, "entry"));
    wrapped = wrapped == NULL ? gen->program->init : wrapped; // whose place is that of the file
    if (wrapped != NULL) {
        debug_host_function(gen, host_name, wrapped->span);
    }
    return function;
}

LLVMValueRef host_function_begin(Gen *gen, const char *name, const TirFunction *wrapped,
                                 const HostParam *params, unsigned count) {
    LLVMValueRef function = host_function_begin_unchecked(gen, name, wrapped, params, count);
    check_pointers(gen, params, count);
    return function;
}
