// How functions of the library are applied (L18.2): one of vectors to each row of what has more
// dims or levels, one of elements to everything at once, as one long vector.
#include "sema/library/library.h"

#include "sema/expr.h"
#include "sema/operator.h"
#include "sema/value.h"
#include "support/bug.h"
#include "tir/constant.h"
#include "tir/scalar.h"

#include <string.h>

static const Type *vector_type(Checker *checker, const Type *root, uint32_t length) {
    return type_tensor(checker->tir.types, root, 1, &length);
}

// The innermost level of a type.
static const Type *innermost(const Type *type) {
    while (type_is_tensor(type) && type_is_tensor(type->base)) {
        type = type->base;
    }
    return type;
}

// `type` with the last `gone` dims of the innermost level replaced by what they become: a scalar or
// a tensor. NULL when that is too large.
static const Type *with_inner(Checker *checker, const Type *type, uint32_t gone, const Type *row) {
    TypeTable *types = checker->tir.types;
    if (type_is_scalar(type)) {
        return row;
    }
    if (type_is_tensor(type->base)) {
        const Type *base = with_inner(checker, type->base, gone, row);
        return base == NULL ? NULL : type_tensor(types, base, type->rank, type->dims);
    }
    uint32_t dims[2 * TYPE_RANK_LIMIT];
    uint32_t rank = 0;
    for (uint32_t d = 0; d + gone < type->rank; d++) {
        dims[rank++] = type->dims[d];
    }
    for (uint32_t d = 0; d < row->rank; d++) {
        dims[rank++] = row->dims[d];
    }
    const Type *scalar = type_scalar(types, row->root);
    return rank == 0 ? scalar : type_tensor(types, scalar, rank, dims);
}

// What one element becomes where a vector of them becomes `type`.
static const Type *of_element(Checker *checker, const Type *type) {
    const Type *scalar = type_scalar(checker->tir.types, type->root);
    return type->rank == 1
               ? scalar
               : type_tensor(checker->tir.types, scalar, type->rank - (size_t)1, type->dims + 1);
}

static bool refuse_size(Checker *checker, const FunctionDecl *decl, Span span) {
    return check_refuse(checker, DIAG_E0902, span, "the result of `%s` is too large",
                        decl->name->text);
}

static TirExpr *row_of(Checker *checker, TirExpr *matrix, TirVar *k, Span span) {
    TirAxis axes[TYPE_RANK_LIMIT] = {
        {.axis = -1, .index = tir_read(&checker->tir, k, span), .unchecked = true, .span = span}};
    const Type *type = matrix->type;
    const Type *row = type_scalar(checker->tir.types, type->root);
    for (uint32_t d = 1; d < type->rank; d++) {
        axes[d] = (TirAxis){.axis = (int32_t)d - 1, .step = 1, .span = span};
    }
    if (type->rank > 1) {
        row = type_tensor(checker->tir.types, row, type->rank - 1, type->dims + 1);
    }
    return tir_view(&checker->tir, row, matrix, axes, span);
}

