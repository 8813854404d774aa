// Indexing (L7): brackets on values and on places, and attributes. The rules for lengths and bounds
// are the shape algebra's; this file decides which bracket means what and builds the views.
#include "sema/expr.h"

#include "sema/component/component.h"
#include "sema/component/infer.h"
#include "sema/constant.h"
#include "sema/explain.h"
#include "sema/notes/record.h"
#include "sema/stmt.h"
#include "sema/value.h"
#include "sema/warn/warn.h"
#include "sema/window.h"
#include "support/bug.h"
#include "tir/constant.h"

#include <string.h>

// One index of a bracket as checked.
typedef struct Index {
    const AstExpr *ast;
    ShapeIndex shape;
    TirExpr *value;      // of a scalar index that is not constant, or the start of a window
    TirBlock statements; // that compute it; emitted if the index decides anything (L7.6)
} Index;

typedef struct Bracket {
    const AstExpr *ast;
    Index *indices; // without the `...`
    size_t count;
    bool has_ellipsis;
    size_t ellipsis; // how many indices stand before it
} Bracket;

// A chain of brackets being applied to `value` from left to right.
typedef struct Chain {
    Checker *checker;
    TirExpr *value;
    Bracket *brackets;
    size_t count;
    bool as_target;
    bool takes_windows;   // a target with window_store behind it
    bool is_read;         // of such a target: its value is read too
    bool counts_elements; // one index on several dims
} Chain;

// From `[` to `]`, without what stands before.
static Span bracket_span(const Bracket *bracket) {
    return (Span){bracket->ast->index.object->span.end, bracket->ast->span.end};
}

static bool is_integer(const TirExpr *expr) {
    return type_is_scalar(expr->type) &&
           (expr->type->root == ROOT_INT || expr->type->root == ROOT_UINT);
}

static bool is_integer_bound(Checker *checker, const AstExpr *ast, const TirExpr *value) {
    if (type_is_poison(value->type) || is_integer(value)) {
        return !type_is_poison(value->type);
    }
    return check_refuse(checker, DIAG_E0601, ast->span,
                        "a bound of a range must be an `int`, not %s",
                        check_type_text(checker, value->type));
}

// *varies says whether E0605 was reported of the range, which is said once.
static bool range_bound(Checker *checker, const AstExpr *range, const AstExpr *ast, bool *has,
                        int64_t *value, bool *varies) {
    *has = ast != NULL;
    if (ast == NULL) {
        return true;
    }
    TirExpr *expr = check_constant(checker, ast);
    infer_wants_scalar(checker, ast, ROOT_INT, true);
    if (type_is_poison(expr->type)) {
        return false;
    }
    if (constant_integer(&checker->tir, expr, value)) {
        return true;
    }
    if (is_integer_bound(checker, ast, expr) && !*varies) {
        *varies = true;
        explain_varying_bound(checker, ast, range);
    }
    return false;
}

// The start of a window, apart from what is emitted; constant if it can be.
static TirExpr *window_start(Checker *checker, Index *index, const Window *window) {
    CheckPlace outside = checker->at;
    checker->at.block = &index->statements;
    memset(&checker->at.held, 0, sizeof checker->at.held);
    TirExpr *start = check_constant(checker, window->start);
    checker->at = outside;
    return start;
}

// A window is a range from 0, for what its length means, and its start.
static bool lower_window(Checker *checker, Index *index, const Window *window) {
    const AstExpr *last = index->ast->range.last;
    index->shape.has_first = index->shape.has_last = true;
    index->shape.last = window->length;
    TirExpr *end = check_has_value(checker, check_unevaluated(checker, last));
    return is_integer_bound(checker, window->start, index->value) &&
           is_integer_bound(checker, last, end);
}

static bool lower_range_index(Checker *checker, Index *index) {
    const AstExpr *ast = index->ast;
    ShapeIndex *shape = &index->shape;
    shape->is_range = true;
    warn_expr(checker, ast);
    Window window;
    if (window_find(checker, ast, &window)) {
        index->value = window_start(checker, index, &window);
        if (!index->value->is_constant || type_is_poison(index->value->type)) {
            return lower_window(checker, index, &window);
        }
        index->value = NULL;
    }
    bool varies = false;
    bool ok =
        range_bound(checker, ast, ast->range.first, &shape->has_first, &shape->start, &varies);
    ok = range_bound(checker, ast, ast->range.last, &shape->has_last, &shape->last, &varies) && ok;
    ok = range_bound(checker, ast, ast->range.step, &shape->has_step, &shape->step, &varies) && ok;
    if (ok && shape->has_step && shape->step == 0) {
        check_report_no_step(checker, DIAG_E0605, ast);
        return false;
    }
    return ok;
}

