// Optional values (L10.6): `x?` in operators, `?:`, and what `x? = e` and declarations with `?`
// need. Whether a terminal is there is known while compiling: what is missing is checked as if it
// were there, and never emitted. So the mistakes that are reported do not depend on --with.
#include "sema/component/component.h"

#include "sema/component/infer.h"
#include "sema/expr.h"
#include "sema/notes/record.h"
#include "sema/operator.h"
#include "sema/value.h"

#include <string.h>

// The name at the bottom of `name[i]?` and the like; *marks is how many `?` there are.
static const AstExpr *bottom_name(const AstExpr *ast, unsigned *marks) {
    for (*marks = 0;;) {
        *marks += ast->kind == AST_OPTIONAL;
        if (ast->kind == AST_OPTIONAL) {
            ast = ast->optional;
        } else if (ast->kind == AST_INDEX) {
            ast = ast->index.object;
        } else {
            return ast;
        }
    }
}

static const char *text_of(Checker *checker, Span span) {
    const char *text = check_expr_text(checker, span, NULL);
    return text == NULL ? "this" : arena_format(checker->arena, "`%s`", text);
}

static void report_not_optional(Checker *checker, Span span) {
    check_error(checker, DIAG_E0735, span,
                "%s is not optional: `?` stands behind what may be absent", text_of(checker, span));
}

// How an optional value becomes the left side of `?:`: `t.a`, `(t.a? + t.b?)`.
static const char *elvis_text(Checker *checker, Span span) {
    const char *text = check_expr_text(checker, span, NULL);
    if (text == NULL) {
        return "x";
    }
    size_t len = strlen(text);
    bool is_name = strchr(text, '?') == text + len - 1;
    if (is_name) {
        return arena_copy_text(checker->arena, text, len - 1);
    }
    bool is_whole = text[0] == '(' || strchr(text, ' ') == NULL;
    return is_whole ? text : arena_format(checker->arena, "(%s)", text);
}

static void note_elvis(Checker *checker, Diag *diag, Span span) {
    diag_note(diag, "`%s ?: ...` gives a value where there is none", elvis_text(checker, span));
}

static void report_optional(Checker *checker, Span span) {
    Diag *diag = check_error(checker, DIAG_E0735, span, "%s may be absent, and this needs a value",
                             text_of(checker, span));
    note_elvis(checker, diag, span);
}

TirExpr *check_not_optional(Checker *checker, const Operand *operand) {
    if (!operand->is_optional || checker->at.mode.unevaluated) {
        return operand->value;
    }
    report_optional(checker, operand->span);
    return checker->poison;
}

// The optional terminal of a name that has a mark, or stands where only such ones do.
static const TirInterface *find_marked(Checker *checker, const AstExpr *name) {
    infer_optional(checker, name);
    return check_find_optional(checker, name);
}

// Reads the name at the bottom of the expression although it may be absent.
static TirExpr *read_optional(Checker *checker, const AstExpr *ast, const AstExpr *name,
                              bool is_missing) {
    TirBlock nowhere = {0};
    const AstExpr *outer = checker->at.optional_read;
    checker->at.optional_read = name;
    TirExpr *value = is_missing ? check_apart(checker, ast, &nowhere) : check_expr(checker, ast);
    checker->at.optional_read = outer;
    return value;
}

// What may be absent because `terminal` may be: a name, with or without brackets and `?`.
static Operand optional_operand(Checker *checker, const AstExpr *ast, const AstExpr *name,
                                const TirInterface *terminal) {
    unsigned marks;
    bottom_name(ast, &marks);
    if (marks > 1) {
        check_error(checker, DIAG_E0735, ast->span, "one `?` behind a name is enough");
        return (Operand){.value = checker->poison, .span = ast->span};
    }
    Operand operand = {.span = ast->span, .is_optional = true};
    operand.is_missing = !terminal->is_present && !checker->at.mode.unevaluated;
    operand.value = read_optional(checker, ast, name, operand.is_missing);
    operand.is_optional = !type_is_poison(operand.value->type);
    operand.is_missing = operand.is_missing && operand.is_optional;
    check_add_terminal(checker, &operand.terminals, terminal);
    return operand;
}

