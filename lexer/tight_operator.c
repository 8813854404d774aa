#include "lexer/tight_operator.h"

#include "support/bug.h"

#include <string.h>

bool tight_operator_before(const SourceMap *sources, uint32_t position) {
    SourcePlace place = sources_place(sources, position);
    CHECK(place.file != NULL);
    const char *text = place.file->text;
    uint32_t at = place.offset;
    while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) {
        at--;
    }
    char last = at > 0 ? text[at - 1] : '\0';
    char before = at > 1 ? text[at - 2] : '\0';
    bool compares = last == '=' && before != '\0' && strchr("=!<>", before) != NULL;
    bool is_and = last == '&' && before == '&'; // of other languages
    bool is_sent = last == '-' && before == '<';
    bool binds = last != '\0' && strchr("+-*/%&^~<>", last) != NULL; // `|` also parts pages
    return compares || (binds && !is_and && !is_sent);
}
