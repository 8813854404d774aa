// What effects_check says of components that are written as in effects_sample.h.
#include "effects_sample.h"

#include <criterion/criterion.h>

Test(effects, straight_lines) {
    static const EffectsCase rows[] = {
        {.output = "=", .expected = "", .is_direct = true},
        {.output = "", .expected = "E0723@y"},
        {.output = "0", .expected = "partial@y"},
        {.output = "v", .expected = "partial@y"},
        {.output = "012", .expected = "", .is_direct = true},
        {.output = "01", .expected = "partial@y"},
        {.output = "h", .expected = "partial@y"},
        {.output = "h1", .expected = "", .is_direct = true},
        {.output = "2=0", .expected = "", .is_direct = true},
        {.output = NULL, .expected = "E0723@y"},
    };
    effects_expect(rows, sizeof rows / sizeof rows[0]);
}

Test(effects, reads_before_values) {
    static const EffectsCase rows[] = {
        {.output = "r=", .expected = "E0722@o0"},
        {.output = "=r", .expected = "", .is_direct = true},
        {.output = "0r=", .expected = "partial@o1"},
        {.output = "0a=", .expected = "", .is_direct = true},
        {.output = "1a=", .expected = "partial@o1"},
        {.output = "vr=", .expected = "partial@o1"},
        {.output = "a=", .expected = "E0722@o0"},
        // The same mistake is told once, and the first place is the one.
        {.output = "rrr", .expected = "E0722@o0"},
        {.output = "r", .expected = "E0722@o0"},
        // Reads of an element and of all: the one that needs more.
        {.output = "1ar=", .expected = "partial@o2"},
    };
    effects_expect(rows, sizeof rows / sizeof rows[0]);
}

Test(effects, updates_give_nothing) {
    static const EffectsCase rows[] = {
        {.output = "+", .expected = "E0722@o0"},
        {.output = "=+", .expected = "", .is_direct = true},
        {.output = "0+", .expected = "partial@y partial@o1"},
        {.output = "?(=|)+", .expected = "E0722@o5"},
    };
    effects_expect(rows, sizeof rows / sizeof rows[0]);
}

Test(effects, branches_join_to_the_least) {
    static const EffectsCase rows[] = {
        {.output = "?(=|=)", .expected = "", .is_direct = true},
        {.output = "?(=|)", .expected = "E0723@y"},
        {.output = "?(=|0)", .expected = "partial@y"},
        {.output = "?(0|1)", .expected = "partial@y"},
        {.output = "?(01|12)", .expected = "partial@y"},
        {.output = "?(01|12)02", .expected = "", .is_direct = true},
        {.output = "?(?(=|=)|=)", .expected = "", .is_direct = true},
        {.output = "?(r|r)=", .expected = "E0722@o2"},
        {.output = "?(=|)?(|=)", .expected = "E0723@y"},
    };
    effects_expect(rows, sizeof rows / sizeof rows[0]);
}

Test(effects, while_loops_may_not_run) {
    static const EffectsCase rows[] = {
        {.output = "W(=)", .expected = "E0723@y"},
        {.output = "W(=b)", .expected = "E0723@y"},
        {.output = "=W()", .expected = "", .is_direct = true},
        {.output = "W(r=)", .expected = "E0722@o2"},
        {.output = "W(=r)=", .expected = "", .is_direct = true},
        // Never left by its condition.
        {.output = "T(=b)", .expected = "E0723@y"},
        {.output = "f", .expected = "", .f = "T(?(=x|))", .is_direct = true},
    };
    effects_expect(rows, sizeof rows / sizeof rows[0]);
}

Test(effects, for_loops_that_run) {
    static const EffectsCase rows[] = {
        {.output = "F(=)", .expected = "", .is_direct = true},
        {.output = "D(=)", .expected = "", .is_direct = true},
        {.output = "E(=)", .expected = "E0723@y"},
        {.output = "N(=)", .expected = "E0723@y"},
        {.output = "F(b=)", .expected = "E0723@y"},
        {.output = "F(=b)", .expected = "", .is_direct = true},
        {.output = "F(?(b|)=)", .expected = "E0723@y"},
        {.output = "F(?(=b|)=)", .expected = "", .is_direct = true},
        {.output = "F(?(c|)=)", .expected = "E0723@y"},
        {.output = "F(?(=c|)=)", .expected = "", .is_direct = true},
        {.output = "F(?(=|b))", .expected = "E0723@y"},
        {.output = "F(0?(b|)=)", .expected = "partial@y"},
        {.output = "F(r=)", .expected = "E0722@o2"},
        {.output = "F(=r)", .expected = "", .is_direct = true},
        {.output = "F(F(=))", .expected = "", .is_direct = true},
        {.output = "F(E(=))", .expected = "E0723@y"},
        // A `break` leaves the inner loop only.
        {.output = "F(F(b)=)", .expected = "", .is_direct = true},
    };
    effects_expect(rows, sizeof rows / sizeof rows[0]);
}

