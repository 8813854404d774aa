// Of what changes (tir/derive/active.h). Functions that are refused, or have a rule, are not looked
// into.
#include "tir/linear/refuse.h"

#include "support/diag/diag.h"
#include "tir/derive/active.h"
#include "tir/uses.h"
#include "tir/visit.h"

typedef struct Search {
    Tir *tir;
    Actives actives;
    LIST_OF(const Active *) seen;
} Search;

static void search(Search *all, const Active *active);

static void look_at(Search *all, const Active *active, const TirUses *uses, const TirStmt *call) {
    const TirFunction *callee = call->call.function;
    const Active *inner = active_of_statements(&all->actives, active, call);
    bool is_refused = false;
    for (size_t k = 0; k < call->call.results.count; k++) {
        bool is_read = uses[call->call.results.items[k]->id].reads > 0;
        bool has_none = (callee->refused >> k & 1) != 0;
        is_refused = is_refused || (has_none && is_read && active_result(inner, k));
    }
    if (is_refused) {
        Diag *diag =
            diag_error(all->tir->diags, DIAG_E0765, call->span,
                       "a step that goes through `%s` cannot be linearized", callee->name->text);
        diag_note(diag, "no derivative is defined for what is used of it");
    }
    if (callee->refused == 0 && callee->rule == NULL) {
        search(all, inner);
    }
}

static void search_block(Search *all, const Active *active, const TirUses *uses,
                         const TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_CALL && stmt->call.derivative == NULL) {
            look_at(all, active, uses, stmt);
        }
        TirBlock *nested[2];
        for (size_t k = 0, count = tir_stmt_blocks(stmt, nested); k < count; k++) {
            search_block(all, active, uses, nested[k]);
        }
    }
}

// Results that are dropped (`w, _ = eigh(a)`) are read by a copy that nobody reads.
static void drop_copy(TirStmt *stmt, void *data) {
    TirUses *uses = data;
    bool is_copy = tir_sets_whole(stmt) && stmt->set.value->kind == EXPR_VAR;
    if (is_copy && stmt->set.place->var->role == VAR_TEMP &&
        uses[stmt->set.place->var->id].reads == 0) {
        tir_count_stmt(uses, stmt, -1);
    }
}

static void search(Search *all, const Active *active) {
    for (size_t k = 0; k < all->seen.count; k++) {
        if (all->seen.items[k] == active) {
            return;
        }
    }
    LIST_PUSH(all->tir->arena, &all->seen, active);
    const TirFunction *function = active->function;
    TirUses *uses = tir_count_uses(all->tir->arena, function);
    tir_visit_stmts(&function->body, drop_copy, uses);
    search_block(all, active, uses, &function->body);
}

void linear_refuse(Tir *tir, const TirFunction *function) {
    if (function != NULL) {
        Search all = {.tir = tir, .actives.tir = tir};
        bool *by = ARENA_ARRAY(tir->arena, bool, function->param_count + 1);
        by[0] = true;
        search(&all, active_in(&all.actives, function, by));
    }
}
