// Intervals are computed in 64 bits, where sums of 32-bit numbers have room and products nearly
// all. What may wrap around is anything.
#include "tir/interval.h"

#include "support/bug.h"
#include "tir/visit.h"

Interval interval_all(Root root) {
    return root == ROOT_UINT ? (Interval){0, UINT32_MAX} : (Interval){INT32_MIN, INT32_MAX};
}

bool interval_is_empty(Interval interval) {
    return interval.least > interval.most;
}

bool interval_is_exact(Interval interval) {
    return interval.least == interval.most;
}

bool interval_is_within(Interval inner, Interval outer) {
    return inner.least >= outer.least && inner.most <= outer.most;
}

static int64_t lesser(int64_t a, int64_t b) {
    return a < b ? a : b;
}

static int64_t greater(int64_t a, int64_t b) {
    return a > b ? a : b;
}

Interval interval_join(Interval a, Interval b) {
    if (interval_is_empty(a)) {
        return b;
    }
    return interval_is_empty(b) ? a : (Interval){lesser(a.least, b.least), greater(a.most, b.most)};
}

Interval interval_meet(Interval a, Interval b) {
    return (Interval){greater(a.least, b.least), lesser(a.most, b.most)};
}

static int64_t multiply(int64_t a, int64_t b) {
    int64_t product;
    bool overflows = __builtin_mul_overflow(a, b, &product);
    return !overflows ? product : (a < 0) == (b < 0) ? INT64_MAX : INT64_MIN;
}

static Interval product(Interval a, Interval b) {
    int64_t corners[] = {multiply(a.least, b.least), multiply(a.least, b.most),
                         multiply(a.most, b.least), multiply(a.most, b.most)};
    Interval all = {corners[0], corners[0]};
    for (unsigned i = 1; i < 4; i++) {
        all = interval_join(all, (Interval){corners[i], corners[i]});
    }
    return all;
}

Interval *interval_vars(Arena *arena, const TirFunction *function) {
    Interval *vars = ARENA_ARRAY(arena, Interval, function->vars.count);
    for (size_t i = 0; i < function->vars.count; i++) {
        vars[i] = interval_all(function->vars.items[i]->type->root);
    }
    return vars;
}

static bool is_sum(TirOp op) {
    return op == OP_ADD || op == OP_SUB || op == OP_MUL;
}

// Of a sum, before anything wraps.
static Interval unwrapped(TirOp op, Interval a, Interval b) {
    if (op == OP_MUL) {
        return product(a, b);
    }
    return op == OP_ADD ? (Interval){a.least + b.least, a.most + b.most}
                        : (Interval){a.least - b.most, a.most - b.least};
}

// Truncated, by a constant above 0; of remainders the sign is that of the dividend.
static Interval divided(TirOp op, Interval a, Interval b, Interval all) {
    if (!interval_is_exact(b) || b.least <= 0) {
        return all;
    }
    if (op == OP_DIV) {
        return (Interval){a.least / b.least, a.most / b.least};
    }
    int64_t rest = b.least - 1;
    return (Interval){a.least >= 0 ? 0 : greater(a.least, -rest),
                      a.most <= 0 ? 0 : lesser(a.most, rest)};
}

static Interval unless_wrapped(Interval exact, Interval all) {
    return interval_is_within(exact, all) ? exact : all;
}

