// How TIR is walked, and what a walk tells: the operands of an expression, the expressions and
// blocks of a statement, one level each, so that callers recurse as they need; and whether an
// expression may trap. A new kind of node is added here once, for all passes.
#include "tir/visit.h"

#include "support/bug.h"

#include <string.h>

static const struct OpRow {
    const char *text;
    unsigned arity;
} op_rows[] = {
#define TIR_OP(NAME, text, arity, signature, cost) {text, arity},
#include "tir/ops.def"
};

static const char *const reduction_texts[] = {
#define TIR_REDUCTION(NAME, text) text,
#include "tir/ops.def"
};

const char *tir_op_text(TirOp op) {
    return op_rows[op].text;
}

unsigned tir_op_arity(TirOp op) {
    return op_rows[op].arity;
}

const char *tir_reduction_text(TirReduction reduction) {
    return reduction_texts[reduction];
}

bool tir_var_is_global(const TirVar *var) {
    switch (var->role) {
    case VAR_GLOBAL:
    case VAR_INPUT:
    case VAR_OUTPUT:
    case VAR_TUNABLE: return true;
    case VAR_LOCAL:
    case VAR_TEMP:
    case VAR_PARAM:
    case VAR_INOUT:
    case VAR_RESULT:
    case VAR_LOOP: return false;
    }
    UNREACHABLE();
}

const TirFunction *tir_phase_function(const TirProgram *component, TirPhase phase) {
    switch (phase) {
    case TIR_INIT: return component->init;
    case TIR_OUTPUT: return component->output;
    case TIR_UPDATE: return component->update;
    }
    UNREACHABLE();
}

bool tir_find_interface(const TirProgram *program, char space, Name name, size_t *position) {
    for (size_t k = 0; k < program->interface.count; k++) {
        const TirInterface *item = program->interface.items[k];
        if (item->space == space && item->name == name) {
            *position = k;
            return true;
        }
    }
    return false;
}

bool tir_may_feed_through(const TirInterface *item) {
    return item->has_feedthrough || item->io != NULL;
}

const TirInterface *tir_step_time(const TirProgram *program, char space) {
    for (size_t k = 0; k < program->interface.count; k++) {
        const TirInterface *item = program->interface.items[k];
        if (item->kind == INTERFACE_CONSTANT && item->space == space &&
            item->type->root == ROOT_REAL && type_is_scalar(item->type) && item->value != NULL &&
            item->value->kind == EXPR_CONST && strcmp(item->name->text, "dt") == 0) {
            return item;
        }
    }
    return NULL;
}

const char *tir_phase_text(TirPhase phase) {
    static const char *const texts[] = {"init", "output", "update"};
    return texts[phase];
}

bool tir_var_is_of_file(const TirProgram *program, const TirVar *var) {
    for (size_t i = 0; i < program->hardware.count; i++) {
        if (program->hardware.items[i]->var == var) {
            return false;
        }
    }
    return var->role == VAR_GLOBAL && var->instance == NULL;
}

bool tir_var_is_local(const TirVar *var) {
    return var->role == VAR_LOCAL || var->role == VAR_TEMP;
}

bool tir_var_is_interface(const TirVar *var) {
    return var->role == VAR_PARAM || var->role == VAR_INOUT || var->role == VAR_RESULT;
}

bool tir_var_is_apart(const TirVar *var) {
    return var->storage != STORAGE_SCRATCH;
}

const char *tir_var_space(const TirVar *var) {
    bool is_terminal = var->role == VAR_INPUT || var->role == VAR_OUTPUT;
    return is_terminal ? "t." : var->role == VAR_TUNABLE ? "p." : "";
}

const TirExpr *tir_bottom(const TirExpr *expr) {
    while (expr->kind == EXPR_VIEW || expr->kind == EXPR_RESHAPE) {
        expr = expr->kind == EXPR_VIEW ? expr->view.operand : expr->operand;
    }
    return expr;
}

TirVar *tir_place_var(const TirExpr *place) {
    const TirExpr *bottom = tir_bottom(place);
    CHECK(bottom->kind == EXPR_VAR);
    return bottom->var;
}

bool tir_sets_whole(const TirStmt *stmt) {
    return stmt->kind == STMT_SET && stmt->set.place->kind == EXPR_VAR;
}

bool tir_sets_var(const TirStmt *stmt, const TirVar *var) {
    return tir_sets_whole(stmt) && stmt->set.place->var == var;
}

