// A set walks the index space of its value and stores through the place's index map. A literal or
// a concatenation is one walk per operand, each into its part of the place; whole variables are
// copied and filled by memcpy and memset.
#include "codegen/set.h"

#include "codegen/element.h"
#include "codegen/function.h"
#include "codegen/loop.h"

#include <math.h>
#include <string.h>

// Where elements go: a place, plain memory, or the part of an outer destination that one operand
// of a literal or a concatenation fills.
typedef struct Destination {
    enum { INTO_PLACE, INTO_MEMORY, INTO_STACKED_PART, INTO_CONCAT_PART } kind;
    const Type *type;
    const TirExpr *place;
    LLVMValueRef memory;
    const struct Destination *outer;
    uint64_t start; // of a part: row-major, or along `axis`
    uint32_t axis;
} Destination;

static LLVMValueRef destination_address(Gen *gen, const Destination *to, Index index) {
    switch (to->kind) {
    case INTO_PLACE: return index_address(gen, to->place, index);
    case INTO_MEMORY:
        return gen_offset(gen, to->type->root, to->memory, index_position(gen, to->type, index));
    case INTO_STACKED_PART: {
        LLVMValueRef position = index_position(gen, to->type, index);
        position = gen_index_add(gen, position, gen_i64(gen, (int64_t)to->start));
        return destination_address(gen, to->outer, index_linear(position));
    }
    case INTO_CONCAT_PART: {
        size_t rank = to->type->flat_rank;
        LLVMValueRef *at = ARENA_ARRAY(gen->arena, LLVMValueRef, rank);
        memcpy(at, index_dims(gen, to->type, index), rank * sizeof(*at));
        at[to->axis] = gen_index_add(gen, at[to->axis], gen_i64(gen, (int64_t)to->start));
        return destination_address(gen, to->outer, index_at(at));
    }
    }
    UNREACHABLE();
}

// Row-major positions of the destination are consecutive in memory.
static bool destination_is_contiguous(const Destination *to) {
    switch (to->kind) {
    case INTO_PLACE: return to->place->kind == TIR_VAR;
    case INTO_MEMORY: return true;
    case INTO_STACKED_PART: return destination_is_contiguous(to->outer);
    case INTO_CONCAT_PART: return to->axis == 0 && destination_is_contiguous(to->outer);
    }
    UNREACHABLE();
}

typedef struct Walk {
    const Destination *to;
    const TirExpr *value;
    bool is_linear;
} Walk;

static void store_element(Gen *gen, void *data, const LLVMValueRef *at, LLVMValueRef *carried) {
    (void)carried;
    const Walk *walk = data;
    Index index = walk->is_linear ? index_linear(at[0]) : index_at(at);
    LLVMValueRef value = element(gen, walk->value, index);
    gen_store(gen, walk->value->type->root, value, destination_address(gen, walk->to, index));
}

static void set_elements(Gen *gen, const Destination *to, const TirExpr *value) {
    const Type *type = value->type;
    Walk walk = {to, value, destination_is_contiguous(to) && element_is_flat(value)};
    LoopSpace space = {
        .dims = walk.is_linear ? &type->numel : type->dims,
        .rank = walk.is_linear ? 1 : type->flat_rank,
        .unrolled = element_unrolls(value, type->numel),
    };
    loop_nest(gen, space, NULL, 0, store_element, &walk);
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
    gen_store(gen, type->root, carried[0], destination_address(gen, sum->to, index));
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
    if (value->kind == TIR_VIEW || value->kind == TIR_RESHAPE) {
        const TirExpr *operand = value->kind == TIR_VIEW ? value->view.operand : value->operand;
        return is_zero_fill(operand);
    }
    if (value->kind != TIR_CONST || value->type->numel > 1) {
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
    case TIR_VAR: return function_var_address(gen, value->var);
    case TIR_CONST: return element_const_table(gen, value);
    case TIR_RESHAPE: return memory_of(gen, value->operand);
    case TIR_MAP:
    case TIR_CONVERT:
    case TIR_VIEW:
    case TIR_LITERAL:
    case TIR_CONCAT:
    case TIR_REDUCE:
    case TIR_CUMSUM:
    case TIR_DOT:
    case TIR_IOTA: return NULL;
    }
    UNREACHABLE();
}

// True when the whole of a contiguous destination was filled by bytes.
static bool set_bytes(Gen *gen, const Destination *to, const TirExpr *value) {
    if (value->type->numel <= GEN_UNROLL_LIMIT || !destination_is_contiguous(to)) {
        return false;
    }
    LLVMValueRef bytes = gen_i64(gen, (int64_t)gen_type_bytes(gen, value->type));
    unsigned align = (unsigned)gen_root_bytes(gen, value->type->root);
    if (is_zero_fill(value)) {
        LLVMValueRef address = destination_address(gen, to, index_linear(gen_i64(gen, 0)));
        LLVMBuildMemSet(gen->builder, address, LLVMConstInt(gen->i8, 0, false), bytes, align);
        return true;
    }
    LLVMValueRef from = memory_of(gen, value);
    if (from == NULL) {
        return false;
    }
    LLVMValueRef address = destination_address(gen, to, index_linear(gen_i64(gen, 0)));
    LLVMBuildMemCpy(gen->builder, address, align, from, align, bytes);
    return true;
}

static void set_destination(Gen *gen, const Destination *to, const TirExpr *value);

static void set_parts(Gen *gen, const Destination *to, const TirExpr *value) {
    bool is_literal = value->kind == TIR_LITERAL;
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
    if (set_bytes(gen, to, value)) {
        return;
    }
    if (value->kind == TIR_LITERAL || value->kind == TIR_CONCAT) {
        set_parts(gen, to, value);
    } else if (value->kind == TIR_CUMSUM) {
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

void set_memory(Gen *gen, LLVMValueRef address, const TirExpr *value) {
    index_prepare(gen, value);
    Destination to = {.kind = INTO_MEMORY, .type = value->type, .memory = address};
    set_destination(gen, &to, value);
}
