// A sum is greatest where the variable of the innermost loop is, which is one before the end of the
// loop, or where that is least, if it is subtracted: then it begins. Both are sums of the variables
// of loops further out, or the least or greatest of such, so that one loop after the other goes.
#include "tir/reach.h"

enum {
    TERMS_MOST = 4,        // of a sum
    LOOKS_MOST = 64,       // at bounds
    NODES_MOST = 128,      // of all expressions, each of which asks all below it
    FACTOR_MOST = 1 << 20, // that a variable is multiplied with
};
static const int64_t CONSTANT_MOST = INT64_C(1) << 40; // so that nothing here overflows

typedef struct Term {
    const TirVar *var;
    int64_t times;
} Term;

// constant + times * var + ...
typedef struct Sum {
    int64_t constant;
    Term terms[TERMS_MOST];
    size_t count;
} Sum;

typedef struct Reacher {
    const Interval *vars;
    const LoopAround *around;
    unsigned looks, nodes; // so far
} Reacher;

static bool is_between(int64_t value, int64_t most) {
    return value >= -most && value <= most;
}

static bool add_term(Sum *sum, const TirVar *var, int64_t times) {
    size_t k = 0;
    while (k < sum->count && sum->terms[k].var != var) {
        k++;
    }
    if (k == TERMS_MOST) {
        return false;
    }
    if (k == sum->count) {
        sum->terms[sum->count++] = (Term){.var = var};
    }
    sum->terms[k].times += times;
    return is_between(sum->terms[k].times, FACTOR_MOST);
}

// False: it is more than there is room for.
static bool add_sum(Sum *sum, const Sum *other, int64_t times) {
    if (!is_between(times, FACTOR_MOST) || !is_between(other->constant, CONSTANT_MOST)) {
        return false;
    }
    sum->constant += times * other->constant;
    bool fits = is_between(sum->constant, CONSTANT_MOST);
    for (size_t k = 0; k < other->count && fits; k++) {
        fits = add_term(sum, other->terms[k].var, times * other->terms[k].times);
    }
    return fits;
}

// False: it is something else, or may wrap around.
static bool sum_of(Reacher *reacher, const TirExpr *expr, Sum *sum) {
    *sum = (Sum){0};
    if (expr->type->root != ROOT_INT || !type_is_scalar(expr->type) ||
        reacher->nodes++ >= NODES_MOST) {
        return false;
    }
    if (expr->kind == EXPR_CONST) {
        sum->constant = expr->data[0].integer;
        return true;
    }
    if (expr->kind == EXPR_VAR) {
        return tir_loop_of(reacher->around, expr->var) != NULL && add_term(sum, expr->var, 1);
    }
    Sum a, b;
    if (!interval_is_sum_within(reacher->vars, expr) || !sum_of(reacher, expr->map.args[0], &a) ||
        !sum_of(reacher, expr->map.args[1], &b)) {
        return false;
    }
    if (expr->map.op != OP_MUL) {
        *sum = a;
        return add_sum(sum, &b, expr->map.op == OP_ADD ? 1 : -1);
    }
    return a.count == 0 ? add_sum(sum, &b, a.constant)
                        : b.count == 0 && add_sum(sum, &a, b.constant);
}

static int64_t most_of(Reacher *reacher, const LoopAround *around, Sum sum);

static int64_t either(int64_t a, int64_t b, bool is_less) {
    return (a < b) == is_less ? a : b;
}

// Of a sum and so many times a bound.
static int64_t most_with(Reacher *reacher, const LoopAround *around, Sum sum, const TirExpr *bound,
                         int64_t times) {
    if (reacher->looks++ >= LOOKS_MOST) {
        return INT64_MAX;
    }
    TirOp op = bound->kind == EXPR_MAP ? bound->map.op : OP_ADD;
    if (op == OP_MIN || op == OP_MAX) {
        return either(most_with(reacher, around, sum, bound->map.args[0], times),
                      most_with(reacher, around, sum, bound->map.args[1], times),
                      (op == OP_MIN) == (times > 0));
    }
    Sum own;
    if (sum_of(reacher, bound, &own)) {
        return add_sum(&sum, &own, times) ? most_of(reacher, around, sum) : INT64_MAX;
    }
    if (op == OP_MUL || !interval_is_sum_within(reacher->vars, bound)) {
        return INT64_MAX;
    }
    // One side may be the least or greatest of two.
    int64_t right_times = op == OP_SUB ? -times : times;
    if (sum_of(reacher, bound->map.args[1], &own)) {
        return add_sum(&sum, &own, right_times)
                   ? most_with(reacher, around, sum, bound->map.args[0], times)
                   : INT64_MAX;
    }
    return sum_of(reacher, bound->map.args[0], &own) && add_sum(&sum, &own, times)
               ? most_with(reacher, around, sum, bound->map.args[1], right_times)
               : INT64_MAX;
}

// With the variable of the loop at its end or beginning, or at that of its interval.
static int64_t most_in(Reacher *reacher, const LoopAround *around, Sum sum, int64_t times) {
    const TirStmt *loop = around->loop;
    Interval range = reacher->vars[loop->for_loop.var->id];
    Interval step = interval_of(reacher->vars, loop->for_loop.step);
    bool is_greatest = times > 0;
    Sum at_end = sum;
    at_end.constant += times * (is_greatest ? range.most : range.least);
    int64_t most = most_of(reacher, around->outer, at_end);
    if (step.least <= 0 && step.most >= 0) {
        return most;
    }
    bool is_last = (step.least > 0) == is_greatest;
    sum.constant += is_last ? (is_greatest ? -times : times) : 0; // the end is not reached
    const TirExpr *bound = is_last ? loop->for_loop.last : loop->for_loop.first;
    return either(most, most_with(reacher, around->outer, sum, bound, times), true);
}

static int64_t most_of(Reacher *reacher, const LoopAround *around, Sum sum) {
    for (; around != NULL && sum.count > 0; around = around->outer) {
        for (size_t k = 0; k < sum.count; k++) {
            if (sum.terms[k].var == around->loop->for_loop.var) {
                int64_t times = sum.terms[k].times;
                sum.terms[k] = sum.terms[--sum.count];
                return times == 0 ? most_of(reacher, around->outer, sum)
                                  : most_in(reacher, around, sum, times);
            }
        }
    }
    return sum.count == 0 ? sum.constant : INT64_MAX;
}

Interval reach_of(const Interval *vars, const LoopAround *around, const TirExpr *expr) {
    Reacher reacher = {.vars = vars, .around = around};
    Interval all = interval_all(ROOT_INT);
    Sum sum, negative = {0};
    if (around == NULL || !sum_of(&reacher, expr, &sum) || sum.count < 2 ||
        !add_sum(&negative, &sum, -1)) {
        return interval_all(expr->type->root);
    }
    int64_t most = most_of(&reacher, around, sum);
    int64_t least = most_of(&reacher, around, negative);
    return interval_meet(all, (Interval){least == INT64_MAX ? all.least : -least, most});
}
