// One source line with its underlines:
//
//   11 | c = a + b
//      |     - ^ - b is tensor<int, 2, 3>
//      |     | |
//      |     | these do not broadcast
//      |     a is tensor<int, 2, 2>
//
// Long lines are cut: only what is near a start or an end of a mark is shown.
#include "support/diag/render_parts.h"

#include "support/bug.h"

#include <string.h>

enum {
    LONGEST_LINE = 160, // columns that are shown without a cut
    MOST_BYTES = 640,   // the same in bytes, for characters of no width
    AROUND = 30,        // bytes before the start and after the end of a mark in a cut line
    INSIDE = 30,        // bytes of a mark that are shown after its start in a cut line
    BOM_LENGTH = 3,
};

bool mark_create(Mark *mark, const SourceMap *sources, Span span) {
    SourcePlace place = sources_place(sources, span.start);
    if (place.file == NULL) {
        return false;
    }
    size_t len = source_line(place.file, place.line).len;
    uint32_t start = place.column - 1 < len ? place.column - 1 : (uint32_t)len;
    uint32_t end = start + (span.end - span.start);
    *mark = (Mark){.file = place.file,
                   .line = place.line,
                   .start = start,
                   .end = end < len ? end : (uint32_t)len};
    return true;
}

static size_t skip_byte_order_mark(Slice line, uint32_t number) {
    bool present =
        number == 1 && line.len >= BOM_LENGTH && memcmp(line.data, "\xEF\xBB\xBF", BOM_LENGTH) == 0;
    return present ? BOM_LENGTH : 0;
}

static bool fits(Slice line) {
    unsigned column = 0;
    for (size_t at = 0; at < line.len && column <= LONGEST_LINE;) {
        Glyph glyph = glyph_next(line.data + at, line.len - at, column);
        column += glyph.width;
        at += glyph.bytes;
        if (at > MOST_BYTES) {
            return false;
        }
    }
    return column <= LONGEST_LINE;
}

static size_t back(size_t position, size_t by) {
    return position > by ? position - by : 0;
}

static size_t smaller(size_t a, size_t b) {
    return a < b ? a : b;
}

// The first position from `at` on that lies near an end of a mark, or the end of the line.
static size_t next_shown(Slice line, const Mark *marks, size_t count, size_t at) {
    size_t next = line.len;
    for (size_t i = 0; i < count; i++) {
        const Mark *mark = &marks[i];
        if (at < smaller(mark->end, mark->start + INSIDE) + AROUND) {
            size_t from = back(mark->start, AROUND);
            next = smaller(next, at > from ? at : from);
        }
        if (at < (size_t)mark->end + AROUND) {
            size_t from = back(mark->end, AROUND);
            next = smaller(next, at > from ? at : from);
        }
    }
    // A cut goes between characters; in what is not UTF-8 it may go anywhere.
    for (int i = 0; i < 3 && next > at && next < line.len; i++) {
        bool continues = ((unsigned char)line.data[next] & 0xC0) == 0x80;
        next += continues;
    }
    return next;
}

// Notes which marks begin or end in the character at byte `at`, shown at `column`.
static void place_marks(Mark *marks, size_t count, size_t at, Glyph glyph, unsigned column) {
    for (size_t i = 0; i < count; i++) {
        if (at <= marks[i].start && marks[i].start < at + glyph.bytes) {
            marks[i].column = column;
        }
        if (at < marks[i].end && marks[i].end <= at + glyph.bytes) {
            marks[i].end_column = column + glyph.width;
        }
    }
}

// Appends the line as it is shown and finds the columns of the marks in it.
static void lay_out(Buffer *shown, Slice line, size_t begin, Mark *marks, size_t count) {
    bool whole = fits(line);
    unsigned column = 0;
    size_t at = begin;
    while (at < line.len) {
        size_t next = whole ? at : next_shown(line, marks, count, at);
        if (next > at) {
            buffer_text(shown, "...");
            column += 3;
            at = next;
            continue;
        }
        Glyph glyph = glyph_next(line.data + at, line.len - at, column);
        place_marks(marks, count, at, glyph, column);
        buffer_append(shown, glyph.shown, glyph.len);
        column += glyph.width;
        at += glyph.bytes;
    }
    for (size_t i = 0; i < count; i++) {
        if (marks[i].start >= line.len) {
            marks[i].column = column;
        }
        if (marks[i].end_column <= marks[i].column) {
            marks[i].end_column = marks[i].column + 1;
        }
    }
}

