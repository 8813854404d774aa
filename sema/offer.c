// See offer.h.
#include "sema/offer.h"

#include "lexer/tight_operator.h"
#include "support/bug.h"
#include "tir/constant.h"

#include <string.h>

static bool would_fit(Checker *checker, const Wanted *wanted, const Type *type) {
    TypeTable *types = checker->tir.types;
    const Type *left = wanted->changes_left ? type : wanted->other;
    const Type *right = wanted->changes_left ? wanted->other : type;
    switch (wanted->rule) {
    case WANTED_BROADCAST: {
        ShapeFit fit = shape_broadcast(types, left, right);
        return fit.why == SHAPE_OK &&
               (wanted->target == NULL ||
                shape_assign(wanted->target, fit.type, true).why == SHAPE_OK);
    }
    case WANTED_SAME: return shape_same(types, left, right).why == SHAPE_OK;
    case WANTED_DOT: return shape_dot(types, left, right).why == SHAPE_OK;
    case WANTED_ASSIGN: return shape_assign(wanted->other, type, false).why == SHAPE_OK;
    }
    UNREACHABLE();
}

// Whether the first character is a bracket that the last one closes.
static bool is_bracketed(const char *text) {
    size_t len = strlen(text);
    size_t end = 0; // of what the first character opens
    for (int depth = 0; end == 0 || (depth > 0 && end < len); end++) {
        bool opens = text[end] == '(' || text[end] == '[';
        depth += opens - (text[end] == ')' || text[end] == ']');
    }
    return end == len && (text[0] == '(' || text[0] == '[');
}

// `(a + b)` is `a + b` where it becomes an argument.
static const char *without_parentheses(Checker *checker, const char *text) {
    return text[0] == '(' && is_bracketed(text)
               ? arena_copy_text(checker->arena, text + 1, strlen(text) - 2)
               : text;
}

void cures_add(Cures *cures, Cure cure) {
    if (cures->count < CURES_NAMED) {
        cures->items[cures->count] = cure;
    }
    cures->count++;
    cures->on_left |= cure.side == CURE_LEFT;
    cures->on_right |= cure.side == CURE_RIGHT;
}

static void offer_cures(Checker *checker, Diag *diag, const Cures *cures) {
    if (cures->count == 1) {
        diag_help(diag, "%s", cures->items[0].alone);
        diag_edit(diag, cures->items[0].span, "%s", cures->items[0].edit);
    }
    if (cures->count < 2) {
        return;
    }
    static const char *const sides[] = {
        [CURE_OPERATOR] = "", [CURE_LEFT] = " on the left", [CURE_RIGHT] = " on the right"};
    bool both = cures->on_left && cures->on_right;
    bool more = cures->count > CURES_NAMED;
    size_t named = more ? CURES_NAMED : cures->count;
    const char *list = "";
    for (size_t k = 0; k < named; k++) {
        const Cure *cure = &cures->items[k];
        const char *between = k == 0 ? "" : k + 1 < named || more ? ", " : " or ";
        list = arena_format(checker->arena, "%s%s%s%s (%s)", list, between, cure->among,
                            both ? sides[cure->side] : "", check_type_text(checker, cure->type));
    }
    diag_help(diag, "more than one change fits: %s%s", list, more ? " or others" : "");
}

// Whether the same operand has been found to fit with the same type, as a dim of length 1 does in
// several places.
static bool is_found(const Cures *cures, Span span, const Type *type) {
    for (size_t k = 0; k < cures->count && k < CURES_NAMED; k++) {
        const Cure *cure = &cures->items[k];
        if (cure->span.start == span.start && cure->span.end == span.end && cure->type == type) {
            return true;
        }
    }
    return false;
}

// Another text for an operand, if there is a type that it would have, and that fits.
static void propose(Checker *checker, Cures *cures, const TirExpr *operand, const Wanted *wanted,
                    const char *text, const Type *type) {
    if (type == NULL || is_found(cures, operand->span, type) || !would_fit(checker, wanted, type)) {
        return;
    }
    cures_add(cures, (Cure){.span = operand->span,
                            .edit = text,
                            .alone = arena_format(checker->arena, "`%s` is %s, which fits", text,
                                                  check_type_text(checker, type)),
                            .among = arena_format(checker->arena, "`%s`", text),
                            .type = type,
                            .side = wanted->changes_left ? CURE_LEFT : CURE_RIGHT});
}

