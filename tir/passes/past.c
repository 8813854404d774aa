// Finds arrays of a component's state that hold the last values of an input, newest first, as
// `x[1:] = x[:n - 1]` and `x[0] = t.u` make them, and makes output_fnc once more without them: what
// it reads of them are the inputs of the steps before, which `step_n` has in a row. Reads and
// leaves any valid TIR.
//
// A step that ends in a fault would leave such an array behind as it was, so there must be none.
#include "tir/passes/passes.h"

#include "tir/clone.h"
#include "tir/constant.h"
#include "tir/remark.h"
#include "tir/replace.h"
#include "tir/struct_layout.h"
#include "tir/uses.h"
#include "tir/view.h"
#include "tir/visit.h"
#include "types/memory.h"

enum {
    LENGTH_FROM = 4, // of an array: fewer values stay in registers
    // Inputs of a step, as many elements as the array takes of one: what lies between is walked
    // over.
    WALKED_MOST = 8,
    NUMEL_MOST = 1 << 20, // of all that is walked over
};

// The statements that move an array are `count` of output_fnc from `first` on.
typedef struct Move {
    TirVar *array;
    const TirInterface *input;
    size_t element; // where the row begins in it
    size_t first, count;
} Move;

// What statements look like.

// All of the dims from `from` on, in the place of the result's from `axis` on.
static bool keeps_dims(const TirExpr *view, size_t from, int32_t axis) {
    const Type *type = view->view.operand->type;
    for (size_t k = from; k < type->flat_rank; k++) {
        const TirAxis *dim = &view->view.axes[k];
        if (dim->index != NULL || dim->axis != axis + (int32_t)(k - from) || dim->start != 0 ||
            (dim->step != 1 && type->dims[k] > 1)) {
            return false;
        }
    }
    return true;
}

static bool is_view_of(const TirExpr *expr, const TirVar *var) {
    return expr->kind == EXPR_VIEW && expr->view.operand->kind == EXPR_VAR &&
           expr->view.operand->var == var;
}

// The row `at` of the array.
static bool is_row(const TirExpr *expr, const TirVar *array, int64_t at) {
    if (!is_view_of(expr, array)) {
        return false;
    }
    const TirAxis *first = &expr->view.axes[0];
    return first->index == NULL && first->axis < 0 && first->start == at && keeps_dims(expr, 1, 0);
}

// All rows but one, from `start` on.
static bool are_rows(const TirExpr *expr, const TirVar *array, int64_t start) {
    if (!is_view_of(expr, array) || expr->type->flat_rank != array->type->flat_rank ||
        expr->type->dims[0] + 1 != array->type->dims[0]) {
        return false;
    }
    const TirAxis *first = &expr->view.axes[0];
    return first->index == NULL && first->axis == 0 && first->start == start && first->step == 1 &&
           keeps_dims(expr, 1, 1);
}

// The value that has all of these elements in one row, with other dims perhaps.
static const TirExpr *whole_of(const TirExpr *value) {
    bool is_row = value->kind == EXPR_VIEW && value->view.operand->type->flat_rank == 1 &&
                  value->view.axes[0].index == NULL && value->view.axes[0].start == 0 &&
                  value->view.axes[0].step == 1 &&
                  value->view.operand->type->numel == value->type->numel;
    return value->kind == EXPR_RESHAPE ? whole_of(value->operand)
           : value->kind == EXPR_LITERAL && value->type->numel == 1
               ? whole_of(value->literal.items[0])
           : is_row ? value->view.operand
                    : value;
}

// Whether the value is a terminal that is one row of the array, or an element of one.
static bool is_input(const TirProgram *program, const TirExpr *value, Move *move) {
    value = whole_of(value);
    const Type *type = value->type;
    const Type *array = move->array->type;
    bool fits = type->root == array->root && type->flat_rank + 1 == array->flat_rank &&
                (type->flat_rank == 0 || type->dims[0] == array->dims[1]);
    if (value->kind == EXPR_VIEW && type_is_scalar(type) && view_element(value, &move->element)) {
        value = value->view.operand;
    }
    if (!fits || value->kind != EXPR_VAR || value->var->role != VAR_INPUT ||
        value->var->instance != NULL) {
        return false;
    }
    for (size_t i = 0; i < program->interface.count; i++) {
        const TirInterface *item = program->interface.items[i];
        if (item->var == value->var && item->kind == INTERFACE_INPUT && item->is_present &&
            item->io == NULL) {
            move->input = item;
            return true;
        }
    }
    return false;
}

