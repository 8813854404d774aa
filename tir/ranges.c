// Every change of a range is noted, so that branches can be undone and joined in time that goes
// with what they change. A loop begins with what is known of what it writes in each of its turns
// and after it, so that visitors see no loop twice. In a `for` that is what a variable was before
// and all values that it is given, whatever the variables are that the loop writes, or, where these
// only count round (rings.h), what one more turn leaves them in. In a `while` it is found by trying
// turns until they leave variables as they may begin (heads.h).
#include "tir/ranges.h"

#include "support/bug.h"
#include "tir/heads.h"
#include "tir/rings.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum {
    REACHED_VARS = 128, // that a `for` writes, beyond which nothing is known of them
};

static bool is_tracked(const TirVar *var) {
    Root root = var->type->root;
    bool is_number = root_is_integer(root) || root == ROOT_REAL;
    return is_number && type_is_scalar(var->type) && !tir_var_is_global(var);
}

static void set_range(Ranges *ranges, uint32_t var, Interval range) {
    Head *head = ranges->heads == NULL ? NULL : heads_find(ranges->heads, var);
    if (head != NULL) {
        head->seen = interval_join(head->seen, range);
    }
    LIST_PUSH(ranges->arena, &ranges->changes, ((RangeChange){var, ranges->vars[var]}));
    ranges->vars[var] = range;
}

Interval ranges_of(const Ranges *ranges, const TirExpr *expr) {
    return interval_meet(interval_of(ranges->vars, expr),
                         reach_of(ranges->vars, ranges->around, expr));
}

static void forget_var(Ranges *ranges, const TirVar *var) {
    if (is_tracked(var)) {
        set_range(ranges, var->id, interval_all(var->type->root));
    }
}

static void forget_written(TirStmt *stmt, void *ranges) {
    const TirVar *written;
    for (size_t k = 0; (written = tir_stmt_written(stmt, k)) != NULL; k++) {
        forget_var(ranges, written);
    }
}

size_t ranges_mark(const Ranges *ranges) {
    return ranges->changes.count;
}

void ranges_undo(Ranges *ranges, size_t mark) {
    while (ranges->changes.count > mark) {
        const RangeChange *change = &ranges->changes.items[--ranges->changes.count];
        ranges->vars[change->var] = change->before;
    }
}

// The variables that a block writes can be anything.
static void forget(Ranges *ranges, TirBlock *block) {
    tir_visit_stmts(block, forget_written, ranges);
}

// What holds when a comparison does not, and when its operands change places.
typedef struct Comparison {
    bool is_one;
    TirOp negated, mirrored;
} Comparison;

static const Comparison comparisons[TIR_OPS] = {
    [OP_EQ] = {true, OP_NE, OP_EQ}, [OP_NE] = {true, OP_EQ, OP_NE}, [OP_LT] = {true, OP_GE, OP_GT},
    [OP_LE] = {true, OP_GT, OP_GE}, [OP_GT] = {true, OP_LE, OP_LT}, [OP_GE] = {true, OP_LT, OP_LE},
};

// The variable in `i + 1` or `i - 1`, unless that wraps around; `other` is for it then.
static const TirExpr *without_constant(const Ranges *ranges, const TirExpr *expr, Interval *other) {
    if (expr->kind != EXPR_MAP || (expr->map.op != OP_ADD && expr->map.op != OP_SUB) ||
        expr->type->root == ROOT_REAL || expr->map.args[1]->kind != EXPR_CONST ||
        !interval_is_sum_within(ranges->vars, expr)) {
        return expr;
    }
    Interval by = interval_of(ranges->vars, expr->map.args[1]);
    int64_t back = expr->map.op == OP_ADD ? -by.least : by.least;
    *other = (Interval){other->least + back, other->most + back};
    return expr->map.args[0];
}

