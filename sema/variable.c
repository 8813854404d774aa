// Declarations of variables and assignments (L3, L6).
#include "sema/stmt.h"

#include "sema/component/component.h"
#include "sema/component/infer.h"
#include "sema/constant.h"
#include "sema/expr.h"
#include "sema/notes/record.h"
#include "sema/system/system.h"
#include "sema/value.h"
#include "sema/warn/warn.h"
#include "sema/window.h"

#include <string.h>

// One that exists only where `optional` does, when that is absent: code that never runs names it.
static TirVar *create_var(Checker *checker, const AstName *name, const Type *type, TirVarRole role,
                          const TirInterface *optional) {
    if (type_is_poison(type) || (optional != NULL && !optional->is_present)) {
        TirVar *var = ARENA_NEW(checker->arena, TirVar);
        *var = (TirVar){.role = role, .name = name->name, .type = type, .span = name->span};
        return var;
    }
    TirFunction *function = role == VAR_GLOBAL ? NULL : checker->at.function;
    TirVar *var = tir_var_create(&checker->tir, function, role, name->name, type, name->span);
    if (role == VAR_GLOBAL) {
        LIST_PUSH(checker->arena, &checker->program->globals, var);
        checker->at.function->writes_globals = true;
    }
    return var;
}

static TirVar *declare(Checker *checker, const AstName *ast, const Type *type, TirVarRole role,
                       const TirInterface *optional) {
    AstName name = {.name = check_macro_name(checker, ast), .span = ast->span};
    if (name.name == NULL) {
        return NULL;
    }
    if (!check_is_no_macro_variable(checker, name.name, name.span, DIAG_E0302)) {
        return NULL;
    }
    Symbol *old = scope_find_here(checker->at.scope, name.name);
    if (old != NULL) {
        Diag *diag = check_error(checker, DIAG_E0302, name.span,
                                 "`%s` is declared twice in one scope", name.name->text);
        diag_label(diag, old->span, "first declared here");
        return NULL;
    }
    if (checker->at.mode.at_file_level) {
        check_file_level_name(checker, checker->at.unit, name.name, name.span);
    }
    TirVar *var = create_var(checker, &name, type, role, optional);
    Symbol *symbol = scope_add(checker->at.scope, SYMBOL_VAR, name.name, name.span);
    symbol->var = var;
    symbol->optional = optional;
    symbol->is_param = role == VAR_PARAM;
    symbol->in_macro = checker->at.macros != NULL;
    notes_declared(checker, symbol);
    return var;
}

TirVar *check_declare(Checker *checker, const AstName *ast, const Type *type, TirVarRole role) {
    return declare(checker, ast, type, role, NULL);
}

void check_declare_unknown(Checker *checker, const AstName *name) {
    if (name->macro_indices.count == 0 && scope_find(checker->at.scope, name->name) == NULL) {
        check_declare(checker, name, checker->poison->type, VAR_LOCAL);
    }
}

// File-level variables that functions can see live in the state; those of a script that no function
// names are ordinary locals.
static TirVarRole role_here(const Checker *checker, Name name) {
    const Unit *unit = checker->at.unit;
    bool local =
        !checker->at.mode.at_file_level || (unit->kind == FILE_SCRIPT && unit->index == 0 &&
                                            !name_set_has(unit->function_names, name));
    return local ? VAR_LOCAL : VAR_GLOBAL;
}

// A variable with the role that it has here; NULL after an error.
static TirVar *declare_here(Checker *checker, const AstName *ast, const Type *type,
                            const TirInterface *optional) {
    AstName name = {.name = check_macro_name(checker, ast), .span = ast->span};
    return name.name == NULL
               ? NULL
               : declare(checker, &name, type, role_here(checker, name.name), optional);
}

static const char *quoted(Checker *checker, Name name) {
    return arena_format(checker->arena, "`%s`", name->text);
}

void check_set_var(Checker *checker, TirVar *var, TirExpr *value, Span span) {
    if (var != NULL && !type_is_poison(value->type) && !type_is_poison(var->type)) {
        tir_set_var(&checker->tir, checker->at.block, var, value, span);
    }
}

static void declare_inferred(Checker *checker, const AstName *name, TypeOrigin origin,
                             const ConstantStart *start, TirExpr *value) {
    TirExpr *given = value;
    value = start == NULL ? value : check_constant_global(checker, start, value);
    TirVar *var = declare_here(checker, name, value->type, NULL);
    if (var != NULL) {
        Symbol *symbol = scope_find_here(checker->at.scope, var->name);
        symbol->origin = origin;
        symbol->first_value = given->is_constant ? given->span : (Span){0, 0};
        warn_declared(checker, checker->at.unit, symbol);
    }
    check_set_var(checker, var, value, name->span);
    check_note_global(checker, var, given, value);
}

