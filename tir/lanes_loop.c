// The test looks at a loop that counts up by 1, and refuses what it does not know. It lets pass
//
// - assignments to scalars that belong to a turn: the body writes them before it reads them, and
//   nothing outside of the body uses them;
// - additions to scalars that the body does not use elsewhere, as their terms do not depend on the
//   turns before; and branches that keep the greatest or the least of what turns have;
// - assignments to single elements of arrays, at the loop's variable plus a constant in one dim and
//   at what is the same in all turns in the others. Where an array is written, it is read only at
//   the same place of that dim: no two turns touch one scalar, and their order does not matter;
// - `if`, `while`, inner `for` with bounds that are the same in all turns, `break` and `continue`
//   of these, and `continue` of the loop itself;
// - expressions of scalars that neither trap nor call the C library, with elements that lie side by
//   side or are the same in all turns, and inside of their arrays in all turns, below conditions
//   also where these do not hold; other elements, which are gathered; and sums, products and
//   extremes of such expressions.
#include "tir/lanes_loop.h"

#include "support/bug.h"
#include "tir/lanes_rows.h"
#include "tir/visit.h"

typedef struct LaneVar {
    bool has_value;   // of a scalar: written on every path to the statement at hand
    uint32_t uses;    // in the body
    bool has_place;   // of an array: the following is known
    int64_t place;    // what is added to the loop's variable
    size_t dim;       // in which dim
    const Type *type; // the dims that it has there
} LaneVar;

// In which turns something is computed.
typedef enum Reach {
    REACH_ALL,
    REACH_ACTIVE, // those that come to the statement, which vectors know
    REACH_SOME,   // of these
} Reach;

typedef struct Test {
    Arena *arena;
    const char *why; // the first obstacle
    const uint32_t *uses;
    Interval *ranges;
    LanesBody body;
    Table vars; // TirVar to LaneVar: those that are written, and variables of inner loops
    struct {
        LaneVar **items;
        size_t count, capacity;
    } valued;             // those with a value, in the order in which they got it
    unsigned inner_loops; // around the statement at hand
    Reach reach;          // of what is at hand
} Test;

static void refuse(Test *test, const char *why) {
    if (test->why == NULL) {
        test->why = why;
    }
}

static LaneVar *lane_var(Test *test, const TirVar *var) {
    LaneVar *found = table_get(&test->vars, var);
    if (found == NULL) {
        found = ARENA_NEW(test->arena, LaneVar);
        table_set(test->arena, &test->vars, var, found);
    }
    return found;
}

static void note_use(const TirExpr *expr, void *data) {
    Test *test = data;
    if (expr->kind == EXPR_VAR && table_get(&test->body.written, expr->var) != NULL) {
        lane_var(test, expr->var)->uses++;
    }
    tir_read_operands(expr, note_use, data);
}

static void test_expr(const TirExpr *expr, void *data);

// The constant c where an index is the loop's variable plus c.
static bool place_of(const Test *test, const TirExpr *index, int64_t *place) {
    const TirVar *var = tir_index_var(index, place);
    if (var == NULL) {
        return false;
    }
    const TirExpr *sum = table_get(&test->body.sums, var);
    if (sum == NULL) {
        return var == test->body.counter;
    }
    int64_t more;
    if (!place_of(test, sum, &more)) {
        return false;
    }
    *place += more;
    return true;
}

// Of an array that is written: at the loop's variable plus a constant in one dim, which are the
// same wherever it is read and written; and at what is the same in all turns in the others.
static void test_written_array(Test *test, const TirExpr *view) {
    const Type *type = view->view.operand->type;
    LaneVar *seen = lane_var(test, lanes_array(view));
    size_t moving = 0;
    for (size_t k = 0; k < type->flat_rank; k++) {
        const TirExpr *index = view->view.axes[k].index;
        int64_t place;
        if (index == NULL || !lanes_varies(&test->body, index)) {
            continue;
        }
        if (moving++ > 0 || !place_of(test, index, &place)) {
            moving = 0;
            break;
        }
        if (seen->has_place && (seen->place != place || seen->dim != k || seen->type != type)) {
            refuse(test, "an array is written and read at different elements");
        }
        seen->has_place = true;
        seen->place = place;
        seen->dim = k;
        seen->type = type;
    }
    if (moving == 0) {
        refuse(test, "an array is written, and not always at the loop's variable in one dim");
    }
}

