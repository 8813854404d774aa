// Conditions that are always the same, as far as their text tells: what types decide is in
// number.c.
#include "sema/warn/state.h"

#include "parser/ast_visit.h"

#include <math.h>
#include <string.h>

// `if true` and `while true` say what they mean.
static void look_at_condition(Checker *checker, const AstExpr *condition) {
    if (condition->kind != AST_BOOLEAN && condition->kind != AST_ERROR &&
        !warn_has_names(condition)) {
        warn_at(checker, WARNING_CONSTANT_CONDITION, condition->span,
                "this is always the same: it has no name in it");
    }
}

void warn_loop_condition(Checker *checker, const AstStmt *stmt) {
    look_at_condition(checker, stmt->loop.condition);
}

void warn_arms(Checker *checker, const AstStmt *stmt) {
    enum { ARMS_COMPARED = 32 }; // before each one
    for (size_t k = 0; k < stmt->branch.arm_count; k++) {
        const AstExpr *condition = stmt->branch.arms[k].condition;
        look_at_condition(checker, condition);
        for (size_t i = k > ARMS_COMPARED ? k - ARMS_COMPARED : 0; i < k; i++) {
            const AstExpr *before = stmt->branch.arms[i].condition;
            if (warn_is_same(checker, before->span, condition->span)) {
                Diag *diag = warn_at(checker, WARNING_CONSTANT_CONDITION, condition->span,
                                     "this is always false here");
                diag_label(diag, before->span, "where it is true, this branch is taken");
                break;
            }
        }
    }
}

// `subject op value`.
typedef struct Comparison {
    const AstExpr *subject;
    AstBinaryOp op;
    double value;
} Comparison;

static AstBinaryOp mirrored(AstBinaryOp op) {
    switch (op) {
    case AST_BINARY_LT: return AST_BINARY_GT;
    case AST_BINARY_LE: return AST_BINARY_GE;
    case AST_BINARY_GT: return AST_BINARY_LT;
    case AST_BINARY_GE: return AST_BINARY_LE;
    default: return op;
    }
}

static bool read_comparison(const AstExpr *expr, Comparison *found) {
    if (expr->kind != AST_BINARY || expr->binary.op < AST_BINARY_LT ||
        expr->binary.op > AST_BINARY_NE) {
        return false;
    }
    *found = (Comparison){.subject = expr->binary.left, .op = expr->binary.op};
    if (warn_literal_value(expr->binary.right, &found->value)) {
        return true;
    }
    found->subject = expr->binary.right;
    found->op = mirrored(expr->binary.op);
    return warn_literal_value(expr->binary.left, &found->value);
}

static bool holds(const Comparison *comparison, double x) {
    switch (comparison->op) {
    case AST_BINARY_LT: return x < comparison->value;
    case AST_BINARY_LE: return x <= comparison->value;
    case AST_BINARY_GT: return x > comparison->value;
    case AST_BINARY_GE: return x >= comparison->value;
    case AST_BINARY_EQ: return x == comparison->value;
    default: return x != comparison->value;
    }
}

// Whether `and` of both never holds, or `or` always does: between and at their values, and beyond.
// Where exactly one side of an `or` of reals holds everywhere, it asks whether there is a number.
static bool is_decided(const Comparison *a, const Comparison *b, bool is_and, bool has_nan) {
    double low = a->value < b->value ? a->value : b->value;
    double high = a->value < b->value ? b->value : a->value;
    const double points[] = {-INFINITY, low, low + (high - low) / 2, high, INFINITY};
    bool overlaps = false;
    for (size_t k = 0; k < sizeof points / sizeof points[0]; k++) {
        bool left = holds(a, points[k]);
        bool right = holds(b, points[k]);
        overlaps = overlaps || (left && right);
        if (is_and ? left && right : !left && !right) {
            return false;
        }
    }
    return is_and || overlaps || !has_nan;
}

static bool is_integer_variable(const Checker *checker, const AstExpr *subject) {
    const Symbol *symbol =
        subject->kind == AST_NAME ? scope_find(checker->at.scope, subject->name.name) : NULL;
    return symbol != NULL && symbol->kind == SYMBOL_VAR && root_is_integer(symbol->var->type->root);
}

static void look_at_pair(Checker *checker, const AstExpr *expr, const AstExpr *left,
                         const AstExpr *right) {
    bool is_and = expr->binary.op == AST_BINARY_AND;
    Span span = span_join(left->span, right->span);
    if (warn_is_same(checker, left->span, right->span) && warn_has_names(left)) {
        warn_at(checker, WARNING_CONSTANT_CONDITION, span, "both sides of this `%s` are the same",
                is_and ? "and" : "or");
        return;
    }
    Comparison a, b;
    if (!read_comparison(left, &a) || !read_comparison(right, &b) ||
        !warn_is_same(checker, a.subject->span, b.subject->span)) {
        return;
    }
    bool has_nan = !is_integer_variable(checker, a.subject);
    if (!is_decided(&a, &b, is_and, has_nan)) {
        return;
    }
    Slice subject = warn_text(checker, a.subject->span);
    Diag *diag = warn_at(checker, WARNING_CONSTANT_CONDITION, span,
                         is_and    ? "this is always false: no `%.*s` passes both sides"
                         : has_nan ? "this is always true: every `%.*s` but nan passes one side"
                                   : "this is always true: every `%.*s` passes one side",
                         (int)subject.len, subject.data);
    diag_help(diag, "did you mean `%s`?", is_and ? "or" : "and");
}

// Neighbours in a chain of one operator are looked at.
void warn_logical(Checker *checker, const AstExpr *expr) {
    AstBinaryOp op = expr->binary.op;
    if (op != AST_BINARY_AND && op != AST_BINARY_OR) {
        return;
    }
    const AstExpr *left = expr->binary.left;
    bool goes_on = left->kind == AST_BINARY && left->binary.op == op && !left->parenthesized;
    look_at_pair(checker, expr, goes_on ? left->binary.right : left, expr->binary.right);
}
