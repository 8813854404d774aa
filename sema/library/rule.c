// Rules of derivatives that the library has beside its functions (TirRule). The comment above a
// function names them, and what they keep is told by their parameters; they are functions of the
// library's own, checked for the sizes that the function has when something that calls it is
// differentiated.
#include "sema/builtin/derivative.h"

#include "support/bug.h"
#include "support/table.h"
#include "tir/visit.h"

#include <string.h>

typedef struct Values {
    Checker *checker;
    TirExpr **items;
    size_t count;
} Values;

static void add(Values *values, TirVar *var) {
    Arena *arena = values->checker->arena;
    values->items =
        arena_grow(arena, values->items, values->count, values->count + 1, sizeof(TirExpr *));
    values->items[values->count++] = tir_read(&values->checker->tir, var, var->span);
}

// The function of this name for such values; NULL for the name "".
static TirFunction *function_for(const Values *values, const char *name) {
    if (name[0] == '\0') {
        return NULL;
    }
    FunctionDecl *decl = library_function(values->checker, name);
    CHECK(decl->ast->function.param_count == values->count);
    TirFunction *function =
        check_function_for(values->checker, decl, decl->ast->function.name.span, values->items);
    CHECK(function != NULL && !function->has_errors);
    for (size_t k = 0; k < values->count; k++) {
        CHECK(function->params[k]->type == values->items[k]->type);
    }
    return function;
}

static TirRule *new_rule(Checker *checker, TirFunction *function, const LibraryRow *row) {
    Values values = {.checker = checker};
    TirRule *rule = ARENA_NEW(checker->arena, TirRule);
    for (size_t k = 0; k < function->param_count; k++) {
        add(&values, function->params[k]);
    }
    rule->kept = row->kept[0] == '\0' ? function : function_for(&values, row->kept);
    for (size_t k = 0; k < rule->kept->results.count; k++) {
        add(&values, rule->kept->results.items[k]);
    }
    rule->slope = function_for(&values, row->slope);
    for (size_t k = 0; k < function->results.count; k++) {
        TirVar *result = function->results.items[k];
        CHECK(rule->kept->results.items[k]->type == result->type);
        if (result->type->root == ROOT_REAL) {
            add(&values, result);
        }
    }
    rule->adjoint = function_for(&values, row->adjoint);
    return rule;
}

static uint32_t linear_in(const TirFunction *function, const LibraryRow *row) {
    for (uint32_t k = 0; row != NULL && k < function->param_count; k++) {
        if (strcmp(function->params[k]->name->text, row->linear) == 0) {
            return k + 1;
        }
    }
    CHECK(row == NULL || row->linear[0] == '\0');
    return 0;
}

static void give(Checker *checker, Table *seen, TirFunction *function);

static void give_called(Checker *checker, Table *seen, const TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_CALL) {
            give(checker, seen, stmt->call.function);
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            give_called(checker, seen, nested[k]);
        }
    }
}

// To it and, as derivatives are taken of derivatives, to what its rule calls.
static void give(Checker *checker, Table *seen, TirFunction *function) {
    if (function == NULL || table_get(seen, function) != NULL) {
        return;
    }
    table_set(checker->arena, seen, function, function);
    const LibraryRow *row = library_row_of(checker, function);
    bool has_rule = row != NULL && (row->slope[0] != '\0' || row->adjoint[0] != '\0');
    if (has_rule && function->results.items[0]->type->root == ROOT_REAL) {
        function->rule = new_rule(checker, function, row);
    }
    function->linear_in = linear_in(function, row);
    function->refused = derivative_refused(row);
    give_called(checker, seen, &function->body);
    if (function->rule != NULL) {
        give(checker, seen, function->rule->kept);
        give(checker, seen, function->rule->slope);
        give(checker, seen, function->rule->adjoint);
    }
}

void library_rules(Checker *checker, const TirFunction *function) {
    Table seen = {0};
    give_called(checker, &seen, &function->body);
}
