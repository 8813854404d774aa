// pass_storage on programs made by hand: which arrays go on the stack, which share memory and which
// must not, where frames of called functions begin, and the counts of bytes. Offsets are compared
// with each other, seldom with numbers.
#include "tir_sample.h"

#include "tir/passes/passes.h"

#include <criterion/criterion.h>

enum { BIG = 1000 }; // reals in an array that does not go on the stack

static TirVar *sized(Sample *sample, const char *name, uint32_t reals) {
    return sample_local(sample, name, sample_tensor(sample, reals, 0, 0));
}

static TirVar *big(Sample *sample, const char *name) {
    return sized(sample, name, BIG);
}

static void set_zero(Sample *sample, TirVar *var) {
    sample_set(sample, sample_read(sample, var),
               sample_fill(sample, sample_real(sample, 0), var->type->numel));
}

static void copy(Sample *sample, TirVar *to, TirVar *from) {
    sample_set(sample, sample_read(sample, to), sample_read(sample, from));
}

static void plan(Sample *sample) {
    sample_expect_valid(sample);
    pass_storage(&sample->tir, &sample->program);
}

static bool overlap(const TirVar *a, const TirVar *b) {
    return a->offset < b->offset + b->type->numel * 8 && b->offset < a->offset + a->type->numel * 8;
}

Test(pass_storage, storage_by_kind_and_size) {
    Sample *sample = sample_create();
    TirVar *scalar = sample_local(sample, "s", sample_scalar(sample, ROOT_INT));
    TirVar *small = sample_local(sample, "small", sample_tensor(sample, 512, 0, 0));
    TirVar *large = sample_local(sample, "large", sample_tensor(sample, 513, 0, 0));
    TirVar *unused = big(sample, "unused");
    TirVar *param = sample_param(sample, sample->main, "p", small->type);
    sample_set(sample, sample_read(sample, scalar), sample_int(sample, 1));
    copy(sample, small, param);
    set_zero(sample, large);
    plan(sample);
    cr_assert_eq(scalar->storage, STORAGE_REGISTER);
    cr_assert_eq(small->storage, STORAGE_STACK);
    cr_assert_eq(large->storage, STORAGE_SCRATCH);
    cr_assert_eq(unused->storage, STORAGE_NONE);
    cr_assert_eq(param->storage, STORAGE_ARGUMENT);
    cr_assert_eq(sample->main->stack_bytes, 4096);
    cr_assert_eq(sample->program.scratch_bytes, 64 * 65); // 513 reals, rounded up to lines
    sample_destroy(sample);
}

Test(pass_storage, the_stack_of_a_function_is_bounded) {
    Sample *sample = sample_create();
    enum { COUNT = 17 };
    TirVar *vars[COUNT];
    for (int i = 0; i < COUNT; i++) {
        vars[i] = sample_local(sample, "x", sample_tensor(sample, 512, 0, 0));
        set_zero(sample, vars[i]);
    }
    TirVar *little = sized(sample, "little", 8); // also what is short: the stack is full
    set_zero(sample, little);
    plan(sample);
    cr_assert_eq(vars[COUNT - 2]->storage, STORAGE_STACK);
    cr_assert_eq(vars[COUNT - 1]->storage, STORAGE_SCRATCH);
    cr_assert_eq(little->storage, STORAGE_SCRATCH);
    cr_assert_eq(sample->main->stack_bytes, 64 * 1024);
    sample_destroy(sample);
}

// Frames are whole lines, so that those of callers are.
Test(pass_storage, what_is_short_takes_a_line_of_a_frame) {
    Sample *sample = sample_create();
    for (int i = 0; i < 16; i++) {
        set_zero(sample, sized(sample, "x", 512)); // the stack is full
    }
    TirVar *little = sized(sample, "little", 3);
    set_zero(sample, little);
    plan(sample);
    cr_assert_eq(little->storage, STORAGE_SCRATCH);
    cr_assert_eq(sample->program.scratch_bytes, 64);
    sample_destroy(sample);
}

Test(pass_storage, globals_lie_at_aligned_offsets) {
    Sample *sample = sample_create();
    TirVar *flag = sample_global(sample, "flag", sample_scalar(sample, ROOT_BOOL));
    TirVar *real = sample_global(sample, "real", sample_scalar(sample, ROOT_REAL));
    TirVar *count = sample_global(sample, "count", sample_scalar(sample, ROOT_INT));
    TirVar *line = sample_global(sample, "line", sample_tensor(sample, 8, 0, 0));
    plan(sample);
    cr_assert_eq(flag->offset, 0);
    cr_assert_eq(real->offset, 8);
    cr_assert_eq(count->offset, 16);
    cr_assert_eq(line->offset, 64);
    cr_assert_eq(line->storage, STORAGE_STATE);
    cr_assert_eq(sample->program.state_bytes, 128);
    sample->tir.single = true;
    pass_storage(&sample->tir, &sample->program);
    cr_assert_eq(real->offset, 4);
    cr_assert_eq(line->offset, 12); // half a line of singles
    sample_destroy(sample);
}

