// Turns loops whose turns do not depend on one another into statements on arrays, so that they are
// fused, vectorised and stored like these. Reads any valid TIR without nests and leaves such.
//
// A loop with constant bounds becomes the sets of its body, each at all turns at once
// (tir/widen.h), from the innermost loop outwards. That means the same where the sets could run as
// one nest (tir_nest_takes), or where there is but one, whose turns read nothing that others write:
// then no turn touches what another one writes, only one of the sets
// traps, and it does not matter whether all turns of a set run before the next one. Variables that
// belong to a turn become arrays of all turns, which pass_forward and pass_fuse take out of memory
// again; so a body that is too large for one nest stays a loop.
#include "tir/passes/passes.h"

#include "support/bug.h"
#include "tir/alias.h"
#include "tir/branchless.h"
#include "tir/columns.h"
#include "tir/gather.h"
#include "tir/nest_size.h"
#include "tir/prefix.h"
#include "tir/remark.h"
#include "tir/uses.h"
#include "tir/visit.h"
#include "tir/widen.h"

#include <string.h>

enum {
    ELEMENTS_LEAST = 4, // fewer are straight code to LLVM
    PARTS_MOST = 3,     // of a loop in which indices wrap around
};

typedef struct Looper {
    Tir *tir;
    TirFunction *function;
    TirUses *uses; // of the function's variables
    size_t capacity;
} Looper;

static const TirUses *uses_of(const Looper *looper, const TirVar *var) {
    return &looper->uses[var->id];
}

// Whether the block, which has sets only, gives the variable all of its value before it reads it,
// and nothing else uses it.
static bool belongs_to_turn(const Looper *looper, const TirBlock *block, const TirVar *var) {
    if (var->role != VAR_LOCAL && var->role != VAR_TEMP) {
        return false;
    }
    uint32_t reads = 0;
    uint32_t writes = 0;
    for (size_t i = 0; i < block->count; i++) {
        const TirStmt *set = block->items[i];
        uint32_t here = tir_stmt_reads(block->items[i], var);
        if (here > 0 && writes == 0) {
            return false;
        }
        reads += here;
        writes += set->set.place->kind == EXPR_VAR && set->set.place->var == var;
    }
    const TirUses *uses = uses_of(looper, var);
    return uses->updates == 0 && uses->reads == reads && uses->writes == writes;
}

static TirVar *new_var(Looper *looper, const TirVar *like, const Type *type) {
    TirVar *var =
        tir_var_create(looper->tir, looper->function, like->role, like->name, type, like->span);
    if (var->id >= looper->capacity) {
        TirUses *uses = ARENA_ARRAY(looper->tir->arena, TirUses, 2 * looper->capacity);
        memcpy(uses, looper->uses, looper->capacity * sizeof(*uses));
        looper->uses = uses;
        looper->capacity *= 2;
    }
    return var;
}

// What becomes of one loop.
typedef struct Attempt {
    Looper *looper;
    TirStmt *loop;
    Widening widening;
    Table values; // variables that belong to a turn, with the expression to read instead
    Table ended;  // those of which that does not hold any more
    LIST_OF(const TirVar *) copies; // those of them that are copies of what no turn has for itself
    TirBlock before;                // what is the same in all turns
    TirBlock sets;
    bool has_columns; // of sets that are no nest, and have to be a loop again (tir/columns.h)
    const char *why;  // the loop stays one; NULL: it need not
} Attempt;

static void refuse(Attempt *attempt, const char *why) {
    attempt->why = attempt->why == NULL ? why : attempt->why;
}

static void substitute(TirExpr **operand, void *data) {
    Attempt *attempt = data;
    Tir *tir = attempt->looper->tir;
    TirExpr *expr = *operand;
    if (expr->kind == EXPR_VAR) {
        TirExpr *value = table_get(&attempt->values, expr->var);
        if (table_get(&attempt->ended, expr->var) != NULL) {
            refuse(attempt, "a copy is read after what it is of has changed");
        }
        *operand = value == NULL ? expr : tir_reshape(tir, expr->type, value, expr->span);
        return;
    }
    expr = tir_copy_node(tir, expr);
    tir_visit_operands(expr, substitute, data);
    *operand = expr->kind != EXPR_VIEW
                   ? expr
                   : tir_view(tir, expr->type, expr->view.operand, expr->view.axes, expr->span);
}

