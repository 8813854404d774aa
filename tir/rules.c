// What one node must fulfil given its direct operands. The builders refuse what breaks a rule here
// and the verifier reports it: one list of rules for both.
#include "tir/verify.h"

#include "support/bug.h"
#include "tir/visit.h"

static bool is_number(Root root) {
    return root_is_integer(root) || root == ROOT_REAL;
}

// How the roots of an operation's operands and result go together.
typedef enum Signature {
    NUMBERS,     // numbers of one root, and that root
    EQUALITY,    // one root, or int and uint; bool
    ORDER,       // as EQUALITY, without bools
    LOGICAL,     // bools
    BITWISE,     // uints
    SELECTION,   // bool, then twice the result's root
    NUMBER_SIGN, // a number; int
    REAL_TEST,   // real; bool
    REALS,       // reals
} Signature;

static const Signature signatures[] = {
#define TIR_OP(NAME, text, arity, signature, cost) signature,
#include "tir/ops.def"
};

// Whether a result and operands of these roots have the operation's signature.
static bool roots_agree(TirOp op, Root result, const Root *args) {
    bool one_root = args[0] == args[1] && args[0] == args[2];
    bool comparable = one_root || (root_is_integer(args[0]) && root_is_integer(args[1]));
    switch (signatures[op]) {
    case NUMBERS: return is_number(result) && args[0] == result && one_root;
    case EQUALITY: return result == ROOT_BOOL && comparable;
    case ORDER: return result == ROOT_BOOL && comparable && args[0] != ROOT_BOOL;
    case LOGICAL: return result == ROOT_BOOL && args[0] == ROOT_BOOL && one_root;
    case BITWISE: return result == ROOT_UINT && args[0] == ROOT_UINT && one_root;
    case SELECTION: return args[0] == ROOT_BOOL && args[1] == result && args[2] == result;
    case NUMBER_SIGN: return result == ROOT_INT && is_number(args[0]);
    case REAL_TEST: return result == ROOT_BOOL && args[0] == ROOT_REAL;
    case REALS: return result == ROOT_REAL && args[0] == ROOT_REAL && one_root;
    }
    UNREACHABLE();
}

static const char *map_error(const TirExpr *expr) {
    unsigned arity = tir_op_arity(expr->map.op);
    Root roots[3] = {ROOT_BOOL, ROOT_BOOL, ROOT_BOOL};
    for (unsigned i = 0; i < 3; i++) {
        const TirExpr *arg = expr->map.args[i];
        if ((arg != NULL) != (i < arity)) {
            return "the number of operands is not the operation's";
        }
        if (arg != NULL && !type_same_dims(arg->type, expr->type)) {
            return "an operand has other dims than the result";
        }
        roots[i] = arg != NULL ? arg->type->root : roots[0]; // where there is none, as the first
    }
    return roots_agree(expr->map.op, expr->type->root, roots)
               ? NULL
               : "the operation does not take operands of these roots";
}

static const char *axis_error(const TirAxis *axis, uint32_t length, const Type *result) {
    if (axis->index != NULL) {
        const Type *type = axis->index->type;
        return type_is_scalar(type) && root_is_integer(type->root) && axis->axis < 0
                   ? NULL
                   : "an index is not an int or uint scalar of its own";
    }
    if (axis->axis >= result->flat_rank) {
        return "a view uses an axis that the result does not have";
    }
    int64_t last = axis->start;
    if (axis->axis >= 0) {
        last += axis->step * ((int64_t)result->dims[axis->axis] - 1);
    }
    bool inside = axis->start >= 0 && axis->start < length && last >= 0 && last < length;
    return inside ? NULL : "a view leaves its operand's dims";
}

static const char *view_error(const TirExpr *expr) {
    const Type *from = expr->view.operand->type;
    if (from->root != expr->type->root) {
        return "a view has another root than its operand";
    }
    for (size_t i = 0; i < from->flat_rank; i++) {
        const char *error = axis_error(&expr->view.axes[i], from->dims[i], expr->type);
        if (error != NULL) {
            return error;
        }
    }
    return NULL;
}

static const char *literal_error(const TirExpr *expr) {
    uint64_t numel = 0;
    for (size_t i = 0; i < expr->literal.count; i++) {
        const Type *type = expr->literal.items[i]->type;
        if (type->root != expr->type->root) {
            return "an element has another root than its literal";
        }
        numel += type->numel;
    }
    return numel == expr->type->numel ? NULL : "the elements do not fill their literal";
}