static void propose_narrow(Checker *checker, Cures *cures, const TirExpr *operand, const char *text,
                           const Wanted *wanted) {
    const Type *type = shape_narrow(checker->tir.types, operand->type);
    text = arena_format(checker->arena, "narrow(%s)", without_parentheses(checker, text));
    bool is_cut = wanted->rule == WANTED_ASSIGN && type_is_scalar(wanted->other) &&
                  type_is_scalar(type) && wanted->other->root < type->root &&
                  wanted->other->root != ROOT_BOOL;
    if (is_cut) {
        type = wanted->other;
        text = arena_format(checker->arena, "%s(%s)", root_text(type->root), text);
    }
    if (type != operand->type) {
        propose(checker, cures, operand, wanted, text, type);
    }
}

// A vector beside a matrix is placed, which leaves the matrix as it is and computes the same. What
// is transposed already is what it was.
static void propose_transpose(Checker *checker, Cures *cures, const TirExpr *operand,
                              const char *text, const Wanted *wanted) {
    if (wanted->rule == WANTED_BROADCAST &&
        shape_promoted(wanted->other, operand->type) == wanted->other) {
        return;
    }
    ShapeFit fit = shape_transpose(checker->tir.types, operand->type);
    size_t len = strlen(text);
    bool tight = operand->kind == EXPR_VAR || is_bracketed(text);
    if (operand->kind == EXPR_VIEW && text[len - 1] == '\'') {
        text = arena_copy_text(checker->arena, text, len - 1);
    } else {
        text = arena_format(checker->arena, tight ? "%s'" : "(%s)'", text);
    }
    propose(checker, cures, operand, wanted, text, fit.type);
}

enum { RANK_TRIED = 8 };

static bool may_align(const TirExpr *operand, unsigned rank) {
    const Type *type = operand->type;
    return !type_is_scalar(type) && type->rank < rank && rank <= RANK_TRIED;
}

// The operand's dims at the positions of `mask` among `rank`.
static void propose_placement(Checker *checker, Cures *cures, const TirExpr *operand,
                              const char *text, const Wanted *wanted, unsigned rank,
                              unsigned mask) {
    int64_t positions[RANK_TRIED];
    size_t count = 0;
    const char *list = "";
    for (unsigned d = 0; d < rank; d++) {
        if ((mask >> d & 1U) != 0) {
            list = arena_format(checker->arena, "%s%s%u", list, count == 0 ? "" : ", ", d);
            positions[count++] = d;
        }
    }
    ShapeFit fit = shape_place(checker->tir.types, operand->type, rank, NULL, positions, count);
    const char *aligned = arena_format(checker->arena, "align(%s, %u, [%s])",
                                       without_parentheses(checker, text), rank, list);
    propose(checker, cures, operand, wanted, aligned, fit.type);
}

// The placements of the operand's dims among `rank` that fit, in order of position.
static void propose_align(Checker *checker, Cures *cures, const TirExpr *operand, const char *text,
                          const Wanted *wanted, unsigned rank) {
    for (unsigned mask = 0; may_align(operand, rank) && mask < 1U << rank; mask++) {
        propose_placement(checker, cures, operand, text, wanted, rank, mask);
    }
}

void check_offer_padding(Checker *checker, Diag *diag, const TirExpr *operand, const char *text,
                         const Wanted *wanted, bool alone) {
    unsigned rank = wanted->other->rank;
    if (!may_align(operand, rank)) {
        return;
    }
    Cures cures = {0};
    unsigned kept = operand->type->rank;
    propose_placement(checker, &cures, operand, text, wanted, rank,
                      ((1U << kept) - 1) << (rank - kept));
    if (!alone) {
        propose_align(checker, &cures, operand, text, wanted, rank);
    }
    offer_cures(checker, diag, &cures);
}

// Two levels joined, or the last dims as a level of their own.
static void propose_levels(Checker *checker, Cures *cures, const TirExpr *operand, const char *text,
                           const Wanted *wanted) {
    TypeTable *types = checker->tir.types;
    const Type *type = operand->type;
    text = without_parentheses(checker, text);
    if (shape_is_deeper(type, wanted->other)) {
        propose(checker, cures, operand, wanted, arena_format(checker->arena, "unnest(%s)", text),
                shape_unnest(types, type).type);
    }
    for (unsigned k = 1; shape_is_deeper(wanted->other, type) && k < type->rank; k++) {
        propose(checker, cures, operand, wanted,
                arena_format(checker->arena, "nest(%s, %u)", text, k),
                shape_nest(types, type, k).type);
    }
}

