// What the lexer makes of a text, as text.
#ifndef TMLC_TESTS_UNIT_LEXER_LEXED_H
#define TMLC_TESTS_UNIT_LEXER_LEXED_H

#include <stddef.h>

// Checks the kinds of all tokens but the last, "NAME ASSIGN INTEGER_LITERAL", and that there is no
// error.
void expect_kinds(const char *text, const char *kinds);
// Checks the errors, "E0103 1:5; E0104 2:1", and the kinds beside them.
void expect_errors(const char *text, size_t len, const char *errors, const char *kinds);

#endif
