// The nodes of expressions and types. Depth is counted here: the grammar has no other way to make a
// node, so no tree is deeper than AST_DEPTH_LIMIT, chains aside (ast.h).
#include "parser/build.h"
#include "parser/report.h"

static size_t max_depth(size_t a, size_t b) {
    return a > b ? a : b;
}

static size_t exprs_depth(const AstExprs *exprs) {
    size_t depth = 0;
    for (size_t i = 0; i < exprs->count; i++) {
        depth = max_depth(depth, exprs->items[i]->depth);
    }
    return depth;
}

AstExpr *build_expr(Parser *parser, AstExprKind kind, Span span) {
    AstExpr *expr = ast_new_expr(parser->context->arena, kind, span);
    expr->depth = 1;
    return expr;
}

// Completes a node whose parts are at most `below` deep. `place` is where a message points.
static AstExpr *finish(Parser *parser, AstExpr *expr, size_t below, Span place) {
    if (!parser_fits(parser, below + 1, place)) {
        return build_expr(parser, AST_ERROR, place);
    }
    expr->depth = (uint16_t)(below + 1);
    return expr;
}

// Completes a node of a chain that goes on, or ends, at `next`. The other parts are at most `below`
// deep.
static AstExpr *finish_chain(Parser *parser, AstExpr *expr, const AstExpr *next, size_t below,
                             Span place) {
    bool goes_on = ast_goes_on(next, expr->kind);
    expr->chain = goes_on ? next->chain + 1 : 1;
    if (expr->chain > AST_CHAIN_LIMIT) {
        parser_report_limit(parser, place, "this expression is too long", AST_CHAIN_LIMIT,
                            "operators or brackets in a row");
        return build_expr(parser, AST_ERROR, place);
    }
    size_t depth = goes_on ? (size_t)next->depth - 1 : next->depth;
    return finish(parser, expr, max_depth(depth, below), place);
}

AstExpr *build_name(Parser *parser, AstName name) {
    AstExpr *expr = build_expr(parser, AST_NAME, name.span);
    expr->name = name;
    return finish(parser, expr, exprs_depth(&name.macro_indices), name.span);
}

AstExpr *build_attr(Parser *parser, AstExpr *object, AstName name) {
    AstExpr *expr = build_expr(parser, AST_ATTR, span_join(object->span, name.span));
    expr->attr.object = object;
    expr->attr.name = name;
    size_t below = max_depth(object->depth, exprs_depth(&name.macro_indices));
    return finish(parser, expr, below, name.span);
}

AstExpr *build_index(Parser *parser, AstExpr *object, AstExprs indices, Span bracket) {
    AstExpr *expr = build_expr(parser, AST_INDEX, span_join(object->span, bracket));
    expr->index.object = object;
    expr->index.indices = indices;
    return finish_chain(parser, expr, object, exprs_depth(&indices), bracket);
}

AstExpr *build_call(Parser *parser, AstExpr *callee, bool bang, AstExprs args, Span paren) {
    AstExpr *expr = build_expr(parser, AST_CALL, span_join(callee->span, paren));
    expr->call.callee = callee;
    expr->call.bang = bang;
    expr->call.args = args;
    size_t below = max_depth(callee->depth, exprs_depth(&args));
    return finish(parser, expr, below, callee->span);
}

AstExpr *build_cast(Parser *parser, AstType *type, AstExpr *arg, Span paren) {
    AstExpr *expr = build_expr(parser, AST_CAST, span_join(type->span, paren));
    expr->cast.type = type;
    expr->cast.arg = arg;
    return finish(parser, expr, max_depth(type->depth, arg->depth), type->span);
}

AstExpr *build_unary(Parser *parser, AstUnaryOp op, Span op_span, AstExpr *operand) {
    AstExpr *expr = build_expr(parser, AST_UNARY, span_join(op_span, operand->span));
    expr->unary.op = op;
    expr->unary.op_span = op_span;
    expr->unary.operand = operand;
    return finish(parser, expr, operand->depth, op_span);
}

AstExpr *build_binary(Parser *parser, AstBinaryOp op, AstExpr *left, Span op_span, AstExpr *right) {
    AstExpr *expr = build_expr(parser, AST_BINARY, span_join(left->span, right->span));
    expr->binary.op = op;
    expr->binary.op_span = op_span;
    expr->binary.left = left;
    expr->binary.right = right;
    return finish_chain(parser, expr, left, right->depth, op_span);
}

AstExpr *build_read(Parser *parser, Span arrow, AstExpr *operand) {
    report_arrow(parser, arrow);
    return build_unary(parser, AST_UNARY_READ, arrow, operand);
}

AstExpr *build_transpose(Parser *parser, AstExpr *operand, Span op_span) {
    AstExpr *expr = build_expr(parser, AST_TRANSPOSE, span_join(operand->span, op_span));
    expr->transpose.operand = operand;
    expr->transpose.op_span = op_span;
    return finish(parser, expr, operand->depth, op_span);
}

AstExpr *build_optional(Parser *parser, AstExpr *operand, Span mark) {
    AstExpr *expr = build_expr(parser, AST_OPTIONAL, span_join(operand->span, mark));
    expr->optional = operand;
    return finish(parser, expr, operand->depth, mark);
}