static void propose_changes(Checker *checker, Cures *cures, const TirExpr *operand,
                            const Wanted *wanted) {
    const char *text = check_expr_text(checker, operand->span, NULL);
    if (text == NULL) {
        return;
    }
    unsigned rank =
        wanted->rule == WANTED_SAME || wanted->rule == WANTED_DOT ? 0 : wanted->other->rank;
    propose_narrow(checker, cures, operand, text, wanted);
    propose_align(checker, cures, operand, text, wanted, rank);
    propose_transpose(checker, cures, operand, text, wanted);
    propose_levels(checker, cures, operand, text, wanted);
}

void check_offer_change(Checker *checker, Diag *diag, const TirExpr *operand,
                        const Wanted *wanted) {
    Cures cures = {0};
    propose_changes(checker, &cures, operand, wanted);
    offer_cures(checker, diag, &cures);
}

void check_offer_changes(Checker *checker, Diag *diag, Cures cures, WantedRule rule,
                         const TirExpr *left, const TirExpr *right) {
    bool left_stays = checker->at.mode.left_is_target;
    Wanted changed_right = {
        .rule = rule, .other = left->type, .target = left_stays ? left->type : NULL};
    Wanted changed_left = {.rule = rule, .other = right->type, .changes_left = true};
    propose_changes(checker, &cures, right, &changed_right);
    if (!left_stays) {
        propose_changes(checker, &cures, left, &changed_left);
    }
    offer_cures(checker, diag, &cures);
}

void check_propose_stretching(Checker *checker, Cures *cures, const char *op, const TirExpr *left,
                              const TirExpr *right) {
    static const char functions[][2][3] = {{"==", "eq"}, {"!=", "ne"}, {"<", "lt"},
                                           {"<=", "le"}, {">", "gt"},  {">=", "ge"}};
    ShapeFit fit = shape_broadcast(checker->tir.types, left->type, right->type);
    const char *a = check_expr_text(checker, left->span, NULL);
    const char *b = check_expr_text(checker, right->span, NULL);
    TypeTable *types = checker->tir.types;
    // A column beside a vector is to be narrowed; stretched, both make a matrix.
    bool is_column =
        shape_same(types, shape_narrow(types, left->type), shape_narrow(types, right->type)).why ==
        SHAPE_OK;
    if (fit.why != SHAPE_OK || is_column || a == NULL || b == NULL) {
        return;
    }
    const Type *type = type_with_root(types, fit.type, ROOT_BOOL);
    for (size_t k = 0; k < sizeof functions / sizeof functions[0]; k++) {
        Name name = names_intern_text(checker->context->names, functions[k][1]);
        if (strcmp(op, functions[k][0]) != 0 ||
            scope_find_function(checker->at.scope, name) != NULL) {
            continue;
        }
        const char *call =
            arena_format(checker->arena, "%s(%s, %s)", name->text, without_parentheses(checker, a),
                         without_parentheses(checker, b));
        cures_add(cures, (Cure){.span = span_join(left->span, right->span),
                                .edit = call,
                                .alone = arena_format(checker->arena, "`%s` stretches: %s", call,
                                                      check_type_text(checker, type)),
                                .among = arena_format(checker->arena, "`%s`", call),
                                .type = type,
                                .side = CURE_OPERATOR});
    }
}

const char *check_cast_text(Checker *checker, const Type *from, Root root) {
    TypeTable *types = checker->tir.types;
    return check_type_text(checker, check_is_one_of_many(checker)
                                        ? type_scalar(types, root)
                                        : type_with_root(types, from, root));
}

void check_offer_cast(Checker *checker, Diag *diag, const TirExpr *operand, Root root) {
    const char *type = check_cast_text(checker, operand->type, root);
    const char *text = check_expr_text(checker, operand->span, NULL);
    text = text == NULL ? NULL : without_parentheses(checker, text);
    const char *cast = arena_format(checker->arena, "%s(%s)", type, text == NULL ? "..." : text);
    diag_help(diag, "a cast converts it: `%s`", cast);
    if (text != NULL) {
        diag_edit(diag, operand->span, "%s", cast);
    }
}

