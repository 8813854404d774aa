// textDocument/prepareRename and rename. The program stays the same: a new name is refused where
// something that it could be taken for has it, and so is what cannot be renamed in every place.
#include "lsp/describe.h"
#include "lsp/document.h"
#include "lsp/occurrence.h"
#include "lsp/references.h"
#include "lsp/scope.h"
#include "parser/ast_visit.h"
#include "sema/file_kind.h"
#include "sema/front.h"
#include "support/table.h"

#include <string.h>

// A text of messages lives as long as the document's check.
#define refuse(request, ...)              \
    lsp_fail(request, LSP_REQUEST_FAILED, \
             arena_format((request)->document->context->arena, __VA_ARGS__))

static bool runs_by_name(const LspSymbol *symbol, Name name) {
    return symbol->role == NAME_FUNCTION && (is_main_name(name) || is_component_entry_name(name));
}

// Why the symbol keeps its name; NULL when it need not.
static const char *obstacle_of(const LspDocument *document, const LspSymbol *symbol) {
    if (!front_is_whole(document->context->diags)) {
        return "the file has syntax errors: names behind them are not known";
    }
    if (runs_by_name(symbol, symbol->name)) {
        return "this function runs by its name";
    }
    if (strcmp(symbol->name->text, "_") == 0) {
        return "it is for values that nobody wants";
    }
    return symbol->obstacle;
}

// The symbol at the position that the request names; false after an error.
static bool find_symbol(LspRequest *request, Arena *arena, LspSymbol *symbol, Span *here) {
    uint32_t position = 0;
    if (!lsp_request_position(request, &position)) {
        return false;
    }
    if (!lsp_symbol_at(arena, request->document, position, symbol)) {
        (void)refuse(request, "%s",
                     describe_is_unchecked(&request->document->notes, position)
                         ? DESCRIBE_UNCHECKED
                         : "there is no name of this program here");
        return false;
    }
    const char *obstacle = obstacle_of(request->document, symbol);
    if (obstacle != NULL) {
        (void)refuse(request, "`%s` cannot be renamed: %s", symbol->name->text, obstacle);
        return false;
    }
    for (size_t k = 0; k < symbol->places.count; k++) {
        Span place = symbol->places.items[k];
        if (place.start <= position && position <= place.end) {
            *here = place;
            return true;
        }
    }
    (void)refuse(request, "there is no name of this program here"); // the `t` of `t.u`
    return false;
}

json_t *lsp_prepare_rename(LspRequest *request) {
    Arena *arena = arena_create();
    LspSymbol symbol;
    Span here;
    json_t *answer = NULL;
    if (find_symbol(request, arena, &symbol, &here)) {
        Slice text = sources_text(request->document->context->sources, here);
        answer = json_object();
        json_set(answer, "range", lsp_range(request->server, request->document, here));
        json_set(answer, "placeholder", json_text(text.data, text.len));
    }
    arena_destroy(arena);
    return answer;
}

// The new name.

static bool is_name(const char *text) {
    size_t letters =
        strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    return text[0] != '\0' && text[letters] == '\0' && (text[0] < '0' || text[0] > '9') &&
           strcmp(text, "_") != 0;
}

// The question whether something has the new name that the symbol could be taken for.
typedef struct Taken {
    const char *text;
    bool has_parts; // the symbol is `x{i}`, and so `text` only begins the new names
    bool is_taken;
} Taken;

static bool is_text_of(const Taken *taken, Name name) {
    size_t len = strlen(taken->text);
    return strcmp(name->text, taken->text) == 0 ||
           (taken->has_parts && strncmp(name->text, taken->text, len) == 0 &&
            name->text[len] == '_');
}

static bool has_declaration(const LspSymbol *symbol, Span declaration) {
    for (size_t k = 0; k < symbol->declarations.count; k++) {
        if (symbol->declarations.items[k].start == declaration.start) {
            return true;
        }
    }
    return false;
}