// One call for each part of arguments->values[0] along its first dim. The results, variables with
// all of them along theirs; false after an error.
static bool call_parts(Checker *checker, FunctionDecl *decl, Span span, Arguments *arguments,
                       TirVar **results) {
    Tir *tir = &checker->tir;
    TirExpr *parts = check_into_temporary(checker, arguments->values[0]);
    uint32_t count = parts->type->dims[0];
    for (size_t k = 1; k < decl->ast->function.param_count; k++) {
        if (arguments->values[k] != NULL) {
            arguments->values[k] = check_into_temporary(checker, arguments->values[k]);
        }
    }
    TirBlock *block = checker->at.block;
    TirStmt *loop = tir_for(tir, block, checker->at.function, 0, (int32_t)count, 1, span);
    checker->at.block = &loop->for_loop.body;
    arguments->values[0] = row_of(checker, parts, loop->for_loop.var, span);
    const TirStmt *call = check_call_with(checker, decl, span, arguments);
    bool good = call != NULL;
    for (size_t k = 0; good && k < call->call.results.count; k++) {
        TirVar *part = call->call.results.items[k];
        uint32_t dims[TYPE_RANK_LIMIT] = {count};
        for (uint32_t d = 0; d < part->type->rank; d++) {
            dims[d + 1] = part->type->dims[d];
        }
        const Type *all = type_tensor(tir->types, type_scalar(tir->types, part->type->root),
                                      part->type->rank + (size_t)1, dims);
        if (all == NULL) {
            good = refuse_size(checker, decl, span);
            break;
        }
        results[k] = tir_var_create(tir, checker->at.function, VAR_TEMP, NULL, all, span);
        tir_set(tir, checker->at.block,
                row_of(checker, tir_read(tir, results[k], span), loop->for_loop.var, span),
                tir_read(tir, part, span), span);
    }
    checker->at.block = block;
    return good;
}

// One call for each row of arguments->values[0].
static bool call_rows(Checker *checker, FunctionDecl *decl, Span span, Arguments *arguments,
                      TirExpr **results) {
    Tir *tir = &checker->tir;
    const Type *type = arguments->values[0]->type;
    const Type *inner = innermost(type);
    uint32_t length = inner->dims[inner->rank - 1];
    uint32_t dims[2] = {type->numel / length, length};
    const Type *matrix = type_tensor(tir->types, type_scalar(tir->types, type->root), 2, dims);
    arguments->values[0] = tir_reshape(tir, matrix, arguments->values[0], span);
    size_t count = decl->ast->function.result_count;
    TirVar **rows = ARENA_ARRAY(checker->arena, TirVar *, count);
    if (!call_parts(checker, decl, span, arguments, rows)) {
        return false;
    }
    for (size_t k = 0; k < count; k++) {
        const Type *result = with_inner(checker, type, 1, of_element(checker, rows[k]->type));
        if (result == NULL) {
            return refuse_size(checker, decl, span);
        }
        results[k] = tir_reshape(tir, result, tir_read(tir, rows[k], span), span);
    }
    return true;
}

// The shape that the arguments from `from` to `end` stretch to; NULL after an error.
static const Type *common_shape(Checker *checker, const AstExpr *ast, const Arguments *arguments,
                                size_t from, size_t end) {
    TirExpr *all = arguments->values[from];
    CHECK(all != NULL); // the first of them has no default
    for (size_t k = from + 1; k < end; k++) {
        TirExpr *next = arguments->values[k];
        if (next != NULL) {
            Operation operation = {.text = ast->call.callee->name.name->text,
                                   .span = ast->span,
                                   .op_span = ast->span,
                                   .left = all,
                                   .right = next};
            const Type *type = check_operands(checker, &operation, false);
            if (type == NULL) {
                return NULL;
            }
            all = check_fit(checker, all, type);
        }
    }
    return all->type;
}

// These arguments with the roots that the parameters have; false after an error. What becomes an
// integer of a real may be an integer before: nothing is cut off for that (-Winteger-quotient).
static bool take_roots(Checker *checker, const FunctionDecl *decl, size_t from, size_t end,
                       Arguments *arguments) {
    bool good = true;
    const AstType *result = decl->ast->function.results[0];
    result = result->kind == AST_TYPE_TENSOR ? result->tensor.base : result;
    bool becomes_integer = root_is_integer(check_type(checker, result)->root);
    for (size_t k = from; k < end; k++) {
        const AstType *param = decl->ast->function.params[k].type;
        TirExpr *value = arguments->values[k];
        if (value != NULL) {
            const Type *scalar = check_type(checker, param->tensor.base);
            const Type *wanted = type_with_root(checker->tir.types, value->type, scalar->root);
            if (becomes_integer && scalar->root == ROOT_REAL && type_is_numeric(value->type)) {
                value =
                    check_built(checker, tir_convert(&checker->tir, ROOT_REAL, value, value->span));
            }
            const char *what =
                arena_format(checker->arena, "argument %zu of `%s`", k + 1, decl->name->text);
            value = check_assignable(checker, wanted, value, what, (Span){0, 0});
            arguments->values[k] = value;
            good = good && !type_is_poison(value->type);
        }
    }
    return good;
}

