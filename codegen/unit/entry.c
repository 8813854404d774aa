// See entry.h. A cycle is output_fnc, the copies of those outputs that live in the state, and
// update_fnc. Nothing is copied after a fault.
#include "codegen/unit/entry.h"

#include "codegen/emit/call.h"
#include "codegen/emit/calls.h"
#include "codegen/emit/debug_info.h"
#include "codegen/emit/loop.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "codegen/unit/host_function.h"
#include "codegen/unit/layout.h"
#include "runtime/abi/model.h"

enum {
    // Instructions, before optimisation, of a function that the loop of `step_n` takes in, with
    // those that it calls, as many as solving four equations. The state of such a small step stays
    // in registers from one to the next; a copy of a longer one gains nothing and makes up a third
    // of the object. With -Os, of one that `step` takes in.
    INLINED_LIMIT = 900,
    // The same where there are no vectors, and so few registers and little memory: beyond it the
    // loop calls. A controller on a Cortex-M4 takes 1098 bytes so, instead of 2732.
    CALLED_FROM = 48,
    // The same of a function that `output` or `update` shares with `step`: so many instructions
    // take 20 times as long as the call.
    SHARED_FROM = 200,
    WORD_BYTES = 8,
    STRAIGHT_BYTES = 64, // of a state, up to which it is zeroed without a loop
};

static LLVMValueRef member_address(Gen *gen, LLVMValueRef base, uint64_t offset) {
    return gen_offset(gen, ROOT_BOOL, base, gen_i64(gen, (int64_t)offset));
}

// The whole state, padding too, so that equal runs leave equal bytes. It is words: the fault ends
// it.
static void zero_state(Gen *gen, LLVMValueRef state) {
    CHECK(gen->layout.bytes % WORD_BYTES == 0);
    Loop loop;
    loop_begin(gen, &loop, gen_i64(gen, (int64_t)(gen->layout.bytes / WORD_BYTES)), NULL, 0);
    loop.is_short = gen->layout.bytes > STRAIGHT_BYTES;
    LLVMValueRef word = LLVMBuildInBoundsGEP2(gen->builder, gen->i64, state, &loop.index, 1, "");
    LLVMSetAlignment(LLVMBuildStore(gen->builder, gen_i64(gen, 0), word),
                     (unsigned)gen->layout.align);
    loop_end(gen, &loop, NULL);
}

// What inputs are in init_fnc.
static LLVMValueRef zero_inputs(Gen *gen) {
    StructLayout layout = layout_struct(gen->program, INTERFACE_INPUT);
    LLVMValueRef zero = LLVMConstNull(LLVMArrayType2(gen->i8, layout.bytes));
    return gen_constant(gen, "zero", zero, (unsigned)layout.align);
}

static void run_init(Gen *gen, GenContext at) {
    gen_function_attribute(gen, gen->value, "optsize", 0);
    const TirFunction *init = gen->program->init;
    zero_state(gen, at.state);
    if (init == NULL) {
        LLVMBuildRet(gen->builder, gen_i32(gen, TML_OK));
        return;
    }
    LLVMValueRef args[CALL_CONTEXT_LIMIT];
    unsigned count = call_context_args(gen, &at, args);
    LLVMBuildRet(gen->builder, call_value(gen, init, args, count));
}

static LLVMValueRef define_init(Gen *gen) {
    HostParam params[] = {host_state_param(gen), host_struct_param(gen, INTERFACE_TUNABLE)};
    LLVMValueRef function = host_function_begin(gen, "init", NULL, params, 2);
    bool reads = gen->program->init != NULL && gen->program->init->uses_interface;
    LLVMValueRef null = LLVMConstNull(gen->pointer);
    run_init(gen, (GenContext){.state = LLVMGetParam(function, 0),
                               .params = LLVMGetParam(function, 1),
                               .inputs = reads ? zero_inputs(gen) : null,
                               .outputs = null});
    return function;
}

void entry_library(Gen *gen) {
    if (layout_has_state(gen->program)) {
        HostParam params[] = {host_state_param(gen)};
        LLVMValueRef function = host_function_begin(gen, "init", NULL, params, 1);
        run_init(gen, (GenContext){.state = LLVMGetParam(function, 0)});
    }
}

// Where a status other than TML_OK goes: a block and its phi of statuses.
typedef struct Failure {
    LLVMBasicBlockRef block;
    LLVMValueRef status;
} Failure;

static Failure failure_create(Gen *gen) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(gen->builder);
    Failure failure = {.block = gen_block(gen, "fault")};
    LLVMPositionBuilderAtEnd(gen->builder, failure.block);
    failure.status = LLVMBuildPhi(gen->builder, gen->i32, "status");
    LLVMPositionBuilderAtEnd(gen->builder, here);
    return failure;
}

// Makes it the current block; false when nothing goes there.
static bool failure_enter(Gen *gen, const Failure *failure) {
    if (LLVMCountIncoming(failure->status) == 0) {
        LLVMDeleteBasicBlock(failure->block);
        return false;
    }
    gen_enter(gen, failure->block);
    return true;
}

