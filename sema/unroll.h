// Loops over strings (L10.8).
#ifndef TMLC_SEMA_UNROLL_H
#define TMLC_SEMA_UNROLL_H

#include "sema/checker.h"

// Whether the variable of a `for` indexes a string in its body.
bool check_indexes_text(Checker *checker, const AstStmt *loop);
// Checks the body once for each value of the variable, which is a constant in it.
void check_unrolled_for(Checker *checker, const AstStmt *stmt, const int64_t bounds[3]);

#endif
