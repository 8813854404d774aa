// What a picture keeps of signals over time: the extremes of equal stretches of steps.
#ifndef TML_RUNTIME_SIMULATE_CURVES_H
#define TML_RUNTIME_SIMULATE_CURVES_H

#include "runtime/simulate/columns.h"

#include <math.h>

enum { CURVE_BUCKETS = 2048 };

// A stretch; nan where no value is a number.
typedef struct Bucket {
    double least, greatest;
    uint64_t least_step, greatest_step;
} Bucket;

typedef struct Curves {
    Columns columns;                  // one for each curve
    uint64_t first;                   // step
    uint64_t steps;                   // so far
    uint64_t width;                   // steps of a bucket
    Bucket (*buckets)[CURVE_BUCKETS]; // of each curve
} Curves;

static inline bool curve_is_bool(const Curves *curves, size_t curve) {
    return curves->columns.items[curve].terminal->type->root == TML_BOOL;
}

static inline size_t curves_bucket_count(const Curves *curves) {
    return (size_t)((curves->steps + curves->width - 1) / curves->width);
}

// The columns are the curves' from now on. False when there is no memory; tml_curves_free all the
// same.
bool tml_curves_open(Curves *curves, Columns columns);
void tml_curves_free(Curves *curves);
void tml_curves_add(Curves *curves, const Rows *rows, size_t count);

// The least and the greatest number of a curve; false when it has none.
bool tml_curves_range(const Curves *curves, size_t curve, double *least, double *greatest);

#endif
