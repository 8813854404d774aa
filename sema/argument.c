// Which argument is for which parameter (L9.4): those by position first, then those by name in any
// order. Arguments are checked as they are written, whatever their parameter, so that effects
// happen in the order of the text. For a `var` parameter the argument is a place (L9.6), which is
// determined once, where it stands among the others.
#include "sema/argument.h"
#include "sema/component/infer.h"

#include "sema/expr.h"
#include "sema/notes/record.h"
#include "sema/stmt.h"
#include "sema/value.h"
#include "support/suggest.h"
#include "tir/alias.h"

#include <string.h>

static void note_declaration(Diag *diag, const FunctionDecl *decl) {
    diag_note_at(diag, decl->ast->function.name.span, "`%s` is declared here", decl->name->text);
}

static bool report_too_many(Checker *checker, const FunctionDecl *decl, const AstExpr *call) {
    size_t most = decl->ast->function.param_count;
    size_t least = 0;
    while (least < most && decl->ast->function.params[least].value == NULL) {
        least++;
    }
    const char *takes = least == most ? arena_format(checker->arena, "%zu", most)
                                      : arena_format(checker->arena, "%zu to %zu", least, most);
    Diag *diag =
        check_error(checker, DIAG_E0711, call->span, "`%s` takes %s %s, not %u", decl->name->text,
                    takes, most == 1 ? "argument" : "arguments", call->call.args.count);
    if (decl->unit->trusted && strcmp(decl->name->text, "sort") == 0) {
        diag_note(diag, "`flip(sort(x))` descends");
    } else if (decl->unit->trusted && strcmp(decl->name->text, "diff") == 0) {
        diag_note(diag, "`gradient(e, x)` differentiates `e` by the variable `x`");
    } else if (decl->unit->trusted && strcmp(decl->name->text, "sat") == 0) {
        diag_note(diag, "`clamp(x, low, high)` keeps `x` between two limits");
    }
    note_declaration(diag, decl);
    return false;
}

static bool report_unknown(Checker *checker, const FunctionDecl *decl, const AstName *name) {
    Diag *diag = check_error(checker, DIAG_E0711, name->span, "`%s` has no parameter `%s`",
                             decl->name->text, name->name->text);
    Suggestion suggestion = suggestion_for(name->name->text, name->name->len);
    for (size_t k = 0; k < decl->ast->function.param_count; k++) {
        suggestion_try(&suggestion, decl->ast->function.params[k].name.name->text);
    }
    if (suggestion.nearest != NULL) {
        diag_help(diag, "did you mean `%s`?", suggestion.nearest);
        diag_edit(diag, name->span, "%s", suggestion.nearest);
    }
    note_declaration(diag, decl);
    return false;
}

// The parameter that `ast` names; their number when there is none.
static size_t find_param(Checker *checker, const FunctionDecl *decl, const AstName *ast) {
    Name name = check_macro_name(checker, ast);
    MacroBinding *macros = checker->at.macros;
    checker->at.macros = decl->macros;
    size_t k = 0;
    while (k < decl->ast->function.param_count &&
           check_macro_name(checker, &decl->ast->function.params[k].name) != name) {
        k++;
    }
    checker->at.macros = macros;
    return k;
}

// Which parameter each argument is for, and by parameter the argument; false after an error.
static bool bind(Checker *checker, const FunctionDecl *decl, const AstExpr *call, size_t *params,
                 const AstExpr **given) {
    size_t most = decl->ast->function.param_count;
    const AstExpr *first_named = NULL;
    for (size_t k = 0; k < call->call.args.count; k++) {
        const AstExpr *arg = call->call.args.items[k];
        bool named = arg->kind == AST_NAMED_ARG;
        if (!named && first_named != NULL) {
            Diag *diag = check_error(checker, DIAG_E0711, arg->span,
                                     "an argument by position stands before those by name");
            diag_label(diag, first_named->span, "this one is by name");
            return false;
        }
        first_named = first_named == NULL && named ? arg : first_named;
        params[k] = named ? find_param(checker, decl, &arg->named.name) : k;
        if (named && params[k] < most && !decl->unit->trusted) {
            const AstName *param = &decl->ast->function.params[params[k]].name;
            notes_name(checker, NAME_PARAMETER, param->name, param->span, arg->named.name.span);
        }
        if (params[k] >= most) {
            return named ? report_unknown(checker, decl, &arg->named.name)
                         : report_too_many(checker, decl, call);
        }
        const AstExpr *other = given[params[k]];
        if (other != NULL) {
            Diag *diag = check_error(checker, DIAG_E0711, arg->named.name.span,
                                     "argument `%s` of `%s` is given twice",
                                     arg->named.name.name->text, decl->name->text);
            diag_label(diag, other->span, "given here first");
            return false;
        }
        given[params[k]] = arg;
    }
    return true;
}

