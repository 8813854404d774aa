// How sums and products of many elements are grouped is not for TIR to say: they stay one
// expression, of an array of scalars, or fail. Elementary functions of arrays fail, as they are not
// those of scalars.
#include "tir/spread_element.h"

#include "support/bug.h"
#include "tir/constant.h"
#include "tir/in_order.h"
#include "tir/visit.h"

#include <string.h>

// Terms of one sum that stay one expression: those of more than SUM_IN_ORDER, which are grouped, in
// vectors of lanes. With fewer products LLVM's vectors of turns take 0.75 of the time; with more,
// of windows that move along, those of terms do: 20 take as long, 26 take 0.8 of the time.
enum {
    ONE_SUM_FROM = SUM_IN_ORDER + 1,
    GROUPED_PRODUCTS_FROM = 4,
    GROUPED_PRODUCTS_BELOW = 5,
};

TirExpr *spread_fail(Spread *spread) {
    spread->fails = true;
    return NULL;
}

TirVar *spread_new_scalar(Spread *spread, Root root, Span span) {
    const Type *type = type_scalar(spread->tir->types, root);
    return tir_var_create(spread->tir, spread->function, VAR_TEMP, NULL, type, span);
}

static bool belongs_to_turn(const Spread *spread, const TirVar *var) {
    return tir_var_is_local(var) && type_is_tensor(var->type) &&
           spread->uses[var->id] == spread->inside[var->id];
}

