// Prints diagnostics for people (source line, underlines, notes), one per line, or as JSON.
#ifndef TMLC_SUPPORT_RENDER_H
#define TMLC_SUPPORT_RENDER_H

#include "support/buffer.h"
#include "support/diag.h"
#include "support/source.h"

#include <stdbool.h>

typedef enum RenderFormat { RENDER_HUMAN, RENDER_SHORT, RENDER_JSON } RenderFormat;

typedef struct RenderOptions {
    RenderFormat format;
    bool color;
} RenderOptions;

// Appends every message, ordered by position, then a count of what was left out (L13).
void render_diags(Buffer *out, const DiagList *diags, const SourceMap *sources,
                  RenderOptions options);

#endif
