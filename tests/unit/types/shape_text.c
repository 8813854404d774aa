#include "shape_text.h"

#include "support/bug.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

TypeTable *shape_types;

static Arena *arena;
static const char roots[] = "buir"; // in the order of Root

void shape_set_up(void) {
    arena = arena_create();
    shape_types = types_create(arena);
}

void shape_tear_down(void) {
    arena_destroy(arena);
}

// Reads the levels from the outermost on.
static const Type *read_levels(const char *text, Root root) {
    text += strspn(text, " /");
    if (*text == '\0') {
        return type_scalar(shape_types, root);
    }
    uint32_t dims[TYPE_RANK_LIMIT];
    size_t rank = 0;
    char *end = NULL;
    for (;; text = end + 1) {
        dims[rank++] = (uint32_t)strtoul(text, &end, 10);
        if (*end != ',') {
            break;
        }
    }
    return type_tensor(shape_types, read_levels(end, root), rank, dims);
}

const Type *shape_read(const char *text) {
    return read_levels(text + 1, (Root)(strchr(roots, text[0]) - roots));
}

static const char *type_as_read(const Type *type) {
    const char *text = arena_format(arena, "%c", roots[type->root]);
    for (unsigned level = 0; type_is_tensor(type); level++, type = type->base) {
        text = arena_format(arena, "%s%s", text, level == 0 ? " " : " / ");
        for (unsigned d = 0; d < type->rank; d++) {
            text = arena_format(arena, "%s%s%u", text, d == 0 ? "" : ",", type->dims[d]);
        }
    }
    return text;
}

static const char *why_text(ShapeWhy why) {
    switch (why) {
    case SHAPE_OK: return "ok";
    case SHAPE_LENGTHS: return "lengths";
    case SHAPE_RANKS: return "ranks";
    case SHAPE_DEPTHS: return "depths";
    case SHAPE_ROOTS: return "roots";
    case SHAPE_OPERAND: return "operand";
    case SHAPE_TOO_LARGE: return "too large";
    case SHAPE_BOUNDS: return "bounds";
    case SHAPE_EMPTY: return "empty";
    case SHAPE_COUNT: return "count";
    }
    UNREACHABLE();
}

static const char *fit_text(ShapeFit fit) {
    if (fit.type != NULL) {
        return fit.why == SHAPE_OK ? type_as_read(fit.type) : "a type, and why there is none";
    }
    const char *text = arena_format(arena, "%s at %u.%u: %u %u", why_text(fit.why), fit.level,
                                    fit.dim, fit.left, fit.right);
    return fit.index == 0 ? text : arena_format(arena, "%s index %lld", text, (long long)fit.index);
}

void shape_expect(ShapeFit fit, const char *expected, const char *what, const char *with) {
    cr_expect_str_eq(fit_text(fit), expected, "%s, %s: %s, expected %s", what, with, fit_text(fit),
                     expected);
}

void shape_expect_type(const Type *type, const char *expected, const char *what) {
    shape_expect((ShapeFit){.type = type}, expected, what, "");
}
