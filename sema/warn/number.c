// Numbers that are not what they look like: quotients of integers, constants that wrap, comparisons
// that rounding or a type decides, literals that single precision cannot hold. What named constants
// and sizes make is a matter of configuration, so most of these look at literals only.
#include "sema/warn/state.h"

#include "parser/ast_visit.h"
#include "sema/explain.h"
#include "sema/offer.h"
#include "tir/constant.h"

#include <float.h>
#include <math.h>
#include <string.h>

static bool contains(Span outer, Span inner) {
    return !span_is_nowhere(inner) && outer.start <= inner.start && inner.end <= outer.end;
}

static void say_cut(Checker *checker, Span span, bool is_scalar, int64_t a, int64_t b) {
    Diag *diag = warn_at(checker, WARNING_INTEGER_DIVISION, span,
                         "integer division cuts off the remainder: %lld / %lld is %lld",
                         (long long)a, (long long)b, (long long)(a / b));
    if (is_scalar) {
        diag_help(diag, "for a real quotient write `%lld.0 / %lld`", (long long)a, (long long)b);
    } else {
        diag_help(diag, "for real quotients write a number with a point, as `%lld.0`",
                  (long long)b);
    }
}

// The integer constants of an operand, NULL where it has none.
static const TirScalar *integers_of(Checker *checker, TirExpr *operand) {
    return operand->type->numel <= CONSTANT_FOLD_LIMIT ? constant_values(&checker->tir, operand)
                                                       : NULL;
}

// Of sizes and named constants only what becomes real is wrong; see warn_real_of.
static void look_at_quotient(Checker *checker, Span span, TirExpr *left, TirExpr *right) {
    const TirScalar *dividends = integers_of(checker, left);
    const TirScalar *divisors = integers_of(checker, right);
    bool is_int = left->type->root == ROOT_INT;
    for (size_t k = 0; dividends != NULL && divisors != NULL && k < left->type->numel; k++) {
        int64_t a = is_int ? dividends[k].integer : (int64_t)dividends[k].uint;
        int64_t b = is_int ? divisors[k].integer : (int64_t)divisors[k].uint;
        if (b == 0 || a % b == 0) {
            continue;
        }
        if (warn_is_literal(checker, span)) {
            say_cut(checker, span, type_is_scalar(left->type), a, b);
        } else {
            checker->warn->cut = span;
        }
        return;
    }
}

// The quotient of integers in integer arithmetic, or NULL. Conversions say what is meant.
static const TirExpr *find_quotient(const TirExpr *expr) {
    const TirExpr *bottom = tir_bottom(expr);
    if (bottom->kind != EXPR_MAP || bottom->type->root == ROOT_REAL) {
        return NULL;
    }
    switch (bottom->map.op) {
    case OP_DIV: return bottom;
    case OP_NEG: return find_quotient(bottom->map.args[0]);
    case OP_ADD:
    case OP_SUB:
    case OP_MUL: {
        const TirExpr *left = find_quotient(bottom->map.args[0]);
        return left != NULL ? left : find_quotient(bottom->map.args[1]);
    }
    default: return NULL;
    }
}

void warn_real_of(Checker *checker, const TirExpr *value) {
    bool is_integer = root_is_integer(value->type->root);
    if (!warn_is_wanted(checker) || !is_integer) {
        return;
    }
    const TirExpr *quotient = find_quotient(value);
    Span span = quotient != NULL ? quotient->span : checker->warn->cut;
    bool is_known = quotient != NULL && contains(span, checker->warn->told_quotient);
    if (is_known || (quotient == NULL && !(value->is_constant && contains(value->span, span)))) {
        return;
    }
    Diag *diag = warn_at(checker, WARNING_INTEGER_QUOTIENT, span,
                         "this quotient of integers is cut off before it becomes real");
    const char *text = check_expr_text(checker, span, NULL);
    const char *type = check_cast_text(checker, value->type, ROOT_REAL);
    size_t digits = text == NULL ? 0 : strspn(text, "0123456789");
    if (digits > 0 && text[digits + strspn(text + digits, " ")] == '/') {
        diag_help(diag, "`%.*s.0%s` keeps the fraction; `%s(%s)` says that it goes", (int)digits,
                  text, text + digits, type, text);
    } else {
        diag_help(diag, "convert an operand to keep the fraction; `%s(%s)` says that it goes", type,
                  text == NULL ? "..." : text);
    }
    bool is_whole = value->span.start == span.start && value->span.end == span.end;
    if (text != NULL && is_whole) {
        diag_edit(diag, span, "%s(%s)", type, text);
    }
}