TirVar **spread_elements_of(Spread *spread, const TirVar *var) {
    TirVar **elements = table_get(&spread->elements, var);
    if (elements != NULL || tir_var_is_global(var) || var->type->numel > SPREAD_LIMIT ||
        table_get(&spread->passed, var) != NULL ||
        (spread->callee == NULL && !belongs_to_turn(spread, var))) {
        return elements;
    }
    elements = ARENA_ARRAY(spread->tir->arena, TirVar *, var->type->numel + 1);
    for (size_t i = 0; i < var->type->numel; i++) {
        elements[i] = spread_new_scalar(spread, var->type->root, var->span);
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

void spread_positions_at(const Type *type, size_t position, uint32_t *at) {
    for (size_t k = type->flat_rank; k-- > 0;) {
        at[k] = (uint32_t)(position % type->dims[k]);
        position /= type->dims[k];
    }
}

static SpreadRow *row_of(Spread *spread, TirVar *array) {
    for (size_t i = 0; i < spread->rows.count; i++) {
        if (spread->rows.items[i]->array == array) {
            return spread->rows.items[i];
        }
    }
    SpreadRow *row = ARENA_NEW(spread->tir->arena, SpreadRow);
    row->array = array;
    LIST_PUSH(spread->tir->arena, &spread->rows, row);
    return row;
}

static TirExpr *row_element(Spread *spread, TirVar *array, size_t position, Span span) {
    SpreadRow *row = row_of(spread, array);
    if (row->elements[position] == NULL) {
        row->elements[position] = spread_new_scalar(spread, array->type->root, span);
    }
    bool keeps = !spread->is_place || spread->branches > 0;
    row->is_read[position] |= keeps && !row->has_value[position];
    row->is_written[position] |= spread->is_place;
    row->has_value[position] = true;
    row->has_writes |= spread->is_place;
    return tir_read(spread->tir, row->elements[position], span);
}

// An element of an array that outlives a turn, or of a parameter that stands for one.
static TirExpr *outer_element(Spread *spread, TirVar *var, const TirAxis *axes, Span span) {
    Tir *tir = spread->tir;
    TirVar *passed = table_get(&spread->passed, var);
    TirVar *array = passed != NULL ? passed : var;
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

TirExpr *spread_scalar(Spread *spread, const TirExpr *expr) {
    static const uint32_t nowhere[TYPE_FLAT_LIMIT] = {0};
    return spread_element(spread, expr, nowhere);
}

static TirExpr *var_element(Spread *spread, const TirExpr *expr, const uint32_t *at) {
    Tir *tir = spread->tir;
    TirExpr *constant = table_get(&spread->constants, expr->var);
    if (constant == NULL && !spread->is_place) {
        constant = table_get(&spread->known, expr->var);
    }
    if (constant != NULL) {
        return constant;
    }
    TirVar **elements = spread_elements_of(spread, expr->var);
    if (elements != NULL) {
        return tir_read(tir, elements[position_of(expr->type, at)], expr->span);
    }
    if (type_is_scalar(expr->type)) {
        return tir_read(tir, expr->var, expr->span);
    }
    TirAxis axes[TYPE_FLAT_LIMIT] = {{.axis = -1}};
    for (size_t k = 0; k < expr->type->flat_rank; k++) {
        axes[k] = (TirAxis){.axis = -1, .start = at[k], .span = expr->span};
    }
    return outer_element(spread, expr->var, axes, expr->span);
}

static TirExpr *index_value(Spread *spread, const TirExpr *index) {
    bool is_place = spread->is_place;
    spread->is_place = false;
    TirExpr *value = spread_scalar(spread, index);
    spread->is_place = is_place;
    return value;
}

static TirExpr *view_element(Spread *spread, const TirExpr *view, const uint32_t *at) {
    TirExpr *operand = view->view.operand;
    const Type *from = operand->type;
    uint32_t to[TYPE_FLAT_LIMIT] = {0};
    TirAxis axes[TYPE_FLAT_LIMIT] = {{.axis = -1}};
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
            axes[k].is_free = axis->is_free;
            is_constant = false;
        }
    }
    if (is_constant) {
        return spread_element(spread, operand, to);
    }
    if (operand->kind == EXPR_CONST) {
        const Type *scalar = type_scalar(spread->tir->types, from->root);
        return tir_view(spread->tir, scalar, operand, axes, view->span);
    }
    bool is_outer = operand->kind == EXPR_VAR && spread_elements_of(spread, operand->var) == NULL;
    return is_outer ? outer_element(spread, operand->var, axes, view->span) : spread_fail(spread);
}

static TirExpr *map_element(Spread *spread, const TirExpr *map, const uint32_t *at) {
    TirOp op = map->map.op;
    TirExpr *args[3] = {NULL};
    if (tir_op_is_function(op)) {
        return spread_fail(spread);
    }
    for (unsigned i = 0; i < tir_op_arity(op) && !spread->fails; i++) {
        args[i] = spread_element(spread, map->map.args[i], at);
    }
    if (spread->fails) {
        return NULL;
    }
    spread->gains |= op == OP_SQRT || (op == OP_DIV && map->type->root == ROOT_REAL);
    TirExpr *value = tir_map(spread->tir, op, type_scalar(spread->tir->types, map->type->root),
                             args[0], args[1], args[2], map->span);
    value = map->type->root == ROOT_REAL ? value : constant_fold(spread->tir, value);
    spread->computes |= value->kind != EXPR_CONST;
    spread->operations += map->type->root == ROOT_REAL;
    return value;
}

static TirExpr *literal_element(Spread *spread, const TirExpr *literal, const uint32_t *at) {
    size_t position = position_of(literal->type, at);
    spread->gains = true;
    for (size_t i = 0; i < literal->literal.count; i++) {
        const TirExpr *item = literal->literal.items[i];
        if (position < item->type->numel) {
            uint32_t inner[TYPE_FLAT_LIMIT] = {0};
            spread_positions_at(item->type, position, inner);
            return spread_element(spread, item, inner);
        }
        position -= item->type->numel;
    }
    UNREACHABLE();
}

static const TirOp term_ops[] = {
    [REDUCE_SUM] = OP_ADD, [REDUCE_PROD] = OP_MUL, [REDUCE_MIN] = OP_MIN,
    [REDUCE_MAX] = OP_MAX, [REDUCE_ALL] = OP_AND,  [REDUCE_ANY] = OP_OR,
};

static bool is_one_sum(const TirExpr *reduce) {
    uint64_t terms = reduce->reduce.operand->type->numel;
    return reduce->type->numel == 1 && reduce->type->root == ROOT_REAL && terms >= ONE_SUM_FROM &&
           terms <= SPREAD_LIMIT;
}

static bool is_one_product(const Spread *spread, const TirExpr *dot) {
    uint32_t terms = dot->dot.right->type->dims[0];
    uint32_t lanes = spread->tir->lanes;
    return type_is_scalar(dot->type) && terms >= GROUPED_PRODUCTS_FROM * lanes &&
           terms < GROUPED_PRODUCTS_BELOW * lanes;
}

// An array of these scalars.
static TirExpr *gathered(Spread *spread, TirExpr **items, uint32_t count, Span span) {
    const Type *type = type_tensor(spread->tir->types, items[0]->type, 1, &count);
    return tir_literal(spread->tir, type, items, count, span);
}

// Few terms are combined in order by all targets.
static TirExpr *reduce_element(Spread *spread, const TirExpr *reduce, const uint32_t *at) {
    Tir *tir = spread->tir;
    const TirExpr *operand = reduce->reduce.operand;
    const Type *from = operand->type;
    size_t first = reduce->reduce.axis;
    size_t behind = first + reduce->reduce.axis_count;
    uint64_t terms = from->numel / reduce->type->numel;
    bool is_one = is_one_sum(reduce);
    if (tir_finds_place(reduce) || (terms > SUM_IN_ORDER && !is_one)) {
        return spread_fail(spread);
    }
    uint32_t inner[TYPE_FLAT_LIMIT] = {0};
    memcpy(inner, at, first * sizeof(*at));
    memcpy(inner + behind, at + first, (from->flat_rank - behind) * sizeof(*at));
    TirExpr **items = ARENA_ARRAY(tir->arena, TirExpr *, terms);
    for (uint32_t position = 0; position < terms && !spread->fails; position++) {
        size_t rest = position;
        for (size_t k = behind; k-- > first;) {
            inner[k] = (uint32_t)(rest % from->dims[k]);
            rest /= from->dims[k];
        }
        items[position] = spread_element(spread, operand, inner);
    }
    spread->has_arrays = spread->gains = spread->computes = true;
    if (spread->fails) {
        return NULL;
    }
    if (is_one) {
        TirExpr *all = gathered(spread, items, (uint32_t)terms, reduce->span);
        return tir_reduce(tir, reduce->reduce.op, type_scalar(tir->types, reduce->type->root), all,
                          0, 1, reduce->span);
    }
    TirExpr *all = items[0];
    for (size_t k = 1; k < terms; k++) {
        all =
            tir_map(tir, term_ops[reduce->reduce.op], all->type, all, items[k], NULL, reduce->span);
    }
    return all;
}

// Terms that stay one expression, as they are grouped.
static TirExpr *grouped_dot(Spread *spread, const TirExpr *dot, TirExpr **left, TirExpr **right,
                            uint32_t terms) {
    const Type *scalar = type_scalar(spread->tir->types, dot->type->root);
    TirExpr *element = tir_dot(spread->tir, scalar, gathered(spread, left, terms, dot->span),
                               gathered(spread, right, terms, dot->span), dot->span);
    element->dot.whole = dot->dot.whole != NULL ? dot->dot.whole : dot;
    return element;
}

static TirExpr *ordered_dot(Spread *spread, const TirExpr *dot, TirExpr **left, TirExpr **right,
                            uint32_t terms) {
    Tir *tir = spread->tir;
    TirExpr *sum = tir_map(tir, OP_MUL, left[0]->type, left[0], right[0], NULL, dot->span);
    for (uint32_t term = 1; term < terms; term++) {
        if (dot->type->root == ROOT_REAL) {
            sum = tir_map(tir, OP_MULADD, sum->type, left[term], right[term], sum, dot->span);
            continue;
        }
        TirExpr *product =
            tir_map(tir, OP_MUL, sum->type, left[term], right[term], NULL, dot->span);
        sum = tir_map(tir, OP_ADD, sum->type, sum, product, NULL, dot->span);
    }
    return sum;
}

static TirExpr *dot_element(Spread *spread, const TirExpr *dot, const uint32_t *at) {
    uint32_t terms = dot->dot.right->type->dims[0];
    uint32_t most = type_is_scalar(dot->type) ? PRODUCT_SHORT : MATRIX_SHORT;
    if (terms > most && !is_one_product(spread, dot)) {
        return spread_fail(spread);
    }
    size_t kept = dot->dot.left->type->flat_rank - 1U;
    uint32_t left_at[TYPE_FLAT_LIMIT] = {at[0]};
    uint32_t right_at[TYPE_FLAT_LIMIT] = {0, at[kept]};
    TirExpr **left = ARENA_ARRAY(spread->tir->arena, TirExpr *, terms);
    TirExpr **right = ARENA_ARRAY(spread->tir->arena, TirExpr *, terms);
    for (uint32_t term = 0; term < terms && !spread->fails; term++) {
        left_at[kept] = right_at[0] = term;
        left[term] = spread_element(spread, dot->dot.left, left_at);
        right[term] = spread->fails ? NULL : spread_element(spread, dot->dot.right, right_at);
    }
    spread->has_arrays = spread->computes = true;
    if (spread->fails) {
        return NULL;
    }
    if (terms > PRODUCT_IN_ORDER) {
        spread->has_products = true;
        return grouped_dot(spread, dot, left, right, terms);
    }
    spread->gains = true;
    return ordered_dot(spread, dot, left, right, terms);
}

TirExpr *spread_element(Spread *spread, const TirExpr *expr, const uint32_t *at) {
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
        TirExpr *operand = spread_element(spread, expr->operand, at);
        return spread->fails ? NULL : tir_convert_as(tir, expr, operand);
    }
    case EXPR_RESHAPE: {
        uint32_t inner[TYPE_FLAT_LIMIT] = {0};
        spread_positions_at(expr->operand->type, position_of(expr->type, at), inner);
        return spread_element(spread, expr->operand, inner);
    }
    case EXPR_REDUCE: return reduce_element(spread, expr, at);
    case EXPR_DOT: return dot_element(spread, expr, at);
    case EXPR_CONCAT:
    case EXPR_CUMSUM: return spread_fail(spread);
    }
    UNREACHABLE();
}
