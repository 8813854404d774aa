// What formatting changes: the layout of `tmlc fmt` for a whole document, and of one line as it is
// typed, for which the rest need not parse.
#include "format/format.h"
#include "lsp/blocks.h"
#include "lsp/document.h"
#include "lsp/request.h"
#include "parser/parse.h"

#include <string.h>

static void add_edit(const LspRequest *request, json_t *edits, uint32_t start, uint32_t end,
                     const char *text, size_t len) {
    uint32_t base = request->document->source->base;
    json_t *edit = json_object();
    Span span = {base + start, base + end};
    json_set(edit, "range", lsp_range(request->server, request->document, span));
    json_set(edit, "newText", json_text(text, len));
    json_add(edits, edit);
}

// How many bytes of whole lines two texts have in common at their starts.
static size_t common_start(Slice a, Slice b) {
    size_t lines = 0;
    for (size_t i = 0; i < a.len && i < b.len && a.data[i] == b.data[i]; i++) {
        lines = a.data[i] == '\n' ? i + 1 : lines;
    }
    return lines;
}

// The same at their ends, of lines that come after the first `skip` bytes of both.
static size_t common_end(Slice a, Slice b, size_t skip) {
    size_t lines = 0;
    size_t most = (a.len < b.len ? a.len : b.len) - skip;
    for (size_t i = 0; i < most && a.data[a.len - 1 - i] == b.data[b.len - 1 - i]; i++) {
        bool begins = i + 1 == a.len - skip || a.data[a.len - 2 - i] == '\n';
        bool both = begins && (i + 1 == b.len - skip || b.data[b.len - 2 - i] == '\n');
        lines = both ? i + 1 : lines;
    }
    return lines;
}

static size_t count_lines(Slice text) {
    size_t count = 0;
    for (size_t i = 0; i < text.len; i++) {
        count += text.data[i] == '\n';
    }
    return count;
}

static size_t line_length(Slice text, size_t from) {
    const char *end = memchr(text.data + from, '\n', text.len - from);
    return end == NULL ? text.len - from : (size_t)(end - text.data) - from + 1;
}

// The edits that make `b` of `a`: line by line where there are as many, so that cursors stay.
static json_t *edits_between(const LspRequest *request, Slice a, Slice b) {
    json_t *edits = json_array();
    size_t start = common_start(a, b);
    size_t tail = common_end(a, b, start);
    Slice old = {a.data + start, a.len - start - tail};
    Slice new = {b.data + start, b.len - start - tail};
    if (old.len == 0 && new.len == 0) {
        return edits;
    }
    if (count_lines(old) != count_lines(new)) {
        add_edit(request, edits, (uint32_t)start, (uint32_t)(start + old.len), new.data, new.len);
        return edits;
    }
    for (size_t i = 0, k = 0; i < old.len || k < new.len;) {
        size_t from = line_length(old, i), to = line_length(new, k);
        if (from != to || memcmp(old.data + i, new.data + k, from) != 0) {
            add_edit(request, edits, (uint32_t)(start + i), (uint32_t)(start + i + from),
                     new.data + k, to);
        }
        i += from;
        k += to;
    }
    return edits;
}

// `null` where the file does not parse: its messages are shown already. A layout that is wrong by a
// bug is no reason to end the session.
json_t *lsp_formatting(LspRequest *request) {
    const LspDocument *document = request->document;
    Context *context = context_create();
    SourceFile *source =
        sources_add(context->sources, document->path, document->text.data, document->text.len);
    const AstFile *file = parse_file(context, source);
    Buffer text = {0};
    buffer_text(&text, "");
    json_t *edits = NULL;
    if (context->diags->error_count == 0 && format_file(context, file, &text) == FORMAT_DONE) {
        edits = edits_between(request, (Slice){source->text, source->len},
                              (Slice){text.data, text.len});
    }
    buffer_free(&text);
    context_destroy(context);
    return edits;
}

// Behind `end`, and behind the colon of `else:` and `elseif`, the line gets the indentation of the
// header it belongs to.
json_t *lsp_on_type_formatting(LspRequest *request) {
    uint32_t position = 0;
    if (!lsp_request_position(request, &position)) {
        return NULL;
    }
    const SourceFile *source = request->document->source;
    const char *text = source->text;
    uint32_t cursor = position - source->base;
    uint32_t line = cursor;
    while (line > 0 && text[line - 1] != '\n') {
        line--;
    }
    uint32_t word = line + (uint32_t)strspn(text + line, " \t");
    bool is_end = cursor == word + 3 && memcmp(text + word, "end", 3) == 0;
    bool is_else = cursor > word && text[cursor - 1] == ':' && strncmp(text + word, "else", 4) == 0;
    uint32_t header = 0;
    if ((!is_end && !is_else) || !lsp_block_header(text, source->len, word, &header)) {
        return NULL;
    }
    uint32_t start = header;
    while (start > 0 && text[start - 1] != '\n') {
        start--;
    }
    size_t indentation = strspn(text + start, " \t");
    json_t *edits = json_array();
    if (indentation != word - line || memcmp(text + start, text + line, indentation) != 0) {
        add_edit(request, edits, line, word, text + start, indentation);
    }
    return edits;
}
