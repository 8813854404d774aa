// The second chain starts as -0.0, which changes no sum, not even that of negative zeros. What
// joins the two has no fast-math flag: with one LLVM begins a chain with the result of the other.
#include "codegen/emit/chains.h"

#include "codegen/emit/lanes.h"
#include "codegen/emit/loop.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"

// Terms [0, rounds * chains) in a loop.
static void add_rounds(Gen *gen, const Chains *chains, uint64_t rounds, LLVMValueRef *sums,
                       size_t sum_count) {
    Loop loop;
    loop_begin(gen, &loop, gen_i64(gen, (int64_t)rounds), sums, sum_count * chains->chains);
    LLVMValueRef first = gen_index_mul(gen, loop.index, chains->chains);
    for (unsigned k = 0; k < chains->chains; k++) {
        LLVMValueRef term = gen_index_add(gen, first, gen_i64(gen, k));
        chains->add(gen, chains->data, term, sums + k * sum_count);
    }
    loop_end(gen, &loop, sums);
}

LLVMValueRef chains_join(Gen *gen, LLVMValueRef a, LLVMValueRef b) {
    return LLVMBuildFAdd(gen->builder, a, b, "");
}

void chains_sum(Gen *gen, const Chains *chains, LLVMValueRef *sums, size_t sum_count) {
    for (size_t i = sum_count; i < sum_count * chains->chains; i++) {
        sums[i] = lanes_like(gen, gen_real(gen, -0.0), sums[i - sum_count]);
    }
    uint64_t done = 0;
    if (!chains->unrolled) {
        uint64_t rounds = chains->count / chains->chains;
        add_rounds(gen, chains, rounds, sums, sum_count);
        done = rounds * chains->chains;
    }
    for (; done < chains->count; done++) {
        chains->add(gen, chains->data, gen_i64(gen, (int64_t)done),
                    sums + done % chains->chains * sum_count);
    }
    for (size_t i = 0; i < sum_count && chains->chains == 2; i++) {
        sums[i] = chains_join(gen, sums[i], sums[sum_count + i]);
    }
}
