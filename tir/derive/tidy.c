// Adjoints begin as 0, are added to, and end as 0 where they are passed on; and of the values of
// the function itself derivatives need some. One walk ahead notes which variables are 0, one back
// which are read later; around loops both take what any turn does.
#include "tir/derive/tidy.h"

#include "tir/derive/partial.h"
#include "tir/uses.h"
#include "tir/visit.h"

typedef struct Tidying {
    Tir *tir;
    size_t count;  // of the function's variables
    bool *known;   // by their ids: those that are 0 ahead, and those that are read later back
    bool is_again; // it has run before, so that what traps is known not to
    bool is_ahead; // statements are looked at, and all of them stay
    // By their ids those that may be known to be 0. The values of the function itself keep the sign
    // that 0 + e has.
    const bool *is_change;
} Tidying;

static bool *copy_known(const Tidying *tidying, const bool *known) {
    bool *copy = ARENA_ARRAY(tidying->tir->arena, bool, tidying->count + 1);
    for (size_t i = 0; i < tidying->count; i++) {
        copy[i] = known[i];
    }
    return copy;
}

// A variable of the function whose value at its end nobody sees.
static bool is_own(const TirVar *var) {
    return !tir_var_is_global(var) && var->role != VAR_INOUT;
}

// What is 0.

static bool is_zero(const Tidying *tidying, const TirExpr *expr) {
    const TirExpr *bottom = tir_bottom(expr);
    if (bottom->kind == EXPR_VAR) {
        return is_own(bottom->var) && tidying->known[bottom->var->id];
    }
    return bottom->kind == EXPR_CONST && bottom->type->root == ROOT_REAL &&
           bottom->type->numel == 1 && bottom->data[0].real == 0;
}

static void note_not_zero(TirStmt *stmt, void *data) {
    Tidying *tidying = data;
    const TirVar *var;
    for (size_t k = 0; (var = tir_stmt_written(stmt, k)) != NULL; k++) {
        if (!tir_var_is_global(var)) {
            tidying->known[var->id] = false;
        }
    }
}

static void drop_zeros(Tidying *tidying, TirBlock *block);

static void drop_zeros_in(Tidying *tidying, TirStmt *stmt) {
    TirBlock *nested[2];
    size_t count = tir_stmt_blocks(stmt, nested);
    if (stmt->kind != STMT_IF) { // turns begin with what others leave
        tir_visit_stmts(&(TirBlock){.items = &stmt, .count = 1}, note_not_zero, tidying);
    }
    bool *outer = tidying->known, *inner[2] = {outer, outer};
    for (size_t k = 0; k < count; k++) {
        inner[k] = tidying->known = copy_known(tidying, outer);
        drop_zeros(tidying, nested[k]);
    }
    tidying->known = outer;
    for (size_t i = 0; stmt->kind == STMT_IF && i < tidying->count; i++) {
        outer[i] = inner[0][i] && inner[1][i];
    }
}

// 0 + e is e, and so is what holds it.
static void drop_zeros(Tidying *tidying, TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (stmt->kind != STMT_SET) {
            drop_zeros_in(tidying, stmt);
            continue;
        }
        TirExpr *value = stmt->set.value;
        const TirVar *var = tir_place_var(stmt->set.place);
        if (!is_own(var) || !tidying->is_change[var->id]) {
            continue;
        }
        if (value->kind == EXPR_MAP && value->map.op == OP_ADD && value->type->root == ROOT_REAL &&
            is_zero(tidying, value->map.args[0]) && !tir_may_trap(value->map.args[0])) {
            stmt->set.value = value->map.args[1];
        } else if (value->kind == EXPR_VAR && is_zero(tidying, value)) {
            stmt->set.value = partial_fill(tidying->tir, value->type, 0, value->span);
        }
        bool was_zero = stmt->set.place->kind == EXPR_VAR || tidying->known[var->id];
        tidying->known[var->id] = was_zero && is_zero(tidying, stmt->set.value);
    }
}

// What is read.

static void note_read(const TirExpr *expr, void *data) {
    const Tidying *tidying = data;
    if (expr->kind == EXPR_VAR && !tir_var_is_global(expr->var)) {
        tidying->known[expr->var->id] = true;
    }
    tir_read_operands(expr, note_read, data);
}

static void note_all_read(Tidying *tidying, TirStmt *stmt) {
    tir_read_values_in(&(TirBlock){.items = &stmt, .count = 1}, note_read, tidying);
}

static void drop_unread(Tidying *tidying, TirBlock *block);

// Whether anything is left of it.
static bool keep_set(Tidying *tidying, const TirStmt *stmt) {
    const TirVar *var = tir_place_var(stmt->set.place);
    bool traps =
        !tidying->is_again && (tir_may_trap(stmt->set.value) || tir_may_trap(stmt->set.place));
    if (is_own(var) && !tidying->known[var->id] && !traps) {
        return false;
    }
    if (is_own(var) && stmt->set.place->kind == EXPR_VAR) {
        tidying->known[var->id] = false;
    }
    tir_read_values(stmt, note_read, tidying);
    return true;
}

