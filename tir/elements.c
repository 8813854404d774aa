#include "tir/elements.h"

#include "support/table.h"
#include "tir/visit.h"

enum { ELEMENTS_MOST = 16 };

typedef struct Elements {
    bool is_other; // used in another way
    TirVar *items[ELEMENTS_MOST];
} Elements;

typedef struct Scalars {
    Tir *tir;
    TirFunction *function;
    const TirUses *uses, *inside;
    Table arrays; // Elements of variables
} Scalars;

static bool is_of_turn(const Scalars *scalars, const TirVar *var) {
    const TirUses *all = &scalars->uses[var->id], *inside = &scalars->inside[var->id];
    return tir_var_is_local(var) && type_is_tensor(var->type) &&
           var->type->numel <= ELEMENTS_MOST && all->reads == inside->reads &&
           all->writes == inside->writes && all->updates == inside->updates;
}

static Elements *elements_of(Scalars *scalars, const TirVar *var) {
    Elements *elements = table_get(&scalars->arrays, var);
    if (elements == NULL) {
        elements = ARENA_NEW(scalars->tir->arena, Elements);
        elements->is_other = !is_of_turn(scalars, var);
        table_set(scalars->tir->arena, &scalars->arrays, var, elements);
    }
    return elements;
}

// The position of a scalar that is one known element of a variable.
static bool is_known(const TirExpr *expr, uint32_t *position) {
    if (expr->kind != EXPR_VIEW || !type_is_scalar(expr->type) ||
        expr->view.operand->kind != EXPR_VAR) {
        return false;
    }
    const Type *type = expr->view.operand->type;
    *position = 0;
    for (size_t k = 0; k < type->flat_rank; k++) {
        const TirAxis *axis = &expr->view.axes[k];
        if (axis->index != NULL) {
            return false;
        }
        *position = *position * type->dims[k] + (uint32_t)axis->start;
    }
    return true;
}

// The scalar that all elements of a variable get; NULL: the statement does something else.
static TirExpr *filled_with(const TirStmt *stmt) {
    if (stmt->kind != STMT_SET || stmt->set.place->kind != EXPR_VAR ||
        stmt->set.value->kind != EXPR_VIEW) {
        return NULL;
    }
    TirExpr *value = stmt->set.value->view.operand;
    bool is_fill = type_is_scalar(value->type) && type_is_tensor(stmt->set.place->type) &&
                   tir_expr_reads(value, stmt->set.place->var) == 0;
    return is_fill ? value : NULL;
}

static void find_arrays(const TirExpr *expr, void *data) {
    uint32_t position;
    if (expr->kind == EXPR_VAR && type_is_tensor(expr->type)) {
        elements_of(data, expr->var)->is_other = true;
    } else if (!is_known(expr, &position)) {
        tir_read_operands(expr, find_arrays, data);
    }
}

static void find_in_stmt(TirStmt *stmt, void *data) {
    TirExpr *value = filled_with(stmt);
    if (value == NULL) {
        tir_read_exprs(stmt, find_arrays, data);
    } else {
        find_arrays(value, data);
    }
}

static TirVar *element(Scalars *scalars, Elements *elements, const TirVar *array,
                       uint32_t position) {
    TirVar **item = &elements->items[position];
    if (*item == NULL) {
        const Type *type = type_scalar(scalars->tir->types, array->type->root);
        *item = tir_var_create(scalars->tir, scalars->function, array->role, array->name, type,
                               array->span);
    }
    return *item;
}

static void use_scalars(TirExpr **operand, void *data) {
    Scalars *scalars = data;
    TirExpr *expr = *operand;
    uint32_t position;
    if (is_known(expr, &position)) {
        const TirVar *array = expr->view.operand->var;
        Elements *elements = elements_of(scalars, array);
        if (!elements->is_other) {
            TirVar *var = element(scalars, elements, array, position);
            *operand = tir_read(scalars->tir, var, expr->span);
        }
        return;
    }
    if (expr->kind != EXPR_VAR && expr->kind != EXPR_CONST) {
        *operand = tir_copy_node(scalars->tir, expr);
        tir_visit_operands(*operand, use_scalars, data);
    }
}

static void spread_block(Scalars *scalars, TirBlock *block) {
    TirBlock out = {0};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            spread_block(scalars, nested[k]);
        }
        TirExpr *value = filled_with(stmt);
        Elements *elements = value == NULL ? NULL : elements_of(scalars, stmt->set.place->var);
        if (elements == NULL || elements->is_other) {
            tir_visit_exprs(stmt, use_scalars, scalars);
            LIST_PUSH(scalars->tir->arena, &out, stmt);
            continue;
        }
        const TirVar *array = stmt->set.place->var;
        use_scalars(&value, scalars);
        for (uint32_t k = 0; k < array->type->numel; k++) {
            TirVar *var = element(scalars, elements, array, k);
            tir_set(scalars->tir, &out, tir_read(scalars->tir, var, stmt->span), value, stmt->span);
        }
    }
    *block = out;
}

void tir_elements_as_scalars(Tir *tir, TirFunction *function, const TirUses *uses, TirStmt *loop,
                             TirBlock *body) {
    TirUses *inside = ARENA_ARRAY(tir->arena, TirUses, function->vars.count);
    tir_count_block(inside, &loop->for_loop.body, 1);
    Scalars scalars = {.tir = tir, .function = function, .uses = uses, .inside = inside};
    tir_visit_stmts(body, find_in_stmt, &scalars);
    spread_block(&scalars, body);
}
