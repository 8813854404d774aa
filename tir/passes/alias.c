// Makes every `set` safe to execute element by element in any order, and arguments and results of
// calls safe to pass by reference; takes away a temporary that is used only by the next statement,
// which copies all of it. Copies from one variable of the source to another stay. Needs what
// pass_hoist leaves for array arguments; leaves valid TIR.
//
// The analysis looks at one statement (and the copy that follows it) at a time. A value conflicts
// with the place that it is written to when some element of it reads a scalar of the place that
// another element overwrites. View indices are computed before any element and never conflict.
// Rows that are moved along their array need no temporary, in the right order (tir/shift.h).
#include "tir/passes/passes.h"

#include "support/bug.h"
#include "tir/alias.h"
#include "tir/moved.h"
#include "tir/shift.h"
#include "tir/stateless.h"
#include "tir/uses.h"
#include "tir/view.h"
#include "tir/visit.h"

enum { PAST_MOST = 128 }; // values of an input that are read element by element

typedef struct Aliaser {
    Tir *tir;
    TirFunction *function;
    TirUses *uses; // of the variables that the function had when the pass began
    size_t use_count;
    Table *moved; // arrays, element by element
} Aliaser;

// Statements.

static TirVar *new_temp(Aliaser *aliaser, const Type *type, Span span) {
    return tir_var_create(aliaser->tir, aliaser->function, VAR_TEMP, NULL, type, span);
}

static void emit_set(Aliaser *aliaser, TirBlock *out, TirStmt *stmt) {
    if (tir_set_conflicts(stmt->set.place, stmt->set.value)) {
        Tir *tir = aliaser->tir;
        if (tir_shift(tir, aliaser->function, stmt, out, aliaser->moved)) {
            return;
        }
        TirExpr *value = stmt->set.value;
        TirVar *temp = new_temp(aliaser, value->type, stmt->span);
        tir_set(tir, out, tir_read(tir, temp, value->span), value, stmt->span);
        stmt->set.value = tir_read(tir, temp, value->span);
    }
    LIST_PUSH(aliaser->tir->arena, out, stmt);
}

// Whether the variable can stand for the call's result while the callee runs.
static bool result_is_safe(TirStmt *call, const TirVar *var) {
    const TirFunction *callee = call->call.function;
    if (tir_var_is_global(var) && (callee->reads_globals || callee->writes_globals)) {
        return false;
    }
    return tir_stmt_reads(call, var) == 0;
}

// An array that is a value to the callee must stay what it is, whatever the callee writes; results
// are looked after by result_is_safe.
static bool argument_is_safe(const TirStmt *call, size_t k) {
    const TirExpr *arg = call->call.args[k];
    const TirFunction *callee = call->call.function;
    if (type_is_scalar(arg->type) || arg->kind == EXPR_CONST ||
        callee->params[k]->role == VAR_INOUT) {
        return true;
    }
    bool is_safe =
        arg->kind == EXPR_VAR && !(tir_var_is_global(arg->var) && callee->writes_globals);
    const TirVar *given;
    for (size_t i = call->call.results.count; (given = tir_stmt_written(call, i)) != NULL; i++) {
        is_safe = is_safe && arg->var != given;
    }
    return is_safe;
}

static void emit_call(Aliaser *aliaser, TirBlock *out, TirStmt *stmt) {
    Tir *tir = aliaser->tir;
    for (size_t i = 0; i < stmt->call.arg_count; i++) {
        if (!argument_is_safe(stmt, i)) {
            TirExpr *arg = stmt->call.args[i];
            TirVar *temp = new_temp(aliaser, arg->type, arg->span);
            tir_set_var(tir, out, temp, arg, arg->span);
            stmt->call.args[i] = tir_read(tir, temp, arg->span);
        }
    }
    LIST_PUSH(tir->arena, out, stmt);
    for (size_t k = 0; k < stmt->call.results.count; k++) {
        TirVar *result = stmt->call.results.items[k];
        if (!result_is_safe(stmt, result)) {
            TirVar *temp = new_temp(aliaser, result->type, stmt->span);
            stmt->call.results.items[k] = temp;
            tir_set_var(tir, out, result, tir_read(tir, temp, stmt->span), stmt->span);
        }
    }
}

// Whether `stmt` copies the whole of `temp`, which has no other use but that it is set as a whole
// so often, and in parts.
static bool copies_temp(const Aliaser *aliaser, const TirStmt *stmt, const TirVar *temp,
                        uint32_t writes, uint32_t updates) {
    if (temp == NULL || temp->role != VAR_TEMP || temp->id >= aliaser->use_count ||
        aliaser->uses[temp->id].reads != 1 || aliaser->uses[temp->id].writes != writes ||
        aliaser->uses[temp->id].updates != updates || stmt->kind != STMT_SET) {
        return false;
    }
    const TirExpr *value = reshape_skip_levels(stmt->set.value);
    return value->kind == EXPR_VAR && value->var == temp;
}

// Whether `next` makes `stmt` needless by taking over its value.
static bool merge_set(const Aliaser *aliaser, const TirStmt *stmt, TirStmt *next) {
    if (stmt->set.place->kind != EXPR_VAR ||
        !copies_temp(aliaser, next, stmt->set.place->var, 1, 0) ||
        tir_set_conflicts(next->set.place, stmt->set.value)) {
        return false;
    }
    next->set.value = stmt->set.value;
    return true;
}

