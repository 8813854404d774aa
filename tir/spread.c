// One walk over the body writes each statement once per element. Arrays whose uses are all in the
// loop, and all of called functions, become scalars; so do the elements [i, ...] of an array for
// the loop's variable i and constants, which nobody but this turn touches (lanes_loop_obstacle
// sees to that).
//
// Assumes that every `set` may be executed element by element (pass_alias).
#include "tir/spread.h"

#include "support/bug.h"
#include "tir/alias.h"
#include "tir/constant.h"
#include "tir/copying.h"
#include "tir/spread_element.h"
#include "tir/uses.h"
#include "tir/visit.h"

enum {
    TURNS_LIMIT = 16, // of a loop inside that is written out
    ROW_LIMIT = 16, // elements of an array in a longer one: more of them fill vectors by themselves
    STATEMENTS_LIMIT = 2000,
    INTERLEAVED_MOST = 8, // elements of rows that LLVM turns
    MOVED_MOST = 32,      // that vector registers hold
};

// Nobody reads it but turns what they have written.
static bool is_dead_behind(const Spread *spread, const SpreadRow *row) {
    const TirVar *array = row->array;
    bool is_read = false;
    for (size_t i = 0; i < SPREAD_LIMIT; i++) {
        is_read = is_read || row->is_read[i];
    }
    return tir_var_is_local(array) && !is_read &&
           spread->uses[array->id] == spread->inside[array->id];
}

static void add_set(Spread *spread, TirExpr *place, TirExpr *value, Span span) {
    if (spread->left == 0) {
        spread->fails = true;
        return;
    }
    spread->left--;
    tir_set(spread->tir, spread->out, place, value, span);
}

// Where a part of an array begins, which is a constant or the loop's variable in loops that are
// written out: what is read of the array has its place at once then.
static void note_known(Spread *spread, const TirStmt *set, TirExpr *value) {
    const TirExpr *place = set->set.place;
    if (place->kind != EXPR_VAR || place->type->root != ROOT_INT || !type_is_scalar(place->type)) {
        return;
    }
    bool is_simple =
        value->kind == EXPR_CONST || (value->kind == EXPR_VAR && value->var == spread->counter);
    bool is_known = is_simple && place->var->role == VAR_TEMP && spread->branches == 0;
    table_set(spread->tir->arena, &spread->known, place->var, is_known ? value : NULL);
}

static void set_element(Spread *spread, const TirStmt *set, size_t position) {
    uint32_t at[TYPE_FLAT_LIMIT] = {0};
    spread_positions_at(set->set.place->type, position, at);
    TirExpr *value = spread_element(spread, set->set.value, at);
    if (spread->fails) {
        return;
    }
    spread->is_place = true;
    TirExpr *place = spread_element(spread, set->set.place, at);
    spread->is_place = false;
    if (!spread->fails) {
        add_set(spread, place, value, set->span);
        note_known(spread, set, value);
    }
}

static void spread_block(Spread *spread, const TirBlock *block);

static void spread_sets(Spread *spread, TirStmt **sets, size_t count) {
    const TirExpr *place = sets[0]->set.place;
    size_t numel = place->type->numel;
    // What is written element by element is in scalars already, but for the array.
    bool has_elements = numel == 1 && place->kind == EXPR_VIEW &&
                        spread_elements_of(spread, tir_place_var(place)) != NULL;
    spread->has_arrays |= numel > 1 || has_elements;
    spread->gains |= has_elements;
    bool is_long = numel > (spread->in_loop ? ROW_LIMIT : SPREAD_LIMIT);
    TirBlock all = {.items = sets, .count = count};
    if (is_long || (numel > 1 && tir_sets_move_index(&all))) {
        spread->fails = true;
    }
    for (size_t position = 0; position < numel && !spread->fails; position++) {
        for (size_t i = 0; i < count && !spread->fails; i++) {
            set_element(spread, sets[i], position);
        }
    }
}

// Statements that may run never, or more than once.
static void spread_inside(Spread *spread, const TirBlock *block, TirBlock *out) {
    TirBlock *outer = spread->out;
    spread->known = (Table){0};
    spread->out = out;
    spread->branches++;
    spread_block(spread, block);
    spread->branches--;
    spread->out = outer;
}

static void spread_if(Spread *spread, const TirStmt *stmt) {
    TirExpr *condition = spread_scalar(spread, stmt->branch.condition);
    if (spread->fails) {
        return;
    }
    TirStmt *branch = tir_stmt(spread->tir, spread->out, STMT_IF, stmt->span);
    branch->branch.condition = condition;
    branch->branch.then = branch->branch.otherwise = (TirBlock){0};
    spread->gains = spread->has_branches = true;
    spread_inside(spread, &stmt->branch.then, &branch->branch.then);
    spread_inside(spread, &stmt->branch.otherwise, &branch->branch.otherwise);
}

