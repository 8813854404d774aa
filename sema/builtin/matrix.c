// Built-ins that make or combine vectors and matrices (L11). det, inv, solve and chol are written
// in TML, in sema/library/dense.tml.
#include "sema/builtin/builtin.h"
#include "sema/expr.h"
#include "sema/library/library.h"
#include "sema/value.h"
#include "tir/constant.h"
#include "tir/scalar.h"

#include <math.h>

static const Type *vector_type(Checker *checker, Root root, uint32_t length) {
    return type_tensor(checker->tir.types, type_scalar(checker->tir.types, root), 1, &length);
}

static const Type *matrix_type(Checker *checker, Root root, uint32_t rows, uint32_t columns) {
    uint32_t dims[2] = {rows, columns};
    return type_tensor(checker->tir.types, type_scalar(checker->tir.types, root), 2, dims);
}

// Argument k as a length. False after an error.
static bool length_argument(Checker *checker, const BuiltinCall *call, size_t k, uint32_t *length) {
    int64_t value;
    return builtin_integer(checker, call, k, &value) &&
           builtin_lengths(checker, builtin_argument(call, k)->span, &value, 1, length);
}

// The position along result axis `axis` of a tensor of type `shape`.
static TirExpr *positions(Checker *checker, const Type *shape, int32_t axis, Span span) {
    TirExpr *iota =
        tir_iota(&checker->tir, vector_type(checker, ROOT_INT, shape->dims[axis]), span);
    const Type *type = type_with_root(checker->tir.types, shape, ROOT_INT);
    return shape->rank == 1 ? iota : check_along(checker, iota, type, &axis, span);
}

// True on the diagonal of a matrix of type `shape`.
static TirExpr *on_diagonal(Checker *checker, const Type *shape, Span span) {
    const Type *type = type_with_root(checker->tir.types, shape, ROOT_BOOL);
    return check_map(checker, OP_EQ, type, positions(checker, shape, 0, span),
                     positions(checker, shape, 1, span), NULL, span);
}

TirExpr *builtin_eye(Checker *checker, const BuiltinCall *call) {
    uint32_t length;
    if (!length_argument(checker, call, 0, &length)) {
        return checker->poison;
    }
    const Type *type = matrix_type(checker, ROOT_REAL, length, length);
    if (type == NULL) {
        return builtin_too_large(checker, call);
    }
    TirExpr *diagonal = on_diagonal(checker, type, call->span);
    return check_built(checker, tir_convert(&checker->tir, ROOT_REAL, diagonal, call->span));
}

TirExpr *builtin_iota(Checker *checker, const BuiltinCall *call) {
    uint32_t length;
    if (!length_argument(checker, call, 0, &length)) {
        return checker->poison;
    }
    return check_built(checker,
                       tir_iota(&checker->tir, vector_type(checker, ROOT_INT, length), call->span));
}

// One more dim, in which the position k is 1 and all others are 0.
TirExpr *builtin_onehot(Checker *checker, const BuiltinCall *call) {
    TirExpr *k = call->args[0];
    uint32_t dims[TYPE_RANK_LIMIT + 1];
    size_t rank = type_is_tensor(k->type) ? k->type->rank : 0;
    if (!root_is_integer(k->type->root) || k->type->depth > 1) {
        return builtin_wrong_argument(checker, call, 0, "an `int` or a tensor of them");
    }
    if (!length_argument(checker, call, 1, &dims[rank])) {
        return checker->poison;
    }
    int32_t axes[TYPE_RANK_LIMIT];
    for (size_t d = 0; d < rank; d++) {
        dims[d] = k->type->dims[d];
        axes[d] = (int32_t)d;
    }
    TypeTable *types = checker->tir.types;
    const Type *type = type_tensor(types, type_scalar(types, ROOT_BOOL), rank + 1, dims);
    if (type == NULL) {
        return builtin_too_large(checker, call);
    }
    Span span = call->span;
    const Type *positions_type = type_with_root(types, type, k->type->root);
    TirExpr *along = rank == 0 ? check_spread(checker, k, positions_type)
                               : check_along(checker, k, positions_type, axes, span);
    TirExpr *is_one = check_map(checker, OP_EQ, type, along,
                                positions(checker, type, (int32_t)rank, span), NULL, span);
    return check_convert(checker, ROOT_REAL, is_one);
}

