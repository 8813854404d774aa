// Built-ins that give the same scalars another shape (L11): all of them are views.
#include "sema/builtin/builtin.h"
#include "sema/value.h"
#include "tir/constant.h"

static TirExpr *reshaped(Checker *checker, const Type *type, TirExpr *x, Span span) {
    return check_built(checker, tir_reshape(&checker->tir, type, x, span));
}

TirExpr *builtin_narrow(Checker *checker, const BuiltinCall *call) {
    TirExpr *x = call->args[0];
    const Type *type = shape_narrow(checker->tir.types, x->type);
    if (type == x->type) {
        check_warning(checker, WARNING_NARROW_NOOP, call->span,
                      "`narrow` changes nothing: this is %s", check_type_text(checker, type));
    }
    return reshaped(checker, type, x, call->span);
}

static TirExpr *placed(Checker *checker, const BuiltinCall *call, size_t rank,
                       const uint32_t *lengths, size_t positions_arg) {
    TirExpr *x = call->args[0];
    int64_t positions[TYPE_RANK_LIMIT] = {0};
    size_t count = 0;
    if (positions_arg < call->count &&
        !builtin_integers(checker, call, positions_arg, positions, TYPE_RANK_LIMIT, &count)) {
        return checker->poison;
    }
    ShapeFit fit = shape_place(checker->tir.types, x->type, rank, lengths, positions, count);
    Span span =
        positions_arg < call->count ? builtin_argument(call, positions_arg)->span : call->span;
    if (fit.why == SHAPE_TOO_LARGE) {
        return builtin_too_large(checker, call);
    }
    if (fit.why == SHAPE_COUNT) {
        return check_fail(checker, DIAG_E0507, span, "%s has %u %s, and %u positions are given",
                          check_type_text(checker, x->type), fit.right,
                          fit.right == 1 ? "dimension" : "dimensions", fit.left);
    }
    if (fit.why == SHAPE_LENGTHS) {
        return check_fail(checker, DIAG_E0507, span,
                          "dimension %u of length %u cannot lie along one of length %u", fit.dim,
                          fit.left, fit.right);
    }
    if (fit.why != SHAPE_OK) {
        return check_fail(checker, DIAG_E0507, span,
                          "positions must increase and be below %zu; %lld is wrong", rank,
                          (long long)fit.index);
    }
    int32_t axes[TYPE_FLAT_LIMIT];
    for (size_t d = 0; d < x->type->flat_rank; d++) {
        if (d >= x->type->rank) {
            axes[d] = (int32_t)(rank + d - x->type->rank);
        } else {
            bool stretched = shape_is_stretched(x->type, d, fit.type, (size_t)positions[d]);
            axes[d] = stretched ? -1 : (int32_t)positions[d];
        }
    }
    return check_along(checker, x, fit.type, axes, x->span);
}

TirExpr *builtin_broadcast_in_dim(Checker *checker, const BuiltinCall *call) {
    int64_t sizes[TYPE_RANK_LIMIT];
    uint32_t lengths[TYPE_RANK_LIMIT];
    size_t rank;
    if (!builtin_integers(checker, call, 1, sizes, TYPE_RANK_LIMIT, &rank) ||
        !builtin_lengths(checker, builtin_argument(call, 1)->span, sizes, rank, lengths)) {
        return checker->poison;
    }
    return placed(checker, call, rank, lengths, 2);
}

TirExpr *builtin_align(Checker *checker, const BuiltinCall *call) {
    int64_t rank;
    if (!builtin_integer(checker, call, 1, &rank)) {
        return checker->poison;
    }
    if (rank < 1 || rank > TYPE_RANK_LIMIT) {
        return check_fail(checker, DIAG_E0507, builtin_argument(call, 1)->span,
                          "a number of dimensions is between 1 and %d", TYPE_RANK_LIMIT);
    }
    return placed(checker, call, (size_t)rank, NULL, 2);
}

