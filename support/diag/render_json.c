// Diagnostics for other programs; support/diag/render.h describes the object.
#include "support/diag/render_parts.h"

#include "support/json.h"
#include "support/memory.h"

#include <jansson.h>
#include <string.h>

// Jansson takes UTF-8 only, and a path or a quoted piece of source may be something else.
static json_t *json_shown(const char *text) {
    json_t *value = json_string(text);
    if (value != NULL) {
        return value;
    }
    Buffer escaped = {0};
    render_text(&escaped, text, strlen(text));
    value = json_stringn(escaped.data, escaped.len);
    buffer_free(&escaped);
    return value;
}

static void set_place(json_t *object, const SourceMap *sources, Span span) {
    SourcePlace place = sources_place(sources, span.start);
    bool known = place.file != NULL;
    json_set(object, "file", known ? json_shown(place.file->path) : json_null());
    json_set(object, "line", known ? json_integer(place.line) : json_null());
    json_set(object, "column", known ? json_integer(place.column) : json_null());
    json_set(object, "start", known ? json_integer(place.offset) : json_null());
    json_set(object, "end", known ? json_integer(span.end - place.file->base) : json_null());
}

static const char *note_kind(DiagPart part) {
    return part == DIAG_TABLE ? "table" : part == DIAG_HELP ? "help" : "note";
}

static json_t *json_texts(const DiagTexts *texts, bool with_kind, const SourceMap *sources) {
    json_t *array = json_array();
    for (size_t i = 0; i < texts->count; i++) {
        json_t *object = json_object();
        if (with_kind) {
            json_set(object, "kind", json_string(note_kind(texts->items[i].part)));
        }
        json_set(object, "text", json_shown(texts->items[i].text));
        set_place(object, sources, texts->items[i].span);
        json_add(array, object);
    }
    return array;
}

static json_t *json_shape(const DiagShape *shape) {
    json_t *levels = json_array();
    const uint32_t *length = shape->lengths;
    for (size_t level = 0; level < shape->level_count; level++) {
        json_t *lengths = json_array();
        for (size_t d = 0; d < shape->ranks[level]; d++) {
            json_add(lengths, json_integer(*length++));
        }
        json_add(levels, lengths);
    }
    json_t *object = json_object();
    json_set(object, "name", json_shown(shape->name));
    json_set(object, "levels", levels);
    return object;
}

static json_t *json_alignment(const DiagAlignment *alignment) {
    if (alignment == NULL) {
        return json_null();
    }
    json_t *object = json_object();
    json_set(object, "left", json_shape(&alignment->left));
    json_set(object, "right", json_shape(&alignment->right));
    json_set(object, "level", alignment->level < 0 ? json_null() : json_integer(alignment->level));
    json_set(object, "dim", alignment->dim < 0 ? json_null() : json_integer(alignment->dim));
    return object;
}

static json_t *json_diag(const Diag *diag, const SourceMap *sources) {
    json_t *object = json_object();
    json_set(object, "code", json_string(diag_row(diag->code)->text));
    json_set(object, "severity", json_string(render_severity_text(diag)));
    if (diag->code == DIAG_W0000) {
        json_set(object, "name", json_string(warning_row(diag->warning)->name));
    }
    json_set(object, "message", json_shown(diag->message));
    set_place(object, sources, diag->span);
    json_set(object, "text", diag->span_text != NULL ? json_shown(diag->span_text) : json_null());
    json_set(object, "labels", json_texts(&diag->labels, false, sources));
    json_set(object, "notes", json_texts(&diag->notes, true, sources));
    json_set(object, "alignment", json_alignment(diag->alignment));
    json_set(object, "edits", json_texts(&diag->edits, false, sources));
    return object;
}

static int append_json(const char *text, size_t len, void *out) {
    buffer_append(out, text, len);
    return 0;
}

void render_json(Buffer *out, const DiagList *diags, const Diag *const *ordered,
                 const SourceMap *sources) {
    json_t *list = json_array();
    for (size_t i = 0; i < diags->all.count; i++) {
        json_add(list, json_diag(ordered[i], sources));
    }
    json_t *root = json_object();
    json_set(root, "diagnostics", list);
    json_set(root, "errors", json_integer((json_int_t)diags->error_count));
    json_set(root, "warnings", json_integer((json_int_t)diags->warning_count));
    if (json_dump_callback(root, append_json, out, JSON_COMPACT) != 0) {
        memory_failed();
    }
    buffer_text(out, "\n");
    json_decref(root);
}
