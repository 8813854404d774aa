// Numbers, strings, and text that is no token (L1.1, L1.5 to L1.7).
#include "lexed.h"
#include "lexer/lexer.h"

#include <criterion/criterion.h>
#include <locale.h>
#include <math.h>
#include <string.h>

// The only token of `text`. The caller destroys *context.
static Token lex_one(const char *text, Context **context) {
    *context = context_create();
    SourceFile *source = sources_add((*context)->sources, "test.tml", text, strlen(text));
    Lexer *lexer = lexer_create(*context, source);
    Token token = lexer_next(lexer);
    cr_expect_eq(lexer_next(lexer).kind, TOKEN_END_OF_FILE, "%s", text);
    cr_expect_eq((*context)->diags->error_count, 0, "%s", text);
    lexer_destroy(lexer);
    return token;
}

Test(literals, integers) {
    static const struct {
        const char *text;
        uint32_t value;
        bool is_unsigned;
    } rows[] = {
        {"0", 0, false},
        {"42", 42, false},
        {"007", 7, false},
        {"100_000", 100000, false},
        {"42u", 42, true},
        {"42U", 42, true},
        {"0b1011", 11, false},
        {"0b1_0u", 2, true},
        {"0x2A", 42, false},
        {"0xff_ffU", 65535, true},
        {"0x7FFFFFFF", 2147483647, false},
        {"2147483647", 2147483647, false},
        {"2147483648", 2147483648, false}, // legal under a unary minus: the checker decides
        {"4294967295u", 4294967295, true},
        {"0xFFFFFFFFu", 4294967295, true},
        {"0000000000000000000000001", 1, false},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        Context *context;
        Token token = lex_one(rows[i].text, &context);
        cr_expect_eq(token.kind, TOKEN_INTEGER_LITERAL, "%s", rows[i].text);
        cr_expect_eq(token.integer.value, rows[i].value, "%s", rows[i].text);
        cr_expect_eq(token.integer.is_unsigned, rows[i].is_unsigned, "%s", rows[i].text);
        context_destroy(context);
    }
}

static const struct {
    const char *text;
    double value;
} reals[] = {
    {"2.5", 2.5},
    {"1.05e-1", 0.105},
    {"1e10", 1e10},
    {"1e+20", 1e20},
    {"1E3", 1000},
    {"1_0.2_5", 10.25},
    {"0.1", 0.1},
    {"5e-324", 5e-324},
    {"1e-400", 0},
    {"1e1_0", 1e10},
    {"9007199254740993.0", 9007199254740992.0},
    {"1.7976931348623157e308", 1.7976931348623157e308},
};

static void expect_reals(void) {
    for (size_t i = 0; i < sizeof(reals) / sizeof(reals[0]); i++) {
        Context *context;
        Token token = lex_one(reals[i].text, &context);
        cr_expect_eq(token.kind, TOKEN_REAL_LITERAL, "%s", reals[i].text);
        cr_expect(token.real.value == reals[i].value, "%s is %.17g", reals[i].text,
                  token.real.value);
        context_destroy(context);
    }
}

Test(literals, reals) {
    expect_reals();
}

Test(literals, reals_in_a_locale_with_a_comma) {
    if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) {
        cr_skip_test("no such locale here");
    }
    expect_reals();
}

Test(literals, strings) {
    static const struct {
        const char *text, *value;
        size_t len;
    } rows[] = {
        {"\"abc\"", "abc", 3},
        {"''", "", 0},
        {"'a\"b'", "a\"b", 3},
        {"\"it's\"", "it's", 4},
        {"\"\\n\\t\\\\\\\"\\'\"", "\n\t\\\"'", 5},
        {"'\\x41\\x00\\xfF'", "A\0\xff", 3},
        {"'gr\xC3\xB6\xC3\x9F"
         "e # no comment'",
         "gr\xC3\xB6\xC3\x9F"
         "e # no comment",
         20},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        Context *context;
        Token token = lex_one(rows[i].text, &context);
        cr_expect_eq(token.kind, TOKEN_STRING_LITERAL, "%s", rows[i].text);
        cr_expect_eq(token.string.len, rows[i].len, "%s", rows[i].text);
        cr_expect_eq(memcmp(token.string.data, rows[i].value, rows[i].len), 0, "%s", rows[i].text);
        cr_expect_eq(token.span.end - token.span.start, strlen(rows[i].text), "%s", rows[i].text);
        context_destroy(context);
    }
}

