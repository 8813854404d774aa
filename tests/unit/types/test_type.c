#include "types/type.h"

#include <criterion/criterion.h>

typedef struct Types {
    Arena *arena;
    TypeTable *table;
} Types;

static Types types_begin(void) {
    Arena *arena = arena_create();
    return (Types){arena, types_create(arena)};
}

Test(type, equal_types_are_the_same_pointer) {
    Types types = types_begin();
    const Type *real = type_scalar(types.table, ROOT_REAL);
    uint32_t square[] = {3, 3};
    uint32_t other[] = {3, 4};
    const Type *a = type_tensor(types.table, real, 2, square);
    cr_assert_eq(a, type_tensor(types.table, real, 2, square));
    cr_assert_neq(a, type_tensor(types.table, real, 2, other));
    cr_assert_neq(a, type_tensor(types.table, type_scalar(types.table, ROOT_INT), 2, square));
    arena_destroy(types.arena);
}

Test(type, many_types_stay_found) {
    Types types = types_begin();
    enum { COUNT = 5000 };
    static const Type *made[COUNT];
    const Type *real = type_scalar(types.table, ROOT_REAL);
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t dims[] = {i + 1, 2};
        made[i] = type_tensor(types.table, real, 2, dims);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t dims[] = {i + 1, 2};
        cr_assert_eq(made[i], type_tensor(types.table, real, 2, dims));
        cr_assert_eq(made[i]->numel, 2 * (i + 1));
    }
    arena_destroy(types.arena);
}

Test(type, levels_share_their_flat_dims) {
    Types types = types_begin();
    const Type *integer = type_scalar(types.table, ROOT_INT);
    uint32_t inner[] = {4, 5};
    uint32_t outer[] = {3};
    const Type *nested =
        type_tensor(types.table, type_tensor(types.table, integer, 2, inner), 1, outer);
    uint32_t dims[] = {3, 4, 5};
    const Type *flat = type_flat(types.table, ROOT_INT, 3, dims);
    cr_assert_eq(nested->depth, 2);
    cr_assert_eq(nested->rank, 1);
    cr_assert_eq(nested->flat_rank, 3);
    cr_assert_eq(nested->numel, 60);
    cr_assert_eq(nested->root, ROOT_INT);
    cr_assert_neq(nested, flat);
    cr_assert(type_same_dims(nested, flat));
    cr_assert_str_eq(type_text(types.arena, nested), "tensor<tensor<int, 4, 5>, 3>");
    cr_assert_str_eq(type_text(types.arena, flat), "tensor<int, 3, 4, 5>");
    cr_assert_eq(type_text(types.arena, flat), type_text(types.arena, flat));
    arena_destroy(types.arena);
}

Test(type, another_root_keeps_every_level) {
    Types types = types_begin();
    uint32_t dims[] = {2};
    const Type *flags = type_tensor(types.table, type_scalar(types.table, ROOT_BOOL), 1, dims);
    flags = type_tensor(types.table, flags, 1, dims);
    const Type *reals = type_with_root(types.table, flags, ROOT_REAL);
    cr_assert_str_eq(type_text(types.arena, reals), "tensor<tensor<real, 2>, 2>");
    cr_assert_eq(type_with_root(types.table, reals, ROOT_BOOL), flags);
    arena_destroy(types.arena);
}

Test(type, flat_dims_beyond_one_tensor_take_levels) {
    Types types = types_begin();
    uint32_t ones[TYPE_RANK_LIMIT + 1];
    for (size_t i = 0; i <= TYPE_RANK_LIMIT; i++) {
        ones[i] = 1;
    }
    const Type *type = type_flat(types.table, ROOT_REAL, TYPE_RANK_LIMIT + 1, ones);
    cr_assert_eq(type->flat_rank, TYPE_RANK_LIMIT + 1);
    cr_assert_eq(type->depth, 2);
    cr_assert_eq(type_flat(types.table, ROOT_REAL, 0, NULL), type_scalar(types.table, ROOT_REAL));
    arena_destroy(types.arena);
}

Test(type, limits_are_checked_without_overflow) {
    Types types = types_begin();
    const Type *real = type_scalar(types.table, ROOT_REAL);
    uint32_t most[] = {TYPE_SCALARS_LIMIT};
    uint32_t more[] = {UINT32_MAX, UINT32_MAX, UINT32_MAX};
    uint32_t wraps[] = {65536, 65536, 65536, 65536}; // 2^64
    uint32_t ones[TYPE_RANK_LIMIT + 1];
    for (size_t i = 0; i <= TYPE_RANK_LIMIT; i++) {
        ones[i] = 1;
    }
    const Type *largest = type_tensor(types.table, real, 1, most);
    cr_assert_eq(largest->numel, TYPE_SCALARS_LIMIT);
    cr_assert_null(type_tensor(types.table, real, 1, more));
    cr_assert_null(type_tensor(types.table, real, 3, more));
    cr_assert_null(type_tensor(types.table, real, 4, wraps));
    cr_assert_null(type_tensor(types.table, largest, 1, &wraps[0]));
    cr_assert_null(type_tensor(types.table, real, TYPE_RANK_LIMIT + 1, ones));
    const Type *deep = real;
    for (int level = 0; level < TYPE_DEPTH_LIMIT; level++) {
        deep = type_tensor(types.table, deep, 1, ones);
        cr_assert_not_null(deep);
    }
    cr_assert_null(type_tensor(types.table, deep, 1, ones));
    arena_destroy(types.arena);
}

Test(type, predicates) {
    Types types = types_begin();
    cr_assert(type_is_poison(type_poison(types.table)));
    cr_assert(!type_has_value(type_void(types.table)));
    cr_assert(!type_has_value(type_scalar(types.table, ROOT_STR)));
    cr_assert(type_has_value(type_scalar(types.table, ROOT_BOOL)));
    cr_assert(!type_is_numeric(type_scalar(types.table, ROOT_BOOL)));
    cr_assert(type_is_numeric(type_scalar(types.table, ROOT_UINT)));
    arena_destroy(types.arena);
}
