// One walk over the body writes each statement once per element. Arrays whose uses are all in the
// loop, and all of called functions, become scalars; so do the elements [i, ...] of an array for
// the loop's variable i and constants, which nobody but this turn touches (lanes_loop_obstacle
// sees to that). Sums and products of many elements stay: how they are grouped is not for TIR to
// say; nor do elementary functions of arrays, which are not those of scalars.
//
// Assumes that every `set` may be executed element by element (pass_alias).
#include "tir/spread.h"

#include "support/bug.h"
#include "support/table.h"
#include "tir/constant.h"
#include "tir/visit.h"

enum {
    TURNS_LIMIT = 16, // of a loop inside
    STATEMENTS_LIMIT = 2000,
};

// The elements of an array that belong to a turn.
typedef struct Row {
    TirVar *array;
    TirVar *elements[SPREAD_LIMIT];
    bool has_value[SPREAD_LIMIT], is_read[SPREAD_LIMIT], is_written[SPREAD_LIMIT];
    bool has_writes; // of any of them
} Row;

typedef struct Spread {
    Tir *tir;
    TirFunction *function;
    const uint32_t *uses, *inside;
    const TirVar *counter;
    const TirFunction *callee; // whose statements are at hand; NULL: the loop's own
    Table elements;            // TirVar of the callee or the loop to its TirVars, by position
    Table constants;           // variables of loops inside
    LIST_OF(Row *) rows;
    Table read, written; // arrays, elsewhere
    TirBlock *out;
    unsigned branches; // around the statement at hand
    size_t left;       // statements
    bool is_place;     // what is asked for is written
    bool has_arrays, gains, fails;
} Spread;

static TirExpr *fail(Spread *spread) {
    spread->fails = true;
    return NULL;
}

// Nobody reads it but turns what they have written.
static bool is_dead_behind(const Spread *spread, const Row *row) {
    const TirVar *array = row->array;
    bool is_read = false;
    for (size_t i = 0; i < SPREAD_LIMIT; i++) {
        is_read = is_read || row->is_read[i];
    }
    return (array->role == VAR_LOCAL || array->role == VAR_TEMP) && !is_read &&
           spread->uses[array->id] == spread->inside[array->id];
}

static TirVar *new_scalar(Spread *spread, Root root, Span span) {
    const Type *type = type_scalar(spread->tir->types, root);
    return tir_var_create(spread->tir, spread->function, VAR_TEMP, NULL, type, span);
}

static bool belongs_to_turn(const Spread *spread, const TirVar *var) {
    return (var->role == VAR_LOCAL || var->role == VAR_TEMP) && type_is_tensor(var->type) &&
           spread->uses[var->id] == spread->inside[var->id];
}

// NULL: the variable stays what it is.
static TirVar **elements_of(Spread *spread, const TirVar *var) {
    TirVar **elements = table_get(&spread->elements, var);
    if (elements != NULL || tir_var_is_global(var) || var->type->numel > SPREAD_LIMIT ||
        (spread->callee == NULL && !belongs_to_turn(spread, var))) {
        return elements;
    }
    elements = ARENA_ARRAY(spread->tir->arena, TirVar *, var->type->numel + 1);
    for (size_t i = 0; i < var->type->numel; i++) {
        elements[i] = new_scalar(spread, var->type->root, var->span);
    }
    table_set(spread->tir->arena, &spread->elements, var, elements);
    return elements;
}

static size_t position_of(const Type *type, const uint32_t *at) {
    size_t position = 0;
    for (size_t k = 0; k < type->flat_rank; k++) {
        position = position * type->dims[k] + at[k];
    }
    return position;
}

static void positions_at(const Type *type, size_t position, uint32_t *at) {
    for (size_t k = type->flat_rank; k-- > 0;) {
        at[k] = (uint32_t)(position % type->dims[k]);
        position /= type->dims[k];
    }
}

static Row *row_of(Spread *spread, TirVar *array) {
    for (size_t i = 0; i < spread->rows.count; i++) {
        if (spread->rows.items[i]->array == array) {
            return spread->rows.items[i];
        }
    }
    Row *row = ARENA_NEW(spread->tir->arena, Row);
    row->array = array;
    LIST_PUSH(spread->tir->arena, &spread->rows, row);
    return row;
}

static TirExpr *row_element(Spread *spread, TirVar *array, size_t position, Span span) {
    Row *row = row_of(spread, array);
    if (row->elements[position] == NULL) {
        row->elements[position] = new_scalar(spread, array->type->root, span);
    }
    bool keeps = !spread->is_place || spread->branches > 0;
    row->is_read[position] |= keeps && !row->has_value[position];
    row->is_written[position] |= spread->is_place;
    row->has_value[position] = true;
    row->has_writes |= spread->is_place;
    return tir_read(spread->tir, row->elements[position], span);
}

