// Computes what is stored to a part of an array from an index on, as in `y[k:k + n] += x`, where
// that part lies. Reads and leaves what pass_alias leaves.
//
// The source says that a value is complete before it is stored. Where each element of it needs the
// element in its own place only, and nothing else of the array, the three walks are one:
//
//     for i = 0:n: part[i] = y[at + i]
//     part = part + x                        for i = 0:n: y[at + i] = y[at + i] + x[i]
//     for i = 0:n: y[at + i] = part[i]
#include "tir/passes/passes.h"

#include "tir/columns.h"
#include "tir/constant.h"
#include "tir/remark.h"
#include "tir/same.h"
#include "tir/uses.h"
#include "tir/visit.h"

// A loop that copies `part`, which it walks from its first element to its last, to or from `place`.
typedef struct Walk {
    TirVar *part;
    TirExpr *place; // y[at + i], which needs no check
    const TirExpr *at;
    const TirVar *counter;
} Walk;

typedef struct Updater {
    Tir *tir;
    TirUses *uses;
    size_t use_count;
} Updater;

static bool is_counter(const TirExpr *expr, const TirVar *counter) {
    return expr != NULL && expr->kind == EXPR_VAR && expr->var == counter;
}

static bool is_place(const TirExpr *view, Walk *walk) {
    if (view->kind != EXPR_VIEW || view->view.operand->kind != EXPR_VAR ||
        view->view.operand->type->flat_rank != 1) {
        return false;
    }
    const TirAxis *axis = &view->view.axes[0];
    if (axis->index == NULL || !axis->unchecked || axis->index->kind != EXPR_MAP ||
        axis->index->map.op != OP_ADD || !is_counter(axis->index->map.args[1], walk->counter) ||
        tir_expr_reads(axis->index->map.args[0], walk->counter) > 0) {
        return false;
    }
    walk->at = axis->index->map.args[0];
    return true;
}

static bool is_element(const TirExpr *view, Walk *walk) {
    bool is_element = view->kind == EXPR_VIEW && view->view.operand->kind == EXPR_VAR &&
                      view->view.operand->type->flat_rank == 1 &&
                      is_counter(view->view.axes[0].index, walk->counter);
    walk->part = is_element ? view->view.operand->var : NULL;
    return is_element;
}

// `reads`: from the place, else to it.
static bool find_walk(Tir *tir, const TirStmt *loop, bool reads, Walk *walk) {
    ConstantTurns turns;
    if (loop->kind != STMT_FOR || loop->for_loop.body.count != 1 ||
        loop->for_loop.body.items[0]->kind != STMT_SET || !constant_turns(tir, loop, &turns)) {
        return false;
    }
    TirStmt *set = loop->for_loop.body.items[0];
    walk->counter = loop->for_loop.var;
    walk->place = reads ? set->set.value : set->set.place;
    const TirExpr *element = reads ? set->set.place : set->set.value;
    return is_element(element, walk) && is_place(walk->place, walk) && turns.first == 0 &&
           turns.step == 1 && turns.last == walk->part->type->numel;
}

typedef struct Replacing {
    const TirVar *part;
    TirExpr *place;
} Replacing;

static void replace_part(TirExpr **operand, void *data) {
    const Replacing *replacing = data;
    const TirExpr *expr = *operand;
    if (expr->kind == EXPR_VIEW && expr->view.operand->kind == EXPR_VAR &&
        expr->view.operand->var == replacing->part) {
        *operand = replacing->place;
    } else {
        tir_visit_operands(*operand, replace_part, data);
    }
}

// Whether the variable is known to the counts and no statement but these uses it.
static bool is_used_only(const Updater *updater, const TirVar *part, uint32_t reads,
                         uint32_t updates) {
    if (tir_var_is_global(part) || tir_var_is_interface(part) || part->id >= updater->use_count) {
        return false;
    }
    const TirUses *uses = &updater->uses[part->id];
    return uses->reads == reads && uses->writes == 1 && uses->updates == updates;
}

// Changes the loop that stores the part, behind the set at `at`, to one that computes it: whether
// that could be. `from`: the walk in front that reads the part, or NULL.
static bool update_in_place(const Updater *updater, const TirBlock *block, size_t at,
                            const Walk *from) {
    Tir *tir = updater->tir;
    const TirStmt *set = block->items[at];
    TirStmt *loop = block->items[at + 1];
    Walk to;
    if (!tir_sets_whole(set) || tir_may_trap(set->set.value) || !find_walk(tir, loop, false, &to) ||
        set->set.place->var != to.part) {
        return false;
    }
    TirExpr *value = set->set.value;
    const TirVar *array = to.place->view.operand->var;
    uint32_t reads = tir_expr_reads(value, to.part);
    bool is_same = from == NULL ? reads == 0
                                : from->part == to.part && tir_same_value(from->at, to.at) &&
                                      from->place->view.operand->var == array;
    if (!is_same || tir_expr_reads(value, array) > 0 || tir_expr_reads(to.at, array) > 0 ||
        tir_expr_reads(to.at, to.part) > 0 ||
        !is_used_only(updater, to.part, reads + 1, from != NULL)) {
        return false;
    }
    TirExpr *element = columns_element(tir, loop->for_loop.var, value);
    if (element == NULL) {
        return false;
    }
    Replacing replacing = {to.part, to.place};
    replace_part(&element, &replacing);
    loop->for_loop.body.items[0]->set.value = element;
    tir_remark(tir, "updates", set->span, (Span){0}, "computed where it is stored");
    return true;
}

static void update_block(const Updater *updater, TirBlock *block) {
    TirBlock out = {0};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            update_block(updater, nested[k]);
        }
        Walk from;
        bool has_walk = i + 2 < block->count && find_walk(updater->tir, stmt, true, &from);
        if (has_walk && update_in_place(updater, block, i + 1, &from)) {
            i++;
        } else if (i + 1 >= block->count || !update_in_place(updater, block, i, NULL)) {
            LIST_PUSH(updater->tir->arena, &out, stmt);
        }
    }
    *block = out;
}

void pass_updates(Tir *tir, TirFunction *function) {
    Updater updater = {.tir = tir,
                       .uses = tir_count_uses(tir->arena, function),
                       .use_count = function->vars.count};
    update_block(&updater, &function->body);
}
