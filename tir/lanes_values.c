// A value need not be kept in two cases, of which loops that branch are full. A scalar that is used
// in one block only, which gives it a value before all else, ends with each run of the block. And
// one that is read in one inner loop only, which it enters with a new value each time, does not
// matter to lanes that have left the loop.
#include "tir/lanes_values.h"

#include "support/bug.h"
#include "tir/uses.h"
#include "tir/visit.h"

// A block, or a statement in one.
typedef struct Node {
    struct Node *parent;
    unsigned depth;
    TirBlock *block; // NULL: a statement
    TirStmt *stmt;
} Node;

typedef struct Uses {
    Node *all, *reads; // the innermost node around them
} Uses;

typedef struct Builder {
    Arena *arena;
    LanesValues *values;
    Node *at;
} Builder;

static Node *around_both(Node *a, Node *b) {
    if (a == NULL) {
        return b;
    }
    while (a != b) {
        if (a->depth >= b->depth) {
            a = a->parent;
        } else {
            b = b->parent;
        }
    }
    return a;
}

static void note(Builder *builder, const TirVar *var, bool is_read) {
    Uses *uses = table_get(&builder->values->vars, var);
    if (uses == NULL) {
        uses = ARENA_NEW(builder->arena, Uses);
        table_set(builder->arena, &builder->values->vars, var, uses);
    }
    uses->all = around_both(uses->all, builder->at);
    if (is_read) {
        uses->reads = around_both(uses->reads, builder->at);
    }
}

static void note_read(const TirExpr *expr, void *data) {
    if (expr->kind == EXPR_VAR) {
        note(data, expr->var, true);
    }
    tir_read_operands(expr, note_read, data);
}

static Node *new_node(Builder *builder, TirBlock *block, TirStmt *stmt) {
    Node *node = ARENA_NEW(builder->arena, Node);
    unsigned depth = builder->at == NULL ? 0 : builder->at->depth + 1;
    *node = (Node){.parent = builder->at, .depth = depth, .block = block, .stmt = stmt};
    return node;
}

static void build(Builder *builder, TirBlock *block) {
    Node *outer = builder->at;
    Node *node = new_node(builder, block, NULL);
    table_set(builder->arena, &builder->values->blocks, block, node);
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        builder->at = node;
        builder->at = new_node(builder, NULL, stmt);
        if (tir_sets_whole(stmt)) {
            note(builder, stmt->set.place->var, false);
            note_read(stmt->set.value, builder);
        } else {
            tir_read_exprs(stmt, note_read, builder);
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            build(builder, nested[k]);
        }
    }
    builder->at = outer;
}

LanesValues lanes_values(Arena *arena, TirStmt *loop) {
    LanesValues values = {.body = &loop->for_loop.body};
    Builder builder = {.arena = arena, .values = &values};
    build(&builder, values.body);
    return values;
}

// An assignment that does not read what it assigns.
static bool gives_new_value(const TirStmt *stmt, const TirVar *var) {
    return tir_sets_var(stmt, var) && tir_expr_reads(stmt->set.value, var) == 0;
}

static bool begins_with_new_value(const TirBlock *block, const TirVar *var) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (tir_stmt_writes(stmt, var) || tir_stmt_reads(stmt, var) > 0) {
            return gives_new_value(stmt, var);
        }
    }
    return false;
}

// Whether the block gives the variable a value before this statement of it, on every path.
static bool sets_before(const TirBlock *block, const TirStmt *stmt, const TirVar *var) {
    for (size_t i = 0; i < block->count && block->items[i] != stmt; i++) {
        if (tir_sets_var(block->items[i], var)) {
            return true;
        }
    }
    return false;
}

static bool is_around(const Node *outer, const Node *inner) {
    while (inner != NULL && inner != outer) {
        inner = inner->parent;
    }
    return inner == outer;
}

// The innermost block around all that a variable is used in.
static const Node *home_of(const LanesValues *values, const TirVar *var) {
    const Uses *uses = table_get(&values->vars, var);
    CHECK(uses != NULL);
    return uses->all->block != NULL ? uses->all : uses->all->parent;
}

bool lanes_values_begin(const LanesValues *values, const TirVar *var) {
    return !begins_with_new_value(home_of(values, var)->block, var);
}

bool lanes_values_keep(const LanesValues *values, const TirVar *var, TirBlock *block) {
    const Uses *uses = table_get(&values->vars, var);
    const Node *node = table_get(&values->blocks, block);
    CHECK(uses != NULL && node != NULL);
    if (block == values->body) {
        return false; // lanes that are no turn, or done with it
    }
    if (home_of(values, var) == node) {
        return !begins_with_new_value(block, var);
    }
    const Node *loop = node->parent;
    bool is_body = (loop->stmt->kind == STMT_WHILE && block == &loop->stmt->while_loop.body) ||
                   (loop->stmt->kind == STMT_FOR && block == &loop->stmt->for_loop.body);
    bool is_read_there = uses->reads == NULL || is_around(loop, uses->reads);
    return !is_body || !is_read_there || !sets_before(loop->parent->block, loop->stmt, var) ||
           tir_block_jumps(block, STMT_CONTINUE);
}
