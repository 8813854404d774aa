// Turns loops whose turns do not depend on one another into statements on arrays, so that they are
// fused, vectorised and stored like these. Reads any valid TIR without nests and leaves such.
//
// A loop with constant bounds becomes the sets of its body, each at all turns at once
// (tir/widen.h), from the innermost loop outwards. That means the same where the sets could run as
// one nest (tir_nest_takes), or where there is but one, whose turns read nothing that others write:
// then no turn touches what another one writes, only one of the sets
// traps, and it does not matter whether all turns of a set run before the next one. Variables that
// belong to a turn become arrays of all turns, which pass_forward and pass_fuse take out of memory
// again; so a body that is too large for one nest stays a loop. A loop of few turns alone is better
// straight code, and becomes statements only if the loop around it does.
#include "tir/passes/passes.h"

#include "tir/bank.h"
#include "tir/branchless.h"
#include "tir/content.h"
#include "tir/gather.h"
#include "tir/prefix.h"
#include "tir/remark.h"
#include "tir/visit.h"
#include "tir/widen_turns.h"

enum {
    ELEMENTS_LEAST = 4, // fewer are straight code to LLVM
    // Where it branches, or runs once in a step: hysteresis of three phases takes a quarter of the
    // time as vectors, Kalman filters 0.7.
    ELEMENTS_LEAST_OF_LANES = 2,
    // Where a loop of fewer is inside. Matrices of 3 by 3 are better left in scalars.
    ELEMENTS_LEAST_OF_BOTH = 16,
    PARTS_MOST = 3, // of a loop in which indices wrap around
    // Operations and assignments of branches that are all done, for each turn: a debouncer of two
    // channels has 8 and takes 0.8 of the time, states of three motors have 25 and take twice as
    // long.
    WORK_PER_TURN = 4,
    WORK_MOST = 400, // nodes that are looked at
};

static void append(Widener *widener, const TirBlock *sets, TirBlock *out) {
    tir_count_block(widener->uses, sets, 1);
    tir_append(widener->tir, out, sets);
}

// Statements each of which does all turns of one of the body's; false: there are none.
static bool sum_up(Widening *turns, const TirBlock *body, TirBlock *all) {
    TirStmt *sum = body->count == 1 ? tir_running_sum(turns, body->items[0]) : NULL;
    if (sum != NULL) {
        LIST_PUSH(turns->tir->arena, all, sum);
        return true;
    }
    for (size_t i = 0; i < body->count; i++) {
        TirStmt *gathered = tir_gathered(turns, body->items[i]);
        if (gathered == NULL || !tir_is_alone(body, i, tir_place_var(gathered->set.place))) {
            return false;
        }
        LIST_PUSH(turns->tir->arena, all, gathered);
    }
    return body->count > 0 && turns->turns >= ELEMENTS_LEAST;
}

static void take_in(WidenedTurns *turns, TirBlock *out) {
    append(turns->widener, &turns->before, out);
    append(turns->widener, &turns->sets, out);
    append(turns->widener, &turns->behind, out);
}

// The turns of a part of the loop that no index wraps in.
static uint32_t turns_to_wrap(const Widening *widening, const TirBlock *body) {
    uint32_t turns = widening->turns;
    for (size_t i = 0; i < body->count; i++) {
        const TirStmt *set = body->items[i];
        if (set->kind != STMT_SET) {
            return widening->turns;
        }
        uint32_t here[] = {widening_wrap(widening, set->set.value),
                           widening_wrap(widening, set->set.place)};
        turns = here[0] < turns ? here[0] : turns;
        turns = here[1] < turns ? here[1] : turns;
    }
    return turns;
}

// Where an index wraps around, as that of a neighbour on a circle does: the turns up to there, and
// those behind.
static bool widen_parts(Widener *widener, TirStmt *loop, Widening rest, TirBlock *out) {
    const TirBlock *body = &loop->for_loop.body;
    WidenedTurns parts[PARTS_MOST];
    size_t count = 0;
    for (; rest.turns > 0; count++) {
        uint32_t turns = turns_to_wrap(&rest, body);
        if (count == PARTS_MOST || (count == 0 && turns == rest.turns)) {
            return false;
        }
        parts[count] = (WidenedTurns){.widener = widener, .loop = loop, .widening = rest};
        parts[count].widening.turns = turns;
        widen_turns(&parts[count]);
        if (parts[count].why != NULL) {
            return false;
        }
        rest.first += rest.step * turns;
        rest.turns -= turns;
    }
    tir_count_block(widener->uses, body, -1);
    for (size_t i = 0; i < count; i++) {
        take_in(&parts[i], out);
    }
    tir_remark(widener->tir, "loops", loop->span, (Span){0},
               "its turns run as statements on arrays, in %zu parts", count);
    return true;
}

