// See diagnostics.h. A file has the messages that its own check gives, the same ones in the same
// order as `tmlc check`, then those that checks of other documents, which import it, give beside
// these. What has no place in a file stands at the start of the document.
#include "lsp/diagnostics.h"

#include "lsp/document.h"
#include "lsp/position.h"
#include "lsp/send.h"
#include "lsp/uri.h"
#include "support/diag/render.h"
#include "support/json.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WARNINGS = 100, ERROR = 1, WARNING = 2, UNNECESSARY = 1 };

static bool is_unused(const Diag *diag) {
    return diag->warning == WARNING_UNUSED || diag->warning == WARNING_UNUSED_PARAMETER ||
           diag->warning == WARNING_UNUSED_INTERFACE || diag->warning == WARNING_UNREACHABLE;
}

// The headline stands alone, because lists show it alone; then tables, notes and help.
static json_t *message_of(const LspServer *server, const Diag *diag) {
    Buffer text = {0};
    buffer_text(&text, diag->message);
    for (size_t i = 0; i < diag->notes.count; i++) {
        const DiagText *note = &diag->notes.items[i];
        if (!span_is_nowhere(note->span) && server->related) {
            continue;
        }
        buffer_format(&text, "\n%s%s",
                      note->part == DIAG_HELP   ? "help: "
                      : note->part == DIAG_NOTE ? "note: "
                                                : "",
                      note->text);
    }
    json_t *message = json_text(text.data, text.len);
    buffer_free(&text);
    return message;
}

static void add_related(LspServer *server, LspDocument *document, json_t *list, Span span,
                        const char *text) {
    if (text == NULL || text[0] == '\0' || span_is_nowhere(span)) {
        return;
    }
    json_t *item = json_object();
    json_set(item, "location", lsp_location(server, document, span));
    json_set(item, "message", json_word(text));
    json_add(list, item);
}

static json_t *related_of(LspServer *server, LspDocument *document, const Diag *diag) {
    json_t *list = json_array();
    add_related(server, document, list, diag->span, diag->span_text);
    for (size_t i = 0; i < diag->labels.count; i++) {
        add_related(server, document, list, diag->labels.items[i].span, diag->labels.items[i].text);
    }
    for (size_t i = 0; i < diag->notes.count; i++) {
        add_related(server, document, list, diag->notes.items[i].span, diag->notes.items[i].text);
    }
    return list;
}

// The place in the documents that tells about a message: the page and its heading, as readers of
// Markdown make links of it.
static json_t *link_of(const LspServer *server, const Diag *diag) {
    bool is_named = diag->code == DIAG_W0000;
    Buffer path = {0}, heading = {0};
    buffer_format(&path, "%s%s.md", server->settings->documents,
                  is_named ? "warnings" : "diagnostics");
    buffer_format(&heading, "%s %s",
                  is_named ? warning_row(diag->warning)->name : diag_row(diag->code)->text,
                  is_named ? warning_row(diag->warning)->help : diag_row(diag->code)->title);
    json_t *page = lsp_uri(path.data);
    Buffer link = {0};
    buffer_format(&link, "%s#", json_string_value(page));
    for (const char *at = heading.data; *at != '\0'; at++) {
        char letter = *at == ' ' ? '-' : (char)tolower((unsigned char)*at);
        if (isalnum((unsigned char)letter) || letter == '-' || letter == '_') {
            buffer_append(&link, &letter, 1);
        }
    }
    json_t *description = json_object();
    json_set(description, "href", json_text(link.data, link.len));
    json_decref(page);
    buffer_free(&path);
    buffer_free(&heading);
    buffer_free(&link);
    return description;
}

json_t *lsp_diagnostic(LspServer *server, LspDocument *document, const Diag *diag) {
    json_t *item = json_object();
    bool is_named = diag->code == DIAG_W0000;
    const SourceFile *file = sources_place(document->context->sources, diag->span.start).file;
    Span span = lsp_is_file(document, file) ? diag->span : (Span){0, 0};
    json_set(item, "range", lsp_range(server, document, span));
    json_set(item, "severity", json_count(diag->severity == SEVERITY_ERROR ? ERROR : WARNING));
    json_set(item, "code",
             json_word(is_named ? warning_row(diag->warning)->name : diag_row(diag->code)->text));
    json_set(item, "source", json_word("tmlc"));
    if (server->links && server->settings->documents != NULL) {
        json_set(item, "codeDescription", link_of(server, diag));
    }
    json_set(item, "message", message_of(server, diag));
    if (is_named && is_unused(diag)) {
        json_set(item, "tags", json_pack("[i]", UNNECESSARY));
    }
    if (server->related) {
        json_set(item, "relatedInformation", related_of(server, document, diag));
    }
    return item;
}

