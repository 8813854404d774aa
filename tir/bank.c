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

#include "tir/constant.h"
#include "tir/content.h"
#include "tir/elements.h"
#include "tir/turns.h"
#include "tir/visit.h"

enum {
    NODES_MOST = 800,   // of the body
    ELEMENTS_MOST = 64, // of all matrices that are turned
    MATRICES_MOST = 8,
    RANK_MOST = 4,
    WORK_PER_ELEMENT = 3, // that is turned, in each channel
};

// A matrix of the file, and what stands for it.
typedef struct Matrix {
    TirVar *var;
    bool is_other; // something but elements of the channel at hand is used
    TirVar *turned;
} Matrix;

typedef struct Bank {
    Tir *tir;
    TirFunction *function;
    const TirVar *channel; // the loop's variable
    Matrix matrices[MATRICES_MOST];
    size_t count;
    bool is_full;
    bool has_turned; // elements of a matrix that lies as if it had been turned
} Bank;

static bool is_candidate(const TirVar *var) {
    const Type *type = var->type;
    return var->role == VAR_GLOBAL && type->flat_rank >= 2 && type->flat_rank <= RANK_MOST &&
           type->numel <= ELEMENTS_MOST && type->root != ROOT_BOOL;
}

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

static Matrix *matrix_of(Bank *bank, TirVar *var) {
    for (size_t i = 0; i < bank->count; i++) {
        if (bank->matrices[i].var == var) {
            return &bank->matrices[i];
        }
    }
    if (bank->count == MATRICES_MOST) {
        bank->is_full = true;
        return &bank->matrices[0];
    }
    bank->matrices[bank->count] = (Matrix){.var = var};
    return &bank->matrices[bank->count++];
}

static void find_matrices(const TirExpr *expr, void *data) {
    Bank *bank = data;
    bool is_element = expr->kind == EXPR_VIEW && expr->view.operand->kind == EXPR_VAR &&
                      is_candidate(expr->view.operand->var);
    if (is_element && is_of_channel(bank, expr, 0)) {
        matrix_of(bank, expr->view.operand->var);
    } else if (is_element && is_of_channel(bank, expr, expr->view.operand->type->flat_rank - 1)) {
        matrix_of(bank, expr->view.operand->var)->is_other = true;
        bank->has_turned = true;
    } else if (expr->kind == EXPR_VAR && is_candidate(expr->var)) {
        matrix_of(bank, expr->var)->is_other = true;
    } else {
        tir_read_operands(expr, find_matrices, data);
    }
}

static void use_turned(TirExpr **operand, void *data) {
    Bank *bank = data;
    TirExpr *expr = *operand;
    if (expr->kind == EXPR_VIEW && expr->view.operand->kind == EXPR_VAR) {
        for (size_t i = 0; i < bank->count; i++) {
            const Matrix *matrix = &bank->matrices[i];
            if (matrix->var == expr->view.operand->var && matrix->turned != NULL) {
                uint16_t rank = matrix->var->type->flat_rank;
                TirAxis axes[RANK_MOST];
                for (size_t k = 0; k < rank; k++) {
                    axes[k] = expr->view.axes[(k + 1) % rank];
                }
                *operand =
                    tir_view(bank->tir, expr->type, tir_read(bank->tir, matrix->turned, expr->span),
                             axes, expr->span);
                return;
            }
        }
    }
    if (expr->kind != EXPR_VAR && expr->kind != EXPR_CONST) {
        *operand = tir_copy_node(bank->tir, expr);
        tir_visit_operands(*operand, use_turned, data);
    }
}

// What stage `number` of all channels has of a matrix that lies as the file has it, or turned.
static TirExpr *stage_of(Tir *tir, TirVar *var, const Type *matrix, bool is_turned,
                         uint32_t number) {
    uint16_t rank = matrix->flat_rank;
    TirAxis axes[RANK_MOST];
    axes[is_turned ? rank - 1 : 0] = (TirAxis){.axis = 0, .step = 1};
    for (uint16_t k = rank - 1; k > 0; k--) {
        axes[is_turned ? k - 1 : k] = (TirAxis){.axis = -1, .start = number % matrix->dims[k]};
        number /= matrix->dims[k];
    }
    const Type *type = type_flat(tir->types, matrix->root, 1, matrix->dims);
    return tir_view(tir, type, tir_read(tir, var, var->span), axes, var->span);
}

