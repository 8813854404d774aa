// See widen_turns.h. Statements are taken in their order: variables that belong to a turn become
// arrays, or are what they are given; each place gets what its value is in all turns.
#include "tir/widen_turns.h"

#include "tir/alias.h"
#include "tir/columns.h"
#include "tir/gather.h"
#include "tir/nest_size.h"
#include "tir/remark.h"
#include "tir/visit.h"

#include <string.h>

static const char NO_LINE[] = "an index is not the loop's variable, times or plus constants";

static const TirUses *uses_of(const Widener *widener, const TirVar *var) {
    return &widener->uses[var->id];
}

// Whether the block, which has sets only, gives the variable all of its value before it reads it,
// and nothing else uses it.
static bool belongs_to_turn(const Widener *widener, const TirBlock *block, const TirVar *var) {
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
        writes += tir_sets_var(set, var);
    }
    const TirUses *uses = uses_of(widener, var);
    return uses->updates == 0 && uses->reads == reads && uses->writes == writes;
}

void widener_reserve(Widener *widener) {
    size_t count = widener->function->vars.count;
    if (count > widener->capacity) {
        TirUses *uses = ARENA_ARRAY(widener->tir->arena, TirUses, 2 * count);
        memcpy(uses, widener->uses, widener->capacity * sizeof(*uses));
        widener->uses = uses;
        widener->capacity = 2 * count;
    }
}

static TirVar *new_var(Widener *widener, const TirVar *like, const Type *type) {
    TirVar *var =
        tir_var_create(widener->tir, widener->function, like->role, like->name, type, like->span);
    widener_reserve(widener);
    return var;
}

// `why` goes on from the name of a variable or function, unless that is NULL.
static void refuse_named(WidenedTurns *turns, const char *name, const char *why, Span at) {
    if (turns->why == NULL) {
        turns->why = why;
        turns->name = name;
        turns->at = at;
    }
}

static void refuse(WidenedTurns *turns, const char *why, Span at) {
    refuse_named(turns, NULL, why, at);
}

static const char *name_of(const WidenedTurns *turns, const TirVar *var) {
    return tir_remark_name(turns->widener->tir, var);
}

static bool may_leave(const TirBlock *block) {
    const TirStmt *last = block->count == 0 ? NULL : block->items[block->count - 1];
    return last != NULL && (last->kind == STMT_BREAK || last->kind == STMT_RETURN);
}

static const char *quoted(const WidenedTurns *turns, const char *text) {
    return arena_format(turns->widener->tir->arena, "`%s`", text);
}