// a + i * ((b - a) / (n - 1)), and exactly b at the end; [a] for n = 1.
TirExpr *builtin_linspace(Checker *checker, const BuiltinCall *call) {
    uint32_t length;
    for (size_t k = 0; k < 2; k++) {
        if (!type_is_scalar(call->args[k]->type) || !type_is_numeric(call->args[k]->type)) {
            return builtin_wrong_argument(checker, call, k, "a number");
        }
    }
    if (!length_argument(checker, call, 2, &length)) {
        return checker->poison;
    }
    Span span = call->span;
    const Type *real = type_scalar(checker->tir.types, ROOT_REAL);
    const Type *type = vector_type(checker, ROOT_REAL, length);
    TirExpr *first = builtin_shared(checker, check_fit(checker, call->args[0], real));
    TirExpr *last = builtin_shared(checker, check_fit(checker, call->args[1], real));
    if (length == 1) {
        return check_spread(checker, first, type);
    }
    TirExpr *steps = tir_const_real(&checker->tir, (double)length - 1, span);
    TirExpr *step = check_map(checker, OP_SUB, real, last, first, NULL, span);
    step = check_map(checker, OP_DIV, real, step, steps, NULL, span);
    TirExpr *iota = positions(checker, type, 0, span);
    TirExpr *along = check_fit(checker, iota, type);
    TirExpr *value =
        check_map(checker, OP_MUL, type, along, check_spread(checker, step, type), NULL, span);
    value = check_map(checker, OP_ADD, type, value, check_spread(checker, first, type), NULL, span);
    TirExpr *end = tir_const_int(&checker->tir, (int32_t)length - 1, span);
    TirExpr *at_end = check_map(checker, OP_EQ, type_with_root(checker->tir.types, type, ROOT_BOOL),
                                iota, check_spread(checker, end, iota->type), NULL, span);
    return check_map(checker, OP_SELECT, type, at_end, check_spread(checker, last, type), value,
                     span);
}

static TirExpr *diagonal_of(Checker *checker, TirExpr *matrix, Span span) {
    int32_t both[2] = {0, 0};
    const Type *type = shape_diagonal(checker->tir.types, matrix->type);
    return check_along(checker, matrix, type, both, span);
}

TirExpr *builtin_diag(Checker *checker, const BuiltinCall *call) {
    TirExpr *x = call->args[0];
    if (shape_is_matrix(x->type)) {
        return diagonal_of(checker, x, call->span);
    }
    if (!shape_is_vector(x->type)) {
        return builtin_wrong_argument(checker, call, 0, "a vector or a matrix");
    }
    ShapeFit fit = shape_outer(checker->tir.types, x->type, x->type);
    if (fit.why != SHAPE_OK) {
        return builtin_too_large(checker, call);
    }
    const Type *type = fit.type;
    int32_t down = 0;
    TirScalar *zero = ARENA_NEW(checker->arena, TirScalar);
    TirExpr *zeros =
        tir_const(&checker->tir, type_scalar(checker->tir.types, x->type->root), zero, call->span);
    return check_map(checker, OP_SELECT, type, on_diagonal(checker, type, call->span),
                     check_along(checker, x, type, &down, x->span),
                     check_spread(checker, zeros, type), call->span);
}

// The sum of all scalars of a vector or matrix.
static TirExpr *total(Checker *checker, TirExpr *x, Span span) {
    const Type *scalar = type_scalar(checker->tir.types, x->type->root);
    return check_built(
        checker, tir_reduce(&checker->tir, REDUCE_SUM, scalar, x, 0, x->type->flat_rank, span));
}

TirExpr *builtin_trace(Checker *checker, const BuiltinCall *call) {
    TirExpr *x = call->args[0];
    if (!shape_is_matrix(x->type) || !type_is_numeric(x->type)) {
        return builtin_wrong_argument(checker, call, 0, "a matrix of numbers");
    }
    return total(checker, diagonal_of(checker, x, call->span), call->span);
}

// The norm of a vector that the constant p says, by a function of the library.
static TirExpr *norm_of_order(Checker *checker, const BuiltinCall *call, TirExpr *x) {
    const TirExpr *order = call->args[1];
    const TirScalar *known = constant_values(&checker->tir, order);
    if (known == NULL || !type_is_scalar(order->type) || !type_is_numeric(order->type)) {
        return builtin_wrong_argument(checker, call, 1, "a constant number");
    }
    double p = scalar_as_real(*known, order->type->root);
    Span span = builtin_argument(call, 1)->span;
    if (isnan(p) || p <= 0) {
        return check_fail(checker, DIAG_E0508, span, "the order of a norm is above 0");
    }
    if (x->type->rank > 1 && p != 2) {
        return check_fail(checker, DIAG_E0508, span,
                          "of a matrix there is only the Frobenius norm, p = 2");
    }
    const char *name = p == 1 ? "_norm_1" : p == 2 ? "_norm_2" : isinf(p) ? "_norm_inf" : "_norm_p";
    const Type *flat = vector_type(checker, ROOT_REAL, x->type->numel);
    TirExpr *real = check_convert(checker, ROOT_REAL, call->args[1]);
    TirExpr **args = ARENA_ARRAY(checker->arena, TirExpr *, 2);
    args[0] = tir_reshape(&checker->tir, flat, x, call->span);
    args[1] = real;
    return check_call_function(checker, library_function(checker, name), call->span, args);
}

