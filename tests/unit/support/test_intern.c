#include "support/intern.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

Test(intern, equal_texts_are_one_name) {
    Arena *arena = arena_create();
    NameTable *names = names_create(arena);
    Name a = names_intern_text(names, "heat");
    Name b = names_intern(names, "heating", 4);
    Name c = names_intern_text(names, "heating");
    cr_assert_eq(a, b);
    cr_assert_neq(a, c);
    cr_assert_str_eq(b->text, "heat");
    cr_assert_eq(c->len, 7);
    cr_assert_eq(c->id, 1);
    arena_destroy(arena);
}

Test(intern, the_empty_text_is_a_name) {
    Arena *arena = arena_create();
    NameTable *names = names_create(arena);
    cr_assert_eq(names_intern_text(names, ""), names_intern(names, "x", 0));
    arena_destroy(arena);
}

Test(intern, ids_are_dense_and_survive_growth) {
    enum { COUNT = 20000 };
    Arena *arena = arena_create();
    NameTable *names = names_create(arena);
    static Name first[COUNT];
    char text[32];
    for (uint32_t i = 0; i < COUNT; i++) {
        snprintf(text, sizeof(text), "name_%u", i);
        first[i] = names_intern_text(names, text);
        cr_assert_eq(first[i]->id, i);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        snprintf(text, sizeof(text), "name_%u", i);
        cr_assert_eq(names_intern_text(names, text), first[i]);
        cr_assert_str_eq(first[i]->text, text);
    }
    cr_assert_eq(names_intern_text(names, "another")->id, COUNT);
    arena_destroy(arena);
}

static Slice slice(const char *text) {
    return (Slice){text, strlen(text)};
}

// The textbook recursion, on which the banded computation is checked.
static unsigned plain_distance(const char *a, const char *b) {
    if (*a == '\0' || *b == '\0') {
        return (unsigned)(strlen(a) + strlen(b));
    }
    if (*a == *b) {
        return plain_distance(a + 1, b + 1);
    }
    unsigned drop = plain_distance(a + 1, b);
    unsigned insert = plain_distance(a, b + 1);
    unsigned change = plain_distance(a + 1, b + 1);
    unsigned least = drop < insert ? drop : insert;
    return 1 + (change < least ? change : least);
}

Test(text_distance, agrees_with_the_textbook_up_to_the_limit) {
    static const char *const words[] = {"",    "a",       "b",    "ab",      "ba",      "kitten",
                                        "sum", "sitting", "prod", "product", "reshpae", "reshape"};
    enum { WORDS = sizeof(words) / sizeof(words[0]) };
    for (size_t i = 0; i < WORDS; i++) {
        for (size_t k = 0; k < WORDS; k++) {
            unsigned exact = plain_distance(words[i], words[k]);
            for (unsigned limit = 0; limit < 9; limit++) {
                unsigned expected = exact <= limit ? exact : limit + 1;
                unsigned got = text_distance(slice(words[i]), slice(words[k]), limit);
                cr_assert_eq(got, expected, "%s %s within %u: %u", words[i], words[k], limit, got);
            }
        }
    }
}
