// See symbol.h. Notes tell most of it. Code that is not checked has none: there a name stands for
// what its function declares under it, or else for what the file does.
#include "lsp/symbol.h"

#include "lsp/occurrence.h"
#include "support/table.h"

#include <stdlib.h>
#include <string.h>

// Spans as a set, by where they begin.
typedef struct SpanSet {
    Arena *arena;
    Table table;
    LspSpans list;
} SpanSet;

static bool has_span(const SpanSet *set, Span span) {
    return table_get(&set->table, lsp_key_of(span)) != NULL;
}

static bool add_span(SpanSet *set, Span span) {
    bool is_new = !span_is_nowhere(span) && !has_span(set, span);
    if (is_new) {
        table_set(set->arena, &set->table, lsp_key_of(span), set);
        LIST_PUSH(set->arena, &set->list, span);
    }
    return is_new;
}

static int by_place(const void *a, const void *b) {
    const Span *x = a;
    const Span *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

static void sort_spans(LspSpans *spans) {
    if (spans->count > 0) {
        qsort(spans->items, spans->count, sizeof(Span), by_place);
    }
}

const NameNote *lsp_name_at(const LspDocument *document, uint32_t position) {
    const Notes *notes = &document->notes;
    const NameNote *best = NULL;
    for (size_t k = 0; k < notes->names.count; k++) {
        const NameNote *note = &notes->names.items[k];
        if (note->span.start > position || position > note->span.end) {
            continue;
        }
        // Of `a[i]` the name that begins here, not the one that ends.
        bool is_better = best == NULL || best->span.end == position ||
                         (position < note->span.end &&
                          note->span.end - note->span.start < best->span.end - best->span.start);
        best = is_better ? note : best;
    }
    return best;
}

bool lsp_is_name_byte(char byte) {
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '_';
}

Span lsp_name_itself(const LspDocument *document, Span span) {
    Slice text = sources_text(document->context->sources, span);
    const char *brace = memchr(text.data, '{', text.len);
    size_t end = brace == NULL ? text.len : (size_t)(brace - text.data);
    while (end > 0 && !lsp_is_name_byte(text.data[end - 1])) {
        end--;
    }
    size_t start = end;
    while (start > 0 && lsp_is_name_byte(text.data[start - 1])) {
        start--;
    }
    return (Span){span.start + (uint32_t)start, span.start + (uint32_t)end};
}

// By notes.

// All declarations that one place may mean, and all places that may mean one of these.
static void close_sets(const Notes *notes, SpanSet *declarations, SpanSet *places) {
    for (bool grows = true; grows;) {
        grows = false;
        for (size_t k = 0; k < notes->names.count; k++) {
            const NameNote *note = &notes->names.items[k];
            if (has_span(declarations, note->declaration)) {
                grows = add_span(places, note->span) || grows;
            }
            if (has_span(places, note->span)) {
                grows = add_span(declarations, note->declaration) || grows;
            }
        }
    }
}

// By text.

// What code that is not checked says.
typedef struct Unnoted {
    const LspDocument *document;
    Arena *arena;
    Occurrences all;
} Unnoted;

// Whether a function declares a name for itself.
static bool declares(const Unnoted *unnoted, const AstStmt *function, Name name) {
    Span span = lsp_function_span(function);
    for (size_t k = 0; k < unnoted->all.count; k++) {
        const Occurrence *at = &unnoted->all.items[k];
        if (at->declares && at->function == function && at->name == name) {
            return true;
        }
    }
    const Notes *notes = &unnoted->document->notes;
    for (size_t k = 0; k < notes->names.count; k++) {
        const NameNote *note = &notes->names.items[k];
        if (note->declares && note->name == name && note->space == '\0' &&
            note->role != NAME_FUNCTION && note->span.start >= span.start &&
            note->span.start < span.end) {
            return true;
        }
    }
    return false;
}

// Whether a name without a note stands for the symbol, which `function` declares, or the file.
static bool stands_for(const Unnoted *unnoted, const Occurrence *at, const LspSymbol *symbol,
                       const AstStmt *function) {
    if (at->name != symbol->name || at->space != symbol->space ||
        !lsp_occurrence_fits(at, symbol->role, function)) {
        return false;
    }
    if (at->callee != NULL || symbol->space != '\0') {
        return true;
    }
    return function != NULL ? at->function == function
                            : at->function == NULL || !declares(unnoted, at->function, at->name);
}

const AstStmt *lsp_symbol_function(const LspDocument *document, const LspSymbol *symbol) {
    if (symbol->space != '\0' || symbol->role == NAME_FUNCTION || symbol->declarations.count == 0) {
        return NULL;
    }
    return lsp_function_around(&document->notes, symbol->declarations.items[0].start);
}

// Whether the function declares the name more than once: which one is meant is not known then.
static bool is_declared_twice(const LspDocument *document, const LspSymbol *symbol,
                              const SpanSet *declarations, const AstStmt *function) {
    Span span = lsp_function_span(function);
    const Notes *notes = &document->notes;
    for (size_t k = 0; k < notes->names.count; k++) {
        const NameNote *note = &notes->names.items[k];
        if (note->name == symbol->name && note->space == '\0' &&
            note->declaration.start >= span.start && note->declaration.start < span.end &&
            !has_span(declarations, note->declaration)) {
            return true;
        }
    }
    return false;
}

static void add_unnoted(const Unnoted *unnoted, LspSymbol *symbol, const SpanSet *declarations,
                        SpanSet *places) {
    const AstStmt *function = lsp_symbol_function(unnoted->document, symbol);
    bool has_some = false;
    for (size_t k = 0; k < unnoted->all.count; k++) {
        if (stands_for(unnoted, &unnoted->all.items[k], symbol, function)) {
            has_some = true;
            add_span(places, unnoted->all.items[k].span);
        }
    }
    if (has_some && function != NULL &&
        is_declared_twice(unnoted->document, symbol, declarations, function)) {
        symbol->obstacle = "code that is not checked uses this name, which stands for several "
                           "things in the function";
    }
}

// Both.

static void finish_places(const LspDocument *document, Arena *arena, LspSymbol *symbol,
                          const SpanSet *places) {
    const SourceMap *sources = document->context->sources;
    Slice first = {0};
    for (size_t k = 0; k < places->list.count; k++) {
        Span itself = lsp_name_itself(document, places->list.items[k]);
        Slice text = sources_text(sources, itself);
        first = k == 0 ? text : first;
        if (text.len != first.len || memcmp(text.data, first.data, text.len) != 0) {
            symbol->obstacle = "a macro makes this name of parts";
        }
        LIST_PUSH(arena, &symbol->places, itself);
    }
    sort_spans(&symbol->places);
}

static void complete_symbol(Arena *arena, const Unnoted *unnoted, const NameNote *note,
                            LspSymbol *symbol) {
    const LspDocument *document = unnoted->document;
    *symbol = (LspSymbol){.role = note->role, .space = note->space, .name = note->name};
    SpanSet declarations = {.arena = arena};
    SpanSet places = {.arena = arena};
    add_span(&declarations, note->declaration);
    close_sets(&document->notes, &declarations, &places);
    symbol->declarations = declarations.list;
    sort_spans(&symbol->declarations);
    add_unnoted(unnoted, symbol, &declarations, &places);
    finish_places(document, arena, symbol, &places);
}

// The note of a declaration for which the name stands, from the text alone; NULL when there is
// none.
static const NameNote *find_declared(const Unnoted *unnoted, const Occurrence *at) {
    const LspDocument *document = unnoted->document;
    const Notes *notes = &document->notes;
    for (size_t k = 0; k < notes->names.count; k++) {
        const NameNote *note = &notes->names.items[k];
        LspSymbol symbol = {.role = note->role, .space = note->space, .name = note->name};
        LIST_PUSH(unnoted->arena, &symbol.declarations, note->declaration);
        if (note->declares && note->name == at->name &&
            stands_for(unnoted, at, &symbol, lsp_symbol_function(document, &symbol))) {
            return note;
        }
    }
    return NULL;
}

// A name that only code that is not checked declares.
static bool complete_unchecked(Arena *arena, const Unnoted *unnoted, const Occurrence *at,
                               LspSymbol *symbol) {
    if (at->function == NULL || at->callee != NULL || at->space != '\0') {
        return false;
    }
    *symbol = (LspSymbol){.role = NAME_LOCAL, .name = at->name};
    SpanSet places = {.arena = arena};
    for (size_t k = 0; k < unnoted->all.count; k++) {
        const Occurrence *other = &unnoted->all.items[k];
        bool is_argument = other->callee != NULL && declares(unnoted, at->function, at->name) &&
                           other->callee == at->function->function.name.name;
        if (other->name == at->name && other->space == '\0' &&
            (is_argument || (other->callee == NULL && other->function == at->function))) {
            add_span(&places, other->span);
            if (other->declares || (other->is_target && symbol->declarations.count == 0)) {
                LIST_PUSH(arena, &symbol->declarations, other->span);
            }
        }
    }
    finish_places(unnoted->document, arena, symbol, &places);
    return symbol->declarations.count > 0;
}

bool lsp_symbol_at(Arena *arena, const LspDocument *document, uint32_t position,
                   LspSymbol *symbol) {
    Unnoted unnoted = {document, arena, lsp_occurrences(arena, &document->notes)};
    const NameNote *note = lsp_name_at(document, position);
    if (note != NULL) {
        complete_symbol(arena, &unnoted, note, symbol);
        return true;
    }
    for (size_t k = 0; k < unnoted.all.count; k++) {
        const Occurrence *at = &unnoted.all.items[k];
        if (at->span.start <= position && position <= at->span.end) {
            note = find_declared(&unnoted, at);
            if (note != NULL) {
                complete_symbol(arena, &unnoted, note, symbol);
                return true;
            }
            return complete_unchecked(arena, &unnoted, at, symbol);
        }
    }
    return false;
}

bool lsp_symbol_declared(Arena *arena, const LspDocument *document, uint32_t start,
                         LspSymbol *symbol) {
    const Notes *notes = &document->notes;
    for (size_t k = 0; k < notes->names.count; k++) {
        if (notes->names.items[k].declaration.start == start) {
            Unnoted unnoted = {document, arena, lsp_occurrences(arena, notes)};
            complete_symbol(arena, &unnoted, &notes->names.items[k], symbol);
            return true;
        }
    }
    return false;
}
