// Random numbers that are functions of a seed and a count, and of nothing else: the same on every
// machine, in every order.
#ifndef TML_RUNTIME_SIMULATE_NOISE_H
#define TML_RUNTIME_SIMULATE_NOISE_H

#include <stdint.h>

// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", 2011):
// replaces the counter by its random block.
void tml_philox(uint32_t counter[4], const uint32_t key[2]);
// A draw of the normal distribution with mean 0 and deviation 1: the inverse of its distribution
// function (Wichura's algorithm AS 241) at (m + 1/2) / 2^52, where m is the first 52 bits of the
// block of the counter (count, 0) under the key `seed`.
double tml_normal(uint64_t seed, uint64_t count);

#endif
