// What the checker's messages have in common: where an instance of a function was called, how types
// and expressions are named, and what is not said.
#include "sema/checker.h"

#include <stdarg.h>
#include <string.h>

bool check_is_one_of_many(const Checker *checker) {
    const Instance *instance = checker->at.instance;
    return checker->at.macros != NULL || (instance != NULL && instance->decl->sizes.count > 0);
}

const char *check_sizes_text(Checker *checker, const Instance *instance) {
    const char *sizes = "";
    for (size_t k = 0; k < instance->decl->sizes.count; k++) {
        sizes = arena_format(checker->arena, "%s%s`%s` = %u", sizes, k == 0 ? "" : ", ",
                             instance->decl->sizes.items[k].name->text, instance->sizes[k]);
    }
    return sizes;
}

Diag *check_error(Checker *checker, DiagCode code, Span span, const char *format, ...) {
    if (checker->at.mode.is_pruned && diag_row(code)->class == DIAG_FORESEEN) {
        return ARENA_NEW(checker->arena, Diag); // takes labels and notes, and is not shown
    }
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vformat(checker->arena, format, arguments);
    va_end(arguments);
    Diag *diag = diag_error(checker->context->diags, code, span, "%s", text);
    const Instance *instance = checker->at.instance;
    if (instance != NULL && instance->decl->sizes.count > 0) {
        diag_note_at(diag, instance->call_span,
                     "in the instance of `%s` with %s that is called here",
                     instance->decl->name->text, check_sizes_text(checker, instance));
    }
    return diag;
}

static Span file_text(const Checker *checker) {
    const SourceFile *source = checker->at.unit->file->source;
    return (Span){source->base, source->base + (uint32_t)source->len};
}

// What the function that is checked spans, or the file.
static Span checked_text(const Checker *checker) {
    const Instance *instance = checker->at.instance;
    if (instance == NULL) {
        return file_text(checker);
    }
    const AstStmt *ast = instance->decl->ast;
    return (Span){ast->span.start, ast->function.end_span.end};
}

// The error at `diag` has the edit of a name at its own place, and takes the same one here.
static void repeat_edit(Diag *diag, Span span) {
    for (size_t k = 0; k < diag->edits.count; k++) {
        if (diag->edits.items[k].span.start == span.start) {
            return; // in an instance of other sizes
        }
    }
    diag_edit(diag, span, "%s", diag->edits.items[0].text);
}

static bool has_edit_of_name(const Diag *diag) {
    Span edit = diag->edits.count == 0 ? (Span){0, 0} : diag->edits.items[0].span;
    return edit.start == diag->span.start && edit.end == diag->span.end;
}

// Whether the name that it offers is that of a block that has ended.
static bool is_gone(const Checker *checker, const Diag *diag) {
    const char *text = diag->edits.items[0].text;
    bool gone = false;
    for (size_t k = 0; k < checker->at.ended.count; k++) {
        Name name = checker->at.ended.items[k]->name;
        gone =
            gone || (strcmp(name->text, text) == 0 && scope_find(checker->at.scope, name) == NULL);
    }
    return gone;
}

static bool was_told(const Checker *checker, Span text, DiagCode code, Span span,
                     const char *message) {
    const DiagList *diags = checker->context->diags;
    for (size_t k = 0; k < diags->all.count; k++) {
        Diag *diag = diags->all.items[k];
        bool same = diag->code == code && diag->span.start >= text.start &&
                    diag->span.end <= text.end && strcmp(diag->message, message) == 0;
        bool has_edit = same && has_edit_of_name(diag);
        if (same && (diag->edits.count == 0 || (has_edit && !is_gone(checker, diag)))) {
            if (has_edit && span.end > 0) {
                repeat_edit(diag, span);
            }
            return true;
        }
    }
    return false;
}

bool check_was_told(const Checker *checker, DiagCode code, Span span, const char *message) {
    return was_told(checker, checked_text(checker), code, span, message);
}

bool check_file_was_told(const Checker *checker, DiagCode code, Span span, const char *message) {
    return was_told(checker, file_text(checker), code, span, message);
}

Diag *check_warning(Checker *checker, Warning warning, Span span, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vformat(checker->arena, format, arguments);
    va_end(arguments);
    return diag_warning(checker->context->diags, warning, span, "%s", text);
}

bool check_has_room(Checker *checker, Span span) {
    if (context_has_stack(checker->context)) {
        return true;
    }
    if (!checker->too_deep) {
        checker->too_deep = true;
        Diag *diag = check_error(checker, DIAG_E0901, span, "nesting is too deep");
        diag_note(diag,
                  "functions that call functions and `elseif` arms go as far as the stack does");
    }
    return false;
}

const char *check_type_text(Checker *checker, const Type *type) {
    return type_text(checker->arena, type);
}

const char *check_expr_text(Checker *checker, Span span, const char *fallback) {
    return sources_short_text(checker->context->sources, checker->arena, span, fallback);
}

void check_note_path(Diag *diag, const CallPath *path) {
    enum { SHOWN_ENDS = 3 }; // so many calls at either end
    size_t hidden = path->count > 2 * SHOWN_ENDS ? path->count - 2 * SHOWN_ENDS : 0;
    for (size_t k = 0; k < path->count; k++) {
        if (path->items[k].caller->is_made) {
            continue;
        }
        bool skips = k == SHOWN_ENDS && hidden > 0;
        k += skips ? hidden : 0;
        const CallStep *step = &path->items[k];
        const char *more = skips ? arena_format(diag->arena, "after %zu more, ", hidden) : "";
        diag_note_at(diag, step->span, "%s`%s` calls `%s` here", more, step->caller->name->text,
                     step->callee->name->text);
    }
}
