// Operands of a root that their operator does not take (E0403 to E0406, E0503), with the operator,
// the cast or the comparison that was meant. See explain.h.
#include "sema/explain.h"

#include "lexer/tight_operator.h"
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
    if (cast == NULL || checker->at.mode.left_is_target) {
        return checker->poison;
    }
    if (root != ROOT_UINT || !check_offer_unsigned(checker, diag, cast)) {
        check_offer_cast(checker, diag, cast, root);
    }
    return checker->poison;
}

TirExpr *explain_complement(Checker *checker, const Operation *operation) {
    Diag *diag = report_roots(checker, operation, DIAG_E0406, "a uint");
    bool is_operand = tight_operator_before(checker->context->sources, operation->op_span.start);
    diag_help(diag, is_operand ? "`(not b)` negates bools" : "`not` negates bools");
    diag_edit(diag, operation->op_span, is_operand ? "(not " : "not ");
    if (is_operand) {
        diag_edit(diag, (Span){operation->left->span.end, operation->left->span.end}, ")");
    }
    return checker->poison;
}

// What was said of a mark that stands for a word, as `!` for `not`; NULL for the word itself.
static Diag *reported_mark(Checker *checker, Span op_span) {
    DiagList *diags = checker->context->diags;
    for (size_t k = 0; k < diags->all.count; k++) {
        Diag *diag = diags->all.items[k];
        if (diag->code == DIAG_E0102 && diag->span.start == op_span.start) {
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
    diag->notes.count = diag->edits.count = 0;
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
    if (strchr(middle, '(') == NULL) { // a call may do something, which happens once
        diag_edit(diag, span_join(left->span, right->span), "%s", text);
    }
    return true;
}

// `b == 1` and `b != 0` are `b`, the other two `not b`. False for other operations.
static bool offer_condition(Checker *checker, Diag *diag, const Operation *operation) {
    int64_t number;
    const char *text = check_expr_text(checker, operation->left->span, NULL);
    if (operation->left->type->root != ROOT_BOOL || !type_is_scalar(operation->left->type) ||
        text == NULL || !constant_integer(&checker->tir, operation->right, &number) || number < 0 ||
        number > 1) {
        return false;
    }
    bool is_plain = (strcmp(operation->text, "==") == 0) == (number == 1);
    text = is_plain ? text : arena_format(checker->arena, "not %s", text);
    diag_help(diag, "a bool is a condition: `%s`", text);
    check_edit_value(checker, diag, operation->span, text);
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
    if (!offer_conjunction(checker, diag, operation) &&
        !(equality && offer_condition(checker, diag, operation)) && one_cast) {
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

// `int(x >> 3)` of a uint.
static bool is_cast_from_uint(Checker *checker, const TirExpr *operand) {
    const char *text = check_expr_text(checker, operand->span, "");
    return operand->kind == EXPR_CONVERT && operand->operand->type->root == ROOT_UINT &&
           strncmp(text, "int(", 4) == 0;
}

// `n >> 2` of an int: a cast would change negative numbers. False for other operations.
static bool explain_shift(Checker *checker, Diag *diag, const Operation *operation) {
    bool is_right = strcmp(operation->text, ">>") == 0 || strcmp(operation->text, ">>=") == 0;
    const TirExpr *left = operation->left;
    if (!is_right || left->type->root != ROOT_INT || constant_is_nonnegative(&checker->tir, left) ||
        is_cast_from_uint(checker, left)) {
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

static bool is_integer(const TirExpr *operand) {
    return operand->type->root == ROOT_INT || operand->type->root == ROOT_UINT;
}

// `n` as `n != 0`, to stand beside `and`; NULL when it is too long.
static const char *comparison_text(Checker *checker, const TirExpr *number) {
    const char *text = check_expr_text(checker, number->span, NULL);
    number = check_written(number);
    bool loose = number->kind == EXPR_MAP && text != NULL && text[0] != '(' &&
                 (number->map.op == OP_BIT_AND || number->map.op == OP_BIT_XOR ||
                  number->map.op == OP_BIT_OR);
    return text == NULL ? NULL
                        : arena_format(checker->arena, loose ? "(%s) != 0" : "%s != 0", text);
}

// Two numbers beside `and` may as well be meant for the operator on bits.
static void note_logical(Diag *diag, const Operation *operation, const char *comparison) {
    const char *op = operation->text;
    if (is_integer(operation->left) && is_integer(operation->right)) {
        diag_note(diag, "`%s` takes bools, as `%s`; `%s` combines the bits of uints", op,
                  comparison, strcmp(op, "and") == 0 ? "&" : "|");
    } else {
        diag_note(diag, "`%s` takes bools, as `%s`", op, comparison);
    }
}

// `x == 3 or 4`: a constant is no condition, and what was compared is compared with it, too.
static const char *compared_with(Checker *checker, const TirExpr *comparison,
                                 const TirExpr *number) {
    const TirExpr *compared = is_comparison(comparison) ? comparison->map.args[0] : NULL;
    const char *left = compared == NULL ? NULL : check_expr_text(checker, compared->span, NULL);
    const char *right = check_expr_text(checker, number->span, NULL);
    bool equality = compared != NULL &&
                    (comparison->map.op == OP_EQ || comparison->map.op == OP_NE) &&
                    number->span.start > comparison->span.start;
    return left == NULL || right == NULL || !equality
               ? NULL
               : arena_format(checker->arena, "%s %s %s", left,
                              comparison->map.op == OP_EQ ? "==" : "!=", right);
}

// `n > 1 and n`, `c && mask`
TirExpr *explain_logical(Checker *checker, const Operation *operation) {
    const TirExpr *left = operation->left;
    const TirExpr *right = operation->right;
    Diag *mark = reported_mark(checker, operation->op_span);
    Diag *diag = mark != NULL ? mark : report_roots(checker, operation, DIAG_E0405, "bool values");
    const TirExpr *number = left->type->root == ROOT_BOOL ? right : left;
    const TirExpr *other = number == left ? right : left;
    const char *text = type_is_numeric(number->type) ? comparison_text(checker, number) : NULL;
    if (text == NULL) {
        return checker->poison;
    }
    diag->notes.count = 0;
    if (other->type->root != ROOT_BOOL) {
        diag->edits.count = 0;
        note_logical(diag, operation, text);
        return checker->poison;
    }
    if (number->kind == EXPR_CONST) {
        text = compared_with(checker, other, number);
    }
    if (text == NULL) {
        diag_note(diag, "`%s` stands between bools, such as comparisons", operation->text);
        return checker->poison;
    }
    if (mark != NULL) {
        diag->edits.count = 1; // that of the mark
        diag_help(diag, "write `%s`, and compare the number: `%s`", operation->text, text);
    } else {
        diag_help(diag, "a number is compared: `%s`", text);
    }
    diag_edit(diag, number->span, "%s", text);
    return checker->poison;
}

// An operand of `&` as it can stand there; NULL when its text is too long or it is no integer.
static const char *bits_text(Checker *checker, TirExpr *operand) {
    const char *text = is_integer(operand) ? check_expr_text(checker, operand->span, NULL) : NULL;
    bool fits = text == NULL || can_be_uint(checker, operand);
    return fits ? text : check_unsigned_text(checker, text);
}

static bool begins_comparison(const char *text) {
    text += strspn(text, " ");
    bool is_shift = text[0] == text[1] && text[0] != '=';
    return text[0] != '\0' && strchr("<>!=", text[0]) != NULL && !is_shift;
}

// `(status & 4) != 0` of `status` and `4 != 0`; NULL when the latter is no such comparison. One of
// constants is folded already, and has its text only.
static const char *compared_bits(Checker *checker, const Operation *operation) {
    TirExpr *right = operation->right;
    const char *first = bits_text(checker, operation->left);
    const char *text = check_expr_text(checker, right->span, "(");
    bool begins_number = text[0] >= '0' && text[0] <= '9';
    size_t literal = begins_number ? strspn(text, "0123456789abcdefABCDEFxu_") : 0;
    const char *second = arena_copy_text(checker->arena, text, literal);
    if (is_comparison(right)) {
        literal = right->map.args[0]->span.end - right->span.start;
        second = bits_text(checker, right->map.args[0]);
    }
    if (first == NULL || second == NULL || literal == 0 || text[0] == '(' ||
        !begins_comparison(text + literal)) {
        return NULL;
    }
    return arena_format(checker->arena, "(%s %s %s)%s", first, operation->text, second,
                        text + literal);
}

static bool offer_parentheses(Checker *checker, Diag *diag, const Operation *operation) {
    const char *text =
        operation->right->type->root == ROOT_BOOL ? compared_bits(checker, operation) : NULL;
    if (text != NULL) {
        diag_help(diag, "a comparison binds tighter than `%s`: `%s`", operation->text, text);
        diag_edit(diag, span_join(operation->left->span, operation->right->span), "%s", text);
    }
    return text != NULL;
}

// The cast of an operand to uint, or a `u` behind its literal or the constants that make it an int.
static void offer_unsigned(Checker *checker, Diag *diag, const TirExpr *operand) {
    if (check_offer_unsigned(checker, diag, operand)) {
        return;
    }
    if (is_cast_from_uint(checker, operand)) {
        diag_help(diag, "leave `int` out: what it converts is a uint");
        diag_edit(diag, (Span){operand->span.start, operand->span.start + 3}, "%s", "");
        return;
    }
    const char *text = check_expr_text(checker, operand->span, "");
    const char *meant = check_unsigned_text(checker, text);
    if (!type_is_scalar(operand->type) || meant[0] < '0' || meant[0] > '9') {
        check_offer_cast(checker, diag, operand, ROOT_UINT);
        return;
    }
    diag_help(diag, "`%s` is a uint", meant);
    diag_edit(diag, operand->span, "%s", meant);
}

// The operand as a uint: its cast to int is left out, or it is cast.
static const char *uint_text(Checker *checker, const TirExpr *operand, const char *text) {
    return is_cast_from_uint(checker, operand) ? text + strlen("int")
                                               : check_unsigned_text(checker, text);
}

// `uint x = 5` for `x = 5`, the first value of a variable that is to be changed in place.
static void offer_uint_variable(Checker *checker, Diag *diag, const TirExpr *target) {
    const Symbol *symbol = explain_symbol(checker, target);
    bool is_inferred =
        symbol != NULL && symbol->origin == ORIGIN_VALUE && symbol->first_value.end > 0;
    const char *value = is_inferred ? check_expr_text(checker, symbol->first_value, NULL) : NULL;
    if (value != NULL && value[0] >= '0' && value[0] <= '9') {
        diag_help(diag, "`uint %s = %s` is a uint from the start", symbol->name->text, value);
        diag_edit(diag, (Span){symbol->span.start, symbol->span.start}, "uint ");
    }
}

// Casts of the operands that are none, where these are numbers; the left one of an `op=` stays.
static void offer_uints(Checker *checker, Diag *diag, const Operation *operation) {
    TirExpr *left = operation->left;
    TirExpr *right = operation->right;
    bool casts_right = !can_be_uint(checker, right);
    bool casts_left = !can_be_uint(checker, left) || !casts_right;
    if (!type_is_numeric(left->type) || !type_is_numeric(right->type)) {
        return;
    }
    if (casts_left && checker->at.mode.left_is_target) {
        if (!casts_right && is_integer(left)) {
            offer_uint_variable(checker, diag, left);
        }
        return;
    }
    if (!casts_left || !casts_right) {
        offer_unsigned(checker, diag, casts_left ? left : right);
        return;
    }
    const char *first = check_expr_text(checker, left->span, NULL);
    const char *second = check_expr_text(checker, right->span, NULL);
    if (first == NULL || second == NULL || !is_integer(left) || !is_integer(right)) {
        return;
    }
    first = uint_text(checker, left, first);
    second = uint_text(checker, right, second);
    diag_help(diag, "casts convert them: `%s %s %s`", first, operation->text, second);
    diag_edit(diag, left->span, "%s", first);
    diag_edit(diag, right->span, "%s", second);
}

static bool is_square(Checker *checker, const Type *type) {
    TypeTable *types = checker->tir.types;
    const Type *turned = shape_transpose(types, type).type;
    return turned != NULL && shape_same(types, type, turned).why == SHAPE_OK;
}

TirExpr *explain_bitwise(Checker *checker, const Operation *operation) {
    Diag *diag = report_roots(checker, operation, DIAG_E0406, "uint values");
    const char *op = operation->text;
    Span op_span = operation->op_span;
    const TirExpr *left = operation->left;
    const TirExpr *right = operation->right;
    Root a = left->type->root;
    Root b = right->type->root;
    bool compound = checker->at.mode.left_is_target;
    if (explain_shift(checker, diag, operation) ||
        (!compound && offer_parentheses(checker, diag, operation))) {
        return checker->poison;
    }
    bool is_and = strcmp(op, "&") == 0;
    // Beside a uint, an int is one that is not converted yet.
    bool power = strcmp(op, "^") == 0 && type_is_numeric(left->type) &&
                 type_is_numeric(right->type) && (a == b || a == ROOT_REAL || b == ROOT_REAL);
    bool fits = are_same(checker, left, right);
    if (power && type_is_tensor(left->type) && type_is_scalar(right->type) &&
        are_same(checker, left, right) && is_square(checker, left->type)) {
        diag_note(diag, "`**` raises each element to a power, `matrix_power(a, 2)` a matrix");
    } else if (power && compound) {
        diag_note(diag, "`**` raises to a power, as in `x = x ** e`");
    } else if (power) {
        if (shape_broadcast(checker->tir.types, left->type, right->type).why == SHAPE_OK) {
            offer_operator(diag, op_span, "**", "raises to a power");
        }
    } else if (a == ROOT_BOOL && b == ROOT_BOOL) {
        if (!compound && fits && (is_and || strcmp(op, "|") == 0)) {
            offer_operator(diag, op_span, is_and ? "and" : "or", "combines bools");
        } else if (!compound && strcmp(op, "^") == 0) {
            diag_note(diag, "exclusive or of bools is `a != b`");
        }
    } else if (fits) {
        offer_uints(checker, diag, operation);
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
    bool left_nested = explain_nested(checker, diag, operation->left);
    if (!left_nested && !explain_nested(checker, diag, operation->right)) {
        check_offer_changes(checker, diag, (Cures){0}, WANTED_DOT, operation->left,
                            operation->right);
    }
    return checker->poison;
}
