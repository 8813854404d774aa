// Syntax tree to TIR: name binding, types, shapes, constants, and everything implicit made
// explicit.
#ifndef TMLC_SEMA_CHECK_H
#define TMLC_SEMA_CHECK_H

#include "parser/ast.h"
#include "sema/options.h"
#include "support/context.h"
#include "tir/tir.h"

// Checks a file and what it imports. Errors go to context->diags; NULL when there are any. Every
// warning there is goes there too: who asks for them decides which ones are shown.
TirProgram *check_program(Context *context, AstFile *file, const CheckOptions *options);

struct Checker;
struct ComponentUse;
// The same of a component of which a file that is being checked holds instances (L15.1).
TirProgram *check_component(struct Checker *outer, AstFile *file, const struct ComponentUse *use);

#endif
