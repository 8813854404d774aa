// Makes every `set` safe to execute element by element in any order, and arguments and results of
// calls safe to pass by reference; takes away a temporary that is used only by the next statement,
// which copies all of it. Copies from one variable of the source to another stay. Needs what
// pass_hoist leaves for array arguments; leaves valid TIR.
//
// The analysis looks at one statement (and the copy that follows it) at a time. A value conflicts
// with the place that it is written to when some element of it reads a scalar of the place that
// another element overwrites. View indices are computed before any element and never conflict.
#include "tir/passes/passes.h"

#include "support/bug.h"

typedef struct Uses {
    uint32_t reads;
    uint32_t writes;
} Uses;

typedef struct Aliaser {
    Tir *tir;
    TirFunction *function;
    Uses *uses; // by variable id, for those that the function had when the pass began
    size_t use_count;
} Aliaser;

// Counting reads and writes of local variables.

static void count_reads(const TirExpr *expr, void *data) {
    Aliaser *aliaser = data;
    if (expr->kind == EXPR_VAR && !tir_var_is_global(expr->var)) {
        aliaser->uses[expr->var->id].reads++;
    }
    tir_read_operands(expr, count_reads, data);
}

static void count_write(Aliaser *aliaser, const TirVar *var) {
    if (var != NULL && !tir_var_is_global(var)) {
        aliaser->uses[var->id].writes++;
    }
}

static void count_block(Aliaser *aliaser, TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_SET && stmt->set.place->kind == EXPR_VAR) {
            count_write(aliaser, stmt->set.place->var);
            count_reads(stmt->set.value, aliaser);
        } else {
            // A partial write counts as a read too: it keeps what it does not write.
            tir_read_exprs(stmt, count_reads, aliaser);
        }
        if (stmt->kind == STMT_CALL) {
            count_write(aliaser, stmt->call.result);
        } else if (stmt->kind == STMT_INPUT) {
            count_write(aliaser, stmt->input.var);
        }
        TirBlock *nested[2];
        size_t count = tir_stmt_blocks(stmt, nested);
        for (size_t k = 0; k < count; k++) {
            count_block(aliaser, nested[k]);
        }
    }
}

// Comparing index maps.

// Two views with an index on the same dim have the same elements or none in common: which of it is
// known when the program runs, and no matter here.
static bool same_axis(const TirAxis *a, const TirAxis *b) {
    return (a->index == NULL) == (b->index == NULL) && a->axis == b->axis && a->start == b->start &&
           a->step == b->step;
}

// Whether element (i0, i1, ...) of `b`, of the same flat dims, is element (i0, i1, ...) of `a`, or
// none of `a` at all. `a` is a place.
static bool same_map(const TirExpr *a, const TirExpr *b) {
    if (a->kind != b->kind || !type_same_dims(a->type, b->type)) {
        return false;
    }
    if (a->kind == EXPR_VAR) {
        return a->var == b->var;
    }
    if (a->kind == EXPR_RESHAPE) {
        return same_map(a->operand, b->operand);
    }
    CHECK(a->kind == EXPR_VIEW); // places consist of variables, reshapes and views
    if (!same_map(a->view.operand, b->view.operand)) {
        return false;
    }
    for (size_t i = 0; i < a->view.operand->type->flat_rank; i++) {
        if (!same_axis(&a->view.axes[i], &b->view.axes[i])) {
            return false;
        }
    }
    return true;
}

// The positions of a dim that a view reaches: low, low + stride, ..., high.
typedef struct Positions {
    int64_t low, high, stride; // stride is 0 for a single one
} Positions;

static Positions axis_positions(const TirExpr *view, const TirAxis *axis) {
    if (axis->axis < 0) {
        return (Positions){axis->start, axis->start, 0};
    }
    int64_t last = axis->start + axis->step * ((int64_t)view->type->dims[axis->axis] - 1);
    return axis->step < 0 ? (Positions){last, axis->start, -axis->step}
                          : (Positions){axis->start, last, axis->step};
}

