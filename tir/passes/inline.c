// Puts small functions where they are called, so that later passes see through the calls: those
// that work on arrays, whose parameters become views of what is passed and whose results are the
// caller's variables, and in loops scalar ones too, so that turns can run side by side. Other
// scalar functions are left to LLVM. Reads and leaves any valid TIR without nests.
//
// A function is taken when it is short and returns only at its end; loops in it are taken into
// loops only. Functions that nobody calls any more go, unless hosts may.
#include "tir/passes/passes.h"

#include "tir/clone.h"
#include "tir/remark.h"
#include "tir/visit.h"

enum {
    BODY_LIMIT = 16, // statements of a function that is taken
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
    unsigned loops; // `for`s around the statement at hand
} Inliner;

// Which functions.

// What a body is made of.
typedef struct Body {
    size_t statements;
    bool has_loops;
    bool stays; // has a statement that cannot be taken in
} Body;

static void measure(const TirBlock *block, bool is_whole, Body *body) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        bool is_end = is_whole && i + 1 == block->count;
        body->statements++;
        body->has_loops = body->has_loops || stmt->kind == STMT_FOR || stmt->kind == STMT_WHILE;
        body->stays = body->stays || (stmt->kind == STMT_RETURN && !is_end) ||
                      stmt->kind == STMT_INPUT || stmt->kind == STMT_OUTPUT ||
                      stmt->kind == STMT_NEST;
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            measure(nested[k], false, body);
        }
    }
}

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

static bool is_taken(const Inliner *inliner, const TirFunction *callee) {
    if (callee->instance != NULL) {
        return false;
    }
    Body body = {0};
    measure(&callee->body, true, &body);
    bool is_small = !body.stays && body.statements <= BODY_LIMIT &&
                    inliner->growth + body.statements <= GROWTH_LIMIT;
    bool is_worth_it = has_arrays(callee) && !body.has_loops && body.statements <= limit_of(callee);
    return is_small && (inliner->loops > 0 || is_worth_it);
}

// Calls.

// The callee may read a variable of the program while it writes its result.
static bool is_direct(const TirFunction *callee, const TirVar *inner, const TirVar *result) {
    return result->type == inner->type &&
           !(tir_var_is_global(result) && (callee->reads_globals || callee->writes_globals));
}

// What the caller has for a parameter or result of the callee itself: no variable of its own is
// needed then. Else NULL.
static TirVar *own_place(const TirStmt *call, const TirVar *inner) {
    const TirFunction *callee = call->call.function;
    for (size_t i = 0; i < callee->results.count; i++) {
        TirVar *result = call->call.results.items[i];
        if (callee->results.items[i] == inner && is_direct(callee, inner, result)) {
            return result;
        }
    }
    for (size_t i = 0; inner->role == VAR_INOUT && i < callee->param_count; i++) {
        if (callee->params[i] == inner) {
            return call->call.args[i]->var;
        }
    }
    return NULL;
}

static void expand(Inliner *inliner, const TirStmt *call, TirBlock *out) {
    Tir *tir = inliner->tir;
    const TirFunction *callee = call->call.function;
    TirVar **vars = ARENA_ARRAY(tir->arena, TirVar *, callee->vars.count + 1);
    for (size_t i = 0; i < callee->vars.count; i++) {
        const TirVar *var = callee->vars.items[i];
        TirVarRole role = var->role == VAR_LOOP ? VAR_LOOP : VAR_TEMP;
        TirVar *own = own_place(call, var);
        vars[i] = own != NULL
                      ? own
                      : tir_var_create(tir, inliner->caller, role, NULL, var->type, var->span);
    }
    for (size_t i = 0; i < callee->param_count; i++) {
        TirExpr *arg = call->call.args[i];
        TirVar *param = vars[callee->params[i]->id];
        if (callee->params[i]->role == VAR_INOUT) {
            continue;
        }
        tir_set(tir, out, tir_read(tir, param, arg->span), arg, arg->span);
    }
    size_t before = out->count;
    clone_block(&(TirClone){tir, vars}, &callee->body, out);
    if (out->count > before && out->items[out->count - 1]->kind == STMT_RETURN) {
        out->count--;
    }
    inliner->growth += out->count - before;
    for (size_t i = 0; i < callee->results.count; i++) {
        TirVar *inner = vars[callee->results.items[i]->id];
        TirVar *result = call->call.results.items[i];
        if (inner != result) {
            tir_set(tir, out, tir_read(tir, result, call->span), tir_read(tir, inner, call->span),
                    call->span);
        }
    }
}

static void inline_block(Inliner *inliner, TirBlock *block) {
    TirBlock out = {0};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_CALL && is_taken(inliner, stmt->call.function)) {
            expand(inliner, stmt, &out);
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

static void note_calls(const TirBlock *block, bool *is_called) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_CALL) {
            is_called[stmt->call.function->id] = true;
        }
        TirBlock *nested[2];
        for (size_t k = tir_stmt_blocks(stmt, nested); k-- > 0;) {
            note_calls(nested[k], is_called);
        }
    }
}

static bool is_root(const TirProgram *program, const TirFunction *function) {
    return function->exported || function == program->entry || function == program->init ||
           function == program->output || function == program->update;
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
            note_calls(&function->body, is_called);
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
        Inliner inliner = {.tir = tir, .caller = program->functions.items[i]};
        inline_block(&inliner, &inliner.caller->body);
    }
    drop_unused(tir, program);
}
