// See nest.h. What elements two places have in common is known from tir/alias.h: in a nest two
// accesses of a variable are of the same element or of none in common, and of the same one when
// their maps are equal and have no computed index.
#include "codegen/emit/nest.h"

#include "tir/alias.h"
#include "tir/view.h"
#include "tir/visit.h"

// Its map is the same whenever it is asked for.
static bool is_fixed(const TirExpr *expr) {
    for (; expr->kind != EXPR_VAR;
         expr = expr->kind == EXPR_VIEW ? expr->view.operand : expr->operand) {
        if (expr->kind == EXPR_VIEW && !view_is_constant(expr)) {
            return false;
        }
    }
    return true;
}

static bool is_same_element(const TirExpr *place, const TirExpr *expr) {
    return tir_place_var(place) == tir_place_var(expr) && is_fixed(place) && is_fixed(expr) &&
           tir_same_map(place, expr);
}

void nest_enter(GenNest *nest, const LLVMValueRef *at, LLVMValueRef linear) {
    nest->at = at;
    nest->linear = linear;
    nest->count = 0;
}

void nest_add(GenNest *nest, const TirExpr *place, LLVMValueRef value) {
    CHECK(nest->count < NEST_LIMIT);
    nest->elements[nest->count].place = place;
    nest->elements[nest->count++].value = value;
}

LLVMValueRef nest_element(const GenNest *nest, const TirExpr *expr, const LLVMValueRef *at,
                          LLVMValueRef linear) {
    bool is_here = at == nest->at && linear == nest->linear;
    if (!is_here || tir_bottom(expr)->kind != EXPR_VAR) {
        return NULL;
    }
    for (size_t i = nest->count; i-- > 0;) {
        if (is_same_element(nest->elements[i].place, expr)) {
            return nest->elements[i].value;
        }
    }
    return NULL;
}

bool nest_stores(const TirBlock *sets, size_t number) {
    const TirExpr *place = sets->items[number]->set.place;
    if (tir_place_var(place)->storage == STORAGE_ELEMENT) {
        return false;
    }
    for (size_t i = number + 1; i < sets->count; i++) {
        if (is_same_element(sets->items[i]->set.place, place)) {
            return false;
        }
    }
    return true;
}
