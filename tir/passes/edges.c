// Takes the first and the last turns of a loop apart, in which conditions on its variable are for
// the edges of arrays, so that the turns in between have none of these:
//
//     for i = 0:64:                              for i = 0:1: as it was
//         y[i] = x[max(i - 1, 0)]                for i = 1:63: y[i] = x[i - 1] + x[i + 1]
//              + x[min(i + 1, 63)]               for i = 63:64: as it was
//     end
//
// Conditions are comparisons of ints, their remainders, least and greatest ones, which the bounds
// of the loops around decide once i is not at an edge (tir/decide.h), on it and on ints of a turn
// that it gives, which may be corrected: `a = i + 7; if a > 39: a -= 40`. Turns stay in their
// order. Reads any valid TIR without nests and leaves such.
#include "tir/passes/passes.h"

#include "support/bug.h"
#include "tir/constant.h"
#include "tir/decide.h"
#include "tir/overwrite.h"
#include "tir/own.h"
#include "tir/remark.h"
#include "tir/replace.h"
#include "tir/uses.h"
#include "tir/visit.h"

#include <string.h>

enum {
    EDGE_MOST = 64,        // turns
    BETWEEN_LEAST = 8,     // turns
    EDGE_SHARE = 4,        // edges have no more than one of so many turns, each
    CHOICES_MOST = 64,     // bits of a mask
    BODY_NODES = 512,      // of a loop
    FUNCTION_NODES = 4096, // that copies may have
    LONG_LOOP = 16,        // turns
    RARE_MOST = 8,         // turns at an edge that stay a loop
    LOOK_BACK = 8,         // statements
};

typedef struct Given {
    const TirVar *var;
    Interval before;
} Given;

// The variables that a block writes.
typedef LIST_OF(const TirVar *) Written;

typedef struct Splitter {
    Tir *tir;
    TirOwn own;     // of the function
    Interval *vars; // by id, at the place at hand
    size_t capacity;
    unsigned nodes;       // that may still be copied
    LIST_OF(Given) given; // values, in the blocks around
} Splitter;

static void make_room(Splitter *splitter) {
    const TirVars *all = &splitter->own.function->vars;
    if (all->count <= splitter->capacity) {
        return;
    }
    Interval *vars = ARENA_ARRAY(splitter->tir->arena, Interval, 2 * all->count);
    memcpy(vars, splitter->vars, splitter->capacity * sizeof(*vars));
    for (size_t i = splitter->capacity; i < 2 * all->count; i++) {
        vars[i] = interval_all(i < all->count ? all->items[i]->type->root : ROOT_INT);
    }
    splitter->vars = vars;
    splitter->capacity = 2 * all->count;
}

static void give(Splitter *splitter, const TirVar *var, Interval value) {
    if (tir_var_is_local(var) && var->type->root == ROOT_INT && type_is_scalar(var->type)) {
        Given given = {.var = var, .before = splitter->vars[var->id]};
        LIST_PUSH(splitter->tir->arena, &splitter->given, given);
        splitter->vars[var->id] = value;
    }
}

static void forget_written(TirStmt *stmt, void *data) {
    TirVar *written;
    for (size_t k = 0; (written = tir_stmt_written(stmt, k)) != NULL; k++) {
        give(data, written, interval_all(ROOT_INT));
    }
}

// Before a loop: what it writes can be anything where a turn begins.
static void forget(Splitter *splitter, TirStmt *loop) {
    tir_visit_stmts(&(TirBlock){.items = &loop, .count = 1}, forget_written, splitter);
}

// What ints are behind a statement, of one with blocks itself.
static void note_values(Splitter *splitter, TirStmt *stmt) {
    if (tir_sets_whole(stmt)) {
        give(splitter, stmt->set.place->var, interval_of(splitter->vars, stmt->set.value));
    } else {
        forget_written(stmt, splitter);
    }
}

// Values are known to the end of their block. Adds the variables to those that it has written.
static void end_block(Splitter *splitter, size_t mark, Written *written) {
    while (splitter->given.count > mark) {
        Given given = splitter->given.items[--splitter->given.count];
        splitter->vars[given.var->id] = given.before;
        if (written->count == 0 || written->items[written->count - 1] != given.var) {
            LIST_PUSH(splitter->tir->arena, written, given.var);
        }
    }
}

// Behind blocks that may have run, or not: what they have written can be anything.
static void forget_all(Splitter *splitter, const Written *written) {
    Interval all = interval_all(ROOT_INT);
    for (size_t i = 0; i < written->count; i++) {
        Interval known = splitter->vars[written->items[i]->id];
        if (known.least != all.least || known.most != all.most) {
            give(splitter, written->items[i], all);
        }
    }
}

