// Where a variable of the file is read that keeps its first value, a constant, stands that value:
// `scale` after `real scale = 4.0`, `weights[2]`, or all of an array that is not long. The variable
// stays in the state, for it is part of what hosts see. So stands what an array of integers
// of a function has, as a table of offsets. Reads and leaves any valid TIR without nests.
//
// The one write of a variable of the file is among the first values, which all else runs behind.
// What belongs to an instance or to hardware changes elsewhere. That of a function's own variable
// is in no block inside, so that all that reads it runs behind, too.
#include "tir/passes/passes.h"

#include "support/table.h"
#include "tir/uses.h"
#include "tir/view.h"
#include "tir/visit.h"

enum { ARRAY_MOST = 64 }; // elements of one that is read as a whole, or who knows where

typedef struct Keeper {
    Tir *tir;
    Table first;   // variables, each with the statement that gives it a constant
    Table values;  // those that nothing else writes, with the constant
    bool in_entry; // at hand: it runs once, and its arrays are as good where they are
} Keeper;

// A literal, or one number for all elements.
static bool is_constant(const TirExpr *value) {
    const TirExpr *bottom = view_bottom(value);
    return value->kind == EXPR_CONST ||
           (bottom != NULL && bottom->kind == EXPR_CONST && bottom->type->numel == 1);
}

// A function's own, as offsets of neighbours.
static bool is_table(const TirVar *var) {
    return var->role == VAR_LOCAL && var->type->root == ROOT_INT && !type_is_scalar(var->type);
}

static void find_first_values(Keeper *keeper, const TirProgram *program,
                              const TirFunction *function) {
    bool gives_file = function == program->init || function == program->entry;
    for (size_t i = 0; i < function->body.count; i++) {
        TirStmt *stmt = function->body.items[i];
        if (!tir_sets_whole(stmt) || !is_constant(stmt->set.value)) {
            continue;
        }
        const TirVar *var = stmt->set.place->var;
        if (is_table(var) || (gives_file && tir_var_is_of_file(program, var))) {
            table_set(keeper->tir->arena, &keeper->first, var, stmt);
            table_set(keeper->tir->arena, &keeper->values, var, stmt->set.value);
        }
    }
}

static void forget_written(TirStmt *stmt, void *data) {
    Keeper *keeper = data;
    const TirVar *var;
    for (size_t k = 0; (var = tir_stmt_written(stmt, k)) != NULL; k++) {
        if (table_get(&keeper->first, var) != stmt) {
            table_set(keeper->tir->arena, &keeper->values, var, NULL);
        }
    }
}

// What such a variable keeps; NULL: it is another one.
static TirExpr *known_value(const Keeper *keeper, const TirExpr *read) {
    return read->kind == EXPR_VAR ? table_get(&keeper->values, read->var) : NULL;
}

// What an expression is that reads a scalar of such a variable; NULL: it does not.
static TirExpr *known(const Keeper *keeper, const TirExpr *expr) {
    size_t element = 0;
    bool is_view = expr->kind == EXPR_VIEW && expr->view.operand->kind == EXPR_VAR;
    const TirExpr *read = is_view ? expr->view.operand : expr;
    if (!(is_view ? view_element(expr, &element) : type_is_scalar(expr->type))) {
        return NULL;
    }
    const TirExpr *value = known_value(keeper, read);
    if (value == NULL) {
        return NULL;
    }
    const TirExpr *bottom = tir_bottom(value);
    const TirScalar *scalar = &bottom->data[bottom->type->numel == 1 ? 0 : element];
    const Type *type = type_scalar(keeper->tir->types, expr->type->root);
    TirExpr *number = tir_const(keeper->tir, type, scalar, expr->span);
    return type_is_scalar(expr->type) ? number
                                      : tir_view(keeper->tir, expr->type, number, NULL, expr->span);
}

static void replace_read(TirExpr **operand, void *data) {
    Keeper *keeper = data;
    TirExpr *scalar = known(keeper, *operand);
    TirExpr *array = known_value(keeper, *operand);
    if (scalar != NULL) {
        *operand = scalar;
        return;
    }
    if (array != NULL && !keeper->in_entry && array->kind == EXPR_CONST &&
        array->type->numel <= ARRAY_MOST) {
        *operand = array;
        return;
    }
    tir_visit_operands(*operand, replace_read, data);
}

static void replace_reads(TirStmt *stmt, void *data) {
    Keeper *keeper = data;
    bool is_first = tir_sets_whole(stmt) && table_get(&keeper->first, stmt->set.place->var) == stmt;
    if (!is_first) {
        tir_visit_exprs(stmt, replace_read, keeper);
    }
}

void pass_constants(Tir *tir, TirProgram *program) {
    Keeper keeper = {.tir = tir};
    for (size_t i = 0; i < program->functions.count; i++) {
        find_first_values(&keeper, program, program->functions.items[i]);
    }
    for (size_t i = 0; i < program->functions.count; i++) {
        tir_visit_stmts(&program->functions.items[i]->body, forget_written, &keeper);
    }
    for (size_t i = 0; i < program->functions.count; i++) {
        keeper.in_entry = program->functions.items[i] == program->entry;
        tir_visit_stmts(&program->functions.items[i]->body, replace_reads, &keeper);
    }
}
