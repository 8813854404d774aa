// The checker's entry: files and their imports, file-level statements, and messages.
#include "sema/checker.h"

#include "parser/ast_visit.h"
#include "sema/builtin/prelude.h"
#include "sema/component/effects.h"
#include "sema/component/optional.h"
#include "support/bug.h"

#include <stdarg.h>
#include <string.h>

// --- messages -----------------------------------------------------------------------------------

// Mistakes that are traps foreseen: only code that runs can make them.
static bool is_foreseen_trap(DiagCode code) {
    return code == DIAG_E0420 || code == DIAG_E0421 || code == DIAG_E0603;
}

Diag *check_error(Checker *checker, DiagCode code, Span span, const char *format, ...) {
    if (checker->at.is_pruned && is_foreseen_trap(code)) {
        return ARENA_NEW(checker->arena, Diag); // takes labels and notes, and is not shown
    }
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vformat(checker->arena, format, arguments);
    va_end(arguments);
    Diag *diag = diag_error(checker->context->diags, code, span, "%s", text);
    const Instance *instance = checker->at.instance;
    if (instance != NULL && instance->decl->sizes.count > 0) {
        const char *sizes = "";
        for (size_t k = 0; k < instance->decl->sizes.count; k++) {
            sizes = arena_format(checker->arena, "%s%s`%s` = %u", sizes, k == 0 ? "" : ", ",
                                 instance->decl->sizes.items[k].name->text, instance->sizes[k]);
        }
        diag_note_at(checker->context->diags, diag, instance->call_span,
                     "in the instance of `%s` with %s that is called here",
                     instance->decl->name->text, sizes);
    }
    return diag;
}

Diag *check_warning(Checker *checker, Warning warning, Span span, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vformat(checker->arena, format, arguments);
    va_end(arguments);
    return diag_warning(checker->context->diags, warning, span, "%s", text);
}

bool check_has_room(Checker *checker, Span span) {
    if (context_has_stack(checker->context)) {
        return true;
    }
    if (!checker->too_deep) {
        checker->too_deep = true;
        Diag *diag = check_error(checker, DIAG_E0901, span, "nesting is too deep");
        diag_note(checker->context->diags, diag,
                  "functions that call functions and `elseif` arms go as far as the stack does");
    }
    return false;
}

const char *check_type_text(Checker *checker, const Type *type) {
    return type_text(checker->arena, type);
}

const char *check_expr_text(Checker *checker, Span span, const char *fallback) {
    enum { SHORT_TEXT = 24 };
    Slice text = sources_text(checker->context->sources, span);
    if (text.len == 0 || text.len > SHORT_TEXT || memchr(text.data, '\n', text.len) != NULL) {
        return fallback;
    }
    return arena_copy_text(checker->arena, text.data, text.len);
}

// --- units --------------------------------------------------------------------------------------

static Unit *create_unit(Checker *checker, AstFile *file, Span import_span) {
    Unit *unit = ARENA_NEW(checker->arena, Unit);
    unit->file = file;
    unit->index = (uint32_t)checker->units.count;
    unit->kind = file_kind(checker->arena, file);
    unit->imported = scope_create(checker->arena, NULL);
    unit->scope = scope_create(checker->arena, unit->imported);
    unit->file_level = file_level_names(checker->arena, file);
    unit->function_names = file_function_names(checker->arena, file);
    unit->import_span = import_span;
    for (size_t k = 0; k < INTERFACE_SPACES && unit->kind == FILE_COMPONENT; k++) {
        unit->interface[k] = scope_create(checker->arena, NULL);
    }
    LIST_PUSH(checker->arena, &checker->units, unit);
    return unit;
}

static void declare_functions(Checker *checker, Unit *unit, const AstBlock *statements);

static bool declare_macro_functions(Checker *checker, const AstBlock *block, void *data) {
    declare_functions(checker, data, block);
    return true;
}

static void note_function(const AstStmt *stmt, void *data) {
    bool *found = data;
    *found = *found || stmt->kind == AST_FUNCTION;
}

static bool holds_function(const AstStmt *stmt) {
    bool found = false;
    AstVisitor visitor = {.stmt = note_function, .data = &found};
    ast_visit_stmt(stmt, &visitor);
    return found;
}

