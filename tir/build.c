// Builders of TIR. They keep trees small: a view of a view is one view, and what
// changes nothing is not built at all.
#include "tir/build.h"

#include "support/bug.h"
#include "tir/verify.h"
#include "tir/view.h"
#include "tir/visit.h"

#include <string.h>

TirVar *tir_var_create(Tir *tir, TirFunction *function, TirVarRole role, Name name,
                       const Type *type, Span span) {
    TirVar *var = ARENA_NEW(tir->arena, TirVar);
    *var = (TirVar){.role = role, .name = name, .type = type, .span = span};
    CHECK(type_has_value(type) && (function == NULL) == tir_var_is_global(var));
    if (function == NULL) {
        var->id = tir->global_count++;
        return var;
    }
    var->id = (uint32_t)function->vars.count;
    LIST_PUSH(tir->arena, &function->vars, var);
    return var;
}

void tir_add_function(Tir *tir, TirProgram *program, TirFunction *function) {
    function->id = (uint32_t)program->functions.count;
    LIST_PUSH(tir->arena, &program->functions, function);
}

void tir_add_param(Tir *tir, TirFunction *function, TirVar *param) {
    size_t count = function->param_count;
    function->params = arena_grow(tir->arena, function->params, count, count + 1, sizeof(TirVar *));
    function->params[function->param_count++] = param;
}

TirVar *tir_result_create(Tir *tir, TirFunction *function, const Type *type, Span span) {
    TirVar *var = tir_var_create(tir, function, VAR_RESULT, NULL, type, span);
    LIST_PUSH(tir->arena, &function->results, var);
    return var;
}

#define EXPR_BYTES(member) (offsetof(TirExpr, member) + sizeof(((TirExpr *)0)->member))

static size_t expr_bytes(TirExprKind kind) {
    switch (kind) {
    case EXPR_CONST:
    case EXPR_VAR:
    case EXPR_RESHAPE:
    case EXPR_CUMSUM: return offsetof(TirExpr, data) + sizeof(void *);
    case EXPR_CONVERT: return EXPR_BYTES(is_small);
    case EXPR_MAP: return EXPR_BYTES(map);
    case EXPR_VIEW: return EXPR_BYTES(view);
    case EXPR_LITERAL: return EXPR_BYTES(literal);
    case EXPR_CONCAT: return EXPR_BYTES(concat);
    case EXPR_REDUCE: return EXPR_BYTES(reduce);
    case EXPR_DOT: return EXPR_BYTES(dot);
    case EXPR_IOTA: return offsetof(TirExpr, data);
    }
    UNREACHABLE();
}

TirExpr *tir_new_expr(Arena *arena, TirExprKind kind, const Type *type, Span span) {
    TirExpr *expr = arena_alloc(arena, expr_bytes(kind));
    expr->kind = kind;
    expr->type = type;
    expr->span = span;
    return expr;
}

static TirExpr *new_expr(Tir *tir, TirExprKind kind, const Type *type, Span span) {
    return tir_new_expr(tir->arena, kind, type, span);
}

static void and_constant(const TirExpr *operand, void *data) {
    bool *all = data;
    *all = *all && operand->is_constant;
}

// Every builder but tir_read ends here.
static TirExpr *finish(TirExpr *expr) {
    const char *error = tir_node_error(expr);
    if (error != NULL) {
        BUG("%s", error);
    }
    expr->is_constant = true;
    tir_read_operands(expr, and_constant, &expr->is_constant);
    return expr;
}

TirExpr *tir_const(Tir *tir, const Type *type, const TirScalar *data, Span span) {
    TirExpr *expr = new_expr(tir, EXPR_CONST, type, span);
    expr->data = data;
    return finish(expr);
}

static TirExpr *scalar_const(Tir *tir, Root root, TirScalar value, Span span) {
    TirScalar *data = ARENA_NEW(tir->arena, TirScalar);
    *data = value;
    return tir_const(tir, type_scalar(tir->types, root), data, span);
}

