// `r = a .* x` and then `g = r .* a`: a few rows of the matrix give as many elements of the
// first, and what these rows add to the second, while they are in the first cache. The sums of the
// second are in memory from rows to rows; they are added up in the same order as ever.
#include "codegen/plan/both_ways.h"

#include "codegen/plan/estimate.h"
#include "codegen/plan/limits.h"
#include "codegen/plan/terms.h"
#include "tir/uses.h"
#include "tir/visit.h"
#include "types/memory.h"

// A whole variable is set.
static bool sets_variable(const TirStmt *stmt) {
    return tir_sets_whole(stmt) && stmt->set.place->type->flat_rank == 1 &&
           stmt->set.place->type->root == ROOT_REAL && stmt->set.value->type->flat_rank == 1 &&
           !tir_may_trap(stmt->set.value);
}

static bool is_down(const PlanFacts *facts, const TirStmt *stmt) {
    if (!sets_variable(stmt)) {
        return false;
    }
    const TirExpr *value = stmt->set.value;
    if (value->kind != EXPR_DOT || value->dot.left->kind != EXPR_VAR ||
        value->dot.left->type->flat_rank != 1 || value->dot.right->kind != EXPR_VAR ||
        value->dot.right->type->flat_rank != 2) {
        return false;
    }
    TermsPlan terms = terms_plan(facts, value);
    return !terms.in_lanes && !terms.unrolled && terms.chains == 1 &&
           type_bytes(value->dot.right->type, facts->single) >= BOTH_WAYS_BYTES_FROM;
}

static bool is_product_of(const TirExpr *expr, const void *matrix) {
    return expr->kind == EXPR_DOT && expr->dot.left->kind == EXPR_VAR &&
           expr->dot.left->var == matrix && expr->dot.right->type->flat_rank == 1;
}

// Nothing that is written is read, but for the elements of the first by the second.
static bool are_apart(const TirStmt *across, const TirStmt *down) {
    const TirVar *first = across->set.place->var;
    const TirVar *second = down->set.place->var;
    const TirExpr *values[] = {across->set.value, down->set.value};
    bool apart = first != second && tir_var_is_apart(second) &&
                 tir_expr_reads(values[0], first) == 0 && down->set.value->dot.right->var != first;
    for (size_t i = 0; i < 2; i++) {
        apart = apart && tir_expr_reads(values[i], second) == 0;
    }
    return apart;
}

BothWaysPlan both_ways_plan(const PlanFacts *facts, PlanScope *scope, const TirFunction *function,
                            const TirBlock *block, size_t first) {
    BothWaysPlan none = {.rows = 0};
    if (!facts->vectors || facts->opt_level == 0 || facts->small || first + 1 >= block->count) {
        return none;
    }
    const TirStmt *across = block->items[first];
    const TirStmt *down = block->items[first + 1];
    if (!sets_variable(across) || !is_down(facts, down) || !are_apart(across, down)) {
        return none;
    }
    const TirExpr *matrix = down->set.value->dot.right;
    if (!tir_any_expr(across->set.value, is_product_of, matrix->var) ||
        across->set.value->type->numel != matrix->type->dims[0] ||
        element_has_function(across->set.value)) {
        return none;
    }
    Destination to = plan_place(facts, scope, function, across);
    Plan plan = plan_set(facts, &to, across->set.value);
    bool takes_rows = plan.kind == PLAN_ROWS && element_takes_rows(facts, across->set.value) &&
                      !plan.walk.unrolled && !plan.walk.streams && plan.walk.wrap.period == 0;
    return takes_rows ? (BothWaysPlan){plan.walk.lanes, across, down} : none;
}
