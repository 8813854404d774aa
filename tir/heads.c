// A range is stretched to the next number that the loop compares with or begins with, or to 0, and,
// where that has not helped for some rounds, to all that the variable can hold: what is left then
// has its ends from the loop's condition.
#include "tir/heads.h"

#include "tir/uses.h"
#include "tir/visit.h"

enum {
    STATEMENTS_MOST = 64,
    ROUNDS = 16, // in which ranges are stretched to the next end
};

typedef struct Search {
    const Interval *vars;
    Heads heads;
    unsigned left; // statements
    bool is_full;
} Search;

static bool is_integer(const Type *type) {
    return root_is_integer(type->root) && type_is_scalar(type);
}

Head *heads_find(Heads *heads, uint32_t var) {
    for (size_t i = 0; i < heads->count; i++) {
        if (heads->items[i].var == var) {
            return &heads->items[i];
        }
    }
    return NULL;
}

static void add_end(Heads *heads, int64_t end) {
    for (size_t i = 0; i < heads->end_count; i++) {
        if (heads->ends[i] == end) {
            return;
        }
    }
    if (heads->end_count < HEAD_ENDS_MOST) {
        heads->ends[heads->end_count++] = end;
    }
}

static void add_head(Search *search, const TirVar *var) {
    Heads *heads = &search->heads;
    if (!is_integer(var->type) || tir_var_is_global(var) || heads_find(heads, var->id) != NULL) {
        return;
    }
    if (heads->count == HEADS_MOST) {
        search->is_full = true;
        return;
    }
    Interval begin = search->vars[var->id];
    heads->items[heads->count++] =
        (Head){.var = var->id, .root = var->type->root, .begin = begin, .range = begin};
    add_end(heads, begin.least);
    add_end(heads, begin.most);
}

// Constants, those beside them, and what variables that the loop does not write can be at most.
static void see_expr(const TirExpr *expr, void *data) {
    Search *search = data;
    if (is_integer(expr->type) && (expr->kind == EXPR_CONST || expr->kind == EXPR_VAR)) {
        Interval range = interval_of(search->vars, expr);
        add_end(&search->heads, range.least - 1);
        add_end(&search->heads, range.least);
        add_end(&search->heads, range.most);
        add_end(&search->heads, range.most + 1);
    }
    tir_read_operands(expr, see_expr, data);
}

// Where values end that are made of constants so.
static void see_value(const TirExpr *expr, void *data) {
    Search *search = data;
    bool has_ends = expr->kind == EXPR_MAP && is_integer(expr->type) &&
                    (expr->map.op == OP_REM || expr->map.op == OP_MIN || expr->map.op == OP_MAX ||
                     expr->map.op == OP_BIT_AND);
    for (unsigned i = 0; has_ends && i < 2; i++) {
        if (expr->map.args[i]->kind == EXPR_CONST) {
            see_expr(expr->map.args[i], search);
        }
    }
    tir_read_operands(expr, see_value, data);
}

static bool see_stmt(TirStmt *stmt, void *data) {
    Search *search = data;
    search->is_full = search->left == 0;
    search->left -= search->left > 0;
    const TirVar *var;
    for (size_t k = 0; (var = tir_stmt_written(stmt, k)) != NULL; k++) {
        add_head(search, var);
    }
    if (stmt->kind == STMT_IF) {
        see_expr(stmt->branch.condition, search);
    }
    tir_read_values(stmt, see_value, search);
    return search->is_full;
}

Heads heads_before(const Interval *vars, TirStmt *loop) {
    Search search = {.vars = vars, .left = STATEMENTS_MOST};
    add_end(&search.heads, 0);
    search.is_full = tir_any_stmt(&loop->while_loop.before, see_stmt, &search) ||
                     tir_any_stmt(&loop->while_loop.body, see_stmt, &search);
    see_expr(loop->while_loop.condition, &search);
    search.heads.count = search.is_full ? 0 : search.heads.count;
    return search.heads;
}

static int64_t end_below(const Heads *heads, int64_t least, int64_t all) {
    for (size_t i = 0; i < heads->end_count && heads->rounds < ROUNDS; i++) {
        all = heads->ends[i] <= least && heads->ends[i] > all ? heads->ends[i] : all;
    }
    return all;
}

static int64_t end_above(const Heads *heads, int64_t most, int64_t all) {
    for (size_t i = 0; i < heads->end_count && heads->rounds < ROUNDS; i++) {
        all = heads->ends[i] >= most && heads->ends[i] < all ? heads->ends[i] : all;
    }
    return all;
}

bool heads_stay(Heads *heads, Head *head, Interval left) {
    Interval all = interval_all(head->root);
    if (interval_is_within(left, head->range)) {
        return true;
    }
    if (left.least < head->range.least) {
        head->range.least = end_below(heads, left.least, all.least);
    }
    if (left.most > head->range.most) {
        head->range.most = end_above(heads, left.most, all.most);
    }
    return false;
}
