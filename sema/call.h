// Functions and their calls (L9).
#ifndef TMLC_SEMA_CALL_H
#define TMLC_SEMA_CALL_H

#include "sema/checker.h"

// A call of a function of the program or of a built-in. Its type is void when it has no result.
TirExpr *check_call(Checker *checker, const AstExpr *expr);
// Adds a function to its unit's scope; NULL after E0302.
FunctionDecl *check_declare_function(Checker *checker, Unit *unit, AstStmt *ast);
// Calls `decl` with arguments already checked.
TirExpr *check_call_function(Checker *checker, FunctionDecl *decl, Span span, TirExpr **args,
                             size_t count);
// Checks a function that nothing has called, and returns it; those with size parameters wait for a
// call (NULL).
TirFunction *check_uncalled(Checker *checker, FunctionDecl *decl);
// Emits the statement of a call.
void check_emit_call(Checker *checker, TirFunction *function, TirExpr **args, size_t count,
                     TirVar *result, Span span);

#endif
