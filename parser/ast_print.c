// The tree as S-expressions: an expression on one line, a statement on a line of its own, the
// statements of a block indented below their header. Everything but spans is shown.
#include "parser/ast_print.h"

#include "support/bug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const expr_kinds[] = {
#define AST_EXPR(KIND, name, member) name,
#include "parser/ast.def"
};

static const char *const stmt_kinds[] = {
#define AST_STMT(KIND, name, member) name,
#include "parser/ast.def"
};

const char *ast_scalar_text(AstScalar scalar) {
    static const char *const texts[] = {
        [AST_SCALAR_BOOL] = "bool", [AST_SCALAR_UINT] = "uint", [AST_SCALAR_INT] = "int",
        [AST_SCALAR_REAL] = "real", [AST_SCALAR_STR] = "str",   [AST_SCALAR_CHAR] = "char"};
    return texts[scalar];
}

// Bytes beyond ASCII are escaped: `\xFF` may have put some there that are not UTF-8.
static void print_string(Buffer *out, Slice string) {
    buffer_text(out, "\"");
    for (size_t i = 0; i < string.len; i++) {
        unsigned char c = (unsigned char)string.data[i];
        switch (c) {
        case '\n': buffer_text(out, "\\n"); break;
        case '\t': buffer_text(out, "\\t"); break;
        case '"': buffer_text(out, "\\\""); break;
        case '\\': buffer_text(out, "\\\\"); break;
        default:
            if (c < 0x20 || c >= 0x7f) {
                buffer_format(out, "\\x%02X", c);
            } else {
                buffer_append(out, &string.data[i], 1);
            }
        }
    }
    buffer_text(out, "\"");
}

// The fewest digits that read back equal, with a point or an exponent.
static void print_real(Buffer *out, double value) {
    enum { DIGITS_THAT_SUFFICE = 17 };
    char text[40];
    for (int digits = 1; digits <= DIGITS_THAT_SUFFICE; digits++) {
        snprintf(text, sizeof(text), "%.*g", digits, value);
        if (strtod(text, NULL) == value) {
            break;
        }
    }
    buffer_text(out, text);
    if (strpbrk(text, ".e") == NULL) {
        buffer_text(out, ".0");
    }
}

void ast_text_literal(Buffer *out, const AstExpr *expr) {
    if (expr->kind == AST_INTEGER) {
        buffer_format(out, "%u%s", expr->integer.value, expr->integer.is_unsigned ? "u" : "");
    } else if (expr->kind == AST_REAL) {
        print_real(out, expr->real.value);
    } else if (expr->kind == AST_BOOLEAN) {
        buffer_text(out, expr->boolean ? "true" : "false");
    } else {
        CHECK(expr->kind == AST_STRING);
        print_string(out, expr->string);
    }
}

static void print_expr(Buffer *out, const AstExpr *expr);
static void print_type(Buffer *out, const char *before, const AstType *type);

static void print_exprs(Buffer *out, const AstExprs *exprs) {
    for (size_t i = 0; i < exprs->count; i++) {
        buffer_text(out, " ");
        print_expr(out, exprs->items[i]);
    }
}

static void print_name(Buffer *out, const char *before, const AstName *name) {
    buffer_format(out, "%s%s", before, name->name->text);
    if (name->macro_indices.count > 0) {
        buffer_text(out, "{");
        for (size_t i = 0; i < name->macro_indices.count; i++) {
            buffer_text(out, i == 0 ? "" : " ");
            print_expr(out, name->macro_indices.items[i]);
        }
        buffer_text(out, "}");
    }
}

static void print_part(Buffer *out, const AstExpr *expr) {
    buffer_text(out, " ");
    if (expr == NULL) {
        buffer_text(out, "_");
    } else {
        print_expr(out, expr);
    }
}

