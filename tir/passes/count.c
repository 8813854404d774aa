// Makes `for` loops of `while` loops that count from one constant up to another:
//
//     k = 0                                   k = 0
//     while k < 9 and x > knots[k + 1]:       for i = 0:9:
//         k += 1                                  if not (x > knots[i + 1]): break
//     end                                         k = i + 1
//
// What is counted is then known to stay below the bound, so that indices need no check, it is the
// same in all turns of a loop around, and the loop may end up as a statement on arrays. Reads any
// valid TIR without nests and leaves such.
//
// Every turn of the new loop begins with the old variable at the new one's value; where it is read
// behind the loop, it still gets its values. A condition that stood before the bound is also
// evaluated when the bound is reached: so it must not trap.
#include "tir/passes/passes.h"

#include "tir/constant.h"
#include "tir/remark.h"
#include "tir/replace.h"
#include "tir/uses.h"
#include "tir/visit.h"

typedef struct Counter {
    Tir *tir;
    TirFunction *function;
    const TirUses *uses; // of the function's variables, before the pass
} Counter;

// What is known of one loop.
typedef struct Count {
    TirVar *var;
    int32_t first;
    int64_t step;   // at least 1
    TirExpr *bound; // of a `<`, or of a `<=`
    bool is_below;  // of a `<`
    TirExpr *rest;  // of the condition; NULL: there is none
    size_t at;      // of the body: the statement that counts
} Count;

// Of `var = var + constant`.
static bool counts(const TirStmt *stmt, const TirVar *var, int64_t *step) {
    if (!tir_sets_var(stmt, var) || stmt->set.value->kind != EXPR_MAP ||
        stmt->set.value->map.op != OP_ADD) {
        return false;
    }
    const TirExpr *left = stmt->set.value->map.args[0];
    const TirExpr *right = stmt->set.value->map.args[1];
    if (left->kind != EXPR_VAR || left->var != var || !constant_is_int(right)) {
        return false;
    }
    *step = right->data[0].integer;
    return *step >= 1;
}

// The one statement of the body that writes the variable, and that each turn comes to.
static bool find_step(const TirBlock *body, Count *count) {
    bool found = false;
    for (size_t i = 0; i < body->count; i++) {
        if (counts(body->items[i], count->var, &count->step) && !found) {
            found = true;
            count->at = i;
        } else if (tir_stmt_writes(body->items[i], count->var)) {
            return false;
        }
    }
    return found;
}

// Whether a `continue` leads around the statement that counts.
static bool skips_step(const TirBlock *body, const Count *count) {
    TirBlock before = {.items = body->items, .count = count->at};
    return tir_block_jumps(&before, STMT_CONTINUE);
}

// A constant, or a parameter that keeps its value.
static bool is_bound(const Counter *counter, const TirExpr *expr) {
    if (expr->kind != EXPR_VAR) {
        return constant_is_int(expr);
    }
    return expr->type->root == ROOT_INT && expr->var->role == VAR_PARAM &&
           counter->uses[expr->var->id].writes == 0;
}

// `var < bound` or `var <= bound`, or the same from the right.
static bool bounds_var(const Counter *counter, const TirExpr *expr, Count *count) {
    if (expr->kind != EXPR_MAP || tir_op_arity(expr->map.op) != 2) {
        return false;
    }
    TirOp op = expr->map.op;
    bool is_turned = op == OP_GT || op == OP_GE;
    TirExpr *var = expr->map.args[is_turned ? 1 : 0];
    TirExpr *bound = expr->map.args[is_turned ? 0 : 1];
    bool compares = is_turned || op == OP_LT || op == OP_LE;
    if (!compares || var->kind != EXPR_VAR || var->type->root != ROOT_INT ||
        tir_var_is_global(var->var) || tir_var_is_interface(var->var) ||
        !is_bound(counter, bound)) {
        return false;
    }
    count->var = var->var;
    count->bound = bound;
    count->is_below = op == OP_LT || op == OP_GT;
    return true;
}

static TirExpr *both(Tir *tir, TirExpr *a, TirExpr *b) {
    return a == NULL ? b : tir_map(tir, OP_AND, a->type, a, b, NULL, b->span);
}

// Finds a bound among the parts of the condition, which are joined by `and`: where the loop ends by
// it, nothing in front of it may trap.
static bool find_bound(const Counter *counter, TirExpr *condition, Count *count) {
    if (bounds_var(counter, condition, count)) {
        return true;
    }
    if (!tir_is_short_circuit(condition) || condition->map.op != OP_AND) {
        return false;
    }
    TirExpr *left = condition->map.args[0];
    TirExpr *right = condition->map.args[1];
    if (find_bound(counter, left, count)) {
        count->rest = both(counter->tir, count->rest, right);
        return true;
    }
    if (tir_may_trap(left) || !find_bound(counter, right, count)) {
        return false;
    }
    count->rest = count->rest == NULL ? left : both(counter->tir, left, count->rest);
    return true;
}