Test(pass_storage, arrays_that_are_never_alive_together_share_memory) {
    Sample *sample = sample_create();
    TirVar *a = big(sample, "a");
    TirVar *b = big(sample, "b");
    TirVar *c = big(sample, "c");
    set_zero(sample, a);
    copy(sample, b, a);
    copy(sample, c, b);
    plan(sample);
    cr_assert(!overlap(a, b));
    cr_assert(!overlap(b, c));
    cr_assert_eq(a->offset, c->offset);
    cr_assert_eq(sample->program.scratch_bytes, 2 * BIG * 8);
    sample_destroy(sample);
}

// Its sets run together: what the first one reads last is not free for what the second one writes.
Test(pass_storage, arrays_of_a_nest_are_alive_together) {
    Sample *sample = sample_create();
    TirVar *read = big(sample, "read");
    TirVar *written = big(sample, "written");
    TirVar *other = big(sample, "other");
    TirVar *never = big(sample, "never");
    never->storage = STORAGE_ELEMENT;
    set_zero(sample, read);
    TirStmt *nest = tir_stmt(&sample->tir, sample->block, STMT_NEST, (Span){0});
    nest->nest = (TirBlock){0};
    TirBlock *outer = sample->block;
    sample->block = &nest->nest;
    copy(sample, written, read);
    copy(sample, never, written);
    copy(sample, other, never);
    sample->block = outer;
    copy(sample, read, other);
    plan(sample);
    cr_assert_not(overlap(read, other));
    cr_assert_not(overlap(written, other));
    cr_assert_not(overlap(written, read));
    cr_assert_eq(never->storage, STORAGE_ELEMENT);
    cr_assert_eq(sample->program.scratch_bytes, 3 * BIG * 8);
    sample_destroy(sample);
}

Test(pass_storage, the_order_is_that_of_the_uses) {
    Sample *sample = sample_create();
    TirVar *third = big(sample, "third");
    TirVar *second = big(sample, "second");
    TirVar *first = big(sample, "first");
    set_zero(sample, first);
    copy(sample, second, first);
    copy(sample, third, second);
    plan(sample);
    cr_assert_eq(first->offset, 0);
    cr_assert_eq(third->offset, 0);
    cr_assert_eq(sample->program.scratch_bytes, 2 * BIG * 8);
    sample_destroy(sample);
}

// Both sizes lie between the same powers of two.
Test(pass_storage, memory_that_is_too_short_is_not_taken) {
    Sample *sample = sample_create();
    TirVar *shorter = sized(sample, "shorter", 600);
    TirVar *longer = sized(sample, "longer", 900);
    TirVar *next = sized(sample, "next", 900);
    set_zero(sample, shorter);
    set_zero(sample, longer);
    copy(sample, next, longer);
    plan(sample);
    cr_assert(!overlap(longer, next));
    cr_assert_eq(sample->program.scratch_bytes, 64 * 75 + 2 * 64 * 113);
    sample_destroy(sample);
}

// What is left of a piece is memory too.
Test(pass_storage, memory_that_is_too_long_is_split) {
    Sample *sample = sample_create();
    TirVar *longer = sized(sample, "longer", 2400);
    TirVar *parts[2] = {sized(sample, "x", 1200), sized(sample, "y", 1200)};
    set_zero(sample, longer);
    set_zero(sample, parts[0]);
    copy(sample, parts[1], parts[0]);
    plan(sample);
    cr_assert_eq(longer->offset, 0);
    cr_assert_eq(parts[0]->offset, 0);
    cr_assert_eq(parts[1]->offset, 1200 * 8);
    cr_assert_eq(sample->program.scratch_bytes, 2400 * 8);
    sample_destroy(sample);
}

// What is left is as long as it is.
Test(pass_storage, what_is_left_may_be_too_short) {
    Sample *sample = sample_create();
    TirVar *longer = sized(sample, "longer", 2400);
    TirVar *part = sized(sample, "part", 1200);
    TirVar *next = sized(sample, "next", 1800);
    set_zero(sample, longer);
    set_zero(sample, part);
    set_zero(sample, next);
    sample_print(sample, sample_read(sample, part));
    plan(sample);
    cr_assert_eq(part->offset, 0);
    cr_assert_eq(next->offset, 2400 * 8);
    cr_assert_eq(sample->program.scratch_bytes, 4200 * 8);
    sample_destroy(sample);
}

