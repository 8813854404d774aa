// Puts small functions where they are called, so that later passes see through the calls: those
// that work on arrays, whose parameters become views of what is passed and whose results are the
// caller's variables, in loops scalar ones too, so that turns can run side by side, and elsewhere
// very short ones, in which least and greatest are simpler where numbers are passed. Other scalar
// functions are left to LLVM. Reads and leaves any valid TIR without nests.
//
// A function is taken when it is short and returns from no loop; loops in it are taken into loops
// only. Functions that nobody calls any more go, unless hosts may.
#include "tir/passes/passes.h"

#include "tir/linear/linear.h"
#include "tir/remark.h"
#include "tir/stateless.h"
#include "tir/take_in.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum {
    BODY_LIMIT = 16,    // statements of a function that is taken
    SCALARS_LIMIT = 96, // of one without arrays, in a loop, which can run side by side only so
    SCALARS_FEW = 4,    // the same anywhere
    LOOPS_LIMIT = 8,    // of one with loops, outside of loops, that is called with a number
    // The same of one that stays, as hosts may call it, and passes short arrays alone: its code
    // would be there twice, and the call is little beside as many statements.
    KEPT_LIMIT = 6,
    KEPT_NUMEL = 64,
    GROWTH_LIMIT = 400, // statements that a caller takes in
};

typedef struct Inliner {
    Tir *tir;
    TirFunction *caller;
    size_t growth;
    unsigned loops; // around the statement at hand: `for`s, and steps that are like their turns
} Inliner;

// Which functions.

static bool has_arrays(const TirFunction *function) {
    for (size_t i = 0; i < function->param_count; i++) {
        if (type_is_tensor(function->params[i]->type)) {
            return true;
        }
    }
    for (size_t i = 0; i < function->results.count; i++) {
        if (type_is_tensor(function->results.items[i]->type)) {
            return true;
        }
    }
    return false;
}

static bool is_short(const TirVar *var) {
    return var->type->numel <= KEPT_NUMEL;
}

// How many statements it may have.
static size_t limit_of(const TirFunction *function) {
    bool all_short = true;
    for (size_t i = 0; i < function->results.count; i++) {
        all_short = all_short && is_short(function->results.items[i]);
    }
    for (size_t i = 0; i < function->param_count; i++) {
        all_short = all_short && is_short(function->params[i]);
    }
    return function->exported && all_short ? KEPT_LIMIT : BODY_LIMIT;
}

// Whether loops of the function may become simpler by what it is called with.
static bool has_number(const TirStmt *call) {
    for (size_t i = 0; i < call->call.arg_count; i++) {
        const TirExpr *arg = call->call.args[i];
        if (arg->kind == EXPR_CONST && arg->type->root == ROOT_INT && type_is_scalar(arg->type)) {
            return true;
        }
    }
    return false;
}

static bool is_taken(const Inliner *inliner, const TirStmt *call) {
    TirFunction *callee = call->call.function;
    if (callee->instance != NULL) {
        return false;
    }
    TirBody body = tir_body_of(callee);
    bool works_on_arrays = has_arrays(callee);
    size_t limit = inliner->loops > 0 && !works_on_arrays ? SCALARS_LIMIT : BODY_LIMIT;
    bool is_small = !body.stays && body.statements <= limit &&
                    inliner->growth + body.statements <= GROWTH_LIMIT;
    bool may_have_loops = has_number(call) && body.statements <= LOOPS_LIMIT;
    bool is_worth_it = (!body.has_loops || may_have_loops) && body.statements <= limit_of(callee);
    bool is_few = !body.has_loops && body.statements <= SCALARS_FEW && call->call.arg_count > 0;
    return is_small && (inliner->loops > 0 || (works_on_arrays ? is_worth_it : is_few));
}

static void inline_block(Inliner *inliner, TirBlock *block) {
    TirBlock out = {0};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_CALL && is_taken(inliner, stmt)) {
            TirBlock taken = {0};
            tir_take_in(inliner->tir, inliner->caller, stmt, false, &taken);
            inliner->growth += taken.count;
            if (inliner->loops > 0) { // where more is taken than in the callee
                inline_block(inliner, &taken);
            }
            tir_append(inliner->tir, &out, &taken);
            tir_remark(inliner->tir, "inline", stmt->span, (Span){0},
                       "the call of `%s` is taken in", stmt->call.function->name->text);
            continue;
        }
        TirBlock *nested[2];
        inliner->loops += stmt->kind == STMT_FOR;
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            inline_block(inliner, nested[k]);
        }
        inliner->loops -= stmt->kind == STMT_FOR;
        LIST_PUSH(inliner->tir->arena, &out, stmt);
    }
    *block = out;
}

// Functions that nobody calls.

static bool is_root(const TirProgram *program, const TirFunction *function) {
    return function->exported || function == program->entry || function == program->init ||
           function == program->output || function == program->update ||
           (program->linear != NULL && (function == program->linear->step.function ||
                                        function == program->linear->start.function));
}

// Callers stand behind what they call, so going backwards all callers are known.
static void drop_unused(Tir *tir, TirProgram *program) {
    size_t count = program->functions.count;
    bool *is_called = ARENA_ARRAY(tir->arena, bool, count + 1);
    for (size_t i = 0; i < program->tests.count; i++) {
        const TirFunction *test = program->tests.items[i]->function;
        if (test != NULL) {
            is_called[test->id] = true;
        }
    }
    for (size_t i = count; i-- > 0;) {
        TirFunction *function = program->functions.items[i];
        is_called[i] = is_called[i] || is_root(program, function);
        if (is_called[i]) {
            tir_note_calls(&function->body, is_called, is_called);
        }
    }
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_called[i]) {
            TirFunction *function = program->functions.items[i];
            function->id = (uint32_t)kept;
            program->functions.items[kept++] = function;
        }
    }
    program->functions.count = kept;
}

void pass_inline(Tir *tir, TirProgram *program) {
    for (size_t i = 0; i < program->functions.count; i++) {
        TirFunction *function = program->functions.items[i];
        Inliner inliner = {
            .tir = tir, .caller = function, .loops = tir_is_stateless_step(program, function)};
        inline_block(&inliner, &function->body);
    }
    drop_unused(tir, program);
}