// An element of an array that outlives a turn.
static TirExpr *outer_element(Spread *spread, TirVar *array, const TirAxis *axes, Span span) {
    Tir *tir = spread->tir;
    const Type *type = array->type;
    uint32_t at[TYPE_FLAT_LIMIT] = {0};
    const TirExpr *first = type->flat_rank > 0 ? axes[0].index : NULL;
    bool is_own = first != NULL && first->kind == EXPR_VAR && first->var == spread->counter &&
                  type->numel / type->dims[0] <= SPREAD_LIMIT;
    for (size_t k = 1; k < type->flat_rank; k++) {
        is_own = is_own && axes[k].index == NULL;
        at[k] = (uint32_t)axes[k].start;
    }
    if (is_own) {
        return row_element(spread, array, position_of(type, at), span);
    }
    table_set(tir->arena, spread->is_place ? &spread->written : &spread->read, array, array);
    return tir_view(tir, type_scalar(tir->types, type->root), tir_read(tir, array, span), axes,
                    span);
}

static TirExpr *element(Spread *spread, const TirExpr *expr, const uint32_t *at);

static TirExpr *scalar_value(Spread *spread, const TirExpr *expr) {
    static const uint32_t nowhere[TYPE_FLAT_LIMIT] = {0};
    return element(spread, expr, nowhere);
}

static TirExpr *var_element(Spread *spread, const TirExpr *expr, const uint32_t *at) {
    Tir *tir = spread->tir;
    TirExpr *constant = table_get(&spread->constants, expr->var);
    if (constant != NULL) {
        return constant;
    }
    TirVar **elements = elements_of(spread, expr->var);
    if (elements != NULL) {
        return tir_read(tir, elements[position_of(expr->type, at)], expr->span);
    }
    if (type_is_scalar(expr->type)) {
        return tir_read(tir, expr->var, expr->span);
    }
    TirAxis axes[TYPE_FLAT_LIMIT];
    for (size_t k = 0; k < expr->type->flat_rank; k++) {
        axes[k] = (TirAxis){.axis = -1, .start = at[k], .span = expr->span};
    }
    return outer_element(spread, expr->var, axes, expr->span);
}

static TirExpr *index_value(Spread *spread, const TirExpr *index) {
    bool is_place = spread->is_place;
    spread->is_place = false;
    TirExpr *value = scalar_value(spread, index);
    spread->is_place = is_place;
    return value;
}

static TirExpr *view_element(Spread *spread, const TirExpr *view, const uint32_t *at) {
    TirExpr *operand = view->view.operand;
    const Type *from = operand->type;
    uint32_t to[TYPE_FLAT_LIMIT] = {0};
    TirAxis axes[TYPE_FLAT_LIMIT];
    bool is_constant = true;
    for (size_t k = 0; k < from->flat_rank; k++) {
        const TirAxis *axis = &view->view.axes[k];
        int64_t position = axis->start + (axis->axis < 0 ? 0 : axis->step * at[axis->axis]);
        TirExpr *index = axis->index == NULL ? NULL : index_value(spread, axis->index);
        if (spread->fails) {
            return NULL;
        }
        bool is_known = index == NULL || (constant_integer(spread->tir, index, &position) &&
                                          position >= 0 && position < from->dims[k]);
        axes[k] = (TirAxis){.axis = -1, .span = axis->span};
        if (is_known) {
            axes[k].start = position;
            to[k] = (uint32_t)position;
        } else {
            axes[k].index = index;
            axes[k].unchecked = axis->unchecked;
            is_constant = false;
        }
    }
    if (is_constant) {
        return element(spread, operand, to);
    }
    if (operand->kind == EXPR_CONST) {
        const Type *scalar = type_scalar(spread->tir->types, from->root);
        return tir_view(spread->tir, scalar, operand, axes, view->span);
    }
    bool is_outer = operand->kind == EXPR_VAR && elements_of(spread, operand->var) == NULL;
    return is_outer ? outer_element(spread, operand->var, axes, view->span) : fail(spread);
}

static TirExpr *map_element(Spread *spread, const TirExpr *map, const uint32_t *at) {
    TirOp op = map->map.op;
    TirExpr *args[3] = {NULL};
    if (tir_op_is_function(op)) {
        return fail(spread);
    }
    for (unsigned i = 0; i < tir_op_arity(op) && !spread->fails; i++) {
        args[i] = element(spread, map->map.args[i], at);
    }
    if (spread->fails) {
        return NULL;
    }
    spread->gains |= op == OP_SQRT || (op == OP_DIV && map->type->root == ROOT_REAL);
    TirExpr *value = tir_map(spread->tir, op, type_scalar(spread->tir->types, map->type->root),
                             args[0], args[1], args[2], map->span);
    return map->type->root == ROOT_REAL ? value : constant_fold(spread->tir, value);
}