// The rank, then the elements with `;` between rows and `|` between pages.
static void print_tensor(Buffer *out, const AstExpr *expr) {
    buffer_format(out, " %u", expr->tensor.rank);
    size_t element = 0;
    uint32_t row = 0;
    for (uint32_t page = 0; page < expr->tensor.page_count; page++) {
        buffer_text(out, page == 0 ? "" : " |");
        for (uint32_t i = 0; i < expr->tensor.page_rows[page]; i++, row++) {
            buffer_text(out, i == 0 ? "" : " ;");
            for (uint32_t k = 0; k < expr->tensor.row_lengths[row]; k++) {
                print_part(out, expr->tensor.elements.items[element++]);
            }
        }
    }
}

static void print_fields(Buffer *out, const AstExpr *expr) {
    switch (expr->kind) {
    case AST_INTEGER:
    case AST_REAL:
    case AST_BOOLEAN:
    case AST_STRING:
        buffer_text(out, " ");
        ast_text_literal(out, expr);
        return;
    case AST_NAME: print_name(out, " ", &expr->name); return;
    case AST_ATTR:
        print_part(out, expr->attr.object);
        print_name(out, " ", &expr->attr.name);
        return;
    case AST_CALL:
        buffer_text(out, expr->call.bang ? " !" : "");
        print_part(out, expr->call.callee);
        print_exprs(out, &expr->call.args);
        return;
    case AST_CAST:
        print_type(out, " ", expr->cast.type);
        print_part(out, expr->cast.arg);
        return;
    case AST_UNARY:
        buffer_format(out, " %s", ast_unary_text(expr->unary.op));
        print_part(out, expr->unary.operand);
        return;
    case AST_TRANSPOSE: print_part(out, expr->transpose.operand); return;
    case AST_TENSOR: print_tensor(out, expr); return;
    case AST_RANGE:
        print_part(out, expr->range.first);
        print_part(out, expr->range.last);
        print_part(out, expr->range.step);
        return;
    case AST_OPTIONAL: print_part(out, expr->optional); return;
    case AST_TYPE_ARG: print_type(out, " ", expr->type); return;
    case AST_NAMED_ARG:
        print_name(out, " ", &expr->named.name);
        print_part(out, expr->named.value);
        return;
    case AST_ELLIPSIS:
    case AST_ERROR: return;
    case AST_INDEX:
    case AST_BINARY: break; // see print_chain
    }
    UNREACHABLE();
}

static void open_expr(Buffer *out, const AstExpr *expr) {
    buffer_text(out, expr->parenthesized ? "(paren (" : "(");
    buffer_text(out, expr_kinds[expr->kind]);
}

static void close_expr(Buffer *out, const AstExpr *expr) {
    buffer_text(out, expr->parenthesized ? "))" : ")");
}

static void print_chain(Buffer *out, const AstExpr *expr) {
    const AstExpr **nodes = ast_chain_nodes(expr);
    for (size_t i = 0; i < expr->chain; i++) {
        buffer_text(out, i == 0 ? "" : " ");
        open_expr(out, nodes[i]);
        if (expr->kind == AST_BINARY) {
            buffer_format(out, " %s", ast_binary_text(nodes[i]->binary.op));
        }
    }
    print_part(out, ast_chain_next(nodes[expr->chain - 1]));
    for (size_t i = expr->chain; i-- > 0;) {
        if (expr->kind == AST_BINARY) {
            print_part(out, nodes[i]->binary.right);
        } else {
            print_exprs(out, &nodes[i]->index.indices);
        }
        close_expr(out, nodes[i]);
    }
    free(nodes);
}

static void print_expr(Buffer *out, const AstExpr *expr) {
    if (expr->chain > 0) {
        print_chain(out, expr);
        return;
    }
    open_expr(out, expr);
    print_fields(out, expr);
    close_expr(out, expr);
}

static void print_type(Buffer *out, const char *before, const AstType *type) {
    buffer_text(out, before);
    switch (type->kind) {
    case AST_TYPE_SCALAR: buffer_text(out, ast_scalar_text(type->scalar)); return;
    case AST_TYPE_TENSOR:
        buffer_text(out, "(tensor");
        print_type(out, " ", type->tensor.base);
        print_exprs(out, &type->tensor.dims);
        buffer_text(out, ")");
        return;
    case AST_TYPE_OF:
        buffer_text(out, "(type-of");
        print_part(out, type->of);
        buffer_text(out, ")");
        return;
    case AST_TYPE_ERROR: buffer_text(out, "(error)"); return;
    }
    UNREACHABLE();
}

