// Names and what they stand for, in nested scopes (L3.2).
#ifndef TMLC_SEMA_SCOPE_H
#define TMLC_SEMA_SCOPE_H

#include "support/arena.h"
#include "support/intern.h"
#include "support/table.h"
#include "tir/tir.h"

#include <stdbool.h>

typedef struct FunctionDecl FunctionDecl;

typedef enum SymbolKind {
    SYMBOL_VAR,
    SYMBOL_FUNCTION,
    SYMBOL_CONSTANT,  // a size parameter
    SYMBOL_IO,        // a variable of hardware: its terminal
    SYMBOL_INTERFACE, // a terminal, property or namespace constant; in scopes of their own
    SYMBOL_INSTANCE,  // of a component, or an array of them
} SymbolKind;

// Where a variable got its type.
typedef enum TypeOrigin {
    ORIGIN_DECLARED,
    ORIGIN_LITERAL, // inferred from a tensor literal
    ORIGIN_VALUE,   // inferred from another value
} TypeOrigin;

typedef struct Symbol {
    SymbolKind kind;
    Name name;
    Span span; // where it was declared
    TypeOrigin origin;
    bool is_loop;  // a constant: the variable of a loop that is unrolled
    bool used;     // its value was read, or it was called
    bool assigned; // after its declaration
    bool is_param;
    bool is_no_length;            // it was told that a length is a constant
    bool is_no_matrix;            // and that it is not transposed
    bool lacks_real;              // its declaration was told to say `real`
    Span first_value;             // of a variable: its first value, where that is a constant
    bool in_macro;                // other copies of the declaration are symbols of their own
    const TirInterface *optional; // a variable that exists only where this terminal does
    union {
        TirVar *var;
        FunctionDecl *function;
        TirExpr *constant;
        TirInterface *interface;
        struct Part *part;
    };
} Symbol;

// Symbols in order of declaration; beyond a few, a table finds them.
typedef struct Scope {
    Arena *arena;
    struct Scope *parent; // NULL for the outermost
    LIST_OF(Symbol *) symbols;
    Table table; // by name; empty while there are few
} Scope;

Scope *scope_create(Arena *arena, Scope *parent);
// Adds a symbol; the caller has made sure that scope_find_here gives NULL.
Symbol *scope_add(Scope *scope, SymbolKind kind, Name name, Span span);
Symbol *scope_find_here(const Scope *scope, Name name);
Symbol *scope_find(const Scope *scope, Name name);
// Of functions only (L3.4): what is found though a variable has that name.
Symbol *scope_find_function(const Scope *scope, Name name);
// The visible name nearest to `name` in spelling, or NULL when none is close.
const char *scope_nearest(const Scope *scope, Name name);

#endif
