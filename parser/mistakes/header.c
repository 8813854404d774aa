// Declarations, headers and the words that end blocks, as other languages have them or nearly
// right: `real x[3] = 0.0`, `for i in range(3):`, `end if`. Those of functions are in function.c.
#include "parser/mistakes/mistakes.h"

#include <string.h>

static bool opens_parenthesis(TokenKind kind) {
    return kind == TOKEN_OPEN_PAREN || kind == TOKEN_CALL_PAREN;
}

static Span part(uint32_t line, Slice text, const char *from, size_t len) {
    uint32_t start = line + (uint32_t)(from - text.data);
    return (Span){start, start + (uint32_t)len};
}

static bool lengths_in_brackets(const Mistake *mistake) {
    TokenKind kind = mistake->found->kind;
    return (kind == TOKEN_INDEX_BRACKET || kind == TOKEN_OPEN_BRACKET) &&
           report_lengths(mistake->parser, mistake->found->span.start);
}

// `tensor<real; 2, 2>`, where the lexer leaves out a `;` that stands in no bracket.
static bool semicolon_in_type(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    const Token *before = mistake->before;
    if (!mistake->expected[TOKEN_COMMA] || mistake->expected[TOKEN_PLUS] ||
        before->kind < TOKEN_INT || before->kind > TOKEN_BOOL) {
        return false;
    }
    uint32_t at =
        before->span.end + (uint32_t)strspn(line_behind(parser, before->span.end).data, " ");
    Span mark = {at, at + 1};
    if (at >= mistake->found->span.end || !slice_is(text_of(parser, mark), ";")) {
        return false;
    }
    Diag *diag = syntax_error(parser, mark, "expected `,`, found `;`");
    diag_help(diag, "write `,`: lengths are separated by commas");
    diag_edit(diag, mark, ",");
    return true;
}

// `tensor([1.0, 2.0])`, `tensor<[1.0, 2.0]>`, where the literal alone is meant.
static bool literal_in_type(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    const Token *before = mistake->before;
    const Token *found = mistake->found;
    bool in_parentheses = before->kind == TOKEN_TENSOR && opens_parenthesis(found->kind);
    if (!in_parentheses && !(before->kind == TOKEN_LESS && mistake->expected[TOKEN_TENSOR])) {
        return false;
    }
    uint32_t open = in_parentheses ? found->span.end : before->span.end;
    Slice text = line_behind(parser, open);
    size_t len = 0;
    for (int depth = 0; len < text.len && (len == 0 || depth > 0); len++) {
        depth += (text.data[len] == '[') - (text.data[len] == ']');
    }
    if (text.len == 0 || text.data[0] != '[' || len == text.len ||
        text.data[len] != (in_parentheses ? ')' : '>')) {
        return false;
    }
    Span word = word_before(parser, open - 1);
    Span all = {word.start, open + (uint32_t)len + 1};
    Diag *diag = syntax_error(parser, all, "a literal is a tensor by itself");
    diag_help(diag, "write `%.*s`", (int)len, text.data);
    diag_edit(diag, all, "%.*s", (int)len, text.data);
    return true;
}

// `tensor(real, 3)`, `tensor<3, real>`
static bool tensor_type_turned(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    const Token *found = mistake->found;
    bool parenthesis = mistake->before->kind == TOKEN_TENSOR && opens_parenthesis(found->kind);
    bool length = mistake->before->kind == TOKEN_LESS && found->kind == TOKEN_INTEGER_LITERAL &&
                  mistake->expected[TOKEN_TENSOR];
    if (!parenthesis && !length) {
        return false;
    }
    Diag *diag = parenthesis
                     ? syntax_error(parser, found->span, "a tensor type has `<` and `>`")
                     : syntax_error(parser, found->span, "the type of the elements comes first");
    Slice behind = line_behind(parser, found->span.end);
    const char *close = memchr(behind.data, ')', behind.len);
    int len = close == NULL ? 0 : (int)(close - behind.data);
    Slice word = leading_word(behind);
    bool has_lengths = len > 0 && strspn(behind.data, "0123456789, ") == (size_t)len;
    if (has_lengths) {
        diag_note(diag, "it is written like `tensor<real, %.*s>`", len, behind.data);
    } else if (len > 0 && meant_type(word) != NULL && slice_is(word, meant_type(word))) {
        diag_help(diag, "write `tensor<%.*s>`", len, behind.data);
        diag_edit(diag, (Span){found->span.start, found->span.end + (uint32_t)len + 1}, "<%.*s>",
                  len, behind.data);
    } else {
        diag_note(diag, "it is written like `tensor<real, 3>`");
    }
    return true;
}