bool tir_sets_scalar(const TirStmt *stmt) {
    return tir_sets_whole(stmt) && type_is_scalar(stmt->set.place->type);
}

static void visit_printed(TirPrintItem *items, size_t count, TirVisitor *visit, void *data) {
    for (size_t i = 0; i < count; i++) {
        if (items[i].value != NULL) {
            visit(&items[i].value, data);
        }
    }
}

static void visit_items(TirExpr **items, size_t count, TirVisitor *visit, void *data) {
    for (size_t i = 0; i < count; i++) {
        visit(&items[i], data);
    }
}

void tir_visit_operands(TirExpr *expr, TirVisitor *visit, void *data) {
    switch (expr->kind) {
    case EXPR_CONST:
    case EXPR_VAR:
    case EXPR_IOTA: return;
    case EXPR_MAP: visit_items(expr->map.args, tir_op_arity(expr->map.op), visit, data); return;
    case EXPR_CONVERT:
    case EXPR_RESHAPE:
    case EXPR_CUMSUM: visit(&expr->operand, data); return;
    case EXPR_VIEW:
        for (size_t i = 0; i < expr->view.operand->type->flat_rank; i++) {
            if (expr->view.axes[i].index != NULL) {
                visit(&expr->view.axes[i].index, data);
            }
        }
        visit(&expr->view.operand, data);
        return;
    case EXPR_LITERAL: visit_items(expr->literal.items, expr->literal.count, visit, data); return;
    case EXPR_CONCAT: visit_items(expr->concat.items, expr->concat.count, visit, data); return;
    case EXPR_REDUCE: visit(&expr->reduce.operand, data); return;
    case EXPR_DOT:
        visit(&expr->dot.left, data);
        visit(&expr->dot.right, data);
        return;
    }
    UNREACHABLE();
}

static void visit_position(TirHardware *at, TirVisitor *visit, void *data) {
    if (at->io != NULL) {
        visit(&at->position, data);
    }
}

void tir_visit_exprs(TirStmt *stmt, TirVisitor *visit, void *data) {
    switch (stmt->kind) {
    case STMT_SET:
        visit(&stmt->set.place, data);
        visit(&stmt->set.value, data);
        return;
    case STMT_CALL:
        visit_items(stmt->call.args, stmt->call.arg_count, visit, data);
        if (stmt->call.derivative != NULL && stmt->call.derivative->along != NULL) {
            visit(&stmt->call.derivative->along, data);
        }
        return;
    case STMT_IF: visit(&stmt->branch.condition, data); return;
    case STMT_FOR:
        visit(&stmt->for_loop.first, data);
        visit(&stmt->for_loop.last, data);
        visit(&stmt->for_loop.step, data);
        return;
    case STMT_WHILE: visit(&stmt->while_loop.condition, data); return;
    case STMT_NEST:
    case STMT_BREAK:
    case STMT_CONTINUE:
    case STMT_RETURN: return;
    case STMT_INPUT: visit_position(&stmt->input.at, visit, data); return;
    case STMT_PRINT: visit_printed(stmt->print.items, stmt->print.count, visit, data); return;
    case STMT_OUTPUT:
        visit(&stmt->output.value, data);
        visit_position(&stmt->output.at, visit, data);
        return;
    case STMT_ASSERT:
        visit(&stmt->assertion.condition, data);
        visit_printed(stmt->assertion.notes, stmt->assertion.note_count, visit, data);
        return;
    }
    UNREACHABLE();
}

size_t tir_stmt_blocks(TirStmt *stmt, TirBlock *blocks[2]) {
    switch (stmt->kind) {
    case STMT_IF:
        blocks[0] = &stmt->branch.then;
        blocks[1] = &stmt->branch.otherwise;
        return 2;
    case STMT_NEST: blocks[0] = &stmt->nest; return 1;
    case STMT_FOR: blocks[0] = &stmt->for_loop.body; return 1;
    case STMT_WHILE:
        blocks[0] = &stmt->while_loop.before;
        blocks[1] = &stmt->while_loop.body;
        return 2;
    case STMT_SET:
    case STMT_CALL:
    case STMT_BREAK:
    case STMT_CONTINUE:
    case STMT_RETURN:
    case STMT_PRINT:
    case STMT_INPUT:
    case STMT_OUTPUT:
    case STMT_ASSERT: return 0;
    }
    UNREACHABLE();
}

