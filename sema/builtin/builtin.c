// The table of built-ins, and what their handlers share.
#include "sema/builtin/builtin.h"
#include "sema/library/library.h"

#include "parser/parse.h"
#include "sema/explain.h"
#include "sema/expr.h"
#include "sema/offer.h"
#include "sema/operator.h"
#include "sema/value.h"
#include "sema/warn/warn.h"
#include "support/bug.h"
#include "support/suggest.h"
#include "tir/constant.h"

#include <string.h>

typedef enum BuiltinForm { BUILTIN_VALUES, BUILTIN_BANG, BUILTIN_OWN } BuiltinForm;
typedef enum BuiltinTakes { BUILTIN_ANY, BUILTIN_NUMBERS } BuiltinTakes;

struct Builtin {
    const char *name;
    BuiltinHandler *handler;
    int op;
    size_t least;
    size_t most; // 0: any number
    BuiltinForm form;
    BuiltinTakes takes;
    const char *parameters; // for people
};

static const Builtin builtins[] = {
#define BUILTIN(name, handler, op, least, most, form, takes, parameters) \
    {name, handler, op, least, most, BUILTIN_##form, BUILTIN_##takes, parameters},
#include "sema/builtin/builtin.def"
#undef BUILTIN
};

enum { BUILTIN_COUNT = sizeof builtins / sizeof builtins[0] };

const Builtin *builtin_find(Name name) {
    for (size_t k = 0; k < BUILTIN_COUNT; k++) {
        if (strcmp(builtins[k].name, name->text) == 0) {
            return &builtins[k];
        }
    }
    return NULL;
}

const char *builtin_nearest(Name name) {
    Suggestion suggestion = suggestion_for_name(name);
    for (size_t k = 0; k < BUILTIN_COUNT; k++) {
        suggestion_try(&suggestion, builtins[k].name);
    }
    library_suggest(&suggestion);
    return suggestion.nearest;
}

static bool finds_position(const Builtin *builtin) {
    return strcmp(builtin->name, "argmin") == 0 || strcmp(builtin->name, "argmax") == 0;
}

static void note_positions(Diag *diag, const Builtin *builtin) {
    diag_note(diag,
              "of a matrix, `%s(nest(m, 1))` is one of each row, `%s(nest(m', 1))` of each column",
              builtin->name, builtin->name);
}

// What an axis says elsewhere.
static void note_rows_and_columns(Diag *diag, const Builtin *builtin) {
    diag_note(diag,
              "of a matrix, `%s(nest(m, 1))` is one of each row, `%s!(nest(m, 1))` of each column",
              builtin->name, builtin->name);
}

bool builtin_note_more(Diag *diag, const Builtin *builtin) {
    if (builtin->form == BUILTIN_BANG) {
        note_rows_and_columns(diag, builtin);
    } else if (finds_position(builtin)) {
        note_positions(diag, builtin);
    } else if (strcmp(builtin->name, "round") == 0) {
        diag_note(diag, "`round(x * 100.0) / 100.0` rounds to two digits");
    } else if (strcmp(builtin->name, "atan") == 0) {
        diag_note(diag, "the angle of coordinates is `atan2(y, x)`");
    } else if (strcmp(builtin->name, "log") == 0) {
        diag_note(diag, "it is the natural logarithm; that to base b is `log(x) / log(b)`");
    } else if (strcmp(builtin->name, "eye") == 0) {
        diag_note(diag, "`eye(n)` has n rows and n columns");
    } else if (strcmp(builtin->name, "cumsum") == 0) {
        diag_note(diag,
                  "of a matrix, `cumsum(m)` runs along each row, `cumsum(m')'` along each column");
    } else {
        return false;
    }
    return true;
}

void builtin_note_position(Diag *diag, Name name) {
    if (name != NULL && (strcmp(name->text, "max") == 0 || strcmp(name->text, "min") == 0)) {
        diag_note(diag, "`arg%s(x)` is the position of `%s(x)`", name->text, name->text);
    }
}

bool builtin_takes(const Builtin *builtin, size_t count) {
    return count >= builtin->least && (builtin->most == 0 || count <= builtin->most);
}

// What was meant by a call with too few arguments.
static void note_fewer(Diag *diag, const Builtin *builtin) {
    if (strcmp(builtin->name, "derivative") == 0) {
        diag_note(diag, "`derivative(e, x, dx)` is the change of `e` along `dx`; `gradient(e, x)` "
                        "and `jacobian(e, x)` are all derivatives");
    } else if (strcmp(builtin->name, "irfft") == 0) {
        diag_note(diag, "`irfft(z, n)` has `n` reals, as many as `rfft` was given");
    } else {
        diag_note(diag, "it is called as `%s(%s)`", builtin->name, builtin->parameters);
    }
}

static bool require_count(Checker *checker, const Builtin *builtin, size_t given, Span span) {
    if (builtin_takes(builtin, given)) {
        return true;
    }
    size_t last = builtin->most == 0 ? builtin->least : builtin->most;
    const char *wanted =
        builtin->most == builtin->least
            ? arena_format(checker->arena, "%zu", builtin->least)
            : (builtin->most == 0
                   ? arena_format(checker->arena, "at least %zu", builtin->least)
                   : arena_format(checker->arena, "%zu or %zu", builtin->least, builtin->most));
    Diag *diag = check_error(checker, DIAG_E0711, span, "`%s` takes %s %s, not %zu", builtin->name,
                             wanted, last == 1 ? "argument" : "arguments", given);
    if (builtin->most > 0 && given > builtin->most) {
        (void)builtin_note_more(diag, builtin);
    } else {
        note_fewer(diag, builtin);
    }
    return false;
}

// Whether `[]` stands for an argument, before an axis elsewhere: `max(m, [], 2)`.
static bool has_empty(const AstExpr *ast) {
    for (size_t k = 0; k < ast->call.args.count; k++) {
        const AstExpr *arg = ast->call.args.items[k];
        if (arg->kind == AST_TENSOR && arg->tensor.elements.count == 0) {
            return true;
        }
    }
    return false;
}

// L9.4
static bool require_no_names(Checker *checker, const Builtin *builtin, const AstExpr *ast) {
    for (size_t k = 0; k < ast->call.args.count; k++) {
        const AstExpr *arg = ast->call.args.items[k];
        if (arg->kind == AST_NAMED_ARG) {
            Diag *diag = check_error(checker, DIAG_E0711, arg->named.name.span,
                                     "a built-in takes no arguments by name");
            if (!builtin_note_more(diag, builtin)) {
                diag_note(diag, "its arguments stand in their order; `==` compares");
            }
            return false;
        }
    }
    return true;
}

static bool require_no_bang(Checker *checker, const Builtin *builtin, const AstExpr *ast) {
    if (!ast->call.bang || builtin->form == BUILTIN_BANG) {
        return true;
    }
    Diag *diag = check_error(checker, DIAG_E0716, ast->span, "`%s` has no `!` form", builtin->name);
    if (finds_position(builtin)) {
        note_positions(diag, builtin);
    }
    return false;
}

// As check_values, and with what is emitted of each, so that it may be constant.
static void check_arguments(Checker *checker, BuiltinCall *call) {
    call->args = ARENA_ARRAY(checker->arena, TirExpr *, call->count);
    call->starts = ARENA_ARRAY(checker->arena, ConstantStart, call->count + 1);
    for (size_t k = 0; k < call->count; k++) {
        call->starts[k] = check_constant_start(checker);
        call->args[k] = check_value(checker, builtin_argument(call, k));
        check_hold(checker, &call->args[k]);
    }
    call->starts[call->count] = check_constant_start(checker);
    for (size_t k = 0; k < call->count; k++) {
        check_release(checker);
    }
}

static BuiltinCall call_of(const Builtin *builtin, const AstExpr *ast) {
    return (BuiltinCall){
        .name = builtin->name,
        .op = builtin->op,
        .ast = ast,
        .span = ast->span,
        .bang = ast->call.bang,
        .count = ast->call.args.count,
    };
}

bool builtin_has_results(const Builtin *builtin) {
    return builtin->handler == builtin_derivative && builtin->op == DERIVATIVE_GRADIENT;
}

bool builtin_call_results(Checker *checker, const Builtin *builtin, const AstExpr *ast,
                          size_t count, TirVar **results) {
    BuiltinCall call = call_of(builtin, ast);
    if (!require_no_names(checker, builtin, ast) || !require_no_bang(checker, builtin, ast) ||
        !require_count(checker, builtin, call.count, ast->span)) {
        return false;
    }
    if (call.count - 1 != count) {
        return check_refuse(checker, DIAG_E0712, ast->span,
                            "this `%s` has %zu %s, one for each variable, not %zu", builtin->name,
                            call.count - 1, call.count == 2 ? "result" : "results", count);
    }
    return builtin_derivatives(checker, &call, count, results);
}

TirExpr *builtin_call(Checker *checker, const Builtin *builtin, const AstExpr *ast) {
    BuiltinCall call = call_of(builtin, ast);
    if (!require_no_names(checker, builtin, ast)) {
        return checker->poison;
    }
    bool ok = require_count(checker, builtin, call.count, ast->span);
    ok = require_no_bang(checker, builtin, ast) && ok;
    if (builtin->form == BUILTIN_OWN) {
        return ok ? builtin->handler(checker, &call) : checker->poison;
    }
    if (!ok && builtin->most > 0 && call.count > builtin->most) {
        return checker->poison;
    }
    if (builtin->form == BUILTIN_BANG && has_empty(ast)) {
        Diag *diag = check_error(checker, DIAG_E0711, ast->span,
                                 "`%s` takes values, and `[]` is none", builtin->name);
        note_rows_and_columns(diag, builtin);
        return checker->poison;
    }
    check_arguments(checker, &call);
    for (size_t k = 0; k < call.count; k++) {
        ok = ok && !type_is_poison(call.args[k]->type);
    }
    if (!ok) {
        return checker->poison;
    }
    if (call.count == 1) {
        warn_parts(checker, call.name, ast);
    }
    for (size_t k = 0; builtin->takes == BUILTIN_NUMBERS && k < call.count; k++) {
        if (!type_is_numeric(call.args[k]->type)) {
            return builtin_wrong_argument(checker, &call, k, BUILTIN_NUMBERS_TAKEN);
        }
    }
    return builtin->handler(checker, &call);
}

TirExpr *builtin_wrong_argument(Checker *checker, const BuiltinCall *call, size_t k,
                                const char *wanted) {
    const Type *type = call->args[k]->type;
    Diag *diag = check_error(checker, DIAG_E0408, builtin_argument(call, k)->span,
                             "argument %zu of `%s` must be %s, not %s", k + 1, call->name, wanted,
                             check_type_text(checker, type));
    if (strcmp(call->name, "solve") == 0 && k == 0 && type->flat_rank == 2 && type->rank == 2) {
        diag_note(diag, "`lstsq(a, b)` has the least squares of others");
    } else if (strstr(wanted, "matrix") != NULL) {
        explain_nested(checker, diag, call->args[k]);
    } else if (strcmp(wanted, "a `uint`") == 0 && type_is_scalar(type) && type_is_numeric(type)) {
        if (!check_offer_unsigned(checker, diag, call->args[k])) {
            check_offer_cast(checker, diag, call->args[k], ROOT_UINT);
        }
    } else if (strstr(wanted, "bools") != NULL && type_is_numeric(type) &&
               builtin_argument(call, k)->kind != AST_BINARY) {
        Span span = builtin_argument(call, k)->span;
        diag_help(diag, "write `%s != 0`", check_expr_text(checker, span, "x"));
        diag_edit(diag, (Span){span.end, span.end}, " != 0");
    }
    return checker->poison;
}

TirExpr *builtin_too_large(Checker *checker, const BuiltinCall *call) {
    return check_fail(checker, DIAG_E0902, call->span, "the result of `%s` is too large",
                      call->name);
}

// Argument k where a constant is wanted (L10.9); false after an error.
static bool know_argument(Checker *checker, const BuiltinCall *call, size_t k) {
    call->args[k] = check_constant_argument(checker, call->starts, k, call->count, call->args[k]);
    return !type_is_poison(call->args[k]->type);
}

static bool not_constant(Checker *checker, const BuiltinCall *call, size_t k, const char *what) {
    Diag *diag = check_error(checker, DIAG_E0507, builtin_argument(call, k)->span,
                             "argument %zu of `%s` must be %s", k + 1, call->name, what);
    if (strcmp(call->name, "linspace") == 0) {
        diag_note(diag, "it is how many there are; `a + step * iota(n)` goes on by a step");
    } else {
        check_note_not_constant(checker, diag, builtin_argument(call, k));
    }
    return false;
}

bool builtin_integer(Checker *checker, const BuiltinCall *call, size_t k, int64_t *value) {
    return know_argument(checker, call, k) &&
           (constant_integer(&checker->tir, call->args[k], value) ||
            not_constant(checker, call, k, "a constant `int` or `uint`"));
}

bool builtin_integers(Checker *checker, const BuiltinCall *call, size_t k, int64_t *values,
                      size_t limit, size_t *count) {
    if (!know_argument(checker, call, k)) {
        return false;
    }
    const TirExpr *arg = call->args[k];
    const TirScalar *scalars =
        root_is_integer(arg->type->root) ? constant_values(&checker->tir, arg) : NULL;
    if (scalars == NULL || arg->type->flat_rank > 1) {
        return not_constant(checker, call, k, "a constant vector of `int`, as in `[0, 1]`");
    }
    if (arg->type->numel > limit) {
        return not_constant(checker, call, k, "shorter");
    }
    *count = arg->type->numel;
    for (size_t i = 0; i < *count; i++) {
        values[i] = arg->type->root == ROOT_INT ? scalars[i].integer : (int64_t)scalars[i].uint;
    }
    return true;
}

bool builtin_lengths(Checker *checker, Span span, const int64_t *values, size_t count,
                     uint32_t *lengths) {
    for (size_t k = 0; k < count; k++) {
        if (values[k] < 1 || values[k] > TYPE_SCALARS_LIMIT) {
            return check_refuse(checker, DIAG_E0507, span,
                                "a length must be at least 1, this is %lld", (long long)values[k]);
        }
        lengths[k] = (uint32_t)values[k];
    }
    return true;
}

const Type *builtin_operands(Checker *checker, const BuiltinCall *call, bool strict, TirExpr *left,
                             TirExpr *right) {
    Operation operation = {.text = call->name,
                           .span = call->span,
                           .op_span = call->span,
                           .left = left,
                           .right = right};
    return check_operands(checker, &operation, strict);
}

TirExpr *builtin_shared(Checker *checker, TirExpr *expr) {
    return expr->kind == EXPR_VAR || expr->kind == EXPR_CONST ? expr
                                                              : check_into_temporary(checker, expr);
}
