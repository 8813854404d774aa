// Runs the statements that checking makes of a constant with calls in it, and of the functions that
// it calls, before any pass has seen them. What it computes are the values of tir/constant.c: the
// same on every machine that compiles, at every -O and for every target, but for the last places of
// the C library's functions. Every operation on a scalar is counted, so that it ends. Shares no
// code with the reference evaluator, which is to find mistakes here.
#include "tir/constant_call.h"

#include "support/bug.h"
#include "support/memory.h"
#include "tir/evaluation.h"
#include "tir/visit.h"

#include <stdlib.h>
#include <string.h>

// How a block or statement ended.
typedef enum Outcome { GOES_ON, BREAKS, CONTINUES, RETURNS, FAILS } Outcome;

static void open_frame(Evaluation *evaluation, EvaluationWork *work, Tir *tir, uint32_t first,
                       uint32_t count) {
    *evaluation = (Evaluation){.tir = tir, .work = work, .first_var = first, .var_count = count};
    evaluation->vars = memory_zeroed(memory_product((size_t)count + 1, sizeof(TirScalar *)));
}

static void close_frame(Evaluation *evaluation) {
    for (uint32_t k = 0; k < evaluation->var_count; k++) {
        free(evaluation->vars[k]);
    }
    free(evaluation->vars);
}

// The scalars of a variable that is written; NULL when there is no room for it.
static TirScalar *storage_of(Evaluation *evaluation, const TirVar *var) {
    if (tir_var_is_global(var) || var->id < evaluation->first_var) {
        evaluation_fails(evaluation, (ConstantTrouble){.why = CONSTANT_VARIES});
        return NULL;
    }
    CHECK(var->id - evaluation->first_var < evaluation->var_count);
    TirScalar **slot = &evaluation->vars[var->id - evaluation->first_var];
    if (*slot == NULL && evaluation_spend(evaluation, var->type->numel)) {
        *slot = memory_zeroed(memory_product(var->type->numel, sizeof(TirScalar)));
    }
    return *slot;
}

static Outcome run_block(Evaluation *evaluation, const TirBlock *block);

// The positions of a place in its variable, for positions in the place.
static bool through_place(Evaluation *evaluation, const TirExpr *place, uint32_t *positions,
                          size_t count) {
    for (; place->kind != EXPR_VAR;
         place = place->kind == EXPR_VIEW ? place->view.operand : place->operand) {
        if (place->kind == EXPR_VIEW &&
            !evaluation_through_view(evaluation, place, positions, count)) {
            return false;
        }
    }
    return true;
}

static bool set_scalar(Evaluation *evaluation, const TirStmt *stmt) {
    TirScalar value;
    uint32_t position = 0;
    const TirExpr *place = stmt->set.place;
    if (!evaluation_scalar(evaluation, stmt->set.value, &value) ||
        !through_place(evaluation, place, &position, 1)) {
        return false;
    }
    TirScalar *var = storage_of(evaluation, tir_place_var(place));
    if (var != NULL) {
        var[position] = value;
    }
    return var != NULL;
}

// The value is complete before the place changes (L6.3).
static bool set_array(Evaluation *evaluation, const TirStmt *stmt) {
    const TirExpr *place = stmt->set.place;
    const TirScalar *values = evaluation_values(evaluation, stmt->set.value);
    TirScalar *var = values == NULL ? NULL : storage_of(evaluation, tir_place_var(place));
    if (var == NULL) {
        return false;
    }
    size_t count = place->type->numel;
    if (place->kind == EXPR_VAR) {
        memmove(var, values, count * sizeof(*var));
        return true;
    }
    Arena *arena = evaluation_arena(evaluation);
    if (values == var) {
        TirScalar *copy = ARENA_ARRAY(arena, TirScalar, count);
        memcpy(copy, values, count * sizeof(*copy));
        values = copy;
    }
    uint32_t *positions = ARENA_ARRAY(arena, uint32_t, count);
    for (size_t i = 0; i < count; i++) {
        positions[i] = (uint32_t)i;
    }
    if (!through_place(evaluation, place, positions, count)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        var[positions[i]] = values[i];
    }
    return true;
}

