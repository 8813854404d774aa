// Functions built by hand from TIR nodes, with names short enough for expectations to stand beside.
#ifndef TMLC_TESTS_UNIT_TIR_TIR_SAMPLE_H
#define TMLC_TESTS_UNIT_TIR_TIR_SAMPLE_H

#include "tir/build.h"

// A script with one function, its entry, to which the builders below append.
typedef struct Sample {
    Tir tir;
    TirProgram program;
    TirFunction *main;
    TirBlock *block; // where statements go; the body of `main` at first
} Sample;

Sample *sample_create(void);
void sample_destroy(Sample *sample);
// Another function, before the ones there are. Builders of variables still mean `main`.
TirFunction *sample_callee(Sample *sample, const char *name);
TirVar *sample_param(Sample *sample, TirFunction *function, const char *name, const Type *type);

const Type *sample_scalar(Sample *sample, Root root);
// tensor<real, ...>: up to three dims; 0 ends them.
const Type *sample_tensor(Sample *sample, uint32_t d0, uint32_t d1, uint32_t d2);
TirVar *sample_local(Sample *sample, const char *name, const Type *type);
TirVar *sample_global(Sample *sample, const char *name, const Type *type);
// A local vector or matrix of reals, as an expression.
TirExpr *sample_vector(Sample *sample, const char *name, uint32_t d0);
TirExpr *sample_matrix(Sample *sample, const char *name, uint32_t d0, uint32_t d1);

TirExpr *sample_read(Sample *sample, TirVar *var);
TirExpr *sample_int(Sample *sample, int32_t value);
TirExpr *sample_real(Sample *sample, double value);
TirExpr *sample_bool(Sample *sample, bool value);
// A vector of reals 1.0, 2.0, ...
TirExpr *sample_count_up(Sample *sample, uint32_t length);
TirExpr *sample_binary(Sample *sample, TirOp op, TirExpr *a, TirExpr *b);
TirExpr *sample_less(Sample *sample, TirExpr *a, TirExpr *b);
TirExpr *sample_transpose(Sample *sample, TirExpr *matrix);
// The vector stretched to `rows` rows.
TirExpr *sample_rows(Sample *sample, TirExpr *vector, uint32_t rows);
// The scalar in every element of a vector.
TirExpr *sample_fill(Sample *sample, TirExpr *scalar, uint32_t length);
// Elements start, start + step, ... of a vector.
TirExpr *sample_range(Sample *sample, TirExpr *vector, int64_t start, int64_t step,
                      uint32_t length);
// The element of a vector at a computed index that is checked.
TirExpr *sample_element(Sample *sample, TirExpr *vector, TirExpr *index);
// The sum of all elements.
TirExpr *sample_sum(Sample *sample, TirExpr *operand);
TirExpr *sample_dot(Sample *sample, TirExpr *left, TirExpr *right);
TirExpr *sample_literal(Sample *sample, const Type *type, size_t count, TirExpr **items);

void sample_set(Sample *sample, TirExpr *place, TirExpr *value);
TirStmt *sample_call(Sample *sample, TirFunction *function, TirExpr *arg, TirVar *result);
void sample_print(Sample *sample, TirExpr *value);

// Compares what is printed of an expression, of the statements of `main` (without its first line,
// declarations and last line), and of the verifier's finds.
void sample_expect_expr(const TirExpr *expr, const char *expected);
void sample_expect_statements(Sample *sample, const char *expected);
void sample_expect_valid(Sample *sample);
void sample_expect_broken(Sample *sample, const char *finds);

#endif
