// What indices select from a shape (L7).
#include "shape_text.h"

#include <criterion/criterion.h>

TestSuite(shape_index, .init = shape_set_up, .fini = shape_tear_down);

static ShapeIndex at(int64_t position) {
    return (ShapeIndex){.is_constant = true, .start = position};
}

static ShapeIndex from(int64_t first) {
    return (ShapeIndex){.is_range = true, .has_first = true, .start = first};
}

static ShapeIndex until(int64_t last) {
    return (ShapeIndex){.is_range = true, .has_last = true, .last = last};
}

static ShapeIndex by(int64_t step) {
    return (ShapeIndex){.is_range = true, .has_step = true, .step = step};
}

static ShapeIndex from_by(int64_t first, int64_t step) {
    ShapeIndex index = from(first);
    index.has_step = true;
    index.step = step;
    return index;
}

static ShapeIndex until_by(int64_t last, int64_t step) {
    ShapeIndex index = until(last);
    index.has_step = true;
    index.step = step;
    return index;
}

static ShapeIndex all(void) {
    return (ShapeIndex){.is_range = true};
}

static ShapeIndex range(int64_t first, int64_t last, int64_t step) {
    ShapeIndex index = {.is_range = true, .has_first = true, .has_last = true, .has_step = true};
    index.start = first;
    index.last = last;
    index.step = step;
    return index;
}

// One index on a type, and what it is afterwards: where it starts, its step and how many it
// selects.
typedef struct IndexCase {
    const char *type;
    ShapeIndex index;
    const char *expected;
    int64_t start, step;
    uint32_t len;
} IndexCase;

static void check_indices(bool as_place, const IndexCase *cases, size_t count) {
    for (size_t k = 0; k < count; k++) {
        const IndexCase *c = &cases[k];
        ShapeIndex index = c->index;
        ShapeFit fit = shape_index(shape_types, shape_read(c->type), &index, 1, as_place);
        const char *with = as_place ? "as place" : "as value";
        shape_expect(fit, c->expected, c->type, with);
        if (fit.why == SHAPE_OK) {
            cr_expect(index.start == c->start && index.step == c->step && index.len == c->len,
                      "%s, %s, case %zu: %lld by %lld, %u", c->type, with, k,
                      (long long)index.start, (long long)index.step, index.len);
        }
    }
}

#define CHECK_INDICES(as_place, cases) check_indices(as_place, cases, COUNT_OF(cases))

Test(shape_index, positions) {
    const IndexCase cases[] = {
        {"i 3", at(0), "i", 0, 0, 0},
        {"i 3", at(2), "i", 2, 0, 0},
        {"i 3 / 4", at(2), "i 4", 2, 0, 0},
        {"i 3", at(3), "bounds at 0.0: 3 0 index 3", 0, 0, 0},
        {"i 3", at(-1), "bounds at 0.0: 3 0 index -1", 0, 0, 0},
        // One that is known only when the program runs; its start means nothing.
        {"i 3", {.start = 7}, "i", 7, 0, 0},
        // Along a dim of length 1 any index reaches the one element.
        {"i 1", at(7), "i", 0, 0, 0},
        {"i 1", at(-7), "i", 0, 0, 0},
        {"i 1", {.start = 7}, "i", 0, 0, 0},
    };
    CHECK_INDICES(false, cases);
    CHECK_INDICES(true, cases);
}

Test(shape_index, a_position_along_length_one_is_known) {
    ShapeIndex index = {0};
    shape_index(shape_types, shape_read("i 1"), &index, 1, false);
    cr_expect(index.is_constant);
    shape_index(shape_types, shape_read("i 2"), &index, 1, false);
    ShapeIndex unknown = {0};
    shape_index(shape_types, shape_read("i 2"), &unknown, 1, false);
    cr_expect_not(unknown.is_constant);
}

