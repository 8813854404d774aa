// Operations are counted as the derivative is made, before anything is optimised.
#include "tir/derive/tell.h"

#include "support/diag/diag.h"
#include "tir/operations.h"

#include <inttypes.h>

static void note_loop(Diag *diag, const Obstacle *obstacle) {
    if (obstacle->is_log) {
        diag_note_at(diag, obstacle->loop,
                     "each of the %" PRIu32 " turns needs %" PRIu64 " bytes of those before it: %s",
                     obstacle->turns, obstacle->turn, obstacle->variables);
    } else {
        diag_note_at(diag, obstacle->loop, "this loop turns as often as values say");
    }
}

void tell_refused(Tir *tir, const TirStmt *call, const Obstacle *obstacle) {
    if (tir->diags == NULL) {
        return;
    }
    Diag *diag;
    if (obstacle->is_log) {
        diag =
            diag_error(tir->diags, DIAG_E0905, call->span,
                       "this derivative in reverse keeps %" PRIu64 " bytes of a loop, or %" PRIu64
                       " in sections, where `--tape` allows %" PRIu64,
                       obstacle->bytes, obstacle->sectioned, obstacle->limit);
    } else {
        diag =
            diag_error(tir->diags, DIAG_E0764, call->span, "this derivative has no reverse form");
    }
    note_loop(diag, obstacle);
}

static uint32_t directions_of(const TirStmt *call) {
    const TirDerivative *derivative = call->call.derivative;
    uint32_t count = 0;
    for (size_t k = 0; k < derivative->by_count; k++) {
        count += call->call.function->params[derivative->by[k]]->type->numel;
    }
    return derivative->kind == DERIVATIVE_ALONG ? 1 : count;
}

TirDerived tell_derived(Tir *tir, const TirFunction *caller, const TirStmt *call,
                        const TirBlock *taken, const Reversed *reversed) {
    const TirFunction *function = call->call.function;
    Operations all = operations_of(tir->arena, caller, taken);
    Operations own = operations_of(tir->arena, function, &function->body);
    TirDerived derived = {.span = call->span,
                          .is_reverse = reversed != NULL,
                          .directions = directions_of(call),
                          .is_endless = all.is_endless,
                          .flops = all.flops,
                          .calls = all.calls,
                          .function_flops = own.flops,
                          .function_calls = own.calls};
    if (reversed != NULL) {
        derived.tape = reversed->tape;
        derived.tapes = reversed->tapes;
    }
    return derived;
}

void tell_cost(Tir *tir, const TirDerived *derived, uint64_t reverse, const Obstacle *obstacle) {
    if (tir->diags == NULL || obstacle == NULL || derived->cost / 4 <= reverse) {
        return;
    }
    Diag *diag = diag_warning(tir->diags, WARNING_DERIVATIVE_COST, derived->span,
                              "this derivative runs forward, which costs about %" PRIu64
                              " times what reverse would",
                              derived->cost / reverse);
    note_loop(diag, obstacle);
}