Test(effects, elements_by_loops) {
    static const EffectsCase rows[] = {
        {.output = "F(i)", .expected = "", .is_direct = true},
        {.output = "D(i)", .expected = "", .is_direct = true},
        {.output = "S(i)", .expected = "partial@y"},
        {.output = "B(i)", .expected = "partial@y"},
        {.output = "S(i)1", .expected = "", .is_direct = true},
        {.output = "B(i)2", .expected = "", .is_direct = true},
        {.output = "E(i)", .expected = "E0723@y"},
        {.output = "N(i)", .expected = "E0723@y"},
        {.output = "F(?(i|))", .expected = "E0723@y"},
        {.output = "F(?(i|i))", .expected = "", .is_direct = true},
        {.output = "F(?(?(i|i)|i))", .expected = "", .is_direct = true},
        {.output = "F(?(?(i|)|i))", .expected = "E0723@y"},
        {.output = "F(?(i|01))", .expected = "partial@y"},
        {.output = "F(?(ic|i))", .expected = "", .is_direct = true},
        {.output = "F(?(i|c))", .expected = "E0723@y"},
        {.output = "F(?(?(c|)i|i))", .expected = "E0723@y"},
        {.output = "F(?(ib|i))", .expected = "partial@y"},
        {.output = "F(?(b|)i)", .expected = "E0723@y"},
        {.output = "F(i?(b|))", .expected = "partial@y"},
        {.output = "F(?(c|)i)", .expected = "E0723@y"},
        {.output = "F(i?(c|))", .expected = "", .is_direct = true},
        {.output = "F(W(i))", .expected = "E0723@y"},
        {.output = "F(ir)", .expected = "partial@o3"},
        // The variable of the outer loop, in an inner one that runs to its end.
        {.output = "F(B(j))", .expected = "", .is_direct = true},
        {.output = "F(B(j?(b|)))", .expected = "partial@y"},
        {.output = "F(E(j))", .expected = "E0723@y"},
        {.output = "F(N(j))", .expected = "E0723@y"},
        {.output = "F(?(c|)B(i2))", .expected = "E0723@y"},
        {.output = "F(?(B(i2)c|)=)", .expected = "", .is_direct = true},
        {.output = "F(B(i)2)", .expected = "", .is_direct = true},
        {.output = "?(F(i)|=)", .expected = "", .is_direct = true},
        {.output = "?(F(i)|B(i))", .expected = "partial@y"},
    };
    effects_expect(rows, sizeof rows / sizeof rows[0]);
}

Test(effects, large_outputs_know_all_or_not_all) {
    enum { LARGE = 100 };
    static const EffectsCase rows[] = {
        {.output = "=", .expected = "", .length = LARGE, .is_direct = true},
        {.output = "012", .expected = "partial@y", .length = LARGE},
        {.output = "F(i)", .expected = "partial@y", .length = LARGE},
        {.output = "0r=", .expected = "partial@o1", .length = LARGE},
        {.output = "0a=", .expected = "partial@o1", .length = LARGE},
    };
    effects_expect(rows, sizeof rows / sizeof rows[0]);
}

Test(effects, one_element_is_all) {
    static const EffectsCase rows[] = {
        {.output = "0", .expected = "", .length = 1, .is_direct = true},
        {.output = "0r", .expected = "", .length = 1, .is_direct = true},
    };
    effects_expect(rows, sizeof rows / sizeof rows[0]);
}

Test(effects, calls_give_what_all_their_paths_give) {
    static const EffectsCase rows[] = {
        {.output = "f", .expected = "", .f = "=", .is_direct = true},
        {.output = "f", .expected = "E0723@y", .f = ""},
        {.output = "f", .expected = "E0723@y", .f = "?(=|)"},
        {.output = "f", .expected = "E0723@y", .f = "?(x|)="},
        {.output = "f", .expected = "", .f = "?(=x|)=", .is_direct = true},
        {.output = "0f", .expected = "", .f = "12", .is_direct = true},
        {.output = "f", .expected = "", .f = "g", .g = "=", .is_direct = true},
        {.output = "?(f|=)", .expected = "", .f = "=", .is_direct = true},
        {.output = "F(f)", .expected = "", .f = "=", .is_direct = true},
        {.output = "?(f|)", .expected = "E0723@y", .f = "="},
    };
    effects_expect(rows, sizeof rows / sizeof rows[0]);
}

