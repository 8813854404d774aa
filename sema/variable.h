// Variables: declarations and assignments (L3, L6).
#ifndef TMLC_SEMA_VARIABLE_H
#define TMLC_SEMA_VARIABLE_H

#include "sema/checker.h"

void check_declaration(Checker *checker, const AstStmt *stmt);
void check_assignment(Checker *checker, const AstStmt *stmt);
// Appends `var = value`.
void check_set_var(Checker *checker, TirVar *var, TirExpr *value, Span span);
// Declares a variable; E0302 when the scope has the name. NULL after an error.
TirVar *check_declare(Checker *checker, const AstName *name, const Type *type, TirVarRole role);
// Warns of what a scope that ends declared and never used.
void check_unused(Checker *checker, const Scope *scope);

#endif
