// Expressions: names, literals of scalars, and one switch over all kinds.
#include "sema/expr.h"
#include "sema/component/infer.h"

#include "sema/component/component.h"
#include "sema/notes/record.h"
#include "sema/operator.h"
#include "sema/stmt.h"
#include "sema/system/system.h"
#include "sema/value.h"
#include "sema/warn/warn.h"
#include "support/bug.h"

#include <math.h>
#include <string.h>

TirExpr *check_read(Checker *checker, TirVar *var, Span span) {
    if (type_is_poison(var->type)) {
        return checker->poison;
    }
    TirFunction *function = checker->at.function;
    bool in_interface = tir_var_is_global(var) && var->role != VAR_GLOBAL;
    function->uses_interface = function->uses_interface || in_interface;
    if (tir_var_is_global(var) && var->role != VAR_TUNABLE) {
        function->reads_globals = true;
    }
    return tir_read(&checker->tir, var, span);
}

// M_PI, M_E, nan and inf (L1.7); NULL for other names.
static TirExpr *named_constant(Checker *checker, const AstName *name) {
    static const struct {
        const char *text;
        double value;
    } constants[] = {
        {"M_PI", 3.14159265358979323846},
        {"M_E", 2.71828182845904523536},
        {"nan", NAN},
        {"inf", INFINITY},
    };
    for (size_t k = 0; k < sizeof constants / sizeof constants[0]; k++) {
        if (strcmp(name->name->text, constants[k].text) == 0) {
            return tir_const_real(&checker->tir, constants[k].value, name->span);
        }
    }
    return NULL;
}

// The latest variable of that name in a block that has ended, or NULL.
static const Symbol *find_ended(const Checker *checker, Name name) {
    for (size_t k = checker->at.ended.count; k-- > 0;) {
        if (checker->at.ended.items[k]->name == name) {
            return checker->at.ended.items[k];
        }
    }
    return NULL;
}

static bool is_ascii(Name name) {
    for (size_t i = 0; i < name->len; i++) {
        if ((unsigned char)name->text[i] >= 0x80) {
            return false;
        }
    }
    return true;
}

// What a variable that ended with its block is declared as to outlive it.
static void note_outer_declaration(Checker *checker, Diag *diag, const Symbol *ended) {
    if (ended->kind != SYMBOL_VAR || ended->var->role == VAR_LOOP) {
        return;
    }
    const Type *type = ended->var->type;
    const char *value = type->root == ROOT_REAL ? "0.0" : type->root == ROOT_BOOL ? "false" : "0";
    diag_help(diag, "declare it before the block%s: `%s %s = %s`",
              ended->origin == ORIGIN_DECLARED ? ", and only assign it there" : "",
              check_type_text(checker, type), ended->name->text, value);
}

// `note` is for a name that nothing else is known of. `is_set`: all of it is assigned to.
static void report_unknown(Checker *checker, const AstName *name, const char *note, bool is_set) {
    Unit *unit = checker->at.unit;
    bool later = name_set_has(unit->file_level, name->name);
    if (later && checker->at.instance != NULL && unit->kind == FILE_SCRIPT) {
        Diag *diag = check_error(checker, DIAG_E0303, checker->at.instance->call_span,
                                 "`%s` is called before `%s`, which it uses, has its value",
                                 checker->at.instance->decl->name->text, name->name->text);
        diag_label(diag, name->span, "used here");
        if (is_set) {
            diag_help(diag,
                      "with a type before it, as in `real %s = ...`, it is the function's own",
                      name->name->text);
        }
        return;
    }
    if (!is_ascii(name->name)) {
        return; // E0102 was told of it
    }
    const char *message = arena_format(checker->arena, "unknown name `%s`", name->name->text);
    bool is_updated = check_is_updated_there(checker, name, false);
    Span repeated = is_updated ? (Span){0, 0} : name->span;
    if (check_was_told(checker, DIAG_E0301, repeated, message)) {
        return;
    }
    const Symbol *ended = find_ended(checker, name->name);
    if (ended != NULL && ended->kind == SYMBOL_VAR && type_is_poison(ended->var->type)) {
        return; // its value was told
    }
    Diag *diag = check_error(checker, DIAG_E0301, name->span, "%s", message);
    if (ended != NULL) {
        diag_label(diag, ended->span, "this `%s` ends with its block", name->name->text);
        note_outer_declaration(checker, diag, ended);
    } else if (later && check_note_goes_on(checker, diag, name->span)) {
        return;
    } else if (later && !is_updated && !check_is_updated_there(checker, name, true)) {
        diag_note(diag, "`%s` gets its value further down", name->name->text);
    } else if (!check_suggest(checker, diag, name, NULL) && note != NULL) {
        diag_note(diag, "%s", note);
    }
}

