// Operands of a root that their operator does not take (E0403 to E0406, E0503), with the operator,
// the cast or the comparison that was meant. See explain.h.
#include "sema/explain.h"
#include "sema/offer.h"
#include "sema/value.h"
#include "tir/constant.h"

#include <string.h>

static Diag *report_roots(Checker *checker, const Operation *operation, DiagCode code,
                          const char *takes) {
    const char *types = check_type_text(checker, operation->left->type);
    if (operation->right != NULL) {
        types = arena_format(checker->arena, "%s and %s", types,
                             check_type_text(checker, operation->right->type));
    }
    Diag *diag = check_error(checker, code, operation->op_span, "`%s` takes %s, not %s",
                             operation->text, takes, types);
    explain_operands(checker, diag, operation);
    return diag;
}

TirExpr *explain_roots(Checker *checker, const Operation *operation, DiagCode code,
                       const char *takes, const TirExpr *cast, Root root) {
    Diag *diag = report_roots(checker, operation, code, takes);
    if (cast != NULL && !checker->at.mode.left_is_target) {
        check_offer_cast(checker, diag, cast, root);
    }
    return checker->poison;
}

TirExpr *explain_complement(Checker *checker, const Operation *operation) {
    Diag *diag = report_roots(checker, operation, DIAG_E0406, "a uint");
    diag_help(diag, "`not` negates bools");
    diag_edit(diag, operation->op_span, "not ");
    return checker->poison;
}

// What was said of a `!` that stands for `not`, whose help is dropped; NULL for `not` itself.
static Diag *reported_mark(Checker *checker, Span op_span) {
    DiagList *diags = checker->context->diags;
    for (size_t k = 0; k < diags->all.count; k++) {
        Diag *diag = diags->all.items[k];
        if (diag->code == DIAG_E0102 && diag->span.start == op_span.start) {
            diag->notes.count = diag->edits.count = 0;
            return diag;
        }
    }
    return NULL;
}

TirExpr *explain_not_of_number(Checker *checker, const Operation *operation, const AstExpr *ast) {
    Diag *diag = reported_mark(checker, operation->op_span);
    if (diag == NULL) {
        diag = report_roots(checker, operation, DIAG_E0405, "a bool");
    }
    check_offer_comparison(checker, diag, ast->unary.operand, ast->span, "==");
    return checker->poison;
}

static bool are_same(Checker *checker, const TirExpr *left, const TirExpr *right) {
    return shape_same(checker->tir.types, left->type, right->type).why == SHAPE_OK;
}

static bool is_comparison(const TirExpr *expr) {
    if (expr->kind != EXPR_MAP) {
        return false;
    }
    TirOp op = expr->map.op;
    return op == OP_LT || op == OP_LE || op == OP_GT || op == OP_GE || op == OP_EQ || op == OP_NE;
}

// `a < b < c` as `a < b and b < c`.
static bool offer_conjunction(Checker *checker, Diag *diag, const Operation *operation) {
    const TirExpr *left = operation->left;
    const TirExpr *right = operation->right;
    if (!is_comparison(left) || !type_is_numeric(right->type) || !are_same(checker, left, right)) {
        return false;
    }
    const char *first = check_expr_text(checker, left->span, NULL);
    const char *middle = check_expr_text(checker, left->map.args[1]->span, NULL);
    const char *last = check_expr_text(checker, right->span, NULL);
    if (first == NULL || middle == NULL || last == NULL) {
        return false;
    }
    const char *text =
        arena_format(checker->arena, "%s and %s %s %s", first, middle, operation->text, last);
    diag_help(diag, "comparisons do not chain: `%s`", text);
    diag_edit(diag, span_join(left->span, right->span), "%s", text);
    return true;
}