static void show_source(const Renderer *renderer, Mark *marks, size_t count) {
    Slice line = source_line(marks[0].file, marks[0].line);
    size_t begin = skip_byte_order_mark(line, marks[0].line);
    for (size_t i = 0; i < count; i++) {
        marks[i].start = marks[i].start < begin ? (uint32_t)begin : marks[i].start;
        marks[i].end = marks[i].end < marks[i].start ? marks[i].start : marks[i].end;
    }
    Buffer shown = {0};
    lay_out(&shown, line, begin, marks, count);
    while (shown.len > 0 && shown.data[shown.len - 1] == ' ') {
        shown.len--;
    }
    render_gutter(renderer, marks[0].line);
    if (shown.len > 0) {
        buffer_text(renderer->out, " ");
        buffer_append(renderer->out, shown.data, shown.len);
    }
    buffer_text(renderer->out, "\n");
    buffer_free(&shown);
}

// Of the marks at this column the narrowest, so that none hides one inside it.
static const Mark *mark_at(const Mark *marks, size_t count, unsigned column) {
    const Mark *best = NULL;
    for (size_t i = 0; i < count; i++) {
        const Mark *mark = &marks[i];
        bool covers = mark->column <= column && column < mark->end_column;
        if (covers &&
            (best == NULL || mark->end_column - mark->column <= best->end_column - best->column)) {
            best = mark;
        }
    }
    return best;
}

static void begin_row(const Renderer *renderer) {
    render_gutter(renderer, 0);
    buffer_text(renderer->out, " ");
}

static void show_underlines(const Renderer *renderer, const Mark *marks, size_t count) {
    unsigned width = 0;
    for (size_t i = 0; i < count; i++) {
        width = marks[i].end_column > width ? marks[i].end_column : width;
    }
    begin_row(renderer);
    const Mark *previous = NULL;
    for (unsigned column = 0; column < width; column++) {
        const Mark *mark = mark_at(marks, count, column);
        if (mark != previous) {
            render_paint(renderer, mark == NULL ? PAINT_PLAIN : mark->paint);
            previous = mark;
        }
        buffer_repeat(renderer->out, mark == NULL ? ' ' : mark->underline, 1);
    }
    render_paint(renderer, PAINT_PLAIN);
}

static bool has_text(const Mark *mark) {
    return mark->text != NULL && mark->text[0] != '\0';
}

// Bars of the marks whose texts come in later rows, then blanks up to `until`.
static void show_connectors(const Renderer *renderer, const Mark *marks, size_t count,
                            unsigned until) {
    unsigned column = 0;
    for (size_t i = 0; i < count; i++) {
        const Mark *mark = &marks[i];
        if (has_text(mark) && mark->column >= column && mark->column < until) {
            buffer_repeat(renderer->out, ' ', mark->column - column);
            render_painted(renderer, mark->paint, "|");
            column = mark->column + 1;
        }
    }
    buffer_repeat(renderer->out, ' ', until - column);
}

void render_marked_line(const Renderer *renderer, Mark *marks, size_t count) {
    CHECK(count > 0);
    show_source(renderer, marks, count);
    show_underlines(renderer, marks, count);
    const Mark *last = &marks[count - 1];
    if (has_text(last)) {
        buffer_text(renderer->out, " ");
        render_painted(renderer, last->paint, last->text);
    }
    buffer_text(renderer->out, "\n");

    bool first = true;
    for (size_t i = count - 1; i > 0; i--) {
        const Mark *mark = &marks[i - 1];
        if (!has_text(mark)) {
            continue;
        }
        if (first) {
            begin_row(renderer);
            show_connectors(renderer, marks, count - 1, mark->column + 1);
            buffer_text(renderer->out, "\n");
            first = false;
        }
        begin_row(renderer);
        show_connectors(renderer, marks, i - 1, mark->column);
        render_painted(renderer, mark->paint, mark->text);
        buffer_text(renderer->out, "\n");
    }
}