// A name that is looked up; NULL: no scope has it.
static void note_use(Checker *checker, const Symbol *symbol, const AstName *name, const char *note,
                     bool is_set) {
    if (symbol != NULL) {
        notes_symbol(checker, symbol, name->span);
    } else if (!checker->at.unit->lacks_names) {
        report_unknown(checker, name, note, is_set);
    }
}

static const char *note_of_update(Checker *checker, Name name) {
    return arena_format(checker->arena,
                        "what is updated has a value before: `%s = 0.0` gives it one", name->text);
}

static const char *note_of_state(Checker *checker, Name name) {
    return arena_format(checker->arena,
                        "what is kept from step to step is declared at file level: `real %s = 0.0`",
                        name->text);
}

// What an unknown name lacks that its function gives a value later on, for the next step, or that
// another one does for itself.
static const char *note_of_read(Checker *checker, const AstName *ast) {
    const Instance *instance = checker->at.instance;
    const Unit *unit = checker->at.unit;
    Name name = ast->name;
    if (unit->kind != FILE_COMPONENT || instance == NULL ||
        instance->decl->ast->kind != AST_FUNCTION) {
        bool starts = unit->kind == FILE_SCRIPT || !checker->at.mode.at_file_level;
        return starts && check_is_updated_there(checker, ast, false) ? note_of_update(checker, name)
                                                                     : NULL;
    }
    if (block_assigns(&instance->decl->ast->function.body, name)) {
        return note_of_state(checker, name);
    }
    for (size_t k = 0; k < unit->functions.count; k++) {
        const AstStmt *other = unit->functions.items[k]->ast;
        if (other->kind == AST_FUNCTION && block_assigns(&other->function.body, name)) {
            return arena_format(checker->arena, "that of `%s` ends with it; %s",
                                other->function.name.name->text, note_of_state(checker, name));
        }
    }
    return NULL;
}

// NULL after an error: it is unknown, or without a value yet.
static Symbol *look_up(Checker *checker, const AstName *name) {
    Symbol *symbol = scope_find(checker->at.scope, name->name);
    const char *note = symbol != NULL ? NULL : note_of_read(checker, name);
    note_use(checker, symbol, name, note, false);
    return symbol;
}

// What an unknown name lacks that is assigned to in part, or updated.
static const char *note_of_target(Checker *checker, const AstName *name, TargetUse use,
                                  bool is_part) {
    if (use != TARGET_ASSIGNED && use != TARGET_UPDATED) {
        return NULL;
    }
    const char *text = name->name->text;
    if (!is_part && use == TARGET_UPDATED && checker->at.unit->kind == FILE_COMPONENT) {
        return note_of_state(checker, name->name);
    }
    return is_part ? arena_format(checker->arena,
                                  "an array is declared before its elements are set: "
                                  "`tensor<real, 8> %s = 0.0` has 8 zeros",
                                  text)
                   : note_of_update(checker, name->name);
}

Symbol *check_lookup_target(Checker *checker, const AstName *name, TargetUse use, bool is_part) {
    Symbol *symbol = scope_find(checker->at.scope, name->name);
    const char *note = symbol != NULL ? NULL : note_of_target(checker, name, use, is_part);
    note_use(checker, symbol, name, note, use == TARGET_ASSIGNED && !is_part);
    return symbol;
}

static TirExpr *report_function(Checker *checker, const AstName *name) {
    const char *text = name->name->text;
    Diag *diag =
        check_error(checker, DIAG_E0719, name->span, "`%s` is a function, not a value", text);
    diag_note(diag, "a function is called with parentheses: `%s(...)`", text);
    return checker->poison;
}

// Whether the name, which no scope has, is one of the functions that are given.
static bool is_given_function(Checker *checker, Name name) {
    return check_is_given(checker, name) && find_ended(checker, name) == NULL &&
           !name_set_has(checker->at.unit->file_level, name);
}

