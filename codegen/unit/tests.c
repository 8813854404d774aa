// Each test is reached through a function with the same four parameters, whatever kind of file it
// stands in.
#include "codegen/unit/tests.h"

#include "codegen/emit/call.h"
#include "codegen/emit/calls.h"
#include "codegen/emit/types.h"
#include "codegen/unit/descriptor.h"
#include "codegen/unit/entry.h"
#include "codegen/unit/link_name.h"
#include "runtime/abi/tests.h"

const char *tests_symbol(Gen *gen) {
    return link_name(gen->arena, arena_format(gen->arena, "%s_tests", gen->prefix), gen->hash);
}

// tml_status NAME(state, params, inputs, outputs), which runs the function; nothing where there is
// none.
static LLVMValueRef define_wrapper(Gen *gen, const char *name, const TirFunction *function) {
    enum { COUNT = 4 };
    LLVMTypeRef params[COUNT] = {gen->pointer, gen->pointer, gen->pointer, gen->pointer};
    LLVMTypeRef type = LLVMFunctionType(gen->i32, params, COUNT, false);
    LLVMValueRef wrapper = LLVMAddFunction(gen->module, name, type);
    LLVMSetLinkage(wrapper, LLVMInternalLinkage);
    gen_own_function(gen, wrapper);
    gen->value = wrapper;
    gen_enter(gen, gen_block(gen, "entry"));
    LLVMValueRef status = gen_i32(gen, TML_OK);
    if (function != NULL) {
        GenContext at = {.state = LLVMGetParam(wrapper, 0),
                         .params = LLVMGetParam(wrapper, 1),
                         .inputs = LLVMGetParam(wrapper, 2),
                         .outputs = LLVMGetParam(wrapper, 3)};
        LLVMValueRef args[CALL_CONTEXT_LIMIT];
        status = call_value(gen, function, args, call_context_args(gen, &at, args));
    }
    LLVMBuildRet(gen->builder, status);
    return wrapper;
}

void tests_table(Gen *gen) {
    const TirProgram *program = gen->program;
    LLVMValueRef null = LLVMConstNull(gen->pointer);
    const TirFunction *first = program->init == NULL ? program->entry : program->init;
    LLVMValueRef start = define_wrapper(gen, "start", first);
    LLVMValueRef *functions = ARENA_ARRAY(gen->arena, LLVMValueRef, program->tests.count + 1);
    for (size_t i = 0; i < program->tests.count; i++) {
        const TirTest *test = program->tests.items[i];
        functions[i] = test->function == NULL ? null : define_wrapper(gen, "test", test->function);
    }
    EntryPoints none = {null, null, null, null, null, {null, null}};
    LLVMValueRef members[] = {
        model_table(gen, &none),
        gen_size(gen, gen->layout.host_at),
        start,
        gen_i32(gen, (int64_t)program->tests.count),
        descriptor_array(gen, "tests", gen->pointer, functions, program->tests.count),
    };
    LLVMValueRef value = descriptor_struct(gen, members, sizeof(members) / sizeof(members[0]));
    LLVMValueRef table = LLVMAddGlobal(gen->module, LLVMTypeOf(value), tests_symbol(gen));
    LLVMSetInitializer(table, value);
    LLVMSetGlobalConstant(table, true);
}
