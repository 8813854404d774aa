#include "tir/lanes_body.h"

#include "tir/same.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum { ADDITIONS_MOST = 64 }; // to one variable: each may be asked about all of them

static bool is_of_turn(const TirExpr *expr, const void *data) {
    const LanesBody *body = data;
    return expr->kind == EXPR_VAR &&
           (expr->var == body->counter || table_get(&body->written, expr->var) != NULL);
}

bool lanes_varies(const LanesBody *body, const TirExpr *expr) {
    return tir_any_expr(expr, is_of_turn, body);
}

static bool sum_growth(const LanesBody *body, const Interval *ranges, const TirExpr *expr,
                       int64_t *growth) {
    int64_t a, b;
    const TirExpr *left = expr->map.args[0];
    const TirExpr *right = expr->map.args[1];
    if (ranges != NULL && !interval_is_sum_within(ranges, expr)) {
        return false;
    }
    if (!lanes_growth(body, ranges, left, &a) || !lanes_growth(body, ranges, right, &b)) {
        return false;
    }
    if (expr->map.op == OP_ADD) {
        return !__builtin_add_overflow(a, b, growth);
    }
    if (expr->map.op == OP_SUB) {
        return !__builtin_sub_overflow(a, b, growth);
    }
    bool is_left = left->kind == EXPR_CONST;
    if (expr->map.op != OP_MUL || (!is_left && right->kind != EXPR_CONST)) {
        return false;
    }
    const TirExpr *factor = is_left ? left : right;
    int64_t times =
        factor->type->root == ROOT_INT ? factor->data[0].integer : (int64_t)factor->data[0].uint;
    return !__builtin_mul_overflow(is_left ? b : a, times, growth);
}

bool lanes_growth(const LanesBody *body, const Interval *ranges, const TirExpr *expr,
                  int64_t *growth) {
    *growth = 0;
    if (!lanes_varies(body, expr)) {
        return true;
    }
    if (expr->kind == EXPR_VAR) {
        const TirExpr *sum = table_get(&body->sums, expr->var);
        *growth = 1;
        return sum != NULL ? lanes_growth(body, ranges, sum, growth) : expr->var == body->counter;
    }
    if (expr->kind == EXPR_CONVERT) {
        const TirExpr *from = expr->operand;
        bool fits = root_is_integer(from->type->root) &&
                    (ranges == NULL ||
                     interval_is_within(interval_of(ranges, from), interval_all(expr->type->root)));
        return fits && lanes_growth(body, ranges, from, growth);
    }
    return expr->kind == EXPR_MAP && tir_op_arity(expr->map.op) == 2 &&
           sum_growth(body, ranges, expr, growth);
}

bool lanes_step(const LanesBody *body, const Interval *ranges, const TirExpr *view, int64_t *step) {
    const Type *from = view->view.operand->type;
    *step = 0;
    for (size_t k = 0; k < from->flat_rank; k++) {
        const TirAxis *axis = &view->view.axes[k];
        int64_t growth = 0;
        if (axis->index != NULL && !lanes_growth(body, ranges, axis->index, &growth)) {
            return false;
        }
        if (__builtin_mul_overflow(*step, (int64_t)from->dims[k], step) ||
            __builtin_add_overflow(*step, growth, step)) {
            return false;
        }
    }
    return true;
}

const TirVar *lanes_array(const TirExpr *view) {
    const TirExpr *array = tir_bottom(view->view.operand);
    return array->kind == EXPR_VAR ? array->var : NULL;
}

bool lanes_write_array(const LanesBody *body, const TirExpr *view) {
    const TirVar *array = lanes_array(view);
    return array != NULL && table_get(&body->written, array) != NULL;
}

bool lanes_gathers(const LanesBody *body, const TirExpr *view) {
    int64_t step;
    return !lanes_step(body, NULL, view, &step) || (step != 0 && step != 1);
}

// Also what a scalar is set to, where that is one expression.
static void note_var(Arena *arena, const TirStmt *stmt, TirVar *var, LanesBody *body) {
    if (table_get(&body->written, var) != NULL) {
        table_set(arena, &body->sums, var, NULL);
        return;
    }
    table_set(arena, &body->written, var, var);
    LIST_PUSH(arena, &body->all, var);
    if (type_is_scalar(var->type)) {
        LIST_PUSH(arena, &body->scalars, var);
        bool is_sum = stmt->kind == STMT_SET && !tir_var_is_global(var);
        table_set(arena, &body->sums, var, is_sum ? stmt->set.value : NULL);
    }
}

// Also the counters of inner loops.
static void note_written(Arena *arena, TirBlock *block, LanesBody *body, Table *counters) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_FOR) {
            table_set(arena, counters, stmt->for_loop.var, stmt->for_loop.var);
        } else {
            TirVar *var;
            for (size_t k = 0; (var = tir_stmt_written(stmt, k)) != NULL; k++) {
                note_var(arena, stmt, var, body);
            }
        }
        TirBlock *nested[2];
        size_t count = tir_stmt_blocks(stmt, nested);
        for (size_t k = 0; k < count; k++) {
            note_written(arena, nested[k], body, counters);
        }
    }
}

