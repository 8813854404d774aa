// `x > 5 and < 10`: a comparison behind `and` or `or` that lacks its left side. The scanner's `<`
// may begin `<-`, so a `<` shows at what follows it.
#include "parser/mistakes/mistakes.h"

#include <string.h>

static bool compares_at(Slice text, size_t at) {
    char next = at + 1 < text.len ? text.data[at + 1] : ' ';
    bool shifts = strchr("<>", text.data[at]) != NULL && next == text.data[at];
    return !shifts && (strchr("<>", text.data[at]) != NULL ||
                       (strchr("=!", text.data[at]) != NULL && next == '='));
}

// Where what stands before `end` begins, in the bracket and behind the `=` or `,` around it.
static size_t value_begin(Slice line, size_t end) {
    size_t begin = end;
    for (int depth = 0; begin > 0; begin--) {
        char c = line.data[begin - 1];
        bool opens = strchr("([{", c) != NULL;
        bool assigns = c == '=' && begin > 1 && strchr("=<>!", line.data[begin - 2]) == NULL &&
                       line.data[begin] != '=';
        if (depth == 0 && (opens || assigns || c == ',')) {
            break;
        }
        depth += (strchr(")]}", c) != NULL) - opens;
    }
    return begin;
}

// Of `if a and x > 5` the `x > 5`.
static Slice last_condition(Slice line, size_t end) {
    size_t begin = value_begin(line, end);
    for (size_t at = begin; at < end; at++) {
        Slice word = leading_word((Slice){line.data + at, end - at});
        bool parts = slice_is_among(word, "if elseif while return and or");
        begin = parts ? at + word.len : begin;
        at += word.len;
    }
    while (begin < end && line.data[begin] == ' ') {
        begin++;
    }
    while (end > begin && line.data[end - 1] == ' ') {
        end--;
    }
    return (Slice){line.data + begin, end - begin};
}

// Of `x > 5` the `x`; nothing of `5 < x`, and of `not x > 5`, where it is not clear what is denied.
static Slice compared(Slice condition) {
    size_t at = 0;
    while (at < condition.len && !compares_at(condition, at)) {
        at++;
    }
    size_t end = at;
    while (end > 0 && condition.data[end - 1] == ' ') {
        end--;
    }
    Slice word = leading_word(condition);
    bool is_named = word.len > 0 && at < condition.len && !slice_is(word, "not");
    return (Slice){condition.data, is_named ? end : 0};
}

bool report_half_comparison(Parser *parser, Span sign) {
    enum { SHOWN_MOST = 60 };
    Span joins = word_before(parser, sign.start);
    Slice word = text_of(parser, joins);
    if (!slice_is_among(word, "and or")) {
        return false;
    }
    uint32_t start;
    Slice line = line_around(parser, sign.start, &start);
    Slice condition = last_condition(line, joins.start - start);
    Slice left = compared(condition);
    Slice behind = line_behind(parser, sign.end);
    size_t blanks = strspn(behind.data, " ");
    size_t minus = blanks < behind.len && behind.data[blanks] == '-';
    size_t end = operand_end(behind, blanks + minus);
    Diag *diag = syntax_error(parser, sign, "`%.*s` needs a whole comparison on both sides",
                              (int)word.len, word.data);
    if (left.len == 0 || end == blanks + minus || condition.len + end > SHOWN_MOST) {
        diag_note(diag, "like `x > 5 %.*s x < 10`", (int)word.len, word.data);
        return true;
    }
    Slice mark = text_of(parser, sign);
    diag_help(diag, "write `%.*s %.*s %.*s %.*s%.*s`", (int)condition.len, condition.data,
              (int)word.len, word.data, (int)left.len, left.data, (int)mark.len, mark.data,
              (int)end, behind.data);
    diag_edit(diag, (Span){sign.start, sign.start}, "%.*s ", (int)left.len, left.data);
    return true;
}

bool report_comparison(const Mistake *mistake) {
    const bool *expected = mistake->expected;
    TokenKind found = mistake->found->kind;
    bool wants_operand = expected[TOKEN_INTEGER_LITERAL] && !expected[TOKEN_PASS];
    if (wants_operand && found >= TOKEN_LESS && found <= TOKEN_NOT_EQUAL) {
        return report_half_comparison(mistake->parser, mistake->found->span);
    }
    return mistake->before->kind == TOKEN_LESS && expected[TOKEN_MINUS] && !wants_operand &&
           report_half_comparison(mistake->parser, mistake->before->span);
}