TirExpr *tir_const_bool(Tir *tir, bool value, Span span) {
    return scalar_const(tir, ROOT_BOOL, (TirScalar){.boolean = value}, span);
}

TirExpr *tir_const_uint(Tir *tir, uint32_t value, Span span) {
    return scalar_const(tir, ROOT_UINT, (TirScalar){.uint = value}, span);
}

TirExpr *tir_const_int(Tir *tir, int32_t value, Span span) {
    return scalar_const(tir, ROOT_INT, (TirScalar){.integer = value}, span);
}

TirExpr *tir_const_real(Tir *tir, double value, Span span) {
    double rounded = tir->single ? (double)(float)value : value;
    return scalar_const(tir, ROOT_REAL, (TirScalar){.real = rounded}, span);
}

TirExpr *tir_read(Tir *tir, TirVar *var, Span span) {
    TirExpr *expr = new_expr(tir, EXPR_VAR, var->type, span);
    expr->var = var;
    return expr;
}

TirExpr *tir_map(Tir *tir, TirOp op, const Type *type, TirExpr *a, TirExpr *b, TirExpr *c,
                 Span span) {
    TirExpr *expr = new_expr(tir, EXPR_MAP, type, span);
    expr->map.op = op;
    expr->map.args[0] = a;
    expr->map.args[1] = b;
    expr->map.args[2] = c;
    return finish(expr);
}

TirExpr *tir_line(Tir *tir, TirExpr *x, int64_t step, int64_t start, Span span) {
    if (step != 1) {
        x = tir_map(tir, OP_MUL, x->type, x, tir_const_int(tir, (int32_t)step, span), NULL, span);
    }
    if (start != 0) {
        x = tir_map(tir, OP_ADD, x->type, x, tir_const_int(tir, (int32_t)start, span), NULL, span);
    }
    return x;
}

TirExpr *tir_convert(Tir *tir, Root root, TirExpr *operand, Span span) {
    if (operand->type->root == root) {
        return operand;
    }
    const Type *type = type_with_root(tir->types, operand->type, root);
    TirExpr *expr = new_expr(tir, EXPR_CONVERT, type, span);
    expr->operand = operand;
    return finish(expr);
}

TirExpr *tir_convert_as(Tir *tir, const TirExpr *convert, TirExpr *operand) {
    TirExpr *expr = tir_convert(tir, convert->type->root, operand, convert->span);
    if (expr->kind == EXPR_CONVERT && expr != operand) {
        expr->is_small = convert->is_small;
    }
    return expr;
}

// How often a view uses each axis of its result; -1 stands nowhere.
static unsigned axis_uses(const TirExpr *view, int32_t axis) {
    unsigned uses = 0;
    for (size_t i = 0; i < view->view.operand->type->flat_rank; i++) {
        uses += view->view.axes[i].axis == axis && view->view.axes[i].index == NULL;
    }
    return uses;
}

// Whether the inner view's use of its axis can take over an index that is computed while running:
// the index must stay what is checked, against the same length, once.
static bool index_can_move(const TirExpr *inner, int32_t axis) {
    if (axis_uses(inner, axis) != 1) {
        return false;
    }
    const Type *from = inner->view.operand->type;
    for (size_t i = 0; i < from->flat_rank; i++) {
        const TirAxis *use = &inner->view.axes[i];
        if (use->axis == axis && use->index == NULL) {
            return use->start == 0 && use->step == 1 && from->dims[i] == inner->type->dims[axis];
        }
    }
    UNREACHABLE();
}

static bool views_compose(const TirExpr *inner, const TirAxis *outer) {
    for (int32_t axis = 0; axis < inner->type->flat_rank; axis++) {
        if (outer[axis].index != NULL && !index_can_move(inner, axis)) {
            return false;
        }
    }
    return true;
}

static TirAxis compose_axis(const TirAxis *inner, const TirAxis *outer) {
    if (inner->index != NULL || inner->axis < 0) {
        return *inner;
    }
    TirAxis axis = outer[inner->axis];
    if (axis.index == NULL) {
        axis.start = inner->start + inner->step * axis.start;
        axis.step *= inner->step;
    }
    return axis;
}

