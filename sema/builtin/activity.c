// Whether a value depends on a variable by ways on which derivatives go: reals, and operations that
// are not flat everywhere. One walk over TIR, function by function, until nothing changes: a
// variable that ever has such a value counts as having it (L17.2, L17.8).
#include "sema/builtin/derivative.h"

#include "sema/component/infer.h"
#include "sema/warn/state.h"
#include "sema/warn/warn.h"
#include "support/bug.h"
#include "tir/constant.h"
#include "tir/uses.h"

#include <string.h>

// How a value depends on the variable, less to more.
typedef enum Activity {
    ACTIVITY_NONE,
    ACTIVITY_REAL,
    ACTIVITY_REFUSED, // by way of a result without derivative
} Activity;

// Results of the library that have no derivative.
typedef struct Refused {
    const char *name;
    uint8_t results; // a bit for each (TirFunction.refused)
    const char *what;
} Refused;

static const Refused refused[] = {
    {"eigh", 2, "the vectors of `eigh`"},
    {"svd", 5, "the vectors of `svd`"},
    {"qr", 3, "`qr`"},
    {"pinv", 1, "`pinv`"},
    {"cond", 1, "`cond`"},
};

enum { REFUSED_COUNT = sizeof refused / sizeof refused[0] };

// What is known of a function that is called with such arguments.
typedef struct Known {
    const TirFunction *function;
    uint8_t *given;   // by parameter
    uint8_t *results; // then in-out parameters
} Known;

typedef struct Walk {
    Checker *checker;
    bool tells; // of corners and poles on the way
    LIST_OF(Known *) known;
    const Refused *refused; // the latest met, and its call
    Span refused_span;
} Walk;

// One function in it.
typedef struct Frame {
    Walk *walk;
    const TirFunction *function;
    uint8_t *vars;      // by id
    Span *since;        // where a variable first depended; NULL: nobody asks
    const TirVar *seed; // the variable itself, whose new values forget; NULL: none
    bool changed;
} Frame;

static const Refused *find_refused(const LibraryRow *row) {
    for (size_t k = 0; row != NULL && k < REFUSED_COUNT; k++) {
        if (strcmp(refused[k].name, row->name) == 0) {
            return &refused[k];
        }
    }
    return NULL;
}

uint8_t derivative_refused(const LibraryRow *row) {
    const Refused *found = find_refused(row);
    return found == NULL ? 0 : found->results;
}

static Activity most(Activity a, Activity b) {
    return a > b ? a : b;
}

static bool is_flat(TirOp op) {
    return op == OP_FLOOR || op == OP_CEIL || op == OP_ROUND || op == OP_RINT || op == OP_TRUNC;
}

static Activity activity_of(const Frame *frame, const TirExpr *expr);

// What an operation has at some point in place of a derivative; NULL: nothing.
static const char *kink_of(TirOp op) {
    switch ((int)op) {
    case OP_ABS:
    case OP_MIN:
    case OP_MAX:
    case OP_COPYSIGN: return "a corner";
    case OP_REM:
    case OP_REMAINDER: return "jumps";
    case OP_SQRT:
    case OP_CBRT:
    case OP_HYPOT:
    case OP_POW:
    case OP_LOG:
    case OP_LOG2:
    case OP_LOG10:
    case OP_LOG1P:
    case OP_ASIN:
    case OP_ACOS:
    case OP_ACOSH:
    case OP_ATANH: return "an infinite slope";
    default: return NULL;
    }
}

// `x ** 2.0` has a slope everywhere.
static bool is_smooth_power(const Frame *frame, const TirExpr *expr) {
    const TirExpr *by = expr->map.args[1];
    const TirScalar *values =
        expr->map.op == OP_POW ? constant_values(&frame->walk->checker->tir, by) : NULL;
    bool is_smooth = values != NULL;
    for (size_t i = 0; is_smooth && i < by->type->numel; i++) {
        is_smooth = values[i].real >= 1;
    }
    return is_smooth;
}