static bool has_result(const TirStmt *call, const TirVar *var) {
    for (size_t k = 0; k < call->call.results.count; k++) {
        if (call->call.results.items[k] == var) {
            return true;
        }
    }
    return false;
}

// Whether the call takes over `next`, which copied one of its results.
static bool merge_call(const Aliaser *aliaser, TirStmt *call, const TirStmt *next) {
    for (size_t k = 0; k < call->call.results.count; k++) {
        const TirVar *temp = call->call.results.items[k];
        if (!copies_temp(aliaser, next, temp, 1, 0) || next->set.place->kind != EXPR_VAR) {
            continue;
        }
        TirVar *var = next->set.place->var;
        if (var->type != temp->type || !result_is_safe(call, var) || has_result(call, var)) {
            return false;
        }
        call->call.results.items[k] = var;
        return true;
    }
    return false;
}

static bool sets_part(const TirStmt *stmt, const TirVar *temp) {
    return stmt->kind == STMT_SET && !stmt->set.is_update && stmt->set.place->kind == EXPR_VIEW &&
           stmt->set.place->view.operand->kind == EXPR_VAR &&
           stmt->set.place->view.operand->var == temp;
}

static bool meets_one(const TirBlock *block, size_t first, size_t end) {
    for (size_t k = first; k < end; k++) {
        if (!tir_places_disjoint(block->items[k]->set.place, block->items[end]->set.place)) {
            return true;
        }
    }
    return false;
}

// How many statements from `first` on set parts of a temporary, each of its elements once, that the
// one behind them copies; 0: they do not.
static size_t count_parts(const Aliaser *aliaser, const TirBlock *block, size_t first) {
    const TirVar *temp = tir_place_var(block->items[first]->set.place);
    uint32_t count = temp->id < aliaser->use_count ? aliaser->uses[temp->id].updates : 0;
    size_t end = first + count;
    if (count == 0 || end >= block->count ||
        !copies_temp(aliaser, block->items[end], temp, 0, count) ||
        block->items[end]->set.place->kind != EXPR_VAR) {
        return 0;
    }
    uint64_t elements = 0;
    for (size_t i = first; i < end; i++) {
        if (!sets_part(block->items[i], temp) || meets_one(block, first, i)) {
            return 0;
        }
        elements += block->items[i]->set.place->type->numel;
    }
    return elements == temp->type->numel ? count : 0;
}

// What sets the parts of such a temporary sets those of the variable instead that it is copied to.
static bool shift_parts(const Aliaser *aliaser, TirBlock *block, size_t first, size_t count,
                        TirBlock *out) {
    Tir *tir = aliaser->tir;
    TirVar *var = block->items[first + count]->set.place->var;
    TirBlock parts = {0};
    for (size_t i = first; i < first + count; i++) {
        const TirExpr *place = block->items[i]->set.place;
        TirExpr *part = tir_view(tir, place->type, tir_read(tir, var, place->span),
                                 place->view.axes, place->span);
        tir_set(tir, &parts, part, block->items[i]->set.value, block->items[i]->span);
    }
    return tir_shift_parts(tir, aliaser->function, var, &parts, out, aliaser->moved);
}

static void alias_block(Aliaser *aliaser, TirBlock *block) {
    TirBlock out = {0};
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        bool has_next = i + 1 < block->count;
        size_t parts = stmt->kind == STMT_SET ? count_parts(aliaser, block, i) : 0;
        if (parts > 0 && shift_parts(aliaser, block, i, parts, &out)) {
            i += parts;
            continue;
        }
        if (stmt->kind == STMT_SET) {
            if (!has_next || !merge_set(aliaser, stmt, block->items[i + 1])) {
                emit_set(aliaser, &out, stmt);
            }
            continue;
        }
        if (stmt->kind == STMT_CALL) {
            while (i + 1 < block->count && merge_call(aliaser, stmt, block->items[i + 1])) {
                i++;
            }
            emit_call(aliaser, &out, stmt);
            continue;
        }
        TirBlock *nested[2];
        size_t count = tir_stmt_blocks(stmt, nested);
        for (size_t k = 0; k < count; k++) {
            alias_block(aliaser, nested[k]);
        }
        LIST_PUSH(aliaser->tir->arena, &out, stmt);
    }
    *block = out;
}

// Past inputs (pass_past) that are read element by element: the same element of several steps side
// by side, where these leave nothing behind.
static void add_past(Tir *tir, const TirProgram *program, Table *moved) {
    const TirPasts *past = &program->past;
    if (past->output == NULL || !tir_is_stateless_step(program, past->output)) {
        return;
    }
    for (size_t i = 0; i < past->arrays.count; i++) {
        const Type *type = past->arrays.items[i].array->type;
        TirVar *window = past->output->params[i];
        if (type->flat_rank == 1 && type->numel <= PAST_MOST) {
            table_set(tir->arena, moved, window, window);
        }
    }
}

void pass_alias(Tir *tir, TirProgram *program) {
    Table moved = {0};
    add_past(tir, program, &moved);
    for (size_t i = 0; i < program->functions.count; i++) {
        TirFunction *function = program->functions.items[i];
        Aliaser aliaser = {.tir = tir,
                           .function = function,
                           .uses = tir_count_uses(tir->arena, function),
                           .use_count = function->vars.count,
                           .moved = &moved};
        alias_block(&aliaser, &function->body);
    }
    if (moved.count > 0) {
        tir_read_moved(tir, program, &moved);
    }
}
