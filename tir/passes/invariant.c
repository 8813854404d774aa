// Finds integers of a component's state that a step leaves in a range if it finds them there, as
// the position in a ring buffer, and makes output_fnc and update_fnc once more for that. `step_n`
// uses them where none of their indices fails then: what it does is straight on, with the state in
// registers. Reads and leaves any valid TIR.
//
//     d = line[check @at]                 at = at.0        # 0 to 49
//     @line[check @at] = t.x              d = line[at]
//     @at = (@at + 1) % 50                @line[at] = t.x
//                                         at = (at + 1) % 50
//                                         @at = at
//
// A range is what a `while` of such steps leaves the integer in (tir/ranges.h), from the value that
// init gives it. The host may have written to the state: whoever calls the functions looks first.
#include "tir/passes/passes.h"

#include "support/bug.h"
#include "tir/clone.h"
#include "tir/constant.h"
#include "tir/prove.h"
#include "tir/ranges.h"
#include "tir/remark.h"
#include "tir/replace.h"
#include "tir/returns.h"
#include "tir/take_in.h"
#include "tir/uses.h"

enum {
    VARS_MOST = 8,
    STATEMENTS_MOST = 64, // of a function, with those that it calls
};

typedef struct Found {
    TirVar *var;
    Interval range; // first what init gives it, then what steps leave it in
    TirVar *local;  // what it is in the function at hand
} Found;

typedef struct FoundList {
    Found items[VARS_MOST];
    size_t count;
} FoundList;

// What init gives a variable is added to the range; false: that is not known.
static bool join_sets(Tir *tir, TirBlock *block, const TirVar *var, Interval *range) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        int64_t value;
        if (tir_sets_var(stmt, var) && constant_integer(tir, stmt->set.value, &value)) {
            *range = interval_join(*range, (Interval){value, value});
        } else if (tir_stmt_writes(stmt, var)) {
            return false;
        }
    }
    return true;
}

static bool begins_in(Tir *tir, const TirProgram *program, const TirVar *var, Interval *range) {
    Interval none = {1, 0};
    *range = none;
    if (program->init != NULL && !join_sets(tir, &program->init->body, var, range)) {
        return false;
    }
    *range = interval_is_empty(*range) ? (Interval){0, 0} : *range;
    return true;
}

// By a step, or by what it calls.
static bool is_written(const TirProgram *program, const TirVar *var) {
    for (size_t i = 0; i < program->functions.count; i++) {
        const TirFunction *function = program->functions.items[i];
        if (function != program->init && tir_block_writes(&function->body, var)) {
            return true;
        }
    }
    return false;
}

static FoundList find_vars(Tir *tir, const TirProgram *program) {
    FoundList found = {.count = 0};
    for (size_t i = 0; i < program->globals.count && found.count < VARS_MOST; i++) {
        TirVar *var = program->globals.items[i];
        Interval range;
        if (root_is_integer(var->type->root) && type_is_scalar(var->type) &&
            tir_var_is_of_file(program, var) && is_written(program, var) &&
            begins_in(tir, program, var, &range)) {
            found.items[found.count++] = (Found){.var = var, .range = range};
        }
    }
    return found;
}

static TirVar *create_as(Tir *tir, TirFunction *function, TirVarRole role, const TirVar *var) {
    return tir_var_create(tir, function, role, var->name, var->type, var->span);
}

// Numbers that a call passes, in the statements of the function in its place. Parameters come first
// there, and nothing else writes them.
static void put_numbers(Tir *tir, const TirFunction *callee, const TirBlock *taken) {
    size_t at = 0;
    for (size_t i = 0; i < callee->param_count; i++) {
        if (callee->params[i]->role == VAR_INOUT) {
            continue;
        }
        const TirStmt *set = taken->items[at++];
        for (size_t k = at; constant_is_int(set->set.value) && k < taken->count; k++) {
            tir_put_in(tir, taken->items[k], set->set.place->var, set->set.value);
        }
    }
}

// Puts functions where the block calls them, and what these call; false: there are others than
// functions of the file, or too many statements.
static bool take_calls_in(Tir *tir, TirFunction *function, TirBlock *block, size_t *left) {
    TirBlock out = {0};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (*left == 0) {
            return false;
        }
        --*left;
        if (stmt->kind == STMT_CALL) {
            TirFunction *callee = stmt->call.function;
            if (callee->instance != NULL || stmt->call.derivative != NULL ||
                tir_body_of(callee).stays) {
                return false;
            }
            TirBlock taken = {0};
            tir_take_in(tir, function, stmt, false, &taken);
            put_numbers(tir, callee, &taken);
            if (!take_calls_in(tir, function, &taken, left)) {
                return false;
            }
            tir_append(tir, &out, &taken);
            continue;
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            if (!take_calls_in(tir, function, nested[k], left)) {
                return false;
            }
        }
        LIST_PUSH(tir->arena, &out, stmt);
    }
    *block = out;
    return true;
}

// Appends a copy of a function's body, with their locals for what was found, and what it calls;
// false: it does more than compute.
static bool append_copy(Tir *tir, TirFunction *from, const FoundList *found, TirFunction *to,
                        TirBlock *block) {
    if (tir_body_of(from).stays) {
        return false;
    }
    TirClone clone = clone_vars(tir, from, to);
    TirBlock copy = {0};
    size_t left = STATEMENTS_MOST;
    clone_block(&clone, &from->body, &copy);
    tir_without_returns(tir, &copy);
    if (!take_calls_in(tir, to, &copy, &left) || !tir_is_plain(&copy)) {
        return false;
    }
    for (size_t i = 0; i < copy.count; i++) {
        for (size_t k = 0; k < found->count; k++) {
            const Found *item = &found->items[k];
            tir_replace_in(tir, copy.items[i], item->var,
                           tir_read(tir, item->local, item->var->span));
        }
        LIST_PUSH(tir->arena, block, copy.items[i]);
    }
    return true;
}

