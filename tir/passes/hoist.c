// Gives a place in memory (or a register) to what would otherwise be computed too often, or not at
// all although it may trap. Reads and leaves any valid TIR; afterwards:
//
// - What a repeating view, a dot, a running sum or a reshape reads is *direct*: a variable, a
//   constant, positions, or a view or reshape of one of these.
// - No reduction or dot stands inside what another reduction sums up.
// - Literals, concatenations, running sums and matrix products are whole values of a `set`.
// - Array arguments and array values of print and output are plain variables, and what print prints
//   does not trap.
//
// A variable that is set to a reshape of what is computed takes that in its own shape, seen in the
// other one. Expressions are copied where they change; statements are changed where they stand.
#include "tir/passes/passes.h"

#include "support/bug.h"
#include "tir/uses.h"
#include "tir/view.h"
#include "tir/visit.h"

enum {
    // Multiply-adds of a matrix times a vector from which the vector is worth a temporary.
    KERNEL_TERMS_FROM = 256,
    // Where each element has few terms, vectors of them are computed in any expression. Two such
    // products in one take 1.2 to 3.6 times as long with more than 4 terms.
    SHORT_TERMS = 8,
    SHORT_TERMS_OF_SEVERAL = 4,
};

typedef struct Placer {
    Tir *tir;
    TirFunction *function;
    TirBlock *out;     // where statements that come before the current one go
    bool in_reduction; // below the operand of a reduction
    size_t dots;       // in the value of the `set` at hand; 0: it is none
} Placer;

static TirExpr *place_expr(Placer *placer, TirExpr *expr);
static TirExpr *place_value(Placer *placer, TirExpr *expr);

static void place_operand(TirExpr **operand, void *data) {
    *operand = place_expr(data, *operand);
}

static TirExpr *place_operands(Placer *placer, const TirExpr *expr) {
    TirExpr *copy = tir_copy_node(placer->tir, expr);
    tir_visit_operands(copy, place_operand, placer);
    return copy;
}

// A temporary that is set to the expression before the current statement.
static TirExpr *hoist(Placer *placer, TirExpr *expr) {
    bool outer = placer->in_reduction;
    placer->in_reduction = false;
    TirExpr *value = place_value(placer, expr);
    placer->in_reduction = outer;
    TirVar *temp =
        tir_var_create(placer->tir, placer->function, VAR_TEMP, NULL, expr->type, expr->span);
    tir_set_var(placer->tir, placer->out, temp, value, expr->span);
    return tir_read(placer->tir, temp, expr->span);
}

// An element costs no more than a load.
static bool is_direct(const TirExpr *expr) {
    TirExprKind kind = tir_bottom(expr)->kind;
    return kind == EXPR_VAR || kind == EXPR_CONST || kind == EXPR_IOTA;
}

static TirExpr *place_direct(Placer *placer, TirExpr *expr) {
    return is_direct(expr) ? place_expr(placer, expr) : hoist(placer, expr);
}

static TirExpr *place_view(Placer *placer, TirExpr *expr) {
    TirExpr *copy = tir_copy_node(placer->tir, expr);
    TirExpr *operand = expr->view.operand;
    for (size_t i = 0; i < operand->type->flat_rank; i++) {
        if (copy->view.axes[i].index != NULL) {
            place_operand(&copy->view.axes[i].index, placer);
        }
    }
    bool needs_place =
        !is_direct(operand) && (view_repeats(expr) || (view_drops(expr) && tir_may_trap(operand)));
    copy->view.operand = needs_place ? hoist(placer, operand) : place_expr(placer, operand);
    return copy;
}

static TirExpr *place_reduction(Placer *placer, TirExpr *expr) {
    if (placer->in_reduction) {
        return hoist(placer, expr);
    }
    placer->in_reduction = true;
    TirExpr *copy = place_operands(placer, expr);
    placer->in_reduction = false;
    return copy;
}

// Products that code generation has kernels for, as whole values of a `set`.
static bool is_kernel(const Placer *placer, const TirExpr *dot) {
    uint64_t terms = dot->dot.right->type->dims[0];
    uint64_t most = placer->dots == 1 ? SHORT_TERMS : SHORT_TERMS_OF_SEVERAL;
    bool is_short = placer->dots > 0 && terms <= most;
    return dot->type->flat_rank == 2 || (dot->type->flat_rank == 1 && !is_short &&
                                         terms * dot->type->numel >= KERNEL_TERMS_FROM);
}