// All elements of the arguments from `from` to `end` as one vector each, and the results in their
// shape.
static bool call_elements(Checker *checker, FunctionDecl *decl, const AstExpr *ast, size_t from,
                          size_t end, Arguments *arguments, TirExpr **results) {
    Tir *tir = &checker->tir;
    const Type *shape = NULL;
    if (!take_roots(checker, decl, from, end, arguments) ||
        (shape = common_shape(checker, ast, arguments, from, end)) == NULL) {
        return false;
    }
    bool is_scalar = decl->takes_scalars && type_is_scalar(shape);
    for (size_t k = from; k < end && !is_scalar; k++) {
        TirExpr *value = arguments->values[k];
        if (value != NULL) {
            const Type *type = type_with_root(tir->types, shape, value->type->root);
            const Type *flat =
                vector_type(checker, type_scalar(tir->types, value->type->root), shape->numel);
            arguments->values[k] =
                tir_reshape(tir, flat, check_spread(checker, value, type), ast->span);
        }
    }
    const TirStmt *call = check_call_with(checker, decl, ast->span, arguments);
    for (size_t k = 0; call != NULL && k < call->call.results.count; k++) {
        TirVar *result = call->call.results.items[k];
        if (is_scalar) {
            results[k] = tir_read(tir, result, ast->span);
            continue;
        }
        const Type *type = type_with_root(tir->types, shape, result->type->root);
        type = with_inner(checker, type, 0, of_element(checker, result->type));
        if (type == NULL) {
            return refuse_size(checker, decl, ast->span);
        }
        results[k] = tir_reshape(tir, type, tir_read(tir, result, ast->span), ast->span);
    }
    return call != NULL;
}

// The arguments as reals of one depth; false after an error.
static bool take_pairs(Checker *checker, const AstExpr *ast, size_t count, Arguments *arguments) {
    CHECK(count > 0 && arguments->values[0] != NULL);
    const Type *deepest = arguments->values[0]->type;
    for (size_t k = 0; k < count; k++) {
        TirExpr *value = arguments->values[k];
        CHECK(value != NULL); // none of these has a default
        if (!shape_has_pairs(value->type) || !type_is_numeric(value->type)) {
            Diag *diag = check_error(checker, DIAG_E0508, value->span,
                                     "`%s` takes complex numbers, pairs in the innermost level, "
                                     "not %s",
                                     ast->call.callee->name.name->text,
                                     check_type_text(checker, value->type));
            diag_note(diag, "`nest(x, 1)` makes pairs of rows");
            return false;
        }
        arguments->values[k] = check_convert(checker, ROOT_REAL, value);
        deepest = shape_deeper(deepest, value->type);
    }
    for (size_t k = 0; k < count; k++) {
        TirExpr *value = arguments->values[k];
        const Type *type = shape_with_levels(checker->tir.types, value->type, deepest);
        arguments->values[k] = tir_reshape(&checker->tir, type, value, value->span);
    }
    return true;
}

