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

#include "tir/clone.h"
#include "tir/constant.h"
#include "tir/prove.h"
#include "tir/ranges.h"
#include "tir/remark.h"
#include "tir/replace.h"
#include "tir/uses.h"

enum { VARS_MOST = 8 };

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
        if (constant_sets(stmt, var) && constant_integer(tir, stmt->set.value, &value)) {
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

static bool is_written(const TirProgram *program, const TirVar *var) {
    return tir_block_writes(&program->output->body, var) ||
           (program->update != NULL && tir_block_writes(&program->update->body, var));
}

static FoundList find_vars(Tir *tir, const TirProgram *program) {
    FoundList found = {.count = 0};
    for (size_t i = 0; i < program->globals.count && found.count < VARS_MOST; i++) {
        TirVar *var = program->globals.items[i];
        Root root = var->type->root;
        Interval range;
        if ((root == ROOT_INT || root == ROOT_UINT) && type_is_scalar(var->type) &&
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

// Appends a copy of a function's body, with their locals for what was found.
static void append_copy(Tir *tir, const TirFunction *from, const FoundList *found, TirFunction *to,
                        TirBlock *block) {
    TirClone clone = {tir, ARENA_ARRAY(tir->arena, TirVar *, from->vars.count + 1)};
    for (size_t i = 0; i < from->vars.count; i++) {
        const TirVar *var = from->vars.items[i];
        clone.vars[i] = create_as(tir, to, var->role, var);
    }
    size_t first = block->count;
    clone_block(&clone, &from->body, block);
    for (size_t k = 0; k < found->count; k++) {
        const Found *item = &found->items[k];
        TirExpr *local = tir_read(tir, item->local, item->var->span);
        for (size_t i = first; i < block->count; i++) {
            tir_replace_in(tir, block->items[i], item->var, local);
        }
    }
}

static void walk(Tir *tir, const TirFunction *function, Ranges *ranges) {
    RangesVisitor nobody = {.data = NULL};
    ranges_walk_function(ranges, tir->arena, function, &nobody);
}

// Puts what a `while` of steps leaves the variables in, and takes out what is left anywhere.
static void find_ranges(Tir *tir, const TirProgram *program, FoundList *found) {
    TirFunction steps = {.name = program->output->name};
    for (size_t k = 0; k < found->count; k++) {
        Found *item = &found->items[k];
        item->local = create_as(tir, &steps, VAR_LOCAL, item->var);
        item->local->within = &item->range;
    }
    Span span = program->output->span;
    TirStmt *loop = tir_stmt(tir, &steps.body, STMT_WHILE, span);
    loop->while_loop.condition = tir_const_bool(tir, true, span);
    append_copy(tir, program->output, found, &steps, &loop->while_loop.body);
    if (program->update != NULL) {
        append_copy(tir, program->update, found, &steps, &loop->while_loop.body);
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
}

// The function once more, with what was found as parameters; puts the ranges at its end in the
// place of those at its beginning.
static TirFunction *make_function(Tir *tir, const TirFunction *from, FoundList *found) {
    TirFunction *function = ARENA_NEW(tir->arena, TirFunction);
    *function = *from;
    function->symbol = arena_format(tir->arena, "%s.within", from->symbol);
    function->name = names_intern_text(tir->names, function->symbol);
    function->params = ARENA_ARRAY(tir->arena, TirVar *, found->count);
    function->param_count = found->count;
    function->vars = (TirVars){0};
    function->body = (TirBlock){0};
    for (size_t k = 0; k < found->count; k++) {
        Found *item = &found->items[k];
        Span span = item->var->span;
        Interval *range = ARENA_NEW(tir->arena, Interval);
        *range = item->range;
        function->params[k] = create_as(tir, function, VAR_PARAM, item->var);
        function->params[k]->within = range;
        item->local = create_as(tir, function, VAR_LOCAL, item->var);
        tir_set(tir, &function->body, tir_read(tir, item->local, span),
                tir_read(tir, function->params[k], span), span);
    }
    append_copy(tir, from, found, function, &function->body);
    for (size_t k = 0; k < found->count; k++) {
        const Found *item = &found->items[k];
        Span span = item->var->span;
        if (tir_block_writes(&from->body, item->var)) {
            tir_set(tir, &function->body, tir_read(tir, item->var, span),
                    tir_read(tir, item->local, span), span);
        }
    }
    prove_function(tir, function);
    Ranges ranges;
    walk(tir, function, &ranges);
    for (size_t k = 0; k < found->count; k++) {
        found->items[k].range = ranges.vars[found->items[k].local->id];
    }
    return function;
}

static void add_function(Tir *tir, TirProgram *program, TirFunction *function) {
    function->id = (uint32_t)program->functions.count;
    LIST_PUSH(tir->arena, &program->functions, function);
}

// Whether nothing fails in either function.
static bool only_compute(TirFunction *output, TirFunction *update) {
    return tir_only_computes(&output->body) && (update == NULL || tir_only_computes(&update->body));
}

static bool are_plain(TirFunction *output, TirFunction *update) {
    return tir_is_plain(&output->body) && (update == NULL || tir_is_plain(&update->body));
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
    TirFunction *output = program->output, *update = program->update;
    if (program->kind != PROGRAM_COMPONENT || program->symbol != NULL || program->is_tested ||
        tir->is_small || output == NULL || !are_plain(output, update) ||
        only_compute(output, update)) {
        return;
    }
    FoundList found = find_vars(tir, program);
    if (found.count > 0) {
        find_ranges(tir, program, &found);
    }
    if (found.count == 0) {
        return;
    }
    FoundList at_end = found;
    TirInvariants made = {.output = make_function(tir, output, &at_end)};
    made.update = update != NULL ? make_function(tir, update, &at_end) : NULL;
    if (!stay_within(&found, &at_end) || !only_compute(made.output, made.update)) {
        return;
    }
    add_function(tir, program, made.output);
    if (made.update != NULL) {
        add_function(tir, program, made.update);
    }
    note_vars(tir, &made, &found);
    program->invariants = made;
}
