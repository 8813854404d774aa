// Masks and values live in slots, which LLVM makes registers of. Where there are registers of
// masks, a mask is a vector of i1; elsewhere LLVM would pack and unpack those at each use, and a
// mask has lanes as wide as the widest values.
#include "codegen/emit/masked_value.h"

#include "codegen/emit/alias.h"
#include "codegen/emit/calls.h"
#include "codegen/emit/element.h"
#include "codegen/emit/frame.h"
#include "codegen/emit/index.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/table.h"
#include "codegen/emit/types.h"
#include "codegen/gen.h"
#include "support/table.h"

// An index without it times the length of a row must still be an int.
enum { OFFSET_MOST = 16 };

// Memory for a vector or a mask, in the frame.
static LLVMValueRef new_slot(Gen *gen, LLVMTypeRef type) {
    return LLVMBuildAlloca(gen->at_entry, type, "");
}

Parts masked_new_masks(Gen *gen) {
    Parts masks = {{NULL}};
    for (unsigned p = 0; p < gen->masked->parts; p++) {
        masks.of[p] = new_slot(gen, gen->masked->mask_type);
    }
    return masks;
}

LLVMValueRef masked_widen(Gen *gen, LLVMValueRef bits) {
    return LLVMBuildSExtOrBitCast(gen->builder, bits, gen->masked->mask_type, "");
}

LLVMValueRef masked_bits(Gen *gen, LLVMValueRef mask) {
    LLVMTypeRef type = gen->masked->mask_type;
    return gen->masked->has_mask_registers
               ? mask
               : LLVMBuildICmp(gen->builder, LLVMIntSLT, mask, LLVMConstNull(type), "");
}

void masked_store_mask(Gen *gen, LLVMValueRef mask, LLVMValueRef slot) {
    bool is_wide = !gen->masked->has_mask_registers && !LLVMIsConstant(mask);
    LLVMBuildStore(gen->builder, is_wide ? lanes_hide(gen, mask) : mask, slot);
}

LLVMValueRef masked_load_mask(Gen *gen, LLVMValueRef slot) {
    return LLVMBuildLoad2(gen->builder, gen->masked->mask_type, slot, "");
}

LLVMValueRef masked_any(Gen *gen, const Parts *masks) {
    Masked *masked = gen->masked;
    LLVMValueRef all = NULL;
    for (unsigned p = 0; p < masked->parts; p++) {
        LLVMValueRef mask = masked_load_mask(gen, masks->of[p]);
        all = all == NULL ? mask : LLVMBuildOr(gen->builder, all, mask, "");
    }
    if (masked->has_mask_registers) {
        LLVMTypeRef bits = LLVMIntTypeInContext(gen->llvm, masked->lanes);
        all = LLVMBuildBitCast(gen->builder, all, bits, "");
    } else {
        all = lanes_any(gen, all);
    }
    return LLVMBuildICmp(gen->builder, LLVMIntNE, all, LLVMConstNull(LLVMTypeOf(all)), "");
}

Parts masked_copy_masks(Gen *gen, const Parts *from) {
    Parts masks = masked_new_masks(gen);
    for (unsigned p = 0; p < gen->masked->parts; p++) {
        LLVMBuildStore(gen->builder, masked_load_mask(gen, from->of[p]), masks.of[p]);
    }
    return masks;
}

bool masked_has(Gen *gen, const TirVar *var) {
    return var == gen->masked->body.counter || table_get(&gen->masked->slots, var) != NULL;
}

// Integers are as wide as masks are, so that a select needs no narrow mask.
static LLVMTypeRef slot_type(Gen *gen, const TirVar *var) {
    const Masked *masked = gen->masked;
    LLVMTypeRef scalar = gen_scalar_type(gen, var->type->root);
    bool is_wide = scalar == gen->i32 && LLVMGetElementType(masked->mask_type) == gen->i64;
    return lanes_type(is_wide ? gen->i64 : scalar, masked->lanes);
}

void masked_create_slots(Gen *gen, const TirVar *var) {
    LLVMTypeRef type = slot_type(gen, var);
    Parts *slots = ARENA_NEW(gen->arena, Parts);
    for (unsigned p = 0; p < gen->masked->parts; p++) {
        slots->of[p] = new_slot(gen, type);
        // What lanes that are not active compute from is of no matter, but a value.
        if (lanes_values_begin(&gen->masked->values, var)) {
            LLVMBuildStore(gen->at_entry, LLVMConstNull(type), slots->of[p]);
        }
    }
    table_set(gen->arena, &gen->masked->slots, var, slots);
}

