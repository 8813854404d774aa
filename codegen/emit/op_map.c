// Element-wise operations on scalars, or on vectors of as many lanes. Nothing here may be undefined
// in LLVM: what C leaves open is decided by tir/ops.def.
#include "codegen/emit/op_map.h"

#include "codegen/emit/calls.h"
#include "codegen/emit/element.h"
#include "codegen/emit/index.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/limit.h"
#include "codegen/emit/masked_value.h"
#include "codegen/emit/math.h"
#include "codegen/emit/op_divide.h"
#include "codegen/emit/op_min_max.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "codegen/plan/estimate.h"
#include "codegen/plan/late.h"
#include "codegen/plan/limits.h"
#include "codegen/target/target.h"
#include "tir/visit.h"

#include <math.h>

// Bytes of registers in which comparisons are as wide as what is compared, and chosen by its sign.
enum { WIDE_MASKS = 32 };

static LLVMValueRef arithmetic(Gen *gen, LLVMOpcode real, LLVMOpcode integer, Root root,
                               LLVMValueRef a, LLVMValueRef b) {
    return root == ROOT_REAL ? gen_fp(gen, LLVMBuildBinOp(gen->builder, real, a, b, ""))
                             : LLVMBuildBinOp(gen->builder, integer, a, b, "");
}

LLVMValueRef op_add(Gen *gen, Root root, LLVMValueRef a, LLVMValueRef b) {
    return arithmetic(gen, LLVMFAdd, LLVMAdd, root, a, b);
}

LLVMValueRef op_no_sum(Gen *gen, Root root) {
    return root == ROOT_REAL ? gen_real(gen, -0.0) : gen_i32(gen, 0);
}

LLVMValueRef op_sub(Gen *gen, Root root, LLVMValueRef a, LLVMValueRef b) {
    return arithmetic(gen, LLVMFSub, LLVMSub, root, a, b);
}

LLVMValueRef op_mul(Gen *gen, Root root, LLVMValueRef a, LLVMValueRef b) {
    // LLVM 19 sees a vector of such products is zero only while it chooses instructions, where it
    // takes 0.0 / 0.0 for 0.0.
    if (root != ROOT_REAL && (LLVMIsNull(a) || LLVMIsNull(b))) {
        return LLVMConstNull(LLVMTypeOf(a));
    }
    return arithmetic(gen, LLVMFMul, LLVMMul, root, a, b);
}

LLVMValueRef op_multiply_add(Gen *gen, Root root, LLVMValueRef a, LLVMValueRef b, LLVMValueRef c) {
    if (root == ROOT_REAL && gen->options->fp != FP_STRICT && target_has_fma(&gen->target)) {
        LLVMTypeRef type = LLVMTypeOf(c);
        LLVMValueRef args[] = {a, b, c};
        return gen_fp(gen, gen_intrinsic(gen, "llvm.fma", &type, 1, args, 3));
    }
    return op_add(gen, root, op_mul(gen, root, a, b), c);
}

// Zero where either factor is, whatever the other.
static LLVMValueRef product_or_zero(Gen *gen, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef product = op_mul(gen, ROOT_REAL, a, b);
    if (gen->options->fp == FP_FAST) {
        return product;
    }
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(a));
    LLVMValueRef is_zero =
        LLVMBuildOr(gen->builder, LLVMBuildFCmp(gen->builder, LLVMRealOEQ, a, zero, ""),
                    LLVMBuildFCmp(gen->builder, LLVMRealOEQ, b, zero, ""), "");
    return LLVMBuildSelect(gen->builder, is_zero, zero, product, "");
}

static LLVMValueRef negated(Gen *gen, Root root, LLVMValueRef a) {
    return root == ROOT_REAL ? gen_fp(gen, LLVMBuildFNeg(gen->builder, a, ""))
                             : LLVMBuildNeg(gen->builder, a, "");
}

typedef struct Predicate {
    LLVMRealPredicate real;
    LLVMIntPredicate is_signed, is_unsigned;
} Predicate;

