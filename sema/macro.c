// Macros (L10.7): bodies repeated and branches kept while the program is checked. They open no
// scope; their variables are constants, and `name{i, j}` is the name `name_0_1`.
#include "sema/stmt.h"

#include "parser/ast_visit.h"
#include "sema/component/component.h"
#include "sema/component/infer.h"
#include "sema/constant.h"
#include "sema/expr.h"
#include "sema/notes/record.h"
#include "sema/warn/warn.h"
#include "tir/constant.h"
#include "types/shape.h"

struct MacroBinding {
    Name name;
    TirExpr *value;
    MacroBinding *outer;
};

TirExpr *check_macro_variable(const Checker *checker, Name name) {
    for (const MacroBinding *at = checker->at.macros; at != NULL; at = at->outer) {
        if (at->name == name) {
            return at->value;
        }
    }
    return NULL;
}

bool check_is_no_macro_variable(Checker *checker, Name name, Span span, DiagCode code) {
    const TirExpr *value = check_macro_variable(checker, name);
    if (value != NULL) {
        Diag *diag = check_error(checker, code, span,
                                 "`%s` is the variable of a macro and cannot be %s here",
                                 name->text, code == DIAG_E0302 ? "declared" : "assigned to");
        diag_note_at(diag, value->span, "the macro is here");
    }
    return value == NULL;
}

// Whether it is a name of something that is not constant.
static bool is_no_constant(const AstExpr *expr, void *data) {
    if (expr->kind != AST_NAME) {
        return false;
    }
    const Checker *checker = data;
    const Symbol *symbol = scope_find(checker->at.scope, expr->name.name);
    bool is_space = symbol == NULL && check_is_space_name(expr->name.name);
    return !is_space && (symbol == NULL || symbol->kind != SYMBOL_CONSTANT) &&
           check_macro_variable(checker, expr->name.name) == NULL;
}

bool check_knows_name(Checker *checker, const AstName *name) {
    AstVisitor visitor = {.expr = is_no_constant, .data = checker};
    return !ast_visit_exprs(&name->macro_indices, &visitor);
}

// A constant int of a macro. False after E0740.
static bool macro_integer(Checker *checker, const AstExpr *ast, const char *what, int64_t *value) {
    TirExpr *expr = check_constant(checker, ast);
    infer_wants_scalar(checker, ast, ROOT_INT, true);
    if (type_is_poison(expr->type)) {
        return false;
    }
    if (!constant_integer(&checker->tir, expr, value)) {
        Diag *diag =
            check_error(checker, DIAG_E0740, ast->span, "%s must be a constant `int`, not %s", what,
                        expr->is_constant ? check_type_text(checker, expr->type) : "a value");
        check_note_not_constant(checker, diag, ast);
        return false;
    }
    return true;
}

Name check_macro_name(Checker *checker, const AstName *name) {
    if (name->macro_indices.count == 0) {
        return name->name;
    }
    const char *text = name->name->text;
    for (size_t k = 0; k < name->macro_indices.count; k++) {
        const AstExpr *ast = name->macro_indices.items[k];
        int64_t index;
        if (!macro_integer(checker, ast, "an index in a name", &index)) {
            return NULL;
        }
        if (index < 0) {
            check_error(checker, DIAG_E0740, ast->span,
                        "an index in a name cannot be negative, this is %lld", (long long)index);
            return NULL;
        }
        text = arena_format(checker->arena, "%s_%lld", text, (long long)index);
    }
    return names_intern_text(checker->context->names, text);
}

// The head of a macro is not known. What that may be is what lacks_interface has told: names of its
// body stay silent.
static bool leave_out(const Checker *checker) {
    Unit *unit = checker->at.unit;
    unit->lacks_names = unit->lacks_names || unit->lacks_interface;
    return true;
}

