// Counting walks a function once. An expression is asked for some number of elements, as code
// generation asks for them: one for each element of what is set, each element of a reduction's
// operand for its result, each pair for a dot product. Lengths of loops come from intervals of the
// integers in their bounds, so a loop inside whose end is the counter of the one around it has a
// bound too.
#include "tir/operations.h"

#include "support/bug.h"
#include "support/table.h"
#include "tir/interval.h"
#include "tir/saturate.h"
#include "tir/uses.h"
#include "tir/visit.h"

// What is counted already: of functions, and all of those of a component.
typedef struct Known {
    Arena *arena;
    Table functions, components;
} Known;

typedef struct Counter {
    Known *known;
    Interval *vars; // what loop variables can be; of others nothing is known
    Operations sum;
} Counter;

static const Operations *count_function(Known *known, const TirFunction *function);

static void add_operations(Operations *sum, const Operations *more, uint64_t times) {
    sum->flops = saturating_add(sum->flops, saturating_multiply(more->flops, times));
    sum->calls = saturating_add(sum->calls, saturating_multiply(more->calls, times));
    sum->loads = saturating_add(sum->loads, saturating_multiply(more->loads, times));
    sum->stores = saturating_add(sum->stores, saturating_multiply(more->stores, times));
    sum->is_bound = sum->is_bound || more->is_bound;
    sum->is_endless = sum->is_endless || more->is_endless;
}

Operations operations_join(const Operations *first, const Operations *second) {
    Operations sum = *first;
    add_operations(&sum, second, 1);
    return sum;
}

static uint64_t greater(uint64_t a, uint64_t b) {
    return a > b ? a : b;
}

static bool same_figures(const Operations *a, const Operations *b) {
    return a->flops == b->flops && a->calls == b->calls && a->loads == b->loads &&
           a->stores == b->stores;
}

// The greater of each figure.
static Operations join_branches(const Operations *a, const Operations *b) {
    return (Operations){
        .flops = greater(a->flops, b->flops),
        .calls = greater(a->calls, b->calls),
        .loads = greater(a->loads, b->loads),
        .stores = greater(a->stores, b->stores),
        .is_bound = a->is_bound || b->is_bound || !same_figures(a, b),
        .is_endless = a->is_endless || b->is_endless,
    };
}

// What an operation on reals counts as. Negating, comparing and selecting are free.
typedef enum Cost { FREE, FLOP, CALL } Cost;

static const Cost costs[] = {
#define TIR_OP(NAME, text, arity, signature, cost) cost,
#include "tir/ops.def"
};

static bool is_in_memory(const TirVar *var) {
    return var->storage != STORAGE_ELEMENT && (type_is_tensor(var->type) || tir_var_is_global(var));
}

static void count_expr(Counter *counter, const TirExpr *expr, uint64_t times);

// Whether evaluating it costs anything that is counted.
static bool is_free(Counter *counter, const TirExpr *expr) {
    Counter alone = {.known = counter->known, .vars = counter->vars};
    count_expr(&alone, expr, 1);
    return same_figures(&alone.sum, &(Operations){0});
}

static void count_map(Counter *counter, const TirExpr *expr, uint64_t times) {
    Operations *sum = &counter->sum;
    Cost cost = expr->type->root == ROOT_REAL ? costs[expr->map.op] : FREE;
    sum->flops = saturating_add(sum->flops, cost == FLOP ? times : 0);
    sum->calls = saturating_add(sum->calls, cost == CALL ? times : 0);
    for (unsigned i = 0; i < tir_op_arity(expr->map.op); i++) {
        count_expr(counter, expr->map.args[i], times);
    }
    if (tir_is_short_circuit(expr) && !is_free(counter, expr->map.args[1])) {
        sum->is_bound = true;
    }
}

// The parts that a literal or a concatenation is made of. Where not all elements of the whole are
// wanted, nothing says of which parts they are.
static void count_parts(Counter *counter, const TirExpr *whole, TirExpr **items, size_t count,
                        uint64_t times) {
    uint64_t rounds = times / whole->type->numel;
    if (times % whole->type->numel != 0) {
        counter->sum.is_bound = true;
        rounds++;
    }
    for (size_t i = 0; i < count; i++) {
        count_expr(counter, items[i], saturating_multiply(items[i]->type->numel, rounds));
    }
}

static void count_view(Counter *counter, const TirExpr *expr, uint64_t times) {
    const TirExpr *operand = expr->view.operand;
    for (size_t k = 0; k < operand->type->flat_rank; k++) {
        if (expr->view.axes[k].index != NULL) {
            count_expr(counter, expr->view.axes[k].index, 1);
        }
    }
    count_expr(counter, operand, type_is_scalar(operand->type) ? 1 : times);
}