static const Predicate predicates[TIR_OPS] = {
    [OP_EQ] = {LLVMRealOEQ, LLVMIntEQ, LLVMIntEQ},
    [OP_NE] = {LLVMRealUNE, LLVMIntNE, LLVMIntNE},
    [OP_LT] = {LLVMRealOLT, LLVMIntSLT, LLVMIntULT},
    [OP_LE] = {LLVMRealOLE, LLVMIntSLE, LLVMIntULE},
    [OP_GT] = {LLVMRealOGT, LLVMIntSGT, LLVMIntUGT},
    [OP_GE] = {LLVMRealOGE, LLVMIntSGE, LLVMIntUGE},
};

static LLVMValueRef widened(Gen *gen, Root root, LLVMValueRef value) {
    LLVMTypeRef type = lanes_type(gen->i64, lanes_of(value));
    return root == ROOT_UINT ? LLVMBuildZExt(gen->builder, value, type, "")
                             : LLVMBuildSExt(gen->builder, value, type, "");
}

static LLVMValueRef comparison(Gen *gen, const TirExpr *expr, LLVMValueRef a, LLVMValueRef b) {
    Predicate predicate = predicates[expr->map.op];
    Root left = expr->map.args[0]->type->root;
    Root right = expr->map.args[1]->type->root;
    if (left == ROOT_REAL) {
        return LLVMBuildFCmp(gen->builder, predicate.real, a, b, "");
    }
    if (left != right) { // an int and a uint compare by value
        return LLVMBuildICmp(gen->builder, predicate.is_signed, widened(gen, left, a),
                             widened(gen, right, b), "");
    }
    return LLVMBuildICmp(gen->builder,
                         left == ROOT_INT ? predicate.is_signed : predicate.is_unsigned, a, b, "");
}

// What is shifted too far is frozen, and nobody's value: else LLVM 19 chooses AVX2's shifts of each
// lane, of whose constants that it finds late it makes what was never computed.
static LLVMValueRef shift(Gen *gen, LLVMOpcode opcode, LLVMValueRef a, LLVMValueRef count) {
    LLVMValueRef shifted = LLVMBuildBinOp(gen->builder, opcode, a, count, "");
    shifted = LLVMBuildFreeze(gen->builder, shifted, "");
    LLVMValueRef width = lanes_like(gen, gen_i32(gen, 32), count);
    LLVMValueRef in_range = LLVMBuildICmp(gen->builder, LLVMIntULT, count, width, "");
    return LLVMBuildSelect(gen->builder, in_range, shifted, LLVMConstNull(LLVMTypeOf(a)), "");
}

static LLVMValueRef sign(Gen *gen, Root root, LLVMValueRef a) {
    LLVMBuilderRef builder = gen->builder;
    LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(a));
    LLVMValueRef above, below;
    if (root == ROOT_REAL) {
        above = LLVMBuildFCmp(builder, LLVMRealOGT, a, zero, "");
        below = LLVMBuildFCmp(builder, LLVMRealOLT, a, zero, "");
    } else {
        LLVMIntPredicate greater = root == ROOT_INT ? LLVMIntSGT : LLVMIntUGT;
        LLVMIntPredicate less = root == ROOT_INT ? LLVMIntSLT : LLVMIntULT;
        above = LLVMBuildICmp(builder, greater, a, zero, "");
        below = LLVMBuildICmp(builder, less, a, zero, "");
    }
    LLVMTypeRef type = lanes_type(gen->i32, lanes_of(a));
    return LLVMBuildSub(builder, LLVMBuildZExt(builder, above, type, ""),
                        LLVMBuildZExt(builder, below, type, ""), "");
}

static LLVMValueRef exact(Gen *gen, const char *intrinsic, LLVMValueRef *v, unsigned count) {
    LLVMTypeRef type = LLVMTypeOf(v[0]);
    return gen_intrinsic(gen, intrinsic, &type, 1, v, count);
}