static void walk(Tir *tir, const TirFunction *function, Ranges *ranges) {
    RangesVisitor nobody = {.data = NULL};
    ranges_walk_function(ranges, tir->arena, function, &nobody);
}

// Puts what a `while` of steps leaves the variables in, and takes out what is left anywhere. False:
// there is nothing to gain, because steps do more than compute or never fail.
static bool find_ranges(Tir *tir, const TirProgram *program, FoundList *found) {
    TirFunction steps = {.name = program->output->name};
    for (size_t k = 0; k < found->count; k++) {
        Found *item = &found->items[k];
        item->local = create_as(tir, &steps, VAR_LOCAL, item->var);
        item->local->within = &item->range;
    }
    Span span = program->output->span;
    TirStmt *loop = tir_stmt(tir, &steps.body, STMT_WHILE, span);
    loop->while_loop.condition = tir_const_bool(tir, true, span);
    TirBlock *cycle = &loop->while_loop.body;
    if (!append_copy(tir, program->output, found, &steps, cycle) ||
        (program->update != NULL && !append_copy(tir, program->update, found, &steps, cycle)) ||
        tir_only_computes(cycle)) {
        return false;
    }
    Ranges ranges;
    walk(tir, &steps, &ranges);
    size_t kept = 0;
    for (size_t k = 0; k < found->count; k++) {
        Found item = found->items[k];
        item.range = ranges.vars[item.local->id];
        if (!interval_is_within(interval_all(item.var->type->root), item.range)) {
            found->items[kept++] = item;
        }
    }
    found->count = kept;
    return kept > 0;
}

// What is given to a parameter goes to the local variable, and that to the state if it is written.
static void add_sets(Tir *tir, TirFunction *function, const FoundList *found, TirBlock *body) {
    TirBlock out = {0};
    for (size_t k = 0; k < found->count; k++) {
        const Found *item = &found->items[k];
        Span span = item->var->span;
        tir_set_var(tir, &out, item->local, tir_read(tir, function->params[k], span), span);
    }
    tir_append(tir, &out, body);
    for (size_t k = 0; k < found->count; k++) {
        const Found *item = &found->items[k];
        Span span = item->var->span;
        if (tir_block_writes(body, item->local)) {
            tir_set_var(tir, &out, item->var, tir_read(tir, item->local, span), span);
        }
    }
    *body = out;
}

// The function once more, with what was found as parameters; puts the ranges at its end in the
// place of those at its beginning. NULL: it may fail all the same.
static TirFunction *make_function(Tir *tir, TirFunction *from, FoundList *found) {
    TirFunction *function = clone_function(tir, from, "within");
    function->params = ARENA_ARRAY(tir->arena, TirVar *, found->count);
    function->param_count = found->count;
    for (size_t k = 0; k < found->count; k++) {
        Found *item = &found->items[k];
        Interval *range = ARENA_NEW(tir->arena, Interval);
        *range = item->range;
        function->params[k] = create_as(tir, function, VAR_PARAM, item->var);
        function->params[k]->within = range;
        item->local = create_as(tir, function, VAR_LOCAL, item->var);
    }
    CHECK(append_copy(tir, from, found, function, &function->body)); // as for the ranges
    add_sets(tir, function, found, &function->body);
    prove_function(tir, function);
    Ranges ranges;
    walk(tir, function, &ranges);
    for (size_t k = 0; k < found->count; k++) {
        found->items[k].range = ranges.vars[found->items[k].local->id];
    }
    return tir_only_computes(&function->body) ? function : NULL;
}

static bool stay_within(const FoundList *begin, const FoundList *end) {
    for (size_t k = 0; k < begin->count; k++) {
        if (!interval_is_within(end->items[k].range, begin->items[k].range)) {
            return false;
        }
    }
    return true;
}

static void note_vars(Tir *tir, TirInvariants *invariants, const FoundList *found) {
    for (size_t k = 0; k < found->count; k++) {
        Found item = found->items[k];
        TirInvariant invariant = {item.var, item.range.least, item.range.most};
        LIST_PUSH(tir->arena, &invariants->vars, invariant);
        tir_remark(tir, "invariant", item.var->span, (Span){0},
                   "steps leave %s between %lld and %lld: no step of `step_n` looks",
                   tir_remark_name(tir, item.var), (long long)item.range.least,
                   (long long)item.range.most);
    }
}

void pass_invariant(Tir *tir, TirProgram *program) {
    if (program->kind != PROGRAM_COMPONENT || program->symbol != NULL || program->is_tested ||
        tir->is_small || program->output == NULL) {
        return;
    }
    FoundList found = find_vars(tir, program);
    if (found.count == 0 || !find_ranges(tir, program, &found)) {
        return;
    }
    FoundList at_end = found;
    TirInvariants made = {.output = make_function(tir, program->output, &at_end)};
    bool has_update = program->update != NULL;
    made.update = has_update ? make_function(tir, program->update, &at_end) : NULL;
    if (made.output == NULL || (has_update && made.update == NULL) ||
        !stay_within(&found, &at_end)) {
        return;
    }
    tir_add_function(tir, program, made.output);
    if (has_update) {
        tir_add_function(tir, program, made.update);
    }
    note_vars(tir, &made, &found);
    program->invariants = made;
}
