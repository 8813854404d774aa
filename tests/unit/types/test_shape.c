// Rules on two shapes: which broadcast, which are the same, what may be assigned.
#include "shape_text.h"

#include <criterion/criterion.h>

TestSuite(shape, .init = shape_set_up, .fini = shape_tear_down);

typedef struct PairCase {
    const char *left;
    const char *right;
    const char *expected;
} PairCase;

typedef ShapeFit PairRule(TypeTable *types, const Type *left, const Type *right);

static void check_pairs(PairRule *rule, const PairCase *cases, size_t count) {
    for (size_t k = 0; k < count; k++) {
        const PairCase *c = &cases[k];
        ShapeFit fit = rule(shape_types, shape_read(c->left), shape_read(c->right));
        shape_expect(fit, c->expected, c->left, c->right);
    }
}

#define CHECK_PAIRS(rule, cases) check_pairs(rule, cases, COUNT_OF(cases))

// 2^31 - 1 is the limit of L2.2.
#define LIMIT "2147483647"

Test(shape, broadcast) {
    const PairCase cases[] = {
        {"i", "r", "r"},
        {"r", "i", "r"},
        {"b", "u", "u"},
        {"i 3", "i", "i 3"},
        {"i 3", "r", "r 3"},
        {"i", "r 2,3", "r 2,3"},
        {"i", "u 2,3", "i 2,3"},
        {"r 3", "u 1", "r 3"},
        {"i 3", "i 3,1", "i 3,3"},
        {"i 8,1,6,1", "i 7,1,5", "i 8,7,6,5"},
        {"i 7,1,5", "i 8,1,6,1", "i 8,7,6,5"},
        {"r 256,256,3", "r 3", "r 256,256,3"},
        {"i 1", "i 7", "i 7"},
        {"i 7", "i 1", "i 7"},
        {"i 1", "i 1", "i 1"},
        // Levels broadcast each by themselves.
        {"i 2 / 3", "r 2", "r 2 / 3"},
        {"i 2", "r 2 / 3", "r 2 / 3"},
        {"i 2 / 3", "i 2 / 1", "i 2 / 3"},
        {"i 1 / 3", "i 4,2 / 5,1", "i 4,2 / 5,3"},
        {"i 2 / 3", "i 1,1 / 3", "i 1,2 / 3"},
        {"i 2,2", "i 2,3", "lengths at 0.1: 2 3"},
        {"i 2,3", "i 4,3", "lengths at 0.0: 2 4"},
        {"i 2,3", "i 4,5", "lengths at 0.1: 3 5"},
        {"i 3", "i 4", "lengths at 0.0: 3 4"},
        {"i 2,1", "i 8,4,3", "lengths at 0.1: 2 4"},
        {"i 8,4,3", "i 2,1", "lengths at 0.1: 4 2"},
        {"i 2 / 3", "i 2 / 2", "lengths at 1.0: 3 2"},
        {"i 3 / 3", "i 2 / 2", "lengths at 0.0: 3 2"},
        {"i 1 / 1 / 3", "i 1 / 1 / 2", "lengths at 2.0: 3 2"},
        {"i 100000,1", "i 1,100000", "too large at 0.0: 0 0"},
        {"i 1 / " LIMIT, "i 2", "too large at 0.0: 0 0"},
    };
    CHECK_PAIRS(shape_broadcast, cases);
}

Test(shape, promotion_names_the_type_of_lower_rank) {
    const struct {
        const char *left;
        const char *right;
        int promoted; // 0 neither, 1 left, 2 right
    } cases[] = {
        {"i 3", "i 2,3", 1},
        {"i 2,3", "i 3", 2},
        {"i 2,3", "r 2,3", 0},
        {"i", "i 2,3", 0},
        {"i 2,3", "i", 0},
        {"i 2 / 3", "i 2 / 4,3", 1},
        {"i 2 / 3", "i 2", 0},
        {"i 2", "i 2 / 3", 0},
        {"i 2 / 4,3", "i 2 / 3", 2},
        {"i 2", "i 3,2 / 3", 1},
        {"i 2 / 4,3", "i 1,2 / 3", 1},
    };
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        const Type *types[3] = {NULL, shape_read(cases[k].left), shape_read(cases[k].right)};
        cr_expect_eq(shape_promoted(types[1], types[2]), types[cases[k].promoted], "%s with %s",
                     cases[k].left, cases[k].right);
    }
}

