// Instructions without control flow. What is uniform is copied; what varies works on all elements
// of all runs at once, and parts of vectors are parts of longer ones.
#include "codegen/runs/copy.h"

static LLVMValueRef wide(RunCopy *copy, LLVMValueRef source, unsigned operand) {
    return run_wide(copy, LLVMGetOperand(source, operand));
}

static LLVMValueRef shuffle(RunCopy *copy, LLVMValueRef a, LLVMValueRef b, const unsigned *from,
                            unsigned count) {
    LLVMTypeRef i32 = copy->runs->gen->i32;
    LLVMValueRef *mask = ARENA_ARRAY(copy->runs->gen->arena, LLVMValueRef, count);
    for (unsigned i = 0; i < count; i++) {
        mask[i] = from[i] == UINT32_MAX ? LLVMGetPoison(i32) : LLVMConstInt(i32, from[i], false);
    }
    b = b != NULL ? b : LLVMGetPoison(LLVMTypeOf(a));
    return LLVMBuildShuffleVector(copy->builder, a, b, LLVMConstVector(mask, count), "");
}

static unsigned *new_mask(RunCopy *copy, unsigned count) {
    return ARENA_ARRAY(copy->runs->gen->arena, unsigned, count);
}

// The first lane of the element at a constant index; false for others, which are refused.
static bool first_lane(RunCopy *copy, LLVMValueRef index, unsigned *first) {
    if (!LLVMIsAConstantInt(index)) {
        run_refuse(copy->runs, "an element of a vector is chosen while running");
        return false;
    }
    *first = (unsigned)LLVMConstIntGetZExtValue(index) * copy->runs->lanes;
    return true;
}

static LLVMValueRef extract(RunCopy *copy, LLVMValueRef source) {
    unsigned lanes = copy->runs->lanes;
    unsigned first = 0;
    if (!first_lane(copy, LLVMGetOperand(source, 1), &first)) {
        return LLVMGetUndef(run_type(copy->runs, LLVMTypeOf(source)));
    }
    unsigned *mask = new_mask(copy, lanes);
    for (unsigned l = 0; l < lanes; l++) {
        mask[l] = first + l;
    }
    return shuffle(copy, wide(copy, source, 0), NULL, mask, lanes);
}

static LLVMValueRef insert(RunCopy *copy, LLVMValueRef source) {
    unsigned lanes = copy->runs->lanes, count = run_elements(LLVMTypeOf(source)) * lanes;
    unsigned first = 0;
    if (!first_lane(copy, LLVMGetOperand(source, 2), &first)) {
        return LLVMGetUndef(run_type(copy->runs, LLVMTypeOf(source)));
    }
    unsigned *mask = new_mask(copy, count);
    for (unsigned i = 0; i < count; i++) {
        mask[i] = i < lanes ? i : UINT32_MAX;
    }
    LLVMValueRef longer = shuffle(copy, wide(copy, source, 1), NULL, mask, count);
    for (unsigned i = 0; i < count; i++) {
        mask[i] = i >= first && i < first + lanes ? count + i - first : i;
    }
    return shuffle(copy, wide(copy, source, 0), longer, mask, count);
}

static LLVMValueRef permute(RunCopy *copy, LLVMValueRef source) {
    unsigned lanes = copy->runs->lanes, count = LLVMGetNumMaskElements(source);
    unsigned *mask = new_mask(copy, count * lanes);
    for (unsigned e = 0; e < count; e++) {
        int from = LLVMGetMaskValue(source, e);
        for (unsigned l = 0; l < lanes; l++) {
            mask[e * lanes + l] = from < 0 ? UINT32_MAX : (unsigned)from * lanes + l;
        }
    }
    return shuffle(copy, wide(copy, source, 0), wide(copy, source, 1), mask, count * lanes);
}

// One condition for a vector becomes one for each of its elements.
static LLVMValueRef choose(RunCopy *copy, LLVMValueRef source) {
    unsigned lanes = copy->runs->lanes, elements = run_elements(LLVMTypeOf(source));
    LLVMValueRef condition = LLVMGetOperand(source, 0);
    bool is_scalar = LLVMGetTypeKind(LLVMTypeOf(condition)) != LLVMVectorTypeKind;
    LLVMValueRef chosen = run_varies(copy, condition) || !is_scalar ? run_wide(copy, condition)
                                                                    : run_value(copy, condition);
    if (run_varies(copy, condition) && is_scalar && elements > 1) {
        unsigned *mask = new_mask(copy, elements * lanes);
        for (unsigned i = 0; i < elements * lanes; i++) {
            mask[i] = i % lanes;
        }
        chosen = shuffle(copy, chosen, NULL, mask, elements * lanes);
    }
    return LLVMBuildSelect(copy->builder, chosen, wide(copy, source, 1), wide(copy, source, 2), "");
}

// One address of several: each run has its own.
static LLVMValueRef choose_address(RunCopy *copy, LLVMValueRef source) {
    return LLVMBuildSelect(copy->builder, wide(copy, source, 0), wide(copy, source, 1),
                           wide(copy, source, 2), "");
}