// The bounds of a `macro for`. False after an error.
static bool macro_bounds(Checker *checker, const AstStmt *stmt, int64_t *bounds) {
    const AstExpr *range = stmt->for_loop.range;
    if (range->kind != AST_RANGE || range->range.first == NULL || range->range.last == NULL) {
        return check_refuse(checker, DIAG_E0740, range->span,
                            "a `macro for` runs over a range with both bounds");
    }
    bool ok = macro_integer(checker, range->range.first, "the first bound", &bounds[0]);
    ok = macro_integer(checker, range->range.last, "the last bound", &bounds[1]) && ok;
    bounds[2] = 1;
    if (range->range.step != NULL) {
        ok = macro_integer(checker, range->range.step, "the step", &bounds[2]) && ok;
        if (ok && bounds[2] == 0) {
            check_report_no_step(checker, DIAG_E0421, range);
            return false;
        }
    }
    return ok;
}

bool check_count_repeat(Checker *checker, Span span) {
    enum { REPEAT_LIMIT = 100000 };
    if (checker->repeats > REPEAT_LIMIT) {
        return false; // which has been said
    }
    if (checker->repeats++ < REPEAT_LIMIT) {
        return true;
    }
    return check_refuse(checker, DIAG_E0902, span,
                        "macros and loops over strings repeat more than %d times", REPEAT_LIMIT);
}

bool check_macro_for(Checker *checker, const AstStmt *stmt, MacroBody *body, void *data) {
    int64_t bounds[3];
    if (!macro_bounds(checker, stmt, bounds)) {
        return leave_out(checker);
    }
    MacroBinding *outer = checker->at.macros;
    bool falls_through = true;
    if (bounds[2] > 0 ? bounds[0] >= bounds[1] : bounds[0] <= bounds[1]) {
        warn_skipped(checker, &stmt->for_loop.body);
    }
    for (int64_t i = bounds[0]; bounds[2] > 0 ? i < bounds[1] : i > bounds[1]; i += bounds[2]) {
        if (!check_count_repeat(checker, stmt->span)) {
            break;
        }
        // Functions declared inside keep their binding.
        MacroBinding *binding = ARENA_NEW(checker->arena, MacroBinding);
        binding->name = stmt->for_loop.name.name;
        binding->value = tir_const_int(&checker->tir, (int32_t)i, stmt->for_loop.name.span);
        binding->outer = outer;
        notes_macro(checker, binding->name, binding->value, binding->value->span);
        checker->at.macros = binding;
        falls_through = body(checker, &stmt->for_loop.body, data) && falls_through;
        checker->at.macros = outer;
    }
    return falls_through;
}

// A body that is left out.
static void skip(Checker *checker, const AstBlock *block) {
    warn_skipped(checker, block);
    infer_skipped(checker, block);
}

// Those from `arm` on, and what stands behind `else`.
static void skip_arms(Checker *checker, const AstStmt *stmt, size_t arm) {
    for (size_t k = arm; k < stmt->branch.arm_count; k++) {
        skip(checker, &stmt->branch.arms[k].body);
    }
    skip(checker, &stmt->branch.otherwise);
}

bool check_macro_if(Checker *checker, const AstStmt *stmt, MacroBody *body, void *data) {
    for (size_t k = 0; k < stmt->branch.arm_count; k++) {
        const AstArm *arm = &stmt->branch.arms[k];
        TirExpr *condition = check_constant(checker, arm->condition);
        infer_wants_scalar(checker, arm->condition, ROOT_BOOL, true);
        if (type_is_poison(condition->type)) {
            return leave_out(checker);
        }
        const TirScalar *value = constant_values(&checker->tir, condition);
        if (value == NULL || condition->type->kind != TYPE_SCALAR ||
            condition->type->root != ROOT_BOOL) {
            Diag *diag = check_error(checker, DIAG_E0740, arm->condition->span,
                                     "the condition of a `macro if` must be a constant scalar "
                                     "bool");
            check_note_not_constant(checker, diag, arm->condition);
            return true;
        }
        if (value->boolean) {
            skip_arms(checker, stmt, k + 1);
            return body(checker, &arm->body, data);
        }
        skip(checker, &arm->body);
    }
    return !stmt->branch.has_otherwise || body(checker, &stmt->branch.otherwise, data);
}

// The scalar that an expression in the head of a macro is, with nothing said; NULL: not known here.
static const TirScalar *known_scalar(Checker *checker, const AstExpr *ast, Root root) {
    AstVisitor visitor = {.expr = is_no_constant, .data = checker};
    if (ast_visit_expr(ast, &visitor)) {
        return NULL;
    }
    DiagMark mark = diags_mark(checker->context->diags);
    TirExpr *value = check_constant(checker, ast);
    diags_undo(checker->context->diags, &mark);
    bool fits = value->type->kind == TYPE_SCALAR && value->type->root == root;
    return fits ? constant_values(&checker->tir, value) : NULL;
}