void tir_visit_stmts(const TirBlock *block, TirStmtVisitor *visit, void *data) {
    for (size_t i = 0; i < block->count; i++) {
        visit(block->items[i], data);
        TirBlock *nested[2];
        size_t count = tir_stmt_blocks(block->items[i], nested);
        for (size_t k = 0; k < count; k++) {
            tir_visit_stmts(nested[k], visit, data);
        }
    }
}

bool tir_any_stmt(const TirBlock *block, TirStmtTest *is_one, void *data) {
    for (size_t i = 0; i < block->count; i++) {
        bool found = is_one(block->items[i], data);
        TirBlock *nested[2];
        size_t count = tir_stmt_blocks(block->items[i], nested);
        for (size_t k = 0; k < count && !found; k++) {
            found = tir_any_stmt(nested[k], is_one, data);
        }
        if (found) {
            return true;
        }
    }
    return false;
}

bool tir_block_branches(const TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        if (block->items[i]->kind == STMT_IF) {
            return true;
        }
    }
    return false;
}

bool tir_block_jumps(TirBlock *block, TirStmtKind kind) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (stmt->kind == kind ||
            (stmt->kind == STMT_IF && (tir_block_jumps(&stmt->branch.then, kind) ||
                                       tir_block_jumps(&stmt->branch.otherwise, kind)))) {
            return true;
        }
    }
    return false;
}

bool tir_block_has_jumps(TirBlock *block) {
    return tir_block_jumps(block, STMT_BREAK) || tir_block_jumps(block, STMT_CONTINUE);
}

// A visitor that only looks: this one place knows that visiting writes nothing itself.
typedef struct Look {
    TirReader *read;
    void *data;
} Look;

static void look_at(TirExpr **operand, void *data) {
    const Look *look = data;
    look->read(*operand, look->data);
}

void tir_read_operands(const TirExpr *expr, TirReader *read, void *data) {
    Look look = {read, data};
    tir_visit_operands((TirExpr *)expr, look_at, &look);
}

void tir_read_exprs(const TirStmt *stmt, TirReader *read, void *data) {
    Look look = {read, data};
    tir_visit_exprs((TirStmt *)stmt, look_at, &look);
}

void tir_visit_exprs_in(const TirBlock *block, TirVisitor *visit, void *data) {
    for (size_t i = 0; i < block->count; i++) {
        tir_visit_exprs(block->items[i], visit, data);
        TirBlock *nested[2];
        size_t count = tir_stmt_blocks(block->items[i], nested);
        for (size_t k = 0; k < count; k++) {
            tir_visit_exprs_in(nested[k], visit, data);
        }
    }
}

void tir_read_exprs_in(const TirBlock *block, TirReader *read, void *data) {
    Look look = {read, data};
    tir_visit_exprs_in(block, look_at, &look);
}

typedef struct ExprSearch {
    TirExprTest *is_one;
    const void *data;
    bool found;
} ExprSearch;

static void search_expr(const TirExpr *expr, void *data) {
    ExprSearch *search = data;
    search->found = search->found || search->is_one(expr, search->data);
    if (!search->found) {
        tir_read_operands(expr, search_expr, search);
    }
}

bool tir_any_expr(const TirExpr *expr, TirExprTest *is_one, const void *data) {
    ExprSearch search = {is_one, data, false};
    search_expr(expr, &search);
    return search.found;
}

bool tir_any_expr_of(const TirStmt *stmt, TirExprTest *is_one, const void *data) {
    ExprSearch search = {is_one, data, false};
    tir_read_exprs(stmt, search_expr, &search);
    return search.found;
}

bool tir_any_expr_in(const TirBlock *block, TirExprTest *is_one, const void *data) {
    ExprSearch search = {is_one, data, false};
    tir_read_exprs_in(block, search_expr, &search);
    return search.found;
}

bool tir_is_short_circuit(const TirExpr *expr) {
    return expr->kind == EXPR_MAP && type_is_scalar(expr->type) &&
           (expr->map.op == OP_AND || expr->map.op == OP_OR);
}

