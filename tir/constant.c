// Evaluates constant expression trees into arrays of scalars, bottom up. constant_fold is asked for
// every node that checking builds, whose operands have been folded before; what is too large, or
// whose bits depend on how code generation groups terms, stays as it is, and is evaluated when a
// rule asks for its value. Memory is the arena's. What traps has no value.
#include "tir/constant.h"

#include "support/bug.h"
#include "tir/scalar.h"
#include "tir/visit.h"

#include <math.h>
#include <string.h>

// Steps `index` to the next element in row-major order.
static void next_index(const Type *type, uint32_t *index) {
    for (size_t d = type->flat_rank; d-- > 0;) {
        if (++index[d] < type->dims[d]) {
            return;
        }
        index[d] = 0;
    }
}

// The product of the dims [first, end).
static size_t product(const Type *type, size_t first, size_t end) {
    size_t result = 1;
    for (size_t d = first; d < end; d++) {
        result *= type->dims[d];
    }
    return result;
}

// Of two scalars, where the operation cannot trap.
static TirScalar combine(const Tir *tir, TirOp op, Root root, TirScalar a, TirScalar b) {
    TirScalar result;
    CHECK(scalar_apply(op, (Root[]){root, root}, (TirScalar[]){a, b}, tir->single, &result));
    return result;
}

static bool evaluate_map(Tir *tir, const TirExpr *expr, TirScalar *out) {
    unsigned arity = tir_op_arity(expr->map.op);
    const TirScalar *operands[3];
    Root roots[3];
    for (unsigned k = 0; k < arity; k++) {
        operands[k] = constant_values(tir, expr->map.args[k]);
        roots[k] = expr->map.args[k]->type->root;
        if (operands[k] == NULL) {
            return false;
        }
    }
    for (size_t i = 0; i < expr->type->numel; i++) {
        TirScalar args[3] = {{0}};
        for (unsigned k = 0; k < arity; k++) {
            args[k] = operands[k][i];
        }
        if (!scalar_apply(expr->map.op, roots, args, tir->single, &out[i])) {
            return false;
        }
    }
    return true;
}

static bool evaluate_convert(Tir *tir, const TirExpr *expr, TirScalar *out) {
    const TirScalar *in = constant_values(tir, expr->operand);
    if (in == NULL) {
        return false;
    }
    for (size_t i = 0; i < expr->type->numel; i++) {
        out[i] = scalar_convert(in[i], expr->operand->type->root, expr->type->root, tir->single);
    }
    return true;
}

static bool evaluate_view(Tir *tir, const TirExpr *expr, TirScalar *out) {
    const TirExpr *operand = expr->view.operand;
    const TirScalar *in = constant_values(tir, operand);
    if (in == NULL) {
        return false;
    }
    size_t rank = operand->type->flat_rank;
    size_t *strides = ARENA_ARRAY(tir->arena, size_t, rank);
    int64_t *starts = ARENA_ARRAY(tir->arena, int64_t, rank);
    for (size_t d = 0; d < rank; d++) {
        const TirAxis *axis = &expr->view.axes[d];
        strides[d] = product(operand->type, d + 1, rank);
        starts[d] = axis->start;
        if (axis->index != NULL && (!constant_integer(tir, axis->index, &starts[d]) ||
                                    starts[d] < 0 || starts[d] >= operand->type->dims[d])) {
            return false;
        }
    }
    uint32_t *index = ARENA_ARRAY(tir->arena, uint32_t, expr->type->flat_rank);
    for (size_t i = 0; i < expr->type->numel; i++, next_index(expr->type, index)) {
        size_t position = 0;
        for (size_t d = 0; d < rank; d++) {
            const TirAxis *axis = &expr->view.axes[d];
            int64_t along = axis->axis < 0 ? 0 : axis->step * (int64_t)index[axis->axis];
            position += (size_t)(starts[d] + along) * strides[d];
        }
        out[i] = in[position];
    }
    return true;
}

static bool evaluate_literal(Tir *tir, const TirExpr *expr, TirScalar *out) {
    for (size_t k = 0; k < expr->literal.count; k++) {
        const TirExpr *item = expr->literal.items[k];
        const TirScalar *in = constant_values(tir, item);
        if (in == NULL) {
            return false;
        }
        memcpy(out, in, item->type->numel * sizeof(TirScalar));
        out += item->type->numel;
    }
    return true;
}