// Bounds that depend on nothing, or NULL.
static TirExpr *bound(Spread *spread, const TirExpr *expr, int64_t *value) {
    TirExpr *found = spread_scalar(spread, expr);
    return !spread->fails && constant_integer(spread->tir, found, value) ? found
                                                                         : spread_fail(spread);
}

static void write_out(Spread *spread, const TirStmt *loop, int64_t first, int64_t last,
                      int64_t step) {
    bool is_kept = spread->in_loop;
    spread->in_loop = false;
    for (int64_t i = first; !spread->fails && (step > 0 ? i < last : i > last); i += step) {
        TirExpr *value = tir_const_int(spread->tir, (int32_t)i, loop->span);
        table_set(spread->tir->arena, &spread->constants, loop->for_loop.var, value);
        spread_block(spread, &loop->for_loop.body);
    }
    spread->in_loop = is_kept;
}

// Whether all that it does is to copy elements to an array that becomes scalars.
static bool is_copy(Spread *spread, const TirStmt *loop) {
    const TirStmt *set = tir_copying_set(loop);
    return set != NULL && set == loop->for_loop.body.items[0] &&
           spread_elements_of(spread, tir_place_var(set->set.place)) != NULL;
}

static void spread_for(Spread *spread, const TirStmt *loop) {
    int64_t first = 0, last = 0, step = 0;
    TirExpr *from = bound(spread, loop->for_loop.first, &first);
    TirExpr *to = bound(spread, loop->for_loop.last, &last);
    TirExpr *by = bound(spread, loop->for_loop.step, &step);
    if (spread->fails || step == 0) {
        spread->fails = true;
        return;
    }
    int64_t turns = is_copy(spread, loop) ? SPREAD_LIMIT : TURNS_LIMIT;
    if ((step > 0 ? last - first : first - last) <= turns * (step > 0 ? step : -step)) {
        write_out(spread, loop, first, last, step);
        return;
    }
    TirVar *counter = spread_new_scalar(spread, ROOT_INT, loop->span);
    counter->role = VAR_LOOP;
    TirStmt *kept = tir_stmt(spread->tir, spread->out, STMT_FOR, loop->span);
    kept->for_loop = loop->for_loop;
    kept->for_loop.var = counter;
    kept->for_loop.first = from;
    kept->for_loop.last = to;
    kept->for_loop.step = by;
    kept->for_loop.body = (TirBlock){0};
    spread->gains = spread->has_loops = true;
    table_set(spread->tir->arena, &spread->constants, loop->for_loop.var,
              tir_read(spread->tir, counter, loop->span));
    bool was_in_loop = spread->in_loop;
    spread->in_loop = true;
    spread_inside(spread, &loop->for_loop.body, &kept->for_loop.body);
    spread->in_loop = was_in_loop;
}

static void spread_while(Spread *spread, const TirStmt *loop) {
    TirStmt *kept = tir_stmt(spread->tir, spread->out, STMT_WHILE, loop->span);
    kept->while_loop.before = kept->while_loop.body = (TirBlock){0};
    spread->gains = spread->has_loops = true;
    spread_inside(spread, &loop->while_loop.before, &kept->while_loop.before);
    spread->branches++;
    kept->while_loop.condition = spread_scalar(spread, loop->while_loop.condition);
    spread->branches--;
    bool was_in_loop = spread->in_loop;
    spread->in_loop = true;
    spread_inside(spread, &loop->while_loop.body, &kept->while_loop.body);
    spread->in_loop = was_in_loop;
}

// Out of a loop that is kept.
static void spread_jump(Spread *spread, const TirStmt *jump) {
    spread->fails = spread->fails || !spread->in_loop;
    tir_stmt(spread->tir, spread->out, jump->kind, jump->span);
}

static void pass_argument(Spread *spread, const TirExpr *arg, TirVar *const *to) {
    for (size_t i = 0; i < arg->type->numel && !spread->fails; i++) {
        uint32_t at[TYPE_FLAT_LIMIT] = {0};
        spread_positions_at(arg->type, i, at);
        TirExpr *value = spread_element(spread, arg, at);
        if (!spread->fails) {
            add_set(spread, tir_read(spread->tir, to[i], arg->span), value, arg->span);
        }
    }
}