// Parentheses make no node, but what reads them recurses: they count as a level.
AstExpr *build_parenthesized(Parser *parser, AstExpr *inner, Span span) {
    inner->parenthesized = true;
    inner->span = span;
    return finish(parser, inner, inner->depth, (Span){span.start, span.start + 1});
}

AstExpr *build_range(Parser *parser, AstExpr *first, AstExpr *last, AstExpr *step, Span span) {
    AstExpr *expr = build_expr(parser, AST_RANGE, span);
    expr->range.first = first;
    expr->range.last = last;
    expr->range.step = step;
    size_t below = 0;
    AstExpr *parts[] = {first, last, step};
    for (size_t i = 0; i < 3; i++) {
        below = parts[i] == NULL ? below : max_depth(below, parts[i]->depth);
    }
    return finish(parser, expr, below, span);
}

AstExpr *build_type_arg(Parser *parser, AstType *type) {
    AstExpr *expr = build_expr(parser, AST_TYPE_ARG, type->span);
    expr->type = type;
    return finish(parser, expr, type->depth, type->span);
}

AstExpr *build_named_arg(Parser *parser, AstName name, AstExpr *value) {
    AstExpr *expr = build_expr(parser, AST_NAMED_ARG, span_join(name.span, value->span));
    expr->named.name = name;
    expr->named.value = value;
    return finish(parser, expr, max_depth(value->depth, exprs_depth(&name.macro_indices)),
                  name.span);
}

void build_append(Parser *parser, AstExprs *list, AstExpr *expr) {
    LIST_PUSH(parser->context->arena, list, expr);
}

typedef LIST_OF(uint32_t) Counts;

struct TensorDraft {
    AstExprs elements;
    Counts row_lengths, page_rows; // the last of each is still growing
    uint8_t rank;
};

TensorDraft *build_tensor_first(Parser *parser, AstExpr *element) {
    Arena *arena = parser->context->arena;
    TensorDraft *draft = ARENA_NEW(arena, TensorDraft);
    draft->rank = 1;
    LIST_PUSH(arena, &draft->elements, element);
    LIST_PUSH(arena, &draft->row_lengths, 1);
    LIST_PUSH(arena, &draft->page_rows, 1);
    return draft;
}

static uint8_t separator_rank(TokenKind separator) {
    return separator == TOKEN_PAGE_BAR ? 3 : separator == TOKEN_SEMICOLON ? 2 : 1;
}

void build_tensor_next(Parser *parser, TensorDraft *draft, TokenKind separator, AstExpr *element) {
    Arena *arena = parser->context->arena;
    uint8_t rank = separator_rank(separator);
    draft->rank = rank > draft->rank ? rank : draft->rank;
    LIST_PUSH(arena, &draft->elements, element);
    if (rank == 1) {
        draft->row_lengths.items[draft->row_lengths.count - 1]++;
        return;
    }
    LIST_PUSH(arena, &draft->row_lengths, 1);
    if (rank == 2) {
        draft->page_rows.items[draft->page_rows.count - 1]++;
        return;
    }
    LIST_PUSH(arena, &draft->page_rows, 1);
}

AstExpr *build_tensor(Parser *parser, TensorDraft *draft, TokenKind trailing, Span span) {
    AstExpr *expr = build_expr(parser, AST_TENSOR, span);
    if (draft == NULL) {
        expr->tensor.rank = 1;
        return expr;
    }
    uint8_t rank = separator_rank(trailing);
    expr->tensor.elements = draft->elements;
    expr->tensor.row_lengths = draft->row_lengths.items;
    expr->tensor.row_count = (uint32_t)draft->row_lengths.count;
    expr->tensor.page_rows = draft->page_rows.items;
    expr->tensor.page_count = (uint32_t)draft->page_rows.count;
    expr->tensor.rank = rank > draft->rank ? rank : draft->rank;
    Span bracket = {span.start, span.start + 1};
    return finish(parser, expr, exprs_depth(&draft->elements), bracket);
}

static AstType *new_type(Parser *parser, AstTypeKind kind, Span span, size_t depth) {
    AstType *type = ARENA_NEW(parser->context->arena, AstType);
    bool fits = parser_fits(parser, depth, span);
    type->kind = fits ? kind : AST_TYPE_ERROR;
    type->span = span;
    type->depth = (uint16_t)(fits ? depth : 1);
    return type;
}

AstType *build_scalar_type(Parser *parser, AstScalar scalar, Span span) {
    AstType *type = new_type(parser, AST_TYPE_SCALAR, span, 1);
    type->scalar = scalar;
    return type;
}

AstType *build_tensor_type(Parser *parser, AstType *base, AstExprs dims, Span span) {
    size_t below = max_depth(base->depth, exprs_depth(&dims));
    AstType *type = new_type(parser, AST_TYPE_TENSOR, span, below + 1);
    if (type->kind == AST_TYPE_TENSOR) {
        type->tensor.base = base;
        type->tensor.dims = dims;
    }
    return type;
}

AstType *build_type_of(Parser *parser, AstExpr *expr, Span span) {
    AstType *type = new_type(parser, AST_TYPE_OF, span, (size_t)expr->depth + 1);
    type->of = expr;
    return type;
}
