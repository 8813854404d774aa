// Rules on one shape: other forms of the same scalars, reductions, placement along other dims.
#include "shape_text.h"

#include <criterion/criterion.h>

TestSuite(shape_forms, .init = shape_set_up, .fini = shape_tear_down);

typedef struct FormCase {
    const char *type;
    const char *expected;
} FormCase;

typedef ShapeFit FormRule(TypeTable *types, const Type *type);

static void check_forms(FormRule *rule, const FormCase *cases, size_t count) {
    for (size_t k = 0; k < count; k++) {
        ShapeFit fit = rule(shape_types, shape_read(cases[k].type));
        shape_expect(fit, cases[k].expected, cases[k].type, "");
    }
}

#define CHECK_FORMS(rule, cases) check_forms(rule, cases, COUNT_OF(cases))

Test(shape_forms, transpose) {
    const FormCase cases[] = {
        {"i 2,3 / 4", "i 3,2 / 4"},
        {"i 3", "operand at 0.0: 0 0"},
        {"i 2,3,4", "operand at 0.0: 0 0"},
        {"i", "operand at 0.0: 0 0"},
    };
    CHECK_FORMS(shape_transpose, cases);
}

Test(shape_forms, unnest) {
    const FormCase cases[] = {
        {"i 2 / 3,4 / 5", "i 2,3,4 / 5"},
        {"i 2 / 3", "i 2,3"},
        {"i 2", "operand at 0.0: 0 0"},
        {"i", "operand at 0.0: 0 0"},
    };
    CHECK_FORMS(shape_unnest, cases);
}

Test(shape_forms, narrow) {
    const FormCase cases[] = {
        {"i 1,3,1", "i 3"}, {"i 2,1,3", "i 2,3"},   {"i 1,1", "i"},
        {"i 1 / 1", "i 1"}, {"i 2 / 1", "i 2 / 1"}, {"i", "i"},
    };
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        shape_expect_type(shape_narrow(shape_types, shape_read(cases[k].type)), cases[k].expected,
                          cases[k].type);
    }
}

Test(shape_forms, elements) {
    const FormCase cases[] = {
        {"i 2,3", "i 6"},
        {"i 2,3,4 / 5", "i 24 / 5"},
        {"i 7", "i 7"},
    };
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        shape_expect_type(shape_elements(shape_types, shape_read(cases[k].type)), cases[k].expected,
                          cases[k].type);
    }
}

Test(shape_forms, with_dims) {
    const uint32_t dims[] = {5, 6};
    const Type *type = shape_read("i 2 / 3");
    shape_expect_type(shape_with_dims(shape_types, type, 2, dims), "i 5,6 / 3", "two");
    shape_expect_type(shape_with_dims(shape_types, type, 1, dims), "i 5 / 3", "one");
    shape_expect_type(shape_with_dims(shape_types, type, 0, dims), "i 3", "none");
}

Test(shape_forms, with_base) {
    const Type *pair = shape_read("r 2");
    shape_expect_type(shape_with_base(shape_types, shape_read("i"), pair), "r 2", "scalar");
    shape_expect_type(shape_with_base(shape_types, shape_read("i 3 / 4,5"), pair), "r 3 / 4,5 / 2",
                      "levels");
}

Test(shape_forms, with_levels) {
    const Type *deepest = shape_read("i 7,8 / 4,5,6 / 2");
    shape_expect_type(shape_with_levels(shape_types, shape_read("r 3"), deepest),
                      "r 1,1 / 1,1,1 / 3", "two more");
    shape_expect_type(shape_with_levels(shape_types, shape_read("r 2,2 / 2 / 3"), deepest),
                      "r 2,2 / 2 / 3", "none");
}

Test(shape_forms, pairs) {
    cr_expect(shape_has_pairs(shape_read("r 2")));
    cr_expect(shape_has_pairs(shape_read("r 5 / 3 / 2")));
    cr_expect_not(shape_has_pairs(shape_read("r")));
    cr_expect_not(shape_has_pairs(shape_read("r 2 / 3")));
    cr_expect_not(shape_has_pairs(shape_read("r 3 / 2,2")));
}

// Reductions.

