// The texts of a store, in JSON.
#ifndef TML_RUNTIME_ENSEMBLE_ATTRIBUTES_H
#define TML_RUNTIME_ENSEMBLE_ATTRIBUTES_H

#include "runtime/ensemble/plan.h"

typedef struct Text {
    size_t used;
    char bytes[1 << 16];
} Text;

// Each returns false after saying that there is no room for it.

// .zattrs of the folder: all that the results depend on, a line for each.
bool tml_attributes_text(Text *text, const Plan *plan, uint64_t chunk);
// .zarray of a part, and of the faults.
bool tml_array_text(Text *text, const Plan *plan, const Part *part, uint64_t chunk);
bool tml_fault_array_text(Text *text, const Plan *plan, uint64_t chunk);

// Whether the attributes that were found are the wanted ones; else says where they differ first.
bool tml_attributes_equal(const char *path, const Text *wanted, const char *found);

#endif
