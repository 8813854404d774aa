// The shape algebra as tables. A type is written as its root letter (b u i r) and its levels:
// "i" is int, "i 2,3" tensor<int, 2, 3>, "r 2 / 3,1" tensor<tensor<real, 3, 1>, 2>.
#include "sema/shape.h"

#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>

static Arena *arena;
static TypeTable *types;

static void set_up(void) {
    arena = arena_create();
    types = types_create(arena);
}

static void tear_down(void) {
    arena_destroy(arena);
}

TestSuite(shape, .init = set_up, .fini = tear_down);

// Reads the levels from the outermost on; *text is left behind them.
static const Type *read_levels(const char *text, Root root) {
    while (*text == ' ' || *text == '/') {
        text++;
    }
    if (*text == '\0') {
        return type_scalar(types, root);
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
    return type_tensor(types, read_levels(end, root), rank, dims);
}

static const Type *read_type(const char *text) {
    const char *roots = "buir";
    return read_levels(text + 1, (Root)(strchr(roots, text[0]) - roots));
}

typedef struct PairCase {
    const char *left;
    const char *right;
    const char *result; // NULL: why says what is wrong
    ShapeWhy why;
    unsigned level;
    unsigned dim;
} PairCase;

typedef ShapeFit PairRule(TypeTable *table, const Type *left, const Type *right);

static void check_pairs(PairRule *rule, const PairCase *cases, size_t count) {
    for (size_t k = 0; k < count; k++) {
        const PairCase *c = &cases[k];
        ShapeFit fit = rule(types, read_type(c->left), read_type(c->right));
        if (c->result != NULL) {
            cr_assert_eq(fit.why, SHAPE_OK, "%s with %s", c->left, c->right);
            cr_assert_eq(fit.type, read_type(c->result), "%s with %s is %s", c->left, c->right,
                         type_text(arena, fit.type));
        } else {
            cr_assert_eq(fit.why, c->why, "%s with %s", c->left, c->right);
            cr_assert_null(fit.type);
            cr_assert_eq(fit.level, c->level, "%s with %s", c->left, c->right);
            cr_assert_eq(fit.dim, c->dim, "%s with %s", c->left, c->right);
        }
    }
}

#define CHECK_PAIRS(rule, cases) check_pairs(rule, cases, sizeof cases / sizeof cases[0])

Test(shape, broadcast) {
    const PairCase cases[] = {
        {"i", "r", "r", SHAPE_OK, 0, 0},
        {"b", "u", "u", SHAPE_OK, 0, 0},
        {"i 3", "i", "i 3", SHAPE_OK, 0, 0},
        {"i", "r 2,3", "r 2,3", SHAPE_OK, 0, 0},
        {"i 3", "i 3,1", "i 3,3", SHAPE_OK, 0, 0},
        {"i 8,1,6,1", "i 7,1,5", "i 8,7,6,5", SHAPE_OK, 0, 0},
        {"r 256,256,3", "r 3", "r 256,256,3", SHAPE_OK, 0, 0},
        {"i 1", "i 7", "i 7", SHAPE_OK, 0, 0},
        // Levels broadcast each by themselves.
        {"i 2 / 3", "r 2", "r 2 / 3", SHAPE_OK, 0, 0},
        {"i 2 / 3", "i 2 / 1", "i 2 / 3", SHAPE_OK, 0, 0},
        {"i 1 / 3", "i 4,2 / 5,1", "i 4,2 / 5,3", SHAPE_OK, 0, 0},
        {"i 2 / 3", "i 1,1 / 3", "i 1,2 / 3", SHAPE_OK, 0, 0},
        {"i 2,2", "i 2,3", NULL, SHAPE_LENGTHS, 0, 1},
        {"i 3", "i 4", NULL, SHAPE_LENGTHS, 0, 0},
        {"i 2,1", "i 8,4,3", NULL, SHAPE_LENGTHS, 0, 1},
        {"i 2 / 3", "i 2 / 2", NULL, SHAPE_LENGTHS, 1, 0},
        {"i 3 / 3", "i 2 / 2", NULL, SHAPE_LENGTHS, 0, 0},
        {"i 100000,1", "i 1,100000", NULL, SHAPE_TOO_LARGE, 0, 0},
    };
    CHECK_PAIRS(shape_broadcast, cases);
}

Test(shape, same) {
    const PairCase cases[] = {
        {"i", "i 2 / 3", "i 2 / 3", SHAPE_OK, 0, 0},
        {"u 2,3", "i 2,3", "i 2,3", SHAPE_OK, 0, 0},
        {"i 2 / 3", "r 2 / 3", "r 2 / 3", SHAPE_OK, 0, 0},
        {"i 3", "i 1", NULL, SHAPE_LENGTHS, 0, 0},
        {"i 1,3", "i 3", NULL, SHAPE_RANKS, 0, 0},
        {"i 2", "i 2 / 3", NULL, SHAPE_DEPTHS, 1, 0},
        {"i 2 / 3", "i 2 / 4", NULL, SHAPE_LENGTHS, 1, 0},
        {"i 2,3", "i 2,4", NULL, SHAPE_LENGTHS, 0, 1},
    };
    CHECK_PAIRS(shape_same, cases);
}

Test(shape, common_type_of_elements) {
    const PairCase cases[] = {
        {"b", "r", "r", SHAPE_OK, 0, 0},
        {"i 2", "r 2", "r 2", SHAPE_OK, 0, 0},
        {"i", "i 2", NULL, SHAPE_DEPTHS, 0, 0},
        {"i 1", "i 2", NULL, SHAPE_LENGTHS, 0, 0},
    };
    CHECK_PAIRS(shape_common, cases);
}

Test(shape, dot) {
    const PairCase cases[] = {
        {"i 3", "r 3", "r", SHAPE_OK, 0, 0},
        {"i 2,3", "i 3,4", "i 2,4", SHAPE_OK, 0, 0},
        {"i 3", "i 3,4", "i 4", SHAPE_OK, 0, 0},
        {"i 2,3", "i 3", "i 2", SHAPE_OK, 0, 0},
        {"i", "r 2,3", "r 2,3", SHAPE_OK, 0, 0},
        {"i 2,3", "i 2,3", NULL, SHAPE_LENGTHS, 0, 1},
        {"i 3", "i 1", NULL, SHAPE_LENGTHS, 0, 0},
        {"i 2,2,2", "i 2", NULL, SHAPE_OPERAND, 0, 0},
        {"i 2", "i 2 / 2", NULL, SHAPE_OPERAND, 0, 0},
    };
    CHECK_PAIRS(shape_dot, cases);
}

static ShapeFit assign(TypeTable *table, const Type *target, const Type *source) {
    (void)table;
    return shape_assign(target, source, false);
}

Test(shape, assignment) {
    const PairCase cases[] = {
        {"r", "i", "r", SHAPE_OK, 0, 0},
        {"r 2,3", "b", "r 2,3", SHAPE_OK, 0, 0},
        {"i 2,3", "i 3", "i 2,3", SHAPE_OK, 0, 0},
        {"i 2,3", "i 2,1", "i 2,3", SHAPE_OK, 0, 0},
        {"i 2 / 3", "i 2", "i 2 / 3", SHAPE_OK, 0, 0},
        {"i 2 / 3", "i 1 / 1", "i 2 / 3", SHAPE_OK, 0, 0},
        {"i", "r", NULL, SHAPE_ROOTS, 0, 0},
        {"i 2", "r 2", NULL, SHAPE_ROOTS, 0, 0},
        {"i", "i 1", NULL, SHAPE_DEPTHS, 0, 0},
        {"i 2", "i 2 / 1", NULL, SHAPE_DEPTHS, 1, 0},
        {"i 3", "i 1,3", NULL, SHAPE_RANKS, 0, 0},
        {"i 1", "i 3", NULL, SHAPE_LENGTHS, 0, 0},
        {"i 3", "r 2", NULL, SHAPE_LENGTHS, 0, 0}, // the shape is reported before the root
        {"i 2 / 1", "i 2 / 3", NULL, SHAPE_LENGTHS, 1, 0},
    };
    CHECK_PAIRS(assign, cases);
}

Test(shape, casts_take_any_root) {
    cr_assert_eq(shape_assign(read_type("b 2"), read_type("r 2"), true).why, SHAPE_OK);
    cr_assert_eq(shape_assign(read_type("b 2"), read_type("r 3"), true).why, SHAPE_LENGTHS);
}

static ShapeFit concat_rows(TypeTable *table, const Type *left, const Type *right) {
    return shape_concat(table, left, right, 0);
}

Test(shape, concat) {
    const PairCase cases[] = {
        {"i 2", "r 3", "r 5", SHAPE_OK, 0, 0},
        {"i 2,3", "i 1,3", "i 3,3", SHAPE_OK, 0, 0},
        {"i 2 / 3", "i 1 / 3", "i 3 / 3", SHAPE_OK, 0, 0},
        {"i 2,3", "i 2,4", NULL, SHAPE_LENGTHS, 0, 1},
        {"i 2,3", "i 3", NULL, SHAPE_RANKS, 0, 0},
        {"i 2", "i", NULL, SHAPE_OPERAND, 0, 0},
        {"i 2 / 3", "i 1 / 4", NULL, SHAPE_LENGTHS, 1, 0},
    };
    CHECK_PAIRS(concat_rows, cases);
}

Test(shape, transpose_and_narrow) {
    cr_assert_eq(shape_transpose(types, read_type("i 2,3 / 4")).type, read_type("i 3,2 / 4"));
    cr_assert_eq(shape_transpose(types, read_type("i 3")).why, SHAPE_OPERAND);
    cr_assert_eq(shape_transpose(types, read_type("i")).why, SHAPE_OPERAND);
    cr_assert_eq(shape_narrow(types, read_type("i 1,3,1")), read_type("i 3"));
    cr_assert_eq(shape_narrow(types, read_type("i 1,1")), read_type("i"));
    cr_assert_eq(shape_narrow(types, read_type("i 1 / 1")), read_type("i 1"));
    cr_assert_eq(shape_narrow(types, read_type("i 2 / 1")), read_type("i 2 / 1"));
    cr_assert_eq(shape_narrow(types, read_type("i")), read_type("i"));
}

Test(shape, reductions) {
    uint32_t axis;
    uint32_t count;
    cr_assert_eq(shape_reduce(types, read_type("i 2,3"), &axis, &count), read_type("i"));
    cr_assert(axis == 0 && count == 2);
    cr_assert_eq(shape_reduce(types, read_type("i 2 / 3,4"), &axis, &count), read_type("i 2"));
    cr_assert(axis == 1 && count == 2);
    cr_assert_eq(shape_reduce_level(types, read_type("i 2 / 3"), &axis, &count), read_type("i 3"));
    cr_assert(axis == 0 && count == 1);
    cr_assert_eq(shape_reduce_level(types, read_type("i 5 / 2,7 / 3"), &axis, &count),
                 read_type("i 5 / 3"));
    cr_assert(axis == 1 && count == 2);
    cr_assert_eq(shape_reduce_level(types, read_type("i 4"), &axis, &count), read_type("i"));
    cr_assert_eq(shape_reduce(types, read_type("r"), &axis, &count), read_type("r"));
    cr_assert_eq(count, 0);
}

Test(shape, axes_align_level_by_level) {
    int32_t axes[4];
    shape_axes(read_type("i 3"), read_type("i 2,3"), axes);
    cr_assert_eq(axes[0], 1);
    shape_axes(read_type("i 2,1"), read_type("i 2,3"), axes);
    cr_assert(axes[0] == 0 && axes[1] == -1);
    shape_axes(read_type("i 2 / 3"), read_type("i 5,2 / 4,3"), axes);
    cr_assert(axes[0] == 1 && axes[1] == 3);
    shape_axes(read_type("i 2"), read_type("i 2 / 3"), axes);
    cr_assert_eq(axes[0], 0);
}

static ShapeIndex at(int64_t position) {
    return (ShapeIndex){.is_constant = true, .start = position};
}

static ShapeIndex range(int64_t first, int64_t last, int64_t step) {
    return (ShapeIndex){.is_range = true,
                        .has_first = true,
                        .has_last = true,
                        .has_step = true,
                        .start = first,
                        .last = last,
                        .step = step};
}

static ShapeFit index_one(const char *type, ShapeIndex *index, bool as_place) {
    return shape_index(types, read_type(type), index, 1, as_place);
}

Test(shape, index_positions) {
    ShapeIndex index = at(2);
    cr_assert_eq(index_one("i 3", &index, false).type, read_type("i"));
    index = at(2);
    cr_assert_eq(index_one("i 3 / 4", &index, false).type, read_type("i 4"));
    index = at(3);
    cr_assert_eq(index_one("i 3", &index, false).why, SHAPE_BOUNDS);
    index = at(-1);
    cr_assert_eq(index_one("i 3", &index, false).why, SHAPE_BOUNDS);
    // Along a dim of length 1 any index reaches the one element.
    index = at(7);
    cr_assert_eq(index_one("i 1", &index, false).type, read_type("i"));
    cr_assert_eq(index.start, 0);
    ShapeIndex two[2] = {at(0), {.is_range = true}};
    cr_assert_eq(shape_index(types, read_type("i 2,3"), two, 2, false).type, read_type("i 3"));
    cr_assert_eq(shape_index(types, read_type("i 2,3"), two, 1, false).why, SHAPE_COUNT);
}

Test(shape, index_ranges) {
    const struct {
        ShapeIndex index;
        uint32_t len; // 0: nothing, as `why` says
        ShapeWhy why;
    } cases[] = {
        {range(0, 5, 1), 5, SHAPE_OK},
        {range(1, 4, 1), 3, SHAPE_OK},
        {range(0, 5, 2), 3, SHAPE_OK},
        {range(0, 4, 2), 2, SHAPE_OK},
        {range(4, -1, -1), 5, SHAPE_OK},
        {range(4, 0, -2), 2, SHAPE_OK},
        {range(2, 2, 1), 0, SHAPE_EMPTY},
        {range(3, 1, 1), 0, SHAPE_EMPTY},
        {range(0, 6, 1), 0, SHAPE_BOUNDS},
        {range(-1, 3, 1), 0, SHAPE_BOUNDS},
        {range(5, 0, -1), 0, SHAPE_BOUNDS},
        {range(4, -2, -1), 0, SHAPE_BOUNDS},
        {range(0, 7, 5), 0, SHAPE_BOUNDS},
        {range(0, 6, 4), 2, SHAPE_OK},
        {{.is_range = true}, 5, SHAPE_OK},
        {{.is_range = true, .has_first = true, .start = 3}, 2, SHAPE_OK},
        {{.is_range = true, .has_last = true, .last = 3}, 3, SHAPE_OK},
        {{.is_range = true, .has_first = true, .start = 5}, 0, SHAPE_EMPTY},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        ShapeIndex index = cases[k].index;
        ShapeFit fit = index_one("i 5", &index, false);
        cr_assert_eq(fit.why, cases[k].why, "case %zu", k);
        cr_assert(fit.why != SHAPE_OK || index.len == cases[k].len, "case %zu", k);
    }
}

Test(shape, ranges_over_length_one) {
    ShapeIndex index = range(0, 4, 1);
    cr_assert_eq(index_one("i 1", &index, false).type, read_type("i 4"));
    cr_assert(index.start == 0 && index.step == 0);
    index = range(0, 4, 1);
    cr_assert_eq(index_one("i 1", &index, true).type, read_type("i 1"));
    index = (ShapeIndex){.is_range = true};
    cr_assert_eq(index_one("i 1", &index, false).type, read_type("i 1"));
}

Test(shape, placement) {
    const uint32_t lengths[] = {2, 3};
    const int64_t first[] = {0};
    const int64_t second[] = {1};
    const int64_t both[] = {0, 1};
    const int64_t swapped[] = {1, 0};
    const Type *three = read_type("i 3");
    cr_assert_eq(shape_place(types, three, 2, lengths, second, 1).type, read_type("i 2,3"));
    cr_assert_eq(shape_place(types, three, 2, lengths, first, 1).why, SHAPE_LENGTHS);
    cr_assert_eq(shape_place(types, read_type("i 1"), 2, lengths, first, 1).type,
                 read_type("i 2,3"));
    cr_assert_eq(shape_place(types, three, 2, NULL, first, 1).type, read_type("i 3,1"));
    cr_assert_eq(shape_place(types, read_type("i 2,3"), 2, lengths, both, 2).why, SHAPE_OK);
    cr_assert_eq(shape_place(types, read_type("i 2,3"), 2, lengths, swapped, 2).why, SHAPE_OPERAND);
    cr_assert_eq(shape_place(types, three, 2, lengths, both, 2).why, SHAPE_COUNT);
    cr_assert_eq(shape_place(types, read_type("i"), 2, lengths, NULL, 0).type, read_type("i 2,3"));
}

Test(shape, other_forms_of_the_same_scalars) {
    const uint32_t dims[] = {3, 2};
    const int64_t order[] = {2, 0, 1};
    const int64_t repeated[] = {0, 0, 1};
    cr_assert_eq(shape_reshape(types, read_type("i 6"), 2, dims).type, read_type("i 3,2"));
    cr_assert_eq(shape_reshape(types, read_type("i 2,3 / 4"), 2, dims).type,
                 read_type("i 3,2 / 4"));
    cr_assert_eq(shape_reshape(types, read_type("i 5"), 2, dims).why, SHAPE_LENGTHS);
    cr_assert_eq(shape_permute(types, read_type("i 2,3,4"), order, 3).type, read_type("i 4,2,3"));
    cr_assert_eq(shape_permute(types, read_type("i 2,3,4"), repeated, 3).why, SHAPE_OPERAND);
    cr_assert_eq(shape_permute(types, read_type("i 2,3,4"), order, 2).why, SHAPE_COUNT);
    cr_assert_eq(shape_nest(types, read_type("i 2,3,4"), 2).type, read_type("i 2 / 3,4"));
    cr_assert_eq(shape_nest(types, read_type("i 2,3"), 2).why, SHAPE_OPERAND);
    cr_assert_eq(shape_nest(types, read_type("i 2,3"), 0).why, SHAPE_OPERAND);
    cr_assert_eq(shape_unnest(types, read_type("i 2 / 3,4 / 5")).type, read_type("i 2,3,4 / 5"));
    cr_assert_eq(shape_unnest(types, read_type("i 2")).why, SHAPE_OPERAND);
}
