// The checker's entry: the program, its entry functions, and what hosts may call.
#include "sema/check.h"

#include "sema/component/component.h"
#include "sema/component/effects.h"
#include "sema/component/infer.h"
#include "sema/component/interface_file.h"
#include "sema/constant.h"
#include "sema/expr.h"
#include "sema/file_kind.h"
#include "sema/library/library.h"
#include "sema/notes/record.h"
#include "sema/stmt.h"
#include "sema/system/system.h"
#include "sema/test.h"
#include "sema/warn/warn.h"
#include "support/bug.h"

#include <string.h>

static TirProgramKind program_kind(FileKind kind) {
    switch (kind) {
    case FILE_SCRIPT: return PROGRAM_SCRIPT;
    case FILE_PROGRAM: return PROGRAM_MAIN;
    case FILE_LIBRARY: return PROGRAM_LIBRARY;
    case FILE_COMPONENT: return PROGRAM_COMPONENT;
    }
    UNREACHABLE();
}

// The entry function of that name; NULL when there is none, or after an error.
static FunctionDecl *find_entry(Checker *checker, Unit *unit, const char *name) {
    Symbol *symbol = scope_find_here(unit->scope, names_intern_text(checker->context->names, name));
    if (symbol == NULL || symbol->kind != SYMBOL_FUNCTION || !symbol->function->is_entry) {
        return NULL;
    }
    const AstStmt *ast = symbol->function->ast;
    if (ast->function.param_count > 0 || ast->function.result_count > 0) {
        Diag *diag = check_error(checker, DIAG_E0711, ast->function.name.span,
                                 "`%s` has no parameters and no result", name);
        if (unit->kind == FILE_COMPONENT) {
            diag_note(diag, "inputs are read as `t.u`, outputs assigned as `t.y = ...`");
        }
        symbol->function->signature_failed = true;
        return NULL;
    }
    return symbol->function;
}

// Of a file whose `main_fnc` stands in macros that do not keep it.
static void report_dropped_main(Checker *checker, const TirFunction *entry) {
    check_error(checker, DIAG_E0703, entry->span,
                "nothing to run: `main_fnc` stands in a macro that leaves it out");
}

// Calls an entry function at the end of what is being emitted.
static void call_entry(Checker *checker, Unit *unit, const char *name) {
    FunctionDecl *decl = find_entry(checker, unit, name);
    if (decl != NULL) {
        check_call_function(checker, decl, decl->ast->function.name.span, NULL);
    }
}

// An entry function that nothing calls; NULL when there is none.
static TirFunction *lower_entry(Checker *checker, Unit *unit, const char *name) {
    FunctionDecl *decl = find_entry(checker, unit, name);
    return decl == NULL ? NULL : check_uncalled(checker, decl);
}

// What starts the instances comes before the values of the file level.
static void start_instances(Checker *checker, System *system) {
    TirBlock *body = checker->at.block;
    TirBlock values = *body;
    *body = (TirBlock){0};
    system_declare(checker, system);
    tir_append(&checker->tir, body, &values);
}

// A component without an entry function: one of its functions may be meant as one.
static void report_no_entry(Checker *checker, const Unit *unit) {
    Span span = {unit->file->source->base, unit->file->source->base};
    const char *entry = NULL;
    for (size_t k = 0; entry == NULL && k < unit->functions.count; k++) {
        const FunctionDecl *decl = unit->functions.items[k];
        const AstStmt *ast = decl->ast;
        bool fits = ast->function.param_count == 0 && ast->function.result_count == 0;
        entry = fits ? entry_name_meant(decl->name) : NULL;
        span = entry != NULL ? ast->function.name.span : span;
    }
    Diag *diag = check_error(checker, DIAG_E0701, span,
                             "a component has `init_fnc`, `output_fnc` or `update_fnc`, or "
                             "instances, and this file with an interface has none of them");
    if (entry != NULL && strcmp(entry, "main_fnc") != 0) {
        diag_help(diag, "write `%s`", entry);
        diag_edit(diag, span, "%s", entry);
    }
}

