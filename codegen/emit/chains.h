// Sums whose terms are added in order, in one chain or in two that take them in turn.
#ifndef TMLC_CODEGEN_EMIT_CHAINS_H
#define TMLC_CODEGEN_EMIT_CHAINS_H

#include "codegen/gen.h"
#include "codegen/plan/terms.h"

// Adds term `term` to each of several sums.
typedef void ChainTerm(Gen *gen, void *data, LLVMValueRef term, LLVMValueRef *sums);

typedef struct Chains {
    unsigned chains; // as in TermsPlan
    uint64_t count;  // of terms
    bool unrolled;
    ChainTerm *add;
    void *data;
} Chains;

// sums[] holds the first values and then the sums. With two chains there is room for twice as many.
void chains_sum(Gen *gen, const Chains *chains, LLVMValueRef *sums, size_t sum_count);

// The sums of two chains, of reals.
LLVMValueRef chains_join(Gen *gen, LLVMValueRef a, LLVMValueRef b);

#endif