// `x = concat(0, [t.u], x[:n - 1])`
static bool is_joined(const TirProgram *program, const TirExpr *value, Move *move) {
    bool is_pair = value->kind == EXPR_CONCAT && value->concat.axis == 0 &&
                   value->concat.count == 2 && value->concat.items[0]->type->dims[0] == 1;
    return is_pair && are_rows(value->concat.items[1], move->array, 0) &&
           is_input(program, value->concat.items[0], move);
}

// The row that is `offset` behind the variable.
static bool is_row_from(const TirExpr *expr, const TirVar *array, const TirVar *var,
                        int64_t offset) {
    int64_t behind = 0;
    return is_view_of(expr, array) && expr->view.axes[0].index != NULL &&
           tir_index_var(expr->view.axes[0].index, &behind) == var && behind == offset &&
           keeps_dims(expr, 1, 0);
}

// `for k = n - 1:0:-1: x[k] = x[k - 1]`
static bool is_moving_loop(Tir *tir, const TirStmt *loop, const TirVar *array) {
    ConstantTurns turns;
    const TirBlock *body = &loop->for_loop.body;
    if (body->count != 1 || body->items[0]->kind != STMT_SET ||
        !constant_turns(tir, loop, &turns)) {
        return false;
    }
    const TirStmt *set = body->items[0];
    int64_t last = (int64_t)array->type->dims[0] - 1;
    return turns.first == last && turns.step == -1 && turns.count == last &&
           is_row_from(set->set.place, array, loop->for_loop.var, 0) &&
           is_row_from(set->set.value, array, loop->for_loop.var, -1);
}

// `x[1:] = x[:n - 1]`, or that element by element, the last one first; the number of statements.
static size_t moves_rows(Tir *tir, const TirBlock *body, size_t first, const TirVar *array) {
    const TirStmt *set = body->items[first];
    if (set->kind == STMT_FOR) {
        return is_moving_loop(tir, set, array);
    }
    if (are_rows(set->set.place, array, 1) && are_rows(set->set.value, array, 0)) {
        return 1;
    }
    int64_t last = (int64_t)array->type->dims[0] - 1;
    for (int64_t k = last; k > 0; k--) {
        size_t i = first + (size_t)(last - k);
        set = i < body->count ? body->items[i] : NULL;
        if (set == NULL || set->kind != STMT_SET || !is_row(set->set.place, array, k) ||
            !is_row(set->set.value, array, k - 1)) {
            return 0;
        }
    }
    return (size_t)last;
}

// Whether an array of the file moves from the statement on.
static bool find_move(Tir *tir, const TirProgram *program, const TirBlock *body, size_t first,
                      Move *move) {
    const TirStmt *stmt = body->items[first];
    const TirStmt *set = stmt->kind == STMT_FOR && stmt->for_loop.body.count > 0
                             ? stmt->for_loop.body.items[0]
                             : stmt;
    TirVar *array = set->kind == STMT_SET ? tir_place_var(set->set.place) : NULL;
    if (array == NULL || !tir_var_is_of_file(program, array) || array->type->flat_rank < 1 ||
        array->type->flat_rank > 2 || array->type->dims[0] < LENGTH_FROM) {
        return false;
    }
    *move = (Move){.array = array, .first = first, .count = 1};
    if (stmt->kind == STMT_SET && set->set.place->kind == EXPR_VAR) {
        return is_joined(program, set->set.value, move);
    }
    size_t count = moves_rows(tir, body, first, array);
    const TirStmt *last =
        count > 0 && first + count < body->count ? body->items[first + count] : NULL;
    move->count = count + 1;
    return last != NULL && last->kind == STMT_SET && is_row(last->set.place, array, 0) &&
           is_input(program, last->set.value, move);
}

// What else there is.

static bool mentions(const TirFunction *function, const TirVar *var) {
    for (size_t i = 0; i < function->body.count; i++) {
        if (tir_stmt_reads(function->body.items[i], var) > 0) {
            return true;
        }
    }
    return tir_block_writes(&function->body, var);
}

// Whether nobody but what is behind the move reads the array, and nobody else writes it.
static bool is_apart(const TirProgram *program, const Move *move) {
    const TirFunction *output = program->output;
    for (size_t i = 0; i < program->functions.count; i++) {
        const TirFunction *function = program->functions.items[i];
        if (function != output && function != program->init && mentions(function, move->array)) {
            return false;
        }
    }
    for (size_t i = 0; i < output->body.count; i++) {
        TirStmt *stmt = output->body.items[i];
        bool is_moving = i >= move->first && i < move->first + move->count;
        if (!is_moving && (tir_stmt_writes(stmt, move->array) ||
                           (i < move->first && tir_stmt_reads(stmt, move->array) > 0))) {
            return false;
        }
    }
    return true;
}

