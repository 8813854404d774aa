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

static const WarningRow warning_rows[] = {
#define WARNING(NAME, name, is_on, help) {name, is_on, help},
#include "support/diag/warning.def"
};

const WarningRow *warning_row(Warning warning) {
    return &warning_rows[warning];
}

static const char *const code_texts[] = {
#define DIAG(code, class, title) #code,
#include "support/diag/diag.def"
};

static const char *const code_titles[] = {
#define DIAG(code, class, title) title,
#include "support/diag/diag.def"
};

DiagClass diag_class(DiagCode code) {
    static const DiagClass classes[] = {
#define DIAG(code, class, title) DIAG_##class,
#include "support/diag/diag.def"
    };
    CHECK(code < DIAG_CODE_COUNT);
    return classes[code];
}

const char *diag_code_text(DiagCode code) {
    CHECK(code < DIAG_CODE_COUNT);
    return code_texts[code];
}

const char *diag_code_title(DiagCode code) {
    CHECK(code < DIAG_CODE_COUNT);
    return code_titles[code];
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
    uint64_t hash = table_mix(span.start, span.end);
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

static Diag *scratch(DiagList *diags) {
    diags->seen->scratch = (Diag){0};
    return &diags->seen->scratch;
}

static Diag *record(DiagList *diags, Diag diag) {
    Diag *kept = ARENA_NEW(diags->arena, Diag);
    *kept = diag;
    LIST_PUSH(diags->arena, &diags->all, kept);
    return kept;
}

Diag *diag_error(DiagList *diags, DiagCode code, Span span, const char *format, ...) {
    if (!seen_add(diags->seen, diags->arena, diag_code_text(code), span)) {
        return scratch(diags);
    }
    diags->error_count++;
    if (diags->error_count > DIAG_LIMIT) {
        return scratch(diags);
    }
    va_list arguments;
    va_start(arguments, format);
    const char *message = arena_vformat(diags->arena, format, arguments);
    va_end(arguments);
    return record(
        diags, (Diag){.code = code, .severity = SEVERITY_ERROR, .span = span, .message = message});
}

Diag *diag_warning(DiagList *diags, Warning warning, Span span, const char *format, ...) {
    if (!seen_add(diags->seen, diags->arena, warning_row(warning)->name, span)) {
        return scratch(diags);
    }
    diags->warning_count++;
    va_list arguments;
    va_start(arguments, format);
    const char *message = arena_vformat(diags->arena, format, arguments);
    va_end(arguments);
    return record(diags, (Diag){.code = DIAG_W0000,
                                .severity = SEVERITY_WARNING,
                                .warning = warning,
                                .span = span,
                                .message = message});
}

void diag_here(DiagList *diags, Diag *diag, const char *format, ...) {
    if (!diag_is_shown(diag)) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    diag->span_text = arena_vformat(diags->arena, format, arguments);
    va_end(arguments);
}

void diag_label(DiagList *diags, Diag *diag, Span span, const char *format, ...) {
    if (!diag_is_shown(diag)) {
        return;
    }
    va_list arguments;
    va_start(arguments, format);
    DiagLabel label = {span, arena_vformat(diags->arena, format, arguments)};
    va_end(arguments);
    LIST_PUSH(diags->arena, &diag->labels, label);
}

static void add_note(DiagList *diags, Diag *diag, DiagNoteKind kind, Span span, const char *format,
                     va_list arguments) __attribute__((format(printf, 5, 0)));

static void add_note(DiagList *diags, Diag *diag, DiagNoteKind kind, Span span, const char *format,
                     va_list arguments) {
    if (!diag_is_shown(diag)) {
        return;
    }
    DiagNote note = {kind, span, arena_vformat(diags->arena, format, arguments)};
    LIST_PUSH(diags->arena, &diag->notes, note);
}

void diag_note(DiagList *diags, Diag *diag, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add_note(diags, diag, NOTE_NOTE, (Span){0}, format, arguments);
    va_end(arguments);
}

void diag_note_at(DiagList *diags, Diag *diag, Span span, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add_note(diags, diag, NOTE_NOTE, span, format, arguments);
    va_end(arguments);
}

void diag_help(DiagList *diags, Diag *diag, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add_note(diags, diag, NOTE_HELP, (Span){0}, format, arguments);
    va_end(arguments);
}

void diag_edit(DiagList *diags, Diag *diag, Span span, const char *text) {
    if (diag_is_shown(diag)) {
        DiagEdit edit = {span, arena_copy_text(diags->arena, text, strlen(text))};
        LIST_PUSH(diags->arena, &diag->edits, edit);
    }
}

void diag_table(DiagList *diags, Diag *diag, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    add_note(diags, diag, NOTE_TABLE, (Span){0}, format, arguments);
    va_end(arguments);
}
