// textDocument/completion: the names that are visible, what a namespace, an instance or a value has
// behind its dot, built-ins, words of the language, and blocks. The client chooses by what is
// typed. Nothing is offered in comments and texts.
#include "lsp/builtins.h"
#include "lsp/describe.h"
#include "lsp/request.h"
#include "lsp/scope.h"
#include "parser/ast_visit.h"
#include "support/path.h"
#include "support/table.h"

#include <string.h>

typedef enum ItemKind {
    ITEM_FUNCTION = 3,
    ITEM_FIELD = 5,
    ITEM_VARIABLE = 6,
    ITEM_MODULE = 9,
    ITEM_PROPERTY = 10,
    ITEM_KEYWORD = 14,
    ITEM_SNIPPET = 15,
    ITEM_CONSTANT = 21,
    ITEM_SIZE = 25,
} ItemKind;

static ItemKind kind_of(NameRole role) {
    switch (role) {
    case NAME_FUNCTION: return ITEM_FUNCTION;
    case NAME_INSTANCE: return ITEM_MODULE;
    case NAME_TUNABLE:
    case NAME_PROPERTY: return ITEM_PROPERTY;
    case NAME_INPUT:
    case NAME_OUTPUT: return ITEM_FIELD;
    case NAME_CONSTANT:
    case NAME_MACRO: return ITEM_CONSTANT;
    case NAME_SIZE: return ITEM_SIZE;
    case NAME_LOCAL:
    case NAME_GLOBAL:
    case NAME_PARAMETER:
    case NAME_PLACE:
    case NAME_LOOP: break;
    }
    return ITEM_VARIABLE;
}

typedef struct Offer {
    LspRequest *request;
    Arena *arena;
    const LspTokens *tokens;
    size_t before; // tokens before the word that is being typed
    uint32_t position;
    json_t *items;
} Offer;

static json_t *add_item(const Offer *offer, const char *label, ItemKind kind, const char *detail) {
    json_t *item = json_object();
    json_set(item, "label", json_word(label));
    json_set(item, "kind", json_integer(kind));
    if (detail != NULL) {
        json_set(item, "detail", json_word(detail));
    }
    json_add(offer->items, item);
    return item;
}

static void add_name(const Offer *offer, const NameNote *note, const char *label) {
    const LspDocument *document = offer->request->document;
    const char *detail =
        note->type == NULL ? name_role_text(note->role) : describe_type(offer->arena, note->type);
    const AstStmt *function =
        note->role == NAME_FUNCTION ? describe_function(&document->notes, note->declaration) : NULL;
    add_item(offer, label, kind_of(note->role),
             function == NULL ? detail : describe_signature(offer->arena, document, function));
}

// Behind a dot.

static const Token *token_at(const Offer *offer, size_t back) {
    return offer->before < back ? NULL : &offer->tokens->list.items[offer->before - back];
}

// How far back the name is that a dot `back` tokens ago stands behind: over the brackets of an
// index. 0: there is none.
static size_t find_owner(const Offer *offer, size_t back) {
    size_t depth = 0;
    for (size_t k = back + 1; token_at(offer, k) != NULL; k++) {
        TokenKind kind = token_at(offer, k)->kind;
        depth += kind == TOKEN_CLOSE_BRACKET || kind == TOKEN_CLOSE_BRACE;
        if (kind == TOKEN_NAME && depth == 0) {
            return k;
        }
        if (depth == 0) {
            return 0;
        }
        depth -=
            kind == TOKEN_INDEX_BRACKET || kind == TOKEN_OPEN_BRACKET || kind == TOKEN_OPEN_BRACE;
    }
    return 0;
}

static bool is_space(const Token *token) {
    return token->kind == TOKEN_NAME && token->name->len == 1 &&
           strchr("tpn", token->name->text[0]) != NULL;
}

typedef struct PartSearch {
    const char *name;
    uint32_t declaration; // of a name that a macro makes of parts, or 0
    const AstStmt *found;
} PartSearch;

