// Takes a loop whose turns each have a column of matrices into the loops inside of it, which go
// from row to row: there the turns are a row at once (tir/widen.h).
//
//     for s = 0:16:1:                          for i = 1:32:1:
//       for i = 1:32:1:                          z[i, i0] = x[i, i0] - a * z[i - 1, i0]
//         z[i] = x[i, s] - a * z[i - 1]          y[i, i0] = z[i, i0]
//         y[i, s] = z[i]                       end
//       end
//     end
//
// What a turn has for itself, as `z`, all turns have then, side by side in memory. Other arrays
// that are written every turn reads and writes in its own column alone, so that turns do not see
// one another; and what may trap is the same in all of them, so that the first one still is. Where
// all that is a turn's own are scalars, and nothing traps, pass_lanes does without that memory.
// Reads any valid TIR without nests and leaves such.
#include "tir/passes/passes.h"

#include "tir/remark.h"
#include "tir/rewrite.h"
#include "tir/uses.h"
#include "tir/visit.h"
#include "tir/widen.h"
#include "types/memory.h"

enum {
    TURNS_LEAST = 4,
    ARRAY_LEAST = 17,     // elements; pass_batch makes scalars of those of shorter ones
    BYTES_MOST = 1 << 16, // of what is a turn's own, in all turns
};

typedef struct Interchange {
    Tir *tir;
    TirFunction *function;
    const TirUses *uses; // of its variables
    Widening widening;
    Table columns; // arrays that turns write, with the place of the first one
    uint64_t bytes;
    bool has_array; // that is a turn's own, and long
    bool may_trap;
    bool writes_global;
    LIST_OF(TirVar *) own; // of a turn
} Interchange;

typedef struct Writes {
    const TirVar *var;
    uint32_t count;
} Writes;

static void count_write(TirStmt *stmt, void *data) {
    Writes *writes = data;
    writes->count += stmt->kind == STMT_SET && tir_place_var(stmt->set.place) == writes->var;
}

static bool holds_all_uses(const Interchange *change, const TirBlock *block, const TirVar *var) {
    const TirUses *uses = &change->uses[var->id];
    Writes writes = {.var = var};
    tir_visit_stmts(block, count_write, &writes);
    return tir_block_reads(block, var) == uses->reads &&
           writes.count == uses->writes + uses->updates;
}

// Whether the block gives the variable all of its value before anything reads it, in each turn of
// the loops around, and nothing outside uses it.
static bool is_own(const Interchange *change, const TirBlock *block, const TirVar *var) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (tir_stmt_reads(stmt, var) == 0 && !tir_stmt_writes(stmt, var)) {
            continue;
        }
        if (stmt->kind == STMT_FOR) {
            return is_own(change, &stmt->for_loop.body, var);
        }
        return stmt->set.place->kind == EXPR_VAR && tir_expr_reads(stmt->set.value, var) == 0 &&
               holds_all_uses(change, block, var);
    }
    return false;
}

// Whether a view of an array shows one column of it in each turn, each another one.
static bool is_column(const Interchange *change, const TirExpr *view, WideningLine *line) {
    uint32_t rank = view->view.operand->type->flat_rank;
    bool is_moving = false;
    for (uint32_t k = 0; k < rank; k++) {
        const TirExpr *index = view->view.axes[k].index;
        is_moving = index != NULL && !widening_is_fixed(&change->widening, index);
        if (is_moving && (k + 1 < rank || !widening_line(&change->widening, index, line))) {
            return false;
        }
    }
    return is_moving && line->step == 1;
}

// Whether it sets and counts, alike in all turns, and counts at all.
static bool is_plain(const TirBlock *block, bool *has_loop) {
    for (size_t i = 0; i < block->count; i++) {
        const TirStmt *stmt = block->items[i];
        bool is_loop = stmt->kind == STMT_FOR;
        *has_loop = *has_loop || is_loop;
        if (is_loop ? !is_plain(&stmt->for_loop.body, has_loop) : stmt->kind != STMT_SET) {
            return false;
        }
    }
    return true;
}

// Notes what a turn writes. False: turns would see one another.
static bool find_written(Interchange *change, const TirBlock *body, const TirExpr *place) {
    TirVar *var = tir_place_var(place);
    WideningLine line;
    if (place->kind == EXPR_VIEW && is_column(change, place, &line)) {
        table_set(change->tir->arena, &change->columns, var, (void *)place);
        change->writes_global = change->writes_global || tir_var_is_global(var);
        return true;
    }
    if (table_get(&change->widening.wide, var) != NULL) {
        return true;
    }
    const Type *type = widening_type(&change->widening, var->type);
    if (!tir_var_is_local(var) || type == NULL || !is_own(change, body, var)) {
        return false;
    }
    change->has_array = change->has_array || var->type->numel >= ARRAY_LEAST;
    change->bytes += type_bytes(type, false);
    table_set(change->tir->arena, &change->widening.wide, var, var); // until it is made
    LIST_PUSH(change->tir->arena, &change->own, var);
    return true;
}

static bool find_all_written(Interchange *change, const TirBlock *body, const TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        const TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_FOR ? !find_all_written(change, body, &stmt->for_loop.body)
                                   : !find_written(change, body, stmt->set.place)) {
            return false;
        }
    }
    return true;
}

typedef struct Check {
    Interchange *change;
    bool holds;
} Check;