static const Type *lower_variable_type(Checker *checker, const AstStmt *stmt) {
    const Type *type = check_type(checker, stmt->decl.type);
    if (!type_is_poison(type) && !type_has_value(type)) {
        check_error(checker, DIAG_E0407, stmt->decl.type->span,
                    "a variable cannot be a `%s`; strings are only properties and literals",
                    check_type_text(checker, type));
        return checker->poison->type;
    }
    return type;
}

static void declare_typed(Checker *checker, const AstStmt *stmt, const Type *type,
                          const ConstantStart *start, TirExpr *value,
                          const TirInterface *optional) {
    const AstName *name = &stmt->decl.name;
    bool is_real = value->type->root == ROOT_REAL && !type_is_poison(value->type);
    value = check_assignable(checker, type, value, quoted(checker, name->name), name->span);
    TirExpr *given = value;
    value = check_constant_global(checker, start, value);
    TirVar *var = declare_here(checker, name, type, optional);
    if (var != NULL) {
        Symbol *symbol = scope_find_here(checker->at.scope, var->name);
        symbol->lacks_real = is_real && type_is_poison(value->type);
        symbol->first_value = given->is_constant ? given->span : (Span){0, 0};
        warn_declared(checker, checker->at.unit, symbol);
    }
    check_set_var(checker, var, value, name->span);
    check_note_global(checker, var, given, value);
}

// `t.a?.type x? = e`, under the guard of `t.a`: its value must be present where `t.a` is.
static void lower_optional_declaration(Checker *checker, const AstStmt *stmt) {
    const TirInterface *terminal = checker->at.guards->terminal;
    ConstantStart start = check_constant_start(checker);
    const Type *type = lower_variable_type(checker, stmt);
    Operand value = check_operand(checker, stmt->decl.value);
    value.is_optional = value.is_optional && !check_has_terminal(&value.terminals, terminal);
    TirExpr *present = check_not_optional(checker, &value);
    declare_typed(checker, stmt, type, &start, check_has_value(checker, present), terminal);
}

void check_declaration(Checker *checker, const AstStmt *stmt) {
    if (!check_has_mark(stmt)) {
        const Type *type = lower_variable_type(checker, stmt);
        const AstExpr *ast = stmt->decl.value;
        ConstantStart start = check_constant_start(checker);
        bool poison = type_is_poison(type); // then nothing more is said about a text
        TirExpr *value = poison ? check_expr(checker, ast) : check_value(checker, ast);
        declare_typed(checker, stmt, type, &start, value, NULL);
        return;
    }
    const TirInterface *terminal = check_optional_type(checker, stmt);
    if (terminal == NULL) { // uses of it stay silent
        check_declare(checker, &stmt->decl.name, checker->poison->type, VAR_LOCAL);
        return;
    }
    check_guarded(checker, terminal, stmt, lower_optional_declaration);
}

static const char *target_text(Checker *checker, const AstExpr *target) {
    const char *text = check_expr_text(checker, target->span, NULL);
    return text == NULL ? "the target" : arena_format(checker->arena, "`%s`", text);
}

static Span declaration_of(const TirExpr *place) {
    return tir_place_var(place)->span;
}

// `m[1] = [7, 8]` where m is a matrix: its row is meant, and one index counts elements (L7.3).
static bool report_row_target(Checker *checker, const AstExpr *target, const TirExpr *place,
                              const TirExpr *value) {
    bool counts = target->kind == AST_INDEX && target->index.indices.count == 1 &&
                  target->index.object->kind == AST_NAME && type_is_scalar(place->type) &&
                  tir_place_var(place)->type->rank == 2 && type_is_tensor(value->type);
    const char *index =
        counts ? check_expr_text(checker, target->index.indices.items[0]->span, NULL) : NULL;
    if (index == NULL) {
        return false;
    }
    const char *name = target->index.object->name.name->text;
    Diag *diag =
        check_error(checker, DIAG_E0510, value->span, "%s does not fit %s",
                    check_type_text(checker, value->type), check_type_text(checker, place->type));
    diag_label(diag, target->span, "one index on a matrix counts elements");
    diag_help(diag, "`%s[%s, :]` is a row", name, index);
    diag_edit(diag, target->span, "%s[%s, :]", name, index);
    return true;
}

