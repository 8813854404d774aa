// Functions as calls see them: which dims are sizes, and the instance for a set of sizes.
#ifndef TMLC_SEMA_FUNCTION_H
#define TMLC_SEMA_FUNCTION_H

#include "sema/checker.h"

// Which size parameter a dim is; their number when it is none.
size_t function_size_index(const FunctionDecl *decl, const AstExpr *dim);
// Whether some parameter is copied back to its argument (L9.6).
bool function_has_places(const FunctionDecl *decl);
// The instance for these sizes (and root, where it has one) and the guards here, checked by the
// call at `span` if it is the first; NULL after E0714.
Instance *function_instance(Checker *checker, FunctionDecl *decl, const uint32_t *sizes, Root root,
                            Span span);

#endif
