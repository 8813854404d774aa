// Runs statements on arrays that belong together row by row, so that a row is in the cache, and
// what only they need is there for one row: a statistic of each row and what is made of it. Reads
// what pass_hoist leaves, and leaves such.
//
// The statements stand one behind the other, write whole arrays of as many rows, and cannot trap.
// An array that one of them writes they read in the row at hand only (tir/narrow.h), so the turns
// of the loop that they become do not depend on one another, and each element gets the same value.
#include "tir/passes/passes.h"

#include "tir/narrow.h"
#include "tir/remark.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum {
    GROUP_LIMIT = 16, // statements
    ROW_FROM = 64,    // elements of a row, below which lanes along the rows do better
    ROW_LIMIT = 4096, // beyond which a row is not in the first cache
    ARRAY_FROM = 8192 // elements, below which all of the array is there
};

typedef struct Group {
    Tir *tir;
    TirFunction *function;
    TirUses *uses;
    TirStmt *const *sets;
    size_t count;
    Narrowing narrowing;
} Group;

static bool may_join(const TirStmt *stmt, uint32_t rows) {
    if (!tir_sets_whole(stmt)) {
        return false;
    }
    const Type *type = stmt->set.place->type;
    return type->flat_rank > 0 && type->dims[0] == rows && !tir_may_trap(stmt->set.value) &&
           !tir_var_is_global(stmt->set.place->var);
}

static bool all_narrow(Group *group) {
    for (size_t i = 0; i < group->count; i++) {
        if (narrowing_value(&group->narrowing, group->sets[i]->set.value) == NULL) {
            return false;
        }
    }
    return true;
}

// As many statements as can be narrowed together.
static void grow(Group *group, size_t limit) {
    Arena *arena = group->tir->arena;
    while (group->count < limit && group->count < GROUP_LIMIT &&
           may_join(group->sets[group->count], group->narrowing.rows)) {
        TirVar *var = group->sets[group->count]->set.place->var;
        bool is_new = table_get(&group->narrowing.written, var) == NULL;
        table_set(arena, &group->narrowing.written, var, var);
        group->count++;
        if (!all_narrow(group)) {
            group->count--;
            if (is_new) {
                table_set(arena, &group->narrowing.written, var, NULL);
            }
            return;
        }
    }
}

static void see_sum(const TirExpr *expr, void *data) {
    const TirExpr **sum = data;
    *sum = expr->kind == EXPR_REDUCE ? expr : *sum;
    tir_read_operands(expr, see_sum, data);
}

typedef struct Search {
    const TirExpr *value; // arrays that it reads
    uint64_t numel;       // of so many elements
} Search;

static bool is_shared(const TirExpr *expr, const void *data) {
    const Search *search = data;
    return expr->kind == EXPR_VAR && expr->type->numel == search->numel &&
           tir_expr_reads(search->value, expr->var) > 0;
}

// Few blocks have any, and trying to join statements takes time.
static bool has_long_sum(const TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        const TirExpr *sum = NULL;
        if (block->items[i]->kind == STMT_SET) {
            see_sum(block->items[i]->set.value, &sum);
        }
        if (sum != NULL && sum->reduce.operand->type->numel >= ARRAY_FROM) {
            return true;
        }
    }
    return false;
}

// Whether one of them sums up long rows that another one behind it reads, too.
static bool gains(const Group *group) {
    for (size_t i = 0; i + 1 < group->count; i++) {
        const TirExpr *sum = NULL;
        see_sum(group->sets[i]->set.value, &sum);
        if (sum == NULL) {
            continue;
        }
        uint64_t numel = sum->reduce.operand->type->numel;
        uint64_t row = numel / group->narrowing.rows;
        if (row < ROW_FROM || row > ROW_LIMIT || numel < ARRAY_FROM) {
            continue;
        }
        for (size_t k = i + 1; k < group->count; k++) {
            if (tir_any_expr(group->sets[k]->set.value, is_shared, &(Search){sum, numel})) {
                return true;
            }
        }
    }
    return false;
}

// Only they use it, and write it before they read it.
static bool lives_inside(const Group *group, const TirVar *var) {
    uint32_t reads = 0, writes = 0;
    for (size_t i = 0; i < group->count; i++) {
        uint32_t here = tir_expr_reads(group->sets[i]->set.value, var);
        if (here > 0 && writes == 0) {
            return false;
        }
        reads += here;
        writes += group->sets[i]->set.place->var == var;
    }
    const TirUses *uses = &group->uses[var->id];
    return tir_var_is_local(var) && uses->updates == 0 && uses->reads == reads &&
           uses->writes == writes;
}

static void narrow_vars(Group *group) {
    Tir *tir = group->tir;
    for (size_t i = 0; i < group->count; i++) {
        TirVar *var = group->sets[i]->set.place->var;
        if (table_get(&group->narrowing.rows_of, var) == NULL && lives_inside(group, var)) {
            TirVar *row = tir_var_create(tir, group->function, var->role, var->name,
                                         narrowing_type(&group->narrowing, var->type), var->span);
            table_set(tir->arena, &group->narrowing.rows_of, var, row);
        }
    }
}

static void make_loop(Group *group, TirBlock *out) {
    Tir *tir = group->tir;
    Span span = group->sets[0]->span;
    TirStmt *loop = tir_for(tir, out, group->function, 0, (int32_t)group->narrowing.rows, 1, span);
    group->narrowing.counter = loop->for_loop.var;
    narrow_vars(group);
    for (size_t i = 0; i < group->count; i++) {
        const TirStmt *set = group->sets[i];
        TirExpr *value = narrowing_value(&group->narrowing, set->set.value);
        TirExpr *place = narrowing_var(&group->narrowing, set->set.place->var, set->span);
        TirStmt *row = tir_set(tir, &loop->for_loop.body, place, value, set->span);
        row->set.is_update = set->set.is_update;
        if (i > 0) {
            tir_remark(tir, "rows", set->span, span, "runs row by row with the statement at");
        }
    }
}

static void rows_block(Tir *tir, TirFunction *function, TirUses *uses, TirBlock *block) {
    TirBlock out = {0};
    bool has_sum = has_long_sum(block);
    // Only to ask with.
    TirVar counter = {.role = VAR_LOOP, .type = type_scalar(tir->types, ROOT_INT)};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            rows_block(tir, function, uses, nested[k]);
        }
        Group group = {.tir = tir, .function = function, .uses = uses, .sets = &block->items[i]};
        if (has_sum && stmt->kind == STMT_SET && stmt->set.place->type->flat_rank > 0) {
            group.narrowing = (Narrowing){
                .tir = tir, .rows = stmt->set.place->type->dims[0], .counter = &counter};
            grow(&group, block->count - i);
        }
        if (gains(&group)) {
            make_loop(&group, &out);
            i += group.count - 1;
        } else {
            LIST_PUSH(tir->arena, &out, stmt);
        }
    }
    *block = out;
}

void pass_rows(Tir *tir, TirFunction *function) {
    TirUses *uses = tir_count_uses(tir->arena, function);
    rows_block(tir, function, uses, &function->body);
}
