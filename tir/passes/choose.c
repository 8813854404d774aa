// Makes branches that only give the same few scalars one of two values assignments of what is
// chosen:
//
//     if z >= 0:                          c = z >= 0
//         x -= dy                         x1 = select(c, x - dy, x + dy)
//         z -= angle[k]                   z1 = select(c, z - angle[k], z + angle[k])
//     else:                               x = x1
//         x += dy                         z = z1
//         z += angle[k]
//
// A branch of that form goes one way about as often as the other, and a processor that guesses
// wrong loses more than both sides take: 16 rotations of whole numbers that follow the sign of an
// angle take a tenth of the time. Reads any valid TIR and leaves such.
#include "tir/passes/passes.h"

#include "tir/uses.h"
#include "tir/visit.h"

enum {
    SETS_LEAST = 2, // of a side: what becomes of one is for LLVM to say
    SETS_MOST = 4,
    NODES_MOST = 8, // of a value
};

typedef struct Chooser {
    Tir *tir;
    TirFunction *function;
} Chooser;

typedef struct Cost {
    unsigned nodes;
    bool is_slow;
} Cost;

static void add_cost(const TirExpr *expr, void *data) {
    Cost *cost = data;
    cost->nodes++;
    cost->is_slow |=
        !type_is_scalar(expr->type) && expr->kind != EXPR_VAR && expr->kind != EXPR_CONST;
    if (expr->kind == EXPR_MAP) {
        TirOp op = expr->map.op;
        cost->is_slow |=
            op == OP_DIV || op == OP_REM || op == OP_POW || op == OP_SQRT || tir_op_is_function(op);
    }
    if (cost->nodes <= NODES_MOST && !cost->is_slow) {
        tir_read_operands(expr, add_cost, data);
    }
}

// Whether a value may be computed where it is not needed, and that costs next to nothing.
static bool is_cheap(const TirExpr *value) {
    Cost cost = {0};
    add_cost(value, &cost);
    return cost.nodes <= NODES_MOST && !cost.is_slow && !tir_may_trap(value) && tir_is_free(value);
}

static bool is_scalar(const TirVar *var) {
    return (var->role == VAR_LOCAL || var->role == VAR_TEMP) && type_is_scalar(var->type);
}

// The set of a variable; NULL: there is none.
static const TirStmt *set_of(const TirBlock *block, const TirVar *var) {
    for (size_t i = 0; i < block->count; i++) {
        if (block->items[i]->set.place->var == var) {
            return block->items[i];
        }
    }
    return NULL;
}

// Whether a side of a branch only gives scalars cheap values, each one of them once, and none of
// them is read behind that.
static bool is_plain(const TirBlock *block) {
    if (block->count < SETS_LEAST || block->count > SETS_MOST) {
        return false;
    }
    for (size_t i = 0; i < block->count; i++) {
        const TirStmt *set = block->items[i];
        if (set->kind != STMT_SET || set->set.place->kind != EXPR_VAR ||
            !is_scalar(set->set.place->var) || !is_cheap(set->set.value)) {
            return false;
        }
        for (size_t k = 0; k < i; k++) {
            const TirVar *var = block->items[k]->set.place->var;
            if (var == set->set.place->var || tir_expr_reads(set->set.value, var) > 0) {
                return false;
            }
        }
    }
    return true;
}

static bool is_choice(const TirStmt *stmt) {
    const TirBlock *then = &stmt->branch.then, *otherwise = &stmt->branch.otherwise;
    if (stmt->kind != STMT_IF || stmt->branch.is_debug || then->count != otherwise->count ||
        !is_plain(then) || !is_plain(otherwise)) {
        return false;
    }
    for (size_t i = 0; i < then->count; i++) {
        if (set_of(otherwise, then->items[i]->set.place->var) == NULL) {
            return false;
        }
    }
    return true;
}

static TirVar *new_scalar(const Chooser *chooser, const Type *type, Span span) {
    return tir_var_create(chooser->tir, chooser->function, VAR_TEMP, NULL, type, span);
}

static void choose(const Chooser *chooser, const TirStmt *stmt, TirBlock *out) {
    Tir *tir = chooser->tir;
    const TirBlock *then = &stmt->branch.then;
    TirVar *condition = new_scalar(chooser, stmt->branch.condition->type, stmt->span);
    tir_set(tir, out, tir_read(tir, condition, stmt->span), stmt->branch.condition, stmt->span);
    TirVar *values[SETS_MOST];
    for (size_t i = 0; i < then->count; i++) {
        const TirStmt *yes = then->items[i];
        const TirStmt *no = set_of(&stmt->branch.otherwise, yes->set.place->var);
        values[i] = new_scalar(chooser, yes->set.place->type, yes->span);
        TirExpr *value =
            tir_map(tir, OP_SELECT, values[i]->type, tir_read(tir, condition, stmt->span),
                    yes->set.value, no->set.value, yes->span);
        tir_set(tir, out, tir_read(tir, values[i], yes->span), value, yes->span);
    }
    for (size_t i = 0; i < then->count; i++) {
        const TirStmt *yes = then->items[i];
        tir_set(tir, out, yes->set.place, tir_read(tir, values[i], yes->span), yes->span);
    }
}

static void choose_in(const Chooser *chooser, TirBlock *block) {
    TirBlock out = {0};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            choose_in(chooser, nested[k]);
        }
        if (is_choice(stmt)) {
            choose(chooser, stmt, &out);
        } else {
            LIST_PUSH(chooser->tir->arena, &out, stmt);
        }
    }
    *block = out;
}

void pass_choose(Tir *tir, TirProgram *program) {
    for (size_t i = 0; i < program->functions.count; i++) {
        Chooser chooser = {tir, program->functions.items[i]};
        choose_in(&chooser, &chooser.function->body);
    }
}
