#include "codegen/emit/op_min_max.h"

#include "codegen/emit/calls.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "codegen/target/target.h"

#include <math.h>

static LLVMValueRef better_of(Gen *gen, bool is_max, LLVMValueRef a, LLVMValueRef b) {
    LLVMRealPredicate better = is_max ? LLVMRealOGT : LLVMRealOLT;
    LLVMValueRef a_is = LLVMBuildFCmp(gen->builder, better, a, b, "");
    return LLVMBuildSelect(gen->builder, a_is, a, b, "");
}

static LLVMValueRef nan_where(Gen *gen, LLVMValueRef is_nan, LLVMValueRef value) {
    LLVMValueRef nan = lanes_like(gen, gen_real(gen, (double)NAN), value);
    return LLVMBuildSelect(gen->builder, is_nan, nan, value, "");
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

// Of a constant and something else, whose nan it is. NULL: not in one comparison.
static LLVMValueRef constant_and(Gen *gen, bool is_max, LLVMValueRef constant, LLVMValueRef other) {
    ConstantKind kind = constant_kind(constant);
    ConstantKind losing = is_max ? CONSTANT_MINUS_ZERO : CONSTANT_ZERO; // of two zeros
    if (kind == CONSTANT_OTHER || kind == losing) {
        return better_of(gen, is_max, constant, other);
    }
    if (kind == CONSTANT_ZERO) { // -0.0 + 0.0 is 0.0
        return LLVMBuildFAdd(gen->builder, better_of(gen, is_max, constant, other), constant, "");
    }
    return NULL;
}

static LLVMValueRef beside_constant(Gen *gen, bool is_max, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef value = constant_and(gen, is_max, a, b);
    return value != NULL ? value : constant_and(gen, is_max, b, a);
}

// `a > b ? a : b` and `b > a ? b : a` differ only for zeros of different signs, of which one sign
// bit decides, and for nan: where either is, all bits are set, which is one. x86 has an instruction
// for each of the two, so that both are known at once.
LLVMValueRef op_min_max_of_numbers(Gen *gen, bool is_max, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef simple = beside_constant(gen, is_max, a, b);
    if (simple != NULL) {
        return simple;
    }
    LLVMValueRef one = better_of(gen, is_max, a, b);
    LLVMValueRef two = better_of(gen, is_max, b, a);
    LLVMTypeRef bits = lanes_type(gen->program->single ? gen->i32 : gen->i64, lanes_of(a));
    LLVMValueRef same = LLVMBuildBinOp(gen->builder, is_max ? LLVMAnd : LLVMOr,
                                       LLVMBuildBitCast(gen->builder, one, bits, ""),
                                       LLVMBuildBitCast(gen->builder, two, bits, ""), "");
    return LLVMBuildBitCast(gen->builder, same, LLVMTypeOf(a), "");
}

// What llvm.minimum and llvm.maximum say in simpler words. Where signs of zeros are free, one of
// the comparisons is enough beside a nan in `a`.
static LLVMValueRef real_min_max(Gen *gen, bool is_max, LLVMValueRef a, LLVMValueRef b) {
    if (gen->options->fp == FP_FAST) {
        // With `a` itself for nan LLVM makes one choice by two masks of the two.
        LLVMValueRef a_is_nan = LLVMBuildFCmp(gen->builder, LLVMRealUNO, a, a, "");
        return nan_where(gen, a_is_nan, better_of(gen, is_max, a, b));
    }
    // Asked the other way round, whether both are numbers, LLVM 19 makes of `0 < |x|` beside it
    // that x itself is above 0.
    LLVMValueRef is_nan = LLVMBuildFCmp(gen->builder, LLVMRealUNO, a, b, "");
    return nan_where(gen, is_nan, op_min_max_of_numbers(gen, is_max, a, b));
}

LLVMValueRef op_min_max(Gen *gen, bool is_max, Root root, LLVMValueRef a, LLVMValueRef b) {
    if (root == ROOT_REAL && !gen->target.has->real_min_max) {
        return real_min_max(gen, is_max, a, b);
    }
    const char *name = root == ROOT_REAL  ? is_max ? "llvm.maximum" : "llvm.minimum"
                       : root == ROOT_INT ? is_max ? "llvm.smax" : "llvm.smin"
                       : is_max           ? "llvm.umax"
                                          : "llvm.umin";
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMValueRef args[] = {a, b};
    return gen_intrinsic(gen, name, &type, 1, args, 2);
}

// In reductions LLVM knows its own words.
LLVMValueRef op_min_max_pair(Gen *gen, bool is_max, Root root, LLVMValueRef a, LLVMValueRef b) {
    if (root != ROOT_REAL || !gen->target.has->select_of_reals) {
        return op_min_max(gen, is_max, root, a, b);
    }
    LLVMValueRef simple = gen->options->fp != FP_FAST ? beside_constant(gen, is_max, a, b) : NULL;
    if (simple != NULL) {
        return simple;
    }
    bool is_plain = !LLVMIsConstant(a) && !LLVMIsConstant(b);
    return is_plain ? real_min_max(gen, is_max, a, b) : op_min_max(gen, is_max, root, a, b);
}

bool op_min_max_has_chains(Gen *gen) {
    return gen->target.has->select_of_reals && gen->options->fp != FP_FAST;
}

// A number that is the same in all lanes. Of others LLVM would make constants of more than one
// kind.
static bool is_one_number(LLVMValueRef value) {
    if (constant_kind(value) == CONSTANT_NONE) {
        return false;
    }
    for (unsigned i = 1; i < lanes_of(value); i++) {
        if (LLVMGetAggregateElement(value, i) != LLVMGetAggregateElement(value, 0)) {
            return false;
        }
    }
    return true;
}

void op_min_max_see(Gen *gen, MinMaxChain *chain, LLVMValueRef operand) {
    if (!is_one_number(operand)) {
        LIST_PUSH(gen->arena, &chain->operands, operand);
    }
}

static LLVMValueRef either_is_nan(Gen *gen, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef pair[] = {a, b};
    lanes_match(gen, pair, 2);
    return LLVMBuildFCmp(gen->builder, LLVMRealUNO, pair[0], pair[1], "");
}

// Of three operands the nan among the last two is carried along, so that limits that stay the same
// in a loop leave it one comparison.
static LLVMValueRef any_is_nan(Gen *gen, const MinMaxChain *chain) {
    LLVMValueRef *operands = chain->operands.items;
    size_t count = chain->operands.count;
    if (count == 3) {
        LLVMValueRef pair[] = {operands[2], operands[1]};
        lanes_match(gen, pair, 2);
        LLVMValueRef is_nan = either_is_nan(gen, pair[0], pair[0]);
        LLVMValueRef rest = LLVMBuildSelect(gen->builder, is_nan, pair[0], pair[1], "");
        return either_is_nan(gen, operands[0], rest);
    }
    LLVMValueRef any = NULL;
    for (size_t i = 0; i < count; i += 2) {
        LLVMValueRef more = either_is_nan(gen, operands[i], operands[i + 1 < count ? i + 1 : i]);
        LLVMValueRef both[] = {any, more};
        if (any != NULL) {
            lanes_match(gen, both, 2);
            more = LLVMBuildOr(gen->builder, both[0], both[1], "");
        }
        any = more;
    }
    return any;
}

LLVMValueRef op_min_max_end(Gen *gen, const MinMaxChain *chain, LLVMValueRef value) {
    if (chain->operands.count < 2) {
        return value; // a nan beside constants only
    }
    // The same nan whatever the order of operands was before: files have its bits.
    LLVMValueRef values[] = {any_is_nan(gen, chain), value};
    lanes_match(gen, values, 2);
    return nan_where(gen, values[0], values[1]);
}

static void move_constants_ahead(LLVMValueRef *values, size_t count) {
    size_t constants = 0;
    for (size_t i = 0; i < count; i++) {
        if (constant_kind(values[i]) != CONSTANT_NONE) {
            LLVMValueRef constant = values[i];
            values[i] = values[constants];
            values[constants++] = constant;
        }
    }
}

// All signs together are that of the result: where the greatest is a zero there is no number above,
// and it is 0.0 unless all of them have a sign. Zeros alone differ from what is greater. What is
// compared last keeps its nan: op_min_max_end relies on that beside constants only.
LLVMValueRef op_min_max_of_many(Gen *gen, bool is_max, LLVMValueRef *values, size_t count) {
    move_constants_ahead(values, count);
    LLVMTypeRef bits = lanes_type(gen->program->single ? gen->i32 : gen->i64, lanes_of(values[0]));
    LLVMOpcode both = is_max ? LLVMAnd : LLVMOr;
    LLVMValueRef best = values[0];
    LLVMValueRef all = LLVMBuildBitCast(gen->builder, best, bits, "");
    for (size_t i = 1; i < count; i++) {
        LLVMValueRef own = LLVMBuildBitCast(gen->builder, values[i], bits, "");
        best = better_of(gen, is_max, best, values[i]);
        all = LLVMBuildBinOp(gen->builder, both, all, own, "");
    }
    LLVMTypeRef scalar = gen->program->single ? gen->i32 : gen->i64;
    uint64_t sign = gen->program->single ? 1ULL << 31 : 1ULL << 63;
    LLVMValueRef mask = LLVMConstInt(scalar, is_max ? ~sign : sign, false);
    mask = lanes_splat(gen, mask, lanes_of(best));
    all = LLVMBuildBinOp(gen->builder, is_max ? LLVMOr : LLVMAnd, all, mask, "");
    LLVMValueRef best_bits = LLVMBuildBitCast(gen->builder, best, bits, "");
    LLVMValueRef value = LLVMBuildBinOp(gen->builder, both, best_bits, all, "");
    return LLVMBuildBitCast(gen->builder, value, LLVMTypeOf(best), "");
}
