// What is left of code generation when the module is built.
#ifndef TMLC_CODEGEN_MODULE_H
#define TMLC_CODEGEN_MODULE_H

#include "codegen/codegen.h"
#include "codegen/gen.h"

struct CodegenModule {
    Arena *arena;
    LLVMContextRef llvm;
    LLVMModuleRef module;
    Target target;
    Frames *frames;             // of the object, once it is made
    LLVMMemoryBufferRef object; // NULL before
    const char *prefix;         // of the names in C
    uint64_t hash;              // in their link names
    const char *apart;          // codegen_apart
    unsigned lanes;             // codegen_lanes
    SliceList texts;            // codegen_texts
    const char *descriptor;     // symbol of the tml_model or tml_tests; NULL: nothing to run
};

// The object, made when it is first asked for; the module keeps it. NULL, with *error, when the
// back end cannot make it.
LLVMMemoryBufferRef module_object(CodegenModule *module, const char **error);

#endif
