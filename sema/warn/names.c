// Names that nothing uses, that look like others, or that hide what an import brings.
#include "sema/warn/state.h"

#include "parser/ast_visit.h"
#include "support/suggest.h"

#include <ctype.h>
#include <string.h>

static NameFact *fact_of(Checker *checker, const Scope *scope, const Symbol *symbol) {
    Warn *warn = checker->warn;
    const void *place = (const void *)(uintptr_t)symbol->span.start; // of one declaration
    NameFact *fact = table_get(&warn->names_by_place, place);
    if (fact == NULL) {
        fact = ARENA_NEW(checker->arena, NameFact);
        *fact = (NameFact){.symbol = symbol,
                           .scope = scope,
                           .unit = checker->at.unit,
                           .in_test = check_in_test(checker)};
        table_set(checker->arena, &warn->names_by_place, place, fact);
        LIST_PUSH(checker->arena, &warn->names, fact);
    }
    return fact;
}

// Whether the declaration is checked again elsewhere, where it may be used.
static bool is_repeated(const Checker *checker, const Symbol *symbol) {
    return symbol->in_macro || check_is_one_of_many(checker);
}

void warn_scope(Checker *checker, const Scope *scope) {
    // What a test does that is to fail has no other use.
    bool is_wanted = warn_is_wanted(checker) && !warn_in_failing_test(checker);
    for (size_t k = 0; is_wanted && k < scope->symbols.count; k++) {
        const Symbol *symbol = scope->symbols.items[k];
        bool is_variable = symbol->kind == SYMBOL_VAR && symbol->var->role != VAR_LOOP;
        bool is_named = is_variable || symbol->kind == SYMBOL_FUNCTION;
        if (is_named && (!symbol->used || is_repeated(checker, symbol))) {
            NameFact *fact = fact_of(checker, scope, symbol);
            fact->used = fact->used || symbol->used;
            fact->assigned_again = fact->assigned_again || symbol->assigned;
        }
    }
}

static void tell_lost_change(Checker *checker, const Symbol *param, const char *what) {
    Diag *diag = warn_later(checker, WARNING_LOST_CHANGE, param->span,
                            "the parameter `%s` is changed%s: its caller keeps what it gave",
                            param->name->text, what);
    diag_help(diag, "`var` before its type lets the function change what the caller has");
}

void warn_changes(Checker *checker, const AstStmt *ast, const Scope *params) {
    const TirFunction *function = checker->at.function;
    bool does_something = ast->function.result_count > 0 || function->has_effects ||
                          function->writes_globals || function->uses_interface ||
                          checker->at.instance->has_debug;
    for (size_t k = 0; k < ast->function.param_count; k++) {
        does_something = does_something || ast->function.params[k].is_var;
    }
    if (does_something || !warn_is_wanted(checker)) {
        return;
    }
    bool told = false;
    for (size_t k = 0; k < params->symbols.count; k++) {
        Symbol *symbol = params->symbols.items[k];
        bool changes = symbol->is_param && symbol->assigned && symbol->name->text[0] != '_';
        if (changes && !told) {
            tell_lost_change(checker, symbol, ", and its function does nothing else");
        }
        symbol->used = symbol->used || changes; // one message is enough
        told = told || changes;
    }
}

void warn_skipped(Checker *checker, const AstBlock *block) {
    if (warn_is_wanted(checker)) {
        LIST_PUSH(checker->arena, &checker->warn->skipped, block);
    }
}

void warn_test(Checker *checker, const AstBlock *block) {
    if (warn_is_wanted(checker)) {
        LIST_PUSH(checker->arena, &checker->warn->tests, block);
    }
}

Symbol *warn_unread(Checker *checker, const AstExpr *target) {
    bool is_plain = target->kind == AST_NAME && target->name.macro_indices.count == 0;
    Symbol *symbol = is_plain && warn_is_wanted(checker)
                         ? scope_find(checker->at.scope, target->name.name)
                         : NULL;
    return symbol == NULL || symbol->kind != SYMBOL_VAR || symbol->used ? NULL : symbol;
}

void warn_self_read(Checker *checker, Symbol *symbol, const AstExpr *value) {
    AstVisitor visitor = {.expr = warn_calls_function, .data = checker->at.scope};
    if (symbol != NULL && symbol->used && !ast_visit_expr(value, &visitor)) {
        symbol->used = false;
    }
}