static int64_t exact(TirOp op, int64_t a, int64_t b) {
    return op == OP_ADD ? a + b : op == OP_SUB ? a - b : a * b;
}

// Differences of `uint` often wrap on purpose, as in `0u - 1u`.
static void look_at_result(Checker *checker, TirOp op, const Operation *operation, TirExpr *left,
                           TirExpr *right) {
    int64_t a;
    int64_t b;
    bool is_int = left->type->root == ROOT_INT;
    if ((op == OP_SUB && !is_int) || !constant_integer(&checker->tir, left, &a) ||
        !constant_integer(&checker->tir, right, &b)) {
        return;
    }
    int64_t value = exact(op, a, b);
    if (value >= (is_int ? INT32_MIN : 0) && value <= (is_int ? INT32_MAX : UINT32_MAX)) {
        return;
    }
    bool is_known = contains(operation->span, checker->warn->wrapped);
    checker->warn->wrapped = operation->span;
    if (is_known) {
        return; // an operand has wrapped before
    }
    long long kept = is_int ? (int32_t)(uint32_t)(uint64_t)value : (long long)(uint32_t)value;
    Diag *diag = warn_at(checker, WARNING_CONSTANT_OVERFLOW, operation->op_span,
                         "this constant does not fit `%s` and wraps: %lld becomes %lld",
                         is_int ? "int" : "uint", (long long)value, kept);
    diag_help(diag, "`real` has room for it: write `%lld.0 %s %lld`", (long long)a, operation->text,
              (long long)b);
}

// One by an integer that is not known, nobody divides 1 by 1 or -1, or by a constant with a name,
// which may change, but not to 1. False: something else.
static bool look_at_reciprocal(Checker *checker, const Operation *operation, TirExpr *left,
                               TirExpr *right) {
    int64_t one, number;
    bool is_by_name = constant_integer(&checker->tir, right, &number) && number > 1 &&
                      !warn_is_literal(checker, operation->right->span);
    if (!type_is_scalar(right->type) || (right->is_constant && !is_by_name) ||
        !constant_integer(&checker->tir, left, &one) || one != 1 ||
        !warn_is_literal(checker, operation->left->span)) {
        return false;
    }
    const char *by = check_expr_text(checker, operation->right->span, "n");
    Diag *diag =
        warn_at(checker, WARNING_INTEGER_DIVISION, operation->span,
                "integer division cuts off the fraction: this is 0 where `%s` is above 1", by);
    diag_help(diag, "for a real quotient write `1.0 / %s`", by);
    checker->warn->told_quotient = operation->span;
    return true;
}

// `w / sum(w)` of integers: what is less than the sum becomes 0.
static void look_at_share(Checker *checker, const Operation *operation, const TirExpr *left,
                          const TirExpr *right) {
    const TirExpr *part = tir_bottom(left);
    const TirExpr *whole = tir_bottom(right);
    const TirExpr *summed =
        whole->kind == EXPR_REDUCE && whole->reduce.op == REDUCE_SUM ? whole->reduce.operand : NULL;
    summed = summed == NULL ? NULL : tir_bottom(summed);
    if (summed == NULL || part->kind != EXPR_VAR || summed->kind != EXPR_VAR ||
        part->var != summed->var) {
        return;
    }
    const char *name = check_expr_text(checker, operation->left->span, "x");
    Diag *diag = warn_at(checker, WARNING_INTEGER_DIVISION, operation->span,
                         "integer division cuts off the fraction: a part of a sum is 0");
    diag_help(diag, "for real quotients write `real(%s)`", name);
    checker->warn->told_quotient = operation->span;
}