static bool is_identity(const Type *type, const TirExpr *operand, const TirAxis *axes) {
    if (!type_same_dims(type, operand->type)) {
        return false;
    }
    for (int32_t i = 0; i < type->flat_rank; i++) {
        bool moves_along = axes[i].axis == i && axes[i].start == 0 && axes[i].step == 1;
        bool is_only = type->dims[i] == 1 && axes[i].start == 0;
        if (axes[i].index != NULL || !(moves_along || is_only)) {
            return false;
        }
    }
    return true;
}

// Which dims of what is reshaped make up each one of the result: those from `first[k]` to before
// `first[k + 1]`. False: some make up parts of it.
static bool find_merged(const TirExpr *reshape, size_t *first) {
    const Type *from = reshape->operand->type;
    const Type *to = reshape->type;
    size_t at = 0;
    for (size_t k = 0; k < to->flat_rank; k++) {
        first[k] = at;
        uint64_t length = 1;
        while (at < from->flat_rank && length < to->dims[k]) {
            length *= from->dims[at++];
        }
        if (length != to->dims[k]) {
            return false;
        }
    }
    first[to->flat_rank] = from->flat_rank;
    return true;
}

// Whether all of each dim of the operand is moved somewhere. What else the view has repeats that.
// `source`: the dim that moves along each of its own; those of the operand where none does.
static bool moves_whole(const Type *type, const TirExpr *operand, const TirAxis *axes,
                        size_t *source) {
    size_t count = operand->type->flat_rank;
    for (size_t axis = 0; axis < type->flat_rank; axis++) {
        source[axis] = count;
    }
    for (size_t k = 0; k < count; k++) {
        const TirAxis *axis = &axes[k];
        if (axis->index != NULL || axis->axis < 0 || axis->start != 0 || axis->step != 1 ||
            type->dims[axis->axis] != operand->type->dims[k] || source[axis->axis] != count) {
            return false;
        }
        source[axis->axis] = k;
    }
    return true;
}

// What moves dims that each are several of something else, or repeats them, is a reshape of what
// does that to those: a value in the end, whose place can be seen in that shape. NULL: it is no
// such.
static TirExpr *moved_below(Tir *tir, const Type *type, const TirExpr *reshape, const TirAxis *axes,
                            Span span) {
    TirExpr *operand = reshape->operand;
    size_t first[TYPE_FLAT_LIMIT + 1], source[TYPE_FLAT_LIMIT];
    if (operand->kind == EXPR_VAR || operand->kind == EXPR_CONST ||
        !moves_whole(type, reshape, axes, source) || !find_merged(reshape, first)) {
        return NULL;
    }
    TirAxis moved[TYPE_FLAT_LIMIT] = {{.axis = -1}};
    uint32_t dims[2 * TYPE_FLAT_LIMIT];
    size_t rank = 0;
    for (size_t axis = 0; axis < type->flat_rank; axis++) {
        size_t k = source[axis];
        if (k == reshape->type->flat_rank) {
            dims[rank++] = type->dims[axis];
            continue;
        }
        for (size_t d = first[k]; d < first[k + 1]; d++) {
            moved[d] = (TirAxis){.axis = (int32_t)rank, .step = 1};
            dims[rank++] = operand->type->dims[d];
        }
    }
    if (rank > TYPE_RANK_LIMIT) {
        return NULL;
    }
    const Type *inner = type_tensor(tir->types, type_scalar(tir->types, type->root), rank, dims);
    return tir_reshape(tir, type, tir_view(tir, inner, operand, moved, span), span);
}