const TirExpr *check_written(const TirExpr *expr) {
    while ((expr->kind == EXPR_VIEW && expr->view.operand->span.start == expr->span.start &&
            expr->view.operand->span.end == expr->span.end) ||
           (expr->kind == EXPR_CONVERT && expr->operand->span.start == expr->span.start &&
            expr->operand->span.end == expr->span.end)) {
        expr = expr->kind == EXPR_VIEW ? expr->view.operand : expr->operand;
    }
    return expr;
}

// The constants that make arithmetic on uints one on ints: `1` in `x + 1`.
typedef struct IntConstants {
    const TirExpr *items[4];
    size_t count;
} IntConstants;

// Collects them; false when something else is int too, or there are too many to name.
static bool find_int_constants(Checker *checker, const TirExpr *expr, IntConstants *found) {
    expr = check_written(expr);
    if (expr->type->root == ROOT_UINT) {
        return true;
    }
    if (constant_is_nonnegative(&checker->tir, expr)) {
        bool fits = found->count < sizeof found->items / sizeof found->items[0];
        if (fits) {
            found->items[found->count++] = expr;
        }
        return fits;
    }
    return expr->kind == EXPR_MAP && expr->type->root == ROOT_INT &&
           tir_op_arity(expr->map.op) == 2 &&
           find_int_constants(checker, expr->map.args[0], found) &&
           find_int_constants(checker, expr->map.args[1], found);
}

const char *check_unsigned_text(Checker *checker, const char *text) {
    size_t len = strlen(text);
    size_t digits = strspn(text, "0123456789_");
    bool whole =
        digits > 0 && text[digits] == '.' && strspn(text + digits + 1, "0") == len - digits - 1;
    bool is_hex = text[0] == '0' && text[1] == 'x';
    bool literal = text[0] >= '0' && text[0] <= '9' &&
                   strspn(text, is_hex ? "0123456789abcdefABCDEFx_" : "0123456789_b") == len;
    if (whole) {
        return arena_format(checker->arena, "%.*su", (int)digits, text);
    }
    return arena_format(checker->arena, literal ? "%su" : "uint(%s)",
                        without_parentheses(checker, text));
}

bool check_offer_unsigned(Checker *checker, Diag *diag, const TirExpr *value) {
    IntConstants found = {0};
    if (!find_int_constants(checker, value, &found) || found.count == 0 ||
        found.items[0] == check_written(value)) {
        return false;
    }
    const char *old[sizeof found.items / sizeof found.items[0]];
    const char *list = "";
    for (size_t k = 0; k < found.count; k++) {
        old[k] = check_expr_text(checker, found.items[k]->span, NULL);
        if (old[k] == NULL) {
            return false;
        }
        list = arena_format(checker->arena, "%s%s`%s` instead of `%s`", list,
                            k == 0                ? ""
                            : k + 1 < found.count ? ", "
                                                  : " and ",
                            check_unsigned_text(checker, old[k]), old[k]);
    }
    const char *type =
        check_type_text(checker, type_with_root(checker->tir.types, value->type, ROOT_UINT));
    diag_help(diag, "%s %s it a `%s`", list, found.count == 1 ? "keeps" : "keep", type);
    for (size_t k = 0; k < found.count; k++) {
        diag_edit(diag, found.items[k]->span, "%s", check_unsigned_text(checker, old[k]));
    }
    return true;
}

// Whether a comparison may follow the text of an expression as it stands.
static bool binds_tighter(const AstExpr *ast) {
    if (ast->parenthesized || ast->kind != AST_BINARY) {
        return ast->kind != AST_UNARY || ast->unary.op != AST_UNARY_NOT;
    }
    AstBinaryOp op = ast->binary.op;
    return op == AST_BINARY_ADD || op == AST_BINARY_SUB || op == AST_BINARY_MUL ||
           op == AST_BINARY_DIV || op == AST_BINARY_REM || op == AST_BINARY_POW;
}

const char *check_compared_text(Checker *checker, const AstExpr *side) {
    const char *text = check_expr_text(checker, side->span, NULL);
    return text == NULL || binds_tighter(side) ? text : arena_format(checker->arena, "(%s)", text);
}

