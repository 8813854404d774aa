// What varies from run to run: what is read from memory of runs, and what is computed of that.
// Found by going over the function until nothing changes. Control flow never varies (copy.h), so a
// phi varies by its values alone.
#include "codegen/runs/copy.h"

bool run_varies(const RunCopy *copy, LLVMValueRef value) {
    return table_get(&copy->varying, value) != NULL;
}

// What the argument, alloca or constant is that an address begins at; RUN_UNIFORM: null.
static RunKind kind_of_root(const RunCopy *copy, LLVMValueRef value) {
    LLVMValueRef source = copy->function->source;
    for (unsigned i = 0; LLVMIsAArgument(value) && i < LLVMCountParams(source); i++) {
        if (LLVMGetParam(source, i) == value) {
            return copy->function->kinds[i];
        }
    }
    if (LLVMIsAAllocaInst(value)) {
        return RUN_OWN;
    }
    bool is_nothing = LLVMIsAConstantPointerNull(value) || LLVMIsUndef(value);
    if (!LLVMIsConstant(value)) {
        run_refuse(copy->runs, "an address is computed in a way that is not known");
    }
    return is_nothing ? RUN_UNIFORM : RUN_SHARED;
}

// The operands that are addresses from which this one comes.
static void address_parts(LLVMValueRef value, unsigned *first, unsigned *end) {
    *first = *end = 0;
    if (LLVMIsConstant(value)) {
        return;
    }
    if (LLVMIsAGetElementPtrInst(value) || LLVMIsAFreezeInst(value)) {
        *end = 1;
    } else if (LLVMIsASelectInst(value)) {
        *first = 1;
        *end = 3;
    } else if (LLVMIsAPHINode(value)) {
        *end = (unsigned)LLVMGetNumOperands(value);
    }
}

// All places where the address may begin are of one kind.
static RunKind find_kind(RunCopy *copy, LLVMValueRef value) {
    Arena *arena = copy->runs->gen->arena;
    LIST_OF(LLVMValueRef) todo = {0};
    Table seen = {0};
    RunKind kind = RUN_UNIFORM;
    LIST_PUSH(arena, &todo, value);
    while (todo.count > 0) {
        LLVMValueRef at = todo.items[--todo.count];
        unsigned first, end;
        if (table_get(&seen, at) != NULL) {
            continue;
        }
        table_set(arena, &seen, at, at);
        address_parts(at, &first, &end);
        for (unsigned i = first; i < end; i++) {
            LIST_PUSH(arena, &todo, LLVMGetOperand(at, i));
        }
        RunKind found = end > 0 ? RUN_UNIFORM : kind_of_root(copy, at);
        if (found != RUN_UNIFORM && kind != RUN_UNIFORM && found != kind) {
            run_refuse(copy->runs, "an address is of constants or of variables");
        }
        kind = found != RUN_UNIFORM ? found : kind;
    }
    return kind == RUN_UNIFORM ? RUN_SHARED : kind;
}

RunKind run_kind(RunCopy *copy, LLVMValueRef value) {
    if (LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMPointerTypeKind) {
        return run_varies(copy, value) ? RUN_VARYING : RUN_UNIFORM;
    }
    uintptr_t known = (uintptr_t)table_get(&copy->kinds, value);
    if (known == 0) {
        known = (uintptr_t)find_kind(copy, value) + 1;
        table_set(copy->runs->gen->arena, &copy->kinds, value, (void *)known);
    }
    return (RunKind)(known - 1);
}

static bool any_operand_varies(const RunCopy *copy, LLVMValueRef value) {
    unsigned count =
        LLVMIsACallInst(value) ? LLVMGetNumArgOperands(value) : (unsigned)LLVMGetNumOperands(value);
    for (unsigned i = 0; i < count; i++) {
        if (run_varies(copy, LLVMGetOperand(value, i))) {
            return true;
        }
    }
    return false;
}

// The result of a function of the module, of which a copy is made now.
static bool call_varies(RunCopy *copy, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    bool has_body = LLVMIsAFunction(callee) && !LLVMIsDeclaration(callee);
    // Whatever it does with memory of runs, its result may depend on it.
    return has_body ? LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind
                    : any_operand_varies(copy, call);
}

static bool is_varying(RunCopy *copy, LLVMValueRef value) {
    if (LLVMIsALoadInst(value)) {
        LLVMValueRef address = LLVMGetOperand(value, 0);
        return run_kind(copy, address) == RUN_OWN || run_varies(copy, address);
    }
    if (LLVMIsACallInst(value)) {
        return call_varies(copy, value);
    }
    return !LLVMIsAAllocaInst(value) && any_operand_varies(copy, value);
}

void run_find_varying(RunCopy *copy) {
    LLVMValueRef source = copy->function->source;
    Arena *arena = copy->runs->gen->arena;
    for (unsigned i = 0; i < LLVMCountParams(source); i++) {
        if (copy->function->kinds[i] == RUN_VARYING) {
            table_set(arena, &copy->varying, LLVMGetParam(source, i), LLVMGetParam(source, i));
        }
    }
    for (bool changed = true; changed && copy->runs->refused == NULL;) {
        changed = false;
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(source); block != NULL;
             block = LLVMGetNextBasicBlock(block)) {
            for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
                 at = LLVMGetNextInstruction(at)) {
                if (!run_varies(copy, at) && is_varying(copy, at)) {
                    table_set(arena, &copy->varying, at, at);
                    changed = true;
                }
            }
        }
    }
}
