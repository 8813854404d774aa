// The values of one piece follow each other as ever; only the stores wait. So a value may read what
// an earlier one of the nest stores at the same position as long as that comes from a register
// (emit/nest.h), which it does where both are the same elements for certain. What other pieces
// store no value reads: a nest has no such values, and a set that needs one copies it before.
#include "codegen/plan/pieces.h"

#include "codegen/plan/estimate.h"
#include "codegen/plan/limits.h"
#include "tir/alias.h"
#include "tir/uses.h"
#include "tir/view.h"
#include "tir/visit.h"

typedef struct Search {
    const TirExpr *place; // of an earlier value
    bool waits;           // something reads it in memory
} Search;

static bool is_place(const TirExpr *expr) {
    return tir_bottom(expr)->kind == EXPR_VAR;
}

static void see_read(const TirExpr *expr, void *data) {
    Search *search = data;
    if (tir_expr_reads(expr, tir_place_var(search->place)) == 0) {
        return;
    }
    if (expr->kind == EXPR_MAP || expr->kind == EXPR_CONVERT) {
        tir_read_operands(expr, see_read, search);
        return;
    }
    search->waits = search->waits || !is_place(expr) || view_bottom(expr) == NULL ||
                    !tir_same_map(search->place, expr);
}

static bool waits_for(const PlanStore *earlier, const TirExpr *value) {
    Search search = {.place = earlier->to->place};
    if (earlier->to->kind != INTO_PLACE || view_bottom(search.place) == NULL) {
        return tir_expr_reads(value, destination_var(earlier->to)) > 0;
    }
    see_read(value, &search);
    return search.waits;
}

static bool any_waits(const PlanStore *stores, size_t count) {
    for (size_t i = 0; i < count; i++) {
        for (size_t k = i + 1; k < count; k++) {
            if (waits_for(&stores[i], stores[k].value)) {
                return true;
            }
        }
    }
    return false;
}

// Their scalar operations, and whether they are nothing else.
static uint64_t cost_of(const PlanStore *stores, size_t count, bool *is_plain) {
    uint64_t cost = 0;
    *is_plain = true;
    for (size_t i = 0; i < count; i++) {
        const TirExpr *value = stores[i].value;
        cost += element_cost(value);
        *is_plain = *is_plain && !element_has_loop(value) && !element_has_function(value);
    }
    return cost;
}

// The arrays that are written, each a value that may be read until the end of a piece.
static uint64_t arrays_of(const PlanStore *stores, size_t count) {
    uint64_t arrays = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_first = true;
        for (size_t k = 0; k < i; k++) {
            is_first = is_first && destination_var(stores[k].to) != destination_var(stores[i].to);
        }
        arrays += is_first;
    }
    return arrays;
}

unsigned pieces_at_once(const PlanFacts *facts, const PlanStore *stores, size_t count,
                        const WalkPlan *walk) {
    unsigned pieces = PIECES_BYTES / LANES_BYTES * facts->vector_bytes / LANES_BYTES;
    bool has_pieces = walk->lanes > 1 && walk->wrap.period == 0 && walk->rows == 1 &&
                      !walk->unrolled && !walk->is_apart && !walk->streams;
    if (!has_pieces || facts->small || pieces < 2 ||
        walk->dims[walk->along] / walk->lanes < PIECES_ROUNDS_FROM * pieces) {
        return 1;
    }
    uint64_t vectors = arrays_of(stores, count) * LANES_BYTES / facts->vector_bytes;
    while (pieces > 1 && pieces * vectors > facts->vector_registers) {
        pieces /= 2;
    }
    bool is_plain;
    uint64_t cost = cost_of(stores, count, &is_plain);
    bool gains = is_plain && pieces * cost <= PIECES_COST_LIMIT;
    return gains && !any_waits(stores, count) ? pieces : 1;
}