Test(pass_storage, memory_is_taken_once) {
    Sample *sample = sample_create();
    TirVar *before = big(sample, "before");
    TirVar *pair[2] = {big(sample, "x"), big(sample, "y")};
    set_zero(sample, before);
    set_zero(sample, pair[0]);
    copy(sample, pair[1], pair[0]);
    plan(sample);
    cr_assert_eq(pair[0]->offset, before->offset);
    cr_assert(!overlap(pair[0], pair[1]));
    sample_destroy(sample);
}

// while true: temp = carried; carried = temp; and after the loop, last = 0.
Test(pass_storage, what_a_loop_carries_lives_through_the_whole_loop) {
    Sample *sample = sample_create();
    TirVar *carried = big(sample, "carried");
    TirVar *before = big(sample, "before");
    TirVar *early = big(sample, "early");
    TirVar *late = big(sample, "late");
    TirVar *last = big(sample, "last");
    set_zero(sample, carried);
    set_zero(sample, before);
    TirStmt *loop = tir_stmt(&sample->tir, sample->block, STMT_WHILE, (Span){0, 0});
    loop->while_loop.condition = sample_bool(sample, true);
    sample->block = &loop->while_loop.body;
    copy(sample, early, before);
    copy(sample, carried, early);
    copy(sample, late, carried);
    copy(sample, carried, late);
    sample->block = &sample->main->body;
    set_zero(sample, last);
    plan(sample);
    cr_assert(!overlap(carried, before) && !overlap(carried, early) && !overlap(carried, late));
    cr_assert(!overlap(before, early) && !overlap(before, late)); // read again in the next turn
    cr_assert_eq(early->offset, late->offset);                    // new in each turn
    cr_assert(overlap(last, carried) || overlap(last, before) || overlap(last, early));
    sample_destroy(sample);
}

// while true: kept = before; then two more arrays begin while kept lives, and before is read again
// in the next turn.
Test(pass_storage, what_a_loop_reads_lives_to_its_end) {
    Sample *sample = sample_create();
    TirVar *before = big(sample, "before");
    TirVar *kept = big(sample, "kept");
    TirVar *late = big(sample, "late");
    set_zero(sample, before);
    TirStmt *loop = tir_stmt(&sample->tir, sample->block, STMT_WHILE, (Span){0, 0});
    loop->while_loop.condition = sample_bool(sample, true);
    sample->block = &loop->while_loop.body;
    copy(sample, kept, before);
    set_zero(sample, late);
    copy(sample, late, kept);
    plan(sample);
    cr_assert(!overlap(before, kept) && !overlap(before, late) && !overlap(kept, late));
    sample_destroy(sample);
}

// while true: if true: some = 0 end; read = some. In a turn that passes by the branch, some has the
// value of the turn before.
Test(pass_storage, what_a_branch_writes_is_carried_beyond_it) {
    Sample *sample = sample_create();
    TirVar *some = big(sample, "some");
    TirVar *read = big(sample, "read");
    TirVar *late = big(sample, "late");
    TirStmt *loop = tir_stmt(&sample->tir, sample->block, STMT_WHILE, (Span){0, 0});
    loop->while_loop.condition = sample_bool(sample, true);
    TirStmt *branch = tir_stmt(&sample->tir, &loop->while_loop.body, STMT_IF, (Span){0, 0});
    branch->branch.condition = sample_bool(sample, true);
    sample->block = &branch->branch.then;
    set_zero(sample, some);
    sample->block = &loop->while_loop.body;
    copy(sample, read, some);
    set_zero(sample, late);
    copy(sample, late, read);
    plan(sample);
    cr_assert(!overlap(some, read) && !overlap(some, late) && !overlap(read, late));
    sample_destroy(sample);
}

