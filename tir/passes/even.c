// Gives a loop that adds reals up the same bounds in all turns of the loop around it, so that these
// can run side by side: the turns that all of them have, and a condition in those at the ends.
//
//     for lag = 0:10:                      for lag = 0:10:
//         for i = 0:200 - lag:                 for i = 0:191: r[lag] += x[i] * x[i + lag]
//             r[lag] += x[i] * x[i + lag]      for i = 191:200:
//         end                                      if i < 200 - lag: r[lag] += x[i] * x[i + lag]
//     end                                  end
//
// Sums of reals keep their order, so that each addition waits for the one before it: where turns of
// the loop around do not run side by side after all, what is left to do is little beside that.
// Reads any valid TIR without nests and leaves such.
#include "tir/passes/passes.h"

#include "tir/constant.h"
#include "tir/interval.h"
#include "tir/own.h"
#include "tir/remark.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum {
    TURNS_LEAST = 8, // of the loop around: the lanes of the longest vectors of reals
    INSIDE_LEAST = 16,
    END_SHARE = 2, // the ends have no more than one of so many turns
    FAR = 1 << 20, // no bound is further from 0
};

typedef struct Evener {
    Tir *tir;
    TirOwn own; // of the function
} Evener;

// slope * v + offset, of the variable of the loop around.
typedef struct Line {
    int64_t slope, offset;
} Line;

static bool line_of(const TirExpr *expr, const TirVar *var, Line *line) {
    if (expr->type->root != ROOT_INT || !type_is_scalar(expr->type)) {
        return false;
    }
    if (expr->kind == EXPR_CONST || expr->kind == EXPR_VAR) {
        bool is_var = expr->kind == EXPR_VAR;
        *line = (Line){is_var, is_var ? 0 : expr->data[0].integer};
        return !is_var || expr->var == var;
    }
    Line a, b;
    if (expr->kind != EXPR_MAP || (expr->map.op != OP_ADD && expr->map.op != OP_SUB) ||
        !line_of(expr->map.args[0], var, &a) || !line_of(expr->map.args[1], var, &b)) {
        return false;
    }
    int64_t sign = expr->map.op == OP_ADD ? 1 : -1;
    *line = (Line){a.slope + sign * b.slope, a.offset + sign * b.offset};
    return line->slope >= -1 && line->slope <= 1 && line->offset >= -FAR && line->offset <= FAR;
}

// What a bound is in all turns of the loop around.
static bool bound_of(const TirExpr *bound, const TirVar *var, const ConstantTurns *turns,
                     Interval *range) {
    Line line;
    if (!line_of(bound, var, &line)) {
        return false;
    }
    int64_t first = line.slope * turns->first + line.offset;
    int64_t last = line.slope * (turns->first + turns->count - 1) + line.offset;
    *range = first < last ? (Interval){first, last} : (Interval){last, first};
    return true;
}

// Whether all that turns do is to add reals to what is the same in each, with what they compute for
// that, and none may end in a fault.
static bool adds_reals(const TirStmt *loop) {
    const TirBlock *body = &loop->for_loop.body;
    bool adds = false;
    for (size_t i = 0; i < body->count; i++) {
        const TirStmt *stmt = body->items[i];
        if (stmt->kind != STMT_SET || !type_is_scalar(stmt->set.place->type) ||
            tir_may_trap(stmt->set.place) || tir_may_trap(stmt->set.value) ||
            tir_expr_reads(stmt->set.place, loop->for_loop.var) > 0) {
            return false;
        }
        adds = adds || (stmt->set.place->type->root == ROOT_REAL &&
                        tir_expr_reads(stmt->set.value, tir_place_var(stmt->set.place)) > 0);
    }
    return adds;
}

typedef struct Even {
    Interval first, last;
} Even;

static bool plan(Evener *evener, const TirStmt *around, const TirStmt *loop, Even *even) {
    ConstantTurns turns;
    const TirExpr *step = loop->for_loop.step;
    const TirVar *var = around->for_loop.var;
    if (!constant_turns(evener->tir, around, &turns) || turns.step != 1 ||
        turns.count < TURNS_LEAST || turns.first < -FAR || turns.first + turns.count > FAR ||
        step->kind != EXPR_CONST || step->data[0].integer != 1 ||
        !bound_of(loop->for_loop.first, var, &turns, &even->first) ||
        !bound_of(loop->for_loop.last, var, &turns, &even->last)) {
        return false;
    }
    int64_t all = even->last.least - even->first.most;
    int64_t ends = even->first.most - even->first.least + even->last.most - even->last.least;
    return ends > 0 && all >= INSIDE_LEAST && ends <= all / END_SHARE && adds_reals(loop);
}

// Where a condition says whether a turn is one, it says so of what is read there, too.
static void read_below_condition(TirExpr **operand, void *data) {
    const TirVar *turn = data;
    TirExpr *expr = *operand;
    for (size_t k = 0; expr->kind == EXPR_VIEW && k < expr->view.operand->type->flat_rank; k++) {
        TirAxis *axis = &expr->view.axes[k];
        if (axis->index != NULL && tir_expr_reads(axis->index, turn) > 0) {
            axis->is_free = false;
            axis->never_wraps = false;
        }
    }
    tir_visit_operands(expr, read_below_condition, data);
}

// The turns at one end, appended to `out`: `op` says of each and of the bound whether it is one.
static void put_end(Evener *evener, TirStmt *loop, TirOp op, TirExpr *bound, Interval turns,
                    TirBlock *out) {
    if (turns.least == turns.most) {
        return;
    }
    Tir *tir = evener->tir;
    Span span = bound->span;
    own_copy(&evener->own, &(TirBlock){.items = &loop, .count = 1}, out);
    TirStmt *copy = out->items[out->count - 1];
    TirBlock body = {0};
    TirStmt *branch = tir_stmt(tir, &body, STMT_IF, copy->span);
    branch->branch.then = copy->for_loop.body;
    for (size_t i = 0; i < branch->branch.then.count; i++) {
        tir_visit_exprs(branch->branch.then.items[i], read_below_condition, copy->for_loop.var);
    }
    branch->branch.condition = tir_map(tir, op, type_scalar(tir->types, ROOT_BOOL),
                                       tir_read(tir, copy->for_loop.var, span), bound, NULL, span);
    copy->for_loop.body = body;
    copy->for_loop.is_rare = true;
    tir_set_turns(tir, copy, turns.least, turns.most);
}

static void even_block(Evener *evener, const TirStmt *around, TirBlock *block) {
    TirBlock out = {0};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            even_block(evener, stmt->kind == STMT_FOR ? stmt : NULL, nested[k]);
        }
        Even even;
        if (around == NULL || stmt->kind != STMT_FOR || !plan(evener, around, stmt, &even)) {
            LIST_PUSH(evener->tir->arena, &out, stmt);
            continue;
        }
        TirExpr *first = stmt->for_loop.first, *last = stmt->for_loop.last;
        put_end(evener, stmt, OP_GE, first, even.first, &out);
        LIST_PUSH(evener->tir->arena, &out, stmt);
        put_end(evener, stmt, OP_LT, last, even.last, &out);
        tir_set_turns(evener->tir, stmt, even.first.most, even.last.least);
        tir_remark(evener->tir, "even", stmt->span, (Span){0},
                   "its turns from %lld to %lld, which it always has, are apart from the others",
                   (long long)even.first.most, (long long)even.last.least - 1);
    }
    *block = out;
}

void pass_even(Tir *tir, TirFunction *function) {
    Evener evener = {.tir = tir, .own = own_create(tir, function)};
    even_block(&evener, NULL, &function->body);
}
