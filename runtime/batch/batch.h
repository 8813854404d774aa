/* Many runs of one compiled component: libtmlbatch.a, for hosts in C and whatever calls C. It knows
   the model by its constant table alone, needs libc, libm and POSIX threads, and keeps nothing
   between calls. This header is C99 to C17 and C++11.

   What a run gives depends on the model, its number and what the batch says of all runs, never on
   how runs are split over calls, threads, processes or machines. */
#ifndef TML_BATCH_H
#define TML_BATCH_H

#include "runtime/abi/model.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Besides TML_OK and TML_E_ARG. */
enum {
    TML_E_MEMORY = 4, /* there is none for the threads; nothing was done */
    TML_E_STOPPED = 5 /* `stop` said so; results and faults have no value */
};

/* What is kept of an output over the steps of a run, scalar by scalar. */
typedef enum tml_keep {
    TML_KEEP_LAST, /* the value of the last step */
    TML_KEEP_ALL,  /* the values of all steps */
    TML_KEEP_MAX,  /* the greatest; nan once a value is nan */
    TML_KEEP_MEAN, /* the sum, in the order of the steps, over their number */
    TML_KEEP_RMS   /* the square root of the mean of the squares */
} tml_keep;

typedef enum tml_distribution {
    TML_UNIFORM,  /* between a and b */
    TML_NORMAL,   /* with mean a and deviation b */
    TML_LOGNORMAL /* e to the power of what is normal with mean a and deviation b */
} tml_distribution;

/* A scalar of a tunable property that is random. */
typedef struct tml_sample {
    const tml_variable *property; /* of the model: TML_PARAM, TML_REAL */
    uint64_t element;             /* counted row by row; 0 for a scalar */
    uint32_t distribution;        /* tml_distribution */
    double a, b;
} tml_sample;

/* An output of the model, and where its results go: run i of the batch, from 0, begins at
   data + i * stride. It has one double for each scalar of the output, row by row; with TML_KEEP_ALL
   that many for each step, one step after the other. All scalars of TML fit a double exactly. */
typedef struct tml_batch_output {
    const tml_variable *variable; /* of the model: TML_OUTPUT */
    double *data;
    size_t stride; /* doubles */
} tml_batch_output;

typedef struct tml_batch {
    const tml_model *model; /* of a component */
    uint64_t first;         /* the number of the first run; counts for what is random only */
    uint64_t runs;
    uint64_t steps; /* of each run; 0: all results but those of TML_KEEP_ALL are nan */

    const void *params; /* struct of parameters; NULL: the defaults of the model */
    size_t
        params_stride; /* bytes from the struct of one run to that of the next; 0: all share one */
    const tml_sample *samples; /* take the place of what `params` says; each scalar once */
    size_t sample_count;
    uint64_t seed; /* of the samples */

    const void *inputs; /* structs of inputs, one for each step; may be NULL without inputs */
    size_t
        inputs_stride; /* bytes from the first of one run to that of the next; 0: all share them */

    uint32_t keep;    /* tml_keep */
    uint32_t threads; /* including the caller's; 0: as many as there are processors for us */
    const tml_batch_output *outputs;
    size_t output_count;
    void *used_params; /* for each run, the struct of parameters that it had; or NULL */
    tml_fault *faults; /* one for each run, or NULL; code 0 where the run did not trap */
    void *memory;      /* tml_batch_memory bytes for each thread, 64-aligned, or NULL: from malloc,
                          once for each thread. With it, `threads` is not 0. */
    const int32_t *stop; /* NULL, or what another thread may set to something else than 0: then the
                            batch ends after the steps that run, some milliseconds of them */
} tml_batch;

/* Runs all of the batch. A run that traps ends alone: its results are nan (with TML_KEEP_ALL from
   the step on that trapped), and its fault says where; `fault.step` counts the steps that it
   finished, or is UINT64_MAX when init trapped. Threads that the system refuses are done without.
 */
tml_status tml_batch_run(const tml_batch *batch);

/* Bytes of working memory of one thread, a multiple of 64. */
size_t tml_batch_memory(const tml_model *model);

/* What the scalar is in a run, as tml_batch_run gives it to the model: rounded to the property's
   type, and a function of sample, seed and run alone. It is the same on every machine:
   Philox4x32-10 under the key `seed` gives the block of the counter (run, hash), each of 64 bits
   and low word first, where the hash is 64-bit FNV-1a of the scalar's name as columns have it, `r`
   or `gain[1]`. The first 52 bits of the block, as m, are the probability (m + 1/2) / 2^52. */
double tml_sample_value(const tml_sample *sample, uint64_t seed, uint64_t run);
/* Whether it is finite in all runs: not 0 or 0. */
int tml_sample_is_finite(const tml_sample *sample);

/* How many processors this process may run on. */
uint32_t tml_processor_count(void);

#ifdef __cplusplus
}
#endif

#endif