const TirVar *tir_index_var(const TirExpr *index, int64_t *offset) {
    uint32_t sum = 0;
    while (index->kind == EXPR_MAP && (index->map.op == OP_ADD || index->map.op == OP_SUB)) {
        bool is_left = index->map.op == OP_ADD && index->map.args[0]->kind == EXPR_CONST;
        const TirExpr *constant = index->map.args[is_left ? 0 : 1];
        if (constant->kind != EXPR_CONST) {
            return NULL;
        }
        uint32_t by = (uint32_t)constant->data[0].integer;
        sum += index->map.op == OP_ADD ? by : -by;
        index = index->map.args[is_left ? 1 : 0];
    }
    *offset = (int32_t)sum;
    return index->kind == EXPR_VAR ? index->var : NULL;
}

bool tir_finds_place(const TirExpr *expr) {
    return expr->kind == EXPR_REDUCE &&
           (expr->reduce.op == REDUCE_ARGMIN || expr->reduce.op == REDUCE_ARGMAX);
}

bool tir_op_is_sum(TirOp op) {
    return op == OP_ADD || op == OP_SUB || op == OP_MUL;
}

bool tir_op_is_function(TirOp op) {
    static const bool is_function[] = {
#define TIR_OP(NAME, text, arity, signature, cost) [OP_##NAME] = false,
#define TIR_FUNCTION(NAME, function, arity) [OP_##NAME] = true,
#include "tir/ops.def"
    };
    return is_function[op];
}

bool tir_op_is_dear(TirOp op) {
    return op == OP_DIV || op == OP_REM || op == OP_SQRT || tir_op_is_function(op);
}

static bool is_nonzero(const TirScalar *scalar, Root root) {
    switch (root) {
    case ROOT_UINT: return scalar->uint != 0;
    case ROOT_INT: return scalar->integer != 0;
    case ROOT_BOOL:
    case ROOT_REAL:
    case ROOT_CHAR:
    case ROOT_STR: break;
    }
    UNREACHABLE();
}

static bool divisor_is_safe(const TirExpr *divisor) {
    divisor = tir_bottom(divisor);
    if (divisor->kind != EXPR_CONST) {
        return false;
    }
    for (uint32_t i = 0; i < divisor->type->numel; i++) {
        if (!is_nonzero(&divisor->data[i], divisor->type->root)) {
            return false;
        }
    }
    return true;
}

bool tir_node_may_trap(const TirExpr *expr) {
    if (expr->kind == EXPR_VIEW) {
        for (size_t i = 0; i < expr->view.operand->type->flat_rank; i++) {
            if (expr->view.axes[i].index != NULL && !expr->view.axes[i].unchecked) {
                return true;
            }
        }
        return false;
    }
    return expr->kind == EXPR_MAP && (expr->map.op == OP_DIV || expr->map.op == OP_REM) &&
           expr->type->root != ROOT_REAL && !divisor_is_safe(expr->map.args[1]);
}

static bool node_may_trap(const TirExpr *expr, const void *data) {
    (void)data;
    return tir_node_may_trap(expr);
}

bool tir_may_trap(const TirExpr *expr) {
    return tir_any_expr(expr, node_may_trap, NULL);
}

bool tir_block_may_trap(const TirBlock *block) {
    return tir_any_expr_in(block, node_may_trap, NULL);
}

static bool is_bound(const TirExpr *expr, const void *data) {
    (void)data;
    for (size_t k = 0; expr->kind == EXPR_VIEW && k < expr->view.operand->type->flat_rank; k++) {
        if (expr->view.axes[k].index != NULL && !expr->view.axes[k].is_free) {
            return true;
        }
    }
    return false;
}

bool tir_is_free(const TirExpr *expr) {
    return !tir_any_expr(expr, is_bound, NULL);
}

// `is_inner`: within a loop that is looked at, too.
static bool may_leave(const TirBlock *block, bool is_inner) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        bool jumps = stmt->kind == STMT_BREAK || stmt->kind == STMT_CONTINUE;
        if (stmt->kind == STMT_RETURN || (jumps && !is_inner)) {
            return true;
        }
        bool is_loop = stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE;
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            if (may_leave(nested[k], is_inner || is_loop)) {
                return true;
            }
        }
    }
    return false;
}

bool tir_block_may_leave(const TirBlock *block) {
    return may_leave(block, false);
}

bool tir_may_leave(TirStmt *stmt) {
    return may_leave(&(TirBlock){.items = &stmt, .count = 1}, false);
}

const TirStmt *tir_loop_of(const LoopAround *around, const TirVar *var) {
    while (around != NULL && around->loop->for_loop.var != var) {
        around = around->outer;
    }
    return around == NULL ? NULL : around->loop;
}
