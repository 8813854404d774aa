// The arguments of a call and the parameters that they are for (L9.4).
#ifndef TMLC_SEMA_ARGUMENT_H
#define TMLC_SEMA_ARGUMENT_H

#include "sema/checker.h"

// The arguments of a call of `decl`, checked as they are written, in the order of the parameters;
// NULL where the default holds. Poison stands where an argument has an error. NULL after E0711.
TirExpr **argument_values(Checker *checker, const FunctionDecl *decl, const AstExpr *call);

#endif
