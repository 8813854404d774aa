// A set walks the index space of its value and stores through the place's index map. A literal or
// a concatenation is one walk per operand, each into its part of the place; whole variables are
// copied and filled by memcpy and memset.
#include "codegen/emit/set.h"

#include "codegen/emit/destination.h"
#include "codegen/emit/element.h"
#include "codegen/emit/estimate.h"
#include "codegen/emit/frame.h"
#include "codegen/emit/index.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/loop.h"
#include "codegen/emit/op_map.h"
#include "codegen/emit/product.h"
#include "codegen/emit/tile.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"

#include <math.h>
#include <string.h>

typedef struct Walk {
    const Destination *to;
    const TirExpr *value;
    bool is_linear;
    LoopSpace space;
    // With lanes: the dim that they run along, the last one longer than 1.
    size_t along;
    unsigned lanes; // of a full piece; 1: none
} Walk;

static void store_lanes(Gen *gen, const Walk *walk, const LLVMValueRef *at, unsigned lanes) {
    int64_t *steps = ARENA_ARRAY(gen->arena, int64_t, walk->space.rank + 1);
    steps[walk->along] = 1;
    Index index = {.at = at, .lanes = lanes, .steps = steps};
    if (walk->is_linear) {
        index = (Index){.linear = at[0], .lanes = lanes, .step = 1};
    }
    LLVMValueRef value = element(gen, walk->value, index);
    Address address = destination_address(gen, walk->to, index);
    index_store(gen, walk->value->type->root, value, address, lanes);
}

static void store_element(Gen *gen, void *data, const LLVMValueRef *at, LLVMValueRef *carried) {
    (void)carried;
    store_lanes(gen, data, at, 1);
}

// One row in full pieces, and what is left in halves, quarters, ...
static void store_row(Gen *gen, void *data, const LLVMValueRef *outer, LLVMValueRef *carried) {
    (void)carried;
    const Walk *walk = data;
    uint32_t length = walk->space.dims[walk->along];
    uint32_t pieces = length / walk->lanes;
    LLVMValueRef *at = ARENA_ARRAY(gen->arena, LLVMValueRef, walk->space.rank);
    for (size_t k = 0; k < walk->space.rank; k++) {
        at[k] = k < walk->along ? outer[k] : gen_i64(gen, 0);
    }
    uint32_t done = 0;
    if (!walk->space.unrolled && pieces > 1) {
        Loop loop;
        loop_begin(gen, &loop, gen_i64(gen, pieces), NULL, 0);
        at[walk->along] = gen_index_mul(gen, loop.index, walk->lanes);
        store_lanes(gen, walk, at, walk->lanes);
        loop_end(gen, &loop, NULL);
        done = pieces * walk->lanes;
    }
    for (unsigned lanes = walk->lanes; lanes >= 1; lanes /= 2) {
        for (; done + lanes <= length; done += lanes) {
            at[walk->along] = gen_i64(gen, done);
            store_lanes(gen, walk, at, lanes);
        }
    }
}

// A step reads what the step before wrote. Single elements can stay in registers from one to the
// next; vectors would be read from memory that was written in other pieces, which takes long.
static bool stays_in_registers(Gen *gen, const TirExpr *value) {
    return gen->is_embedded && element_unrolls(value, value->type->numel);
}

// Chooses the dim for lanes, if any, and how many.
static void plan_lanes(Gen *gen, Walk *walk) {
    walk->lanes = 1;
    size_t along = walk->space.rank;
    while (along > 0 && walk->space.dims[along - 1] == 1) {
        along--;
    }
    if (along == 0 || stays_in_registers(gen, walk->value) || !gen->target.has->vectors) {
        return;
    }
    walk->along = along - 1;
    int64_t steps[TYPE_FLAT_LIMIT] = {0};
    steps[walk->along] = 1;
    bool has_lanes = walk->is_linear ? element_has_flat_lanes(gen, walk->value)
                                     : element_has_lanes(gen, walk->value, steps) &&
                                           destination_has_lanes(gen, walk->to, steps);
    if (has_lanes) {
        walk->lanes = (unsigned)(LANES_BYTES / element_widest(gen, walk->value));
        if (walk->lanes > LANES_FULL_LIMIT) {
            walk->lanes = LANES_FULL_LIMIT;
        }
        if (element_has_loop(walk->value)) {
            walk->lanes *= LANES_LIMIT / LANES_FULL_LIMIT;
        }
    }
}