static void lower_component_entries(Checker *checker, Unit *unit) {
    FunctionDecl *main = NULL;
    bool has_entry = false;
    for (size_t k = 0; k < unit->functions.count; k++) {
        FunctionDecl *decl = unit->functions.items[k];
        main = is_main_name(decl->name) ? decl : main;
        has_entry = has_entry || decl->is_entry;
    }
    if (!has_entry && unit->system == NULL) {
        report_no_entry(checker, unit);
    } else if (main != NULL) {
        check_error(checker, DIAG_E0701, main->ast->function.name.span,
                    "a component has no `main_fnc`: it runs step by step");
    }
    if (unit->system != NULL) {
        start_instances(checker, unit->system);
    }
    call_entry(checker, unit, "init_fnc");
    checker->program->output = lower_entry(checker, unit, "output_fnc");
    checker->program->update = lower_entry(checker, unit, "update_fnc");
    if (unit->system != NULL) {
        system_finish(checker, unit->system);
    }
}

static const Instance *unguarded_instance(const FunctionDecl *decl) {
    for (size_t k = 0; k < decl->instances.count; k++) {
        if (!check_needs_guard(decl->instances.items[k], false)) {
            return decl->instances.items[k];
        }
    }
    return NULL;
}

// What hosts may call: functions of the main file that need nothing but their arguments and the
// file-level variables.
static void export_functions(const Unit *unit) {
    for (size_t k = 0; k < unit->functions.count; k++) {
        const FunctionDecl *decl = unit->functions.items[k];
        const Instance *instance = unguarded_instance(decl);
        if (decl->is_entry || decl->sizes.count > 0 || instance == NULL) {
            continue;
        }
        TirFunction *function = instance->tir;
        bool is_pure = !function->reads_globals && !function->writes_globals;
        bool has_state = unit->kind == FILE_LIBRARY || unit->kind == FILE_COMPONENT;
        function->exported =
            !function->has_io && !function->uses_interface && (is_pure || has_state);
    }
}

static TirFunction *create_entry(Checker *checker) {
    TirFunction *entry = ARENA_NEW(checker->arena, TirFunction);
    bool is_init =
        checker->program->kind == PROGRAM_LIBRARY || checker->program->kind == PROGRAM_COMPONENT;
    entry->symbol = is_init ? "init" : "main";
    entry->is_made = true;
    entry->name = names_intern_text(checker->context->names, entry->symbol);
    entry->span = (Span){checker->units.items[0]->file->source->base,
                         checker->units.items[0]->file->source->base};
    return entry;
}

// Of a file that is to be an executable. A function may have been meant to be what runs.
static void report_library(Checker *checker, const Unit *unit, const TirFunction *entry) {
    const AstBlock *statements = &unit->file->statements;
    for (size_t k = 0; k < statements->count; k++) {
        const AstStmt *stmt = statements->items[k];
        bool is_function = stmt->kind == AST_FUNCTION;
        const char *meant = is_function ? entry_name_meant(stmt->function.name.name) : NULL;
        if (meant != NULL && strcmp(meant, "main_fnc") == 0) {
            Diag *diag = check_error(checker, DIAG_E0703, stmt->function.name.span,
                                     "a library has nothing to run");
            diag_help(diag, "a program has `main_fnc`");
            return;
        }
    }
    check_error(checker, DIAG_E0703, (Span){entry->span.start, entry->span.start},
                "a library has nothing to run: compile it to an object with `-c`");
}