static bool lower_scalar_index(Checker *checker, Index *index) {
    if (check_foreign_index(checker, index->ast)) {
        return false;
    }
    TirExpr *value = check_has_value(checker, check_apart(checker, index->ast, &index->statements));
    infer_wants_scalar(checker, index->ast, ROOT_INT, false);
    if (type_is_poison(value->type)) {
        return false;
    }
    if (!is_integer(value)) {
        explain_no_index(checker, index->ast, value->type);
        return false;
    }
    index->value = value;
    index->shape.is_constant = constant_integer(&checker->tir, value, &index->shape.start);
    return true;
}

static bool lower_bracket(Checker *checker, Bracket *bracket) {
    const AstExprs *asts = &bracket->ast->index.indices;
    bracket->indices = ARENA_ARRAY(checker->arena, Index, asts->count);
    bool ok = true;
    CHECK(asts->count > 0); // the parser keeps empty brackets to what stands before `.type`
    for (size_t k = 0; k < asts->count; k++) {
        const AstExpr *ast = asts->items[k];
        if (ast->kind == AST_ELLIPSIS) {
            if (bracket->has_ellipsis) {
                return check_refuse(checker, DIAG_E0601, ast->span,
                                    "a second `...` in one bracket");
            }
            bracket->has_ellipsis = true;
            bracket->ellipsis = bracket->count;
            continue;
        }
        Index *index = &bracket->indices[bracket->count++];
        index->ast = ast;
        ok = (ast->kind == AST_RANGE ? lower_range_index(checker, index)
                                     : lower_scalar_index(checker, index)) &&
             ok;
    }
    return ok;
}

// What the indices are called in messages.
static IndexTexts index_texts(const Chain *chain, const Bracket *bracket, const Index *indices,
                              size_t count) {
    const char **texts = ARENA_ARRAY(chain->checker->arena, const char *, count);
    for (size_t d = 0; d < count; d++) {
        bool written = indices[d].ast != bracket->ast;
        texts[d] =
            written ? check_expr_text(chain->checker, indices[d].ast->span, INDEX_TOO_LONG) : ":";
    }
    return (IndexTexts){chain->value, texts, count, chain->counts_elements};
}

static void report_index(const Chain *chain, const Bracket *bracket, const Index *indices,
                         size_t count, const ShapeFit *fit) {
    Checker *checker = chain->checker;
    const Index *index = &indices[fit->dim];
    Span span = index->ast->span;
    if (explain_negative_end(checker, fit, chain->value, index->ast, &index->shape)) {
        return;
    }
    if (fit->why == SHAPE_EMPTY) {
        explain_empty_range(checker, span, &index->shape, fit->left, index->value != NULL);
    } else if (fit->why == SHAPE_TOO_LARGE) {
        check_error(checker, DIAG_E0902, bracket->ast->span, "what this selects is too large");
    } else {
        CHECK(fit->why == SHAPE_BOUNDS);
        IndexTexts texts = index_texts(chain, bracket, indices, count);
        explain_bounds(checker, fit, span, &texts);
    }
}

// The axes that read `type` through `indices` on its own dims, the dims of its base as they are.
static TirAxis *index_axes(Chain *chain, const Type *type, const Index *indices, size_t count) {
    Checker *checker = chain->checker;
    TirAxis *axes = ARENA_ARRAY(checker->arena, TirAxis, type->flat_rank);
    int32_t kept = 0;
    for (size_t d = 0; d < type->flat_rank; d++) {
        TirAxis *axis = &axes[d];
        axis->axis = -1;
        if (d >= count) {
            *axis = (TirAxis){.axis = kept++, .step = 1};
        } else if (indices[d].shape.is_range) {
            const ShapeIndex *range = &indices[d].shape;
            // A repeated or single element does not move; a place must move to be injective.
            bool moves = range->step != 0 || range->len == 1;
            *axis = (TirAxis){.axis = moves ? kept : -1,
                              .start = range->start,
                              .step = moves && range->step == 0 ? 1 : range->step};
            kept++;
        } else if (indices[d].shape.is_constant) {
            axis->start = indices[d].shape.start;
        } else {
            axis->index = indices[d].value;
            axis->unchecked = checker->at.unit->trusted;
            check_emit_apart(checker, &indices[d].statements);
        }
        axis->span = d < count && indices[d].ast != NULL ? indices[d].ast->span : (Span){0, 0};
    }
    return axes;
}

