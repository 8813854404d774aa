// Operators on tensors that work element by element where other languages have a product, a linear
// system, an inverse or a list: `x' * y`, `a \ b`, `a ** -1`, `[0] * 3`.
#include "sema/warn/state.h"

#include "sema/explain.h"
#include "sema/offer.h"
#include "tir/constant.h"

#include <string.h>

static bool is_transposed(Checker *checker, const TirExpr *operand) {
    Slice text = sources_text(checker->context->sources, operand->span);
    return text.len > 1 && text.data[text.len - 1] == '\'';
}

// `inv(a)`
static bool is_inverse(Checker *checker, const TirExpr *operand) {
    Slice text = sources_text(checker->context->sources, operand->span);
    return text.len > 5 && memcmp(text.data, "inv(", 4) == 0 && text.data[text.len - 1] == ')';
}

static bool is_square(TypeTable *types, const Type *type) {
    const Type *turned = shape_transpose(types, type).type;
    return turned != NULL && shape_same(types, type, turned).why == SHAPE_OK;
}

// Two shapes that are stretched to each other have nothing to do with each other's elements.
static bool is_stretched(Checker *checker, const Operation *operation) {
    return shape_same(checker->tir.types, operation->left->type, operation->right->type).why !=
           SHAPE_OK;
}

// `[0] * 3` as Python repeats lists: who scales a value has no reason to put it into brackets.
static void look_at_repetition(Checker *checker, const Operation *operation) {
    const TirExpr *sides[] = {operation->left, operation->right};
    for (int k = 0; k < 2; k++) {
        const Type *type = sides[k]->type;
        Slice text = warn_text(checker, sides[k]->span);
        int64_t count;
        bool is_literal = text.len > 2 && text.data[0] == '[' && text.data[text.len - 1] == ']';
        if (!is_literal || !type_is_tensor(type) ||
            type != type_tensor(checker->tir.types, type->base, 1, (uint32_t[]){1}) ||
            !constant_integer(&checker->tir, sides[1 - k], &count) || count < 2) {
            continue;
        }
        Diag *diag = warn_at(checker, WARNING_REPETITION, operation->op_span,
                             "`*` multiplies and repeats nothing: the result has one element");
        if (count * type->numel <= TYPE_SCALARS_LIMIT) {
            diag_help(diag, "`tensor<%s, %lld>(%.*s)` has %lld elements",
                      check_type_text(checker, type->base), (long long)count, (int)text.len - 2,
                      text.data + 1, (long long)count);
        }
    }
}

// `a ** -1` for the inverse of a matrix.
static void look_at_power(Checker *checker, const Operation *operation) {
    int64_t power;
    if (!constant_integer(&checker->tir, operation->right, &power) || power != -1 ||
        !is_square(checker->tir.types, operation->left->type)) {
        return;
    }
    Diag *diag = warn_at(checker, WARNING_MATRIX_OPERATOR, operation->op_span,
                         "`**` raises each element to its power");
    diag_note(diag, "`inv(a)` is the inverse of a matrix, `1.0 / a` that of each element");
}

// `f * p * f'` of square matrices, as in a step of a Kalman filter.
static void look_at_sandwich(Checker *checker, const Operation *operation) {
    const TirExpr *left = operation->left;
    Slice first = warn_text(checker, left->span);
    Slice last = warn_text(checker, operation->right->span);
    bool is_product = left->kind == EXPR_MAP && left->map.op == OP_MUL;
    if (!is_product || last.len < 2 || last.data[last.len - 1] != '\'' ||
        !is_square(checker->tir.types, operation->right->type) ||
        shape_same(checker->tir.types, left->type, operation->right->type).why != SHAPE_OK) {
        return;
    }
    Slice factor = warn_text(checker, left->map.args[0]->span);
    bool is_same = factor.len == last.len - 1 && memcmp(factor.data, last.data, factor.len) == 0;
    if (is_same && memcmp(first.data, factor.data, factor.len) == 0) {
        Diag *diag = warn_at(checker, WARNING_MATRIX_OPERATOR, operation->op_span,
                             "`*` multiplies element by element");
        diag_note(diag, "the matrix product is `.*`");
    }
}

