// Colours that need the checker: what each name of the file stands for, in all that was checked.
// The rest is for the editors' grammars.
#include "lsp/document.h"
#include "lsp/request.h"
#include "support/memory.h"

#include <stdlib.h>

// Of the legend in methods.def, in its order.
typedef enum TokenType {
    TYPE_VARIABLE,
    TYPE_PARAMETER,
    TYPE_TYPE_PARAMETER,
    TYPE_FUNCTION,
    TYPE_PROPERTY,
    TYPE_CLASS,
} TokenType;

enum { DECLARATION = 1, READONLY = 2, INPUT = 4, OUTPUT = 8, TUNABLE = 16 }; // bits of modifiers

typedef struct Colour {
    TokenType type;
    unsigned modifiers;
} Colour;

static Colour colour_of(NameRole role) {
    static const Colour colours[] = {
        [NAME_LOCAL] = {TYPE_VARIABLE, 0},
        [NAME_GLOBAL] = {TYPE_VARIABLE, 0},
        [NAME_PARAMETER] = {TYPE_PARAMETER, 0},
        [NAME_PLACE] = {TYPE_PARAMETER, 0},
        [NAME_LOOP] = {TYPE_VARIABLE, READONLY},
        [NAME_MACRO] = {TYPE_VARIABLE, READONLY},
        [NAME_SIZE] = {TYPE_TYPE_PARAMETER, READONLY},
        [NAME_INPUT] = {TYPE_PROPERTY, READONLY | INPUT},
        [NAME_OUTPUT] = {TYPE_PROPERTY, OUTPUT},
        [NAME_TUNABLE] = {TYPE_PROPERTY, TUNABLE},
        [NAME_PROPERTY] = {TYPE_PROPERTY, READONLY},
        [NAME_CONSTANT] = {TYPE_VARIABLE, READONLY},
        [NAME_FUNCTION] = {TYPE_FUNCTION, 0},
        [NAME_INSTANCE] = {TYPE_CLASS, 0},
    };
    return colours[role];
}

static int by_place(const void *a, const void *b) {
    Span x = (*(const NameNote *const *)a)->span;
    Span y = (*(const NameNote *const *)b)->span;
    return x.start != y.start ? (x.start > y.start) - (x.start < y.start)
                              : (x.end > y.end) - (x.end < y.end);
}

// The names of the document itself, in order; to be freed.
static const NameNote **ordered_names(const LspDocument *document, size_t *count) {
    const Notes *notes = &document->notes;
    const SourceFile *source = document->source;
    const NameNote **names = memory_zeroed(memory_product(notes->names.count, sizeof(NameNote *)));
    *count = 0;
    for (size_t i = 0; i < notes->names.count; i++) {
        const NameNote *note = &notes->names.items[i];
        if (source->base <= note->span.start && note->span.end <= source->base + source->len) {
            names[(*count)++] = note;
        }
    }
    qsort(names, *count, sizeof(NameNote *), by_place);
    return names;
}

json_t *lsp_semantic_tokens(LspRequest *request) {
    LspDocument *document = request->document;
    json_t *data = json_array();
    size_t count = 0;
    const NameNote **names = ordered_names(document, &count);
    json_int_t last_line = 0, last_column = 0;
    uint32_t covered = 0;
    for (size_t i = 0; i < count; i++) {
        const NameNote *note = names[i];
        if (note->span.start < covered) {
            continue; // the same place of another instance
        }
        covered = note->span.end;
        json_t *range = lsp_range(request->server, document, note->span);
        json_int_t place[4];
        (void)json_unpack(range, "{s:{s:I,s:I},s:{s:I,s:I}}", "start", "line", &place[0],
                          "character", &place[1], "end", "line", &place[2], "character", &place[3]);
        json_decref(range);
        if (place[0] != place[2]) {
            continue;
        }
        Colour colour = colour_of(note->role);
        bool declares = note->span.start == note->declaration.start;
        json_add(data, json_integer(place[0] - last_line));
        json_add(data, json_integer(place[0] == last_line ? place[1] - last_column : place[1]));
        json_add(data, json_integer(place[3] - place[1]));
        json_add(data, json_integer(colour.type));
        json_add(data, json_integer(colour.modifiers | (declares ? DECLARATION : 0)));
        last_line = place[0];
        last_column = place[1];
    }
    free(names);
    json_t *result = json_object();
    json_set(result, "data", data);
    return result;
}
