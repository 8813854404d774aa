// One level of a node at a time, as tir/visit.h walks it.
#include "tir/clone.h"

#include "support/bug.h"
#include "tir/visit.h"

TirFunction *clone_function(Tir *tir, const TirFunction *from, const char *word) {
    TirFunction *function = ARENA_NEW(tir->arena, TirFunction);
    *function = *from;
    function->symbol = arena_format(tir->arena, "%s.%s", from->symbol, word);
    function->name = names_intern_text(tir->names, function->symbol);
    function->vars = (TirVars){0};
    function->body = (TirBlock){0};
    return function;
}

TirClone clone_vars(Tir *tir, const TirFunction *from, TirFunction *to) {
    TirClone clone = {tir, ARENA_ARRAY(tir->arena, TirVar *, from->vars.count + 1)};
    for (size_t i = 0; i < from->vars.count; i++) {
        const TirVar *var = from->vars.items[i];
        clone.vars[i] = tir_var_create(tir, to, var->role, var->name, var->type, var->span);
    }
    return clone;
}

TirVar *clone_var(const TirClone *clone, TirVar *var) {
    return tir_var_is_global(var) ? var : clone->vars[var->id];
}

static void clone_operand(TirExpr **operand, void *data) {
    *operand = clone_expr(data, *operand);
}

TirExpr *clone_expr(const TirClone *clone, const TirExpr *expr) {
    if (expr->kind == EXPR_VAR) {
        return tir_read(clone->tir, clone_var(clone, expr->var), expr->span);
    }
    TirExpr *copy = tir_copy_node(clone->tir, expr);
    tir_visit_operands(copy, clone_operand, (void *)clone);
    return copy;
}

static void copy_call(const TirClone *clone, const TirStmt *from, TirStmt *to) {
    to->call.function = from->call.function;
    if (from->call.derivative != NULL) {
        to->call.derivative = ARENA_NEW(clone->tir->arena, TirDerivative);
        *to->call.derivative = *from->call.derivative;
        if (to->call.derivative->along != NULL) {
            to->call.derivative->along = clone_expr(clone, from->call.derivative->along);
        }
    }
    to->call.arg_count = from->call.arg_count;
    to->call.args = ARENA_ARRAY(clone->tir->arena, TirExpr *, from->call.arg_count + 1);
    for (size_t i = 0; i < from->call.arg_count; i++) {
        to->call.args[i] = clone_expr(clone, from->call.args[i]);
    }
    for (size_t i = 0; i < from->call.results.count; i++) {
        TirVar *result = from->call.results.items[i];
        LIST_PUSH(clone->tir->arena, &to->call.results, clone_var(clone, result));
    }
}

static void copy_items(const TirClone *clone, const TirPrintItem *from, size_t count,
                       TirPrintItem *to) {
    for (size_t i = 0; i < count; i++) {
        to[i] = from[i];
        if (from[i].value != NULL) {
            to[i].value = clone_expr(clone, from[i].value);
        }
    }
}

static void copy_print(const TirClone *clone, const TirStmt *from, TirStmt *to) {
    to->print.count = from->print.count;
    to->print.items = ARENA_ARRAY(clone->tir->arena, TirPrintItem, from->print.count + 1);
    copy_items(clone, from->print.items, from->print.count, to->print.items);
}

static void copy_stmt(const TirClone *clone, const TirStmt *from, TirBlock *block) {
    TirStmt *to = tir_stmt(clone->tir, block, from->kind, from->span);
    switch (from->kind) {
    case STMT_SET:
        to->set.place = clone_expr(clone, from->set.place);
        to->set.value = clone_expr(clone, from->set.value);
        to->set.is_update = from->set.is_update;
        return;
    case STMT_CALL: copy_call(clone, from, to); return;
    case STMT_PRINT: copy_print(clone, from, to); return;
    case STMT_ASSERT:
        to->assertion.condition = clone_expr(clone, from->assertion.condition);
        to->assertion.text = from->assertion.text;
        to->assertion.note_count = from->assertion.note_count;
        copy_items(clone, from->assertion.notes, from->assertion.note_count, to->assertion.notes);
        return;
    case STMT_IF:
        to->branch.condition = clone_expr(clone, from->branch.condition);
        to->branch.then = to->branch.otherwise = (TirBlock){0};
        clone_block(clone, &from->branch.then, &to->branch.then);
        clone_block(clone, &from->branch.otherwise, &to->branch.otherwise);
        return;
    case STMT_FOR:
        to->for_loop.var = clone_var(clone, from->for_loop.var);
        to->for_loop.first = clone_expr(clone, from->for_loop.first);
        to->for_loop.last = clone_expr(clone, from->for_loop.last);
        to->for_loop.step = clone_expr(clone, from->for_loop.step);
        to->for_loop.step_span = from->for_loop.step_span;
        clone_block(clone, &from->for_loop.body, &to->for_loop.body);
        return;
    case STMT_WHILE:
        to->while_loop.condition = clone_expr(clone, from->while_loop.condition);
        clone_block(clone, &from->while_loop.before, &to->while_loop.before);
        clone_block(clone, &from->while_loop.body, &to->while_loop.body);
        return;
    case STMT_NEST: clone_block(clone, &from->nest, &to->nest); return;
    case STMT_BREAK:
    case STMT_CONTINUE:
    case STMT_RETURN: return;
    case STMT_INPUT:
    case STMT_OUTPUT: break;
    }
    BUG("a statement that is not copied");
}

void clone_block(const TirClone *clone, const TirBlock *from, TirBlock *to) {
    for (size_t i = 0; i < from->count; i++) {
        copy_stmt(clone, from->items[i], to);
    }
}
