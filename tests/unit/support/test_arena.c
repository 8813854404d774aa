#include "support/arena.h"

#include <criterion/criterion.h>
#include <stdalign.h>
#include <stdint.h>
#include <string.h>

typedef struct IntList {
    int *items;
    size_t count, capacity;
} IntList;

static bool all_zero(const char *bytes, size_t len) {
    for (size_t i = 0; i < len; i++) {
        if (bytes[i] != 0) {
            return false;
        }
    }
    return true;
}

Test(arena, memory_is_zeroed_aligned_and_disjoint) {
    Arena *arena = arena_create();
    static const size_t sizes[] = {0, 1, 3, 16, 17, 1000, 5000, 20000, 1000000, 7};
    enum { SIZES = sizeof(sizes) / sizeof(sizes[0]), ROUNDS = 50 };
    char *blocks[SIZES * ROUNDS];
    for (size_t i = 0; i < SIZES * ROUNDS; i++) {
        size_t size = sizes[i % SIZES];
        blocks[i] = arena_alloc(arena, size);
        cr_assert_eq((uintptr_t)blocks[i] % alignof(uint64_t), 0);
        cr_assert(all_zero(blocks[i], size));
        memset(blocks[i], (int)(i % 251) + 1, size);
    }
    for (size_t i = 0; i < SIZES * ROUNDS; i++) {
        for (size_t k = 0; k < sizes[i % SIZES]; k++) {
            cr_assert_eq((unsigned char)blocks[i][k], i % 251 + 1);
        }
    }
    arena_destroy(arena);
}

Test(arena, lists_grow_and_keep_their_items) {
    Arena *arena = arena_create();
    IntList list = {0};
    for (int i = 0; i < 10000; i++) {
        LIST_PUSH(arena, &list, i * i);
    }
    cr_assert_eq(list.count, 10000);
    for (int i = 0; i < 10000; i++) {
        cr_assert_eq(list.items[i], i * i);
    }
    arena_destroy(arena);
}

Test(arena, growing_leaves_the_old_array) {
    Arena *arena = arena_create();
    int *old = ARENA_ARRAY(arena, int, 2);
    old[0] = 5;
    old[1] = 6;
    int *grown = arena_grow(arena, old, 2, 4, sizeof(int));
    grown[0] = 7;
    cr_assert_eq(old[0], 5);
    cr_assert_eq(grown[1], 6);
    cr_assert_eq(grown[3], 0);
    arena_destroy(arena);
}

Test(arena, texts_are_copied_and_terminated) {
    Arena *arena = arena_create();
    cr_assert_str_eq(arena_copy_text(arena, "tensor", 4), "tens");
    cr_assert_str_eq(arena_copy_text(arena, "", 0), "");
    cr_assert_str_eq(arena_format(arena, "%s<%d>", "tensor", 3), "tensor<3>");
    arena_destroy(arena);
}

Test(arena, more_memory_than_there_is_ends_with_status_3, .exit_code = 3) {
    Arena *arena = arena_create();
    arena_grow(arena, NULL, 0, SIZE_MAX / 2, sizeof(int));
}

Test(arena, a_reset_arena_is_as_new) {
    Arena *arena = arena_create();
    static const size_t sizes[] = {1, 17, 5000, 100000, 3000000};
    enum { SIZES = sizeof(sizes) / sizeof(sizes[0]), ROUNDS = 40 };
    for (size_t round = 0; round < 5; round++) {
        for (size_t i = 0; i < SIZES * ROUNDS; i++) {
            size_t size = sizes[(i + round) % SIZES] + round;
            char *block = arena_alloc(arena, size);
            cr_assert(all_zero(block, size));
            memset(block, 0x5A, size);
        }
        arena_reset(arena);
    }
    arena_destroy(arena);
}
