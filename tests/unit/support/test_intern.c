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