static void count_reduce(Counter *counter, const TirExpr *expr, uint64_t times) {
    const TirExpr *operand = expr->reduce.operand;
    uint64_t length = operand->type->numel / expr->type->numel;
    bool has_flops = operand->type->root == ROOT_REAL && expr->type->root == ROOT_REAL;
    if (has_flops) {
        counter->sum.flops =
            saturating_add(counter->sum.flops, saturating_multiply(times, length - 1));
    }
    count_expr(counter, operand, saturating_multiply(times, length));
}

static void count_cumsum(Counter *counter, const TirExpr *expr, uint64_t times) {
    const Type *type = expr->type;
    if (type->root == ROOT_REAL) {
        uint64_t length = type->dims[type->flat_rank - 1];
        counter->sum.flops =
            saturating_add(counter->sum.flops, saturating_multiply(times / length, length - 1));
    }
    count_expr(counter, expr->operand, times);
}

static void count_dot(Counter *counter, const TirExpr *expr, uint64_t times) {
    const TirExpr *left = expr->dot.left;
    uint64_t length = left->type->dims[left->type->flat_rank - 1];
    if (expr->type->root == ROOT_REAL) {
        counter->sum.flops =
            saturating_add(counter->sum.flops, saturating_multiply(times, 2 * length - 1));
    }
    count_expr(counter, left, saturating_multiply(times, length));
    count_expr(counter, expr->dot.right, saturating_multiply(times, length));
}

static void count_expr(Counter *counter, const TirExpr *expr, uint64_t times) {
    bool is_table = expr->kind == EXPR_CONST && type_is_tensor(expr->type);
    if (expr->is_constant && !is_table && expr->kind != EXPR_VIEW) {
        return; // compiled to its value
    }
    switch (expr->kind) {
    case EXPR_CONST:
        counter->sum.loads = saturating_add(counter->sum.loads, is_table ? times : 0);
        return;
    case EXPR_VAR:
        counter->sum.loads =
            saturating_add(counter->sum.loads, is_in_memory(expr->var) ? times : 0);
        return;
    case EXPR_MAP: count_map(counter, expr, times); return;
    case EXPR_CONVERT:
    case EXPR_RESHAPE: count_expr(counter, expr->operand, times); return;
    case EXPR_VIEW: count_view(counter, expr, times); return;
    case EXPR_LITERAL:
        count_parts(counter, expr, expr->literal.items, expr->literal.count, times);
        return;
    case EXPR_CONCAT:
        count_parts(counter, expr, expr->concat.items, expr->concat.count, times);
        return;
    case EXPR_REDUCE: count_reduce(counter, expr, times); return;
    case EXPR_CUMSUM: count_cumsum(counter, expr, times); return;
    case EXPR_DOT: count_dot(counter, expr, times); return;
    case EXPR_IOTA: return;
    }
    UNREACHABLE();
}

// A bound that says something.
static bool is_known(const Interval *bound) {
    return interval_is_exact(*bound) || (bound->least > INT32_MIN && bound->most < INT32_MAX);
}

static Operations count_block(Counter *counter, const TirBlock *block);

static void count_for(Counter *counter, const TirStmt *stmt) {
    count_expr(counter, stmt->for_loop.first, 1);
    count_expr(counter, stmt->for_loop.last, 1);
    count_expr(counter, stmt->for_loop.step, 1);
    Interval first = interval_of(counter->vars, stmt->for_loop.first);
    Interval last = interval_of(counter->vars, stmt->for_loop.last);
    Interval step = interval_of(counter->vars, stmt->for_loop.step);
    uint64_t length;
    counter->vars[stmt->for_loop.var->id] = interval_of_loop(counter->vars, stmt, &length);
    Operations body = count_block(counter, &stmt->for_loop.body);
    add_operations(&counter->sum, &body, length);
    if (!is_known(&first) || !is_known(&last) || !interval_is_exact(step) || step.least == 0) {
        counter->sum.is_endless = true;
        return;
    }
    counter->sum.is_bound =
        counter->sum.is_bound || !interval_is_exact(first) || !interval_is_exact(last);
}

static void count_index(const TirExpr *index, void *data) {
    count_expr(data, index, 1);
}

static void count_place(Counter *counter, const TirExpr *place) {
    TirVar *var = tir_place_var(place);
    tir_read_indices(place, count_index, counter);
    counter->sum.stores =
        saturating_add(counter->sum.stores, is_in_memory(var) ? place->type->numel : 0);
}

// Arrays are passed where they stand; others are computed into memory first.
static void count_call(Counter *counter, const TirStmt *stmt) {
    for (size_t i = 0; i < stmt->call.arg_count; i++) {
        const TirExpr *arg = stmt->call.args[i];
        bool is_array = type_is_tensor(arg->type);
        if (is_array && arg->kind == EXPR_VAR) {
            continue;
        }
        count_expr(counter, arg, arg->type->numel);
        counter->sum.stores = saturating_add(counter->sum.stores, is_array ? arg->type->numel : 0);
    }
    add_operations(&counter->sum, count_function(counter->known, stmt->call.function), 1);
    const TirVar *written;
    for (size_t k = 0; (written = tir_stmt_written(stmt, k)) != NULL; k++) {
        bool is_store = type_is_scalar(written->type) && is_in_memory(written);
        counter->sum.stores = saturating_add(counter->sum.stores, is_store);
    }
}