// `k .* c` of two vectors.
static bool is_inner_product(const TirExpr *expr) {
    return expr->kind == EXPR_DOT && type_is_scalar(expr->type);
}

// `eye(2) - k * c` and `eye(2) - k .* c` of two vectors, where other languages have a column and a
// row.
static void look_at_identity(Checker *checker, const Operation *operation) {
    const TirExpr *sides[] = {operation->left, operation->right};
    for (int k = 0; k < 2; k++) {
        Slice text = warn_text(checker, sides[k]->span);
        const Type *other = sides[1 - k]->type;
        bool is_identity = text.len > 4 && memcmp(text.data, "eye(", 4) == 0 &&
                           text.data[text.len - 1] == ')' &&
                           is_square(checker->tir.types, sides[k]->type);
        const TirExpr *product = check_written(sides[1 - k]);
        if (is_identity && is_inner_product(product)) {
            Diag *diag = warn_at(checker, WARNING_MATRIX_OPERATOR, operation->op_span,
                                 "`%s` takes the product of two vectors, a scalar, for each "
                                 "element of the matrix",
                                 operation->text);
            diag_note(diag, "`outer(%s, %s)` is the matrix of a column and a row",
                      check_expr_text(checker, product->dot.left->span, "k"),
                      check_expr_text(checker, product->dot.right->span, "c"));
        }
        if (is_identity && type_is_tensor(other) && other->depth == 1 && other->rank == 1) {
            Diag *diag =
                warn_at(checker, WARNING_MATRIX_OPERATOR, operation->op_span,
                        "`%s` takes the vector for each row of the matrix", operation->text);
            diag_note(diag, "`outer(k, c)` is the matrix of a column and a row");
        }
    }
}

void warn_matrix_operator(Checker *checker, AstBinaryOp op, const Operation *operation) {
    const TirExpr *left = operation->left;
    const TirExpr *right = operation->right;
    TypeTable *types = checker->tir.types;
    if (op == AST_BINARY_MUL && warn_is_wanted(checker)) {
        look_at_repetition(checker, operation);
        warn_parts_product(checker, operation);
        look_at_sandwich(checker, operation);
    }
    if (op == AST_BINARY_POW && warn_is_wanted(checker)) {
        look_at_power(checker, operation);
    }
    if ((op == AST_BINARY_ADD || op == AST_BINARY_SUB) && warn_is_wanted(checker)) {
        look_at_identity(checker, operation);
    }
    if ((op != AST_BINARY_MUL && op != AST_BINARY_LEFT_DIV) || type_is_scalar(left->type) ||
        type_is_scalar(right->type) || !warn_is_wanted(checker) ||
        shape_dot(types, left->type, right->type).why != SHAPE_OK) {
        return;
    }
    if (op == AST_BINARY_MUL) {
        bool turned = is_transposed(checker, left) || is_transposed(checker, right);
        bool inverts = is_inverse(checker, left);
        if (inverts || (turned && is_stretched(checker, operation))) {
            Diag *diag = warn_at(checker, WARNING_MATRIX_OPERATOR, operation->op_span,
                                 "`*` multiplies element by element");
            diag_note(diag, inverts ? "`solve(a, b)` is `inv(a) .* b`, the matrix product"
                                    : "the matrix product is `.*`");
        }
        return;
    }
    if (is_square(types, left->type)) {
        Diag *diag = warn_at(checker, WARNING_MATRIX_OPERATOR, operation->op_span,
                             "`\\` divides element by element");
        diag_note(diag, "`solve(a, b)` solves a linear system; `b / a` divides, too");
    }
}
