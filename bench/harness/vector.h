/* Vectors of the width that the machine has, in the C that GCC and clang share.

   Loads and stores are unaligned; `stream` writes past the caches, to places that are aligned to a
   vector, and `stream_end` comes after the last of them. The elementary functions are those of
   glibc's vector library. */
#ifndef BENCH_HARNESS_VECTOR_H
#define BENCH_HARNESS_VECTOR_H

#include <immintrin.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* All that returns vectors here is inline: how it would be called does not matter. */
#pragma GCC diagnostic ignored "-Wpsabi"

#if defined(__AVX512F__)
#define LANES 8
#elif defined(__AVX2__)
#define LANES 4
#else
#define LANES 2
#endif
#define VECTOR_BYTES (LANES * 8)

/* As wide as the machine's: reals, masks of them (-1 or 0 in each lane), and as many bytes. */
typedef double V __attribute__((vector_size(VECTOR_BYTES)));
typedef int64_t Mask __attribute__((vector_size(VECTOR_BYTES)));
typedef uint8_t Bytes __attribute__((vector_size(LANES)));
typedef int32_t Ints __attribute__((vector_size(VECTOR_BYTES)));
typedef uint32_t Uints __attribute__((vector_size(VECTOR_BYTES)));
/* Of a given length, which the compilers split where it is too wide. */
typedef double V2 __attribute__((vector_size(16)));
typedef double V4 __attribute__((vector_size(32)));
typedef double V8 __attribute__((vector_size(64)));
typedef int64_t Mask4 __attribute__((vector_size(32)));
typedef int64_t Mask8 __attribute__((vector_size(64)));

/* VECTOR_MEMORY(V, load, store, double) defines load(const double *) and store(double *, V). */
#define VECTOR_MEMORY(type, load, store, element)                                       \
    typedef type load##_unaligned __attribute__((aligned(sizeof(element)), may_alias)); \
    static inline type load(const element *p) {                                         \
        return *(const load##_unaligned *)p;                                            \
    }                                                                                   \
    static inline void store(element *p, type v) {                                      \
        *(load##_unaligned *)p = v;                                                     \
    }

VECTOR_MEMORY(V, load, store, double)
VECTOR_MEMORY(V2, load2, store2, double)
VECTOR_MEMORY(V4, load4, store4, double)
VECTOR_MEMORY(V8, load8, store8, double)
VECTOR_MEMORY(Ints, load_int, store_int, int32_t)
VECTOR_MEMORY(Uints, load_uint, store_uint, uint32_t)
VECTOR_MEMORY(Bytes, load_bytes, store_bytes, uint8_t)

static inline V splat(double x) {
    return x - (V){0};
}

static inline V choose(Mask mask, V yes, V no) {
    return (V)((mask & (Mask)yes) | (~mask & (Mask)no));
}

static inline double total(V v) {
    double sum = 0;
    for (int i = 0; i < LANES; i++) {
        sum += v[i];
    }
    return sum;
}

static inline void stream(double *p, V v) {
#if defined(__AVX512F__)
    _mm512_stream_pd(p, (__m512d)v);
#elif defined(__AVX2__)
    _mm256_stream_pd(p, (__m256d)v);
#else
    _mm_stream_pd(p, (__m128d)v);
#endif
}

static inline void stream_end(void) {
    _mm_sfence();
}

/* How many elements from p on lie before the next vector's boundary. */
static inline size_t until_aligned(const double *p) {
    return (VECTOR_BYTES - (uintptr_t)p % VECTOR_BYTES) % VECTOR_BYTES / sizeof(double);
}

#if defined(__AVX512F__)
#define VECTOR_FUNCTION(name) _ZGVeN8v_##name
#define VECTOR_FUNCTION2(name) _ZGVeN8vv_##name
#elif defined(__AVX2__)
#define VECTOR_FUNCTION(name) _ZGVdN4v_##name
#define VECTOR_FUNCTION2(name) _ZGVdN4vv_##name
#else
#define VECTOR_FUNCTION(name) _ZGVbN2v_##name
#define VECTOR_FUNCTION2(name) _ZGVbN2vv_##name
#endif
V VECTOR_FUNCTION(exp)(V);
V VECTOR_FUNCTION(log)(V);
V VECTOR_FUNCTION(sin)(V);
V VECTOR_FUNCTION(cos)(V);
V VECTOR_FUNCTION(erf)(V);
V VECTOR_FUNCTION(tanh)(V);
V VECTOR_FUNCTION2(pow)(V, V);

#endif