// As the shape algebra has accepted it: along a dim of length 1 it does not move, and decides
// nothing (L7.6).
static bool is_window(const Index *index) {
    return index->shape.is_range && index->value != NULL && index->shape.step != 0;
}

static bool has_windows(const Index *indices, size_t count) {
    for (size_t d = 0; d < count; d++) {
        if (is_window(&indices[d])) {
            return true;
        }
    }
    return false;
}

static bool apply_windows(Chain *chain, const Type *selected, const TirAxis *axes,
                          const Index *indices, size_t count, bool is_last) {
    Checker *checker = chain->checker;
    WindowDim *dims = ARENA_ARRAY(checker->arena, WindowDim, count);
    size_t windows = 0;
    for (size_t d = 0; d < count; d++) {
        if (is_window(&indices[d])) {
            check_emit_apart(checker, &indices[d].statements);
            dims[windows++] = (WindowDim){.dim = d,
                                          .length = indices[d].shape.len,
                                          .start = indices[d].value,
                                          .span = indices[d].ast->span};
        }
    }
    bool is_read = !chain->as_target || chain->is_read || !is_last;
    if (chain->as_target && !chain->takes_windows) {
        Diag *diag =
            check_error(checker, DIAG_E0605, dims[0].span,
                        "a range whose bounds vary stands in a value or before a `=` only");
        diag_help(diag, "copy it into a variable, and back behind the call");
        return false;
    }
    if (chain->as_target && is_read && tir_var_is_global(tir_place_var(chain->value))) {
        checker->at.function->reads_globals = true;
    }
    chain->value = window_apply(checker, chain->value, selected, axes, dims, windows,
                                chain->as_target, is_read);
    return chain->value != NULL;
}

static void note_indices(const Chain *chain, const Bracket *bracket, const Index *indices,
                         size_t count, const ShapeFit *fit) {
    if (notes_are_on(chain->checker)) {
        notes_index(chain->checker, &(IndexNote){
                                        .ast = bracket->ast,
                                        .object = chain->value->type,
                                        .texts = index_texts(chain, bracket, indices, count).items,
                                        .count = count,
                                        .fit = *fit,
                                    });
    }
}

// Applies exactly rank indices to the value's own dims.
static bool apply_indices(Chain *chain, const Bracket *bracket, Index *indices, size_t count) {
    Checker *checker = chain->checker;
    const Type *type = chain->value->type;
    ShapeIndex shapes[TYPE_RANK_LIMIT];
    for (size_t d = 0; d < count; d++) {
        shapes[d] = indices[d].shape;
    }
    ShapeFit fit = shape_index(checker->tir.types, type, shapes, count, chain->as_target);
    note_indices(chain, bracket, indices, count, &fit);
    if (fit.why != SHAPE_OK) {
        report_index(chain, bracket, indices, count, &fit);
        return false;
    }
    for (size_t d = 0; d < count; d++) {
        const ShapeIndex *asked = &indices[d].shape;
        if (asked->is_constant && asked->start != shapes[d].start) {
            check_warning(checker, WARNING_IAB_CONSTANT, indices[d].ast->span,
                          "index %lld on a dimension of length 1 reaches its only element",
                          (long long)asked->start);
        }
        indices[d].shape = shapes[d];
    }
    TirAxis *axes = index_axes(chain, type, indices, count);
    if (has_windows(indices, count)) {
        bool is_last = bracket + 1 == chain->brackets + chain->count;
        return apply_windows(chain, fit.type, axes, indices, count, is_last);
    }
    TirExpr *view = tir_view(&checker->tir, fit.type, chain->value, axes, bracket->ast->span);
    if (view == chain->value) { // an index that changes nothing is in the source all the same
        view = tir_copy_node(&checker->tir, view);
        view->span = bracket->ast->span;
    }
    chain->value = view;
    return true;
}

// `a[i, ...]`: the missing indices are `:`.
static bool apply_ellipsis(Chain *chain, const Bracket *bracket) {
    const Type *type = chain->value->type;
    Index indices[TYPE_RANK_LIMIT];
    size_t missing = type->rank - bracket->count;
    for (size_t d = 0; d < type->rank; d++) {
        if (d < bracket->ellipsis) {
            indices[d] = bracket->indices[d];
        } else if (d < bracket->ellipsis + missing) {
            indices[d] = (Index){.ast = bracket->ast, .shape = {.is_range = true}};
        } else {
            indices[d] = bracket->indices[d - missing];
        }
    }
    return apply_indices(chain, bracket, indices, type->rank);
}

