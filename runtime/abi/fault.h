// A trap in words, the same wherever it is told.
#ifndef TML_RUNTIME_ABI_FAULT_H
#define TML_RUNTIME_ABI_FAULT_H

#include "runtime/abi/model.h"

#include <stdio.h>
#include <stdlib.h>

enum { TML_FAULT_TEXT_BYTES = 1024 };

// Why it trapped: "integer division by zero". `texts` are those of the model.
static inline void tml_fault_text(char text[TML_FAULT_TEXT_BYTES], const tml_fault *fault,
                                  const char *const *texts) {
    const size_t size = TML_FAULT_TEXT_BYTES;
    switch (fault->code) {
    case TML_E_INDEX:
        snprintf(text, size, "index %lld is outside a dimension of length %llu",
                 (long long)fault->index, (unsigned long long)fault->length);
        return;
    case TML_E_DIVISION: snprintf(text, size, "integer division by zero"); return;
    case TML_E_STEP: snprintf(text, size, "the step of the loop is zero"); return;
    case TML_E_ASSERT: snprintf(text, size, "assertion failed: %s", texts[fault->index]); return;
    }
    abort(); // generated code sets no other
}

#endif
