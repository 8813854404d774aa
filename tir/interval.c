// Intervals are computed in 64 bits, where sums of 32-bit numbers have room and products nearly
// all. What may wrap around is anything.
//
// Operations on reals round, but never beyond a whole number that is a real of either precision:
// what lies between two of those stays there, or becomes one of them.
#include "tir/interval.h"

#include "support/bug.h"
#include "tir/visit.h"

#include <math.h>

enum {
    WHOLE_REALS = 1 << 24, // up to here each whole number is a real of single precision
    TABLE_MOST = 1024,     // elements of a constant that are looked at
};
static const int64_t REAL_END = INT64_C(1) << 40; // an end that is none

Interval interval_all(Root root) {
    if (root == ROOT_REAL) {
        return (Interval){-REAL_END, REAL_END};
    }
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
        const TirVar *var = function->vars.items[i];
        vars[i] = var->within != NULL ? *var->within : interval_all(var->type->root);
    }
    return vars;
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
    if (interval_is_exact(a)) {
        return (Interval){a.least % b.least, a.least % b.least};
    }
    int64_t rest = b.least - 1;
    return (Interval){a.least >= 0 ? 0 : greater(a.least, -rest),
                      a.most <= 0 ? 0 : lesser(a.most, rest)};
}

static Interval unless_wrapped(Interval exact, Interval all) {
    return interval_is_within(exact, all) ? exact : all;
}

// With ends that are reals of either precision, given as whole numbers.
static Interval real_within(Interval whole) {
    return (Interval){whole.least < -WHOLE_REALS ? -REAL_END : 2 * lesser(whole.least, WHOLE_REALS),
                      whole.most > WHOLE_REALS ? REAL_END : 2 * greater(whole.most, -WHOLE_REALS)};
}

// The whole numbers around it.
static Interval around(Interval real) {
    return (Interval){real.least == -REAL_END ? -REAL_END : real.least >> 1,
                      real.most == REAL_END ? REAL_END : (real.most + 1) >> 1};
}

static Interval real_value(double value) {
    int64_t end = 2 * (int64_t)floor(value) + (value != floor(value));
    return (Interval){end, end};
}

// Single precision may round it to a whole number.
static Interval real_constant(double value) {
    return fabs(value) <= (double)WHOLE_REALS
               ? interval_join(real_value(value), real_value((float)value))
               : interval_all(ROOT_REAL);
}

int64_t interval_real_above(int64_t least) {
    return least == -REAL_END || least % 2 != 0 ? least : least + 1;
}

int64_t interval_real_below(int64_t most) {
    return most == REAL_END || most % 2 != 0 ? most : most - 1;
}

Interval interval_whole_part(Interval real) {
    return interval_join((Interval){real.least / 2, real.most / 2}, (Interval){0, 0});
}

// By what is 1 at least; quotients of whole numbers, rounded away from 0. What has no end keeps
// none.
static Interval real_quotient(Interval a, Interval b) {
    int64_t least = a.least < 0 ? (a.least - b.least + 1) / b.least : a.least / b.most;
    int64_t most = a.most > 0 ? (a.most + b.least - 1) / b.least : a.most / b.most;
    return (Interval){a.least == -REAL_END ? -REAL_END : least,
                      a.most == REAL_END ? REAL_END : most};
}

// Nearer to 0 than the divisor, with the sign of the dividend.
static Interval real_rest(Interval a, Interval b) {
    int64_t most = greater(interval_real_below(greater(-b.least, b.most)), 0);
    return (Interval){a.least >= 0 ? 0 : -most, a.most <= 0 ? 0 : most};
}

// Down, up, or to either side.
static Interval whole_of(TirOp op, Interval real) {
    Interval whole = around(real);
    if (op == OP_FLOOR && real.most != REAL_END) {
        whole.most = real.most >> 1;
    }
    if (op == OP_CEIL && real.least != -REAL_END) {
        whole.least = (real.least + 1) >> 1;
    }
    return whole;
}

static Interval scaled_end(TirOp op, int64_t end, double by) {
    double value = op == OP_MUL ? (double)end * by : (double)end / by;
    float single = op == OP_MUL ? (float)end * (float)by : (float)end / (float)by;
    return isfinite(single) ? interval_join(real_constant(value), real_constant(single))
                            : interval_all(ROOT_REAL);
}

// Where that is a constant real other than 0, a real that has ends times it, or divided by it:
// rounding turns no order. False: they are not such.
static bool scale(TirOp op, Interval real, const TirExpr *by, Interval *scaled) {
    Interval whole = around(real);
    double factor = by->kind == EXPR_CONST ? by->data[0].real : 0;
    if (!isfinite(factor) || factor == 0 || whole.least < -WHOLE_REALS ||
        whole.most > WHOLE_REALS) {
        return false;
    }
    *scaled =
        interval_join(scaled_end(op, whole.least, factor), scaled_end(op, whole.most, factor));
    return true;
}