static Outcome run_set(Evaluation *evaluation, const TirStmt *stmt) {
    const Type *type = stmt->set.place->type;
    bool ok = evaluation_spend(evaluation, type->numel) &&
              (type->numel == 1 ? set_scalar(evaluation, stmt) : set_array(evaluation, stmt));
    return ok ? GOES_ON : FAILS;
}

static bool give_argument(Evaluation *caller, Evaluation *callee, const TirVar *param,
                          const TirExpr *argument) {
    // What a function only writes may have no value before.
    if (param->role == VAR_INOUT && storage_of(caller, argument->var) == NULL) {
        return false;
    }
    const TirScalar *values = evaluation_values(caller, argument);
    TirScalar *to = values == NULL ? NULL : storage_of(callee, param);
    if (to != NULL) {
        memcpy(to, values, param->type->numel * sizeof(*to));
    }
    return to != NULL;
}

static bool take_back(Evaluation *caller, Evaluation *callee, const TirVar *inner,
                      const TirVar *var) {
    const TirScalar *from = storage_of(callee, inner);
    TirScalar *to = from == NULL ? NULL : storage_of(caller, var);
    if (to != NULL) {
        memcpy(to, from, var->type->numel * sizeof(*to));
    }
    return to != NULL;
}

// Results, and what was given to in-out parameters.
static bool take_results(Evaluation *caller, Evaluation *callee, const TirStmt *stmt) {
    const TirFunction *function = stmt->call.function;
    bool ok = true;
    for (size_t k = 0; k < function->results.count && ok; k++) {
        ok = take_back(caller, callee, function->results.items[k], stmt->call.results.items[k]);
    }
    for (size_t k = 0; k < function->param_count && ok; k++) {
        ok = function->params[k]->role != VAR_INOUT ||
             take_back(caller, callee, function->params[k], stmt->call.args[k]->var);
    }
    return ok;
}

static bool is_pure(const TirFunction *function) {
    return !function->reads_globals && !function->writes_globals && !function->has_effects &&
           !function->uses_interface;
}

static Outcome run_call(Evaluation *evaluation, const TirStmt *stmt) {
    const TirFunction *function = stmt->call.function;
    if (function->has_errors || !is_pure(function)) {
        ConstantWhy why = function->has_errors ? CONSTANT_BROKEN : CONSTANT_VARIES;
        evaluation_fails(evaluation, (ConstantTrouble){.why = why, .function = function});
        return FAILS;
    }
    if (!evaluation_spend(evaluation, 1 + function->vars.count / 8)) {
        return FAILS;
    }
    Evaluation callee;
    open_frame(&callee, evaluation->work, evaluation->tir, 0, (uint32_t)function->vars.count);
    bool ok = true;
    for (size_t k = 0; k < stmt->call.arg_count && ok; k++) {
        ok = give_argument(evaluation, &callee, function->params[k], stmt->call.args[k]);
    }
    ok = ok && run_block(&callee, &function->body) != FAILS &&
         take_results(evaluation, &callee, stmt);
    close_frame(&callee);
    return ok ? GOES_ON : FAILS;
}

static Outcome run_if(Evaluation *evaluation, const TirStmt *stmt) {
    TirScalar condition;
    if (!evaluation_scalar(evaluation, stmt->branch.condition, &condition)) {
        return FAILS;
    }
    return run_block(evaluation, condition.boolean ? &stmt->branch.then : &stmt->branch.otherwise);
}

// Whether a loop ends after a run of its body; a break ends only the loop.
static bool ends_loop(Outcome *outcome) {
    bool ends = *outcome != GOES_ON && *outcome != CONTINUES;
    if (*outcome == BREAKS || *outcome == CONTINUES) {
        *outcome = GOES_ON;
    }
    return ends;
}