// All pairs of the arguments as the rows of one matrix each, and the result in their shape.
static bool call_pairs(Checker *checker, FunctionDecl *decl, const AstExpr *ast, size_t count,
                       Arguments *arguments, TirExpr **results) {
    Tir *tir = &checker->tir;
    const Type *shape = NULL;
    if (!take_pairs(checker, ast, count, arguments) ||
        (shape = common_shape(checker, ast, arguments, 0, count)) == NULL) {
        return false;
    }
    uint32_t dims[2] = {shape->numel / 2, 2};
    const Type *flat = type_tensor(tir->types, type_scalar(tir->types, ROOT_REAL), 2, dims);
    for (size_t k = 0; k < count; k++) {
        TirExpr *value = check_spread(checker, arguments->values[k], shape);
        arguments->values[k] = tir_reshape(tir, flat, value, ast->span);
    }
    const TirStmt *call = check_call_with(checker, decl, ast->span, arguments);
    if (call == NULL) {
        return false;
    }
    TirExpr *result = tir_read(tir, call->call.results.items[0], ast->span);
    uint32_t axis, gone;
    const Type *type =
        result->type == flat ? shape : shape_reduce(tir->types, shape, false, &axis, &gone);
    results[0] = tir_reshape(tir, type, result, ast->span);
    return true;
}

// What is given as a constant length becomes the positions below it. False after an error.
static bool take_length(Checker *checker, const LibraryRow *row, const FunctionDecl *decl,
                        Arguments *arguments) {
    size_t k = 0;
    while (k < decl->ast->function.param_count &&
           strcmp(decl->ast->function.params[k].name.name->text, row->length) != 0) {
        k++;
    }
    if (k == decl->ast->function.param_count || type_is_poison(arguments->values[k]->type)) {
        return true;
    }
    const TirExpr *given = arguments->values[k];
    const TirScalar *known = constant_values(&checker->tir, given);
    if (known == NULL || !type_is_scalar(given->type) || !root_is_integer(given->type->root)) {
        return check_refuse(checker, DIAG_E0507, given->span,
                            "argument `%s` of `%s` must be a constant `int`", row->length,
                            row->name);
    }
    double length = scalar_as_real(*known, given->type->root) + row->more;
    if (length < 1 || length > (double)TYPE_SCALARS_LIMIT) {
        return check_refuse(checker, DIAG_E0508, given->span,
                            "argument `%s` of `%s` must be at least %u", row->length, row->name,
                            1 - row->more);
    }
    const Type *integer = type_scalar(checker->tir.types, ROOT_INT);
    arguments->values[k] =
        tir_iota(&checker->tir, vector_type(checker, integer, (uint32_t)length), given->span);
    return true;
}

// The constant behind the arguments of a function that may be applied along any dim. False after an
// error.
static bool take_dim(Checker *checker, const FunctionDecl *decl, const AstExpr *arg,
                     const TirExpr *value, size_t *dim) {
    if (arg->kind == AST_NAMED_ARG) {
        Diag *diag =
            check_error(checker, DIAG_E0711, arg->named.name.span, "`%s` has no parameter `%s`",
                        decl->name->text, arg->named.name.name->text);
        diag_note(diag, "the dimension stands behind the others, without a name");
        return false;
    }
    const TirExpr *given = check_value(checker, arg);
    if (type_is_poison(given->type)) {
        return false;
    }
    const TirScalar *known = constant_values(&checker->tir, given);
    if (known == NULL || !type_is_scalar(given->type) || !root_is_integer(given->type->root)) {
        return check_refuse(checker, DIAG_E0507, arg->span,
                            "the dimension that `%s` goes along is a constant", decl->name->text);
    }
    double at = scalar_as_real(*known, given->type->root);
    if (!shape_has_dim(value->type, (int64_t)at)) {
        return check_refuse(checker, DIAG_E0507, arg->span, "%s has no dimension %.0f",
                            check_type_text(checker, value->type), at);
    }
    *dim = (size_t)at;
    return true;
}

static bool call_applied(Checker *checker, const LibraryRow *row, FunctionDecl *decl,
                         const AstExpr *ast, Arguments *arguments, TirExpr **results);

static bool has_poison(const Arguments *arguments, size_t count) {
    for (size_t k = 0; k < count; k++) {
        if (arguments->values[k] != NULL && type_is_poison(arguments->values[k]->type)) {
            return true;
        }
    }
    return false;
}

