// Built-ins of programs and scripts: print, input, output, assert (L11).
#include "sema/builtin/builtin.h"
#include "sema/explain.h"
#include "sema/expr.h"
#include "sema/offer.h"
#include "sema/operator.h"
#include "sema/value.h"
#include "sema/warn/warn.h"
#include "support/bug.h"
#include "tir/constant.h"

#include <string.h>

// Effects are allowed here? Reports E0604 or E0702 where they are not.
static bool effect_allowed(Checker *checker, const BuiltinCall *call) {
    if (checker->at.mode.in_index) {
        return check_refuse(checker, DIAG_E0604, call->span, "%s cannot call `%s`",
                            check_place_text(&checker->at.mode), call->name);
    }
    if (checker->at.mode.pure) {
        return check_refuse(checker, DIAG_E0702, call->span, "a file-level value cannot call `%s`",
                            call->name);
    }
    check_spill_held(checker);
    checker->at.function->has_effects = true;
    return true;
}

// `fn main():` in what is a program with `main_fnc`: told at its name, once.
static bool report_main(Checker *checker, const BuiltinCall *call) {
    const Unit *unit = checker->units.items[0];
    const AstStmt *main = NULL;
    for (size_t k = 0; k < unit->functions.count; k++) {
        const char *meant = entry_name_meant(unit->functions.items[k]->name);
        bool is_main = meant != NULL && strcmp(meant, "main_fnc") == 0;
        main = is_main ? unit->functions.items[k]->ast : main;
    }
    if (main == NULL) {
        return false;
    }
    if (checker->options->executable) {
        return true; // E0703 was told of it
    }
    Diag *diag = check_error(checker, DIAG_E0706, main->function.name.span,
                             "`%s` makes no program of this file, and a library cannot call `%s`",
                             main->function.name.name->text, call->name);
    diag_label(diag, call->span, "called here");
    if (main->function.param_count == 0 && main->function.result_count == 0) {
        diag_help(diag, "a program has `main_fnc`");
        diag_edit(diag, main->function.name.span, "main_fnc");
    } else {
        diag_note(diag, "a program is written `fn main_fnc():`");
    }
    return true;
}

// The same of `print`, `input` and `output`, which need the runtime of an executable (E0706).
static bool io_allowed(Checker *checker, const BuiltinCall *call) {
    TirProgramKind kind = checker->program->kind;
    if ((kind == PROGRAM_COMPONENT || kind == PROGRAM_LIBRARY) && !check_in_test(checker)) {
        bool is_library = kind == PROGRAM_LIBRARY;
        const char *text =
            arena_format(checker->arena, "a %s cannot call `%s`: its object has no runtime",
                         is_library ? "library" : "component", call->name);
        if ((is_library && report_main(checker, call)) ||
            check_was_told(checker, DIAG_E0706, call->span, text)) {
            return false;
        }
        Diag *diag = check_error(checker, DIAG_E0706, call->span, "%s", text);
        if (is_library) {
            diag_note(diag, "a program has `main_fnc`, or statements at file level");
        } else if (strcmp(call->name, "print") == 0) {
            diag_note(diag, "`debug(\"x\", x)` shows a value in simulations");
        }
        return false;
    }
    checker->at.function->has_io = true;
    return effect_allowed(checker, call);
}

bool builtin_text(Checker *checker, const BuiltinCall *call, size_t k, Slice *text) {
    TirExpr *expr = check_expr(checker, builtin_argument(call, k));
    if (type_is_poison(expr->type)) {
        return false;
    }
    if (expr->type->root != ROOT_STR || !type_is_scalar(expr->type)) {
        return check_refuse(checker, DIAG_E0408, builtin_argument(call, k)->span,
                            "argument %zu of `%s` must be a string, not %s", k + 1, call->name,
                            check_type_text(checker, expr->type));
    }
    *text = check_text_value(checker, expr);
    return true;
}

// The same for the name of an input or output.
static bool name_argument(Checker *checker, const BuiltinCall *call, size_t k, Slice *name) {
    return builtin_text(checker, call, k, name) &&
           (name->len > 0 || check_refuse(checker, DIAG_E0408, builtin_argument(call, k)->span,
                                          "an %s needs a name", call->name));
}

TirExpr *builtin_io_print(Checker *checker, const BuiltinCall *call) {
    TirPrintItem *items = ARENA_ARRAY(checker->arena, TirPrintItem, call->count);
    bool ok = true;
    for (size_t k = 0; k < call->count; k++) {
        TirExpr *value = check_expr(checker, builtin_argument(call, k));
        if (value->type->kind == TYPE_VOID) {
            check_error(checker, DIAG_E0712, builtin_argument(call, k)->span,
                        "this call has no result");
            value = checker->poison;
        }
        if (builtin_argument(call, k)->kind == AST_STRING && k + 1 < call->count) {
            warn_printed_text(checker, builtin_argument(call, k));
        }
        ok = ok && !type_is_poison(value->type);
        items[k].value = value;
        check_hold(checker, &items[k].value);
    }
    for (size_t k = 0; k < call->count; k++) {
        check_release(checker);
        TirExpr *value = items[k].value;
        if (type_has_value(value->type) || type_is_poison(value->type)) {
            continue;
        }
        items[k].value = NULL;
        items[k].text = check_text_value(checker, value);
    }
    if (!io_allowed(checker, call) || !ok) {
        return checker->poison;
    }
    TirStmt *stmt = tir_stmt(&checker->tir, checker->at.block, STMT_PRINT, call->span);
    stmt->print.items = items;
    stmt->print.count = call->count;
    return check_nothing(checker, call->span);
}

