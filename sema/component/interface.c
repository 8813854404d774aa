// The interface of a component (L10.1): declarations in the namespaces `t`, `p` and `n`, and what
// reads or writes these names.
#include "sema/component/component.h"

#include "sema/component/infer.h"
#include "sema/component/interface_file.h"
#include "sema/constant.h"
#include "sema/expr.h"
#include "sema/notes/record.h"
#include "sema/stmt.h"
#include "sema/system/system.h"
#include "sema/test.h"
#include "sema/value.h"
#include "sema/warn/warn.h"
#include "support/bug.h"
#include "tir/constant.h"

#include <string.h>

static const char spaces[INTERFACE_SPACES + 1] = "tpn";

int check_space_index(char letter) {
    const char *at = memchr(spaces, letter, INTERFACE_SPACES);
    return at == NULL ? -1 : (int)(at - spaces);
}

static int space_index(Name name) {
    return name->len == 1 ? check_space_index(name->text[0]) : -1;
}

bool check_is_space_name(Name name) {
    return space_index(name) >= 0;
}

void check_file_level_name(Checker *checker, const Unit *unit, Name name, Span span) {
    if (unit->kind == FILE_COMPONENT && check_is_space_name(name)) {
        Diag *diag =
            check_error(checker, DIAG_E0305, span,
                        "`%s` is the namespace of %s and cannot be declared here", name->text,
                        name->text[0] == 't'   ? "terminals"
                        : name->text[0] == 'p' ? "properties"
                                               : "constants");
        diag_note(diag, "`%c`, or any longer name, is free", name->text[0] - 'a' + 'A');
    }
}

bool check_is_interface(const Checker *checker, const AstExpr *ast) {
    if (ast->kind != AST_ATTR || ast->attr.object->kind != AST_NAME) {
        return false;
    }
    const Unit *unit = checker->at.unit;
    const AstName *space = &ast->attr.object->name;
    int index = space_index(space->name);
    bool is_component = unit->kind == FILE_COMPONENT;
    bool has_some =
        index >= 0 && (index == CONSTANT_SPACE ? unit->has_constants
                                               : unit->interface[index] != NULL &&
                                                     unit->interface[index]->symbols.count > 0);
    if (!is_component && !has_some) {
        return false;
    }
    const Symbol *symbol = scope_find(checker->at.scope, space->name);
    // At file level of a component the name is an error (E0305), and hides nothing.
    bool hidden =
        symbol != NULL && (!is_component || symbol != scope_find_here(unit->scope, space->name));
    return space->macro_indices.count == 0 && check_is_space_name(space->name) && !hidden &&
           check_macro_variable(checker, space->name) == NULL;
}

// How messages call a name of the interface: `t.u`.
static const char *full_name(Checker *checker, char space, Name name) {
    return arena_format(checker->arena, "%c.%s", space, name->text);
}

static const char *space_text(char space) {
    return space == 't' ? "terminal" : space == 'p' ? "property" : "namespace constant";
}

// Where the file declares a name of a namespace that is not known yet; NULL when it does not.
static const AstStmt *find_declaration(const Checker *checker, const AstExpr *ast, Name name) {
    const AstBlock *statements = &checker->at.unit->file->statements;
    for (size_t k = 0; k < statements->count; k++) {
        const AstStmt *stmt = statements->items[k];
        if (stmt->kind == AST_TERMINAL && stmt->terminal.name.name == name &&
            stmt->terminal.name.macro_indices.count == 0 &&
            stmt->terminal.space.name == ast->attr.object->name.name) {
            return stmt;
        }
    }
    return NULL;
}