Test(shape_forms, reductions) {
    const struct {
        bool above;
        FormCase form;
        uint32_t axis, count;
    } cases[] = {
        {false, {"i 2,3", "i"}, 0, 2},
        {false, {"i 2 / 3,4", "i 2"}, 1, 2},
        {false, {"i 2,3 / 4,5,6 / 7", "i 2,3 / 4,5,6"}, 5, 1},
        {false, {"r", "r"}, 0, 0},
        {true, {"i 2 / 3", "i 3"}, 0, 1},
        {true, {"i 5 / 2,7 / 3", "i 5 / 3"}, 1, 2},
        {true, {"i 5,6 / 2,7 / 3,4 / 8", "i 5,6 / 2,7 / 8"}, 4, 2},
        {true, {"i 4", "i"}, 0, 1},
        {true, {"i", "i"}, 0, 0},
    };
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        uint32_t axis = 99;
        uint32_t count = 99;
        const char *type = cases[k].form.type;
        shape_expect_type(
            shape_reduce(shape_types, shape_read(type), cases[k].above, &axis, &count),
            cases[k].form.expected, type);
        cr_expect_eq(axis, cases[k].axis, "%s: axis %u", type, axis);
        cr_expect_eq(count, cases[k].count, "%s: %u axes", type, count);
    }
}

// Placement.

Test(shape_forms, axes_align_level_by_level) {
    const struct {
        const char *source;
        const char *target;
        int32_t axes[4];
        size_t count;
    } cases[] = {
        {"i", "i 2", {0}, 0},
        {"i 3", "i 3", {0}, 1},
        {"i 3", "i 2,3", {1}, 1},
        {"i 2,1", "i 2,3", {0, -1}, 2},
        {"i 1,3", "i 5,2,3", {-1, 2}, 2},
        {"i 2,1", "i 1,2,3", {1, -1}, 2},
        {"i 1,2", "i 5,1,2", {1, 2}, 2},
        {"i 1", "i 1", {0}, 1},
        {"i 2 / 3", "i 5,2 / 4,3", {1, 3}, 2},
        {"i 2 / 1,3 / 4", "i 5,2 / 4,3 / 6,4", {1, -1, 3, 5}, 4},
        {"i 2", "i 2 / 3", {0}, 1},
        {"i 2", "i 2 / 3 / 4", {0}, 1},
    };
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        int32_t axes[4] = {99, 99, 99, 99};
        shape_axes(shape_read(cases[k].source), shape_read(cases[k].target), axes);
        for (size_t d = 0; d < COUNT_OF(axes); d++) {
            int32_t expected = d < cases[k].count ? cases[k].axes[d] : 99;
            cr_expect_eq(axes[d], expected, "%s in %s: axes[%zu] is %d", cases[k].source,
                         cases[k].target, d, axes[d]);
        }
    }
}

Test(shape_forms, placement_in_given_lengths) {
    const uint32_t lengths[] = {2, 3, 4};
    const struct {
        const char *type;
        size_t rank;
        int64_t positions[3];
        size_t count;
        const char *expected;
    } cases[] = {
        {"i 3", 2, {1}, 1, "i 2,3"},
        {"i 1", 2, {0}, 1, "i 2,3"},
        {"i", 2, {0}, 0, "i 2,3"},
        {"i 2,4", 3, {0, 2}, 2, "i 2,3,4"},
        {"i 2,3", 2, {0, 1}, 2, "i 2,3"},
        {"i 2 / 5", 1, {0}, 1, "i 2 / 5"},
        {"i 3", 2, {0}, 1, "lengths at 0.0: 3 2"},
        {"i 2,3", 3, {0, 2}, 2, "lengths at 0.1: 3 4"},
        {"i 2,3", 2, {1, 0}, 2, "operand at 0.1: 0 0"},
        {"i 1,1", 2, {1, 1}, 2, "operand at 0.1: 0 0 index 1"},
        {"i 3", 2, {-1}, 1, "operand at 0.0: 0 0 index -1"},
        {"i 3", 2, {2}, 1, "operand at 0.0: 0 0 index 2"},
        {"i 2", 2, {0, 1}, 2, "count at 0.0: 2 1"},
        {"i 2,3", 2, {0}, 1, "count at 0.0: 1 2"},
    };
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        ShapeFit fit = shape_place(shape_types, shape_read(cases[k].type), cases[k].rank, lengths,
                                   cases[k].positions, cases[k].count);
        shape_expect(fit, cases[k].expected, cases[k].type, "in 2,3,4");
    }
}

