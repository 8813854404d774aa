// Writes out nests of loops with few constant turns in which the bounds of a loop inside depend on
// the loop around it, as in triangles: one copy of the body for each turn, with the loop's variable
// as a constant. LLVM does so with rectangles, from the inside out, but cannot here. Reads and
// leaves any valid TIR.
//
// Turns stay in their order, and copies compute what they computed, traps included. Only integers
// are folded: reals would be the compiler's.
#include "tir/passes/passes.h"

#include "support/bug.h"
#include "tir/alias.h"
#include "tir/columns.h"
#include "tir/constant.h"
#include "tir/nest_size.h"
#include "tir/visit.h"

enum {
    // Nodes of what one nest becomes; each element of a small array counts. Time of what was
    // written
    // out over time of loops: Cholesky factors of 4, 6, 8 rows 0.86, 0.90, 0.91; 3, 5 and 8 bodies
    // that attract each other 0.91, 0.92 and, which takes more than this, 1.07.
    COPY_LIMIT = 1024,
    FUNCTION_LIMIT = 2048, // of all nests of a function: long ones are cut in pieces
    SMALL_ARRAY = 16,      // elements that become straight code
    LONG_ARRAY = 64,       // elements that are walked in a loop
    LOOP_NODES = 4,        // as which one operation in such a loop counts
};

typedef struct Unroller {
    Tir *tir;
    unsigned left; // nodes that the nest at hand may still have
    unsigned left_of_function;
} Unroller;

typedef struct Replacement {
    Tir *tir;
    const TirVar *var;
    TirExpr *value;
    bool found;
} Replacement;

static void search_var(const TirExpr *expr, void *data) {
    Replacement *replacement = data;
    replacement->found =
        replacement->found || (expr->kind == EXPR_VAR && expr->var == replacement->var);
    if (!replacement->found) {
        tir_read_operands(expr, search_var, data);
    }
}

static void replace(TirExpr **operand, void *data);

// Indices that are constants now, and inside.
static void settle_indices(Tir *tir, TirExpr *view) {
    for (size_t k = 0; k < view->view.operand->type->flat_rank; k++) {
        TirAxis *axis = &view->view.axes[k];
        int64_t at;
        if (axis->index != NULL && constant_integer(tir, axis->index, &at) && at >= 0 &&
            at < view->view.operand->type->dims[k]) {
            *axis = (TirAxis){.axis = -1, .start = at, .span = axis->span};
        }
    }
}

static TirExpr *replaced(Replacement *replacement, TirExpr *expr) {
    Tir *tir = replacement->tir;
    if (expr->kind == EXPR_VAR) {
        return replacement->value;
    }
    TirExpr *copy = tir_copy_node(tir, expr);
    tir_visit_operands(copy, replace, replacement);
    if (copy->kind == EXPR_MAP) {
        TirExpr **args = copy->map.args;
        unsigned arity = tir_op_arity(copy->map.op);
        copy = tir_map(tir, copy->map.op, copy->type, args[0], arity > 1 ? args[1] : NULL,
                       arity > 2 ? args[2] : NULL, copy->span);
    } else if (copy->kind == EXPR_CONVERT) {
        copy = tir_convert(tir, copy->type->root, copy->operand, copy->span);
    } else if (copy->kind == EXPR_VIEW) {
        settle_indices(tir, copy);
    }
    bool is_integer = copy->type->root != ROOT_REAL || copy->kind == EXPR_CONVERT;
    return is_integer && type_is_scalar(copy->type) ? constant_fold(tir, copy) : copy;
}

static void replace(TirExpr **operand, void *data) {
    Replacement *replacement = data;
    replacement->found = false;
    search_var(*operand, replacement);
    if (replacement->found) {
        *operand = replaced(replacement, *operand);
    }
}

// The variables of the loops around, each with its value.
typedef struct Turn {
    const TirVar *var;
    TirExpr *value;
    const struct Turn *outer;
} Turn;

static TirExpr *at_turn(Unroller *unroller, const Turn *turn, TirExpr *expr) {
    for (; turn != NULL; turn = turn->outer) {
        Replacement replacement = {.tir = unroller->tir, .var = turn->var, .value = turn->value};
        replace(&expr, &replacement);
    }
    return expr;
}

// Of what an array is read through, only the reading counts.
static void count_nodes(const TirExpr *expr, void *data) {
    unsigned *count = data;
    uint32_t numel = expr->type->numel;
    *count += numel >= LONG_ARRAY ? LOOP_NODES : numel < SMALL_ARRAY ? numel : SMALL_ARRAY;
    bool is_read = expr->kind == EXPR_VIEW && tir_bottom(expr)->kind == EXPR_VAR;
    if (!is_read) {
        tir_read_operands(expr, count_nodes, data);
    }
}

// False: it would be too long.
static bool spend(Unroller *unroller, const TirStmt *stmt) {
    unsigned count = 1;
    tir_read_exprs(stmt, count_nodes, &count);
    bool fits = count <= unroller->left;
    unroller->left -= fits ? count : 0;
    return fits;
}

static bool copy_block(Unroller *unroller, const TirBlock *block, const Turn *turn, TirBlock *out);

static bool copy_set(Unroller *unroller, const TirStmt *stmt, const Turn *turn, TirBlock *out) {
    TirStmt *copy = tir_stmt(unroller->tir, out, STMT_SET, stmt->span);
    copy->set = stmt->set;
    copy->set.place = at_turn(unroller, turn, stmt->set.place);
    copy->set.value = at_turn(unroller, turn, stmt->set.value);
    return spend(unroller, copy);
}

