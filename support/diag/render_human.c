// The format for people: headline, source lines by file, notes without a place behind ` = `, then
// notes with a place as headlines of their own.
#include "support/diag/render_parts.h"

#include "support/memory.h"

#include <stdlib.h>
#include <string.h>

void render_gutter(const Renderer *renderer, uint32_t line) {
    render_paint(renderer, PAINT_BLUE);
    if (line == 0) {
        buffer_repeat(renderer->out, ' ', renderer->gutter);
    } else {
        buffer_format(renderer->out, "%*u", (int)renderer->gutter, line);
    }
    buffer_text(renderer->out, " |");
    render_paint(renderer, PAINT_PLAIN);
}

static int compare_marks(const void *left, const void *right) {
    const Mark *a = left;
    const Mark *b = right;
    if (a->group != b->group) {
        return a->group < b->group ? -1 : 1;
    }
    if (a->line != b->line) {
        return a->line < b->line ? -1 : 1;
    }
    if (a->start != b->start) {
        return a->start < b->start ? -1 : 1;
    }
    return (a->underline == '^') - (b->underline == '^');
}

// The primary mark and the labels, in the order in which they are shown. Returns their number; the
// array has room for all.
static size_t collect_marks(Mark *marks, const Diag *diag, const SourceMap *sources) {
    size_t count = 0;
    const SourceFile *home = NULL;
    if (mark_create(&marks[count], sources, diag->span)) {
        Mark *mark = &marks[count++];
        mark->paint = render_severity_paint(diag);
        mark->underline = '^';
        mark->text = diag->span_text;
        home = mark->file;
    }
    for (size_t i = 0; i < diag->labels.count; i++) {
        if (mark_create(&marks[count], sources, diag->labels.items[i].span)) {
            Mark *mark = &marks[count++];
            mark->paint = PAINT_BLUE;
            mark->underline = '-';
            mark->text = diag->labels.items[i].text;
            mark->group = mark->file == home ? 0 : mark->file->index + 1;
        }
    }
    qsort(marks, count, sizeof(Mark), compare_marks);
    return count;
}

static void show_empty_row(const Renderer *renderer) {
    render_gutter(renderer, 0);
    buffer_text(renderer->out, "\n");
}

static void show_marks(const Renderer *renderer, Mark *marks, size_t count) {
    for (size_t first = 0; first < count;) {
        size_t after = first;
        while (after < count && marks[after].group == marks[first].group &&
               marks[after].line == marks[first].line) {
            after++;
        }
        bool new_file = first == 0 || marks[first - 1].group != marks[first].group;
        if (new_file && marks[first].group != 0) {
            buffer_repeat(renderer->out, ' ', renderer->gutter);
            render_painted(renderer, PAINT_BLUE, "--> ");
            render_text(renderer->out, marks[first].file->path, strlen(marks[first].file->path));
            buffer_format(renderer->out, ":%u\n", marks[first].line);
        }
        if (new_file) {
            show_empty_row(renderer);
        }
        render_marked_line(renderer, marks + first, after - first);
        first = after;
    }
}

static const char *note_prefix(DiagPart part) {
    return part == DIAG_TABLE ? "" : part == DIAG_HELP ? "help: " : "note: ";
}

static void show_note(const Renderer *renderer, const DiagText *note) {
    buffer_repeat(renderer->out, ' ', renderer->gutter + 1);
    render_painted(renderer, PAINT_BLUE, "= ");
    render_painted(renderer, PAINT_BOLD, note_prefix(note->part));
    for (const char *line = note->text;; line++) {
        size_t len = strcspn(line, "\n");
        render_text(renderer->out, line, len);
        buffer_text(renderer->out, "\n");
        line += len;
        if (line[0] == '\0' || line[1] == '\0') {
            return;
        }
        buffer_repeat(renderer->out, ' ', renderer->gutter + 3);
    }
}

static void show_placed_note(const Renderer *renderer, const DiagText *note, Mark mark) {
    render_place(renderer, note->span);
    render_painted(renderer, PAINT_BOLD, note_prefix(note->part));
    render_text(renderer->out, note->text, strlen(note->text));
    buffer_text(renderer->out, "\n");
    show_empty_row(renderer);
    mark.paint = PAINT_BLUE;
    mark.underline = '^';
    render_marked_line(renderer, &mark, 1);
}

static void show_notes(const Renderer *renderer, const Diag *diag, bool after_source) {
    bool separate = after_source;
    for (size_t i = 0; i < diag->notes.count; i++) {
        const DiagText *note = &diag->notes.items[i];
        if (span_is_nowhere(note->span)) {
            if (separate) {
                show_empty_row(renderer);
            }
            separate = false;
            show_note(renderer, note);
        }
    }
    for (size_t i = 0; i < diag->notes.count; i++) {
        const DiagText *note = &diag->notes.items[i];
        Mark mark;
        if (mark_create(&mark, renderer->sources, note->span)) {
            show_placed_note(renderer, note, mark);
        }
    }
}

static unsigned digits(uint32_t number) {
    unsigned count = 1;
    for (; number >= 10; number /= 10) {
        count++;
    }
    return count;
}

static unsigned gutter_width(const Mark *marks, size_t count, const Diag *diag,
                             const SourceMap *sources) {
    uint32_t last = 1;
    for (size_t i = 0; i < count; i++) {
        last = marks[i].line > last ? marks[i].line : last;
    }
    for (size_t i = 0; i < diag->notes.count; i++) {
        uint32_t line = sources_place(sources, diag->notes.items[i].span.start).line;
        last = line > last ? line : last;
    }
    return digits(last);
}

void render_human(Renderer renderer, const Diag *diag) {
    render_headline(&renderer, diag);
    buffer_text(renderer.out, "\n");
    Mark *marks = memory_zeroed(memory_product(diag->labels.count + 1, sizeof(Mark)));
    size_t count = collect_marks(marks, diag, renderer.sources);
    renderer.gutter = gutter_width(marks, count, diag, renderer.sources);
    show_marks(&renderer, marks, count);
    show_notes(&renderer, diag, count > 0);
    free(marks);
}
