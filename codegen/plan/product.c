#include "codegen/plan/product.h"

#include "codegen/plan/estimate.h"
#include "codegen/plan/limits.h"
#include "types/memory.h"

bool product_plan(const PlanFacts *facts, const Destination *to, const TirExpr *value,
                  ProductPlan *plan) {
    if (value->kind != EXPR_DOT || value->type->flat_rank != 2 || !facts->vectors) {
        return false;
    }
    static const int64_t along_columns[] = {0, 1};
    const TirExpr *right = value->dot.right;
    unsigned full = facts->vector_bytes / root_bytes(value->type->root, facts->single);
    *plan = (ProductPlan){
        .full = full,
        .width = PRODUCT_PIECES * full,
        .registers = 3 * facts->vector_registers / 4,
        .uses_panel = value->type->dims[0] >= PRODUCT_PANEL_ROWS_FROM &&
                      type_bytes(right->type, facts->single) >= PRODUCT_PANEL_BYTES_FROM,
        .right_has_lanes = element_has_lanes(facts, right, along_columns),
    };
    return destination_has_lanes(facts, to, along_columns) &&
           (plan->uses_panel || plan->right_has_lanes);
}