// The square root of the sum of squares (for a matrix: the Frobenius norm).
TirExpr *builtin_norm(Checker *checker, const BuiltinCall *call) {
    if (call->args[0]->type->depth != 1 || !type_is_numeric(call->args[0]->type)) {
        return builtin_wrong_argument(checker, call, 0, "a tensor of numbers");
    }
    if (call->count == 2) {
        return norm_of_order(checker, call, check_convert(checker, ROOT_REAL, call->args[0]));
    }
    const Type *type = type_with_root(checker->tir.types, call->args[0]->type, ROOT_REAL);
    TirExpr *x = builtin_shared(checker, check_fit(checker, call->args[0], type));
    TirExpr *sum =
        total(checker, check_map(checker, OP_MUL, type, x, x, NULL, call->span), call->span);
    return check_map(checker, OP_SQRT, sum->type, sum, NULL, NULL, call->span);
}

// Both arguments as numeric vectors with their common root. False after an error.
static bool two_vectors(Checker *checker, const BuiltinCall *call, TirExpr **vectors) {
    Root root = ROOT_UINT;
    for (size_t k = 0; k < 2; k++) {
        const Type *type = call->args[k]->type;
        if (!shape_is_vector(type) || !type_is_numeric(type)) {
            builtin_wrong_argument(checker, call, k, "a vector of numbers");
            return false;
        }
        root = type->root > root ? type->root : root;
    }
    for (size_t k = 0; k < 2; k++) {
        TirExpr *arg = call->args[k];
        vectors[k] = check_convert(checker, root, arg);
    }
    return true;
}

TirExpr *builtin_outer(Checker *checker, const BuiltinCall *call) {
    TirExpr *v[2];
    if (!two_vectors(checker, call, v)) {
        return checker->poison;
    }
    ShapeFit fit = shape_outer(checker->tir.types, v[0]->type, v[1]->type);
    if (fit.why != SHAPE_OK) {
        return builtin_too_large(checker, call);
    }
    int32_t down = 0;
    int32_t across = 1;
    return check_map(checker, OP_MUL, fit.type,
                     check_along(checker, v[0], fit.type, &down, v[0]->span),
                     check_along(checker, v[1], fit.type, &across, v[1]->span), NULL, call->span);
}

static TirExpr *element(Checker *checker, TirExpr *vector, int64_t at) {
    TirAxis axis = {.axis = -1, .start = at};
    const Type *scalar = type_scalar(checker->tir.types, vector->type->root);
    return check_built(checker, tir_view(&checker->tir, scalar, vector, &axis, vector->span));
}

TirExpr *builtin_cross(Checker *checker, const BuiltinCall *call) {
    TirExpr *v[2];
    if (!two_vectors(checker, call, v)) {
        return checker->poison;
    }
    const Type *type = vector_type(checker, v[0]->type->root, 3);
    for (size_t k = 0; k < 2; k++) {
        if (v[k]->type != type) {
            return builtin_wrong_argument(checker, call, k, "a vector of 3 numbers");
        }
        v[k] = builtin_shared(checker, v[k]);
    }
    const Type *scalar = type->base;
    TirExpr **items = ARENA_ARRAY(checker->arena, TirExpr *, 3);
    for (int64_t i = 0; i < 3; i++) {
        int64_t j = (i + 1) % 3;
        int64_t k = (i + 2) % 3;
        TirExpr *plus = check_map(checker, OP_MUL, scalar, element(checker, v[0], j),
                                  element(checker, v[1], k), NULL, call->span);
        TirExpr *minus = check_map(checker, OP_MUL, scalar, element(checker, v[0], k),
                                   element(checker, v[1], j), NULL, call->span);
        items[i] = check_map(checker, OP_SUB, scalar, plus, minus, NULL, call->span);
    }
    return check_built(checker, tir_literal(&checker->tir, type, items, 3, call->span));
}

// Elements that become straight code: 8 rows of 8 reals, which are the longest vector register.
enum { STRAIGHT_NUMEL = 64 };

TirExpr *builtin_algebra(Checker *checker, const BuiltinCall *call) {
    TirExpr *a = call->args[0];
    if (!shape_is_square(a->type) || !type_is_numeric(a->type)) {
        return builtin_wrong_argument(checker, call, 0, "a square matrix of numbers");
    }
    const char *name = arena_format(checker->arena, "_%s", call->name);
    if (call->count == 2) {
        const Type *type = call->args[1]->type;
        ShapeFit fit = shape_solve(a->type, type);
        if (fit.why == SHAPE_OPERAND || !type_is_numeric(type)) {
            return builtin_wrong_argument(checker, call, 1, "a vector or matrix of numbers");
        }
        if (fit.why != SHAPE_OK) {
            return check_fail(checker, DIAG_E0507, call->span,
                              "`solve` needs as many rows on the right, %u, as the matrix has, %u",
                              fit.right, fit.left);
        }
        name = shape_is_vector(type) ? "_solve_vector" : "_solve_matrix";
    }
    if (checker->options->vectors && a->type->numel <= STRAIGHT_NUMEL) {
        name = arena_format(checker->arena, "%s_straight", name);
    }
    FunctionDecl *decl = library_function(checker, name);
    return check_call_function(checker, decl, call->span, call->args);
}