static void walk_if(Checker *checker, const AstStmt *stmt, MacroWalk *body, void *data) {
    for (size_t k = 0; k < stmt->branch.arm_count; k++) {
        const AstArm *arm = &stmt->branch.arms[k];
        const TirScalar *value = known_scalar(checker, arm->condition, ROOT_BOOL);
        if (value == NULL || value->boolean) {
            body(&arm->body, data);
        }
        if (value != NULL && value->boolean) {
            return;
        }
    }
    body(&stmt->branch.otherwise, data);
}

// False: the bounds are not known here, or there are too many turns.
static bool known_bounds(Checker *checker, const AstExpr *range, int64_t bounds[3]) {
    enum { TURNS_MOST = 1000 };
    const AstExpr *parts[] = {range->range.first, range->range.last, range->range.step};
    for (size_t k = 0; k < 3; k++) {
        const TirScalar *value =
            parts[k] == NULL ? NULL : known_scalar(checker, parts[k], ROOT_INT);
        if (value == NULL && (parts[k] != NULL || k < 2)) {
            return false;
        }
        bounds[k] = value == NULL ? 1 : value->integer;
    }
    return bounds[2] != 0 && shape_range_count(bounds[0], bounds[1], bounds[2]) <= TURNS_MOST;
}

static void walk_for(Checker *checker, const AstStmt *stmt, MacroWalk *body, void *data) {
    const AstExpr *range = stmt->for_loop.range;
    int64_t bounds[3];
    if (range->kind != AST_RANGE || !known_bounds(checker, range, bounds)) {
        body(&stmt->for_loop.body, data);
        return;
    }
    MacroBinding binding = {.name = stmt->for_loop.name.name, .outer = checker->at.macros};
    checker->at.macros = &binding;
    for (int64_t i = bounds[0]; bounds[2] > 0 ? i < bounds[1] : i > bounds[1]; i += bounds[2]) {
        binding.value = tir_const_int(&checker->tir, (int32_t)i, stmt->for_loop.name.span);
        body(&stmt->for_loop.body, data);
    }
    checker->at.macros = binding.outer;
}

void check_macro_walk(Checker *checker, const AstStmt *stmt, MacroWalk *body, void *data) {
    (stmt->kind == AST_MACRO_IF ? walk_if : walk_for)(checker, stmt, body, data);
}

static bool is_no_variable(const AstExpr *expr, void *variables) {
    return expr->kind == AST_NAME && !name_set_has(variables, expr->name.name);
}

// Whether the head of a macro names more than the variables of those around.
static bool head_waits(NameSet *variables, const AstExpr *head) {
    AstVisitor visitor = {.expr = is_no_variable, .data = variables};
    return ast_visit_expr(head, &visitor);
}

static bool macro_waits(NameSet *variables, const AstStmt *stmt);

static bool block_waits(NameSet *variables, const AstBlock *block) {
    for (size_t k = 0; k < block->count; k++) {
        if (macro_waits(variables, block->items[k])) {
            return true;
        }
    }
    return false;
}

static bool macro_waits(NameSet *variables, const AstStmt *stmt) {
    if (stmt->kind == AST_MACRO_FOR) {
        bool waits = head_waits(variables, stmt->for_loop.range);
        name_set_add(variables, stmt->for_loop.name.name);
        return waits || block_waits(variables, &stmt->for_loop.body);
    }
    if (stmt->kind != AST_MACRO_IF) {
        return false;
    }
    for (size_t k = 0; k < stmt->branch.arm_count; k++) {
        const AstArm *arm = &stmt->branch.arms[k];
        if (head_waits(variables, arm->condition) || block_waits(variables, &arm->body)) {
            return true;
        }
    }
    return stmt->branch.has_otherwise && block_waits(variables, &stmt->branch.otherwise);
}

bool check_macro_waits(const Checker *checker, const AstStmt *stmt) {
    return ast_is_macro(stmt) && macro_waits(name_set_create(checker->arena), stmt);
}
