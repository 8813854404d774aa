// The arguments of a call and the parameters that they are for (L9.4).
#ifndef TMLC_SEMA_ARGUMENT_H
#define TMLC_SEMA_ARGUMENT_H

#include "sema/checker.h"

// By parameter.
typedef struct Arguments {
    TirExpr **values; // NULL where the default holds
    TirExpr **places; // where it is copied back to; NULL for values
} Arguments;

// The statement of a call of `decl` with these; NULL after an error.
TirStmt *check_call_with(Checker *checker, FunctionDecl *decl, Span span,
                         const Arguments *arguments);

// The function that a call of `decl` with such values runs; NULL after an error.
TirFunction *check_function_for(Checker *checker, FunctionDecl *decl, Span span, TirExpr **values);

// The arguments of a call of `decl`, checked in the order in which they are written. False after an
// error.
bool arguments_check(Checker *checker, const FunctionDecl *decl, const AstExpr *call,
                     Arguments *arguments);
// Whether the places are what `function` needs, and no two have a scalar in common; else false
// after an error.
bool arguments_check_places(Checker *checker, const TirFunction *function,
                            const Arguments *arguments);

#endif
