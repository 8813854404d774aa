// Evaluates expression trees into arrays of scalars, bottom up: constant expressions, and those of
// functions that constants call (constant_call.c). constant_fold is asked for every node that
// checking builds, whose operands have been folded before; what is too large, or whose bits depend
// on how code generation groups terms, stays as it is, and is evaluated when a rule asks for its
// value. Memory is the arena's. What traps has no value.
#include "tir/constant.h"

#include "support/bug.h"
#include "tir/evaluation.h"
#include "tir/scalar.h"
#include "tir/uses.h"
#include "tir/visit.h"
#include "types/shape.h"

#include <math.h>
#include <string.h>

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

static bool apply(Evaluation *evaluation, const TirExpr *expr, const TirScalar *args,
                  TirScalar *out) {
    Root roots[3];
    for (unsigned k = 0; k < tir_op_arity(expr->map.op); k++) {
        roots[k] = expr->map.args[k]->type->root;
    }
    return scalar_apply(expr->map.op, roots, args, evaluation->tir->single, out) ||
           evaluation_fails(
               evaluation,
               (ConstantTrouble){.why = CONSTANT_TRAPS, .trap = 1002, .span = expr->span});
}

static bool evaluate_map(Evaluation *evaluation, const TirExpr *expr, TirScalar *out) {
    unsigned arity = tir_op_arity(expr->map.op);
    const TirScalar *operands[3];
    for (unsigned k = 0; k < arity; k++) {
        operands[k] = evaluation_values(evaluation, expr->map.args[k]);
        if (operands[k] == NULL) {
            return false;
        }
    }
    for (size_t i = 0; i < expr->type->numel; i++) {
        TirScalar args[3] = {{0}};
        for (unsigned k = 0; k < arity; k++) {
            args[k] = operands[k][i];
        }
        if (!apply(evaluation, expr, args, &out[i])) {
            return false;
        }
    }
    return true;
}

static bool evaluate_convert(Evaluation *evaluation, const TirExpr *expr, TirScalar *out) {
    const TirScalar *in = evaluation_values(evaluation, expr->operand);
    if (in == NULL) {
        return false;
    }
    for (size_t i = 0; i < expr->type->numel; i++) {
        out[i] = scalar_convert(in[i], expr->operand->type->root, expr->type->root,
                                evaluation->tir->single);
    }
    return true;
}

// The position of a checked index; false when it is outside.
static bool evaluate_index(Evaluation *evaluation, const TirAxis *axis, uint32_t length,
                           int64_t *position) {
    TirScalar value;
    if (!evaluation_spend(evaluation, 1) || !evaluation_scalar(evaluation, axis->index, &value)) {
        return false;
    }
    bool is_signed = axis->index->type->root == ROOT_INT;
    *position = is_signed ? value.integer : (int64_t)value.uint;
    return (*position >= 0 && *position < length) ||
           evaluation_fails(evaluation, (ConstantTrouble){.why = CONSTANT_TRAPS,
                                                          .trap = 1001,
                                                          .span = axis->span,
                                                          .index = *position,
                                                          .length = length});
}

bool evaluation_through_view(Evaluation *evaluation, const TirExpr *view, uint32_t *positions,
                             size_t count) {
    const Type *inner = view->view.operand->type;
    const Type *outer = view->type;
    int64_t starts[TYPE_FLAT_LIMIT];
    for (size_t d = 0; d < inner->flat_rank; d++) {
        const TirAxis *axis = &view->view.axes[d];
        starts[d] = axis->start;
        if (axis->index != NULL && !evaluate_index(evaluation, axis, inner->dims[d], &starts[d])) {
            return false;
        }
    }
    for (size_t i = 0; i < count; i++) {
        uint32_t at[TYPE_FLAT_LIMIT]; // along the axes of the view
        uint32_t rest = positions[i];
        for (size_t d = outer->flat_rank; d-- > 0; rest /= outer->dims[d]) {
            at[d] = rest % outer->dims[d];
        }
        int64_t position = 0;
        for (size_t d = 0; d < inner->flat_rank; d++) {
            const TirAxis *axis = &view->view.axes[d];
            int64_t along = axis->axis < 0 ? 0 : axis->step * (int64_t)at[axis->axis];
            position = position * inner->dims[d] + starts[d] + along;
        }
        positions[i] = (uint32_t)position;
    }
    return true;
}

