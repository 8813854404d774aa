// Sums the rows of a large matrix up some rows at a time, so that memory is read in the order in
// which it lies: sums that each go down a few columns would come to each page of it again and
// again.
//
//     y = sum(x, axis 0)            y = -0.0
//                                   for r = 0:256:8:
//                                       y = y + x[r] + x[r + 1] + ...
//
// Each sum has the same terms in the same order; -0.0 + x is x for every x. Reads what pass_hoist
// leaves, and leaves such.
#include "tir/passes/passes.h"

#include "tir/narrow.h"
#include "tir/remark.h"
#include "tir/replace.h"
#include "tir/rewrite.h"
#include "tir/uses.h"
#include "tir/visit.h"
#include "types/memory.h"

enum {
    ROWS_AT_ONCE = 8,
    ROWS_FROM = 4 * ROWS_AT_ONCE,
    NODES_MOST = 12,   // of a term, which is written out for each of the rows
    COLUMNS_FROM = 64, // fewer are all summed up at once, in registers
    // Of the matrix: smaller ones are in the first cache, and larger ones are for threads, which
    // share the columns.
    BYTES_FROM = 128 * 1024,
    BYTES_MOST = 16 * 1024 * 1024,
};

typedef struct Summer {
    Tir *tir;
    TirFunction *function;
} Summer;

typedef struct Sum {
    TirExpr *reduce; // the only one in the value
    size_t count;
} Sum;

static void find_sum(TirExpr **operand, void *data) {
    Sum *sum = data;
    if ((*operand)->kind == EXPR_REDUCE || (*operand)->kind == EXPR_DOT) {
        sum->reduce = *operand;
        sum->count++;
        return;
    }
    tir_visit_operands(*operand, find_sum, data);
}

// What a term is made of.
typedef struct Term {
    unsigned nodes;
    bool in_order; // elements of a row lie side by side, or are the same
    bool has_function;
} Term;

static void note_term(const TirExpr *expr, void *data) {
    Term *term = data;
    term->nodes++;
    term->has_function =
        term->has_function || (expr->kind == EXPR_MAP && tir_op_is_function(expr->map.op));
    tir_read_operands(expr, note_term, data);
    if (expr->kind != EXPR_VIEW) {
        return;
    }
    int32_t last = expr->type->flat_rank - 1;
    const Type *from = expr->view.operand->type;
    for (int32_t k = 0; k < from->flat_rank; k++) {
        const TirAxis *axis = &expr->view.axes[k];
        bool moves = axis->index != NULL || (axis->axis == last && axis->step != 0);
        bool is_aside = axis->index == NULL && axis->step == 1 && k + 1 == from->flat_rank;
        term->in_order = term->in_order && (!moves || is_aside);
    }
}

static bool is_sum_of_rows(const Summer *summer, const Sum *sum) {
    if (sum->count != 1 || sum->reduce->kind != EXPR_REDUCE ||
        sum->reduce->reduce.op != REDUCE_SUM || sum->reduce->reduce.axis != 0 ||
        sum->reduce->reduce.axis_count != 1) {
        return false;
    }
    const TirExpr *operand = sum->reduce->reduce.operand;
    uint64_t bytes = type_bytes(operand->type, summer->tir->single);
    Term term = {.in_order = true};
    note_term(operand, &term);
    return operand->type->root == sum->reduce->type->root && operand->type->dims[0] >= ROWS_FROM &&
           sum->reduce->type->numel >= COLUMNS_FROM && bytes >= BYTES_FROM && bytes <= BYTES_MOST &&
           term.in_order && !term.has_function && term.nodes <= NODES_MOST &&
           !tir_may_trap(operand);
}

