// Which functions there are. An operation that is not here is the C library's.
#include "tir/math/functions.h"

#include "support/bug.h"
#include "tir/math/parts.h"

typedef MathReal OfOne(const Math *math, MathReal a);
typedef MathReal OfTwo(const Math *math, MathReal a, MathReal b);

typedef struct Function {
    OfOne *of_one;
    OfTwo *of_two;
    bool needs_double; // pairs of singles are not exact enough
    bool needs_fused;  // else the C library is no slower with two lanes (x86-64: pow 18 ns and
                       // 10 ns, erfc both 10)
} Function;

static const Function functions[TIR_OPS] = {
    [OP_EXP] = {.of_one = apply_exp},
    [OP_EXP2] = {.of_one = apply_exp2},
    [OP_EXPM1] = {.of_one = apply_expm1},
    [OP_SINH] = {.of_one = apply_sinh},
    [OP_COSH] = {.of_one = apply_cosh},
    [OP_TANH] = {.of_one = apply_tanh},
    [OP_LOG] = {.of_one = apply_log},
    [OP_LOG2] = {.of_one = apply_log2},
    [OP_LOG10] = {.of_one = apply_log10},
    [OP_LOG1P] = {.of_one = apply_log1p},
    [OP_ASINH] = {.of_one = apply_asinh},
    [OP_ACOSH] = {.of_one = apply_acosh},
    [OP_ATANH] = {.of_one = apply_atanh},
    [OP_SIN] = {.of_one = apply_sin},
    [OP_COS] = {.of_one = apply_cos},
    [OP_TAN] = {.of_one = apply_tan},
    [OP_ASIN] = {.of_one = apply_asin},
    [OP_ACOS] = {.of_one = apply_acos},
    [OP_ATAN] = {.of_one = apply_atan},
    [OP_ATAN2] = {.of_two = apply_atan2},
    [OP_POW] = {.of_two = apply_pow, .needs_double = true, .needs_fused = true},
    [OP_CBRT] = {.of_one = apply_cbrt, .needs_double = true},
    [OP_HYPOT] = {.of_two = apply_hypot, .needs_double = true},
    [OP_ERF] = {.of_one = apply_erf},
    [OP_ERFC] = {.of_one = apply_erfc, .needs_fused = true},
};

bool math_has(TirOp op, bool is_fused) {
    const Function *function = &functions[op];
    bool is_here = function->of_one != NULL || function->of_two != NULL;
    return is_here && (is_fused || !function->needs_fused);
}

bool math_is_narrow(TirOp op, bool is_fused) {
    return is_fused && !functions[op].needs_double;
}

MathReal math_apply(const Math *math, TirOp op, MathReal a, MathReal b) {
    const Function *function = &functions[op];
    if (function->of_two != NULL) {
        return function->of_two(math, a, b);
    }
    CHECK(function->of_one != NULL);
    return function->of_one(math, a);
}
