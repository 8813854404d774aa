#include "support/path.h"

#include <stdbool.h>
#include <string.h>

size_t path_folder(const char *path) {
    return (size_t)(path_base(path) - path);
}

const char *path_base(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

const char *path_suffix(const char *path) {
    const char *base = path_base(path);
    const char *dot = strrchr(base, '.');
    return dot == NULL || dot == base ? base + strlen(base) : dot;
}

const char *path_normal(Arena *arena, const char *path) {
    char *out = arena_copy_text(arena, path, strlen(path));
    size_t len = path[0] == '/' ? 1 : 0;
    size_t root = len;
    for (const char *at = path + len; *at != '\0';) {
        size_t part = strcspn(at, "/");
        size_t next = part + (at[part] == '/' ? 1 : 0);
        bool stays = part == 0 || (part == 1 && at[0] == '.');
        bool up = part == 2 && memcmp(at, "..", 2) == 0;
        bool above = len == root || (len >= 3 && memcmp(out + len - 3, "../", 3) == 0);
        if (up && !above) {
            for (len--; len > root && out[len - 1] != '/';) {
                len--;
            }
        } else if (!stays) {
            memmove(out + len, at, next);
            len += next;
        }
        at += next;
    }
    out[len] = '\0';
    return len == 0 && path[0] != '\0' ? "." : out;
}

const char *path_from(Arena *arena, const char *from, Slice path) {
    bool is_absolute = path.len > 0 && path.data[0] == '/';
    int folder = is_absolute ? 0 : (int)path_folder(from);
    return path_normal(arena,
                       arena_format(arena, "%.*s%.*s", folder, from, (int)path.len, path.data));
}