// A copy of a variable is read as the variable, until that gets another value.
static void end_copies(Attempt *attempt, const TirVar *written) {
    for (size_t i = 0; i < attempt->copies.count; i++) {
        const TirVar *copy = attempt->copies.items[i];
        const TirExpr *value = table_get(&attempt->values, copy);
        if (value != NULL && value->kind == EXPR_VAR && value->var == written) {
            table_set(attempt->looper->tir->arena, &attempt->ended, copy, attempt);
        }
    }
}

// A part of what no turn writes, which is read where it is: rows, forwards or backwards.
static bool is_moving_part(const Attempt *attempt, const TirExpr *value) {
    if (value->kind != EXPR_VIEW || value->view.operand->kind != EXPR_VAR ||
        type_is_scalar(value->type) ||
        tir_stmt_writes_operand(attempt->loop, value->view.operand)) {
        return false;
    }
    int32_t last = value->view.operand->type->flat_rank - 1;
    for (int32_t k = 0; k <= last; k++) {
        const TirAxis *axis = &value->view.axes[k];
        WideningLine line;
        if (axis->index != NULL && !widening_line(&attempt->widening, axis->index, &line)) {
            return false;
        }
        bool is_along_rows = axis->axis >= 0 && axis->axis + 1 == value->type->flat_rank;
        if (is_along_rows && (k != last || (axis->step != 1 && axis->step != -1))) {
            return false;
        }
    }
    return true;
}

// What is the same in all turns, moves with them or is a copy needs no array. The expression that
// stands for it; NULL: it needs one.
static TirExpr *value_instead(Attempt *attempt, const TirVar *var, TirExpr *value, Span span) {
    Tir *tir = attempt->looper->tir;
    WideningLine line;
    if (tir_may_trap(value)) {
        return NULL;
    }
    if (value->kind == EXPR_VAR) {
        LIST_PUSH(tir->arena, &attempt->copies, var);
        return value;
    }
    if (value->kind == EXPR_CONST || widening_line(&attempt->widening, value, &line) ||
        widening_is_wrapped(&attempt->widening, value) || is_moving_part(attempt, value)) {
        return value;
    }
    if (tir_stmt_writes_operand(attempt->loop, value)) {
        return NULL;
    }
    if (!widening_is_computed(&attempt->widening, value)) {
        refuse(attempt, "an index is known to be inside where a condition holds only");
    }
    TirVar *fixed = new_var(attempt->looper, var, var->type);
    tir_set(tir, &attempt->before, tir_read(tir, fixed, span), value, span);
    return tir_read(tir, fixed, span);
}

// The place in all turns; NULL: there is none, and the value is read instead.
static TirExpr *widen_var(Attempt *attempt, const TirExpr *place, TirExpr *value) {
    Looper *looper = attempt->looper;
    Arena *arena = looper->tir->arena;
    TirVar *var = place->var;
    if (!belongs_to_turn(looper, &attempt->loop->for_loop.body, var)) {
        refuse(attempt, "each turn writes the same variable");
        return NULL;
    }
    TirVar *copied =
        value->kind == EXPR_VAR ? table_get(&attempt->widening.wide, value->var) : NULL;
    if (copied != NULL) { // which is never written again: another value has another variable
        table_set(arena, &attempt->values, var, NULL);
        table_set(arena, &attempt->widening.wide, var, copied);
        return NULL;
    }
    TirExpr *instead = value_instead(attempt, var, value, place->span);
    table_set(arena, &attempt->values, var, instead);
    table_set(arena, &attempt->ended, var, NULL);
    if (instead != NULL) {
        return NULL;
    }
    const Type *type = widening_type(&attempt->widening, var->type);
    if (type == NULL) {
        refuse(attempt, "it would take too much memory");
        return NULL;
    }
    TirVar *wide = new_var(looper, var, type);
    table_set(arena, &attempt->widening.wide, var, wide);
    return tir_read(looper->tir, wide, place->span);
}

// A turn that is one `set` may read what it writes: all of its value is there before the place
// changes.
static bool is_whole_turn(const Attempt *attempt, const TirStmt *set) {
    return attempt->loop->for_loop.body.count == 1 && !tir_may_trap(set->set.value) &&
           widening_reads_own(&attempt->widening, set->set.place, set->set.value);
}