// The window: the inputs of as many steps as the array is long, as they lie in memory.

// NULL: too much lies between what is read.
static const Type *window_type(const Tir *tir, const TirProgram *program, const Move *move) {
    const Type *type = move->array->type;
    uint64_t length = type->dims[0], row = type->numel / length;
    uint64_t bytes = align_up(program->inputs_bytes, program->inputs_align);
    uint64_t width = bytes / root_bytes(type->root, tir->single);
    if (width > WALKED_MOST * row || length * width > NUMEL_MOST) {
        return NULL;
    }
    uint32_t dims[] = {(uint32_t)length, (uint32_t)width};
    return type_tensor(tir->types, type_scalar(tir->types, type->root), 2, dims);
}

// What stands for the array: its first row is in the last one of the window.
static TirExpr *in_window(Tir *tir, const Move *move, TirVar *window) {
    const Type *type = move->array->type;
    uint64_t start = move->input->offset / root_bytes(type->root, tir->single) + move->element;
    TirAxis axes[] = {{.axis = 0, .start = (int64_t)type->dims[0] - 1, .step = -1},
                      {.axis = type->flat_rank > 1 ? 1 : -1, .start = (int64_t)start, .step = 1}};
    Span span = move->array->span;
    return tir_view(tir, type, tir_read(tir, window, span), axes, span);
}

typedef LIST_OF(Move) Moves;

// output_fnc with windows as parameters.
static void make_function(Tir *tir, TirProgram *program, const Moves *moves) {
    const TirFunction *output = program->output;
    TirFunction *function = clone_function(tir, output, "past");
    tir_add_function(tir, program, function);
    program->past.output = function;
    function->params = ARENA_ARRAY(tir->arena, TirVar *, moves->count);
    function->param_count = moves->count;
    for (size_t i = 0; i < moves->count; i++) {
        const Move *move = &moves->items[i];
        function->params[i] = tir_var_create(tir, function, VAR_PARAM, move->array->name,
                                             window_type(tir, program, move), move->array->span);
    }
    TirClone clone = clone_vars(tir, output, function);
    TirBlock kept = {0};
    for (size_t i = 0, m = 0; i < output->body.count; i++) {
        m += m < moves->count && i == moves->items[m].first + moves->items[m].count;
        if (m == moves->count || i < moves->items[m].first) {
            LIST_PUSH(tir->arena, &kept, output->body.items[i]);
        }
    }
    clone_block(&clone, &kept, &function->body);
    for (size_t i = 0; i < moves->count; i++) {
        TirExpr *past = in_window(tir, &moves->items[i], function->params[i]);
        for (size_t k = 0; k < function->body.count; k++) {
            tir_replace_in(tir, function->body.items[k], moves->items[i].array, past);
        }
    }
}

void pass_past(Tir *tir, TirProgram *program) {
    TirFunction *output = program->output;
    if (program->kind != PROGRAM_COMPONENT || program->symbol != NULL || program->is_tested ||
        tir->is_small || output == NULL || !tir_only_computes(&output->body) ||
        (program->update != NULL && !tir_only_computes(&program->update->body))) {
        return;
    }
    interface_lay_out(tir, program);
    Moves moves = {0};
    for (size_t i = 0; i < output->body.count; i++) {
        Move move;
        if (find_move(tir, program, &output->body, i, &move) && is_apart(program, &move) &&
            window_type(tir, program, &move) != NULL) {
            LIST_PUSH(tir->arena, &moves, move);
            i += move.count - 1;
            tir_remark(tir, "past", output->body.items[move.first]->span, (Span){0},
                       "`step_n` reads the inputs of steps before instead of %s",
                       tir_remark_name(tir, move.array));
        }
    }
    if (moves.count == 0) {
        return;
    }
    make_function(tir, program, &moves);
    for (size_t i = 0; i < moves.count; i++) {
        const Move *move = &moves.items[i];
        uint64_t bytes = root_bytes(move->array->type->root, tir->single);
        TirPast past = {move->array, move->input->offset + move->element * bytes};
        LIST_PUSH(tir->arena, &program->past.arrays, past);
    }
}
