// Indices and attributes (L7).
#ifndef TMLC_SEMA_INDEX_H
#define TMLC_SEMA_INDEX_H

#include "sema/checker.h"

TirExpr *check_index(Checker *checker, const AstExpr *expr);
// A chain of brackets on a variable as a place that can be written. NULL after an error.
TirExpr *check_place(Checker *checker, const AstExpr *expr);
TirExpr *check_attribute(Checker *checker, const AstExpr *expr);

#endif