static const SourceFile *file_at(const LspDocument *document, uint32_t position) {
    return sources_place(document->context->sources, position).file;
}

// Whether other files can import it.
static bool is_of_file(const LspSymbol *symbol) {
    return symbol->role == NAME_FUNCTION || symbol->role == NAME_GLOBAL ||
           symbol->role == NAME_CONSTANT;
}

static bool imports(Arena *arena, const LspDocument *document, const SourceFile *from,
                    const SourceFile *file) {
    const Notes *notes = &document->notes;
    for (size_t k = 0; from != file && k < notes->files.count; k++) {
        const AstFile *ast = notes->files.items[k];
        if (ast->source == from && lsp_is_visible_file(arena, ast, file)) {
            return true;
        }
    }
    return false;
}

// Whether the file imports the one that declares the symbol, and so may take any name for it.
static bool imports_symbol(Arena *arena, const LspDocument *document, const LspSymbol *symbol,
                           const SourceFile *file) {
    for (size_t k = 0; is_of_file(symbol) && k < symbol->declarations.count; k++) {
        uint32_t own = symbol->declarations.items[k].start;
        if (imports(arena, document, file, file_at(document, own))) {
            return true;
        }
    }
    return false;
}

// Whether the file of a place can name the symbol: in others both names never meet.
static bool is_in_file(Arena *arena, const LspDocument *document, const LspSymbol *symbol,
                       Span span) {
    const SourceFile *file = file_at(document, span.start);
    for (size_t k = 0; k < symbol->declarations.count; k++) {
        if (file_at(document, symbol->declarations.items[k].start) == file) {
            return true;
        }
    }
    for (size_t k = 0; k < document->notes.names.count; k++) {
        const NameNote *note = &document->notes.names.items[k];
        if (!note->is_other && has_declaration(symbol, note->declaration) &&
            file_at(document, note->span.start) == file) {
            return true;
        }
    }
    return imports_symbol(arena, document, symbol, file);
}

// Where names of a document can be named. The blocks of a file are found once.
typedef struct Regions {
    Arena *arena;
    const LspDocument *document;
    Table blocks; // by file
} Regions;

static const LspBlocks *blocks_of(Regions *regions, const SourceFile *file) {
    const LspBlocks *blocks = table_get(&regions->blocks, file);
    if (blocks == NULL) {
        LspTokens tokens = lsp_tokens(file);
        blocks = lsp_find_blocks(regions->arena, &tokens);
        lsp_tokens_free(&tokens);
        table_set(regions->arena, &regions->blocks, file, (void *)blocks);
    }
    return blocks;
}

// Where what is declared at a place can be named: all of its file, or a block of that.
static Span region_of(Regions *regions, NameRole role, char space, uint32_t declaration) {
    const SourceFile *file = file_at(regions->document, declaration);
    Span region = {0, 0};
    if (role != NAME_FUNCTION && space == '\0') {
        region = lsp_block_around(blocks_of(regions, file), role, declaration);
    }
    return span_is_nowhere(region) ? (Span){file->base, file->base + file->len} : region;
}

// In a block what stands before a declaration does not mean that; functions see all of a file.
static Span behind(const LspDocument *document, Span region, uint32_t declaration) {
    const SourceFile *file = file_at(document, declaration);
    bool is_file = region.start == file->base && region.end == file->base + file->len;
    return is_file ? region : (Span){declaration, region.end};
}

// Whether what is declared at `own`, and can be named in the region of its file, can be named at a
// place of a file that can name it.
static bool reaches(const LspDocument *document, const LspSymbol *symbol, uint32_t own, Span region,
                    uint32_t place) {
    bool is_elsewhere = file_at(document, own) != file_at(document, place);
    return is_elsewhere ? is_of_file(symbol) : span_has(region, place);
}