static LLVMValueRef multiply_high(Gen *gen, LLVMValueRef a, LLVMValueRef b) {
    LLVMValueRef product =
        LLVMBuildMul(gen->builder, widened(gen, ROOT_UINT, a), widened(gen, ROOT_UINT, b), "");
    LLVMValueRef half = lanes_like(gen, LLVMConstInt(gen->i64, 32, false), product);
    return LLVMBuildTrunc(gen->builder, LLVMBuildLShr(gen->builder, product, half, ""),
                          LLVMTypeOf(a), "");
}

// Zeros before the first or behind the last bit that is set.
static LLVMValueRef count_zeros(Gen *gen, const char *intrinsic, LLVMValueRef a) {
    LLVMTypeRef type = LLVMTypeOf(a);
    LLVMValueRef args[] = {a, gen_i1(gen, false)};
    return gen_intrinsic(gen, intrinsic, &type, 1, args, 2);
}

static LLVMValueRef class_test(Gen *gen, TirOp op, LLVMValueRef a) {
    if (op == OP_ISNAN) {
        return LLVMBuildFCmp(gen->builder, LLVMRealUNO, a, a, "");
    }
    LLVMValueRef infinity = lanes_like(gen, gen_real(gen, (double)INFINITY), a);
    return LLVMBuildFCmp(gen->builder, op == OP_ISINF ? LLVMRealOEQ : LLVMRealONE,
                         exact(gen, "llvm.fabs", &a, 1), infinity, "");
}

static LLVMValueRef function(Gen *gen, const TirExpr *expr, LLVMValueRef *v) {
    TirOp op = expr->map.op;
    if (emit_math_has(gen, expr)) {
        return emit_math(gen, op, v);
    }
    LLVMValueRef value = emit_math_library(gen, tir_op_text(op), v, tir_op_arity(op));
    if (op != OP_POW) {
        return value;
    }
    LLVMValueRef two = lanes_like(gen, gen_real(gen, 2), v[1]);
    LLVMValueRef is_square = LLVMBuildFCmp(gen->builder, LLVMRealOEQ, v[1], two, "");
    return LLVMBuildSelect(gen->builder, is_square, op_mul(gen, ROOT_REAL, v[0], v[0]), value, "");
}

static void find_reals(const TirExpr *expr, void *data) {
    bool *found = data;
    *found = *found || expr->type->root == ROOT_REAL;
    if (expr->type->root == ROOT_BOOL) {
        tir_read_operands(expr, find_reals, data);
    }
}

// Whether vectors of bools are combined that are longer than a register and as wide as the reals
// that were compared: LLVM packs both sides first. Of integers it makes one comparison of two.
static bool is_packed(Gen *gen, const TirExpr *expr, LLVMValueRef value) {
    bool has_reals = false;
    find_reals(expr, &has_reals);
    unsigned bytes = target_vector_bytes(&gen->target);
    return has_reals && bytes == WIDE_MASKS &&
           lanes_of(value) * element_widest(&gen->facts, expr) > bytes;
}

// `and` or `or`. Masks of which LLVM does not know that they are some stay as wide as they are.
static LLVMValueRef combined(Gen *gen, const TirExpr *expr, LLVMValueRef *v) {
    LLVMOpcode op = expr->map.op == OP_AND ? LLVMAnd : LLVMOr;
    if (!is_packed(gen, expr, v[0])) {
        return LLVMBuildBinOp(gen->builder, op, v[0], v[1], "");
    }
    LLVMTypeRef wide = element_widest(&gen->facts, expr) == 8 ? gen->i64 : gen->i32;
    LLVMTypeRef type = lanes_type(wide, lanes_of(v[0]));
    LLVMValueRef left = lanes_hide(gen, LLVMBuildSExt(gen->builder, v[0], type, ""));
    LLVMValueRef right = lanes_hide(gen, LLVMBuildSExt(gen->builder, v[1], type, ""));
    LLVMValueRef both = LLVMBuildBinOp(gen->builder, op, left, right, "");
    return LLVMBuildICmp(gen->builder, LLVMIntSLT, both, LLVMConstNull(type), "");
}

