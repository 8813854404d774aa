// See ast_text.h: names of scalar types, strings with their escapes, and reals with the fewest
// digits that read back equal, so that a printed tree says exactly what the source did.
#include "parser/ast_text.h"

#include "support/bug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *ast_scalar_text(AstScalar scalar) {
    switch (scalar) {
    case AST_SCALAR_BOOL: return "bool";
    case AST_SCALAR_UINT: return "uint";
    case AST_SCALAR_INT: return "int";
    case AST_SCALAR_REAL: return "real";
    case AST_SCALAR_STR: return "str";
    case AST_SCALAR_CHAR: return "char";
    }
    UNREACHABLE();
}

// Bytes beyond ASCII are escaped: `\xFF` may have put some there that are not UTF-8.
void ast_text_string(Buffer *out, Slice string) {
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
    switch (expr->kind) {
    case AST_INTEGER:
        buffer_format(out, "%u%s", expr->integer.value, expr->integer.is_unsigned ? "u" : "");
        return;
    case AST_REAL: print_real(out, expr->real); return;
    case AST_BOOLEAN: buffer_text(out, expr->boolean ? "true" : "false"); return;
    case AST_STRING: ast_text_string(out, expr->string); return;
    default: UNREACHABLE();
    }
}