static void print_stmt(Buffer *out, const AstStmt *stmt, size_t indent);

static void begin_line(Buffer *out, size_t indent) {
    buffer_text(out, "\n");
    buffer_repeat(out, ' ', 2 * indent);
}

static void print_block(Buffer *out, const AstBlock *block, size_t indent) {
    for (size_t i = 0; i < block->count; i++) {
        begin_line(out, indent);
        print_stmt(out, block->items[i], indent);
    }
}

static void print_else(Buffer *out, bool present, const AstBlock *block, size_t indent) {
    if (present) {
        begin_line(out, indent);
        buffer_text(out, "(else");
        print_block(out, block, indent + 1);
        buffer_text(out, ")");
    }
}

static void print_assign(Buffer *out, const AstStmt *stmt) {
    if (stmt->assign.compound) {
        buffer_format(out, " %s=", ast_binary_text(stmt->assign.op));
    }
    buffer_text(out, stmt->assign.optional ? " ?" : "");
    print_part(out, stmt->assign.target);
    print_part(out, stmt->assign.value);
}

static void print_decl(Buffer *out, const AstStmt *stmt) {
    print_type(out, " ", stmt->decl.type);
    print_name(out, stmt->decl.type_optional ? "? " : " ", &stmt->decl.name);
    buffer_text(out, stmt->decl.name_optional ? "?" : "");
    print_part(out, stmt->decl.value);
}

static void print_terminal(Buffer *out, const AstStmt *stmt) {
    static const struct {
        AstModifier modifier;
        const char *text;
    } modifiers[] = {
        {AST_MODIFIER_IN, "in"},
        {AST_MODIFIER_OUT, "out"},
        {AST_MODIFIER_OPTIONAL, "optional"},
        {AST_MODIFIER_TUNABLE, "tunable"},
        {AST_MODIFIER_FEEDTHROUGH, "feedthrough"},
        {AST_MODIFIER_NOT_FEEDTHROUGH, "not-feedthrough"},
    };
    for (size_t i = 0; i < sizeof(modifiers) / sizeof(modifiers[0]); i++) {
        if ((stmt->terminal.modifiers & modifiers[i].modifier) != 0) {
            buffer_format(out, " %s", modifiers[i].text);
        }
    }
    print_type(out, " ", stmt->terminal.type);
    print_name(out, " ", &stmt->terminal.space);
    print_name(out, ".", &stmt->terminal.name);
    if (stmt->terminal.value != NULL) {
        print_part(out, stmt->terminal.value);
    }
}

static void print_branch(Buffer *out, const AstStmt *stmt, size_t indent) {
    for (size_t i = 0; i < stmt->branch.arm_count; i++) {
        const AstArm *arm = &stmt->branch.arms[i];
        begin_line(out, indent + 1);
        buffer_text(out, "(arm");
        print_part(out, arm->condition);
        print_block(out, &arm->body, indent + 2);
        buffer_text(out, ")");
    }
    print_else(out, stmt->branch.has_otherwise, &stmt->branch.otherwise, indent + 1);
}

static void print_guard(Buffer *out, const AstStmt *stmt, size_t indent) {
    buffer_text(out, stmt->guard.negated ? " not" : "");
    buffer_text(out, stmt->guard.feedthrough ? " feedthrough" : " exists");
    print_exprs(out, &stmt->guard.names);
    print_block(out, &stmt->guard.body, indent + 1);
    print_else(out, stmt->guard.has_otherwise, &stmt->guard.otherwise, indent + 1);
}

static void print_function(Buffer *out, const AstStmt *stmt, size_t indent) {
    print_name(out, " ", &stmt->function.name);
    buffer_text(out, " (");
    for (size_t i = 0; i < stmt->function.param_count; i++) {
        const AstParam *param = &stmt->function.params[i];
        buffer_text(out, i == 0 ? "" : " ");
        print_type(out, param->is_var ? "(var " : "(", param->type);
        print_name(out, " ", &param->name);
        if (param->value != NULL) {
            print_part(out, param->value);
        }
        buffer_text(out, ")");
    }
    buffer_text(out, ")");
    for (size_t i = 0; i < stmt->function.result_count; i++) {
        print_type(out, " ", stmt->function.results[i]);
    }
    print_block(out, &stmt->function.body, indent + 1);
}