static LLVMValueRef apply(Gen *gen, const TirExpr *expr, LLVMValueRef *v) {
    LLVMBuilderRef builder = gen->builder;
    Root root = expr->map.args[0]->type->root;
    switch (expr->map.op) {
    case OP_ADD: return op_add(gen, root, v[0], v[1]);
    case OP_SUB: return op_sub(gen, root, v[0], v[1]);
    case OP_MUL: return op_mul(gen, root, v[0], v[1]);
    case OP_MULZ: return product_or_zero(gen, v[0], v[1]);
    case OP_SQUARE: return op_mul(gen, ROOT_REAL, v[0], v[0]);
    case OP_MULADD: return op_multiply_add(gen, ROOT_REAL, v[0], v[1], v[2]);
    case OP_NEG: return negated(gen, root, v[0]);
    case OP_DIV:
    case OP_REM: return op_divide(gen, expr, v[0], v[1]);
    case OP_MIN:
    case OP_MAX: return op_min_max_pair(gen, expr->map.op == OP_MAX, root, v[0], v[1]);
    case OP_EQ:
    case OP_NE:
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE: return comparison(gen, expr, v[0], v[1]);
    case OP_AND:
    case OP_OR: return combined(gen, expr, v);
    case OP_BIT_AND: return LLVMBuildAnd(builder, v[0], v[1], "");
    case OP_BIT_OR: return LLVMBuildOr(builder, v[0], v[1], "");
    case OP_BIT_XOR: return LLVMBuildXor(builder, v[0], v[1], "");
    case OP_NOT:
    case OP_BIT_NOT: return LLVMBuildNot(builder, v[0], "");
    case OP_SHL: return shift(gen, LLVMShl, v[0], v[1]);
    case OP_SHR: return shift(gen, LLVMLShr, v[0], v[1]);
    case OP_MULHI: return multiply_high(gen, v[0], v[1]);
    case OP_POPCOUNT: return exact(gen, "llvm.ctpop", v, 1);
    case OP_CLZ: return count_zeros(gen, "llvm.ctlz", v[0]);
    case OP_CTZ: return count_zeros(gen, "llvm.cttz", v[0]);
    case OP_BITREVERSE: return exact(gen, "llvm.bitreverse", v, 1);
    case OP_SELECT: return limit_select(gen, v[0], v[1], v[2]);
    case OP_SIGN: return sign(gen, root, v[0]);
    case OP_ISNAN:
    case OP_ISINF:
    case OP_ISFINITE: return class_test(gen, expr->map.op, v[0]);
    case OP_ABS: return exact(gen, "llvm.fabs", v, 1);
    case OP_FLOOR: return exact(gen, "llvm.floor", v, 1);
    case OP_CEIL: return exact(gen, "llvm.ceil", v, 1);
    case OP_ROUND: return exact(gen, "llvm.round", v, 1);
    case OP_RINT: return exact(gen, "llvm.rint", v, 1);
    case OP_TRUNC: return exact(gen, "llvm.trunc", v, 1);
    case OP_SQRT: return exact(gen, "llvm.sqrt", v, 1);
    case OP_COPYSIGN: return exact(gen, "llvm.copysign", v, 2);
    case OP_FMA: return exact(gen, "llvm.fma", v, 3);
#define TIR_FUNCTION(NAME, function, arity) case OP_##NAME:
#include "tir/ops.def"
        return function(gen, expr, v);
    }
    UNREACHABLE();
}

// The left side may be what makes an index of the right side a legal one, checked or not.
static bool needs_branch(const TirExpr *right) {
    return tir_may_trap(right) || element_cost(right) > UNROLL_LIMIT || !tir_is_free(right);
}

