// Terms are combined in lanes where the dims that go are the innermost ones and long: the first
// term goes to lane 0 of the first accumulator, and so on (emit/lane_sum.h). What keeps the right
// operand's columns (M·M, v·M) adds them in order, so that lanes can run along the columns.
#include "codegen/plan/terms.h"

#include "codegen/plan/estimate.h"
#include "codegen/plan/limits.h"
#include "support/bug.h"
#include "tir/visit.h"
#include "types/memory.h"

// How many elements of this root fill a vector; without vectors, how many sums go side by side.
static unsigned full_lanes(const PlanFacts *facts, Root root) {
    if (!facts->vectors) {
        return LANES_SCALAR;
    }
    unsigned lanes = LANES_BYTES / root_bytes(root, facts->single);
    return lanes < LANES_FULL_LIMIT ? lanes : LANES_FULL_LIMIT;
}

// Whether order shows in the result, so that --fp=strict keeps it.
static bool is_rounded(const TirExpr *expr) {
    return expr->type->root == ROOT_REAL &&
           (expr->kind == EXPR_DOT || expr->reduce.op == REDUCE_SUM ||
            expr->reduce.op == REDUCE_PROD);
}

static uint64_t count_terms(const TirExpr *expr) {
    return expr->kind == EXPR_DOT ? expr->dot.right->type->dims[0]
                                  : expr->reduce.operand->type->numel / expr->type->numel;
}

static Root term_root(const TirExpr *expr) {
    return expr->kind == EXPR_DOT ? expr->type->root : expr->reduce.operand->type->root;
}

// No dim that stays is inside of those that go.
static bool goes_innermost(const TirExpr *expr) {
    if (expr->kind == EXPR_DOT) {
        return expr->dot.right->type->flat_rank == 1;
    }
    const Type *from = expr->reduce.operand->type;
    for (size_t k = expr->reduce.axis + expr->reduce.axis_count; k < from->flat_rank; k++) {
        if (from->dims[k] != 1) {
            return false;
        }
    }
    return true;
}

// Of an operand whose terms follow each other along `dim`.
static TermReads reads_along(const PlanFacts *facts, const TirExpr *operand, size_t dim) {
    int64_t steps[TYPE_FLAT_LIMIT] = {0};
    steps[dim] = 1;
    return element_has_lanes(facts, operand, steps) ? TERMS_STEP : TERMS_SINGLE;
}

static bool runs_backwards(const TirExpr *view) {
    bool found = false;
    for (size_t k = 0; view->kind == EXPR_VIEW && k < view->view.operand->type->flat_rank; k++) {
        found = found || (view->view.axes[k].axis == 0 && view->view.axes[k].step == -1);
    }
    return found;
}

// The same of a vector that is read for its terms alone: backwards it is put together of vectors.
static TermReads reads_of_terms(const PlanFacts *facts, const TirExpr *operand) {
    static const int64_t steps[TYPE_FLAT_LIMIT] = {1};
    bool is_turned = facts->vectors && operand->type->flat_rank == 1 && runs_backwards(operand);
    return is_turned && element_has_lanes_near(facts, operand, steps)
               ? TERMS_STEP
               : reads_along(facts, operand, operand->type->flat_rank - 1U);
}

// Whether elements from the end of a row of dim `dim` + 1 on are the next row's in memory.
typedef struct RowEnds {
    size_t dim;
    bool run_on;
} RowEnds;

static bool view_runs_on(const TirExpr *view, size_t dim) {
    const Type *from = view->view.operand->type;
    int64_t steps[2] = {0}; // of the two dims
    for (size_t k = 0; k < from->flat_rank; k++) {
        const TirAxis *axis = &view->view.axes[k];
        for (size_t side = 0; side < 2; side++) {
            bool moves = axis->index == NULL && axis->axis == (int)(dim + side);
            steps[side] = steps[side] * from->dims[k] + (moves ? axis->step : 0);
        }
    }
    return steps[0] == steps[1] * view->type->dims[dim + 1];
}