typedef struct SumTest {
    const LanesBody *body;
    const Table *counters;
    bool holds;
} SumTest;

static void test_sum(const TirExpr *expr, void *data) {
    SumTest *test = data;
    bool is_map = expr->kind == EXPR_MAP && tir_op_is_sum(expr->map.op);
    bool is_fixed = expr->kind == EXPR_VAR && table_get(&test->body->written, expr->var) == NULL &&
                    table_get(test->counters, expr->var) == NULL;
    test->holds = test->holds && expr->type->root == ROOT_INT && type_is_scalar(expr->type) &&
                  (is_map || is_fixed || expr->kind == EXPR_CONST);
    if (test->holds) {
        tir_read_operands(expr, test_sum, data);
    }
}

// A scalar, or an element whose place the body does not change.
static bool is_place_of_total(const LanesBody *body, const TirExpr *place) {
    if (place->kind == EXPR_VAR) {
        return type_is_scalar(place->type);
    }
    if (place->kind != EXPR_VIEW || !type_is_scalar(place->type) ||
        place->view.operand->kind != EXPR_VAR) {
        return false;
    }
    for (size_t k = 0; k < place->view.operand->type->flat_rank; k++) {
        const TirAxis *axis = &place->view.axes[k];
        if (axis->index != NULL && (!axis->unchecked || lanes_varies(body, axis->index))) {
            return false;
        }
    }
    return true;
}

// What is added to a scalar; NULL: the statement is not `s = s + e`.
static TirExpr *added(const LanesBody *body, const TirStmt *stmt) {
    if (stmt->kind != STMT_SET || stmt->set.value->kind != EXPR_MAP ||
        !is_place_of_total(body, stmt->set.place)) {
        return NULL;
    }
    const TirExpr *place = stmt->set.place;
    TirOp op = stmt->set.value->map.op;
    TirExpr *const *args = stmt->set.value->map.args;
    if (tir_op_is_sum(op) && tir_same_value(args[0], place)) {
        return args[1];
    }
    return (op == OP_ADD || op == OP_MUL) && tir_same_value(args[1], place) ? args[0] : NULL;
}

// How a variable is used in the body.
typedef struct VarUse {
    size_t reads, writes;
    LanesTotal total; // if it is one
} VarUse;

typedef struct VarUses {
    Arena *arena;
    const LanesBody *body;
    Table vars; // TirVar to its VarUse
    LIST_OF(TirStmt *) branches;
} VarUses;

static VarUse *var_use(VarUses *uses, const TirVar *var) {
    VarUse *found = table_get(&uses->vars, var);
    if (found == NULL) {
        found = ARENA_NEW(uses->arena, VarUse);
        found->total.var = var;
        table_set(uses->arena, &uses->vars, var, found);
    }
    return found;
}

static void note_read(const TirExpr *expr, void *data) {
    if (expr->kind == EXPR_VAR) {
        var_use(data, expr->var)->reads++;
    }
    tir_read_operands(expr, note_read, data);
}

static void note_vars(VarUses *uses, TirBlock *block, bool is_inside) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        tir_read_values(stmt, note_read, uses);
        const TirVar *var;
        for (size_t k = 0; (var = tir_stmt_written(stmt, k)) != NULL; k++) {
            var_use(uses, var)->writes++;
        }
        if (!is_inside && added(uses->body, stmt) != NULL) {
            VarUse *use = var_use(uses, tir_place_var(stmt->set.place));
            LIST_PUSH(uses->arena, &use->total.additions, stmt);
        }
        if (!is_inside && stmt->kind == STMT_IF) {
            LIST_PUSH(uses->arena, &uses->branches, stmt);
        }
        bool is_loop = stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE;
        TirBlock *nested[2];
        size_t count = tir_stmt_blocks(stmt, nested);
        for (size_t k = 0; k < count; k++) { // in the order of the text
            note_vars(uses, nested[k], is_inside || is_loop);
        }
    }
}

// Whether both are at the same variable place, so that they are one element or never are.
static bool have_same_indices(const TirExpr *a, const TirExpr *b) {
    bool is_same = true;
    for (size_t k = 0; a->kind == EXPR_VIEW && k < a->view.operand->type->flat_rank; k++) {
        const TirExpr *left = a->view.axes[k].index;
        const TirExpr *right = b->view.axes[k].index;
        is_same = is_same &&
                  (left == NULL || right == NULL ? left == right : tir_same_value(left, right));
    }
    return is_same;
}