static TirExpr *place_dot(Placer *placer, const TirExpr *expr) {
    TirExpr *copy = tir_copy_node(placer->tir, expr);
    copy->dot.left = place_direct(placer, expr->dot.left);
    copy->dot.right = place_direct(placer, expr->dot.right);
    return copy;
}

// A scalar `and` or `or` evaluates its right side only when the left does not decide. When the
// right side needs statements of its own it becomes one: t = left; if t: t = right.
static TirExpr *place_short_circuit(Placer *placer, TirExpr *expr) {
    Tir *tir = placer->tir;
    Span span = expr->span;
    TirExpr *copy = tir_copy_node(tir, expr);
    copy->map.args[0] = place_expr(placer, expr->map.args[0]);
    TirBlock *out = placer->out;
    TirBlock right = {0};
    placer->out = &right;
    copy->map.args[1] = place_expr(placer, expr->map.args[1]);
    placer->out = out;
    if (right.count == 0) {
        return copy;
    }

    TirVar *temp = tir_var_create(tir, placer->function, VAR_TEMP, NULL, expr->type, span);
    tir_set_var(tir, out, temp, copy->map.args[0], span);
    TirExpr *undecided = tir_read(tir, temp, span);
    if (expr->map.op == OP_OR) {
        undecided = tir_map(tir, OP_NOT, expr->type, undecided, NULL, NULL, span);
    }
    tir_set_var(tir, &right, temp, copy->map.args[1], span);
    TirStmt *branch = tir_stmt(tir, out, STMT_IF, span);
    branch->branch.condition = undecided;
    branch->branch.then = right;
    return tir_read(tir, temp, span);
}

// At any place inside a tree.
static TirExpr *place_expr(Placer *placer, TirExpr *expr) {
    switch (expr->kind) {
    case EXPR_CONST:
    case EXPR_VAR:
    case EXPR_IOTA: return expr;
    case EXPR_MAP:
        return tir_is_short_circuit(expr) ? place_short_circuit(placer, expr)
                                          : place_operands(placer, expr);
    case EXPR_CONVERT: return place_operands(placer, expr);
    case EXPR_VIEW: return place_view(placer, expr);
    case EXPR_RESHAPE: {
        if (reshape_is_of_levels(expr)) {
            return place_expr(placer, expr->operand);
        }
        TirExpr *copy = tir_copy_node(placer->tir, expr);
        copy->operand = place_direct(placer, expr->operand);
        return copy;
    }
    case EXPR_LITERAL:
    case EXPR_CONCAT:
    case EXPR_CUMSUM: return hoist(placer, expr);
    case EXPR_REDUCE: return place_reduction(placer, expr);
    case EXPR_DOT:
        return placer->in_reduction || is_kernel(placer, expr) ? hoist(placer, expr)
                                                               : place_dot(placer, expr);
    }
    UNREACHABLE();
}

// The whole value of a `set`.
static TirExpr *place_value(Placer *placer, TirExpr *expr) {
    switch (expr->kind) {
    case EXPR_LITERAL:
    case EXPR_CONCAT: return place_operands(placer, expr);
    case EXPR_CUMSUM: {
        TirExpr *copy = tir_copy_node(placer->tir, expr);
        copy->operand = place_direct(placer, expr->operand);
        return copy;
    }
    case EXPR_DOT: return place_dot(placer, expr);
    case EXPR_RESHAPE:
        return reshape_is_of_levels(expr) ? place_value(placer, expr->operand)
                                          : place_expr(placer, expr);
    case EXPR_CONST:
    case EXPR_VAR:
    case EXPR_MAP:
    case EXPR_CONVERT:
    case EXPR_VIEW:
    case EXPR_REDUCE:
    case EXPR_IOTA: return place_expr(placer, expr);
    }
    UNREACHABLE();
}