static void test_element(Test *test, const TirExpr *view) {
    const TirExpr *operand = view->view.operand;
    const Type *from = operand->type;
    bool is_reshaped = operand->kind == EXPR_RESHAPE && operand->operand->kind == EXPR_VAR;
    if (operand->kind != EXPR_VAR && operand->kind != EXPR_CONST && !is_reshaped) {
        refuse(test, "an element of a view");
        return;
    }
    bool is_gathered = lanes_gathers(&test->body, view);
    bool is_written = lanes_write_array(&test->body, view);
    int64_t step = 0;
    if (is_gathered ? view->type->root == ROOT_BOOL
                    : !lanes_step(&test->body, test->ranges, view, &step)) {
        refuse(test, "elements that do not lie side by side");
    }
    bool has_mask = test->reach == REACH_ACTIVE && step == 1 && view->type->root != ROOT_BOOL;
    bool is_free = is_gathered || has_mask || test->reach == REACH_ALL; // but where it is reached
    for (size_t k = 0; k < from->flat_rank; k++) {
        const TirAxis *axis = &view->view.axes[k];
        if (axis->index == NULL) {
            continue;
        }
        test_expr(axis->index, test);
        Interval inside = {0, (int64_t)from->dims[k] - 1};
        bool is_inside = interval_is_within(interval_of(test->ranges, axis->index), inside);
        if (!is_inside && !(is_free && axis->unchecked)) {
            refuse(test, "an index that may be outside in some lane");
        }
    }
    if (is_written) {
        test_written_array(test, view);
    }
}

static void test_read(Test *test, const TirVar *var) {
    const LaneVar *seen = table_get(&test->vars, var);
    if (seen != NULL && !seen->has_value) {
        refuse(test, "a value goes from one turn to the next");
    }
}

static bool is_call(const TirExpr *map) {
    bool is_fmod = map->map.op == OP_REM && map->type->root == ROOT_REAL;
    return is_fmod || tir_op_is_function(map->map.op);
}

// Terms that are scalars, of a sum.
static void test_terms(Test *test, const TirExpr *terms) {
    if (terms->kind == EXPR_LITERAL) {
        tir_read_operands(terms, test_expr, test);
    } else {
        refuse(test, "an expression of arrays");
    }
}

// What follows is computed in no more turns than that, until what is returned is put back.
static Reach enter(Test *test, Reach reach) {
    Reach before = test->reach;
    test->reach = reach > before ? reach : before;
    return before;
}

static void test_expr(const TirExpr *expr, void *data) {
    Test *test = data;
    if (!type_is_scalar(expr->type)) {
        refuse(test, "an array as a whole");
        return;
    }
    switch (expr->kind) {
    case EXPR_CONST: return;
    case EXPR_VAR: test_read(test, expr->var); return;
    case EXPR_VIEW: test_element(test, expr); return;
    case EXPR_MAP:
        if (is_call(expr)) {
            refuse(test, "a function of the C library");
        }
        if (tir_node_may_trap(expr)) {
            refuse(test, "a division that may trap");
        }
        if (tir_is_short_circuit(expr)) {
            test_expr(expr->map.args[0], test);
            Reach before = enter(test, REACH_SOME);
            test_expr(expr->map.args[1], test);
            test->reach = before;
            return;
        }
        tir_read_operands(expr, test_expr, test);
        return;
    case EXPR_CONVERT: test_expr(expr->operand, test); return;
    case EXPR_RESHAPE:
    case EXPR_LITERAL:
    case EXPR_CONCAT:
    case EXPR_CUMSUM:
    case EXPR_IOTA: refuse(test, "an expression of arrays"); return;
    case EXPR_REDUCE: test_terms(test, expr->reduce.operand); return;
    case EXPR_DOT:
        test_terms(test, expr->dot.left);
        test_terms(test, expr->dot.right);
        return;
    }
    UNREACHABLE();
}

static void test_block(Test *test, const TirBlock *block);

static void give_value(Test *test, LaneVar *var) {
    if (!var->has_value) {
        var->has_value = true;
        LIST_PUSH(test->arena, &test->valued, var);
    }
}

// Forgets the values given since `mark`.
static void take_values(Test *test, size_t mark) {
    while (test->valued.count > mark) {
        test->valued.items[--test->valued.count]->has_value = false;
    }
}

