// Any bytes are tokens and a tree: spans lie in the file, the tree is no deeper than its limit, and
// an expression that is printed reads back as itself.
#include "lexer/lexer.h"
#include "parser/ast_print.h"
#include "parser/ast_visit.h"
#include "parser/parse.h"
#include "support/bug.h"
#include "tests/unit/parser/print_expr.h"

#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Printing puts every operator in parentheses, which count as levels of their own.
enum { DEPTH_THAT_REPRINTS = AST_DEPTH_LIMIT / 3 };

static void check_span(const SourceFile *source, Span span) {
    CHECK(source->base <= span.start && span.start <= span.end);
    CHECK(span.end <= source->base + source->len);
}

static void check_tokens(Context *context, SourceFile *source) {
    Lexer *lexer = lexer_create(context, source);
    uint32_t last_end = source->base;
    Token token;
    do {
        token = lexer_next(lexer);
        check_span(source, token.span);
        CHECK(last_end <= token.span.start);
        CHECK(token.span.start < token.span.end || token.kind == TOKEN_END_OF_FILE);
        last_end = token.span.end;
    } while (token.kind != TOKEN_END_OF_FILE);
    lexer_destroy(lexer);
}

static bool check_expr(const AstExpr *expr, void *source) {
    check_span(source, expr->span);
    CHECK(expr->depth >= 1 && expr->depth <= AST_DEPTH_LIMIT);
    return false;
}

static bool check_stmt(const AstStmt *stmt, void *source) {
    check_span(source, stmt->span);
    return false;
}

// Prints `expr`, reads that, prints what was read, and compares.
static void check_reprint(const AstExpr *expr) {
    Buffer text = {0};
    buffer_text(&text, "x = ");
    print_source_expr(&text, expr);
    Context *context = context_create();
    SourceFile *source = sources_add(context->sources, "again.tml", text.data, text.len);
    AstFile *again = parse_file(context, source);
    CHECK(context->diags->error_count == 0 && again->statements.count == 1);
    Buffer reprinted = {0};
    buffer_text(&reprinted, "x = ");
    print_source_expr(&reprinted, again->statements.items[0]->assign.value);
    CHECK(text.len == reprinted.len && memcmp(text.data, reprinted.data, text.len) == 0);
    buffer_free(&reprinted);
    buffer_free(&text);
    context_destroy(context);
}

static void check_statements(const AstFile *file) {
    for (size_t i = 0; i < file->statements.count; i++) {
        const AstStmt *stmt = file->statements.items[i];
        if (stmt->kind == AST_ASSIGN && stmt->assign.value->depth < DEPTH_THAT_REPRINTS) {
            check_reprint(stmt->assign.value);
        }
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Context *context = context_create();
    SourceFile *source = sources_add(context->sources, "fuzz.tml", (const char *)data, size);
    AstFile *file = parse_file(context, source);
    AstVisitor visitor = {.expr = check_expr, .stmt = check_stmt, .data = source};
    ast_visit_block(&file->statements, &visitor);
    Buffer tree = {0};
    ast_print_file(&tree, file);
    buffer_free(&tree);
    if (context->diags->error_count == 0) {
        check_statements(file);
    }
    check_tokens(context, source);
    context_destroy(context);
    return 0;
}