static Outcome run_for(Evaluation *evaluation, const TirStmt *stmt) {
    TirScalar first, last, step;
    TirScalar *var = storage_of(evaluation, stmt->for_loop.var);
    if (var == NULL || !evaluation_scalar(evaluation, stmt->for_loop.first, &first) ||
        !evaluation_scalar(evaluation, stmt->for_loop.last, &last) ||
        !evaluation_scalar(evaluation, stmt->for_loop.step, &step)) {
        return FAILS;
    }
    if (step.integer == 0) {
        evaluation_fails(evaluation, (ConstantTrouble){.why = CONSTANT_TRAPS,
                                                       .trap = 1003,
                                                       .span = stmt->for_loop.step_span});
        return FAILS;
    }
    int64_t by = step.integer;
    for (int64_t i = first.integer; by > 0 ? i < last.integer : i > last.integer; i += by) {
        if (!evaluation_spend(evaluation, 1)) {
            return FAILS;
        }
        var->integer = (int32_t)i;
        Outcome outcome = run_block(evaluation, &stmt->for_loop.body);
        if (ends_loop(&outcome)) {
            return outcome;
        }
    }
    return GOES_ON;
}

static Outcome run_while(Evaluation *evaluation, const TirStmt *stmt) {
    while (evaluation_spend(evaluation, 1)) {
        Outcome outcome = run_block(evaluation, &stmt->while_loop.before);
        TirScalar condition;
        if (outcome != GOES_ON ||
            !evaluation_scalar(evaluation, stmt->while_loop.condition, &condition)) {
            return outcome == GOES_ON ? FAILS : outcome;
        }
        if (!condition.boolean) {
            return GOES_ON;
        }
        outcome = run_block(evaluation, &stmt->while_loop.body);
        if (ends_loop(&outcome)) {
            return outcome;
        }
    }
    return FAILS;
}

static Outcome run_stmt(Evaluation *evaluation, const TirStmt *stmt) {
    switch (stmt->kind) {
    case STMT_SET: return run_set(evaluation, stmt);
    case STMT_CALL:
        if (stmt->call.derivative == NULL) {
            return run_call(evaluation, stmt);
        }
        evaluation_fails(evaluation, (ConstantTrouble){.why = CONSTANT_VARIES});
        return FAILS;
    case STMT_IF: return run_if(evaluation, stmt);
    case STMT_FOR: return run_for(evaluation, stmt);
    case STMT_WHILE: return run_while(evaluation, stmt);
    case STMT_BREAK: return BREAKS;
    case STMT_CONTINUE: return CONTINUES;
    case STMT_RETURN: return RETURNS;
    case STMT_PRINT:
    case STMT_INPUT:
    case STMT_OUTPUT:
    case STMT_ASSERT:
        evaluation_fails(evaluation, (ConstantTrouble){.why = CONSTANT_VARIES});
        return FAILS;
    case STMT_NEST: break; // passes make them
    }
    UNREACHABLE();
}

static Outcome run_block(Evaluation *evaluation, const TirBlock *block) {
    enum { ARENA_SPENT = 1 << 20 }; // operations after which memory is given back
    EvaluationWork *work = evaluation->work;
    for (size_t i = 0; i < block->count; i++) {
        if (work->arena_left - work->left > ARENA_SPENT) {
            arena_destroy(work->arena);
            work->arena = arena_create();
            work->arena_left = work->left;
        }
        Outcome outcome = run_stmt(evaluation, block->items[i]);
        if (outcome != GOES_ON) {
            return outcome;
        }
    }
    return GOES_ON;
}

const TirScalar *constant_run(Tir *tir, const TirBlock *statements, const TirExpr *expr,
                              uint32_t first_var, uint32_t var_count, const Table *known,
                              ConstantTrouble *trouble) {
    EvaluationWork work = {.left = CONSTANT_WORK_LIMIT,
                           .arena = arena_create(),
                           .arena_left = CONSTANT_WORK_LIMIT,
                           .known = known};
    Evaluation evaluation;
    open_frame(&evaluation, &work, tir, first_var, var_count);
    TirScalar *result = NULL;
    if (run_block(&evaluation, statements) == GOES_ON) {
        const TirScalar *values = evaluation_values(&evaluation, expr);
        if (values != NULL) {
            result = ARENA_ARRAY(tir->arena, TirScalar, expr->type->numel);
            memcpy(result, values, expr->type->numel * sizeof(*result));
        }
    }
    close_frame(&evaluation);
    arena_destroy(work.arena);
    *trouble = work.trouble;
    return result;
}
