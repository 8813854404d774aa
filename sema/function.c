// Functions as they are declared (L9): size parameters, defaults, and the instances that calls
// make.
#include "sema/function.h"

#include "parser/ast_visit.h"
#include "sema/component/component.h"
#include "sema/constant.h"
#include "sema/expr.h"
#include "sema/notes/record.h"
#include "sema/stmt.h"
#include "sema/value.h"
#include "sema/warn/warn.h"
#include "tir/constant.h"

#include <string.h>

size_t function_size_index(const FunctionDecl *decl, const AstExpr *dim) {
    bool is_plain = dim->kind == AST_NAME && dim->name.macro_indices.count == 0;
    size_t k = is_plain ? 0 : decl->sizes.count;
    while (k < decl->sizes.count && decl->sizes.items[k].name != dim->name.name) {
        k++;
    }
    return k;
}

// A plain name in a parameter's dims that is not a visible constant is a size parameter.
static void collect_sizes(Checker *checker, FunctionDecl *decl, const AstType *type) {
    bool is_char = type->kind == AST_TYPE_SCALAR && type->scalar == AST_SCALAR_CHAR;
    decl->has_root = decl->has_root || (is_char && decl->unit->trusted);
    if (type->kind != AST_TYPE_TENSOR) {
        return;
    }
    collect_sizes(checker, decl, type->tensor.base);
    for (size_t d = 0; d < type->tensor.dims.count; d++) {
        const AstExpr *dim = type->tensor.dims.items[d];
        if (dim->kind == AST_NAME && dim->name.macro_indices.count == 0 &&
            check_macro_variable(checker, dim->name.name) == NULL &&
            function_size_index(decl, dim) == decl->sizes.count) {
            LIST_PUSH(checker->arena, &decl->sizes, dim->name);
        }
    }
}

bool function_has_places(const FunctionDecl *decl) {
    for (size_t k = 0; k < decl->ast->function.param_count; k++) {
        if (decl->ast->function.params[k].is_var) {
            return true;
        }
    }
    return false;
}

// L9.4: behind a default all have one; what is copied back has none.
static void check_default_order(Checker *checker, FunctionDecl *decl) {
    const AstParam *with_default = NULL;
    for (size_t k = 0; k < decl->ast->function.param_count; k++) {
        const AstParam *param = &decl->ast->function.params[k];
        if (param->value != NULL && param->is_var) {
            check_error(checker, DIAG_E0711, param->value->span,
                        "a `var` parameter has no default: it is copied back to its argument");
            decl->signature_failed = true;
            return;
        }
        if (param->value != NULL) {
            with_default = param;
        } else if (with_default != NULL) {
            Diag *diag = check_error(checker, DIAG_E0711, param->name.span,
                                     "parameter `%s` needs a default", param->name.name->text);
            diag_label(diag, with_default->name.span, "a parameter before it has one");
            decl->signature_failed = true;
            return;
        }
    }
}

FunctionDecl *check_declare_function(Checker *checker, Unit *unit, AstStmt *ast) {
    Name name = check_macro_name(checker, &ast->function.name);
    Span span = ast->function.name.span;
    if (name == NULL) {
        return NULL;
    }
    Symbol *old = scope_find_here(unit->scope, name);
    if (old != NULL) {
        Diag *diag = check_error(checker, DIAG_E0302, span, "`%s` is declared twice", name->text);
        diag_label(diag, old->span, "first declared here");
        return NULL;
    }
    check_file_level_name(checker, unit, name, span);
    FunctionDecl *decl = ARENA_NEW(checker->arena, FunctionDecl);
    decl->ast = ast;
    decl->name = name;
    decl->macros = checker->at.macros;
    decl->unit = unit;
    decl->is_entry = (unit->kind == FILE_PROGRAM && is_main_name(name)) ||
                     (unit->kind == FILE_COMPONENT && is_component_entry_name(name));
    for (size_t k = 0; k < ast->function.param_count; k++) {
        collect_sizes(checker, decl, ast->function.params[k].type);
    }
    check_default_order(checker, decl);
    Symbol *symbol = scope_add(unit->scope, SYMBOL_FUNCTION, name, span);
    symbol->function = decl;
    warn_declared(checker, unit, symbol);
    if (!unit->trusted) {
        notes_declared(checker, symbol);
    }
    return decl;
}

