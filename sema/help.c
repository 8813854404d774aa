// See help.h. Texts are lines: `name(x): what it does`, what goes on with it, then `word: text`, of
// which some are for the compiler (library/index.awk).
#include "sema/help.h"

#include "sema/library/library.h"
#include "support/bug.h"

#include <string.h>

static const struct {
    const char *name, *about;
} builtins[] = {
#include "help.inc"
};

enum { BUILTIN_COUNT = sizeof builtins / sizeof builtins[0] };

// How a function of the library is applied to what is more than its parameters take.
static const char *form_text(LibraryForm form) {
    switch (form) {
    case LIBRARY_WHOLE: return NULL;
    case LIBRARY_ROWS: return "applied to each row along the last dim of the innermost level";
    case LIBRARY_DIMS:
        return "applied to each row along the last dim of the innermost level, or along the dim "
               "that one more argument says";
    case LIBRARY_FIRST_TWO:
        return "applied to each element of its first two arguments, once they have stretched to "
               "one shape";
    case LIBRARY_PAIRS:
        return "applied to each pair in the innermost level, once its arguments have stretched to "
               "one shape";
    case LIBRARY_SECOND: return "applied to each element of its second argument";
    case LIBRARY_FIRST: return "applied to each element of its first argument";
    case LIBRARY_ELEMENTS:
    case LIBRARY_VECTOR:
        return "applied to each element, once its arguments have stretched to one shape";
    }
    UNREACHABLE();
}

// What a line with this word is to people: NULL when it is nothing.
static const char *label_of(const char *word, size_t len) {
    static const struct {
        const char *word, *label;
    } labels[] = {
        {"accuracy", "accuracy"}, {"cost", "cost"},   {"source", "source"},
        {"bad", "bad values"},    {"numpy", "NumPy"}, {"matlab", "MATLAB"},
        {"before", "example"},    {"example", NULL},  {"rule", "rule of the language"},
    };
    for (size_t k = 0; k < sizeof labels / sizeof labels[0]; k++) {
        if (strlen(labels[k].word) == len && strncmp(labels[k].word, word, len) == 0) {
            return labels[k].label == NULL ? "" : labels[k].label;
        }
    }
    return NULL;
}

// `x -> y` of an example.
static const char *example_text(Arena *arena, const char *text) {
    const char *arrow = strstr(text, " -> ");
    CHECK(arrow != NULL);
    return arena_format(arena, "`%.*s` gives `%s`", (int)(arrow - text), text,
                        arrow + strlen(" -> "));
}

static const char *line_text(Arena *arena, const char *line, size_t word, LibraryForm form,
                             bool goes_on) {
    const char *text = line + word + strlen(": ");
    if (strncmp(line, "form", word) == 0) {
        return form_text(form);
    }
    const char *label = label_of(line, word);
    if (label == NULL || strcmp(text, "-") == 0) {
        return NULL;
    }
    if (strncmp(line, "before", word) == 0) {
        return arena_format(arena, "%s: `%s`", label, text);
    }
    if (strncmp(line, "example", word) == 0) {
        return arena_format(arena, goes_on ? "then %s" : "example: %s", example_text(arena, text));
    }
    return arena_format(arena, "%s: %s", label, text);
}

static const char *readable(Arena *arena, const char *about, LibraryForm form, bool with_call) {
    const char *what = strstr(about, "): ");
    CHECK(what != NULL);
    const char *help = "";
    const char *last = ""; // the word of the field before
    for (const char *at = with_call ? about : what + strlen("): "); *at != '\0';) {
        size_t len = strcspn(at, "\n");
        const char *line = arena_copy_text(arena, at, len);
        size_t word = strspn(line, "abcdefghijklmnopqrstuvwxyz");
        bool is_field = line[word] == ':' && line[word + 1] == ' ';
        bool goes_on = strncmp(last, "before", strlen("before")) == 0;
        bool joins = strncmp(last, "numpy", strlen("numpy")) == 0; // MATLAB's name to NumPy's
        const char *text = is_field ? line_text(arena, line, word, form, goes_on) : line;
        const char *between = *help == '\0'          ? ""
                              : joins                ? "; "
                              : !is_field || goes_on ? " "
                                                     : "\n\n";
        help = text == NULL ? help : arena_format(arena, "%s%s%s", help, between, text);
        last = is_field && text != NULL ? line : "";
        at += len + (at[len] == '\n');
    }
    return help;
}

const char *help_of_function(Arena *arena, const char *name, bool with_call) {
    for (size_t k = 0; k < BUILTIN_COUNT; k++) {
        if (strcmp(builtins[k].name, name) == 0) {
            return readable(arena, builtins[k].about, LIBRARY_WHOLE, with_call);
        }
    }
    const LibraryRow *row = library_named(name);
    return row == NULL ? NULL : readable(arena, row->about, row->form, with_call);
}

// Whether a line with names of other languages, `np.max, np.maximum`, has the word as the last part
// of one.
static bool names_word(const char *line, size_t len, Slice word) {
    for (size_t at = 0; at < len;) {
        size_t start = at;
        for (; at < len && line[at] != ','; at++) {
            start = line[at] == '.' ? at + 1 : start; // what is a member of modules
            if (line[at] == '(') {
                break;
            }
        }
        if (at - start == word.len && memcmp(line + start, word.data, word.len) == 0) {
            return true;
        }
        while (at < len && line[at] != ',') {
            at++;
        }
        at += strspn(line + at, ", ");
    }
    return false;
}

static bool is_called(const char *about, Slice word) {
    static const char *const fields[] = {"numpy: ", "matlab: "};
    for (const char *line = about; *line != '\0'; line += *line == '\n') {
        size_t len = strcspn(line, "\n");
        for (size_t k = 0; k < sizeof fields / sizeof fields[0]; k++) {
            size_t field = strlen(fields[k]);
            if (strncmp(line, fields[k], field) == 0 &&
                names_word(line + field, len - field, word)) {
                return true;
            }
        }
        line += len;
    }
    return false;
}

const char *help_of_foreign(Arena *arena, Slice word) {
    enum { SHORTEST = 3 }; // shorter ones are operands: `a * b'`
    enum { LONGEST = 90 }; // of what is said of a function beside how it is called
    const char *about = NULL;
    for (size_t k = 0; about == NULL && k < BUILTIN_COUNT; k++) {
        about = is_called(builtins[k].about, word) ? builtins[k].about : NULL;
    }
    for (size_t k = 0; about == NULL && library_row(k) != NULL; k++) {
        about = is_called(library_row(k)->about, word) ? library_row(k)->about : NULL;
    }
    if (about == NULL || word.len < SHORTEST) {
        return NULL;
    }
    const char *what = strstr(about, "): ");
    CHECK(what != NULL);
    int call = (int)(what + 1 - about);
    int len = (int)strcspn(what, "\n");
    len -= what[len - 1] == '.';
    return arena_format(arena, "`%.*s`%.*s", call, about, len > LONGEST ? 0 : len - 1, what + 1);
}

void help_suggest(Suggestion *suggestion) {
    for (size_t k = 0; k < BUILTIN_COUNT; k++) {
        suggestion_try(suggestion, builtins[k].name);
    }
    library_suggest(suggestion);
}
