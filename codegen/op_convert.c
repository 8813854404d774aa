// Conversions between scalars, or lanes of them (L2.9).
#include "codegen/element.h"
#include "codegen/lanes.h"

// Truncated toward zero to 64 bits, saturating, nan is 0; then modulo 2^32.
static LLVMValueRef real_to_integer(Gen *gen, LLVMValueRef value) {
    unsigned lanes = lanes_of(value);
    LLVMTypeRef types[] = {lanes_type(gen->i64, lanes), LLVMTypeOf(value)};
    LLVMValueRef wide = gen_intrinsic(gen, "llvm.fptosi.sat", types, 2, &value, 1);
    return LLVMBuildTrunc(gen->builder, wide, lanes_type(gen->i32, lanes), "");
}

static LLVMValueRef to_bool(Gen *gen, Root from, LLVMValueRef value) {
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(value));
    return from == ROOT_REAL ? LLVMBuildFCmp(gen->builder, LLVMRealUNE, value, zero, "")
                             : LLVMBuildICmp(gen->builder, LLVMIntNE, value, zero, "");
}

static LLVMValueRef to_real(Gen *gen, Root from, LLVMValueRef value) {
    LLVMTypeRef type = lanes_type(gen->real, lanes_of(value));
    return from == ROOT_INT ? LLVMBuildSIToFP(gen->builder, value, type, "")
                            : LLVMBuildUIToFP(gen->builder, value, type, "");
}

LLVMValueRef op_convert(Gen *gen, Root to, Root from, LLVMValueRef value) {
    if (to == from) {
        return value;
    }
    switch (to) {
    case ROOT_BOOL: return to_bool(gen, from, value);
    case ROOT_UINT:
    case ROOT_INT:
        return from == ROOT_REAL ? real_to_integer(gen, value)
               : from == ROOT_BOOL
                   ? LLVMBuildZExt(gen->builder, value, lanes_type(gen->i32, lanes_of(value)), "")
                   : value;
    case ROOT_REAL: return to_real(gen, from, value);
    case ROOT_CHAR:
    case ROOT_STR: BUG("text reached code generation");
    }
    UNREACHABLE();
}
