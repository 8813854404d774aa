// Which functions there are, and of which family each is.
#include "tir/math/functions.h"

#include "support/bug.h"

// The pairs of pow take so many instructions without a fused multiply-add that with two lanes the C
// library is twice as fast (x86-64: 18 and 10 ns).
bool math_has(TirOp op, bool is_fused) {
    if (op == OP_POW && !is_fused) {
        return false;
    }
    switch ((int)op) {
#define TIR_FUNCTION(NAME, text, arity) case OP_##NAME:
#include "tir/ops.def"
        return true;
    default: return false;
    }
}

bool math_is_narrow(TirOp op, bool is_fused) {
    return is_fused && op != OP_POW && op != OP_CBRT && op != OP_HYPOT;
}

MathReal math_apply(const Math *math, TirOp op, MathReal a, MathReal b) {
    switch ((int)op) {
    case OP_EXP:
    case OP_EXP2:
    case OP_EXPM1:
    case OP_SINH:
    case OP_COSH:
    case OP_TANH: return math_exponential(math, op, a);
    case OP_LOG:
    case OP_LOG2:
    case OP_LOG10:
    case OP_LOG1P:
    case OP_ASINH:
    case OP_ACOSH:
    case OP_ATANH: return math_logarithm(math, op, a);
    case OP_SIN:
    case OP_COS:
    case OP_TAN: return math_circular(math, op, a);
    case OP_ASIN:
    case OP_ACOS:
    case OP_ATAN:
    case OP_ATAN2: return math_inverse_circular(math, op, a, b);
    case OP_POW:
    case OP_CBRT:
    case OP_HYPOT: return math_power(math, op, a, b);
    case OP_ERF:
    case OP_ERFC: return math_error(math, op, a);
    }
    UNREACHABLE();
}