static void set_elements(Gen *gen, const Destination *to, const TirExpr *value) {
    const Type *type = value->type;
    Walk walk = {.to = to,
                 .value = value,
                 .is_linear = type->flat_rank > 1 && destination_is_contiguous(to) &&
                              element_is_flat(value)};
    walk.space.dims = walk.is_linear ? &type->numel : type->dims;
    walk.space.rank = walk.is_linear ? 1 : type->flat_rank;
    plan_lanes(gen, &walk);
    if (walk.lanes == 1) {
        if (gen->target.has->vectors && tile_set(gen, to, value)) {
            return;
        }
        walk.space.unrolled = element_unrolls(value, type->numel);
        loop_nest(gen, walk.space, NULL, 0, store_element, &walk);
        return;
    }
    uint64_t rows = 1;
    for (size_t k = 0; k < walk.along; k++) {
        rows *= walk.space.dims[k];
    }
    uint32_t length = walk.space.dims[walk.along];
    walk.space.unrolled = element_unrolls(value, rows * ((length + walk.lanes - 1) / walk.lanes));
    LoopSpace outer = {walk.space.dims, walk.along, walk.space.unrolled};
    loop_nest(gen, outer, NULL, 0, store_row, &walk);
}

// A running sum: the last dim carries it, and each value is stored on the way.
typedef struct RunningSum {
    const Destination *to;
    const TirExpr *value;
    LLVMValueRef *at;
} RunningSum;

static void store_running_sum(Gen *gen, void *data, const LLVMValueRef *at, LLVMValueRef *carried) {
    RunningSum *sum = data;
    const Type *type = sum->value->type;
    sum->at[type->flat_rank - 1] = at[0];
    Index index = index_at(sum->at);
    LLVMValueRef term = element(gen, sum->value->operand, index);
    carried[0] = op_add(gen, type->root, carried[0], term);
    index_store(gen, type->root, carried[0], destination_address(gen, sum->to, index), 1);
}

static void run_along_row(Gen *gen, void *data, const LLVMValueRef *at, LLVMValueRef *carried) {
    (void)carried;
    RunningSum *sum = data;
    const Type *type = sum->value->type;
    size_t last = type->flat_rank - 1u;
    memcpy(sum->at, at, last * sizeof(*at));
    LLVMValueRef start = type->root == ROOT_REAL ? gen_real(gen, -0.0) : gen_i32(gen, 0);
    LoopSpace row = {.dims = &type->dims[last], .rank = 1};
    loop_nest(gen, row, &start, 1, store_running_sum, sum);
}

static void set_cumsum(Gen *gen, const Destination *to, const TirExpr *value) {
    const Type *type = value->type;
    RunningSum sum = {to, value, ARENA_ARRAY(gen->arena, LLVMValueRef, type->flat_rank)};
    LoopSpace rows = {.dims = type->dims, .rank = type->flat_rank - 1u};
    loop_nest(gen, rows, NULL, 0, run_along_row, &sum);
}

