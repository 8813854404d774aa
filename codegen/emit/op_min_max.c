#include "codegen/emit/op_min_max.h"

#include "codegen/emit/calls.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "codegen/target/target.h"

#include <math.h>
#include <string.h>

LLVMValueRef op_min_max_one(Gen *gen, bool is_max, LLVMValueRef a, LLVMValueRef b) {
    LLVMRealPredicate better = is_max ? LLVMRealOGT : LLVMRealOLT;
    LLVMValueRef a_is = LLVMBuildFCmp(gen->builder, better, a, b, "");
    return LLVMBuildSelect(gen->builder, a_is, a, b, "");
}

static LLVMValueRef intrinsic(Gen *gen, bool is_max, Root root, LLVMValueRef a, LLVMValueRef b) {
    const char *name = root == ROOT_REAL  ? is_max ? "llvm.maximum" : "llvm.minimum"
                       : root == ROOT_INT ? is_max ? "llvm.smax" : "llvm.smin"
                       : is_max           ? "llvm.umax"
                                          : "llvm.umin";
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMValueRef args[] = {a, b};
    return gen_intrinsic(gen, name, &type, 1, args, 2);
}

typedef enum ConstantKind {
    CONSTANT_NONE, // not known, a nan, or of more than one of the following
    CONSTANT_ZERO,
    CONSTANT_MINUS_ZERO,
    CONSTANT_OTHER, // a number
} ConstantKind;

static ConstantKind constant_kind(LLVMValueRef value) {
    unsigned lanes = lanes_of(value);
    if (!LLVMIsConstant(value)) {
        return CONSTANT_NONE;
    }
    if (lanes > 1) {
        ConstantKind kind = CONSTANT_NONE;
        for (unsigned i = 0; i < lanes; i++) {
            LLVMValueRef lane = LLVMGetAggregateElement(value, i);
            ConstantKind other = lane == NULL ? CONSTANT_NONE : constant_kind(lane);
            if (other == CONSTANT_NONE || (i > 0 && other != kind)) {
                return CONSTANT_NONE;
            }
            kind = other;
        }
        return kind;
    }
    LLVMBool is_inexact;
    if (LLVMIsAConstantFP(value) == NULL) {
        return CONSTANT_NONE;
    }
    double number = LLVMConstRealGetDouble(value, &is_inexact);
    if (number == 0) {
        return signbit(number) ? CONSTANT_MINUS_ZERO : CONSTANT_ZERO;
    }
    return isnan(number) ? CONSTANT_NONE : CONSTANT_OTHER;
}

bool op_min_max_is_plain(LLVMValueRef constant) {
    ConstantKind kind = constant_kind(constant);
    return kind == CONSTANT_ZERO || kind == CONSTANT_OTHER;
}

// Of a constant and something else, whose nan it is. NULL: not in one comparison.
static LLVMValueRef constant_and(Gen *gen, bool is_max, LLVMValueRef constant, LLVMValueRef other) {
    ConstantKind kind = constant_kind(constant);
    ConstantKind losing = is_max ? CONSTANT_MINUS_ZERO : CONSTANT_ZERO; // of two zeros
    // Not by a comparison: LLVM makes one of two, MIN(MIN(a, 5), 5), whichever of them lets a nan
    // pass. Of the intrinsic x86 makes one instruction, too.
    if (kind == CONSTANT_OTHER) {
        return intrinsic(gen, is_max, ROOT_REAL, constant, other);
    }
    if (kind == losing) {
        return op_min_max_one(gen, is_max, constant, other);
    }
    if (kind == CONSTANT_ZERO) { // -0.0 + 0.0 is 0.0
        return LLVMBuildFAdd(gen->builder, op_min_max_one(gen, is_max, constant, other), constant,
                             "");
    }
    return NULL;
}

static LLVMValueRef beside_constant(Gen *gen, bool is_max, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef value = constant_and(gen, is_max, a, b);
    return value != NULL ? value : constant_and(gen, is_max, b, a);
}

static LLVMTypeRef bits_type(const Gen *gen, LLVMValueRef value) {
    return lanes_type(gen->real_bits, lanes_of(value));
}

static LLVMValueRef to_bits(Gen *gen, LLVMValueRef value) {
    return LLVMBuildBitCast(gen->builder, value, bits_type(gen, value), "");
}

static LLVMValueRef sign_bits(Gen *gen, LLVMValueRef like) {
    return LLVMConstBitCast(lanes_like(gen, gen_real(gen, -0.0), like), bits_type(gen, like));
}

