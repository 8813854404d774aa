// Gives loops that look for a least or a greatest value a form in which it is a record of theirs
// (LanesRecord), so that turns may run side by side. A condition beside the comparison goes around
// it, and what lies at the best position is kept beside that:
//
//     if valid[i] and x[i] < best:      if valid[i]:
//         best = x[i]                       if x[i] < best:
//                                               best = x[i]
//
//                                       best = x[at]
//     for i = 1:n:                      for i = 1:n:
//         if x[i] < x[at]:                  if x[i] < best:
//             at = i                            best = x[i]
//                                               at = i
//
// Reads any valid TIR.
#include "tir/passes/passes.h"

#include "tir/replace.h"
#include "tir/same.h"
#include "tir/uses.h"
#include "tir/visit.h"

typedef struct Keeper {
    Tir *tir;
    TirFunction *function;
    TirStmt *loop;   // the innermost one around
    TirBlock before; // what it begins with
} Keeper;

static bool is_comparison(const TirExpr *expr) {
    if (expr->kind != EXPR_MAP || !type_is_scalar(expr->type)) {
        return false;
    }
    TirOp op = expr->map.op;
    return op == OP_LT || op == OP_LE || op == OP_GT || op == OP_GE;
}

static bool is_and(const TirExpr *expr) {
    return tir_is_short_circuit(expr) && expr->map.op == OP_AND;
}

// What the block gives a scalar; NULL: nothing, or it does something else, too.
static TirExpr *value_given(const TirBlock *block, const TirVar *var) {
    TirExpr *value = NULL;
    for (size_t i = 0; i < block->count; i++) {
        const TirStmt *stmt = block->items[i];
        if (!tir_sets_whole(stmt)) {
            return NULL;
        }
        value = stmt->set.place->var == var ? stmt->set.value : value;
    }
    return value;
}

static bool writes_operand(const TirBlock *block, const TirExpr *expr) {
    for (size_t i = 0; i < block->count; i++) {
        if (tir_stmt_writes_operand(block->items[i], expr)) {
            return true;
        }
    }
    return false;
}

typedef struct Writes {
    const TirVar *var;
    unsigned count;
} Writes;

static void count_writes(TirStmt *stmt, void *data) {
    Writes *writes = data;
    TirVar *written;
    for (size_t k = 0; (written = tir_stmt_written(stmt, k)) != NULL; k++) {
        writes->count += written == writes->var;
    }
}

// Whether the loop reads and writes a variable at one place each: conditions of it say no more
// about what that is than holds before it.
static bool is_used_once(const TirStmt *loop, const TirVar *var) {
    Writes writes = {.var = var};
    tir_visit_stmts(&loop->for_loop.body, count_writes, &writes);
    return writes.count == 1 && tir_block_reads(&loop->for_loop.body, var) == 1;
}

static bool is_call(TirStmt *stmt, void *data) {
    (void)data;
    return stmt->kind == STMT_CALL;
}

// Whether an element, at the position that `at` is, can be read before the loop, which changes
// nothing of it but that.
static bool stays_but_for(TirStmt *loop, const TirExpr *element, const TirVar *at) {
    const TirExpr *array = element->view.operand;
    const TirBlock *body = &loop->for_loop.body;
    if (array->kind != EXPR_VAR || tir_block_writes(body, array->var) ||
        (tir_var_is_global(array->var) && tir_any_stmt(body, is_call, NULL))) {
        return false;
    }
    for (size_t k = 0; k < array->type->flat_rank; k++) {
        const TirAxis *axis = &element->view.axes[k];
        const TirExpr *index = axis->index;
        bool is_at = index != NULL && index->kind == EXPR_VAR && index->var == at;
        bool is_known =
            is_at ? axis->unchecked
                  : index == NULL || (axis->is_free && !tir_stmt_writes_operand(loop, index));
        if (!is_known) {
            return false;
        }
    }
    return true;
}

// The scalar int by which an element is chosen; NULL: none is.
static TirVar *position_of(const TirExpr *expr) {
    if (expr->kind != EXPR_VIEW || !type_is_scalar(expr->type)) {
        return NULL;
    }
    for (size_t k = 0; k < expr->view.operand->type->flat_rank; k++) {
        const TirExpr *index = expr->view.axes[k].index;
        if (index != NULL && index->kind == EXPR_VAR && tir_var_is_local(index->var)) {
            return index->var;
        }
    }
    return NULL;
}