// Each turn's part of the arrays at once, if that is as many elements as `least`.
static bool widen_loop(WidenedTurns *turns, uint32_t least, TirBlock *out) {
    Widener *widener = turns->widener;
    TirStmt *loop = turns->loop;
    Widening whole = turns->widening;
    widen_turns(turns);
    if (turns->why == NULL && turns->sets.items[0]->set.place->type->numel < least) {
        return false;
    }
    if (turns->why != NULL && whole.turns >= ELEMENTS_LEAST &&
        widen_parts(widener, loop, whole, out)) {
        return true;
    }
    if (turns->why != NULL) {
        return false;
    }
    tir_count_block(widener->uses, &loop->for_loop.body, -1);
    take_in(turns, out);
    tir_remark(widener->tir, "loops", loop->span, (Span){0},
               "its turns run as statements on arrays");
    return true;
}

static void tell_why(const WidenedTurns *turns) {
    Span loop = turns->loop->span;
    Span at = span_is_nowhere(turns->at) ? loop : turns->at;
    tir_remark(turns->widener->tir, "loops", loop, at, "stays a loop: %s%s%s, at",
               turns->name == NULL ? "" : turns->name, turns->name == NULL ? "" : " ", turns->why);
}

static void change_body(Widener *widener, TirStmt *loop, const TirBlock *body) {
    tir_count_block(widener->uses, &loop->for_loop.body, -1);
    loop->for_loop.body = *body;
    tir_count_block(widener->uses, body, 1);
}

static bool open_block(Widener *widener, const TirBlock *block, TirBlock *opened);

// What the branches in a body ask and assign.
typedef struct Branches {
    const TirVar *counter; // of the loop
    TirContent content;
    uint32_t sets;
    bool ask_data; // beside the counter
} Branches;

static bool is_data(const TirExpr *expr, const void *counter) {
    return expr->kind == EXPR_VAR && expr->var != counter;
}

static void note_branches(TirStmt *stmt, void *data) {
    Branches *branches = data;
    if (stmt->kind == STMT_IF) {
        branches->ask_data |= tir_any_expr(stmt->branch.condition, is_data, branches->counter);
        tir_content_add(&branches->content, stmt->branch.condition, WORK_MOST);
    } else if (stmt->kind == STMT_SET) {
        branches->sets++;
        tir_content_add(&branches->content, stmt->set.value, WORK_MOST);
    }
}

static Branches branches_of(const TirStmt *loop) {
    Branches branches = {.counter = loop->for_loop.var};
    const TirBlock *body = &loop->for_loop.body;
    for (size_t i = 0; i < body->count; i++) {
        if (body->items[i]->kind == STMT_IF) {
            tir_visit_stmts(&(TirBlock){.items = &body->items[i], .count = 1}, note_branches,
                            &branches);
        }
    }
    return branches;
}

// Whether all sides of all branches are better computed than one of each chosen: those of a machine
// with many states are not.
static bool are_light(const Branches *branches, uint32_t turns) {
    return branches->content.ops + branches->sets <= (uint64_t)WORK_PER_TURN * (turns + 1) &&
           branches->content.nodes <= WORK_MOST;
}

// Whether a loop of few turns is better in vectors: where it is written out, branches by its
// variable alone are gone.
static bool is_of_lanes(const Widener *widener, const TirStmt *loop, bool is_step) {
    const Tir *tir = widener->tir;
    Branches branches = branches_of(loop);
    bool branches_gain = branches.ask_data && !branches.content.has_dear_ops;
    return tir->lanes > 0 && (branches_gain || (is_step && !tir->is_batched && !tir->is_small));
}

// What branches in the loop gives chosen values, where it can.
static void flatten(Widener *widener, TirStmt *loop, Widening *widening) {
    TirBlock flat = {0};
    Branches branches = branches_of(loop);
    if (branches.sets > 0 && are_light(&branches, widening->turns) &&
        tir_without_branches(widener->tir, widener->function, widener->uses, &loop->for_loop.body,
                             &flat)) {
        widener_reserve(widener);
        change_body(widener, loop, &flat);
        widening->is_branch = true;
    }
}