void warn_arithmetic(Checker *checker, TirOp op, const Operation *operation, TirExpr *left,
                     TirExpr *right) {
    if (!warn_is_wanted(checker) ||
        (left->type->root != ROOT_INT && left->type->root != ROOT_UINT)) {
        return;
    }
    if (!left->is_constant) {
        if (op == OP_DIV) {
            look_at_share(checker, operation, left, right);
        }
        return;
    }
    if (op == OP_DIV && look_at_reciprocal(checker, operation, left, right)) {
        return;
    }
    if (!right->is_constant) {
        return;
    }
    if (op == OP_DIV) {
        look_at_quotient(checker, operation->span, left, right);
    } else if (op == OP_ADD || op == OP_SUB || op == OP_MUL) {
        look_at_result(checker, op, operation, left, right);
    }
}

// Whether the scalar is a whole number of 2^-20: those are meant exactly, others were rounded.
static bool is_round(double value) {
    double scaled = ldexp(value, 20);
    return !isfinite(value) || scaled == floor(scaled);
}

// A real constant; false for what is none.
static bool real_constant(Checker *checker, const TirExpr *expr, double *value) {
    const TirExpr *bottom = tir_bottom(expr);
    const TirScalar *values = bottom->is_constant && type_is_scalar(bottom->type)
                                  ? constant_values(&checker->tir, bottom)
                                  : NULL;
    if (values == NULL) {
        return false;
    }
    switch (bottom->type->root) {
    case ROOT_INT: *value = values->integer; return true;
    case ROOT_UINT: *value = values->uint; return true;
    case ROOT_REAL: *value = values->real; return true;
    default: return false;
    }
}

// Whether rounding made the value what it is.
static bool is_rounded(const TirExpr *expr) {
    const TirExpr *bottom = tir_bottom(expr);
    if (bottom->kind == EXPR_DOT) {
        return true;
    }
    if (bottom->kind == EXPR_REDUCE) {
        return bottom->reduce.op == REDUCE_SUM || bottom->reduce.op == REDUCE_PROD;
    }
    if (bottom->kind != EXPR_MAP || bottom->is_constant) {
        return false;
    }
    TirOp op = bottom->map.op;
    return op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_DIV || op == OP_POW ||
           op == OP_SQUARE || op == OP_SQRT || tir_op_is_function(op);
}

static void look_at_equality(Checker *checker, TirOp op, const Operation *operation) {
    const TirExpr *sides[] = {operation->left, operation->right};
    bool suspicious = false;
    for (int k = 0; k < 2; k++) {
        double value;
        double other;
        bool is_zero = real_constant(checker, sides[1 - k], &other) && other == 0;
        bool is_constant = real_constant(checker, sides[k], &value);
        suspicious = suspicious || (is_constant && !is_round(value)) ||
                     (sides[k]->type->root == ROOT_REAL && is_rounded(sides[k]) && !is_zero);
    }
    if (!suspicious) {
        return;
    }
    Diag *diag =
        warn_at(checker, WARNING_REAL_EQUAL, operation->op_span,
                "rounding decides whether these reals are %s", op == OP_EQ ? "equal" : "different");
    diag_help(diag, "ask for the distance, as in `abs(a - b) %s 1e-9`", op == OP_EQ ? "<" : ">=");
}

// Whether a statement adds a step to a variable that rounding makes another number.
static bool adds_rounded(const AstStmt *stmt, void *data) {
    const Name *name = data;
    double step;
    bool is_sum = stmt->kind == AST_ASSIGN && stmt->assign.compound &&
                  (stmt->assign.op == AST_BINARY_ADD || stmt->assign.op == AST_BINARY_SUB) &&
                  stmt->assign.target->kind == AST_NAME && stmt->assign.target->name.name == *name;
    return is_sum && warn_literal_value(stmt->assign.value, &step) && !is_round(step);
}

static bool gives_another(const AstStmt *stmt, void *data) {
    const Name *name = data;
    return stmt->kind == AST_ASSIGN && !stmt->assign.compound &&
           stmt->assign.target->kind == AST_NAME && stmt->assign.target->name.name == *name;
}

