// Takes checks off what cannot fail (tir/prove.h). Reads any valid TIR and leaves valid TIR.
#include "tir/passes/passes.h"

#include "tir/prove.h"

void pass_bounds(Tir *tir, TirFunction *function) {
    prove_function(tir, function);
}
