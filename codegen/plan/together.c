// Each reduction alone reads its operands once more, and few sums wait for each other's additions.
// The order of the terms of each is as ever, so bits do not depend on this.
#include "codegen/plan/together.h"

#include "codegen/plan/estimate.h"
#include "codegen/plan/terms.h"
#include "tir/same.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum { CANDIDATES = 16 };

typedef struct Candidates {
    const PlanFacts *facts;
    const TirExpr *items[CANDIDATES];
    size_t statements[CANDIDATES]; // which one has it
    size_t count, statement;
} Candidates;

static bool is_candidate(const PlanFacts *facts, const TirExpr *expr) {
    bool reduces = expr->kind == EXPR_REDUCE || expr->kind == EXPR_DOT;
    if (!reduces || !type_is_scalar(expr->type) || tir_finds_place(expr) ||
        element_has_function(expr)) {
        return false;
    }
    TermsPlan plan = terms_plan(facts, expr);
    return plan.in_lanes && plan.reads[0] != TERMS_SINGLE && plan.reads[1] != TERMS_SINGLE &&
           plan.count >= 2 * terms_round_length(&plan);
}

// What is evaluated once, whatever else is: not below an `and` or `or`, nor inside of an array.
static void see_candidates(const TirExpr *expr, void *data) {
    Candidates *found = data;
    if (is_candidate(found->facts, expr)) {
        if (found->count < CANDIDATES) {
            found->statements[found->count] = found->statement;
            found->items[found->count++] = expr;
        }
        return;
    }
    bool goes_on =
        expr->kind == EXPR_LITERAL || (type_is_scalar(expr->type) && !tir_is_short_circuit(expr) &&
                                       (expr->kind == EXPR_MAP || expr->kind == EXPR_CONVERT));
    if (goes_on) {
        tir_read_operands(expr, see_candidates, found);
    }
}

static bool reads_written(const TirBlock *block, size_t first, size_t number) {
    for (size_t i = first; i < number; i++) {
        const TirVar *var = tir_place_var(block->items[i]->set.place);
        if (tir_expr_reads(block->items[number]->set.value, var) > 0) {
            return true;
        }
    }
    return false;
}

// Statements from `first` on, as long as each may be evaluated before the others are stored.
static void find_candidates(const TirBlock *block, size_t first, Candidates *found) {
    for (size_t i = first; i < block->count; i++) {
        const TirStmt *stmt = block->items[i];
        size_t before = found->count;
        bool is_plain = stmt->kind == STMT_SET && !tir_may_trap(stmt->set.value) &&
                        (i == first || type_is_scalar(stmt->set.place->type));
        if (!is_plain || reads_written(block, first, i)) {
            return;
        }
        found->statement = i - first;
        see_candidates(stmt->set.value, found);
        if (found->count == before || !type_is_scalar(stmt->set.place->type)) {
            return;
        }
    }
}

static bool agree(const PlanFacts *facts, const TirExpr *a, const TirExpr *b) {
    TermsPlan one = terms_plan(facts, a), other = terms_plan(facts, b);
    return one.count == other.count && one.lanes == other.lanes &&
           one.accumulators == other.accumulators && one.depth == other.depth &&
           tir_share_array(a, b);
}

static bool is_extent(const TirExpr *expr) {
    return expr->kind == EXPR_REDUCE &&
           (expr->reduce.op == REDUCE_MIN || expr->reduce.op == REDUCE_MAX);
}

static size_t first_of_operand(const TogetherPlan *plan, const TirExpr *expr) {
    for (size_t i = 0; is_extent(expr) && i < plan->count; i++) {
        const TirExpr *other = plan->terms[i];
        if (is_extent(other) && tir_same_value(other->reduce.operand, expr->reduce.operand)) {
            return i;
        }
    }
    return plan->count;
}

// Those that can go with candidate `leader` where a loop takes `ways` accumulators, as registers
// last.
static TogetherPlan with_leader(const Candidates *found, size_t leader, unsigned ways) {
    const PlanFacts *facts = found->facts;
    TogetherPlan plan = {.ways = ways};
    unsigned registers = 0;
    for (size_t i = leader; i < found->count && plan.count < TOGETHER_LIMIT; i++) {
        const TirExpr *expr = found->items[i];
        unsigned more = terms_registers(facts, expr, ways);
        bool goes = i == leader || agree(facts, found->items[leader], expr);
        if (goes && more > 0 && registers + more <= terms_registers_limit(facts)) {
            registers += more;
            plan.nans_of[plan.count] = first_of_operand(&plan, expr);
            plan.terms[plan.count++] = expr;
            plan.statements = found->statements[i] + 1;
        } else if (i == leader) {
            break;
        }
    }
    return plan;
}

// As many as possible; of these, as many accumulators at once.
static TogetherPlan most_with_leader(const Candidates *found, size_t leader) {
    TogetherPlan most = {0};
    unsigned all = terms_plan(found->facts, found->items[leader]).accumulators;
    for (unsigned ways = all; ways > 0; ways /= 2) {
        TogetherPlan plan = with_leader(found, leader, ways);
        most = plan.count > most.count ? plan : most;
    }
    return most;
}

TogetherPlan together_plan(const PlanFacts *facts, const TirBlock *block, size_t first) {
    Candidates found = {.facts = facts};
    if (facts->vectors && facts->opt_level > 0) {
        find_candidates(block, first, &found);
    }
    for (size_t i = 0; i < found.count && found.statements[i] == 0; i++) {
        TogetherPlan plan = most_with_leader(&found, i);
        if (plan.count > 1) {
            return plan;
        }
    }
    return (TogetherPlan){0};
}