static bool keep_if(Tidying *tidying, TirStmt *stmt) {
    bool *after = tidying->known;
    bool *otherwise = copy_known(tidying, after);
    drop_unread(tidying, &stmt->branch.then);
    tidying->known = otherwise;
    drop_unread(tidying, &stmt->branch.otherwise);
    tidying->known = after;
    for (size_t i = 0; i < tidying->count; i++) {
        after[i] = after[i] || otherwise[i];
    }
    if (stmt->branch.then.count == 0 && stmt->branch.otherwise.count == 0 &&
        !tir_may_trap(stmt->branch.condition)) {
        return false;
    }
    tir_read_values(stmt, note_read, tidying);
    return true;
}

static void drop_unread_inside(Tidying *tidying, TirStmt *stmt) {
    TirBlock *nested[2];
    for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
        drop_unread(tidying, nested[k]);
    }
}

// Whether it adds something to what is read.
static bool add_known(Tidying *tidying, const bool *known) {
    bool grows = false;
    for (size_t i = 0; i < tidying->count; i++) {
        grows = grows || (known[i] && !tidying->known[i]);
        tidying->known[i] = tidying->known[i] || known[i];
    }
    return grows;
}

// A turn ends with what is read behind the loop or in the turns that follow.
static void find_read_by_turns(Tidying *tidying, TirStmt *stmt) {
    bool is_ahead = tidying->is_ahead;
    tidying->is_ahead = true;
    tir_read_values(stmt, note_read, tidying);
    for (bool grows = true; grows;) {
        bool *end = tidying->known;
        tidying->known = copy_known(tidying, end);
        drop_unread_inside(tidying, stmt);
        bool *begin = tidying->known;
        tidying->known = end;
        grows = add_known(tidying, begin);
    }
    tidying->is_ahead = is_ahead;
}

static bool keep_loop(Tidying *tidying, TirStmt *stmt) {
    find_read_by_turns(tidying, stmt);
    if (tidying->is_ahead) {
        return true;
    }
    bool *around = copy_known(tidying, tidying->known);
    drop_unread_inside(tidying, stmt);
    add_known(tidying, around);
    return stmt->kind != STMT_FOR || stmt->for_loop.body.count > 0 ||
           tir_may_trap(stmt->for_loop.first) || tir_may_trap(stmt->for_loop.last) ||
           tir_may_trap(stmt->for_loop.step);
}

static bool keep_call(Tidying *tidying, TirStmt *stmt) {
    bool is_read = !tidying->is_again;
    const TirVar *var;
    for (size_t k = 0; (var = tir_stmt_written(stmt, k)) != NULL; k++) {
        is_read = is_read || !is_own(var) || tidying->known[var->id];
    }
    if (is_read) {
        note_all_read(tidying, stmt);
    }
    return is_read;
}

static bool keep(Tidying *tidying, TirStmt *stmt) {
    switch ((int)stmt->kind) {
    case STMT_CALL: return keep_call(tidying, stmt);
    case STMT_SET: return keep_set(tidying, stmt);
    case STMT_IF: return keep_if(tidying, stmt);
    case STMT_FOR:
    case STMT_WHILE: return keep_loop(tidying, stmt);
    case STMT_RETURN:
    case STMT_BREAK:
    case STMT_CONTINUE: // anything may be read behind them, and results are
        for (size_t i = 0; i < tidying->count; i++) {
            tidying->known[i] = true;
        }
        return true;
    }
    note_all_read(tidying, stmt);
    return true;
}

static void drop_unread(Tidying *tidying, TirBlock *block) {
    size_t first = block->count;
    for (size_t i = block->count; i-- > 0;) {
        if (keep(tidying, block->items[i]) || tidying->is_ahead) {
            block->items[--first] = block->items[i];
        }
    }
    size_t kept = block->count - first;
    for (size_t i = 0; i < kept; i++) {
        block->items[i] = block->items[first + i];
    }
    block->count = kept;
}

void tidy_function(Tir *tir, TirFunction *function, const bool *is_change, bool is_again) {
    size_t count = function->vars.count;
    Tidying tidying = {tir, count, ARENA_ARRAY(tir->arena, bool, count + 1), .is_again = is_again,
                       .is_change = is_change};
    drop_zeros(&tidying, &function->body);
    tidying.known = ARENA_ARRAY(tir->arena, bool, count + 1);
    TirBlock *body = &function->body;
    bool ends = body->count > 0 && body->items[body->count - 1]->kind == STMT_RETURN;
    body->count -= ends;
    for (size_t k = 0; k < function->results.count; k++) {
        tidying.known[function->results.items[k]->id] = true;
    }
    drop_unread(&tidying, body);
    if (ends) {
        tir_stmt(tir, body, STMT_RETURN, function->span);
    }
}

void tidy_rerun(Tir *tir, const TirFunction *function, TirBlock *rerun, const TirBlock *behind) {
    size_t count = function->vars.count;
    Tidying tidying = {tir, count, ARENA_ARRAY(tir->arena, bool, count + 1), .is_again = true,
                       .is_change = NULL};
    for (size_t i = 0; i < behind->count; i++) {
        note_all_read(&tidying, behind->items[i]);
    }
    drop_unread(&tidying, rerun);
}