static TirExpr *literal_element(Spread *spread, const TirExpr *literal, const uint32_t *at) {
    size_t position = position_of(literal->type, at);
    for (size_t i = 0; i < literal->literal.count; i++) {
        const TirExpr *item = literal->literal.items[i];
        if (position < item->type->numel) {
            uint32_t inner[TYPE_FLAT_LIMIT] = {0};
            positions_at(item->type, position, inner);
            return element(spread, item, inner);
        }
        position -= item->type->numel;
    }
    UNREACHABLE();
}

// The scalar at a position, as an expression over what the turn has.
static TirExpr *element(Spread *spread, const TirExpr *expr, const uint32_t *at) {
    Tir *tir = spread->tir;
    const Type *scalar = type_scalar(tir->types, expr->type->root);
    switch (expr->kind) {
    case EXPR_CONST:
        return tir_const(tir, scalar, expr->data + position_of(expr->type, at), expr->span);
    case EXPR_VAR: return var_element(spread, expr, at);
    case EXPR_VIEW: return view_element(spread, expr, at);
    case EXPR_MAP: return map_element(spread, expr, at);
    case EXPR_LITERAL: return literal_element(spread, expr, at);
    case EXPR_IOTA: return tir_const_int(tir, (int32_t)at[0], expr->span);
    case EXPR_CONVERT: {
        TirExpr *operand = element(spread, expr->operand, at);
        return spread->fails ? NULL : tir_convert(tir, expr->type->root, operand, expr->span);
    }
    case EXPR_RESHAPE: {
        uint32_t inner[TYPE_FLAT_LIMIT] = {0};
        positions_at(expr->operand->type, position_of(expr->type, at), inner);
        return element(spread, expr->operand, inner);
    }
    case EXPR_CONCAT:
    case EXPR_REDUCE:
    case EXPR_CUMSUM:
    case EXPR_DOT: return fail(spread);
    }
    UNREACHABLE();
}

static void add_set(Spread *spread, TirExpr *place, TirExpr *value, Span span) {
    if (spread->left == 0) {
        spread->fails = true;
        return;
    }
    spread->left--;
    tir_set(spread->tir, spread->out, place, value, span);
}

static void spread_element(Spread *spread, const TirStmt *set, size_t position) {
    uint32_t at[TYPE_FLAT_LIMIT] = {0};
    positions_at(set->set.place->type, position, at);
    TirExpr *value = element(spread, set->set.value, at);
    if (spread->fails) {
        return;
    }
    spread->is_place = true;
    TirExpr *place = element(spread, set->set.place, at);
    spread->is_place = false;
    if (!spread->fails) {
        add_set(spread, place, value, set->span);
    }
}

static void spread_block(Spread *spread, const TirBlock *block);

static void spread_sets(Spread *spread, TirStmt *const *sets, size_t count) {
    size_t numel = sets[0]->set.place->type->numel;
    spread->has_arrays |= numel > 1;
    if (numel > SPREAD_LIMIT) {
        spread->fails = true;
    }
    for (size_t position = 0; position < numel && !spread->fails; position++) {
        for (size_t i = 0; i < count && !spread->fails; i++) {
            spread_element(spread, sets[i], position);
        }
    }
}

static void spread_if(Spread *spread, const TirStmt *stmt) {
    TirExpr *condition = scalar_value(spread, stmt->branch.condition);
    if (spread->fails) {
        return;
    }
    TirBlock *out = spread->out;
    TirStmt *branch = tir_stmt(spread->tir, out, STMT_IF, stmt->span);
    branch->branch.condition = condition;
    branch->branch.then = branch->branch.otherwise = (TirBlock){0};
    spread->gains = true;
    spread->branches++;
    spread->out = &branch->branch.then;
    spread_block(spread, &stmt->branch.then);
    spread->out = &branch->branch.otherwise;
    spread_block(spread, &stmt->branch.otherwise);
    spread->out = out;
    spread->branches--;
}

static bool bound(Spread *spread, const TirExpr *expr, int64_t *value) {
    TirExpr *found = scalar_value(spread, expr);
    return !spread->fails && constant_integer(spread->tir, found, value);
}

static void spread_for(Spread *spread, const TirStmt *loop) {
    int64_t first, last, step;
    if (!bound(spread, loop->for_loop.first, &first) ||
        !bound(spread, loop->for_loop.last, &last) || !bound(spread, loop->for_loop.step, &step) ||
        step == 0) {
        spread->fails = true;
        return;
    }
    unsigned turns = 0;
    for (int64_t i = first; !spread->fails && (step > 0 ? i < last : i > last); i += step) {
        TirExpr *value = tir_const_int(spread->tir, (int32_t)i, loop->span);
        table_set(spread->tir->arena, &spread->constants, loop->for_loop.var, value);
        spread_block(spread, &loop->for_loop.body);
        spread->fails = spread->fails || ++turns > TURNS_LIMIT;
    }
}

