// A jump clears flags: one of the function, of each loop around and of its turn, as far as they
// end. What stands behind a statement that may jump runs while all flags that it may clear are set.
#include "tir/derive/straight.h"

#include "support/bug.h"
#include "tir/clone.h"
#include "tir/constant.h"
#include "tir/derive/turns.h"
#include "tir/interval.h"
#include "tir/visit.h"

typedef enum Jumps {
    JUMPS_NOT = 0,
    JUMPS_RETURN = 1,
    JUMPS_BREAK = 2,
    JUMPS_CONTINUE = 4,
} Jumps;

// The loop around, whose flags are made when they are needed.
typedef struct Loop {
    struct Loop *outer;
    TirVar *runs;  // no `break` and no `return` yet
    TirVar *turns; // no `continue` yet
} Loop;

typedef struct Straight {
    Tir *tir;
    const Active *active; // of `function`
    TirFunction *function;
    Interval *intervals; // of its variables, but for those that are new
    TirVar *runs;        // no `return` yet
    Loop *loop;
    bool fails;
} Straight;

// What jumps out of a statement.
static unsigned jumps_of(TirStmt *stmt) {
    switch ((int)stmt->kind) {
    case STMT_RETURN: return JUMPS_RETURN;
    case STMT_BREAK: return JUMPS_BREAK;
    case STMT_CONTINUE: return JUMPS_CONTINUE;
    }
    unsigned jumps = JUMPS_NOT;
    TirBlock *nested[2];
    for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
        for (size_t i = 0; i < nested[k]->count; i++) {
            jumps |= jumps_of(nested[k]->items[i]);
        }
    }
    bool is_loop = stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE;
    return is_loop ? jumps & JUMPS_RETURN : jumps;
}

static bool has_own_jumps(const TirBlock *body) {
    unsigned jumps = JUMPS_NOT;
    for (size_t i = 0; i < body->count; i++) {
        jumps |= jumps_of(body->items[i]);
    }
    return jumps != JUMPS_NOT;
}

static TirVar *new_flag(Straight *straight, Span span) {
    const Type *type = type_scalar(straight->tir->types, ROOT_BOOL);
    return tir_var_create(straight->tir, straight->function, VAR_TEMP, NULL, type, span);
}

static void set_flag(Straight *straight, TirBlock *block, TirVar *flag, bool value, Span span) {
    if (flag != NULL) {
        tir_set_var(straight->tir, block, flag, tir_const_bool(straight->tir, value, span), span);
    }
}

static TirExpr *both(Straight *straight, TirExpr *a, TirVar *flag, Span span) {
    if (flag == NULL) {
        return a;
    }
    TirExpr *b = tir_read(straight->tir, flag, span);
    return a == NULL ? b : tir_map(straight->tir, OP_AND, b->type, a, b, NULL, span);
}

// Whether what stands behind a statement with such jumps runs.
static TirExpr *goes_on(Straight *straight, unsigned jumps, Span span) {
    TirExpr *condition = NULL;
    const Loop *loop = straight->loop;
    if ((jumps & JUMPS_RETURN) != 0) {
        condition = both(straight, condition, straight->runs, span);
    }
    if ((jumps & JUMPS_BREAK) != 0) {
        CHECK(loop != NULL);
        condition = both(straight, condition, loop->runs, span);
    }
    if ((jumps & JUMPS_CONTINUE) != 0) {
        CHECK(loop != NULL);
        condition = both(straight, condition, loop->turns, span);
    }
    return condition;
}

static TirBlock straighten(Straight *straight, const TirBlock *block, size_t first);

