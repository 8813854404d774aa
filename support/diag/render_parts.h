// What the files of the renderer share; nobody else includes this.
#ifndef TMLC_SUPPORT_DIAG_RENDER_PARTS_H
#define TMLC_SUPPORT_DIAG_RENDER_PARTS_H

#include "support/buffer.h"
#include "support/diag/diag.h"
#include "support/source.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// One character of a text as it is printed.
typedef struct Glyph {
    size_t bytes; // of the text
    unsigned width;
    unsigned len;
    char shown[16];
} Glyph;

// The first character of text[0..len), len > 0. Tabs reach the next multiple of 4 after `column`;
// control and format characters and bytes that are not UTF-8 become escapes.
Glyph glyph_next(const char *text, size_t len, unsigned column);
// Appends a text that may hold anything, with its control characters escaped.
void render_text(Buffer *out, const char *text, size_t len);

typedef enum Paint { PAINT_PLAIN, PAINT_BOLD, PAINT_ERROR, PAINT_WARNING, PAINT_BLUE } Paint;

typedef struct Renderer {
    Buffer *out;
    const SourceMap *sources;
    bool color;
    unsigned gutter; // columns that line numbers take
} Renderer;

// Switches to a colour; PAINT_PLAIN ends it.
void render_paint(const Renderer *renderer, Paint paint);
void render_painted(const Renderer *renderer, Paint paint, const char *text);
// The bar left of the source: `line` is its number, or 0 for a row without a number.
void render_gutter(const Renderer *renderer, uint32_t line);
// `file:line:column: ` or, without a place, `tmlc: `.
void render_place(const Renderer *renderer, Span span);
// `file:line:column: error[E0501]: text`, without the line's end.
void render_headline(const Renderer *renderer, const Diag *diag);
Paint render_severity_paint(const Diag *diag);
const char *render_severity_text(const Diag *diag);

// A part of a source line that is underlined.
typedef struct Mark {
    SourceFile *file;
    uint32_t line;
    uint32_t group;      // files are shown in this order
    uint32_t start, end; // bytes in the line
    Paint paint;
    char underline;
    const char *text;
    unsigned column, end_column; // in what is shown, from 0
} Mark;

// Clips a span to its first line. False when the span is nowhere.
bool mark_create(Mark *mark, const SourceMap *sources, Span span);
// Shows the source line of the marks, which are all on one line and ordered by start, with the
// underlines and the texts below it.
void render_marked_line(const Renderer *renderer, Mark *marks, size_t count);

void render_human(Renderer renderer, const Diag *diag);
void render_json(Buffer *out, const DiagList *diags, const Diag *const *ordered,
                 const SourceMap *sources);

#endif
