// One function for each part of the tree, in the order of parser/ast.h. Members have the names that
// they have there; what is absent is null, so that a reader needs no defaults. Reals are texts of
// 17 digits, which read back equal, and strings are texts of hexadecimal digits, two for each byte,
// since they need not be UTF-8. Spans are relative to `base`.
#include "driver/ast_json.h"

#include "parser/ast_print.h"
#include "support/bug.h"
#include "support/json.h"

#include <stdio.h>

static const char *const expr_kinds[] = {
#define AST_EXPR(KIND, name, member) [AST_##KIND] = name,
#include "parser/ast.def"
};

static const char *const stmt_kinds[] = {
#define AST_STMT(KIND, name, member) [AST_##KIND] = name,
#include "parser/ast.def"
};

static json_t *write_expr(uint32_t base, const AstExpr *expr);
static json_t *write_type(uint32_t base, const AstType *type);
static json_t *write_block(uint32_t base, const AstBlock *block);

static void set_span(uint32_t base, json_t *node, Span span) {
    json_set(node, "start", json_count(span.start - base));
    json_set(node, "end", json_count(span.end - base));
}

static json_t *write_span(uint32_t base, Span span) {
    json_t *node = json_object();
    set_span(base, node, span);
    return node;
}

static json_t *write_node(uint32_t base, const char *kind, Span span) {
    json_t *node = json_object();
    json_set(node, "kind", json_word(kind));
    set_span(base, node, span);
    return node;
}

static json_t *write_real(double value) {
    char text[32];
    snprintf(text, sizeof(text), "%.17g", value);
    return json_word(text);
}

static json_t *write_bytes(Slice bytes) {
    Buffer digits = {0};
    buffer_text(&digits, "");
    for (size_t i = 0; i < bytes.len; i++) {
        buffer_format(&digits, "%02x", (unsigned char)bytes.data[i]);
    }
    json_t *value = json_text(digits.data, digits.len);
    buffer_free(&digits);
    return value;
}

static json_t *write_exprs(uint32_t base, const AstExprs *exprs) {
    json_t *list = json_array();
    for (size_t i = 0; i < exprs->count; i++) {
        json_add(list, write_expr(base, exprs->items[i]));
    }
    return list;
}

static json_t *write_name(uint32_t base, const AstName *name) {
    json_t *node = json_object();
    set_span(base, node, name->span);
    json_set(node, "name", json_word(name->name->text));
    json_set(node, "macro_indices", write_exprs(base, &name->macro_indices));
    return node;
}

static json_t *write_type(uint32_t base, const AstType *type) {
    if (type == NULL) {
        return json_null();
    }
    json_t *node = NULL;
    switch (type->kind) {
    case AST_TYPE_SCALAR: return write_node(base, ast_scalar_text(type->scalar), type->span);
    case AST_TYPE_TENSOR:
        node = write_node(base, "tensor", type->span);
        json_set(node, "base", write_type(base, type->tensor.base));
        json_set(node, "dims", write_exprs(base, &type->tensor.dims));
        return node;
    case AST_TYPE_OF:
        node = write_node(base, "type-of", type->span);
        json_set(node, "of", write_expr(base, type->of));
        return node;
    case AST_TYPE_ERROR: return write_node(base, "error", type->span);
    }
    UNREACHABLE();
}

static json_t *write_counts(const uint32_t *counts, uint32_t count) {
    json_t *list = json_array();
    for (uint32_t i = 0; i < count; i++) {
        json_add(list, json_count(counts[i]));
    }
    return list;
}

static void set_operators(uint32_t base, json_t *node, const AstExpr *expr) {
    if (expr->kind == AST_UNARY) {
        json_set(node, "op", json_word(ast_unary_text(expr->unary.op)));
        json_set(node, "op_span", write_span(base, expr->unary.op_span));
        json_set(node, "operand", write_expr(base, expr->unary.operand));
    } else if (expr->kind == AST_BINARY) {
        json_set(node, "op", json_word(ast_binary_text(expr->binary.op)));
        json_set(node, "op_span", write_span(base, expr->binary.op_span));
        json_set(node, "left", write_expr(base, expr->binary.left));
        json_set(node, "right", write_expr(base, expr->binary.right));
    } else {
        json_set(node, "op_span", write_span(base, expr->transpose.op_span));
        json_set(node, "operand", write_expr(base, expr->transpose.operand));
    }
}