// A list where the integers are arguments of their own, as other languages have it.
static bool refuse_list(Checker *checker, const BuiltinCall *call) {
    const TirExpr *list = call->args[call->count - 1];
    bool is_list = call->count == 2 && list->type->root == ROOT_INT && list->type->flat_rank == 1 &&
                   list->type->numel <= TYPE_RANK_LIMIT;
    const TirScalar *values = is_list ? constant_values(&checker->tir, list) : NULL;
    if (values == NULL) {
        return false;
    }
    Span span = builtin_argument(call, 1)->span;
    Diag *diag = check_error(checker, DIAG_E0507, span, "`%s` takes integers, not a list of them",
                             call->name);
    Slice written = sources_text(checker->context->sources, span);
    const char *text = "";
    if (written.len > 2 && written.data[0] == '[' && written.data[written.len - 1] == ']') {
        text = arena_copy_text(checker->arena, written.data + 1, written.len - 2);
    } else if (check_is_one_of_many(checker)) {
        return true; // its values are those of one call
    } else {
        for (uint32_t k = 0; k < list->type->numel; k++) {
            text =
                arena_format(checker->arena, "%s%s%d", text, k == 0 ? "" : ", ", values[k].integer);
        }
    }
    diag_help(diag, "they follow each other: `%s(x, %s)`", call->name, text);
    diag_edit(diag, span, "%s", text);
    return true;
}

// Arguments 1, 2, ... as integers. False after an error.
static bool trailing_integers(Checker *checker, const BuiltinCall *call, int64_t *values) {
    if (call->count - 1 > TYPE_RANK_LIMIT) {
        return check_refuse(checker, DIAG_E0902, call->span, "a tensor has at most %d dimensions",
                            TYPE_RANK_LIMIT);
    }
    if (refuse_list(checker, call)) {
        return false;
    }
    for (size_t k = 1; k < call->count; k++) {
        if (!builtin_integer(checker, call, k, &values[k - 1])) {
            return false;
        }
    }
    return true;
}

TirExpr *builtin_reshape(Checker *checker, const BuiltinCall *call) {
    TirExpr *x = call->args[0];
    int64_t values[TYPE_RANK_LIMIT];
    uint32_t dims[TYPE_RANK_LIMIT];
    size_t rank = call->count - 1;
    if (!trailing_integers(checker, call, values)) {
        return checker->poison;
    }
    for (size_t k = 0; k < rank; k++) {
        if (!builtin_lengths(checker, builtin_argument(call, k + 1)->span, &values[k], 1,
                             &dims[k])) {
            return checker->poison;
        }
    }
    ShapeFit fit = shape_reshape(checker->tir.types, x->type, rank, dims);
    if (fit.why == SHAPE_TOO_LARGE) {
        return builtin_too_large(checker, call);
    }
    if (fit.why != SHAPE_OK) {
        return check_fail(checker, DIAG_E0507, call->span,
                          "%s has %u elements, the new shape has %u",
                          check_type_text(checker, x->type), fit.left, fit.right);
    }
    return reshaped(checker, fit.type, x, call->span);
}

TirExpr *builtin_permute(Checker *checker, const BuiltinCall *call) {
    TirExpr *x = call->args[0];
    int64_t order[TYPE_RANK_LIMIT] = {0};
    if (!trailing_integers(checker, call, order)) {
        return checker->poison;
    }
    ShapeFit fit = shape_permute(checker->tir.types, x->type, order, call->count - 1);
    if (fit.why == SHAPE_COUNT) {
        return check_fail(checker, DIAG_E0507, call->span, "%s needs %u positions, not %u",
                          check_type_text(checker, x->type), fit.right, fit.left);
    }
    if (fit.why != SHAPE_OK) {
        return check_fail(checker, DIAG_E0507, builtin_argument(call, fit.dim + 1)->span,
                          "positions are each of 0 to %u once; %lld is wrong", x->type->rank - 1U,
                          (long long)fit.index);
    }
    int32_t axes[TYPE_FLAT_LIMIT];
    for (size_t d = 0; d < x->type->flat_rank; d++) {
        axes[d] = (int32_t)d;
    }
    for (size_t d = 0; d < x->type->rank; d++) {
        axes[order[d]] = (int32_t)d;
    }
    return check_along(checker, x, fit.type, axes, x->span);
}

TirExpr *builtin_nest(Checker *checker, const BuiltinCall *call) {
    TirExpr *x = call->args[0];
    int64_t count;
    if (!builtin_integer(checker, call, 1, &count)) {
        return checker->poison;
    }
    ShapeFit fit = shape_nest(checker->tir.types, x->type, count);
    if (fit.why == SHAPE_TOO_LARGE) {
        return builtin_too_large(checker, call);
    }
    if (fit.why != SHAPE_OK) {
        return check_fail(checker, DIAG_E0507, builtin_argument(call, 1)->span,
                          "`nest` moves at least 1 and leaves at least 1 of the "
                          "dimensions of %s",
                          check_type_text(checker, x->type));
    }
    return reshaped(checker, fit.type, x, call->span);
}