// Counts the instructions of a function and of those that it calls, once per call, up to the limit.
static unsigned instruction_count(LLVMValueRef function, unsigned count) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(function);
         block != NULL && count <= INLINED_LIMIT; block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL && count <= INLINED_LIMIT;
             at = LLVMGetNextInstruction(at)) {
            LLVMValueRef called = LLVMIsACallInst(at) ? LLVMGetCalledValue(at) : NULL;
            bool is_function = called != NULL && LLVMIsAFunction(called) != NULL;
            count = is_function ? instruction_count(called, count + 1) : count + 1;
        }
    }
    return count;
}

// Whether a copy of a function takes the place of a call of it.
typedef enum Inlining { INLINE_BY_LLVM, INLINE_SHORT, INLINE_SHORTEST } Inlining;

static const char *inlining_fact(const Gen *gen, LLVMValueRef function, Inlining inlining) {
    unsigned count = instruction_count(function, 0);
    switch (inlining) {
    case INLINE_SHORT: return count <= INLINED_LIMIT ? "alwaysinline" : NULL;
    case INLINE_SHORTEST: return count > CALLED_FROM ? "noinline" : NULL;
    case INLINE_BY_LLVM:
        return count > SHARED_FROM && gen->options->opt_level < 3 ? "noinline" : NULL;
    }
    UNREACHABLE();
}

static void mark_call(Gen *gen, LLVMValueRef call, Inlining inlining) {
    const char *fact = inlining_fact(gen, LLVMGetCalledValue(call), inlining);
    if (fact != NULL) {
        LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                 gen_attribute(gen, fact, 0));
    }
}

// Runs a function of the source, unless there is none.
static void run(Gen *gen, const TirFunction *function, const GenContext *at, Inlining inlining,
                const Failure *failure) {
    if (function == NULL) {
        return;
    }
    LLVMValueRef args[CALL_CONTEXT_LIMIT];
    unsigned count = call_context_args(gen, at, args);
    LLVMValueRef status = call_value(gen, function, args, count);
    mark_call(gen, status, inlining);
    LLVMBasicBlockRef here = LLVMGetInsertBlock(gen->builder);
    LLVMBasicBlockRef pass = gen_block(gen, "pass");
    LLVMValueRef ok = LLVMBuildICmp(gen->builder, LLVMIntEQ, status, gen_i32(gen, TML_OK), "");
    LLVMBuildCondBr(gen->builder, ok, pass, failure->block);
    LLVMAddIncoming(failure->status, &status, &here, 1);
    gen_enter(gen, pass);
}

static void copy_value(Gen *gen, const Type *type, LLVMValueRef to, LLVMValueRef from) {
    Root root = type->root;
    LLVMTypeRef memory = gen_memory_type(gen, root);
    LLVMValueRef at = gen_i64(gen, 0);
    Loop loop;
    if (type->numel > 1) {
        loop_begin(gen, &loop, gen_i64(gen, type->numel), NULL, 0);
        loop.left_to_llvm = true;
        at = loop.index;
    }
    unsigned align = (unsigned)gen_root_bytes(gen, root);
    LLVMValueRef value = LLVMBuildLoad2(gen->builder, memory, gen_offset(gen, root, from, at), "");
    LLVMSetAlignment(value, align);
    LLVMSetAlignment(LLVMBuildStore(gen->builder, value, gen_offset(gen, root, to, at)), align);
    if (type->numel > 1) {
        loop_end(gen, &loop, NULL);
    }
}

static void run_output(Gen *gen, const GenContext *at, Inlining inlining, const Failure *failure) {
    const TirProgram *program = gen->program;
    run(gen, program->output, at, inlining, failure);
    for (size_t i = 0; i < program->interface.count; i++) {
        const TirInterface *item = program->interface.items[i];
        if (item->kind == INTERFACE_OUTPUT && item->is_present && !item->is_direct) {
            copy_value(gen, item->type, member_address(gen, at->outputs, item->offset),
                       member_address(gen, at->state, gen->layout.globals_at + item->var->offset));
        }
    }
}

typedef enum CyclePart { PART_OUTPUT = 1, PART_UPDATE = 2 } CyclePart;

static LLVMValueRef define_part(Gen *gen, const char *name, unsigned parts) {
    HostParam params[] = {host_state_param(gen), host_struct_param(gen, INTERFACE_TUNABLE),
                          host_struct_param(gen, INTERFACE_INPUT),
                          host_struct_param(gen, INTERFACE_OUTPUT)};
    LLVMValueRef function = host_function_begin(gen, name, NULL, params, 4);
    GenContext at = {.state = LLVMGetParam(function, 0),
                     .params = LLVMGetParam(function, 1),
                     .inputs = LLVMGetParam(function, 2),
                     .outputs = LLVMGetParam(function, 3)};
    Failure failure = failure_create(gen);
    // A host that wants little code calls `step`, and the linker drops what else there is.
    bool is_step = parts == (PART_OUTPUT | PART_UPDATE);
    Inlining inlining = gen->options->size != SIZE_ANY && is_step ? INLINE_SHORT : INLINE_BY_LLVM;
    if (parts & PART_OUTPUT) {
        run_output(gen, &at, inlining, &failure);
    }
    if (parts & PART_UPDATE) {
        run(gen, gen->program->update, &at, inlining, &failure);
    }
    LLVMBuildRet(gen->builder, gen_i32(gen, TML_OK));
    if (failure_enter(gen, &failure)) {
        LLVMBuildRet(gen->builder, failure.status);
    }
    return function;
}

