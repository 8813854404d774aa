// Lengths in brackets behind a name or a type, as other languages have them: `real x[3] = 0.0`,
// `int x[] = [1, 2]`, `real[3] x = 0.0`. A tensor has them in its type.
#include "parser/mistakes/mistakes.h"

#include <string.h>

// The lengths of a literal of one row, or of rows that are as long as each other; NULL when it is
// something else.
static const char *literal_lengths(Arena *arena, Slice value) {
    unsigned elements = 1;
    unsigned rows = 1;
    unsigned first = 0; // how many elements the first row has
    if (value.len < 3 || value.data[0] != '[' || value.data[value.len - 1] != ']') {
        return NULL;
    }
    for (size_t k = 1; k + 1 < value.len; k++) {
        char c = value.data[k];
        if (strchr("[](){}|\"'#", c) != NULL) {
            return NULL;
        }
        if (c == ';') {
            first = rows == 1 ? elements : first;
            if (elements != first) {
                return NULL;
            }
            rows++;
        }
        elements = c == ';' ? 1 : elements + (c == ',');
    }
    if (rows > 1 && elements != first) {
        return NULL;
    }
    return rows == 1 ? arena_format(arena, "%u", elements)
                     : arena_format(arena, "%u, %u", rows, elements);
}

// `real x[] = [1, 2]`, `int[] x = [1, 2]`, at the bracket. `head` ends before the `=`.
static void report_open_lengths(Parser *parser, Span bracket, Span head, const char *type,
                                Slice name, Slice value) {
    Arena *arena = parser->context->arena;
    Diag *diag = syntax_error(parser, bracket, "lengths belong to the type of a tensor");
    const char *lengths = literal_lengths(arena, value);
    if (lengths == NULL) {
        diag_note(diag,
                  "it is declared like `tensor<%s, 3> %.*s = 0`, or `%.*s = ...` with the type of "
                  "its value",
                  type, (int)name.len, name.data, (int)name.len, name.data);
        return;
    }
    diag_help(diag, "write `tensor<%s, %s> %.*s`", type, lengths, (int)name.len, name.data);
    diag_edit(diag, head, "tensor<%s, %s> %.*s ", type, lengths, (int)name.len, name.data);
}

// Whether brackets have no lengths in them, or `:`.
static bool is_open_length(Slice text) {
    size_t len = text.len > 1 && (text.data[1] == ':' || text.data[1] == '?') ? 3 : 2;
    return text.len >= len && text.data[0] == '[' && text.data[len - 1] == ']';
}

// `real x[] = [1, 2]`, with the `[` at `at` in the line that begins at `start`.
static bool open_lengths(Parser *parser, uint32_t start, Slice line, size_t at, const char *type,
                         Slice word) {
    size_t behind_word = word.len + strspn(line.data + word.len, " ");
    Slice name = leading_word((Slice){line.data + behind_word, line.len - behind_word});
    size_t behind_name = behind_word + name.len;
    behind_name += strspn(line.data + behind_name, " ");
    size_t end = at;
    while (is_open_length((Slice){line.data + end, line.len - end})) {
        end += line.data[end + 1] == ']' ? 2 : 3;
    }
    if (end == at || (name.len > 0 && behind_name != at)) {
        return false;
    }
    size_t next = end + strspn(line.data + end, " ");
    if (name.len == 0) {
        name = leading_word((Slice){line.data + next, line.len - next});
        next += name.len + strspn(line.data + next + name.len, " ");
    }
    if (name.len == 0 || next >= line.len || line.data[next] != '=') {
        return false;
    }
    size_t value = next + 1 + strspn(line.data + next + 1, " ");
    uint32_t bracket = start + (uint32_t)at;
    report_open_lengths(parser, (Span){bracket, start + (uint32_t)end},
                        (Span){start, start + (uint32_t)next}, type, name,
                        (Slice){line.data + value, line.len - value});
    return true;
}

// `real x[3] = 0.0`, `double x [3];`, `real[3] x = 0.0`
bool report_lengths(Parser *parser, uint32_t bracket) {
    uint32_t start;
    Slice line = line_around(parser, bracket, &start);
    Slice word = leading_word(line);
    const char *type = meant_type(word);
    size_t at = bracket - start + strspn(line_behind(parser, bracket).data, " ");
    if (type == NULL || at < word.len || at >= line.len || line.data[at] != '[') {
        return false;
    }
    bracket = start + (uint32_t)at;
    if (open_lengths(parser, start, line, at, type, word)) {
        return true;
    }
    Slice lengths = until_bracket((Slice){line.data + at + 1, line.len - at - 1});
    Slice between = {.data = line.data + word.len, .len = at - word.len};
    size_t blanks = strspn(between.data, " ");
    Slice name = leading_word((Slice){between.data + blanks, at - word.len - blanks});
    const char *rest = lengths.data + lengths.len + 1;
    size_t end = blanks + name.len + strspn(name.data + name.len, " ");
    if (lengths.len == 0 || end != between.len) {
        return false;
    }
    if (name.len == 0) {
        rest += strspn(rest, " ");
        name = leading_word((Slice){rest, line.len - (size_t)(rest - line.data)});
        rest += name.len;
    }
    Diag *diag = syntax_error(parser, (Span){bracket, bracket + 1},
                              "lengths belong to the type of a tensor");
    Arena *arena = parser->context->arena;
    const char *list = arena_format(arena, "%.*s", (int)lengths.len, lengths.data);
    for (; rest[strspn(rest, " ")] == '['; rest += lengths.len + 2) {
        rest += strspn(rest, " ");
        lengths = until_bracket((Slice){rest + 1, line.len - (size_t)(rest + 1 - line.data)});
        list = arena_format(arena, "%s, %.*s", list, (int)lengths.len, lengths.data);
    }
    const char *meant =
        arena_format(arena, "tensor<%s, %s> %.*s", type, list, (int)name.len, name.data);
    rest += strspn(rest, " ");
    bool fits = rest[0] == '=' && memchr(rest, '{', line.len - (size_t)(rest - line.data)) == NULL;
    if (fits) {
        diag_help(diag, "write `%s`", meant);
        diag_edit(diag, (Span){start, start + (uint32_t)(rest - line.data)}, "%s ", meant);
    } else {
        diag_note(diag, "it is declared like `%s = 0`", meant);
    }
    return true;
}
