// Conversions between scalars (L2.9).
#include "codegen/element.h"

// Truncated toward zero to 64 bits, saturating, nan is 0; then modulo 2^32.
static LLVMValueRef real_to_integer(Gen *gen, LLVMValueRef value) {
    LLVMTypeRef types[] = {gen->i64, gen->real};
    LLVMValueRef wide = gen_intrinsic(gen, "llvm.fptosi.sat", types, 2, &value, 1);
    return LLVMBuildTrunc(gen->builder, wide, gen->i32, "");
}

static LLVMValueRef to_bool(Gen *gen, Root from, LLVMValueRef value) {
    if (from == ROOT_REAL) {
        return LLVMBuildFCmp(gen->builder, LLVMRealUNE, value, gen_real(gen, 0), "");
    }
    return LLVMBuildICmp(gen->builder, LLVMIntNE, value, gen_i32(gen, 0), "");
}

static LLVMValueRef to_real(Gen *gen, Root from, LLVMValueRef value) {
    return from == ROOT_INT ? LLVMBuildSIToFP(gen->builder, value, gen->real, "")
                            : LLVMBuildUIToFP(gen->builder, value, gen->real, "");
}

LLVMValueRef op_convert(Gen *gen, Root to, Root from, LLVMValueRef value) {
    if (to == from) {
        return value;
    }
    switch (to) {
    case ROOT_BOOL: return to_bool(gen, from, value);
    case ROOT_UINT:
    case ROOT_INT:
        return from == ROOT_REAL   ? real_to_integer(gen, value)
               : from == ROOT_BOOL ? LLVMBuildZExt(gen->builder, value, gen->i32, "")
                                   : value;
    case ROOT_REAL: return to_real(gen, from, value);
    case ROOT_CHAR:
    case ROOT_STR: BUG("text reached code generation");
    }
    UNREACHABLE();
}
