// element(): one switch over the kinds of expressions, and what is asked about them beforehand.
#include "codegen/element.h"

#include "support/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    UNROLL_COST_LIMIT = 256, // scalar operations in one piece of straight code
    COST_LIMIT = 1 << 30,    // where costs stop growing
    COST_MATH_CALL = 16,
};

static bool all_equal(const TirExpr *expr) {
    // TirScalar may have padding bytes only where its root is narrower than the union.
    size_t bytes = expr->type->root == ROOT_BOOL   ? sizeof(bool)
                   : expr->type->root == ROOT_REAL ? sizeof(double)
                                                   : sizeof(uint32_t);
    for (size_t i = 1; i < expr->type->numel; i++) {
        if (memcmp(&expr->data[i], &expr->data[0], bytes) != 0) {
            return false;
        }
    }
    return true;
}

LLVMValueRef element_const_table(Gen *gen, const TirExpr *expr) {
    LLVMValueRef table = pointer_map_get(&gen->const_tables, expr);
    if (table != NULL) {
        return table;
    }
    Root root = expr->type->root;
    size_t count = expr->type->numel;
    LLVMValueRef *items = memory_resize(NULL, memory_product(count, sizeof(LLVMValueRef)));
    for (size_t i = 0; i < count; i++) {
        items[i] = root == ROOT_BOOL ? LLVMConstInt(gen->i8, expr->data[i].boolean, false)
                                     : gen_scalar(gen, root, expr->data[i]);
    }
    LLVMValueRef data = LLVMConstArray2(gen_memory_type(gen, root), items, count);
    free(items);
    table = gen_constant(gen, "data", data, gen_type_align(gen, expr->type));
    pointer_map_set(gen->arena, &gen->const_tables, expr, table);
    return table;
}

static LLVMValueRef const_element(Gen *gen, const TirExpr *expr, Index index) {
    Root root = expr->type->root;
    LLVMValueRef position = index_position(gen, expr->type, index);
    if (LLVMIsAConstantInt(position) != NULL) {
        return gen_scalar(gen, root, expr->data[LLVMConstIntGetZExtValue(position)]);
    }
    if (all_equal(expr)) {
        return gen_scalar(gen, root, expr->data[0]);
    }
    return gen_load(gen, root, gen_offset(gen, root, element_const_table(gen, expr), position));
}

LLVMValueRef element(Gen *gen, const TirExpr *expr, Index index) {
    switch (expr->kind) {
    case TIR_CONST: return const_element(gen, expr, index);
    case TIR_VAR: return gen_load(gen, expr->type->root, index_address(gen, expr, index));
    case TIR_MAP: return op_map(gen, expr, index);
    case TIR_CONVERT:
        return op_convert(gen, expr->type->root, expr->operand->type->root,
                          element(gen, expr->operand, index));
    case TIR_VIEW: return element(gen, expr->view.operand, index_through_view(gen, expr, index));
    case TIR_RESHAPE: return element(gen, expr->operand, index_through_reshape(gen, expr, index));
    case TIR_REDUCE: return op_reduce(gen, expr, index);
    case TIR_DOT: return op_dot(gen, expr, index);
    case TIR_LITERAL:
    case TIR_CONCAT:
    case TIR_CUMSUM: BUG("an expression that opt_place should have moved");
    case TIR_IOTA:
        return LLVMBuildTrunc(gen->builder, index_position(gen, expr->type, index), gen->i32, "");
    }
    UNREACHABLE();
}

LLVMValueRef element_scalar(Gen *gen, const TirExpr *expr) {
    CHECK(type_is_scalar(expr->type));
    index_prepare(gen, expr);
    return element(gen, expr, index_scalar(gen));
}

LLVMValueRef element_wide(Gen *gen, const TirExpr *expr) {
    if (expr->kind == TIR_VAR) {
        LLVMValueRef wide = pointer_map_get(&gen->wides, expr->var);
        if (wide != NULL) {
            return wide;
        }
    }
    LLVMValueRef value = element_scalar(gen, expr);
    return expr->type->root == ROOT_UINT ? LLVMBuildZExt(gen->builder, value, gen->i64, "")
                                         : LLVMBuildSExt(gen->builder, value, gen->i64, "");
}

static void add_cost(TirExpr **operand, void *data) {
    uint64_t *sum = data;
    *sum += element_cost(*operand);
}

// How many elements of its operands one element of an expression looks at.
static uint64_t terms_of(const TirExpr *expr) {
    if (expr->kind == TIR_REDUCE) {
        return expr->reduce.operand->type->numel / expr->type->numel;
    }
    if (expr->kind == TIR_DOT) {
        const Type *left = expr->dot.left->type;
        return left->dims[left->flat_rank - 1];
    }
    return 1;
}

uint64_t element_cost(const TirExpr *expr) {
    uint64_t sum = 0;
    tir_visit_operands((TirExpr *)(uintptr_t)expr, add_cost, &sum);
    bool is_math = expr->kind == TIR_MAP && expr->map.op >= TIR_POW && expr->map.op != TIR_ABS;
    uint64_t cost = terms_of(expr) * (sum + (is_math ? COST_MATH_CALL : 1));
    return cost < COST_LIMIT ? cost : COST_LIMIT;
}

bool element_unrolls(const TirExpr *expr, uint64_t count) {
    return count <= GEN_UNROLL_LIMIT && count * element_cost(expr) <= UNROLL_COST_LIMIT;
}

static void and_flat(TirExpr **operand, void *data) {
    bool *all = data;
    *all = *all && element_is_flat(*operand);
}

// A view that uses no axis of its result: the same scalar everywhere.
static bool is_spread_scalar(const TirExpr *view) {
    for (size_t k = 0; k < view->view.operand->type->flat_rank; k++) {
        if (view->view.axes[k].axis >= 0 && view->view.axes[k].step != 0) {
            return false;
        }
    }
    return true;
}

bool element_is_flat(const TirExpr *expr) {
    switch (expr->kind) {
    case TIR_CONST:
    case TIR_VAR:
    case TIR_IOTA: return true;
    case TIR_MAP:
    case TIR_CONVERT:
    case TIR_RESHAPE: break;
    case TIR_VIEW: return is_spread_scalar(expr);
    case TIR_LITERAL:
    case TIR_CONCAT:
    case TIR_REDUCE:
    case TIR_CUMSUM:
    case TIR_DOT: return expr->type->flat_rank <= 1;
    }
    bool all = true;
    tir_visit_operands((TirExpr *)(uintptr_t)expr, and_flat, &all);
    return all;
}
