// See bank.h. The state of a channel is a row, as one writes it down; its first elements of all
// channels are neighbours in the matrix that is turned. `step_n` keeps that in registers from step
// to step, turned as it is (codegen/target/carried.h).
//
//     for c = 0:3                     z.1 = z'
//       v = t.x[c]                    for c = 0:3
//       for s = 0:2                     v = t.x[c]
//         v = v + z[c, s]               v = v + z.1[0, c]
//         z[c, s] = v                   z.1[0, c] = v
//       end                             v = v + z.1[1, c]
//       t.y[c] = v                      z.1[1, c] = v
//     end                               t.y[c] = v
//                                     end
//                                     z = z.1'
#include "tir/bank.h"

#include "tir/alias.h"
#include "tir/constant.h"
#include "tir/content.h"
#include "tir/spread.h"
#include "tir/turned.h"
#include "tir/turns.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum { NODES_MOST = 800 }; // of a body

typedef struct Bank {
    const TirVar *channel; // the loop's variable
    Turned turned;
    bool has_turned; // elements of an array that lies as if it had been turned
} Bank;

// An element that is known but for the channel at hand, which dim `channel` says.
static bool is_of_channel(const Bank *bank, const TirExpr *view, size_t channel) {
    const TirAxis *axes = view->view.axes;
    const TirExpr *index = axes[channel].index;
    bool is_of = type_is_scalar(view->type) && index != NULL && index->kind == EXPR_VAR &&
                 index->var == bank->channel && axes[channel].unchecked;
    for (size_t k = 0; k < view->view.operand->type->flat_rank; k++) {
        is_of = is_of && (k == channel || (axes[k].index == NULL && axes[k].axis < 0));
    }
    return is_of;
}

static bool is_part_of_file(const TirExpr *expr) {
    return expr->kind == EXPR_VIEW && expr->view.operand->kind == EXPR_VAR &&
           expr->view.operand->var->role == VAR_GLOBAL && type_is_tensor(expr->view.operand->type);
}

static void find_elements(const TirExpr *expr, void *data) {
    Bank *bank = data;
    if (is_part_of_file(expr)) {
        TirVar *var = expr->view.operand->var;
        uint16_t rank = var->type->flat_rank;
        bool lies_turned = is_of_channel(bank, expr, rank - 1);
        bool is_element = rank > 1 && is_of_channel(bank, expr, 0);
        turned_note(&bank->turned, var, !is_element);
        bank->has_turned |= lies_turned;
        if (is_element || lies_turned) {
            return;
        }
    } else if (expr->kind == EXPR_VAR) {
        turned_note(&bank->turned, expr->var, true);
    }
    tir_read_operands(expr, find_elements, data);
}

// Reads of a matrix of the file by rows, or of all of it.
typedef struct RowReads {
    const TirVar *matrix;
    unsigned count;
} RowReads;

static void count_row_reads(const TirExpr *expr, void *data) {
    RowReads *reads = data;
    if (expr->kind == EXPR_VAR) {
        reads->count += expr->var == reads->matrix;
    } else if (is_part_of_file(expr) && expr->view.operand->var == reads->matrix) {
        reads->count += expr->view.axes[reads->matrix->type->flat_rank - 1].axis >= 0;
    } else {
        tir_read_operands(expr, count_row_reads, data);
    }
}

// Turned back, a matrix is put into memory element by element; what reads rows of it then waits
// until they are there: covariances of four signals take five times as long.
static void keep_read_by_rows(Turned *turned, const TirBlock *step, const TirBlock *body) {
    for (size_t i = 0; i < turned->count; i++) {
        RowReads all = {.matrix = turned->items[i].var}, own = all;
        tir_read_values_in(step, count_row_reads, &all);
        tir_read_values_in(body, count_row_reads, &own);
        turned->items[i].is_other |= all.count > own.count;
    }
}

// What is no scalar, nor an element of an array that outlives a turn.
static void find_array(const TirExpr *expr, void *data) {
    bool *found = data;
    bool is_local = expr->kind == EXPR_VAR && tir_var_is_local(expr->var);
    *found |= type_is_tensor(expr->type) && (expr->kind != EXPR_VAR || is_local);
    if (expr->kind == EXPR_VIEW && !type_is_tensor(expr->type)) {
        find_array(expr->view.operand, data);
    } else if (expr->kind != EXPR_CONST) {
        tir_read_operands(expr, find_array, data);
    }
}

static bool is_unsafe(TirStmt *stmt, void *data) {
    (void)data;
    return stmt->kind == STMT_CALL ||
           (stmt->kind == STMT_SET && tir_set_conflicts(stmt->set.place, stmt->set.value));
}

typedef struct Channels {
    Tir *tir;
    const TirVar *channel;
    int64_t least, most;
} Channels;

// Indices that are the channel, where all arrays have all of them. In copies of the nodes.
static void take_as_proven(TirExpr **operand, void *data) {
    const Channels *channels = data;
    TirExpr *expr = tir_copy_node(channels->tir, *operand);
    *operand = expr;
    for (size_t k = 0; expr->kind == EXPR_VIEW && k < expr->view.operand->type->flat_rank; k++) {
        TirAxis *axis = &expr->view.axes[k];
        bool is_channel = axis->index != NULL && axis->index->kind == EXPR_VAR &&
                          axis->index->var == channels->channel;
        if (is_channel && channels->least >= 0 &&
            channels->most < expr->view.operand->type->dims[k]) {
            axis->unchecked = axis->is_free = true;
        }
    }
    tir_visit_operands(expr, take_as_proven, data);
}

