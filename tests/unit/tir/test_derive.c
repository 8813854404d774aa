// The pass that makes functions of derivatives, against values worked out by hand.
#include "tir_sample.h"

#include "eval/eval.h"
#include "tir/derive/partial.h"
#include "tir/passes/passes.h"
#include "tir/visit.h"

#include <criterion/criterion.h>

static const Span NOWHERE = {0, 0};

// f(x) of `length` reals, to which statements go, and its result, which is like x.
typedef struct Of {
    Sample *sample;
    TirFunction *f;
    TirVar *x, *y;
    uint32_t length;
} Of;

static Of function_of(uint32_t length) {
    Of of = {.sample = sample_create(), .length = length};
    of.f = sample_callee(of.sample, "f");
    of.x = sample_param(of.sample, of.f, "x", sample_tensor(of.sample, length, 0, 0));
    of.y = tir_result_create(&of.sample->tir, of.f, of.x->type, NOWHERE);
    of.sample->block = &of.f->body;
    return of;
}

static TirExpr *x_of(const Of *of) {
    return sample_read(of->sample, of->x);
}

static void set_y(const Of *of, TirExpr *value) {
    sample_set(of->sample, sample_read(of->sample, of->y), value);
}

// Asks for a derivative at 1, 2, ..., runs the pass, and compares what the evaluator then prints.
static void expect(const Of *of, TirDerivativeKind kind, const Type *type, const char *expected) {
    static const uint32_t by[] = {0};
    Sample *sample = of->sample;
    sample->block = &sample->main->body;
    TirExpr **args = ARENA_NEW(sample->tir.arena, TirExpr *);
    args[0] = sample_count_up(sample, of->length);
    TirExpr *along = kind == DERIVATIVE_ALONG ? sample_count_up(sample, of->length) : NULL;
    TirStmt *call =
        tir_derivative(&sample->tir, sample->block, kind, of->f, args, by, 1, along, NOWHERE);
    TirVar *result = sample_local(sample, "d", type);
    LIST_PUSH(sample->tir.arena, &call->call.results, result);
    sample_print(sample, sample_read(sample, result));
    sample_expect_valid(sample);
    pass_derive(&sample->tir, &sample->program);
    sample_expect_valid(sample);
    Buffer out = {0};
    RefFault fault;
    cr_assert(ref_eval_run(&sample->program, NULL, &out, &fault), "trap %d", fault.code);
    cr_assert_str_eq(out.data, expected, "printed:\n%s\ninstead of:\n%s", out.data, expected);
    buffer_free(&out);
    sample_destroy(sample);
}

Test(derive, every_operation_on_reals_has_a_rule) {
    static const TirOp steps[] = {OP_FLOOR, OP_CEIL, OP_ROUND, OP_RINT, OP_TRUNC};
    static const TirOp all[] = {
#define TIR_OP(NAME, text, arity, signature, cost)
#define TIR_EXACT(NAME, function, arity, cost) OP_##NAME,
#define TIR_FUNCTION(NAME, function, arity) OP_##NAME,
#include "tir/ops.def"
    };
    for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
        bool is_step = false;
        for (size_t k = 0; k < sizeof(steps) / sizeof(*steps); k++) {
            is_step = is_step || steps[k] == all[i];
        }
        cr_assert_eq(partial_exists(all[i]), !is_step, "%s", tir_op_text(all[i]));
    }
}

Test(derive, a_jacobian_is_changes_in_all_directions) {
    Of of = function_of(2);
    set_y(&of, sample_binary(of.sample, OP_MUL, x_of(&of),
                             sample_fill(of.sample, sample_sum(of.sample, x_of(&of)), 2)));
    expect(&of, DERIVATIVE_JACOBIAN, sample_tensor(of.sample, 2, 2, 0), "[4.0, 1.0;\n 2.0, 5.0]\n");
}

Test(derive, many_directions_go_in_strips) {
    Of of = function_of(18);
    of.y->type = sample_scalar(of.sample, ROOT_REAL);
    set_y(&of, sample_sum(of.sample, sample_binary(of.sample, OP_MUL, x_of(&of), x_of(&of))));
    expect(&of, DERIVATIVE_GRADIENT, of.x->type,
           "[2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 18.0, 20.0, 22.0, 24.0, 26.0, 28.0, "
           "30.0, 32.0, 34.0, 36.0]\n");
}

Test(derive, along_a_direction) {
    Of of = function_of(3);
    set_y(&of, sample_binary(of.sample, OP_MUL, x_of(&of), x_of(&of)));
    expect(&of, DERIVATIVE_ALONG, of.x->type, "[2.0, 8.0, 18.0]\n");
}

// (2 x + 1) dx, dx, and -dx
Test(derive, of_three_operands_and_of_signs) {
    Of of = function_of(3);
    const Type *type = x_of(&of)->type;
    Tir *tir = &of.sample->tir;
    set_y(&of, tir_map(tir, OP_FMA, type, x_of(&of), x_of(&of), x_of(&of), NOWHERE));
    expect(&of, DERIVATIVE_ALONG, of.x->type, "[3.0, 10.0, 21.0]\n");
    of = function_of(3);
    tir = &of.sample->tir;
    type = x_of(&of)->type;
    TirExpr *opposite = tir_map(tir, OP_NEG, type, x_of(&of), NULL, NULL, NOWHERE);
    TirExpr *two = sample_fill(of.sample, tir_const_real(tir, 2, NOWHERE), 3);
    TirExpr *rest = tir_map(tir, OP_REMAINDER, type, x_of(&of), two, NULL, NOWHERE);
    TirExpr *turned = tir_map(tir, OP_COPYSIGN, type, x_of(&of), opposite, NULL, NOWHERE);
    set_y(&of, sample_binary(of.sample, OP_SUB, rest, turned));
    expect(&of, DERIVATIVE_ALONG, of.x->type, "[2.0, 4.0, 6.0]\n");
}

Test(derive, zero_beats_infinity) {
    Of of = function_of(2);
    TirExpr *zero = sample_binary(of.sample, OP_SUB, x_of(&of), x_of(&of));
    set_y(&of, tir_map(&of.sample->tir, OP_SQRT, zero->type, zero, NULL, NULL, NOWHERE));
    expect(&of, DERIVATIVE_JACOBIAN, sample_tensor(of.sample, 2, 2, 0), "[0.0, 0.0;\n 0.0, 0.0]\n");
}

Test(derive, what_does_not_change_has_no_derivative) {
    Of of = function_of(2);
    TirExpr *x = x_of(&of);
    set_y(&of, tir_map(&of.sample->tir, OP_FLOOR, x->type, x, NULL, NULL, NOWHERE));
    expect(&of, DERIVATIVE_JACOBIAN, sample_tensor(of.sample, 2, 2, 0), "[0.0, 0.0;\n 0.0, 0.0]\n");
}
