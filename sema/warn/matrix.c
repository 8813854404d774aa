// Operators on matrices that work element by element where a product or a linear system fits, as
// other languages have it: `x' * y`, `a \ b`.
#include "sema/warn/state.h"

#include "sema/explain.h"

#include <string.h>

static bool is_transposed(Checker *checker, const TirExpr *operand) {
    Slice text = sources_text(checker->context->sources, operand->span);
    return text.len > 1 && text.data[text.len - 1] == '\'';
}

// Two shapes that are stretched to each other have nothing to do with each other's elements.
static bool is_stretched(Checker *checker, const Operation *operation) {
    return shape_same(checker->tir.types, operation->left->type, operation->right->type).why !=
           SHAPE_OK;
}

void warn_matrix_operator(Checker *checker, AstBinaryOp op, const Operation *operation) {
    const TirExpr *left = operation->left;
    const TirExpr *right = operation->right;
    TypeTable *types = checker->tir.types;
    if ((op != AST_BINARY_MUL && op != AST_BINARY_LEFT_DIV) || type_is_scalar(left->type) ||
        type_is_scalar(right->type) || !warn_is_wanted(checker) ||
        shape_dot(types, left->type, right->type).why != SHAPE_OK) {
        return;
    }
    if (op == AST_BINARY_MUL) {
        bool turned = is_transposed(checker, left) || is_transposed(checker, right);
        if (turned && is_stretched(checker, operation)) {
            Diag *diag = warn_at(checker, WARNING_MATRIX_OPERATOR, operation->op_span,
                                 "`*` multiplies element by element");
            diag_note(diag, "the matrix product is `.*`");
        }
        return;
    }
    const Type *turned = shape_transpose(types, left->type).type;
    if (turned != NULL && shape_same(types, left->type, turned).why == SHAPE_OK) {
        Diag *diag = warn_at(checker, WARNING_MATRIX_OPERATOR, operation->op_span,
                             "`\\` divides element by element");
        diag_note(diag, "`solve(a, b)` solves a linear system; `b / a` divides, too");
    }
}