// What may have been meant by a name that its namespace does not have.
static void suggest_name(Checker *checker, Diag *diag, const AstExpr *ast, Name name) {
    const AstStmt *later = find_declaration(checker, ast, name);
    if (later != NULL) {
        diag_note_at(diag, later->terminal.name.span, "it is declared further down");
        return;
    }
    int space = space_index(ast->attr.object->name.name);
    CHECK(space >= 0);
    const char *text = NULL;
    const char *nearest = scope_nearest(checker->at.unit->interface[space], name);
    if (nearest != NULL) {
        text = arena_format(checker->arena, "%c.%s", spaces[space], nearest);
    }
    if (text == NULL && name->len == 2) { // one letter in two is no misspelling, but their order is
        char turned[] = {name->text[1], name->text[0], '\0'};
        Name meant = names_intern_text(checker->context->names, turned);
        text = scope_find(checker->at.unit->interface[space], meant) == NULL
                   ? NULL
                   : full_name(checker, spaces[space], meant);
    }
    for (int other = 0; text == NULL && other < INTERFACE_SPACES; other++) {
        if (scope_find(checker->at.unit->interface[other], name) != NULL) {
            text = full_name(checker, spaces[other], name);
        }
    }
    if (text != NULL) {
        diag_help(diag, "did you mean `%s`?", text);
        diag_edit(diag, ast->span, "%s", text);
        return;
    }
    enum { NAMED_MOST = 8 };
    const Scope *scope = checker->at.unit->interface[space];
    const char *known = "";
    for (size_t k = 0; k < scope->symbols.count && k < NAMED_MOST; k++) {
        known = arena_format(checker->arena, "%s%s`%s`", known, k == 0 ? "" : ", ",
                             full_name(checker, spaces[space], scope->symbols.items[k]->name));
    }
    if (*known != '\0') {
        bool is_more = scope->symbols.count > NAMED_MOST;
        diag_note(diag, "there are %s%s", known, is_more ? " and others" : "");
    } else {
        const char *words = spaces[space] == 'p'   ? "tunable real"
                            : spaces[space] == 'n' ? "real"
                                                   : "in real";
        const char *value = spaces[space] == 't' ? "" : " = 1.0";
        diag_note(diag, "it is declared at file level, as in `%s %s%s`", words,
                  full_name(checker, spaces[space], name), value);
    }
}

// What the namespace before the dot has under that name; NULL when it has none.
static Symbol *find_symbol(Checker *checker, const AstExpr *ast, Name name) {
    int space = space_index(ast->attr.object->name.name);
    CHECK(space >= 0);
    Symbol *symbol = scope_find(checker->at.unit->interface[space], name);
    bool is_lacking = symbol == NULL && find_declaration(checker, ast, name) == NULL;
    return is_lacking ? infer_declare(checker, ast, name) : symbol;
}

// Whether a component declares no terminals, and nothing in this namespace: its editor does.
static bool is_outside(const Checker *checker, const AstExpr *ast, Name name) {
    const Unit *unit = checker->at.unit;
    int space = space_index(ast->attr.object->name.name);
    CHECK(space >= 0);
    return unit->kind == FILE_COMPONENT && unit->interface[space]->symbols.count == 0 &&
           unit->interface[0]->symbols.count == 0 && find_declaration(checker, ast, name) == NULL;
}

// L14.3: one message for all names that a published source does not declare.
static void report_outside(Checker *checker, const AstExpr *ast, const char *name) {
    Unit *unit = checker->at.unit;
    if (unit->lacks_interface || unit->lacks_names) {
        return;
    }
    unit->lacks_interface = true;
    const char *path = unit->file->source->path;
    Diag *diag =
        check_error(checker, DIAG_E0301, ast->span,
                    "unknown %s `%s`: this file declares no terminals", space_text(name[0]), name);
    diag_note(diag, "`tmlc interface %s` prints declarations, which `--interface=FILE` reads back",
              path);
}

TirInterface *check_find_interface(Checker *checker, const AstExpr *ast) {
    Name name = check_macro_name(checker, &ast->attr.name);
    if (name == NULL) {
        return NULL;
    }
    Symbol *symbol = find_symbol(checker, ast, name);
    if (symbol != NULL) {
        symbol->used = true;
        check_note_terminal(checker, symbol->interface);
        notes_interface(checker, symbol->interface, ast->span, false);
        return symbol->interface;
    }
    if (system_has_refused(checker, ast->attr.object->name.name)) {
        return NULL;
    }
    char space = ast->attr.object->name.name->text[0];
    if (is_outside(checker, ast, name)) {
        report_outside(checker, ast, full_name(checker, space, name));
        return NULL;
    }
    const char *message = arena_format(checker->arena, "unknown %s `%s`", space_text(space),
                                       full_name(checker, space, name));
    if (!check_file_was_told(checker, DIAG_E0301, ast->span, message)) {
        suggest_name(checker, check_error(checker, DIAG_E0301, ast->span, "%s", message), ast,
                     name);
    }
    return NULL;
}