// `tensor x = [1, 2]`
static bool bare_tensor(const Mistake *mistake) {
    const Token *found = mistake->found;
    if (mistake->before->kind != TOKEN_TENSOR || found->kind != TOKEN_NAME) {
        return false;
    }
    Parser *parser = mistake->parser;
    Slice name = text_of(parser, found->span);
    Diag *diag = syntax_error(parser, found->span, "the type of a tensor says what is in it");
    Slice behind = line_behind(parser, found->span.end);
    const char *assign = behind.data + strspn(behind.data, " ");
    if (*assign == '=' && mistake->before->first_on_line) {
        diag_help(diag, "write `%.*s =` for the type of the value", (int)name.len, name.data);
        diag_edit(diag, (Span){mistake->before->span.start, found->span.start}, "%s", "");
    } else {
        diag_note(diag, "as in `tensor<real, 3> %.*s`", (int)name.len, name.data);
    }
    return true;
}

// `in t.u`, `real in t.u`
static bool terminal_out_of_order(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    uint32_t start;
    Slice line = line_around(parser, mistake->found->span.start, &start);
    Slice first = leading_word(line);
    bool tunable = slice_is(first, "tunable");
    // Else the mistake is on the line above.
    bool modifier = slice_is_among(first, "in out tunable") && !mistake->found->first_on_line;
    const char *after = line.data + first.len + strspn(line.data + first.len, " ");
    if (modifier && strncmp(after, tunable ? "p." : "t.", 2) == 0 &&
        mistake->before->kind == TOKEN_NAME) {
        Slice name = leading_word((Slice){after + 2, line.len - (size_t)(after + 2 - line.data)});
        Diag *diag =
            syntax_error(parser, part(start, line, after, name.len + 2),
                         "a %s has a type before its name", tunable ? "property" : "terminal");
        diag_note(diag, "like `%.*s real %c.%.*s`", (int)first.len, first.data, after[0],
                  (int)name.len, name.data);
        return true;
    }
    bool swapped = (mistake->found->kind == TOKEN_IN || mistake->found->kind == TOKEN_OUT) &&
                   mistake->before->first_on_line && meant_type(first) != NULL;
    Slice behind = line_behind(parser, mistake->found->span.end);
    behind.data += strspn(behind.data, " ");
    if (!swapped || strncmp(behind.data, "t.", 2) != 0) {
        return false;
    }
    Slice word = text_of(parser, mistake->found->span);
    Diag *diag = syntax_error(parser, mistake->found->span, "`%.*s` stands before the type",
                              (int)word.len, word.data);
    diag_help(diag, "write `%.*s %.*s`", (int)word.len, word.data, (int)first.len, first.data);
    diag_edit(diag, (Span){start, mistake->found->span.end}, "%.*s %.*s", (int)word.len, word.data,
              (int)first.len, first.data);
    return true;
}

