// Which loops may run side by side, and what stands against the others: the last loop of a function
// `f`, whose body is written as in the source.
#include "tir_sample.h"

#include "parser/parse.h"
#include "sema/check.h"
#include "support/context.h"
#include "tir/lanes_loop.h"
#include "tir/lanes_values.h"
#include "tir/passes/passes.h"
#include "tir/ranges.h"
#include "tir/uses.h"
#include "tir/visit.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

typedef struct Loop {
    Arena *arena;
    TirFunction *function;
    TirStmt *stmt; // the outermost one that was seen last
    const char *obstacle;
} Loop;

static bool see_loop(Ranges *ranges, TirStmt *stmt, void *data) {
    Loop *loop = data;
    loop->stmt = stmt;
    uint32_t *uses = tir_count_mentions(loop->arena, loop->function, &loop->function->body);
    size_t count = loop->function->vars.count;
    Interval *before = ARENA_ARRAY(loop->arena, Interval, count);
    memcpy(before, ranges->vars, count * sizeof(*before));
    loop->obstacle = lanes_loop_obstacle(loop->arena, uses, ranges->vars, stmt);
    cr_expect_arr_eq(ranges->vars, before, count * sizeof(*before));
    return true;
}

static Loop loop_of(Context *context, const char *body) {
    char text[2000];
    snprintf(text, sizeof(text),
             "tensor<int, 24> g = 1\n"
             "fn f(tensor<int, 24> x, tensor<real, 24> r, tensor<int, 4, 24> m, int k):\n"
             "y = x\nw = m\nb = x > 3\n%send\n"
             "f(iota(24), iota(24) * 0.5, reshape(iota(96), 4, 24), 3)\n",
             body);
    SourceFile *source = sources_add(context->sources, "test.tml", text, strlen(text));
    TirProgram *program = check_program(context, parse_file(context, source), &(CheckOptions){0});
    cr_assert(program != NULL && context->diags->error_count == 0, "%s", text);
    Tir tir = {.arena = context->arena, .types = program->types, .names = context->names};
    Loop loop = {.arena = context->arena, .function = program->functions.items[0]};
    pass_hoist(&tir, loop.function);
    RangesVisitor visitor = {.loop = see_loop, .data = &loop};
    Ranges ranges;
    ranges_walk_function(&ranges, context->arena, loop.function, &visitor);
    cr_assert_not_null(loop.stmt, "%s", text);
    return loop;
}

static void expect(const char *body, const char *obstacle) {
    Context *context = context_create();
    const char *found = loop_of(context, body).obstacle;
    cr_expect_str_eq(found == NULL ? "none" : found, obstacle, "%s", body);
    context_destroy(context);
}

Test(lanes_loop, turns_that_do_not_depend_on_each_other) {
    expect("for i = 0:24:\n y[i] = x[i] + x[5] + g[3]\nend\n", "none");
    expect("for i = max(k, 2):min(k, 23):\n v = x[i - 2]\n y[i + 1] = v * y[i + 1]\nend\n", "none");
    expect("for i = 0:23:\n y[1 + i] = x[1 * i] + x[i * 1] - y[i + 2 - 1]\nend\n", "none");
    expect("for i = 0:23:\n y[i + 1] += x[i]\n int q = 2 + i - 1\n y[q] = x[q] + 1\nend\n", "none");
    expect("for i = 0:24:\n for j = 3:0:-1:\n w[j, i] = w[j - 1, i] / 3\n end\nend\n", "none");
    expect("for i = 0:24:\n v = x[i]\n while v > k:\n v -= i\n if v == 2:\n break\n end\n"
           " end\n if v > 2:\n continue\n end\n g[i] = v\nend\n",
           "none");
    expect("for i = 0:24:\n if x[i] > 2:\n v = 1\n else:\n v = 2\n end\n y[i] = 3\nend\n", "none");
}

