// What is known about an expression before its code is there: cost, and which positions it can give
// at once.
#include "codegen/plan/estimate.h"

#include "codegen/plan/limits.h"
#include "codegen/plan/terms.h"
#include "support/bug.h"
#include "tir/uses.h"
#include "tir/view.h"
#include "tir/visit.h"
#include "types/memory.h"

static void add_cost(const TirExpr *operand, void *data) {
    uint64_t *sum = data;
    *sum += element_cost(operand);
}

// How many elements of its operands one element of an expression looks at.
static uint64_t terms_of(const TirExpr *expr) {
    if (expr->kind == EXPR_REDUCE) {
        return expr->reduce.operand->type->numel / expr->type->numel;
    }
    if (expr->kind == EXPR_DOT) {
        const Type *left = expr->dot.left->type;
        return left->dims[left->flat_rank - 1];
    }
    return 1;
}

uint64_t element_cost(const TirExpr *expr) {
    uint64_t sum = 0;
    tir_read_operands(expr, add_cost, &sum);
    bool is_math = expr->kind == EXPR_MAP && tir_op_is_function(expr->map.op);
    uint64_t cost = terms_of(expr) * (sum + (is_math ? COST_MATH_CALL : 1));
    return cost < COST_LIMIT ? cost : COST_LIMIT;
}

// Bits are those of either way where there are no vectors.
static bool is_small(const PlanFacts *facts) {
    return facts->small && !facts->vectors;
}

bool cost_unrolls(const PlanFacts *facts, uint64_t cost, uint64_t count) {
    uint64_t limit = is_small(facts) ? UNROLL_SMALL_LIMIT : UNROLL_LIMIT;
    uint64_t cost_limit = is_small(facts) ? UNROLL_SMALL_COST_LIMIT : UNROLL_COST_LIMIT;
    return count <= limit && count * cost <= cost_limit;
}

bool element_unrolls_dot(const PlanFacts *facts, const TirExpr *dot, uint64_t count) {
    uint64_t cost = element_cost(dot->dot.left) + element_cost(dot->dot.right);
    return count * cost <= (is_small(facts) ? UNROLL_SMALL_DOT_LIMIT : UNROLL_DOT_LIMIT);
}

static void and_flat(const TirExpr *operand, void *data) {
    bool *all = data;
    *all = *all && element_is_flat(operand);
}

// A view that uses no axis of its result: the same scalar everywhere.
static bool is_spread_scalar(const TirExpr *view) {
    for (size_t k = 0; k < view->view.operand->type->flat_rank; k++) {
        if (view->view.axes[k].axis >= 0 && view->view.axes[k].step != 0) {
            return false;
        }
    }
    return true;
}

bool element_is_flat(const TirExpr *expr) {
    switch (expr->kind) {
    case EXPR_CONST:
    case EXPR_VAR:
    case EXPR_IOTA: return true;
    case EXPR_MAP:
    case EXPR_CONVERT:
    case EXPR_RESHAPE: break;
    case EXPR_VIEW: return is_spread_scalar(expr);
    case EXPR_LITERAL:
    case EXPR_CONCAT:
    case EXPR_REDUCE:
    case EXPR_CUMSUM:
    case EXPR_DOT: return expr->type->flat_rank <= 1;
    }
    bool all = true;
    tir_read_operands(expr, and_flat, &all);
    return all;
}

// A real in single precision does not hold all ints.
const TirExpr *element_int_of_size(const PlanFacts *facts, const TirExpr *expr) {
    if (facts->single || expr->kind != EXPR_CONVERT || !root_is_integer(expr->type->root)) {
        return NULL;
    }
    const TirExpr *size = expr->operand;
    const TirExpr *real =
        size->kind == EXPR_MAP && size->map.op == OP_ABS ? size->map.args[0] : NULL;
    bool is_of_int =
        real != NULL && real->kind == EXPR_CONVERT && real->operand->type->root == ROOT_INT;
    return is_of_int ? real->operand : NULL;
}

typedef struct Widest {
    const PlanFacts *facts;
    uint64_t bytes;
} Widest;

static void see_width(const TirExpr *operand, void *data) {
    Widest *widest = data;
    uint64_t bytes = element_widest(widest->facts, operand);
    widest->bytes = bytes > widest->bytes ? bytes : widest->bytes;
}