static void see_row_ends(const TirExpr *expr, void *data) {
    RowEnds *ends = data;
    switch (expr->kind) {
    case EXPR_CONST:
    case EXPR_VAR: return;
    case EXPR_MAP:
    case EXPR_CONVERT: tir_read_operands(expr, see_row_ends, data); return;
    case EXPR_VIEW: {
        TirExprKind operand = expr->view.operand->kind;
        ends->run_on = ends->run_on && (operand == EXPR_VAR || operand == EXPR_CONST) &&
                       view_runs_on(expr, ends->dim);
        return;
    }
    default: ends->run_on = false; return;
    }
}

// How many terms of a reduction lie side by side: those of the last dim, or of more.
static uint64_t row_of_terms(const TirExpr *reduce) {
    const TirExpr *operand = reduce->reduce.operand;
    size_t dim = reduce->reduce.axis + reduce->reduce.axis_count - 1U;
    uint64_t row = operand->type->dims[dim];
    for (; dim > reduce->reduce.axis; dim--) {
        RowEnds ends = {dim - 1, true};
        see_row_ends(operand, &ends);
        if (!ends.run_on) {
            break;
        }
        row *= operand->type->dims[dim - 1];
    }
    return row;
}

// Of several dims a vector has terms of one row where rows end with vectors.
static TermReads reduce_reads(const PlanFacts *facts, const TirExpr *reduce, unsigned lanes) {
    const TirExpr *operand = reduce->reduce.operand;
    if (element_has_flat_lanes(facts, operand)) {
        return TERMS_FLAT;
    }
    TermReads reads =
        reads_along(facts, operand, reduce->reduce.axis + reduce->reduce.axis_count - 1U);
    uint64_t row = row_of_terms(reduce);
    if (reads == TERMS_SINGLE || reduce->reduce.axis_count == 1 || row % lanes == 0) {
        return reads;
    }
    return row >= (uint64_t)TERMS_ROW_VECTORS * lanes ? TERMS_ROWS : TERMS_SINGLE;
}

static bool is_whole_vector(TermReads reads) {
    return reads == TERMS_FLAT || reads == TERMS_STEP;
}

// Whether elements of the operand lie side by side along a dim that stays, as those of a matrix
// that is turned do, and not along those that go. Then lanes run along that one, and each takes its
// terms in order; only where order shows nowhere, because passes may turn the matrix before or
// behind.
static bool lies_across(const PlanFacts *facts, const TirExpr *expr) {
    if (!facts->vectors || expr->kind == EXPR_DOT || is_rounded(expr) || expr->reduce.axis == 0) {
        return false;
    }
    size_t kept = expr->reduce.axis - 1;
    uint64_t vector = facts->vector_bytes / root_bytes(term_root(expr), facts->single);
    const TirExpr *operand = expr->reduce.operand;
    return operand->type->dims[kept] >= vector && reads_along(facts, operand, kept) == TERMS_STEP &&
           reduce_reads(facts, expr, full_lanes(facts, term_root(expr))) == TERMS_SINGLE;
}

// Whether a register holds that many: with masks, as such processors have, a comparison of two
// scalars takes as long as one of vectors.
static bool has_full_vectors(const PlanFacts *facts, Root root, unsigned lanes) {
    return facts->vector_bytes / root_bytes(root, facts->single) >= lanes;
}

bool terms_take_lanes(const PlanFacts *facts, const TirExpr *expr) {
    bool keeps_order =
        (facts->fp == FP_STRICT && is_rounded(expr)) || (tir_finds_place(expr) && !facts->vectors);
    unsigned lanes = full_lanes(facts, term_root(expr));
    bool is_one = tir_finds_place(expr) && has_full_vectors(facts, term_root(expr), lanes);
    uint64_t enough = is_one ? lanes : (uint64_t)TERMS_VECTORS_FROM * lanes;
    return !keeps_order && goes_innermost(expr) && count_terms(expr) >= enough &&
           !lies_across(facts, expr);
}

