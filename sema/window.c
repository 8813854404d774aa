// See window.h. No view moves along a dim from where an index says, so a window is copied by a loop
// over its elements, or rows, into a temporary, and back where it is assigned. Both ends are
// checked before the loop, which needs no more checks then: where the bounds are known to be inside
// (pass_bounds), or checks are off, nothing of that is left.
#include "sema/window.h"

#include "sema/constant.h"
#include "sema/expr.h"
#include "sema/value.h"
#include "support/bug.h"
#include "tir/constant.h"

#include <string.h>

// Terms of the one bound count as +1, those of the other as -1, so that equal ones cancel.
typedef struct Term {
    const AstExpr *ast;
    const char *text; // without spaces
    int sign;
} Term;

typedef LIST_OF(Term) Terms;

static const char *term_text(Checker *checker, const AstExpr *ast) {
    Slice source = sources_text(checker->context->sources, ast->span);
    char *text = arena_copy_text(checker->arena, source.data, source.len);
    size_t len = 0;
    for (size_t k = 0; k < source.len; k++) {
        if (strchr(" \t\r\n", source.data[k]) == NULL) {
            text[len++] = source.data[k];
        }
    }
    text[len] = '\0';
    return text;
}

// Adds a term, or takes it away with one that is its opposite. False when both were there.
static bool add_term(Checker *checker, Terms *terms, const AstExpr *ast, int sign) {
    const char *text = term_text(checker, ast);
    for (size_t k = 0; k < terms->count; k++) {
        if (terms->items[k].sign == -sign && strcmp(terms->items[k].text, text) == 0) {
            terms->items[k] = terms->items[--terms->count];
            return false;
        }
    }
    LIST_PUSH(checker->arena, terms, ((Term){ast, text, sign}));
    return true;
}

// The number of terms that cancelled.
static size_t add_sum(Checker *checker, Terms *terms, const AstExpr *ast, int sign) {
    size_t cancelled = 0;
    while (ast->kind == AST_BINARY &&
           (ast->binary.op == AST_BINARY_ADD || ast->binary.op == AST_BINARY_SUB)) {
        int right = ast->binary.op == AST_BINARY_ADD ? sign : -sign;
        cancelled += add_sum(checker, terms, ast->binary.right, right);
        ast = ast->binary.left;
    }
    if (ast->kind == AST_UNARY && ast->unary.op == AST_UNARY_MINUS) {
        return cancelled + add_sum(checker, terms, ast->unary.operand, -sign);
    }
    return cancelled + !add_term(checker, terms, ast, sign);
}

// A term that is left over: constant, or the bounds do not go together.
static bool add_constant(Checker *checker, const Term *term, int64_t *sum) {
    size_t errors = checker->context->diags->error_count;
    CheckMode mode = checker->at.mode;
    checker->at.mode.unevaluated = true;
    TirExpr *value = check_constant(checker, term->ast);
    checker->at.mode = mode;
    int64_t number;
    if (checker->context->diags->error_count > errors ||
        !constant_integer(&checker->tir, value, &number)) {
        return false;
    }
    *sum += term->sign * number;
    return true;
}

bool window_find(Checker *checker, const AstExpr *range, Window *window) {
    const AstExpr *first = range->range.first;
    const AstExpr *last = range->range.last;
    const AstExpr *step = range->range.step;
    bool is_by_one = step == NULL || (step->kind == AST_INTEGER && step->integer.value == 1);
    if (first == NULL || last == NULL || !is_by_one || last->kind == AST_INTEGER) {
        return false;
    }
    Terms terms = {0};
    add_sum(checker, &terms, last, 1);
    if (add_sum(checker, &terms, first, -1) == 0) {
        return false;
    }
    window->start = first;
    window->length = 0;
    for (size_t k = 0; k < terms.count; k++) {
        if (!add_constant(checker, &terms.items[k], &window->length)) {
            return false;
        }
    }
    return true;
}

