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
};

#endif