void masked_assign(Gen *gen, const TirVar *var, LLVMValueRef value, LLVMValueRef mask) {
    const Parts *slots = table_get(&gen->masked->slots, var);
    LLVMValueRef slot = slots->of[gen->masked->part];
    LLVMTypeRef type = slot_type(gen, var);
    bool is_wide = type != LLVMTypeOf(value);
    value = LLVMBuildSExtOrBitCast(gen->builder, value, type, "");
    if (mask != NULL) {
        LLVMValueRef before = LLVMBuildLoad2(gen->builder, type, slot, "");
        value = LLVMBuildSelect(gen->builder, mask, value, before, "");
    }
    LLVMBuildStore(gen->builder, is_wide ? lanes_hide(gen, value) : value, slot);
}

// The loop's variable in the first lane of the part at hand, as i64.
static LLVMValueRef first_count(Gen *gen) {
    const Masked *masked = gen->masked;
    return gen_index_add(gen, masked->counter, gen_i64(gen, masked->part * masked->lanes));
}

LLVMValueRef masked_value(Gen *gen, const TirVar *var) {
    Masked *masked = gen->masked;
    if (var == masked->body.counter) {
        return lanes_count(gen, first_count(gen), 1, masked->is_first ? 1 : masked->lanes);
    }
    if (masked->is_first) { // in positions only
        const TirExpr *sum = table_get(&masked->body.sums, var);
        CHECK(sum != NULL);
        return element(gen, sum, index_scalar(gen));
    }
    const Parts *slots = table_get(&masked->slots, var);
    LLVMTypeRef type = lanes_type(gen_scalar_type(gen, var->type->root), masked->lanes);
    LLVMValueRef slot = slots->of[masked->part];
    LLVMValueRef value = LLVMBuildLoad2(gen->builder, slot_type(gen, var), slot, "");
    return LLVMBuildTruncOrBitCast(gen->builder, value, type, "");
}

// The value for the part at hand; index_prepare is not for lanes.
static LLVMValueRef scalar_or_lanes(Gen *gen, const TirExpr *expr) {
    return element(gen, expr, index_scalar(gen));
}

LLVMValueRef masked_lanes(Gen *gen, const TirExpr *expr) {
    return lanes_splat(gen, scalar_or_lanes(gen, expr), gen->masked->lanes);
}

LLVMValueRef masked_if_reached(Gen *gen, const TirExpr *expr) {
    bool outer = gen->masked->is_whole;
    gen->masked->is_whole = false;
    LLVMValueRef value = scalar_or_lanes(gen, expr);
    gen->masked->is_whole = outer;
    return value;
}

LLVMValueRef masked_first(Gen *gen, const TirExpr *expr) {
    Masked *masked = gen->masked;
    if (expr->kind == EXPR_VAR) {
        LLVMValueRef wide = expr->var == masked->body.counter ? first_count(gen)
                                                              : table_get(&gen->wides, expr->var);
        if (wide != NULL) {
            return wide;
        }
    }
    bool outer = masked->is_first;
    masked->is_first = true;
    LLVMValueRef value = scalar_or_lanes(gen, expr);
    masked->is_first = outer;
    return expr->type->root == ROOT_UINT ? LLVMBuildZExt(gen->builder, value, gen->i64, "")
                                         : LLVMBuildSExt(gen->builder, value, gen->i64, "");
}

LLVMValueRef masked_array_address(Gen *gen, const TirExpr *view) {
    const TirExpr *array = tir_bottom(view->view.operand);
    return array->kind == EXPR_CONST ? element_const_table(gen, array)
                                     : frame_var_address(gen, array->var);
}

LLVMValueRef masked_address(Gen *gen, const TirExpr *view) {
    const Type *from = view->view.operand->type;
    LLVMValueRef position = gen_i64(gen, 0);
    for (size_t k = 0; k < from->flat_rank; k++) {
        const TirAxis *axis = &view->view.axes[k];
        LLVMValueRef at =
            axis->index != NULL ? masked_first(gen, axis->index) : gen_i64(gen, axis->start);
        position = LLVMBuildMul(gen->builder, position, gen_i64(gen, from->dims[k]), "");
        position = LLVMBuildAdd(gen->builder, position, at, "");
    }
    LLVMTypeRef type = gen_memory_type(gen, from->root);
    return LLVMBuildGEP2(gen->builder, type, masked_array_address(gen, view), &position, 1, "");
}

