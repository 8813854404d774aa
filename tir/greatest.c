// See greatest.h. The turns become an axis (tir/widen.h), along which vectors compare many at once.
#include "tir/greatest.h"

#include "tir/content.h"
#include "tir/widen.h"

enum {
    TURNS_LEAST = 32, // for which vectors pay that are brought together in the end
    OPS_MOST = 8,     // of a turn
    NODES_MOST = 64,
};

static TirExpr *greatest_of(Widening *turns, TirExpr *value) {
    TirExpr *all = widening_value(turns, value);
    if (all == NULL || widening_is_fixed(turns, value)) {
        return all == NULL ? NULL : value;
    }
    TirContent content = {0};
    tir_content_add(&content, all, NODES_MOST);
    bool is_light = content.nodes <= NODES_MOST && content.ops <= OPS_MOST;
    return is_light && !content.has_dear_ops
               ? tir_reduce(turns->tir, REDUCE_MAX, value->type, all, 0, 1, value->span)
               : NULL;
}

TirExpr *tir_greatest(Tir *tir, const TirStmt *loop, TirExpr *value, TirExpr *condition) {
    Widening turns;
    if (!widening_begin(&turns, tir, loop) || turns.turns < TURNS_LEAST) {
        return NULL;
    }
    turns.is_branch = true; // nothing is read that turns might not come to because it is outside
    value = tir_convert(tir, ROOT_UINT, value, loop->span);
    TirExpr *most = NULL;
    if (condition != NULL) {
        TirExpr *none = tir_const_uint(tir, 0, loop->span);
        most = greatest_of(
            &turns, tir_map(tir, OP_SELECT, value->type, condition, value, none, loop->span));
    }
    return most != NULL ? most : greatest_of(&turns, value);
}