// `while t != 1.0` with `t += 0.1` in it, and no other value of `t`. Another number that is not
// exact is told by itself.
void warn_summed(Checker *checker, const AstStmt *loop) {
    const AstExpr *condition = loop->loop.condition;
    double end;
    if (condition->kind != AST_BINARY || condition->binary.op != AST_BINARY_NE ||
        condition->binary.left->kind != AST_NAME ||
        !warn_literal_value(condition->binary.right, &end) || !is_round(end)) {
        return;
    }
    Name name = condition->binary.left->name.name;
    const Symbol *symbol = scope_find(checker->at.scope, name);
    AstVisitor sums = {.stmt = adds_rounded, .data = &name};
    AstVisitor others = {.stmt = gives_another, .data = &name};
    if (symbol == NULL || symbol->kind != SYMBOL_VAR || symbol->var->type->root != ROOT_REAL ||
        !ast_visit_block(&loop->loop.body, &sums) || ast_visit_block(&loop->loop.body, &others)) {
        return;
    }
    Diag *diag = warn_at(checker, WARNING_REAL_EQUAL, condition->binary.op_span,
                         "rounding decides whether the sum `%s` is ever equal to that", name->text);
    diag_help(diag, "`<` or `>` ends the loop, or a count of its turns");
}

// The values that an integer root has.
static bool limits_of(Root root, double *least, double *greatest) {
    *least = root == ROOT_INT ? INT32_MIN : 0;
    *greatest = root == ROOT_INT ? INT32_MAX : UINT32_MAX;
    return root == ROOT_INT || root == ROOT_UINT;
}

static TirOp mirrored(TirOp op) {
    switch (op) {
    case OP_LT: return OP_GT;
    case OP_LE: return OP_GE;
    case OP_GT: return OP_LT;
    case OP_GE: return OP_LE;
    default: return op;
    }
}

// What `x op value` is for all x from `least` to `greatest`: 0, 1, or -1 when it depends.
static int always(TirOp op, double least, double greatest, double value) {
    switch (op) {
    case OP_LT: return greatest < value ? 1 : least >= value ? 0 : -1;
    case OP_LE: return greatest <= value ? 1 : least > value ? 0 : -1;
    case OP_GT: return least > value ? 1 : greatest <= value ? 0 : -1;
    case OP_GE: return least >= value ? 1 : greatest < value ? 0 : -1;
    case OP_EQ:
    case OP_NE: {
        bool never = value < least || value > greatest || value != floor(value);
        return never ? op == OP_NE : -1;
    }
    default: return -1;
    }
}

static void say_always(Checker *checker, Span span, bool value, const char *why) {
    warn_at(checker, WARNING_CONSTANT_CONDITION, span, "this is always %s: %s",
            value ? "true" : "false", why);
}

// Numbers that are written there: named constants and sizes may be others elsewhere.
static bool is_written(Checker *checker, const TirExpr *expr, double *value) {
    return warn_is_literal(checker, expr->span) && real_constant(checker, expr, value);
}

// `u >= 0` of a uint, `i == 0.5` of an int.
static void look_at_limits(Checker *checker, TirOp op, const Operation *operation) {
    const TirExpr *sides[] = {operation->left, operation->right};
    for (int k = 0; k < 2; k++) {
        double least, greatest, value;
        const TirExpr *constant = sides[1 - k];
        if (sides[k]->is_constant || !limits_of(sides[k]->type->root, &least, &greatest) ||
            !is_written(checker, constant, &value)) {
            continue;
        }
        int result = always(k == 0 ? op : mirrored(op), least, greatest, value);
        if (result >= 0) {
            bool is_int = sides[k]->type->root == ROOT_INT;
            say_always(checker, operation->span, result == 1,
                       value != floor(value) ? "an integer has no fraction"
                       : is_int              ? "no `int` is so large"
                       : value <= 0          ? "a `uint` is never below 0"
                                             : "no `uint` is so large");
        }
    }
}