static void lower_main_unit(Checker *checker, Unit *unit) {
    interface_files_read(checker, unit);
    checker->program->kind = program_kind(unit->kind);
    TirFunction *entry = create_entry(checker);
    checker->at =
        (CheckPlace){.unit = unit, .function = entry, .scope = unit->scope, .block = &entry->body};
    if (unit->kind == FILE_LIBRARY && checker->options->executable) {
        report_library(checker, unit, entry);
    }
    unit_check_main(checker, unit);
    if (unit->kind == FILE_COMPONENT) {
        lower_component_entries(checker, unit);
    } else {
        Name main = names_intern_text(checker->context->names, "main_fnc");
        if (unit->kind == FILE_PROGRAM && scope_find_here(unit->scope, main) == NULL) {
            report_dropped_main(checker, entry);
        } else if (checker->options->tests != TESTS_RUN) {
            call_entry(checker, unit, "main_fnc");
        }
    }
    check_options_used(checker);
    unit_check_uncalled(checker, unit);
    for (size_t k = 0; k < unit->tests.count; k++) {
        warn_test(checker, &unit->tests.items[k]->function.body);
    }
    if (unit->kind != FILE_COMPONENT) {
        tests_check(checker, unit);
    }
    warn_scope(checker, unit->scope);
    warn_bounds(checker, entry);
    infer_end(checker);
    tir_add_function(&checker->tir, checker->program, entry);
    if (unit->kind == FILE_LIBRARY || unit->kind == FILE_COMPONENT) {
        checker->program->init = entry;
    } else {
        checker->program->entry = entry;
    }
}

// A step is differentiated as a whole.
static void give_rules(Checker *checker) {
    const TirProgram *program = checker->program;
    const TirFunction *functions[] = {program->init, program->output, program->update};
    for (size_t k = 0; k < sizeof functions / sizeof functions[0]; k++) {
        if (functions[k] != NULL) {
            library_rules(checker, functions[k]);
        }
    }
}

static TirProgram *check_file(Checker *checker, AstFile *file) {
    Context *context = checker->context;
    checker->tir = (Tir){.arena = context->arena,
                         .types = checker->shared->types,
                         .names = context->names,
                         .single = checker->options->single};
    checker->program = ARENA_NEW(context->arena, TirProgram);
    checker->program->single = checker->options->single;
    checker->program->path = file->source->path;
    checker->program->types = checker->tir.types;
    checker->poison =
        tir_new_expr(context->arena, EXPR_CONST, type_poison(checker->tir.types), (Span){0, 0});
    size_t errors = checker->outer == NULL ? 0 : context->diags->error_count;
    warn_begin(checker);
    lower_main_unit(checker, unit_create(checker, file, (Span){0, 0}));
    notes_end(checker);
    bool is_component = checker->program->kind == PROGRAM_COMPONENT;
    bool has_interface = is_component && checker->options->infer == NULL;
    if (context->diags->error_count == errors && has_interface) {
        effects_check(context, checker->program);
    }
    if (context->diags->error_count == errors && is_component) {
        check_place_hardware(checker);
    }
    if (has_interface) {
        tests_check(checker, checker->units.items[0]);
    }
    if (context->diags->error_count == errors && has_interface) {
        check_settle_debug(checker);
    }
    if (context->diags->error_count == errors && has_interface && checker->options->linearize) {
        give_rules(checker);
    }
    warn_end(checker);
    if (context->diags->error_count > errors) {
        return NULL;
    }
    check_keep_constants(checker);
    return checker->program;
}

TirProgram *check_program(Context *context, AstFile *file, const CheckOptions *options) {
    CheckShared shared = {.types = options->infer == NULL ? types_create(context->arena)
                                                          : options->infer->types};
    Checker checker = {
        .context = context, .arena = context->arena, .options = options, .shared = &shared};
    TirProgram *program = check_file(&checker, file);
    if (program != NULL) {
        export_functions(checker.units.items[0]);
        for (size_t k = 0; k < shared.components.count; k++) {
            LIST_PUSH(context->arena, &program->components, shared.components.items[k]);
        }
    }
    return program;
}

TirProgram *check_component(Checker *outer, AstFile *file, const ComponentUse *use) {
    CheckOptions options = *outer->options;
    options.definitions = (CheckTexts){0};
    options.connections = (CheckTexts){0};
    options.shared_definitions = options.shared_connections = 0;
    options.interfaces = (TextList){0};
    options.executable = false;
    options.no_warnings |= table_get(&outer->shared->warned, file) != NULL;
    table_set(outer->arena, &outer->shared->warned, file, file);
    Checker checker = {.context = outer->context,
                       .outer = outer,
                       .shared = outer->shared,
                       .use = use,
                       .arena = outer->arena,
                       .options = &options};
    return check_file(&checker, file);
}