// Of a statement that is no assignment.
static void refuse_stmt(WidenedTurns *turns, const TirStmt *stmt) {
    const char *why = NULL;
    const char *name = NULL;
    switch (stmt->kind) {
    case STMT_CALL:
        name = stmt->call.function->name->text;
        name = name[0] == '_' ? "a function of the library" : quoted(turns, name);
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
    refuse_named(turns, name, why, stmt->span);
}

// Of a value that is computed in another way than element by element.
static void refuse_value(WidenedTurns *turns, const TirStmt *set) {
    const TirExpr *refused = turns->widening.refused;
    const char *why = "a value is not computed element by element";
    const char *name = NULL;
    if (refused != NULL && refused->kind == EXPR_REDUCE) {
        why = "each turn reduces a row; `sum(nest(x, 1))` is that of all rows";
    } else if (refused != NULL && refused->kind == EXPR_DOT) {
        why = "each turn is a product; one `.*` of matrices is that of all rows";
    } else if (refused != NULL && refused->kind == EXPR_MAP &&
               tir_op_is_function(refused->map.op)) {
        name = quoted(turns, tir_op_text(refused->map.op));
        why = "of a number may round otherwise than that of an array, which is faster";
    } else if (refused != NULL && refused->kind == EXPR_VIEW) {
        why = NO_LINE;
    }
    refuse_named(turns, name, why, set->span);
}

// The loop's variable plus what is the same in all turns, but not known.
static bool goes_along(const Widening *turns, const TirExpr *index) {
    bool is_sum = index->kind == EXPR_MAP && (index->map.op == OP_ADD || index->map.op == OP_SUB);
    WideningLine line;
    if (!is_sum) {
        return widening_line(turns, index, &line) && line.step != 0;
    }
    bool is_fixed[] = {widening_is_fixed(turns, index->map.args[0]),
                       widening_is_fixed(turns, index->map.args[1])};
    return (is_fixed[0] && goes_along(turns, index->map.args[1])) ||
           (is_fixed[1] && goes_along(turns, index->map.args[0]));
}

// Of a place that turns may not have for themselves, or not as parts that constants say.
static void refuse_place(WidenedTurns *turns, const TirStmt *set) {
    const TirExpr *place = set->set.place;
    for (size_t k = 0; place->kind == EXPR_VIEW && k < place->view.operand->type->flat_rank; k++) {
        const TirExpr *index = place->view.axes[k].index;
        if (index != NULL && goes_along(&turns->widening, index)) {
            refuse(turns, NO_LINE, set->span);
        }
    }
    refuse_named(turns, name_of(turns, tir_place_var(place)),
                 "may get one element from several turns", set->span);
}

// The first variable of the source that the body assigns.
static const char *first_name(const WidenedTurns *turns) {
    const TirBlock *body = &turns->loop->for_loop.body;
    for (size_t i = 0; i < body->count; i++) {
        const TirVar *var = tir_place_var(body->items[i]->set.place);
        if (var->name != NULL) {
            return name_of(turns, var);
        }
    }
    return "a value";
}

static void substitute(TirExpr **operand, void *data) {
    WidenedTurns *turns = data;
    Tir *tir = turns->widener->tir;
    TirExpr *expr = *operand;
    if (expr->kind == EXPR_VAR) {
        TirExpr *value = table_get(&turns->values, expr->var);
        if (table_get(&turns->ended, expr->var) != NULL) {
            refuse(turns, "a copy is read after what it is of has changed", expr->span);
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
static void end_copies(WidenedTurns *turns, const TirVar *written) {
    for (size_t i = 0; i < turns->copies.count; i++) {
        const TirVar *copy = turns->copies.items[i];
        const TirExpr *value = table_get(&turns->values, copy);
        if (value != NULL && value->kind == EXPR_VAR && value->var == written) {
            table_set(turns->widener->tir->arena, &turns->ended, copy, turns);
        }
    }
}

// A part of what no turn writes, which is read where it is: rows, forwards or backwards.
static bool is_moving_part(const WidenedTurns *turns, const TirExpr *value) {
    if (value->kind != EXPR_VIEW || value->view.operand->kind != EXPR_VAR ||
        type_is_scalar(value->type) || tir_stmt_writes_operand(turns->loop, value->view.operand)) {
        return false;
    }
    int32_t last = value->view.operand->type->flat_rank - 1;
    for (int32_t k = 0; k <= last; k++) {
        const TirAxis *axis = &value->view.axes[k];
        WideningLine line;
        if (axis->index != NULL && !widening_line(&turns->widening, axis->index, &line)) {
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
static TirExpr *value_instead(WidenedTurns *turns, const TirVar *var, TirExpr *value, Span span) {
    Tir *tir = turns->widener->tir;
    WideningLine line;
    if (tir_may_trap(value)) {
        return NULL;
    }
    if (value->kind == EXPR_VAR) {
        LIST_PUSH(tir->arena, &turns->copies, var);
        return value;
    }
    if (value->kind == EXPR_CONST || widening_line(&turns->widening, value, &line) ||
        widening_is_wrapped(&turns->widening, value) || is_moving_part(turns, value)) {
        return value;
    }
    if (tir_stmt_writes_operand(turns->loop, value)) {
        return NULL;
    }
    if (!widening_is_computed(&turns->widening, value)) {
        refuse(turns, "an index is known to be inside where a condition holds only", span);
    }
    TirVar *fixed = new_var(turns->widener, var, var->type);
    tir_set_var(tir, &turns->before, fixed, value, span);
    return tir_read(tir, fixed, span);
}

// A variable that has what such a one has in all turns, or NULL.
static TirVar *new_wide(WidenedTurns *turns, const TirVar *like, Span span) {
    const Type *type = widening_type(&turns->widening, like->type);
    if (type == NULL) {
        refuse(turns, "it would take too much memory", span);
        return NULL;
    }
    return new_var(turns->widener, like, type);
}

// The place in all turns; NULL: there is none, and the value is read instead.
static TirExpr *widen_var(WidenedTurns *turns, const TirExpr *place, TirExpr *value) {
    Widener *widener = turns->widener;
    Arena *arena = widener->tir->arena;
    TirVar *var = place->var;
    if (!belongs_to_turn(widener, &turns->loop->for_loop.body, var)) {
        refuse_named(turns, name_of(turns, var), "goes on from one turn to the next", place->span);
        return NULL;
    }
    TirVar *copied = value->kind == EXPR_VAR ? table_get(&turns->widening.wide, value->var) : NULL;
    if (copied != NULL) { // which is never written again: another value has another variable
        table_set(arena, &turns->values, var, NULL);
        table_set(arena, &turns->widening.wide, var, copied);
        return NULL;
    }
    TirExpr *instead = value_instead(turns, var, value, place->span);
    table_set(arena, &turns->values, var, instead);
    table_set(arena, &turns->ended, var, NULL);
    if (instead != NULL) {
        return NULL;
    }
    TirVar *wide = new_wide(turns, var, place->span);
    if (wide == NULL) {
        return NULL;
    }
    table_set(arena, &turns->widening.wide, var, wide);
    return tir_read(widener->tir, wide, place->span);
}

// A turn that is one `set` may read what it writes: all of its value is there before the place
// changes.
static bool is_whole_turn(const WidenedTurns *turns, const TirStmt *set) {
    return turns->loop->for_loop.body.count == 1 && !tir_may_trap(set->set.value) &&
           widening_reads_own(&turns->widening, set->set.place, set->set.value);
}

static void add_set(WidenedTurns *turns, TirExpr *place, TirExpr *value, const TirStmt *set) {
    TirStmt *wide = tir_set(turns->widener->tir, &turns->sets, place, value, set->span);
    wide->set.is_update = set->set.is_update;
    TirBlock before = {.items = turns->sets.items, .count = turns->sets.count - 1};
    if (before.count > 0 && !turns->is_bank && !tir_nest_fits(&before, wide)) {
        turns->has_columns = true;
    }
    if (turns->has_columns && !columns_are_written(wide)) {
        refuse(turns, "its body is too large, or does not go along rows", set->span);
    } else if (!tir_nest_takes(&before, wide) && !is_whole_turn(turns, wide)) {
        refuse(turns, "a turn reads what another one writes", set->span);
    }
}

// What a scalar is given in all turns as an array; NULL: there is none.
static TirVar *gather_terms(WidenedTurns *turns, const TirStmt *set, TirExpr *term) {
    Tir *tir = turns->widener->tir;
    substitute(&term, turns);
    TirExpr *wide = widening_value(&turns->widening, term);
    if (wide == NULL) {
        refuse_value(turns, set);
        return NULL;
    }
    const TirVar like = {.role = VAR_TEMP, .type = set->set.place->type, .span = set->span};
    TirVar *terms = new_wide(turns, &like, set->span);
    if (terms != NULL) {
        add_set(turns, tir_read(tir, terms, set->span), wide, set);
    }
    return terms;
}

// What all turns add to a scalar and the like, which gets it behind them.
static void gather(WidenedTurns *turns, const TirStmt *set, const TirGathering *gathering) {
    Tir *tir = turns->widener->tir;
    Span span = set->span;
    TirVar *scalar = set->set.place->var;
    TirVar *terms = gather_terms(turns, set, gathering->term);
    if (terms == NULL) {
        return;
    }
    TirExpr *all =
        tir_reduce(tir, gathering->reduction, scalar->type, tir_read(tir, terms, span), 0, 1, span);
    TirExpr *before = tir_read(tir, scalar, span);
    tir_set(tir, &turns->behind, set->set.place,
            tir_map(tir, gathering->op, scalar->type, before, all, NULL, span), span);
}

// The same in the order of turns, of which there are few.
static void gather_in_order(WidenedTurns *turns, const TirStmt *set, TirExpr *term) {
    Tir *tir = turns->widener->tir;
    Span span = set->span;
    TirVar *scalar = set->set.place->var;
    TirVar *terms = gather_terms(turns, set, term);
    for (uint32_t i = 0; terms != NULL && i < turns->widening.turns; i++) {
        TirAxis at = {.axis = -1, .start = i, .span = span};
        TirExpr *element = tir_view(tir, scalar->type, tir_read(tir, terms, span), &at, span);
        TirExpr *before = tir_read(tir, scalar, span);
        tir_set(tir, &turns->behind, set->set.place,
                tir_map(tir, set->set.value->map.op, scalar->type, before, element, NULL, span),
                span);
    }
}

static void widen_set(WidenedTurns *turns, const TirStmt *set) {
    TirExpr *place = set->set.place;
    TirExpr *value = set->set.value;
    substitute(&value, turns);
    turns->widening.is_copy = value->kind == EXPR_VIEW || value->kind == EXPR_CONCAT;
    // The value is of before the place changes.
    TirExpr *wide = widening_value(&turns->widening, value);
    bool is_whole = place->kind == EXPR_VAR;
    if (!is_whole) {
        substitute(&place, turns);
    }
    end_copies(turns, tir_place_var(place));
    place = is_whole ? widen_var(turns, place, value) : widening_place(&turns->widening, place);
    if (is_whole && place == NULL) {
        return;
    }
    if (place == NULL) {
        refuse_place(turns, set);
    } else if (wide == NULL) {
        refuse_value(turns, set);
    } else {
        add_set(turns, place, wide, set);
    }
}

// Where the axis of turns goes the first place of an array says.
void widen_turns(WidenedTurns *turns) {
    const TirBlock *body = &turns->loop->for_loop.body;
    const TirExpr *first = NULL;
    for (size_t i = 0; i < body->count; i++) {
        const TirStmt *stmt = body->items[i];
        if (stmt->kind != STMT_SET) {
            refuse_stmt(turns, stmt);
            return;
        }
        bool is_part = stmt->set.place->kind == EXPR_VIEW;
        first = first == NULL && is_part ? stmt->set.place : first;
    }
    if (first == NULL) {
        refuse_named(turns, first_name(turns),
                     "goes on from turn to turn, and no array gets an element in each",
                     turns->loop->span);
        return;
    }
    turns->widening.at = widening_axis(&turns->widening, first);
    for (size_t i = 0; i < body->count && turns->why == NULL; i++) {
        const TirStmt *set = body->items[i];
        TirGathering gathering;
        bool is_alone = tir_is_alone(body, i, tir_place_var(set->set.place));
        TirExpr *term = is_alone && turns->is_bank ? tir_gathered_in_order(set) : NULL;
        if (is_alone && tir_gathers(turns->widener->tir, set, &gathering)) {
            gather(turns, set, &gathering);
        } else if (term != NULL) {
            gather_in_order(turns, set, term);
        } else {
            widen_set(turns, set);
        }
    }
    if (turns->has_columns && !columns_write_rows(&turns->sets)) {
        refuse(turns, "its body is too large, or does not go along rows", turns->loop->span);
    } else if (tir_sets_move_index(&turns->sets)) {
        refuse(turns, "a turn reads what another one writes", turns->loop->span);
    }
}