// `if x > 2: print(x)`, on a line that begins with `word`.
static void report_one_line_block(Parser *parser, Span colon, Slice word, Slice body) {
    Diag *diag = syntax_error(parser, colon,
                              "the `:` that ends a header must be the last thing on its line");
    const char *next = body.data + strcspn(body.data, "\n");
    const char *next_text = next + strspn(next, " \t\r\n");
    uint32_t indent = parser_indent(parser, colon.start);
    Slice next_word = leading_word((Slice){next_text, strcspn(next_text, "\n")});
    uint32_t next_start = colon.end + (uint32_t)(next_text - body.data);
    bool has_more = *next_text != '\0' && parser_indent(parser, next_start) > indent;
    bool has_end = slice_is(next_word, "end") && parser_indent(parser, next_start) >= indent;
    if (!slice_is_among(word, "if while for macro fn") || has_more || has_end ||
        (body.len >= 3 && memcmp(body.data + body.len - 3, "end", 3) == 0)) {
        diag_note(diag, "a block has lines of its own, and an `end`"); // which is there
        parser->excused = colon.end + (uint32_t)body.len;
        return;
    }
    bool goes_on = slice_is(next_word, "else") || slice_is(next_word, "elseif");
    size_t blanks = strspn(body.data, " \t");
    diag_help(diag, "a block has lines of its own, and an `end`");
    diag_edit(diag, (Span){colon.end, colon.end + (uint32_t)body.len}, "\n%*s%.*s%s%*s%s",
              (int)indent + 4, "", (int)(body.len - blanks), body.data + blanks,
              goes_on ? "" : "\n", goes_on ? 0 : (int)indent, "", goes_on ? "" : "end");
    parser->owes_end = !goes_on;
}

void report_early_colon(Parser *parser, Span colon) {
    if (colon.start < parser->excused) {
        return; // of another header on this line
    }
    Slice behind = line_behind(parser, colon.end);
    size_t blanks = strspn(behind.data, " ");
    Slice word = leading_word((Slice){behind.data + blanks, behind.len - blanks});
    uint32_t start;
    Slice head = leading_word(line_around(parser, colon.start, &start));
    bool function = slice_is(head, "fn");
    bool type = function && meant_type(word) != NULL && blanks + word.len == behind.len;
    if (slice_is(behind, ":")) {
        Span second = {colon.end, colon.end + 1};
        Diag *diag = syntax_error(parser, second, "a header ends with one `:`");
        diag_help(diag, "leave it out");
        diag_edit(diag, second, "%s", "");
        parser->excused = second.end;
        return;
    }
    if (!type) {
        report_one_line_block(parser, colon, head, behind);
        return;
    }
    Diag *diag = syntax_error(parser, colon, "the result's type stands before the `:`");
    diag_help(diag, "write ` %s:`", meant_type(word));
    diag_edit(diag, (Span){colon.start, colon.end + (uint32_t)behind.len},
              " %s:", meant_type(word));
    parser->excused = colon.end + (uint32_t)behind.len;
}

void report_else_if(Parser *parser, Span words) {
    Diag *diag = syntax_error(parser, words, "`else if` is one word in TML");
    diag_help(diag, "write `elseif`");
    diag_edit(diag, words, "elseif");
}

// Whether the text is `range(n)`, `range(a, b)`, `a..b` or `a:b`: what TML writes, or NULL.
static const char *meant_range(Parser *parser, Slice text) {
    Arena *arena = parser->context->arena;
    if (text.len > 0 && memchr(text.data, ':', text.len) != NULL &&
        memchr(text.data, '[', text.len) == NULL) {
        return arena_copy_text(arena, text.data, text.len);
    }
    const char *dots = strstr(arena_copy_text(arena, text.data, text.len), "..");
    if (dots != NULL && dots[2] != '.' && dots[2] != '=') {
        size_t first = text.len - strlen(dots);
        return arena_format(arena, "%.*s:%s", (int)first, text.data, dots + 2);
    }
    if (text.len < 8 || memcmp(text.data, "range(", 6) != 0 || text.data[text.len - 1] != ')') {
        return NULL;
    }
    Slice inside = {.data = text.data + 6, .len = text.len - 7};
    const char *comma = memchr(inside.data, ',', inside.len);
    if (memchr(inside.data, '(', inside.len) != NULL) {
        return NULL;
    }
    if (comma == NULL) {
        return arena_format(arena, "0:%.*s", (int)inside.len, inside.data);
    }
    int first = (int)(comma - inside.data);
    const char *last = comma + 1 + strspn(comma + 1, " ");
    int rest = (int)(inside.data + inside.len - last);
    return memchr(last, ',', (size_t)rest) != NULL
               ? NULL
               : arena_format(arena, "%.*s:%.*s", first, inside.data, rest, last);
}

