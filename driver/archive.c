// See archive.h. The archive itself is written here: `ar` names members after their files, and
// the object's file has a temporary name.
#include "driver/archive.h"

#include "driver/command.h"

#include <string.h>

// The header of a member: name, date, owner, group, mode, size. GNU's names end in a slash, and
// numbers are padded with blanks.
static void print_member(Buffer *out, const char *name, const char *data, size_t len) {
    buffer_format(out, "%-16s%-12d%-6d%-6d%-8s%-10zu`\n", name, 0, 0, 0, "644", len);
    buffer_append(out, data, len);
    buffer_repeat(out, '\n', len % 2);
}

void archive_print(const char *member, const Buffer *object, Buffer *out) {
    enum { SHORT_NAME = 15 };
    buffer_text(out, "!<arch>\n");
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

bool archive_index(Arena *arena, const char *path, bool verbose, const char **error) {
    SystemCommand command = command_create(arena, "archiver", "TMLC_AR", "ar");
    command_add(arena, &command, "sD");
    command_add(arena, &command, path);
    return command_run(arena, &command, verbose, error);
}
