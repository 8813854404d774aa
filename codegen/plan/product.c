#include "codegen/plan/product.h"

#include "codegen/plan/estimate.h"
#include "codegen/plan/limits.h"
#include "codegen/plan/terms.h"
#include "tir/view.h"
#include "tir/visit.h"
#include "types/memory.h"

static void row_major(const Type *type, int64_t *strides) {
    int64_t stride = 1;
    for (size_t k = type->flat_rank; k-- > 0;) {
        strides[k] = stride;
        stride *= type->dims[k];
    }
}

// How far neighbours along each dim are apart in the array that an expression shows; false when it
// shows none, or not by a constant.
static bool find_strides(const TirExpr *expr, int64_t *strides) {
    expr = reshape_skip_levels(expr);
    if (expr->kind == EXPR_VAR) {
        row_major(expr->type, strides);
        return true;
    }
    int64_t inner[TYPE_FLAT_LIMIT] = {0};
    if (expr->kind != EXPR_VIEW || !find_strides(expr->view.operand, inner)) {
        return false;
    }
    for (size_t k = 0; k < expr->type->flat_rank; k++) {
        strides[k] = 0;
    }
    for (size_t k = 0; k < expr->view.operand->type->flat_rank; k++) {
        const TirAxis *axis = &expr->view.axes[k];
        if (axis->index == NULL && axis->axis >= 0) {
            strides[axis->axis] += axis->step * inner[k];
        }
    }
    return true;
}

static bool matrix_strides(const TirExpr *expr, ProductStrides *strides) {
    int64_t found[TYPE_FLAT_LIMIT] = {0};
    if (expr->type->flat_rank != 2 || !find_strides(expr, found)) {
        return false;
    }
    *strides = (ProductStrides){found[0], found[1]};
    return true;
}

// Whether result and left operand are memory, with the right one all three.
static bool is_memory(const Destination *to, const TirExpr *value, ProductStrides *strides) {
    return to->kind == INTO_PLACE && matrix_strides(to->place, &strides[0]) &&
           matrix_strides(value->dot.left, &strides[1]);
}

static bool follow_each_other(ProductStrides strides, uint32_t columns) {
    return strides.row == (int64_t)columns && strides.column == 1;
}

// Whether nothing has just written it piece by piece, which would hold up who reads it in whole
// vectors: what callers hand in.
static bool is_given(const TirExpr *expr) {
    return tir_bottom(expr)->var->role == VAR_PARAM;
}

// Short rows that follow each other fill registers together: two of 4 elements one of 8 lanes,
// eight of 3 three of them. The elements of the left operand are spread in registers, each by one
// instruction: those of several rows, or of two registers, where there are instructions for any
// exchange; else of rows within 16 bytes.
static uint32_t packed_rows(const PlanFacts *facts, const ProductPlan *plan, const TirExpr *value) {
    uint32_t rows = value->type->dims[0], columns = value->type->dims[1];
    uint32_t terms = value->dot.right->type->dims[0];
    bool divides = plan->full % columns == 0;
    if (columns < 2 || columns >= plan->full || terms < 2 || !(divides || columns == 3) ||
        (plan->straight && !is_given(value->dot.left)) ||
        !follow_each_other(plan->strides[0], columns) ||
        !follow_each_other(plan->strides[1], terms)) {
        return 1;
    }
    uint32_t packed = divides ? plan->full / columns : plan->full;
    uint32_t sources = packed * terms;
    bool is_whole = sources % plan->full == 0 || plan->full % sources == 0;
    unsigned bytes = root_bytes(value->type->root, facts->single);
    bool spreads = facts->mask_registers ? terms <= PRODUCT_PACKED_TERMS
                                         : divides && terms == columns && columns * bytes <= 16;
    return rows >= packed && is_whole && spreads ? packed : 1;
}

static ProductRight right_reads(const PlanFacts *facts, const TirExpr *value) {
    static const int64_t along_rows[] = {0, 1};
    static const int64_t along_columns[] = {1, 0};
    const TirExpr *right = value->dot.right;
    if (element_has_lanes(facts, right, along_rows)) {
        bool is_big = value->type->dims[0] >= PRODUCT_PANEL_ROWS_FROM &&
                      type_bytes(right->type, facts->single) >= PRODUCT_PANEL_BYTES_FROM;
        return is_big ? RIGHT_COPIED : RIGHT_IN_PLACE;
    }
    return element_has_lanes(facts, right, along_columns) ? RIGHT_TURNED : RIGHT_SINGLE;
}

// Blocks of terms are full squares, and the last one has room for at least one.
static uint32_t block_terms(const ProductPlan *plan, uint32_t terms) {
    if (plan->right == RIGHT_IN_PLACE || terms <= PRODUCT_BLOCK_TERMS) {
        return terms;
    }
    uint32_t block = PRODUCT_BLOCK_TERMS;
    while (terms % block != 0 && terms % block < plan->full) {
        block -= plan->full;
    }
    return block;
}

// A vector of multiply-adds begins in each cycle, or two.
SplitPlan product_split(const PlanFacts *facts, const ProductPlan *plan, uint64_t multiplications,
                        uint64_t row_turns, uint64_t column_turns) {
    bool by_columns = column_turns >= SPLIT_COLUMNS_ENOUGH || column_turns >= row_turns;
    return split_turns(facts, by_columns ? SPLIT_PIECES : SPLIT_OUTER,
                       by_columns ? column_turns : row_turns, multiplications / plan->full);
}

bool product_plan(const PlanFacts *facts, const Destination *to, const TirExpr *value,
                  ProductPlan *plan) {
    if (value->kind != EXPR_DOT || value->type->flat_rank != 2 || !facts->vectors) {
        return false;
    }
    static const int64_t along_rows[] = {0, 1};
    uint32_t terms = value->dot.right->type->dims[0];
    uint32_t columns = value->type->dims[1];
    unsigned full = facts->vector_bytes / root_bytes(value->type->root, facts->single);
    *plan = (ProductPlan){
        .full = full,
        .width = PRODUCT_PIECES * full,
        .registers = 3 * facts->vector_registers / 4,
        .chains = terms_plan(facts, value).chains,
        .right = right_reads(facts, value),
    };
    uint64_t vectors = (uint64_t)value->type->dims[0] * ((columns + full - 1) / full);
    plan->straight = columns <= plan->width && vectors * terms <= PRODUCT_STRAIGHT_LIMIT;
    plan->block_terms = block_terms(plan, terms);
    bool is_in_memory = is_memory(to, value, plan->strides);
    plan->is_shared =
        !plan->straight && is_in_memory && matrix_strides(value->dot.right, &plan->strides[2]);
    plan->packed = is_in_memory ? packed_rows(facts, plan, value) : 1;
    if (!plan->straight && !split_may_trap(value)) {
        plan->split = product_split(facts, plan, value->type->numel * terms, value->type->dims[0],
                                    columns / plan->width);
    }
    return destination_has_lanes(facts, to, along_rows) &&
           (plan->right != RIGHT_SINGLE || value->type->dims[0] >= PRODUCT_SINGLE_ROWS_FROM);
}