static void add_set(Attempt *attempt, TirExpr *place, TirExpr *value, const TirStmt *set) {
    TirStmt *wide = tir_set(attempt->looper->tir, &attempt->sets, place, value, set->span);
    wide->set.is_update = set->set.is_update;
    TirBlock before = {.items = attempt->sets.items, .count = attempt->sets.count - 1};
    if (before.count > 0 && !tir_nest_fits(&before, wide)) {
        attempt->has_columns = true;
    }
    if (attempt->has_columns && !columns_are_written(wide)) {
        refuse(attempt, "its body is too large, or does not go along rows");
    } else if (!tir_nest_takes(&before, wide) && !is_whole_turn(attempt, wide)) {
        refuse(attempt, "one turn depends on another");
    }
}

static void widen_set(Attempt *attempt, const TirStmt *set) {
    TirExpr *place = set->set.place;
    TirExpr *value = set->set.value;
    substitute(&value, attempt);
    attempt->widening.is_copy = value->kind == EXPR_VIEW || value->kind == EXPR_CONCAT;
    // The value is of before the place changes.
    TirExpr *wide = widening_value(&attempt->widening, value);
    bool is_whole = place->kind == EXPR_VAR;
    if (!is_whole) {
        substitute(&place, attempt);
    }
    end_copies(attempt, tir_place_var(place));
    place = is_whole ? widen_var(attempt, place, value) : widening_place(&attempt->widening, place);
    if (is_whole && place == NULL) {
        return;
    }
    if (place == NULL) {
        refuse(attempt, "turns do not write each a part of their own");
    } else if (wide == NULL) {
        refuse(attempt, "a value is not computed element by element");
    } else {
        add_set(attempt, place, wide, set);
    }
}

// Where the axis of turns goes the first place of an array says.
static void widen_body(Attempt *attempt) {
    const TirBlock *body = &attempt->loop->for_loop.body;
    const TirExpr *first = NULL;
    for (size_t i = 0; i < body->count; i++) {
        const TirStmt *stmt = body->items[i];
        if (stmt->kind != STMT_SET) {
            refuse(attempt, "its body does more than to assign");
            return;
        }
        bool is_part = stmt->set.place->kind == EXPR_VIEW;
        first = first == NULL && is_part ? stmt->set.place : first;
    }
    if (first == NULL) {
        refuse(attempt, "it writes no elements");
        return;
    }
    attempt->widening.at = widening_axis(&attempt->widening, first);
    for (size_t i = 0; i < body->count && attempt->why == NULL; i++) {
        widen_set(attempt, body->items[i]);
    }
    if (attempt->has_columns && !columns_write_rows(&attempt->sets)) {
        refuse(attempt, "its body is too large, or does not go along rows");
    }
}

static void count_sets(Looper *looper, const TirBlock *block, int sign) {
    for (size_t i = 0; i < block->count; i++) {
        tir_count_stmt(looper->uses, block->items[i], sign);
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(block->items[i], nested); k-- > 0;) {
            count_sets(looper, nested[k], sign);
        }
    }
}

static void append(Looper *looper, const TirBlock *sets, TirBlock *out) {
    count_sets(looper, sets, 1);
    tir_append(looper->tir, out, sets);
}

// Whether no other statement reads or writes the place of one.
static bool is_alone(const TirBlock *body, size_t at, const TirVar *var) {
    for (size_t i = 0; i < body->count; i++) {
        if (i != at &&
            (tir_stmt_reads(body->items[i], var) > 0 || tir_stmt_writes(body->items[i], var))) {
            return false;
        }
    }
    return true;
}

// Statements each of which does all turns of one of the body's; false: there are none.
static bool sum_up(Widening *turns, const TirBlock *body, TirBlock *all) {
    TirStmt *sum = body->count == 1 ? tir_running_sum(turns, body->items[0]) : NULL;
    if (sum != NULL) {
        LIST_PUSH(turns->tir->arena, all, sum);
        return true;
    }
    for (size_t i = 0; i < body->count; i++) {
        TirStmt *gathered = tir_gathered(turns, body->items[i]);
        if (gathered == NULL || !is_alone(body, i, tir_place_var(gathered->set.place))) {
            return false;
        }
        LIST_PUSH(turns->tir->arena, all, gathered);
    }
    return body->count > 0 && turns->turns >= ELEMENTS_LEAST;
}

static void take_in(Attempt *attempt, TirBlock *out) {
    append(attempt->looper, &attempt->before, out);
    append(attempt->looper, &attempt->sets, out);
}

