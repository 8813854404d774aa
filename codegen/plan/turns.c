// The test refuses what it does not know. It lets pass loops that count up by 1, of assignments and
// of inner loops and branches of these, where nothing traps, and where what a turn writes is either
//
// - its own: a variable that nothing outside of the loop uses, and that each turn sets as a whole
//   before anything else is done with it; or
// - elements of an array whose position in one dim is the loop's variable, wherever in the loop the
//   array is written or read.
#include "codegen/plan/turns.h"

#include "codegen/plan/limits.h"
#include "tir/uses.h"
#include "tir/visit.h"
#include "types/memory.h"

typedef struct Test {
    unsigned inner; // loops around the statement at hand
    bool holds;
} Test;

static bool is_step(const TirExpr *step, bool is_one) {
    int64_t value = step->kind == EXPR_CONST ? step->data[0].integer : 0;
    return is_one ? value == 1 : value != 0;
}

static void test_expr(const TirExpr *expr, void *data) {
    Test *test = data;
    test->holds = test->holds && !tir_may_trap(expr);
}

static void test_block(Test *test, TirBlock *block);

static void test_stmt(Test *test, TirStmt *stmt) {
    tir_read_exprs(stmt, test_expr, test);
    switch (stmt->kind) {
    case STMT_SET:
    case STMT_NEST:
    case STMT_IF:
    case STMT_WHILE: break;
    case STMT_FOR: test->holds = test->holds && is_step(stmt->for_loop.step, false); break;
    case STMT_BREAK:
    case STMT_CONTINUE: test->holds = test->holds && test->inner > 0; break;
    case STMT_CALL:
    case STMT_RETURN:
    case STMT_PRINT:
    case STMT_INPUT:
    case STMT_OUTPUT:
    case STMT_ASSERT: test->holds = false; break;
    }
    bool is_loop = stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE;
    test->inner += is_loop;
    TirBlock *blocks[2];
    for (size_t k = tir_stmt_blocks(stmt, blocks); k-- > 0 && test->holds;) {
        test_block(test, blocks[k]);
    }
    test->inner -= is_loop;
}

static void test_block(Test *test, TirBlock *block) {
    for (size_t i = 0; i < block->count && test->holds; i++) {
        test_stmt(test, block->items[i]);
    }
}

// What the loop does with one variable.
typedef struct Uses {
    const TirVar *var;
    const TirVar *counter;
    uint32_t count;
    bool is_split; // all elements are at the counter in dim `dim`
    bool has_dim;
    size_t dim;
} Uses;

static void see_view(Uses *uses, const TirExpr *view) {
    for (size_t k = 0; k < uses->var->type->flat_rank; k++) {
        const TirExpr *index = view->view.axes[k].index;
        bool is_here = index != NULL && index->kind == EXPR_VAR && index->var == uses->counter;
        if (is_here && (!uses->has_dim || uses->dim == k)) {
            uses->has_dim = true;
            uses->dim = k;
            return;
        }
    }
    uses->is_split = false;
}

static void see_use(const TirExpr *expr, void *data) {
    Uses *uses = data;
    if (expr->kind == EXPR_VAR && expr->var == uses->var) {
        uses->count++;
        uses->is_split = false;
        return;
    }
    const TirExpr *from = expr->kind == EXPR_VIEW ? expr->view.operand : NULL;
    if (from == NULL || from->kind != EXPR_VAR || from->var != uses->var) {
        tir_read_operands(expr, see_use, uses);
        return;
    }
    uses->count++;
    see_view(uses, expr);
    for (size_t k = 0; k < from->type->flat_rank; k++) {
        if (expr->view.axes[k].index != NULL) {
            see_use(expr->view.axes[k].index, uses);
        }
    }
}

static void count_counter(TirStmt *stmt, void *data) {
    Uses *uses = data;
    uses->count += stmt->kind == STMT_FOR && stmt->for_loop.var == uses->var;
}

static Uses uses_in(TirStmt *stmt, const TirVar *var, const TirVar *counter) {
    Uses uses = {.var = var, .counter = counter, .is_split = true};
    TirBlock block = {.items = &stmt, .count = 1};
    tir_read_exprs_in(&block, see_use, &uses);
    tir_visit_stmts(&block, count_counter, &uses);
    return uses;
}

static bool sets_whole(const TirStmt *stmt, const TirVar *var) {
    Uses uses = {.var = var};
    if (stmt->kind == STMT_SET) {
        see_use(stmt->set.value, &uses);
    }
    return tir_sets_var(stmt, var) && uses.count == 0;
}

static bool sets_first(TirBlock *block, const TirVar *var);

