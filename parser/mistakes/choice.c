// Choices between two values as other languages write them: `c ? a : b`, `a if c else b`,
// `if c then a else b`. TML has a function for them, which evaluates both; where one of the values
// may end the program, `if` is offered in its place.
#include "parser/mistakes/mistakes.h"

#include <string.h>

#define CHOICE "`select(c, a, b)` chooses between values, and evaluates both"

// How a choice is written: the marks between its parts, in their order.
typedef enum ChoiceForm { CHOICE_OF_C, CHOICE_OF_PYTHON, CHOICE_OF_MODELICA } ChoiceForm;

typedef struct Choice {
    Slice condition, yes, no;
} Choice;

// What is longer is not written anew.
enum { CHOICE_MOST = 160 };

static bool is_word_part(char c) {
    return c == '_' || c == '.' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z') ||
           (c >= '0' && c <= '9');
}

static bool opens(char c) {
    return c == '(' || c == '[' || c == '{';
}

static bool closes(char c) {
    return c == ')' || c == ']' || c == '}';
}

static Slice part(Slice text, size_t from, size_t to) {
    while (from < to && text.data[from] == ' ') {
        from++;
    }
    while (to > from && text.data[to - 1] == ' ') {
        to--;
    }
    return (Slice){.data = text.data + from, .len = to - from};
}

// Whether the `=` of an assignment stands at `at`.
static bool assigns_at(Slice text, size_t at) {
    return text.data[at] == '=' && at > 0 && at + 1 < text.len &&
           strchr("=<>!", text.data[at - 1]) == NULL && text.data[at + 1] != '=';
}

// The value that `position` is in: between the brackets and commas around it, or behind the `=` or
// the first word of its line. Empty when it has none of them.
static Slice value_around(const Parser *parser, uint32_t position, uint32_t *start) {
    (void)line_around(parser, position, start);
    Slice line = line_behind(parser, *start);
    size_t at = position - *start;
    size_t begin = at;
    for (int depth = 0; begin > 0; begin--) {
        char c = line.data[begin - 1];
        bool ends = c == ',' || opens(c) || assigns_at(line, begin - 1);
        if (depth == 0 && ends) {
            break;
        }
        depth += closes(c) - opens(c);
    }
    if (begin == 0) {
        Slice word = leading_word(line);
        bool heads = slice_is_among(word, "if elseif while");
        begin = heads || slice_is(word, "return") ? word.len : line.len;
        line.len -= heads && line.data[line.len - 1] == ':';
    }
    size_t end = at;
    for (int depth = 0; end < line.len; end++) {
        char c = line.data[end];
        if (depth == 0 && (c == ',' || c == ';' || closes(c))) {
            break;
        }
        depth += opens(c) - closes(c);
    }
    Slice value = part(line, begin < end ? begin : end, end);
    *start += (uint32_t)(value.data - line.data);
    return value;
}

// Where the mark stands outside of brackets, from `from` on; the end when it does not. A word
// stands for itself alone.
static size_t find_mark(Slice text, const char *mark, size_t from) {
    size_t len = strlen(mark);
    bool is_word = is_word_part(mark[0]);
    int depth = 0;
    int inner = 0; // choices whose `:` come first
    for (size_t at = from; at + len <= text.len; at++) {
        char c = text.data[at];
        bool apart = !is_word || ((at == 0 || !is_word_part(text.data[at - 1])) &&
                                  (at + len == text.len || !is_word_part(text.data[at + len])));
        if (depth == 0 && inner == 0 && apart && memcmp(text.data + at, mark, len) == 0) {
            return at;
        }
        depth += opens(c) - closes(c);
        inner += depth == 0 ? (c == '?') - (c == ':') : 0;
    }
    return text.len;
}

