// Literals: tensors (L2.3), and texts and characters, which exist while checking only.
#include "sema/expr.h"

#include "sema/value.h"
#include "sema/warn/warn.h"
#include "support/bug.h"

// All rows have the length of the first, all pages its number of rows.
static bool require_layout(Checker *checker, const AstExpr *ast) {
    size_t element = 0;
    for (uint32_t row = 0; row < ast->tensor.row_count; row++) {
        uint32_t length = ast->tensor.row_lengths[row];
        if (length != ast->tensor.row_lengths[0]) {
            Span span = element < ast->tensor.elements.count
                            ? ast->tensor.elements.items[element]->span
                            : ast->span;
            Diag *diag = check_error(
                checker, DIAG_E0411, span, "row %u has %u %s where the first row has %u", row + 1,
                length, length == 1 ? "element" : "elements", ast->tensor.row_lengths[0]);
            diag_here(diag, "this row has %u", length);
            diag_label(diag, ast->tensor.elements.items[0]->span, "the first row has %u",
                       ast->tensor.row_lengths[0]);
            return false;
        }
        element += length;
    }
    element = 0;
    for (uint32_t page = 0, row = 0; page < ast->tensor.page_count; page++) {
        uint32_t rows = ast->tensor.page_rows[page];
        if (rows != ast->tensor.page_rows[0]) {
            return check_refuse(checker, DIAG_E0411, ast->tensor.elements.items[element]->span,
                                "page %u has %u %s where the first page has %u", page + 1, rows,
                                rows == 1 ? "row" : "rows", ast->tensor.page_rows[0]);
        }
        for (uint32_t k = 0; k < rows; k++) {
            element += ast->tensor.row_lengths[row++];
        }
    }
    return true;
}

// The type all elements have in common, or poison after E0412.
static const Type *common_type(Checker *checker, const AstExpr *ast, TirExpr **items) {
    size_t count = ast->tensor.elements.count;
    const Type *common = items[0]->type;
    bool poison = type_is_poison(common);
    for (size_t k = 1; k < count && !poison; k++) {
        poison = type_is_poison(items[k]->type);
        if (poison) {
            break;
        }
        ShapeFit fit = shape_common(checker->tir.types, common, items[k]->type);
        if (fit.why != SHAPE_OK) {
            Diag *diag = check_error(checker, DIAG_E0412, items[k]->span,
                                     "elements of one tensor need a common type: %s and %s",
                                     check_type_text(checker, common),
                                     check_type_text(checker, items[k]->type));
            diag_here(diag, "%s", check_type_text(checker, items[k]->type));
            diag_label(diag, items[0]->span, "%s", check_type_text(checker, common));
            bool are_matrices = common->flat_rank > 1 && items[k]->type->flat_rank > 1;
            if (are_matrices && ast->tensor.rank == 1) {
                diag_note(diag, "`concat(1, a, b)` joins matrices side by side");
            } else if (type_is_tensor(common) || type_is_tensor(items[k]->type)) {
                diag_note(diag, "`concat(0, a, b)` joins tensors; of a number `[x]` is one");
            }
            return checker->poison->type;
        }
        common = fit.type;
    }
    return poison ? checker->poison->type : common;
}

TirExpr *check_tensor_literal(Checker *checker, const AstExpr *ast) {
    size_t count = ast->tensor.elements.count;
    if (count == 0) {
        Diag *diag = check_error(checker, DIAG_E0413, ast->span,
                                 "a tensor literal needs at least one element");
        diag_note(diag, "tensors do not grow; `tensor<real, 3> x = 0.0` declares three elements");
        return checker->poison;
    }
    warn_expr(checker, ast);
    TirExpr **items = check_values(checker, &ast->tensor.elements);
    const Type *element = common_type(checker, ast, items);
    // Rows that hold tensors are rarely meant: their lengths say nothing.
    if (type_is_poison(element) || !require_layout(checker, ast)) {
        return checker->poison;
    }
    uint32_t dims[3] = {ast->tensor.page_count, ast->tensor.page_rows[0],
                        ast->tensor.row_lengths[0]};
    const Type *type = check_tensor_type(checker, element, ast->tensor.rank,
                                         dims + 3 - ast->tensor.rank, ast->span);
    if (type_is_poison(type)) {
        return checker->poison;
    }
    for (size_t k = 0; k < count; k++) {
        items[k] = check_fit(checker, items[k], element);
    }
    return check_built(checker, tir_literal(&checker->tir, type, items, count, ast->span));
}

// A constant of root str or char; none of them ever reaches a statement.
static TirExpr *text_constant(Checker *checker, Root root, uint32_t value, Span span) {
    TirScalar *data = ARENA_NEW(checker->arena, TirScalar);
    data->uint = value;
    TirExpr *expr =
        tir_new_expr(checker->arena, EXPR_CONST, type_scalar(checker->tir.types, root), span);
    expr->is_constant = true;
    expr->data = data;
    return expr;
}

TirExpr *check_string(Checker *checker, Slice text, Span span) {
    LIST_PUSH(checker->arena, &checker->strings, text);
    return text_constant(checker, ROOT_STR, (uint32_t)checker->strings.count - 1, span);
}

TirExpr *check_character(Checker *checker, char character, Span span) {
    return text_constant(checker, ROOT_CHAR, (unsigned char)character, span);
}

Slice check_text_value(Checker *checker, const TirExpr *expr) {
    if (expr->type->root == ROOT_STR) {
        return checker->strings.items[expr->data->uint];
    }
    CHECK(expr->type->root == ROOT_CHAR);
    char character = (char)expr->data->uint;
    return (Slice){arena_copy_text(checker->arena, &character, 1), 1};
}