static Operand operand_of(Checker *checker, const AstExpr *ast) {
    if (ast->kind == AST_BINARY && ast->binary.op != AST_BINARY_ELVIS) {
        Operand operand = check_binary(checker, ast);
        operand.span = ast->span;
        notes_value(checker, ast, operand.value->type);
        return operand;
    }
    unsigned marks;
    const AstExpr *name = bottom_name(ast, &marks);
    const TirInterface *terminal = marks > 0 ? find_marked(checker, name) : NULL;
    if (terminal != NULL) {
        return optional_operand(checker, ast, name, terminal);
    }
    return (Operand){.value = check_expr(checker, ast), .span = ast->span};
}

Operand check_operand(Checker *checker, const AstExpr *ast) {
    if (!check_has_room(checker, ast->span)) {
        return (Operand){.value = checker->poison, .span = ast->span};
    }
    Operand operand = operand_of(checker, ast);
    operand.value = infer_note(checker, ast, operand.value);
    return operand;
}

Operand check_operand_apart(Checker *checker, const AstExpr *ast, TirBlock *statements) {
    CheckPlace outside = checker->at;
    checker->at.block = statements;
    checker->at.held.items = NULL;
    checker->at.held.count = checker->at.held.capacity = 0;
    Operand operand = check_operand(checker, ast);
    checker->at = outside;
    return operand;
}

TirExpr *check_mark(Checker *checker, const AstExpr *ast) {
    unsigned marks;
    const AstExpr *name = bottom_name(ast, &marks);
    if (name == checker->at.optional_read) {
        return check_expr(checker, ast->optional);
    }
    if (find_marked(checker, name) == NULL) {
        TirExpr *value = check_expr(checker, ast->optional);
        if (!type_is_poison(value->type)) {
            report_not_optional(checker, ast->optional->span);
        }
    } else if (checker->at.mode.unevaluated) {
        return check_expr(checker, ast->optional);
    } else {
        report_optional(checker, ast->span);
    }
    return checker->poison;
}

static bool has_neutral_element(AstBinaryOp op, bool on_left) {
    NeutralSide side = operator_row(op)->neutral;
    return side == NEUTRAL_EITHER || (side == NEUTRAL_RIGHT && !on_left);
}

// E0732 where an operand cannot vanish.
static bool can_vanish(Checker *checker, AstBinaryOp op, Span op_span, const Operand *operand,
                       bool on_left) {
    if (!operand->is_optional || has_neutral_element(op, on_left)) {
        return true;
    }
    const char *side = !has_neutral_element(op, false) ? "" : " on the left";
    Diag *diag = check_error(checker, DIAG_E0732, op_span, "`%s` has no neutral element%s",
                             ast_binary_text(op), side);
    diag_label(diag, operand->span, "this may be absent");
    note_elvis(checker, diag, operand->span);
    return false;
}

Operand check_apply_optional(Checker *checker, AstBinaryOp op, Span span, Span op_span,
                             const Operand *left, const Operand *right, bool compound) {
    Operand result = {.value = checker->poison, .span = span};
    if (!can_vanish(checker, op, op_span, left, true) ||
        !can_vanish(checker, op, op_span, right, false)) {
        return result;
    }
    // Also where an operand is missing: its type must fit.
    result.value = check_apply(checker, op, span, op_span, left->value, right->value, compound);
    if (type_is_poison(result.value->type)) {
        return result;
    }
    if (left->is_missing && !right->is_missing) {
        result.value = right->value;
    } else if (right->is_missing && !left->is_missing) {
        result.value = left->value;
    }
    result.is_optional = left->is_optional && right->is_optional;
    result.is_missing = left->is_missing && right->is_missing;
    for (size_t k = 0; result.is_optional && k < left->terminals.count + right->terminals.count;
         k++) {
        bool of_left = k < left->terminals.count;
        check_add_terminal(checker, &result.terminals,
                           of_left ? left->terminals.items[k]
                                   : right->terminals.items[k - left->terminals.count]);
    }
    return result;
}

