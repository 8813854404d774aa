// Text files with one value. A literal is read whole, then as `--set` reads it, so that its shape
// is held against the type's.
#include "runtime/abi/type.h"
#include "runtime/file/formats.h"
#include "runtime/run/report.h"
#include "runtime/text/value_text.h"

#include <ctype.h>
#include <stdlib.h>

// Behind white space and comments, of what has been read so far. NULL when there is nothing else.
static const char *first_character(const TextReader *text) {
    const char *c = text->next;
    while (c < text->end && (isspace((unsigned char)*c) || *c == '#')) {
        const char *line = *c == '#' ? memchr(c, '\n', (size_t)(text->end - c)) : c;
        c = line ? line + 1 : text->end;
    }
    return c < text->end ? c : NULL;
}

static bool begins_with_bracket(TextReader *text) {
    const char *first = first_character(text);
    while (!first && text->end - text->next < TML_READER_BYTES && tml_reader_refill(text)) {
        first = first_character(text);
    }
    return first && *first == '[';
}

// All that is left of the text, NUL-terminated and from malloc. NULL after saying what is wrong.
static char *read_all(TextReader *text) {
    size_t used = 0, capacity = TML_READER_BYTES + 1;
    char *all = malloc(capacity);
    while (all && (text->next < text->end || tml_reader_refill(text))) {
        size_t count = (size_t)(text->end - text->next);
        char *grown = capacity - used > count ? all : realloc(all, capacity *= 2);
        if (!grown) {
            free(all);
            all = NULL;
            break;
        }
        all = grown;
        memcpy(all + used, text->next, count);
        used += count;
        text->next = text->end;
    }
    if (!all) {
        tml_report_file(text->name, "cannot get memory");
        return NULL;
    }
    all[used] = '\0';
    if (strlen(all) < used) {
        tml_reader_fail(text, (Position){1, 1}, "a literal has no NUL bytes");
    }
    return all;
}

static Position position_in(const char *text, size_t at) {
    Position position = {1, 1};
    for (size_t i = 0; i < at && text[i] != '\0'; i++) {
        bool is_line = text[i] == '\n';
        bool is_within = ((unsigned char)text[i] & 0xC0) == 0x80; // a UTF-8 character
        position.line += is_line;
        position.column = is_line ? 1 : position.column + !is_within;
    }
    return position;
}

static bool read_literal(TextReader *text, const tml_type *type, void *data) {
    char *all = read_all(text);
    Value value = {0};
    if (all && !text->failed && text->error == 0) {
        if (!tml_value_read(&value, all, type->real_bytes)) {
            tml_reader_fail(text, position_in(all, value.wrong_at), "%s", value.wrong);
        } else if (!tml_value_assign(&value, type, data)) {
            char to[TML_TYPE_TEXT_BYTES], from[TML_TYPE_TEXT_BYTES];
            size_t start = strspn(all, " \t\r\n");
            tml_reader_fail(text, position_in(all, start), "the input is %s, the value is %s",
                            tml_type_text(to, type), tml_type_text(from, &value.type));
        }
    }
    tml_value_free(&value);
    free(all);
    return all && !tml_reader_report_failure(text);
}

bool tml_text_file_read(int fd, const char *path, const tml_type *type, void *data) {
    CsvText *csv = malloc(sizeof *csv);
    if (!csv) {
        return tml_report_file(path, "cannot get memory");
    }
    tml_csv_text_init(csv, fd, path);
    bool is_literal = tml_path_is_tml(path) ||
                      (!tml_path_ends_in(path, ".csv") && begins_with_bracket(&csv->text));
    bool done = is_literal ? read_literal(&csv->text, type, data) : tml_csv_read(csv, type, data);
    free(csv);
    return done;
}
