#include "codegen/plan/late.h"

#include "tir/uses.h"
#include "tir/visit.h"

// In additions.
enum { TURN_BEFORE = 1, DIVISION = 4, FUNCTION = 8 };
enum { PLACES_LIMIT = 16 }; // that are looked at

// A loop, or a step of a component, and what its turns write.
typedef struct Turn {
    bool is_step;
    Arena *arena;
    Table *late; // the result
    const TirVar *counter;
    Table heights; // TirVar that is written in it to how late it is
    const TirExpr *places[PLACES_LIMIT];
    size_t place_count;
} Turn;

// The table holds no zeros.
static unsigned get(const Table *table, const void *key) {
    return (unsigned)(uintptr_t)table_get(table, key);
}

static void set(Arena *arena, Table *table, const void *key, unsigned height) {
    table_set(arena, table, key, (void *)(uintptr_t)height);
}

// Whether the turn before writes the element of the view at the place: 0 where that is not known.
static unsigned height_beside(const Turn *turn, const TirExpr *place, const TirExpr *view) {
    if (place->kind != EXPR_VIEW || place->view.operand->kind != EXPR_VAR) {
        return 0;
    }
    bool is_before = false, moves = false;
    for (size_t k = 0; k < place->view.operand->type->flat_rank; k++) {
        const TirAxis *to = &place->view.axes[k], *from = &view->view.axes[k];
        int64_t to_offset = to->start, from_offset = from->start;
        const TirVar *to_var = to->index == NULL ? NULL : tir_index_var(to->index, &to_offset);
        const TirVar *from_var =
            from->index == NULL ? NULL : tir_index_var(from->index, &from_offset);
        bool is_known = to_var != NULL || (to->index == NULL && from->index == NULL);
        bool is_counter = to_var != NULL && to_var == turn->counter;
        if (!is_known || to_var != from_var || (to_offset != from_offset && !is_counter) ||
            (to_var != NULL && !is_counter && get(&turn->heights, to_var) > 0)) {
            return 0;
        }
        moves = moves || is_counter;
        is_before = is_before || to_offset != from_offset;
    }
    return is_before || !moves ? TURN_BEFORE : 0;
}

static unsigned height_of_view(const Turn *turn, const TirExpr *view) {
    const TirVar *var = tir_place_var(view);
    unsigned most = 0;
    if (get(&turn->heights, var) == 0 || view->view.operand->kind != EXPR_VAR) {
        return 0;
    }
    if (turn->is_step) {
        return TURN_BEFORE;
    }
    for (size_t i = 0; i < turn->place_count; i++) {
        if (tir_place_var(turn->places[i]) == var) {
            unsigned height = height_beside(turn, turn->places[i], view);
            most = height > most ? height : most;
        }
    }
    return most;
}

static unsigned height_of_op(TirOp op) {
    return op == OP_DIV || op == OP_REM || op == OP_SQRT ? DIVISION
           : tir_op_is_function(op)                      ? FUNCTION
                                                         : 1;
}

static bool chooses(const TirExpr *expr) {
    return expr->kind == EXPR_MAP && (expr->map.op == OP_MIN || expr->map.op == OP_MAX) &&
           type_is_scalar(expr->type);
}

typedef struct Operands {
    Turn *turn;
    bool are_noted;
    unsigned most;
} Operands;

static unsigned height_of(Turn *turn, const TirExpr *expr);

static void height_of_operand(const TirExpr *operand, void *data) {
    Operands *operands = data;
    unsigned height = height_of(operands->turn, operand);
    if (height > 0 && operands->are_noted) {
        set(operands->turn->arena, operands->turn->late, operand, height);
    }
    operands->most = height > operands->most ? height : operands->most;
}

static unsigned height_of(Turn *turn, const TirExpr *expr) {
    if (expr->kind == EXPR_VAR) {
        return get(&turn->heights, expr->var);
    }
    Operands operands = {turn, chooses(expr), 0};
    if (expr->kind == EXPR_VIEW && tir_bottom(expr)->kind == EXPR_VAR) {
        for (size_t k = 0; k < expr->view.operand->type->flat_rank; k++) {
            if (expr->view.axes[k].index != NULL) {
                height_of_operand(expr->view.axes[k].index, &operands);
            }
        }
        unsigned height = height_of_view(turn, expr);
        return height > operands.most ? height : operands.most;
    }
    tir_read_operands(expr, height_of_operand, &operands);
    unsigned own = expr->kind == EXPR_MAP ? height_of_op(expr->map.op) : 1;
    return operands.most == 0 ? 0 : operands.most + own;
}

static void note_written(Turn *turn, const TirBlock *block, bool only_globals) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        const TirVar *var;
        for (size_t k = 0; (var = tir_stmt_written(stmt, k)) != NULL; k++) {
            if (!only_globals || tir_var_is_global(var)) {
                set(turn->arena, &turn->heights, var, TURN_BEFORE);
            }
        }
        if (stmt->kind == STMT_SET && stmt->set.place->kind != EXPR_VAR &&
            turn->place_count < PLACES_LIMIT) {
            turn->places[turn->place_count++] = stmt->set.place;
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            note_written(turn, nested[k], only_globals);
        }
    }
}

static void read_value(const TirExpr *value, void *data) {
    height_of(data, value);
}

static void find_in(Turn *turn, const TirBlock *block);

static void find_in_loop(const Turn *outer, TirStmt *loop) {
    Turn turn = {.arena = outer->arena, .late = outer->late};
    turn.counter = loop->kind == STMT_FOR ? loop->for_loop.var : NULL;
    TirBlock *nested[2];
    size_t count = tir_stmt_blocks(loop, nested);
    for (size_t k = 0; k < count; k++) {
        note_written(&turn, nested[k], false);
    }
    for (size_t k = 0; k < count; k++) {
        find_in(&turn, nested[k]);
    }
}

static void find_in(Turn *turn, const TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE) {
            find_in_loop(turn, stmt);
            continue;
        }
        if (tir_sets_whole(stmt)) {
            unsigned height = height_of(turn, stmt->set.value);
            set(turn->arena, &turn->heights, stmt->set.place->var, height);
            continue;
        }
        tir_read_values(stmt, read_value, turn);
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            find_in(turn, nested[k]);
        }
    }
}

void late_plan(Arena *arena, const TirFunction *function, Table *late) {
    table_clear(late);
    Turn turn = {.is_step = true, .arena = arena, .late = late};
    note_written(&turn, &function->body, true);
    find_in(&turn, &function->body);
}

unsigned late_of(const Table *late, const TirExpr *operand) {
    return get(late, operand);
}
