// See explain.h: indices that do not fit.
#include "sema/explain.h"

#include "sema/constant.h"
#include "sema/expr.h"
#include "types/shape_explain.h"

#include <string.h>

#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.{}"

// Whether a bound would be constant if variables were, none of which has had a second value. Adds
// its variables to *variables, of which *last is one.
static bool is_unchanged(const Checker *checker, const AstExpr *bound, const Symbol **last,
                         size_t *variables) {
    for (; bound != NULL && bound->kind == AST_BINARY; bound = bound->binary.left) {
        if (!is_unchanged(checker, bound->binary.right, last, variables)) {
            return false;
        }
    }
    if (bound == NULL || bound->kind != AST_NAME) {
        return bound == NULL || bound->kind == AST_INTEGER || bound->kind == AST_ATTR;
    }
    const Symbol *symbol = scope_find(checker->at.scope, bound->name.name);
    if (symbol == NULL || symbol->kind == SYMBOL_CONSTANT) {
        return symbol != NULL;
    }
    *last = symbol;
    ++*variables;
    return symbol->kind == SYMBOL_VAR && symbol->first_value.end > 0 && !symbol->assigned;
}

void explain_varying_bound(Checker *checker, const AstExpr *bound, const AstExpr *range) {
    Diag *diag = check_error(checker, DIAG_E0605, bound->span,
                             "a bound of a range in an index must be constant");
    const Symbol *variable = NULL;
    size_t variables = 0;
    bool is_known = is_unchanged(checker, range->range.first, &variable, &variables) &&
                    is_unchanged(checker, range->range.last, &variable, &variables) &&
                    is_unchanged(checker, range->range.step, &variable, &variables);
    const char *value =
        is_known && variables == 1 ? check_expr_text(checker, variable->first_value, NULL) : NULL;
    // What begins as 0 counts, and is to be assigned somewhere.
    if (value != NULL && strcmp(value, "0") != 0) {
        diag_note(diag, "a variable is never a constant, whatever it holds");
        diag_help(diag, "write `%s` in place of `%s`", value, variable->name->text);
        return;
    }
    diag_note(diag, "every shape is known when the program is compiled; a loop goes over elements");
    diag_help(diag, "a part of a known length may begin anywhere: `x[i:i + 8]`");
    check_note_not_constant(checker, diag, bound);
}

void check_report_no_step(Checker *checker, DiagCode code, const AstExpr *range) {
    const AstExpr *step = range->range.step;
    const AstExpr *first = range->range.first;
    const AstExpr *last = range->range.last;
    Diag *diag = check_error(checker, code, step->span, "the step of a range cannot be 0");
    bool counts_down = first != NULL && last != NULL && last->kind == AST_UNARY &&
                       last->unary.op == AST_UNARY_MINUS &&
                       last->unary.operand->kind == AST_INTEGER;
    if (counts_down) { // `10:-1:0`, as MATLAB has it
        const char *from = check_expr_text(checker, first->span, "10");
        const char *by = check_expr_text(checker, last->span, "-1");
        diag_note(diag, "the step stands last: `%s:0:%s` counts down, and ends before 0", from, by);
    }
}

void explain_no_index(Checker *checker, const AstExpr *ast, const Type *type) {
    Diag *diag = check_error(checker, DIAG_E0601, ast->span,
                             "an index is an `int` or `uint`, a range or `...`, not %s",
                             check_type_text(checker, type));
    if (type_is_tensor(type) && type->root == ROOT_BOOL) {
        diag_note(diag, "`select(c, a, b)` chooses element by element: `x = select(c, 0, x)` sets "
                        "those of `x` where `c` holds");
    } else if (type_is_tensor(type) && type->root != ROOT_REAL) {
        diag_note(diag,
                  "`take(x, k)` has the elements of a vector, or the rows of a matrix, at the "
                  "positions in `k`; a loop assigns to them");
    } else if (type_is_scalar(type) && type->root == ROOT_REAL) {
        const char *text = check_expr_text(checker, ast->span, NULL);
        diag_help(diag, "a cast truncates it: `int(%s)`", text == NULL ? "..." : text);
        if (text != NULL) {
            diag_edit(diag, ast->span, "int(%s)", text);
        }
    }
}

static void explain_indices(Checker *checker, Diag *diag, const IndexTexts *indices, int wrong,
                            const char *reason) {
    explain_operand(checker, diag, indices->object);
    const char *name = check_expr_text(checker, indices->object->span, "value");
    diag_table(diag, shape_index_table(checker->arena, name, indices->object->type, indices->items,
                                       indices->count, wrong, reason));
}

// The position so many from the end of a dim. NULL: nothing that is right for all sizes.
static const char *from_end(Checker *checker, const TirExpr *object, unsigned dim, int64_t back) {
    if (!check_is_one_of_many(checker)) {
        return arena_format(checker->arena, "%lld", (long long)(object->type->dims[dim] - back));
    }
    const char *name = check_expr_text(checker, object->span, "");
    bool is_name = name[0] != '\0' && name[strspn(name, NAME_CHARACTERS)] == '\0';
    const char *length = dim == 0 ? "len" : arena_format(checker->arena, "size[%u]", dim);
    return is_name ? arena_format(checker->arena, "%s.%s - %lld", name, length, (long long)back)
                   : NULL;
}