uint64_t element_widest(const PlanFacts *facts, const TirExpr *expr) {
    Widest widest = {facts, root_bytes(expr->type->root, facts->single)};
    const TirExpr *size = element_int_of_size(facts, expr);
    tir_read_operands(size != NULL ? size : expr, see_width, &widest);
    return widest.bytes;
}

static bool is_loop(const TirExpr *expr, const void *data) {
    (void)data;
    return expr->kind == EXPR_REDUCE || expr->kind == EXPR_DOT;
}

bool element_has_loop(const TirExpr *expr) {
    return tir_any_expr(expr, is_loop, NULL);
}

static bool is_function(const TirExpr *expr, const void *data) {
    (void)data;
    return expr->kind == EXPR_MAP && tir_op_is_function(expr->map.op);
}

bool element_has_function(const TirExpr *expr) {
    return tir_any_expr(expr, is_function, NULL);
}

static bool takes_rows(const TirExpr *expr, const void *facts) {
    return expr->kind == EXPR_DOT && terms_take_rows(facts, expr);
}

bool element_takes_rows(const PlanFacts *facts, const TirExpr *expr) {
    return tir_any_expr(expr, takes_rows, facts);
}

// How the lanes of an expression move: along its dims, or, where `steps` is NULL, along its
// row-major positions by `step`.
typedef struct Motion {
    const int64_t *steps;
    int64_t step;
    const int64_t *across; // of tiles: how the rows of a tile move; else NULL
    bool apart;            // what is read may lie apart in memory
    const TirExpr *near;   // a few elements apart, where it is read once in this; else NULL
} Motion;

static bool has_lanes(const PlanFacts *facts, const TirExpr *expr, Motion motion);

static int64_t row_major_step(const Type *type, Motion motion) {
    if (motion.steps == NULL) {
        return motion.step;
    }
    int64_t step = 0;
    for (size_t k = 0; k < type->flat_rank; k++) {
        step = step * type->dims[k] + motion.steps[k];
    }
    return step;
}

static bool is_side_by_side(const Type *type, Motion motion) {
    int64_t step = row_major_step(type, motion);
    bool is_turned =
        motion.across != NULL && row_major_step(type, (Motion){.steps = motion.across}) == 1;
    return step == 0 || step == 1 || is_turned || motion.apart;
}

// What lies a few elements apart is put together of vectors. Where other elements of the array are
// read, too, LLVM finds those that share them; with the longest vectors every second element is
// had sooner without it (rows of 31 pairs: 0.45 of the time; with AVX2 500 pairs 1.4).
static bool is_near(const PlanFacts *facts, const TirExpr *expr, Motion motion) {
    int64_t step = row_major_step(expr->type, motion);
    bool is_second = (step == 2 || step == -2) && facts->vector_bytes == LANES_BYTES;
    return motion.near != NULL && step >= -NEAR_LIMIT && step <= NEAR_LIMIT &&
           root_bytes(expr->type->root, facts->single) >= NEAR_ELEMENT_BYTES &&
           (expr->kind == EXPR_CONST || is_second || tir_expr_reads(motion.near, expr->var) == 1);
}

static bool map_has_lanes(const PlanFacts *facts, const TirExpr *expr, Motion motion) {
    TirOp op = expr->map.op;
    if (type_is_scalar(expr->type)) {
        return true; // the same in every lane
    }
    for (unsigned i = 0; i < tir_op_arity(op); i++) {
        if (!has_lanes(facts, expr->map.args[i], motion)) {
            return false;
        }
    }
    return true;
}

static bool view_has_lanes(const PlanFacts *facts, const TirExpr *expr, Motion motion) {
    const Type *from = expr->view.operand->type;
    int64_t steps[TYPE_FLAT_LIMIT];
    int64_t across[TYPE_FLAT_LIMIT];
    for (size_t k = 0; k < from->flat_rank; k++) {
        const TirAxis *axis = &expr->view.axes[k];
        bool moves = axis->index == NULL && axis->axis >= 0 && axis->step != 0;
        if (moves && motion.steps == NULL) {
            return false;
        }
        steps[k] = moves ? axis->step * motion.steps[axis->axis] : 0;
        across[k] = moves && motion.across != NULL ? axis->step * motion.across[axis->axis] : 0;
    }
    return has_lanes(facts, expr->view.operand,
                     (Motion){.steps = steps,
                              .across = motion.across == NULL ? NULL : across,
                              .apart = motion.apart,
                              .near = motion.near});
}