static LLVMValueRef struct_at(Gen *gen, LLVMValueRef first, LLVMValueRef number, HostParam param) {
    LLVMTypeRef type = LLVMArrayType2(gen->i8, param.bytes);
    return LLVMBuildInBoundsGEP2(gen->builder, type, first, &number, 1, "");
}

static LLVMValueRef define_step_n(Gen *gen) {
    HostParam inputs = host_struct_param(gen, INTERFACE_INPUT);
    HostParam outputs = host_struct_param(gen, INTERFACE_OUTPUT);
    HostParam params[] = {host_state_param(gen),
                          host_struct_param(gen, INTERFACE_TUNABLE),
                          {.name = "n", .type = gen->size},
                          inputs,
                          outputs};
    params[3].bytes = params[4].bytes = 0;
    LLVMValueRef function = host_function_begin(gen, "step_n", NULL, params, 5);
    LLVMBuilderRef builder = gen->builder;
    LLVMValueRef count = LLVMGetParam(function, 2);

    LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
    LLVMBasicBlockRef test = gen_block(gen, "test");
    LLVMBasicBlockRef step = gen_block(gen, "step");
    LLVMBasicBlockRef done = gen_block(gen, "done");
    LLVMBuildBr(builder, test);
    gen_enter(gen, test);
    LLVMValueRef number = LLVMBuildPhi(builder, gen->size, "number");
    LLVMValueRef zero = LLVMConstNull(gen->size);
    LLVMAddIncoming(number, &zero, &before, 1);
    LLVMBuildCondBr(builder, LLVMBuildICmp(builder, LLVMIntULT, number, count, ""), step, done);

    gen_enter(gen, step);
    GenContext at = {.state = LLVMGetParam(function, 0),
                     .params = LLVMGetParam(function, 1),
                     .inputs = struct_at(gen, LLVMGetParam(function, 3), number, inputs),
                     .outputs = struct_at(gen, LLVMGetParam(function, 4), number, outputs)};
    bool is_fast = gen->options->opt_level >= (gen->facts.vectors ? 2 : 3);
    Inlining inlining = gen->options->size != SIZE_ANY ? INLINE_BY_LLVM
                        : is_fast                      ? INLINE_SHORT
                                                       : INLINE_SHORTEST;
    Failure failure = failure_create(gen);
    run_output(gen, &at, inlining, &failure);
    run(gen, gen->program->update, &at, inlining, &failure);
    LLVMValueRef next = LLVMBuildNUWAdd(builder, number, LLVMConstInt(gen->size, 1, false), "");
    LLVMBasicBlockRef last = LLVMGetInsertBlock(builder);
    LLVMAddIncoming(number, &next, &last, 1);
    LLVMBuildBr(builder, test);

    gen_enter(gen, done);
    LLVMBuildRet(builder, gen_i32(gen, TML_OK));
    if (failure_enter(gen, &failure)) {
        uint64_t offset = gen->layout.fault_at + offsetof(tml_fault, step);
        LLVMBuildStore(builder, LLVMBuildZExt(builder, number, gen->i64, ""),
                       member_address(gen, at.state, offset));
        LLVMBuildRet(builder, failure.status);
    }
    return function;
}

EntryPoints entry_component(Gen *gen) {
    return (EntryPoints){
        .init = define_init(gen),
        .output = define_part(gen, "output", PART_OUTPUT),
        .update = define_part(gen, "update", PART_UPDATE),
        .step = define_part(gen, "step", PART_OUTPUT | PART_UPDATE),
        .step_n = define_step_n(gen),
        .batch = runs_declare(gen),
    };
}

EntryPoints entry_program(Gen *gen) {
    LLVMTypeRef params[] = {gen->pointer, gen->pointer, gen->pointer, gen->pointer};
    LLVMTypeRef type = LLVMFunctionType(gen->i32, params, 4, false);
    LLVMValueRef step = LLVMAddFunction(gen->module, "step", type);
    LLVMSetLinkage(step, LLVMInternalLinkage);
    gen_own_function(gen, step);
    gen->value = step;
    gen_enter(gen, gen_block(gen, "entry"));
    debug_host_function(gen, "step", gen->program->entry->span);
    GenContext at = {.state = LLVMGetParam(step, 0)};
    LLVMValueRef args[CALL_CONTEXT_LIMIT];
    unsigned count = call_context_args(gen, &at, args);
    LLVMBuildRet(gen->builder, call_value(gen, gen->program->entry, args, count));
    LLVMValueRef null = LLVMConstNull(gen->pointer);
    return (EntryPoints){null, null, null, step, null, {null, null}};
}
