// `s = s op f(i)` in all turns is `s = s op reduce(f)`, where the order of the operands does not
// show in the result: sums and products of integers wrap, and least and greatest are the same in
// any order. A sum of reals keeps the order that is written (L5.6). In turns in which a condition
// does not hold an integer gets 0.
#include "tir/gather.h"

#include "tir/constant.h"
#include "tir/same.h"
#include "tir/uses.h"
#include "tir/visit.h"

typedef struct Gathering {
    TirOp op;
    TirReduction reduction;
    bool of_reals, of_integers, of_bools;
} Gathering;

static const Gathering gatherings[] = {
    {OP_ADD, REDUCE_SUM, .of_integers = true},
    {OP_MUL, REDUCE_PROD, .of_integers = true},
    {OP_MIN, REDUCE_MIN, .of_reals = true, .of_integers = true},
    {OP_MAX, REDUCE_MAX, .of_reals = true, .of_integers = true},
    {OP_AND, REDUCE_ALL, .of_bools = true},
    {OP_OR, REDUCE_ANY, .of_bools = true},
};

static const Gathering *gathering_of(const TirExpr *value) {
    Root root = value->type->root;
    for (size_t i = 0; i < sizeof(gatherings) / sizeof(*gatherings); i++) {
        const Gathering *row = &gatherings[i];
        bool is_of_root = root == ROOT_REAL   ? row->of_reals
                          : root == ROOT_BOOL ? row->of_bools
                                              : row->of_integers;
        if (value->kind == EXPR_MAP && value->map.op == row->op && is_of_root) {
            return row;
        }
    }
    return NULL;
}

// A scalar that is the same in all turns.
static bool is_fixed_scalar(const Widening *turns, const TirExpr *place) {
    if (!type_is_scalar(place->type) || place->kind != EXPR_VIEW || tir_may_trap(place)) {
        return type_is_scalar(place->type) && place->kind == EXPR_VAR;
    }
    for (size_t k = 0; k < place->view.operand->type->flat_rank; k++) {
        const TirExpr *index = place->view.axes[k].index;
        if (index != NULL &&
            (!widening_is_fixed(turns, index) || tir_expr_reads(index, tir_place_var(place)) > 0)) {
            return false;
        }
    }
    return place->view.operand->kind == EXPR_VAR;
}

// What is added and the like to the place in a turn; NULL: something else happens.
static TirExpr *gathered_value(const TirExpr *place, const TirExpr *value) {
    for (unsigned k = 0; k < 2; k++) {
        TirExpr *other = value->map.args[1 - k];
        bool is_self = tir_same_value(place, value->map.args[k]) &&
                       tir_expr_reads(other, tir_place_var(place)) == 0;
        if (is_self && !tir_may_trap(other)) {
            return other;
        }
    }
    return NULL;
}

// What is added to the place, or 0; NULL: something else happens.
static TirExpr *added(Tir *tir, const TirExpr *place, const TirExpr *value) {
    if (tir_same_value(place, value)) {
        return tir_const_int(tir, 0, value->span);
    }
    bool is_sum = value->kind == EXPR_MAP && value->map.op == OP_ADD;
    return is_sum ? gathered_value(place, value) : NULL;
}

static bool is_number(const TirExpr *expr, int32_t number) {
    return constant_is_int(expr) && expr->data[0].integer == number;
}

// One of two terms: of a condition that counts, 1 where it holds costs less than to choose.
static TirExpr *chosen(Tir *tir, const TirExpr *place, const TirExpr *select) {
    TirExpr *condition = select->map.args[0];
    TirExpr *then = added(tir, place, select->map.args[1]);
    TirExpr *otherwise = added(tir, place, select->map.args[2]);
    if (then == NULL || otherwise == NULL || tir_may_trap(condition) ||
        tir_expr_reads(condition, tir_place_var(place)) > 0) {
        return NULL;
    }
    return is_number(then, 1) && is_number(otherwise, 0)
               ? tir_convert(tir, ROOT_INT, condition, select->span)
               : tir_map(tir, OP_SELECT, select->type, condition, then, otherwise, select->span);
}