TirExpr *tir_view(Tir *tir, const Type *type, TirExpr *operand, const TirAxis *axes, Span span) {
    // The outer view must be checked before it disappears in a composed one.
    TirExpr view = {.kind = EXPR_VIEW, .type = type, .span = span};
    size_t rank = operand->type->flat_rank;
    view.view.operand = operand;
    view.view.axes = ARENA_ARRAY(tir->arena, TirAxis, rank);
    if (rank > 0) {
        memcpy(view.view.axes, axes, rank * sizeof(*axes));
    }
    finish(&view);
    if (is_identity(type, operand, axes)) {
        return tir_reshape(tir, type, operand, span);
    }
    if (operand->kind == EXPR_RESHAPE && reshape_is_of_levels(operand)) {
        return tir_view(tir, type, operand->operand, axes, span);
    }
    if (operand->kind == EXPR_VIEW && views_compose(operand, axes)) {
        TirExpr *bottom = operand->view.operand;
        TirAxis *composed = ARENA_ARRAY(tir->arena, TirAxis, bottom->type->flat_rank);
        for (size_t i = 0; i < bottom->type->flat_rank; i++) {
            composed[i] = compose_axis(&operand->view.axes[i], axes);
        }
        return tir_view(tir, type, bottom, composed, span);
    }
    TirExpr *below =
        operand->kind == EXPR_RESHAPE ? moved_below(tir, type, operand, axes, span) : NULL;
    if (below != NULL) {
        return below;
    }
    TirExpr *expr = new_expr(tir, EXPR_VIEW, type, span);
    expr->view = view.view;
    expr->is_constant = view.is_constant;
    return expr;
}

// Whether the two differ in dims of length 1 only; if so, says which dim of `to` each of `from` is.
static bool match_longer_dims(const Type *from, const Type *to, TirAxis *axes) {
    int32_t next = 0;
    for (size_t i = 0; i < from->flat_rank; i++) {
        axes[i] = (TirAxis){.axis = -1};
        if (from->dims[i] == 1) {
            continue;
        }
        while (next < to->flat_rank && to->dims[next] == 1) {
            next++;
        }
        if (next == to->flat_rank || to->dims[next] != from->dims[i]) {
            return false;
        }
        axes[i] = (TirAxis){.axis = next++, .step = 1};
    }
    return true; // what remains of `to` has length 1, as the numbers of scalars agree
}

TirExpr *tir_row(Tir *tir, const Type *type, TirExpr *array, TirAxis at) {
    TirAxis axes[TYPE_FLAT_LIMIT] = {at};
    for (int32_t k = 1; k < array->type->flat_rank; k++) {
        axes[k] = (TirAxis){.axis = k - 1, .step = 1};
    }
    return tir_view(tir, type, array, axes, array->span);
}

TirExpr *tir_element(Tir *tir, TirExpr *array, uint32_t position) {
    const Type *type = array->type;
    TirAxis axes[TYPE_FLAT_LIMIT];
    for (size_t d = type->flat_rank; d-- > 0;) {
        axes[d] = (TirAxis){.axis = -1, .start = position % type->dims[d], .span = array->span};
        position /= type->dims[d];
    }
    return tir_view(tir, type_scalar(tir->types, type->root), array, axes, array->span);
}

TirExpr *tir_reshape(Tir *tir, const Type *type, TirExpr *operand, Span span) {
    if (type == operand->type) {
        return operand;
    }
    if (operand->kind == EXPR_VIEW && operand->view.operand->type->flat_rank == 0) {
        return tir_view(tir, type, operand->view.operand, operand->view.axes, span);
    }
    TirExpr *expr = new_expr(tir, EXPR_RESHAPE, type, span);
    expr->operand = operand->kind == EXPR_RESHAPE ? operand->operand : operand;
    finish(expr);
    if (expr->operand != operand) {
        return tir_reshape(tir, type, expr->operand, span);
    }
    if (type_same_dims(type, operand->type)) {
        if (operand->kind != EXPR_VIEW) {
            return expr;
        }
        TirExpr *view = tir_copy_node(tir, operand); // is free to have the type that is wanted
        view->type = type;
        view->span = span;
        return view;
    }
    TirAxis *axes = ARENA_ARRAY(tir->arena, TirAxis, operand->type->flat_rank);
    return match_longer_dims(operand->type, type, axes) ? tir_view(tir, type, operand, axes, span)
                                                        : expr;
}