// `var op other` holds, both by value. False: it cannot.
static bool narrow(Ranges *ranges, const TirExpr *expr, TirOp op, Interval other) {
    expr = without_constant(ranges, expr, &other);
    if (expr->kind != EXPR_VAR || !is_tracked(expr->var)) {
        return true;
    }
    Interval range = ranges->vars[expr->var->id];
    bool is_real = expr->type->root == ROOT_REAL;
    if (op == OP_EQ) {
        range = interval_meet(range, other);
    } else if (op == OP_NE && interval_is_exact(other) && !is_real) {
        range.least += range.least == other.least;
        range.most -= range.most == other.most;
    } else if (op == OP_LT || op == OP_LE) {
        int64_t below = is_real ? interval_real_below(other.most) : other.most - 1;
        int64_t most = op == OP_LT ? below : other.most;
        range.most = range.most < most ? range.most : most;
    } else if (op == OP_GT || op == OP_GE) {
        int64_t above = is_real ? interval_real_above(other.least) : other.least + 1;
        int64_t least = op == OP_GT ? above : other.least;
        range.least = range.least > least ? range.least : least;
    }
    if (interval_is_empty(range)) {
        return false;
    }
    set_range(ranges, expr->var->id, range);
    return true;
}

// Whether a comparison with it says something of the other operand: one with nan never holds,
// whatever that is.
static bool is_telling(const TirExpr *expr, bool holds) {
    Root root = expr->type->root;
    return root_is_integer(root) || (root == ROOT_REAL && (holds || expr->kind == EXPR_CONST));
}

bool ranges_assume(Ranges *ranges, const TirExpr *condition, bool holds) {
    if (condition->kind != EXPR_MAP || !type_is_scalar(condition->type)) {
        return true;
    }
    TirExpr *const *args = condition->map.args;
    TirOp op = condition->map.op;
    if (op == OP_NOT) {
        return ranges_assume(ranges, args[0], !holds);
    }
    if (op == (holds ? OP_AND : OP_OR)) {
        return ranges_assume(ranges, args[0], holds) && ranges_assume(ranges, args[1], holds);
    }
    if (!comparisons[op].is_one) {
        return true;
    }
    op = holds ? op : comparisons[op].negated;
    bool narrows_left = is_telling(args[1], holds), narrows_right = is_telling(args[0], holds);
    Interval left = narrows_right ? interval_of(ranges->vars, args[0]) : (Interval){0};
    Interval right = narrows_left ? interval_of(ranges->vars, args[1]) : (Interval){0};
    bool can_be = (!narrows_left || narrow(ranges, args[0], op, right)) &&
                  (!narrows_right || narrow(ranges, args[1], comparisons[op].mirrored, left));
    return can_be || (!holds && args[0]->type->root == ROOT_REAL); // nan
}

static void walk_block(Ranges *ranges, TirBlock *block, const RangesVisitor *visitor);

typedef struct Walk {
    Ranges *ranges;
    const RangesVisitor *visitor;
} Walk;

static void visit_expr(TirExpr **expr, void *data) {
    const Walk *walk = data;
    if (walk->visitor->expr != NULL) {
        walk->visitor->expr(walk->ranges, expr, walk->visitor->data);
    }
}

// What follows such a block in its own one is not reached.
static bool ends_in_jump(const TirBlock *block) {
    if (block->count == 0) {
        return false;
    }
    TirStmtKind last = block->items[block->count - 1]->kind;
    return last == STMT_BREAK || last == STMT_CONTINUE || last == STMT_RETURN;
}

// What the walk since `mark` has made of variables, one entry for each; `number` marks them.
static size_t values_since(Ranges *ranges, size_t mark, uint32_t number, RangeChange *values) {
    size_t count = 0;
    for (size_t i = mark; i < ranges->changes.count; i++) {
        uint32_t var = ranges->changes.items[i].var;
        if (ranges->joined[var] != number) {
            ranges->joined[var] = number;
            values[count++] = (RangeChange){.var = var, .before = ranges->vars[var]};
        }
    }
    return count;
}

static void join_var(Ranges *ranges, uint32_t var, Interval other) {
    set_range(ranges, var, interval_join(ranges->vars[var], other));
}

