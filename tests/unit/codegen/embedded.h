// Components and libraries from source text, as objects and as code that runs in this process.
#ifndef TMLC_TESTS_UNIT_CODEGEN_EMBEDDED_H
#define TMLC_TESTS_UNIT_CODEGEN_EMBEDDED_H

#include "codegen/codegen.h"
#include "runtime/abi/model.h"
#include "support/context.h"
#include "tir/tir.h"

typedef struct Embedded {
    Context *context;
    TirProgram *program;
    CodegenModule *module;
    void *library; // where its object is loaded; NULL before embedded_symbol
} Embedded;

// Compiles `source` as the file `name`. Fails the test when there are errors.
Embedded *embedded_compile(const char *name, const char *source, const CodegenOptions *options);
// The same with reals in single precision.
Embedded *embedded_compile_single(const char *name, const char *source,
                                  const CodegenOptions *options);
void embedded_destroy(Embedded *embedded);

Buffer embedded_object(Embedded *embedded);
CodegenReport embedded_report(Embedded *embedded);
// The address of what hosts know by this name, of the object linked to a shared library with
// nothing but libm.
void *embedded_symbol(Embedded *embedded, const char *symbol);

typedef tml_status ModelInit(void *state, const void *params);
typedef tml_status ModelPart(void *state, const void *params, const void *inputs, void *outputs);
typedef tml_status ModelSteps(void *state, const void *params, size_t n, const void *inputs,
                              void *outputs);

#endif