static bool evaluate_concat(Tir *tir, const TirExpr *expr, TirScalar *out) {
    size_t before = product(expr->type, 0, expr->concat.axis); // rows of all items
    // Scalars below one step of the axis.
    size_t after = product(expr->type, expr->concat.axis + (size_t)1, expr->type->flat_rank);
    size_t row = after * expr->type->dims[expr->concat.axis];
    size_t offset = 0;
    for (size_t k = 0; k < expr->concat.count; k++) {
        const TirExpr *item = expr->concat.items[k];
        const TirScalar *in = constant_values(tir, item);
        if (in == NULL) {
            return false;
        }
        size_t part = after * item->type->dims[expr->concat.axis];
        for (size_t r = 0; r < before; r++) {
            memcpy(out + r * row + offset, in + r * part, part * sizeof(TirScalar));
        }
        offset += part;
    }
    return true;
}

// Whether `candidate` replaces `best` in argmin or argmax: strictly beyond, or the first nan.
static bool is_beyond(TirReduction op, double candidate, double best) {
    if (isnan(best)) {
        return false;
    }
    return isnan(candidate) || (op == REDUCE_ARGMIN ? candidate < best : candidate > best);
}

static TirOp combining_op(TirReduction op) {
    switch (op) {
    case REDUCE_SUM: return OP_ADD;
    case REDUCE_PROD: return OP_MUL;
    case REDUCE_MIN: return OP_MIN;
    case REDUCE_MAX: return OP_MAX;
    case REDUCE_ALL: return OP_AND;
    case REDUCE_ANY: return OP_OR;
    case REDUCE_ARGMIN:
    case REDUCE_ARGMAX: break;
    }
    UNREACHABLE();
}

// Folds in[0], in[stride], ... (count of them).
static TirScalar reduce_run(Tir *tir, TirReduction op, Root root, const TirScalar *in, size_t count,
                            size_t stride) {
    if (op == REDUCE_ARGMIN || op == REDUCE_ARGMAX) {
        size_t best = 0;
        for (size_t i = 1; i < count; i++) {
            if (is_beyond(op, scalar_as_real(in[i * stride], root),
                          scalar_as_real(in[best * stride], root))) {
                best = i;
            }
        }
        return (TirScalar){.integer = (int32_t)best};
    }
    TirScalar total = in[0];
    for (size_t i = 1; i < count; i++) {
        total = combine(tir, combining_op(op), root, total, in[i * stride]);
    }
    return total;
}

static bool evaluate_reduce(Tir *tir, const TirExpr *expr, TirScalar *out) {
    const TirExpr *operand = expr->reduce.operand;
    const TirScalar *in = constant_values(tir, operand);
    if (in == NULL) {
        return false;
    }
    size_t end = (size_t)expr->reduce.axis + expr->reduce.axis_count;
    size_t count = product(operand->type, expr->reduce.axis, end);
    size_t after = product(operand->type, end, operand->type->flat_rank);
    for (size_t i = 0; i < expr->type->numel; i++) {
        const TirScalar *first = in + i / after * count * after + i % after;
        out[i] = reduce_run(tir, expr->reduce.op, operand->type->root, first, count, after);
    }
    return true;
}

static bool evaluate_cumsum(Tir *tir, const TirExpr *expr, TirScalar *out) {
    const TirScalar *in = constant_values(tir, expr->operand);
    if (in == NULL) {
        return false;
    }
    const Type *type = expr->type;
    size_t row = type->dims[type->flat_rank - 1];
    for (size_t i = 0; i < type->numel; i++) {
        out[i] = i % row == 0 ? in[i] : combine(tir, OP_ADD, type->root, out[i - 1], in[i]);
    }
    return true;
}

static bool evaluate_dot(Tir *tir, const TirExpr *expr, TirScalar *out) {
    const Type *right = expr->dot.right->type;
    const TirScalar *a = constant_values(tir, expr->dot.left);
    const TirScalar *b = constant_values(tir, expr->dot.right);
    if (a == NULL || b == NULL) {
        return false;
    }
    size_t inner = right->dims[0];
    size_t columns = right->flat_rank == 2 ? right->dims[1] : 1;
    for (size_t i = 0; i < expr->type->numel; i++) {
        TirScalar total = {0};
        for (size_t k = 0; k < inner; k++) {
            TirScalar term = combine(tir, OP_MUL, right->root, a[i / columns * inner + k],
                                     b[k * columns + i % columns]);
            total = combine(tir, OP_ADD, right->root, total, term);
        }
        out[i] = total;
    }
    return true;
}

