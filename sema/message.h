// Messages of the checker: like those of diag.h, and with where an instance was called.
#ifndef TMLC_SEMA_MESSAGE_H
#define TMLC_SEMA_MESSAGE_H

#include "sema/checker.h"

// An error at `span`, with a note that names the call when a sized instance is being checked.
Diag *check_error(Checker *checker, DiagCode code, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
Diag *check_warning(Checker *checker, Warning warning, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// The same as the result of who gives up after it: poison, and false.
#define check_fail(checker, ...) (check_error(checker, __VA_ARGS__), check_poison(checker))
#define check_refuse(checker, ...) (check_error(checker, __VA_ARGS__), false)
// Nesting that the syntax tree does not bound by itself: arms of an `if`, calls of functions that
// are checked on the way. False, after one E0901, when it is too deep to go on.
bool check_has_room(Checker *checker, Span span);
const char *check_type_text(Checker *checker, const Type *type);
// How messages call an expression: its source text when short, else `fallback`.
const char *check_expr_text(Checker *checker, Span span, const char *fallback);
TirExpr *check_poison(Checker *checker);

#endif
