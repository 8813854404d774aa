// Statements (L6, L8) and the scopes they open (L3).
#include "sema/stmt.h"

#include "sema/component/component.h"
#include "sema/component/infer.h"
#include "sema/explain.h"
#include "sema/expr.h"
#include "sema/offer.h"
#include "sema/system/system.h"
#include "sema/value.h"
#include "sema/warn/warn.h"
#include "support/bug.h"
#include "tir/constant.h"
#include "tir/returns.h"
#include "tir/scalar.h"

#include <math.h>
#include <string.h>

static TirExpr *lower_condition(Checker *checker, const AstExpr *ast) {
    TirExpr *condition = check_value(checker, ast);
    infer_wants_scalar(checker, ast, ROOT_BOOL, true);
    if (type_is_poison(condition->type) ||
        (type_is_scalar(condition->type) && condition->type->root == ROOT_BOOL)) {
        return condition;
    }
    explain_condition(checker, ast, condition);
    return checker->poison;
}

// Whether a condition is known; *value is what it is. One that compares a sum is what it is when
// the sum is computed.
static bool known_condition(Checker *checker, const TirExpr *condition, bool *value) {
    bool is_sure = type_is_scalar(condition->type) && !constant_has_grouped_sum(condition);
    const TirScalar *scalar = is_sure ? constant_values(&checker->tir, condition) : NULL;
    *value = scalar != NULL && scalar->boolean;
    return scalar != NULL;
}

// Checks a block that is emitted only if `kept`.
static bool lower_branch(Checker *checker, const AstBlock *block, TirBlock *into, bool kept) {
    TirBlock nowhere = {0};
    CheckMode mode = checker->at.mode;
    checker->at.mode.is_pruned |= !kept;
    bool falls_through = check_block(checker, block, kept ? into : &nowhere);
    checker->at.mode = mode;
    return falls_through;
}

static bool lower_arms(Checker *checker, const AstStmt *stmt, size_t arm);

// One arm and those after it. Constant conditions leave only the arm that is taken.
static bool lower_arm(Checker *checker, const AstStmt *stmt, size_t arm) {
    const AstArm *ast = &stmt->branch.arms[arm];
    TirExpr *condition = lower_condition(checker, ast->condition);
    TirBlock *outside = checker->at.block;
    bool taken;
    if (known_condition(checker, condition, &taken)) {
        bool then_falls = lower_branch(checker, &ast->body, outside, taken);
        TirBlock nowhere = {0};
        CheckMode mode = checker->at.mode;
        checker->at.mode.is_pruned |= taken;
        checker->at.block = taken ? &nowhere : outside;
        bool otherwise_falls = lower_arms(checker, stmt, arm + 1);
        checker->at.block = outside;
        checker->at.mode = mode;
        return taken ? then_falls : otherwise_falls;
    }
    TirBlock nowhere = {0};
    bool poison = type_is_poison(condition->type);
    TirStmt *branch = tir_stmt(&checker->tir, poison ? &nowhere : outside, STMT_IF, ast->span);
    branch->branch.condition = condition;
    bool falls = check_block(checker, &ast->body, &branch->branch.then);
    checker->at.block = &branch->branch.otherwise;
    falls = lower_arms(checker, stmt, arm + 1) || falls;
    checker->at.block = outside;
    return falls;
}

// Arms from `arm` on; `elseif` becomes an `if` inside `otherwise`.
static bool lower_arms(Checker *checker, const AstStmt *stmt, size_t arm) {
    if (arm == stmt->branch.arm_count) {
        return !stmt->branch.has_otherwise ||
               check_block(checker, &stmt->branch.otherwise, checker->at.block);
    }
    if (!check_has_room(checker, stmt->branch.arms[arm].span)) {
        return true;
    }
    return lower_arm(checker, stmt, arm);
}

// Whether a `break` leaves the loop.
static bool lower_loop_body(Checker *checker, const AstBlock *block, TirBlock *into) {
    LoopFrame frame = {.outer = checker->at.loop};
    checker->at.loop = &frame;
    check_block(checker, block, into);
    tir_without_continues(&checker->tir, into);
    checker->at.loop = frame.outer;
    return frame.saw_break;
}