// The reduced dims stand still while the lanes move along the others.
static bool reduction_has_lanes(const PlanFacts *facts, const TirExpr *expr, Motion motion) {
    if (terms_take_lanes(facts, expr) || motion.steps == NULL || motion.across != NULL) {
        return false;
    }
    int64_t steps[TYPE_FLAT_LIMIT] = {0};
    const Type *from = expr->reduce.operand->type;
    size_t axis = expr->reduce.axis;
    size_t end = axis + expr->reduce.axis_count;
    for (size_t k = 0; k < from->flat_rank; k++) {
        steps[k] = k < axis   ? motion.steps[k]
                   : k >= end ? motion.steps[k - expr->reduce.axis_count]
                              : 0;
    }
    return has_lanes(facts, expr->reduce.operand, (Motion){.steps = steps});
}

static bool dot_has_lanes(const PlanFacts *facts, const TirExpr *expr, Motion motion) {
    if (motion.steps == NULL || motion.across != NULL) {
        return false;
    }
    if (terms_take_rows(facts, expr)) {
        return true;
    }
    if (terms_take_lanes(facts, expr)) {
        return false;
    }
    const Type *left = expr->dot.left->type;
    const Type *right = expr->dot.right->type;
    int64_t left_steps[2] = {0};
    int64_t right_steps[2] = {0};
    size_t kept_left = left->flat_rank - 1u;
    for (size_t k = 0; k < kept_left; k++) {
        left_steps[k] = motion.steps[k];
    }
    for (size_t k = 1; k < right->flat_rank; k++) {
        right_steps[k] = motion.steps[kept_left + k - 1];
    }
    return has_lanes(facts, expr->dot.left, (Motion){.steps = left_steps}) &&
           has_lanes(facts, expr->dot.right, (Motion){.steps = right_steps});
}

static bool reshape_has_lanes(const PlanFacts *facts, const TirExpr *expr, Motion motion) {
    if (reshape_is_of_levels(expr)) {
        return has_lanes(facts, expr->operand, motion);
    }
    if (motion.across != NULL) {
        return false;
    }
    Motion flat = {.step = row_major_step(expr->type, motion), .apart = motion.apart};
    return flat.step == 0 ||
           (element_is_flat(expr->operand) && has_lanes(facts, expr->operand, flat));
}

static bool has_lanes(const PlanFacts *facts, const TirExpr *expr, Motion motion) {
    if (motion.steps == NULL && expr->type->flat_rank == 1) {
        motion.steps = &motion.step; // the same, by dims
    }
    switch (expr->kind) {
    case EXPR_IOTA: return true;
    case EXPR_CONST:
    case EXPR_VAR: return is_side_by_side(expr->type, motion) || is_near(facts, expr, motion);
    case EXPR_MAP: return map_has_lanes(facts, expr, motion);
    case EXPR_CONVERT: return has_lanes(facts, expr->operand, motion);
    case EXPR_VIEW: return view_has_lanes(facts, expr, motion);
    case EXPR_RESHAPE: return reshape_has_lanes(facts, expr, motion);
    case EXPR_REDUCE: return reduction_has_lanes(facts, expr, motion);
    case EXPR_DOT: return dot_has_lanes(facts, expr, motion);
    case EXPR_LITERAL:
    case EXPR_CONCAT:
    case EXPR_CUMSUM: return false;
    }
    UNREACHABLE();
}

bool element_has_lanes(const PlanFacts *facts, const TirExpr *expr, const int64_t *steps) {
    return has_lanes(facts, expr, (Motion){.steps = steps});
}

bool element_has_lanes_apart(const PlanFacts *facts, const TirExpr *expr, const int64_t *steps) {
    return has_lanes(facts, expr, (Motion){.steps = steps, .apart = true});
}

bool element_has_lanes_near(const PlanFacts *facts, const TirExpr *expr, const int64_t *steps) {
    return has_lanes(facts, expr, (Motion){.steps = steps, .near = expr});
}

bool element_has_flat_lanes(const PlanFacts *facts, const TirExpr *expr) {
    return element_is_flat(expr) && has_lanes(facts, expr, (Motion){.step = 1});
}

bool element_has_tiles(const PlanFacts *facts, const TirExpr *expr, const int64_t *steps,
                       const int64_t *across) {
    return has_lanes(facts, expr, (Motion){.steps = steps, .across = across});
}