// Of a function that is checked: `f`, `unit1.f`, `f.3.4` with sizes, `f.t.sync` for calls under
// the guard of a terminal.
static const char *instance_symbol(Checker *checker, const Instance *instance) {
    const FunctionDecl *decl = instance->decl;
    const char *symbol = decl->name->text;
    if (decl->unit->index != 0) {
        symbol = arena_format(checker->arena, "unit%u.%s", decl->unit->index, symbol);
    }
    for (size_t k = 0; k < decl->sizes.count; k++) {
        symbol = arena_format(checker->arena, "%s.%u", symbol, instance->sizes[k]);
    }
    if (decl->has_root) {
        symbol = arena_format(checker->arena, "%s.%s", symbol, root_text(instance->root));
    }
    for (size_t k = 0; k < instance->asked.count; k++) {
        const GuardQuestion *question = &instance->asked.items[k];
        if (question->is_guarded) {
            symbol = arena_format(checker->arena, "%s.%s", symbol,
                                  check_interface_text(checker, question->terminal));
        }
    }
    return symbol;
}

// The instance for these sizes, this root and the guards here.
static Instance *find_instance(const Checker *checker, FunctionDecl *decl, const uint32_t *sizes,
                               Root root) {
    for (size_t k = 0; k < decl->instances.count; k++) {
        Instance *instance = decl->instances.items[k];
        bool same_sizes = decl->sizes.count == 0 ||
                          memcmp(instance->sizes, sizes, decl->sizes.count * sizeof *sizes) == 0;
        same_sizes = same_sizes && instance->root == root;
        if (same_sizes && check_guards_fit(checker, instance)) {
            return instance;
        }
    }
    return NULL;
}

// The default of a parameter, which sees the sizes but no other parameter; poison after an error.
static TirExpr *check_default(Checker *checker, const AstParam *param, const Type *type) {
    TirBlock nowhere = {0};
    CheckPlace signature = checker->at;
    checker->at.scope = checker->at.instance->scope;
    checker->at.block = &nowhere;
    const char *name = param->name.name->text;
    TirExpr *value =
        check_assignable(checker, type, check_constant(checker, param->value),
                         arena_format(checker->arena, "parameter `%s`", name), param->name.span);
    checker->at = signature;
    const TirScalar *scalars = constant_values(&checker->tir, value);
    if (type_is_poison(value->type) || scalars != NULL) {
        return scalars == NULL ? value : tir_const(&checker->tir, type, scalars, value->span);
    }
    Diag *diag = check_error(checker, DIAG_E0711, param->value->span,
                             "the default of `%s` must be a constant", name);
    check_note_not_constant(checker, diag, param->value);
    return checker->poison;
}

// Whether a call may give the variable to a `var` parameter.
typedef struct GivenSearch {
    const Scope *scope;
    Name name;
} GivenSearch;

static bool may_give(const AstExpr *expr, void *data) {
    const GivenSearch *search = data;
    if (expr->kind != AST_CALL || expr->call.callee->kind != AST_NAME) {
        return false;
    }
    const Symbol *callee = scope_find_function(search->scope, expr->call.callee->name.name);
    // `f{i}` may be any function.
    bool may_write = expr->call.callee->name.macro_indices.count > 0 ||
                     (callee != NULL && function_has_places(callee->function));
    for (size_t k = 0; may_write && k < expr->call.args.count; k++) {
        const AstExpr *arg = expr->call.args.items[k];
        arg = arg->kind == AST_NAMED_ARG ? arg->named.value : arg;
        while (arg->kind == AST_INDEX) {
            arg = arg->index.object;
        }
        if (arg->kind == AST_NAME && ast_name_may_be(&arg->name, search->name)) {
            return true;
        }
    }
    return false;
}

static bool is_assigned(const Checker *checker, const AstStmt *function, Name name) {
    GivenSearch search = {checker->at.scope, name};
    AstVisitor visitor = {.expr = may_give, .data = &search};
    return block_assigns(&function->function.body, name) ||
           ast_visit_block(&function->function.body, &visitor);
}

