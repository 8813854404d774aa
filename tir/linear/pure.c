// A copy has the statements of its function, in which every variable that lives longer than a call
// is a parameter, in-out where the function or one that it calls writes it. What runs an instance
// is a call of the functions of its component, copied for this instance. Prints and assertions are
// left out: no value depends on them.
#include "tir/linear/pure.h"

#include "support/bug.h"
#include "support/diag/diag.h"
#include "tir/clone.h"
#include "tir/rewrite.h"
#include "tir/visit.h"

// Variables.

static PureHolder *add_holder(Pure *pure, const TirHolder *outer, const TirInstance *instance,
                              const TirProgram *program) {
    Arena *arena = pure->tir->arena;
    PureHolder *holder = ARENA_NEW(arena, PureHolder);
    holder->as = (TirHolder){outer, instance, program};
    holder->numbers = ARENA_ARRAY(arena, size_t, program->globals.count + 1);
    holder->inner = ARENA_ARRAY(arena, PureHolder *, program->instances.count + 1);
    for (size_t i = 0; i < program->globals.count; i++) {
        const TirVar *var = program->globals.items[i];
        CHECK(var->id == i);
        if (var->inner == NULL) {
            holder->numbers[i] = pure->all.count;
            TirHeld held = {&holder->as, var};
            LIST_PUSH(arena, &pure->all, held);
        }
    }
    for (size_t k = 0; k < program->instances.count; k++) {
        const TirInstance *inner = program->instances.items[k];
        holder->inner[k] = add_holder(pure, &holder->as, inner, inner->component);
    }
    return holder;
}

static PureHolder *holder_of(const PureHolder *holder, const TirInstance *instance) {
    size_t k = 0;
    while (holder->as.program->instances.items[k] != instance) {
        k++;
    }
    return holder->inner[k];
}

static size_t number_of(const PureHolder *holder, const TirVar *var) {
    while (var->inner != NULL) {
        holder = holder_of(holder, var->instance);
        var = var->inner;
    }
    return holder->numbers[var->id];
}

Pure pure_begin(Tir *tir, TirProgram *program) {
    Pure pure = {.tir = tir, .program = program};
    pure.root = add_holder(&pure, NULL, NULL, program);
    return pure;
}

// What is used.

typedef struct Scan {
    Pure *pure;
    PureHolder *holder;
    uint8_t *uses;
    bool failed;
} Scan;

static void note(Scan *scan, size_t number, PureUse use) {
    if (scan->uses[number] < use) {
        scan->uses[number] = (uint8_t)use;
    }
}

static void note_expr(const TirExpr *expr, void *data) {
    Scan *scan = data;
    if (expr->kind == EXPR_VAR && tir_var_is_global(expr->var)) {
        note(scan, number_of(scan->holder, expr->var), PURE_READ);
    }
    tir_read_operands(expr, note_expr, data);
}

static void note_written(Scan *scan, const TirVar *var) {
    if (tir_var_is_global(var)) {
        note(scan, number_of(scan->holder, var), PURE_WRITTEN);
    }
}

// The copy of what a call runs; NULL where that is nothing.
static const PureFunction *callee_of(Pure *pure, PureHolder *holder, const TirFunction *callee) {
    if (callee->instance != NULL) {
        holder = holder_of(holder, callee->instance);
        callee = tir_phase_function(callee->instance->component, callee->phase);
    }
    return callee == NULL ? NULL : pure_function(pure, holder, callee);
}

static void note_call(Scan *scan, const TirStmt *stmt) {
    const TirFunction *callee = stmt->call.function;
    for (size_t k = 0; k < stmt->call.results.count; k++) {
        note_written(scan, stmt->call.results.items[k]);
    }
    for (size_t k = 0; callee->instance == NULL && k < callee->param_count; k++) {
        if (callee->params[k]->role == VAR_INOUT) {
            note_written(scan, stmt->call.args[k]->var);
        }
    }
    const PureFunction *function = callee_of(scan->pure, scan->holder, callee);
    for (size_t k = 0; function != NULL && k < scan->pure->all.count; k++) {
        note(scan, k, (PureUse)function->uses[k]);
    }
}

