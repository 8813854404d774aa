// Which functions there are, and of which family each is. An operation that is not here is the C
// library's.
#include "tir/math/functions.h"

#include "support/bug.h"

typedef enum Family {
    FAMILY_NONE,
    FAMILY_EXPONENTIAL,
    FAMILY_LOGARITHM,
    FAMILY_CIRCULAR,
    FAMILY_INVERSE_CIRCULAR,
    FAMILY_POWER,
    FAMILY_ERROR
} Family;

static Family family_of(TirOp op) {
    switch ((int)op) {
    case OP_EXP:
    case OP_EXP2:
    case OP_EXPM1:
    case OP_SINH:
    case OP_COSH:
    case OP_TANH: return FAMILY_EXPONENTIAL;
    case OP_LOG:
    case OP_LOG2:
    case OP_LOG10:
    case OP_LOG1P:
    case OP_ASINH:
    case OP_ACOSH:
    case OP_ATANH: return FAMILY_LOGARITHM;
    case OP_SIN:
    case OP_COS:
    case OP_TAN: return FAMILY_CIRCULAR;
    case OP_ASIN:
    case OP_ACOS:
    case OP_ATAN:
    case OP_ATAN2: return FAMILY_INVERSE_CIRCULAR;
    case OP_POW:
    case OP_CBRT:
    case OP_HYPOT: return FAMILY_POWER;
    case OP_ERF:
    case OP_ERFC: return FAMILY_ERROR;
    default: return FAMILY_NONE;
    }
}

// The pairs of pow and erfc take so many instructions without a fused multiply-add that the C
// library is no slower with two lanes (x86-64: pow 18 ns and 10 ns, erfc both 10).
bool math_has(TirOp op, bool is_fused) {
    return family_of(op) != FAMILY_NONE && (is_fused || (op != OP_POW && op != OP_ERFC));
}

bool math_is_narrow(TirOp op, bool is_fused) {
    return is_fused && family_of(op) != FAMILY_POWER;
}

MathReal math_apply(const Math *math, TirOp op, MathReal a, MathReal b) {
    switch (family_of(op)) {
    case FAMILY_NONE: break;
    case FAMILY_EXPONENTIAL: return math_exponential(math, op, a);
    case FAMILY_LOGARITHM: return math_logarithm(math, op, a);
    case FAMILY_CIRCULAR: return math_circular(math, op, a);
    case FAMILY_INVERSE_CIRCULAR: return math_inverse_circular(math, op, a, b);
    case FAMILY_POWER: return math_power(math, op, a, b);
    case FAMILY_ERROR: return math_error(math, op, a);
    }
    UNREACHABLE();
}