static int64_t greatest_divisor(int64_t a, int64_t b) {
    while (b != 0) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static bool positions_disjoint(Positions a, Positions b) {
    if (a.high < b.low || b.high < a.low) {
        return true;
    }
    int64_t divisor = greatest_divisor(a.stride, b.stride);
    return divisor > 1 && (a.low - b.low) % divisor != 0;
}

// Whether two views of one variable have no scalar in common; false when that is not plain to see.
static bool views_disjoint(const TirExpr *a, const TirExpr *b) {
    if (a->kind != EXPR_VIEW || b->kind != EXPR_VIEW || a->view.operand->kind != EXPR_VAR ||
        b->view.operand->kind != EXPR_VAR) {
        return false;
    }
    for (size_t i = 0; i < a->view.operand->type->flat_rank; i++) {
        const TirAxis *x = &a->view.axes[i];
        const TirAxis *y = &b->view.axes[i];
        if (x->index == NULL && y->index == NULL &&
            positions_disjoint(axis_positions(a, x), axis_positions(b, y))) {
            return true;
        }
    }
    return false;
}

// Conflicts.

// `aligned`: element (i0, i1, ...) of the value needs this element of expr only.
static bool expr_conflicts(const TirExpr *place, const TirExpr *expr, bool aligned) {
    switch (expr->kind) {
    case EXPR_CONST:
    case EXPR_IOTA: return false;
    case EXPR_VAR: return expr->var == tir_place_var(place) && !(aligned && same_map(place, expr));
    case EXPR_VIEW:
    case EXPR_RESHAPE:
        if (aligned && same_map(place, expr)) {
            return false;
        }
        if (expr->kind == EXPR_VIEW) {
            return expr_conflicts(place, expr->view.operand, false) && !views_disjoint(place, expr);
        }
        return expr_conflicts(place, expr->operand,
                              aligned && type_same_dims(expr->type, expr->operand->type));
    case EXPR_MAP:
        for (unsigned i = 0; i < tir_op_arity(expr->map.op); i++) {
            if (expr_conflicts(place, expr->map.args[i], aligned)) {
                return true;
            }
        }
        return false;
    case EXPR_CONVERT: return expr_conflicts(place, expr->operand, aligned);
    case EXPR_CUMSUM: return expr_conflicts(place, expr->operand, false);
    case EXPR_LITERAL:
        for (size_t i = 0; i < expr->literal.count; i++) {
            if (expr_conflicts(place, expr->literal.items[i], false)) {
                return true;
            }
        }
        return false;
    case EXPR_CONCAT:
        for (size_t i = 0; i < expr->concat.count; i++) {
            if (expr_conflicts(place, expr->concat.items[i], false)) {
                return true;
            }
        }
        return false;
    case EXPR_REDUCE: return expr_conflicts(place, expr->reduce.operand, false);
    case EXPR_DOT:
        return expr_conflicts(place, expr->dot.left, false) ||
               expr_conflicts(place, expr->dot.right, false);
    }
    UNREACHABLE();
}

// A single scalar is complete before it is stored, whatever it reads.
static bool set_conflicts(const TirExpr *place, const TirExpr *value) {
    return place->type->numel > 1 && expr_conflicts(place, value, true);
}

// Statements.

static TirVar *new_temp(Aliaser *aliaser, const Type *type, Span span) {
    return tir_var_create(aliaser->tir, aliaser->function, VAR_TEMP, NULL, type, span);
}

static void emit_set(Aliaser *aliaser, TirBlock *out, TirStmt *stmt) {
    if (set_conflicts(stmt->set.place, stmt->set.value)) {
        Tir *tir = aliaser->tir;
        TirExpr *value = stmt->set.value;
        TirVar *temp = new_temp(aliaser, value->type, stmt->span);
        tir_set(tir, out, tir_read(tir, temp, value->span), value, stmt->span);
        stmt->set.value = tir_read(tir, temp, value->span);
    }
    LIST_PUSH(aliaser->tir->arena, out, stmt);
}

typedef struct ReadSearch {
    const TirVar *var;
    bool found;
} ReadSearch;

static void search_read(const TirExpr *expr, void *data) {
    ReadSearch *search = data;
    search->found |= expr->kind == EXPR_VAR && expr->var == search->var;
    if (!search->found) {
        tir_read_operands(expr, search_read, data);
    }
}

// Whether the variable can stand for the call's result while the callee runs.
static bool result_is_safe(TirStmt *call, const TirVar *var) {
    const TirFunction *callee = call->call.function;
    if (tir_var_is_global(var) && (callee->reads_globals || callee->writes_globals)) {
        return false;
    }
    ReadSearch search = {.var = var};
    tir_read_exprs(call, search_read, &search);
    return !search.found;
}

static bool argument_is_safe(const TirExpr *arg, const TirFunction *callee) {
    return type_is_scalar(arg->type) || arg->kind == EXPR_CONST ||
           (arg->kind == EXPR_VAR && !(tir_var_is_global(arg->var) && callee->writes_globals));
}

static void emit_call(Aliaser *aliaser, TirBlock *out, TirStmt *stmt) {
    Tir *tir = aliaser->tir;
    for (size_t i = 0; i < stmt->call.arg_count; i++) {
        TirExpr *arg = stmt->call.args[i];
        if (!argument_is_safe(arg, stmt->call.function)) {
            TirVar *temp = new_temp(aliaser, arg->type, arg->span);
            tir_set(tir, out, tir_read(tir, temp, arg->span), arg, arg->span);
            stmt->call.args[i] = tir_read(tir, temp, arg->span);
        }
    }
    LIST_PUSH(tir->arena, out, stmt);
    TirVar *result = stmt->call.result;
    if (result != NULL && !result_is_safe(stmt, result)) {
        TirVar *temp = new_temp(aliaser, result->type, stmt->span);
        stmt->call.result = temp;
        tir_set(tir, out, tir_read(tir, result, stmt->span), tir_read(tir, temp, stmt->span),
                stmt->span);
    }
}

static const TirExpr *skip_levels(const TirExpr *expr) {
    while (expr->kind == EXPR_RESHAPE && type_same_dims(expr->type, expr->operand->type)) {
        expr = expr->operand;
    }
    return expr;
}

// Whether `stmt` copies the whole of `temp`, which has no other use.
static bool copies_temp(const Aliaser *aliaser, const TirStmt *stmt, const TirVar *temp) {
    if (temp == NULL || temp->role != VAR_TEMP || temp->id >= aliaser->use_count ||
        aliaser->uses[temp->id].reads != 1 || aliaser->uses[temp->id].writes != 1 ||
        stmt->kind != STMT_SET) {
        return false;
    }
    const TirExpr *value = skip_levels(stmt->set.value);
    return value->kind == EXPR_VAR && value->var == temp;
}

// Whether `next` makes `stmt` needless by taking over its value.
static bool merge_set(const Aliaser *aliaser, const TirStmt *stmt, TirStmt *next) {
    if (stmt->set.place->kind != EXPR_VAR || !copies_temp(aliaser, next, stmt->set.place->var) ||
        set_conflicts(next->set.place, stmt->set.value)) {
        return false;
    }
    next->set.value = stmt->set.value;
    return true;
}

// Whether the call takes over `next`, which copied its result.
static bool merge_call(const Aliaser *aliaser, TirStmt *call, const TirStmt *next) {
    const TirVar *temp = call->call.result;
    if (!copies_temp(aliaser, next, temp) || next->set.place->kind != EXPR_VAR) {
        return false;
    }
    TirVar *var = next->set.place->var;
    if (var->type != temp->type || !result_is_safe(call, var)) {
        return false;
    }
    call->call.result = var;
    return true;
}

static void alias_block(Aliaser *aliaser, TirBlock *block) {
    TirBlock out = {0};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        bool has_next = i + 1 < block->count;
        if (stmt->kind == STMT_SET) {
            if (!has_next || !merge_set(aliaser, stmt, block->items[i + 1])) {
                emit_set(aliaser, &out, stmt);
            }
            continue;
        }
        if (stmt->kind == STMT_CALL) {
            i += has_next && merge_call(aliaser, stmt, block->items[i + 1]);
            emit_call(aliaser, &out, stmt);
            continue;
        }
        TirBlock *nested[2];
        size_t count = tir_stmt_blocks(stmt, nested);
        for (size_t k = 0; k < count; k++) {
            alias_block(aliaser, nested[k]);
        }
        LIST_PUSH(aliaser->tir->arena, &out, stmt);
    }
    *block = out;
}

void pass_alias(Tir *tir, TirProgram *program) {
    for (size_t i = 0; i < program->functions.count; i++) {
        TirFunction *function = program->functions.items[i];
        Aliaser aliaser = {.tir = tir,
                           .function = function,
                           .uses = ARENA_ARRAY(tir->arena, Uses, function->vars.count),
                           .use_count = function->vars.count};
        count_block(&aliaser, &function->body);
        alias_block(&aliaser, &function->body);
    }
}