static Interval map_interval(const Interval *vars, const TirExpr *expr, Interval all) {
    TirOp op = expr->map.op;
    Interval args[3] = {all, all, all};
    for (unsigned i = op == OP_SELECT; i < tir_op_arity(op); i++) {
        Root root = expr->map.args[i]->type->root;
        if (root != ROOT_INT && root != ROOT_UINT) {
            return op == OP_SIGN ? (Interval){-1, 1} : all;
        }
        args[i] = interval_of(vars, expr->map.args[i]);
        if (interval_is_empty(args[i])) {
            return args[i];
        }
    }
    Interval a = args[0], b = args[1];
    if (is_sum(op)) {
        return unless_wrapped(unwrapped(op, a, b), all);
    }
    if (op == OP_DIV || op == OP_REM) {
        return divided(op, a, b, all);
    }
    if (op == OP_MIN) {
        return (Interval){lesser(a.least, b.least), lesser(a.most, b.most)};
    }
    if (op == OP_MAX) {
        return (Interval){greater(a.least, b.least), greater(a.most, b.most)};
    }
    if (op == OP_SELECT) {
        return interval_join(b, args[2]);
    }
    if (op == OP_SIGN) {
        return (Interval){-1, 1};
    }
    return op == OP_BIT_AND ? (Interval){0, lesser(a.most, b.most)} : all;
}

// An int and a uint are the same bits: the same number where it fits both.
static Interval convert_interval(const Interval *vars, const TirExpr *expr, Interval all) {
    switch (expr->operand->type->root) {
    case ROOT_BOOL: return (Interval){0, 1};
    case ROOT_INT:
    case ROOT_UINT: {
        return unless_wrapped(interval_of(vars, expr->operand), all);
    }
    case ROOT_REAL: return all;
    case ROOT_CHAR:
    case ROOT_STR: break;
    }
    UNREACHABLE();
}

Interval interval_of(const Interval *vars, const TirExpr *expr) {
    CHECK(type_is_scalar(expr->type));
    Root root = expr->type->root;
    Interval all = interval_all(root);
    if (expr->kind == EXPR_CONST) {
        int64_t value = root == ROOT_INT ? expr->data[0].integer : (int64_t)expr->data[0].uint;
        return (Interval){value, value};
    }
    if (expr->kind == EXPR_VAR) {
        return tir_var_is_global(expr->var) ? all : vars[expr->var->id];
    }
    if (expr->kind == EXPR_MAP) {
        return map_interval(vars, expr, all);
    }
    return expr->kind == EXPR_CONVERT ? convert_interval(vars, expr, all) : all;
}

bool interval_is_sum_within(const Interval *vars, const TirExpr *expr) {
    if (expr->kind != EXPR_MAP || !is_sum(expr->map.op)) {
        return false;
    }
    Interval a = interval_of(vars, expr->map.args[0]);
    Interval b = interval_of(vars, expr->map.args[1]);
    return interval_is_within(unwrapped(expr->map.op, a, b), interval_all(expr->type->root));
}

// Where the last turn is known exactly, the variable ends there.
static int64_t last_of(Interval first, Interval last, int64_t step) {
    int64_t end = step > 0 ? last.most - 1 : last.least + 1;
    bool is_exact = interval_is_exact(first) && interval_is_exact(last);
    bool runs = step > 0 ? first.least <= end : first.least >= end;
    return is_exact && runs ? first.least + (end - first.least) / step * step : end;
}

Interval interval_of_loop(const Interval *vars, const TirStmt *loop, uint64_t *turns) {
    Interval first = interval_of(vars, loop->for_loop.first);
    Interval last = interval_of(vars, loop->for_loop.last);
    Interval step = interval_of(vars, loop->for_loop.step);
    Interval up = {first.least, last.most - 1};
    Interval down = {last.least + 1, first.most};
    bool may_rise = step.most > 0, may_fall = step.least < 0;
    if (interval_is_exact(step) && step.least > 0) {
        up.most = last_of(first, last, step.least);
    } else if (interval_is_exact(step) && step.least < 0) {
        down.least = last_of(first, last, step.least);
    }
    Interval range = may_rise && may_fall ? interval_join(up, down) : may_fall ? down : up;
    if (turns != NULL) {
        // The smallest step takes longest; a step of 0 traps.
        int64_t pace = may_rise && may_fall ? 1
                       : may_fall           ? greater(-step.most, 1)
                                            : greater(step.least, 1);
        *turns = interval_is_empty(range)
                     ? 0
                     : (uint64_t)(range.most - range.least) / (uint64_t)pace + 1;
    }
    return range;
}
