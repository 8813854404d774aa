// `if c: y = a else: y = b` is `y = select(c, a, b)`, and where there is no else, `y` itself is the
// other value. Both values are computed, so neither may trap, and only scalars are; and as the
// condition stands in each of the sets, none of them may change it for those behind it.
#include "tir/branchless.h"

#include "tir/same.h"
#include "tir/uses.h"
#include "tir/visit.h"

static bool is_safe(const TirStmt *set) {
    return type_is_scalar(set->set.place->type) && !tir_may_trap(set->set.value) &&
           !tir_may_trap(set->set.place);
}

static TirExpr *chosen(Tir *tir, TirExpr *condition, TirExpr *yes, TirExpr *no) {
    return tir_map(tir, OP_SELECT, yes->type, condition, yes, no, yes->span);
}

static void choose(Tir *tir, const TirStmt *set, TirExpr *value, TirBlock *flat) {
    TirStmt *copy = tir_set(tir, flat, set->set.place, value, set->span);
    copy->set.is_update = set->set.is_update;
}

// One set in each block, of the same place.
static bool is_pair(const TirBlock *then, const TirBlock *otherwise) {
    return then->count == 1 && otherwise->count == 1 &&
           tir_same_value(then->items[0]->set.place, otherwise->items[0]->set.place);
}

static bool branch(Tir *tir, const TirStmt *stmt, TirBlock *flat) {
    TirExpr *condition = stmt->branch.condition;
    TirBlock then = {0};
    TirBlock otherwise = {0};
    if (tir_may_trap(condition) || !tir_without_branches(tir, &stmt->branch.then, &then) ||
        !tir_without_branches(tir, &stmt->branch.otherwise, &otherwise)) {
        return false;
    }
    if (is_pair(&then, &otherwise)) {
        const TirStmt *yes = then.items[0];
        const TirStmt *no = otherwise.items[0];
        if (!is_safe(yes) || !is_safe(no)) {
            return false;
        }
        choose(tir, yes, chosen(tir, condition, yes->set.value, no->set.value), flat);
        return true;
    }
    bool is_changed = false;
    for (size_t i = 0; i < then.count + otherwise.count; i++) {
        bool is_then = i < then.count;
        const TirStmt *set = is_then ? then.items[i] : otherwise.items[i - then.count];
        if (!is_safe(set) || is_changed) {
            return false;
        }
        TirExpr *place = set->set.place;
        TirExpr *value = set->set.value;
        choose(tir, set, chosen(tir, condition, is_then ? value : place, is_then ? place : value),
               flat);
        is_changed = tir_expr_reads(condition, tir_place_var(place)) > 0;
    }
    return true;
}

bool tir_without_branches(Tir *tir, const TirBlock *block, TirBlock *flat) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_IF) {
            if (!branch(tir, stmt, flat)) {
                return false;
            }
        } else if (stmt->kind == STMT_SET) {
            LIST_PUSH(tir->arena, flat, stmt);
        } else {
            return false;
        }
    }
    return true;
}