static void set_expr_fields(uint32_t base, json_t *node, const AstExpr *expr) {
    switch (expr->kind) {
    case AST_INTEGER:
        json_set(node, "value", json_count(expr->integer.value));
        json_set(node, "is_unsigned", json_boolean(expr->integer.is_unsigned));
        return;
    case AST_REAL: json_set(node, "value", write_real(expr->real.value)); return;
    case AST_BOOLEAN: json_set(node, "value", json_boolean(expr->boolean)); return;
    case AST_STRING: json_set(node, "bytes", write_bytes(expr->string)); return;
    case AST_NAME: json_set(node, "name", write_name(base, &expr->name)); return;
    case AST_ATTR:
        json_set(node, "object", write_expr(base, expr->attr.object));
        json_set(node, "name", write_name(base, &expr->attr.name));
        return;
    case AST_INDEX:
        json_set(node, "object", write_expr(base, expr->index.object));
        json_set(node, "indices", write_exprs(base, &expr->index.indices));
        return;
    case AST_CALL:
        json_set(node, "callee", write_expr(base, expr->call.callee));
        json_set(node, "bang", json_boolean(expr->call.bang));
        json_set(node, "args", write_exprs(base, &expr->call.args));
        return;
    case AST_CAST:
        json_set(node, "type", write_type(base, expr->cast.type));
        json_set(node, "arg", write_expr(base, expr->cast.arg));
        return;
    case AST_UNARY:
    case AST_BINARY:
    case AST_TRANSPOSE: set_operators(base, node, expr); return;
    case AST_TENSOR:
        json_set(node, "elements", write_exprs(base, &expr->tensor.elements));
        json_set(node, "row_lengths",
                 write_counts(expr->tensor.row_lengths, expr->tensor.row_count));
        json_set(node, "page_rows", write_counts(expr->tensor.page_rows, expr->tensor.page_count));
        json_set(node, "rank", json_count(expr->tensor.rank));
        return;
    case AST_RANGE:
        json_set(node, "first", write_expr(base, expr->range.first));
        json_set(node, "last", write_expr(base, expr->range.last));
        json_set(node, "step", write_expr(base, expr->range.step));
        return;
    case AST_OPTIONAL: json_set(node, "optional", write_expr(base, expr->optional)); return;
    case AST_TYPE_ARG: json_set(node, "type", write_type(base, expr->type)); return;
    case AST_NAMED_ARG:
        json_set(node, "name", write_name(base, &expr->named.name));
        json_set(node, "value", write_expr(base, expr->named.value));
        return;
    case AST_ELLIPSIS:
    case AST_ERROR: return;
    }
    UNREACHABLE();
}

static json_t *write_expr(uint32_t base, const AstExpr *expr) {
    if (expr == NULL) {
        return json_null();
    }
    json_t *node = write_node(base, expr_kinds[expr->kind], expr->span);
    json_set(node, "parenthesized", json_boolean(expr->parenthesized));
    set_expr_fields(base, node, expr);
    return node;
}

static void set_assign(uint32_t base, json_t *node, const AstStmt *stmt) {
    json_set(node, "target", write_expr(base, stmt->assign.target));
    json_set(node, "value", write_expr(base, stmt->assign.value));
    json_set(node, "op_span", write_span(base, stmt->assign.op_span));
    json_set(node, "op",
             stmt->assign.compound ? json_word(ast_binary_text(stmt->assign.op)) : json_null());
    json_set(node, "optional", json_boolean(stmt->assign.optional));
}