static bool is_part(const AstStmt *stmt, void *data) {
    PartSearch *search = data;
    if (stmt->kind == AST_INSTANCE && (stmt->instance.name.span.start == search->declaration ||
                                       strcmp(stmt->instance.name.name->text, search->name) == 0)) {
        search->found = stmt;
    }
    return search->found != NULL;
}

// The declaration of the instance of that name; NULL when there is none.
static const AstStmt *find_part(const Offer *offer, const Token *name) {
    PartSearch search = {.name = name->name->text};
    const Notes *notes = &offer->request->document->notes;
    for (size_t k = 0; k < notes->names.count; k++) {
        const NameNote *note = &notes->names.items[k];
        if (note->role == NAME_INSTANCE && strcmp(note->name->text, search.name) == 0) {
            search.declaration = note->declaration.start;
        }
    }
    AstVisitor visitor = {.stmt = is_part, .data = &search};
    ast_visit_block(&offer->request->document->ast->statements, &visitor);
    return search.found;
}

// What the component of an instance has in a namespace.
static void offer_members(const Offer *offer, const AstStmt *part, char space) {
    const LspDocument *document = offer->request->document;
    const char *path = path_from(offer->arena, document->source->path, part->instance.path);
    Table offered = {0}; // each instance has notes of its own
    for (size_t k = 0; k < document->notes.names.count; k++) {
        const NameNote *note = &document->notes.names.items[k];
        const SourceFile *file =
            sources_place(document->context->sources, note->declaration.start).file;
        if (note->declares && note->space == space && file != document->source && file != NULL &&
            strcmp(file->path, path) == 0 && table_get(&offered, note->name) == NULL) {
            table_set(offer->arena, &offered, note->name, (void *)note);
            add_name(offer, note, note->name->text);
        }
    }
    static const char *const functions[] = {"init", "output", "update"};
    for (size_t k = 0; space == 't' && k < sizeof functions / sizeof functions[0]; k++) {
        add_item(offer, functions[k], ITEM_FUNCTION, "runs the instance");
    }
}

static void offer_space(const Offer *offer, char space) {
    LspNames names =
        lsp_visible(offer->arena, offer->request->document, offer->tokens, offer->position);
    for (size_t k = 0; k < names.count; k++) {
        if (names.items[k]->space == space) {
            add_name(offer, names.items[k], names.items[k]->name->text);
        }
    }
}

static void offer_attributes(const Offer *offer) {
#define ATTRIBUTE(name, help) add_item(offer, name, ITEM_PROPERTY, help);
#include "sema/attribute.def"
}

static void offer_behind_dot(const Offer *offer) {
    size_t back = find_owner(offer, 1);
    const Token *owner = back == 0 ? NULL : token_at(offer, back);
    const Token *dot = back == 0 ? NULL : token_at(offer, back + 1);
    bool has_owner = dot != NULL && dot->kind == TOKEN_DOT;
    if (owner != NULL && is_space(owner) && has_owner) { // `speed.p.`
        size_t outer = find_owner(offer, back + 1);
        const AstStmt *part = outer == 0 ? NULL : find_part(offer, token_at(offer, outer));
        if (part != NULL) {
            offer_members(offer, part, owner->name->text[0]);
            return;
        }
    }
    if (owner != NULL && is_space(owner) && back == 2 && !has_owner) {
        offer_space(offer, owner->name->text[0]);
        if (json_array_size(offer->items) > 0) {
            return;
        }
    }
    const AstStmt *part = owner == NULL || has_owner ? NULL : find_part(offer, owner);
    if (part != NULL) {
        offer_members(offer, part, 't');
    } else {
        offer_attributes(offer);
    }
}

// Elsewhere.