// Only the indices of a place are computed.
static TirExpr *place_target(Placer *placer, TirExpr *place) {
    if (place->kind == EXPR_VAR) {
        return place;
    }
    TirExpr *copy = tir_copy_node(placer->tir, place);
    if (place->kind == EXPR_RESHAPE) {
        copy->operand = place_target(placer, place->operand);
        return copy;
    }
    CHECK(place->kind == EXPR_VIEW);
    for (size_t i = 0; i < place->view.operand->type->flat_rank; i++) {
        if (copy->view.axes[i].index != NULL) {
            place_operand(&copy->view.axes[i].index, placer);
        }
    }
    copy->view.operand = place_target(placer, place->view.operand);
    return copy;
}

// What is handed over in memory: arrays must be variables.
static void place_passed(TirExpr **value, void *data) {
    Placer *placer = data;
    if (type_is_scalar((*value)->type)) {
        *value = place_expr(placer, *value);
    } else if ((*value)->kind != EXPR_VAR) {
        *value = hoist(placer, *value);
    }
}

// Which of several traps is the first; of what is printed nothing is when one does.
static void place_in_order(TirExpr **value, void *data) {
    if (tir_may_trap(*value)) {
        *value = hoist(data, *value);
    } else {
        place_passed(value, data);
    }
}

// Constants are handed over where the object has them: nothing writes a parameter. The callee sees
// the levels that it wants in what lies there.
static void place_argument(TirExpr **value, void *data) {
    *value = (TirExpr *)reshape_skip_levels(*value);
    if ((*value)->kind != EXPR_CONST) {
        place_in_order(value, data);
    }
}

static void place_block(Placer *placer, TirBlock *block);

static void count_dots(const TirExpr *expr, void *data) {
    size_t *count = data;
    *count += expr->kind == EXPR_DOT;
    tir_read_operands(expr, count_dots, data);
}

// A variable whose whole value is what was computed in another shape takes it in that shape.
static void turn_reshape(Tir *tir, TirStmt *set) {
    TirExpr *place = set->set.place;
    TirExpr *value = set->set.value;
    if (place->kind == EXPR_VAR && value->kind == EXPR_RESHAPE &&
        value->operand->kind != EXPR_VAR && !reshape_is_of_levels(value) &&
        tir_expr_reads(value, place->var) == 0) {
        set->set.place = tir_reshape(tir, value->operand->type, place, place->span);
        set->set.value = value->operand;
    }
}

static void place_stmt(Placer *placer, TirStmt *stmt) {
    switch (stmt->kind) {
    case STMT_SET:
        turn_reshape(placer->tir, stmt);
        stmt->set.place = place_target(placer, stmt->set.place);
        count_dots(stmt->set.value, &placer->dots);
        stmt->set.value = place_value(placer, stmt->set.value);
        placer->dots = 0;
        break;
    case STMT_CALL: tir_visit_exprs(stmt, place_argument, placer); break; // variables stay
    case STMT_OUTPUT: tir_visit_exprs(stmt, place_passed, placer); break;
    case STMT_PRINT: tir_visit_exprs(stmt, place_in_order, placer); break;
    case STMT_WHILE: {
        TirBlock *out = placer->out;
        place_block(placer, &stmt->while_loop.before);
        placer->out = &stmt->while_loop.before; // computed again before each test
        place_operand(&stmt->while_loop.condition, placer);
        placer->out = out;
        place_block(placer, &stmt->while_loop.body);
        break;
    }
    case STMT_IF:
        place_operand(&stmt->branch.condition, placer);
        place_block(placer, &stmt->branch.then);
        place_block(placer, &stmt->branch.otherwise);
        break;
    case STMT_FOR:
        tir_visit_exprs(stmt, place_operand, placer);
        place_block(placer, &stmt->for_loop.body);
        break;
    case STMT_INPUT:
    case STMT_ASSERT: tir_visit_exprs(stmt, place_operand, placer); break;
    case STMT_NEST: BUG("a nest before pass_hoist");
    case STMT_BREAK:
    case STMT_CONTINUE:
    case STMT_RETURN: break;
    }
    LIST_PUSH(placer->tir->arena, placer->out, stmt);
}

static void place_block(Placer *placer, TirBlock *block) {
    TirBlock *outer = placer->out;
    TirBlock placed = {0};
    placer->out = &placed;
    for (size_t i = 0; i < block->count; i++) {
        place_stmt(placer, block->items[i]);
    }
    placer->out = outer;
    *block = placed;
}

void pass_hoist(Tir *tir, TirFunction *function) {
    Placer placer = {.tir = tir, .function = function};
    place_block(&placer, &function->body);
}