Test(lanes_loop, values_of_other_turns) {
    static const char *const uses = "a scalar is used outside of the loop";
    static const char *const goes = "a value goes from one turn to the next";
    static const char *const moves = "an array is written and read at different elements";
    static const char *const place =
        "an array is written, and not always at the loop's variable in one dim";
    expect("s = 0\nfor i = 0:24:\n s = s + x[i]\n y[i] = s\nend\n", goes);
    expect("s = 0\nfor i = 0:24:\n s = x[i]\nend\nprint(s)\n", uses);
    expect("s = 0\nfor i = 0:24:\n if x[i] > 2:\n s = 4\n end\n y[i] = 1\nend\n", uses);
    expect("for i = 1:24:\n y[i] = y[i - 1]\nend\n", moves);
    expect("for i = 0:23:\n y[i] = x[i]\n y[i + 1] = 2\nend\n", moves);
    expect("for i = 0:24:\n y[2] = x[i]\nend\n", place);
    expect("for i = 0:24:\n y[i] = y[2]\nend\n", place);
    expect("for i = 0:20:\n for j = 0:4:\n y[i + j] = x[i]\n end\nend\n", place);
    expect("int q = 3\nfor i = 0:20:\n q = i + 1\n y[q] = y[2]\nend\n", uses);
    expect("for i = 0:20:\n for j = 0:4:\n q = i + j\n y[q] = 1\n end\nend\n",
           "an index that may be outside in some lane");
    expect("for i = 0:20:\n q = i + 1\n if x[i] > 3:\n q = i + 2\n end\n y[q] = 1\nend\n",
           "an index that may be outside in some lane");
    expect("for i = 0:20:\n q = i + x[i] % 3 + 2\n y[q] = 1\nend\n",
           "an index that may be outside in some lane");
    expect("for i = 0:24:\n y[i] = y[i] + i\n y[k % 1 + i] = 3\nend\n", place);
    expect("for i = 0:12:\n y[i] = y[2 * i]\nend\n", place);
    expect("for i = 0:24:\n y[i] = y[min(max(x[i], 0), 23)]\nend\n", place);
    expect("for i = 0:4:\n w[i, i] = 1\nend\n", place);
    expect("for i = 0:4:\n w[i, 3] = w[3, i]\nend\n", moves);
}

Test(lanes_loop, totals) {
    static const char *const goes = "a value goes from one turn to the next";
    static const char *const place =
        "an array is written, and not always at the loop's variable in one dim";
    expect("s = 0\nfor i = 0:24:\n s = s + x[i]\nend\nprint(s)\n", "none");
    expect("s = 0.0\nfor i = 0:24:\n s = r[i] * s\nend\nprint(s)\n", "none");
    expect("s = 0.0\nfor i = 0:24:\n if r[i] > 2:\n s += r[i]\n continue\n end\n s *= 2\nend\n",
           "none");
    expect("for i = 0:24:\n y[2] += x[i]\n y[3] -= i\n w[1, 2] += 1\nend\n", "none");
    expect("s = 0.0\nfor i = 0:24:\n s = r[i] - s\nend\n", goes);
    expect("s = 0.0\nfor i = 0:24:\n s = s / 2\nend\n", goes);
    expect("s = 0.0\nfor i = 0:24:\n s += s * r[i]\nend\n", goes);
    expect("s = 1\nfor i = 0:24:\n s *= 3\n s += x[i]\nend\n", goes);
    expect("s = 0.0\nfor i = 0:24:\n for j = 0:24:\n s += r[j]\n end\nend\n", goes);
    expect("s = 0.0\nt = 0.0\nfor i = 0:24:\n s += r[i]\n t += s\nend\n", goes);
    expect("for i = 0:24:\n y[2] += x[i]\n y[i] = 3\nend\n", place);
    expect("for i = 0:24:\n y[k] += x[i]\nend\n", "an index that may be outside in some lane");
    expect("for i = 0:24:\n y[2] += y[3]\nend\n", place);
}