// `i == i` and the like; of reals `==` and `!=` test for nan.
static void look_at_same(Checker *checker, TirOp op, const Operation *operation) {
    bool is_true = op == OP_EQ || op == OP_LE || op == OP_GE;
    bool is_equality = op == OP_EQ || op == OP_NE;
    if (operation->left->type->root != ROOT_REAL || !is_equality) {
        say_always(checker, operation->span, is_true, "both sides are the same");
    }
}

static bool is_nan(Checker *checker, const TirExpr *expr) {
    double value;
    return real_constant(checker, expr, &value) && isnan(value);
}

void warn_compared(Checker *checker, TirOp op, const Operation *operation) {
    bool is_constant = operation->left->is_constant && operation->right->is_constant;
    if (!warn_is_wanted(checker) || is_constant) {
        return;
    }
    bool has_real =
        operation->left->type->root == ROOT_REAL || operation->right->type->root == ROOT_REAL;
    if (warn_is_same(checker, operation->left->span, operation->right->span)) {
        look_at_same(checker, op, operation);
    } else if (is_nan(checker, operation->left) || is_nan(checker, operation->right)) {
        say_always(checker, operation->span, op == OP_NE,
                   "nothing compares with nan; `isnan(x)` asks for it");
    } else {
        look_at_limits(checker, op, operation);
        if (has_real && (op == OP_EQ || op == OP_NE)) {
            look_at_equality(checker, op, operation);
        }
    }
}

static Diag *say_exchanged(Checker *checker, Span span) {
    return warn_at(checker, WARNING_LIMITS_ORDER, span, "the least limit is above the greatest");
}

void warn_limits(Checker *checker, Span span, const TirExpr *least, const TirExpr *greatest) {
    double low;
    double high;
    if (warn_is_wanted(checker) && is_written(checker, least, &low) &&
        is_written(checker, greatest, &high) && low > high) {
        diag_note(say_exchanged(checker, span), "`clamp(x, low, high)` has the least one first");
    }
}

// The limit that `expr`, a call of the other one of `min` and `max`, has.
static bool has_limit(Checker *checker, TirOp op, const TirExpr *expr, double *limit) {
    const TirExpr *bottom = tir_bottom(expr);
    return bottom->kind == EXPR_MAP && bottom->map.op == (op == OP_MIN ? OP_MAX : OP_MIN) &&
           (is_written(checker, bottom->map.args[0], limit) ||
            is_written(checker, bottom->map.args[1], limit));
}

void warn_extreme(Checker *checker, TirOp op, Span span, const TirExpr *left,
                  const TirExpr *right) {
    const TirExpr *sides[] = {left, right};
    for (int k = 0; k < 2 && warn_is_wanted(checker); k++) {
        double outer;
        double inner;
        if (is_written(checker, sides[k], &outer) && has_limit(checker, op, sides[1 - k], &inner) &&
            (op == OP_MIN ? inner > outer : inner < outer)) {
            Slice text = warn_text(checker, sides[k]->span);
            diag_note(say_exchanged(checker, span),
                      "whatever number is limited, the result is %.*s", (int)text.len, text.data);
        }
    }
}

void warn_real_literal(Checker *checker, const AstExpr *literal) {
    double value = literal->real.value;
    if (!warn_is_wanted(checker) || !checker->options->single || value == 0) {
        return;
    }
    Slice text = warn_text(checker, literal->span);
    float kept = literal->real.single;
    bool is_whole = value == floor(value) && memchr(text.data, 'e', text.len) == NULL &&
                    memchr(text.data, 'E', text.len) == NULL;
    const char *what = isinf(kept) ? "is beyond single precision and becomes inf"
                       : kept == 0 ? "is too small for single precision and becomes 0"
                       : fabs(value) < FLT_MIN
                           ? "is so small that single precision keeps few digits of it"
                       : is_whole && kept != value ? "is not a number of single precision"
                                                   : NULL;
    if (what == NULL) {
        return;
    }
    Diag *diag = warn_at(checker, WARNING_INEXACT_LITERAL, literal->span, "%.*s %s", (int)text.len,
                         text.data, what);
    if (is_whole && !isinf(kept)) {
        diag_note(diag, "the nearest one is %.1f", (double)kept);
    }
}