static void declare_function(Checker *checker, Unit *unit, AstStmt *stmt) {
    if (stmt->kind == AST_MACRO_FOR && holds_function(stmt)) {
        check_macro_for(checker, stmt, declare_macro_functions, unit);
    } else if (stmt->kind == AST_MACRO_IF && holds_function(stmt)) {
        check_macro_if(checker, stmt, declare_macro_functions, unit);
    } else if (stmt->kind == AST_FUNCTION) {
        FunctionDecl *decl = check_declare_function(checker, unit, stmt);
        if (decl != NULL) {
            LIST_PUSH(checker->arena, &unit->functions, decl);
        }
    }
}

static void declare_functions(Checker *checker, Unit *unit, const AstBlock *statements) {
    for (size_t k = 0; k < statements->count; k++) {
        declare_function(checker, unit, statements->items[k]);
    }
}

// Note [Functions in macros]
// Functions are declared before anything else is checked, so that all of the file can call them.
// Where the bounds or conditions of a macro name something of the file, such as a property, its
// functions wait until that has a value: they are declared where the macro stands.

static void declare_file_functions(Checker *checker, Unit *unit) {
    CheckPosition outside = checker->at;
    TirBlock nowhere = {0};
    checker->at.unit = unit;
    checker->at.scope = unit->scope;
    checker->at.block = &nowhere;
    for (size_t k = 0; k < unit->file->statements.count; k++) {
        AstStmt *stmt = unit->file->statements.items[k];
        if (!check_macro_waits(checker, stmt)) {
            declare_function(checker, unit, stmt);
        }
    }
    checker->at = outside;
}

static void declare_waiting_functions(Checker *checker, Unit *unit, AstStmt *stmt) {
    TirBlock *outside = checker->at.block;
    TirBlock nowhere = {0};
    checker->at.block = &nowhere;
    declare_function(checker, unit, stmt);
    checker->at.block = outside;
}

static void check_file_level(Checker *checker, Unit *unit) {
    const AstBlock *statements = &unit->file->statements;
    bool runs = unit->kind == FILE_SCRIPT && unit->index == 0;
    CheckPosition outside = checker->at;
    checker->at.unit = unit;
    checker->at.scope = unit->scope;
    checker->at.at_file_level = true;
    checker->at.pure = !runs;
    for (size_t k = 0; k < statements->count; k++) {
        AstStmt *stmt = statements->items[k];
        if (stmt->kind == AST_FUNCTION || stmt->kind == AST_IMPORT) {
            continue;
        }
        if (check_macro_waits(checker, stmt)) {
            declare_waiting_functions(checker, unit, stmt);
        }
        if (!check_statement(checker, stmt)) {
            checker->at.block = ARENA_NEW(checker->arena, TirBlock); // never runs
        }
    }
    checker->at = outside;
}

static void check_uncalled_functions(Checker *checker, Unit *unit) {
    for (size_t k = 0; k < unit->functions.count; k++) {
        check_uncalled(checker, unit->functions.items[k]);
    }
}

// --- imports (L4.5) -----------------------------------------------------------------------------

// Removes `.` and folds `folder/..`, so that one file has one path however it is written.
static Name normal_path(Checker *checker, const char *path) {
    char *out = arena_copy_text(checker->arena, path, strlen(path));
    size_t len = path[0] == '/' ? 1 : 0;
    size_t root = len;
    for (const char *at = path + len; *at != '\0';) {
        size_t part = strcspn(at, "/");
        size_t next = part + (at[part] == '/' ? 1 : 0);
        bool stays = part == 0 || (part == 1 && at[0] == '.');
        bool up = part == 2 && memcmp(at, "..", 2) == 0;
        bool above = len == root || (len >= 3 && memcmp(out + len - 3, "../", 3) == 0);
        if (up && !above) {
            for (len--; len > root && out[len - 1] != '/';) {
                len--;
            }
        } else if (!stays) {
            memmove(out + len, at, next);
            len += next;
        }
        at += next;
    }
    bool is_here = len == 0 && path[0] != '\0';
    return names_intern(checker->context->names, is_here ? "." : out, is_here ? 1 : len);
}

static Name resolve_path(Checker *checker, const Unit *importer, Slice path) {
    const char *from = importer->file->source->path;
    const char *slash = strrchr(from, '/');
    if (path.len > 0 && path.data[0] == '/') {
        slash = NULL;
    }
    int folder = slash == NULL ? 0 : (int)(slash + 1 - from);
    return normal_path(
        checker, arena_format(checker->arena, "%.*s%.*s", folder, from, (int)path.len, path.data));
}

