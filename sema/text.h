// Constants of type str and char.
#ifndef TMLC_SEMA_TEXT_H
#define TMLC_SEMA_TEXT_H

#include "sema/checker.h"

TirExpr *check_string(Checker *checker, Slice text, Span span);
TirExpr *check_character(Checker *checker, char character, Span span);
Slice check_string_value(Checker *checker, const TirExpr *expr);

#endif