// while true: first = 0; second = first; third = f(). A call gives its result all of its value.
Test(pass_storage, a_result_begins_a_life) {
    Sample *sample = sample_create();
    TirVar *first = big(sample, "first");
    TirVar *second = big(sample, "second");
    TirVar *third = big(sample, "third");
    TirFunction *callee = sample_callee(sample, "f");
    tir_result_create(&sample->tir, callee, third->type, (Span){0, 0});
    tir_set(&sample->tir, &callee->body, sample_read(sample, callee->results.items[0]),
            sample_fill(sample, sample_real(sample, 0), BIG), (Span){0, 0});
    TirStmt *loop = tir_stmt(&sample->tir, sample->block, STMT_WHILE, (Span){0, 0});
    loop->while_loop.condition = sample_bool(sample, true);
    sample->block = &loop->while_loop.body;
    set_zero(sample, first);
    copy(sample, second, first);
    sample_call(sample, callee, NULL, third);
    plan(sample);
    cr_assert(!overlap(first, second));
    cr_assert_eq(sample->program.scratch_bytes, 2 * BIG * 8);
    sample_destroy(sample);
}

Test(pass_storage, a_result_lives_from_its_call_on) {
    Sample *sample = sample_create();
    TirVar *result = big(sample, "result");
    TirVar *between = big(sample, "between");
    TirVar *last = big(sample, "last");
    TirFunction *callee = sample_callee(sample, "f");
    tir_result_create(&sample->tir, callee, result->type, (Span){0, 0});
    tir_set(&sample->tir, &callee->body, sample_read(sample, callee->results.items[0]),
            sample_fill(sample, sample_real(sample, 0), BIG), (Span){0, 0});
    sample_call(sample, callee, NULL, result);
    set_zero(sample, between);
    copy(sample, last, result);
    plan(sample);
    cr_assert(!overlap(result, between));
    cr_assert_eq(last->offset, between->offset);
    sample_destroy(sample);
}

// while true: input first; second = first; third = second.
Test(pass_storage, an_input_begins_a_life) {
    Sample *sample = sample_create();
    TirVar *vars[3] = {big(sample, "first"), big(sample, "second"), big(sample, "third")};
    TirStmt *loop = tir_stmt(&sample->tir, sample->block, STMT_WHILE, (Span){0, 0});
    loop->while_loop.condition = sample_bool(sample, true);
    sample->block = &loop->while_loop.body;
    tir_stmt(&sample->tir, sample->block, STMT_INPUT, (Span){0, 0})->input.var = vars[0];
    copy(sample, vars[1], vars[0]);
    copy(sample, vars[2], vars[1]);
    plan(sample);
    cr_assert(!overlap(vars[0], vars[1]) && !overlap(vars[1], vars[2]));
    cr_assert_eq(vars[0]->offset, vars[2]->offset);
    sample_destroy(sample);
}

// while true: while true: some = 0 end; read = some. The inner loop may not run at all. The block
// that reads stands `depth` levels deep in the outer loop: less deep than the one that writes, as
// deep, and deeper.
static void expect_carried(unsigned depth) {
    Sample *sample = sample_create();
    TirVar *some = big(sample, "some");
    TirVar *read = big(sample, "read");
    TirVar *late = big(sample, "late");
    TirStmt *loop = tir_stmt(&sample->tir, sample->block, STMT_WHILE, (Span){0, 0});
    loop->while_loop.condition = sample_bool(sample, true);
    TirStmt *inner = tir_stmt(&sample->tir, &loop->while_loop.body, STMT_WHILE, (Span){0, 0});
    inner->while_loop.condition = sample_bool(sample, true);
    sample->block = &inner->while_loop.body;
    set_zero(sample, some);
    sample->block = &loop->while_loop.body;
    set_zero(sample, read);
    for (unsigned i = 0; i < depth; i++) {
        TirStmt *branch = tir_stmt(&sample->tir, sample->block, STMT_IF, (Span){0, 0});
        branch->branch.condition = sample_bool(sample, true);
        sample->block = &branch->branch.then;
    }
    copy(sample, read, some);
    sample->block = &loop->while_loop.body;
    set_zero(sample, late);
    copy(sample, late, read);
    plan(sample);
    cr_assert(!overlap(some, read) && !overlap(some, late) && !overlap(read, late));
    sample_destroy(sample);
}

Test(pass_storage, what_an_inner_loop_writes_is_carried_beyond_it) {
    for (unsigned depth = 0; depth < 3; depth++) {
        expect_carried(depth);
    }
}

// A variable that one turn of a loop writes in part keeps the rest from the turn before.
Test(pass_storage, partial_writes_do_not_begin_a_life) {
    Sample *sample = sample_create();
    TirVar *partial = big(sample, "partial");
    TirVar *other = big(sample, "other");
    TirStmt *loop = tir_stmt(&sample->tir, sample->block, STMT_WHILE, (Span){0, 0});
    loop->while_loop.condition = sample_bool(sample, true);
    sample->block = &loop->while_loop.body;
    set_zero(sample, other);
    TirExpr *first = sample_read(sample, partial);
    sample_set(sample, sample_element(sample, first, sample_int(sample, 0)),
               sample_real(sample, 1));
    TirVar *late = big(sample, "late");
    set_zero(sample, late);
    plan(sample);
    cr_assert(!overlap(partial, other) && !overlap(partial, late));
    sample_destroy(sample);
}

