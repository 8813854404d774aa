// Declarations and assignments in a row, as `in real t.u, t.v` and `x, y = 1, 2`, declarations of
// Fortran, and types without lengths.
#include "parser/mistakes/foreign.h"
#include "parser/mistakes/mistakes.h"

#include <string.h>

enum { ROW_MOST = 16 };

// The parts of a text between its commas, those in brackets left out.
typedef struct Row {
    Slice items[ROW_MOST];
    size_t count;
} Row;

// False where there are too many.
static bool split_row(Slice text, Row *row) {
    int depth = 0;
    size_t begin = 0;
    row->count = 0;
    for (size_t at = 0; at <= text.len; at++) {
        char c = at == text.len ? ',' : text.data[at];
        depth += (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
        if (c != ',' || (depth != 0 && at < text.len)) {
            continue;
        }
        if (row->count == ROW_MOST) {
            return false;
        }
        row->items[row->count++] = slice_trim((Slice){text.data + begin, at - begin});
        begin = at + 1;
    }
    return true;
}

// Where the text assigns, or its end.
static size_t assign_in(Slice text) {
    for (size_t at = 1; at < text.len; at++) {
        char next = at + 1 < text.len ? text.data[at + 1] : ' ';
        if (text.data[at] == '=') {
            bool compares = next == '=' || strchr("<>!", text.data[at - 1]) != NULL;
            return compares ? text.len : at;
        }
    }
    return text.len;
}

// The name that ends there, with its namespace.
static Slice name_before(Slice text, size_t end) {
    while (end > 0 && text.data[end - 1] == ' ') {
        end--;
    }
    size_t begin = end;
    while (begin > 0 && (text.data[begin - 1] == '.' ||
                         leading_word((Slice){text.data + begin - 1, end - begin + 1}).len > 0 ||
                         (text.data[begin - 1] >= '0' && text.data[begin - 1] <= '9'))) {
        begin--;
    }
    return (Slice){text.data + begin, end - begin};
}

static bool are_declared(const Row *row, bool terminals, bool typed) {
    for (size_t k = 0; k < row->count; k++) {
        Slice item = row->items[k];
        size_t assign = assign_in(item);
        Slice name = name_before(item, assign);
        bool plain = name.len > 0 && (k == 0 || name.data == item.data);
        if (!plain || (assign == item.len && !terminals) ||
            (k == 0 && !typed && name.data > item.data)) {
            return false;
        }
    }
    return row->count > 1;
}

// `in real t.u, t.v`, `int a = 1, b = 2`, `a = 1, b = 2`
static bool declarations_in_a_row(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    uint32_t start;
    uint32_t found = mistake->found->span.start;
    if (mistake->found->kind != TOKEN_COMMA || !span_is_nowhere(parser->bracket)) {
        return false;
    }
    (void)line_around(parser, found, &start);
    Slice line = line_behind(parser, start);
    Slice first = leading_word(line);
    Row row;
    bool terminals = slice_is_among(first, "in out optional not");
    bool typed = terminals || slice_is(first, "tunable") || meant_type(first) != NULL;
    if (!split_row(line, &row) || !are_declared(&row, terminals, typed)) {
        return false;
    }
    Slice name = name_before(row.items[0], assign_in(row.items[0]));
    const char *space = memchr(name.data, '.', name.len);
    Diag *diag =
        syntax_error(parser, mistake->found->span,
                     typed ? "a declaration has one name" : "a `,` does not separate statements");
    diag_help(diag, "give each one a line of its own");
    for (size_t k = 1; k < row.count; k++) {
        Slice before = row.items[k - 1];
        Slice item = row.items[k];
        Span comma = {start + (uint32_t)(before.data + before.len - line.data),
                      start + (uint32_t)(item.data - line.data)};
        bool lacks_space = space != NULL && leading_word(item).len < item.len &&
                           item.data[leading_word(item).len] == '.';
        diag_edit(diag, comma, "\n%*s%.*s%.*s", (int)parser_indent(parser, start), "",
                  (int)(name.data - line.data), line.data,
                  space == NULL || lacks_space ? 0 : (int)(space + 1 - name.data), name.data);
    }
    return true;
}

// Whether no value reads a target that is assigned before it.
static bool are_independent(const Row *targets, const Row *values) {
    for (size_t k = 0; k < targets->count; k++) {
        for (size_t i = k + 1; i < values->count; i++) {
            if (has_word(values->items[i], leading_word(targets->items[k]))) {
                return false;
            }
        }
    }
    return true;
}

// `x, y = 1, 2`, `x, y = y, x`
static bool values_for_targets(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    uint32_t start;
    if (mistake->found->kind != TOKEN_COMMA || !span_is_nowhere(parser->bracket)) {
        return false;
    }
    (void)line_around(parser, mistake->found->span.start, &start);
    Slice line = line_behind(parser, start);
    size_t assign = assign_in(line);
    Row targets;
    Row values;
    if (assign == line.len || !split_row((Slice){line.data, assign}, &targets) ||
        !split_row((Slice){line.data + assign + 1, line.len - assign - 1}, &values) ||
        targets.count < 2 || targets.count != values.count) {
        return false;
    }
    Diag *diag =
        syntax_error(parser, mistake->found->span, "several targets take what one call gives");
    if (!are_independent(&targets, &values)) {
        diag_note(diag, "each value is assigned by itself; a swap goes through a third name");
        return true;
    }
    // `real a, b = 1, 2` is of two reals.
    Slice name = name_before(targets.items[0], targets.items[0].len);
    int type = (int)(name.data - targets.items[0].data);
    const char *text = "";
    for (size_t k = 0; k < targets.count; k++) {
        text = arena_format(parser->context->arena, "%s%s%*s%.*s%.*s = %.*s", text,
                            k == 0 ? "" : "\n", k == 0 ? 0 : (int)parser_indent(parser, start), "",
                            k == 0 ? 0 : type, targets.items[0].data, (int)targets.items[k].len,
                            targets.items[k].data, (int)values.items[k].len, values.items[k].data);
    }
    diag_help(diag, "assign each value in a line of its own");
    diag_edit(diag, (Span){start, start + (uint32_t)line.len}, "%s", text);
    return true;
}

// `real :: x = 3.0`, `integer, parameter :: n = 3`
static bool declaration_of_fortran(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    uint32_t start;
    (void)line_around(parser, mistake->found->span.start, &start);
    Slice line = line_behind(parser, start);
    Slice word = leading_word(line);
    const char *type = meant_type(word);
    const char *colons = strstr(arena_copy_text(parser->context->arena, line.data, line.len), "::");
    if (type == NULL || colons == NULL || mistake->found->span.start < start) {
        return false;
    }
    size_t at = line.len - strlen(colons);
    Span mark = {start + (uint32_t)at, start + (uint32_t)at + 2};
    size_t blanks = strspn(line.data + word.len, " ");
    bool is_bare = word.len + blanks == at;
    size_t name = at + 2 + strspn(colons + 2, " ");
    bool has_value = memchr(line.data + at, '=', line.len - at) != NULL;
    Diag *diag = syntax_error(parser, mark, "a declaration has no `::`");
    if (is_bare && has_value) {
        diag_help(diag, "write `%s %.*s`", type, (int)(line.len - name), line.data + name);
        diag_edit(diag, (Span){start, start + (uint32_t)name}, "%s ", type);
    } else {
        diag_note(diag,
                  "it is written `%s x = 0`, of an array `tensor<%s, 3> x = 0`, of a "
                  "constant `%s n.x = 3`",
                  type, type, type);
    }
    return true;
}

// `(/ 1.0, 2.0 /)`
static bool tensor_of_fortran(const Mistake *mistake) {
    Parser *parser = mistake->parser;
    Span open = {mistake->before->span.start, mistake->found->span.end};
    if (mistake->found->kind != TOKEN_SLASH || mistake->before->kind != TOKEN_OPEN_PAREN ||
        open.end - open.start != 2) {
        return false;
    }
    Slice behind = line_behind(parser, open.end);
    const char *close =
        strstr(arena_copy_text(parser->context->arena, behind.data, behind.len), "/)");
    Diag *diag = syntax_error(parser, open, "`(/` is not TML");
    if (close == NULL) {
        diag_note(diag, "a tensor is written `[1, 2, 3]`");
        return true;
    }
    size_t len = behind.len - strlen(close);
    Slice inside = slice_trim((Slice){behind.data, len});
    diag_help(diag, "write `[%.*s]`", (int)inside.len, inside.data);
    diag_edit(diag, (Span){open.start, open.end + (uint32_t)len + 2}, "[%.*s]", (int)inside.len,
              inside.data);
    return true;
}

// `tensor<real> x`
static bool tensor_without_lengths(const Mistake *mistake) {
    bool closes =
        mistake->found->kind == TOKEN_GREATER || mistake->found->kind == TOKEN_SHIFT_RIGHT;
    if (!closes || !mistake->expected[TOKEN_COMMA] || mistake->expected[TOKEN_PLUS] ||
        mistake->expected[TOKEN_ASSIGN]) { // `x > 3`
        return false;
    }
    Parser *parser = mistake->parser;
    uint32_t start;
    Slice word = leading_word(line_around(parser, mistake->found->span.start, &start));
    Slice root = text_of(parser, mistake->before->span);
    bool is_scalar = mistake->before->kind >= TOKEN_INT && mistake->before->kind <= TOKEN_BOOL;
    Diag *diag = syntax_error(parser, mistake->found->span, "a tensor type needs its lengths");
    bool is_parameter = slice_is(word, "fn") && !span_is_nowhere(parser->bracket);
    diag_note(diag,
              is_parameter ? "`tensor<%.*s, n>` takes vectors of any length, `tensor<%.*s, m, n>` "
                             "matrices"
                           : "it is written like `tensor<%.*s, 3>`",
              is_scalar ? (int)root.len : 4, is_scalar ? root.data : "real",
              is_scalar ? (int)root.len : 4, is_scalar ? root.data : "real");
    return true;
}

bool report_declaration(const Mistake *mistake) {
    static const MistakeRule rules[] = {
        {.recognises = declaration_of_fortran}, {.recognises = tensor_of_fortran},
        {.recognises = declarations_in_a_row},  {.recognises = values_for_targets},
        {.recognises = tensor_without_lengths},
    };
    return report_by_rules(mistake, rules, sizeof rules / sizeof rules[0]);
}