// The vectors that hold the sums of a dot, however its operands are read.
static uint64_t sum_vectors(const PlanFacts *facts, const TirExpr *dot) {
    const Type *left = dot->dot.left->type;
    const Type *right = dot->dot.right->type;
    uint64_t rows = left->flat_rank == 2 ? left->dims[0] : 1;
    uint64_t columns = right->flat_rank == 2 ? right->dims[1] : 1;
    if (columns == 1) {
        columns = rows;
        rows = 1;
    }
    uint64_t full = facts->vector_bytes / root_bytes(dot->type->root, facts->single);
    return rows * ((columns + full - 1) / full);
}

// Few sums of more than a few terms wait for each other's additions.
static unsigned chains_of(const PlanFacts *facts, const TirExpr *expr) {
    bool keeps_order = facts->fp == FP_STRICT || expr->type->root != ROOT_REAL;
    if (expr->kind != EXPR_DOT || !facts->vectors || keeps_order) {
        return 1;
    }
    uint64_t terms = count_terms(expr);
    bool is_few = sum_vectors(facts, expr) < CHAINS_SUMS_BELOW;
    return is_few && terms >= CHAINS_TERMS_FROM && terms <= CHAINS_TERMS_MOST ? 2 : 1;
}

bool terms_take_rows(const PlanFacts *facts, const TirExpr *dot) {
    const Type *left = dot->dot.left->type;
    if (!facts->vectors || left->flat_rank != 2 || dot->dot.right->type->flat_rank != 1) {
        return false;
    }
    bool is_for_llvm = count_terms(dot) < ROWS_TERMS_FROM && left->dims[0] > UNROLL_LIMIT;
    return count_terms(dot) > 1 && !is_for_llvm &&
           reads_along(facts, dot->dot.left, 1) == TERMS_STEP &&
           reads_along(facts, dot->dot.right, 0) == TERMS_STEP;
}

static bool order_unrolls(const PlanFacts *facts, const TirExpr *expr, uint64_t count) {
    return expr->kind == EXPR_REDUCE
               ? cost_unrolls(facts, element_cost(expr->reduce.operand), count)
               : element_unrolls_dot(facts, expr, count);
}

bool terms_seek_extent(const TirExpr *expr) {
    return expr->kind == EXPR_REDUCE && expr->type->root == ROOT_REAL &&
           (expr->reduce.op == REDUCE_MIN || expr->reduce.op == REDUCE_MAX);
}

static bool sets_nans_aside(const PlanFacts *facts, const TirExpr *expr, uint64_t count) {
    return terms_seek_extent(expr) && facts->selects && count > 1;
}

// Vectors of each accumulator in a round: as many as the terms have, of what is simple to compute.
static unsigned round_depth(const TirExpr *reduce, const TermsPlan *plan) {
    CHECK(plan->accumulators > 0);
    unsigned depth =
        tir_finds_place(reduce) ? PLACE_DEPTH : TERMS_ACCUMULATORS / plan->accumulators;
    depth = is_whole_vector(plan->reads[0]) ? depth : 1;
    uint64_t cost = element_cost(reduce->reduce.operand);
    while (depth > 1 && ((uint64_t)depth * plan->accumulators * plan->lanes > plan->count ||
                         depth * plan->accumulators * cost > BEST_COST_LIMIT)) {
        depth /= 2;
    }
    return depth;
}

// Of the best, whichever comes first: its order shows nowhere.
static bool has_free_order(const TirExpr *expr, const TermsPlan *plan) {
    return plan->nans_aside || tir_finds_place(expr);
}

static unsigned accumulators_of(const PlanFacts *facts, const TirExpr *expr,
                                const TermsPlan *plan) {
    if (!facts->vectors) {
        return 1;
    }
    bool is_half = has_free_order(expr, plan) && facts->vector_registers < BEST_REGISTERS;
    return is_half ? TERMS_ACCUMULATORS / 2 : TERMS_ACCUMULATORS;
}

static unsigned planned_registers(const PlanFacts *facts, const TirExpr *expr,
                                  const TermsPlan *plan, unsigned ways) {
    uint64_t bytes = plan->lanes * root_bytes(term_root(expr), facts->single);
    unsigned each = (unsigned)((bytes + facts->vector_bytes - 1) / facts->vector_bytes);
    if (plan->nans_aside) {
        return ways == plan->accumulators ? each * (ways + EXTENT_BESIDE) : 0;
    }
    return each * ways;
}