// Reports the indices of `run` brackets from `bracket` on. Always false.
static bool report_count(const Chain *chain, const Bracket *bracket, size_t run) {
    const Bracket *last = bracket + run - 1;
    Index *indices = bracket->indices;
    size_t count = bracket->count;
    if (run > 1) {
        indices = ARENA_ARRAY(chain->checker->arena, Index, run);
        for (count = 0; count < run; count++) {
            indices[count] = bracket[count].indices[0];
        }
    }
    IndexTexts texts = index_texts(chain, bracket, indices, count);
    bool two = run == 1 && bracket + 2 == chain->brackets + chain->count && bracket->count == 1 &&
               last[1].count == 1 && !bracket->has_ellipsis && !last[1].has_ellipsis;
    Span both = two ? span_join(bracket_span(bracket), bracket_span(last + 1)) : (Span){0, 0};
    if (two && explain_split_indices(chain->checker, both, chain->value, bracket->indices[0].ast,
                                     last[1].indices[0].ast)) {
        return false;
    }
    size_t after = (size_t)(chain->brackets + chain->count - (last + 1));
    bool can_complete = after == 0 || (after == 1 && last[1].count == 1 && !last[1].has_ellipsis);
    explain_count(chain->checker, span_join(bracket_span(bracket), bracket_span(last)), &texts,
                  can_complete);
    return false;
}

// How many brackets from `first` on hold one number each.
static size_t single_run(const Chain *chain, size_t first) {
    size_t run = 0;
    while (first + run < chain->count && chain->brackets[first + run].count == 1 &&
           !chain->brackets[first + run].has_ellipsis &&
           !chain->brackets[first + run].indices[0].shape.is_range) {
        run++;
    }
    return run;
}

// L7.3: one index on a tensor of several dims. Sets *used if it took more than one bracket.
static bool apply_single(Chain *chain, size_t first, size_t *used) {
    Checker *checker = chain->checker;
    const Type *type = chain->value->type;
    const Bracket *bracket = &chain->brackets[first];
    size_t run = single_run(chain, first);
    if (run >= type->rank) {
        Index indices[TYPE_RANK_LIMIT];
        for (size_t d = 0; d < type->rank; d++) {
            indices[d] = chain->brackets[first + d].indices[0];
        }
        *used = type->rank;
        return apply_indices(chain, &chain->brackets[first + type->rank - 1], indices, type->rank);
    }
    if (run > 1 || first + 1 != chain->count) {
        return report_count(chain, bracket, run == 0 ? 1 : run);
    }
    warn_single_index(checker, chain->value, bracket->ast, &bracket->indices[0].shape,
                      bracket->indices[0].value);
    const Type *elements = shape_elements(checker->tir.types, type);
    chain->counts_elements = true;
    chain->value = tir_reshape(&checker->tir, elements, chain->value, bracket->ast->span);
    return apply_indices(chain, bracket, bracket->indices, 1);
}

// L7.6: a scalar takes any number of further scalar indices and ignores them.
static bool apply_to_scalar(Chain *chain, const Bracket *bracket) {
    bool is_slice = bracket->has_ellipsis, varies = false;
    for (size_t k = 0; k < bracket->count; k++) {
        is_slice = is_slice || bracket->indices[k].shape.is_range;
        varies = varies || !bracket->indices[k].shape.is_constant;
    }
    if (chain->as_target && varies && !is_slice) {
        warn_scalar_target(chain->checker, chain->value, bracket->ast);
    }
    if (is_slice) {
        check_error(chain->checker, DIAG_E0602, bracket_span(bracket), "%s cannot be sliced",
                    check_type_text(chain->checker, chain->value->type));
    }
    return !is_slice;
}

// L7.6: a string indexes to a character.
static bool apply_to_string(Chain *chain, const Bracket *bracket) {
    Checker *checker = chain->checker;
    const ShapeIndex *index = &bracket->indices[0].shape;
    Slice text = check_text_value(checker, chain->value);
    bool is_single = text.len == 1; // any index reaches its character, as along a dim of length 1
    if (bracket->count != 1 || index->is_range || bracket->has_ellipsis ||
        (!index->is_constant && !is_single)) {
        Diag *diag = check_error(checker, DIAG_E0601, bracket->ast->span,
                                 "a string takes one constant index");
        if (bracket->count == 1 && !index->is_range && !bracket->has_ellipsis) {
            diag_note(diag, "the variable of a `for` with constant bounds may stand in it");
        }
        return false;
    }
    if (is_single) {
        chain->value = check_character(checker, text.data[0], bracket->ast->span);
        return true;
    }
    if (index->start < 0 || (uint64_t)index->start >= text.len) {
        return check_refuse(checker, DIAG_E0603, bracket->indices[0].ast->span,
                            "index %lld is outside a string of length %zu", (long long)index->start,
                            text.len);
    }
    chain->value = check_character(checker, text.data[index->start], bracket->ast->span);
    return true;
}

