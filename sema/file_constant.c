// Variables of the file whose values are constant, and that nothing assigns, take no part of the
// state (L10.9): where they are read stands their value, which code generation keeps once among the
// constants of the object. Reads and changes the TIR of all functions, after
// checking and the effects of components, for which they are variables still.
#include "sema/constant.h"

#include "tir/uses.h"
#include "tir/visit.h"

// The role of those that may be: what checking has noted and nothing has assigned.
typedef struct Search {
    Checker *checker;
    Table kept; // TirVar to its value
    TirFunction *function;
} Search;

void check_note_global(Checker *checker, TirVar *var, const TirExpr *given, TirExpr *value) {
    if (var != NULL && var->role == VAR_GLOBAL && value != given && value->is_constant) {
        table_set(checker->arena, &checker->global_constants, var, value);
    }
}

// Whether a statement is the one by which a variable of the file gets its first value.
static bool is_first_value(const Search *search, const TirStmt *stmt, const TirVar *var) {
    return tir_sets_whole(stmt) &&
           stmt->set.value == table_get(&search->checker->global_constants, var);
}

static void forget_assigned(TirStmt *stmt, void *data) {
    Search *search = data;
    const TirVar *var;
    for (size_t k = 0; (var = tir_stmt_written(stmt, k)) != NULL; k++) {
        if (tir_var_is_global(var) && !is_first_value(search, stmt, var)) {
            table_set(search->checker->arena, &search->kept, var, NULL);
        }
    }
}

static void replace_read(TirExpr **operand, void *data) {
    Search *search = data;
    TirExpr *expr = *operand;
    if (expr->kind != EXPR_VAR) {
        tir_visit_operands(expr, replace_read, data);
        return;
    }
    const TirExpr *value = table_get(&search->kept, expr->var);
    if (value != NULL) {
        TirExpr *copy = tir_copy_node(&search->checker->tir, value);
        copy->span = expr->span;
        copy->is_constant = expr->is_constant;
        *operand = copy;
    } else if (tir_var_is_global(expr->var)) {
        search->function->reads_globals |= expr->var->role != VAR_TUNABLE;
    }
}

static void replace_reads(TirStmt *stmt, void *data) {
    Search *search = data;
    const TirVar *var;
    for (size_t k = 0; (var = tir_stmt_written(stmt, k)) != NULL; k++) {
        search->function->writes_globals |= tir_var_is_global(var);
    }
    if (stmt->kind == STMT_CALL) {
        search->function->reads_globals |= stmt->call.function->reads_globals;
        search->function->writes_globals |= stmt->call.function->writes_globals;
    }
    tir_visit_exprs(stmt, replace_read, data);
}

static void remove_first_values(const Search *search, TirBlock *block) {
    size_t count = 0;
    for (size_t k = 0; k < block->count; k++) {
        const TirStmt *stmt = block->items[k];
        if (stmt->kind != STMT_SET ||
            table_get(&search->kept, tir_place_var(stmt->set.place)) == NULL) {
            block->items[count++] = block->items[k];
        }
    }
    block->count = count;
}

static void remove_variables(const Search *search, TirProgram *program) {
    size_t count = 0;
    for (size_t k = 0; k < program->globals.count; k++) {
        TirVar *var = program->globals.items[k];
        if (table_get(&search->kept, var) != NULL) {
            LIST_PUSH(search->checker->arena, &program->constants, var);
            continue;
        }
        var->id = (uint32_t)count;
        program->globals.items[count++] = var;
    }
    program->globals.count = count;
    search->checker->tir.global_count = (uint32_t)count;
}

// What it does itself is found anew; what it calls is found already.
static void keep_in_function(Search *search, TirFunction *function) {
    if (function->instance != NULL) {
        return;
    }
    search->function = function;
    function->reads_globals = false;
    function->writes_globals = false;
    tir_visit_stmts(&function->body, replace_reads, search);
}

void check_keep_constants(Checker *checker) {
    TirProgram *program = checker->program;
    Search search = {.checker = checker};
    if (checker->global_constants.count == 0) {
        return;
    }
    for (size_t k = 0; k < program->globals.count; k++) {
        TirVar *var = program->globals.items[k];
        void *value = table_get(&checker->global_constants, var);
        if (value != NULL) {
            table_set(checker->arena, &search.kept, var, value);
        }
    }
    for (size_t k = 0; k < program->functions.count; k++) {
        tir_visit_stmts(&program->functions.items[k]->body, forget_assigned, &search);
    }
    for (size_t k = 0; k < program->functions.count; k++) {
        remove_first_values(&search, &program->functions.items[k]->body);
        keep_in_function(&search, program->functions.items[k]);
    }
    remove_variables(&search, program);
}
