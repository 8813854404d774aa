// Recording of diagnostics. Nothing is said twice at one place: a set of all (kind, span) pairs
// decides, also beyond the limit of what is kept, so that the count is right.
#include "support/diag/diag.h"

#include "support/bug.h"
#include "support/table.h"

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

typedef struct Said {
    const char *kind; // text of the code or name of the warning
    Span span;
} Said;

typedef struct DiagSeen {
    Table said;
    Diag scratch; // what callers get who need not have asked; it has no message
} DiagSeen;

const WarningRow *warning_row(Warning warning) {
    static const WarningRow rows[] = {
#define WARNING(NAME, name, group, help) {name, WARNINGS_##group, help},
#include "support/diag/warning.def"
    };
    return &rows[warning];
}

const DiagRow *diag_row(DiagCode code) {
    static const DiagRow rows[] = {
#define DIAG(code, class, title) {#code, DIAG_##class, title},
#include "support/diag/diag.def"
    };
    CHECK(code < DIAG_CODE_COUNT);
    return &rows[code];
}

DiagList *diags_create(Arena *arena) {
    DiagList *diags = ARENA_NEW(arena, DiagList);
    diags->arena = arena;
    diags->seen = ARENA_NEW(arena, DiagSeen);
    return diags;
}

static bool is_said(const void *key, const void *asked) {
    const Said *a = key;
    const Said *b = asked;
    return a->span.start == b->span.start && a->span.end == b->span.end &&
           strcmp(a->kind, b->kind) == 0;
}

// Whether this is the first of its kind at its place. Messages without a place all differ.
static bool seen_add(DiagSeen *seen, Arena *arena, const char *kind, Span span) {
    if (span_is_nowhere(span)) {
        return true;
    }
    Said said = {kind, span};
    uint64_t hash = table_mix(table_mix(0, span.start), span.end);
    if (table_find(&seen->said, hash, is_said, &said) != NULL) {
        return false;
    }
    Said *kept = ARENA_NEW(arena, Said);
    *kept = said;
    table_add(arena, &seen->said, hash, kept, kept);
    return true;
}

bool diag_is_shown(const Diag *diag) {
    return diag->message != NULL;
}

// Keeps the message with its text, or gives a scratch one.
static Diag *record(DiagList *diags, bool is_kept, Diag diag, const char *format, va_list arguments)
    __attribute__((format(printf, 4, 0)));

static Diag *record(DiagList *diags, bool is_kept, Diag diag, const char *format,
                    va_list arguments) {
    if (!is_kept) {
        diags->seen->scratch = (Diag){0};
        return &diags->seen->scratch;
    }
    Diag *kept = ARENA_NEW(diags->arena, Diag);
    *kept = diag;
    kept->arena = diags->arena;
    kept->message = arena_vformat(diags->arena, format, arguments);
    LIST_PUSH(diags->arena, &diags->all, kept);
    return kept;
}

Diag *diag_error(DiagList *diags, DiagCode code, Span span, const char *format, ...) {
    bool is_new = seen_add(diags->seen, diags->arena, diag_row(code)->text, span);
    diags->error_count += is_new;
    Diag diag = {.code = code, .severity = SEVERITY_ERROR, .span = span};
    va_list arguments;
    va_start(arguments, format);
    Diag *kept = record(diags, is_new && diags->error_count <= DIAG_LIMIT, diag, format, arguments);
    va_end(arguments);
    return kept;
}

Diag *diag_warning(DiagList *diags, Warning warning, Span span, const char *format, ...) {
    bool is_new = seen_add(diags->seen, diags->arena, warning_row(warning)->name, span);
    diags->warning_count += is_new;
    Diag diag = {
        .code = DIAG_W0000, .severity = SEVERITY_WARNING, .warning = warning, .span = span};
    va_list arguments;
    va_start(arguments, format);
    Diag *kept = record(diags, is_new, diag, format, arguments);
    va_end(arguments);
    return kept;
}

bool diags_have_tree(const DiagList *diags, Span within) {
    for (size_t i = 0; i < diags->all.count; i++) {
        const Diag *diag = diags->all.items[i];
        bool is_within = diag->span.start >= within.start && diag->span.start <= within.end;
        if (is_within && diag_row(diag->code)->class == DIAG_SYNTAX) {
            return false;
        }
    }
    return true;
}

DiagMark diags_mark(DiagList *diags) {
    DiagMark mark = {diags->all.count, diags->error_count, diags->warning_count, diags->seen};
    diags->seen = ARENA_NEW(diags->arena, DiagSeen);
    return mark;
}

void diags_undo(DiagList *diags, const DiagMark *mark) {
    diags->all.count = mark->kept;
    diags->error_count = mark->errors;
    diags->warning_count = mark->warnings;
    diags->seen = mark->seen;
}

void diag_add(Diag *diag, DiagPart part, Span span, const char *format, ...) {
    if (!diag_is_shown(diag)) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vformat(diag->arena, format, arguments);
    va_end(arguments);
    switch (part) {
    case DIAG_HERE: diag->span_text = text; return;
    case DIAG_LABEL: LIST_PUSH(diag->arena, &diag->labels, ((DiagText){part, span, text})); return;
    case DIAG_EDIT: LIST_PUSH(diag->arena, &diag->edits, ((DiagText){part, span, text})); return;
    case DIAG_NOTE:
    case DIAG_HELP:
    case DIAG_TABLE: LIST_PUSH(diag->arena, &diag->notes, ((DiagText){part, span, text})); return;
    }
    UNREACHABLE();
}