// All bytes of the value are zero.
static bool is_zero_fill(const TirExpr *value) {
    if (value->kind == EXPR_VIEW || value->kind == EXPR_RESHAPE) {
        const TirExpr *operand = value->kind == EXPR_VIEW ? value->view.operand : value->operand;
        return is_zero_fill(operand);
    }
    if (value->kind != EXPR_CONST || value->type->numel > 1) {
        return false;
    }
    TirScalar scalar = value->data[0];
    switch (value->type->root) {
    case ROOT_BOOL: return !scalar.boolean;
    case ROOT_UINT: return scalar.uint == 0;
    case ROOT_INT: return scalar.integer == 0;
    case ROOT_REAL: return scalar.real == 0 && !signbit(scalar.real);
    case ROOT_CHAR:
    case ROOT_STR: BUG("text reached code generation");
    }
    UNREACHABLE();
}

// The memory that holds the value already, row-major; NULL when it is not in one piece.
static LLVMValueRef memory_of(Gen *gen, const TirExpr *value) {
    switch (value->kind) {
    case EXPR_VAR: return frame_var_address(gen, value->var);
    case EXPR_CONST: return element_const_table(gen, value);
    case EXPR_RESHAPE: return memory_of(gen, value->operand);
    case EXPR_MAP:
    case EXPR_CONVERT:
    case EXPR_VIEW:
    case EXPR_LITERAL:
    case EXPR_CONCAT:
    case EXPR_REDUCE:
    case EXPR_CUMSUM:
    case EXPR_DOT:
    case EXPR_IOTA: return NULL;
    }
    UNREACHABLE();
}

// True when the whole of a contiguous destination was filled by bytes. Objects to embed have no
// memcpy and memset to call: loops over lanes do it.
static bool set_bytes(Gen *gen, const Destination *to, const TirExpr *value) {
    if (gen->is_embedded || value->type->numel <= GEN_UNROLL_LIMIT ||
        !destination_is_contiguous(to)) {
        return false;
    }
    LLVMValueRef bytes = gen_i64(gen, (int64_t)gen_type_bytes(gen, value->type));
    unsigned align = (unsigned)gen_root_bytes(gen, value->type->root);
    if (is_zero_fill(value)) {
        Address address = destination_address(gen, to, index_scalar(gen));
        LLVMBuildMemSet(gen->builder, address.pointer, LLVMConstInt(gen->i8, 0, false), bytes,
                        align);
        return true;
    }
    LLVMValueRef from = memory_of(gen, value);
    if (from == NULL) {
        return false;
    }
    Address address = destination_address(gen, to, index_scalar(gen));
    LLVMBuildMemCpy(gen->builder, address.pointer, align, from, align, bytes);
    return true;
}

static void set_destination(Gen *gen, const Destination *to, const TirExpr *value);

static void set_parts(Gen *gen, const Destination *to, const TirExpr *value) {
    bool is_literal = value->kind == EXPR_LITERAL;
    size_t count = is_literal ? value->literal.count : value->concat.count;
    Destination part = {
        .kind = is_literal ? INTO_STACKED_PART : INTO_CONCAT_PART,
        .outer = to,
        .axis = is_literal ? 0 : value->concat.axis,
    };
    for (size_t i = 0; i < count; i++) {
        const TirExpr *item = is_literal ? value->literal.items[i] : value->concat.items[i];
        part.type = item->type;
        set_destination(gen, &part, item);
        part.start += is_literal ? item->type->numel : item->type->dims[part.axis];
    }
}

static void set_destination(Gen *gen, const Destination *to, const TirExpr *value) {
    if (set_bytes(gen, to, value) || product_set(gen, to, value)) {
        return;
    }
    if (value->kind == EXPR_LITERAL || value->kind == EXPR_CONCAT) {
        set_parts(gen, to, value);
    } else if (value->kind == EXPR_CUMSUM) {
        set_cumsum(gen, to, value);
    } else {
        set_elements(gen, to, value);
    }
}

void set_place(Gen *gen, const TirExpr *place, const TirExpr *value) {
    index_prepare(gen, value);
    index_prepare(gen, place);
    Destination to = {.kind = INTO_PLACE, .type = place->type, .place = place};
    set_destination(gen, &to, value);
}
