// What a turn reads is found by one walk over its statements in order, in which a value given under
// a condition, in a loop inside, or to a part does not count as one.
#include "tir/derive/turns.h"

#include "support/bug.h"
#include "support/table.h"
#include "tir/constant.h"
#include "tir/rewrite.h"
#include "tir/uses.h"

static bool writes_active(TirStmt *stmt, void *data) {
    const Active *active = data;
    const TirVar *var;
    for (size_t k = 0; (var = tir_stmt_written(stmt, k)) != NULL; k++) {
        if (!tir_var_is_global(var) && active->vars[var->id]) {
            return true;
        }
    }
    return false;
}

bool turns_are_active(const Active *active, TirStmt *stmt) {
    return tir_any_stmt(&(TirBlock){.items = &stmt, .count = 1}, writes_active, (void *)active);
}

bool turns_of(Tir *tir, const TirStmt *loop, int64_t *first, int64_t *step, uint32_t *count) {
    ConstantTurns turns;
    if (!constant_turns(tir, loop, &turns)) {
        return false;
    }
    *first = turns.first;
    *step = turns.step;
    *count = (uint32_t)turns.count;
    return turns.count <= INT32_MAX;
}

typedef struct Carried {
    Arena *arena;
    const bool *written;
    bool *has_value;
    bool *found;
    size_t vars;
} Carried;

static void note_read(const TirExpr *expr, void *data) {
    const Carried *carried = data;
    if (expr->kind == EXPR_VAR && !tir_var_is_global(expr->var)) {
        uint32_t id = expr->var->id;
        carried->found[id] |= carried->written[id] && !carried->has_value[id];
    }
    tir_read_operands(expr, note_read, data);
}

static void note_written(TirStmt *stmt, void *data) {
    bool *written = data;
    const TirVar *var;
    for (size_t k = 0; (var = tir_stmt_written(stmt, k)) != NULL; k++) {
        if (!tir_var_is_global(var)) {
            written[var->id] = true;
        }
    }
}

bool *turns_written(Tir *tir, const TirFunction *function, const TirStmt *loop) {
    bool *written = ARENA_ARRAY(tir->arena, bool, function->vars.count + 1);
    tir_visit_stmts(&loop->for_loop.body, note_written, written);
    return written;
}

static void note_block(Carried *carried, const TirBlock *block);

static void note_blocks(Carried *carried, TirStmt *stmt) {
    TirBlock *nested[2];
    bool *outer = carried->has_value, *inner[2];
    size_t count = tir_stmt_blocks(stmt, nested);
    for (size_t k = 0; k < count; k++) {
        inner[k] = arena_grow(carried->arena, outer, carried->vars, carried->vars, sizeof(bool));
        carried->has_value = inner[k];
        note_block(carried, nested[k]);
    }
    carried->has_value = outer;
    CHECK(stmt->kind != STMT_IF || count == 2);
    for (size_t i = 0; stmt->kind == STMT_IF && i < carried->vars; i++) {
        outer[i] = inner[0][i] && inner[1][i];
    }
}

static void note_stmt(Carried *carried, TirStmt *stmt) {
    tir_read_values(stmt, note_read, carried);
    if (stmt->kind == STMT_SET && stmt->set.place->kind != EXPR_VAR) {
        note_read(tir_bottom(stmt->set.place), carried); // the rest of it stays
    }
    const TirVar *var;
    for (size_t k = 0; (var = tir_stmt_written(stmt, k)) != NULL; k++) {
        if (!tir_var_is_global(var)) {
            carried->has_value[var->id] = true;
        }
    }
    note_blocks(carried, stmt);
}

static void note_block(Carried *carried, const TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        note_stmt(carried, block->items[i]);
    }
}

bool *turns_carried(Tir *tir, const TirFunction *function, const TirStmt *loop) {
    size_t vars = function->vars.count + 1;
    Carried carried = {.arena = tir->arena,
                       .written = turns_written(tir, function, loop),
                       .has_value = ARENA_ARRAY(tir->arena, bool, vars),
                       .found = ARENA_ARRAY(tir->arena, bool, vars),
                       .vars = vars};
    note_block(&carried, &loop->for_loop.body);
    return carried.found;
}

// Variables of which nothing is known to be made.
typedef struct Idle {
    Table vars;
    Arena *arena;
    bool is_less;
} Idle;

static void note_needed(const TirExpr *expr, void *data) {
    Idle *idle = data;
    if (expr->kind == EXPR_VAR && table_get(&idle->vars, expr->var) != NULL) {
        table_set(idle->arena, &idle->vars, expr->var, NULL);
        idle->is_less = true;
    }
    tir_read_operands(expr, note_needed, data);
}

static bool sets_idle(const Idle *idle, const TirStmt *stmt) {
    return stmt->kind == STMT_SET && table_get(&idle->vars, tir_place_var(stmt->set.place)) != NULL;
}

static void note_needs(TirStmt *stmt, void *data) {
    Idle *idle = data;
    if (!sets_idle(idle, stmt)) {
        tir_read_values(stmt, note_needed, idle);
    }
}

static bool drop_idle(TirStmt *stmt, TirBlock *out, void *data) {
    (void)out;
    return sets_idle(data, stmt);
}

TirVars turns_needed(Tir *tir, TirVar *const *vars, size_t count, const bool *carried,
                     TirBlock *rerun, TirBlock *adjoints) {
    Idle idle = {.arena = tir->arena};
    for (size_t k = 0; k < count; k++) {
        if (carried[k]) {
            table_set(tir->arena, &idle.vars, vars[k], vars[k]);
        }
    }
    do {
        idle.is_less = false;
        tir_visit_stmts(rerun, note_needs, &idle);
        tir_visit_stmts(adjoints, note_needs, &idle);
    } while (idle.is_less);
    TirVars needed = {0};
    for (size_t k = 0; k < count; k++) {
        if (carried[k] && table_get(&idle.vars, vars[k]) == NULL) {
            LIST_PUSH(tir->arena, &needed, vars[k]);
        }
    }
    tir_rewrite_inner_first(tir, rerun, drop_idle, &idle);
    return needed;
}

typedef struct Found {
    Arena *arena;
    Table vars;
} Found;

static void note_found(const TirExpr *expr, void *data) {
    Found *found = data;
    if (expr->kind == EXPR_VAR) {
        table_set(found->arena, &found->vars, expr->var, expr->var);
    }
    tir_read_operands(expr, note_found, data);
}

TirVars turns_given(Tir *tir, TirVar *const *vars, size_t count, const TirStmt *loop,
                    const TirBlock *rerun, const TirBlock *adjoints) {
    bool *written = ARENA_ARRAY(tir->arena, bool, count + 1);
    tir_visit_stmts(&loop->for_loop.body, note_written, written);
    Found found = {.arena = tir->arena};
    tir_read_exprs_in(rerun, note_found, &found);
    tir_read_exprs_in(adjoints, note_found, &found);
    TirVars given = {0};
    for (size_t k = 0; k < count; k++) {
        if (vars[k] != NULL && vars[k]->role != VAR_LOOP && !written[k] &&
            table_get(&found.vars, vars[k]) != NULL) {
            LIST_PUSH(tir->arena, &given, vars[k]);
        }
    }
    return given;
}