static bool find_choice(Slice text, ChoiceForm form, Choice *choice) {
    static const char *const marks[][2] = {{"?", ":"}, {"if", "else"}, {"then", "else"}};
    size_t skipped = form == CHOICE_OF_MODELICA ? strlen("if") : 0;
    if (skipped > 0 && !slice_is(leading_word(text), "if")) {
        return false;
    }
    const char *first = marks[form][0];
    const char *second = marks[form][1];
    size_t from = find_mark(text, first, skipped);
    size_t behind = from + strlen(first);
    size_t to = behind < text.len ? find_mark(text, second, behind) : text.len;
    if (to == text.len) {
        return false;
    }
    Slice before = part(text, skipped, from);
    Slice between = part(text, behind, to);
    *choice = (Choice){.condition = form == CHOICE_OF_PYTHON ? between : before,
                       .yes = form == CHOICE_OF_PYTHON ? before : between,
                       .no = part(text, to + strlen(second), text.len)};
    return before.len > 0 && between.len > 0 && choice->no.len > 0;
}

// Without the parentheses around all of it.
static Slice bare(Slice text) {
    if (text.len < 2 || text.data[0] != '(') {
        return text;
    }
    int depth = 0;
    for (size_t at = 0; at + 1 < text.len; at++) {
        depth += opens(text.data[at]) - closes(text.data[at]);
        if (depth == 0) {
            return text;
        }
    }
    return part(text, 1, text.len - 1);
}

static const char *choice_text(const Parser *parser, Slice text, ChoiceForm form) {
    Arena *arena = parser->context->arena;
    Choice choice;
    if (!find_choice(text, form, &choice)) {
        return arena_format(arena, "%.*s", (int)text.len, text.data);
    }
    Slice condition = bare(choice.condition);
    return arena_format(arena, "select(%.*s, %s, %s)", (int)condition.len, condition.data,
                        choice_text(parser, bare(choice.yes), form),
                        choice_text(parser, bare(choice.no), form));
}

// Whether the text can be kept as it stands, and its condition is a bool for certain.
static bool is_understood(Slice text, Slice condition) {
    bool compares = false;
    for (size_t at = 0; at < text.len; at++) {
        char c = text.data[at];
        char next = at + 1 < text.len ? text.data[at + 1] : ' ';
        bool foreign = strchr("\"'`~{}", c) != NULL || (c == '!' && next != '=') ||
                       ((c == '&' || c == '|') && next == c);
        if (foreign) {
            return false;
        }
    }
    for (size_t at = 0; at + 1 < condition.len; at++) {
        compares |= strchr("<>", condition.data[at]) != NULL ||
                    (strchr("=!", condition.data[at]) != NULL && condition.data[at + 1] == '=');
    }
    return compares && text.len <= CHOICE_MOST;
}

// Whether the index behind the bracket at `at` may be outside: it is no constant.
static bool index_varies(Slice text, size_t at) {
    int depth = 0;
    for (; at < text.len; at++) {
        Slice word = leading_word((Slice){text.data + at, text.len - at});
        if (word.len > 0) {
            const char *behind = word.data + word.len;
            bool is_constant = slice_is(word, "n") && at + 1 < text.len && *behind == '.';
            if (!is_constant) {
                return true;
            }
            at += 1 + leading_word((Slice){behind + 1, text.len - at - 2}).len;
            continue;
        }
        depth += opens(text.data[at]) - closes(text.data[at]);
        if (depth == 0) {
            break;
        }
    }
    return false;
}

static bool has_digit(Slice text, size_t at) {
    return at < text.len && text.data[at] >= '0' && text.data[at] <= '9';
}

// Whether the text may end the program where its condition does not hold: by an index, or by a
// quotient or remainder, unless a number in it says that it is one of reals.
static bool may_trap(Slice text) {
    bool indexes = false;
    bool divides = false;
    bool is_real = false;
    for (size_t at = 1; at < text.len; at++) {
        char before = text.data[at - 1];
        char c = text.data[at];
        bool applies = is_word_part(before) || closes(before);
        indexes |= c == '[' && applies && index_varies(text, at);
        size_t right = at + 1;
        while (right < text.len && text.data[right] == ' ') {
            right++;
        }
        divides |= (c == '/' || c == '%') && !has_digit(text, right);
        is_real |= c == '.' && has_digit(text, at - 1) && has_digit(text, at + 1);
    }
    return indexes || (divides && !is_real);
}