static void offer_names(const Offer *offer) {
    LspNames names =
        lsp_visible(offer->arena, offer->request->document, offer->tokens, offer->position);
    bool has_space[3] = {false, false, false};
    static const char spaces[] = "tpn";
    for (size_t k = 0; k < names.count; k++) {
        const NameNote *note = names.items[k];
        if (note->space == '\0') {
            add_name(offer, note, note->name->text);
        } else {
            has_space[strchr(spaces, note->space) - spaces] = true;
        }
    }
    static const char *const helps[] = {"terminals", "properties", "constants"};
    for (size_t k = 0; k < 3; k++) {
        if (has_space[k]) {
            add_item(offer, arena_format(offer->arena, "%c", spaces[k]), ITEM_MODULE, helps[k]);
        }
    }
}

static void offer_words(const Offer *offer) {
    LspBuiltin builtin;
    for (size_t k = 0; lsp_builtin(offer->arena, k, &builtin); k++) {
        const char *call = arena_format(offer->arena, "%s(%s)", builtin.name, builtin.parameters);
        json_t *item = add_item(offer, builtin.name, ITEM_FUNCTION, call);
        json_set(item, "documentation", json_word(builtin.help));
    }
#define TOKEN(NAME, text, roles)
#define KEYWORD(NAME, text, roles) add_item(offer, text, ITEM_KEYWORD, NULL);
#define MARK(NAME, text, roles)
#include "lexer/tokens.def"
}

static void offer_blocks(const Offer *offer) {
    static const struct {
        const char *label, *text;
    } blocks[] = {
        {"fn ... end", "fn ${1:name}(${2:real x}) ${3:real}:\n    return ${0:x}\nend"},
        {"if ... end", "if ${1:condition}:\n    $0\nend"},
        {"if ... else ... end", "if ${1:condition}:\n    $2\nelse:\n    $0\nend"},
        {"for ... end", "for ${1:i} = ${2:0}:${3:n}:\n    $0\nend"},
        {"while ... end", "while ${1:condition}:\n    $0\nend"},
        {"macro for ... end", "macro for ${1:i} = ${2:0}:${3:n}:\n    $0\nend"},
        {"macro if ... end", "macro if ${1:condition}:\n    $0\nend"},
        {"exists ... end", "exists t.${1:name}:\n    $0\nend"},
        {"test ... end", "test \"${1:name}\":\n    $0\nend"},
    };
    enum { FORMAT_SNIPPET = 2 };
    const Token *last = token_at(offer, 1);
    const Token *word = &offer->tokens->list.items[offer->before];
    bool is_first = last == NULL || word->span.start > offer->position || word->first_on_line;
    for (size_t k = 0; is_first && k < sizeof blocks / sizeof blocks[0]; k++) {
        json_t *item = add_item(offer, blocks[k].label, ITEM_SNIPPET, NULL);
        json_set(item, "insertText", json_word(blocks[k].text));
        json_set(item, "insertTextFormat", json_integer(FORMAT_SNIPPET));
    }
}

static bool is_word(const LspDocument *document, const Token *token) {
    char first = document->source->text[token->span.start - document->source->base];
    return token->kind != TOKEN_END_OF_FILE &&
           ((first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z') || first == '_');
}

json_t *lsp_completion(LspRequest *request) {
    uint32_t position = 0;
    if (!lsp_request_position(request, &position)) {
        return NULL;
    }
    LspDocument *document = request->document;
    const LspTokens *tokens = lsp_document_tokens(document);
    Offer offer = {.request = request,
                   .arena = arena_create(),
                   .tokens = tokens,
                   .before = lsp_tokens_before(tokens, position),
                   .position = position,
                   .items = json_array()};
    if (!lsp_is_in_text(document, tokens, position)) {
        const Token *last = token_at(&offer, 1);
        bool is_typed = last != NULL && last->span.end == position && is_word(document, last);
        offer.before -= is_typed;
        offer.position = is_typed ? last->span.start : position;
        last = token_at(&offer, 1);
        if (last != NULL && last->kind == TOKEN_DOT) {
            offer_behind_dot(&offer);
        } else {
            offer_names(&offer);
            offer_words(&offer);
            if (request->server->snippets) {
                offer_blocks(&offer);
            }
        }
    }
    arena_destroy(offer.arena);
    return offer.items;
}
