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

// A constant, no lane of which is a zero.
static bool has_no_zero(LLVMValueRef value) {
    LLVMValueRef scalar = LLVMIsAConstantFP(value);
    if (scalar == NULL && lanes_of(value) > 1 && LLVMIsConstant(value)) {
        for (unsigned i = 1; i < lanes_of(value); i++) {
            if (!has_no_zero(LLVMGetAggregateElement(value, i))) {
                return false;
            }
        }
        scalar = LLVMGetAggregateElement(value, 0);
    }
    LLVMBool is_inexact;
    return scalar != NULL && LLVMIsAConstantFP(scalar) != NULL &&
           LLVMConstRealGetDouble(scalar, &is_inexact) != 0;
}

// `a > b ? a : b` and `b > a ? b : a` differ only for zeros of different signs, of which one sign
// bit decides, and for nan: where either is, all bits are set, which is one. x86 has an instruction
// for each of the two, so that both are known at once.
LLVMValueRef op_min_max_of_numbers(Gen *gen, bool is_max, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef one = better_of(gen, is_max, a, b);
    if (has_no_zero(a) || has_no_zero(b)) {
        return one;
    }
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

// Beside a constant LLVM knows of zeros and nan, and in reductions it knows its own words.
LLVMValueRef op_min_max_pair(Gen *gen, bool is_max, Root root, LLVMValueRef a, LLVMValueRef b) {
    bool is_plain = !LLVMIsConstant(a) && !LLVMIsConstant(b);
    if (root == ROOT_REAL && is_plain && gen->target.has->select_of_reals) {
        return real_min_max(gen, is_max, a, b);
    }
    return op_min_max(gen, is_max, root, a, b);
}

bool op_min_max_has_chains(Gen *gen) {
    return gen->target.has->select_of_reals && gen->options->fp != FP_FAST;
}

// The nan among those behind the first is carried along, so that limits that stay the same in a
// loop leave it one comparison.
void op_min_max_see(Gen *gen, MinMaxChain *chain, LLVMValueRef operand) {
    if (chain->first == NULL) {
        chain->first = operand;
        return;
    }
    if (chain->rest == NULL) {
        chain->rest = operand;
        return;
    }
    LLVMValueRef pair[] = {operand, chain->rest};
    lanes_match(gen, pair, 2);
    LLVMValueRef is_nan = LLVMBuildFCmp(gen->builder, LLVMRealUNO, pair[0], pair[0], "");
    chain->rest = LLVMBuildSelect(gen->builder, is_nan, pair[0], pair[1], "");
}

LLVMValueRef op_min_max_end(Gen *gen, const MinMaxChain *chain, LLVMValueRef value) {
    LLVMValueRef values[] = {chain->first, chain->rest, value};
    lanes_match(gen, values, 3);
    LLVMValueRef is_nan = LLVMBuildFCmp(gen->builder, LLVMRealUNO, values[0], values[1], "");
    return nan_where(gen, is_nan, values[2]);
}
