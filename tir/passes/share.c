// Computes once what would take long and is written twice, as the mean of `(x - mean(x)) / norm(x -
// mean(x))`, and before a loop what is the same in all of its turns. Reads what pass_hoist leaves,
// and leaves such.
//
// What takes long are sums and other reductions, products, running sums, and functions of the C
// library of arrays. Something is known from where it is computed to where a variable that it reads
// is written, or the one that has it. What is found again is read from there; a variable that only
// repeats another one is read as that, and is gone when nobody reads it any more. Only what is
// computed anyway is shared: not the right side of `and` and `or`, nor what a view shows a part of.
// What leaves a loop cannot trap.
#include "tir/passes/passes.h"

#include "support/bug.h"
#include "support/table.h"
#include "tir/interval.h"
#include "tir/remark.h"
#include "tir/rewrite.h"
#include "tir/same.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum {
    KNOWN_LIMIT = 32,
    TERMS_FROM = 16,            // of a sum; shorter ones are straight code to LLVM
    FUNCTIONS_FROM = 16,        // elements of an array
    FUNCTIONS_MOST = 32 * 1024, // beyond which memory takes as long
    ASKED_LIMIT = 64,           // values of a loop, of each of which all of it has to be seen
    TURNS_FROM = 16,            // of a loop, some of which need what stands in a branch
};

// A value that has been computed.
typedef struct Known {
    TirExpr *value;
    TirVar *var; // that has it; NULL: only the expression at `slot`
    TirExpr **slot;
    TirBlock *out; // the block and the statement of it, which may come next
    size_t at;
    Span span;
} Known;

typedef struct Sharer {
    Tir *tir;
    TirFunction *function;
    Known known[KNOWN_LIMIT];
    size_t known_count;
    TirBlock *out;       // of the block at hand
    Span span;           // of the statement at hand
    bool is_partial;     // what is at hand may not be computed, or not all of it
    Table copies;        // statements made here that give a variable the value of another one
    const TirUses *uses; // behind them
} Sharer;

static bool is_function_of_array(const Tir *tir, const TirExpr *expr) {
    return expr->kind == EXPR_MAP && tir_op_is_function(expr->map.op) &&
           expr->type->numel >= FUNCTIONS_FROM && expr->type->numel <= FUNCTIONS_MOST &&
           !tir->is_bare;
}

// Whether it takes longer than to read it.
static bool takes_long(const Tir *tir, const TirExpr *expr) {
    switch (expr->kind) {
    case EXPR_REDUCE: return expr->reduce.operand->type->numel >= TERMS_FROM;
    case EXPR_DOT:
        return expr->dot.left->type->numel >= TERMS_FROM ||
               expr->dot.right->type->numel >= TERMS_FROM;
    case EXPR_CUMSUM: return expr->type->numel >= TERMS_FROM;
    case EXPR_MAP: return is_function_of_array(tir, expr);
    case EXPR_CONST:
    case EXPR_VAR:
    case EXPR_CONVERT:
    case EXPR_VIEW:
    case EXPR_RESHAPE:
    case EXPR_LITERAL:
    case EXPR_CONCAT:
    case EXPR_IOTA: return false;
    }
    UNREACHABLE();
}

static bool is_long(const TirExpr *expr, const void *tir) {
    return takes_long(tir, expr);
}

static bool has_long(const Tir *tir, const TirExpr *expr) {
    return tir_any_expr(expr, is_long, tir);
}

// Other statements may have the same nodes.
static void copy_tree(TirExpr **expr, void *data) {
    *expr = tir_copy_node(data, *expr);
    tir_visit_operands(*expr, copy_tree, data);
}

// What has been computed.

static void forget(Sharer *sharer, size_t number) {
    sharer->known[number] = sharer->known[--sharer->known_count];
}

// Of what the statement, or one inside of it, writes.
static void forget_written(Sharer *sharer, TirStmt *stmt) {
    for (size_t i = sharer->known_count; i-- > 0;) {
        const Known *known = &sharer->known[i];
        if ((known->var != NULL && tir_stmt_writes(stmt, known->var)) ||
            tir_stmt_writes_operand(stmt, known->value)) {
            forget(sharer, i);
        }
    }
}

static Known *find_known(Sharer *sharer, const TirExpr *value) {
    for (size_t i = 0; i < sharer->known_count; i++) {
        if (tir_same_value(sharer->known[i].value, value)) {
            return &sharer->known[i];
        }
    }
    return NULL;
}

static void know(Sharer *sharer, Known known) {
    if (sharer->known_count == KNOWN_LIMIT) {
        forget(sharer, 0);
    }
    sharer->known[sharer->known_count++] = known;
}