Test(pass_storage, frames_follow_the_calls) {
    Sample *sample = sample_create();
    TirVar *mine = big(sample, "mine");
    set_zero(sample, mine);
    TirFunction *callees[2] = {sample_callee(sample, "f"), sample_callee(sample, "g")};
    TirVar *theirs[2][2];
    TirStmt *branch = tir_stmt(&sample->tir, sample->block, STMT_IF, (Span){0, 0});
    branch->branch.condition = sample_bool(sample, true);
    for (int i = 0; i < 4; i++) {
        TirFunction *callee = callees[i / 2];
        TirVar *var =
            tir_var_create(&sample->tir, callee, VAR_LOCAL, NULL, mine->type, (Span){0, 0});
        tir_set(&sample->tir, &callee->body, sample_read(sample, var),
                sample_fill(sample, sample_real(sample, 0), BIG), (Span){0, 0});
        theirs[i / 2][i % 2] = var;
    }
    sample->block = &branch->branch.then;
    sample_call(sample, callees[0], NULL, NULL);
    sample->block = &branch->branch.otherwise;
    sample_call(sample, callees[1], NULL, NULL);
    plan(sample);
    cr_assert_eq(mine->offset, 0);
    cr_assert_eq(callees[0]->scratch_offset, BIG * 8);
    for (int i = 0; i < 2; i++) { // never active with the other
        cr_assert_eq(theirs[i][0]->offset, BIG * 8);
        cr_assert_eq(theirs[i][1]->offset, BIG * 8); // nor its variables with each other
    }
    cr_assert_eq(sample->program.scratch_bytes, 2 * BIG * 8);
    sample->tir.single = true; // then all of them fit the stack; the plan before is forgotten
    for (int i = 0; i < 2; i++) {
        plan(sample);
        cr_assert_eq(theirs[0][0]->storage, STORAGE_STACK);
        cr_assert_eq(sample->main->stack_bytes, BIG * 4 + 32); // whole lines
        cr_assert_eq(callees[0]->scratch_offset, 0);
        cr_assert_eq(sample->program.scratch_bytes, 0);
    }
    sample_destroy(sample);
}

// What calls a function with a frame passes the memory on; `main` has none of its own.
static void expect_passed_on(bool in_then, bool first, bool called) {
    Sample *sample = sample_create();
    TirFunction *large = sample_callee(sample, "large");
    TirFunction *small = sample_callee(sample, "small");
    const Type *type = sample_tensor(sample, BIG, 0, 0);
    TirVar *var = tir_var_create(&sample->tir, large, VAR_LOCAL, NULL, type, (Span){0, 0});
    tir_set(&sample->tir, &large->body, sample_read(sample, var),
            sample_fill(sample, sample_real(sample, 0), BIG), (Span){0, 0});
    TirStmt *branch = tir_stmt(&sample->tir, sample->block, STMT_IF, (Span){0, 0});
    branch->branch.condition = sample_bool(sample, true);
    sample->block = in_then ? &branch->branch.then : &branch->branch.otherwise;
    if (!first) {
        sample_call(sample, small, NULL, NULL);
    }
    if (called) {
        sample_call(sample, large, NULL, NULL);
    }
    plan(sample);
    cr_assert(large->needs_scratch && !small->needs_scratch);
    cr_assert_eq(sample->main->needs_scratch, called);
    sample_destroy(sample);
}

Test(pass_storage, callers_pass_memory_on) {
    for (unsigned k = 0; k < 8; k++) {
        expect_passed_on((k & 1U) != 0, (k & 2U) != 0, (k & 4U) != 0);
    }
}

Test(pass_storage, long_functions_are_planned_quickly, .timeout = 10) {
    Sample *sample = sample_create();
    enum { STATEMENTS = 100000 };
    TirVar *before = big(sample, "x");
    set_zero(sample, before);
    for (int i = 0; i < STATEMENTS; i++) {
        TirVar *next = big(sample, "x");
        copy(sample, next, before);
        before = next;
    }
    passes_run(&sample->tir, &sample->program, &(PassOptions){.opt_level = 0, .verify = true});
    cr_assert_eq(sample->program.scratch_bytes, 2 * BIG * 8);
    sample_destroy(sample);
}