// Row-major stacks in a row-major stack are one: the items of literals that are items move up.
static void splice_literals(Tir *tir, TirExpr *expr) {
    size_t count = 0;
    for (size_t i = 0; i < expr->literal.count; i++) {
        const TirExpr *item = expr->literal.items[i];
        count += item->kind == EXPR_LITERAL ? item->literal.count : 1;
    }
    if (count == expr->literal.count) {
        return;
    }
    TirExpr **items = ARENA_ARRAY(tir->arena, TirExpr *, count);
    size_t next = 0;
    for (size_t i = 0; i < expr->literal.count; i++) {
        TirExpr *item = expr->literal.items[i];
        if (item->kind != EXPR_LITERAL) {
            items[next++] = item;
            continue;
        }
        for (size_t k = 0; k < item->literal.count; k++) {
            items[next++] = item->literal.items[k];
        }
    }
    expr->literal.items = items;
    expr->literal.count = count;
}

TirExpr *tir_literal(Tir *tir, const Type *type, TirExpr **items, size_t count, Span span) {
    TirExpr *expr = new_expr(tir, EXPR_LITERAL, type, span);
    expr->literal.items = items;
    expr->literal.count = count;
    splice_literals(tir, expr);
    return finish(expr);
}

TirExpr *tir_concat(Tir *tir, const Type *type, TirExpr **items, size_t count, uint32_t axis,
                    Span span) {
    TirExpr *expr = new_expr(tir, EXPR_CONCAT, type, span);
    expr->concat.items = items;
    expr->concat.count = count;
    expr->concat.axis = axis;
    return finish(expr);
}

TirExpr *tir_reduce(Tir *tir, TirReduction op, const Type *type, TirExpr *operand, uint32_t axis,
                    uint32_t axis_count, Span span) {
    TirExpr *expr = new_expr(tir, EXPR_REDUCE, type, span);
    expr->reduce.op = op;
    expr->reduce.operand = operand;
    expr->reduce.axis = axis;
    expr->reduce.axis_count = axis_count;
    return finish(expr);
}

TirExpr *tir_cumsum(Tir *tir, TirExpr *operand, Span span) {
    TirExpr *expr = new_expr(tir, EXPR_CUMSUM, operand->type, span);
    expr->operand = operand;
    return finish(expr);
}

TirExpr *tir_dot(Tir *tir, const Type *type, TirExpr *left, TirExpr *right, Span span) {
    TirExpr *expr = new_expr(tir, EXPR_DOT, type, span);
    expr->dot.left = left;
    expr->dot.right = right;
    expr->dot.whole = NULL;
    return finish(expr);
}

TirExpr *tir_iota(Tir *tir, const Type *type, Span span) {
    return finish(new_expr(tir, EXPR_IOTA, type, span));
}

#define STMT_BYTES(member) (offsetof(TirStmt, member) + sizeof(((TirStmt *)0)->member))

static size_t stmt_bytes(TirStmtKind kind) {
    switch (kind) {
    case STMT_SET: return STMT_BYTES(set);
    case STMT_NEST: return STMT_BYTES(nest);
    case STMT_CALL: return STMT_BYTES(call);
    case STMT_IF: return STMT_BYTES(branch);
    case STMT_FOR: return STMT_BYTES(for_loop);
    case STMT_WHILE: return STMT_BYTES(while_loop);
    case STMT_BREAK:
    case STMT_CONTINUE:
    case STMT_RETURN: return offsetof(TirStmt, set);
    case STMT_PRINT: return STMT_BYTES(print);
    case STMT_INPUT: return STMT_BYTES(input);
    case STMT_OUTPUT: return STMT_BYTES(output);
    case STMT_ASSERT: return STMT_BYTES(assertion);
    }
    UNREACHABLE();
}

TirStmt *tir_stmt(Tir *tir, TirBlock *block, TirStmtKind kind, Span span) {
    TirStmt *stmt = arena_alloc(tir->arena, stmt_bytes(kind));
    stmt->kind = kind;
    stmt->span = span;
    LIST_PUSH(tir->arena, block, stmt);
    return stmt;
}