// Puts a statement in front of statement `at` of a block that is being made.
static void insert(Sharer *sharer, TirBlock *out, size_t at, TirStmt *stmt) {
    LIST_PUSH(sharer->tir->arena, out, stmt);
    for (size_t i = out->count - 1; i > at; i--) {
        out->items[i] = out->items[i - 1];
    }
    out->items[at] = stmt;
    for (size_t i = 0; i < sharer->known_count; i++) {
        Known *known = &sharer->known[i];
        known->at += known->out == out && known->at >= at;
    }
}

static TirStmt *new_set(const Sharer *sharer, TirVar *var, TirExpr *value) {
    TirBlock alone = {0};
    return tir_set_var(sharer->tir, &alone, var, value, value->span);
}

static TirVar *new_temp(const Sharer *sharer, const TirExpr *value) {
    return tir_var_create(sharer->tir, sharer->function, VAR_TEMP, NULL, value->type, value->span);
}

// The variable that has a known value.
static TirVar *var_of(Sharer *sharer, Known *known) {
    if (known->var == NULL) {
        known->var = new_temp(sharer, known->value);
        *known->slot = tir_read(sharer->tir, known->var, known->value->span);
        insert(sharer, known->out, known->at, new_set(sharer, known->var, known->value));
    }
    return known->var;
}

// Reads it from where it is known, or makes it known: unless it may trap, since what stands to the
// left of it in its statement would have to come first.
static void share_node(Sharer *sharer, TirExpr **slot) {
    TirExpr *expr = *slot;
    Known *known = find_known(sharer, expr);
    if (known != NULL) {
        *slot = tir_read(sharer->tir, var_of(sharer, known), expr->span);
        if (expr->kind != EXPR_VAR) {
            tir_remark(sharer->tir, "share", sharer->span, known->span,
                       "takes a value that is computed by the statement at");
        }
    } else if (expr->kind != EXPR_VAR && !tir_may_trap(expr)) {
        know(sharer, (Known){.value = expr,
                             .slot = slot,
                             .out = sharer->out,
                             .at = sharer->out->count,
                             .span = sharer->span});
    }
}

static void share_expr(TirExpr **slot, void *data);

static void share_operands(Sharer *sharer, TirExpr *expr) {
    bool outer = sharer->is_partial;
    sharer->is_partial = outer || expr->kind == EXPR_VIEW;
    if (tir_is_short_circuit(expr)) {
        share_expr(&expr->map.args[0], sharer);
        sharer->is_partial = true;
        share_expr(&expr->map.args[1], sharer);
    } else {
        tir_visit_operands(expr, share_expr, sharer);
    }
    sharer->is_partial = outer;
}

// From the inside out, so that what is compared has been replaced alike.
static void share_expr(TirExpr **slot, void *data) {
    Sharer *sharer = data;
    share_operands(sharer, *slot);
    bool is_computed = !sharer->is_partial && takes_long(sharer->tir, *slot);
    if ((*slot)->kind == EXPR_VAR || is_computed) {
        share_node(sharer, slot);
    }
}
// Statements.

static void own_tree(const Sharer *sharer, TirExpr **expr) {
    if (sharer->known_count > 0 || has_long(sharer->tir, *expr)) {
        copy_tree(expr, sharer->tir);
    }
}

static void share_set(Sharer *sharer, TirStmt *set) {
    const TirExpr *before = set->set.value;
    const TirExpr *place = set->set.place;
    bool is_made_of_long = type_is_scalar(before->type) && has_long(sharer->tir, before);
    share_expr(&set->set.value, sharer);
    if (is_made_of_long && set->set.value->kind != EXPR_VAR &&
        !takes_long(sharer->tir, set->set.value)) {
        share_node(sharer, &set->set.value);
    }
    TirExpr *value = set->set.value;
    forget_written(sharer, set);
    bool is_whole = place->kind == EXPR_VAR && tir_var_is_local(place->var);
    if (!is_whole || tir_expr_reads(value, place->var) > 0) {
        return;
    }
    if (value->kind == EXPR_VAR && before->kind != EXPR_VAR && value->type == place->type) {
        table_set(sharer->tir->arena, &sharer->copies, set, set);
        know(sharer, (Known){.value = tir_read(sharer->tir, place->var, set->span),
                             .var = value->var,
                             .out = sharer->out,
                             .span = set->span});
    }
    for (size_t i = 0; i < sharer->known_count; i++) {
        Known *known = &sharer->known[i];
        if (known->slot == &set->set.value && known->var == NULL) {
            known->var = place->var;
        }
    }
}

static void share_block(Sharer *sharer, TirBlock *block);

// What is in all turns the same.
typedef struct Invariants {
    Sharer *sharer;
    TirStmt *loop;
    unsigned asked; // values
    bool is_sure;   // the statement at hand runs in each turn
    LIST_OF(TirStmt *) sets;
} Invariants;

// Whether it may be computed where the loop begins. An index that needs no check may owe that to
// conditions that do not hold there.
static bool may_be_early(const Invariants *invariants, const TirExpr *expr) {
    return !tir_may_trap(expr) && (invariants->is_sure || tir_is_free(expr));
}