void warn_declared(Checker *checker, const Unit *unit, const Symbol *symbol) {
    bool is_constant = symbol->kind == SYMBOL_INTERFACE;
    const Scope *imported = is_constant ? unit->imported_constants : unit->imported;
    const Symbol *hidden =
        checker->warn != NULL && !unit->trusted ? scope_find_here(imported, symbol->name) : NULL;
    // A name before `(` is that of a function, other names are those of values.
    if (hidden == NULL || hidden->kind != symbol->kind) {
        return;
    }
    const char *name =
        arena_format(checker->arena, "%s%s", is_constant ? "n." : "", symbol->name->text);
    Diag *diag = warn_later(checker, WARNING_IMPORT_HIDDEN, symbol->span,
                            "`%s` hides the one that an import brings", name);
    diag_note_at(diag, hidden->span, "`%s` is declared here%s", name,
                 is_constant ? ", and stays what it is in that file" : "");
    diag_help(diag, "with another name both can be used");
}

static bool note_name(const AstExpr *expr, void *names) {
    if (expr->kind == AST_NAME) {
        name_set_add_written(names, &expr->name);
    } else if (expr->kind == AST_ATTR) {
        name_set_add_written(names, &expr->attr.name);
    }
    return false;
}

// The names that occur in code which is not checked: what macros leave out, and functions with
// sizes that nothing calls.
static NameSet *unchecked_names(Checker *checker) {
    NameSet *names = name_set_create(checker->arena);
    AstVisitor visitor = {.expr = note_name, .data = names};
    for (size_t k = 0; k < checker->warn->skipped.count; k++) {
        ast_visit_block(checker->warn->skipped.items[k], &visitor);
    }
    for (size_t k = 0; k < checker->units.count; k++) {
        const Unit *unit = checker->units.items[k];
        for (size_t f = 0; f < unit->functions.count; f++) {
            const FunctionDecl *decl = unit->functions.items[f];
            if (decl->instances.count == 0) {
                ast_visit_stmt(decl->ast, &visitor);
            }
        }
    }
    return names;
}

// One letter more, less or other, or two that changed places; digits only count things.
static bool is_near(Name left, Name right) {
    enum { SHORTEST = 4 };
    const char *a = left->text;
    const char *b = right->text;
    size_t a_len = left->len;
    size_t b_len = right->len;
    while (a_len > 0 && b_len > 0 && a[a_len - 1] == b[b_len - 1]) {
        a_len--;
        b_len--;
    }
    while (a_len > 0 && b_len > 0 && a[0] == b[0]) {
        a++;
        b++;
        a_len--;
        b_len--;
    }
    bool is_swap = a_len == 2 && b_len == 2 && a[0] == b[1] && a[1] == b[0];
    bool is_edit = a_len <= 1 && b_len <= 1;
    bool counts =
        (a_len > 0 && isdigit((unsigned char)a[0])) || (b_len > 0 && isdigit((unsigned char)b[0]));
    return left != right && left->len >= SHORTEST && right->len >= SHORTEST &&
           (is_swap || is_edit) && !counts;
}

// A variable that could have been meant, declared before. Where nothing is read nothing is looked
// for.
static const Symbol *find_near(Checker *checker, const NameFact *fact) {
    enum { SEARCHES = 100 };
    if (checker->warn->searches++ >= SEARCHES) {
        return NULL;
    }
    for (const Scope *scope = fact->scope; scope != NULL; scope = scope->parent) {
        for (size_t k = 0; k < scope->symbols.count; k++) {
            const Symbol *symbol = scope->symbols.items[k];
            if (symbol->kind == SYMBOL_VAR && symbol->span.start < fact->symbol->span.start &&
                is_near(fact->symbol->name, symbol->name)) {
                return symbol;
            }
        }
    }
    return NULL;
}

// `_name` says that it is meant, and is offered where one edit makes it so.
static void offer_underscore(Checker *checker, Diag *diag, const NameFact *fact) {
    const Symbol *symbol = fact->symbol;
    Slice written = sources_text(checker->context->sources, symbol->span);
    bool is_whole = written.len == symbol->name->len; // not of a macro
    const char *marked = arena_format(checker->arena, "_%s", symbol->name->text);
    Name name = names_intern_text(checker->context->names, marked);
    diag_help(diag, "a name that begins with `_` may stay unread");
    if (is_whole && !fact->assigned_again && scope_find(fact->scope, name) == NULL) {
        diag_edit(diag, symbol->span, "%s", marked);
    }
}

