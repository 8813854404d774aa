// The variables of a component as its table lists them (runtime/abi/model.h), as data: code
// generation makes the table of them, and descriptions for other programs have the same order and
// names.
#ifndef TMLC_CODEGEN_UNIT_MODEL_ROWS_H
#define TMLC_CODEGEN_UNIT_MODEL_ROWS_H

#include "runtime/abi/model.h"
#include "tir/tir.h"

enum { SHOWN_LINE_BYTES = 200 }; // of the longest line that a trap shows

typedef struct ModelRow {
    const char *name;
    const char *space; // "t", "p", "n", or ""
    tml_role role;
    bool has_feedthrough, is_optional;
    const Type *type;     // NULL: a text
    uint64_t offset;      // in the struct of its role
    const TirExpr *value; // of constants, tunables, and inputs that have a default; else NULL
    Slice text;           // of a constant that is one
    bool is_char;         // a `char`, not a `str`
    const char *debug;    // of a debug signal: its text, or ""; else NULL
} ModelRow;

typedef LIST_OF(ModelRow) ModelRows;

// Of a planned component: what is present of its interface, file-level variables, then what lies of
// instances. From the arena.
ModelRows model_rows(Arena *arena, const TirProgram *program);

#endif
