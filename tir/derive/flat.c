// Calls are taken in in the order of statements, as long as there is room.
#include "tir/derive/flat.h"

#include "tir/rewrite.h"
#include "tir/take_in.h"

enum { ROOM = 1000 }; // statements

typedef struct Flattening {
    Tir *tir;
    TirFunction *function;
    size_t room;
} Flattening;

static bool takes(const Flattening *flattening, const TirStmt *stmt) {
    if (stmt->kind != STMT_CALL || stmt->call.derivative != NULL ||
        stmt->call.function->instance != NULL || stmt->call.function->rule != NULL) {
        return false;
    }
    TirBody body = tir_body_of(stmt->call.function);
    bool has_rule = stmt->call.function->rule != NULL;
    return !body.stays && !has_rule && body.statements <= flattening->room;
}

static bool flatten(TirStmt *stmt, TirBlock *out, void *data) {
    Flattening *flattening = data;
    if (!takes(flattening, stmt)) {
        return false;
    }
    TirBlock body = {0};
    flattening->room -= tir_body_of(stmt->call.function).statements;
    tir_take_in(flattening->tir, flattening->function, stmt, true, &body);
    tir_rewrite_outer_first(flattening->tir, &body, flatten, flattening);
    tir_append(flattening->tir, out, &body);
    return true;
}

void flat_make(Tir *tir, TirFunction *function) {
    size_t has = tir_body_of(function).statements;
    Flattening flattening = {tir, function, has < ROOM ? ROOM - has : 0};
    tir_rewrite_outer_first(tir, &function->body, flatten, &flattening);
}
