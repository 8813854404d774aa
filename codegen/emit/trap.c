// Faults leave every function through a plain return, so that callers of any kind can go on.
//
// Note [Exits]
// A function may leave with a fault at each of its calls and checks. If each of them returned, LLVM
// would merge the returns into one block, one after the other, each time looking at all others: the
// time grew with the square of the calls. So places that follow each other share an exit, a block
// that returns the status they bring, and from the second exit of a function on each has an
// instruction that makes no code and keeps LLVM from merging it with the others.
#include "codegen/emit/trap.h"

#include "codegen/emit/calls.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "support/table.h"

enum { EXIT_LIMIT = 64 }; // places that share an exit

// The members of tml_fault, the last one 0: functions do not know of steps.
static void store_fault(Gen *gen, LLVMBuilderRef builder, LLVMValueRef state) {
    LLVMTypeRef types[] = {gen->i32, gen->i32, gen->i32, gen->i32, gen->i64, gen->i64, gen->i64};
    LLVMTypeRef fault = LLVMStructTypeInContext(gen->llvm, types, 7, false);
    LLVMValueRef offset = gen_i64(gen, (int64_t)gen->layout.fault_at);
    LLVMValueRef address = LLVMBuildInBoundsGEP2(builder, gen->i8, state, &offset, 1, "");
    for (unsigned i = 0; i < 7; i++) {
        LLVMValueRef value = i < 6 ? LLVMGetParam(gen->trap, i + 1) : gen_i64(gen, 0);
        LLVMBuildStore(builder, value, LLVMBuildStructGEP2(builder, fault, address, i, ""));
    }
}

// i32 trap(state, code, file, line, column, index, length): stores the fault, unless the state is
// null, and returns its code. Out of line and cold, so that a check costs the code that passes it
// one compare and one jump.
static void define_trap(Gen *gen, LLVMTypeRef type) {
    gen->trap = LLVMAddFunction(gen->module, "trap", type);
    LLVMSetLinkage(gen->trap, LLVMInternalLinkage);
    gen_function_attribute(gen, gen->trap, "cold", 0);
    gen_function_attribute(gen, gen->trap, "noinline", 0);
    gen_own_function(gen, gen->trap);

    LLVMBuilderRef builder = LLVMCreateBuilderInContext(gen->llvm);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(gen->llvm, gen->trap, "");
    LLVMBasicBlockRef store = LLVMAppendBasicBlockInContext(gen->llvm, gen->trap, "store");
    LLVMBasicBlockRef leave = LLVMAppendBasicBlockInContext(gen->llvm, gen->trap, "leave");
    LLVMPositionBuilderAtEnd(builder, entry);
    LLVMValueRef state = LLVMGetParam(gen->trap, 0);
    LLVMBuildCondBr(builder, LLVMBuildIsNull(builder, state, ""), leave, store);
    LLVMPositionBuilderAtEnd(builder, store);
    store_fault(gen, builder, state);
    LLVMBuildBr(builder, leave);
    LLVMPositionBuilderAtEnd(builder, leave);
    LLVMBuildRet(builder, LLVMGetParam(gen->trap, 1));
    LLVMDisposeBuilder(builder);
}

static void close_exit(Gen *gen, bool is_only) {
    gen_enter(gen, gen->exit.block);
    if (!is_only) {
        LLVMValueRef call = gen_intrinsic(gen, "llvm.sideeffect", NULL, 0, NULL, 0);
        LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                 gen_attribute(gen, "nomerge", 0));
    }
    LLVMBuildRet(gen->builder, gen->exit.status);
}

// Ends the current block: the function returns `status`.
static void leave(Gen *gen, LLVMValueRef status) {
    LLVMBasicBlockRef here = LLVMGetInsertBlock(gen->builder);
    GenExit *exit = &gen->exit;
    if (exit->count % EXIT_LIMIT == 0) {
        if (exit->count != 0) {
            close_exit(gen, false);
        }
        exit->block = gen_block(gen, "exit");
        LLVMPositionBuilderAtEnd(gen->builder, exit->block);
        exit->status = LLVMBuildPhi(gen->builder, gen->i32, "status");
        LLVMPositionBuilderAtEnd(gen->builder, here);
    }
    exit->count++;
    LLVMBuildBr(gen->builder, exit->block);
    LLVMAddIncoming(exit->status, &status, &here, 1);
}

