// The text around a mistake: what a line says is often clearer than the token that did not fit.
#include "parser/mistakes/foreign.h"
#include "parser/mistakes/mistakes.h"

#include <string.h>

Slice text_of(const Parser *parser, Span span) {
    return sources_text(parser->context->sources, span);
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
    return c == '_' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

static Slice trimmed(Slice text) {
    while (text.len > 0 && is_blank(text.data[text.len - 1])) {
        text.len--;
    }
    return text;
}

// What stands before the first token is nowhere, and is taken for the start of the file.
static uint32_t offset_of(const SourceFile *source, uint32_t position) {
    return position < source->base ? 0 : position - source->base;
}

Slice line_around(const Parser *parser, uint32_t position, uint32_t *start) {
    const SourceFile *source = parser->file->source;
    uint32_t offset = offset_of(source, position);
    while (offset > 0 && source->text[offset - 1] != '\n') {
        offset--;
    }
    while (is_blank(source->text[offset])) {
        offset++;
    }
    *start = source->base + offset;
    const char *text = source->text + offset;
    return trimmed((Slice){.data = text, .len = strcspn(text, "\n")});
}

Slice line_above(const Parser *parser, uint32_t position, uint32_t *start) {
    const SourceFile *source = parser->file->source;
    uint32_t offset = offset_of(source, position);
    for (;;) {
        while (offset > 0 && source->text[offset - 1] != '\n') {
            offset--;
        }
        if (offset == 0) {
            return (Slice){.data = source->text, .len = 0};
        }
        offset--; // the line end
        Slice line = line_around(parser, source->base + offset, start);
        if (line.len > 0) {
            return line;
        }
    }
}

uint32_t line_below(const Parser *parser, uint32_t position) {
    const SourceFile *source = parser->file->source;
    uint32_t offset = offset_of(source, position);
    const char *end = memchr(source->text + offset, '\n', source->len - offset);
    return source->base + (end == NULL ? source->len : (uint32_t)(end + 1 - source->text));
}

Slice line_behind(const Parser *parser, uint32_t position) {
    const char *text = parser->file->source->text + (position - parser->file->source->base);
    return trimmed((Slice){.data = text, .len = strcspn(text, "#\n")});
}

bool begins_block(Slice line) {
    char last = line.len == 0 ? '\0' : line.data[line.len - 1];
    const char *below = line.data + line.len;
    below += strspn(below, " \t\r\n");
    return last == ':' || last == '{' || *below == '{';
}

Slice leading_word(Slice text) {
    size_t len = 0;
    while (len < text.len && (is_letter(text.data[len]) || (len > 0 && is_digit(text.data[len])))) {
        len++;
    }
    return (Slice){.data = text.data, .len = len};
}

bool has_word(Slice text, Slice word) {
    for (size_t at = 0; at < text.len; at++) {
        Slice here = leading_word((Slice){text.data + at, text.len - at});
        if (here.len == word.len && memcmp(here.data, word.data, word.len) == 0) {
            return true;
        }
        at += here.len;
    }
    return false;
}

Span word_before(const Parser *parser, uint32_t position) {
    uint32_t start;
    Slice line = line_around(parser, position, &start);
    size_t end = position < start ? 0 : position - start;
    while (end > 0 && (line.data[end - 1] == ' ' || line.data[end - 1] == '\t')) {
        end--;
    }
    size_t begin = end;
    while (begin > 0 &&
           leading_word((Slice){line.data + begin - 1, end - begin + 1}).len == end - begin + 1) {
        begin--;
    }
    return (Span){start + (uint32_t)begin, start + (uint32_t)end};
}

Slice open_tensor(const Parser *parser, uint32_t position) {
    uint32_t start;
    Slice line = line_around(parser, position, &start);
    size_t end = position < start ? 0 : position - start;
    size_t inner = 0;
    for (size_t at = end; at-- > 0;) {
        bool opens = strncmp(line.data + at, "tensor<", strlen("tensor<")) == 0;
        if (opens && inner == 0) {
            return (Slice){.data = line.data + at, .len = end - at};
        }
        inner += line.data[at] == '>';
        inner -= opens;
    }
    return (Slice){.data = line.data, .len = 0};
}

bool slice_is(Slice text, const char *word) {
    return strlen(word) == text.len && memcmp(word, text.data, text.len) == 0;
}

bool slice_is_among(Slice text, const char *words) {
    for (const char *at = words; *at != '\0'; at += strspn(at, " ")) {
        size_t len = strcspn(at, " ");
        if (len == text.len && memcmp(at, text.data, len) == 0) {
            return true;
        }
        at += len;
    }
    return false;
}

const char *meant_type(Slice word) {
    static const char *const types[] = {"bool", "uint", "int", "real"};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        if (slice_is(word, types[i])) {
            return types[i];
        }
    }
    const ForeignWord *foreign = foreign_find(word, FOREIGN_TYPE);
    return foreign == NULL || strchr(foreign->tml, '<') != NULL ? NULL : foreign->tml;
}

Slice until_bracket(Slice text) {
    const char *close = memchr(text.data, ']', text.len);
    return (Slice){.data = text.data, .len = close == NULL ? 0 : (size_t)(close - text.data)};
}

static bool is_of_operand(char c) {
    return is_letter(c) || is_digit(c) || c == '.';
}

static int brackets(char c) {
    return (c == '(' || c == '[' || c == '{') - (c == ')' || c == ']' || c == '}');
}

size_t operand_end(Slice text, size_t at) {
    for (int depth = 0; at < text.len; at++) {
        char c = text.data[at];
        if (depth == 0 && !is_of_operand(c) && brackets(c) <= 0) {
            break;
        }
        depth += brackets(c);
    }
    return at;
}

Slice operand_before(const Parser *parser, uint32_t position) {
    uint32_t start;
    Slice line = line_around(parser, position, &start);
    size_t end = position - start;
    while (end > 0 && line.data[end - 1] == ' ') {
        end--;
    }
    size_t begin = end;
    for (int depth = 0; begin > 0; begin--) {
        char c = line.data[begin - 1];
        if (depth == 0 && !is_of_operand(c) && brackets(c) >= 0) {
            break;
        }
        depth -= brackets(c);
    }
    return (Slice){line.data + begin, end - begin};
}
