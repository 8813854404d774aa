// What the formats of messages share: their order by place, headlines, colours and the count of
// those that are not shown. The formats themselves are in render_human.c and render_json.c.
#include "support/diag/render.h"

#include "support/diag/render_parts.h"
#include "support/memory.h"

#include <stdlib.h>
#include <string.h>

void render_paint(const Renderer *renderer, Paint paint) {
    static const char *const codes[] = {
        [PAINT_PLAIN] = "\x1b[0m",      [PAINT_BOLD] = "\x1b[1m",    [PAINT_ERROR] = "\x1b[1;31m",
        [PAINT_WARNING] = "\x1b[1;35m", [PAINT_BLUE] = "\x1b[1;34m",
    };
    if (renderer->color) {
        buffer_text(renderer->out, codes[paint]);
    }
}

void render_painted(const Renderer *renderer, Paint paint, const char *text) {
    render_paint(renderer, paint);
    render_text(renderer->out, text, strlen(text));
    render_paint(renderer, PAINT_PLAIN);
}

Paint render_severity_paint(const Diag *diag) {
    return diag->severity == SEVERITY_ERROR ? PAINT_ERROR : PAINT_WARNING;
}

const char *render_severity_text(const Diag *diag) {
    return diag->severity == SEVERITY_ERROR ? "error" : "warning";
}

void render_place(const Renderer *renderer, Span span) {
    render_paint(renderer, PAINT_BOLD);
    SourcePlace place = sources_place(renderer->sources, span.start);
    if (place.file == NULL) {
        buffer_text(renderer->out, "tmlc: ");
    } else {
        render_text(renderer->out, place.file->path, strlen(place.file->path));
        buffer_format(renderer->out, ":%u:%u: ", place.line, source_character(place));
    }
    render_paint(renderer, PAINT_PLAIN);
}

void render_headline(const Renderer *renderer, const Diag *diag) {
    render_place(renderer, diag->span);
    render_paint(renderer, render_severity_paint(diag));
    buffer_text(renderer->out, render_severity_text(diag));
    if (diag->code == DIAG_W0000) {
        buffer_format(renderer->out, "[-W%s]: ", warning_row(diag->warning)->name);
    } else {
        buffer_format(renderer->out, "[%s]: ", diag_row(diag->code)->text);
    }
    render_paint(renderer, PAINT_PLAIN);
    render_painted(renderer, PAINT_BOLD, diag->message);
}

typedef struct Ranked {
    const Diag *diag;
    size_t rank; // order of recording, which decides at equal places
} Ranked;

static int compare_ranked(const void *left, const void *right) {
    const Ranked *a = left;
    const Ranked *b = right;
    if (a->diag->span.start != b->diag->span.start) {
        return a->diag->span.start < b->diag->span.start ? -1 : 1;
    }
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

const Diag **diags_ordered(const DiagList *diags) {
    size_t count = diags->all.count;
    Ranked *ranked = memory_zeroed(memory_product(count, sizeof(Ranked)));
    for (size_t i = 0; i < count; i++) {
        ranked[i] = (Ranked){diags->all.items[i], i};
    }
    qsort(ranked, count, sizeof(Ranked), compare_ranked);
    const Diag **ordered = memory_zeroed(memory_product(count, sizeof(const Diag *)));
    for (size_t i = 0; i < count; i++) {
        ordered[i] = ranked[i].diag;
    }
    free(ranked);
    return ordered;
}

// A text in a command to a runner; a property of it also ends at `:` and `,`.
static void append_escaped(Buffer *out, const char *text, bool is_property) {
    for (; *text != '\0'; text++) {
        bool is_special = *text == '%' || *text == '\r' || *text == '\n' ||
                          (is_property && (*text == ':' || *text == ','));
        if (is_special) {
            buffer_format(out, "%%%02X", (unsigned char)*text);
        } else {
            buffer_append(out, text, 1);
        }
    }
}

static void render_github(const Renderer *renderer, const Diag *diag) {
    Buffer *out = renderer->out;
    SourcePlace start = sources_place(renderer->sources, diag->span.start);
    SourcePlace end = sources_place(renderer->sources, diag->span.end);
    buffer_format(out, "::%s ", render_severity_text(diag));
    if (start.file != NULL) {
        buffer_text(out, "file=");
        append_escaped(out, start.file->path, true);
        buffer_format(out, ",line=%u,col=%u,endLine=%u,endColumn=%u,", start.line,
                      source_character(start), end.line, source_character(end));
    }
    buffer_format(out, "title=%s::",
                  diag->code == DIAG_W0000 ? warning_row(diag->warning)->name
                                           : diag_row(diag->code)->text);
    append_escaped(out, diag->message, false);
    for (size_t i = 0; i < diag->notes.count; i++) {
        append_escaped(out, "\n", false);
        append_escaped(out, diag->notes.items[i].text, false);
    }
    buffer_text(out, "\n");
}

static void render_list(const Renderer *renderer, RenderFormat format, const Diag *const *ordered,
                        const DiagList *diags) {
    for (size_t i = 0; i < diags->all.count; i++) {
        if (format == RENDER_SHORT) {
            render_headline(renderer, ordered[i]);
            buffer_text(renderer->out, "\n");
            continue;
        }
        if (format == RENDER_GITHUB) {
            render_github(renderer, ordered[i]);
            continue;
        }
        if (i > 0) {
            buffer_text(renderer->out, "\n");
        }
        render_human(*renderer, ordered[i]);
    }
    if (diags->error_count > DIAG_LIMIT) {
        buffer_format(renderer->out, "%stmlc: %zu errors, %d shown\n",
                      format == RENDER_HUMAN ? "\n" : "", diags->error_count, DIAG_LIMIT);
    }
}

void render_diags(Buffer *out, const DiagList *diags, const SourceMap *sources,
                  RenderOptions options) {
    const Diag **ordered = diags_ordered(diags);
    if (options.format == RENDER_JSON) {
        render_json(out, diags, ordered, sources);
    } else {
        Renderer renderer = {.out = out, .sources = sources, .color = options.color};
        render_list(&renderer, options.format, ordered, diags);
    }
    free(ordered);
}
