// Scalars from text, as standard input and CSV files have them.
#ifndef TML_RUNTIME_TEXT_SCALAR_TEXT_H
#define TML_RUNTIME_TEXT_SCALAR_TEXT_H

#include "runtime/abi/abi.h"
#include "runtime/file/text_reader.h"

// Stores the token as a scalar of the type's root. Numbers are decimal, for reals all that C's
// strtod takes (`nan`, `inf`); integers may end in `u`; `true` and `false` are 1 and 0. Returns
// NULL, or what is wrong: a phrase that follows the quoted token, as "is not an int".
const char *tml_scalar_parse(const tml_type *type, const Token *token, void *scalar);
// The numbers that data files are full of, read fast. Reads a number of the type's root that starts
// at `text` and stores it. Returns the place behind it, or NULL when it is none, or not a plain
// one, which is left to tml_scalar_parse. The text ends in a byte that no number has; what is
// returned is right only if the byte there ends the cell.
const char *tml_parse_number(const tml_type *type, const char *text, void *scalar);
// Whether the token is a number (or truth value) of any type.
bool tml_scalar_is_number(const Token *token);

#endif
