// Windows: ranges in an index whose bounds vary and whose length does not (L7.5), as in
// `x[i:i + 3]`.
#ifndef TMLC_SEMA_WINDOW_H
#define TMLC_SEMA_WINDOW_H

#include "sema/checker.h"

typedef struct Window {
    const AstExpr *start;
    int64_t length;
} Window;

// Whether the bounds of a range are sums of the same terms, some of which vary, and of constants.
bool window_find(Checker *checker, const AstExpr *range, Window *window);

// A dim of an operand along which a window lies.
typedef struct WindowDim {
    size_t dim;
    uint32_t length;
    TirExpr *start; // an int or uint scalar
    Span span;
} WindowDim;

// What a bracket with windows selects: a temporary, to read or to write. `axes` are those of a view
// of type `type`, in which each window begins at 0. With `is_target` what is written there goes to
// the operand at the end of the statement (window_store); with `is_read` it has the values that the
// operand has now. NULL after E0902.
TirExpr *window_apply(Checker *checker, TirExpr *operand, const Type *type, const TirAxis *axes,
                      const WindowDim *dims, size_t count, bool is_target, bool is_read);
// The windows of the target that was checked latest get their values; `is_update` as in TirStmt.
void window_store(Checker *checker, bool is_update);

#endif
