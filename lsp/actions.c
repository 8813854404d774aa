// Changes that an editor offers beside a message: the one that the message carries, a comment that
// silences a warning, the declaration of a terminal or property. Each is tried first, and offered
// only where the text then checks better.
#include "lsp/diagnostics.h"
#include "lsp/document.h"
#include "lsp/request.h"
#include "lsp/token_list.h"
#include "parser/parse.h"
#include "sema/component/infer_rounds.h"
#include "support/diag/render.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_MESSAGES = 20 };

typedef LIST_OF(DiagText) Edits;

typedef struct Actions {
    LspRequest *request;
    Arena *arena;
    json_t *list;
} Actions;

static int from_behind(const void *a, const void *b) {
    const DiagText *x = a;
    const DiagText *y = b;
    return (x->span.start < y->span.start) - (x->span.start > y->span.start);
}

// The document's text after the edits. False when one lies in another file, or two overlap.
static bool apply(const LspDocument *document, const Edits *edits, Buffer *text) {
    const SourceFile *source = document->source;
    uint32_t limit = source->base + source->len;
    buffer_append(text, source->text, source->len);
    for (size_t i = 0; i < edits->count; i++) {
        const DiagText *edit = &edits->items[i];
        if (edit->span.start < source->base || edit->span.end > limit) {
            return false;
        }
        limit = edit->span.start;
        Buffer changed = {0};
        buffer_append(&changed, text->data, edit->span.start - source->base);
        buffer_text(&changed, edit->text);
        size_t rest = edit->span.end - source->base;
        buffer_append(&changed, text->data + rest, text->len - rest);
        buffer_free(text);
        *text = changed;
    }
    return true;
}

static size_t count_syntax_errors(const DiagList *diags) {
    size_t count = 0;
    for (size_t i = 0; i < diags->all.count; i++) {
        const Diag *diag = diags->all.items[i];
        count += diag->severity == SEVERITY_ERROR && diag_row(diag->code)->class <= DIAG_SYNTAX;
    }
    return count;
}

// Whether `after` has less to say than `before`. What a mistake of syntax hid counts less than it.
static bool is_better(const DiagList *before, const DiagList *after) {
    size_t syntax_before = count_syntax_errors(before), syntax_after = count_syntax_errors(after);
    if (syntax_before != syntax_after) {
        return syntax_after < syntax_before;
    }
    if (before->error_count != after->error_count) {
        return after->error_count < before->error_count;
    }
    return after->warning_count < before->warning_count;
}

static json_t *write_edits(const Actions *actions, const Edits *edits) {
    const LspRequest *request = actions->request;
    json_t *list = json_array();
    for (size_t i = 0; i < edits->count; i++) {
        json_t *edit = json_object();
        json_set(edit, "range",
                 lsp_range(request->server, request->document, edits->items[i].span));
        json_set(edit, "newText", json_word(edits->items[i].text));
        json_add(list, edit);
    }
    json_t *changes = json_object();
    json_set(changes, request->document->uri, list);
    json_t *result = json_object();
    json_set(result, "changes", changes);
    return result;
}

static void offer(Actions *actions, const char *title, const Diag *diag, Edits *edits,
                  bool is_preferred) {
    LspRequest *request = actions->request;
    Buffer text = {0};
    qsort(edits->items, edits->count, sizeof(DiagText), from_behind);
    if (!apply(request->document, edits, &text)) {
        buffer_free(&text);
        return;
    }
    LspDocument *after = lsp_aside(request->server, request->document->uri, text);
    if (is_better(request->document->context->diags, after->context->diags)) {
        json_t *action = json_object();
        json_t *messages = json_array();
        json_add(messages, lsp_diagnostic(request->server, request->document, diag));
        json_set(action, "title", json_word(title));
        json_set(action, "kind", json_word("quickfix"));
        json_set(action, "diagnostics", messages);
        json_set(action, "isPreferred", json_boolean(is_preferred));
        json_set(action, "edit", write_edits(actions, edits));
        json_add(actions->list, action);
    }
    lsp_drop(after);
}

// What the message itself would change; its help says what that is.
static void offer_own(Actions *actions, const Diag *diag) {
    const char *title = "apply the suggested change";
    for (size_t i = 0; i < diag->notes.count; i++) {
        title = diag->notes.items[i].part == DIAG_HELP ? diag->notes.items[i].text : title;
    }
    Edits edits = {0};
    for (size_t i = 0; i < diag->edits.count; i++) {
        LIST_PUSH(actions->arena, &edits, diag->edits.items[i]);
    }
    if (edits.count > 0) {
        offer(actions, title, diag, &edits, true);
    }
}

// How much of a line its tokens take, texts with `#` in them too.
static size_t code_length(LspDocument *document, SourcePlace place, Slice line) {
    uint32_t start = place.file->base + (uint32_t)(line.data - place.file->text);
    const LspTokens *tokens = lsp_document_tokens(document);
    uint32_t end = start;
    for (size_t k = 0; k < tokens->list.count; k++) {
        const Token *token = &tokens->list.items[k];
        bool is_there = token->span.start >= start && token->span.end <= start + line.len;
        end = is_there && token->kind != TOKEN_END_OF_FILE ? token->span.end : end;
    }
    return end - start;
}

