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
    if (!tir_var_is_local(var)) {
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
    TirBlock sets, behind;
    bool has_columns; // of sets that are no nest, and have to be a loop again (tir/columns.h)
    const char *why;  // the loop stays one; NULL: it need not
    const char *name; // that `why` goes on from; or NULL
    Span at;          // what it is about
} Attempt;

// `why` goes on from the name of a variable or function, unless that is NULL.
static void refuse_named(Attempt *attempt, const char *name, const char *why, Span at) {
    if (attempt->why == NULL) {
        attempt->why = why;
        attempt->name = name;
        attempt->at = at;
    }
}

static void refuse(Attempt *attempt, const char *why, Span at) {
    refuse_named(attempt, NULL, why, at);
}

static const char *name_of(const Attempt *attempt, const TirVar *var) {
    return tir_remark_name(attempt->looper->tir, var);
}

static bool may_leave(const TirBlock *block) {
    const TirStmt *last = block->count == 0 ? NULL : block->items[block->count - 1];
    return last != NULL && (last->kind == STMT_BREAK || last->kind == STMT_RETURN);
}

static const char *quoted(const Attempt *attempt, const char *text) {
    return arena_format(attempt->looper->tir->arena, "`%s`", text);
}

// Of a statement that is no assignment.
static void refuse_stmt(Attempt *attempt, const TirStmt *stmt) {
    const char *why = NULL;
    const char *name = NULL;
    switch (stmt->kind) {
    case STMT_CALL:
        name = stmt->call.function->name->text;
        name = name[0] == '_' ? "a function of the library" : quoted(attempt, name);
        why = "is called, and too long to be taken in";
        break;
    case STMT_IF:
        why = may_leave(&stmt->branch.then) || may_leave(&stmt->branch.otherwise)
                  ? "it may end early"
                  : "an `if` does more than choose values, as `select(c, a, b)` does";
        break;
    case STMT_FOR: why = "the loop in it does"; break;
    case STMT_WHILE: why = "a `while` in it turns as often as values say"; break;
    case STMT_BREAK:
    case STMT_RETURN: why = "it may end early"; break;
    case STMT_CONTINUE: why = "`continue` leaves a part of its turns out"; break;
    case STMT_PRINT:
    case STMT_INPUT:
    case STMT_OUTPUT: why = "its turns print or read input in their order"; break;
    case STMT_ASSERT: why = "its turns stop the program in their order"; break;
    case STMT_SET:
    case STMT_NEST: why = "its body is done already"; break;
    }
    refuse_named(attempt, name, why, stmt->span);
}

// Of a value that is computed in another way than element by element.
static void refuse_value(Attempt *attempt, const TirStmt *set) {
    const TirExpr *refused = attempt->widening.refused;
    const char *why = "a value is not computed element by element";
    const char *name = NULL;
    if (refused != NULL && refused->kind == EXPR_REDUCE) {
        why = "each turn reduces a row; `sum(nest(x, 1))` is that of all rows";
    } else if (refused != NULL && refused->kind == EXPR_DOT) {
        why = "each turn is a product; one `.*` of matrices is that of all rows";
    } else if (refused != NULL && refused->kind == EXPR_MAP &&
               tir_op_is_function(refused->map.op)) {
        name = quoted(attempt, tir_op_text(refused->map.op));
        why = "of a number may round otherwise than that of an array, which is faster";
    } else if (refused != NULL && refused->kind == EXPR_VIEW) {
        why = "an index is not the loop's variable, times or plus what is the same in all turns";
    }
    refuse_named(attempt, name, why, set->span);
}

// The first variable of the source that the body assigns.
static const char *first_name(const Attempt *attempt) {
    const TirBlock *body = &attempt->loop->for_loop.body;
    for (size_t i = 0; i < body->count; i++) {
        const TirVar *var = tir_place_var(body->items[i]->set.place);
        if (var->name != NULL) {
            return name_of(attempt, var);
        }
    }
    return "a value";
}

