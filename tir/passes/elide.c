// An array that is computed step by step, to be copied to a part of another one, lives in that
// part:
//
//     z = x[c, i0]                           y[c, i0] = x[c, i0]
//     for n = 1:64:                          for n = 1:64:
//         z[n] = z[n] + 0.5 * z[n - 1]           y[c, n] = y[c, n] + 0.5 * y[c, n - 1]
//     y[c, i0] = z
//
// Nothing else has to do with either in between, but for a loop that reads each element of the part
// before it writes that of the variable, and the copy is always reached. The part of a variable
// that is there after a trap is written only where nothing in between may trap. Reads any valid TIR
// without nests and leaves such.
#include "tir/passes/passes.h"

#include "support/bug.h"
#include "tir/overwrite.h"
#include "tir/remark.h"
#include "tir/replace.h"
#include "tir/same.h"
#include "tir/uses.h"
#include "tir/view.h"
#include "tir/visit.h"

enum {
    NUMEL_LEAST = 16, // fewer elements are in registers sooner
    WINDOW = 200,     // statements before the copy
};

typedef struct Elider {
    Tir *tir;
    TirUses *uses;
} Elider;

// The statements of a block from the first that has to do with a variable to its copy.
typedef struct Life {
    TirBlock *block;
    size_t first, copy;
    bool is_along; // a loop reads the part while it writes the variable
} Life;

static bool has_to_do_with(TirStmt *stmt, const TirVar *var) {
    return tir_stmt_writes(stmt, var) || tir_stmt_reads(stmt, var) > 0;
}

static TirStmt *copy_of(const Life *life) {
    return life->block->items[life->copy];
}

// So many from the first one on.
static TirBlock statements_of(const Life *life, size_t count) {
    return (TirBlock){.items = &life->block->items[life->first], .count = count};
}

// Whether the part is at some indices and all of the other dims, so that an index of the variable
// is one of the array.
static bool has_whole_dims(const TirExpr *place) {
    for (size_t k = 0; k < place->view.operand->type->flat_rank; k++) {
        const TirAxis *axis = &place->view.axes[k];
        if (axis->index == NULL && axis->axis >= 0 &&
            (axis->start != 0 || axis->step != 1 ||
             place->type->dims[axis->axis] != place->view.operand->type->dims[k])) {
            return false;
        }
    }
    return view_keeps_rows(place) && !view_repeats(place);
}

// `y[c, i0] = z`, of a `z` that is also written in parts.
static bool is_copy(const Elider *elider, const TirStmt *stmt) {
    if (stmt->kind != STMT_SET || stmt->set.is_update || stmt->set.place->kind != EXPR_VIEW ||
        stmt->set.place->view.operand->kind != EXPR_VAR || stmt->set.value->kind != EXPR_VAR) {
        return false;
    }
    const TirExpr *place = stmt->set.place;
    const TirVar *from = stmt->set.value->var, *to = tir_place_var(place);
    bool is_possible = tir_var_is_local(to) || to->role == VAR_RESULT ||
                       (to->role == VAR_GLOBAL && to->instance == NULL);
    return tir_var_is_local(from) && from != to && is_possible && from->type == place->type &&
           from->type->numel >= NUMEL_LEAST && elider->uses[from->id].updates > 0 &&
           has_whole_dims(place) && !tir_may_trap(place);
}

// False: it is not set as a whole first, or too far before.
static bool find_first(Life *life) {
    const TirVar *var = copy_of(life)->set.value->var;
    size_t from = life->copy > WINDOW ? life->copy - WINDOW : 0;
    for (life->first = from; life->first < life->copy; life->first++) {
        TirStmt *stmt = life->block->items[life->first];
        if (has_to_do_with(stmt, var)) {
            return tir_sets_whole(stmt) && !stmt->set.is_update &&
                   tir_expr_reads(stmt->set.value, var) == 0;
        }
    }
    return false;
}

// What a turn of a loop reads, of the variable and of the array.
typedef struct Turn {
    const TirVar *var, *counter;
    const TirExpr *place; // the part
    bool others;          // other elements than that of the turn
} Turn;

// Whether a view is the element of the part at the loop's variable.
static bool is_of_turn(const Turn *turn, const TirExpr *view) {
    for (size_t k = 0; k < view->view.operand->type->flat_rank; k++) {
        const TirAxis *of = &turn->place->view.axes[k], *at = &view->view.axes[k];
        bool is_row = of->index == NULL && of->axis == 0;
        bool is_same = is_row
                           ? at->index != NULL && at->index->kind == EXPR_VAR &&
                                 at->index->var == turn->counter
                           : of->start == at->start && (of->index == NULL) == (at->index == NULL) &&
                                 (of->index == NULL || tir_same_value(of->index, at->index));
        if (!is_same) {
            return false;
        }
    }
    return true;
}