// Parameters and results. Parameters that the body assigns are copied into locals at its start.
static void declare_signature(Checker *checker, Instance *instance) {
    const AstStmt *ast = instance->decl->ast;
    TirFunction *function = instance->tir;
    function->param_count = ast->function.param_count;
    function->params = ARENA_ARRAY(checker->arena, TirVar *, function->param_count);
    instance->defaults = ARENA_ARRAY(checker->arena, TirExpr *, function->param_count);
    for (size_t k = 0; k < ast->function.param_count; k++) {
        const AstParam *param = &ast->function.params[k];
        const Type *type = check_type(checker, param->type);
        if (!type_is_poison(type) && !type_has_value(type)) {
            check_error(checker, DIAG_E0407, param->type->span, "a parameter cannot be a `%s`",
                        check_type_text(checker, type));
            type = checker->poison->type;
        }
        if (param->value != NULL) {
            instance->defaults[k] = check_default(checker, param, type);
        }
        bool poison = type_is_poison(type) ||
                      (param->value != NULL && type_is_poison(instance->defaults[k]->type));
        instance->decl->signature_failed = instance->decl->signature_failed || poison;
        TirVar *var =
            check_declare(checker, &param->name, type, param->is_var ? VAR_INOUT : VAR_PARAM);
        if (var == NULL) {
            instance->decl->signature_failed = true;
            continue;
        }
        if (param->is_var) { // the caller reads it
            scope_find_here(checker->at.scope, var->name)->used = true;
        }
        function->params[k] = var;
        if (!poison && !param->is_var && is_assigned(checker, ast, var->name)) {
            TirVar *copy = tir_var_create(&checker->tir, function, VAR_LOCAL, var->name, type,
                                          param->name.span);
            tir_set_var(&checker->tir, checker->at.block, copy,
                        tir_read(&checker->tir, var, param->name.span), param->name.span);
            scope_find_here(checker->at.scope, var->name)->var = copy;
        }
    }
    for (size_t k = 0; k < ast->function.result_count; k++) {
        const AstType *result = ast->function.results[k];
        const Type *type = check_type(checker, result);
        if (!type_is_poison(type) && !type_has_value(type)) {
            check_error(checker, DIAG_E0407, result->span, "a function cannot return a `%s`",
                        check_type_text(checker, type));
            type = checker->poison->type;
        }
        if (type_is_poison(type)) {
            instance->decl->signature_failed = true;
            return;
        }
        tir_result_create(&checker->tir, function, type, result->span);
    }
}

static void lower_body(Checker *checker, Instance *instance) {
    const AstStmt *ast = instance->decl->ast;
    checker->at.scope = scope_create(checker->arena, checker->at.scope);
    bool falls_through = check_statements(checker, &ast->function.body);
    warn_scope(checker, checker->at.scope);
    warn_lost_state(checker, ast, checker->at.scope);
    warn_shared(checker, ast);
    warn_changes(checker, ast, checker->at.scope->parent);
    warn_bounds(checker, instance->tir);
    warn_scope(checker, checker->at.scope->parent); // of parameters
    if (instance->tir->results.count > 0 && falls_through) {
        Diag *diag = check_error(checker, DIAG_E0713, ast->function.end_span,
                                 "`%s` can reach its end without returning a value",
                                 instance->decl->name->text);
        const TirVar *result = instance->tir->results.items[0];
        diag_label(diag, result->span, "it returns %s", check_type_text(checker, result->type));
    }
}

