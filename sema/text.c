// Constants of type str and char: they exist while checking only.
#include "sema/text.h"

#include "sema/checker.h"
#include "support/bug.h"

// A constant of root str or char; none of them ever reaches a statement.
static TirExpr *text_constant(Checker *checker, Root root, uint32_t value, Span span) {
    TirScalar *data = ARENA_NEW(checker->arena, TirScalar);
    data->uint = value;
    TirExpr *expr =
        tir_new_expr(checker->arena, EXPR_CONST, type_scalar(checker->tir.types, root), span);
    expr->is_constant = true;
    expr->data = data;
    return expr;
}

TirExpr *check_string(Checker *checker, Slice text, Span span) {
    LIST_PUSH(checker->arena, &checker->strings, text);
    return text_constant(checker, ROOT_STR, (uint32_t)checker->strings.count - 1, span);
}

TirExpr *check_character(Checker *checker, char character, Span span) {
    return text_constant(checker, ROOT_CHAR, (unsigned char)character, span);
}

Slice check_string_value(Checker *checker, const TirExpr *expr) {
    CHECK(expr->type->root == ROOT_STR);
    return checker->strings.items[expr->data->uint];
}