// `for int i = 0:n:`
static bool loop_variable_with_type(const Mistake *mistake) {
    const Token *found = mistake->found;
    if (mistake->before->kind != TOKEN_FOR || found->kind < TOKEN_INT || found->kind > TOKEN_BOOL) {
        return false;
    }
    Slice behind = line_behind(mistake->parser, found->span.end);
    uint32_t end = found->span.end + (uint32_t)strspn(behind.data, " ");
    Diag *diag = syntax_error(mistake->parser, found->span, "the variable of a loop has no type");
    diag_help(diag, "leave it out: it is an int");
    diag_edit(diag, (Span){found->span.start, end}, "%s", "");
    return true;
}

// `for i = 0, n:`
static bool range_with_comma(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    uint32_t start;
    Slice line = line_around(parser, mistake->found->span.start, &start);
    if (mistake->found->kind != TOKEN_COMMA || !mistake->expected[TOKEN_COLON] ||
        !mistake->expected[TOKEN_PLUS] || !span_is_nowhere(parser->bracket) ||
        !slice_is(leading_word(line), "for")) {
        return false;
    }
    Diag *diag = syntax_error(parser, mistake->found->span, "expected `:`, found `,`");
    diag_note(diag, "%s; its last turn is the one before `end`", LOOP_FORM);
    return true;
}

// `real r, phi = polar(x)`, also with a type before each
static bool targets_with_types(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    uint32_t start;
    Slice line = line_around(parser, mistake->found->span.start, &start);
    const char *assign = memchr(line.data, '=', line.len);
    if (mistake->found->kind != TOKEN_COMMA || mistake->before->kind != TOKEN_NAME ||
        !mistake->expected[TOKEN_ASSIGN] || !mistake->expected[TOKEN_QUESTION] || assign == NULL ||
        meant_type(leading_word(line)) == NULL ||
        memchr(assign, '(', line.len - (size_t)(assign - line.data)) == NULL) {
        return false;
    }
    Arena *arena = parser->context->arena;
    const char *targets = NULL;
    for (const char *at = line.data; at < assign; at += strspn(at, " ,")) {
        Slice word = leading_word((Slice){at, (size_t)(assign - at)});
        at += word.len;
        if (word.len == 0) {
            return false;
        }
        if (meant_type(word) == NULL) {
            targets = targets == NULL
                          ? arena_copy_text(arena, word.data, word.len)
                          : arena_format(arena, "%s, %.*s", targets, (int)word.len, word.data);
        }
    }
    if (targets == NULL) {
        return false;
    }
    Diag *diag = syntax_error(parser, part(start, line, line.data, leading_word(line).len),
                              "names that take several results have no types");
    diag_help(diag, "write `%s = ...`", targets);
    diag_edit(diag, part(start, line, line.data, (size_t)(assign - line.data)), "%s ", targets);
    return true;
}

// `in real t.v[2]`, `in real[2] t.v`, `real p.k[3] = 1.0`
static bool terminal_with_lengths(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    const Token *before = mistake->before;
    TokenKind kind = mistake->found->kind;
    uint32_t at = mistake->found->span.start;
    uint32_t start;
    Slice line = line_around(parser, at, &start);
    Slice first = leading_word(line);
    bool modifier = slice_is_among(first, "in out tunable optional") || meant_type(first) != NULL;
    if (!modifier || (kind != TOKEN_INDEX_BRACKET && kind != TOKEN_OPEN_BRACKET)) {
        return false;
    }
    // Behind a name its namespace and the type stand before it.
    bool behind_name = before->kind == TOKEN_NAME;
    Span type = before->span;
    if (behind_name) {
        Span space = word_before(parser, before->span.start - 1);
        type = word_before(parser, space.start);
    }
    const char *meant = meant_type(text_of(parser, type));
    Slice lengths =
        until_bracket((Slice){line.data + (at + 1 - start), line.len - (at + 1 - start)});
    if (meant == NULL || lengths.len == 0) {
        return false;
    }
    Span brackets = {at, at + (uint32_t)lengths.len + 2};
    const char *tensor = arena_format(parser->context->arena, "tensor<%s, %.*s>", meant,
                                      (int)lengths.len, lengths.data);
    Diag *diag =
        syntax_error(parser, mistake->found->span, "lengths belong to the type of a tensor");
    diag_help(diag, "write `%s` for the type", tensor);
    diag_edit(diag, behind_name ? type : (Span){type.start, brackets.end}, "%s", tensor);
    if (behind_name) {
        diag_edit(diag, brackets, "%s", "");
    }
    return true;
}

