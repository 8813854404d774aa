// See explain.h.
#include "sema/explain.h"

#include "sema/offer.h"
#include "sema/value.h"
#include "tir/constant.h"
#include "types/shape_explain.h"

#include <math.h>
#include <string.h>

Symbol *explain_symbol(const Checker *checker, const TirExpr *operand) {
    if (operand->kind != EXPR_VAR || operand->var->name == NULL) {
        return NULL;
    }
    Symbol *symbol = scope_find(checker->at.scope, operand->var->name);
    bool same = symbol != NULL && symbol->kind == SYMBOL_VAR && symbol->var == operand->var;
    return same ? symbol : NULL;
}

void explain_operand(Checker *checker, Diag *diag, const TirExpr *operand) {
    const char *type = check_type_text(checker, operand->type);
    const Symbol *symbol = explain_symbol(checker, operand);
    if (symbol == NULL) {
        diag_label(diag, operand->span, "%s", type);
        return;
    }
    switch (symbol->origin) {
    case ORIGIN_DECLARED:
        diag_label(diag, operand->span, "`%s` is %s", symbol->name->text, type);
        return;
    case ORIGIN_LITERAL:
        diag_label(diag, symbol->span, "`%s` is %s, from this literal", symbol->name->text, type);
        break;
    case ORIGIN_VALUE:
        diag_label(diag, symbol->span, "`%s` is %s, from this value", symbol->name->text, type);
        break;
    }
    diag_label(diag, operand->span, "%s", "");
}

void explain_operands(Checker *checker, Diag *diag, const Operation *operation) {
    const TirExpr *left = operation->left;
    const TirExpr *right = operation->right;
    explain_operand(checker, diag, left);
    if (right == NULL) {
        return;
    }
    if (right->kind == EXPR_VAR && left->kind == EXPR_VAR && right->var == left->var) {
        diag_label(diag, right->span, "%s", "");
    } else {
        explain_operand(checker, diag, right);
    }
}

// The two shapes below each other, as text and as data.
static void add_table(Checker *checker, Diag *diag, const ShapeFit *fit, const char *left_name,
                      const Type *left, const char *right_name, const Type *right,
                      const char *reason) {
    diag_table(diag, shape_table(checker->arena, fit, left_name, left, right_name, right, reason));
    diag->alignment = shape_alignment(checker->arena, fit, left_name, left, right_name, right);
}

// Both types as they stand around an operator, or in the parentheses of a function.
static const char *pair_text(Checker *checker, const Operation *operation) {
    bool is_function = !ast_is_binary_text(operation->text);
    const char *right = check_type_text(checker, operation->right->type);
    return arena_format(checker->arena, is_function ? "%s and %s" : "%s %s %s",
                        check_type_text(checker, operation->left->type),
                        is_function ? right : operation->text, right);
}

static void add_dot(Cures *cures, Span star, CureSide side, const Type *type, const char *alone) {
    cures_add(cures, (Cure){.span = star,
                            .edit = ".*",
                            .alone = alone,
                            .among = "the matrix product `.*`",
                            .type = type,
                            .side = side});
}

// `*` of shapes that the matrix product takes.
static void add_product(Checker *checker, Cures *cures, const Operation *operation) {
    const Type *left = operation->left->type;
    const Type *right = operation->right->type;
    ShapeFit fit = shape_dot(checker->tir.types, left, right);
    if (strcmp(operation->text, "*") != 0 || fit.why != SHAPE_OK ||
        checker->at.mode.left_is_target) {
        return;
    }
    add_dot(cures, operation->op_span, CURE_OPERATOR, fit.type,
            arena_format(checker->arena, "`.*` is the matrix product, %s",
                         check_type_text(checker, fit.type)));
}

// A scalar, or one that was written and fills the shape of what stands beside it.
static bool is_one_value(const TirExpr *expr) {
    bool is_one = type_is_scalar(expr->type) || expr->kind == EXPR_VIEW;
    for (size_t k = 0; expr->kind == EXPR_VIEW && k < expr->view.operand->type->flat_rank; k++) {
        is_one = is_one && expr->view.axes[k].axis < 0;
    }
    return is_one;
}