Test(shape, same) {
    const PairCase cases[] = {
        {"i", "i 2 / 3", "i 2 / 3"},
        {"i 2 / 3", "r", "r 2 / 3"},
        {"u 2,3", "i 2,3", "i 2,3"},
        {"i 2 / 3", "r 2 / 3", "r 2 / 3"},
        {"r 2 / 3", "i 2 / 3", "r 2 / 3"},
        {"i 3", "i 1", "lengths at 0.0: 3 1"},
        {"i 1,3", "i 3", "ranks at 0.0: 2 1"},
        {"i 2 / 1,3", "i 2 / 3", "ranks at 1.0: 2 1"},
        {"i 2", "i 2 / 3", "depths at 1.0: 1 2"},
        {"i 2 / 3 / 4", "i 2", "depths at 1.0: 3 1"},
        {"i 2 / 3", "i 2 / 4", "lengths at 1.0: 3 4"},
        {"i 2,3", "i 2,4", "lengths at 0.1: 3 4"},
        {"i 2,3", "i 4,5", "lengths at 0.0: 2 4"},
    };
    CHECK_PAIRS(shape_same, cases);
}

Test(shape, common_type_of_elements) {
    const PairCase cases[] = {
        {"b", "r", "r"},
        {"i 2", "r 2", "r 2"},
        {"i", "i 2", "depths at 0.0: 0 1"},
        {"i 2 / 3", "i", "depths at 0.0: 2 0"},
        {"i 1", "i 2", "lengths at 0.0: 1 2"},
    };
    CHECK_PAIRS(shape_common, cases);
}

Test(shape, dot) {
    const PairCase cases[] = {
        {"i 3", "r 3", "r"},
        {"i 2,3", "i 3,4", "i 2,4"},
        {"i 3", "i 3,4", "i 4"},
        {"i 2,3", "u 3", "i 2"},
        {"i", "r 2,3", "r 2,3"},
        {"i 2,3", "r", "r 2,3"},
        {"i 2,3", "i 2,3", "lengths at 0.1: 3 2"},
        {"i 3", "i 1", "lengths at 0.0: 3 1"},
        {"i 3", "i 4,3", "lengths at 0.0: 3 4"},
        {"i 2,3", "i 4", "lengths at 0.1: 3 4"},
        {"i 2,2,2", "i 2", "operand at 0.0: 0 0"},
        {"i 2 / 2", "i 2", "operand at 0.0: 0 0"},
        {"i 2", "i 2 / 2", "operand at 0.0: 1 0"},
        {"i 2", "i 2,2,2", "operand at 0.0: 1 0"},
        {"i", "i 2,2,2", "operand at 0.0: 1 0"},
        {"i 50000,1", "i 1,50000", "too large at 0.0: 0 0"},
    };
    CHECK_PAIRS(shape_dot, cases);
}

static ShapeFit assign(TypeTable *types, const Type *target, const Type *source) {
    (void)types;
    return shape_assign(target, source, false);
}

Test(shape, assignment) {
    const PairCase cases[] = {
        {"r", "i", "r"},
        {"r 2,3", "b", "r 2,3"},
        {"i 2,3", "i 3", "i 2,3"},
        {"i 2,3", "i 2,1", "i 2,3"},
        {"i 2 / 3", "i 2", "i 2 / 3"},
        {"i 2 / 3", "i 1 / 1", "i 2 / 3"},
        {"i", "r", "roots at 0.0: 0 0"},
        {"i 2", "r 2", "roots at 0.0: 0 0"},
        {"i", "i 1", "depths at 0.0: 0 1"},
        {"i 2", "i 2 / 1", "depths at 1.0: 1 2"},
        {"i 3", "i 1,3", "ranks at 0.0: 1 2"},
        {"i 1", "i 3", "lengths at 0.0: 1 3"},
        {"i 2,3", "i 2", "lengths at 0.1: 3 2"},
        {"i 4,2,3", "i 5,3", "lengths at 0.1: 2 5"},
        {"i 3", "r 2", "lengths at 0.0: 3 2"}, // the shape is reported before the root
        {"i 2 / 1", "i 2 / 3", "lengths at 1.0: 1 3"},
        {"i 2 / 3", "i 2 / 1,3", "ranks at 1.0: 1 2"},
    };
    CHECK_PAIRS(assign, cases);
}

static ShapeFit cast(TypeTable *types, const Type *target, const Type *source) {
    (void)types;
    return shape_assign(target, source, true);
}

Test(shape, casts_take_any_root) {
    const PairCase cases[] = {
        {"b 2", "r 2", "b 2"},
        {"b 2", "r 3", "lengths at 0.0: 2 3"},
    };
    CHECK_PAIRS(cast, cases);
}

// Vectors and matrices.

