// See shown.h. Comments are what stands between tokens, so that a string which looks like one
// is none.
#include "sema/warn/shown.h"

#include "lexer/lexer.h"
#include "support/suggest.h"

#include <string.h>

static bool is_name(const char *name, const char *text, size_t len) {
    return strlen(name) == len && memcmp(name, text, len) == 0;
}

int warning_find(const char *name, size_t len, const char **nearest) {
    Suggestion suggestion = suggestion_for(name, len);
    for (int i = 0; i < WARNING_COUNT; i++) {
        if (is_name(warning_row((Warning)i)->name, name, len)) {
            return i;
        }
        suggestion_try(&suggestion, warning_row((Warning)i)->name);
    }
    suggestion_try(&suggestion, WARNING_ALL);
    suggestion_try(&suggestion, WARNING_EXTRA);
    *nearest = suggestion.nearest;
    return is_name(WARNING_ALL, name, len)     ? WARNING_FOUND_ALL
           : is_name(WARNING_EXTRA, name, len) ? WARNING_FOUND_EXTRA
                                               : -1;
}

void warnings_choose(WarningChoices *choices, int found, bool is_on) {
    for (int i = 0; i < WARNING_COUNT; i++) {
        WarningGroup group = warning_row((Warning)i)->group;
        bool in_all = found == WARNING_FOUND_ALL && (group <= WARNINGS_ALL || !is_on);
        bool in_extra = found == WARNING_FOUND_EXTRA && (group == WARNINGS_EXTRA || is_on);
        if (i == found || in_all || in_extra) {
            choices->of[i].is_on = is_on;
        }
    }
}

void warnings_make_error(WarningChoices *choices, int found, bool is_error) {
    if (is_error) {
        warnings_choose(choices, found, true);
    }
    for (int i = 0; i < WARNING_COUNT; i++) {
        bool in_group = found >= WARNING_COUNT && choices->of[i].is_on;
        if (i == found || in_group) {
            choices->of[i].is_error = is_error;
            choices->of[i].is_never_error = !is_error;
        }
    }
}

// One name of a comment: the warnings that it silences are those of its line.
typedef struct Allowance {
    Span span; // of the name
    uint32_t line_start, line_end;
    Slice name;
} Allowance;

typedef struct Allowances {
    Arena *arena;
    Allowance *items;
    size_t count, capacity;
} Allowances;

// Skips blanks from `at` to `end`.
static const char *skip_blanks(const char *at, const char *end) {
    while (at < end && (*at == ' ' || *at == '\t')) {
        at++;
    }
    return at;
}

static const char *skip_text(const char *at, const char *end, const char *text) {
    at = at == NULL ? NULL : skip_blanks(at, end);
    size_t len = strlen(text);
    bool found = at != NULL && (size_t)(end - at) >= len && memcmp(at, text, len) == 0;
    return found ? at + len : NULL;
}

// Reads the comment [at, end), which begins with `#` and ends with its line.
static void read_comment(Allowances *allowances, const SourceFile *source, const char *at,
                         const char *end) {
    const char *line = at;
    while (line > source->text && line[-1] != '\n') {
        line--;
    }
    Allowance allowance = {
        .line_start = source->base + (uint32_t)(line - source->text),
        .line_end = source->base + (uint32_t)(end - source->text),
    };
    at = skip_text(skip_text(skip_text(at, end, "#"), end, "tmlc:"), end, "allow");
    for (const char *mark = "("; (at = skip_text(at, end, mark)) != NULL; mark = ",") {
        at = skip_blanks(at, end);
        const char *name = at;
        while (at < end && strchr(", \t)", *at) == NULL) {
            at++;
        }
        uint32_t start = source->base + (uint32_t)(name - source->text);
        allowance.name = (Slice){name, (size_t)(at - name)};
        allowance.span = (Span){start, start + (uint32_t)allowance.name.len};
        LIST_PUSH(allowances->arena, allowances, allowance);
    }
}

