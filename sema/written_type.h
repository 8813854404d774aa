// Types as the source writes them (L2).
#ifndef TMLC_SEMA_WRITTEN_TYPE_H
#define TMLC_SEMA_WRITTEN_TYPE_H

#include "sema/checker.h"

// The type that is written, or poison after an error.
const Type *check_type(Checker *checker, const AstType *type);
// A dim or size: a constant int or uint >= 1. False after an error.
bool check_length(Checker *checker, const AstExpr *expr, uint32_t *length);
// tensor<base, dims>, or poison after E0902.
const Type *check_tensor_type(Checker *checker, const Type *base, size_t rank, const uint32_t *dims,
                              Span span);

#endif