// The body of the loop without loops, and with a scalar for each element of the arrays that a turn
// has for itself.
static bool write_out(Tir *tir, TirFunction *function, TirUses *uses, TirStmt *loop,
                      const ConstantTurns *all, TirBlock *body) {
    TirTurns turns = {.tir = tir, .uses = uses, .left = NODES_MOST, .binds = true};
    bool has_arrays = false;
    TirBlock *turn = &loop->for_loop.body;
    // A step that ends in a fault would leave the matrices as they were.
    if (!tir_only_computes(turn) || !tir_copy_body(&turns, loop, body)) {
        return false;
    }
    tir_read_exprs_in(body, find_array, &has_arrays);
    if (!has_arrays) {
        return true;
    }
    if (tir_any_stmt(turn, is_unsafe, NULL) ||
        !spread_body(tir, function, tir_count_mentions(tir->arena, function, &function->body),
                     tir_count_mentions(tir->arena, function, turn), loop, true, body, NULL)) {
        return false;
    }
    int64_t last = all->first + (all->count - 1) * all->step;
    Channels channels = {tir, loop->for_loop.var, all->step > 0 ? all->first : last,
                         all->step > 0 ? last : all->first};
    tir_visit_exprs_in(body, take_as_proven, &channels);
    return true;
}

static bool is_loop(TirStmt *stmt, void *data) {
    (void)data;
    return stmt->kind == STMT_FOR;
}

// Operations of a statement, and moves, as those of delays.
static uint64_t count_work(const TirStmt *stmt) {
    TirContent content = {0};
    if (stmt->kind != STMT_SET) {
        return 0;
    }
    tir_content_add(&content, stmt->set.value, NODES_MOST);
    bool is_move = stmt->set.place->kind == EXPR_VIEW && stmt->set.value->kind == EXPR_VIEW;
    return content.ops + is_move;
}

// With the turns of the loops inside.
static uint64_t work_of(Tir *tir, const TirBlock *block) {
    uint64_t work = 0;
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        ConstantTurns turns;
        bool is_known = stmt->kind == STMT_FOR && constant_turns(tir, stmt, &turns);
        uint64_t inside = 0;
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            inside += work_of(tir, nested[k]);
        }
        work += count_work(stmt) + (is_known ? (uint64_t)turns.count : 1) * inside;
    }
    return work;
}

static bool is_wanted(const Tir *tir) {
    return tir->lanes > 0 && !tir->is_batched && !tir->is_small;
}

bool tir_bank(Tir *tir, TirFunction *function, TirUses *uses, TirStmt *loop, TirBank *bank) {
    ConstantTurns channels;
    *bank = (TirBank){0};
    if (!is_wanted(tir) || !constant_turns(tir, loop, &channels) || channels.count < 2 ||
        channels.count > TURNED_CHANNELS ||
        !write_out(tir, function, uses, loop, &channels, &bank->body)) {
        return false;
    }
    Bank state = {.channel = loop->for_loop.var, .turned = {.tir = tir, .function = function}};
    bool has_stages = tir_any_stmt(&loop->for_loop.body, is_loop, NULL);
    tir_read_exprs_in(&bank->body, find_elements, &state);
    keep_read_by_rows(&state.turned, &function->body, &loop->for_loop.body);
    if (!turned_pay(&state.turned, work_of(tir, &bank->body))) {
        if (!has_stages || !state.has_turned) {
            return false;
        }
        state.turned.count = 0; // all others lie as if they had been
    }
    turned_make(&state.turned, &bank->body, &bank->before, &bank->behind);
    return true;
}

// What all channels have of a stage, in a dim that few have.
static bool is_column(const TirExpr *view) {
    const TirAxis *axes = view->view.axes;
    uint32_t channels = view->view.operand->type->dims[0];
    bool is_column = view->type->flat_rank == 1 && view->type->dims[0] == channels &&
                     channels >= 2 && channels <= TURNED_CHANNELS && axes[0].axis == 0 &&
                     axes[0].start == 0 && axes[0].step == 1;
    for (size_t k = 1; k < view->view.operand->type->flat_rank; k++) {
        is_column = is_column && axes[k].axis < 0;
    }
    return is_column;
}

static void find_columns(const TirExpr *expr, void *data) {
    Turned *turned = data;
    if (is_part_of_file(expr)) {
        bool is_one = is_column(expr);
        turned_note(turned, expr->view.operand->var, !is_one);
        if (is_one) {
            for (size_t k = 1; k < expr->view.operand->type->flat_rank; k++) {
                if (expr->view.axes[k].index != NULL) {
                    find_columns(expr->view.axes[k].index, data);
                }
            }
            return;
        }
    } else if (expr->kind == EXPR_VAR) {
        turned_note(turned, expr->var, true);
    }
    tir_read_operands(expr, find_columns, data);
}

void tir_bank_mark(const TirBlock *before) {
    for (size_t i = 0; i < before->count; i++) {
        before->items[i]->set.value->view.operand->var->is_turned = true;
    }
}

void tir_bank_columns(Tir *tir, TirFunction *function) {
    TirBlock *body = &function->body;
    Turned turned = {.tir = tir, .function = function};
    tir_read_exprs_in(body, find_columns, &turned);
    if (!is_wanted(tir) || !tir_only_computes(body) || !turned_pay(&turned, work_of(tir, body))) {
        return;
    }
    TirBlock before = {0}, behind = {0};
    turned_make(&turned, body, &before, &behind);
    tir_bank_mark(&before);
    tir_append(tir, &before, body);
    tir_append(tir, &before, &behind);
    *body = before;
}
