/* One kernel, in all its variants, in one process: what run generates for it is two tables, of its
   buffers and of its variants, and bench.c does the rest. */
#ifndef BENCH_HARNESS_BENCH_H
#define BENCH_HARNESS_BENCH_H

#include <stddef.h>
#include <stdint.h>

#ifndef REAL
#define REAL double /* what `real` is; with -DREAL=float as --real=f32 has it */
#endif

typedef enum Root { ROOT_REAL, ROOT_INT, ROOT_UINT, ROOT_BOOL } Root;

/* What an input is filled with. Matrices are those of the last two dims. */
typedef enum Fill {
    FILL_UNIFORM,  /* reals from a to b */
    FILL_HOLES,    /* the same, but one in 256 is nan */
    FILL_LINEAR,   /* evenly from a to b, without b */
    FILL_INTEGERS, /* from a to b, without b */
    FILL_BITS,     /* all 32 of them */
    FILL_CHANCE,   /* true with probability a */
    FILL_VALUE,    /* a */
    FILL_DOMINANT, /* uniform, with the number of rows added to the diagonal */
    FILL_POSITIVE  /* symmetric, positive definite */
} Fill;

typedef struct Buffer {
    const char *name;
    Root root;
    size_t count;
    Fill fill;
    double a, b;
    size_t rows; /* of the matrices, or 0 */
} Buffer;

/* How close to the first variant the results of another one have to be. */
typedef enum Freedom {
    FREEDOM_NONE,    /* what the kernel allows where rounding is prescribed: `strict` */
    FREEDOM_ROUNDING /* `tolerance`, and `strays` of the elements may be anything */
} Freedom;

typedef struct Variant {
    const char *name;
    void (*call)(void **arguments); /* the inputs, then the result */
    Freedom freedom;
} Variant;

typedef struct Kernel {
    const Buffer *buffers; /* the inputs, then the result */
    size_t buffer_count;
    const Variant *variants;
    size_t variant_count;
    double strict, tolerance, strays;
} Kernel;

/* Memory for `bytes`, aligned to a cache line, in huge pages where it is big. */
void *bench_memory(size_t bytes);

/* Ends the process if a call of a model has not gone well. */
void bench_check(int status, const char *what);

/* Fills the inputs, compares all variants, times them, and prints what was measured as JSON. */
int bench_main(const Kernel *kernel, int argc, char **argv);

#endif