static void print_test(Buffer *out, const AstStmt *stmt, size_t indent) {
    Name text = stmt->function.name.name;
    buffer_text(out, " ");
    print_string(out, (Slice){text->text, text->len});
    if (stmt->function.error.name != NULL) {
        print_name(out, " ", &stmt->function.error);
    }
    print_block(out, &stmt->function.body, indent + 1);
}

static void print_instance(Buffer *out, const AstStmt *stmt) {
    print_name(out, " ", &stmt->instance.name);
    const AstExpr *parts[] = {stmt->instance.count, stmt->instance.every, stmt->instance.offset};
    static const char *const words[] = {" count", " every", " offset"};
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (parts[i] != NULL) {
            buffer_text(out, words[i]);
            print_part(out, parts[i]);
        }
    }
    buffer_text(out, " ");
    print_string(out, stmt->instance.path);
    for (size_t i = 0; i < stmt->instance.setting_count; i++) {
        const AstSetting *setting = &stmt->instance.settings[i];
        print_name(out, " (", &setting->space);
        print_name(out, ".", &setting->name);
        print_part(out, setting->value);
        buffer_text(out, ")");
    }
}

static void print_stmt_fields(Buffer *out, const AstStmt *stmt, size_t indent) {
    switch (stmt->kind) {
    case AST_ASSIGN:
    case AST_SEND: print_assign(out, stmt); return;
    case AST_ASSIGN_ALL:
        print_exprs(out, &stmt->assign_all.targets);
        buffer_text(out, " =");
        print_part(out, stmt->assign_all.value);
        return;
    case AST_DECL: print_decl(out, stmt); return;
    case AST_TERMINAL: print_terminal(out, stmt); return;
    case AST_IO:
        print_type(out, stmt->io.is_output ? " out " : " in ", stmt->io.type);
        print_exprs(out, &stmt->io.arguments);
        print_name(out, " ", &stmt->io.name);
        return;
    case AST_IF:
    case AST_MACRO_IF: print_branch(out, stmt, indent); return;
    case AST_WHILE:
        print_part(out, stmt->loop.condition);
        print_block(out, &stmt->loop.body, indent + 1);
        return;
    case AST_FOR:
    case AST_MACRO_FOR:
        print_name(out, " ", &stmt->for_loop.name);
        print_part(out, stmt->for_loop.range);
        print_block(out, &stmt->for_loop.body, indent + 1);
        return;
    case AST_RETURN: print_exprs(out, &stmt->values); return;
    case AST_CALL_STMT: print_part(out, stmt->call); return;
    case AST_GUARD: print_guard(out, stmt, indent); return;
    case AST_IMPORT:
        buffer_text(out, " ");
        print_string(out, stmt->import.path);
        return;
    case AST_INSTANCE: print_instance(out, stmt); return;
    case AST_CONNECT:
        print_part(out, stmt->connect.target);
        print_part(out, stmt->connect.value);
        return;
    case AST_FUNCTION: print_function(out, stmt, indent); return;
    case AST_TEST: print_test(out, stmt, indent); return;
    case AST_BREAK:
    case AST_CONTINUE:
    case AST_PASS:
    case AST_ERROR_STMT: return;
    }
    UNREACHABLE();
}

static void print_stmt(Buffer *out, const AstStmt *stmt, size_t indent) {
    buffer_format(out, "(%s", stmt_kinds[stmt->kind]);
    print_stmt_fields(out, stmt, indent);
    buffer_text(out, ")");
}

void ast_print_file(Buffer *out, const AstFile *file) {
    for (size_t i = 0; i < file->statements.count; i++) {
        print_stmt(out, file->statements.items[i], 0);
        buffer_text(out, "\n");
    }
}