// A comment that is on the line already goes behind the new words.
static void offer_allow(Actions *actions, const Diag *diag) {
    LspDocument *document = actions->request->document;
    SourcePlace place = sources_place(document->context->sources, diag->span.start);
    Slice line = source_line(place.file, place.line);
    Span gap = {0, 0};
    size_t code = code_length(document, place, line);
    const char *comment = memchr(line.data + code, '#', line.len - code);
    size_t at = comment == NULL ? line.len : (size_t)(comment - line.data);
    gap.start = place.file->base + (uint32_t)(line.data - place.file->text) + (uint32_t)at;
    gap.end = gap.start + (comment != NULL);
    const char *name = warning_row(diag->warning)->name;
    Edits edits = {0};
    const char *text =
        arena_format(actions->arena, "%s# tmlc: allow(%s)", comment ? "" : "  ", name);
    LIST_PUSH(actions->arena, &edits, ((DiagText){DIAG_EDIT, gap, text}));
    offer(actions, arena_format(actions->arena, "allow this line's `%s`", name), diag, &edits,
          false);
}

// The line with which the interface that `tmlc interface` finds declares `name`; NULL: it has none.
static const char *declaration_of(const Actions *actions, Slice name) {
    LspDocument *document = actions->request->document;
    Context *context = context_create();
    SourceFile *source =
        sources_add(context->sources, document->path, document->text.data, document->text.len);
    AstFile *file = parse_file(context, source);
    Buffer found = {0};
    buffer_text(&found, "");
    CheckOptions check = {.load = actions->request->server->settings->load,
                          .load_data = context,
                          .identify = front_identify};
    if (front_prepare(context, &document->options, &check, &(const char *){NULL}) &&
        front_is_whole(context->diags)) {
        (void)infer_interface(context, file, &check, &found);
    }
    const char *result = NULL;
    for (const char *line = found.data; *line != '\0' && result == NULL;) {
        size_t len = strcspn(line, "\n");
        size_t text = strcspn(line, "\n#");
        for (size_t i = 0; i + name.len <= text; i++) {
            bool ends = i + name.len == text || strchr(" ?=", line[i + name.len]) != NULL;
            if (memcmp(line + i, name.data, name.len) == 0 && ends) {
                result = arena_format(actions->arena, "%.*s", (int)text, line);
            }
        }
        line += len + (line[len] == '\n');
    }
    buffer_free(&found);
    context_destroy(context);
    return result;
}

// Behind the last declaration of the file, or before its first statement.
static Span place_of_declaration(const LspDocument *document) {
    const AstBlock *statements = &document->ast->statements;
    const SourceFile *source = document->source;
    uint32_t at = statements->count == 0 ? 0 : statements->items[0]->span.start - source->base;
    bool is_behind = false;
    for (size_t i = 0; i < statements->count; i++) {
        if (statements->items[i]->kind == AST_TERMINAL) {
            at = statements->items[i]->span.end - source->base;
            is_behind = true;
        }
    }
    const char *line = is_behind ? strchr(source->text + at, '\n') : NULL;
    at = line != NULL ? (uint32_t)(line + 1 - source->text) : is_behind ? source->len : at;
    return (Span){source->base + at, source->base + at};
}

static void offer_declaration(Actions *actions, const Diag *diag) {
    const LspDocument *document = actions->request->document;
    Slice name = sources_text(document->context->sources, diag->span);
    const char *line = declaration_of(actions, name);
    if (line == NULL) {
        return;
    }
    size_t len = strlen(line);
    while (len > 0 && line[len - 1] == ' ') {
        len--;
    }
    Span place = place_of_declaration(document);
    const SourceFile *source = document->source;
    bool needs_line =
        place.start > source->base && source->text[place.start - source->base - 1] != '\n';
    Edits edits = {0};
    const char *text =
        arena_format(actions->arena, "%s%.*s\n", needs_line ? "\n" : "", (int)len, line);
    LIST_PUSH(actions->arena, &edits, ((DiagText){DIAG_EDIT, place, text}));
    offer(actions, arena_format(actions->arena, "declare `%.*s`", (int)len, line), diag, &edits,
          false);
}

static bool is_in_namespace(const LspDocument *document, const Diag *diag) {
    Slice name = sources_text(document->context->sources, diag->span);
    return name.len > 2 && strchr("tpn", name.data[0]) != NULL && name.data[1] == '.';
}

json_t *lsp_code_action(LspRequest *request) {
    LspDocument *document = request->document;
    const SourceFile *source = document->source;
    Span range = {0, 0};
    if (!lsp_request_span(request, &range)) {
        return NULL;
    }
    Actions actions = {request, arena_create(), json_array()};
    const DiagList *diags = document->context->diags;
    const Diag **ordered = diags_ordered(diags);
    int count = 0;
    for (size_t i = 0; i < diags->all.count && count < MOST_MESSAGES; i++) {
        const Diag *diag = ordered[i];
        bool is_own = sources_place(document->context->sources, diag->span.start).file == source;
        if (!is_own || diag->span.end < range.start || diag->span.start > range.end) {
            continue;
        }
        count++;
        offer_own(&actions, diag);
        if (diag->severity == SEVERITY_WARNING) {
            offer_allow(&actions, diag);
        } else if (diag->code == DIAG_E0301 && is_in_namespace(document, diag)) {
            offer_declaration(&actions, diag);
        }
    }
    free(ordered);
    arena_destroy(actions.arena);
    return actions.list;
}
