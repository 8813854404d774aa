// Statements that never run, loops and lines that go on otherwise than they look, assignments that
// do nothing.
#include "sema/warn/state.h"

#include "parser/ast_visit.h"
#include "sema/explain.h"

#include <math.h>
#include <string.h>

static bool block_ends(const AstBlock *block);

// Whether a `break` in the block leaves the loop around it.
static bool breaks(const AstBlock *block) {
    for (size_t k = 0; k < block->count; k++) {
        const AstStmt *stmt = block->items[k];
        bool found = stmt->kind == AST_BREAK;
        if (stmt->kind == AST_IF || stmt->kind == AST_MACRO_IF) {
            for (size_t arm = 0; arm < stmt->branch.arm_count; arm++) {
                found = found || breaks(&stmt->branch.arms[arm].body);
            }
            found = found || breaks(&stmt->branch.otherwise);
        } else if (stmt->kind == AST_GUARD) {
            found = breaks(&stmt->guard.body) || breaks(&stmt->guard.otherwise);
        } else if (stmt->kind == AST_MACRO_FOR) {
            found = breaks(&stmt->for_loop.body);
        }
        if (found) {
            return true;
        }
    }
    return false;
}

static bool is_literal_bool(const AstExpr *expr, bool value) {
    return expr->kind == AST_BOOLEAN && expr->boolean == value;
}

// Whether nothing gets past the statement, whatever names mean.
static bool ends(const AstStmt *stmt) {
    switch (stmt->kind) {
    case AST_RETURN:
    case AST_BREAK:
    case AST_CONTINUE: return true;
    case AST_WHILE: return is_literal_bool(stmt->loop.condition, true) && !breaks(&stmt->loop.body);
    case AST_IF:
    case AST_MACRO_IF:
        for (size_t k = 0; k < stmt->branch.arm_count; k++) {
            if (!block_ends(&stmt->branch.arms[k].body)) {
                return false;
            }
        }
        return stmt->branch.has_otherwise && block_ends(&stmt->branch.otherwise);
    default: return false;
    }
}

static bool block_ends(const AstBlock *block) {
    for (size_t k = 0; k < block->count; k++) {
        if (ends(block->items[k])) {
            return true;
        }
    }
    return false;
}

static bool runs(const AstStmt *stmt) {
    return stmt->kind != AST_FUNCTION && stmt->kind != AST_IMPORT && stmt->kind != AST_TERMINAL &&
           stmt->kind != AST_ERROR_STMT;
}

void warn_unreachable(Checker *checker, const AstBlock *block) {
    for (size_t k = 0; k + 1 < block->count; k++) {
        const AstStmt *next = block->items[k + 1];
        if (runs(next) && ends(block->items[k])) {
            Diag *diag = warn_at(checker, WARNING_UNREACHABLE, next->span, "this never runs");
            diag_label(diag, block->items[k]->span, "nothing gets past this");
            return;
        }
    }
}

// How many values a range has, with the step behind its bounds.
static double range_count(double first, double last, double step) {
    return step == 0 ? 0 : fmax(0, ceil((last - first) / step));
}

// The parts of a range of literals; false when one is a name.
static bool literal_range(const AstExpr *range, double *first, double *last, double *step) {
    *step = 1;
    return range->kind == AST_RANGE && range->range.first != NULL && range->range.last != NULL &&
           warn_literal_value(range->range.first, first) &&
           warn_literal_value(range->range.last, last) &&
           (range->range.step == NULL || warn_literal_value(range->range.step, step));
}

// Whether first:step:last was meant, as MATLAB has it.
static bool is_out_of_order(const AstExpr *range) {
    double first, last, step;
    return literal_range(range, &first, &last, &step) && range->range.step != NULL && last != 0 &&
           range_count(first, last, step) <= 1 && range_count(first, step, last) > 1;
}

