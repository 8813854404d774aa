// Makes one loop of two that go through whole arrays together, where turns inside are few:
//
//     for i = 0:300:                         for l = 0:900:
//         for k = 0:3:                           if flat(p)[l] > 1.0:
//             if p[i, k] > 1.0:                      flat(v)[l] = -flat(v)[l]
//                 v[i, k] = -v[i, k]
//
// Its turns may run side by side, where 3 of them are less than a vector. What does not branch has
// become statements on arrays before. Reads and leaves any valid TIR.
#include "tir/passes/passes.h"

#include "support/table.h"
#include "tir/build.h"
#include "tir/constant.h"
#include "tir/remark.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum { INNER_LIMIT = 32 }; // turns of a loop inside that are vectors enough from here on

typedef struct Collapse {
    Tir *tir;
    const TirVar *outer, *inner; // the loops' variables
    uint32_t rows, columns;      // their turns
    TirVar *counter;             // that of both
    Table flat, others; // arrays whose elements are at both variables, and those in any other use
    uint32_t elements;  // how many expressions are such elements
} Collapse;

static bool is_at(const TirAxis *axis, const TirVar *var) {
    return axis->unchecked && axis->index != NULL && axis->index->kind == EXPR_VAR &&
           axis->index->var == var;
}

static const TirVar *array_of(const TirExpr *operand) {
    operand = operand->kind == EXPR_RESHAPE ? operand->operand : operand;
    return operand->kind == EXPR_VAR ? operand->var : NULL;
}

// The dim of an array along which the outer loop goes, where the inner one goes along the next, and
// both through all of it. False: there is none.
static bool find_dims(const Collapse *collapse, const TirExpr *expr, size_t *at) {
    if (expr->kind != EXPR_VIEW || array_of(expr->view.operand) == NULL) {
        return false;
    }
    const Type *type = expr->view.operand->type;
    for (size_t k = 0; k + 1 < type->flat_rank; k++) {
        if (is_at(&expr->view.axes[k], collapse->outer) &&
            is_at(&expr->view.axes[k + 1], collapse->inner)) {
            *at = k;
            return type->dims[k] == collapse->rows && type->dims[k + 1] == collapse->columns;
        }
    }
    return false;
}

static void see(const TirExpr *expr, void *data) {
    Collapse *collapse = data;
    Arena *arena = collapse->tir->arena;
    size_t at;
    if (!find_dims(collapse, expr, &at)) {
        if (expr->kind == EXPR_VAR) {
            table_set(arena, &collapse->others, expr->var, collapse);
        }
        tir_read_operands(expr, see, data);
        return;
    }
    collapse->elements++;
    table_set(arena, &collapse->flat, array_of(expr->view.operand), collapse);
    // The same index once more is another use of the variable.
    for (size_t k = 0; k < expr->view.operand->type->flat_rank; k++) {
        const TirExpr *index = expr->view.axes[k].index;
        if (index != NULL && k != at && k != at + 1) {
            see(index, data);
        }
    }
}

static bool has_both_uses(const Collapse *collapse) {
    for (size_t i = 0; i < collapse->flat.capacity; i++) {
        const void *array = collapse->flat.slots[i].key;
        if (array != NULL && table_get(&collapse->others, array) != NULL) {
            return true;
        }
    }
    return false;
}

// The element at the variable of the one loop.
static void flatten(TirExpr **operand, void *data) {
    const Collapse *collapse = data;
    Tir *tir = collapse->tir;
    size_t at;
    *operand = tir_copy_node(tir, *operand);
    TirExpr *expr = *operand;
    if (!find_dims(collapse, expr, &at)) {
        tir_visit_operands(expr, flatten, data);
        return;
    }
    const Type *type = expr->view.operand->type;
    uint32_t dims[TYPE_FLAT_LIMIT];
    TirAxis axes[TYPE_FLAT_LIMIT] = {0};
    size_t rank = 0;
    for (size_t k = 0; k < type->flat_rank; k++) {
        if (k == at + 1) {
            continue;
        }
        axes[rank] = expr->view.axes[k];
        if (axes[rank].index != NULL && k != at) {
            flatten(&axes[rank].index, data);
        }
        dims[rank++] = k == at ? type->dims[at] * type->dims[at + 1] : type->dims[k];
    }
    axes[at].index = tir_read(tir, collapse->counter, axes[at].span);
    const Type *flat = type_flat(tir->types, type->root, rank, dims);
    TirExpr *array = tir_reshape(tir, flat, expr->view.operand, expr->span);
    *operand = tir_view(tir, expr->type, array, axes, expr->span);
}

static void flatten_stmt(TirStmt *stmt, void *data) {
    tir_visit_exprs(stmt, flatten, data);
}

// The turns of a loop that counts from 0, one by one; 0: of another one.
static uint32_t turns_of(Tir *tir, const TirStmt *loop) {
    ConstantTurns turns;
    bool is_known = loop->kind == STMT_FOR && constant_turns(tir, loop, &turns);
    return is_known && turns.first == 0 && turns.step == 1 && turns.count < INT32_MAX
               ? (uint32_t)turns.count
               : 0;
}

static void collapse_loop(Tir *tir, TirFunction *function, TirStmt *loop) {
    TirStmt *inside = loop->for_loop.body.count == 1 ? loop->for_loop.body.items[0] : NULL;
    TirBlock *body = inside == NULL ? NULL : &inside->for_loop.body;
    if (body == NULL || inside->kind != STMT_FOR || !tir_is_plain(body) ||
        !tir_block_branches(body) || tir_block_jumps(body, STMT_BREAK)) {
        return;
    }
    Collapse collapse = {.tir = tir,
                         .outer = loop->for_loop.var,
                         .inner = inside->for_loop.var,
                         .rows = turns_of(tir, loop),
                         .columns = turns_of(tir, inside)};
    uint64_t turns = (uint64_t)collapse.rows * collapse.columns;
    if (turns == 0 || turns > INT32_MAX || collapse.columns >= INNER_LIMIT) {
        return;
    }
    tir_read_exprs_in(body, see, &collapse);
    if (collapse.elements == 0 || table_get(&collapse.others, collapse.outer) != NULL ||
        table_get(&collapse.others, collapse.inner) != NULL || has_both_uses(&collapse)) {
        return;
    }
    Span span = loop->span;
    collapse.counter = tir_var_create(tir, function, VAR_LOOP, NULL, collapse.outer->type, span);
    tir_visit_stmts(body, flatten_stmt, &collapse);
    loop->for_loop.var = collapse.counter;
    loop->for_loop.last = tir_const_int(tir, (int32_t)turns, span);
    loop->for_loop.body = *body;
    tir_remark(tir, "collapse", span, inside->span, "is one loop with that inside of it, at");
}

static void collapse_block(Tir *tir, TirFunction *function, const TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            collapse_block(tir, function, nested[k]);
        }
        if (stmt->kind == STMT_FOR) {
            collapse_loop(tir, function, stmt);
        }
    }
}

void pass_collapse(Tir *tir, TirFunction *function) {
    collapse_block(tir, function, &function->body);
}