// Variables that the first branch has written join with what the second one, in which the walk
// stands, has made of them; those that only the second one has written, with what they were.
static void join_branches(Ranges *ranges, size_t mark, const RangeChange *first, size_t first_count,
                          uint32_t number) {
    size_t end = ranges->changes.count;
    for (size_t i = 0; i < first_count; i++) {
        join_var(ranges, first[i].var, first[i].before);
    }
    for (size_t i = mark; i < end; i++) {
        RangeChange change = ranges->changes.items[i];
        if (ranges->joined[change.var] != number) { // the first change: from what it was
            ranges->joined[change.var] = number;
            join_var(ranges, change.var, change.before);
        }
    }
}

// What an arm of a branch that is never run makes of variables does not count.
static void walk_branch(Ranges *ranges, TirStmt *stmt, const RangesVisitor *visitor) {
    size_t mark = ranges_mark(ranges);
    bool goes_on =
        ranges_assume(ranges, stmt->branch.condition, true) && !ends_in_jump(&stmt->branch.then);
    walk_block(ranges, &stmt->branch.then, visitor);
    uint32_t number = ++ranges->branch_count;
    RangeChange *first = ARENA_ARRAY(ranges->arena, RangeChange, ranges->changes.count - mark + 1);
    size_t first_count = values_since(ranges, mark, number, first);
    ranges_undo(ranges, mark);
    bool other_goes_on = ranges_assume(ranges, stmt->branch.condition, false) &&
                         !ends_in_jump(&stmt->branch.otherwise);
    walk_block(ranges, &stmt->branch.otherwise, visitor);
    if (!goes_on) {
        return;
    }
    if (!other_goes_on) {
        ranges_undo(ranges, mark);
        for (size_t i = 0; i < first_count; i++) {
            set_range(ranges, first[i].var, first[i].before);
        }
        return;
    }
    join_branches(ranges, mark, first, first_count, number);
}

// Variables that a loop writes, with all that they can be in it.
typedef struct Reached {
    RangeChange vars[REACHED_VARS];
    size_t count;
} Reached;

static void reach(Reached *reached, uint32_t var, Interval range) {
    for (size_t i = 0; i < reached->count; i++) {
        if (reached->vars[i].var == var) {
            reached->vars[i].before = interval_join(reached->vars[i].before, range);
        }
    }
}

// With what all sets of the block give them, where nothing is known of the variables themselves.
static void reach_sets(const Ranges *ranges, TirBlock *block, Reached *reached) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        bool is_set = tir_sets_whole(stmt);
        const TirVar *var;
        for (size_t k = 0; (var = tir_stmt_written(stmt, k)) != NULL; k++) {
            if (is_tracked(var)) {
                reach(reached, var->id,
                      is_set ? interval_of(ranges->vars, stmt->set.value)
                             : interval_all(var->type->root));
            }
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            reach_sets(ranges, nested[k], reached);
        }
    }
}

// What was known of the variables that were forgotten since `mark`; false: they are too many.
static bool forgotten_since(Ranges *ranges, size_t mark, Reached *reached) {
    uint32_t number = ++ranges->branch_count;
    for (size_t i = mark; i < ranges->changes.count; i++) {
        RangeChange change = ranges->changes.items[i];
        if (ranges->joined[change.var] != number) {
            ranges->joined[change.var] = number;
            if (reached->count == REACHED_VARS) {
                return false;
            }
            reached->vars[reached->count++] = change;
        }
    }
    return true;
}

// Instead of what a `for` writes: what holds in all of its turns and behind it.
static void forget_turns(Ranges *ranges, TirStmt *stmt, Interval range) {
    Reached reached = {.count = 0};
    size_t mark = ranges_mark(ranges);
    forget(ranges, &stmt->for_loop.body);
    if (!forgotten_since(ranges, mark, &reached)) {
        return;
    }
    mark = ranges_mark(ranges);
    set_range(ranges, stmt->for_loop.var->id, range);
    reach_sets(ranges, &stmt->for_loop.body, &reached);
    ranges_undo(ranges, mark);
    for (size_t i = 0; i < reached.count; i++) {
        set_range(ranges, reached.vars[i].var, reached.vars[i].before);
    }
}