// Whether the file has a function of this name.
static bool is_own_function(const Parser *parser, Slice name, uint32_t position) {
    const char *header = arena_format(parser->context->arena, "fn %.*s(", (int)name.len, name.data);
    SourcePlace place = sources_place(parser->context->sources, position);
    return strstr(place.file->text, header) != NULL;
}

// Whether it calls a function of the file, which may change what is kept.
static bool calls_own_function(const Parser *parser, Slice text, uint32_t position) {
    bool found = false;
    for (size_t at = 0; at < text.len && !found; at++) {
        Slice word = leading_word((Slice){text.data + at, text.len - at});
        at += word.len;
        found = word.len > 0 && at < text.len && text.data[at] == '(' &&
                is_own_function(parser, word, position);
    }
    return found;
}

// What a line does with the value that begins at `begin`: its text up to there, if it returns the
// value or assigns it to what is known to be there before. Else empty.
static Slice known_use(Slice line, size_t begin) {
    Slice use = part(line, 0, begin);
    if (slice_is(use, "return")) {
        return use;
    }
    size_t target = operand_end(use, 0);
    Slice sign = part(use, target, use.len);
    bool is_kept = strncmp(use.data, "t.", 2) == 0 || memchr(use.data, '[', target) != NULL;
    bool updates = sign.len == 2 && sign.data[1] == '=' && strchr("+-*/", sign.data[0]) != NULL;
    bool assigns = slice_is(sign, "=") && is_kept;
    return (Slice){use.data, target > 0 && (assigns || updates) ? use.len : 0};
}

// The name that a line gives a value that begins at `begin`, perhaps as the first one. Else empty.
static Slice named(Slice line, size_t begin) {
    Slice use = part(line, 0, begin);
    Slice name = leading_word(use);
    return (Slice){use.data, slice_is(part(use, name.len, use.len), "=") ? name.len : 0};
}

// Whether it is a number that says that it is a real one.
static bool is_real_number(Slice text) {
    bool has_dot = false;
    for (size_t at = 0; at < text.len; at++) {
        has_dot |= text.data[at] == '.';
        if (!has_digit(text, at) && text.data[at] != '.' && !(at == 0 && text.data[at] == '-')) {
            return false;
        }
    }
    return has_dot;
}

static bool holds_choice(Slice text) {
    bool found = memchr(text.data, '?', text.len) != NULL;
    for (size_t at = 0; at < text.len; at++) {
        Slice word = leading_word((Slice){text.data + at, text.len - at});
        found |= slice_is_among(word, "if then else");
        at += word.len;
    }
    return found;
}

// Offers a value that is always there, and a branch with the other one.
static void offer_value_and_branch(const Parser *parser, Diag *diag, Span line, Slice name,
                                   const Choice *choice) {
    Slice yes = bare(choice->yes);
    Slice no = bare(choice->no);
    Slice condition = bare(choice->condition);
    int indent = (int)parser_indent(parser, line.start);
    diag_help(diag, "write `%.*s = %.*s`, and behind it `if %.*s:` with `%.*s = %.*s`",
              (int)name.len, name.data, (int)no.len, no.data, (int)condition.len, condition.data,
              (int)name.len, name.data, (int)yes.len, yes.data);
    diag_edit(diag, line, "%.*s = %.*s\n%*sif %.*s:\n%*s    %.*s = %.*s\n%*send", (int)name.len,
              name.data, (int)no.len, no.data, indent, "", (int)condition.len, condition.data,
              indent, "", (int)name.len, name.data, (int)yes.len, yes.data, indent, "");
}