// `W * x + b`, which fits where the `*` is a matrix product.
static void add_inner_product(Checker *checker, Cures *cures, const Operation *operation,
                              const TirExpr *product, const TirExpr *other) {
    bool sum = strcmp(operation->text, "+") == 0 || strcmp(operation->text, "-") == 0;
    if (!sum || product->kind != EXPR_MAP || product->map.op != OP_MUL) {
        return;
    }
    const TirExpr *left = check_written(product->map.args[0]);
    const TirExpr *right = check_written(product->map.args[1]);
    ShapeFit fit = shape_dot(checker->tir.types, left->type, right->type);
    Span between = {left->span.end, right->span.start};
    Slice text = sources_text(checker->context->sources, between);
    const char *star = text.len == 0 ? NULL : memchr(text.data, '*', text.len);
    if (is_one_value(left) || is_one_value(right) || fit.why != SHAPE_OK || star == NULL ||
        shape_broadcast(checker->tir.types, fit.type, other->type).why != SHAPE_OK) {
        return;
    }
    uint32_t at = between.start + (uint32_t)(star - text.data);
    add_dot(cures, (Span){at, at + 1}, product == operation->left ? CURE_LEFT : CURE_RIGHT,
            fit.type,
            arena_format(checker->arena, "`.*` is the matrix product, %s, which fits",
                         check_type_text(checker, fit.type)));
}

// `a \ b` of a square matrix, as MATLAB has it.
static bool offer_solution(Checker *checker, Diag *diag, const Operation *operation) {
    const Type *left = operation->left->type;
    const Type *right = operation->right->type;
    if (strcmp(operation->text, "\\") != 0 || left->rank != 2 || type_is_scalar(left)) {
        return false;
    }
    const char *a = check_expr_text(checker, operation->left->span, NULL);
    const char *b = check_expr_text(checker, operation->right->span, NULL);
    TypeTable *types = checker->tir.types;
    const Type *turned = shape_transpose(types, left).type;
    bool fits = turned != NULL && shape_same(types, left, turned).why == SHAPE_OK &&
                !type_is_scalar(right) && shape_dot(types, left, right).why == SHAPE_OK;
    if (fits && a != NULL && b != NULL && !checker->at.mode.left_is_target) {
        diag_help(diag, "`\\` divides element by element; `solve(%s, %s)` solves a linear system",
                  a, b);
        diag_edit(diag, span_join(operation->left->span, operation->right->span), "solve(%s, %s)",
                  a, b);
    } else {
        diag_note(diag, "`\\` divides element by element; `solve(a, b)` solves a linear system");
    }
    return true;
}

void explain_shapes(Checker *checker, const Operation *operation, const ShapeFit *fit,
                    bool strict) {
    const TirExpr *left = operation->left;
    const TirExpr *right = operation->right;
    if (fit->why == SHAPE_TOO_LARGE) {
        Diag *diag = check_error(checker, DIAG_E0902, operation->op_span,
                                 "the result of `%s` is too large", operation->text);
        explain_operands(checker, diag, operation);
        return;
    }
    Diag *diag = check_error(checker, strict ? DIAG_E0502 : DIAG_E0501, operation->op_span,
                             strict ? "these shapes are not the same: %s"
                                    : "these shapes do not broadcast: %s",
                             pair_text(checker, operation));
    explain_operands(checker, diag, operation);
    add_table(checker, diag, fit, check_expr_text(checker, left->span, "left"), left->type,
              check_expr_text(checker, right->span, "right"), right->type,
              shape_explain(checker->arena, fit, strict));
    if (!strict && offer_solution(checker, diag, operation)) {
        return;
    }
    Cures cures = {0};
    if (!strict) {
        add_product(checker, &cures, operation);
        add_inner_product(checker, &cures, operation, left, right);
        add_inner_product(checker, &cures, operation, right, left);
    } else {
        check_propose_stretching(checker, &cures, operation->text, left, right);
    }
    check_offer_changes(checker, diag, cures, strict ? WANTED_SAME : WANTED_BROADCAST, left, right);
}

