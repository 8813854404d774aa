// Makes output_fnc of a component without state once more with a scalar for each element of its
// small arrays, for `step_n`, where LLVM then takes several steps side by side, as it does with
// loops over scalars:
//
//     t.y = t.x / norm(t.x)     s = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2])
//                               y[0] = x[0] / s
//                               y[1] = x[1] / s
//                               y[2] = x[2] / s
//
// One step alone is faster in vectors of a few elements; steps side by side are where elements of
// an array meet, in sums, extremes and products, or are taken from it one by one. Reads any valid
// TIR whose sets may be executed element by element, and leaves such.
#include "tir/passes/passes.h"

#include "tir/clone.h"
#include "tir/remark.h"
#include "tir/spread.h"
#include "tir/stateless.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum {
    ELEMENTS_MOST = 7, // of an array that is written: more fill vectors of one step
    // Operations that one element which meets others, or is taken alone, stands for. Time of steps
    // side by side over that of vectors: arrays of 3 and 4 divided by their norms 0.2 and 0.3, less
    // their mean and times a matrix of 5 rows 0.6; times one of 4 rows, with a square, 1.9.
    MEETING_OPS = 4,
    // Rows of a matrix by which they fill vectors, and so few that most lanes of long ones stay
    // empty: 3 take 0.65 side by side where a vector has 8 or 2 lanes, 1.25 where it has 4, and 5
    // take 1.2.
    FULL_ROWS = 4,
    FEW_ROWS = 3,
};

// What speaks for steps side by side, and against, in operations of a step.
typedef struct Merits {
    uint64_t gains, losses;
} Merits;

static void weigh_product(const TirExpr *dot, Merits *merits) {
    uint64_t rows = dot->type->dims[0];
    uint64_t ops = (uint64_t)dot->type->numel * dot->dot.right->type->dims[0];
    if (rows <= FEW_ROWS) {
        merits->gains += ops;
    } else {
        merits->losses += rows % FULL_ROWS == 0 ? ops : ops / 2;
    }
}

static void weigh(const TirExpr *expr, void *data) {
    Merits *merits = data;
    uint64_t numel = expr->type->numel;
    if (expr->kind == EXPR_REDUCE) {
        merits->gains += MEETING_OPS * (uint64_t)expr->reduce.operand->type->numel;
    } else if (expr->kind == EXPR_DOT && type_is_scalar(expr->type)) {
        merits->gains += MEETING_OPS * (uint64_t)expr->dot.left->type->numel;
    } else if (expr->kind == EXPR_DOT) {
        weigh_product(expr, merits);
    } else if (expr->kind == EXPR_VIEW && numel == 1 && expr->view.operand->kind == EXPR_VAR &&
               tir_var_is_local(expr->view.operand->var)) {
        merits->gains += MEETING_OPS;
    } else if (expr->kind == EXPR_MAP && numel > 2) {
        merits->losses += numel;
    }
    tir_read_operands(expr, weigh, data);
}

static bool is_long(TirStmt *stmt, void *data) {
    (void)data;
    return stmt->kind == STMT_SET ? stmt->set.place->type->numel > ELEMENTS_MOST
                                  : stmt->kind != STMT_IF && stmt->kind != STMT_NEST;
}

static bool is_loop(TirStmt *stmt, void *data) {
    (void)data;
    return stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE;
}

static bool pays(const TirBlock *body) {
    Merits merits = {0};
    tir_read_values_in(body, weigh, &merits);
    return merits.gains > merits.losses;
}

// A copy of the function; NULL: not all of it becomes scalars.
static TirFunction *spread_function(Tir *tir, const TirFunction *from) {
    TirFunction *function = clone_function(tir, from, "side");
    TirClone clone = clone_vars(tir, from, function);
    // A loop whose turns are the steps.
    TirBlock steps = {0};
    TirStmt *loop = tir_for(tir, &steps, function, 0, 1, 1, from->span);
    clone_block(&clone, &from->body, &loop->for_loop.body);
    uint32_t *uses = tir_count_mentions(tir->arena, function, &loop->for_loop.body);
    return spread_body(tir, function, uses, uses, loop, true, &function->body, NULL) &&
                   !tir_any_stmt(&function->body, is_loop, NULL)
               ? function
               : NULL;
}

void pass_side(Tir *tir, TirProgram *program) {
    TirFunction *output = program->output;
    if (output == NULL || program->symbol != NULL || program->is_tested || tir->lanes == 0 ||
        tir->is_small || program->past.output != NULL || !tir_is_stateless_step(program, output) ||
        !tir_only_computes(&output->body) || tir_any_stmt(&output->body, is_long, NULL) ||
        !pays(&output->body)) {
        return;
    }
    program->side = spread_function(tir, output);
    if (program->side != NULL) {
        tir_add_function(tir, program, program->side);
        tir_remark(tir, "side", output->span, (Span){0},
                   "`step_n` takes several steps side by side, with small arrays as scalars");
    }
}
