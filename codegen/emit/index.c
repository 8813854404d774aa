// Maps positions through views and reshapes down to addresses, and checks computed indices.
// index_prepare comes first, once for a statement: it computes the indices of all views in a tree,
// with their checks, and keeps them in gen->indices. From then on a position goes down the tree
// without a branch. Adding 0 and multiplying by 1 make no code.
#include "codegen/emit/index.h"

#include "codegen/emit/alias.h"
#include "codegen/emit/element.h"
#include "codegen/emit/frame.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/near.h"
#include "codegen/emit/tile_read.h"
#include "codegen/emit/trap.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "codegen/plan/limits.h"
#include "support/table.h"
#include "tir/view.h"
#include "tir/visit.h"

Index index_scalar(Gen *gen) {
    return index_linear(gen_i64(gen, 0));
}

Index index_at(const LLVMValueRef *at) {
    return (Index){.at = at, .lanes = 1};
}

Index index_linear(LLVMValueRef linear) {
    return (Index){.linear = linear, .lanes = 1};
}

// A constant that `b` ends with stays behind `a`: where LLVM moves it there itself, it forgets that
// the others have no bits in common, and then how far elements lie apart from turn to turn.
static LLVMValueRef add_position(Gen *gen, LLVMValueRef a, LLVMValueRef b) {
    bool is_sum = LLVMIsAInstruction(b) != NULL && LLVMGetInstructionOpcode(b) == LLVMAdd &&
                  LLVMIsAConstantInt(LLVMGetOperand(b, 1)) != NULL;
    if (!is_sum) {
        return gen_index_add(gen, a, b);
    }
    a = gen_index_add(gen, a, LLVMGetOperand(b, 0));
    return gen_index_add(gen, a, LLVMGetOperand(b, 1));
}

// Horner's rule: ((i0 * d1 + i1) * d2 + i2) ...
Position index_position(Gen *gen, const Type *type, Index index) {
    if (index.at == NULL) {
        return (Position){index.linear, index.step};
    }
    Position position = {gen_i64(gen, 0), 0};
    for (size_t k = 0; k < type->flat_rank; k++) {
        position.first = gen_index_mul(gen, position.first, type->dims[k]);
        position.first = add_position(gen, position.first, index.at[k]);
        position.step = position.step * type->dims[k] + (index.lanes == 1 ? 0 : index.steps[k]);
    }
    return position;
}

static void spread_steps(Gen *gen, const Type *type, Index *index) {
    int64_t *steps = ARENA_ARRAY(gen->arena, int64_t, type->flat_rank + 1);
    size_t long_dims = 0;
    for (size_t k = 0; k < type->flat_rank; k++) {
        steps[k] = type->dims[k] > 1 ? index->step : 0;
        long_dims += type->dims[k] > 1;
    }
    CHECK(long_dims <= 1 || index->step == 0);
    index->steps = steps;
}

// Quotient and remainder of a position by the length of a dim. No array has 2^31 scalars, so this
// may be narrow where LLVM has no wide division.
static LLVMValueRef position_divide(Gen *gen, LLVMOpcode opcode, LLVMValueRef position,
                                    uint32_t length) {
    if (gen->target.has->wide_integers) {
        return LLVMBuildBinOp(gen->builder, opcode, position, gen_i64(gen, length), "");
    }
    LLVMValueRef narrow = LLVMBuildTrunc(gen->builder, position, gen->i32, "");
    narrow = LLVMBuildBinOp(gen->builder, opcode, narrow, gen_i32(gen, length), "");
    return LLVMBuildZExt(gen->builder, narrow, gen->i64, "");
}

Index index_spread(Gen *gen, const Type *type, Index index) {
    if (index.at != NULL) {
        return index;
    }
    LLVMValueRef *at = ARENA_ARRAY(gen->arena, LLVMValueRef, type->flat_rank + 1);
    LLVMValueRef rest = index.linear;
    size_t first = 0; // the outermost dim that is longer than 1 needs no remainder
    while (first < type->flat_rank && type->dims[first] == 1) {
        at[first++] = gen_i64(gen, 0);
    }
    for (size_t k = type->flat_rank; k-- > first;) {
        bool divides = k != first && type->dims[k] != 1;
        at[k] = k == first ? rest
                : divides  ? position_divide(gen, LLVMURem, rest, type->dims[k])
                           : gen_i64(gen, 0);
        rest = divides ? position_divide(gen, LLVMUDiv, rest, type->dims[k]) : rest;
    }
    index.at = at;
    index.steps = NULL; // those of another type's dims
    if (index.lanes > 1) {
        spread_steps(gen, type, &index);
    }
    return index;
}

