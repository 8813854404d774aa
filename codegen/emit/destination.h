// Where the elements of a `set` go.
#ifndef TMLC_CODEGEN_EMIT_DESTINATION_H
#define TMLC_CODEGEN_EMIT_DESTINATION_H

#include "codegen/emit/index.h"

// A place, or the part of an outer destination that one operand of a literal or a concatenation
// fills.
typedef struct Destination {
    enum { INTO_PLACE, INTO_STACKED_PART, INTO_CONCAT_PART } kind;
    const Type *type;
    const TirExpr *place;
    const struct Destination *outer;
    uint64_t start; // of a part: row-major, or along `axis`
    uint32_t axis;
} Destination;

// Where the element at a position of the destination's type is.
Address destination_address(Gen *gen, const Destination *to, Index index);
// Row-major positions are consecutive in memory.
bool destination_is_contiguous(const Destination *to);
// Whether neighbours, `steps` apart, are neighbours in memory.
bool destination_has_lanes(Gen *gen, const Destination *to, const int64_t *steps);

#endif