static bool is_elvis(const AstExpr *ast) {
    return ast->kind == AST_BINARY && ast->binary.op == AST_BINARY_ELVIS;
}

// Whether a bare name, or one with `?`, stands for something that may be absent here.
static bool names_optional(Checker *checker, const AstExpr *ast, bool even_guarded) {
    unsigned marks;
    const TirInterface *terminal = check_find_optional(checker, bottom_name(ast, &marks));
    return terminal != NULL && (marks > 0 || even_guarded || !check_is_guarded(checker, terminal));
}

// `a ?: b ?: c` groups from the left: `a ?: b` would be optional on its right.
static bool report_chain(Checker *checker, const AstExpr *ast) {
    const AstExpr *left = ast->binary.left;
    if (!is_elvis(left) || left->parenthesized) {
        return false;
    }
    const char *text = check_expr_text(checker, ast->binary.right->span, NULL);
    const AstExpr *at = left;
    for (; is_elvis(at) && !at->parenthesized; at = at->binary.left) {
        const char *part = check_expr_text(checker, at->binary.right->span, NULL);
        bool fits = text != NULL && part != NULL && names_optional(checker, at->binary.right, true);
        text = fits ? arena_format(checker->arena, "(%s ?: %s)", part, text) : NULL;
    }
    const char *first = check_expr_text(checker, at->span, NULL);
    Diag *diag = check_error(checker, DIAG_E0733, left->span,
                             "the left side of `?:` must be optional; another `?:` is not");
    enum { TEXT_LIMIT = 80 };
    bool is_short = text != NULL && first != NULL && strlen(text) + strlen(first) < TEXT_LIMIT;
    if (is_short && names_optional(checker, at, true)) {
        text = arena_format(checker->arena, "%s ?: %s", first, text);
        diag_help(diag, "`?:` groups from the left: `%s`", text);
        diag_edit(diag, ast->span, "%s", text);
    }
    return true;
}

static Operand elvis_left(Checker *checker, const AstExpr *ast) {
    unsigned marks;
    const AstExpr *name = bottom_name(ast, &marks);
    const TirInterface *terminal = find_marked(checker, name);
    return terminal == NULL ? check_operand(checker, ast)
                            : optional_operand(checker, ast, name, terminal);
}

static void report_left(Checker *checker, const AstExpr *ast) {
    const AstExpr *left = ast->binary.left;
    const AstExpr *right = ast->binary.right;
    Diag *diag = check_error(checker, DIAG_E0733, left->span,
                             "the left side of `?:` must be optional; %s is never absent",
                             text_of(checker, left->span));
    const char *texts[2] = {check_expr_text(checker, left->span, NULL),
                            check_expr_text(checker, right->span, NULL)};
    if (names_optional(checker, right, true) && texts[0] != NULL && texts[1] != NULL) {
        const char *text = arena_format(checker->arena, "%s ?: %s", texts[1], texts[0]);
        diag_help(diag, "the other way round: `%s`", text);
        diag_edit(diag, ast->span, "%s", text);
    }
}

static TirExpr *elvis_right(Checker *checker, const AstExpr *ast, bool is_needed) {
    if (names_optional(checker, ast, false)) {
        return check_fail(checker, DIAG_E0733, ast->span,
                          "the right side of `?:` cannot be optional; %s may be absent",
                          text_of(checker, ast->span));
    }
    TirBlock nowhere = {0};
    Operand operand =
        is_needed ? check_operand(checker, ast) : check_operand_apart(checker, ast, &nowhere);
    if (operand.is_optional) {
        return check_fail(checker, DIAG_E0733, ast->span,
                          "the right side of `?:` cannot be optional; %s may be absent",
                          text_of(checker, ast->span));
    }
    return check_has_value(checker, operand.value);
}

