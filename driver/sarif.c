// See sarif.h. What consumers are particular about: paths are relative to the working folder and
// have no base; columns count characters; what helps would change is in bytes; a message keeps its
// fingerprint when lines above it come and go.
#include "driver/sarif.h"

#include "driver/options.h"
#include "support/diag/render.h"
#include "support/hash.h"
#include "support/json.h"
#include "support/path.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct SarifLog {
    Arena *arena;
    const char *folder; // the working one, with a slash at the end
    json_t *rules, *results;
    LIST_OF(const char *) rule_ids;
};

// What is made of the messages of one file.
typedef struct Sarif {
    SarifLog *log;
    const SourceMap *sources;
} Sarif;

SarifLog *sarif_create(Arena *arena) {
    SarifLog *log = ARENA_NEW(arena, SarifLog);
    char folder[4096];
    log->arena = arena;
    log->folder = getcwd(folder, sizeof folder) == NULL ? "" : arena_format(arena, "%s/", folder);
    log->rules = json_array();
    log->results = json_array();
    return log;
}

static json_t *json_message(const char *text) {
    json_t *message = json_object();
    json_set(message, "text", json_word(text));
    return message;
}

// Places.

static json_t *json_artifact(const SarifLog *log, const SourceFile *file) {
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    const char *path = path_normal(log->arena, file->path);
    size_t inside = strlen(log->folder);
    bool is_absolute = path[0] == '/';
    if (is_absolute && inside > 0 && strncmp(path, log->folder, inside) == 0) {
        path += inside;
        is_absolute = false;
    }
    Buffer uri = {0};
    buffer_text(&uri, is_absolute ? "file://" : "");
    for (; *path != '\0'; path++) {
        if (strchr(plain, *path) != NULL) {
            buffer_append(&uri, path, 1);
        } else {
            buffer_format(&uri, "%%%02X", (unsigned char)*path);
        }
    }
    json_t *artifact = json_object();
    json_set(artifact, "uri", json_text(uri.data, uri.len));
    buffer_free(&uri);
    return artifact;
}

static json_t *json_region(SourcePlace start, SourcePlace end) {
    json_t *region = json_object();
    json_set(region, "startLine", json_count(start.line));
    json_set(region, "startColumn", json_count(source_character(start)));
    json_set(region, "endLine", json_count(end.line));
    json_set(region, "endColumn", json_count(source_character(end)));
    return region;
}

// NULL: the span is nowhere.
static json_t *json_location(const Sarif *sarif, Span span) {
    SourcePlace start = sources_place(sarif->sources, span.start);
    if (start.file == NULL || start.file->path[0] == '-') {
        return NULL; // or in the text of an option
    }
    json_t *physical = json_object();
    json_set(physical, "artifactLocation", json_artifact(sarif->log, start.file));
    json_set(physical, "region", json_region(start, sources_place(sarif->sources, span.end)));
    json_t *location = json_object();
    json_set(location, "physicalLocation", physical);
    return location;
}

static void add_related(const Sarif *sarif, json_t *list, const DiagTexts *texts) {
    for (size_t i = 0; i < texts->count; i++) {
        json_t *location = json_location(sarif, texts->items[i].span);
        if (location != NULL && texts->items[i].text[0] != '\0') {
            json_set(location, "id", json_count(json_array_size(list) + 1));
            json_set(location, "message", json_message(texts->items[i].text));
            json_add(list, location);
        } else {
            json_decref(location);
        }
    }
}

// Rules.

static const char *rule_id(const Diag *diag) {
    return diag->code == DIAG_W0000 ? warning_row(diag->warning)->name : diag_row(diag->code)->text;
}

static const char *level_of(const Diag *diag) {
    return diag->severity == SEVERITY_ERROR ? "error" : "warning";
}

static json_t *json_rule(const Diag *diag) {
    bool is_warning = diag->code == DIAG_W0000;
    json_t *rule = json_object();
    json_set(rule, "id", json_word(rule_id(diag)));
    json_set(
        rule, "shortDescription",
        json_message(is_warning ? warning_row(diag->warning)->help : diag_row(diag->code)->title));
    Buffer help = {0};
    if (options_explain(rule_id(diag), &help)) {
        json_t *text = json_object();
        json_set(text, "text", json_text(help.data, help.len));
        json_set(text, "markdown", json_text(help.data, help.len));
        json_set(rule, "help", text);
    }
    buffer_free(&help);
    json_t *configuration = json_object();
    json_set(configuration, "level", json_word(level_of(diag)));
    json_set(rule, "defaultConfiguration", configuration);
    return rule;
}

static size_t rule_index(SarifLog *log, const Diag *diag) {
    for (size_t i = 0; i < log->rule_ids.count; i++) {
        if (strcmp(log->rule_ids.items[i], rule_id(diag)) == 0) {
            return i;
        }
    }
    const char *id = rule_id(diag);
    LIST_PUSH(log->arena, &log->rule_ids, id);
    json_add(log->rules, json_rule(diag));
    return log->rule_ids.count - 1;
}

// Results.

