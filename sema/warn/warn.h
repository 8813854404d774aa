// Warnings about legal code that is seldom meant. The checker tells what it sees as it walks: the
// syntax tree to the rules of rules.def, types and values to those that need them. Nothing of it is
// said of a program with errors, of the built-in library, or of code that constants keep from
// running, and of each place once, however often it is checked.
#ifndef TMLC_SEMA_WARN_WARN_H
#define TMLC_SEMA_WARN_WARN_H

#include "sema/checker.h"

typedef struct Operation Operation; // of sema/explain.h

// Before anything is checked; without it all that follows does nothing.
void warn_begin(Checker *checker);
// After everything: the rules that need all of it, and then what was said joins the other messages.
void warn_end(Checker *checker);

// In tree.c:

// The rules for a block, a statement, a range or a link in a chain of operators.
void warn_block(Checker *checker, const AstBlock *block);
void warn_stmt(Checker *checker, const AstStmt *stmt);
void warn_expr(Checker *checker, const AstExpr *expr);

// In flow.c:

// An operator whose left operand has that type, when both are checked.
void warn_behind_remainder(Checker *checker, const AstExpr *product, const Type *type);

// In names.c:

// A scope ends, or that of the main file.
void warn_scope(Checker *checker, const Scope *scope);
// A function ends: it may do nothing but change its parameters, which are copies.
void warn_changes(Checker *checker, const AstStmt *function, const Scope *params);
// A declaration in the file, of a variable with its type, or of a constant: it may hide what an
// import brings.
void warn_declared(Checker *checker, const Unit *unit, const Symbol *symbol);
// A body that a macro leaves out: what it names is not checked, and may be used.
void warn_skipped(Checker *checker, const AstBlock *block);
// The body of a test: what it names of the file is used, whether it is checked or not.
void warn_test(Checker *checker, const AstBlock *block);
// `name = value`: the variable, when nothing has read it so far; what the value reads of it is then
// no use (warn_self_read), unless a function is called with it.
Symbol *warn_unread(Checker *checker, const AstExpr *target);
void warn_self_read(Checker *checker, Symbol *symbol, const AstExpr *value);

// In kept.c:

// A function ends whose variables `scope` has: those of a step are not kept for the next.
void warn_lost_state(Checker *checker, const AstStmt *function, const Scope *scope);

// In shared.c:

// A function ends: it may use variables of the file like its own.
void warn_shared(Checker *checker, const AstStmt *function);

// In bounds.c:

// A function is checked: it may have indices that are outside whatever the data are.
void warn_bounds(Checker *checker, const TirFunction *function);

// In number.c:

// An operator of arithmetic on integers or reals, built of operands of one root and shape.
void warn_arithmetic(Checker *checker, TirOp op, const Operation *operation, TirExpr *left,
                     TirExpr *right);
// `value` becomes real without a cast.
void warn_real_of(Checker *checker, const TirExpr *value);
// A comparison of numbers, before its operands are made alike.
void warn_compared(Checker *checker, TirOp op, const Operation *operation);
// A literal with a point.
void warn_real_literal(Checker *checker, const AstExpr *literal);

// `clamp` between limits, before they are converted.
void warn_limits(Checker *checker, Span span, const TirExpr *least, const TirExpr *greatest);
// `min` or `max` of two, which may limit what the other one of them gives.
void warn_extreme(Checker *checker, TirOp op, Span span, const TirExpr *left, const TirExpr *right);

// In complex.c:

// A call of a built-in with one argument.
void warn_parts(Checker *checker, const char *function, const AstExpr *call);
// A product of tensors.
void warn_parts_product(Checker *checker, const Operation *operation);

// In matrix.c:

// An operator of arithmetic whose operands broadcast.
void warn_matrix_operator(Checker *checker, AstBinaryOp op, const Operation *operation);

// In use.c:

// A call that is a statement, and what it gave.
void warn_dropped(Checker *checker, const AstExpr *call, const TirExpr *result);
// A call of a function that is declared in some file.
void warn_called(Checker *checker, const FunctionDecl *decl, Span span);
// The first, last and step of a `for` whose bounds are constants.
void warn_loop_bounds(Checker *checker, const TirVar *var, const int64_t values[3]);
// One index alone on a tensor of several dims (L7.3); `value` is where it varies, as the start
// of a window does.
void warn_single_index(Checker *checker, const TirExpr *matrix, const AstExpr *bracket,
                       const ShapeIndex *index, const TirExpr *value);
// An index that varies on a number that is assigned (L7.6).
void warn_scalar_target(Checker *checker, const TirExpr *target, const AstExpr *bracket);
// A literal that `print` shows before a value.
void warn_printed_text(Checker *checker, const AstExpr *literal);

#endif