static void tell_kink(const Frame *frame, const TirExpr *expr, const char *what) {
    Checker *checker = frame->walk->checker;
    if (frame->walk->tells && what != NULL && warn_is_wanted(checker) &&
        !library_has_text(checker, expr->span)) {
        Diag *diag = warn_at(checker, WARNING_DERIVATIVE_KINK, expr->span,
                             "a derivative goes through what has %s", what);
        diag_note(diag, "where there is no derivative, a fixed value stands for it");
    }
}

static Activity activity_of_all(const Frame *frame, TirExpr *const *items, size_t count) {
    Activity activity = ACTIVITY_NONE;
    for (size_t k = 0; k < count; k++) {
        activity = most(activity, activity_of(frame, items[k]));
    }
    return activity;
}

static Activity activity_of(const Frame *frame, const TirExpr *expr) {
    if (expr->type->root != ROOT_REAL) {
        return ACTIVITY_NONE;
    }
    switch (expr->kind) {
    case EXPR_CONST:
    case EXPR_IOTA: return ACTIVITY_NONE;
    case EXPR_VAR:
        if (expr->var == frame->seed) {
            return ACTIVITY_REAL;
        }
        return tir_var_is_global(expr->var) ? ACTIVITY_NONE : frame->vars[expr->var->id];
    case EXPR_MAP: {
        Activity activity = is_flat(expr->map.op) ? ACTIVITY_NONE
                                                  : activity_of_all(frame, expr->map.args,
                                                                    tir_op_arity(expr->map.op));
        if (activity != ACTIVITY_NONE) {
            tell_kink(frame, expr, is_smooth_power(frame, expr) ? NULL : kink_of(expr->map.op));
        }
        return activity;
    }
    case EXPR_CONVERT:
    case EXPR_RESHAPE:
    case EXPR_CUMSUM: return activity_of(frame, expr->operand);
    case EXPR_VIEW: return activity_of(frame, expr->view.operand);
    case EXPR_LITERAL: return activity_of_all(frame, expr->literal.items, expr->literal.count);
    case EXPR_CONCAT: return activity_of_all(frame, expr->concat.items, expr->concat.count);
    case EXPR_REDUCE: {
        Activity activity = activity_of(frame, expr->reduce.operand);
        bool is_extreme = expr->reduce.op == REDUCE_MIN || expr->reduce.op == REDUCE_MAX;
        if (activity != ACTIVITY_NONE) {
            tell_kink(frame, expr, is_extreme ? "a corner" : NULL);
        }
        return activity;
    }
    case EXPR_DOT:
        return most(activity_of(frame, expr->dot.left), activity_of(frame, expr->dot.right));
    }
    UNREACHABLE();
}

static void raise_var(Frame *frame, const TirVar *var, Activity activity, Span span) {
    if (tir_var_is_global(var) || var->type->root != ROOT_REAL ||
        frame->vars[var->id] >= activity) {
        return;
    }
    frame->vars[var->id] = (uint8_t)activity;
    frame->changed = true;
    if (frame->since != NULL) {
        frame->since[var->id] = span;
    }
}

static void walk_block(Frame *frame, const TirBlock *block);

// Until nothing changes; the activity of variables by id.
static uint8_t *walk_function(Walk *walk, const TirFunction *function, const uint8_t *given) {
    Frame frame = {.walk = walk,
                   .function = function,
                   .vars = ARENA_ARRAY(walk->checker->arena, uint8_t, function->vars.count + 1)};
    for (size_t k = 0; k < function->param_count; k++) {
        frame.vars[function->params[k]->id] = given[k];
    }
    do {
        frame.changed = false;
        walk_block(&frame, &function->body);
    } while (frame.changed);
    return frame.vars;
}

