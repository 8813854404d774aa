// Makes two loops of one that reads by a quotient of its variable, as where each element becomes
// several, or several bits:
//
//     for i = 0:1024:                              for q = 0:512:
//         if i % 2 == 0: y[i] = x[i / 2]               for r = 0:2:
//         else: y[i] = x[i / 2] + x[i / 2 + 1]             if r == 0: y[2 * q + r] = x[q]
//     end                                                  else: y[2 * q + r] = x[q] + x[q + 1]
//                                                  ...
//
// Nothing is divided then, what is read is the same in all turns of the inner loop, and later
// passes write that out, conditions and all. Turns stay in their order; those before the first
// multiple and behind the last one are loops as it was. Loops that carry something from turn to
// turn stay: of these strips.c knows more. Reads any valid TIR without nests and leaves such.
#include "tir/passes/passes.h"

#include "tir/constant.h"
#include "tir/periodic.h"
#include "tir/remark.h"
#include "tir/replace.h"
#include "tir/rewrite.h"
#include "tir/visit.h"

enum {
    PHASES_MOST = 64,
    GROUPS_LEAST = 4,
    NODES_MOST = 256, // of a loop
};

// A loop, and what its variable is divided by.
typedef struct Phases {
    Tir *tir;
    TirStmt *loop;
    ConstantTurns turns;
    int64_t count; // of turns of the inner loop; 0: none is found yet
    bool has_quotient, differ;
    TirExpr *group, *phase; // variables of the two loops
    unsigned nodes;
} Phases;

// Whether it is a quotient or a remainder of the loop's variable by a constant.
static bool is_divided(const Phases *phases, const TirExpr *expr) {
    return expr->kind == EXPR_MAP && (expr->map.op == OP_DIV || expr->map.op == OP_REM) &&
           expr->map.args[0]->kind == EXPR_VAR &&
           expr->map.args[0]->var == phases->loop->for_loop.var &&
           constant_is_int(expr->map.args[1]);
}

static void look_at(const TirExpr *expr, void *data) {
    Phases *phases = data;
    phases->nodes++;
    if (is_divided(phases, expr)) {
        int64_t by = expr->map.args[1]->data[0].integer;
        phases->differ = phases->differ || (phases->count != 0 && phases->count != by);
        phases->count = by;
        phases->has_quotient = phases->has_quotient || expr->map.op == OP_DIV;
    }
    tir_read_operands(expr, look_at, data);
}

static bool is_in_the_way(TirStmt *stmt, void *data) {
    Phases *phases = data;
    tir_read_exprs(stmt, look_at, phases);
    bool is_possible =
        stmt->kind == STMT_SET || stmt->kind == STMT_IF || tir_is_short_for(phases->tir, stmt);
    return !is_possible || tir_goes_on(phases->loop, stmt) || phases->nodes > NODES_MOST;
}

static int64_t first_group(const Phases *phases) {
    return (phases->turns.first + phases->count - 1) / phases->count;
}

static int64_t end_of_groups(const Phases *phases) {
    return (phases->turns.first + phases->turns.count) / phases->count;
}

static bool find_phases(Phases *phases) {
    const TirStmt *loop = phases->loop;
    return constant_turns(phases->tir, loop, &phases->turns) && phases->turns.step == 1 &&
           phases->turns.first >= 0 && !tir_any_stmt(&loop->for_loop.body, is_in_the_way, phases) &&
           phases->has_quotient && !phases->differ && phases->count >= 2 &&
           phases->count <= PHASES_MOST &&
           end_of_groups(phases) - first_group(phases) >= GROUPS_LEAST;
}

static void put_phase(TirExpr **operand, void *data) {
    const Phases *phases = data;
    Tir *tir = phases->tir;
    TirExpr *expr = *operand;
    if (is_divided(phases, expr)) {
        *operand = expr->map.op == OP_DIV ? phases->group : phases->phase;
    } else if (expr->kind != EXPR_VAR && tir_expr_reads(expr, phases->loop->for_loop.var) > 0) {
        *operand = tir_copy_node(tir, expr);
        tir_visit_operands(*operand, put_phase, data);
    }
}

static void write_phases(Phases *phases, TirOwn *own, TirBlock *out) {
    Tir *tir = phases->tir;
    TirStmt *loop = phases->loop;
    int64_t first = phases->turns.first, end = first + phases->turns.count;
    int64_t first_full = first_group(phases), end_full = end_of_groups(phases);
    TirBlock behind = {0};
    tir_copy_turns_of(tir, own, loop, first, first_full * phases->count, out);
    tir_copy_turns_of(tir, own, loop, end_full * phases->count, end, &behind);
    TirStmt *outer =
        tir_for(tir, out, own->function, (int32_t)first_full, (int32_t)end_full, 1, loop->span);
    TirStmt *inner = tir_for(tir, &outer->for_loop.body, own->function, 0, (int32_t)phases->count,
                             1, loop->span);
    outer->for_loop.var->name = inner->for_loop.var->name = loop->for_loop.var->name;
    phases->group = tir_read(tir, outer->for_loop.var, loop->span);
    phases->phase = tir_read(tir, inner->for_loop.var, loop->span);
    inner->for_loop.body = loop->for_loop.body;
    tir_visit_exprs_in(&inner->for_loop.body, put_phase, phases);
    TirExpr *start = tir_line(tir, phases->group, phases->count, 0, loop->span);
    TirExpr *whole =
        tir_map(tir, OP_ADD, phases->phase->type, start, phases->phase, NULL, loop->span);
    for (size_t i = 0; i < inner->for_loop.body.count; i++) {
        tir_replace_in(tir, inner->for_loop.body.items[i], loop->for_loop.var, whole);
    }
    for (size_t i = 0; i < behind.count; i++) {
        LIST_PUSH(tir->arena, out, behind.items[i]);
    }
    tir_remark(tir, "phases", loop->span, (Span){0},
               "%lld turns of it at a time, which share a quotient, are a loop",
               (long long)phases->count);
}

static bool rewrite(TirStmt *loop, TirBlock *out, void *data) {
    TirOwn *own = data;
    Phases phases = {.tir = own->tir, .loop = loop};
    bool is_one = loop->kind == STMT_FOR && find_phases(&phases);
    if (is_one) {
        write_phases(&phases, own, out);
    }
    return is_one;
}

void pass_phases(Tir *tir, TirFunction *function) {
    TirOwn own = own_create(tir, function);
    tir_rewrite_outer_first(tir, &function->body, rewrite, &own);
}