bool check_names_function(Checker *checker, const AstExpr *ast) {
    if (ast->kind != AST_NAME) {
        return false;
    }
    const Symbol *symbol = scope_find(checker->at.scope, ast->name.name);
    return symbol == NULL ? is_given_function(checker, ast->name.name)
                          : symbol->kind == SYMBOL_FUNCTION;
}

// L15.4
static TirExpr *report_variable_in_wire(Checker *checker, const AstExpr *ast,
                                        const Symbol *symbol) {
    Diag *diag = check_error(checker, DIAG_E0720, ast->span, "a wire cannot read the variable `%s`",
                             symbol->name->text);
    diag_note_at(diag, symbol->span, "it is declared here");
    diag_note(
        diag,
        "wires read terminals and properties: a number that stays is one, as `real p.%s = ...`, "
        "and what a function computes an output",
        symbol->name->text);
    return checker->poison;
}

static TirExpr *lower_name(Checker *checker, const AstExpr *ast) {
    AstName resolved = {.name = check_macro_name(checker, &ast->name), .span = ast->span};
    const AstName *name = &resolved;
    if (name->name == NULL) {
        return checker->poison;
    }
    TirExpr *macro = check_macro_variable(checker, name->name);
    if (macro != NULL) {
        notes_macro(checker, name->name, macro, ast->span);
        return tir_const(&checker->tir, macro->type, macro->data, ast->span);
    }
    if (scope_find(checker->at.scope, name->name) == NULL) {
        TirExpr *constant = named_constant(checker, name);
        if (constant != NULL) {
            return constant;
        }
        if (is_given_function(checker, name->name)) {
            return report_function(checker, name);
        }
    }
    Symbol *symbol = look_up(checker, name);
    if (symbol == NULL) {
        return checker->poison;
    }
    symbol->used = true;
    switch (symbol->kind) {
    case SYMBOL_VAR:
        if (checker->at.wire != NULL) {
            return report_variable_in_wire(checker, ast, symbol);
        }
        return check_is_present(checker, symbol->optional, ast, false)
                   ? check_read(checker, symbol->var, ast->span)
                   : checker->poison;
    case SYMBOL_CONSTANT: {
        TirExpr *constant = symbol->constant;
        return tir_const(&checker->tir, constant->type, constant->data, ast->span);
    }
    case SYMBOL_IO: return check_io_name(checker, ast, symbol);
    case SYMBOL_FUNCTION: return report_function(checker, name);
    case SYMBOL_INSTANCE:
        return check_fail(checker, DIAG_E0407, ast->span,
                          "`%s` is an instance: its terminals have values, as in `%s.NAME`",
                          name->name->text, name->name->text);
    case SYMBOL_INTERFACE: break; // has a scope of its own
    }
    UNREACHABLE();
}

static TirExpr *lower_integer(Checker *checker, const AstExpr *ast) {
    if (ast->integer.is_unsigned) {
        return tir_const_uint(&checker->tir, ast->integer.value, ast->span);
    }
    if (ast->integer.value > INT32_MAX) {
        Diag *diag = check_error(checker, DIAG_E0104, ast->span, "%u does not fit `int`",
                                 ast->integer.value);
        diag_note(diag, "the greatest `int` is 2147483647; `%uu` is a `uint`", ast->integer.value);
        return checker->poison;
    }
    return tir_const_int(&checker->tir, (int32_t)ast->integer.value, ast->span);
}

static TirExpr *lower_binary_value(Checker *checker, const AstExpr *ast) {
    if (ast->binary.op == AST_BINARY_ELVIS) {
        return check_elvis(checker, ast);
    }
    Operand result = check_binary(checker, ast);
    return check_not_optional(checker, &result);
}

