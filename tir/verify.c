// Walks a program and collects what is broken; goes on after each find. The rules for a node on its
// own are in rules.c, here are those that need its surroundings.
#include "tir/verify.h"

#include "support/bug.h"
#include "tir/alias.h"
#include "tir/print.h"
#include "tir/uses.h"
#include "tir/visit.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct Verifier {
    const TirProgram *program;
    Buffer *out;
    const TirFunction *function;
    unsigned loops; // around the current statement
    bool ok;
} Verifier;

__attribute__((format(printf, 3, 4))) static void report(Verifier *verifier, const TirExpr *expr,
                                                         const char *format, ...) {
    verifier->ok = false;
    if (verifier->function != NULL) {
        buffer_format(verifier->out, "%s: ", verifier->function->symbol);
    }
    va_list arguments;
    va_start(arguments, format);
    char text[256];
    vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    buffer_text(verifier->out, text);
    if (expr != NULL) {
        buffer_text(verifier->out, ": ");
        tir_print_expr(verifier->out, expr);
    }
    buffer_text(verifier->out, "\n");
}

// Expressions.

static bool var_is_known(const Verifier *verifier, const TirVar *var) {
    if (tir_var_is_global(var)) {
        return var->id < verifier->program->globals.count &&
               verifier->program->globals.items[var->id] == var;
    }
    return verifier->function != NULL && var->id < verifier->function->vars.count &&
           verifier->function->vars.items[var->id] == var;
}

static void verify_var(Verifier *verifier, const TirVar *var) {
    if (!var_is_known(verifier, var)) {
        report(verifier, NULL, "variable %s (%u) is not the function's or a global",
               var->name == NULL ? "%" : var->name->text, (unsigned)var->id);
    }
}

static void verify_expr(const TirExpr *expr, void *data) {
    Verifier *verifier = data;
    const char *error = tir_node_error(expr);
    if (error != NULL) {
        report(verifier, NULL, "%s", error); // it may be too broken to print
        return;
    }
    if (expr->kind == EXPR_VAR) {
        verify_var(verifier, expr->var);
        if (expr->is_constant) {
            report(verifier, expr, "a variable is not a constant expression");
        }
    }
    tir_read_operands(expr, verify_expr, data);
}

static bool is_scalar_of(const TirExpr *expr, Root root) {
    return type_is_scalar(expr->type) && expr->type->root == root;
}

// Statements.

static void verify_written(Verifier *verifier, const TirVar *var) {
    verify_var(verifier, var);
    bool is_given = var->role == VAR_INPUT || var->role == VAR_TUNABLE;
    if (var->role == VAR_PARAM || var->role == VAR_LOOP ||
        (is_given && verifier->program->tests.count == 0)) {
        report(verifier, NULL, "parameter or loop variable %s is written",
               var->name == NULL ? "%" : var->name->text);
    }
}

// A dim that moves along an axis tells all positions of that axis apart.
static bool view_is_injective(const TirExpr *view) {
    for (int32_t axis = 0; axis < view->type->flat_rank; axis++) {
        bool told_apart = view->type->dims[axis] == 1;
        for (size_t i = 0; i < view->view.operand->type->flat_rank; i++) {
            const TirAxis *use = &view->view.axes[i];
            told_apart |= use->index == NULL && use->axis == axis && use->step != 0;
        }
        if (!told_apart) {
            return false;
        }
    }
    return true;
}

static void verify_place(Verifier *verifier, const TirExpr *place) {
    const TirExpr *below = place;
    while (below->kind == EXPR_VIEW || below->kind == EXPR_RESHAPE) {
        if (below->kind == EXPR_VIEW && !view_is_injective(below)) {
            report(verifier, place, "two elements of a place share a scalar");
        }
        below = below->kind == EXPR_VIEW ? below->view.operand : below->operand;
    }
    if (below->kind != EXPR_VAR) {
        report(verifier, place, "a place is not a view of a variable");
        return;
    }
    verify_written(verifier, below->var);
}

static bool agrees(const Type *a, const Type *b) {
    return a->root == b->root && type_same_dims(a, b);
}

static bool has_place(const TirProgram *program, const TirFunction *function) {
    return function->id < program->functions.count &&
           program->functions.items[function->id] == function;
}

// Results and what is given to in-out parameters.
static void verify_places(Verifier *verifier, const TirStmt *stmt) {
    const TirFunction *callee = stmt->call.function;
    const TirVar *var, *other;
    for (size_t k = 0; (var = tir_stmt_written(stmt, k)) != NULL; k++) {
        verify_written(verifier, var);
        for (size_t i = 0; i < k && (other = tir_stmt_written(stmt, i)) != NULL; i++) {
            if (var == other) {
                report(verifier, NULL, "a call of %s writes one variable twice", callee->symbol);
            }
        }
        bool is_inout = k >= stmt->call.results.count;
        if (is_inout && tir_var_is_global(var) &&
            (callee->reads_globals || callee->writes_globals)) {
            report(verifier, NULL, "%s may touch the variable that it is given", callee->symbol);
        }
    }
}