TirExpr *builtin_unnest(Checker *checker, const BuiltinCall *call) {
    TirExpr *x = call->args[0];
    ShapeFit fit = shape_unnest(checker->tir.types, x->type);
    if (fit.why == SHAPE_TOO_LARGE) {
        return builtin_too_large(checker, call);
    }
    if (fit.why != SHAPE_OK) {
        return check_fail(checker, DIAG_E0507, builtin_argument(call, 0)->span,
                          "%s has no two levels to join", check_type_text(checker, x->type));
    }
    return reshaped(checker, fit.type, x, call->span);
}

// Argument k cannot join what those before it make.
static TirExpr *report_concat(Checker *checker, const BuiltinCall *call, unsigned axis,
                              const Type *joined, size_t k, const ShapeFit *fit) {
    Span span = builtin_argument(call, k)->span;
    const char *type = check_type_text(checker, call->args[k]->type);
    const char *before = check_type_text(checker, joined);
    if (fit->why == SHAPE_TOO_LARGE) {
        return builtin_too_large(checker, call);
    }
    if (fit->why == SHAPE_OPERAND) {
        return check_fail(checker, DIAG_E0507, span, "`concat` joins tensors, not scalars");
    }
    if (fit->why == SHAPE_RANKS) {
        return check_fail(checker, DIAG_E0507, span, "cannot join %s with %s: %u %s against %u",
                          before, type, fit->left, fit->left == 1 ? "dimension" : "dimensions",
                          fit->right);
    }
    if (fit->why == SHAPE_LENGTHS) {
        return check_fail(checker, DIAG_E0507, span,
                          "cannot join %s with %s along dimension %u: dimension %u differs, %u "
                          "and %u",
                          before, type, axis, fit->dim, fit->left, fit->right);
    }
    return check_fail(checker, DIAG_E0507, span, "elements of another shape: %s", type);
}

// `concat(a, b)`: vectors have one dimension only, along which they are joined.
static bool lacks_axis(Checker *checker, const BuiltinCall *call) {
    if (!type_is_tensor(call->args[0]->type)) {
        return false;
    }
    uint32_t start = builtin_argument(call, 0)->span.start;
    bool vectors = true;
    for (size_t k = 0; k < call->count; k++) {
        vectors = vectors && type_is_tensor(call->args[k]->type) && call->args[k]->type->rank == 1;
    }
    Diag *diag = check_error(checker, DIAG_E0507, builtin_argument(call, 0)->span,
                             "argument 1 of `concat` is a dimension, not a tensor");
    if (vectors) {
        diag_help(diag, "vectors are joined along dimension 0: `concat(0, ...)`");
        diag_edit(diag, (Span){start, start}, "0, ");
    } else {
        diag_note(diag, "`concat(0, a, b)` puts b below a, `concat(1, a, b)` side by side");
    }
    return true;
}

TirExpr *builtin_concat(Checker *checker, const BuiltinCall *call) {
    int64_t axis;
    if (lacks_axis(checker, call) || !builtin_integer(checker, call, 0, &axis)) {
        return checker->poison;
    }
    const Type *type = call->args[1]->type;
    if (!shape_has_dim(type, axis)) {
        Diag *diag = check_error(checker, DIAG_E0507, builtin_argument(call, 0)->span,
                                 "%s has no dimension %lld", check_type_text(checker, type),
                                 (long long)axis);
        if (type_is_scalar(type)) {
            diag_note(diag, "`[%s]` is a vector of one element",
                      check_expr_text(checker, builtin_argument(call, 1)->span, "x"));
        } else if (type->rank == 1 && axis == 1) {
            diag_note(diag,
                      "`stack(1, a, b)` has a and b for its columns, and `concat(0, a, b)` is one "
                      "behind the other");
        }
        return checker->poison;
    }
    for (size_t k = 2; k < call->count; k++) {
        ShapeFit fit = shape_concat(checker->tir.types, type, call->args[k]->type, (unsigned)axis);
        if (fit.why != SHAPE_OK) {
            return report_concat(checker, call, (unsigned)axis, type, k, &fit);
        }
        type = fit.type;
    }
    size_t count = call->count - 1;
    TirExpr **items = ARENA_ARRAY(checker->arena, TirExpr *, count);
    for (size_t k = 0; k < count; k++) {
        TirExpr *item = call->args[k + 1];
        items[k] = check_convert(checker, type->root, item);
    }
    return check_built(checker,
                       tir_concat(&checker->tir, type, items, count, (uint32_t)axis, call->span));
}

