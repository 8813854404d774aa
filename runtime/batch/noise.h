// Random numbers that are functions of a seed and a count, and of nothing else: the same on every
// machine, in every order.
#ifndef TML_RUNTIME_BATCH_NOISE_H
#define TML_RUNTIME_BATCH_NOISE_H

#include <stdint.h>

// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", 2011):
// replaces the counter by its random block.
void tml_philox(uint32_t counter[4], const uint32_t key[2]);
// (m + 1/2) / 2^52, where m is the first 52 bits of the block of the counter (count, stream) under
// the key `seed`.
double tml_probability(uint64_t seed, uint64_t count, uint64_t stream);
// Where the distribution function of the normal distribution with mean 0 and deviation 1 is p,
// 0 < p < 1, to about 1e-16: Wichura's algorithm AS 241 (PPND16).
double tml_inverse_normal(double p);
// A draw of that distribution: where it has the probability of the stream 0.
double tml_normal(uint64_t seed, uint64_t count);
// e to the power of x, to about 2^-51.
double tml_exponential(double x);

#endif
