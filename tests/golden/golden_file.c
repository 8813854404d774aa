// Reading and rewriting golden files.
#include "tests/golden/golden_file.h"

#include "support/file.h"

#include <stdlib.h>
#include <string.h>

typedef enum SectionForm { FORM_LINE, FORM_LINES, FORM_BODY } SectionForm;

typedef struct SectionRow {
    const char *text;
    SectionForm form;
    bool is_made;
} SectionRow;

static const SectionRow section_rows[SECTION_COUNT] = {
#define SECTION(NAME, text, FORM, is_made) {text, FORM_##FORM, is_made},
#include "tests/golden/sections.def"
};

const char *section_text(Section section) {
    return section_rows[section].text;
}

bool section_is_made(Section section) {
    return section_rows[section].is_made;
}

// The section that a line like `#! exit 101` opens; *rest is what follows its name.
static bool find_section(const char *line, size_t len, Section *found, const char **rest) {
    const char *name = line + strlen("#! ");
    for (int i = 0; i < SECTION_COUNT; i++) {
        size_t name_len = strlen(section_rows[i].text);
        const char *end = name + name_len;
        if (end <= line + len && memcmp(name, section_rows[i].text, name_len) == 0 &&
            (end == line + len || *end == ' ')) {
            *found = (Section)i;
            *rest = end < line + len ? end + 1 : end;
            return true;
        }
    }
    return false;
}

// Opens a section: *section is what the lines below belong to.
static bool open_section(GoldenFile *file, Arena *arena, const char *line, size_t len,
                         Section *section) {
    const char *rest = NULL;
    if (!find_section(line, len, section, &rest)) {
        return false;
    }
    const char *before = file->sections[*section];
    int rest_len = (int)(line + len - rest);
    switch (section_rows[*section].form) {
    case FORM_LINES:
        file->sections[*section] =
            arena_format(arena, "%s%.*s\n", before ? before : "", rest_len, rest);
        break;
    case FORM_LINE:
    case FORM_BODY:
        if (before) {
            return false;
        }
        file->sections[*section] = arena_copy_text(arena, rest, (size_t)rest_len);
        break;
    }
    if (!before) {
        file->order[file->order_count++] = *section;
    }
    return true;
}

// Reads the sections from `at` on. False with *error on a line that is none of theirs.
static bool read_sections(GoldenFile *file, Arena *arena, const char *at, const char **error) {
    const char *end = file->text + file->len;
    Section section = SECTION_COUNT;
    while (at < end) {
        size_t len = strcspn(at, "\n");
        bool opens = len >= 3 && memcmp(at, "#! ", 3) == 0;
        bool continues = !opens && len > 0 && section_rows[section].form == FORM_BODY &&
                         at[0] == '#' && (len == 1 || at[1] == ' ');
        if (continues) {
            size_t mark = len == 1 ? 1 : 2;
            file->sections[section] = arena_format(arena, "%s%.*s\n", file->sections[section],
                                                   (int)(len - mark), at + mark);
        } else if (len > 0 && !(opens && open_section(file, arena, at, len, &section))) {
            *error =
                arena_format(arena, "unknown, repeated or misplaced line: `%.*s`", (int)len, at);
            return false;
        }
        at += len + (at + len < end);
    }
    return true;
}

// The first line that begins with `#! `, or NULL. The program before it may hold any bytes.
static const char *find_first_section(const char *text, size_t len) {
    const char *end = text + len;
    for (const char *line = text; line < end; line++) {
        if (strncmp(line, "#! ", 3) == 0) {
            return line;
        }
        line = memchr(line, '\n', (size_t)(end - line));
        if (!line) {
            break;
        }
    }
    return NULL;
}

bool golden_read(GoldenFile *file, Arena *arena, const char *path, const char **error) {
    *file = (GoldenFile){.path = path};
    char *text = NULL;
    size_t len = 0;
    if (!file_read(path, &text, &len, error)) {
        return false;
    }
    file->text = arena_copy_text(arena, text, len);
    file->len = len;
    free(text);
    const char *mark = find_first_section(file->text, len);
    if (!mark) {
        *error = "no section says what is expected";
        return false;
    }
    file->program_len = (size_t)(mark - file->text);
    return read_sections(file, arena, mark, error);
}

bool golden_write(const GoldenFile *file, const char **error) {
    Buffer out = {0};
    buffer_append(&out, file->text, file->program_len);
    for (size_t i = 0; i < file->order_count; i++) {
        Section section = file->order[i];
        const SectionRow *row = &section_rows[section];
        if (row->form == FORM_BODY) {
            buffer_format(&out, "#! %s\n", row->text);
        }
        for (const char *line = file->sections[section]; *line;) {
            int len = (int)strcspn(line, "\n");
            if (row->form == FORM_BODY) {
                buffer_format(&out, "#%s%.*s\n", len > 0 ? " " : "", len, line);
            } else {
                buffer_format(&out, "#! %s %.*s\n", row->text, len, line);
            }
            line += len + (line[len] == '\n');
        }
    }
    bool written = file_write(file->path, out.data, out.len, error);
    buffer_free(&out);
    return written;
}