Test(literals, a_point_next_to_an_operator_is_part_of_the_operator) {
    expect_kinds("2.*b", "INTEGER_LITERAL DOT_STAR NAME");
    expect_kinds("a[2...]", "NAME INDEX_BRACKET INTEGER_LITERAL ELLIPSIS CLOSE_BRACKET");
    expect_kinds("0:2", "INTEGER_LITERAL COLON INTEGER_LITERAL");
    expect_kinds("2.5.*b", "REAL_LITERAL DOT_STAR NAME");
    expect_kinds("2u.*b", "INTEGER_LITERAL DOT_STAR NAME");
}

Test(literals, errors) {
    static const struct {
        const char *text, *errors, *kinds;
    } rows[] = {
        {"x = .3", "E0103 1:5", "NAME ASSIGN BAD_LITERAL"},
        {"x = 2.", "E0103 1:5", "NAME ASSIGN BAD_LITERAL"},
        {"2.e5", "E0103 1:1", "BAD_LITERAL"},
        {"2.**b", "E0103 1:1", "BAD_LITERAL POWER NAME"},
        {"2..3", "E0201 1:2", "INTEGER_LITERAL COLON INTEGER_LITERAL"},
        {"2147483649", "E0104 1:1", "BAD_LITERAL"},
        {"4294967296u", "E0104 1:1", "BAD_LITERAL"},
        {"0xFFFFFFFF", "E0104 1:1", "BAD_LITERAL"},
        {"99999999999999999999999999999999", "E0104 1:1", "BAD_LITERAL"},
        {"1e999", "E0104 1:1", "BAD_LITERAL"},
        {"\"abc", "E0105 1:1", "BAD_LITERAL"},
        {"'abc\nx", "E0105 1:1", "BAD_LITERAL NAME"},
        {"'abc\\", "E0105 1:1", "BAD_LITERAL"},
        {"'abc\\\r\nx", "E0105 1:1", "BAD_LITERAL NAME"},
        {"x '", "E0105 1:3", "NAME BAD_LITERAL"},
        {"'a\\qb'", "E0106 1:3", "STRING_LITERAL"},
        {"'\\x4'", "E0106 1:2", "STRING_LITERAL"},
        {"'\\q\\z'", "E0106 1:2; E0106 1:4", "STRING_LITERAL"},
        {"1.2.3", "E0107 1:1", "BAD_LITERAL"},
        {"12abc", "E0107 1:1", "BAD_LITERAL"},
        {"0b102", "E0107 1:1", "BAD_LITERAL"},
        {"0x", "E0107 1:1", "BAD_LITERAL"},
        {"0XFF", "E0107 1:1", "BAD_LITERAL"},
        {"1__0", "E0107 1:1", "BAD_LITERAL"},
        {"1_", "E0107 1:1", "BAD_LITERAL"},
        {"1e", "E0107 1:1", "BAD_LITERAL"},
        {"1.5x", "E0107 1:1", "BAD_LITERAL"},
        {"1.5e3x", "E0107 1:1", "BAD_LITERAL"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        expect_errors(rows[i].text, strlen(rows[i].text), rows[i].errors, rows[i].kinds);
    }
}

Test(characters, text_that_is_no_token_is_left_out) {
    static const struct {
        const char *text, *errors, *kinds;
    } rows[] = {
        {"x $ y", "E0102 1:3", "NAME NAME"},
        {"x $$ y", "E0102 1:3; E0102 1:4", "NAME NAME"},
        {"gr\xC3\xB6\xC3\x9F"
         "e = 1",
         "E0102 1:3", "NAME ASSIGN INTEGER_LITERAL"},
        {"\xC3\xB6 = 1", "E0102 1:1", "NAME ASSIGN INTEGER_LITERAL"},
        {"a \xE2\x88\x92 b", "E0102 1:3", "NAME MINUS NAME"},
        {"a \xE2\x89\xA4 b", "E0102 1:3", "NAME LESS_EQUAL NAME"},
        {"a\xC2\xA0= 1", "E0102 1:2", "NAME ASSIGN INTEGER_LITERAL"},
        {"# gr\xC3\xB6\xC3\x9F"
         "e\nx",
         "", "NAME"},
        {"x\ry", "E0102 1:2", "NAME NAME"},
        {"x\fy", "E0102 1:2", "NAME NAME"},
        {"a && b || !c", "E0102 1:3; E0102 1:8; E0102 1:11", "NAME AND NAME OR NOT NAME"},
        {"a ~= b", "E0102 1:3", "NAME NOT_EQUAL NAME"},
        {"a := b", "E0102 1:3", "NAME ASSIGN NAME"},
        {"x // y\nz", "E0102 1:3", "NAME NAME"},
        {"x /* y\n */ z", "E0102 1:3", "NAME NAME"},
        {"x /* y", "E0102 1:3", "NAME"},
        {"(* y *) x", "E0102 1:1", "NAME"},
        {"(*y) x", "", "OPEN_PAREN STAR NAME CLOSE_PAREN NAME"},
        {"x = 3; y = 4;", "E0201 1:6", "NAME ASSIGN INTEGER_LITERAL NAME ASSIGN INTEGER_LITERAL"},
    };
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        expect_errors(rows[i].text, strlen(rows[i].text), rows[i].errors, rows[i].kinds);
    }
}

