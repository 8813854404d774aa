// A range goes from what the variable is before the loop to what it is set back to and to the end
// up to which it counts: in `%`, or in a comparison.
#include "tir/rings.h"

#include "tir/visit.h"

enum { STATEMENTS_MOST = 64 };

typedef struct Search {
    const Interval *vars;
    Rings rings;
    bool is_known; // which variables there are; now it is about their ends
    unsigned left; // statements
} Search;

static Ring *ring_of(Rings *rings, const TirExpr *expr) {
    for (size_t i = 0; expr->kind == EXPR_VAR && i < rings->count; i++) {
        if (rings->items[i].var == expr->var->id && !tir_var_is_global(expr->var)) {
            return &rings->items[i];
        }
    }
    return NULL;
}

static void stretch(Ring *ring, int64_t to) {
    ring->range = interval_join(ring->range, (Interval){to, to});
}

static bool is_integer(const TirExpr *expr) {
    return root_is_integer(expr->type->root) && type_is_scalar(expr->type);
}

static bool constant_of(const TirExpr *expr, int64_t *value) {
    if (expr->kind != EXPR_CONST || !is_integer(expr)) {
        return false;
    }
    *value = expr->type->root == ROOT_INT ? expr->data[0].integer : (int64_t)expr->data[0].uint;
    return true;
}

// `at == 16` and `at >= 16`: it counts up to 15; `at < 0`: down to 0.
static void see_condition(Rings *rings, const TirExpr *condition) {
    int64_t end;
    TirOp op = condition->kind == EXPR_MAP ? condition->map.op : OP_NOT;
    bool compares = op == OP_EQ || op == OP_LT || op == OP_LE || op == OP_GT || op == OP_GE;
    Ring *ring = compares ? ring_of(rings, condition->map.args[0]) : NULL;
    if (ring == NULL || !constant_of(condition->map.args[1], &end)) {
        return;
    }
    bool is_above = op == OP_GE || (op == OP_EQ && end > ring->range.most);
    bool is_below = op == OP_LE || (op == OP_EQ && end < ring->range.least);
    stretch(ring, end - is_above + is_below);
}

static void see_value(Rings *rings, const TirStmt *set) {
    int64_t end;
    const TirExpr *value = set->set.value;
    Ring *ring = ring_of(rings, set->set.place);
    bool is_rest = value->kind == EXPR_MAP && value->map.op == OP_REM;
    if (ring != NULL && constant_of(is_rest ? value->map.args[1] : value, &end)) {
        stretch(ring, end - is_rest);
    }
}

static void add_ring(Search *search, const TirExpr *place) {
    Rings *rings = &search->rings;
    if (place->kind != EXPR_VAR || !is_integer(place) || tir_var_is_global(place->var) ||
        rings->count == RINGS_MOST || ring_of(rings, place) != NULL) {
        return;
    }
    Interval begin = search->vars[place->var->id];
    if (!interval_is_within(interval_all(place->type->root), begin)) {
        rings->items[rings->count++] = (Ring){place->var->id, begin};
    }
}

// False: the block is too long, or turns may end in it.
static bool see_block(Search *search, TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_BREAK || stmt->kind == STMT_CONTINUE || search->left == 0) {
            return false;
        }
        search->left--;
        if (stmt->kind == STMT_SET && !search->is_known) {
            add_ring(search, stmt->set.place);
        } else if (stmt->kind == STMT_SET) {
            see_value(&search->rings, stmt);
        } else if (stmt->kind == STMT_IF && search->is_known) {
            see_condition(&search->rings, stmt->branch.condition);
        }
        TirBlock *nested[2];
        size_t count = tir_stmt_blocks(stmt, nested);
        for (size_t k = 0; k < count; k++) {
            if (!see_block(search, nested[k])) {
                return false;
            }
        }
    }
    return true;
}

Rings rings_before(const Interval *vars, TirStmt *loop) {
    Search search = {.vars = vars, .left = STATEMENTS_MOST};
    if (!see_block(&search, &loop->for_loop.body) || search.rings.count == 0) {
        return (Rings){.count = 0};
    }
    search.is_known = true;
    search.left = STATEMENTS_MOST;
    see_block(&search, &loop->for_loop.body);
    return search.rings;
}