// A loop whose bounds vary within `turns` turns has that many, of which those in its bounds do
// something. Its variable is an ordinary one then.
static void bound(Straight *straight, TirStmt *stmt, TirBlock *out, uint32_t turns, int64_t step) {
    Tir *tir = straight->tir;
    Span span = stmt->span;
    TirVar *var = stmt->for_loop.var;
    const Type *bools = type_scalar(tir->types, ROOT_BOOL);
    TirVar *first = tir_set_temp(tir, straight->function, out, stmt->for_loop.first);
    TirVar *last = tir_set_temp(tir, straight->function, out, stmt->for_loop.last);
    TirStmt *loop = tir_for(tir, out, straight->function, 0, (int32_t)turns, 1, span);
    TirExpr *by = tir_map(tir, OP_MUL, var->type, tir_read(tir, loop->for_loop.var, span),
                          tir_const_int(tir, (int32_t)step, span), NULL, span);
    TirExpr *at = tir_map(tir, OP_ADD, var->type, tir_read(tir, first, span), by, NULL, span);
    var->role = VAR_LOCAL;
    tir_set_var(tir, &loop->for_loop.body, var, at, span);
    TirStmt *guard = tir_stmt(tir, &loop->for_loop.body, STMT_IF, span);
    guard->branch.condition =
        tir_map(tir, step > 0 ? OP_LT : OP_GT, bools, tir_read(tir, var, span),
                tir_read(tir, last, span), NULL, span);
    guard->branch.then = stmt->for_loop.body;
}

// Whether the variable bounds of a loop are within so few numbers that it may turn so often.
static bool is_bounded(const Straight *straight, const TirStmt *stmt, uint64_t turns,
                       int64_t *step) {
    enum { MOST_TURNS = 1 << 16 };
    Interval first = interval_of(straight->intervals, stmt->for_loop.first);
    Interval last = interval_of(straight->intervals, stmt->for_loop.last);
    const int64_t limit = 1 << 30; // so that no turn in name wraps
    return constant_integer(straight->tir, stmt->for_loop.step, step) && *step != 0 &&
           *step > -MOST_TURNS && *step < MOST_TURNS && turns <= MOST_TURNS / 16 &&
           first.least > -limit && first.most < limit && last.least > -limit && last.most < limit;
}

static void finish_for(Straight *straight, TirStmt *stmt, TirBlock *out, uint64_t turns) {
    int64_t first, step;
    uint32_t count;
    if (!turns_of(straight->tir, stmt, &first, &step, &count) &&
        is_bounded(straight, stmt, turns, &step)) {
        bound(straight, stmt, out, (uint32_t)turns, step);
        return;
    }
    LIST_PUSH(straight->tir->arena, out, stmt);
}

static void straighten_for(Straight *straight, TirStmt *stmt, TirBlock *out) {
    Span span = stmt->span;
    uint64_t most;
    straight->intervals[stmt->for_loop.var->id] =
        interval_of_loop(straight->intervals, stmt, &most);
    if (!turns_are_active(straight->active, stmt) && jumps_of(stmt) == JUMPS_NOT) {
        LIST_PUSH(straight->tir->arena, out, stmt);
        return;
    }
    if (!has_own_jumps(&stmt->for_loop.body)) {
        stmt->for_loop.body = straighten(straight, &stmt->for_loop.body, 0);
        finish_for(straight, stmt, out, most);
        return;
    }
    Loop loop = {straight->loop, new_flag(straight, span), new_flag(straight, span)};
    set_flag(straight, out, loop.runs, true, span);
    straight->loop = &loop;
    TirBlock body = {0}, turn = straighten(straight, &stmt->for_loop.body, 0);
    straight->loop = loop.outer;
    set_flag(straight, &body, loop.turns, true, span);
    TirStmt *guard = tir_stmt(straight->tir, &body, STMT_IF, span);
    guard->branch.condition = tir_read(straight->tir, loop.runs, span);
    guard->branch.then = turn;
    stmt->for_loop.body = body;
    finish_for(straight, stmt, out, most);
}