static bool lower_while(Checker *checker, const AstStmt *stmt) {
    TirStmt *loop = tir_stmt(&checker->tir, checker->at.block, STMT_WHILE, stmt->span);
    TirBlock *outside = checker->at.block;
    checker->at.block = &loop->while_loop.before;
    TirExpr *condition = lower_condition(checker, stmt->loop.condition);
    checker->at.block = outside;
    loop->while_loop.condition = condition;
    if (checker->at.instance != NULL) {
        checker->at.instance->has_while = true;
    }
    bool saw_break = lower_loop_body(checker, &stmt->loop.body, &loop->while_loop.body);
    bool value;
    return !known_condition(checker, condition, &value) || !value || saw_break;
}

// The bounds and the step of a `for`, which becomes an int scalar each.
static void fit_bounds(Checker *checker, TirExpr *bounds[3]) {
    static const char *const what[] = {"the first bound", "the last bound", "the step"};
    const Type *type = type_scalar(checker->tir.types, ROOT_INT);
    for (size_t k = 0; k < 3; k++) {
        bounds[k] = check_assignable(checker, type, bounds[k], what[k], (Span){0, 0});
    }
}

// How many values from `bounds[0]` on a loop over reals has, with its step in the middle as MATLAB
// writes it or at the end; 0 when that is not known.
static int count_reals(const double bounds[3], bool step_is_last) {
    const double slack = 1e-9;
    double step = bounds[step_is_last ? 2 : 1];
    double turns = (bounds[step_is_last ? 1 : 2] - bounds[0]) / step;
    double count = step_is_last ? ceil(turns - slack) : floor(turns + slack) + 1;
    return count >= 1 && count < 1e6 ? (int)count : 0;
}

// `for t = 0:0.1:1:`: bounds or a step that no cast makes ints of. False for others.
static bool report_reals(Checker *checker, const AstExpr *range, TirExpr *const bounds[3],
                         const char *name) {
    if (range->kind != AST_RANGE || range->range.step == NULL) {
        return false;
    }
    double values[3];
    size_t reals = 0;
    bool known = true;
    bool between = false;
    for (size_t k = 0; k < 3; k++) {
        const TirScalar *scalar =
            type_is_scalar(bounds[k]->type) ? constant_values(&checker->tir, bounds[k]) : NULL;
        known = known && scalar != NULL;
        values[k] = scalar == NULL ? 0 : scalar_as_real(*scalar, bounds[k]->type->root);
        bool is_real = type_is_scalar(bounds[k]->type) && bounds[k]->type->root == ROOT_REAL;
        reals += is_real;
        between = between || (is_real && scalar != NULL && values[k] != rint(values[k]));
    }
    bool step_is_one = bounds[2]->type->root == ROOT_INT &&
                       constant_values(&checker->tir, bounds[2]) != NULL && values[2] == 1;
    if (!between && reals < 2 && !(bounds[1]->type->root == ROOT_REAL && step_is_one)) {
        return false;
    }
    Diag *diag = check_error(checker, DIAG_E0401, range->span, "a loop counts ints, not reals");
    bool step_is_last = fabs(values[2]) <= fabs(values[1]);
    const AstExpr *step = step_is_last ? range->range.step : range->range.last;
    int count = known ? count_reals(values, step_is_last) : 0;
    const char *by = check_expr_text(checker, step->span, "step");
    const char *from = check_expr_text(checker, range->range.first->span, "first");
    const char *k = strcmp(name, "k") == 0 ? "i" : "k";
    const char *made = known && values[0] == 0
                           ? arena_format(checker->arena, "`%s = %s * %s`", name, by, k)
                           : arena_format(checker->arena, "`%s = %s + %s * %s`", name, from, by, k);
    if (count > 0) {
        diag_note(diag, "the step comes last, and a count makes reals: `for %s = 0:%d:` with %s", k,
                  count, made);
    } else {
        diag_note(diag, "the step comes last, and a count makes reals: %s in a loop over `%s`",
                  made, k);
    }
    return true;
}

