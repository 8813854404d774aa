// `if c: y = a else: y = b` is `y = select(c, a, b)`, and where there is no else, `y` itself is the
// other value. Both values are computed, so neither may trap, and only scalars are.
//
// What assigns one place, however it branches, is one assignment. Else each assignment asks for all
// conditions around it: a variable keeps one that the branch changes, or that many ask for. What a
// branch has for itself, and gives a value first, it may give it in any case, unless a branch in it
// changes that.
#include "tir/branchless.h"

#include "support/table.h"
#include "tir/content.h"
#include "tir/same.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum {
    ASKED_MOST = 2, // assignments that may ask for a condition as it is written
    OWN_MOST = 32,  // nodes of a value that is computed in any case
};

typedef struct Flattening {
    Tir *tir;
    TirFunction *function;
    const TirUses *uses;
    Table found;  // variables that a branch gives a value first, each with a Found
    Table begins; // statements that do, each with that of its variable
    TirBlock *flat;
} Flattening;

// When an assignment is made: where the condition is true, or false; NULL: always.
typedef struct Path {
    TirExpr *condition;
    bool is_negated;
} Path;

typedef struct Found {
    uint32_t mentions; // in such branches
    bool is_covered;   // by one around
    Path path;         // of the branch that has it now
} Found;

typedef struct WriteCount {
    const TirVar *var;
    uint32_t count;
} WriteCount;

static void count_write(TirStmt *stmt, void *data) {
    WriteCount *writes = data;
    writes->count += stmt->kind == STMT_SET && tir_place_var(stmt->set.place) == writes->var;
}

static uint32_t count_mentions(const TirBlock *block, const TirVar *var) {
    WriteCount writes = {.var = var};
    tir_visit_stmts(block, count_write, &writes);
    return writes.count + tir_block_reads(block, var);
}

// Whether statement number `at` gives a variable of the function its value, and none before it
// mentions that.
static bool begins(const TirBlock *block, size_t at) {
    const TirExpr *place = block->items[at]->set.place;
    TirBlock before = {.items = block->items, .count = at};
    return place->kind == EXPR_VAR && tir_var_is_local(place->var) &&
           tir_expr_reads(block->items[at]->set.value, place->var) == 0 &&
           count_mentions(&before, place->var) == 0;
}

static void find_own(Flattening *flattening, const TirBlock *block) {
    Arena *arena = flattening->tir->arena;
    LIST_OF(Found *) covered = {0};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            find_own(flattening, nested[k]);
        }
        if (stmt->kind != STMT_SET || !begins(block, i)) {
            continue;
        }
        const TirVar *var = stmt->set.place->var;
        Found *found = table_get(&flattening->found, var);
        if (found == NULL) {
            found = ARENA_NEW(arena, Found);
            table_set(arena, &flattening->found, var, found);
        }
        if (!found->is_covered) {
            found->mentions += count_mentions(block, var);
            found->is_covered = true;
            table_set(arena, &flattening->begins, stmt, found);
            LIST_PUSH(arena, &covered, found);
        }
    }
    for (size_t i = 0; i < covered.count; i++) {
        covered.items[i]->is_covered = false;
    }
}

// Whether the place, a variable, has a value on this path alone: nothing but branches that give it
// one first mention it, and this is the path of such a branch, not of one in it.
static bool is_own(const Flattening *flattening, Path path, const TirExpr *place) {
    const Found *found = place->kind == EXPR_VAR ? table_get(&flattening->found, place->var) : NULL;
    if (found == NULL || found->path.condition != path.condition ||
        found->path.is_negated != path.is_negated) {
        return false;
    }
    const TirUses *uses = &flattening->uses[place->var->id];
    return found->mentions == uses->reads + uses->writes + uses->updates;
}

static bool is_safe(const TirStmt *set) {
    return type_is_scalar(set->set.place->type) && !tir_may_trap(set->set.value) &&
           !tir_may_trap(set->set.place);
}

// Whether it is computed in any case, and takes long.
static bool is_dear(const Flattening *flattening, Path path, const TirStmt *set) {
    TirContent content = {0};
    tir_content_add(&content, set->set.value, OWN_MOST);
    return is_own(flattening, path, set->set.place) &&
           (content.has_dear_ops || content.nodes > OWN_MOST);
}

static TirExpr *choose(Flattening *flattening, Path path, TirExpr *value, TirExpr *other) {
    TirExpr *yes = path.is_negated ? other : value;
    TirExpr *no = path.is_negated ? value : other;
    return tir_map(flattening->tir, OP_SELECT, value->type, path.condition, yes, no, value->span);
}

static void assign(Flattening *flattening, Path path, const TirStmt *set, TirExpr *value) {
    TirExpr *place = set->set.place;
    if (path.condition != NULL && !is_own(flattening, path, place)) {
        value = choose(flattening, path, value, place);
    }
    TirStmt *copy = tir_set(flattening->tir, flattening->flat, place, value, set->span);
    copy->set.is_update = set->set.is_update;
}

