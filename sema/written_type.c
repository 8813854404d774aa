// Types as the source writes them (L2).
#include "sema/component/infer.h"
#include "sema/constant.h"
#include "sema/expr.h"

#include "support/bug.h"
#include "tir/constant.h"

static Root scalar_root(AstScalar scalar) {
    switch (scalar) {
    case AST_SCALAR_BOOL: return ROOT_BOOL;
    case AST_SCALAR_UINT: return ROOT_UINT;
    case AST_SCALAR_INT: return ROOT_INT;
    case AST_SCALAR_REAL: return ROOT_REAL;
    case AST_SCALAR_STR: return ROOT_STR;
    case AST_SCALAR_CHAR: return ROOT_CHAR;
    }
    UNREACHABLE();
}

// Of a variable that was to be a length other uses as one stay silent.
static void explain_variable_length(Checker *checker, const AstExpr *ast) {
    Symbol *symbol = ast->kind == AST_NAME ? scope_find(checker->at.scope, ast->name.name) : NULL;
    bool is_variable = symbol != NULL && symbol->kind == SYMBOL_VAR;
    if (is_variable && symbol->is_no_length) {
        return;
    }
    Diag *diag =
        check_error(checker, DIAG_E0414, ast->span, "a length must be a constant `int` or `uint`");
    diag_here(diag, "not known when the program is compiled");
    check_note_not_constant(checker, diag, ast);
    if (!is_variable) {
        return;
    }
    symbol->is_no_length = !check_in_test(checker); // where it may be expected
    const char *name = symbol->name->text;
    if (symbol->is_param) {
        diag_note(diag, "a size that calls give is that of an array: `fn f(tensor<real, n> x)`");
    } else {
        diag_note(diag,
                  "a constant is declared at file level like `int n.%s = 4`, and read as `n.%s`",
                  name, name);
    }
}

// A dim or size: a constant int or uint >= 1. False after an error.
static bool check_length(Checker *checker, const AstExpr *ast, uint32_t *length) {
    TirExpr *expr = check_constant(checker, ast);
    infer_wants_scalar(checker, ast, ROOT_INT, true);
    if (type_is_poison(expr->type)) {
        return false;
    }
    int64_t value;
    bool is_known = constant_integer(&checker->tir, expr, &value);
    if (!is_known && expr->is_constant) {
        Diag *diag = check_error(checker, DIAG_E0414, ast->span,
                                 "a length must be a constant `int` or `uint`");
        diag_here(diag, "this is %s", check_type_text(checker, expr->type));
        return false;
    }
    if (!is_known) {
        explain_variable_length(checker, ast);
        return false;
    }
    if (value < 1) {
        return check_refuse(checker, DIAG_E0410, ast->span,
                            "a length must be at least 1, this is %lld", (long long)value);
    }
    if (value > TYPE_SCALARS_LIMIT) {
        return check_refuse(checker, DIAG_E0902, ast->span,
                            "a length may be at most %d, this is %lld", TYPE_SCALARS_LIMIT,
                            (long long)value);
    }
    *length = (uint32_t)value;
    return true;
}

const Type *check_tensor_type(Checker *checker, const Type *base, size_t rank, const uint32_t *dims,
                              Span span) {
    const Type *type = type_tensor(checker->tir.types, base, rank, dims);
    if (type != NULL) {
        return type;
    }
    if (rank > TYPE_RANK_LIMIT) {
        check_error(checker, DIAG_E0902, span, "a tensor has at most %d dimensions, this has %zu",
                    TYPE_RANK_LIMIT, rank);
    } else if (base->depth >= TYPE_DEPTH_LIMIT) {
        check_error(checker, DIAG_E0902, span, "tensors nest at most %d levels deep",
                    TYPE_DEPTH_LIMIT);
    } else {
        check_error(checker, DIAG_E0902, span, "a tensor holds at most %d scalars",
                    TYPE_SCALARS_LIMIT);
    }
    return checker->poison->type;
}

// In a function of the library that was called with scalars.
static bool is_of_scalars(const Instance *instance) {
    return instance != NULL && instance->decl->takes_scalars && instance->sizes[0] == 0;
}

static const Type *lower_written_tensor(Checker *checker, const AstType *ast) {
    const Type *base = check_type(checker, ast->tensor.base);
    if (is_of_scalars(checker->at.instance)) {
        return base;
    }
    if (ast->tensor.dims.count > TYPE_RANK_LIMIT) {
        check_error(checker, DIAG_E0902, ast->span,
                    "a tensor has at most %d dimensions, this has %u", TYPE_RANK_LIMIT,
                    ast->tensor.dims.count);
        return checker->poison->type;
    }
    uint32_t dims[TYPE_RANK_LIMIT];
    bool ok = !type_is_poison(base);
    for (size_t d = 0; d < ast->tensor.dims.count; d++) {
        ok = check_length(checker, ast->tensor.dims.items[d], &dims[d]) && ok;
    }
    if (ok && !type_has_value(base)) {
        check_error(checker, DIAG_E0407, ast->tensor.base->span, "a tensor cannot hold `%s` values",
                    check_type_text(checker, base));
        ok = false;
    }
    return ok ? check_tensor_type(checker, base, ast->tensor.dims.count, dims, ast->span)
              : checker->poison->type;
}

// L2.5: `x.type`, and `x[].type` for the base.
static const Type *lower_derived(Checker *checker, const AstExpr *ast) {
    if (ast->kind != AST_INDEX || ast->index.indices.count != 0) {
        return check_unevaluated(checker, ast)->type;
    }
    const Type *type = lower_derived(checker, ast->index.object);
    if (type_is_poison(type)) {
        return type;
    }
    if (!type_is_tensor(type)) {
        check_error(checker, DIAG_E0606, ast->span, "%s has no base type",
                    check_type_text(checker, type));
        return checker->poison->type;
    }
    return type->base;
}

const Type *check_type(Checker *checker, const AstType *ast) {
    switch (ast->kind) {
    case AST_TYPE_SCALAR: {
        const Instance *instance = checker->at.instance;
        bool is_root =
            ast->scalar == AST_SCALAR_CHAR && instance != NULL && instance->decl->has_root;
        Root root = is_root ? instance->root : scalar_root(ast->scalar);
        return type_scalar(checker->tir.types, root);
    }
    case AST_TYPE_TENSOR: return lower_written_tensor(checker, ast);
    case AST_TYPE_OF: return lower_derived(checker, ast->of);
    case AST_TYPE_ERROR: return checker->poison->type;
    }
    UNREACHABLE();
}
