// Vectors of all runs. Element e of lane l is at e * lanes + l, as it is in memory.
#include "codegen/runs/copy.h"

unsigned run_elements(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

LLVMTypeRef run_scalar(LLVMTypeRef type) {
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

LLVMTypeRef run_type(const Runs *runs, LLVMTypeRef type) {
    return LLVMVectorType(run_scalar(type), run_elements(type) * runs->lanes);
}

LLVMValueRef run_home(RunCopy *copy, LLVMValueRef source) {
    LLVMValueRef home = table_get(&copy->homes, source);
    if (home == NULL) {
        LLVMTypeRef type = LLVMTypeOf(source);
        type = run_varies(copy, source) ? run_type(copy->runs, type) : type;
        home = LLVMBuildAlloca(copy->at_entry, type, "");
        table_set(copy->runs->gen->arena, &copy->homes, source, home);
    }
    return home;
}

static uint32_t block_of(const RunCopy *copy, LLVMValueRef instruction) {
    return flow_number(&copy->function->flow, LLVMGetInstructionParent(instruction));
}

LLVMValueRef run_value(RunCopy *copy, LLVMValueRef value) {
    if (LLVMIsConstant(value)) {
        return value;
    }
    bool is_elsewhere = LLVMIsAInstruction(value) && !LLVMIsAAllocaInst(value) &&
                        block_of(copy, value) != copy->block;
    if (is_elsewhere) {
        LLVMValueRef home = run_home(copy, value);
        return LLVMBuildLoad2(copy->builder, LLVMGetAllocatedType(home), home, "");
    }
    LLVMValueRef found = table_get(&copy->values, value);
    if (found == NULL) {
        run_refuse(copy->runs, "a value is used before it is computed");
        return LLVMGetUndef(LLVMTypeOf(value));
    }
    return found;
}

// Whether another block asks for it: one of a phi where it comes from.
static bool is_used_elsewhere(LLVMValueRef source) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(source);
    for (LLVMUseRef use = LLVMGetFirstUse(source); use != NULL; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool is_phi = LLVMIsAPHINode(user) != NULL;
        if (!is_phi && LLVMGetInstructionParent(user) != block) {
            return true;
        }
        for (unsigned i = 0; is_phi && i < LLVMCountIncoming(user); i++) {
            if (LLVMGetIncomingValue(user, i) == source && LLVMGetIncomingBlock(user, i) != block) {
                return true;
            }
        }
    }
    return false;
}

void run_set_value(RunCopy *copy, LLVMValueRef source, LLVMValueRef value) {
    table_set(copy->runs->gen->arena, &copy->values, source, value);
    if (!LLVMIsAPHINode(source) && !LLVMIsAAllocaInst(source) && is_used_elsewhere(source)) {
        LLVMBuildStore(copy->builder, value, run_home(copy, source));
    }
}

// Each element of a uniform value, once for each run.
LLVMValueRef run_wide(RunCopy *copy, LLVMValueRef value) {
    const Runs *runs = copy->runs;
    LLVMValueRef same = run_value(copy, value);
    LLVMTypeRef type = LLVMTypeOf(value);
    if (run_varies(copy, value)) {
        return same;
    }
    if (LLVMIsUndef(value)) {
        LLVMTypeRef wide = run_type(runs, type);
        return LLVMIsPoison(value) ? LLVMGetPoison(wide) : LLVMGetUndef(wide);
    }
    LLVMTypeRef i32 = runs->gen->i32;
    unsigned elements = run_elements(type);
    LLVMValueRef vector = same;
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind) {
        LLVMValueRef none = LLVMGetPoison(LLVMVectorType(type, 1));
        vector = LLVMBuildInsertElement(copy->builder, none, same, LLVMConstNull(i32), "");
    }
    LLVMValueRef *mask = ARENA_ARRAY(runs->gen->arena, LLVMValueRef, elements * runs->lanes);
    for (unsigned i = 0; i < elements * runs->lanes; i++) {
        mask[i] = LLVMConstInt(i32, i / runs->lanes, false);
    }
    return LLVMBuildShuffleVector(copy->builder, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                  LLVMConstVector(mask, elements * runs->lanes), "");
}

LLVMValueRef run_lane(RunCopy *copy, LLVMValueRef wide, unsigned lane) {
    LLVMValueRef index = LLVMConstInt(copy->runs->gen->i32, lane, false);
    return LLVMBuildExtractElement(copy->builder, wide, index, "");
}

LLVMValueRef run_set_lane(RunCopy *copy, LLVMValueRef wide, LLVMValueRef value, unsigned lane) {
    LLVMValueRef index = LLVMConstInt(copy->runs->gen->i32, lane, false);
    return LLVMBuildInsertElement(copy->builder, wide, value, index, "");
}
