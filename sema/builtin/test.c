// The words of tests (L19.3): `cycle`, `near`, `replay`. Outside of tests they are errors.
#include "sema/test.h"

#include "sema/builtin/builtin.h"
#include "sema/expr.h"
#include "sema/value.h"
#include "support/path.h"

#include <string.h>

static bool in_test(Checker *checker, const BuiltinCall *call) {
    return check_in_test(checker) ||
           check_refuse(checker, DIAG_E0770, call->span, "`%s` is a word of tests", call->name);
}

// Statements with effects, which an index or another value cannot hold.
static bool may_run(Checker *checker, const BuiltinCall *call) {
    if (!in_test(checker, call)) {
        return false;
    }
    if (!tests_has_cycles(checker)) {
        return check_refuse(checker, DIAG_E0770, call->span,
                            "`%s` runs a component, and this file is none", call->name);
    }
    if (checker->at.mode.in_index) {
        return check_refuse(checker, DIAG_E0604, call->span, "%s cannot call `%s`",
                            check_place_text(&checker->at.mode), call->name);
    }
    check_spill_held(checker);
    return true;
}

TirExpr *builtin_cycle(Checker *checker, const BuiltinCall *call) {
    TirExpr *count = NULL;
    if (!may_run(checker, call)) {
        return checker->poison;
    }
    if (call->count > 0) {
        const Type *type = type_scalar(checker->tir.types, ROOT_INT);
        count =
            check_assignable(checker, type, call->args[0], "the number of cycles", (Span){0, 0});
        if (type_is_poison(count->type)) {
            return checker->poison;
        }
    }
    tests_cycle(checker, count, call->span);
    return check_nothing(checker, call->span);
}

// Whether all elements of a tensor of bools are true, on all levels.
static TirExpr *all_of(Checker *checker, TirExpr *x, Span span) {
    if (type_is_scalar(x->type)) {
        return x;
    }
    const Type *type = type_scalar(checker->tir.types, ROOT_BOOL);
    return check_built(checker,
                       tir_reduce(&checker->tir, REDUCE_ALL, type, x, 0, x->type->flat_rank, span));
}

// |a - b| of integers as a real. Single reals do not hold all of them, so that it is subtracted
// before; from a negative number to a `uint` it may be beyond 32 bits, but is never small.
static TirExpr *integer_distance(Checker *checker, TirExpr *a, TirExpr *b, TirExpr *real_distance,
                                 Span span) {
    const Type *real = real_distance->type;
    const Type *uint = type_with_root(checker->tir.types, real, ROOT_UINT);
    const Type *truth = type_with_root(checker->tir.types, real, ROOT_BOOL);
    TirExpr *left = check_convert(checker, ROOT_UINT, a);
    TirExpr *right = check_convert(checker, ROOT_UINT, b);
    TirExpr *distance =
        check_map(checker, OP_SELECT, uint, check_map(checker, OP_GT, truth, a, b, NULL, span),
                  check_map(checker, OP_SUB, uint, left, right, NULL, span),
                  check_map(checker, OP_SUB, uint, right, left, NULL, span), span);
    distance = check_convert(checker, ROOT_REAL, distance);
    if (a->type->root == b->type->root) {
        return distance;
    }
    TirExpr *is_signed = a->type->root == ROOT_INT ? a : b;
    TirExpr *zero = check_fit(checker, tir_const_int(&checker->tir, 0, span), is_signed->type);
    return check_map(checker, OP_SELECT, real,
                     check_map(checker, OP_LT, truth, is_signed, zero, NULL, span), real_distance,
                     distance, span);
}