// An index for each lane, inside of the dim whatever lanes that are not active have.
static LLVMValueRef lane_index(Gen *gen, const TirAxis *axis, uint32_t length) {
    LLVMTypeRef type = lanes_type(gen->i32, gen->masked->lanes);
    LLVMValueRef last = lanes_splat(gen, gen_i32(gen, (int64_t)length - 1), gen->masked->lanes);
    LLVMValueRef args[] = {masked_lanes(gen, axis->index), last};
    return gen_intrinsic(gen, "llvm.umin", &type, 1, args, 2);
}

LLVMValueRef masked_places(Gen *gen, const TirExpr *view) {
    const Type *from = view->view.operand->type;
    unsigned lanes = gen->masked->lanes;
    LLVMValueRef position = LLVMConstNull(lanes_type(gen->i32, lanes));
    for (size_t k = 0; k < from->flat_rank; k++) {
        const TirAxis *axis = &view->view.axes[k];
        LLVMValueRef length = lanes_splat(gen, gen_i32(gen, from->dims[k]), lanes);
        LLVMValueRef at = axis->index != NULL ? lane_index(gen, axis, from->dims[k])
                                              : lanes_splat(gen, gen_i32(gen, axis->start), lanes);
        position = LLVMBuildMul(gen->builder, position, length, "");
        position = LLVMBuildAdd(gen->builder, position, at, "");
    }
    LLVMTypeRef scalar = gen_memory_type(gen, from->root);
    return LLVMBuildGEP2(gen->builder, scalar, masked_array_address(gen, view), &position, 1, "");
}

// The index without a small constant that is added, which goes to *more.
static const TirExpr *without_constant(const TirExpr *index, int64_t *more) {
    *more = 0;
    if (index->kind != EXPR_MAP || index->map.op != OP_ADD || index->type->root != ROOT_INT ||
        index->map.args[1]->kind != EXPR_CONST) {
        return index;
    }
    int64_t constant = index->map.args[1]->data[0].integer;
    if (constant < -OFFSET_MOST || constant > OFFSET_MOST) {
        return index;
    }
    *more = constant;
    return index->map.args[0];
}

// Adds `times` an index to the positions of each lane, and what is constant in it to *offset.
static LLVMValueRef add_index(Gen *gen, const TirAxis *axis, int64_t times, LLVMValueRef positions,
                              int64_t *offset) {
    if (axis->index == NULL) {
        *offset += axis->start * times;
        return positions;
    }
    int64_t constant;
    const TirExpr *index = without_constant(axis->index, &constant);
    *offset += constant * times;
    LLVMValueRef more = masked_lanes(gen, index);
    if (times != 1) {
        LLVMValueRef factor = lanes_splat(gen, gen_i32(gen, times), gen->masked->lanes);
        more = LLVMBuildMul(gen->builder, more, factor, "");
    }
    return positions == NULL ? more : LLVMBuildAdd(gen->builder, positions, more, "");
}

// Row-major, without what is constant in all of them, which *offset gets.
static LLVMValueRef positions_of(Gen *gen, const TirExpr *view, int64_t *offset) {
    const Type *from = view->view.operand->type;
    LLVMValueRef positions = NULL;
    int64_t times = 1;
    *offset = 0;
    for (size_t k = from->flat_rank; k-- > 0;) {
        positions = add_index(gen, &view->view.axes[k], times, positions, offset);
        times *= from->dims[k];
    }
    CHECK(positions != NULL);
    return positions;
}

// Where all lanes run, so that their indices are inside. Indices that differ by a constant, and
// arrays that are read at the same ones, share what takes them out of their vector.
static LLVMValueRef read_one_by_one(Gen *gen, const TirExpr *view) {
    const Type *from = view->view.operand->type;
    LLVMBuilderRef builder = gen->builder;
    int64_t offset;
    LLVMValueRef positions = positions_of(gen, view, &offset);
    LLVMTypeRef scalar = gen_memory_type(gen, from->root);
    LLVMValueRef array = masked_array_address(gen, view);
    LLVMValueRef values[LANES_LIMIT];
    for (unsigned i = 0; i < gen->masked->lanes; i++) {
        LLVMValueRef at = lanes_extract(gen, positions, i);
        at = LLVMBuildSExt(builder, at, gen->i64, "");
        at = LLVMBuildNSWAdd(builder, at, gen_i64(gen, offset), "");
        LLVMValueRef address = LLVMBuildGEP2(builder, scalar, array, &at, 1, "");
        values[i] =
            index_load(gen, from->root, (Address){.pointer = address, .var = lanes_array(view)}, 1);
    }
    return lanes_collect(gen, values, gen->masked->lanes);
}