// `for ...` and `macro for ...`.
static bool heads_loop(Slice line) {
    Slice word = leading_word(line);
    if (slice_is(word, "macro")) {
        size_t at = word.len + strspn(line.data + word.len, " \t");
        word = leading_word((Slice){line.data + at, line.len - at});
    }
    return slice_is(word, "for");
}

// `for i = 0:3: print(i)`, whose body was read as the step.
static bool loop_on_one_line(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    uint32_t before = mistake->before->span.start;
    uint32_t start;
    Slice line = line_around(parser, before, &start);
    line.len = strcspn(line.data, "#\n");
    size_t colon = line.len;
    while (colon > 0 && line.data[colon - 1] != ':') {
        colon--;
    }
    bool is_range = colon > 0 && memchr(line.data, ':', colon - 1) != NULL;
    if (!mistake->expected[TOKEN_HEADER_COLON] || !heads_loop(line) || !is_range) {
        return false;
    }
    Slice body = line_behind(parser, start + (uint32_t)colon);
    size_t blanks = strspn(body.data, " ");
    size_t name = leading_word((Slice){body.data + blanks, body.len - blanks}).len;
    TokenKind found = mistake->found->kind;
    bool ends = mistake->found->first_on_line || found == TOKEN_END_OF_FILE;
    bool calls = ends && body.data[blanks + name] == '(';
    if (blanks == 0 || name == 0 || !(calls || parser_is_assignment(found))) {
        return false;
    }
    report_one_line_block(parser, (Span){start + (uint32_t)colon - 1, start + (uint32_t)colon},
                          leading_word(line), body);
    return true;
}

// `for i = 0:6:2: print(i)`, whose last `:` has more behind it.
static bool loop_with_step_on_one_line(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    Span colon = mistake->found->span;
    uint32_t start;
    Slice line = line_around(parser, colon.start, &start);
    Slice body = line_behind(parser, colon.end);
    if (mistake->found->kind != TOKEN_COLON || !mistake->expected[TOKEN_HEADER_COLON] ||
        !heads_loop(line) || body.len == 0) {
        return false;
    }
    report_one_line_block(parser, colon, leading_word(line), body);
    return true;
}

// `for i, x in enumerate(v):`
static bool loop_over_pairs(const Mistake *mistake) {
    uint32_t start;
    Slice line = line_around(mistake->parser, mistake->found->span.start, &start);
    if (mistake->found->kind != TOKEN_COMMA || !mistake->expected[TOKEN_ASSIGN] ||
        !heads_loop(line)) {
        return false;
    }
    Diag *diag = syntax_error(mistake->parser, mistake->found->span, "a loop has one variable");
    diag_note(diag, "it runs over positions: `for i = 0:x.len:`, with `x[i]` in it");
    return true;
}

