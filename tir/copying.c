#include "tir/copying.h"

#include "tir/uses.h"
#include "tir/view.h"
#include "tir/visit.h"
#include "tir/widen.h"

// What loops hold of which each holds nothing but the next; NULL: one holds more.
static const TirStmt *innermost(const TirStmt *loop) {
    while (loop->kind == STMT_FOR) {
        if (loop->for_loop.body.count != 1) {
            return NULL;
        }
        loop = loop->for_loop.body.items[0];
    }
    return loop;
}

const TirStmt *tir_copying_set(const TirStmt *loop) {
    const TirStmt *inner = innermost(loop);
    bool is_part = inner != NULL && inner->kind == STMT_SET && inner->set.place->kind == EXPR_VIEW;
    return is_part && inner->set.value->kind == EXPR_VIEW ? inner : NULL;
}

const TirStmt *tir_part_set(const TirStmt *loop) {
    const TirStmt *inner = innermost(loop);
    bool is_part = inner != NULL && inner->kind == STMT_SET &&
                   tir_place_var(inner->set.place)->storage == STORAGE_PART;
    return is_part ? inner : NULL;
}

// From the innermost loop outwards.
static bool widen(Tir *tir, const TirStmt *loop, TirExpr **place, TirExpr **value) {
    const TirStmt *inner = loop->for_loop.body.items[0];
    if (inner->kind == STMT_FOR && !widen(tir, inner, place, value)) {
        return false;
    }
    Widening turns;
    if ((*place)->kind != EXPR_VIEW || !widening_begin(&turns, tir, loop)) {
        return false;
    }
    turns.at = widening_axis(&turns, *place);
    *place = widening_place(&turns, *place);
    *value = *place == NULL ? NULL : widening_value(&turns, *value);
    return *value != NULL;
}

TirExpr *tir_copied(Tir *tir, const TirStmt *loop, TirExpr *place, TirExpr *value) {
    if (!widen(tir, loop, &place, &value) || value->kind != EXPR_VIEW ||
        reshape_skip_levels(place)->kind != EXPR_VAR) {
        return NULL;
    }
    TirVar *var = tir_place_var(place);
    return tir_expr_reads(value, var) == 0 ? tir_reshape(tir, var->type, value, value->span) : NULL;
}