// A unit for the file at `path`, which is in normal form.
static Unit *create_unit_at(Checker *checker, Name path, AstFile *file, Span import_span) {
    Unit *unit = create_unit(checker, file, import_span);
    name_map_set(checker->arena, &checker->units_by_path, path, unit);
    return unit;
}

static void report_cycle(Checker *checker, const Unit *unit, Span span) {
    Diag *diag = check_error(checker, DIAG_E0704, span, "this import closes a cycle");
    for (size_t k = 0; k < checker->units.count; k++) {
        const Unit *at = checker->units.items[k];
        if (at->loading && at != unit && at->index != 0) {
            diag_note_at(checker->context->diags, diag, at->import_span, "through this import");
        }
    }
}

typedef struct Importing {
    Checker *checker;
    Unit *importer;
    Span span;
} Importing;

static void import_symbol(Symbol *symbol, void *data) {
    Importing *importing = data;
    Scope *scope = importing->importer->imported;
    if (importing->importer->kind == FILE_COMPONENT && check_is_space_name(symbol->name)) {
        Diag *diag = check_error(importing->checker, DIAG_E0305, importing->span,
                                 "this import brings `%s`, which is a namespace in a component",
                                 symbol->name->text);
        diag_note_at(importing->checker->context->diags, diag, symbol->span, "it is declared here");
        return;
    }
    Symbol *old = scope_find_here(scope, symbol->name);
    if (old != NULL) {
        Diag *diag = check_error(importing->checker, DIAG_E0302, importing->span,
                                 "this import brings a second `%s`", symbol->name->text);
        diag_note_at(importing->checker->context->diags, diag, old->span, "the first is this");
        return;
    }
    Symbol *copy = scope_add(scope, symbol->kind, symbol->name, symbol->span);
    *copy = *symbol;
}

static bool is_imported(const Unit *importer, const Unit *unit) {
    for (size_t k = 0; k < importer->imports.count; k++) {
        if (importer->imports.items[k] == unit) {
            return true;
        }
    }
    return false;
}

static void check_unit(Checker *checker, Unit *unit);

static void check_import(Checker *checker, Unit *importer, const AstStmt *stmt) {
    Name path = resolve_path(checker, importer, stmt->import.path);
    Span span = stmt->import.path_span;
    Unit *unit = name_map_get(&checker->units_by_path, path);
    if (unit != NULL && unit->loading) {
        report_cycle(checker, unit, span);
        importer->import_failed = true;
        return;
    }
    if (unit == NULL) {
        const char *error = "imports are not available here";
        AstFile *file =
            checker->options->load == NULL
                ? NULL
                : checker->options->load(checker->options->load_data, path->text, &error);
        if (file == NULL) {
            check_error(checker, DIAG_E0705, span, "cannot read `%s`: %s", path->text, error);
            importer->import_failed = true;
            return;
        }
        unit = create_unit_at(checker, path, file, span);
        check_unit(checker, unit);
    } else if (is_imported(importer, unit)) {
        return; // a second import of the same file changes nothing
    }
    importer->import_failed = importer->import_failed || unit->kind == FILE_COMPONENT;
    LIST_PUSH(checker->arena, &importer->imports, unit);
    Importing importing = {.checker = checker, .importer = importer, .span = span};
    scope_visit(unit->scope, import_symbol, &importing);
}

// Imports first, then functions by name, then file-level statements in order, then functions that
// nothing called.
static void check_unit(Checker *checker, Unit *unit) {
    const AstBlock *statements = &unit->file->statements;
    if (unit->index != 0 && unit->kind == FILE_COMPONENT) {
        check_error(checker, DIAG_E0701, unit->import_span,
                    "`%s` is a component and cannot be imported", unit->file->source->path);
        return;
    }
    unit->loading = true;
    for (size_t k = 0; k < statements->count; k++) {
        if (statements->items[k]->kind == AST_IMPORT) {
            check_import(checker, unit, statements->items[k]);
        }
    }
    unit->loading = false;
    declare_file_functions(checker, unit);
    check_file_level(checker, unit);
    if (unit->index != 0) {
        check_uncalled_functions(checker, unit);
    }
}

