// Recording of diagnostics. Nothing is said twice at one place: a set of all (kind, span) pairs
// decides, also beyond the limit of what is kept, so that the count is right.
#include "support/diag/diag.h"

#include "support/bug.h"

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

enum { FIRST_SLOTS = 64 };

typedef struct SeenSlot {
    const char *kind; // text of the code or name of the warning; NULL when free
    Span span;
} SeenSlot;

typedef struct DiagSeen {
    SeenSlot *slots;
    size_t slot_count; // a power of two, at most half of them in use
    size_t used;
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
#define DIAG(code, title) #code,
#include "support/diag/diag.def"
};

static const char *const code_titles[] = {
#define DIAG(code, title) title,
#include "support/diag/diag.def"
};

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
    diags->seen->slots = ARENA_ARRAY(arena, SeenSlot, FIRST_SLOTS);
    diags->seen->slot_count = FIRST_SLOTS;
    return diags;
}

// The slot of this kind and span, or the free one where it belongs.
static SeenSlot *seen_find(const DiagSeen *seen, const char *kind, Span span) {
    size_t mask = seen->slot_count - 1;
    uint64_t hash = ((uint64_t)span.start << 32 | span.end) * 0x9E3779B97F4A7C15u;
    for (size_t i = (size_t)(hash >> 32) & mask;; i = (i + 1) & mask) {
        SeenSlot *slot = &seen->slots[i];
        if (slot->kind == NULL || (slot->span.start == span.start && slot->span.end == span.end &&
                                   strcmp(slot->kind, kind) == 0)) {
            return slot;
        }
    }
}

static void seen_grow(DiagSeen *seen, Arena *arena) {
    SeenSlot *old = seen->slots;
    size_t old_count = seen->slot_count;
    seen->slot_count = 2 * old_count;
    seen->slots = ARENA_ARRAY(arena, SeenSlot, seen->slot_count);
    for (size_t i = 0; i < old_count; i++) {
        if (old[i].kind != NULL) {
            *seen_find(seen, old[i].kind, old[i].span) = old[i];
        }
    }
}

// Whether this is the first of its kind at its place. Messages without a place all differ.
static bool seen_add(DiagSeen *seen, Arena *arena, const char *kind, Span span) {
    if (span_is_nowhere(span)) {
        return true;
    }
    SeenSlot *slot = seen_find(seen, kind, span);
    if (slot->kind != NULL) {
        return false;
    }
    *slot = (SeenSlot){kind, span};
    seen->used++;
    if (seen->used > seen->slot_count / 2) {
        seen_grow(seen, arena);
    }
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