TirExpr *builtin_io_input(Checker *checker, const BuiltinCall *call) {
    const AstExpr *type_arg = builtin_argument(call, 0);
    if (type_arg->kind != AST_TYPE_ARG) {
        return check_fail(checker, DIAG_E0408, type_arg->span,
                          "the first argument of `input` is a type, as in `input(real)`");
    }
    const Type *type = check_type(checker, type_arg->type);
    Slice name = {"", 0};
    bool ok = call->count < 2 || name_argument(checker, call, 1, &name);
    if (!type_is_poison(type) && !type_has_value(type)) {
        check_error(checker, DIAG_E0408, type_arg->span, "a `%s` cannot be read",
                    check_type_text(checker, type));
        ok = false;
    }
    if (!io_allowed(checker, call) || !ok || type_is_poison(type)) {
        return checker->poison;
    }
    TirStmt *stmt = tir_stmt(&checker->tir, checker->at.block, STMT_INPUT, call->span);
    stmt->input.name = name;
    stmt->input.var =
        tir_var_create(&checker->tir, checker->at.function, VAR_TEMP, NULL, type, call->span);
    return tir_read(&checker->tir, stmt->input.var, call->span);
}

// `output(x, "x")`
static bool report_name_behind(Checker *checker, const BuiltinCall *call) {
    const AstExpr *value = builtin_argument(call, 0);
    const AstExpr *name = builtin_argument(call, 1);
    if (name->kind != AST_STRING || value->kind == AST_STRING) {
        return false;
    }
    Diag *diag = check_error(checker, DIAG_E0408, name->span, "the name of an output comes first");
    const char *text = check_expr_text(checker, value->span, NULL);
    const char *quoted = check_expr_text(checker, name->span, NULL);
    if (text != NULL && quoted != NULL) {
        diag_help(diag, "write `output(%s, %s)`", quoted, text);
        diag_edit(diag, span_join(value->span, name->span), "%s, %s", quoted, text);
    }
    return true;
}

TirExpr *builtin_io_output(Checker *checker, const BuiltinCall *call) {
    Slice name = {"", 0};
    if (report_name_behind(checker, call)) {
        return checker->poison;
    }
    bool ok = name_argument(checker, call, 0, &name);
    TirExpr *value = check_value(checker, builtin_argument(call, 1));
    if (!io_allowed(checker, call) || !ok || type_is_poison(value->type)) {
        return checker->poison;
    }
    TirStmt *stmt = tir_stmt(&checker->tir, checker->at.block, STMT_OUTPUT, call->span);
    stmt->output.name = name;
    stmt->output.value = value;
    return check_nothing(checker, call->span);
}

// The source of an expression; of several lines the first one.
static Slice source_text(Checker *checker, const AstExpr *ast) {
    Slice text = sources_text(checker->context->sources, ast->span);
    const char *line_end = memchr(text.data, '\n', text.len);
    if (line_end == NULL) {
        return text;
    }
    while (strchr(" \t\r", line_end[-1]) != NULL) {
        line_end--;
    }
    const char *line =
        arena_format(checker->arena, "%.*s ...", (int)(line_end - text.data), text.data);
    return (Slice){line, strlen(line)};
}

static bool is_literal(const AstExpr *ast) {
    AstExprKind kind = ast->kind == AST_UNARY ? ast->unary.operand->kind : ast->kind;
    return kind == AST_INTEGER || kind == AST_REAL || kind == AST_BOOLEAN;
}

// A side of a comparison for the message of the trap. What takes computing gets a variable, from
// which `*operand` of the comparison is then made, so that it is computed once.
static TirExpr *noted_value(Checker *checker, TirExpr *side, TirExpr **operand) {
    if (side->kind == EXPR_VAR || side->is_constant) {
        return tir_copy_node(&checker->tir, side);
    }
    TirExpr **place = *operand == side ? operand : &(*operand)->operand;
    CHECK(*place == side);
    *place = check_into_temporary(checker, side);
    return tir_read(&checker->tir, (*place)->var, side->span);
}

// The two sides of a comparison, or what a call of `near` compares.
static bool compared_sources(const AstExpr *ast, const AstExpr *sources[2]) {
    if (ast->kind == AST_BINARY && operator_compares(ast->binary.op)) {
        sources[0] = ast->binary.left;
        sources[1] = ast->binary.right;
        return true;
    }
    bool is_call = ast->kind == AST_CALL && ast->call.args.count >= 2;
    sources[0] = is_call ? ast->call.args.items[0] : NULL;
    sources[1] = is_call ? ast->call.args.items[1] : NULL;
    return false;
}