static TirExpr *lower_kind(Checker *checker, const AstExpr *ast) {
    switch (ast->kind) {
    case AST_INTEGER: return lower_integer(checker, ast);
    case AST_REAL:
        warn_real_literal(checker, ast);
        return tir_const_real(&checker->tir,
                              checker->tir.single ? (double)ast->real.single : ast->real.value,
                              ast->span);
    case AST_BOOLEAN: return tir_const_bool(&checker->tir, ast->boolean, ast->span);
    case AST_STRING: return check_string(checker, ast->string, ast->span);
    case AST_NAME: return lower_name(checker, ast);
    case AST_ATTR:
        return system_is_refused(checker, ast)    ? checker->poison
               : check_is_interface(checker, ast) ? check_interface_read(checker, ast)
               : system_is_member(checker, ast)   ? system_read(checker, ast)
                                                  : check_attribute(checker, ast);
    case AST_INDEX: return check_index(checker, ast);
    case AST_CALL: return check_call(checker, ast);
    case AST_CAST: {
        const Type *type = check_type(checker, ast->cast.type);
        TirExpr *value = check_expr(checker, ast->cast.arg);
        return check_cast(checker, type, value, ast->span);
    }
    case AST_UNARY: return check_unary(checker, ast);
    case AST_BINARY: return lower_binary_value(checker, ast);
    case AST_TRANSPOSE: return check_transpose(checker, ast);
    case AST_TENSOR: return check_tensor_literal(checker, ast);
    case AST_RANGE:
        return check_fail(checker, DIAG_E0601, ast->span,
                          "a range stands in an index or in the header of a `for` only");
    case AST_ELLIPSIS:
        return check_fail(checker, DIAG_E0601, ast->span, "`...` stands in an index only");
    case AST_OPTIONAL: return check_mark(checker, ast);
    case AST_TYPE_ARG: return check_fail(checker, DIAG_E0408, ast->span, "a type is not a value");
    case AST_NAMED_ARG: break; // who checks a call takes its value
    case AST_ERROR: return checker->poison;
    }
    UNREACHABLE();
}

TirExpr *check_expr(Checker *checker, const AstExpr *ast) {
    if (!check_has_room(checker, ast->span)) {
        return checker->poison;
    }
    TirExpr *value = infer_note(checker, ast, lower_kind(checker, ast));
    notes_value(checker, ast, value->type);
    return value;
}

TirExpr *check_has_value(Checker *checker, TirExpr *expr) {
    if (type_is_poison(expr->type) || type_has_value(expr->type)) {
        return expr;
    }
    if (expr->type->kind == TYPE_VOID) {
        (void)check_note_goes_on(
            checker, check_error(checker, DIAG_E0712, expr->span, "this call has no result"),
            expr->span);
    } else {
        Diag *diag =
            check_error(checker, DIAG_E0407, expr->span, "a `%s` cannot be computed with or stored",
                        check_type_text(checker, expr->type));
        if (checker->program->kind == PROGRAM_SCRIPT || checker->program->kind == PROGRAM_MAIN) {
            diag_note(diag, "`print` shows texts and values in a row: `print(\"x is\", x)`");
        } else if (strchr("\"'", check_expr_text(checker, expr->span, "x")[0]) != NULL) {
            diag_note(diag, "modes are numbers that constants name: `int n.idle = 0`");
        }
    }
    return checker->poison;
}

TirExpr *check_value(Checker *checker, const AstExpr *ast) {
    return check_has_value(checker, check_expr(checker, ast));
}

TirExpr **check_values(Checker *checker, const AstExprs *exprs) {
    TirExpr **values = ARENA_ARRAY(checker->arena, TirExpr *, exprs->count);
    for (size_t k = 0; k < exprs->count; k++) {
        values[k] = check_value(checker, exprs->items[k]);
        check_hold(checker, &values[k]);
    }
    for (size_t k = 0; k < exprs->count; k++) {
        check_release(checker);
    }
    return values;
}

TirExpr *check_apart(Checker *checker, const AstExpr *ast, TirBlock *statements) {
    CheckPlace outside = checker->at;
    checker->at.block = statements;
    memset(&checker->at.held, 0, sizeof checker->at.held);
    TirExpr *expr = check_expr(checker, ast);
    checker->at = outside;
    return expr;
}

TirExpr *check_unevaluated(Checker *checker, const AstExpr *ast) {
    TirBlock nowhere = {0};
    CheckMode mode = checker->at.mode;
    checker->at.mode.unevaluated = true;
    TirExpr *expr = check_apart(checker, ast, &nowhere);
    checker->at.mode = mode;
    if (expr->type->kind == TYPE_VOID) {
        return check_fail(checker, DIAG_E0712, ast->span, "this call has no result");
    }
    return expr;
}