const char *check_interface_text(Checker *checker, const TirInterface *item) {
    return full_name(checker, item->space, item->name);
}

const TirInterface *check_find_optional(Checker *checker, const AstExpr *ast) {
    bool is_terminal = ast->kind == AST_ATTR && check_is_interface(checker, ast);
    if (!is_terminal && ast->kind != AST_NAME) {
        return NULL;
    }
    Name name = check_macro_name(checker, is_terminal ? &ast->attr.name : &ast->name);
    if (name == NULL || (!is_terminal && check_macro_variable(checker, name) != NULL)) {
        return NULL;
    }
    if (!is_terminal) {
        const Symbol *symbol = scope_find(checker->at.scope, name);
        return symbol == NULL ? NULL : symbol->optional;
    }
    const Symbol *symbol = find_symbol(checker, ast, name);
    return symbol != NULL && symbol->interface->is_optional ? symbol->interface : NULL;
}

// Which modifiers and which value fit the namespace. False after an error.
static bool require_form(Checker *checker, const AstStmt *stmt, char space, const char *name) {
    unsigned modifiers = stmt->terminal.modifiers;
    bool has_value = stmt->terminal.value != NULL;
    bool directed = (modifiers & (AST_MODIFIER_IN | AST_MODIFIER_OUT)) != 0;
    bool tunable = (modifiers & AST_MODIFIER_TUNABLE) != 0;
    const char *wrong = NULL;
    if (space == 't') {
        bool is_output = (modifiers & AST_MODIFIER_OUT) != 0;
        wrong = !directed                ? "a terminal is `in` or `out`"
                : has_value && is_output ? "only an input has a value, its default"
                                         : NULL;
    } else {
        bool allowed = modifiers == 0 || (space == 'p' && modifiers == AST_MODIFIER_TUNABLE);
        wrong = !allowed && tunable && space == 'n' ? "only properties are `tunable`"
                : !allowed                          ? "only terminals have such a modifier"
                : !has_value                        ? "it needs a value"
                                                    : NULL;
    }
    if (wrong != NULL) {
        Diag *diag = check_error(checker, DIAG_E0706, stmt->span, "%s `%s`: %s", space_text(space),
                                 name, wrong);
        if (space == 't' && (modifiers & AST_MODIFIER_OUT) != 0 && has_value) {
            diag_help(diag, "leave the value out: functions assign outputs");
            diag_edit(diag, (Span){stmt->terminal.name.span.end, stmt->terminal.value->span.end},
                      "%s", "");
        }
        return false;
    }
    return true;
}

// L10.10: of an input that may be absent `exists`, `?` and `?:` say what holds where it is.
static bool require_default_fits(Checker *checker, const AstStmt *stmt, const char *name) {
    bool is_optional = (stmt->terminal.modifiers & AST_MODIFIER_OPTIONAL) != 0;
    if (stmt->terminal.value == NULL || !is_optional) {
        return true;
    }
    Diag *diag = check_error(checker, DIAG_E0735, stmt->terminal.value->span,
                             "`%s` is optional and has no default", name);
    diag_help(diag, "`%s ?: value` where it is read has a value for when it is absent", name);
    return false;
}

static bool lower_interface_type(Checker *checker, const AstStmt *stmt, const Type *type,
                                 char space) {
    bool tunable = (stmt->terminal.modifiers & AST_MODIFIER_TUNABLE) != 0;
    if (type_is_poison(type)) {
        return false;
    }
    if (type_has_value(type) || (space != 't' && !tunable && type_is_scalar(type))) {
        return true;
    }
    return check_refuse(checker, DIAG_E0407, stmt->terminal.type->span, "a %s cannot be a `%s`",
                        tunable ? "tunable property" : space_text(space),
                        check_type_text(checker, type));
}

