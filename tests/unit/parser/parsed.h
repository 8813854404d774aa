// What the parser makes of a text, as text.
#ifndef TMLC_TESTS_UNIT_PARSER_PARSED_H
#define TMLC_TESTS_UNIT_PARSER_PARSED_H

#include <stddef.h>

// Checks the tree as `--emit=ast` prints it, without the last line end, and that there is no error.
void expect_tree(const char *text, const char *tree);
// Checks that `x = text` assigns what print_source_expr writes as `printed`, and that this reads
// back as itself.
void expect_expr(const char *text, const char *printed);
// Checks all errors: "E0201 1:5; E0202 2:1", or "".
void expect_errors(const char *text, const char *errors);
// The same of so many bytes, which may be any.
void expect_errors_of_bytes(const char *bytes, size_t count, const char *errors);
// Checks that there is one error, of this code.
void expect_code(const char *text, const char *code);
// Checks that the only error is at `place`, "1:5", and reads `message`.
void expect_message(const char *text, const char *place, const char *message);

#endif
