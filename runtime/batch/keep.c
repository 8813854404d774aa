// The results of a run are where sums and maxima grow, so nothing is held beside them. Reals of 8
// bytes are taken as they lie, all else by tml_scalar_load.
#include "runtime/batch/keep.h"

#include "runtime/abi/type.h"

#include <math.h>

// The values of one step.
typedef struct Values {
    const tml_type *type;
    const char *first;
    uint64_t numel;
    size_t stride; // bytes from one scalar to the next
    bool is_double;
} Values;

static double scalar(const Values *values, uint64_t i) {
    const char *place = values->first + i * values->stride;
    if (values->is_double) {
        double value;
        memcpy(&value, place, sizeof value);
        return value;
    }
    return tml_scalar_load(values->type, place);
}

static void store(const Values *values, double *result) {
    if (values->is_double && values->stride == sizeof *result) {
        memcpy(result, values->first, values->numel * sizeof *result);
        return;
    }
    for (uint64_t i = 0; i < values->numel; i++) {
        result[i] = scalar(values, i);
    }
}

// A nan stays, whichever it is.
static double greater(double most, double value) {
    return most != most || most >= value ? most : value;
}

static void add_max(const Values *values, double *result) {
    for (uint64_t i = 0; i < values->numel; i++) {
        result[i] = greater(result[i], scalar(values, i));
    }
}

static void add_sum(const Values *values, double *result) {
    for (uint64_t i = 0; i < values->numel; i++) {
        result[i] += scalar(values, i);
    }
}

static void add_squares(const Values *values, double *result) {
    for (uint64_t i = 0; i < values->numel; i++) {
        double value = scalar(values, i);
        result[i] += value * value;
    }
}

static void fill(double *result, uint64_t count, double value) {
    for (uint64_t i = 0; i < count; i++) {
        result[i] = value;
    }
}

void tml_keep_add(tml_keep keep, const tml_variable *output, const KeptRows *rows, uint64_t before,
                  double *result) {
    const tml_type *type = output->type;
    size_t bytes = tml_scalar_bytes(type);
    Values values = {.type = type,
                     .first = rows->first + output->offset * rows->lanes + rows->lane * bytes,
                     .numel = tml_type_numel(type),
                     .stride = bytes * rows->lanes,
                     .is_double = type->root == TML_REAL && bytes == sizeof(double)};
    if (before == 0 && (keep == TML_KEEP_MEAN || keep == TML_KEEP_RMS)) {
        fill(result, values.numel, 0);
    } else if (before == 0 && keep == TML_KEEP_MAX) {
        fill(result, values.numel, -(double)INFINITY);
    }
    if (keep == TML_KEEP_LAST) {
        values.first += (rows->count - 1) * rows->stride;
        store(&values, result);
        return;
    }
    for (size_t step = 0; step < rows->count; step++, values.first += rows->stride) {
        switch (keep) {
        case TML_KEEP_LAST: break;
        case TML_KEEP_ALL: store(&values, result + (before + step) * values.numel); break;
        case TML_KEEP_MAX: add_max(&values, result); break;
        case TML_KEEP_MEAN: add_sum(&values, result); break;
        case TML_KEEP_RMS: add_squares(&values, result); break;
        }
    }
}

static inline double joined(tml_keep keep, double sum, double value) {
    return keep == TML_KEEP_MAX    ? greater(sum, value)
           : keep == TML_KEEP_MEAN ? sum + value
                                   : sum + value * value;
}

// One scalar of all lanes; inlined for numbers of these that are known, it works on vectors.
static inline __attribute__((always_inline)) void
join_lanes(tml_keep keep, const char *first, const KeptRows *rows, uint32_t lanes, double *sums) {
    for (size_t step = 0; step < rows->count; step++, first += rows->stride) {
        for (uint32_t lane = 0; lane < lanes; lane++) {
            double value;
            memcpy(&value, first + lane * sizeof value, sizeof value);
            sums[lane] = joined(keep, sums[lane], value);
        }
    }
}

static inline __attribute__((always_inline)) void join_steps(tml_keep keep, const char *first,
                                                             const KeptRows *rows, double *sums) {
    switch (rows->lanes) {
    case 4: join_lanes(keep, first, rows, 4, sums); break;
    case 8: join_lanes(keep, first, rows, 8, sums); break;
    case 16: join_lanes(keep, first, rows, 16, sums); break;
    default: join_lanes(keep, first, rows, rows->lanes, sums); break;
    }
}

static void join_scalar(tml_keep keep, const char *first, const KeptRows *rows, double *sums) {
    switch (keep) {
    case TML_KEEP_MAX: join_steps(TML_KEEP_MAX, first, rows, sums); break;
    case TML_KEEP_MEAN: join_steps(TML_KEEP_MEAN, first, rows, sums); break;
    default: join_steps(TML_KEEP_RMS, first, rows, sums); break;
    }
}

void tml_keep_add_side(tml_keep keep, const tml_variable *output, const KeptRows *rows,
                       uint32_t runs, uint64_t before, double *result, size_t apart) {
    enum { LANES = 16 };
    const tml_type *type = output->type;
    bool is_joined = keep == TML_KEEP_MAX || keep == TML_KEEP_MEAN || keep == TML_KEEP_RMS;
    if (!is_joined || tml_scalar_bytes(type) != sizeof(double) || rows->lanes > LANES) {
        KeptRows one = *rows;
        for (one.lane = 0; one.lane < runs; one.lane++) {
            tml_keep_add(keep, output, &one, before, result + one.lane * apart);
        }
        return;
    }
    double start = keep == TML_KEEP_MAX ? -(double)INFINITY : 0;
    const char *first = rows->first + output->offset * rows->lanes;
    uint64_t numel = tml_type_numel(type);
    for (uint64_t i = 0; i < numel; i++, first += sizeof(double) * rows->lanes) {
        double sums[LANES] = {0};
        for (uint32_t lane = 0; lane < rows->lanes; lane++) {
            sums[lane] = before == 0 || lane >= runs ? start : result[lane * apart + i];
        }
        join_scalar(keep, first, rows, sums);
        for (uint32_t lane = 0; lane < runs; lane++) {
            result[lane * apart + i] = sums[lane];
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
