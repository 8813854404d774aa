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
#include "codegen/unit/lookups.h"
#include "codegen/unit/sharing.h"
#include "runtime/abi/model.h"

enum {
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

static void mark_call(Gen *gen, LLVMValueRef call, const char *fact) {
    if (fact != NULL) {
        LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                 gen_attribute(gen, fact, 0));
    }
}

// Goes on where a call's status is TML_OK.
static void go_on(Gen *gen, LLVMValueRef status, const Failure *failure) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(gen->builder);
    LLVMBasicBlockRef pass = gen_block(gen, "pass");
    LLVMValueRef ok = LLVMBuildICmp(gen->builder, LLVMIntEQ, status, gen_i32(gen, TML_OK), "");
    LLVMBuildCondBr(gen->builder, ok, pass, failure->block);
    LLVMAddIncoming(failure->status, &status, &here, 1);
    gen_enter(gen, pass);
}

static LLVMValueRef call_inlined(Gen *gen, const TirFunction *function, LLVMValueRef *args,
                                 unsigned count, Inlining inlining) {
    LLVMValueRef status = call_value(gen, function, args, count);
    mark_call(gen, status, sharing_fact(gen, LLVMGetCalledValue(status), inlining));
    return status;
}

// Runs a function that never fails.
static void run_surely(Gen *gen, const TirFunction *function, const GenContext *at,
                       const LLVMValueRef *more, size_t more_count) {
    LLVMValueRef *args = ARENA_ARRAY(gen->arena, LLVMValueRef, CALL_CONTEXT_LIMIT + more_count);
    unsigned count = call_context_args(gen, at, args);
    for (size_t i = 0; i < more_count; i++) {
        args[count++] = more[i];
    }
    call_inlined(gen, function, args, count, sharing_in_loop(gen));
}