// `for i in range(3):`, `for x in v:`, `for i = range(3):`
static bool loop_over_something(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    const Token *found = mistake->found;
    uint32_t start;
    Slice line = line_around(parser, found->span.start, &start);
    bool in = found->kind == TOKEN_IN && mistake->expected[TOKEN_ASSIGN] && heads_loop(line);
    const char *assign = memchr(line.data, '=', line.len);
    bool one = found->kind == TOKEN_HEADER_COLON && mistake->expected[TOKEN_COLON] &&
               mistake->expected[TOKEN_PLUS] && assign != NULL && heads_loop(line);
    if (!in && !one) {
        return false;
    }
    uint32_t from = in ? found->span.end : start + (uint32_t)(assign - line.data) + 1;
    Slice what = line_behind(parser, from);
    size_t blanks = what.len == 0 ? 0 : strspn(what.data, " ");
    what = (Slice){what.data + blanks, what.len - blanks};
    bool colon = what.len > 0 && what.data[what.len - 1] == ':';
    what.len -= colon;
    const char *range = meant_range(parser, what);
    Diag *diag = in ? syntax_error(parser, found->span, "expected `=`, found `in`")
                    : syntax_error(parser, found->span, "the range of a loop needs two ends");
    if (range != NULL && colon) {
        uint32_t begin = in ? found->span.start : from;
        diag_help(diag, "write `= %s:`", range);
        diag_edit(diag, (Span){begin, from + (uint32_t)(blanks + what.len)}, in ? "= %s" : " %s",
                  range);
    } else if (leading_word(what).len == what.len && what.len > 0 && (what.data[0] | 0x20) >= 'a') {
        diag_note(diag, "a loop runs over positions: `for i = 0:%.*s.len:`, with `%.*s[i]` in it",
                  (int)what.len, what.data, (int)what.len, what.data);
    } else if (what.len > 0 && what.data[0] == '[') {
        diag_note(diag,
                  "a loop runs over positions: give the array a name, as in `x = %.*s`; then "
                  "`for i = 0:x.len:`, with `x[i]` in it",
                  (int)what.len, what.data);
    } else {
        diag_note(diag, "%s; its last turn is the one before `end`", LOOP_FORM);
    }
    return true;
}

// `else x > 2:`
static bool else_with_condition(const Mistake *mistake) {
    if (mistake->before->kind != TOKEN_ELSE || mistake->found->first_on_line ||
        !mistake->expected[TOKEN_IF]) {
        return false;
    }
    Diag *diag = syntax_error(mistake->parser, mistake->before->span, "`else` has no condition");
    diag_help(diag, "write `elseif`");
    diag_edit(diag, mistake->before->span, "elseif");
    return true;
}

void report_word_behind_end(Parser *parser, Span word) {
    uint32_t start;
    (void)line_around(parser, word.start, &start);
    Slice text = text_of(parser, word);
    Diag *diag = syntax_error(parser, word, "`end` stands alone, whatever it ends");
    diag_help(diag, "leave `%.*s` out", (int)text.len, text.data);
    diag_edit(diag, (Span){start + 3, word.end}, "%s", "");
}

// `end function`, `end lag`: the word begins a statement, so the mistake may show on the next line.
static bool end_with_word(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    uint32_t at = mistake->found->first_on_line || mistake->found->kind == TOKEN_END_OF_FILE
                      ? mistake->found->span.start
                      : mistake->before->span.start;
    uint32_t start;
    Slice line = line_around(parser, mistake->found->span.start, &start);
    bool same = slice_is(leading_word(line), "end") && at > start;
    line = same ? line : line_above(parser, at, &start);
    if (line.len == 0 || !slice_is(leading_word(line), "end")) {
        return false;
    }
    const char *behind = line.data + 3 + strspn(line.data + 3, " ");
    Slice word = leading_word((Slice){behind, line.len - (size_t)(behind - line.data)});
    bool known = (same && mistake->before->kind == TOKEN_END) || slice_is(word, "function");
    if (!known || word.len == 0 || behind + word.len != line.data + line.len) {
        return false;
    }
    report_word_behind_end(parser, part(start, line, behind, word.len));
    parser->error_at_end = true;
    return true;
}

bool report_header(const Mistake *mistake) {
    static const MistakeRule rules[] = {
        {.recognises = lengths_in_brackets},
        {.recognises = terminal_with_lengths},
        {.recognises = loop_variable_with_type},
        {.recognises = range_with_comma},
        {.recognises = targets_with_types},
        {.recognises = semicolon_in_type},
        {.recognises = literal_in_type},
        {.recognises = tensor_type_turned},
        {.recognises = bare_tensor},
        {.recognises = terminal_out_of_order},
        {.recognises = loop_on_one_line},
        {.recognises = loop_with_step_on_one_line},
        {.recognises = loop_over_pairs},
        {.recognises = loop_over_something},
        {.recognises = else_with_condition},
        {.recognises = end_with_word},
    };
    return report_by_rules(mistake, rules, sizeof rules / sizeof rules[0]);
}