static void lower_for(Checker *checker, const AstStmt *stmt) {
    const AstExpr *range = stmt->for_loop.range;
    TirExpr *bounds[3] = {checker->poison, checker->poison, checker->poison};
    const Type *counted = type_scalar(checker->tir.types, ROOT_INT);
    if (range->kind != AST_RANGE || range->range.first == NULL || range->range.last == NULL) {
        if (range->kind != AST_ERROR) {
            check_error(checker, DIAG_E0605, range->span,
                        "a `for` runs over a range with both bounds, as in `for i = 0:10:`");
        }
    } else {
        warn_expr(checker, range);
        bounds[0] = check_value(checker, range->range.first);
        check_hold(checker, &bounds[0]);
        bounds[1] = check_value(checker, range->range.last);
        check_hold(checker, &bounds[1]);
        bounds[2] = range->range.step == NULL ? tir_const_int(&checker->tir, 1, range->span)
                                              : check_value(checker, range->range.step);
        check_release(checker);
        check_release(checker);
    }
    if (report_reals(checker, range, bounds, stmt->for_loop.name.name->text)) {
        counted = checker->poison->type;
        bounds[0] = checker->poison;
    } else {
        fit_bounds(checker, bounds);
    }
    bool poison = false;
    for (size_t k = 0; k < 3; k++) {
        poison = poison || type_is_poison(bounds[k]->type);
    }
    int64_t values[3];
    bool known = !poison;
    for (size_t k = 3; k-- > 0;) {
        known = !poison && constant_integer(&checker->tir, bounds[k], &values[k]) && known;
        if (k == 2 && known && values[k] == 0) {
            check_report_no_step(checker, DIAG_E0421, range);
            known = false;
        }
    }
    if (known && check_indexes_text(checker, stmt)) {
        check_unrolled_for(checker, stmt, values);
        return;
    }
    TirBlock nowhere = {0};
    TirStmt *loop =
        tir_stmt(&checker->tir, poison ? &nowhere : checker->at.block, STMT_FOR, stmt->span);
    Scope *outside = checker->at.scope;
    checker->at.scope = scope_create(checker->arena, outside);
    loop->for_loop.var = check_declare(checker, &stmt->for_loop.name, counted, VAR_LOOP);
    if (known) {
        warn_loop_bounds(checker, loop->for_loop.var, values);
    }
    loop->for_loop.first = bounds[0];
    loop->for_loop.last = bounds[1];
    loop->for_loop.step = bounds[2];
    loop->for_loop.step_span = bounds[2]->span;
    lower_loop_body(checker, &stmt->for_loop.body, &loop->for_loop.body);
    checker->at.scope = outside;
}

static bool lower_jump(Checker *checker, const AstStmt *stmt) {
    bool is_break = stmt->kind == AST_BREAK;
    LoopFrame *loop = checker->at.loop;
    if (loop == NULL) {
        check_error(checker, DIAG_E0710, stmt->span, "`%s` stands in a loop only",
                    is_break ? "break" : "continue");
        return true;
    }
    loop->saw_break |= is_break;
    if (loop->broken != NULL && is_break) {
        check_set_var(checker, loop->broken, tir_const_bool(&checker->tir, true, stmt->span),
                      stmt->span);
    }
    tir_stmt(&checker->tir, checker->at.block,
             is_break || loop->broken != NULL ? STMT_BREAK : STMT_CONTINUE, stmt->span);
    return false;
}

// A value in a function, or at file level, that declares no result. Calls of it stay silent.
static void report_undeclared_result(Checker *checker, Span span, const TirExpr *value) {
    Diag *diag =
        check_error(checker, DIAG_E0712, span, "a value is returned where no result is declared");
    Instance *instance = checker->at.instance;
    if (instance == NULL || instance->decl->is_entry) {
        return;
    }
    instance->decl->signature_failed = true;
    if (!type_is_poison(value->type)) {
        diag_label(diag, instance->decl->ast->function.name.span,
                   "the result's type goes after the parameters: `%s`",
                   check_type_text(checker, value->type));
    }
}

// L4.1: the runtime's steps end where the functions end.
static bool in_component_entry(const Checker *checker) {
    const Instance *instance = checker->at.instance;
    return instance != NULL && instance->decl->is_entry &&
           instance->decl->unit->kind == FILE_COMPONENT;
}

