// Elements that several sets of a nest share: what one has computed the next ones need not load.
#ifndef TMLC_CODEGEN_EMIT_NEST_H
#define TMLC_CODEGEN_EMIT_NEST_H

#include "codegen/gen.h"

enum { NEST_LIMIT = 32 }; // sets of a nest

// The elements at the position at hand that sets before the one at hand have computed.
typedef struct GenNest {
    const LLVMValueRef *at; // as in an Index
    LLVMValueRef linear;
    size_t count;
    struct {
        const TirExpr *place;
        LLVMValueRef value;
    } elements[NEST_LIMIT];
} GenNest;

// Starts at another position.
void nest_enter(GenNest *nest, const LLVMValueRef *at, LLVMValueRef linear);
// Adds an element that was computed.
void nest_add(GenNest *nest, const TirExpr *place, LLVMValueRef value);
// The element of a variable or view at a position, when the nest has computed it; else NULL.
LLVMValueRef nest_element(const GenNest *nest, const TirExpr *expr, const LLVMValueRef *at,
                          LLVMValueRef linear);
// Whether set `number` of a nest has to write memory: the array is there, and no later set writes
// the same element.
bool nest_stores(const TirBlock *sets, size_t number);

#endif