// Products among sums of integers, which wrap around, are not worth their order.
static bool is_total(const VarUse *use) {
    size_t count = use->total.additions.count;
    TirStmt *const *additions = use->total.additions.items;
    size_t products = 0;
    bool is_same = true;
    for (size_t i = 0; i < count; i++) {
        products += additions[i]->set.value->map.op == OP_MUL;
        is_same = is_same && have_same_indices(additions[0]->set.place, additions[i]->set.place);
    }
    bool is_mixed = products > 0 && products < count;
    return count > 0 && count <= ADDITIONS_MOST && use->reads == count && use->writes == count &&
           is_same && (use->total.var->type->root == ROOT_REAL || !is_mixed);
}

// Whether nothing but the block that it is set in uses a scalar; what is compared is read once.
static bool is_kept(const VarUses *uses, const TirStmt *set, const TirVar *best) {
    if (!tir_sets_scalar(set)) {
        return false;
    }
    const VarUse *use = table_get(&uses->vars, set->set.place->var);
    return use->writes == 1 && use->reads == (set->set.place->var == best ? 1 : 0);
}

// Whether lanes without a turn can have a value that no record is (codegen/emit/masked_record.c).
static bool is_compared(TirOp op, Root root) {
    bool is_strict = op == OP_LT || op == OP_GT;
    return root == ROOT_REAL ? is_strict || op == OP_LE || op == OP_GE
                             : is_strict && root_is_integer(root);
}

static TirOp turned(TirOp op) {
    return op == OP_LT ? OP_GT : op == OP_GT ? OP_LT : op == OP_LE ? OP_GE : OP_LE;
}

// With the scalar on side `side` of the comparison as what is kept.
static bool is_record(const VarUses *uses, const TirStmt *branch, unsigned side,
                      LanesRecord *record) {
    const TirExpr *condition = branch->branch.condition;
    TirExpr *const *sides = condition->map.args;
    const TirBlock *then = &branch->branch.then;
    if (sides[side]->kind != EXPR_VAR) {
        return false;
    }
    record->best = sides[side]->var;
    record->value = sides[1 - side];
    record->op = side == 1 ? condition->map.op : turned(condition->map.op);
    bool has_best = false;
    for (size_t i = 0; i < then->count; i++) {
        if (!is_kept(uses, then->items[i], record->best)) {
            return false;
        }
        if (then->items[i]->set.place->var == record->best) {
            has_best = tir_same_value(then->items[i]->set.value, record->value);
        }
    }
    return has_best;
}

static void find_records(Arena *arena, const VarUses *uses, LanesBody *body) {
    for (size_t i = 0; i < uses->branches.count; i++) {
        TirStmt *branch = uses->branches.items[i];
        const TirExpr *condition = branch->branch.condition;
        LanesRecord record;
        if (branch->branch.otherwise.count > 0 || condition->kind != EXPR_MAP ||
            !is_compared(condition->map.op, condition->map.args[0]->type->root) ||
            (!is_record(uses, branch, 1, &record) && !is_record(uses, branch, 0, &record))) {
            continue;
        }
        LanesRecord *found = ARENA_NEW(arena, LanesRecord);
        *found = record;
        table_set(arena, &body->records, branch, found);
        for (size_t k = 0; k < branch->branch.then.count; k++) {
            TirVar *var = branch->branch.then.items[k]->set.place->var;
            table_set(arena, &body->kept, var, var);
        }
    }
}

static void find_what_goes_on(Arena *arena, TirBlock *block, LanesBody *body) {
    VarUses uses = {.arena = arena, .body = body};
    note_vars(&uses, block, false);
    for (size_t i = 0; i < body->all.count; i++) {
        VarUse *use = table_get(&uses.vars, body->all.items[i]);
        if (is_total(use)) {
            table_set(arena, &body->totals, use->total.var, &use->total);
        }
    }
    find_records(arena, &uses, body);
}

bool lanes_have_order(const LanesBody *body) {
    return body->totals.count > 0 || body->records.count > 0;
}

TirExpr *lanes_total_term(const LanesBody *body, const TirStmt *stmt) {
    TirExpr *term = added(body, stmt);
    bool is_one = term != NULL && table_get(&body->totals, tir_place_var(stmt->set.place)) != NULL;
    return is_one ? term : NULL;
}

LanesBody lanes_body(Arena *arena, TirStmt *loop) {
    LanesBody body = {.counter = loop->for_loop.var};
    Table counters = {0};
    note_written(arena, &loop->for_loop.body, &body, &counters);
    for (size_t i = 0; i < body.scalars.count; i++) {
        const TirVar *var = body.scalars.items[i];
        SumTest test = {&body, &counters, table_get(&body.sums, var) != NULL};
        if (test.holds) {
            test_sum(table_get(&body.sums, var), &test);
        }
        if (!test.holds) {
            table_set(arena, &body.sums, var, NULL);
        }
    }
    find_what_goes_on(arena, &loop->for_loop.body, &body);
    return body;
}