static void take_invariant(TirExpr **slot, void *data) {
    Invariants *invariants = data;
    const Sharer *sharer = invariants->sharer;
    TirExpr *expr = *slot;
    bool is_candidate = takes_long(sharer->tir, expr) && may_be_early(invariants, expr) &&
                        invariants->asked++ < ASKED_LIMIT;
    if (is_candidate && !tir_stmt_writes_operand(invariants->loop, expr)) {
        TirVar *temp = new_temp(sharer, expr);
        *slot = tir_read(sharer->tir, temp, expr->span);
        TirStmt *set = new_set(sharer, temp, expr);
        LIST_PUSH(sharer->tir->arena, &invariants->sets, set);
        tir_remark(sharer->tir, "share", expr->span, (Span){0},
                   "is computed before the loop, all turns of which read the same");
    } else if (tir_is_short_circuit(expr)) {
        take_invariant(&expr->map.args[0], data);
    } else if (expr->kind != EXPR_VIEW) {
        tir_visit_operands(expr, take_invariant, data);
    }
}

static void take_invariants(Invariants *invariants, TirBlock *block, bool has_many_turns) {
    Tir *tir = invariants->sharer->tir;
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_SET && has_long(tir, stmt->set.value)) {
            copy_tree(&stmt->set.value, tir);
            take_invariant(&stmt->set.value, invariants);
        }
        TirBlock *nested[2];
        size_t count = stmt->kind == STMT_IF && !has_many_turns ? 0 : tir_stmt_blocks(stmt, nested);
        bool is_sure = invariants->is_sure;
        invariants->is_sure = is_sure && stmt->kind != STMT_IF && stmt->kind != STMT_WHILE;
        for (size_t k = 0; k < count; k++) {
            take_invariants(invariants, nested[k], has_many_turns);
        }
        invariants->is_sure = is_sure && !tir_may_leave(stmt);
    }
}

static bool has_many_turns(const TirStmt *loop) {
    if (loop->kind != STMT_FOR || loop->for_loop.first->kind != EXPR_CONST ||
        loop->for_loop.last->kind != EXPR_CONST || loop->for_loop.step->kind != EXPR_CONST) {
        return false;
    }
    uint64_t turns = 0;
    interval_of_loop(NULL, loop, &turns);
    return turns >= TURNS_FROM;
}

static void share_stmt(Sharer *sharer, TirStmt *stmt) {
    Tir *tir = sharer->tir;
    sharer->span = stmt->span;
    TirBlock *nested[2];
    size_t count = tir_stmt_blocks(stmt, nested);
    bool is_loop = stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE;
    if (stmt->kind == STMT_SET) {
        own_tree(sharer, &stmt->set.value);
        share_set(sharer, stmt);
    } else if (stmt->kind == STMT_IF) {
        own_tree(sharer, &stmt->branch.condition);
        share_expr(&stmt->branch.condition, sharer);
    } else if (is_loop) {
        Invariants invariants = {.sharer = sharer, .loop = stmt};
        for (size_t k = 0; k < count; k++) {
            invariants.is_sure = stmt->kind == STMT_FOR;
            take_invariants(&invariants, nested[k], has_many_turns(stmt));
        }
        for (size_t i = 0; i < invariants.sets.count; i++) {
            share_stmt(sharer, invariants.sets.items[i]);
        }
        forget_written(sharer, stmt);
    }
    for (size_t k = 0; k < count; k++) {
        share_block(sharer, nested[k]);
    }
    if (!is_loop && stmt->kind != STMT_SET) {
        forget_written(sharer, stmt);
    }
    LIST_PUSH(tir->arena, sharer->out, stmt);
}

static void share_block(Sharer *sharer, TirBlock *block) {
    TirBlock *outer = sharer->out;
    TirBlock out = {0};
    sharer->out = &out;
    for (size_t i = 0; i < block->count; i++) {
        share_stmt(sharer, block->items[i]);
    }
    for (size_t i = sharer->known_count; i-- > 0;) { // what may not have been computed
        if (sharer->known[i].out == &out) {
            forget(sharer, i);
        }
    }
    sharer->out = outer;
    *block = out;
}

static bool drop_copy(TirStmt *stmt, TirBlock *out, void *data) {
    (void)out;
    const Sharer *sharer = data;
    return table_get(&sharer->copies, stmt) != NULL &&
           sharer->uses[stmt->set.place->var->id].reads == 0;
}

void pass_share(Tir *tir, TirFunction *function) {
    Sharer sharer = {.tir = tir, .function = function};
    share_block(&sharer, &function->body);
    sharer.uses = tir_count_uses(tir->arena, function);
    tir_rewrite_inner_first(tir, &function->body, drop_copy, &sharer);
}
