// Statements and blocks (L8), and the variables that they declare (L3, L6).
#ifndef TMLC_SEMA_STMT_H
#define TMLC_SEMA_STMT_H

#include "sema/checker.h"

// Checks the statements of a block in a scope of its own. True when control can reach its end.
bool check_block(Checker *checker, const AstBlock *block, TirBlock *into);
// The same in the current scope and block.
bool check_statements(Checker *checker, const AstBlock *block);
bool check_statement(Checker *checker, const AstStmt *stmt);

// --- variable.c ---------------------------------------------------------------------------------

void check_declaration(Checker *checker, const AstStmt *stmt);
void check_assignment(Checker *checker, const AstStmt *stmt);
// Appends `var = value`.
void check_set_var(Checker *checker, TirVar *var, TirExpr *value, Span span);
// Declares a variable; E0302 when the scope has the name. NULL after an error.
TirVar *check_declare(Checker *checker, const AstName *name, const Type *type, TirVarRole role);
// Warns of what a scope that ends declared and never used.
void check_unused(Checker *checker, const Scope *scope);

// --- unroll.c: loops over strings (L10.8) -------------------------------------------------------

// Whether the variable of a `for` indexes a string in its body.
bool check_indexes_text(Checker *checker, const AstStmt *loop);
// Checks the body once for each value of the variable, which is a constant in it.
void check_unrolled_for(Checker *checker, const AstStmt *stmt, const int64_t bounds[3]);

#endif
