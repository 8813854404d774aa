// Diagnostics as data: collected here, printed by support/diag/render.h. The closed list of codes
// is support/diag/diag.def; every code has an entry in docs/diagnostics.md.
#ifndef TMLC_SUPPORT_DIAG_DIAG_H
#define TMLC_SUPPORT_DIAG_DIAG_H

#include "support/arena.h"
#include "support/source.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum DiagCode {
#define DIAG(code, class, title) DIAG_##code,
#include "support/diag/diag.def"
#undef DIAG
    DIAG_CODE_COUNT,
} DiagCode;

// What a message is about. After those of the text the tree may still be whole.
typedef enum DiagClass {
    DIAG_TEXT,     // characters, literals, targets: the tree is whole
    DIAG_SYNTAX,   // there is no whole tree, and nothing is checked
    DIAG_MEANING,  // names, types, shapes, components; and the world: files, limits
    DIAG_FORESEEN, // a trap seen by the compiler: code that never runs may hold one
    DIAG_TRAP,     // of produced programs
} DiagClass;

typedef enum Warning {
#define WARNING(NAME, name, is_on, help) WARNING_##NAME,
#include "support/diag/warning.def"
    WARNING_COUNT,
} Warning;

typedef struct WarningRow {
    const char *name; // as in -Wname
    bool is_on;       // when nobody names it
    const char *help;
} WarningRow;

const WarningRow *warning_row(Warning warning);

typedef enum DiagSeverity { SEVERITY_ERROR, SEVERITY_WARNING } DiagSeverity;

typedef struct DiagLabel {
    Span span;
    const char *text; // may be empty: underline only
} DiagLabel;

typedef enum DiagNoteKind { NOTE_NOTE, NOTE_HELP, NOTE_TABLE } DiagNoteKind;

typedef struct DiagNote {
    DiagNoteKind kind;
    Span span; // nowhere when the note has no place
    const char *text;
} DiagNote;

// A change of the source that the help of a message describes: the bytes of `span` become `text`.
typedef struct DiagEdit {
    Span span;
    const char *text;
} DiagEdit;

// Lengths level by level: the first ranks[0] of `lengths` are those of the outermost level.
typedef struct DiagShape {
    const char *name;
    size_t level_count;
    const uint16_t *ranks;
    const uint32_t *lengths;
} DiagShape;

// Two shapes that were aligned on the right, and the pair that disagrees: `dim` counts from the
// left in the longer one of `level`. Both are -1 when no single pair does.
typedef struct DiagAlignment {
    DiagShape left;
    DiagShape right;
    int level;
    int dim;
} DiagAlignment;

// One message: the primary span gives its place and is underlined with ^, labels with -.
typedef struct Diag {
    DiagCode code;
    DiagSeverity severity;
    Warning warning; // when it is one
    Span span;
    const char *message;
    const char *span_text; // label at the primary span, or NULL
    struct {
        DiagLabel *items;
        size_t count, capacity;
    } labels;
    struct {
        DiagNote *items;
        size_t count, capacity;
    } notes;
    struct {
        DiagEdit *items;
        size_t count, capacity;
    } edits;
    const DiagAlignment *alignment; // NULL: no shapes were aligned
} Diag;

enum { DIAG_LIMIT = 20 }; // errors that are printed; the rest is counted

typedef struct DiagList {
    Arena *arena;
    struct {
        Diag **items;
        size_t count, capacity;
    } all;              // at most DIAG_LIMIT errors
    size_t error_count; // all of them
    size_t warning_count;
    struct DiagSeen *seen; // what was recorded, so that nothing is said twice
} DiagList;

DiagList *diags_create(Arena *arena);

// Records an error. The result takes labels and notes; it is never NULL. A second error with the
// same code at the same span is dropped, and so is a second one of the same warning (the result is
// then a scratch message nobody prints).
Diag *diag_error(DiagList *diags, DiagCode code, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
Diag *diag_warning(DiagList *diags, Warning warning, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
// Whether it will be shown: what is costly to say can be left out of others.
bool diag_is_shown(const Diag *diag);
// Text beside the primary underline.
void diag_here(DiagList *diags, Diag *diag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void diag_label(DiagList *diags, Diag *diag, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void diag_note(DiagList *diags, Diag *diag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void diag_note_at(DiagList *diags, Diag *diag, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void diag_help(DiagList *diags, Diag *diag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// What the help given last would change.
void diag_edit(DiagList *diags, Diag *diag, Span span, const char *text);
// Several lines of preformatted text; the first follows ` = `, the others are aligned with it.
void diag_table(DiagList *diags, Diag *diag, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// "E0501", and the short title of docs/diagnostics.md.
DiagClass diag_class(DiagCode code);
const char *diag_code_text(DiagCode code);
const char *diag_code_title(DiagCode code);

#endif