static TirVar *create_interface_var(Checker *checker, const TirInterface *item) {
    TirVarRole role = item->kind == INTERFACE_INPUT    ? VAR_INPUT
                      : item->kind == INTERFACE_OUTPUT ? VAR_OUTPUT
                                                       : VAR_TUNABLE;
    if (!item->is_present) { // only code that never runs reads or writes it
        TirVar *var = ARENA_NEW(checker->arena, TirVar);
        *var = (TirVar){.role = role, .name = item->name, .type = item->type, .span = item->span};
        return var;
    }
    TirVar *var = tir_var_create(&checker->tir, NULL, role, item->name, item->type, item->span);
    LIST_PUSH(checker->arena, &checker->program->globals, var);
    return var;
}

static TirInterfaceKind interface_kind(unsigned modifiers) {
    return (modifiers & AST_MODIFIER_IN) != 0        ? INTERFACE_INPUT
           : (modifiers & AST_MODIFIER_OUT) != 0     ? INTERFACE_OUTPUT
           : (modifiers & AST_MODIFIER_TUNABLE) != 0 ? INTERFACE_TUNABLE
                                                     : INTERFACE_CONSTANT;
}

static bool is_in_one_file(const Checker *checker, Span a, Span b) {
    const SourceMap *sources = checker->context->sources;
    return sources_place(sources, a.start).file == sources_place(sources, b.start).file;
}

// The entry in the namespace; NULL after E0302.
static Symbol *declare_name(Checker *checker, Scope *scope, char space, Name name, Span span) {
    Symbol *old = scope_find_here(scope, name);
    if (old != NULL) {
        Diag *diag = check_error(checker, DIAG_E0302, span, "`%s` is declared twice",
                                 full_name(checker, space, name));
        diag_label(diag, old->span, "first declared here");
        old->interface->type = checker->poison->type; // which one is meant is not known
        return NULL;
    }
    return scope_add(scope, SYMBOL_INTERFACE, name, span);
}

// L16: hosts know hardware `a` as the terminal `io_a`. False after E0302.
static bool require_free_of_hardware(Checker *checker, const Symbol *symbol, const char *text) {
    const size_t before = strlen("t.io_");
    if (strncmp(text, "t.io_", before) != 0) {
        return true;
    }
    Name name = names_intern_text(checker->context->names, text + before);
    const Symbol *hardware = scope_find_here(checker->at.unit->scope, name);
    if (hardware == NULL || hardware->kind != SYMBOL_IO) {
        return true;
    }
    check_report_io_name(checker, name, symbol->span, hardware->span);
    return false;
}

// A property of a file of another kind; uses of it stay silent. Always false.
static bool report_no_component(Checker *checker, const AstStmt *stmt) {
    Diag *diag =
        check_error(checker, DIAG_E0701, stmt->span, "a property stands in a component only");
    diag_note(diag, "every file may have constants in `n`, and `-D n.name=value` sets them");
    return false;
}

// Whether it stands at file level, in a namespace that there is.
static bool require_place(Checker *checker, const AstStmt *stmt, int index) {
    if (!checker->at.mode.at_file_level) {
        return check_refuse(checker, DIAG_E0706, stmt->span,
                            index == CONSTANT_SPACE
                                ? "constants stand at file level only"
                                : "terminals and properties stand at the file level of a component "
                                  "only");
    }
    return index >= 0 ||
           check_refuse(checker, DIAG_E0301, stmt->terminal.space.span,
                        "unknown namespace `%s`: terminals are in `t`, properties in `p`, "
                        "constants in `n`",
                        stmt->terminal.space.name->text);
}

