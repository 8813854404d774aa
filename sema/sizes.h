// The sizes of a function (L9.2) that a call supplies: each stands in the dims of a parameter, and
// what is given to it says what the size is.
#ifndef TMLC_SEMA_SIZES_H
#define TMLC_SEMA_SIZES_H

#include "sema/checker.h"

// The sizes that the arguments supply, and which argument supplies each, and their root; false
// after an error.
bool sizes_infer(Checker *checker, const FunctionDecl *decl, TirExpr **args, Span span,
                 uint32_t *sizes, size_t *from, Root *root);

#endif
