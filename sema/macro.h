// Macros (L10.7).
#ifndef TMLC_SEMA_MACRO_H
#define TMLC_SEMA_MACRO_H

#include "sema/checker.h"

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

#endif