// The side of a branch that is taken where ints are as they are known to be; NULL: either.
static const TirBlock *taken_side(const Splitter *splitter, const TirStmt *branch) {
    const TirExpr *condition = decide_expr(splitter->tir, splitter->vars, branch->branch.condition);
    return condition->kind != EXPR_CONST ? NULL
           : condition->data[0].boolean  ? &branch->branch.then
                                         : &branch->branch.otherwise;
}

// The choices of a loop's body, by number in the order of the text.
typedef struct Choices {
    Splitter *splitter;
    unsigned count, nodes;
    unsigned loops; // around the place at hand, in the body
    uint64_t decided;
    uint64_t in_loops;
    bool is_possible, has_long_loops;
} Choices;

static void see_expr(const TirExpr *expr, void *data) {
    Choices *choices = data;
    choices->nodes++;
    if (decide_is_choice(expr)) {
        if (choices->count < CHOICES_MOST) {
            uint64_t bit = UINT64_C(1) << choices->count;
            choices->decided |= decide_holds(choices->splitter->vars, expr) ? bit : 0;
            choices->in_loops |= choices->loops > 0 ? bit : 0;
        }
        choices->count++;
    }
    tir_read_operands(expr, see_expr, data);
}

static void see_block(Choices *choices, const TirBlock *block, Written *written);
static void see_stmts(Choices *choices, const TirBlock *block);

static void see_loop(Choices *choices, TirStmt *loop) {
    uint64_t turns;
    const Interval *vars = choices->splitter->vars;
    Interval range = interval_of_loop(vars, loop, &turns);
    choices->has_long_loops |= turns > LONG_LOOP;
    choices->loops++;
    tir_read_exprs(loop, see_expr, choices);
    forget(choices->splitter, loop);
    choices->splitter->vars[loop->for_loop.var->id] = range;
    see_block(choices, &loop->for_loop.body, &(Written){0});
    choices->loops--;
}

// What the side of a branch that is always taken gives is known behind it.
static void see_branch(Choices *choices, TirStmt *stmt) {
    tir_read_exprs(stmt, see_expr, choices);
    const TirBlock *taken = taken_side(choices->splitter, stmt);
    const TirBlock *sides[] = {&stmt->branch.then, &stmt->branch.otherwise};
    Written written = {0};
    for (size_t k = 0; k < 2; k++) {
        if (sides[k] == taken) {
            see_stmts(choices, sides[k]);
        } else {
            see_block(choices, sides[k], &written);
        }
    }
    if (taken == NULL) {
        forget_all(choices->splitter, &written);
    }
}

static void see_stmt(Choices *choices, TirStmt *stmt) {
    switch (stmt->kind) {
    case STMT_FOR: see_loop(choices, stmt); return;
    case STMT_IF: see_branch(choices, stmt); return;
    case STMT_SET:
    case STMT_BREAK:
    case STMT_CONTINUE:
    case STMT_RETURN:
        tir_read_exprs(stmt, see_expr, choices);
        note_values(choices->splitter, stmt);
        return;
    case STMT_NEST:
    case STMT_CALL:
    case STMT_WHILE:
    case STMT_PRINT:
    case STMT_INPUT:
    case STMT_OUTPUT:
    case STMT_ASSERT: choices->is_possible = false; return;
    }
    UNREACHABLE();
}

static void see_stmts(Choices *choices, const TirBlock *block) {
    for (size_t i = 0; i < block->count && choices->is_possible; i++) {
        see_stmt(choices, block->items[i]);
        choices->is_possible = choices->is_possible && choices->nodes <= BODY_NODES;
    }
}

static void see_block(Choices *choices, const TirBlock *block, Written *written) {
    size_t mark = choices->splitter->given.count;
    see_stmts(choices, block);
    end_block(choices->splitter, mark, written);
}

// What is decided in the turns from `first` to `last`.
static Choices choices_in(Splitter *splitter, const TirStmt *loop, int64_t first, int64_t last) {
    Choices choices = {.splitter = splitter, .is_possible = true};
    splitter->vars[loop->for_loop.var->id] = (Interval){first, last};
    see_block(&choices, &loop->for_loop.body, &(Written){0});
    return choices;
}

// A loop with turns at its edges: so many before, and after, those in between.
typedef struct Split {
    int64_t first, last; // turns
    int64_t before, after;
    unsigned nodes;
} Split;

static uint64_t decided_between(Splitter *splitter, const TirStmt *loop, const Split *split,
                                int64_t before, int64_t after) {
    return choices_in(splitter, loop, split->first + before, split->last - after).decided;
}

