// How functions of the library are applied (L18.2): one of vectors to each row of what has more
// dims or levels, one of elements to everything at once, as one long vector.
#include "sema/library/library.h"

#include "sema/expr.h"
#include "sema/operator.h"
#include "sema/value.h"
#include "support/bug.h"

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

// `type` with its rows, the last dim of the innermost level, replaced by what a row becomes: a
// scalar or a tensor. NULL when that is too large.
static const Type *with_rows(Checker *checker, const Type *type, const Type *row) {
    TypeTable *types = checker->tir.types;
    if (type_is_tensor(type->base)) {
        const Type *base = with_rows(checker, type->base, row);
        return base == NULL ? NULL : type_tensor(types, base, type->rank, type->dims);
    }
    uint32_t dims[2 * TYPE_RANK_LIMIT];
    uint32_t rank = 0;
    for (uint32_t d = 0; d + 1 < type->rank; d++) {
        dims[rank++] = type->dims[d];
    }
    for (uint32_t d = 0; d < row->rank; d++) {
        dims[rank++] = row->dims[d];
    }
    const Type *scalar = type_scalar(types, row->root);
    return rank == 0 ? scalar : type_tensor(types, scalar, rank, dims);
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

// One call for each row of arguments->values[0].
static bool call_rows(Checker *checker, FunctionDecl *decl, Span span, Arguments *arguments,
                      TirExpr **results) {
    Tir *tir = &checker->tir;
    const Type *type = arguments->values[0]->type;
    const Type *inner = innermost(type);
    const Type *scalar = type_scalar(tir->types, type->root);
    uint32_t length = inner->dims[inner->rank - 1];
    uint32_t count = type->numel / length;
    uint32_t flat_dims[2] = {count, length};
    const Type *flat = type_tensor(tir->types, scalar, 2, flat_dims);
    TirExpr *matrix =
        check_into_temporary(checker, tir_reshape(tir, flat, arguments->values[0], span));
    for (size_t k = 1; k < decl->ast->function.param_count; k++) {
        if (arguments->values[k] != NULL) {
            arguments->values[k] = check_into_temporary(checker, arguments->values[k]);
        }
    }
    TirBlock *block = checker->at.block;
    TirStmt *loop = tir_stmt(tir, block, STMT_FOR, span);
    const Type *integer = type_scalar(tir->types, ROOT_INT);
    loop->for_loop.var = tir_var_create(tir, checker->at.function, VAR_LOOP, NULL, integer, span);
    loop->for_loop.first = tir_const_int(tir, 0, span);
    loop->for_loop.last = tir_const_int(tir, (int32_t)count, span);
    loop->for_loop.step = tir_const_int(tir, 1, span);
    loop->for_loop.step_span = span;
    checker->at.block = &loop->for_loop.body;
    arguments->values[0] = row_of(checker, matrix, loop->for_loop.var, span);
    const TirStmt *call = check_call_with(checker, decl, span, arguments);
    bool good = call != NULL;
    for (size_t k = 0; good && k < call->call.results.count; k++) {
        TirVar *row = call->call.results.items[k];
        uint32_t dims[TYPE_RANK_LIMIT] = {count};
        for (uint32_t d = 0; d < row->type->rank; d++) {
            dims[d + 1] = row->type->dims[d];
        }
        const Type *all = type_tensor(tir->types, type_scalar(tir->types, row->type->root),
                                      row->type->rank + (size_t)1, dims);
        const Type *result = with_rows(checker, type, row->type);
        if (all == NULL || result == NULL) {
            check_error(checker, DIAG_E0902, span, "the result of `%s` is too large",
                        decl->name->text);
            good = false;
            break;
        }
        TirVar *rows = tir_var_create(tir, checker->at.function, VAR_TEMP, NULL, all, span);
        tir_set(tir, checker->at.block,
                row_of(checker, tir_read(tir, rows, span), loop->for_loop.var, span),
                tir_read(tir, row, span), span);
        results[k] = tir_reshape(tir, result, tir_read(tir, rows, span), span);
    }
    checker->at.block = block;
    return good;
}

// The shape that all arguments stretch to; NULL after an error.
static const Type *common_shape(Checker *checker, const AstExpr *ast, const Arguments *arguments,
                                size_t count) {
    TirExpr *all = arguments->values[0];
    CHECK(all != NULL); // no first parameter has a default
    for (size_t k = 1; k < count; k++) {
        TirExpr *next = arguments->values[k];
        if (next != NULL) {
            Operation operation = {ast->call.callee->name.name->text, ast->span, ast->span, all,
                                   next};
            const Type *type = check_operands(checker, &operation, false);
            if (type == NULL) {
                return NULL;
            }
            all = check_fit(checker, all, type);
        }
    }
    return all->type;
}

// The arguments with the roots that the parameters have; false after an error.
static bool take_roots(Checker *checker, const FunctionDecl *decl, size_t count,
                       Arguments *arguments) {
    bool good = true;
    for (size_t k = 0; k < count; k++) {
        const AstType *param = decl->ast->function.params[k].type;
        TirExpr *value = arguments->values[k];
        if (value != NULL) {
            const Type *scalar = check_type(checker, param->tensor.base);
            const Type *wanted = type_with_root(checker->tir.types, value->type, scalar->root);
            const char *what =
                arena_format(checker->arena, "argument %zu of `%s`", k + 1, decl->name->text);
            value = check_assignable(checker, wanted, value, what, (Span){0, 0});
            arguments->values[k] = value;
            good = good && !type_is_poison(value->type);
        }
    }
    return good;
}

// All elements of the first `count` arguments as one vector each, and the results in their shape.
static bool call_elements(Checker *checker, FunctionDecl *decl, const AstExpr *ast, size_t count,
                          Arguments *arguments, TirExpr **results) {
    Tir *tir = &checker->tir;
    const Type *shape = NULL;
    if (!take_roots(checker, decl, count, arguments) ||
        (shape = common_shape(checker, ast, arguments, count)) == NULL) {
        return false;
    }
    for (size_t k = 0; k < count; k++) {
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
        results[k] = tir_reshape(tir, type_with_root(tir->types, shape, result->type->root),
                                 tir_read(tir, result, ast->span), ast->span);
    }
    return call != NULL;
}

bool library_call(Checker *checker, const LibraryRow *row, FunctionDecl *decl, const AstExpr *ast,
                  TirExpr **results) {
    Arguments arguments;
    if (!arguments_check(checker, decl, ast, &arguments)) {
        return false;
    }
    size_t count = decl->ast->function.param_count;
    for (size_t k = 0; k < count; k++) {
        if (arguments.values[k] != NULL && type_is_poison(arguments.values[k]->type)) {
            return false;
        }
    }
    if (row->form == LIBRARY_ELEMENTS || row->form == LIBRARY_FIRST) {
        size_t stretched = row->form == LIBRARY_FIRST ? 1 : count;
        return call_elements(checker, decl, ast, stretched, &arguments, results);
    }
    CHECK(arguments.values[0] != NULL);
    const Type *first = arguments.values[0]->type;
    bool is_vector = first->depth == 1 && first->rank == 1;
    if (row->form == LIBRARY_ROWS && type_is_tensor(first) && !is_vector) {
        return call_rows(checker, decl, ast->span, &arguments, results);
    }
    const TirStmt *call = check_call_with(checker, decl, ast->span, &arguments);
    for (size_t k = 0; call != NULL && k < call->call.results.count; k++) {
        results[k] = tir_read(&checker->tir, call->call.results.items[k], ast->span);
    }
    return call != NULL;
}