static bool apply_brackets(Chain *chain) {
    for (size_t k = 0; k < chain->count;) {
        const Bracket *bracket = &chain->brackets[k];
        const Type *type = chain->value->type;
        size_t used = 1;
        bool ok;
        if (type->root == ROOT_STR) {
            ok = apply_to_string(chain, bracket);
        } else if (type_is_scalar(type)) {
            ok = apply_to_scalar(chain, bracket);
        } else if (bracket->has_ellipsis && bracket->count <= type->rank) {
            ok = apply_ellipsis(chain, bracket);
        } else if (bracket->count == type->rank && !bracket->has_ellipsis) {
            ok = apply_indices(chain, bracket, bracket->indices, bracket->count);
        } else if (bracket->count == 1 && !bracket->has_ellipsis) {
            ok = apply_single(chain, k, &used);
        } else {
            ok = report_count(chain, bracket, 1);
        }
        if (!ok) {
            return false;
        }
        k += used;
        if (k < chain->count || chain->as_target) { // all of a value is noted by who asked for it
            notes_value(chain->checker, chain->brackets[k - 1].ast, chain->value->type);
        }
    }
    return true;
}

static size_t count_brackets(const AstExpr *ast, const AstExpr **object) {
    size_t count = 0;
    for (; ast->kind == AST_INDEX && !(count > 0 && ast->parenthesized); ast = ast->index.object) {
        count++;
    }
    *object = ast;
    return count;
}

// Checks all brackets around `object`, whose value is known, and applies them. NULL after an error.
static TirExpr *apply_chain(Checker *checker, const AstExpr *ast, size_t count, TirExpr *value,
                            TargetUse use) {
    Chain chain = {.checker = checker, .value = value, .count = count};
    chain.as_target = use != TARGET_NONE;
    chain.takes_windows = use == TARGET_ASSIGNED || use == TARGET_UPDATED;
    chain.is_read = use == TARGET_UPDATED;
    chain.brackets = ARENA_ARRAY(checker->arena, Bracket, count);
    for (size_t k = count; k-- > 0; ast = ast->index.object) {
        chain.brackets[k].ast = ast;
    }
    CheckMode mode = checker->at.mode;
    checker->at.mode.in_index = true;
    bool ok = true;
    // Nothing in an index changes the value (E0604), so nothing holds it; a place must stay one.
    for (size_t k = 0; k < count; k++) {
        ok = lower_bracket(checker, &chain.brackets[k]) && ok;
    }
    checker->at.mode = mode;
    if (!ok || type_is_poison(value->type) || !apply_brackets(&chain)) {
        return NULL;
    }
    return chain.value;
}

TirExpr *check_index(Checker *checker, const AstExpr *ast) {
    const AstExpr *object;
    size_t count = count_brackets(ast, &object);
    TirExpr *value = check_expr(checker, object);
    if (value->type->kind == TYPE_VOID) {
        return check_fail(checker, DIAG_E0712, object->span, "this call has no result");
    }
    if (type_is_poison(value->type) && check_names_function(checker, object)) {
        return value; // `f[x]`, whose brackets hold arguments
    }
    TirExpr *result = apply_chain(checker, ast, count, value, TARGET_NONE);
    return result == NULL ? checker->poison : check_built(checker, result);
}

// A variable with `count` brackets as a place; NULL after an error or without a variable.
static TirExpr *apply_to_target(Checker *checker, const AstExpr *ast, size_t count, TirVar *var,
                                TargetUse use) {
    if (var == NULL || type_is_poison(var->type)) {
        return NULL;
    }
    if (tir_var_is_global(var)) {
        checker->at.function->writes_globals = true;
        checker->at.function->uses_interface =
            checker->at.function->uses_interface || var->role != VAR_GLOBAL;
    }
    const AstExpr *object;
    count_brackets(ast, &object);
    TirExpr *place = tir_read(&checker->tir, var, object->span);
    return count == 0 ? place : apply_chain(checker, ast, count, place, use);
}

TirExpr *check_target(Checker *checker, const AstExpr *ast) {
    return check_target_for(checker, ast, TARGET_PLACE);
}

TirExpr *check_target_for(Checker *checker, const AstExpr *ast, TargetUse use) {
    checker->at.stores = NULL;
    const AstExpr *object;
    size_t count = count_brackets(ast, &object);
    return apply_to_target(checker, ast, count, check_target_var(checker, object, use, count > 0),
                           use);
}
