#include "tir/lanes_reads.h"

#include "tir/in_order.h"
#include "tir/lanes_rows.h"
#include "tir/visit.h"

// Whether it is of the row that the turn has for itself.
static bool is_of_row(const LanesBody *body, const TirExpr *view) {
    const TirExpr *first = view->view.axes[0].index;
    bool is_row = first != NULL && first->kind == EXPR_VAR && first->var == body->counter;
    for (size_t k = 1; k < view->view.operand->type->flat_rank; k++) {
        is_row = is_row && view->view.axes[k].index == NULL;
    }
    return is_row;
}

static bool is_of_table(const LanesBody *body, const TirExpr *view) {
    const Type *type = view->view.operand->type;
    return type->root != ROOT_BOOL && type->numel <= LANES_TABLE_NUMEL &&
           !lanes_write_array(body, view);
}

static void count_read(const TirExpr *expr, void *data) {
    LanesReads *reads = data;
    int64_t step;
    if (expr->kind == EXPR_VIEW && type_is_scalar(expr->type)) {
        bool is_known = lanes_step(reads->body, NULL, expr, &step);
        reads->anywhere += !is_known;
        reads->tables += !is_known && is_of_table(reads->body, expr);
        bool is_apart = is_known && step != 0 && step != 1;
        reads->apart += is_apart;
        reads->windows += is_apart && !is_of_row(reads->body, expr);
        return;
    }
    reads->ops += expr->kind == EXPR_MAP || expr->kind == EXPR_CONVERT;
    reads->sums += expr->kind == EXPR_REDUCE;
    reads->has_long = reads->has_long ||
                      (expr->kind == EXPR_DOT && expr->dot.right->type->numel > PRODUCT_SHORT) ||
                      (expr->kind == EXPR_REDUCE && expr->reduce.operand->type->numel > SUM_SHORT);
    reads->products += expr->kind == EXPR_DOT;
    tir_read_operands(expr, count_read, reads);
}

static void note_kind(TirStmt *stmt, void *data) {
    LanesReads *reads = data;
    reads->has_loops = reads->has_loops || stmt->kind == STMT_FOR;
    reads->has_branches = reads->has_branches || (stmt->kind != STMT_FOR && stmt->kind != STMT_SET);
}

LanesReads lanes_reads(const LanesBody *body, TirBlock *block) {
    LanesReads reads = {.body = body};
    tir_visit_stmts(block, note_kind, &reads);
    tir_read_exprs_in(block, count_read, &reads);
    return reads;
}

bool lanes_reads_pay(const LanesReads *reads, uint64_t count) {
    return reads->ops > LANES_OPS_PER_READ * count;
}

bool lanes_sums_pay(const LanesReads *reads) {
    bool is_long_row = reads->has_long && reads->apart + reads->anywhere > 0;
    return !is_long_row && (reads->sums == 0 || reads->windows == 0);
}

typedef struct Inside {
    Arena *arena;
    const LanesBody *body;
} Inside;

static bool costs_more(TirStmt *stmt, void *data) {
    const Inside *inside = data;
    TirBlock *nested[2];
    size_t count =
        stmt->kind == STMT_FOR || stmt->kind == STMT_IF ? tir_stmt_blocks(stmt, nested) : 0;
    for (size_t k = 0; k < count; k++) {
        LanesReads reads = lanes_reads(inside->body, nested[k]);
        if (reads.apart > 0 && !lanes_reads_pay(&reads, reads.apart)) {
            return stmt->kind == STMT_IF || !lanes_rows_recur(inside->arena, inside->body, stmt);
        }
    }
    return false;
}

bool lanes_reads_pay_inside(Arena *arena, const LanesBody *body, TirBlock *block) {
    return !tir_any_stmt(block, costs_more, &(Inside){arena, body});
}
