// Statements and blocks (L8).
#ifndef TMLC_SEMA_STMT_H
#define TMLC_SEMA_STMT_H

#include "sema/checker.h"

// Checks the statements of a block in a scope of its own. True when control can reach its end.
bool check_block(Checker *checker, const AstBlock *block, TirBlock *into);
// The same in the current scope and block.
bool check_statements(Checker *checker, const AstBlock *block);
bool check_statement(Checker *checker, const AstStmt *stmt);

#endif