// a == b, or |a - b| is finite and at most tol * max(1, min(|a|, |b|)), everywhere; of one shape,
// which are at hand.
static TirExpr *near_values(Checker *checker, TirExpr *a, TirExpr *b, TirExpr *tolerance,
                            Span span) {
    const Type *type = type_with_root(checker->tir.types, a->type, ROOT_REAL);
    const Type *truth = type_with_root(checker->tir.types, type, ROOT_BOOL);
    bool are_integers = root_is_integer(a->type->root) && root_is_integer(b->type->root);
    TirExpr *left = builtin_shared(checker, check_convert(checker, ROOT_REAL, a));
    TirExpr *right = builtin_shared(checker, check_convert(checker, ROOT_REAL, b));
    TirExpr *one = check_fit(checker, tir_const_real(&checker->tir, 1, span), type);
    TirExpr *difference = check_map(checker, OP_SUB, type, left, right, NULL, span);
    TirExpr *distance = check_map(checker, OP_ABS, type, difference, NULL, NULL, span);
    if (are_integers) {
        distance = integer_distance(checker, a, b, distance, span);
    }
    distance = builtin_shared(checker, distance);
    TirExpr *scale =
        check_map(checker, OP_MIN, type, check_map(checker, OP_ABS, type, left, NULL, NULL, span),
                  check_map(checker, OP_ABS, type, right, NULL, NULL, span), NULL, span);
    scale = check_map(checker, OP_MAX, type, one, scale, NULL, span);
    TirExpr *bound =
        check_map(checker, OP_MUL, type, check_fit(checker, tolerance, type), scale, NULL, span);
    TirExpr *close = check_map(checker, OP_LE, truth, distance, bound, NULL, span);
    TirExpr *finite = check_map(checker, OP_ISFINITE, truth, distance, NULL, NULL, span);
    TirExpr *equal = check_map(checker, OP_EQ, truth, are_integers ? a : left,
                               are_integers ? b : right, NULL, span);
    close = check_map(checker, OP_AND, truth, close, finite, NULL, span);
    return all_of(checker, check_map(checker, OP_OR, truth, equal, close, NULL, span), span);
}

static TirExpr *check_tolerance(Checker *checker, TirExpr *value) {
    return check_assignable(checker, type_scalar(checker->tir.types, ROOT_REAL), value,
                            "the tolerance", (Span){0, 0});
}

TirExpr *builtin_near(Checker *checker, const BuiltinCall *call) {
    if (!in_test(checker, call)) {
        return checker->poison;
    }
    const Type *shape = builtin_operands(checker, call, false, call->args[0], call->args[1]);
    TirExpr *tolerance = check_tolerance(checker, call->args[2]);
    if (shape == NULL || type_is_poison(tolerance->type)) {
        return checker->poison;
    }
    bool are_integers =
        root_is_integer(call->args[0]->type->root) && root_is_integer(call->args[1]->type->root);
    for (size_t k = 0; k < 2; k++) {
        TirExpr *value =
            are_integers ? call->args[k] : check_convert(checker, ROOT_REAL, call->args[k]);
        checker->near[k] = builtin_shared(checker, check_spread(checker, value, shape));
    }
    return near_values(checker, checker->near[0], checker->near[1], tolerance, call->span);
}

// Note [Ports of a replay]
// What `replay` reads are inputs of the test's host, which knows them by these names: `ir` and the
// path of a file goes to the next row of inputs and tells whether there is one, `iv` and the name
// of a terminal is its value in that row; `or` and `ov` are the same of outputs.

static TirExpr *read_port(Checker *checker, const char *kind, const char *name, const Type *type,
                          Span span) {
    const char *port = arena_format(checker->arena, "%s%s", kind, name);
    if (kind[1] == 'r') {
        LIST_PUSH(checker->arena, &checker->program->replays, port);
    }
    TirStmt *stmt = tir_stmt(&checker->tir, checker->at.block, STMT_INPUT, span);
    stmt->input.name = (Slice){port, strlen(port)};
    stmt->input.var =
        tir_var_create(&checker->tir, checker->at.function, VAR_TEMP, NULL, type, span);
    return tir_read(&checker->tir, stmt->input.var, span);
}

static TirStmt *emit_assert(Checker *checker, TirExpr *condition, const char *text, Span span) {
    TirStmt *stmt = tir_stmt(&checker->tir, checker->at.block, STMT_ASSERT, span);
    stmt->assertion.condition = condition;
    stmt->assertion.text = (Slice){text, strlen(text)};
    return stmt;
}

