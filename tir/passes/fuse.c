// Joins neighbouring sets over one index space into nests, and contracts arrays that live and die
// in a nest to the element at hand. Reads what pass_hoist leaves; leaves valid TIR.
//
// A nest grows while the next set may run with it element by element (tir_nest_takes) and shares a
// variable with it: then something is read once instead of twice, or not at all. A set that cannot
// join but has nothing to do with the nest is moved before it, so that scalars between arrays are
// no walls. (Warren, "A hierarchical basis for reordering transformations", POPL 1984; Lewis, Lin
// and Snyder, "The implementation and evaluation of fusion and contraction in array languages",
// PLDI 1998.)
#include "tir/passes/passes.h"

#include "support/bug.h"
#include "tir/alias.h"
#include "tir/nest_size.h"
#include "tir/nest_traps.h"
#include "tir/remark.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum {
    MOVES_LIMIT = 64, // statements of a nest that one is compared with before it is moved
};

typedef struct Fuser {
    Tir *tir;
    TirUses *uses;
    TirBlock out;  // what is done
    TirBlock nest; // what is being collected
} Fuser;

// What sets have to do with each other.

typedef struct Sharing {
    const TirStmt *set;
    bool found;
} Sharing;

static void search_shared(const TirExpr *expr, void *data) {
    Sharing *sharing = data;
    if (expr->kind == EXPR_VAR && type_is_tensor(expr->type)) {
        sharing->found = sharing->found || tir_expr_reads(sharing->set->set.value, expr->var) > 0 ||
                         tir_expr_reads(sharing->set->set.place, expr->var) > 0;
    }
    tir_read_operands(expr, search_shared, data);
}

static bool shares_array(const TirStmt *a, const TirStmt *b) {
    Sharing sharing = {.set = b};
    search_shared(a->set.value, &sharing);
    search_shared(a->set.place, &sharing);
    return sharing.found;
}

static bool nest_shares(const TirBlock *nest, const TirStmt *set) {
    for (size_t i = 0; i < nest->count; i++) {
        if (shares_array(set, nest->items[i])) {
            return true;
        }
    }
    return nest->count == 0;
}

// Whether the order of the two does not matter.
static bool is_independent(TirStmt *a, TirStmt *b) {
    return !tir_stmt_writes_operand(a, b->set.value) && !tir_stmt_writes_operand(a, b->set.place) &&
           !tir_stmt_writes_operand(b, a->set.value) && !tir_stmt_writes_operand(b, a->set.place);
}

static bool can_precede(const TirBlock *nest, TirStmt *stmt) {
    if (stmt->kind != STMT_SET || nest->count > MOVES_LIMIT || tir_may_trap(stmt->set.value) ||
        tir_may_trap(stmt->set.place) || !tir_nest_traps_agree(nest, stmt)) {
        return false;
    }
    for (size_t i = 0; i < nest->count; i++) {
        if (!is_independent(stmt, nest->items[i])) {
            return false;
        }
    }
    return true;
}

// Arrays that are never in memory.

typedef struct Inside {
    const TirVar *var;
    uint32_t reads, writes;
    bool is_first_read; // before any write
} Inside;

static Inside uses_inside(const TirBlock *nest, const TirVar *var) {
    Inside inside = {.var = var};
    for (size_t i = 0; i < nest->count; i++) {
        const TirStmt *set = nest->items[i];
        uint32_t reads = tir_expr_reads(set->set.value, var);
        inside.reads += reads;
        inside.is_first_read = inside.is_first_read || (reads > 0 && inside.writes == 0);
        inside.writes += set->set.place->kind == EXPR_VAR && set->set.place->var == var;
    }
    return inside;
}

// All its uses are in the nest, where its elements are written before they are read; what reads
// them reads the element at hand, or it could not be in the nest.
static bool lives_inside(const Fuser *fuser, const TirVar *var) {
    if (!tir_var_is_local(var)) {
        return false;
    }
    Inside inside = uses_inside(&fuser->nest, var);
    const TirUses *uses = &fuser->uses[var->id];
    return uses->updates == 0 && uses->reads == inside.reads && uses->writes == inside.writes &&
           !inside.is_first_read;
}

