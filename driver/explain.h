// The long explanation of a message code, from docs/diagnostics.md.
#ifndef TMLC_DRIVER_EXPLAIN_H
#define TMLC_DRIVER_EXPLAIN_H

#include "support/buffer.h"

#include <stdbool.h>

// Appends the entry of `code` ("E0501" or "e0501"). False when there is none.
__attribute__((warn_unused_result)) bool explain_code(const char *code, Buffer *out);

#endif