static const char *concat_error(const TirExpr *expr) {
    uint32_t axis = expr->concat.axis;
    if (axis >= expr->type->flat_rank) {
        return "operands are joined along an axis that the result does not have";
    }
    uint64_t length = 0;
    for (size_t i = 0; i < expr->concat.count; i++) {
        const Type *type = expr->concat.items[i]->type;
        if (type->root != expr->type->root || type->flat_rank != expr->type->flat_rank) {
            return "a joined operand has another root or rank than the result";
        }
        for (uint32_t d = 0; d < type->flat_rank; d++) {
            if (d != axis && type->dims[d] != expr->type->dims[d]) {
                return "a joined operand has other dims than the result";
            }
        }
        length += type->dims[axis];
    }
    return length == expr->type->dims[axis] ? NULL : "the joined operands do not fill the result";
}

static bool reduction_roots_agree(TirReduction op, Root from, Root to) {
    switch (op) {
    case REDUCE_SUM:
    case REDUCE_PROD:
    case REDUCE_MIN:
    case REDUCE_MAX: return is_number(from) && to == from;
    case REDUCE_ALL:
    case REDUCE_ANY: return from == ROOT_BOOL && to == ROOT_BOOL;
    case REDUCE_ARGMIN:
    case REDUCE_ARGMAX: return is_number(from) && to == ROOT_INT;
    }
    UNREACHABLE();
}

static const char *reduce_error(const TirExpr *expr) {
    const Type *from = expr->reduce.operand->type;
    uint32_t axis = expr->reduce.axis;
    uint32_t count = expr->reduce.axis_count;
    if (count == 0 || axis >= from->flat_rank || count > from->flat_rank - axis) {
        return "a reduction is along axes that its operand does not have";
    }
    if (expr->type->flat_rank != from->flat_rank - count) {
        return "a reduction's result has the wrong rank";
    }
    for (uint32_t d = 0; d < expr->type->flat_rank; d++) {
        if (expr->type->dims[d] != from->dims[d < axis ? d : d + count]) {
            return "a reduction's result has the wrong dims";
        }
    }
    return reduction_roots_agree(expr->reduce.op, from->root, expr->type->root)
               ? NULL
               : "a reduction does not take an operand of this root";
}

static const char *dot_error(const TirExpr *expr) {
    const Type *left = expr->dot.left->type;
    const Type *right = expr->dot.right->type;
    const Type *type = expr->type;
    if (left->flat_rank < 1 || left->flat_rank > 2 || right->flat_rank < 1 ||
        right->flat_rank > 2 || type->flat_rank != left->flat_rank + right->flat_rank - 2) {
        return "a dot is not of vectors and matrices";
    }
    if (left->root != type->root || right->root != type->root || !is_number(type->root)) {
        return "the operands of a dot are not numbers of one root";
    }
    bool lengths_agree =
        left->dims[left->flat_rank - 1] == right->dims[0] &&
        (left->flat_rank == 1 || type->dims[0] == left->dims[0]) &&
        (right->flat_rank == 1 || type->dims[type->flat_rank - 1] == right->dims[1]);
    return lengths_agree ? NULL : "the lengths in a dot do not agree";
}

static const char *cumsum_error(const TirExpr *expr) {
    const Type *from = expr->operand->type;
    return from->flat_rank >= 1 && from->root == expr->type->root && is_number(from->root) &&
                   type_same_dims(from, expr->type)
               ? NULL
               : "running sums are not of a tensor of numbers";
}

static const char *reshape_error(const TirExpr *expr) {
    const Type *from = expr->operand->type;
    return from->numel == expr->type->numel && from->root == expr->type->root
               ? NULL
               : "a reshape changes more than the dims";
}

const char *tir_node_error(const TirExpr *expr) {
    if (!type_has_value(expr->type)) {
        return "an expression has no value";
    }
    switch (expr->kind) {
    case EXPR_CONST: return NULL;
    case EXPR_VAR:
        return expr->type == expr->var->type ? NULL : "a variable is read with another type";
    case EXPR_MAP: return map_error(expr);
    case EXPR_VIEW: return view_error(expr);
    case EXPR_CONVERT:
        return type_same_dims(expr->operand->type, expr->type) ? NULL
                                                               : "a conversion changes the dims";
    case EXPR_RESHAPE: return reshape_error(expr);
    case EXPR_CUMSUM: return cumsum_error(expr);
    case EXPR_LITERAL: return literal_error(expr);
    case EXPR_CONCAT: return concat_error(expr);
    case EXPR_REDUCE: return reduce_error(expr);
    case EXPR_DOT: return dot_error(expr);
    case EXPR_IOTA:
        return expr->type->flat_rank == 1 && expr->type->root == ROOT_INT
                   ? NULL
                   : "positions are not a vector of int";
    }
    UNREACHABLE();
}