Test(lanes_loop, records) {
    static const char *const uses = "a scalar is used outside of the loop";
    static const char *const goes = "a value goes from one turn to the next";
    expect("s = 0.5\nfor i = 0:24:\n if r[i] > s:\n s = r[i]\n end\nend\nprint(s)\n", "none");
    expect("s = 0.5\nfor i = 0:24:\n if s >= r[i]:\n s = r[i]\n k2 = i\n end\nend\nprint(s)\n",
           "none");
    expect("s = 0\nat = 0\nfor i = 0:24:\n if x[i] < s:\n at = i\n s = x[i]\n end\nend\n"
           "print(s, at)\n",
           "none");
    expect("s = 0\nfor i = 0:24:\n if x[i] < s:\n s = 2 * x[i]\n end\nend\n", goes);
    expect("s = 0\nfor i = 0:24:\n if x[i] <= s:\n s = x[i]\n end\nend\n", goes); // of ints
    expect("s = 0\nfor i = 0:24:\n if x[i] != s:\n s = x[i]\n end\nend\n", goes);
    expect("s = 0\nfor i = 0:24:\n if x[i] > s:\n s = x[i]\n else:\n y[i] = 1\n end\nend\n", goes);
    expect("s = 0\nfor i = 0:24:\n if x[i] > s:\n s = x[i]\n y[i] = 1\n end\nend\n", goes);
    expect("s = 0\nfor i = 0:24:\n if x[i] > s:\n s = x[i] + s\n end\nend\n", goes);
    expect("s = 0\nfor i = 0:24:\n if x[i] + s > s:\n s = x[i]\n end\nend\n", goes);
    expect("s = 0\nfor i = 0:24:\n if x[i] > s:\n s = x[i]\n end\n y[i] = s\nend\n", goes);
    expect("s = 0\nfor i = 0:24:\n if x[i] > 3:\n s = x[i]\n end\nend\nprint(s)\n", uses);
    expect("s = 0\nfor i = 0:24:\n for j = 0:24:\n if x[j] > s:\n s = x[j]\n end\n end\nend\n",
           goes);
}

// Scalars that have no value, which no source makes.

typedef struct Made {
    Sample *sample;
    TirStmt *loop;
    TirExpr *v, *place, *condition;
} Made;

// for i = 0:24: ... y[i] = v
static Made begin_loop(void) {
    Sample *sample = sample_create();
    Made made = {.sample = sample};
    TirExpr *y = sample_vector(sample, "y", 24);
    const Type *real = sample_scalar(sample, ROOT_REAL);
    made.v = sample_read(sample, sample_local(sample, "v", real));
    TirStmt *loop = tir_stmt(&sample->tir, sample->block, STMT_FOR, (Span){0, 0});
    loop->for_loop.var = tir_var_create(&sample->tir, sample->main, VAR_LOOP, NULL,
                                        sample_scalar(sample, ROOT_INT), (Span){0, 0});
    loop->for_loop.first = sample_int(sample, 0);
    loop->for_loop.last = sample_int(sample, 24);
    loop->for_loop.step = sample_int(sample, 1);
    made.loop = loop;
    made.place = sample_element(sample, y, sample_read(sample, loop->for_loop.var));
    made.condition = sample_less(sample, made.place, sample_real(sample, 1.0));
    sample->block = &loop->for_loop.body;
    return made;
}

static TirStmt *begin_if(Made *made) {
    TirStmt *branch = tir_stmt(&made->sample->tir, made->sample->block, STMT_IF, (Span){0, 0});
    branch->branch.condition = made->condition;
    return branch;
}

static void set_v(Made *made, TirBlock *block) {
    made->sample->block = block;
    sample_set(made->sample, made->v, sample_real(made->sample, 2.0));
    made->sample->block = &made->loop->for_loop.body;
}

static void jump(Made *made, TirBlock *block, TirStmtKind kind) {
    tir_stmt(&made->sample->tir, block, kind, (Span){0, 0});
}

static void expect_value(Made *made, bool has_value) {
    Sample *sample = made->sample;
    sample_set(sample, made->place, made->v);
    sample_expect_valid(sample);
    Loop loop = {.arena = sample->tir.arena, .function = sample->main};
    RangesVisitor visitor = {.loop = see_loop, .data = &loop};
    Ranges ranges;
    ranges_walk_function(&ranges, loop.arena, loop.function, &visitor);
    cr_expect_str_eq(loop.obstacle == NULL ? "none" : loop.obstacle,
                     has_value ? "none" : "a value goes from one turn to the next");
    sample_destroy(sample);
}

