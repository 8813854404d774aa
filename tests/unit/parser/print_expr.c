// Expressions as they could be written, every operator in parentheses: what is printed can be
// parsed again and gives the same tree, which a fuzzer asks for. Chains are printed in a loop, like
// in everything that walks them.
#include "tests/unit/parser/print_expr.h"

#include "parser/ast_print.h"
#include "support/bug.h"

#include <stdlib.h>

static void print_list(Buffer *out, const AstExprs *exprs) {
    for (size_t i = 0; i < exprs->count; i++) {
        buffer_text(out, i == 0 ? "" : ", ");
        print_source_expr(out, exprs->items[i]);
    }
}

static void print_name(Buffer *out, const AstName *name) {
    buffer_text(out, name->name->text);
    if (name->macro_indices.count > 0) {
        buffer_text(out, "{");
        print_list(out, &name->macro_indices);
        buffer_text(out, "}");
    }
}

static void print_type(Buffer *out, const AstType *type) {
    switch (type->kind) {
    case AST_TYPE_SCALAR: buffer_text(out, ast_scalar_text(type->scalar)); return;
    case AST_TYPE_TENSOR:
        buffer_text(out, "tensor<");
        print_type(out, type->tensor.base);
        buffer_text(out, ", ");
        print_list(out, &type->tensor.dims);
        buffer_text(out, ">");
        return;
    case AST_TYPE_OF:
        print_source_expr(out, type->of);
        buffer_text(out, ".type");
        return;
    case AST_TYPE_ERROR: buffer_text(out, "<error>"); return;
    }
    UNREACHABLE();
}

static void print_tensor(Buffer *out, const AstExpr *expr) {
    size_t element = 0;
    uint32_t row = 0;
    buffer_text(out, "[");
    for (uint32_t page = 0; page < expr->tensor.page_count; page++) {
        buffer_text(out, page == 0 ? "" : " | ");
        for (uint32_t i = 0; i < expr->tensor.page_rows[page]; i++, row++) {
            buffer_text(out, i == 0 ? "" : "; ");
            for (uint32_t k = 0; k < expr->tensor.row_lengths[row]; k++) {
                buffer_text(out, k == 0 ? "" : ", ");
                print_source_expr(out, expr->tensor.elements.items[element++]);
            }
        }
    }
    // A trailing separator is what gives a single row or page its dimension.
    if (expr->tensor.rank == 2 && expr->tensor.row_count == 1) {
        buffer_text(out, ";");
    } else if (expr->tensor.rank == 3 && expr->tensor.page_count == 1) {
        buffer_text(out, " |");
    }
    buffer_text(out, "]");
}

// What a dot follows: directly after a number it would be a decimal point.
static void print_object(Buffer *out, const AstExpr *object) {
    bool is_number = object->kind == AST_INTEGER || object->kind == AST_REAL;
    buffer_text(out, is_number ? "(" : "");
    print_source_expr(out, object);
    buffer_text(out, is_number ? ")" : "");
}

static void print_range(Buffer *out, const AstExpr *expr) {
    if (expr->range.first != NULL) {
        print_source_expr(out, expr->range.first);
        // `?:` would be one token.
        buffer_text(out, expr->range.first->kind == AST_OPTIONAL ? " " : "");
    }
    buffer_text(out, ":");
    if (expr->range.last != NULL) {
        print_source_expr(out, expr->range.last);
    }
    if (expr->range.step != NULL) {
        buffer_text(out, ":");
        print_source_expr(out, expr->range.step);
    }
}

// Does a transpose stand at the left of all that applies to it: m', m'[0], m'.rows?
static bool is_transposed(const AstExpr *expr) {
    while (expr->kind == AST_INDEX || expr->kind == AST_ATTR) {
        expr = expr->kind == AST_INDEX ? expr->index.object : expr->attr.object;
    }
    return expr->kind == AST_TRANSPOSE;
}

// `**` and `'` are one level, so that `a ** m'` is the transpose of `a ** m` (L5.1).
static void print_right(Buffer *out, const AstExpr *expr) {
    bool is_open = expr->binary.op == AST_BINARY_POW && is_transposed(expr->binary.right);
    buffer_text(out, is_open ? "(" : "");
    print_source_expr(out, expr->binary.right);
    buffer_text(out, is_open ? ")" : "");
}

static void print_unary(Buffer *out, const AstExpr *expr) {
    const char *op = ast_unary_text(expr->unary.op);
    buffer_format(out, "(%s%s", op, expr->unary.op == AST_UNARY_NOT ? " " : "");
    print_source_expr(out, expr->unary.operand);
    buffer_text(out, ")");
}

static void print_chain(Buffer *out, const AstExpr *expr) {
    const AstExpr **nodes = ast_chain_nodes(expr);
    bool is_index = expr->kind == AST_INDEX;
    buffer_repeat(out, '(', is_index ? 0 : expr->chain);
    print_source_expr(out, ast_chain_next(nodes[expr->chain - 1]));
    for (size_t i = expr->chain; i-- > 0;) {
        if (is_index) {
            buffer_text(out, "[");
            print_list(out, &nodes[i]->index.indices);
            buffer_text(out, "]");
        } else {
            buffer_format(out, " %s ", ast_binary_text(nodes[i]->binary.op));
            print_right(out, nodes[i]);
            buffer_text(out, ")");
        }
    }
    free(nodes);
}

void print_source_expr(Buffer *out, const AstExpr *expr) {
    switch (expr->kind) {
    case AST_INTEGER:
    case AST_REAL:
    case AST_BOOLEAN:
    case AST_STRING: ast_text_literal(out, expr); return;
    case AST_NAME: print_name(out, &expr->name); return;
    case AST_ATTR:
        print_object(out, expr->attr.object);
        buffer_text(out, ".");
        print_name(out, &expr->attr.name);
        return;
    case AST_CALL:
        print_source_expr(out, expr->call.callee);
        buffer_text(out, expr->call.bang ? "!(" : "(");
        print_list(out, &expr->call.args);
        buffer_text(out, ")");
        return;
    case AST_CAST:
        print_type(out, expr->cast.type);
        buffer_text(out, "(");
        print_source_expr(out, expr->cast.arg);
        buffer_text(out, ")");
        return;
    case AST_UNARY: print_unary(out, expr); return;
    case AST_INDEX:
    case AST_BINARY: print_chain(out, expr); return;
    case AST_TRANSPOSE:
        print_source_expr(out, expr->transpose.operand);
        buffer_text(out, "'");
        return;
    case AST_TENSOR: print_tensor(out, expr); return;
    case AST_RANGE: print_range(out, expr); return;
    case AST_ELLIPSIS: buffer_text(out, "..."); return;
    case AST_OPTIONAL:
        print_source_expr(out, expr->optional);
        buffer_text(out, "?");
        return;
    case AST_TYPE_ARG: print_type(out, expr->type); return;
    case AST_NAMED_ARG:
        print_name(out, &expr->named.name);
        buffer_text(out, " = ");
        print_source_expr(out, expr->named.value);
        return;
    case AST_ERROR: buffer_text(out, "<error>"); return;
    }
    UNREACHABLE();
}