// Whether a message lies in `file`; one that lies in none lies in the document.
static bool lies_in(const LspDocument *document, const Diag *diag, const SourceFile *file) {
    const SourceFile *found = sources_place(document->context->sources, diag->span.start).file;
    return file == (lsp_is_file(document, found) ? found : document->source);
}

static bool contains(const json_t *list, const json_t *item) {
    for (size_t i = 0; i < json_array_size(list); i++) {
        if (json_equal(json_array_get(list, i), item)) {
            return true;
        }
    }
    return false;
}

// Adds what the check of `document` says of `file`.
static void add_diags(LspServer *server, LspDocument *document, const SourceFile *file,
                      json_t *list) {
    const DiagList *diags = document->context->diags;
    const Diag **ordered = diags_ordered(diags);
    bool may_repeat = json_array_size(list) > 0;
    size_t warnings = 0;
    for (size_t i = 0; i < diags->all.count; i++) {
        const Diag *diag = ordered[i];
        bool is_warning = diag->severity == SEVERITY_WARNING;
        if (!lies_in(document, diag, file) || (is_warning && ++warnings > MOST_WARNINGS)) {
            continue;
        }
        json_t *item = lsp_diagnostic(server, document, diag);
        if (may_repeat && contains(list, item)) {
            json_decref(item);
        } else {
            json_add(list, item);
        }
    }
    free(ordered);
}

static json_t *diags_of(LspServer *server, const char *uri) {
    json_t *list = json_array();
    LspDocument *own = lsp_find(server, uri);
    if (own != NULL && own->context != NULL) {
        add_diags(server, own, own->source, list);
    }
    for (LspDocument *document = server->documents; document; document = document->next) {
        SourceMap *sources = document->context == NULL ? NULL : document->context->sources;
        for (uint32_t i = 1; document != own && sources != NULL && i < sources_count(sources);
             i++) {
            const SourceFile *file = sources_file(sources, i);
            if (lsp_is_file(document, file) &&
                strcmp(lsp_file_uri(server, document, file), uri) == 0) {
                add_diags(server, document, file, list);
            }
        }
    }
    return list;
}

static void publish(LspServer *server, const char *uri) {
    const LspDocument *open = lsp_find(server, uri);
    const json_t *old = json_object_get(server->published, uri);
    json_t *list = diags_of(server, uri);
    bool is_new = open != NULL && open->is_new;
    bool is_same = old == NULL ? json_array_size(list) == 0 : json_equal(old, list);
    if (is_new || !is_same) {
        json_t *params = json_object();
        json_set(params, "uri", json_word(uri));
        if (open != NULL) {
            json_set(params, "version", json_integer(open->version));
        }
        json_set(params, "diagnostics", json_incref(list));
        lsp_notify(server, "textDocument/publishDiagnostics", params);
    }
    json_set(server->published, uri, list);
}

void lsp_publish(LspServer *server) {
    json_t *names = json_object();
    for (LspDocument *document = server->documents; document; document = document->next) {
        lsp_check(server, document);
        for (uint32_t i = 0; document->is_new && i < sources_count(document->context->sources);
             i++) {
            const SourceFile *file = sources_file(document->context->sources, i);
            if (lsp_is_file(document, file)) {
                json_set(names, lsp_file_uri(server, document, file), json_true());
            }
        }
    }
    const char *uri;
    json_t *value;
    // What nobody imports any more has no messages.
    json_object_foreach(server->published, uri, value) {
        if (lsp_find(server, uri) == NULL) {
            json_set(names, uri, json_true());
        }
    }
    json_object_foreach(names, uri, value) {
        publish(server, uri);
    }
    json_decref(names);
    void *next;
    json_object_foreach_safe(server->published, next, uri, value) {
        if (json_array_size(value) == 0 && lsp_find(server, uri) == NULL) {
            json_object_del(server->published, uri);
        }
    }
    for (LspDocument *document = server->documents; document; document = document->next) {
        document->is_new = false;
    }
}
