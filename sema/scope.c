// See scope.h.
#include "sema/scope.h"

#include "support/bug.h"
#include "support/suggest.h"

enum { SCOPE_TABLE_FROM = 8 };

Scope *scope_create(Arena *arena, Scope *parent) {
    Scope *scope = ARENA_NEW(arena, Scope);
    scope->arena = arena;
    scope->parent = parent;
    return scope;
}

Symbol *scope_add(Scope *scope, SymbolKind kind, Name name, Span span) {
    CHECK(scope_find_here(scope, name) == NULL);
    Symbol *symbol = ARENA_NEW(scope->arena, Symbol);
    symbol->kind = kind;
    symbol->name = name;
    symbol->span = span;
    LIST_PUSH(scope->arena, &scope->symbols, symbol);
    // Those before it are entered with the one that makes them many.
    for (size_t k = scope->table.count;
         scope->symbols.count > SCOPE_TABLE_FROM && k < scope->symbols.count; k++) {
        Symbol *entered = scope->symbols.items[k];
        table_set(scope->arena, &scope->table, entered->name, entered);
    }
    return symbol;
}

Symbol *scope_find_here(const Scope *scope, Name name) {
    if (scope->table.count > 0) {
        return table_get(&scope->table, name);
    }
    for (size_t k = 0; k < scope->symbols.count; k++) {
        if (scope->symbols.items[k]->name == name) {
            return scope->symbols.items[k];
        }
    }
    return NULL;
}

Symbol *scope_find(const Scope *scope, Name name) {
    for (; scope != NULL; scope = scope->parent) {
        Symbol *symbol = scope_find_here(scope, name);
        if (symbol != NULL) {
            return symbol;
        }
    }
    return NULL;
}

Symbol *scope_find_function(const Scope *scope, Name name) {
    for (; scope != NULL; scope = scope->parent) {
        Symbol *symbol = scope_find_here(scope, name);
        if (symbol != NULL && symbol->kind == SYMBOL_FUNCTION) {
            return symbol;
        }
    }
    return NULL;
}

const char *scope_nearest(const Scope *scope, Name name) {
    Suggestion suggestion = suggestion_for_name(name);
    for (; scope != NULL; scope = scope->parent) {
        for (size_t k = 0; k < scope->symbols.count; k++) {
            suggestion_try(&suggestion, scope->symbols.items[k]->name->text);
        }
    }
    return suggestion.nearest;
}