// The bits of one value and another's, which is a real itself: so LLVM keeps it in a vector
// register.
static LLVMValueRef or_bits(Gen *gen, LLVMValueRef value, LLVMValueRef bits) {
    LLVMValueRef both = LLVMBuildOr(gen->builder, to_bits(gen, value), to_bits(gen, bits), "");
    return LLVMBuildBitCast(gen->builder, both, LLVMTypeOf(value), "");
}

static LLVMValueRef and_bits(Gen *gen, LLVMValueRef value, LLVMValueRef bits) {
    LLVMValueRef both = LLVMBuildAnd(gen->builder, to_bits(gen, value), to_bits(gen, bits), "");
    return LLVMBuildBitCast(gen->builder, both, LLVMTypeOf(value), "");
}

static LLVMValueRef nan_where(Gen *gen, LLVMValueRef is_nan, LLVMValueRef value) {
    LLVMValueRef nan = lanes_like(gen, gen_real(gen, (double)NAN), value);
    return LLVMBuildSelect(gen->builder, is_nan, nan, value, "");
}

// `a > b ? a : b` and `b > a ? b : a`, an instruction each on x86, are the same number, but for
// zeros of different signs, of which one sign bit decides, and beside a nan, which one of the two
// is. A nan stays one whatever bits are added to it, so both together are the least. Of the
// greatest they are all but the sign, which both must have: two instructions where there are mask
// registers, else a comparison takes fewer.
static LLVMValueRef strict_min_max(Gen *gen, bool is_max, LLVMValueRef a, LLVMValueRef b) {
    LLVMTypeRef real = LLVMTypeOf(a);
    LLVMValueRef one = op_min_max_one(gen, is_max, a, b);
    LLVMValueRef two = op_min_max_one(gen, is_max, b, a);
    if (!is_max) {
        return or_bits(gen, one, two);
    }
    LLVMValueRef both = and_bits(gen, one, two);
    if (!gen->facts.mask_registers) {
        return nan_where(gen, LLVMBuildFCmp(gen->builder, LLVMRealUNO, a, b, ""), both);
    }
    LLVMValueRef args[] = {or_bits(gen, one, two), both};
    return gen_intrinsic(gen, "llvm.copysign", &real, 1, args, 2);
}

// The limit where it is a nan, else another value.
static LLVMValueRef nan_or(Gen *gen, LLVMValueRef limit, LLVMValueRef other) {
    LLVMValueRef is_nan = LLVMBuildFCmp(gen->builder, LLVMRealUNO, limit, limit, "");
    return LLVMBuildSelect(gen->builder, is_nan, limit, other, "");
}

static LLVMValueRef sign_of(Gen *gen, LLVMValueRef limit) {
    LLVMValueRef sign = LLVMBuildAnd(gen->builder, to_bits(gen, limit), sign_bits(gen, limit), "");
    return LLVMBuildBitCast(gen->builder, sign, LLVMTypeOf(limit), "");
}

LLVMValueRef op_min_max_mark(Gen *gen, bool is_max, LLVMValueRef limit) {
    LLVMTypeRef real = LLVMTypeOf(limit);
    LLVMValueRef args[] = {LLVMConstNull(real), limit};
    LLVMValueRef own =
        is_max ? gen_intrinsic(gen, "llvm.copysign", &real, 1, args, 2) : sign_of(gen, limit);
    return nan_or(gen, limit, own);
}

LLVMValueRef op_min_max_marked(Gen *gen, bool is_max, LLVMValueRef limit, LLVMValueRef mark,
                               LLVMValueRef value) {
    LLVMValueRef one = op_min_max_one(gen, is_max, limit, value);
    return is_max ? LLVMBuildFAdd(gen->builder, one, mark, "") : or_bits(gen, one, mark);
}

OpLimits op_min_max_limits(Gen *gen, LLVMValueRef low, LLVMValueRef high) {
    LLVMTypeRef real = LLVMTypeOf(low);
    LLVMValueRef all_but_sign = LLVMConstNot(sign_bits(gen, low));
    LLVMValueRef kept = LLVMBuildOr(gen->builder, to_bits(gen, low), all_but_sign, "");
    LLVMValueRef own = nan_or(gen, high, sign_of(gen, high));
    LLVMValueRef other = nan_or(gen, low, LLVMConstNull(real));
    return (OpLimits){low, high, LLVMBuildBitCast(gen->builder, kept, real, ""),
                      or_bits(gen, own, other)};
}

static LLVMValueRef above(Gen *gen, const OpLimits *limits, LLVMValueRef value) {
    return and_bits(gen, op_min_max_one(gen, true, limits->low, value), limits->kept);
}

static LLVMValueRef below(Gen *gen, const OpLimits *limits, LLVMValueRef value) {
    return or_bits(gen, op_min_max_one(gen, false, limits->high, value), limits->added);
}

