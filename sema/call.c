// Functions (L9): declarations, size parameters, instances, calls.
#include "sema/expr.h"

#include "sema/builtin/builtin.h"
#include "sema/component/component.h"
#include "sema/stmt.h"
#include "sema/value.h"
#include "support/bug.h"

#include <string.h>

// --- declarations -------------------------------------------------------------------------------

// Which size parameter a dim is; their number when it is none.
static size_t size_index(const FunctionDecl *decl, const AstExpr *dim) {
    size_t k = dim->kind == AST_NAME ? 0 : decl->sizes.count;
    while (k < decl->sizes.count && decl->sizes.items[k].name != dim->name.name) {
        k++;
    }
    return k;
}

// A plain name in a parameter's dims that is not a visible constant is a size parameter.
static void collect_sizes(Checker *checker, FunctionDecl *decl, const AstType *type) {
    if (type->kind != AST_TYPE_TENSOR) {
        return;
    }
    collect_sizes(checker, decl, type->tensor.base);
    for (size_t d = 0; d < type->tensor.dims.count; d++) {
        const AstExpr *dim = type->tensor.dims.items[d];
        if (dim->kind == AST_NAME && dim->name.macro_indices.count == 0 &&
            size_index(decl, dim) == decl->sizes.count) {
            LIST_PUSH(checker->arena, &decl->sizes, dim->name);
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
    scope_add(unit->scope, SYMBOL_FUNCTION, name, span)->function = decl;
    return decl;
}

// --- instances ----------------------------------------------------------------------------------

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
    for (size_t k = 0; k < instance->asked.count; k++) {
        const GuardQuestion *question = &instance->asked.items[k];
        if (question->is_guarded) {
            symbol = arena_format(checker->arena, "%s.%s", symbol,
                                  check_interface_text(checker, question->terminal));
        }
    }
    return symbol;
}

// The instance for these sizes and the guards here.
static Instance *find_instance(const Checker *checker, FunctionDecl *decl, const uint32_t *sizes) {
    for (size_t k = 0; k < decl->instances.count; k++) {
        Instance *instance = decl->instances.items[k];
        bool same_sizes = decl->sizes.count == 0 ||
                          memcmp(instance->sizes, sizes, decl->sizes.count * sizeof *sizes) == 0;
        if (same_sizes && check_guards_fit(checker, instance)) {
            return instance;
        }
    }
    return NULL;
}

// Parameters and result. Parameters that the body assigns are copied into locals at its start.
static void declare_signature(Checker *checker, Instance *instance) {
    const AstStmt *ast = instance->decl->ast;
    TirFunction *function = instance->tir;
    function->param_count = ast->function.param_count;
    function->params = ARENA_ARRAY(checker->arena, TirVar *, function->param_count);
    for (size_t k = 0; k < ast->function.param_count; k++) {
        const AstParam *param = &ast->function.params[k];
        const Type *type = check_type(checker, param->type);
        if (!type_is_poison(type) && !type_has_value(type)) {
            check_error(checker, DIAG_E0407, param->type->span, "a parameter cannot be a `%s`",
                        check_type_text(checker, type));
            type = checker->poison->type;
        }
        bool poison = type_is_poison(type);
        instance->decl->signature_failed = instance->decl->signature_failed || poison;
        TirVar *var = check_declare(checker, &param->name, type, VAR_PARAM);
        if (var == NULL) {
            instance->decl->signature_failed = true;
            continue;
        }
        function->params[k] = var;
        if (!poison && block_assigns(&ast->function.body, param->name.name)) {
            TirVar *copy = tir_var_create(&checker->tir, function, VAR_LOCAL, param->name.name,
                                          type, param->name.span);
            tir_set(&checker->tir, checker->at.block,
                    tir_read(&checker->tir, copy, param->name.span),
                    tir_read(&checker->tir, var, param->name.span), param->name.span);
            scope_find_here(checker->at.scope, param->name.name)->var = copy;
        }
    }
    if (ast->function.result != NULL) {
        const Type *type = check_type(checker, ast->function.result);
        if (type_is_poison(type) || !type_has_value(type)) {
            if (!type_is_poison(type)) {
                check_error(checker, DIAG_E0407, ast->function.result->span,
                            "a function cannot return a `%s`", check_type_text(checker, type));
            }
            instance->decl->signature_failed = true;
            return;
        }
        function->result = tir_var_create(&checker->tir, function, VAR_RESULT, NULL, type,
                                          ast->function.result->span);
    }
}

static void lower_body(Checker *checker, Instance *instance) {
    const AstStmt *ast = instance->decl->ast;
    checker->at.scope = scope_create(checker->arena, checker->at.scope);
    bool falls_through = check_statements(checker, &ast->function.body);
    check_unused(checker, checker->at.scope);
    if (instance->tir->result != NULL && falls_through) {
        Diag *diag = check_error(checker, DIAG_E0713, ast->function.end_span,
                                 "`%s` can reach its end without returning a value",
                                 instance->decl->name->text);
        diag_label(diag, ast->function.result->span, "it returns %s",
                   check_type_text(checker, instance->tir->result->type));
    }
}

// Checks the signature and body for one set of sizes and the guards here. Its function joins the
// program after all that it calls.
static Instance *lower_instance(Checker *checker, FunctionDecl *decl, const uint32_t *sizes,
                                Span call_span) {
    Instance *instance = ARENA_NEW(checker->arena, Instance);
    instance->decl = decl;
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
    decl->is_being_checked = true;
    declare_signature(checker, instance);
    lower_body(checker, instance);
    decl->is_being_checked = false;
    checker->at = caller;
    function->symbol = instance_symbol(checker, instance);
    if (!check_needs_guard(instance, true)) {
        function->id = (uint32_t)checker->program->functions.count;
        LIST_PUSH(checker->arena, &checker->program->functions, function);
    }
    return instance;
}

TirFunction *check_uncalled(Checker *checker, FunctionDecl *decl) {
    bool is_broken_entry = decl->is_entry && decl->signature_failed;
    if (decl->instances.count == 0 && decl->sizes.count == 0 && !is_broken_entry) {
        lower_instance(checker, decl, NULL, decl->ast->function.name.span);
    }
    return decl->instances.count == 0 ? NULL : decl->instances.items[0]->tir;
}

// --- size parameters ----------------------------------------------------------------------------

// What a size was found to be, and by which argument.
typedef struct SizeBinding {
    bool known;
    uint32_t value;
    size_t arg;
} SizeBinding;

typedef struct SizeMatch {
    Checker *checker;
    const FunctionDecl *decl;
    SizeBinding *bindings;
    TirExpr **args;
} SizeMatch;

static bool bind_size(SizeMatch *match, const AstExpr *dim, uint32_t length, size_t arg) {
    size_t k = size_index(match->decl, dim);
    if (k == match->decl->sizes.count) {
        return true;
    }
    SizeBinding *binding = &match->bindings[k];
    if (!binding->known) {
        *binding = (SizeBinding){.known = true, .value = length, .arg = arg};
    }
    if (binding->value == length) {
        return true;
    }
    const char *name = dim->name.name->text;
    Diag *diag = check_error(match->checker, DIAG_E0506, match->args[arg]->span,
                             "size `%s` of `%s` is %u in one argument and %u in another", name,
                             match->decl->name->text, binding->value, length);
    diag_here(diag, "here `%s` is %u: %s", name, length,
              check_type_text(match->checker, match->args[arg]->type));
    if (binding->arg != arg) {
        diag_label(diag, match->args[binding->arg]->span, "here `%s` is %u: %s", name,
                   binding->value,
                   check_type_text(match->checker, match->args[binding->arg]->type));
    }
    return false;
}

static bool has_size(const FunctionDecl *decl, const AstType *type) {
    if (type->kind != AST_TYPE_TENSOR) {
        return false;
    }
    for (size_t d = 0; d < type->tensor.dims.count; d++) {
        if (size_index(decl, type->tensor.dims.items[d]) < decl->sizes.count) {
            return true;
        }
    }
    return has_size(decl, type->tensor.base);
}

static bool match_type(SizeMatch *match, const AstType *ast, const Type *type, size_t arg) {
    if (!has_size(match->decl, ast)) {
        return true;
    }
    if (!type_is_tensor(type) || type->rank != ast->tensor.dims.count) {
        Diag *diag = check_error(match->checker, DIAG_E0506, match->args[arg]->span,
                                 "argument %zu of `%s` needs a tensor of %u %s here, not %s",
                                 arg + 1, match->decl->name->text, ast->tensor.dims.count,
                                 ast->tensor.dims.count == 1 ? "dimension" : "dimensions",
                                 check_type_text(match->checker, match->args[arg]->type));
        diag_note_at(diag, ast->span, "the parameter is this");
        return false;
    }
    for (size_t d = 0; d < type->rank; d++) {
        const AstExpr *dim = ast->tensor.dims.items[d];
        if (!bind_size(match, dim, type->dims[d], arg)) {
            return false;
        }
    }
    return match_type(match, ast->tensor.base, type->base, arg);
}

// The sizes that the arguments supply; false after an error.
static bool infer_sizes(Checker *checker, const FunctionDecl *decl, TirExpr **args,
                        uint32_t *sizes) {
    SizeMatch match = {.checker = checker, .decl = decl, .args = args};
    match.bindings = ARENA_ARRAY(checker->arena, SizeBinding, decl->sizes.count);
    for (size_t k = 0; k < decl->ast->function.param_count; k++) {
        if (!match_type(&match, decl->ast->function.params[k].type, args[k]->type, k)) {
            return false;
        }
    }
    for (size_t k = 0; k < decl->sizes.count; k++) {
        CHECK(match.bindings[k].known);
        sizes[k] = match.bindings[k].value;
    }
    return true;
}

// --- calls --------------------------------------------------------------------------------------

static void report_recursion(Checker *checker, const FunctionDecl *decl, Span span) {
    const char *name = decl->name->text;
    Diag *diag =
        check_error(checker, DIAG_E0714, span, "`%s` calls itself: there is no recursion", name);
    for (Instance *at = checker->at.instance; at != NULL && at->decl != decl; at = at->caller) {
        diag_note_at(diag, at->call_span, "through the call of `%s`", at->decl->name->text);
    }
}

static void merge_effects(Checker *checker, const TirFunction *callee) {
    TirFunction *caller = checker->at.function;
    caller->reads_globals |= callee->reads_globals;
    caller->writes_globals |= callee->writes_globals;
    caller->has_effects |= callee->has_effects;
    caller->has_io |= callee->has_io;
    caller->uses_interface |= callee->uses_interface;
}

static bool has_side_effects(const TirFunction *function) {
    return function->has_effects || function->writes_globals;
}

// Whether the call is allowed where the checker stands.
static bool lower_call_place(Checker *checker, const Instance *instance, Span span) {
    const TirFunction *function = instance->tir;
    const char *name = instance->decl->name->text;
    if (checker->at.mode.in_index && has_side_effects(function)) {
        return check_refuse(checker, DIAG_E0604, span,
                            "an index cannot call `%s`, which has side effects", name);
    }
    bool pure = !has_side_effects(function) && !function->reads_globals && !instance->has_while;
    if (checker->at.mode.pure && !pure) {
        bool uses_file = function->reads_globals || function->writes_globals;
        return check_refuse(
            checker, DIAG_E0702, span, "a file-level value cannot call `%s`, which %s", name,
            instance->has_while        ? "contains a `while`"
            : !uses_file               ? "has side effects"
            : function->uses_interface ? "touches terminals or variables of the file"
                                       : "touches variables of the file");
    }
    if (checker->at.instance != NULL && instance->has_while) {
        checker->at.instance->has_while = true;
    }
    return true;
}

static TirExpr *convert_and_call(Checker *checker, Instance *instance, Span span, TirExpr **args) {
    FunctionDecl *decl = instance->decl;
    TirFunction *function = instance->tir;
    bool ok = true;
    for (size_t k = 0; k < function->param_count; k++) {
        const char *what =
            arena_format(checker->arena, "argument %zu of `%s`", k + 1, function->name->text);
        args[k] = check_assignable(checker, function->params[k]->type, args[k], what,
                                   decl->ast->function.params[k].name.span);
        ok = ok && !type_is_poison(args[k]->type);
    }
    if (!ok || !lower_call_place(checker, instance, span)) {
        return checker->poison;
    }
    if (has_side_effects(function)) {
        check_spill_held(checker);
    }
    TirVar *result = NULL;
    if (function->result != NULL) {
        result = tir_var_create(&checker->tir, checker->at.function, VAR_TEMP, NULL,
                                function->result->type, span);
    }
    TirStmt *stmt = tir_stmt(&checker->tir, checker->at.block, STMT_CALL, span);
    stmt->call.function = function;
    stmt->call.args = args;
    stmt->call.arg_count = function->param_count;
    stmt->call.result = result;
    merge_effects(checker, function);
    return result != NULL ? tir_read(&checker->tir, result, span) : check_nothing(checker, span);
}

static bool require_count(Checker *checker, const FunctionDecl *decl, size_t given, Span span) {
    size_t wanted = decl->ast->function.param_count;
    if (given == wanted) {
        return true;
    }
    const char *name = decl->name->text;
    Diag *diag = check_error(checker, DIAG_E0711, span, "`%s` takes %zu %s, not %zu", name, wanted,
                             wanted == 1 ? "argument" : "arguments", given);
    diag_note_at(diag, decl->ast->function.name.span, "`%s` is declared here", name);
    return false;
}

TirExpr *check_call_function(Checker *checker, FunctionDecl *decl, Span span, TirExpr **args,
                             size_t count) {
    bool ok = require_count(checker, decl, count, span);
    for (size_t k = 0; k < count; k++) {
        ok = ok && !type_is_poison(args[k]->type);
    }
    if (!ok || decl->signature_failed) {
        return checker->poison;
    }
    uint32_t *sizes = ARENA_ARRAY(checker->arena, uint32_t, decl->sizes.count);
    if (decl->sizes.count > 0 && !infer_sizes(checker, decl, args, sizes)) {
        return checker->poison;
    }
    Instance *instance = find_instance(checker, decl, sizes);
    if (decl->is_being_checked) {
        report_recursion(checker, decl, span);
        return checker->poison;
    }
    if (instance == NULL) {
        instance = lower_instance(checker, decl, sizes, span);
    }
    check_note_callee(checker, instance);
    if (decl->signature_failed) {
        return checker->poison;
    }
    return convert_and_call(checker, instance, span, args);
}

static TirExpr *call_named(Checker *checker, const AstExpr *ast, FunctionDecl *decl) {
    const char *name = decl->name->text;
    if (ast->call.bang) {
        return check_fail(checker, DIAG_E0716, ast->span, "`%s` has no `!` form", name);
    }
    if (decl->is_entry) {
        return check_fail(checker, DIAG_E0718, ast->span, "`%s` runs by itself and is never called",
                          name);
    }
    TirExpr **args = check_values(checker, &ast->call.args);
    return check_call_function(checker, decl, ast->span, args, ast->call.args.count);
}

TirExpr *check_call(Checker *checker, const AstExpr *ast) {
    const AstExpr *callee = ast->call.callee;
    if (callee->kind != AST_NAME) {
        if (callee->kind != AST_ERROR) {
            check_error(checker, DIAG_E0719, callee->span, "only functions can be called");
        }
        return checker->poison;
    }
    AstName resolved = {.name = check_macro_name(checker, &callee->name), .span = callee->span};
    const AstName *name = &resolved;
    if (name->name == NULL) {
        return checker->poison;
    }
    Symbol *symbol = scope_find(checker->at.scope, name->name);
    if (symbol != NULL && symbol->kind == SYMBOL_FUNCTION) {
        symbol->used = true;
        return call_named(checker, ast, symbol->function);
    }
    const Builtin *builtin = builtin_find(name->name);
    if (symbol == NULL && builtin != NULL) {
        return builtin_call(checker, builtin, ast);
    }
    if (symbol != NULL) {
        Diag *diag = check_error(checker, DIAG_E0719, callee->span, "`%s` is a %s, not a function",
                                 name->name->text,
                                 symbol->kind == SYMBOL_VAR ? "variable" : "size parameter");
        diag_note_at(diag, symbol->span, "`%s` is declared here%s", name->name->text,
                     builtin != NULL ? ", hiding the built-in" : "");
        if (builtin == NULL && symbol->kind == SYMBOL_VAR) {
            diag_note(diag, "indices stand in square brackets, and count from 0");
        }
        return checker->poison;
    }
    if (!checker->at.unit->import_failed) {
        Diag *diag = check_error(checker, DIAG_E0301, callee->span, "unknown function `%s`",
                                 name->name->text);
        check_suggest(checker, diag, name, true);
    }
    for (size_t k = 0; k < ast->call.args.count; k++) {
        if (ast->call.args.items[k]->kind != AST_TYPE_ARG) {
            check_expr(checker, ast->call.args.items[k]);
        }
    }
    return checker->poison;
}
