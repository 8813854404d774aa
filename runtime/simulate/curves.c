// Each curve keeps the least and the greatest value of up to CURVE_BUCKETS stretches of equal
// length, which double when they are full: at the width of a picture that looks as all points
// would.
#include "runtime/simulate/curves.h"

#include "runtime/abi/type.h"

#include <stdlib.h>

bool tml_curves_open(Curves *curves, Columns columns) {
    *curves = (Curves){.columns = columns, .width = 1};
    curves->buckets = calloc(columns.count + 1, sizeof *curves->buckets);
    return columns.items && curves->buckets;
}

void tml_curves_free(Curves *curves) {
    free(curves->columns.items);
    free(curves->buckets);
}

// A number wins against nan and infinities, which are not drawn.
static void merge(Bucket *into, const Bucket *other) {
    if (!isfinite(into->least) || other->least < into->least) {
        into->least = other->least;
        into->least_step = other->least_step;
    }
    if (!isfinite(into->greatest) || other->greatest > into->greatest) {
        into->greatest = other->greatest;
        into->greatest_step = other->greatest_step;
    }
}

static void halve(Curves *curves) {
    for (size_t curve = 0; curve < curves->columns.count; curve++) {
        Bucket *buckets = curves->buckets[curve];
        for (size_t i = 0; i < CURVE_BUCKETS / 2; i++) {
            buckets[i] = buckets[2 * i];
            merge(&buckets[i], &buckets[2 * i + 1]);
        }
    }
    curves->width *= 2;
}

static void add_step(Curves *curves, const Rows *rows, size_t step_of_rows) {
    if (curves->steps / curves->width == CURVE_BUCKETS) {
        halve(curves);
    }
    size_t index = (size_t)(curves->steps / curves->width);
    bool first = curves->steps % curves->width == 0;
    for (size_t curve = 0; curve < curves->columns.count; curve++) {
        const Column *column = &curves->columns.items[curve];
        double value =
            tml_scalar_load(column->terminal->type, column_at(rows, column, step_of_rows));
        value = isfinite(value) ? value : NAN;
        Bucket step = {value, value, curves->steps, curves->steps};
        Bucket *bucket = &curves->buckets[curve][index];
        if (first) {
            *bucket = step;
        } else {
            merge(bucket, &step);
        }
    }
    curves->steps++;
}

void tml_curves_add(Curves *curves, const Rows *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        add_step(curves, rows, i);
    }
}

bool tml_curves_range(const Curves *curves, size_t curve, double *least, double *greatest) {
    Bucket range = {NAN, NAN, 0, 0};
    for (size_t i = 0; i < curves_bucket_count(curves); i++) {
        merge(&range, &curves->buckets[curve][i]);
    }
    *least = range.least;
    *greatest = range.greatest;
    return isfinite(range.least);
}
