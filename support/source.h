// Source texts and positions. A position is a byte offset in the sequence of all files of a
// compilation, so a span fits in 8 bytes; lines and columns are computed when a message is printed.
#ifndef TMLC_SUPPORT_SOURCE_H
#define TMLC_SUPPORT_SOURCE_H

#include "support/arena.h"
#include "support/intern.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Bytes [start, end). {0, 0} is "nowhere": the first file begins at position 1.
typedef struct Span {
    uint32_t start;
    uint32_t end;
} Span;

typedef struct SourceFile {
    const char *path; // as the user wrote it
    const char *text; // `len` bytes, then two zero bytes (what a flex buffer needs)
    uint32_t len;
    uint32_t base; // position of the first byte
    uint32_t index;
    uint32_t *line_starts; // offsets; computed on first use
    uint32_t line_count;
    Arena *arena;        // where the line starts go
    bool has_any;        // of the library: `any` stands for the root of arguments in it
    LIST_OF(Span) tests; // in the order of the text, once it is parsed: no code is made of them
} SourceFile;

typedef struct SourceMap SourceMap;

typedef struct SourcePlace {
    SourceFile *file; // NULL when the position is nowhere
    uint32_t offset;  // in the file
    uint32_t line;    // from 1
    uint32_t column;  // in bytes, from 1
} SourcePlace;

SourceMap *sources_create(Arena *arena);
// Adds a file; the text is copied. NULL when all files together pass 2 GiB.
SourceFile *sources_add(SourceMap *sources, const char *path, const char *text, size_t len);
// Takes the file that was added last away again; its positions mean nothing from then on.
void sources_drop_last(SourceMap *sources);
SourceFile *sources_file(const SourceMap *sources, uint32_t index);
uint32_t sources_count(const SourceMap *sources);
SourcePlace sources_place(const SourceMap *sources, uint32_t position);
// The column that people count: in characters, from 1, a byte order mark left out.
uint32_t source_character(SourcePlace place);
// The text of line `line` (from 1), without its line end.
Slice source_line(SourceFile *file, uint32_t line);
Slice sources_text(const SourceMap *sources, Span span);
// A copy of it, if it is short and of one line; else `fallback`.
const char *sources_short_text(const SourceMap *sources, Arena *arena, Span span,
                               const char *fallback);

bool span_is_nowhere(Span span);
bool span_has(Span span, uint32_t position);
// From the start of the first to the end of the last; a span that is nowhere does not count.
Span span_join(Span a, Span b);
// The empty span at the end of `span`.
Span span_after(Span span);

#endif