// `last` of the `for` loop; NULL: what is counted could get beyond all ints.
static TirExpr *end_of(Tir *tir, const Count *count) {
    if (count->bound->kind == EXPR_VAR) {
        return count->is_below && count->step == 1 ? count->bound : NULL;
    }
    int64_t end = (int64_t)count->bound->data[0].integer + (count->is_below ? 0 : 1);
    return end - 1 + count->step <= INT32_MAX ? tir_const_int(tir, (int32_t)end, count->bound->span)
                                              : NULL;
}

// What the variable has behind a loop that nothing else ends.
static int64_t final_value(const Count *count, int64_t end) {
    int64_t turns = end <= count->first ? 0 : (end - count->first + count->step - 1) / count->step;
    return count->first + turns * count->step;
}

// Sets the variable behind statement `number` of the block.
static void set_behind(Tir *tir, TirBlock *block, size_t number, TirVar *var, int32_t value) {
    Span span = block->items[number]->span;
    tir_set_var(tir, block, var, tir_const_int(tir, value, span), span);
    TirStmt *set = block->items[block->count - 1];
    for (size_t i = block->count - 1; i > number + 1; i--) {
        block->items[i] = block->items[i - 1];
    }
    block->items[number + 1] = set;
}

static void leave_unless(Tir *tir, TirBlock *body, TirExpr *condition) {
    TirStmt *leave = tir_stmt(tir, body, STMT_IF, condition->span);
    leave->branch.condition =
        tir_map(tir, OP_NOT, condition->type, condition, NULL, NULL, condition->span);
    tir_stmt(tir, &leave->branch.then, STMT_BREAK, condition->span);
}

// Puts the `for` loop in the place of a `while` that can be one.
static void count_loop(Counter *counter, TirBlock *block, size_t number) {
    Tir *tir = counter->tir;
    TirStmt *loop = block->items[number];
    TirBlock *old = &loop->while_loop.body;
    Count count = {0};
    if (loop->while_loop.before.count > 0 ||
        !find_bound(counter, loop->while_loop.condition, &count) || !find_step(old, &count) ||
        !constant_int_behind(block, number, count.var, &count.first) || skips_step(old, &count)) {
        return;
    }
    TirExpr *end = end_of(tir, &count);
    if (end == NULL) {
        return;
    }
    uint32_t reads = counter->uses[count.var->id].reads;
    bool is_read_behind = tir_stmt_reads(loop, count.var) < reads;
    bool is_left = count.rest != NULL || tir_block_jumps(old, STMT_BREAK);
    bool is_known = !is_left && end->kind == EXPR_CONST;
    TirStmt *made = tir_for(tir, &(TirBlock){0}, counter->function, count.first, 0,
                            (int32_t)count.step, loop->span);
    made->for_loop.last = end;
    TirBlock *body = &made->for_loop.body;
    TirExpr *now = tir_read(tir, made->for_loop.var, loop->span);
    TirExpr *next = tir_line(tir, now, 1, count.step, loop->span);
    if (count.rest != NULL) {
        leave_unless(tir, body, count.rest);
        tir_replace_in(tir, body->items[0], count.var, now);
    }
    for (size_t i = 0; i < old->count; i++) {
        TirStmt *stmt = old->items[i];
        if (i != count.at) {
            tir_replace_in(tir, stmt, count.var, i < count.at ? now : next);
            LIST_PUSH(tir->arena, body, stmt);
        } else if (is_read_behind && !is_known) {
            tir_set(tir, body, stmt->set.place, next, stmt->span);
        }
    }
    block->items[number] = made;
    if (is_read_behind && is_known) {
        int64_t value = final_value(&count, end->data[0].integer);
        set_behind(tir, block, number, count.var, (int32_t)value);
    }
    tir_remark(tir, "count", loop->span, (Span){0}, "a `for` loop: %s counts to a bound",
               tir_remark_name(tir, count.var));
}

static void count_loops(Counter *counter, TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(block->items[i], nested); k-- > 0;) {
            count_loops(counter, nested[k]);
        }
        if (block->items[i]->kind == STMT_WHILE) {
            count_loop(counter, block, i);
        }
    }
}

void pass_count(Tir *tir, TirFunction *function) {
    Counter counter = {tir, function, tir_count_uses(tir->arena, function)};
    count_loops(&counter, &function->body);
}