static bool evaluate_into(Tir *tir, const TirExpr *expr, TirScalar *out) {
    switch (expr->kind) {
    case EXPR_MAP: return evaluate_map(tir, expr, out);
    case EXPR_CONVERT: return evaluate_convert(tir, expr, out);
    case EXPR_VIEW: return evaluate_view(tir, expr, out);
    case EXPR_LITERAL: return evaluate_literal(tir, expr, out);
    case EXPR_CONCAT: return evaluate_concat(tir, expr, out);
    case EXPR_REDUCE: return evaluate_reduce(tir, expr, out);
    case EXPR_CUMSUM: return evaluate_cumsum(tir, expr, out);
    case EXPR_DOT: return evaluate_dot(tir, expr, out);
    case EXPR_IOTA:
        for (size_t i = 0; i < expr->type->numel; i++) {
            out[i] = (TirScalar){.integer = (int32_t)i};
        }
        return true;
    case EXPR_CONST:
    case EXPR_VAR:
    case EXPR_RESHAPE: break; // constant_values answers without copying, or not at all
    }
    UNREACHABLE();
}

const TirScalar *constant_values(Tir *tir, const TirExpr *expr) {
    if (expr->kind == EXPR_CONST) {
        return expr->data;
    }
    if (!expr->is_constant || expr->type->numel > CONSTANT_VALUE_LIMIT) {
        return NULL;
    }
    if (expr->kind == EXPR_RESHAPE) {
        return constant_values(tir, expr->operand);
    }
    TirScalar *out = ARENA_ARRAY(tir->arena, TirScalar, expr->type->numel);
    return evaluate_into(tir, expr, out) ? out : NULL;
}

static bool is_fill(const TirExpr *expr) {
    return expr->kind == EXPR_VIEW && expr->view.operand->kind == EXPR_CONST &&
           expr->type->numel > expr->view.operand->type->numel;
}

// Sums of reals are grouped by code generation in its own way; folding them here could give other
// bits than the same sum computed while running.
static bool is_grouped_sum(const TirExpr *expr) {
    bool adds = expr->kind == EXPR_DOT || expr->kind == EXPR_CUMSUM ||
                (expr->kind == EXPR_REDUCE &&
                 (expr->reduce.op == REDUCE_SUM || expr->reduce.op == REDUCE_PROD));
    return adds && expr->type->root == ROOT_REAL;
}

static void require_value(const TirExpr *operand, void *data) {
    bool *all_values = data;
    *all_values = *all_values && (operand->kind == EXPR_CONST || is_fill(operand));
}

TirExpr *constant_fold(Tir *tir, TirExpr *expr) {
    // The text of a literal is as long as its values, so it may have any number.
    size_t limit = expr->kind == EXPR_LITERAL ? CONSTANT_VALUE_LIMIT : CONSTANT_FOLD_LIMIT;
    if (!expr->is_constant || expr->kind == EXPR_CONST || is_fill(expr) || is_grouped_sum(expr) ||
        expr->type->numel > limit) {
        return expr;
    }
    bool all_values = true;
    tir_read_operands(expr, require_value, &all_values);
    if (!all_values) {
        return expr;
    }
    const TirScalar *values = constant_values(tir, expr);
    return values == NULL ? expr : tir_const(tir, expr->type, values, expr->span);
}

bool constant_integer(Tir *tir, const TirExpr *expr, int64_t *value) {
    if (!type_is_scalar(expr->type) ||
        (expr->type->root != ROOT_INT && expr->type->root != ROOT_UINT)) {
        return false;
    }
    const TirScalar *scalar = constant_values(tir, expr);
    if (scalar == NULL) {
        return false;
    }
    *value = expr->type->root == ROOT_INT ? scalar->integer : (int64_t)scalar->uint;
    return true;
}

bool constant_is_nonnegative(Tir *tir, const TirExpr *expr) {
    if (!type_has_value(expr->type) || expr->type->root != ROOT_INT) {
        return false;
    }
    const TirScalar *values = constant_values(tir, expr);
    for (size_t i = 0; values != NULL && i < expr->type->numel; i++) {
        if (values[i].integer < 0) {
            return false;
        }
    }
    return values != NULL;
}