// What a call makes of its results and in-out arguments.
static const uint8_t *walk_callee(Walk *walk, const TirFunction *function, const uint8_t *given,
                                  Span span) {
    for (size_t k = 0; k < walk->known.count; k++) {
        const Known *known = walk->known.items[k];
        if (known->function == function &&
            memcmp(known->given, given, function->param_count) == 0) {
            return known->results;
        }
    }
    Arena *arena = walk->checker->arena;
    size_t count = function->results.count;
    Known *known = ARENA_NEW(arena, Known);
    *known = (Known){function, ARENA_ARRAY(arena, uint8_t, function->param_count + 1),
                     ARENA_ARRAY(arena, uint8_t, count + function->param_count + 1)};
    memcpy(known->given, given, function->param_count);
    const uint8_t *vars = walk_function(walk, function, given);
    const Refused *row = find_refused(library_row_of(walk->checker, function));
    for (size_t k = 0; k < count; k++) {
        known->results[k] = vars[function->results.items[k]->id];
        if (row != NULL && (row->results >> k & 1) != 0 && known->results[k] != ACTIVITY_NONE) {
            known->results[k] = ACTIVITY_REFUSED;
            walk->refused = row;
            walk->refused_span = span;
        } else if (row != NULL && known->results[k] == ACTIVITY_REFUSED) {
            known->results[k] = ACTIVITY_REAL; // it is made by way of others
        }
    }
    for (size_t k = 0; k < function->param_count; k++) {
        known->results[count + k] = vars[function->params[k]->id];
    }
    LIST_PUSH(arena, &walk->known, known);
    return known->results;
}

static void walk_call(Frame *frame, const TirStmt *stmt) {
    const TirFunction *callee = stmt->call.function;
    const TirDerivative *derivative = stmt->call.derivative;
    uint8_t *given = ARENA_ARRAY(frame->walk->checker->arena, uint8_t, stmt->call.arg_count + 1);
    Activity along = ACTIVITY_NONE;
    Activity highest = ACTIVITY_NONE;
    for (size_t k = 0; k < stmt->call.arg_count; k++) {
        given[k] = (uint8_t)activity_of(frame, stmt->call.args[k]);
        highest = most(highest, given[k]);
    }
    if (derivative != NULL && derivative->along != NULL) {
        along = activity_of(frame, derivative->along);
    }
    if (most(highest, along) == ACTIVITY_NONE || callee->instance != NULL) {
        return;
    }
    const uint8_t *results = walk_callee(frame->walk, callee, given, stmt->span);
    for (size_t k = 0; k < stmt->call.results.count; k++) {
        Activity activity = results[derivative == NULL ? k : 0];
        raise_var(frame, stmt->call.results.items[k], most(activity, along), stmt->span);
    }
    for (size_t k = 0; k < stmt->call.arg_count; k++) {
        if (callee->params[k]->role == VAR_INOUT) {
            raise_var(frame, stmt->call.args[k]->var, results[callee->results.count + k],
                      stmt->span);
        }
    }
}

static void walk_block(Frame *frame, const TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        TirBlock *nested[2];
        switch ((int)stmt->kind) {
        case STMT_CALL: walk_call(frame, stmt); break;
        case STMT_SET: {
            const TirVar *var = tir_place_var(stmt->set.place);
            if (var == frame->seed) { // what depends on its value before is of the past
                memset(frame->vars, 0, frame->function->vars.count);
            } else {
                raise_var(frame, var, activity_of(frame, stmt->set.value), stmt->span);
            }
            break;
        }
        default:
            for (size_t k = 0, count = tir_stmt_blocks(stmt, nested); k < count; k++) {
                walk_block(frame, nested[k]);
            }
            break;
        }
    }
}

// What is said.

// Where variables of the function around, by id, got values that were made of `seed`; nowhere for
// others.
static const Span *made_of(const Derivation *derivation, const TirVar *seed) {
    Checker *checker = derivation->checker;
    const TirFunction *around = checker->at.function;
    size_t count = around->vars.count + 1;
    Walk walk = {.checker = checker};
    Frame frame = {.walk = &walk,
                   .function = around,
                   .vars = ARENA_ARRAY(checker->arena, uint8_t, count),
                   .since = ARENA_ARRAY(checker->arena, Span, count),
                   .seed = seed};
    walk_block(&frame, &around->body);
    for (size_t k = 0; k < around->vars.count; k++) {
        frame.since[k] = frame.vars[k] == ACTIVITY_NONE ? (Span){0, 0} : frame.since[k];
    }
    return frame.since;
}