// --- the program --------------------------------------------------------------------------------

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
    if (ast->function.param_count > 0 || ast->function.result != NULL) {
        check_error(checker, DIAG_E0711, ast->function.name.span,
                    "`%s` has no parameters and no result", name);
        symbol->function->signature_failed = true;
        return NULL;
    }
    return symbol->function;
}

// Calls an entry function at the end of what is being emitted.
static void call_entry(Checker *checker, Unit *unit, const char *name) {
    FunctionDecl *decl = find_entry(checker, unit, name);
    if (decl != NULL) {
        check_call_function(checker, decl, decl->ast->function.name.span, NULL, 0);
    }
}

// An entry function that nothing calls; NULL when there is none.
static TirFunction *check_entry(Checker *checker, Unit *unit, const char *name) {
    FunctionDecl *decl = find_entry(checker, unit, name);
    return decl == NULL ? NULL : check_uncalled(checker, decl);
}

static void check_component_entries(Checker *checker, Unit *unit) {
    FunctionDecl *main = NULL;
    bool has_entry = false;
    for (size_t k = 0; k < unit->functions.count; k++) {
        FunctionDecl *decl = unit->functions.items[k];
        main = is_main_name(decl->name) ? decl : main;
        has_entry = has_entry || decl->is_entry;
    }
    if (!has_entry) {
        Span start = {unit->file->source->base, unit->file->source->base};
        check_error(checker, DIAG_E0701, start,
                    "a component has `init_fnc`, `output_fnc` or `update_fnc`, and this file with "
                    "an interface has none of them");
    } else if (main != NULL) {
        check_error(checker, DIAG_E0701, main->ast->function.name.span,
                    "a component has no `main_fnc`: it runs step by step");
    }
    call_entry(checker, unit, "init_fnc");
    checker->program->output = check_entry(checker, unit, "output_fnc");
    checker->program->update = check_entry(checker, unit, "update_fnc");
    check_options_used(checker);
}

static const Instance *unguarded_instance(const FunctionDecl *decl) {
    for (size_t k = 0; k < decl->instances.count; k++) {
        if (!check_needs_guard(decl->instances.items[k])) {
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
    entry->name = names_intern_text(checker->context->names, entry->symbol);
    entry->span = (Span){checker->units.items[0]->file->source->base,
                         checker->units.items[0]->file->source->base};
    return entry;
}

static void check_main_unit(Checker *checker, Unit *unit) {
    checker->program->kind = program_kind(unit->kind);
    TirFunction *entry = create_entry(checker);
    checker->at = (CheckPosition){
        .unit = unit, .function = entry, .scope = unit->scope, .block = &entry->body};
    if (unit->kind == FILE_LIBRARY && checker->options->executable) {
        check_error(checker, DIAG_E0703, (Span){entry->span.start, entry->span.start},
                    "a library has nothing to run: compile it to an object with `-c`");
    }
    check_unit(checker, unit);
    if (unit->kind == FILE_COMPONENT) {
        check_component_entries(checker, unit);
    } else {
        call_entry(checker, unit, "main_fnc");
    }
    check_uncalled_functions(checker, unit);
    export_functions(unit);
    if (unit->kind != FILE_LIBRARY) {
        check_unused(checker, unit->scope);
    }
    entry->id = (uint32_t)checker->program->functions.count;
    LIST_PUSH(checker->arena, &checker->program->functions, entry);
    if (unit->kind == FILE_LIBRARY || unit->kind == FILE_COMPONENT) {
        checker->program->init = entry;
    } else {
        checker->program->entry = entry;
    }
}

TirProgram *check_program(Context *context, AstFile *file, const CheckOptions *options) {
    Checker checker = {.context = context, .arena = context->arena, .options = options};
    checker.tir = (Tir){.arena = context->arena,
                        .types = types_create(context->arena),
                        .names = context->names,
                        .single = options->single};
    checker.program = ARENA_NEW(context->arena, TirProgram);
    checker.program->single = options->single;
    checker.program->path = file->source->path;
    checker.program->types = checker.tir.types;
    checker.poison =
        tir_new_expr(context->arena, EXPR_CONST, type_poison(checker.tir.types), (Span){0, 0});
    Name path = normal_path(&checker, file->source->path);
    check_main_unit(&checker, create_unit_at(&checker, path, file, (Span){0, 0}));
    if (context->diags->error_count == 0 && checker.program->kind == PROGRAM_COMPONENT) {
        effects_check(context, checker.program);
    }
    return context->diags->error_count > 0 ? NULL : checker.program;
}