static void scan_block(Scan *scan, const TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_PRINT || stmt->kind == STMT_ASSERT) {
            continue;
        }
        if (stmt->kind == STMT_INPUT || stmt->kind == STMT_OUTPUT) {
            scan->failed = true;
            Diag *diag = diag_error(scan->pure->tir->diags, DIAG_E0764, stmt->span,
                                    "a step that accesses hardware at its address cannot be "
                                    "linearized");
            diag_note(diag, "with `--io=latched` its inputs and outputs are those of the step");
            continue;
        }
        tir_read_exprs(stmt, note_expr, scan);
        if (stmt->kind == STMT_SET) {
            note_written(scan, tir_place_var(stmt->set.place));
        } else if (stmt->kind == STMT_CALL) {
            note_call(scan, stmt);
        }
        TirBlock *nested[2];
        for (size_t k = 0, count = tir_stmt_blocks(stmt, nested); k < count; k++) {
            scan_block(scan, nested[k]);
        }
    }
}

// The copy.

typedef struct Copy {
    Pure *pure;
    PureHolder *holder;
    TirFunction *made;
    TirVar **vars; // by number
} Copy;

static void stand_in(TirExpr **slot, void *data) {
    const Copy *copy = data;
    if ((*slot)->kind != EXPR_VAR) {
        tir_visit_operands(*slot, stand_in, data);
    } else if (tir_var_is_global((*slot)->var)) {
        TirVar *var = copy->vars[number_of(copy->holder, (*slot)->var)];
        *slot = tir_read(copy->pure->tir, var, (*slot)->span);
    }
}

// Appends the arguments for what the callee uses.
static void add_args(const Pure *pure, const PureFunction *function, TirVar *const *vars,
                     TirStmt *call) {
    Tir *tir = pure->tir;
    size_t count = call->call.arg_count;
    TirExpr **args = ARENA_ARRAY(tir->arena, TirExpr *, function->made->param_count + 1);
    for (size_t k = 0; k < count; k++) {
        args[k] = call->call.args[k];
    }
    for (size_t k = 0; k < pure->all.count; k++) {
        if (function->uses[k] != PURE_NONE) {
            args[count++] = tir_read(tir, vars[k], call->span);
        }
    }
    CHECK(count == function->made->param_count);
    call->call.function = function->made;
    call->call.args = args;
    call->call.arg_count = count;
}

// Results that were of the file go by a variable of their own, as the callee may have that itself.
static void finish_call(Copy *copy, TirStmt *call, TirBlock *out) {
    Tir *tir = copy->pure->tir;
    const PureFunction *function = callee_of(copy->pure, copy->holder, call->call.function);
    if (function == NULL) {
        return;
    }
    add_args(copy->pure, function, copy->vars, call);
    LIST_PUSH(tir->arena, out, call);
    for (size_t k = 0; k < call->call.results.count; k++) {
        TirVar *result = call->call.results.items[k];
        if (tir_var_is_global(result)) {
            TirVar *temp =
                tir_var_create(tir, copy->made, VAR_TEMP, NULL, result->type, call->span);
            call->call.results.items[k] = temp;
            TirVar *var = copy->vars[number_of(copy->holder, result)];
            tir_set_var(tir, out, var, tir_read(tir, temp, call->span), call->span);
        }
    }
}

static bool finish_stmt(TirStmt *stmt, TirBlock *out, void *data) {
    Copy *copy = data;
    if (stmt->kind == STMT_PRINT || stmt->kind == STMT_ASSERT) {
        return true;
    }
    tir_visit_exprs(stmt, stand_in, copy);
    if (stmt->kind == STMT_CALL) {
        finish_call(copy, stmt, out);
    }
    return stmt->kind == STMT_CALL;
}

