// Each node counts once for every vector of its elements, loads and stores likewise; of two
// branches the dearer one counts.
#include "tir/derive/cost.h"

#include "tir/derive/turns.h"
#include "tir/saturate.h"
#include "tir/visit.h"

// Turns of a loop without a constant bound; divisions and roots, functions of the C library, in
// operations.
enum { TURNS = 16, DEAR = 8, CALL = 20 };

// The most elements of a value.
typedef struct Widest {
    Costs *costs;
    uint32_t most;
} Widest;

typedef struct Costing {
    Costs *costs;
    uint64_t sum;
} Costing;

static uint64_t vectors(const Costing *costing, const Type *type) {
    uint32_t lanes = costing->costs->tir->lanes > 0 ? costing->costs->tir->lanes : 1;
    return (type->numel + lanes - 1) / lanes;
}

static void add(Costing *costing, uint64_t more) {
    costing->sum = saturating_add(costing->sum, more);
}

static void add_expr(const TirExpr *expr, void *data);

// Of a variable only what the view shows is read.
static void add_view(Costing *costing, const TirExpr *expr) {
    const TirExpr *operand = expr->view.operand;
    for (size_t k = 0; k < operand->type->flat_rank; k++) {
        if (expr->view.axes[k].index != NULL) {
            add_expr(expr->view.axes[k].index, costing);
        }
    }
    if (operand->kind != EXPR_VAR) {
        add_expr(operand, costing);
        return;
    }
    bool is_part = expr->type->numel < operand->type->numel;
    add(costing, vectors(costing, is_part ? expr->type : operand->type));
}

static void add_expr(const TirExpr *expr, void *data) {
    Costing *costing = data;
    switch (expr->kind) {
    case EXPR_VIEW: add_view(costing, expr); return;
    case EXPR_VAR: add(costing, vectors(costing, expr->type)); break;
    case EXPR_MAP: {
        bool is_dear = expr->map.op == OP_DIV || expr->map.op == OP_SQRT;
        uint64_t each = is_dear ? DEAR : tir_op_is_function(expr->map.op) ? CALL : 1;
        add(costing, saturating_multiply(vectors(costing, expr->type), each));
        break;
    }
    case EXPR_REDUCE: add(costing, vectors(costing, expr->reduce.operand->type)); break;
    case EXPR_DOT:
        add(costing,
            saturating_multiply(2 * vectors(costing, expr->dot.left->type),
                                expr->dot.right->type->numel / expr->dot.right->type->dims[0]));
        break;
    case EXPR_CUMSUM: add(costing, expr->type->numel); break;
    case EXPR_CONST:
    case EXPR_CONVERT:
    case EXPR_RESHAPE:
    case EXPR_LITERAL:
    case EXPR_CONCAT:
    case EXPR_IOTA: break;
    }
    tir_read_operands(expr, add_expr, data);
}

static uint64_t function_cost(Costs *costs, const TirFunction *function) {
    uint64_t *known = table_get(&costs->known, function);
    if (known == NULL) {
        known = ARENA_NEW(costs->tir->arena, uint64_t);
        *known = cost_of(costs, &function->body);
        table_set(costs->tir->arena, &costs->known, function, known);
    }
    return *known;
}

static void add_stmt(Costing *costing, TirStmt *stmt) {
    tir_read_exprs(stmt, add_expr, costing); // a place, too: what is stored
    int64_t first, step;
    uint32_t count = TURNS;
    if (stmt->kind == STMT_CALL) {
        add(costing, function_cost(costing->costs, stmt->call.function));
    } else if (stmt->kind == STMT_IF) {
        uint64_t then = cost_of(costing->costs, &stmt->branch.then);
        uint64_t otherwise = cost_of(costing->costs, &stmt->branch.otherwise);
        add(costing, then > otherwise ? then : otherwise);
    } else if (stmt->kind == STMT_FOR) {
        turns_of(costing->costs->tir, stmt, &first, &step, &count);
        add(costing, saturating_multiply(count, cost_of(costing->costs, &stmt->for_loop.body)));
    } else if (stmt->kind == STMT_WHILE) {
        add(costing, saturating_multiply(TURNS, cost_of(costing->costs, &stmt->while_loop.before)));
        add(costing, saturating_multiply(TURNS, cost_of(costing->costs, &stmt->while_loop.body)));
    }
}

uint64_t cost_of(Costs *costs, const TirBlock *block) {
    Costing costing = {.costs = costs};
    for (size_t i = 0; i < block->count; i++) {
        add_stmt(&costing, block->items[i]);
    }
    return costing.sum;
}

static void note_width(const TirExpr *expr, void *data) {
    Widest *widest = data;
    widest->most = expr->type->numel > widest->most ? expr->type->numel : widest->most;
    tir_read_operands(expr, note_width, data);
}

static void note_call(TirStmt *stmt, void *data) {
    Widest *widest = data;
    if (stmt->kind == STMT_CALL) {
        uint32_t called = cost_widest(widest->costs, stmt->call.function);
        widest->most = called > widest->most ? called : widest->most;
    }
}

uint32_t cost_widest(Costs *costs, const TirFunction *function) {
    uint32_t *known = table_get(&costs->widest, function);
    if (known == NULL) {
        Widest widest = {.costs = costs, .most = 1};
        for (size_t k = 0; k < function->vars.count; k++) {
            uint32_t own = function->vars.items[k]->type->numel;
            widest.most = own > widest.most ? own : widest.most;
        }
        tir_read_exprs_in(&function->body, note_width, &widest);
        tir_visit_stmts(&function->body, note_call, &widest);
        known = ARENA_NEW(costs->tir->arena, uint32_t);
        *known = widest.most;
        table_set(costs->tir->arena, &costs->widest, function, known);
    }
    return *known;
}