static bool has_place_in(const LspSymbol *symbol, Span region) {
    for (size_t k = 0; k < symbol->places.count; k++) {
        if (span_has(region, symbol->places.items[k].start)) {
            return true;
        }
    }
    return false;
}

typedef struct TargetSearch {
    uint32_t start;
    bool is_found;
} TargetSearch;

static bool is_target(const AstExpr *target, uint32_t start) {
    return target->kind == AST_NAME && target->span.start == start;
}

static bool assigns_at(const AstStmt *stmt, void *data) {
    TargetSearch *search = data;
    if (stmt->kind == AST_ASSIGN) {
        search->is_found |= is_target(stmt->assign.target, search->start);
    }
    for (size_t k = 0; stmt->kind == AST_ASSIGN_ALL && k < stmt->assign_all.targets.count; k++) {
        search->is_found |= is_target(stmt->assign_all.targets.items[k], search->start);
    }
    return search->is_found;
}

// Whether an assignment declares what is declared there: where something outside has its name, it
// would assign to that.
static bool is_inferred(const LspDocument *document, uint32_t declaration) {
    TargetSearch search = {.start = declaration};
    AstVisitor visitor = {.stmt = assigns_at, .data = &search};
    for (size_t k = 0; k < document->notes.files.count && !search.is_found; k++) {
        ast_visit_block(&document->notes.files.items[k]->statements, &visitor);
    }
    return search.is_found;
}

// The same, with regard to something of its name that is declared at `outer`: that is assigned to
// where it has been declared before, and in every function if it is of the file.
static bool assigns_to(const LspDocument *document, uint32_t declaration, uint32_t outer) {
    const Notes *notes = &document->notes;
    const AstStmt *function = lsp_function_around(notes, declaration);
    bool is_known = file_at(document, outer) != file_at(document, declaration) ||
                    outer < declaration || lsp_function_around(notes, outer) != function;
    return is_known && is_inferred(document, declaration);
}

// Whether an assignment that declares the symbol would be one to what its file imports.
static bool assigns_to_import(Arena *arena, const LspDocument *document, const LspSymbol *symbol,
                              const NameNote *note) {
    uint32_t outer = note->declaration.start;
    for (size_t k = 0;
         note->declares && note->role == NAME_GLOBAL && k < symbol->declarations.count; k++) {
        uint32_t own = symbol->declarations.items[k].start;
        if (imports(arena, document, file_at(document, own), file_at(document, outer)) &&
            assigns_to(document, own, outer)) {
            return true;
        }
    }
    return false;
}

typedef enum Nesting { REGION_APART, REGION_SAME, REGION_INNER, REGION_OUTER } Nesting;

// How the region of the symbol lies to that of what a note names. What an import brings is outside
// of all that its importer declares.
static Nesting nesting_of(const LspDocument *document, uint32_t own, const NameNote *note,
                          Span region, Span other) {
    const SourceFile *here = file_at(document, note->span.start);
    const SourceFile *from = file_at(document, note->declaration.start);
    if (file_at(document, own) != from) {
        return from == here ? REGION_OUTER : REGION_INNER;
    }
    if (region.start == other.start && region.end == other.end) {
        return REGION_SAME;
    }
    return region.start <= other.start && other.end <= region.end   ? REGION_OUTER
           : other.start <= region.start && region.end <= other.end ? REGION_INNER
                                                                    : REGION_APART;
}