// `0:1:n`, which has one value at most, whatever `n` is.
static bool is_of_one_value(const AstExpr *range) {
    double first, last, step;
    return range->range.first != NULL && range->range.last != NULL && range->range.step != NULL &&
           warn_literal_value(range->range.first, &first) &&
           warn_literal_value(range->range.last, &last) &&
           !warn_literal_value(range->range.step, &step) && last > 0 &&
           (last == first || last == first + 1);
}

void warn_range_order(Checker *checker, const AstExpr *range) {
    bool of_names = is_of_one_value(range);
    if (!of_names && !is_out_of_order(range)) {
        return;
    }
    double first, last, step = 1;
    (void)warn_literal_value(range->range.first, &first);
    (void)warn_literal_value(range->range.last, &last);
    (void)warn_literal_value(range->range.step, &step);
    Slice end = warn_text(checker, range->range.step->span);
    bool none = of_names ? last == first : range_count(first, last, step) == 0;
    Diag *diag = warn_at(checker, WARNING_RANGE_ORDER, range->span,
                         "this range stops before %.0f and has %s: its step stands last", last,
                         none ? "no value" : "one value");
    diag_help(diag, "from %.0f to before %.*s in steps of %.0f is `%.0f:%.*s:%.0f`", first,
              (int)end.len, end.data, last, first, (int)end.len, end.data, last);
}

void warn_empty_for(Checker *checker, const AstStmt *stmt) {
    double first, last, step;
    const AstExpr *range = stmt->for_loop.range;
    if (!literal_range(range, &first, &last, &step) || step == 0 || // which is an error
        range_count(first, last, step) > 0 || is_out_of_order(range)) {
        return;
    }
    Diag *diag = warn_at(checker, WARNING_EMPTY_LOOP, range->span,
                         "this loop never runs: %.0f is not %s %.0f", first,
                         step > 0 ? "below" : "above", last);
    if (range->range.step == NULL && last < first) {
        diag_help(diag, "to count down give a step: `%.0f:%.0f:-1`", first, last);
    } else if (first != last) {
        diag_help(diag, "a step of %.0f goes that way", -step);
    } else {
        diag_help(diag, "a range ends before its last bound");
    }
}

static bool leaves(const AstStmt *stmt, void *data) {
    (void)data;
    return stmt->kind == AST_BREAK || stmt->kind == AST_RETURN;
}

// Whether the body cannot change what the expression names: the first that it names.
typedef struct Condition {
    const Checker *checker;
    const AstBlock *body;
    const AstExpr *first;
    bool is_member; // of a namespace: an input, property or constant
    bool varies;
} Condition;

// `t.u`, `p.k`, `n.count`: an input, a property or a constant.
static bool is_fixed_member(const Checker *checker, const AstExpr *expr) {
    static const char spaces[INTERFACE_SPACES + 1] = "tpn";
    const AstExpr *object = expr->attr.object;
    if (object->kind != AST_NAME || object->name.name->len != 1 ||
        expr->attr.name.macro_indices.count > 0 ||
        scope_find(checker->at.scope, object->name.name) != NULL) {
        return false;
    }
    const char *space = strchr(spaces, object->name.name->text[0]);
    const Scope *scope = space == NULL ? NULL : checker->at.unit->interface[space - spaces];
    const Symbol *symbol = scope == NULL ? NULL : scope_find(scope, expr->attr.name.name);
    return symbol != NULL && symbol->interface->kind != INTERFACE_OUTPUT;
}

static void note_named(Condition *condition, const AstExpr *expr) {
    bool is_first = condition->first == NULL || expr->span.start < condition->first->span.start;
    condition->first = is_first ? expr : condition->first;
}

// What is read of hardware at its address may be another value each time.
static bool is_volatile(const Checker *checker, const AstExpr *expr) {
    return checker->options->mmio && expr->kind == AST_UNARY && expr->unary.op == AST_UNARY_READ;
}

