#include "support/diag/edits.h"

#include <ctype.h>
#include <string.h>

static bool is_of_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

// The character before the position, or at it; 0 where the file has none.
static char before(const SourceMap *sources, uint32_t position) {
    SourcePlace place = sources_place(sources, position);
    return place.file == NULL || place.offset == 0 ? '\0' : place.file->text[place.offset - 1];
}

static char at(const SourceMap *sources, uint32_t position) {
    SourcePlace place = sources_place(sources, position);
    return place.file == NULL || place.offset == place.file->len ? '\0'
                                                                 : place.file->text[place.offset];
}

static void part_words(Arena *arena, DiagText *edit, const SourceMap *sources) {
    size_t len = strlen(edit->text);
    if (len == 0) {
        return;
    }
    Span span = edit->span;
    bool joins_first = is_of_word(edit->text[0]) && is_of_word(before(sources, span.start)) &&
                       !is_of_word(at(sources, span.start));
    bool joins_last = is_of_word(edit->text[len - 1]) && is_of_word(at(sources, span.end)) &&
                      !is_of_word(before(sources, span.end));
    if (joins_first || joins_last) {
        edit->text = arena_format(arena, "%s%s%s", joins_first ? " " : "", edit->text,
                                  joins_last ? " " : "");
    }
}

void edits_part_words(const DiagList *diags, const SourceMap *sources) {
    for (size_t i = 0; i < diags->all.count; i++) {
        Diag *diag = diags->all.items[i];
        for (size_t k = 0; k < diag->edits.count; k++) {
            part_words(diag->arena, &diag->edits.items[k], sources);
        }
    }
}