// The fewest turns at the edges between which all of `wanted` is decided.
static void shrink_edges(Splitter *splitter, const TirStmt *loop, Split *split, uint64_t wanted) {
    int64_t *const edges[] = {&split->before, &split->after};
    for (unsigned k = 0; k < 2; k++) {
        int64_t least = 0, most = *edges[k];
        while (least < most) {
            *edges[k] = (least + most) / 2;
            uint64_t decided = decided_between(splitter, loop, split, split->before, split->after);
            if ((decided & wanted) == wanted) {
                most = *edges[k];
            } else {
                least = *edges[k] + 1;
            }
        }
        *edges[k] = most;
    }
}

// Whether some of the body's choices are decided between edges, where these are worth code of
// their own: choices in loops inside, or of a loop without long ones.
static bool plan_split(Splitter *splitter, TirStmt *loop, Split *split) {
    ConstantTurns turns;
    bool is_counted = constant_turns(splitter->tir, loop, &turns) && turns.step == 1;
    if (!is_counted || turns.count < BETWEEN_LEAST + 1 ||
        tir_block_jumps(&loop->for_loop.body, STMT_BREAK)) {
        return false;
    }
    *split = (Split){.first = turns.first, .last = turns.first + turns.count - 1};
    forget(splitter, loop);
    Choices all = choices_in(splitter, loop, split->first, split->last);
    if (!all.is_possible || all.count == 0 || all.count > CHOICES_MOST) {
        return false;
    }
    int64_t most = turns.count / EDGE_SHARE < EDGE_MOST ? turns.count / EDGE_SHARE : EDGE_MOST;
    uint64_t wanted = ~all.decided & decided_between(splitter, loop, split, most, most);
    wanted &= all.has_long_loops ? all.in_loops : ~UINT64_C(0);
    if (wanted == 0) {
        return false;
    }
    split->before = split->after = most;
    shrink_edges(splitter, loop, split, wanted);
    unsigned copies = split->before > 0 && split->after > 0 ? 2 : 1;
    split->nodes = all.nodes * copies;
    return turns.count - split->before - split->after >= BETWEEN_LEAST &&
           split->nodes <= splitter->nodes;
}

static bool has_loop(const TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        if (block->items[i]->kind == STMT_FOR) {
            return true;
        }
    }
    return false;
}

// A copy of the loop for turns at an edge, appended to `out`.
static void copy_loop(Splitter *splitter, TirStmt *loop, int64_t first, int64_t end,
                      TirBlock *out) {
    own_copy(&splitter->own, &(TirBlock){.items = &loop, .count = 1}, out);
    make_room(splitter);
    TirStmt *copy = out->items[out->count - 1];
    copy->for_loop.is_rare = end - first <= RARE_MOST || has_loop(&copy->for_loop.body);
    tir_set_turns(splitter->tir, copy, first, end);
}

static void decide_operand(TirExpr **operand, void *data) {
    const Splitter *splitter = data;
    *operand = decide_expr(splitter->tir, splitter->vars, *operand);
}

// What holds in all turns of a loop.
static void enter_loop(Splitter *splitter, TirStmt *loop) {
    Interval range = interval_of_loop(splitter->vars, loop, NULL);
    forget(splitter, loop);
    splitter->vars[loop->for_loop.var->id] = range;
}

static bool is_left(const TirBlock *block) {
    TirStmtKind last = block->count == 0 ? STMT_SET : block->items[block->count - 1]->kind;
    return last == STMT_BREAK || last == STMT_CONTINUE || last == STMT_RETURN;
}

static void decide_block(Splitter *splitter, TirBlock *block, Written *written);

// Puts in what the turns of the loops around decide, branches too.
static void decide_stmts(Splitter *splitter, const TirBlock *block, TirBlock *out) {
    for (size_t i = 0; i < block->count && !is_left(out); i++) {
        TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_WHILE) {
            forget(splitter, stmt);
        }
        tir_visit_exprs(stmt, decide_operand, splitter);
        const TirBlock *taken = stmt->kind == STMT_IF ? taken_side(splitter, stmt) : NULL;
        if (taken != NULL) {
            decide_stmts(splitter, taken, out);
            continue;
        }
        if (stmt->kind == STMT_FOR) {
            enter_loop(splitter, stmt);
        }
        TirBlock *nested[2];
        Written written = {0};
        size_t count = tir_stmt_blocks(stmt, nested);
        for (size_t k = 0; k < count; k++) {
            decide_block(splitter, nested[k], &written);
        }
        forget_all(splitter, &written);
        note_values(splitter, stmt);
        LIST_PUSH(splitter->tir->arena, out, stmt);
    }
}

static void decide_block(Splitter *splitter, TirBlock *block, Written *written) {
    TirBlock out = {0};
    size_t mark = splitter->given.count;
    decide_stmts(splitter, block, &out);
    end_block(splitter, mark, written);
    *block = out;
}

