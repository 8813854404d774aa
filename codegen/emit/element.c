// element(): one switch over the kinds of expressions, each of which asks for the elements of its
// operands where it needs them. Here are the kinds without an op_*.c: constants (a value in the
// code where the position is known or all elements are equal, else a load from a table), variables,
// and views and reshapes, which only change the position. Reads TIR as pass_hoist leaves it;
// index_prepare must have seen the whole expression.
#include "codegen/emit/element.h"

#include "codegen/emit/index.h"
#include "codegen/emit/lanes.h"
#include "codegen/emit/masked_value.h"
#include "codegen/emit/nest.h"
#include "codegen/emit/op_convert.h"
#include "codegen/emit/op_dot.h"
#include "codegen/emit/op_map.h"
#include "codegen/emit/op_reduce.h"
#include "codegen/emit/types.h"
#include "codegen/emit/wrap.h"
#include "codegen/gen.h"
#include "codegen/plan/estimate.h"
#include "support/memory.h"
#include "support/table.h"

#include <stdlib.h>
#include <string.h>

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

LLVMValueRef element_const_data(Gen *gen, const TirExpr *expr) {
    Root root = expr->type->root;
    size_t count = expr->type->numel;
    LLVMValueRef *items = memory_resize(NULL, memory_product(count, sizeof(LLVMValueRef)));
    for (size_t i = 0; i < count; i++) {
        items[i] = root == ROOT_BOOL ? LLVMConstInt(gen->i8, expr->data[i].boolean, false)
                                     : gen_scalar(gen, root, expr->data[i]);
    }
    LLVMValueRef data = LLVMConstArray2(gen_memory_type(gen, root), items, count);
    free(items);
    return data;
}

// In the object, of so many elements: other constants may have fewer or more of the same data.
typedef struct ConstTable {
    uint64_t numel;
    LLVMValueRef address;
} ConstTable;

LLVMValueRef element_const_table(Gen *gen, const TirExpr *expr) {
    const ConstTable *known = table_get(&gen->const_tables, expr->data);
    if (known != NULL && known->numel >= expr->type->numel) {
        return known->address;
    }
    LLVMValueRef data = element_const_data(gen, expr);
    ConstTable *table = ARENA_NEW(gen->arena, ConstTable);
    table->numel = expr->type->numel;
    table->address = gen_constant(gen, "data", data, gen_type_align(gen, expr->type));
    table_set(gen->arena, &gen->const_tables, expr->data, table);
    return table->address;
}

static LLVMValueRef const_lanes(Gen *gen, const TirExpr *expr, Position position, unsigned lanes) {
    LLVMValueRef items[LANES_LIMIT];
    int64_t first = LLVMConstIntGetSExtValue(position.first);
    for (unsigned i = 0; i < lanes; i++) {
        items[i] = gen_scalar(gen, expr->type->root, expr->data[first + position.step * i]);
    }
    return lanes == 1 ? items[0] : LLVMConstVector(items, lanes);
}

// Whether it is known and inside. Known ones that are not are behind a check that traps.
static bool is_known_inside(const TirExpr *expr, Position position, unsigned lanes) {
    if (LLVMIsAConstantInt(position.first) == NULL) {
        return false;
    }
    int64_t first = LLVMConstIntGetSExtValue(position.first);
    int64_t last = first + position.step * (int64_t)(lanes - 1);
    return first >= 0 && last >= 0 && first < expr->type->numel && last < expr->type->numel;
}

static LLVMValueRef const_element(Gen *gen, const TirExpr *expr, Index index) {
    Root root = expr->type->root;
    if (all_equal(expr)) {
        return gen_scalar(gen, root, expr->data[0]);
    }
    Position position = index_position(gen, expr->type, index);
    if (is_known_inside(expr, position, index.lanes)) {
        return const_lanes(gen, expr, position, position.step == 0 ? 1 : index.lanes);
    }
    LLVMValueRef table = element_const_table(gen, expr);
    return index_load(gen, root, index_element(gen, root, table, position), index.lanes);
}

static LLVMValueRef converted(Gen *gen, const TirExpr *expr, Index index) {
    const TirExpr *size = element_int_of_size(&gen->facts, expr);
    return size != NULL ? op_int_size(gen, element(gen, size, index))
                        : op_convert(gen, expr, element(gen, expr->operand, index));
}

LLVMValueRef element(Gen *gen, const TirExpr *expr, Index index) {
    LLVMValueRef known =
        gen->nest == NULL ? NULL : nest_element(gen->nest, expr, index.at, index.linear);
    if (known != NULL) {
        return known;
    }
    switch (expr->kind) {
    case EXPR_CONST: return const_element(gen, expr, index);
    case EXPR_VAR:
        if (gen->masked != NULL && masked_has(gen, expr->var)) {
            return masked_value(gen, expr->var);
        }
        return index_load(gen, expr->type->root, index_address(gen, expr, index), index.lanes);
    case EXPR_MAP: return op_map(gen, expr, index);
    case EXPR_CONVERT: return converted(gen, expr, index);
    case EXPR_VIEW:
        if (gen->masked != NULL) {
            return masked_element(gen, expr);
        }
        if (index.wrap != NULL) {
            return wrap_element(gen, expr, index);
        }
        return element(gen, expr->view.operand, index_through_view(gen, expr, index));
    case EXPR_RESHAPE: return element(gen, expr->operand, index_through_reshape(gen, expr, index));
    case EXPR_REDUCE: return op_reduce(gen, expr, index);
    case EXPR_DOT: return op_dot(gen, expr, index);
    case EXPR_LITERAL:
    case EXPR_CONCAT:
    case EXPR_CUMSUM: BUG("an expression that pass_hoist should have moved");
    case EXPR_IOTA: {
        Position position = index_position(gen, expr->type, index);
        return lanes_count(gen, position.first, position.step, index.lanes);
    }
    }
    UNREACHABLE();
}

LLVMValueRef element_scalar(Gen *gen, const TirExpr *expr) {
    CHECK(type_is_scalar(expr->type));
    index_prepare(gen, expr);
    return element(gen, expr, index_scalar(gen));
}

LLVMValueRef element_wide(Gen *gen, const TirExpr *expr) {
    if (expr->kind == EXPR_VAR) {
        LLVMValueRef wide = table_get(&gen->wides, expr->var);
        if (wide != NULL) {
            return wide;
        }
    }
    LLVMValueRef value = element_scalar(gen, expr);
    return expr->type->root == ROOT_UINT ? LLVMBuildZExt(gen->builder, value, gen->i64, "")
                                         : LLVMBuildSExt(gen->builder, value, gen->i64, "");
}
