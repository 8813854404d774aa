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
// angle take a third of the time. Where both sides compute the same of another scalar, that one is
// chosen:
//
//     if level > env:                     c = level > env
//         env += attack * (level - env)   env1 = env + select(c, attack, release) * (level - env)
//     else:                               env = env1
//         env += release * (level - env)
//
// Not in loops whose turns run side by side: they have masks, and sums must stay what they are seen
// to be. Reads any valid TIR and leaves such.
#include "tir/passes/passes.h"

#include "tir/remark.h"
#include "tir/same.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum {
    SETS_LEAST = 2, // of a side that is not the same as the other: one is for LLVM to say
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
    cost->is_slow |= expr->kind == EXPR_MAP && tir_op_is_dear(expr->map.op);
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
    return tir_var_is_local(var) && type_is_scalar(var->type);
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

// Whether a side of a branch only gives scalars values, each one of them once, and none of them is
// read behind that, nor known to be set where another one traps.
static bool is_plain(const TirBlock *block) {
    if (block->count == 0 || block->count > SETS_MOST) {
        return false;
    }
    for (size_t i = 0; i < block->count; i++) {
        const TirStmt *set = block->items[i];
        if (!tir_sets_scalar(set) || (block->count > 1 && tir_may_trap(set->set.value))) {
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

// What is the same whichever side reads it, and is there at once.
static bool is_leaf(const TirExpr *expr) {
    return type_is_scalar(expr->type) && !tir_may_trap(expr) && tir_is_free(expr) &&
           (expr->kind == EXPR_VAR || expr->kind == EXPR_CONST || expr->kind == EXPR_VIEW);
}

enum { OPERANDS_MOST = 8 };

typedef struct Operands {
    const TirExpr *items[OPERANDS_MOST];
    size_t count; // with those that are too many
} Operands;

static void add_operand(const TirExpr *expr, void *data) {
    Operands *operands = data;
    if (operands->count < OPERANDS_MOST) {
        operands->items[operands->count] = expr;
    }
    operands->count++;
}

static bool has_same_proofs(const TirExpr *a, const TirExpr *b) {
    for (size_t k = 0; a->kind == EXPR_VIEW && k < a->view.operand->type->flat_rank; k++) {
        const TirAxis *x = &a->view.axes[k], *y = &b->view.axes[k];
        if (x->unchecked != y->unchecked || x->is_free != y->is_free ||
            x->never_wraps != y->never_wraps) {
            return false;
        }
    }
    return true;
}

// Of two that have one value: whether the same has been proven of their indices, each by what holds
// on its own side.
static bool is_proven_alike(const TirExpr *a, const TirExpr *b) {
    Operands of_a = {0}, of_b = {0};
    tir_read_operands(a, add_operand, &of_a);
    tir_read_operands(b, add_operand, &of_b);
    bool is_alike = has_same_proofs(a, b) && of_a.count <= OPERANDS_MOST;
    for (size_t i = 0; i < of_a.count && is_alike; i++) {
        is_alike = is_proven_alike(of_a.items[i], of_b.items[i]);
    }
    return is_alike;
}

// The value of two that compute the same but for one scalar, or of none; NULL: they do not.
static TirExpr *merged(Tir *tir, TirExpr *condition, TirExpr *yes, TirExpr *no, unsigned *choices) {
    if (tir_same_value(yes, no)) {
        return is_proven_alike(yes, no) ? yes : NULL;
    }
    if (yes->type != no->type || !type_is_scalar(yes->type)) {
        return NULL;
    }
    if (yes->kind == EXPR_CONVERT && no->kind == EXPR_CONVERT &&
        yes->operand->type == no->operand->type) {
        TirExpr *operand = merged(tir, condition, yes->operand, no->operand, choices);
        return operand == NULL ? NULL : tir_convert_as(tir, yes->is_small ? no : yes, operand);
    }
    if (yes->kind == EXPR_MAP && no->kind == EXPR_MAP && yes->map.op == no->map.op &&
        !tir_is_short_circuit(yes)) {
        TirExpr *args[3] = {NULL};
        for (unsigned i = 0; i < tir_op_arity(yes->map.op); i++) {
            args[i] = merged(tir, condition, yes->map.args[i], no->map.args[i], choices);
            if (args[i] == NULL) {
                return NULL;
            }
        }
        return tir_map(tir, yes->map.op, yes->type, args[0], args[1], args[2], yes->span);
    }
    if (!is_leaf(yes) || !is_leaf(no) || ++*choices > 1) {
        return NULL;
    }
    return tir_map(tir, OP_SELECT, yes->type, condition, yes, no, yes->span);
}

// Where one traps, it has to be told which one.
static TirExpr *same_but_one(Tir *tir, TirExpr *condition, TirExpr *yes, TirExpr *no) {
    unsigned choices = 0;
    bool is_for_itself = (is_leaf(yes) && is_leaf(no)) || tir_may_trap(yes) || tir_may_trap(no);
    return is_for_itself ? NULL : merged(tir, condition, yes, no, &choices);
}

// Each scalar is had as two values of which one is chosen, or all as one with a choice in it.
static bool is_choice(Tir *tir, const TirStmt *stmt) {
    const TirBlock *then = &stmt->branch.then, *otherwise = &stmt->branch.otherwise;
    if (stmt->kind != STMT_IF || stmt->branch.is_debug || then->count != otherwise->count ||
        !is_plain(then) || !is_plain(otherwise)) {
        return false;
    }
    bool is_same = true, is_cheaper = then->count >= SETS_LEAST;
    for (size_t i = 0; i < then->count; i++) {
        const TirStmt *yes = then->items[i];
        const TirStmt *no = set_of(otherwise, yes->set.place->var);
        if (no == NULL) {
            return false;
        }
        is_same = is_same &&
                  same_but_one(tir, stmt->branch.condition, yes->set.value, no->set.value) != NULL;
        is_cheaper = is_cheaper && is_scalar(yes->set.place->var) && is_cheap(yes->set.value) &&
                     is_cheap(no->set.value);
    }
    return is_same || is_cheaper;
}

static TirVar *new_scalar(const Chooser *chooser, const Type *type, Span span) {
    return tir_var_create(chooser->tir, chooser->function, VAR_TEMP, NULL, type, span);
}

static void choose(const Chooser *chooser, const TirStmt *stmt, TirBlock *out) {
    Tir *tir = chooser->tir;
    const TirBlock *then = &stmt->branch.then;
    TirVar *condition = new_scalar(chooser, stmt->branch.condition->type, stmt->span);
    tir_set_var(tir, out, condition, stmt->branch.condition, stmt->span);
    TirVar *values[SETS_MOST];
    for (size_t i = 0; i < then->count; i++) {
        const TirStmt *yes = then->items[i];
        const TirStmt *no = set_of(&stmt->branch.otherwise, yes->set.place->var);
        values[i] = new_scalar(chooser, yes->set.place->type, yes->span);
        TirExpr *chosen = tir_read(tir, condition, stmt->span);
        TirExpr *value = same_but_one(tir, chosen, yes->set.value, no->set.value);
        if (value == NULL) {
            value = tir_map(tir, OP_SELECT, values[i]->type, chosen, yes->set.value, no->set.value,
                            yes->span);
        }
        tir_set_var(tir, out, values[i], value, yes->span);
    }
    for (size_t i = 0; i < then->count; i++) {
        const TirStmt *yes = then->items[i];
        tir_set(tir, out, yes->set.place, tir_read(tir, values[i], yes->span), yes->span);
    }
    tir_remark(tir, "choose", stmt->span, (Span){0}, "chooses among values instead of a branch");
}

static void choose_in(const Chooser *chooser, TirBlock *block) {
    TirBlock out = {0};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        TirBlock *nested[2];
        bool is_lanes = stmt->kind == STMT_FOR && stmt->for_loop.has_lanes;
        for (size_t k = is_lanes ? 0 : tir_stmt_blocks(stmt, nested); k-- > 0;) {
            choose_in(chooser, nested[k]);
        }
        if (is_choice(chooser->tir, stmt)) {
            choose(chooser, stmt, &out);
        } else {
            LIST_PUSH(chooser->tir->arena, &out, stmt);
        }
    }
    *block = out;
}

void pass_choose(Tir *tir, TirFunction *function) {
    Chooser chooser = {tir, function};
    choose_in(&chooser, &function->body);
}