// A set for each stage: as elements of vectors they are moved one by one, which is what
// carried_join joins.
static void add_turn(Tir *tir, TirBlock *block, const Matrix *matrix, bool is_back) {
    const Type *type = matrix->var->type;
    for (uint32_t i = 0; i < type->numel / type->dims[0]; i++) {
        TirExpr *in_file = stage_of(tir, matrix->var, type, false, i);
        TirExpr *turned = stage_of(tir, matrix->turned, type, true, i);
        tir_set(tir, block, is_back ? in_file : turned, is_back ? turned : in_file,
                matrix->var->span);
    }
}

static void turn(Bank *bank, Matrix *matrix, TirBank *out) {
    Tir *tir = bank->tir;
    const Type *type = matrix->var->type;
    uint32_t dims[RANK_MOST];
    for (size_t k = 0; k < type->flat_rank; k++) {
        dims[k] = type->dims[(k + 1) % type->flat_rank];
    }
    const Type *turned = type_flat(tir->types, type->root, type->flat_rank, dims);
    matrix->turned =
        tir_var_create(tir, bank->function, VAR_TEMP, matrix->var->name, turned, matrix->var->span);
    add_turn(tir, &out->before, matrix, false);
    if (tir_block_writes(&out->body, matrix->var)) {
        add_turn(tir, &out->behind, matrix, true);
    }
}

static bool write_out(Tir *tir, TirFunction *function, TirUses *uses, TirStmt *loop,
                      TirBlock *body) {
    TirTurns turns = {.tir = tir, .uses = uses, .left = NODES_MOST, .binds = true};
    if (!tir_copy_body(&turns, loop, body)) {
        return false;
    }
    tir_elements_as_scalars(tir, function, uses, loop, body);
    return true;
}

static bool is_loop(TirStmt *stmt, void *data) {
    (void)data;
    return stmt->kind == STMT_FOR;
}

typedef struct Work {
    TirContent content;
    uint32_t moves; // delays
} Work;

static void count_work(TirStmt *stmt, void *data) {
    Work *work = data;
    if (stmt->kind == STMT_SET) {
        tir_content_add(&work->content, stmt->set.value, NODES_MOST);
        work->moves += stmt->set.place->kind == EXPR_VIEW && stmt->set.value->kind == EXPR_VIEW;
    }
}

// Turning takes moves, for each of which there is to be some work.
static bool is_worth_it(const Bank *bank, const TirBlock *body, uint64_t channels,
                        bool has_stages) {
    Work work = {0};
    tir_visit_stmts(body, count_work, &work);
    uint64_t elements = 0; // of all channels
    for (size_t i = 0; i < bank->count; i++) {
        const Matrix *matrix = &bank->matrices[i];
        if (!matrix->is_other) {
            elements += matrix->var->type->numel;
        }
    }
    return (elements > 0 || (has_stages && bank->has_turned)) && elements <= ELEMENTS_MOST &&
           (work.content.ops + work.moves) * channels >= WORK_PER_ELEMENT * elements;
}

bool tir_bank(Tir *tir, TirFunction *function, TirUses *uses, TirStmt *loop, TirBank *bank) {
    ConstantTurns channels;
    *bank = (TirBank){0};
    if (tir->lanes == 0 || tir->is_batched || tir->is_small ||
        !constant_turns(tir, loop, &channels) || channels.count < 2 ||
        channels.count > BANK_CHANNELS || !write_out(tir, function, uses, loop, &bank->body)) {
        return false;
    }
    Bank state = {.tir = tir, .function = function, .channel = loop->for_loop.var};
    bool has_stages = tir_any_stmt(&loop->for_loop.body, is_loop, NULL);
    tir_read_exprs_in(&bank->body, find_matrices, &state);
    if (state.is_full || !is_worth_it(&state, &bank->body, (uint64_t)channels.count, has_stages)) {
        return false;
    }
    for (size_t i = 0; i < state.count; i++) {
        if (!state.matrices[i].is_other) {
            turn(&state, &state.matrices[i], bank);
        }
    }
    tir_visit_exprs_in(&bank->body, use_turned, &state);
    return true;
}