// Of a statement that alone of its block does something with the variable: each time it runs.
static bool sets_first_inside(TirStmt *stmt, const TirVar *var) {
    Uses own = {.var = var};
    tir_read_exprs(stmt, see_use, &own);
    bool is_counter = stmt->kind == STMT_FOR && stmt->for_loop.var == var;
    if (own.count > 0 || is_counter) {
        return is_counter && own.count == 0;
    }
    TirBlock *blocks[2];
    bool found = true;
    for (size_t k = tir_stmt_blocks(stmt, blocks); k-- > 0;) {
        found = found && sets_first(blocks[k], var);
    }
    return found;
}

// Whether the block sets all of the variable before it does anything else with it, or nothing.
static bool sets_first(TirBlock *block, const TirVar *var) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (uses_in(stmt, var, NULL).count == 0) {
            continue;
        }
        if (sets_whole(stmt, var)) {
            return true;
        }
        if (stmt->kind == STMT_NEST) {
            return sets_first(&stmt->nest, var);
        }
        for (size_t k = i + 1; k < block->count; k++) {
            if (uses_in(block->items[k], var, NULL).count > 0) {
                return false;
            }
        }
        return sets_first_inside(stmt, var);
    }
    return true;
}

// Variables that only the loop uses, and the memory of those of a turn.
typedef struct Owner {
    Arena *arena;
    const PlanFacts *facts;
    TurnsPlan *plan;
    TirStmt *loop;
    const uint32_t *uses, *uses_inside;
    uint64_t bytes;
    bool holds;
} Owner;

static bool is_own(Owner *owner, const TirVar *var) {
    bool has_memory = var->storage == STORAGE_NONE || var->storage == STORAGE_REGISTER ||
                      var->storage == STORAGE_STACK || var->storage == STORAGE_SCRATCH ||
                      var->storage == STORAGE_ELEMENT;
    return has_memory && !tir_var_is_global(var) && !tir_var_is_interface(var) &&
           owner->uses[var->id] == owner->uses_inside[var->id] &&
           (var == owner->loop->for_loop.var || sets_first(&owner->loop->for_loop.body, var));
}

static bool is_known(const Owner *owner, const TirVar *var) {
    for (size_t i = 0; i < owner->plan->own.count; i++) {
        if (owner->plan->own.items[i] == var) {
            return true;
        }
    }
    return false;
}

static void add_written(Owner *owner, const TirVar *var) {
    if (is_known(owner, var)) {
        return;
    }
    if (var->storage == STORAGE_PART || (is_own(owner, var) && var->storage == STORAGE_ELEMENT)) {
        return; // no memory of its own
    }
    if (is_own(owner, var)) {
        LIST_PUSH(owner->arena, &owner->plan->own, var);
        owner->bytes += type_bytes(var->type, owner->facts->single);
        owner->holds = owner->bytes <= SPLIT_OWN_BYTES;
        return;
    }
    Uses uses = uses_in(owner->loop, var, owner->loop->for_loop.var);
    owner->holds = var != owner->loop->for_loop.var && uses.is_split && uses.has_dim;
}

static bool writes_other(TirStmt *stmt, void *data) {
    Owner *owner = data;
    const TirVar *var;
    for (size_t k = 0; owner->holds && (var = tir_stmt_written(stmt, k)) != NULL; k++) {
        add_written(owner, var);
    }
    return !owner->holds;
}

static bool is_apart(Arena *arena, const PlanFacts *facts, const TirFunction *function,
                     TirStmt *loop, TurnsPlan *plan) {
    Test test = {.holds = is_step(loop->for_loop.step, true)};
    test_block(&test, &loop->for_loop.body);
    if (!test.holds) {
        return false;
    }
    TirBlock whole = function->body;
    TirBlock alone = {.items = &loop, .count = 1};
    Owner owner = {
        .arena = arena,
        .facts = facts,
        .plan = plan,
        .loop = loop,
        .uses = tir_count_mentions(arena, function, &whole),
        .uses_inside = tir_count_mentions(arena, function, &alone),
        .holds = true,
    };
    return !tir_any_stmt(&alone, writes_other, &owner);
}

TurnsPlan turns_plan(Arena *arena, const PlanFacts *facts, const TirFunction *function,
                     TirStmt *loop) {
    TurnsPlan plan = {.split = split_loop(facts, loop)};
    bool is_split = plan.split.kind != SPLIT_NONE;
    if (is_split && !is_apart(arena, facts, function, loop, &plan)) {
        plan.split.kind = SPLIT_NONE;
    }
    return plan;
}
