// What varies from run to run: what is read from memory of runs, what is computed of that, and phis
// where runs meet that went different ways. Found by going over the function until nothing changes.
#include "codegen/runs/copy.h"

#include <string.h>

bool run_varies(const RunCopy *copy, LLVMValueRef value) {
    return table_get(&copy->function->varying, value) != NULL;
}

static bool is_call_of_trap(LLVMValueRef instruction) {
    size_t len;
    LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
    const char *name = callee != NULL ? LLVMGetValueName2(callee, &len) : "";
    return strcmp(name, "trap") == 0;
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
    uintptr_t known = (uintptr_t)table_get(&copy->function->pointers, value);
    if (known == 0) {
        known = (uintptr_t)find_kind(copy, value) + 1;
        table_set(copy->runs->gen->arena, &copy->function->pointers, value, (void *)known);
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

static bool has_body(LLVMValueRef callee) {
    return LLVMIsAFunction(callee) && !LLVMIsDeclaration(callee);
}

RunFunction *run_callee(RunCopy *copy, LLVMValueRef call) {
    LLVMValueRef callee = LLVMGetCalledValue(call);
    RunKind kinds[RUN_PARAMS];
    unsigned count = LLVMGetNumArgOperands(call);
    if (count > RUN_PARAMS || LLVMIsFunctionVarArg(LLVMGlobalGetValueType(callee))) {
        run_refuse(copy->runs, "a function has many parameters");
        return NULL;
    }
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef operand = LLVMGetOperand(call, i);
        bool is_address = LLVMGetTypeKind(LLVMTypeOf(operand)) == LLVMPointerTypeKind;
        kinds[i] = is_address ? run_kind(copy, operand) : RUN_VARYING;
    }
    return run_function(copy->runs, callee, kinds);
}

static bool call_varies(RunCopy *copy, LLVMValueRef call) {
    if (!has_body(LLVMGetCalledValue(call))) {
        return any_operand_varies(copy, call);
    }
    if (is_call_of_trap(call) || LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind) {
        return false;
    }
    const RunFunction *callee = run_callee(copy, call);
    return callee != NULL && callee->result_varies;
}

static bool phi_varies(RunCopy *copy, LLVMValueRef phi) {
    const RunFunction *function = copy->function;
    if (function->blocks[flow_number(&function->flow, LLVMGetInstructionParent(phi))].joins) {
        return true;
    }
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (flow_number(&function->flow, LLVMGetIncomingBlock(phi, i)) != FLOW_NONE &&
            run_varies(copy, LLVMGetIncomingValue(phi, i))) {
            return true;
        }
    }
    return false;
}

static bool is_varying(RunCopy *copy, LLVMValueRef value) {
    if (LLVMIsALoadInst(value)) {
        LLVMValueRef address = LLVMGetOperand(value, 0);
        return run_kind(copy, address) == RUN_OWN || run_varies(copy, address);
    }
    if (LLVMIsACallInst(value)) {
        return call_varies(copy, value);
    }
    if (LLVMIsAPHINode(value)) {
        return phi_varies(copy, value);
    }
    return !LLVMIsAAllocaInst(value) && any_operand_varies(copy, value);
}

// Constants.

// The constant that the value is wherever it does not come from a trap: functions return a status
// that is 0 or that of a trap. False: not a constant; with *constant NULL it comes from traps only.
static bool find_constant(RunCopy *copy, LLVMValueRef value, unsigned depth,
                          LLVMValueRef *constant) {
    enum { DEPTH = 8 };
    if (LLVMIsAConstantInt(value)) {
        bool is_same = *constant == NULL || *constant == value;
        *constant = value;
        return is_same;
    }
    if (LLVMIsACallInst(value) && has_body(LLVMGetCalledValue(value)) &&
        LLVMTypeOf(value) == copy->runs->gen->i32) {
        const RunFunction *callee = is_call_of_trap(value) ? NULL : run_callee(copy, value);
        return is_call_of_trap(value) || (callee != NULL && callee->result != NULL &&
                                          find_constant(copy, callee->result, depth, constant));
    }
    if (!LLVMIsAPHINode(value) || depth == DEPTH) {
        return false;
    }
    for (unsigned i = 0; i < LLVMCountIncoming(value); i++) {
        bool arrives =
            flow_number(&copy->function->flow, LLVMGetIncomingBlock(value, i)) != FLOW_NONE;
        if (arrives && !find_constant(copy, LLVMGetIncomingValue(value, i), depth + 1, constant)) {
            return false;
        }
    }
    return true;
}

// The truth of a condition that asks for a status, or is one. False: it is not known.
static bool find_truth(RunCopy *copy, LLVMValueRef condition, bool *is_true) {
    LLVMValueRef constant = NULL;
    if (!LLVMIsAICmpInst(condition)) {
        bool is_known = find_constant(copy, condition, 0, &constant) && constant != NULL;
        *is_true = is_known && LLVMConstIntGetZExtValue(constant) != 0;
        return is_known;
    }
    LLVMIntPredicate predicate = LLVMGetICmpPredicate(condition);
    LLVMValueRef other = LLVMGetOperand(condition, 1);
    if ((predicate != LLVMIntEQ && predicate != LLVMIntNE) || !LLVMIsAConstantInt(other) ||
        !find_constant(copy, LLVMGetOperand(condition, 0), 0, &constant) || constant == NULL) {
        return false;
    }
    *is_true = (constant == other) == (predicate == LLVMIntEQ);
    return true;
}

