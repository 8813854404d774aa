// Scalars as text, as data files have them: no `u`, bool as 0 or 1.
#ifndef TML_RUNTIME_TEXT_FORMAT_SCALAR_H
#define TML_RUNTIME_TEXT_FORMAT_SCALAR_H

#include "runtime/abi/model.h"
#include "runtime/text/format_real.h"

enum { TML_INTEGER_TEXT_BYTES = 24 };

// Both return the length; there is no NUL at the end.
size_t tml_format_integer(char text[TML_INTEGER_TEXT_BYTES], int64_t value);
size_t tml_format_scalar(char text[TML_REAL_TEXT_BYTES], const tml_type *type, const void *data);

#endif