TirExpr *check_elvis(Checker *checker, const AstExpr *ast) {
    if (report_chain(checker, ast)) {
        return checker->poison;
    }
    Operand left = elvis_left(checker, ast->binary.left);
    left.value = check_has_value(checker, left.value);
    if (type_is_poison(left.value->type)) {
        return left.value;
    }
    if (!left.is_optional) {
        report_left(checker, ast);
        return checker->poison;
    }
    TirExpr *right = elvis_right(checker, ast->binary.right, left.is_missing);
    if (type_is_poison(right->type)) {
        return right;
    }
    // The left side's shape, and the greater root: the type does not depend on --with.
    if (left.value->type->root == ROOT_UINT) {
        right = check_adapt(checker, right);
    }
    Root root =
        left.value->type->root > right->type->root ? left.value->type->root : right->type->root;
    const Type *type = type_with_root(checker->tir.types, left.value->type, root);
    right =
        check_assignable(checker, type, right, "the right side of `?:`", ast->binary.left->span);
    if (type_is_poison(right->type)) {
        return right;
    }
    return left.is_missing ? right : check_fit(checker, left.value, type);
}

const TirInterface *check_optional_target(Checker *checker, const AstStmt *stmt) {
    unsigned marks;
    const AstExpr *target = stmt->assign.target;
    const TirInterface *terminal = find_marked(checker, bottom_name(target, &marks));
    if (terminal == NULL && check_target(checker, target) != NULL) {
        report_not_optional(checker, target->span);
    }
    return terminal;
}

// The name in a type that is `x.type` or holds one, or NULL; *marks is how many `?` are behind it.
static const AstExpr *name_of_type(const AstType *type, unsigned *marks) {
    *marks = 0;
    while (type->kind == AST_TYPE_TENSOR) {
        type = type->tensor.base;
    }
    return type->kind == AST_TYPE_OF ? bottom_name(type->of, marks) : NULL;
}

bool check_has_mark(const AstStmt *stmt) {
    unsigned marks;
    name_of_type(stmt->decl.type, &marks);
    return marks > 0 || stmt->decl.type_optional || stmt->decl.name_optional;
}

// A `?` on one side only.
static void report_one_mark(Checker *checker, const AstStmt *stmt, const AstExpr *name) {
    if (!stmt->decl.name_optional) {
        Span span = stmt->decl.name.span;
        Diag *diag = check_error(checker, DIAG_E0734, span,
                                 "`%s` needs a `?` too: its type is that of a terminal which may "
                                 "be absent",
                                 stmt->decl.name.name->text);
        const char *text = arena_format(checker->arena, "%s?", stmt->decl.name.name->text);
        diag_help(diag, "`%s` exists only where the terminal does", text);
        if (stmt->decl.name.macro_indices.count == 0) {
            diag_edit(diag, span, "%s", text);
        }
        return;
    }
    Diag *diag = check_error(checker, DIAG_E0734, stmt->decl.type->span,
                             "`%s?` needs the type of an optional terminal, with a `?` behind it",
                             stmt->decl.name.name->text);
    const char *text = name == NULL ? NULL : check_expr_text(checker, name->span, NULL);
    if (text != NULL && check_find_optional(checker, name) != NULL) {
        diag_help(diag, "`%s?` exists only where `%s` does", stmt->decl.name.name->text, text);
        diag_edit(diag, name->span, "%s?", text);
    } else {
        diag_note(diag, "as in `t.a?.type x? = 0.0`");
    }
}

const TirInterface *check_optional_type(Checker *checker, const AstStmt *stmt) {
    unsigned marks;
    const AstExpr *name = name_of_type(stmt->decl.type, &marks);
    if ((marks == 0 && !stmt->decl.type_optional) || !stmt->decl.name_optional) {
        report_one_mark(checker, stmt, name);
        return NULL;
    }
    const TirInterface *terminal = find_marked(checker, name);
    if (terminal == NULL && !type_is_poison(check_unevaluated(checker, name)->type)) {
        report_not_optional(checker, name->span);
    }
    return terminal;
}
