// Tensor literals (L2.3).
#ifndef TMLC_SEMA_LITERAL_H
#define TMLC_SEMA_LITERAL_H

#include "sema/checker.h"

TirExpr *check_tensor_literal(Checker *checker, const AstExpr *expr);

#endif