// Of an array that no turn writes: what was written element by element is not loaded at once.
static bool is_table(Gen *gen, const TirExpr *view) {
    return !lanes_write_array(&gen->masked->body, view) &&
           table_fits(gen, view->view.operand->type, gen->masked->lanes);
}

static LLVMValueRef pick(Gen *gen, const TirExpr *view) {
    int64_t offset;
    LLVMValueRef places = positions_of(gen, view, &offset);
    LLVMValueRef more = lanes_splat(gen, gen_i32(gen, offset), gen->masked->lanes);
    Address array = {.pointer = masked_array_address(gen, view), .var = lanes_array(view)};
    return table_pick(gen, view->view.operand->type, array,
                      LLVMBuildAdd(gen->builder, places, more, ""));
}

static LLVMValueRef gather(Gen *gen, const TirExpr *view) {
    Root root = view->type->root;
    unsigned lanes = gen->masked->lanes;
    if (is_table(gen, view)) {
        return pick(gen, view);
    }
    bool is_small = view->view.operand->type->numel <= INT32_MAX / (2 * OFFSET_MOST);
    if (gen->masked->is_whole && !gen->masked->has_mask_registers && is_small) {
        return read_one_by_one(gen, view);
    }
    LLVMTypeRef scalar = gen_memory_type(gen, root);
    LLVMValueRef places = masked_places(gen, view);
    LLVMTypeRef types[] = {lanes_type(scalar, lanes), LLVMTypeOf(places)};
    LLVMValueRef args[] = {places, gen_i32(gen, (int64_t)gen_root_bytes(gen, root)),
                           LLVMConstAllOnes(lanes_type(gen->i1, lanes)), LLVMConstNull(types[0])};
    LLVMValueRef value = gen_intrinsic(gen, "llvm.masked.gather", types, 2, args, 4);
    alias_mark(gen, value, lanes_array(view));
    return value;
}

bool masked_strides(const Masked *masked, const TirExpr *view) {
    for (size_t k = 0; k < view->view.operand->type->flat_rank; k++) {
        const TirAxis *axis = &view->view.axes[k];
        if (axis->index != NULL && !axis->is_free) {
            return false;
        }
    }
    int64_t step;
    return lanes_step(&masked->body, NULL, view, &step) && step != 0 && step != 1;
}

// The lanes that read what lies side by side: none beyond the last turn, and none that is not
// active where its index may be outside then.
static LLVMValueRef reading_lanes(Gen *gen, const TirExpr *view) {
    const Masked *masked = gen->masked;
    if (tir_is_free(view) || (masked->is_whole && masked->chosen == NULL)) {
        return masked->turns.of[masked->part];
    }
    return masked->chosen != NULL
               ? masked->chosen
               : masked_bits(gen, masked_load_mask(gen, masked->active->of[masked->part]));
}

LLVMValueRef masked_element(Gen *gen, const TirExpr *view) {
    Masked *masked = gen->masked;
    const Parts *ahead = masked->is_first ? NULL : table_get(&masked->ahead, view);
    if (ahead != NULL) {
        return ahead->of[masked->part];
    }
    bool is_strided = masked->is_full && masked_strides(masked, view);
    if (!masked->is_first && !is_strided && lanes_gathers(&masked->body, view)) {
        return gather(gen, view);
    }
    int64_t step;
    CHECK(lanes_step(&masked->body, NULL, view, &step));
    Root root = view->type->root;
    LLVMValueRef address = masked_address(gen, view);
    if (is_strided && !masked->is_first) {
        Address first = {.pointer = address, .var = lanes_array(view), .step = step};
        return index_load(gen, root, first, masked->lanes);
    }
    if (step == 0 || masked->is_first) {
        return index_load(gen, root, (Address){.pointer = address, .var = lanes_array(view)}, 1);
    }
    LLVMTypeRef type = lanes_type(gen_memory_type(gen, root), masked->lanes);
    LLVMTypeRef types[] = {type, gen->pointer};
    LLVMValueRef args[] = {address, gen_i32(gen, (int64_t)gen_root_bytes(gen, root)),
                           reading_lanes(gen, view), LLVMConstNull(type)};
    LLVMValueRef value = gen_intrinsic(gen, "llvm.masked.load", types, 2, args, 4);
    alias_mark(gen, value, lanes_array(view));
    return root == ROOT_BOOL ? gen_loaded_bool(gen, value) : value;
}
