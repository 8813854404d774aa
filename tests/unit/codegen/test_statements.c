// Control flow, calls, traps and effects.
#include "sample.h"

#include <criterion/criterion.h>
#include <stdio.h>

static TirStmt *statement(Sample *sample, TirStmtKind kind, Span span) {
    return tir_stmt(&sample->tir, sample->body, kind, span);
}

// for i = first:last:step, with the following statements in its body until end_block.
static TirVar *begin_for(Sample *sample, TirExpr *first, TirExpr *last, TirExpr *step) {
    TirVar *var = sample_local_of(sample, "i", first->type);
    var->role = VAR_LOOP;
    TirStmt *stmt = statement(sample, STMT_FOR, (Span){1, 3});
    stmt->for_loop.var = var;
    stmt->for_loop.first = first;
    stmt->for_loop.last = last;
    stmt->for_loop.step = step;
    stmt->for_loop.step_span = (Span){5, 6};
    sample->body = &stmt->for_loop.body;
    return var;
}

static void end_block(Sample *sample) {
    sample->body = &sample->program.entry->body;
}

// total = total + value
static void add_to(Sample *sample, TirVar *total, TirExpr *value) {
    TirExpr *read = sample_read(sample, total);
    sample_set(sample, sample_read(sample, total), sample_binary(sample, OP_ADD, read, value));
}

Test(statements, for_counts_up_and_down_and_may_not_run) {
    static const struct {
        int32_t first, last, step, times;
    } cases[] = {
        {0, 10, 1, 10},
        {0, 10, 3, 4},
        {10, 0, -3, 4},
        {5, 5, 1, 0},
        {5, 4, 1, 0},
        {0, 1, -1, 0},
        {2147483640, 2147483647, 2, 4}, // passes the end of int
        {-2147483640, (-2147483647 - 1), -3, 3},
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        Sample *sample = sample_create("for i = a:b:s:");
        TirVar *count = sample_local(sample, "count", sample_int(sample, 0));
        TirVar *step = sample_local(sample, "step", sample_int(sample, cases[i].step));
        for (int variable = 0; variable < 2; variable++) {
            begin_for(sample, sample_int(sample, cases[i].first), sample_int(sample, cases[i].last),
                      variable ? sample_read(sample, step) : sample_int(sample, cases[i].step));
            add_to(sample, count, sample_int(sample, 1));
            end_block(sample);
        }
        sample_print(sample, sample_read(sample, count));
        char expected[16];
        snprintf(expected, sizeof(expected), "%d\n", 2 * cases[i].times);
        sample_expect(sample, expected, 0, NULL);
        sample_destroy(sample);
    }
}

Test(statements, a_step_of_zero_traps) {
    Sample *sample = sample_create("for i = 0:3:s:\n");
    TirVar *step = sample_local(sample, "s", sample_int(sample, 0));
    begin_for(sample, sample_int(sample, 0), sample_int(sample, 3), sample_read(sample, step));
    end_block(sample);
    sample_expect(sample, "", 101, "sample.tml:1:5: trap[E1003]");
    sample_destroy(sample);
}

Test(statements, break_continue_and_branches) {
    Sample *sample = sample_create("x");
    TirVar *total = sample_local(sample, "total", sample_int(sample, 0));
    TirVar *i =
        begin_for(sample, sample_int(sample, 0), sample_int(sample, 100), sample_int(sample, 1));
    TirBlock *body = sample->body;
    TirExpr *odd = sample_binary(sample, OP_REM, sample_read(sample, i), sample_int(sample, 2));
    TirStmt *skip = statement(sample, STMT_IF, (Span){1, 2});
    skip->branch.condition = sample_compare(sample, OP_EQ, odd, sample_int(sample, 1));
    sample->body = &skip->branch.then;
    statement(sample, STMT_CONTINUE, (Span){1, 2});
    sample->body = body;
    TirStmt *stop = statement(sample, STMT_IF, (Span){1, 2});
    stop->branch.condition =
        sample_compare(sample, OP_GT, sample_read(sample, i), sample_int(sample, 10));
    sample->body = &stop->branch.then;
    statement(sample, STMT_BREAK, (Span){1, 2});
    sample->body = &stop->branch.otherwise;
    add_to(sample, total, sample_read(sample, i));
    end_block(sample);
    sample_print(sample, sample_read(sample, total));
    sample_expect(sample, "30\n", 0, NULL);
    sample_destroy(sample);
}

