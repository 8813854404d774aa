// See library.h.
#include "sema/library/library.h"

#include "parser/parse.h"
#include "sema/expr.h"
#include "sema/function.h"
#include "support/bug.h"

#include <string.h>

static const LibraryRow rows[] = {
#include "library.inc"
};

enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

// What messages call a source of the library, and what tells it from files.
static const char library_path[] = "built-in library";

static const LibraryRow *find_row(const char *name) {
    for (size_t k = 0; k < ROW_COUNT; k++) {
        if (strcmp(rows[k].name, name) == 0) {
            return &rows[k];
        }
    }
    return NULL;
}

// Names of the library's own begin with an underscore.
static bool is_own(const char *name) {
    return name[0] == '_';
}

const LibraryRow *library_row(size_t k) {
    for (size_t i = 0; i < ROW_COUNT; i++) {
        if (!is_own(rows[i].name) && k-- == 0) {
            return &rows[i];
        }
    }
    return NULL;
}

const LibraryRow *library_find(const Checker *checker, Name name) {
    return checker->at.unit->trusted ? find_row(name->text) : library_named(name->text);
}

const LibraryRow *library_named(const char *name) {
    return is_own(name) ? NULL : find_row(name);
}

bool library_is_file(const SourceFile *file) {
    return strcmp(file->path, library_path) == 0;
}

bool library_has_text(const Checker *checker, Span span) {
    return library_is_file(sources_place(checker->context->sources, span.start).file);
}

void library_suggest(Suggestion *suggestion) {
    for (size_t k = 0; k < ROW_COUNT; k++) {
        suggestion_try(suggestion, is_own(rows[k].name) ? "" : rows[k].name);
    }
}

const LibraryRow *library_row_of(const Checker *checker, const TirFunction *function) {
    for (size_t i = 0; checker->library != NULL && i < checker->library->scope->symbols.count;
         i++) {
        const Symbol *symbol = checker->library->scope->symbols.items[i];
        for (size_t k = 0; k < symbol->function->instances.count; k++) {
            if (symbol->function->instances.items[k]->tir == function) {
                return find_row(symbol->name->text);
            }
        }
    }
    return NULL;
}

static Unit *library_unit(Checker *checker) {
    Unit *unit = ARENA_NEW(checker->arena, Unit);
    unit->kind = FILE_LIBRARY;
    unit->index = UINT32_MAX;
    unit->scope = scope_create(checker->arena, NULL);
    unit->file_level = name_set_create(checker->arena);
    unit->function_names = name_set_create(checker->arena);
    unit->trusted = true;
    return unit;
}

static void declare(Checker *checker, Unit *unit, const LibraryRow *row) {
    SourceFile *source =
        sources_add(checker->context->sources, library_path, row->text, strlen(row->text));
    CHECK(source != NULL);
    source->has_any = true;
    unit->file = parse_file(checker->context, source);
    AstStmt *function = unit->file->statements.items[0];
    // Its text may have the name that people know (index.awk).
    function->function.name.name = names_intern_text(checker->context->names, row->name);
    MacroBinding *macros = checker->at.macros; // of the user's, around the first call
    checker->at.macros = NULL;
    FunctionDecl *decl = check_declare_function(checker, unit, function);
    checker->at.macros = macros;
    CHECK(decl != NULL);
    decl->takes_scalars = row->form == LIBRARY_ELEMENTS;
}

FunctionDecl *library_function(Checker *checker, const char *name) {
    if (checker->library == NULL) {
        checker->library = library_unit(checker);
    }
    Name interned = names_intern_text(checker->context->names, name);
    Symbol *symbol = scope_find_here(checker->library->scope, interned);
    if (symbol == NULL) {
        const LibraryRow *row = find_row(name);
        CHECK(row != NULL);
        declare(checker, checker->library, row);
        symbol = scope_find_here(checker->library->scope, interned);
    }
    return symbol->function;
}

static bool is_used(const TirProgram *program, const SourceFile *source) {
    for (size_t k = 0; k < program->functions.count; k++) {
        if (program->functions.items[k]->span.start >= source->base) {
            return true;
        }
    }
    return false;
}

FunctionDecl *library_other(Checker *checker, const LibraryRow *row) {
    FunctionDecl *decl = library_function(checker, row->other);
    decl->name = names_intern_text(checker->context->names, row->name);
    return decl;
}

FunctionDecl *library_callee(Checker *checker, const LibraryRow *row, size_t count) {
    FunctionDecl *decl = library_function(checker, row->name);
    bool is_other = row->other[0] != '\0' && count > decl->ast->function.param_count;
    return is_other ? library_other(checker, row) : decl;
}

const FunctionDecl *library_taking(Checker *checker, const char *name, size_t count) {
    if (library_named(name) == NULL) {
        return NULL;
    }
    const FunctionDecl *decl = library_callee(checker, find_row(name), count);
    size_t least = 0;
    while (least < decl->ast->function.param_count &&
           decl->ast->function.params[least].value == NULL) {
        least++;
    }
    return count >= least && count <= decl->ast->function.param_count ? decl : NULL;
}

void library_drop(Checker *checker) {
    SourceMap *sources = checker->context->sources;
    for (uint32_t count; checker->library != NULL && (count = sources_count(sources)) > 0;) {
        const SourceFile *last = sources_file(sources, count - 1);
        if (strcmp(last->path, library_path) != 0 || is_used(checker->program, last)) {
            return; // also where files of components came behind it
        }
        sources_drop_last(sources);
    }
}
