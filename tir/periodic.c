#include "tir/periodic.h"

#include "tir/constant.h"
#include "tir/uses.h"

enum { SHORT_LOOP = 16 }; // turns; beside more of them a condition is nothing

bool tir_goes_on(const TirStmt *loop, const TirStmt *stmt) {
    return stmt->kind == STMT_SET &&
           tir_expr_reads(stmt->set.value, tir_place_var(stmt->set.place)) > 0 &&
           tir_expr_reads(stmt->set.place, loop->for_loop.var) == 0;
}

bool tir_is_short_for(Tir *tir, const TirStmt *stmt) {
    ConstantTurns turns;
    return stmt->kind == STMT_FOR && constant_turns(tir, stmt, &turns) && turns.count <= SHORT_LOOP;
}

void tir_copy_turns_of(Tir *tir, TirOwn *own, TirStmt *loop, int64_t first, int64_t end,
                       TirBlock *out) {
    if (first >= end) {
        return;
    }
    TirBlock copy = {0};
    own_copy(own, &(TirBlock){.items = &loop, .count = 1}, &copy);
    copy.items[0]->for_loop.first = tir_const_int(tir, (int32_t)first, loop->span);
    copy.items[0]->for_loop.last = tir_const_int(tir, (int32_t)end, loop->span);
    copy.items[0]->for_loop.is_rare = true;
    LIST_PUSH(tir->arena, out, copy.items[0]);
}