void trap_end_function(Gen *gen) {
    if (gen->exit.count != 0) {
        close_exit(gen, gen->exit.count <= EXIT_LIMIT);
    } else {
        table_set(gen->arena, &gen->faultless, gen->value, gen->value);
    }
    gen->exit = (GenExit){0};
}

// Notes a line that may trap.
static void note_line(Gen *gen, SourcePlace place) {
    if (gen->has_trap == NULL) {
        gen->has_trap = ARENA_ARRAY(gen->arena, bool *, sources_count(gen->context->sources));
    }
    bool **lines = &gen->has_trap[place.file->index];
    if (*lines == NULL) {
        *lines = ARENA_ARRAY(gen->arena, bool, place.file->line_count + 1);
    }
    if (!(*lines)[place.line]) {
        (*lines)[place.line] = true;
        LIST_PUSH(gen->arena, &gen->traps, place);
    }
}

LLVMBasicBlockRef trap_begin(Gen *gen, LLVMValueRef condition) {
    if (LLVMIsAConstantInt(condition) != NULL && LLVMConstIntGetZExtValue(condition) == 1) {
        return NULL;
    }
    LLVMBasicBlockRef fail = gen_block(gen, "trap");
    LLVMBasicBlockRef pass = gen_block(gen, "pass");
    LLVMBuildCondBr(gen->builder, condition, pass, fail);
    gen_enter(gen, fail);
    return pass;
}

void trap_end(Gen *gen, LLVMBasicBlockRef pass, TrapSite site) {
    LLVMTypeRef params[] = {gen->pointer, gen->i32, gen->i32, gen->i32,
                            gen->i32,     gen->i64, gen->i64};
    LLVMTypeRef type = LLVMFunctionType(gen->i32, params, 7, false);
    if (gen->trap == NULL) {
        define_trap(gen, type);
    }
    SourcePlace place = sources_place(gen->context->sources, site.span.start);
    uint32_t file = place.file == NULL ? 0 : place.file->index;
    uint32_t column = place.file == NULL ? 0 : source_character(place);
    if (place.file != NULL) {
        note_line(gen, place);
    }
    LLVMValueRef args[] = {
        gen->at.host,
        gen_i32(gen, site.code),
        gen_i32(gen, file),
        gen_i32(gen, place.line),
        gen_i32(gen, column),
        site.index == NULL ? gen_i64(gen, 0) : site.index,
        site.length == NULL ? gen_i64(gen, 0) : site.length,
    };
    leave(gen, LLVMBuildCall2(gen->builder, type, gen->trap, args, 7, ""));
    gen_enter(gen, pass);
}

void trap_unless(Gen *gen, LLVMValueRef condition, TrapSite site) {
    LLVMBasicBlockRef pass = trap_begin(gen, condition);
    if (pass != NULL) {
        trap_end(gen, pass, site);
    }
}

void trap_propagate(Gen *gen, LLVMValueRef status) {
    LLVMBasicBlockRef fail = gen_block(gen, "fault");
    LLVMBasicBlockRef pass = gen_block(gen, "pass");
    LLVMValueRef ok = LLVMBuildICmp(gen->builder, LLVMIntEQ, status, gen_i32(gen, TML_OK), "");
    LLVMBuildCondBr(gen->builder, ok, pass, fail);
    gen_enter(gen, fail);
    leave(gen, status);
    gen_enter(gen, pass);
}

// Callees are defined before their callers.
void trap_propagate_call(Gen *gen, LLVMValueRef callee, LLVMValueRef status) {
    if (table_get(&gen->faultless, callee) == NULL) {
        trap_propagate(gen, status);
    }
}