static void count_branch(Counter *counter, const TirStmt *stmt) {
    count_expr(counter, stmt->branch.condition, 1);
    Operations then = count_block(counter, &stmt->branch.then);
    Operations otherwise = count_block(counter, &stmt->branch.otherwise);
    Operations greatest = join_branches(&then, &otherwise);
    add_operations(&counter->sum, &greatest, 1);
}

static void count_print(Counter *counter, const TirStmt *stmt) {
    for (size_t i = 0; i < stmt->print.count; i++) {
        const TirExpr *value = stmt->print.items[i].value;
        if (value != NULL) {
            count_expr(counter, value, value->type->numel);
        }
    }
}

static void count_position(Counter *counter, const TirHardware *at) {
    if (at->io != NULL) {
        count_expr(counter, at->position, 1);
    }
}

static void count_stmt(Counter *counter, const TirStmt *stmt) {
    switch (stmt->kind) {
    case STMT_SET:
        count_expr(counter, stmt->set.value, stmt->set.place->type->numel);
        count_place(counter, stmt->set.place);
        return;
    case STMT_NEST: {
        Operations sets = count_block(counter, &stmt->nest);
        add_operations(&counter->sum, &sets, 1);
        return;
    }
    case STMT_CALL: count_call(counter, stmt); return;
    case STMT_IF: count_branch(counter, stmt); return;
    case STMT_FOR: count_for(counter, stmt); return;
    case STMT_WHILE: counter->sum.is_endless = true; return;
    case STMT_BREAK:
    case STMT_CONTINUE:
    case STMT_RETURN: counter->sum.is_bound = true; return; // what follows may not run
    case STMT_PRINT: count_print(counter, stmt); return;
    case STMT_OUTPUT:
        count_expr(counter, stmt->output.value, stmt->output.value->type->numel);
        count_position(counter, &stmt->output.at);
        return;
    case STMT_ASSERT: count_expr(counter, stmt->assertion.condition, 1); return;
    case STMT_INPUT: count_position(counter, &stmt->input.at); return;
    }
    UNREACHABLE();
}

static Operations count_block(Counter *counter, const TirBlock *block) {
    Operations around = counter->sum;
    counter->sum = (Operations){0};
    for (size_t i = 0; i < block->count; i++) {
        count_stmt(counter, block->items[i]);
    }
    Operations result = counter->sum;
    counter->sum = around;
    return result;
}

// A `return` that ends the function skips nothing.
static TirBlock without_last_return(const TirBlock *body) {
    TirBlock block = *body;
    if (block.count > 0 && block.items[block.count - 1]->kind == STMT_RETURN) {
        block.count--;
    }
    return block;
}

static Operations *count_program(Known *known, const TirProgram *program);

static Operations count_instance(Known *known, const TirFunction *function) {
    const TirProgram *component = function->instance->component;
    const Operations *counts = table_get(&known->components, component);
    if (counts == NULL) {
        counts = count_program(known, component);
        table_set(known->arena, &known->components, component, (void *)counts);
    }
    const TirFunction *runs = tir_phase_function(component, function->phase);
    return runs == NULL ? (Operations){0} : counts[runs->id];
}

static Operations count_body(Known *known, const TirFunction *function) {
    Counter counter = {.known = known, .vars = interval_vars(known->arena, function)};
    TirBlock body = without_last_return(&function->body);
    return count_block(&counter, &body);
}

static const Operations *count_function(Known *known, const TirFunction *function) {
    Operations *counted = table_get(&known->functions, function);
    if (counted == NULL) {
        counted = ARENA_NEW(known->arena, Operations);
        *counted = function->instance != NULL ? count_instance(known, function)
                                              : count_body(known, function);
        table_set(known->arena, &known->functions, function, counted);
    }
    return counted;
}

static Operations *count_program(Known *known, const TirProgram *program) {
    Operations *counts = ARENA_ARRAY(known->arena, Operations, program->functions.count + 1);
    for (size_t i = 0; i < program->functions.count; i++) {
        CHECK(program->functions.items[i]->id == i);
        counts[i] = *count_function(known, program->functions.items[i]);
    }
    return counts;
}

Operations *operations_count(Arena *arena, const TirProgram *program) {
    Known known = {.arena = arena};
    return count_program(&known, program);
}

Operations operations_of(Arena *arena, const TirFunction *function, const TirBlock *block) {
    Known known = {.arena = arena};
    Counter counter = {.known = &known, .vars = interval_vars(arena, function)};
    TirBlock body = without_last_return(block);
    return count_block(&counter, &body);
}