void check_interface_declaration(Checker *checker, const AstStmt *stmt) {
    const Unit *unit = checker->at.unit;
    bool is_component = unit->kind == FILE_COMPONENT && unit->index == 0;
    int index = space_index(stmt->terminal.space.name);
    if (!require_place(checker, stmt, index)) {
        return;
    }
    char space = spaces[index];
    Name name = check_macro_name(checker, &stmt->terminal.name);
    const Type *type = check_type(checker, stmt->terminal.type);
    if (name == NULL) {
        return;
    }
    const char *text = full_name(checker, space, name);
    bool form_fits =
        (is_component || index == CONSTANT_SPACE || report_no_component(checker, stmt)) &&
        require_form(checker, stmt, space, text);
    Span span = span_join(stmt->terminal.space.span, stmt->terminal.name.span);
    Scope *scope = unit->interface[index];
    const Symbol *old = scope_find_here(scope, name);
    bool is_second = old != NULL && !is_in_one_file(checker, old->span, span);
    if (is_second) { // to be compared, and nothing else
        scope = scope_create(checker->arena, NULL);
    }
    Symbol *symbol = declare_name(checker, scope, space, name, span);
    if (symbol == NULL) {
        return;
    }
    if (index == CONSTANT_SPACE && !is_second) {
        warn_declared(checker, unit, symbol);
    }
    bool fits = form_fits && lower_interface_type(checker, stmt, type, space) &&
                require_default_fits(checker, stmt, text) &&
                require_free_of_hardware(checker, symbol, text);
    unsigned modifiers = stmt->terminal.modifiers;
    TirInterface *item = ARENA_NEW(checker->arena, TirInterface);
    *item = (TirInterface){
        .kind = interface_kind(modifiers),
        .space = space,
        .name = name,
        .span = symbol->span,
        .type = fits ? type : checker->poison->type,
        .is_optional = (modifiers & AST_MODIFIER_OPTIONAL) != 0,
        .has_feedthrough = (modifiers & AST_MODIFIER_NOT_FEEDTHROUGH) == 0,
    };
    item->is_present = !item->is_optional || check_is_connected(checker, item);
    symbol->interface = item;
    notes_interface(checker, is_second ? old->interface : item, item->span, false);
    if (!fits) {
        return; // uses of it stay silent
    }
    if (stmt->terminal.value != NULL) {
        check_give_value(checker, item, stmt->terminal.value);
    }
    if (is_second) {
        interface_require_equal(checker, old->interface, item);
        return;
    }
    if (item->kind != INTERFACE_CONSTANT) {
        item->var = create_interface_var(checker, item);
    }
    if (unit->index == 0) {
        LIST_PUSH(checker->arena, &checker->program->interface, item);
    }
}

bool check_report_untyped(Checker *checker, const AstStmt *stmt) {
    Unit *unit = checker->at.unit;
    const AstExpr *target = stmt->kind == AST_ASSIGN ? stmt->assign.target : NULL;
    if (target == NULL || stmt->assign.compound || !checker->at.mode.at_file_level ||
        target->kind != AST_ATTR || target->attr.object->kind != AST_NAME ||
        target->attr.name.macro_indices.count > 0 || infer_is_on(checker)) {
        return false;
    }
    int index = space_index(target->attr.object->name.name);
    Name name = target->attr.name.name;
    bool may_have = index == CONSTANT_SPACE || (index > 0 && unit->kind == FILE_COMPONENT);
    if (!may_have || scope_find(checker->at.scope, target->attr.object->name.name) != NULL ||
        scope_find(unit->interface[index], name) != NULL ||
        find_declaration(checker, target, name) != NULL) {
        return false;
    }
    const TirExpr *value = check_unevaluated(checker, stmt->assign.value);
    const char *text = full_name(checker, spaces[index], name);
    Diag *diag = check_error(checker, DIAG_E0301, target->span, "unknown %s `%s`",
                             space_text(spaces[index]), text);
    if (!type_is_poison(value->type)) {
        const char *type = check_type_text(checker, value->type);
        diag_help(diag, "a declaration begins with the type: `%s %s = ...`", type, text);
        diag_edit(diag, (Span){target->span.start, target->span.start}, "%s ", type);
    }
    TirInterface *item = ARENA_NEW(checker->arena, TirInterface);
    *item = (TirInterface){.kind = INTERFACE_CONSTANT,
                           .space = spaces[index],
                           .name = name,
                           .span = target->span,
                           .type = checker->poison->type};
    scope_add(unit->interface[index], SYMBOL_INTERFACE, name, target->span)->interface = item;
    unit->has_constants = unit->has_constants || index == CONSTANT_SPACE;
    return true;
}

