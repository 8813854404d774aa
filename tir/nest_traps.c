// Only divisions trap in nests: indices are computed before any element. Where there are several,
// all divide by the same, so that the first of them traps or none.
#include "tir/nest_traps.h"

#include "tir/alias.h"
#include "tir/view.h"
#include "tir/visit.h"

static bool is_same_part(const TirExpr *a, const TirExpr *b) {
    return view_is_fixed_part(a) && view_is_fixed_part(b) && tir_place_var(a) == tir_place_var(b) &&
           tir_same_map(a, b);
}

// By what sets may trap.
typedef struct Traps {
    const TirExpr *divisor; // of the first division; NULL: none traps
    bool has_others;        // an index, or a division by something else
} Traps;

static void note_traps(const TirExpr *expr, void *data) {
    Traps *traps = data;
    if (tir_node_may_trap(expr)) {
        const TirExpr *divisor = expr->kind == EXPR_MAP ? expr->map.args[1] : NULL;
        bool is_other =
            divisor == NULL || (traps->divisor != NULL && !is_same_part(traps->divisor, divisor));
        traps->has_others |= is_other;
        traps->divisor = traps->divisor == NULL ? divisor : traps->divisor;
    }
    tir_read_operands(expr, note_traps, data);
}

// It is gone when its function ends with a fault.
static bool is_left_behind(const TirStmt *set) {
    TirVarRole role = tir_place_var(set->set.place)->role;
    return role != VAR_LOCAL && role != VAR_TEMP && role != VAR_RESULT;
}

bool tir_nest_traps_agree(const TirBlock *nest, const TirStmt *set) {
    Traps traps = {.divisor = NULL};
    bool is_left = false;
    bool changes = false; // the divisor, between two divisions
    for (size_t i = 0; i <= nest->count; i++) {
        const TirStmt *at = i < nest->count ? nest->items[i] : set;
        note_traps(at->set.value, &traps);
        note_traps(at->set.place, &traps);
        is_left |= is_left_behind(at);
        changes |= traps.divisor != NULL && view_is_fixed_part(traps.divisor) &&
                   tir_place_var(at->set.place) == tir_place_var(traps.divisor);
    }
    return !traps.has_others && (traps.divisor == NULL || (!is_left && !changes));
}