// The flat dims of a Jacobian.
static bool joins(const Type *type, const Type *outer, const Type *inner) {
    size_t rank = outer->flat_rank;
    if (type->root != ROOT_REAL || type->flat_rank != rank + inner->flat_rank) {
        return false;
    }
    for (size_t i = 0; i < type->flat_rank; i++) {
        if (type->dims[i] != (i < rank ? outer->dims[i] : inner->dims[i - rank])) {
            return false;
        }
    }
    return true;
}

static bool has_derivative_type(const TirStmt *stmt, size_t k) {
    const TirDerivative *derivative = stmt->call.derivative;
    const Type *type = stmt->call.results.items[k]->type;
    const Type *value = stmt->call.function->results.items[0]->type;
    const Type *param = stmt->call.function->params[derivative->by[k]]->type;
    switch (derivative->kind) {
    case DERIVATIVE_JACOBIAN: return joins(type, value, param);
    case DERIVATIVE_GRADIENT: return type_is_scalar(value) && agrees(type, param);
    case DERIVATIVE_ALONG: return agrees(type, value) && agrees(derivative->along->type, param);
    }
    UNREACHABLE();
}

static void verify_derivative(Verifier *verifier, const TirStmt *stmt) {
    const TirFunction *callee = stmt->call.function;
    const TirDerivative *derivative = stmt->call.derivative;
    bool is_one = callee->results.count == 1 && callee->results.items[0]->type->root == ROOT_REAL;
    if (!is_one || callee->writes_globals || callee->has_effects || callee->instance != NULL) {
        report(verifier, NULL, "%s is no pure function of a real result", callee->symbol);
        return;
    }
    bool is_single = derivative->kind != DERIVATIVE_GRADIENT;
    if (stmt->call.results.count != derivative->by_count ||
        (is_single && derivative->by_count != 1)) {
        report(verifier, NULL, "a derivative of %s has the wrong number of results",
               callee->symbol);
        return;
    }
    for (size_t k = 0; k < derivative->by_count; k++) {
        uint32_t by = derivative->by[k];
        if (by >= callee->param_count || callee->params[by]->type->root != ROOT_REAL ||
            callee->params[by]->role != VAR_PARAM) {
            report(verifier, NULL, "a derivative of %s is by no real parameter", callee->symbol);
        } else if (!has_derivative_type(stmt, k)) {
            report(verifier, NULL, "a derivative of %s goes to another type", callee->symbol);
        }
    }
}

static void verify_results(Verifier *verifier, const TirStmt *stmt) {
    const TirFunction *callee = stmt->call.function;
    if (stmt->call.results.count != callee->results.count) {
        report(verifier, NULL, "a call of %s has the wrong number of results", callee->symbol);
        return;
    }
    for (size_t i = 0; i < callee->results.count; i++) {
        if (!agrees(stmt->call.results.items[i]->type, callee->results.items[i]->type)) {
            report(verifier, NULL, "the result of %s goes to another type", callee->symbol);
        }
    }
}

static void verify_call(Verifier *verifier, const TirStmt *stmt) {
    const TirFunction *callee = stmt->call.function;
    if (!has_place(verifier->program, callee) || callee->id >= verifier->function->id) {
        report(verifier, NULL, "%s is called but does not stand earlier", callee->symbol);
    }
    if (stmt->call.arg_count != callee->param_count) {
        report(verifier, NULL, "%s is called with the wrong number of arguments", callee->symbol);
        return;
    }
    bool has_places = true;
    for (size_t i = 0; i < stmt->call.arg_count; i++) {
        const TirExpr *arg = stmt->call.args[i];
        if (!agrees(arg->type, callee->params[i]->type)) {
            report(verifier, arg, "an argument is not of its parameter's type");
        }
        if (callee->params[i]->role == VAR_INOUT && arg->kind != EXPR_VAR) {
            report(verifier, arg, "an in-out parameter is given something that is no variable");
            has_places = false;
        }
    }
    if (stmt->call.derivative != NULL) {
        verify_derivative(verifier, stmt);
    } else {
        verify_results(verifier, stmt);
    }
    if (has_places) {
        verify_places(verifier, stmt);
    }
}

static void verify_condition(Verifier *verifier, const TirExpr *condition) {
    if (!is_scalar_of(condition, ROOT_BOOL)) {
        report(verifier, condition, "a condition is not a scalar bool");
    }
}

static void verify_for(Verifier *verifier, const TirStmt *stmt) {
    const TirVar *var = stmt->for_loop.var;
    verify_var(verifier, var);
    if (var->role != VAR_LOOP || !type_is_scalar(var->type) || var->type->root != ROOT_INT) {
        report(verifier, NULL, "the variable of a loop is not an int of the role of one");
    }
    if (!is_scalar_of(stmt->for_loop.first, ROOT_INT) ||
        !is_scalar_of(stmt->for_loop.last, ROOT_INT) ||
        !is_scalar_of(stmt->for_loop.step, ROOT_INT)) {
        report(verifier, NULL, "a bound of a loop is not an int");
    }
}

static void verify_block(Verifier *verifier, TirBlock *block);

