#include "tir/own.h"

#include "tir/clone.h"
#include "tir/visit.h"

#include <string.h>

static void make_room(TirOwn *own) {
    size_t count = own->function->vars.count;
    if (count <= own->capacity) {
        return;
    }
    TirUses *uses = ARENA_ARRAY(own->tir->arena, TirUses, 2 * count);
    if (own->capacity > 0) {
        memcpy(uses, own->uses, own->capacity * sizeof(*uses));
    }
    own->uses = uses;
    own->here = ARENA_ARRAY(own->tir->arena, TirUses, 2 * count);
    own->capacity = 2 * count;
}

// Of what stands in the block from number `first` on.
static void count_rest(TirUses *uses, const TirBlock *block, size_t first, int sign) {
    TirBlock rest = {.items = block->items + first, .count = block->count - first};
    tir_count_block(uses, &rest, sign);
}

TirOwn own_create(Tir *tir, TirFunction *function) {
    TirOwn own = {.tir = tir, .function = function};
    make_room(&own);
    tir_count_block(own.uses, &function->body, 1);
    return own;
}

void own_count(TirOwn *own, const TirBlock *block, int sign) {
    tir_count_block(own->uses, block, sign);
}

// Whether statement `at` of the block begins a life of its variable of which nothing is left behind
// the block.
static bool begins_life(const TirOwn *own, const TirBlock *block, size_t at) {
    const TirStmt *stmt = block->items[at];
    if (!tir_sets_whole(stmt)) {
        return false;
    }
    const TirVar *var = stmt->set.place->var;
    if (!tir_var_is_local(var) || tir_expr_reads(stmt->set.value, var) > 0) {
        return false;
    }
    count_rest(own->here, block, at, 1);
    const TirUses here = own->here[var->id], *all = &own->uses[var->id];
    count_rest(own->here, block, at, -1);
    return here.reads == all->reads && here.writes == all->writes && here.updates == all->updates;
}

static void replace_own(const TirOwn *own, const TirBlock *block, TirVar **vars) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        TirVar *var = stmt->kind == STMT_FOR       ? stmt->for_loop.var
                      : begins_life(own, block, i) ? stmt->set.place->var
                                                   : NULL;
        if (var != NULL) {
            vars[var->id] =
                tir_var_create(own->tir, own->function, var->role, var->name, var->type, var->span);
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            replace_own(own, nested[k], vars);
        }
    }
}

void own_copy(TirOwn *own, const TirBlock *from, TirBlock *to) {
    make_room(own);
    const TirVars *known = &own->function->vars;
    TirVar **vars = ARENA_ARRAY(own->tir->arena, TirVar *, known->count);
    memcpy(vars, known->items, known->count * sizeof(TirVar *));
    replace_own(own, from, vars);
    size_t first = to->count;
    clone_block(&(TirClone){.tir = own->tir, .vars = vars}, from, to);
    make_room(own);
    count_rest(own->uses, to, first, 1);
}

void own_begin_change(TirOwn *own, const TirBlock *block) {
    tir_count_block(own->here, block, 1);
}

void own_end_change(TirOwn *own, const TirBlock *block) {
    tir_count_block(own->here, block, -1);
    for (size_t i = 0; i < own->function->vars.count; i++) {
        own->uses[i].reads -= own->here[i].reads;
        own->uses[i].writes -= own->here[i].writes;
        own->uses[i].updates -= own->here[i].updates;
        own->here[i] = (TirUses){0};
    }
}
