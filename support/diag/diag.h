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

typedef struct DiagRow {
    const char *text; // "E0501"
    DiagClass class;
    const char *title; // of docs/diagnostics.md
} DiagRow;

const DiagRow *diag_row(DiagCode code);

typedef enum Warning {
#define WARNING(NAME, name, group, help) WARNING_##NAME,
#include "support/diag/warning.def"
    WARNING_COUNT,
} Warning;

// Who asks for a warning: nobody has to, -Wall, -Wextra. Each has those before it.
typedef enum WarningGroup { WARNINGS_DEFAULT, WARNINGS_ALL, WARNINGS_EXTRA } WarningGroup;

typedef struct WarningRow {
    const char *name; // as in -Wname
    WarningGroup group;
    const char *help;
} WarningRow;

const WarningRow *warning_row(Warning warning);

typedef enum DiagSeverity { SEVERITY_ERROR, SEVERITY_WARNING } DiagSeverity;

// What a message says beside its headline.
typedef enum DiagPart {
    DIAG_HERE,  // text beside the primary underline
    DIAG_LABEL, // a second underline; the text may be empty
    DIAG_NOTE,
    DIAG_HELP,
    DIAG_TABLE, // lines of preformatted text; the first follows ` = `, the others stand below it
    DIAG_EDIT,  // what the help given last would change: the bytes of `span` become `text`
} DiagPart;

typedef struct DiagText {
    DiagPart part;
    Span span; // nowhere when a note has no place
    const char *text;
} DiagText;

typedef LIST_OF(DiagText) DiagTexts;

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
    Arena *arena;
    DiagCode code;
    DiagSeverity severity;
    Warning warning; // when it is one
    Span span;
    const char *message;
    const char *span_text; // label at the primary span, or NULL
    DiagTexts labels;
    DiagTexts notes; // helps and tables too
    DiagTexts edits;
    const DiagAlignment *alignment; // NULL: no shapes were aligned
} Diag;

enum { DIAG_LIMIT = 20 }; // errors that are printed; the rest is counted

typedef struct DiagList {
    Arena *arena;
    LIST_OF(Diag *) all; // at most DIAG_LIMIT errors
    size_t error_count;  // all of them
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
// What was recorded up to here, to which diags_undo goes back as if nothing had been said since.
typedef struct DiagMark {
    size_t kept, errors, warnings;
    struct DiagSeen *seen;
} DiagMark;

// Whether there is no mistake of syntax in it (DIAG_SYNTAX).
bool diags_have_tree(const DiagList *diags, Span within);
DiagMark diags_mark(DiagList *diags);
void diags_undo(DiagList *diags, const DiagMark *mark);
// Whether it will be shown: what is costly to say can be left out of others.
bool diag_is_shown(const Diag *diag);
void diag_add(Diag *diag, DiagPart part, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#define diag_here(diag, ...) diag_add(diag, DIAG_HERE, (Span){0}, __VA_ARGS__)
#define diag_label(diag, span, ...) diag_add(diag, DIAG_LABEL, span, __VA_ARGS__)
#define diag_note(diag, ...) diag_add(diag, DIAG_NOTE, (Span){0}, __VA_ARGS__)
#define diag_note_at(diag, span, ...) diag_add(diag, DIAG_NOTE, span, __VA_ARGS__)
#define diag_help(diag, ...) diag_add(diag, DIAG_HELP, (Span){0}, __VA_ARGS__)
#define diag_table(diag, text) diag_add(diag, DIAG_TABLE, (Span){0}, "%s", text)
#define diag_edit(diag, span, ...) diag_add(diag, DIAG_EDIT, span, __VA_ARGS__)

#endif
