// The results of a run are where sums and maxima grow, so nothing is held beside them. Reals of 8
// bytes are taken as they lie, all else by tml_scalar_load.
#include "runtime/batch/keep.h"

#include "runtime/abi/type.h"

#include <math.h>

static bool is_double(const tml_type *type) {
    return type->root == TML_REAL && type->real_bytes == 8;
}

static double scalar(const tml_type *type, const char *values, uint64_t i) {
    return tml_scalar_load(type, values + i * tml_scalar_bytes(type));
}

static void store(const tml_type *type, const char *values, uint64_t numel, double *result) {
    if (is_double(type)) {
        memcpy(result, values, numel * sizeof *result);
        return;
    }
    for (uint64_t i = 0; i < numel; i++) {
        result[i] = scalar(type, values, i);
    }
}

// A nan stays, whichever it is.
static double greater(double most, double value) {
    return most != most || most >= value ? most : value;
}

static void add_max(const tml_type *type, const char *values, uint64_t numel, double *result) {
    for (uint64_t i = 0; i < numel; i++) {
        result[i] = greater(result[i], scalar(type, values, i));
    }
}

static void add_sum(const tml_type *type, const char *values, uint64_t numel, double *result) {
    for (uint64_t i = 0; i < numel; i++) {
        result[i] += scalar(type, values, i);
    }
}

static void add_squares(const tml_type *type, const char *values, uint64_t numel, double *result) {
    for (uint64_t i = 0; i < numel; i++) {
        double value = scalar(type, values, i);
        result[i] += value * value;
    }
}

static void fill(double *result, uint64_t count, double value) {
    for (uint64_t i = 0; i < count; i++) {
        result[i] = value;
    }
}

void tml_keep_add(tml_keep keep, const tml_variable *output, const char *outputs, size_t stride,
                  size_t count, uint64_t before, double *result) {
    const tml_type *type = output->type;
    uint64_t numel = tml_type_numel(type);
    const char *values = outputs + output->offset;
    if (before == 0 && (keep == TML_KEEP_MEAN || keep == TML_KEEP_RMS)) {
        fill(result, numel, 0);
    } else if (before == 0 && keep == TML_KEEP_MAX) {
        fill(result, numel, -(double)INFINITY);
    }
    if (keep == TML_KEEP_LAST) {
        store(type, values + (count - 1) * stride, numel, result);
        return;
    }
    for (size_t step = 0; step < count; step++, values += stride) {
        switch (keep) {
        case TML_KEEP_LAST: break;
        case TML_KEEP_ALL: store(type, values, numel, result + (before + step) * numel); break;
        case TML_KEEP_MAX: add_max(type, values, numel, result); break;
        case TML_KEEP_MEAN: add_sum(type, values, numel, result); break;
        case TML_KEEP_RMS: add_squares(type, values, numel, result); break;
        }
    }
}

void tml_keep_finish(tml_keep keep, const tml_variable *output, uint64_t steps, double *result) {
    uint64_t numel = tml_type_numel(output->type);
    if (steps == 0) {
        tml_keep_fail(keep, output, 0, 0, result);
    }
    for (uint64_t i = 0; i < numel && keep == TML_KEEP_MEAN; i++) {
        result[i] /= (double)steps;
    }
    for (uint64_t i = 0; i < numel && keep == TML_KEEP_RMS; i++) {
        result[i] = sqrt(result[i] / (double)steps);
    }
}

void tml_keep_fail(tml_keep keep, const tml_variable *output, uint64_t done, uint64_t steps,
                   double *result) {
    uint64_t numel = tml_type_numel(output->type);
    if (keep == TML_KEEP_ALL) {
        fill(result + done * numel, (steps - done) * numel, (double)NAN);
    } else {
        fill(result, numel, (double)NAN);
    }
}