static void set_decl(uint32_t base, json_t *node, const AstStmt *stmt) {
    json_set(node, "type", write_type(base, stmt->decl.type));
    json_set(node, "name", write_name(base, &stmt->decl.name));
    json_set(node, "value", write_expr(base, stmt->decl.value));
    json_set(node, "type_optional", json_boolean(stmt->decl.type_optional));
    json_set(node, "name_optional", json_boolean(stmt->decl.name_optional));
}

static void set_terminal(uint32_t base, json_t *node, const AstStmt *stmt) {
    static const struct {
        AstModifier modifier;
        const char *text;
    } modifiers[] = {
        {AST_MODIFIER_IN, "in"},
        {AST_MODIFIER_OUT, "out"},
        {AST_MODIFIER_OPTIONAL, "optional"},
        {AST_MODIFIER_TUNABLE, "tunable"},
        {AST_MODIFIER_FEEDTHROUGH, "feedthrough"},
        {AST_MODIFIER_NOT_FEEDTHROUGH, "not feedthrough"},
    };
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof(modifiers) / sizeof(modifiers[0]); i++) {
        if ((stmt->terminal.modifiers & modifiers[i].modifier) != 0) {
            json_add(list, json_word(modifiers[i].text));
        }
    }
    json_set(node, "modifiers", list);
    json_set(node, "type", write_type(base, stmt->terminal.type));
    json_set(node, "space", write_name(base, &stmt->terminal.space));
    json_set(node, "name", write_name(base, &stmt->terminal.name));
    json_set(node, "value", write_expr(base, stmt->terminal.value));
}

static void set_otherwise(uint32_t base, json_t *node, bool present, const AstBlock *block) {
    json_set(node, "otherwise", present ? write_block(base, block) : json_null());
}

static void set_branch(uint32_t base, json_t *node, const AstStmt *stmt) {
    json_t *arms = json_array();
    for (size_t i = 0; i < stmt->branch.arm_count; i++) {
        const AstArm *arm = &stmt->branch.arms[i];
        json_t *item = write_span(base, arm->span);
        json_set(item, "condition", write_expr(base, arm->condition));
        json_set(item, "body", write_block(base, &arm->body));
        json_add(arms, item);
    }
    json_set(node, "arms", arms);
    set_otherwise(base, node, stmt->branch.has_otherwise, &stmt->branch.otherwise);
}

static void set_guard(uint32_t base, json_t *node, const AstStmt *stmt) {
    json_set(node, "feedthrough", json_boolean(stmt->guard.feedthrough));
    json_set(node, "negated", json_boolean(stmt->guard.negated));
    json_set(node, "names", write_exprs(base, &stmt->guard.names));
    json_set(node, "body", write_block(base, &stmt->guard.body));
    set_otherwise(base, node, stmt->guard.has_otherwise, &stmt->guard.otherwise);
}

static void set_function(uint32_t base, json_t *node, const AstStmt *stmt) {
    json_set(node, "name", write_name(base, &stmt->function.name));
    json_t *params = json_array();
    for (size_t i = 0; i < stmt->function.param_count; i++) {
        json_t *param = json_object();
        json_set(param, "type", write_type(base, stmt->function.params[i].type));
        json_set(param, "name", write_name(base, &stmt->function.params[i].name));
        json_set(param, "value", write_expr(base, stmt->function.params[i].value));
        json_set(param, "is_var", json_boolean(stmt->function.params[i].is_var));
        json_add(params, param);
    }
    json_set(node, "params", params);
    json_t *results = json_array();
    for (size_t i = 0; i < stmt->function.result_count; i++) {
        json_add(results, write_type(base, stmt->function.results[i]));
    }
    json_set(node, "results", results);
    json_set(node, "body", write_block(base, &stmt->function.body));
    json_set(node, "end_span", write_span(base, stmt->function.end_span));
}

static void set_test(uint32_t base, json_t *node, const AstStmt *stmt) {
    const AstName *error = &stmt->function.error;
    json_set(node, "name", write_name(base, &stmt->function.name));
    json_set(node, "error", error->name == NULL ? json_null() : write_name(base, error));
    json_set(node, "body", write_block(base, &stmt->function.body));
    json_set(node, "end_span", write_span(base, stmt->function.end_span));
}