TirExpr *explain_comparison(Checker *checker, const Operation *operation, bool equality) {
    const TirExpr *left = operation->left;
    const TirExpr *right = operation->right;
    Diag *diag = report_roots(checker, operation, DIAG_E0404,
                              equality ? "two numbers or two bools" : "numbers");
    const TirExpr *boolean = left->type->root == ROOT_BOOL ? left : right;
    const TirExpr *other = boolean == left ? right : left;
    bool one_cast = other->type->root != ROOT_BOOL && are_same(checker, left, right);
    if (!offer_conjunction(checker, diag, operation) && one_cast) {
        check_offer_cast(checker, diag, boolean, other->type->root);
    }
    return checker->poison;
}

static void offer_operator(Diag *diag, Span op_span, const char *op, const char *what) {
    diag_help(diag, "`%s` %s", op, what);
    diag_edit(diag, op_span, "%s", op);
}

// A uint, or a constant that is one beside a uint.
static bool can_be_uint(Checker *checker, TirExpr *operand) {
    return check_adapt(checker, operand)->type->root == ROOT_UINT;
}

// `n >> 2` of an int: a cast would change negative numbers. False for other operations.
static bool explain_shift(Checker *checker, Diag *diag, const Operation *operation) {
    bool is_right = strcmp(operation->text, ">>") == 0 || strcmp(operation->text, ">>=") == 0;
    const TirExpr *left = operation->left;
    if (!is_right || left->type->root != ROOT_INT || constant_is_nonnegative(&checker->tir, left)) {
        return false;
    }
    int64_t bits;
    bool known = constant_integer(&checker->tir, operation->right, &bits) && bits >= 0 && bits < 31;
    const char *divisor = known ? arena_format(checker->arena, "/ %d", 1 << bits) : "/";
    const char *text = check_expr_text(checker, left->span, "x");
    diag_note(diag, "a shift takes a uint, as `uint(%s)`, and fills the left with zeros", text);
    diag_note(diag, "an int is divided: `%s` cuts toward zero", divisor);
    return true;
}

TirExpr *explain_bitwise(Checker *checker, const Operation *operation) {
    Diag *diag = report_roots(checker, operation, DIAG_E0406, "uint values");
    const char *op = operation->text;
    Span op_span = operation->op_span;
    TirExpr *left = operation->left;
    TirExpr *right = operation->right;
    Root a = left->type->root;
    Root b = right->type->root;
    if (explain_shift(checker, diag, operation)) {
        return checker->poison;
    }
    bool fits = are_same(checker, left, right);
    bool compound = checker->at.mode.left_is_target;
    bool is_and = strcmp(op, "&") == 0;
    bool power = strcmp(op, "^") == 0 && type_is_numeric(left->type) &&
                 type_is_numeric(right->type) && a != ROOT_BOOL && b != ROOT_BOOL;
    if (power) {
        if (!compound &&
            shape_broadcast(checker->tir.types, left->type, right->type).why == SHAPE_OK) {
            offer_operator(diag, op_span, "**", "raises to a power");
        }
    } else if (a == ROOT_BOOL && b == ROOT_BOOL) {
        if (!compound && fits && (is_and || strcmp(op, "|") == 0)) {
            offer_operator(diag, op_span, is_and ? "and" : "or", "combines bools");
        }
    } else if (fits && b == ROOT_INT && can_be_uint(checker, left)) {
        check_offer_cast(checker, diag, right, ROOT_UINT);
    } else if (!compound && fits && a == ROOT_INT && can_be_uint(checker, right)) {
        check_offer_cast(checker, diag, left, ROOT_UINT);
    }
    return checker->poison;
}

TirExpr *explain_dot_operands(Checker *checker, const Operation *operation) {
    Diag *diag = report_roots(checker, operation, DIAG_E0503, "scalars, vectors and matrices");
    const Type *left = operation->left->type;
    if (left == operation->right->type && left->depth <= 2 && left->flat_rank == 3) {
        diag_note(
            diag,
            left->depth == 1
                ? "many matrices are multiplied in a loop: `r[i, :, :] = a[i, :, :] .* b[i, :, :]`"
                : "many matrices are multiplied in a loop: `r[i] = a[i] .* b[i]`");
    }
    check_offer_changes(checker, diag, (Cures){0}, WANTED_DOT, operation->left, operation->right);
    return checker->poison;
}
