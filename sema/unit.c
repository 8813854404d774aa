// One file of the program: what it imports, its functions, its file level.
#include "sema/checker.h"

#include "parser/ast_visit.h"
#include "sema/component/component.h"
#include "sema/component/infer.h"
#include "sema/component/interface_file.h"
#include "sema/expr.h"
#include "sema/notes/record.h"
#include "sema/stmt.h"
#include "sema/test.h"
#include "sema/warn/warn.h"
#include "support/folder.h"
#include "support/path.h"

#include <string.h>

// Functions and file level.
Unit *unit_create(Checker *checker, AstFile *file, Span import_span) {
    Unit *unit = ARENA_NEW(checker->arena, Unit);
    notes_file(checker, file);
    unit->file = file = tests_take(checker->arena, file, &unit->tests);
    unit->index = (uint32_t)checker->units.count;
    FileKind kind = file_kind(checker->arena, file);
    bool runs = kind == FILE_LIBRARY && unit->index == 0 && checker->options->prompt;
    unit->kind = runs ? FILE_SCRIPT : kind;
    bool has_tests = checker->options->tests != TESTS_LEFT_OUT && unit->index == 0;
    unit->imported = scope_create(checker->arena, NULL);
    unit->scope = scope_create(checker->arena, unit->imported);
    unit->file_level = file_level_names(checker->arena, file);
    unit->function_names =
        file_function_names(checker->arena, file, has_tests ? &unit->tests : &(AstBlock){0});
    unit->import_span = import_span;
    unit->imported_constants = scope_create(checker->arena, NULL);
    unit->has_constants = file_has_constants(file) || infer_is_on(checker);
    for (size_t k = 0; k < INTERFACE_SPACES; k++) {
        unit->interface[k] =
            scope_create(checker->arena, k == CONSTANT_SPACE ? unit->imported_constants : NULL);
    }
    LIST_PUSH(checker->arena, &checker->units, unit);
    return unit;
}

static void declare_functions(Checker *checker, Unit *unit, const AstBlock *statements);

static bool declare_macro_functions(Checker *checker, const AstBlock *block, void *data) {
    declare_functions(checker, data, block);
    return true;
}

static bool is_of_kind(const AstStmt *stmt, void *kind) {
    return stmt->kind == *(AstStmtKind *)kind;
}

// Whether the statement is a macro that one of that kind stands in.
static bool holds(const AstStmt *stmt, AstStmtKind kind) {
    AstVisitor visitor = {.stmt = is_of_kind, .data = &kind};
    return ast_is_macro(stmt) && ast_visit_stmt(stmt, &visitor);
}

static void expand(Checker *checker, const AstStmt *macro, MacroBody *body, Unit *unit) {
    (macro->kind == AST_MACRO_FOR ? check_macro_for : check_macro_if)(checker, macro, body, unit);
}