// Runs a function of the source, unless there is none.
static void run(Gen *gen, const TirFunction *function, const GenContext *at, Inlining inlining,
                const Failure *failure) {
    if (function != NULL) {
        LLVMValueRef args[CALL_CONTEXT_LIMIT];
        unsigned count = call_context_args(gen, at, args);
        go_on(gen, call_inlined(gen, function, args, count, inlining), failure);
    }
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

// Copies those outputs that live in the state.
static void show_outputs(Gen *gen, const GenContext *at) {
    const TirProgram *program = gen->program;
    for (size_t i = 0; i < program->interface.count; i++) {
        const TirInterface *item = program->interface.items[i];
        if (item->kind == INTERFACE_OUTPUT && item->is_present && !item->is_direct) {
            copy_value(gen, item->type, member_address(gen, at->outputs, item->offset),
                       member_address(gen, at->state, gen->layout.globals_at + item->var->offset));
        }
    }
}

static void run_output(Gen *gen, const GenContext *at, Inlining inlining, const Failure *failure) {
    run(gen, gen->program->output, at, inlining, failure);
    show_outputs(gen, at);
}

typedef enum CyclePart { PART_OUTPUT = 1, PART_UPDATE = 2 } CyclePart;

// Begins a function that is called once in a cycle.
typedef LLVMValueRef BeginHostFunction(Gen *gen, const char *name, const TirFunction *wrapped,
                                       const HostParam *params, unsigned count);

static GenContext begin_in_cycle(Gen *gen, const char *name, BeginHostFunction *begin) {
    HostParam params[] = {host_state_param(gen), host_struct_param(gen, INTERFACE_TUNABLE),
                          host_struct_param(gen, INTERFACE_INPUT),
                          host_struct_param(gen, INTERFACE_OUTPUT)};
    LLVMValueRef function = begin(gen, name, NULL, params, 4);
    return (GenContext){.state = LLVMGetParam(function, 0),
                        .params = LLVMGetParam(function, 1),
                        .inputs = LLVMGetParam(function, 2),
                        .outputs = LLVMGetParam(function, 3)};
}

static LLVMValueRef define_part(Gen *gen, const char *name, unsigned parts) {
    GenContext at = begin_in_cycle(gen, name, host_function_begin);
    LLVMValueRef function = gen->value;
    Failure failure = failure_create(gen);
    Inlining inlining = sharing_in_part(gen, parts == (PART_OUTPUT | PART_UPDATE));
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

// Calls `step`, or, with a count of steps, `step_n`.
static LLVMValueRef call_step(Gen *gen, LLVMValueRef function, const GenContext *at,
                              LLVMValueRef count) {
    LLVMValueRef args[5] = {at->state, at->params};
    unsigned given = 2;
    if (count != NULL) {
        args[given++] = count;
    }
    args[given++] = at->inputs;
    args[given++] = at->outputs;
    LLVMTypeRef type = LLVMGlobalGetValueType(function);
    LLVMValueRef status = LLVMBuildCall2(gen->builder, type, function, args, given, "");
    mark_call(gen, status, "noinline");
    LLVMAddCallSiteAttribute(status, LLVMAttributeReturnIndex, gen_attribute(gen, "signext", 0));
    return status;
}

// A loop over the steps from `number` on, which its phi counts.
typedef struct StepLoop {
    LLVMBasicBlockRef test, done;
    LLVMValueRef number;
    bool is_of_few; // steps, which do not fill a vector
} StepLoop;

// Enters the body of a loop that runs while a step is below `end`.
static StepLoop step_loop_begin(Gen *gen, LLVMValueRef first, LLVMValueRef end) {
    LLVMBasicBlockRef before = LLVMGetInsertBlock(gen->builder);
    LLVMBasicBlockRef body = gen_block(gen, "step");
    StepLoop loop = {.test = gen_block(gen, "test"), .done = gen_block(gen, "done")};
    LLVMBuildBr(gen->builder, loop.test);
    gen_enter(gen, loop.test);
    loop.number = LLVMBuildPhi(gen->builder, gen->size, "number");
    LLVMAddIncoming(loop.number, &first, &before, 1);
    LLVMValueRef goes_on = LLVMBuildICmp(gen->builder, LLVMIntULT, loop.number, end, "");
    LLVMBuildCondBr(gen->builder, goes_on, body, loop.done);
    gen_enter(gen, body);
    return loop;
}

static void step_loop_end(Gen *gen, const StepLoop *loop) {
    LLVMValueRef next = LLVMBuildNUWAdd(gen->builder, loop->number, gen_size(gen, 1), "");
    LLVMBasicBlockRef last = LLVMGetInsertBlock(gen->builder);
    LLVMAddIncoming(loop->number, &next, &last, 1);
    LLVMValueRef again = LLVMBuildBr(gen->builder, loop->test);
    if (loop->is_of_few) {
        loop_keep_as_it_is(gen, again);
    } else if (gen->target.is_zen && lookups_in_step(gen)) {
        loop_keep_scalars(gen, again); // steps side by side would wait for gathers
    }
    gen_enter(gen, loop->done);
}

// The structs of step_n.
typedef struct Rows {
    GenContext at; // of the first step
    HostParam inputs, outputs;
} Rows;

static GenContext context_of(Gen *gen, const Rows *rows, LLVMValueRef number) {
    GenContext at = rows->at;
    at.inputs = struct_at(gen, at.inputs, number, rows->inputs);
    at.outputs = struct_at(gen, at.outputs, number, rows->outputs);
    return at;
}

// The inputs `back` steps before `number`.
static LLVMValueRef inputs_before(Gen *gen, const Rows *rows, LLVMValueRef number,
                                  LLVMValueRef back) {
    LLVMValueRef at = LLVMBuildNUWSub(gen->builder, number, back, "");
    return struct_at(gen, rows->at.inputs, at, rows->inputs);
}

// How many steps have to go before those of TirPasts.
static uint32_t steps_before(const TirPasts *past) {
    uint32_t most = 0;
    for (size_t i = 0; i < past->arrays.count; i++) {
        uint32_t length = past->arrays.items[i].array->type->dims[0];
        most = length - 1 > most ? length - 1 : most;
    }
    return most;
}

// One of the steps whose inputs stand for arrays of the state. None of them fails (pass_past).
static void run_past(Gen *gen, const Rows *rows, LLVMValueRef number) {
    const TirPasts *past = &gen->program->past;
    GenContext at = context_of(gen, rows, number);
    LLVMValueRef *windows = ARENA_ARRAY(gen->arena, LLVMValueRef, past->arrays.count);
    for (size_t i = 0; i < past->arrays.count; i++) {
        uint32_t length = past->arrays.items[i].array->type->dims[0];
        CHECK(gen_type_bytes(gen, past->output->params[i]->type) == length * rows->inputs.bytes);
        windows[i] = inputs_before(gen, rows, number, gen_size(gen, length - 1));
    }
    run_surely(gen, past->output, &at, windows, past->arrays.count);
    show_outputs(gen, &at);
    if (gen->program->update != NULL) {
        run_surely(gen, gen->program->update, &at, NULL, 0);
    }
}

static const Type *row_type(Gen *gen, const Type *array) {
    return type_flat(gen->program->types, array->root, array->flat_rank - 1u, array->dims + 1);
}

// Makes the arrays what the steps would have made of them.
static void keep_past(Gen *gen, const Rows *rows, LLVMValueRef count) {
    const TirPasts *past = &gen->program->past;
    LLVMValueRef last = LLVMBuildNUWSub(gen->builder, count, gen_size(gen, 1), "");
    for (size_t i = 0; i < past->arrays.count; i++) {
        TirPast item = past->arrays.items[i];
        const Type *type = item.array->type;
        LLVMValueRef array =
            member_address(gen, rows->at.state, gen->layout.globals_at + item.array->offset);
        Loop loop;
        loop_begin(gen, &loop, gen_i64(gen, type->dims[0]), NULL, 0);
        LLVMValueRef row = gen_i64(gen, (int64_t)(type->numel / type->dims[0]));
        LLVMValueRef at = LLVMBuildNSWMul(gen->builder, loop.index, row, "");
        LLVMValueRef inputs = inputs_before(gen, rows, last, loop.at);
        copy_value(gen, row_type(gen, type), gen_offset(gen, type->root, array, at),
                   member_address(gen, inputs, item.offset));
        loop_end(gen, &loop, NULL);
    }
}

// The steps of step_n from `first` on, which have enough others before them.
static void define_past_steps(Gen *gen, const Rows *rows, LLVMValueRef first, LLVMValueRef count) {
    LLVMBasicBlockRef some = gen_block(gen, "past");
    LLVMBasicBlockRef none = gen_block(gen, "none");
    LLVMValueRef is_any = LLVMBuildICmp(gen->builder, LLVMIntULT, first, count, "");
    LLVMBuildCondBr(gen->builder, is_any, some, none);
    gen_enter(gen, some);
    StepLoop loop = step_loop_begin(gen, first, count);
    run_past(gen, rows, loop.number);
    step_loop_end(gen, &loop);
    keep_past(gen, rows, count);
    LLVMBuildBr(gen->builder, none);
    gen_enter(gen, none);
}

// What the integers of TirInvariants are.
static void load_invariants(Gen *gen, const GenContext *at, LLVMValueRef *values) {
    const TirInvariants *invariants = &gen->program->invariants;
    for (size_t i = 0; i < invariants->vars.count; i++) {
        const TirVar *var = invariants->vars.items[i].var;
        LLVMValueRef address = member_address(gen, at->state, gen->layout.globals_at + var->offset);
        values[i] = LLVMBuildLoad2(gen->builder, gen->i32, address, "");
        LLVMSetAlignment(values[i], (unsigned)gen_root_bytes(gen, var->type->root));
    }
}

static LLVMValueRef are_within(Gen *gen, LLVMValueRef *values) {
    const TirInvariants *invariants = &gen->program->invariants;
    LLVMValueRef all = LLVMConstInt(gen->i1, 1, false);
    for (size_t i = 0; i < invariants->vars.count; i++) {
        TirInvariant item = invariants->vars.items[i];
        LLVMValueRef least = gen_i32(gen, (int32_t)item.least);
        LLVMValueRef above = LLVMBuildSub(gen->builder, values[i], least, "");
        LLVMValueRef most = gen_i32(gen, (int32_t)(item.most - item.least));
        LLVMValueRef is_within = LLVMBuildICmp(gen->builder, LLVMIntULE, above, most, "");
        all = LLVMBuildAnd(gen->builder, all, is_within, "");
    }
    return all;
}

// All steps of step_n, and its return, where integers of the state are where steps leave them.
static void define_steps_within(Gen *gen, const Rows *rows, LLVMValueRef count) {
    const TirInvariants *invariants = &gen->program->invariants;
    size_t var_count = invariants->vars.count;
    LLVMValueRef *values = ARENA_ARRAY(gen->arena, LLVMValueRef, var_count);
    LLVMBasicBlockRef within = gen_block(gen, "within");
    LLVMBasicBlockRef other = gen_block(gen, "other");
    load_invariants(gen, &rows->at, values);
    LLVMBuildCondBr(gen->builder, are_within(gen, values), within, other);
    gen_enter(gen, within);
    StepLoop loop = step_loop_begin(gen, gen_size(gen, 0), count);
    GenContext at = context_of(gen, rows, loop.number);
    load_invariants(gen, &at, values);
    run_surely(gen, invariants->output, &at, values, var_count);
    show_outputs(gen, &at);
    if (invariants->update != NULL) {
        load_invariants(gen, &at, values);
        run_surely(gen, invariants->update, &at, values, var_count);
    }
    step_loop_end(gen, &loop);
    LLVMBuildRet(gen->builder, gen_i32(gen, TML_OK));
    gen_enter(gen, other);
}

// All steps of step_n, and its return, where there are enough to run side by side.
static void define_steps_beside(Gen *gen, const Rows *rows, LLVMValueRef count) {
    LLVMBasicBlockRef beside = gen_block(gen, "beside");
    LLVMBasicBlockRef few = gen_block(gen, "few");
    LLVMValueRef lanes =
        gen_size(gen, gen->facts.vector_bytes / root_bytes(ROOT_REAL, gen->facts.single));
    LLVMBuildCondBr(gen->builder, LLVMBuildICmp(gen->builder, LLVMIntUGE, count, lanes, ""), beside,
                    few);
    gen_enter(gen, beside);
    StepLoop loop = step_loop_begin(gen, gen_size(gen, 0), count);
    GenContext at = context_of(gen, rows, loop.number);
    run_surely(gen, gen->program->side, &at, NULL, 0);
    step_loop_end(gen, &loop);
    LLVMBuildRet(gen->builder, gen_i32(gen, TML_OK));
    gen_enter(gen, few);
}

static void copy_state(Gen *gen, LLVMValueRef to, LLVMValueRef from) {
    for (size_t i = 0; i < gen->program->globals.count; i++) {
        const TirVar *var = gen->program->globals.items[i];
        if (var->storage == STORAGE_STATE) {
            uint64_t offset = gen->layout.globals_at + var->offset;
            copy_value(gen, var->type, member_address(gen, to, offset),
                       member_address(gen, from, offset));
        }
    }
}

// Of the function at hand.
static LLVMValueRef own_state(Gen *gen) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(gen->builder);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(gen->value);
    LLVMPositionBuilderBefore(gen->builder, LLVMGetFirstInstruction(entry));
    LLVMTypeRef type = LLVMArrayType2(gen->i8, gen->layout.bytes);
    LLVMValueRef own = LLVMBuildAlloca(gen->builder, type, "own");
    LLVMSetAlignment(own, (unsigned)gen->layout.align);
    LLVMPositionBuilderAtEnd(gen->builder, here);
    return own;
}

static LLVMValueRef least_of(const Gen *gen, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef is_less = LLVMBuildICmp(gen->builder, LLVMIntULT, a, b, "");
    return LLVMBuildSelect(gen->builder, is_less, a, b, "");
}

// With `step` it calls that.
static LLVMValueRef define_step_n(Gen *gen, StepSharing sharing, LLVMValueRef step) {
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
    Rows rows = {.at = {.state = LLVMGetParam(function, 0),
                        .params = LLVMGetParam(function, 1),
                        .inputs = LLVMGetParam(function, 3),
                        .outputs = LLVMGetParam(function, 4)},
                 .inputs = inputs,
                 .outputs = outputs};
    if (sharing == STEPS_WITHIN) {
        define_steps_within(gen, &rows, count);
    }
    if (sharing_takes_side(gen)) {
        define_steps_beside(gen, &rows, count);
    }
    LLVMValueRef state = rows.at.state;
    if (sharing_copies_state(gen)) {
        rows.at.state = own_state(gen);
        copy_state(gen, rows.at.state, state);
    }
    bool has_past = gen->program->past.output != NULL && sharing_reads_past(gen);
    LLVMValueRef first = gen_size(gen, steps_before(&gen->program->past));
    LLVMValueRef end = has_past ? least_of(gen, count, first) : count;
    StepLoop loop = step_loop_begin(gen, gen_size(gen, 0), end);
    loop.is_of_few = sharing_takes_side(gen);
    GenContext at = context_of(gen, &rows, loop.number);
    Failure failure = failure_create(gen);
    if (step != NULL) {
        go_on(gen, call_step(gen, step, &at, NULL), &failure);
    } else {
        Inlining inlining = sharing_in_loop(gen);
        run_output(gen, &at, inlining, &failure);
        run(gen, gen->program->update, &at, inlining, &failure);
    }
    step_loop_end(gen, &loop);
    if (has_past) {
        define_past_steps(gen, &rows, first, count);
    }
    if (rows.at.state != state) {
        copy_state(gen, state, rows.at.state);
    }
    LLVMBuildRet(builder, gen_i32(gen, TML_OK));
    if (failure_enter(gen, &failure)) {
        uint64_t offset = gen->layout.fault_at + offsetof(tml_fault, step);
        LLVMBuildStore(builder, LLVMBuildZExt(builder, loop.number, gen->i64, ""),
                       member_address(gen, at.state, offset));
        LLVMBuildRet(builder, failure.status);
    }
    return function;
}

// As a call of `step_n`, in the place of its own return.
static LLVMValueRef define_step_of_one(Gen *gen, const char *name, LLVMValueRef step_n) {
    GenContext at = begin_in_cycle(gen, name, host_function_begin_unchecked);
    LLVMValueRef status = call_step(gen, step_n, &at, gen_size(gen, 1));
    LLVMSetTailCall(status, true);
    LLVMBuildRet(gen->builder, status);
    return gen->value;
}

EntryPoints entry_component(Gen *gen) {
    EntryPoints entries = {.init = define_init(gen)};
    StepSharing sharing = sharing_of_steps(gen);
    // The step of one without an update is its output, too.
    bool is_output_step = sharing == STEP_OF_ONE && gen->program->update == NULL;
    if (!is_output_step) {
        entries.output = define_part(gen, "output", PART_OUTPUT);
    }
    entries.update = define_part(gen, "update", PART_UPDATE);
    if (sharing == STEP_OF_ONE) {
        entries.step_n = define_step_n(gen, sharing, NULL);
        entries.step = define_step_of_one(gen, "step", entries.step_n);
        if (is_output_step) {
            entries.output = define_step_of_one(gen, "output", entries.step_n);
        }
    } else {
        entries.step = define_part(gen, "step", PART_OUTPUT | PART_UPDATE);
        entries.step_n = define_step_n(gen, sharing, sharing == STEPS_APART ? NULL : entries.step);
    }
    entries.batch = runs_declare(gen);
    return entries;
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