// Along a dim that is said, to each part of what has more dims before it: `decl`, the other
// function of the row, goes along the first of two.
static bool call_along(Checker *checker, const LibraryRow *row, FunctionDecl *decl,
                       const AstExpr *ast, TirExpr **results) {
    Tir *tir = &checker->tir;
    size_t count = decl->ast->function.param_count;
    AstExpr *call = ast_new_expr(checker->arena, AST_CALL, ast->span);
    call->call = ast->call;
    call->call.args.count--;
    Arguments arguments;
    size_t dim;
    if (!arguments_check(checker, decl, call, &arguments) ||
        !take_dim(checker, decl, ast->call.args.items[count], arguments.values[0], &dim) ||
        has_poison(&arguments, count)) {
        return false;
    }
    const Type *type = arguments.values[0]->type;
    if (type_is_tensor(type->base)) {
        return check_refuse(checker, DIAG_E0508, ast->span,
                            "`%s` goes along the dimensions of a tensor of one level",
                            decl->name->text);
    }
    if (dim + 1 == type->rank) {
        decl = library_function(checker, row->name);
        return call_applied(checker, row, decl, ast, &arguments, results);
    }
    uint32_t dims[] = {1, 1, 1};
    for (size_t d = 0; d < type->rank; d++) {
        dims[d < dim ? 0 : d == dim ? 1 : 2] *= type->dims[d];
    }
    size_t skipped = dim == 0;
    const Type *scalar = type_scalar(tir->types, type->root);
    const Type *flat = type_tensor(tir->types, scalar, 3 - skipped, dims + skipped);
    arguments.values[0] = tir_reshape(tir, flat, arguments.values[0], ast->span);
    TirVar *result = NULL;
    if (dim > 0) {
        if (!call_parts(checker, decl, ast->span, &arguments, &result)) {
            return false;
        }
    } else {
        const TirStmt *made = check_call_with(checker, decl, ast->span, &arguments);
        if (made == NULL) {
            return false;
        }
        result = made->call.results.items[0];
    }
    CHECK(result != NULL);
    results[0] = tir_reshape(tir, type, tir_read(tir, result, ast->span), ast->span);
    return true;
}

size_t library_any_end(const LibraryRow *row, size_t count) {
    switch (row->form) {
    case LIBRARY_ELEMENTS:
    case LIBRARY_VECTOR: return count;
    case LIBRARY_FIRST: return 1;
    case LIBRARY_SECOND:
    case LIBRARY_FIRST_TWO: return 2;
    case LIBRARY_WHOLE:
    case LIBRARY_ROWS:
    case LIBRARY_DIMS:
    case LIBRARY_PAIRS: return 0;
    }
    UNREACHABLE();
}

// Whether the arguments that are taken as they are have as many dims as the parameters.
static bool has_ranks(const LibraryRow *row, const FunctionDecl *decl, const Arguments *arguments) {
    size_t count = decl->ast->function.param_count;
    bool takes_rows = row->form == LIBRARY_ROWS || row->form == LIBRARY_DIMS;
    size_t k = takes_rows ? 1 : library_any_end(row, count);
    for (; k < count; k++) {
        const AstType *type = decl->ast->function.params[k].type;
        size_t rank = type->kind == AST_TYPE_TENSOR ? type->tensor.dims.count : 0;
        const TirExpr *value = arguments->values[k];
        if (value != NULL && (value->type->rank != rank || value->type->depth > 1)) {
            return false;
        }
    }
    return true;
}

// The function of the row that the ranks of the arguments ask for.
static FunctionDecl *by_ranks(Checker *checker, const LibraryRow *row, FunctionDecl *decl,
                              const Arguments *arguments) {
    if (row->other[0] == '\0' || has_ranks(row, decl, arguments)) {
        return decl;
    }
    FunctionDecl *other = library_other(checker, row);
    bool is_other = other->ast->function.param_count == decl->ast->function.param_count &&
                    has_ranks(row, other, arguments);
    return is_other ? other : decl;
}

