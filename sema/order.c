// What keeps the order of evaluation, and what every new node passes through.
#include "sema/order.h"

#include "sema/checker.h"
#include "support/bug.h"
#include "tir/constant.h"

TirExpr *check_built(Checker *checker, TirExpr *expr) {
    return constant_fold(&checker->tir, expr);
}

// Note [Order of evaluation]
// TIR expressions are pure, so calls and input become statements before the statement they stand
// in. An operand to the left of a call must keep the value it had: check_hold registers operands
// while later ones are checked, and check_spill_held gives those that the call could change or
// overtake (reads of file-level variables, possible traps) a temporary in front of the call. A call
// without side effects changes and overtakes nothing; which of several traps comes first is open.

void check_hold(Checker *checker, TirExpr **slot) {
    LIST_PUSH(checker->arena, &checker->at.held, slot);
}

void check_release(Checker *checker) {
    CHECK(checker->at.held.count > 0);
    checker->at.held.count--;
}

static void look_for_global(const TirExpr *operand, void *data) {
    bool *found = data;
    TirVarRole role = operand->kind == EXPR_VAR ? operand->var->role : VAR_LOCAL;
    if (role == VAR_GLOBAL || role == VAR_OUTPUT) {
        *found = true;
    }
    if (!*found) {
        tir_read_operands(operand, look_for_global, data);
    }
}

static bool call_could_matter(TirExpr *expr) {
    bool found = false;
    look_for_global(expr, &found);
    return found || tir_may_trap(expr);
}

TirExpr *check_into_temporary(Checker *checker, TirExpr *expr) {
    TirVar *temp =
        tir_var_create(&checker->tir, checker->at.function, VAR_TEMP, NULL, expr->type, expr->span);
    TirExpr *place = tir_read(&checker->tir, temp, expr->span);
    tir_set(&checker->tir, checker->at.block, place, expr, expr->span);
    return tir_read(&checker->tir, temp, expr->span);
}

void check_spill_held(Checker *checker) {
    for (size_t k = 0; k < checker->at.held.count; k++) {
        TirExpr **slot = checker->at.held.items[k];
        if (type_has_value((*slot)->type) && call_could_matter(*slot)) {
            *slot = check_into_temporary(checker, *slot);
        }
    }
}

void check_emit_apart(Checker *checker, const TirBlock *statements) {
    for (size_t k = 0; k < statements->count; k++) {
        LIST_PUSH(checker->arena, checker->at.block, statements->items[k]);
    }
}
