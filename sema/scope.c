// A scope is a list of symbols in order of declaration; beyond a few, an open-addressing table of
// positions in the list finds them.
#include "sema/scope.h"

#include "support/bug.h"

enum { SCOPE_TABLE_FROM = 8 };

struct Scope {
    Arena *arena;
    Scope *parent;
    struct {
        Symbol **items;
        size_t count, capacity;
    } symbols;
    uint32_t *table;   // position + 1 in symbols, 0 for free; NULL while there are few symbols
    size_t table_size; // a power of two
};

Scope *scope_create(Arena *arena, Scope *parent) {
    Scope *scope = ARENA_NEW(arena, Scope);
    scope->arena = arena;
    scope->parent = parent;
    return scope;
}

Scope *scope_parent(const Scope *scope) {
    return scope->parent;
}

// Fibonacci hashing of the dense name ids.
static size_t table_slot(const Scope *scope, Name name) {
    return (name->id * 2654435769U) & (scope->table_size - 1);
}

static void table_insert(Scope *scope, size_t position) {
    size_t slot = table_slot(scope, scope->symbols.items[position]->name);
    while (scope->table[slot] != 0) {
        slot = (slot + 1) & (scope->table_size - 1);
    }
    scope->table[slot] = (uint32_t)position + 1;
}

static void table_grow(Scope *scope) {
    scope->table_size = scope->table_size == 0 ? 4 * SCOPE_TABLE_FROM : 2 * scope->table_size;
    scope->table = ARENA_ARRAY(scope->arena, uint32_t, scope->table_size);
    for (size_t k = 0; k < scope->symbols.count; k++) {
        table_insert(scope, k);
    }
}

Symbol *scope_add(Scope *scope, SymbolKind kind, Name name, Span span) {
    CHECK(scope_find_here(scope, name) == NULL);
    Symbol *symbol = ARENA_NEW(scope->arena, Symbol);
    symbol->kind = kind;
    symbol->name = name;
    symbol->span = span;
    LIST_PUSH(scope->arena, &scope->symbols, symbol);
    if (scope->symbols.count > SCOPE_TABLE_FROM && 2 * scope->symbols.count > scope->table_size) {
        table_grow(scope);
    } else if (scope->table != NULL) {
        table_insert(scope, scope->symbols.count - 1);
    }
    return symbol;
}

Symbol *scope_find_here(const Scope *scope, Name name) {
    if (scope->table == NULL) {
        for (size_t k = 0; k < scope->symbols.count; k++) {
            if (scope->symbols.items[k]->name == name) {
                return scope->symbols.items[k];
            }
        }
        return NULL;
    }
    size_t slot = table_slot(scope, name);
    for (; scope->table[slot] != 0; slot = (slot + 1) & (scope->table_size - 1)) {
        Symbol *symbol = scope->symbols.items[scope->table[slot] - 1];
        if (symbol->name == name) {
            return symbol;
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

Name scope_nearest(const Scope *scope, Name name) {
    // One edit in a short name, two in a longer one.
    unsigned best = name->len < 3 ? 0 : (name->len < 6 ? 1 : 2);
    Name nearest = NULL;
    for (; scope != NULL; scope = scope->parent) {
        for (size_t k = 0; k < scope->symbols.count && best > 0; k++) {
            Name candidate = scope->symbols.items[k]->name;
            unsigned distance = text_distance((Slice){candidate->text, candidate->len},
                                              (Slice){name->text, name->len}, best);
            if (distance <= best) {
                nearest = candidate;
                best = distance - 1;
            }
        }
    }
    return nearest;
}

void scope_visit(const Scope *scope, void visit(Symbol *symbol, void *data), void *data) {
    for (size_t k = 0; k < scope->symbols.count; k++) {
        visit(scope->symbols.items[k], data);
    }
}