// All of one shape, as slices along a new dimension.
TirExpr *builtin_stack(Checker *checker, const BuiltinCall *call) {
    TirExpr *first = call->args[1];
    const Type *type = first->type;
    uint32_t dims[TYPE_RANK_LIMIT + 1];
    size_t rank = type_is_tensor(type) ? type->rank : 0;
    int64_t axis;
    if (!builtin_integer(checker, call, 0, &axis)) {
        return checker->poison;
    }
    if (axis < 0 || axis > (int64_t)rank) {
        return check_fail(checker, DIAG_E0507, builtin_argument(call, 0)->span,
                          "`stack` of %s makes one of the dimensions 0 to %zu, not %lld",
                          check_type_text(checker, type), rank, (long long)axis);
    }
    size_t count = call->count - 1;
    TypeTable *types = checker->tir.types;
    for (size_t k = 2; k <= count; k++) {
        const Type *part = call->args[k]->type;
        ShapeFit fit = shape_common(types, type, part);
        if (fit.why != SHAPE_OK) {
            return check_fail(checker, DIAG_E0507, builtin_argument(call, k)->span,
                              "`stack` needs all of one shape: %s beside %s",
                              check_type_text(checker, part), check_type_text(checker, type));
        }
        type = fit.type;
    }
    for (size_t d = 0, from = 0; d <= rank; d++) {
        dims[d] = d == (size_t)axis ? 1 : type->dims[from++];
    }
    const Type *base = rank == 0 ? type : type->base;
    const Type *slice = type_tensor(types, base, rank + 1, dims);
    dims[axis] = (uint32_t)count;
    const Type *all = type_tensor(types, base, rank + 1, dims);
    if (slice == NULL || all == NULL) {
        return builtin_too_large(checker, call);
    }
    TirExpr **items = ARENA_ARRAY(checker->arena, TirExpr *, count);
    for (size_t k = 0; k < count; k++) {
        TirExpr *item = check_convert(checker, type->root, call->args[k + 1]);
        items[k] = reshaped(checker, slice, item, call->span);
    }
    return check_built(checker,
                       tir_concat(&checker->tir, all, items, count, (uint32_t)axis, call->span));
}

// Each row, along the last dim of the innermost level, k times as long: all of it k times (`tile`),
// or each element (`repeat`).
TirExpr *builtin_repeated(Checker *checker, const BuiltinCall *call) {
    TirExpr *x = call->args[0];
    int64_t given;
    uint32_t times;
    if (!type_is_tensor(x->type)) {
        return builtin_wrong_argument(checker, call, 0, "a tensor");
    }
    if (!builtin_integer(checker, call, 1, &given) ||
        !builtin_lengths(checker, builtin_argument(call, 1)->span, &given, 1, &times)) {
        return checker->poison;
    }
    TypeTable *types = checker->tir.types;
    const Type *scalar = type_scalar(types, x->type->root);
    uint32_t length = x->type->dims[x->type->flat_rank - 1];
    const Type *result = shape_with_last(types, x->type, (uint64_t)length * times);
    if (result == NULL) {
        return builtin_too_large(checker, call);
    }
    uint32_t rows[2] = {x->type->numel / length, length};
    bool is_tile = call->op == 1;
    uint32_t dims[3] = {rows[0], is_tile ? times : length, is_tile ? length : times};
    int32_t axes[2] = {0, is_tile ? 2 : 1};
    size_t one = rows[0] == 1; // of a vector there is no dim of rows
    int32_t along = axes[1] - 1;
    TirExpr *matrix =
        reshaped(checker, type_tensor(types, scalar, 2 - one, rows + one), x, call->span);
    const Type *stretched = type_tensor(types, scalar, 3 - one, dims + one);
    TirExpr *all = check_along(checker, matrix, stretched, one == 1 ? &along : axes, call->span);
    return reshaped(checker, result, all, call->span);
}