uint64_t terms_round_length(const TermsPlan *plan) {
    return (uint64_t)plan->lanes * plan->accumulators * plan->depth;
}

unsigned terms_registers(const PlanFacts *facts, const TirExpr *expr, unsigned ways) {
    TermsPlan plan = terms_plan(facts, expr);
    return planned_registers(facts, expr, &plan, ways);
}

unsigned terms_registers_limit(const PlanFacts *facts) {
    return facts->vector_registers * TERMS_SHARE / TERMS_WHOLE;
}

// As many accumulators as registers hold, or all where that is not possible.
static unsigned ways_alone(const PlanFacts *facts, const TirExpr *expr, const TermsPlan *plan) {
    if (!facts->vectors || has_free_order(expr, plan)) {
        return plan->accumulators;
    }
    unsigned ways = plan->accumulators;
    while (ways > 1 && planned_registers(facts, expr, plan, ways) > terms_registers_limit(facts)) {
        ways /= 2;
    }
    return ways;
}

// Of integers and bools, whose order shows nowhere, as many terms as fill two registers with the
// widest of what they are made of: LLVM packs masks of more for their sum. Of rows that do not
// follow each other as many of these as rows are made of.
static unsigned lanes_of_integers(const PlanFacts *facts, const TirExpr *reduce, unsigned most) {
    const TirExpr *operand = reduce->reduce.operand;
    unsigned lanes = 2 * facts->vector_bytes / (unsigned)element_widest(facts, operand);
    lanes = lanes < most ? lanes : most;
    unsigned part = lanes;
    while (part > ROW_LANES_LEAST && !is_whole_vector(reduce_reads(facts, reduce, part))) {
        part /= 2;
    }
    return is_whole_vector(reduce_reads(facts, reduce, part)) ? part : lanes;
}

TermsPlan terms_plan(const PlanFacts *facts, const TirExpr *expr) {
    if (expr->kind == EXPR_DOT && expr->dot.whole != NULL) {
        return terms_plan(facts, expr->dot.whole);
    }
    TermsPlan plan = {
        .count = count_terms(expr), .lanes = 1, .accumulators = 1, .depth = 1, .chains = 1};
    plan.in_lanes = terms_take_lanes(facts, expr);
    plan.nans_aside = sets_nans_aside(facts, expr, plan.count);
    if (!plan.in_lanes) {
        plan.unrolled = order_unrolls(facts, expr, plan.count);
        plan.chains = chains_of(facts, expr);
        return plan;
    }
    plan.lanes = full_lanes(facts, term_root(expr));
    if (facts->vectors && has_free_order(expr, &plan)) {
        // What is remembered beside the best takes registers, too.
        unsigned own = facts->vector_bytes / (unsigned)root_bytes(term_root(expr), facts->single);
        plan.lanes = own < plan.lanes ? own : plan.lanes;
    } else if (facts->vectors && expr->kind == EXPR_REDUCE && term_root(expr) != ROOT_REAL) {
        plan.lanes = lanes_of_integers(facts, expr, plan.lanes);
    }
    plan.accumulators = accumulators_of(facts, expr, &plan);
    uint64_t rounds = expr->kind == EXPR_DOT ? DOT_ROUNDS_LEAST : 1;
    while (plan.accumulators > 1 && plan.accumulators * rounds > plan.count / plan.lanes) {
        plan.accumulators /= 2;
    }
    if (expr->kind == EXPR_REDUCE) {
        plan.reads[0] = reduce_reads(facts, expr, plan.lanes);
        plan.row = row_of_terms(expr);
    } else {
        plan.reads[0] = reads_of_terms(facts, expr->dot.left);
        plan.reads[1] = reads_of_terms(facts, expr->dot.right);
    }
    plan.ways = ways_alone(facts, expr, &plan);
    plan.depth = has_free_order(expr, &plan) ? round_depth(expr, &plan) : 1;
    return plan;
}
