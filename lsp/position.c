// See position.h. Lines of a text are found once; columns are counted in their line.
#include "lsp/position.h"

#include "lsp/document.h"
#include "support/json.h"
#include "support/memory.h"

#include <stdlib.h>

// A line ends behind `\n`, and behind a `\r` that no `\n` follows.
static bool is_line_end(const char *text, size_t len, size_t at) {
    return text[at] == '\n' || (text[at] == '\r' && (at + 1 == len || text[at + 1] != '\n'));
}

void lsp_lines_find(LspLines *lines, const char *text, size_t len) {
    uint32_t count = 1;
    for (size_t i = 0; i < len; i++) {
        count += is_line_end(text, len, i);
    }
    lines->starts = memory_resize(lines->starts, memory_product(count, sizeof(uint32_t)));
    lines->starts[0] = 0;
    lines->count = 1;
    for (size_t i = 0; i < len; i++) {
        if (is_line_end(text, len, i)) {
            lines->starts[lines->count++] = (uint32_t)i + 1;
        }
    }
}

// Where the line ends, without what ends it.
static uint32_t line_end(const char *text, size_t len, const LspLines *lines, uint32_t line) {
    if (line + 1 == lines->count) {
        return (uint32_t)len;
    }
    uint32_t end = lines->starts[line + 1] - 1;
    bool is_pair = text[end] == '\n' && end > lines->starts[line] && text[end - 1] == '\r';
    return is_pair ? end - 1 : end;
}

// Bytes of the character at `at`; of what is not UTF-8, one.
static uint32_t character_length(const char *text, uint32_t at, uint32_t end) {
    unsigned char first = (unsigned char)text[at];
    uint32_t length = first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    for (uint32_t i = 1; i < length; i++) {
        if (at + i == end || ((unsigned char)text[at + i] & 0xC0) != 0x80) {
            return 1;
        }
    }
    return length;
}

static uint32_t units_of(const LspServer *server, uint32_t length) {
    return server->utf8 ? length : length == 4 ? 2 : 1;
}

bool lsp_offset(const LspServer *server, const char *text, size_t len, const LspLines *lines,
                const json_t *position, uint32_t *offset) {
    const json_t *line_value = json_object_get(position, "line");
    const json_t *character_value = json_object_get(position, "character");
    json_int_t line = json_integer_value(line_value);
    json_int_t character = json_integer_value(character_value);
    if (!json_is_integer(line_value) || !json_is_integer(character_value) || line < 0 ||
        character < 0) {
        return false;
    }
    if (line >= (json_int_t)lines->count) {
        *offset = (uint32_t)len;
        return true;
    }
    uint32_t at = lines->starts[line];
    uint32_t end = line_end(text, len, lines, (uint32_t)line);
    for (json_int_t units = 0; at < end;) {
        uint32_t length = character_length(text, at, end);
        units += units_of(server, length);
        if (units > character) {
            break;
        }
        at += length;
    }
    *offset = at;
    return true;
}

uint32_t lsp_line(const LspLines *lines, uint32_t offset) {
    uint32_t low = 0;
    for (uint32_t high = lines->count; high - low > 1;) {
        uint32_t middle = low + (high - low) / 2;
        bool begins = lines->starts[middle] <= offset;
        low = begins ? middle : low;
        high = begins ? high : middle;
    }
    return low;
}

static json_t *position_in(const LspServer *server, const SourceFile *source, const LspLines *lines,
                           uint32_t offset) {
    uint32_t line = lsp_line(lines, offset);
    uint32_t end = line_end(source->text, source->len, lines, line);
    uint32_t units = 0;
    for (uint32_t at = lines->starts[line]; at < offset && at < end;) {
        uint32_t length = character_length(source->text, at, end);
        units += units_of(server, length);
        at += length;
    }
    json_t *position = json_object();
    json_set(position, "line", json_count(line));
    json_set(position, "character", json_count(units));
    return position;
}

static const LspLines *lines_of(LspDocument *document, const SourceFile *source) {
    if (source == document->source) {
        return &document->lines;
    }
    Arena *arena = document->context->arena;
    if (document->imported == NULL) {
        document->imported =
            ARENA_ARRAY(arena, LspLines, sources_count(document->context->sources));
    }
    LspLines *lines = &document->imported[source->index];
    if (lines->count == 0) {
        LspLines found = {0};
        lsp_lines_find(&found, source->text, source->len);
        lines->starts = arena_grow(arena, found.starts, found.count, found.count, sizeof(uint32_t));
        lines->count = found.count;
        free(found.starts);
    }
    return lines;
}

json_t *lsp_position(const LspServer *server, LspDocument *document, uint32_t position) {
    SourcePlace place = sources_place(document->context->sources, position);
    if (place.file == NULL) {
        place = (SourcePlace){.file = document->source};
    }
    return position_in(server, place.file, lines_of(document, place.file), place.offset);
}

json_t *lsp_range(const LspServer *server, LspDocument *document, Span span) {
    json_t *range = json_object();
    json_set(range, "start", lsp_position(server, document, span.start));
    json_set(range, "end", lsp_position(server, document, span.end));
    return range;
}

json_t *lsp_location(const LspServer *server, LspDocument *document, Span span) {
    SourcePlace place = sources_place(document->context->sources, span.start);
    json_t *location = json_object();
    json_set(location, "uri", json_word(lsp_file_uri(server, document, place.file)));
    json_set(location, "range", lsp_range(server, document, span));
    return location;
}