void explain_promotion(Checker *checker, const Operation *operation, bool refused) {
    const char *text = arena_format(checker->arena, "`%s` combines tensors of unequal rank: %s",
                                    operation->text, pair_text(checker, operation));
    Span span = operation->op_span;
    Diag *diag = refused ? check_error(checker, DIAG_E0501, span, "%s", text)
                         : check_warning(checker, WARNING_RANK_PROMOTION, span, "%s", text);
    explain_operands(checker, diag, operation);
    const TirExpr *left = operation->left;
    const TirExpr *right = operation->right;
    const TirExpr *smaller = shape_promoted(left->type, right->type) == left->type ? left : right;
    Wanted wanted = {.rule = WANTED_BROADCAST,
                     .other = (smaller == left ? right : left)->type,
                     .changes_left = smaller == left};
    const char *name = check_expr_text(checker, smaller->span, NULL);
    bool is_cure = !operation->is_one_of_two || smaller == left;
    if (name != NULL && is_cure && (smaller == right || !checker->at.mode.left_is_target)) {
        check_offer_padding(checker, diag, smaller, name, &wanted, !refused);
    }
}

TirExpr *explain_dot(Checker *checker, const Operation *operation) {
    const TirExpr *left = operation->left;
    const TirExpr *right = operation->right;
    Diag *diag = check_error(checker, DIAG_E0504, operation->op_span,
                             "the inner lengths of `.*` differ: %s", pair_text(checker, operation));
    explain_operands(checker, diag, operation);
    diag_table(diag, shape_dot_table(checker->arena, check_expr_text(checker, left->span, "left"),
                                     left->type, check_expr_text(checker, right->span, "right"),
                                     right->type, NULL));
    check_offer_changes(checker, diag, (Cures){0}, WANTED_DOT, left, right);
    return checker->poison;
}

// The text of a literal of vectors of one level as that of a matrix; NULL when it is none. `len` is
// how much of `text` it is.
static const char *matrix_text(Checker *checker, const char *text, size_t *len) {
    enum { LONGEST = 400 };
    char *matrix = ARENA_ARRAY(checker->arena, char, LONGEST + 1);
    size_t length = 0;
    int depth = 0;
    for (*len = 0; *len == 0 || depth > 0; ++*len) {
        char c = text[*len];
        depth += (c == '[') - (c == ']');
        if (length == LONGEST || depth > 2 || strchr(";|#(", c) != NULL) {
            return NULL;
        }
        bool inner = (c == '[' && depth == 2) || (c == ']' && depth == 1);
        matrix[length] = c == ',' && depth == 1 ? ';' : c;
        length += !inner;
    }
    return matrix;
}

bool explain_nested(Checker *checker, Diag *diag, const TirExpr *operand) {
    const Type *type = operand->type;
    Symbol *symbol = explain_symbol(checker, operand);
    bool named = symbol != NULL && symbol->origin == ORIGIN_LITERAL;
    if (type->depth != 2 || type->rank != 1 || type->base->rank != 1 ||
        (symbol != NULL && !named)) {
        return false;
    }
    uint32_t start = named ? symbol->span.end : operand->span.start;
    SourcePlace place = sources_place(checker->context->sources, start);
    const char *text = place.file->text + place.offset;
    text += named ? strspn(text, " =") : 0;
    size_t len;
    const char *matrix = *text == '[' ? matrix_text(checker, text, &len) : NULL;
    if (matrix == NULL || (!named && len != operand->span.end - operand->span.start)) {
        return false;
    }
    bool is_short = strlen(matrix) <= 60 && strchr(matrix, '\n') == NULL;
    diag_help(diag, "rows of a matrix end with `;`: `%s`", is_short ? matrix : "[1, 2; 3, 4]");
    if (!named) {
        diag_edit(diag, operand->span, "%s", matrix);
        return true;
    }
    symbol->var->type = checker->poison->type;
    return true;
}

