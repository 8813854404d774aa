// `:plot`: what becomes a curve. chart.h draws them.
#include "driver/repl/chart.h"
#include "driver/repl/command.h"
#include "support/path.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char *text_of(Slice text, Arena *arena) {
    return arena_copy_text(arena, text.data, text.len);
}

typedef struct Curves {
    Arena *arena;
    LIST_OF(Curve) list;
} Curves;

enum { CURVE_MOST = 16 };

// Rows of `length` values, the last dim, each a curve.
static void add_rows(Curves *curves, const char *title, const double *values, uint64_t length,
                     uint64_t rows) {
    for (uint64_t k = 0; k < rows && curves->list.count < CURVE_MOST; k++) {
        const char *name =
            rows == 1 ? title
                      : arena_format(curves->arena, "%s[%llu]", title, (unsigned long long)k);
        Curve curve = {name, values + k * length, length, 1};
        LIST_PUSH(curves->arena, &curves->list, curve);
    }
}

static bool add_history(Repl *repl, Curves *curves, Slice name) {
    uint32_t width = 0;
    uint64_t count = 0;
    double *values =
        repl->stepper == NULL ? NULL : stepper_history(repl->stepper, name, &width, &count);
    if (values == NULL) {
        return false;
    }
    double *kept = ARENA_ARRAY(curves->arena, double, (size_t)count *width + 1);
    memcpy(kept, values, (size_t)count * width * sizeof(*kept));
    free(values);
    const char *title = text_of(name, curves->arena);
    for (uint32_t k = 0; k < width && curves->list.count < CURVE_MOST; k++) {
        const char *element =
            width == 1 ? title : arena_format(curves->arena, "%s[%u]", title, (unsigned)k);
        Curve curve = {element, kept + k, count, width};
        LIST_PUSH(curves->arena, &curves->list, curve);
    }
    return true;
}

static bool add_value(Repl *repl, Curves *curves, Slice expression) {
    SessionValue value;
    Arena *arena = arena_create();
    bool good = session_type(repl->session, expression, &value, &repl->reply);
    if (good) {
        const Type *type = value.type;
        uint32_t length = type->rank == 0 ? 1 : type->dims[type->rank - 1];
        const char *real = arena_format(arena, "tensor<real, %u>", (unsigned)type->numel);
        const char *title = text_of(expression, curves->arena);
        const char *flat =
            type->rank == 0 ? arena_format(arena, "[real(%s)]", title)
                            : arena_format(arena, "reshape(%s, %u)", title, (unsigned)type->numel);
        uint32_t numel = type->numel;
        session_drop_value(&value);
        good = session_value(repl->session, real, "values", (Slice){flat, strlen(flat)}, &value,
                             &repl->reply);
        if (good) {
            double *values = ARENA_ARRAY(curves->arena, double, numel);
            for (uint32_t i = 0; i < numel; i++) {
                values[i] = value.scalars[i].real;
            }
            add_rows(curves, title, values, length, numel / length);
            session_drop_value(&value);
        }
    }
    arena_destroy(arena);
    return good;
}

static bool draw(Repl *repl, const Curves *curves, const char *path) {
    struct winsize window = {0};
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 20;
    const char *error = NULL;
    return chart_draw(curves->arena, curves->list.items, (uint32_t)curves->list.count, path,
                      known ? window.ws_col - 1U : 79, known && window.ws_row > 30 ? 30 : 24,
                      &error) ||
           repl_fail(repl, "%s", error);
}

bool repl_plot(Repl *repl, Slice text) {
    Curves curves = {.arena = arena_create()};
    const char *path = NULL;
    bool good = true;
    while (good && (text = slice_trim(text)).len > 0) {
        if (text.data[0] == '>') {
            path = text_of(slice_trim((Slice){text.data + 1, text.len - 1}), curves.arena);
            break;
        }
        size_t len = 0;
        while (len < text.len && !isspace((unsigned char)text.data[len])) {
            len++;
        }
        Slice word = {text.data, len};
        good = add_history(repl, &curves, word) || add_value(repl, &curves, word);
        text = (Slice){text.data + len, text.len - len};
    }
    if (good && (curves.list.count == 0 || curves.list.items[0].count == 0)) {
        good = repl_fail(repl,
                         curves.list.count == 0 ? "`:plot` takes names" : "there are no steps yet");
    }
    if (good && path != NULL && strcmp(path_suffix(path), ".svg") != 0 &&
        strcmp(path_suffix(path), ".png") != 0) {
        good = repl_fail(repl, "a picture ends in .svg or .png, not `%s`", path);
    }
    good = good && draw(repl, &curves, path);
    arena_destroy(curves.arena);
    return good;
}