static Interval real_map(const Interval *vars, const TirExpr *expr) {
    TirOp op = expr->map.op;
    Interval all = interval_all(ROOT_REAL);
    Interval args[3] = {all, all, all};
    for (unsigned i = op == OP_SELECT; i < tir_op_arity(op); i++) {
        if (expr->map.args[i]->type->root != ROOT_REAL) {
            return all;
        }
        args[i] = interval_of(vars, expr->map.args[i]);
        if (interval_is_empty(args[i])) {
            return args[i];
        }
    }
    Interval a = args[0], b = args[1];
    TirExpr *const *operands = expr->map.args;
    Interval scaled;
    if (((op == OP_MUL || op == OP_DIV) && scale(op, a, operands[1], &scaled)) ||
        (op == OP_MUL && scale(op, b, operands[0], &scaled))) {
        return scaled;
    }
    if (tir_op_is_sum(op)) {
        return real_within(unwrapped(op, around(a), around(b)));
    }
    if (op == OP_DIV) {
        return b.least >= 2 ? real_within(real_quotient(around(a), around(b))) : all;
    }
    if (op == OP_REM) {
        return real_rest(a, b);
    }
    if (op == OP_NEG) {
        return (Interval){-a.most, -a.least};
    }
    if (op == OP_MIN) {
        return (Interval){lesser(a.least, b.least), lesser(a.most, b.most)};
    }
    if (op == OP_MAX) {
        return (Interval){greater(a.least, b.least), greater(a.most, b.most)};
    }
    if (op == OP_ABS) {
        return (Interval){0, greater(-a.least, a.most)};
    }
    if (op == OP_SELECT) {
        return interval_join(b, args[2]);
    }
    bool is_whole = op == OP_FLOOR || op == OP_CEIL || op == OP_ROUND;
    return is_whole ? real_within(whole_of(op, a)) : all;
}

static Interval map_interval(const Interval *vars, const TirExpr *expr, Interval all) {
    if (expr->type->root == ROOT_REAL) {
        return real_map(vars, expr);
    }
    TirOp op = expr->map.op;
    Interval args[3] = {all, all, all};
    for (unsigned i = op == OP_SELECT; i < tir_op_arity(op); i++) {
        if (!root_is_integer(expr->map.args[i]->type->root)) {
            return op == OP_SIGN ? (Interval){-1, 1} : all;
        }
        args[i] = interval_of(vars, expr->map.args[i]);
        if (interval_is_empty(args[i])) {
            return args[i];
        }
    }
    Interval a = args[0], b = args[1];
    if (tir_op_is_sum(op)) {
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
    if (op == OP_SHR) {
        bool is_known = interval_is_exact(b) && b.least < 32;
        return is_known ? (Interval){a.least >> b.least, a.most >> b.least} : (Interval){0, a.most};
    }
    return op == OP_BIT_AND ? (Interval){0, lesser(a.most, b.most)} : all;
}

// An int and a uint are the same bits: the same number where it fits both.
static Interval convert_interval(const Interval *vars, const TirExpr *expr, Interval all) {
    switch (expr->operand->type->root) {
    case ROOT_BOOL: {
        Interval value = {0, 1};
        return expr->type->root == ROOT_REAL ? real_within(value) : value;
    }
    case ROOT_INT:
    case ROOT_UINT: {
        Interval value = interval_of(vars, expr->operand);
        return expr->type->root == ROOT_REAL ? real_within(value) : unless_wrapped(value, all);
    }
    case ROOT_REAL:
        return unless_wrapped(interval_whole_part(interval_of(vars, expr->operand)), all);
    case ROOT_CHAR:
    case ROOT_STR: break;
    }
    UNREACHABLE();
}

static Interval const_interval(const TirExpr *expr, Interval all) {
    Root root = expr->type->root;
    Interval join = {1, 0};
    if (expr->type->numel > TABLE_MOST) {
        return all;
    }
    for (uint64_t i = 0; i < expr->type->numel; i++) {
        TirScalar scalar = expr->data[i];
        int64_t whole = root == ROOT_INT ? scalar.integer : (int64_t)scalar.uint;
        Interval one = root == ROOT_REAL ? real_constant(scalar.real) : (Interval){whole, whole};
        join = interval_join(join, one);
    }
    return join;
}

Interval interval_of(const Interval *vars, const TirExpr *expr) {
    Interval all = interval_all(expr->type->root);
    switch (expr->kind) {
    case EXPR_CONST: return const_interval(expr, all);
    case EXPR_VAR: return tir_var_is_global(expr->var) ? all : vars[expr->var->id];
    case EXPR_MAP: return map_interval(vars, expr, all);
    case EXPR_CONVERT: return convert_interval(vars, expr, all);
    case EXPR_VIEW: return interval_of(vars, expr->view.operand);
    case EXPR_RESHAPE: return interval_of(vars, expr->operand);
    case EXPR_LITERAL:
    case EXPR_CONCAT:
    case EXPR_REDUCE:
    case EXPR_CUMSUM:
    case EXPR_DOT:
    case EXPR_IOTA: return all;
    }
    UNREACHABLE();
}

bool interval_is_sum_within(const Interval *vars, const TirExpr *expr) {
    if (expr->kind != EXPR_MAP || !tir_op_is_sum(expr->map.op)) {
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
