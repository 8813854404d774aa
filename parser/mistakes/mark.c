// Marks that begin comments or stand between digits elsewhere: `%`, `--`, `1'000`, `3,5`.
#include "parser/mistakes/mistakes.h"

#include <string.h>

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static void report_comment(Parser *parser, Span mark) {
    Slice text = text_of(parser, mark);
    Diag *diag = syntax_error(parser, mark, "`%.*s` begins no comment", (int)text.len, text.data);
    diag_help(diag, "a comment begins with `#`");
    diag_edit(diag, mark, "#");
}

// `--` between blanks at or before `position` on its line.
static bool report_dashes(Parser *parser, uint32_t position) {
    uint32_t start;
    Slice line = line_around(parser, position, &start);
    for (size_t at = 0; start + at <= position && at + 2 < line.len; at++) {
        bool apart = (at == 0 || is_blank(line.data[at - 1])) && is_blank(line.data[at + 2]);
        if (apart && memcmp(line.data + at, "--", 2) == 0) {
            uint32_t mark = start + (uint32_t)at;
            report_comment(parser, (Span){mark, mark + 2});
            return true;
        }
    }
    return false;
}

bool report_comment_before(Parser *parser, uint32_t position) {
    uint32_t start;
    Slice line = line_around(parser, position, &start);
    const char *percent = memchr(line.data, '%', position - start);
    if (percent == NULL) {
        return report_dashes(parser, position);
    }
    uint32_t at = start + (uint32_t)(percent - line.data);
    report_comment(parser, (Span){at, at + 1});
    return true;
}

static bool percent_comment(const Mistake *mistake) {
    if (mistake->found->kind != TOKEN_PERCENT || !mistake->found->first_on_line) {
        return false;
    }
    report_comment(mistake->parser, mistake->found->span);
    return true;
}

// `-- the (gain)`, where something cannot follow. Elsewhere the marks are two signs.
static bool comment_of_dashes(const Mistake *mistake) {
    return report_dashes(mistake->parser, mistake->found->span.start);
}

// `1'000'000`: the first mark was read as one that transposes.
static bool marks_between_digits(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    uint32_t start;
    uint32_t found = mistake->found->span.start;
    Slice line = line_around(parser, found, &start);
    size_t end = found - start;
    size_t begin = end;
    while (begin > 0 && (is_digit(line.data[begin - 1]) || line.data[begin - 1] == '\'')) {
        begin--;
    }
    bool parted = mistake->found->kind == TOKEN_INTEGER_LITERAL && end - begin > 1 &&
                  line.data[end - 1] == '\'' && is_digit(line.data[begin]);
    if (!parted) {
        return false;
    }
    while (end < line.len && (is_digit(line.data[end]) || line.data[end] == '\'')) {
        end++;
    }
    Span number = {start + (uint32_t)begin, start + (uint32_t)end};
    Diag *diag = syntax_error(parser, number, "digits are parted by `_`, not by `'`");
    const char *text = arena_copy_text(parser->context->arena, line.data + begin, end - begin);
    char *mended = arena_copy_text(parser->context->arena, text, end - begin);
    for (char *mark = strchr(mended, '\''); mark != NULL; mark = strchr(mark, '\'')) {
        *mark = '_';
    }
    diag_help(diag, "write `%s`", mended);
    diag_edit(diag, number, "%s", mended);
    return true;
}

// `gain = 3,5`, `limit = 10,000`
static bool comma_in_number(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    uint32_t start;
    uint32_t comma = mistake->found->span.start;
    Slice line = line_around(parser, comma, &start);
    size_t at = comma - start;
    bool is_number =
        mistake->found->kind == TOKEN_COMMA && mistake->before->kind == TOKEN_INTEGER_LITERAL &&
        span_is_nowhere(parser->bracket) && mistake->expected[TOKEN_PLUS] &&
        mistake->before->span.end == comma && at + 1 < line.len && is_digit(line.data[at + 1]);
    size_t digits = is_number ? strspn(line.data + at + 1, "0123456789") : 0;
    Slice behind = line_behind(parser, comma + 1 + (uint32_t)digits);
    if (!is_number || behind.len > 0) {
        return false;
    }
    Diag *diag = syntax_error(parser, mistake->found->span, "a number has no `,` in it");
    Slice whole = text_of(parser, mistake->before->span);
    diag_note(diag,
              "with a point it is `%.*s.%.*s`; `_` parts digits, as in `10_000`; the elements of "
              "a tensor have brackets",
              (int)whole.len, whole.data, (int)digits, line.data + at + 1);
    return true;
}

bool report_mark(const Mistake *mistake) {
    static const MistakeRule rules[] = {
        {.recognises = percent_comment},
        {.recognises = comment_of_dashes},
        {.recognises = marks_between_digits},
        {.recognises = comma_in_number},
    };
    return report_by_rules(mistake, rules, sizeof rules / sizeof rules[0]);
}
