// Let n be x / y, rounded to a number and then to an integer. As the first rounding changes x / y
// by less than a quarter, n is at most one off the integer that is meant, and then x - n y is less
// than that quarter of y beyond what may be left, or beyond zero. So x - n y is a multiple of the
// last digits of x and y that is no longer than they are: a fused operation gives it exactly. One
// more y, or one less, which is exact for the same reason, puts it right.
#include "codegen/emit/remainder.h"

#include "codegen/emit/calls.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/types.h"
#include "codegen/target/target.h"

#include <math.h>
#include <string.h>

static const char nearest[] = "remainder";
static const char toward_zero[] = "fmod";

bool remainder_has(Gen *gen, const char *name) {
    bool is_one = strcmp(name, nearest) == 0 || strcmp(name, toward_zero) == 0;
    return is_one && target_has_fma(&gen->target);
}

static LLVMValueRef function(Gen *gen, const char *name, LLVMValueRef a, LLVMValueRef b) {
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMValueRef args[] = {a, b};
    return gen_intrinsic(gen, name, &type, 1, args, b == NULL ? 1 : 2);
}

static LLVMValueRef power_of_two(Gen *gen, int exponent, LLVMValueRef sample) {
    return lanes_like(gen, gen_real(gen, ldexp(1, exponent)), sample);
}

// Quotients, and y, that are neither nan nor so large or small that something would be rounded.
static LLVMValueRef are_far(Gen *gen, LLVMValueRef quotient, LLVMValueRef size) {
    LLVMBuilderRef builder = gen->builder;
    bool single = gen->program->single;
    LLVMValueRef most = power_of_two(gen, single ? 21 : 50, quotient);
    LLVMValueRef greatest = power_of_two(gen, single ? 100 : 1000, size);
    LLVMValueRef least = power_of_two(gen, single ? -90 : -900, size);
    LLVMValueRef turns = function(gen, "llvm.fabs", quotient, NULL);
    LLVMValueRef is_many = LLVMBuildFCmp(builder, LLVMRealUGE, turns, most, "");
    LLVMValueRef is_large = LLVMBuildFCmp(builder, LLVMRealUGE, size, greatest, "");
    LLVMValueRef is_small = LLVMBuildFCmp(builder, LLVMRealULE, size, least, "");
    return LLVMBuildOr(builder, is_many, LLVMBuildOr(builder, is_large, is_small, ""), "");
}

LLVMValueRef remainder_near(Gen *gen, const char *name, LLVMValueRef x, LLVMValueRef y,
                            LLVMValueRef *is_far) {
    LLVMBuilderRef builder = gen->builder;
    LLVMTypeRef type = LLVMTypeOf(x);
    bool is_nearest = strcmp(name, nearest) == 0;
    LLVMValueRef size = function(gen, "llvm.fabs", y, NULL);
    LLVMValueRef quotient = LLVMBuildFDiv(builder, x, y, "");
    *is_far = are_far(gen, quotient, size);
    LLVMValueRef n = function(gen, is_nearest ? "llvm.rint" : "llvm.trunc", quotient, NULL);
    LLVMValueRef args[] = {LLVMBuildFNeg(builder, n, ""), y, x};
    LLVMValueRef rest = gen_intrinsic(gen, "llvm.fma", &type, 1, args, 3);
    LLVMValueRef zero = LLVMConstNull(type);
    if (!is_nearest) {
        LLVMValueRef more =
            LLVMBuildFAdd(builder, rest, function(gen, "llvm.copysign", size, x), "");
        LLVMValueRef is_below = LLVMBuildFCmp(builder, LLVMRealOLT, rest, zero, "");
        LLVMValueRef is_above = LLVMBuildFCmp(builder, LLVMRealOGT, rest, zero, "");
        LLVMValueRef is_negative = LLVMBuildFCmp(builder, LLVMRealOLT, x, zero, "");
        LLVMValueRef is_beyond = LLVMBuildSelect(builder, is_negative, is_above, is_below, "");
        rest = LLVMBuildSelect(builder, is_beyond, more, rest, "");
        return function(gen, "llvm.copysign", rest, x);
    }
    LLVMValueRef half = LLVMBuildFMul(builder, size, power_of_two(gen, -1, size), "");
    LLVMValueRef left = function(gen, "llvm.fabs", rest, NULL);
    LLVMValueRef less =
        LLVMBuildFSub(builder, rest, function(gen, "llvm.copysign", size, rest), "");
    rest = LLVMBuildSelect(builder, LLVMBuildFCmp(builder, LLVMRealOGT, left, half, ""), less, rest,
                           "");
    LLVMValueRef is_none = LLVMBuildFCmp(builder, LLVMRealOEQ, rest, zero, "");
    return LLVMBuildSelect(builder, is_none, function(gen, "llvm.copysign", zero, x), rest, "");
}