// An output and its column, which are variables.
static void compare_column(Checker *checker, const TirInterface *item, TirExpr *tolerance,
                           const char *path, Span span) {
    TirExpr *shown = tir_read(&checker->tir, tests_shown(checker, item), span);
    TirExpr *wanted = read_port(checker, "ov", item->name->text, item->type, span);
    const Type *truth = type_with_root(checker->tir.types, item->type, ROOT_BOOL);
    TirExpr *condition =
        item->type->root == ROOT_BOOL
            ? all_of(checker, check_map(checker, OP_EQ, truth, shown, wanted, NULL, span), span)
            : near_values(checker, shown, wanted, tolerance, span);
    TirStmt *stmt = emit_assert(
        checker, condition,
        arena_format(checker->arena, "`t.%s` differs from %s", item->name->text, path), span);
    const char *names[] = {"t.", "column "};
    for (size_t k = 0; k < 2 && type_is_scalar(item->type); k++) {
        const char *name = arena_format(checker->arena, "%s%s", names[k], item->name->text);
        stmt->assertion.notes[stmt->assertion.note_count++] = (TirPrintItem){
            .value = tir_copy_node(&checker->tir, k == 0 ? shown : wanted),
            .text = {name, strlen(name)},
        };
    }
}

// A row: what it gives to the inputs, a cycle, what it says of the outputs.
static void run_row(Checker *checker, TirExpr *tolerance, const char *expected, Span span) {
    const TirProgram *program = checker->program;
    for (size_t k = 0; k < program->interface.count; k++) {
        const TirInterface *item = program->interface.items[k];
        if (tests_have(item, INTERFACE_INPUT)) {
            TirExpr *value = read_port(checker, "iv", item->name->text, item->type, span);
            tir_set_var(&checker->tir, checker->at.block, item->var, value, span);
        }
    }
    tests_cycle(checker, NULL, span);
    for (size_t k = 0; k < program->interface.count; k++) {
        const TirInterface *item = program->interface.items[k];
        if (tests_have(item, INTERFACE_OUTPUT)) {
            compare_column(checker, item, tolerance, expected, span);
        }
    }
}

// The path in argument k, from the folder of the file.
static const char *path_argument(Checker *checker, const BuiltinCall *call, size_t k) {
    Slice text;
    return builtin_text(checker, call, k, &text)
               ? path_from(checker->arena, checker->at.unit->file->source->path, text)
               : NULL;
}

TirExpr *builtin_replay(Checker *checker, const BuiltinCall *call) {
    const char *inputs = path_argument(checker, call, 0);
    const char *expected = path_argument(checker, call, 1);
    TirExpr *tolerance = check_value(checker, builtin_argument(call, 2));
    if (!may_run(checker, call) || inputs == NULL || expected == NULL ||
        type_is_poison(tolerance->type)) {
        return checker->poison;
    }
    tolerance = check_tolerance(checker, tolerance);
    if (type_is_poison(tolerance->type)) {
        return checker->poison;
    }
    tolerance = builtin_shared(checker, tolerance);
    Span span = call->span;
    const Type *truth = type_scalar(checker->tir.types, ROOT_BOOL);
    TirStmt *loop = tir_stmt(&checker->tir, checker->at.block, STMT_WHILE, span);
    TirBlock *outside = checker->at.block;
    checker->at.block = &loop->while_loop.before;
    TirExpr *more = read_port(checker, "ir", inputs, truth, span);
    TirExpr *wanted = read_port(checker, "or", expected, truth, span);
    TirExpr *agree = check_map(checker, OP_EQ, truth, more, wanted, NULL, span);
    emit_assert(checker, agree,
                arena_format(checker->arena, "%s and %s have as many rows", inputs, expected),
                span);
    loop->while_loop.condition = tir_copy_node(&checker->tir, more);
    checker->at.block = &loop->while_loop.body;
    run_row(checker, tolerance, expected, span);
    checker->at.block = outside;
    checker->at.function->has_io = checker->at.function->has_effects = true;
    return check_nothing(checker, span);
}