static bool look_at_name(const AstExpr *expr, void *data) {
    Condition *condition = data;
    if (expr->kind == AST_ATTR && is_fixed_member(condition->checker, expr)) {
        note_named(condition, expr);
        condition->is_member = true;
    } else if (expr->kind == AST_ATTR || expr->kind == AST_CALL || expr->kind == AST_OPTIONAL ||
               is_volatile(condition->checker, expr)) {
        condition->varies = true;
    } else if (expr->kind == AST_NAME) {
        note_named(condition, expr);
        condition->varies =
            expr->name.macro_indices.count > 0 || block_assigns(condition->body, expr->name.name);
    }
    return condition->varies;
}

// Functions may change variables of the file.
void warn_while(Checker *checker, const AstStmt *stmt) {
    if (is_literal_bool(stmt->loop.condition, false)) {
        warn_at(checker, WARNING_EMPTY_LOOP, stmt->loop.condition->span, "this loop never runs");
        return;
    }
    const AstBlock *body = &stmt->loop.body;
    Condition condition = {.checker = checker, .body = body};
    AstVisitor names = {.expr = look_at_name, .data = &condition};
    AstVisitor ways_out = {.expr = warn_calls_function, .stmt = leaves, .data = checker->at.scope};
    if (ast_visit_expr(stmt->loop.condition, &names) || condition.first == NULL ||
        ast_visit_block(body, &ways_out)) {
        return;
    }
    Slice first = warn_text(checker, condition.first->span);
    Diag *diag = warn_at(checker, WARNING_ENDLESS_LOOP, stmt->loop.condition->span,
                         "once it runs this loop never ends: nothing in it changes `%.*s`",
                         (int)first.len, first.data);
    if (condition.is_member) {
        diag_help(diag, "a step sees one value of it: `if` asks for that once");
    } else {
        diag_help(diag, "assign `%.*s` in the loop, or leave it with `break`", (int)first.len,
                  first.data);
    }
}

// Where file level declares, `x = x` is a copy of what an import brings.
void warn_self_assign(Checker *checker, const AstStmt *stmt) {
    if (!stmt->assign.compound && !stmt->assign.optional &&
        warn_is_same(checker, stmt->assign.target->span, stmt->assign.value->span) &&
        !(checker->at.mode.at_file_level && checker->at.mode.pure)) {
        warn_at(checker, WARNING_SELF_ASSIGN, stmt->span,
                "this assigns a value to where it comes from, and changes nothing");
    }
}

// `x =+ y`, or `x =+ y * 2`, with a blank behind the sign and none before it.
void warn_reversed_update(Checker *checker, const AstStmt *stmt) {
    const AstExpr *value = stmt->assign.value;
    while (value->kind == AST_BINARY && !value->parenthesized) {
        value = value->binary.left;
    }
    bool is_plus = value->kind == AST_UNARY && value->unary.op == AST_UNARY_PLUS;
    bool is_minus = value->kind == AST_UNARY && value->unary.op == AST_UNARY_MINUS;
    if (stmt->assign.compound || stmt->assign.optional || (!is_plus && !is_minus)) {
        return;
    }
    Span around = {value->span.start - 1, value->span.start + 2};
    Slice text = warn_text(checker, around);
    if (text.len == 3 && text.data[0] == '=' && text.data[2] == ' ') {
        const char *sign = is_plus ? "+" : "-";
        Diag *diag = warn_at(checker, WARNING_REVERSED_UPDATE, (Span){around.start, around.end - 1},
                             "`=%s` assigns what follows, `%s=` %s it", sign, sign,
                             is_plus ? "adds" : "subtracts");
        diag_help(diag, "write `%s=`, or the blank before the sign", sign);
    }
}

static bool is_that_name(const AstExpr *expr, void *data) {
    const Name *name = data;
    return expr->kind == AST_NAME && expr->name.name == *name;
}

// `real x = 3.0` in a function with a parameter `x` that nothing has read, nor will.
static void look_at_parameter(Checker *checker, const AstStmt *stmt, const Symbol *param) {
    const AstName *name = &stmt->decl.name;
    bool at_top = scope_find_here(checker->at.scope->parent, name->name) == param;
    if (!at_top || param->used || param->assigned || name->name->text[0] == '_') {
        return;
    }
    Diag *diag = warn_at(checker, WARNING_HIDDEN, name->span,
                         "this is a new `%s`, which hides the parameter before anything reads it",
                         name->name->text);
    diag_label(diag, param->span, "the parameter");
}