// With constants that are what the function needs.
static bool call_checked(Checker *checker, const LibraryRow *row, FunctionDecl *decl,
                         const AstExpr *ast, Arguments *arguments, TirExpr **results) {
    return library_needs(checker, row, decl, arguments) &&
           call_applied(checker, row, decl, ast, arguments, results);
}

// The form with `!`: what `sum!` would combine becomes rows.
static bool call_bang(Checker *checker, const LibraryRow *row, FunctionDecl *decl,
                      const AstExpr *ast, Arguments *arguments, TirExpr **results) {
    static const int32_t axes[] = {0, 2, 1};
    Tir *tir = &checker->tir;
    TirExpr *value = arguments->values[0];
    const Type *type = value->type;
    uint32_t axis, gone;
    const Type *left = shape_reduce(tir->types, type, true, &axis, &gone);
    uint32_t dims[] = {1, 1, 1}; // those above the level, its own, those below
    for (uint32_t d = 0; d < type->flat_rank; d++) {
        dims[d < axis ? 0 : d < axis + gone ? 1 : 2] *= type->dims[d];
    }
    uint32_t turned[] = {dims[0], dims[2], dims[1]};
    const Type *scalar = type_scalar(tir->types, type->root);
    value = tir_reshape(tir, type_tensor(tir->types, scalar, 3, dims), value, ast->span);
    arguments->values[0] =
        check_along(checker, value, type_tensor(tir->types, scalar, 3, turned), axes, ast->span);
    if (!call_checked(checker, row, decl, ast, arguments, results)) {
        return false;
    }
    left = type_with_root(tir->types, left, results[0]->type->root);
    results[0] = tir_reshape(tir, left, results[0], ast->span);
    return true;
}

bool library_call(Checker *checker, const LibraryRow *row, FunctionDecl *decl, const AstExpr *ast,
                  TirExpr **results) {
    Arguments arguments;
    if (row->form == LIBRARY_DIMS &&
        ast->call.args.count == decl->ast->function.param_count + (size_t)1) {
        return call_along(checker, row, decl, ast, results);
    }
    if (!arguments_check(checker, decl, ast, &arguments)) {
        return false;
    }
    decl = by_ranks(checker, row, decl, &arguments);
    return (ast->call.bang ? call_bang : call_checked)(checker, row, decl, ast, &arguments,
                                                       results);
}

static bool call_applied(Checker *checker, const LibraryRow *row, FunctionDecl *decl,
                         const AstExpr *ast, Arguments *arguments, TirExpr **results) {
    if (row->length[0] != '\0' && !take_length(checker, row, decl, arguments)) {
        return false;
    }
    size_t count = decl->ast->function.param_count;
    if (has_poison(arguments, count)) {
        return false;
    }
    if (library_any_end(row, count) > 0) {
        return call_elements(checker, decl, ast, row->form == LIBRARY_SECOND,
                             library_any_end(row, count), arguments, results);
    }
    if (row->form == LIBRARY_PAIRS) {
        return call_pairs(checker, decl, ast, count, arguments, results);
    }
    CHECK(arguments->values[0] != NULL);
    const Type *first = arguments->values[0]->type;
    bool is_vector = first->depth == 1 && first->rank == 1;
    bool takes_rows = row->form == LIBRARY_ROWS || row->form == LIBRARY_DIMS;
    if (takes_rows && type_is_tensor(first) && !is_vector) {
        return call_rows(checker, decl, ast->span, arguments, results);
    }
    const TirStmt *call = check_call_with(checker, decl, ast->span, arguments);
    for (size_t k = 0; call != NULL && k < call->call.results.count; k++) {
        results[k] = tir_read(&checker->tir, call->call.results.items[k], ast->span);
    }
    return call != NULL;
}