Test(lanes_loop, a_value_on_every_path) {
    Made none = begin_loop(); // it is the same in all turns
    expect_value(&none, true);

    Made one = begin_loop();
    set_v(&one, &begin_if(&one)->branch.then);
    expect_value(&one, false);

    Made both = begin_loop();
    TirStmt *branch = begin_if(&both);
    set_v(&both, &branch->branch.then);
    set_v(&both, &branch->branch.otherwise);
    expect_value(&both, true);

    Made left = begin_loop();
    branch = begin_if(&left);
    set_v(&left, &branch->branch.then);
    jump(&left, &branch->branch.otherwise, STMT_CONTINUE);
    expect_value(&left, true);

    Made right = begin_loop();
    branch = begin_if(&right);
    jump(&right, &branch->branch.then, STMT_CONTINUE);
    set_v(&right, &branch->branch.otherwise);
    expect_value(&right, true);

    Made never = begin_loop();
    branch = begin_if(&never);
    set_v(&never, &branch->branch.then);
    jump(&never, &branch->branch.then, STMT_CONTINUE);
    expect_value(&never, false);

    Made inside = begin_loop();
    TirStmt *loop = tir_stmt(&inside.sample->tir, inside.sample->block, STMT_WHILE, (Span){0, 0});
    loop->while_loop.condition = inside.condition;
    set_v(&inside, &loop->while_loop.body);
    expect_value(&inside, false);

    Made before = begin_loop();
    loop = tir_stmt(&before.sample->tir, before.sample->block, STMT_WHILE, (Span){0, 0});
    loop->while_loop.condition = before.condition;
    set_v(&before, &loop->while_loop.before);
    expect_value(&before, true);
}

Test(lanes_loop, what_lanes_gather) {
    expect("for i = 0:12:\n y[i] = x[2 * i]\nend\n", "none");
    expect("for i = 0:24:\n y[i] = x[23 - i]\nend\n", "none");
    expect("for i = 0:24:\n y[i] = x[min(max(x[i], 0), 23)]\nend\n", "none");
    expect("for i = 0:24:\n y[i] = m[i % 4, 3]\nend\n", "none");
    expect("for i = 0:4:\n w[i, 3] = w[i, k % 2 + 1] + m[i, 2]\nend\n", "none");
}

Test(lanes_loop, what_lanes_cannot_read) {
    expect("for i = 0:12:\n y[i] = int(b[2 * i])\nend\n", "elements that do not lie side by side");
    expect("for i = 0:24:\n y[i] = x[x[i]]\nend\n", "an index that may be outside in some lane");
    expect("for i = 0:24:\n y[i] = x[i * 2000000000]\nend\n",
           "an index that may be outside in some lane");
    expect("for i = 0:24:\n if i > 0:\n y[i] = x[i - 1]\n end\nend\n",
           "an index that may be outside in some lane");
    expect("for i = 0:24:\n y[i] = x[k]\nend\n", "an index that may be outside in some lane");
    expect("for i = 0:24:\n y[i] = x[i] / k\nend\n", "a division that may trap");
    expect("for i = 0:24:\n y[i] = int(exp(r[i]))\nend\n", "a function of the C library");
    expect("for i = 0:24:\n y[i] = sum(x)\nend\n", "an expression of arrays");
}

Test(lanes_loop, what_goes_on_in_order) {
    expect("for i = 0:24:\n if x[i] == 3:\n break\n end\n y[i] = 1\nend\n",
           "a break ends all later turns");
    expect("for i = 0:24:\n if x[i] == 3:\n return\n end\n y[i] = 1\nend\n",
           "a return ends all later turns");
    expect("for i = 0:24:\n print(i)\nend\n", "an effect");
    expect("for i = 0:24:2:\n y[i] = 1\nend\n", "a step other than 1");
    expect("for i = 23:-1:-1:\n y[i] = 1\nend\n", "a step other than 1");
    expect("for i = 0:24:\n for j = 0:i:\n y[i] = 1\n end\nend\n",
           "an inner loop whose bounds differ from turn to turn");
    expect("for i = 0:24:\n for j = 0:4:k:\n y[i] = 1\n end\nend\n",
           "an inner loop whose bounds differ from turn to turn");
}

