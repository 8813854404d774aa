// A random scalar of a run: a block of random bits of the run's number and the scalar's name, made
// a probability, and that a value. Nothing else enters, so any process can draw it again.
#include "runtime/abi/type.h"
#include "runtime/batch/batch.h"
#include "runtime/batch/noise.h"

#include <math.h>
#include <stdio.h>

static uint64_t hash_text(uint64_t hash, const char *text) {
    for (; *text != '\0'; text++) {
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3U;
    }
    return hash;
}

// FNV-1a of "gain[1][0]".
static uint64_t hash_name(const tml_sample *sample) {
    const tml_type *type = sample->property->type;
    uint64_t hash = hash_text(0xcbf29ce484222325U, sample->property->name);
    uint64_t inner = tml_type_numel(type), rest = sample->element;
    for (size_t i = 0; i < type->flat_rank; i++) {
        char index[32];
        inner /= type->dims[i];
        snprintf(index, sizeof index, "[%llu]", (unsigned long long)(rest / inner));
        hash = hash_text(hash, index);
        rest %= inner;
    }
    return hash;
}

static double value_at(const tml_sample *sample, double p) {
    double value = 0;
    switch ((tml_distribution)sample->distribution) {
    case TML_UNIFORM: value = sample->a + (sample->b - sample->a) * p; break;
    case TML_NORMAL: value = sample->a + sample->b * tml_inverse_normal(p); break;
    case TML_LOGNORMAL:
        value = tml_exponential(sample->a + sample->b * tml_inverse_normal(p));
        break;
    }
    return sample->property->type->real_bytes == 4 ? (double)(float)value : value;
}

double tml_sample_value(const tml_sample *sample, uint64_t seed, uint64_t run) {
    return value_at(sample, tml_probability(seed, run, hash_name(sample)));
}

// Values grow with the probability, of which these are the least and the greatest.
int tml_sample_is_finite(const tml_sample *sample) {
    return isfinite(value_at(sample, 0x1p-53)) && isfinite(value_at(sample, 1 - 0x1p-53));
}
