// Conversions between scalars, or lanes of them (L2.9). From real to int and uint LLVM saturates to
// 64 bits, of which the low 32 stay; targets without 64-bit registers would call the C compiler's
// library for that, so there the same is done on the bits of the real. All other conversions are
// one instruction or none.
#include "codegen/emit/op_convert.h"

#include "codegen/emit/calls.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"

// Truncated toward zero to 64 bits, saturating, nan is 0; then modulo 2^32. A value is
// +-number * 2^(exponent - top), its number being the mantissa with the leading one.
static LLVMValueRef real_to_word(Gen *gen, LLVMValueRef value) {
    LLVMBuilderRef builder = gen->builder;
    bool is_single = gen->program->single;
    unsigned mantissa = is_single ? 23 : 52;
    unsigned bias = is_single ? 127 : 1023;
    unsigned top = bias + mantissa;
    LLVMTypeRef wide = lanes_type(gen->real_bits, lanes_of(value));
    LLVMTypeRef word = lanes_type(gen->i32, lanes_of(value));
    LLVMValueRef zero = LLVMConstNull(word);
#define WIDE(n) lanes_like(gen, LLVMConstInt(gen->real_bits, n, false), value)
#define WORD(n) lanes_like(gen, gen_i32(gen, n), value)

    LLVMValueRef bits = LLVMBuildBitCast(builder, value, wide, "");
    LLVMValueRef leading = WIDE(1ULL << mantissa);
    LLVMValueRef number = LLVMBuildOr(
        builder, LLVMBuildAnd(builder, bits, WIDE((1ULL << mantissa) - 1), ""), leading, "");
    LLVMValueRef high = LLVMBuildLShr(builder, bits, WIDE(mantissa), "");
    LLVMValueRef exponent = LLVMBuildAnd(builder, LLVMBuildTruncOrBitCast(builder, high, word, ""),
                                         WORD(2 * bias + 1), "");

    LLVMValueRef left = LLVMBuildSub(builder, exponent, WORD(top), "");
    LLVMValueRef low = LLVMBuildTruncOrBitCast(builder, number, word, "");
    LLVMValueRef big =
        LLVMBuildSelect(builder, LLVMBuildICmp(builder, LLVMIntULT, left, WORD(32), ""),
                        LLVMBuildShl(builder, low, left, ""), zero, "");
    LLVMValueRef right = LLVMBuildSub(builder, WORD(top), exponent, "");
    LLVMValueRef down =
        LLVMBuildLShr(builder, number, LLVMBuildZExtOrBitCast(builder, right, wide, ""), "");
    LLVMValueRef small =
        LLVMBuildSelect(builder, LLVMBuildICmp(builder, LLVMIntUGE, exponent, WORD(bias), ""),
                        LLVMBuildTruncOrBitCast(builder, down, word, ""), zero, "");
    LLVMValueRef size = LLVMBuildSelect(
        builder, LLVMBuildICmp(builder, LLVMIntUGE, exponent, WORD(top), ""), big, small, "");

    LLVMValueRef none = LLVMConstNull(LLVMTypeOf(value));
    LLVMValueRef is_negative = LLVMBuildFCmp(builder, LLVMRealOLT, value, none, "");
    LLVMValueRef result =
        LLVMBuildSelect(builder, is_negative, LLVMBuildNeg(builder, size, ""), size, "");
    LLVMValueRef is_positive = LLVMBuildFCmp(builder, LLVMRealOGT, value, none, "");
    LLVMValueRef saturated = LLVMBuildSExt(builder, is_positive, word, "");
    LLVMValueRef fits = LLVMBuildICmp(builder, LLVMIntULT, exponent, WORD(bias + 63), "");
#undef WIDE
#undef WORD
    return LLVMBuildSelect(builder, fits, result, saturated, "");
}

// Of what is above 64 bits all bits are set.
static LLVMValueRef with_those_above(Gen *gen, LLVMValueRef value, LLVMValueRef words) {
    LLVMValueRef limit = lanes_like(gen, gen_real(gen, 0x1p63), value);
    LLVMValueRef is_above = LLVMBuildFCmp(gen->builder, LLVMRealOGE, value, limit, "");
    LLVMValueRef all = LLVMBuildSExt(gen->builder, is_above, LLVMTypeOf(words), "");
    return LLVMBuildOr(gen->builder, words, all, "");
}

// LLVM takes saturating conversions of vectors apart: what is beyond 64 bits, or nan, is converted
// as zero here.
static LLVMValueRef reals_to_integers(Gen *gen, LLVMValueRef value) {
    LLVMBuilderRef builder = gen->builder;
    unsigned lanes = lanes_of(value);
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeRef word = lanes_type(gen->i32, lanes);
    LLVMValueRef limit = lanes_like(gen, gen_real(gen, 0x1p63), value);
    LLVMValueRef size = gen_intrinsic(gen, "llvm.fabs", &type, 1, &value, 1);
    LLVMValueRef fits = LLVMBuildFCmp(builder, LLVMRealOLT, size, limit, "");
    LLVMValueRef inside = LLVMBuildSelect(builder, fits, value, LLVMConstNull(type), "");
    LLVMValueRef wide = LLVMBuildFPToSI(builder, inside, lanes_type(gen->i64, lanes), "");
    return with_those_above(gen, value, LLVMBuildTrunc(builder, wide, word, ""));
}