static void take_result(Spread *spread, TirVar *result, TirVar *const *from, Span span) {
    const TirExpr *place = tir_read(spread->tir, result, span);
    table_set(spread->tir->arena, &spread->known, result, NULL);
    for (size_t i = 0; i < result->type->numel && !spread->fails; i++) {
        uint32_t at[TYPE_FLAT_LIMIT] = {0};
        spread_positions_at(result->type, i, at);
        spread->is_place = true;
        TirExpr *to = spread_element(spread, place, at);
        spread->is_place = false;
        if (!spread->fails) {
            add_set(spread, to, tir_read(spread->tir, from[i], span), span);
        }
    }
}

// The array that a parameter is, where the callee only reads it, and nothing else of it may change
// meanwhile. NULL: it needs elements of its own.
static TirVar *passed_array(Spread *spread, const TirFunction *callee, const TirVar *param,
                            const TirExpr *arg) {
    bool is_array = arg->kind == EXPR_VAR && type_is_tensor(arg->type) &&
                    !tir_var_is_global(arg->var) && arg->type == param->type;
    if (!is_array || spread_elements_of(spread, arg->var) != NULL ||
        tir_block_writes(&callee->body, param)) {
        return NULL;
    }
    TirVar *outer = table_get(&spread->passed, arg->var);
    return outer != NULL ? outer : arg->var;
}

// NULL, and a failure: the function has what cannot be taken in.
static TirVar ***callee_elements(Spread *spread, const TirFunction *callee) {
    TirVar ***elements = ARENA_ARRAY(spread->tir->arena, TirVar **, callee->vars.count + 1);
    for (size_t i = 0; i < callee->vars.count && !spread->fails; i++) {
        const TirVar *var = callee->vars.items[i];
        elements[i] = var->role == VAR_LOOP ? NULL : spread_elements_of(spread, var);
        bool is_passed = table_get(&spread->passed, var) != NULL;
        spread->fails =
            var->role == VAR_INOUT || (elements[i] == NULL && var->role != VAR_LOOP && !is_passed);
    }
    return elements;
}

static void spread_call(Spread *spread, const TirStmt *call) {
    const TirFunction *callee = call->call.function;
    const TirFunction *caller = spread->callee;
    Table outer = spread->elements;
    Table own = {0};
    for (size_t i = 0; i < callee->param_count; i++) {
        TirVar *passed = passed_array(spread, callee, callee->params[i], call->call.args[i]);
        table_set(spread->tir->arena, &spread->passed, callee->params[i], passed);
    }
    spread->callee = callee;
    spread->elements = own;
    TirVar ***elements = callee_elements(spread, callee);
    own = spread->elements;
    spread->callee = caller;
    spread->elements = outer;
    for (size_t i = 0; i < callee->param_count && !spread->fails; i++) {
        if (table_get(&spread->passed, callee->params[i]) != NULL) {
            continue;
        }
        pass_argument(spread, call->call.args[i], elements[callee->params[i]->id]);
    }
    outer = spread->elements;
    spread->callee = callee;
    spread->elements = own;
    if (!spread->fails) {
        TirBlock body = callee->body;
        bool returns = body.count > 0 && body.items[body.count - 1]->kind == STMT_RETURN;
        body.count -= returns;
        spread_block(spread, &body);
    }
    spread->callee = caller;
    spread->elements = outer;
    for (size_t i = 0; i < callee->results.count && !spread->fails; i++) {
        take_result(spread, call->call.results.items[i], elements[callee->results.items[i]->id],
                    call->span);
    }
}

static void spread_block(Spread *spread, const TirBlock *block) {
    for (size_t i = 0; i < block->count && !spread->fails; i++) {
        TirStmt *stmt = block->items[i];
        switch (stmt->kind) {
        case STMT_SET: spread_sets(spread, &block->items[i], 1); break;
        case STMT_NEST: spread_sets(spread, stmt->nest.items, stmt->nest.count); break;
        case STMT_IF: spread_if(spread, stmt); break;
        case STMT_FOR: spread_for(spread, stmt); break;
        case STMT_CALL: spread_call(spread, stmt); break;
        case STMT_WHILE: spread_while(spread, stmt); break;
        case STMT_BREAK:
        case STMT_CONTINUE: spread_jump(spread, stmt); break;
        case STMT_RETURN:
        case STMT_PRINT:
        case STMT_INPUT:
        case STMT_OUTPUT:
        case STMT_ASSERT: spread->fails = true; break;
        }
    }
}