// The turns of a part of the loop that no index wraps in.
static uint32_t turns_to_wrap(const Widening *widening, const TirBlock *body) {
    uint32_t turns = widening->turns;
    for (size_t i = 0; i < body->count; i++) {
        const TirStmt *set = body->items[i];
        if (set->kind != STMT_SET) {
            return widening->turns;
        }
        uint32_t here[] = {widening_wrap(widening, set->set.value),
                           widening_wrap(widening, set->set.place)};
        turns = here[0] < turns ? here[0] : turns;
        turns = here[1] < turns ? here[1] : turns;
    }
    return turns;
}

// Where an index wraps around, as that of a neighbour on a circle does: the turns up to there, and
// those behind.
static bool widen_parts(Looper *looper, TirStmt *loop, Widening rest, TirBlock *out) {
    const TirBlock *body = &loop->for_loop.body;
    Attempt parts[PARTS_MOST];
    size_t count = 0;
    for (; rest.turns > 0; count++) {
        uint32_t turns = turns_to_wrap(&rest, body);
        if (count == PARTS_MOST || (count == 0 && turns == rest.turns)) {
            return false;
        }
        parts[count] = (Attempt){.looper = looper, .loop = loop, .widening = rest};
        parts[count].widening.turns = turns;
        widen_body(&parts[count]);
        if (parts[count].why != NULL) {
            return false;
        }
        rest.first += rest.step * turns;
        rest.turns -= turns;
    }
    count_sets(looper, body, -1);
    for (size_t i = 0; i < count; i++) {
        take_in(&parts[i], out);
    }
    tir_remark(looper->tir, "loops", loop->span, (Span){0},
               "its turns run as statements on arrays, in %zu parts", count);
    return true;
}

// Each turn's part of the arrays at once.
static bool widen_loop(Attempt *attempt, TirBlock *out) {
    Looper *looper = attempt->looper;
    TirStmt *loop = attempt->loop;
    Widening whole = attempt->widening;
    widen_body(attempt);
    if (attempt->why == NULL && attempt->sets.items[0]->set.place->type->numel < ELEMENTS_LEAST) {
        return false;
    }
    if (attempt->why != NULL && whole.turns >= ELEMENTS_LEAST &&
        widen_parts(looper, loop, whole, out)) {
        return true;
    }
    if (attempt->why != NULL) {
        tir_remark(looper->tir, "loops", loop->span, (Span){0}, "stays a loop: %s", attempt->why);
        return false;
    }
    count_sets(looper, &loop->for_loop.body, -1);
    take_in(attempt, out);
    tir_remark(looper->tir, "loops", loop->span, (Span){0},
               "its turns run as statements on arrays");
    return true;
}

static void change_body(Looper *looper, TirStmt *loop, const TirBlock *body) {
    count_sets(looper, &loop->for_loop.body, -1);
    loop->for_loop.body = *body;
    count_sets(looper, body, 1);
}

static bool replace_loop(Looper *looper, TirStmt *loop, TirBlock *out) {
    Tir *tir = looper->tir;
    Attempt attempt = {.looper = looper, .loop = loop};
    if (!widening_begin(&attempt.widening, tir, loop)) {
        return false;
    }
    TirBlock body = loop->for_loop.body;
    TirBlock all = {0};
    if (sum_up(&attempt.widening, &body, &all)) {
        count_sets(looper, &body, -1);
        append(looper, &all, out);
        tir_remark(tir, "loops", loop->span, (Span){0}, "its turns are summed up at once");
        return true;
    }
    TirBlock flat = {0};
    bool is_flat = tir_block_branches(&body) && tir_without_branches(tir, &body, &flat);
    if (is_flat) {
        change_body(looper, loop, &flat);
        attempt.widening.is_branch = true;
    }
    if (widen_loop(&attempt, out)) {
        return true;
    }
    if (is_flat) {
        change_body(looper, loop, &body);
    }
    return false;
}

static void loops_block(Looper *looper, TirBlock *block) {
    TirBlock out = {0};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            loops_block(looper, nested[k]);
        }
        if (stmt->kind != STMT_FOR || !replace_loop(looper, stmt, &out)) {
            LIST_PUSH(looper->tir->arena, &out, stmt);
        }
    }
    *block = out;
}

void pass_loops(Tir *tir, TirProgram *program) {
    for (size_t i = 0; i < program->functions.count; i++) {
        TirFunction *function = program->functions.items[i];
        Looper looper = {.tir = tir,
                         .function = function,
                         .uses = tir_count_uses(tir->arena, function),
                         .capacity = function->vars.count + 1};
        loops_block(&looper, &function->body);
    }
}