// `real total = total + x` in a block or function below the one that has `total`. A parameter ends
// where the new variable does.
void warn_hidden(Checker *checker, const AstStmt *stmt) {
    Name name = stmt->decl.name.name;
    const Scope *scope = checker->at.scope;
    AstVisitor visitor = {.expr = is_that_name, .data = &name};
    if (scope->parent == NULL || scope_find_here(scope, name) != NULL) {
        return;
    }
    const Symbol *outer = scope_find(scope->parent, name);
    bool reads = ast_visit_expr(stmt->decl.value, &visitor);
    if (outer != NULL && outer->kind == SYMBOL_VAR && outer->is_param && !reads) {
        look_at_parameter(checker, stmt, outer);
    }
    if (outer == NULL || outer->kind != SYMBOL_VAR || outer->is_param || !reads) {
        return;
    }
    Span span = stmt->decl.name.span;
    Diag *diag = warn_at(checker, WARNING_HIDDEN, span,
                         "this is a new `%s`, which hides the one that its value reads and ends "
                         "with its block",
                         name->text);
    diag_label(diag, outer->span, "this one stays as it is");
    diag_help(diag, "to assign to that, leave the type out");
    const void *place = warn_place_key(span);
    table_set(checker->arena, &checker->warn->hiding, place, (void *)place);
}

// `a \` at the end of a line, and a sign in the next one, as C and Python continue lines.
void warn_continuation(Checker *checker, const AstExpr *expr) {
    const AstExpr *right = expr->binary.right;
    bool is_signed = right->kind == AST_UNARY && !right->parenthesized &&
                     (right->unary.op == AST_UNARY_PLUS || right->unary.op == AST_UNARY_MINUS);
    if (expr->binary.op != AST_BINARY_LEFT_DIV || !is_signed) {
        return;
    }
    Slice between = warn_text(checker, (Span){expr->binary.op_span.end, right->span.start});
    size_t blanks = strspn(between.data, " \t\r");
    if (blanks < between.len && between.data[blanks] == '\n') {
        Diag *diag = warn_at(checker, WARNING_CONTINUATION, expr->binary.op_span,
                             "`\\` does not continue a line: it divides what follows by what "
                             "stands before");
        diag_help(diag, "leave it out: a line that begins with a sign goes on from the one above");
    }
}

// Whether `a % b` is `a`: of literals, or 1 by what has a name.
static bool is_idle_remainder(const AstExpr *remainder) {
    const AstExpr *left = remainder->binary.left;
    const AstExpr *right = remainder->binary.right;
    double value, by;
    if (left->kind != AST_INTEGER || !warn_literal_value(left, &value) || value < 1) {
        return false;
    }
    return warn_literal_value(right, &by) ? right->kind == AST_INTEGER && by > value
                                          : value == 1 && warn_has_names(right);
}

// `i + 1 % n`, where `(i + 1) % n` is meant.
void warn_remainder(Checker *checker, const AstExpr *sum) {
    const AstExpr *last = sum->binary.right;
    bool is_sum = sum->binary.op == AST_BINARY_ADD || sum->binary.op == AST_BINARY_SUB;
    if (!is_sum || last->kind != AST_BINARY || last->binary.op != AST_BINARY_REM ||
        last->parenthesized || !is_idle_remainder(last) || !warn_has_names(sum->binary.left)) {
        return;
    }
    const char *sign = sum->binary.op == AST_BINARY_ADD ? "+" : "-";
    const char *first = check_expr_text(checker, sum->binary.left->span, "x");
    const char *value = check_expr_text(checker, last->binary.left->span, "1");
    const char *by = check_expr_text(checker, last->binary.right->span, "n");
    Diag *diag =
        warn_at(checker, WARNING_REMAINDER_FIRST, last->span,
                "`%%` comes before `%s`: this is the remainder of `%s` alone", sign, value);
    diag_help(diag, "for that of the %s write `(%s %s %s) %% %s`",
              sign[0] == '+' ? "sum" : "difference", first, sign, value, by);
}