// Reads the elements of a row that are to be read, or writes those to be written, in their order.
static void move_row(Spread *spread, const SpreadRow *row, bool is_read, TirStmt *loop) {
    Tir *tir = spread->tir;
    const Type *type = row->array->type;
    Span span = loop->span;
    for (size_t i = 0; i < type->numel / type->dims[0] && !spread->fails; i++) {
        if (is_read ? !row->is_read[i] : !row->is_written[i]) {
            continue;
        }
        TirAxis axes[TYPE_FLAT_LIMIT];
        uint32_t at[TYPE_FLAT_LIMIT] = {0};
        spread_positions_at(type, i, at);
        for (size_t k = 0; k < type->flat_rank; k++) {
            axes[k] = (TirAxis){.axis = -1, .start = at[k], .span = span};
        }
        axes[0] =
            (TirAxis){.axis = -1, .index = tir_read(tir, loop->for_loop.var, span), .span = span};
        TirExpr *array = tir_read(tir, row->array, span);
        TirExpr *there = tir_view(tir, type_scalar(tir->types, type->root), array, axes, span);
        TirExpr *here = tir_read(tir, row->elements[i], span);
        add_set(spread, is_read ? here : there, is_read ? there : here, span);
    }
}

// Rows of several elements, which a product of a matrix and a vector leaves as a whole: to turn
// them takes longer than lanes save.
static bool writes_rows(const Spread *spread) {
    for (size_t i = 0; i < spread->rows.count; i++) {
        const SpreadRow *row = spread->rows.items[i];
        if (row->has_writes && row->array->type->numel > row->array->type->dims[0]) {
            return true;
        }
    }
    return false;
}

// The elements of rows that a turn reads and writes.
static size_t count_moved(const SpreadRow *row) {
    size_t count = 0;
    for (size_t i = 0; i < SPREAD_LIMIT; i++) {
        count += row->is_read[i];
        count += row->is_written[i];
    }
    return count;
}

// Whether straight code over rows gains that writes some, and reads nothing else that lies apart.
// LLVM takes rows of up to INTERLEAVED_MOST elements, but not those of state.
static bool gains_straight(const Spread *spread) {
    size_t moved = 0;
    bool of_state = false;
    bool is_long = false;
    for (size_t i = 0; i < spread->rows.count; i++) {
        const SpreadRow *row = spread->rows.items[i];
        size_t length = row->array->type->numel / row->array->type->dims[0];
        moved += length > 1 ? count_moved(row) : 0;
        of_state = of_state || (length > 1 && tir_var_is_global(row->array));
        is_long = is_long || length > INTERLEAVED_MOST;
    }
    bool pays = (of_state && spread->operations >= 2 * moved) ||
                (is_long && moved <= MOVED_MOST && spread->operations >= moved);
    return pays && spread->read.count == 0;
}

// Whether turns have rows of several elements for themselves, which they read once.
static bool has_rows(const Spread *spread) {
    if (spread->has_loops) {
        return false;
    }
    for (size_t i = 0; i < spread->rows.count; i++) {
        const SpreadRow *row = spread->rows.items[i];
        if (row->array->type->numel > row->array->type->dims[0]) {
            return true;
        }
    }
    return false;
}

bool spread_body(Tir *tir, TirFunction *function, const uint32_t *uses, const uint32_t *inside,
                 TirStmt *loop, bool is_worth_it, TirBlock *body, bool *of_rows) {
    TirBlock turn = {0};
    Spread spread = {.tir = tir,
                     .function = function,
                     .uses = uses,
                     .inside = inside,
                     .counter = loop->for_loop.var,
                     .out = &turn,
                     .left = STATEMENTS_LIMIT};
    spread_block(&spread, &loop->for_loop.body);
    spread.gains |= spread.has_products && !writes_rows(&spread);
    if (of_rows != NULL) {
        *of_rows = !spread.has_arrays && !is_worth_it;
    }
    bool is_straight = !spread.has_arrays && !spread.has_branches && writes_rows(&spread);
    spread.gains = is_straight ? gains_straight(&spread) : spread.gains;
    bool gains = (spread.has_arrays || has_rows(&spread)) && spread.computes && spread.gains;
    if (spread.fails || (!is_worth_it && !gains)) {
        return false;
    }
    *body = (TirBlock){0};
    spread.out = body;
    for (size_t i = 0; i < spread.rows.count; i++) {
        const SpreadRow *row = spread.rows.items[i];
        spread.fails |= table_get(&spread.written, row->array) != NULL ||
                        (row->has_writes && table_get(&spread.read, row->array) != NULL);
        move_row(&spread, row, true, loop);
    }
    tir_append(tir, body, &turn);
    for (size_t i = 0; i < spread.rows.count; i++) {
        if (!is_dead_behind(&spread, spread.rows.items[i])) {
            move_row(&spread, spread.rows.items[i], false, loop);
        }
    }
    return !spread.fails;
}