// Whether a name, or what declares it, would be taken for the symbol, or the symbol for that.
static bool clashes(Regions *regions, const LspSymbol *symbol, const NameNote *note) {
    const LspDocument *document = regions->document;
    if (symbol->space != '\0') {
        return true;
    }
    Span other = region_of(regions, note->role, note->space, note->declaration.start);
    for (size_t k = 0; k < symbol->declarations.count; k++) {
        uint32_t own = symbol->declarations.items[k].start;
        Span region = region_of(regions, symbol->role, symbol->space, own);
        // A call finds functions only, whatever variables have the name (L3.4).
        bool may_meet = (symbol->role == NAME_FUNCTION) == (note->role == NAME_FUNCTION);
        bool meets = false;
        switch (nesting_of(document, own, note, region, other)) {
        case REGION_SAME: return true;
        case REGION_OUTER:
            meets = (may_meet &&
                     has_place_in(symbol, behind(document, other, note->declaration.start))) ||
                    assigns_to(document, note->declaration.start, own);
            break;
        case REGION_INNER:
            meets = (may_meet && reaches(document, symbol, own, behind(document, region, own),
                                         note->span.start)) ||
                    assigns_to(document, own, note->declaration.start);
            break;
        case REGION_APART: break;
        }
        if (meets) {
            return true;
        }
    }
    return false;
}

static bool is_space(const char *text) {
    return text[0] != '\0' && strchr("npt", text[0]) != NULL && text[1] == '\0';
}

// A variable `n` would hide the namespace of `n.count`; in a component, which has terminals, no
// name of the file may be that of a namespace.
static bool hides_space(Regions *regions, const Taken *taken, const LspSymbol *symbol,
                        const NameNote *note) {
    const LspDocument *document = regions->document;
    for (size_t k = 0; k < symbol->declarations.count; k++) {
        uint32_t own = symbol->declarations.items[k].start;
        Span region = region_of(regions, symbol->role, symbol->space, own);
        bool is_reached = reaches(document, symbol, own, region, note->span.start);
        bool is_whole = is_reached && behind(document, region, own).start == region.start;
        if (is_reached && (taken->text[0] == note->space || (is_whole && note->space == 't'))) {
            return true;
        }
    }
    return false;
}

// The same in code that is not checked: there a function may have the name for itself.
static bool clashes_unnoted(Regions *regions, const LspSymbol *symbol, const Occurrences *all,
                            const Occurrence *at) {
    const LspDocument *document = regions->document;
    for (size_t k = 0; at->function != NULL && k < all->count; k++) {
        const Occurrence *other = &all->items[k];
        if (other->declares && other->function == at->function && other->name == at->name) {
            return has_place_in(symbol, lsp_function_span(at->function));
        }
    }
    for (size_t k = 0; k < symbol->declarations.count; k++) {
        uint32_t own = symbol->declarations.items[k].start;
        Span region = region_of(regions, symbol->role, symbol->space, own);
        if (reaches(document, symbol, own, region, at->span.start)) {
            return true;
        }
    }
    return false;
}

// Whether a note says that the symbol cannot have the name.
static bool forbids_name(Regions *regions, const LspSymbol *symbol, const Taken *taken,
                         const NameNote *note) {
    const LspDocument *document = regions->document;
    bool is_same = is_text_of(taken, note->name) && note->space == symbol->space;
    bool may_hide = note->space != '\0' && symbol->space == '\0' && is_space(taken->text);
    if (note->is_other || (!is_same && !may_hide)) {
        return false;
    }
    if (is_same && assigns_to_import(regions->arena, document, symbol, note)) {
        return true;
    }
    return is_in_file(regions->arena, document, symbol, note->span) &&
           ((is_same && clashes(regions, symbol, note)) ||
            (may_hide && hides_space(regions, taken, symbol, note)));
}

static void look_for_name(LspDocument *document, const LspSymbol *symbol, void *data) {
    Taken *taken = data;
    const Notes *notes = &document->notes;
    Arena *arena = arena_create();
    Regions regions = {.arena = arena, .document = document};
    for (size_t k = 0; k < notes->names.count && !taken->is_taken; k++) {
        taken->is_taken = forbids_name(&regions, symbol, taken, &notes->names.items[k]);
    }
    Occurrences unnoted = lsp_occurrences(arena, notes);
    const AstStmt *function = lsp_symbol_function(document, symbol);
    for (size_t k = 0; k < unnoted.count && !taken->is_taken; k++) {
        const Occurrence *at = &unnoted.items[k];
        bool may_meet = lsp_occurrence_fits(at, symbol->role, function);
        taken->is_taken = may_meet && is_text_of(taken, at->name) && at->space == symbol->space &&
                          is_in_file(arena, document, symbol, at->span) &&
                          clashes_unnoted(&regions, symbol, &unnoted, at);
    }
    arena_destroy(arena);
}