static void test_scalar_place(Test *test, const TirVar *var) {
    const TirExpr *sum = table_get(&test->body.sums, var);
    if (sum != NULL) { // put back by lanes_loop_obstacle
        test->ranges[var->id] = interval_of(test->ranges, sum);
    }
    LaneVar *seen = lane_var(test, var);
    if (!tir_var_is_local(var) || seen->uses != test->uses[var->id]) {
        refuse(test, "a scalar is used outside of the loop");
    }
    give_value(test, seen);
}

// It is read and written whatever conditions hold.
static void test_place_of_total(Test *test, const TirExpr *place) {
    for (size_t k = 0; place->kind == EXPR_VIEW && k < place->view.operand->type->flat_rank; k++) {
        const TirExpr *index = place->view.axes[k].index;
        Interval inside = {0, (int64_t)place->view.operand->type->dims[k] - 1};
        if (index != NULL) {
            test_expr(index, test);
        }
        if (index != NULL && !interval_is_within(interval_of(test->ranges, index), inside)) {
            refuse(test, "an index that may be outside in some lane");
        }
    }
}

static void test_set(Test *test, const TirStmt *stmt) {
    const TirExpr *place = stmt->set.place;
    const TirExpr *term = lanes_total_term(&test->body, stmt);
    if (term != NULL) {
        test_expr(term, test);
        test_place_of_total(test, place);
        return;
    }
    test_expr(stmt->set.value, test);
    if (!type_is_scalar(place->type)) {
        refuse(test, "an array is written as a whole");
    } else if (place->kind == EXPR_VAR) {
        test_scalar_place(test, place->var);
    } else if (place->kind == EXPR_VIEW) {
        test_element(test, place);
    } else {
        refuse(test, "a place that is reshaped");
    }
}

static bool ends_in_jump(const TirBlock *block) {
    if (block->count == 0) {
        return false;
    }
    TirStmtKind last = block->items[block->count - 1]->kind;
    return last == STMT_BREAK || last == STMT_CONTINUE;
}

static void test_record(Test *test, const TirStmt *stmt, const LanesRecord *record) {
    test_expr(record->value, test);
    for (size_t i = 0; i < stmt->branch.then.count; i++) {
        test_expr(stmt->branch.then.items[i]->set.value, test);
    }
}

// Afterwards those have a value to which both branches give one, or the one from which it goes on.
static void test_branches(Test *test, const TirStmt *stmt) {
    size_t mark = test->valued.count;
    test_block(test, &stmt->branch.then);
    size_t count = test->valued.count - mark;
    LaneVar **then = ARENA_ARRAY(test->arena, LaneVar *, count + 1);
    for (size_t i = 0; i < count; i++) {
        then[i] = test->valued.items[mark + i];
    }
    take_values(test, mark);
    test_block(test, &stmt->branch.otherwise);
    if (ends_in_jump(&stmt->branch.then)) {
        return;
    }
    bool goes_on = !ends_in_jump(&stmt->branch.otherwise);
    size_t both = 0;
    for (size_t i = 0; i < count; i++) {
        if (!goes_on || then[i]->has_value) {
            then[both++] = then[i];
        }
    }
    take_values(test, mark);
    for (size_t i = 0; i < both; i++) {
        give_value(test, then[i]);
    }
}

static void test_if(Test *test, const TirStmt *stmt) {
    const LanesRecord *record = table_get(&test->body.records, stmt);
    if (record == NULL) {
        test_expr(stmt->branch.condition, test);
    }
    Reach before = enter(test, record != NULL ? REACH_SOME : REACH_ACTIVE);
    if (record != NULL) {
        test_record(test, stmt, record);
    } else {
        test_branches(test, stmt);
    }
    test->reach = before;
}

// The body of an inner loop may not run at all.
static void test_inner_body(Test *test, const TirBlock *body) {
    size_t mark = test->valued.count;
    Reach before = enter(test, REACH_ACTIVE);
    test->inner_loops++;
    test_block(test, body);
    test->inner_loops--;
    test->reach = before;
    take_values(test, mark);
}

// Turns that have left the loop do not come to what is before its condition again.
static void test_while(Test *test, const TirStmt *stmt) {
    Reach before = enter(test, REACH_SOME);
    test_block(test, &stmt->while_loop.before);
    test_expr(stmt->while_loop.condition, test);
    test_inner_body(test, &stmt->while_loop.body);
    test->reach = before;
}

