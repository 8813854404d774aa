// The oracle's expressions, each in the plainest way: all scalars of all operands, in fresh memory,
// then all of the result. Views are followed index by index, terms are added in row-major order.
// After a trap, which the frame keeps, evaluation goes on with zeros.
#include "eval/expr.h"

#include "eval/elementary.h"
#include "eval/scalar.h"
#include "support/bug.h"
#include "support/memory.h"
#include "tir/visit.h"

#include <stdlib.h>
#include <string.h>

// Of numbers of that level, without the value itself.
static size_t part_count(unsigned level) {
    return ((size_t)1 << level) - 1;
}

RefArray ref_array(unsigned level, const Type *type) {
    enum { ALIGNMENT = sizeof(long double) };
    size_t scalars = memory_product(type->numel, sizeof(TirScalar));
    size_t before = (scalars + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    bool changes = level > 0 && type->root == ROOT_REAL;
    size_t parts = changes ? memory_product(type->numel, part_count(level) * ALIGNMENT) : 0;
    char *memory = memory_zeroed(before + parts);
    return (RefArray){(void *)memory, changes ? (void *)(memory + before) : NULL};
}

void ref_copy(unsigned level, RefArray to, size_t at, RefArray source, size_t from, size_t count) {
    memcpy(to.scalars + at, source.scalars + from, count * sizeof(*to.scalars));
    size_t parts = part_count(level);
    size_t bytes = count * parts * sizeof(*to.parts);
    if (to.parts != NULL && source.parts != NULL) {
        memcpy(to.parts + at * parts, source.parts + from * parts, bytes);
    } else if (to.parts != NULL) {
        memset(to.parts + at * parts, 0, bytes);
    }
}

RefArray ref_var(const RefFrame *frame, const TirVar *var) {
    return tir_var_is_global(var) ? (RefArray){.scalars = frame->globals[var->id]}
                                  : frame->locals[var->id];
}

// An element as a number.
static Dual get(const RefFrame *frame, RefArray from, size_t i) {
    Dual dual = {{(long double)from.scalars[i].real}};
    size_t parts = part_count(frame->level);
    if (from.parts != NULL) {
        memcpy(dual.part + 1, from.parts + i * parts, parts * sizeof(*from.parts));
    }
    return dual;
}

// Sets how an element changes.
static void put(const RefFrame *frame, RefArray to, size_t i, Dual dual) {
    size_t parts = part_count(frame->level);
    memcpy(to.parts + i * parts, dual.part + 1, parts * sizeof(*to.parts));
}

void ref_fault(RefFrame *frame, RefFault fault) {
    if (frame->fault->code == 0) {
        *frame->fault = fault;
    }
}

// The position that a computed index selects; 0 after a trap.
static uint32_t index_position(RefFrame *frame, const TirAxis *axis, uint32_t length) {
    TirScalar value = ref_scalar_value(frame, axis->index);
    int64_t index = axis->index->type->root == ROOT_UINT ? (int64_t)value.uint : value.integer;
    if (index >= 0 && index < length) {
        return (uint32_t)index;
    }
    CHECK(!axis->unchecked || frame->fault->code != 0);
    ref_fault(frame,
              (RefFault){.code = 1001, .span = axis->span, .index = index, .length = length});
    return 0;
}

static void prepare_operand(const TirExpr *operand, void *data) {
    ref_prepare(data, operand);
}

void ref_prepare(RefFrame *frame, const TirExpr *expr) {
    if (tir_is_short_circuit(expr)) {
        ref_prepare(frame, expr->map.args[0]);
        return;
    }
    tir_read_operands(expr, prepare_operand, frame);
    if (expr->kind != EXPR_VIEW) {
        return;
    }
    const Type *from = expr->view.operand->type;
    for (size_t i = 0; i < from->flat_rank; i++) {
        if (expr->view.axes[i].index != NULL) {
            index_position(frame, &expr->view.axes[i], from->dims[i]);
        }
    }
}

// Which element of a view's operand each of its elements is.
static uint32_t *view_map(RefFrame *frame, const TirExpr *view) {
    const Type *from = view->view.operand->type;
    const Type *to = view->type;
    int64_t strides[TYPE_FLAT_LIMIT] = {0}; // how far along each axis of the result moves
    int64_t start = 0;
    int64_t stride = 1;
    for (size_t i = from->flat_rank; i-- > 0;) {
        const TirAxis *axis = &view->view.axes[i];
        if (axis->index != NULL) {
            start += stride * index_position(frame, axis, from->dims[i]);
        } else {
            start += stride * axis->start;
            if (axis->axis >= 0) {
                strides[axis->axis] += stride * axis->step;
            }
        }
        stride *= from->dims[i];
    }
    uint32_t *map = memory_zeroed(memory_product(to->numel, sizeof(*map)));
    for (uint32_t element = 0; element < to->numel; element++) {
        int64_t position = start;
        uint32_t rest = element;
        for (size_t axis = to->flat_rank; axis-- > 0;) {
            position += strides[axis] * (int64_t)(rest % to->dims[axis]);
            rest /= to->dims[axis];
        }
        CHECK(position >= 0 && position < from->numel);
        map[element] = (uint32_t)position;
    }
    return map;
}

uint32_t *ref_positions(RefFrame *frame, const TirExpr *place) {
    if (place->kind == EXPR_RESHAPE) {
        return ref_positions(frame, place->operand);
    }
    if (place->kind == EXPR_VAR) {
        uint32_t *positions = memory_zeroed(memory_product(place->type->numel, sizeof(uint32_t)));
        for (uint32_t i = 0; i < place->type->numel; i++) {
            positions[i] = i;
        }
        return positions;
    }
    CHECK(place->kind == EXPR_VIEW);
    uint32_t *map = view_map(frame, place);
    if (place->view.operand->kind == EXPR_VAR) {
        return map;
    }
    uint32_t *below = ref_positions(frame, place->view.operand);
    for (uint32_t i = 0; i < place->type->numel; i++) {
        map[i] = below[map[i]];
    }
    free(below);
    return map;
}

static RefArray eval_view(RefFrame *frame, const TirExpr *expr) {
    const TirExpr *operand = expr->view.operand;
    uint32_t *map = view_map(frame, expr);
    bool is_var = operand->kind == EXPR_VAR;
    RefArray from = is_var ? ref_var(frame, operand->var) : ref_eval(frame, operand);
    RefArray result = ref_array(frame->level, expr->type);
    for (uint32_t i = 0; i < expr->type->numel; i++) {
        ref_copy(frame->level, result, i, from, map[i], 1);
    }
    free(is_var ? NULL : from.scalars);
    free(map);
    return result;
}

static RefArray eval_short_circuit(RefFrame *frame, const TirExpr *expr) {
    RefArray left = ref_eval(frame, expr->map.args[0]);
    bool decided = left.scalars->boolean == (expr->map.op == OP_OR);
    if (decided) {
        return left;
    }
    free(left.scalars);
    return ref_value(frame, expr->map.args[1]);
}

// Functions of tensors are not always the C library's.
static TirScalar apply_to_element(const RefFrame *frame, const TirExpr *map, const TirScalar *args,
                                  bool *trapped) {
    bool is_own = frame->math != TIR_MATH_LIBRARY && type_is_tensor(map->type);
    bool is_fused = frame->math == TIR_MATH_FUSED;
    TirScalar result = {0};
    if (is_own && ref_elementary(map->map.op, args, frame->single, is_fused, &result)) {
        return result;
    }
    unsigned arity = tir_op_arity(map->map.op);
    Root root = map->map.args[0]->type->root;
    Root other = arity > 1 ? map->map.args[1]->type->root : root;
    return ref_apply(map->map.op, root, other, args, frame->single, trapped);
}

// How one element of an operation changes.
static Dual change_of_map(const RefFrame *frame, const TirExpr *map, const RefArray *values,
                          size_t i) {
    Dual args[3] = {{{0}}};
    for (unsigned k = 0; k < tir_op_arity(map->map.op); k++) {
        bool is_condition = map->map.args[k]->type->root == ROOT_BOOL;
        args[k] = is_condition ? (Dual){{values[k].scalars[i].boolean}} : get(frame, values[k], i);
    }
    return dual_apply(map->map.op, frame->level, args);
}

static RefArray eval_map(RefFrame *frame, const TirExpr *expr) {
    unsigned arity = tir_op_arity(expr->map.op);
    RefArray values[3] = {{NULL, NULL}};
    for (unsigned i = 0; i < arity; i++) {
        values[i] = ref_eval(frame, expr->map.args[i]);
    }
    RefArray result = ref_array(frame->level, expr->type);
    bool trapped = false;
    for (uint32_t i = 0; i < expr->type->numel; i++) {
        TirScalar args[3] = {0};
        for (unsigned k = 0; k < arity; k++) {
            args[k] = values[k].scalars[i];
        }
        result.scalars[i] = apply_to_element(frame, expr, args, &trapped);
        if (result.parts != NULL) {
            put(frame, result, i, change_of_map(frame, expr, values, i));
        }
    }
    if (trapped) {
        ref_fault(frame, (RefFault){.code = 1002, .span = expr->span});
    }
    for (unsigned i = 0; i < arity; i++) {
        free(values[i].scalars);
    }
    return result;
}

static RefArray eval_convert(RefFrame *frame, const TirExpr *expr) {
    RefArray values = ref_eval(frame, expr->operand);
    for (uint32_t i = 0; i < expr->type->numel; i++) {
        values.scalars[i] = ref_convert(expr->type->root, expr->operand->type->root,
                                        values.scalars[i], frame->single);
    }
    values.parts = expr->type->root == ROOT_REAL ? values.parts : NULL;
    return values;
}

static RefArray eval_literal(RefFrame *frame, const TirExpr *expr) {
    RefArray result = ref_array(frame->level, expr->type);
    uint32_t next = 0;
    for (size_t i = 0; i < expr->literal.count; i++) {
        const TirExpr *item = expr->literal.items[i];
        RefArray values = ref_eval(frame, item);
        ref_copy(frame->level, result, next, values, 0, item->type->numel);
        next += item->type->numel;
        free(values.scalars);
    }
    return result;
}

static uint32_t dims_product(const Type *type, uint32_t first, uint32_t end) {
    uint32_t product = 1;
    for (uint32_t i = first; i < end; i++) {
        product *= type->dims[i];
    }
    return product;
}

static RefArray eval_concat(RefFrame *frame, const TirExpr *expr) {
    const Type *type = expr->type;
    uint32_t axis = expr->concat.axis;
    uint32_t outer = dims_product(type, 0, axis);
    uint32_t row = dims_product(type, axis, type->flat_rank);
    RefArray result = ref_array(frame->level, type);
    uint32_t start = 0;
    for (size_t i = 0; i < expr->concat.count; i++) {
        const TirExpr *item = expr->concat.items[i];
        RefArray values = ref_eval(frame, item);
        uint32_t part = dims_product(item->type, axis, type->flat_rank);
        for (uint32_t o = 0; o < outer; o++) {
            ref_copy(frame->level, result, o * row + start, values, o * part, part);
        }
        start += part;
        free(values.scalars);
    }
    return result;
}

static RefArray eval_reduce(RefFrame *frame, const TirExpr *expr) {
    const Type *from = expr->reduce.operand->type;
    uint32_t end = expr->reduce.axis + expr->reduce.axis_count;
    uint32_t terms = dims_product(from, expr->reduce.axis, end);
    uint32_t inner = dims_product(from, end, from->flat_rank);
    TirReduction op = expr->reduce.op;
    bool is_position = op == REDUCE_ARGMIN || op == REDUCE_ARGMAX;
    RefArray values = ref_eval(frame, expr->reduce.operand);
    RefArray result = ref_array(frame->level, expr->type);
    for (uint32_t i = 0; i < expr->type->numel; i++) {
        uint32_t first = i / inner * terms * inner + i % inner;
        TirScalar sum = values.scalars[first];
        Dual dual = result.parts != NULL ? get(frame, values, first) : (Dual){{0}};
        uint32_t best = 0;
        for (uint32_t k = 1; k < terms; k++) {
            uint32_t term = first + k * inner;
            ref_accumulate(op, from->root, frame->single, values.scalars[term], k, &sum, &best);
            if (result.parts != NULL) {
                dual = dual_accumulate(op, frame->level, dual, get(frame, values, term));
            }
        }
        result.scalars[i] = is_position ? (TirScalar){.integer = (int32_t)best} : sum;
        if (result.parts != NULL) {
            put(frame, result, i, dual);
        }
    }
    free(values.scalars);
    return result;
}

static RefArray eval_cumsum(RefFrame *frame, const TirExpr *expr) {
    RefArray values = ref_eval(frame, expr->operand);
    uint32_t row = expr->type->dims[expr->type->flat_rank - 1];
    uint32_t unused = 0;
    for (uint32_t i = 0; i < expr->type->numel; i++) {
        if (i % row == 0) {
            continue;
        }
        TirScalar sum = values.scalars[i - 1];
        ref_accumulate(REDUCE_SUM, expr->type->root, frame->single, values.scalars[i], i, &sum,
                       &unused);
        values.scalars[i] = sum;
        if (values.parts != NULL) {
            put(frame, values, i,
                dual_accumulate(REDUCE_SUM, frame->level, get(frame, values, i - 1),
                                get(frame, values, i)));
        }
    }
    return values;
}

static RefArray eval_dot(RefFrame *frame, const TirExpr *expr) {
    Root root = expr->type->root;
    const Type *right_type = expr->dot.right->type;
    uint32_t terms = right_type->dims[0];
    uint32_t columns = right_type->flat_rank == 2 ? right_type->dims[1] : 1;
    RefArray left = ref_eval(frame, expr->dot.left);
    RefArray right = ref_eval(frame, expr->dot.right);
    RefArray result = ref_array(frame->level, expr->type);
    bool trapped = false;
    uint32_t unused = 0;
    for (uint32_t i = 0; i < expr->type->numel; i++) {
        Dual sum = {{0}};
        for (uint32_t k = 0; k < terms; k++) {
            uint32_t at[2] = {i / columns * terms + k, k * columns + i % columns};
            TirScalar args[3] = {left.scalars[at[0]], right.scalars[at[1]]};
            TirScalar product = ref_apply(OP_MUL, root, root, args, frame->single, &trapped);
            if (k == 0) {
                result.scalars[i] = product;
            } else {
                ref_accumulate(REDUCE_SUM, root, frame->single, product, k, &result.scalars[i],
                               &unused);
            }
            if (result.parts != NULL) {
                Dual term =
                    dual_product(frame->level, get(frame, left, at[0]), get(frame, right, at[1]));
                sum = dual_accumulate(REDUCE_SUM, frame->level, sum, term);
            }
        }
        if (result.parts != NULL) {
            put(frame, result, i, sum);
        }
    }
    free(left.scalars);
    free(right.scalars);
    return result;
}

static RefArray eval_iota(const RefFrame *frame, const TirExpr *expr) {
    RefArray result = ref_array(frame->level, expr->type);
    for (uint32_t i = 0; i < expr->type->numel; i++) {
        result.scalars[i].integer = (int32_t)i;
    }
    return result;
}

static RefArray copy_of(const RefFrame *frame, RefArray from, const Type *type) {
    RefArray copy = ref_array(frame->level, type);
    ref_copy(frame->level, copy, 0, from, 0, type->numel);
    return copy;
}

RefArray ref_eval(RefFrame *frame, const TirExpr *expr) {
    switch (expr->kind) {
    case EXPR_CONST: return copy_of(frame, (RefArray){(TirScalar *)expr->data, NULL}, expr->type);
    case EXPR_VAR: return copy_of(frame, ref_var(frame, expr->var), expr->type);
    case EXPR_MAP:
        return tir_is_short_circuit(expr) ? eval_short_circuit(frame, expr) : eval_map(frame, expr);
    case EXPR_CONVERT: return eval_convert(frame, expr);
    case EXPR_VIEW: return eval_view(frame, expr);
    case EXPR_RESHAPE: return ref_eval(frame, expr->operand);
    case EXPR_LITERAL: return eval_literal(frame, expr);
    case EXPR_CONCAT: return eval_concat(frame, expr);
    case EXPR_REDUCE: return eval_reduce(frame, expr);
    case EXPR_CUMSUM: return eval_cumsum(frame, expr);
    case EXPR_DOT: return eval_dot(frame, expr);
    case EXPR_IOTA: return eval_iota(frame, expr);
    }
    UNREACHABLE();
}

RefArray ref_value(RefFrame *frame, const TirExpr *expr) {
    ref_prepare(frame, expr);
    return ref_eval(frame, expr);
}

TirScalar ref_scalar_value(RefFrame *frame, const TirExpr *expr) {
    RefArray scalars = ref_value(frame, expr);
    TirScalar value = *scalars.scalars;
    free(scalars.scalars);
    return value;
}
