// Which functions a WebAssembly object wants from others.
#ifndef TMLC_CODEGEN_TARGET_WASM_IMPORTS_H
#define TMLC_CODEGEN_TARGET_WASM_IMPORTS_H

#include "codegen/codegen.h"

// Appends their names to report->externals.
void wasm_imports(Arena *arena, const char *object, size_t len, CodegenReport *report);

#endif