// Reads the comments in the text between two tokens, which is white space otherwise.
static void read_gap(Allowances *allowances, const SourceFile *source, Span gap) {
    const char *at = source->text + (gap.start - source->base);
    const char *end = source->text + (gap.end - source->base);
    while (at < end && (at = memchr(at, '#', (size_t)(end - at))) != NULL) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *comment_end = newline == NULL ? end : newline;
        read_comment(allowances, source, at, comment_end);
        at = comment_end;
    }
}

static void read_source(Allowances *allowances, Context *context, SourceFile *source) {
    if (strstr(source->text, "tmlc:") == NULL) {
        return; // as almost all
    }
    Context silent = *context; // every message about tokens was given by the parser
    silent.diags = diags_create(context->arena);
    Lexer *lexer = lexer_create(&silent, source);
    Token token;
    uint32_t previous_end = source->base;
    do {
        token = lexer_next(lexer);
        bool is_end = token.kind == TOKEN_END_OF_FILE;
        Span gap = {previous_end, is_end ? source->base + source->len : token.span.start};
        read_gap(allowances, source, gap);
        previous_end = token.span.end;
    } while (token.kind != TOKEN_END_OF_FILE);
    lexer_destroy(lexer);
}

static Allowances read_allowances(Context *context) {
    Allowances allowances = {.arena = context->arena};
    for (uint32_t i = 0; i < sources_count(context->sources); i++) {
        read_source(&allowances, context, sources_file(context->sources, i));
    }
    return allowances;
}

static void warn_of_unknown(Context *context, const Allowances *allowances) {
    for (size_t i = 0; i < allowances->count; i++) {
        const Allowance *allowance = &allowances->items[i];
        const char *nearest = NULL;
        int found = warning_find(allowance->name.data, allowance->name.len, &nearest);
        if (found >= 0 && found != WARNING_FOUND_EXTRA) {
            continue;
        }
        Diag *diag = diag_warning(context->diags, WARNING_UNKNOWN_ALLOW, allowance->span,
                                  "no warning is called `%.*s`", (int)allowance->name.len,
                                  allowance->name.data);
        if (nearest != NULL) {
            diag_help(diag, "did you mean `%s`?", nearest);
            diag_edit(diag, allowance->span, "%s", nearest);
        }
    }
}

static bool is_allowed(const Allowances *allowances, const Diag *diag) {
    for (size_t i = 0; i < allowances->count; i++) {
        const Allowance *allowance = &allowances->items[i];
        bool on_line =
            allowance->line_start <= diag->span.start && diag->span.start <= allowance->line_end;
        if (on_line &&
            (is_name(warning_row(diag->warning)->name, allowance->name.data, allowance->name.len) ||
             is_name(WARNING_ALL, allowance->name.data, allowance->name.len))) {
            return true;
        }
    }
    return false;
}

void warnings_settle(Context *context, const WarningChoices *choices) {
    DiagList *diags = context->diags;
    Allowances allowances = {0};
    if (!choices->are_off &&
        (choices->of[WARNING_UNKNOWN_ALLOW].is_on || diags->warning_count > 0)) {
        allowances = read_allowances(context);
        warn_of_unknown(context, &allowances);
    }
    size_t kept = 0;
    for (size_t i = 0; i < diags->all.count; i++) {
        Diag *diag = diags->all.items[i];
        if (diag->severity == SEVERITY_WARNING) {
            const WarningChoice *choice = &choices->of[diag->warning];
            bool shown = !choices->are_off && choice->is_on && !is_allowed(&allowances, diag);
            bool is_error = choice->is_error || (choices->are_errors && !choice->is_never_error);
            if (!shown || is_error) {
                diags->warning_count--;
            }
            if (!shown) {
                continue;
            }
            if (is_error) {
                diag->severity = SEVERITY_ERROR;
                diags->error_count++;
            }
        }
        diags->all.items[kept++] = diag;
    }
    diags->all.count = kept;
}