// Takes out those that a turn leaves somewhere else, where it begins with all of them as they are
// thought to be and nothing is known of others. False: there were such.
static bool try_rings(Ranges *ranges, TirStmt *loop, Interval range, Rings *rings) {
    size_t mark = ranges_mark(ranges);
    set_range(ranges, loop->for_loop.var->id, range);
    for (size_t i = 0; i < rings->count; i++) {
        set_range(ranges, rings->items[i].var, rings->items[i].range);
    }
    RangesVisitor nobody = {.data = NULL};
    LoopAround around = {.loop = loop, .outer = ranges->around};
    ranges->around = &around;
    ranges->tries = true;
    walk_block(ranges, &loop->for_loop.body, &nobody);
    ranges->tries = false;
    ranges->around = around.outer;
    Rings kept = {.count = 0};
    for (size_t i = 0; i < rings->count; i++) {
        Ring ring = rings->items[i];
        if (interval_is_within(ranges->vars[ring.var], ring.range)) {
            kept.items[kept.count++] = ring;
        }
    }
    ranges_undo(ranges, mark);
    bool all_stay = kept.count == rings->count;
    *rings = kept;
    return all_stay;
}

static void keep_rings(Ranges *ranges, TirStmt *loop, Interval range, Rings *rings) {
    while (rings->count > 0 && !try_rings(ranges, loop, range, rings)) {
    }
    for (size_t i = 0; i < rings->count; i++) {
        Ring ring = rings->items[i];
        set_range(ranges, ring.var, interval_meet(ring.range, ranges->vars[ring.var]));
    }
}

static void walk_for(Ranges *ranges, TirStmt *stmt, const RangesVisitor *visitor) {
    Interval range = interval_of_loop(ranges->vars, stmt, NULL);
    Rings rings = ranges->tries ? (Rings){.count = 0} : rings_before(ranges->vars, stmt);
    forget_turns(ranges, stmt, range);
    keep_rings(ranges, stmt, range, &rings);
    size_t mark = ranges_mark(ranges);
    set_range(ranges, stmt->for_loop.var->id, range);
    if (visitor->loop == NULL || !visitor->loop(ranges, stmt, visitor->data)) {
        LoopAround around = {.loop = stmt, .outer = ranges->around};
        ranges->around = &around;
        walk_block(ranges, &stmt->for_loop.body, visitor);
        ranges->around = around.outer;
    }
    ranges_undo(ranges, mark); // the last turn may not have come so far, or there was none
    forget_var(ranges, stmt->for_loop.var);
}

static void forget_while(Ranges *ranges, TirStmt *stmt, const Heads *heads) {
    forget(ranges, &stmt->while_loop.before);
    forget(ranges, &stmt->while_loop.body);
    for (size_t i = 0; i < heads->count; i++) {
        set_range(ranges, heads->items[i].var, heads->items[i].range);
    }
}

// What a variable can be where the turn after one that begins like that begins, or the first one.
static Interval next_head(const Ranges *ranges, const Head *head, bool is_early) {
    Interval left = ranges->vars[head->var];
    return interval_join(head->begin, is_early ? interval_join(left, head->seen) : left);
}