static bool require_all(Checker *checker, const FunctionDecl *decl, const AstExpr *call,
                        const AstExpr **given) {
    const char *missing = NULL;
    size_t count = 0;
    for (size_t k = 0; k < decl->ast->function.param_count; k++) {
        const AstParam *param = &decl->ast->function.params[k];
        if (given[k] == NULL && param->value == NULL) {
            missing = count++ == 0 ? arena_format(checker->arena, "`%s`", param->name.name->text)
                                   : arena_format(checker->arena, "%s, `%s`", missing,
                                                  param->name.name->text);
        }
    }
    if (count == 0) {
        return true;
    }
    Diag *diag = check_error(checker, DIAG_E0711, call->span, "%s %s of `%s` %s missing",
                             count == 1 ? "argument" : "arguments", missing, decl->name->text,
                             count == 1 ? "is" : "are");
    note_declaration(diag, decl);
    return false;
}

// The place that an argument names: it is a value as well, which is held like others.
static TirExpr *check_place(Checker *checker, const AstExpr *ast, const AstParam *param,
                            size_t *held) {
    if (!ast_is_place(ast)) {
        Diag *diag = check_error(checker, DIAG_E0202, ast->span,
                                 "the `var` parameter `%s` needs a variable, not a value",
                                 param->name.name->text);
        diag_note(diag, "a place is a variable, an output, or an element or slice of one");
        return NULL;
    }
    TirExpr *place = check_target(checker, ast);
    if (place == NULL) {
        return NULL;
    }
    while (ast->kind == AST_INDEX) {
        ast = ast->index.object;
    }
    if (ast->kind == AST_NAME) {
        Symbol *symbol = scope_find(checker->at.scope, check_macro_name(checker, &ast->name));
        symbol->used = true;
    }
    if (tir_var_is_global(tir_place_var(place))) {
        checker->at.function->reads_globals = true;
    }
    *held += check_share_indices(checker, place);
    return place;
}

static bool check_place_type(Checker *checker, const TirFunction *function, size_t k,
                             const TirExpr *place) {
    const TirVar *param = function->params[k];
    if (place->type == param->type) {
        return true;
    }
    bool is_root =
        type_with_root(checker->tir.types, place->type, param->type->root) == param->type;
    Diag *diag =
        check_error(checker, is_root ? DIAG_E0401 : DIAG_E0510, place->span,
                    "the `var` parameter `%s` of `%s` is %s, and this is %s", param->name->text,
                    function->name->text, check_type_text(checker, param->type),
                    check_type_text(checker, place->type));
    diag_label(diag, param->span, "declared here");
    diag_note(diag, "it is copied in and back, so both have the same type");
    return false;
}

bool arguments_check_places(Checker *checker, const TirFunction *function,
                            const Arguments *arguments) {
    for (size_t k = 0; k < function->param_count; k++) {
        const TirExpr *place = arguments->places[k];
        if (place == NULL) {
            continue;
        }
        if (!check_place_type(checker, function, k, place)) {
            return false;
        }
        for (size_t i = 0; i < k; i++) {
            const TirExpr *other = arguments->places[i];
            if (other != NULL && !tir_places_disjoint(place, other)) {
                Diag *diag = check_error(checker, DIAG_E0711, place->span,
                                         "two `var` parameters of `%s` may be given one place",
                                         function->name->text);
                diag_label(diag, other->span, "for `%s`", function->params[i]->name->text);
                diag_here(diag, "for `%s`", function->params[k]->name->text);
                return false;
            }
        }
    }
    return true;
}

bool arguments_check(Checker *checker, const FunctionDecl *decl, const AstExpr *call,
                     Arguments *arguments) {
    size_t count = call->call.args.count;
    size_t most = decl->ast->function.param_count;
    size_t *params = ARENA_ARRAY(checker->arena, size_t, count);
    const AstExpr **given = ARENA_ARRAY(checker->arena, const AstExpr *, most);
    bool ok = bind(checker, decl, call, params, given) && require_all(checker, decl, call, given);
    TirExpr **written = ARENA_ARRAY(checker->arena, TirExpr *, count);
    *arguments = (Arguments){.values = ARENA_ARRAY(checker->arena, TirExpr *, most),
                             .places = ARENA_ARRAY(checker->arena, TirExpr *, most)};
    bool is_bound = ok;
    size_t held = count;
    for (size_t k = 0; k < count; k++) {
        const AstExpr *arg = call->call.args.items[k];
        arg = arg->kind == AST_NAMED_ARG ? arg->named.value : arg;
        const AstParam *param = is_bound ? &decl->ast->function.params[params[k]] : NULL;
        if (param != NULL && param->is_var) {
            TirExpr *place = check_place(checker, arg, param, &held);
            arguments->places[params[k]] = place;
            written[k] = place == NULL ? checker->poison : place;
        } else if (!is_bound && arg->kind == AST_STRING) {
            written[k] = checker->poison; // a mode, as other languages have, of which it was told
        } else {
            written[k] = check_value(checker, arg);
        }
        bool fills =
            infer_is_on(checker) && decl->sizes.count == 0 && param != NULL && !param->is_var;
        ok = ok && (fills || !type_is_poison(written[k]->type));
        check_hold(checker, &written[k]);
    }
    while (held-- > 0) {
        check_release(checker);
    }
    for (size_t k = 0; ok && k < count; k++) {
        arguments->values[params[k]] = written[k];
    }
    return ok;
}
