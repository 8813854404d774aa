// Calls are taken in in the order of statements, as long as there is room.
#include "tir/derive/flat.h"

#include "tir/take_in.h"
#include "tir/visit.h"

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

static void flatten(Flattening *flattening, TirBlock *block) {
    TirBlock out = {0};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        TirBlock *nested[2];
        if (takes(flattening, stmt)) {
            TirBlock body = {0};
            flattening->room -= tir_body_of(stmt->call.function).statements;
            tir_take_in(flattening->tir, flattening->function, stmt, true, &body);
            flatten(flattening, &body);
            tir_append(flattening->tir, &out, &body);
            continue;
        }
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            flatten(flattening, nested[k]);
        }
        LIST_PUSH(flattening->tir->arena, &out, stmt);
    }
    *block = out;
}

void flat_make(Tir *tir, TirFunction *function) {
    size_t has = tir_body_of(function).statements;
    Flattening flattening = {tir, function, has < ROOM ? ROOM - has : 0};
    flatten(&flattening, &function->body);
}