// A part of a loop, of which fewer uses may be left.
static void decide_part(Splitter *splitter, TirStmt *loop) {
    TirBlock *body = &loop->for_loop.body;
    enter_loop(splitter, loop);
    own_begin_change(&splitter->own, body);
    decide_block(splitter, body, &(Written){0});
    own_end_change(&splitter->own, body);
}

// Drops what was set of an array before a loop that writes all of it, which the parts of the loop
// would hide.
static void drop_overwritten(Splitter *splitter, TirStmt *loop, TirBlock *out) {
    Tir *tir = splitter->tir;
    size_t first = out->count - (out->count < LOOK_BACK ? out->count : LOOK_BACK);
    TirBlock now = {0};
    for (size_t i = first; i < out->count; i++) {
        LIST_PUSH(tir->arena, &now, out->items[i]);
    }
    LIST_PUSH(tir->arena, &now, loop);
    own_count(&splitter->own, &now, -1);
    out->count = first;
    TirBlock kept = {0};
    for (size_t i = 0; i < now.count; i++) {
        if (!tir_is_overwritten(tir, &now, i)) {
            LIST_PUSH(tir->arena, &kept, now.items[i]);
        }
    }
    own_count(&splitter->own, &kept, 1);
    for (size_t i = 0; i + 1 < kept.count; i++) {
        LIST_PUSH(tir->arena, out, kept.items[i]);
    }
}

static void split_loop(Splitter *splitter, TirStmt *loop, const Split *split, TirBlock *parts) {
    Tir *tir = splitter->tir;
    splitter->nodes -= split->nodes;
    int64_t first = split->first + split->before, last = split->last - split->after;
    if (split->before > 0) {
        copy_loop(splitter, loop, split->first, first, parts);
    }
    LIST_PUSH(tir->arena, parts, loop);
    if (split->after > 0) {
        copy_loop(splitter, loop, last + 1, split->last + 1, parts);
    }
    tir_set_turns(tir, loop, first, last + 1);
    for (size_t i = 0; i < parts->count; i++) {
        decide_part(splitter, parts->items[i]);
    }
    tir_remark(tir, "edges", loop->span, (Span){0},
               "its turns from %lld to %lld are apart from those at the edges", (long long)first,
               (long long)last);
}

static void split_block(Splitter *splitter, TirBlock *block, Written *written);

static void split_nested(Splitter *splitter, TirStmt *stmt) {
    if (stmt->kind == STMT_FOR) {
        enter_loop(splitter, stmt);
    } else if (stmt->kind == STMT_WHILE) {
        forget(splitter, stmt);
    }
    TirBlock *nested[2];
    Written written = {0};
    size_t count = tir_stmt_blocks(stmt, nested);
    for (size_t k = 0; k < count; k++) {
        split_block(splitter, nested[k], &written);
    }
    forget_all(splitter, &written);
}

// The statements of a loop with one turn for the loop.
static void push_part(Splitter *splitter, TirStmt *loop, TirBlock *out) {
    Tir *tir = splitter->tir;
    ConstantTurns turns;
    TirBlock *body = &loop->for_loop.body;
    if (!constant_turns(tir, loop, &turns) || turns.count > 1 ||
        tir_block_jumps(body, STMT_CONTINUE)) {
        LIST_PUSH(tir->arena, out, loop);
        return;
    }
    TirExpr *turn = loop->for_loop.first;
    for (size_t i = 0; i < body->count; i++) {
        tir_put_in(tir, body->items[i], loop->for_loop.var, turn);
        LIST_PUSH(tir->arena, out, body->items[i]);
    }
}

static void split_block(Splitter *splitter, TirBlock *block, Written *written) {
    TirBlock out = {0};
    size_t mark = splitter->given.count;
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        Split split;
        if (stmt->kind == STMT_FOR && plan_split(splitter, stmt, &split)) {
            drop_overwritten(splitter, stmt, &out);
            TirBlock parts = {0};
            split_loop(splitter, stmt, &split, &parts);
            for (size_t k = 0; k < parts.count; k++) {
                split_nested(splitter, parts.items[k]);
                push_part(splitter, parts.items[k], &out);
            }
        } else {
            split_nested(splitter, stmt);
            LIST_PUSH(splitter->tir->arena, &out, stmt);
        }
        note_values(splitter, stmt);
    }
    end_block(splitter, mark, written);
    *block = out;
}

void pass_edges(Tir *tir, TirFunction *function) {
    Splitter splitter = {
        .tir = tir,
        .own = own_create(tir, function),
        .vars = interval_vars(tir->arena, function),
        .capacity = function->vars.count,
        .nodes = FUNCTION_NODES,
    };
    split_block(&splitter, &function->body, &(Written){0});
}