Test(statements, while_runs_what_its_condition_needs_each_time) {
    Sample *sample = sample_create("x");
    TirVar *n = sample_local(sample, "n", sample_int(sample, 1));
    TirVar *square = sample_local(sample, "square", sample_int(sample, 0));
    TirStmt *loop = statement(sample, STMT_WHILE, (Span){1, 2});
    sample->body = &loop->while_loop.before;
    sample_set(sample, sample_read(sample, square),
               sample_binary(sample, OP_MUL, sample_read(sample, n), sample_read(sample, n)));
    loop->while_loop.condition =
        sample_compare(sample, OP_LT, sample_read(sample, square), sample_int(sample, 200));
    sample->body = &loop->while_loop.body;
    add_to(sample, n, sample_int(sample, 1));
    end_block(sample);
    sample_print(sample, sample_read(sample, n));
    sample_expect(sample, "15\n", 0, NULL);
    sample_destroy(sample);
}

Test(statements, indices_are_checked_against_their_dim) {
    static const struct {
        int32_t index;
        const char *output, *fault;
    } cases[] = {
        {0, "10\n", NULL},
        {2, "30\n", NULL},
        {3, "", "sample.tml:2:3: trap[E1001]"},
        {-1, "", "sample.tml:2:3: trap[E1001]"},
    };
    static const int32_t values[] = {10, 20, 30};
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        Sample *sample = sample_create("\nx[i]\n");
        const Type *type = sample_type(sample, ROOT_INT, 1, 3u);
        TirVar *x = sample_local(sample, "x", sample_ints(sample, type, values));
        TirVar *k = sample_local(sample, "k", sample_int(sample, cases[i].index));
        TirExpr *index = tir_read(&sample->tir, k, (Span){4, 5});
        sample_print(sample, sample_element(sample, sample_read(sample, x), index));
        sample_expect(sample, cases[i].output, cases[i].fault == NULL ? 0 : 101, cases[i].fault);
        sample_destroy(sample);
    }
}

Test(statements, the_left_side_guards_the_right_one) {
    Sample *sample = sample_create("x");
    static const int32_t values[] = {1, 0, 1};
    const Type *type = sample_type(sample, ROOT_BOOL, 1, 3u);
    TirVar *x = sample_local(sample, "x", sample_ints(sample, type, values));
    TirVar *hits = sample_local(sample, "hits", sample_int(sample, 0));
    TirVar *i =
        begin_for(sample, sample_int(sample, -5), sample_int(sample, 5), sample_int(sample, 1));
    TirBlock *body = sample->body;
    TirExpr *above = sample_compare(sample, OP_GE, sample_read(sample, i), sample_int(sample, 0));
    TirExpr *below = sample_compare(sample, OP_LT, sample_read(sample, i), sample_int(sample, 3));
    TirExpr *inside = sample_compare(sample, OP_AND, above, below);
    TirExpr *element = sample_element(sample, sample_read(sample, x), sample_read(sample, i));
    TirStmt *branch = statement(sample, STMT_IF, (Span){1, 2});
    branch->branch.condition = sample_compare(sample, OP_AND, inside, element);
    sample->body = &branch->branch.then;
    add_to(sample, hits, sample_int(sample, 1));
    sample->body = body;
    // not inside or x[i]
    TirExpr *outside =
        tir_map(&sample->tir, OP_NOT, inside->type, inside, NULL, NULL, inside->span);
    TirStmt *other = statement(sample, STMT_IF, (Span){1, 2});
    other->branch.condition = sample_compare(sample, OP_OR, outside, element);
    sample->body = &other->branch.then;
    add_to(sample, hits, sample_int(sample, 100));
    end_block(sample);
    sample_print(sample, sample_read(sample, hits));
    sample_expect(sample, "902\n", 0, NULL);
    sample_destroy(sample);
}