// Where side `side` of a comparison is the element at the position that the block makes that of the
// other side, keeps that in a scalar. In a copy of the comparison, as others may share it.
static bool keep_element(Keeper *keeper, TirExpr **comparison, unsigned side, TirBlock *then) {
    Tir *tir = keeper->tir;
    TirExpr *element = (*comparison)->map.args[side];
    TirExpr *other = (*comparison)->map.args[1 - side];
    TirVar *at = position_of(element);
    TirExpr *position = at == NULL ? NULL : value_given(then, at);
    if (position == NULL || writes_operand(then, position) || !is_used_once(keeper->loop, at) ||
        !stays_but_for(keeper->loop, element, at)) {
        return false;
    }
    TirExpr *there = element;
    tir_replace(tir, &there, at, position);
    if (!tir_same_value(there, other)) {
        return false;
    }
    Span span = element->span;
    TirVar *best = tir_var_create(tir, keeper->function, VAR_TEMP, NULL, element->type, span);
    tir_set_var(tir, &keeper->before, best, element, span);
    TirBlock block = {0};
    tir_set_var(tir, &block, best, other, span);
    tir_append(tir, &block, then);
    *then = block;
    *comparison = tir_copy_node(tir, *comparison);
    (*comparison)->map.args[side] = tir_read(tir, best, span);
    return true;
}

// Whether the block keeps one side of a comparison in the scalar that the other side is.
static bool keeps(const TirExpr *comparison, const TirBlock *then) {
    for (unsigned side = 0; side < 2; side++) {
        const TirExpr *best = comparison->map.args[side];
        const TirExpr *value = best->kind == EXPR_VAR ? value_given(then, best->var) : NULL;
        if (value != NULL && tir_same_value(value, comparison->map.args[1 - side])) {
            return true;
        }
    }
    return false;
}

// Takes the comparison of a record out of a condition, which may become NULL. What stands behind it
// is evaluated before it then, and it only where that holds, so that neither may trap. NULL: it has
// none.
static TirExpr *take_record(Keeper *keeper, TirExpr **condition, TirBlock *then) {
    if (is_comparison(*condition)) {
        TirExpr *comparison = *condition;
        if (keep_element(keeper, &comparison, 0, then) ||
            keep_element(keeper, &comparison, 1, then) || keeps(comparison, then)) {
            *condition = NULL;
            return comparison;
        }
        return NULL;
    }
    if (!is_and(*condition)) {
        return NULL;
    }
    TirExpr *sides[] = {(*condition)->map.args[0], (*condition)->map.args[1]};
    TirExpr *record = take_record(keeper, &sides[1], then);
    if (record == NULL && !tir_may_trap(*condition) && tir_is_free(sides[1])) {
        record = take_record(keeper, &sides[0], then);
    }
    if (record != NULL) {
        const TirExpr *all = *condition;
        *condition = sides[0] == NULL   ? sides[1]
                     : sides[1] == NULL ? sides[0]
                                        : tir_map(keeper->tir, OP_AND, all->type, sides[0],
                                                  sides[1], NULL, all->span);
    }
    return record;
}

static void keep_record(Keeper *keeper, TirStmt *branch) {
    TirExpr *condition = branch->branch.condition;
    TirExpr *record = take_record(keeper, &condition, &branch->branch.then);
    if (record == NULL || condition == NULL) {
        branch->branch.condition = record != NULL ? record : branch->branch.condition;
        return;
    }
    TirBlock inner = {0};
    TirStmt *compare = tir_stmt(keeper->tir, &inner, STMT_IF, branch->span);
    compare->branch.condition = record;
    compare->branch.then = branch->branch.then;
    compare->branch.otherwise = (TirBlock){0};
    branch->branch.condition = condition;
    branch->branch.then = inner;
}

static void keep_in(Keeper *keeper, TirBlock *block) {
    TirBlock out = {0};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        Keeper inner = *keeper;
        inner.before = (TirBlock){0};
        inner.loop = stmt->kind == STMT_FOR ? stmt : stmt->kind == STMT_WHILE ? NULL : keeper->loop;
        bool is_same = inner.loop == keeper->loop;
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            keep_in(is_same ? keeper : &inner, nested[k]);
        }
        if (stmt->kind == STMT_IF && keeper->loop != NULL && stmt->branch.otherwise.count == 0) {
            keep_record(keeper, stmt);
        }
        tir_append(keeper->tir, &out, &inner.before);
        LIST_PUSH(keeper->tir->arena, &out, stmt);
    }
    *block = out;
}

void pass_records(Tir *tir, TirFunction *function) {
    Keeper keeper = {.tir = tir, .function = function};
    keep_in(&keeper, &function->body);
}
