// Programs built by hand from TIR nodes, and what they print when they run.
#ifndef TMLC_TESTS_UNIT_CODEGEN_SAMPLE_H
#define TMLC_TESTS_UNIT_CODEGEN_SAMPLE_H

#include "codegen/codegen.h"
#include "support/context.h"
#include "tir/build.h"

typedef struct Sample {
    Context *context;
    Tir tir;
    TirProgram program;
    SourceFile *file;
    TirBlock *body; // of the entry, where sample_set and sample_print append
    CodegenOptions options;
} Sample;

// A script whose source has these lines (for positions); reals are double.
Sample *sample_create(const char *source);
void sample_destroy(Sample *sample);

const Type *sample_type(Sample *sample, Root root, size_t rank, ...);
// A local of the entry, set to `value` when it is not NULL.
TirVar *sample_local(Sample *sample, const char *name, TirExpr *value);
TirVar *sample_local_of(Sample *sample, const char *name, const Type *type);
// A new function before the entry; `result` is NULL or its result type.
TirFunction *sample_function(Sample *sample, const char *name, const Type *result);
TirVar *sample_param(Sample *sample, TirFunction *function, const char *name, const Type *type);
void sample_set(Sample *sample, TirExpr *place, TirExpr *value);
void sample_print(Sample *sample, TirExpr *value);

// Shorthands.
TirExpr *sample_read(Sample *sample, TirVar *var);
TirExpr *sample_int(Sample *sample, int32_t value);
TirExpr *sample_real(Sample *sample, double value);
TirExpr *sample_ints(Sample *sample, const Type *type, const int32_t *values);
TirExpr *sample_reals(Sample *sample, const Type *type, const double *values);
TirExpr *sample_binary(Sample *sample, TirOp op, TirExpr *a, TirExpr *b);
TirExpr *sample_compare(Sample *sample, TirOp op, TirExpr *a, TirExpr *b);
// The element at a computed index of a vector.
TirExpr *sample_element(Sample *sample, TirExpr *vector, TirExpr *index);
// `operand` repeated along `count` new inner positions.
TirExpr *sample_stretch(Sample *sample, TirExpr *operand, uint32_t count);

// Plans and compiles the program at every level of optimisation and runs it in memory: each time it
// must print `output` and exit with `status`. Traps print on standard error, which is checked for
// `fault` when that is not NULL.
void sample_expect(Sample *sample, const char *output, int status, const char *fault);

#endif
