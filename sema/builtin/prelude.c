#include "sema/builtin/builtin.h"

#include "parser/parse.h"
#include "sema/expr.h"
#include "support/bug.h"

// prelude.tml as bytes, made by the build.
static const char prelude_text[] = {
#include "prelude.inc"
};

static Unit *load_prelude(Checker *checker) {
    SourceFile *source = sources_add(checker->context->sources, "built-in library", prelude_text,
                                     sizeof prelude_text);
    CHECK(source != NULL);
    Unit *unit = ARENA_NEW(checker->arena, Unit);
    unit->file = parse_file(checker->context, source);
    unit->kind = FILE_LIBRARY;
    unit->index = UINT32_MAX;
    unit->scope = scope_create(checker->arena, NULL);
    unit->file_level = name_set_create(checker->arena);
    unit->function_names = name_set_create(checker->arena);
    unit->trusted = true;
    for (size_t k = 0; k < unit->file->statements.count; k++) {
        check_declare_function(checker, unit, unit->file->statements.items[k]);
    }
    return unit;
}

FunctionDecl *prelude_function(Checker *checker, const char *name) {
    if (checker->prelude == NULL) {
        checker->prelude = load_prelude(checker);
    }
    Name interned = names_intern_text(checker->context->names, name);
    Symbol *symbol = scope_find_here(checker->prelude->scope, interned);
    CHECK(symbol != NULL && symbol->kind == SYMBOL_FUNCTION);
    return symbol->function;
}