Test(statements, division_by_zero_traps_in_loops_too) {
    for (uint32_t count = 3; count <= 300; count += 297) {
        Sample *sample = sample_create("a / b");
        const Type *type = sample_type(sample, ROOT_INT, 1, count);
        TirVar *a = sample_local_of(sample, "a", type);
        TirVar *b = sample_local_of(sample, "b", type);
        TirExpr *iota = tir_iota(&sample->tir, type, (Span){1, 2});
        TirExpr *ones = sample_stretch(sample, sample_int(sample, 1), count);
        sample_set(sample, sample_read(sample, a), iota);
        sample_set(sample, sample_read(sample, b), sample_binary(sample, OP_ADD, iota, ones));
        TirExpr *fine = tir_map(&sample->tir, OP_DIV, type, sample_read(sample, a),
                                sample_read(sample, b), NULL, (Span){3, 4});
        TirVar *q = sample_local(sample, "q", fine);
        sample_print(sample, sample_element(sample, sample_read(sample, q), sample_int(sample, 2)));
        sample_set(sample, sample_read(sample, q),
                   tir_map(&sample->tir, OP_REM, type, sample_read(sample, b),
                           sample_read(sample, a), NULL, (Span){3, 4}));
        sample_print(sample, sample_read(sample, q));
        sample_expect(sample, "0\n", 101, "sample.tml:1:3: trap[E1002]");
        sample_destroy(sample);
    }
}

Test(statements, assertions_name_their_text) {
    Sample *sample = sample_create("assert(n < 3, ...)");
    TirVar *n = sample_local(sample, "n", sample_int(sample, 3));
    for (int32_t limit = 4; limit >= 3; limit--) {
        TirStmt *stmt = statement(sample, STMT_ASSERT, (Span){1, 7});
        stmt->assertion.condition =
            sample_compare(sample, OP_LT, sample_read(sample, n), sample_int(sample, limit));
        stmt->assertion.text = limit == 4 ? (Slice){"first", 5} : (Slice){"second one", 10};
    }
    sample_expect(sample, "", 101, "second one");
    sample_destroy(sample);
}

Test(statements, print_joins_texts_and_values) {
    Sample *sample = sample_create("x");
    TirStmt *stmt = statement(sample, STMT_PRINT, (Span){1, 2});
    stmt->print.items = ARENA_ARRAY(sample->context->arena, TirPrintItem, 4);
    stmt->print.items[0].text = (Slice){"x =", 3};
    stmt->print.items[1].value = sample_real(sample, 2.5);
    stmt->print.items[2].text = (Slice){"and", 3};
    stmt->print.items[3].text = (Slice){"done", 4};
    stmt->print.count = 4;
    statement(sample, STMT_PRINT, (Span){1, 2});
    sample_expect(sample, "x = 2.5 and done\n\n", 0, NULL);
    sample_destroy(sample);
}

// fn scaled(tensor<real, n> v, real factor, bool negative) tensor<real, n>:
//     return select(negative, -(v * factor), v * factor)
static TirFunction *scaled(Sample *sample, const Type *type) {
    TirFunction *function = sample_function(sample, "scaled", type);
    TirVar *v = sample_param(sample, function, "v", type);
    TirVar *factor = sample_param(sample, function, "factor", sample_type(sample, ROOT_REAL, 0));
    TirVar *negative =
        sample_param(sample, function, "negative", sample_type(sample, ROOT_BOOL, 0));
    TirBlock *outer = sample->body;
    sample->body = &function->body;
    uint32_t count = type->dims[0];
    TirExpr *factors = sample_stretch(sample, sample_read(sample, factor), count);
    TirExpr *product = sample_binary(sample, OP_MUL, sample_read(sample, v), factors);
    TirExpr *negated = tir_map(&sample->tir, OP_NEG, type, product, NULL, NULL, product->span);
    TirExpr *condition = sample_stretch(sample, sample_read(sample, negative), count);
    sample_set(sample, sample_read(sample, function->results.items[0]),
               tir_map(&sample->tir, OP_SELECT, type, condition, negated, product, product->span));
    statement(sample, STMT_RETURN, (Span){1, 2});
    sample->body = outer;
    return function;
}