// Statements on arrays that do what a loop of few turns does, which stays as it is.
static bool open_loop(Widener *widener, const TirStmt *loop, TirBlock *opened) {
    Tir *tir = widener->tir;
    TirBlock copies = {0};
    TirStmt *copy = tir_stmt(tir, &copies, STMT_FOR, loop->span);
    copy->for_loop = loop->for_loop;
    WidenedTurns turns = {.widener = widener, .loop = copy};
    if (!widening_begin(&turns.widening, tir, loop) || turns.widening.turns >= ELEMENTS_LEAST) {
        return false;
    }
    TirBlock body = {0};
    if (open_block(widener, &loop->for_loop.body, &body)) {
        change_body(widener, copy, &body);
    }
    flatten(widener, copy, &turns.widening);
    widen_turns(&turns);
    change_body(widener, copy, &loop->for_loop.body);
    tir_append(tir, opened, &turns.before);
    tir_append(tir, opened, &turns.sets);
    tir_append(tir, opened, &turns.behind);
    return turns.why == NULL;
}

// The block with statements on arrays for its loops of few turns. False: it has none, or others.
static bool open_block(Widener *widener, const TirBlock *block, TirBlock *opened) {
    bool found = false;
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (stmt->kind != STMT_FOR) {
            LIST_PUSH(widener->tir->arena, opened, stmt);
        } else if (open_loop(widener, stmt, opened)) {
            found = true;
        } else {
            return false;
        }
    }
    return found;
}

// All channels of a bank at once.
static bool widen_bank(Widener *widener, TirStmt *loop, Widening whole, TirBlock *out) {
    TirBank bank;
    TirBlock body = loop->for_loop.body;
    if (!tir_bank(widener->tir, widener->function, widener->uses, loop, &bank)) {
        return false;
    }
    widener_reserve(widener);
    change_body(widener, loop, &bank.body);
    WidenedTurns turns = {.widener = widener, .loop = loop, .widening = whole, .is_bank = true};
    flatten(widener, loop, &turns.widening);
    TirBlock sets = {0};
    if (!widen_loop(&turns, 0, &sets)) {
        change_body(widener, loop, &body);
        return false;
    }
    tir_bank_mark(&bank.before);
    append(widener, &bank.before, out);
    tir_append(widener->tir, out, &sets);
    append(widener, &bank.behind, out);
    return true;
}

static bool replace_loop(Widener *widener, TirStmt *loop, bool is_step, TirBlock *out) {
    Tir *tir = widener->tir;
    WidenedTurns turns = {.widener = widener, .loop = loop};
    if (!widening_begin(&turns.widening, tir, loop)) {
        return false;
    }
    TirBlock body = loop->for_loop.body;
    TirBlock all = {0};
    if (sum_up(&turns.widening, &body, &all)) {
        tir_count_block(widener->uses, &body, -1);
        append(widener, &all, out);
        tir_remark(tir, "loops", loop->span, (Span){0}, "its turns are summed up at once");
        return true;
    }
    uint32_t least = ELEMENTS_LEAST;
    TirBlock opened = {0};
    if (open_block(widener, &body, &opened)) {
        change_body(widener, loop, &opened);
        least = ELEMENTS_LEAST_OF_BOTH;
    } else if (is_step && widen_bank(widener, loop, turns.widening, out)) {
        return true;
    } else if (is_of_lanes(widener, loop, is_step)) {
        least = ELEMENTS_LEAST_OF_LANES;
    }
    flatten(widener, loop, &turns.widening);
    if (widen_loop(&turns, least, out)) {
        return true;
    }
    if (turns.why != NULL) {
        tell_why(&turns);
    }
    change_body(widener, loop, &body);
    return false;
}

// Once in a step of a component, as `is_step` says, or in turns of a loop.
static void loops_block(Widener *widener, TirBlock *block, bool is_step) {
    TirBlock out = {0};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            loops_block(widener, nested[k], is_step && stmt->kind == STMT_IF);
        }
        if (stmt->kind != STMT_FOR || !replace_loop(widener, stmt, is_step, &out)) {
            LIST_PUSH(widener->tir->arena, &out, stmt);
        }
    }
    *block = out;
}

void pass_loops(Tir *tir, TirProgram *program) {
    for (size_t i = 0; i < program->functions.count; i++) {
        TirFunction *function = program->functions.items[i];
        bool is_step = program->kind == PROGRAM_COMPONENT && function != program->init;
        if (is_step) {
            tir_bank_columns(tir, function);
        }
        Widener widener = {.tir = tir,
                           .function = function,
                           .uses = tir_count_uses(tir->arena, function),
                           .capacity = function->vars.count + 1};
        loops_block(&widener, &function->body, is_step);
    }
}