static void report_return_count(Checker *checker, const AstStmt *stmt) {
    const TirVars *results = &checker->at.function->results;
    const TirVar *first = results->items[0];
    Diag *diag;
    if (stmt->values.count == 0) {
        diag = check_error(checker, DIAG_E0712, stmt->span, "this `return` needs a value%s",
                           results->count > 1 ? " for each result" : "");
    } else {
        diag = check_error(checker, DIAG_E0712, stmt->span, "this `return` has %u %s, not %zu",
                           stmt->values.count, stmt->values.count == 1 ? "value" : "values",
                           results->count);
    }
    diag_label(diag, first->span,
               results->count > 1 ? "the first result is %s" : "the result is %s",
               check_type_text(checker, first->type));
}

static void set_results(Checker *checker, TirExpr **values, Span span) {
    const TirVars *results = &checker->at.function->results;
    for (size_t k = 0; k < results->count; k++) {
        TirVar *result = results->items[k];
        const char *what =
            results->count == 1 ? "the result" : arena_format(checker->arena, "result %zu", k + 1);
        TirExpr *value = check_assignable(checker, result->type, values[k], what, result->span);
        check_set_var(checker, result, value, span);
    }
}

static bool lower_return(Checker *checker, const AstStmt *stmt) {
    if (in_component_entry(checker)) {
        Diag *diag = check_error(checker, DIAG_E0717, stmt->span, "`%s` has no `return`",
                                 checker->at.instance->decl->name->text);
        diag_note(diag, stmt->values.count > 0
                            ? "a component gives its results to its outputs: `t.y = ...`"
                            : "put what follows into the `else` of an `if`, or the whole into a "
                              "function that it calls, where `return` may stand");
        return true;
    }
    const TirVars *results = &checker->at.function->results;
    bool signature_failed =
        checker->at.instance != NULL && checker->at.instance->decl->signature_failed;
    TirExpr **values = check_values(checker, &stmt->values);
    if (signature_failed) {
        // said already
    } else if (results->count == 0 && stmt->values.count > 0) {
        report_undeclared_result(checker, stmt->values.items[0]->span, values[0]);
    } else if (results->count != stmt->values.count) {
        report_return_count(checker, stmt);
    } else {
        set_results(checker, values, stmt->span);
    }
    tir_stmt(&checker->tir, checker->at.block, STMT_RETURN, stmt->span);
    return false;
}

static void report_misplaced(Checker *checker, const AstStmt *stmt, const char *what) {
    check_error(checker, DIAG_E0706, stmt->span, "%s stands at file level only", what);
}

static bool lower_macro_body(Checker *checker, const AstBlock *block, void *data) {
    (void)data;
    return check_statements(checker, block);
}

// A file with an entry function must not have statements that run by themselves, an imported file
// neither.
static bool is_declarative(const AstStmt *stmt) {
    bool plain_assignment =
        stmt->kind == AST_ASSIGN && !stmt->assign.compound && stmt->assign.target->kind == AST_NAME;
    bool plain_targets = stmt->kind == AST_ASSIGN_ALL;
    for (size_t k = 0; plain_targets && k < stmt->assign_all.targets.count; k++) {
        plain_targets = stmt->assign_all.targets.items[k]->kind == AST_NAME;
    }
    return plain_assignment || plain_targets || stmt->kind == AST_DECL ||
           stmt->kind == AST_FUNCTION || stmt->kind == AST_IMPORT || stmt->kind == AST_TERMINAL ||
           stmt->kind == AST_IO || ast_is_macro(stmt) || stmt->kind == AST_INSTANCE ||
           stmt->kind == AST_CONNECT || stmt->kind == AST_ERROR_STMT;
}

// What an assignment would have declared.
static void check_refused(Checker *checker, const AstStmt *stmt) {
    for (size_t k = 0; k < stmt->values.count; k++) {
        check_declare_unknown(checker, &stmt->values.items[k]->name);
    }
}

// An element, `x[3] = 0.0`, declares nothing.
static void report_not_declarative(Checker *checker, const AstStmt *stmt) {
    const AstExpr *target = stmt->kind == AST_ASSIGN ? stmt->assign.target : NULL;
    bool is_element =
        target != NULL && target->kind == AST_INDEX && target->index.object->kind == AST_NAME;
    Diag *diag = check_error(checker, DIAG_E0701, stmt->span,
                             checker->at.unit->kind == FILE_COMPONENT
                                 ? "a component has only declarations at file level"
                             : checker->at.unit->index == 0
                                 ? "a file with `main_fnc` has only declarations at file level"
                                 : "an imported file has only declarations at file level");
    if (is_element) {
        const AstName *name = &target->index.object->name;
        diag_note(diag, "an array is declared with its length: `tensor<real, 8> %s = 0.0`",
                  name->name->text);
        check_declare_unknown(checker, name);
    }
}