// The value that the block gives the place of `*set`, which is the first of the sets where that is
// NULL, and is all that it assigns. NULL: it does more, or something may trap.
static TirExpr *only_value(Flattening *flattening, const TirBlock *block, const TirStmt **set) {
    if (block->count == 0) {
        return *set == NULL ? NULL : (*set)->set.place;
    }
    const TirStmt *stmt = block->items[0];
    if (block->count > 1 || (stmt->kind != STMT_SET && stmt->kind != STMT_IF)) {
        return NULL;
    }
    if (stmt->kind == STMT_SET) {
        *set = *set == NULL ? stmt : *set;
        bool is_same = tir_same_value(stmt->set.place, (*set)->set.place);
        return is_same && is_safe(stmt) ? stmt->set.value : NULL;
    }
    bool is_then_first = stmt->branch.then.count > 0;
    const TirBlock *first = is_then_first ? &stmt->branch.then : &stmt->branch.otherwise;
    const TirBlock *second = is_then_first ? &stmt->branch.otherwise : &stmt->branch.then;
    TirExpr *value = only_value(flattening, first, set);
    TirExpr *other = value == NULL ? NULL : only_value(flattening, second, set);
    Path path = {stmt->branch.condition, !is_then_first};
    return other == NULL || tir_may_trap(path.condition) ? NULL
                                                         : choose(flattening, path, value, other);
}

static Path keep(Flattening *flattening, TirExpr *condition) {
    Tir *tir = flattening->tir;
    TirVar *var = tir_set_temp(tir, flattening->function, flattening->flat, condition);
    return (Path){tir_read(tir, var, condition->span), false};
}

static TirExpr *holds(Flattening *flattening, Path path) {
    TirExpr *condition = path.condition;
    return path.is_negated ? tir_map(flattening->tir, OP_NOT, condition->type, condition, NULL,
                                     NULL, condition->span)
                           : condition;
}

static void count_set(TirStmt *stmt, void *data) {
    size_t *count = data;
    *count += stmt->kind == STMT_SET;
}

static size_t count_sets(const TirBlock *block) {
    size_t count = 0;
    tir_visit_stmts(block, count_set, &count);
    return count;
}

static bool flatten_block(Flattening *flattening, const TirBlock *block, Path path);

// One side of a branch below others.
static bool flatten_side(Flattening *flattening, const TirBlock *block, Path around, Path own) {
    Path path = own;
    if (around.condition != NULL && block->count > 0) {
        TirExpr *both =
            tir_map(flattening->tir, OP_AND, own.condition->type, holds(flattening, around),
                    holds(flattening, own), NULL, own.condition->span);
        path = count_sets(block) > 1 ? keep(flattening, both) : (Path){both, false};
    }
    return flatten_block(flattening, block, path);
}

static bool flatten_branch(Flattening *flattening, TirStmt *stmt, Path around) {
    if (around.condition == NULL) {
        find_own(flattening, &(TirBlock){.items = &stmt, .count = 1});
    }
    const TirStmt *set = NULL;
    TirExpr *value = only_value(flattening, &(TirBlock){.items = &stmt, .count = 1}, &set);
    if (value != NULL) {
        assign(flattening, around, set, value);
        return true;
    }
    const TirBlock *then = &stmt->branch.then;
    const TirBlock *otherwise = &stmt->branch.otherwise;
    TirExpr *condition = stmt->branch.condition;
    if (tir_may_trap(condition)) {
        return false;
    }
    bool is_asked =
        condition->kind != EXPR_VAR && count_sets(then) + count_sets(otherwise) > ASKED_MOST;
    Path own = {condition, false};
    if (is_asked || tir_stmt_writes_operand(stmt, condition)) {
        own = keep(flattening, condition);
    }
    return flatten_side(flattening, then, around, own) &&
           flatten_side(flattening, otherwise, around, (Path){own.condition, true});
}

static bool flatten_block(Flattening *flattening, const TirBlock *block, Path path) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        Found *begun = table_get(&flattening->begins, stmt);
        if (begun != NULL) {
            begun->path = path;
        }
        if (stmt->kind == STMT_SET && path.condition == NULL) {
            LIST_PUSH(flattening->tir->arena, flattening->flat, stmt);
        } else if (stmt->kind == STMT_SET && is_safe(stmt) && !is_dear(flattening, path, stmt)) {
            assign(flattening, path, stmt, stmt->set.value);
        } else if (stmt->kind != STMT_IF || !flatten_branch(flattening, stmt, path)) {
            return false;
        }
    }
    return true;
}

bool tir_without_branches(Tir *tir, TirFunction *function, const TirUses *uses,
                          const TirBlock *block, TirBlock *flat) {
    Flattening flattening = {.tir = tir, .function = function, .uses = uses, .flat = flat};
    return flatten_block(&flattening, block, (Path){NULL, false});
}
