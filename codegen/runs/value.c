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

LLVMValueRef run_value(RunCopy *copy, LLVMValueRef value) {
    if (LLVMIsConstant(value)) {
        return value;
    }
    LLVMValueRef found = table_get(&copy->values, value);
    if (found == NULL) {
        run_refuse(copy->runs, "a value is used before it is computed");
        return LLVMGetUndef(LLVMTypeOf(value));
    }
    return found;
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
