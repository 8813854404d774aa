// See turned.h.
#include "tir/turned.h"

#include "tir/uses.h"
#include "tir/visit.h"

enum { WORK_PER_STAGE = 3 };

static bool is_matrix(const TirVar *var) {
    const Type *type = var->type;
    return var->role == VAR_GLOBAL && type->flat_rank >= 2 && type->flat_rank <= TURNED_RANK &&
           type->numel <= TURNED_ELEMENTS && type->root != ROOT_BOOL;
}

// NULL: it has not been noted.
static TurnedMatrix *matrix_of(Turned *turned, const TirVar *var) {
    for (size_t i = 0; i < turned->count; i++) {
        if (turned->items[i].var == var) {
            return &turned->items[i];
        }
    }
    return NULL;
}

void turned_note(Turned *turned, TirVar *var, bool is_other) {
    if (!is_matrix(var)) {
        return;
    }
    TurnedMatrix *matrix = matrix_of(turned, var);
    if (matrix != NULL) {
        matrix->is_other |= is_other;
    } else if (turned->count == TURNED_MATRICES) {
        turned->is_full = true;
    } else {
        turned->items[turned->count++] = (TurnedMatrix){.var = var, .is_other = is_other};
    }
}

bool turned_pay(const Turned *turned, uint64_t work) {
    uint64_t stages = 0;
    for (size_t i = 0; i < turned->count; i++) {
        const TurnedMatrix *matrix = &turned->items[i];
        const Type *type = matrix->var->type;
        stages += matrix->is_other ? 0 : type->numel / type->dims[0];
    }
    return stages > 0 && stages <= TURNED_STAGES && !turned->is_full &&
           work >= WORK_PER_STAGE * stages;
}

static void use_turned(TirExpr **operand, void *data) {
    Turned *turned = data;
    TirExpr *expr = *operand;
    bool is_part = expr->kind == EXPR_VIEW && expr->view.operand->kind == EXPR_VAR;
    const TurnedMatrix *matrix = is_part ? matrix_of(turned, expr->view.operand->var) : NULL;
    if (matrix != NULL && matrix->turned != NULL) {
        uint16_t rank = matrix->var->type->flat_rank;
        TirAxis axes[TURNED_RANK];
        for (size_t k = 0; k < rank; k++) {
            axes[k] = expr->view.axes[(k + 1) % rank];
        }
        TirExpr *whole = tir_read(turned->tir, matrix->turned, expr->span);
        *operand = tir_view(turned->tir, expr->type, whole, axes, expr->span);
    } else if (expr->kind != EXPR_VAR && expr->kind != EXPR_CONST) {
        *operand = tir_copy_node(turned->tir, expr);
        tir_visit_operands(*operand, use_turned, data);
    }
}

// What stage `number` of all channels has of a matrix that lies as the file has it, or turned.
static TirExpr *stage_of(Tir *tir, TirVar *var, const Type *matrix, bool is_turned,
                         uint32_t number) {
    uint16_t rank = matrix->flat_rank;
    TirAxis axes[TURNED_RANK];
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
static void add_turn(Tir *tir, TirBlock *block, const TurnedMatrix *matrix, bool is_back) {
    const Type *type = matrix->var->type;
    for (uint32_t i = 0; i < type->numel / type->dims[0]; i++) {
        TirExpr *in_file = stage_of(tir, matrix->var, type, false, i);
        TirExpr *turned = stage_of(tir, matrix->turned, type, true, i);
        tir_set(tir, block, is_back ? in_file : turned, is_back ? turned : in_file,
                matrix->var->span);
    }
}

static void turn(Turned *turned, TurnedMatrix *matrix) {
    const Type *type = matrix->var->type;
    uint32_t dims[TURNED_RANK];
    for (size_t k = 0; k < type->flat_rank; k++) {
        dims[k] = type->dims[(k + 1) % type->flat_rank];
    }
    const Type *other = type_flat(turned->tir->types, type->root, type->flat_rank, dims);
    matrix->turned = tir_var_create(turned->tir, turned->function, VAR_TEMP, matrix->var->name,
                                    other, matrix->var->span);
}

void turned_make(Turned *turned, const TirBlock *body, TirBlock *before, TirBlock *behind) {
    for (size_t i = 0; i < turned->count; i++) {
        TurnedMatrix *matrix = &turned->items[i];
        if (matrix->is_other) {
            continue;
        }
        turn(turned, matrix);
        add_turn(turned->tir, before, matrix, false);
        if (tir_block_writes(body, matrix->var)) {
            add_turn(turned->tir, behind, matrix, true);
        }
    }
    tir_visit_exprs_in(body, use_turned, turned);
}