// The message, and as markdown its notes below it, tables as they are.
static json_t *json_text_of(const Diag *diag) {
    Buffer markdown = {0};
    buffer_text(&markdown, diag->message);
    if (diag->span_text != NULL) {
        buffer_format(&markdown, " (%s)", diag->span_text);
    }
    for (size_t i = 0; i < diag->notes.count; i++) {
        const DiagText *note = &diag->notes.items[i];
        buffer_format(&markdown,
                      note->part == DIAG_TABLE  ? "\n\n```\n%s\n```"
                      : note->part == DIAG_HELP ? "\n\nhelp: %s"
                                                : "\n\n%s",
                      note->text);
    }
    json_t *message = json_message(diag->message);
    json_set(message, "markdown", json_text(markdown.data, markdown.len));
    buffer_free(&markdown);
    return message;
}

static json_t *json_replacement(const DiagText *edit, SourcePlace place) {
    json_t *region = json_object();
    json_set(region, "byteOffset", json_count(place.offset));
    json_set(region, "byteLength", json_count(edit->span.end - edit->span.start));
    json_t *replacement = json_object();
    json_set(replacement, "deletedRegion", region);
    json_set(replacement, "insertedContent", json_message(edit->text));
    return replacement;
}

// The edits of a message in one file.
static json_t *json_change(const Sarif *sarif, const Diag *diag, const SourceFile *file) {
    json_t *replacements = json_array();
    for (size_t i = 0; i < diag->edits.count; i++) {
        SourcePlace place = sources_place(sarif->sources, diag->edits.items[i].span.start);
        if (place.file == file) {
            json_add(replacements, json_replacement(&diag->edits.items[i], place));
        }
    }
    json_t *change = json_object();
    json_set(change, "artifactLocation", json_artifact(sarif->log, file));
    json_set(change, "replacements", replacements);
    return change;
}

static json_t *json_fixes(const Sarif *sarif, const Diag *diag) {
    json_t *changes = json_array();
    for (uint32_t i = 0; i < sources_count(sarif->sources); i++) {
        const SourceFile *file = sources_file(sarif->sources, i);
        bool has_some = false;
        for (size_t k = 0; k < diag->edits.count; k++) {
            Span span = diag->edits.items[k].span;
            has_some = has_some || sources_place(sarif->sources, span.start).file == file;
        }
        if (has_some) {
            json_add(changes, json_change(sarif, diag, file));
        }
    }
    const char *help = diag->message;
    for (size_t i = 0; i < diag->notes.count; i++) {
        help = diag->notes.items[i].part == DIAG_HELP ? diag->notes.items[i].text : help;
    }
    json_t *fix = json_object();
    json_set(fix, "description", json_message(help));
    json_set(fix, "artifactChanges", changes);
    json_t *fixes = json_array();
    json_add(fixes, fix);
    return fixes;
}

// Of the rule and the text of the line, without the blanks around it.
static json_t *json_fingerprint(const Diag *diag, SourcePlace place) {
    const char *rule = rule_id(diag);
    uint64_t hash = hash_bytes(HASH_OF_NOTHING, rule, strlen(rule));
    Slice line = source_line(place.file, place.line);
    for (size_t i = 0; i < line.len; i++) {
        if (line.data[i] != ' ' && line.data[i] != '\t') {
            hash = hash_bytes(hash, &line.data[i], 1);
        }
    }
    char text[24];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    json_t *prints = json_object();
    json_set(prints, "lineHash/v1", json_word(text));
    return prints;
}

static json_t *json_result(const Sarif *sarif, const Diag *diag) {
    json_t *result = json_object();
    json_set(result, "ruleId", json_word(rule_id(diag)));
    json_set(result, "ruleIndex", json_count(rule_index(sarif->log, diag)));
    json_set(result, "level", json_word(level_of(diag)));
    json_set(result, "message", json_text_of(diag));
    json_t *location = json_location(sarif, diag->span);
    json_t *locations = json_array();
    if (location != NULL) {
        json_add(locations, location);
        SourcePlace place = sources_place(sarif->sources, diag->span.start);
        json_set(result, "partialFingerprints", json_fingerprint(diag, place));
    }
    json_set(result, "locations", locations);
    json_t *related = json_array();
    add_related(sarif, related, &diag->labels);
    add_related(sarif, related, &diag->notes);
    json_set(result, "relatedLocations", related);
    if (diag->edits.count > 0) {
        json_set(result, "fixes", json_fixes(sarif, diag));
    }
    return result;
}

void sarif_add(SarifLog *log, const Context *context) {
    Sarif sarif = {.log = log, .sources = context->sources};
    const Diag **ordered = diags_ordered(context->diags);
    for (size_t i = 0; i < context->diags->all.count; i++) {
        json_add(log->results, json_result(&sarif, ordered[i]));
    }
    free(ordered);
}

void sarif_finish(SarifLog *log, Buffer *out) {
    json_t *driver = json_object();
    json_set(driver, "name", json_string("tmlc"));
    json_set(driver, "version", json_string(TMLC_VERSION));
    json_set(driver, "semanticVersion", json_string(TMLC_VERSION));
    json_set(driver, "rules", log->rules);
    json_t *tool = json_object();
    json_set(tool, "driver", driver);
    json_t *run = json_object();
    json_set(run, "tool", tool);
    json_set(run, "columnKind", json_string("unicodeCodePoints"));
    json_set(run, "results", log->results);
    json_t *runs = json_array();
    json_add(runs, run);
    json_t *root = json_object();
    json_set(root, "$schema", json_string("https://json.schemastore.org/sarif-2.1.0.json"));
    json_set(root, "version", json_string("2.1.0"));
    json_set(root, "runs", runs);
    json_finish(root, out);
}
