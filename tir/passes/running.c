// Runs sums down the columns of a matrix row by row, in the order in which it lies, instead of
// turning it, summing up its rows and turning that.
//
//     y = cumsum(x')'            y[0] = x[0]
//                                for r = 1:100:
//                                    y[r] = y[r - 1] + x[r]
//
// Each sum has the same terms in the same order; -0.0 + x is x for every x. Of short rows the sums
// so far are a variable, which is in registers: a row of 17 that is read back takes twice the time.
#include "tir/passes/passes.h"

#include "tir/narrow.h"
#include "tir/remark.h"
#include "tir/replace.h"
#include "tir/rewrite.h"
#include "tir/uses.h"
#include "tir/visit.h"
#include "types/memory.h"

enum { SHORT_ROW = 256 }; // bytes

typedef struct Runner {
    Tir *tir;
    TirFunction *function;
    TirStmt *set; // the statement at hand
    TirBlock *out;
} Runner;

static bool turns(const TirExpr *expr) {
    if (expr->kind != EXPR_VIEW || expr->type->flat_rank != 2 ||
        expr->view.operand->type->flat_rank != 2) {
        return false;
    }
    for (int32_t k = 0; k < 2; k++) {
        const TirAxis *axis = &expr->view.axes[k];
        if (axis->index != NULL || axis->axis != 1 - k || axis->start != 0 || axis->step != 1) {
            return false;
        }
    }
    return expr->type->numel == expr->view.operand->type->numel;
}

static TirExpr *turned(const Runner *runner, TirExpr *expr, const Type *type) {
    TirAxis axes[] = {{.axis = 1, .step = 1}, {.axis = 0, .step = 1}};
    return tir_view(runner->tir, type, expr, axes, expr->span);
}

// Where the sums are: the place itself where they are all of its value.
static TirVar *sums_var(const Runner *runner, const TirExpr *sums) {
    const TirExpr *place = runner->set->set.place;
    bool is_own = runner->set->set.value == sums && place->kind == EXPR_VAR &&
                  tir_expr_reads(sums, place->var) == 0;
    return is_own ? place->var
                  : tir_var_create(runner->tir, runner->function, VAR_TEMP, NULL, sums->type,
                                   sums->span);
}

// Row `at` of a variable.
static TirExpr *row_of(const Runner *runner, const Narrowing *narrowing, TirVar *var, TirExpr *at) {
    TirExpr *row = narrowing_var(narrowing, var, at->span);
    tir_replace(runner->tir, &row, narrowing->counter, at);
    return row;
}

// The sums so far; NULL: they are read where they were written.
static TirVar *row_var(const Runner *runner, const TirExpr *term, uint32_t rows) {
    bool is_short = rows > 1 && type_bytes(term->type, runner->tir->single) <= SHORT_ROW;
    return is_short ? tir_var_create(runner->tir, runner->function, VAR_TEMP, NULL, term->type,
                                     term->span)
                    : NULL;
}

// A row of sums, where they are kept too.
static void set_row(const Runner *runner, TirBlock *block, TirVar *kept, TirExpr *row,
                    TirExpr *sums) {
    Tir *tir = runner->tir;
    Span span = sums->span;
    if (kept != NULL) {
        tir_set_var(tir, block, kept, sums, span);
        sums = tir_read(tir, kept, span);
    }
    tir_set(tir, block, row, sums, span);
}

static void run_rows(const Runner *runner, TirExpr *sums, TirExpr *terms, TirVar *to) {
    Tir *tir = runner->tir;
    Span span = sums->span;
    uint32_t rows = sums->type->dims[0];
    TirBlock after = {0};
    TirStmt *loop = tir_for(tir, &after, runner->function, 1, (int32_t)rows, 1, span);
    TirVar *counter = loop->for_loop.var;
    Narrowing narrowing = {.tir = tir, .rows = rows, .counter = counter};
    TirExpr *term = narrowing_value(&narrowing, terms);
    TirExpr *first = term;
    TirExpr *zero = tir_const_int(tir, 0, span);
    tir_replace(tir, &first, counter, zero);
    TirVar *kept = row_var(runner, term, rows);
    set_row(runner, runner->out, kept, row_of(runner, &narrowing, to, zero), first);
    if (rows > 1) {
        TirExpr *here = tir_read(tir, counter, span);
        TirExpr *before = kept != NULL
                              ? tir_read(tir, kept, span)
                              : row_of(runner, &narrowing, to, tir_line(tir, here, 1, -1, span));
        TirExpr *next = tir_map(tir, OP_ADD, term->type, before, term, NULL, span);
        set_row(runner, &loop->for_loop.body, kept, row_of(runner, &narrowing, to, here), next);
        LIST_PUSH(tir->arena, runner->out, loop);
    }
    tir_remark(tir, "running", span, (Span){0}, "its sums run down the columns, row by row");
}

static bool has_rows(const Runner *runner, TirExpr *terms) {
    TirVar counter = {.role = VAR_LOOP, .type = type_scalar(runner->tir->types, ROOT_INT)};
    Narrowing narrowing = {
        .tir = runner->tir, .rows = terms->type->dims[0], .counter = &counter}; // to ask with
    return !tir_may_trap(terms) && narrowing_value(&narrowing, terms) != NULL;
}

static bool runs_down(const TirExpr *expr, const void *data) {
    (void)data;
    return turns(expr) && expr->view.operand->kind == EXPR_CUMSUM;
}

// In copies of the nodes around them, as others may share these.
static void run_sums(TirExpr **operand, void *data) {
    const Runner *runner = data;
    TirExpr *expr = *operand;
    if (!runs_down(expr, NULL)) {
        *operand = tir_copy_node(runner->tir, expr);
        tir_visit_operands(*operand, run_sums, data);
        return;
    }
    TirExpr *terms = turned(runner, expr->view.operand->operand, expr->type);
    if (has_rows(runner, terms)) {
        TirVar *to = sums_var(runner, expr);
        run_rows(runner, expr, terms, to);
        *operand = tir_read(runner->tir, to, expr->span);
    }
}

static bool copies_itself(const TirStmt *set) {
    const TirExpr *place = set->set.place;
    const TirExpr *value = set->set.value;
    return place->kind == EXPR_VAR && value->kind == EXPR_VAR && place->var == value->var;
}

static bool run_set(TirStmt *stmt, TirBlock *out, void *data) {
    Runner *runner = data;
    if (stmt->kind != STMT_SET || !tir_any_expr(stmt->set.value, runs_down, NULL)) {
        return false;
    }
    runner->set = stmt;
    runner->out = out;
    run_sums(&stmt->set.value, runner);
    return copies_itself(stmt);
}

void pass_running(Tir *tir, TirFunction *function) {
    Runner runner = {.tir = tir, .function = function};
    tir_rewrite_inner_first(tir, &function->body, run_set, &runner);
}