static void look_at_turn(const TirExpr *expr, void *data) {
    Turn *turn = data;
    const TirExpr *operand = expr->kind == EXPR_VIEW ? expr->view.operand : NULL;
    bool is_element = operand != NULL && operand->kind == EXPR_VAR && type_is_scalar(expr->type);
    if (is_element && operand->var == turn->var) {
        const TirExpr *index = expr->view.axes[0].index;
        turn->others |= index == NULL || index->kind != EXPR_VAR || index->var != turn->counter;
        return;
    }
    if (is_element && operand->var == tir_place_var(turn->place) && is_of_turn(turn, expr)) {
        return;
    }
    turn->others |= expr->kind == EXPR_VAR &&
                    (expr->var == turn->var || expr->var == tir_place_var(turn->place));
    tir_read_operands(expr, look_at_turn, data);
}

// Whether each turn of a loop has to do with one element of a vector, and reads no other one of the
// part, and that not behind writing the former.
static bool goes_along(const TirVar *var, const TirExpr *place, const TirStmt *loop) {
    const TirBlock *body = &loop->for_loop.body;
    if (loop->kind != STMT_FOR || var->type->flat_rank != 1) {
        return false;
    }
    Turn turn = {.var = var, .counter = loop->for_loop.var, .place = place};
    tir_read_exprs_in(body, look_at_turn, &turn);
    bool is_written = false;
    for (size_t i = 0; i < body->count; i++) {
        TirStmt *stmt = body->items[i];
        bool is_read = tir_stmt_reads(stmt, tir_place_var(place)) > 0;
        bool is_loop = stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE;
        bool writes = tir_stmt_writes(stmt, var);
        if ((is_read && (is_written || stmt->kind != STMT_SET)) || (is_loop && writes)) {
            return false;
        }
        is_written = is_written || writes;
    }
    return !turn.others;
}

// Whether nothing before the copy has to do with the array that the part is of, but for the first
// loop in which elements of both are the same; and nothing leads past the copy.
static bool is_free(Life *life) {
    const TirStmt *copy = copy_of(life);
    TirVar *var = copy->set.value->var;
    const TirVar *array = tir_place_var(copy->set.place);
    bool is_begun = false;
    for (size_t i = life->first; i < life->copy; i++) {
        TirStmt *stmt = life->block->items[i];
        TirBlock one = {.items = &stmt, .count = 1};
        bool reads = i > life->first && tir_stmt_reads(stmt, array) > 0;
        if ((reads && (is_begun || !goes_along(var, copy->set.place, stmt))) ||
            tir_may_leave(stmt) || tir_stmt_writes_operand(stmt, copy->set.place) ||
            (!tir_var_is_local(array) && array->role != VAR_RESULT && !tir_only_computes(&one)) ||
            tir_any_stmt(&one, tir_is_handed_over, var)) {
            return false;
        }
        life->is_along = life->is_along || reads;
        is_begun = is_begun || (i > life->first && has_to_do_with(stmt, var));
    }
    return true;
}

static void remove_at(TirBlock *block, size_t at) {
    block->count--;
    for (size_t i = at; i < block->count; i++) {
        block->items[i] = block->items[i + 1];
    }
}

// What is left of the copy goes, and what the array begins with where it is the part itself or is
// overwritten.
static void move_in(const Elider *elider, const Life *life, bool is_overwritten) {
    const TirStmt *copy = copy_of(life);
    TirBlock *block = life->block;
    for (size_t i = life->first; i < life->copy; i++) {
        tir_replace_in(elider->tir, block->items[i], copy->set.value->var, copy->set.place);
    }
    tir_remark(elider->tir, "elide", copy->span, (Span){0},
               "%s is computed in %s and is not copied",
               tir_remark_name(elider->tir, copy->set.value->var),
               tir_remark_name(elider->tir, tir_place_var(copy->set.place)));
    remove_at(block, life->copy);
    const TirStmt *first = block->items[life->first];
    if (is_overwritten || tir_same_value(first->set.place, first->set.value)) {
        remove_at(block, life->first);
    }
}

static void elide(const Elider *elider, TirBlock *block, size_t at) {
    Life life = {.block = block, .copy = at};
    if (!is_copy(elider, copy_of(&life)) || !find_first(&life) || !is_free(&life)) {
        return;
    }
    const TirUses *others = &elider->uses[copy_of(&life)->set.value->var->id];
    size_t behind = block->count - at - 1;
    TirBlock within = statements_of(&life, at - life.first + 1);
    tir_count_block(elider->uses, &within, -1);
    if (others->reads == 0 && others->writes == 0 && others->updates == 0) {
        bool is_overwritten = tir_is_overwritten(elider->tir, block, life.first);
        if (is_overwritten || !life.is_along) {
            move_in(elider, &life, is_overwritten);
        }
    }
    within = statements_of(&life, block->count - behind - life.first);
    tir_count_block(elider->uses, &within, 1);
}

static void elide_block(const Elider *elider, TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(block->items[i], nested); k-- > 0;) {
            elide_block(elider, nested[k]);
        }
    }
    for (size_t left = block->count; left-- > 0;) { // what is removed lies there and before
        if (left < block->count) {
            elide(elider, block, left);
        }
    }
}

void pass_elide(Tir *tir, TirFunction *function) {
    Elider elider = {tir, tir_count_uses(tir->arena, function)};
    elide_block(&elider, &function->body);
}