static void pass_argument(Spread *spread, const TirExpr *arg, TirVar *const *to) {
    for (size_t i = 0; i < arg->type->numel && !spread->fails; i++) {
        uint32_t at[TYPE_FLAT_LIMIT] = {0};
        positions_at(arg->type, i, at);
        TirExpr *value = element(spread, arg, at);
        if (!spread->fails) {
            add_set(spread, tir_read(spread->tir, to[i], arg->span), value, arg->span);
        }
    }
}

static void take_result(Spread *spread, TirVar *result, TirVar *const *from, Span span) {
    const TirExpr *place = tir_read(spread->tir, result, span);
    for (size_t i = 0; i < result->type->numel && !spread->fails; i++) {
        uint32_t at[TYPE_FLAT_LIMIT] = {0};
        positions_at(result->type, i, at);
        spread->is_place = true;
        TirExpr *to = element(spread, place, at);
        spread->is_place = false;
        if (!spread->fails) {
            add_set(spread, to, tir_read(spread->tir, from[i], span), span);
        }
    }
}

// NULL, and a failure: the function has what cannot be taken in.
static TirVar ***callee_elements(Spread *spread, const TirFunction *callee) {
    TirVar ***elements = ARENA_ARRAY(spread->tir->arena, TirVar **, callee->vars.count + 1);
    for (size_t i = 0; i < callee->vars.count && !spread->fails; i++) {
        const TirVar *var = callee->vars.items[i];
        elements[i] = var->role == VAR_LOOP ? NULL : elements_of(spread, var);
        spread->fails = var->role == VAR_INOUT || (elements[i] == NULL && var->role != VAR_LOOP);
    }
    return elements;
}

static void spread_call(Spread *spread, const TirStmt *call) {
    const TirFunction *callee = call->call.function;
    const TirFunction *caller = spread->callee;
    Table outer = spread->elements;
    Table own = {0};
    spread->callee = callee;
    spread->elements = own;
    TirVar ***elements = callee_elements(spread, callee);
    own = spread->elements;
    spread->callee = caller;
    spread->elements = outer;
    for (size_t i = 0; i < callee->param_count && !spread->fails; i++) {
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
        case STMT_WHILE:
        case STMT_BREAK:
        case STMT_CONTINUE:
        case STMT_RETURN:
        case STMT_PRINT:
        case STMT_INPUT:
        case STMT_OUTPUT:
        case STMT_ASSERT: spread->fails = true; break;
        }
    }
}

// Reads the elements of a row that are to be read, or writes those to be written, in their order.
static void move_row(Spread *spread, const Row *row, bool is_read, TirStmt *loop) {
    Tir *tir = spread->tir;
    const Type *type = row->array->type;
    Span span = loop->span;
    for (size_t i = 0; i < type->numel / type->dims[0] && !spread->fails; i++) {
        if (is_read ? !row->is_read[i] : !row->is_written[i]) {
            continue;
        }
        TirAxis axes[TYPE_FLAT_LIMIT];
        uint32_t at[TYPE_FLAT_LIMIT] = {0};
        positions_at(type, i, at);
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

bool spread_body(Tir *tir, TirFunction *function, const uint32_t *uses, const uint32_t *inside,
                 TirStmt *loop, bool is_worth_it, TirBlock *body) {
    TirBlock turn = {0};
    Spread spread = {.tir = tir,
                     .function = function,
                     .uses = uses,
                     .inside = inside,
                     .counter = loop->for_loop.var,
                     .out = &turn,
                     .left = STATEMENTS_LIMIT};
    spread_block(&spread, &loop->for_loop.body);
    if (spread.fails || (!is_worth_it && (!spread.has_arrays || !spread.gains))) {
        return false;
    }
    *body = (TirBlock){0};
    spread.out = body;
    for (size_t i = 0; i < spread.rows.count; i++) {
        const Row *row = spread.rows.items[i];
        spread.fails |= table_get(&spread.written, row->array) != NULL ||
                        (row->has_writes && table_get(&spread.read, row->array) != NULL);
        move_row(&spread, row, true, loop);
    }
    for (size_t i = 0; i < turn.count; i++) {
        LIST_PUSH(tir->arena, body, turn.items[i]);
    }
    for (size_t i = 0; i < spread.rows.count; i++) {
        if (!is_dead_behind(&spread, spread.rows.items[i])) {
            move_row(&spread, spread.rows.items[i], false, loop);
        }
    }
    return !spread.fails;
}
