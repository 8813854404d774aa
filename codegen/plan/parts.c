// What parts that read one array after the other bring into the first cache twice, they bring there
// once when they take turns.
#include "codegen/plan/parts.h"

#include "codegen/plan/estimate.h"
#include "codegen/plan/limits.h"
#include "tir/uses.h"
#include "tir/visit.h"
#include "types/memory.h"

static bool are_alike(const Destination *to, const TirExpr *value) {
    size_t count = destination_part_count(value);
    const Type *first = destination_part_value(value, 0)->type;
    for (size_t i = 0; i < count; i++) {
        const TirExpr *part = destination_part_value(value, i);
        bool is_plain =
            !element_has_loop(part) && !element_has_function(part) && !tir_may_trap(part);
        if (!is_plain || part->type->flat_rank == 0 || part->type->root != first->root ||
            !type_same_dims(part->type, first) || tir_expr_reads(part, destination_var(to)) > 0) {
            return false;
        }
    }
    return true;
}

static bool read_the_same(const TirExpr *value) {
    for (size_t i = 1; i < destination_part_count(value); i++) {
        if (!tir_share_array(destination_part_value(value, 0), destination_part_value(value, i))) {
            return false;
        }
    }
    return true;
}

void parts_plan(const PlanFacts *facts, const Destination *to, const TirExpr *value,
                PartsPlan *plan) {
    size_t count = destination_part_count(value);
    plan->count = 0;
    if (value->kind != EXPR_CONCAT || count < 2 || count > PARTS_LIMIT || facts->small ||
        destination_streams(to) || type_bytes(value->type, facts->single) < PARTS_BYTES_FROM ||
        !are_alike(to, value) || !read_the_same(value)) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        plan->places[i] = destination_part(to, value, i, i == 0 ? NULL : &plan->places[i - 1]);
        plan->stores[i] = (PlanStore){&plan->places[i], destination_part_value(value, i)};
    }
    plan->walk = walk_plan(facts, plan->stores, count);
    if (plan->walk.lanes > 1 && plan->walk.wrap.period == 0) {
        plan->count = count;
    }
}