// A copy between an operand and the temporary of its windows.
typedef struct WindowCopy {
    Checker *checker;
    TirExpr *operand;
    const Type *type;
    const TirAxis *axes;
    const WindowDim *dims;
    size_t count;
    bool is_target;
    TirVar *temp;
    const Type *row;                  // what one turn of the loops copies
    TirExpr *starts[TYPE_RANK_LIMIT]; // as ints
} WindowCopy;

struct WindowStore {
    WindowCopy copy;
    struct WindowStore *outer; // of the windows before it in the target
};

static const WindowDim *window_of(const WindowCopy *copy, size_t dim) {
    for (size_t k = 0; k < copy->count; k++) {
        if (copy->dims[k].dim == dim) {
            return &copy->dims[k];
        }
    }
    return NULL;
}

static bool is_window_axis(const WindowCopy *copy, int32_t axis) {
    for (size_t k = 0; k < copy->count; k++) {
        if (copy->axes[copy->dims[k].dim].axis == axis) {
            return true;
        }
    }
    return false;
}

// The axis of a row for one of the type: those of windows are none.
static int32_t row_axis(const WindowCopy *copy, int32_t axis) {
    int32_t result = 0;
    for (int32_t k = 0; k < axis; k++) {
        result += !is_window_axis(copy, k);
    }
    return result;
}

// Traps E1001 unless the position is inside a dim. It reads an array of which nothing is stored.
static void check_end(const WindowCopy *copy, const WindowDim *dim, TirExpr *position) {
    Checker *checker = copy->checker;
    Tir *tir = &checker->tir;
    uint32_t length = copy->operand->type->dims[dim->dim];
    const Type *scalar = type_scalar(tir->types, ROOT_BOOL);
    const Type *vector = type_tensor(tir->types, scalar, 1, &length);
    TirExpr *array = tir_view(tir, vector, tir_const_bool(tir, false, dim->span), NULL, dim->span);
    TirAxis axis = {.axis = -1, .index = position, .span = dim->span};
    TirVar *unused = tir_var_create(tir, checker->at.function, VAR_TEMP, NULL, scalar, dim->span);
    tir_set_var(tir, checker->at.block, unused, tir_view(tir, scalar, array, &axis, dim->span),
                dim->span);
}

// Computes the start of a window once, and checks both of its ends.
static TirExpr *prepare_start(const WindowCopy *copy, const WindowDim *dim) {
    Checker *checker = copy->checker;
    TirExpr *start = check_into_temporary(checker, dim->start);
    TirExpr *number = tir_convert(&checker->tir, ROOT_INT, start, dim->span);
    if (!checker->at.unit->trusted) {
        check_end(copy, dim, start);
        if (dim->length > 1) {
            check_end(copy, dim,
                      tir_map(&checker->tir, OP_ADD, number->type, number,
                              tir_const_int(&checker->tir, (int32_t)dim->length - 1, dim->span),
                              NULL, dim->span));
        }
    }
    return number;
}

// The row of the operand for the turns of the loops, and that of the temporary.
static TirExpr *operand_row(const WindowCopy *copy, TirVar *const *turns) {
    Tir *tir = &copy->checker->tir;
    const Type *from = copy->operand->type;
    TirAxis *axes = ARENA_ARRAY(tir->arena, TirAxis, from->flat_rank);
    for (size_t d = 0; d < from->flat_rank; d++) {
        const WindowDim *dim = window_of(copy, d);
        axes[d] = copy->axes[d];
        if (dim != NULL) {
            size_t k = (size_t)(dim - copy->dims);
            TirExpr *turn = tir_read(tir, turns[k], dim->span);
            axes[d] = (TirAxis){
                .axis = -1,
                .index = tir_map(tir, OP_ADD, turn->type, copy->starts[k], turn, NULL, dim->span),
                .unchecked = true,
                .span = dim->span};
        } else if (axes[d].axis >= 0) {
            axes[d].axis = row_axis(copy, axes[d].axis);
        }
    }
    return tir_view(tir, copy->row, copy->operand, axes, copy->operand->span);
}