static void call(Sample *sample, TirFunction *function, TirVar *result, TirExpr *a, TirExpr *b,
                 TirExpr *c) {
    TirStmt *stmt = statement(sample, STMT_CALL, (Span){1, 2});
    stmt->call.function = function;
    stmt->call.args = ARENA_ARRAY(sample->context->arena, TirExpr *, 3);
    stmt->call.args[0] = a;
    stmt->call.args[1] = b;
    stmt->call.args[2] = c;
    stmt->call.arg_count = function->param_count;
    if (result != NULL) {
        LIST_PUSH(sample->context->arena, &stmt->call.results, result);
    }
}

Test(statements, calls_pass_arrays_and_scalars_by_value) {
    Sample *sample = sample_create("x");
    static const double values[] = {1, 2, 3};
    const Type *type = sample_type(sample, ROOT_REAL, 1, 3u);
    TirFunction *function = scaled(sample, type);
    TirVar *x = sample_local(sample, "x", sample_reals(sample, type, values));
    TirExpr *yes = tir_const_bool(&sample->tir, true, (Span){1, 2});
    TirExpr *no = tir_const_bool(&sample->tir, false, (Span){1, 2});
    // The argument is the result's own variable: the callee must see the old values.
    call(sample, function, x, sample_read(sample, x), sample_real(sample, 2), no);
    sample_print(sample, sample_read(sample, x));
    call(sample, function, x,
         sample_binary(sample, OP_ADD, sample_read(sample, x), sample_read(sample, x)),
         sample_real(sample, 0.5), yes);
    sample_print(sample, sample_read(sample, x));
    sample_expect(sample, "[2.0, 4.0, 6.0]\n[-2.0, -4.0, -6.0]\n", 0, NULL);
    sample_destroy(sample);
}

Test(statements, traps_leave_through_every_caller) {
    Sample *sample = sample_create("a / b");
    const Type *type = sample_type(sample, ROOT_INT, 0);
    TirFunction *inner = sample_function(sample, "quotient", type);
    TirVar *a = sample_param(sample, inner, "a", type);
    TirVar *b = sample_param(sample, inner, "b", type);
    sample->body = &inner->body;
    sample_set(sample, sample_read(sample, inner->results.items[0]),
               tir_map(&sample->tir, OP_DIV, type, sample_read(sample, a), sample_read(sample, b),
                       NULL, (Span){3, 4}));
    TirFunction *outer = sample_function(sample, "outer", type);
    TirVar *divisor = sample_param(sample, outer, "divisor", type);
    sample->body = &outer->body;
    call(sample, inner, outer->results.items[0], sample_int(sample, 12),
         sample_read(sample, divisor), NULL);
    sample->body = &sample->program.entry->body;
    TirVar *q = sample_local(sample, "q", sample_int(sample, 0));
    call(sample, outer, q, sample_int(sample, 4), NULL, NULL);
    sample_print(sample, sample_read(sample, q));
    call(sample, outer, q, sample_int(sample, 0), NULL, NULL);
    sample_print(sample, sample_read(sample, q));
    sample_expect(sample, "3\n", 101, "sample.tml:1:3: trap[E1002]");
    sample_destroy(sample);
}

Test(statements, globals_live_in_the_state) {
    Sample *sample = sample_create("x");
    const Type *type = sample_type(sample, ROOT_INT, 1, 100u);
    Name name = names_intern_text(sample->context->names, "counts");
    TirVar *counts = tir_var_create(&sample->tir, NULL, VAR_GLOBAL, name, type, (Span){1, 2});
    LIST_PUSH(sample->context->arena, &sample->program.globals, counts);
    TirFunction *bump = sample_function(sample, "bump", NULL);
    bump->reads_globals = bump->writes_globals = true;
    sample->body = &bump->body;
    TirExpr *ones = sample_stretch(sample, sample_int(sample, 1), 100);
    sample_set(sample, sample_read(sample, counts),
               sample_binary(sample, OP_ADD, sample_read(sample, counts), ones));
    sample->body = &sample->program.entry->body;
    sample_set(sample, sample_read(sample, counts), tir_iota(&sample->tir, type, (Span){1, 2}));
    call(sample, bump, NULL, NULL, NULL, NULL);
    call(sample, bump, NULL, NULL, NULL, NULL);
    sample_print(sample,
                 sample_element(sample, sample_read(sample, counts), sample_int(sample, 40)));
    sample_expect(sample, "42\n", 0, NULL);
    sample_destroy(sample);
}