// A scalar, where a machine has an instruction whose result for nan, and for what is below 64 bits,
// has low bits of zero, as L2.9 has it; NULL elsewhere.
static LLVMValueRef truncated(Gen *gen, LLVMValueRef value) {
    bool is_single = gen->program->single;
    const char *name = gen->target.has->to_words[is_single];
    // What makes lanes of runs (codegen/runs) knows no instruction of one machine only.
    if (name == NULL || lanes_of(value) > 1 || gen->options->batch > 0) {
        return NULL;
    }
    LLVMValueRef none = LLVMGetPoison(lanes_type(gen->real, is_single ? 4 : 2));
    LLVMValueRef first = LLVMBuildInsertElement(gen->builder, none, value, gen_i32(gen, 0), "");
    LLVMValueRef wide = gen_intrinsic(gen, name, NULL, 0, &first, 1);
    return LLVMBuildTrunc(gen->builder, wide, gen->i32, "");
}

// What is an int but for its fraction, or nan. Where a condition does not hold that says so, no one
// uses what comes of it, which must be a value all the same.
static LLVMValueRef small_to_integer(Gen *gen, LLVMValueRef value) {
    LLVMValueRef at_once = truncated(gen, value);
    if (at_once != NULL) {
        return at_once;
    }
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef zero = LLVMConstNull(type);
    LLVMValueRef is_number = LLVMBuildFCmp(gen->builder, LLVMRealORD, value, zero, "");
    LLVMValueRef number = LLVMBuildSelect(gen->builder, is_number, value, zero, "");
    LLVMTypeRef word = lanes_type(gen->i32, lanes_of(value));
    return LLVMBuildFreeze(gen->builder, LLVMBuildFPToSI(gen->builder, number, word, ""), "");
}

// x86 converts vectors to ints of 32 bits, and to those of 64 with AVX-512 only: where all lanes
// are small, which nearly always they are, 500 doubles take a quarter of the time, with AVX-512
// 0.85, floats 0.57.
static LLVMValueRef small_or_not(Gen *gen, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeRef word = lanes_type(gen->i32, lanes_of(value));
    LLVMValueRef size = gen_intrinsic(gen, "llvm.fabs", &type, 1, &value, 1);
    LLVMValueRef limit = lanes_like(gen, gen_real(gen, 0x1p31), value);
    LLVMValueRef is_large = LLVMBuildFCmp(gen->builder, LLVMRealUGE, size, limit, "");
    LLVMValueRef any = lanes_any(gen, is_large);
    LLVMBasicBlockRef blocks[] = {gen_block(gen, "small"), gen_block(gen, "large")};
    LLVMBasicBlockRef done = gen_block(gen, "done");
    LLVMBuildCondBr(gen->builder, any, blocks[1], blocks[0]);
    gen_enter(gen, blocks[0]);
    LLVMValueRef values[2];
    values[0] = LLVMBuildFPToSI(gen->builder, value, word, "");
    gen_jump(gen, done);
    gen_enter(gen, blocks[1]);
    values[1] = reals_to_integers(gen, value);
    gen_jump(gen, done);
    gen_enter(gen, done);
    LLVMValueRef phi = LLVMBuildPhi(gen->builder, word, "");
    LLVMAddIncoming(phi, values, blocks, 2);
    return phi;
}

static LLVMValueRef real_to_integer(Gen *gen, LLVMValueRef value) {
    if (!gen->target.has->wide_integers) {
        return real_to_word(gen, value);
    }
    unsigned lanes = lanes_of(value);
    if (lanes > 1) {
        // What makes lanes of runs (codegen/runs) takes no vector of conditions as one number.
        bool is_split = gen->target.has->select_of_reals && gen->options->batch == 0;
        return is_split ? small_or_not(gen, value) : reals_to_integers(gen, value);
    }
    LLVMValueRef words = truncated(gen, value);
    if (words != NULL) {
        return with_those_above(gen, value, words);
    }
    LLVMTypeRef types[] = {gen->i64, gen->real};
    LLVMValueRef wide = gen_intrinsic(gen, "llvm.fptosi.sat", types, 2, &value, 1);
    return LLVMBuildTrunc(gen->builder, wide, gen->i32, "");
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

LLVMValueRef op_convert(Gen *gen, const TirExpr *convert, LLVMValueRef value) {
    Root to = convert->type->root, from = convert->operand->type->root;
    if (to == from) {
        return value;
    }
    switch (to) {
    case ROOT_BOOL: return to_bool(gen, from, value);
    case ROOT_UINT:
    case ROOT_INT:
        return from == ROOT_REAL && convert->is_small ? small_to_integer(gen, value)
               : from == ROOT_REAL                    ? real_to_integer(gen, value)
               : from == ROOT_BOOL
                   ? LLVMBuildZExt(gen->builder, value, lanes_type(gen->i32, lanes_of(value)), "")
                   : value;
    case ROOT_REAL: return to_real(gen, from, value);
    case ROOT_CHAR:
    case ROOT_STR: BUG("text reached code generation");
    }
    UNREACHABLE();
}

LLVMValueRef op_int_size(Gen *gen, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef args[] = {value, LLVMConstNull(gen->i1)};
    return gen_intrinsic(gen, "llvm.abs", &type, 1, args, 2);
}
