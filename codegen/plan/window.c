// The statements as tir/shift.h leaves them: a loop that sets rows one by one, from the far end on.
// They may run row by row together, as none of them reads what another one writes beside the
// window, and none can end in a fault.
#include "codegen/plan/window.h"

#include "codegen/plan/estimate.h"
#include "codegen/plan/limits.h"
#include "codegen/plan/terms.h"
#include "tir/uses.h"
#include "tir/visit.h"
#include "types/memory.h"

// The matrix of which a view is one whole row; NULL: it is none.
static const TirVar *row_of(const TirExpr *view) {
    if (view->kind != EXPR_VIEW || view->view.operand->kind != EXPR_VAR || tir_may_trap(view)) {
        return NULL;
    }
    const TirVar *var = view->view.operand->var;
    if (var->type->flat_rank != 2 || view->type->numel != var->type->dims[1]) {
        return NULL;
    }
    const TirAxis *row = &view->view.axes[0], *column = &view->view.axes[1];
    bool is_whole = column->index == NULL && column->axis >= 0 && column->step == 1;
    return is_whole && row->axis < 0 ? var : NULL;
}

// The loop that moves all rows by one.
static bool moves_rows(const TirStmt *loop, WindowPlan *plan) {
    if (loop->kind != STMT_FOR || loop->for_loop.body.count != 1 ||
        loop->for_loop.first->kind != EXPR_CONST || loop->for_loop.last->kind != EXPR_CONST ||
        loop->for_loop.step->kind != EXPR_CONST) {
        return false;
    }
    const TirStmt *set = loop->for_loop.body.items[0];
    if (set->kind != STMT_SET) {
        return false;
    }
    const TirExpr *to = set->set.place, *from = set->set.value;
    const TirVar *window = row_of(to);
    int64_t at, behind;
    if (window == NULL || row_of(from) != window || window->type->root != ROOT_REAL ||
        to->view.axes[0].index == NULL || from->view.axes[0].index == NULL ||
        tir_index_var(to->view.axes[0].index, &at) != loop->for_loop.var ||
        tir_index_var(from->view.axes[0].index, &behind) != loop->for_loop.var) {
        return false;
    }
    *plan = (WindowPlan){.move = loop,
                         .window = window,
                         .goes_down = behind < at,
                         .rows = window->type->dims[0],
                         .columns = window->type->dims[1]};
    int64_t first = loop->for_loop.first->data[0].integer + at;
    int64_t last = loop->for_loop.last->data[0].integer + at;
    int64_t step = loop->for_loop.step->data[0].integer;
    int64_t rows = plan->rows;
    return plan->goes_down ? at - behind == 1 && step == -1 && first == rows - 1 && last == 0
                           : behind - at == 1 && step == 1 && first == 0 && last == rows - 1;
}

// The row that is left is set to what has nothing to do with the window.
static bool sets_fresh(const PlanFacts *facts, const TirStmt *set, const WindowPlan *plan) {
    if (set->kind != STMT_SET || row_of(set->set.place) != plan->window) {
        return false;
    }
    const TirAxis *row = &set->set.place->view.axes[0];
    const TirExpr *value = set->set.value;
    const int64_t along[] = {1};
    return row->index == NULL && row->start == (plan->goes_down ? 0 : plan->rows - 1) &&
           value->type->flat_rank == 1 && !tir_may_trap(value) &&
           tir_expr_reads(value, plan->window) == 0 && element_has_lanes_apart(facts, value, along);
}

// The factors are asked for row by row, once for each piece.
static bool multiplies(const TirStmt *set, const WindowPlan *plan) {
    if (!tir_sets_whole(set) || set->set.value->kind != EXPR_DOT) {
        return false;
    }
    const TirExpr *left = set->set.value->dot.left, *right = set->set.value->dot.right;
    const TirVar *result = set->set.place->var;
    bool is_window = right->kind == EXPR_VAR && right->var == plan->window;
    return is_window && result != plan->window && tir_var_is_apart(result) &&
           left->type->flat_rank == 1 && !tir_may_trap(left) &&
           tir_expr_reads(left, plan->window) == 0 && tir_expr_reads(left, result) == 0 &&
           !element_has_loop(left) && element_cost(left) <= WINDOW_FACTOR_COST &&
           tir_expr_reads(plan->fresh->set.value, result) == 0;
}

// A statement that may as well come before the window moves: one that is about other variables, and
// that does not end in a fault between the two.
static bool is_aside(const TirStmt *stmt, const WindowPlan *plan) {
    return tir_sets_whole(stmt) && stmt->set.place->var != plan->window &&
           tir_var_is_apart(stmt->set.place->var) && !tir_may_trap(stmt->set.value) &&
           tir_expr_reads(stmt->set.value, plan->window) == 0;
}

// Windows that steps may keep in registers, and short ones, are left to straight code.
static bool plan_lanes(const PlanFacts *facts, WindowPlan *plan) {
    unsigned full = facts->vector_bytes / root_bytes(ROOT_REAL, facts->single);
    plan->lanes = full;
    while (plan->lanes > 1 && plan->columns % plan->lanes != 0) {
        plan->lanes /= 2;
    }
    plan->pieces = plan->chains == 2 ? 1 : WINDOW_PIECES;
    while (plan->columns % (plan->lanes * plan->pieces) != 0) {
        plan->pieces /= 2;
    }
    return plan->lanes > 1 && plan->rows >= WINDOW_ROWS_FROM &&
           (uint64_t)plan->rows * plan->columns > KEPT_LIMIT;
}

// The next statement from number `at` on that is no aside. Behind the new row asides must not write
// what that is made of.
static size_t skip_asides(const TirBlock *block, size_t at, const WindowPlan *plan) {
    while (at < block->count && is_aside(block->items[at], plan) &&
           (plan->fresh == NULL ||
            tir_expr_reads(plan->fresh->set.value, block->items[at]->set.place->var) == 0)) {
        at++;
    }
    return at;
}

bool plan_window(const PlanFacts *facts, const TirBlock *block, size_t first, WindowPlan *plan) {
    if (!facts->vectors || facts->opt_level < 2 || !moves_rows(block->items[first], plan)) {
        return false;
    }
    size_t at = skip_asides(block, first + 1, plan);
    if (at == block->count || !sets_fresh(facts, block->items[at], plan)) {
        return false;
    }
    plan->fresh = block->items[at];
    at = skip_asides(block, at + 1, plan);
    if (at == block->count || !multiplies(block->items[at], plan)) {
        return false;
    }
    plan->product = block->items[at];
    plan->count = at + 1 - first;
    TermsPlan terms = terms_plan(facts, plan->product->set.value);
    plan->chains = terms.chains;
    return !terms.in_lanes && plan_lanes(facts, plan);
}

bool window_is_aside(const WindowPlan *plan, const TirStmt *stmt) {
    return stmt != plan->move && stmt != plan->fresh && stmt != plan->product;
}