static LLVMValueRef cast(RunCopy *copy, LLVMValueRef source, LLVMOpcode opcode) {
    LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(source, 0)), to = LLVMTypeOf(source);
    bool is_number = LLVMGetTypeKind(run_scalar(from)) != LLVMPointerTypeKind &&
                     LLVMGetTypeKind(run_scalar(to)) != LLVMPointerTypeKind;
    if (!is_number || run_elements(from) != run_elements(to)) {
        run_refuse(copy->runs, "a vector is taken as one of other elements");
        return LLVMGetUndef(run_type(copy->runs, to));
    }
    return LLVMBuildCast(copy->builder, opcode, wide(copy, source, 0), run_type(copy->runs, to),
                         "");
}

// The right operand. Where runs are elsewhere nobody knows what they divide by.
static LLVMValueRef right(RunCopy *copy, LLVMValueRef source) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(source);
    LLVMValueRef value = wide(copy, source, 1);
    bool divides =
        opcode == LLVMSDiv || opcode == LLVMUDiv || opcode == LLVMSRem || opcode == LLVMURem;
    if (!divides || copy->mask == NULL) {
        return value;
    }
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef *ones = ARENA_ARRAY(copy->runs->gen->arena, LLVMValueRef, run_elements(type));
    for (unsigned i = 0; i < run_elements(type); i++) {
        ones[i] = LLVMConstInt(run_scalar(type), 1, false);
    }
    return run_blend(copy, copy->mask, value, LLVMConstVector(ones, run_elements(type)));
}

static LLVMValueRef compute(RunCopy *copy, LLVMValueRef source) {
    LLVMOpcode opcode = LLVMGetInstructionOpcode(source);
    LLVMBuilderRef builder = copy->builder;
    switch (opcode) {
    case LLVMFNeg: return LLVMBuildFNeg(builder, wide(copy, source, 0), "");
    case LLVMFreeze: return LLVMBuildFreeze(builder, wide(copy, source, 0), "");
    case LLVMICmp:
        return LLVMBuildICmp(builder, LLVMGetICmpPredicate(source), wide(copy, source, 0),
                             wide(copy, source, 1), "");
    case LLVMFCmp:
        return LLVMBuildFCmp(builder, LLVMGetFCmpPredicate(source), wide(copy, source, 0),
                             wide(copy, source, 1), "");
    case LLVMSelect:
        return LLVMGetTypeKind(LLVMTypeOf(source)) == LLVMPointerTypeKind
                   ? choose_address(copy, source)
                   : choose(copy, source);
    case LLVMExtractElement: return extract(copy, source);
    case LLVMInsertElement: return insert(copy, source);
    case LLVMShuffleVector: return permute(copy, source);
    case LLVMGetElementPtr: return run_address(copy, source);
    default: break;
    }
    if (LLVMIsABinaryOperator(source)) {
        return LLVMBuildBinOp(builder, opcode, wide(copy, source, 0), right(copy, source), "");
    }
    if (LLVMIsACastInst(source)) {
        return cast(copy, source, opcode);
    }
    run_refuse(copy->runs, "an instruction is not known");
    return LLVMGetUndef(run_type(copy->runs, LLVMTypeOf(source)));
}

// With operands of its copy.
static LLVMValueRef clone(RunCopy *copy, LLVMValueRef source) {
    LLVMValueRef same = LLVMInstructionClone(source);
    LLVMInstructionSetDebugLoc(same, NULL);
    for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(source); i++) {
        LLVMSetOperand(same, i, run_value(copy, LLVMGetOperand(source, i)));
    }
    LLVMInsertIntoBuilder(copy->builder, same);
    unsigned scopes[] = {LLVMGetMDKindIDInContext(copy->runs->gen->llvm, "noalias", 7),
                         LLVMGetMDKindIDInContext(copy->runs->gen->llvm, "alias.scope", 11)};
    LLVMSetMetadata(same, scopes[0], NULL);
    LLVMSetMetadata(same, scopes[1], NULL);
    return same;
}

LLVMValueRef run_instruction(RunCopy *copy, LLVMValueRef source) {
    switch (LLVMGetInstructionOpcode(source)) {
    case LLVMAlloca: return run_alloca(copy, source);
    case LLVMLoad: return run_load(copy, source);
    case LLVMStore: run_store(copy, source); return NULL;
    case LLVMCall: return run_call(copy, source);
    case LLVMGetElementPtr: return run_address(copy, source);
    default: break;
    }
    if (!run_varies(copy, source)) {
        return clone(copy, source);
    }
    LLVMValueRef value = compute(copy, source);
    if (LLVMCanValueUseFastMathFlags(source) && LLVMIsAInstruction(value) &&
        LLVMCanValueUseFastMathFlags(value)) {
        LLVMSetFastMathFlags(value, LLVMGetFastMathFlags(source));
    }
    return value;
}
