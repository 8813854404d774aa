// See explain.h.
#include "sema/explain.h"

#include "sema/offer.h"
#include "sema/value.h"
#include "types/shape_explain.h"

#include <string.h>

// --- operands -----------------------------------------------------------------------------------

// The symbol of an operand that is a named variable, or NULL.
static const Symbol *symbol_of(const Checker *checker, const TirExpr *operand) {
    if (operand->kind != EXPR_VAR || operand->var->name == NULL) {
        return NULL;
    }
    const Symbol *symbol = scope_find(checker->at.scope, operand->var->name);
    bool same = symbol != NULL && symbol->kind == SYMBOL_VAR && symbol->var == operand->var;
    return same ? symbol : NULL;
}

void explain_operand(Checker *checker, Diag *diag, const TirExpr *operand) {
    const char *type = check_type_text(checker, operand->type);
    const Symbol *symbol = symbol_of(checker, operand);
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

static void explain_both(Checker *checker, Diag *diag, const Operation *operation) {
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

// --- operators ----------------------------------------------------------------------------------

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

void explain_shapes(Checker *checker, const Operation *operation, const ShapeFit *fit,
                    bool strict) {
    const TirExpr *left = operation->left;
    const TirExpr *right = operation->right;
    if (fit->why == SHAPE_TOO_LARGE) {
        Diag *diag = check_error(checker, DIAG_E0902, operation->op_span,
                                 "the result of `%s` is too large", operation->text);
        explain_both(checker, diag, operation);
        return;
    }
    Diag *diag = check_error(checker, strict ? DIAG_E0502 : DIAG_E0501, operation->op_span,
                             strict ? "these shapes are not the same: %s"
                                    : "these shapes do not broadcast: %s",
                             pair_text(checker, operation));
    explain_both(checker, diag, operation);
    add_table(checker, diag, fit, check_expr_text(checker, left->span, "left"), left->type,
              check_expr_text(checker, right->span, "right"), right->type,
              shape_explain(checker->arena, fit, strict));
    check_offer_changes(checker, diag, strict ? WANTED_SAME : WANTED_BROADCAST, left, right);
}

void explain_promotion(Checker *checker, const Operation *operation, bool refused) {
    const char *text = arena_format(checker->arena, "`%s` combines tensors of unequal rank: %s",
                                    operation->text, pair_text(checker, operation));
    Span span = operation->op_span;
    Diag *diag = refused ? check_error(checker, DIAG_E0501, span, "%s", text)
                         : check_warning(checker, WARNING_RANK_PROMOTION, span, "%s", text);
    explain_both(checker, diag, operation);
    const TirExpr *left = operation->left;
    const TirExpr *right = operation->right;
    const TirExpr *smaller = shape_promoted(left->type, right->type) == left->type ? left : right;
    Wanted wanted = {.rule = WANTED_BROADCAST,
                     .other = (smaller == left ? right : left)->type,
                     .changes_left = smaller == left};
    const char *name = check_expr_text(checker, smaller->span, NULL);
    if (name != NULL && (smaller == right || !checker->at.mode.left_is_target)) {
        check_offer_padding(checker, diag, smaller, name, &wanted);
    }
}

static Diag *report_roots(Checker *checker, const Operation *operation, DiagCode code,
                          const char *takes) {
    const char *types = check_type_text(checker, operation->left->type);
    if (operation->right != NULL) {
        types = arena_format(checker->arena, "%s and %s", types,
                             check_type_text(checker, operation->right->type));
    }
    Diag *diag = check_error(checker, code, operation->op_span, "`%s` takes %s, not %s",
                             operation->text, takes, types);
    explain_both(checker, diag, operation);
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

TirExpr *explain_bitwise(Checker *checker, const Operation *operation) {
    Diag *diag = report_roots(checker, operation, DIAG_E0406, "uint values");
    const char *op = operation->text;
    Span op_span = operation->op_span;
    TirExpr *left = operation->left;
    TirExpr *right = operation->right;
    Root a = left->type->root;
    Root b = right->type->root;
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
    check_offer_changes(checker, diag, WANTED_DOT, operation->left, operation->right);
    return checker->poison;
}

TirExpr *explain_dot(Checker *checker, const Operation *operation) {
    const TirExpr *left = operation->left;
    const TirExpr *right = operation->right;
    Diag *diag = check_error(checker, DIAG_E0504, operation->op_span,
                             "the inner lengths of `.*` differ: %s", pair_text(checker, operation));
    explain_both(checker, diag, operation);
    diag_table(diag, shape_dot_table(checker->arena, check_expr_text(checker, left->span, "left"),
                                     left->type, check_expr_text(checker, right->span, "right"),
                                     right->type, NULL));
    check_offer_changes(checker, diag, WANTED_DOT, left, right);
    return checker->poison;
}

// --- assignment ---------------------------------------------------------------------------------

// `5u + 1` is an int because `1` is: the constant that made it so, or NULL.
static const TirExpr *int_beside_uint(const TirExpr *value) {
    if (value->kind != EXPR_MAP || tir_op_arity(value->map.op) != 2) {
        return NULL;
    }
    for (int k = 0; k < 2; k++) {
        const TirExpr *other = value->map.args[1 - k];
        bool was_uint = other->kind == EXPR_CONVERT && other->operand->type->root == ROOT_UINT;
        const TirExpr *arg = value->map.args[k];
        bool literal = arg->kind == EXPR_CONST && type_is_scalar(arg->type);
        if (was_uint && literal && arg->data->integer >= 0) {
            return arg;
        }
    }
    return NULL;
}

// The visible symbol that was declared at `span`, or NULL.
static const Symbol *symbol_at(const Checker *checker, Span span) {
    const Symbol *found = NULL;
    for (const Scope *scope = checker->at.scope; scope != NULL && found == NULL;
         scope = scope->parent) {
        for (size_t k = 0; k < scope->symbols.count; k++) {
            const Symbol *symbol = scope->symbols.items[k];
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

static void explain_root(Checker *checker, const Type *target, const TirExpr *value,
                         const char *what, Span origin) {
    Diag *diag =
        check_error(checker, DIAG_E0401, value->span, "%s cannot become %s",
                    check_type_text(checker, value->type), check_type_text(checker, target));
    explain_target(checker, diag, target, what, origin);
    const TirExpr *literal = target->root == ROOT_UINT ? int_beside_uint(value) : NULL;
    if (literal != NULL) {
        diag_help(diag, "`%du` instead of `%d` keeps it a `uint`", literal->data->integer,
                  literal->data->integer);
        diag_edit(diag, literal->span, "%du", literal->data->integer);
    } else {
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
    if (type_is_scalar(target)) {
        diag_note(diag, "a tensor is never assigned to a scalar");
    } else {
        const char *reason =
            fit->why == SHAPE_LENGTHS
                ? arena_format(checker->arena, "%u is neither %u nor 1", fit->right, fit->left)
                : shape_explain(checker->arena, fit, false);
        add_table(checker, diag, fit, "target", target, "value", value->type, reason);
    }
    Wanted wanted = {.rule = WANTED_ASSIGN, .other = target};
    check_offer_change(checker, diag, value, &wanted);
}

// --- indices ------------------------------------------------------------------------------------

static void explain_indices(Checker *checker, Diag *diag, const IndexTexts *indices, int wrong,
                            const char *reason) {
    explain_operand(checker, diag, indices->object);
    const char *name = check_expr_text(checker, indices->object->span, "value");
    diag_table(diag, shape_index_table(checker->arena, name, indices->object->type, indices->items,
                                       indices->count, wrong, reason));
}

void explain_bounds(Checker *checker, const ShapeFit *fit, Span span, const IndexTexts *indices) {
    Diag *diag =
        check_error(checker, DIAG_E0603, span, "index %lld is outside dimension %u of length %u",
                    (long long)fit->index, fit->dim, fit->left);
    explain_indices(checker, diag, indices, (int)fit->dim,
                    shape_explain(checker->arena, fit, false));
    int64_t from_front = fit->index + fit->left;
    const char *given = arena_format(checker->arena, "%lld", (long long)fit->index);
    bool counts_back = fit->index < 0 && from_front >= 0;
    if (counts_back && strcmp(indices->items[fit->dim], given) == 0) {
        diag_help(diag, "indices count from 0; the one that is %s from the end is `%lld`",
                  given + 1, (long long)from_front);
        diag_edit(diag, span, "%lld", (long long)from_front);
    }
}

void explain_count(Checker *checker, Span brackets, const IndexTexts *indices, bool can_complete) {
    const Type *type = indices->object->type;
    const char *reason =
        arena_format(checker->arena, "%zu given, %u needed", indices->count, type->rank);
    Diag *diag =
        check_error(checker, DIAG_E0602, brackets, "%zu %s on %s, which has %u %s", indices->count,
                    indices->count == 1 ? "index" : "indices", check_type_text(checker, type),
                    type->rank, type->rank == 1 ? "dimension" : "dimensions");
    explain_indices(checker, diag, indices, -1, reason);
    if (indices->count >= type->rank || !can_complete) {
        return;
    }
    const char *completed = "[";
    for (size_t d = 0; d < indices->count; d++) {
        if (indices->items[d][0] == '?') {
            return; // too long to repeat
        }
        if (strcmp(indices->items[d], INDEX_TOO_LONG) == 0) {
            return;
        }
        completed = arena_format(checker->arena, "%s%s, ", completed, indices->items[d]);
    }
    completed = arena_format(checker->arena, "%s...]", completed);
    diag_help(diag, "`...` stands for the other dimensions: `%s`", completed);
    diag_edit(diag, brackets, "%s", completed);
}
