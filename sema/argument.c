// Which argument is for which parameter (L9.4): those by position first, then those by name in any
// order. Arguments are checked as they are written, whatever their parameter, so that effects
// happen in the order of the text.
#include "sema/argument.h"

#include "sema/expr.h"
#include "sema/stmt.h"
#include "sema/value.h"
#include "support/suggest.h"

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

TirExpr **argument_values(Checker *checker, const FunctionDecl *decl, const AstExpr *call) {
    size_t count = call->call.args.count;
    TirExpr **written = ARENA_ARRAY(checker->arena, TirExpr *, count);
    for (size_t k = 0; k < count; k++) {
        const AstExpr *arg = call->call.args.items[k];
        written[k] = check_value(checker, arg->kind == AST_NAMED_ARG ? arg->named.value : arg);
        check_hold(checker, &written[k]);
    }
    for (size_t k = 0; k < count; k++) {
        check_release(checker);
    }
    size_t most = decl->ast->function.param_count;
    size_t *params = ARENA_ARRAY(checker->arena, size_t, count);
    const AstExpr **given = ARENA_ARRAY(checker->arena, const AstExpr *, most);
    if (!bind(checker, decl, call, params, given) || !require_all(checker, decl, call, given)) {
        return NULL;
    }
    TirExpr **values = ARENA_ARRAY(checker->arena, TirExpr *, most);
    for (size_t k = 0; k < count; k++) {
        values[params[k]] = written[k];
    }
    return values;
}
