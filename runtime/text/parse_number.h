// The numbers that data files are full of, read fast; everything unusual is left to
// tml_scalar_parse.
#ifndef TML_RUNTIME_TEXT_PARSE_NUMBER_H
#define TML_RUNTIME_TEXT_PARSE_NUMBER_H

#include "runtime/abi/model.h"

// Reads a number of the type's root that starts at `text` and stores it. Returns the place behind
// it, or NULL when it is none, or not a plain one. The text ends in a byte that no number has; what
// is returned is right only if the byte there ends the cell.
const char *tml_parse_number(const tml_type *type, const char *text, void *scalar);

#endif
