// Takes checks off what cannot fail (tir/prove.h). Reads any valid TIR and leaves valid TIR.
#include "tir/passes/passes.h"

#include "tir/prove.h"

void pass_bounds(Tir *tir, TirProgram *program) {
    for (size_t i = 0; i < program->functions.count; i++) {
        prove_function(tir, program->functions.items[i]);
    }
}