bool check_statement(Checker *checker, const AstStmt *stmt) {
    if (checker->at.mode.at_file_level && checker->at.mode.pure && !is_declarative(stmt)) {
        if (check_report_untyped(checker, stmt) || system_report_call(checker, stmt) ||
            system_report_block(checker, stmt) || system_report_assignment(checker, stmt)) {
            return true;
        }
        report_not_declarative(checker, stmt);
        return true;
    }
    warn_stmt(checker, stmt);
    switch (stmt->kind) {
    case AST_ASSIGN:
        if (!check_report_untyped(checker, stmt)) {
            check_assignment(checker, stmt);
        }
        return true;
    case AST_ASSIGN_ALL: check_assign_all(checker, stmt); return true;
    case AST_SEND: check_send(checker, stmt); return true;
    case AST_IO: check_io_declaration(checker, stmt); return true;
    case AST_DECL: check_declaration(checker, stmt); return true;
    case AST_TERMINAL: check_interface_declaration(checker, stmt); return true;
    case AST_IF: return check_report_guard(checker, stmt) || lower_arms(checker, stmt, 0);
    case AST_WHILE: return lower_while(checker, stmt);
    case AST_FOR: lower_for(checker, stmt); return true;
    case AST_BREAK:
    case AST_CONTINUE: return lower_jump(checker, stmt);
    case AST_PASS: return true;
    case AST_RETURN: return lower_return(checker, stmt);
    case AST_CALL_STMT:
        warn_dropped(checker, stmt->call, check_expr(checker, stmt->call));
        return true;
    case AST_GUARD: return check_guard(checker, stmt);
    case AST_MACRO_FOR: return check_macro_for(checker, stmt, lower_macro_body, NULL);
    case AST_MACRO_IF: return check_macro_if(checker, stmt, lower_macro_body, NULL);
    case AST_IMPORT:
        if (!checker->at.mode.at_file_level) {
            report_misplaced(checker, stmt, "`import`");
        }
        return true;
    case AST_FUNCTION:
        // Those at file level, in macros too, are declared before any statement is checked.
        if (!checker->at.mode.at_file_level) {
            report_misplaced(checker, stmt, "a function");
            check_declare_unknown(checker, &stmt->function.name); // calls of it stay silent
        }
        return true;
    case AST_TEST: report_misplaced(checker, stmt, "a test"); return true;
    case AST_INSTANCE:
    case AST_CONNECT: system_note(checker, stmt); return true;
    case AST_ERROR_STMT: check_refused(checker, stmt); return true;
    }
    UNREACHABLE();
}

bool check_statements(Checker *checker, const AstBlock *block) {
    TirBlock *into = checker->at.block;
    TirBlock nowhere = {0};
    bool falls_through = true;
    warn_block(checker, block);
    for (size_t k = 0; k < block->count; k++) {
        if (!check_statement(checker, block->items[k])) {
            // What follows is checked, and never runs.
            falls_through = false;
            checker->at.block = &nowhere;
        }
    }
    checker->at.block = into;
    return falls_through;
}

bool check_block(Checker *checker, const AstBlock *block, TirBlock *into) {
    Scope *scope = checker->at.scope;
    TirBlock *outside = checker->at.block;
    CheckMode mode = checker->at.mode;
    checker->at.scope = scope_create(checker->arena, scope);
    checker->at.block = into;
    checker->at.mode.at_file_level = false;
    bool falls_through = true;
    if (check_has_room(checker, block->count > 0 ? block->items[0]->span : (Span){0, 0})) {
        falls_through = check_statements(checker, block);
    }
    warn_scope(checker, checker->at.scope);
    for (size_t k = 0; k < checker->at.scope->symbols.count; k++) {
        LIST_PUSH(checker->arena, &checker->at.ended, checker->at.scope->symbols.items[k]);
    }
    checker->at.scope = scope;
    checker->at.block = outside;
    checker->at.mode = mode;
    return falls_through;
}
