// Where the elements of a `set` go.
#ifndef TMLC_CODEGEN_PLAN_DESTINATION_H
#define TMLC_CODEGEN_PLAN_DESTINATION_H

#include "codegen/plan/facts.h"
#include "tir/tir.h"

// A place, or the part of an outer destination that one operand of a literal or a concatenation
// fills.
typedef struct Destination {
    enum { INTO_PLACE, INTO_STACKED_PART, INTO_CONCAT_PART } kind;
    const Type *type;
    const TirExpr *place;
    const struct Destination *outer;
    uint64_t start; // of a part: row-major, or along `axis`
    uint32_t axis;
    bool streams; // of a place: past the caches, because nothing reads it soon
} Destination;

// Part `number` of a literal or a concatenation that goes to `outer`; `before` is the part before
// it, and nothing for the first.
Destination destination_part(const Destination *outer, const TirExpr *value, size_t number,
                             const Destination *before);
// How many parts there are, and what fills one.
size_t destination_part_count(const TirExpr *value);
const TirExpr *destination_part_value(const TirExpr *value, size_t number);
// Whether the place around it streams.
bool destination_streams(const Destination *to);
// The place whose rows it fills: rows stacked upon one another are rows of the place. NULL: it
// fills something else.
const TirExpr *destination_rows(const Destination *to);
// The variable at the bottom.
const TirVar *destination_var(const Destination *to);
// Row-major positions are consecutive in memory.
bool destination_is_contiguous(const Destination *to);
// Whether neighbours, `steps` apart, are neighbours in memory.
bool destination_has_lanes(const PlanFacts *facts, const Destination *to, const int64_t *steps);

#endif