Test(shape_forms, placement_among_ones) {
    const int64_t outer[] = {0, 2};
    const Type *two = shape_read("i 5,6 / 7");
    shape_expect(shape_place(shape_types, two, 3, NULL, outer, 2), "i 5,1,6 / 7", "of", "three");
    shape_expect(shape_place(shape_types, two, TYPE_RANK_LIMIT, NULL, outer, 2),
                 "i 5,1,6,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1 / 7", "of",
                 "as many as there may be");
    shape_expect(shape_place(shape_types, two, TYPE_RANK_LIMIT + 1, NULL, outer, 2),
                 "count at 0.0: 2 2", "of", "too many");
    const uint32_t long_dims[] = {65536, 65536};
    shape_expect(shape_place(shape_types, shape_read("i"), 2, long_dims, NULL, 0),
                 "too large at 0.0: 0 0", "of", "too many scalars");
}

// The same scalars in other dims.

Test(shape_forms, reshape) {
    const uint32_t three_by_two[] = {3, 2};
    const FormCase cases[] = {
        {"i 6", "i 3,2"},
        {"i 2,3 / 4", "i 3,2 / 4"},
        {"i 5", "lengths at 0.0: 5 6"},
        {"i 12 / 4", "lengths at 0.0: 12 6"},
        {"i", "lengths at 0.0: 1 6"},
    };
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        ShapeFit fit = shape_reshape(shape_types, shape_read(cases[k].type), 2, three_by_two);
        shape_expect(fit, cases[k].expected, cases[k].type, "as 3,2");
    }
    const uint32_t one[] = {1};
    shape_expect(shape_reshape(shape_types, shape_read("i"), 1, one), "i 1", "i", "as 1");
    const uint32_t huge[] = {65536, 65536};
    shape_expect(shape_reshape(shape_types, shape_read("i"), 2, huge), "too large at 0.0: 0 0", "i",
                 "as 65536,65536");
}

Test(shape_forms, permute) {
    const struct {
        const char *type;
        int64_t order[3];
        size_t count;
        const char *expected;
    } cases[] = {
        {"i 2,3,4 / 5", {2, 0, 1}, 3, "i 4,2,3 / 5"},
        {"i 2", {0}, 1, "i 2"},
        {"i 2,3,4", {1, 1, 0}, 3, "operand at 0.1: 0 0 index 1"},
        {"i 2,3", {0, 2}, 2, "operand at 0.1: 0 0 index 2"},
        {"i 2,3", {-1, 0}, 2, "operand at 0.0: 0 0 index -1"},
        {"i 2,3,4", {0, 1}, 2, "count at 0.0: 2 3"},
        {"i 2,3", {0, 1, 2}, 3, "count at 0.0: 3 2"},
        {"i", {0}, 0, "count at 0.0: 0 0"},
    };
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        ShapeFit fit =
            shape_permute(shape_types, shape_read(cases[k].type), cases[k].order, cases[k].count);
        shape_expect(fit, cases[k].expected, cases[k].type, "permuted");
    }
}

Test(shape_forms, nest) {
    const struct {
        const char *type;
        int64_t count;
        const char *expected;
    } cases[] = {
        {"i 2,3,4", 2, "i 2 / 3,4"},
        {"i 2,3,4 / 5", 1, "i 2,3 / 4 / 5"},
        {"i 2,3", 2, "operand at 0.0: 2 0 index 2"},
        {"i 2,3", 0, "operand at 0.0: 2 0"},
        {"i 2,3", -1, "operand at 0.0: 2 0 index -1"},
        {"i", 0, "operand at 0.0: 0 0"},
    };
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        ShapeFit fit = shape_nest(shape_types, shape_read(cases[k].type), cases[k].count);
        shape_expect(fit, cases[k].expected, cases[k].type, "nested");
    }
}

// The limits of L2.2, from either side: 32 dims of one tensor, 16 levels.
Test(shape_forms, limits_of_levels) {
    const char *sixteen = "i 2,3 / 1 / 1 / 1 / 1 / 1 / 1 / 1 / 1 / 1 / 1 / 1 / 1 / 1 / 1 / 1";
    shape_expect(shape_nest(shape_types, shape_read(sixteen), 1), "too large at 0.0: 0 0",
                 "sixteen levels", "nested");
    const char *wide = "i 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1 / 1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1";
    shape_expect(shape_unnest(shape_types, shape_read(wide)), "too large at 0.0: 0 0", "33 dims",
                 "in one level");
}
