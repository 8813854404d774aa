// The oracle against itself: a program means the same before and after the passes, and after them
// its statements may be executed element by element.
#include "eval/eval.h"
#include "random_tir.h"
#include "tests/seed.h"
#include "tir/passes/passes.h"
#include "tir/print.h"
#include "tir/verify.h"

#include <criterion/criterion.h>

typedef struct Result {
    Buffer printed;
    bool done;
} Result;

static Result run(const TirProgram *program, bool element_by_element) {
    RefEvalIo io = {.element_by_element = element_by_element};
    RefFault fault;
    Result result = {0};
    result.done = ref_eval_run(program, &io, &result.printed, &fault);
    buffer_append(&result.printed, "", 0);
    return result;
}

static void expect_same(const TirProgram *program, unsigned seed, const char *way,
                        const Result *expected, Result actual) {
    if (actual.done != expected->done || actual.printed.len != expected->printed.len ||
        strncmp(actual.printed.data, expected->printed.data, expected->printed.len) != 0) {
        Buffer text = {0};
        tir_print_program(&text, program);
        cr_assert_fail("seed %u, %s:\n%s\nprinted (%d):\n%s\ninstead of (%d):\n%s", seed, way,
                       text.data, actual.done, actual.printed.data, expected->done,
                       expected->printed.data);
    }
    buffer_free(&actual.printed);
}

// Whether the program ran without a trap.
static bool check_seed(unsigned seed) {
    Arena *arena = arena_create();
    Tir tir = {.arena = arena, .types = types_create(arena), .names = names_create(arena)};
    tir.single = seed % 8 == 0;
    TirProgram *program = random_tir_program(&tir, seed, 2 + seed % 4);
    Buffer finds = {0};
    cr_assert(tir_verify(program, &finds), "seed %u: %s", seed, finds.data);
    buffer_free(&finds);
    Result expected = run(program, false);
    passes_run(&tir, program, &(PassOptions){.opt_level = 2, .verify = true});
    expect_same(program, seed, "after the passes", &expected, run(program, false));
    expect_same(program, seed, "element by element", &expected, run(program, true));
    bool done = expected.done;
    buffer_free(&expected.printed);
    arena_destroy(arena);
    return done;
}

// Another fifth of them each day.
Test(random_tir, passes_keep_the_meaning, .timeout = 120) {
    enum { DAYS = 5, SEEDS = RANDOM_TIR_PROGRAMS / DAYS };
    uint64_t day = 0;
    cr_assert(seed_of_today(&day));
    unsigned done = 0;
    for (unsigned k = 0; k < SEEDS; k++) {
        done += check_seed(1 + DAYS * k + (unsigned)(day % DAYS));
    }
    cr_assert_gt(done, SEEDS / 4, "only %u programs ran to their end", done);
    cr_assert_lt(done, SEEDS, "no program trapped");
}
