// See warn.h: what is recorded, and when it is said.
#include "sema/warn/warn.h"

#include "sema/warn/state.h"

#include <ctype.h>
#include <stdarg.h>
#include <string.h>

void warn_begin(Checker *checker) {
    if (!checker->options->no_warnings) {
        checker->warn = ARENA_NEW(checker->arena, Warn);
        checker->warn->diags = diags_create(checker->arena);
    }
}

bool warn_is_wanted(const Checker *checker) {
    return checker->warn != NULL && checker->at.unit != NULL && !checker->at.unit->trusted;
}

bool warn_in_failing_test(const Checker *checker) {
    return check_in_test(checker) && checker->at.instance->decl->ast->function.error.name != NULL;
}

// In one that is to be refused nothing is meant to run; the codes of traps begin so (L13).
static bool in_refused_test(const Checker *checker) {
    return warn_in_failing_test(checker) &&
           strncmp(checker->at.instance->decl->ast->function.error.name->text, "E10", 3) != 0;
}

static Diag *record(Checker *checker, Warning warning, Span span, const char *format,
                    va_list arguments) __attribute__((format(printf, 4, 0)));

static Diag *record(Checker *checker, Warning warning, Span span, const char *format,
                    va_list arguments) {
    const char *text = arena_vformat(checker->arena, format, arguments);
    return diag_warning(checker->warn->diags, warning, span, "%s", text);
}

Diag *warn_at(Checker *checker, Warning warning, Span span, const char *format, ...) {
    if (!warn_is_wanted(checker) || checker->at.mode.is_pruned || in_refused_test(checker)) {
        return ARENA_NEW(checker->arena, Diag); // takes labels and notes, and is not shown
    }
    va_list arguments;
    va_start(arguments, format);
    Diag *diag = record(checker, warning, span, format, arguments);
    va_end(arguments);
    return diag;
}

Diag *warn_later(Checker *checker, Warning warning, Span span, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    Diag *diag = record(checker, warning, span, format, arguments);
    va_end(arguments);
    return diag;
}

Slice warn_text(const Checker *checker, Span span) {
    return sources_text(checker->context->sources, span);
}

bool warn_is_literal(const Checker *checker, Span span) {
    Slice text = warn_text(checker, span);
    bool in_word = false; // of letters and digits; a name begins with a letter
    for (size_t i = 0; i < text.len; i++) {
        unsigned char c = (unsigned char)text.data[i];
        if (!in_word && (isalpha(c) || c == '_')) {
            return false;
        }
        in_word = isalnum(c) || c == '_' || (in_word && c == '.');
    }
    return text.len > 0;
}

// Whether `<-` stands in it or directly before it: at an address each read may have another value.
static bool reads_hardware(const Checker *checker, Span span) {
    if (!checker->options->mmio) {
        return false;
    }
    SourcePlace place = sources_place(checker->context->sources, span.start);
    uint32_t at = place.offset < 2 ? 0 : place.offset - 2;
    uint32_t end = place.offset + span.end - span.start;
    bool found = false;
    for (; at + 1 < end && !found; at++) {
        found = place.file->text[at] == '<' && place.file->text[at + 1] == '-';
    }
    return found;
}

bool warn_is_same(const Checker *checker, Span a, Span b) {
    Slice left = warn_text(checker, a);
    Slice right = warn_text(checker, b);
    return left.len > 0 && left.len == right.len && memcmp(left.data, right.data, left.len) == 0 &&
           memchr(left.data, '(', left.len) == NULL && !reads_hardware(checker, a);
}

void warn_end(Checker *checker) {
    DiagList *diags = checker->context->diags;
    if (checker->warn == NULL || diags->error_count > 0) {
        return;
    }
    warn_names(checker);
    warn_frozen(checker);
    warn_step_times(checker);
    warn_shared_state(checker);
    const DiagList *found = checker->warn->diags;
    for (size_t k = 0; k < found->all.count; k++) {
        LIST_PUSH(diags->arena, &diags->all, found->all.items[k]);
    }
    diags->warning_count += found->warning_count;
}