// Walks a turn; with `is_last`, ranges are what it leaves, else whether they stay is returned.
static bool try_heads(Ranges *ranges, TirStmt *stmt, Heads *heads, bool is_last) {
    size_t mark = ranges_mark(ranges);
    RangesVisitor nobody = {.data = NULL};
    forget_while(ranges, stmt, heads);
    for (size_t i = 0; i < heads->count; i++) {
        heads->items[i].seen = heads->items[i].range;
    }
    ranges->tries = true;
    ranges->heads = heads;
    walk_block(ranges, &stmt->while_loop.before, &nobody);
    bool runs = ranges_assume(ranges, stmt->while_loop.condition, true);
    walk_block(ranges, &stmt->while_loop.body, &nobody);
    ranges->heads = NULL;
    ranges->tries = false;
    bool is_early = tir_block_has_jumps(&stmt->while_loop.body), stay = true;
    for (size_t i = 0; i < heads->count; i++) {
        Head *head = &heads->items[i];
        Interval next = runs ? next_head(ranges, head, is_early) : head->begin;
        if (is_last) {
            head->range = next;
        } else {
            stay = heads_stay(heads, head, next) && stay;
        }
    }
    ranges_undo(ranges, mark);
    return stay;
}

static Heads find_heads(Ranges *ranges, TirStmt *stmt) {
    Heads heads = ranges->tries ? (Heads){.count = 0} : heads_before(ranges->vars, stmt);
    if (heads.count == 0) {
        return heads;
    }
    while (!try_heads(ranges, stmt, &heads, false)) {
        heads.rounds++;
    }
    try_heads(ranges, stmt, &heads, true);
    return heads;
}

static void walk_while(Ranges *ranges, TirStmt *stmt, const RangesVisitor *visitor) {
    Heads heads = find_heads(ranges, stmt);
    forget_while(ranges, stmt, &heads);
    walk_block(ranges, &stmt->while_loop.before, visitor);
    visit_expr(&stmt->while_loop.condition, &(Walk){ranges, visitor});
    size_t mark = ranges_mark(ranges);
    ranges_assume(ranges, stmt->while_loop.condition, true);
    walk_block(ranges, &stmt->while_loop.body, visitor);
    ranges_undo(ranges, mark);
    if (!tir_block_jumps(&stmt->while_loop.body, STMT_BREAK)) {
        ranges_assume(ranges, stmt->while_loop.condition, false);
        return;
    }
    forget(ranges, &stmt->while_loop.body); // a break comes from inside of it
    for (size_t i = 0; i < heads.count; i++) {
        Head *head = &heads.items[i];
        set_range(ranges, head->var, interval_join(head->range, head->seen));
    }
}

static void walk_stmt(Ranges *ranges, TirStmt *stmt, const RangesVisitor *visitor) {
    Walk walk = {ranges, visitor};
    if (stmt->kind != STMT_WHILE) {
        tir_visit_exprs(stmt, visit_expr, &walk);
    }
    switch (stmt->kind) {
    case STMT_SET: {
        const TirExpr *place = stmt->set.place;
        if (place->kind == EXPR_VAR && is_tracked(place->var)) {
            set_range(ranges, place->var->id, ranges_of(ranges, stmt->set.value));
        }
        return;
    }
    case STMT_NEST: walk_block(ranges, &stmt->nest, visitor); return;
    case STMT_CALL:
    case STMT_INPUT: forget_written(stmt, ranges); return;
    case STMT_IF: walk_branch(ranges, stmt, visitor); return;
    case STMT_FOR: walk_for(ranges, stmt, visitor); return;
    case STMT_WHILE: walk_while(ranges, stmt, visitor); return;
    case STMT_BREAK:
    case STMT_CONTINUE:
    case STMT_RETURN:
    case STMT_PRINT:
    case STMT_OUTPUT:
    case STMT_ASSERT: return;
    }
    UNREACHABLE();
}

static void walk_block(Ranges *ranges, TirBlock *block, const RangesVisitor *visitor) {
    for (size_t i = 0; i < block->count; i++) {
        walk_stmt(ranges, block->items[i], visitor);
    }
}

void ranges_walk_function(Ranges *ranges, Arena *arena, const TirFunction *function,
                          const RangesVisitor *visitor) {
    *ranges = (Ranges){
        .arena = arena,
        .vars = interval_vars(arena, function),
        .joined = ARENA_ARRAY(arena, uint32_t, function->vars.count),
    };
    TirBlock body = function->body;
    walk_block(ranges, &body, visitor);
}