// `value` with the type of the place that `target` names.
static TirExpr *lower_to_target(Checker *checker, const AstExpr *target, const TirExpr *place,
                                TirExpr *value) {
    if (value->type == place->type) {
        return value; // most are, and need no text for messages
    }
    if (report_row_target(checker, target, place, value)) {
        return checker->poison;
    }
    return check_assignable(checker, place->type, value, target_text(checker, target),
                            declaration_of(place));
}

// What a target gets.
typedef struct Given {
    TirExpr *value;
    TypeOrigin origin;
    bool is_missing;            // and changes nothing
    size_t result;              // which one of a call with several, from 1; else 0
    const ConstantStart *start; // NULL: it cannot be constant
} Given;

// A result of several, of which no part of the source is the value, fits the place or is reported.
static bool result_fits(Checker *checker, const AstExpr *target, const TirExpr *place,
                        const Given *given) {
    const Type *type = given->value->type;
    if (type_is_poison(type)) {
        return true;
    }
    ShapeFit fit = shape_assign(place->type, type, false);
    if (fit.why == SHAPE_OK) {
        return true;
    }
    Diag *diag =
        check_error(checker, fit.why == SHAPE_ROOTS ? DIAG_E0401 : DIAG_E0510, target->span,
                    "result %zu is %s, and %s is %s", given->result, check_type_text(checker, type),
                    target_text(checker, target), check_type_text(checker, place->type));
    diag_label(diag, declaration_of(place), "declared here");
    diag_note(diag, "a new name takes its type, and can be converted then");
    return false;
}

static void assign_to_place(Checker *checker, const AstExpr *target, const Given *given,
                            Span span) {
    infer_assigned(checker, target, given->value, false);
    TirExpr *place = check_target_for(checker, target, TARGET_ASSIGNED);
    if (place == NULL || (given->result > 0 && !result_fits(checker, target, place, given))) {
        return;
    }
    TirExpr *value = lower_to_target(checker, target, place, given->value);
    if (!type_is_poison(value->type) && !given->is_missing) {
        tir_set(&checker->tir, checker->at.block, place, value, span);
        window_store(checker, false);
    }
}

// Whether the name of a target that has no declaration yet declares a variable.
static bool name_declares(const Checker *checker, Name name) {
    const Unit *unit = checker->at.unit;
    bool declares = checker->at.mode.at_file_level && unit->kind != FILE_SCRIPT;
    bool later = unit->kind == FILE_SCRIPT && checker->at.instance != NULL &&
                 name_set_has(unit->file_level, name);
    return declares || (scope_find(checker->at.scope, name) == NULL && !later);
}

// Declares the variable that `target` names, or assigns to its place.
static void assign_value(Checker *checker, const AstExpr *target, const Given *given, Span span) {
    Name name = target->kind == AST_NAME ? check_macro_name(checker, &target->name) : NULL;
    if (target->kind == AST_NAME &&
        (name == NULL || !check_is_no_macro_variable(checker, name, target->span, DIAG_E0715))) {
        return;
    }
    if (name != NULL && name_declares(checker, name)) {
        declare_inferred(checker, &target->name, given->origin, given->start, given->value);
        return;
    }
    assign_to_place(checker, target, given, span);
}

static void lower_plain_assignment(Checker *checker, const AstStmt *stmt) {
    const AstExpr *target = stmt->assign.target;
    Symbol *unread = warn_unread(checker, target);
    ConstantStart start = check_constant_start(checker);
    Operand operand = check_operand(checker, stmt->assign.value);
    warn_self_read(checker, unread, stmt->assign.value);
    // A missing value is not assigned to an optional target.
    bool is_optional = stmt->assign.optional && operand.is_optional;
    TirExpr *value = is_optional ? operand.value : check_not_optional(checker, &operand);
    Given given = {
        .value = check_has_value(checker, value),
        .origin = stmt->assign.value->kind == AST_TENSOR ? ORIGIN_LITERAL : ORIGIN_VALUE,
        .is_missing = operand.is_missing,
        .start = &start,
    };
    if (stmt->assign.optional) {
        assign_to_place(checker, target, &given, stmt->span);
    } else {
        assign_value(checker, target, &given, stmt->span);
        infer_origin(checker, target, stmt->assign.value);
    }
}