// Whether what is read is of the turn's own column, of no column of the turns, or of a row along
// which turns go; and what may trap the same in all turns.
static void check_expr(const TirExpr *expr, void *data) {
    Check *check = data;
    Interchange *change = check->change;
    WideningLine line, first;
    bool traps = tir_node_may_trap(expr);
    change->may_trap = change->may_trap || traps;
    if (expr->kind == EXPR_VAR && table_get(&change->columns, expr->var) != NULL) {
        check->holds = false; // all of it
    }
    if (traps && expr->kind != EXPR_VIEW && !widening_is_fixed(&change->widening, expr)) {
        check->holds = false;
    }
    const TirVar *var = expr->kind == EXPR_VIEW && expr->view.operand->kind == EXPR_VAR
                            ? expr->view.operand->var
                            : NULL;
    if (var == NULL) {
        tir_read_operands(expr, check_expr, data);
        return;
    }
    const TirExpr *written = table_get(&change->columns, var);
    bool is_moving = is_column(change, expr, &line);
    for (size_t k = 0; k < expr->view.operand->type->flat_rank; k++) {
        const TirExpr *index = expr->view.axes[k].index;
        if (index != NULL) {
            check_expr(index, data);
            check->holds =
                check->holds && (is_moving || widening_is_fixed(&change->widening, index));
        }
    }
    if (written != NULL) {
        is_column(change, written, &first);
        check->holds = check->holds && is_moving && line.first == first.first;
    }
}

static bool check_all(Check *check, const TirBlock *block) {
    Interchange *change = check->change;
    for (size_t i = 0; i < block->count && check->holds; i++) {
        const TirStmt *stmt = block->items[i];
        tir_read_exprs(stmt, check_expr, check);
        if (stmt->kind == STMT_FOR) {
            check->holds = check->holds &&
                           widening_is_fixed(&change->widening, stmt->for_loop.first) &&
                           widening_is_fixed(&change->widening, stmt->for_loop.last) &&
                           widening_is_fixed(&change->widening, stmt->for_loop.step) &&
                           check_all(check, &stmt->for_loop.body);
        }
    }
    return check->holds;
}

static bool widen_set(Interchange *change, const TirStmt *set, TirBlock *out) {
    Widening *widening = &change->widening;
    bool is_column = table_get(&change->columns, tir_place_var(set->set.place)) != NULL;
    TirExpr *value = widening_value(widening, set->set.value);
    TirExpr *place = is_column ? widening_place(widening, set->set.place)
                               : widening_value(widening, set->set.place);
    if (value == NULL || place == NULL) {
        return false;
    }
    TirStmt *wide = tir_set(change->tir, out, place, value, set->span);
    wide->set.is_update = set->set.is_update;
    return true;
}

static bool widen_block(Interchange *change, const TirBlock *block, TirBlock *out) {
    for (size_t i = 0; i < block->count; i++) {
        const TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_SET) {
            if (!widen_set(change, stmt, out)) {
                return false;
            }
            continue;
        }
        TirStmt *loop = tir_stmt(change->tir, out, STMT_FOR, stmt->span);
        loop->for_loop = stmt->for_loop;
        loop->for_loop.body = (TirBlock){0};
        if (!widen_block(change, &stmt->for_loop.body, &loop->for_loop.body)) {
            return false;
        }
    }
    return true;
}

static void make_wide(Interchange *change) {
    for (size_t i = 0; i < change->own.count; i++) {
        const TirVar *var = change->own.items[i];
        const Type *type = widening_type(&change->widening, var->type);
        TirVar *wide =
            tir_var_create(change->tir, change->function, var->role, var->name, type, var->span);
        table_set(change->tir->arena, &change->widening.wide, var, wide);
    }
}

// Whether turns may be rows, and that gains something.
static bool is_worth_it(Interchange *change, const TirBlock *body) {
    bool has_loop = false;
    Check check = {change, true};
    return is_plain(body, &has_loop) && has_loop && find_all_written(change, body, body) &&
           change->bytes <= BYTES_MOST && check_all(&check, body) &&
           (change->has_array || change->may_trap) && !(change->may_trap && change->writes_global);
}

static bool interchange(Interchange *change, TirStmt *loop, TirBlock *out) {
    const TirBlock *body = &loop->for_loop.body;
    if (!widening_begin(&change->widening, change->tir, loop) ||
        change->widening.turns < TURNS_LEAST || change->widening.step != 1) {
        return false;
    }
    change->widening.at = TYPE_RANK_LIMIT; // the last one
    TirBlock wide = {0};
    if (!is_worth_it(change, body)) {
        return false;
    }
    make_wide(change);
    if (!widen_block(change, body, &wide)) {
        return false;
    }
    tir_append(change->tir, out, &wide);
    tir_remark(change->tir, "interchange", loop->span, (Span){0},
               "its turns are rows in the loops inside");
    return true;
}

typedef struct Changer {
    Tir *tir;
    TirFunction *function;
    const TirUses *uses; // NULL: to be counted
} Changer;

static bool change_loop(TirStmt *stmt, TirBlock *out, void *data) {
    Changer *changer = data;
    if (stmt->kind != STMT_FOR) {
        return false;
    }
    if (changer->uses == NULL) {
        changer->uses = tir_count_uses(changer->tir->arena, changer->function);
    }
    Interchange change = {
        .tir = changer->tir, .function = changer->function, .uses = changer->uses};
    bool is_changed = interchange(&change, stmt, out);
    changer->uses = is_changed ? NULL : changer->uses;
    return is_changed;
}

void pass_interchange(Tir *tir, TirFunction *function) {
    Changer changer = {.tir = tir, .function = function};
    tir_rewrite_inner_first(tir, &function->body, change_loop, &changer);
}