static void warn_of_variable(Checker *checker, const NameFact *fact) {
    const Symbol *symbol = fact->symbol;
    const char *name = symbol->name->text;
    if (table_get(&checker->warn->hiding, warn_place_key(symbol->span)) != NULL) {
        return; // it is one mistake
    }
    const Symbol *near = symbol->origin == ORIGIN_DECLARED ? NULL : find_near(checker, fact);
    if (near != NULL) {
        Diag *diag = warn_later(checker, WARNING_NEAR_MISS, symbol->span,
                                "`%s` is a new variable here, and nothing reads it", name);
        diag_label(diag, near->span, "there is a variable `%s`", near->name->text);
        diag_help(diag, "did you mean `%s`?", near->name->text);
        return;
    }
    bool is_state = fact->scope == fact->unit->scope && fact->unit->kind == FILE_COMPONENT;
    Diag *diag = warn_later(
        checker, WARNING_UNUSED, symbol->span,
        is_state ? "`%s` is kept from step to step, and never read" : "`%s` is never read", name);
    offer_underscore(checker, diag, fact);
}

// A file with nothing but values is made to be imported (L4.4).
static bool has_only_values(const AstFile *file) {
    for (size_t k = 0; k < file->statements.count; k++) {
        const AstStmt *stmt = file->statements.items[k];
        bool assigns = stmt->kind == AST_ASSIGN && stmt->assign.target->kind == AST_NAME;
        if (!assigns && stmt->kind != AST_DECL && stmt->kind != AST_IMPORT) {
            return false;
        }
    }
    return true;
}

// What other files and hosts may use: all of a file that is imported, functions of a component.
static bool is_for_others(const NameFact *fact) {
    const Unit *unit = fact->unit;
    return unit->index != 0 || unit->kind == FILE_LIBRARY || has_only_values(unit->file) ||
           (fact->symbol->kind == SYMBOL_FUNCTION && unit->kind == FILE_COMPONENT);
}

static void warn_of_unused(Checker *checker, const NameFact *fact) {
    const Symbol *symbol = fact->symbol;
    bool at_file_level = fact->scope == fact->unit->scope;
    if (at_file_level && is_for_others(fact)) {
        bool is_run = fact->unit->index == 0 && fact->unit->kind == FILE_COMPONENT;
        bool is_entry = is_run && symbol->kind == SYMBOL_FUNCTION &&
                        symbol->function->ast->function.param_count == 0 &&
                        !symbol->function->is_entry;
        const char *entry = is_entry ? entry_name_meant(symbol->name) : NULL;
        if (entry != NULL && strcmp(entry, "main_fnc") != 0) {
            Diag *diag = warn_later(checker, WARNING_UNUSED, symbol->span,
                                    "`%s` is never called: a component runs `%s`",
                                    symbol->name->text, entry);
            diag_help(diag, "did you mean `%s`?", entry);
        }
        return;
    }
    if (symbol->kind == SYMBOL_FUNCTION) {
        if (!symbol->function->is_entry) {
            warn_later(checker, WARNING_UNUSED, symbol->span, "`%s` is never called",
                       symbol->name->text);
        }
    } else if (!symbol->is_param) {
        warn_of_variable(checker, fact);
    } else if (!fact->assigned_again) {
        warn_later(checker, WARNING_UNUSED_PARAMETER, symbol->span,
                   "the parameter `%s` is never read", symbol->name->text);
    } else {
        tell_lost_change(checker, symbol, " and never read");
    }
}

// Inputs, properties and constants of the main file; an output without value is an error.
static void warn_of_interface(Checker *checker, const NameSet *unchecked) {
    const Unit *unit = checker->units.items[0];
    for (size_t space = 0; space < INTERFACE_SPACES && unit->interface[space] != NULL; space++) {
        const Scope *scope = unit->interface[space];
        for (size_t k = 0; k < scope->symbols.count; k++) {
            const Symbol *symbol = scope->symbols.items[k];
            const TirInterface *item = symbol->interface;
            if (!symbol->used && item->kind != INTERFACE_OUTPUT && symbol->name->text[0] != '_' &&
                !name_set_has(unchecked, symbol->name)) {
                warn_later(checker, WARNING_UNUSED_INTERFACE, symbol->span, "nothing reads `%c.%s`",
                           item->space, symbol->name->text);
            }
        }
    }
}

void warn_names(Checker *checker) {
    const NameSet *left_out = unchecked_names(checker);
    NameSet *unchecked = unchecked_names(checker);
    AstVisitor visitor = {.expr = note_name, .data = unchecked};
    for (size_t k = 0; k < checker->warn->tests.count; k++) {
        ast_visit_block(checker->warn->tests.items[k], &visitor);
    }
    for (size_t k = 0; k < checker->warn->names.count; k++) {
        const NameFact *fact = checker->warn->names.items[k];
        const Symbol *symbol = fact->symbol;
        if (!fact->used && symbol->name->text[0] != '_' &&
            !name_set_has(fact->in_test ? left_out : unchecked, symbol->name)) {
            warn_of_unused(checker, fact);
        }
    }
    warn_of_interface(checker, unchecked);
}
