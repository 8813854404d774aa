// Maps positions through views and reshapes down to addresses, and checks computed indices.
#include "codegen/index.h"

#include "codegen/element.h"
#include "codegen/function.h"
#include "codegen/trap.h"

#include <string.h>

Index index_scalar(Gen *gen) {
    return index_linear(gen_i64(gen, 0));
}

Index index_at(const LLVMValueRef *at) {
    return (Index){.at = at};
}

Index index_linear(LLVMValueRef linear) {
    return (Index){.linear = linear};
}

// Horner's rule: ((i0 * d1 + i1) * d2 + i2) ...
LLVMValueRef index_position(Gen *gen, const Type *type, Index index) {
    if (index.at == NULL) {
        return index.linear;
    }
    LLVMValueRef position = gen_i64(gen, 0);
    for (size_t k = 0; k < type->flat_rank; k++) {
        position = gen_index_mul(gen, position, type->dims[k]);
        position = gen_index_add(gen, position, index.at[k]);
    }
    return position;
}

const LLVMValueRef *index_dims(Gen *gen, const Type *type, Index index) {
    if (index.at != NULL) {
        return index.at;
    }
    LLVMValueRef *at = ARENA_ARRAY(gen->arena, LLVMValueRef, type->flat_rank);
    LLVMValueRef rest = index.linear;
    bool outermost = true; // what is left needs no remainder
    size_t first = 0;
    while (first < type->flat_rank && type->dims[first] == 1) {
        at[first++] = gen_i64(gen, 0);
    }
    for (size_t k = type->flat_rank; k-- > first;) {
        LLVMValueRef length = gen_i64(gen, type->dims[k]);
        outermost = k == first;
        at[k] = outermost ? rest : LLVMBuildURem(gen->builder, rest, length, "");
        rest = outermost ? rest : LLVMBuildUDiv(gen->builder, rest, length, "");
    }
    return at;
}

Index index_through_view(Gen *gen, const TirExpr *view, Index index) {
    const Type *from = view->view.operand->type;
    LLVMValueRef *at = ARENA_ARRAY(gen->arena, LLVMValueRef, from->flat_rank + 1);
    const LLVMValueRef *outer = NULL;
    for (size_t k = 0; k < from->flat_rank; k++) {
        const TirAxis *axis = &view->view.axes[k];
        if (axis->index != NULL) {
            at[k] = pointer_map_get(&gen->indices, axis);
            CHECK(at[k] != NULL);
            continue;
        }
        at[k] = gen_i64(gen, axis->start);
        if (axis->axis >= 0 && axis->step != 0) {
            outer = outer == NULL ? index_dims(gen, view->type, index) : outer;
            LLVMValueRef moved = gen_index_mul(gen, outer[axis->axis], (uint64_t)axis->step);
            at[k] = gen_index_add(gen, at[k], moved);
        }
    }
    return index_at(at);
}

Index index_through_reshape(Gen *gen, const TirExpr *reshape, Index index) {
    const Type *from = reshape->operand->type;
    const Type *to = reshape->type;
    bool same_dims = from->flat_rank == to->flat_rank &&
                     memcmp(from->dims, to->dims, from->flat_rank * sizeof(*from->dims)) == 0;
    return same_dims ? index : index_linear(index_position(gen, to, index));
}

static bool is_short_circuit(const TirExpr *expr) {
    return expr->kind == TIR_MAP && type_is_scalar(expr->type) &&
           (expr->map.op == TIR_AND || expr->map.op == TIR_OR);
}

// The value of an index expression as i64, checked against the dim it selects from.
static void prepare_axis(Gen *gen, const TirAxis *axis, uint32_t length) {
    LLVMValueRef position = element_wide(gen, axis->index);
    if (!axis->unchecked && gen->options->checks) {
        LLVMValueRef limit = gen_i64(gen, length);
        LLVMValueRef inside = LLVMBuildICmp(gen->builder, LLVMIntULT, position, limit, "inside");
        trap_unless(
            gen, inside,
            (TrapSite){
                .code = TML_E_INDEX, .span = axis->span, .index = position, .length = limit});
    }
    pointer_map_set(gen->arena, &gen->indices, axis, position);
}

static void prepare_operand(TirExpr **operand, void *data) {
    index_prepare(data, *operand);
}

void index_prepare(Gen *gen, const TirExpr *expr) {
    if (is_short_circuit(expr)) {
        index_prepare(gen, expr->map.args[0]);
        return;
    }
    // The visitor may change operands; this one only looks.
    tir_visit_operands((TirExpr *)(uintptr_t)expr, prepare_operand, gen);
    if (expr->kind != TIR_VIEW) {
        return;
    }
    const Type *from = expr->view.operand->type;
    for (size_t k = 0; k < from->flat_rank; k++) {
        if (expr->view.axes[k].index != NULL) {
            prepare_axis(gen, &expr->view.axes[k], from->dims[k]);
        }
    }
}

LLVMValueRef index_address(Gen *gen, const TirExpr *place, Index index) {
    for (;;) {
        switch (place->kind) {
        case TIR_VIEW:
            index = index_through_view(gen, place, index);
            place = place->view.operand;
            break;
        case TIR_RESHAPE:
            index = index_through_reshape(gen, place, index);
            place = place->operand;
            break;
        case TIR_VAR:
            return gen_offset(gen, place->type->root, function_var_address(gen, place->var),
                              index_position(gen, place->type, index));
        case TIR_CONST:
        case TIR_MAP:
        case TIR_CONVERT:
        case TIR_LITERAL:
        case TIR_CONCAT:
        case TIR_REDUCE:
        case TIR_CUMSUM:
        case TIR_DOT:
        case TIR_IOTA: BUG("an expression without an address");
        }
    }
}