// Where the variable with a name, of the function around, was; nowhere when it has none.
static Span place_in(const Derivation *derivation, const Span *places, const TirVar *var) {
    const TirFunction *around = derivation->checker->at.function;
    bool is_here = var->name != NULL && !tir_var_is_global(var) && var->id < around->vars.count &&
                   around->vars.items[var->id] == var;
    return is_here ? places[var->id] : (Span){0, 0};
}

static uint32_t reads_of(const TirFunction *function, const TirVar *var) {
    uint32_t reads = 0;
    for (size_t i = 0; i < function->body.count; i++) {
        reads += tir_stmt_reads(function->body.items[i], var);
    }
    return reads;
}

static void report_constant(const Derivation *derivation, size_t k) {
    Checker *checker = derivation->checker;
    const TirVar *var = derivation->outside.items[k];
    const char *name = arena_format(checker->arena, "%s%s", tir_var_space(var), var->name->text);
    Diag *diag = check_error(checker, DIAG_E0760, builtin_argument(derivation->call, 0)->span,
                             "the value does not depend on `%s`", name);
    if (reads_of(derivation->function, derivation->params.items[k]) > 0) {
        diag_note(diag, "only through integers, conditions, indices or roundings, whose "
                        "derivatives are 0");
        return;
    }
    const Span *places = made_of(derivation, var);
    for (size_t i = 0; i < derivation->outside.count; i++) {
        const TirVar *other = derivation->outside.items[i];
        Span span = place_in(derivation, places, other);
        if (span.end > span.start) {
            diag_note_at(diag, span, "`%s` was computed from `%s` here", other->name->text, name);
            diag_note(diag,
                      "only `%s` in the expression itself counts: write what computes `%s` "
                      "in its place, as in `%s(f(%s), %s%s)`",
                      name, other->name->text, derivation->call->name, name, name,
                      derivation->call->op == DERIVATIVE_ALONG ? ", ..." : "");
            return;
        }
    }
    diag_note(diag, "`%s` does not stand in the expression", name);
}

static bool report_refused(const Derivation *derivation, const Walk *walk) {
    Checker *checker = derivation->checker;
    const Refused *row = walk->refused;
    CHECK(row != NULL);
    Diag *diag = check_error(checker, DIAG_E0765, builtin_argument(derivation->call, 0)->span,
                             "no derivative is defined for %s", row->what);
    diag_note_at(diag, walk->refused_span, "`%s` is called here", row->name);
    if (row->results == 2 || row->results == 5) {
        diag_note(diag, "the values of `%s` have one", row->name);
    }
    return false;
}

// Another variable that was made of one of them is a constant all the same.
static void warn_constants(const Derivation *derivation, size_t count) {
    Checker *checker = derivation->checker;
    for (size_t k = 0; k < count && warn_is_wanted(checker); k++) {
        const TirVar *var = derivation->outside.items[k];
        const Span *places = made_of(derivation, var);
        for (size_t i = count; i < derivation->outside.count; i++) {
            const TirVar *other = derivation->outside.items[i];
            Span span = place_in(derivation, places, other);
            if (span.end > span.start) {
                Diag *diag = warn_at(checker, WARNING_DERIVATIVE_CONSTANT,
                                     builtin_argument(derivation->call, 0)->span,
                                     "`%s` counts as a constant here", other->name->text);
                diag_note_at(diag, span, "it was computed from `%s` here", var->name->text);
            }
        }
    }
}

bool derivative_depends(const Derivation *derivation, size_t count) {
    const TirFunction *function = derivation->function;
    uint8_t *given = ARENA_ARRAY(derivation->checker->arena, uint8_t, function->param_count + 1);
    for (size_t k = 0; k < count; k++) {
        Walk walk = {.checker = derivation->checker, .tells = true};
        given[k] = ACTIVITY_REAL;
        const uint8_t *vars = walk_function(&walk, function, given);
        given[k] = ACTIVITY_NONE;
        Activity activity = vars[function->results.items[0]->id];
        if (activity == ACTIVITY_NONE && !infer_is_on(derivation->checker)) {
            report_constant(derivation, k);
            return false;
        }
        if (activity == ACTIVITY_REFUSED) {
            return report_refused(derivation, &walk);
        }
    }
    warn_constants(derivation, count);
    return true;
}
