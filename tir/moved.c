#include "tir/moved.h"

#include "tir/uses.h"
#include "tir/view.h"
#include "tir/visit.h"

typedef struct Reader {
    Tir *tir;
    const Table *moved;
} Reader;

// An array that is moved, or one that lies in it, each element at most once.
static bool is_moved(const Reader *reader, const TirExpr *expr) {
    if (expr->kind == EXPR_VIEW && view_is_constant(expr)) {
        return expr->type->numel <= expr->view.operand->type->numel &&
               is_moved(reader, expr->view.operand);
    }
    return expr->kind == EXPR_VAR && table_get(reader->moved, expr->var) != NULL;
}

static TirExpr *element_at(Tir *tir, TirExpr *array, uint32_t at) {
    if (array->kind != EXPR_CONST) {
        return tir_element(tir, array, at);
    }
    const Type *scalar = type_scalar(tir->types, array->type->root);
    return tir_const(tir, scalar, array->data + at, array->span);
}

static TirExpr *literal_of(Tir *tir, TirExpr *array) {
    uint32_t count = array->type->numel;
    TirExpr **items = ARENA_ARRAY(tir->arena, TirExpr *, count);
    for (uint32_t i = 0; i < count; i++) {
        items[i] = element_at(tir, array, i);
    }
    return tir_literal(tir, array->type, items, count, array->span);
}

// Whether its elements, several, can be had one by one, all at the same cost.
static bool is_vector(const Reader *reader, const TirExpr *expr) {
    bool is_there = expr->kind == EXPR_VAR || expr->kind == EXPR_CONST || is_moved(reader, expr);
    return is_there && expr->type->flat_rank == 1 && expr->type->numel > 1;
}

static void read_elements(TirExpr **expr, void *data) {
    const Reader *reader = data;
    Tir *tir = reader->tir;
    TirExpr *node = *expr;
    tir_visit_operands(node, read_elements, data);
    if (node->kind == EXPR_REDUCE && type_is_scalar(node->type) && !tir_finds_place(node) &&
        is_vector(reader, node->reduce.operand) && is_moved(reader, node->reduce.operand)) {
        *expr = tir_reduce(tir, node->reduce.op, node->type, literal_of(tir, node->reduce.operand),
                           0, 1, node->span);
        return;
    }
    if (node->kind != EXPR_DOT || !is_vector(reader, node->dot.left) ||
        !is_vector(reader, node->dot.right) ||
        !(is_moved(reader, node->dot.left) || is_moved(reader, node->dot.right))) {
        return;
    }
    *expr = tir_dot(tir, node->type, literal_of(tir, node->dot.left),
                    literal_of(tir, node->dot.right), node->span);
}

void tir_read_moved(Tir *tir, TirProgram *program, const Table *moved) {
    Reader reader = {tir, moved};
    for (size_t i = 0; i < program->functions.count; i++) {
        tir_visit_exprs_in(&program->functions.items[i]->body, read_elements, &reader);
    }
}