// The condition of an assertion that shows what it compares.
static TirExpr *check_asserted(Checker *checker, const AstExpr *ast, TirPrintItem *notes,
                               size_t *count) {
    TirExpr *sides[2] = {checker->poison, checker->poison};
    const AstExpr *sources[2];
    bool compares = compared_sources(ast, sources);
    checker->near[0] = checker->near[1] = NULL;
    TirExpr *condition =
        compares ? check_comparison(checker, ast, sides) : check_value(checker, ast);
    bool is_near = !compares && checker->near[0] != NULL && sources[0] != NULL;
    for (size_t i = 0; i < 2 && type_is_scalar(condition->type) && (compares || is_near); i++) {
        TirExpr *side = is_near ? checker->near[i] : sides[i];
        if (type_has_value(side->type) && type_is_scalar(side->type) && !is_literal(sources[i])) {
            notes[(*count)++] = (TirPrintItem){
                .value = is_near ? tir_copy_node(&checker->tir, side)
                                 : noted_value(checker, side, &condition->map.args[i]),
                .text = source_text(checker, sources[i]),
            };
        }
    }
    return condition;
}

// In the text of the library: what must hold of sizes, which are constants, else the call is wrong.
static TirExpr *require(Checker *checker, const BuiltinCall *call) {
    const TirExpr *condition = check_value(checker, builtin_argument(call, 0));
    const TirScalar *holds = constant_values(&checker->tir, condition);
    Slice text;
    CHECK(holds != NULL && builtin_text(checker, call, 1, &text));
    Instance *instance = checker->at.instance;
    if (!holds->boolean) {
        checker->at.instance = instance->caller; // the mistake is the caller's
        Diag *diag =
            check_error(checker, DIAG_E0508, instance->call_span, "%.*s", (int)text.len, text.data);
        diag_here(diag, "%s", check_sizes_text(checker, instance));
        checker->at.instance = instance;
    }
    return check_nothing(checker, call->span);
}

// `assert(f(2), 4)`: what is to be equal is compared.
static bool report_compared(Checker *checker, const BuiltinCall *call) {
    if (call->count < 2 || builtin_argument(call, 1)->kind == AST_STRING) {
        return false;
    }
    const AstExpr *left = builtin_argument(call, 0), *right = builtin_argument(call, 1);
    const TirExpr *values[] = {check_unevaluated(checker, left), check_unevaluated(checker, right)};
    const char *texts[] = {check_compared_text(checker, left), check_compared_text(checker, right)};
    if (texts[0] == NULL || texts[1] == NULL || !type_is_numeric(values[0]->type) ||
        !type_is_numeric(values[1]->type)) {
        return false;
    }
    Diag *diag = check_error(checker, DIAG_E0402, span_join(left->span, right->span),
                             "a condition is a scalar bool, and what follows it a text");
    bool are_tensors = type_is_tensor(values[0]->type) || type_is_tensor(values[1]->type);
    const char *compared = arena_format(checker->arena, are_tensors ? "all(%s == %s)" : "%s == %s",
                                        texts[0], texts[1]);
    diag_help(diag, "two values are compared: `assert(%s)`", compared);
    diag_edit(diag, span_join(left->span, right->span), "%s", compared);
    return true;
}

TirExpr *builtin_io_assert(Checker *checker, const BuiltinCall *call) {
    if (checker->at.unit->trusted) {
        return require(checker, call);
    }
    if (report_compared(checker, call)) {
        return checker->poison;
    }
    // Without a text, what was to hold says what does not.
    const AstExpr *ast = builtin_argument(call, 0);
    Slice text = source_text(checker, ast);
    TirPrintItem notes[ASSERTION_NOTES];
    size_t note_count = 0;
    TirProgramKind kind = checker->program->kind;
    bool shows = check_in_test(checker) ||
                 (call->count < 2 && (kind == PROGRAM_SCRIPT || kind == PROGRAM_MAIN));
    TirExpr *condition =
        shows ? check_asserted(checker, ast, notes, &note_count) : check_value(checker, ast);
    bool ok = call->count < 2 || builtin_text(checker, call, 1, &text);
    if (type_is_poison(condition->type)) {
        return checker->poison;
    }
    if (!type_is_scalar(condition->type) || condition->type->root != ROOT_BOOL) {
        explain_condition(checker, ast, condition);
        return checker->poison;
    }
    if (!effect_allowed(checker, call) || !ok) {
        return checker->poison;
    }
    TirStmt *stmt = tir_stmt(&checker->tir, checker->at.block, STMT_ASSERT, call->span);
    stmt->assertion.condition = condition;
    stmt->assertion.text = text;
    memcpy(stmt->assertion.notes, notes, note_count * sizeof(*notes));
    stmt->assertion.note_count = note_count;
    return check_nothing(checker, call->span);
}