void explain_transpose(Checker *checker, const TirExpr *operand, Span mark) {
    Symbol *symbol = explain_symbol(checker, operand);
    if (symbol != NULL && symbol->is_no_matrix) {
        return;
    }
    Diag *diag =
        check_error(checker, DIAG_E0505, mark, "`'` transposes a tensor of 2 dimensions, not %s",
                    check_type_text(checker, operand->type));
    explain_operand(checker, diag, operand);
    if (!explain_nested(checker, diag, operand) && operand->type->rank == 1) {
        diag_note(diag, "a vector is neither row nor column; `.*` takes it on both sides, and "
                        "`outer(v, w)` makes a matrix of two");
    }
    if (symbol != NULL) {
        symbol->is_no_matrix = !check_in_test(checker);
    }
}

// The visible symbol that was declared at `span`, or NULL.
static Symbol *symbol_at(const Checker *checker, Span span) {
    Symbol *found = NULL;
    for (const Scope *scope = checker->at.scope; scope != NULL && found == NULL;
         scope = scope->parent) {
        for (size_t k = 0; k < scope->symbols.count; k++) {
            Symbol *symbol = scope->symbols.items[k];
            found = symbol->span.start == span.start ? symbol : found;
        }
    }
    return found;
}

static void explain_target(Checker *checker, Diag *diag, const Type *target, const char *what,
                           Span origin) {
    diag_here(diag, "%s is %s", what, check_type_text(checker, target));
    if (origin.end == 0) {
        return;
    }
    const Symbol *symbol = symbol_at(checker, origin);
    if (symbol == NULL || symbol->kind != SYMBOL_VAR || symbol->origin == ORIGIN_DECLARED) {
        diag_label(diag, origin, "declared here");
    } else {
        diag_label(diag, origin, "`%s` has the type of its first value", symbol->name->text);
    }
}

// Whether the text of a constant has names of values, so that it may have another one elsewhere.
static bool names_values(Slice text) {
    static const char first[] = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    bool is_named = false;
    for (size_t at = 0; at < text.len && !is_named;) {
        size_t start = at;
        while (at < text.len && (strchr(first, text.data[at]) != NULL ||
                                 strchr("0123456789.", text.data[at]) != NULL)) {
            at++;
        }
        bool is_word = at > start && strchr(first, text.data[start]) != NULL;
        is_named = is_word && (at == text.len || text.data[at] != '(');
        at += at == start;
    }
    return is_named;
}

// `2.0` where an int is needed, `n.T / n.ts` where that is whole, but for rounding.
static bool offer_whole_number(Checker *checker, Diag *diag, const Type *target,
                               const TirExpr *value) {
    bool whole_root = target->root == ROOT_INT || target->root == ROOT_UINT;
    if (value->kind != EXPR_CONST || !type_is_scalar(value->type) ||
        value->type->root != ROOT_REAL || !whole_root) {
        return false;
    }
    double number = value->data->real;
    bool is_named = names_values(sources_text(checker->context->sources, value->span));
    double whole = is_named ? nearbyint(number) : number;
    if (!(whole >= -1e9 && whole <= 1e9) || whole != (double)(int32_t)whole ||
        fabs(number - whole) > 1e-9 * fabs(whole)) {
        return false;
    }
    const char *text = check_expr_text(checker, value->span, "...");
    if (is_named) {
        const char *root = root_text(target->root);
        diag_help(diag, "what is whole but for rounding becomes one: `%s(round(%s))`", root, text);
        diag_edit(diag, (Span){value->span.start, value->span.start}, "%s(round(", root);
        diag_edit(diag, span_after(value->span), "))");
        return true;
    }
    if (target->root != ROOT_INT) {
        return false;
    }
    diag_help(diag, "`%d` is an int", (int)number);
    diag_edit(diag, value->span, "%d", (int)number);
    return true;
}

