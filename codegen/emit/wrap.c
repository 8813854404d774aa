// Lane k of a piece is at a place in its block of rows that is known: in which of the rows, and
// where in it. So the elements that the lanes of a view read lie at known distances from the first
// element of the block. They are loaded at once where they lie side by side, which they do for the
// usual vector that is the same for all rows, and put into their lanes. LLVM moves what does not
// depend on the block out of the loop over blocks.
#include "codegen/emit/wrap.h"

#include "codegen/emit/element.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"

typedef struct Pattern {
    int64_t offsets[LANES_LIMIT]; // of lanes, from the block's first element in elements
    int64_t least, greatest;
    unsigned lanes;
} Pattern;

// The position along result axis `axis` at an element of a row.
static int64_t coordinate(const Type *type, size_t axis, uint64_t in_row) {
    for (size_t k = type->flat_rank - 1u; k > axis; k--) {
        in_row /= type->dims[k];
    }
    return (int64_t)(in_row % type->dims[axis]);
}

static int64_t lane_offset(const TirExpr *view, const IndexWrap *wrap, uint64_t place) {
    const Type *from = view->view.operand->type;
    int64_t offset = 0;
    for (size_t k = 0; k < from->flat_rank; k++) {
        const TirAxis *axis = &view->view.axes[k];
        int64_t moved = 0;
        bool moves = axis->axis >= (int)wrap->plan->outer;
        if (moves && axis->step != 0) {
            bool is_row = (size_t)axis->axis < wrap->plan->split;
            int64_t at =
                is_row ? (int64_t)(place / wrap->plan->period)
                       : coordinate(view->type, (size_t)axis->axis, place % wrap->plan->period);
            moved = axis->step * at;
        }
        offset = offset * from->dims[k] + moved;
    }
    return offset;
}

static Pattern pattern_of(const TirExpr *view, Index index) {
    Pattern pattern = {.lanes = index.lanes};
    for (unsigned i = 0; i < index.lanes; i++) {
        int64_t offset = lane_offset(view, index.wrap, index.wrap->first + i);
        pattern.offsets[i] = offset;
        pattern.least = i == 0 || offset < pattern.least ? offset : pattern.least;
        pattern.greatest = i == 0 || offset > pattern.greatest ? offset : pattern.greatest;
    }
    return pattern;
}

// Whether each element between the first and the last is some lane's.
static bool is_dense(const Pattern *pattern) {
    bool seen[LANES_LIMIT] = {false};
    uint64_t count = (uint64_t)(pattern->greatest - pattern->least) + 1;
    if (count > pattern->lanes) {
        return false;
    }
    for (unsigned i = 0; i < pattern->lanes; i++) {
        seen[pattern->offsets[i] - pattern->least] = true;
    }
    for (uint64_t i = 0; i < count; i++) {
        if (!seen[i]) {
            return false;
        }
    }
    return true;
}

// Where the view reads for the first element of the block.
static Address block_address(Gen *gen, const TirExpr *view, const IndexWrap *wrap) {
    const Type *type = view->type;
    LLVMValueRef *at = ARENA_ARRAY(gen->arena, LLVMValueRef, type->flat_rank);
    for (size_t k = 0; k < type->flat_rank; k++) {
        at[k] = k < wrap->plan->outer   ? wrap->outer[k]
                : k < wrap->plan->split ? wrap->row
                                        : gen_i64(gen, 0);
    }
    Index index = index_through_view(gen, view, index_at(at));
    const TirExpr *operand = view->view.operand;
    if (operand->kind == EXPR_VAR) {
        return index_address(gen, operand, index);
    }
    return index_element(gen, operand->type->root, element_const_table(gen, operand),
                         index_position(gen, operand->type, index));
}

static Address moved(Gen *gen, Root root, Address address, int64_t offset) {
    address.pointer = gen_offset(gen, root, address.pointer, gen_i64(gen, offset));
    return address;
}

LLVMValueRef wrap_element(Gen *gen, const TirExpr *view, Index index) {
    Root root = view->type->root;
    Pattern pattern = pattern_of(view, index);
    Address block = block_address(gen, view, index.wrap);
    if (pattern.least == pattern.greatest) {
        return index_load(gen, root, moved(gen, root, block, pattern.least), 1);
    }
    if (!is_dense(&pattern)) {
        LLVMValueRef values[LANES_LIMIT];
        for (unsigned i = 0; i < index.lanes; i++) {
            values[i] = index_load(gen, root, moved(gen, root, block, pattern.offsets[i]), 1);
        }
        return lanes_collect(gen, values, index.lanes);
    }
    block = moved(gen, root, block, pattern.least);
    block.step = 1;
    unsigned count = (unsigned)(pattern.greatest - pattern.least) + 1;
    LLVMValueRef elements = index_load(gen, root, block, count);
    unsigned from[LANES_LIMIT];
    for (unsigned i = 0; i < index.lanes; i++) {
        from[i] = (unsigned)(pattern.offsets[i] - pattern.least);
    }
    return lanes_pick(gen, &elements, 1, index.lanes, from);
}
