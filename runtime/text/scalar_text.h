// Scalars from text, as standard input and CSV files have them.
#ifndef TML_RUNTIME_TEXT_SCALAR_TEXT_H
#define TML_RUNTIME_TEXT_SCALAR_TEXT_H

#include "runtime/abi/abi.h"
#include "runtime/file/text_reader.h"

// Stores the token as a scalar of the type's root. Numbers are decimal, for reals all that C's
// strtod takes (`nan`, `inf`); integers may end in `u`; `true` and `false` are 1 and 0. Returns
// NULL, or what is wrong: a phrase that follows the quoted token, as "is not an int".
const char *tml_scalar_parse(const tml_type *type, const Token *token, void *scalar);
// Whether the token is a number (or truth value) of any type.
bool tml_scalar_is_number(const Token *token);

#endif