static void straighten_stmt(Straight *straight, TirStmt *stmt, TirBlock *out) {
    bool is_of_loop = stmt->kind == STMT_BREAK || stmt->kind == STMT_CONTINUE;
    CHECK(straight->loop != NULL || !is_of_loop);
    switch ((int)stmt->kind) {
    case STMT_RETURN:
        set_flag(straight, out, straight->runs, false, stmt->span);
        for (const Loop *loop = straight->loop; loop != NULL; loop = loop->outer) {
            set_flag(straight, out, loop->runs, false, stmt->span);
        }
        return;
    case STMT_BREAK: set_flag(straight, out, straight->loop->runs, false, stmt->span); return;
    case STMT_CONTINUE: set_flag(straight, out, straight->loop->turns, false, stmt->span); return;
    case STMT_IF:
        stmt->branch.then = straighten(straight, &stmt->branch.then, 0);
        stmt->branch.otherwise = straighten(straight, &stmt->branch.otherwise, 0);
        break;
    case STMT_FOR: straighten_for(straight, stmt, out); return;
    case STMT_WHILE: straight->fails |= jumps_of(stmt) != JUMPS_NOT; break;
    }
    LIST_PUSH(straight->tir->arena, out, stmt);
}

// The statements from `first` on.
static TirBlock straighten(Straight *straight, const TirBlock *block, size_t first) {
    TirBlock out = {0};
    for (size_t i = first; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        unsigned jumps = jumps_of(stmt);
        straighten_stmt(straight, stmt, &out);
        if (jumps == JUMPS_NOT || i + 1 == block->count) {
            continue;
        }
        TirStmt *guard = tir_stmt(straight->tir, &out, STMT_IF, stmt->span);
        guard->branch.condition = goes_on(straight, jumps, stmt->span);
        guard->branch.then = straighten(straight, block, i + 1);
        return out;
    }
    return out;
}

// Whether there is nothing to do.
static bool is_straight(Tir *tir, const Active *active, const TirBlock *block, bool is_whole) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        bool is_end = is_whole && i + 1 == block->count && stmt->kind == STMT_RETURN;
        int64_t first, step;
        uint32_t count;
        bool has_own = stmt->kind == STMT_FOR && turns_are_active(active, stmt) &&
                       (!turns_of(tir, stmt, &first, &step, &count) ||
                        !is_straight(tir, active, &stmt->for_loop.body, false));
        if (!is_end && (has_own || jumps_of(stmt) != JUMPS_NOT)) {
            return false;
        }
        if (stmt->kind == STMT_IF && (!is_straight(tir, active, &stmt->branch.then, false) ||
                                      !is_straight(tir, active, &stmt->branch.otherwise, false))) {
            return false;
        }
    }
    return true;
}

TirFunction *straight_function(Tir *tir, const Active *active) {
    const TirFunction *from = active->function;
    if (is_straight(tir, active, &from->body, true)) {
        return (TirFunction *)from;
    }
    TirFunction *copy = ARENA_NEW(tir->arena, TirFunction);
    *copy = *from;
    copy->vars = (TirVars){0};
    copy->results = (TirVars){0};
    copy->body = (TirBlock){0};
    copy->params = ARENA_ARRAY(tir->arena, TirVar *, from->param_count + 1);
    TirClone clone = clone_vars(tir, from, copy);
    for (size_t k = 0; k < from->param_count; k++) {
        copy->params[k] = clone.vars[from->params[k]->id];
    }
    for (size_t k = 0; k < from->results.count; k++) {
        LIST_PUSH(tir->arena, &copy->results, clone.vars[from->results.items[k]->id]);
    }
    clone_block(&clone, &from->body, &copy->body);

    // The same variables are active in it, and flags are not.
    Straight straight = {.tir = tir,
                         .active = active,
                         .function = copy,
                         .intervals = interval_vars(tir->arena, copy)};
    straight.runs = new_flag(&straight, from->span);
    TirBlock body = {0};
    set_flag(&straight, &body, straight.runs, true, from->span);
    TirBlock rest = straighten(&straight, &copy->body, 0);
    tir_append(tir, &body, &rest);
    copy->body = body;
    return straight.fails ? NULL : copy;
}