static void test_inner_for(Test *test, const TirStmt *stmt) {
    test_expr(stmt->for_loop.first, test);
    test_expr(stmt->for_loop.last, test);
    test_expr(stmt->for_loop.step, test);
    Interval step = interval_of(test->ranges, stmt->for_loop.step);
    if (lanes_varies(&test->body, stmt->for_loop.first) ||
        lanes_varies(&test->body, stmt->for_loop.last) || !interval_is_exact(step) ||
        step.least == 0 || stmt->for_loop.step->kind != EXPR_CONST) {
        refuse(test, "an inner loop whose bounds differ from turn to turn");
    }
    uint32_t counter = stmt->for_loop.var->id;
    Interval before = test->ranges[counter];
    test->ranges[counter] = interval_of_loop(test->ranges, stmt, NULL);
    test_inner_body(test, &stmt->for_loop.body);
    test->ranges[counter] = before;
}

static void test_stmt(Test *test, const TirStmt *stmt) {
    switch (stmt->kind) {
    case STMT_SET: test_set(test, stmt); return;
    case STMT_IF: test_if(test, stmt); return;
    case STMT_FOR: test_inner_for(test, stmt); return;
    case STMT_WHILE: test_while(test, stmt); return;
    case STMT_BREAK:
        if (test->inner_loops == 0) {
            refuse(test, "a break ends all later turns");
        }
        return;
    case STMT_CONTINUE: return;
    case STMT_RETURN: refuse(test, "a return ends all later turns"); return;
    case STMT_NEST:
    case STMT_CALL:
    case STMT_PRINT:
    case STMT_INPUT:
    case STMT_OUTPUT:
    case STMT_ASSERT: refuse(test, "an effect"); return;
    }
    UNREACHABLE();
}

// What follows a jump is never reached, and not looked at.
static void test_block(Test *test, const TirBlock *block) {
    for (size_t i = 0; i < block->count && test->why == NULL; i++) {
        test_stmt(test, block->items[i]);
    }
}

// Nothing is known beforehand of what the body writes.
const char *lanes_loop_obstacle(Arena *arena, const uint32_t *uses, Interval *ranges,
                                TirStmt *loop) {
    const TirExpr *step = loop->for_loop.step;
    if (step->kind != EXPR_CONST || step->data[0].integer != 1) {
        return "a step other than 1";
    }
    Test test = {.arena = arena,
                 .uses = uses,
                 .ranges = ranges,
                 .body = lanes_body(arena, loop),
                 .reach = tir_block_jumps(&loop->for_loop.body, STMT_CONTINUE) ? REACH_ACTIVE
                                                                               : REACH_ALL};
    tir_read_exprs_in(&loop->for_loop.body, note_use, &test);
    const TirVar **scalars = test.body.scalars.items;
    size_t count = test.body.scalars.count;
    Interval *before = ARENA_ARRAY(arena, Interval, count + 1);
    for (size_t i = 0; i < count; i++) {
        if (table_get(&test.body.sums, scalars[i]) != NULL) {
            before[i] = ranges[scalars[i]->id];
        }
    }
    test_block(&test, &loop->for_loop.body);
    for (size_t i = 0; i < count; i++) { // what test_scalar_place has put there
        if (table_get(&test.body.sums, scalars[i]) != NULL) {
            ranges[scalars[i]->id] = before[i];
        }
    }
    return test.why;
}

void lanes_loop_mark(Arena *arena, TirStmt *loop) {
    loop->for_loop.has_lanes = true;
    LanesBody body = lanes_body(arena, loop);
    loop->for_loop.in_order = lanes_have_order(&body);
}

static bool scatters_inside(Arena *arena, const LanesBody *body, TirBlock *block, bool is_inside) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        const TirExpr *place = stmt->kind == STMT_SET ? stmt->set.place : NULL;
        if (is_inside && place != NULL && place->kind == EXPR_VIEW && lanes_gathers(body, place)) {
            return true;
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            bool is_loop = stmt->kind == STMT_FOR;
            if (scatters_inside(arena, body, nested[k], is_inside || is_loop) &&
                !(is_loop && lanes_rows_recur(arena, body, stmt))) {
                return true;
            }
        }
    }
    return false;
}

bool lanes_are_for_loops_inside(Arena *arena, TirStmt *loop) {
    LanesBody body = lanes_body(arena, loop);
    return scatters_inside(arena, &body, &loop->for_loop.body, false);
}