void explain_bounds(Checker *checker, const ShapeFit *fit, Span span, const IndexTexts *indices) {
    Diag *diag =
        check_error(checker, DIAG_E0603, span, "index %lld is outside dimension %u of length %u",
                    (long long)fit->index, fit->dim, fit->left);
    explain_indices(checker, diag, indices, (int)fit->dim,
                    shape_explain(checker->arena, fit, false));
    int64_t from_front = fit->index + fit->left;
    const char *given = arena_format(checker->arena, "%lld", (long long)fit->index);
    if (fit->index == fit->left && strchr(indices->items[fit->dim], ':') == NULL) {
        diag_note(diag, "indices count from 0, so the last one is %u", fit->left - 1);
    }
    bool counts_back = fit->index < 0 && from_front >= 0;
    if (!counts_back || strcmp(indices->items[fit->dim], given) != 0) {
        return;
    }
    if (indices->counts_elements) {
        diag_note(diag, "one index counts elements, from 0; rows are `[i, ...]`");
        return;
    }
    const char *position = from_end(checker, indices->object, fit->dim, -fit->index);
    if (position == NULL) {
        diag_note(diag, "indices count from 0");
        return;
    }
    diag_help(diag, "indices count from 0; the one that is %s from the end is `%s`", given + 1,
              position);
    diag_edit(diag, span, "%s", position);
}

void explain_count(Checker *checker, Span brackets, const IndexTexts *indices, bool can_complete) {
    const Type *type = indices->object->type;
    const char *reason =
        arena_format(checker->arena, "%zu given, %u needed", indices->count, type->rank);
    Diag *diag =
        check_error(checker, DIAG_E0602, brackets, "%zu %s on %s, which has %u %s", indices->count,
                    indices->count == 1 ? "index" : "indices", check_type_text(checker, type),
                    type->rank, type->rank == 1 ? "dimension" : "dimensions");
    explain_indices(checker, diag, indices, -1, reason);
    if (indices->count == 2 && explain_nested(checker, diag, indices->object)) {
        return;
    }
    if (indices->count >= type->rank || !can_complete) {
        return;
    }
    const char *completed = "[";
    for (size_t d = 0; d < indices->count; d++) {
        if (indices->items[d][0] == '?') {
            return; // too long to repeat
        }
        if (strcmp(indices->items[d], INDEX_TOO_LONG) == 0) {
            return;
        }
        completed = arena_format(checker->arena, "%s%s, ", completed, indices->items[d]);
    }
    completed = arena_format(checker->arena, "%s...]", completed);
    diag_help(diag, "`...` stands for the other dimensions: `%s`", completed);
    diag_edit(diag, brackets, "%s", completed);
}

bool explain_negative_end(Checker *checker, const ShapeFit *fit, const TirExpr *object,
                          const AstExpr *range, const ShapeIndex *index) {
    if (range->kind != AST_RANGE || fit->why == SHAPE_TOO_LARGE) {
        return false;
    }
    const AstExpr *ends[] = {range->range.first, range->range.last};
    int64_t values[] = {index->start, index->last};
    bool given[] = {index->has_first, index->has_last};
    int64_t length = object->type->dims[fit->dim];
    bool counts_down = index->has_step && index->step < 0; // -1 is behind its end then
    for (size_t k = 0; k < (counts_down ? 1U : 2U); k++) {
        bool literal = given[k] && ends[k]->kind == AST_UNARY;
        if (!literal || values[k] >= 0 || values[k] + length < 0) {
            continue;
        }
        Diag *diag = check_error(checker, fit->why == SHAPE_EMPTY ? DIAG_E0605 : DIAG_E0603,
                                 ends[k]->span, "positions in a range do not count from the end");
        explain_operand(checker, diag, object);
        const char *position = from_end(checker, object, fit->dim, -values[k]);
        if (position != NULL) {
            diag_help(diag, "the one that is %lld from the end is `%s`", (long long)-values[k],
                      position);
            diag_edit(diag, ends[k]->span, "%s", position);
        }
        return true;
    }
    return false;
}

void explain_empty_range(Checker *checker, Span range, const ShapeIndex *index, uint32_t length,
                         bool moves) {
    Diag *diag = check_error(checker, DIAG_E0605, range, "this range selects nothing");
    const char *text = check_expr_text(checker, range, NULL);
    if (!index->has_first || !index->has_last || text == NULL) {
        return;
    }
    if (index->start == index->last) {
        diag_note(diag,
                  "the end of a range is left out, so one that ends where it begins is empty");
    } else if (!index->has_step && !moves && index->start < length) {
        diag_help(diag, "a step of -1 counts down: `%s:-1`", text);
        diag_edit(diag, (Span){range.end, range.end}, ":-1");
    }
}

bool explain_split_indices(Checker *checker, Span brackets, const TirExpr *object,
                           const AstExpr *first, const AstExpr *second) {
    const char *one = check_expr_text(checker, first->span, NULL);
    const char *other = check_expr_text(checker, second->span, NULL);
    if (object->type->rank != 2 || one == NULL || other == NULL) {
        return false;
    }
    bool row = first->kind != AST_RANGE && second->kind == AST_RANGE;
    bool all = strcmp(one, ":") == 0 && second->kind != AST_RANGE;
    if (!row && !all) {
        return false;
    }
    Diag *diag = check_error(checker, DIAG_E0602, brackets,
                             "the indices of a tensor of 2 dimensions stand in one bracket");
    explain_operand(checker, diag, object);
    const char *meant =
        arena_format(checker->arena, "[%s, %s]", row ? one : other, row ? other : ":");
    diag_help(diag, "write `%s`", meant);
    diag_edit(diag, brackets, "%s", meant);
    return true;
}