// Whether both sides of the operator are apart from it; `apart` false: whether none is.
static bool is_spaced(const AstExpr *binary, bool apart) {
    Span sign = binary->binary.op_span;
    bool before = binary->binary.left->span.end < sign.start;
    bool behind = sign.end < binary->binary.right->span.start;
    return before == apart && behind == apart;
}

// `angle % 2 * M_PI` of a real.
static bool is_turn(const AstExpr *product, const Type *remainder) {
    double by;
    const AstExpr *pi = product->binary.right;
    return product->binary.op == AST_BINARY_MUL && remainder->root == ROOT_REAL &&
           warn_literal_value(product->binary.left->binary.right, &by) && by == 2 &&
           pi->kind == AST_NAME && strcmp(pi->name.name->text, "M_PI") == 0;
}

// `x % 2*M_PI`, where `x % (2*M_PI)` is meant.
void warn_behind_remainder(Checker *checker, const AstExpr *product, const Type *type) {
    const AstExpr *remainder = product->binary.left;
    bool is_product = product->binary.op == AST_BINARY_MUL;
    if (!(is_product || product->binary.op == AST_BINARY_DIV) || remainder->kind != AST_BINARY ||
        remainder->binary.op != AST_BINARY_REM || remainder->parenthesized) {
        return;
    }
    const AstExpr *first = remainder->binary.right;
    const AstExpr *second = product->binary.right;
    bool joined = is_spaced(remainder, true) && is_spaced(product, false);
    if (!warn_is_wanted(checker) || first->parenthesized || !(joined || is_turn(product, type))) {
        return;
    }
    Span both = {first->span.start, second->span.end};
    Diag *diag =
        warn_at(checker, WARNING_REMAINDER_FIRST, both,
                "`%%` and `%s` go from left to right: this is the remainder by `%s`, "
                "%s `%s`",
                is_product ? "*" : "/", check_expr_text(checker, first->span, "a"),
                is_product ? "times" : "divided by", check_expr_text(checker, second->span, "b"));
    Slice text = warn_text(checker, both);
    char next = text.data[text.len];
    if (next == '*' || next == '/' || next == '%') {
        diag_help(diag, "what divides has parentheses around all of it");
        return;
    }
    diag_help(diag, "for the remainder by the %s write `%s %% (%s)`",
              is_product ? "product" : "quotient",
              check_expr_text(checker, remainder->binary.left->span, "x"),
              check_expr_text(checker, both, is_product ? "a * b" : "a / b"));
}

// Whether a blank or the end of a line stands before the sign, and none behind it.
static bool is_sign_of_next(const AstExpr *sum) {
    bool is_sum = sum->binary.op == AST_BINARY_ADD || sum->binary.op == AST_BINARY_SUB;
    Span sign = sum->binary.op_span;
    return is_sum && sum->binary.left->span.end < sign.start &&
           sum->binary.right->span.start == sign.end;
}

// `[1 -2]`, which has one element.
void warn_joined_elements(Checker *checker, const AstExpr *literal) {
    const AstExprs *elements = &literal->tensor.elements;
    for (size_t k = 0; k < elements->count; k++) {
        const AstExpr *sum = elements->items[k];
        const AstExpr *first = NULL;
        while (sum->kind == AST_BINARY && !sum->parenthesized) {
            first = is_sign_of_next(sum) ? sum : first;
            sum = sum->binary.left;
        }
        if (first != NULL) {
            bool is_plus = first->binary.op == AST_BINARY_ADD;
            Diag *diag = warn_at(checker, WARNING_MISSING_COMMA, first->binary.op_span,
                                 "this is the %s of what stands before and behind, one element",
                                 is_plus ? "sum" : "difference");
            diag_help(diag, "two elements have `,` between them; a blank behind the sign says "
                            "that one is meant");
        }
    }
}
