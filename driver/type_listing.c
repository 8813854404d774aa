// See type_listing.h. The types stand in one column, just right of the longest line that is not
// longer than SOURCE_LIMIT; longer lines have theirs in the row below.
#include "driver/type_listing.h"

#include "support/diag/render.h"
#include "support/memory.h"

#include <stdlib.h>
#include <string.h>

enum {
    SOURCE_LIMIT = 50, // columns of source
    ROW_LIMIT = 100,   // columns of source and types
    GAP = 2,
};

typedef struct Use {
    const NameNote *name;
    size_t order; // of checking
    uint32_t line;
} Use;

typedef struct Listing {
    const Compilation *compilation;
    Arena *arena;
    Buffer *out;
    Use *uses; // of the file, by line and place
    size_t use_count;
    unsigned gutter; // columns of the line numbers
    unsigned column; // of the types, counted from the start of the source
} Listing;

static int compare_uses(const void *left, const void *right) {
    const Use *a = left;
    const Use *b = right;
    if (a->name->span.start != b->name->span.start) {
        return a->name->span.start < b->name->span.start ? -1 : 1;
    }
    return a->order < b->order ? -1 : a->order > b->order;
}

// Variables of which the type is known, terminals and tunable properties among them.
static bool is_listed(const NameNote *note) {
    bool is_variable =
        note->interface != NULL ? note->interface->kind != INTERFACE_CONSTANT : note->value == NULL;
    return is_variable && !note->is_other && note->type != NULL && !type_is_poison(note->type);
}

// The uses in the main file; imported files have listings of their own.
static void collect_uses(Listing *listing) {
    const Notes *notes = &listing->compilation->notes;
    listing->uses = ARENA_ARRAY(listing->arena, Use, notes->names.count);
    for (size_t i = 0; i < notes->names.count; i++) {
        const NameNote *note = &notes->names.items[i];
        SourcePlace place = sources_place(listing->compilation->context->sources, note->span.start);
        if (place.file == listing->compilation->source && is_listed(note)) {
            listing->uses[listing->use_count++] = (Use){note, i, place.line};
        }
    }
    qsort(listing->uses, listing->use_count, sizeof(Use), compare_uses);
}

static unsigned source_width(const Listing *listing, uint32_t line) {
    Buffer text = {0};
    unsigned width = render_source_line(&text, source_line(listing->compilation->source, line));
    buffer_free(&text);
    return width;
}

static void choose_column(Listing *listing) {
    for (size_t i = 0; i < listing->use_count; i++) {
        uint32_t line = listing->uses[i].line;
        if (i > 0 && listing->uses[i - 1].line == line) {
            continue;
        }
        unsigned width = source_width(listing, line);
        if (width <= SOURCE_LIMIT && width > listing->column) {
            listing->column = width;
        }
    }
    listing->column += GAP;
}

// Ends the row that holds `width` columns of source and begins the types of the next one.
static void begin_row(const Listing *listing, bool *is_first, unsigned width) {
    if (!*is_first || width + GAP > listing->column) {
        buffer_text(listing->out, "\n");
        buffer_repeat(listing->out, ' ', listing->gutter);
        buffer_text(listing->out, " | ");
        width = 0;
    }
    buffer_repeat(listing->out, ' ', listing->column - width);
    *is_first = false;
}

static bool says_the_same(const Use *a, const Use *b) {
    return a->name->name == b->name->name && a->name->space == b->name->space &&
           a->name->type == b->name->type;
}

// The variables that one function has among uses[0..count), each once, as texts `a: int`.
static const char **types_of(const Listing *listing, const Use *uses, size_t count,
                             const TirFunction *function, size_t *text_count) {
    const char **texts = ARENA_ARRAY(listing->arena, const char *, count);
    const Use **shown = ARENA_ARRAY(listing->arena, const Use *, count);
    *text_count = 0;
    for (size_t i = 0; i < count; i++) {
        bool is_new = uses[i].name->function == function;
        for (size_t k = 0; is_new && k < *text_count; k++) {
            is_new = !says_the_same(shown[k], &uses[i]);
        }
        if (is_new) {
            const NameNote *note = uses[i].name;
            shown[*text_count] = &uses[i];
            texts[(*text_count)++] =
                arena_format(listing->arena, "%s%s: %s", note_space_text(note), note->name->text,
                             type_text(listing->arena, note->type));
        }
    }
    return texts;
}

static void print_types(const Listing *listing, const char *const *texts, size_t count,
                        bool *is_first, unsigned width) {
    unsigned column = 0;
    for (size_t i = 0; i < count; i++) {
        unsigned needed = (unsigned)strlen(texts[i]);
        if (i == 0 || column + GAP + needed > ROW_LIMIT) {
            begin_row(listing, is_first, width);
            column = listing->column;
        } else {
            buffer_repeat(listing->out, ' ', GAP);
            column += GAP;
        }
        buffer_text(listing->out, texts[i]);
        column += needed;
    }
}

static bool is_same_row(const char *const *a, size_t a_count, const char *const *b,
                        size_t b_count) {
    for (size_t i = 0; a_count == b_count && i < a_count; i++) {
        if (strcmp(a[i], b[i]) != 0) {
            return false;
        }
    }
    return a_count == b_count;
}

// The types of one line: those of each function that it is part of, unless they were just shown.
static void print_line_types(const Listing *listing, const Use *uses, size_t count,
                             unsigned width) {
    bool is_first = true;
    const char *const *before = NULL;
    size_t before_count = 0;
    for (size_t i = 0; i < count; i++) {
        const TirFunction *function = uses[i].name->function;
        bool seen = false;
        for (size_t k = 0; k < i && !seen; k++) {
            seen = uses[k].name->function == function;
        }
        if (seen) {
            continue;
        }
        size_t text_count = 0;
        const char **texts = types_of(listing, uses, count, function, &text_count);
        if (!is_same_row(texts, text_count, before, before_count)) {
            print_types(listing, texts, text_count, &is_first, width);
        }
        before = texts;
        before_count = text_count;
    }
}

void type_listing_print(const Compilation *compilation, Buffer *out) {
    SourceFile *source = compilation->source;
    Listing listing = {.compilation = compilation, .arena = arena_create(), .out = out};
    collect_uses(&listing);
    choose_column(&listing);
    source_line(source, 1); // finds the lines
    uint32_t last = source->line_count;
    last -= source_line(source, last).len == 0; // nothing follows the last line end
    listing.gutter = (unsigned)strlen(arena_format(listing.arena, "%u", last));
    const Use *uses = listing.uses;
    const Use *end = listing.uses + listing.use_count;
    for (uint32_t line = 1; line <= last; line++) {
        Slice text = source_line(source, line);
        buffer_format(out, "%*u |%s", (int)listing.gutter, line, text.len > 0 ? " " : "");
        unsigned width = render_source_line(out, text);
        const Use *next = uses;
        while (next < end && next->line == line) {
            next++;
        }
        print_line_types(&listing, uses, (size_t)(next - uses), width);
        uses = next;
        buffer_text(out, "\n");
    }
    arena_destroy(listing.arena);
}