static TirExpr *temp_row(const WindowCopy *copy, TirVar *const *turns) {
    Tir *tir = &copy->checker->tir;
    Span span = copy->operand->span;
    TirAxis *axes = ARENA_ARRAY(tir->arena, TirAxis, copy->type->flat_rank);
    for (int32_t d = 0; d < copy->type->flat_rank; d++) {
        axes[d] = (TirAxis){.axis = row_axis(copy, d), .step = 1};
    }
    for (size_t k = 0; k < copy->count; k++) {
        axes[copy->axes[copy->dims[k].dim].axis] = (TirAxis){
            .axis = -1, .index = tir_read(tir, turns[k], span), .unchecked = true, .span = span};
    }
    return tir_view(tir, copy->row, tir_read(tir, copy->temp, span), axes, span);
}

// The loops over all windows, with a copy of a row in the innermost.
static void emit_copy(const WindowCopy *copy, bool into_temp, bool is_update) {
    Checker *checker = copy->checker;
    Tir *tir = &checker->tir;
    TirVar *turns[TYPE_RANK_LIMIT];
    TirBlock *block = checker->at.block;
    for (size_t k = 0; k < copy->count; k++) {
        TirStmt *loop = tir_for(tir, block, checker->at.function, 0, (int32_t)copy->dims[k].length,
                                1, copy->dims[k].span);
        turns[k] = loop->for_loop.var;
        block = &loop->for_loop.body;
    }
    TirExpr *outside = operand_row(copy, turns);
    TirExpr *inside = temp_row(copy, turns);
    TirStmt *set = into_temp ? tir_set(tir, block, inside, outside, outside->span)
                             : tir_set(tir, block, outside, inside, outside->span);
    set->set.is_update = is_update;
    set->set.is_kept = into_temp && copy->is_target;
}

// The type of a row: the dims of `type` but those of windows, on one level.
static const Type *row_type(const WindowCopy *copy) {
    uint32_t dims[TYPE_FLAT_LIMIT];
    size_t rank = 0;
    for (int32_t d = 0; d < copy->type->flat_rank; d++) {
        if (!is_window_axis(copy, d)) {
            dims[rank++] = copy->type->dims[d];
        }
    }
    TypeTable *types = copy->checker->tir.types;
    const Type *scalar = type_scalar(types, copy->type->root);
    return rank == 0 ? scalar : type_tensor(types, scalar, rank, dims);
}

TirExpr *window_apply(Checker *checker, TirExpr *operand, const Type *type, const TirAxis *axes,
                      const WindowDim *dims, size_t count, bool is_target, bool is_read) {
    bool is_stored = is_target || operand->kind == EXPR_VAR || operand->kind == EXPR_CONST;
    struct WindowStore *store = ARENA_NEW(checker->arena, struct WindowStore);
    WindowCopy *copy = &store->copy;
    *copy = (WindowCopy){.checker = checker, .type = type, .axes = axes, .dims = dims};
    copy->count = count;
    copy->is_target = is_target;
    copy->operand = is_stored ? operand : check_into_temporary(checker, operand);
    copy->row = row_type(copy);
    if (copy->row == NULL) {
        check_error(checker, DIAG_E0902, operand->span, "a window has too many dimensions");
        return NULL;
    }
    for (size_t k = 0; k < count; k++) {
        copy->starts[k] = prepare_start(copy, &dims[k]);
    }
    Span declared = is_target ? tir_place_var(operand)->span : operand->span;
    copy->temp =
        tir_var_create(&checker->tir, checker->at.function, VAR_TEMP, NULL, type, declared);
    if (is_read) {
        emit_copy(copy, true, false);
    }
    if (is_target) {
        store->outer = checker->at.stores;
        checker->at.stores = store;
    }
    return tir_read(&checker->tir, copy->temp, operand->span);
}

void window_store(Checker *checker, bool is_update) {
    for (; checker->at.stores != NULL; checker->at.stores = checker->at.stores->outer) {
        emit_copy(&checker->at.stores->copy, false, is_update);
    }
}