void tir_append(Tir *tir, TirBlock *block, const TirBlock *from) {
    for (size_t i = 0; i < from->count; i++) {
        LIST_PUSH(tir->arena, block, from->items[i]);
    }
}

TirStmt *tir_set(Tir *tir, TirBlock *block, TirExpr *place, TirExpr *value, Span span) {
    CHECK(type_same_dims(place->type, value->type) && place->type->root == value->type->root);
    TirStmt *stmt = tir_stmt(tir, block, STMT_SET, span);
    stmt->set.place = place;
    stmt->set.value = value;
    return stmt;
}

TirStmt *tir_set_var(Tir *tir, TirBlock *block, TirVar *var, TirExpr *value, Span span) {
    return tir_set(tir, block, tir_read(tir, var, span), value, span);
}

TirVar *tir_set_temp(Tir *tir, TirFunction *function, TirBlock *block, TirExpr *value) {
    TirVar *temp = tir_var_create(tir, function, VAR_TEMP, NULL, value->type, value->span);
    tir_set_var(tir, block, temp, value, value->span);
    return temp;
}

TirStmt *tir_for(Tir *tir, TirBlock *block, TirFunction *function, int32_t first, int32_t last,
                 int32_t step, Span span) {
    TirStmt *stmt = tir_stmt(tir, block, STMT_FOR, span);
    const Type *type = type_scalar(tir->types, ROOT_INT);
    stmt->for_loop.var = tir_var_create(tir, function, VAR_LOOP, NULL, type, span);
    stmt->for_loop.first = tir_const_int(tir, first, span);
    stmt->for_loop.last = tir_const_int(tir, last, span);
    stmt->for_loop.step = tir_const_int(tir, step, span);
    stmt->for_loop.step_span = span;
    return stmt;
}

void tir_set_turns(Tir *tir, TirStmt *loop, int64_t first, int64_t last) {
    loop->for_loop.first = tir_const_int(tir, (int32_t)first, loop->for_loop.first->span);
    loop->for_loop.last = tir_const_int(tir, (int32_t)last, loop->for_loop.last->span);
}

TirStmt *tir_derivative(Tir *tir, TirBlock *block, TirDerivativeKind kind, TirFunction *function,
                        TirExpr **args, const uint32_t *by, size_t by_count, TirExpr *along,
                        Span span) {
    CHECK((along != NULL) == (kind == DERIVATIVE_ALONG));
    TirStmt *stmt = tir_stmt(tir, block, STMT_CALL, span);
    stmt->call.function = function;
    stmt->call.args = args;
    stmt->call.arg_count = function->param_count;
    stmt->call.derivative = ARENA_NEW(tir->arena, TirDerivative);
    *stmt->call.derivative = (TirDerivative){kind, by, by_count, along};
    return stmt;
}

static TirExpr **copy_items(Tir *tir, TirExpr **items, size_t count) {
    return arena_grow(tir->arena, items, count, count, sizeof(TirExpr *));
}

TirExpr *tir_copy_node(Tir *tir, const TirExpr *expr) {
    TirExpr *copy = new_expr(tir, expr->kind, expr->type, expr->span);
    memcpy(copy, expr, expr_bytes(expr->kind));
    switch (expr->kind) {
    case EXPR_VIEW: {
        size_t rank = expr->view.operand->type->flat_rank;
        copy->view.axes =
            arena_grow(tir->arena, expr->view.axes, rank, rank, sizeof(*expr->view.axes));
        return copy;
    }
    case EXPR_LITERAL:
        copy->literal.items = copy_items(tir, expr->literal.items, expr->literal.count);
        return copy;
    case EXPR_CONCAT:
        copy->concat.items = copy_items(tir, expr->concat.items, expr->concat.count);
        return copy;
    case EXPR_CONST:
    case EXPR_VAR:
    case EXPR_MAP:
    case EXPR_CONVERT:
    case EXPR_RESHAPE:
    case EXPR_REDUCE:
    case EXPR_CUMSUM:
    case EXPR_DOT:
    case EXPR_IOTA: return copy;
    }
    UNREACHABLE();
}