// Checks the signature and body for one set of sizes and the guards here. Its function joins the
// program after all that it calls.
static Instance *lower_instance(Checker *checker, FunctionDecl *decl, const uint32_t *sizes,
                                Root root, Span call_span) {
    Instance *instance = ARENA_NEW(checker->arena, Instance);
    instance->decl = decl;
    instance->root = root;
    instance->caller = checker->at.instance;
    instance->call_span = call_span;
    instance->guards = checker->at.guards;
    instance->sizes = ARENA_ARRAY(checker->arena, uint32_t, decl->sizes.count);
    instance->scope = scope_create(checker->arena, decl->unit->scope);
    for (size_t k = 0; k < decl->sizes.count; k++) {
        const AstName *name = &decl->sizes.items[k];
        instance->sizes[k] = sizes[k];
        scope_add(instance->scope, SYMBOL_CONSTANT, name->name, name->span)->constant =
            tir_const_int(&checker->tir, (int32_t)sizes[k], name->span);
    }
    TirFunction *function = ARENA_NEW(checker->arena, TirFunction);
    instance->tir = function;
    function->name = decl->name;
    function->span = decl->ast->function.name.span;
    LIST_PUSH(checker->arena, &decl->instances, instance);

    size_t errors = checker->context->diags->error_count;
    CheckPlace caller = checker->at;
    checker->at = (CheckPlace){
        .unit = decl->unit,
        .instance = instance,
        .function = function,
        .scope = scope_create(checker->arena, instance->scope),
        .block = &function->body,
        .macros = decl->macros,
        .guards = instance->guards,
        .used = &instance->used,
    };
    notes_instance(checker, instance);
    for (size_t k = 0; k < decl->sizes.count; k++) {
        notes_declared(checker, instance->scope->symbols.items[k]);
    }
    decl->is_being_checked = true;
    declare_signature(checker, instance);
    lower_body(checker, instance);
    decl->is_being_checked = false;
    checker->at = caller;
    function->has_errors |= checker->context->diags->error_count > errors;
    function->symbol = instance_symbol(checker, instance);
    if (!check_needs_guard(instance, true)) {
        tir_add_function(&checker->tir, checker->program, function);
    }
    return instance;
}

static void report_recursion(Checker *checker, const FunctionDecl *decl, Span span) {
    const char *name = decl->name->text;
    Diag *diag =
        check_error(checker, DIAG_E0714, span, "`%s` calls itself: there is no recursion", name);
    for (Instance *at = checker->at.instance; at != NULL && at->decl != decl; at = at->caller) {
        diag_note_at(diag, at->call_span, "through the call of `%s`", at->decl->name->text);
    }
}

// Errors in the text of the library are of the call that made the instance: one takes their place.
static void blame_call(Checker *checker, const FunctionDecl *decl, size_t kept, size_t errors,
                       Span span) {
    DiagList *diags = checker->context->diags;
    const Diag *first = kept < diags->all.count ? diags->all.items[kept] : NULL;
    bool is_told = first == NULL || first->code == DIAG_E0508;
    if (first != NULL && is_told && diags->error_count > errors) { // the others follow from it
        diags->all.count = kept + 1;
        diags->error_count = errors + 1;
    } else if (first != NULL && diags->error_count > errors) {
        diags->all.count = kept;
        diags->error_count = errors;
        bool is_short = first->code == DIAG_E0410;
        Diag *diag = check_error(checker, DIAG_E0508, span,
                                 is_short ? "`%s` needs more elements than are given here"
                                          : "`%s` does not take what is given here",
                                 decl->name->text);
        diag_note(diag, is_short ? "no tensor is empty: %s" : "in its text: %s", first->message);
    }
}

Instance *function_instance(Checker *checker, FunctionDecl *decl, const uint32_t *sizes, Root root,
                            Span span) {
    Instance *instance = find_instance(checker, decl, sizes, root);
    if (decl->is_being_checked) {
        report_recursion(checker, decl, span);
        return NULL;
    }
    if (instance == NULL) {
        const DiagList *diags = checker->context->diags;
        size_t kept = diags->all.count;
        size_t errors = diags->error_count;
        instance = lower_instance(checker, decl, sizes, root, span);
        if (decl->unit->trusted && !checker->at.unit->trusted) {
            blame_call(checker, decl, kept, errors, span);
        }
    }
    return instance;
}

TirFunction *check_uncalled(Checker *checker, FunctionDecl *decl) {
    bool is_broken_entry = decl->is_entry && decl->signature_failed;
    if (decl->instances.count == 0 && decl->sizes.count == 0 && !is_broken_entry) {
        lower_instance(checker, decl, NULL, ROOT_BOOL, decl->ast->function.name.span);
    }
    return decl->instances.count == 0 ? NULL : decl->instances.items[0]->tir;
}
