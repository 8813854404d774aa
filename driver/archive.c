// Static libraries: an archive with one object. It is written here: `ar` names members after their
// files, and the object's file has a temporary name.
#include "driver/command.h"
#include "driver/link.h"
#include "support/file.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

static const char magic[] = "!<arch>\n";
enum { MAGIC_BYTES = sizeof(magic) - 1, HEADER_BYTES = 60, SIZE_AT = 48, END_AT = 58 };

// The header of a member: name, date, owner, group, mode, size. GNU's names end in a slash, and
// numbers are padded with blanks.
static void print_member(Buffer *out, const char *name, const char *data, size_t len) {
    buffer_format(out, "%-16s%-12d%-6d%-6d%-8s%-10zu`\n", name, 0, 0, 0, "644", len);
    buffer_append(out, data, len);
    buffer_repeat(out, '\n', len % 2);
}

void archive_print(const char *member, const Buffer *object, Buffer *out) {
    enum { SHORT_NAME = 15 };
    buffer_text(out, magic);
    Buffer name = {0};
    buffer_format(&name, "%s/", member);
    if (strlen(member) > SHORT_NAME) { // it stands in a table, and its position in the header
        buffer_text(&name, "\n");
        print_member(out, "//", name.data, name.len);
        name.len = 0;
        buffer_text(&name, "/0");
    }
    print_member(out, name.data, object->data, object->len);
    buffer_free(&name);
}

// Where the member after the one at `at` begins, or 0 when that does not lie within the file.
// *bytes are the member's own.
static size_t next_member(const char *data, size_t len, size_t at, size_t *bytes) {
    if (len - at < HEADER_BYTES || memcmp(data + at + END_AT, "`\n", 2) != 0) {
        return 0;
    }
    *bytes = strtoul(data + at + SIZE_AT, NULL, 10);
    size_t left = len - at - HEADER_BYTES;
    return *bytes > left || *bytes % 2 > left - *bytes ? 0 : len - left + *bytes + *bytes % 2;
}

// Archivers make an index of the objects that they understand.
static const char *find_fault(const char *data, size_t len, const Buffer *object) {
    static const char incomplete[] = "the archiver left an incomplete file";
    bool is_indexed = len > MAGIC_BYTES + 1 && memcmp(data + MAGIC_BYTES, "/ ", 2) == 0;
    if (len <= MAGIC_BYTES || memcmp(data, magic, MAGIC_BYTES) != 0) {
        return incomplete;
    }
    size_t last = 0, bytes = 0;
    for (size_t at = MAGIC_BYTES; at < len;) {
        last = at;
        at = next_member(data, len, at, &bytes);
        if (at == 0) {
            return incomplete;
        }
    }
    if (bytes != object->len || memcmp(data + last + HEADER_BYTES, object->data, bytes) != 0) {
        return incomplete;
    }
    bool needs_index = memcmp(object->data, ELFMAG, SELFMAG) == 0;
    return needs_index && !is_indexed ? "the archiver made no index" : NULL;
}

bool archive_finish(Arena *arena, const char *path, const Buffer *object, bool verbose,
                    const char **error) {
    SystemCommand command = command_create(arena, "archiver", "TMLC_AR", "ar");
    command_add(arena, &command, "sD");
    command_add(arena, &command, path);
    char *data;
    size_t len;
    if (!command_run(arena, &command, verbose, error) || !file_read(path, &data, &len, error)) {
        return false;
    }
    *error = find_fault(data, len, object);
    free(data);
    return *error == NULL;
}