void check_edit_value(Checker *checker, Diag *diag, Span span, const char *text) {
    Slice old = sources_text(checker->context->sources, span);
    bool has_parentheses = old.len > 0 && old.data[0] == '(' &&
                           is_bracketed(arena_copy_text(checker->arena, old.data, old.len));
    bool is_operand = tight_operator_before(checker->context->sources, span.start);
    bool is_loose = strchr(text, ' ') != NULL;
    diag_edit(diag, span, is_loose && (has_parentheses || is_operand) ? "(%s)" : "%s", text);
}

void check_offer_comparison(Checker *checker, Diag *diag, const AstExpr *number, Span span,
                            const char *op) {
    const char *text = check_compared_text(checker, number);
    if (text == NULL) {
        diag_note(diag, "a number is compared: `... %s 0`", op);
        return;
    }
    text = arena_format(checker->arena, "%s %s 0", text, op);
    diag_help(diag, "a number is compared: `%s`", text);
    if (span.start == number->span.start) {
        diag_edit(diag, span, "%s", text);
    } else {
        check_edit_value(checker, diag, span, text);
    }
}

bool check_offer_real(Checker *checker, Diag *diag, const Symbol *symbol) {
    const TirVar *var = symbol->var;
    if (symbol->kind != SYMBOL_VAR || var->role == VAR_PARAM || var->role == VAR_LOOP ||
        (var->type->root != ROOT_INT && var->type->root != ROOT_UINT)) {
        return false;
    }
    const char *type =
        check_type_text(checker, type_with_root(checker->tir.types, var->type, ROOT_REAL));
    const char *name = symbol->name->text;
    Span span = symbol->span;
    if (checker->options->prompt) {
        diag_help(
            diag,
            "what is declared stays so until `:reset`: `y = ...` with a new name holds reals");
        return true;
    }
    if (symbol->origin == ORIGIN_DECLARED) {
        const char *old = check_type_text(checker, var->type);
        uint32_t len = (uint32_t)strlen(old) + 1;
        SourcePlace place = sources_place(checker->context->sources, span.start);
        if (place.offset < len ||
            memcmp(place.file->text + place.offset - len, old, len - 1) != 0) {
            return false;
        }
        span.start -= len;
    }
    diag_help(diag, "`%s %s = ...` at its declaration lets `%s` hold reals", type, name, name);
    SourcePlace behind = sources_place(checker->context->sources, symbol->span.end);
    const char *sign = behind.file->text + behind.offset;
    bool has_sizes = type_is_tensor(var->type) && check_is_one_of_many(checker);
    if (!symbol->in_macro && !has_sizes && sign[strspn(sign, " ")] == '=') {
        diag_edit(diag, span, "%s %s", type, name);
    }
    return true;
}

enum { PRODUCTS_MOST = 4 };

// The `*` of a value that are matrix products in other languages.
typedef struct Products {
    Checker *checker;
    Span stars[PRODUCTS_MOST];
    size_t count;
} Products;

static void note_star(Products *products, const TirExpr *product) {
    Span between = {product->map.args[0]->span.end, product->map.args[1]->span.start};
    Slice text = sources_text(products->checker->context->sources, between);
    const char *star = text.len == 0 ? NULL : memchr(text.data, '*', text.len);
    if (star != NULL && products->count < PRODUCTS_MOST) {
        uint32_t at = between.start + (uint32_t)(star - text.data);
        products->stars[products->count++] = (Span){at, at};
    }
}

static bool is_elementwise(const TirExpr *expr) {
    return expr->kind == EXPR_MAP && (expr->map.op == OP_ADD || expr->map.op == OP_SUB ||
                                      expr->map.op == OP_MUL || expr->map.op == OP_NEG);
}

// The type of the value with `.*` for `*` wherever that is a product; NULL: it has none.
static const Type *type_of_products(Products *products, const TirExpr *value) {
    TypeTable *types = products->checker->tir.types;
    const TirExpr *expr = check_written(value);
    if (!is_elementwise(expr)) {
        return expr->type;
    }
    const Type *left = type_of_products(products, expr->map.args[0]);
    if (expr->map.op == OP_NEG || left == NULL) {
        return left;
    }
    const Type *right = type_of_products(products, expr->map.args[1]);
    if (right == NULL) {
        return NULL;
    }
    if (expr->map.op == OP_MUL && type_is_tensor(left) && type_is_tensor(right)) {
        ShapeFit fit = shape_dot(types, left, right);
        if (fit.why == SHAPE_OK) {
            note_star(products, expr);
            return fit.type;
        }
    }
    ShapeFit fit = shape_broadcast(types, left, right);
    return fit.why == SHAPE_OK ? fit.type : NULL;
}