LLVMValueRef op_min_max_between(Gen *gen, const OpLimits *limits, bool is_max_first,
                                LLVMValueRef value) {
    return is_max_first ? below(gen, limits, above(gen, limits, value))
                        : above(gen, limits, below(gen, limits, value));
}

// Where signs of zeros are free, one of the comparisons is enough beside a nan in `a`. With `a`
// itself for nan LLVM makes one choice by two masks of the two.
LLVMValueRef op_min_max_of_reals(Gen *gen, bool is_max, LLVMValueRef a, LLVMValueRef b) {
    if (gen->options->fp != FP_FAST) {
        return strict_min_max(gen, is_max, a, b);
    }
    LLVMValueRef is_nan = LLVMBuildFCmp(gen->builder, LLVMRealUNO, a, a, "");
    return nan_where(gen, is_nan, op_min_max_one(gen, is_max, a, b));
}

// The greater one has the bits that are left of both.
OpBoth op_min_max_both(Gen *gen, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef least = strict_min_max(gen, false, a, b);
    LLVMValueRef left = LLVMBuildXor(gen->builder, to_bits(gen, a), to_bits(gen, b), "");
    LLVMValueRef rest = LLVMBuildXor(gen->builder, left, to_bits(gen, least), "");
    rest = LLVMBuildBitCast(gen->builder, rest, LLVMTypeOf(a), "");
    LLVMValueRef is_nan = LLVMBuildFCmp(gen->builder, LLVMRealUNO, a, b, "");
    return (OpBoth){least, nan_where(gen, is_nan, rest)};
}

unsigned op_min_max_cost(const Gen *gen, bool is_max) {
    if (gen->options->fp == FP_FAST || !is_max) {
        return 3;
    }
    return gen->facts.mask_registers ? 4 : 5;
}

LLVMValueRef op_min_max(Gen *gen, bool is_max, Root root, LLVMValueRef a, LLVMValueRef b) {
    if (root == ROOT_REAL && !gen->target.has->real_min_max) {
        return op_min_max_of_reals(gen, is_max, a, b);
    }
    return intrinsic(gen, is_max, root, a, b);
}

// In reductions LLVM knows its own words.
LLVMValueRef op_min_max_pair(Gen *gen, bool is_max, Root root, LLVMValueRef a, LLVMValueRef b) {
    if (root != ROOT_REAL || !gen->target.has->select_of_reals) {
        return op_min_max(gen, is_max, root, a, b);
    }
    LLVMValueRef simple = beside_constant(gen, is_max, a, b);
    if (simple != NULL) {
        return simple;
    }
    // See target/extremes.h.
    bool is_last = gen->options->opt_level == 0 && lanes_of(a) == 1;
    return is_last && !LLVMIsConstant(a) && !LLVMIsConstant(b)
               ? op_min_max_of_reals(gen, is_max, a, b)
               : op_min_max(gen, is_max, root, a, b);
}

// Where `soon` is neither zero nor a nan one comparison is enough, and a processor goes on with it
// before it knows.
static LLVMValueRef guessed_late(Gen *gen, bool is_max, LLVMValueRef soon, LLVMValueRef late) {
    LLVMBuilderRef builder = gen->builder;
    LLVMValueRef better = op_min_max_one(gen, is_max, soon, late);
    LLVMBasicBlockRef odd = gen_block(gen, "odd"), done = gen_block(gen, "chosen");
    LLVMValueRef is_odd =
        LLVMBuildFCmp(builder, LLVMRealUEQ, soon, LLVMConstNull(LLVMTypeOf(soon)), "");
    LLVMBasicBlockRef before = LLVMGetInsertBlock(builder);
    gen_expect_no(gen, LLVMBuildCondBr(builder, is_odd, odd, done));
    gen_enter(gen, odd);
    LLVMValueRef strict = strict_min_max(gen, is_max, soon, late);
    LLVMBuildBr(builder, done);
    gen_enter(gen, done);
    LLVMValueRef value = LLVMBuildPhi(builder, gen->real, "");
    LLVMValueRef values[] = {better, strict};
    LLVMBasicBlockRef blocks[] = {before, odd};
    LLVMAddIncoming(value, values, blocks, 2);
    return value;
}

LLVMValueRef op_min_max_late(Gen *gen, bool is_max, Root root, LLVMValueRef soon,
                             LLVMValueRef late) {
    bool is_plain = LLVMIsConstant(soon) || LLVMIsConstant(late) || lanes_of(soon) > 1;
    if (root != ROOT_REAL || !gen->target.has->select_of_reals || is_plain || gen->facts.small) {
        return op_min_max_pair(gen, is_max, root, soon, late);
    }
    return guessed_late(gen, is_max, soon, late);
}
