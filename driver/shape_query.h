// `tmlc shape 'tensor<real, 8, 1> + tensor<real, 5>'`: how types combine, without a program.
#ifndef TMLC_DRIVER_SHAPE_QUERY_H
#define TMLC_DRIVER_SHAPE_QUERY_H

#include "driver/compile.h"
#include "support/buffer.h"

// Answers `query`, which is one of
//   TYPE OPERATOR TYPE    an operator of two operands (L5), `.*` and `and` among them
//   TYPE = TYPE           may a value of the right type be assigned to the left one (L6)
//   TYPE'                 transpose
// with EXIT_OK, and appends the aligned dims and the type of the result; or with EXIT_ERRORS, and
// the compilation has messages, which point nowhere; or with EXIT_USAGE where the query is
// malformed, and compilation->error says what was expected. To be finished like any compilation.
ExitStatus shape_query(Compilation *compilation, const char *query, const CompileOptions *options,
                       Buffer *out);

#endif
