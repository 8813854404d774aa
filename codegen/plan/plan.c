// The choice between the kinds: what moves whole bytes comes first, then what has code of its own,
// then walks of the index space.
#include "codegen/plan/plan.h"

#include "codegen/plan/estimate.h"
#include "codegen/plan/limits.h"
#include "support/bug.h"
#include "tir/view.h"
#include "tir/visit.h"
#include "types/memory.h"

#include <math.h>

bool plan_is_zero_fill(const TirExpr *value) {
    if (value->kind == EXPR_VIEW || value->kind == EXPR_RESHAPE) {
        const TirExpr *operand = value->kind == EXPR_VIEW ? value->view.operand : value->operand;
        return plan_is_zero_fill(operand);
    }
    if (value->kind != EXPR_CONST || value->type->numel > 1) {
        return false;
    }
    TirScalar scalar = value->data[0];
    switch (value->type->root) {
    case ROOT_BOOL: return !scalar.boolean;
    case ROOT_UINT: return scalar.uint == 0;
    case ROOT_INT: return scalar.integer == 0;
    case ROOT_REAL: return scalar.real == 0 && !signbit(scalar.real);
    case ROOT_CHAR:
    case ROOT_STR: BUG("text reached code generation");
    }
    UNREACHABLE();
}

// Whether memory holds the value already, row-major.
static bool is_in_memory(const TirExpr *value) {
    value = reshape_skip(value);
    return value->kind == EXPR_VAR || value->kind == EXPR_CONST;
}

// Objects to embed have no memcpy and memset to call: loops over lanes do it.
static bool moves_bytes(const PlanFacts *facts, const Destination *to, const TirExpr *value) {
    return !facts->embedded && value->type->numel > UNROLL_LIMIT && destination_is_contiguous(to);
}

// Sums of a row wait for each other; those of as many rows as a register has lanes, which are
// turned on the way, do not. The order within a row is the same.
static RunningPlan running_plan(const PlanFacts *facts, const Destination *to,
                                const TirExpr *value) {
    const Type *type = value->type;
    if (!facts->vectors || type->flat_rank < 2) {
        return (RunningPlan){.rows = 1};
    }
    int64_t steps[TYPE_FLAT_LIMIT] = {0};
    steps[type->flat_rank - 1] = 1;
    unsigned lanes = facts->vector_bytes / (unsigned)root_bytes(type->root, facts->single);
    lanes = lanes < RUNNING_ROWS ? lanes : RUNNING_ROWS;
    bool is_long = type->dims[type->flat_rank - 2] >= lanes &&
                   type->dims[type->flat_rank - 1] >= lanes && lanes > 1;
    bool has_lanes = is_long && element_has_lanes(facts, value->operand, steps) &&
                     destination_has_lanes(facts, to, steps);
    return (RunningPlan){.rows = has_lanes ? lanes : 1};
}

Plan plan_set(const PlanFacts *facts, const Destination *to, const TirExpr *value) {
    Plan plan = {.kind = PLAN_PARTS};
    if (moves_bytes(facts, to, value) && plan_is_zero_fill(value)) {
        plan.kind = PLAN_FILL;
    } else if (moves_bytes(facts, to, value) && is_in_memory(value)) {
        plan.kind = PLAN_COPY;
    } else if (product_plan(facts, to, value, &plan.product)) {
        plan.kind = PLAN_PRODUCT;
    } else if (value->kind == EXPR_LITERAL || value->kind == EXPR_CONCAT) {
        plan.kind = PLAN_PARTS;
    } else if (value->kind == EXPR_CUMSUM) {
        plan.kind = PLAN_RUNNING;
        plan.running = running_plan(facts, to, value);
    } else {
        plan.walk = walk_plan(facts, &(PlanStore){to, value}, 1);
        plan.kind = plan.walk.lanes > 1 ? PLAN_ROWS : PLAN_ELEMENTS;
        TilesPlan tiles;
        bool is_apart = plan.kind == PLAN_ELEMENTS || plan.walk.is_apart;
        if (is_apart && tiles_plan(facts, to, value, &tiles)) {
            plan = (Plan){.kind = PLAN_TILES, .tiles = tiles};
        }
    }
    return plan;
}

// Results beyond the last cache of one core that nothing here reads: what would stay of them in
// caches is not worth reading the memory first that is overwritten. What a function of our own gets
// as its result it reads next, most likely.
static bool place_streams(const PlanFacts *facts, PlanScope *scope, const TirFunction *function,
                          const TirStmt *set) {
    if (!facts->streams || type_bytes(set->set.value->type, facts->single) < STREAM_BYTES_FROM) {
        return false;
    }
    const TirVar *var = tir_place_var(set->set.place);
    bool is_handed_on = tir_var_is_interface(var) && !function->exported;
    return !is_handed_on && !scope_reads(scope, function, var);
}

Destination plan_place(const PlanFacts *facts, PlanScope *scope, const TirFunction *function,
                       const TirStmt *set) {
    return (Destination){
        .kind = INTO_PLACE,
        .type = set->set.place->type,
        .place = set->set.place,
        .streams = place_streams(facts, scope, function, set),
    };
}
