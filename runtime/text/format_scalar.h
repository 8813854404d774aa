// Scalars as text, as data files have them: no `u`, bool as 0 or 1.
#ifndef TML_RUNTIME_TEXT_FORMAT_SCALAR_H
#define TML_RUNTIME_TEXT_FORMAT_SCALAR_H

#include "runtime/abi/model.h"

#include <stddef.h>

enum { TML_REAL_TEXT_BYTES = 32 }; // enough for every scalar

// All return the length. Writes the fewest digits that read back equal, of those the closest (L12):
// positional where 1e-4 <= |value| < 1e16 ("1000.0"), else with an exponent ("1e+16", "1.5e-05");
// "nan", "inf", "-inf", "0.0", "-0.0". `real_bytes` is 8, or 4 when `value` is a single. The text
// also ends in NUL.
size_t tml_format_real(char text[TML_REAL_TEXT_BYTES], double value, unsigned real_bytes);
// Of at most 17 digits; without NUL, and so is the next.
size_t tml_format_integer(char text[TML_REAL_TEXT_BYTES], int64_t value);
size_t tml_format_scalar(char text[TML_REAL_TEXT_BYTES], const tml_type *type, const void *data);

#endif