bool check_offer_products(Checker *checker, Diag *diag, const Type *target, const TirExpr *value) {
    Products products = {.checker = checker};
    const Type *type = type_of_products(&products, value);
    if (type == NULL || products.count == 0) {
        return false;
    }
    bool fits = shape_assign(target, type, false).why == SHAPE_OK;
    const Type *narrow = shape_narrow(checker->tir.types, type);
    if (!fits && shape_assign(target, narrow, false).why != SHAPE_OK) {
        return false;
    }
    diag_help(diag,
              fits ? "`*` multiplies element by element; with `.*`, the matrix product, it is %s"
                   : "`*` multiplies element by element; `narrow` of it with `.*`, the matrix "
                     "product, is %s",
              check_type_text(checker, fits ? type : narrow));
    if (!fits) {
        diag_edit(diag, (Span){value->span.start, value->span.start}, "narrow(");
        diag_edit(diag, (Span){value->span.end, value->span.end}, ")");
    }
    for (size_t k = 0; k < products.count; k++) {
        diag_edit(diag, products.stars[k], ".");
    }
    return true;
}

enum { COLUMNS_MOST = 4 };

// The variables of a value that are columns or rows, and stand beside vectors, or the vectors that
// stand beside columns.
typedef struct Columns {
    Checker *checker;
    bool makes; // columns of vectors, not vectors
    const TirExpr *items[COLUMNS_MOST];
    size_t count;
} Columns;

// What a variable of that type becomes; NULL: nothing.
static const Type *changed_type(const Columns *columns, const Type *type) {
    TypeTable *types = columns->checker->tir.types;
    if (columns->makes) {
        return type->rank == 1 ? shape_place(types, type, 2, NULL, (int64_t[]){0}, 1).type : NULL;
    }
    const Type *narrow = shape_narrow(types, type);
    return type->rank == 2 && narrow->rank == 1 ? narrow : NULL;
}

// The type of the value with these changed; NULL: it has none.
static const Type *type_of_vectors(Columns *columns, const TirExpr *value) {
    const TirExpr *expr = check_written(value);
    const Type *changed = expr->kind == EXPR_VAR ? changed_type(columns, expr->type) : NULL;
    if (changed != NULL) {
        if (columns->count == COLUMNS_MOST) {
            return NULL;
        }
        columns->items[columns->count++] = expr;
        return changed;
    }
    if (!is_elementwise(expr)) {
        return expr->type;
    }
    const Type *left = type_of_vectors(columns, expr->map.args[0]);
    if (expr->map.op == OP_NEG || left == NULL) {
        return left;
    }
    const Type *right = type_of_vectors(columns, expr->map.args[1]);
    return right == NULL ? NULL : shape_broadcast(columns->checker->tir.types, left, right).type;
}

bool check_offer_vectors(Checker *checker, Diag *diag, const Type *target, const TirExpr *value,
                         bool makes_columns) {
    Columns columns = {.checker = checker, .makes = makes_columns};
    const Type *type = type_of_vectors(&columns, value);
    if (type == NULL || columns.count == 0 || columns.items[0] == check_written(value) ||
        shape_assign(target, type, false).why != SHAPE_OK) {
        return false;
    }
    const char *first = check_expr_text(checker, columns.items[0]->span, NULL);
    if (first == NULL) {
        return false;
    }
    diag_help(diag,
              makes_columns ? "`align(%s, 2, [0])` is the column of it, with which the value is %s"
                            : "`narrow(%s)` is the vector of it, with which the value is %s",
              first, check_type_text(checker, type));
    for (size_t k = 0; k < columns.count; k++) {
        Span span = columns.items[k]->span;
        diag_edit(diag, (Span){span.start, span.start}, makes_columns ? "align(" : "narrow(");
        diag_edit(diag, (Span){span.end, span.end}, makes_columns ? ", 2, [0])" : ")");
    }
    return true;
}
