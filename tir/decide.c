// What is left out was computed in vain; it stays where it may trap.
#include "tir/decide.h"

#include "tir/visit.h"

static bool is_int(const TirExpr *expr) {
    return expr->type->root == ROOT_INT && type_is_scalar(expr->type);
}

bool decide_is_choice(const TirExpr *expr) {
    if (expr->kind != EXPR_MAP || tir_op_arity(expr->map.op) != 2 || !is_int(expr->map.args[0]) ||
        !is_int(expr->map.args[1])) {
        return false;
    }
    switch ((int)expr->map.op) {
    case OP_EQ:
    case OP_NE:
    case OP_LT:
    case OP_LE:
    case OP_GT:
    case OP_GE:
    case OP_MIN:
    case OP_MAX:
    case OP_REM: return true;
    default: return false;
    }
}

// What is known of a beside b.
typedef struct Order {
    bool less, not_greater, not_less, greater;
} Order;

static Order order_of(Interval a, Interval b) {
    return interval_is_empty(a) || interval_is_empty(b)
               ? (Order){false}
               : (Order){
                     .less = a.most<b.least, .not_greater = a.most <= b.least,
                                    .not_less = a.least >= b.most, .greater = a.least>
                                 b.most,
                 };
}

typedef enum Outcome { OUTCOME_OPEN, OUTCOME_FALSE, OUTCOME_TRUE } Outcome;

static Outcome outcome(bool is_true, bool is_false) {
    return is_true ? OUTCOME_TRUE : is_false ? OUTCOME_FALSE : OUTCOME_OPEN;
}

static Outcome compare(TirOp op, Interval a, Interval b) {
    Order order = order_of(a, b);
    bool differ = order.less || order.greater, agree = order.not_greater && order.not_less;
    switch ((int)op) {
    case OP_EQ: return outcome(agree, differ);
    case OP_NE: return outcome(differ, agree);
    case OP_LT: return outcome(order.less, order.not_less);
    case OP_LE: return outcome(order.not_greater, order.greater);
    case OP_GT: return outcome(order.greater, order.not_greater);
    case OP_GE: return outcome(order.not_less, order.less);
    default: return OUTCOME_OPEN;
    }
}

// Whether all of a lies in one period of b, which are not negative; the multiple of b below it.
static bool in_period(Interval a, Interval b, int64_t *below) {
    if (!interval_is_exact(b) || b.least <= 0 || interval_is_empty(a) || a.least < 0) {
        return false;
    }
    *below = a.least / b.least * b.least;
    return a.most / b.least * b.least == *below;
}

bool decide_holds(const Interval *vars, const TirExpr *choice) {
    Interval a = interval_of(vars, choice->map.args[0]), b = interval_of(vars, choice->map.args[1]);
    Order order = order_of(a, b);
    int64_t below;
    return choice->map.op == OP_REM ? in_period(a, b, &below)
           : choice->map.op == OP_MIN || choice->map.op == OP_MAX
               ? order.not_greater || order.not_less
               : compare(choice->map.op, a, b) != OUTCOME_OPEN;
}

static TirExpr *without(TirExpr *kept, const TirExpr *dropped, TirExpr *whole) {
    return tir_may_trap(dropped) ? whole : kept;
}

// The dividend less `below`, as one sum.
static TirExpr *remainder_of(Tir *tir, TirExpr *dividend, int64_t below) {
    bool is_sum = dividend->kind == EXPR_MAP && dividend->map.op == OP_ADD &&
                  dividend->map.args[1]->kind == EXPR_CONST;
    if (!is_sum || below == 0) {
        return tir_line(tir, dividend, 1, -below, dividend->span);
    }
    int64_t added = dividend->map.args[1]->data[0].integer;
    return tir_line(tir, dividend->map.args[0], 1, added - below, dividend->span);
}

static TirExpr *decide_choice(Tir *tir, const Interval *vars, TirExpr *choice) {
    TirExpr **args = choice->map.args;
    Interval a = interval_of(vars, args[0]), b = interval_of(vars, args[1]);
    if (choice->map.op == OP_REM) {
        int64_t below;
        return in_period(a, b, &below) ? remainder_of(tir, args[0], below) : choice;
    }
    if (choice->map.op == OP_MIN || choice->map.op == OP_MAX) {
        Order order = order_of(a, b);
        if (!order.not_greater && !order.not_less) {
            return choice;
        }
        unsigned taken = order.not_greater == (choice->map.op == OP_MIN) ? 0 : 1;
        return without(args[taken], args[1 - taken], choice);
    }
    Outcome known = compare(choice->map.op, a, b);
    bool stays = known == OUTCOME_OPEN || tir_may_trap(args[0]) || tir_may_trap(args[1]);
    return stays ? choice : tir_const_bool(tir, known == OUTCOME_TRUE, choice->span);
}

// `and` and `or` beside a constant, and what one chooses.
static TirExpr *decide_logic(TirExpr *expr) {
    TirExpr **args = expr->map.args;
    if (expr->map.op == OP_SELECT && args[0]->kind == EXPR_CONST && type_is_scalar(expr->type)) {
        unsigned taken = args[0]->data[0].boolean ? 1 : 2;
        return without(args[taken], args[3 - taken], expr);
    }
    if ((expr->map.op != OP_AND && expr->map.op != OP_OR) || !type_is_scalar(expr->type)) {
        return expr;
    }
    for (unsigned k = 0; k < 2; k++) {
        if (args[k]->kind == EXPR_CONST) {
            bool decides = args[k]->data[0].boolean == (expr->map.op == OP_OR);
            bool runs_in_vain = decides && k == 1; // the left side is evaluated first
            return !decides       ? args[1 - k]
                   : runs_in_vain ? without(args[k], args[0], expr)
                                  : args[k];
        }
    }
    return expr;
}

typedef struct Decider {
    Tir *tir;
    const Interval *vars;
} Decider;

static void decide_operand(TirExpr **operand, void *data) {
    const Decider *decider = data;
    TirExpr *expr = *operand;
    if (expr->kind == EXPR_VAR || expr->kind == EXPR_CONST) {
        return;
    }
    expr = tir_copy_node(decider->tir, expr);
    tir_visit_operands(expr, decide_operand, data);
    if (expr->kind == EXPR_MAP) {
        expr = decide_is_choice(expr) ? decide_choice(decider->tir, decider->vars, expr)
                                      : decide_logic(expr);
    }
    *operand = expr;
}

TirExpr *decide_expr(Tir *tir, const Interval *vars, TirExpr *expr) {
    Decider decider = {tir, vars};
    decide_operand(&expr, &decider);
    return expr;
}