void check_send(Checker *checker, const AstStmt *stmt) {
    const AstExpr *target = stmt->assign.target;
    Operand operand = check_operand(checker, stmt->assign.value);
    Given given = {.value = check_has_value(checker, check_not_optional(checker, &operand))};
    const AstExpr *outer = checker->at.io_name;
    checker->at.io_name = check_io_bottom(checker, target);
    if (checker->at.io_name != NULL) {
        assign_to_place(checker, target, &given, stmt->span);
    }
    checker->at.io_name = outer;
}

static bool is_dropped(const AstExpr *target) {
    return target->kind == AST_NAME && strcmp(target->name.name->text, "_") == 0;
}

void check_assign_all(Checker *checker, const AstStmt *stmt) {
    const AstExprs *targets = &stmt->assign_all.targets;
    const AstExpr *ast = stmt->assign_all.value;
    TirVar **results = ARENA_ARRAY(checker->arena, TirVar *, targets->count);
    bool ok = !check_foreign_lengths(checker, stmt) &&
              check_call_results(checker, ast, targets->count, results) && check_ends(checker);
    for (size_t k = 0; k < targets->count; k++) {
        const AstExpr *target = targets->items[k];
        Given given = {
            .value = ok ? tir_read(&checker->tir, results[k], target->span) : checker->poison,
            .origin = ORIGIN_VALUE,
            .result = k + 1,
        };
        if (!is_dropped(target)) {
            assign_value(checker, target, &given, target->span);
        }
    }
}

size_t check_share_indices(Checker *checker, TirExpr *place) {
    size_t held = 0;
    for (; place->kind != EXPR_VAR;
         place = place->kind == EXPR_VIEW ? place->view.operand : place->operand) {
        if (place->kind != EXPR_VIEW) {
            continue;
        }
        for (size_t d = 0; d < place->view.operand->type->flat_rank; d++) {
            TirAxis *axis = &place->view.axes[d];
            TirExpr *index = axis->index;
            int64_t offset;
            const TirVar *var = index == NULL ? NULL : tir_index_var(index, &offset);
            bool is_cheap = index == NULL || (var != NULL && !tir_var_is_global(var));
            if (!is_cheap) {
                axis->index = check_into_temporary(checker, index);
            } else if (index != NULL) {
                check_hold(checker, &axis->index);
                held++;
            }
        }
    }
    return held;
}

static void lower_compound_assignment(Checker *checker, const AstStmt *stmt) {
    const AstExpr *target = stmt->assign.target;
    TirExpr *place = check_target_for(checker, target, TARGET_UPDATED);
    if (place == NULL) {
        const Operand operand = check_operand(checker, stmt->assign.value);
        infer_assigned(checker, target, operand.value, true);
        return;
    }
    size_t held = check_share_indices(checker, place);
    if (tir_var_is_global(tir_place_var(place))) {
        checker->at.function->reads_globals = true;
    }
    Operand old = {.value = place, .span = target->span};
    check_hold(checker, &old.value);
    Operand operand = check_operand(checker, stmt->assign.value);
    operand.value = check_has_value(checker, operand.value);
    infer_assigned(checker, target, operand.value, true);
    for (size_t k = 0; k <= held; k++) {
        check_release(checker);
    }
    checker->at.mode.left_is_target = true;
    TirExpr *value = check_apply_optional(checker, stmt->assign.op, stmt->assign.value->span,
                                          stmt->assign.op_span, &old, &operand, true)
                         .value;
    checker->at.mode.left_is_target = false;
    value = lower_to_target(checker, target, place, value);
    // `x = x` where the operand is missing: only reading x could matter.
    bool changes_nothing =
        operand.is_missing && tir_place_var(place)->role != VAR_OUTPUT && !tir_may_trap(place);
    if (!type_is_poison(value->type) && !changes_nothing) {
        tir_set(&checker->tir, checker->at.block, place, value, stmt->span)->set.is_update = true;
        window_store(checker, true);
    }
}

void check_assignment(Checker *checker, const AstStmt *stmt) {
    if (!stmt->assign.compound && !stmt->assign.optional &&
        system_is_array_target(checker, stmt->assign.target)) {
        system_assign_array(checker, stmt);
        return;
    }
    void (*check)(Checker *, const AstStmt *) =
        stmt->assign.compound ? lower_compound_assignment : lower_plain_assignment;
    if (!stmt->assign.optional) {
        check(checker, stmt);
        return;
    }
    const TirInterface *terminal = check_optional_target(checker, stmt);
    if (terminal != NULL) {
        check_guarded(checker, terminal, stmt, check);
    }
}
