// Quotients and remainders. Those of integers trap on zero, in LLVM they would be undefined.
#include "codegen/emit/op_divide.h"

#include "codegen/emit/calls.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/math.h"
#include "codegen/emit/trap.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "codegen/target/target.h"

#include <math.h>

enum { OF_AVX = 4 }; // doubles of a register of 32 bytes

// Traps unless no divisor is zero; where checks are off, what is divided by zero is divided by one.
// So it is where turns run side by side: no active lane divides by zero (lanes_loop_obstacle), but
// what the others read may be zero.
static LLVMValueRef checked_divisor(Gen *gen, const TirExpr *expr, LLVMValueRef b) {
    LLVMValueRef nonzero =
        LLVMBuildICmp(gen->builder, LLVMIntNE, b, LLVMConstNull(LLVMTypeOf(b)), "");
    if (!gen->options->checks || gen->masked != NULL) {
        return LLVMBuildSelect(gen->builder, nonzero, b, lanes_like(gen, gen_i32(gen, 1), b), "");
    }
    if (lanes_of(b) > 1) {
        LLVMTypeRef type = LLVMTypeOf(nonzero);
        nonzero = gen_intrinsic(gen, "llvm.vector.reduce.and", &type, 1, &nonzero, 1);
    }
    trap_unless(gen, nonzero, (TrapSite){.code = TML_E_DIVISION, .span = expr->span});
    return b;
}

// Whether the quotient of INT_MIN and -1 comes out as INT_MIN, without a question: by an
// instruction that makes the least int of what is none. codegen/runs knows none of one machine
// only.
static bool has_wrapping_quotient(Gen *gen, Root root, LLVMValueRef a, LLVMValueRef b) {
    return root == ROOT_INT && lanes_of(a) % OF_AVX == 0 && !LLVMIsConstant(b) &&
           gen->target.has->to_ints != NULL &&
           target_vector_bytes(&gen->target) == OF_AVX * sizeof(double) && gen->options->batch == 0;
}

static LLVMValueRef wrapped_ints(Gen *gen, LLVMValueRef reals) {
    LLVMValueRef pieces[LANES_LIMIT / OF_AVX];
    unsigned count = lanes_of(reals) / OF_AVX;
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef part = lanes_part(gen, reals, i * OF_AVX, OF_AVX);
        pieces[i] = gen_intrinsic(gen, gen->target.has->to_ints, NULL, 0, &part, 1);
    }
    return lanes_join(gen, pieces, count);
}

// No machine divides vectors of integers, all divide vectors of doubles. The quotient of two
// numbers of 32 bits is at least 1 / b away from the next integer, the rounded one less than 2^-21
// / b from it, so that both have the same integer part.
static LLVMValueRef lanes_quotient(Gen *gen, Root root, LLVMValueRef a, LLVMValueRef b) {
    LLVMBuilderRef builder = gen->builder;
    LLVMTypeRef integers = LLVMTypeOf(a);
    LLVMTypeRef reals = lanes_type(LLVMDoubleTypeInContext(gen->llvm), lanes_of(a));
    bool is_uint = root == ROOT_UINT;
    LLVMOpcode to_real = is_uint ? LLVMUIToFP : LLVMSIToFP;
    LLVMValueRef quotient = LLVMBuildFDiv(builder, LLVMBuildCast(builder, to_real, a, reals, ""),
                                          LLVMBuildCast(builder, to_real, b, reals, ""), "");
    if (has_wrapping_quotient(gen, root, a, b)) {
        return wrapped_ints(gen, quotient);
    }
    return LLVMBuildCast(builder, is_uint ? LLVMFPToUI : LLVMFPToSI, quotient, integers, "");
}

static LLVMValueRef quotient_of(Gen *gen, Root root, LLVMValueRef a, LLVMValueRef b) {
    if (lanes_of(a) > 1 && !LLVMIsConstant(b)) {
        return lanes_quotient(gen, root, a, b);
    }
    return root == ROOT_UINT ? LLVMBuildUDiv(gen->builder, a, b, "")
                             : LLVMBuildSDiv(gen->builder, a, b, "");
}