static void set_instance(uint32_t base, json_t *node, const AstStmt *stmt) {
    json_set(node, "name", write_name(base, &stmt->instance.name));
    json_set(node, "count", write_expr(base, stmt->instance.count));
    json_set(node, "path", write_bytes(stmt->instance.path));
    json_set(node, "path_span", write_span(base, stmt->instance.path_span));
    json_t *settings = json_array();
    for (size_t i = 0; i < stmt->instance.setting_count; i++) {
        const AstSetting *setting = &stmt->instance.settings[i];
        json_t *item = json_object();
        json_set(item, "space", write_name(base, &setting->space));
        json_set(item, "name", write_name(base, &setting->name));
        json_set(item, "value", write_expr(base, setting->value));
        json_add(settings, item);
    }
    json_set(node, "settings", settings);
    json_set(node, "every", write_expr(base, stmt->instance.every));
    json_set(node, "offset", write_expr(base, stmt->instance.offset));
}

static void set_stmt_fields(uint32_t base, json_t *node, const AstStmt *stmt) {
    switch (stmt->kind) {
    case AST_ASSIGN:
    case AST_SEND: set_assign(base, node, stmt); return;
    case AST_ASSIGN_ALL:
        json_set(node, "targets", write_exprs(base, &stmt->assign_all.targets));
        json_set(node, "value", write_expr(base, stmt->assign_all.value));
        json_set(node, "op_span", write_span(base, stmt->assign_all.op_span));
        return;
    case AST_DECL: set_decl(base, node, stmt); return;
    case AST_TERMINAL: set_terminal(base, node, stmt); return;
    case AST_IO:
        json_set(node, "is_output", json_boolean(stmt->io.is_output));
        json_set(node, "type", write_type(base, stmt->io.type));
        json_set(node, "arguments", write_exprs(base, &stmt->io.arguments));
        json_set(node, "name", write_name(base, &stmt->io.name));
        return;
    case AST_IF:
    case AST_MACRO_IF: set_branch(base, node, stmt); return;
    case AST_WHILE:
        json_set(node, "condition", write_expr(base, stmt->loop.condition));
        json_set(node, "body", write_block(base, &stmt->loop.body));
        return;
    case AST_FOR:
    case AST_MACRO_FOR:
        json_set(node, "name", write_name(base, &stmt->for_loop.name));
        json_set(node, "range", write_expr(base, stmt->for_loop.range));
        json_set(node, "body", write_block(base, &stmt->for_loop.body));
        return;
    case AST_RETURN: json_set(node, "values", write_exprs(base, &stmt->values)); return;
    case AST_CALL_STMT: json_set(node, "call", write_expr(base, stmt->call)); return;
    case AST_GUARD: set_guard(base, node, stmt); return;
    case AST_IMPORT:
        json_set(node, "path", write_bytes(stmt->import.path));
        json_set(node, "path_span", write_span(base, stmt->import.path_span));
        return;
    case AST_INSTANCE: set_instance(base, node, stmt); return;
    case AST_CONNECT:
        json_set(node, "target", write_expr(base, stmt->connect.target));
        json_set(node, "value", write_expr(base, stmt->connect.value));
        return;
    case AST_FUNCTION: set_function(base, node, stmt); return;
    case AST_TEST: set_test(base, node, stmt); return;
    case AST_BREAK:
    case AST_CONTINUE:
    case AST_PASS:
    case AST_ERROR_STMT: return;
    }
    UNREACHABLE();
}

static json_t *write_block(uint32_t base, const AstBlock *block) {
    json_t *list = json_array();
    for (size_t i = 0; i < block->count; i++) {
        const AstStmt *stmt = block->items[i];
        json_t *node = write_node(base, stmt_kinds[stmt->kind], stmt->span);
        set_stmt_fields(base, node, stmt);
        json_add(list, node);
    }
    return list;
}

void ast_json_print(Buffer *out, const AstFile *file) {
    json_t *root = json_object();
    json_set(root, "statements", write_block(file->source->base, &file->statements));
    json_finish(root, out);
}
