// `if c: y = a else: y = b` is `y = select(c, a, b)`, and where there is no else, `y` itself is the
// other value. Both values are computed, so neither may trap, and only scalars are. The condition
// stands in each of the sets; where one of them changes it for those behind it, a variable keeps
// what it was.
#include "tir/branchless.h"

#include "support/table.h"
#include "tir/same.h"
#include "tir/uses.h"
#include "tir/visit.h"

typedef struct Flattening {
    Tir *tir;
    TirFunction *function;
    Table kept; // variables that keep conditions
} Flattening;

static bool is_safe(const TirStmt *set) {
    return type_is_scalar(set->set.place->type) && !tir_may_trap(set->set.value) &&
           !tir_may_trap(set->set.place);
}

static bool keeps_condition(const Flattening *flattening, const TirStmt *set) {
    return table_get(&flattening->kept, tir_place_var(set->set.place)) != NULL;
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

// Whether one of the sets changes the condition before another one asks it.
static bool changes(const TirExpr *condition, const TirBlock *sets, bool is_last) {
    for (size_t i = 0; i < sets->count - (is_last && sets->count > 0); i++) {
        if (tir_expr_reads(condition, tir_place_var(sets->items[i]->set.place)) > 0) {
            return true;
        }
    }
    return false;
}

static TirExpr *keep(Flattening *flattening, TirExpr *condition, TirBlock *flat) {
    Tir *tir = flattening->tir;
    TirVar *var =
        tir_var_create(tir, flattening->function, VAR_TEMP, NULL, condition->type, condition->span);
    table_set(tir->arena, &flattening->kept, var, var);
    tir_set(tir, flat, tir_read(tir, var, condition->span), condition, condition->span);
    return tir_read(tir, var, condition->span);
}

static bool flatten_block(Flattening *flattening, const TirBlock *block, TirBlock *flat);

static bool flatten_branch(Flattening *flattening, const TirStmt *stmt, TirBlock *flat) {
    Tir *tir = flattening->tir;
    TirExpr *condition = stmt->branch.condition;
    TirBlock then = {0};
    TirBlock otherwise = {0};
    if (tir_may_trap(condition) || !flatten_block(flattening, &stmt->branch.then, &then) ||
        !flatten_block(flattening, &stmt->branch.otherwise, &otherwise)) {
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
    if (changes(condition, &then, otherwise.count == 0) || changes(condition, &otherwise, true)) {
        condition = keep(flattening, condition, flat);
    }
    for (size_t i = 0; i < then.count + otherwise.count; i++) {
        bool is_then = i < then.count;
        TirStmt *set = is_then ? then.items[i] : otherwise.items[i - then.count];
        if (!is_safe(set)) {
            return false;
        }
        if (keeps_condition(flattening, set)) {
            LIST_PUSH(tir->arena, flat, set); // nobody else reads it
            continue;
        }
        TirExpr *place = set->set.place;
        TirExpr *value = set->set.value;
        choose(tir, set, chosen(tir, condition, is_then ? value : place, is_then ? place : value),
               flat);
    }
    return true;
}

static bool flatten_block(Flattening *flattening, const TirBlock *block, TirBlock *flat) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_IF) {
            if (!flatten_branch(flattening, stmt, flat)) {
                return false;
            }
        } else if (stmt->kind == STMT_SET) {
            LIST_PUSH(flattening->tir->arena, flat, stmt);
        } else {
            return false;
        }
    }
    return true;
}

bool tir_without_branches(Tir *tir, TirFunction *function, const TirBlock *block, TirBlock *flat) {
    Flattening flattening = {.tir = tir, .function = function};
    return flatten_block(&flattening, block, flat);
}
