// Reals as text (L12).
#ifndef TML_RUNTIME_TEXT_FORMAT_REAL_H
#define TML_RUNTIME_TEXT_FORMAT_REAL_H

#include <stddef.h>

enum { TML_REAL_TEXT_BYTES = 32 };

// Writes the fewest digits that read back equal, of those the closest: positional where
// 1e-4 <= |value| < 1e16 ("1000.0"), else with an exponent ("1e+16", "1.5e-05"); "nan", "inf",
// "-inf", "0.0", "-0.0". `real_bytes` is 8, or 4 when `value` is a single. Returns the length; the
// text also ends in NUL.
size_t tml_format_real(char text[TML_REAL_TEXT_BYTES], double value, unsigned real_bytes);

#endif
