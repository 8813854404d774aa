#include "sema/argument_order.h"

#include "sema/function.h"
#include "sema/library/library.h"

#include <limits.h>
#include <string.h>

enum { ORDERED_MOST = 4 }; // arguments

static bool binds_quietly(uint32_t *size, uint32_t length) {
    *size = *size == UINT32_MAX ? length : *size;
    return *size == length;
}

// Whether an argument of that type may stand for the parameter.
// `sizes` are those of the function, or UINT32_MAX.
static bool fits_quietly(const FunctionDecl *decl, const AstType *ast, const Type *type,
                         uint32_t *sizes) {
    if (ast->kind != AST_TYPE_TENSOR) {
        return type_is_scalar(type);
    }
    if (decl->takes_scalars && type_is_scalar(type)) {
        return true;
    }
    if (!type_is_tensor(type) || type->rank != ast->tensor.dims.count) {
        return false;
    }
    for (size_t d = 0; d < type->rank; d++) {
        size_t k = function_size_index(decl, ast->tensor.dims.items[d]);
        if (k < decl->sizes.count && !binds_quietly(&sizes[k], type->dims[d])) {
            return false;
        }
    }
    return fits_quietly(decl, ast->tensor.base, type->base, sizes);
}

// The orders of the arguments, of which `best` is the one that fits and exchanges the fewest.
typedef struct Orders {
    Checker *checker;
    const FunctionDecl *decl;
    TirExpr *const *args;
    size_t count;
    size_t order[ORDERED_MOST], best[ORDERED_MOST];
    unsigned exchanged; // in the best one
    size_t element;     // the argument that a function of the library takes element by element
} Orders;

static bool order_fits(const Orders *orders) {
    const FunctionDecl *decl = orders->decl;
    uint32_t *sizes = ARENA_ARRAY(orders->checker->arena, uint32_t, decl->sizes.count);
    memset(sizes, 0xff, decl->sizes.count * sizeof(*sizes)); // not known
    for (size_t k = 0; k < orders->count; k++) {
        const TirExpr *arg = orders->args[orders->order[k]];
        bool takes_any = orders->element == k && type_is_scalar(arg->type);
        if (!takes_any &&
            !fits_quietly(decl, decl->ast->function.params[k].type, arg->type, sizes)) {
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

void argument_order_offer(Checker *checker, const FunctionDecl *decl, TirExpr *const *args,
                          Diag *diag) {
    size_t count = decl->ast->function.param_count;
    const LibraryRow *row = decl->unit->trusted ? library_named(decl->name->text) : NULL;
    Orders orders = {.checker = checker,
                     .decl = decl,
                     .args = args,
                     .count = count,
                     .exchanged = UINT_MAX,
                     .element = row == NULL                   ? SIZE_MAX
                                : row->form == LIBRARY_SECOND ? 1
                                                              : 0};
    const char *texts[ORDERED_MOST];
    if (count > ORDERED_MOST) {
        return;
    }
    for (size_t k = 0; k < count; k++) {
        if (args[k] == NULL) {
            return;
        }
        orders.order[k] = k;
        texts[k] = check_expr_text(checker, args[k]->span, NULL);
    }
    try_orders(&orders, 0, 0);
    if (orders.exchanged == UINT_MAX) {
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
            diag_edit(diag, args[k]->span, "%s", texts[orders.best[k]]);
        }
    }
}