bool tir_gathers(Tir *tir, const TirStmt *set, TirGathering *found) {
    const TirExpr *place = set->set.place, *value = set->set.value;
    if (place->kind != EXPR_VAR || !type_is_scalar(place->type) || value->kind != EXPR_MAP) {
        return false;
    }
    if (value->map.op == OP_SELECT && place->type->root == ROOT_INT) {
        *found = (TirGathering){OP_ADD, REDUCE_SUM, chosen(tir, place, value)};
        return found->term != NULL;
    }
    const Gathering *row = gathering_of(value);
    TirExpr *term = row == NULL ? NULL : gathered_value(place, value);
    if (term != NULL) {
        *found = (TirGathering){row->op, row->reduction, term};
    }
    return term != NULL;
}

TirExpr *tir_gathered_in_order(const TirStmt *set) {
    const TirExpr *place = set->set.place, *value = set->set.value;
    bool is_scalar = place->kind == EXPR_VAR && type_is_scalar(place->type);
    if (!is_scalar || value->kind != EXPR_MAP || value->type->root != ROOT_REAL) {
        return NULL;
    }
    switch ((int)value->map.op) {
    case OP_ADD:
    case OP_MUL: return gathered_value(place, value);
    case OP_SUB:
        return tir_same_value(place, value->map.args[0]) ? gathered_value(place, value) : NULL;
    default: return NULL;
    }
}

// The values of turns in which the condition holds, and 0 in the others.
static TirExpr *where(Widening *turns, TirExpr *condition, TirExpr *values) {
    Tir *tir = turns->tir;
    TirExpr *holds = widening_value(turns, condition);
    if (holds == NULL) {
        return NULL;
    }
    TirExpr *zero = values->type->root == ROOT_INT ? tir_const_int(tir, 0, values->span)
                                                   : tir_const_uint(tir, 0, values->span);
    TirExpr *zeros = tir_view(tir, values->type, zero, NULL, values->span);
    return tir_map(tir, OP_SELECT, values->type, holds, values, zeros, values->span);
}

TirStmt *tir_gathered(Widening *turns, const TirStmt *body) {
    TirExpr *condition = NULL;
    const TirStmt *set = body;
    if (body->kind == STMT_IF && body->branch.then.count == 1 &&
        body->branch.otherwise.count == 0) {
        condition = body->branch.condition;
        set = body->branch.then.items[0];
    }
    if (set->kind != STMT_SET || !is_fixed_scalar(turns, set->set.place)) {
        return NULL;
    }
    TirExpr *place = set->set.place;
    const TirExpr *value = set->set.value;
    const Gathering *gathering = gathering_of(value);
    TirExpr *other = gathering == NULL ? NULL : gathered_value(place, value);
    bool holds_always = condition == NULL;
    if (other == NULL || (!holds_always && (gathering->op != OP_ADD || tir_may_trap(condition) ||
                                            tir_expr_reads(condition, tir_place_var(place)) > 0))) {
        return NULL;
    }
    turns->at = 0;
    turns->is_branch = !holds_always;
    TirExpr *values = widening_is_computed(turns, place) ? widening_value(turns, other) : NULL;
    turns->is_branch = false;
    values = values == NULL || holds_always ? values : where(turns, condition, values);
    if (values == NULL) {
        return NULL;
    }
    Tir *tir = turns->tir;
    TirExpr *all = tir_reduce(tir, gathering->reduction, value->type, values, 0, 1, value->span);
    TirExpr *before = value->map.args[value->map.args[0] == other ? 1 : 0];
    TirExpr *sum = tir_map(tir, gathering->op, value->type, before, all, NULL, value->span);
    TirBlock out = {0};
    TirStmt *gathered = tir_set(tir, &out, place, sum, set->span);
    gathered->set.is_update = set->set.is_update;
    return gathered;
}