Test(shape, vectors_and_matrices) {
    const struct {
        const char *type;
        bool vector, matrix, square;
    } cases[] = {
        {"i", false, false, false},         {"i 3", true, false, false},
        {"i 3,3", false, true, true},       {"i 3,2", false, true, false},
        {"i 3,3,3", false, false, false},   {"i 3 / 3", false, false, false},
        {"i 3,3 / 3", false, false, false},
    };
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        const Type *type = shape_read(cases[k].type);
        cr_expect_eq(shape_is_vector(type), cases[k].vector, "%s", cases[k].type);
        cr_expect_eq(shape_is_matrix(type), cases[k].matrix, "%s", cases[k].type);
        cr_expect_eq(shape_is_square(type), cases[k].square, "%s", cases[k].type);
    }
}

Test(shape, depths) {
    const char *const by_depth[] = {"r", "b 7,7", "i 2 / 3", "u 1 / 1 / 1"};
    for (size_t k = 0; k < COUNT_OF(by_depth); k++) {
        for (size_t l = 0; l < COUNT_OF(by_depth); l++) {
            bool deeper = shape_is_deeper(shape_read(by_depth[k]), shape_read(by_depth[l]));
            cr_expect_eq(deeper, k > l, "%s and %s", by_depth[k], by_depth[l]);
        }
    }
}

Test(shape, outer) {
    const PairCase cases[] = {
        {"i 2", "i 3", "i 2,3"},
        {"i 2", "r 3", "r 2,3"},
        {"u 2", "b 3", "u 2,3"},
        {"i 50000", "i 50000", "too large at 0.0: 0 0"},
    };
    CHECK_PAIRS(shape_outer, cases);
}

static ShapeFit solve(TypeTable *types, const Type *matrix, const Type *right) {
    (void)types;
    return shape_solve(matrix, right);
}

Test(shape, solve) {
    const PairCase cases[] = {
        {"r 3,3", "r 3", "r 3"},
        {"r 3,3", "r 3,2", "r 3,2"},
        {"r 3,3", "r 2,3", "lengths at 0.0: 3 2"},
        {"r 3,3", "r 2", "lengths at 0.0: 3 2"},
        {"r 3,3", "r", "operand at 0.0: 1 0"},
        {"r 3,3", "r 3 / 3", "operand at 0.0: 1 0"},
    };
    CHECK_PAIRS(solve, cases);
}

Test(shape, diagonal) {
    shape_expect_type(shape_diagonal(shape_types, shape_read("i 2,3")), "i 2", "wide");
    shape_expect_type(shape_diagonal(shape_types, shape_read("r 3,2")), "r 2", "tall");
}

// Concat.

Test(shape, concat) {
    const struct {
        unsigned axis;
        PairCase pair;
    } cases[] = {
        {0, {"i 2", "r 3", "r 5"}},
        {0, {"i 2,3", "i 1,3", "i 3,3"}},
        {1, {"i 3,2", "i 3,1", "i 3,3"}},
        {0, {"i 2 / 3", "i 1 / 3", "i 3 / 3"}},
        {0, {"i 2,3", "i 2,4", "lengths at 0.1: 3 4"}},
        {1, {"i 2,3", "i 4,3", "lengths at 0.0: 2 4"}},
        {0, {"i 2,3", "i 3", "ranks at 0.0: 2 1"}},
        {0, {"i 2", "i", "operand at 0.0: 1 0"}},
        {0, {"i", "i 2", "operand at 0.0: 0 0"}},
        {0, {"i 2 / 3", "i 1 / 4", "lengths at 1.0: 3 4"}},
        {0, {"i 2 / 3", "i 1", "depths at 1.0: 1 0"}},
        {0, {"i 2147483646", "i 1", "i " LIMIT}},
        {0, {"i " LIMIT, "i 1", "too large at 0.0: 2147483647 1"}},
        {1, {"i 1,1", "i 1," LIMIT, "too large at 0.1: 1 2147483647"}},
        {0, {"i 1 / 1073741824", "i 1 / 1073741824", "too large at 0.0: 0 0"}},
    };
    for (size_t k = 0; k < COUNT_OF(cases); k++) {
        const PairCase *c = &cases[k].pair;
        ShapeFit fit =
            shape_concat(shape_types, shape_read(c->left), shape_read(c->right), cases[k].axis);
        shape_expect(fit, c->expected, c->left, c->right);
    }
}

Test(shape, own_dims) {
    const Type *matrix = shape_read("i 2,3 / 4");
    cr_expect(shape_has_dim(matrix, 0) && shape_has_dim(matrix, 1));
    cr_expect(!shape_has_dim(matrix, -1) && !shape_has_dim(matrix, 2));
    cr_expect_not(shape_has_dim(shape_read("i"), 0));
}