static TirClone copy_vars(const Copy *copy, const TirFunction *from) {
    Tir *tir = copy->pure->tir;
    TirClone clone = clone_vars(tir, from, copy->made);
    for (size_t k = 0; k < from->vars.count; k++) {
        clone.vars[k]->has_parts = from->vars.items[k]->has_parts;
    }
    for (size_t k = 0; k < from->param_count; k++) {
        tir_add_param(tir, copy->made, clone.vars[from->params[k]->id]);
    }
    for (size_t k = 0; k < from->results.count; k++) {
        LIST_PUSH(tir->arena, &copy->made->results, clone.vars[from->results.items[k]->id]);
    }
    return clone;
}

static void copy_function(Copy *copy, const TirFunction *from, const uint8_t *uses) {
    Tir *tir = copy->pure->tir;
    TirFunction *made = copy->made;
    TirClone clone = copy_vars(copy, from);
    for (size_t k = 0; k < copy->pure->all.count; k++) {
        if (uses[k] != PURE_NONE) {
            const TirVar *var = copy->pure->all.items[k].var;
            TirVarRole role = uses[k] == PURE_WRITTEN ? VAR_INOUT : VAR_PARAM;
            copy->vars[k] = tir_var_create(tir, made, role, var->name, var->type, var->span);
            tir_add_param(tir, made, copy->vars[k]);
        }
    }
    clone_block(&clone, &from->body, &made->body);
    tir_rewrite_inner_first(copy->pure->tir, &made->body, finish_stmt, copy);
}

// Functions of rules use nothing, and have the parameters that they had.
static TirFunction *copy_of(Pure *pure, PureHolder *holder, const TirFunction *from) {
    return from == NULL ? NULL : pure_function(pure, holder, from)->made;
}

static const TirRule *copy_rule(Pure *pure, PureHolder *holder, const TirRule *rule) {
    TirRule *copy = ARENA_NEW(pure->tir->arena, TirRule);
    copy->kept = copy_of(pure, holder, rule->kept);
    copy->slope = copy_of(pure, holder, rule->slope);
    copy->adjoint = copy_of(pure, holder, rule->adjoint);
    return copy;
}

const PureFunction *pure_function(Pure *pure, PureHolder *holder, const TirFunction *from) {
    PureFunction *known = table_get(&holder->made, from);
    if (known != NULL) {
        return known->made == NULL ? NULL : known;
    }
    Tir *tir = pure->tir;
    PureFunction *function = ARENA_NEW(tir->arena, PureFunction);
    function->uses = ARENA_ARRAY(tir->arena, uint8_t, pure->all.count + 1);
    table_set(tir->arena, &holder->made, from, function);
    Scan scan = {.pure = pure, .holder = holder, .uses = function->uses};
    scan_block(&scan, &from->body);
    if (scan.failed) {
        return NULL;
    }
    TirFunction *made = ARENA_NEW(tir->arena, TirFunction);
    size_t number = pure->program->functions.count;
    *made = (TirFunction){.name = from->name,
                          .symbol = arena_format(tir->arena, "%s.pure%zu", from->symbol, number),
                          .span = from->span,
                          .derivatives = from->derivatives,
                          .is_made = true};
    Copy copy = {.pure = pure,
                 .holder = holder,
                 .made = made,
                 .vars = ARENA_ARRAY(tir->arena, TirVar *, pure->all.count + 1)};
    copy_function(&copy, from, function->uses);
    tir_add_function(tir, pure->program, made);
    function->made = made;
    made->refused = from->refused;
    made->linear_in = from->linear_in;
    made->rule = from->rule == NULL ? NULL : copy_rule(pure, holder, from->rule);
    return function;
}

void pure_call(const Pure *pure, const PureFunction *function, TirVar *const *vars, TirBlock *out) {
    TirStmt *call = tir_stmt(pure->tir, out, STMT_CALL, function->made->span);
    add_args(pure, function, vars, call);
}