static void declare_function(Checker *checker, Unit *unit, AstStmt *stmt) {
    if (holds(stmt, AST_FUNCTION)) {
        expand(checker, stmt, declare_macro_functions, unit);
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
// Functions are declared before anything else is checked, so that all of the file can call them,
// and what is imported before these. Where the bounds or conditions of a macro name something of
// the file, such as a property, what it holds waits until that has a value: it is declared where
// the macro stands.

static void import_statement(Checker *checker, Unit *unit, const AstStmt *stmt);

static bool import_macro(Checker *checker, const AstBlock *block, void *unit) {
    for (size_t k = 0; k < block->count; k++) {
        import_statement(checker, unit, block->items[k]);
    }
    return true;
}

static void lower_import(Checker *checker, Unit *importer, const AstStmt *stmt);

static void import_statement(Checker *checker, Unit *unit, const AstStmt *stmt) {
    if (stmt->kind == AST_IMPORT) {
        lower_import(checker, unit, stmt);
    } else if (holds(stmt, AST_IMPORT)) {
        expand(checker, stmt, import_macro, unit);
    }
}

// Those that wait for nothing.
static void import_all(Checker *checker, Unit *unit) {
    CheckPlace outside = checker->at;
    checker->at.unit = unit;
    checker->at.scope = unit->scope;
    unit->loading = true;
    for (size_t k = 0; k < unit->file->statements.count; k++) {
        const AstStmt *stmt = unit->file->statements.items[k];
        if (!check_macro_waits(checker, stmt)) {
            import_statement(checker, unit, stmt);
        }
        // What could not be read may have declared names.
        unit->lacks_names |= stmt->kind == AST_ERROR_STMT;
    }
    unit->loading = false;
    checker->at = outside;
}

static void declare_file_functions(Checker *checker, Unit *unit) {
    CheckPlace outside = checker->at;
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

static void declare_waiting(Checker *checker, Unit *unit, AstStmt *stmt) {
    unit->loading = true;
    import_statement(checker, unit, stmt);
    unit->loading = false;
    TirBlock *outside = checker->at.block;
    TirBlock nowhere = {0};
    checker->at.block = &nowhere;
    declare_function(checker, unit, stmt);
    checker->at.block = outside;
}

static void lower_file_level(Checker *checker, Unit *unit) {
    const AstBlock *statements = &unit->file->statements;
    bool runs = unit->kind == FILE_SCRIPT && unit->index == 0;
    CheckPlace outside = checker->at;
    checker->at.unit = unit;
    checker->at.scope = unit->scope;
    checker->at.mode.at_file_level = true;
    checker->at.mode.pure = !runs;
    warn_block(checker, statements);
    for (size_t k = 0; k < statements->count; k++) {
        AstStmt *stmt = statements->items[k];
        if (stmt->kind == AST_FUNCTION || stmt->kind == AST_IMPORT) {
            continue;
        }
        if (check_macro_waits(checker, stmt)) {
            declare_waiting(checker, unit, stmt);
        }
        if (!check_statement(checker, stmt)) {
            checker->at.block = ARENA_NEW(checker->arena, TirBlock); // never runs
        }
    }
    checker->at = outside;
}

void unit_check_uncalled(Checker *checker, Unit *unit) {
    for (size_t k = 0; k < unit->functions.count; k++) {
        check_uncalled(checker, unit->functions.items[k]);
    }
}

static void report_cycle(Checker *checker, const Unit *unit, Span span) {
    Diag *diag = check_error(checker, DIAG_E0704, span, "this import closes a cycle");
    for (size_t k = 0; k < checker->units.count; k++) {
        const Unit *at = checker->units.items[k];
        if (at->loading && at != unit && at->index != 0) {
            diag_note_at(diag, at->import_span, "through this import");
        }
    }
}

Name unit_identify(Checker *checker, const char *path) {
    NameTable *names = checker->context->names;
    Name written = names_intern_text(names, path);
    Name name = table_get(&checker->file_names, written);
    if (name == NULL) {
        const CheckOptions *options = checker->options;
        const char *found =
            options->identify == NULL ? NULL : options->identify(checker->arena, path);
        name = found == NULL ? written : names_intern_text(names, found);
        table_set(checker->arena, &checker->file_names, written, (void *)name);
    }
    return name;
}

// Adds a symbol to those that imports have brought.
static void bring(Checker *checker, Scope *imported, const Symbol *symbol, const char *name,
                  Span span) {
    Symbol *old = scope_find_here(imported, symbol->name);
    if (old != NULL) {
        Diag *diag =
            check_error(checker, DIAG_E0302, span, "this import brings a second `%s`", name);
        diag_note_at(diag, old->span, "the first is this");
        return;
    }
    *scope_add(imported, symbol->kind, symbol->name, symbol->span) = *symbol;
}

static void import_symbol(Checker *checker, const Unit *importer, const Symbol *symbol, Span span) {
    if (importer->kind == FILE_COMPONENT && check_is_space_name(symbol->name)) {
        Diag *diag = check_error(checker, DIAG_E0305, span,
                                 "this import brings `%s`, which is a namespace in a component",
                                 symbol->name->text);
        diag_note_at(diag, symbol->span, "it is declared here");
        return;
    }
    bring(checker, importer->imported, symbol, symbol->name->text, span);
}

static bool is_imported(const Unit *importer, const Unit *unit) {
    for (size_t k = 0; k < importer->imports.count; k++) {
        if (importer->imports.items[k] == unit) {
            return true;
        }
    }
    return false;
}

void unit_report_unread(Checker *checker, Span span, const char *path, const char *error) {
    Diag *diag = check_error(checker, DIAG_E0705, span, "cannot read `%s`: %s", path, error);
    const char *nearest = folder_nearest(checker->arena, path);
    if (nearest == NULL) {
        return;
    }
    diag_help(diag, "did you mean `%s`?", nearest);
    Slice text = sources_text(checker->context->sources, span);
    size_t len = strlen(path_base(path));
    if (text.len >= len + 2 && memcmp(text.data + text.len - len - 1, path_base(path), len) == 0) {
        uint32_t end = span.end - 1; // in quotes
        diag_edit(diag, (Span){end - (uint32_t)len, end}, "%s", nearest);
    }
}

static void unit_check(Checker *checker, Unit *unit);

static void lower_import(Checker *checker, Unit *importer, const AstStmt *stmt) {
    const AstFile *from = importer->file;
    const char *path = path_from(checker->arena, from->source->path, stmt->import.path);
    Span span = stmt->import.path_span;
    Name file_name = unit_identify(checker, path);
    Unit *unit = table_get(&checker->units_by_file, file_name);
    if (unit != NULL && unit->loading) {
        report_cycle(checker, unit, span);
        importer->lacks_names = true;
        return;
    }
    if (unit == NULL) {
        const char *error = NULL;
        AstFile *file = checker->options->load(checker->options->load_data, path, &error);
        if (file == NULL) {
            unit_report_unread(checker, span, path, error);
            importer->lacks_names = true;
            return;
        }
        uint32_t base = file->source->base;
        Span all = {base, base + (uint32_t)file->source->len};
        if (!diags_have_tree(checker->context->diags, all)) {
            importer->lacks_names = true;
            return; // as of the file itself, nothing more is said
        }
        unit = unit_create(checker, file, span);
        table_set(checker->arena, &checker->units_by_file, file_name, unit);
        unit_check(checker, unit);
    } else if (is_imported(importer, unit)) {
        return; // a second import of the same file changes nothing
    }
    importer->lacks_names = importer->lacks_names || unit->kind == FILE_COMPONENT;
    LIST_PUSH(checker->arena, &importer->imports, unit);
    for (size_t k = 0; k < unit->scope->symbols.count; k++) {
        import_symbol(checker, importer, unit->scope->symbols.items[k], span);
    }
    const Scope *constants = unit->interface[CONSTANT_SPACE];
    for (size_t k = 0; k < constants->symbols.count; k++) {
        const Symbol *symbol = constants->symbols.items[k];
        importer->has_constants = true;
        bring(checker, importer->imported_constants, symbol,
              check_interface_text(checker, symbol->interface), span);
    }
}

static void unit_check(Checker *checker, Unit *unit) {
    if (unit->index != 0 && unit->kind == FILE_COMPONENT) {
        Diag *diag =
            check_error(checker, DIAG_E0701, unit->import_span,
                        "`%s` is a component and cannot be imported", unit->file->source->path);
        diag_note(diag, "a component has instances: `instance a = %s()`",
                  check_expr_text(checker, unit->import_span, "\"file.tml\""));
        return;
    }
    import_all(checker, unit);
    interface_files_check(checker, unit);
    declare_file_functions(checker, unit);
    lower_file_level(checker, unit);
    if (unit->index != 0) {
        unit_check_uncalled(checker, unit);
    }
}

void unit_check_main(Checker *checker, Unit *unit) {
    Name file_name = unit_identify(checker, path_normal(checker->arena, unit->file->source->path));
    checker->file = file_name;
    table_set(checker->arena, &checker->units_by_file, file_name, unit);
    unit_check(checker, unit);
}