// `0` and `1` where a bool is needed.
static bool offer_boolean(Checker *checker, Diag *diag, const Type *target, const TirExpr *value) {
    const char *text = check_expr_text(checker, value->span, "");
    bool is_one = strcmp(text, "1") == 0;
    if (target->root != ROOT_BOOL || (strcmp(text, "0") != 0 && !is_one)) {
        return false;
    }
    diag_help(diag, "`%s` is a bool", is_one ? "true" : "false");
    diag_edit(diag, value->span, is_one ? "true" : "false");
    return true;
}

void explain_condition(Checker *checker, const AstExpr *ast, const TirExpr *condition) {
    Diag *diag = check_error(checker, DIAG_E0402, ast->span, "a condition is a scalar bool, not %s",
                             check_type_text(checker, condition->type));
    if (condition->type->root == ROOT_BOOL && condition->type->depth == 1) {
        const char *text = check_expr_text(checker, ast->span, NULL);
        const char *shown = text == NULL ? "..." : text;
        bool equal = ast->kind == AST_BINARY && ast->binary.op == AST_BINARY_EQ;
        if (equal && text != NULL) {
            diag_help(diag, "`all(%s)` says whether all elements are equal", text);
            diag_edit(diag, ast->span, "all(%s)", text);
        } else {
            diag_note(diag, "`all(%s)` or `any(%s)` is a scalar", shown, shown);
        }
    } else if (offer_boolean(checker, diag, type_scalar(checker->tir.types, ROOT_BOOL),
                             condition)) {
        return;
    } else if (type_is_scalar(condition->type) && type_is_numeric(condition->type)) {
        check_offer_comparison(checker, diag, ast, ast->span, "!=");
    }
}

// The name of the variable at `name`, where its declaration is `TYPE x = VALUE`, with the type of
// the target, of which *type is the text; else NULL.
static const char *declared_as(Checker *checker, const Type *target, const TirExpr *value,
                               Span name, const char **type) {
    *type = check_type_text(checker, target);
    size_t len = strlen(*type) + 1;
    const char *called = check_expr_text(checker, name, NULL);
    SourcePlace place = sources_place(checker->context->sources, name.start);
    if (called == NULL || place.file == NULL || place.offset < len ||
        value->span.start != name.end + strlen(" = ")) {
        return NULL;
    }
    const char *written = place.file->text + place.offset;
    bool has_type = memcmp(written - len, *type, len - 1) == 0 && written[-1] == ' ';
    return has_type && strncmp(written + strlen(called), " = ", 3) == 0 ? called : NULL;
}

// `int x = 3.5`, with the name at `name`: a real, or the number without what is behind its point.
static bool offer_other_declaration(Checker *checker, Diag *diag, const Type *target,
                                    const TirExpr *value, Span name) {
    TypeTable *types = checker->tir.types;
    bool whole_root = target->root == ROOT_INT || target->root == ROOT_UINT;
    const char *text = check_expr_text(checker, value->span, NULL);
    const char *type;
    const char *called = declared_as(checker, target, value, name, &type);
    if (!whole_root || value->type->root != ROOT_REAL || text == NULL || called == NULL) {
        return false;
    }
    diag_help(diag, "`%s %s = %s` keeps what is behind the point, `%s(%s)` cuts it off",
              check_type_text(checker, type_with_root(types, target, ROOT_REAL)), called, text,
              check_type_text(checker, type_with_root(types, value->type, target->root)), text);
    return true;
}

// `tensor<real, 2> x` for `real x = [1, 2]`, whose name stands at `name`.
static bool offer_tensor(Checker *checker, Diag *diag, const Type *target, const TirExpr *value,
                         Span name) {
    const Type *type = type_with_root(checker->tir.types, value->type, target->root);
    const char *old;
    const char *called = declared_as(checker, target, value, name, &old);
    if (called == NULL || value->type->numel == 1 || check_is_one_of_many(checker) ||
        shape_assign(type, value->type, false).why != SHAPE_OK) {
        return false;
    }
    const char *meant = check_type_text(checker, type);
    uint32_t len = (uint32_t)strlen(old) + 1;
    diag_help(diag, "write `%s %s`", meant, called);
    diag_edit(diag, (Span){name.start - len, name.end}, "%s %s", meant, called);
    return true;
}