Test(characters, bytes_that_are_not_utf8) {
    expect_errors("# caf\xE9\nx", 8, "E0101 1:6", "NAME");
    expect_errors("'\xFF\xFE' x", 6, "E0101 1:2", "STRING_LITERAL NAME");
    expect_errors("x\0y", 3, "E0101 1:2", "NAME NAME");
    expect_errors("#\xC0\x80", 3, "E0101 1:2", "");         // overlong
    expect_errors("#\xED\xA0\x80", 4, "E0101 1:2", "");     // surrogate
    expect_errors("#\xF4\x90\x80\x80", 5, "E0101 1:2", ""); // beyond Unicode
    expect_errors("#\xE2\x82", 3, "E0101 1:2", "");         // cut
    expect_errors("x\xFF = 1", 6, "E0101 1:2", "NAME ASSIGN INTEGER_LITERAL");
}

Test(characters, texts_that_cannot_be_read_have_one_message) {
    expect_errors("\xFF\xFEx\0\n\0y\0", 8, "E0101 1:1", "");
    expect_errors("\xFE\xFF\0x\0\n\0y", 8, "E0101 1:1", "");
    expect_errors("x\0=\0", 4, "E0101 1:1", "");
    expect_errors("\0x\0=", 4, "E0101 1:1", "");
    expect_errors("x = 1\ry = 2\r", 12, "E0102 1:6", "");
    expect_errors("# only\ra comment\r", 17, "", "");
}

Test(characters, byte_order_mark_and_line_ends) {
    expect_kinds("\xEF\xBB\xBFx = 1", "NAME ASSIGN INTEGER_LITERAL");
    expect_kinds("x = 1\r\ny = 2\r\n", "NAME ASSIGN INTEGER_LITERAL NAME ASSIGN INTEGER_LITERAL");
    expect_kinds("", "");
    expect_kinds("\xEF\xBB\xBF", "");
    expect_kinds("  \t\n# only a comment", "");
}

Test(characters, tokens_know_their_place) {
    Context *context = context_create();
    const char *text = "ab = 1\r\n  'x' # c\n";
    SourceFile *source = sources_add(context->sources, "test.tml", text, strlen(text));
    Buffer out = {0};
    lexer_print_tokens(&out, context, source);
    cr_expect_str_eq(out.data, "1:1 NAME ab\n"
                               "1:4 ASSIGN =\n"
                               "1:6 INTEGER_LITERAL 1\n"
                               "2:3 STRING_LITERAL 'x'\n"
                               "3:1 END_OF_FILE\n");
    buffer_free(&out);
    context_destroy(context);
}
