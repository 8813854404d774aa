// Statements and blocks (L8), and the variables that they declare (L3, L6).
#ifndef TMLC_SEMA_STMT_H
#define TMLC_SEMA_STMT_H

#include "sema/checker.h"

// Checks the statements of a block in a scope of its own. True when control can reach its end.
bool check_block(Checker *checker, const AstBlock *block, TirBlock *into);
// The same in the current scope and block.
bool check_statements(Checker *checker, const AstBlock *block);
bool check_statement(Checker *checker, const AstStmt *stmt);

// In variable.c:

void check_declaration(Checker *checker, const AstStmt *stmt);
void check_assignment(Checker *checker, const AstStmt *stmt);
// `target <- value` (L16)
void check_send(Checker *checker, const AstStmt *stmt);
// Several results to a target each (L9.5).
void check_assign_all(Checker *checker, const AstStmt *stmt);
// The indices of a place that is read and written are computed once, before what follows could
// change what they read: those that are no temporaries are held, so many of them.
size_t check_share_indices(Checker *checker, TirExpr *place);
// Appends `var = value`.
void check_set_var(Checker *checker, TirVar *var, TirExpr *value, Span span);
// Declares a variable; E0302 when the scope has the name. NULL after an error.
TirVar *check_declare(Checker *checker, const AstName *name, const Type *type, TirVarRole role);
// Declares a name of which an error was reported, unless it is known: its uses stay silent.
void check_declare_unknown(Checker *checker, const AstName *name);

// unroll.c: loops over strings (L10.8).

// Whether the variable of a `for` indexes a string in its body.
bool check_indexes_text(Checker *checker, const AstStmt *loop);
// Checks the body once for each value of the variable, which is a constant in it.
void check_unrolled_for(Checker *checker, const AstStmt *stmt, const int64_t bounds[3]);

// In macro.c (L10.7):

// The value of a variable of the macros around, or NULL.
TirExpr *check_macro_variable(const Checker *checker, Name name);
// The name that `name{i, j}` stands for; NULL after E0740.
Name check_macro_name(Checker *checker, const AstName *name);
// Whether the names in the indices of a name are those of constants, so that it can be asked for.
bool check_knows_name(Checker *checker, const AstName *name);
// E0715 for an assignment to the variable of a macro, E0302 for a declaration of its name, which it
// would hide; false after that.
bool check_is_no_macro_variable(Checker *checker, Name name, Span span, DiagCode code);
// Whether a statement is a macro with bounds or conditions, its own or of macros in it, that name
// more than the variables of macros: they have no value before the file is checked up to there.
bool check_macro_waits(const Checker *checker, const AstStmt *stmt);
// Counts a copy of a body; false, after E0902, when there are too many.
bool check_count_repeat(Checker *checker, Span span);
// Give the bodies that remain to `body`, which says whether control can reach their end.
typedef bool MacroBody(Checker *checker, const AstBlock *block, void *data);
bool check_macro_for(Checker *checker, const AstStmt *stmt, MacroBody *body, void *data);
bool check_macro_if(Checker *checker, const AstStmt *stmt, MacroBody *body, void *data);
// Gives the bodies of a macro that may remain to `body`, once for each value of its variable; all
// of them, once, where it cannot be told here. Says nothing.
typedef void MacroWalk(const AstBlock *block, void *data);
void check_macro_walk(Checker *checker, const AstStmt *stmt, MacroWalk *body, void *data);

#endif