Test(shape_index, ranges) {
    const IndexCase cases[] = {
        {"i 5", range(0, 5, 1), "i 5", 0, 1, 5},
        {"i 5", range(1, 4, 1), "i 3", 1, 1, 3},
        {"i 5", range(4, 5, 1), "i 1", 4, 1, 1},
        {"i 5", range(0, 5, 2), "i 3", 0, 2, 3},
        {"i 5", range(0, 4, 2), "i 2", 0, 2, 2},
        {"i 5", range(0, 6, 4), "i 2", 0, 4, 2},
        {"i 5", range(1, 3, 7), "i 1", 1, 7, 1},
        {"i 5", range(4, -1, -1), "i 5", 4, -1, 5},
        {"i 5", range(4, 0, -2), "i 2", 4, -2, 2},
        {"i 5", range(3, 2, -1), "i 1", 3, -1, 1},
        {"i 5", range(0, -1, -1), "i 1", 0, -1, 1},
        {"i 5 / 3", range(1, 3, 1), "i 2 / 3", 1, 1, 2},
        {"i 2", range(0, 2, 1), "i 2", 0, 1, 2},
        {"i 5", range(2, 2, 1), "empty at 0.0: 5 0", 0, 0, 0},
        {"i 5", range(2, 2, -1), "empty at 0.0: 5 0", 0, 0, 0},
        {"i 5", range(3, 1, 1), "empty at 0.0: 5 0", 0, 0, 0},
        {"i 5", range(1, 3, -1), "empty at 0.0: 5 0", 0, 0, 0},
        {"i 5", range(0, 6, 1), "bounds at 0.0: 5 0 index 5", 0, 0, 0},
        {"i 5", range(0, 9, 1), "bounds at 0.0: 5 0 index 8", 0, 0, 0},
        {"i 5", range(-1, 3, 1), "bounds at 0.0: 5 0 index -1", 0, 0, 0},
        {"i 5", range(-2, 9, 1), "bounds at 0.0: 5 0 index -2", 0, 0, 0},
        {"i 5", range(5, 0, -1), "bounds at 0.0: 5 0 index 5", 0, 0, 0},
        {"i 5", range(4, -2, -1), "bounds at 0.0: 5 0 index -1", 0, 0, 0},
        {"i 5", range(0, 7, 5), "bounds at 0.0: 5 0 index 5", 0, 0, 0},
        {"i 5", range(0, 9, 3), "bounds at 0.0: 5 0 index 6", 0, 0, 0},
        {"i 5", all(), "i 5", 0, 1, 5},
        {"i 5", from(3), "i 2", 3, 1, 2},
        {"i 5", until(3), "i 3", 0, 1, 3},
        {"i 5", by(2), "i 3", 0, 2, 3},
        {"i 5", by(-1), "i 5", 4, -1, 5},
        {"i 5", by(-2), "i 3", 4, -2, 3},
        {"i 5", from_by(1, 3), "i 2", 1, 3, 2},
        {"i 5", from_by(3, -2), "i 2", 3, -2, 2},
        {"i 5", until_by(3, 2), "i 2", 0, 2, 2},
        {"i 5", until_by(1, -1), "i 3", 4, -1, 3},
        {"i 5", until_by(4, -1), "empty at 0.0: 5 0", 0, 0, 0},
        {"i 5", from_by(5, -1), "bounds at 0.0: 5 0 index 5", 0, 0, 0},
        {"i 5", from(5), "empty at 0.0: 5 0", 0, 0, 0},
    };
    CHECK_INDICES(false, cases);
    CHECK_INDICES(true, cases);
}

Test(shape_index, ranges_along_length_one) {
    const IndexCase values[] = {
        {"i 1", range(0, 4, 1), "i 4", 0, 0, 4},
        {"i 1", range(2, 9, 3), "i 3", 0, 0, 3},
        {"i 1", until(4), "i 4", 0, 0, 4},
        {"i 1", until_by(4, 3), "i 2", 0, 0, 2},
        {"i 1", from_by(3, -1), "i 4", 0, 0, 4},
        {"i 1", until_by(-3, -1), "bounds at 0.0: 1 0 index -2", 0, 0, 0},
        {"i 1", from_by(0, 2), "i 1", 0, 2, 1},
        {"i 1", range(0, 2147483647, 1), "i 2147483647", 0, 0, 2147483647},
        {"i 1", range(-1, 2147483647, 1), "too large at 0.0: 0 0", 0, 0, 0},
        {"i 1", range(-2, 4294967296, 1), "too large at 0.0: 0 0", 0, 0, 0}, // 2^32 + 2 of them
        {"i 1", range(3, 3, 1), "empty at 0.0: 1 0", 0, 0, 0},
        // Without an end it is bounded by the dim, as everywhere.
        {"i 1", all(), "i 1", 0, 1, 1},
        {"i 1", from(0), "i 1", 0, 1, 1},
        {"i 1", from(-2), "bounds at 0.0: 1 0 index -2", 0, 0, 0},
    };
    CHECK_INDICES(false, values);
    const IndexCase places[] = {
        {"i 1", range(0, 4, 1), "i 1", 0, 0, 1},
        {"i 1", range(-1, 2147483647, 1), "i 1", 0, 0, 1},
        {"i 1", all(), "i 1", 0, 1, 1},
    };
    CHECK_INDICES(true, places);
}

Test(shape_index, several) {
    ShapeIndex indices[3] = {at(0), all(), from(9)};
    shape_expect(shape_index(shape_types, shape_read("i 2,3"), indices, 2, false), "i 3", "2,3",
                 "0, :");
    shape_expect(shape_index(shape_types, shape_read("i 2,3"), indices, 1, false),
                 "count at 0.0: 1 2", "2,3", "0");
    shape_expect(shape_index(shape_types, shape_read("i 2,3"), indices, 3, false),
                 "count at 0.0: 3 2", "2,3", "0, :, 9:");
    shape_expect(shape_index(shape_types, shape_read("i 2,3,4"), indices, 3, false),
                 "empty at 0.2: 4 0", "2,3,4", "0, :, 9:");
    indices[1] = at(3);
    shape_expect(shape_index(shape_types, shape_read("i 2,3,4"), indices, 3, false),
                 "bounds at 0.1: 3 0 index 3", "2,3,4", "0, 3, 9:");
    ShapeIndex ranges[2] = {range(0, 65536, 1), range(0, 65536, 1)};
    shape_expect(shape_index(shape_types, shape_read("i 1,1"), ranges, 2, false),
                 "too large at 0.0: 0 0", "1,1", "two long ranges");
}