Index index_through_view(Gen *gen, const TirExpr *view, Index index) {
    const Type *from = view->view.operand->type;
    LLVMValueRef *at = ARENA_ARRAY(gen->arena, LLVMValueRef, from->flat_rank + 1);
    int64_t *steps = ARENA_ARRAY(gen->arena, int64_t, from->flat_rank + 1);
    Index outer = {0};
    for (size_t k = 0; k < from->flat_rank; k++) {
        const TirAxis *axis = &view->view.axes[k];
        if (axis->index != NULL) {
            at[k] = table_get(&gen->indices, axis);
            CHECK(at[k] != NULL);
            continue;
        }
        at[k] = gen_i64(gen, axis->start);
        if (axis->axis >= 0 && axis->step != 0) {
            outer = outer.at == NULL ? index_spread(gen, view->type, index) : outer;
            LLVMValueRef moved = gen_index_mul(gen, outer.at[axis->axis], (uint64_t)axis->step);
            at[k] = gen_index_add(gen, at[k], moved);
            steps[k] = outer.steps == NULL ? 0 : axis->step * outer.steps[axis->axis];
        }
    }
    return (Index){.at = at, .lanes = index.lanes, .steps = steps, .view = view};
}

Index index_through_reshape(Gen *gen, const TirExpr *reshape, Index index) {
    if (reshape_is_of_levels(reshape)) {
        return index;
    }
    Position position = index_position(gen, reshape->type, index);
    return (Index){.linear = position.first, .lanes = index.lanes, .step = position.step};
}

// A variable and a constant.
static bool is_near_var(const TirExpr *index, int64_t *offset) {
    return index->type->root == ROOT_INT && index->kind == EXPR_MAP &&
           tir_op_arity(index->map.op) == 2 &&
           (index->map.args[0]->kind == EXPR_VAR || index->map.args[1]->kind == EXPR_VAR) &&
           tir_index_var(index, offset) != NULL;
}

// Whether an index is the same where its sums do not wrap around. Of one that loops alone keep
// inside no part does; and a variable that is one int away from a place inside is less than 2^31
// away from it, or all of 2^32, which takes a constant that is as large.
static bool never_wraps(const TirAxis *axis, uint32_t length) {
    enum { MOST = 1 << 30 };
    int64_t offset;
    return axis->unchecked && (axis->is_free || axis->never_wraps ||
                               (is_near_var(axis->index, &offset) && length <= MOST &&
                                offset >= -MOST && offset <= MOST));
}

// In 64 bits, so that LLVM sees how far apart two of them are.
static LLVMValueRef wide_sum(Gen *gen, const TirExpr *index) {
    if (index->kind != EXPR_MAP || !tir_op_is_sum(index->map.op)) {
        return element_wide(gen, index);
    }
    TirOp op = index->map.op;
    LLVMValueRef a = wide_sum(gen, index->map.args[0]);
    LLVMValueRef b = wide_sum(gen, index->map.args[1]);
    return op == OP_ADD   ? LLVMBuildNSWAdd(gen->builder, a, b, "")
           : op == OP_SUB ? LLVMBuildNSWSub(gen->builder, a, b, "")
                          : LLVMBuildNSWMul(gen->builder, a, b, "");
}

// The value of an index expression as i64, checked against the dim it selects from.
static void prepare_axis(Gen *gen, const TirAxis *axis, uint32_t length) {
    LLVMValueRef position =
        never_wraps(axis, length) ? wide_sum(gen, axis->index) : element_wide(gen, axis->index);
    if (!axis->unchecked && gen->options->checks) {
        LLVMValueRef limit = gen_i64(gen, length);
        LLVMValueRef inside = LLVMBuildICmp(gen->builder, LLVMIntULT, position, limit, "inside");
        trap_unless(
            gen, inside,
            (TrapSite){
                .code = TML_E_INDEX, .span = axis->span, .index = position, .length = limit});
    }
    table_set(gen->arena, &gen->indices, axis, position);
}

static void prepare_operand(const TirExpr *operand, void *data) {
    index_prepare(data, operand);
}

void index_prepare(Gen *gen, const TirExpr *expr) {
    if (tir_is_short_circuit(expr)) {
        index_prepare(gen, expr->map.args[0]);
        return;
    }
    tir_read_operands(expr, prepare_operand, gen);
    if (expr->kind != EXPR_VIEW) {
        return;
    }
    const Type *from = expr->view.operand->type;
    for (size_t k = 0; k < from->flat_rank; k++) {
        if (expr->view.axes[k].index != NULL) {
            prepare_axis(gen, &expr->view.axes[k], from->dims[k]);
        }
    }
}

Address index_element(Gen *gen, Root root, LLVMValueRef array, Position position) {
    return (Address){.pointer = gen_offset(gen, root, array, position.first),
                     .step = position.step};
}

