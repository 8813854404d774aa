// Which token a mark is depends on its neighbours (L1.4, L1.7, L2.3).
#include "lexed.h"

#include <criterion/criterion.h>

typedef struct Row {
    const char *text, *kinds;
} Row;

static void expect_rows(const Row *rows, size_t count) {
    for (size_t i = 0; i < count; i++) {
        expect_kinds(rows[i].text, rows[i].kinds);
    }
}

#define EXPECT_ROWS(rows) expect_rows(rows, sizeof(rows) / sizeof((rows)[0]))

Test(marks, a_header_colon_is_the_last_of_its_line) {
    static const Row rows[] = {
        {"if x:\n", "IF NAME HEADER_COLON"},
        {"if x:", "IF NAME HEADER_COLON"},
        {"if x: # why\n", "IF NAME HEADER_COLON"},
        {"if x:  \r\ny", "IF NAME HEADER_COLON NAME"},
        {"if x: y", "IF NAME COLON NAME"},
        {"for i = 0:10:\n", "FOR NAME ASSIGN INTEGER_LITERAL COLON INTEGER_LITERAL HEADER_COLON"},
        {"a[1:\n2]", "NAME INDEX_BRACKET INTEGER_LITERAL COLON INTEGER_LITERAL CLOSE_BRACKET"},
        {"f(:\n)", "NAME CALL_PAREN COLON CLOSE_PAREN"},
        {"{:\n}", "OPEN_BRACE COLON CLOSE_BRACE"},
        // A word that begins statements ends brackets that were left open.
        {"f(\nif x:\n", "NAME CALL_PAREN IF NAME HEADER_COLON"},
    };
    EXPECT_ROWS(rows);
}

Test(marks, a_bracket_applies_to_what_is_before_it_on_its_line) {
    static const Row rows[] = {
        {"f(x)", "NAME CALL_PAREN NAME CLOSE_PAREN"},
        {"f (x)", "NAME CALL_PAREN NAME CLOSE_PAREN"},
        {"f\n(x)", "NAME OPEN_PAREN NAME CLOSE_PAREN"},
        {"int(x)", "INT CALL_PAREN NAME CLOSE_PAREN"},
        {"x.type(y)", "NAME DOT TYPE CALL_PAREN NAME CLOSE_PAREN"},
        {"a > (b)", "NAME GREATER OPEN_PAREN NAME CLOSE_PAREN"},
        {"x[0]", "NAME INDEX_BRACKET INTEGER_LITERAL CLOSE_BRACKET"},
        {"x\n[0]", "NAME OPEN_BRACKET INTEGER_LITERAL CLOSE_BRACKET"},
        {"x'[0]", "NAME TRANSPOSE INDEX_BRACKET INTEGER_LITERAL CLOSE_BRACKET"},
        {"t.a?[0]", "NAME DOT NAME QUESTION INDEX_BRACKET INTEGER_LITERAL CLOSE_BRACKET"},
        {"x[0][1]", "NAME INDEX_BRACKET INTEGER_LITERAL CLOSE_BRACKET INDEX_BRACKET "
                    "INTEGER_LITERAL CLOSE_BRACKET"},
        {"[[0]]", "OPEN_BRACKET OPEN_BRACKET INTEGER_LITERAL CLOSE_BRACKET CLOSE_BRACKET"},
        {"return [0]", "RETURN OPEN_BRACKET INTEGER_LITERAL CLOSE_BRACKET"},
        {"x{1}[0]", "NAME OPEN_BRACE INTEGER_LITERAL CLOSE_BRACE INDEX_BRACKET INTEGER_LITERAL "
                    "CLOSE_BRACKET"},
    };
    EXPECT_ROWS(rows);
}

Test(marks, a_bar_directly_in_a_literal_separates_pages) {
    static const Row rows[] = {
        {"[a | b]", "OPEN_BRACKET NAME PAGE_BAR NAME CLOSE_BRACKET"},
        {"a | b", "NAME BAR NAME"},
        {"[(a | b)]", "OPEN_BRACKET OPEN_PAREN NAME BAR NAME CLOSE_PAREN CLOSE_BRACKET"},
        {"[x[a | b]]", "OPEN_BRACKET NAME INDEX_BRACKET NAME BAR NAME CLOSE_BRACKET CLOSE_BRACKET"},
        {"x[[a | b]]",
         "NAME INDEX_BRACKET OPEN_BRACKET NAME PAGE_BAR NAME CLOSE_BRACKET CLOSE_BRACKET"},
        {"[f(a | b) | c]", "OPEN_BRACKET NAME CALL_PAREN NAME BAR NAME CLOSE_PAREN PAGE_BAR NAME "
                           "CLOSE_BRACKET"},
        {"a |= b", "NAME BAR_ASSIGN NAME"},
    };
    EXPECT_ROWS(rows);
}