static void contract(Fuser *fuser) {
    for (size_t i = 0; i < fuser->nest.count; i++) {
        const TirExpr *place = fuser->nest.items[i]->set.place;
        if (place->kind == EXPR_VAR && lives_inside(fuser, place->var)) {
            place->var->storage = STORAGE_ELEMENT;
            tir_remark(fuser->tir, "fuse", fuser->nest.items[i]->span, (Span){0},
                       "%s is never in memory", tir_remark_name(fuser->tir, place->var));
        }
    }
}

// Blocks.

// Copies and fills alone move whole blocks of memory faster than a nest does.
static bool computes(const TirBlock *nest) {
    for (size_t i = 0; i < nest->count; i++) {
        TirExprKind kind = tir_bottom(nest->items[i]->set.value)->kind;
        if (kind != EXPR_VAR && kind != EXPR_CONST) {
            return true;
        }
    }
    return false;
}

static void close_nest(Fuser *fuser) {
    if (fuser->nest.count == 1 || !computes(&fuser->nest)) {
        tir_append(fuser->tir, &fuser->out, &fuser->nest);
    } else {
        contract(fuser);
        TirStmt *stmt = tir_stmt(fuser->tir, &fuser->out, STMT_NEST, fuser->nest.items[0]->span);
        stmt->nest = fuser->nest;
        for (size_t i = 1; i < fuser->nest.count; i++) {
            tir_remark(fuser->tir, "fuse", fuser->nest.items[i]->span, stmt->span,
                       "runs in one loop with the statement at");
        }
    }
    fuser->nest = (TirBlock){0};
}

static void remark_refusal(const Fuser *fuser, const TirStmt *stmt, NestAnswer answer) {
    if (answer.other == NULL || answer.why == NEST_SPACE) {
        return;
    }
    bool is_read = answer.why == NEST_READS;
    tir_remark(fuser->tir, "fuse", stmt->span, answer.other->span,
               "a loop of its own: it %s other elements of %s than are %s at",
               is_read ? "reads" : "writes", tir_remark_name(fuser->tir, answer.var),
               answer.why == NEST_WRITES ? "read" : "written");
}

// Whether the set, or the next statement for which it computes something, shares an array with the
// nest.
static bool belongs(const TirBlock *nest, const TirStmt *set, const TirStmt *next) {
    return nest_shares(nest, set) || (next != NULL && next->kind == STMT_SET &&
                                      nest_shares(nest, next) && shares_array(set, next));
}

static bool joins(const Fuser *fuser, const TirStmt *stmt, const TirStmt *next) {
    if (stmt->kind != STMT_SET || stmt->set.place->type->numel <= 1 ||
        !tir_nest_fits(&fuser->nest, stmt) || !belongs(&fuser->nest, stmt, next)) {
        return false;
    }
    NestAnswer answer = tir_nest_ask(&fuser->nest, stmt);
    remark_refusal(fuser, stmt, answer);
    return answer.why == NEST_TAKES;
}

// Whether a nest that is only filled or copied had better end before a larger one begins, rather
// than have its statements pass by one by one.
static bool gives_way(const TirBlock *nest, TirStmt *stmt) {
    return nest->count > 0 && !computes(nest) && stmt->kind == STMT_SET &&
           computes(&(TirBlock){.items = &stmt, .count = 1}) &&
           stmt->set.place->type->numel > nest->items[0]->set.place->type->numel;
}

static void fuse_block(Fuser *fuser, TirBlock *block) {
    Fuser inner = {.tir = fuser->tir, .uses = fuser->uses};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        const TirStmt *next = i + 1 < block->count ? block->items[i + 1] : NULL;
        if (joins(&inner, stmt, next)) {
            LIST_PUSH(fuser->tir->arena, &inner.nest, stmt);
            continue;
        }
        if (!can_precede(&inner.nest, stmt) || gives_way(&inner.nest, stmt)) {
            close_nest(&inner);
        }
        if (inner.nest.count == 0 && joins(&inner, stmt, next)) {
            LIST_PUSH(fuser->tir->arena, &inner.nest, stmt);
            continue;
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            fuse_block(fuser, nested[k]);
        }
        LIST_PUSH(fuser->tir->arena, &inner.out, stmt);
    }
    close_nest(&inner);
    *block = inner.out;
}

void pass_fuse(Tir *tir, TirProgram *program) {
    for (size_t i = 0; i < program->functions.count; i++) {
        TirFunction *function = program->functions.items[i];
        Fuser fuser = {.tir = tir, .uses = tir_count_uses(tir->arena, function)};
        fuse_block(&fuser, &function->body);
    }
}