static void verify_nested(Verifier *verifier, TirBlock *block, unsigned loops) {
    unsigned outer = verifier->loops;
    verifier->loops = loops;
    verify_block(verifier, block);
    verifier->loops = outer;
}

static void verify_nest(Verifier *verifier, TirStmt *stmt) {
    TirBlock before = stmt->nest;
    for (size_t i = 0; i < stmt->nest.count; i++) {
        TirStmt *set = stmt->nest.items[i];
        before.count = i;
        if (set->kind != STMT_SET) {
            report(verifier, NULL, "a nest has a statement that is no set");
        } else if (!tir_nest_takes(&before, set)) {
            report(verifier, set->set.value, "elements of a nest depend on other elements of it");
        }
    }
    verify_block(verifier, &stmt->nest);
}

static void verify_assertion(Verifier *verifier, const TirStmt *stmt) {
    verify_condition(verifier, stmt->assertion.condition);
    for (size_t i = 0; i < stmt->assertion.note_count; i++) {
        const TirExpr *value = stmt->assertion.notes[i].value;
        if (!type_is_scalar(value->type)) {
            report(verifier, value, "the note of an assertion is no scalar");
        }
    }
}

static void verify_stmt(Verifier *verifier, TirStmt *stmt) {
    bool broken_before = !verifier->ok;
    verifier->ok = true;
    tir_read_exprs(stmt, verify_expr, verifier);
    bool exprs_ok = verifier->ok;
    verifier->ok = exprs_ok && !broken_before;
    if (!exprs_ok) {
        return; // the statement's own rules assume sound expressions
    }
    switch (stmt->kind) {
    case STMT_SET:
        verify_place(verifier, stmt->set.place);
        if (!agrees(stmt->set.place->type, stmt->set.value->type)) {
            report(verifier, stmt->set.value, "a value does not have its place's dims and root");
        }
        return;
    case STMT_NEST: verify_nest(verifier, stmt); return;
    case STMT_CALL: verify_call(verifier, stmt); return;
    case STMT_IF:
        verify_condition(verifier, stmt->branch.condition);
        verify_block(verifier, &stmt->branch.then);
        verify_block(verifier, &stmt->branch.otherwise);
        return;
    case STMT_FOR:
        verify_for(verifier, stmt);
        verify_nested(verifier, &stmt->for_loop.body, verifier->loops + 1);
        return;
    case STMT_WHILE:
        // Leaving the loop from the statements of its test is not possible.
        verify_nested(verifier, &stmt->while_loop.before, 0);
        verify_condition(verifier, stmt->while_loop.condition);
        verify_nested(verifier, &stmt->while_loop.body, verifier->loops + 1);
        return;
    case STMT_BREAK:
    case STMT_CONTINUE:
        if (verifier->loops == 0) {
            report(verifier, NULL, "a break or continue stands outside of loops");
        }
        return;
    case STMT_INPUT: verify_written(verifier, stmt->input.var); return;
    case STMT_ASSERT: verify_assertion(verifier, stmt); return;
    case STMT_RETURN:
    case STMT_PRINT:
    case STMT_OUTPUT: return;
    }
}

static void verify_block(Verifier *verifier, TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        verify_stmt(verifier, block->items[i]);
    }
}

// Programs.

static void verify_role(Verifier *verifier, const TirVar *var, TirVarRole role) {
    verify_var(verifier, var);
    if (var->role != role) {
        report(verifier, NULL, "variable %u has the wrong role", (unsigned)var->id);
    }
}

static void verify_function(Verifier *verifier, TirFunction *function) {
    verifier->function = function;
    for (size_t i = 0; i < function->vars.count; i++) {
        verify_var(verifier, function->vars.items[i]);
    }
    for (size_t i = 0; i < function->param_count; i++) {
        bool is_inout = function->params[i]->role == VAR_INOUT;
        verify_role(verifier, function->params[i], is_inout ? VAR_INOUT : VAR_PARAM);
    }
    for (size_t i = 0; i < function->results.count; i++) {
        verify_role(verifier, function->results.items[i], VAR_RESULT);
    }
    verify_block(verifier, &function->body);
    verifier->function = NULL;
}

static void verify_program(Verifier *verifier) {
    const TirProgram *program = verifier->program;
    for (size_t i = 0; i < program->globals.count; i++) {
        verify_var(verifier, program->globals.items[i]);
    }
    size_t count = program->functions.count;
    for (size_t i = 0; i < count; i++) {
        if (!has_place(program, program->functions.items[i])) {
            report(verifier, NULL, "a function does not stand where its id says");
        }
        verify_function(verifier, program->functions.items[i]);
    }
    for (size_t i = 0; i < program->globals.count; i++) {
        if (!tir_var_is_global(program->globals.items[i])) {
            report(verifier, NULL, "a variable of the program belongs to a function");
        }
    }
    if (program->entry != NULL &&
        (count == 0 || program->functions.items[count - 1] != program->entry)) {
        report(verifier, NULL, "the entry is not the last function");
    }
}

bool tir_verify(const TirProgram *program, Buffer *out) {
    Verifier verifier = {.program = program, .out = out, .ok = true};
    verify_program(&verifier);
    return verifier.ok;
}