// `and`, `or` on scalars: the right side, its indices included, is evaluated in a branch of its
// own when it may trap or costs more than the jump.
static LLVMValueRef short_circuit(Gen *gen, const TirExpr *expr, Index index) {
    const TirExpr *right = expr->map.args[1];
    bool is_and = expr->map.op == OP_AND;
    LLVMValueRef left = element(gen, expr->map.args[0], index);
    if (!needs_branch(right)) {
        index_prepare(gen, right);
        LLVMValueRef value = element(gen, right, index);
        return is_and ? LLVMBuildAnd(gen->builder, left, value, "")
                      : LLVMBuildOr(gen->builder, left, value, "");
    }
    LLVMBasicBlockRef decided = LLVMGetInsertBlock(gen->builder);
    LLVMBasicBlockRef evaluate = gen_block(gen, "right");
    LLVMBasicBlockRef done = gen_block(gen, "decided");
    LLVMBuildCondBr(gen->builder, left, is_and ? evaluate : done, is_and ? done : evaluate);
    gen_enter(gen, evaluate);
    index_prepare(gen, right);
    LLVMValueRef value = element(gen, right, index);
    LLVMBasicBlockRef evaluated = LLVMGetInsertBlock(gen->builder);
    LLVMBuildBr(gen->builder, done);
    gen_enter(gen, done);
    LLVMValueRef phi = LLVMBuildPhi(gen->builder, gen->i1, "");
    LLVMValueRef values[] = {gen_i1(gen, !is_and), value};
    LLVMBasicBlockRef blocks[] = {decided, evaluated};
    LLVMAddIncoming(phi, values, blocks, 2);
    return phi;
}

typedef struct Choice {
    LLVMValueRef value;
    unsigned late;
} Choice;

typedef LIST_OF(Choice) Choices;

// Adds the operands of which `expr` is the least or the greatest, in the order of the source.
static void find_choices(Gen *gen, const TirExpr *expr, Index index, Choices *choices) {
    for (unsigned i = 0; i < 2; i++) {
        const TirExpr *arg = expr->map.args[i];
        if (arg->kind == EXPR_MAP && arg->map.op == expr->map.op) {
            find_choices(gen, arg, index, choices);
        } else {
            Choice choice = {element(gen, arg, index), late_of(&gen->late, arg)};
            LIST_PUSH(gen->arena, choices, choice);
        }
    }
}

static bool is_late(Gen *gen, const TirExpr *expr, Index index) {
    bool chooses = expr->map.op == OP_MIN || expr->map.op == OP_MAX;
    return chooses && index.lanes == 1 && gen->masked == NULL &&
           (late_of(&gen->late, expr->map.args[0]) > 0 ||
            late_of(&gen->late, expr->map.args[1]) > 0);
}

// What is known last comes last.
static LLVMValueRef choose(Gen *gen, const TirExpr *expr, Index index) {
    Choices choices = {0};
    find_choices(gen, expr, index, &choices);
    for (size_t i = 1; i < choices.count; i++) {
        Choice choice = choices.items[i];
        size_t to = i;
        for (; to > 0 && choices.items[to - 1].late > choice.late; to--) {
            choices.items[to] = choices.items[to - 1];
        }
        choices.items[to] = choice;
    }
    bool is_max = expr->map.op == OP_MAX;
    Root root = expr->type->root;
    LLVMValueRef value = choices.items[0].value;
    for (size_t i = 1; i < choices.count; i++) {
        Choice choice = choices.items[i];
        value = choice.late > 0 ? op_min_max_late(gen, is_max, root, value, choice.value)
                                : op_min_max_pair(gen, is_max, root, value, choice.value);
    }
    return value;
}

LLVMValueRef op_map(Gen *gen, const TirExpr *expr, Index index) {
    if (is_late(gen, expr, index)) {
        return choose(gen, expr, index);
    }
    if (tir_is_short_circuit(expr) && gen->masked == NULL) { // lanes decide nothing
        return short_circuit(gen, expr, index_scalar(gen));
    }
    LLVMValueRef values[3];
    unsigned arity = tir_op_arity(expr->map.op);
    for (unsigned i = 0; i < arity; i++) {
        bool is_right = i == 1 && tir_is_short_circuit(expr);
        values[i] = is_right ? masked_if_reached(gen, expr->map.args[i])
                             : element(gen, expr->map.args[i], index);
    }
    lanes_match(gen, values, arity);
    return apply(gen, expr, values);
}