Test(effects, reads_in_calls) {
    static const EffectsCase rows[] = {
        {.output = "f=", .expected = "E0722@f0", .f = "r"},
        {.output = "=f", .expected = "", .f = "r", .is_direct = true},
        {.output = "0f=", .expected = "partial@f0", .f = "r"},
        {.output = "f=", .expected = "E0722@g0", .f = "g", .g = "r"},
        {.output = "f=", .expected = "partial@g0", .f = "0g", .g = "r"},
        {.output = "12f=", .expected = "", .f = "0g", .g = "r", .is_direct = true},
        {.output = "0f=", .expected = "partial@f1", .f = "ar"},
        {.output = "0f=", .expected = "", .f = "a", .is_direct = true},
        {.output = "f", .expected = "", .f = "=r", .is_direct = true},
        {.output = "f", .expected = "E0722@f0", .f = "+"},
        {.output = "=ff", .expected = "", .f = "+", .is_direct = true},
        {.output = "ff=", .expected = "E0722@f0", .f = "r"},
    };
    effects_expect(rows, sizeof rows / sizeof rows[0]);
}

Test(effects, cycles) {
    static const EffectsCase rows[] = {
        {.init = "r", .expected = "E0723@y E0722@i0", .output = ""},
        // With feedthrough nothing is kept.
        {.init = "=", .output = "", .expected = "E0723@y"},
        {.init = "=", .output = "r=", .expected = "E0722@o0"},
        {.init = "=", .expected = "E0723@y"},
        {.init = "=", .output = "=", .expected = ""},
        {.output = "=", .update = "r", .expected = ""},
        {.output = "0", .update = "r", .expected = "partial@y"},
        // Without feedthrough it is.
        {.init = "=", .output = "r", .update = "=", .expected = "", .without_feedthrough = true},
        {.init = "=", .expected = "", .without_feedthrough = true},
        {.init = "0", .output = "", .expected = "partial@y", .without_feedthrough = true},
        {.init = "?(=|)", .output = "", .expected = "E0723@y", .without_feedthrough = true},
        {.output = "r", .update = "=", .expected = "E0722@o0", .without_feedthrough = true},
        {.output = "", .update = "=", .expected = "E0723@y", .without_feedthrough = true},
        {.update = "=", .expected = "E0723@y", .without_feedthrough = true},
    };
    effects_expect(rows, sizeof rows / sizeof rows[0]);
}

Test(effects, access) {
    static const EffectsCase rows[] = {
        {.output = "=u", .expected = "", .is_direct = true},
        {.output = "=u",
         .expected = "E0721@o0 E0721@o1",
         .without_feedthrough = true,
         .is_direct = true},
        {.init = "=u", .output = "", .update = "=u", .expected = "", .without_feedthrough = true},
        {.output = "=", .update = "=+u", .expected = "E0721@u0 E0721@u1"},
        {.init = "=", .output = "f", .f = "u", .expected = "E0721@f0", .without_feedthrough = true},
        {.init = "=",
         .output = "f",
         .update = "f",
         .f = "g",
         .g = "u=",
         .expected = "E0721@g0 E0721@g1",
         .without_feedthrough = true},
        // Allowed from init_fnc and update_fnc.
        {.init = "f",
         .output = "r",
         .update = "f",
         .f = "u=",
         .expected = "",
         .without_feedthrough = true},
        // What may not be assigned is not missed as well.
        {.output = "", .update = "=", .expected = "E0721@u0"},
        {.output = "r", .update = "=", .expected = "E0721@u0"},
    };
    effects_expect(rows, sizeof rows / sizeof rows[0]);
}

Test(effects, direct_outputs_belong_to_output_fnc_alone) {
    static const EffectsCase rows[] = {
        {.init = "=", .output = "=", .expected = ""},
        {.output = "=", .update = "r", .expected = ""},
        {.output = "f=", .update = "f", .f = "", .expected = "", .is_direct = true},
        {.output = "=f", .update = "f", .f = "r", .expected = ""},
        // A function that nothing calls.
        {.output = "=", .f = "r", .expected = ""},
    };
    effects_expect(rows, sizeof rows / sizeof rows[0]);
}

static void expect_path(EffectsCase test, const char *notes) {
    EffectsSample *sample = effects_sample_create(&test);
    effects_sample_messages(sample);
    cr_expect_str_eq(effects_sample_notes(sample, 0), notes);
    effects_sample_destroy(sample);
}

Test(effects, notes_name_the_path_of_calls) {
    expect_path((EffectsCase){.output = "=u", .without_feedthrough = true}, "");
    expect_path(
        (EffectsCase){.output = "f", .f = "g", .g = "u", .init = "=", .without_feedthrough = true},
        "o0 f0");
    // The shortest one.
    expect_path(
        (EffectsCase){.output = "fg", .f = "g", .g = "u", .init = "=", .without_feedthrough = true},
        "o1");
    expect_path((EffectsCase){.output = "f", .f = "?(|g)", .g = "r"}, "o0 f3");
    // What calls init_fnc has no place in the source.
    expect_path((EffectsCase){.output = "=", .init = "f", .f = "g", .g = "r"}, "f0");
}
