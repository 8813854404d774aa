// Turns an array of short rows of which lanes read the columns in every turn of a loop around, so
// that they read what lies side by side, and what turns it is done once:
//
//     for i = 0:64:                              t = x'
//       for j = 0:64, side by side:              for i = 0:64:
//         a = x[j, 0]                              for j = 0:64, side by side:
//         b = x[j, 1]                                a = t[0, j]
//         ...                                        b = t[1, j]
//
// Reads and leaves what pass_lanes leaves. Nothing in the loop around writes the array.
#include "tir/passes/passes.h"

#include "tir/constant.h"
#include "tir/remark.h"
#include "tir/rewrite.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum {
    // Squares of distances in 2 and 3 dimensions take the same time, in 4 and more 0.2 to 0.6.
    // Added up in order they wait for one another: in 4 they take 1.1, in 5 and more 0.5 to 0.8.
    COLUMNS_LEAST = 4,
    COLUMNS_LEAST_IN_ORDER = 5,
    ROW_MOST = 8,
    NUMEL_MOST = 4096, // of the array, which is to stay near beside what else is read
    // How often elements are read that are turned once.
    READS_LEAST = 8,
    TURNS_UNKNOWN = 8, // of a loop whose bounds are not constant, as those of pairs: at least
};

typedef struct Turner {
    Tir *tir;
    TirFunction *function;
} Turner;

// The array of which a statement of a loop over `row` reads an element of that row; NULL: none.
static TirVar *array_read(const TirStmt *stmt, const TirVar *row) {
    if (stmt->kind != STMT_SET || stmt->set.value->kind != EXPR_VIEW ||
        stmt->set.value->view.operand->kind != EXPR_VAR) {
        return NULL;
    }
    TirVar *array = stmt->set.value->view.operand->var;
    const TirAxis *axes = stmt->set.value->view.axes;
    bool is_element = array->type->flat_rank == 2 && type_is_scalar(stmt->set.value->type) &&
                      axes[0].index != NULL && axes[0].index->kind == EXPR_VAR &&
                      axes[0].index->var == row && axes[0].unchecked && axes[1].index == NULL;
    return is_element ? array : NULL;
}

static unsigned columns_read(const TirStmt *loop, const TirVar *array) {
    unsigned count = 0;
    for (size_t i = 0; i < loop->for_loop.body.count; i++) {
        count += array_read(loop->for_loop.body.items[i], loop->for_loop.var) == array;
    }
    return count;
}

static uint64_t turns_of(Tir *tir, const TirStmt *loop) {
    ConstantTurns turns;
    return constant_turns(tir, loop, &turns) ? (uint64_t)turns.count : TURNS_UNKNOWN;
}

static bool is_worth_it(Tir *tir, TirStmt *around, const TirStmt *loop, const TirVar *array) {
    const Type *type = array->type;
    uint64_t reads = turns_of(tir, around) * turns_of(tir, loop);
    unsigned least = loop->for_loop.in_order ? COLUMNS_LEAST_IN_ORDER : COLUMNS_LEAST;
    return type->dims[1] <= ROW_MOST && type->numel <= NUMEL_MOST &&
           reads >= READS_LEAST * (uint64_t)type->dims[0] && columns_read(loop, array) >= least &&
           !tir_stmt_writes(around, array);
}

static TirVar *turned(const Turner *turner, TirVar *array, Span span, TirBlock *out) {
    Tir *tir = turner->tir;
    const uint32_t dims[] = {array->type->dims[1], array->type->dims[0]};
    const Type *type = type_flat(tir->types, array->type->root, 2, dims);
    const TirAxis axes[] = {{.axis = 1, .step = 1}, {.axis = 0, .step = 1}};
    TirVar *var = tir_var_create(tir, turner->function, VAR_TEMP, NULL, type, span);
    tir_set_var(tir, out, var, tir_view(tir, type, tir_read(tir, array, span), axes, span), span);
    return var;
}

static void read_turned(Tir *tir, TirStmt *loop, const TirVar *array, TirVar *var) {
    for (size_t i = 0; i < loop->for_loop.body.count; i++) {
        TirStmt *stmt = loop->for_loop.body.items[i];
        if (array_read(stmt, loop->for_loop.var) == array) {
            const TirExpr *view = stmt->set.value;
            const TirAxis axes[] = {view->view.axes[1], view->view.axes[0]};
            TirExpr *read = tir_read(tir, var, view->span);
            stmt->set.value = tir_view(tir, view->type, read, axes, view->span);
        }
    }
}

static bool turn_arrays(TirStmt *around, TirBlock *out, void *data) {
    const Turner *turner = data;
    size_t count = around->kind == STMT_FOR ? around->for_loop.body.count : 0;
    for (size_t i = 0; i < count; i++) {
        TirStmt *loop = around->for_loop.body.items[i];
        bool has_lanes = loop->kind == STMT_FOR && loop->for_loop.has_lanes;
        for (size_t k = 0; has_lanes && k < loop->for_loop.body.count; k++) {
            TirVar *array = array_read(loop->for_loop.body.items[k], loop->for_loop.var);
            if (array != NULL && is_worth_it(turner->tir, around, loop, array)) {
                TirVar *var = turned(turner, array, around->span, out);
                read_turned(turner->tir, loop, array, var);
                tir_remark(turner->tir, "upright", loop->span, (Span){0},
                           "reads columns of `%s` that are turned before the loop around",
                           tir_remark_name(turner->tir, array));
            }
        }
    }
    return false;
}

// Where there are no vectors, rows are as good.
void pass_upright(Tir *tir, TirFunction *function) {
    if (tir->lanes > 0 && !tir->is_bare && !tir->is_small && !tir->is_batched) {
        Turner turner = {tir, function};
        tir_rewrite_inner_first(tir, &function->body, turn_arrays, &turner);
    }
}
