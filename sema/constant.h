// Where the language wants a constant, calls with constant arguments are constants too (L10.9):
// what they compute is computed here.
#ifndef TMLC_SEMA_CONSTANT_H
#define TMLC_SEMA_CONSTANT_H

#include "sema/checker.h"

// An expression that the language wants a constant of, not a text: an EXPR_CONST, or what it is
// when it is not constant, which the caller reports; poison after an error.
TirExpr *check_constant(Checker *checker, const AstExpr *expr);

// The same in two steps: of what is checked between them, `value` is to be constant. Then nothing
// is emitted of it. Only the latest start may be ended.
typedef struct ConstantStart {
    TirBlock *block;
    size_t statements;
    size_t vars;
    EndlessCall endless;
} ConstantStart;

ConstantStart check_constant_start(const Checker *checker);
TirExpr *check_constant_end(Checker *checker, const ConstantStart *start, TirExpr *value);
// The same of argument k of several, where starts[k] came before it and starts[k + 1] behind it, up
// to starts[count].
TirExpr *check_constant_argument(Checker *checker, ConstantStart *starts, size_t k, size_t count,
                                 TirExpr *value);
// The second step for a value of the file level: it is constant if it can be. E0702 where it calls
// a function with a `while` itself, for what is no constant that is wanted (L4.1).
TirExpr *check_constant_global(Checker *checker, const ConstantStart *start, TirExpr *value);

// The same of several results, none of which is made constant: false after E0702.
bool check_ends(Checker *checker);

// file_constant.c: variables of the file that are constants.

// Notes a variable of the file and its value, where that was made constant here.
void check_note_global(Checker *checker, TirVar *var, const TirExpr *given, TirExpr *value);
// When all is checked: makes constants of the object of those whose values are constant calls and
// that nothing assigns.
void check_keep_constants(Checker *checker);

// Adds to a message that `ast` is not constant why a call in it is not, and which tunable property
// it reads.
void check_note_not_constant(Checker *checker, Diag *diag, const AstExpr *ast);

#endif
