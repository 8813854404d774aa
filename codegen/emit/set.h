// `set place = value`: the statement that writes.
#ifndef TMLC_CODEGEN_EMIT_SET_H
#define TMLC_CODEGEN_EMIT_SET_H

#include "codegen/gen.h"

// The value's indices are prepared here. Elements are stored one by one: the statement must be
// safe for that (pass_alias).
void set_place(Gen *gen, const TirStmt *set);
// A nest: its sets together, element by element.
void set_nest(Gen *gen, const TirStmt *stmt);

#endif
