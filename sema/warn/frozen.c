// Variables of a component whose first value reads a tunable property, and that nothing assigns
// later: what a host makes of the property does not reach them.
#include "sema/warn/state.h"

#include "tir/uses.h"
#include "tir/visit.h"

#include <string.h>

// A variable that the statements of the file give a value of a property.
typedef struct Frozen {
    const TirVar *var;
    const TirExpr *property;  // where it is read
    bool is_read, is_written; // by functions
} Frozen;

typedef struct Search {
    Arena *arena;
    Table by_var;
    LIST_OF(Frozen *) all;
} Search;

static void find_property(const TirExpr *expr, void *data) {
    const TirExpr **found = data;
    if (*found == NULL && expr->kind == EXPR_VAR && expr->var->role == VAR_TUNABLE) {
        *found = expr;
    }
    tir_read_operands(expr, find_property, data);
}

static void note_first_value(Search *search, const TirStmt *stmt) {
    bool is_whole = tir_sets_whole(stmt);
    const TirVar *var = is_whole ? stmt->set.place->var : NULL;
    const TirExpr *property = NULL;
    if (is_whole && var->role == VAR_GLOBAL && var->name != NULL) {
        find_property(stmt->set.value, &property);
    }
    if (property == NULL || table_get(&search->by_var, var) != NULL) {
        return;
    }
    Frozen *frozen = ARENA_NEW(search->arena, Frozen);
    *frozen = (Frozen){.var = var, .property = property};
    table_set(search->arena, &search->by_var, var, frozen);
    LIST_PUSH(search->arena, &search->all, frozen);
}

static void note_read(const TirExpr *expr, void *data) {
    const Search *search = data;
    Frozen *frozen = expr->kind == EXPR_VAR ? table_get(&search->by_var, expr->var) : NULL;
    if (frozen != NULL) {
        frozen->is_read = true;
    }
    tir_read_operands(expr, note_read, data);
}

static void note_writes(TirStmt *stmt, void *data) {
    const Search *search = data;
    const TirVar *var;
    for (size_t k = 0; (var = tir_stmt_written(stmt, k)) != NULL; k++) {
        Frozen *frozen = table_get(&search->by_var, var);
        if (frozen != NULL) {
            frozen->is_written = true;
        }
    }
}

static void tell(Checker *checker, const Frozen *frozen) {
    Slice property = warn_text(checker, frozen->property->span);
    Diag *diag = warn_later(checker, WARNING_FROZEN_TUNABLE, frozen->var->span,
                            "`%s` has what `%.*s` is when the state begins, and does not follow it",
                            frozen->var->name->text, (int)property.len, property.data);
    diag_label(diag, frozen->property->span, "read once, here");
    diag_help(diag, "compute it where a step needs it, in `output_fnc` or `update_fnc`; what is to "
                    "stay as it began is assigned in `init_fnc`");
}

void warn_frozen(Checker *checker) {
    const TirProgram *program = checker->program;
    if (checker->warn == NULL || program->kind != PROGRAM_COMPONENT) {
        return;
    }
    Search search = {.arena = checker->arena};
    const TirBlock *values = &program->init->body;
    for (size_t k = 0; k < values->count; k++) {
        note_first_value(&search, values->items[k]);
    }
    for (size_t k = 0; k < program->functions.count && search.all.count > 0; k++) {
        const TirFunction *function = program->functions.items[k];
        if (function == program->init) {
            continue;
        }
        tir_visit_stmts(&function->body, note_writes, &search);
        if (strcmp(function->name->text, "init_fnc") != 0) { // which runs when the property is read
            tir_read_values_in(&function->body, note_read, &search);
        }
    }
    for (size_t k = 0; k < search.all.count; k++) {
        const Frozen *frozen = search.all.items[k];
        if (frozen->is_read && !frozen->is_written) {
            tell(checker, frozen);
        }
    }
}