// Whether it is that of an `op=`, whose place is the right operand's.
static bool is_updated(const TirExpr *value) {
    const TirExpr *right = value->kind == EXPR_MAP ? value->map.args[1] : NULL;
    return right != NULL && right->span.start == value->span.start;
}

// Who has declared an integer may want one, but not where a part is added to it.
static void note_cast(Checker *checker, Diag *diag, Root root, const TirExpr *value) {
    if (value->is_constant || is_updated(value)) {
        return;
    }
    diag_note(diag, "`%s(%s)` makes %s %s of it, and cuts off what is behind the point",
              root_text(root), check_expr_text(checker, value->span, "x"),
              root == ROOT_UINT ? "a" : "an", root_text(root));
}

static void explain_root(Checker *checker, const Type *target, const TirExpr *value,
                         const char *what, Span origin) {
    Symbol *symbol = origin.end == 0 ? NULL : symbol_at(checker, origin);
    bool becomes_real = value->type->root == ROOT_REAL && symbol != NULL;
    if (becomes_real && symbol->lacks_real) {
        return;
    }
    Diag *diag =
        check_error(checker, DIAG_E0401, value->span, "%s cannot become %s",
                    check_type_text(checker, value->type), check_type_text(checker, target));
    explain_target(checker, diag, target, what, origin);
    if (becomes_real && check_offer_real(checker, diag, symbol)) {
        if (symbol->origin == ORIGIN_DECLARED) {
            note_cast(checker, diag, target->root, value);
        }
        symbol->lacks_real = true;
        return;
    }
    if (target->root == ROOT_BOOL && is_updated(value)) {
        return; // `+=` takes numbers on both sides
    }
    bool is_declared_here = symbol == NULL && origin.end != 0;
    if (offer_whole_number(checker, diag, target, value) ||
        offer_boolean(checker, diag, target, value) ||
        (is_declared_here && offer_other_declaration(checker, diag, target, value, origin))) {
        return;
    }
    if (target->root != ROOT_UINT || !check_offer_unsigned(checker, diag, value)) {
        check_offer_cast(checker, diag, value, target->root);
    }
}

void explain_assignment(Checker *checker, const ShapeFit *fit, const Type *target,
                        const TirExpr *value, const char *what, Span origin) {
    if (fit->why == SHAPE_ROOTS) {
        explain_root(checker, target, value, what, origin);
        return;
    }
    Diag *diag =
        check_error(checker, DIAG_E0510, value->span, "%s does not fit %s",
                    check_type_text(checker, value->type), check_type_text(checker, target));
    explain_target(checker, diag, target, what, origin);
    bool is_argument = strncmp(what, "argument ", strlen("argument ")) == 0;
    if (type_is_scalar(target) && is_argument && value->type->numel > 1) {
        diag_note(diag, "a call takes one here: a loop, or `[f(a), f(b)]`, calls it for several");
    } else if (type_is_scalar(target)) {
        diag_note(diag, "a tensor is never assigned to a scalar");
    } else {
        const char *reason =
            fit->why == SHAPE_LENGTHS
                ? arena_format(checker->arena,
                               fit->left == 1 ? "%u is not %u" : "%u is neither %u nor 1",
                               fit->right, fit->left)
                : shape_explain(checker->arena, fit, false);
        add_table(checker, diag, fit, "target", target, "value", value->type, reason);
    }
    if (check_offer_products(checker, diag, target, value) ||
        check_offer_vectors(checker, diag, target, value, false) ||
        check_offer_vectors(checker, diag, target, value, true)) {
        return;
    }
    bool is_being_declared = origin.end != 0 && symbol_at(checker, origin) == NULL;
    if (type_is_scalar(target) && is_being_declared && !is_argument &&
        offer_tensor(checker, diag, target, value, origin)) {
        return;
    }
    Wanted wanted = {.rule = WANTED_ASSIGN, .other = target};
    if (target->depth != 1 || target->rank != 2 || !explain_nested(checker, diag, value)) {
        check_offer_change(checker, diag, value, &wanted);
    }
}
