// Where the elements of a `set` go. A position in one part of a literal or a concatenation becomes
// one in the whole, and so on outwards up to the place, whose address emit/index.c knows.
#include "codegen/emit/destination.h"

#include "codegen/emit/index.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"

#include <string.h>

Address destination_address(Gen *gen, const Destination *to, Index index) {
    switch (to->kind) {
    case INTO_PLACE: return index_address(gen, to->place, index);
    case INTO_STACKED_PART: {
        Position position = index_position(gen, to->type, index);
        LLVMValueRef start = gen_i64(gen, (int64_t)to->start);
        Index linear = {
            .linear = gen_index_add(gen, position.first, start),
            .lanes = index.lanes,
            .step = position.step, // the steps along the part's dims mean nothing outside
        };
        return destination_address(gen, to->outer, linear);
    }
    case INTO_CONCAT_PART: {
        if (index.at == NULL && to->axis == 0) { // row-major positions follow each other, too
            uint64_t row = to->type->numel / to->type->dims[0];
            index.linear =
                gen_index_add(gen, index.linear, gen_i64(gen, (int64_t)(to->start * row)));
            return destination_address(gen, to->outer, index);
        }
        size_t rank = to->type->flat_rank;
        index = index_spread(gen, to->type, index);
        LLVMValueRef *at = ARENA_ARRAY(gen->arena, LLVMValueRef, rank);
        memcpy(at, index.at, rank * sizeof(*at));
        at[to->axis] = gen_index_add(gen, at[to->axis], gen_i64(gen, (int64_t)to->start));
        index.at = at;
        return destination_address(gen, to->outer, index);
    }
    }
    UNREACHABLE();
}
