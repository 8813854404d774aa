// Operators (L5): which operands they take, how dims combine, which TIR they become.
#include "sema/operator.h"
#include "sema/component/infer.h"

#include "sema/component/component.h"
#include "sema/explain.h"
#include "sema/expr.h"
#include "sema/notes/record.h"
#include "sema/value.h"
#include "sema/warn/warn.h"
#include "support/bug.h"
#include "tir/constant.h"
#include "tir/view.h"

#include <stdlib.h>
#include <string.h>

const OperatorRow *operator_row(AstBinaryOp op) {
    static const OperatorRow rows[] = {
#define OPERATOR(NAME, class, op, neutral) \
    [AST_BINARY_##NAME] = {OPERATOR_##class, OP_##op, NEUTRAL_##neutral},
#include "sema/operator.def"
    };
    const OperatorRow *row = &rows[op];
    CHECK(row->kind != OPERATOR_NONE);
    return row;
}

bool operator_compares(AstBinaryOp op) {
    OperatorClass kind = op == AST_BINARY_ELVIS ? OPERATOR_NONE : operator_row(op)->kind;
    return kind == OPERATOR_ORDER || kind == OPERATOR_EQUALITY;
}

const Type *check_operands(Checker *checker, const Operation *operation, bool strict) {
    const Type *left = operation->left->type;
    const Type *right = operation->right->type;
    ShapeFit fit = strict ? shape_same(checker->tir.types, left, right)
                          : shape_broadcast(checker->tir.types, left, right);
    notes_operands(checker, operation->op_span, strict ? NOTE_STRICT : NOTE_BROADCAST, left, right,
                   &fit);
    if (fit.why != SHAPE_OK) {
        explain_shapes(checker, operation, &fit, strict);
        return NULL;
    }
    if (!strict && shape_promoted(left, right) != NULL) {
        bool refused = checker->options->exact_rank;
        explain_promotion(checker, operation, refused);
        return refused ? NULL : fit.type;
    }
    return fit.type;
}

static bool has_constant_zero(Checker *checker, const TirExpr *divisor) {
    const TirScalar *values = constant_values(&checker->tir, divisor);
    for (size_t i = 0; values != NULL && i < divisor->type->numel; i++) {
        if (values[i].uint == 0) { // int and uint share their zero
            return true;
        }
    }
    return false;
}

// `x ** 2`, where the 2 is a constant.
static bool is_square(Checker *checker, TirOp op, const TirExpr *exponent) {
    const TirScalar *values =
        op == OP_POW ? constant_values(&checker->tir, tir_bottom(exponent)) : NULL;
    bool is_two = values != NULL;
    for (size_t i = 0; is_two && i < tir_bottom(exponent)->type->numel; i++) {
        is_two = values[i].real == 2;
    }
    return is_two;
}

static TirExpr *build_arithmetic(Checker *checker, AstBinaryOp op, const Operation *operation,
                                 const Type *shape) {
    TirOp tir_op = operator_row(op)->op;
    const Type *type =
        tir_op == OP_POW ? type_with_root(checker->tir.types, shape, ROOT_REAL) : shape;
    bool swaps = op == AST_BINARY_LEFT_DIV;
    TirExpr *left = swaps ? operation->right : operation->left;
    TirExpr *right = swaps ? operation->left : operation->right;
    bool integer_division = (tir_op == OP_DIV || tir_op == OP_REM) && type->root != ROOT_REAL;
    if (integer_division && has_constant_zero(checker, right)) {
        return check_fail(checker, DIAG_E0420, right->span, "division by zero");
    }
    left = check_fit(checker, left, type);
    right = check_fit(checker, right, type);
    warn_arithmetic(checker, tir_op, operation, left, right);
    if (is_square(checker, tir_op, right)) {
        return check_map(checker, OP_SQUARE, type, left, NULL, NULL, operation->span);
    }
    return check_map(checker, tir_op, type, left, right, NULL, operation->span);
}

static bool are_bools(const Operation *operation) {
    return operation->left->type->root == ROOT_BOOL && operation->right->type->root == ROOT_BOOL;
}

static TirExpr *lower_arithmetic(Checker *checker, AstBinaryOp op, const Operation *operation) {
    if (are_bools(operation)) {
        return explain_roots(checker, operation, DIAG_E0403, "numbers", operation->left, ROOT_INT);
    }
    const Type *shape = check_operands(checker, operation, false);
    if (shape == NULL) {
        return checker->poison;
    }
    warn_matrix_operator(checker, op, operation);
    return build_arithmetic(checker, op, operation, shape);
}

// The operator on operands of one shape; poison after an error.
static TirExpr *build_strict(Checker *checker, TirOp op, const Operation *operation, Root result) {
    const Type *shape = check_operands(checker, operation, true);
    if (shape == NULL) {
        return checker->poison;
    }
    TirExpr *left = operation->left;
    TirExpr *right = operation->right;
    // An int beside a uint stays as it is: they compare by value.
    if (left->type->root != right->type->root && shape->root == ROOT_REAL) {
        left = check_convert(checker, ROOT_REAL, left);
        right = check_convert(checker, ROOT_REAL, right);
    }
    left = check_spread(checker, left, shape);
    right = check_spread(checker, right, shape);
    return check_map(checker, op, type_with_root(checker->tir.types, shape, result), left, right,
                     NULL, operation->span);
}

// The text of a constant string or character; false for other operands.
static bool text_of(Checker *checker, const TirExpr *operand, Slice *text) {
    if (!type_is_scalar(operand->type) || operand->type->root < ROOT_CHAR) {
        return false;
    }
    *text = check_text_value(checker, operand);
    return true;
}

// Strings and characters are known while compiling, so their comparison is too.
static TirExpr *compare_text(Checker *checker, AstBinaryOp op, const Operation *operation) {
    bool equality = operator_row(op)->kind == OPERATOR_EQUALITY;
    Slice left, right;
    if (!equality || !text_of(checker, operation->left, &left) ||
        !text_of(checker, operation->right, &right)) {
        return explain_roots(checker, operation, DIAG_E0404,
                             equality ? "two texts or two numbers" : "numbers", NULL, ROOT_BOOL);
    }
    bool equal = left.len == right.len && memcmp(left.data, right.data, left.len) == 0;
    return tir_const_bool(&checker->tir, equal == (op == AST_BINARY_EQ), operation->span);
}

static TirExpr *lower_relational(Checker *checker, AstBinaryOp op, const Operation *operation) {
    Root a = operation->left->type->root;
    Root b = operation->right->type->root;
    if (a >= ROOT_CHAR || b >= ROOT_CHAR) {
        return compare_text(checker, op, operation);
    }
    bool equality = operator_row(op)->kind == OPERATOR_EQUALITY;
    if ((a == ROOT_BOOL || b == ROOT_BOOL) && !(equality && a == b)) {
        return explain_comparison(checker, operation, equality);
    }
    warn_compared(checker, operator_row(op)->op, operation);
    return build_strict(checker, operator_row(op)->op, operation, ROOT_BOOL);
}

static TirExpr *lower_bitwise(Checker *checker, AstBinaryOp op, Operation operation) {
    if (operation.right->type->root == ROOT_UINT) {
        operation.left = check_adapt(checker, operation.left);
    } else if (operation.left->type->root == ROOT_UINT) {
        operation.right = check_adapt(checker, operation.right);
    }
    if (operation.left->type->root != ROOT_UINT || operation.right->type->root != ROOT_UINT) {
        return explain_bitwise(checker, &operation);
    }
    return build_strict(checker, operator_row(op)->op, &operation, ROOT_UINT);
}

static TirExpr *lower_both_bools(Checker *checker, AstBinaryOp op, const Operation *operation) {
    if (!are_bools(operation)) {
        return explain_logical(checker, operation);
    }
    return build_strict(checker, operator_row(op)->op, operation, ROOT_BOOL);
}

// The right side's statements run only when the left side does not decide:
// t = left; if t (or not t): statements; t = right.
static TirExpr *guard_right_side(Checker *checker, const AstExpr *ast, TirExpr *left,
                                 TirExpr *right, TirBlock *statements) {
    TirExpr *result = check_into_temporary(checker, left);
    TirExpr *condition = result;
    if (ast->binary.op == AST_BINARY_OR) {
        condition = tir_map(&checker->tir, OP_NOT, result->type, result, NULL, NULL, ast->span);
    }
    TirStmt *branch = tir_stmt(&checker->tir, checker->at.block, STMT_IF, ast->span);
    branch->branch.condition = condition;
    tir_set_var(&checker->tir, statements, result->var, right, ast->span);
    branch->branch.then = *statements;
    return tir_read(&checker->tir, result->var, ast->span);
}

// Emits the statements of the right side. When they run only if the left side does not decide, the
// result is the whole operator; else NULL.
static TirExpr *emit_right_side(Checker *checker, const AstExpr *ast, Operand *left,
                                const Operand *right, TirBlock *statements) {
    if (left->is_missing) {
        check_spill_held(checker);
    } else {
        check_hold(checker, &left->value);
        check_spill_held(checker);
        check_release(checker);
        const Type *scalar = type_scalar(checker->tir.types, ROOT_BOOL);
        if (left->value->type == scalar && right->value->type == scalar) {
            return guard_right_side(checker, ast, left->value, right->value, statements);
        }
    }
    check_emit_apart(checker, statements);
    return NULL;
}

// Whether the left side of `and` or `or` is a constant that decides.
static bool left_decides(Checker *checker, const AstExpr *ast, const Operand *left) {
    if (left->is_optional || left->value->type != type_scalar(checker->tir.types, ROOT_BOOL)) {
        return false;
    }
    const TirScalar *value = constant_values(&checker->tir, left->value);
    return value != NULL && value->boolean == (ast->binary.op == AST_BINARY_OR);
}

static Operand lower_logical(Checker *checker, const AstExpr *ast, Operand left) {
    left.value = check_has_value(checker, left.value);
    TirBlock statements = {0};
    bool decided = left_decides(checker, ast, &left);
    CheckMode mode = checker->at.mode;
    size_t errors = checker->context->diags->error_count;
    checker->at.mode.is_pruned |= decided;
    Operand right = check_operand_apart(checker, ast->binary.right, &statements);
    right.value = check_has_value(checker, right.value);
    checker->at.mode = mode;
    if (decided && type_is_poison(right.value->type) &&
        errors == checker->context->diags->error_count) {
        return left; // the right side would trap, and never runs
    }
    infer_operands(checker, ast, left.value, right.value);
    if (type_is_poison(left.value->type) || type_is_poison(right.value->type)) {
        return (Operand){.value = checker->poison};
    }
    TirExpr *whole = NULL;
    if (statements.count > 0 && !right.is_missing) {
        whole = emit_right_side(checker, ast, &left, &right, &statements);
    }
    Operand result = check_apply_optional(checker, ast->binary.op, ast->span, ast->binary.op_span,
                                          &left, &right, false);
    if (whole != NULL) {
        result.value = whole;
    }
    return result;
}

// The matrix of which the expression is the transpose; NULL: of none.
static TirExpr *untransposed(const TirExpr *expr) {
    if (expr->kind != EXPR_VIEW || expr->type->flat_rank != 2 ||
        expr->view.operand->type->flat_rank != 2 || view_drops(expr)) {
        return NULL;
    }
    for (int32_t k = 0; k < 2; k++) {
        const TirAxis *axis = &expr->view.axes[k];
        if (axis->axis != 1 - k || axis->step != 1) {
            return NULL;
        }
    }
    return expr->view.operand;
}

// `a' .* x` is `x .* a`, term by term, and reads the rows of a.
static TirExpr *build_dot(Checker *checker, const Type *type, TirExpr *left, TirExpr *right,
                          Span span) {
    bool is_left = left->type->flat_rank == 1;
    bool is_vector = is_left || right->type->flat_rank == 1;
    TirExpr *matrix = is_vector ? untransposed(is_left ? right : left) : NULL;
    TirExpr *vector = is_left ? left : right;
    if (matrix != NULL) {
        left = is_left ? matrix : vector;
        right = is_left ? vector : matrix;
    }
    left = check_convert(checker, type->root, left);
    right = check_convert(checker, type->root, right);
    return check_built(checker, tir_dot(&checker->tir, type, left, right, span));
}

static TirExpr *lower_dot(Checker *checker, const Operation *operation) {
    TirExpr *left = operation->left;
    TirExpr *right = operation->right;
    if (!type_is_numeric(left->type) || !type_is_numeric(right->type)) {
        return explain_roots(checker, operation, DIAG_E0503, "numbers", NULL, ROOT_BOOL);
    }
    ShapeFit fit = shape_dot(checker->tir.types, left->type, right->type);
    notes_operands(checker, operation->op_span, NOTE_DOT, left->type, right->type, &fit);
    if (fit.why == SHAPE_OPERAND) {
        return explain_dot_operands(checker, operation);
    }
    if (fit.why != SHAPE_OK) {
        return explain_dot(checker, operation);
    }
    if (type_is_scalar(left->type) || type_is_scalar(right->type)) {
        return build_arithmetic(checker, AST_BINARY_DOT, operation, fit.type);
    }
    return build_dot(checker, fit.type, left, right, operation->span);
}

TirExpr *check_transpose(Checker *checker, const AstExpr *ast) {
    TirExpr *operand = check_value(checker, ast->transpose.operand);
    if (type_is_poison(operand->type)) {
        return operand;
    }
    ShapeFit fit = shape_transpose(checker->tir.types, operand->type);
    if (fit.why != SHAPE_OK) {
        explain_transpose(checker, operand, ast->transpose.op_span);
        return checker->poison;
    }
    int32_t positions[TYPE_FLAT_LIMIT];
    for (int32_t d = 0; d < operand->type->flat_rank; d++) {
        positions[d] = d < 2 ? 1 - d : d;
    }
    return check_along(checker, operand, fit.type, positions, ast->span);
}

TirExpr *check_apply(Checker *checker, AstBinaryOp op, Span span, Span op_span, TirExpr *left,
                     TirExpr *right, bool compound) {
    if (type_is_poison(left->type) || type_is_poison(right->type)) {
        return checker->poison;
    }
    if (compound && left->type->root == ROOT_UINT) {
        right = check_adapt(checker, right);
    }
    Operation operation = {.text = ast_binary_text(op),
                           .span = span,
                           .op_span = op_span,
                           .left = left,
                           .right = right};
    switch (operator_row(op)->kind) {
    case OPERATOR_ARITHMETIC: return lower_arithmetic(checker, op, &operation);
    case OPERATOR_PRODUCT: return lower_dot(checker, &operation);
    case OPERATOR_BITWISE: return lower_bitwise(checker, op, operation);
    case OPERATOR_ORDER:
    case OPERATOR_EQUALITY: return lower_relational(checker, op, &operation);
    case OPERATOR_LOGICAL: return lower_both_bools(checker, op, &operation);
    case OPERATOR_NONE: break;
    }
    UNREACHABLE();
}

static Operand lower_side(Checker *checker, AstBinaryOp op, Operand operand) {
    if (!operator_compares(op) || operand.value->type->kind == TYPE_VOID) {
        operand.value = check_has_value(checker, operand.value);
    }
    return operand;
}

// An operator whose left side is checked. `sides`, unless NULL, takes the values of both.
static Operand lower_link(Checker *checker, const AstExpr *ast, Operand left, TirExpr **sides) {
    AstBinaryOp op = ast->binary.op;
    warn_expr(checker, ast);
    if (operator_row(op)->kind == OPERATOR_LOGICAL) {
        return lower_logical(checker, ast, left);
    }
    bool text = type_is_scalar(left.value->type) && left.value->type->root >= ROOT_CHAR;
    left = lower_side(checker, op, left);
    if (text && type_is_poison(left.value->type)) {
        return left; // `"x is" + str(x)`: one mistake, whatever follows
    }
    if (!left.is_missing) {
        check_hold(checker, &left.value);
    }
    Operand right = lower_side(checker, op, check_operand(checker, ast->binary.right));
    if (!left.is_missing) {
        check_release(checker);
    }
    if (sides != NULL) {
        sides[0] = left.value;
        sides[1] = right.value;
    }
    infer_operands(checker, ast, left.value, right.value);
    warn_behind_remainder(checker, ast, left.value->type);
    return check_apply_optional(checker, op, ast->span, ast->binary.op_span, &left, &right, false);
}

TirExpr *check_comparison(Checker *checker, const AstExpr *ast, TirExpr *sides[2]) {
    Operand result = lower_link(checker, ast, check_operand(checker, ast->binary.left), sides);
    notes_value(checker, ast, result.value->type);
    return check_not_optional(checker, &result);
}

static bool is_link(const AstExpr *ast) {
    return ast->kind == AST_BINARY && ast->binary.op != AST_BINARY_ELVIS;
}

// A long chain gets temporaries on the way, so that no expression of TIR is deep.
Operand check_binary(Checker *checker, const AstExpr *ast) {
    enum { TEMPORARY_EVERY = 100 };
    const AstExpr **links = ast_chain_nodes(ast);
    size_t count = 1;
    while (count < ast->chain && is_link(links[count])) {
        count++;
    }
    Operand value = check_operand(checker, links[count - 1]->binary.left);
    for (size_t k = count; k-- > 0;) {
        value = lower_link(checker, links[k], value, NULL);
        if (k > 0) { // who asked for the chain notes all of it
            notes_value(checker, links[k], value.value->type);
        }
        bool is_computed = type_has_value(value.value->type) && !value.value->is_constant;
        if (k > 0 && k % TEMPORARY_EVERY == 0 && is_computed && !value.is_missing) {
            value.value = check_into_temporary(checker, value.value);
        }
    }
    free(links);
    return value;
}

// The least int has no positive counterpart, so its literal is one with its sign (L1.5).
static bool is_least_int(const AstExpr *ast) {
    const AstExpr *operand = ast->unary.operand;
    return ast->unary.op == AST_UNARY_MINUS && operand->kind == AST_INTEGER &&
           !operand->integer.is_unsigned && operand->integer.value == (uint32_t)INT32_MAX + 1 &&
           !operand->parenthesized;
}

TirExpr *check_unary(Checker *checker, const AstExpr *ast) {
    if (ast->unary.op == AST_UNARY_READ) {
        return check_io_read(checker, ast);
    }
    if (is_least_int(ast)) {
        return tir_const_int(&checker->tir, INT32_MIN, ast->span);
    }
    TirExpr *operand = check_value(checker, ast->unary.operand);
    if (type_is_poison(operand->type)) {
        infer_unary(checker, ast);
        return operand;
    }
    Operation operation = {
        .text = ast_unary_text(ast->unary.op), .op_span = ast->unary.op_span, .left = operand};
    Root root = operand->type->root;
    TirOp tir_op = OP_NEG;
    switch (ast->unary.op) {
    case AST_UNARY_PLUS:
    case AST_UNARY_MINUS:
        if (root == ROOT_BOOL) {
            return explain_roots(checker, &operation, DIAG_E0403, "a number", operand, ROOT_INT);
        }
        if (ast->unary.op == AST_UNARY_PLUS) {
            return operand;
        }
        break;
    case AST_UNARY_COMPLEMENT:
        if (root == ROOT_BOOL) {
            return explain_complement(checker, &operation);
        }
        if (root != ROOT_UINT) {
            return explain_roots(checker, &operation, DIAG_E0406, "a uint", operand, ROOT_UINT);
        }
        tir_op = OP_BIT_NOT;
        break;
    case AST_UNARY_NOT:
        if (root != ROOT_BOOL && type_is_scalar(operand->type) && root <= ROOT_REAL) {
            return explain_not_of_number(checker, &operation, ast);
        }
        if (root != ROOT_BOOL) {
            return explain_roots(checker, &operation, DIAG_E0405, "a bool", operand, ROOT_BOOL);
        }
        tir_op = OP_NOT;
        break;
    case AST_UNARY_READ: UNREACHABLE();
    }
    return check_map(checker, tir_op, operand->type, operand, NULL, NULL, ast->span);
}