static bool evaluate_view(Evaluation *evaluation, const TirExpr *expr, TirScalar *out) {
    const TirScalar *in = evaluation_values(evaluation, expr->view.operand);
    if (in == NULL) {
        return false;
    }
    size_t count = expr->type->numel;
    uint32_t one = 0;
    uint32_t *positions =
        count == 1 ? &one : ARENA_ARRAY(evaluation_arena(evaluation), uint32_t, count);
    for (size_t i = 0; i < count; i++) {
        positions[i] = (uint32_t)i;
    }
    if (!evaluation_through_view(evaluation, expr, positions, count)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        out[i] = in[positions[i]];
    }
    return true;
}

static bool evaluate_literal(Evaluation *evaluation, const TirExpr *expr, TirScalar *out) {
    for (size_t k = 0; k < expr->literal.count; k++) {
        const TirExpr *item = expr->literal.items[k];
        const TirScalar *in = evaluation_values(evaluation, item);
        if (in == NULL) {
            return false;
        }
        memcpy(out, in, item->type->numel * sizeof(TirScalar));
        out += item->type->numel;
    }
    return true;
}

static bool evaluate_concat(Evaluation *evaluation, const TirExpr *expr, TirScalar *out) {
    size_t before = product(expr->type, 0, expr->concat.axis); // rows of all items
    // Scalars below one step of the axis.
    size_t after = product(expr->type, expr->concat.axis + (size_t)1, expr->type->flat_rank);
    size_t row = after * expr->type->dims[expr->concat.axis];
    size_t offset = 0;
    for (size_t k = 0; k < expr->concat.count; k++) {
        const TirExpr *item = expr->concat.items[k];
        const TirScalar *in = evaluation_values(evaluation, item);
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

static bool evaluate_reduce(Evaluation *evaluation, const TirExpr *expr, TirScalar *out) {
    const TirExpr *operand = expr->reduce.operand;
    const TirScalar *in = evaluation_values(evaluation, operand);
    if (in == NULL) {
        return false;
    }
    size_t end = (size_t)expr->reduce.axis + expr->reduce.axis_count;
    size_t count = product(operand->type, expr->reduce.axis, end);
    size_t after = product(operand->type, end, operand->type->flat_rank);
    for (size_t i = 0; i < expr->type->numel; i++) {
        const TirScalar *first = in + i / after * count * after + i % after;
        out[i] =
            reduce_run(evaluation->tir, expr->reduce.op, operand->type->root, first, count, after);
    }
    return true;
}

static bool evaluate_cumsum(Evaluation *evaluation, const TirExpr *expr, TirScalar *out) {
    const TirScalar *in = evaluation_values(evaluation, expr->operand);
    if (in == NULL) {
        return false;
    }
    const Type *type = expr->type;
    size_t row = type->dims[type->flat_rank - 1];
    for (size_t i = 0; i < type->numel; i++) {
        out[i] =
            i % row == 0 ? in[i] : combine(evaluation->tir, OP_ADD, type->root, out[i - 1], in[i]);
    }
    return true;
}

static bool evaluate_dot(Evaluation *evaluation, const TirExpr *expr, TirScalar *out) {
    const Type *right = expr->dot.right->type;
    const TirScalar *a = evaluation_values(evaluation, expr->dot.left);
    const TirScalar *b = evaluation_values(evaluation, expr->dot.right);
    if (a == NULL || b == NULL) {
        return false;
    }
    size_t inner = right->dims[0];
    size_t columns = right->flat_rank == 2 ? right->dims[1] : 1;
    for (size_t i = 0; i < expr->type->numel; i++) {
        TirScalar total = {0};
        for (size_t k = 0; k < inner; k++) {
            TirScalar term = combine(evaluation->tir, OP_MUL, right->root,
                                     a[i / columns * inner + k], b[k * columns + i % columns]);
            total = combine(evaluation->tir, OP_ADD, right->root, total, term);
        }
        out[i] = total;
    }
    return true;
}

// How many operations a node takes beside those of its operands.
static uint64_t operations_of(const TirExpr *expr) {
    switch (expr->kind) {
    case EXPR_REDUCE: return expr->reduce.operand->type->numel;
    case EXPR_DOT: return (uint64_t)expr->type->numel * expr->dot.right->type->dims[0];
    case EXPR_MAP:
    case EXPR_CONVERT:
    case EXPR_VIEW:
    case EXPR_LITERAL:
    case EXPR_CONCAT:
    case EXPR_CUMSUM:
    case EXPR_IOTA: return expr->type->numel;
    case EXPR_CONST:
    case EXPR_VAR:
    case EXPR_RESHAPE: return 0;
    }
    UNREACHABLE();
}

static bool evaluate_into(Evaluation *evaluation, const TirExpr *expr, TirScalar *out) {
    switch (expr->kind) {
    case EXPR_MAP: return evaluate_map(evaluation, expr, out);
    case EXPR_CONVERT: return evaluate_convert(evaluation, expr, out);
    case EXPR_VIEW: return evaluate_view(evaluation, expr, out);
    case EXPR_LITERAL: return evaluate_literal(evaluation, expr, out);
    case EXPR_CONCAT: return evaluate_concat(evaluation, expr, out);
    case EXPR_REDUCE: return evaluate_reduce(evaluation, expr, out);
    case EXPR_CUMSUM: return evaluate_cumsum(evaluation, expr, out);
    case EXPR_DOT: return evaluate_dot(evaluation, expr, out);
    case EXPR_IOTA:
        for (size_t i = 0; i < expr->type->numel; i++) {
            out[i] = (TirScalar){.integer = (int32_t)i};
        }
        return true;
    case EXPR_CONST:
    case EXPR_VAR:
    case EXPR_RESHAPE: break; // evaluation_values answers without copying, or not at all
    }
    UNREACHABLE();
}

static const TirScalar *variable_values(Evaluation *evaluation, const TirExpr *expr) {
    const TirVar *var = expr->var;
    const EvaluationWork *work = evaluation->work;
    const TirScalar *values = NULL;
    if (work != NULL && tir_var_is_global(var)) {
        const TirExpr *known = work->known == NULL ? NULL : table_get(work->known, var);
        values = known == NULL ? NULL : evaluation_values(evaluation, known);
    } else if (work != NULL && var->id >= evaluation->first_var &&
               var->id - evaluation->first_var < evaluation->var_count) {
        values = evaluation->vars[var->id - evaluation->first_var];
    }
    if (values == NULL) {
        evaluation_fails(evaluation, (ConstantTrouble){.why = CONSTANT_VARIES});
    }
    return values;
}

const TirScalar *evaluation_values(Evaluation *evaluation, const TirExpr *expr) {
    for (; expr->kind == EXPR_RESHAPE; expr = expr->operand) {
    }
    if (expr->kind == EXPR_CONST) {
        return expr->data;
    }
    if (expr->kind == EXPR_VAR) {
        return variable_values(evaluation, expr);
    }
    size_t count = expr->type->numel;
    if (evaluation->work != NULL && count == 1) {
        TirScalar *out = ARENA_NEW(evaluation_arena(evaluation), TirScalar);
        return evaluation_scalar(evaluation, expr, out) ? out : NULL;
    }
    if (count > CONSTANT_VALUE_LIMIT || !evaluation_spend(evaluation, operations_of(expr))) {
        evaluation_fails(evaluation, (ConstantTrouble){.why = CONSTANT_TOO_LONG});
        return NULL;
    }
    TirScalar *out = ARENA_ARRAY(evaluation_arena(evaluation), TirScalar, count);
    return evaluate_into(evaluation, expr, out) ? out : NULL;
}

// Of scalars, which most operations in loops are, without memory of their own.
static bool evaluate_scalar_map(Evaluation *evaluation, const TirExpr *expr, TirScalar *value) {
    TirScalar args[3] = {{0}};
    bool short_circuit = tir_is_short_circuit(expr);
    for (unsigned k = 0; k < tir_op_arity(expr->map.op); k++) {
        if (!evaluation_scalar(evaluation, expr->map.args[k], &args[k])) {
            return false;
        }
        if (short_circuit && args[k].boolean == (expr->map.op == OP_OR)) {
            *value = args[k];
            return true;
        }
    }
    return apply(evaluation, expr, args, value);
}

bool evaluation_scalar(Evaluation *evaluation, const TirExpr *expr, TirScalar *value) {
    if (expr->kind == EXPR_MAP) {
        return evaluation_spend(evaluation, 1) && evaluate_scalar_map(evaluation, expr, value);
    }
    if (expr->kind == EXPR_CONVERT) {
        TirScalar from;
        if (!evaluation_spend(evaluation, 1) ||
            !evaluation_scalar(evaluation, expr->operand, &from)) {
            return false;
        }
        *value = scalar_convert(from, expr->operand->type->root, expr->type->root,
                                evaluation->tir->single);
        return true;
    }
    if (expr->kind == EXPR_VIEW) {
        return evaluation_spend(evaluation, 1) && evaluate_view(evaluation, expr, value);
    }
    if (evaluation->work != NULL && expr->kind != EXPR_CONST && expr->kind != EXPR_VAR &&
        expr->kind != EXPR_RESHAPE) {
        return evaluation_spend(evaluation, operations_of(expr)) &&
               evaluate_into(evaluation, expr, value);
    }
    const TirScalar *values = evaluation_values(evaluation, expr);
    if (values != NULL) {
        *value = *values;
    }
    return values != NULL;
}

bool evaluation_spend(Evaluation *evaluation, uint64_t operations) {
    EvaluationWork *work = evaluation->work;
    if (work == NULL) {
        return true;
    }
    if (operations > work->left) {
        return evaluation_fails(evaluation, (ConstantTrouble){.why = CONSTANT_TOO_LONG});
    }
    work->left -= operations;
    return true;
}

bool evaluation_fails(Evaluation *evaluation, ConstantTrouble trouble) {
    if (evaluation->work != NULL && evaluation->work->trouble.why == CONSTANT_KNOWN) {
        evaluation->work->trouble = trouble;
    }
    return false;
}

Arena *evaluation_arena(const Evaluation *evaluation) {
    return evaluation->work == NULL ? evaluation->tir->arena : evaluation->work->arena;
}

const TirScalar *constant_values(Tir *tir, const TirExpr *expr) {
    if (expr->kind == EXPR_CONST) {
        return expr->data;
    }
    Evaluation evaluation = {.tir = tir};
    return expr->is_constant ? evaluation_values(&evaluation, expr) : NULL;
}

static bool is_fill(const TirExpr *expr) {
    return expr->kind == EXPR_VIEW && expr->view.operand->kind == EXPR_CONST &&
           expr->type->numel > expr->view.operand->type->numel;
}

// Sums of reals are grouped by code generation in its own way; folding them here could give other
// bits than the same sum computed while running.
static bool is_grouped_sum(const TirExpr *expr, const void *data) {
    (void)data;
    bool adds = expr->kind == EXPR_DOT || expr->kind == EXPR_CUMSUM ||
                (expr->kind == EXPR_REDUCE &&
                 (expr->reduce.op == REDUCE_SUM || expr->reduce.op == REDUCE_PROD));
    return adds && expr->type->root == ROOT_REAL;
}

bool constant_has_grouped_sum(const TirExpr *expr) {
    return tir_any_expr(expr, is_grouped_sum, NULL);
}

static void require_value(const TirExpr *operand, void *data) {
    bool *all_values = data;
    *all_values = *all_values && (operand->kind == EXPR_CONST || is_fill(operand));
}

TirExpr *constant_fold(Tir *tir, TirExpr *expr) {
    // The text of a literal is as long as its values, so it may have any number.
    size_t limit = expr->kind == EXPR_LITERAL ? CONSTANT_VALUE_LIMIT : CONSTANT_FOLD_LIMIT;
    if (!expr->is_constant || expr->kind == EXPR_CONST || is_fill(expr) ||
        is_grouped_sum(expr, NULL) || expr->type->numel > limit) {
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
    if (!type_is_scalar(expr->type) || !root_is_integer(expr->type->root)) {
        return false;
    }
    const TirScalar *scalar = constant_values(tir, expr);
    if (scalar == NULL) {
        return false;
    }
    *value = expr->type->root == ROOT_INT ? scalar->integer : (int64_t)scalar->uint;
    return true;
}

bool constant_turns(Tir *tir, const TirStmt *loop, ConstantTurns *turns) {
    if (!constant_integer(tir, loop->for_loop.first, &turns->first) ||
        !constant_integer(tir, loop->for_loop.last, &turns->last) ||
        !constant_integer(tir, loop->for_loop.step, &turns->step) || turns->step == 0) {
        return false;
    }
    turns->count = shape_range_count(turns->first, turns->last, turns->step);
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

bool constant_is_int(const TirExpr *expr) {
    return expr->kind == EXPR_CONST && expr->type->root == ROOT_INT && type_is_scalar(expr->type);
}

bool constant_int_behind(const TirBlock *block, size_t count, const TirVar *var, int32_t *value) {
    for (size_t i = count; i-- > 0;) {
        TirStmt *stmt = block->items[i];
        if (tir_sets_var(stmt, var) && constant_is_int(stmt->set.value)) {
            *value = stmt->set.value->data[0].integer;
            return true;
        }
        if (tir_stmt_writes(stmt, var)) {
            return false;
        }
    }
    return false;
}