// What is summed up in: the place itself where the sum is all of its value.
static TirVar *sum_var(const Summer *summer, const TirStmt *set, const TirExpr *reduce) {
    const TirExpr *place = set->set.place;
    bool is_own = set->set.value == reduce && place->kind == EXPR_VAR &&
                  tir_expr_reads(reduce, place->var) == 0;
    return is_own ? place->var
                  : tir_var_create(summer->tir, summer->function, VAR_TEMP, NULL, reduce->type,
                                   set->span);
}

static TirExpr *nothing_of(Tir *tir, Root root, Span span) {
    return root == ROOT_REAL  ? tir_const_real(tir, -0.0, span)
           : root == ROOT_INT ? tir_const_int(tir, 0, span)
                              : tir_const_uint(tir, 0, span);
}

// A loop over rows from `first` to `last`, `at_once` of them in each turn.
static void add_loop(const Summer *summer, TirBlock *out, TirVar *to, Narrowing *narrowing,
                     const TirExpr *reduce, uint32_t first, uint32_t last, uint32_t at_once) {
    Tir *tir = summer->tir;
    Span span = reduce->span;
    TirStmt *loop =
        tir_for(tir, out, summer->function, (int32_t)first, (int32_t)last, (int32_t)at_once, span);
    narrowing->counter = loop->for_loop.var;
    TirExpr *row = narrowing_value(narrowing, reduce->reduce.operand);
    TirExpr *value = tir_read(tir, to, span);
    for (uint32_t k = 0; k < at_once; k++) {
        TirExpr *term = row;
        TirExpr *at = tir_line(tir, tir_read(tir, loop->for_loop.var, span), 1, k, span);
        tir_replace(tir, &term, loop->for_loop.var, at);
        value = tir_map(tir, OP_ADD, reduce->type, value, term, NULL, span);
    }
    tir_set_var(tir, &loop->for_loop.body, to, value, span);
}

static void replace_sum(TirExpr **operand, void *data) {
    TirExpr *const *pair = data;
    if (*operand == pair[0]) {
        *operand = pair[1];
        return;
    }
    tir_visit_operands(*operand, replace_sum, data);
}

// False: the statement stays.
static bool sum_rows(TirStmt *set, TirBlock *out, void *data) {
    const Summer *summer = data;
    Tir *tir = summer->tir;
    Sum sum = {.count = 0};
    if (set->kind != STMT_SET) {
        return false;
    }
    find_sum(&set->set.value, &sum);
    if (!is_sum_of_rows(summer, &sum)) {
        return false;
    }
    const TirExpr *reduce = sum.reduce;
    uint32_t rows = reduce->reduce.operand->type->dims[0];
    TirVar counter = {.role = VAR_LOOP, .type = type_scalar(tir->types, ROOT_INT)}; // to ask with
    Narrowing narrowing = {.tir = tir, .rows = rows, .counter = &counter};
    if (narrowing_value(&narrowing, reduce->reduce.operand) == NULL) {
        return false;
    }
    TirVar *to = sum_var(summer, set, reduce);
    TirExpr *nothing = nothing_of(tir, reduce->type->root, reduce->span);
    tir_set_var(tir, out, to, tir_view(tir, reduce->type, nothing, NULL, set->span), set->span);
    uint32_t rest = rows % ROWS_AT_ONCE;
    add_loop(summer, out, to, &narrowing, reduce, 0, rows - rest, ROWS_AT_ONCE);
    if (rest > 0) {
        add_loop(summer, out, to, &narrowing, reduce, rows - rest, rows, 1);
    }
    tir_remark(tir, "sums", set->span, (Span){0}, "its rows are summed up %d at a time",
               ROWS_AT_ONCE);
    if (tir_sets_var(set, to)) {
        return true;
    }
    TirExpr *pair[] = {sum.reduce, tir_read(tir, to, set->span)};
    replace_sum(&set->set.value, pair);
    LIST_PUSH(tir->arena, out, set);
    return true;
}

void pass_sums(Tir *tir, TirFunction *function) {
    Summer summer = {tir, function};
    tir_rewrite_inner_first(tir, &function->body, sum_rows, &summer);
}