// What lanes keep.

typedef struct Search {
    const char *name;
    const LanesValues *values;
    const TirVar *var;
    Buffer kept; // for each assignment to it, in order: k or g
} Search;

static void note_sets(Search *search, TirBlock *block) {
    for (size_t i = 0; i < block->count; i++) {
        TirStmt *stmt = block->items[i];
        if (stmt->kind == STMT_SET && stmt->set.place->kind == EXPR_VAR &&
            strcmp(stmt->set.place->var->name->text, search->name) == 0) {
            bool keeps = lanes_values_keep(search->values, stmt->set.place->var, block);
            buffer_text(&search->kept, keeps ? "k" : "g");
        }
        TirBlock *nested[2];
        size_t count = tir_stmt_blocks(stmt, nested);
        for (size_t k = 0; k < count; k++) {
            note_sets(search, nested[k]);
        }
    }
}

// Of each assignment to `v` in the loop, whether it must keep (k) the values of lanes that are not
// active, or lets them go (g).
static void expect_kept(const char *body, const char *kept) {
    Context *context = context_create();
    Loop loop = loop_of(context, body);
    cr_assert_null(loop.obstacle, "%s", body);
    LanesValues values = lanes_values(loop.arena, loop.stmt);
    Search search = {.name = "v", .values = &values};
    note_sets(&search, &loop.stmt->for_loop.body);
    cr_expect_str_eq(search.kept.data, kept, "%s", body);
    buffer_free(&search.kept);
    context_destroy(context);
}

Test(lanes_values, of_one_block_end_with_it) {
    expect_kept("for i = 0:24:\n v = x[i]\n v = v + 1\n y[i] = v\nend\n", "gg");
    expect_kept("for i = 0:24:\n if x[i] > 2:\n int v = x[i]\n v = v + 1\n y[i] = v\n end\nend\n",
                "gg");
    expect_kept("for i = 0:24:\n n = 0\n while n < x[i]:\n int v = n + 1\n n = v\n end\n"
                " y[i] = n\nend\n",
                "g");
    expect_kept("for i = 0:24:\n v = 1\n if x[i] > 2:\n v = 2\n end\n y[i] = v\nend\n", "gk");
}

Test(lanes_values, of_one_inner_loop_do_not_matter_behind_it) {
    expect_kept("for i = 0:24:\n n = 0\n v = 0\n while v < x[i]:\n v += 2\n n += 1\n end\n"
                " y[i] = n\nend\n",
                "gg");
    expect_kept("for i = 0:24:\n n = 0\n v = 0\n for j = 0:3:\n v += j\n n += v\n end\n"
                " y[i] = n\nend\n",
                "gg");
    expect_kept("for i = 0:24:\n n = 0\n q = 0\n v = 0\n while n < x[i]:\n n += 1\n"
                " if n > 2:\n q = v\n end\n v = n\n end\n y[i] = q\nend\n",
                "gg");
    // Read behind the loop; assigned under a condition; with a `continue`; kept from run to run.
    expect_kept("for i = 0:24:\n v = 0\n while v < x[i]:\n v += 2\n end\n y[i] = v\nend\n", "gk");
    expect_kept("for i = 0:24:\n n = 0\n v = 0\n while v < x[i] + n:\n n -= 1\n"
                " if n < -2:\n v += 2\n end\n end\n y[i] = n\nend\n",
                "gk");
    expect_kept("for i = 0:24:\n n = 0\n v = 0\n while v < x[i]:\n n += 1\n if n == 2:\n"
                " continue\n end\n v += 2\n end\n y[i] = n\nend\n",
                "gk");
    expect_kept("for i = 0:24:\n n = 0\n v = 0\n for j = 0:3:\n while v < x[i] + j:\n v += 2\n"
                " n += 1\n end\n end\n y[i] = n\nend\n",
                "gk");
}