// Offers `if` and `else`, of which one is evaluated, if all of the line is the choice.
static void offer_branches(const Parser *parser, Diag *diag, Slice value, uint32_t start,
                           const Choice *choice) {
    uint32_t begin;
    (void)line_around(parser, start, &begin);
    Slice line = line_behind(parser, begin);
    Slice use = known_use(line, start - begin);
    Slice yes = bare(choice->yes);
    Slice no = bare(choice->no);
    Slice condition = bare(choice->condition);
    bool is_all = value.data + value.len == line.data + line.len;
    bool is_one = is_all && !holds_choice(yes) && !holds_choice(no);
    Slice name = named(line, start - begin);
    // Before it has its new value.
    bool is_read = name.len > 0 && (has_word(condition, name) || has_word(yes, name));
    if (is_one && use.len == 0 && name.len > 0 && !is_read && is_real_number(no)) {
        offer_value_and_branch(parser, diag, (Span){begin, start + (uint32_t)value.len}, name,
                               choice);
        return;
    }
    if (!is_one || use.len == 0) {
        diag_note(diag,
                  "`select(c, a, b)` evaluates both values; `if c:` and `else:` with a statement "
                  "each evaluate one");
        return;
    }
    int indent = (int)parser_indent(parser, begin);
    diag_help(diag, "write `if %.*s:` with `%.*s %.*s`, and `else:` with `%.*s %.*s`",
              (int)condition.len, condition.data, (int)use.len, use.data, (int)yes.len, yes.data,
              (int)use.len, use.data, (int)no.len, no.data);
    diag_edit(diag, (Span){begin, start + (uint32_t)value.len},
              "if %.*s:\n%*s    %.*s %.*s\n%*selse:\n%*s    %.*s %.*s\n%*send", (int)condition.len,
              condition.data, indent, "", (int)use.len, use.data, (int)yes.len, yes.data, indent,
              "", indent, "", (int)use.len, use.data, (int)no.len, no.data, indent, "");
}

static void report_choice(Parser *parser, Span span, ChoiceForm form) {
    static const char *const messages[] = {"`c ? a : b` is not TML", "`a if c else b` is not TML",
                                           "`if` cannot stand in an expression"};
    Diag *diag = syntax_error(parser, span, "%s", messages[form]);
    uint32_t start;
    Slice value = value_around(parser, span.start, &start);
    Choice choice;
    if (!find_choice(value, form, &choice) || !is_understood(value, choice.condition)) {
        diag_note(diag, CHOICE);
        return;
    }
    if (may_trap(choice.yes) || may_trap(choice.no) ||
        calls_own_function(parser, choice.yes, start) ||
        calls_own_function(parser, choice.no, start)) {
        offer_branches(parser, diag, value, start, &choice);
        return;
    }
    const char *text = choice_text(parser, value, form);
    diag_help(diag, "write `%s`, which evaluates both values", text);
    diag_edit(diag, (Span){start, start + (uint32_t)value.len}, "%s", text);
}

void report_question(Parser *parser, Span question) {
    uint32_t start;
    Slice value = value_around(parser, question.start, &start);
    Choice choice;
    if (find_choice(value, CHOICE_OF_C, &choice)) {
        report_choice(parser, question, CHOICE_OF_C);
        return;
    }
    Diag *diag =
        syntax_error(parser, question, "`?` can only follow the name of an optional terminal");
    diag_note(diag, CHOICE);
}

bool report_choice_between(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    const Token *found = mistake->found;
    bool wants_operand = mistake->expected[TOKEN_INTEGER_LITERAL] && !mistake->expected[TOKEN_PASS];
    bool operand = token_is(found->kind, TOKEN_VALUE) && !found->first_on_line;
    if (mistake->before->kind == TOKEN_QUESTION && operand && !wants_operand) {
        report_question(parser, mistake->before->span); // `c` is a name
        return true;
    }
    if (found->kind == TOKEN_QUESTION && mistake->expected[TOKEN_PLUS]) {
        report_question(parser, found->span);
        return true;
    }
    if (found->first_on_line) {
        return false;
    }
    if (found->kind == TOKEN_IF && wants_operand) {
        report_choice(parser, found->span, CHOICE_OF_MODELICA);
        return true;
    }
    // Where the `if` begins a statement, it shows at the `else`.
    bool inside = found->kind == TOKEN_IF && !span_is_nowhere(parser->bracket);
    if (mistake->expected[TOKEN_PLUS] && (inside || found->kind == TOKEN_ELSE)) {
        report_choice(parser, found->span, CHOICE_OF_PYTHON);
        parser->error_at_end = true;
        return true;
    }
    return false;
}