// Of integers. -1 as divisor is taken out, because INT_MIN / -1 has no quotient in LLVM.
static LLVMValueRef integer_division(Gen *gen, const TirExpr *expr, LLVMValueRef a,
                                     LLVMValueRef b) {
    LLVMBuilderRef builder = gen->builder;
    Root root = expr->map.is_natural ? ROOT_UINT : expr->type->root;
    b = checked_divisor(gen, expr, b);
    LLVMValueRef divisor = b;
    LLVMValueRef minus_one = NULL;
    if (root == ROOT_INT && !has_wrapping_quotient(gen, root, a, b)) {
        minus_one = LLVMBuildICmp(builder, LLVMIntEQ, b, LLVMConstAllOnes(LLVMTypeOf(b)), "");
        divisor = LLVMBuildSelect(builder, minus_one, lanes_like(gen, gen_i32(gen, 1), b), b, "");
    }
    if (expr->map.op == OP_REM && (lanes_of(a) == 1 || LLVMIsConstant(divisor))) {
        return root == ROOT_UINT ? LLVMBuildURem(builder, a, divisor, "")
                                 : LLVMBuildSRem(builder, a, divisor, "");
    }
    LLVMValueRef quotient = quotient_of(gen, root, a, divisor);
    if (expr->map.op == OP_REM) {
        return LLVMBuildSub(builder, a, LLVMBuildMul(builder, quotient, divisor, ""), "");
    }
    return minus_one == NULL
               ? quotient
               : LLVMBuildSelect(builder, minus_one, LLVMBuildNeg(builder, a, ""), quotient, "");
}

// Up to this divisor the bounds below hold, for singles too.
static const double ODD_DIVISOR_LIMIT = 0x1p20;

// The reciprocals of divisors that are constants, odd and whole, a lane each; NULL of any others,
// and of 1 and -1 alone, by which LLVM does not divide.
static LLVMValueRef odd_reciprocals(Gen *gen, LLVMValueRef divisors) {
    LLVMValueRef reciprocals[LANES_LIMIT];
    unsigned lanes = lanes_of(divisors);
    bool are_ones = true;
    for (unsigned i = 0; i < lanes; i++) {
        LLVMValueRef divisor = LLVMGetAggregateElement(divisors, i);
        if (divisor == NULL || LLVMIsAConstantFP(divisor) == NULL) {
            return NULL;
        }
        LLVMBool is_inexact;
        double number = LLVMConstRealGetDouble(divisor, &is_inexact);
        if (!(fabs(number) < ODD_DIVISOR_LIMIT) || fabs(fmod(number, 2.0)) != 1.0) {
            return NULL;
        }
        reciprocals[i] = gen_real(gen, 1 / number);
        are_ones = are_ones && fabs(number) == 1.0;
    }
    return are_ones ? NULL : LLVMConstVector(reciprocals, lanes);
}

static LLVMValueRef fused(Gen *gen, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c) {
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMValueRef args[] = {a, b, c};
    return gen_intrinsic(gen, "llvm.fma", &type, 1, args, 3);
}

// a / d, rounded once, by multiplications, which take a third of the time where divisions wait for
// each other. Let u be the distance of the numbers about a / d, of which a is a multiple, as d is
// whole. q is less than 1.5 u from a / d, so that `rest` is a few d multiples of u / 2, and exact.
// What the last step rounds is off a / d by less than 2^-22 u. An odd d keeps a / d at least u / 2d
// from where rounding turns, which is more, for subnormal numbers, too. A rest of zero would take
// the sign of a zero away, and that of an infinity is nan.
static LLVMValueRef odd_quotient(Gen *gen, LLVMValueRef a, LLVMValueRef d,
                                 LLVMValueRef reciprocals) {
    LLVMBuilderRef builder = gen->builder;
    LLVMValueRef q = LLVMBuildFMul(builder, a, reciprocals, "");
    LLVMValueRef rest = fused(gen, LLVMBuildFNeg(builder, d, ""), q, a);
    LLVMValueRef better = fused(gen, rest, reciprocals, q);
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(a));
    LLVMValueRef has_rest = LLVMBuildFCmp(builder, LLVMRealONE, rest, zero, "");
    return LLVMBuildSelect(builder, has_rest, better, q, "");
}

// Of one or two elements a division takes no longer, and --fp=fast lets LLVM multiply alone.
static LLVMValueRef real_quotient(Gen *gen, LLVMValueRef a, LLVMValueRef b) {
    if (lanes_of(a) > 2 && LLVMIsConstant(b) && !LLVMIsConstant(a) && gen->options->fp != FP_FAST &&
        target_has_fma(&gen->target)) {
        LLVMValueRef reciprocals = odd_reciprocals(gen, b);
        if (reciprocals != NULL) {
            return odd_quotient(gen, a, b, reciprocals);
        }
    }
    return gen_fp(gen, LLVMBuildFDiv(gen->builder, a, b, ""));
}

LLVMValueRef op_divide(Gen *gen, const TirExpr *expr, LLVMValueRef a, LLVMValueRef b) {
    if (expr->type->root != ROOT_REAL) {
        return integer_division(gen, expr, a, b);
    }
    if (expr->map.op == OP_REM) {
        LLVMValueRef args[] = {a, b};
        return emit_math_library(gen, "fmod", args, 2);
    }
    return real_quotient(gen, a, b);
}
