// Random numbers of a seed and a step in a shape (L18.7), of which the library has those of a
// vector.
#include "sema/builtin/builtin.h"
#include "sema/expr.h"
#include "sema/library/library.h"
#include "sema/value.h"
#include "tir/constant.h"

// The lengths from argument `first` on as dims. False after an error.
static bool shape_of(Checker *checker, const BuiltinCall *call, size_t first, uint32_t *dims,
                     size_t *rank) {
    if (call->count - first > TYPE_RANK_LIMIT) {
        return check_refuse(checker, DIAG_E0902, call->span, "a tensor has at most %d dimensions",
                            TYPE_RANK_LIMIT);
    }
    *rank = 0;
    for (size_t k = first; k < call->count; k++) {
        int64_t length;
        if (!builtin_integer(checker, call, k, &length) ||
            !builtin_lengths(checker, builtin_argument(call, k)->span, &length, 1,
                             &dims[(*rank)++])) {
            return false;
        }
    }
    return true;
}

// E0508 where the ends of `randint` are constants that leave nothing between them. The range from
// an end to itself is that end.
static bool ends_ascend(Checker *checker, const BuiltinCall *call) {
    int64_t from, to;
    if (!constant_integer(&checker->tir, call->args[2], &from) ||
        !constant_integer(&checker->tir, call->args[3], &to) || from <= to) {
        return true;
    }
    return check_refuse(checker, DIAG_E0508, call->args[3]->span,
                        "`%s` has ints from %lld on, and %lld is below that", call->name,
                        (long long)from, (long long)to);
}

// uniform(seed, step, d...), normal, and randint(seed, step, lo, hi, d...). The row's operation is
// how many arguments stand before the dims.
TirExpr *builtin_random(Checker *checker, const BuiltinCall *call) {
    size_t first = (size_t)call->op;
    TypeTable *types = checker->tir.types;
    TirExpr **args = ARENA_ARRAY(checker->arena, TirExpr *, 5);
    for (size_t k = 0, to = 0; k < first; k++) {
        TirExpr *value = k < 2 ? check_adapt(checker, call->args[k]) : call->args[k];
        Root root = k < 2 ? ROOT_UINT : ROOT_INT;
        if (!type_is_scalar(value->type) || value->type->root != root) {
            return builtin_wrong_argument(checker, call, k, k < 2 ? "a `uint`" : "an `int`");
        }
        to += k == 2; // behind the positions
        args[to++] = value;
    }
    uint32_t dims[TYPE_RANK_LIMIT];
    size_t rank;
    if ((first == 4 && !ends_ascend(checker, call)) ||
        !shape_of(checker, call, first, dims, &rank)) {
        return checker->poison;
    }
    const Type *root = type_scalar(types, first == 4 ? ROOT_INT : ROOT_REAL);
    const Type *type = rank == 0 ? root : type_tensor(types, root, rank, dims);
    if (type == NULL) {
        return builtin_too_large(checker, call);
    }
    const Type *flat = type_tensor(types, type_scalar(types, ROOT_INT), 1, &type->numel);
    args[2] = tir_iota(&checker->tir, flat, call->span);
    const char *name = arena_format(checker->arena, "_%s", call->name);
    TirExpr *numbers =
        check_call_function(checker, library_function(checker, name), call->span, args);
    return type_is_poison(numbers->type) ? numbers
                                         : tir_reshape(&checker->tir, type, numbers, call->span);
}
