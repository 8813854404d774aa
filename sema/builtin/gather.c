// Rows of a tensor by a tensor of positions (L18.8): take, put and add_at. Each is a loop over the
// positions in their order, and its indices are checked as all others.
#include "sema/builtin/builtin.h"
#include "sema/value.h"
#include "tir/constant.h"
#include "tir/scalar.h"

// What they share, as flat types: `count` positions, and rows of `width` scalars.
typedef struct Gather {
    TirExpr *positions;
    const Type *values; // dims of the positions, then those of x but the first
    uint32_t length;    // of the dim that positions count along
    uint32_t count, width;
} Gather;

// Whether no position is known to be outside; else an error.
static bool are_inside(Checker *checker, const TirExpr *positions, uint32_t length, Span span) {
    const TirScalar *known = constant_values(&checker->tir, positions);
    for (size_t k = 0; known != NULL && k < positions->type->numel; k++) {
        double at = scalar_as_real(known[k], positions->type->root);
        if (at < 0 || at >= length) {
            return check_refuse(checker, DIAG_E0508, span, "position %.0f is outside of 0 to %u",
                                at, length - 1);
        }
    }
    return true;
}

// False after an error.
static bool begin(Checker *checker, const BuiltinCall *call, Gather *gather) {
    const Type *x = call->args[0]->type;
    const Type *at = call->args[1]->type;
    if (!type_is_tensor(x)) {
        builtin_wrong_argument(checker, call, 0, "a tensor");
        return false;
    }
    if (at->depth > 1 || !root_is_integer(at->root)) {
        builtin_wrong_argument(checker, call, 1, "an `int` or a tensor of them");
        return false;
    }
    Span span = builtin_argument(call, 1)->span;
    if (!are_inside(checker, call->args[1], x->dims[0], span)) {
        return false;
    }
    uint32_t dims[2 * TYPE_RANK_LIMIT];
    size_t rank = 0;
    for (size_t d = 0; type_is_tensor(at) && d < at->rank; d++) {
        dims[rank++] = at->dims[d];
    }
    for (size_t d = 1; d < x->rank; d++) {
        dims[rank++] = x->dims[d];
    }
    TypeTable *types = checker->tir.types;
    gather->values = rank == 0 ? x->base : type_tensor(types, x->base, rank, dims);
    if (gather->values == NULL) {
        builtin_too_large(checker, call);
        return false;
    }
    gather->length = x->dims[0];
    gather->count = at->numel;
    gather->width = x->numel / x->dims[0];
    const Type *flat = type_tensor(types, type_scalar(types, at->root), 1, &gather->count);
    gather->positions =
        builtin_shared(checker, tir_reshape(&checker->tir, flat, call->args[1], span));
    return true;
}

// Rows of one scalar are scalars.
static const Type *rows_type(Checker *checker, const Gather *gather, uint32_t count, Root root) {
    uint32_t dims[2] = {count, gather->width};
    return type_tensor(checker->tir.types, type_scalar(checker->tir.types, root),
                       gather->width == 1 ? 1 : 2, dims);
}

// The row at `index`, or one scalar of the positions.
static TirExpr *row_at(Checker *checker, TirExpr *rows, TirExpr *index, bool is_checked,
                       Span span) {
    TirAxis axes[2] = {{.axis = -1, .index = index, .unchecked = !is_checked, .span = span},
                       {.axis = 0, .step = 1, .span = span}};
    const Type *type = type_scalar(checker->tir.types, rows->type->root);
    if (rows->type->rank > 1) {
        type = type_tensor(checker->tir.types, type, 1, &rows->type->dims[1]);
    }
    return tir_view(&checker->tir, type, rows, axes, span);
}

// A variable of so many rows.
static TirExpr *rows_variable(Checker *checker, const Type *type, Span span) {
    TirVar *rows = tir_var_create(&checker->tir, checker->at.function, VAR_TEMP, NULL, type, span);
    return tir_read(&checker->tir, rows, span);
}

// for k = 0:count: the row of `to` at positions[k] is, or gets, that of `from` at k; or where
// nothing is scattered the other way round.
static void copy_rows(Checker *checker, const BuiltinCall *call, const Gather *gather, TirExpr *to,
                      TirExpr *from, bool scatters, bool adds) {
    Tir *tir = &checker->tir;
    Span span = builtin_argument(call, 1)->span;
    TirStmt *loop = tir_for(tir, checker->at.block, checker->at.function, 0, (int32_t)gather->count,
                            1, call->span);
    TirBlock *block = &loop->for_loop.body;
    TirExpr *turn = tir_read(tir, loop->for_loop.var, span);
    TirExpr *at = row_at(checker, gather->positions, turn, false, span);
    TirExpr *place = row_at(checker, to, scatters ? at : turn, scatters, span);
    TirExpr *value = row_at(checker, from, scatters ? turn : at, !scatters, span);
    if (adds) {
        value = tir_map(tir, OP_ADD, value->type, place, value, NULL, call->span);
    }
    tir_set(tir, block, place, value, call->span);
}

TirExpr *builtin_take(Checker *checker, const BuiltinCall *call) {
    Gather gather;
    if (!begin(checker, call, &gather)) {
        return checker->poison;
    }
    Root root = call->args[0]->type->root;
    const Type *all = rows_type(checker, &gather, gather.length, root);
    TirExpr *from =
        check_into_temporary(checker, tir_reshape(&checker->tir, all, call->args[0], call->span));
    TirExpr *to =
        rows_variable(checker, rows_type(checker, &gather, gather.count, root), call->span);
    copy_rows(checker, call, &gather, to, from, false, false);
    return tir_reshape(&checker->tir, gather.values, to, call->span);
}

// x with rows replaced, or added to.
static TirExpr *scatter(Checker *checker, const BuiltinCall *call, bool adds) {
    Gather gather;
    const Type *type = call->args[0]->type;
    if (!begin(checker, call, &gather)) {
        return checker->poison;
    }
    Root root = type->root;
    const Type *wanted = type_with_root(checker->tir.types, gather.values, root);
    const char *what = arena_format(checker->arena, "argument 3 of `%s`", call->name);
    TirExpr *value = check_assignable(checker, wanted, call->args[2], what, (Span){0, 0});
    if (type_is_poison(value->type)) {
        return value;
    }
    Tir *tir = &checker->tir;
    const Type *rows = rows_type(checker, &gather, gather.count, root);
    TirExpr *from = check_into_temporary(checker, tir_reshape(tir, rows, value, call->span));
    TirExpr *to =
        rows_variable(checker, rows_type(checker, &gather, gather.length, root), call->span);
    tir_set(tir, checker->at.block, to, tir_reshape(tir, to->type, call->args[0], call->span),
            call->span);
    copy_rows(checker, call, &gather, to, from, true, adds);
    return tir_reshape(tir, type, to, call->span);
}

TirExpr *builtin_put(Checker *checker, const BuiltinCall *call) {
    return scatter(checker, call, false);
}

TirExpr *builtin_add_at(Checker *checker, const BuiltinCall *call) {
    return type_is_numeric(call->args[0]->type)
               ? scatter(checker, call, true)
               : builtin_wrong_argument(checker, call, 0, "a tensor of numbers");
}