Test(marks, a_quote_directly_after_an_operand_transposes) {
    static const Row rows[] = {
        {"x'", "NAME TRANSPOSE"},
        {"x''", "NAME TRANSPOSE TRANSPOSE"},
        {"x' + y'", "NAME TRANSPOSE PLUS NAME TRANSPOSE"},
        {"x 'a'", "NAME STRING_LITERAL"},
        {"x\n'a'", "NAME STRING_LITERAL"},
        {"(x)'", "OPEN_PAREN NAME CLOSE_PAREN TRANSPOSE"},
        {"x[0]'", "NAME INDEX_BRACKET INTEGER_LITERAL CLOSE_BRACKET TRANSPOSE"},
        {"x{0}'", "NAME OPEN_BRACE INTEGER_LITERAL CLOSE_BRACE TRANSPOSE"},
        {"2'", "INTEGER_LITERAL TRANSPOSE"},
        {"2.5'", "REAL_LITERAL TRANSPOSE"},
        {"t.in'", "NAME DOT NAME TRANSPOSE"},
        {"return'a'", "RETURN STRING_LITERAL"},
        {"x ='a'", "NAME ASSIGN STRING_LITERAL"},
        {"f('a', 'b')", "NAME CALL_PAREN STRING_LITERAL COMMA STRING_LITERAL CLOSE_PAREN"},
    };
    EXPECT_ROWS(rows);
}

Test(marks, a_return_is_bare_without_a_value_on_its_line) {
    static const Row rows[] = {
        {"return", "RETURN_BARE"},
        {"return\nx", "RETURN_BARE NAME"},
        {"return # x\nx", "RETURN_BARE NAME"},
        {"return x", "RETURN NAME"},
        {"return -x", "RETURN MINUS NAME"},
        {"return not x", "RETURN NOT NAME"},
        {"return end", "RETURN_BARE END"},
        {"return real(x)", "RETURN REAL CALL_PAREN NAME CLOSE_PAREN"},
        {"t.return", "NAME DOT NAME"},
    };
    EXPECT_ROWS(rows);
}

Test(marks, a_word_after_a_dot_is_a_name) {
    static const Row rows[] = {
        {"t.in t.out t.end", "NAME DOT NAME NAME DOT NAME NAME DOT NAME"},
        {"x.type", "NAME DOT TYPE"},
        {"type = x.types", "NAME ASSIGN NAME DOT NAME"},
        {"t . in", "NAME DOT NAME"},
        {"in real t.u", "IN REAL NAME DOT NAME"},
        {"End if_ _for", "NAME NAME NAME"},
    };
    EXPECT_ROWS(rows);
}

Test(marks, the_longest_operator_wins) {
    static const Row rows[] = {
        {"a**b* *c", "NAME POWER NAME STAR STAR NAME"},
        {"a.*b", "NAME DOT_STAR NAME"},
        {"a<<=b<<c<=d<e", "NAME SHIFT_LEFT_ASSIGN NAME SHIFT_LEFT NAME LESS_EQUAL NAME LESS NAME"},
        {"a>>=b>>c>=d>e",
         "NAME SHIFT_RIGHT_ASSIGN NAME SHIFT_RIGHT NAME GREATER_EQUAL NAME GREATER NAME"},
        {"a==b!=c=d", "NAME EQUAL NAME NOT_EQUAL NAME ASSIGN NAME"},
        {"a?:b? :", "NAME ELVIS NAME QUESTION HEADER_COLON"},
        {"a += b -= c *= d /= e %= f", "NAME PLUS_ASSIGN NAME MINUS_ASSIGN NAME STAR_ASSIGN NAME "
                                       "SLASH_ASSIGN NAME PERCENT_ASSIGN NAME"},
        {"a &= b ^= c & d ^ ~e \\ f", "NAME AMPERSAND_ASSIGN NAME CARET_ASSIGN NAME AMPERSAND NAME "
                                      "CARET TILDE NAME BACKSLASH NAME"},
        {"min!(x) != y", "NAME BANG CALL_PAREN NAME CLOSE_PAREN NOT_EQUAL NAME"},
        {"x[...]", "NAME INDEX_BRACKET ELLIPSIS CLOSE_BRACKET"},
        {"tensor<tensor<int, 3>, 2>", "TENSOR LESS TENSOR LESS INT COMMA INTEGER_LITERAL GREATER "
                                      "COMMA INTEGER_LITERAL GREATER"},
    };
    EXPECT_ROWS(rows);
}
