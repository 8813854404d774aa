// Prints diagnostics for people (source line, underlines, notes), one per line, or as JSON.
#ifndef TMLC_SUPPORT_DIAG_RENDER_H
#define TMLC_SUPPORT_DIAG_RENDER_H

#include "support/buffer.h"
#include "support/diag/diag.h"
#include "support/source.h"

#include <stdbool.h>

// SARIF is one log for all files of a command, and so not made here (driver/sarif.h).
typedef enum RenderFormat {
    RENDER_HUMAN,
    RENDER_SHORT,
    RENDER_JSON,
    RENDER_GITHUB,
    RENDER_SARIF,
} RenderFormat;

typedef struct RenderOptions {
    RenderFormat format;
    bool color;
} RenderOptions;

// Appends every message, ordered by position, then a count of what was left out (L13).
//
// Columns of the human and the short format count characters from 1, as those of the commands to
// GitHub's runners (`::error file=...`), which are a line each, too. JSON is one object in one
// line:
//   {"diagnostics": [...], "errors": 57, "warnings": 0}
// where "errors" counts those left out, too. A diagnostic has code, severity, message, a place,
// text (beside the span, or null), labels (text and a place each), notes (kind, text and a place
// each), alignment (null, or left and right, each with its name and the lengths of its levels, and
// the level and dim that disagree or null) and edits (a place and the text that would stand there);
// a warning also has its name. A place is file, line, column (from 1), start, end (from 0,
// in the file), all in bytes, and all null when there is none.
void render_diags(Buffer *out, const DiagList *diags, const SourceMap *sources,
                  RenderOptions options);

// The messages by position, and those of one position as they were recorded; the caller frees the
// array, which is never NULL.
const Diag **diags_ordered(const DiagList *diags);

// Appends a source line as messages show it: tabs become blanks, and what could confuse a terminal
// is escaped. Returns how many columns it takes.
unsigned render_source_line(Buffer *out, Slice line);

#endif
