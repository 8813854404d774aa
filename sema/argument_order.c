#include "sema/argument_order.h"

#include "sema/function.h"
#include "sema/library/library.h"
#include "sema/offer.h"

#include <limits.h>
#include <string.h>

enum { ORDERED_MOST = 4 }; // arguments

static bool binds_quietly(uint32_t *size, uint32_t length) {
    *size = *size == UINT32_MAX ? length : *size;
    return *size == length;
}

static bool root_fits(const FunctionDecl *decl, const AstType *ast, const Type *type) {
    // Not all functions that take any numbers take bools.
    bool is_any = decl->has_root && ast->scalar == AST_SCALAR_CHAR && type->root != ROOT_BOOL;
    return type_is_scalar(type) && type->root <= ROOT_REAL &&
           (is_any ||
            (ast->scalar <= AST_SCALAR_REAL && (unsigned)type->root <= (unsigned)ast->scalar));
}

// Whether an argument of that type may stand for the parameter; of dims that are no sizes nothing
// is known here. `sizes` are those of the function, or UINT32_MAX.
static bool fits_quietly(const FunctionDecl *decl, const AstType *ast, const Type *type,
                         uint32_t *sizes) {
    if (ast->kind != AST_TYPE_TENSOR) {
        return ast->kind == AST_TYPE_SCALAR && root_fits(decl, ast, type);
    }
    if (decl->takes_scalars && type_is_scalar(type)) {
        return true;
    }
    if (!type_is_tensor(type) || type->rank != ast->tensor.dims.count) {
        return false;
    }
    for (size_t d = 0; d < type->rank; d++) {
        size_t k = function_size_index(decl, ast->tensor.dims.items[d]);
        if (k == decl->sizes.count || !binds_quietly(&sizes[k], type->dims[d])) {
            return false;
        }
    }
    return fits_quietly(decl, ast->tensor.base, type->base, sizes);
}

// The orders of the arguments, of which `best` is the one that fits and exchanges the fewest.
typedef struct Orders {
    Checker *checker;
    const FunctionDecl *decl;
    const Type *types[ORDERED_MOST]; // of the arguments
    size_t count;
    size_t order[ORDERED_MOST], best[ORDERED_MOST];
    unsigned exchanged;       // in the best one
    size_t any_from, any_end; // those that a function of the library takes in any shape
} Orders;

static bool order_fits(const Orders *orders) {
    const FunctionDecl *decl = orders->decl;
    uint32_t *sizes = ARENA_ARRAY(orders->checker->arena, uint32_t, decl->sizes.count);
    memset(sizes, 0xff, decl->sizes.count * sizeof(*sizes)); // not known
    for (size_t k = 0; k < orders->count; k++) {
        const Type *type = orders->types[orders->order[k]];
        bool takes_any = orders->any_from <= k && k < orders->any_end && type->root <= ROOT_REAL;
        if (!takes_any && !fits_quietly(decl, decl->ast->function.params[k].type, type, sizes)) {
            return false;
        }
    }
    return true;
}

// Those of the arguments from `at` on.
static void try_orders(Orders *orders, size_t at, unsigned exchanged) {
    if (at == orders->count) {
        if (exchanged > 0 && exchanged < orders->exchanged && order_fits(orders)) {
            memcpy(orders->best, orders->order, sizeof(orders->best));
            orders->exchanged = exchanged;
        }
        return;
    }
    size_t order[ORDERED_MOST];
    memcpy(order, orders->order, sizeof(order));
    for (size_t k = at; k < orders->count; k++) { // the others stay in their order
        memcpy(orders->order, order, sizeof(order));
        memmove(orders->order + at + 1, order + at, (k - at) * sizeof(*order));
        orders->order[at] = order[k];
        try_orders(orders, at + 1, exchanged + (unsigned)(k - at));
    }
    memcpy(orders->order, order, sizeof(order));
}

// What was written for an argument, which has the span of the call where it was given the shape
// that the function takes; NULL: that is not known.
static const TirExpr *as_written(const TirExpr *arg, Span call) {
    while (arg->span.start == call.start && arg->span.end == call.end &&
           (arg->kind == EXPR_RESHAPE || arg->kind == EXPR_VIEW)) {
        arg = arg->kind == EXPR_VIEW ? arg->view.operand : arg->operand;
    }
    bool is_known = arg->span.start != call.start || arg->span.end != call.end;
    return is_known ? check_written(arg) : NULL;
}

// `[x]` for the scalar at `at`, where the parameter is a vector of any length.
static void offer_vector(Orders *orders, size_t at, Span span, Diag *diag) {
    TypeTable *types = orders->checker->tir.types;
    const uint32_t one = 1;
    const char *text = check_expr_text(orders->checker, span, NULL);
    if (text == NULL || !type_is_scalar(orders->types[at])) {
        return;
    }
    orders->types[at] = type_tensor(types, orders->types[at], 1, &one);
    for (size_t k = 0; k < orders->count; k++) {
        orders->order[k] = k;
    }
    if (order_fits(orders)) {
        diag_help(diag, "`[%s]` is a vector of one element", text);
    }
}

void argument_order_offer(Checker *checker, const FunctionDecl *decl, TirExpr *const *args,
                          size_t at, Span call, Diag *diag) {
    size_t count = decl->ast->function.param_count;
    const LibraryRow *row = decl->unit->trusted ? library_named(decl->name->text) : NULL;
    Orders orders = {.checker = checker,
                     .decl = decl,
                     .count = count,
                     .exchanged = UINT_MAX,
                     .any_from = row != NULL && row->form == LIBRARY_SECOND,
                     .any_end = row == NULL ? 0 : library_any_end(row, count)};
    const char *texts[ORDERED_MOST];
    Span spans[ORDERED_MOST];
    if (count > ORDERED_MOST) {
        return;
    }
    for (size_t k = 0; k < count; k++) {
        const TirExpr *arg = args[k] == NULL ? NULL : as_written(args[k], call);
        if (arg == NULL) {
            return;
        }
        orders.order[k] = k;
        orders.types[k] = arg->type;
        spans[k] = arg->span;
        texts[k] = check_expr_text(checker, arg->span, NULL);
    }
    try_orders(&orders, 0, 0);
    if (orders.exchanged == UINT_MAX) {
        offer_vector(&orders, at, spans[at], diag);
        return;
    }
    const char *all = "";
    for (size_t k = 0; k < count; k++) {
        const char *text = texts[orders.best[k]];
        if (text == NULL) {
            return;
        }
        all = arena_format(checker->arena, "%s%s%s", all, k == 0 ? "" : ", ", text);
    }
    diag_help(diag, "in the order of the parameters: `%s(%s)`", decl->name->text, all);
    for (size_t k = 0; k < count; k++) {
        if (orders.best[k] != k) {
            diag_edit(diag, spans[k], "%s", texts[orders.best[k]]);
        }
    }
}