static void substitute(TirExpr **operand, void *data) {
    Attempt *attempt = data;
    Tir *tir = attempt->looper->tir;
    TirExpr *expr = *operand;
    if (expr->kind == EXPR_VAR) {
        TirExpr *value = table_get(&attempt->values, expr->var);
        if (table_get(&attempt->ended, expr->var) != NULL) {
            refuse(attempt, "a copy is read after what it is of has changed", expr->span);
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
        refuse(attempt, "an index is known to be inside where a condition holds only", span);
    }
    TirVar *fixed = new_var(attempt->looper, var, var->type);
    tir_set(tir, &attempt->before, tir_read(tir, fixed, span), value, span);
    return tir_read(tir, fixed, span);
}

// A variable that has what such a one has in all turns, or NULL.
static TirVar *new_wide(Attempt *attempt, const TirVar *like, Span span) {
    const Type *type = widening_type(&attempt->widening, like->type);
    if (type == NULL) {
        refuse(attempt, "it would take too much memory", span);
        return NULL;
    }
    return new_var(attempt->looper, like, type);
}

// The place in all turns; NULL: there is none, and the value is read instead.
static TirExpr *widen_var(Attempt *attempt, const TirExpr *place, TirExpr *value) {
    Looper *looper = attempt->looper;
    Arena *arena = looper->tir->arena;
    TirVar *var = place->var;
    if (!belongs_to_turn(looper, &attempt->loop->for_loop.body, var)) {
        refuse_named(attempt, name_of(attempt, var), "goes on from one turn to the next",
                     place->span);
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
    TirVar *wide = new_wide(attempt, var, place->span);
    if (wide == NULL) {
        return NULL;
    }
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
        refuse(attempt, "its body is too large, or does not go along rows", set->span);
    } else if (!tir_nest_takes(&before, wide) && !is_whole_turn(attempt, wide)) {
        refuse(attempt, "a turn reads what another one writes", set->span);
    }
}

// What all turns add to a scalar and the like, which gets it behind them.
static void gather(Attempt *attempt, const TirStmt *set, const TirGathering *gathering) {
    Looper *looper = attempt->looper;
    Tir *tir = looper->tir;
    Span span = set->span;
    TirVar *scalar = set->set.place->var;
    TirExpr *term = gathering->term;
    substitute(&term, attempt);
    TirExpr *wide = widening_value(&attempt->widening, term);
    if (wide == NULL) {
        refuse_value(attempt, set);
        return;
    }
    const TirVar like = {.role = VAR_TEMP, .type = scalar->type, .span = span};
    TirVar *terms = new_wide(attempt, &like, span);
    if (terms == NULL) {
        return;
    }
    add_set(attempt, tir_read(tir, terms, span), wide, set);
    TirExpr *all =
        tir_reduce(tir, gathering->reduction, scalar->type, tir_read(tir, terms, span), 0, 1, span);
    TirExpr *before = tir_read(tir, scalar, span);
    tir_set(tir, &attempt->behind, set->set.place,
            tir_map(tir, gathering->op, scalar->type, before, all, NULL, span), span);
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
        const TirVar *var = tir_place_var(set->set.place);
        refuse_named(attempt, name_of(attempt, var), "may get one element from several turns",
                     set->span);
    } else if (wide == NULL) {
        refuse_value(attempt, set);
    } else {
        add_set(attempt, place, wide, set);
    }
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

// Where the axis of turns goes the first place of an array says.
static void widen_body(Attempt *attempt) {
    const TirBlock *body = &attempt->loop->for_loop.body;
    const TirExpr *first = NULL;
    for (size_t i = 0; i < body->count; i++) {
        const TirStmt *stmt = body->items[i];
        if (stmt->kind != STMT_SET) {
            refuse_stmt(attempt, stmt);
            return;
        }
        bool is_part = stmt->set.place->kind == EXPR_VIEW;
        first = first == NULL && is_part ? stmt->set.place : first;
    }
    if (first == NULL) {
        refuse_named(attempt, first_name(attempt),
                     "goes on from turn to turn, and no array gets an element in each",
                     attempt->loop->span);
        return;
    }
    attempt->widening.at = widening_axis(&attempt->widening, first);
    for (size_t i = 0; i < body->count && attempt->why == NULL; i++) {
        const TirStmt *set = body->items[i];
        TirGathering gathering;
        if (is_alone(body, i, tir_place_var(set->set.place)) &&
            tir_gathers(attempt->looper->tir, set, &gathering)) {
            gather(attempt, set, &gathering);
        } else {
            widen_set(attempt, set);
        }
    }
    if (attempt->has_columns && !columns_write_rows(&attempt->sets)) {
        refuse(attempt, "its body is too large, or does not go along rows", attempt->loop->span);
    }
}

static void append(Looper *looper, const TirBlock *sets, TirBlock *out) {
    tir_count_block(looper->uses, sets, 1);
    tir_append(looper->tir, out, sets);
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
    append(attempt->looper, &attempt->behind, out);
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
    tir_count_block(looper->uses, body, -1);
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
        Span at = span_is_nowhere(attempt->at) ? loop->span : attempt->at;
        tir_remark(looper->tir, "loops", loop->span, at, "stays a loop: %s%s%s, at",
                   attempt->name == NULL ? "" : attempt->name, attempt->name == NULL ? "" : " ",
                   attempt->why);
        return false;
    }
    tir_count_block(looper->uses, &loop->for_loop.body, -1);
    take_in(attempt, out);
    tir_remark(looper->tir, "loops", loop->span, (Span){0},
               "its turns run as statements on arrays");
    return true;
}

static void change_body(Looper *looper, TirStmt *loop, const TirBlock *body) {
    tir_count_block(looper->uses, &loop->for_loop.body, -1);
    loop->for_loop.body = *body;
    tir_count_block(looper->uses, body, 1);
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
        tir_count_block(looper->uses, &body, -1);
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
