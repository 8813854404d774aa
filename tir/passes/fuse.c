// Joins neighbouring sets over one index space into nests, and contracts arrays that live and die
// in a nest to the element at hand. Reads what pass_hoist leaves; leaves valid TIR.
//
// A nest grows while the next set may run with it element by element (tir_nest_takes) and shares a
// variable with it, or what a set soon behind both computes of them: then something is read once
// instead of twice, or not at all. A few nests grow at a time: a set may pass by those that it has
// nothing to do with, and so may scalars. (Warren, "A hierarchical basis for reordering
// transformations", POPL 1984; Lewis, Lin and Snyder, "The implementation and evaluation of fusion
// and contraction in array languages", PLDI 1998.)
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
    NESTS_MOST = 4,   // that are collected at a time
    AHEAD = 48,       // statements in which one is looked for that reads what two compute
};

typedef struct Fuser {
    Tir *tir;
    TirUses *uses;
    TirBlock out;               // what is done
    TirBlock nests[NESTS_MOST]; // what is being collected, in its order
    size_t count;
} Fuser;

// What sets have to do with each other.

static bool shares_array(const TirStmt *a, const TirStmt *b) {
    return tir_share_array(a->set.value, b->set.value) ||
           tir_share_array(a->set.value, b->set.place) ||
           tir_share_array(a->set.place, b->set.value) ||
           tir_share_array(a->set.place, b->set.place);
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
        inside.writes += tir_sets_var(set, var);
    }
    return inside;
}

// All its uses are in the nest, where its elements are written before they are read; what reads
// them reads the element at hand, or it could not be in the nest.
static bool lives_inside(const Fuser *fuser, const TirBlock *nest, const TirVar *var) {
    if (!tir_var_is_local(var)) {
        return false;
    }
    Inside inside = uses_inside(nest, var);
    const TirUses *uses = &fuser->uses[var->id];
    return uses->updates == 0 && uses->reads == inside.reads && uses->writes == inside.writes &&
           !inside.is_first_read;
}

static void contract(const Fuser *fuser, const TirBlock *nest) {
    for (size_t i = 0; i < nest->count; i++) {
        const TirExpr *place = nest->items[i]->set.place;
        if (place->kind == EXPR_VAR && lives_inside(fuser, nest, place->var)) {
            place->var->storage = STORAGE_ELEMENT;
            tir_remark(fuser->tir, "fuse", nest->items[i]->span, (Span){0}, "%s is never in memory",
                       tir_remark_name(fuser->tir, place->var));
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

static void close_nest(Fuser *fuser, const TirBlock *nest) {
    if (nest->count == 1 || !computes(nest)) {
        tir_append(fuser->tir, &fuser->out, nest);
        return;
    }
    contract(fuser, nest);
    TirStmt *stmt = tir_stmt(fuser->tir, &fuser->out, STMT_NEST, nest->items[0]->span);
    stmt->nest = *nest;
    for (size_t i = 1; i < nest->count; i++) {
        tir_remark(fuser->tir, "fuse", nest->items[i]->span, stmt->span,
                   "runs in one loop with the statement at");
    }
}

// Those that are marked, in their order; others stay.
static void close_nests(Fuser *fuser, const bool *closes) {
    size_t kept = 0;
    for (size_t i = 0; i < fuser->count; i++) {
        if (closes[i]) {
            close_nest(fuser, &fuser->nests[i]);
        } else {
            fuser->nests[kept++] = fuser->nests[i];
        }
    }
    fuser->count = kept;
}

static bool nest_can_precede(const TirBlock *nest, const TirBlock *other) {
    for (size_t i = 0; i < other->count; i++) {
        if (!can_precede(nest, other->items[i])) {
            return false;
        }
    }
    return true;
}

// Nests by which a statement may not pass, all for NULL, and those by which these may not.
static void close_before(Fuser *fuser, TirStmt *stmt) {
    bool closes[NESTS_MOST];
    for (size_t i = fuser->count; i-- > 0;) {
        const TirBlock *nest = &fuser->nests[i];
        closes[i] = stmt == NULL || !can_precede(nest, stmt);
        for (size_t k = i + 1; k < fuser->count && !closes[i]; k++) {
            closes[i] = closes[k] && !nest_can_precede(nest, &fuser->nests[k]);
        }
    }
    close_nests(fuser, closes);
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

// Statements that follow a set in its block.
typedef struct Following {
    TirStmt *const *items;
    size_t count;
} Following;

// Whether the nest and the set share an array, or the next statement does with both, or one soon
// behind, of as many elements, that reads what the set computes.
static bool belongs(const TirBlock *nest, const TirStmt *set, Following following) {
    if (nest_shares(nest, set)) {
        return true;
    }
    const TirVar *var = tir_place_var(set->set.place);
    for (size_t i = 0; i < following.count && i < AHEAD; i++) {
        const TirStmt *next = following.items[i];
        if (next->kind != STMT_SET) {
            return false;
        }
        bool is_reader = next->set.place->type->numel == set->set.place->type->numel &&
                         tir_expr_reads(next->set.value, var) > 0;
        if ((is_reader || (i == 0 && shares_array(set, next))) && nest_shares(nest, next)) {
            return true;
        }
    }
    return false;
}

static bool may_be_collected(const TirStmt *stmt) {
    const TirBlock none = {0};
    return stmt->kind == STMT_SET && stmt->set.place->type->numel > 1 &&
           tir_nest_fits(&none, stmt) && tir_nest_ask(&none, stmt).why == NEST_TAKES;
}

static bool joins(const Fuser *fuser, const TirBlock *nest, const TirStmt *stmt,
                  Following following) {
    if (!tir_nest_fits(nest, stmt) || !belongs(nest, stmt, following)) {
        return false;
    }
    NestAnswer answer = tir_nest_ask(nest, stmt);
    remark_refusal(fuser, stmt, answer);
    return answer.why == NEST_TAKES;
}

// Adds a set to the last nest that it may join, past others, or else begins one.
static void collect(Fuser *fuser, TirStmt *set, Following following) {
    for (size_t k = fuser->count; k-- > 0;) {
        TirBlock *nest = &fuser->nests[k];
        if (joins(fuser, nest, set, following)) {
            LIST_PUSH(fuser->tir->arena, nest, set);
            return;
        }
        if (!can_precede(nest, set)) {
            break;
        }
    }
    if (fuser->count == NESTS_MOST) {
        close_nests(fuser, (bool[NESTS_MOST]){true});
    }
    TirBlock *nest = &fuser->nests[fuser->count++];
    *nest = (TirBlock){0};
    LIST_PUSH(fuser->tir->arena, nest, set);
}

static void fuse_block(Fuser *fuser, TirBlock *block) {
    Fuser inner = {.tir = fuser->tir, .uses = fuser->uses};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (may_be_collected(stmt)) {
            collect(&inner, stmt, (Following){block->items + i + 1, block->count - i - 1});
            continue;
        }
        close_before(&inner, stmt);
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            fuse_block(fuser, nested[k]);
        }
        LIST_PUSH(fuser->tir->arena, &inner.out, stmt);
    }
    close_before(&inner, NULL);
    *block = inner.out;
}

void pass_fuse(Tir *tir, TirFunction *function) {
    Fuser fuser = {.tir = tir, .uses = tir_count_uses(tir->arena, function)};
    fuse_block(&fuser, &function->body);
}