// What lies around every step-th element of a row, up to the next ones: before all of them, as it
// does before the first one, and behind all of them.
static void find_room(const TirExpr *view, Address *address) {
    const Type *from = view->view.operand->type;
    if (from->flat_rank == 0) {
        return;
    }
    const TirAxis *axis = &view->view.axes[from->flat_rank - 1];
    if (axis->index != NULL || axis->axis < 0 || axis->step < 2 || address->step != axis->step) {
        return;
    }
    int64_t last = axis->start + axis->step * ((int64_t)view->type->dims[axis->axis] - 1);
    int64_t behind = from->dims[from->flat_rank - 1] - 1 - last;
    address->before = (unsigned)(axis->start % axis->step);
    unsigned most = (unsigned)axis->step - 1 - address->before;
    address->behind = behind < most ? (unsigned)behind : most;
}

Address index_address(Gen *gen, const TirExpr *place, Index index) {
    for (;;) {
        switch (place->kind) {
        case EXPR_VIEW:
            index = index_through_view(gen, place, index);
            place = place->view.operand;
            break;
        case EXPR_RESHAPE:
            index = index_through_reshape(gen, place, index);
            place = place->operand;
            break;
        case EXPR_VAR: {
            Address address =
                index_element(gen, place->type->root, frame_var_address(gen, place->var),
                              index_position(gen, place->type, index));
            address.var = place->var;
            // Behind the rows that stand for a part of an array there may be nothing.
            bool is_part = place->var->storage == STORAGE_PART;
            if (!is_part && index.view != NULL && index.view->view.operand == place) {
                find_room(index.view, &address);
            }
            return address;
        }
        case EXPR_CONST:
        case EXPR_MAP:
        case EXPR_CONVERT:
        case EXPR_LITERAL:
        case EXPR_CONCAT:
        case EXPR_REDUCE:
        case EXPR_CUMSUM:
        case EXPR_DOT:
        case EXPR_IOTA: BUG("an expression without an address");
        }
    }
}

static LLVMValueRef load_apart(Gen *gen, Root root, Address address, unsigned lanes) {
    LLVMValueRef scalars[LANES_LIMIT];
    for (unsigned i = 0; i < lanes; i++) {
        LLVMValueRef offset = gen_i64(gen, address.step * i);
        Address one = {.pointer = gen_offset(gen, root, address.pointer, offset),
                       .var = address.var};
        scalars[i] = index_load(gen, root, one, 1);
    }
    return lanes_collect(gen, scalars, lanes);
}

LLVMValueRef index_load(Gen *gen, Root root, Address address, unsigned lanes) {
    if (lanes > 1 && address.step != 0 && address.step != 1) {
        return gen->tile != NULL ? tile_read(gen, root, address.pointer, address.step)
               : near_can_load(gen, root, address.step, lanes)
                   ? near_load(gen, root, address, lanes)
                   : load_apart(gen, root, address, lanes);
    }
    LLVMValueRef value = gen_load(gen, root, address.pointer, address.step == 0 ? 1 : lanes);
    alias_mark(gen, root == ROOT_BOOL ? LLVMGetOperand(value, 0) : value, address.var);
    return value;
}

void index_store(Gen *gen, Root root, LLVMValueRef value, Address address, unsigned lanes) {
    CHECK(lanes == 1 || address.step == 1);
    LLVMValueRef store = gen_store(gen, root, lanes_splat(gen, value, lanes), address.pointer);
    alias_mark(gen, store, address.var);
}

// That of a cache line, or of shorter lanes; both are powers of two.
static unsigned stream_align(Gen *gen, Root root, unsigned lanes) {
    uint64_t bytes = lanes * gen_root_bytes(gen, root);
    return bytes < CACHE_LINE ? (unsigned)bytes : CACHE_LINE;
}

LLVMValueRef index_until_aligned(Gen *gen, Root root, Address address, unsigned lanes) {
    LLVMBuilderRef builder = gen->builder;
    LLVMValueRef number = LLVMBuildPtrToInt(builder, address.pointer, gen->i64, "");
    unsigned align = stream_align(gen, root, lanes);
    LLVMValueRef bytes =
        LLVMBuildAnd(builder, LLVMBuildNeg(builder, number, ""), gen_i64(gen, align - 1), "");
    return LLVMBuildUDiv(builder, bytes, gen_i64(gen, (int64_t)gen_root_bytes(gen, root)), "");
}

void index_stream(Gen *gen, Root root, LLVMValueRef value, Address address, unsigned lanes) {
    CHECK(address.step == 1);
    LLVMValueRef store = gen_store(gen, root, lanes_splat(gen, value, lanes), address.pointer);
    LLVMSetAlignment(store, stream_align(gen, root, lanes));
    alias_mark(gen, store, address.var);
    LLVMMetadataRef one = LLVMValueAsMetadata(gen_i32(gen, 1));
    LLVMValueRef node = LLVMMetadataAsValue(gen->llvm, LLVMMDNodeInContext2(gen->llvm, &one, 1));
    LLVMSetMetadata(store, LLVMGetMDKindIDInContext(gen->llvm, "nontemporal", 11), node);
}