static bool copy_branch(Unroller *unroller, const TirStmt *stmt, const Turn *turn, TirBlock *out) {
    TirExpr *condition = at_turn(unroller, turn, stmt->branch.condition);
    if (condition->kind == EXPR_CONST) {
        bool holds = condition->data[0].boolean;
        return copy_block(unroller, holds ? &stmt->branch.then : &stmt->branch.otherwise, turn,
                          out);
    }
    TirStmt *copy = tir_stmt(unroller->tir, out, STMT_IF, stmt->span);
    copy->branch.condition = condition;
    return spend(unroller, copy) &&
           copy_block(unroller, &stmt->branch.then, turn, &copy->branch.then) &&
           copy_block(unroller, &stmt->branch.otherwise, turn, &copy->branch.otherwise);
}

// The copies of all turns, one after the other.
static bool copy_loop(Unroller *unroller, const TirStmt *stmt, const Turn *outer, TirBlock *out) {
    int64_t first, last, step;
    Tir *tir = unroller->tir;
    if (!constant_integer(tir, at_turn(unroller, outer, stmt->for_loop.first), &first) ||
        !constant_integer(tir, at_turn(unroller, outer, stmt->for_loop.last), &last) ||
        !constant_integer(tir, at_turn(unroller, outer, stmt->for_loop.step), &step) || step == 0) {
        return false;
    }
    for (int64_t i = first; step > 0 ? i < last : i > last; i += step) {
        Turn turn = {stmt->for_loop.var, tir_const_int(tir, (int32_t)i, stmt->span), outer};
        if (unroller->left == 0 || !copy_block(unroller, &stmt->for_loop.body, &turn, out)) {
            return false;
        }
        unroller->left--;
    }
    return true;
}

static bool copy_block(Unroller *unroller, const TirBlock *block, const Turn *turn, TirBlock *out) {
    bool fits = true;
    for (size_t i = 0; i < block->count && fits; i++) {
        const TirStmt *stmt = block->items[i];
        switch (stmt->kind) {
        case STMT_SET: fits = copy_set(unroller, stmt, turn, out); break;
        case STMT_IF: fits = copy_branch(unroller, stmt, turn, out); break;
        case STMT_FOR: fits = copy_loop(unroller, stmt, turn, out); break;
        case STMT_NEST:
        case STMT_CALL:
        case STMT_WHILE:
        case STMT_BREAK:
        case STMT_CONTINUE:
        case STMT_RETURN:
        case STMT_PRINT:
        case STMT_INPUT:
        case STMT_OUTPUT:
        case STMT_ASSERT: return false;
        }
    }
    return fits;
}

// Whether a loop inside has bounds that depend on the variable.
static bool is_triangular(const TirVar *var, TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        Replacement search = {.var = var};
        if (stmt->kind == STMT_FOR) {
            tir_read_exprs(stmt, search_var, &search);
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0 && !search.found;) {
            search.found = is_triangular(var, nested[k]);
        }
        if (search.found) {
            return true;
        }
    }
    return false;
}

// Whether each turn sets long arrays, and nothing else.
static bool has_long_sets(const TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        const TirStmt *stmt = block->items[i];
        if (stmt->kind != STMT_SET || stmt->set.place->type->numel < LONG_ARRAY) {
            return false;
        }
    }
    return block->count > 0;
}

// All turns in one nest, or in one loop of pass_batch: what they hand on stays in registers.
static bool are_one_nest(const TirBlock *sets) {
    for (size_t i = 0; i < sets->count; i++) {
        TirBlock before = {.items = sets->items, .count = i};
        if (!(tir_nest_fits(&before, sets->items[i]) || columns_are_read(sets->items[i])) ||
            !tir_nest_takes(&before, sets->items[i])) {
            return false;
        }
    }
    return sets->count > 1;
}

static bool unroll_loop(Unroller *unroller, TirStmt *stmt, TirBlock *out) {
    bool is_triangle = is_triangular(stmt->for_loop.var, &stmt->for_loop.body);
    bool is_chain = !is_triangle && has_long_sets(&stmt->for_loop.body);
    if (!is_triangle && !is_chain) {
        return false;
    }
    TirBlock copies = {0};
    unsigned most =
        unroller->left_of_function < COPY_LIMIT ? unroller->left_of_function : COPY_LIMIT;
    unroller->left = most;
    if (!copy_loop(unroller, stmt, NULL, &copies) || (is_chain && !are_one_nest(&copies))) {
        return false;
    }
    unroller->left_of_function -= most - unroller->left;
    for (size_t i = 0; i < copies.count; i++) {
        LIST_PUSH(unroller->tir->arena, out, copies.items[i]);
    }
    return true;
}

static void unroll_block(Unroller *unroller, TirBlock *block) {
    TirBlock out = {0};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_FOR && unroll_loop(unroller, stmt, &out)) {
            continue;
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            unroll_block(unroller, nested[k]);
        }
        LIST_PUSH(unroller->tir->arena, &out, stmt);
    }
    *block = out;
}

void pass_unroll(Tir *tir, TirProgram *program) {
    for (size_t i = 0; i < program->functions.count; i++) {
        Unroller unroller = {.tir = tir, .left_of_function = FUNCTION_LIMIT};
        unroll_block(&unroller, &program->functions.items[i]->body);
    }
}