// Where a branch goes that asks for a status which is known.
static LLVMBasicBlockRef known_successor(void *data, LLVMValueRef branch) {
    bool is_true, branches = LLVMIsABranchInst(branch) && LLVMIsConditional(branch);
    return branches && find_truth(data, LLVMGetCondition(branch), &is_true)
               ? LLVMGetSuccessor(branch, is_true ? 0 : 1)
               : NULL;
}

// Functions.

// The condition of a branch to several blocks, NULL for other ends.
static LLVMValueRef condition_of(LLVMValueRef end) {
    bool branches =
        (LLVMIsABranchInst(end) && LLVMIsConditional(end)) || LLVMIsASwitchInst(end) != NULL;
    return branches ? LLVMGetOperand(end, 0) : NULL;
}

static void find_varying(RunCopy *copy) {
    RunFunction *function = copy->function;
    Arena *arena = copy->runs->gen->arena;
    Table parted = {0}; // branches at which runs go different ways
    for (bool changed = true; changed && copy->runs->refused == NULL;) {
        changed = false;
        for (uint32_t i = 0; i < function->flow.count; i++) {
            LLVMBasicBlockRef block = function->flow.blocks[i].source;
            for (LLVMValueRef at = LLVMGetFirstInstruction(block); at != NULL;
                 at = LLVMGetNextInstruction(at)) {
                copy->runs->at = at;
                if (!run_varies(copy, at) && is_varying(copy, at)) {
                    table_set(arena, &function->varying, at, at);
                    changed = true;
                }
            }
            LLVMValueRef end = LLVMGetBasicBlockTerminator(block), condition = condition_of(end);
            if (function->flow.blocks[i].to.count > 1 && condition != NULL &&
                run_varies(copy, condition) && table_get(&parted, end) == NULL) {
                table_set(arena, &parted, end, end);
                run_diverge(copy, i);
                changed = true;
            }
        }
    }
}

static void find_result(RunCopy *copy) {
    RunFunction *function = copy->function;
    for (uint32_t i = 0; i < function->flow.count; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(function->flow.blocks[i].source);
        if (LLVMIsAReturnInst(end) && LLVMGetNumOperands(end) == 1) {
            LLVMValueRef value = LLVMGetOperand(end, 0), constant = NULL;
            bool is_constant = find_constant(copy, value, 0, &constant);
            function->result = is_constant ? constant : NULL;
            function->result_varies = function->result == NULL && run_varies(copy, value);
        }
    }
}

static void learn(RunCopy *copy) {
    RunFunction *function = copy->function;
    Runs *runs = copy->runs;
    Arena *arena = runs->gen->arena;
    FlowKnown known = {.is_trap = is_call_of_trap, .data = copy};
    for (unsigned i = 0; i < LLVMCountParams(function->source); i++) {
        LLVMValueRef param = LLVMGetParam(function->source, i);
        if (function->kinds[i] == RUN_VARYING) {
            table_set(arena, &function->varying, param, param);
        }
    }
    function->flow = flow_of(arena, function->source, &known);
    known.only = known_successor; // as far as that flow tells
    function->flow = flow_of(arena, function->source, &known);
    if (function->flow.no != NULL) {
        runs->at = LLVMGetFirstInstruction(function->flow.no_at);
        run_refuse(runs, function->flow.no);
        return;
    }
    function->blocks = ARENA_ARRAY(arena, RunBlock, function->flow.count);
    for (uint32_t i = 0; i < function->flow.count; i++) {
        function->blocks[i] = (RunBlock){.chain = i, .next = FLOW_NONE};
    }
    find_varying(copy);
    run_find_chains(copy);
    find_result(copy);
}

RunFunction *run_function(Runs *runs, LLVMValueRef source, const RunKind *kinds) {
    size_t bytes = LLVMCountParams(source) * sizeof *kinds;
    for (size_t i = 0; i < runs->functions.count; i++) {
        RunFunction *function = runs->functions.items[i];
        if (function->source == source && memcmp(function->kinds, kinds, bytes) == 0) {
            if (!function->is_known) {
                run_refuse(runs, "a function calls itself");
            }
            return function->is_known ? function : NULL;
        }
    }
    RunFunction *function = ARENA_NEW(runs->gen->arena, RunFunction);
    *function = (RunFunction){.source = source};
    memcpy(function->kinds, kinds, bytes);
    LIST_PUSH(runs->gen->arena, &runs->functions, function);
    LLVMValueRef at = runs->at;
    RunCopy copy = {.runs = runs, .function = function};
    learn(&copy);
    runs->at = at;
    function->is_known = true;
    return function;
}
