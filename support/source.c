// Files lie one after the other in the space of positions, with one position between two files, so
// that the end of a file is not the start of the next.
#include "support/source.h"

#include "support/bug.h"

#include <string.h>

enum { FIRST_POSITION = 1, BOM_LENGTH = 3 };

static const uint32_t LAST_POSITION = INT32_MAX;

struct SourceMap {
    Arena *arena;
    uint32_t next_base;
    LIST_OF(SourceFile *) files;
};

SourceMap *sources_create(Arena *arena) {
    SourceMap *sources = ARENA_NEW(arena, SourceMap);
    sources->arena = arena;
    sources->next_base = FIRST_POSITION;
    return sources;
}

SourceFile *sources_add(SourceMap *sources, const char *path, const char *text, size_t len) {
    if (len >= LAST_POSITION - sources->next_base) {
        return NULL;
    }
    char *copy = arena_alloc(sources->arena, len + 2);
    if (len > 0) {
        memcpy(copy, text, len);
    }
    SourceFile *file = ARENA_NEW(sources->arena, SourceFile);
    file->path = arena_copy_text(sources->arena, path, strlen(path));
    file->text = copy;
    file->len = (uint32_t)len;
    file->base = sources->next_base;
    file->index = (uint32_t)sources->files.count;
    file->arena = sources->arena;
    sources->next_base += file->len + 1;
    LIST_PUSH(sources->arena, &sources->files, file);
    return file;
}

void sources_drop_last(SourceMap *sources) {
    CHECK(sources->files.count > 0);
    sources->next_base = sources->files.items[--sources->files.count]->base;
}

SourceFile *sources_file(const SourceMap *sources, uint32_t index) {
    CHECK(index < sources->files.count);
    return sources->files.items[index];
}

uint32_t sources_count(const SourceMap *sources) {
    return (uint32_t)sources->files.count;
}

// Finds all line starts. The first line starts at 0; after a final newline there is an empty line.
static void source_split_lines(SourceFile *file) {
    if (file->line_starts != NULL) {
        return;
    }
    uint32_t count = 1;
    for (uint32_t i = 0; i < file->len; i++) {
        count += file->text[i] == '\n';
    }
    file->line_starts = ARENA_ARRAY(file->arena, uint32_t, count);
    file->line_count = count;
    uint32_t line = 1;
    for (uint32_t i = 0; i < file->len; i++) {
        if (file->text[i] == '\n') {
            file->line_starts[line++] = i + 1;
        }
    }
}

// The last file that begins at or before the position.
static SourceFile *sources_find(const SourceMap *sources, uint32_t position) {
    SourceFile *const *items = sources->files.items;
    size_t low = 0;
    for (size_t high = sources->files.count; low < high;) {
        size_t middle = low + (high - low) / 2;
        bool begins = items[middle]->base <= position;
        low = begins ? middle + 1 : low;
        high = begins ? high : middle;
    }
    return low == 0 ? NULL : items[low - 1];
}

SourcePlace sources_place(const SourceMap *sources, uint32_t position) {
    SourceFile *file = sources_find(sources, position);
    if (file == NULL) {
        return (SourcePlace){0};
    }
    source_split_lines(file);
    uint32_t offset = position - file->base;
    CHECK(offset <= file->len);
    uint32_t low = 0;
    uint32_t high = file->line_count;
    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (file->line_starts[middle] <= offset) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return (SourcePlace){file, offset, low + 1, offset - file->line_starts[low] + 1};
}

uint32_t source_character(SourcePlace place) {
    CHECK(place.file != NULL);
    uint32_t start = place.offset - (place.column - 1);
    if (start == 0 && place.offset >= BOM_LENGTH &&
        memcmp(place.file->text, "\xEF\xBB\xBF", BOM_LENGTH) == 0) {
        start = BOM_LENGTH;
    }
    uint32_t character = 1;
    for (uint32_t i = start; i < place.offset; i++) {
        bool continues = ((unsigned char)place.file->text[i] & 0xC0) == 0x80;
        character += !continues;
    }
    return character;
}

Slice source_line(SourceFile *file, uint32_t line) {
    source_split_lines(file);
    CHECK(1 <= line && line <= file->line_count);
    uint32_t start = file->line_starts[line - 1];
    uint32_t end = line < file->line_count ? file->line_starts[line] - 1 : file->len;
    if (end > start && file->text[end - 1] == '\r') {
        end--;
    }
    return (Slice){file->text + start, end - start};
}

Slice sources_text(const SourceMap *sources, Span span) {
    SourceFile *file = sources_find(sources, span.start);
    if (file == NULL) {
        return (Slice){"", 0};
    }
    CHECK(span.start <= span.end && span.end - file->base <= file->len);
    return (Slice){file->text + (span.start - file->base), span.end - span.start};
}

const char *sources_short_text(const SourceMap *sources, Arena *arena, Span span,
                               const char *fallback) {
    enum { SHORT_TEXT = 24 };
    Slice text = sources_text(sources, span);
    if (text.len == 0 || text.len > SHORT_TEXT || memchr(text.data, '\n', text.len) != NULL) {
        return fallback;
    }
    return arena_copy_text(arena, text.data, text.len);
}

bool span_is_nowhere(Span span) {
    return span.end == 0;
}

bool span_has(Span span, uint32_t position) {
    return span.start <= position && position < span.end;
}

Span span_join(Span a, Span b) {
    if (span_is_nowhere(a)) {
        return b;
    }
    if (span_is_nowhere(b)) {
        return a;
    }
    return (Span){a.start < b.start ? a.start : b.start, a.end > b.end ? a.end : b.end};
}

Span span_after(Span span) {
    return (Span){span.end, span.end};
}
