#include "sema/sizes.h"

#include "sema/argument_order.h"
#include "sema/explain.h"
#include "sema/expr.h"
#include "sema/function.h"

// What a size was found to be, and by which argument.
typedef struct SizeBinding {
    bool known;
    uint32_t value;
    size_t arg;
} SizeBinding;

typedef struct SizeMatch {
    Checker *checker;
    const FunctionDecl *decl;
    SizeBinding *bindings;
    Root root; // the greatest that stands where decl->has_root
    TirExpr **args;
    Span span; // of the call
} SizeMatch;

static bool bind_size(SizeMatch *match, const AstExpr *dim, uint32_t length, size_t arg) {
    size_t k = function_size_index(match->decl, dim);
    if (k == match->decl->sizes.count) {
        return true;
    }
    SizeBinding *binding = &match->bindings[k];
    if (!binding->known) {
        *binding = (SizeBinding){.known = true, .value = length, .arg = arg};
    }
    if (binding->value == length) {
        return true;
    }
    const char *name = dim->name.name->text;
    bool is_same = binding->arg == arg;
    Diag *diag = check_error(match->checker, DIAG_E0506, match->args[arg]->span,
                             is_same ? "size `%s` of `%s` is %u and %u in the same argument"
                                     : "size `%s` of `%s` is %u in one argument and %u in another",
                             name, match->decl->name->text, binding->value, length);
    const char *type = check_type_text(match->checker, match->args[arg]->type);
    if (is_same) {
        diag_here(diag, "%s", type);
    } else {
        diag_here(diag, "here `%s` is %u: %s", name, length, type);
        diag_label(diag, match->args[binding->arg]->span, "here `%s` is %u: %s", name,
                   binding->value,
                   check_type_text(match->checker, match->args[binding->arg]->type));
    }
    return false;
}

static bool has_size(const FunctionDecl *decl, const AstType *type) {
    if (type->kind != AST_TYPE_TENSOR) {
        return false;
    }
    for (size_t d = 0; d < type->tensor.dims.count; d++) {
        if (function_size_index(decl, type->tensor.dims.items[d]) < decl->sizes.count) {
            return true;
        }
    }
    return has_size(decl, type->tensor.base);
}

static bool match_type(SizeMatch *match, const AstType *ast, const Type *type, size_t arg) {
    bool is_root =
        match->decl->has_root && ast->kind == AST_TYPE_SCALAR && ast->scalar == AST_SCALAR_CHAR;
    if (is_root && type->root > match->root) {
        match->root = type->root;
    }
    if (!has_size(match->decl, ast)) {
        return true;
    }
    if (match->decl->takes_scalars && type_is_scalar(type)) {
        return bind_size(match, ast->tensor.dims.items[0], 0, arg);
    }
    if (!type_is_tensor(type) || type->rank != ast->tensor.dims.count) {
        Diag *diag = check_error(match->checker, DIAG_E0506, match->args[arg]->span,
                                 "argument %zu of `%s` needs a tensor of %u %s here, not %s",
                                 arg + 1, match->decl->name->text, ast->tensor.dims.count,
                                 ast->tensor.dims.count == 1 ? "dimension" : "dimensions",
                                 check_type_text(match->checker, match->args[arg]->type));
        diag_note_at(diag, ast->span, "the parameter is this");
        if (ast->tensor.dims.count == 2 && type == match->args[arg]->type &&
            explain_nested(match->checker, diag, match->args[arg])) {
            return false;
        }
        argument_order_offer(match->checker, match->decl, match->args, arg, match->span, diag);
        return false;
    }
    for (size_t d = 0; d < type->rank; d++) {
        const AstExpr *dim = ast->tensor.dims.items[d];
        if (!bind_size(match, dim, type->dims[d], arg)) {
            return false;
        }
    }
    return match_type(match, ast->tensor.base, type->base, arg);
}

// A size of which no argument that is given has a dim.
static bool report_unknown_size(Checker *checker, const FunctionDecl *decl, const AstName *size,
                                Span span) {
    Diag *diag = check_error(checker, DIAG_E0711, span,
                             "size `%s` of `%s` is that of an argument that is not given",
                             size->name->text, decl->name->text);
    diag_note_at(diag, size->span, "defaults do not say what `%s` is", size->name->text);
    return false;
}

bool sizes_infer(Checker *checker, const FunctionDecl *decl, TirExpr **args, Span span,
                 uint32_t *sizes, size_t *from, Root *root) {
    SizeMatch match = {.checker = checker, .decl = decl, .args = args, .span = span};
    match.bindings = ARENA_ARRAY(checker->arena, SizeBinding, decl->sizes.count);
    for (size_t k = 0; k < decl->ast->function.param_count; k++) {
        if (args[k] != NULL &&
            !match_type(&match, decl->ast->function.params[k].type, args[k]->type, k)) {
            return false;
        }
    }
    for (size_t k = 0; k < decl->sizes.count; k++) {
        if (!match.bindings[k].known) {
            return report_unknown_size(checker, decl, &decl->sizes.items[k], span);
        }
        sizes[k] = match.bindings[k].value;
        from[k] = match.bindings[k].arg;
    }
    *root = match.root;
    return true;
}