// Whether the symbol can have that name; else false, after an error.
static bool can_be_called(LspRequest *request, Arena *arena, const LspSymbol *symbol,
                          const char *text, Span here) {
    if (text == NULL || !is_name(text)) {
        (void)refuse(request, "a name has letters, digits and `_`, and begins with no digit");
        return false;
    }
    if (symbol->space == '\0' && token_is_reserved(text)) {
        (void)refuse(request, "`%s` is a word of the language", text);
        return false;
    }
    if (runs_by_name(symbol, names_intern_text(request->document->context->names, text))) {
        (void)refuse(request, "a function that is called `%s` runs by its name", text);
        return false;
    }
    Taken taken = {.text = text, .has_parts = symbol->name->len != here.end - here.start};
    lsp_each_document(arena, request, symbol, text, look_for_name, &taken);
    if (taken.is_taken) {
        (void)refuse(request, "something else is called `%s` here", text);
    }
    return !taken.is_taken;
}

// Edits.

typedef struct Editor {
    LspRequest *request;
    const char *text;
    json_t *changes; // by URI
    json_t *known;   // places, as texts
    const char *obstacle;
} Editor;

static void edit_places(LspDocument *document, const LspSymbol *symbol, void *data) {
    Editor *editor = data;
    const LspDocument *asked = editor->request->document;
    const char *obstacle = obstacle_of(document, symbol);
    if (obstacle != NULL && document != asked) {
        obstacle = arena_format(asked->context->arena, "%s: %s", document->path, obstacle);
    }
    editor->obstacle = editor->obstacle == NULL ? obstacle : editor->obstacle;
    const SourceMap *sources = document->context->sources;
    for (size_t k = 0; k < symbol->places.count; k++) {
        Span place = symbol->places.items[k];
        SourcePlace at = sources_place(sources, place.start);
        const char *name = lsp_file_uri(editor->request->server, document, at.file);
        Buffer key = {0};
        buffer_format(&key, "%s#%u", name, (unsigned)at.offset);
        if (json_object_get(editor->known, key.data) == NULL) {
            json_set(editor->known, key.data, json_true());
            if (json_object_get(editor->changes, name) == NULL) {
                json_set(editor->changes, name, json_array());
            }
            json_t *edit = json_object();
            json_set(edit, "range", lsp_range(editor->request->server, document, place));
            json_set(edit, "newText", json_word(editor->text));
            json_add(json_object_get(editor->changes, name), edit);
        }
        buffer_free(&key);
    }
}

json_t *lsp_rename(LspRequest *request) {
    Arena *arena = arena_create();
    const char *text = lsp_text(request->params, "newName");
    LspSymbol symbol;
    Span here;
    json_t *answer = NULL;
    if (find_symbol(request, arena, &symbol, &here) &&
        can_be_called(request, arena, &symbol, text, here)) {
        Editor editor = {
            .request = request, .text = text, .changes = json_object(), .known = json_object()};
        lsp_each_document(arena, request, &symbol, NULL, edit_places, &editor);
        if (editor.obstacle != NULL) {
            (void)refuse(request, "`%s` cannot be renamed: %s", symbol.name->text, editor.obstacle);
        } else {
            answer = json_object();
            json_set(answer, "changes", json_incref(editor.changes));
        }
        json_decref(editor.changes);
        json_decref(editor.known);
    }
    arena_destroy(arena);
    return answer;
}