TirExpr *check_interface_read(Checker *checker, const AstExpr *ast) {
    const TirInterface *item = check_find_interface(checker, ast);
    if (item != NULL) {
        infer_read(checker, item);
    }
    if (item == NULL || type_is_poison(item->type)) {
        return checker->poison;
    }
    if (item->value == NULL && item->var == NULL) {
        return check_fail(checker, DIAG_E0301, ast->span, "`%s` has no value yet: this is its own",
                          check_interface_text(checker, item));
    }
    if (item->kind == INTERFACE_CONSTANT) {
        TirExpr *value = item->value;
        CHECK(value != NULL);
        if (type_is_poison(value->type)) {
            return value;
        }
        TirExpr *copy = tir_copy_node(&checker->tir, value);
        copy->span = ast->span;
        return copy;
    }
    if (item->kind == INTERFACE_TUNABLE && checker->at.mode.takes_defaults) {
        checker->defaults_read++;
        TirExpr *copy = tir_copy_node(&checker->tir, item->value);
        copy->span = ast->span;
        return copy;
    }
    if (checker->at.wire != NULL && item->kind == INTERFACE_OUTPUT) {
        return check_fail(checker, DIAG_E0721, ast->span,
                          "a wire cannot read `%s`, which is an output of this file",
                          check_interface_text(checker, item));
    }
    if (checker->at.wire != NULL && item->kind == INTERFACE_INPUT) {
        system_note_input(checker, item, ast->span);
    }
    if (item->kind != INTERFACE_TUNABLE && checker->at.mode.pure && !checker->at.mode.unevaluated &&
        checker->at.wire == NULL) {
        return check_fail(checker, DIAG_E0702, ast->span,
                          "a file-level value cannot read a terminal");
    }
    if (!check_is_present(checker, item->is_optional ? item : NULL, ast, false)) {
        return checker->poison;
    }
    TirVar *shown = check_in_test(checker) ? tests_shown(checker, item) : NULL;
    return check_read(checker, shown == NULL ? item->var : shown, ast->span);
}

bool check_names_text(Checker *checker, const AstExpr *ast, size_t *length) {
    if (!check_is_interface(checker, ast) || !check_knows_name(checker, &ast->attr.name)) {
        return false;
    }
    Name name = check_macro_name(checker, &ast->attr.name);
    const Symbol *symbol = name == NULL ? NULL : find_symbol(checker, ast, name);
    const TirExpr *value = symbol == NULL ? NULL : symbol->interface->value;
    *length = symbol == NULL ? 0 : symbol->interface->text.len;
    return value != NULL && value->type->root == ROOT_STR && !type_is_poison(value->type);
}

TirVar *check_interface_target(Checker *checker, const AstExpr *ast) {
    const TirInterface *item = check_find_interface(checker, ast);
    if (item != NULL) {
        infer_written(checker, item);
    }
    if (item == NULL || type_is_poison(item->type)) {
        return NULL;
    }
    bool is_target = item->kind == INTERFACE_OUTPUT;
    if (check_in_test(checker)) {
        is_target = item->kind == INTERFACE_INPUT || item->kind == INTERFACE_TUNABLE;
    }
    if (!is_target) {
        Diag *diag =
            check_error(checker, DIAG_E0720, ast->span, "`%s` is %s and cannot be assigned to",
                        check_interface_text(checker, item),
                        item->kind == INTERFACE_INPUT    ? "an input"
                        : item->kind == INTERFACE_OUTPUT ? "an output, which a test reads"
                        : item->space == 'p'             ? "a property"
                                                         : "a constant");
        diag_note_at(diag, item->span, "it is declared here");
        return NULL;
    }
    if (!check_is_present(checker, item->is_optional ? item : NULL, ast, true)) {
        return NULL;
    }
    return item->var;
}
