// What kind of file a syntax tree is (L4), and which names it uses where.
#ifndef TMLC_SEMA_FILE_KIND_H
#define TMLC_SEMA_FILE_KIND_H

#include "parser/ast.h"
#include "support/arena.h"

#include <stdbool.h>

typedef enum FileKind {
    FILE_SCRIPT,
    FILE_PROGRAM,   // has main_fnc
    FILE_COMPONENT, // has init_fnc, output_fnc or update_fnc
    FILE_LIBRARY,   // functions and pure declarations
} FileKind;

typedef struct NameSet NameSet;

NameSet *name_set_create(Arena *arena);
void name_set_add(NameSet *set, Name name);
// Of one with indices of macros, all that it may be.
void name_set_add_written(NameSet *set, const AstName *name);
bool name_set_has(const NameSet *set, Name name);

FileKind file_kind(Arena *arena, const AstFile *file);
// Whether it declares `n.` constants (L10.9).
bool file_has_constants(const AstFile *file);
// The names that statements directly at file level assign or declare.
NameSet *file_level_names(Arena *arena, const AstFile *file);
// The names that occur in bodies of functions, and in these tests.
NameSet *file_function_names(Arena *arena, const AstFile *file, const AstBlock *tests);
// Whether `name` is assigned somewhere in the block.
bool block_assigns(const AstBlock *block, Name name);

bool is_main_name(Name name);
bool is_component_entry_name(Name name);
// `update_fnc` for `update` or `Update_fcn`, and the same of the other entry functions; NULL where
// a name looks like none of them.
const char *entry_name_meant(Name name);

#endif
